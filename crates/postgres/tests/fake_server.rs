//! Servers that do not keep to the protocol: a session ends with an error, it never panics and never waits beyond its deadline.

use postgres::{Broken, Config, ConnectError, Interrupted, Message, Session, ThreadWait};
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::time::{Duration, Instant};

/// AuthenticationOk, BackendKeyData, ReadyForQuery.
const WELCOME: &[u8] = b"R\0\0\0\x08\0\0\0\0K\0\0\0\x0C\0\0\0\x01\0\0\0\x02Z\0\0\0\x05I";

fn config(directory: &Path) -> Config {
    let timeout = Duration::from_secs(5);
    Config { host: directory.display().to_string(), user: "user".to_string(), connect_timeout: timeout, ..Config::default() }
}

/// A server that reads the start-up message and then does as it is told, once for each connection.
fn with_server<T>(serve: impl Fn(&mut UnixStream) + Send + Sync + 'static, client: impl FnOnce(&Config) -> T) -> T {
    let directory = tempfile::tempdir().unwrap();
    let listener = UnixListener::bind(directory.path().join(".s.PGSQL.5432")).unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let _ = stream.read(&mut [0; 1000]);
            serve(&mut stream);
        }
    });
    client(&config(directory.path()))
}

/// What a client makes of bytes after the welcome.
fn received(bytes: &'static [u8], prepare: impl FnOnce(&mut Session)) -> Vec<Result<String, Broken>> {
    let serve = move |stream: &mut UnixStream| {
        let _ = stream.write_all(WELCOME);
        let _ = stream.write_all(bytes);
    };
    with_server(serve, |config| {
        let mut session = Session::connect(config, &mut ThreadWait).unwrap();
        prepare(&mut session);
        let mut all = Vec::new();
        loop {
            let next = session.receive(&mut ThreadWait).map(|message| format!("{message:?}"));
            let is_last = next.is_err();
            all.push(next);
            if is_last {
                return all;
            }
        }
    })
}

#[test]
fn malformed_messages_are_a_violation_of_the_protocol() {
    let malformed: [&[u8]; 11] = [
        // Unknown; shorter than its own length; a row whose value is longer than it, one with too few values, and one with too many bytes.
        b"?\0\0\0\x04",
        b"Z\0\0\0\x03",
        b"D\0\0\0\x0C\0\x01\0\0\0\x09ab",
        b"D\0\0\0\x0A\0\x02\xFF\xFF\xFF\xFF",
        b"D\0\0\0\x0B\0\x01\xFF\xFF\xFF\xFF!",
        b"D\0\0\0\x0A\0\x01\xFF\xFF\xFF\xFE",
        b"D\0\0\0\x06\xFF\xFF",
        b"T\0\0\0\x08\0\x01x\0",
        b"t\0\0\0\x08\0\x02\0\0",
        b"C\0\0\0\x08SELE",
        b"Z\0\0\0\x04",
    ];
    for bytes in malformed {
        let answers = received(bytes, |_| {});
        assert!(matches!(answers[..], [Err(Broken::Protocol(_))]), "{bytes:?}: {answers:?}");
    }
}

#[test]
fn a_message_as_long_as_the_limit_is_taken_and_one_byte_more_is_not() {
    let answers = received(b"d\0\0\0\x08abcdd\0\0\0\x09abcde", |session| session.set_message_bytes_max(8));
    assert!(matches!(&answers[..], [Ok(_), Err(Broken::Protocol(_))]), "{answers:?}");
    // Two thousand million bytes are claimed: refused before they are waited for.
    let answers = received(b"d\x7F\xFF\xFF\xFFabcd", |_| {});
    assert!(matches!(answers[..], [Err(Broken::Protocol(_))]), "{answers:?}");
    // As many as the protocol allows are not set aside before they come.
    let answers = received(b"d\x3F\xFF\xFF\xFFabcd", |_| {});
    assert!(matches!(answers[..], [Err(Broken::Closed)]), "{answers:?}");
}

#[test]
fn an_end_in_the_middle_of_a_message_is_a_closed_connection() {
    let answers = received(b"C\0\0\0\x0DSELECT 1\0D\0\0", |_| {});
    assert!(matches!(&answers[..], [Ok(_), Err(Broken::Closed)]), "{answers:?}");
}

#[test]
fn words_of_farewell_are_told_even_if_nothing_more_is_taken() {
    let answers = received(b"E\0\0\0\x13SFATAL\0C57P01\0\0", |session| {
        // The server has closed by now; the write fails.
        std::thread::sleep(Duration::from_millis(100));
        session.query("select 1");
    });
    assert!(matches!(&answers[..], [Ok(_), Err(Broken::Ended(error))] if error.code == "57P01"), "{answers:?}");
}

#[test]
fn a_silent_server_is_given_up() {
    let silent = |_: &mut UnixStream| std::thread::sleep(Duration::from_secs(60));
    with_server(silent, |config| {
        let config = Config { connect_timeout: Duration::from_millis(200), ..config.clone() };
        let begun = Instant::now();
        let error = Session::connect(&config, &mut ThreadWait).err();
        assert_eq!(error, Some(ConnectError::Broken(Broken::Wait(Interrupted::TimedOut))));
        assert!(begun.elapsed() < Duration::from_secs(10));
    });
}

#[test]
fn a_sign_on_out_of_order_is_refused() {
    let cases: [(&'static [u8], &str); 6] = [
        // SASLContinue and SASLFinal without SASL; a salt of three bytes; Kerberos; a row; nothing but the start of SCRAM and then
        // "welcome".
        (b"R\0\0\0\x0C\0\0\0\x0Br=xx", "protocol"),
        (b"R\0\0\0\x0C\0\0\0\x0Cv=xx", "protocol"),
        (b"R\0\0\0\x0B\0\0\0\x05abc", "protocol"),
        (b"R\0\0\0\x08\0\0\0\x07", "kind 7"),
        (b"D\0\0\0\x06\0\0", "protocol"),
        (b"R\0\0\0\x17\0\0\0\x0ASCRAM-SHA-256\0\0R\0\0\0\x08\0\0\0\0", "did not prove"),
    ];
    for (bytes, part) in cases {
        let serve = move |stream: &mut UnixStream| {
            let _ = stream.write_all(bytes);
            let _ = stream.read(&mut [0; 1000]);
        };
        with_server(serve, |config| {
            let config = Config { password: postgres::Password::Value("secret".to_string()), ..config.clone() };
            let error = Session::connect(&config, &mut ThreadWait).err().unwrap().to_string();
            assert!(error.contains(part), "{bytes:?}: {error}");
        });
    }
}

#[test]
fn random_bytes_end_in_an_error() {
    // The bytes of a connection, by its number: random ones, or frames with a tag and a length that are right and bodies that are random.
    fn bytes_of(seed: u64) -> Vec<u8> {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state >> 16
        };
        let mut bytes = if seed.is_multiple_of(3) { Vec::new() } else { WELCOME.to_vec() };
        for _ in 0..next() % 20 {
            let tag = b"123nttTTTDDDDDDCIsGHdcEENZRKSA"[next() as usize % 30];
            let body: Vec<u8> = (0..next() % 24).map(|_| [next() as u8, 0, 1, b'a'][next() as usize % 4]).collect();
            match next() % 16 {
                0 => bytes.extend_from_slice(&body),
                _ => {
                    bytes.push(tag);
                    bytes.extend_from_slice(&(4 + body.len() as u32).to_be_bytes());
                    bytes.extend_from_slice(&body);
                }
            }
        }
        bytes
    }
    let number = std::sync::atomic::AtomicU64::new(0);
    let serve = move |stream: &mut UnixStream| {
        let seed = number.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let _ = stream.write_all(&bytes_of(seed));
    };
    with_server(serve, |config| {
        let config = Config { password: postgres::Password::Value("secret".to_string()), ..config.clone() };
        for _ in 0..2000 {
            let Ok(mut session) = Session::connect(&config, &mut ThreadWait) else { continue };
            session.query("select 1");
            let mut count = 0;
            while let Ok(message) = session.receive(&mut ThreadWait) {
                match message {
                    Message::DataRow(row) => assert_eq!(row.columns().count(), row.len()),
                    Message::RowDescription(description) => assert_eq!(description.columns().count(), description.len()),
                    _ => {}
                }
                count += 1;
                assert!(count <= 40);
            }
            assert!(session.broken().is_some());
        }
    });
}
