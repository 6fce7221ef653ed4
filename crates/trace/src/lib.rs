//! The trace utility: selects trace entries and prints them, as DFHTU720 does.
//!
//! Here: the selection parameters, the forms ABBREV, SHORT and FULL, and the waits of a task. Not here: what is traced and where entries are kept
//! (`kernel::trace`), reading of files and directories (the command line).
//!
//! * [`numbered`] gives entries their sequence numbers and intervals;
//! * [`select`] are the selection parameters;
//! * [`print`] are the three forms;
//! * [`waits`] puts the waits of a task together from its EI and DS entries.
#![forbid(unsafe_code)]

pub mod numbered;
pub mod print;
pub mod select;
pub mod waits;
