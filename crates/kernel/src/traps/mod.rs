//! Traps: program code runs under recovery points, and its faults become abends there.
//!
//! The modules, from the bottom: [`code`] knows which addresses are program code, [`abend`] defines the ways a program may end,
//! [`execution`] is the state of the running task, `recovery` and `access_routines` are assembly. `signals` uses these and handles the
//! faults, with `mapped_files` for the words about some of them; `system_calls` makes faults of system calls in programs; [`thread`] prepares threads for all that. On top are [`access`] to program addresses and the guarded calls of [`guard`].
//!
//! Nothing here knows the dispatcher: the running task is an [`execution::ExecState`].

pub(crate) mod abend;
pub(crate) mod access;
mod access_routines;
pub(crate) mod code;
pub(crate) mod execution;
pub mod guard;
mod mapped_files;
mod recovery;
mod signals;
mod system_calls;
pub(crate) mod thread;

pub use execution::attention;
pub(crate) use execution::{ExecState, state_pointer, traced_identity};
pub use mapped_files::tell_of_missing_pages;
pub(crate) use signals::{leave_signals_to_others, stop_signal, stop_value};
pub use system_calls::refuse_system_calls;
pub use thread::{can_enter_user_key, prepare_thread};
pub(crate) use thread::{run_as, state};
