//! The end of a task: syncpoint or backout, messages, dump summary, storage, terminal.

use crate::control_blocks::changes::Change;
use crate::control_blocks::raised::command_name;
use crate::dump::transaction::{self, Outcome, Parts};
use crate::dump::{self, cause};
use crate::messages::Message;
use crate::{Abend, AbendInformation, Raised, Task};
use kernel::Mode;
use kernel::trace::{self, Value, points};
use std::sync::atomic::Ordering;

/// The exception entry of an abend, which is always written.
fn trace_abend(abend: &Abend) {
    let (code, program, reason) = (abend.code_text(), abend.program, abend.reason.as_deref().unwrap_or(""));
    let point = if code == "AICA" { &points::AP_LOOP } else { &points::AP_ABEND };
    let reason = &reason[..reason.floor_char_boundary(REASON_BYTES_MAX)];
    trace::exception(point, &[Value::Text(&code), Value::Text(program.as_str()), Value::Number(abend.line.into()), Value::Text(reason)]);
}

/// Of the reason of an abend, in a trace entry.
const REASON_BYTES_MAX: usize = 512;

impl Task {
    /// Remembers an abend for ASSIGN and messages; the first code of a chain stays as the original one.
    pub(crate) fn record_abend(&mut self, abend: &Abend) {
        let original = if self.abend_information.code == [0; 4] { abend.code } else { self.abend_information.original_code };
        self.abend_information = AbendInformation {
            code: abend.code,
            original_code: original,
            program: abend.program,
            offset: abend.offset,
            line: abend.line,
            dump: self.definition.dump && !abend.no_dump,
            interrupt: abend.interrupt.clone(),
            in_user_key: self.runs_in_user_key(),
            storage: abend.storage,
        };
    }

    /// Ends the task, well or not.
    pub(super) fn terminate(&mut self, ended: Result<(), Abend>) {
        // Task termination is always on QR.
        if self.kernel.mode() != Mode::Qr {
            let _ = self.kernel.change_mode(Mode::Qr);
        }
        let region = self.region;
        region.extensions.tell(|observer| observer.task_ends(self, ended.as_ref().err()));
        let ended = ended.and_then(|()| self.last_syncpoint());
        let (failure, restart) = match ended {
            Ok(()) => (None, None),
            Err(mut abend) => {
                // Of a program of the region itself; those of a compiled program have been reported when they occurred.
                dump::program_check::report(self, &mut abend);
                let restart = self.restart_for(&abend);
                self.restarting = restart.is_some();
                (Some(self.abnormal(&abend, restart.is_some())), restart)
            }
        };
        self.note_storage_peaks();
        let is_recorded = region.monitoring().is_wanted(self);
        for ended in region.registry.tasks_ended() {
            ended(self);
        }
        region.monitoring().task_ended(self, is_recorded);
        for violation in self.storage.end() {
            region.storage_violation(self.number, &violation);
        }
        region.tell_recovered_storage();
        region.transactions().unregister(self.number);
        *self.shared.kernel.lock() = None;
        if let Some(request) = restart {
            if let Some(partner) = self.facility.partner() {
                partner.task_restarts();
            }
            let restarted = self.restart(*request);
            let facility = std::mem::take(&mut self.facility);
            if let (Err(refused), Some(partner)) = (restarted, facility.partner()) {
                partner.task_ended(self, Some(&refused.message));
            }
            return;
        }
        let facility = std::mem::take(&mut self.facility);
        if let Some(terminal) = facility.terminal() {
            let next = if failure.is_some() { None } else { self.next_transaction.take() };
            terminal.set_next_transaction(next);
        }
        if let Some(partner) = facility.partner() {
            partner.task_ended(self, failure.as_ref());
        }
    }

    fn last_syncpoint(&mut self) -> Result<(), Abend> {
        match self.syncpoint() {
            Ok(()) => Ok(()),
            Err(Raised::Abend(abend)) => Err(*abend),
            Err(_) => Err(Abend::new("ASPB")),
        }
    }

    /// Backs out and reports an abend; the message is for the terminal.
    fn abnormal(&mut self, abend: &Abend, restarts: bool) -> Message {
        self.transaction.abends.fetch_add(1, Ordering::Relaxed);
        trace_abend(abend);
        self.record_abend(abend);
        let region = self.region;
        let code = abend.code_text();
        region.changes.tell(region, Change::Abend { code: &code, program: abend.program.as_str() });
        let (transid, program, terminal) = (self.transid, abend.program, self.terminal_name());
        let terminal_text = if terminal.is_blank() { "none" } else { terminal.as_str() };
        let values = [("transid", transid.as_str()), ("abcode", code.as_str()), ("program", program.as_str()), ("termid", terminal_text)];
        let is_dumped = self.abend_information.dump && !self.suppresses_dump(abend);
        let dump = if is_dumped { self.dumped(abend) } else { String::new() };
        region.messages.send("DFHAP1201", &[("cause", &cause::line(abend)), ("dump", &dump)]);
        self.call_error_program(abend);
        self.rollback();
        region.messages.send("DFHAC2236", &values);
        // The first program could not run at all, so there is nothing to back out.
        let told = match code.as_str() {
            _ if restarts => "DFHAC2230",
            "APCT" => "DFHAC2016",
            "ASP1" => "DFHAC2231",
            "ASPO" => "DFHAC2232",
            "ASPP" => "DFHAC2233",
            _ => "DFHAC2206",
        };
        region.messages.send(told, &values)
    }

    /// Takes the transaction dump; how to read it, for the message about the abend.
    fn dumped(&mut self, abend: &Abend) -> String {
        let programs = std::mem::take(&mut dump::TaskState::of_mut(&mut self.parts).snapshots);
        match transaction::request(self, abend, programs, Parts::of_task()) {
            Outcome::Written { id, path } => {
                self.log_dump(abend, &id);
                format!(". Dump: regent dump {} DUMPID={id}", path.display())
            }
            Outcome::Suppressed => String::new(),
            Outcome::Failed { id, why } => format!(". Dump {id} was not taken: {}", why.text()),
        }
    }

    /// The dump, for the structured log.
    fn log_dump(&self, abend: &Abend, id: &str) {
        let command = command_name(abend.command);
        let place = abend.offset.map(|offset| format!("offset {offset:X}")).unwrap_or_default();
        tracing::info!(
            target: "region::dump",
            dump = %id, transaction = %self.transid, task = self.number, code = %abend.code_text(), program = %abend.program,
            line = abend.line, command, place = %place, reason = abend.reason.as_deref().unwrap_or(""), "transaction dump"
        );
    }
}
