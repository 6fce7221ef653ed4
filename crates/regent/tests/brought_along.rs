//! `regent up` for what comes along with an application from z/OS: bundles, libraries, programs that load files, sources in languages that
//! have no compiler here, compiler options of earlier releases.
//!
//! Expected results come from docs/up.md and docs/policies.md.

mod support;

use std::io::Read;
use std::net::TcpStream;
use support::Region;
use support::application::Application;
use support::terminal::Terminal;

/// A program that shows a record of FILE(STOCK).
const SHOW: &str = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. SHOW.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n       01  K PIC X(4) VALUE 'A002'.\n       01  R PIC X(20).\n       PROCEDURE DIVISION.\n           EXEC CICS READ FILE('STOCK') RIDFLD(K) INTO(R) END-EXEC\n           EXEC CICS SEND TEXT FROM(R) ERASE FREEKB END-EXEC\n           EXEC CICS RETURN END-EXEC.\n";

/// A batch program that writes two records.
const FILL: &str = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. FILL.\n       ENVIRONMENT DIVISION.\n       INPUT-OUTPUT SECTION.\n       FILE-CONTROL.\n           SELECT STOCK ASSIGN TO OUT ORGANIZATION INDEXED\n               RECORD KEY STOCK-KEY.\n       DATA DIVISION.\n       FILE SECTION.\n       FD  STOCK.\n       01  STOCK-RECORD.\n           05  STOCK-KEY   PIC X(4).\n           05  STOCK-TEXT  PIC X(16).\n       PROCEDURE DIVISION.\n           OPEN OUTPUT STOCK\n           MOVE 'A001NAILS' TO STOCK-RECORD\n           WRITE STOCK-RECORD\n           MOVE 'A002SCREWS' TO STOCK-RECORD\n           WRITE STOCK-RECORD\n           CLOSE STOCK\n           GOBACK.\n";

const JOB: &str = "//MAKE JOB\n//DEFINE EXEC PGM=IDCAMS\n//SYSPRINT DD SYSOUT=*\n//SYSIN DD *\n  DEFINE CLUSTER (NAME(@HLQ@.STOCK) INDEXED KEYS(4 0) RECORDSIZE(20 20) TRACKS(1 1))\n/*\n//FILL EXEC PGM=FILL\n//STEPLIB DD DSN=@LIBRARY@,DISP=SHR\n//OUT DD DSN=@HLQ@.STOCK,DISP=SHR\n";

const DEFINITIONS: &str = "DEFINE PROGRAM(SHOW) GROUP(APP)\nDEFINE TRANSACTION(SHOW) GROUP(APP) PROGRAM(SHOW)\nDEFINE FILE(STOCK) GROUP(APP) DSNAME(@HLQ@.STOCK)\n";

/// A step whose program alone loads a file is run once; a program that reports on it is named, and not run.
#[test]
fn a_program_that_loads_a_file_of_its_job_is_run_once() {
    let application = Application::new();
    application.write("cobol/SHOW.cbl", SHOW);
    application.write("cobol/FILL.cbl", FILL);
    application.write("cobol/REPORT.cbl", &FILL.replace("FILL", "REPORT"));
    application.write("jcl/MAKE.jcl", JOB);
    application.write("jcl/REPORT.jcl", "//REPORT JOB\n//S EXEC PGM=REPORT\n//OUT DD DSN=@HLQ@.STOCK,DISP=SHR\n");
    application.write("app.csd", DEFINITIONS);
    let region = Region::start(application.path(), application.data(), &[]);
    let output = region.output.join("\n");
    assert!(output.contains("MAKE.DEFINE was not run: @HLQ@ has no value"), "{output}");
    assert!(output.contains("MAKE.FILL was not run: @HLQ@ has no value"), "{output}");
    assert_eq!(region.stop(), 0);
    application.write("regent.toml", "[symbols]\nHLQ = \"APP\"\n");
    for start in ["first", "second"] {
        let region = Region::start(application.path(), application.data(), &[]);
        let output = region.output.join("\n");
        assert_eq!(region.output.last().map(String::as_str), Some("ready"), "{start}: {output}");
        let was_run = region.output.iter().any(|line| line.contains("MAKE.FILL") && line.contains("return code 0"));
        assert_eq!(was_run, start == "first", "{output}");
        let reason =
            "jcl/REPORT.jcl: steps that run programs of the application, which `regent run --app` runs, or `jobs` of [database]: REPORT";
        assert!(output.contains(reason), "{output}");
        let mut terminal = Terminal::connect(region.port);
        terminal.transaction("SHOW");
        terminal.expect("A002SCREWS");
        drop(terminal);
        assert_eq!(region.stop(), 0);
    }
}

const MANIFEST: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<manifest xmlns=\"http://www.ibm.com/xmlns/prod/cics/bundle\" id=\"app.limits\"\n  bundleMajorVer=\"1\" bundleMinorVer=\"0\" bundleMicroVer=\"0\">\n  <define name=\"LIMITS\" type=\"http://www.ibm.com/xmlns/prod/cics/bundle/POLICY\" path=\"LIMITS.policy\"/>\n</manifest>\n";
const POLICY: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<policy:policy xmlns:policy=\"http://www.ibm.com/xmlns/prod/cics/managedplatform/policy\"\n  policySchemaVersion=\"1\" policySchemaRelease=\"0\">\n  <description/>\n  <userTag/>\n  <rule type=\"filerequest\"><name>no_reads</name><description/>\n    <fileRequestCondition item=\"read\" operator=\"GT\" unit=\"\" value=\"0\"/>\n    <action><abend abendCode=\"NORD\"/></action></rule>\n</policy:policy>\n";

/// BUNDLEDIR may be a path within the application, or one of another machine whose last directory is a bundle of the application.
#[test]
fn bundles_of_the_application_are_installed_from_where_they_are() {
    let application = Application::new();
    application.write("cobol/SHOW.cbl", SHOW);
    application.write("bundles/limits/META-INF/cics.xml", MANIFEST);
    application.write("bundles/limits/LIMITS.policy", POLICY);
    let start = |directory: &str| {
        application.write(
            "app.csd",
            &format!(
                "{}DEFINE BUNDLE(LIMITS) GROUP(APP) BUNDLEDIR({directory})\n",
                DEFINITIONS.lines().take(2).map(|line| format!("{line}\n")).collect::<String>()
            ),
        );
        Region::start(application.path(), application.data(), &[])
    };
    for directory in ["bundles/limits", "/u/team/bundles/limits/"] {
        let region = start(directory);
        let output = region.output.join("\n");
        assert!(output.contains("1 bundle") && output.contains("BUNDLE LIMITS is enabled"), "{output}");
        assert!(!output.contains("not used") && !output.contains("Java"), "{output}");
        assert_eq!(output.contains("/u/team/bundles/limits/ is not here"), directory.starts_with('/'), "{output}");
        let mut terminal = Terminal::connect(region.port);
        terminal.transaction("SHOW");
        terminal.expect("NORD");
        drop(terminal);
        assert_eq!(region.stop(), 0);
    }
    application.write("app.csd", "DEFINE PROGRAM(SHOW) GROUP(APP)\n");
    let region = Region::start(application.path(), application.data(), &[]);
    let output = region.output.join("\n");
    assert!(output.contains("bundles/limits: a bundle that no definition names"), "{output}");
    assert_eq!(region.stop(), 0);
}

/// A data set of a LIBRARY may be a path, absolute or within the application, which keeps its small letters.
#[test]
fn a_library_may_be_a_directory_of_the_application() {
    let application = Application::new();
    application.write("cobol/SHOW.cbl", SHOW);
    application.write("Patches/v2/readme.md", "None yet.");
    application.write("app.csd", "DEFINE LIBRARY(PATCHES) GROUP(APP) RANKING(5) DSNAME01(Patches/v2)\n");
    let region = Region::start(application.path(), application.data(), &[]);
    let output = region.output.join("\n");
    assert!(!output.contains("DFHLD0505"), "{output}");
    let shown = support::regent()
        .args(["console"])
        .arg(application.path())
        .arg("--data")
        .arg(application.data())
        .args(["--", "CEMT", "INQUIRE", "LIBRARY(PATCHES)", "ENABLED"])
        .output()
        .expect("regent runs");
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("PATCHES") && shown.contains("Patches/v2"), "{shown}");
    assert_eq!(region.stop(), 0);
}

/// A transaction whose program is PL/I or assembler is a problem that says what to do, also if a LIBRARY is searched.
#[test]
fn a_program_in_a_language_without_a_compiler_is_a_problem() {
    let application = Application::new();
    application.write("src/RATES.pli", " RATES: PROC OPTIONS(MAIN);\n END;\n");
    application.write("src/DATES.asm", "DATES    CSECT\n         END\n");
    application.write(
        "app.csd",
        "DEFINE PROGRAM(RATES) GROUP(APP)\nDEFINE TRANSACTION(RATE) GROUP(APP) PROGRAM(RATES)\nDEFINE TRANSACTION(DATE) GROUP(APP) PROGRAM(DATES)\nDEFINE TRANSACTION(GONE) GROUP(APP) PROGRAM(GONE)\nDEFINE LIBRARY(PATCHES) GROUP(APP) DSNAME01(PROD.LOADLIB)\n",
    );
    let region = Region::start(application.path(), application.data(), &[]);
    let output = region.output.join("\n");
    assert!(
        output.contains("TRANSACTION(RATE): program RATES: ") && output.contains("src/RATES.pli is PL/I source: there is no"),
        "{output}"
    );
    assert!(output.contains("TRANSACTION(GONE): program GONE does not exist"), "a library that is not here holds nothing: {output}");
    assert!(output.contains("TRANSACTION(DATE): program DATES: ") && output.contains("src/DATES.asm is assembler source: "), "{output}");
    assert_eq!(region.stop(), 0);
}

/// NUMPROC(MIG) is no option of the present compiler (Enterprise COBOL Migration Guide): it is discarded, and no statement is in error.
#[test]
fn a_discarded_compiler_option_is_no_statement_in_error() {
    let application = Application::new();
    application.write("cobol/SHOW.cbl", &format!("   CBL NUMPROC(MIG),FLAG(I,W)\n{SHOW}"));
    application.write("app.csd", "DEFINE PROGRAM(SHOW) GROUP(APP)\n");
    let region = Region::start(application.path(), application.data(), &[]);
    let output = region.output.join("\n");
    assert!(output.contains("NUMPROC(MIG) is not a compiler option"), "{output}");
    assert!(!output.contains("statements in error") && !output.contains("begins in column"), "{output}");
    assert_eq!(region.stop(), 0);
}

const ENTRIES: &str = "<manifest xmlns=\"http://www.ibm.com/xmlns/prod/cics/bundle\" id=\"pay\">\n  <define name=\"PAYENTRY\" type=\"http://www.ibm.com/xmlns/prod/cics/bundle/PROGRAM\" path=\"PAYENTRY.program\"/>\n  <entrypoint name=\"PAYENTRY\" type=\"http://www.ibm.com/xmlns/prod/cics/bundle/PROGRAM\" operation=\"browse\"/>\n</manifest>\n";
const PAYENTRY: &str = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. PAYENTRY.\n       DATA DIVISION.\n       LINKAGE SECTION.\n       01  DFHCOMMAREA PIC X(8).\n       PROCEDURE DIVISION.\n           MOVE 'ENTERED' TO DFHCOMMAREA\n           EXEC CICS RETURN END-EXEC.\n";
const PAYCALL: &str = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. PAYCALL.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n       01  A PIC X(8) VALUE 'REFUSED'.\n       01  R PIC S9(8) COMP.\n       PROCEDURE DIVISION.\n           EXEC CICS INVOKE APPLICATION('payroll')\n               PLATFORM('production') OPERATION('browse')\n               COMMAREA(A) RESP(R) END-EXEC\n           EXEC CICS SEND TEXT FROM(A) ERASE FREEKB END-EXEC\n           EXEC CICS RETURN END-EXEC.\n";

/// A warm start makes an application available again, and one after a crash does; a cold start does not (docs/applications.md).
#[test]
fn an_application_is_as_available_as_before_a_restart() {
    let application = Application::new();
    application.write("cobol/PAYENTRY.cbl", PAYENTRY);
    application.write("cobol/PAYCALL.cbl", PAYCALL);
    application.write("bundles/pay/META-INF/cics.xml", ENTRIES);
    application.write("bundles/pay/PAYENTRY.program", "<cicsdefinitionprogram name=\"PAYENTRY\"/>");
    let scope = "BASESCOPE(cicsapplication://production/payroll/1/0/0)";
    let bundle = format!("DEFINE BUNDLE(PAY1) GROUP(APP) BUNDLEDIR(bundles/pay)\n       {scope}\n");
    application
        .write("app.csd", &format!("DEFINE PROGRAM(PAYCALL) GROUP(APP)\nDEFINE TRANSACTION(PAYC) GROUP(APP) PROGRAM(PAYCALL)\n{bundle}"));
    let shows = |region: &Region, text: &str| {
        let mut terminal = Terminal::connect(region.port);
        terminal.transaction("PAYC");
        terminal.expect(text);
    };
    let region = Region::start(application.path(), application.data(), &[]);
    shows(&region, "REFUSED");
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CEMT SET BUNDLE(PAY1) AVAILABLE");
    terminal.expect("NORMAL");
    drop(terminal);
    shows(&region, "ENTERED");
    assert_eq!(region.stop(), 0);
    let region = Region::start(application.path(), application.data(), &[]);
    shows(&region, "ENTERED");
    region.kill();
    let region = Region::start(application.path(), application.data(), &[]);
    shows(&region, "ENTERED");
    assert_eq!(region.stop(), 0);
    for arguments in [&["--cold"][..], &[]] {
        let region = Region::start(application.path(), application.data(), arguments);
        shows(&region, "REFUSED");
        assert_eq!(region.stop(), 0);
    }
}

/// CEMT shows and sets the health of the region, and its port tells balancers (docs/operators.md).
#[test]
fn an_operator_sees_and_sets_the_health_of_a_region() {
    let application = Application::new();
    application.write("cobol/SHOW.cbl", SHOW);
    application.write("app.csd", "DEFINE PROGRAM(SHOW) GROUP(APP)\n");
    let region = Region::start(application.path(), application.data(), &["--sit", "WLMHEALTH=(600,30)", "--port-health", "0"]);
    let endpoint = region.output.iter().find_map(|line| line.strip_prefix("health localhost:")).expect("an endpoint");
    let port: u16 = endpoint.trim().parse().expect("a port");
    let health = || {
        let mut told = String::new();
        TcpStream::connect(("127.0.0.1", port)).expect("it listens").read_to_string(&mut told).expect("a line");
        told
    };
    assert_eq!(health(), "0%\n", "the region has just started");
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CEMT I WL");
    terminal.expect("Health(000)");
    terminal.expect("Openstatus(");
    terminal.transaction("CEMT SET WLMHEALTH CLOSED");
    terminal.expect("NORMAL");
    terminal.transaction("CEMT SET WL OPEN");
    terminal.expect("NORMAL");
    terminal.transaction("CEMT I WL");
    terminal.expect("Health(030)");
    assert_eq!(health(), "30%\n");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}
