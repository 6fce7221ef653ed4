//! A session with a server: messages queued, sent together, and answered in order.
//!
//! Invariants: `sent <= out.len()`, and what is before `sent` is with the operating system; `start <= end <= input.len()`, and the bytes
//! between are received but not yet returned; once broken, a session sends and receives nothing. Reading goes on while something is left
//! to write, so neither side can wait for the other to read. The words with which a server ends a session are read even if it no longer
//! takes what is sent to it.

use crate::config::Config;
use crate::error::{Broken, FinishError, ServerError};
use crate::message::{Aside, Decoded, Message, decode};
use crate::stream::Stream;
use crate::wait::Wait;
use bytes::BytesMut;
use postgres_protocol::IsNull;
use postgres_protocol::message::frontend;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::Instant;

/// Bytes the input buffer begins with, and to which it shrinks again after a large message.
const INPUT_BYTES: usize = 16 << 10;
/// A buffer that grew beyond this is given back when it is empty.
const KEPT_BYTES: usize = 1 << 20;
/// The longest message that is accepted: what the protocol itself allows.
pub const MESSAGE_BYTES_MAX: usize = 1 << 30;
/// Tag and length.
const HEAD_BYTES: usize = 5;
/// Notices kept until the caller takes them.
const NOTICES_MAX: usize = 16;
/// Parameters of the server that are kept; PostgreSQL tells some fifteen.
const PARAMETERS_MAX: usize = 100;
/// What is sent for a statement that cannot be, because it has a zero byte. The server refuses it (SQLSTATE 42601), so the pipeline has
/// its answer.
const UNSENDABLE: &str = "\u{FFFD}";
/// Format of a value in binary.
const BINARY: i16 = 1;

/// What a describe or close message names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    Statement,
    Portal,
}

impl Target {
    fn variant(self) -> u8 {
        match self {
            Target::Statement => b'S',
            Target::Portal => b'P',
        }
    }
}

/// The state in a ReadyForQuery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TransactionStatus {
    Idle,
    InTransaction,
    /// Every statement is refused until the transaction, or the part since a savepoint, is rolled back.
    Failed,
}

impl TransactionStatus {
    fn of(byte: u8) -> TransactionStatus {
        match byte {
            b'T' => TransactionStatus::InTransaction,
            b'E' => TransactionStatus::Failed,
            _ => TransactionStatus::Idle,
        }
    }
}

pub struct Session {
    pub(crate) stream: Stream,
    pub(crate) out: BytesMut,
    sent: usize,
    input: Vec<u8>,
    start: usize,
    end: usize,
    broken: Option<Broken>,
    /// Why the server takes nothing any more. What it has sent is still read.
    write_failure: Option<Broken>,
    status: TransactionStatus,
    parameters: Vec<(String, String)>,
    notices: Vec<ServerError>,
    message_bytes_max: usize,
    /// When a wait for the server ends the session.
    deadline: Option<Instant>,
    /// How the session was begun, for a request to cancel.
    pub(crate) config: Arc<Config>,
    /// Process of the server, and the secret for a request to cancel.
    pub(crate) key: Option<(i32, i32)>,
    round_trips: u64,
}

impl Session {
    pub(crate) fn new(stream: Stream, config: Arc<Config>) -> Session {
        Session {
            stream,
            out: BytesMut::with_capacity(INPUT_BYTES),
            sent: 0,
            input: vec![0; INPUT_BYTES],
            start: 0,
            end: 0,
            broken: None,
            write_failure: None,
            status: TransactionStatus::Idle,
            parameters: Vec::new(),
            notices: Vec::new(),
            message_bytes_max: MESSAGE_BYTES_MAX,
            deadline: None,
            config,
            key: None,
            round_trips: 0,
        }
    }

    /// Queues a Parse. `types` may be shorter than the parameters, and 0 leaves a type to the server.
    pub fn parse(&mut self, name: &str, text: &str, types: &[u32]) {
        let queued = frontend::parse(name, sendable(text), types.iter().copied(), &mut self.out);
        self.note(queued);
    }

    /// Queues a Bind with `count` parameters, all in binary, and all results in binary. `write` appends parameter n and returns false for
    /// NULL. Its error leaves nothing queued.
    pub fn bind<E>(
        &mut self,
        portal: &str,
        statement: &str,
        count: usize,
        mut write: impl FnMut(usize, &mut BytesMut) -> Result<bool, E>,
    ) -> Result<(), E> {
        let before = self.out.len();
        let mut failed = None;
        let queued = frontend::bind(
            portal,
            statement,
            [BINARY],
            0..count,
            |number, buffer| match write(number, buffer) {
                Ok(true) => Ok(IsNull::No),
                Ok(false) => Ok(IsNull::Yes),
                Err(error) => {
                    failed = Some(error);
                    Err("refused by the caller".into())
                }
            },
            [BINARY],
            &mut self.out,
        );
        if let Some(error) = failed {
            self.out.truncate(before);
            return Err(error);
        }
        if queued.is_err() {
            self.out.truncate(before);
            self.broken.get_or_insert(Broken::Protocol("a message that cannot be encoded"));
        }
        Ok(())
    }

    pub fn describe(&mut self, target: Target, name: &str) {
        let queued = frontend::describe(target.variant(), name, &mut self.out);
        self.note(queued);
    }

    /// Queues an Execute; at most `rows_max` rows, 0 for all.
    pub fn execute(&mut self, portal: &str, rows_max: i32) {
        let queued = frontend::execute(portal, rows_max, &mut self.out);
        self.note(queued);
    }

    pub fn close(&mut self, target: Target, name: &str) {
        let queued = frontend::close(target.variant(), name, &mut self.out);
        self.note(queued);
    }

    /// Makes the server send what it has, without ending the pipeline.
    pub fn flush(&mut self) {
        frontend::flush(&mut self.out);
    }

    /// Ends a pipeline: the server answers with ReadyForQuery, and skips to here after an error.
    pub fn sync(&mut self) {
        frontend::sync(&mut self.out);
    }

    /// Queues a simple query: one or more statements, results as text.
    pub fn query(&mut self, text: &str) {
        let queued = frontend::query(sendable(text), &mut self.out);
        self.note(queued);
    }

    pub fn copy_data(&mut self, bytes: &[u8]) {
        match frontend::CopyData::new(bytes) {
            Ok(data) => data.write(&mut self.out),
            Err(error) => self.note(Err(error)),
        }
    }

    pub fn copy_done(&mut self) {
        frontend::copy_done(&mut self.out);
    }

    pub fn copy_fail(&mut self, why: &str) {
        let queued = frontend::copy_fail(why, &mut self.out);
        self.note(queued);
    }

    /// A message that cannot be encoded (a zero byte in a name) would leave the pipeline without its answer.
    fn note(&mut self, queued: std::io::Result<()>) {
        if queued.is_err() {
            self.broken.get_or_insert(Broken::Protocol("a message that cannot be encoded"));
        }
    }

    /// Bytes queued and not yet sent.
    pub fn queued(&self) -> usize {
        self.out.len() - self.sent
    }

    /// Sends what is queued, as far as the socket takes it without waiting; the rest goes with the next call that waits.
    pub fn send(&mut self) -> Result<(), Broken> {
        self.usable()?;
        let result = self.try_write().map(drop);
        self.keep_failure(result)
    }

    /// Sends everything that is queued. What the server sends meanwhile is kept, up to the limit of one message.
    pub fn send_all(&mut self, wait: &mut dyn Wait) -> Result<(), Broken> {
        self.usable()?;
        let result = self.write_all(wait);
        self.keep_failure(result)
    }

    fn write_all(&mut self, wait: &mut dyn Wait) -> Result<(), Broken> {
        loop {
            self.try_write()?;
            if self.sent == self.out.len() && self.stream.write_tls()? {
                return Ok(());
            }
            // The server may have to be read before it reads.
            self.read_more()?;
            if self.end - self.start > self.message_bytes_max {
                return Err(Broken::Protocol("more answers than the limit of a message"));
            }
            self.wait(wait)?;
        }
    }

    /// Sends what is queued and reads its answers up to the server's readiness. `take` is given them all but errors, of which the last is
    /// the result.
    pub fn finish(&mut self, wait: &mut dyn Wait, mut take: impl FnMut(Message<'_>)) -> Result<(), FinishError> {
        let mut refused = None;
        loop {
            match self.receive(wait).map_err(FinishError::Broken)? {
                Message::ReadyForQuery(_) => return refused.map_or(Ok(()), |error| Err(FinishError::Refused(error))),
                Message::Error(error) => refused = Some(error),
                message => take(message),
            }
        }
    }

    /// Sends what is queued and returns the next message. Notices and parameters are kept aside.
    pub fn receive(&mut self, wait: &mut dyn Wait) -> Result<Message<'_>, Broken> {
        self.usable()?;
        let found = self.next_whole(wait);
        let (tag, range) = self.keep_failure(found)?;
        match decode(tag, &self.input[range]) {
            Ok(Decoded::Message(message)) => {
                match &message {
                    Message::ReadyForQuery(status) => self.status = TransactionStatus::of(*status),
                    Message::Error(error) if error.is_fatal() => self.broken = Some(Broken::Ended(error.clone())),
                    _ => {}
                }
                Ok(message)
            }
            Ok(Decoded::Aside(_)) => Err(Broken::Protocol("asides are taken before")),
            Err(broken) => {
                self.broken = Some(broken.clone());
                Err(broken)
            }
        }
    }

    /// The next message that is for the caller: its tag, and where its body is.
    fn next_whole(&mut self, wait: &mut dyn Wait) -> Result<(u8, std::ops::Range<usize>), Broken> {
        loop {
            if let Some((tag, range)) = self.whole()? {
                self.start = range.end;
                if !self.take_aside(tag, range.clone())? {
                    return Ok((tag, range));
                }
                continue;
            }
            let has_written = self.write_if_taken();
            // The answer to what was sent just now is not there yet: a read would be a system call for nothing.
            let is_too_early = has_written && self.stream.tls.is_none();
            if is_too_early || !self.read_more()? {
                if let Some(broken) = &self.write_failure {
                    return Err(broken.clone());
                }
                self.wait(wait)?;
            }
        }
    }

    /// Writes what the server takes; true if it took something. A failure is kept until everything that the server sent is read.
    fn write_if_taken(&mut self) -> bool {
        if self.write_failure.is_some() {
            return false;
        }
        match self.try_write() {
            Ok(has_written) => has_written,
            Err(broken) => {
                self.write_failure = Some(broken);
                false
            }
        }
    }

    /// Keeps a message that is not for the caller.
    fn take_aside(&mut self, tag: u8, range: std::ops::Range<usize>) -> Result<bool, Broken> {
        if !matches!(tag, b'N' | b'S' | b'A' | b'v') {
            return Ok(false);
        }
        if let Decoded::Aside(aside) = decode(tag, &self.input[range])? {
            let has_room = self.parameters.len() < PARAMETERS_MAX;
            match aside {
                Aside::Notice(notice) if self.notices.len() < NOTICES_MAX => self.notices.push(*notice),
                Aside::Parameter(name, value) => match self.parameters.iter_mut().find(|(known, _)| known == name) {
                    Some((_, known)) => *known = value.to_string(),
                    None if has_room => self.parameters.push((name.to_string(), value.to_string())),
                    None => {}
                },
                Aside::Notice(_) | Aside::Ignored => {}
            }
        }
        Ok(true)
    }

    /// Tag and length of the message that is received next, if its head is there. The tag is not counted.
    fn head(&self) -> Option<(u8, usize)> {
        let &[tag, a, b, c, d] = self.input[self.start..self.end].first_chunk::<HEAD_BYTES>()?;
        Some((tag, u32::from_be_bytes([a, b, c, d]) as usize))
    }

    fn whole(&self) -> Result<Option<(u8, std::ops::Range<usize>)>, Broken> {
        let Some((tag, length)) = self.head() else { return Ok(None) };
        if length < HEAD_BYTES - 1 {
            return Err(Broken::Protocol("a message shorter than its length"));
        }
        if length > self.message_bytes_max {
            return Err(Broken::Protocol("a message longer than the limit"));
        }
        let end = self.start + 1 + length;
        Ok((end <= self.end).then(|| (tag, self.start + HEAD_BYTES..end)))
    }

    /// Writes what the socket takes now; true if it took something.
    fn try_write(&mut self) -> Result<bool, Broken> {
        let mut has_written = false;
        while self.sent < self.out.len() {
            match self.stream.write(&self.out[self.sent..])? {
                0 => break,
                count => {
                    self.round_trips += u64::from(self.sent == 0);
                    self.sent += count;
                    has_written = true;
                }
            }
        }
        if self.sent == self.out.len() && self.sent > 0 {
            self.sent = 0;
            self.out.clear();
            if self.out.capacity() > KEPT_BYTES {
                self.out = BytesMut::with_capacity(INPUT_BYTES);
            }
        }
        self.stream.write_tls()?;
        Ok(has_written)
    }

    /// Reads what is there; false if nothing is.
    fn read_more(&mut self) -> Result<bool, Broken> {
        self.make_room();
        match self.stream.read(&mut self.input[self.end..])? {
            None => Ok(false),
            Some(count) => {
                self.end += count;
                debug_assert!(self.end <= self.input.len());
                Ok(true)
            }
        }
    }

    /// Makes room behind `end`. The buffer grows with what is received, never by the length alone that a message claims.
    fn make_room(&mut self) {
        let held = self.end - self.start;
        let wanted = self.head().map_or(0, |(_, length)| length + 1);
        let is_grown = self.input.len() > KEPT_BYTES && wanted.max(held) < INPUT_BYTES;
        let is_short = self.start > 0 && (held == 0 || self.start + wanted > self.input.len() || self.end == self.input.len());
        if is_grown || is_short {
            if is_grown {
                let mut usual = vec![0; INPUT_BYTES];
                usual[..held].copy_from_slice(&self.input[self.start..self.end]);
                self.input = usual;
            } else {
                self.input.copy_within(self.start..self.end, 0);
            }
            (self.start, self.end) = (0, held);
        }
        if self.end == self.input.len() {
            let twice = 2 * self.input.len();
            self.input.resize(if wanted > self.input.len() { twice.min(wanted) } else { twice }, 0);
        }
        debug_assert!(self.start <= self.end && self.end < self.input.len());
    }

    fn wait(&mut self, wait: &mut dyn Wait) -> Result<(), Broken> {
        let interest = self.stream.interest(self.sent < self.out.len());
        wait.ready(self.stream.socket.as_fd(), interest, self.deadline).map_err(Broken::Wait)
    }

    fn usable(&self) -> Result<(), Broken> {
        match &self.broken {
            Some(broken) => Err(broken.clone()),
            None => Ok(()),
        }
    }

    fn keep_failure<T>(&mut self, result: Result<T, Broken>) -> Result<T, Broken> {
        if let Err(broken) = &result {
            self.broken.get_or_insert_with(|| broken.clone());
        }
        result
    }

    pub fn broken(&self) -> Option<&Broken> {
        self.broken.as_ref()
    }

    /// By the last ReadyForQuery.
    pub fn transaction_status(&self) -> TransactionStatus {
        self.status
    }

    /// A parameter the server has told, for example `server_version`.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The notices since the last call.
    pub fn take_notices(&mut self) -> Vec<ServerError> {
        std::mem::take(&mut self.notices)
    }

    /// The time at which a wait for the server breaks the session; `None`: it waits for ever.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    pub fn set_message_bytes_max(&mut self, bytes: usize) {
        self.message_bytes_max = bytes.min(MESSAGE_BYTES_MAX);
    }

    /// Times that the session began to send.
    pub fn round_trips(&self) -> u64 {
        self.round_trips
    }
}

fn sendable(text: &str) -> &str {
    match text.as_bytes().contains(&0) {
        true => UNSENDABLE,
        false => text,
    }
}

impl Drop for Session {
    /// Tells the server, if it can be told without waiting.
    fn drop(&mut self) {
        if self.broken.is_none() {
            frontend::terminate(&mut self.out);
            let _ = self.try_write();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Socket;
    use crate::wait::ThreadWait;
    use std::io::Write;
    use std::os::unix::net::UnixStream;

    fn message(tag: u8, length: usize) -> Vec<u8> {
        let mut bytes = vec![tag];
        bytes.extend_from_slice(&(length as u32 + 4).to_be_bytes());
        bytes.resize(HEAD_BYTES + length, b'.');
        bytes
    }

    #[test]
    fn buffers_shrink_after_a_large_message() {
        let (client, mut server) = UnixStream::pair().unwrap();
        client.set_nonblocking(true).unwrap();
        let mut session = Session::new(Stream { socket: Socket::Unix(client), tls: None }, Arc::new(Config::default()));
        let lengths = [10, 3 * KEPT_BYTES, 10, 40_000, 2 * KEPT_BYTES + 1, 10, 10];
        let writer = std::thread::spawn(move || {
            for length in lengths {
                server.write_all(&message(b'd', length)).unwrap();
            }
            server
        });
        for length in lengths {
            match session.receive(&mut ThreadWait).unwrap() {
                Message::CopyData(bytes) => assert_eq!((bytes.len(), bytes.iter().all(|byte| *byte == b'.')), (length, true)),
                other => panic!("{other:?}"),
            }
        }
        let mut server = writer.join().unwrap();
        session.copy_data(&vec![b'.'; 2 * KEPT_BYTES]);
        assert!(session.queued() > 2 * KEPT_BYTES);
        let reader = std::thread::spawn(move || {
            let mut all = vec![0; HEAD_BYTES + 2 * KEPT_BYTES];
            std::io::Read::read_exact(&mut server, &mut all).unwrap();
            server.write_all(&message(b'd', 1)).unwrap();
            server
        });
        session.receive(&mut ThreadWait).unwrap();
        reader.join().unwrap();
        assert_eq!((session.queued(), session.input.len()), (0, INPUT_BYTES));
        assert!(session.out.capacity() <= INPUT_BYTES);
    }
}
