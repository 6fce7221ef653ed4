//! The data sets of a store: opening files by name, and the spheres that are open.
//!
//! Invariants: everyone who has a base cluster open, by whatever name, shares one `Sphere`; the catalog is changed under
//! `defining` only.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::{Mutex, MutexGuard};

use crate::catalog::{Catalog, Entry, IndexEntry, LogOption, Organisation};
use crate::error::FileError;
use crate::file::{File, FileAttributes, OpenOptions};
use crate::sphere::Sphere;
use crate::store::Store;

/// The data sets of a store: its VSAM catalog and what is open.
pub struct DataSets {
    store: Arc<Store>,
    catalog: Catalog,
    open: Mutex<HashMap<String, Weak<Sphere>>>,
    /// Serialises changes of the catalog.
    defining: Mutex<()>,
    next_file: AtomicU64,
}

impl DataSets {
    pub fn new(store: Arc<Store>) -> Result<Arc<DataSets>, FileError> {
        let catalog = Catalog::open(&store)?;
        let open = Mutex::new(HashMap::new());
        Ok(Arc::new(DataSets { store, catalog, open, defining: Mutex::new(()), next_file: AtomicU64::new(1) }))
    }

    pub(crate) fn defining(&self) -> MutexGuard<'_, ()> {
        self.defining.lock()
    }

    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Opens a cluster, an alternate index or a path by its name.
    pub fn open(self: &Arc<Self>, name: &str, options: OpenOptions) -> Result<File, FileError> {
        let name = name.trim().to_uppercase();
        let missing = || FileError::DataSetNotFound(name.clone());
        let (name, entry) = self.catalog.resolve(&name)?.ok_or_else(missing)?;
        let (base, index) = match &entry {
            Entry::Cluster(_) => (name.clone(), None),
            Entry::AlternateIndex(index) => (index.base.clone(), Some(name.clone())),
            Entry::Path(path) => match self.catalog.get(&path.entry)?.ok_or_else(missing)? {
                Entry::AlternateIndex(index) => (index.base, Some(path.entry.clone())),
                _ => (path.entry.clone(), None),
            },
            _ => return Err(FileError::NotAllowed("not a VSAM data set")),
        };
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
        let attributes = attributes(&name, &sphere, index, options.recoverable);
        Ok(File::new(attributes, sphere, index, self.next_file.fetch_add(1, Ordering::Relaxed)))
    }

    fn reset(&self, base: &str) -> Result<(), FileError> {
        if self.is_open(base) {
            return Err(FileError::InUse(base.to_string()));
        }
        let sphere = self.sphere(base)?;
        if sphere.attributes.reuse {
            sphere.clear()?;
        } else if !sphere.is_empty()? {
            return Err(FileError::NotAllowed("the data set is not REUSE and not empty"));
        }
        Ok(())
    }

    /// Whether a base cluster is open.
    pub fn is_open(&self, base: &str) -> bool {
        self.open.lock().get(base).is_some_and(|sphere| sphere.strong_count() > 0)
    }

    /// The sphere of a base cluster, shared by all who have it open.
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

fn attributes(name: &str, sphere: &Sphere, index: Option<usize>, recoverable: Option<bool>) -> FileAttributes {
    let base = &sphere.attributes;
    let (key_length, key_position, duplicates) = match index {
        Some(index) => {
            let index = &sphere.indexes[index];
            (index.key_length, index.key_position, !index.unique)
        }
        None => match sphere.organisation {
            Organisation::Ksds => (base.key_length as usize, base.key_position as usize, false),
            Organisation::Esds | Organisation::Linear => (8, 0, false),
            Organisation::Rrds | Organisation::Vrrds => (4, 0, false),
        },
    };
    FileAttributes {
        data_set: name.to_string(),
        base: sphere.name.clone(),
        organisation: sphere.organisation,
        path: index.is_some(),
        duplicates,
        key_length,
        key_position,
        record_length_max: base.record_max as usize,
        record_length_average: base.record_average as usize,
        fixed: base.record_average == base.record_max,
        recoverable: recoverable.unwrap_or(matches!(base.log, LogOption::Undo | LogOption::All)),
        updates_allowed: sphere.organisation != Organisation::Linear,
        log: base.log,
    }
}
