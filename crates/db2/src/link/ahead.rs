//! Changes that are sent with the statement behind them, because nobody looks at their results. If one fails, the server skips what is behind
//! it, which is executed again then.
//!
//! Invariants: the changes of `ahead` are the last of the `unread` batches; only [`Link::run`] and [`Link::run_ahead`] put a batch behind them.

use super::{Described, Link, Run};
use crate::errors::{Done, Stop, code};
use crate::rows::Rows;
use crate::unit::{Status, Unit};
use postgres::Wait;
use std::ops::Range;
use std::sync::Arc;

/// A change that was sent, or is to be sent with the next statement.
pub(super) struct Ahead {
    described: Arc<Described>,
    /// In [`Link::ahead_parameters`].
    parameters: Range<usize>,
    repeatable: bool,
    /// The unit of work as it is if the change fails.
    unit: Unit,
}

/// Changes that may be ahead of a statement.
const AHEAD_MAX: usize = 16;

impl Link {
    pub fn has_ahead(&self) -> bool {
        !self.ahead.is_empty()
    }

    /// Whether a change may be left to the statement behind it.
    pub fn may_run_ahead(&self) -> bool {
        self.ahead.len() < AHEAD_MAX && !self.unit.has_failed()
    }

    /// Queues a change whose result nobody looks at; it is sent with the next statement.
    pub fn run_ahead(&mut self, described: Arc<Described>, parameters: &[u8], repeatable: bool) {
        debug_assert!(self.may_run_ahead());
        self.traces.add(described.traces);
        self.queue(Run { described: &described, parameters, portal: "", rows_max: 0, repeatable });
        self.unread += 1;
        let begin = self.ahead_parameters.len();
        self.ahead_parameters.extend_from_slice(parameters);
        self.ahead.push(Ahead { described, parameters: begin..self.ahead_parameters.len(), repeatable, unit: self.unit });
        self.unit.touched(true);
    }

    /// Waits for the changes that are ahead.
    pub fn settle(&mut self, wait: &mut dyn Wait) -> Done<()> {
        if self.ahead.is_empty() {
            return Ok(());
        }
        self.session.sync();
        self.collect("", 0, &mut Rows::default(), wait)?;
        self.repair(wait).map(|_| ())
    }

    /// The answers of the changes that were ahead have been read. If one failed, the server has skipped those behind it, which are executed
    /// now; true: it has also skipped the statement of the caller. Nobody looks at their errors, except at those that end the unit of work.
    pub(super) fn repair(&mut self, wait: &mut dyn Wait) -> Done<bool> {
        let Some((failed, error)) = self.failed_ahead.take() else {
            self.forget_ahead();
            return Ok(false);
        };
        let (ahead, all_parameters) = (std::mem::take(&mut self.ahead), std::mem::take(&mut self.ahead_parameters));
        self.unit = ahead[failed].unit;
        self.unit.ready(Status::Failed);
        self.resend();
        if error.code == code::DEADLOCK_ROLLED_BACK {
            return Err(Stop::Sql(error));
        }
        for Ahead { described, parameters, repeatable, .. } in &ahead[failed + 1..] {
            let parameters = &all_parameters[parameters.clone()];
            let run = Run { described, parameters, portal: "", rows_max: 0, repeatable: *repeatable };
            match self.run(run, &mut Rows::default(), wait) {
                Ok(_) => self.unit.touched(true),
                Err(Stop::Sql(error)) if error.code != code::DEADLOCK_ROLLED_BACK => {}
                Err(stop) => return Err(stop),
            }
        }
        Ok(true)
    }

    /// The transaction has ended: its changes are gone or kept.
    pub(super) fn forget_ahead(&mut self) {
        self.ahead.clear();
        self.ahead_parameters.clear();
        self.failed_ahead = None;
    }
}
