//! Programs as the run time sees them: the contract between compiled code and the run time ([`abi`]), the load module file ([`module`]),
//! and the run unit that activates programs, resolves CALL and owns their storage ([`rununit`]). This crate knows nothing of COBOL source
//! or CICS resources: the requests of a program go through [`rununit::Host`].
//!
//! Invariants:
//! * no Rust panic crosses a frame of compiled code: every slot shim catches and raises an abend instead;
//! * an abend never unwinds compiled code: control goes to the innermost recovery point of the task;
//! * code pages are mapped from the file, readable and executable, never writable.

pub mod abi;
pub mod batch;
pub mod copied;
pub mod module;
pub mod readable;
pub mod requests;
pub mod rununit;
