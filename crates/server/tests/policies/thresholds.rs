//! Each threshold at n and n + 1: a program gives a command as often as its rule allows, and once more.

use crate::support::{install_policy, limit, program, run};

/// The procedure of a program that does something as often as `times` says.
fn repeated(times: u64, what: &str) -> String {
    let what: String = what.lines().map(|line| format!("       {line}\n")).collect();
    format!("MAIN.\n    PERFORM {times} TIMES\n{what}    END-PERFORM.\n    EXEC CICS RETURN END-EXEC.")
}

const WORKING_STORAGE: &str = "01 WS-Q PIC X(8) VALUE 'POLICYQ '.\n01 WS-DATA PIC X(10) VALUE 'ABCDEFGHIJ'.\n01 WS-LEN PIC S9(4) COMP.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-PTR POINTER.\n01 WS-N PIC S9(8) COMP.";

/// A rule of this item acts with the command after the last one it allows, and only then.
fn check(of: (&str, &str, &str), transids: [&str; 2], programs: [&str; 2], command: &str) {
    const ALLOWED: u64 = 3;
    let (exact, over) = (transids[0], transids[1]);
    let rules: String =
        transids.iter().map(|transid| limit(&format!("{}_{transid}", of.2), transid, of, (ALLOWED, ""), "<message/>")).collect();
    install_policy(&format!("B{over}"), &rules);
    program(exact, programs[0], WORKING_STORAGE, &repeated(ALLOWED, command));
    program(over, programs[1], WORKING_STORAGE, &repeated(ALLOWED + 1, command));
    let told = |transid: &str| run(transid).into_iter().filter(|line| line.starts_with("DFHMP3001")).collect::<Vec<_>>();
    assert_eq!(told(exact), Vec::<String>::new(), "{} at its threshold", of.2);
    let lines = told(over);
    assert_eq!(lines.len(), 1, "{} over its threshold: {lines:#?}", of.2);
    let expected = format!(
        "BundleId=B{over}.id, PolicyName=B{over}P, RuleName={}_{over}, RuleType={}, Category={}, Threshold=3 (Value=3, Unit=), CurrentCount=4",
        of.2, of.0, of.2
    );
    assert!(lines[0].contains(&expected), "{}", lines[0]);
}

#[test]
fn link() {
    program("", "PLNOTHNG", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    let link = "EXEC CICS LINK PROGRAM('PLNOTHNG') END-EXEC";
    check(("programrequest", "programRequestCondition", "link"), ["PLN0", "PLN1"], ["PLLINK0", "PLLINK1"], link);
}

#[test]
fn writeq_and_readq_of_temporary_storage() {
    let write = "EXEC CICS WRITEQ TS QUEUE(WS-Q) FROM(WS-DATA)\n  MAIN RESP(WS-RESP) END-EXEC";
    check(("tsqrequest", "tsqRequestCondition", "writeqmain"), ["PTM0", "PTM1"], ["PLTSM0", "PLTSM1"], write);
    let read = "MOVE 10 TO WS-LEN\nEXEC CICS READQ TS QUEUE(WS-Q) INTO(WS-DATA)\n  LENGTH(WS-LEN) RESP(WS-RESP) END-EXEC";
    check(("tsqrequest", "tsqRequestCondition", "readq"), ["PTR0", "PTR1"], ["PLTSR0", "PLTSR1"], read);
}

#[test]
fn an_abend_keeps_the_command_from_being_executed() {
    let of = ("startrequest", "startRequestCondition", "start");
    install_policy("BPSA", &limit("no_more_starts", "PSA1", of, (2, ""), "<abend abendCode=\"PLIM\"/>"));
    let start = "EXEC CICS START TRANSID('NONE') RESP(WS-RESP)\n  END-EXEC";
    program("PSA1", "PLSTART1", WORKING_STORAGE, &repeated(3, start));
    let lines = run("PSA1");
    let exceeded = lines.iter().find(|line| line.starts_with("DFHMP3002")).unwrap_or_else(|| panic!("{lines:#?}"));
    assert!(exceeded.contains("abend code PLIM") && exceeded.contains("CurrentCount=3"), "{exceeded}");
    assert!(lines.iter().any(|line| line.starts_with("DFHAC2206") && line.contains("PLIM")), "{lines:#?}");
}
