//! What surrounds the connections of a batch program: the further databases of its application, and the names of its units of work.
//!
//! A batch program is named in the rows and prepared transactions of its units of work by the prefix of batch programs, its process and the
//! time it began, so no other has its name. What a program that was killed has left prepared at a location is ended when a batch program, or
//! a region, next uses that location.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use db2::prepared::{self, BATCH};
use db2::{Location, Locations, NoLocation, Report, UnitOfWorkMarker};
use postgres::{Config, Session};

use super::{Database, Settings};
use crate::work_directory::WorkDirectory;

/// A database that does not answer in this time is left to the next program.
const ANSWER_MAX: std::time::Duration = std::time::Duration::from_secs(10);
/// Rows are deleted when so many are no longer needed.
const ROWS_MAX: usize = 1_000;

/// Where the further databases of an application are.
#[derive(Clone)]
pub struct Surroundings {
    pub settings: BTreeMap<String, Settings>,
    pub directory: PathBuf,
    pub work: WorkDirectory,
}

impl Surroundings {
    pub fn of(settings: &Settings, directory: &Path, work: &WorkDirectory) -> Surroundings {
        Surroundings { settings: settings.locations.clone(), directory: directory.to_path_buf(), work: work.clone() }
    }
}

pub struct Units {
    surroundings: Option<Surroundings>,
    /// The local database, and the schema of names that have none.
    local: Config,
    schema: String,
    /// The name of this program.
    region: String,
    origin: RefCell<String>,
    open: RefCell<BTreeMap<String, (Database, Arc<Location>)>>,
    last: Cell<u64>,
    /// Units of work whose rows are no longer needed.
    ended: RefCell<Vec<u64>>,
    has_unresolved: Cell<bool>,
}

impl Units {
    pub fn new(local: &Config, schema: &str, surroundings: Option<Surroundings>) -> Units {
        let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
        Units {
            surroundings,
            local: local.clone(),
            schema: schema.to_string(),
            region: format!("{BATCH}{:X}-{began:X}", std::process::id()),
            origin: RefCell::default(),
            open: RefCell::default(),
            last: Cell::new(0),
            ended: RefCell::default(),
            has_unresolved: Cell::new(false),
        }
    }

    fn session(config: &Config) -> Result<Session, String> {
        let mut session = super::session(config)?;
        session.set_deadline(Some(Instant::now() + ANSWER_MAX));
        Ok(session)
    }

    /// Opens a location, and ends what earlier batch programs have left there.
    fn open(&self, surroundings: &Surroundings, settings: &Settings) -> Result<(Database, Arc<Location>), String> {
        let database = Database::existing(settings, &surroundings.directory, &surroundings.work)?;
        let location = database.as_location(settings.schema.as_ref().unwrap_or(&self.schema));
        let mut local = Units::session(&self.local)?;
        *self.origin.borrow_mut() = prepared::origin(&mut local)?;
        self.resolve(&location, None, &mut local)?;
        Ok((database, Arc::new(location)))
    }

    /// Ends the parts of batch programs of long ago, or those of this one.
    fn resolve(&self, location: &Location, own: Option<&str>, local: &mut Session) -> Result<(), String> {
        let mut session = Units::session(&location.config)?;
        for part in prepared::list(&mut session, &self.origin.borrow(), own)? {
            let is_committed = prepared::is_committed(local, &part.region, part.unit)?;
            if prepared::finish(&mut session, &part, is_committed)? {
                let outcome = if is_committed { "committed" } else { "rolled back" };
                eprintln!("regent: location {}: unit of work {} of {} was {outcome}", location.name, part.unit, part.region);
            }
        }
        Ok(())
    }

    /// The program has ended: what it has left prepared is ended if it can be, and the rows of the others are deleted.
    pub fn end(&self) -> Result<(), String> {
        if !self.has_unresolved.get() && self.ended.borrow().is_empty() {
            return Ok(());
        }
        let mut local = Units::session(&self.local)?;
        if self.has_unresolved.get() {
            for (_, location) in self.open.borrow().values() {
                if let Err(error) = self.resolve(location, Some(&self.region), &mut local) {
                    eprintln!(
                        "regent: location {}: {error}; the next program that connects to it ends what is prepared there",
                        location.name
                    );
                }
            }
        }
        self.forget(&mut local)
    }

    fn forget(&self, local: &mut Session) -> Result<(), String> {
        prepared::delete(local, &self.region, &std::mem::take(&mut *self.ended.borrow_mut()))
    }

    /// Gives back what was opened.
    pub fn close(&self) -> Result<(), String> {
        let open = std::mem::take(&mut *self.open.borrow_mut());
        open.into_values().try_for_each(|(database, _)| database.close())
    }
}

impl Locations for Units {
    fn find(&self, name: &str) -> Result<Arc<Location>, NoLocation> {
        if let Some((_, location)) = self.open.borrow().get(name) {
            return Ok(location.clone());
        }
        let known = self.surroundings.as_ref().and_then(|surroundings| Some((surroundings, surroundings.settings.get(name)?)));
        let (surroundings, settings) = known.ok_or(NoLocation::Unknown)?;
        let (database, location) = self.open(surroundings, settings).map_err(NoLocation::Unavailable)?;
        self.open.borrow_mut().insert(name.to_string(), (database, location.clone()));
        Ok(location)
    }

    fn next_unit(&self) -> Option<UnitOfWorkMarker> {
        self.last.set(self.last.get() + 1);
        Some(UnitOfWorkMarker { region: self.region.clone(), unit: self.last.get(), origin: self.origin.borrow().clone() })
    }

    fn unit_ended(&self, report: &Report) {
        if let Some((location, reason)) = &report.refusal {
            eprintln!("regent: the unit of work was rolled back, because location {location} could not commit it: {reason}");
        }
        for location in &report.unresolved {
            eprintln!("regent: location {location} has not answered for unit of work {}, and is told its outcome later", self.last.get());
        }
        self.has_unresolved.set(self.has_unresolved.get() || !report.unresolved.is_empty());
        if report.is_marked && report.unresolved.is_empty() {
            self.ended.borrow_mut().push(self.last.get());
        }
        if self.ended.borrow().len() >= ROWS_MAX
            && let Err(error) = Units::session(&self.local).and_then(|mut local| self.forget(&mut local))
        {
            eprintln!("regent: rows of units of work are not deleted: {error}");
        }
    }
}
