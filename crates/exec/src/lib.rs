//! The command catalogue: the definition of every EXEC CICS command, from one set of tables.
//!
//! Contents: the commands with their options, directions, conditions, EIBFN and threadsafe property; condition numbers and default actions;
//! CVDA, AID and BMS attribute values; the EIB layout; and the argument block ([`block`]) by which compiled code hands a command to the
//! EXEC interface. The translator, the EXEC interface, CECI, CEDF and the documentation read it. Nothing here executes a command.
//!
//! Invariants: an [`OptionId`] names one option word over all commands, and a command's options are sorted by it; a [`CommandId`] is an
//! index of [`commands`]; ids are not stable between versions of the tables (a load module records the catalogue's [`fingerprint`]).

#![forbid(unsafe_code)]

pub mod block;
mod catalogue;
mod command_parameters;
mod event_structures;
mod exits;
mod lookup;
mod nearest;
mod statistics;
mod unused;

pub use block::{Argument, Block, CommandId, OptionId, Representation};
pub use catalogue::*;
pub use command_parameters::*;
pub use event_structures::*;
pub use exits::*;
pub use lookup::*;
pub use nearest::{did_you_mean, meant, nearest};
pub use statistics::*;
pub use unused::*;
