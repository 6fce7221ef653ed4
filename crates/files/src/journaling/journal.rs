//! A journal: records wait in a buffer, and one force writes and syncs them for all tasks that wait.
//!
//! Invariants: one force at a time; `durable` only grows, after a sync of everything up to it; a failed force fails the journal, and no
//! later record is ever reported as durable.

use super::stream::{Record, Stream, line_of};
use exec::condition;
use exec::resp2::journaling as resp2;
use kernel::{Wait, Waker};
use parking_lot::Mutex;
use region::figures::ResourceStatistics;
use region::name::{Name8, Name16};
use region::{Raised, Region, Task};
use std::io;
use std::sync::Arc;
use vsam::disk::names::{Letters, file_name, stream_name_fault};

/// Number of buffered bytes from which a write forces the buffer.
const BUFFER_BYTES_MAX: usize = 256 << 10;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JournalType {
    /// A log stream.
    Mvs,
    /// Records for the system's management facility: here a stream like any other.
    Smf,
    /// Records are dropped.
    Dummy,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Enabled,
    Disabled,
    Failed,
}

struct Inner {
    status: Status,
    stream: Option<Stream>,
    buffer: Vec<u8>,
    /// Number of the last record written, and of the last durable one.
    written: u64,
    durable: u64,
    forcing: bool,
    waiting: Vec<Waker>,
    writes: u64,
    bytes: u64,
    forces: u64,
}

pub struct Journal {
    pub name: Name8,
    pub stream_name: String,
    pub kind: JournalType,
    inner: Mutex<Inner>,
}

impl Journal {
    pub(super) fn open(region: &Region, name: Name8, stream_name: String, kind: JournalType) -> io::Result<Journal> {
        let stream = if kind == JournalType::Dummy {
            None
        } else {
            if let Some(why) = stream_name_fault(&stream_name) {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
            }
            let path = region.data_directory.join("journals").join(file_name(&stream_name, Letters::Lower, ".journal")?);
            let (stream, cut) = Stream::open(&*region.store.disk(), &path)?;
            if cut > 0 {
                tracing::info!(target: "region::lg", journal = %name, bytes = cut, "an unfinished write was cut from the journal");
            }
            Some(stream)
        };
        let last = stream.as_ref().map_or(0, |stream| stream.last);
        let inner = Inner {
            status: Status::Enabled,
            stream,
            buffer: Vec::new(),
            written: last,
            durable: last,
            forcing: false,
            waiting: Vec::new(),
            writes: 0,
            bytes: 0,
            forces: 0,
        };
        Ok(Journal { name, stream_name, kind, inner: Mutex::new(inner) })
    }

    pub fn status(&self) -> Status {
        self.inner.lock().status
    }

    pub(super) fn enable(&self, enabled: bool) {
        let mut inner = self.inner.lock();
        if inner.status != Status::Failed {
            inner.status = if enabled { Status::Enabled } else { Status::Disabled };
        }
    }

    /// Number of the last record written.
    pub(super) fn written(&self) -> u64 {
        self.inner.lock().written
    }

    /// Adds a record to the buffer; returns its number, and whether the buffer must be forced.
    pub fn write(&self, record: &Record<'_>) -> Result<(u64, bool), Raised> {
        let mut inner = self.inner.lock();
        match inner.status {
            Status::Enabled => {}
            Status::Disabled => return Err(Raised::new(condition::NOTOPEN, resp2::NOT_ENABLED)),
            Status::Failed => return Err(Raised::new(condition::IOERR, resp2::JOURNAL_FAILED)),
        }
        let number = inner.written + 1;
        inner.written = number;
        inner.writes += 1;
        if inner.stream.is_none() {
            inner.durable = number;
            return Ok((number, false));
        }
        let line = line_of(number, record);
        inner.bytes += line.len() as u64;
        inner.buffer.extend_from_slice(line.as_bytes());
        Ok((number, inner.buffer.len() >= BUFFER_BYTES_MAX))
    }

    /// Writes and syncs what is buffered. Blocks the calling thread.
    pub fn flush(&self) -> io::Result<()> {
        let (file, number) = {
            let mut inner = self.inner.lock();
            let lines = std::mem::take(&mut inner.buffer);
            let number = inner.written;
            inner.forces += 1;
            let Some(stream) = &mut inner.stream else { return Ok(()) };
            if let Err(error) = stream.append(&lines) {
                inner.status = Status::Failed;
                return Err(error);
            }
            (stream.file(), number)
        };
        let synced = file.sync();
        let mut inner = self.inner.lock();
        match synced {
            Ok(()) => inner.durable = inner.durable.max(number),
            Err(_) => inner.status = Status::Failed,
        }
        synced
    }

    /// Suspends the task until the record with this number is durable.
    pub fn force(self: &Arc<Self>, task: &Task, number: u64) -> Result<(), Raised> {
        let wait = Wait::new("LGFREVER").named(Name16::new(self.name.as_str())).protected();
        loop {
            {
                let mut inner = self.inner.lock();
                if inner.durable >= number {
                    return Ok(());
                }
                if inner.status == Status::Failed {
                    return Err(Raised::new(condition::IOERR, resp2::JOURNAL_FAILED));
                }
                inner.waiting.push(task.kernel.waker());
                if !inner.forcing {
                    inner.forcing = true;
                    let journal = self.clone();
                    task.region.dispatcher.spawn_blocking(move || journal.force_for_all());
                }
            }
            task.suspend(&wait)?;
        }
    }

    fn force_for_all(&self) {
        if let Err(error) = self.flush() {
            tracing::error!(target: "region::lg", journal = %self.name, %error, "the journal has failed");
        }
        let waiting = {
            let mut inner = self.inner.lock();
            inner.forcing = false;
            std::mem::take(&mut inner.waiting)
        };
        for waker in waiting {
            waker.resume();
        }
    }

    pub fn statistics(&self) -> ResourceStatistics {
        let inner = self.inner.lock();
        let counters = vec![("writes", inner.writes), ("bytes", inner.bytes), ("flushes", inner.forces)];
        ResourceStatistics { resource: "JOURNALNAME", name: self.name.to_string(), counters }
    }
}
