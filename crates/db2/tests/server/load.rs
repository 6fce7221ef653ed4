//! The LOAD utility.

use crate::program::{Program, records_of};
use sql::utility::{Load, Utility};

const TABLE: &str = "CREATE TABLE t (id int NOT NULL, name varchar(10), pay numeric(7,2), day date);";

fn statement(text: &str) -> Box<Load> {
    match sql::utility::utilities(text).expect("a statement").remove(0) {
        Utility::Load(load) => load,
        Utility::NoEffect(verb) => panic!("{verb}"),
    }
}

fn rows(program: &mut Program) -> String {
    program.query("SELECT coalesce(string_agg(concat_ws('|', id, rtrim(name), pay, day), ' ' ORDER BY id), '') FROM t")
}

#[test]
fn records_with_positions() {
    let mut program = Program::new(TABLE);
    let schema = program.schema.to_uppercase();
    let load = statement(&format!(
        "LOAD DATA INDDN SYSREC REPLACE INTO TABLE {schema}.T WHEN (1:1) = 'A' (ID POSITION(2:5) INTEGER EXTERNAL, \
         NAME POSITION(6:10) CHAR(5), PAY POSITION(11:14) DECIMAL, DAY POSITION(15:24) DATE EXTERNAL NULLIF(15:15)='-')"
    ));
    let mut records = records_of(&["A   7SMITH????2024-02-29", "B", "A  12JONES????-         "]);
    for index in [0, 2] {
        records[index][10..14].copy_from_slice(&[0x00, 0x12, 0x34, 0x5C]);
    }
    let loaded = program.load(&load, &records).expect("loaded");
    assert_eq!((loaded.rows, loaded.discarded), (vec![2], 1));
    assert_eq!(rows(&mut program), "7|SMITH|123.45|2024-02-29 12|JONES|123.45");
}

#[test]
fn a_table_that_is_not_the_applications_is_not_loaded() {
    let program = Program::new(TABLE);
    for table in ["\"Db2\".UNITS_OF_WORK", "DB2.\"SET_UP\"", "\"Pg_Catalog\".PG_CLASS", "SysIbm.SYSTABLES", "PG_CLASS", "\"Systables\""] {
        let load = statement(&format!("LOAD DATA REPLACE INTO TABLE {table} (REGION POSITION(1:3) CHAR(3))"));
        let error = program.load(&load, &records_of(&["ABC"])).expect_err(table);
        assert!(error.to_string().contains("-551"), "{table}: {error}");
    }
}

#[test]
fn delimited_records() {
    let mut program = Program::new(TABLE);
    let schema = program.schema.to_uppercase();
    let load = statement(&format!(
        "LOAD DATA FORMAT DELIMITED COLDEL ',' CHARDEL '\"' RESUME YES INTO TABLE {schema}.T \
         (ID INTEGER, NAME CHAR, PAY DECIMAL, DAY DATE EXTERNAL)"
    ));
    program.load(&load, &records_of(&["1,\"A, B\",1.5,2024-01-01", "2,,,"])).expect("loaded");
    assert_eq!(rows(&mut program), "1|A, B|1.50|2024-01-01 2");
}

#[test]
fn a_record_in_error_leaves_the_table_as_it_was() {
    let mut program = Program::new(TABLE);
    let schema = program.schema.to_uppercase();
    let load = statement(&format!("LOAD DATA REPLACE INTO TABLE {schema}.T (ID POSITION(1:3) INTEGER EXTERNAL, NAME POSITION(4) CHAR(2))"));
    program.load(&load, &records_of(&["001AB"])).expect("loaded");
    let error = program.load(&load, &records_of(&["002AB", "xxxCD"])).expect_err("a record in error");
    assert!(error.to_string().starts_with("record 2, field ID"), "{error}");
    assert_eq!(rows(&mut program), "1|AB");
    let more = statement(&format!("LOAD DATA INTO TABLE {schema}.T (ID POSITION(1:3) INTEGER EXTERNAL)"));
    assert!(program.load(&more, &records_of(&["003"])).is_err(), "the table has rows");
}
