//! Storage of one task: one arena for each line and key, opened on first use, freed in bulk.
//!
//! Invariants: it belongs to the code of its task and is used by one thread at a time; after `end` all of it has been freed; the arenas
//! themselves are recycled, so a task that needs little storage allocates nothing.

use super::Storage;
use super::areas::Areas;
use super::arena::Arena;
use super::dsa::Dsa;
use super::figures::ArenaFigures;
use super::request::{Getmain, StorageError, Violation};
use crate::addresses::{self, Key, Line};
use crate::keys::isolation::Subspace;
use crate::name::Name8;

const CLASSES: usize = 6;

/// Storage of one task. Freed by [`TaskStorage::end`], or when dropped.
#[derive(Debug)]
pub struct TaskStorage {
    storage: Storage,
    number: u32,
    arenas: [Option<Box<Arena>>; CLASSES],
    subspace: Option<Subspace>,
}

/// Storage figures of one task in one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskStorageFigures {
    pub line: Line,
    pub key: Key,
    pub figures: ArenaFigures,
}

/// The letter of the check zones and the subpool name, and the DSA, by line and key.
const KINDS: [(char, Dsa); CLASSES] =
    [('M', Dsa::Cdsa), ('B', Dsa::Udsa), ('C', Dsa::Ecdsa), ('U', Dsa::Eudsa), ('G', Dsa::Gcdsa), ('V', Dsa::Gudsa)];

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
        TaskStorage { storage, number, arenas: Default::default(), subspace: None }
    }

    /// Puts the task's user-key storage below 2 GB into a subspace. Called before any of it is allocated.
    pub fn isolate(&mut self, subspace: Subspace) {
        debug_assert!(KINDS.iter().zip(&self.arenas).all(|((_, dsa), arena)| arena.is_none() || !dsa.is_isolated()));
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
        let index = class_index(request.line, request.key);
        if self.arenas[index].is_none() {
            self.open(index);
        }
        let areas: &Areas = &self.storage.0;
        let arena = self.arenas[index].as_mut().expect("the arena is open");
        let address = arena.getmain(areas, request.length, false)?;
        if let Some(byte) = request.initial {
            addresses::fill(address, request.length, byte);
        }
        Ok(address)
    }

    fn open(&mut self, index: usize) {
        let (letter, dsa) = KINDS[index];
        let mut arena = self.storage.0.take_arena();
        arena.open(dsa, subpool_name(letter, self.number), check_zone(letter, self.number), self.number);
        arena.subspace = self.subspace.clone().filter(|_| dsa.is_isolated());
        self.arenas[index] = Some(arena);
    }

    /// FREEMAIN: returns the length.
    #[inline]
    pub fn freemain(&mut self, address: usize) -> Result<usize, StorageError> {
        let areas: &Areas = &self.storage.0;
        for arena in self.arenas.iter_mut().flatten() {
            let freed = arena.freemain(areas, address);
            if !matches!(freed, Err(StorageError::NotOwned)) {
                return freed;
            }
        }
        Err(StorageError::NotOwned)
    }

    /// Length of the element at the address.
    pub fn length(&self, address: usize) -> Option<usize> {
        self.arenas.iter().flatten().find_map(|arena| arena.length(address))
    }

    /// Start and length of the element that contains the address.
    pub fn find(&self, address: usize) -> Option<(usize, usize)> {
        self.arenas.iter().flatten().find_map(|arena| arena.find(address))
    }

    /// All elements in order of address within each subpool, for dumps.
    pub fn elements(&self) -> Vec<(Name8, usize, usize)> {
        let of = |arena: &Arena| {
            let name = arena.name();
            arena.elements().into_iter().map(move |(address, length)| (name, address, length)).collect::<Vec<_>>()
        };
        self.arenas.iter().flatten().flat_map(|arena| of(arena)).collect()
    }

    /// Checks all check zones now (CHKSTSK).
    pub fn check(&self) -> Vec<Violation> {
        let mut found = Vec::new();
        self.arenas.iter().flatten().for_each(|arena| arena.check_all(&mut found));
        found
    }

    /// Getmains, occupancy and peaks by class used.
    pub fn figures(&self) -> Vec<TaskStorageFigures> {
        let lines = [Line::Below16M, Line::Below2G, Line::Above];
        let classes = lines.into_iter().flat_map(|line| [(line, Key::Cics), (line, Key::User)]);
        classes
            .zip(&self.arenas)
            .filter_map(|((line, key), arena)| arena.as_ref().map(|arena| TaskStorageFigures { line, key, figures: arena.figures }))
            .collect()
    }

    /// Bytes of a line that the task holds.
    pub fn held(&self, line: Line) -> usize {
        let of_line = self.arenas.iter().skip(class_index(line, Key::Cics)).take(2).flatten();
        of_line.map(|arena| arena.figures.bytes).sum()
    }

    /// Frees everything; returns the damaged check zones found.
    pub fn end(&mut self) -> Vec<Violation> {
        let mut found = Vec::new();
        for arena in &mut self.arenas {
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
