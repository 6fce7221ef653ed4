//! Clients that take every connection leave the host descriptors for its own files.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use sockets::{CloseReason, Config, Connection, Conversation, End, Protocol, Room, Server};

const FILES_MAX: u64 = 64;
const CLIENTS: usize = 100;
const ADDRESS: &str = "SOCKETS_TEST_ADDRESS";

struct Greeting;

impl Protocol for Greeting {
    fn begin(&self, connection: &Connection) -> Box<dyn Conversation> {
        let _ = connection.send(b"hello", Room::Reserve);
        Box::new(Greeting)
    }
}

impl Conversation for Greeting {
    fn received(&mut self, _bytes: &[u8]) -> Result<(), End> {
        Ok(())
    }

    fn time_has_passed(&mut self, _now: Instant) -> Result<(), End> {
        Ok(())
    }

    fn ended(self: Box<Self>, _reason: CloseReason) {}
}

fn config() -> Config {
    Config {
        thread_name: "greeting",
        thread_count: 1,
        thread_watch: None,
        backlog: 256,
        connections_max: 10_000,
        no_room_text: b"full!",
        send_queue_length_max: 1 << 20,
        send_timeout: Duration::from_secs(30),
        tls: None,
    }
}

#[test]
fn clients_leave_the_host_descriptors_for_its_files() {
    let maximum = getrlimit(Resource::Nofile).maximum;
    setrlimit(Resource::Nofile, Rlimit { current: Some(FILES_MAX / 2), maximum: Some(FILES_MAX) }).unwrap();
    let server = Server::listen("127.0.0.1:0", config(), Arc::new(Greeting)).unwrap();
    assert_eq!(getrlimit(Resource::Nofile).current, Some(FILES_MAX), "the limit is raised as far as it may be: {maximum:?}");
    let mut clients = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "hundred_clients", "--nocapture", "--ignored"])
        .env(ADDRESS, server.local_address().to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Until each client has got its answer.
    let (mut output, mut bytes) = (String::new(), [0; 512]);
    while !output.contains("answered") {
        let count = clients.stdout.as_mut().unwrap().read(&mut bytes).unwrap();
        assert!(count > 0, "{output}");
        output.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    let connected = server.connection_count();
    assert!(connected > 10 && connected < CLIENTS, "{connected}");
    assert!(output.contains(&format!("{connected} welcome, {} refused", CLIENTS - connected)), "{output}");
    let files: Vec<_> = (0..FILES_MAX / 8).map(|_| std::fs::File::open("/proc/self/exe")).collect();
    assert!(files.iter().all(Result::is_ok), "{files:?}");
    clients.stdin.take().unwrap().write_all(b"\n").unwrap();
    assert!(clients.wait().unwrap().success());
}

#[test]
#[ignore = "clients of another test, in a process of their own"]
fn hundred_clients() {
    let limit = Rlimit { current: Some(FILES_MAX), maximum: Some(FILES_MAX) };
    assert!(getrlimit(Resource::Nofile) == limit);
    let address = std::env::var(ADDRESS).unwrap();
    let (mut kept, mut refused) = (Vec::new(), 0);
    for _ in 0..CLIENTS {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut bytes = [0; 5];
        stream.read_exact(&mut bytes).unwrap();
        if &bytes == b"hello" { kept.push(stream) } else { refused += 1 }
    }
    println!("answered: {} welcome, {refused} refused", kept.len());
    let _ = std::io::stdin().read(&mut [0]);
}
