//! Batch programs written in C: `regent run`, steps of jobs, EXEC SQL and its unit of work, abends.

mod support;

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use support::application::Application;
use support::{regent, root};

fn program(name: &str) -> PathBuf {
    root().join("crates/regent/tests/applications/c_batch").join(name)
}

fn source(name: &str) -> String {
    std::fs::read_to_string(program(name)).expect("the source")
}

/// The output of a command that reads `input`.
fn output(command: &mut Command, input: &str) -> Output {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("regent runs");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("read");
    child.wait_with_output().expect("regent ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn arguments_streams_and_return_codes() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut command = regent();
    command.arg("run").args([program("CARGS.c"), program("ADDER.cbl")]).args(["--parm", "TERMTHDACT(QUIET)/one,two  /three"]);
    let ran = output(&mut command, "abc\nlonger than the line\n");
    let lines = "0 [CARGS]\n1 [one,two]\n2 [/three]\nread [abc]\nread [longer ] ...\nread [than th] ...\nread [e line]\n\
                 sum 23 at the end\nat the end\n";
    assert_eq!((text(&ran.stdout).as_str(), ran.status.code()), (lines, Some(23)), "{}", text(&ran.stderr));
    assert_eq!(text(&ran.stderr), "to standard error\n");

    // A load module, its streams in files.
    let library = directory.path().join("load");
    let compiled = regent().arg("compile").args([program("CARGS.c"), program("ADDER.cbl")]).arg("-o").arg(&library).output();
    assert!(compiled.expect("regent runs").status.success());
    let file = |name: &str| directory.path().join(name);
    let dd = |dd: &str, name: &str| format!("{dd}={}:text", file(name).display());
    let mut command = regent();
    command.arg("run").arg(library.join("CARGS.rlm")).arg("-L").arg(&library);
    command.args(["--dd", &dd("SYSPRINT", "print"), "--dd", &dd("SYSOUT", "out")]);
    let ran = output(&mut command, "");
    assert_eq!((text(&ran.stdout).as_str(), ran.status.code()), ("", Some(0)), "{}", text(&ran.stderr));
    let read = |name: &str| std::fs::read_to_string(file(name)).expect("written");
    assert_eq!(read("print"), "0 [CARGS]\nsum 0 at the end\nat the end\n");
    assert_eq!(read("out"), "to standard error\n");
}

/// The letter, the completion code, and words of the line at which the program fails.
const FAILURES: [(&str, &str, &str); 9] = [
    ("W", "S0C4", "0x7FFFF000"),
    ("R", "S0C4", "case 'R'"),
    ("N", "S0C4", ""),
    ("S", "S0C4", "case 'S'"),
    ("E", "S0C4", ""),
    ("D", "S0C9", "case 'D'"),
    ("A", "U4038", ""),
    ("C", "AEY9", ""),
    ("L", "S0C4", ""),
];

#[test]
fn programs_that_go_wrong_abend() {
    let source_lines = source("CWILD.c");
    for (letter, code, words) in FAILURES {
        let ran = output(regent().arg("run").arg(program("CWILD.c")).args(["--parm", letter]), "");
        let (printed, told) = (text(&ran.stdout), text(&ran.stderr));
        assert_eq!(ran.status.code(), Some(255), "{letter}: {printed}{told}");
        assert!(printed.starts_with("begins\n") && !printed.contains("ends\n"), "{letter}: {printed}");
        assert!(told.starts_with(code) || told.contains(&format!("\n{code}")), "{letter}: {told}");
        if !words.is_empty() {
            let line = source_lines.lines().position(|line| line.contains(words)).expect("the line") + 1;
            assert!(told.contains(&format!("CWILD.c:{line})")), "{letter}: {told}");
        }
    }
    let ran = output(regent().arg("run").arg(program("CWILD.c")), "");
    assert_eq!((text(&ran.stdout).as_str(), ran.status.code()), ("begins\nends\n", Some(4)));
}

const JOB: &str = "//LOAD    JOB
//FIRST    EXEC PGM=IKJEFT01
//SYSTSIN  DD *
  DSN SYSTEM(DB2)
  RUN PROGRAM(CTOWNS) PLAN(TOWNS) PARMS('C')
/*
//SYSIN    DD *
BERN
WIEN
/*
//SECOND   EXEC PGM=CTOWNS,PARM='-'
//SYSIN    DD *
ROMA
/*
";

fn up(application: &Application) -> String {
    let output = regent().args(["up", "--strict", "--port-3270", "0"]).arg(application.path()).output().expect("regent runs");
    text(&output.stdout) + &text(&output.stderr)
}

fn towns(application: &Application) -> String {
    let query = "SELECT NAME FROM TOWN ORDER BY NAME";
    let output = regent().arg("sql").arg(application.path()).args(["--", query]).output().expect("regent runs");
    let printed = text(&output.stdout);
    printed.lines().skip(2).take_while(|line| !line.contains("row")).map(str::trim).collect::<Vec<_>>().join(" ")
}

#[test]
fn units_of_work_and_steps_of_jobs() {
    let application = Application::new();
    application.write("CTOWNS.c", &source("CTOWNS.c"));
    application.write("town.ddl", "CREATE TABLE TOWN (NAME VARCHAR(20) NOT NULL, PRIMARY KEY (NAME));\n");
    // `regent up --strict` ends by itself at a problem.
    application.write("wrong.sql", "INSERT INTO NOWHERE VALUES (1);\n");
    application.write("load.jcl", JOB);
    application.write("regent.toml", "[database]\njobs = [\"LOAD\"]\n");
    let started = up(&application);
    assert!(started.contains("LOAD.FIRST") && started.contains("return code 0"), "{started}");
    assert_eq!(towns(&application), "BERN ROMA WIEN", "{started}");
    let listing = std::fs::read_to_string(application.path().join(".regent/listings/LOAD.SECOND.txt")).expect("a listing");
    assert_eq!(listing, "CTOWNS: 3 towns\n");

    let run = |end: &str, input: &str| {
        let mut command = regent();
        command.arg("run").arg(application.path().join("CTOWNS.c")).arg("--app").arg(application.path()).args(["--parm", end]);
        let ran = output(&mut command, input);
        (ran.status.code(), text(&ran.stdout), text(&ran.stderr))
    };
    // Rolled back by the program; left to the end of a program that ends well, or abends.
    for (end, input, code, printed, told, left) in [
        ("B", "OSLO\n", 0, "CTOWNS: 3 towns\n", "", "BERN ROMA WIEN"),
        ("-", "OSLO\n", 0, "CTOWNS: 4 towns\n", "", "BERN OSLO ROMA WIEN"),
        ("-", "PARIS\nOSLO\n", 8, "SQLCODE -803\n", "", "BERN OSLO PARIS ROMA WIEN"),
        ("W", "PRAHA\n", 255, "CTOWNS: 6 towns\n", "S0C4 in CTOWNS", "BERN OSLO PARIS ROMA WIEN"),
        ("X", "PRAHA\n", 255, "CTOWNS: 6 towns\n", "AEY9 in CTOWNS", "BERN OSLO PARIS ROMA WIEN"),
        ("A", "PRAHA\n", 255, "CTOWNS: 6 towns\n", "U4038 in CTOWNS", "BERN OSLO PARIS ROMA WIEN"),
    ] {
        let (status, out, err) = run(end, input);
        assert_eq!(status, Some(code), "{end}: {out}{err}");
        assert!(out.starts_with(printed) && err.contains(told), "{end}: {out}{err}");
        assert_eq!(towns(&application), left, "{end}");
    }

    // The server analyses static SQL when the program is compiled.
    let wrong = source("CTOWNS.c").replace("INTO TOWN (NAME)", "INTO TOWN (NAMES)").replace("FROM TOWN", "FROM TOWNS");
    application.write("CTOWNS.c", &wrong);
    let compiled = regent().args(["compile", "--app"]).arg(application.path()).output().expect("regent runs");
    let compiled = text(&compiled.stdout) + &text(&compiled.stderr);
    let line =
        |words: &str, skip: usize| wrong.lines().enumerate().filter(|(_, line)| line.contains(words)).nth(skip).expect("there").0 + 1;
    for (line, column, message) in [
        (line("(NAMES)", 0), 36, "NAMES is not a column of TOWN"),
        (line("FROM TOWNS", 0), 47, "table TOWNS does not exist in schema"),
        (line("FROM TOWNS", 1), 51, "table TOWNS does not exist in schema"),
    ] {
        assert!(compiled.contains(&format!("CTOWNS.c:{line}:{column}: RGTSQ1004-W {message}")), "{line}: {compiled}");
    }
    let clean = regent().args(["clean", "--everything"]).arg(application.path()).output().expect("regent runs");
    assert!(clean.status.success());
}

#[test]
fn types_that_cannot_be_host_variables_say_what_to_use() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("TYPES.c");
    let source = "#include <decimal.h>
EXEC SQL INCLUDE SQLCA;
static decimal(9,2) amount;
SQL TYPE IS CLOB_FILE letter;
int main(void)
{
    unsigned count; char *text; struct { unsigned long length; char *data; } bounded; _Decimal64 large; void *any; int plain;
    EXEC SQL SET :count = 1;
    EXEC SQL SET :text = 'A';
    EXEC SQL SET :bounded = 'A';
    EXEC SQL SET :large = 1;
    EXEC SQL SET :*plain = 1;
    EXEC SQL SET :any = 1;
    return 0;
}
";
    std::fs::write(&path, source).expect("written");
    let output = regent().arg("compile").arg(&path).arg("-o").arg(directory.path()).output().expect("regent runs");
    let told = text(&output.stdout) + &text(&output.stderr);
    for message in [
        "TYPES.c:1:1: RGTXL0025-S the types and functions of decimal.h are not supported; use double or, for exact digits, an array of characters",
        "TYPES.c:3:8: RGTXL0025-S the type decimal is not supported; use double",
        "TYPES.c:4:1: RGTSQ1012-S SQL TYPE IS CLOB_FILE letter: LOB file reference variables are not supported; use a LOB or a locator",
        "TYPES.c:8:18: RGTSQ1012-S count cannot be a host variable here: it is an unsigned number, which SQL does not have; declare a signed one",
        "TYPES.c:9:18: RGTSQ1012-S text cannot be a host variable here: it points to characters of unknown length; declare a pointer to an array",
        "TYPES.c:10:18: RGTSQ1012-S bounded cannot be a host variable here: a structure of a length and a pointer is not supported",
        "TYPES.c:11:18: RGTSQ1012-S large cannot be a host variable here: _Decimal64 is not supported; use double",
        "TYPES.c:12:18: RGTSQ1012-S plain is a number, not a pointer",
        "TYPES.c:13:18: RGTSQ1012-S any cannot be a host variable here: it is a pointer without a type",
    ] {
        assert!(told.contains(message), "{message}\n{told}");
    }
}
