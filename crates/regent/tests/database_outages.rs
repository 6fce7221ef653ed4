//! Databases that come late, stall or go, as the user of `regent up`, `compile` and `sql` sees it.

mod support;

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use postgres::cluster::PrivateCluster;
use postgres::{Message, Session, ThreadWait};
use support::application::Application;
use support::terminal::Terminal;
use support::{Region, regent};

/// A transaction that adds a row and shows the SQLCODE and the number of rows.
const PROGRAM: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. ADDTOWN.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  WS-COUNT            PIC S9(9) COMP VALUE 0.
       01  WS-LINE.
           05  FILLER          PIC X(5) VALUE 'CODE '.
           05  WS-CODE         PIC -999.
           05  FILLER          PIC X(7) VALUE ' COUNT '.
           05  WS-ROWS         PIC 999.
       PROCEDURE DIVISION.
           EXEC SQL INSERT INTO TOWN (NAME) VALUES ('OSLO') END-EXEC
           MOVE SQLCODE TO WS-CODE
           EXEC SQL SELECT COUNT(*) INTO :WS-COUNT FROM TOWN END-EXEC
           MOVE WS-COUNT TO WS-ROWS
           EXEC CICS SEND TEXT FROM(WS-LINE) LENGTH(19) ERASE FREEKB
           END-EXEC
           EXEC CICS RETURN END-EXEC.
";
const DEFINITIONS: &str = "DEFINE TRANSACTION(TOWN) GROUP(TOWN) PROGRAM(ADDTOWN)
DEFINE PROGRAM(ADDTOWN) GROUP(TOWN)
";
const TABLE: &str = "CREATE TABLE TOWN (NAME CHAR(10));\n";

fn application() -> Application {
    let application = Application::new();
    application.write("ADDTOWN.cbl", PROGRAM);
    application.write("town.csd", DEFINITIONS);
    application.write("town.ddl", TABLE);
    application
}

/// A server of the test's own, which an application reaches as a named one.
struct Server {
    directory: tempfile::TempDir,
    cluster: PrivateCluster,
}

impl Server {
    fn start() -> Server {
        let directory = tempfile::tempdir().unwrap();
        let cluster = PrivateCluster::open(&directory.path().join("database"), 40).unwrap();
        Server { directory, cluster }
    }

    fn place(&self) -> PathBuf {
        self.directory.path().join("database")
    }

    /// `[database]` that names it, or what listens in its place.
    fn configuration(&self, host: &str, port: u16) -> String {
        let passwords = self.place().join("passwords").display().to_string();
        format!(
            "[database]\nurl = \"host={host} port={port} user=regent_application dbname=regent passfile={passwords}\"\nschema = \"PUBLIC\"\n"
        )
    }

    fn session(&self) -> Session {
        Session::connect(&self.cluster.config(), &mut ThreadWait).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.cluster.stop();
    }
}

/// The first column of the last row.
fn value(session: &mut Session, text: &str) -> Option<String> {
    session.query(text);
    let mut value = None;
    let done = session.finish(&mut ThreadWait, |message| {
        if let Message::DataRow(row) = message {
            value = row.columns().next().flatten().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        }
    });
    done.unwrap_or_else(|failure| panic!("{text}: {failure}"));
    value
}

/// Passes connections on to a server's socket, but for those whose numbers, from 1, are refused.
fn listen(port: u16, socket: PathBuf, refused: &'static [usize]) {
    let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().map_while(Result::ok).enumerate() {
            if refused.contains(&(number + 1)) {
                continue;
            }
            let Ok(server) = UnixStream::connect(&socket) else { continue };
            let (stream_again, server_again) = (stream.try_clone().unwrap(), server.try_clone().unwrap());
            std::thread::spawn(move || {
                pass(stream_again, server_again.try_clone().unwrap());
                let _ = server_again.shutdown(Shutdown::Both);
            });
            std::thread::spawn(move || {
                pass(server, stream.try_clone().unwrap());
                let _ = stream.shutdown(Shutdown::Both);
            });
        }
    });
}

fn pass(mut from: impl Read, mut to: impl Write) {
    let mut buffer = [0; 8192];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Runs the transaction; the line that it shows, or the message of its abend.
fn add_town(port: u16) -> String {
    let mut terminal = Terminal::connect(port);
    terminal.transaction("TOWN");
    terminal.expect_one_of(&["CODE", "DFHAC2206"], Duration::from_secs(30));
    let screen = terminal.text();
    screen.iter().find(|line| line.contains("CODE") || line.contains("DFHAC2206")).expect("one of them").trim().to_string()
}

fn kill(signal: &str, processes: &[u32]) {
    let sent = Command::new("kill").arg(signal).args(processes.iter().map(u32::to_string)).status();
    assert!(sent.is_ok_and(|status| status.success()));
}

/// The process of the private server.
fn server_of(data: &Path) -> Option<u32> {
    let text = std::fs::read_to_string(data.join("database/data/postmaster.pid")).ok()?;
    text.lines().next()?.parse().ok()
}

fn is_running(process: u32) -> bool {
    Path::new("/proc").join(process.to_string()).exists()
}

#[test]
fn a_server_that_comes_late_is_prepared_when_it_answers() {
    let (server, application) = (Server::start(), application());
    server.cluster.stop().unwrap();
    application.write("regent.toml", &server.configuration(&server.place().display().to_string(), 5432));
    let mut region = Region::start(application.path(), application.data(), &[]);
    assert!(region.output.iter().any(|line| line.contains("the database is not there")), "{:#?}", region.output);
    assert_eq!(add_town(region.port), "CODE -923 COUNT 000");
    let again = PrivateCluster::open(&server.place(), 40).unwrap();
    assert!(region.wait_for(|line| line.contains("DFHDB2023"), Duration::from_secs(60)), "{:#?}", region.output);
    assert_eq!(add_town(region.port), "CODE  000 COUNT 001");
    assert_eq!(region.stop(), 0);
    assert!(again.process().is_some(), "a named server is not the region's to end");
}

#[test]
fn a_server_that_refuses_a_session_of_the_start_is_awaited() {
    // The second session runs the scripts, the third checks the programs.
    for refused in [&[2], &[3]] {
        let (server, application, port) = (Server::start(), application(), free_port());
        listen(port, PathBuf::from(server.cluster.config().socket_path()), refused);
        application.write("regent.toml", &server.configuration("127.0.0.1", port));
        let mut region = Region::start(application.path(), application.data(), &[]);
        assert!(region.output.iter().any(|line| line.contains("the database is not there any more")), "{:#?}", region.output);
        assert!(region.wait_for(|line| line.contains("DFHDB2023"), Duration::from_secs(60)), "{:#?}", region.output);
        assert_eq!(add_town(region.port), "CODE  000 COUNT 001");
        assert_eq!(region.stop(), 0);
    }
}

#[test]
fn a_region_that_prepares_a_late_database_ends_at_once() {
    let (server, application, port) = (Server::start(), application(), free_port());
    application.write("regent.toml", &server.configuration("127.0.0.1", port));
    application.write("town.ddl", "CREATE INDEX TOWNX ON TOWN (NAME);\n");
    let mut session = server.session();
    value(&mut session, "create table public.town (name char(10))");
    value(&mut session, "begin; lock table public.town");
    let region = Region::start(application.path(), application.data(), &[]);
    listen(port, PathBuf::from(server.cluster.config().socket_path()), &[]);
    let waiting = "select count(*) from pg_locks where not granted";
    let mut other = server.session();
    testing::eventually("a script waits for the table", || value(&mut other, waiting).as_deref() == Some("1"));
    let begun = Instant::now();
    assert_eq!(region.stop(), 0);
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

#[test]
fn the_compiler_does_not_wait_for_a_server_that_stalls() {
    let (server, application) = (Server::start(), application());
    application.write("regent.toml", &server.configuration(&server.place().display().to_string(), 5432));
    let mut session = server.session();
    value(&mut session, "create table public.town (name char(10))");
    value(&mut session, "begin; lock table public.town");
    let compiled = regent().args(["compile", "--app"]).arg(application.path()).output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&compiled.stdout), String::from_utf8_lossy(&compiled.stderr));
    assert!(compiled.status.success() && text.contains("static SQL was not checked to the end"), "{text}");
}

#[test]
fn a_private_server_that_cannot_be_used_is_not_left_running() {
    let application = Application::new();
    application.write("town.ddl", TABLE);
    application.write("regent.toml", "[database]\n");
    let data = application.data();
    let region = Region::start(application.path(), data, &[]);
    let process = server_of(data).expect("the private server runs");
    assert_eq!(region.stop(), 0);
    assert!(!is_running(process));
    let cluster = PrivateCluster::open(&data.join("database"), 40).unwrap();
    let mut session = Session::connect(&cluster.owner_config(), &mut ThreadWait).unwrap();
    value(&mut session, "drop table db2.version; create view db2.version as select 0 as version");
    cluster.stop().unwrap();
    let output = regent().arg("sql").arg(application.path()).arg("--data").arg(data).args(["--", "SELECT * FROM TOWN"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && text.contains("schema db2 cannot be installed"), "{text}");
    assert_eq!(cluster.process(), None);
}

#[test]
fn operators_may_write_the_commands_of_the_attachment_out() {
    let application = application();
    let region = Region::start(application.path(), application.data(), &[]);
    assert_eq!(add_town(region.port), "CODE  000 COUNT 001");
    let mut terminal = Terminal::connect(region.port);
    for (command, answer) in [
        ("DSNC DISPLAY STATISTICS", "2-PH"),
        ("DSNC DISCONNECT ADDTOWN", "1 threads of plan ADDTOWN were terminated"),
        ("DSNC MODIFY DESTINATION CDB2 CDB3", "Messages go to CDB3 instead of CDB2"),
        ("DSNC MODIFY TRANSACTION TOWN 7", "THREADLIMIT of *POOL is 7"),
        // CICS has no other word than STRT.
        ("DSNC START", "DSNC STRT, STOP, DISPLAY, DISCONNECT or MODIFY is expected"),
        ("DSNC STOP QUIESCE", "The CICS-Db2 attachment is disconnected"),
        ("DSNC STRT", "The CICS-Db2 attachment is connected to DB2"),
        ("DSNC STOP FORCE", "The CICS-Db2 attachment is disconnected"),
        ("DSNC STRT", "The CICS-Db2 attachment is connected to DB2"),
    ] {
        terminal.transaction(command);
        terminal.expect(answer);
    }
    assert_eq!(add_town(region.port), "CODE  000 COUNT 002");
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_region_killed_with_its_server_finds_what_was_committed() {
    let application = application();
    let region = Region::start(application.path(), application.data(), &[]);
    assert_eq!(add_town(region.port), "CODE  000 COUNT 001");
    let (server, own) = (server_of(application.data()).expect("it runs"), region.id());
    kill("-KILL", &[own, server]);
    region.kill();
    let region = Region::start(application.path(), application.data(), &[]);
    assert!(region.output.iter().any(|line| line == "ready"), "{:#?}", region.output);
    assert_eq!(add_town(region.port), "CODE  000 COUNT 002");
    assert_eq!(region.stop(), 0);
    assert_eq!(server_of(application.data()), None);
}

#[test]
fn a_private_server_that_is_killed_comes_back_under_its_region() {
    let application = application();
    let region = Region::start(application.path(), application.data(), &[]);
    assert_eq!(add_town(region.port), "CODE  000 COUNT 001");
    let first = server_of(application.data()).expect("it runs");
    kill("-KILL", &[first]);
    testing::eventually("the server has ended", || !is_running(first));
    // The first statement finds the session lost, so its unit of work cannot commit; then the attachment starts the server again.
    testing::eventually("statements work again", || {
        let line = add_town(region.port);
        assert!(line.starts_with("CODE -923") || line.contains("abend ASP3") || line == "CODE  000 COUNT 002", "{line}");
        line.ends_with("002")
    });
    let second = server_of(application.data()).expect("it runs again");
    assert_ne!(first, second);
    assert_eq!(region.stop(), 0);
    assert!(!is_running(second));
}
