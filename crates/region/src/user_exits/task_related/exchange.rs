//! DFHRMXCH: how the program of a task-related user exit reaches a resource manager that is another process.
//!
//! The resource manager listens on a Unix socket in directory `resource-managers` of the data directory, which it makes. A task has one connection to it, from
//! its first exchange to its end, as it would have one thread. A request and a reply are each preceded by their length, four bytes with the
//! most significant first. The task is suspended meanwhile; after [`TIME_LIMIT`] without an answer the connection is of no more use.
//!
//! Invariant: after a failure the connection is closed, so a late reply is never taken for that of the next request.

use crate::control_blocks::exit_structure::ExitRecord;
use crate::storage_access::{self, Area};
use crate::user_exits::TaskState;
use crate::{Raised, Task};
use exec::{exit_constant, exit_structure};
use kernel::Wait;
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// The directory of the sockets.
const DIRECTORY: &str = "resource-managers";
const TIME_LIMIT: Duration = Duration::from_secs(30);
/// Longest request and reply.
const LENGTH_MAX: usize = 1 << 20;
const LENGTH_BYTES: usize = 4;

/// A connection of a task, by the name of the resource manager.
pub struct Connection {
    name: String,
    stream: UnixStream,
}

/// The result as the program sees it.
enum Failure {
    /// There is no such socket, or nobody listens.
    NotConnected,
    /// The connection ended, or there was no answer in time.
    Lost,
    /// The reply is longer than its area; it is lost.
    TooLong,
    /// A length or the name is not valid.
    Invalid,
}

/// Arguments: the structure DFHRMXCH, the request, the area for the reply.
pub fn exchange(task: &mut Task, arguments: &[u32]) -> Result<i32, Raised> {
    let &[operands, request, reply] = arguments else { return Ok(code(&Failure::Invalid)) };
    let structure = exit_structure("DFHRMXCH");
    let area = Area::new(operands as usize, structure.length());
    let bytes = area.read()?;
    let number = |field: &str| {
        let at = structure.field(field).offset;
        usize::try_from(i32::from_be_bytes(bytes[at..at + 4].try_into().expect("a fullword"))).ok().filter(|length| *length <= LENGTH_MAX)
    };
    let (given, room) = (number("RMXCH_REQUEST_LENGTH"), number("RMXCH_REPLY_LENGTH"));
    let name = ExitRecord::of_bytes("DFHRMXCH", &task.region.code_page, bytes.clone()).get("RMXCH_NAME");
    let (Some(given), Some(room), true) = (given, room, is_valid(&name)) else { return Ok(code(&Failure::Invalid)) };
    let request = Area::new(request as usize, given).read()?;
    match converse(task, &name, &request, room) {
        Ok(answer) => {
            storage_access::write(reply as usize, &answer)?;
            let place = area.address + structure.field("RMXCH_REPLY_LENGTH").offset;
            storage_access::write(place, &(answer.len() as i32).to_be_bytes())?;
            Ok(0)
        }
        Err(failure) => Ok(code(&failure)),
    }
}

fn code(failure: &Failure) -> i32 {
    let name = match failure {
        Failure::NotConnected => "RMXCH_NOT_CONNECTED",
        Failure::Lost => "RMXCH_LOST",
        Failure::TooLong => "RMXCH_TOO_LONG",
        Failure::Invalid => "RMXCH_INVALID",
    };
    exit_constant(name) as i32
}

/// A name stays in the directory.
fn is_valid(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter))
}

fn converse(task: &mut Task, name: &str, request: &[u8], room: usize) -> Result<Vec<u8>, Failure> {
    let connections = &mut TaskState::of_mut(&mut task.parts).connections;
    let held = connections.iter().position(|connection| connection.name == name).map(|at| connections.swap_remove(at).stream);
    let directory = task.region.data_directory.join(DIRECTORY);
    let begun = Instant::now();
    let ended = task.kernel.run_blocking(&Wait::new("RMI"), || {
        let mut stream = match held {
            Some(stream) => stream,
            None => connect(&directory, name).map_err(|_| Failure::NotConnected)?,
        };
        let answer = ask(&mut stream, request, room, Instant::now() + TIME_LIMIT)?;
        Ok((stream, answer))
    });
    task.performance.resource_manager_suspend.add(begun.elapsed());
    let (stream, answer) = ended?;
    TaskState::of_mut(&mut task.parts).connections.push(Connection { name: name.to_string(), stream });
    Ok(answer)
}

/// The path of a socket has few bytes, so it is named relative to the open directory.
fn connect(directory: &Path, name: &str) -> io::Result<UnixStream> {
    let directory = std::fs::File::open(directory)?;
    UnixStream::connect(format!("/proc/self/fd/{}/{name}", directory.as_raw_fd()))
}

/// The time that is left, for the next wait; a time limit of zero would be none.
fn left(until: Instant) -> io::Result<Option<Duration>> {
    match until.saturating_duration_since(Instant::now()) {
        Duration::ZERO => Err(io::ErrorKind::TimedOut.into()),
        left => Ok(Some(left)),
    }
}

/// Sends the request and reads the reply. The time limit is for all of it, however small the pieces are that come.
fn ask(stream: &mut UnixStream, request: &[u8], room: usize, until: Instant) -> Result<Vec<u8>, Failure> {
    let lost = |_| Failure::Lost;
    let message = [&(request.len() as u32).to_be_bytes()[..], request].concat();
    let mut sent = 0;
    while sent < message.len() {
        left(until).and_then(|left| stream.set_write_timeout(left)).map_err(lost)?;
        match stream.write(&message[sent..]) {
            Ok(count) => sent += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Err(Failure::Lost),
        }
    }
    let mut length = [0; LENGTH_BYTES];
    read_exact(stream, &mut length, until).map_err(lost)?;
    let length = u32::from_be_bytes(length) as usize;
    if length > room {
        return Err(Failure::TooLong);
    }
    let mut answer = vec![0; length];
    read_exact(stream, &mut answer, until).map_err(lost)?;
    Ok(answer)
}

fn read_exact(stream: &mut UnixStream, bytes: &mut [u8], until: Instant) -> io::Result<()> {
    let mut read = 0;
    while read < bytes.len() {
        stream.set_read_timeout(left(until)?)?;
        match stream.read(&mut bytes[read..]) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => read += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
