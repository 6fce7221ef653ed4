//! A region, and applications of several versions on disk.

pub use crate::cobol_support::REPORT;
use crate::cobol_support::Setup;
use csd::Definition;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

const TYPES: &str = "http://www.ibm.com/xmlns/prod/cics/bundle";

pub fn setup() -> &'static Setup {
    static SETUP: OnceLock<Setup> = OnceLock::new();
    SETUP.get_or_init(|| Setup::start("APPLREG"))
}

/// A part of a bundle.
pub enum Part<'a> {
    /// Type, name, attributes.
    Define(&'a str, &'a str, &'a str),
    /// Type, name, operation.
    Entry(&'a str, &'a str, &'a str),
    /// Policy, its document.
    Policy(&'a str, &'a str),
    /// Policy, operation.
    Scope(&'a str, &'a str),
}

/// Installs a bundle of these parts; an empty scope is that of no application.
pub fn install(name: &str, scope: &str, parts: &[Part]) -> Result<(), String> {
    let directory = scratch("bundles").join(name);
    std::fs::create_dir_all(directory.join("META-INF")).unwrap();
    let mut manifest = String::new();
    for part in parts {
        let (line, file) = match part {
            Part::Define(kind, name, attributes) => {
                let lower = kind.to_lowercase();
                let text = format!("<cicsdefinition{lower} name=\"{name}\" {attributes}/>");
                (
                    format!("<define name=\"{name}\" type=\"{TYPES}/{kind}\" path=\"{name}.{lower}\"/>"),
                    Some((format!("{name}.{lower}"), text)),
                )
            }
            Part::Policy(name, text) => {
                let line = format!("<define name=\"{name}\" type=\"{TYPES}/POLICY\" path=\"{name}.policy\"/>");
                (line, Some((format!("{name}.policy"), text.to_string())))
            }
            Part::Entry(kind, name, operation) => {
                (format!("<entrypoint name=\"{name}\" type=\"{TYPES}/{kind}\" operation=\"{operation}\"/>"), None)
            }
            Part::Scope(name, operation) => {
                (format!("<policyscope name=\"{name}\" type=\"{TYPES}/POLICY\" operation=\"{operation}\"/>"), None)
            }
        };
        manifest += &line;
        if let Some((file, text)) = file {
            std::fs::write(directory.join(file), text).unwrap();
        }
    }
    let manifest = format!("<manifest xmlns=\"{TYPES}\" id=\"{name}\" bundleMajorVer=\"1\">{manifest}</manifest>");
    std::fs::write(directory.join("META-INF/cics.xml"), manifest).unwrap();
    let definition =
        Definition::new("BUNDLE", name, "TESTGRP").with("BUNDLEDIR", &directory.display().to_string()).with("BASESCOPE", scope);
    setup().region.install(&definition)
}

pub fn scratch(name: &str) -> PathBuf {
    let path = setup().library().parent().unwrap().join(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Compiles a program into a library of its own.
pub fn compile_into(library: &Path, name: &str, working_storage: &str, linkage: &str, procedure: &str) {
    static ONE: parking_lot::Mutex<()> = parking_lot::Mutex::new(());
    let _one = ONE.lock();
    setup().compile(name, working_storage, linkage, procedure);
    std::fs::rename(setup().library().join(format!("{name}.rlm")), library.join(format!("{name}.rlm"))).unwrap();
}

/// Compiles a program and defines its transaction.
pub fn program(transid: &str, name: &str, working_storage: &str, procedure: &str) {
    setup().compile(name, working_storage, "", procedure);
    setup().define_program(name, &[]);
    setup().define_transaction(transid, name);
}

/// Compiles and runs a program that reports what it finds in `WS-REPORT`; its report as text.
pub fn reported_after(transid: &str, name: &str, working_storage: &str, statements: &str) -> String {
    program(transid, name, working_storage, &format!("MAIN.\n{statements}\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."));
    setup().reported(transid)
}

/// Runs statements and reports RESP and RESP2 of the last one.
pub fn response_of(transid: &str, name: &str, statements: &str) -> String {
    const DATA: &str = "01 WS-REPORT.\n   05 R-R PIC 9(4).\n   05 R-R2 PIC 9(4).\n01 WS-RESP PIC S9(8) COMP.\n01 WS-RESP2 PIC S9(8) COMP.\n01 WS-AREA PIC X(80) VALUE SPACES.\n01 WS-MAJ PIC S9(8) COMP.\n01 WS-MIN PIC S9(8) COMP.";
    reported_after(transid, name, DATA, &format!("{statements}\n    MOVE WS-RESP TO R-R.\n    MOVE WS-RESP2 TO R-R2."))
}

/// SET BUNDLE with an option; RESP and RESP2.
pub fn set_bundle(transid: &str, bundle: &str, option: &str) -> String {
    let statement = format!("    EXEC CICS SET BUNDLE('{bundle}') {option}\n       RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC.");
    response_of(transid, &format!("SB{transid}"), &statement)
}

/// Makes a bundle available.
pub fn open(transid: &str, bundle: &str) {
    assert_eq!(set_bundle(transid, bundle, "AVAILABLE"), "00000000", "{:#?}", setup().lines());
}

/// The data with which an entry point tells its context: application, platform, operation, version.
pub const CONTEXT: &str = "01 WS-APPL PIC X(64).\n01 WS-PLAT PIC X(64).\n01 WS-OPER PIC X(64).\n01 WS-MAJ PIC S9(8) COMP.\n01 WS-MIN PIC S9(8) COMP.\n01 WS-MIC PIC S9(8) COMP.\n01 WS-TEXT.\n   05 T-APPL PIC X(8).\n   05 T-PLAT PIC X(5).\n   05 T-OPER PIC X(7).\n   05 T-MAJ PIC -9.\n   05 T-MIN PIC -9.\n   05 T-MIC PIC -9.\n   05 T-SUB PIC X(4) VALUE SPACES.";

/// Puts the context into `WS-TEXT`.
pub const ASSIGN: &str = "    EXEC CICS ASSIGN APPLICATION(WS-APPL) PLATFORM(WS-PLAT)\n       OPERATION(WS-OPER) MAJORVERSION(WS-MAJ)\n       MINORVERSION(WS-MIN) MICROVERSION(WS-MIC) END-EXEC.\n    MOVE WS-APPL TO T-APPL.\n    MOVE WS-PLAT TO T-PLAT.\n    MOVE WS-OPER TO T-OPER.\n    MOVE WS-MAJ TO T-MAJ.\n    MOVE WS-MIN TO T-MIN.\n    MOVE WS-MIC TO T-MIC.\n";

pub const NO_CONTEXT: &str = "                    -1-1-1    ";

/// An application of one version: a library with an entry point program and a private program that it links to, both of which tell
/// what they are.
pub fn application(bundle: &str, name: &str, [major, minor, micro]: [u32; 3], entry: &str, private: &str) {
    let library = scratch("versions").join(bundle);
    std::fs::create_dir_all(&library).unwrap();
    let tag = format!("v{major}{minor}{micro}");
    let linkage = "01 DFHCOMMAREA PIC X(4).";
    compile_into(
        &library,
        private,
        "01 WS-X PIC X.",
        linkage,
        &format!("MAIN.\n    MOVE '{tag}' TO DFHCOMMAREA.\n    EXEC CICS RETURN END-EXEC."),
    );
    let link = format!("    EXEC CICS LINK PROGRAM('{private}') COMMAREA(T-SUB) END-EXEC.\n");
    let procedure = format!("MAIN.\n{ASSIGN}{link}    IF EIBCALEN > 29 MOVE WS-TEXT TO DFHCOMMAREA(1:30).\n    EXEC CICS RETURN END-EXEC.");
    compile_into(&library, entry, CONTEXT, "01 DFHCOMMAREA PIC X(80).", &procedure);
    let dsname = format!("dsname01=\"{}\" ranking=\"50\"", library.display());
    let parts = [
        Part::Define("LIBRARY", "PRIVLIB", &dsname),
        Part::Define("PROGRAM", private, ""),
        Part::Define("PROGRAM", entry, ""),
        Part::Entry("PROGRAM", entry, "browse"),
    ];
    install(bundle, &format!("cicsapplication://plat/{name}/{major}/{minor}/{micro}"), &parts).unwrap();
}

/// What an INVOKE APPLICATION command answers: RESP, RESP2, and what the entry point left in the communication area.
pub fn invoked(transid: &str, program: &str, command: &str) -> String {
    const DATA: &str = "01 WS-REPORT.\n   05 R-R PIC 9(4).\n   05 R-R2 PIC 9(4).\n   05 R-FN PIC 9(5).\n   05 R-AREA PIC X(30).\n01 WS-RESP PIC S9(8) COMP.\n01 WS-RESP2 PIC S9(8) COMP.\n01 WS-AREA PIC X(80) VALUE SPACES.\n01 WS-FN PIC 9(5) COMP.\n01 WS-FNX REDEFINES WS-FN.\n   05 FILLER PIC X(2).\n   05 WS-FN2 PIC X(2).\n01 WS-MINUS PIC S9(8) COMP VALUE -1.";
    let statements = format!(
        "    EXEC CICS {command}\n       COMMAREA(WS-AREA) RESP(WS-RESP) RESP2(WS-RESP2)\n       END-EXEC.\n    MOVE 0 TO WS-FN.\n    MOVE EIBFN TO WS-FN2.\n    MOVE WS-FN TO R-FN.\n    MOVE WS-RESP TO R-R.\n    MOVE WS-RESP2 TO R-R2.\n    MOVE WS-AREA TO R-AREA."
    );
    reported_after(transid, program, DATA, &statements)
}

/// Waits until no task of a transaction is left.
pub fn ended(number: u32) {
    let region = setup().region;
    testing::eventually_within(Duration::from_secs(20), "the end of the task", || {
        region.dispatcher.task_by_number(number).is_none() && region.transactions().task(number).is_none()
    });
}
