//! Generation data groups: absolute names of relative generations, roll-in and roll-off.
//!
//! Rules: generation n of group G is G.GnnnnVvv; relative 0 is the newest, -1 the one before it, +n the n-th after it, numbered on from the
//! newest and from 1 again after 9999. A generation rolled in beyond LIMIT rolls off the oldest (NOEMPTY) or all others (EMPTY); a lowered
//! LIMIT rolls off the oldest ones in excess of it, with or without EMPTY. A generation that rolls off is deleted with SCRATCH, if it has
//! expired or the group says PURGE. Otherwise it stays cataloged outside the group, and ALTER ROLLIN brings it back. One version is kept of
//! each generation: a new one rolls off the old one. A generation older than all of a full group stays outside. Invariant: the list of a
//! group is in the order of the generations' numbers, 1 to 999 behind those above 9000, and names entries that exist.

use crate::catalog::retention;
use crate::catalog::{CatalogChanges, Entry, GenerationGroupEntry, NAME_LENGTH_MAX, NonVsamEntry};
use crate::data_sets::DataSets;
use crate::error::{FileError, StoreError};

/// Generations that have left their group.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RolledOff {
    /// No longer cataloged: their data may go.
    pub scratched: Vec<String>,
    /// Cataloged outside the group.
    pub recataloged: Vec<String>,
}

/// STATUS of a data set that has the name of a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GenerationStatus {
    /// In its group.
    Active,
    /// Not yet.
    Deferred,
    /// No longer.
    RolledOff,
}

const NUMBER_MAX: i64 = 9999;
/// Numbers below the first, in a group that has one above the second, have begun again from 1.
const BEGUN_AGAIN_BELOW: i64 = 1000;
const NEAR_THE_END_ABOVE: i64 = 9000;
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

/// How many of a group's generations, in their order, are older than one with this number.
fn age_order(generations: &[String], number: u32) -> usize {
    let numbers = generations.iter().filter_map(|name| group_of(name)).map(|(_, number)| i64::from(number));
    let begun_again = numbers.chain([number.into()]).any(|number| number > NEAR_THE_END_ABOVE);
    let age = |number: i64| if begun_again && number < BEGUN_AGAIN_BELOW { number + NUMBER_MAX } else { number };
    let own = age(number.into());
    generations.iter().take_while(|name| group_of(name).is_some_and(|(_, other)| age(other.into()) < own)).count()
}

/// The entry of a file created by a step.
fn uncataloged() -> Entry {
    let created = crate::moment::Moment::now().ordinal();
    Entry::NonVsam(NonVsamEntry { device_types: String::new(), volumes: Vec::new(), created, expires: 0 })
}

impl DataSets {
    fn group(&self, base: &str) -> Result<GenerationGroupEntry, FileError> {
        match self.catalog().get(base)? {
            Some(Entry::GenerationGroup(group)) => Ok(group),
            _ => Err(FileError::DataSetNotFound(base.to_string())),
        }
    }

    /// The absolute name of a relative generation. A future one (`relative` above 0) need not exist; others must.
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

    /// A name from a statement, `NAME` or `NAME(relative)`, made absolute.
    pub fn absolute_name(&self, name: &str) -> Result<String, FileError> {
        let Some((base, rest)) = name.split_once('(') else { return Ok(name.to_string()) };
        let relative = rest.strip_suffix(')').and_then(|number| number.trim_start_matches('+').parse().ok());
        self.generation(base, relative.ok_or_else(|| FileError::DataSetNotFound(name.to_string()))?)
    }

    /// Catalogs a sequential data set created by a step, as DISP=(NEW,CATLG) does at the end of the step; returns the generations that are
    /// scratched for it. A data set already cataloged stays.
    pub fn catalog_sequential(&self, name: &str) -> Result<Vec<String>, FileError> {
        let _defining = self.defining();
        if self.catalog().get(name)?.is_some() {
            return Ok(Vec::new());
        }
        let mut changes = vec![(name.to_string(), Some(uncataloged()))];
        let rolled_off = self.roll_in(name, &mut changes)?;
        self.catalog().change(&changes)?;
        Ok(rolled_off.scratched)
    }

    /// Changes that catalog a generation in its group, if `name` is one, and the generations it rolls off.
    pub(crate) fn roll_in(&self, name: &str, changes: &mut CatalogChanges) -> Result<RolledOff, FileError> {
        let Some((base, _)) = group_of(name) else { return Ok(RolledOff::default()) };
        let Some(Entry::GenerationGroup(mut group)) = self.catalog().get(base)? else { return Ok(RolledOff::default()) };
        let rolled_off = self.admit(&mut group, name, changes)?;
        changes.push((base.to_string(), Some(Entry::GenerationGroup(group))));
        Ok(rolled_off)
    }

    /// ALTER ROLLIN: a data set with the name of a generation, cataloged outside its group, becomes one of it. So does the file
    /// (`has_file`) of a step that did not reach its end, which is not cataloged yet.
    pub fn roll_in_again(&self, name: &str, has_file: bool) -> Result<RolledOff, FileError> {
        let _defining = self.defining();
        let mut changes = CatalogChanges::new();
        match self.catalog().get(name)? {
            Some(_) => {}
            None if has_file => changes.push((name.to_string(), Some(uncataloged()))),
            None => return Err(FileError::DataSetNotFound(name.to_string())),
        }
        match self.generation_status(name)? {
            Some(GenerationStatus::Deferred | GenerationStatus::RolledOff) => {}
            Some(GenerationStatus::Active) => return Err(FileError::NotAllowed("the generation is rolled in already")),
            None => return Err(FileError::NotAllowed("the data set is no generation of a generation data group")),
        }
        let rolled_off = self.roll_in(name, &mut changes)?;
        if rolled_off.recataloged.iter().any(|other| other == name) {
            return Err(FileError::NotAllowed("the group is full, and its generations are newer"));
        }
        self.catalog().change(&changes)?;
        Ok(rolled_off)
    }

    /// The status of a data set with the name of a generation in its group; `None` if it has no group.
    pub fn generation_status(&self, name: &str) -> Result<Option<GenerationStatus>, StoreError> {
        let Some((base, number)) = group_of(name) else { return Ok(None) };
        let Some(Entry::GenerationGroup(group)) = self.catalog().get(base)? else { return Ok(None) };
        if group.generations.iter().any(|generation| generation == name) {
            return Ok(Some(GenerationStatus::Active));
        }
        // A generation newer than all others cannot have rolled off.
        let newest = age_order(&group.generations, number) == group.generations.len();
        Ok(Some(if newest { GenerationStatus::Deferred } else { GenerationStatus::RolledOff }))
    }

    /// Adds a generation to the list of a group, with the changes for scratched ones. One older than all generations of a full group is
    /// itself returned as rolled off.
    pub(crate) fn admit(&self, group: &mut GenerationGroupEntry, name: &str, changes: &mut CatalogChanges) -> Result<RolledOff, FileError> {
        let number = group_of(name).map_or(0, |(_, number)| number);
        let others = group.generations.iter().filter(|other| group_of(other).is_none_or(|(_, other)| other != number)).cloned();
        let mut others: Vec<String> = others.collect();
        let going = match (others.len() + 1).saturating_sub(group.limit as usize) {
            0 => 0,
            _ if group.empty => others.len(),
            beyond => beyond,
        };
        let at = age_order(&others, number);
        if at < going && !group.empty {
            return Ok(RolledOff { recataloged: vec![name.to_string()], ..RolledOff::default() });
        }
        let mut leaving: Vec<String> = others.drain(..going).collect();
        leaving.extend(group.generations.iter().filter(|other| group_of(other).is_some_and(|(_, other)| other == number)).cloned());
        others.insert(at.saturating_sub(going), name.to_string());
        group.generations = others;
        self.leave(group, leaving, changes)
    }

    /// Removes the oldest generations from the list of a group, with the changes for those that are scratched.
    pub(crate) fn roll_oldest(
        &self,
        group: &mut GenerationGroupEntry,
        count: usize,
        changes: &mut CatalogChanges,
    ) -> Result<RolledOff, FileError> {
        let leaving = group.generations.drain(..count).collect();
        self.leave(group, leaving, changes)
    }

    fn leave(&self, group: &GenerationGroupEntry, leaving: Vec<String>, changes: &mut CatalogChanges) -> Result<RolledOff, FileError> {
        let mut rolled_off = RolledOff::default();
        for name in leaving {
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

    /// Changes that remove a generation from the list of its group, if it is in one.
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
    fn numbers_begin_again_behind_the_last() {
        let group = |numbers: &[u32]| -> Vec<String> { numbers.iter().map(|number| format!("A.G{number:04}V00")).collect() };
        for (numbers, number, older) in [
            (&[3, 5, 7][..], 8, 3),
            (&[3, 5, 7], 6, 2),
            (&[3, 5, 7], 1, 0),
            (&[9998, 9999], 1, 2),
            (&[9998, 9999, 2], 1, 2),
            (&[9999, 1, 2], 9998, 0),
            (&[9999, 1, 2], 1000, 0),
            (&[999], 9001, 0),
            (&[], 5, 0),
        ] {
            assert_eq!(age_order(&group(numbers), number), older, "{number} in {numbers:?}");
        }
    }

    #[test]
    fn names_of_generations() {
        assert_eq!(group_of("A.B.G0012V00"), Some(("A.B", 12)));
        for name in ["A.B.G12V00", "A.B.G0012W00", ".G0012V00", "A.B.GABCDV00", "G0012V00"] {
            assert_eq!(group_of(name), None, "{name}");
        }
    }
}
