//! State of a storage manager: its DSAs, the subpools over them, and arenas kept for reuse.

use super::areas::Areas;
use super::arena::Arena;
use super::dsa::{Dsa, Units};
use super::figures::{DsaStatistics, SubpoolStatistics};
use super::request::StorageConfig;
use super::subspaces::Subspaces;
use crate::inquire::Peaks;
use crate::lock_order::{Ordered, rank};
use crate::name::Name8;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Arenas kept for reuse.
const SPARE_ARENAS_MAX: usize = 4096;

/// State shared by all clones of a region's storage and all task storage.
#[derive(Debug)]
pub(super) struct Manager {
    areas: Areas,
    #[expect(clippy::vec_box, reason = "task storage holds them boxed, so only pointers to them move")]
    arenas: Ordered<Vec<Box<Arena>>, { rank::STORAGE_LISTS }>,
    pub subpools: Ordered<Vec<Arc<SubpoolState>>, { rank::SUBPOOLS }>,
    pub protected: bool,
    /// Transaction isolation is in force.
    pub isolated: bool,
    pub subspaces: Subspaces,
    pub protect_reentrant: bool,
}

impl Deref for Manager {
    type Target = Areas;
    #[inline]
    fn deref(&self) -> &Areas {
        &self.areas
    }
}

impl Manager {
    pub fn new(config: &StorageConfig, protected: bool, isolated: bool) -> Manager {
        Manager {
            areas: Areas::new(config, isolated),
            arenas: Ordered::default(),
            subpools: Ordered::default(),
            protected,
            isolated,
            subspaces: Subspaces::default(),
            protect_reentrant: config.protect_reentrant,
        }
    }

    pub fn take_arena(&self) -> Box<Arena> {
        let spare = self.arenas.lock().pop();
        spare.unwrap_or_else(|| Box::new(Arena::new()))
    }

    pub fn return_arena(&self, arena: Box<Arena>) {
        let mut arenas = self.arenas.lock();
        if arenas.len() < SPARE_ARENAS_MAX {
            arenas.push(arena);
        }
    }

    pub fn dsa_statistics(&self, dsa: Dsa, peaks: Peaks) -> DsaStatistics {
        let state = &self.dsas[dsa as usize];
        let spare = state.chunks.lock().len() * state.units.chunk_bytes;
        let (mut getmains, mut freemains) = (state.getmains.load(Ordering::Relaxed), state.freemains.load(Ordering::Relaxed));
        for subpool in self.subpools.lock().iter().filter(|subpool| subpool.dsa == dsa) {
            let figures = subpool.arena.lock().figures;
            getmains += figures.getmains;
            freemains += figures.freemains;
        }
        let mut pages = state.pages.lock();
        let (used_bytes, size_bytes) = (pages.used_bytes, pages.size_bytes);
        let used_peak = peaks.take(&mut pages.used_peak_bytes, used_bytes);
        let size_peak = peaks.take(&mut pages.size_peak_bytes, size_bytes);
        let used = pages.used_bytes - spare.min(pages.used_bytes);
        DsaStatistics {
            dsa,
            units: state.units,
            size: pages.size_bytes,
            size_peak,
            used,
            used_peak,
            cushion: dsa.cushion_bytes(),
            free: pages.size_bytes - used,
            largest_free: pages.largest_free(),
            extents: pages.extent_count(),
            extents_added: pages.extents_added,
            extents_released: pages.extents_released,
            getmains,
            freemains,
            no_storage: state.no_storage.load(Ordering::Relaxed),
            suspended_total: state.suspended_total.load(Ordering::Relaxed),
            suspended_current: state.suspended_current.load(Ordering::Relaxed) as u32,
            violations: state.violations.load(Ordering::Relaxed),
        }
    }
}

#[derive(Debug)]
pub(super) struct SubpoolState {
    pub name: Name8,
    pub dsa: Dsa,
    pub arena: Ordered<Arena, { rank::ARENA }>,
}

impl SubpoolState {
    pub fn new(name: Name8, dsa: Dsa, units: Units) -> SubpoolState {
        let mut arena = Arena::new();
        arena.open((dsa, units), name, *name.as_bytes());
        SubpoolState { name, dsa, arena: Ordered::new(arena) }
    }

    pub fn statistics(&self, peaks: Peaks) -> SubpoolStatistics {
        let mut arena = self.arena.lock();
        let figures = arena.figures;
        if peaks == Peaks::Begin {
            arena.figures.begin_interval();
        }
        SubpoolStatistics { name: self.name, dsa: self.dsa, figures }
    }
}
