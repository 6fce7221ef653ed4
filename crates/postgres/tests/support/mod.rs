//! A private cluster that the tests of a file share, and the answers of a session in words.
#![allow(dead_code, reason = "not every test uses all of it")]

pub mod tcp;

use postgres::cluster::PrivateCluster;
use postgres::{Message, Session, ThreadWait};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, Weak};

pub const CONNECTIONS_MAX: u32 = 12;

pub struct Server {
    pub cluster: PrivateCluster,
    pub directory: tempfile::TempDir,
}

impl Server {
    pub fn start() -> Server {
        let directory = tempfile::tempdir().unwrap();
        let cluster = PrivateCluster::open(&directory.path().join("database"), CONNECTIONS_MAX).unwrap();
        Server { cluster, directory }
    }

    /// The server of this process. It ends with the last test that uses it.
    pub fn shared() -> Arc<Server> {
        static SHARED: Mutex<Weak<Server>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        shared.upgrade().unwrap_or_else(|| {
            let server = Arc::new(Server::start());
            *shared = Arc::downgrade(&server);
            server
        })
    }

    pub fn session(&self) -> Session {
        Session::connect(&self.cluster.owner_config(), &mut ThreadWait).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.cluster.stop();
    }
}

/// Binds values that are in their binary form.
pub fn bind(session: &mut Session, portal: &str, statement: &str, values: &[Option<&[u8]>]) {
    let Ok(()) = session.bind(portal, statement, values.len(), |number, out| {
        if let Some(value) = values[number] {
            out.extend_from_slice(value);
        }
        Ok::<bool, Infallible>(values[number].is_some())
    });
}

/// The messages up to ReadyForQuery, each in a word; rows as their bytes.
pub fn answers(session: &mut Session) -> Vec<String> {
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

/// Runs statements, which must succeed.
pub fn run(session: &mut Session, text: &str) {
    session.query(text);
    let answers = answers(session);
    assert!(answers.iter().all(|answer| !answer.starts_with("error")), "{text}: {answers:?}");
}

/// The first value of the first row, as text.
pub fn value(session: &mut Session, text: &str) -> String {
    let mut found = String::new();
    session.query(text);
    loop {
        match session.receive(&mut ThreadWait).unwrap() {
            Message::ReadyForQuery(_) => return found,
            Message::Error(error) => panic!("{text}: {error}"),
            Message::DataRow(row) => found = String::from_utf8(row.columns().next().unwrap().unwrap().to_vec()).unwrap(),
            _ => {}
        }
    }
}
