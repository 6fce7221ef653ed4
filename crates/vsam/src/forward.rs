//! Forward recovery and replication logs: what was done to the records of data sets. From after-images `recover` brings a backup up to
//! date; whoever copies a data set elsewhere reads before- and after-images and the ends of units of work.
//!
//! A change of a record in a unit of work puts its log records into the table `forward.LOG` in the same unit of work, so both are
//! committed or neither is. A unit of work that is backed out leaves nothing for forward recovery; for replication its records are published
//! when it has ended, with BACKOUT. A carrier moves the records from the table to the log's files, which may lie on another disk: when the
//! pages have them, they are appended, synced, then deleted from the table. A record may be in the files twice after a crash, never missing:
//! readers go by its sequence number.
//!
//! Files `forward/LOG/NNNNNNNN.fwd` hold frames: length of the payload u32 · crc32 of the payload u32 · payload (see `formats.md`).
//! Invariants: after-images of one record are in the order of their sequence numbers, as its lock was held in between; COMMIT or BACKOUT
//! of a unit of work has a greater number than all its images; a replication log has of a unit of work all records, the last of them COMMIT or
//! BACKOUT, or none; what the files have is never lost from the data sets by a failure; a frame cut short at the end of the last file is a
//! torn write and its record is still in the table: it is cut off before the next is written.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::codec::{Decoder, Encoder};
use crate::disk::names::{Letters, file_name};
use crate::disk::private;
use crate::error::{FileError, StoreError};
use crate::file::{DataSets, File as OpenFile};
use crate::store::{Change, Direction, Store, Table, UnitId, UnitOfWork};

const VERSION: u8 = 2;
/// Payloads of the first release: after-images for forward recovery only.
const VERSION_FIRST: u8 = 1;
const TABLE_PREFIX: &str = "forward.";
const DIRECTORY: &str = "forward";
/// Bytes of a log file at which the next is begun.
const FILE_BYTES_MAX: u64 = 64 << 20;
/// Images carried in one go.
const CARRY_MAX: usize = 10_000;

/// What a record is written for: bits of its purpose.
pub const FORWARD_RECOVERY: u8 = 1;
pub const REPLICATION: u8 = 2;

/// What a log record says. The number is that of the format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum ImageKind {
    /// After a change: the record was deleted.
    Deleted = 0,
    /// After a change: the record as it is now.
    After = 1,
    /// Before a change: the record as it was.
    Before = 2,
    /// Before a change: there was no record.
    Absent = 3,
    /// The unit of work is complete.
    Commit = 4,
    /// A file was opened over the data set: the record is its name.
    TieUp = 5,
    FileClose = 6,
    /// The unit of work was backed out: none of its changes is to be made.
    Backout = 7,
}

impl ImageKind {
    const ALL: [ImageKind; 8] = [
        ImageKind::Deleted,
        ImageKind::After,
        ImageKind::Before,
        ImageKind::Absent,
        ImageKind::Commit,
        ImageKind::TieUp,
        ImageKind::FileClose,
        ImageKind::Backout,
    ];

    /// As CICS names the log record.
    pub fn name(self) -> &'static str {
        match self {
            ImageKind::Deleted | ImageKind::After => "REDO",
            ImageKind::Before | ImageKind::Absent => "UNDO",
            ImageKind::Commit => "COMMIT",
            ImageKind::Backout => "BACKOUT",
            ImageKind::TieUp => "TIEUP",
            ImageKind::FileClose => "FILECLOSE",
        }
    }
}

/// A log record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    pub kind: ImageKind,
    /// What it is for: `FORWARD_RECOVERY`, `REPLICATION` or both.
    pub purpose: u8,
    pub sequence: u64,
    /// Seconds since 1970 of the request.
    pub at: u64,
    /// Number of the unit of work; 0 if the change was no part of one.
    pub unit: u64,
    /// Empty in COMMIT and BACKOUT, which are for all of them.
    pub data_set: String,
    /// Table key of the base cluster.
    pub key: Vec<u8>,
    /// The record, or `None` if there is none.
    pub record: Option<Vec<u8>>,
}

impl Image {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        out.u8(VERSION).u8(self.kind as u8).u8(self.purpose).u64(self.sequence).u64(self.at).u64(self.unit).string(&self.data_set);
        out.u32(self.key.len() as u32);
        out.bytes.extend_from_slice(&self.key);
        out.bytes.extend_from_slice(self.record.as_deref().unwrap_or_default());
        out.bytes
    }

    fn decode(bytes: &[u8]) -> Option<Image> {
        let mut input = Decoder { bytes };
        let version = input.u8()?;
        if !(VERSION_FIRST..=VERSION).contains(&version) {
            return None;
        }
        let kind = input.u8()?;
        let kind = ImageKind::ALL.into_iter().find(|known| *known as u8 == kind)?;
        let purpose = if version > VERSION_FIRST { input.u8()? } else { FORWARD_RECOVERY };
        let (sequence, at) = (input.u64()?, input.u64()?);
        let unit = if version > VERSION_FIRST { input.u64()? } else { 0 };
        let data_set = input.string()?;
        let length = input.u32()? as usize;
        let (key, record) = input.bytes.split_at_checked(length)?;
        let present = matches!(kind, ImageKind::After | ImageKind::Before | ImageKind::TieUp | ImageKind::FileClose);
        Some(Image { kind, purpose, sequence, at, unit, data_set, key: key.to_vec(), record: present.then(|| record.to_vec()) })
    }

    fn change(self, table: &Table) -> Change {
        Change { table: table.clone(), key: self.sequence.to_be_bytes().to_vec(), value: Some(self.encode()) }
    }
}

/// How a unit of work ended.
fn end_of(store: &Store, unit: UnitId, kind: ImageKind) -> Image {
    let (sequence, data_set) = (store.next_arrival(), String::new());
    Image { kind, purpose: REPLICATION, sequence, at: now(), unit: unit.0, data_set, key: Vec::new(), record: None }
}

fn now() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs())
}

/// Units of work that have written to replication logs: they get a COMMIT record there.
#[derive(Default)]
pub(crate) struct Replicating(Mutex<Vec<(UnitId, Vec<Table>)>>);

impl Replicating {
    fn note(&self, unit: UnitId, table: &Table) {
        let mut noted = self.0.lock();
        match noted.iter_mut().find(|(other, _)| *other == unit) {
            Some((_, tables)) if tables.contains(table) => {}
            Some((_, tables)) => tables.push(table.clone()),
            None => noted.push((unit, vec![table.clone()])),
        }
    }

    fn take(&self, unit: UnitId) -> Vec<Table> {
        let mut noted = self.0.lock();
        let at = noted.iter().position(|(other, _)| *other == unit);
        at.map_or(Vec::new(), |at| noted.swap_remove(at).1)
    }
}

/// The logs of an open file: one for both purposes, or one for each.
pub(crate) struct ForwardLog {
    logs: Vec<(Table, u8)>,
    replicating: Arc<Replicating>,
}

/// A change of a record, as it is logged.
pub(crate) struct Changed<'a> {
    pub key: &'a [u8],
    pub before: Option<&'a [u8]>,
    pub after: Option<&'a [u8]>,
}

impl ForwardLog {
    /// `None` when neither log has a name.
    pub(crate) fn open(sets: &DataSets, forward: Option<&str>, replication: Option<&str>) -> Result<Option<ForwardLog>, StoreError> {
        let mut logs: Vec<(Table, u8)> = Vec::new();
        for (name, purpose) in [(forward, FORWARD_RECOVERY), (replication, REPLICATION)] {
            let Some(name) = name else { continue };
            let table = sets.store().table(&format!("{TABLE_PREFIX}{name}"))?;
            match logs.iter_mut().find(|(other, _)| *other == table) {
                Some((_, purposes)) => *purposes |= purpose,
                None => logs.push((table, purpose)),
            }
        }
        if logs.is_empty() {
            return Ok(None);
        }
        Ok(Some(ForwardLog { logs, replicating: sets.replicating().clone() }))
    }

    /// Whether before-images are needed.
    pub(crate) fn replicates(&self) -> bool {
        self.logs.iter().any(|(_, purpose)| purpose & REPLICATION != 0)
    }

    /// The changes that log a change: a before-image for replication, and an after-image. `unit` is the unit of work if it is part of one.
    pub(crate) fn changes(&self, store: &Store, unit: Option<UnitId>, data_set: &str, changed: &Changed<'_>, changes: &mut Vec<Change>) {
        let image = |kind, purpose, record: Option<&[u8]>| Image {
            kind,
            purpose,
            sequence: store.next_arrival(),
            at: now(),
            unit: unit.map_or(0, |unit| unit.0),
            data_set: data_set.to_string(),
            key: changed.key.to_vec(),
            record: record.map(<[u8]>::to_vec),
        };
        for (table, purpose) in &self.logs {
            if purpose & REPLICATION != 0 {
                let kind = if changed.before.is_some() { ImageKind::Before } else { ImageKind::Absent };
                changes.push(image(kind, REPLICATION, changed.before).change(table));
                if let Some(unit) = unit {
                    self.replicating.note(unit, table);
                }
            }
            let kind = if changed.after.is_some() { ImageKind::After } else { ImageKind::Deleted };
            changes.push(image(kind, *purpose, changed.after).change(table));
        }
    }
}

fn io(path: &Path) -> impl Fn(std::io::Error) -> FileError + '_ {
    move |error| FileError::Store(StoreError::io(path, error))
}

fn files_of(directory: &Path) -> Result<Vec<PathBuf>, FileError> {
    let mut files = Vec::new();
    if directory.is_dir() {
        for entry in std::fs::read_dir(directory).map_err(io(directory))? {
            let path = entry.map_err(io(directory))?.path();
            if path.extension().is_some_and(|extension| extension == "fwd") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The file of a log that is written next.
fn file_to_write(directory: &Path) -> Result<PathBuf, FileError> {
    let files = files_of(directory)?;
    let full = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|metadata| metadata.len() >= FILE_BYTES_MAX);
    Ok(match files.last() {
        Some(last) if !full(last) => last.clone(),
        last => {
            // The first may have been taken away, being of no use any more.
            let number = last.and_then(|path| path.file_stem()?.to_str()?.parse::<u64>().ok()).unwrap_or(0);
            directory.join(format!("{:08}.fwd", number + 1))
        }
    })
}

fn append(directory: &Path, frames: &[u8]) -> Result<(), FileError> {
    private::create_directory(directory).map_err(io(directory))?;
    let path = file_to_write(directory)?;
    let mut file = private::open(private::open_options().create(true).append(true), &path).map_err(io(&path))?;
    file.write_all(frames).and_then(|()| file.sync_all()).map_err(io(&path))?;
    File::open(directory).and_then(|directory| directory.sync_all()).map_err(io(directory))
}

/// Cuts off what a write that did not end left at the end of the last file: behind more records it would be damage.
fn cut_torn_end(directory: &Path) -> Result<(), FileError> {
    let files = files_of(directory)?;
    let Some(path) = files.last() else { return Ok(()) };
    let bytes = std::fs::read(path).map_err(io(path))?;
    let mut rest = &bytes[..];
    while let Some((_, after)) = frame(rest) {
        rest = after;
    }
    if rest.is_empty() || !torn(rest) {
        return Ok(());
    }
    tracing::info!("{}: {} bytes of a write that did not end are cut off", path.display(), rest.len());
    let file = File::options().write(true).open(path).map_err(io(path))?;
    file.set_len((bytes.len() - rest.len()) as u64).and_then(|()| file.sync_all()).map_err(io(path))
}

impl DataSets {
    /// Before a unit of work is committed: its replication logs get its COMMIT record.
    pub fn log_commit(&self, unit: &UnitOfWork) -> Result<(), StoreError> {
        for table in self.replicating().take(unit.id()) {
            let image = end_of(self.store(), unit.id(), ImageKind::Commit);
            unit.put(&table, &image.sequence.to_be_bytes(), &image.encode())?;
        }
        Ok(())
    }

    /// Backs a unit of work out, and its replication logs get what it would have changed, and its BACKOUT record: after the outcome, so that
    /// a prepared one never has both BACKOUT and, after a failure in between, COMMIT. An error says that they did not get it.
    pub fn back_out(&self, unit: &UnitOfWork) -> Result<(), StoreError> {
        let _ = self.replicating().take(unit.id());
        let mut changes = Vec::new();
        for (table, records) in unit.pending(|name| name.starts_with(TABLE_PREFIX)) {
            let images = records.iter().filter_map(|record| Image::decode(record));
            // Prepared, it has a COMMIT record that then never was.
            let replicated = images.filter(|image| image.purpose & REPLICATION != 0 && image.kind != ImageKind::Commit);
            let before = changes.len();
            changes.extend(replicated.map(|image| Image { purpose: REPLICATION, ..image }.change(&table)));
            if changes.len() > before {
                changes.push(end_of(self.store(), unit.id(), ImageKind::Backout).change(&table));
            }
        }
        unit.backout();
        if changes.is_empty() { Ok(()) } else { self.store().publish_now(changes) }
    }

    /// Ties a file up with its data set in its logs, when it is opened and at keypoints, or says that it was closed.
    pub fn log_file(&self, file: &OpenFile, name: &str, kind: ImageKind) -> Result<(), StoreError> {
        let Some(logs) = &file.0.forward else { return Ok(()) };
        let record = |purpose| Image {
            kind,
            purpose,
            sequence: self.store().next_arrival(),
            at: now(),
            unit: 0,
            data_set: file.attributes().base.clone(),
            key: Vec::new(),
            record: Some(name.as_bytes().to_vec()),
        };
        self.store().publish_now(logs.logs.iter().map(|(table, purpose)| record(*purpose).change(table)).collect())
    }

    /// Moves what has been committed to the files of the forward recovery logs. Answers the number of images.
    pub fn carry_forward_logs(&self) -> Result<u64, FileError> {
        let mut whole = self.carrying();
        let store = self.store();
        let mut total = 0;
        for name in store.table_names() {
            let (Some(log), Some(table)) = (name.strip_prefix(TABLE_PREFIX), store.existing_table(&name)) else { continue };
            let directory = self.forward_directory(log);
            loop {
                let (mut frames, mut changes) = (Vec::new(), Vec::new());
                store.scan(&table, None, Direction::Forward, &mut |key, payload| {
                    frames.extend_from_slice(&(payload.len() as u32).to_le_bytes());
                    frames.extend_from_slice(&crc32fast::hash(payload).to_le_bytes());
                    frames.extend_from_slice(payload);
                    changes.push(Change { table: table.clone(), key: key.to_vec(), value: None });
                    changes.len() < CARRY_MAX
                })?;
                if changes.is_empty() {
                    break;
                }
                // What a failure could still take back must not be in the files.
                store.keypoint()?;
                if !whole.contains(&directory) {
                    cut_torn_end(&directory)?;
                }
                // Until the write has ended well nobody knows how the file ends.
                whole.remove(&directory);
                append(&directory, &frames)?;
                whole.insert(directory.clone());
                total += changes.len() as u64;
                store.publish_now(changes)?;
            }
        }
        Ok(total)
    }

    /// Names of the forward recovery logs.
    pub fn forward_logs(&self) -> Vec<String> {
        self.store().table_names().iter().filter_map(|name| name.strip_prefix(TABLE_PREFIX).map(str::to_string)).collect()
    }

    /// Where the files of a log are.
    pub fn forward_directory(&self, log: &str) -> PathBuf {
        // A name that no file can have was never given to a log.
        let name = file_name(log, Letters::Kept, "").unwrap_or_else(|_| "%".to_string());
        self.store().directory().join(DIRECTORY).join(name)
    }

    /// Applies the images of a data set in the files of a log, up to a moment, and builds its alternate indexes anew. Answers the
    /// number applied. The data set holds a backup taken after the log was begun.
    pub fn recover_forward(&self, data_set: &str, directory: &Path, until: Option<u64>) -> Result<u64, FileError> {
        self.must_be_free(data_set)?;
        let sphere = self.sphere(data_set)?;
        let images = read_images(directory, data_set, until)?;
        let applied = images.len() as u64;
        let mut changes = Vec::new();
        for (_, image) in images {
            changes.push(Change { table: sphere.data.clone(), key: image.key, value: image.record });
            if changes.len() >= CARRY_MAX {
                self.store().publish_now(std::mem::take(&mut changes))?;
                self.store().keypoint()?;
            }
        }
        self.store().publish_now(changes)?;
        self.store().keypoint()?;
        let indexes: Vec<String> = sphere.indexes.iter().map(|index| index.name.clone()).collect();
        drop(sphere);
        for index in indexes {
            self.build_index(&index)?;
        }
        self.rebuild_intervals(data_set)?;
        Ok(applied)
    }
}

/// The after-images of a data set for forward recovery by sequence.
pub fn read_images(directory: &Path, data_set: &str, until: Option<u64>) -> Result<BTreeMap<u64, Image>, FileError> {
    let redo = |image: &Image| matches!(image.kind, ImageKind::After | ImageKind::Deleted) && image.purpose & FORWARD_RECOVERY != 0;
    let mut images = read_log(directory)?;
    images.retain(|_, image| redo(image) && image.data_set == data_set && until.is_none_or(|until| image.at <= until));
    Ok(images)
}

/// The records of a log by sequence. A frame that does not agree with its checksum ends a file: as an error, unless it is the last of the
/// last file.
pub fn read_log(directory: &Path) -> Result<BTreeMap<u64, Image>, FileError> {
    let files = files_of(directory)?;
    if files.is_empty() {
        return Err(FileError::DataSetNotFound(directory.display().to_string()));
    }
    let mut images = BTreeMap::new();
    for (number, path) in files.iter().enumerate() {
        let mut bytes = Vec::new();
        File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(io(path))?;
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let Some((payload, after)) = frame(rest) else {
                let last = number + 1 == files.len();
                if last && torn(rest) {
                    break;
                }
                let why = format!("{}: damaged at offset {}", path.display(), bytes.len() - rest.len());
                return Err(FileError::Store(StoreError::Invalid(why)));
            };
            rest = after;
            let image = Image::decode(payload);
            let image = image.ok_or_else(|| FileError::Store(StoreError::Invalid(format!("{}: unknown format", path.display()))))?;
            images.insert(image.sequence, image);
        }
    }
    Ok(images)
}

fn frame(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut input = Decoder { bytes };
    let (length, crc) = (input.u32()? as usize, input.u32()?);
    let (payload, rest) = input.bytes.split_at_checked(length)?;
    (length > 0 && crc32fast::hash(payload) == crc).then_some((payload, rest))
}

/// A frame whose end was not written, or of which only the length of the file was.
fn torn(bytes: &[u8]) -> bool {
    if bytes.iter().all(|byte| *byte == 0) {
        return true;
    }
    let mut input = Decoder { bytes };
    match (input.u32(), input.u32()) {
        (Some(length), Some(_)) => input.bytes.len() < length as usize,
        _ => true,
    }
}
