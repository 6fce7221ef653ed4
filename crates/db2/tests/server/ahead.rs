//! Changes whose results nobody looks at, which go to the server with the statement behind them.

use crate::program::{Made, Program, change, plain, select, unobserved};
use postgres::ThreadWait;
use sql::Action;
use std::time::Duration;

const TABLE: &str = "CREATE TABLE t (id int PRIMARY KEY, v int);";

/// A program with an insertion of a number, which the server has prepared, and a row 0.
fn program() -> (Program, Made) {
    let mut program = Program::new(TABLE);
    let number = program.integer();
    let insert = unobserved("INSERT INTO t VALUES ($1, 0)", &[&number]);
    program.set_integer(&number, 0);
    program.ok(&insert);
    program.ok(&plain(Action::Commit));
    (program, insert)
}

fn insert(program: &mut Program, insert: &Made, numbers: &[i32]) {
    for number in numbers {
        program.set_integer(&insert.items[0], *number);
        program.ok(insert);
    }
}

fn rows(program: &mut Program) -> String {
    program.query("SELECT string_agg(id::text, ' ' ORDER BY id) FROM t")
}

#[test]
fn changes_and_the_statement_behind_them_are_one_round_trip() {
    let (mut program, statement) = program();
    let count = program.integer();
    let select = select("SELECT count(*)::int FROM t", &[], &[&count]);
    program.ok(&select);
    let before = program.thread.statistics().round_trips;
    insert(&mut program, &statement, &[1, 2, 3]);
    assert_eq!(program.thread.statistics().round_trips, before);
    program.ok(&select);
    assert_eq!((program.integer_of(&count), program.thread.statistics().round_trips), (4, before + 1));
    assert!(program.thread.has_changed());
}

#[test]
fn the_number_of_changes_ahead_is_bounded() {
    let (mut program, statement) = program();
    program.query("SELECT 1");
    let before = program.thread.statistics().round_trips;
    insert(&mut program, &statement, &(1..=16).collect::<Vec<i32>>());
    assert_eq!(program.thread.statistics().round_trips, before);
    insert(&mut program, &statement, &[17]);
    assert_eq!(program.thread.statistics().round_trips, before + 1);
    assert_eq!(program.query("SELECT count(*) FROM t"), "18");
}

#[test]
fn those_behind_a_change_that_fails_are_executed_all_the_same() {
    // The first of a unit of work, which has no savepoint; one between others; the last.
    for (numbers, expected) in
        [([0, 1, 2], "0 1 2 9"), ([1, 0, 2], "0 1 2 9"), ([1, 2, 0], "0 1 2 9"), ([0, 0, 1], "0 1 9"), ([1, 1, 1], "0 1 9")]
    {
        let (mut program, statement) = program();
        insert(&mut program, &statement, &numbers);
        program.ok(&change("INSERT INTO t VALUES (9, 0)", &[]));
        assert_eq!(rows(&mut program), expected, "{numbers:?}");
        program.ok(&plain(Action::Commit));
        assert_eq!(rows(&mut program.another()), expected, "{numbers:?}");
    }
}

#[test]
fn the_statement_behind_has_its_own_error() {
    let (mut program, statement) = program();
    insert(&mut program, &statement, &[1, 0]);
    assert_eq!(program.run(&change("INSERT INTO t VALUES (1, 0)", &[])), -803);
    insert(&mut program, &statement, &[2]);
    assert_eq!(program.run(&change("INSERT INTO t VALUES (2, 0)", &[])), -803);
    assert_eq!(rows(&mut program), "0 1 2");
}

#[test]
fn every_other_statement_waits_for_them_first() {
    for expected in ["0", "0 1"] {
        let (mut program, statement) = program();
        let numbers: &[i32] = if expected == "0" { &[0] } else { &[0, 1] };
        insert(&mut program, &statement, numbers);
        program.ok(&plain(Action::Savepoint { name: "ONE".to_string(), unique: true }));
        insert(&mut program, &statement, &[5]);
        program.ok(&plain(Action::RollbackTo { name: Some("ONE".to_string()) }));
        insert(&mut program, &statement, &[0]);
        program.ok(&plain(Action::Commit));
        assert_eq!(rows(&mut program.another()), expected);
        // Outside of a program's statement.
        insert(&mut program, &statement, &[0, 7]);
        program.thread.commit(None, &mut ThreadWait).expect("committed");
        assert_eq!(rows(&mut program.another()), format!("{expected} 7"));
        insert(&mut program, &statement, &[0, 8]);
        program.thread.rollback(&mut ThreadWait).expect("rolled back");
        assert_eq!(rows(&mut program), format!("{expected} 7"));
        insert(&mut program, &statement, &[9]);
        program.thread.reset().expect("ready again");
        assert_eq!(rows(&mut program), format!("{expected} 7"));
    }
}

#[test]
fn a_statement_that_is_not_sent_leaves_none_behind() {
    let (mut program, statement) = program();
    let number = program.item(sql::VariableType::Packed, 2, 3, 0);
    let wrong = change("INSERT INTO t VALUES ($1::numeric, 0)", &[&number]);
    program.put(number.place.address, &[0xFF, 0xFF]);
    insert(&mut program, &statement, &[0, 1]);
    assert!(program.run(&wrong) < 0);
    program.thread.commit(None, &mut ThreadWait).expect("committed");
    assert_eq!(rows(&mut program), "0 1");
}

#[test]
fn a_lock_that_is_not_free_is_told_with_the_statement_behind() {
    let (mut program, _) = program();
    program.ok(&change("UPDATE t SET v = 5", &[]));
    let mut other = program.another();
    other.bind.lock_timeout = Duration::from_millis(100);
    let update = unobserved("UPDATE t SET v = 6", &[]);
    let insert = change("INSERT INTO t VALUES (1, 0)", &[]);
    other.rolls_back_deadlock = true;
    assert_eq!(other.run(&update), -911, "it is prepared now, and was waited for");
    other.ok(&update);
    assert_eq!((other.run(&insert), other.sqlstate().as_str()), (-911, "40001"));
    assert!(other.thread.take_deadlock() && !other.thread.in_unit());
    assert_eq!(rows(&mut other), "0");
    // Only the statement is backed out: what is behind it goes on.
    other.rolls_back_deadlock = false;
    other.ok(&update);
    other.ok(&insert);
    assert!(!other.thread.take_deadlock());
    assert_eq!(rows(&mut other), "0 1");
}

#[test]
fn settings_that_went_with_a_change_that_failed_are_sent_again() {
    for settles in [true, false] {
        let (mut program, statement) = program();
        program.bind.lock_timeout = Duration::from_millis(1234);
        insert(&mut program, &statement, &[0]);
        if settles {
            program.ok(&plain(Action::Savepoint { name: "ONE".to_string(), unique: true }));
        }
        assert_eq!(program.query("SELECT current_setting('lock_timeout')"), "1234ms");
    }
}

#[test]
fn a_unit_of_work_keeps_its_isolation_when_its_first_change_fails() {
    let (mut program, statement) = program();
    program.bind.isolation = sql::Isolation::Rr;
    insert(&mut program, &statement, &[0, 1]);
    assert_eq!(program.query("SELECT current_setting('transaction_isolation')"), "repeatable read");
}
