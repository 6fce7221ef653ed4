//! Units of work: commit, rollback, savepoints, deadlocks.

use crate::program::{Program, change, plain, select};
use db2::{Rules, UnitOfWorkMarker};
use postgres::ThreadWait;
use sql::Action;
use std::time::Duration;

const TABLE: &str = "CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t VALUES (1, 0), (2, 0);";

fn savepoint(name: &str) -> crate::program::Made {
    plain(Action::Savepoint { name: name.to_string(), unique: true })
}

fn back_to(name: &str) -> crate::program::Made {
    plain(Action::RollbackTo { name: Some(name.to_string()) })
}

#[test]
fn commit_and_rollback_end_the_unit_of_work() {
    let mut program = Program::new(TABLE);
    let update = change("UPDATE t SET v = v + 1", &[]);
    program.ok(&update);
    program.ok(&plain(Action::Rollback));
    assert_eq!(program.query("SELECT sum(v) FROM t"), "0");
    program.ok(&update);
    program.ok(&plain(Action::Commit));
    assert!(!program.thread.in_unit());
    program.ok(&plain(Action::Rollback));
    assert_eq!(program.query("SELECT sum(v) FROM t"), "2");
    program.rules = Rules::Cics;
    assert_eq!(program.run(&plain(Action::Commit)), -925);
    assert_eq!(program.run(&plain(Action::Rollback)), -926);
}

#[test]
fn commit_after_a_statement_that_failed_keeps_what_was_before() {
    let mut program = Program::new(TABLE);
    program.ok(&change("UPDATE t SET v = 7 WHERE id = 1", &[]));
    assert!(program.run(&change("INSERT INTO t VALUES (1, 1)", &[])) == -803);
    program.ok(&plain(Action::Commit));
    assert_eq!(program.query("SELECT v FROM t WHERE id = 1"), "7");
}

#[test]
fn a_commit_that_fails_leaves_the_session_as_it_was() {
    let mut program = Program::new("CREATE TABLE u (id int PRIMARY KEY, parent int REFERENCES u DEFERRABLE INITIALLY DEFERRED);");
    program.ok(&change("INSERT INTO u VALUES (1, 2)", &[]));
    assert_eq!(program.run(&plain(Action::Commit)), -530);
    assert_eq!(program.query("SELECT count(*) FROM u"), "0", "the schema of names without a qualifier is still known");
    let marker = UnitOfWorkMarker { region: "REGION2".to_string(), unit: 43, origin: String::new() };
    program.thread.commit(Some(&marker), &mut ThreadWait).expect("committed");
    program.ok(&crate::program::define("CREATE TEMPORARY TABLE mine (n int)"));
    assert!(program.thread.commit(Some(&marker), &mut ThreadWait).is_err());
    program.thread.reset().expect("ready again");
    assert_eq!(program.query("SELECT count(*) FROM u"), "0");
}

#[test]
fn a_marker_is_written_in_the_transaction_of_the_unit() {
    let mut program = Program::new(TABLE);
    program.ok(&change("UPDATE t SET v = 1", &[]));
    let marker = UnitOfWorkMarker { region: "REGION1".to_string(), unit: 42, origin: String::new() };
    program.thread.commit(Some(&marker), &mut ThreadWait).expect("committed");
    program.ok(&change("UPDATE t SET v = 2", &[]));
    // The unit's row is there already: this commit is refused, and backs out.
    assert!(program.thread.commit(Some(&marker), &mut ThreadWait).is_err());
    assert!(!program.thread.in_unit(), "nothing is left open at the server");
    assert_eq!(program.query("SELECT sum(v) FROM t"), "2");
}

#[test]
fn a_unit_that_only_reads_commits_without_a_wait() {
    let mut program = Program::new(TABLE);
    program.query("SELECT sum(v) FROM t");
    let before = program.thread.statistics().round_trips;
    program.thread.commit(None, &mut ThreadWait).expect("committed");
    assert_eq!(program.thread.statistics().round_trips, before);
    assert_eq!(program.query("SELECT count(*) FROM t"), "2");
}

#[test]
fn savepoints_of_the_program() {
    let mut program = Program::new(TABLE);
    let update = change("UPDATE t SET v = v + 1", &[]);
    program.ok(&update);
    program.ok(&savepoint("ONE"));
    assert_eq!(program.run(&savepoint("ONE")), -881);
    program.ok(&update);
    program.ok(&savepoint("TWO"));
    program.ok(&update);
    assert!(program.run(&change("INSERT INTO t VALUES (1, 1)", &[])) < 0);
    program.ok(&back_to("TWO"));
    assert_eq!(program.query("SELECT sum(v) FROM t"), "4");
    program.ok(&back_to("ONE"));
    assert_eq!(program.query("SELECT sum(v) FROM t"), "2");
    assert_eq!(program.run(&back_to("TWO")), -880);
    program.ok(&plain(Action::Release { name: "ONE".to_string() }));
    assert_eq!(program.run(&back_to("ONE")), -880);
    program.ok(&plain(Action::Commit));
    assert_eq!(program.query("SELECT sum(v) FROM t"), "2");
}

#[test]
fn a_lock_that_is_not_free_in_time_rolls_back_the_unit_or_only_the_statement() {
    let mut program = Program::new(TABLE);
    program.ok(&change("UPDATE t SET v = 5 WHERE id = 1", &[]));
    let mut other = program.another();
    other.bind.lock_timeout = Duration::from_millis(100);
    other.rolls_back_deadlock = false;
    other.ok(&change("UPDATE t SET v = 6 WHERE id = 2", &[]));
    let update = change("UPDATE t SET v = 6 WHERE id = 1", &[]);
    assert_eq!((other.run(&update), other.sqlstate().as_str()), (-913, "57033"));
    assert_eq!(other.query("SELECT v FROM t WHERE id = 2"), "6");
    assert!(!other.thread.take_deadlock() && other.thread.in_unit());
    other.rolls_back_deadlock = true;
    assert_eq!((other.run(&update), other.sqlstate().as_str()), (-911, "40001"));
    assert!(other.thread.take_deadlock() && !other.thread.take_deadlock() && !other.thread.in_unit());
    assert_eq!(other.query("SELECT v FROM t WHERE id = 2"), "0");
}

#[test]
fn a_thread_used_again_has_nothing_of_its_last_user() {
    let mut program = Program::new(TABLE);
    program.ok(&change("UPDATE t SET v = 5", &[]));
    program.thread.reset().expect("ready again");
    assert!(!program.thread.in_unit() && !program.thread.has_changed());
    assert_eq!(program.query("SELECT sum(v) FROM t"), "0");
}

#[test]
fn a_lost_session_is_an_sqlcode_and_the_thread_is_broken() {
    let mut program = Program::new(TABLE);
    let code = program.run(&select("SELECT pg_terminate_backend(pg_backend_pid())::int", &[], &[]));
    assert_eq!(code, -30081);
    assert!(program.thread.is_broken());
    assert!(program.thread.reset().is_err());
}
