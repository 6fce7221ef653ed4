//! Dynamic SQL, descriptors, and changes from arrays.

use crate::program::{Item, Made, Program, close, cursor, fetch, open, plain, select, statement};
use sql::{Action, Cursor, CursorOf, DiagnosticItem, Number, Orientation, Text, VariableType};

const TABLE: &str = "CREATE TABLE t (id int PRIMARY KEY, v varchar(10), d numeric(7,2)); \
     INSERT INTO t SELECT n, 'V' || n, n * 1.5 FROM generate_series(1, 9) AS n;";

fn prepare(name: &str, text: &str) -> Made {
    let from = Text::Literal(text.to_string());
    plain(Action::Prepare { name: name.to_string(), from, into: None, attributes: None })
}

fn execute(name: &str, inputs: &[&Item], outputs: &[&Item]) -> Made {
    statement(Action::ExecutePrepared { name: name.to_string(), descriptor: None, rows: None }, "", inputs, outputs)
}

fn immediate(text: &str) -> Made {
    plain(Action::ExecuteImmediate { from: Text::Literal(text.to_string()) })
}

fn of_statement(name: &str) -> Cursor {
    Cursor { of: CursorOf::Prepared(name.to_string()), ..cursor("C1") }
}

#[test]
fn prepared_statements_are_executed_with_their_variables() {
    let mut program = Program::new(TABLE);
    let id = program.integer();
    assert_eq!(program.run(&execute("S1", &[&id], &[])), -518);
    program.ok(&prepare("S1", "UPDATE T SET V = 'NEW' WHERE ID = ?"));
    program.set_integer(&id, 5);
    program.ok(&execute("S1", &[&id], &[]));
    assert_eq!(program.rows(), 1);
    program.set_integer(&id, 50);
    assert_eq!(program.run(&execute("S1", &[&id], &[])), 100);
    assert_eq!(program.run(&execute("S1", &[], &[])), -313);
    assert_eq!(program.query("SELECT v FROM t WHERE id = 5"), "NEW");
    program.ok(&plain(Action::Commit));
    assert_eq!(program.run(&execute("S1", &[&id], &[])), -518, "a prepared statement ends with its unit of work");
    assert_eq!(program.run(&prepare("S1", "SELECT * FROM NOWHERE")), -204);
    assert!(program.run(&prepare("S1", "SELEC * FROM T")) < 0);
}

#[test]
fn statements_executed_immediately() {
    let mut program = Program::new(TABLE);
    program.ok(&immediate("DELETE FROM T WHERE ID > 5"));
    assert_eq!(program.rows(), 4);
    assert_eq!(program.run(&immediate("SELECT ID FROM T")), -84);
    program.ok(&immediate("ROLLBACK"));
    assert_eq!(program.query("SELECT count(*) FROM t"), "9");
}

#[test]
fn a_cursor_of_a_prepared_statement() {
    let mut program = Program::new(TABLE);
    let (limit, id) = (program.integer(), program.integer());
    program.set_integer(&limit, 7);
    let open = open(of_statement("S1"), "", &[&limit]);
    assert_eq!(program.run(&open), -514);
    program.ok(&prepare("S1", "SELECT ID FROM T WHERE ID >= ? ORDER BY ID DESC"));
    program.ok(&open);
    assert_eq!(program.run(&prepare("S1", "SELECT 1 FROM T")), -519);
    let fetch = fetch("C1", Orientation::Next, &[&id]);
    let mut read = Vec::new();
    while program.run(&fetch) == 0 {
        read.push(program.integer_of(&id));
    }
    assert_eq!(read, [9, 8, 7]);
    program.ok(&close("C1"));
    program.ok(&prepare("S1", "DELETE FROM T"));
    assert_eq!(program.run(&open), -517);
}

/// An SQLDA with this many SQLVARs; its address is that of the item.
fn descriptor(program: &mut Program, count: u16) -> Item {
    let mut item = program.item(VariableType::Descriptor, 16 + 44 * u32::from(count), 0, 0);
    item.variable.indicator = false;
    program.put(item.place.address + 12, &count.to_be_bytes());
    item
}

fn halfword(program: &Program, address: u64) -> i16 {
    i16::from_be_bytes(program.get(address, 2).try_into().unwrap())
}

/// SQLTYPE and SQLLEN of a column.
fn described(program: &Program, sqlda: &Item, index: u64) -> (i16, i16) {
    let place = sqlda.place.address + 16 + 44 * index;
    (halfword(program, place), halfword(program, place + 2))
}

#[test]
fn a_descriptor_describes_and_receives_rows() {
    let mut program = Program::new(TABLE);
    let describe = |sqlda: &Item| statement(Action::Describe { name: "S1".to_string(), input: false, into: 0 }, "", &[sqlda], &[]);
    let small = descriptor(&mut program, 1);
    assert_eq!(program.run(&describe(&small)), -516);
    program.ok(&prepare("S1", "SELECT ID, V, D FROM T WHERE ID = 3"));
    assert_eq!(program.run(&describe(&small)), 236);
    assert_eq!(halfword(&program, small.place.address + 14), 3);
    let sqlda = descriptor(&mut program, 3);
    program.ok(&describe(&sqlda));
    assert_eq!((0..3).map(|index| described(&program, &sqlda, index)).collect::<Vec<_>>(), [(496, 4), (449, 10), (485, 0x0702)]);
    let name = sqlda.place.address + 16 + 44 + 12;
    assert_eq!((halfword(&program, name), program.get(name + 2, 1)), (1, vec![0xE5]));
    // The program gives each column storage.
    let (id, v, d) = (program.integer(), program.item(VariableType::VarChar, 10, 0, 0), program.item(VariableType::Packed, 7, 7, 2));
    for (index, item) in [&id, &v, &d].into_iter().enumerate() {
        let place = sqlda.place.address + 16 + 44 * index as u64;
        program.put(place + 4, &(item.place.address as u32).to_be_bytes());
        program.put(place + 8, &(item.place.indicator as u32).to_be_bytes());
    }
    program.ok(&open(of_statement("S1"), "", &[]));
    let action = Action::Fetch { cursor: "C1".to_string(), orientation: Orientation::Next, rows: None, descriptor: Some(0) };
    program.ok(&statement(action, "", &[&sqlda], &[]));
    assert_eq!((program.integer_of(&id), program.get(v.place.address, 4)), (3, vec![0, 2, 0xE5, 0xF3]));
    assert_eq!(program.get(d.place.address, 4), [0x00, 0x00, 0x45, 0x0C]);
}

#[test]
fn inputs_of_a_descriptor() {
    let mut program = Program::new(TABLE);
    let id = program.integer();
    program.set_integer(&id, 8);
    let sqlda = descriptor(&mut program, 1);
    let place = sqlda.place.address + 16;
    program.put(sqlda.place.address + 14, &1u16.to_be_bytes());
    program.put(place, &[0x01, 0xF0, 0, 4]);
    program.put(place + 4, &(id.place.address as u32).to_be_bytes());
    program.ok(&prepare("S1", "DELETE FROM T WHERE ID >= ?"));
    let action = Action::ExecutePrepared { name: "S1".to_string(), descriptor: Some(0), rows: None };
    program.ok(&statement(action.clone(), "", &[&sqlda], &[]));
    assert_eq!(program.rows(), 2);
    program.put(place, &[0x7F, 0xFF]);
    assert_eq!(program.run(&statement(action, "", &[&sqlda], &[])), -804);
}

fn insert(rows: i64, atomic: bool, inputs: &[&Item]) -> Made {
    let action = Action::Execute { changes: true, searched: false, rows: Some(Number::Literal(rows)), atomic };
    statement(action, "INSERT INTO t VALUES ($1, $2)", inputs, &[])
}

#[test]
fn rows_of_arrays_are_inserted_together() {
    let mut program = Program::new(TABLE);
    let ids = program.array(VariableType::Integer, 4, 9, 0, 700, 4);
    let names = program.array(VariableType::Char, 5, 0, 0, 700, 5);
    for index in 0..700u64 {
        program.put(ids.place.address + 4 * index, &(100 + index as i32).to_be_bytes());
        program.put(names.place.address + 5 * index, &[0xC1; 5]);
    }
    program.ok(&insert(600, true, &[&ids, &names]));
    assert_eq!((program.rows(), program.query("SELECT count(*) FROM t WHERE v = 'AAAAA'").as_str()), (600, "600"));
    // One of the rows is there already: none is inserted.
    program.put(ids.place.address, &900i32.to_be_bytes());
    program.put(ids.place.address + 4, &901i32.to_be_bytes());
    program.put(ids.place.address + 8, &3i32.to_be_bytes());
    assert_eq!(program.run(&insert(3, true, &[&ids, &names])), -803);
    assert_eq!(program.query("SELECT count(*) FROM t WHERE id >= 900"), "0");
    assert_eq!((program.run(&insert(3, false, &[&ids, &names])), program.rows()), (-253, 0));
    let (code, row, count) = (program.integer(), program.integer(), program.integer());
    let item = |receiver, name: &str, condition| DiagnosticItem { receiver, name: name.to_string(), condition };
    let second = Some(Number::Literal(2));
    let items = vec![item(0, "DB2_RETURNED_SQLCODE", second.clone()), item(1, "DB2_ROW_NUMBER", second), item(2, "ROW_COUNT", None)];
    program.ok(&statement(Action::GetDiagnostics { items, stacked: false }, "", &[], &[&code, &row, &count]));
    assert_eq!([&code, &row, &count].map(|item| program.integer_of(item)), [-803, 3, 2]);
    assert_eq!(program.query("SELECT count(*) FROM t WHERE id >= 900"), "2");
}

#[test]
fn procedures_return_their_parameters() {
    let mut program = Program::new("CREATE PROCEDURE add_one(INOUT n int) LANGUAGE sql AS 'SELECT n + 1';");
    let n = program.integer();
    program.set_integer(&n, 41);
    let action = Action::Call { procedure: Text::Literal("ADD_ONE".to_string()) };
    program.ok(&statement(action, "CALL add_one($1::int)", &[&n], &[&n]));
    assert_eq!(program.integer_of(&n), 42);
}

#[test]
fn locators_stand_for_values() {
    let mut program = Program::new("CREATE TABLE t (c text); INSERT INTO t VALUES (repeat('X', 1000));");
    let locator = program.item(VariableType::ClobLocator, 4, 0, 0);
    program.ok(&select("SELECT c FROM t", &[], &[&locator]));
    let count = program.integer();
    let length = select("SELECT length($1::text)", &[&locator], &[&count]);
    program.ok(&length);
    assert_eq!(program.integer_of(&count), 1000);
    program.ok(&statement(Action::FreeLocator { locators: vec![0] }, "", &[&locator], &[]));
    assert_eq!(program.run(&length), -423);
}

#[test]
fn procedures_set_some_of_their_parameters() {
    let mut program = Program::new("CREATE PROCEDURE total(a int, INOUT b int, c int) LANGUAGE sql AS 'SELECT a + b + c';");
    let (a, b, c) = (program.integer(), program.integer(), program.integer());
    program.set_integer(&a, 1);
    program.set_integer(&b, 2);
    program.set_integer(&c, 4);
    let action = Action::Call { procedure: Text::Literal("TOTAL".to_string()) };
    program.ok(&statement(action.clone(), "CALL total($1::int, $2::int, $3::int)", &[&a, &b, &c], &[&a, &b, &c]));
    assert_eq!([&a, &b, &c].map(|item| program.integer_of(item)), [1, 7, 4]);
    // The name is in a host variable.
    program.ok(&statement(action, "($1::int, $2::int, $3::int)", &[&a, &b, &c], &[&a, &b, &c]));
    assert_eq!(program.integer_of(&b), 12);
}

#[test]
fn definitions_take_part_in_the_unit_of_work() {
    let mut program = Program::new("");
    let texts = vec!["CREATE TABLE d (a int)".to_string(), "CREATE INDEX d_a ON d (a)".to_string()];
    program.ok(&plain(Action::Ddl { texts, notes: Vec::new() }));
    assert_eq!(program.query("SELECT count(*) FROM d"), "0");
    let texts = vec!["CREATE TABLE e (a int)".to_string(), "CREATE TABLE d (a int)".to_string()];
    assert_eq!(program.run(&plain(Action::Ddl { texts, notes: Vec::new() })), -601);
    assert_eq!(program.query("SELECT to_regclass('e') IS NULL"), "true");
    program.ok(&immediate("CREATE TABLE F (A INTEGER NOT NULL PRIMARY KEY) IN DB1.TS1"));
    assert_eq!(program.query("SELECT count(*) FROM f"), "0");
    program.ok(&plain(Action::Rollback));
    assert_eq!(program.query("SELECT to_regclass('d') IS NULL"), "true");
}
