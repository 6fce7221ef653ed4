//! SORT and MERGE: records are released, sorted and returned. Records beyond the allowed memory are written to temporary files as sorted
//! runs, which are merged as records are returned.
//!
//! Invariants: records with equal keys are returned in the order they were released, within a run and across runs (an earlier run wins);
//! temporary files have no name, so nothing is left behind however the run unit ends.
//!
//! `unsafe` here reads and writes the record area of the sort file, storage of the program that runs the statement: see the parent
//! module.

use super::operations::exception_abend;
use super::*;
use crate::requests::service;
use le::Session;
use le::table::{SortKey, compare_keys};
use std::cmp::Ordering;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};

/// Bytes of records and their positions that one sort keeps in memory, unless the host sets another limit.
pub const SORT_BYTES_MAX: usize = 256 << 20;
/// Buffer of each run while it is read or written.
const RUN_BUFFER_BYTES: usize = 256 << 10;

/// A sort in progress.
pub(super) struct SortWork {
    keys: Vec<SortKey>,
    /// Session of the program with the collating sequence of the statement.
    session: Session,
    memory: Records,
    spilled: Vec<BufReader<File>>,
    /// The runs' next records, in a heap by keys; built by SORT_PERFORM.
    heads: Vec<Head>,
    /// The next record of `memory.order`.
    next: usize,
    bytes_max: usize,
}

/// Records in memory, one after the other.
#[derive(Default)]
struct Records {
    bytes: Vec<u8>,
    places: Vec<(usize, u32)>,
    order: Vec<u32>,
}

/// The next record of a run; the run in memory is the last one.
struct Head {
    run: usize,
    record: Vec<u8>,
}

impl Records {
    fn add(&mut self, record: &[u8]) {
        self.places.push((self.bytes.len(), record.len() as u32));
        self.bytes.extend_from_slice(record);
    }

    fn record(&self, number: u32) -> &[u8] {
        let (at, length) = self.places[number as usize];
        &self.bytes[at..at + length as usize]
    }

    fn size(&self) -> usize {
        self.bytes.len() + self.places.len() * size_of::<(usize, u32)>()
    }

    fn sort(&mut self, keys: &[SortKey], session: &Session) -> Result<(), Departure> {
        let address = |at: usize| self.bytes[self.places[at].0..].as_ptr();
        // Keys are within the shortest record: the compiler checks it.
        self.order = unsafe { le::sort::sequence(self.places.len(), address, keys, session) }.map_err(exception_abend)?;
        Ok(())
    }
}

fn failed(error: std::io::Error) -> Departure {
    Departure::Abend(Box::new(kernel::Abend::new("4038", error.raw_os_error().unwrap_or(0) as u64)))
}

impl SortWork {
    fn new(keys: Vec<SortKey>, session: Session, bytes_max: usize) -> SortWork {
        SortWork { keys, session, memory: Records::default(), spilled: Vec::new(), heads: Vec::new(), next: 0, bytes_max }
    }

    fn release(&mut self, record: &[u8]) -> Result<(), Departure> {
        self.memory.add(record);
        if self.memory.size() >= self.bytes_max { self.spill() } else { Ok(()) }
    }

    /// Writes the records in memory as a sorted run.
    fn spill(&mut self) -> Result<(), Departure> {
        let mut records = std::mem::take(&mut self.memory);
        records.sort(&self.keys, &self.session)?;
        let mut writer = BufWriter::with_capacity(RUN_BUFFER_BYTES, temporary_file().map_err(failed)?);
        for number in &records.order {
            self.session.check_stop().map_err(exception_abend)?;
            let record = records.record(*number);
            writer.write_all(&(record.len() as u32).to_ne_bytes()).map_err(failed)?;
            writer.write_all(record).map_err(failed)?;
        }
        let file = writer.into_inner().map_err(|error| failed(error.into_error()))?;
        self.spilled.push(BufReader::with_capacity(RUN_BUFFER_BYTES, file));
        Ok(())
    }

    /// Everything is released: from here records are returned from the first on. Again for each file of GIVING.
    fn perform(&mut self) -> Result<(), Departure> {
        self.next = 0;
        if self.memory.order.len() != self.memory.places.len() {
            self.memory.sort(&self.keys, &self.session)?;
        }
        self.heads.clear();
        for run in 0..self.spilled.len() {
            self.spilled[run].seek(SeekFrom::Start(0)).map_err(failed)?;
            self.enter(run, Vec::new())?;
        }
        if !self.spilled.is_empty() {
            self.enter(self.spilled.len(), Vec::new())?;
        }
        for at in (0..self.heads.len() / 2).rev() {
            self.sift_down(at)?;
        }
        Ok(())
    }

    /// Adds a run's next record to the heads; does nothing at the end of the run.
    fn enter(&mut self, run: usize, mut record: Vec<u8>) -> Result<(), Departure> {
        if self.read(run, &mut record)? {
            self.heads.push(Head { run, record });
        }
        Ok(())
    }

    fn read(&mut self, run: usize, record: &mut Vec<u8>) -> Result<bool, Departure> {
        record.clear();
        let Some(reader) = self.spilled.get_mut(run) else {
            let number = self.memory.order.get(self.next).copied();
            self.next += usize::from(number.is_some());
            record.extend_from_slice(number.map_or(&[][..], |number| self.memory.record(number)));
            return Ok(number.is_some());
        };
        let mut length = [0u8; 4];
        match reader.read_exact(&mut length) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(false),
            Err(error) => return Err(failed(error)),
        }
        record.resize(u32::from_ne_bytes(length) as usize, 0);
        reader.read_exact(record).map_err(failed)?;
        Ok(true)
    }

    fn is_before(&self, left: usize, right: usize) -> Result<bool, Departure> {
        let (left, right) = (&self.heads[left], &self.heads[right]);
        let order = unsafe { compare_keys(left.record.as_ptr(), right.record.as_ptr(), &self.keys, &self.session) };
        Ok(order.map_err(exception_abend)?.then(left.run.cmp(&right.run)) == Ordering::Less)
    }

    fn sift_down(&mut self, mut at: usize) -> Result<(), Departure> {
        loop {
            let mut least = at;
            for child in [2 * at + 1, 2 * at + 2] {
                if child < self.heads.len() && self.is_before(child, least)? {
                    least = child;
                }
            }
            if least == at {
                return Ok(());
            }
            self.heads.swap(at, least);
            at = least;
        }
    }

    /// Copies the next record into the area, as far as it fits; returns its length, or `None` at the end.
    fn take(&mut self, area: &mut [u8]) -> Result<Option<usize>, Departure> {
        if self.spilled.is_empty() {
            let Some(number) = self.memory.order.get(self.next).copied() else {
                return Ok(None);
            };
            self.next += 1;
            return Ok(Some(put(self.memory.record(number), area)));
        }
        let Some(first) = self.heads.first_mut() else {
            return Ok(None);
        };
        let length = put(&first.record, area);
        let (run, mut record) = (first.run, std::mem::take(&mut first.record));
        if self.read(run, &mut record)? {
            self.heads[0].record = record;
        } else {
            self.heads.swap_remove(0);
        }
        if !self.heads.is_empty() {
            self.sift_down(0)?;
        }
        Ok(Some(length))
    }
}

fn put(record: &[u8], area: &mut [u8]) -> usize {
    let moved = record.len().min(area.len());
    area[..moved].copy_from_slice(&record[..moved]);
    record.len()
}

/// A file without a name in the system's temporary directory.
fn temporary_file() -> std::io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().read(true).write(true).custom_flags(libc::O_TMPFILE).open(std::env::temp_dir())
}

/// The program and its sort file.
pub(super) type SortId = (FrameId, u32);

impl RunUnit {
    /// Bytes a sort may keep in memory.
    pub fn set_sort_bytes(&mut self, bytes: usize) {
        self.sort_bytes_max = bytes;
    }

    /// words: sort file, then: OPEN keys, key count, ranks of a collating sequence, 1 when it is given; RELEASE record, length; RETURN record, room -> length or -1.
    pub(super) fn sort(&mut self, frame: FrameId, number: u32, words: &[u64]) -> Result<i64, Departure> {
        let id = (frame, words[0] as u32);
        if number == service::SORT_OPEN {
            let keys = unsafe { std::slice::from_raw_parts(words[1] as *const SortKey, words[2] as usize) };
            let mut session = *frame.session();
            // COLLATING SEQUENCE of the statement: the address of its ranks, null for the native sequence.
            if words.get(4) == Some(&1) {
                session.collating = words[3] as *const [u8; 256];
            }
            let work = SortWork::new(keys.to_vec(), session, self.sort_bytes_max);
            self.sorts.retain(|(other, _)| *other != id);
            self.sorts.push((id, work));
            return Ok(0);
        }
        // A run unit has one sort at a time, or a few.
        let Some((_, work)) = self.sorts.iter_mut().find(|(other, _)| *other == id) else {
            return Ok(-1);
        };
        match number {
            service::SORT_RELEASE => {
                let record = unsafe { std::slice::from_raw_parts(words[1] as *const u8, words[2] as usize) };
                work.release(record)?;
            }
            service::SORT_PERFORM => work.perform()?,
            service::SORT_RETURN => {
                let area = unsafe { std::slice::from_raw_parts_mut(words[1] as *mut u8, words[2] as usize) };
                return Ok(work.take(area)?.map_or(-1, |length| length as i64));
            }
            _ => {
                self.sorts.retain(|(other, _)| *other != id);
            }
        }
        Ok(0)
    }
}
