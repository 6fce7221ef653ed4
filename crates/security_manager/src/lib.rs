//! The security manager (XS) and the user domain (US): signing on and off, and what users may do, as the security database decides.
//!
//! Not here: users, groups, profiles and passwords (crate `security`); the screens of CESN and CESF (crate `supplied`). The region asks through
//! its authority ([`region::extensions::Authority`]), which this crate installs when SEC=YES.
//!
//! * `settings` the system initialization parameters; `checks` what each command needs; `categories` those of supplied transactions;
//! * `esm`      the questions to the security database;
//! * `user`, `users` who is known to the region, and for how long; `scope` how often a user may be signed on;
//! * `manager`  the security of a region and of a task; `violation` what is told about an access that is refused;
//! * `authority` the answers to the region, `surrogates` who may act for others; `signing` sign-on and sign-off at terminals, `exits` their exit points;
//! * `commands` SIGNON, SIGNOFF, VERIFY, CHANGE, QUERY SECURITY, REQUEST PASSTICKET, PERFORM SECURITY REBUILD; `assign` options of ASSIGN;
//! * `start`    the start of the region, and what is done from time to time.
#![deny(unsafe_code)]

mod assign;
mod authority;
pub mod categories;
mod checks;
mod commands;
mod esm;
mod exits;
mod manager;
mod records;
mod scope;
mod settings;
pub mod signing;
mod start;
mod surrogates;
mod user;
mod users;
mod violation;

use manager::{SecurityManager, TaskState};
use region::Domain;
use region::domain::Life;

region::region_part!(SecurityManager);
region::task_part!(TaskState);

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "security manager",
    commands: &[commands::handlers],
    slots: &[&IN_REGION, &IN_TASK],
    life: Life { secure: Some(start::secure), running: Some(start::running), ..Life::NONE },
    task_attached: Some(manager::task_attached),
    assign: Some(assign::assign),
    statistics: Some(records::statistics),
    ..Domain::NONE
};
