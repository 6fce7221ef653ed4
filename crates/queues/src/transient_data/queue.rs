//! A TDQUEUE resource: definition, states, counters.
//!
//! Invariants: `count` is the number of committed records; the sequence numbers of a queue that is not logically recoverable are all in
//! `records`, in order, and only the task that takes one out of it reads that record.

use super::extrapartition::ExternalFile;
use crate::transient_data::TransientData;
use csd::{TdQueueDefinition, TdQueueType, TdRecovery};
use kernel::Peaks;
use parking_lot::{Mutex, RwLock};
use region::Region;
use region::figures::ResourceStatistics;
use region::name::Name4;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use vsam::{Change, Direction, StoreError, ThreadWaiter};

pub struct Queue {
    pub name: Name4,
    definition: RwLock<Arc<TdQueueDefinition>>,
    pub(super) enabled: AtomicBool,
    count: AtomicI64,
    /// The most there were.
    peak: AtomicU64,
    /// Where reading of a logically recoverable queue starts: all earlier records have been read by committed units of work.
    pub(super) head: AtomicU64,
    /// Records of a queue that is not logically recoverable.
    pub(super) records: Mutex<VecDeque<u64>>,
    pub(super) file: Mutex<Option<ExternalFile>>,
    /// A triggered task runs or is asked for.
    pub(super) triggered: AtomicBool,
    pub(super) writes: AtomicU64,
    pub(super) reads: AtomicU64,
    pub(super) deletes: AtomicU64,
    pub(super) triggers: AtomicU64,
}

/// A queue as inquiry shows it.
#[derive(Clone, Debug)]
pub struct QueueView {
    pub name: Name4,
    pub definition: Arc<TdQueueDefinition>,
    pub enabled: bool,
    pub open: bool,
    pub items: u64,
    /// For the open file of an extrapartition queue.
    pub empty: Option<bool>,
}

impl Queue {
    pub(super) fn new(definition: TdQueueDefinition) -> Self {
        Self {
            name: definition.name,
            definition: RwLock::new(Arc::new(definition)),
            enabled: AtomicBool::new(true),
            count: AtomicI64::new(0),
            peak: AtomicU64::new(0),
            head: AtomicU64::new(0),
            records: Mutex::default(),
            file: Mutex::default(),
            triggered: AtomicBool::new(false),
            writes: AtomicU64::new(0),
            reads: AtomicU64::new(0),
            deletes: AtomicU64::new(0),
            triggers: AtomicU64::new(0),
        }
    }

    pub fn definition(&self) -> Arc<TdQueueDefinition> {
        self.definition.read().clone()
    }

    pub(super) fn change_definition(&self, change: impl FnOnce(&mut TdQueueDefinition)) {
        let mut definition = self.definition.write();
        let mut new = (**definition).clone();
        change(&mut new);
        *definition = Arc::new(new);
    }

    pub fn is_enabled(&self) -> bool {
        self.enabled.load(Ordering::Relaxed)
    }

    pub fn is_open(&self) -> bool {
        self.file.lock().is_some()
    }

    pub fn view(&self) -> QueueView {
        QueueView {
            name: self.name,
            definition: self.definition(),
            enabled: self.is_enabled(),
            open: self.is_open(),
            items: self.items() as u64,
            empty: self.file.lock().as_mut().map(|file| file.is_empty()),
        }
    }

    /// The key of a record.
    pub(super) fn key(&self, sequence: u64) -> [u8; 12] {
        let mut key = [0; 12];
        key[..4].copy_from_slice(self.name.as_bytes());
        key[4..].copy_from_slice(&sequence.to_be_bytes());
        key
    }

    pub(super) fn sequence_of(&self, key: &[u8]) -> Option<u64> {
        let rest = key.strip_prefix(&self.name.as_bytes()[..])?;
        rest.try_into().ok().map(u64::from_be_bytes)
    }

    /// Finds the records of an intrapartition queue; after a failure those of a queue without recovery are removed.
    pub(super) fn load(&self, region: &Region, emergency: bool) -> Result<(), StoreError> {
        let table = &TransientData::of(region).tables().records;
        let mut sequences = VecDeque::new();
        let mut lengths = Vec::new();
        region.store.scan(table, Some(&self.key(0)), Direction::Forward, &mut |key, value| match self.sequence_of(key) {
            Some(sequence) => {
                sequences.push_back(sequence);
                lengths.push(value.len());
                true
            }
            None => false,
        })?;
        let recovery = self.definition().recovery;
        if emergency && recovery == TdRecovery::None {
            let changes = sequences.iter().map(|sequence| Change { table: table.clone(), key: self.key(*sequence).to_vec(), value: None });
            return region.store.publish(changes.collect(), &ThreadWaiter::new());
        }
        let intervals = TransientData::of(region).intervals();
        intervals.clear(self.name);
        lengths.into_iter().for_each(|length| intervals.found(self.name, length));
        self.count.store(sequences.len() as i64, Ordering::Relaxed);
        self.peak.fetch_max(sequences.len() as u64, Ordering::Relaxed);
        self.head.store(sequences.front().copied().unwrap_or(0), Ordering::Relaxed);
        if recovery != TdRecovery::Logical {
            *self.records.lock() = sequences;
        }
        Ok(())
    }

    /// Records written and not yet read, as committed.
    pub(super) fn items(&self) -> i64 {
        self.count.load(Ordering::Relaxed).max(0)
    }

    /// So many more records are there, or fewer.
    pub(super) fn counted(&self, added: i64) {
        let now = self.count.fetch_add(added, Ordering::Relaxed) + added;
        self.peak.fetch_max(now.max(0) as u64, Ordering::Relaxed);
    }

    /// A unit of work has committed.
    pub(super) fn committed(&self, added: i64, read_to: u64) {
        self.counted(added);
        self.head.fetch_max(read_to, Ordering::Relaxed);
    }

    /// Opens the file of an extrapartition queue.
    pub fn open(&self, region: &'static Region) -> std::io::Result<()> {
        let definition = self.definition();
        let mut file = self.file.lock();
        if file.is_some() {
            return Ok(());
        }
        match ExternalFile::open(region, &definition) {
            Ok(opened) => {
                *file = Some(opened);
                Ok(())
            }
            Err(error) => {
                drop(file);
                let reason = error.to_string();
                // A message about a message queue would come back here.
                if !super::messages::is_message_queue(self.name) {
                    region.messages.send("DFHTD0252", &[("queue", self.name.as_str()), ("reason", reason.as_str())]);
                }
                Err(error)
            }
        }
    }

    pub fn close(&self) {
        if let Some(mut file) = self.file.lock().take() {
            file.flush();
        }
    }

    pub fn statistics(&self) -> ResourceStatistics {
        self.read_statistics(Peaks::Keep)
    }

    /// As `statistics`; with `Peaks::Begin` a statistics interval begins.
    pub fn read_statistics(&self, peaks: Peaks) -> ResourceStatistics {
        let peak = peaks.read(&self.peak, || self.items() as u64);
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let intrapartition = self.definition().queue_type == TdQueueType::Intrapartition;
        ResourceStatistics {
            resource: "TDQUEUE",
            name: self.name.to_string(),
            counters: vec![
                ("writes", get(&self.writes)),
                ("reads", get(&self.reads)),
                ("deletes", get(&self.deletes)),
                ("triggers", get(&self.triggers)),
                ("items", if intrapartition { self.items() as u64 } else { 0 }),
                ("items_peak", if intrapartition { peak } else { 0 }),
            ],
        }
    }
}
