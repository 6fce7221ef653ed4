//! Journaling: user journals, written by WRITE JOURNALNAME and WRITE JOURNALNUM, and by file control.
//!
//! * `stream`    the file of a log stream: readable lines, each with its checksum; a torn end is cut when it is opened;
//! * `journal`   a journal: name, stream, status, and one force for many tasks;
//! * `model`     JOURNALMODELs: the stream and type of a journal name;
//! * `commands`  WRITE and WAIT; `inquire` INQUIRE, SET and DISCARD of JOURNALNAME, JOURNALMODEL and STREAMNAME.
//!
//! Invariants: records of a journal are in the stream in the order they were written; a record is durable when a WAIT for it, or for a
//! later one, has ended; journals are independent of units of work: their records stay when the unit of work is backed out.

mod commands;
mod inquire;
mod journal;
mod model;
mod records;
mod stream;

pub use commands::handlers;
pub use journal::{Journal, JournalType, Status};
pub use stream::Record;

use csd::Definition;
use model::Model;
use parking_lot::{Mutex, RwLock};
use region::domain::ResourceType;
use region::figures::ResourceStatistics;
use region::name::Name8;
use region::{Domain, Life, Region, Task};
use std::collections::BTreeMap;
use std::sync::Arc;

region::region_part!(Journaling);

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "journaling",
    commands: &[handlers],
    slots: &[&IN_REGION],
    resources: &[ResourceType { name: "JOURNALMODEL", install: Some(install), ..ResourceType::NONE }],
    life: Life { stop: Some(|region, _| shutdown(region)), ..Life::NONE },
    statistics: Some(|region| Journaling::of(region).statistics()),
    records: &[&records::JOURNALS],
    ..Domain::NONE
};

/// Longest record with its prefix.
pub const RECORD_BYTES_MAX: usize = 1 << 20;
/// The name of the system log, which is not a user journal.
pub const SYSTEM_LOG: &str = "DFHLOG";

/// This domain's part of the region.
#[derive(Default)]
pub struct Journaling {
    models: RwLock<Vec<Model>>,
    journals: Mutex<BTreeMap<Name8, Arc<Journal>>>,
}

impl Journaling {
    pub fn find(&self, name: Name8) -> Option<Arc<Journal>> {
        self.journals.lock().get(&name).cloned()
    }

    pub fn names(&self) -> Vec<Name8> {
        self.journals.lock().keys().copied().collect()
    }

    /// The journal of that name, opened by the best model for it if it is not yet known.
    pub fn obtain(&self, region: &Region, name: Name8) -> std::io::Result<Arc<Journal>> {
        let mut journals = self.journals.lock();
        if let Some(journal) = journals.get(&name) {
            return Ok(journal.clone());
        }
        let model = self.models.read().iter().filter(|model| model.matches(name)).max_by_key(|model| model.weight()).cloned();
        let (stream, kind) = match &model {
            Some(model) => (model.stream_for(region, name), model.kind),
            None => (model::default_stream(region, name), JournalType::Mvs),
        };
        let journal = Arc::new(Journal::open(region, name, stream, kind)?);
        journals.insert(name, journal.clone());
        Ok(journal)
    }

    /// As `obtain`, for a task: a stream is opened on the resource owning TCB.
    ///
    /// # Errors
    ///
    /// The stream cannot be opened.
    pub fn connect(task: &mut Task, name: Name8) -> std::io::Result<Arc<Journal>> {
        match Journaling::of(task.region).find(name) {
            Some(journal) => Ok(journal),
            None => task.on_resource_owning_tcb(|task| Journaling::of(task.region).obtain(task.region, name)),
        }
    }

    /// Drops a journal; its next use reopens its stream. Records that were not forced are lost.
    pub fn discard(&self, name: Name8) -> Option<Arc<Journal>> {
        self.journals.lock().remove(&name)
    }

    pub fn statistics(&self) -> Vec<ResourceStatistics> {
        self.journals.lock().values().map(|journal| journal.statistics()).collect()
    }
}

/// Installs a JOURNALMODEL.
fn install(region: &'static Region, definition: &Definition) -> Result<(), String> {
    let model = Model::from(definition);
    model.check_stream()?;
    let mut models = Journaling::of(region).models.write();
    models.retain(|known| known.name != model.name);
    models.push(model);
    Ok(())
}

/// Makes everything written durable, at the end of the region.
pub fn shutdown(region: &Region) {
    for name in Journaling::of(region).names() {
        if let Some(journal) = Journaling::of(region).find(name)
            && let Err(error) = journal.flush()
        {
            let values = [("journal", name.as_str()), ("reason", &error.to_string())];
            region.messages.send("DFHLG0772", &values);
        }
    }
}
