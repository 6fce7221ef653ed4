//! A server whose clients send arbitrary bytes: real conversations with bytes changed, doubled, cut and mixed, and plain noise.
//!
//! The rounds are the same in every run; `REGENT_FUZZ_ROUNDS=100000 cargo test --release -p tn3270 --test fuzz` runs more of them, and
//! `REGENT_FUZZ_SEED` other ones.

mod common;

use bms::Model;
use bms::attribute::ExtendedSet;
use bms::{Capabilities, Inbound, Screen};
use common::start;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;
use testing::Random;
use tn3270::{Client, ClientConfig, Config};

const ROUNDS: u64 = 300;
const SEED: u64 = 0x2545_F491_4F6C_DD1D;
const TIMEOUT: Duration = Duration::from_secs(20);

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Input from clients: TN3270 and TN3270E negotiation, and records.
const PIECES: [&[u8]; 18] = [
    // WILL, WONT, DO, DONT of TERMINAL-TYPE, END-OF-RECORD, BINARY, TN3270E, TIMING-MARK.
    &[255, 251, 24],
    &[255, 252, 24],
    &[255, 251, 25, 255, 253, 25],
    &[255, 251, 0, 255, 253, 0],
    &[255, 251, 40],
    &[255, 252, 40],
    &[255, 252, 6],
    // TERMINAL-TYPE IS.
    &[255, 250, 24, 0, b'I', b'B', b'M', b'-', b'3', b'2', b'7', b'8', b'-', b'2', b'-', b'E', 255, 240],
    // DEVICE-TYPE REQUEST, FUNCTIONS REQUEST.
    &[255, 250, 40, 2, 7, b'I', b'B', b'M', b'-', b'3', b'2', b'7', b'8', b'-', b'4', b'-', b'E', 255, 240],
    &[255, 250, 40, 3, 7, 0, 2, 4, 255, 240],
    &[255, 250, 40, 3, 4, 255, 240],
    // Records: ENTER with a field, CLEAR, a Query Reply, TN3270E ones, an empty one.
    &[0x7D, 0xC1, 0x50, 0x11, 0xC1, 0xD1, 0xC1, 0xC2, 255, 239],
    &[0x6D, 255, 239],
    &[0x88, 0x00, 0x0F, 0x81, 0x81, 0x01, 0x00, 0x00, 0x50, 0x00, 0x18, 0x01, 0x00, 0x0A, 0x02, 0xE5, 0x00, 255, 239],
    &[0, 0, 0, 0, 0, 0x7D, 0xC1, 0x50, 255, 239],
    &[2, 0, 0, 0, 1, 0, 255, 239],
    &[255, 239],
    &[255, 244, 255, 243],
];

fn conversation(random: &mut Random) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..random.index(12) + 1 {
        match random.index(8) {
            0 => {
                let length = random.index(200);
                bytes.extend(random.bytes(length));
            }
            _ => bytes.extend_from_slice(PIECES[random.index(PIECES.len())]),
        }
    }
    mutate(random, &mut bytes);
    bytes
}

fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..random.index(4) {
        if bytes.is_empty() {
            return;
        }
        let at = random.index(bytes.len());
        match random.index(4) {
            0 => bytes[at] = random.number() as u8,
            1 => bytes.truncate(at),
            2 => {
                let from = random.index(at + 1);
                let again = bytes[from..at].to_vec();
                bytes.splice(at..at, again);
            }
            _ => bytes[at] ^= 1 << random.index(8),
        }
    }
}

#[test]
fn the_server_survives_arbitrary_input() {
    let (server, _host) = start(Config { query_timeout: Duration::from_millis(200), ..Config::default() }, false);
    let mut random = Random::new(setting("REGENT_FUZZ_SEED", SEED));
    for round in 0..setting("REGENT_FUZZ_ROUNDS", ROUNDS) {
        let Ok(mut socket) = TcpStream::connect(server.local_address()) else { panic!("round {round}: no connection") };
        for _ in 0..random.index(3) + 1 {
            let sent = conversation(&mut random);
            if socket.write_all(&sent).is_err() {
                break;
            }
            // Some clients read a little, most do not.
            if random.index(4) == 0 {
                let mut some = [0; 64];
                let _ = socket.set_read_timeout(Some(Duration::from_millis(1)));
                let _ = socket.read(&mut some);
            }
        }
        match random.index(3) {
            0 => drop(socket),
            1 => {
                let _ = socket.shutdown(Shutdown::Write);
            }
            _ => {
                let _ = socket.shutdown(Shutdown::Both);
            }
        }
    }
    let mut terminal = Client::connect(server.local_address(), ClientConfig::default(), TIMEOUT).expect("the server still serves");
    terminal.wait_text("ready").expect("and answers");
}

#[test]
fn the_screen_and_the_input_parser_take_anything() {
    const ORDERS: [u8; 14] = [0x11, 0x1D, 0x29, 0x2C, 0x28, 0x13, 0x05, 0x3C, 0x12, 0x08, 0x00, 0x40, 0xF5, 0xC3];
    let mut random = Random::new(setting("REGENT_FUZZ_SEED", SEED));
    for model in [Model::Two, Model::Three, Model::Four, Model::Five] {
        let mut capabilities = Capabilities::of_model(model, true);
        capabilities.extended = ExtendedSet(0x7F);
        let mut screen = Screen::new(&capabilities, &codepage::CCSID_037);
        for _ in 0..10 * setting("REGENT_FUZZ_ROUNDS", ROUNDS) {
            let length = random.index(120);
            let record: Vec<u8> = (0..length)
                .map(|_| if random.index(3) == 0 { random.number() as u8 } else { ORDERS[random.index(ORDERS.len())] })
                .collect();
            // An invalid stream is refused; the screen stays consistent.
            let _ = screen.apply(&[&[[0xF1, 0xF5, 0x7E, 0xF3, 0x6F][random.index(5)]][..], &record].concat());
            let size = screen.size();
            assert_eq!(screen.cells().len(), size.positions());
            assert!(usize::from(screen.cursor()) < size.positions());
            let addressing = capabilities.addressing_for(size);
            if let Ok(input) = Inbound::parse(&record, size.positions(), addressing)
                && let bms::inbound::Body::Fields(fields) = input.body
            {
                assert!(fields.iter().all(|field| usize::from(field.address) < size.positions()));
            }
            // Output of the screen itself is understood, unless it contains a control code.
            let graphic = screen.cells().iter().all(|cell| cell.code == 0 || cell.code >= 0x40);
            for answer in [screen.read_modified(false), screen.read_modified(true)] {
                let parsed = Inbound::parse(&answer, size.positions(), addressing);
                assert!(parsed.is_ok() || !graphic, "{parsed:?}");
            }
        }
    }
}
