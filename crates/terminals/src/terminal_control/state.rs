//! The changing part of a display: whose it is, what waits for it, and what its screen and keyboard are like.
//!
//! Invariants: see `display`; a record that waits to be read never comes from a session that has ended.

use super::cover::Cover;
use super::display::Service;
use super::partitions::Partitions;
use super::user::TerminalUser;
use bms::constants::*;
use kernel::Waker;
use region::facility::{NextTransaction, StartForTerminal};
use region::name::Name4;
use std::collections::VecDeque;

/// Records from a terminal that have not been read; a client that sends more does not lock its keyboard.
const INPUT_RECORDS_MAX: usize = 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    None,
    /// A task has been requested. `conversational`: it was not started by ATI, so the transaction it leaves at its end applies.
    Attaching {
        conversational: bool,
    },
    Task {
        number: u32,
        conversational: bool,
    },
}

/// The response of the client to an output of MSGINTEG or DEFRESP.
pub(super) enum Confirmation {
    /// None is awaited.
    None,
    Awaited(Waker),
    /// Whether it is positive.
    Given(bool),
}

/// The contents of an input besides its data.
#[derive(Clone, Copy, Default, Debug)]
pub struct Attention {
    pub aid: u8,
    pub cursor: u16,
}

pub(super) struct State {
    pub owner: Owner,
    pub next: Option<NextTransaction>,
    pub starts: VecDeque<StartForTerminal>,
    pub input: VecDeque<Vec<u8>>,
    /// The owner waits for input.
    pub waiter: Option<Waker>,
    pub good_morning_due: bool,
    /// The task is that of the good morning message.
    pub greeting: bool,
    /// The user has been idle for too long: CEGN is to run.
    pub good_night_due: bool,
    /// The task is CEGN, which the region itself has started.
    pub good_night: bool,
    /// A task of another terminal waits for the buffer (ISSUE COPY).
    pub buffer_waiter: Option<Waker>,
    pub buffer: Option<Vec<u8>>,
    pub confirmation: Confirmation,
    /// Output that waits for the terminal scan delay, before anything else that is sent.
    pub delayed: VecDeque<Vec<u8>>,
    /// The next record is the contents of the screen, for the print key.
    pub prints: bool,
    pub alternate: bool,
    pub keyboard_locked: bool,
    /// Where the region's last message begins, if nothing has been sent since.
    pub message_start: Option<usize>,
    pub closed: bool,
    pub user: TerminalUser,
    pub service: Service,
    /// Transaction of the task that owns the terminal, or last owned it.
    pub transid: Name4,
    /// Key and cursor address of the input that its task was attached for; zero when it was not for input.
    pub attention: Attention,
    pub cover: Cover,
    pub partitions: Partitions,
}

impl State {
    /// The effect of a record on the screen and keyboard.
    pub(super) fn note_output(&mut self, record: &[u8]) {
        let command = record[0];
        let restores = record.get(1).is_some_and(|wcc| wcc & WCC_KEYBOARD_RESTORE_BIT != 0);
        match command {
            SNA_CMD_EW | CMD_EW => self.alternate = false,
            SNA_CMD_EWA | CMD_EWA => self.alternate = true,
            SNA_CMD_EAU | CMD_EAU => self.keyboard_locked = false,
            SNA_CMD_W | CMD_W => {}
            SNA_CMD_WSF => {
                // Writes to partitions: the keyboard of the one that the operator works in is what counts.
                self.keyboard_locked &= !bms::partition::unlocks(record);
                return;
            }
            _ => return,
        }
        self.message_start = None;
        if restores {
            self.keyboard_locked = false;
        }
    }

    /// Keeps a record for the next reader. False if too many are waiting.
    pub(super) fn keep_input(&mut self, record: &[u8]) -> bool {
        if self.closed || record.is_empty() || self.input.len() >= INPUT_RECORDS_MAX {
            return false;
        }
        if record[0] != AID_STRF {
            self.keyboard_locked = true;
        }
        self.input.push_back(record.to_vec());
        true
    }
}
