//! The files of the system log: numbered segments, filled with zeros before use and recycled when the log is cut.
//!
//! Segment n holds LSNs from n x size on, as many as its file is long: at most up to (n+1) x size. Files are short at first and grow from
//! one segment to the next, so that a store with little work takes little room; a recycled file keeps its length. The first 4096 bytes are
//! the header. A numbered file always has a valid header, because it is written and synced under another name and then renamed. Segments
//! are created in order, so a missing number between others means a lost segment. Segment header: "RGNTLOG1" · version u32 (2) · crc32 u32
//! over bytes 16-47 · number u64 · segment size u64 · store identifier u64 · length of the file u64. Version 1 ends before the length,
//! which is the segment size.
//!
//! Invariant: the length of a segment is fixed before anything is appended to it, and is the length of its file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use super::StoreError;
use super::record::{Lsn, u32_at, u64_at};
use crate::disk::{Disk, DiskFile};
use crate::fault;

pub(crate) const SEGMENT_HEADER_LENGTH: u64 = 4096;
const MAGIC: &[u8; 8] = b"RGNTLOG1";
const VERSION: u32 = 2;
const VERSION_OF_FIXED_LENGTH: u32 = 1;
const HEADER_FIELDS_LENGTH: usize = 48;
/// The first segment has this part (one n-th) of the segment size, each later one twice as much as the one before.
const FIRST_LENGTH_FRACTION: u64 = 32;
const LENGTH_MIN: u64 = 64 << 10;
/// A segment takes at most this fraction (one n-th) of the room on the device, unless a record needs more.
const ROOM_FRACTION: u64 = 8;
const SPARE_PREFIX: &str = "spare-";

/// The log's directory and its segment files.
pub(crate) struct Segments {
    directory: PathBuf,
    size: u64,
    store_id: u64,
    disk: Arc<dyn Disk>,
    state: Mutex<State>,
    /// Lengths of the segments from the one being appended to, by number.
    lengths: Mutex<BTreeMap<u64, u64>>,
}

#[derive(Default)]
struct State {
    /// Prepared segments from the one being written on, open for writing: (number, file).
    ready: Vec<(u64, Arc<dyn DiskFile>)>,
    /// Numbered segments on disk, ascending.
    numbers: Vec<u64>,
    /// Files free for another use.
    spares: Vec<PathBuf>,
    next_spare: u64,
}

fn header_bytes(number: u64, size: u64, store_id: u64, length: u64) -> [u8; HEADER_FIELDS_LENGTH] {
    let mut bytes = [0u8; HEADER_FIELDS_LENGTH];
    bytes[0..8].copy_from_slice(MAGIC);
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    bytes[16..24].copy_from_slice(&number.to_le_bytes());
    bytes[24..32].copy_from_slice(&size.to_le_bytes());
    bytes[32..40].copy_from_slice(&store_id.to_le_bytes());
    bytes[40..48].copy_from_slice(&length.to_le_bytes());
    let crc = crc32fast::hash(&bytes[16..HEADER_FIELDS_LENGTH]);
    bytes[12..16].copy_from_slice(&crc.to_le_bytes());
    bytes
}

impl Segments {
    /// Lists the directory (created if missing).
    pub(crate) fn open(disk: Arc<dyn Disk>, directory: &Path, size: u64, store_id: u64) -> Result<Segments, StoreError> {
        let io = |error| StoreError::io(directory, error);
        disk.create_directory(directory).map_err(io)?;
        let mut state = State::default();
        for name in disk.list(directory).map_err(io)? {
            if let Some(number) = name.strip_suffix(".log").and_then(|number| number.parse().ok()) {
                state.numbers.push(number);
            } else if let Some(number) = name.strip_prefix(SPARE_PREFIX).and_then(|n| n.parse::<u64>().ok()) {
                state.next_spare = state.next_spare.max(number + 1);
                state.spares.push(directory.join(name));
            }
        }
        state.numbers.sort_unstable();
        let (state, lengths) = (Mutex::new(state), Mutex::default());
        Ok(Segments { directory: directory.to_path_buf(), size, store_id, disk, state, lengths })
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Identifies the store whose log it is.
    pub(crate) fn store_id(&self) -> u64 {
        self.store_id
    }

    /// The end of a segment. One whose length is not yet decided has room for `needed` bytes after its header.
    pub(crate) fn end_of(&self, number: u64, needed: u64) -> Lsn {
        number * self.size + self.length_of(number, needed + SEGMENT_HEADER_LENGTH, || 0)
    }

    /// The length of a segment: twice that of the one before if it is not decided yet, but at least `least`, and that of a file to be used again.
    fn length_of(&self, number: u64, least: u64, spare_length: impl FnOnce() -> u64) -> u64 {
        let mut lengths = self.lengths.lock();
        if let Some(length) = lengths.get(&number) {
            return *length;
        }
        let first = (self.size / FIRST_LENGTH_FRACTION).max(LENGTH_MIN);
        let grown = number.checked_sub(1).and_then(|before| lengths.get(&before)).map_or(first, |before| before * 2);
        let room = self.disk.room(&self.directory).map_or(u64::MAX, |room| room / ROOM_FRACTION);
        let length = grown.min(room).max(LENGTH_MIN).max(spare_length()).max(least).next_multiple_of(4096).min(self.size);
        lengths.insert(number, length);
        length
    }

    /// The segment of the byte before `lsn`: a position that ends a segment belongs to it, and the next one need not exist yet.
    pub(crate) fn number_of(&self, lsn: Lsn) -> u64 {
        lsn.saturating_sub(1) / self.size
    }

    pub(crate) fn first_lsn(&self, number: u64) -> Lsn {
        number * self.size + SEGMENT_HEADER_LENGTH
    }

    pub(crate) fn path(&self, number: u64) -> PathBuf {
        self.directory.join(format!("{number:016}.log"))
    }

    pub(crate) fn highest(&self) -> Option<u64> {
        self.state.lock().numbers.last().copied()
    }

    pub(crate) fn exists(&self, number: u64) -> bool {
        self.state.lock().numbers.contains(&number)
    }

    /// Makes segment `number` ready for writing: a spare file or a new file of zeros gets its header, is synced, then renamed.
    fn prepare(&self, state: &mut State, number: u64) -> Result<Arc<dyn DiskFile>, StoreError> {
        debug_assert!(state.numbers.last().is_none_or(|highest| highest + 1 == number), "segment {number} out of order");
        let (path, is_new) = match state.spares.pop() {
            Some(path) => (path, false),
            None => {
                let path = self.directory.join(format!("{SPARE_PREFIX}{}", state.next_spare));
                state.next_spare += 1;
                (path, true)
            }
        };
        let filled = self.fill(&path, is_new, number);
        let target = self.path(number);
        let renamed = filled.and_then(|file| {
            fault::point("segment.rename").map_err(|error| StoreError::io(&path, error))?;
            self.disk.rename(&path, &target).map_err(|error| StoreError::io(&path, error))?;
            Ok(file)
        });
        let file = match renamed {
            Ok(file) => file,
            Err(error) => {
                // If the device is full, the room taken by this attempt is released.
                if !is_new || self.disk.remove(&path).is_err() {
                    state.spares.push(path);
                }
                return Err(error);
            }
        };
        state.numbers.push(number);
        state.numbers.sort_unstable();
        self.disk.sync_directory(&self.directory).map_err(|error| StoreError::io(&target, error))?;
        fault::point("segment.renamed").map_err(|error| StoreError::io(&target, error))?;
        state.ready.push((number, file.clone()));
        Ok(file)
    }

    /// Gives a file the length of segment `number` and its header, and syncs it. Data left from an earlier use has other LSNs.
    fn fill(&self, path: &Path, is_new: bool, number: u64) -> Result<Arc<dyn DiskFile>, StoreError> {
        let io = |error| StoreError::io(path, error);
        let file = self.disk.open(path).map_err(io)?;
        let had = if is_new { 0 } else { file.length().map_err(io)? };
        let length = self.length_of(number, 0, || had);
        if self.disk.room(&self.directory).is_some_and(|room| room < length.saturating_sub(had)) {
            return Err(io(std::io::ErrorKind::StorageFull.into()));
        }
        if had != length || is_new {
            file.set_length(length).map_err(io)?;
        }
        let zeros = vec![0u8; 1 << 20];
        let mut at = had;
        while at < length {
            let count = zeros.len().min((length - at) as usize);
            file.write_at(&zeros[..count], at).map_err(io)?;
            at += count as u64;
        }
        let mut header = vec![0u8; SEGMENT_HEADER_LENGTH as usize];
        header[..HEADER_FIELDS_LENGTH].copy_from_slice(&header_bytes(number, self.size, self.store_id, length));
        file.write_at(&header, 0).map_err(io)?;
        fault::point("segment.sync").map_err(io)?;
        file.sync().map_err(io)?;
        Ok(file)
    }

    /// The file of segment `number` for writing, prepared now if necessary.
    pub(crate) fn for_writing(&self, number: u64) -> Result<Arc<dyn DiskFile>, StoreError> {
        let mut state = self.state.lock();
        if let Some((_, file)) = state.ready.iter().find(|(ready, _)| *ready == number) {
            return Ok(file.clone());
        }
        self.prepare(&mut state, number)
    }

    /// Fails if the file of a segment in use was deleted, cut short or lengthened: what was written to it may be lost.
    pub(crate) fn check_in_place(&self, number: u64, file: &dyn DiskFile) -> Result<(), StoreError> {
        let path = self.path(number);
        let expected = self.end_of(number, 0) - number * self.size;
        match file.linked_length().map_err(|error| StoreError::io(&path, error))? {
            None => Err(StoreError::Deleted(path)),
            Some(found) if found != expected => Err(StoreError::Resized { path, found, expected }),
            Some(_) => Ok(()),
        }
    }

    /// Prepares the segments up to the one after `current`, and frees every segment below `keep_from`. `current` is the segment last
    /// appended to, so it and some before it may not yet have been prepared for writing.
    pub(crate) fn maintain(&self, current: u64, keep_from: u64) -> Result<(), StoreError> {
        debug_assert!(keep_from <= current);
        let mut state = self.state.lock();
        self.free_below(&mut state, keep_from)?;
        let first = state.numbers.last().map_or(current, |highest| highest + 1);
        for number in first..=current + 1 {
            self.prepare(&mut state, number)?;
        }
        while state.spares.len() > 2 {
            let path = state.spares.pop().expect("more than two");
            self.disk.remove(&path).map_err(|error| StoreError::io(&path, error))?;
        }
        Ok(())
    }

    fn free_below(&self, state: &mut State, keep_from: u64) -> Result<(), StoreError> {
        state.ready.retain(|(number, _)| *number >= keep_from);
        // The length of the last freed segment determines that of the next.
        self.lengths.lock().retain(|number, _| number + 1 >= keep_from);
        while let Some(&number) = state.numbers.first()
            && number < keep_from
        {
            let spare = self.directory.join(format!("{SPARE_PREFIX}{}", state.next_spare));
            state.next_spare += 1;
            let path = self.path(number);
            self.disk.rename(&path, &spare).map_err(|error| StoreError::io(&path, error))?;
            state.numbers.remove(0);
            state.spares.push(spare);
        }
        Ok(())
    }

    /// Frees every segment below `keep_from` (after a restart).
    pub(crate) fn free(&self, keep_from: u64) -> Result<(), StoreError> {
        self.free_below(&mut self.state.lock(), keep_from)
    }

    /// Reads a whole segment; an error if it does not match its header.
    pub(crate) fn read(&self, number: u64) -> Result<Vec<u8>, StoreError> {
        let bytes = self.read_anyway(number)?;
        match self.fault_of(number, &bytes)? {
            None => Ok(bytes),
            Some(why) => Err(StoreError::SegmentDamaged { segment: self.path(number), why }),
        }
    }

    /// Reads the file of a segment regardless of its header.
    pub(crate) fn read_anyway(&self, number: u64) -> Result<Vec<u8>, StoreError> {
        let path = self.path(number);
        self.disk.read(&path).map_err(|error| StoreError::io(&path, error))
    }

    /// The fault in the header or the length of a segment.
    fn fault_of(&self, number: u64, bytes: &[u8]) -> Result<Option<String>, StoreError> {
        let wrong = |why: &str| Ok(Some(why.to_string()));
        if (bytes.len() as u64) < SEGMENT_HEADER_LENGTH {
            return Ok(Some(format!("it has {} bytes, less than its header", bytes.len())));
        }
        let version = u32_at(bytes, 8);
        let fields = if version == VERSION_OF_FIXED_LENGTH { 40 } else { HEADER_FIELDS_LENGTH };
        if bytes[0..8] != *MAGIC || u32_at(bytes, 12) != crc32fast::hash(&bytes[16..fields]) {
            return wrong("its header (bytes 0 to 47) is damaged");
        }
        if version > VERSION {
            return Err(StoreError::Version { found: version, supported: VERSION });
        }
        let length = if version == VERSION_OF_FIXED_LENGTH { self.size } else { u64_at(bytes, 40) };
        if bytes.len() as u64 != length {
            return Ok(Some(format!("it has {} bytes, not {length}", bytes.len())));
        }
        if u64_at(bytes, 16) != number || u64_at(bytes, 24) != self.size {
            return wrong("its header names another segment");
        }
        if u64_at(bytes, 32) != self.store_id {
            return wrong("its header names another store");
        }
        Ok(None)
    }
}
