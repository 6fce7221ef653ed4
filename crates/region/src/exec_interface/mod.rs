//! The EXEC interface: between the EXEC CICS commands of application programs and the domains that execute them.
//!
//! * `arguments`  the argument block as handlers read and write it;
//! * `raised`     how a command ends other than normally (conditions, abends, leaving the program);
//! * `gate`       what happens around every command: change mode, EIB, condition handling, attention, trace; `stages` what happens to it:
//!   resolve the resource, authorise, route, execute; `extensions` who may see and refuse it (CEDF, exits, policies, security);
//! * `delivery`   INTO, SET and LENGTH of commands that read a record;
//! * `dispatch`   which handler executes which command; every domain registers its own;
//! * `handle`     HANDLE and IGNORE tables of a link level; `commands` the commands that maintain them;
//! * `assign`, `address` what a program may ask about itself;
//! * `options`    options that are refused or have no effect;
//! * `call`     commands issued by the region's own programs and by tests;
//! * `eib`        the EXEC interface block; `response_code` the bytes of EIBRCODE;
//! * `change_mode` which TCB mode programs and commands run on.
//!
//! Invariants: a handler never touches the EIB response fields, handle tables or modes; whatever it returns, all its values are dropped
//! before control leaves the gate for compiled code.

mod address;
pub mod arguments;
mod assign;
pub mod call;
pub mod change_mode;
mod commands;
pub mod delivery;
pub mod dispatch;
pub mod eib;
pub mod extensions;
pub mod gate;
pub mod handle;
mod options;
pub mod raised;
mod response_code;
pub mod stages;

pub use arguments::Arguments;
pub use assign::Value as Assigned;
pub use call::Call;
pub use commands::handlers;
pub use dispatch::Handler;
pub use eib::Eib;
pub use options::{Unused, unused};
pub use raised::{Abend, Interrupt, Outcome, Raised, abend, raise, raise_length};

use crate::domain::Domain;

/// What this domain is made of.
pub static DOMAIN: Domain = Domain { name: "EXEC interface", commands: &[handlers], ..Domain::NONE };
