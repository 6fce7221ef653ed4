//! The parts of units of work that locations hold prepared: which of them a task is ending, and which are left to others.
//!
//! Invariants: a unit of work is in `committing` before its first part is prepared, and until its task has left; its row at the region's
//! database is kept while a location may hold a part of it.

use crate::Attachment;
use parking_lot::Mutex;
use region::Region;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub struct Parts(Mutex<Table>);

#[derive(Default)]
struct Table {
    /// The identity of the region's database.
    origin: String,
    /// Units of work whose parts a task prepares or ends now.
    committing: BTreeSet<u64>,
    unresolved: BTreeMap<u64, Unresolved>,
}

/// A unit of work that has ended and of which locations may hold parts.
struct Unresolved {
    locations: Vec<String>,
    /// The region does not need its row any more.
    is_forgotten: bool,
}

impl Parts {
    pub fn of(region: &Region) -> &Parts {
        &Attachment::of(region).parts
    }

    pub fn origin(&self) -> String {
        self.0.lock().origin.clone()
    }

    pub fn set_origin(&self, origin: String) {
        self.0.lock().origin = origin;
    }

    /// A task is about to prepare parts of a unit of work.
    pub fn begin(&self, unit: u64) {
        self.0.lock().committing.insert(unit);
    }

    /// It has ended all but those of these locations.
    pub fn end(&self, unit: u64, left: &[String]) {
        let mut table = self.0.lock();
        if !left.is_empty() {
            table.unresolved.insert(unit, Unresolved { locations: left.to_vec(), is_forgotten: false });
        }
        table.committing.remove(&unit);
    }

    pub fn is_committing(&self, unit: u64) -> bool {
        self.0.lock().committing.contains(&unit)
    }

    pub fn unresolved(&self) -> Vec<u64> {
        self.0.lock().unresolved.keys().copied().collect()
    }

    /// The region does not need the row of a unit of work any more; true if it is to be kept, because a location may hold a part of it.
    pub fn keeps(&self, unit: u64) -> bool {
        let mut table = self.0.lock();
        table.unresolved.get_mut(&unit).map(|unresolved| unresolved.is_forgotten = true).is_some()
    }

    /// These locations hold no parts any more of these units of work. Answers those whose rows nobody needs any more.
    pub fn settle(&self, units: &[u64], asked: &[String]) -> Vec<u64> {
        let mut table = self.0.lock();
        let mut settled = Vec::new();
        for unit in units {
            if let Some(unresolved) = table.unresolved.get_mut(unit) {
                unresolved.locations.retain(|location| !asked.contains(location));
                if unresolved.locations.is_empty() {
                    settled.extend(unresolved.is_forgotten.then_some(*unit));
                    table.unresolved.remove(unit);
                }
            }
        }
        settled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_kept_until_every_location_was_asked_and_the_region_needs_it_no_more() {
        let parts = Parts::default();
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<String>>();
        parts.begin(7);
        assert!(parts.is_committing(7) && !parts.keeps(7));
        parts.end(7, &names(&["A", "B"]));
        assert!(!parts.is_committing(7) && parts.keeps(7));
        assert!(parts.settle(&[7], &names(&["A"])).is_empty());
        // One that was left behind after the locations were asked is not meant.
        assert!(parts.settle(&[], &names(&["A", "B"])).is_empty());
        assert_eq!(parts.settle(&[7], &names(&["B", "C"])), [7]);
        assert!(!parts.keeps(7) && parts.unresolved().is_empty());
        // The region still needs the row of this one, and forgets it itself.
        parts.end(8, &names(&["A"]));
        assert!(parts.settle(&[8], &names(&["A"])).is_empty() && !parts.keeps(8));
    }
}
