//! Forward recovery logs: after-images of the records of data sets, from which `recover` brings a backup up to date.
//!
//! A change of a record in a unit of work puts its after-image into the table `forward.LOG` in the same unit of work, so both are
//! committed or neither is. A carrier moves the images from the table to the log's files, which may lie on another disk: appended, synced,
//! then deleted from the table. An image may be in the files twice after a crash, never missing: readers go by its sequence number.
//!
//! Files `forward/LOG/NNNNNNNN.fwd` hold frames: length of the payload u32 · crc32 of the payload u32 · payload. Payload: version u8 (1) ·
//! kind u8 (1 record, 0 deleted) · sequence u64 · seconds since 1970 u64 · data set name (length u32, bytes) · key length u32 · table key ·
//! record. Invariants: images of one record are in the order of their sequence numbers, as its lock was held in between; a frame cut short
//! at the end of the last file is a torn write and its image is still in the table.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::codec::{Decoder, Encoder};
use crate::error::{FileError, StoreError};
use crate::file::DataSets;
use crate::store::{Change, Direction, Store, Table};

const VERSION: u8 = 1;
const TABLE_PREFIX: &str = "forward.";
const DIRECTORY: &str = "forward";
/// Bytes of a log file at which the next is begun.
const FILE_BYTES_MAX: u64 = 64 << 20;
/// Images carried in one go.
const CARRY_MAX: usize = 10_000;

/// An after-image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    pub sequence: u64,
    /// Seconds since 1970 of the request.
    pub at: u64,
    pub data_set: String,
    /// Table key of the base cluster.
    pub key: Vec<u8>,
    /// The record, or `None` if it was deleted.
    pub record: Option<Vec<u8>>,
}

impl Image {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        out.u8(VERSION).bool(self.record.is_some()).u64(self.sequence).u64(self.at).string(&self.data_set);
        out.u32(self.key.len() as u32);
        out.bytes.extend_from_slice(&self.key);
        out.bytes.extend_from_slice(self.record.as_deref().unwrap_or_default());
        out.bytes
    }

    fn decode(bytes: &[u8]) -> Option<Image> {
        let mut input = Decoder { bytes };
        if input.u8()? != VERSION {
            return None;
        }
        let present = input.bool()?;
        let (sequence, at, data_set) = (input.u64()?, input.u64()?, input.string()?);
        let length = input.u32()? as usize;
        let (key, record) = input.bytes.split_at_checked(length)?;
        Some(Image { sequence, at, data_set, key: key.to_vec(), record: present.then(|| record.to_vec()) })
    }
}

fn now() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs())
}

/// The log of an open file.
#[derive(Clone)]
pub(crate) struct ForwardLog {
    table: Table,
}

impl ForwardLog {
    pub(crate) fn open(store: &Store, name: &str) -> Result<ForwardLog, StoreError> {
        Ok(ForwardLog { table: store.table(&format!("{TABLE_PREFIX}{name}"))? })
    }

    /// The change that logs an after-image.
    pub(crate) fn change(&self, store: &Store, data_set: &str, key: &[u8], record: Option<&[u8]>) -> Change {
        let sequence = store.next_arrival();
        let image = Image { sequence, at: now(), data_set: data_set.to_string(), key: key.to_vec(), record: record.map(<[u8]>::to_vec) };
        Change { table: self.table.clone(), key: sequence.to_be_bytes().to_vec(), value: Some(image.encode()) }
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

fn append(directory: &Path, frames: &[u8]) -> Result<(), FileError> {
    std::fs::create_dir_all(directory).map_err(io(directory))?;
    let files = files_of(directory)?;
    let full = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|metadata| metadata.len() >= FILE_BYTES_MAX);
    let path = match files.last() {
        Some(last) if !full(last) => last.clone(),
        _ => directory.join(format!("{:08}.fwd", files.len() + 1)),
    };
    let mut file = File::options().create(true).append(true).open(&path).map_err(io(&path))?;
    file.write_all(frames).and_then(|()| file.sync_all()).map_err(io(&path))?;
    File::open(directory).and_then(|directory| directory.sync_all()).map_err(io(directory))
}

impl DataSets {
    /// Moves what has been committed to the files of the forward recovery logs. Answers the number of images.
    pub fn carry_forward_logs(&self) -> Result<u64, FileError> {
        let _carrying = self.carrying();
        let store = self.store();
        let mut total = 0;
        for name in store.table_names() {
            let (Some(log), Some(table)) = (name.strip_prefix(TABLE_PREFIX), store.existing_table(&name)) else { continue };
            let directory = store.directory().join(DIRECTORY).join(log);
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
                total += changes.len() as u64;
                append(&directory, &frames)?;
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
        self.store().directory().join(DIRECTORY).join(log)
    }

    /// Applies the images of a data set in the files of a log, up to a moment, and builds its alternate indexes anew. Answers the
    /// number applied. The data set holds a backup taken after the log was begun.
    pub fn recover_forward(&self, data_set: &str, directory: &Path, until: Option<u64>) -> Result<u64, FileError> {
        if self.is_open(data_set) {
            return Err(FileError::InUse(data_set.to_string()));
        }
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

/// The images of a data set by sequence. A frame that does not agree with its checksum ends a file: as an error, unless it is the last
/// of the last file.
pub fn read_images(directory: &Path, data_set: &str, until: Option<u64>) -> Result<BTreeMap<u64, Image>, FileError> {
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
            if image.data_set == data_set && until.is_none_or(|until| image.at <= until) {
                images.insert(image.sequence, image);
            }
        }
    }
    Ok(images)
}

fn frame(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut input = Decoder { bytes };
    let (length, crc) = (input.u32()? as usize, input.u32()?);
    let (payload, rest) = input.bytes.split_at_checked(length)?;
    (crc32fast::hash(payload) == crc).then_some((payload, rest))
}

/// A frame whose end was not written.
fn torn(bytes: &[u8]) -> bool {
    let mut input = Decoder { bytes };
    match (input.u32(), input.u32()) {
        (Some(length), Some(_)) => input.bytes.len() < length as usize,
        _ => true,
    }
}
