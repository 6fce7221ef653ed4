//! Transaction restart: a task of a RESTART(YES) transaction that lost a deadlock is run again from its beginning.
//!
//! The decision is that of the default restart program DFHREST (CICS TS Customization Guide, "Transaction restart program"): only a task
//! with a principal facility, before the commit of its last unit of work, that has read no further input, written nothing to its terminal
//! and taken no syncpoint, fewer than twenty times, and only for ADCD, AFCF and AFCW. A started task whose data cannot be retrieved again,
//! and a conversation continued with a channel, are not restarted. Invariant: the restarted task is attached as the first one was, with the
//! same input, communication area and START data.

use crate::name::Name4;
use crate::{Abend, AttachFailure, AttachRequest, Region, StartCode, Task};

/// Restarts of one piece of work at most.
const RESTARTS_MAX: u16 = 20;
/// Abends of a task that was chosen to resolve a deadlock: DL/I, files, files in RLS mode.
const DEADLOCK_ABENDS: [&[u8; 4]; 3] = [b"ADCD", b"AFCF", b"AFCW"];

impl AttachRequest {
    /// The request for a restart, if the transaction may be restarted and there is memory for a copy of its channel.
    pub(super) fn for_restart(&self, region: &'static Region, restartable: bool) -> Option<Box<AttachRequest>> {
        let continued_with_channel = self.start_code == StartCode::TerminalData && self.channel.is_some();
        let has_facility = self.facility.terminal().is_some() || self.queue.is_some() || self.start_code.is_start();
        if !restartable || !has_facility || continued_with_channel {
            return None;
        }
        let copy = self.channel.as_ref().map(|channel| channel.copy(region.store.account()).map(std::sync::Arc::new));
        Some(Box::new(AttachRequest { channel: copy.transpose().ok()?, ..self.clone() }))
    }
}

impl Task {
    /// The request to attach again after this abend. Called before the task's last backout.
    pub(super) fn restart_for(&mut self, abend: &Abend) -> Option<Box<AttachRequest>> {
        let request = self.restart.take()?;
        let done = self.conversation.has_read || self.conversation.has_sent;
        let syncpoint = self.performance.syncpoints + self.performance.rollbacks > 0;
        let chosen = DEADLOCK_ABENDS.contains(&&abend.code) && !done && !syncpoint && request.restarts < RESTARTS_MAX;
        (chosen && self.region.registry.may_restart(self)).then_some(request)
    }

    /// Attaches the task again; the terminal stays with it.
    pub(super) fn restart(&self, mut request: AttachRequest) -> Result<u32, AttachFailure> {
        request.restarts += 1;
        let region = self.region;
        self.transaction.restarts.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let text = format!("DFHREST {} Transaction {} is restarted, restart {}", region.applid, self.transid, request.restarts);
        region.registry.write_text(region, Name4::new("CSMT"), &text);
        tracing::info!(target: "region::xm", transaction = %self.transid, task = self.number, restart = request.restarts, "restarted");
        region.attach(request)
    }
}
