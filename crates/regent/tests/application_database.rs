//! The private database of an application: made by `regent up` from jobs and scripts, reached by `regent sql` and `regent run`, found again
//! after the region was killed.

mod support;

use std::path::Path;
use std::process::{Command, Output};

use support::application::Application;

const PROGRAM: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. ADDTOWN.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  WS-NAME             PIC X(10) VALUE 'OSLO'.
       01  WS-COUNT            PIC S9(9) COMP.
       PROCEDURE DIVISION.
           EXEC SQL INSERT INTO TOWN (NAME) VALUES (:WS-NAME) END-EXEC
           EXEC SQL SELECT COUNT(*) INTO :WS-COUNT FROM TOWN END-EXEC
           DISPLAY 'CODE ' SQLCODE ' COUNT ' WS-COUNT
           GOBACK.
";

const JOB: &str = "//MAKE    JOB
//TABLES  EXEC PGM=IKJEFT01
//SYSTSIN DD *
  DSN SYSTEM(DB2)
  RUN PROGRAM(DSNTIAD) PLAN(DSNTIAD)
  BIND PACKAGE(TOWNS) MEMBER(ADDTOWN) QUALIFIER(GEO)
/*
//SYSIN   DD *
 SET CURRENT SQLID = 'GEO';
 INSERT INTO TOWN (NAME) VALUES ('BERN');
 INSERT INTO NOWHERE (NAME) VALUES ('X');
/*
";

const SCRIPT: &str = "DROP TABLE GEO.TOWN;
CREATE TABLE GEO.TOWN (NAME CHAR(10) NOT NULL, PRIMARY KEY (NAME)) IN DATABASE GEODB;
";

fn regent(arguments: &[&str], directory: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_regent")).args(arguments).arg(directory).output().expect("regent runs")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// `regent up --strict` ends by itself at a problem, after the set-up.
fn set_up(application: &Application) -> String {
    text(&regent(&["up", "--strict", "--port-3270", "0"], application.path()))
}

#[test]
fn jobs_and_scripts_make_a_private_database_once() {
    let application = Application::new();
    application.write("ADDTOWN.cbl", PROGRAM);
    application.write("make.jcl", JOB);
    application.write("town.ddl", SCRIPT);
    let first = set_up(&application);
    assert!(first.contains("private PostgreSQL, started, schema GEO"), "{first}");
    assert!(first.contains("make.jcl:11:14: SQLCODE -204"), "{first}");
    let query = |statement: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_regent")).arg("sql").arg(application.path()).args(["--", statement]).output();
        text(&output.expect("regent runs"))
    };
    assert!(query("SELECT * FROM TOWN ORDER BY NAME").contains("NAME\n----\nBERN\n1 row"), "{}", query("SELECT * FROM TOWN"));
    let second = set_up(&application);
    assert!(!second.contains("MAKE.TABLES              1 SQL"), "what was run is not run again: {second}");
    let program = application.path().join("ADDTOWN.cbl");
    let run = Command::new(env!("CARGO_BIN_EXE_regent")).arg("run").arg(&program).arg("--app").arg(application.path()).output();
    let run = text(&run.expect("regent runs"));
    assert!(run.contains("COUNT 000000002"), "{run}");
    assert!(
        query("SELECT COUNT(*) FROM TOWN").contains("\n    2\n"),
        "the end of the program commits: {}",
        query("SELECT COUNT(*) FROM TOWN")
    );
    assert!(query("SELECT * FROM TWON").contains("SQLCODE -204"));
    // Statements may follow the directory; those behind one that fails run too, unless --stop is given.
    let sql = |arguments: &[&str]| {
        let command = Command::new(env!("CARGO_BIN_EXE_regent")).arg("sql").arg(application.path()).args(arguments).output();
        let output = command.expect("regent runs");
        (output.status.code(), text(&output))
    };
    let two = "SELECT NAMES\n FROM TOWN; SELECT COUNT(*) FROM TOWN";
    let (code, printed) = sql(&[two]);
    assert_eq!(code, Some(8));
    let wanted = "line 1:8: SQLCODE -206, SQLSTATE 42703: NAMES is not a column of TOWN; did you mean NAME?\n     1 | SELECT NAMES\n       |        ^";
    assert!(printed.contains(wanted) && printed.contains("1 row"), "{printed}");
    let (code, printed) = sql(&["--stop", two]);
    assert!(code == Some(8) && !printed.contains("1 row"), "{printed}");
    let (_, printed) = sql(&["--format", "json", "SELECT NAMES FROM TOWN"]);
    assert!(printed.contains("\"sqlcode\":-206") && printed.contains("\"line\":1"), "{printed}");
    let (code, printed) = sql(&[" "]);
    assert!(code == Some(16) && printed.contains("there is no SQL statement"), "{printed}");
    let (_, printed) = sql(&["INSERT INTO TOWN SELECT NAME, NAME FROM TOWN"]);
    assert!(printed.contains("SQLCODE -117"), "{printed}");
    // The server analyses static SQL when the program is compiled.
    application.write("ADDTOWN.cbl", &PROGRAM.replace("TOWN (NAME)", "TOWN (NAMES)").replace("FROM TOWN", "FROM TOWNS"));
    let compiled = text(&regent(&["compile", "--app"], application.path()));
    assert!(compiled.contains("ADDTOWN.cbl:9:39: RGTSQ1004-W NAMES is not a column of TOWN"), "{compiled}");
    assert!(compiled.contains("ADDTOWN.cbl:10:57: RGTSQ1004-W table TOWNS does not exist in schema GEO"), "{compiled}");
    application.write("town.ddl", "CREATE TABLE GEO.RIVER (NAME CHAR(10),\n  LENGTH INTEGR);\n");
    let third = set_up(&application);
    assert!(third.contains("town.ddl:2:10: SQLCODE -204, SQLSTATE 42704: INTEGR is not a data type; did you mean INTEGER?"), "{third}");
    for (statement, code) in [
        ("SELECT PG_READ_FILE('/etc/passwd') FROM SYSIBM.SYSDUMMY1", "SQLCODE -440"),
        ("SELECT * FROM TABLE(PG_LS_DIR('/')) AS X", "SQLCODE -440"),
        ("INSERT INTO TOWN (NAME) VALUES (LO_IMPORT('/etc/passwd'))", "SQLCODE -440"),
        ("SELECT CAST('pg_authid' AS REGCLASS) FROM SYSIBM.SYSDUMMY1", "SQLCODE -204"),
        ("SELECT * FROM PG_AUTHID", "SQLCODE -204"),
        ("DROP TABLE DB2.UNITS_OF_WORK", "SQLCODE -551"),
        ("DELETE FROM SET_UP", "SQLCODE -204"),
        ("DROP INDEX UNITS_OF_WORK_PKEY", "SQLCODE -204"),
        ("SET CURRENT SQLID = 'DB2'", "SQLCODE -553"),
        ("SET CURRENT SCHEMA = 'Db2'", "SQLCODE -553"),
    ] {
        assert!(query(statement).contains(code), "{statement}: {}", query(statement));
    }
    let clean = regent(&["clean", "--everything"], application.path());
    assert!(clean.status.success(), "{}", text(&clean));
    assert!(!application.path().join(".regent/database").exists());
}

#[test]
fn a_transaction_of_an_entry_that_is_not_there_is_a_problem_of_the_start() {
    let application = Application::new();
    application.write("bank.csd", "DEFINE DB2TRAN(BANKTRAN) GROUP(BANK)\n       ENTRY(NOENTRY) TRANSID(BNK1)\n");
    let started = set_up(&application);
    let problem = "bank.csd:1: DB2TRAN(BANKTRAN): no DB2ENTRY(NOENTRY) is installed; transaction BNK1 uses the pool";
    assert!(started.contains(problem), "{started}");
}

#[test]
fn a_place_of_the_database_that_is_wrong_is_told_without_its_password() {
    for line in
        ["url = \"postgres//u:S3cret@host/x\"", "url = \"postgresql://u:S3cret@host/x", "password = \"S3cret\"", "url = [\"S3cret\"]"]
    {
        let application = Application::new();
        application.write("regent.toml", &format!("[database]\n{line}\n"));
        let started = set_up(&application);
        assert!(started.contains("regent.toml") || started.contains("[database] url"), "{line}: {started}");
        assert!(!started.contains("S3cret"), "{line}: {started}");
    }
}

const LOAD_JOB: &str = "//FILL    JOB
//LOAD    EXEC PGM=DSNUTILB,PARM='DB2,FILL'
//SYSREC  DD DSN=GEO.TOWNS,DISP=SHR
//MORE    DD *
0004BERN
0005
/*
//SYSIN   DD *
  LOAD DATA RESUME NO INTO TABLE GEO.TOWN
  (NUMBER POSITION(1:4) INTEGER EXTERNAL, NAME POSITION(5:14) CHAR(10))
  LOAD DATA INDDN MORE RESUME YES INTO TABLE GEO.TOWN
  (NUMBER POSITION(1:4) INTEGER EXTERNAL,
   NAME POSITION(5:14) CHAR(10) NULLIF(NAME=' '))
/*
//LATER   EXEC PGM=DSNUTILB
//SYSREC  DD DSN=GEO.NOWHERE,DISP=SHR
//SYSIN   DD *
  LOAD DATA RESUME YES INTO TABLE GEO.TOWN
/*
//EMPTY   JOB
//UNLOAD  EXEC PGM=IKJEFT01
//SYSTSIN DD *
  DSN SYSTEM(DB2)
  RUN PROGRAM(DSNTIAUL) PLAN(DSNTIAUL) PARMS('SQL')
/*
//SYSREC00 DD DSN=GEO.COPY,DISP=(NEW,CATLG)
//SYSREC01 DD DSN=GEO.TEXT,DISP=(NEW,CATLG)
//SYSPUNCH DD DSN=GEO.PUNCH,DISP=(NEW,CATLG)
//SYSIN   DD *
  SELECT NUMBER, NAME FROM TOWN ORDER BY NUMBER;
  SELECT CAST('X' CONCAT CHAR(NUMBER) AS CHAR(6)) FROM TOWN WHERE NUMBER > 3 ORDER BY 1;
/*
";

/// Tables are loaded once, from files of the application and from the stream; DSNTIAUL writes them as records again.
#[test]
fn utilities_load_tables_and_unload_them() {
    let application = Application::new();
    application.write("town.ddl", "CREATE TABLE GEO.TOWN (NUMBER INTEGER NOT NULL, NAME CHAR(10));\n");
    application.write("fill.jcl", LOAD_JOB);
    application.write("towns.txt", "0001OSLO\n0002ROM\n0003PARIS\n");
    let settings =
        "[database]\nschema = \"GEO\"\njobs = [\"EMPTY\"]\n[data]\n\"GEO.TOWNS\" = { path = \"towns.txt\", format = \"text\" }\n";
    application.write("regent.toml", settings);
    let first = set_up(&application);
    assert!(first.contains("FILL.LOAD                5 rows loaded"), "{first}");
    assert!(first.contains("FILL.LATER was not run: data set GEO.NOWHERE is not there"), "{first}");
    let second = set_up(&application);
    assert!(!second.contains("FILL.LOAD  "), "what was loaded is not loaded again: {second}");
    let written = |name: &str| std::fs::read(application.path().join(".regent/sequential").join(name)).expect(name);
    let page = |text: &str| codepage::by_ccsid(37).expect("a code page").encode(text);
    let mut expected = Vec::new();
    for (number, name, null) in [(1, "OSLO", false), (2, "ROM", false), (3, "PARIS", false), (4, "BERN", false), (5, "", true)] {
        expected.extend(i32::to_be_bytes(number));
        expected.extend(if null { vec![0; 10] } else { page(&format!("{name:10}")) });
        expected.extend(if null { page("?") } else { vec![0] });
    }
    assert_eq!(written("GEO.COPY"), expected);
    assert_eq!(written("GEO.TEXT"), page("X4    X5    "));
    let punch = codepage::by_ccsid(37).expect("a code page").decode(&written("GEO.PUNCH"));
    let cards: Vec<String> =
        punch.chars().collect::<Vec<_>>().chunks(80).map(|card| card.iter().collect::<String>().trim_end().to_string()).collect();
    let statement =
        ["LOAD DATA LOG NO INDDN SYSREC00 INTO TABLE", "    TBLNAME", " (", " NUMBER POSITION(1:4)", "   INTEGER,", " NAME POSITION(5:14)"];
    assert_eq!(cards[..6], statement, "{cards:?}");
    assert_eq!(cards[6..9], ["   CHAR(10)", "   NULLIF(15)='?'", " )"], "{cards:?}");
}
