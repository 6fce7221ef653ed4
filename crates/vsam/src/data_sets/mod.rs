//! The data sets of a store: opening files by name, and the open spheres.
//!
//! Invariants: all users of a base cluster, by whatever name they opened it, share one `Sphere`; the catalog is changed only under
//! `defining`.

pub mod backup;
pub mod check;
pub mod define;
mod forward;
pub mod generations;
pub mod load;

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::{Mutex, MutexGuard};

use crate::buffers::Component;
use crate::catalog::{BackupOption, Catalog, Entry, IndexEntry, LogOption, Organization};
use crate::error::{FileError, StoreError};
use crate::file::{File, FileAttributes, OpenContext, OpenFileParts, OpenOptions};
use crate::forward::{ForwardLog, Replicating};
use crate::holds::openers::Opener;
use crate::sphere::Sphere;
use crate::sphere::index::CONTROL_BYTES;
use crate::store::Store;

/// The data sets of a store: its VSAM catalog and the open data sets.
pub struct DataSets {
    store: Arc<Store>,
    catalog: Catalog,
    open: Mutex<HashMap<String, Weak<Sphere>>>,
    /// Serializes changes of the catalog.
    defining: Mutex<()>,
    next_file: AtomicU64,
    next_user: AtomicU32,
    /// Serializes the carrying of forward recovery logs. Contains the directories whose files end with a complete record.
    carrying: Mutex<BTreeSet<PathBuf>>,
    replicating: Arc<Replicating>,
}

impl DataSets {
    pub fn new(store: Arc<Store>) -> Result<Arc<DataSets>, FileError> {
        let catalog = Catalog::open(&store)?;
        let open = Mutex::new(HashMap::new());
        Ok(Arc::new(DataSets {
            store,
            catalog,
            open,
            defining: Mutex::new(()),
            next_file: AtomicU64::new(1),
            next_user: AtomicU32::new(1),
            carrying: Mutex::default(),
            replicating: Arc::default(),
        }))
    }

    pub(crate) fn defining(&self) -> MutexGuard<'_, ()> {
        self.defining.lock()
    }

    /// The number of a new user of data sets beside the region, for SHAREOPTIONS.
    pub fn new_user(&self) -> u32 {
        self.next_user.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn carrying(&self) -> MutexGuard<'_, BTreeSet<PathBuf>> {
        self.carrying.lock()
    }

    pub(crate) fn replicating(&self) -> &Arc<Replicating> {
        &self.replicating
    }

    pub(crate) fn next_file(&self) -> &AtomicU64 {
        &self.next_file
    }

    /// The sphere with a name, created if it is not open.
    pub(crate) fn shared_sphere(
        &self,
        name: &str,
        make: impl FnOnce(&Arc<Store>) -> Result<Sphere, StoreError>,
    ) -> Result<Arc<Sphere>, FileError> {
        let mut open = self.open.lock();
        if let Some(sphere) = open.get(name).and_then(Weak::upgrade) {
            return Ok(sphere);
        }
        let sphere = Arc::new(make(&self.store)?);
        open.insert(name.to_string(), Arc::downgrade(&sphere));
        Ok(sphere)
    }

    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Opens a cluster, an alternate index or a path by its name.
    pub fn open(self: &Arc<Self>, name: &str, options: OpenOptions) -> Result<File, FileError> {
        self.open_as(name, options, None)
    }

    /// As `open`, for a user whom SHAREOPTIONS concern.
    pub fn open_as(self: &Arc<Self>, name: &str, options: OpenOptions, opener: Option<Opener>) -> Result<File, FileError> {
        self.open_in(name, options, OpenContext { opener, ..OpenContext::default() })
    }

    /// Opens a base cluster by the keys of an alternate index, as a path over it would.
    pub fn open_through_index(self: &Arc<Self>, index: &str, options: OpenOptions) -> Result<File, FileError> {
        self.open_entry(index, options, OpenContext::default(), false)
    }

    /// As `open`, with the context that a region gives its files.
    pub fn open_in(self: &Arc<Self>, name: &str, options: OpenOptions, context: OpenContext) -> Result<File, FileError> {
        self.open_entry(name, options, context, true)
    }

    /// `index_records`: the alternate index is opened as a separate data set.
    fn open_entry(
        self: &Arc<Self>,
        name: &str,
        options: OpenOptions,
        context: OpenContext,
        index_records: bool,
    ) -> Result<File, FileError> {
        let name = name.trim().to_uppercase();
        let missing = || FileError::DataSetNotFound(name.clone());
        let (name, entry) = self.catalog.resolve(&name)?.ok_or_else(missing)?;
        let upgrade = !matches!(&entry, Entry::Path(path) if !path.update);
        let index_records = index_records && matches!(&entry, Entry::AlternateIndex(_));
        let (base, index) = match &entry {
            Entry::Cluster(_) => (name.clone(), None),
            Entry::AlternateIndex(index) => (index.base.clone(), Some(name.clone())),
            Entry::Path(path) => match self.catalog.get(&path.entry)?.ok_or_else(missing)? {
                Entry::AlternateIndex(index) => (index.base, Some(path.entry.clone())),
                _ => (path.entry.clone(), None),
            },
            _ => return Err(FileError::NotVsam(name)),
        };
        if options.reset && index_records {
            return Err(FileError::NotAllowed("an alternate index is emptied with its base"));
        }
        if options.reset {
            self.reset(&base)?;
        }
        let sphere = self.sphere(&base)?;
        let index = match index {
            None => None,
            Some(index) => {
                let position = sphere.indexes.iter().position(|other| other.name == index);
                Some(position.ok_or(FileError::DataSetNotFound(index))?)
            }
        };
        let attributes = match &entry {
            Entry::AlternateIndex(index) if index_records => index_attributes(&name, index),
            _ => attributes(&name, &sphere, index, options.recoverable),
        };
        if let Some(pool) = &context.pool {
            let index_size = sphere.organization.has_index().then_some(sphere.attributes.index_ci_size);
            let mut sizes = vec![(Component::Data, Some(sphere.attributes.ci_size)), (Component::Index, index_size)];
            if let Some(index) = index {
                let intervals = &sphere.indexes[index].intervals;
                sizes.extend([(Component::Data, Some(intervals.ci_size)), (Component::Index, Some(intervals.index_ci_size))]);
            }
            if !sizes.iter().all(|(component, size)| size.is_none_or(|size| pool.holds(*component, size))) {
                return Err(FileError::NoBuffers(base));
            }
        }
        let forward_log = context.forward_log.as_deref().filter(|_| attributes.recoverable);
        let forward = ForwardLog::open(&self.store, &self.replicating, forward_log, context.replication_log.as_deref())?;
        if let Some(opener) = context.opener
            && !sphere.openers.admit(opener, sphere.attributes.share_cross_region)
        {
            return Err(FileError::NotShared(base));
        }
        let number = self.next_file.fetch_add(1, Ordering::Relaxed);
        Ok(File::new(attributes, sphere, index, OpenFileParts { number, index_records, upgrade, forward, context }))
    }

    fn reset(&self, base: &str) -> Result<(), FileError> {
        self.must_be_free(base)?;
        let sphere = self.sphere(base)?;
        if sphere.attributes.reuse {
            sphere.clear()?;
        } else if !sphere.is_empty()? {
            return Err(FileError::NotReusable(base.to_string()));
        }
        Ok(())
    }

    /// The data set whose data is in a table of the store.
    pub fn name_of_table(&self, table: &str) -> Option<String> {
        let mut found = None;
        let visited = self.catalog().for_each(None, |name, entry| {
            if entry.attributes().is_some_and(|attributes| crate::catalog::data_table(attributes.number) == table) {
                found = Some(name.to_string());
            }
        });
        visited.ok().and(found)
    }

    /// Whether a base cluster is open.
    pub fn is_open(&self, base: &str) -> bool {
        self.open.lock().get(base).is_some_and(|sphere| sphere.strong_count() > 0)
    }

    /// Refuses operations that remove records outside units of work, while the data set is open or changed by an in-doubt unit of work.
    pub(crate) fn must_be_free(&self, base: &str) -> Result<(), FileError> {
        if self.is_open(base) || self.is_in_doubt(base)? {
            return Err(FileError::InUse(base.to_string()));
        }
        Ok(())
    }

    /// Every change of a data set's records changes the table of its data.
    fn is_in_doubt(&self, base: &str) -> Result<bool, StoreError> {
        let Some(Entry::Cluster(cluster)) = self.catalog.get(base)? else { return Ok(false) };
        let table = self.store.existing_table(&crate::catalog::data_table(cluster.attributes.number));
        table.map_or(Ok(false), |table| self.store.is_in_doubt(&table))
    }

    /// The sphere of a base cluster, shared by all its users.
    pub(crate) fn sphere(&self, base: &str) -> Result<Arc<Sphere>, FileError> {
        let mut open = self.open.lock();
        if let Some(sphere) = open.get(base).and_then(Weak::upgrade) {
            return Ok(sphere);
        }
        let Some(Entry::Cluster(cluster)) = self.catalog.get(base)? else {
            return Err(FileError::DataSetNotFound(base.to_string()));
        };
        let mut indexes: Vec<(String, IndexEntry)> = Vec::new();
        for name in &cluster.indexes {
            if let Some(Entry::AlternateIndex(index)) = self.catalog.get(name)? {
                indexes.push((name.clone(), index));
            }
        }
        let sphere = Arc::new(Sphere::open(&self.store, base, &cluster, &indexes)?);
        open.insert(base.to_string(), Arc::downgrade(&sphere));
        Ok(sphere)
    }

    /// Saves the counters of every open data set (they are also saved when closed).
    pub fn save_statistics(&self) -> Result<(), FileError> {
        let spheres: Vec<_> = self.open.lock().values().filter_map(Weak::upgrade).collect();
        for sphere in spheres {
            sphere.save_statistics()?;
        }
        Ok(())
    }
}

/// An alternate index as a separate data set: a KSDS whose key follows the control information.
fn index_attributes(name: &str, index: &IndexEntry) -> FileAttributes {
    let attributes = &index.attributes;
    FileAttributes {
        data_set: name.to_string(),
        base: index.base.clone(),
        organization: Organization::Ksds,
        path: false,
        duplicates: false,
        key_length: attributes.key_length as usize,
        key_position: CONTROL_BYTES,
        record_length_max: attributes.record_max as usize,
        record_length_average: attributes.record_average as usize,
        fixed: false,
        recoverable: false,
        updates_allowed: false,
        log: LogOption::Undefined,
        log_stream: String::new(),
        log_replicate: false,
        backup: BackupOption::Undefined,
    }
}

pub(crate) fn attributes(name: &str, sphere: &Sphere, index: Option<usize>, recoverable: Option<bool>) -> FileAttributes {
    let base = &sphere.attributes;
    let (key_length, key_position, duplicates) = match index {
        Some(index) => {
            let index = &sphere.indexes[index];
            (index.key_length, index.key_position, !index.unique)
        }
        None => match sphere.organization {
            Organization::Ksds => (base.key_length as usize, base.key_position as usize, false),
            Organization::Esds | Organization::Linear => (8, 0, false),
            Organization::Rrds | Organization::Vrrds => (4, 0, false),
        },
    };
    FileAttributes {
        data_set: name.to_string(),
        base: sphere.name.clone(),
        organization: sphere.organization,
        path: index.is_some(),
        duplicates,
        key_length,
        key_position,
        record_length_max: base.record_max as usize,
        record_length_average: base.record_average as usize,
        fixed: base.record_average == base.record_max,
        recoverable: recoverable.unwrap_or(matches!(base.log, LogOption::Undo | LogOption::All)),
        updates_allowed: sphere.organization != Organization::Linear,
        log: base.log,
        log_stream: base.log_stream.clone(),
        log_replicate: base.log_replicate,
        backup: base.backup,
    }
}
