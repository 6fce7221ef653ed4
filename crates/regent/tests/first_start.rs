//! `regent up` for an application that has just been copied here: names that nothing defines, sources in jobs, symbols that change.
//!
//! Expected results come from docs/up.md and from the manuals named at each test.

mod support;

use support::application::Application;
use support::terminal::Terminal;
use support::{Region, regent};

/// A program with these statements.
fn program(id: &str, statements: &str) -> String {
    format!(
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. {id}.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n       01  R PIC X(80).\n       01  T PIC X(20) VALUE 'SERVED'.\n       PROCEDURE DIVISION.\n{statements}           EXEC CICS SEND TEXT FROM(T) LENGTH(20) ERASE FREEKB END-EXEC\n           EXEC CICS RETURN END-EXEC.\n"
    )
}

const DEFINITIONS: &str = "DEFINE PROGRAM(INVINQ) GROUP(APP)\nDEFINE TRANSACTION(INVQ) GROUP(APP) PROGRAM(INVINQ)\nDEFINE FILE(INVFLE) GROUP(APP) DSNAME(APP.INV)\n";

const MAP: &str = "INVSET  DFHMSD TYPE=&SYSPARM,MODE=INOUT,LANG=COBOL,TIOAPFX=YES\nINVMAP  DFHMDI SIZE=(24,80)\nITEM    DFHMDF POS=(2,2),LENGTH=9\n        DFHMSD TYPE=FINAL\n        END\n";

const CLUSTER: &str = "INDEXED KEYS(4 0) RECORDSIZE(80 80)";

/// Starts a region and ends it; its output.
fn start(application: &Application) -> String {
    let region = Region::start(application.path(), application.data(), &[]);
    let output = region.output.join("\n");
    assert_eq!(region.stop(), 0);
    output
}

#[test]
fn files_and_maps_that_programs_name_and_nothing_has_are_problems() {
    let application = Application::new();
    let statements = "           EXEC CICS READ FILE('INVFILE') INTO(R) RIDFLD(T)\n             END-EXEC\n           EXEC CICS READ FILE('INVFILE') INTO(R) RIDFLD(T)\n             UPDATE END-EXEC\n           EXEC CICS READ FILE('FARFILE') INTO(R) RIDFLD(T)\n             SYSID('SYSB') LENGTH(80) KEYLENGTH(4) END-EXEC\n           EXEC CICS READ FILE('INVFLE') INTO(R) RIDFLD(T)\n             END-EXEC\n           EXEC CICS SEND MAP('INVMAP') MAPSET('INVSETX')\n             MAPONLY END-EXEC\n           EXEC CICS SEND MAP('INVMPA') MAPSET('INVSET')\n             MAPONLY END-EXEC\n           EXEC CICS SEND MAP('INVMAP') MAPSET('INVSET')\n             MAPONLY END-EXEC\n";
    application.write("cobol/INVINQ.cbl", &program("INVINQ", statements));
    application.write("bms/INVSET.bms", MAP);
    application.write("app.csd", DEFINITIONS);
    application.write("inv.idcams", &format!(" DEFINE CLUSTER(NAME(APP.INV) {CLUSTER})\n"));
    // The second start takes what the programs name from the ledger of the first.
    for _ in 0..2 {
        let output = start(&application);
        assert!(output.contains("ready, with 3 problems:"), "{output}");
        let place = |line: u32| format!("{}:{line}", application.path().join("cobol/INVINQ.cbl").display());
        for problem in [
            format!("FILE(INVFILE) is not defined: {} (READ) and 1 more command name it; INVFLE is defined", place(8)),
            format!("mapset INVSETX is made by no map source of the application: {} (SEND MAP) names it; INVSET is there", place(16)),
            format!("mapset INVSET has no map INVMPA: {} (SEND MAP) names it; INVMAP is there", place(18)),
        ] {
            assert!(output.contains(&problem), "{problem}\n{output}");
        }
    }
}

#[test]
fn many_warnings_of_a_map_source_are_one_line_and_all_in_the_log() {
    let application = Application::new();
    let field = |line: usize| format!("        DFHMDF POS=({line},2),LENGTH=2,INITIAL='LONGER'\n");
    let fields: String = (3..8).map(field).collect();
    application.write("bms/INVSET.bms", &MAP.replace("        DFHMSD TYPE=FINAL", &format!("{fields}        DFHMSD TYPE=FINAL")));
    let output = start(&application);
    assert!(output.contains("INVSET.bms: 5 warnings, which `regent logs` shows"), "{output}");
    assert!(!output.contains("longer than the field"), "{output}");
    let log = regent().arg("logs").arg(application.path()).arg("--data").arg(application.data()).output().expect("regent runs");
    assert_eq!(String::from_utf8_lossy(&log.stdout).matches("longer than the field, cut to 2").count(), 5);
}

/// CICS TS, "Installing map sets": DFHMAPS assembles the source of COPY.SYSUT1. "Using the integrated CICS translator": DFHZITCL compiles
/// that of COBOL.SYSIN.
#[test]
fn sources_in_the_streams_of_jobs_are_compiled() {
    let application = Application::new();
    application
        .write("jcl/INVMAP.jcl", &format!("//INVMAP JOB\n//ASSEM EXEC DFHMAPS,MAPNAME='INVSET',RMODE=24\n//COPY.SYSUT1 DD *\n{MAP}/*\n"));
    let source = program("INVINQ", "           EXEC CICS SEND MAP('INVMAP') MAPSET('INVSET')\n             END-EXEC\n")
        .replace("       PROCEDURE DIVISION.", "           COPY INVSET.\n       PROCEDURE DIVISION.");
    application.write(
        "jcl/INVPGM.jcl",
        &format!("//INVPGM JOB\n//C EXEC DFHZITCL\n//COBOL.SYSIN DD *\n{source}/*\n//LKED.SYSIN DD *\n NAME INVMOD(R)\n/*\n"),
    );
    application.write("app.csd", "DEFINE PROGRAM(INVMOD) GROUP(APP)\nDEFINE TRANSACTION(INVQ) GROUP(APP) PROGRAM(INVMOD)\n");
    let region = Region::start(application.path(), application.data(), &[]);
    let output = region.output.join("\n");
    assert_eq!(region.output.last().map(String::as_str), Some("ready"), "{output}");
    assert!(output.contains("found     1 program, 1 map source, 1 definition file, 2 jobs"), "{output}");
    assert!(!output.contains("not used"), "{output}");
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("INVQ");
    terminal.expect("SERVED");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    // Messages name the line of the job.
    application.write(
        "jcl/INVPGM.jcl",
        &format!("//INVPGM JOB\n//C EXEC IGYWCL\n//COBOL.SYSIN DD *\n{}/*\n", source.replace("TEXT FROM(T)", "TEXT FROM(U)")),
    );
    let output = start(&application);
    assert!(output.contains("INVPGM.jcl.4.cbl:14:"), "{output}");
}

#[test]
fn a_job_is_a_job_in_a_file_of_any_extension() {
    let application = Application::new();
    application.write("INVINQ.cbl", &program("INVINQ", ""));
    application
        .write("JCL_VSAM.cbl", &format!("//VSAM JOB\n//S EXEC PGM=IDCAMS\n//SYSIN DD *\n DEFINE CLUSTER(NAME(APP.INV) {CLUSTER})\n/*\n"));
    application.write("app.csd", DEFINITIONS);
    let output = start(&application);
    assert!(output.contains("found     1 program, 1 definition file, 1 job\n"), "{output}");
    assert!(output.ends_with("ready"), "{output}");
}

#[test]
fn all_steps_run_again_for_other_symbols() {
    let application = Application::new();
    let job = format!(
        "//LOAD JOB\n//S1 EXEC PGM=IDCAMS\n//SYSIN DD *\n DEFINE CLUSTER(NAME(&HLQ..INV) {CLUSTER})\n/*\n//S2 EXEC PGM=IDCAMS\n//IN DD *\n0001 BOLTS\n/*\n//OUT DD DSN=&HLQ..INV,DISP=SHR\n//SYSIN DD *\n REPRO INFILE(IN) OUTFILE(OUT)\n/*\n"
    );
    application.write("INVINQ.cbl", &program("INVINQ", ""));
    application.write("jcl/LOAD.jcl", &job);
    application.write("app.csd", DEFINITIONS);
    let with = |hlq: &str| {
        application.write("regent.toml", &format!("[symbols]\nHLQ = \"{hlq}\"\n"));
        start(&application)
    };
    assert!(with("OLD").contains("data set APP.INV does not exist; no job or IDCAMS input of the application defines it"));
    let output = with("APP");
    assert!(output.ends_with("ready"), "{output}");
    let listing = std::fs::read_to_string(application.data().join("listings/LOAD.S2.txt")).expect("the step ran");
    assert!(output.matches("condition code 0").count() == 2 && listing.contains("PROCESSED WAS 1"), "the new data set is loaded: {output}");
    // A data set that was deleted is not one that nobody defines.
    application.write("delete.txt", " DELETE APP.INV CLUSTER\n");
    let statements = application.path().join("delete.txt");
    let deleted = regent().arg("idcams").arg(statements).arg("--data").arg(application.data().join("data")).output().expect("regent runs");
    assert!(deleted.status.success());
    let output = start(&application);
    assert!(output.contains("data set APP.INV does not exist: LOAD.S1 defines it, but was run, so it has been deleted since"), "{output}");
    assert!(output.contains("regent clean --everything"), "{output}");
}

#[test]
fn the_first_message_of_a_failed_step_is_quoted() {
    let application = Application::new();
    application.write("inv.idcams", " DEFINE CLUSTER(NAME(APP.INV) INDEXD KEYS(4 0) RECORDSIZE(80 80))\n");
    application.write("app.csd", "DEFINE FILE(INVFLE) GROUP(APP) DSNAME(APP.INV)\n");
    let output = start(&application);
    let line = output.lines().find(|line| line.contains("matters:")).expect("the step matters");
    assert!(line.contains("IDC3211I KEYWORD 'INDEXD' IS IMPROPER"), "{line}");
}

#[test]
fn a_compilation_that_lacks_a_copybook_of_an_application_names_app() {
    let application = Application::new();
    let source = program("INVINQ", "").replace("       PROCEDURE DIVISION.", "           COPY INVSET.\n       PROCEDURE DIVISION.");
    application.write("cobol/INVINQ.cbl", &source);
    application.write("bms/INVSET.bms", MAP);
    let file = application.path().join("cobol/INVINQ.cbl");
    let compile = |arguments: &[&std::ffi::OsStr]| {
        let output = regent().arg("compile").args(arguments).current_dir(application.data()).output().expect("regent runs");
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    };
    assert!(compile(&[file.as_os_str()]).contains("with --app DIR"));
    assert!(!compile(&["--app".as_ref(), application.path().as_os_str()]).contains("was not found"));
    let said = compile(&[file.as_os_str()]);
    let hint = format!("regent compile --app {} {}", application.path().display(), file.display());
    assert!(said.contains("INVSET was not found") && said.contains(&hint), "{said}");
}

/// SYSUID is the user of the process, whatever the environment of the start says.
#[test]
fn sysuid_is_the_user_of_the_process() {
    let application = Application::new();
    application
        .write("LOAD.jcl", &format!("//LOAD JOB\n//S EXEC PGM=IDCAMS\n//SYSIN DD *\n DEFINE CLUSTER(NAME(&SYSUID..INV) {CLUSTER})\n/*\n"));
    application.write("app.csd", "DEFINE FILE(INVFLE) GROUP(APP)\n");
    let mut command = regent();
    command.arg("up").arg(application.path()).arg("--data").arg(application.data()).args(["--port-3270", "0", "--strict"]);
    let output = command.env("USER", "SOMEBODY").output().expect("regent runs");
    assert_eq!(output.status.code(), Some(8), "{}", String::from_utf8_lossy(&output.stdout));
    let listing = std::fs::read_to_string(application.data().join("listings/LOAD.S.txt")).expect("the step ran");
    let user = std::process::Command::new("id").arg("-un").output().expect("id runs").stdout;
    let letters: String = String::from_utf8_lossy(&user).chars().filter(char::is_ascii_alphanumeric).take(8).collect();
    assert!(listing.contains(&format!("{}.INV", letters.to_uppercase())) && !listing.contains("SOMEBODY"), "{listing}");
}
