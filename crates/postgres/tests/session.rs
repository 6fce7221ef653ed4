//! Sessions with a real server, in a private cluster made for the test.

use postgres::cluster::PrivateCluster;
use postgres::{Broken, Message, Session, Target, ThreadWait, TransactionStatus, binary, oid};

struct Server {
    cluster: PrivateCluster,
    _directory: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.cluster.stop();
    }
}

fn server() -> Server {
    let directory = tempfile::tempdir().unwrap();
    let cluster = PrivateCluster::open(&directory.path().join("database"), 10).unwrap();
    Server { cluster, _directory: directory }
}

/// The messages up to ReadyForQuery, each in a word; rows as their bytes.
fn answers(session: &mut Session) -> Vec<String> {
    let mut answers = Vec::new();
    loop {
        match session.receive(&mut ThreadWait).unwrap() {
            Message::ReadyForQuery(_) => return answers,
            Message::DataRow(row) => answers.push(format!("{:?}", row.columns().collect::<Vec<_>>())),
            Message::CommandComplete(tag) => answers.push(tag.to_string()),
            Message::Error(error) => answers.push(format!("error {}", error.code)),
            Message::RowDescription(description) => {
                answers.push(description.columns().map(|column| format!("{}:{}", column.name, column.data_type)).collect());
            }
            Message::ParameterDescription(parameters) => answers.push(format!("{:?}", parameters.types().collect::<Vec<_>>())),
            Message::Suspended => answers.push("suspended".to_string()),
            _ => {}
        }
    }
}

#[test]
fn a_pipeline_is_one_round_trip() {
    let server = server();
    let mut session = Session::connect(&server.cluster.config(), &mut ThreadWait).unwrap();
    let before = session.round_trips();
    session.parse("s", "select $1 + 1 as n", &[oid::INT4]);
    session.describe(Target::Statement, "s");
    for value in [1i32, 41] {
        session
            .bind("", "s", 1, |_, out| {
                Ok::<bool, ()>({
                    out.extend_from_slice(&value.to_be_bytes());
                    true
                })
            })
            .unwrap();
        session.execute("", 0);
    }
    session.sync();
    let expected = [
        format!("[{}]", oid::INT4),
        format!("n:{}", oid::INT4),
        "[Some([0, 0, 0, 2])]".to_string(),
        "SELECT 1".to_string(),
        "[Some([0, 0, 0, 42])]".to_string(),
        "SELECT 1".to_string(),
    ];
    assert_eq!(answers(&mut session), expected);
    assert_eq!(session.round_trips(), before + 1);
    assert_eq!(session.parameter("server_encoding"), Some("UTF8"));
}

#[test]
fn a_portal_gives_rows_in_blocks_and_an_error_ends_the_pipeline() {
    let server = server();
    let mut session = Session::connect(&server.cluster.config(), &mut ThreadWait).unwrap();
    session.query("begin");
    answers(&mut session);
    session.parse("", "select generate_series(1, 3)", &[]);
    session.bind("p", "", 0, |_, _| Ok::<bool, ()>(true)).unwrap();
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
fn numerics_are_those_of_the_server() {
    let server = server();
    let mut session = Session::connect(&server.cluster.config(), &mut ThreadWait).unwrap();
    for (text, coefficient, scale) in
        [("0.00", 0i128, 2u16), ("-12345678901234567890.123456789", -12345678901234567890123456789, 9), ("10000", 10000, 0)]
    {
        session.parse("", "select $1::numeric::text", &[oid::NUMERIC]);
        session
            .bind("", "", 1, |_, out| {
                Ok::<bool, ()>({
                    binary::encode_numeric(coefficient, scale, out);
                    true
                })
            })
            .unwrap();
        session.execute("", 0);
        session.sync();
        let expected = format!("[Some({:?})]", text.as_bytes());
        assert_eq!(answers(&mut session)[0], expected, "{text}");
        session.parse("", &format!("select {text}::numeric"), &[]);
        session.bind("", "", 0, |_, _| Ok::<bool, ()>(true)).unwrap();
        session.execute("", 0);
        session.sync();
        let mut found = None;
        loop {
            match session.receive(&mut ThreadWait).unwrap() {
                Message::DataRow(row) => found = row.columns().next().flatten().and_then(binary::decode_numeric),
                Message::ReadyForQuery(_) => break,
                _ => {}
            }
        }
        assert_eq!(found, Some(binary::Numeric::Decimal { coefficient, scale }), "{text}");
    }
}

#[test]
fn a_server_that_ends_breaks_its_sessions_and_is_found_again() {
    let server = server();
    let mut session = Session::connect(&server.cluster.config(), &mut ThreadWait).unwrap();
    server.cluster.stop().unwrap();
    session.query("select 1");
    let broken = loop {
        if let Err(broken) = session.receive(&mut ThreadWait) {
            break broken;
        }
    };
    assert!(matches!(broken, Broken::Ended(_) | Broken::Closed), "{broken:?}");
    assert!(session.receive(&mut ThreadWait).is_err());
    let directory = server._directory.path().join("database");
    let again = PrivateCluster::open(&directory, 10).unwrap();
    assert!(!again.adopted);
    let second = PrivateCluster::open(&directory, 10).unwrap();
    assert!(second.adopted);
    assert_eq!(again.process(), second.process());
}
