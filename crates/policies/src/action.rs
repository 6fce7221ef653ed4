//! The actions of rules: a message, an event, an abend.
//!
//! Source: CICS TS 5.5, "Policy actions"; messages DFHMP3001 and DFHMP3002.

use crate::event::captured::Event;
use crate::event::emit;
use crate::message::tell;
use crate::policy::{Action, Rule, Threshold};
use region::{Abend, Outcome, Raised, Region, Task, TaskShared};

/// Counts the action of a task rule, and sends its message if it has one. The threshold and what the task has, in words, for an abend.
pub fn tell_exceeded(region: &'static Region, task: &TaskShared, rule: &Rule, threshold: &Threshold, used: u64) -> String {
    rule.act();
    let (kind, category) = rule.kind();
    let (number, limit, count) = (format!("{:05}", task.number), threshold.limit.to_string(), used.to_string());
    let (id, abend_code) = match &rule.action {
        Action::Message => ("DFHMP3001", ""),
        Action::Abend(code) => ("DFHMP3002", code.as_str()),
        Action::Event(_) => return String::new(),
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
        ("count", &count),
    ];
    tell(region, id, &values);
    format!("policy {}, rule {}: {category} is {used}, and {limit} is the threshold", rule.identity.policy, rule.name)
}

/// The action of a task rule.
pub fn exceeded(task: &mut Task, rule: &Rule, threshold: &Threshold, used: u64) -> Outcome {
    let reason = tell_exceeded(task.region, &task.shared, rule, threshold, used);
    match &rule.action {
        Action::Message => Ok(()),
        Action::Event(receiver) => {
            let event = Event::of_task(task, rule, threshold, used);
            emit::emit(task.region, receiver, event);
            Ok(())
        }
        Action::Abend(code) => Err(Raised::Abend(Box::new(Abend::new(code).because(reason)))),
    }
}
