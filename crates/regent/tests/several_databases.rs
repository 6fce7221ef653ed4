//! An application with two databases: `[database.NAME]` of regent.toml, CONNECT in a batch program, `regent sql --location`.

mod support;

use std::path::Path;
use std::process::{Command, Output};

use postgres::cluster::PrivateCluster;
use postgres::{Password, Session, ThreadWait};
use support::application::Application;

const PROGRAM: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. TWOTOWN.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  WS-BRANCH           PIC X(16) VALUE 'BRANCH'.
       01  WS-SERVER           PIC X(16).
       01  WS-COUNT            PIC S9(9) COMP.
       PROCEDURE DIVISION.
           EXEC SQL SET :WS-SERVER = CURRENT SERVER END-EXEC
           DISPLAY 'AT ' WS-SERVER
           EXEC SQL INSERT INTO TOWN (NAME) VALUES ('OSLO') END-EXEC
           DISPLAY 'INSERT ' SQLCODE
           EXEC SQL CONNECT TO :WS-BRANCH END-EXEC
           DISPLAY 'CONNECT ' SQLCODE ' ' SQLERRP
           EXEC SQL SET :WS-SERVER = CURRENT SERVER END-EXEC
           DISPLAY 'AT ' WS-SERVER
           EXEC SQL INSERT INTO TOWN (NAME) VALUES ('OSLO') END-EXEC
           DISPLAY 'INSERT ' SQLCODE
           EXEC SQL COMMIT END-EXEC
           DISPLAY 'COMMIT ' SQLCODE
           EXEC SQL SELECT COUNT(*) INTO :WS-COUNT FROM TOWN END-EXEC
           DISPLAY 'COUNT ' WS-COUNT
           EXEC SQL INSERT INTO TOWN (NAME) VALUES ('KIEL') END-EXEC
           EXEC SQL CONNECT RESET END-EXEC
           EXEC SQL INSERT INTO TOWN (NAME) VALUES ('KIEL') END-EXEC
           EXEC SQL RELEASE :WS-BRANCH END-EXEC
           DISPLAY 'RELEASE ' SQLCODE
           EXEC SQL CONNECT TO ELSEWHERE END-EXEC
           DISPLAY 'CONNECT ' SQLCODE
           GOBACK.
";

const CONFIGURATION: &str = "[database]
location = \"HEADOFF\"
schema = \"GEO\"
[database.BRANCH]
scripts = [\"branch.ddl\"]
";

const TABLE: &str = "CREATE TABLE GEO.TOWN (NAME CHAR(10) NOT NULL, PRIMARY KEY (NAME));\n";

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn regent(arguments: &[&str]) -> String {
    text(&Command::new(env!("CARGO_BIN_EXE_regent")).args(arguments).output().expect("regent runs"))
}

fn shown(path: &Path) -> &str {
    path.to_str().expect("the paths of tests are text")
}

/// `regent up --strict` ends by itself at a problem, after the set-up.
fn set_up(application: &Application) -> String {
    regent(&["up", "--strict", "--port-3270", "0", shown(application.path())])
}

#[test]
fn a_batch_program_changes_two_databases_in_one_unit_of_work() {
    let application = Application::new();
    application.write("regent.toml", CONFIGURATION);
    application.write("TWOTOWN.cbl", PROGRAM);
    application.write("town.ddl", &format!("{TABLE}INSERT INTO GEO.NOWHERE VALUES (1);\n"));
    application.write("branch.ddl", &format!("{TABLE}INSERT INTO GEO.TOWN (NAME) VALUES ('BERN');\n"));
    let directory = shown(application.path());
    let started = set_up(&application);
    assert!(started.contains("location  BRANCH: private PostgreSQL, found running, schema GEO"), "{started}");
    assert!(started.contains("branch.ddl") && !started.contains("RGTSQ1004"), "{started}");
    let names = |location: &[&str]| {
        let statement = ["SELECT NAME FROM TOWN ORDER BY NAME"];
        let printed = regent(&[&["sql", directory][..], location, &["--"], &statement].concat());
        printed.lines().skip(2).take_while(|line| !line.contains("row")).map(|line| line.trim().to_string()).collect::<Vec<_>>().join(",")
    };
    assert_eq!((names(&[]).as_str(), names(&["--location", "branch"]).as_str()), ("", "BERN"));
    let program = application.path().join("TWOTOWN.cbl");
    let run = regent(&["run", shown(&program), "--app", directory]);
    for line in [
        "AT HEADOFF",
        "INSERT 0000000000",
        "CONNECT 0000000000 DSN12015",
        "AT BRANCH",
        "COMMIT 0000000000",
        "COUNT 000000002",
        "RELEASE 0000000000",
        "CONNECT 000000095",
    ] {
        assert!(run.contains(line), "{line}: {run}");
    }
    assert_eq!((names(&[]).as_str(), names(&["--location", "BRANCH"]).as_str()), ("KIEL,OSLO", "BERN,KIEL,OSLO"));
    // Nothing is left of the units of work.
    assert_eq!(regent(&["sql", directory, "--location", "OTHER", "SELECT 1 FROM SYSIBM.SYSDUMMY1"]).trim(), missing());
    // Both or none: the second insert of the same row fails, and an abend takes the first back.
    let abending = PROGRAM.replace("GOBACK", "CALL 'NOSUCH'").replace("'KIEL'", "'GENT'");
    application.write("TWOTOWN.cbl", &abending);
    let run = regent(&["run", shown(&program), "--app", directory]);
    assert!(run.contains("COUNT 000000003"), "{run}");
    assert_eq!((names(&[]).as_str(), names(&["--location", "BRANCH"]).as_str()), ("KIEL,OSLO", "BERN,KIEL,OSLO"));
}

fn missing() -> &'static str {
    "regent: location OTHER is not in regent.toml, as [database.OTHER]; there are BRANCH"
}

#[test]
fn what_is_wrong_with_a_location_is_told_at_the_start() {
    for (table, problem) in [
        ("[database.2ND]\n", "`2ND` is no location name"),
        ("[database.BRANCH]\nulr = \"postgresql://u:S3cret@host/x\"\n", "unknown field `ulr`"),
        ("[database.BRANCH]\nurl = \"postgres//u:S3cret@host/x\"\n", "[database.BRANCH] url: "),
        ("[database.BRANCH]\nurl = \"postgresql://u:S3cret@localhost:1/x\"\n", "location BRANCH is not there: "),
        ("[database.BRANCH]\njobs = [\"LOAD\"]\n", "`jobs` is for [database] alone, not for location BRANCH"),
    ] {
        let application = Application::new();
        application.write("regent.toml", &format!("[database]\n{table}"));
        let started = set_up(&application);
        assert!(started.contains(problem) && !started.contains("S3cret"), "{table}: {started}");
    }
}

#[test]
fn a_named_server_and_the_private_cluster_are_changed_together() {
    let directory = tempfile::tempdir().unwrap();
    let server = PrivateCluster::open(&directory.path().join("server"), 10).unwrap_or_else(|error| panic!("{error}"));
    let config = server.config();
    let Password::PassFile(passwords) = &config.password else { panic!("the cluster has a file of passwords") };
    let (user, database, host) = (&config.user, &config.database, &config.host);
    let url = format!("postgresql://{user}@/{database}?host={host}&passfile={}", passwords.display());
    let application = Application::new();
    application.write("regent.toml", &CONFIGURATION.replace("[database]", &format!("[database]\nurl = \"{url}\"")));
    application.write("TWOTOWN.cbl", PROGRAM);
    application.write("town.ddl", &format!("{TABLE}INSERT INTO GEO.NOWHERE VALUES (1);\n"));
    application.write("branch.ddl", &format!("{TABLE}INSERT INTO GEO.TOWN (NAME) VALUES ('BERN');\n"));
    let started = set_up(&application);
    assert!(started.contains("location  BRANCH: private PostgreSQL, started, schema GEO"), "{started}");
    let program = application.path().join("TWOTOWN.cbl");
    let run = regent(&["run", shown(&program), "--app", shown(application.path())]);
    assert!(run.contains("COMMIT 0000000000") && run.contains("COUNT 000000002"), "{run}");
    // What the application's own database cannot commit, the location does not either: its commit finds the row there.
    let mut session = Session::connect(&config, &mut ThreadWait).unwrap();
    let refuse = "create function db2.refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'; \
                  create trigger refuse before insert on db2.units_of_work for each row execute function db2.refuse()";
    session.query(refuse);
    session.finish(&mut ThreadWait, |_| {}).unwrap();
    application.write("TWOTOWN.cbl", &PROGRAM.replace("'OSLO'", "'LYON'").replace("'KIEL'", "'ROME'"));
    let run = regent(&["run", shown(&program), "--app", shown(application.path())]);
    assert!(run.contains("COMMIT 000000043Q") && run.contains("the implicit COMMIT at the end of the program failed"), "{run}");
    let count = regent(&["sql", shown(application.path()), "--location", "BRANCH", "SELECT 'N' || COUNT(*) FROM TOWN"]);
    assert!(count.contains("N3"), "BERN, OSLO and KIEL: {count}");
    server.stop().unwrap();
}
