//! Every form of host variable through every type of column, and back.

use crate::program::{Item, Program, change, define, select};
use sql::VariableType;

/// Stores the variable in a column of this type, reads it to another variable like it, and compares the bytes.
fn returns(program: &mut Program, column: &str, item: &Item, bytes: &[u8]) {
    program.put(item.place.address, bytes);
    program.set_indicator(item, 0);
    program.ok(&define(&format!("CREATE TEMP TABLE c (v {column})")));
    program.ok(&change("INSERT INTO c VALUES ($1)", &[item]));
    let copy = program.item(item.variable.kind, item.variable.length, item.variable.precision, item.variable.scale);
    program.ok(&select("SELECT v FROM c", &[], &[&copy]));
    assert_eq!(program.get(copy.place.address, bytes.len()), bytes, "{:?} in {column}", item.variable.kind);
    let count = program.integer();
    program.ok(&select("SELECT count(*)::int FROM c WHERE v = $1", &[item], &[&count]));
    program.ok(&define("DROP TABLE c"));
}

#[test]
fn numbers() {
    let mut program = Program::new("");
    let small = program.item(VariableType::SmallInt, 2, 4, 0);
    let integer = program.integer();
    let big = program.item(VariableType::BigInt, 8, 18, 0);
    let packed = program.item(VariableType::Packed, 7, 7, 2);
    let wide = program.item(VariableType::Packed, 31, 31, 5);
    let zoned = program.item(VariableType::Zoned { signed: true }, 5, 5, 0);
    let separate = program.item(VariableType::SignSeparate { leading: true }, 5, 5, 2);
    let double = program.item(VariableType::Double, 8, 0, 0);
    let real = program.item(VariableType::Real, 4, 0, 0);
    for column in ["smallint", "integer", "bigint", "numeric(20,2)", "double precision", "real"] {
        returns(&mut program, column, &small, &(-1234i16).to_be_bytes());
        returns(&mut program, column, &integer, &12345i32.to_be_bytes());
        returns(&mut program, column, &big, &(-12345i64).to_be_bytes());
        returns(&mut program, column, &zoned, &[0xF1, 0xF2, 0xF3, 0xF4, 0xD5]);
        returns(&mut program, column, &packed, &[0x01, 0x23, 0x40, 0x0D]);
        returns(&mut program, column, &double, &[0x43, 0x4D, 0x20, 0, 0, 0, 0, 0]);
        returns(&mut program, column, &real, &[0xC3, 0x4D, 0x20, 0]);
    }
    returns(&mut program, "numeric(7,2)", &packed, &[0x12, 0x34, 0x56, 0x7C]);
    returns(&mut program, "numeric(7,2)", &separate, &[0x60, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5]);
    returns(
        &mut program,
        "numeric(31,5)",
        &wide,
        &[0x12, 0x34, 0x56, 0x78, 0x90, 0x12, 0x34, 0x56, 0x78, 0x90, 0x12, 0x34, 0x56, 0x78, 0x90, 0x1D],
    );
}

#[test]
fn characters() {
    let mut program = Program::new("");
    let text = program.char(6);
    let varying = program.item(VariableType::VarChar, 10, 0, 0);
    let long = program.item(VariableType::Clob, 10, 0, 0);
    for column in ["char(6)", "varchar(20)", "text"] {
        returns(&mut program, column, &text, &[0xC1, 0xC2, 0x4A, 0x40, 0x40, 0x40]);
    }
    returns(&mut program, "varchar(20)", &varying, &[0, 3, 0xC1, 0xC2, 0xC3]);
    returns(&mut program, "text", &long, &[0, 0, 0, 3, 0xC1, 0xC2, 0xC3]);
    returns(&mut program, "char(6)", &text, &[0; 6]);
    let bytes = program.item(VariableType::VarBinary, 10, 0, 0);
    returns(&mut program, "bytea", &bytes, &[0, 4, 0, 0xFF, 1, 2]);
    let graphic = program.item(VariableType::Graphic, 3, 0, 0);
    returns(&mut program, "char(3)", &graphic, &[0x30, 0x42, 0x00, 0x41, 0x00, 0x20]);
    let vargraphic = program.item(VariableType::VarGraphic, 3, 0, 0);
    returns(&mut program, "varchar(3)", &vargraphic, &[0, 2, 0x30, 0x42, 0x00, 0x41]);
    // Numbers are texts where the column is one, and texts are numbers.
    program.set_text(&text, "12.5");
    let packed = program.item(VariableType::Packed, 5, 5, 1);
    program.ok(&define("CREATE TEMP TABLE n (v numeric(5,1), t varchar(9))"));
    program.ok(&change("INSERT INTO n VALUES ($1, '7')", &[&text]));
    program.ok(&select("SELECT v FROM n", &[], &[&packed]));
    assert_eq!(program.get(packed.place.address, 3), [0x00, 0x12, 0x5C]);
    program.ok(&select("SELECT t FROM n", &[], &[&packed]));
    assert_eq!(program.get(packed.place.address, 3), [0x00, 0x07, 0x0C]);
}

#[test]
fn dates_and_times() {
    let mut program = Program::new("");
    let text = program.char(10);
    program.ok(&define("CREATE TEMP TABLE d (d date, t time(0), s timestamp)"));
    let time = program.char(8);
    let stamp = program.char(26);
    program.set_text(&text, "12/31/9999");
    program.set_text(&time, "23:59:58");
    program.set_text(&stamp, "2024-02-29-13.05.09.123456");
    program.ok(&change("INSERT INTO d VALUES ($1, $2, $3)", &[&text, &time, &stamp]));
    let (date_out, time_out, stamp_out) = (program.char(10), program.char(8), program.char(26));
    program.ok(&select(
        "SELECT d, t, s FROM d WHERE d = $1 AND t = $2 AND s = $3",
        &[&text, &time, &stamp],
        &[&date_out, &time_out, &stamp_out],
    ));
    assert_eq!(program.text_of(&date_out), "9999-12-31");
    assert_eq!(program.text_of(&time_out), "23.59.58");
    assert_eq!(program.text_of(&stamp_out), "2024-02-29-13.05.09.123456");
    program.bind.dates.date = db2::DateFormat::Eur;
    program.ok(&select("SELECT d FROM d", &[], &[&date_out]));
    assert_eq!(program.text_of(&date_out), "31.12.9999");
    program.set_text(&text, "nonsense");
    assert_eq!(program.run(&select("SELECT d FROM d WHERE d = $1", &[&text], &[&date_out])), -180);
    program.set_text(&text, "2023-02-30");
    assert_eq!(program.run(&select("SELECT d FROM d WHERE d = $1", &[&text], &[&date_out])), -181);
}

#[test]
fn invalid_values_have_their_codes() {
    let mut program = Program::new("CREATE TABLE t (d numeric(5), s smallint, b bigint); INSERT INTO t VALUES (1, 1, 9999999999);");
    let packed = program.item(VariableType::Packed, 5, 5, 0);
    program.put(packed.place.address, &[0x40, 0x40, 0x40]);
    let update = change("UPDATE t SET d = $1", &[&packed]);
    assert_eq!((program.run(&update), program.tokens().join(",").as_str()), (-310, "1"));
    let integer = program.integer();
    program.set_integer(&integer, 40_000);
    assert_eq!(program.run(&change("UPDATE t SET s = $1", &[&integer])), -302);
    let find = select("SELECT b FROM t", &[], &[&integer]);
    assert_eq!((program.run(&find), program.indicator_of(&integer)), (304, -2));
    let mut bare = integer.clone();
    bare.place.indicator = 0;
    assert_eq!(program.run(&select("SELECT b FROM t", &[], &[&bare])), -304);
    let varying = program.item(VariableType::VarChar, 10, 0, 0);
    program.put(varying.place.address, &[0, 11]);
    assert_eq!(program.run(&change("UPDATE t SET d = $1", &[&varying])), -311);
}

#[test]
fn comparisons_ignore_blanks_at_the_end() {
    let mut program = Program::new("CREATE TABLE t (v varchar(10), c char(10)); INSERT INTO t VALUES ('ABC', 'ABC');");
    let (text, count) = (program.char(8), program.integer());
    program.set_text(&text, "ABC");
    program.ok(&select("SELECT count(*) FROM t WHERE v = $1 AND c = $1", &[&text], &[&count]));
    assert_eq!(program.integer_of(&count), 1);
}
