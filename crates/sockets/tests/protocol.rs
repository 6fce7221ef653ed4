//! A protocol of lines on the event loops: the guarantees that every protocol can rely on.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use sockets::{CloseReason, Config, Connection, Conversation, End, Protocol, Room, SendError, Server};

const WAIT: Duration = Duration::from_secs(20);

/// Echoes its input. `!` panics, `?` is refused, `.` ends the connection after an answer.
struct Echo {
    /// Connections as they begin, and how they ended.
    begun: Mutex<Sender<Connection>>,
    ended: Mutex<Sender<(u64, CloseReason)>>,
}

struct Echoing {
    connection: Connection,
    ended: Sender<(u64, CloseReason)>,
}

impl Protocol for Echo {
    fn begin(&self, connection: &Connection) -> Box<dyn Conversation> {
        connection.send(b"hello ", Room::Reserve).unwrap();
        self.begun.lock().unwrap().send(connection.clone()).unwrap();
        Box::new(Echoing { connection: connection.clone(), ended: self.ended.lock().unwrap().clone() })
    }
}

impl Conversation for Echoing {
    fn received(&mut self, bytes: &[u8]) -> Result<(), End> {
        match bytes.first() {
            Some(b'!') => panic!("a conversation that fails"),
            Some(b'?') => Err(End::AtOnce(CloseReason::Protocol)),
            Some(b'.') => {
                let _ = self.connection.send(b"good bye", Room::Reserve);
                Err(End::AfterSending(CloseReason::Host))
            }
            _ => {
                let _ = self.connection.send(bytes, Room::Usual);
                Ok(())
            }
        }
    }

    fn time_has_passed(&mut self, _now: Instant) -> Result<(), End> {
        Ok(())
    }

    fn ended(self: Box<Self>, reason: CloseReason) {
        self.ended.send((self.connection.id(), reason)).unwrap();
    }
}

struct Host {
    server: Server,
    begun: Receiver<Connection>,
    ended: Receiver<(u64, CloseReason)>,
}

fn start(change: impl FnOnce(&mut Config)) -> Host {
    let mut config = Config {
        thread_name: "echo",
        thread_count: 2,
        thread_watch: None,
        backlog: 64,
        connections_max: 10,
        no_room_text: b"no room",
        send_queue_length_max: 1 << 20,
        send_timeout: Duration::from_secs(30),
        tls: None,
    };
    change(&mut config);
    let ((begun_sender, begun), (ended_sender, ended)) = (channel(), channel());
    let protocol = Echo { begun: Mutex::new(begun_sender), ended: Mutex::new(ended_sender) };
    Host { server: Server::listen("127.0.0.1:0", config, Arc::new(protocol)).unwrap(), begun, ended }
}

impl Host {
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.server.local_address()).unwrap();
        stream.set_read_timeout(Some(WAIT)).unwrap();
        stream
    }

    fn greeted(&self) -> (TcpStream, Connection) {
        let mut stream = self.connect();
        assert_eq!(read(&mut stream, 6), b"hello ");
        (stream, self.begun.recv_timeout(WAIT).unwrap())
    }
}

fn read(stream: &mut TcpStream, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes).unwrap();
    bytes
}

/// The data received until the host closes.
fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Err(error) if error.kind() != ErrorKind::ConnectionReset => panic!("{error}"),
        _ => bytes,
    }
}

#[test]
fn bytes_flow_both_ways_and_each_end_is_notified_once() {
    let host = start(|_| {});
    let (mut stream, connection) = host.greeted();
    stream.write_all(b"one two").unwrap();
    assert_eq!(read(&mut stream, 7), b"one two");
    stream.write_all(b".").unwrap();
    assert_eq!(rest(&mut stream), b"good bye");
    assert_eq!(host.ended.recv_timeout(WAIT), Ok((connection.id(), CloseReason::Host)));
    assert!(connection.is_closed());
    assert_eq!(connection.send(b"late", Room::Usual), Err(SendError::Closed));

    let (stream, connection) = host.greeted();
    drop(stream);
    assert_eq!(host.ended.recv_timeout(WAIT), Ok((connection.id(), CloseReason::Client)));
    assert!(host.ended.try_recv().is_err());
}

#[test]
fn a_conversation_that_panics_or_is_refused_ends_alone() {
    let host = start(|config| config.thread_count = 1);
    let (mut other, _) = host.greeted();
    for bytes in [b"!", b"?"] {
        let (mut stream, connection) = host.greeted();
        stream.write_all(bytes).unwrap();
        assert_eq!(rest(&mut stream), b"");
        assert_eq!(host.ended.recv_timeout(WAIT), Ok((connection.id(), CloseReason::Protocol)));
    }
    other.write_all(b"still here").unwrap();
    assert_eq!(read(&mut other, 10), b"still here");
}

#[test]
fn a_connection_beyond_the_limit_is_refused() {
    let host = start(|config| config.connections_max = 3);
    let mut open: Vec<_> = (0..3).map(|_| host.greeted()).collect();
    assert_eq!(rest(&mut host.connect()), b"no room");
    assert_eq!(host.server.connection_count(), 3);
    drop(open.pop());
    host.ended.recv_timeout(WAIT).unwrap();
    host.greeted();
}

#[test]
fn a_client_that_does_not_read_fills_its_queue_and_then_loses_its_connection() {
    let host = start(|config| (config.send_queue_length_max, config.send_timeout) = (100_000, Duration::from_millis(500)));
    let (_stream, connection) = host.greeted();
    let piece = [b'x'; 10_000];
    // The socket accepts a few megabytes; then the queue accepts as much as fits, and the reserve as much again.
    let refused = (0..10_000).find_map(|_| connection.send(&piece, Room::Usual).err());
    assert_eq!(refused, Some(SendError::QueueFull));
    assert_eq!(connection.send(&piece, Room::Reserve), Ok(()));
    let (sender, room) = channel();
    connection.when_there_is_room(move || sender.send(()).unwrap());
    assert!(room.try_recv().is_err());
    assert_eq!(host.ended.recv_timeout(WAIT), Ok((connection.id(), CloseReason::Timeout)));
    assert_eq!(room.recv_timeout(WAIT), Ok(()), "nobody waits for room that never comes");
}

#[test]
fn waiters_for_room_are_woken_when_the_client_reads() {
    let host = start(|config| config.send_queue_length_max = 100_000);
    let (mut stream, connection) = host.greeted();
    let piece = [b'x'; 10_000];
    let sent = (0..10_000).take_while(|_| connection.send(&piece, Room::Usual).is_ok()).count();
    let (sender, room) = channel();
    connection.when_there_is_room(move || sender.send(()).unwrap());
    assert!(room.try_recv().is_err());
    assert_eq!(read(&mut stream, sent * piece.len()).len(), sent * piece.len());
    assert_eq!(room.recv_timeout(WAIT), Ok(()));
}

#[test]
fn a_server_that_stops_ends_every_connection() {
    let host = start(|_| {});
    let mut open: Vec<_> = (0..4).map(|_| host.greeted()).collect();
    host.server.stop();
    let reasons: Vec<_> = (0..4).map(|_| host.ended.recv_timeout(WAIT).unwrap().1).collect();
    assert_eq!(reasons, [CloseReason::Stopped; 4]);
    for (stream, _) in &mut open {
        assert_eq!(rest(stream), b"");
    }
}
