//! Expressions of Db2, translated without knowledge of the columns' types, have Db2's values; the cases are in `queries.tsv`.

use crate::cluster::Database;
use crate::definitions::translated;
use sql::{DynamicOptions, translate};

const TABLE: &str = "
    CREATE TABLE PROD.T (SI SMALLINT, I INTEGER, B BIGINT, D DECIMAL(9,2), F DOUBLE, C CHAR(10), V VARCHAR(20), DT DATE, TM TIME,
        TS TIMESTAMP, N INTEGER, NC CHAR(3));
    INSERT INTO PROD.T VALUES (7, 1234, 12345678901, -123.45, 2.5, 'ABC', 'Hello World', '2000-01-31', '13.05.09',
        '2000-02-29-10.20.30.123456', NULL, NULL);";

#[test]
fn expressions_have_the_values_of_the_table() {
    let database = Database::new();
    let mut script = translated(TABLE);
    script += crate::functions::PROBE;
    script += "set timezone = 'UTC'; create table pg_temp.results (n int, value text);\n";
    let table = include_str!("queries.tsv");
    let cases: Vec<(&str, &str)> = table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_once('\t').unwrap()).collect();
    let mut wrong = Vec::new();
    for (number, (expression, _)) in cases.iter().enumerate() {
        match translate(&format!("SELECT {expression} AS X FROM T"), &DynamicOptions::default()) {
            Ok(dynamic) => {
                let text = format!(
                    "insert into pg_temp.results select {number}, pg_temp.probe($case$(select x from ({}) q)$case$);\n",
                    dynamic.text
                );
                script += &text;
            }
            Err(error) => script += &format!("insert into pg_temp.results values ({number}, $case$!{}$case$);\n", error.code),
        }
    }
    script += "select value from pg_temp.results order by n;";
    let found = database.run(&script).expect("values");
    assert_eq!(found.len(), cases.len());
    for ((expression, expected), found) in cases.iter().zip(&found) {
        let is_error = expected.starts_with('!') && found.starts_with(&format!("{expected} "));
        if *expected != found && !is_error {
            wrong.push(format!("{expression}: {found:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn an_assignment_truncates_decimal_places() {
    let database = Database::new();
    let text = translated(
        "CREATE TABLE PROD.M (ID INTEGER, AMOUNT DECIMAL(9,2), RATE DOUBLE, NAME CHAR(5));
         INSERT INTO PROD.M (ID, AMOUNT, RATE) VALUES (1, 10.01 * 1.06, 1.5 * 1.5);
         UPDATE M SET AMOUNT = AMOUNT * 1.06, ID = ID + 1.9 * 1 WHERE AMOUNT > 1;
         SELECT ID, AMOUNT, RATE FROM M;
         UPDATE M SET AMOUNT = AMOUNT * -1.06, NAME = 'A' CONCAT 'B', RATE = RATE * 1.5;
         SELECT AMOUNT, RATE FROM M;",
    );
    assert_eq!(database.run(&text).unwrap(), ["2\t11.24\t2.25", "-11.91\t3.375"]);
}
