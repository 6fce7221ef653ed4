//! The unit of work of a session: which transaction commands must go ahead of the next statement.
//!
//! An error of a statement ends the transaction of the server, but not the unit of work of Db2. A savepoint is therefore set ahead of a
//! statement, in the same round trip, if there is something to lose: the unit has changed data, taken locks by a statement or opened a
//! cursor since the last savepoint. Without such, the transaction is rolled back after an error, and the next statement begins a new one.
//!
//! Isolation: PostgreSQL's READ COMMITTED serves UR, CS and RS. A unit whose first statement has RR runs at REPEATABLE READ; RR of a
//! later statement cannot change the transaction any more, and is READ COMMITTED with the locks that the statement takes.
//!
//! Invariants: `savepoint` and `dirty` imply `open`; there is at most one savepoint of ours at a time, and it is the innermost.

/// A command of the server that is prepared when the session begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Utility {
    Begin,
    BeginRepeatable,
    Commit,
    Rollback,
    /// Sets our savepoint; releases it; returns to it.
    Save,
    Release,
    Back,
}

impl Utility {
    pub const ALL: [Utility; 7] =
        [Utility::Begin, Utility::BeginRepeatable, Utility::Commit, Utility::Rollback, Utility::Save, Utility::Release, Utility::Back];

    /// Name of the prepared statement, and its text.
    pub const fn statement(self) -> (&'static str, &'static str) {
        match self {
            Utility::Begin => ("begin", "BEGIN ISOLATION LEVEL READ COMMITTED"),
            Utility::BeginRepeatable => ("repeatable", "BEGIN ISOLATION LEVEL REPEATABLE READ"),
            Utility::Commit => ("commit", "COMMIT"),
            Utility::Rollback => ("rollback", "ROLLBACK"),
            Utility::Save => ("save", "SAVEPOINT db2_statement"),
            Utility::Release => ("release", "RELEASE SAVEPOINT db2_statement"),
            Utility::Back => ("back", "ROLLBACK TO SAVEPOINT db2_statement"),
        }
    }
}

/// Transaction status that the server reports when it is ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Idle,
    InTransaction,
    Failed,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Unit {
    /// A transaction has begun.
    open: bool,
    savepoint: bool,
    /// There is something to lose since the savepoint, or since the beginning.
    dirty: bool,
    changed: bool,
    /// The transaction has failed.
    failed: bool,
}

/// Most commands ahead of a statement.
const PREFIX_MAX: usize = 4;

/// Commands ahead of a statement.
pub type Prefix = [Option<Utility>; PREFIX_MAX];

impl Unit {
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Data of the database was changed: the end of the unit must be waited for.
    pub fn has_changed(&self) -> bool {
        self.changed
    }

    /// What goes ahead of the next statement; it is taken as sent.
    pub fn prefix(&mut self, repeatable: bool) -> Prefix {
        let mut prefix = [None; PREFIX_MAX];
        let mut count = 0;
        let mut push = |utility| {
            prefix[count] = Some(utility);
            count += 1;
        };
        if self.failed {
            if self.savepoint {
                push(Utility::Back);
                (self.failed, self.dirty) = (false, false);
            } else {
                push(Utility::Rollback);
                *self = Unit::default();
            }
        }
        if !self.open {
            push(if repeatable { Utility::BeginRepeatable } else { Utility::Begin });
            self.open = true;
        } else if self.dirty {
            if self.savepoint {
                push(Utility::Release);
            }
            push(Utility::Save);
            (self.savepoint, self.dirty) = (true, false);
        }
        debug_assert!(self.open && !self.failed);
        prefix
    }

    /// Without a statement's error the unit could be lost by the next one.
    pub fn touched(&mut self, changed: bool) {
        debug_assert!(self.open);
        self.dirty = true;
        self.changed |= changed;
    }

    /// Ahead of a command on a savepoint of the program: ours, if it is set, is to be released first.
    pub fn drop_savepoint(&mut self) -> Option<Utility> {
        self.dirty = true;
        std::mem::take(&mut self.savepoint).then_some(Utility::Release)
    }

    /// The program has returned to its own savepoint, which ended ours.
    pub fn returned(&mut self) {
        (self.savepoint, self.dirty, self.failed) = (false, true, false);
    }

    /// What the server says after each round trip.
    pub fn ready(&mut self, status: Status) {
        match status {
            Status::Idle => *self = Unit::default(),
            Status::InTransaction => debug_assert!(self.open),
            Status::Failed => {
                // Also after a COMMIT that the server has not come to.
                (self.open, self.failed) = (true, true);
                debug_assert!(self.savepoint || !self.changed || self.dirty);
            }
        }
    }

    pub fn has_failed(&self) -> bool {
        self.failed
    }

    pub fn end(&mut self) {
        *self = Unit::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(unit: &mut Unit) -> Vec<Utility> {
        unit.prefix(false).into_iter().flatten().collect()
    }

    #[test]
    fn a_unit_that_only_reads_has_no_savepoint() {
        let mut unit = Unit::default();
        assert_eq!(commands(&mut unit), [Utility::Begin]);
        unit.ready(Status::InTransaction);
        assert_eq!(commands(&mut unit), []);
        unit.ready(Status::Failed);
        assert_eq!(commands(&mut unit), [Utility::Rollback, Utility::Begin]);
    }

    #[test]
    fn a_change_is_kept_when_a_later_statement_fails() {
        let mut unit = Unit::default();
        commands(&mut unit);
        unit.touched(true);
        unit.ready(Status::InTransaction);
        assert_eq!(commands(&mut unit), [Utility::Save]);
        unit.ready(Status::Failed);
        assert_eq!(commands(&mut unit), [Utility::Back]);
        unit.touched(true);
        assert_eq!(commands(&mut unit), [Utility::Release, Utility::Save]);
        assert!(unit.has_changed());
        unit.ready(Status::Idle);
        assert_eq!(unit, Unit::default());
        assert_eq!(commands(&mut unit), [Utility::Begin]);
    }
}
