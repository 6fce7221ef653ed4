//! Storage of one task: one arena for each line and key, opened on first use, freed in bulk.
//!
//! Invariants: it belongs to the code of its task, and only that obtains and frees; others look at its elements, so a lock guards them;
//! after `end` all of it has been freed; the arenas themselves are recycled, so a task that needs little storage allocates one block.

use super::Storage;
use super::areas::Areas;
use super::arena::Arena;
use super::dsa::Dsa;
use super::figures::{ArenaFigures, TaskSubpoolStatistics};
use super::request::{Getmain, StorageError, Violation};
use crate::addresses::{self, Key, Line};
use crate::keys::isolation::Subspace;
use crate::lock_order::{Ordered, rank};
use crate::name::Name8;
use std::sync::Arc;

const CLASSES: usize = 6;

type Arenas = Arc<Ordered<[Option<Box<Arena>>; CLASSES], { rank::ARENA }>>;

/// Storage of one task. Freed by [`TaskStorage::end`], or when dropped.
#[derive(Debug)]
pub struct TaskStorage {
    storage: Storage,
    number: u32,
    arenas: Arenas,
    subspace: Option<Subspace>,
    /// How often storage was obtained or freed.
    changes: u64,
    /// The bytes of each class, as its arena counts them: the task itself looks at them without the lock.
    bytes: [usize; CLASSES],
}

/// The elements of a task's storage as other tasks may inquire about them (INQUIRE STORAGE). Empty when the task has ended.
#[derive(Clone, Default, Debug)]
pub struct TaskElements(Arenas);

/// An element of task storage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskElement {
    pub dsa: Dsa,
    pub subpool: Name8,
    /// Of the first byte of the data.
    pub address: usize,
    /// As requested.
    pub length: usize,
}

impl TaskElements {
    /// The element that contains the address.
    pub fn find(&self, address: usize) -> Option<TaskElement> {
        let arenas = self.0.lock();
        let found = arenas.iter().flatten().find_map(|arena| Some((arena, arena.find(address)?)));
        found.map(|(arena, (address, length))| TaskElement { dsa: arena.dsa(), subpool: arena.name(), address, length })
    }

    /// Adds its figures to those of the task subpools.
    pub(super) fn add_to(&self, all: &mut [TaskSubpoolStatistics; CLASSES]) {
        for (of, arena) in all.iter_mut().zip(&*self.0.lock()) {
            let Some(arena) = arena else { continue };
            debug_assert_eq!(of.dsa, arena.dsa());
            let figures = arena.figures;
            of.getmains += figures.getmains;
            of.freemains += figures.freemains;
            of.elements += figures.elements;
            of.bytes += figures.bytes;
        }
    }

    /// All elements, in order of address within each DSA.
    pub fn all(&self) -> Vec<TaskElement> {
        let of = |arena: &Arena| {
            let (dsa, subpool) = (arena.dsa(), arena.name());
            let element = move |(address, length)| TaskElement { dsa, subpool, address, length };
            arena.elements().into_iter().map(element).collect::<Vec<_>>()
        };
        self.0.lock().iter().flatten().flat_map(|arena| of(arena)).collect()
    }
}

/// The DSAs of task storage.
pub const TASK_DSAS: [Dsa; CLASSES] = [Dsa::Cdsa, Dsa::Udsa, Dsa::Ecdsa, Dsa::Eudsa, Dsa::Gcdsa, Dsa::Gudsa];

/// Storage figures of one task in one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskStorageFigures {
    pub line: Line,
    pub key: Key,
    pub figures: ArenaFigures,
}

/// The letter of the check zones and the subpool name, by DSA.
const LETTERS: [char; CLASSES] = ['M', 'B', 'C', 'U', 'G', 'V'];

fn class_index(line: Line, key: Key) -> usize {
    line as usize * 2 + key as usize
}

/// Letter and seven digits in EBCDIC, as a dump shows them.
fn check_zone(letter: char, number: u32) -> [u8; 8] {
    let mut zone = [0; 8];
    zone[0] = match letter {
        'A'..='I' => 0xC1 + (letter as u8 - b'A'),
        'J'..='R' => 0xD1 + (letter as u8 - b'J'),
        _ => 0xE2 + (letter as u8 - b'S'),
    };
    let mut rest = number % 10_000_000;
    for digit in zone[1..].iter_mut().rev() {
        *digit = 0xF0 + (rest % 10) as u8;
        rest /= 10;
    }
    zone
}

/// The subpool of a task's storage: letter and seven digits.
fn subpool_name(letter: char, number: u32) -> Name8 {
    let mut name = [letter as u8; 8];
    let mut rest = number % 10_000_000;
    for digit in name[1..].iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    Name8::from_bytes(&name)
}

impl TaskStorage {
    pub(crate) fn new(storage: Storage, number: u32) -> TaskStorage {
        TaskStorage { storage, number, arenas: Arc::default(), subspace: None, changes: 0, bytes: [0; CLASSES] }
    }

    /// What others may see of it.
    pub fn shared_elements(&self) -> TaskElements {
        TaskElements(self.arenas.clone())
    }

    /// Puts the task's user-key storage below 2 GB into a subspace. Called before any of it is allocated.
    pub fn isolate(&mut self, subspace: Subspace) {
        debug_assert!(TASK_DSAS.iter().zip(&*self.arenas.lock()).all(|(dsa, arena)| arena.is_none() || !dsa.is_isolated()));
        debug_assert!(self.subspace.is_none(), "a task has one subspace");
        self.storage.0.subspaces.of(subspace.is_unique()).enter();
        self.subspace = Some(subspace);
    }

    /// The task's subspace, with transaction isolation.
    pub fn subspace(&self) -> Option<&Subspace> {
        self.subspace.as_ref()
    }

    pub fn number(&self) -> u32 {
        self.number
    }

    /// GETMAIN of task lifetime. The address is on a 16-byte boundary; contents are undefined without `initial`.
    #[inline]
    pub fn getmain(&mut self, request: Getmain) -> Result<usize, StorageError> {
        self.changes += 1;
        let index = class_index(request.line, request.key);
        let areas: &Areas = &self.storage.0;
        let (obtained, bytes) = {
            let mut arenas = self.arenas.lock();
            let arena = arenas[index].get_or_insert_with(|| self.open(index));
            (arena.getmain(areas, request.length, false), arena.figures.bytes)
        };
        self.bytes[index] = bytes;
        let address = obtained?;
        if let Some(byte) = request.initial {
            addresses::fill(address, request.length, byte);
        }
        Ok(address)
    }

    fn open(&self, index: usize) -> Box<Arena> {
        let (letter, dsa) = (LETTERS[index], TASK_DSAS[index]);
        let units = self.storage.0.dsas[dsa as usize].units;
        let mut arena = self.storage.0.take_arena();
        arena.open_for_task((dsa, units), subpool_name(letter, self.number), check_zone(letter, self.number), self.number);
        arena.subspace = self.subspace.clone().filter(|_| dsa.is_isolated());
        arena
    }

    /// FREEMAIN: returns the length.
    #[inline]
    pub fn freemain(&mut self, address: usize) -> Result<usize, StorageError> {
        self.changes += 1;
        let areas: &Areas = &self.storage.0;
        for (arena, bytes) in self.arenas.lock().iter_mut().zip(&mut self.bytes) {
            let Some(arena) = arena else { continue };
            let freed = arena.freemain(areas, address);
            *bytes = arena.figures.bytes;
            if !matches!(freed, Err(StorageError::NotOwned)) {
                return freed;
            }
        }
        Err(StorageError::NotOwned)
    }

    /// Hands an element that was obtained for this line and key out to the program, which may free it.
    pub fn hand_out(&mut self, line: Line, key: Key, address: usize) {
        if let Some(arena) = &mut self.arenas.lock()[class_index(line, key)] {
            arena.hand_out(address);
        }
    }

    /// FREEMAIN by a program, of an element that was handed out: returns the length.
    pub fn freemain_of_program(&mut self, address: usize) -> Result<usize, StorageError> {
        self.changes += 1;
        let areas: &Areas = &self.storage.0;
        for (arena, bytes) in self.arenas.lock().iter_mut().zip(&mut self.bytes) {
            let Some(arena) = arena else { continue };
            let freed = arena.freemain_of_program(areas, address);
            *bytes = arena.figures.bytes;
            if !matches!(freed, Err(StorageError::NotOwned)) {
                return freed;
            }
        }
        Err(StorageError::NotOwned)
    }

    /// Length of the element at the address.
    pub fn length(&self, address: usize) -> Option<usize> {
        self.arenas.lock().iter().flatten().find_map(|arena| arena.length(address))
    }

    /// Start and length of the element that contains the address.
    pub fn find(&self, address: usize) -> Option<(usize, usize)> {
        self.arenas.lock().iter().flatten().find_map(|arena| arena.find(address))
    }

    /// All elements in order of address within each subpool, for dumps.
    pub fn elements(&self) -> Vec<(Name8, usize, usize)> {
        self.shared_elements().all().into_iter().map(|element| (element.subpool, element.address, element.length)).collect()
    }

    /// Checks all check zones now (CHKSTSK).
    pub fn check(&self) -> Vec<Violation> {
        let mut found = Vec::new();
        self.arenas.lock().iter().flatten().for_each(|arena| arena.check_all(&mut found));
        found
    }

    /// Getmains, occupancy and peaks by class used.
    pub fn figures(&self) -> Vec<TaskStorageFigures> {
        let lines = [Line::Below16M, Line::Below2G, Line::Above];
        let classes = lines.into_iter().flat_map(|line| [(line, Key::Cics), (line, Key::User)]);
        classes
            .zip(&*self.arenas.lock())
            .filter_map(|((line, key), arena)| arena.as_ref().map(|arena| TaskStorageFigures { line, key, figures: arena.figures }))
            .collect()
    }

    /// Bytes of a line that the task holds.
    #[inline]
    pub fn held(&self, line: Line) -> usize {
        self.bytes[class_index(line, Key::Cics)..].iter().take(2).sum()
    }

    /// Changes whenever what the task holds may have changed.
    #[inline]
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Frees everything; returns the damaged check zones found.
    pub fn end(&mut self) -> Vec<Violation> {
        let mut found = Vec::new();
        self.bytes = [0; CLASSES];
        for arena in &mut *self.arenas.lock() {
            if let Some(mut arena) = arena.take() {
                arena.close(&self.storage.0, &mut found);
                self.storage.0.return_arena(arena);
            }
        }
        found
    }
}

impl Drop for TaskStorage {
    fn drop(&mut self) {
        let violations = self.end();
        if !violations.is_empty() {
            tracing::error!("task {} left {} storage violations", self.number, violations.len());
        }
        if let Some(subspace) = &self.subspace {
            self.storage.0.subspaces.of(subspace.is_unique()).leave();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_letter_and_task_number() {
        assert_eq!(check_zone('U', 123), [0xE4, 0xF0, 0xF0, 0xF0, 0xF0, 0xF1, 0xF2, 0xF3]);
        assert_eq!(check_zone('B', 9_999_999)[..2], [0xC2, 0xF9]);
        assert_eq!(check_zone('M', 0)[0], 0xD4);
        assert_eq!(check_zone('S', 0)[0], 0xE2);
        assert_eq!(subpool_name('C', 42).as_str(), "C0000042");
    }
}
