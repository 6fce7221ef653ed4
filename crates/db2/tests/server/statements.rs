//! Changes and SELECT INTO: row counts, conditions, round trips.

use crate::program::{Program, change, define, plain, select};
use sql::{Action, Text};

const TABLE: &str = "CREATE TABLE emp (id int PRIMARY KEY, name varchar(20), salary numeric(9,2)); \
     INSERT INTO emp SELECT n, 'NAME' || n, n * 100.50 FROM generate_series(1, 9) AS n;";

#[test]
fn select_into_gives_the_row() {
    let mut program = Program::new(TABLE);
    let (id, name) = (program.integer(), program.char(8));
    program.set_integer(&id, 3);
    let find = select("SELECT name FROM emp WHERE id = $1", &[&id], &[&name]);
    program.ok(&find);
    assert_eq!((program.text_of(&name).as_str(), program.indicator_of(&name), program.rows()), ("NAME3   ", 0, 1));
    assert_eq!((program.sqlstate().as_str(), program.warnings().as_str()), ("00000", "           "));
    program.set_integer(&id, 99);
    assert_eq!((program.run(&find), program.sqlstate().as_str()), (100, "02000"));
    assert_eq!(program.run(&select("SELECT name FROM emp", &[], &[&name])), -811);
    assert_eq!(program.sqlstate(), "21000");
}

#[test]
fn a_repeated_statement_is_one_round_trip() {
    let mut program = Program::new(TABLE);
    let (id, name) = (program.integer(), program.char(8));
    program.set_integer(&id, 3);
    let find = select("SELECT name FROM emp WHERE id = $1", &[&id], &[&name]);
    program.ok(&find);
    let before = program.thread.statistics();
    for _ in 0..10 {
        program.ok(&find);
    }
    let after = program.thread.statistics();
    assert_eq!((after.round_trips - before.round_trips, after.prepares - before.prepares), (10, 0));
    let update = change("UPDATE emp SET salary = salary + 1 WHERE id = $1", &[&id]);
    program.ok(&update);
    let before = program.thread.statistics();
    program.ok(&update);
    program.ok(&find);
    assert_eq!(program.thread.statistics().round_trips - before.round_trips, 2, "savepoints travel with the statements");
}

#[test]
fn changes_count_their_rows() {
    let mut program = Program::new(TABLE);
    let id = program.integer();
    program.set_integer(&id, 4);
    let update = change("UPDATE emp SET salary = 0 WHERE id > $1", &[&id]);
    program.ok(&update);
    assert_eq!(program.rows(), 5);
    program.set_integer(&id, 100);
    assert_eq!((program.run(&update), program.rows()), (100, 0));
    assert!(program.thread.has_changed() && program.thread.in_unit());
}

#[test]
fn nulls_need_an_indicator() {
    let mut program = Program::new("CREATE TABLE t (a int, b varchar(5)); INSERT INTO t VALUES (1, NULL);");
    let text = program.char(5);
    let find = select("SELECT b FROM t", &[], &[&text]);
    program.ok(&find);
    assert_eq!(program.indicator_of(&text), -1);
    let mut bare = text.clone();
    bare.place.indicator = 0;
    assert_eq!(program.run(&select("SELECT b FROM t", &[], &[&bare])), -305);
    let id = program.integer();
    program.set_indicator(&id, -1);
    program.ok(&change("INSERT INTO t VALUES ($1, 'X')", &[&id]));
    assert_eq!(program.query("SELECT count(*) FROM t WHERE a IS NULL"), "1");
}

#[test]
fn truncation_is_a_warning_with_the_length_in_the_indicator() {
    let mut program = Program::new(TABLE);
    let name = program.char(3);
    program.ok(&select("SELECT name FROM emp WHERE id = 1", &[], &[&name]));
    assert_eq!((program.text_of(&name).as_str(), program.indicator_of(&name)), ("NAM", 5));
    assert!(program.warnings().starts_with("WW"));
}

#[test]
fn an_error_backs_out_its_statement_alone() {
    let mut program = Program::new(TABLE);
    let id = program.integer();
    program.set_integer(&id, 50);
    let insert = change("INSERT INTO emp VALUES ($1, 'NEW', 0)", &[&id]);
    program.ok(&insert);
    assert_eq!(program.run(&insert), -803);
    assert_eq!(program.run(&insert), -803);
    program.set_integer(&id, 51);
    program.ok(&insert);
    assert_eq!(program.query("SELECT count(*) FROM emp WHERE name = 'NEW'"), "2");
    program.ok(&plain(Action::Commit));
    assert_eq!(program.another().query("SELECT count(*) FROM emp WHERE name = 'NEW'"), "2");
}

#[test]
fn a_table_that_has_changed_is_prepared_anew() {
    let mut program = Program::new(TABLE);
    let (id, name) = (program.integer(), program.char(8));
    program.set_integer(&id, 3);
    let find = select("SELECT * FROM (SELECT * FROM emp WHERE id = $1) AS e", &[&id], &[&id, &name]);
    program.ok(&find);
    program.ok(&plain(Action::Commit));
    let mut other = program.another();
    other.ok(&define("ALTER TABLE emp ADD COLUMN more int"));
    other.ok(&plain(Action::Commit));
    program.ok(&find);
    assert_eq!(program.text_of(&name), "NAME3   ");
}

#[test]
fn registers_are_settings_of_the_session() {
    let mut program = Program::new("");
    assert_eq!(program.query("SELECT current_setting('db2.user')"), "TESTER");
    let set = |register: &str, value: &str| {
        plain(Action::SetRegister { register: register.to_string(), value: Text::Literal(value.to_string()) })
    };
    program.ok(&set("CURRENT DEGREE", "ANY"));
    assert_eq!(program.query("SELECT current_setting('db2.current_degree')"), "ANY");
    program.ok(&plain(Action::Rollback));
    assert_eq!(program.query("SELECT current_setting('db2.current_degree')"), "ANY", "a rollback does not take it back");
    program.thread.reset().expect("ready again");
    assert_eq!(program.query("SELECT current_setting('db2.current_degree')"), "", "nor does the next user see it");
}
