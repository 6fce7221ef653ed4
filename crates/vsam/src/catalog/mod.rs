//! The VSAM catalog: entries for clusters, alternate indexes, paths, non-VSAM data sets, aliases and generation groups.
//!
//! The entries live in the store's table `vsam.catalog`, keyed by name, and change only in logged units of work. A cluster or alternate
//! index owns the tables `vsam.<number>.*`. Invariants: names are upper case and at most 44 characters; a path names an existing entry, an
//! alternate index an existing base, and both are listed in the entry they belong to. A table that no entry owns was left by an interrupted
//! DEFINE or DELETE, and is dropped at start.

mod entry_format;
pub(crate) mod retention;
mod space;

use std::sync::Arc;

pub use self::space::default_ci_size;
pub(crate) use self::space::{cis_per_track, index_shape};

use crate::error::StoreError;
use crate::store::{Direction, Store, Table};
use crate::wait::ThreadWaiter;

const CATALOG_TABLE: &str = "vsam.catalog";
/// Longest name of a data set.
pub const NAME_LENGTH_MAX: usize = 44;
/// Longest key of a KSDS or alternate index.
pub const KEY_LENGTH_MAX: usize = 255;
/// Longest record: a spanned record is limited by the control area, and by the longest value of the store.
pub const RECORD_LENGTH_MAX: usize = crate::store::VALUE_LENGTH_MAX;
/// Longest record that is not spanned: a control interval of 32,768 bytes without its control information.
pub const RECORD_LENGTH_NONSPANNED_MAX: usize = 32_761;
/// Longest record of a variable length RRDS: as above, without the number kept with it.
pub const RECORD_LENGTH_NUMBERED_MAX: usize = 32_757;

/// Organization of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Organization {
    Ksds,
    Esds,
    Rrds,
    /// RRDS with variable length records.
    Vrrds,
    Linear,
}

impl Organization {
    /// As people say it.
    pub fn name(self) -> &'static str {
        match self {
            Organization::Ksds => "KSDS",
            Organization::Esds => "ESDS",
            Organization::Rrds => "RRDS",
            Organization::Vrrds => "VRRDS",
            Organization::Linear => "LINEAR",
        }
    }

    /// Has an index component, and so control intervals that split.
    pub fn has_index(self) -> bool {
        matches!(self, Organization::Ksds | Organization::Vrrds)
    }
}

/// Unit of a space allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpaceUnit {
    Tracks,
    Cylinders,
    Records,
    Kilobytes,
    Megabytes,
}

/// LOG of a cluster: whether files over it are recoverable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogOption {
    Undefined,
    None,
    Undo,
    All,
}

/// BWO of a cluster: whether it may be backed up while it is open. CICS treats the types of other users as NO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackupOption {
    Undefined,
    No,
    TypeCics,
    TypeIms,
    TypeOther,
}

/// Common attributes of clusters and alternate indexes. Flags not used by any rule here are kept for listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// Number of the tables that hold the data.
    pub number: u32,
    pub data_name: String,
    pub index_name: String,
    /// Key length and position in the record; 0 and 0 for ESDS and RRDS.
    pub key_length: u32,
    pub key_position: u32,
    pub record_average: u32,
    pub record_max: u32,
    pub ci_size: u32,
    pub index_ci_size: u32,
    pub freespace_ci: u32,
    pub freespace_ca: u32,
    pub space_unit: SpaceUnit,
    pub space_primary: u32,
    pub space_secondary: u32,
    pub share_cross_region: u32,
    pub share_cross_system: u32,
    pub reuse: bool,
    pub spanned: bool,
    pub erase: bool,
    pub speed: bool,
    pub write_check: bool,
    pub buffer_space: u32,
    pub log: LogOption,
    pub log_stream: String,
    /// LOGREPLICATE: changes are logged for replication, to LOGSTREAMID.
    pub log_replicate: bool,
    pub backup: BackupOption,
    /// The data is compressed in the pages.
    pub compressed: bool,
    pub owner: String,
    pub volumes: Vec<String>,
    pub storage_class: String,
    pub management_class: String,
    pub data_class: String,
    /// Creation date, year x 1000 + day of the year; expiration date or 0.
    pub created: u32,
    pub expires: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterEntry {
    pub organization: Organization,
    pub attributes: Attributes,
    /// Names of the alternate indexes.
    pub indexes: Vec<String>,
    /// Names of paths directly over the cluster.
    pub paths: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexEntry {
    pub base: String,
    pub unique: bool,
    pub upgrade: bool,
    pub attributes: Attributes,
    pub paths: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathEntry {
    /// The alternate index or cluster the path leads through.
    pub entry: String,
    pub update: bool,
    /// Expiration date or 0.
    pub expires: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NonVsamEntry {
    pub device_types: String,
    pub volumes: Vec<String>,
    /// Creation date, year x 1000 + day of the year; expiration date or 0.
    pub created: u32,
    pub expires: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenerationGroupEntry {
    pub limit: u32,
    pub scratch: bool,
    pub empty: bool,
    pub fifo: bool,
    pub generations: Vec<String>,
    pub created: u32,
    pub expires: u32,
    /// A generation that rolls off is scratched even if it has not expired.
    pub purge: bool,
    /// LIMIT may be above 255.
    pub extended: bool,
}

/// The maximum number of generations of a group that is not EXTENDED.
pub const GENERATIONS_MAX: u32 = 255;

/// An entry of the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    Cluster(ClusterEntry),
    AlternateIndex(IndexEntry),
    Path(PathEntry),
    NonVsam(NonVsamEntry),
    GenerationGroup(GenerationGroupEntry),
    /// Another name of the entry named.
    Alias(String),
    /// The data (true) or index component of the entry named.
    Component(String, bool),
}

/// A set of entries to change together: `None` deletes.
pub type CatalogChanges = Vec<(String, Option<Entry>)>;

/// The VSAM catalog of a store.
pub struct Catalog {
    store: Arc<Store>,
    table: Table,
}

impl Catalog {
    pub(crate) fn open(store: &Arc<Store>) -> Result<Catalog, StoreError> {
        let catalog = Catalog { store: store.clone(), table: store.table(CATALOG_TABLE)? };
        catalog.drop_orphans()?;
        Ok(catalog)
    }

    fn drop_orphans(&self) -> Result<(), StoreError> {
        let mut used: Vec<u32> = Vec::new();
        self.for_each(None, |_, entry| used.extend(entry.attributes().map(|attributes| attributes.number)))?;
        for name in self.store.table_names() {
            if let Some(number) = table_number(&name)
                && !used.contains(&number)
            {
                tracing::info!("dropping table {name} of an interrupted DEFINE or DELETE");
                self.store.drop_table(&name)?;
            }
        }
        Ok(())
    }

    /// The entry of a name (upper case).
    pub fn get(&self, name: &str) -> Result<Option<Entry>, StoreError> {
        if name.is_empty() || name.len() > NAME_LENGTH_MAX {
            return Ok(None);
        }
        match self.store.get(&self.table, name.as_bytes())? {
            None => Ok(None),
            Some(bytes) => {
                Entry::decode(&bytes).map(Some).ok_or_else(|| StoreError::Invalid(format!("catalog entry {name} cannot be read")))
            }
        }
    }

    /// The entry of a name, through aliases.
    pub fn resolve(&self, name: &str) -> Result<Option<(String, Entry)>, StoreError> {
        match self.get(name)? {
            Some(Entry::Alias(target)) => Ok(self.get(&target)?.map(|entry| (target, entry))),
            other => Ok(other.map(|entry| (name.to_string(), entry))),
        }
    }

    /// Visits entries in name order, those with a prefix only if one is given.
    pub fn for_each(&self, prefix: Option<&str>, mut visit: impl FnMut(&str, Entry)) -> Result<(), StoreError> {
        let from = prefix.filter(|prefix| !prefix.is_empty()).map(str::as_bytes);
        let mut entries = Vec::new();
        self.store.scan(&self.table, from, Direction::Forward, &mut |key, value| {
            let name = String::from_utf8_lossy(key).into_owned();
            if prefix.is_some_and(|prefix| !name.starts_with(prefix)) {
                return false;
            }
            entries.push((name, Entry::decode(value)));
            true
        })?;
        for (name, entry) in entries {
            match entry {
                Some(entry) => visit(&name, entry),
                None => return Err(StoreError::Invalid(format!("catalog entry {name} cannot be read"))),
            }
        }
        Ok(())
    }

    /// Changes entries together, durably.
    pub fn change(&self, changes: &CatalogChanges) -> Result<(), StoreError> {
        let unit = self.store.begin();
        for (name, entry) in changes {
            debug_assert!(name.len() <= NAME_LENGTH_MAX && *name == name.to_uppercase());
            match entry {
                Some(entry) => unit.put(&self.table, name.as_bytes(), &entry.encode())?,
                None => unit.delete(&self.table, name.as_bytes())?,
            }
        }
        unit.commit(&ThreadWaiter::new())
    }

    /// A number for the tables of a new entry.
    pub(crate) fn new_number(&self) -> u32 {
        let used = self.store.table_names().iter().filter_map(|name| table_number(name)).max();
        used.map_or(1, |used| used + 1)
    }
}

fn table_number(name: &str) -> Option<u32> {
    name.strip_prefix("vsam.")?.split('.').next()?.parse().ok()
}

/// Name of the table with the records of a cluster or the entries of an alternate index.
pub(crate) fn data_table(number: u32) -> String {
    format!("vsam.{number}.data")
}

/// Name of the table with the control interval map of a KSDS.
pub(crate) fn ci_table(number: u32) -> String {
    format!("vsam.{number}.ci")
}

impl Entry {
    pub fn attributes(&self) -> Option<&Attributes> {
        match self {
            Entry::Cluster(cluster) => Some(&cluster.attributes),
            Entry::AlternateIndex(index) => Some(&index.attributes),
            _ => None,
        }
    }

    pub fn attributes_mut(&mut self) -> Option<&mut Attributes> {
        match self {
            Entry::Cluster(cluster) => Some(&mut cluster.attributes),
            Entry::AlternateIndex(index) => Some(&mut index.attributes),
            _ => None,
        }
    }

    /// Expiration date, 0 if there is none.
    pub fn expires(&self) -> u32 {
        match self {
            Entry::Path(path) => path.expires,
            Entry::NonVsam(entry) => entry.expires,
            Entry::GenerationGroup(group) => group.expires,
            other => other.attributes().map_or(0, |attributes| attributes.expires),
        }
    }

    /// The expiration date of an entry; aliases and components have none.
    pub(crate) fn expires_mut(&mut self) -> Option<&mut u32> {
        match self {
            Entry::Path(path) => Some(&mut path.expires),
            Entry::NonVsam(entry) => Some(&mut entry.expires),
            Entry::GenerationGroup(group) => Some(&mut group.expires),
            other => other.attributes_mut().map(|attributes| &mut attributes.expires),
        }
    }
}

impl Attributes {
    /// Attributes with IDCAMS's defaults and one cylinder of space.
    pub fn new(key_length: u32, key_position: u32, record_average: u32, record_max: u32) -> Attributes {
        Attributes {
            number: 0,
            data_name: String::new(),
            index_name: String::new(),
            key_length,
            key_position,
            record_average,
            record_max,
            ci_size: default_ci_size(record_max, false),
            index_ci_size: 512,
            freespace_ci: 0,
            freespace_ca: 0,
            space_unit: SpaceUnit::Cylinders,
            space_primary: 1,
            space_secondary: 1,
            share_cross_region: 1,
            share_cross_system: 3,
            reuse: false,
            spanned: false,
            erase: false,
            speed: false,
            write_check: false,
            buffer_space: 0,
            log: LogOption::Undefined,
            log_stream: String::new(),
            log_replicate: false,
            backup: BackupOption::Undefined,
            compressed: false,
            owner: String::new(),
            volumes: Vec::new(),
            storage_class: String::new(),
            management_class: String::new(),
            data_class: String::new(),
            created: 0,
            expires: 0,
        }
    }
}

/// The kind of a deleted or listed entry, as IDCAMS letters it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    Cluster,
    Data,
    Index,
    AlternateIndex,
    Path,
    NonVsam,
    GenerationGroup,
    Alias,
}

impl EntryKind {
    pub fn letter(self) -> char {
        match self {
            EntryKind::Cluster => 'C',
            EntryKind::Data => 'D',
            EntryKind::Index => 'I',
            EntryKind::AlternateIndex => 'G',
            EntryKind::Path => 'R',
            EntryKind::NonVsam => 'A',
            EntryKind::GenerationGroup => 'B',
            EntryKind::Alias => 'X',
        }
    }
}

impl Entry {
    pub fn kind(&self) -> EntryKind {
        match self {
            Entry::Cluster(_) => EntryKind::Cluster,
            Entry::AlternateIndex(_) => EntryKind::AlternateIndex,
            Entry::Path(_) => EntryKind::Path,
            Entry::NonVsam(_) => EntryKind::NonVsam,
            Entry::GenerationGroup(_) => EntryKind::GenerationGroup,
            Entry::Alias(_) => EntryKind::Alias,
            Entry::Component(_, true) => EntryKind::Data,
            Entry::Component(_, false) => EntryKind::Index,
        }
    }
}
