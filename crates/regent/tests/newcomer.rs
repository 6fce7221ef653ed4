//! `regent up` for a newcomer with an application: names of load modules, jobs with procedures, problems at the start.
//!
//! Expected results come from the manuals named at each test, and from docs/up.md.

mod support;

use std::process::Output;

use support::application::Application;
use support::terminal::Terminal;
use support::{Region, regent};

/// A program that sends a text and ends.
fn program(id: &str, text: &str) -> String {
    format!(
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. {id}.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n       01  T PIC X(20) VALUE '{text}'.\n       PROCEDURE DIVISION.\n           EXEC CICS SEND TEXT FROM(T) LENGTH(20) ERASE FREEKB END-EXEC\n           EXEC CICS RETURN END-EXEC.\n"
    )
}

fn transactions(pairs: &[(&str, &str)]) -> String {
    let lines = pairs.iter().map(|(transaction, program)| {
        format!("DEFINE PROGRAM({program}) GROUP(APP)\nDEFINE TRANSACTION({transaction}) GROUP(APP) PROGRAM({program})\n")
    });
    lines.collect()
}

fn up(application: &Application, arguments: &[&str]) -> Output {
    let mut command = regent();
    command.arg("up").arg(application.path()).arg("--data").arg(application.data()).args(arguments);
    command.output().expect("regent runs")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Names of load modules: "Binder control statements" of z/OS MVS Program Management, NAME and ALIAS; SYSLMOD gives the name without NAME.
#[test]
fn load_modules_have_the_names_of_the_binder_of_regent_toml_and_of_files() {
    let application = Application::new();
    application.write("cobol/PAYROLL.cbl", &program("PAY01", "FROM PAYROLL"));
    application.write("cobol/LEDGER.cbl", &program("LED01", "FROM LEDGER"));
    application.write("cobol/STOCK.cbl", &program("STK01", "FROM STOCK"));
    application.write("link/led.lnk", " INCLUDE SYSLIB(DFHELII)\n INCLUDE OBJ(LED01)\n ENTRY LED01\n ALIAS LEDGALI\n NAME LEDGMOD(R)\n");
    application.write("jcl/STK.jcl", "//STK JOB\n//S EXEC DFHYITVL,MEM=STK01\n//LKED.SYSIN DD *\n NAME STKMOD(R)\n/*\n");
    application.write("regent.toml", "[modules]\nPAYMENT = \"PAY01\"\n");
    application.write(
        "app.csd",
        &transactions(&[
            ("PAY1", "PAYROLL"),
            ("PAY2", "PAYMENT"),
            ("PAY3", "PAY01"),
            ("LED1", "LEDGMOD"),
            ("LED2", "LEDGALI"),
            ("STK1", "STKMOD"),
        ]),
    );
    let region = Region::start(application.path(), application.data(), &[]);
    let mut terminal = Terminal::connect(region.port);
    for (transaction, expected) in [
        ("PAY1", "FROM PAYROLL"),
        ("PAY2", "FROM PAYROLL"),
        ("PAY3", "FROM PAYROLL"),
        ("LED1", "FROM LEDGER"),
        ("LED2", "FROM LEDGER"),
        ("STK1", "FROM STOCK"),
    ] {
        terminal.transaction(transaction);
        terminal.expect(expected);
    }
    drop(terminal);
    assert_eq!(region.stop(), 0);
    // A name that nobody asks for any more is no member of the library.
    application.write("regent.toml", "");
    let region = Region::start(application.path(), application.data(), &[]);
    assert!(!application.data().join("library/PAYMENT.rlm").exists() && application.data().join("library/PAYROLL.rlm").exists());
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_duplicate_program_id_is_reported_with_the_source_used() {
    let application = Application::new();
    application.write("a/OLDPAY.cbl", &program("PAY01", "THE OLD ONE"));
    application.write("b/PAY01.cbl", &program("PAY01", "THE NEW ONE"));
    application.write("app.csd", &transactions(&[("PAY1", "PAY01"), ("PAY2", "OLDPAY")]));
    let region = Region::start(application.path(), application.data(), &[]);
    let warning = region.output.iter().find(|line| line.contains("PROGRAM-ID PAY01 is in two sources")).expect("a warning");
    let (taken, other) = warning.split_once("not from").expect("both are named");
    assert!(taken.contains("b/PAY01.cbl") && other.contains("a/OLDPAY.cbl"), "{warning}");
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("PAY1");
    terminal.expect("THE NEW ONE");
    terminal.transaction("PAY2");
    terminal.expect("THE OLD ONE");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

const CLUSTER: &str = "INDEXED KEYS(4 0) RECORDSIZE(80 80) TRACKS(1 1)";

/// MVS JCL Reference: a procedure in the stream that calls one of the application, symbols of each level, and DD statements that override.
#[test]
fn jobs_run_with_procedures_includes_and_symbols() {
    let application = Application::new();
    let job = "//LOADALL JOB NOTIFY=&SYSUID\n\
               // JCLLIB ORDER=(MY.PROC)\n\
               //JOBLIB DD DSN=MY.LOADLIB,DISP=SHR\n\
               // EXPORT SYMLIST=(HLQ)\n\
               // SET HLQ=FIRST\n\
               //INNER PROC KIND=NONE,SIZE=4\n\
               //D EXEC MAKE,NAME=&HLQ..&KIND\n\
               //  PEND\n\
               //ONE EXEC INNER,KIND=ONE\n\
               // SET HLQ=SECOND\n\
               //TWO EXEC INNER,KIND=TWO\n\
               //THREE EXEC MAKE,NAME=SECOND.THREE\n\
               //LOAD.IN DD *\nAAAA1111\nBBBB2222\n/*\n\
               // INCLUDE MEMBER=LISTIT\n";
    application.write("jcl/LOADALL.jcl", job);
    application.write(
        "proc/MAKE.prc",
        &format!(
            "//MAKE PROC NAME=\n//DEFINE EXEC PGM=IDCAMS\n//SYSPRINT DD SYSOUT=*\n//SYSIN DD *,SYMBOLS=JCLONLY\n  DEFINE CLUSTER (NAME(&NAME..KSDS) -\n   {CLUSTER})\n/*\n//LOAD EXEC PGM=IDCAMS\n//IN DD DSN=NULLFILE\n//OUT DD DSN=&NAME..KSDS,DISP=SHR\n//SYSIN DD DSN=MY.CTL(COPYIT),DISP=SHR\n// PEND\n"
        ),
    );
    application.write("ctl/COPYIT.ctl", "  REPRO INFILE(IN) OUTFILE(OUT)\n");
    application.write(
        "jcl/LISTIT.jcl",
        &format!("//MORE EXEC PGM=IDCAMS\n//SYSIN DD *\n  DEFINE CLUSTER(NAME(&SYSUID..INCLUDED) {CLUSTER})\n/*\n"),
    );
    application.write("cobol/P.cbl", &program("P", "P"));
    application.write("regent.toml", "[symbols]\nSYSUID = \"TESTER\"\n");
    let files = [("F1", "FIRST.ONE.KSDS"), ("F2", "SECOND.TWO.KSDS"), ("F3", "SECOND.THREE.KSDS"), ("F4", "TESTER.INCLUDED")];
    application.write("app.csd", &files.map(|(file, name)| format!("DEFINE FILE({file}) GROUP(APP) DSNAME({name})\n")).concat());
    let region = Region::start(application.path(), application.data(), &[]);
    let output = region.output.join("\n");
    assert_eq!(region.output.last().map(String::as_str), Some("ready"), "{output}");
    assert!(!output.contains("not known") && !output.contains("not used"), "{output}");
    assert_eq!(region.stop(), 0);
    let listing =
        std::fs::read_to_string(application.data().join("listings/LOADALL.THREE.LOAD.txt")).expect("the step of the procedure ran");
    assert!(listing.contains("NUMBER OF RECORDS PROCESSED WAS 2"), "{listing}");
}

#[test]
fn symbols_without_a_value_are_named_with_the_place_to_give_them() {
    let application = Application::new();
    let job = |name: &str, data_set: &str| {
        format!("//{name} JOB\n//S EXEC PGM=IDCAMS\n//SYSIN DD *\n  DEFINE CLUSTER(NAME({data_set}) {CLUSTER})\n/*\n")
    };
    application.write("jcl/A.jcl", &job("A", "&HLQ..A"));
    application.write("jcl/B.jcl", &job("B", "<USRHLQ>.B"));
    application.write("jcl/C.jcl", &job("C", "D&LYR4..C"));
    application.write("jcl/D.jcl", &job("D", "@BANK_PREFIX@.D").replace("//SYSIN", "//STEPLIB DD DSN=@NOT_NEEDED@.LOAD\n//SYSIN"));
    application.write("cobol/P.cbl", &program("P", "P"));
    let region = Region::start(application.path(), application.data(), &[]);
    let output = region.output.join("\n");
    assert!(output.contains("ready, with 3 problems:"), "{output}");
    assert!(output.contains("D.S was not run: @BANK_PREFIX@ has no value; give it one under [symbols]"), "{output}");
    assert!(output.contains("A.S was not run: &HLQ has no value; give it one under [symbols] in regent.toml"), "{output}");
    assert!(output.contains("B.S was not run: <USRHLQ> has no value"), "{output}");
    assert!(output.contains("C.S"), "a system symbol has a value: {output}");
    assert_eq!(region.stop(), 0);
    application.write("regent.toml", "[symbols]\nHLQ = \"X\"\nUSRHLQ = \"Y\"\nBANK_PREFIX = \"Z\"\n");
    let region = Region::start(application.path(), application.data(), &[]);
    assert_eq!(region.output.last().map(String::as_str), Some("ready"), "{}", region.output.join("\n"));
    assert_eq!(region.stop(), 0);
}

/// A step that fails matters when a FILE of the application uses what it makes.
#[test]
fn condition_codes_say_which_of_them_matter() {
    let application = Application::new();
    let job = "//J JOB\n\
               //USED EXEC PGM=IDCAMS\n//SYSIN DD *\n  DEFINE CLUSTER(NAME(APP.USED) INDEXED KEYS(4 0) RECORDSIZE(80 60) TRACKS(1 1))\n/*\n\
               //IDLE EXEC PGM=IDCAMS\n//SYSIN DD *\n  DEFINE CLUSTER(NAME(APP.IDLE) INDEXED KEYS(4 0) RECORDSIZE(80 60) TRACKS(1 1))\n/*\n";
    application.write("jcl/J.jcl", job);
    application.write("cobol/P.cbl", &program("P", "P"));
    application.write("app.csd", "DEFINE FILE(USED) GROUP(APP) DSNAME(APP.USED)\n");
    for start in ["first", "second"] {
        let region = Region::start(application.path(), application.data(), &[]);
        let output = region.output.join("\n");
        let line =
            |step: &str| region.output.iter().find(|line| line.contains(step) && line.contains("matter")).cloned().unwrap_or_default();
        assert!(output.contains("ready, with 1 problem:"), "{start}: {output}");
        assert!(line("J.USED").contains("matters: FILE(USED) uses APP.USED, which it should have made"), "{start}: {output}");
        assert!(line("J.IDLE").contains("does not matter"), "{start}: {output}");
        assert_eq!(region.stop(), 0);
    }
}

#[test]
fn maps_in_assembler_files_copybooks_of_dclgen_and_exclude() {
    let application = Application::new();
    application.write(
        "maps/SCREEN.asm",
        "SCREEN  DFHMSD TYPE=MAP,MODE=INOUT,LANG=COBOL,TIOAPFX=YES\nSCREEN1 DFHMDI SIZE=(24,80)\nFIELD1  DFHMDF POS=(2,2),LENGTH=9\n        DFHMSD TYPE=FINAL\n        END\n",
    );
    application.write("dcl/TABLE1.dcl", "       01  TABLE1-ROW.\n           05  COLUMN1 PIC X(4).\n");
    let source = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. P.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n           COPY SCREEN.\n           EXEC SQL INCLUDE TABLE1 END-EXEC.\n       PROCEDURE DIVISION.\n           MOVE 'IN A MAP' TO FIELD1O\n           MOVE 'X' TO COLUMN1\n           EXEC CICS SEND MAP('SCREEN1') MAPSET('SCREEN')\n                ERASE FREEKB END-EXEC\n           EXEC CICS RETURN END-EXEC.\n";
    application.write("cobol/P.cbl", source);
    application.write(
        "cobol/old/BROKEN.cbl",
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. BROKEN.\n       PROCEDURE DIVISION.\n           GARBAGE.\n",
    );
    application.write("app.csd", &transactions(&[("SHOW", "P")]));
    application.write("regent.toml", "[source]\nexclude = [\"./cobol/old/\", \"olld\"]\n");
    let region = Region::start(application.path(), application.data(), &[]);
    let output = region.output.join("\n");
    assert!(output.contains("ready, with 1 problem:") && output.contains("`olld` leaves nothing out"), "{output}");
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("SHOW");
    terminal.expect("IN A MAP");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn the_problems_of_a_start_are_listed_and_strict_refuses_them() {
    let application = Application::new();
    application.write("cobol/GOOD.cbl", &program("GOOD", "STILL SERVED"));
    application.write("cobol/BADPGM.cbl", "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. BADPGM.\n       PROCEDURE DIVISION.\n           MOVE NOTHING TO NOWHERE.\n           GOBACK.\n");
    application.write(
        "app.csd",
        &format!(
            "{}DEFINE FILE(LOST) GROUP(APP) DSNAME(NOT.THERE)\nDEFINE TRANSACTION(X1) GROUP(APP) PROGRM(GOOD)\n",
            transactions(&[("GOOD", "GOOD"), ("BAD1", "BADPGM")])
        ),
    );
    application.write("regent.toml", "[sit]\nGRPLIST = \"TODOLIST\"\n");
    let mut region = Region::start(application.path(), application.data(), &[]);
    let output = region.output.join("\n");
    assert!(output.contains("ready, with 4 problems:"), "{output}");
    for problem in [
        "cobol/BADPGM.cbl did not compile",
        "definition rejected",
        "GRPLIST names TODOLIST, which is no list or group in the CSD",
        "FILE(LOST): data set NOT.THERE does not exist",
    ] {
        assert!(output.contains(problem), "{problem}\n{output}");
    }
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("GOOD");
    terminal.expect("STILL SERVED");
    terminal.transaction("BAD1");
    let messages = application.data().join("library/BADPGM.messages");
    let expected = format!("it did not compile: see {}", messages.display());
    assert!(region.wait_for(|line| line.contains(&expected), std::time::Duration::from_secs(30)), "{}", region.output.join("\n"));
    assert!(std::fs::read_to_string(&messages).expect("the messages are kept").contains("NOWHERE"));
    drop(terminal);
    assert_eq!(region.stop(), 0);

    let output = up(&application, &["--port-3270", "0", "--strict"]);
    assert_eq!(output.status.code(), Some(8), "{}", text(&output));
    assert!(text(&output).contains("not started (--strict), with 4 problems:"), "{}", text(&output));
}

#[test]
fn definitions_that_name_nothing_are_problems() {
    let application = Application::new();
    application.write("cobol/PAYROLL.cbl", &program("PAYROLL", "PAID"));
    application.write(
        "app.csd",
        &format!(
            "{}DEFINE TRANSACTION(PAY2) GROUP(APP) PROGRAM(PAYROL)\nDEFINE FILE(RATES) GROUP(APP)\n\
             DEFINE TRANSACTION(PAY3) GROUP(APP) PROGRAM(PAYROLL) TRANCLASS(BATCH) PROFILE(SMALL)\n\
             DEFINE TRANSACTION(FAR) GROUP(APP) PROGRAM(FARAWAY) REMOTESYSTEM(SYSB)\nDEFINE FILE(FARFILE) GROUP(APP) REMOTESYSTEM(SYSB)\n",
            transactions(&[("PAY1", "PAYROLL")])
        ),
    );
    let region = Region::start(application.path(), application.data(), &[]);
    let output = region.output.join("\n");
    assert!(output.contains("ready, with 4 problems:"), "{output}");
    assert!(output.contains("TRANSACTION(PAY3): TRANCLASS BATCH is not defined") && output.contains("PROFILE SMALL is not"), "{output}");
    let line = |part: &str| region.output.iter().find(|line| line.contains(part)).cloned().unwrap_or_default();
    let transaction = line("TRANSACTION(PAY2)");
    assert!(transaction.contains("program PAYROL does not exist") && transaction.contains("app.csd:3"), "{output}");
    assert!(transaction.contains("did you mean PAYROLL?"), "{output}");
    let file = line("FILE(RATES)");
    assert!(file.contains("has no data set") && file.contains("app.csd:4") && file.contains("DSNAME(name)"), "{output}");
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_port_in_use_is_reported_before_any_work() {
    let application = Application::new();
    application.write("cobol/P.cbl", &program("P", "P"));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("its address").port();
    let output = up(&application, &["--port-3270", &port.to_string()]);
    let said = text(&output);
    assert_eq!(output.status.code(), Some(16), "{said}");
    assert!(said.contains("Address already in use") && said.contains("--port-3270"), "{said}");
    assert!(!application.data().join("data").exists(), "nothing was made: {said}");
}

#[test]
fn a_work_directory_that_cannot_be_made_names_the_option() {
    let application = Application::new();
    application.write("cobol/P.cbl", &program("P", "P"));
    application.write("file", "not a directory");
    let output =
        regent().arg("up").arg(application.path()).arg("--port-3270=0").arg("--data").arg(application.path().join("file/work")).output();
    let said = text(&output.expect("regent runs"));
    assert!(said.contains("file/work: ") && said.contains("--data"), "{said}");
}

/// Address space, not memory: the store's pages are mapped once, far larger than they are.
#[test]
fn an_address_space_limit_is_reported_as_such() {
    let application = Application::new();
    application.write("cobol/P.cbl", &program("P", "P"));
    for limit in ["536870912", "4294967296"] {
        let mut command = std::process::Command::new("prlimit");
        command.arg(format!("--as={limit}")).arg(env!("CARGO_BIN_EXE_regent")).arg("up").arg(application.path());
        let output = command.arg("--data").arg(application.data()).args(["--port-3270", "0"]).output().expect("prlimit runs");
        let said = text(&output);
        assert_eq!(output.status.code(), Some(16), "{said}");
        assert!(said.contains("addresses") && said.contains("ulimit -v"), "{said}");
    }
}

#[test]
fn a_second_start_names_the_data_directory_once() {
    let application = Application::new();
    application.write("cobol/P.cbl", &program("P", "P"));
    let region = Region::start(application.path(), application.data(), &[]);
    let output = up(&application, &["--port-3270", "0"]);
    let said = text(&output);
    let data = application.data().join("data").display().to_string();
    assert_eq!(said.matches(&data).count(), 1, "{said}");
    assert!(said.contains("in use") && said.contains(&region.id().to_string()), "{said}");
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_program_that_missed_a_copybook_is_compiled_when_the_copybook_is_there() {
    let application = Application::new();
    let source = program("PAY01", "PAID").replace("       PROCEDURE DIVISION", "       COPY AMOUNTS.\n       PROCEDURE DIVISION");
    application.write("cobol/PAY01.cbl", &source);
    application.write("copy/OTHER.cpy", "       01  OTHER PIC X.\n");
    application.write("app.csd", &transactions(&[("PAY1", "PAY01")]));
    let region = Region::start(application.path(), application.data(), &[]);
    assert!(region.output.iter().any(|line| line.contains("AMOUNTS")), "{}", region.output.join("\n"));
    assert_eq!(region.stop(), 0);
    application.write("copy/AMOUNTS.cpy", "       01  AMOUNT PIC 9(5).\n");
    let region = Region::start(application.path(), application.data(), &[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("PAY1");
    terminal.expect("PAID");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_step_that_failed_is_run_again_when_what_it_needs_has_been_defined() {
    let application = Application::new();
    let job = |cluster: &str| {
        format!(
            "//LOAD JOB\n//S1 EXEC PGM=IDCAMS\n//SYSIN DD *\n {cluster}(NAME(APP.STOCK) INDEXED KEYS(4 0) RECORDSIZE(80 80))\n/*\n//S2 EXEC PGM=IDCAMS\n//IN DD *\n0001 BOLTS\n/*\n//SYSIN DD *\n REPRO INFILE(IN) OUTDATASET(APP.STOCK)\n/*\n"
        )
    };
    application.write("jcl/LOAD.jcl", &job("DEFINE CLUSTR"));
    let region = Region::start(application.path(), application.data(), &[]);
    let output = region.output.join("\n");
    assert!(output.contains("LOAD.S1") && !output.contains("[data]"), "{output}");
    assert_eq!(region.stop(), 0);
    application.write("jcl/LOAD.jcl", &job("DEFINE CLUSTER"));
    let region = Region::start(application.path(), application.data(), &[]);
    let output = region.output.join("\n");
    for step in ["LOAD.S1", "LOAD.S2"] {
        let line = region.output.iter().find(|line| line.contains(step)).unwrap_or_else(|| panic!("{step}: {output}"));
        assert!(line.ends_with("condition code 0"), "{output}");
    }
    assert_eq!(region.output.last().map(String::as_str), Some("ready"), "{output}");
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_step_that_failed_in_part_makes_the_rest_when_it_is_mended() {
    let application = Application::new();
    application.write("cobol/P.cbl", &program("P", "P"));
    application.write("app.csd", "DEFINE FILE(STOCK) GROUP(APP) DSNAME(APP.STOCK)\nDEFINE FILE(RATES) GROUP(APP) DSNAME(APP.RATES)\n");
    let job = |record_size: &str| {
        format!(
            "//LOAD JOB\n//S1 EXEC PGM=IDCAMS\n//IN DD *\n0001 BOLTS\n/*\n//IN2 DD *\n0002 NUTS\n0003 NAILS\n/*\n//SYSIN DD *\n \
             DELETE APP.STOCK\n SET MAXCC=0\n \
             DEFINE CLUSTER(NAME(APP.STOCK) INDEXED KEYS(4 0) RECORDSIZE(80 80))\n REPRO INFILE(IN) OUTDATASET(APP.STOCK)\n \
             DEFINE CLUSTER(NAME(APP.RATES) INDEXED KEYS(4 0) RECORDSIZE({record_size}))\n REPRO INFILE(IN2) OUTDATASET(APP.RATES)\n/*\n"
        )
    };
    application.write("jcl/LOAD.jcl", &job("80 60"));
    let region = Region::start(application.path(), application.data(), &[]);
    assert!(region.output.join("\n").contains("FILE(RATES) uses APP.RATES"), "{}", region.output.join("\n"));
    assert_eq!(region.stop(), 0);
    application.write("jcl/LOAD.jcl", &job("80 80"));
    let region = Region::start(application.path(), application.data(), &[]);
    let output = region.output.join("\n");
    assert!(output.contains("LOAD.S1: APP.STOCK was made before and is kept"), "{output}");
    assert_eq!(region.output.last().map(String::as_str), Some("ready"), "{output}");
    assert_eq!(region.stop(), 0);
    let listing = std::fs::read_to_string(application.data().join("listings/LOAD.S1.txt")).expect("the step has run");
    assert!(listing.contains("NUMBER OF RECORDS PROCESSED WAS 2") && !listing.contains("APP.STOCK"), "{listing}");
}

/// Repositories keep the records of a data set as lines of text. They are converted and padded like in-stream data, with no entry in [data].
#[test]
fn a_file_of_lines_named_like_its_data_set_is_loaded_as_text() {
    let application = Application::new();
    application.write("data/APP.SEED", "0001 BOLTS\n0002 NUTS\n");
    application.write(
        "jcl/LOAD.jcl",
        "//LOAD JOB\n//S1 EXEC PGM=IDCAMS\n//IN DD DSN=APP.SEED,DISP=SHR\n//SYSIN DD *\n DEFINE CLUSTER(NAME(APP.STOCK) INDEXED KEYS(4 0) RECORDSIZE(80 80))\n REPRO INFILE(IN) OUTDATASET(APP.STOCK)\n/*\n",
    );
    application.write("app.csd", "DEFINE FILE(STOCK) GROUP(APP) DSNAME(APP.STOCK) RECORDFORMAT(F) BROWSE(YES)\n");
    let region = Region::start(application.path(), application.data(), &[]);
    assert_eq!(region.output.last().map(String::as_str), Some("ready"), "{}", region.output.join("\n"));
    // CECI has no LENGTH of its own to give: it takes that of the records, which the first READ finds out.
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CECI READ FILE(STOCK) RIDFLD('0001')");
    terminal.expect("ABOUT TO EXECUTE");
    terminal.enter();
    terminal.expect("RESPONSE: NORMAL");
    terminal.expect("0001 BOLTS");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    application.write("stock.cpy", "       01 STOCK.\n          05 STOCK-ID PIC 9(4).\n          05 STOCK-NAME PIC X(76).\n");
    let copybook = application.path().join("stock.cpy");
    let exported = regent()
        .args(["vsam", "export", "APP.STOCK", "--copybook"])
        .arg(copybook)
        .arg("--data")
        .arg(application.data().join("data"))
        .output();
    let exported = text(&exported.expect("regent runs"));
    assert!(exported.contains("1, BOLTS") && exported.contains("2, NUTS"), "{exported}");
}

/// A step that went well is not run again when its job changes, because its data may have been used: the start says so, and what to do.
#[test]
fn a_changed_step_is_named_and_run_again_when_its_data_sets_are_deleted() {
    let application = Application::new();
    let job = |size: u32, record: &str| {
        format!(
            "//LOAD JOB\n//S1 EXEC PGM=IDCAMS\n//IN DD *\n{record}\n/*\n//SYSIN DD *\n DEFINE CLUSTER(NAME(APP.STOCK) INDEXED KEYS(4 0) RECORDSIZE({size} {size}))\n REPRO INFILE(IN) OUTDATASET(APP.STOCK)\n/*\n"
        )
    };
    let start = |job: String| {
        application.write("jcl/LOAD.jcl", &job);
        let region = Region::start(application.path(), application.data(), &[]);
        let output = region.output.join("\n");
        assert_eq!(region.stop(), 0);
        output
    };
    assert!(start(job(80, "0001 BOLTS")).contains("condition code 0"));
    let same = start(job(80, "0001 BOLTS"));
    assert!(!same.contains("LOAD.S1"), "{same}");
    for changed in [job(120, "0001 BOLTS"), job(80, "0001 NUTS")] {
        let output = start(changed);
        assert!(output.contains("LOAD.S1 has changed since it was run, and is not run again") && output.contains("APP.STOCK"), "{output}");
        assert!(!output.contains("condition code"), "{output}");
    }
    application.write("delete.txt", " DELETE APP.STOCK CLUSTER\n");
    let statements = application.path().join("delete.txt");
    let deleted = regent().arg("idcams").arg(statements).arg("--data").arg(application.data().join("data")).output().expect("regent runs");
    assert!(deleted.status.success(), "{}", text(&deleted));
    assert!(start(job(120, "0001 BOLTS")).contains("condition code 0"));
}

/// ASKTIME of the API reference: CICS stores a packed decimal of eight bytes at the address of the area.
#[test]
fn a_time_is_stored_in_the_first_bytes_of_a_longer_area() {
    let application = Application::new();
    application.write(
        "cobol/LONGTIME.cbl",
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. LONGTIME.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n       \
         01  T PIC X(20) VALUE ALL '*'.\n       01  R PIC X(30).\n       PROCEDURE DIVISION.\n           \
         EXEC CICS ASKTIME ABSTIME(T) END-EXEC\n           \
         EXEC CICS FORMATTIME ABSTIME(T) YYYYMMDD(R) END-EXEC\n           MOVE T(9:12) TO R(9:12)\n           \
         EXEC CICS SEND TEXT FROM(R) LENGTH(30) ERASE FREEKB END-EXEC\n           EXEC CICS RETURN END-EXEC.\n",
    );
    application.write("app.csd", &transactions(&[("LTIM", "LONGTIME")]));
    let region = Region::start(application.path(), application.data(), &[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("LTIM");
    terminal.expect("************");
    let line = terminal.text().join(" ");
    assert!(line.trim_start().starts_with("20") && line.contains(&"*".repeat(12)), "{line}");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// z/OS Language Environment Customization, "Add destination control table (DCT) entries", and Programming Guide, "Message handling under
/// CICS": output of a COBOL program goes to CESE behind terminal, transaction and time.
#[test]
fn display_goes_to_cese_behind_terminal_transaction_and_time() {
    let application = Application::new();
    let source = program("SHOWS", "SHOWN").replace("PROCEDURE DIVISION.\n", "PROCEDURE DIVISION.\n           DISPLAY 'SHIPPED A0000001'\n");
    application.write("cobol/SHOWS.cbl", &source);
    application.write("app.csd", &transactions(&[("SHOW", "SHOWS")]));
    let region = Region::start(application.path(), application.data(), &[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("SHOW");
    terminal.expect("SHOWN");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    let queue = |name: &str| std::fs::read_to_string(application.data().join("data/queues").join(name)).unwrap_or_default();
    let log = queue("ceemsg.log");
    let line = log.lines().find(|line| line.contains("SHIPPED A0000001")).unwrap_or_else(|| panic!("no line in CESE: {log}"));
    assert!(line.starts_with(' ') && !line[1..5].trim().is_empty() && &line[5..10] == "SHOW ", "{line}");
    assert!(line[10..24].bytes().all(|byte| byte.is_ascii_digit()) && &line[24..] == " SHIPPED A0000001", "{line}");
    assert!(!queue("ceeout.log").contains("SHIPPED"), "CESO is for the standard output of C");
}

/// A library is often unloaded with the extension txt for all its members.
#[test]
fn copy_members_in_text_files_are_found_and_missing_ones_are_listed_at_the_end() {
    let application = Application::new();
    let copies = |id: &str, members: &[&str]| {
        let copies: String = members.iter().map(|member| format!("       COPY {member}.\n")).collect();
        program(id, "TEXT COPIED").replace("       PROCEDURE DIVISION", &format!("{copies}       PROCEDURE DIVISION"))
    };
    application.write("cobol/TEXTCPY.cbl", &copies("TEXTCPY", &["ORDREC"]));
    application.write("cobol/LACKS1.cbl", &copies("LACKS1", &["CIMENU", "RULES"]));
    application.write("cobol/LACKS2.cbl", &copies("LACKS2", &["CIMENU", "BADSET"]));
    application.write("cpy/ORDREC.txt", "       01  ORDER-RECORD.\n           05  ORDER-NUMBER PIC 9(5).\n");
    application.write("rules/RULES.txt", "           MOVE SPACES TO T.\n");
    application.write("bms/BADSET.bms", "BADSET  DFHMSD TYPE=MAP,LANG=COBOL\nM       DFHMDX FOO\n        DFHMSD TYPE=FINAL\n        END\n");
    application.write("app.csd", &transactions(&[("TEXT", "TEXTCPY")]));
    let region = Region::start(application.path(), application.data(), &[]);
    let said = region.output.join("\n");
    assert!(said.contains("COPY members missing: BADSET (1 program), CIMENU (2 programs), RULES (1 program; "), "{said}");
    assert!(said.contains("rules/RULES.txt was taken for data: name "), "{said}");
    assert!(
        said.contains("BADSET was not found: it is the symbolic map of ") && said.contains("BADSET.bms, which did not compile"),
        "{said}"
    );
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("TEXT");
    terminal.expect("TEXT COPIED");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// BLDINDEX reads the base cluster ("DFSMS Access Method Services Commands"): a file of records does not help.
#[test]
fn an_alternate_index_over_a_cluster_of_no_job_is_explained() {
    let application = Application::new();
    application.write(
        "jcl/AIX.jcl",
        "//AIX JOB\n//S EXEC PGM=IDCAMS\n//SYSPRINT DD SYSOUT=*\n//BASE DD DSN=MY.BASE,DISP=SHR\n//INDEX DD DSN=MY.AIX,DISP=SHR\n\
         //SYSIN DD *\n  DEFINE AIX (NAME(MY.AIX) RELATE(MY.BASE) -\n   KEYS(5 0) RECORDSIZE(20 20))\n  BLDINDEX INFILE(BASE) OUTFILE(INDEX)\n/*\n",
    );
    let region = Region::start(application.path(), application.data(), &[]);
    let said = region.output.join("\n");
    assert!(said.contains("data set MY.BASE is defined by no job"), "{said}");
    assert!(!said.contains("no file for the sequential data set MY.BASE"), "{said}");
    assert_eq!(region.stop(), 0);
}

/// A checkout that is included through a link is not "not used"; an option that a message says is ignored does not end the program.
#[test]
fn a_link_to_an_included_directory_is_no_leftover_and_an_ignored_option_does_not_end_the_program() {
    let (application, elsewhere) = (Application::new(), Application::new());
    elsewhere.write("src/IGN.cbl", &program("IGN01", "WITHOUT THE OPTION").replace("LENGTH(20)", "LENGTH(20)\n             STRFIELD"));
    std::os::unix::fs::symlink(elsewhere.path(), application.path().join("checkout")).unwrap();
    application.write("regent.toml", "[source]\ninclude = [\"checkout/src\"]\n");
    application.write("app.csd", &transactions(&[("IGN1", "IGN01")]));

    let region = Region::start(application.path(), application.data(), &[]);
    let output = region.output.join("\n");
    assert!(!output.contains("symbolic link"), "{output}");
    assert!(output.contains("STRFIELD is not an option of SEND TEXT; it is ignored"), "{output}");
    assert!(output.contains("has statements in error, which end the program unless a message says what is ignored"), "{output}");
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("IGN1");
    terminal.expect("WITHOUT THE OPTION");
    assert_eq!(region.stop(), 0);
}
