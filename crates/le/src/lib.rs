//! Language Environment: the effect of every COBOL statement on bytes.
//!
//! Contents: the decimal reference implementation, MOVE between all categories, editing, comparison, STRING, UNSTRING, INSPECT, tables,
//! intrinsic functions, code pages, locales, DISPLAY/ACCEPT conversion and the CEE callable services, as plain functions over raw areas.
//! This crate knows nothing of programs, tasks, files or commands.
//!
//! Invariants: no global state; a [`Session`] passed by reference gives the options the program was compiled with (code page, ARITH, TRUNC,
//! NUMPROC, DECIMAL-POINT); decimal, move, compare, edit, STRING, UNSTRING and INSPECT use only the stack, so they may run while heap
//! memory is inaccessible; areas are read and written only within the lengths in the callers' [`Attributes`]; an area may lie at an address
//! that faults (`codegen/tests/wild_addresses.rs` gives every kind of statement such areas, and impossible lengths). A failing operation
//! returns an [`Exception`]; no operation panics on data. An operation whose time is not bounded by a small number of bytes looks often
//! whether the program is to be stopped ([`Session::is_stopped`]), and gives up.
//!
//! `unsafe` functions take areas by address: the caller promises that an area is accessible for the length of its attributes, or that a
//! fault in it is a fault of the program (a task under `kernel::guard`). No function keeps a reference to an area. `tests/garbage.rs`
//! gives the functions areas of random bytes under all attributes, `codegen/tests/wild_addresses.rs` areas at any address.

#![expect(
    clippy::too_many_arguments,
    reason = "a statement's operands are passed one by one: address and description of each, options, session"
)]

pub mod accept;
pub mod attributes;
pub mod calendar;
pub mod callable;
pub mod class;
pub mod code_page;
mod conversion;
pub mod decimal;
pub mod display;
pub mod exception;
pub mod float;
pub mod functions;
pub mod initialize;
pub mod inspect;
mod items;
mod keys;
pub mod locale;
pub mod markup;
pub mod program_name;
mod search;
pub mod session;
pub mod shape;
pub mod sort;
pub mod string;
pub mod table;
pub mod unstring;
pub mod utf8;
mod wide;

pub use attributes::{Attributes, Sign, Usage};
pub use code_page::CodePage;
pub use decimal::{Decimal, Rounding};
pub use exception::{Exception, Result};
pub use items::{compare, edit, movement, numeric};
pub use session::{Arith, FloatFormat, Numproc, Session, Trunc};
pub use shape::Shape;
