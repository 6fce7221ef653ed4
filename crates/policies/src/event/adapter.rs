//! EPADAPTER and EPADAPTERSET: where events are sent, as the `.epadapter` and `.epadapterset` parts of bundles say.
//!
//! Source: CICS TS 5.5, "Event processing (EP) adapter configuration editor", "INQUIRE EPADAPTER", "Writing a custom EP adapter". The element
//! of the adapter that starts a transaction is that of the GenApp sample; those of a custom adapter, and of the emission mode, are unverified.
//! Invariant: events of policies go only to adapters that are asynchronous and not transactional.

use crate::policy::ADAPTER_LENGTH_MAX;
use crate::xml;
use region::name::{Name4, Name8, Name16};
use roxmltree::Node;
use std::sync::atomic::{AtomicBool, AtomicU64};

pub const NAMESPACE: &str = "http://www.ibm.com/xmlns/prod/cics/eventprocessing/eventbinding";
/// Most adapters of a set.
const SET_SIZE_MAX: usize = 100;

/// Where an adapter sends events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Destination {
    TsQueue {
        queue: Name16,
        is_auxiliary: bool,
    },
    TdQueue {
        queue: Name4,
    },
    Transaction {
        transid: Name4,
    },
    /// A program of the user: what the adapter passes to it, and its name, for a synchronous adapter.
    Custom {
        data: String,
        program: Name8,
    },
}

/// Kinds of destinations.
pub const DESTINATIONS: usize = 4;

impl Destination {
    /// The place of its kind among the counters of event processing.
    pub fn number(&self) -> usize {
        match self {
            Destination::TsQueue { .. } => 0,
            Destination::TdQueue { .. } => 1,
            Destination::Transaction { .. } => 2,
            Destination::Custom { .. } => 3,
        }
    }
}

/// An event adapter.
#[derive(Debug)]
pub struct Adapter {
    pub name: String,
    pub bundle: String,
    pub destination: Destination,
    /// Events are dispatched before those of normal priority.
    pub is_high: bool,
    /// The user of the task of the adapter; blank: the region's, or the context's.
    pub user: Name8,
    pub uses_context_user: bool,
    /// The task that captures an event emits it too.
    pub is_synchronous: bool,
    /// Events are part of the unit of work.
    pub is_transactional: bool,
    /// The transaction of the task that emits events; blank: CEPR.
    pub transid: Name4,
    pub is_enabled: AtomicBool,
    /// Events passed to it.
    pub put: AtomicU64,
}

/// A set of adapters: an event goes to all of them.
#[derive(Debug)]
pub struct AdapterSet {
    pub name: String,
    pub bundle: String,
    pub adapters: Vec<String>,
    pub is_enabled: AtomicBool,
}

/// Adapters that need what is not there.
const REFUSED: [(&str, &str); 2] = [("wmqAdapter", "IBM MQ"), ("httpAdapter", "outbound HTTP")];

fn checked_name(name: &str) -> Result<String, String> {
    match name.chars().count() {
        1..=ADAPTER_LENGTH_MAX => Ok(name.to_string()),
        _ => Err(format!("a name of an event adapter has 1 to {ADAPTER_LENGTH_MAX} characters: {name}")),
    }
}

fn root_of<'a, 'input>(document: &'a roxmltree::Document<'input>, element: &str) -> Result<Node<'a, 'input>, String> {
    let root = document.root_element();
    if root.tag_name().name() == element && root.tag_name().namespace() == Some(NAMESPACE) {
        Ok(root)
    } else {
        Err(format!("the root element is not {element} of {NAMESPACE}"))
    }
}

/// The adapter of a text.
///
/// # Errors
///
/// Why it cannot be created.
pub fn parse(text: &str, name: &str, bundle: &str) -> Result<Adapter, String> {
    let document = xml::parse(text)?;
    let root = root_of(&document, "EPAdapter")?;
    let specification = xml::child(root, "eventDispatcherSpecification").ok_or("it has no eventDispatcherSpecification")?;
    of_dispatcher(specification, name, bundle)
}

/// The adapter of an `eventDispatcherSpecification`.
///
/// # Errors
///
/// Why it cannot be created.
pub fn of_dispatcher(specification: Node, name: &str, bundle: &str) -> Result<Adapter, String> {
    let dispatcher = xml::child(specification, "eventDispatcher").ok_or("it has no eventDispatcher")?;
    let policy = xml::child(dispatcher, "eventDispatcherPolicy").ok_or("it has no eventDispatcherPolicy")?;
    let adapter = xml::child(dispatcher, "eventDispatcherAdapter").and_then(|adapter| xml::elements(adapter).next());
    let adapter = adapter.ok_or("it has no eventDispatcherAdapter")?;
    let destination = destination(adapter)?;
    let is_high = word(policy, "dispatchPriority", ["normal", "high"])?;
    let is_synchronous = word(policy, "emissionMode", ["asynchronous", "synchronous"])?;
    // The user of a started transaction is that of the adapter; that of a queue, the task's that writes to it.
    let user = match destination {
        Destination::Transaction { .. } => xml::child(adapter, "userid").filter(|user| user.text().is_some() || is_context(*user)),
        _ => None,
    };
    let user = user.or_else(|| xml::child(policy, "adapterUserid"));
    let adapter = Adapter {
        name: checked_name(name)?,
        bundle: bundle.to_string(),
        destination,
        is_high,
        user: short(user.and_then(|user| user.text()).unwrap_or_default().trim(), "adapterUserid")?,
        uses_context_user: user.is_some_and(is_context),
        is_synchronous,
        is_transactional: xml::text(policy, "eventsTransactional").eq_ignore_ascii_case("true"),
        transid: short(xml::text(policy, "adapterTranId"), "adapterTranId")?,
        is_enabled: AtomicBool::new(false),
        put: AtomicU64::new(0),
    };
    match &adapter.destination {
        Destination::Custom { program, .. } if is_synchronous && program.is_blank() => {
            Err("a synchronous custom adapter needs a programName".to_string())
        }
        Destination::Custom { .. } if !is_synchronous && adapter.transid.is_blank() => {
            Err("an asynchronous custom adapter needs an adapterTranId".to_string())
        }
        _ => Ok(adapter),
    }
}

fn is_context(user: Node) -> bool {
    xml::attribute(user, "useContextUserid").eq_ignore_ascii_case("true")
}

/// Whether the element has the second of two words; the first, if it is empty.
fn word(policy: Node, element: &str, [no, yes]: [&str; 2]) -> Result<bool, String> {
    match xml::text(policy, element).to_ascii_lowercase() {
        text if text == yes => Ok(true),
        text if text == no || text.is_empty() => Ok(false),
        other => Err(format!("{element} {other} is not {no} or {yes}")),
    }
}

fn short<const N: usize>(text: &str, element: &str) -> Result<region::name::Name<N>, String> {
    if text.len() > N { Err(format!("{element} {text} is longer than {N} characters")) } else { Ok(region::name::Name::new(text)) }
}

fn required<const N: usize>(adapter: Node, element: &str) -> Result<region::name::Name<N>, String> {
    match xml::text(adapter, element) {
        "" => Err(format!("{} has no {element}", adapter.tag_name().name())),
        text => short(text, element),
    }
}

fn destination(adapter: Node) -> Result<Destination, String> {
    let kind = adapter.tag_name().name();
    if let Some((_, what)) = REFUSED.iter().find(|(refused, _)| *refused == kind) {
        return Err(format!("{kind} needs {what}, which is not available"));
    }
    if !xml::text(adapter, "sysid").is_empty() {
        return Err(format!("{kind}: there are no connections to other systems: sysid must be empty"));
    }
    match kind {
        "cicsTSQueueAdapter" => {
            flattened(adapter)?;
            let is_auxiliary = xml::text(adapter, "useAuxTempStorage").eq_ignore_ascii_case("true");
            Ok(Destination::TsQueue { queue: required(adapter, "queueName")?, is_auxiliary })
        }
        "cicsTDQueueAdapter" => {
            flattened(adapter)?;
            Ok(Destination::TdQueue { queue: required(adapter, "queueName")? })
        }
        "cicsTransactionAdapter" | "cicsTransactionStartAdapter" => {
            match xml::text(adapter, "format") {
                "CCE" | "" => {}
                format => return Err(format!("{kind}: format {format} is not available, CCE is")),
            }
            Ok(Destination::Transaction { transid: required(adapter, "transactionId")? })
        }
        "customAdapter" | "cicsCustomAdapter" => Ok(Destination::Custom {
            data: xml::text(adapter, "data").to_string(),
            program: short(xml::text(adapter, "programName"), "programName")?,
        }),
        other => Err(format!("{other} is not an event adapter")),
    }
}

/// Queues hold flattened events.
fn flattened(adapter: Node) -> Result<(), String> {
    match xml::text(adapter, "format") {
        "CFE" => Ok(()),
        format => Err(format!("{}: format {format} is not available, CFE is", adapter.tag_name().name())),
    }
}

/// The set of a text.
///
/// # Errors
///
/// Why it cannot be created.
pub fn parse_set(text: &str, name: &str, bundle: &str) -> Result<AdapterSet, String> {
    let document = xml::parse(text)?;
    let root = root_of(&document, "EPAdapterSet")?;
    let mut adapters = Vec::new();
    for element in xml::elements(root) {
        match element.tag_name().name() {
            "description" => {}
            "eventAdapterName" if adapters.len() == SET_SIZE_MAX => return Err(format!("it has more than {SET_SIZE_MAX} adapters")),
            "eventAdapterName" => adapters.push(checked_name(element.text().unwrap_or_default().trim())?),
            other => return Err(format!("{other} is not an element of a set of event adapters")),
        }
    }
    if adapters.is_empty() {
        return Err("it has no adapter".to_string());
    }
    Ok(AdapterSet { name: checked_name(name)?, bundle: bundle.to_string(), adapters, is_enabled: AtomicBool::new(false) })
}

impl Adapter {
    /// CONFIGDATA1 of INQUIRE: the queue or transaction.
    pub fn configuration(&self) -> String {
        match &self.destination {
            Destination::TsQueue { queue, .. } => queue.as_str().trim_end().to_string(),
            Destination::TdQueue { queue } => queue.as_str().trim_end().to_string(),
            Destination::Transaction { transid } => transid.as_str().trim_end().to_string(),
            Destination::Custom { .. } => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(policy: &str, adapter: &str) -> Result<Adapter, String> {
        let text = format!(
            r#"<ns2:EPAdapter CICSEPSchemaVersion="4" CICSEPSchemaRelease="0" xmlns:ns2="{NAMESPACE}"><description/><eventDispatcherSpecification><eventDispatcher><eventDispatcherPolicy>{policy}</eventDispatcherPolicy><eventDispatcherAdapter>{adapter}</eventDispatcherAdapter></eventDispatcher></eventDispatcherSpecification></ns2:EPAdapter>"#
        );
        parse(&text, "A", "B")
    }

    const POLICY: &str = "<dispatchPriority>normal</dispatchPriority><eventsTransactional>false</eventsTransactional><adapterUserid useContextUserid=\"false\"/><adapterTranId/>";

    #[test]
    fn queues_and_transactions_are_destinations() {
        let ts = adapter(POLICY, "<cicsTSQueueAdapter><queueName>Q</queueName><sysid/><useAuxTempStorage>true</useAuxTempStorage><format>CFE</format></cicsTSQueueAdapter>").unwrap();
        assert_eq!(ts.destination, Destination::TsQueue { queue: Name16::new("Q"), is_auxiliary: true });
        let td =
            adapter(POLICY, "<cicsTDQueueAdapter><queueName>TDQ1</queueName><sysid/><format>CFE</format></cicsTDQueueAdapter>").unwrap();
        assert_eq!((td.destination.clone(), td.configuration().as_str()), (Destination::TdQueue { queue: Name4::new("TDQ1") }, "TDQ1"));
        let start =
            adapter(POLICY, "<cicsTransactionStartAdapter><transactionId>EVNT</transactionId></cicsTransactionStartAdapter>").unwrap();
        assert_eq!(start.destination, Destination::Transaction { transid: Name4::new("EVNT") });
    }

    #[test]
    fn what_is_not_there_is_refused_by_name() {
        for (policy, element, fault) in [
            (POLICY, "<httpAdapter/>", "outbound HTTP"),
            (POLICY, "<wmqAdapter/>", "IBM MQ"),
            (POLICY, "<cicsTDQueueAdapter><queueName>TDQ1</queueName><format>CBE</format></cicsTDQueueAdapter>", "format CBE"),
            (POLICY, "<cicsTDQueueAdapter><queueName>TDQ12</queueName><format>CFE</format></cicsTDQueueAdapter>", "longer than 4"),
            (POLICY, "<cicsTDQueueAdapter><queueName>TDQ1</queueName><sysid>S1</sysid><format>CFE</format></cicsTDQueueAdapter>", "sysid"),
            (POLICY, "<customAdapter><data>X</data></customAdapter>", "adapterTranId"),
            ("<emissionMode>synchronous</emissionMode>", "<customAdapter><data>X</data></customAdapter>", "programName"),
            ("<emissionMode>soon</emissionMode>", "<customAdapter/>", "emissionMode soon"),
            (POLICY, "<cicsTransactionAdapter><transactionId>T</transactionId><format>CBE</format></cicsTransactionAdapter>", "format CBE"),
        ] {
            let told = adapter(policy, element).unwrap_err();
            assert!(told.contains(fault), "{told}");
        }
    }

    #[test]
    fn sets_are_bounded() {
        let set = |count: usize| {
            parse_set(
                &format!(
                    r#"<n:EPAdapterSet xmlns:n="{NAMESPACE}"><description/>{}</n:EPAdapterSet>"#,
                    "<eventAdapterName>A</eventAdapterName>".repeat(count)
                ),
                "S",
                "B",
            )
        };
        assert_eq!(set(SET_SIZE_MAX).unwrap().adapters.len(), SET_SIZE_MAX);
        assert!(set(SET_SIZE_MAX + 1).unwrap_err().contains("more than"));
        assert!(set(0).unwrap_err().contains("no adapter"));
        assert!(parse_set("<EPAdapterSet/>", "S", "B").unwrap_err().contains("root element"));
    }
}
