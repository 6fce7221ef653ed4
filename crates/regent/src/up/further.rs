//! The further databases of an application: opened at its start with their scripts, and while the region runs if they did not answer then.
//!
//! Invariant: nothing is opened after the region has given the databases back.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::problems::Problems;
use super::standby::Opening;
use crate::console::Console;
use crate::database::Database;

/// All of them.
#[derive(Clone, Default)]
pub struct Further(Vec<Arc<Named>>);

/// One, by its location.
struct Named {
    opening: Opening,
    state: Mutex<State>,
}

enum State {
    Closed,
    Awaited,
    Open(Box<Database>),
}

impl Further {
    /// Opens them, and runs their scripts. One that is not there is a problem of the start, and is awaited by the region.
    pub fn open(openings: Vec<Opening>, console: &Console, problems: &mut Problems) -> Result<Further, String> {
        let mut all = Vec::new();
        for opening in openings {
            let state = match opening.open() {
                Ok(database) => {
                    let (name, schema) = (&opening.settings.name, &opening.schema);
                    console.line(&format!("location  {name}: {}, schema {schema}", database.description()));
                    database.warnings().iter().for_each(|warning| console.line(&format!("warning   {warning}")));
                    super::tables::run(&database, &opening.schema, &opening.scripts, console, problems)?;
                    State::Open(Box::new(database))
                }
                Err(error) => {
                    let name = &opening.settings.name;
                    problems.add(format!("location {name} is not there: {error}; the region looks for it again while it runs"));
                    State::Awaited
                }
            };
            all.push(Arc::new(Named { opening, state: Mutex::new(state) }));
        }
        Ok(Further(all))
    }

    /// For the attachment facility.
    pub fn attachment(&self) -> Vec<attachment::Location> {
        let location = |named: &Arc<Named>| {
            let (own, name) = (named.clone(), named.opening.settings.name.clone());
            attachment::Location { name, ready: named.ready().map(Arc::new), find: Arc::new(move || own.find()) }
        };
        self.0.iter().map(location).collect()
    }

    /// The region has ended: so does a private cluster that nobody else uses.
    pub fn close(&self) -> Result<(), String> {
        for named in &self.0 {
            if let State::Open(database) = std::mem::replace(&mut *named.lock(), State::Closed) {
                database.close()?;
            }
        }
        Ok(())
    }
}

impl Named {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ready(&self) -> Option<db2::Location> {
        match &*self.lock() {
            State::Open(database) => Some(database.as_location(&self.opening.schema)),
            State::Closed | State::Awaited => None,
        }
    }

    /// Opens it if it is not open, and starts a private cluster again that has ended.
    fn find(&self) -> Result<db2::Location, String> {
        let mut state = self.lock();
        match &mut *state {
            State::Closed => return Err("the region has ended".to_string()),
            State::Open(database) if database.is_running() => {}
            State::Open(database) => database.revive(&self.opening.settings, &self.opening.work)?,
            State::Awaited => {
                let database = self.opening.open()?;
                self.opening.run_scripts(&database)?;
                *state = State::Open(Box::new(database));
            }
        }
        match &*state {
            State::Open(database) => Ok(database.as_location(&self.opening.schema)),
            State::Closed | State::Awaited => Err("it is not open".to_string()),
        }
    }
}
