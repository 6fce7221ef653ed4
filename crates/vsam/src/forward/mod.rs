//! Forward recovery and replication logs: the changes made to the records of data sets. `recover` brings a backup up to date from
//! after-images. A replicator reads before-images, after-images and the ends of units of work.
//!
//! A change of a record in a unit of work puts its log records into the table `forward.LOG` in the same unit of work, so both are committed
//! or neither is. A unit of work that is backed out leaves nothing for forward recovery; for replication its records are published when it
//! has ended, with BACKOUT. A carrier moves the records from the table to the log's files, which may lie on another disk: once they are in
//! the pages, they are appended, synced, then deleted from the table. After a crash a record may be in the files twice, but is never
//! missing; readers recognize it by its sequence number.
//!
//! Files `forward/LOG/NNNNNNNN.fwd` hold frames: length of the payload u32 · crc32 of the payload u32 · payload (see `formats.md`).
//! Invariants: after-images of one record are in the order of their sequence numbers, because its lock was held in between; COMMIT or
//! BACKOUT of a unit of work has a greater number than all its images; a replication log has either all records of a unit of work, the last
//! of them COMMIT or BACKOUT, or none; no failure loses a change from the data sets that is in the files; a frame cut short at the end of
//! the last file is a torn write, and its record is still in the table, so the frame is cut off before the next one is written.

mod files;

use std::sync::Arc;

use parking_lot::Mutex;

pub(crate) use self::files::{append, cut_torn_end, frame_of};
pub use self::files::{read_images, read_log};
use crate::codec::{Decoder, Encoder};
use crate::error::StoreError;
use crate::store::{Change, Store, Table, UnitId};

const VERSION: u8 = 2;
/// Payloads of the first release: after-images for forward recovery only.
const VERSION_FIRST: u8 = 1;
/// Before the name of a log: the name of its table.
pub(crate) const TABLE_PREFIX: &str = "forward.";
/// The purpose of a log record, as bits.
pub const FORWARD_RECOVERY: u8 = 1;
pub const REPLICATION: u8 = 2;

/// The kind of a log record, with its number in the format.
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
    /// The unit of work was backed out: none of its changes must be applied.
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
    /// The purpose: `FORWARD_RECOVERY`, `REPLICATION` or both.
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
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        out.u8(VERSION).u8(self.kind as u8).u8(self.purpose).u64(self.sequence).u64(self.at).u64(self.unit).string(&self.data_set);
        out.u32(self.key.len() as u32);
        out.bytes.extend_from_slice(&self.key);
        out.bytes.extend_from_slice(self.record.as_deref().unwrap_or_default());
        out.bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Image> {
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

    pub(crate) fn change(self, table: &Table) -> Change {
        let payload = self.encode();
        debug_assert_eq!(Image::decode(&payload).as_ref(), Some(&self), "a log record is not read as it is written");
        Change { table: table.clone(), key: self.sequence.to_be_bytes().to_vec(), value: Some(payload) }
    }
}

/// How a unit of work ended.
pub(crate) fn end_of(store: &Store, unit: UnitId, kind: ImageKind) -> Image {
    let (sequence, data_set) = (store.next_arrival(), String::new());
    Image { kind, purpose: REPLICATION, sequence, at: now(), unit: unit.0, data_set, key: Vec::new(), record: None }
}

pub(crate) fn now() -> u64 {
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

    pub(crate) fn take(&self, unit: UnitId) -> Vec<Table> {
        let mut noted = self.0.lock();
        let at = noted.iter().position(|(other, _)| *other == unit);
        at.map_or(Vec::new(), |at| noted.swap_remove(at).1)
    }
}

/// The logs of an open file: one for both purposes, or one for each.
pub(crate) struct ForwardLog {
    pub(crate) logs: Vec<(Table, u8)>,
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
    pub(crate) fn open(
        store: &Store,
        replicating: &Arc<Replicating>,
        forward: Option<&str>,
        replication: Option<&str>,
    ) -> Result<Option<ForwardLog>, StoreError> {
        let mut logs: Vec<(Table, u8)> = Vec::new();
        for (name, purpose) in [(forward, FORWARD_RECOVERY), (replication, REPLICATION)] {
            let Some(name) = name else { continue };
            let table = store.table(&format!("{TABLE_PREFIX}{name}"))?;
            match logs.iter_mut().find(|(other, _)| *other == table) {
                Some((_, purposes)) => *purposes |= purpose,
                None => logs.push((table, purpose)),
            }
        }
        if logs.is_empty() {
            return Ok(None);
        }
        Ok(Some(ForwardLog { logs, replicating: replicating.clone() }))
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
