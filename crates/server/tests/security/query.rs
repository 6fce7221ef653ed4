//! QUERY SECURITY.

use crate::cobol_support::REPORT;
use crate::support::{compile, define, reported_for, setup};

const STORAGE: &str = "01 WS-RESP PIC S9(8) COMP.
01 WS-RESP2 PIC S9(8) COMP.
01 WS-READ PIC S9(8) COMP VALUE 0.
01 WS-UPDATE PIC S9(8) COMP VALUE 0.
01 WS-CONTROL PIC S9(8) COMP VALUE 0.
01 WS-ALTER PIC S9(8) COMP VALUE 0.
01 WS-LOG PIC S9(8) COMP.
01 WS-LENGTH PIC S9(8) COMP.
01 WS-REPORT.
   05 RP-RESP PIC ZZ9.
   05 PIC X VALUE SPACE.
   05 RP-RESP2 PIC ZZ9.
   05 PIC X VALUE SPACE.
   05 RP-LEVELS PIC X(4).";
const LINKAGE: &str = "01 DFHCOMMAREA.
   05 LK-TYPE PIC X(12).
   05 LK-ID PIC X(20).
   05 LK-LENGTH PIC 9(3).
   05 LK-LOG PIC X.";

fn program(of: &str) -> String {
    let report = REPORT.replace('\n', "\n    ");
    format!(
        "    MOVE LK-LENGTH TO WS-LENGTH
    MOVE DFHVALUE(NOLOG) TO WS-LOG
    IF LK-LOG = 'Y' MOVE DFHVALUE(LOG) TO WS-LOG END-IF
    IF LK-LOG = '?' MOVE 1 TO WS-LOG END-IF
    EXEC CICS QUERY SECURITY {of}
        READ(WS-READ) UPDATE(WS-UPDATE) CONTROL(WS-CONTROL) ALTER(WS-ALTER)
        LOGMESSAGE(WS-LOG) RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC
    MOVE WS-RESP TO RP-RESP
    MOVE WS-RESP2 TO RP-RESP2
    MOVE '----' TO RP-LEVELS
    IF WS-READ = DFHVALUE(READABLE) MOVE 'R' TO RP-LEVELS(1:1) END-IF
    IF WS-UPDATE = DFHVALUE(UPDATABLE) MOVE 'U' TO RP-LEVELS(2:1) END-IF
    IF WS-CONTROL = DFHVALUE(CTRLABLE) MOVE 'C' TO RP-LEVELS(3:1) END-IF
    IF WS-ALTER = DFHVALUE(ALTERABLE) MOVE 'A' TO RP-LEVELS(4:1) END-IF
    {report}
    EXEC CICS RETURN END-EXEC."
    )
}

fn define_programs() {
    compile("QTYPE", STORAGE, LINKAGE, &program("RESTYPE(LK-TYPE) RESID(LK-ID)"));
    compile("QCLASS", STORAGE, LINKAGE, &program("RESCLASS(LK-TYPE) RESIDLENGTH(WS-LENGTH) RESID(LK-ID)"));
    define("TQTY", "QTYPE", &[]);
    define("TQCL", "QCLASS", &[]);
}

fn by_type(user: &str, restype: &str, resource: &str, log: char) -> String {
    reported_for(user, "TQTY", &format!("{restype:<12}{resource:<20}000{log}"))
}

fn by_class(user: &str, class: &str, resource: &str, length: usize) -> String {
    reported_for(user, "TQCL", &format!("{class:<12}{resource:<20}{length:03}N"))
}

#[test]
fn a_user_asks_what_he_may_do() {
    define_programs();
    crate::checks::define_resources();
    assert_eq!(by_type("TELLER", "FILE", "TFILE", 'N'), "  0   0 R---");
    assert_eq!(by_type("SUPER", "FILE", "TFILE", 'N'), "  0   0 R---", "the profile of the file, not the generic one");
    assert_eq!(by_type("SUPER", "FILE", "OFILE", 'N'), "  0   0 RUCA");
    assert_eq!(by_type("TELLER", "TRANSATTACH", "TQTY", 'N'), "  0   0 R---");
    assert_eq!(by_type("TELLER", "TRANSATTACH", "CSGM", 'N'), "  0   0 R---");
    assert_eq!(by_type("TELLER", "SPCOMMAND", "FILE", 'N'), "  0   0 R---");
    assert_eq!(by_type("SUPER", "SPCOMMAND", "SHUTDOWN", 'N'), "  0   0 RUCA");
    assert_eq!(by_type("TELLER", "PROGRAM", "QTYPE", 'N'), "  0   0 ----");
}

#[test]
fn conditions_are_those_of_the_command() {
    define_programs();
    let code = |report: String| report.get(..7).unwrap_or_default().split_whitespace().map(|n| n.parse().unwrap()).collect::<Vec<i32>>();
    assert_eq!(code(by_type("TELLER", "NOTHING", "X", 'N')), [13, 2]);
    assert_eq!(code(by_type("TELLER", "FILE", "NOFILE", 'N')), [13, 1]);
    assert_eq!(code(by_type("TELLER", "SPCOMMAND", "NOTHING", 'N')), [13, 3]);
    assert_eq!(code(by_type("TELLER", "FILE", "", 'N')), [16, 9]);
    assert_eq!(code(by_type("TELLER", "FILE", "TFILE", '?')), [16, 7]);
    assert_eq!(by_class("TELLER", "FACILITY", "BANK.BRANCH.0001", 16), "  0   0 RU--");
    assert_eq!(reported_for("SUPER", "TQCL", &format!("{:<12}{:<20}{:03}N", "FACILITY", "BANK.BRANCH.0001", 16)), "  0   0 ----");
    assert_eq!(code(by_class("TELLER", "FACILITY", "OTHER.THING", 11)), [13, 8]);
    assert_eq!(code(by_class("TELLER", "NOCLASS", "X", 1)), [13, 5]);
    // At n and n + 1.
    assert_eq!(code(by_class("TELLER", "FACILITY", "X", 0)), [22, 6]);
    assert_eq!(code(by_class("TELLER", "FACILITY", "X", 247)), [22, 6]);
    assert_eq!(code(by_class("TELLER", "FACILITY", "X", 246)), [13, 8]);
}

/// LOGMESSAGE(LOG) tells what the user does not have; NOLOG tells nothing.
#[test]
fn a_message_is_sent_only_if_it_is_asked_for() {
    define_programs();
    crate::checks::define_resources();
    let told = |file: &str| {
        let about = format!("resource {file} in class FCICSFCT");
        setup().lines().iter().filter(|line| line.contains("DFHXS1111") && line.contains(&about)).count()
    };
    by_type("TELLER", "FILE", "QUIET", 'N');
    assert_eq!(told("QUIET"), 0);
    by_type("TELLER", "FILE", "LOUD", 'Y');
    assert_eq!(told("LOUD"), 1);
}
