//! What is not the application's, and what the user of a session leaves for the next one: nothing.

use crate::program::{Item, Program, change, plain, select};
use sql::{Action, Text, VariableType};

const TABLE: &str = "CREATE TABLE t (id int GENERATED ALWAYS AS IDENTITY, v int, c char(3));";

fn immediate(program: &mut Program, text: &str) -> i32 {
    let code = program.run(&plain(Action::ExecuteImmediate { from: Text::Literal(text.to_string()) }));
    program.run(&plain(Action::NoEffect { reason: String::new() }));
    code
}

#[test]
fn functions_and_tables_of_the_server_are_out_of_reach() {
    let mut program = Program::new(TABLE);
    for function in ["LO_IMPORT('/etc/passwd')", "PG_RELOAD_CONF()", "PG_ADVISORY_LOCK(77)", "CURRENT_SETTING('is_superuser')"] {
        assert_eq!(immediate(&mut program, &format!("UPDATE T SET C = 'X' WHERE {function} IS NOT NULL")), -440, "{function}");
    }
    assert_eq!(immediate(&mut program, "DELETE FROM PG_CLASS"), -204);
    assert_eq!(immediate(&mut program, "DELETE FROM UNITS_OF_WORK"), -204);
    assert_eq!(immediate(&mut program, "DELETE FROM DB2.UNITS_OF_WORK"), -551);
    for schema in ["DB2", "db2", "Db2", "Pg_Catalog"] {
        for register in ["CURRENT SCHEMA", "CURRENT SQLID"] {
            let set = Action::SetRegister { register: register.into(), value: Text::Literal(schema.into()) };
            assert_eq!(program.run(&plain(set)), -553, "{register} {schema}");
        }
    }
    let prepared = Text::Literal("SELECT PG_READ_FILE('/etc/passwd') FROM SYSIBM.SYSDUMMY1".to_string());
    assert_eq!(program.run(&plain(Action::Prepare { name: "S".to_string(), from: prepared, into: None, attributes: None })), -440);
    // What the translation did not see, the role may not do.
    assert_eq!(program.run(&change("DROP TABLE db2.units_of_work", &[])), -551);
    assert_eq!(program.query("SELECT current_setting('is_superuser')"), "off");
}

#[test]
fn a_declared_table_ends_with_the_user_of_its_session() {
    let mut program = Program::new(TABLE);
    assert_eq!(immediate(&mut program, "DECLARE GLOBAL TEMPORARY TABLE SESSION.TT (A INT) ON COMMIT PRESERVE ROWS"), 0);
    assert_eq!(immediate(&mut program, "INSERT INTO SESSION.TT VALUES (1)"), 0);
    program.ok(&plain(Action::Commit));
    assert!(program.thread.holds_over_commit(), "the table and its rows stay with the task");
    program.thread.reset().unwrap();
    assert!(!program.thread.holds_over_commit());
    assert_eq!(immediate(&mut program, "INSERT INTO SESSION.TT VALUES (1)"), -204);
    // A rollback does not bring it back.
    program.ok(&plain(Action::Rollback));
    assert_eq!(immediate(&mut program, "INSERT INTO SESSION.TT VALUES (1)"), -204);
}

#[test]
fn values_of_sequences_end_with_the_user_of_their_session() {
    let mut program = Program::new(TABLE);
    program.ok(&change("INSERT INTO t (v) VALUES (1)", &[]));
    assert_eq!(program.query("SELECT db2.identity_val_local()"), "1");
    program.ok(&plain(Action::Commit));
    let before = program.thread.statistics().round_trips;
    program.thread.reset().unwrap();
    assert_eq!(program.thread.statistics().round_trips, before, "nobody waits");
    assert_eq!(program.query("SELECT db2.identity_val_local()"), "null");
    program.ok(&change("INSERT INTO t (v) VALUES (1)", &[]));
    assert_eq!(program.query("SELECT db2.identity_val_local()"), "2");
}

#[test]
fn what_a_procedure_did_to_the_session_ends_with_its_user() {
    let mut program = Program::new(
        "CREATE PROCEDURE greedy() LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_lock(77); \
         PERFORM set_config('work_mem', '7MB', false); END $$;",
    );
    let held =
        "SELECT (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) || current_setting('work_mem')";
    assert_eq!(immediate(&mut program, "CALL GREEDY()"), 0);
    assert_eq!(program.query(held), "17MB");
    program.ok(&plain(Action::Commit));
    program.thread.reset().unwrap();
    assert_eq!(program.query(held), "04MB");
    assert_eq!(program.query("SELECT db2.register('CURRENT SQLID')"), "TESTER");
}

#[test]
fn each_byte_of_a_character_column_returns_and_differs_from_the_others() {
    let mut program = Program::new(TABLE);
    let (written, read) = (program.char(3), program.char(3));
    let put = |program: &mut Program, item: &Item, bytes: [u8; 3]| program.put(item.place.address, &bytes);
    for bytes in [[0xC1, 0x01, 0xC2], [0xC1, 0x00, 0xC2], [0x00, 0x01, 0x02]] {
        put(&mut program, &written, bytes);
        program.run(&change("DELETE FROM t", &[]));
        program.ok(&change("INSERT INTO t (c) VALUES ($1)", &[&written]));
        program.ok(&select("SELECT c FROM t", &[], &[&read]));
        assert_eq!(program.get(read.place.address, 3), bytes);
        let hexadecimal: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        assert_eq!(program.query("SELECT db2.hex(c) FROM t"), hexadecimal);
    }
    put(&mut program, &written, [0x00, 0x00, 0x02]);
    assert_eq!(program.run(&select("SELECT c FROM t WHERE c = $1", &[&written], &[&read])), 100);
    assert_eq!(written.variable.kind, VariableType::Char);
}
