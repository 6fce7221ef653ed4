//! Bundles and policies: the BUNDLE resource, the resources and policies that bundles define, and the rules of policies.
//!
//! A bundle is a directory with a manifest; CICS Explorer makes them. A policy in it has rules: a task rule limits what a task uses.
//!
//! * `xml`, `manifest`   the documents of a bundle;
//! * `policy`            policies and rules;
//! * `scope`             for which tasks a policy is;
//! * `rules`, `limits`, `counted`, `gauge`, `time`, `system`  the rules in force, and how tasks and changes are compared with them; `action` what happens when a limit is exceeded;
//! * `binding`           event bindings: what is captured, and SIGNAL EVENT;
//! * `event`             event adapters, and what they emit; `message` messages;
//! * `health`            CHCK, which compares the region with preferred practice;
//! * `bundle`            the BUNDLE resource and its parts;
//! * `population`        how full the region and its transaction classes are;
//! * `inquire`           INQUIRE POLICY and POLICYRULE; `report` the report of statistics; `browse`, `signature` what the INQUIRE commands have in common.
//!
//! Invariants: a policy is in force while its bundle is enabled; a task keeps the rules that were in force when it was attached; nothing a
//! bundle contains can end the region.
#![deny(unsafe_code)]

mod action;
mod binding;
mod browse;
mod bundle;
mod counted;
mod event;
mod gauge;
mod health;
mod inquire;
mod limits;
mod manifest;
mod message;
mod policy;
mod population;
mod report;
mod rules;
mod scope;
mod signature;
mod system;
mod time;
mod xml;

use bundle::Bundle;
use event::adapter::{Adapter, AdapterSet};
use parking_lot::Mutex;
use region::domain::ResourceType;
use region::{Domain, Life, Region, StartType};
use std::collections::BTreeMap;
use std::sync::Arc;
use vsam::StoreError;

region::region_part!(Policies);
region::task_part!(TaskPolicies);

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "policies",
    commands: &[binding::commands::handlers, bundle::commands::handlers, event::commands::handlers, inquire::handlers],
    slots: &[&IN_REGION, &IN_TASK],
    resources: &[ResourceType { name: "BUNDLE", install: Some(bundle::life::install), ..ResourceType::NONE }],
    task_attached: Some(|task, request| Policies::of(task.region).in_force.begin(task, request)),
    task_ended: Some(|task| {
        gauge::detach(task);
        Policies::of(task.region).in_force.system.tasks_changed(task, true);
    }),
    life: Life { recover: Some(recover), running: Some(running), ..Life::NONE },
    records: &[
        &bundle::records::BUNDLES,
        &bundle::records::ADAPTERS,
        &bundle::records::RULES,
        &binding::records::SPECIFICATIONS,
        &event::figures::BINDINGS,
        &event::figures::PROCESS,
    ],
    report: Some(report::report),
    unit_of_work: Some(event::unit::PARTICIPANT),
    programs: &[("DFHECEAS", event::emit::write), ("DFHEPDS", event::queue::run), ("DFHHCCK", health::check)],
    ..Domain::NONE
};

fn recover(region: &'static Region, start_type: StartType) -> Result<(), StoreError> {
    system::start(region);
    bundle::availability::recover(region, start_type)
}

fn running(region: &'static Region) {
    bundle::availability::reopen(region);
    health::start(region);
}

/// This domain's part of a region.
#[derive(Default)]
pub struct Policies {
    bundles: Mutex<BTreeMap<String, Bundle>>,
    /// Bundles that the last run left available, until they are installed.
    left_available: Mutex<Vec<String>>,
    in_force: rules::InForce,
    time: time::TimeWatch,
    /// The event adapters and sets of installed bundles.
    adapters: Mutex<BTreeMap<String, Arc<Adapter>>>,
    adapter_sets: Mutex<BTreeMap<String, Arc<AdapterSet>>>,
    events: event::emit::Pending,
    processing: event::processing::Processing,
    captures: binding::force::Captures,
}

/// This domain's part of a task.
#[derive(Default)]
pub struct TaskPolicies {
    watch: Option<gauge::Watch>,
    browses: browse::Browses,
    /// Of event bindings, in the present unit of work.
    events: event::unit::UnitEvents,
}
