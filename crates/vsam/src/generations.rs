//! Generation data groups: absolute names of relative generations, and rolling in and off.
//!
//! Rules: generation n of group G is G.GnnnnVvv; relative 0 is the newest, -1 the one before it, +n the n-th to come, numbered from the
//! newest and from 1 again after 9999. A generation rolled in beyond LIMIT rolls off the oldest (NOEMPTY) or all others (EMPTY); a LIMIT made
//! lower rolls off the oldest, as many as are too many, whatever EMPTY says. What rolls off is deleted with SCRATCH, if it has expired or the
//! group says PURGE, and else stays cataloged outside the group. Invariant: the list of a group is in the order its
//! generations were rolled in, and names entries that exist.

use crate::catalog::{CatalogChanges, Entry, GenerationGroupEntry, NAME_LENGTH_MAX, NonVsamEntry};
use crate::error::FileError;
use crate::file::DataSets;
use crate::retention;

/// Generations that have left their group.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RolledOff {
    /// No longer cataloged: their data may go.
    pub scratched: Vec<String>,
    /// Cataloged outside the group.
    pub recataloged: Vec<String>,
}

const NUMBER_MAX: i64 = 9999;
/// Of `.GnnnnVvv`.
const SUFFIX_LENGTH: usize = 9;

/// The group and number of a generation's name.
pub fn group_of(name: &str) -> Option<(&str, u32)> {
    let at = name.len().checked_sub(SUFFIX_LENGTH)?;
    let (base, suffix) = (name.get(..at)?, name.get(at..)?);
    let digits = |range: std::ops::Range<usize>| suffix[range].bytes().all(|byte| byte.is_ascii_digit());
    let formed = suffix.is_ascii() && suffix.starts_with(".G") && suffix.as_bytes()[6] == b'V' && digits(2..6) && digits(7..9);
    if formed && !base.is_empty() { Some((base, suffix[2..6].parse().ok()?)) } else { None }
}

impl DataSets {
    fn group(&self, base: &str) -> Result<GenerationGroupEntry, FileError> {
        match self.catalog().get(base)? {
            Some(Entry::GenerationGroup(group)) => Ok(group),
            _ => Err(FileError::DataSetNotFound(base.to_string())),
        }
    }

    /// The absolute name of a relative generation. One to come (`relative` above 0) need not exist; others do.
    pub fn generation(&self, base: &str, relative: i32) -> Result<String, FileError> {
        let group = self.group(base)?;
        let missing = || FileError::DataSetNotFound(format!("{base}({relative})"));
        if relative <= 0 {
            let back = relative.unsigned_abs() as usize;
            let at = group.generations.len().checked_sub(back + 1).ok_or_else(missing)?;
            return Ok(group.generations[at].clone());
        }
        let newest = group.generations.last().and_then(|name| group_of(name)).map_or(0, |(_, number)| number);
        let number = (i64::from(newest) + i64::from(relative) - 1).rem_euclid(NUMBER_MAX) + 1;
        let name = format!("{base}.G{number:04}V00");
        if name.len() > NAME_LENGTH_MAX { Err(missing()) } else { Ok(name) }
    }

    /// A name as a statement gives it, `NAME` or `NAME(relative)`, made absolute.
    pub fn absolute_name(&self, name: &str) -> Result<String, FileError> {
        let Some((base, rest)) = name.split_once('(') else { return Ok(name.to_string()) };
        let relative = rest.strip_suffix(')').and_then(|number| number.trim_start_matches('+').parse().ok());
        self.generation(base, relative.ok_or_else(|| FileError::DataSetNotFound(name.to_string()))?)
    }

    /// Catalogs a sequential data set that a step has made, as DISP=(NEW,CATLG) does at the step's end; answers the generations that are
    /// scratched for it. One that is cataloged already stays.
    pub fn catalog_sequential(&self, name: &str) -> Result<Vec<String>, FileError> {
        let _defining = self.defining();
        if self.catalog().get(name)?.is_some() {
            return Ok(Vec::new());
        }
        let created = crate::idcams::Moment::now().ordinal();
        let entry = NonVsamEntry { device_types: String::new(), volumes: Vec::new(), created, expires: 0 };
        let mut changes = vec![(name.to_string(), Some(Entry::NonVsam(entry)))];
        let rolled_off = self.roll_in(name, &mut changes)?;
        self.catalog().change(&changes)?;
        Ok(rolled_off.scratched)
    }

    /// Changes that catalog a generation in its group, if `name` is one, and what rolls off for it.
    pub(crate) fn roll_in(&self, name: &str, changes: &mut CatalogChanges) -> Result<RolledOff, FileError> {
        let Some((base, _)) = group_of(name) else { return Ok(RolledOff::default()) };
        let Some(Entry::GenerationGroup(mut group)) = self.catalog().get(base)? else { return Ok(RolledOff::default()) };
        let there = group.generations.len();
        let going = match (there + 1).saturating_sub(group.limit as usize) {
            0 => 0,
            _ if group.empty => there,
            beyond => beyond,
        };
        let rolled_off = self.roll_oldest(&mut group, going, changes)?;
        group.generations.push(name.to_string());
        changes.push((base.to_string(), Some(Entry::GenerationGroup(group))));
        Ok(rolled_off)
    }

    /// Takes the oldest generations off a group's list, with the changes for those that are scratched.
    pub(crate) fn roll_oldest(
        &self, group: &mut GenerationGroupEntry, count: usize, changes: &mut CatalogChanges,
    ) -> Result<RolledOff, FileError> {
        let mut rolled_off = RolledOff::default();
        for name in group.generations.drain(..count) {
            let expires = self.catalog().get(&name)?.map_or(0, |entry| entry.expires());
            if !group.scratch || !group.purge && retention::keeps(expires) {
                rolled_off.recataloged.push(name);
                continue;
            }
            changes.extend(self.aliases_of(&name)?.into_iter().map(|alias| (alias, None)));
            changes.push((name.clone(), None));
            rolled_off.scratched.push(name);
        }
        Ok(rolled_off)
    }

    /// Changes that take a generation off its group's list, if it is on one.
    pub(crate) fn roll_off(&self, name: &str, changes: &mut CatalogChanges) -> Result<(), FileError> {
        let Some((base, _)) = group_of(name) else { return Ok(()) };
        if let Some(Entry::GenerationGroup(mut group)) = self.catalog().get(base)? {
            group.generations.retain(|other| other != name);
            changes.push((base.to_string(), Some(Entry::GenerationGroup(group))));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_generations() {
        assert_eq!(group_of("A.B.G0012V00"), Some(("A.B", 12)));
        for name in ["A.B.G12V00", "A.B.G0012W00", ".G0012V00", "A.B.GABCDV00", "G0012V00"] {
            assert_eq!(group_of(name), None, "{name}");
        }
    }
}
