//! A second screen over the one of the terminal's task: the displays of the execution diagnostic facility at the terminal at which the
//! transaction runs ("Using EDF in single-screen mode": the transaction's display is remembered and restored).
//!
//! The screen is read from the client before it is covered, with its extended attributes and whatever its user has typed. Invariants: while
//! a screen is covered, the size in use and the state of its keyboard remain those of the covered screen; output of the task uncovers it
//! first, so the task and its user never see the cover.

use super::display::{DisplayTerminal, LinkError, Uppercase};
use super::input::{self, Input};
use super::issue;
use super::output;
use bms::ScreenSize;
use bms::constants::*;
use bms::outbound::Outbound;
use exec::resp2;
use kernel::{Name16, Wait};
use region::{Raised, Task, raise};
use tn3270::Room;

/// The state of a terminal's cover.
#[derive(Default)]
pub(super) struct Cover {
    /// The screen of the task, while it is covered.
    covered: Option<Covered>,
    /// Output goes to the cover.
    held: bool,
    /// The task has changed its screen since the last command, or since its user pressed a key.
    pub changed: bool,
    /// The keyboard of the covered screen, if it is not the present one: a key pressed for the facility has locked it.
    unlocked: Option<bool>,
}

struct Covered {
    /// Shows the screen again.
    record: Vec<u8>,
    unlocked: bool,
}

/// What the wait of a task is for, as INQUIRE TASK names it ("The resources that tasks in a CICS system can wait for").
fn wait_for_user() -> Wait {
    Wait::new("EDF").named(Name16::new("DBUGUSER"))
}

/// Attributes of characters that are read and restored, besides those of fields.
const ATTRIBUTES: [u8; 4] = [XA_HIGHLIGHTING, XA_FOREGROUND, XA_CHARSET, XA_BACKGROUND];

impl DisplayTerminal {
    /// The size of covers: that of every display, whatever the size of the covered screen.
    pub fn cover_size(&self) -> ScreenSize {
        self.capabilities.default_size
    }

    /// Shows a screen over the one of the task, and waits for its user.
    ///
    /// # Errors
    ///
    /// TERMERR if the session ends; the abend of a purge.
    pub fn converse_over(&self, task: &mut Task, stream: &[u8]) -> Result<Input, Raised> {
        self.cover(task)?;
        self.send_cover(task, stream)?;
        let mut record = self.record_for_cover(task)?;
        if self.service().uppercase == Uppercase::Yes {
            bms::inbound::upper_case(&mut record, self.page());
        }
        Ok(Input::parse(record, self.capabilities.addressing_for(self.cover_size())))
    }

    /// Shows the screen of the task until its user presses a key, which the task does not get.
    pub fn show_covered(&self, task: &mut Task) -> Result<(), Raised> {
        output::flush(task, self)?;
        self.uncover();
        let unlocked = !self.state.lock().keyboard_locked;
        self.unlock();
        self.record_for_cover(task)?;
        let mut state = self.state.lock();
        state.cover.unlocked = Some(unlocked);
        state.cover.changed = false;
        Ok(())
    }

    /// Runs a part of the task whose input and output is on the cover.
    pub fn over<T>(&self, task: &mut Task, run: impl FnOnce(&mut Task) -> T) -> Result<T, Raised> {
        self.cover(task)?;
        self.state.lock().cover.held = true;
        let result = run(task);
        let flushed = output::flush(task, self);
        self.state.lock().cover.held = false;
        flushed.map(|()| result)
    }

    /// Forgets that the task has changed its screen.
    pub fn note_seen(&self) {
        self.state.lock().cover.changed = false;
    }

    /// Whether the task has changed its screen since [`Self::note_seen`], or since its user pressed a key.
    pub fn has_changed(&self) -> bool {
        self.state.lock().cover.changed
    }

    /// Shows the screen of the task again.
    pub fn uncover(&self) {
        let _ = self.show_again();
    }

    /// Remembers the screen of the task, unless it is covered.
    fn cover(&self, task: &mut Task) -> Result<(), Raised> {
        output::flush(task, self)?;
        {
            let state = self.state.lock();
            if state.cover.covered.is_some() {
                return Ok(());
            }
        }
        let extended = self.capabilities.extended_data_stream;
        if extended {
            self.send_cover(task, &reply_mode(SF_SRM_CHAR, &ATTRIBUTES))?;
        }
        let buffer = issue::read_buffer_of(task, self)?;
        if extended {
            self.send_cover(task, &reply_mode(SF_SRM_FIELD, &[]))?;
        }
        let size = self.size();
        let mut state = self.state.lock();
        let unlocked = state.cover.unlocked.take().unwrap_or(!state.keyboard_locked);
        let record = restoring(&buffer, self, size, state.alternate, unlocked);
        state.cover.covered = Some(Covered { record, unlocked });
        Ok(())
    }

    /// Makes way for a record of the task; false if it goes to the cover. A record that erases the screen needs no restored one.
    pub(super) fn make_way(&self, record: &[u8]) -> Result<bool, LinkError> {
        let erases = matches!(record[0], SNA_CMD_EW | CMD_EW | SNA_CMD_EWA | CMD_EWA);
        let writes = erases || matches!(record[0], SNA_CMD_W | CMD_W | SNA_CMD_EAU | CMD_EAU);
        {
            let mut state = self.state.lock();
            if state.cover.held {
                return Ok(false);
            }
            state.cover.changed |= writes;
            if erases {
                state.cover.covered = None;
            }
        }
        self.show_again().map(|()| true)
    }

    fn show_again(&self) -> Result<(), LinkError> {
        let covered = {
            let mut state = self.state.lock();
            if state.cover.held { None } else { state.cover.covered.take() }
        };
        let Some(covered) = covered else { return Ok(()) };
        let sent = self.link.send(&covered.record, Room::Usual);
        let mut state = self.state.lock();
        match sent {
            Ok(()) => state.keyboard_locked = !covered.unlocked,
            Err(_) => state.cover.covered = Some(covered),
        }
        sent
    }

    /// Sends a record of the cover itself: the screen of the task is unchanged.
    fn send_cover(&self, task: &Task, record: &[u8]) -> Result<(), Raised> {
        loop {
            match self.link.send(record, Room::Usual) {
                Ok(()) => return Ok(()),
                Err(LinkError::Closed) => return raise(exec::condition::TERMERR, resp2::NONE),
                Err(LinkError::Full) => {
                    self.link.when_there_is_room(task.kernel.waker());
                    task.suspend(&wait_for_user())?;
                }
            }
        }
    }

    fn record_for_cover(&self, task: &mut Task) -> Result<Vec<u8>, Raised> {
        loop {
            let record = input::wait_for_record(task, self, &wait_for_user())?;
            // A late answer to a query is not a key.
            if record.first().is_some_and(|aid| ![AID_STRF, AID_NO].contains(aid)) {
                return Ok(record);
            }
        }
    }
}

/// The structured field Set Reply Mode, for the only partition.
fn reply_mode(mode: u8, attributes: &[u8]) -> Vec<u8> {
    let mut record = vec![SNA_CMD_WSF];
    record.extend((attributes.len() as u16 + 5).to_be_bytes());
    record.extend([SF_SET_REPLY_MODE, 0, mode]);
    record.extend(attributes);
    record
}

/// The record that shows a screen again, from the answer to a read of its buffer.
fn restoring(buffer: &[u8], display: &DisplayTerminal, size: ScreenSize, alternate: bool, unlocked: bool) -> Vec<u8> {
    let addressing = display.capabilities.addressing_for(size);
    let wcc = if unlocked { bms::outbound::Wcc::RESTORE_KEYBOARD } else { bms::outbound::Wcc::default() };
    let mut out = Outbound::write(if alternate { SNA_CMD_EWA } else { SNA_CMD_EW }, wcc, size, addressing);
    let (prefix, data) = buffer.split_at(issue::BUFFER_PREFIX_LENGTH.min(buffer.len()));
    out.raw(data);
    if let [_, high, low] = prefix {
        out.set_address(addressing.decode([*high, *low]));
        out.insert_cursor();
    }
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reply_mode_names_attributes_of_characters() {
        assert_eq!(reply_mode(SF_SRM_FIELD, &[]), [SNA_CMD_WSF, 0, 5, SF_SET_REPLY_MODE, 0, SF_SRM_FIELD]);
        let record = reply_mode(SF_SRM_CHAR, &ATTRIBUTES);
        assert_eq!(record[..6], [SNA_CMD_WSF, 0, 9, SF_SET_REPLY_MODE, 0, SF_SRM_CHAR]);
        assert_eq!(record[6..], ATTRIBUTES);
    }
}
