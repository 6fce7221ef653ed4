//! Statistics records of bundles, event adapters and rules.
//!
//! Source: CICS TS 5.5, "Bundles: resource statistics" (DFHRLRDS), "EPADAPTER: Resource statistics" (DFHEPRDS), "Policy: Resource statistics"
//! (DFHMPRDS). Records of rules are written, and not available to COLLECT and EXTRACT STATISTICS.

use super::Bundle;
use super::part::Content;
use crate::Policies;
use crate::event::adapter::{Adapter, Destination};
use crate::policy::Rule;
use exec::cvda;
use region::Region;
use region::figures::{Reading, Record, RecordType, ResourceType};
use region::statistics::recording;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::SystemTime;

pub static BUNDLES: RecordType = RecordType {
    of: ResourceType::Bundle,
    one: |reading, name| Policies::of(reading.region).bundles.lock().get(name).map(|bundle| of_bundle(reading.region, bundle)),
    names: |region| Policies::of(region).bundles.lock().keys().cloned().collect(),
    ..RecordType::NONE
};

pub static ADAPTERS: RecordType = RecordType {
    of: ResourceType::EventAdapter,
    one: |reading, name| {
        let adapter = Policies::of(reading.region).adapters.lock().get(name).cloned();
        adapter.map(|adapter| of_adapter(reading.region, &adapter))
    },
    names: |region| Policies::of(region).adapters.lock().keys().cloned().collect(),
    ..RecordType::NONE
};

pub static RULES: RecordType = RecordType {
    of: ResourceType::PolicyRule,
    all: Some(|reading| rules(reading.region).iter().map(|rule| of_rule(reading.region, rule)).collect()),
    names: |_| Vec::new(),
    ..RecordType::NONE
};

/// How DFHEPRDS numbers the types of adapters.
fn adapter_type(destination: &Destination) -> u8 {
    match destination {
        Destination::Transaction { .. } => 2,
        Destination::TsQueue { .. } => 3,
        Destination::TdQueue { .. } => 6,
        Destination::Custom { .. } => 4,
    }
}

/// How DFHEPRDS numbers the modes of emission.
const ASYNCHRONOUS: u8 = 1;
const SYNCHRONOUS: u8 = 2;

/// All rules of installed policies, in the order of bundles and parts.
pub fn rules(region: &Region) -> Vec<Arc<Rule>> {
    let bundles = Policies::of(region).bundles.lock();
    bundles.values().flat_map(rules_of).cloned().collect()
}

fn rules_of(bundle: &Bundle) -> impl Iterator<Item = &Arc<Rule>> {
    let policies = bundle.parts.iter().filter_map(|part| if let Content::Policy(policy) = &part.content { Some(policy) } else { None });
    policies.flat_map(|policy| &policy.rules)
}

/// The signature of a bundle, and of what it defines: that has the bundle as its source.
fn signed(record: Record, region: &Region, prefix: &str, bundle: &str) -> Record {
    let found = Policies::of(region).bundles.lock().get(bundle).map(|bundle| (bundle.is_created, bundle.installed_at));
    signed_at(record.signed(region, prefix, "BUNDLE", bundle), prefix, found.unwrap_or((false, SystemTime::UNIX_EPOCH)))
}

fn signed_at(record: Record, prefix: &str, (is_created, at): (bool, SystemTime)) -> Record {
    let agent = if is_created { cvda::CREATESPI } else { cvda::GRPLIST };
    record
        .number(&format!("{prefix}_CHANGE_AGENT"), if is_created { cvda::CREATESPI as u64 } else { cvda::CSDBATCH as u64 })
        .number(&format!("{prefix}_INSTALL_AGENT"), agent as u64)
        .time_local(&format!("{prefix}_INSTALL_TIME"), Some(at))
}

fn of_bundle(region: &Region, bundle: &Bundle) -> Record {
    const PREFIX: &str = "RLR_BUNDLE";
    let record = Record::new("DFHRLRDS", &bundle.name).signed(region, PREFIX, "BUNDLE", &bundle.name);
    signed_at(record, PREFIX, (bundle.is_created, bundle.installed_at))
        .text("RLR_BUNDLE_NAME", &bundle.name)
        .text("RLR_BUNDLE_DIRECTORY", bundle.directory.display().to_string())
        .text("RLR_BUNDLE_BASESCOPE", &bundle.base_scope)
}

fn of_adapter(region: &Region, adapter: &Adapter) -> Record {
    let record = signed(Record::new("DFHEPRDS", &adapter.name), region, "EPR_ADA", &adapter.bundle);
    record
        .text("EPR_ADA_DEFINE_SOURCE", &adapter.bundle)
        .text("EPR_ADAPTER_NAME", &adapter.name)
        .number("EPR_ADAPTER_TYPE", adapter_type(&adapter.destination))
        .number("EPR_EMISSION_MODE", if adapter.is_synchronous { SYNCHRONOUS } else { ASYNCHRONOUS })
        .number("EPR_PUT_EVENTS", adapter.put.load(Ordering::Relaxed))
}

fn of_rule(region: &Region, rule: &Rule) -> Record {
    let identity = &rule.identity;
    let (kind, subtype) = rule.kind();
    // A reset makes the time of the last action zero too.
    let last = rule.taken.last().filter(|last| *last >= region.statistics().last_reset());
    Record::new("DFHMPRDS", format!("{}.{}.{}", identity.bundle, identity.policy, rule.name))
        .text("MPR_POLICY_NAME", &identity.policy)
        .text("MPR_POLICY_USERTAG", &identity.user_tag)
        .text("MPR_BUNDLE_NAME", &identity.bundle)
        .text("MPR_BUNDLE_DIR", &identity.directory)
        .text("MPR_RULE_NAME", &rule.name)
        .text("MPR_RULE_TYPE", kind)
        .text("MPR_RULE_SUBTYPE", subtype)
        .text("MPR_ACTION_TYPE", rule.action.name())
        .number("MPR_ACTION_COUNT", rule.taken.total())
        .time_local("MPR_ACTION_TIME", last)
}

/// Removes a bundle. What its rules and adapters have counted is written: those of a new bundle of this name count from zero.
pub fn remove(region: &'static Region, name: &str) {
    let Some(bundle) = Policies::of(region).bundles.lock().remove(name) else { return };
    let adapters = bundle.parts.iter().filter_map(|part| part.content.adapter());
    let adapters = adapters.map(|adapter| of_adapter(region, adapter));
    for record in rules_of(&bundle).map(|rule| of_rule(region, rule)).chain(adapters) {
        recording::unsolicited_at_end(region, |_: &Reading| Some(record));
    }
}
