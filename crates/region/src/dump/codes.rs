//! The transaction dump table and the system dump table: what happens when a dump is requested with a code, and how often.
//!
//! Rules: "SET TRANDUMPCODE", "SET SYSDUMPCODE", "The dump code options you can specify" (Troubleshooting), DUMP, TRDUMAX, SYDUMAX and DAE of
//! the system initialization parameters. Invariants: a request is counted whatever becomes of it; entries that a request made are temporary
//! and last for the run, others are in the catalogue until a cold or initial start; a table has at most [`CODES_MAX`] entries.

use crate::name::Name8;
use crate::slots::AnySlot;
use crate::{Region, StartType};
use kernel::name::resized;
use parking_lot::Mutex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};
use vsam::{Change, Direction, StoreError, Table as StoreTable, Waiter};

crate::region_part!(DumpTables);

/// The place of the tables in a region.
pub(super) const SLOT: &dyn AnySlot = &IN_REGION;

/// Most entries of a table. A program could ask for dumps with any number of codes.
const CODES_MAX: usize = 10_000;
/// The MAXIMUM that stands for no limit, and the highest one (TRDUMAX).
pub const NO_LIMIT: u32 = 999;
/// Symptoms of dumps remembered for DAE.
const SYMPTOMS_MAX: usize = 10_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableKind {
    Transaction,
    System,
}

/// Whether system dumps are taken at all: DUMP, SET SYSTEM DUMPING.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum SystemDumping {
    Yes,
    No,
    /// Only for codes that somebody has defined.
    TableOnly,
}

/// The options of a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Actions {
    pub maximum: u32,
    pub shutdown: bool,
    /// RELATED: dumps of related regions, too.
    pub related: bool,
    pub system_dump: bool,
    /// Of a transaction dump code only.
    pub transaction_dump: bool,
    /// Of a system dump code only: a dump with the symptoms of an earlier one is not taken.
    pub dae: bool,
}

/// Dumps of a code.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    pub transaction_taken: u64,
    pub transaction_suppressed: u64,
    pub system_taken: u64,
    pub system_suppressed: u64,
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub code: Name8,
    pub actions: Actions,
    /// A request made it.
    pub is_temporary: bool,
    /// Requests since the last reset (CURRENT).
    pub current: u32,
    pub counts: Counts,
}

/// Who kept a dump from being taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Suppressor {
    /// The options of the code, its MAXIMUM, or DAE.
    Table,
    /// DUMP=NO, or SET SYSTEM NOSYSDUMP.
    Global,
    /// An exit program at XDUREQ.
    Exit,
}

/// The decision about a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    pub transaction_dump: bool,
    pub system_dump: Result<(), Suppressor>,
    pub shutdown: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    Exists,
    Unknown,
    Full,
}

#[derive(Default)]
struct Table {
    entries: BTreeMap<Name8, Entry>,
    /// Of entries that were removed, too.
    totals: Counts,
}

/// The dump tables of a region.
#[derive(Default)]
pub struct DumpTables {
    transaction: Mutex<Table>,
    system: Mutex<Table>,
    dumping: AtomicU8,
    symptoms: Mutex<BTreeSet<String>>,
    /// Ends the region at once, for SHUTDOWN of a code.
    terminate: OnceLock<fn(&'static Region)>,
}

/// A dump code: no blanks before or between its characters, which are printable. Lower case letters become upper case ones.
pub fn valid_code(text: &str) -> Option<Name8> {
    let text = text.trim_end();
    let valid = !text.is_empty() && text.len() <= 8 && text.chars().all(|character| character.is_ascii_graphic());
    valid.then(|| Name8::new(&text.to_ascii_uppercase()))
}

impl DumpTables {
    fn table(&self, kind: TableKind) -> &Mutex<Table> {
        match kind {
            TableKind::Transaction => &self.transaction,
            TableKind::System => &self.system,
        }
    }

    /// Takes DUMP, and the way to end the region.
    pub fn configure(&self, region: &Region, terminate: fn(&'static Region)) {
        self.set_dumping(match region.sit.get("DUMP") {
            "NO" => SystemDumping::No,
            "TABLEONLY" => SystemDumping::TableOnly,
            _ => SystemDumping::Yes,
        });
        let _ = self.terminate.set(terminate);
    }

    pub fn terminate(&self, region: &'static Region) {
        if let Some(terminate) = self.terminate.get() {
            terminate(region);
        }
    }

    pub fn dumping(&self) -> SystemDumping {
        match self.dumping.load(Ordering::Relaxed) {
            value if value == SystemDumping::No as u8 => SystemDumping::No,
            value if value == SystemDumping::TableOnly as u8 => SystemDumping::TableOnly,
            _ => SystemDumping::Yes,
        }
    }

    pub fn set_dumping(&self, dumping: SystemDumping) {
        self.dumping.store(dumping as u8, Ordering::Relaxed);
    }

    /// The options of an entry that a request makes, and of ADD where the command gives none.
    pub fn defaults(&self, region: &Region, kind: TableKind, is_temporary: bool) -> Actions {
        let maximum = region.sit.number(if kind == TableKind::Transaction { "TRDUMAX" } else { "SYDUMAX" });
        Actions {
            maximum,
            shutdown: false,
            related: false,
            system_dump: kind == TableKind::System,
            transaction_dump: kind == TableKind::Transaction,
            // ADD has NODAE whatever the parameter says ("SET SYSDUMPCODE").
            dae: is_temporary && region.sit.is("DAE", "YES"),
        }
    }

    /// The entry that a request is going to find or make; `None`: the table is full.
    pub fn entry_for_request(&self, region: &Region, kind: TableKind, code: Name8) -> Option<Entry> {
        let defaults = self.defaults(region, kind, true);
        let mut table = self.table(kind).lock();
        if table.entries.len() >= CODES_MAX && !table.entries.contains_key(&code) {
            return None;
        }
        Some(table.entries.entry(code).or_insert_with(|| Entry::temporary(code, defaults)).clone())
    }

    /// Decides about a request and counts it.
    pub fn request(&self, region: &Region, kind: TableKind, code: Name8) -> Verdict {
        let defaults = self.defaults(region, kind, true);
        let dumping = self.dumping();
        let mut table = self.table(kind).lock();
        let table = &mut *table;
        if table.entries.len() >= CODES_MAX && !table.entries.contains_key(&code) {
            return Verdict { transaction_dump: false, system_dump: Err(Suppressor::Table), shutdown: false };
        }
        let entry = table.entries.entry(code).or_insert_with(|| Entry::temporary(code, defaults));
        let verdict = entry.decide(dumping);
        if kind == TableKind::Transaction && !verdict.transaction_dump {
            entry.counts.transaction_suppressed += 1;
            table.totals.transaction_suppressed += 1;
        }
        if entry.actions.system_dump && verdict.system_dump.is_err() || kind == TableKind::System && verdict.system_dump.is_err() {
            entry.counts.system_suppressed += 1;
            table.totals.system_suppressed += 1;
        }
        verdict
    }

    /// A dump that a request allowed has been written.
    pub fn taken(&self, kind: TableKind, code: Name8, is_system_dump: bool) {
        let mut table = self.table(kind).lock();
        let table = &mut *table;
        let count = |counts: &mut Counts| match is_system_dump {
            true => counts.system_taken += 1,
            false => counts.transaction_taken += 1,
        };
        count(&mut table.totals);
        if let Some(entry) = table.entries.get_mut(&code) {
            count(&mut entry.counts);
        }
    }

    /// DAE: whether a dump with these symptoms has been taken already and the code has DAE. The request is counted as suppressed then.
    pub fn is_duplicate(&self, code: Name8, symptoms: &str) -> bool {
        if !self.symptoms.lock().contains(symptoms) {
            return false;
        }
        let mut table = self.system.lock();
        let table = &mut *table;
        let Some(entry) = table.entries.get_mut(&code).filter(|entry| entry.actions.dae) else { return false };
        entry.counts.system_suppressed += 1;
        table.totals.system_suppressed += 1;
        true
    }

    /// A dump with these symptoms has been written: another one is a duplicate.
    pub fn remember(&self, symptoms: String) {
        let mut known = self.symptoms.lock();
        if known.len() < SYMPTOMS_MAX {
            known.insert(symptoms);
        }
    }

    pub fn find(&self, kind: TableKind, code: Name8) -> Option<Entry> {
        self.table(kind).lock().entries.get(&code).cloned()
    }

    /// In the order of their codes.
    pub fn entries(&self, kind: TableKind) -> Vec<Entry> {
        self.table(kind).lock().entries.values().cloned().collect()
    }

    pub fn totals(&self, kind: TableKind) -> Counts {
        self.table(kind).lock().totals
    }

    pub fn add(&self, kind: TableKind, code: Name8, actions: Actions) -> Result<(), Refused> {
        let mut table = self.table(kind).lock();
        if table.entries.contains_key(&code) {
            return Err(Refused::Exists);
        }
        if table.entries.len() >= CODES_MAX {
            return Err(Refused::Full);
        }
        table.entries.insert(code, Entry { code, actions, is_temporary: false, current: 0, counts: Counts::default() });
        Ok(())
    }

    /// Changes an entry, which is returned as it is then.
    pub fn change(&self, kind: TableKind, code: Name8, change: impl FnOnce(&mut Entry)) -> Result<Entry, Refused> {
        let mut table = self.table(kind).lock();
        let entry = table.entries.get_mut(&code).ok_or(Refused::Unknown)?;
        change(entry);
        Ok(entry.clone())
    }

    pub fn remove(&self, kind: TableKind, code: Name8) -> Result<Entry, Refused> {
        self.table(kind).lock().entries.remove(&code).ok_or(Refused::Unknown)
    }
}

impl Entry {
    fn temporary(code: Name8, actions: Actions) -> Entry {
        Entry { code, actions, is_temporary: true, current: 0, counts: Counts::default() }
    }

    /// The options as words, for reports.
    pub fn options(&self) -> String {
        let Actions { shutdown, related, system_dump, transaction_dump, dae, .. } = self.actions;
        let words = [
            (transaction_dump, "TRANDUMP"),
            (system_dump, "SYSDUMP"),
            (related, "RELATED"),
            (shutdown, "SHUTDOWN"),
            (dae, "DAE"),
            (self.is_temporary, "temporary"),
        ];
        words.iter().filter(|(is_set, _)| *is_set).map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
    }

    fn decide(&mut self, dumping: SystemDumping) -> Verdict {
        self.current = self.current.saturating_add(1);
        let Actions { maximum, shutdown, system_dump, transaction_dump, .. } = self.actions;
        if maximum != NO_LIMIT && self.current > maximum {
            return Verdict { transaction_dump: false, system_dump: Err(Suppressor::Table), shutdown: false };
        }
        let is_global = match dumping {
            SystemDumping::Yes => false,
            SystemDumping::No => true,
            SystemDumping::TableOnly => self.is_temporary,
        };
        let system_dump = match (system_dump, is_global) {
            (false, _) => Err(Suppressor::Table),
            (true, true) => Err(Suppressor::Global),
            (true, false) => Ok(()),
        };
        Verdict { transaction_dump, system_dump, shutdown }
    }
}

/// The catalogue of entries: the table of the store, and a letter and the code as key.
pub(super) const CATALOGUE: &str = "diagnostics";
const FLAG_SHUTDOWN: u8 = 1;
const FLAG_RELATED: u8 = 2;
const FLAG_SYSTEM_DUMP: u8 = 4;
const FLAG_TRANSACTION_DUMP: u8 = 8;
const FLAG_DAE: u8 = 16;

fn key(kind: TableKind, code: Name8) -> Vec<u8> {
    let letter = if kind == TableKind::Transaction { b'T' } else { b'S' };
    [&[letter], code.as_bytes().as_slice()].concat()
}

impl Actions {
    fn encoded(&self) -> Vec<u8> {
        let flags = [
            (self.shutdown, FLAG_SHUTDOWN),
            (self.related, FLAG_RELATED),
            (self.system_dump, FLAG_SYSTEM_DUMP),
            (self.transaction_dump, FLAG_TRANSACTION_DUMP),
            (self.dae, FLAG_DAE),
        ];
        let flags = flags.iter().filter(|(is_set, _)| *is_set).fold(0, |all, (_, flag)| all | flag);
        [&self.maximum.to_be_bytes()[..], &[flags]].concat()
    }

    fn decoded(bytes: &[u8]) -> Option<Actions> {
        let (maximum, flags) = bytes.split_first_chunk::<4>()?;
        let flags = *flags.first()?;
        let has = |flag: u8| flags & flag != 0;
        Some(Actions {
            maximum: u32::from_be_bytes(*maximum),
            shutdown: has(FLAG_SHUTDOWN),
            related: has(FLAG_RELATED),
            system_dump: has(FLAG_SYSTEM_DUMP),
            transaction_dump: has(FLAG_TRANSACTION_DUMP),
            dae: has(FLAG_DAE),
        })
    }
}

/// Records an entry in the catalogue, or that it is gone.
pub fn catalogue(region: &Region, kind: TableKind, code: Name8, actions: Option<&Actions>, waiter: &dyn Waiter) -> Result<(), StoreError> {
    let table = region.store.table(CATALOGUE)?;
    let change = Change { table, key: key(kind, code), value: actions.map(Actions::encoded) };
    region.store.publish(vec![change], waiter)
}

/// Takes the entries of the catalogue, or removes them at a cold start.
pub fn recover(region: &'static Region, start: StartType, waiter: &dyn Waiter) -> Result<(), StoreError> {
    let table = region.store.table(CATALOGUE)?;
    let tables = DumpTables::of(region);
    let mut gone = Vec::new();
    for (letter, kind) in [(b'T', TableKind::Transaction), (b'S', TableKind::System)] {
        for (key, value) in records_of(region, &table, letter)? {
            let (code, actions) = (Name8::from_bytes(&key[1..]), Actions::decoded(&value));
            match actions.filter(|_| !start.is_cold()) {
                Some(actions) => drop(tables.add(kind, code, actions)),
                None => gone.push(Change { table: table.clone(), key, value: None }),
            }
        }
    }
    if gone.is_empty() { Ok(()) } else { region.store.publish(gone, waiter) }
}

/// The records whose keys begin with a letter.
fn records_of(region: &Region, table: &StoreTable, letter: u8) -> Result<Vec<(Vec<u8>, Vec<u8>)>, StoreError> {
    let mut records = Vec::new();
    region.store.scan(table, Some(&[letter]), Direction::Forward, &mut |key, value| {
        let is_own = key.first() == Some(&letter) && records.len() < CODES_MAX;
        if is_own && key.len() == 1 + Name8::BLANK.as_bytes().len() {
            records.push((key.to_vec(), value.to_vec()));
        }
        is_own
    })?;
    Ok(records)
}

/// A transaction's abend code or DUMPCODE as the code of the tables.
pub fn of_abend(code: &[u8; 4]) -> Option<Name8> {
    let name: Name8 = resized(&kernel::name::Name::<4>::from_bytes(code));
    valid_code(name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(maximum: u32) -> Entry {
        let actions = Actions { maximum, shutdown: true, related: false, system_dump: true, transaction_dump: true, dae: false };
        Entry { code: Name8::new("ABCD"), actions, is_temporary: true, current: 0, counts: Counts::default() }
    }

    #[test]
    fn actions_are_taken_up_to_the_maximum_and_not_after_it() {
        let mut limited = entry(2);
        for _ in 0..2 {
            let verdict = limited.decide(SystemDumping::Yes);
            assert_eq!(verdict, Verdict { transaction_dump: true, system_dump: Ok(()), shutdown: true });
        }
        let verdict = limited.decide(SystemDumping::Yes);
        assert_eq!(verdict, Verdict { transaction_dump: false, system_dump: Err(Suppressor::Table), shutdown: false });
        assert_eq!(limited.current, 3);
        let mut none = entry(0);
        assert!(!none.decide(SystemDumping::Yes).transaction_dump);
        let mut unlimited = entry(NO_LIMIT);
        assert!((0..NO_LIMIT * 2).all(|_| unlimited.decide(SystemDumping::Yes).transaction_dump));
        let mut nearly = entry(NO_LIMIT - 1);
        assert!((0..NO_LIMIT - 1).all(|_| nearly.decide(SystemDumping::Yes).transaction_dump));
        assert!(!nearly.decide(SystemDumping::Yes).transaction_dump);
    }

    #[test]
    fn global_suppression_leaves_transaction_dumps_and_shutdown() {
        let mut temporary = entry(NO_LIMIT);
        for dumping in [SystemDumping::No, SystemDumping::TableOnly] {
            let verdict = temporary.decide(dumping);
            assert_eq!(verdict, Verdict { transaction_dump: true, system_dump: Err(Suppressor::Global), shutdown: true });
        }
        let mut defined = Entry { is_temporary: false, ..entry(NO_LIMIT) };
        assert_eq!(defined.decide(SystemDumping::TableOnly).system_dump, Ok(()));
    }

    #[test]
    fn codes_have_no_blanks_inside_and_are_upper_case() {
        assert_eq!(valid_code("asra    "), Some(Name8::new("ASRA")));
        assert_eq!(valid_code("A*?$"), Some(Name8::new("A*?$")));
        for bad in ["", "    ", " ABC", "A C", "A\u{7}", "TOOLONGFORIT"] {
            assert_eq!(valid_code(bad), None, "{bad:?}");
        }
        let actions = entry(17).actions;
        assert_eq!(Actions::decoded(&actions.encoded()), Some(actions));
        assert_eq!(Actions::decoded(&[0, 0, 1]), None);
    }
}
