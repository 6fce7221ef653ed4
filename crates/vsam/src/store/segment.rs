//! The files of the system log: numbered segments, written with zeros before use and recycled when cut.
//!
//! Segment n holds LSNs from n x size to (n+1) x size. Its first 4096 bytes are its header; a numbered file always has a good
//! header, because it is written and synced under another name and then renamed. Segments are made in order, so that a number
//! that is missing between others was lost. Segment header: "RGNTLOG1" · version u32 · crc32 u32 over bytes 16-39 · number u64 ·
//! segment size u64 · store identifier u64.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use super::StoreError;
use super::record::{Lsn, u32_at, u64_at};
use crate::disk::{Disk, DiskFile};
use crate::fault;

pub(crate) const SEGMENT_HEADER_LENGTH: u64 = 4096;
const MAGIC: &[u8; 8] = b"RGNTLOG1";
const VERSION: u32 = 1;
const SPARE_PREFIX: &str = "spare-";

/// The log's directory and its segment files.
pub(crate) struct Segments {
    directory: PathBuf,
    size: u64,
    store_id: u64,
    disk: Arc<dyn Disk>,
    state: Mutex<State>,
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

fn header_bytes(number: u64, size: u64, store_id: u64) -> [u8; 40] {
    let mut bytes = [0u8; 40];
    bytes[0..8].copy_from_slice(MAGIC);
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    bytes[16..24].copy_from_slice(&number.to_le_bytes());
    bytes[24..32].copy_from_slice(&size.to_le_bytes());
    bytes[32..40].copy_from_slice(&store_id.to_le_bytes());
    let crc = crc32fast::hash(&bytes[16..40]);
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
        Ok(Segments { directory: directory.to_path_buf(), size, store_id, disk, state: Mutex::new(state) })
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
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

    /// Makes segment `number` ready for writing: a spare or new file of zeros, with its header synced, then renamed.
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
        let io = |error| StoreError::io(&path, error);
        let file = self.disk.open(&path).map_err(io)?;
        let length = file.length().map_err(io)?;
        if is_new || length != self.size {
            file.set_length(self.size).map_err(io)?;
            let zeros = vec![0u8; 1 << 20];
            let mut at = 0;
            while at < self.size {
                let count = zeros.len().min((self.size - at) as usize);
                file.write_at(&zeros[..count], at).map_err(io)?;
                at += count as u64;
            }
        }
        let mut header = vec![0u8; SEGMENT_HEADER_LENGTH as usize];
        header[..40].copy_from_slice(&header_bytes(number, self.size, self.store_id));
        file.write_at(&header, 0).map_err(io)?;
        fault::point("segment.sync").map_err(io)?;
        file.sync().map_err(io)?;
        let target = self.path(number);
        fault::point("segment.rename").map_err(io)?;
        self.disk.rename(&path, &target).map_err(io)?;
        self.disk.sync_directory(&self.directory).map_err(io)?;
        fault::point("segment.renamed").map_err(io)?;
        state.numbers.push(number);
        state.numbers.sort_unstable();
        state.ready.push((number, file.clone()));
        Ok(file)
    }

    /// The file of segment `number` for writing, prepared now if nobody did before.
    pub(crate) fn for_writing(&self, number: u64) -> Result<Arc<dyn DiskFile>, StoreError> {
        let mut state = self.state.lock();
        if let Some((_, file)) = state.ready.iter().find(|(ready, _)| *ready == number) {
            return Ok(file.clone());
        }
        self.prepare(&mut state, number)
    }

    /// Prepares the segments up to the one after `current`, and frees every segment below `keep_from`. `current` is what was
    /// appended to, so it and some before it may not have been prepared for writing yet.
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

    /// Reads a whole segment; an error if it is not as its header says.
    pub(crate) fn read(&self, number: u64) -> Result<Vec<u8>, StoreError> {
        let bytes = self.read_anyway(number)?;
        match self.fault_of(number, &bytes)? {
            None => Ok(bytes),
            Some(why) => Err(StoreError::SegmentDamaged { segment: self.path(number), why }),
        }
    }

    /// Reads the file of a segment whatever its header says.
    pub(crate) fn read_anyway(&self, number: u64) -> Result<Vec<u8>, StoreError> {
        let path = self.path(number);
        self.disk.read(&path).map_err(|error| StoreError::io(&path, error))
    }

    /// What is wrong with the header or the length of a segment.
    fn fault_of(&self, number: u64, bytes: &[u8]) -> Result<Option<String>, StoreError> {
        let wrong = |why: &str| Ok(Some(why.to_string()));
        if bytes.len() as u64 != self.size {
            return Ok(Some(format!("it has {} bytes, not {}", bytes.len(), self.size)));
        }
        if bytes[0..8] != *MAGIC || u32_at(bytes, 12) != crc32fast::hash(&bytes[16..40]) {
            return wrong("its header (bytes 0 to 39) is damaged");
        }
        let version = u32_at(bytes, 8);
        if version > VERSION {
            return Err(StoreError::Version { found: version, supported: VERSION });
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
