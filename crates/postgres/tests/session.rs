//! Sessions with a real server, in a private cluster made for the test.

mod support;

use postgres::{Broken, Interrupted, Message, Session, Target, ThreadWait, TransactionStatus, binary, oid};
use std::time::{Duration, Instant};
use support::{Server, answers, bind, run, value};

#[test]
fn a_pipeline_is_one_round_trip() {
    let server = Server::shared();
    let mut session = server.session();
    let before = session.round_trips();
    session.parse("s", "select $1 + 1 as n", &[oid::INT4]);
    session.describe(Target::Statement, "s");
    for value in [1i32, 41] {
        bind(&mut session, "", "s", &[Some(&value.to_be_bytes())]);
        session.execute("", 0);
    }
    bind(&mut session, "", "s", &[None]);
    session.execute("", 0);
    session.sync();
    let expected = [
        format!("[{}]", oid::INT4),
        format!("n:{}", oid::INT4),
        "[Some([0, 0, 0, 2])]".to_string(),
        "SELECT 1".to_string(),
        "[Some([0, 0, 0, 42])]".to_string(),
        "SELECT 1".to_string(),
        "[None]".to_string(),
        "SELECT 1".to_string(),
    ];
    assert_eq!(answers(&mut session), expected);
    assert_eq!(session.round_trips(), before + 1);
    assert_eq!(session.parameter("server_encoding"), Some("UTF8"));
}

#[test]
fn a_portal_gives_rows_in_blocks_and_an_error_ends_the_pipeline() {
    let server = Server::shared();
    let mut session = server.session();
    run(&mut session, "begin");
    session.parse("", "select generate_series(1, 3)", &[]);
    bind(&mut session, "p", "", &[]);
    session.execute("p", 2);
    session.sync();
    assert_eq!(answers(&mut session).last().map(String::as_str), Some("suspended"));
    assert_eq!(session.transaction_status(), TransactionStatus::InTransaction);
    session.execute("p", 2);
    session.parse("", "select no_such_column", &[]);
    session.parse("", "select 1", &[]);
    session.sync();
    assert_eq!(answers(&mut session), ["[Some([0, 0, 0, 3])]", "SELECT 1", "error 42703"]);
    assert_eq!(session.transaction_status(), TransactionStatus::Failed);
    assert!(session.broken().is_none());
}

#[test]
fn statements_and_portals_that_are_closed_are_unknown() {
    let server = Server::shared();
    let mut session = server.session();
    session.parse("s", "select 1", &[]);
    bind(&mut session, "p", "s", &[]);
    session.close(Target::Portal, "p");
    session.execute("p", 0);
    session.sync();
    assert_eq!(answers(&mut session), ["error 34000"]);
    session.close(Target::Statement, "s");
    session.close(Target::Statement, "never there");
    session.describe(Target::Statement, "s");
    session.sync();
    assert_eq!(answers(&mut session), ["error 26000"]);
}

#[test]
fn a_flush_brings_answers_before_the_pipeline_ends() {
    let server = Server::shared();
    let mut session = server.session();
    session.parse("", "select 1", &[]);
    session.flush();
    assert!(matches!(session.receive(&mut ThreadWait), Ok(Message::ParseComplete)));
    session.sync();
    assert_eq!(answers(&mut session), Vec::<String>::new());
}

#[test]
fn a_bind_that_its_caller_refuses_leaves_nothing_queued() {
    let server = Server::shared();
    let mut session = server.session();
    session.parse("s", "select $1::text", &[]);
    let refused = session.bind("", "s", 1, |_, out| {
        out.extend_from_slice(b"half a value");
        Err("no")
    });
    assert_eq!(refused, Err("no"));
    bind(&mut session, "", "s", &[Some(b"whole")]);
    session.execute("", 0);
    session.sync();
    assert_eq!(answers(&mut session), [format!("[Some({:?})]", b"whole"), "SELECT 1".to_string()]);
}

#[test]
fn a_zero_byte_in_a_statement_is_an_error_of_the_statement() {
    let server = Server::shared();
    let mut session = server.session();
    session.parse("", "select '\0'", &[]);
    session.sync();
    assert_eq!(answers(&mut session), ["error 42601"]);
    session.query("select \0");
    assert_eq!(answers(&mut session), ["error 42601"]);
    assert_eq!(value(&mut session, "select 7"), "7");
}

#[test]
fn an_error_has_every_field_and_a_notice_is_kept_aside() {
    let server = Server::shared();
    let mut session = server.session();
    run(&mut session, "create temporary table parts (number integer constraint positive check (number > 0))");
    session.query("insert into parts values (-1)");
    let error = loop {
        match session.receive(&mut ThreadWait).unwrap() {
            Message::Error(error) => break error,
            other => assert!(!matches!(other, Message::ReadyForQuery(_))),
        }
    };
    assert_eq!((error.severity.as_str(), error.code.as_str()), ("ERROR", "23514"));
    assert_eq!((error.table.as_str(), error.constraint.as_str()), ("parts", "positive"));
    assert!(error.schema.starts_with("pg_temp") && error.detail.contains("-1"), "{error:?}");
    answers(&mut session);
    session.query("select wrong");
    let position = loop {
        if let Message::Error(error) = session.receive(&mut ThreadWait).unwrap() {
            break error.position;
        }
    };
    assert_eq!(position, 8);
    answers(&mut session);
    run(&mut session, "do $$ begin raise notice 'told' using hint = 'why'; end $$");
    let notices = session.take_notices();
    assert_eq!((notices[0].message.as_str(), notices[0].hint.as_str(), notices.len()), ("told", "why", 1));
    run(&mut session, "do $$ begin for n in 1..40 loop raise notice '%', n; end loop; end $$");
    assert_eq!(session.take_notices().len(), 16);
}

#[test]
fn rows_are_copied_in_and_a_copy_can_be_given_up() {
    let server = Server::shared();
    let mut session = server.session();
    run(&mut session, "create temporary table loaded (number integer, name text)");
    let copy_in = |session: &mut Session| {
        session.query("copy loaded from stdin");
        assert!(matches!(session.receive(&mut ThreadWait), Ok(Message::CopyIn)));
    };
    copy_in(&mut session);
    for number in 0..20_000 {
        session.copy_data(format!("{number}\tname {number}\n").as_bytes());
    }
    session.copy_done();
    assert_eq!(answers(&mut session), ["COPY 20000"]);
    copy_in(&mut session);
    session.copy_data(b"1\tlost\n");
    session.copy_fail("given up");
    assert_eq!(answers(&mut session), ["error 57014"]);
    copy_in(&mut session);
    session.copy_data(b"one\twrong\n");
    session.copy_done();
    assert_eq!(answers(&mut session), ["error 22P02"]);
    assert_eq!(value(&mut session, "select count(*) from loaded"), "20000");
}

#[test]
fn neither_side_waits_for_the_other_to_read() {
    const COUNT: usize = 20_000;
    let server = Server::shared();
    let mut session = server.session();
    let text = [b'x'; 2000];
    session.parse("s", "select $1::text", &[]);
    for _ in 0..COUNT {
        bind(&mut session, "", "s", &[Some(&text)]);
        session.execute("", 0);
    }
    session.sync();
    session.set_deadline(Some(Instant::now() + Duration::from_secs(60)));
    assert_eq!(answers(&mut session).len(), 2 * COUNT);
}

#[test]
fn a_row_may_be_larger_than_the_buffers() {
    let server = Server::shared();
    let mut session = server.session();
    session.query("select repeat('y', 6000000 * n) from generate_series(1, 4) n union all select 'small'");
    let mut lengths = Vec::new();
    loop {
        match session.receive(&mut ThreadWait).unwrap() {
            Message::DataRow(row) => lengths.push(row.columns().next().unwrap().unwrap().len()),
            Message::ReadyForQuery(_) => break,
            _ => {}
        }
    }
    assert_eq!(lengths, [6_000_000, 12_000_000, 18_000_000, 24_000_000, 5]);
    assert_eq!(value(&mut session, "select 1"), "1");
}

#[test]
fn a_message_over_the_limit_breaks_the_session() {
    let server = Server::shared();
    let mut session = server.session();
    // A row message: length, count of columns, length of the column.
    session.set_message_bytes_max(1000 + 4 + 2 + 4);
    assert_eq!(value(&mut session, "select repeat('z', 1000)").len(), 1000);
    session.query("select repeat('z', 1001)");
    let broken = loop {
        if let Err(broken) = session.receive(&mut ThreadWait) {
            break broken;
        }
    };
    assert!(matches!(broken, Broken::Protocol(what) if what.contains("limit")), "{broken:?}");
    assert_eq!(session.receive(&mut ThreadWait).unwrap_err(), broken);
    assert_eq!(session.send().unwrap_err(), broken);
}

#[test]
fn another_thread_cancels_a_statement() {
    let server = Server::shared();
    let mut session = server.session();
    let token = session.cancel_token().unwrap();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        token.cancel(&mut ThreadWait).unwrap();
    });
    session.query("select pg_sleep(60)");
    assert_eq!(answers(&mut session).last().map(String::as_str), Some("error 57014"));
    canceller.join().unwrap();
    assert_eq!(value(&mut session, "select 3"), "3");
}

#[test]
fn a_deadline_breaks_the_session() {
    let server = Server::shared();
    let mut session = server.session();
    session.set_deadline(Some(Instant::now() + Duration::from_millis(100)));
    session.query("select pg_sleep(60)");
    assert_eq!(session.receive(&mut ThreadWait).unwrap_err(), Broken::Wait(Interrupted::TimedOut));
    assert_eq!(session.receive(&mut ThreadWait).unwrap_err(), Broken::Wait(Interrupted::TimedOut));
}

#[test]
fn a_session_that_the_server_ends_tells_why() {
    let server = Server::shared();
    let (mut session, mut other) = (server.session(), server.session());
    let process = value(&mut session, "select pg_backend_pid()");
    run(&mut other, &format!("select pg_terminate_backend({process}, 5000)"));
    // The server no longer reads; what it said before is still told.
    session.query("select 1");
    let message = session.receive(&mut ThreadWait).unwrap();
    assert!(matches!(&message, Message::Error(error) if error.code == "57P01"), "{message:?}");
    let broken = session.receive(&mut ThreadWait).unwrap_err();
    assert!(matches!(&broken, Broken::Ended(error) if error.is_fatal()), "{broken:?}");
}

#[test]
fn a_server_that_dies_breaks_the_session() {
    let server = Server::shared();
    let mut session = server.session();
    let process = value(&mut session, "select pg_backend_pid()");
    let mut other = server.session();
    session.query("select pg_sleep(60)");
    session.send().unwrap();
    run(&mut other, &format!("select pg_terminate_backend({process}, 5000)"));
    let mut last = None;
    let broken = loop {
        match session.receive(&mut ThreadWait) {
            Ok(message) => last = Some(format!("{message:?}")),
            Err(broken) => break broken,
        }
    };
    assert!(matches!(broken, Broken::Ended(_)), "{broken:?} after {last:?}");
}

#[test]
fn values_have_the_servers_binary_form() {
    let server = Server::shared();
    let mut session = server.session();
    let text =
        "select true, '1970-01-01'::date, '23:59:59.5'::time, '2000-01-02 00:00:01'::timestamp, (-2)::int2, 1.5::float4, 'infinity'::date";
    session.parse("", text, &[]);
    bind(&mut session, "", "", &[]);
    session.execute("", 0);
    session.sync();
    let mut found = Vec::new();
    loop {
        match session.receive(&mut ThreadWait).unwrap() {
            Message::DataRow(row) => found = row.columns().map(|value| value.unwrap().to_vec()).collect(),
            Message::ReadyForQuery(_) => break,
            _ => {}
        }
    }
    const DAY_MICROSECONDS: i64 = 86_400_000_000;
    assert_eq!(binary::decode_bool(&found[0]), Some(true));
    assert_eq!(binary::decode_date(&found[1]), Some(-binary::DAYS_TO_2000));
    assert_eq!(binary::decode_time(&found[2]), Some(DAY_MICROSECONDS - 500_000));
    assert_eq!(binary::decode_timestamp(&found[3]), Some(DAY_MICROSECONDS + 1_000_000));
    assert_eq!(binary::decode_i16(&found[4]), Some(-2));
    assert_eq!(binary::decode_f32(&found[5]), Some(1.5));
    assert_eq!(binary::decode_date(&found[6]), Some(i32::MAX));
}

/// A numeric of the server, in binary.
fn numeric(session: &mut Session, text: &str) -> Option<binary::Numeric> {
    session.parse("", &format!("select {text}::numeric"), &[]);
    bind(session, "", "", &[]);
    session.execute("", 0);
    session.sync();
    let mut found = None;
    loop {
        match session.receive(&mut ThreadWait).unwrap() {
            Message::DataRow(row) => found = row.columns().next().flatten().and_then(binary::decode_numeric),
            Message::ReadyForQuery(_) => return found,
            Message::Error(error) => panic!("{text}: {error}"),
            _ => {}
        }
    }
}

#[test]
fn numerics_are_those_of_the_server() {
    let server = Server::shared();
    let mut session = server.session();
    session.parse("numeric", "select $1::numeric::text", &[oid::NUMERIC]);
    let mut random = 0x9E37_79B9_7F4A_7C15u64;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        random >> 11
    };
    for round in 0..300u32 {
        let digits = next() % 39;
        let mut coefficient = (0..digits).fold(0i128, |value, _| value * 10 + i128::from(next() % 10 * (next() % 2)));
        if round % 2 == 1 {
            coefficient = -coefficient;
        }
        let scale = (next() % 40) as u16;
        let mut bytes = Vec::new();
        binary::encode_numeric(coefficient, scale, &mut bytes);
        bind(&mut session, "", "numeric", &[Some(&bytes)]);
        session.execute("", 0);
        session.sync();
        let text = written(coefficient, usize::from(scale));
        assert_eq!(answers(&mut session)[0], format!("[Some({:?})]", text.as_bytes()), "{text}");
        assert_eq!(numeric(&mut session, &format!("'{text}'")), Some(binary::Numeric::Decimal { coefficient, scale }), "{text}");
    }
    assert_eq!(numeric(&mut session, "'NaN'"), Some(binary::Numeric::NotANumber));
    assert_eq!(numeric(&mut session, "'-Infinity'"), Some(binary::Numeric::Infinity { negative: true }));
    assert!(matches!(numeric(&mut session, "-1e60"), Some(binary::Numeric::Large { negative: true, .. })));
}

/// The number in decimal, by its digits alone.
fn written(coefficient: i128, scale: usize) -> String {
    let digits = format!("{:0>width$}", coefficient.unsigned_abs(), width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let sign = if coefficient < 0 { "-" } else { "" };
    match scale {
        0 => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{fraction}"),
    }
}
