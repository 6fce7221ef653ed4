//! LSR pools 1 to 255, and the buffers of files without a pool (NSR).
//!
//! A pool is created when the first file that names it is opened, and deleted when the last one is closed. Its buffers and strings are
//! those of the LSRPOOL definition of its number; without one they are computed from the FILE definitions that name it: half of their
//! strings (SHARELIMIT 50), and as many buffers of every size, but never fewer than three. Invariant: every open file of a pool holds it,
//! so its statistics count from the opening of its first file. Files without a pool that share a data set share its buffers. Files that
//! share a data set share its EXCP and split counts if they are in the same pool or all without one.

use super::strings::Strings;
use crate::file_control::FileControl;
use csd::{Definition, FileDefinition};
use kernel::Peaks;
use parking_lot::Mutex;
use region::Region;
use region::figures::ResourceStatistics;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Weak};
use vsam::buffers::{BUFFER_SIZES, BufferPool, BufferStatistics, Component, DataSetCounts, PoolShape};

/// Buffers of a size that VSAM needs at least.
const BUFFERS_MIN: u32 = 3;
const BUFFERS_MAX: u32 = 32_767;
const SHARELIMIT_PERCENT: u32 = 50;
/// The attributes of LSRPOOL for each size, without DATA, INDEX, HSDATA and HSINDEX before them.
const SIZE_NAMES: [&str; BUFFER_SIZES.len()] = ["512", "1K", "2K", "4K", "8K", "12K", "16K", "20K", "24K", "28K", "32K"];

/// A pool in use.
pub struct LsrPool {
    pub number: u32,
    pub buffers: Arc<BufferPool>,
    pub strings: Strings,
    string_limit: AtomicU32,
    /// Without a definition of its own: the strings grow with the files that use it.
    computed: bool,
    pub key_length_max: u32,
    /// The use of buffers in sizes that have fewer buffers than strings, and how many there are; by size of the data buffers.
    pub(super) buffers_in_use: [Strings; BUFFER_SIZES.len()],
    scarce: [u32; BUFFER_SIZES.len()],
}

/// The pools of the region.
#[derive(Default)]
pub struct LsrPools {
    in_use: Mutex<BTreeMap<u32, Weak<LsrPool>>>,
    /// Buffers of files without a pool that share them by data set name, by the name of the base.
    by_data_set: Mutex<BTreeMap<String, Weak<BufferPool>>>,
    /// Counts of files that share a data set, by number of the pool (0: none) and name of the base.
    counts: Mutex<BTreeMap<(u32, String), Weak<DataSetCounts>>>,
}

/// The shape from an LSRPOOL definition: hiperspace buffers count with the others.
fn defined(definition: &Definition) -> PoolShape {
    let mut shape = PoolShape::default();
    for (at, size) in SIZE_NAMES.iter().enumerate() {
        let number = |kind: &str| definition.number(&format!("{kind}{size}")).unwrap_or(0);
        shape.data[at] = number("DATA") + number("HSDATA");
        shape.index[at] = number("INDEX") + number("HSINDEX");
    }
    shape
}

impl LsrPools {
    /// The pool of a number for a file being opened, created now if no open file uses it.
    pub fn pool(&self, region: &'static Region, number: u32) -> Arc<LsrPool> {
        let mut in_use = self.in_use.lock();
        if let Some(pool) = in_use.get(&number).and_then(Weak::upgrade) {
            if pool.computed {
                pool.string_limit.fetch_max(share(strings_of(region, number), SHARELIMIT_PERCENT), Ordering::Relaxed);
            }
            return pool;
        }
        let pool = Arc::new(make(region, number));
        in_use.insert(number, Arc::downgrade(&pool));
        pool
    }

    /// The pools in use by number, with the counts of their buffers.
    pub fn reports(&self, peaks: Peaks) -> Vec<(ResourceStatistics, Vec<BufferStatistics>)> {
        let pools = self.in_use.lock().values().filter_map(Weak::upgrade).collect::<Vec<_>>();
        pools.into_iter().map(|pool| pool.report(peaks)).collect()
    }

    pub fn statistics(&self) -> Vec<ResourceStatistics> {
        self.in_use.lock().values().filter_map(Weak::upgrade).map(|pool| pool.statistics(Peaks::Keep)).collect()
    }
}

/// Strings of the files that name a pool.
fn strings_of(region: &'static Region, number: u32) -> u32 {
    let files =
        FileControl::of(region).names().into_iter().filter_map(|name| FileControl::of(region).find(name)).map(|file| file.definition());
    files.filter(|file| file.lsrpool == number).map(|file| file.strings).sum()
}

fn share(strings: u32, percent: u32) -> u32 {
    (strings * percent / 100).max(BUFFERS_MIN)
}

fn make(region: &'static Region, number: u32) -> LsrPool {
    let installed = region.installed.read();
    let definition = installed.of_type("LSRPOOL").find(|definition| definition.number("LSRPOOLNUM") == Some(number));
    let strings = strings_of(region, number);
    let computed =
        |percent: u32| PoolShape { data: [share(strings, percent).min(BUFFERS_MAX); BUFFER_SIZES.len()], index: [0; BUFFER_SIZES.len()] };
    let (shape, string_limit, key_length_max) = match definition {
        None => (computed(SHARELIMIT_PERCENT), share(strings, SHARELIMIT_PERCENT), 255),
        Some(definition) => {
            let percent = definition.number("SHARELIMIT").unwrap_or(SHARELIMIT_PERCENT);
            let shape = defined(definition);
            let shape = if shape == PoolShape::default() { computed(percent) } else { shape };
            let strings = definition.number("STRINGS").filter(|strings| *strings > 0).unwrap_or(share(strings, percent).min(255));
            (shape, strings, definition.number("MAXKEYLENGTH").unwrap_or(255))
        }
    };
    let mut scarce = [0; BUFFER_SIZES.len()];
    if definition.is_some() {
        for (scarce, buffers) in scarce.iter_mut().zip(shape.data) {
            *scarce = if buffers < string_limit { buffers } else { 0 };
        }
    }
    LsrPool {
        number,
        buffers: Arc::new(BufferPool::new(&shape)),
        strings: Strings::default(),
        string_limit: AtomicU32::new(string_limit),
        computed: definition.is_none(),
        key_length_max,
        buffers_in_use: Default::default(),
        scarce,
    }
}

impl LsrPools {
    /// The buffers of a file that uses no pool. Files over one base, by any path, share them (DSNSHARING); files that only read share them
    /// only with ALLREQS. There are as many as the file opened first has.
    pub(super) fn own_buffers(&self, definition: &FileDefinition, base: &str) -> Arc<BufferPool> {
        if !definition.shares_data_set() {
            return own_buffers(definition);
        }
        let mut by_data_set = self.by_data_set.lock();
        if let Some(buffers) = by_data_set.get(base).and_then(Weak::upgrade) {
            return buffers;
        }
        let buffers = own_buffers(definition);
        by_data_set.insert(base.to_string(), Arc::downgrade(&buffers));
        buffers
    }

    /// EXCP counts and splits of a file: VSAM keeps one count for all that share a data set and have the same resources, so each of them shows the
    /// accesses of all while it was open ("Files: resource statistics - requests information", note 2).
    pub(super) fn counts(&self, definition: &FileDefinition, base: &str) -> Arc<DataSetCounts> {
        if !definition.shares_data_set() {
            return Arc::default();
        }
        let mut counts = self.counts.lock();
        let shared = counts.entry((definition.lsrpool, base.to_string())).or_default();
        shared.upgrade().unwrap_or_else(|| {
            let new = Arc::default();
            *shared = Arc::downgrade(&new);
            new
        })
    }
}

/// DATABUFFERS and INDEXBUFFERS of whatever size the control intervals of a file have.
fn own_buffers(definition: &FileDefinition) -> Arc<BufferPool> {
    let mut shape = PoolShape::default();
    shape.data[BUFFER_SIZES.len() - 1] = definition.data_buffers.max(definition.strings + 1);
    shape.index[BUFFER_SIZES.len() - 1] = definition.index_buffers.max(definition.strings);
    Arc::new(BufferPool::new(&shape))
}

/// Names of counters of one buffer size: buffers, look-asides, reads, user writes.
const BUFFER_COUNTERS: [[&str; 4]; 2 * BUFFER_SIZES.len()] = [
    ["data_512_buffers", "data_512_lookasides", "data_512_reads", "data_512_user_writes"],
    ["data_1k_buffers", "data_1k_lookasides", "data_1k_reads", "data_1k_user_writes"],
    ["data_2k_buffers", "data_2k_lookasides", "data_2k_reads", "data_2k_user_writes"],
    ["data_4k_buffers", "data_4k_lookasides", "data_4k_reads", "data_4k_user_writes"],
    ["data_8k_buffers", "data_8k_lookasides", "data_8k_reads", "data_8k_user_writes"],
    ["data_12k_buffers", "data_12k_lookasides", "data_12k_reads", "data_12k_user_writes"],
    ["data_16k_buffers", "data_16k_lookasides", "data_16k_reads", "data_16k_user_writes"],
    ["data_20k_buffers", "data_20k_lookasides", "data_20k_reads", "data_20k_user_writes"],
    ["data_24k_buffers", "data_24k_lookasides", "data_24k_reads", "data_24k_user_writes"],
    ["data_28k_buffers", "data_28k_lookasides", "data_28k_reads", "data_28k_user_writes"],
    ["data_32k_buffers", "data_32k_lookasides", "data_32k_reads", "data_32k_user_writes"],
    ["index_512_buffers", "index_512_lookasides", "index_512_reads", "index_512_user_writes"],
    ["index_1k_buffers", "index_1k_lookasides", "index_1k_reads", "index_1k_user_writes"],
    ["index_2k_buffers", "index_2k_lookasides", "index_2k_reads", "index_2k_user_writes"],
    ["index_4k_buffers", "index_4k_lookasides", "index_4k_reads", "index_4k_user_writes"],
    ["index_8k_buffers", "index_8k_lookasides", "index_8k_reads", "index_8k_user_writes"],
    ["index_12k_buffers", "index_12k_lookasides", "index_12k_reads", "index_12k_user_writes"],
    ["index_16k_buffers", "index_16k_lookasides", "index_16k_reads", "index_16k_user_writes"],
    ["index_20k_buffers", "index_20k_lookasides", "index_20k_reads", "index_20k_user_writes"],
    ["index_24k_buffers", "index_24k_lookasides", "index_24k_reads", "index_24k_user_writes"],
    ["index_28k_buffers", "index_28k_lookasides", "index_28k_reads", "index_28k_user_writes"],
    ["index_32k_buffers", "index_32k_lookasides", "index_32k_reads", "index_32k_user_writes"],
];

impl LsrPool {
    pub fn string_limit(&self) -> u32 {
        self.string_limit.load(Ordering::Relaxed)
    }

    /// The size of buffers for which a request on control intervals of this size may have to wait: a string has one from its first to its
    /// last request, so with at least as many buffers as strings one is always free.
    pub(super) fn scarce_buffers(&self, ci_size: u32) -> Option<usize> {
        let (size, _) = self.buffers.buffers_for(Component::Data, ci_size)?;
        let at = BUFFER_SIZES.iter().position(|known| *known == size)?;
        (self.scarce[at] > 0).then_some(at)
    }

    pub(super) fn buffer_limit(&self, size: usize) -> u32 {
        self.scarce[size]
    }

    /// The counts of the pool and of its buffers.
    pub fn report(&self, peaks: Peaks) -> (ResourceStatistics, Vec<BufferStatistics>) {
        (self.statistics(peaks), self.buffers.statistics())
    }

    fn statistics(&self, peaks: Peaks) -> ResourceStatistics {
        let strings = &self.strings;
        let sum = |of: &dyn Fn(&Strings) -> u64| self.buffers_in_use.iter().map(of).sum::<u64>();
        let mut counters = vec![
            ("key_length_max", u64::from(self.key_length_max)),
            ("strings", u64::from(self.string_limit())),
            ("strings_active", u64::from(strings.active())),
            ("strings_active_peak", u64::from(strings.active_peak(peaks))),
            ("string_waits", strings.waits.load(Ordering::Relaxed)),
            ("string_waits_peak", strings.waits_peak(peaks)),
            ("buffer_waits", sum(&|buffers| buffers.waits.load(Ordering::Relaxed))),
            ("buffer_waits_peak", sum(&|buffers| buffers.waits_peak(peaks))),
        ];
        for buffers in self.buffers.statistics() {
            let Some(size) = BUFFER_SIZES.iter().position(|size| *size == buffers.size) else { continue };
            let names = &BUFFER_COUNTERS[size + if buffers.index { BUFFER_SIZES.len() } else { 0 }];
            let values = [u64::from(buffers.buffers), buffers.lookasides, buffers.reads, buffers.user_writes];
            counters.extend(names.iter().copied().zip(values));
        }
        ResourceStatistics { resource: "LSRPOOL", name: self.number.to_string(), counters }
    }
}
