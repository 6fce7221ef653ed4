//! The pages of a dynamic storage area: extents taken on demand, page runs handed out.
//!
//! Invariants: every page of every extent is free (in the free map, where neighbours are merged) or in one run handed out;
//! a run never crosses the extents it came from, which adjoin only if they were taken together; used bytes are the sum of
//! the runs handed out.

use super::dsa::{Dsa, Units};
use crate::addresses::{AddressSpace, Key, Line, address_space};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug)]
struct Extent {
    address: usize,
    length: usize,
}

/// The pages of one DSA.
#[derive(Debug)]
pub(crate) struct Pages {
    line: Line,
    key: Key,
    units: Units,
    extents: Vec<Extent>,
    /// Free runs: address to length. No run spans two extents.
    free: BTreeMap<usize, usize>,
    pub used_bytes: usize,
    pub used_peak_bytes: usize,
    pub size_bytes: usize,
    pub size_peak_bytes: usize,
    pub extents_added: u64,
    pub extents_released: u64,
}

/// Why pages were not handed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoPages {
    /// This many bytes of new extents are needed.
    NeedsExtents(usize),
}

impl Pages {
    pub fn new(dsa: Dsa, units: Units) -> Pages {
        debug_assert!(units.extent_bytes.is_multiple_of(AddressSpace::extent_bytes(dsa.line())), "an extent is whole ones of its line");
        Pages {
            line: dsa.line(),
            key: dsa.key(),
            units,
            extents: Vec::new(),
            free: BTreeMap::new(),
            used_bytes: 0,
            used_peak_bytes: 0,
            size_bytes: 0,
            size_peak_bytes: 0,
            extents_added: 0,
            extents_released: 0,
        }
    }

    pub fn round(&self, length: usize) -> usize {
        length.next_multiple_of(self.units.page_bytes)
    }

    /// Hands out a run of rounded length from the existing extents: the smallest that fits.
    pub fn take(&mut self, length: usize) -> Result<usize, NoPages> {
        debug_assert!(length > 0 && length.is_multiple_of(self.units.page_bytes));
        let fitting = self.free.iter().filter(|(_, free)| **free >= length).min_by_key(|(_, free)| **free);
        let Some((&address, &free)) = fitting else {
            return Err(NoPages::NeedsExtents(length.next_multiple_of(self.units.extent_bytes)));
        };
        self.free.remove(&address);
        if free > length {
            self.free.insert(address + length, free - length);
        }
        self.used_bytes += length;
        self.used_peak_bytes = self.used_peak_bytes.max(self.used_bytes);
        self.check();
        Ok(address)
    }

    /// Adds extents of the given length; false if the address space has none.
    pub fn add_extents(&mut self, length: usize) -> bool {
        let Ok(space) = address_space() else { return false };
        let count = length / AddressSpace::extent_bytes(self.line);
        let Some(address) = space.take(self.line, count, self.key) else { return false };
        self.extents.push(Extent { address, length });
        self.free.insert(address, length);
        self.size_bytes += length;
        self.size_peak_bytes = self.size_peak_bytes.max(self.size_bytes);
        self.extents_added += (length / self.units.extent_bytes) as u64;
        self.check();
        true
    }

    /// Takes a run back.
    pub fn give_back(&mut self, address: usize, length: usize) {
        debug_assert_eq!(length % self.units.page_bytes, 0);
        let extent = *self.extent_of(address).expect("a run lies in an extent of its DSA");
        assert!(address + length <= extent.address + extent.length, "a run ends in the extent it begins in");
        assert!(length <= self.used_bytes, "a run is given back once");
        self.used_bytes -= length;
        let (mut start, mut end) = (address, address + length);
        if let Some((&before, &size)) = self.free.range(..address).next_back() {
            assert!(before + size <= address, "a run is given back once");
            if before + size == address && before >= extent.address {
                self.free.remove(&before);
                start = before;
            }
        }
        if end < extent.address + extent.length
            && let Some(size) = self.free.remove(&end)
        {
            end += size;
        }
        self.free.insert(start, end - start);
        self.check();
    }

    /// Every page of every extent is free or in a run handed out, and neighbours are merged.
    fn check(&self) {
        if cfg!(debug_assertions) {
            let free: usize = self.free.values().sum();
            assert_eq!(free + self.used_bytes, self.size_bytes, "a page is free or in use");
            if self.free.len() * self.extents.len() > 10_000 {
                return;
            }
            let mut end = 0;
            for (&address, &length) in &self.free {
                let extent = self.extent_of(address).expect("a free run lies in an extent");
                assert!(address >= end && length > 0, "free runs do not overlap");
                assert!(address > end || address == extent.address, "neighbours in one extent are merged");
                end = address + length;
                assert!(end <= extent.address + extent.length, "a free run ends in its extent");
            }
        }
    }

    fn extent_of(&self, address: usize) -> Option<&Extent> {
        self.extents.iter().find(|extent| address >= extent.address && address < extent.address + extent.length)
    }

    /// Returns wholly free extents to the address space; returns their bytes.
    pub fn release_empty(&mut self) -> usize {
        let Ok(space) = address_space() else { return 0 };
        let mut released = 0;
        let (line, free) = (self.line, &mut self.free);
        self.extents.retain(|extent| {
            let empty = free.get(&extent.address) == Some(&extent.length);
            if empty {
                free.remove(&extent.address);
                space.give_back(line, extent.address, extent.length);
                released += extent.length;
            }
            !empty
        });
        self.size_bytes -= released;
        self.extents_released += (released / self.units.extent_bytes) as u64;
        self.check();
        released
    }

    /// The runs handed out, in order of address: the extents without their free parts.
    pub fn runs(&self) -> Vec<(usize, usize)> {
        let mut extents = self.extents.clone();
        extents.sort_by_key(|extent| extent.address);
        let mut runs = Vec::new();
        for extent in extents {
            let (mut at, end) = (extent.address, extent.address + extent.length);
            for (&free, &length) in self.free.range(extent.address..end) {
                if free > at {
                    runs.push((at, free - at));
                }
                at = free + length;
            }
            if end > at {
                runs.push((at, end - at));
            }
        }
        debug_assert_eq!(runs.iter().map(|(_, length)| length).sum::<usize>(), self.used_bytes, "the runs are what is used");
        runs
    }

    /// Address, length and used bytes of each extent, in order of address.
    pub fn extents(&self) -> Vec<(usize, usize, usize)> {
        let mut extents = self.extents.clone();
        extents.sort_by_key(|extent| extent.address);
        let free =
            |extent: &Extent| self.free.range(extent.address..extent.address + extent.length).map(|(_, length)| length).sum::<usize>();
        extents.iter().map(|extent| (extent.address, extent.length, extent.length - free(extent))).collect()
    }

    pub fn contains(&self, address: usize) -> bool {
        self.extent_of(address).is_some()
    }

    pub fn largest_free(&self) -> usize {
        self.free.values().copied().max().unwrap_or(0)
    }

    pub fn extent_count(&self) -> usize {
        self.size_bytes / self.units.extent_bytes
    }

    /// Returns all extents, including those in use.
    pub fn clear(&mut self) {
        if let Ok(space) = address_space() {
            for extent in self.extents.drain(..) {
                space.give_back(self.line, extent.address, extent.length);
            }
        }
        self.free.clear();
        (self.used_bytes, self.size_bytes) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::addresses::PAGE_BYTES;

    fn pages_of(dsa: Dsa) -> Pages {
        Pages::new(dsa, dsa.units(false))
    }

    /// Table 5-20 of the performance report: the request, and the extent and the run that it takes.
    #[test]
    fn pages_and_extents_have_the_sizes_of_their_dsa_and_of_isolation() {
        for (dsa, isolation, extent_bytes, page_bytes) in [
            (Dsa::Udsa, false, 256 << 10, 4 << 10),
            (Dsa::Udsa, true, 1 << 20, 4 << 10),
            (Dsa::Eudsa, false, 1 << 20, 64 << 10),
            (Dsa::Eudsa, true, 1 << 20, 1 << 20),
            (Dsa::Cdsa, true, 256 << 10, 4 << 10),
            (Dsa::Ecdsa, true, 1 << 20, 4 << 10),
        ] {
            let mut pages = Pages::new(dsa, dsa.units(isolation));
            let rounded = pages.round(1);
            assert_eq!(rounded, page_bytes, "{dsa:?} {isolation}");
            assert_eq!(pages.take(rounded), Err(NoPages::NeedsExtents(extent_bytes)), "{dsa:?} {isolation}");
            assert!(pages.add_extents(extent_bytes));
            assert_eq!((pages.extents_added, pages.extent_count(), pages.size_bytes), (1, 1, extent_bytes), "{dsa:?} {isolation}");
            let runs: Vec<usize> = std::iter::from_fn(|| pages.take(rounded).ok()).collect();
            assert_eq!(runs.len(), extent_bytes / page_bytes, "{dsa:?} {isolation}");
            runs.into_iter().for_each(|run| pages.give_back(run, rounded));
            assert_eq!((pages.release_empty(), pages.extents_released), (extent_bytes, 1), "{dsa:?} {isolation}");
        }
    }

    #[test]
    fn runs_are_split_and_merged() {
        let mut pages = pages_of(Dsa::Ecdsa);
        assert_eq!(pages.take(4096), Err(NoPages::NeedsExtents(1024 * 1024)));
        assert!(pages.add_extents(1024 * 1024));
        let runs: Vec<_> = (0..256).map(|_| pages.take(4096).unwrap()).collect();
        assert!(pages.take(4096).is_err());
        assert_eq!((pages.used_bytes, pages.largest_free()), (1024 * 1024, 0));
        for index in (0..256).step_by(2).chain((1..256).step_by(2)) {
            pages.give_back(runs[index], 4096);
        }
        assert_eq!((pages.used_bytes, pages.largest_free()), (0, 1024 * 1024));
        assert_eq!(pages.release_empty(), 1024 * 1024);
        assert_eq!((pages.size_bytes, pages.extents_released), (0, 1));
    }

    #[test]
    fn a_large_run_takes_adjoining_extents() {
        let mut pages = pages_of(Dsa::Cdsa);
        let Err(NoPages::NeedsExtents(needed)) = pages.take(300 * 1024) else { panic!() };
        assert_eq!(needed, 512 * 1024);
        assert!(pages.add_extents(needed));
        let address = pages.take(300 * 1024).unwrap();
        assert!(address + 300 * 1024 <= 0x100_0000);
        pages.give_back(address, 300 * 1024);
        pages.clear();
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
        /// Any sequence of takes and returns keeps runs separate and the counts right; when all runs are returned, the extents merge.
        #[test]
        fn runs_never_overlap(steps in proptest::collection::vec((0u8..3, 1usize..40), 1..200)) {
            let mut pages = pages_of(Dsa::Cdsa);
            let mut live: Vec<(usize, usize)> = Vec::new();
            for (action, size) in steps {
                if action == 0 && !live.is_empty() {
                    let (address, length) = live.swap_remove(size % live.len());
                    pages.give_back(address, length);
                } else {
                    let length = size * PAGE_BYTES;
                    let address = match pages.take(length) {
                        Ok(address) => address,
                        Err(NoPages::NeedsExtents(needed)) => {
                            proptest::prop_assume!(pages.add_extents(needed));
                            pages.take(length).unwrap()
                        }
                    };
                    proptest::prop_assert!(live.iter().all(|&(start, size)| address + length <= start || start + size <= address));
                    live.push((address, length));
                }
                proptest::prop_assert_eq!(pages.used_bytes, live.iter().map(|run| run.1).sum::<usize>());
            }
            for (address, length) in live {
                pages.give_back(address, length);
            }
            pages.release_empty();
            proptest::prop_assert_eq!((pages.used_bytes, pages.size_bytes), (0, 0));
        }
    }
}
