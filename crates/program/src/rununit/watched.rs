//! Programs compiled with TEST tell what they reach, while they are watched.
//!
//! The header of a run unit leads to a word of its task. Compiled code looks at it before each statement and around each PERFORM, and calls
//! the run time only while it is not zero. Invariant: the word lives as long as the header leads to it: a unit whose task has none leads
//! to a word that is always zero.
//!
//! `unsafe` here writes into the frame that called: see the parent module.

use super::*;
use crate::requests::service;
use std::sync::atomic::AtomicU32;

/// Of programs that nobody watches.
static NOBODY: AtomicU32 = AtomicU32::new(0);

pub(super) fn nobody() -> *const u32 {
    NOBODY.as_ptr()
}

/// Services that are milestones.
pub(crate) fn is_milestone(number: u32) -> bool {
    matches!(number, service::STATEMENT | service::PERFORMING | service::PERFORMED | service::ENTERED)
}

impl RunUnit {
    /// A program compiled with TEST is about to be entered.
    pub(super) fn start_watching(&mut self) {
        if self.watch.is_none() {
            self.watch = self.host().watch();
            self.header.watch = self.watch.as_ref().map_or_else(nobody, |word| word.as_ptr());
        }
    }

    pub(super) fn stop_watching(&mut self) {
        self.header.watch = nobody();
        self.watch = None;
    }

    pub(super) fn milestone(&mut self, frame: FrameId, number: u32, words: &[u64]) -> Result<i64, Departure> {
        let statement = words.first().map_or(0, |word| *word as u32);
        let milestone = match number {
            service::STATEMENT => Milestone::Statement(statement),
            service::PERFORMING => Milestone::Performing(statement),
            service::PERFORMED => Milestone::Performed(statement),
            _ => Milestone::Entered,
        };
        if let Milestone::Statement(number) | Milestone::Performed(number) = milestone {
            // A debugger and a traceback name it: control is there again when a PERFORM has ended.
            unsafe { (*frame.as_ptr()).statement = number };
        }
        let reached = self.host().reached(frame, milestone);
        if reached.is_err() {
            self.last_line = frame.place_of(statement).map_or((0, 0), |place| (place.line, statement));
        }
        reached.map(|()| 0)
    }
}
