//! The end of a session whose user has been idle for the TIMEOUT of his CICS segment: what transaction CEGN (crate `supplied`) needs to know of
//! the terminal.
//!
//! Invariant: the task of CEGN that the region has started, and no other, finds `take_good_night` true, once. Rules: SIGNOFF of TYPETERM,
//! "GNTRAN system initialization parameter".

use super::display::{DisplayTerminal, Owner};
use super::input::Input;
use super::issue::read_buffer_of;
use region::Task;
use region::facility::{AtTimeout, NextTransaction, Terminal};

/// The transaction that decides what comes when a user has been idle for too long.
pub(super) const TRANSACTION: &str = "CEGN";

impl DisplayTerminal {
    pub(super) fn good_night_is_due(&self) {
        if self.at_timeout() == AtTimeout::Nothing {
            return;
        }
        {
            let mut state = self.state.lock();
            if state.owner != Owner::None || state.closed {
                return;
            }
            state.good_night_due = true;
        }
        self.proceed();
    }

    /// Whether the task is the one that the region has started because its user was idle.
    pub fn take_good_night(&self) -> bool {
        std::mem::take(&mut self.state.lock().good_night)
    }

    /// Takes the transaction that the terminal's next input would have started.
    pub fn take_next_transaction(&self) -> Option<NextTransaction> {
        self.state.lock().next.take()
    }

    /// The screen as READ BUFFER returns it; `None` if the terminal does not answer.
    pub fn screen(&self, task: &mut Task) -> Option<Input> {
        let addressing = self.capabilities.addressing_for(self.size());
        read_buffer_of(task, self).ok().map(|record| Input::parse(record, addressing))
    }
}
