//! The database of a region while it runs: one that was not there at the start is prepared when it answers, and a private cluster that has
//! ended is started again.
//!
//! Invariants: the scripts of the application are run before the region's tasks get threads; nothing is started after the region has
//! given the database back.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use postgres::Config;

use super::database::Script;
use super::further::Further;
use super::problems::Problems;
use super::tables;
use crate::console::Console;
use crate::database::{Database, Settings};
use crate::work_directory::WorkDirectory;

/// Starts of a private cluster that are tried before an operator must ask for another.
const STARTS_MAX: u32 = 10;

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
    pub fn open(&self) -> Result<Database, String> {
        Database::open(&self.settings, &self.directory, &self.work)
    }

    /// Failures are reported, and tried again at the next start.
    pub fn run_scripts(&self, database: &Database) -> Result<(), String> {
        let mut problems = Problems::default();
        tables::run(database, &self.schema, &self.scripts, &self.console, &mut problems)?;
        for problem in problems.list() {
            self.console.warning(&format!("  {problem}"));
            tracing::warn!(target: "region::db2", "{problem}");
        }
        Ok(())
    }
}

/// The database of a region.
#[derive(Clone)]
pub struct Standby(Arc<Shared>);

struct Shared {
    opening: Opening,
    /// The further databases.
    locations: Further,
    state: Mutex<State>,
}

enum State {
    /// It has answered at the start, and the region has not asked for it.
    Found(Database),
    /// It has not answered at the start; why.
    Failed(String),
    /// The region has been told why.
    Awaited,
    Used(Database),
    /// The region has ended.
    Closed,
}

impl Standby {
    /// `found`: the database that was prepared at the start, or why there is none.
    pub fn new(opening: Opening, found: Result<Database, String>, locations: Further) -> Standby {
        let state = found.map_or_else(State::Failed, State::Found);
        Standby(Arc::new(Shared { opening, locations, state: Mutex::new(state) }))
    }

    pub fn attachment(&self) -> attachment::Settings {
        let Opening { schema, settings, .. } = &self.0.opening;
        let bind = crate::database::bind_options(settings.order, &settings.bind_location(), schema);
        let (own, locations) = (self.clone(), self.0.locations.attachment());
        attachment::Settings { find: Arc::new(move |tries| own.find(tries)), bind, locations }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How to reach it, if it has answered.
    pub fn config(&self) -> Option<Config> {
        match &*self.lock() {
            State::Found(database) | State::Used(database) => Some(database.config.clone()),
            _ => None,
        }
    }

    /// For the attachment facility, each time that it connects. The first time it learns what the start has found.
    fn find(&self, tries: u32) -> Result<Config, String> {
        let mut state = self.lock();
        let (next, answer) = match std::mem::replace(&mut *state, State::Awaited) {
            State::Found(database) => used(database),
            State::Failed(why) => (State::Awaited, Err(why)),
            State::Awaited => match self.prepare(tries) {
                Ok(database) => used(database),
                Err(why) => (State::Awaited, Err(why)),
            },
            State::Used(mut database) => {
                let answer = self.revive(&mut database, tries);
                (State::Used(database), answer)
            }
            State::Closed => (State::Closed, Err("the region has ended".to_string())),
        };
        *state = next;
        answer
    }

    /// The database that did not answer at the start: what was to be run there is run now.
    fn prepare(&self, tries: u32) -> Result<Database, String> {
        let opening = &self.0.opening;
        if opening.settings.url.is_none() && tries > STARTS_MAX {
            return Err(given_up());
        }
        let database = opening.open()?;
        opening.run_scripts(&database)?;
        Ok(database)
    }

    fn revive(&self, database: &mut Database, tries: u32) -> Result<Config, String> {
        if database.is_running() {
            return Ok(database.config.clone());
        }
        if tries > STARTS_MAX {
            return Err(given_up());
        }
        database.revive(&self.0.opening.settings, &self.0.opening.work)?;
        tracing::warn!(target: "region::db2", "the private database had ended, and was started again");
        Ok(database.config.clone())
    }

    /// The region has ended: so does a private cluster that nobody else uses.
    pub fn close(&self) -> Result<(), String> {
        self.0.locations.close()?;
        let state = std::mem::replace(&mut *self.lock(), State::Closed);
        match state {
            State::Found(database) | State::Used(database) => database.close(),
            State::Failed(_) | State::Awaited | State::Closed => Ok(()),
        }
    }
}

/// The region has it from now on.
fn used(database: Database) -> (State, Result<Config, String>) {
    let config = database.config.clone();
    (State::Used(database), Ok(config))
}

fn given_up() -> String {
    format!("the private database could not be started {STARTS_MAX} times, and is not started again until DSNC STRT asks for it")
}
