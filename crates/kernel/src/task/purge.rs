//! Purge: how a task is asked to end, in a wait, at a gate or in program code.
//!
//! Invariant: a task is purged from a wait only after it is asleep, by whichever of purger and worker comes second (both look after
//! both have written).

use super::waits::{WAIT_PROTECTED, WAIT_PURGEABLE};
use super::{Task, attention};
use crate::inquire::RunState;
use crate::wait::{Purge, Resumed};
use crate::wait_word::{self as word, purge_of};
use std::sync::atomic::Ordering;

impl Task {
    /// Asks the task to end. A wait the purge is strong enough for ends now; a queued task is dropped; a running one is
    /// stopped in program code by force-purge and kill, and notices any purge at its next wait or gate. False if a plain
    /// purge does not apply (the task is not purgeable) or the task has ended.
    pub fn purge(&self, purge: Purge) -> bool {
        if self.state() == RunState::Ended || (purge == Purge::Purge && !self.is_purgeable()) {
            return false;
        }
        self.purge_pending.fetch_max(purge as u8, Ordering::SeqCst);
        if self.core.purge_queued(self) {
            return true;
        }
        let bit = attention_bit(purge);
        self.exec.attention.fetch_or(bit, Ordering::SeqCst);
        self.purge_asleep();
        if purge > Purge::Purge {
            self.core.stop_running(self, bit);
        }
        true
    }

    /// Ends the wait of a sleeping task if a pending purge is strong enough for it.
    pub(crate) fn purge_asleep(&self) {
        let now = self.word.load(Ordering::SeqCst);
        if word::phase(now) != word::ASLEEP {
            return;
        }
        if let Some(purge) = self.applicable_purge()
            && let Some(task) = self.core.task(self.id)
        {
            task.fire(word::sequence(now), Resumed::Purged(purge));
        }
    }

    /// The pending purge, if the wait noted last gives way to it.
    pub(super) fn applicable_purge(&self) -> Option<Purge> {
        let purge = purge_of(self.purge_pending.load(Ordering::SeqCst))?;
        let flags = self.wait_flags.load(Ordering::SeqCst);
        let applies = match purge {
            Purge::Purge => flags & WAIT_PURGEABLE != 0 && self.is_purgeable(),
            _ => flags & WAIT_PROTECTED == 0,
        };
        applies.then_some(purge)
    }

    /// The purge has reached the task: waits of its abend processing are not purged by it again.
    pub(crate) fn purge_delivered(&self) {
        self.purge_pending.store(0, Ordering::SeqCst);
        self.clear_attention(attention::PURGE | attention::FORCE_PURGE | attention::KILL);
    }

    /// Own task. A gate that noticed a purge by the attention bits takes it, and abends the task.
    pub fn take_purge(&self) -> Option<Purge> {
        let purge = purge_of(self.purge_pending.load(Ordering::SeqCst));
        if purge.is_some() {
            self.purge_delivered();
        }
        purge
    }
}

fn attention_bit(purge: Purge) -> u32 {
    match purge {
        Purge::Purge => attention::PURGE,
        Purge::ForcePurge => attention::FORCE_PURGE,
        Purge::Kill => attention::KILL,
    }
}
