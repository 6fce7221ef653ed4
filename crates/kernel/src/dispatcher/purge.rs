//! Purge: how a task is asked to end, in a wait, at a gate or in program code.
//!
//! Invariant: a task is purged from a wait only once it is asleep. Purger and worker both check after both have written, and the second of
//! them does the purge.

use super::core::Task;
use crate::inquire::RunState;
use crate::traps::attention;
use crate::wait::{Purge, Resumed};
use std::sync::atomic::Ordering;

impl Task {
    /// Asks the task to end. A wait to which the purge applies ends now; a queued task is dropped; a running task is stopped in program
    /// code by force-purge and kill, and notices any purge at its next wait or gate. False if a plain purge does not apply (the task is not
    /// purgeable) or the task has ended.
    pub fn purge(&self, purge: Purge) -> bool {
        if self.state() == RunState::Ended || (purge == Purge::Purge && !self.is_purgeable()) {
            return false;
        }
        self.exec_state().purge_pending.fetch_max(purge as u8, Ordering::SeqCst);
        if self.core.purge_queued(self) {
            return true;
        }
        let bit = attention_bit(purge);
        self.exec_state().attention.fetch_or(bit, Ordering::SeqCst);
        self.purge_asleep();
        if let Some(worker) = self.worker.load(Ordering::SeqCst).checked_sub(1) {
            self.core.interrupt(1 << worker);
        }
        if purge > Purge::Purge {
            self.core.stop_running(self, bit);
        }
        true
    }

    /// Ends the wait of a sleeping task if a pending purge is strong enough for it.
    pub(super) fn purge_asleep(&self) {
        if let Some((sequence, purge)) = self.purge_of_sleep()
            && let Some(task) = self.core.task(self.id())
        {
            task.fire(sequence, Resumed::Purged(purge));
        }
    }
}

fn attention_bit(purge: Purge) -> u32 {
    match purge {
        Purge::Purge => attention::PURGE,
        Purge::ForcePurge => attention::FORCE_PURGE,
        Purge::Kill => attention::KILL,
    }
}
