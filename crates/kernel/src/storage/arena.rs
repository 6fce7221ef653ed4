//! An arena: elements of any length in chunks of one DSA, each between two check zones.
//!
//! Layout of an element: 8 bytes of check zone, the data on a 16-byte boundary and rounded up to 16 bytes, 8 bytes of check zone.
//! `Arena::zone` gives the contents of the zones (a letter for the kind and the task number, as in CICS). Invariants: every element handed
//! out is in the element map, which is kept outside the storage it describes, so a program can damage zones but not the allocator; an
//! element with a damaged zone is never reused; a program frees only what was handed out to it; every chunk and run is returned to the DSA at the end. The end of a chunk is never handed
//! out, so reading a few bytes beyond an element never faults.

use super::areas::Areas;
use super::dsa::{Dsa, Units};
use super::figures::ArenaFigures;
use super::free_lists::FreeLists;
use super::request::{StorageError, Violation};
use crate::addresses::{read_zone, write_zone};
use crate::keys::isolation::Subspace;
use crate::name::Name8;
use rustc_hash::FxHashMap;

const ZONE_BYTES: usize = 8;
const ALIGNMENT: usize = 16;
/// Bytes at the end of a chunk or run that stay unused.
const TAIL_BYTES: usize = 64;
/// Elements up to this size have a class for each multiple of 16.
const SMALL_MAX: usize = 1024;

#[derive(Clone, Copy, Debug)]
struct Element {
    /// As requested.
    length: usize,
    /// The length of the page run, for an element with its own run; else 0.
    run_bytes: usize,
    /// A program obtained it, and may free it. What the region obtained it frees itself, and nobody else may.
    of_program: bool,
}

#[derive(Debug)]
pub(crate) struct Arena {
    dsa: Dsa,
    name: Name8,
    zone: [u8; ZONE_BYTES],
    owner: u32,
    /// The storage is of task lifetime.
    is_of_task: bool,
    chunk_bytes: usize,
    chunks: Vec<usize>,
    /// The unused part of the last chunk.
    next: usize,
    end: usize,
    elements: FxHashMap<usize, Element>,
    free: FreeLists,
    /// The owner of the arena's pages, with transaction isolation.
    pub subspace: Option<Subspace>,
    pub figures: ArenaFigures,
}

/// The class of a rounded data length, and the length of the class.
#[inline]
fn class_of(rounded: usize) -> (usize, usize) {
    if rounded <= SMALL_MAX {
        return (rounded / ALIGNMENT - 1, rounded);
    }
    // Four classes for each doubling.
    let shift = usize::BITS - 1 - (rounded - 1).leading_zeros() - 2;
    let steps = (rounded - 1) >> shift;
    let length = (steps + 1) << shift;
    let class = SMALL_MAX / ALIGNMENT + (shift as usize - 8) * 4 + (steps - 4);
    (class, length)
}

impl Arena {
    pub fn new() -> Arena {
        Arena {
            dsa: Dsa::Cdsa,
            name: Name8::BLANK,
            zone: [0; ZONE_BYTES],
            owner: 0,
            is_of_task: false,
            chunk_bytes: 0,
            chunks: Vec::new(),
            next: 0,
            end: 0,
            elements: FxHashMap::default(),
            free: FreeLists::default(),
            subspace: None,
            figures: ArenaFigures::default(),
        }
    }

    /// Prepares an empty arena for the storage of a task.
    pub fn open_for_task(&mut self, (dsa, units): (Dsa, Units), name: Name8, zone: [u8; ZONE_BYTES], owner: u32) {
        self.open((dsa, units), name, zone);
        (self.owner, self.is_of_task) = (owner, true);
    }

    /// Prepares an empty arena.
    pub fn open(&mut self, (dsa, units): (Dsa, Units), name: Name8, zone: [u8; ZONE_BYTES]) {
        assert!(self.elements.is_empty() && self.chunks.is_empty() && self.free.is_empty(), "an arena is opened when it is closed");
        self.dsa = dsa;
        self.name = name;
        self.zone = zone;
        (self.owner, self.is_of_task) = (0, false);
        self.chunk_bytes = units.chunk_bytes;
        (self.next, self.end) = (0, 0);
        self.figures = ArenaFigures::default();
    }

    pub fn name(&self) -> Name8 {
        self.name
    }

    pub fn dsa(&self) -> Dsa {
        self.dsa
    }

    /// An element of `length` bytes; its address is on a 16-byte boundary. Contents are undefined.
    #[inline]
    pub fn getmain(&mut self, areas: &Areas, length: usize, system: bool) -> Result<usize, StorageError> {
        if length == 0 || length > areas.limit_of(self.dsa.line()) {
            return Err(StorageError::Length);
        }
        let rounded = length.next_multiple_of(ALIGNMENT);
        let largest = self.chunk_bytes / 2;
        let (address, run_bytes) = if rounded > largest {
            self.take_run(areas, rounded, system)?
        } else {
            let (class, class_bytes) = class_of(rounded);
            (self.take_element(areas, class, class_bytes, system)?, 0)
        };
        write_zone(address - ZONE_BYTES, self.zone);
        write_zone(address + rounded, self.zone);
        let other = self.elements.insert(address, Element { length, run_bytes, of_program: false });
        debug_assert!(other.is_none(), "an element is handed out once");
        self.figures.count_getmain(length);
        Ok(address)
    }

    #[inline]
    fn take_element(&mut self, areas: &Areas, class: usize, class_bytes: usize, system: bool) -> Result<usize, StorageError> {
        if let Some(address) = self.free.pop(class) {
            debug_assert!(self.holds(address, class_bytes), "a free element lies in a chunk");
            return Ok(address);
        }
        let needed = class_bytes + 2 * ZONE_BYTES;
        if self.end - self.next < needed {
            let chunk = areas.take_chunk(self.dsa, system)?;
            self.chunks.push(chunk);
            self.count_pages(areas, self.chunk_bytes);
            if let Some(subspace) = &self.subspace {
                subspace.add(chunk, self.chunk_bytes);
            }
            // Zones end on a boundary of 16 and begin 8 before the next.
            self.next = chunk + ALIGNMENT - ZONE_BYTES;
            self.end = chunk + self.chunk_bytes - TAIL_BYTES;
        }
        let address = self.next + ZONE_BYTES;
        self.next += needed;
        debug_assert!(
            address.is_multiple_of(ALIGNMENT) && self.holds(address, class_bytes),
            "an element lies between its zones in a chunk"
        );
        Ok(address)
    }

    /// True if an element of this length and its zones are within one chunk, before the bytes that stay unused.
    fn holds(&self, address: usize, length: usize) -> bool {
        let inside =
            |&chunk: &usize| address >= chunk + ALIGNMENT && address + length + ZONE_BYTES <= chunk + self.chunk_bytes - TAIL_BYTES;
        self.chunks.iter().any(inside)
    }

    #[cold]
    fn take_run(&mut self, areas: &Areas, rounded: usize, system: bool) -> Result<(usize, usize), StorageError> {
        let (run, run_bytes) = areas.take_pages(self.dsa, ALIGNMENT + rounded + TAIL_BYTES, system)?;
        if let Some(subspace) = &self.subspace {
            subspace.add(run, run_bytes);
        }
        self.count_pages(areas, run_bytes);
        Ok((run + ALIGNMENT, run_bytes))
    }

    fn count_pages(&mut self, areas: &Areas, bytes: usize) {
        self.figures.count_pages(bytes);
        if self.is_of_task {
            areas.dsas[self.dsa as usize].count_task_pages(bytes);
        }
    }

    fn uncount_pages(&mut self, areas: &Areas, bytes: usize) {
        self.figures.page_bytes -= bytes;
        if self.is_of_task {
            areas.dsas[self.dsa as usize].uncount_task_pages(bytes);
        }
    }

    fn give_back_run(&self, areas: &Areas, address: usize, run_bytes: usize) {
        let run = address - ALIGNMENT;
        if let Some(subspace) = &self.subspace {
            subspace.remove(run);
        }
        areas.give_back_pages(self.dsa, run, run_bytes);
    }

    fn check(&self, address: usize, element: Element) -> Option<Violation> {
        let rounded = element.length.next_multiple_of(ALIGNMENT);
        let leading = read_zone(address - ZONE_BYTES);
        let trailing = read_zone(address + rounded);
        if leading == self.zone && trailing == self.zone {
            return None;
        }
        let (length, expected) = (element.length, self.zone);
        Some(Violation { task_number: self.owner, subpool: self.name, address, length, leading, trailing, expected })
    }

    /// Frees the element at the address; returns its length. A damaged element is reported once and stays out of use.
    #[inline]
    pub fn freemain(&mut self, areas: &Areas, address: usize) -> Result<usize, StorageError> {
        let element = self.elements.remove(&address).ok_or(StorageError::NotOwned)?;
        self.figures.count_freemain(element.length);
        let violation = self.check(address, element);
        if element.run_bytes != 0 {
            self.give_back_run(areas, address, element.run_bytes);
            self.uncount_pages(areas, element.run_bytes);
        } else if violation.is_none() {
            let (class, _) = class_of(element.length.next_multiple_of(ALIGNMENT));
            self.free.push(class, address);
        }
        match violation {
            Some(violation) => {
                areas.count_violation(self.dsa);
                Err(StorageError::Violation(violation))
            }
            None => Ok(element.length),
        }
    }

    /// Hands an element out to a program, which may free it.
    pub fn hand_out(&mut self, address: usize) {
        let element = self.elements.get_mut(&address);
        debug_assert!(element.is_some(), "an element is handed out when it has been obtained");
        if let Some(element) = element {
            element.of_program = true;
        }
    }

    /// [`Self::freemain`] on behalf of a program: what has not been handed out is not the program's.
    pub fn freemain_of_program(&mut self, areas: &Areas, address: usize) -> Result<usize, StorageError> {
        match self.elements.get(&address) {
            Some(Element { of_program: true, .. }) => self.freemain(areas, address),
            _ => Err(StorageError::NotOwned),
        }
    }

    pub fn length(&self, address: usize) -> Option<usize> {
        self.elements.get(&address).map(|element| element.length)
    }

    /// The element an address lies in.
    pub fn find(&self, address: usize) -> Option<(usize, usize)> {
        let inside = |(&start, element): (&usize, &Element)| {
            (address >= start && address - start < element.length).then_some((start, element.length))
        };
        self.elements.iter().find_map(inside)
    }

    pub fn elements(&self) -> Vec<(usize, usize)> {
        let mut elements: Vec<_> = self.elements.iter().map(|(&address, element)| (address, element.length)).collect();
        elements.sort_unstable();
        elements
    }

    /// Damaged elements among those not freed.
    pub fn check_all(&self, found: &mut Vec<Violation>) {
        let violations = self.elements.iter().filter_map(|(&address, &element)| self.check(address, element));
        found.extend(violations);
    }

    /// Checks and frees everything; the arena may then be opened again.
    pub fn close(&mut self, areas: &Areas, found: &mut Vec<Violation>) {
        let before = found.len();
        debug_assert_eq!(self.figures.elements, self.elements.len() as u64);
        debug_assert_eq!(self.figures.bytes, self.elements.values().map(|element| element.length).sum::<usize>());
        self.check_all(found);
        for _ in before..found.len() {
            areas.count_violation(self.dsa);
        }
        for (&address, element) in self.elements.iter().filter(|(_, element)| element.run_bytes != 0) {
            self.give_back_run(areas, address, element.run_bytes);
        }
        if let Some(subspace) = self.subspace.take() {
            self.chunks.iter().for_each(|&chunk| subspace.remove(chunk));
        }
        self.figures.freemains += self.elements.len() as u64;
        areas.count_closed(self.dsa, &self.figures);
        self.uncount_pages(areas, self.figures.page_bytes);
        areas.give_back_chunks(self.dsa, &mut self.chunks);
        // A task with very many elements must not burden all later ones with a large empty map.
        if self.elements.capacity() > 1024 {
            self.elements = FxHashMap::default();
        } else {
            self.elements.clear();
        }
        self.free.clear();
        (self.next, self.end) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_their_lengths_and_grow() {
        let mut last = (0, 0);
        for rounded in (16..=(64 * 1024)).step_by(16) {
            let (class, length) = class_of(rounded);
            assert!(length >= rounded && length % ALIGNMENT == 0, "{rounded}: {length}");
            assert!(class < super::super::free_lists::CLASSES && length - rounded < rounded.div_ceil(4), "{rounded}: {class} {length}");
            assert!(class >= last.0 && length >= last.1);
            assert_eq!(class == last.0 && last.1 != 0, length == last.1, "one length for each class: {rounded}");
            last = (class, length);
        }
    }
}
