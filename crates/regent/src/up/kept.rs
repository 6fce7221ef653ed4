//! A database that a region keeps while it runs: one that was not there at the start is prepared when it answers, and a private cluster that
//! has ended is started again.
//!
//! Invariants: the scripts of the application are run before the region's tasks get threads; nothing is started after the region has
//! given the database back, and what is being started then is given up; the lock is not held while the database is waited for.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::database::Script;
use super::problems::Problems;
use super::tables;
use crate::console::Console;
use crate::database::{Database, GiveUp, Settings};
use crate::work_directory::WorkDirectory;

/// Starts of a private cluster that are tried in a row before an operator must ask for another.
const STARTS_MAX: u32 = 10;
/// A start this long after the one before is the first of another row.
const STEADY: Duration = Duration::from_secs(60);
/// The end of a region waits so long for what it has given up: a server that ends.
const GIVE_UP_MAX: Duration = Duration::from_secs(60);

/// What a database is opened with, and what is run there.
pub struct Opening {
    pub settings: Settings,
    pub directory: std::path::PathBuf,
    pub work: WorkDirectory,
    pub schema: String,
    pub scripts: Vec<Script>,
    pub console: Console,
}

impl Opening {
    /// Opens the database and runs there what was to be run at the start.
    fn prepare(&self, give_up: &GiveUp) -> Result<Database, String> {
        let database = Database::open_unless(&self.settings, &self.directory, &self.work, give_up)?;
        self.run_scripts(&database)?;
        Ok(database)
    }

    /// Failures are reported, and tried again at the next start.
    fn run_scripts(&self, database: &Database) -> Result<(), String> {
        let mut problems = Problems::default();
        tables::run(database, &self.schema, &self.scripts, &self.console, &mut problems)?;
        for problem in problems.list() {
            self.console.warning(&format!("  {problem}"));
            tracing::warn!(target: "region::db2", "{problem}");
        }
        Ok(())
    }
}

/// One database.
#[derive(Clone)]
pub struct Kept(Arc<Shared>);

struct Shared {
    opening: Opening,
    state: Mutex<State>,
    /// Told when the state is not `Busy` any more.
    idle: Condvar,
    give_up: GiveUp,
    starts: Mutex<Starts>,
}

enum State {
    /// It has answered at the start, and the region has not asked for it.
    Found(Database),
    /// It has not answered at the start; why.
    Failed(String),
    /// The region has been told why.
    Awaited,
    /// A thread of the region prepares it, or starts it again.
    Busy,
    Used(Database),
    /// The region has ended.
    Closed,
}

/// The starts of a private cluster in a row.
#[derive(Default)]
struct Starts {
    count: u32,
    /// When the last of them had ended, and why it was not enough.
    ended: Option<Instant>,
    why: String,
}

impl Starts {
    fn begin(&mut self) -> Result<(), String> {
        if self.ended.is_some_and(|ended| ended.elapsed() > STEADY) {
            *self = Starts::default();
        }
        if self.count >= STARTS_MAX {
            let why = &self.why;
            return Err(format!("the private database is left until DSNC STRT asks for it, after {STARTS_MAX} starts in a row: {why}"));
        }
        self.count += 1;
        Ok(())
    }

    fn end(&mut self, why: Option<&String>) {
        self.ended = Some(Instant::now());
        self.why = why.map_or_else(|| "its server has ended again".to_string(), String::clone);
    }
}

impl Kept {
    /// `found`: the database that was prepared at the start, or why there is none, which the region is told first.
    pub fn new(opening: Opening, found: Result<Database, String>) -> Kept {
        Kept::with(opening, found.map_or_else(State::Failed, State::Found))
    }

    /// One that was not there, as the region knows.
    pub fn awaited(opening: Opening) -> Kept {
        Kept::with(opening, State::Awaited)
    }

    fn with(opening: Opening, state: State) -> Kept {
        let (idle, give_up, starts) = (Condvar::new(), GiveUp::default(), Mutex::default());
        Kept(Arc::new(Shared { opening, state: Mutex::new(state), idle, give_up, starts }))
    }

    pub fn opening(&self) -> &Opening {
        &self.0.opening
    }

    /// How to reach it, if it has answered.
    pub fn ready(&self) -> Option<db2::Location> {
        match &*self.0.lock() {
            State::Found(database) | State::Used(database) => Some(database.as_location(&self.0.opening.schema)),
            _ => None,
        }
    }

    /// Each time that the region connects. The number counts the tries since it was asked for, from 0.
    pub fn find(&self, tries: u32) -> Result<db2::Location, String> {
        self.0.find(tries)
    }

    /// Whatever a thread is doing for it ends soon.
    pub fn give_up(&self) {
        self.0.give_up.set();
    }

    /// The region has ended: so does a private cluster that nobody else uses.
    pub fn close(&self) -> Result<(), String> {
        self.give_up();
        let is_busy = |state: &mut State| matches!(state, State::Busy);
        let waited = self.0.idle.wait_timeout_while(self.0.lock(), GIVE_UP_MAX, is_busy);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let last = std::mem::replace(&mut *state, State::Closed);
        drop(state);
        match last {
            State::Found(database) | State::Used(database) => database.close(),
            // A thread that is at work still drops what it has made, which closes it.
            State::Busy | State::Failed(_) | State::Awaited | State::Closed => Ok(()),
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn starts(&self) -> MutexGuard<'_, Starts> {
        self.starts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, tries: u32) -> Result<db2::Location, String> {
        if tries == 0 {
            // Somebody asks for it.
            *self.starts() = Starts::default();
        }
        let before = {
            let mut state = self.lock();
            match &*state {
                State::Busy => return Err("it is being prepared already".to_string()),
                State::Closed => return Err("the region has ended".to_string()),
                _ => std::mem::replace(&mut *state, State::Busy),
            }
        };
        let mut turn = Turn { shared: self, next: State::Awaited };
        let database = match before {
            State::Failed(why) => return Err(why),
            State::Used(mut database) => {
                let answer = self.revive(&mut database);
                turn.next = State::Used(database);
                return answer;
            }
            State::Found(database) => database,
            State::Awaited | State::Busy | State::Closed => self.prepare()?,
        };
        let location = database.as_location(&self.opening.schema);
        turn.next = State::Used(database);
        Ok(location)
    }

    /// The database that did not answer at the start.
    fn prepare(&self) -> Result<Database, String> {
        let prepare = || self.opening.prepare(&self.give_up);
        if self.opening.settings.url.is_none() { self.start(prepare) } else { prepare() }
    }

    fn revive(&self, database: &mut Database) -> Result<db2::Location, String> {
        if !database.is_running() {
            self.start(|| database.revive(&self.opening.settings, &self.opening.work))?;
            tracing::warn!(target: "region::db2", "the private database had ended, and was started again");
        }
        Ok(database.as_location(&self.opening.schema))
    }

    /// One start of a private cluster.
    fn start<R>(&self, start: impl FnOnce() -> Result<R, String>) -> Result<R, String> {
        self.starts().begin()?;
        let started = start();
        self.starts().end(started.as_ref().err());
        started
    }
}

/// The thread that is at work. Whatever becomes of it, the state is not `Busy` any more.
struct Turn<'a> {
    shared: &'a Shared,
    next: State,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let next = std::mem::replace(&mut self.next, State::Awaited);
        let mut state = self.shared.lock();
        if let State::Closed = *state {
            // The end of the region has not waited for this. A server that is dropped is ended, without the lock.
            drop(state);
            return drop(next);
        }
        *state = next;
        self.shared.idle.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_in_a_row_end_with_the_reason_of_the_last() {
        let mut starts = Starts::default();
        for number in 1..=STARTS_MAX {
            starts.begin().unwrap();
            let why = format!("reason {number}");
            starts.end((number % 2 == 0).then_some(&why));
        }
        let why = starts.begin().unwrap_err();
        assert!(why.contains("DSNC STRT") && why.ends_with(": reason 10"), "{why}");
        // A server that starts and ends again at once has been started, too.
        starts.end(None);
        assert!(starts.begin().unwrap_err().ends_with("its server has ended again"));
        starts.ended = Instant::now().checked_sub(STEADY + Duration::from_secs(1));
        assert_eq!(starts.begin(), Ok(()), "it has run for a while");
    }
}
