//! The command catalogue: what every EXEC CICS command looks like, from one set of tables.
//!
//! What lives here: the commands with their options, directions, conditions, EIBFN and threadsafe property; condition numbers and
//! default actions; CVDA, AID and BMS attribute values; the EIB layout; and the argument block ([`block`]) by which compiled code hands
//! a command to the EXEC interface. Read by the translator, the EXEC interface, CECI, CEDF and the docs. What may not live here:
//! anything that executes a command.
//!
//! Invariants: an [`OptionId`] names one option word over all commands, and a command's options are sorted by it; a [`CommandId`] is an
//! index of [`commands`]; ids are not stable between versions of the tables (a load module records the catalogue's [`fingerprint`]).

#![forbid(unsafe_code)]

pub mod block;
mod catalogue;
mod lookup;
mod nearest;
mod statistics;

pub use block::{Argument, Block, CommandId, OptionId, Representation};
pub use catalogue::*;
pub use lookup::*;
pub use nearest::nearest;
pub use statistics::*;
