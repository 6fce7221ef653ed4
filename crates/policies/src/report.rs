//! The sections of the statistics report about bundles, events, event adapters and rules.
//!
//! Source: CICS TS 5.5, "Bundles report", "CAPTURESPEC report", "EPADAPTER report", "EVENTPROCESS report", "Policy: Resource statistics".

use crate::Policies;
use crate::binding::commands::installed;
use crate::bundle::records::rules;
use crate::event::adapter::Destination;
use crate::policy::Receiver;
use region::Region;
use region::clock::local_from_system;
use region::figures::{Report, count};
use region::statistics::report::number;
use std::fmt::Write as _;
use std::sync::atomic::Ordering;

/// The sections; none without a bundle.
pub fn report(region: &'static Region, report: &mut Report) {
    bundles(region, report);
    adapters(region, report);
    events(region, report);
    policies(region, report);
}

fn rows(report: &mut Report, rows: &[(&str, &str)]) {
    let width = rows.iter().map(|(label, _)| label.len() + 1).max().unwrap_or(0);
    for (label, value) in rows {
        let _ = writeln!(report.text, "  {label:<width$}: {value}");
    }
    report.text.push('\n');
}

fn status(is_enabled: bool) -> &'static str {
    if is_enabled { "Enabled" } else { "Disabled" }
}

fn bundles(region: &'static Region, report: &mut Report) {
    let bundles = Policies::of(region).bundles.lock();
    if bundles.is_empty() {
        return;
    }
    report.heading("Bundles");
    for bundle in bundles.values() {
        rows(
            report,
            &[
                ("BUNDLE Name", &bundle.name),
                ("BUNDLE Enable Status", status(bundle.is_enabled)),
                ("BUNDLE Directory", &bundle.directory.display().to_string()),
                ("BUNDLE Scope Name", &bundle.base_scope),
                ("BUNDLEPART count", &bundle.parts.len().to_string()),
                ("Target enabled definitions", &bundle.targets().count().to_string()),
                ("Current enabled definitions", &bundle.enabled_count().to_string()),
            ],
        );
    }
}

fn adapters(region: &'static Region, report: &mut Report) {
    let adapters = Policies::of(region).adapters.lock().clone();
    if adapters.is_empty() {
        return;
    }
    report.heading("EPADAPTERs");
    for adapter in adapters.values() {
        let kind = match adapter.destination {
            Destination::TsQueue { .. } => "TSQUEUE",
            Destination::TdQueue { .. } => "TDQUEUE",
            Destination::Transaction { .. } => "TRANSTART",
            Destination::Custom { .. } => "CUSTOM",
        };
        let mode = if adapter.is_synchronous { "SYNCHRONOUS" } else { "ASYNCHRONOUS" };
        rows(
            report,
            &[
                ("EPADAPTER name", &adapter.name),
                ("Enable Status", status(adapter.is_enabled.load(Ordering::Relaxed))),
                ("EPADAPTER type", kind),
                ("EPADAPTER emission mode", mode),
                ("EPADAPTER number of put events", &number(adapter.put.load(Ordering::Relaxed))),
            ],
        );
    }
}

/// Event bindings with their capture specifications, and event processing; none without a binding.
fn events(region: &'static Region, report: &mut Report) {
    let bindings = installed(region);
    if bindings.is_empty() {
        return;
    }
    report.heading("CAPTURESPECs");
    for binding in &bindings {
        let receiver = match &binding.receiver {
            Receiver::Adapter(name) => ("EPADAPTER name", name.as_str()),
            Receiver::Set(name) => ("EPADAPTERSET name", name.as_str()),
        };
        for specification in &binding.specifications {
            rows(
                report,
                &[
                    ("EVENTBINDING name", binding.name.as_str()),
                    receiver,
                    ("Enable Status", status(binding.is_enabled.load(Ordering::Relaxed))),
                    ("CAPTURESPEC name", &specification.name),
                    ("Capture point", specification.point.name),
                    ("Event name", &specification.event),
                    ("Events captured", &number(count(&specification.captured))),
                    ("Capture failures", &number(count(&specification.failed))),
                ],
            );
        }
    }
    let processing = &Policies::of(region).processing;
    let figures = &processing.figures;
    report.heading("EVENTPROCESS");
    rows(
        report,
        &[
            ("Event processing status", processing.status().name()),
            ("Put events", &number(count(&figures.put))),
            ("Peak event capture queue", &number(count(&figures.queue_peak))),
            ("Transactional events", &number(count(&figures.transactional))),
            ("Transactional events discarded", &number(count(&figures.transactional_discarded))),
            ("Synchronous events", &number(count(&figures.synchronous))),
            ("Synchronous events failed", &number(count(&figures.synchronous_failed))),
            ("Dispatchers attached", &number(count(&figures.dispatchers))),
            ("Filter operations", &number(count(&figures.filters))),
            ("Events captured", &number(count(&figures.captured))),
        ],
    );
}

fn policies(region: &'static Region, report: &mut Report) {
    let rules = rules(region);
    if rules.is_empty() {
        return;
    }
    report.heading("Policies");
    for rule in rules {
        let identity = &rule.identity;
        let (kind, subtype) = rule.kind();
        let last = rule.taken.last().map(local_from_system).map(|last| format!("{} {}", last.date_text(), last.time_text()));
        rows(
            report,
            &[
                ("Policy name", identity.policy.as_str()),
                ("Policy user tag", &identity.user_tag),
                ("Bundle name", &identity.bundle),
                ("Bundle directory", &identity.directory),
                ("Rule name", &rule.name),
                ("Rule type", kind),
                ("Rule subtype", subtype),
                ("Action type", rule.action.name()),
                ("Action count", &rule.taken.total().to_string()),
                ("Last action time", &last.unwrap_or_default()),
            ],
        );
    }
}
