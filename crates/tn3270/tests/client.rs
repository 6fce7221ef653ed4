//! The client and the load driver against the server, and clients that misbehave.

mod common;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bms::{Model, ScreenSize};
use common::start;
use tn3270::{
    Client, ClientConfig, ClientError, CloseReason, Config, Driver, DriverEvent, Record, SendError, Server, Session, SessionHandler,
    SessionInfo,
};

const TIMEOUT: Duration = Duration::from_secs(5);

fn client(server: &Server, config: ClientConfig) -> Client {
    Client::connect(server.local_address(), config, TIMEOUT).unwrap()
}

/// Waits for something other threads do.
fn eventually(what: &str, condition: impl FnMut() -> bool) {
    testing::eventually_within(TIMEOUT, what, condition);
}

/// A client that takes what the host sends, and answers its probes, while something else is done.
fn while_it_answers(mut client: Client, action: impl FnOnce()) -> Client {
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                client.receive(Duration::from_millis(10)).unwrap();
            }
            client
        });
        action();
        done.store(true, Ordering::Relaxed);
        reader.join().unwrap()
    })
}

#[test]
fn conversation() {
    for model in [Model::Two, Model::Three, Model::Four, Model::Five] {
        for tn3270e in [true, false] {
            for extended in [true, false] {
                let (server, host) = start(Config::default(), true);
                let config = ClientConfig { model, extended, tn3270e, lu: Some("LU7".into()), ..ClientConfig::default() };
                let mut terminal = client(&server, config);
                assert_eq!(terminal.is_tn3270e(), tn3270e);
                terminal.wait_text("ready").unwrap();
                assert_eq!(terminal.screen().size(), model.alternate());
                assert_eq!(terminal.screen().find("ECHO HOST"), Some((1, 31)));
                assert_eq!(terminal.screen().text(1, 61, 8), "LU7     ");
                assert_eq!(terminal.screen().cursor_place(), (3, 11));
                let color = terminal.screen().field_at(terminal.screen().cursor()).unwrap().color;
                assert_eq!(color, if extended { 0xF4 } else { 0 });
                terminal.fill_after("Name:", "Ada").unwrap();
                terminal.fill_at(4, 11, "7").unwrap();
                terminal.enter("ENTER").unwrap();
                terminal.wait_text("ENTER name=Ada amount=000007 secret=~~~~~~~~").unwrap();
                assert_eq!(terminal.screen().alarm_count, 1);
                terminal.enter("CLEAR").unwrap();
                terminal.wait_text("cleared").unwrap();
                terminal.press("PF3").unwrap();
                assert!(matches!(terminal.wait_text("never"), Err(ClientError::Closed(_))));
                eventually("end", || host.ended.load(Ordering::Relaxed) == 1);
            }
        }
    }
}

#[test]
fn dynamic_and_unfit_terminals() {
    let (server, _host) = start(Config::default(), true);
    let size = ScreenSize::new(50, 100);
    let mut terminal = client(&server, ClientConfig { model: Model::Dynamic, dynamic_size: Some(size), ..ClientConfig::default() });
    terminal.wait_text("ready").unwrap();
    assert_eq!(terminal.screen().size(), size);
    let unfit = ClientConfig { terminal_type: Some("XTERM".into()), tn3270e: false, ..ClientConfig::default() };
    match Client::connect(server.local_address(), unfit, TIMEOUT) {
        Err(ClientError::Closed(text)) => assert!(text.contains("3270 terminals"), "{text}"),
        other => panic!("{:?}", other.err()),
    }
    let unfit = ClientConfig { terminal_type: Some("IBM-3278-9".into()), ..ClientConfig::default() };
    assert!(matches!(Client::connect(server.local_address(), unfit, TIMEOUT), Err(ClientError::Refused(4))));
    let first = client(&server, ClientConfig { lu: Some("ONE".into()), ..ClientConfig::default() });
    let again = ClientConfig { lu: Some("ONE".into()), ..ClientConfig::default() };
    let first = while_it_answers(first, || {
        assert!(matches!(Client::connect(server.local_address(), again.clone(), TIMEOUT), Err(ClientError::Refused(1))));
    });
    drop(first);
    eventually("the name is free again", || Client::connect(server.local_address(), again.clone(), TIMEOUT).is_ok());
}

#[test]
fn limits_on_sessions_and_time() {
    let config = Config {
        sessions_max: 2,
        negotiation_timeout: Duration::from_millis(300),
        record_timeout: Duration::from_millis(300),
        ..Config::default()
    };
    let (server, host) = start(config, false);
    let mut terminal = client(&server, ClientConfig::default());
    terminal.wait_text("ready").unwrap();
    // A silent connection holds a place, then is dropped; the next one is too many.
    let mut silent = TcpStream::connect(server.local_address()).unwrap();
    eventually("two sessions", || server.session_count() == 2);
    let mut refused = TcpStream::connect(server.local_address()).unwrap();
    let mut text = String::new();
    refused.read_to_string(&mut text).unwrap();
    assert!(text.contains("no room"), "{text}");
    let mut bytes = Vec::new();
    silent.read_to_end(&mut bytes).unwrap();
    eventually("one session", || server.session_count() == 1);
    // A record that never ends.
    terminal.send_raw(&[0, 0, 0, 0, 0, 0x7D]).unwrap();
    eventually("the slow one is gone", || host.ended.load(Ordering::Relaxed) == 1);
}

#[test]
fn malformed_input_ends_one_session_only() {
    let (server, host) = start(Config { record_length_max: 1000, ..Config::default() }, false);
    let mut good = client(&server, ClientConfig::default());
    good.wait_text("ready").unwrap();
    for (count, garbage) in [vec![0x7D; 1001], [vec![0xFF, 0xFA], vec![1; 600]].concat(), vec![1, 2, 0xFF, 0xEF]].into_iter().enumerate() {
        let mut bad = client(&server, ClientConfig::default());
        bad.wait_text("ready").unwrap();
        bad.send_raw(&garbage).unwrap();
        eventually("the bad one is gone", || host.ended.load(Ordering::Relaxed) == count as u64 + 1);
    }
    let mut random = testing::Random::new(12345);
    for _ in 0..50 {
        let mut stream = TcpStream::connect(server.local_address()).unwrap();
        let noise: Vec<u8> = (0..400)
            .map(|_| {
                let byte = (random.number() >> 56) as u8;
                if byte < 64 { 0xFF } else { byte }
            })
            .collect();
        let _ = stream.write_all(&noise);
    }
    eventually("only the good one is left", || server.session_count() == 1);
    good.fill_input(1, "still here").unwrap();
    good.enter("ENTER").unwrap();
    good.wait_text("name=still here").unwrap();
}

/// A client that does not answer a probe in time loses its name to another that asks for it, with TN3270E and without.
#[test]
fn a_dead_session_is_taken_over() {
    let config = Config { takeover_timeout: Duration::from_millis(600), ..Config::default() };
    let (server, host) = start(config, false);
    for (round, tn3270e) in [(1, true), (2, false)] {
        let named = ClientConfig { lu: Some("LUDEAD".into()), tn3270e, ..ClientConfig::default() };
        // Nobody reads this one: to the server it is a client whose network has gone.
        let mut dead = client(&server, named.clone());
        dead.wait_text("ready").unwrap();
        let asked = Instant::now();
        let mut next = client(&server, named);
        assert!(asked.elapsed() >= Duration::from_millis(600), "the other has its time");
        next.wait_text("ready").unwrap();
        assert_eq!(next.screen().text(1, 61, 6), "LUDEAD");
        eventually("the end of the dead one", || host.ended.load(Ordering::Relaxed) == 2 * round - 1);
        assert!(matches!(dead.wait_text("never"), Err(ClientError::Closed(_))));
        drop(next);
        eventually("the end of the next", || host.ended.load(Ordering::Relaxed) == 2 * round);
    }
}

/// One that answers keeps it, even if several ask at once; none of them stays.
#[test]
fn a_session_that_answers_is_not_taken_over() {
    let config = Config { takeover_timeout: Duration::from_millis(600), ..Config::default() };
    let (server, _host) = start(config, false);
    let named = ClientConfig { lu: Some("LULIVE".into()), ..ClientConfig::default() };
    let mut live = client(&server, named.clone());
    live.wait_text("ready").unwrap();
    let live = while_it_answers(live, || {
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    assert!(matches!(Client::connect(server.local_address(), named.clone(), TIMEOUT), Err(ClientError::Refused(1))))
                });
            }
        });
    });
    assert!(!live.is_closed());
    eventually("the others have gone", || server.session_count() == 1);
}

#[test]
fn a_silent_client_is_probed() {
    let config =
        Config { probe_interval: Some(Duration::from_millis(300)), probe_timeout: Duration::from_millis(700), ..Config::default() };
    let (server, host) = start(config, false);
    let mut terminal = client(&server, ClientConfig::default());
    terminal.wait_text("ready").unwrap();
    // Answers probes while it reads.
    let until = Instant::now() + Duration::from_millis(1500);
    while Instant::now() < until {
        terminal.receive(Duration::from_millis(50)).unwrap();
    }
    assert_eq!(server.session_count(), 1);
    // Stops reading: to the server it looks half open.
    eventually("the dead one is gone", || host.ended.load(Ordering::Relaxed) == 1);
}

/// Sends without end to a client that does not read.
struct Flood;

impl SessionHandler for Flood {
    fn connected(&self, session: &Session, _info: &SessionInfo) {
        let record = vec![0x40; 30_000];
        let mut sent = 0;
        loop {
            match session.send(&record) {
                Ok(()) => sent += 1,
                Err(error) => {
                    assert_eq!(error, SendError::QueueFull);
                    break;
                }
            }
            assert!(sent < 10_000, "the queue is bounded");
        }
    }

    fn received(&self, _session: &Session, _record: Record<'_>) {}

    fn disconnected(&self, _session: &Session, reason: CloseReason) {
        assert_eq!(reason, CloseReason::Timeout);
        GONE.fetch_add(1, Ordering::Relaxed);
    }
}

static GONE: AtomicUsize = AtomicUsize::new(0);

#[test]
fn a_client_that_does_not_read() {
    let config = Config { send_queue_length_max: 100_000, send_timeout: Duration::from_millis(400), query: false, ..Config::default() };
    let server = Server::listen("127.0.0.1:0", config, Arc::new(Flood)).unwrap();
    let terminal = client(&server, ClientConfig::default());
    eventually("the client is dropped", || GONE.load(Ordering::Relaxed) == 1);
    drop(terminal);
}

#[test]
fn two_thousand_terminals_on_one_thread() {
    const COUNT: usize = 2_000;
    let (server, _host) = start(Config { thread_count: 2, query: false, ..Config::default() }, false);
    let mut driver = Driver::new().unwrap();
    for _ in 0..COUNT {
        driver.connect(server.local_address(), ClientConfig::default()).unwrap();
    }
    let mut answers = vec![0u32; COUNT];
    let deadline = Instant::now() + Duration::from_secs(30);
    // ENTER with the cursor at 0 and "X" in the field at row 3, column 11.
    let address = bms::address::Addressing::Bits12.encode(2 * 80 + 10);
    let enter = [0x7D, 0x40, 0x40, 0x11, address[0], address[1], 0xE7];
    while answers.iter().any(|&count| count < 4) {
        assert!(
            Instant::now() < deadline,
            "{} of {COUNT} open, {} at the server, stuck {:?} {:?}",
            driver.open_count(),
            server.session_count(),
            answers.iter().enumerate().filter(|&(_, &count)| count < 4).take(20).collect::<Vec<_>>(),
            server.statistics()
        );
        driver
            .poll(Duration::from_millis(100), |session, event, outgoing| match event {
                DriverEvent::Record(record) => {
                    assert!(record[0] == if answers[session] == 0 { 0xF5 } else { 0xF1 });
                    answers[session] += 1;
                    if answers[session] < 4 {
                        outgoing.data(&enter);
                    }
                }
                DriverEvent::Closed(reason) => panic!("session {session}: {reason}"),
                DriverEvent::Connected => {}
            })
            .unwrap();
    }
    assert_eq!(server.session_count(), COUNT);
    assert_eq!(driver.open_count(), COUNT);
    driver.close(0);
    eventually("one less", || server.session_count() == COUNT - 1);
    server.stop();
    assert_eq!(server.session_count(), 0);
}
