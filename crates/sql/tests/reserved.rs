//! What an application may not name: the schemas of the server and of the support functions, however they are reached.

use sql::{DynamicOptions, Unit, UnitOptions, parse, translate};

/// Statements that the translator refuses by itself.
const REFUSED: &[(&str, i32)] = &[
    ("SELECT PG_CATALOG.PG_READ_FILE('/x') FROM SYSIBM.SYSDUMMY1", -440),
    ("SELECT \"pg_catalog\".\"pg_read_file\"('/x') FROM SYSIBM.SYSDUMMY1", -440),
    ("SELECT HERE.PG_CATALOG.PG_READ_FILE('/x') FROM SYSIBM.SYSDUMMY1", -440),
    ("SELECT INFORMATION_SCHEMA._PG_CHAR_MAX_LENGTH(1, 2) FROM SYSIBM.SYSDUMMY1", -440),
    ("SELECT SYSIBM.LO_IMPORT('/x') FROM SYSIBM.SYSDUMMY1", -440),
    ("SELECT DB2.SET_REGISTER('USER', 'X') FROM SYSIBM.SYSDUMMY1", -440),
    ("SELECT * FROM TABLE(PG_CATALOG.PG_LS_DIR('/')) AS X", -440),
    ("CALL DB2.ENSURE_ROLE('X')", -440),
    ("CALL PG_CATALOG.X()", -440),
    ("SELECT CAST('x' AS PG_CATALOG.REGCLASS) FROM SYSIBM.SYSDUMMY1", -204),
    ("CREATE TABLE H.T (A SERIAL)", -204),
    ("SELECT * FROM PG_CATALOG.PG_AUTHID", -204),
    ("SELECT * FROM INFORMATION_SCHEMA.TABLES", -204),
    ("SELECT * FROM DB2.SET_UP", -551),
    ("CREATE VIEW H.V AS SELECT * FROM DB2.SET_UP", -551),
    ("CREATE ALIAS H.A FOR DB2.SET_UP", -551),
    ("CREATE TABLE H.L LIKE DB2.SET_UP", -551),
    ("DELETE FROM DB2.UNITS_OF_WORK", -551),
    ("DELETE FROM \"db2\".units_of_work", -551),
    ("DELETE FROM HERE.DB2.UNITS_OF_WORK", -551),
    ("DELETE FROM PG_CATALOG.PG_CLASS", -551),
    ("UPDATE INFORMATION_SCHEMA.SQL_PARTS SET IS_SUPPORTED = 'X'", -551),
    ("INSERT INTO PG_CATALOG.PG_AUTHID (ROLNAME) VALUES ('X')", -551),
    ("INSERT INTO SYSIBM.SYSTABLES (NAME) VALUES ('X')", -551),
    ("MERGE INTO DB2.SET_UP USING H.T ON 1 = 1 WHEN MATCHED THEN DELETE", -551),
    ("SELECT * FROM FINAL TABLE (INSERT INTO DB2.SET_UP (STEP) VALUES ('X'))", -551),
    ("TRUNCATE TABLE DB2.SET_UP IMMEDIATE", -551),
    ("LOCK TABLE DB2.UNITS_OF_WORK IN EXCLUSIVE MODE", -551),
    ("CREATE TABLE DB2.HACK (A INT)", -551),
    ("CREATE TABLE H.R (A INT REFERENCES DB2.UNITS_OF_WORK)", -551),
    ("CREATE INDEX I ON DB2.SET_UP (STEP)", -551),
    ("ALTER TABLE DB2.SET_UP ADD A INT", -551),
    ("DROP TABLE DB2.UNITS_OF_WORK", -551),
    ("DROP INDEX DB2.UNITS_OF_WORK_PKEY", -551),
    ("DROP SCHEMA DB2", -551),
    ("CREATE SCHEMA DB2", -551),
    ("RENAME TABLE DB2.SET_UP TO X", -551),
    ("COMMENT ON TABLE DB2.SET_UP IS 'x'", -551),
    ("COMMENT ON COLUMN DB2.SET_UP.STEP IS 'x'", -551),
    ("GRANT ALL ON DB2.SET_UP TO PUBLIC", -551),
    ("REVOKE ALL ON SYSIBM.SYSTABLES FROM PUBLIC", -551),
    ("GRANT EXECUTE ON FUNCTION PG_CATALOG.LO_IMPORT TO PUBLIC", -551),
    ("SELECT NEXT VALUE FOR DB2.UNIQUE_NUMBER FROM SYSIBM.SYSDUMMY1", -551),
    ("DROP VIEW SYSTABLES", -551),
    ("DELETE FROM SYSDUMMY1", -551),
    ("GRANT SELECT ON SYSCOLUMNS TO PUBLIC", -551),
];

#[test]
fn schemas_that_are_not_the_applications_are_refused() {
    for (text, expected) in REFUSED {
        match translate(text, &DynamicOptions::default()) {
            Ok(dynamic) => panic!("{text}: {}", dynamic.text),
            Err(error) => assert_eq!(error.code, *expected, "{text}"),
        }
    }
}

#[test]
fn static_statements_are_refused_when_they_are_compiled() {
    let unit = Unit::new(UnitOptions::default());
    for text in ["DELETE FROM DB2.UNITS_OF_WORK", "UPDATE H.T SET V = PG_CATALOG.LO_IMPORT('/x')", "DROP TABLE DB2.SET_UP"] {
        let parsed = parse(text, &UnitOptions::default()).unwrap();
        assert!(unit.compile(&parsed, &[]).is_err(), "{text}");
    }
    let parsed = parse("UPDATE H.T SET V = LO_IMPORT('/x')", &UnitOptions::default()).unwrap();
    let statement = unit.compile(&parsed, &[]).unwrap().statement.unwrap();
    assert_eq!(statement.check, "CALL db2.check_names(ARRAY['lo_import']::text[], ARRAY[]::text[], ARRAY[]::text[])");
}

#[test]
fn the_server_checks_what_only_it_knows() {
    let check = |text: &str| translate(text, &DynamicOptions::default()).unwrap_or_else(|error| panic!("{text}: {error}")).check;
    assert_eq!(check("SELECT ID FROM H.T WHERE UPPER(V) = 'X'"), "");
    assert_eq!(check("WITH PG_X AS (SELECT ID FROM H.T) SELECT * FROM PG_X"), "");
    for text in [
        "SELECT LO_IMPORT('/x') FROM SYSIBM.SYSDUMMY1",
        "SELECT \"lo_import\"('/x') FROM SYSIBM.SYSDUMMY1",
        "SELECT ID FROM H.T ORDER BY /* */ lo_import /* */ ('/x')",
        "SELECT COALESCE(LO_IMPORT('/x'), 1) FROM SYSIBM.SYSDUMMY1",
        "INSERT INTO H.T (ID) VALUES (LO_IMPORT('/x'))",
    ] {
        assert!(check(text).contains("ARRAY['lo_import']"), "{text}");
    }
    assert!(check("DELETE FROM PG_CLASS").ends_with("ARRAY['pg_class']::text[])"));
    assert!(check("SELECT CAST('x' AS REGCLASS) FROM SYSIBM.SYSDUMMY1").contains("ARRAY['regclass']"));
    for text in [
        "CREATE TABLE H.T (A INT DEFAULT LO_IMPORT('/x'))",
        "CREATE TABLE H.T (A INT CHECK (LO_IMPORT(A) = 1))",
        "CREATE INDEX H.I ON H.T (LO_IMPORT(A))",
        "CREATE VIEW H.V AS SELECT LO_IMPORT('/x') AS A FROM SYSIBM.SYSDUMMY1",
    ] {
        let dynamic = translate(text, &DynamicOptions::default()).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(dynamic.text.starts_with("DO $definition$ BEGIN CALL db2.check_names(ARRAY['lo_import']"), "{text}: {}", dynamic.text);
    }
}

#[test]
fn a_name_stays_a_name_in_what_is_made_of_it() {
    let dynamic =
        translate("CREATE TABLE H.\"T; x\" (\"N y\" DECIMAL(9) GENERATED ALWAYS AS IDENTITY)", &DynamicOptions::default()).unwrap();
    assert!(dynamic.text.contains("CREATE SEQUENCE h.\"T; x_N y_seq\";"), "{}", dynamic.text);
    assert!(dynamic.text.contains("OWNED BY h.\"T; x\".\"N y\""), "{}", dynamic.text);
    assert_eq!(sql::procedure("APP.P").unwrap().0, "app.p");
    assert!(sql::procedure("APP.P(LO_IMPORT('/x'))--").is_err());
    assert_eq!(sql::procedure("DB2.ENSURE_ROLE").unwrap_err().code, -440);
}

#[test]
fn a_name_that_is_no_column_does_not_reach_the_server() {
    let translated = |text: &str| translate(text, &DynamicOptions::default());
    for text in [
        "SELECT CTID FROM H.T",
        "SELECT T.XMIN FROM H.T T",
        "SELECT ID FROM H.T ORDER BY \"tableoid\"",
        "UPDATE H.T SET V = CTID",
        "CREATE TABLE H.T (A INT CHECK (XMAX IS NULL))",
        "SELECT Q.ROW_TO_JSON FROM (SELECT ID FROM H.T) Q",
        "SELECT Q FROM (SELECT ID FROM H.T) Q",
    ] {
        assert_eq!(translated(text).map(|dynamic| dynamic.text).unwrap_err().code, -206, "{text}");
    }
    let check = |text: &str| translated(text).unwrap_or_else(|error| panic!("{text}: {error}")).check;
    assert_eq!(check("SELECT T.ROW_TO_JSON FROM H.T T"), "CALL db2.check_columns(ARRAY['row_to_json\u{1f}h.t']::text[])");
    assert_eq!(check("SELECT T FROM H.T T, H.U"), "CALL db2.check_columns(ARRAY['t\u{1f}h.t\u{1f}h.u']::text[])");
    assert!(check("UPDATE H.T SET V = T.PG_COLUMN_SIZE").contains("pg_column_size"));
    for text in [
        "SELECT Q.XMIN FROM (SELECT ID AS XMIN FROM H.T) Q",
        "SELECT ID AS XMIN FROM H.T ORDER BY XMIN",
        "SELECT ID AS T FROM H.T ORDER BY T",
        "SELECT COUNT FROM H.T",
        "SELECT T.ID, COUNT(*) FROM H.T GROUP BY T.ID",
    ] {
        assert_eq!(check(text), "", "{text}");
    }
}

#[test]
fn a_common_table_does_not_hide_a_table_of_the_server_from_a_change_that_stands_in_front_of_it() {
    for text in [
        "WITH PG_ROLES AS (SELECT ID FROM H.T) SELECT * FROM FINAL TABLE (INSERT INTO H.T SELECT ID FROM PG_ROLES)",
        "SELECT * FROM (WITH PG_ROLES AS (SELECT ID FROM H.T) SELECT * FROM FINAL TABLE (INSERT INTO H.T SELECT ID FROM PG_ROLES)) Q",
    ] {
        let check = translate(text, &DynamicOptions::default()).unwrap_or_else(|error| panic!("{text}: {error}")).check;
        assert!(check.contains("ARRAY['pg_roles']"), "{text}: {check}");
    }
}

#[test]
fn too_many_host_variables_are_not_nesting() {
    let list = vec![":A"; 66_000].join(", ");
    let problems = parse(&format!("SELECT ID INTO :B FROM H.T WHERE ID IN ({list})"), &UnitOptions::default()).unwrap_err();
    assert_eq!(problems[0].text, "the statement has more than 65535 host variables");
}
