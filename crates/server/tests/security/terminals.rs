//! CESN, CESL and CESF, preset users, and what a terminal is told of a transaction its user may not run.

use crate::support::{administer, compile, connect, connect_as, define, region, run, signed_on, wait_for_message};
use csd::Definition;
use tn3270::ClientConfig;

/// A transaction that anybody may run, which shows the user.
fn define_who() {
    compile(
        "WHOAMI",
        "01 WS-USER PIC X(8).\n01 WS-NAME PIC X(20).\n01 WS-LINE PIC X(40).",
        "",
        "    EXEC CICS ASSIGN USERID(WS-USER) USERNAME(WS-NAME) END-EXEC\n    STRING 'USER ' WS-USER ' ' WS-NAME DELIMITED BY SIZE INTO WS-LINE\n    EXEC CICS SEND TEXT FROM(WS-LINE) ERASE FREEKB END-EXEC\n    EXEC CICS RETURN END-EXEC.",
    );
    define("OPEN", "WHOAMI", &[]);
    define("TWHO", "WHOAMI", &[]);
}

#[test]
fn nobody_runs_a_transaction_of_others_without_signing_on() {
    define_who();
    let mut client = connect();
    run(&mut client, "OPEN");
    client.wait_text("USER CICSUSER").unwrap();
    run(&mut client, "TWHO");
    client.wait_text("DFHAC2033").unwrap();
    let text = client.text().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("You are not authorized to use transaction TWHO"), "{text}");
    let message = wait_for_message(&["DFHXS1111", "CICSUSER", "resource TWHO in class TCICSTRN"]);
    assert!(message.contains("SAF codes are (X'00000008',X'00000000')") && message.contains("Access intent READ"), "{message}");
    // Nobody has signed on there.
    assert!(!message.contains("at netname"), "{message}");
    wait_for_message(&["DFHAC2003", "trans id = TWHO", "userid = CICSUSER"]);
}

#[test]
fn a_user_signs_on_and_off() {
    define_who();
    let mut client = connect();
    run(&mut client, "CESN");
    client.wait_text("Signon to CICS").unwrap();
    client.fill_at(12, 27, "SUPER").unwrap();
    client.enter("ENTER").unwrap();
    client.wait_text("DFHCE3521").unwrap();
    client.fill_at(13, 27, "WRONG").unwrap();
    client.enter("ENTER").unwrap();
    client.wait_text("DFHCE3533").unwrap();
    wait_for_message(&["DFHSN1102", "SUPER"]);
    client.fill_at(12, 27, "TELLER").unwrap();
    client.fill_at(13, 27, "secret1").unwrap();
    client.enter("ENTER").unwrap();
    client.wait_text("DFHCE3549").unwrap();
    assert!(!client.text().contains("SEC=NO"), "{}", client.text());
    wait_for_message(&["DFHSN1100", "TELLER"]);
    run(&mut client, "TWHO");
    client.wait_text("USER TELLER   TOM TELLER").unwrap();
    // He has signed on there.
    run(&mut client, "XSUP");
    client.wait_text("DFHAC2001").unwrap();
    define("XSUP", "WHOAMI", &[]);
    run(&mut client, "XSUP");
    client.wait_text("DFHAC2033").unwrap();
    let message = wait_for_message(&["DFHXS1111", "TELLER", "resource XSUP"]);
    assert!(message.contains("at netname "), "{message}");
    run(&mut client, "CESF");
    client.wait_text("DFHCE3590").unwrap();
    run(&mut client, "TWHO");
    client.wait_text("DFHAC2033").unwrap();
}

#[test]
fn an_expired_password_is_changed_first() {
    define_who();
    let mut client = connect();
    run(&mut client, "CESN USERID=EXPIRED,PS=SECRET1");
    client.wait_text("DFHCE3525").unwrap();
    wait_for_message(&["DFHSN1103", "EXPIRED"]);
    let fill = |client: &mut tn3270::Client, again: &str| {
        for (row, text) in [(13, "SECRET1"), (16, "NEWPASS2"), (17, again)] {
            client.fill_at(row, 27, text).unwrap();
        }
        client.enter("ENTER").unwrap();
    };
    fill(&mut client, "OTHER999");
    client.wait_text("DFHCE3539").unwrap();
    fill(&mut client, "NEWPASS2");
    client.wait_text("DFHCE3549").unwrap();
    run(&mut client, "CESF");
    client.wait_text("DFHCE3590").unwrap();
    run(&mut client, "CESN USERID=EXPIRED,PS=NEWPASS2");
    client.wait_text("DFHCE3549").unwrap();
}

#[test]
fn refusals_are_told_apart() {
    for (typed, message, logged) in [
        ("CESN USERID=REVOKED,PS=SECRET1", "DFHCE3542", "DFHSN1106"),
        ("CESN USERID=NOAPPL,PS=SECRET1", "DFHCE3531", "DFHSN1108"),
        ("CESN USERID=TELLER,PS=SECRET1,GROUPID=OTHERS", "DFHCE3538", "DFHSN1105"),
        // Who is there is not told.
        ("CESN USERID=NOBODY,PS=SECRET1", "DFHCE3533", "DFHSN1109"),
    ] {
        let mut client = connect();
        run(&mut client, typed);
        client.wait_text(message).unwrap_or_else(|_| panic!("{typed}: {}", client.text()));
        wait_for_message(&[logged]);
    }
    let mut client = connect();
    run(&mut client, "CESN USERID=TELLER,LANGUAGE=XXX,PS=SECRET1");
    client.wait_text("DFHCE3537").unwrap();
    run(&mut client, "CESN USERID=TELLER,CODE=1");
    client.wait_text("DFHCE3501").unwrap();
}

/// CESL has room for phrases.
#[test]
fn a_phrase_is_signed_on_with_by_cesl() {
    define_who();
    let mut client = connect();
    run(&mut client, "CESL");
    client.wait_text("password or phrase").unwrap();
    client.fill_at(12, 27, "PHRASER").unwrap();
    client.fill_at(13, 27, "CORRECT HORSE BATTERY 1").unwrap();
    client.enter("ENTER").unwrap();
    client.wait_text("DFHCE3549").unwrap();
    run(&mut client, "TWHO");
    client.wait_text("USER PHRASER").unwrap();
}

/// TERMINAL USERID: no sign-on, and none off.
#[test]
fn a_preset_user_is_the_user_of_his_terminal() {
    define_who();
    let terminal =
        Definition::new("TERMINAL", "PRE1", "TEST").with("NETNAME", "LUPRE1").with("TYPETERM", "DFHLU2E2").with("USERID", "PRESET");
    region().install(&terminal).unwrap();
    let mut client = connect_as(ClientConfig { lu: Some("LUPRE1".to_string()), ..ClientConfig::default() });
    wait_for_message(&["DFHSN1400", "PRE1", "PRESET"]);
    run(&mut client, "TWHO");
    client.wait_text("USER PRESET").unwrap();
    run(&mut client, "CESN USERID=TELLER,PS=SECRET1");
    client.wait_text("DFHCE3545").unwrap();
    run(&mut client, "CESF");
    client.wait_text("DFHCE3592").unwrap();
}

/// A preset user who may not work has no terminal.
#[test]
fn a_terminal_of_a_preset_user_who_is_revoked_is_not_installed() {
    let terminal =
        Definition::new("TERMINAL", "PRE2", "TEST").with("NETNAME", "LUPRE2").with("TYPETERM", "DFHLU2E2").with("USERID", "REVOKED");
    region().install(&terminal).unwrap();
    let config = ClientConfig { lu: Some("LUPRE2".to_string()), ..ClientConfig::default() };
    let connected = std::panic::catch_unwind(|| connect_as(config));
    assert!(connected.is_err(), "no greeting");
    wait_for_message(&["DFHSN1401", "PRE2", "REVOKED", "revoked"]);
}

/// RACFSYNC=YES: a user who is revoked in another process is out at his next transaction, and one who is removed from a group loses what it
/// gave him.
#[test]
fn a_change_of_a_user_reaches_his_terminal() {
    define_who();
    let mut client = signed_on("LEAVER");
    run(&mut client, "TWHO");
    client.wait_text("USER LEAVER").unwrap();
    administer("CONNECT LEAVER GROUP(OTHERS)\nALTUSER LEAVER DFLTGRP(OTHERS)\nREMOVE LEAVER GROUP(TELLERS)");
    run(&mut client, "TWHO");
    client.wait_text("DFHAC2033").unwrap();
    run(&mut client, "OPEN");
    client.wait_text("USER LEAVER").unwrap();
    administer("ALTUSER LEAVER REVOKE");
    run(&mut client, "OPEN");
    client.wait_text("DFHAC2033").unwrap();
    wait_for_message(&["DFHSN1106", "LEAVER"]);
    run(&mut client, "OPEN");
    client.wait_text("USER CICSUSER").unwrap();
    administer("ALTUSER LEAVER RESUME");
}
