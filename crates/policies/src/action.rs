//! The actions of rules: a message, an event, an abend.
//!
//! Source: CICS TS 5.5, "Policy actions"; messages DFHMP3001 and DFHMP3002.

use crate::event::captured::Event;
use crate::event::emit;
use crate::message::tell;
use crate::policy::{Action, Rule, Threshold};
use region::{Abend, Outcome, Raised, Task};

/// The action of a task rule.
pub fn exceeded(task: &mut Task, rule: &Rule, threshold: &Threshold, used: u64) -> Outcome {
    rule.taken.now();
    let (kind, category) = rule.kind();
    let (number, limit, current) = (format!("{:05}", task.number), threshold.limit.to_string(), used.to_string());
    let abend_code = match &rule.action {
        Action::Abend(code) => code.as_str(),
        Action::Message | Action::Event(_) => "",
    };
    let values = [
        ("task", number.as_str()),
        ("transid", task.transid.as_str()),
        ("abcode", abend_code),
        ("bundle", &rule.identity.bundle_id),
        ("policy", &rule.identity.policy),
        ("rule", &rule.name),
        ("type", kind),
        ("category", category),
        ("threshold", &limit),
        ("value", &threshold.value),
        ("unit", &threshold.unit),
        ("count", &current),
    ];
    match &rule.action {
        Action::Message => {
            tell(task.region, "DFHMP3001", &values);
            Ok(())
        }
        Action::Event(receiver) => {
            let event = Event::of_task(task, rule, threshold, used);
            emit::emit(task.region, receiver, &event, task.user_id);
            Ok(())
        }
        Action::Abend(code) => {
            tell(task.region, "DFHMP3002", &values);
            let reason =
                format!("policy {}, rule {}: {category} is {current}, and {limit} is the threshold", rule.identity.policy, rule.name);
            Err(Raised::Abend(Box::new(Abend::new(code).because(reason))))
        }
    }
}
