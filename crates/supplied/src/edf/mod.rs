//! CEDF, CEDG, CEDX and CEDY: the execution diagnostic facility.
//!
//! A task under EDF stops at the beginning and end of its programs, before and after each of their commands and SQL statements, when it
//! abends and when it ends. It then shows a display, carries out what the operator asks for, and goes on. The task itself does all that,
//! from an observer of its commands, and waits for the operator like any task that waits for its terminal: others run meanwhile, and a
//! purge ends the wait.
//!
//! * `control`  the transactions, and who is under EDF; `observer` the points at which a task stops;
//! * `session`  one stop: displays, keys and changes; `points` the displays of the points; `stops` stop conditions;
//! * `command`, `sql`, `request`, `eib`, `storage` what displays show; `values` data as text; `display` the form of a display;
//! * `carrier`  how a display reaches its terminal; `relay` displays at another terminal.

mod carrier;
mod command;
mod control;
mod display;
mod eib;
mod observer;
mod points;
mod relay;
mod request;
mod session;
mod sql;
mod stops;
mod storage;
mod values;

pub use control::{edf, edx};

use parking_lot::Mutex;
use region::slots::AnySlot;

region::region_part!(Control);
region::task_part!(TaskState);

/// The parts of the region and of each task.
pub const SLOTS: &[&dyn AnySlot] = &[&IN_REGION, &IN_TASK];

/// What is under EDF in a region.
#[derive(Default)]
pub struct Control(Mutex<control::Watches>);

/// The part of a task.
#[derive(Default)]
pub struct TaskState {
    /// While the task is under EDF.
    session: Option<Box<session::Session>>,
    /// Copies for commands in progress that a session which has ended left.
    copies: command::Copies,
}
