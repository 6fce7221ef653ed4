//! Standard output and standard error of a process that must not wait for its readers.
//!
//! A command that ends by itself writes directly, and waits for its reader. A region does not: once [`decouple`] has been called, lines go
//! into a queue of bounded size, and a thread of each stream writes them. When the queue is full because no one reads, lines are dropped
//! and counted; the count is written as soon as reading resumes.
//!
//! Invariant: after `decouple` a caller waits only for a lock, and no lock is held during a write.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use serde_json::json;

/// How results and progress are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum OutputFormat {
    Text,
    Json,
}

/// Bytes of lines that wait for a reader.
const QUEUE_BYTES_MAX: usize = 1 << 20;
/// How long the end of the process waits for a reader.
const DRAIN_TIME_MAX: Duration = Duration::from_secs(1);

pub static STANDARD_OUTPUT: Stream = Stream::new(Target::Output);
pub static STANDARD_ERROR: Stream = Stream::new(Target::Error);

#[derive(Clone, Copy)]
enum Target {
    Output,
    Error,
}

#[derive(Default)]
struct Queue {
    lines: VecDeque<Vec<u8>>,
    bytes: usize,
    dropped: u64,
    /// The thread has taken a line and not written it yet.
    writing: bool,
    json: bool,
}

pub struct Stream {
    target: Target,
    decoupled: AtomicBool,
    queue: Mutex<Queue>,
    changed: Condvar,
}

impl Queue {
    const fn new() -> Queue {
        Queue { lines: VecDeque::new(), bytes: 0, dropped: 0, writing: false, json: false }
    }

    /// False if there is no room: the line is dropped and counted. Order is kept: while lines are missing, no line is accepted.
    fn put(&mut self, line: &[u8]) -> bool {
        if self.dropped > 0 || self.bytes + line.len() > QUEUE_BYTES_MAX {
            self.dropped += 1;
            return false;
        }
        self.bytes += line.len();
        self.lines.push_back(line.to_vec());
        true
    }

    /// The next line to write; behind the last one, how many were dropped.
    fn take(&mut self) -> Option<Vec<u8>> {
        if let Some(line) = self.lines.pop_front() {
            self.bytes -= line.len();
            return Some(line);
        }
        let dropped = std::mem::take(&mut self.dropped);
        (dropped > 0).then(|| told(dropped, self.json))
    }
}

fn told(dropped: u64, json: bool) -> Vec<u8> {
    if json {
        return format!("{}\n", json!({ "event": "dropped", "lines": dropped })).into_bytes();
    }
    format!("{dropped} lines are missing here: they were dropped because nobody read them\n").into_bytes()
}

impl Stream {
    const fn new(target: Target) -> Stream {
        Stream { target, decoupled: AtomicBool::new(false), queue: Mutex::new(Queue::new()), changed: Condvar::new() }
    }

    /// Writes a line with its end. A reader that has ended is not an error.
    pub fn write_line(&self, text: &str) {
        self.write(format!("{text}\n").as_bytes());
    }

    fn write(&self, line: &[u8]) {
        if !self.decoupled.load(Ordering::Acquire) {
            self.write_now(line);
            return;
        }
        self.queue.lock().put(line);
        self.changed.notify_all();
    }

    fn write_now(&self, line: &[u8]) {
        let _ = match self.target {
            Target::Output => {
                let mut out = io::stdout().lock();
                out.write_all(line).and_then(|()| out.flush())
            }
            Target::Error => io::stderr().lock().write_all(line),
        };
    }

    fn run(&self) {
        let mut queue = self.queue.lock();
        loop {
            match queue.take() {
                Some(line) => {
                    queue.writing = true;
                    parking_lot::MutexGuard::unlocked(&mut queue, || self.write_now(&line));
                    queue.writing = false;
                    self.changed.notify_all();
                }
                None => self.changed.wait(&mut queue),
            }
        }
    }

    fn decouple(&'static self, format: OutputFormat) -> io::Result<()> {
        self.queue.lock().json = format == OutputFormat::Json;
        std::thread::Builder::new().name("output".to_string()).spawn(|| self.run())?;
        self.decoupled.store(true, Ordering::Release);
        Ok(())
    }

    /// Gives the reader a moment to take what is queued.
    pub fn drain(&self) {
        let until = std::time::Instant::now() + DRAIN_TIME_MAX;
        let mut queue = self.queue.lock();
        while (queue.writing || !queue.lines.is_empty() || queue.dropped > 0) && !self.changed.wait_until(&mut queue, until).timed_out() {}
    }
}

/// From now on no writer waits for a reader.
pub fn decouple(format: OutputFormat) -> io::Result<()> {
    STANDARD_OUTPUT.decouple(format)?;
    STANDARD_ERROR.decouple(format)
}

/// Before the end of the process: gives readers a moment to take what is queued.
pub fn drain() {
    STANDARD_OUTPUT.drain();
    STANDARD_ERROR.drain();
}

/// The writer of the structured log.
#[derive(Clone, Copy)]
pub struct LogWriter;

impl Write for LogWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        STANDARD_ERROR.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Prints the result of a command that ends by itself. A reader that has seen enough (`| head`) is no fault: the command still does what it
/// has to do, and has its exit code.
///
/// # Errors
///
/// Standard output cannot be written, for example because it is a file on a full disk.
pub fn print(text: &str) -> Result<(), String> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropped_lines_are_counted_in_their_place() {
        let mut queue = Queue::new();
        let line = vec![b'x'; 1000];
        let fits = QUEUE_BYTES_MAX / line.len();
        assert!((0..fits).all(|_| queue.put(&line)));
        // One too many, and what follows it stays behind it even if it would fit.
        assert!(!queue.put(&line) && !queue.put(b"small"));
        assert!((0..fits).all(|_| queue.take().as_deref() == Some(&line[..])));
        assert_eq!(queue.take().unwrap(), b"2 lines are missing here: they were dropped because nobody read them\n");
        assert!(queue.take().is_none() && queue.put(b"next"));
    }
}
