//! Event binding XML to an event binding.
//!
//! Source: the public binding of the GenApp sample (cicsdev/cics-genapp, Transaction_Counters.evbind, schema level 1), and messages DFHEC1011,
//! DFHEC3108 and DFHEC3110. What the sample does not have is formed as what it has, and unverified: the elements of data predicates, the
//! names of adapters and sets, sources other than COMMAREA. A binding that is only partly understood is refused as a whole. Invariant: every
//! item of an event has its source in each capture specification of the event.

use super::point::{Point, When};
use super::predicate::{Comparison, Response, attention_byte, condition_number};
use super::shape::{self, Declared};
use super::{Context, EventBinding, NAME_LENGTH_MAX, SCHEMA, Specification};
use crate::event::adapter;
use crate::policy::{ADAPTER_LENGTH_MAX, Receiver};
use crate::xml;
use roxmltree::Node;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

const NAMESPACE: &str = adapter::NAMESPACE;
/// Most events and capture specifications of a binding.
const SPECIFICATIONS_MAX: usize = 1_000;
const USER_TAG_LENGTH_MAX: usize = 8;

/// A business event with its items.
struct Business {
    name: String,
    items: Vec<Declared>,
}

/// The event binding of a text.
///
/// # Errors
///
/// Why it cannot be created.
pub fn parse(text: &str, name: &str, bundle: &str) -> Result<EventBinding, String> {
    let document = xml::parse(text)?;
    let root = document.root_element();
    if root.tag_name().name() != "eventBinding" || root.tag_name().namespace() != Some(NAMESPACE) {
        return Err(format!("the root element is not eventBinding of {NAMESPACE}"));
    }
    let schema = (schema_number(root, "CICSEPSchemaVersion", 1)?, schema_number(root, "CICSEPSchemaRelease", 0)?);
    if schema > SCHEMA {
        return Err(format!("schema level {}.{} is not supported: {}.{} is the highest", schema.0, schema.1, SCHEMA.0, SCHEMA.1));
    }
    let name = named(name, "event binding")?;
    let user_tag = xml::text(root, "userTag").to_string();
    if user_tag.len() > USER_TAG_LENGTH_MAX {
        return Err(format!("user tag {user_tag} is longer than {USER_TAG_LENGTH_MAX} characters"));
    }
    let mut events: Vec<Business> = Vec::new();
    let mut captures = Vec::new();
    for element in xml::elements(root) {
        match element.tag_name().name() {
            "description" | "userTag" | "eventDispatcherSpecification" => {}
            "eventSpecification" => events.push(business(element)?),
            "eventCaptureSpecification" => captures.push(element),
            other => return Err(format!("{other} is not an element of an event binding")),
        }
        if events.len() > SPECIFICATIONS_MAX || captures.len() > SPECIFICATIONS_MAX {
            return Err(format!("it has more than {SPECIFICATIONS_MAX} events or capture specifications"));
        }
    }
    let mut specifications: Vec<Arc<Specification>> = Vec::new();
    for element in captures {
        let specification = specification(element, &events)?;
        if specifications.iter().any(|known| known.name == specification.name) {
            return Err(format!("capture specification {} is a duplicate", specification.name));
        }
        specifications.push(Arc::new(specification));
    }
    if specifications.is_empty() {
        return Err("it has no capture specification".to_string());
    }
    let (receiver, adapter) = receiver(root, &name, bundle)?;
    Ok(EventBinding {
        name,
        bundle: bundle.to_string(),
        user_tag,
        schema,
        receiver,
        adapter,
        specifications,
        is_enabled: AtomicBool::new(false),
    })
}

fn schema_number(root: Node, name: &str, minimum: u16) -> Result<u16, String> {
    let text = xml::attribute(root, name);
    let number = text.parse().ok().filter(|number| (minimum..=99).contains(number) && text.len() <= 2);
    number.ok_or_else(|| format!("{name} is invalid: {text}"))
}

/// A name: letters, digits and underscores; it begins with a letter, and not with xml.
fn named(text: &str, what: &str) -> Result<String, String> {
    let is_valid = (1..=NAME_LENGTH_MAX).contains(&text.len())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && text.chars().next().is_some_and(|first| first.is_ascii_alphabetic())
        && !text.to_ascii_lowercase().starts_with("xml");
    if is_valid { Ok(text.to_string()) } else { Err(format!("{what} {text} has an invalid name")) }
}

/// Where the events go: a named adapter or set, or the adapter in the binding.
fn receiver(root: Node, name: &str, bundle: &str) -> Result<(Receiver, Option<Arc<adapter::Adapter>>), String> {
    let dispatcher = xml::child(root, "eventDispatcherSpecification").ok_or("it has no eventDispatcherSpecification")?;
    let (adapter, set) = (xml::text(dispatcher, "eventAdapterName"), xml::text(dispatcher, "eventAdapterSetName"));
    if adapter.len() > ADAPTER_LENGTH_MAX || set.len() > ADAPTER_LENGTH_MAX {
        return Err(format!("{adapter}{set} is longer than {ADAPTER_LENGTH_MAX} characters"));
    }
    match (adapter, set) {
        ("", "") => {
            let own = adapter::of_dispatcher(dispatcher, name, bundle)?;
            Ok((Receiver::Adapter(name.to_string()), Some(Arc::new(own))))
        }
        (adapter, "") => Ok((Receiver::Adapter(adapter.to_string()), None)),
        ("", set) => Ok((Receiver::Set(set.to_string()), None)),
        _ => Err("it names an event adapter and a set of them".to_string()),
    }
}

fn business(element: Node) -> Result<Business, String> {
    let name = named(xml::text(element, "name"), "event")?;
    let information = xml::child(element, "eventInformation");
    let items = information.into_iter().flat_map(xml::elements).map(Declared::of).collect::<Result<Vec<_>, _>>();
    let items = items.map_err(|fault| format!("event {name}: {fault}"))?;
    if items.len() > exec::EVENT_ITEMS_MAX {
        return Err(format!("event {name} has more than {} items", exec::EVENT_ITEMS_MAX));
    }
    Ok(Business { name, items })
}

fn specification(element: Node, events: &[Business]) -> Result<Specification, String> {
    let name = named(xml::text(element, "name"), "capture specification")?;
    let of = |fault: String| format!("capture specification {name}: {fault}");
    let event = xml::text(element, "eventIdentifier");
    let business = events.iter().find(|known| known.name == event).ok_or_else(|| of(format!("there is no event {event}")))?;
    let filter = xml::child(element, "filter").ok_or_else(|| of("it has no filter".to_string()))?;
    let (point, when, location) = location(filter).map_err(of)?;
    let has_data = |place| place_allowed(point, when, place);
    let context = context(filter).map_err(of)?;
    let options = options(location, point).map_err(of)?;
    let data = xml::child(filter, "dataFilter").into_iter().flat_map(xml::elements);
    let data = data.map(|item| shape::data_predicate(item, point, &has_data)).collect::<Result<Vec<_>, _>>().map_err(of)?;
    let capture = xml::child(element, "dataCapture");
    let items = shape::items(capture, point, &business.items, &has_data).map_err(of)?;
    let (captured, failed) = (AtomicU64::new(0), AtomicU64::new(0));
    Ok(Specification { name, event: business.name.clone(), point, when, context, options, data, items, captured, failed })
}

/// Whether the data is there when the event is captured: what a command reads is not, before it.
fn place_allowed(point: &Point, when: When, place: super::Place) -> bool {
    point.data.contains(&place) && !(when == When::Before && place == super::Place::IntoSet)
}

fn location<'a, 'input>(filter: Node<'a, 'input>) -> Result<(&'static Point, When, Node<'a, 'input>), String> {
    let location = xml::child(filter, "locationFilter").ok_or("it has no locationFilter")?;
    let element = xml::elements(location).next().ok_or("its locationFilter is empty")?;
    let tag = element.tag_name().name();
    let (verb, adverb) = (xml::attribute(element, "verb"), xml::attribute(element, "adVerb"));
    let kind = xml::attribute(location, "filterType");
    let Some(point) = Point::find(verb, adverb, tag) else {
        let what = if kind.contains("SYSTEM") { "system event" } else { "capture point" };
        return Err(format!("{what} {tag} ({verb} {adverb}) is not available"));
    };
    if !point.is_available {
        return Err(format!("capture point {} needs a command that is not available", point.name));
    }
    let is_before = xml::attribute(element, "isPre").eq_ignore_ascii_case("true");
    let when = match (point.is_program_start(), is_before) {
        (true, _) => When::Start,
        (false, true) => When::Before,
        (false, false) => When::After,
    };
    if !point.allows(when) {
        return Err(format!("events of {} are captured before the command only", point.name));
    }
    Ok((point, when, element))
}

fn context(filter: Node) -> Result<Context, String> {
    let mut context = Context {
        transaction: Comparison::OFF,
        program: Comparison::OFF,
        user: Comparison::OFF,
        response: Response::OFF,
        aid: Response::OFF,
        cursor: Response::OFF,
    };
    for element in xml::child(filter, "contextFilter").into_iter().flat_map(xml::elements) {
        match element.tag_name().name() {
            "transactionId" => context.transaction = Comparison::of(element)?,
            "currentProgram" => context.program = Comparison::of(element)?,
            "userId" => context.user = Comparison::of(element)?,
            "CommandResp" => context.response = Response::of(element, condition_number)?,
            "EIBAID" => context.aid = Response::of(element, attention_byte)?,
            "EIBCPOSN" => context.cursor = Response::of(element, |text| text.parse().ok())?,
            other => return Err(format!("{other} is not part of a context filter")),
        }
    }
    Ok(context)
}

fn options(location: Node, point: &'static Point) -> Result<Vec<(&'static str, Comparison)>, String> {
    let mut options = Vec::new();
    for element in xml::elements(location) {
        let keyword = xml::attribute(element, "keyword");
        if keyword != element.tag_name().name() {
            return Err(format!("invalid keyword {keyword} of {}", element.tag_name().name()));
        }
        let Some(option) = point.options.iter().find(|option| **option == keyword) else {
            return Err(format!("{keyword} is not an option of capture point {}", point.name));
        };
        options.push((*option, Comparison::of(element)?));
    }
    Ok(options)
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
