//! Sources in languages that are not there: `regent up` names each, says what to do, and serves the rest of the application.

mod support;

use std::time::Duration;
use support::Region;
use support::terminal::Terminal;

const LONG: Duration = Duration::from_secs(30);

/// Name and text of the sources of an application.
const SOURCES: [(&str, &str); 6] = [
    ("PAYROLL.pli", " PAYROLL: PROC OPTIONS(MAIN);\n END;\n"),
    ("CHKDIGIT.asm", "CHKDIGIT CSECT\n         BR    14\n         END\n"),
    ("OLDMENU.asm", "OLDMENU  CSECT\n         DFHPC TYPE=LINK,PROGRAM=PAYROLL\n         END\n"),
    (
        "MACRO.cbl",
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. MACRO.\n       PROCEDURE DIVISION.\n           DFHPC TYPE=RETURN\n           GOBACK.\n",
    ),
    (
        "GOOD.cbl",
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. GOOD.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n       01  WS-LINE PIC X(9) VALUE 'GOOD RUNS'.\n       PROCEDURE DIVISION.\n           EXEC CICS SEND TEXT FROM(WS-LINE) ERASE FREEKB END-EXEC.\n           EXEC CICS RETURN END-EXEC.\n",
    ),
    (
        "app.csd",
        "DEFINE PROGRAM(PAYROLL) GROUP(G) LANGUAGE(PLI)\nDEFINE TRANSACTION(PAYR) GROUP(G) PROGRAM(PAYROLL)\nDEFINE PROGRAM(GOOD) GROUP(G)\nDEFINE TRANSACTION(GOOD) GROUP(G) PROGRAM(GOOD)\n",
    ),
];

#[test]
fn modules_in_pli_assembler_and_of_the_macro_level_are_refused_by_name() {
    let (directory, data) = (tempfile::tempdir().expect("a directory"), tempfile::tempdir().expect("a directory"));
    for (name, text) in SOURCES {
        std::fs::write(directory.path().join(name), text).expect("written");
    }
    let region = Region::start(directory.path(), data.path(), &[]);
    for (name, reason) in [
        ("PAYROLL.pli", "PL/I source: there is no PL/I compiler; rewrite the program in COBOL or C"),
        ("CHKDIGIT.asm", "assembler source: there is no assembler; rewrite the program in COBOL or C"),
        ("OLDMENU.asm", "macro-level program in assembler: there is no macro-level interpreter"),
        ("MACRO.cbl:4", "DFHPC is a macro of macro-level CICS, which is not supported; its work is done by EXEC CICS LINK, XCTL, RETURN"),
        ("TRANSACTION(PAYR): program PAYROLL", "PL/I source"),
    ] {
        let told = region.output.iter().any(|line| line.contains(name) && line.contains(reason));
        assert!(told, "{name}: {reason}\n{}", region.output.join("\n"));
    }
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("PAYR");
    terminal.expect_one_of(&["DFHAC2016", "APCT"], LONG);
    terminal.transaction("GOOD");
    terminal.expect("GOOD RUNS");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}
