//! The CICS-Db2 attachment facility: the domain that executes the EXEC SQL statements of tasks on sessions of a database.
//!
//! DB2CONN describes the connection and the pool of threads; DB2ENTRY gives threads to some transactions; DB2TRAN adds transactions to an
//! entry. A task gets a thread with the first statement of a unit of work and keeps it to the syncpoint. What a statement means and how its
//! values are converted is in crate `db2`; the protocol of the server is in `postgres`.
//!
//! * `settings`   where the database is;
//! * `session`, `threads`, `state`  threads, their limits and queues, and who gets one;
//! * `poller`, `waiting`  how a task waits for its session;
//! * `housekeeping`, `connection`  the connection itself: start, loss, standby, end, purge cycles;
//! * `locations`, `parts`  other databases that programs CONNECT to, and their parts of units of work;
//! * `statement`  the execution of a statement; `agent` the end of units of work;
//! * `attributes`, `db2conn`, `db2entry`  the commands of the three resources;
//! * `records`    statistics; `operator` DSNC.
//!
//! Invariants: a session is used by one task at a time, and is clean (no unit of work, no cursors) while it is parked; the database is the
//! last agent of a unit of work, and decides it with a row of its own (`housekeeping`) whenever anything else was changed too.
#![deny(unsafe_code)]

mod agent;
mod attributes;
mod connection;
mod db2conn;
mod db2entry;
mod housekeeping;
mod locations;
mod operator;
mod parts;
mod poller;
mod records;
mod session;
mod settings;
mod state;
mod statement;
mod threads;
mod waiting;

pub use locations::Location;
pub use settings::{Settings, configure};

use agent::Agent;
use housekeeping::Housekeeper;
use parking_lot::Mutex;
use poller::Poller;
use region::domain::ResourceType;
use region::{Domain, Life, Participant, ResourceManager};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

region::region_part!(Attachment);
region::task_part!(statement::TaskState);

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "attachment",
    commands: &[db2conn::handlers, db2entry::handlers],
    slots: &[&IN_REGION, &IN_TASK],
    resources: &[
        ResourceType { name: "DB2CONN", install: Some(connection::install), ..ResourceType::NONE },
        ResourceType { name: "DB2ENTRY", install: Some(connection::install_entry), ..ResourceType::NONE },
        ResourceType { name: "DB2TRAN", install: Some(connection::install_transaction), ..ResourceType::NONE },
    ],
    unit_of_work: Some(Participant { after: agent::ended, ..Participant::NONE }),
    life: Life { installed: Some(connection::start), stop: Some(connection::stop), ..Life::NONE },
    sql: Some(statement::execute),
    task_ended: Some(agent::task_ended),
    programs: &[("DFHD2CM1", operator::dsnc)],
    records: &[&records::CONNECTION, &records::ENTRIES],
    report: Some(records::report),
    ..Domain::NONE
};

/// This domain's part of a region.
#[derive(Default)]
pub struct Attachment {
    settings: OnceLock<Settings>,
    /// Where the database was found last.
    config: Mutex<Option<postgres::Config>>,
    /// Held while a connection is made: one at a time.
    establishing: Mutex<()>,
    state: Mutex<state::State>,
    poller: OnceLock<Arc<Poller>>,
    agent: OnceLock<Arc<dyn ResourceManager>>,
    housekeeper: Mutex<Option<Housekeeper>>,
    /// Units of work whose marker rows are no longer needed.
    forgotten: Mutex<Vec<u64>>,
    /// The databases beside it.
    locations: locations::Locations,
    parts: parts::Parts,
    /// The status that was told last to who watches changes.
    told: Mutex<state::Status>,
    /// A loss of the database is being looked into.
    is_verifying: AtomicBool,
}

impl Attachment {
    fn poller(&self) -> Arc<Poller> {
        self.poller.get_or_init(|| Poller::start().expect("the region can make an epoll instance and a thread")).clone()
    }

    fn agent(&self) -> &Arc<dyn ResourceManager> {
        self.agent.get_or_init(|| Arc::new(Agent))
    }
}
