//! Auxiliary trace: the data sets DFHAUXT (A) and DFHBUXT (B), and the switch from one to the other.
//!
//! "Auxiliary trace data sets", "SET TRACEDEST": AUXSTART after AUXSTOP writes from the beginning of the data set, AUXSTART after AUXPAUSE goes on
//! where it was; when a data set is full, tracing goes on in the other one (AUXTRSW=ALL), does so once (NEXT), or stops (NO). Invariants: one data
//! set is written at a time, by whole chunks, and only while the state is locked; the threads that run tasks look at the published state and never
//! take the lock; a data set never exceeds its size, and only its owner can read it.

use super::file::{self, CHUNK_HEADER_BYTES, Description, HEADER_BYTES};
use super::settings::change_flags;
use crate::clock;
use crate::name::Name8;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// AUXSTATUS.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Status {
    #[default]
    Stopped,
    Paused,
    Started,
}

/// SWITCHSTATUS: what happens when the data set is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Switch {
    #[default]
    No,
    Next,
    All,
}

/// CURAUXDS.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataSet {
    #[default]
    A,
    B,
}

impl DataSet {
    pub const fn letter(self) -> char {
        match self {
            DataSet::A => 'A',
            DataSet::B => 'B',
        }
    }

    /// The DD name, which is also the name of the file.
    pub const fn name(self) -> &'static str {
        match self {
            DataSet::A => "DFHAUXT",
            DataSet::B => "DFHBUXT",
        }
    }

    const fn other(self) -> DataSet {
        match self {
            DataSet::A => DataSet::B,
            DataSet::B => DataSet::A,
        }
    }
}

/// What the operator is told.
#[derive(Debug)]
pub enum Event {
    Opened(DataSet),
    Closed(DataSet),
    /// Full, and there is no switch.
    Full(DataSet),
    /// From the first to the second.
    Switched(DataSet, DataSet),
    /// It cannot be opened or written; auxiliary trace is stopped.
    Failed(DataSet, io::Error),
}

/// Where the data sets are, and what is told of them.
pub struct Configuration {
    /// Made when a data set is first opened.
    pub directory: PathBuf,
    /// The size of each data set.
    pub bytes_max: u64,
    pub applid: Name8,
    pub ccsid: u16,
    /// From UTC to local time.
    pub offset_minutes: i16,
    pub switch: Switch,
    pub tell: Box<dyn Fn(Event) + Send>,
}

impl Configuration {
    /// What the header of a data set or stream says.
    pub(super) fn description(&self, letter: u8) -> Description {
        let Configuration { applid, ccsid, offset_minutes, .. } = *self;
        Description { applid, ccsid, letter, offset_minutes, created_unix_ns: clock::unix_ns() }
    }
}

/// The least size of a data set.
pub const BYTES_MIN: u64 = 64 << 10;
/// The size of a data set, unless the configuration says otherwise.
pub const BYTES_DEFAULT: u64 = 64 << 20;

#[derive(Default)]
pub(super) struct Auxiliary {
    configuration: Option<Configuration>,
    status: Status,
    switch: Switch,
    current: DataSet,
    /// A data set has been opened in this run, so [`Auxiliary::current`] is not only a guess.
    has_run: bool,
    file: Option<File>,
    written: u64,
}

/// Status, switch and data set, as inquiries see them.
static PUBLISHED: AtomicU32 = AtomicU32::new(0);

/// The state, without waiting for a write that is under way.
pub fn state() -> (Status, Switch, DataSet) {
    let word = PUBLISHED.load(Ordering::Relaxed);
    let status = [Status::Stopped, Status::Paused, Status::Started][(word & 0xFF) as usize];
    let switch = [Switch::No, Switch::Next, Switch::All][(word >> 8 & 0xFF) as usize];
    (status, switch, if word >> 16 == 0 { DataSet::A } else { DataSet::B })
}

impl Auxiliary {
    pub const NEW: Auxiliary = Auxiliary {
        configuration: None,
        status: Status::Stopped,
        switch: Switch::No,
        current: DataSet::A,
        has_run: false,
        file: None,
        written: 0,
    };

    fn publish(&self) {
        PUBLISHED.store(self.status as u32 | (self.switch as u32) << 8 | (self.current as u32) << 16, Ordering::Relaxed);
        change_flags(|flags| flags.auxiliary = self.status == Status::Started);
    }

    fn tell(&self, event: Event) {
        if let Some(configuration) = &self.configuration {
            (configuration.tell)(event);
        }
    }

    pub fn configure(&mut self, configuration: Configuration) {
        self.close();
        *self = Auxiliary { switch: configuration.switch, current: initial(&configuration.directory), ..Auxiliary::NEW };
        self.configuration = Some(configuration);
        self.publish();
    }

    /// A region that begins with auxiliary trace uses DFHAUXT.
    pub fn start_with_first(&mut self) -> io::Result<()> {
        self.current = DataSet::A;
        self.start()
    }

    pub fn start(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            self.open()?;
        }
        self.status = Status::Started;
        self.publish();
        Ok(())
    }

    /// False if it is not started.
    pub fn pause(&mut self) -> bool {
        let may = self.status != Status::Stopped;
        if may {
            self.status = Status::Paused;
            self.publish();
        }
        may
    }

    pub fn stop(&mut self) {
        let was_open = self.file.is_some();
        self.close();
        self.status = Status::Stopped;
        self.publish();
        if was_open {
            self.tell(Event::Closed(self.current));
        }
    }

    pub fn set_switch(&mut self, switch: Switch) {
        self.switch = switch;
        self.publish();
    }

    /// Switches to the other data set now. A stopped trace stays stopped: its next start uses the other one.
    pub fn switch_now(&mut self) -> io::Result<()> {
        let (from, was_open) = (self.current, self.file.is_some());
        self.close();
        self.current = from.other();
        self.has_run = true;
        if was_open {
            self.open()?;
            self.tell(Event::Switched(from, self.current));
        }
        self.publish();
        Ok(())
    }

    fn open(&mut self) -> io::Result<()> {
        let opened = self.try_open();
        if let Err(error) = &opened {
            self.fail(io::Error::new(error.kind(), error.to_string()));
        }
        opened
    }

    fn try_open(&mut self) -> io::Result<()> {
        let Some(configuration) = &self.configuration else { return Err(io::Error::other("there is no region")) };
        let directory = &configuration.directory;
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        let path = directory.join(self.current.name());
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
        let description = configuration.description(self.current.letter() as u8);
        file.write_all(&description.header())?;
        (self.written, self.file, self.has_run) = (HEADER_BYTES as u64, Some(file), true);
        self.tell(Event::Opened(self.current));
        Ok(())
    }

    /// Marks the data set as closed.
    fn close(&mut self) {
        if let Some(mut file) = self.file.take() {
            // The data set is whole without the mark.
            let _ = file.write_all(&file::chunk(&[]));
        }
    }

    fn fail(&mut self, error: io::Error) {
        self.file = None;
        self.status = Status::Stopped;
        self.publish();
        self.tell(Event::Failed(self.current, error));
    }

    /// Writes entries, fewer than a chunk may have, to the data set; a full one is switched or stops.
    pub fn write(&mut self, entries: &[u8]) {
        if self.status != Status::Started {
            return;
        }
        let Some(bytes_max) = self.configuration.as_ref().map(|configuration| configuration.bytes_max) else { return };
        // The mark of the end fits too.
        let length = (2 * CHUNK_HEADER_BYTES + entries.len()) as u64;
        if self.written + length > bytes_max && !self.make_room() {
            return;
        }
        let Some(file) = &mut self.file else { return };
        match file.write_all(&file::chunk(entries)) {
            Ok(()) => self.written += (CHUNK_HEADER_BYTES + entries.len()) as u64,
            Err(error) => {
                // What a full disk took of the chunk goes, so that the data set ends with a whole one.
                let _ = file.set_len(self.written);
                self.fail(error);
            }
        }
    }

    fn make_room(&mut self) -> bool {
        match self.switch {
            Switch::No => {
                self.close();
                self.status = Status::Stopped;
                self.publish();
                self.tell(Event::Full(self.current));
                false
            }
            Switch::Next => {
                self.switch = Switch::No;
                self.switch_now().is_ok()
            }
            Switch::All => self.switch_now().is_ok(),
        }
    }

    /// The region ends.
    pub fn end(&mut self) {
        self.close();
        self.status = Status::Stopped;
        self.configuration = None;
        self.publish();
    }

    /// The most entries of one chunk, so that some fit a data set of any size.
    pub fn chunk_bytes(&self) -> usize {
        let bytes_max = self.configuration.as_ref().map_or(BYTES_DEFAULT, |configuration| configuration.bytes_max);
        (bytes_max as usize / 2).min(file::CHUNK_BYTES_MAX)
    }
}

/// The data set to begin with: the one that was not in use when the region ended normally, otherwise DFHAUXT.
fn initial(directory: &Path) -> DataSet {
    let last = [DataSet::A, DataSet::B].into_iter().filter_map(|data_set| {
        let (description, was_closed) = file::read_ends(&directory.join(data_set.name())).ok()?;
        Some((description.created_unix_ns, data_set, was_closed))
    });
    match last.max_by_key(|(created, ..)| *created) {
        Some((_, data_set, true)) => data_set.other(),
        _ => DataSet::A,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parking_lot::Mutex;
    use std::sync::Arc;

    /// A device that takes nothing stands for a full disk.
    #[test]
    fn a_write_that_fails_stops_the_trace_and_is_told() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let configuration = Configuration {
            directory: PathBuf::from("/nowhere"),
            bytes_max: BYTES_MIN,
            applid: Name8::new("TEST"),
            ccsid: 37,
            offset_minutes: 0,
            switch: Switch::All,
            tell: {
                let told = told.clone();
                Box::new(move |event| told.lock().push(format!("{event:?}")))
            },
        };
        let file = OpenOptions::new().write(true).open("/dev/full").expect("the device is there");
        let mut auxiliary = Auxiliary {
            configuration: Some(configuration),
            status: Status::Started,
            switch: Switch::All,
            file: Some(file),
            written: HEADER_BYTES as u64,
            ..Auxiliary::NEW
        };
        auxiliary.write(&[0; 64]);
        assert!(auxiliary.status == Status::Stopped && auxiliary.file.is_none());
        auxiliary.write(&[0; 64]);
        let told = told.lock();
        assert!(told.len() == 1 && told[0].contains("Failed(A") && told[0].contains("StorageFull"), "{told:?}");
    }
}
