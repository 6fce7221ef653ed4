//! Opens a store: directory lock, pages, replay of the log, a new log segment.
//!
//! Invariants: replay is idempotent until the last step, the one batch that moves "applied up to" to the new segment; old segments are
//! freed only after it; the new segment exists before the pages name it. A log that cannot be read is passed over in one case only: the
//! pages say that the last region ended behind all its records, and none is behind that position.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use super::core::{Core, Table};
use super::directory_lock::DirectoryLock;
use super::engine::{BatchWriter, Engine};
use super::in_doubt::{Cut, InDoubtUnits};
use super::lmdb::Lmdb;
use super::locks::LockName;
use super::log::Log;
use super::packed::{Compression, Packer};
use super::record::{Lsn, RecordType, outcome_unit, read_payload, u32_at, u64_at};
use super::replay::{LogEnd, has_records_from, read_log};
use super::segment::Segments;
use super::{RestartReport, Run, SEGMENT_SIZE_MIN, Store, StoreConfig, StoreError, TableId, UnitId};
use crate::fault;

const FORMAT_VERSION: u32 = 1;
/// Replayed bytes after which a batch goes to the pages.
const REPLAY_BATCH_BYTES: usize = 64 << 20;
/// Number of a new store's first segment of the log.
const FIRST_SEGMENT: u64 = 1;
/// Bits left for numbers within one run.
const RUN_BITS: u32 = 40;

/// The identity of the store in the pages.
struct Identity {
    store_id: u64,
    segment_size: u64,
    applied: Option<Lsn>,
    /// The last region ended in order when this was the end of the log, and all before it was in the pages.
    ended: Option<Lsn>,
    opens: u64,
    clean: bool,
    /// Only utilities have had it open.
    is_fresh: bool,
    /// Units of work that utilities have replayed since the last region ended.
    replayed: u64,
}

/// A region has the store: until it reports an orderly end, its end counts as a failure.
pub(crate) fn note_region(writer: &mut dyn BatchWriter) -> Result<(), StoreError> {
    writer.put_meta("clean", &[0])?;
    writer.put_meta("fresh", &[0])?;
    writer.put_meta("replayed", &0u64.to_le_bytes())
}

/// The region has ended in order, and its log at this position. If the pages have reached that, they need no log.
pub(crate) fn note_orderly_end(engine: &dyn Engine, end: Lsn) -> Result<(), StoreError> {
    let is_whole = engine.meta("applied")?.is_some_and(|applied| applied == end.to_le_bytes());
    engine.apply(&mut |writer| {
        if is_whole {
            writer.put_meta("ended", &end.to_le_bytes())?;
        }
        writer.put_meta("clean", &[1])
    })
}

fn read_identity(engine: &dyn Engine, config: &StoreConfig) -> Result<Identity, StoreError> {
    let number = |key: &str| -> Result<Option<u64>, StoreError> {
        Ok(engine.meta(key)?.filter(|value| value.len() == 8).map(|value| u64_at(&value, 0)))
    };
    match engine.meta("store")? {
        None => {
            let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            let store_id = seed.map_or(0, |time| time.as_nanos() as u64) ^ ((std::process::id() as u64) << 32);
            let segment_size = config.segment_size.max(SEGMENT_SIZE_MIN).next_multiple_of(4096);
            Ok(Identity { store_id, segment_size, applied: None, ended: None, opens: 0, clean: true, is_fresh: true, replayed: 0 })
        }
        Some(bytes) if bytes.len() >= 20 => {
            let version = u32_at(&bytes, 0);
            if version > FORMAT_VERSION {
                return Err(StoreError::Version { found: version, supported: FORMAT_VERSION });
            }
            Ok(Identity {
                store_id: u64_at(&bytes, 4),
                segment_size: u64_at(&bytes, 12),
                applied: number("applied")?,
                ended: number("ended")?,
                opens: number("opens")?.unwrap_or(0),
                clean: engine.meta("clean")?.is_some_and(|value| value == [1]),
                is_fresh: engine.meta("fresh")?.is_some_and(|value| value == [1]),
                replayed: number("replayed")?.unwrap_or(0),
            })
        }
        Some(_) => Err(StoreError::Invalid("the pages hold no valid store description".into())),
    }
}

type ReplayMap = BTreeMap<TableId, BTreeMap<Vec<u8>, Option<Vec<u8>>>>;

struct Replay {
    in_doubt: InDoubtUnits,
    batch: ReplayMap,
    batch_bytes: usize,
    parts: FxHashMap<UnitId, Vec<Vec<u8>>>,
    units: u64,
    /// The compressed tables.
    compressions: FxHashMap<TableId, Compression>,
}

impl Replay {
    fn new(in_doubt: InDoubtUnits, compressions: FxHashMap<TableId, Compression>) -> Replay {
        Replay { in_doubt, batch: ReplayMap::new(), batch_bytes: 0, parts: FxHashMap::default(), units: 0, compressions }
    }

    fn add(&mut self, payload: &[u8]) -> Result<(), StoreError> {
        for (table, key, value) in read_payload(payload)?.changes {
            self.batch_bytes += key.len() + value.map_or(0, <[u8]>::len) + 64;
            self.batch.entry(table).or_default().insert(key.to_vec(), value.map(<[u8]>::to_vec));
        }
        Ok(())
    }

    fn record(&mut self, kind: RecordType, payload: &[u8]) -> Result<(), StoreError> {
        match kind {
            RecordType::Part => self.parts.entry(read_payload(payload)?.unit).or_default().push(payload.to_vec()),
            RecordType::Unit => {
                for part in self.parts_of(payload)? {
                    self.add(&part)?;
                }
                self.add(payload)?;
                self.units += 1;
            }
            RecordType::Prepared => {
                let mut payloads = self.parts_of(payload)?;
                payloads.push(payload.to_vec());
                self.in_doubt.add(read_payload(payload)?.unit, payloads);
            }
            RecordType::Committed => {
                let unit = outcome_unit(payload)?;
                // Missing: this start was interrupted after the batch that contained it.
                for payload in self.in_doubt.take_payloads(unit).unwrap_or_default() {
                    self.add(&payload)?;
                }
                self.units += 1;
            }
            RecordType::BackedOut => {
                self.in_doubt.take_payloads(outcome_unit(payload)?);
            }
            RecordType::SegmentEnd => {}
        }
        Ok(())
    }

    /// The parts of the unit of work that ends with this record.
    fn parts_of(&mut self, payload: &[u8]) -> Result<Vec<Vec<u8>>, StoreError> {
        let head = read_payload(payload)?;
        let parts = self.parts.remove(&head.unit).unwrap_or_default();
        if parts.len() as u32 != head.parts_before {
            let why = format!("unit of work {} has {} of {} parts", head.unit, parts.len(), head.parts_before);
            return Err(StoreError::Invalid(why));
        }
        Ok(parts)
    }

    fn flush(&mut self, engine: &dyn Engine, meta: &[(&str, &[u8])], is_of_region: bool) -> Result<(), StoreError> {
        let batch = std::mem::take(&mut self.batch);
        self.batch_bytes = 0;
        // In-doubt units of work move to the pages with the cut, not before: until then the log has them.
        let cut = if meta.is_empty() { Cut::default() } else { self.in_doubt.at_cut() };
        engine.apply(&mut |writer| {
            let mut packer = Packer::default();
            for (table, changes) in &batch {
                let compression = self.compressions.get(table).copied();
                for (key, value) in changes {
                    match value {
                        Some(stored) => writer.put(*table, key, packer.form(compression, *table, key, stored))?,
                        None => writer.delete(*table, key)?,
                    }
                }
            }
            cut.write(writer)?;
            meta.iter().try_for_each(|(key, value)| writer.put_meta(key, value))?;
            if is_of_region { note_region(writer) } else { Ok(()) }
        })?;
        self.in_doubt.written(&cut);
        Ok(())
    }
}

/// Pages without a description are those of a new store. If the log has two segments, the store has been open and its pages are lost; a
/// single segment was left by an interrupted opening, before anything was written.
fn discard_beginning(segments: &Segments, directory: &Path) -> Result<(), StoreError> {
    match segments.highest() {
        None => Ok(()),
        Some(FIRST_SEGMENT) => segments.free(FIRST_SEGMENT + 1),
        Some(_) => Err(StoreError::PagesMissing { pages: directory.join("pages/data.mdb"), log: directory.join("log") }),
    }
}

/// The log from `applied` on cannot be read, and the last region ended there with all its work in the pages. If nothing has been appended
/// since, no committed work can be in it: its files are freed. Otherwise the pages are older than the log.
fn pass_over(segments: &Segments, applied: Lsn, error: StoreError) -> Result<LogEnd, StoreError> {
    let number = segments.number_of(applied);
    let what = match &error {
        StoreError::SegmentDamaged { segment, why } => format!("segment {}: {why}", segment.display()),
        StoreError::LogSegmentMissing(segment) => format!("segment {} is missing", segment.display()),
        _ => return Err(error),
    };
    // One segment is prepared ahead.
    if segments.highest().is_some_and(|highest| highest > number + 1) || has_records_from(segments, applied)? {
        return Err(error);
    }
    tracing::warn!(
        "system log: {what}. The last region ended in order, and everything it committed is in the pages: the log is begun anew"
    );
    segments.free(number + 2)?;
    Ok(LogEnd { lsn: applied, torn_bytes: 0, records: 0 })
}

/// The tables there are, by name.
fn tables_of(engine: &Lmdb) -> Result<FxHashMap<String, Table>, StoreError> {
    let entries = engine.meta_entries("table:")?;
    let tables = entries.into_iter().map(|(key, value)| {
        let name = &key["table:".len()..];
        (name.to_string(), Table::new(TableId(u32_at(&value, 0)), name, Compression::decode(&value[4..])))
    });
    Ok(tables.collect())
}

/// Replays the log from a position on, in batches.
fn replay_log(segments: &Segments, from: Lsn, replay: &mut Replay, engine: &Lmdb) -> Result<LogEnd, StoreError> {
    read_log(segments, from, &mut |kind, payload, _| {
        replay.record(kind, payload)?;
        if replay.batch_bytes > REPLAY_BATCH_BYTES {
            fault::point("restart.batch").map_err(|error| StoreError::Engine(error.to_string()))?;
            replay.flush(engine, &[], false)?;
        }
        Ok(())
    })
}

/// Opens the store: see `Store::open`.
pub(crate) fn open(directory: &Path, mut config: StoreConfig) -> Result<Arc<Store>, StoreError> {
    let begin = Instant::now();
    let directory_lock = Arc::new(DirectoryLock::take(directory)?);
    let engine = Lmdb::open(config.disk.clone(), &directory.join("pages"), config.map_size)?;
    let identity = read_identity(&engine, &config)?;
    config.segment_size = identity.segment_size;
    let segments = Segments::open(config.disk.clone(), &directory.join("log"), identity.segment_size, identity.store_id)?;

    if identity.applied.is_none() {
        discard_beginning(&segments, directory)?;
        // A new store: the names of its directories and of the page file must outlive a loss of power too.
        for path in [directory.join("pages"), directory.to_path_buf()] {
            config.disk.sync_directory(&path).map_err(|error| StoreError::io(&path, error))?;
        }
    }

    let mut report = RestartReport { clean: identity.clean, created: identity.is_fresh, ..Default::default() };
    let tables = tables_of(&engine)?;
    let compressions = tables.values().filter_map(|table| Some((table.id(), table.compression()?))).collect();
    let mut replay = Replay::new(InDoubtUnits::load(&engine)?, compressions);
    if let Some(applied) = identity.applied {
        let end = match replay_log(&segments, applied, &mut replay, &engine) {
            Err(error) if identity.ended == Some(applied) => pass_over(&segments, applied, error)?,
            read => read?,
        };
        report.records_replayed = end.records;
        report.torn_bytes = end.torn_bytes;
    }
    // Behind every position ever given, even if the files are gone.
    let highest = segments.highest().max(identity.applied.map(|applied| segments.number_of(applied)));
    let number = highest.map_or(FIRST_SEGMENT, |highest| highest + 1);
    segments.for_writing(number)?;
    let start = segments.first_lsn(number);
    let opens = identity.opens + 1;
    let mut store_meta = FORMAT_VERSION.to_le_bytes().to_vec();
    store_meta.extend_from_slice(&identity.store_id.to_le_bytes());
    store_meta.extend_from_slice(&identity.segment_size.to_le_bytes());
    report.units_replayed = identity.replayed + replay.units;
    let (is_of_region, replayed) = (config.run == Run::Region, report.units_replayed.to_le_bytes());
    let (applied, opened) = (start.to_le_bytes(), opens.to_le_bytes());
    let mut meta: Vec<(&str, &[u8])> = vec![("store", &store_meta), ("applied", &applied), ("opens", &opened), ("replayed", &replayed)];
    if identity.applied.is_none() {
        meta.extend([("clean", &[1][..]), ("fresh", &[1])]);
    }
    replay.flush(&engine, &meta, is_of_region)?;
    segments.free(number)?;
    segments.maintain(number, number)?;
    report.units_in_doubt = replay.in_doubt.view().len() as u64;
    report.elapsed = begin.elapsed();

    let core = Arc::new(Core::new(config, Box::new(engine), Log::start(segments, start), tables, replay.in_doubt));
    core.log.watch(directory_lock.clone());
    retain_locks(&core)?;
    let threads = start_threads(&core)?;
    Ok(Arc::new(Store {
        core,
        directory: directory.to_path_buf(),
        report,
        next_unit: AtomicU64::new((opens << RUN_BITS) + 1),
        next_arrival: AtomicU64::new((opens << RUN_BITS) + 1),
        threads: Mutex::new(threads),
        in_doubt_taken: AtomicBool::new(false),
        table_changes: Mutex::new(()),
        directory_lock: Mutex::new(Some(directory_lock)),
        is_of_region: AtomicBool::new(is_of_region),
        end_failure: Mutex::new(None),
    }))
}

/// The locks of in-doubt units of work are held for every opener of the store, whether or not it asks for the units of work.
fn retain_locks(core: &Core) -> Result<(), StoreError> {
    for payload in core.in_doubt.view().iter().flatten() {
        let payload = read_payload(payload)?;
        let locks: Vec<LockName> = payload.locks.into_iter().map(|(table, key)| LockName::new(table, key)).collect();
        core.locks.restore(payload.unit, &locks);
    }
    Ok(())
}

fn start_threads(core: &Arc<Core>) -> Result<Vec<std::thread::JoinHandle<()>>, StoreError> {
    let spawn = |name: &str, body: Box<dyn FnOnce() + Send>| {
        std::thread::Builder::new().name(name.to_string()).spawn(body).map_err(|error| StoreError::io(name, error))
    };
    let (log_core, applier_core) = (core.clone(), core.clone());
    Ok(vec![
        spawn("store-log", Box::new(move || log_core.log.run_thread()))?,
        spawn("store-applier", Box::new(move || applier_core.run_applier()))?,
    ])
}
