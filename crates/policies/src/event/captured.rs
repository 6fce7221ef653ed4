//! An event: its context and the items captured, as a CICS flattened event and as containers.
//!
//! The context is EPFE of copybook DFHEPFEO (228 bytes); the items follow it, each padded to its length, in the order and with the names of
//! "Data captured for a policy event". Invariant: a flattened event is characters of the region's code page, except for the network unit of
//! work, which is binary zeros for a policy event.

use crate::policy::{Rule, Threshold};
use region::clock::{Abstime, local_from_system, utc_offset_seconds};
use region::{Region, Task, TaskShared};
use std::time::{SystemTime, UNIX_EPOCH};

/// What a policy event is called in its context.
const EVENT_BINDING: &str = "CICS Policy Event";
const CAPTURE_SPECIFICATION: &str = "CICS_Policy_Event_Capture_Spec";
const BUSINESS_EVENT: &str = "CICS_Policy_Event";
/// The fields of EPFE: identifier and version, then lengths of the others.
const STRUCTURE: &str = "EPFE0002";
const EVENT_BINDING_LENGTH: usize = 32;
const USER_TAG_LENGTH: usize = 8;
const BUSINESS_EVENT_LENGTH: usize = 32;
const NETWORK_UOW_LENGTH: usize = 54;
const APPLID_LENGTH: usize = 17;
const DATE_TIME_LENGTH: usize = 29;
const CAPTURE_SPECIFICATION_LENGTH: usize = 32;
const RESERVED_LENGTH: usize = 16;
/// The length of the context.
const CONTEXT_LENGTH: usize = 228;
/// The version of the captured data.
const VERSION: &str = "1.0";

/// A captured item: name, characters, and length in a flattened event.
pub struct Item {
    pub name: &'static str,
    pub value: String,
    length: usize,
}

/// An event of a policy.
pub struct Event {
    context: Vec<u8>,
    pub items: Vec<Item>,
}

impl Event {
    /// The event of a task rule.
    pub fn of_task(task: &Task, rule: &Rule, threshold: &Threshold, current: u64) -> Event {
        let (kind, item) = rule.kind();
        let mut event = Event::of(task.region, Some(&task.shared), rule, kind);
        event.add("rule_item", item, 32);
        event.add("operator", "GT", 8);
        event.add("threshold", &threshold.limit.to_string(), 20);
        event.add("current_count", &current.to_string(), 20);
        event
    }

    /// The event of a rule, with the items that all rules have.
    pub fn of(region: &Region, task: Option<&TaskShared>, rule: &Rule, kind: &str) -> Event {
        let mut event = Event { context: context(region, &rule.identity.user_tag), items: Vec::new() };
        let number = task.map(|task| format!("{:07}", task.number)).unwrap_or_default();
        event.add("version", VERSION, 10);
        event.add("task_id", &number, 7);
        event.add("tran_id", task.map_or("", |task| task.transid.as_str()), 4);
        event.add("user_id", task.map_or("", |task| task.user_id.as_str()), 8);
        event.add("bundle_name", &rule.identity.bundle, 8);
        event.add("bundle_id", &rule.identity.bundle_id, 64);
        event.add("policy_name", &rule.identity.policy, 64);
        event.add("rule_name", &rule.name, 64);
        event.add("rule_type", kind, 32);
        event
    }

    /// Adds an item.
    pub fn add(&mut self, name: &'static str, value: &str, length: usize) {
        self.items.push(Item { name, value: value.trim_end().to_string(), length });
    }

    pub fn context(&self) -> &[u8] {
        &self.context
    }

    /// The item as a flattened event has it.
    pub fn data(&self, region: &Region, item: &Item) -> Vec<u8> {
        padded(region, &item.value, item.length)
    }

    /// The flattened event.
    pub fn flattened(&self, region: &Region) -> Vec<u8> {
        let mut bytes = self.context.clone();
        bytes.extend(self.items.iter().flat_map(|item| self.data(region, item)));
        bytes
    }
}

fn padded(region: &Region, text: &str, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    region.code_page.fill(text, &mut bytes);
    bytes
}

fn context(region: &Region, user_tag: &str) -> Vec<u8> {
    let mut bytes = padded(region, STRUCTURE, STRUCTURE.len());
    bytes.extend(padded(region, EVENT_BINDING, EVENT_BINDING_LENGTH));
    bytes.extend(padded(region, user_tag, USER_TAG_LENGTH));
    bytes.extend(padded(region, BUSINESS_EVENT, BUSINESS_EVENT_LENGTH));
    bytes.extend([0; NETWORK_UOW_LENGTH]);
    bytes.extend(padded(region, region.applid.as_str().trim_end(), APPLID_LENGTH));
    bytes.extend(padded(region, &now_utc_text(), DATE_TIME_LENGTH));
    bytes.extend(padded(region, CAPTURE_SPECIFICATION, CAPTURE_SPECIFICATION_LENGTH));
    bytes.extend(padded(region, "", RESERVED_LENGTH));
    debug_assert_eq!(bytes.len(), CONTEXT_LENGTH);
    bytes
}

/// Coordinated Universal Time, as RFC 3339 has it: 2018-11-21T21:06:25.123+00:00.
fn now_utc_text() -> String {
    let now = SystemTime::now();
    let unix = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    let utc = Abstime(local_from_system(now).0 - utc_offset_seconds(unix.as_secs() as i64) * 1_000);
    format!("{}T{}.{:03}+00:00", utc.date_text(), utc.time_text(), unix.subsec_millis())
}
