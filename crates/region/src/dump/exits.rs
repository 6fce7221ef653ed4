//! XDUREQ and XDUREQC: the exit points before and after a transaction or system dump.
//!
//! The exit program sees what the dump table says of the code, may change that ("Exit XDUREQ"), and may suppress the dump.

use super::codes::{self, Actions, DumpTables, TableKind};
use crate::name::Name8;
use crate::{Abend, ExitArgument, ExitCode, Task};
use exec::{ExitPoint, exit_constant, exit_point};

/// What has become of a dump.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Response {
    Taken,
    Suppressed,
    Failed,
}

/// A dump that is requested.
pub struct Requested {
    kind: TableKind,
    code: Name8,
    completion: [u8; 8],
}

/// Codes of program checks, whose completion code exit programs are told.
const PROGRAM_CHECKS: [&str; 5] = ["AP0001", "SR0001", "ASRA", "ASRB", "ASRD"];

impl Requested {
    pub fn transaction(task: &Task, abend: &Abend) -> Requested {
        let code = Name8::new(&abend.code_text());
        let mut completion = [0; 8];
        if let Some(interrupt) = abend.interrupt.as_ref().filter(|_| PROGRAM_CHECKS.contains(&code.as_str())) {
            let text = format!("{}/{}", interrupt.completion_code(), abend.code_text());
            task.region.code_page.fill(&text, &mut completion);
        }
        Requested { kind: TableKind::Transaction, code, completion }
    }

    pub fn system(code: Name8) -> Requested {
        Requested { kind: TableKind::System, code, completion: [0; 8] }
    }

    fn arguments(&self, task: &Task, point: ExitPoint, of_dump: Option<(Response, &str)>) -> Vec<ExitArgument> {
        let page = &task.region.code_page;
        let entry = DumpTables::of(task.region).entry_for_request(task.region, self.kind, self.code);
        let is_transaction = self.kind == TableKind::Transaction;
        let constant = |name: &str| ExitArgument::bytes(&[exit_constant(name) as u8]);
        let flag = |on: bool| constant(if on { "UEPXDYES" } else { "UEPXDNO" });
        let has = |of: fn(&Actions) -> bool| entry.as_ref().is_some_and(|entry| of(&entry.actions));
        let number = |number: Option<u32>| ExitArgument::bytes(&number.unwrap_or(0).to_be_bytes());
        task.exit_arguments(point, |name| {
            Some(match name {
                "UEPDUMPC" => ExitArgument::bytes(&page.encode_name(&self.code)),
                "UEPABCDE" => ExitArgument::bytes(&self.completion),
                "UEPDUMPT" => constant(if is_transaction { "UEPDTRAN" } else { "UEPDSYST" }),
                "UEPXDSCP" => constant(if has(|actions| actions.related) { "UEPXDREL" } else { "UEPXDLOC" }),
                "UEPXDTXN" => flag(has(|actions| actions.transaction_dump)),
                "UEPXDSYS" => flag(has(|actions| actions.system_dump)),
                "UEPXDTRM" => flag(has(|actions| actions.shutdown)),
                "UEPXDDAE" => flag(has(|actions| actions.dae)),
                "UEPXDMAX" => number(entry.as_ref().map(|entry| entry.actions.maximum)),
                "UEPDXDCNT" => number(entry.as_ref().map(|entry| entry.current)),
                "UEPXDTST" => {
                    let counts = entry.as_ref().map(|entry| entry.counts).unwrap_or_default();
                    let counts = [counts.transaction_taken, counts.transaction_suppressed, counts.system_taken, counts.system_suppressed];
                    ExitArgument::Bytes(counts.iter().flat_map(|count| (*count as u32).to_be_bytes()).collect())
                }
                "UEPDMPID" => {
                    let mut id = [page.space(); 9];
                    page.fill(of_dump.map_or("", |(_, id)| id), &mut id);
                    ExitArgument::bytes(&id)
                }
                "UEPDRESP" => constant(match of_dump.map(|(response, _)| response) {
                    Some(Response::Taken) => "UEPDROK",
                    Some(Response::Failed) => "UEPDRERR",
                    _ => "UEPDRSUP",
                }),
                _ => return None,
            })
        })
    }

    /// XDUREQ; true: the exit program suppresses the dump. A purge of the task has no effect on it.
    pub fn is_suppressed(&self, task: &mut Task) -> bool {
        self.call(task, exit_point::XDUREQ, None).is_some_and(|code| code.is("UERCBYP"))
    }

    /// XDUREQC.
    pub fn ended(&self, task: &mut Task, response: Response, id: &str) {
        self.call(task, exit_point::XDUREQC, Some((response, id)));
    }

    fn call(&self, task: &mut Task, point: ExitPoint, of_dump: Option<(Response, &str)>) -> Option<ExitCode> {
        if !task.has_exit(point) {
            return None;
        }
        let given = self.arguments(task, point, of_dump);
        let mut arguments = given.clone();
        let code = task.call_exit(point, &mut arguments).ok()?;
        if arguments != given {
            self.change_table(task, point, &arguments);
        }
        Some(code)
    }

    /// Puts what the exit programs have left into the dump table, and into the catalogue if the entry is one of it.
    fn change_table(&self, task: &Task, point: ExitPoint, arguments: &[ExitArgument]) {
        let left = |name: &str| point.spec().parameter(name).map_or(&[][..], |at| arguments[at].get());
        let is = |name: &str, constant: &str| left(name) == [exit_constant(constant) as u8];
        let is_transaction = self.kind == TableKind::Transaction;
        let change = |entry: &mut codes::Entry| {
            let maximum = left("UEPXDMAX").try_into().map_or(codes::NO_LIMIT, u32::from_be_bytes).min(codes::NO_LIMIT);
            entry.actions = Actions {
                maximum,
                shutdown: is("UEPXDTRM", "UEPXDYES"),
                related: is("UEPXDSCP", "UEPXDREL"),
                system_dump: is("UEPXDSYS", "UEPXDYES"),
                transaction_dump: is_transaction && is("UEPXDTXN", "UEPXDYES"),
                dae: !is_transaction && is("UEPXDDAE", "UEPXDYES"),
            };
        };
        let region = task.region;
        let Ok(entry) = DumpTables::of(region).change(self.kind, self.code, change) else { return };
        if entry.is_temporary {
            return;
        }
        let waiter = task.waiter();
        if let Err(error) = codes::catalogue(region, self.kind, self.code, Some(&entry.actions), &*waiter) {
            tracing::warn!(target: "region::dump", %error, code = %self.code, "the catalogue does not have the change of an exit program");
        }
    }
}
