//! The transaction dump data sets DFHDMPA and DFHDMPB, files in `dumps` of the data directory, or those that the DD names give.
//!
//! Rules: "SET DUMPDS", DUMPDS and DUMPSW of the system initialization parameters, "Printing transaction dump data sets". Invariants: one of
//! the two is current; what a data set had is lost when it is opened, which happens when the first dump is written to it, so a region that
//! takes no dumps keeps those of earlier runs; a data set ends with a complete dump, because a dump that could not be completed is cut off.

use super::codes::CATALOGUE;
use super::file;
use super::system::{Failure, directory, failure};
use crate::dump_sections::Dump;
use crate::slots::AnySlot;
use crate::{Region, StartType};
use parking_lot::Mutex;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;
use vsam::disk::private;
use vsam::{Change, StoreError, Waiter};

crate::region_part!(DataSets);

/// The place of the data sets in a region.
pub(super) const SLOT: &dyn AnySlot = &IN_REGION;

/// Bytes of a dump data set when the configuration does not say otherwise.
pub const BYTES_MAX: u64 = 64 << 20;

/// A or B.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Designator {
    #[default]
    A,
    B,
}

impl Designator {
    pub fn letter(self) -> char {
        if self == Designator::A { 'A' } else { 'B' }
    }

    fn of(letter: u8) -> Option<Designator> {
        match letter {
            b'A' => Some(Designator::A),
            b'B' => Some(Designator::B),
            _ => None,
        }
    }

    fn other(self) -> Designator {
        if self == Designator::A { Designator::B } else { Designator::A }
    }

    fn dd_name(self) -> &'static str {
        if self == Designator::A { "DFHDMPA" } else { "DFHDMPB" }
    }
}

/// The data set that is current first: A, B, or (AUTO, X) the one that was not when the region ended.
pub type Initial = Option<Designator>;

/// What happens when the current data set is full.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Switching {
    #[default]
    No,
    /// The next time only.
    Next,
    All,
}

impl Switching {
    const LETTERS: [(Switching, u8); 3] = [(Switching::No, b'N'), (Switching::Next, b'X'), (Switching::All, b'A')];

    fn letter(self) -> u8 {
        Self::LETTERS.iter().find(|(switching, _)| *switching == self).map_or(b'N', |(_, letter)| *letter)
    }

    fn of(letter: u8) -> Option<Switching> {
        Self::LETTERS.iter().find(|(_, known)| *known == letter).map(|(switching, _)| *switching)
    }
}

#[derive(Clone, Copy, Default)]
struct Status {
    current: Designator,
    initial: Initial,
    switching: Switching,
    is_open: bool,
}

/// The current data set with its length, once a dump has been written to it.
type OpenFile = Option<(File, u64)>;

/// The dump data sets of a region.
#[derive(Default)]
pub struct DataSets {
    status: Mutex<Status>,
    /// Held while a dump is written, and never while the status is.
    file: Mutex<OpenFile>,
    /// Closed, and exit programs have not been told.
    closed: Mutex<Vec<Closed>>,
}

/// A data set that has been closed.
pub struct Closed {
    pub dd_name: &'static str,
    pub path: PathBuf,
}

/// Most ends of data sets that are kept for exit programs: more than one dump or command causes.
const CLOSED_MAX: usize = 4;

/// Why a transaction dump was not written.
#[derive(Debug)]
pub enum Unwritten {
    /// The current data set is closed.
    NotOpen,
    /// It cannot be opened.
    OpenError(String),
    /// It is full, and there was no other to switch to.
    Full(String),
    Io(String),
}

impl Unwritten {
    pub fn text(&self) -> String {
        match self {
            Unwritten::NotOpen => "the dump data set is not open".to_string(),
            Unwritten::OpenError(reason) | Unwritten::Full(reason) | Unwritten::Io(reason) => reason.clone(),
        }
    }
}

impl DataSets {
    pub fn current(&self) -> Designator {
        self.status.lock().current
    }

    pub fn initial(&self) -> Initial {
        self.status.lock().initial
    }

    pub fn switching(&self) -> Switching {
        self.status.lock().switching
    }

    pub fn is_open(&self) -> bool {
        self.status.lock().is_open
    }

    /// What the catalogue has of an earlier run, or the parameters say; the current data set is open from now on.
    pub fn begin(&self, region: &Region, start: StartType, waiter: &dyn Waiter) -> Result<(), StoreError> {
        let table = region.store.table(CATALOGUE)?;
        let kept = |key: &[u8]| -> Result<Option<u8>, StoreError> {
            let value = if start.is_cold() { None } else { region.store.get(&table, key)? };
            Ok(value.and_then(|value| value.first().copied()))
        };
        let parameter = |name: &str| region.sit.get(name).as_bytes().first().copied().unwrap_or_default();
        let (before, initial, switching) = (kept(CURRENT_KEY)?, kept(INITIAL_KEY)?, kept(SWITCHING_KEY)?);
        {
            let mut state = self.status.lock();
            // DUMPDS=AUTO and the X of SET DUMPDS are no data set.
            state.initial = match initial {
                Some(letter) => Designator::of(letter),
                None => Designator::of(parameter("DUMPDS")).filter(|_| region.sit.get("DUMPDS") != "AUTO"),
            };
            state.switching = match switching.and_then(Switching::of) {
                Some(switching) => switching,
                None => match region.sit.get("DUMPSW") {
                    "NEXT" => Switching::Next,
                    "ALL" => Switching::All,
                    _ => Switching::No,
                },
            };
            let not_in_use = before.and_then(Designator::of).map_or(Designator::A, Designator::other);
            state.current = state.initial.unwrap_or(not_in_use);
            state.is_open = true;
        }
        self.catalogue(region, waiter)
    }

    /// Records what the next run needs.
    fn catalogue(&self, region: &Region, waiter: &dyn Waiter) -> Result<(), StoreError> {
        let table = region.store.table(CATALOGUE)?;
        let values = {
            let state = self.status.lock();
            let initial = state.initial.map_or('X', Designator::letter) as u8;
            [(CURRENT_KEY, state.current.letter() as u8), (INITIAL_KEY, initial), (SWITCHING_KEY, state.switching.letter())]
        };
        let change = |(key, value): (&[u8], u8)| Change { table: table.clone(), key: key.to_vec(), value: Some(vec![value]) };
        region.store.publish(values.into_iter().map(change).collect(), waiter)
    }

    pub fn set(
        &self,
        region: &Region,
        initial: Option<Initial>,
        switching: Option<Switching>,
        waiter: &dyn Waiter,
    ) -> Result<(), StoreError> {
        {
            let mut state = self.status.lock();
            state.initial = initial.unwrap_or(state.initial);
            state.switching = switching.unwrap_or(state.switching);
        }
        self.catalogue(region, waiter)
    }

    /// The data sets that have been closed since the last call.
    pub fn take_closed(&self) -> Vec<Closed> {
        std::mem::take(&mut *self.closed.lock())
    }

    /// The next data set that is full is switched, for this run.
    pub fn switch_next(&self) {
        let mut status = self.status.lock();
        if status.switching == Switching::No {
            status.switching = Switching::Next;
        }
    }

    /// SET DUMPDS OPEN, which loses what the data set had if it was closed.
    pub fn open(&self, region: &Region) -> io::Result<()> {
        let mut file = self.file.lock();
        if self.is_open() { Ok(()) } else { self.opened(region, &mut file) }
    }

    pub fn close(&self, region: &Region) {
        self.closed(region, &mut self.file.lock());
    }

    /// SET DUMPDS SWITCH.
    pub fn switch(&self, region: &Region, waiter: &dyn Waiter) -> io::Result<()> {
        self.switched(region, &mut self.file.lock())?;
        self.catalogue(region, waiter).map_err(io::Error::other)
    }

    /// Writes a dump to the current data set, or to the other if the current one is full and may be switched; where it is then. For the
    /// thread of the dumps.
    pub fn write(&self, region: &Region, dump: &Dump, waiter: &dyn Waiter) -> Result<PathBuf, Unwritten> {
        let mut file = self.file.lock();
        if !self.is_open() {
            return Err(Unwritten::NotOpen);
        }
        if file.is_none() {
            self.opened(region, &mut file).map_err(|error| Unwritten::OpenError(error.to_string()))?;
        }
        let full = match append(region, &mut file, dump) {
            Ok(()) => return Ok(self.path(region)),
            Err(error) => match failure(&error) {
                Failure::NoSpace(reason) => reason,
                other => return Err(Unwritten::Io(other.text())),
            },
        };
        let Status { current, switching, .. } = *self.status.lock();
        if switching == Switching::No {
            self.closed(region, &mut file);
            return Err(Unwritten::Full(format!("{} is full: {full}", current.dd_name())));
        }
        if switching == Switching::Next {
            self.status.lock().switching = Switching::No;
        }
        self.switched(region, &mut file).map_err(|error| Unwritten::OpenError(error.to_string()))?;
        let written = append(region, &mut file, dump).map(|()| self.path(region));
        if let Err(error) = self.catalogue(region, waiter) {
            tracing::warn!(target: "region::dump", %error, "the catalogue does not know the current dump data set");
        }
        written.map_err(|error| Unwritten::Full(error.to_string()))
    }

    fn path(&self, region: &Region) -> PathBuf {
        let name = self.current().dd_name();
        let path = region.dd_names.get(name).cloned().unwrap_or_else(|| directory(region).join(name));
        std::path::absolute(&path).unwrap_or(path)
    }

    /// Opens the current data set, which is empty then.
    fn opened(&self, region: &Region, file: &mut OpenFile) -> io::Result<()> {
        let path = self.path(region);
        let made = path.parent().map_or(Ok(()), private::create_directory);
        let opened = made.and_then(|()| {
            let mut file = private::open(private::open_options().write(true).create(true).truncate(true), &path)?;
            file.write_all(file::MAGIC)?;
            Ok(file)
        });
        let name = self.current().dd_name();
        let done = match opened {
            Ok(opened) => {
                *file = Some((opened, file::MAGIC.len() as u64));
                region.messages.send("DFHDU0304", &[("dataset", name)]);
                Ok(())
            }
            Err(error) => {
                *file = None;
                region.messages.send("DFHDU0306", &[("dataset", name), ("reason", &error.to_string())]);
                Err(error)
            }
        };
        self.status.lock().is_open = done.is_ok();
        done
    }

    fn closed(&self, region: &Region, file: &mut OpenFile) {
        *file = None;
        let path = self.path(region);
        let (was_open, name) = {
            let mut status = self.status.lock();
            (std::mem::replace(&mut status.is_open, false), status.current.dd_name())
        };
        if was_open {
            let mut closed = self.closed.lock();
            if closed.len() < CLOSED_MAX {
                closed.push(Closed { dd_name: name, path });
            }
            drop(closed);
            region.messages.send("DFHDU0303", &[("dataset", name)]);
        }
    }

    fn switched(&self, region: &Region, file: &mut OpenFile) -> io::Result<()> {
        self.closed(region, file);
        let other = self.current().other();
        self.status.lock().current = other;
        self.opened(region, file)?;
        region.messages.send("DFHDU0305", &[("dataset", other.dd_name())]);
        Ok(())
    }
}

const CURRENT_KEY: &[u8] = b"dumpds current";
const INITIAL_KEY: &[u8] = b"dumpds initial";
const SWITCHING_KEY: &[u8] = b"dumpds switch";

/// Adds a dump; one that cannot be completed is cut off.
fn append(region: &Region, file: &mut OpenFile, dump: &Dump) -> io::Result<()> {
    let (file, length) = file.as_mut().expect("the data set is open");
    let room = region.dump_data_set_bytes.saturating_sub(*length);
    let mut out = BufWriter::with_capacity(1 << 20, Limited { file: &mut *file, room });
    let written = file::write(&mut out, dump).and_then(|bytes| out.flush().map(|()| bytes));
    // What the buffer still has of an incomplete dump must not be written.
    drop(out.into_parts());
    match written {
        Ok(bytes) => {
            *length += bytes;
            Ok(())
        }
        Err(error) => {
            file.set_len(*length)?;
            file.seek(SeekFrom::Start(*length))?;
            Err(error)
        }
    }
}

/// A file that may grow by so many bytes.
struct Limited<'a> {
    file: &'a mut File,
    room: u64,
}

impl Write for Limited<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() as u64 > self.room {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "it has no room for the dump"));
        }
        let written = self.file.write(bytes)?;
        self.room -= written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
