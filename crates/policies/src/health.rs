//! CHCK: the region is compared with preferred practice, every thirty minutes.
//!
//! CICS gives its checks to the health checker of the operating system. Here each rule that the region does not follow is a message, and so
//! is the result. Source: CICS TS 5.5, "CICS checks for IBM Health Checker for z/OS". A check takes some commands, far below 50 ms an hour (HC-02).

use exec::{command, option};
use region::exec_interface::Call;
use region::name::Name4;
use region::{AttachRequest, Raised, Region, StartCode, Task};
use std::time::Duration;

/// The time between two checks.
const EVERY: Duration = Duration::from_secs(30 * 60);
const TRANSACTION: &str = "CHCK";
/// The group of the queues that the region writes to.
const QUEUE_GROUP: &str = "DFHDCTG";

/// A check: its name, and what is wrong.
struct Check {
    name: &'static str,
    look: fn(&mut Task) -> Result<Option<String>, Raised>,
}

const CHECKS: [Check; 4] = [
    Check { name: "CICS_SECURITY", look: security },
    Check { name: "CICS_STORAGE_PROTECTION", look: storage_protection },
    Check { name: "CICS_RESOURCE_LIMITS", look: limits },
    Check { name: "CICS_TDQUEUES", look: queues },
];

/// Plans the next check.
pub fn start(region: &'static Region) {
    region.dispatcher.after(EVERY, move || attach(region));
}

/// The next check does not depend on this one, which may be refused or purged.
fn attach(region: &'static Region) {
    start(region);
    let _ = region.attach(AttachRequest::new(Name4::new(TRANSACTION), StartCode::System));
}

/// The program of CHCK: makes all checks.
///
/// # Errors
///
/// The task abends.
pub fn check(task: &mut Task) -> Result<(), Raised> {
    let region = task.region;
    let mut exceptions = 0;
    for check in &CHECKS {
        if let Some(reason) = (check.look)(task)? {
            exceptions += 1;
            region.messages.send("DFHHC0101", &[("check", check.name), ("reason", &reason)]);
        }
    }
    let (checks, exceptions) = (CHECKS.len().to_string(), exceptions.to_string());
    region.messages.send("DFHHC0100", &[("checks", &checks), ("exceptions", &exceptions)]);
    Ok(())
}

fn security(task: &mut Task) -> Result<Option<String>, Raised> {
    Ok((!task.region.sit.is("SEC", "YES")).then(|| "SEC=NO: users are not authenticated, and nothing is protected from them".to_string()))
}

fn storage_protection(task: &mut Task) -> Result<Option<String>, Raised> {
    Ok((!task.region.storage_protection).then(|| "STGPROT=NO: programs can overwrite the storage of the region".to_string()))
}

/// A loop must end, and a region must not be entered without bound.
fn limits(task: &mut Task) -> Result<Option<String>, Raised> {
    let is_unlimited = task.region.dispatcher.runaway().is_zero();
    Ok(is_unlimited.then(|| "ICVR=0: a program that loops is not stopped".to_string()))
}

/// The queues of group DFHDCTG are there and enabled: without them messages are lost.
fn queues(task: &mut Task) -> Result<Option<String>, Raised> {
    let mut missing = Vec::new();
    for name in supplied_queues() {
        let mut call = Call::new(command::INQUIRE_TDQUEUE);
        call.text(task, option::TDQUEUE, name);
        if !call.execute(task)?.is_normal() {
            missing.push(name);
        }
    }
    Ok((!missing.is_empty()).then(|| format!("transient data queues of group {QUEUE_GROUP} are not installed: {}", missing.join(" "))))
}

fn supplied_queues() -> impl Iterator<Item = &'static str> {
    let of_group = format!(" GROUP({QUEUE_GROUP})");
    let lines = csd::SUPPLIED_GROUPS.lines().filter(move |line| line.contains(&of_group));
    lines.filter_map(|line| line.strip_prefix("DEFINE TDQUEUE(").and_then(|rest| rest.split_once(')')).map(|(name, _)| name))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "CICS checks for IBM Health Checker for z/OS".
    #[test]
    fn a_check_is_made_every_thirty_minutes() {
        assert_eq!(EVERY.as_secs(), 1_800);
    }

    #[test]
    fn the_queues_of_the_group_are_found() {
        let queues: Vec<&str> = supplied_queues().collect();
        assert!(queues.len() >= 25 && queues.contains(&"CSSL") && queues.contains(&"CSMT"), "{queues:?}");
    }
}
