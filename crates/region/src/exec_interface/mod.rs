//! The EXEC interface: between the EXEC CICS commands of application programs and the domains that execute them.
//!
//! * `gate`       the processing around every command: change mode, EIB, condition handling, attention, trace; `stages` the processing of
//!   the command itself: resolve the resource, authorize, route, execute;
//! * `delivery`   INTO, SET and LENGTH of commands that read a record;
//! * `commands`   HANDLE, IGNORE, PUSH and POP; `assign`, `address` information for a program about itself;
//! * `sql`        the same processing for EXEC SQL;
//! * `call`       commands issued by the region's own programs and by tests; `response_code` the bytes of EIBRCODE.
//!
//! The data shared by handlers and gate (arguments, conditions, the EIB, the tables of HANDLE, the extensions of the gate) is in
//! [`crate::control_blocks`].
//!
//! Invariants: a handler never touches the EIB response fields, handle tables or modes; whatever it returns, all its values have been
//! dropped when control leaves the gate for compiled code.

mod address;
mod assign;
pub mod call;
mod commands;
pub mod delivery;
pub mod gate;
pub mod resource_manager;
pub(crate) mod response_code;
pub mod sql;
pub mod stages;
mod traced;

pub use call::{Call, Response};
pub use commands::handlers;
pub use gate::function_code;
pub use response_code::response_code;

use crate::Domain;

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "EXEC interface", commands: &[handlers], ..Domain::NONE };
