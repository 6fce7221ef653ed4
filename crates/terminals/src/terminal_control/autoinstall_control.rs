//! How terminals are autoinstalled now: INQUIRE AUTOINSTALL and SET AUTOINSTALL.
//!
//! Rules: "SET AUTOINSTALL" (System Programming Reference), AIQMAX and AIEXIT. Invariant: no more questions to the control program are open than
//! MAXREQS; with zero no terminal is autoinstalled.

use super::TerminalControl;
use exec::resp2::terminals as resp2;
use exec::{condition, cvda, option};
use parking_lot::Mutex;
use region::inquiry::{either, parameter};
use region::name::Name8;
use region::{Arguments, Outcome, Region, Task, raise};
use std::sync::atomic::{AtomicU32, Ordering};

/// The settings, from the system initialization parameters until SET changes them, and the open questions.
#[derive(Default)]
pub(crate) struct Control {
    changed: Mutex<Changed>,
    open: AtomicU32,
}

#[derive(Default, Clone, Copy)]
struct Changed {
    program: Option<Name8>,
    requests_max: Option<u32>,
}

impl Control {
    pub fn program(&self, region: &Region) -> Name8 {
        self.changed.lock().program.unwrap_or_else(|| Name8::new(region.sit.get("AIEXIT")))
    }

    fn requests_max(&self, region: &Region) -> u32 {
        self.changed.lock().requests_max.unwrap_or_else(|| region.sit.number("AIQMAX"))
    }

    /// Counts a question; false if there are as many as may be.
    pub fn begin(&self, region: &Region) -> bool {
        let most = self.requests_max(region);
        self.open.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |open| (open < most).then_some(open + 1)).is_ok()
    }

    pub fn end(&self) {
        let before = self.open.fetch_sub(1, Ordering::Relaxed);
        debug_assert!(before > 0, "a question ends once");
    }
}

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let control = &TerminalControl::of(region).autoinstall;
    let most = control.requests_max(region);
    arguments.set_integers([
        (option::MAXREQS, i64::from(most)),
        (option::CURREQS, i64::from(control.open.load(Ordering::Relaxed))),
        (option::ENABLESTATUS, either(most > 0, cvda::ENABLED, cvda::DISABLED)),
        // Consoles have definitions, and there are no bridge facilities.
        (option::CONSOLES, cvda::NOAUTO),
        (option::AIBRIDGE, cvda::NOTAPPLIC),
    ]);
    arguments.set_name(option::PROGRAM, &control.program(region))
}

pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let requests_max = parameter(arguments, option::MAXREQS, "AIQMAX", resp2::MAXREQS)?;
    let program: Option<Name8> = arguments.name(option::PROGRAM)?;
    if let Some(name) = program
        && region.programs().find(name).is_none()
    {
        return raise(condition::PGMIDERR, resp2::NO_CONTROL_PROGRAM);
    }
    let mut changed = TerminalControl::of(region).autoinstall.changed.lock();
    changed.program = program.or(changed.program);
    changed.requests_max = requests_max.map(|most| most as u32).or(changed.requests_max);
    Ok(())
}
