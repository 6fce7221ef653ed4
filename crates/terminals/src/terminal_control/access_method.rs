//! Whether terminals may connect: INQUIRE VTAM and SET VTAM.
//!
//! Rules: "SET VTAM" (System Programming Reference). Invariant: while it is closed no session begins, and a session without a task ends.
//! Consoles have no sessions.

use super::TerminalControl;
use super::display::display_of;
use exec::resp2::terminals as resp2;
use exec::{condition, cvda, option};
use parking_lot::Mutex;
use region::inquiry::checked;
use region::{Arguments, Outcome, Region, Task, raise};

/// How the region has been closed to terminals; `None` is open.
#[derive(Default)]
pub(super) struct Access(Mutex<Option<Closure>>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Closure {
    /// Tasks end before their sessions do.
    Normal,
    Immediate,
    Forced,
}

impl Access {
    pub fn is_closed(&self) -> bool {
        self.0.lock().is_some()
    }
}

/// There are neither generic resources nor persistent sessions.
pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let control = TerminalControl::of(task.region);
    let closure = *control.access.0.lock();
    let status = match closure {
        None if control.listens() => cvda::OPEN,
        Some(closure) if control.session_count() > 0 => match closure {
            Closure::Normal => cvda::CLOSING,
            Closure::Immediate => cvda::IMMCLOSING,
            Closure::Forced => cvda::FORCLOSING,
        },
        None | Some(_) => cvda::CLOSED,
    };
    arguments.set_integers([
        (option::OPENSTATUS, status),
        (option::GRSTATUS, cvda::NOTAPPLIC),
        (option::PSTYPE, cvda::NOPS),
        (option::PSDINTERVAL, 0),
        (option::PSDINTHRS, 0),
        (option::PSDINTMINS, 0),
        (option::PSDINTSECS, 0),
    ]);
    arguments.set_text(option::GRNAME, "")
}

pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let control = TerminalControl::of(task.region);
    let states = [
        (option::OPEN, cvda::OPEN),
        (option::CLOSED, cvda::CLOSED),
        (option::IMMCLOSE, cvda::IMMCLOSE),
        (option::FORCECLOSE, cvda::FORCECLOSE),
    ];
    let wanted = checked(arguments, option::OPENSTATUS, &states, resp2::OPENSTATUS)?;
    let persists = persistence(arguments)?;
    if wanted.is_some() && !control.listens() {
        return raise(condition::INVREQ, resp2::NO_LISTENER);
    }
    match wanted {
        None => {}
        Some(cvda::OPEN) => *control.access.0.lock() = None,
        Some(cvda::CLOSED) => close(task.region, Closure::Normal),
        Some(cvda::IMMCLOSE) => close(task.region, Closure::Immediate),
        Some(_) => close(task.region, Closure::Forced),
    }
    // The rest of the command has been done.
    if persists {
        return raise(condition::INVREQ, resp2::NO_PERSISTENT_SESSIONS);
    }
    if arguments.has(option::DEREGISTERED) {
        return raise(condition::INVREQ, resp2::NO_GENERIC_RESOURCE);
    }
    Ok(())
}

/// Whether sessions are to persist, by an interval that is not zero.
fn persistence(arguments: &Arguments) -> Result<bool, region::Raised> {
    if let Some(hhmmss) = arguments.integer(option::PSDINTERVAL) {
        let valid = (0..=235_959).contains(&hhmmss) && hhmmss / 100 % 100 < 60 && hhmmss % 100 < 60;
        return if valid { Ok(hhmmss != 0) } else { raise(condition::INVREQ, resp2::PSDINTERVAL) };
    }
    // Minutes and seconds alone may be as many as a day has.
    let parts = [
        (option::PSDINTHRS, 23, 23, resp2::PSDINTHRS),
        (option::PSDINTMINS, 59, 1439, resp2::PSDINTMINS),
        (option::PSDINTSECS, 59, 86_399, resp2::PSDINTSECS),
    ];
    let given = parts.iter().filter(|(option, ..)| arguments.has(*option)).count();
    let mut persists = false;
    for (option, most, alone, fault) in parts {
        match arguments.integer(option) {
            None => {}
            Some(value) if (0..=if given > 1 { most } else { alone }).contains(&value) => persists |= value != 0,
            Some(_) => return raise(condition::INVREQ, fault),
        }
    }
    Ok(persists)
}

fn close(region: &Region, closure: Closure) {
    *TerminalControl::of(region).access.0.lock() = Some(closure);
    for terminal in region.terminals.all() {
        let Some(display) = display_of(&*terminal).filter(|display| display.peer().is_some()) else { continue };
        if closure != Closure::Normal || terminal.task_number().is_none() {
            display.disconnect();
        }
    }
}
