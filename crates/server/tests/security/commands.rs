//! VERIFY PASSWORD, VERIFY PHRASE, CHANGE PASSWORD, CHANGE PHRASE, SIGNON, SIGNOFF, REQUEST PASSTICKET and PERFORM SECURITY REBUILD in COBOL
//! programs: the normal path, every condition, and the EIB.

use crate::cobol_support::REPORT;
use crate::support::{administer, compile, connect, define, reported_for, run, setup, wait_for_message};

/// RESP, RESP2, ESMRESP and EIBFN, by a LINK to REPORT.
const STORAGE: &str = "01 WS-RESP PIC S9(8) COMP.
01 WS-RESP2 PIC S9(8) COMP.
01 WS-ESMRESP PIC S9(8) COMP VALUE 99.
01 WS-ESMREASON PIC S9(8) COMP VALUE 99.
01 WS-COUNT PIC S9(4) COMP VALUE -9.
01 WS-DAYS PIC S9(4) COMP VALUE -9.
01 WS-CHANGED PIC S9(15) COMP-3 VALUE 0.
01 WS-EXPIRES PIC S9(15) COMP-3 VALUE 0.
01 WS-USED PIC S9(15) COMP-3 VALUE 0.
01 WS-LENGTH PIC S9(8) COMP.
01 WS-NEW-LENGTH PIC S9(8) COMP.
01 WS-FN.
   05 WS-FN-1 PIC X.
   05 WS-FN-2 PIC X.
01 WS-REPORT.
   05 RP-RESP PIC ZZ9.
   05 PIC X VALUE SPACE.
   05 RP-RESP2 PIC ZZ9.
   05 PIC X VALUE SPACE.
   05 RP-ESM PIC ZZ9.
   05 PIC X VALUE SPACE.
   05 RP-COUNT PIC -99.
   05 PIC X VALUE SPACE.
   05 RP-DAYS PIC -999.
   05 PIC X VALUE SPACE.
   05 RP-TIMES PIC X(3).
   05 PIC X VALUE SPACE.
   05 RP-FN PIC X(4).";
const LINKAGE: &str = "01 DFHCOMMAREA.
   05 LK-USER PIC X(8).
   05 LK-OLD PIC X(30).
   05 LK-NEW PIC X(30).
   05 LK-LENGTH PIC 9(3).
   05 LK-NEW-LENGTH PIC 9(3).";

fn with_report(command: &str) -> String {
    let report = REPORT.replace('\n', "\n    ");
    format!(
        "    MOVE LK-LENGTH TO WS-LENGTH
    MOVE LK-NEW-LENGTH TO WS-NEW-LENGTH
    {command}
    MOVE WS-RESP TO RP-RESP
    MOVE WS-RESP2 TO RP-RESP2
    MOVE WS-ESMRESP TO RP-ESM
    MOVE WS-COUNT TO RP-COUNT
    MOVE WS-DAYS TO RP-DAYS
    MOVE '---' TO RP-TIMES
    IF WS-CHANGED > 0 MOVE 'C' TO RP-TIMES(1:1) END-IF
    IF WS-EXPIRES > 0 MOVE 'E' TO RP-TIMES(2:1) END-IF
    IF WS-USED > 0 MOVE 'U' TO RP-TIMES(3:1) END-IF
    MOVE FUNCTION HEX-OF(EIBFN) TO RP-FN
    {report}
    EXEC CICS RETURN END-EXEC."
    )
}

const RESULTS: &str = "CHANGETIME(WS-CHANGED) DAYSLEFT(WS-DAYS) EXPIRYTIME(WS-EXPIRES)
        INVALIDCOUNT(WS-COUNT) LASTUSETIME(WS-USED)
        ESMRESP(WS-ESMRESP) ESMREASON(WS-ESMREASON) RESP(WS-RESP) RESP2(WS-RESP2)";

fn define_programs() {
    let commands = [
        ("TVPW", "EXEC CICS VERIFY PASSWORD(LK-OLD) USERID(LK-USER)"),
        ("TVPH", "EXEC CICS VERIFY PHRASE(LK-OLD) PHRASELEN(WS-LENGTH) USERID(LK-USER)"),
        ("TCPW", "EXEC CICS CHANGE PASSWORD(LK-OLD) NEWPASSWORD(LK-NEW) USERID(LK-USER)"),
        (
            "TCPH",
            "EXEC CICS CHANGE PHRASE(LK-OLD) PHRASELEN(WS-LENGTH) NEWPHRASE(LK-NEW)\n        NEWPHRASELEN(WS-NEW-LENGTH) USERID(LK-USER)",
        ),
    ];
    for (name, command) in commands {
        let program = format!("{name}PGM");
        compile(&program, STORAGE, LINKAGE, &with_report(&format!("{command}\n        {RESULTS} END-EXEC")));
        define(name, &program, &[]);
    }
}

/// A communication area of the programs.
fn area(user: &str, old: &str, new: &str, lengths: (usize, usize)) -> String {
    format!("{user:<8}{old:<30}{new:<30}{:03}{:03}", lengths.0, lengths.1)
}

fn verified(user: &str, password: &str) -> String {
    reported_for("TELLER", "TVPW", &area(user, password, "", (0, 0)))
}

/// What begins the report: RESP, RESP2, ESMRESP.
fn codes(report: &str) -> [i32; 3] {
    let numbers: Vec<i32> = report.split_whitespace().take(3).map(|number| number.parse().unwrap()).collect();
    numbers.try_into().unwrap()
}

#[test]
fn passwords_are_verified() {
    define_programs();
    let report = verified("CHECKED", "secret1");
    // RESP NORMAL, no failures, 30 days until it expires, the times that there are, and the function code of the command.
    assert_eq!(report, "  0   0   0  00  030 CE- 7406", "he has not been here before");
    // NOTAUTH 2: a wrong password. It counts, and the next right one tells how many there were.
    assert_eq!(codes(&verified("CHECKED", "WRONG")), [70, 2, 8]);
    wait_for_message(&["DFHXS1201", "userid CHECKED", "userid TELLER"]);
    let report = verified("CHECKED", "SECRET1");
    assert_eq!(report, "  0   0   0  01  030 CEU 7406", "{report}");
    wait_for_message(&["DFHXS1206", "CHECKED", "after 1 attempts"]);
    assert_eq!(codes(&verified("NOBODY", "SECRET1")), [69, 8, 4]);
    assert_eq!(codes(&verified("REVOKED", "SECRET1")), [70, 19, 28]);
    assert_eq!(codes(&verified("BATCH", "SECRET1")), [70, 2, 8], "a user without a password");
    assert_eq!(codes(&verified("A B", "SECRET1"))[..2], [16, 32]);
    let reads = setup().lines().iter().filter(|line| line.contains("SECRET1")).count();
    assert_eq!(reads, 0, "no message has a password");
}

#[test]
fn phrases_are_verified_by_their_length() {
    define_programs();
    let phrase = "CORRECT HORSE BATTERY 1";
    let verified = |phrase: &str, length| reported_for("TELLER", "TVPH", &area("PHRASER", phrase, "", (length, 0)));
    assert!(verified(phrase, phrase.len()).starts_with("  0   0   0  00"), "{}", verified(phrase, phrase.len()));
    assert_eq!(codes(&verified(phrase, phrase.len() - 1)), [70, 2, 8]);
    // At n and n + 1.
    assert_eq!(codes(&verified(phrase, 0))[..2], [22, 1]);
    assert_eq!(codes(&verified(phrase, 101))[..2], [22, 1]);
    assert!(verified(phrase, phrase.len()).ends_with("740A"));
    // Up to eight characters are a password, and the user has none.
    assert_eq!(codes(&verified("CORRECT", 7)), [70, 2, 8]);
}

#[test]
fn passwords_and_phrases_are_changed() {
    define_programs();
    let change = |old: &str, new: &str| reported_for("TELLER", "TCPW", &area("CHANGER", old, new, (0, 0)));
    assert_eq!(codes(&change("WRONG", "NEWPASS1")), [70, 2, 8]);
    let report = change("SECRET1", "NEWPASS1");
    assert!(report.starts_with("  0   0   0") && report.ends_with("7408"), "{report}");
    assert_eq!(codes(&verified("CHANGER", "SECRET1")), [70, 2, 8]);
    assert_eq!(codes(&verified("CHANGER", "NEWPASS1")), [0, 0, 0]);
    // The same again is not a new one.
    assert_eq!(codes(&change("NEWPASS1", "NEWPASS1")), [70, 4, 16]);
    let phrase = |old: &str, new: &str| reported_for("TELLER", "TCPH", &area("CHANGER", old, new, (old.len(), new.len())));
    // A password cannot be replaced by a phrase.
    assert_eq!(codes(&phrase("NEWPASS1", "A LONG PHRASE 123"))[..2], [70, 4]);
    let report = phrase("NEWPASS1", "NEWPASS3");
    assert!(report.starts_with("  0   0   0") && report.ends_with("740C"), "{report}");
    assert_eq!(codes(&phrase("NOBODYS1", "NEWPASS4")), [70, 2, 8]);
    assert_eq!(codes(&reported_for("TELLER", "TCPW", &area("NOBODY", "A", "B", (0, 0)))), [69, 8, 4]);
}

/// SIGNON and SIGNOFF need a terminal, and say so to a task that has none.
#[test]
fn signon_without_a_terminal_is_refused() {
    let commands = [
        ("TSGO", "EXEC CICS SIGNON USERID(LK-USER) PASSWORD(LK-OLD) RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC", "7402", [16, 10]),
        ("TSGF", "EXEC CICS SIGNOFF RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC", "7404", [16, 2]),
    ];
    for (name, command, function, expected) in commands {
        let program = format!("{name}PGM");
        compile(&program, STORAGE, LINKAGE, &with_report(command));
        define(name, &program, &[]);
        let report = reported_for("TELLER", name, &area("TELLER", "SECRET1", "", (0, 0)));
        assert_eq!(codes(&report)[..2], expected, "{report}");
        assert!(report.ends_with(function), "{report}");
    }
}

/// A program of the application's own for signing on: its task stays what it was.
#[test]
fn a_program_signs_a_user_on_and_off() {
    let storage = "01 WS-RESP PIC S9(8) COMP.
01 WS-RESP2 PIC S9(8) COMP.
01 WS-ESM PIC S9(8) COMP VALUE 0.
01 WS-USER PIC X(8).
01 WS-LANGUAGE PIC X(3).
01 WS-IN.
   05 IN-TRAN PIC X(5).
   05 IN-VERB PIC X(4).
   05 IN-USER PIC X(8).
   05 IN-PASSWORD PIC X(8).
01 WS-LEN PIC S9(4) COMP VALUE 25.
01 WS-OUT.
   05 OUT-RESP PIC ZZ9.
   05 PIC X VALUE '/'.
   05 OUT-RESP2 PIC ZZ9.
   05 PIC X VALUE '/'.
   05 OUT-ESM PIC ZZ9.
   05 PIC X VALUE SPACE.
   05 OUT-USER PIC X(8).
   05 PIC X VALUE SPACE.
   05 OUT-LANGUAGE PIC X(3).";
    let procedure = "    EXEC CICS RECEIVE INTO(WS-IN) LENGTH(WS-LEN) RESP(WS-RESP) END-EXEC
    IF IN-VERB = 'ON  '
        EXEC CICS SIGNON USERID(IN-USER) PASSWORD(IN-PASSWORD)
            ESMRESP(WS-ESM) LANGINUSE(WS-LANGUAGE)
            RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC
    ELSE
        EXEC CICS SIGNOFF RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC
    END-IF
    EXEC CICS ASSIGN USERID(WS-USER) END-EXEC
    MOVE WS-RESP TO OUT-RESP
    MOVE WS-RESP2 TO OUT-RESP2
    MOVE WS-ESM TO OUT-ESM
    MOVE WS-USER TO OUT-USER
    MOVE WS-LANGUAGE TO OUT-LANGUAGE
    EXEC CICS SEND TEXT FROM(WS-OUT) ERASE FREEKB END-EXEC
    EXEC CICS RETURN END-EXEC.";
    compile("SIGNPGM", storage, "", procedure);
    administer("RDEFINE TCICSTRN SIGN UACC(READ)");
    define("SIGN", "SIGNPGM", &[]);
    let mut client = connect();
    let mut attempt = |typed: &str, expected: &str| {
        run(&mut client, typed);
        client.wait_text(expected).unwrap_or_else(|_| panic!("{typed}: {}", client.text()));
    };
    attempt("SIGN OFF ", " 16/  1/  0 CICSUSER");
    attempt("SIGN ON           SECRET1", " 69/ 30/  0 CICSUSER");
    attempt("SIGN ON  TELLER", " 70/  1/  0 CICSUSER");
    attempt("SIGN ON  NOBODY  SECRET1", " 69/  8/  4 CICSUSER");
    attempt("SIGN ON  REVOKED SECRET1", " 70/ 19/ 28 CICSUSER");
    attempt("SIGN ON  NOAPPL  SECRET1", " 70/ 17/ 52 CICSUSER");
    // The task goes on for the user that it was attached for.
    attempt("SIGN ON  LONER   SECRET1", "  0/  0/  0 CICSUSER ENU");
    attempt("SIGN ON  TELLER  SECRET1", " 16/  9/  0 LONER");
    attempt("SIGN OFF ", "  0/  0/  0 LONER");
    attempt("SIGN OFF ", " 16/  1/  0 CICSUSER");
}

#[test]
fn a_passticket_signs_on_once() {
    let storage = format!("{STORAGE}\n01 WS-APPL PIC X(8).\n01 WS-TICKET PIC X(8).\n01 WS-AGAIN PIC S9(8) COMP.");
    let command = "MOVE LK-OLD TO WS-APPL
    EXEC CICS REQUEST PASSTICKET(WS-TICKET) ESMAPPNAME(WS-APPL)
        ESMRESP(WS-ESMRESP) ESMREASON(WS-ESMREASON) RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC
    IF WS-RESP = 0
        EXEC CICS VERIFY PASSWORD(WS-TICKET) USERID(LK-USER) RESP(WS-AGAIN) END-EXEC
        MOVE WS-AGAIN TO WS-COUNT
        EXEC CICS VERIFY PASSWORD(WS-TICKET) USERID(LK-USER) RESP(WS-AGAIN) END-EXEC
        MOVE WS-AGAIN TO WS-DAYS
    END-IF";
    compile("TKTPGM", &storage, LINKAGE, &with_report(command));
    define("TTKT", "TKTPGM", &[]);
    let request = |user: &str, application: &str| reported_for(user, "TTKT", &area("TELLER", application, "", (0, 0)));
    // The ticket is taken, and the second time it is a wrong password.
    let report = request("TELLER", "TESTSEC");
    assert!(report.starts_with("  0   0   0  00  070"), "{report}");
    assert_eq!(codes(&request("TELLER", "BAD NAME"))[..2], [16, 247]);
    // SUPER may run the transaction, and may not have a ticket.
    assert_eq!(codes(&request("SUPER", "TESTSEC"))[..2], [70, 250]);
    wait_for_message(&["DFHXS1111", "SUPER", "IRRPTAUTH.TESTSEC.SUPER in class PTKTDATA", "Access intent UPDATE"]);
    define("OPNT", "TKTPGM", &[]);
    administer("RDEFINE TCICSTRN OPNT UACC(READ)");
    let report = reported_for("CICSUSER", "OPNT", &area("TELLER", "TESTSEC", "", (0, 0)));
    assert_eq!(codes(&report)[..2], [16, 256], "{report}");
}

#[test]
fn security_is_rebuilt() {
    let command = "EXEC CICS PERFORM SECURITY REBUILD ESMRESP(WS-ESMRESP) RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC";
    compile("RBLDPGM", STORAGE, LINKAGE, &with_report(command));
    define("TRBL", "RBLDPGM", &[]);
    let report = reported_for("TELLER", "TRBL", &area("", "", "", (0, 0)));
    assert!(report.starts_with("  0   0   0") && report.ends_with("6402"), "{report}");
    // It is a system programming command, of resource SECURITY.
    define("TRBC", "RBLDPGM", &[("CMDSEC", "YES")]);
    assert_eq!(codes(&reported_for("TELLER", "TRBC", &area("", "", "", (0, 0))))[..2], [70, 100]);
    wait_for_message(&["DFHXS1111", "TELLER", "resource SECURITY in class CCICSCMD", "UPDATE"]);
}
