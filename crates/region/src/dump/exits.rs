//! XDUREQ and XDUREQC: the exit points before and after a transaction or system dump.
//!
//! The exit program sees what the dump table says of the code, and may suppress the dump; it does not change the table.

use super::codes::{DumpTables, TableKind};
use crate::name::Name8;
use crate::{Abend, ExitArgument, Task};
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
        let entry = DumpTables::of(task.region).find(self.kind, self.code);
        let is_transaction = self.kind == TableKind::Transaction;
        let flag = |on: bool| ExitArgument::bytes(&page.encode(if on { "Y" } else { "N" }));
        let actions = entry.as_ref().map(|entry| entry.actions);
        let constant = |name: &str| ExitArgument::bytes(&[exit_constant(name) as u8]);
        let mut identity = task.exit_identity().into_iter();
        let mut value = |name: &str| match name {
            "UEPDUMPC" => ExitArgument::bytes(&page.encode_name(&self.code)),
            "UEPABCDE" => ExitArgument::bytes(&self.completion),
            "UEPDUMPT" => constant(if is_transaction { "UEPDTRAN" } else { "UEPDSYST" }),
            "UEPXDTXN" => flag(is_transaction && actions.is_none_or(|actions| actions.transaction_dump)),
            "UEPXDSYS" => flag(actions.map_or(!is_transaction, |actions| actions.system_dump)),
            "UEPXDTRM" => flag(actions.is_some_and(|actions| actions.shutdown)),
            "UEPXDMAX" => ExitArgument::bytes(&actions.map_or(0, |actions| actions.maximum).to_be_bytes()),
            "UEPXDCNT" => ExitArgument::bytes(&entry.as_ref().map_or(0, |entry| entry.current).to_be_bytes()),
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
            _ => identity.next().unwrap_or(ExitArgument::Absent),
        };
        point.spec().parameters.iter().map(|parameter| value(parameter.name)).collect()
    }

    /// XDUREQ; true: the exit program suppresses the dump. A purge of the task has no effect on it.
    pub fn is_suppressed(&self, task: &mut Task) -> bool {
        if !task.has_exit(exit_point::XDUREQ) {
            return false;
        }
        let arguments = &mut self.arguments(task, exit_point::XDUREQ, None);
        task.call_exit(exit_point::XDUREQ, arguments).is_ok_and(|code| code.is("UERCBYP"))
    }

    /// XDUREQC.
    pub fn ended(&self, task: &mut Task, response: Response, id: &str) {
        if task.has_exit(exit_point::XDUREQC) {
            let arguments = &mut self.arguments(task, exit_point::XDUREQC, Some((response, id)));
            let _ = task.call_exit(exit_point::XDUREQC, arguments);
        }
    }
}
