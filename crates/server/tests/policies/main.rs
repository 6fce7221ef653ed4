//! Bundles and policies: COBOL programs that reach and exceed the thresholds of task rules, and the commands of bundles.

mod adapters;
mod bindings;
#[path = "../bundle_support/mod.rs"]
mod bundle_support;
mod bundles;
#[path = "../cobol_support/mod.rs"]
mod cobol_support;
mod cost;
mod documents;
mod event_commands;
mod events;
mod figures;
mod health;
#[path = "../scratch/mod.rs"]
mod scratch;
mod support;
mod system_rules;
mod thresholds;
