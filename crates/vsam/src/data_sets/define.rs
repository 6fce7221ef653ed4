//! Changing the catalog: DEFINE, DELETE, rename and ALTER of entries, with the tables that hold their data.
//!
//! Invariants: tables are created before the entry that owns them is committed, and dropped after the entry is deleted, so an interruption
//! leaves only tables without an owner (dropped at start); entries that refer to each other change in one unit of work; a data set that is
//! open is neither deleted nor renamed.

use crate::catalog::*;
use crate::data_sets::DataSets;
use crate::data_sets::generations::{RolledOff, group_of};
use crate::error::{FileError, StoreError};
use crate::sphere::STATISTICS_TABLE;
use crate::store::Change;

/// The name of a component without a given name.
fn component_name(name: &str, suffix: &str) -> String {
    if name.len() + suffix.len() < NAME_LENGTH_MAX {
        return format!("{name}.{suffix}");
    }
    let room = NAME_LENGTH_MAX - suffix.len() - 1;
    let cut = name[..room].trim_end_matches('.');
    format!("{cut}.{suffix}")
}

impl DataSets {
    fn must_be_new(&self, name: &str) -> Result<(), FileError> {
        match self.catalog().get(name)? {
            None => Ok(()),
            Some(_) => Err(FileError::DataSetExists(name.to_string())),
        }
    }

    /// Fills in the number and the component names, creates the tables, and lists the component entries.
    fn prepare(
        &self,
        name: &str,
        attributes: &mut Attributes,
        indexed: bool,
        ci_map: bool,
        changes: &mut CatalogChanges,
    ) -> Result<(), FileError> {
        self.must_be_new(name)?;
        attributes.number = self.catalog().new_number();
        if attributes.data_name.is_empty() {
            attributes.data_name = component_name(name, "DATA");
        }
        if !indexed {
            attributes.index_name = String::new();
        } else if attributes.index_name.is_empty() {
            attributes.index_name = component_name(name, "INDEX");
        }
        for (component, data) in [(&attributes.data_name, true), (&attributes.index_name, false)] {
            if !component.is_empty() {
                self.must_be_new(component)?;
                changes.push((component.clone(), Some(Entry::Component(name.to_string(), data))));
            }
        }
        let data = data_table(attributes.number);
        if attributes.compressed {
            // The key and the bytes in front of it are not compressed, as documented for a compressed record.
            self.store().compressed_table(&data, attributes.key_position + attributes.key_length)?;
        } else {
            self.store().table(&data)?;
        }
        if ci_map {
            self.store().table(&ci_table(attributes.number))?;
        }
        Ok(())
    }

    /// DEFINE CLUSTER.
    pub fn define_cluster(&self, name: &str, organization: Organization, mut attributes: Attributes) -> Result<(), FileError> {
        let _defining = self.defining();
        let indexed = organization.has_index();
        let mut changes = CatalogChanges::new();
        self.prepare(name, &mut attributes, indexed, indexed, &mut changes)?;
        let entry = ClusterEntry { organization, attributes, indexes: Vec::new(), paths: Vec::new() };
        changes.push((name.to_string(), Some(Entry::Cluster(entry))));
        Ok(self.catalog().change(&changes)?)
    }

    /// DEFINE ALTERNATEINDEX.
    pub fn define_index(&self, name: &str, base: &str, unique: bool, upgrade: bool, mut attributes: Attributes) -> Result<(), FileError> {
        let _defining = self.defining();
        let Some((base, Entry::Cluster(mut cluster))) = self.catalog().resolve(base)? else {
            return Err(FileError::DataSetNotFound(base.to_string()));
        };
        if !matches!(cluster.organization, Organization::Ksds | Organization::Esds) || cluster.attributes.reuse {
            return Err(FileError::NotAllowed("an alternate index needs a KSDS or ESDS without REUSE"));
        }
        if attributes.key_position.saturating_add(attributes.key_length) > cluster.attributes.record_max {
            return Err(FileError::NotAllowed("the alternate key lies outside the record"));
        }
        self.must_be_free(&base)?;
        let mut changes = CatalogChanges::new();
        self.prepare(name, &mut attributes, true, false, &mut changes)?;
        cluster.indexes.push(name.to_string());
        let entry = IndexEntry { base: base.clone(), unique, upgrade, attributes, paths: Vec::new() };
        changes.push((base, Some(Entry::Cluster(cluster))));
        changes.push((name.to_string(), Some(Entry::AlternateIndex(entry))));
        Ok(self.catalog().change(&changes)?)
    }

    /// DEFINE PATH.
    pub fn define_path(&self, name: &str, through: &str, update: bool) -> Result<(), FileError> {
        self.define_path_until(name, through, update, 0)
    }

    /// DEFINE PATH with an expiration date.
    pub(crate) fn define_path_until(&self, name: &str, through: &str, update: bool, expires: u32) -> Result<(), FileError> {
        let _defining = self.defining();
        self.must_be_new(name)?;
        let Some((through, mut entry)) = self.catalog().resolve(through)? else {
            return Err(FileError::DataSetNotFound(through.to_string()));
        };
        match &mut entry {
            Entry::Cluster(cluster) => cluster.paths.push(name.to_string()),
            Entry::AlternateIndex(index) => index.paths.push(name.to_string()),
            _ => return Err(FileError::NotAllowed("a path leads through a cluster or an alternate index")),
        }
        let path = PathEntry { entry: through.clone(), update, expires };
        let changes = vec![(through, Some(entry)), (name.to_string(), Some(Entry::Path(path)))];
        Ok(self.catalog().change(&changes)?)
    }

    /// Defines an entry without data: non-VSAM, generation group, alias.
    pub fn define_entry(&self, name: &str, entry: Entry) -> Result<RolledOff, FileError> {
        let _defining = self.defining();
        self.must_be_new(name)?;
        if let Entry::Alias(target) = &entry
            && self.catalog().get(target)?.is_none()
        {
            return Err(FileError::DataSetNotFound(target.clone()));
        }
        let mut changes = vec![(name.to_string(), Some(entry))];
        let rolled_off = self.roll_in(name, &mut changes)?;
        self.catalog().change(&changes)?;
        Ok(rolled_off)
    }

    /// DELETE: removes the entry and everything that depends on it. Returns the removed entries, in the order of the IDCAMS listing.
    pub fn delete(&self, name: &str) -> Result<Vec<(EntryKind, String)>, FileError> {
        let _defining = self.defining();
        let missing = || FileError::DataSetNotFound(name.to_string());
        let entry = self.catalog().get(name)?.ok_or_else(missing)?;
        let mut gone = Vec::new();
        let mut changes = CatalogChanges::new();
        let mut numbers = Vec::new();
        match &entry {
            Entry::Cluster(cluster) => {
                self.must_be_free(name)?;
                for path in &cluster.paths {
                    gone.push((EntryKind::Path, path.clone()));
                }
                for index in &cluster.indexes {
                    if let Some(Entry::AlternateIndex(entry)) = self.catalog().get(index)? {
                        list_index(index, &entry, &mut gone, &mut numbers);
                    }
                }
                list_components(EntryKind::Cluster, name, &cluster.attributes, &mut gone);
                numbers.push(cluster.attributes.number);
            }
            Entry::AlternateIndex(index) => {
                self.must_be_free(&index.base)?;
                list_index(name, index, &mut gone, &mut numbers);
                if let Some(Entry::Cluster(mut cluster)) = self.catalog().get(&index.base)? {
                    cluster.indexes.retain(|other| other != name);
                    changes.push((index.base.clone(), Some(Entry::Cluster(cluster))));
                }
            }
            Entry::Path(path) => {
                gone.push((EntryKind::Path, name.to_string()));
                if let Some(mut through) = self.catalog().get(&path.entry)? {
                    match &mut through {
                        Entry::Cluster(cluster) => cluster.paths.retain(|other| other != name),
                        Entry::AlternateIndex(index) => index.paths.retain(|other| other != name),
                        _ => {}
                    }
                    changes.push((path.entry.clone(), Some(through)));
                }
            }
            Entry::Component(..) => return Err(FileError::NotAllowed("a component is deleted with its cluster")),
            Entry::GenerationGroup(group) if !group.generations.is_empty() => {
                return Err(FileError::NotAllowed("the generation data group is not empty"));
            }
            other => gone.push((other.kind(), name.to_string())),
        }
        self.roll_off(name, &mut changes)?;
        for (_, name) in gone.clone() {
            gone.extend(self.aliases_of(&name)?.into_iter().map(|alias| (EntryKind::Alias, alias)));
        }
        changes.extend(gone.iter().map(|(_, name)| (name.clone(), None)));
        self.catalog().change(&changes)?;
        self.drop_data(&numbers)?;
        Ok(gone)
    }

    /// Other names of an entry: they go and change with it.
    pub(crate) fn aliases_of(&self, name: &str) -> Result<Vec<String>, StoreError> {
        let mut aliases = Vec::new();
        self.catalog().for_each(None, |alias, entry| {
            if matches!(&entry, Entry::Alias(target) if target == name) {
                aliases.push(alias.to_string());
            }
        })?;
        Ok(aliases)
    }

    /// Changes that rename a generation within its group, or move it to another group.
    fn rename_generation(&self, name: &str, new: &str, changes: &mut CatalogChanges) -> Result<RolledOff, FileError> {
        let (Some((base, _)), new_base) = (group_of(name), group_of(new).map(|(base, _)| base)) else {
            return self.roll_in(new, changes);
        };
        if Some(base) != new_base {
            self.roll_off(name, changes)?;
            return self.roll_in(new, changes);
        }
        match self.catalog().get(base)? {
            Some(Entry::GenerationGroup(mut group)) if group.generations.iter().any(|other| other == name) => {
                group.generations.retain(|other| other != name);
                let rolled_off = self.admit(&mut group, new, changes)?;
                changes.push((base.to_string(), Some(Entry::GenerationGroup(group))));
                Ok(rolled_off)
            }
            _ => Ok(RolledOff::default()),
        }
    }

    /// DELETE RECOVERY of a generation data group: its generations stay cataloged, outside of it.
    pub fn delete_group(&self, name: &str) -> Result<(), FileError> {
        self.alter(name, |entry| match entry {
            Entry::GenerationGroup(group) => {
                group.generations.clear();
                Ok(())
            }
            _ => Ok(()),
        })
        .map(drop)
    }

    fn drop_data(&self, numbers: &[u32]) -> Result<(), StoreError> {
        let statistics = self.store().table(STATISTICS_TABLE)?;
        for number in numbers {
            let key = number.to_be_bytes().to_vec();
            self.store().publish_now(vec![Change { table: statistics.clone(), key, value: None }])?;
            self.forget_backup(*number)?;
            for table in [data_table(*number), ci_table(*number)] {
                if self.store().existing_table(&table).is_some() {
                    self.store().drop_table(&table)?;
                }
            }
        }
        Ok(())
    }

    /// ALTER NEWNAME. A name in a generation group may roll off others.
    pub fn rename(&self, name: &str, new: &str) -> Result<RolledOff, FileError> {
        let _defining = self.defining();
        self.must_be_new(new)?;
        let entry = self.catalog().get(name)?.ok_or_else(|| FileError::DataSetNotFound(name.to_string()))?;
        let swap = |list: &mut Vec<String>| {
            list.iter_mut().filter(|other| *other == name).for_each(|other| *other = new.to_string());
        };
        if matches!(&entry, Entry::GenerationGroup(group) if !group.generations.is_empty()) {
            return Err(FileError::NotAllowed("the generation data group is not empty"));
        }
        let mut changes = vec![(name.to_string(), None)];
        for alias in self.aliases_of(name)? {
            changes.push((alias, Some(Entry::Alias(new.to_string()))));
        }
        let rolled_off = self.rename_generation(name, new, &mut changes)?;
        let base = match &entry {
            Entry::Cluster(_) => name.to_string(),
            Entry::AlternateIndex(index) => index.base.clone(),
            _ => String::new(),
        };
        self.must_be_free(&base)?;
        let mut related = Vec::new();
        match &entry {
            Entry::Cluster(cluster) => related.extend(cluster.indexes.iter().chain(&cluster.paths).cloned()),
            Entry::AlternateIndex(index) => {
                related.extend(index.paths.iter().cloned());
                related.push(index.base.clone());
            }
            Entry::Path(path) => related.push(path.entry.clone()),
            Entry::Component(owner, _) => related.push(owner.clone()),
            _ => {}
        }
        related.extend(entry.attributes().map(|attributes| attributes.data_name.clone()));
        related.extend(entry.attributes().map(|attributes| attributes.index_name.clone()));
        for other in related.iter().filter(|other| !other.is_empty()) {
            let Some(mut related) = self.catalog().get(other)? else { continue };
            match &mut related {
                Entry::Cluster(cluster) => {
                    swap(&mut cluster.indexes);
                    swap(&mut cluster.paths);
                }
                Entry::AlternateIndex(index) => {
                    swap(&mut index.paths);
                    if index.base == name {
                        index.base = new.to_string();
                    }
                }
                Entry::Path(path) if path.entry == name => path.entry = new.to_string(),
                Entry::Component(owner, _) if owner == name => *owner = new.to_string(),
                _ => {}
            }
            if let Some(attributes) = related.attributes_mut() {
                for component in [&mut attributes.data_name, &mut attributes.index_name] {
                    if component == name {
                        *component = new.to_string();
                    }
                }
            }
            changes.push((other.clone(), Some(related)));
        }
        changes.push((new.to_string(), Some(entry)));
        self.catalog().change(&changes)?;
        Ok(rolled_off)
    }

    /// ALTER of attributes: `alter` changes the entry; answers its error if it refuses. A lower LIMIT of a generation group rolls off.
    pub fn alter(&self, name: &str, alter: impl FnOnce(&mut Entry) -> Result<(), FileError>) -> Result<RolledOff, FileError> {
        let _defining = self.defining();
        let mut entry = self.catalog().get(name)?.ok_or_else(|| FileError::DataSetNotFound(name.to_string()))?;
        let base = match &entry {
            Entry::AlternateIndex(index) => index.base.clone(),
            _ => name.to_string(),
        };
        self.must_be_free(&base)?;
        alter(&mut entry)?;
        let (mut changes, mut rolled_off) = (CatalogChanges::new(), RolledOff::default());
        if let Entry::GenerationGroup(group) = &mut entry {
            let beyond = group.generations.len().saturating_sub(group.limit as usize);
            rolled_off = self.roll_oldest(group, beyond, &mut changes)?;
        }
        changes.push((name.to_string(), Some(entry)));
        self.catalog().change(&changes)?;
        Ok(rolled_off)
    }
}

fn list_components(kind: EntryKind, name: &str, attributes: &Attributes, gone: &mut Vec<(EntryKind, String)>) {
    gone.push((EntryKind::Data, attributes.data_name.clone()));
    if !attributes.index_name.is_empty() {
        gone.push((EntryKind::Index, attributes.index_name.clone()));
    }
    gone.push((kind, name.to_string()));
}

fn list_index(name: &str, index: &IndexEntry, gone: &mut Vec<(EntryKind, String)>, numbers: &mut Vec<u32>) {
    gone.extend(index.paths.iter().map(|path| (EntryKind::Path, path.clone())));
    list_components(EntryKind::AlternateIndex, name, &index.attributes, gone);
    numbers.push(index.attributes.number);
}
