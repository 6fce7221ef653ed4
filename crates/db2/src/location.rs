//! The other databases that a program may CONNECT to, and the names of units of work that a batch program gives itself.

use crate::bind::BindOptions;
use crate::prepared::UnitOfWorkMarker;
use postgres::Config;
use std::sync::Arc;

/// A database beside the local one.
#[derive(Debug)]
pub struct Location {
    /// In capital letters.
    pub name: String,
    pub config: Config,
    /// How programs are bound to it; `location` is its name.
    pub bind: Arc<BindOptions>,
}

/// Why a location cannot be connected to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoLocation {
    Unknown,
    /// It is known, and is not ready: why.
    Unavailable(String),
}

/// What surrounds the connections of a thread.
pub trait Locations {
    /// The location of a name in capital letters.
    fn find(&self, name: &str) -> Result<Arc<Location>, NoLocation>;

    /// The name of the next unit of work that a batch program commits in several databases. Under CICS the region names them.
    fn next_unit(&self) -> Option<UnitOfWorkMarker> {
        None
    }

    /// The unit of work of a batch program that was named last has ended.
    fn unit_ended(&self, _report: &Report) {}
}

/// There are none.
pub struct NoLocations;

impl Locations for NoLocations {
    fn find(&self, _name: &str) -> Result<Arc<Location>, NoLocation> {
        Err(NoLocation::Unknown)
    }
}

/// What the end of a unit of work has left behind.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Report {
    /// The local database has a row for it.
    pub is_marked: bool,
    /// Locations whose parts may still be prepared.
    pub unresolved: Vec<String>,
    /// The location that did not commit, and why: the unit of work was backed out.
    pub refusal: Option<(String, String)>,
}
