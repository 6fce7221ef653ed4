//! An event: its context and its items, as a CICS flattened event, as containers for a transaction, and as the object of a custom adapter.
//!
//! The structures are those of copybooks DFHEPFEO, DFHEPCXO, DFHEPDEO and DFHEPAPO (`exec::event_structure`); the items follow the context of a
//! flattened event, each of its length. Those of a policy have the order and the names of "Data captured for a policy event". Invariant: the
//! unit of work is binary zeros in an event of a policy or of the region, which has none.

use crate::policy::{Rule, Threshold};
use exec::{EventStructure, event_structure};
use region::clock::{Abstime, local_from_system, utc_offset_seconds};
use region::code_page::RegionCodePage;
use region::name::{Name4, Name8};
use region::recovery_manager::{NETWORK, network_name};
use region::{Region, Task, TaskShared};
use std::time::{SystemTime, UNIX_EPOCH};

/// What a policy event is called in its context.
const POLICY_NAMES: [&str; 3] = ["CICS Policy Event", "CICS_Policy_Event", "CICS_Policy_Event_Capture_Spec"];
/// The versions of the structures.
const CONTEXT_VERSION: u32 = 2;
const FLATTENED_VERSION: &str = "0002";
const DESCRIPTOR_VERSION: u32 = 1;
/// EPCX_EVENT_TYPE.
const OF_APPLICATION: &str = "A";
const OF_SYSTEM: &str = "S";
/// The version of the captured data of a policy.
const VERSION: &str = "1.0";

/// The event binding, the business event, the capture specification and the user tag.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub binding: String,
    pub event: String,
    pub specification: String,
    pub user_tag: String,
    pub schema: (u16, u16),
}

/// The task that an event of an application comes from.
#[derive(Clone, Debug)]
pub struct Place {
    pub program: Name8,
    pub response: u32,
    /// The network-wide name of its unit of work.
    pub unit: Vec<u8>,
}

/// How the data of an item was captured and is formatted: the fields of EPDE.
#[derive(Clone, Debug)]
pub struct Description {
    pub kind: &'static str,
    pub precision: u32,
    pub form: &'static str,
    pub length: u32,
    pub form_precision: u32,
}

/// An item: its name, the data as captured, and as formatted.
#[derive(Clone, Debug)]
pub struct Item {
    pub name: String,
    pub raw: Vec<u8>,
    pub formatted: Vec<u8>,
    pub description: Description,
}

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    names: Names,
    at: SystemTime,
    transid: Name4,
    pub user: Name8,
    /// Of an application.
    place: Option<Place>,
    pub items: Vec<Item>,
    /// What trace calls it: the rule of a policy, or the capture specification.
    pub label: String,
}

/// Characters and numbers in the fields of a structure.
struct Bytes<'a> {
    bytes: Vec<u8>,
    structure: &'static EventStructure,
    page: &'a RegionCodePage,
}

impl<'a> Bytes<'a> {
    /// All fields are binary zeros; the reserved ones stay so.
    fn new(name: &str, page: &'a RegionCodePage) -> Self {
        let structure = event_structure(name);
        Self { bytes: vec![0; structure.length()], structure, page }
    }

    fn text(mut self, field: &str, text: &str) -> Self {
        let field = self.structure.field(field);
        self.page.fill(text, &mut self.bytes[field.offset..field.offset + field.length]);
        self
    }

    fn bytes(mut self, field: &str, bytes: &[u8]) -> Self {
        let field = self.structure.field(field);
        debug_assert!(bytes.len() <= field.length, "{}", field.name);
        self.bytes[field.offset..field.offset + bytes.len()].copy_from_slice(bytes);
        self
    }

    fn full(self, field: &str, number: u32) -> Self {
        self.bytes(field, &number.to_be_bytes())
    }

    fn half(self, field: &str, number: u16) -> Self {
        self.bytes(field, &number.to_be_bytes())
    }
}

impl Event {
    /// An event of an application, without items.
    pub fn of_application(task: &Task, names: Names, response: u32) -> Event {
        let unit = network_name(task.region, task.recovery.identity.id());
        let place = Place { program: task.program_name(), response, unit };
        let label = names.specification.clone();
        Event { names, at: SystemTime::now(), transid: task.transid, user: task.user_id, place: Some(place), items: Vec::new(), label }
    }

    /// The event of a task rule.
    pub fn of_task(task: &Task, rule: &Rule, threshold: &Threshold, current: u64) -> Event {
        let (kind, item) = rule.kind();
        let region = task.region;
        let mut event = Event::of(region, Some(&task.shared), rule, kind);
        event.add(region, "rule_item", item, 32);
        event.add(region, "operator", "GT", 8);
        event.add(region, "threshold", &threshold.limit.to_string(), 20);
        event.add(region, "current_count", &current.to_string(), 20);
        event
    }

    /// The event of a rule, with the items that all rules have.
    pub fn of(region: &Region, task: Option<&TaskShared>, rule: &Rule, kind: &str) -> Event {
        let [binding, event, specification] = POLICY_NAMES.map(str::to_string);
        let names = Names { binding, event, specification, user_tag: rule.identity.user_tag.clone(), schema: (0, 0) };
        let mut event = Event {
            names,
            at: SystemTime::now(),
            transid: task.map_or(Name4::BLANK, |task| task.transid),
            user: task.map_or(Name8::BLANK, |task| task.user_id),
            place: None,
            items: Vec::new(),
            label: rule.name.clone(),
        };
        let number = task.map(|task| format!("{:07}", task.number)).unwrap_or_default();
        let (transid, user) = (event.transid, event.user);
        event.add(region, "version", VERSION, 10);
        event.add(region, "task_id", &number, 7);
        event.add(region, "tran_id", transid.as_str(), 4);
        event.add(region, "user_id", user.as_str(), 8);
        event.add(region, "bundle_name", &rule.identity.bundle, 8);
        event.add(region, "bundle_id", &rule.identity.bundle_id, 64);
        event.add(region, "policy_name", &rule.identity.policy, 64);
        event.add(region, "rule_name", &rule.name, 64);
        event.add(region, "rule_type", kind, 32);
        event
    }

    /// Adds an item of characters.
    pub fn add(&mut self, region: &Region, name: &str, value: &str, length: usize) {
        let mut bytes = vec![0; length];
        region.code_page.fill(value.trim_end(), &mut bytes);
        let description = Description { kind: "CHAR", precision: 0, form: "text", length: length as u32, form_precision: 0 };
        self.items.push(Item { name: name.to_string(), raw: bytes.clone(), formatted: bytes, description });
    }

    /// The context of a flattened event and of a container-based one.
    pub fn flattened_context(&self, region: &Region) -> Vec<u8> {
        let page = &region.code_page;
        let network = format!("{NETWORK}.{}", region.applid.as_str().trim_end());
        let context = Bytes::new("EPFE", page)
            .text("EPFE_STRUCID", "EPFE")
            .text("EPFE_VERSION", FLATTENED_VERSION)
            .text("EPFE_EVENTBINDING", &self.names.binding)
            .text("EPFE_EBUSERTAG", &self.names.user_tag)
            .text("EPFE_BUSINESSEVENT", &self.names.event)
            .text("EPFE_NETQUALAPPLID", &network)
            .text("EPFE_DATETIME", &utc_text(self.at))
            .text("EPFE_CSNAME", &self.names.specification)
            .text("-", "");
        let context = match &self.place {
            Some(place) => {
                let digits: String = place.unit.iter().map(|byte| format!("{byte:02X}")).collect();
                context.text("EPFE_NETWORKUOWID", &digits)
            }
            None => context,
        };
        context.bytes
    }

    /// The flattened event.
    pub fn flattened(&self, region: &Region) -> Vec<u8> {
        let mut bytes = self.flattened_context(region);
        bytes.extend(self.items.iter().flat_map(|item| item.formatted.iter().copied()));
        bytes
    }

    /// DFHEP.CONTEXT of a custom adapter.
    pub fn context(&self, region: &Region) -> Vec<u8> {
        let page = &region.code_page;
        let names = &self.names;
        let context = Bytes::new("EPCX", page)
            .text("EPCX_STRUCID", "EPCX")
            .full("EPCX_VERSION", CONTEXT_VERSION)
            .half("EPCX_SCHEMA_VERSION", names.schema.0)
            .half("EPCX_SCHEMA_RELEASE", names.schema.1)
            .text("EPCX_EVENT_BINDING", &names.binding)
            .text("EPCX_CS_NAME", &names.specification)
            .text("EPCX_EBUSERTAG", &names.user_tag)
            .text("EPCX_BUSINESSEVENT", &names.event)
            .text("EPCX_NETQUAL", NETWORK)
            .text("EPCX_APPLID", region.applid.as_str())
            .text("EPCX_TRANID", self.transid.as_str())
            .text("EPCX_USERID", self.user.as_str())
            .bytes("EPCX_ABSTIME", &region::packed::<8>(local_from_system(self.at).0.unsigned_abs()))
            .text("EPCX_EVENT_TYPE", if self.place.is_some() { OF_APPLICATION } else { OF_SYSTEM });
        let context = match &self.place {
            Some(place) => {
                context.text("EPCX_PROGRAM", place.program.as_str()).full("EPCX_RESP", place.response).bytes("EPCX_UOWID", &place.unit)
            }
            None => context.text("EPCX_PROGRAM", ""),
        };
        context.bytes
    }

    /// DFHEP.DESCRIPTOR of a custom adapter.
    pub fn descriptor(&self, region: &Region) -> Vec<u8> {
        let page = &region.code_page;
        let head = Bytes::new("EPDE", page).text("EPDE_STRUCID", "EPDE").full("EPDE_VERSION", DESCRIPTOR_VERSION);
        let mut bytes = head.full("EPDE_ITEMCOUNT", self.items.len() as u32).bytes;
        for Item { name, description, .. } in &self.items {
            let item = Bytes::new("EPDE_ITEM", page)
                .text("EPDE_DATANAME", name)
                .text("EPDE_DATATYPE", description.kind)
                .full("EPDE_DATAPRECISION", description.precision)
                .text("EPDE_FORMATTYPE", description.form)
                .full("EPDE_FORMATLEN", description.length)
                .full("EPDE_FORMATPRECISION", description.form_precision);
            bytes.extend(item.bytes);
        }
        bytes
    }
}

/// DFHEP.ADAPTPARM of a custom adapter; `recoverable`: how it has to emit the event.
pub fn adapter_parameters(region: &Region, adapter: &str, recoverable: &str) -> Vec<u8> {
    let parameters = Bytes::new("EPAP", &region.code_page).text("EPAP_STRUCID", "EPAP").full("EPAP_VERSION", 1);
    parameters.text("EPAP_ADAPTERNAME", adapter).text("EPAP_RECOVER", recoverable).bytes
}

/// Coordinated Universal Time, as RFC 3339 has it: 2018-11-21T21:06:25.123+00:00.
fn utc_text(at: SystemTime) -> String {
    let unix = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    let utc = Abstime(local_from_system(at).0 - utc_offset_seconds(unix.as_secs() as i64) * 1_000);
    format!("{}T{}.{:03}+00:00", utc.date_text(), utc.time_text(), unix.subsec_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_utc() {
        assert_eq!(utc_text(UNIX_EPOCH), "1970-01-01T00:00:00.000+00:00");
    }
}
