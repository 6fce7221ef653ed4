//! The section of the statistics report about rules, as DFHSTUP reports policies.
//!
//! Source: CICS TS 5.5, "Policy: Resource statistics".

use crate::Policies;
use crate::bundle::part::Content;
use crate::policy::Rule;
use region::Region;
use region::clock::local_from_system;
use region::figures::Report;
use std::fmt::Write as _;
use std::sync::Arc;

/// All rules of installed policies, in the order of bundles and parts.
fn rules(region: &Region) -> Vec<Arc<Rule>> {
    let bundles = Policies::of(region).bundles.lock();
    let parts = bundles.values().flat_map(|bundle| &bundle.parts);
    parts
        .filter_map(|part| if let Content::Policy(policy) = &part.content { Some(&policy.rules) } else { None })
        .flatten()
        .cloned()
        .collect()
}

/// The section; none without a policy.
pub fn report(region: &'static Region, report: &mut Report) {
    let rules = rules(region);
    if rules.is_empty() {
        return;
    }
    report.heading("Policies");
    for rule in rules {
        let identity = &rule.identity;
        let (kind, subtype) = rule.kind();
        let last = rule.taken.last().map(local_from_system).map(|last| format!("{} {}", last.date_text(), last.time_text()));
        let rows = [
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
        ];
        for (label, value) in rows {
            let _ = writeln!(report.text, "  {label:<18}: {value}");
        }
        report.text.push('\n');
    }
}
