//! Attempts to get around security, each of which is refused: without a sign-on, by another class, by another user's name, by supplied
//! transactions, by guessing, by names that are not names.

use crate::cobol_support::REPORT;
use crate::support::{PASSWORD, administer, compile, connect, define, reported_for, run, signed_on, wait_for_message};

#[test]
fn supplied_transactions_are_not_for_those_who_have_not_signed_on() {
    let mut client = connect();
    for transaction in ["CEMT I TASK", "cemt p shutdown", "CECI READ FILE(TFILE)", "CEDF", "CEBR", "CETR", "CEDA"] {
        run(&mut client, transaction);
        client.wait_text("DFHAC2").unwrap_or_else(|_| panic!("{transaction}: {}", client.text()));
        let text = client.text();
        let refused = ["DFHAC2033", "DFHAC2900"].iter().any(|id| text.contains(id)) || text.contains("DFHAC29");
        assert!(refused, "{transaction}: {text}");
    }
}

/// CEMT is an operator's tool in the hands of whoever may run it, and no more than that.
#[test]
fn cemt_does_for_a_teller_what_he_may_do_himself() {
    crate::checks::define_resources();
    let mut client = signed_on("TELLER");
    let mut cemt = |command: &str, expected: &str, refused: &str| {
        run(&mut client, &format!("CEMT {command}"));
        client.wait_text(expected).unwrap_or_else(|_| panic!("{command}: {}", client.text()));
        let text = client.text();
        assert!(refused.is_empty() || !text.contains(refused), "{command}: {text}");
        client.enter("PF3").unwrap();
    };
    cemt("I FILE(TFILE)", "Fil(TFILE", "AUTHORIZED");
    cemt("I FILE(OFILE)", "NOT AUTHORIZED", "");
    // The list has what he may see.
    cemt("I FILE", "TFILE", "OFILE");
    cemt("S FILE(TFILE) CLOSED", "NOT AUTHORIZED", "");
    cemt("I PROGRAM", "NOT AUTHORIZED", "TPGM1");
    cemt("I SYSTEM", "NOT AUTHORIZED", "");
    cemt("P SHUTDOWN IMMEDIATE", "NOT AUTHORIZED", "");
    wait_for_message(&["DFHXS1111", "CEMT", "TELLER", "resource SHUTDOWN in class CCICSCMD"]);
}

#[test]
fn ceci_does_for_a_teller_what_he_may_do_himself() {
    crate::checks::define_resources();
    define("TNOP", "TPGM1", &[]);
    let mut client = signed_on("TELLER");
    let mut ceci = |command: &str, expected: &str| {
        run(&mut client, &format!("CECI {command}"));
        client.wait_text("ABOUT TO EXECUTE").unwrap_or_else(|_| panic!("{command}: {}", client.text()));
        client.enter("ENTER").unwrap();
        client.wait_text("EXECUTION COMPLETE").unwrap_or_else(|_| panic!("{command}: {}", client.text()));
        let text = client.text();
        assert!(text.contains(expected), "{command}: {text}");
        client.enter("PF3").unwrap();
    };
    ceci("WRITE FILE(TFILE) FROM(X) RIDFLD(K)", "NOTAUTH");
    ceci("START TRANSID(TNOP) USERID(SUPER)", "NOTAUTH");
    ceci("START TRANSID(CSGM)", "NOTAUTH");
    ceci("LINK PROGRAM(DFHEMTP)", "NOTAUTH");
    ceci("PERFORM SHUTDOWN", "NOTAUTH");
    ceci("SET TASK(00001) PURGE", "NOTAUTH");
}

/// Passwords are blanks on the displays of CECI.
#[test]
fn ceci_shows_no_password() {
    let mut client = signed_on("TELLER");
    run(&mut client, &format!("CECI VERIFY PASSWORD({PASSWORD}) USERID(LONER)"));
    client.wait_text("ABOUT TO EXECUTE").unwrap();
    assert!(!client.text().contains(PASSWORD), "{}", client.text());
    client.enter("ENTER").unwrap();
    client.wait_text("EXECUTION COMPLETE").unwrap();
    assert!(!client.text().contains(PASSWORD) && client.text().contains("NORMAL"), "{}", client.text());
}

/// A profile of started transactions gives nothing to whoever attaches them, and the other way about.
#[test]
fn a_permission_of_one_class_does_not_count_in_another() {
    administer("RDEFINE ACICSPCT XCLS UACC(READ)\nRDEFINE MCICSPPT XCLS UACC(READ)");
    compile("XCLSPGM", "01 WS PIC X.", "", "    EXEC CICS RETURN END-EXEC.");
    define("XCLS", "XCLSPGM", &[]);
    let mut client = signed_on("TELLER");
    run(&mut client, "XCLS");
    client.wait_text("DFHAC2033").unwrap();
}

/// RETURN TRANSID, RETURN IMMEDIATE and RUN TRANSID attach for the user of the terminal, not for the program.
#[test]
fn a_program_does_not_lead_to_a_transaction_its_user_may_not_run() {
    compile("LEADPGM", "01 WS PIC X.", "", "    EXEC CICS RETURN TRANSID('CSTE') IMMEDIATE END-EXEC.");
    compile("LEDPGM", "01 WS PIC X.", "", "    EXEC CICS RETURN END-EXEC.");
    define("TLED", "LEADPGM", &[]);
    define("CSTE", "LEDPGM", &[]);
    let mut client = signed_on("TELLER");
    run(&mut client, "TLED");
    client.wait_text("DFHAC2033").unwrap();
    let report = REPORT.replace('\n', "\n    ");
    let procedure = format!(
        "    EXEC CICS RUN TRANSID('CSTE') CHILD(WS-CHILD) RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC
    MOVE WS-RESP TO RP-RESP
    MOVE WS-RESP2 TO RP-RESP2
    {report}
    EXEC CICS RETURN END-EXEC."
    );
    let storage = "01 WS-RESP PIC S9(8) COMP.\n01 WS-RESP2 PIC S9(8) COMP.\n01 WS-CHILD PIC X(16).
01 WS-REPORT.\n   05 RP-RESP PIC 999.\n   05 PIC X VALUE SPACE.\n   05 RP-RESP2 PIC 999.";
    compile("RUNPGM", storage, "", &procedure);
    define("TRUN", "RUNPGM", &[]);
    assert_eq!(reported_for("TELLER", "TRUN", ""), "070 007");
}

/// Three wrong passwords revoke a user (SETROPTS PASSWORD(REVOKE(3))), and then the right one is refused too.
#[test]
fn guessing_revokes_the_user() {
    let mut client = connect();
    for guess in ["GUESS1", "GUESS2"] {
        run(&mut client, &format!("CESN USERID=VICTIM,PS={guess}"));
        client.wait_text("DFHCE3533").unwrap();
        client.enter("PF3").unwrap();
    }
    run(&mut client, "CESN USERID=VICTIM,PS=GUESS3");
    client.wait_text("DFHCE3542").unwrap();
    run(&mut client, &format!("CESN USERID=VICTIM,PS={PASSWORD}"));
    client.wait_text("DFHCE3542").unwrap();
    wait_for_message(&["DFHSN1106", "VICTIM"]);
    administer("ALTUSER VICTIM RESUME");
}

/// One terminal does not go on for ever.
#[test]
fn a_terminal_that_guesses_users_is_stopped() {
    let mut client = connect();
    run(&mut client, "CESN USERID=GUESS1,PS=GUESS1");
    for guess in 2..=5 {
        client.wait_text("DFHCE3533").unwrap();
        client.fill_at(12, 27, &format!("GUESS{guess}")).unwrap();
        client.fill_at(13, 27, "GUESS").unwrap();
        client.enter("ENTER").unwrap();
    }
    client.wait_text("DFHCE3551").unwrap();
}

#[test]
fn names_that_are_not_names_are_refused() {
    let mut client = connect();
    for (typed, message) in [
        ("CESN USERID=../../ETC,PS=X", "DFHCE3530"),
        ("CESN USERID=TELLER*,PS=X", "DFHCE3530"),
        ("CESN USERID=TOOLONGNAME,PS=X", "DFHCE3530"),
        ("CESN USERID=TELLER,GROUPID=../X,PS=X", "DFHCE3538"),
    ] {
        run(&mut client, typed);
        client.wait_text(message).unwrap_or_else(|_| panic!("{typed}: {}", client.text()));
        client.enter("PF3").unwrap();
    }
    for refused in ["SECPRFX=../X", "XTRAN=../X", "XFCT=A.B", "DFLTUSER=A/B", "PLTPIUSR=*"] {
        assert!(region::system_initialization::SystemInitialization::new().apply(refused).is_err(), "{refused}");
    }
}

/// A resource with the name of a pattern is not everything that the pattern matches.
#[test]
fn a_resource_whose_name_is_a_pattern_is_no_pattern() {
    let storage =
        "01 WS-RESP PIC S9(8) COMP.\n01 WS-RESP2 PIC S9(8) COMP.\n01 WS-READ PIC S9(8) COMP VALUE 0.\n01 WS-LENGTH PIC S9(8) COMP VALUE 2.
01 WS-REPORT.\n   05 RP-RESP PIC 999.\n   05 PIC X VALUE SPACE.\n   05 RP-RESP2 PIC 999.";
    let report = REPORT.replace('\n', "\n    ");
    let procedure = format!(
        "    EXEC CICS QUERY SECURITY RESCLASS('FACILITY') RESID('**') RESIDLENGTH(WS-LENGTH) READ(WS-READ)
        RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC
    MOVE WS-RESP TO RP-RESP
    MOVE WS-RESP2 TO RP-RESP2
    {report}
    EXEC CICS RETURN END-EXEC."
    );
    compile("PATPGM", storage, "", &procedure);
    define("TPAT", "PATPGM", &[]);
    // No profile protects it: BANK.** is not for it.
    assert_eq!(reported_for("TELLER", "TPAT", ""), "013 008");
}
