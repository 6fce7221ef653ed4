//! CONNECT, SET CONNECTION and RELEASE; statements, cursors and units of work of several databases.

use crate::program::{Made, Program, change, cursor, define, fetch, open, plain, select, statement};
use db2::{BindOptions, CommitFailure, Location, Locations, NoLocation, Report, Rules, UnitOfWorkMarker, prepared};
use postgres::{Session, ThreadWait};
use sql::{Action, Orientation, Text};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

const TABLE: &str = "CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t VALUES (1, 0);";

/// The locations of a program, and the names of its units of work.
struct Others {
    all: Vec<Arc<Location>>,
    region: String,
    origin: String,
    units: AtomicU64,
    reports: Mutex<Vec<Report>>,
}

impl Locations for Others {
    fn find(&self, name: &str) -> Result<Arc<Location>, NoLocation> {
        if name == "SLEEPING" {
            return Err(NoLocation::Unavailable("it is being opened".to_string()));
        }
        self.all.iter().find(|location| location.name == name).cloned().ok_or(NoLocation::Unknown)
    }

    fn next_unit(&self) -> Option<UnitOfWorkMarker> {
        let unit = self.units.fetch_add(1, Ordering::Relaxed);
        Some(UnitOfWorkMarker { region: self.region.clone(), unit, origin: self.origin.clone() })
    }

    fn unit_ended(&self, report: &Report) {
        self.reports.lock().unwrap().push(report.clone());
    }
}

/// A program with the table in the local database and at two locations.
fn program() -> (Program, Arc<Others>) {
    let mut program = Program::new(TABLE);
    let schema = program.schema.clone();
    let location = |name: &str, config: postgres::Config| {
        let bind = BindOptions { location: name.to_string(), qualifier: schema.clone(), ..BindOptions::DEFAULT };
        Arc::new(Location { name: name.to_string(), config, bind: bind.into() })
    };
    let second = program.further("second", TABLE);
    let third = program.further("third", TABLE);
    let closed = postgres::Config { host: "/nowhere".to_string(), ..third.clone() };
    let missing = postgres::Config { database: "no_such_database".to_string(), ..third.clone() };
    let all = vec![location("SECOND", second), location("THIRD", third), location("CLOSED", closed), location("MISSING", missing)];
    let (region, origin) = (format!("batch-{schema}"), program.origin());
    let others = Arc::new(Others { all, region, origin, units: AtomicU64::new(1), reports: Mutex::default() });
    program.locations = others.clone();
    (program, others)
}

fn connect(server: &str) -> Made {
    plain(Action::Connect { server: Some(Text::Literal(server.to_string())), user: None, password: None })
}

fn set_connection(server: &str) -> Made {
    plain(Action::SetConnection { server: Text::Literal(server.to_string()) })
}

fn release(server: &str) -> Made {
    plain(Action::ReleaseConnection { server: Text::Literal(server.to_string()) })
}

fn commit() -> Made {
    plain(Action::Commit)
}

fn add(amount: i32) -> Made {
    change(&format!("UPDATE t SET v = v + {amount}"), &[])
}

/// The amount in the table of each database, as others see it.
fn amounts(program: &Program, others: &Others) -> [String; 3] {
    let at = |location: Option<usize>| {
        let mut observer = program.another();
        observer.locations = program.locations.clone();
        if let Some(index) = location {
            observer.ok(&connect(&others.all[index].name));
        }
        observer.query("SELECT v FROM t WHERE id = 1")
    };
    [at(None), at(Some(0)), at(Some(1))]
}

/// The parts that the locations hold prepared.
fn parts(others: &Others) -> usize {
    let listed = others.all[..2].iter().map(|location| {
        let mut session = Session::connect(&location.config, &mut ThreadWait).unwrap();
        prepared::list(&mut session, &others.origin, Some(&others.region)).unwrap().len()
    });
    listed.sum()
}

#[test]
fn statements_go_to_the_current_connection() {
    let (mut program, others) = program();
    program.ok(&plain(Action::Connect { server: None, user: None, password: None }));
    assert_eq!(program.module(), "DSN12015");
    program.ok(&connect("REGENTDB"));
    program.ok(&add(1));
    program.ok(&connect("SECOND"));
    assert_eq!((program.module().as_str(), program.query("SELECT db2.register('CURRENT SERVER')").as_str()), ("DSN12015", "SECOND"));
    program.ok(&add(2));
    let name = program.item(sql::VariableType::Char, 16, 0, 0);
    program.set_text(&name, "THIRD");
    program.ok(&statement(Action::Connect { server: Some(Text::Variable(0)), user: None, password: None }, "", &[&name], &[]));
    program.ok(&add(3));
    program.ok(&connect("SECOND"));
    assert_eq!(program.query("SELECT v FROM t"), "2", "CONNECT to an existing connection makes it current");
    program.ok(&plain(Action::ConnectReset));
    assert_eq!((program.query("SELECT v FROM t"), program.query("SELECT db2.register('CURRENT SERVER')")), ("1".into(), "REGENTDB".into()));
    program.ok(&statement(Action::SetConnection { server: Text::Variable(0) }, "", &[&name], &[]));
    assert_eq!(program.query("SELECT v FROM t"), "3");
    assert_eq!(amounts(&program, &others), ["0", "0", "0"]);
    program.ok(&commit());
    assert_eq!((amounts(&program, &others), parts(&others)), (["1".into(), "2".into(), "3".into()], 0));
    assert_eq!(program.query("SELECT v FROM t"), "3", "connections outlive the commit");
    let report = others.reports.lock().unwrap().pop().unwrap();
    assert!(report.is_marked && report.unresolved.is_empty() && report.refusal.is_none());
}

#[test]
fn connections_that_are_not_there_have_their_codes() {
    let (mut program, _) = program();
    assert_eq!(
        (program.run(&connect("ELSEWHERE")), program.sqlstate(), program.tokens()),
        (-950, "42705".into(), vec!["ELSEWHERE".into()])
    );
    assert_eq!((program.run(&set_connection("SECOND")), program.sqlstate().as_str()), (-843, "08003"));
    assert_eq!(program.run(&release("SECOND")), -843);
    assert_eq!((program.run(&connect("CLOSED")), program.sqlstate().as_str()), (-30081, "08001"));
    assert_eq!(program.run(&connect("SLEEPING")), -30081);
    assert_eq!((program.run(&connect("MISSING")), program.tokens()), (-30061, vec!["MISSING".into()]));
    assert_eq!(program.query("SELECT v FROM t"), "0", "the current connection stays what it was");
}

#[test]
fn a_released_connection_ends_with_the_commit() {
    let (mut program, others) = program();
    program.ok(&connect("SECOND"));
    program.ok(&add(5));
    program.ok(&release("CURRENT"));
    program.ok(&add(1));
    program.ok(&commit());
    assert_eq!((program.run(&add(1)), program.sqlstate().as_str()), (-900, "08003"));
    assert_eq!(program.run(&set_connection("SECOND")), -843);
    program.ok(&plain(Action::Connect { server: None, user: None, password: None }));
    assert_eq!(program.module(), "        ");
    program.ok(&plain(Action::ConnectReset));
    assert_eq!((program.query("SELECT v FROM t"), amounts(&program, &others)[1].as_str()), ("0".into(), "6"));
    program.ok(&connect("SECOND"));
    program.ok(&set_connection("REGENTDB"));
    program.ok(&release("ALL"));
    program.ok(&plain(Action::Rollback));
    assert_eq!(program.query("SELECT v FROM t"), "0", "a rollback ends no connection");
    program.ok(&commit());
    assert_eq!((program.run(&add(1)), program.run(&set_connection("SECOND")), program.run(&release("CURRENT"))), (-900, -843, -900));
    program.ok(&release("ALL"));
    program.ok(&connect("THIRD"));
    program.ok(&add(7));
    program.ok(&commit());
    assert_eq!(amounts(&program, &others)[2], "7");
}

#[test]
fn a_program_may_sign_on_itself_where_there_is_no_connection() {
    let (mut program, others) = program();
    let (user, password) = (program.char(30), program.char(60));
    let config = &others.all[0].config;
    program.set_text(&user, &config.user);
    program.set_text(&password, &config.password().unwrap().unwrap());
    let sign_on = |server: &str, program: &Program| {
        let _ = program;
        let server = Some(Text::Literal(server.to_string()));
        let action = Action::Connect { server, user: Some(Text::Variable(0)), password: Some(Text::Variable(1)) };
        statement(action, "", &[&user, &password], &[])
    };
    let (second, local) = (sign_on("SECOND", &program), sign_on("REGENTDB", &program));
    program.ok(&second);
    program.ok(&add(1));
    assert_eq!((program.run(&second), program.sqlstate().as_str()), (-842, "08002"));
    program.ok(&plain(Action::ConnectReset));
    program.ok(&add(1));
    program.ok(&commit());
    assert_eq!(amounts(&program, &others), ["1", "1", "0"]);
    assert_eq!(program.run(&local), -842);
    program.rules = Rules::Cics;
    assert_eq!(program.run(&local), -30082);
    program.set_text(&password, "wrong");
    let third = sign_on("THIRD", &program);
    assert_eq!((program.run(&third), program.sqlstate().as_str()), (-30082, "08001"));
}

#[test]
fn cursors_belong_to_their_connection() {
    let (mut program, _) = program();
    let value = program.integer();
    program.ok(&add(10));
    program.ok(&open(cursor("C"), "SELECT v FROM t", &[]));
    program.ok(&connect("SECOND"));
    assert_eq!(program.run(&fetch("C", Orientation::Next, &[&value])), -501);
    program.ok(&add(20));
    program.ok(&open(cursor("C"), "SELECT v FROM t", &[]));
    program.ok(&fetch("C", Orientation::Next, &[&value]));
    assert_eq!(program.integer_of(&value), 20);
    program.ok(&plain(Action::ConnectReset));
    program.ok(&fetch("C", Orientation::Next, &[&value]));
    assert_eq!(program.integer_of(&value), 10);
}

#[test]
fn a_location_that_refuses_backs_out_all() {
    let (mut program, others) = program();
    let deferred = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'begin raise exception ''no''; end'; \
         CREATE CONSTRAINT TRIGGER refuse AFTER UPDATE ON t INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()";
    let mut session = Session::connect(&others.all[1].config, &mut ThreadWait).unwrap();
    session.query(&format!("SET search_path TO {}; {deferred}", program.schema));
    session.finish(&mut ThreadWait, |_| {}).unwrap();
    for server in ["REGENTDB", "SECOND", "THIRD"] {
        program.ok(&connect(server));
        program.ok(&add(1));
    }
    assert!(program.run(&commit()) < 0);
    assert_eq!((amounts(&program, &others), parts(&others)), (["0".into(), "0".into(), "0".into()], 0));
    let report = others.reports.lock().unwrap().pop().unwrap();
    let (location, reason) = report.refusal.unwrap();
    assert!(location == "THIRD" && reason.contains("no") && report.unresolved.is_empty(), "{reason}");
    program.ok(&connect("SECOND"));
    program.ok(&add(1));
    program.ok(&commit());
    assert_eq!(amounts(&program, &others)[1], "1", "one database is committed in one phase");
}

#[test]
fn temporary_tables_and_held_cursors_cannot_be_prepared() {
    let (mut program, others) = program();
    program.ok(&add(1));
    program.ok(&connect("SECOND"));
    program.ok(&add(1));
    program.ok(&open(sql::Cursor { with_hold: true, ..cursor("H") }, "SELECT n FROM generate_series(1, 1000) AS n", &[]));
    assert!(program.run(&commit()) < 0);
    let (location, reason) = others.reports.lock().unwrap().pop().unwrap().refusal.unwrap();
    assert!(location == "SECOND" && reason.contains("WITH HOLD"), "{reason}");
    program.ok(&add(1));
    program.ok(&define("CREATE TEMPORARY TABLE mine (n int)"));
    program.ok(&plain(Action::ConnectReset));
    program.ok(&add(1));
    assert!(program.run(&commit()) < 0);
    let (_, reason) = others.reports.lock().unwrap().pop().unwrap().refusal.unwrap();
    assert!(reason.contains("temporary"), "{reason}");
    assert_eq!(amounts(&program, &others), ["0", "0", "0"]);
    // A held cursor whose rows have all come is not in the way, nor one that was closed.
    program.ok(&add(1));
    program.ok(&connect("THIRD"));
    program.ok(&add(1));
    program.ok(&open(sql::Cursor { with_hold: true, ..cursor("H") }, "SELECT v FROM t", &[]));
    program.ok(&commit());
    assert_eq!(amounts(&program, &others), ["1", "0", "1"]);
}

#[test]
fn a_connection_that_is_lost_with_changes_leaves_only_the_rollback() {
    let (mut program, others) = program();
    program.ok(&add(1));
    program.ok(&connect("SECOND"));
    program.ok(&add(1));
    let end = select("SELECT pg_terminate_backend(pg_backend_pid())::int", &[], &[]);
    assert_eq!(program.run(&end), -30081);
    assert!(!program.thread.is_broken() && program.thread.has_changed());
    assert_eq!((program.run(&commit()), program.run(&connect("THIRD")), program.sqlstate().as_str()), (-918, -918, "51021"));
    program.ok(&plain(Action::Rollback));
    assert_eq!(program.run(&add(1)), -900);
    program.ok(&connect("SECOND"));
    assert_eq!((program.query("SELECT v FROM t"), amounts(&program, &others)), ("0".into(), ["0".into(), "0".into(), "0".into()]));
    // One that has only read is gone, and that is all.
    program.ok(&plain(Action::ConnectReset));
    program.ok(&add(1));
    program.ok(&connect("SECOND"));
    assert_eq!(program.run(&end), -30081);
    assert_eq!(program.run(&add(1)), -900);
    program.ok(&commit());
    assert_eq!(amounts(&program, &others)[0], "1");
}

#[test]
fn the_local_database_decides_with_a_row_even_if_it_changed_nothing() {
    let (mut program, others) = program();
    program.ok(&connect("SECOND"));
    program.ok(&add(1));
    let marker = UnitOfWorkMarker { region: "REGION1".to_string(), unit: 77, origin: others.origin.clone() };
    assert!(program.thread.has_parts(true) && !program.thread.has_parts(false));
    program.thread.commit(Some(&marker), &mut ThreadWait).expect("committed");
    let rows =
        "SELECT string_agg(outcome || array_to_string(locations, ','), '') FROM db2.units_of_work WHERE region = 'REGION1' AND unit = 77";
    assert_eq!(program.another().query(rows), "CSECOND");
    program.ok(&add(1));
    // The row is there already: the local database refuses, and the part is rolled back.
    assert!(matches!(program.thread.commit(Some(&marker), &mut ThreadWait), Err(CommitFailure::BackedOut(_))));
    assert_eq!((amounts(&program, &others)[1].as_str(), parts(&others)), ("1", 0));
    program.thread.reset().expect("ready for another user");
    assert_eq!((program.run(&set_connection("SECOND")), program.query("SELECT v FROM t")), (-843, "0".to_string()));
    program.ok(&connect("SECOND"));
    assert_eq!(program.query("SELECT v FROM t"), "1");
}

#[test]
fn parts_left_behind_are_ended_as_the_row_says() {
    let (program, others) = program();
    let mut local = Session::connect(&program.further("fourth", "SELECT 1"), &mut ThreadWait).unwrap();
    let mut remote = Session::connect(&others.all[0].config, &mut ThreadWait).unwrap();
    let origin = prepared::origin(&mut local).unwrap();
    assert_ne!(origin, others.origin, "each database has an identity of its own");
    let marker = |unit| UnitOfWorkMarker { region: "REGION.X".to_string(), unit, origin: origin.clone() };
    let run = |session: &mut Session, text: &str| {
        session.query(text);
        session.finish(&mut ThreadWait, |_| {}).unwrap_or_else(|failure| panic!("{text}: {failure}"));
    };
    let table = format!("{}.t", program.schema);
    for unit in [5, 6] {
        run(&mut remote, &format!("BEGIN; INSERT INTO {table} VALUES ({unit}, 0); PREPARE TRANSACTION '{}'", marker(unit).part("SECOND")));
    }
    run(&mut local, &marker(5).statement(&["SECOND".to_string()]));
    assert!(prepared::list(&mut remote, &others.origin, Some("REGION.X")).unwrap().is_empty(), "the parts of another database");
    assert!(prepared::list(&mut remote, &origin, Some("REGION")).unwrap().is_empty(), "the parts of another region");
    let found = prepared::list(&mut remote, &origin, Some("REGION.X")).unwrap();
    assert_eq!(found.iter().map(|part| part.unit).collect::<Vec<_>>(), [5, 6]);
    for part in &found {
        let is_committed = prepared::is_committed(&mut local, &part.region, part.unit).unwrap();
        assert_eq!(is_committed, part.unit == 5);
        assert!(prepared::finish(&mut remote, part, is_committed).unwrap() && !prepared::finish(&mut remote, part, is_committed).unwrap());
    }
    run(&mut remote, &format!("DO $$ BEGIN ASSERT (SELECT array_agg(id ORDER BY id) FROM {table}) = array[1, 5]; END $$"));
    // The unit of work that was told as backed out cannot commit any more.
    local.query(&marker(6).statement(&[]));
    assert!(local.finish(&mut ThreadWait, |_| {}).is_err());
    // Its row stays while a location was not asked.
    prepared::forget(&mut local, Some(("REGION.X", 100)), &[], &["OTHER".to_string()]).unwrap();
    assert!(prepared::is_committed(&mut local, "REGION.X", 5).unwrap());
    prepared::forget(&mut local, Some(("REGION.X", 100)), &[], &["OTHER".to_string(), "SECOND".to_string()]).unwrap();
    assert!(!prepared::is_committed(&mut local, "REGION.X", 5).unwrap());
}
