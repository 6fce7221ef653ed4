//! Records of a task that goes on: at its syncpoints (MNSYNC), and before it waits for its terminal (MNCONV).
//!
//! Rules: "SET MONITOR" (System Programming Reference), MNCONV, MNSYNC. Invariant: the records of a task add up to what it has done, each from
//! the one before; the most storage, and other high watermarks, are those of the task up to then. A rollback ends no record.

use super::fields::{Field, FieldSpec, Value};
use super::{Monitoring, Record, exit};
use crate::Task;
use kernel::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What ends a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    Converse,
    Syncpoint,
    Termination,
}

impl Cause {
    /// RTYPE: the type is in its last byte.
    pub(super) fn record_type(self) -> &'static str {
        match self {
            Cause::Converse => "   C",
            Cause::Syncpoint => "   S",
            Cause::Termination => "   T",
        }
    }
}

/// Monitoring's part of a task.
#[derive(Default)]
pub struct TaskState {
    /// What the records have up to now: the last one, as if it were the first.
    pub(super) recorded: Option<Arc<Record>>,
}

/// What ends records besides the end of the task.
#[derive(Default)]
pub(super) struct Choices {
    /// MNCONV, SET MONITOR CONVERSEST.
    pub converse: AtomicBool,
    /// MNSYNC, SET MONITOR SYNCPOINTST.
    pub syncpoint: AtomicBool,
}

impl Monitoring {
    /// Whether the event ends a record.
    pub fn is_chosen(&self, cause: Cause) -> bool {
        match cause {
            Cause::Converse => self.choices.converse.load(Ordering::Relaxed),
            Cause::Syncpoint => self.choices.syncpoint.load(Ordering::Relaxed),
            Cause::Termination => true,
        }
    }

    pub fn choose(&self, cause: Cause, on: bool) {
        match cause {
            Cause::Converse => self.choices.converse.store(on, Ordering::Relaxed),
            Cause::Syncpoint => self.choices.syncpoint.store(on, Ordering::Relaxed),
            Cause::Termination => {}
        }
    }

    /// The task has committed a unit of work and goes on.
    pub fn syncpoint_taken(&self, task: &mut Task) {
        self.end_record(task, Cause::Syncpoint);
    }

    /// The task is going to wait for input from its terminal.
    pub fn terminal_waits(&self, task: &mut Task) {
        self.end_record(task, Cause::Converse);
    }

    /// Ends a record of a task that goes on, and begins the next, if the event is one that does.
    fn end_record(&self, task: &mut Task, cause: Cause) {
        if !self.is_on() || !self.is_chosen(cause) {
            return;
        }
        task.note_storage_peaks();
        let record = Self::record(task, cause);
        if !task.has_exit(exec::exit_point::XMNOUT) || exit::is_wanted(task, &record) {
            self.write(&record);
        }
        TaskState::of_mut(&mut task.parts).recorded = Some(Arc::new(Record { before: None, ..record }));
    }
}

/// Numbers of a record that do not add up: TRANPRI, DSTCBHWM, MAXTASKS, CURTASKS, ACMAJVER, ACMINVER and ACMICVER.
const LEVELS: [u16; 7] = [109, 252, 433, 434, 453, 454, 455];

fn is_level(spec: &FieldSpec) -> bool {
    spec.nickname.contains("HWM") || spec.group == "DFHTASK" && LEVELS.contains(&spec.number)
}

/// Takes what the records before have off a field.
pub(super) fn take_off(field: &mut Field, before: &Field) {
    match (&mut field.value, &before.value) {
        (Value::Count(now), Value::Count(then)) if !is_level(field.spec) => *now = now.saturating_sub(*then),
        (Value::Clock(now), Value::Clock(then)) => {
            *now = Clock { time: now.time.saturating_sub(then.time), count: now.count.saturating_sub(then.count) };
        }
        _ => {}
    }
}
