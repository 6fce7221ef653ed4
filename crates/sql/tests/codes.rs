//! SQLCODEs: the table is complete and consistent, server errors translate, DSNTIAR's lines have their form.

use sql::codes::{Communication, DsntiarError, dsntiar, find, rows};
use sql::{ErrorContext, ServerError, SqlError, from_server, message_text};
use std::collections::BTreeSet;

#[test]
fn every_code_is_once_in_the_table_with_a_state_and_numbered_tokens() {
    let mut seen = BTreeSet::new();
    for row in rows() {
        assert!(seen.insert(row.code), "{} is twice in the table", row.code);
        assert_eq!(row.state.len(), 5, "{}", row.code);
        assert!(!row.text.is_empty() && row.text == row.text.to_uppercase(), "{}", row.code);
        for part in row.text.split("${").skip(1) {
            assert!(part.split('}').next().is_some_and(|number| number.parse::<u8>().is_ok()), "{}", row.code);
        }
    }
    assert!(seen.len() > 600);
    for code in
        [100, 304, 802, -104, -117, -180, -204, -302, -305, -407, -501, -530, -551, -803, -805, -811, -818, -911, -913, -922, -30081]
    {
        assert!(find(code).is_some(), "{code}");
    }
}

fn translate(fields: &[(&str, &str)], statement: &str) -> SqlError {
    let mut error = ServerError { severity: "ERROR".into(), ..ServerError::default() };
    for (name, value) in fields {
        let field = match *name {
            "code" => &mut error.code,
            "message" => &mut error.message,
            "detail" => &mut error.detail,
            "hint" => &mut error.hint,
            "column" => &mut error.column,
            "constraint" => &mut error.constraint,
            other => panic!("no field {other}"),
        };
        *field = value.to_string();
    }
    from_server(&error, ErrorContext { statement, authorization: "USER1", ..ErrorContext::default() })
}

#[test]
fn errors_of_the_server_have_db2s_codes_states_and_tokens() {
    let cases: &[(&[(&str, &str)], &str, i32, &str, &[&str])] = &[
        (&[("code", "23505"), ("constraint", "acctindx")], "INSERT", -803, "23505", &["ACCTINDX", "0000000000"]),
        (&[("code", "23505"), ("constraint", "acctindx")], "CREATE UNIQUE INDEX", -603, "23515", &["0000000000"]),
        (&[("code", "23503"), ("constraint", "fk"), ("detail", "Key (a)=(1) is not present in table")], "INSERT", -530, "23503", &["FK"]),
        (&[("code", "23503"), ("detail", "Key is still referenced from")], "DELETE", -532, "23504", &["", "0000000000"]),
        (&[("code", "23503"), ("detail", "Key is still referenced from")], "UPDATE T", -531, "23504", &["", "0000000000"]),
        (&[("code", "23502"), ("column", "name")], "INSERT", -407, "23502", &["NAME"]),
        (&[("code", "23514"), ("constraint", "c1")], "INSERT", -545, "23513", &["C1"]),
        (&[("code", "22001")], "INSERT", -404, "22001", &[]),
        (&[("code", "22003"), ("message", "integer out of range")], "", -802, "22003", &["FIXED POINT OVERFLOW", "*N", "INTEGER", "*N"]),
        (&[("code", "22003"), ("message", "numeric field overflow")], "", -413, "22003", &[]),
        (&[("code", "22012"), ("message", "division by zero")], "", -802, "22012", &["ZERO DIVIDE", "DIVISION", "*N", "*N"]),
        (&[("code", "22007"), ("message", "invalid input syntax for type date: \"x\"")], "", -180, "22007", &["x"]),
        (&[("code", "22008"), ("message", "date/time field value out of range: \"2023-13-01\"")], "", -181, "22007", &["2023-13-01"]),
        (&[("code", "22P02"), ("message", "invalid input syntax for type numeric: \"x\"")], "", -420, "22018", &["DECIMAL"]),
        (&[("code", "42P01"), ("message", "relation \"s.t\" does not exist")], "", -204, "42704", &["S.T"]),
        (&[("code", "42703"), ("message", "column a.b does not exist")], "SELECT", -206, "42703", &["A.B"]),
        (&[("code", "42703"), ("message", "column \"b\" does not exist")], "SELECT", -206, "42703", &["B"]),
        (&[("code", "42883"), ("message", "function x(integer) does not exist")], "", -440, "42884", &["X"]),
        (&[("code", "42883"), ("message", "function db2.x(integer) does not exist")], "", -171, "42815", &["1", "X"]),
        (&[("code", "42804"), ("message", "UNION types integer and date cannot be matched")], "", -415, "42825", &[]),
        (&[("code", "42601"), ("message", "subquery must return only one column")], "", -412, "42823", &[]),
        (&[("code", "42P10"), ("message", "ORDER BY position 3 is not in select list")], "", -125, "42805", &[]),
        (&[("code", "22003"), ("message", "smallint out of range")], "UPDATE T", -406, "22003", &[]),
        (&[("code", "24000"), ("message", "cursor \"c\" is not a simply updatable scan of table \"t\"")], "", -510, "42828", &[]),
        (&[("code", "42883"), ("message", "operator does not exist: integer = text")], "", -401, "42818", &["="]),
        (&[("code", "42804"), ("message", "column \"a\" is of type integer but expression is of type text")], "", -408, "42821", &["A"]),
        (&[("code", "42501"), ("message", "permission denied for table t")], "SELECT *", -551, "42501", &["USER1", "SELECT", "T"]),
        (&[("code", "42P07"), ("message", "relation \"t\" already exists")], "CREATE", -601, "42710", &["T", "TABLE"]),
        (&[("code", "42601"), ("message", "syntax error at or near \"FRM\"")], "", -104, "42601", &["FRM", "*N"]),
        (&[("code", "40P01")], "", -913, "57033", &["00C90088", "00000302", "*N"]),
        (&[("code", "55P03")], "", -913, "57033", &["00C9008E", "00000302", "*N"]),
        (&[("code", "57P01")], "", -924, "58006", &["0001", "00F30018", "*N"]),
        (&[("code", "24000"), ("message", "cursor \"c\" is not positioned on a row")], "", -508, "24504", &[]),
        (&[("code", "34000")], "", -501, "24501", &[]),
        (&[("code", "54001")], "", -101, "54001", &[]),
        (&[("code", "75000"), ("message", "by the application")], "", -438, "75000", &["by the application"]),
        (&[("code", "22011"), ("hint", "SQLCODE=-138")], "", -138, "22011", &[]),
        (&[("code", "22007"), ("hint", "SQLCODE=-181"), ("detail", "a\u{1f}b")], "", -181, "22007", &["a", "b"]),
        (&[("code", "XX000"), ("message", "oops")], "", -901, "58004", &["oops"]),
    ];
    for (fields, statement, code, state, tokens) in cases {
        let error = translate(fields, statement);
        let found = (error.code, std::str::from_utf8(&error.state).unwrap(), error.tokens.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(found, (*code, *state, tokens.to_vec()), "{fields:?}");
        assert!(find(error.code).is_some());
    }
}

#[test]
fn a_deadlock_is_911_when_the_unit_of_work_is_rolled_back() {
    let error = ServerError { code: "40P01".into(), ..ServerError::default() };
    assert_eq!(from_server(&error, ErrorContext { rolls_back: true, ..ErrorContext::default() }).code, -911);
}

#[test]
fn no_server_error_causes_a_panic() {
    for code in ["", "2", "22", "22003", "42703", "42883", "2BP01", "23503", "é1234"] {
        for message in ["", "\"", "column ", "function", "operator does not exist: ", "x\"é\"y\"", "cast type"] {
            translate(&[("code", code), ("message", message)], "");
        }
    }
}

#[test]
fn tokens_stand_in_the_text() {
    let text = message_text(-204, &["IBMUSER.ACCOUNT".to_string()]);
    assert_eq!(text, "IBMUSER.ACCOUNT IS NOT DEFINED");
    assert_eq!(message_text(-204, &[]), "*N IS NOT DEFINED");
    assert_eq!(message_text(-12345, &["A".to_string()]), "NO TEXT IS KNOWN FOR THIS CODE. TOKENS A");
}

fn duplicate_key() -> Communication {
    Communication {
        code: -803,
        state: "23505".into(),
        procedure: "DSNXRINS".into(),
        tokens: vec!["ACCTINDX".into(), "0000000201".into()],
        errd: [-110, 13172739, 0, 13223106, 0, 0],
        warnings: [b' '; 11],
    }
}

#[test]
fn dsntiar_makes_lines_of_the_length_asked_for() {
    let (lines, error) = dsntiar(&duplicate_key(), 72, 960);
    assert_eq!(error, None);
    assert!(lines.iter().all(|line| line.len() == 72));
    let text: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    assert_eq!(text[0], " DSNT408I SQLCODE = -803, ERROR:  UNIQUE INDEX ACCTINDX ALLOWS NO");
    assert_eq!(text[1], "          DUPLICATE VALUES. THE ROW THAT HAS THE VALUE IS RID 0000000201");
    assert_eq!(text[2], " DSNT418I SQLSTATE   = 23505 SQLSTATE RETURN CODE");
    assert_eq!(text[3], " DSNT415I SQLERRP    = DSNXRINS SQL PROCEDURE DETECTING ERROR");
    assert_eq!(text[4], " DSNT416I SQLERRD    = -110  13172739  0  13223106  0  0  SQL DIAGNOSTIC");
    assert!(text[6].starts_with(" DSNT416I SQLERRD    = X'FFFFFF92'  X'00C90003'"), "{}", text[6]);
}

#[test]
fn dsntiar_says_why_lines_are_missing() {
    assert_eq!(dsntiar(&duplicate_key(), 71, 960), (vec![], Some(DsntiarError::LineLength)));
    assert_eq!(dsntiar(&duplicate_key(), 241, 960), (vec![], Some(DsntiarError::LineLength)));
    assert_eq!(dsntiar(&duplicate_key(), 72, 239), (vec![], Some(DsntiarError::AreaLength)));
    let (lines, error) = dsntiar(&duplicate_key(), 80, 240);
    assert_eq!((lines.len(), error), (3, Some(DsntiarError::Truncated)));
}

#[test]
fn dsntiar_shows_warnings_and_success() {
    let mut area = Communication { state: "00000".into(), warnings: [b' '; 11], ..Communication::default() };
    assert_eq!(dsntiar(&area, 80, 800).0[0].trim_end(), " DSNT400I SQLCODE = 000,  SUCCESSFUL EXECUTION");
    area.warnings[0] = b'W';
    area.warnings[1] = b'W';
    let lines = dsntiar(&area, 80, 800).0;
    assert_eq!(lines[2].trim_end(), " DSNT417I SQLWARN0-5 = W,W,,,, SQL WARNINGS");
    area.code = 100;
    assert!(dsntiar(&area, 80, 800).0[0].starts_with(" DSNT404I SQLCODE = 100, NOT FOUND:  "));
}
