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

/// CEDA is checked for what it installs as CREATE would be, and for the users that definitions name.
#[test]
fn ceda_installs_for_a_teller_what_he_may_create_himself() {
    let mut client = signed_on("TELLER");
    let mut ceda = |command: &str, expected: &str| {
        run(&mut client, &format!("CEDA {command}"));
        client.wait_text(expected).unwrap_or_else(|_| panic!("{command}: {}", client.text()));
        client.enter("PF3").unwrap();
    };
    ceda("DEFINE TRANSACTION(XTRN) GROUP(TROJAN) PROGRAM(DFHEMTP)", "DEFINE SUCCESSFUL");
    ceda("INSTALL TRANSACTION(XTRN) GROUP(TROJAN)", "not authorized");
    ceda("DEFINE TERMINAL(XTER) GROUP(TROJAN) NETNAME(LUXTER) TYPETERM(DFHLU2E2) USERID(SUPER)", "DEFINE SUCCESSFUL");
    ceda("INSTALL GROUP(TROJAN)", "MESSAGES: 2 SEVERE");
    wait_for_message(&["DFHXS1111", "CEDA", "TELLER", "resource TRANSACTION in class CCICSCMD", "intent ALTER"]);
    assert!(crate::support::region().transactions().find(region::name::Name4::new("XTRN")).is_none());
    assert!(crate::support::region().installed.read().get("TERMINAL", "XTER").is_none());
}

/// A guess costs the same whether the user is there or not, so nobody learns by the clock who is.
#[test]
fn the_time_of_a_refusal_does_not_tell_who_is_there() {
    let report = REPORT.replace('\n', "\n    ");
    let procedure = format!(
        "    EXEC CICS VERIFY PASSWORD('GUESSED') USERID(LK-USER) RESP(WS-RESP) END-EXEC
    MOVE WS-RESP TO RP-RESP
    {report}
    EXEC CICS RETURN END-EXEC."
    );
    let storage = "01 WS-RESP PIC S9(8) COMP.\n01 WS-REPORT.\n   05 RP-RESP PIC 999.";
    compile("TIMPGM", storage, "01 DFHCOMMAREA.\n   05 LK-USER PIC X(8).", &procedure);
    define("TTIM", "TIMPGM", &[]);
    let verify = |user: &str| {
        let began = std::time::Instant::now();
        reported_for("TELLER", "TTIM", &format!("{user:<8}"));
        began.elapsed()
    };
    verify("GUESSED");
    // The best of several, because the machine has other work.
    let guesses = (0..6).map(|_| {
        administer("ALTUSER GUESSED RESUME");
        (verify("GUESSED"), verify("NOBODY"))
    });
    let (there, nobody): (Vec<_>, Vec<_>) = guesses.unzip();
    let best = |times: Vec<std::time::Duration>| times.into_iter().min().unwrap();
    let (there, nobody) = (best(there), best(nobody));
    let ratio = there.as_secs_f64() / nobody.as_secs_f64();
    assert!((0.5..2.0).contains(&ratio), "{there:?} for one who is there, {nobody:?} for nobody");
}

/// Guesses that come at once are all counted: many terminals do not get more of them than one.
#[test]
fn guessing_at_many_terminals_at_once_revokes_the_user() {
    let attempts: Vec<_> = (0..6)
        .map(|number| {
            std::thread::spawn(move || {
                let mut client = connect();
                run(&mut client, &format!("CESN USERID=STORMED,PS=GUESS{number}"));
                client.wait_text("DFHCE35").unwrap();
                client.text()
            })
        })
        .collect();
    let screens: Vec<String> = attempts.into_iter().map(|attempt| attempt.join().unwrap()).collect();
    let revoked = screens.iter().filter(|screen| screen.contains("DFHCE3542")).count();
    assert_eq!(revoked, 4, "two wrong ones, and four that find him revoked: {screens:#?}");
    let mut client = connect();
    run(&mut client, &format!("CESN USERID=STORMED,PS={PASSWORD}"));
    client.wait_text("DFHCE3542").unwrap();
}

/// Whoever may define queues and templates does not get at the passwords and profiles by their names: the files of the security database are for
/// no definition, by whatever path.
#[test]
fn a_definition_does_not_lead_to_the_security_database() {
    let storage = "01 WS-RESP PIC S9(8) COMP VALUE -1.\n01 WS-DATA PIC X(100).\n01 WS-LENGTH PIC S9(4) COMP VALUE 100.
01 WS-TOKEN PIC X(16).
01 WS-REPORT.\n   05 RP-QUEUE PIC 999.\n   05 PIC X VALUE SPACE.\n   05 RP-TEMPLATE PIC 999.";
    let report = REPORT.replace('\n', "\n    ");
    let procedure = format!(
        "    EXEC CICS READQ TD QUEUE(LK-QUEUE) INTO(WS-DATA) LENGTH(WS-LENGTH) RESP(WS-RESP) END-EXEC
    MOVE WS-RESP TO RP-QUEUE
    EXEC CICS DOCUMENT CREATE DOCTOKEN(WS-TOKEN) TEMPLATE(LK-TEMPLATE) RESP(WS-RESP) END-EXEC
    MOVE WS-RESP TO RP-TEMPLATE
    {report}
    EXEC CICS RETURN END-EXEC."
    );
    compile("PATHPGM", storage, "01 DFHCOMMAREA.\n   05 LK-QUEUE PIC X(4).\n   05 LK-TEMPLATE PIC X(48).", &procedure);
    define("TPTH", "PATHPGM", &[]);
    let data = crate::support::data();
    let links = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(data.join("security"), links.path().join("folder")).unwrap();
    std::os::unix::fs::symlink(data.join("security/database"), links.path().join("file.txt")).unwrap();
    // RESP of the queue and of the template with this file.
    let responses = |at: usize, path: &str| {
        let name = format!("XP{at}");
        let queue = csd::Definition::new("TDQUEUE", &name, "TEST").with("TYPE", "EXTRA").with("TYPEFILE", "INPUT").with("DSNAME", path);
        let template = csd::Definition::new("DOCTEMPLATE", &name, "TEST").with("TEMPLATENAME", &name).with("HFSFILE", path);
        for definition in [queue, template] {
            let _ = crate::support::region().install(&definition);
        }
        reported_for("SUPER", "TPTH", &format!("{name:<4}{name:<48}"))
    };
    // Another file of the machine, which the region's own rights protect, is read.
    let other = links.path().join("other.txt");
    std::fs::write(&other, "A LINE\n").unwrap();
    assert_eq!(responses(0, other.to_str().unwrap()), "000 000");
    let inside = data.join("queues/../security/database");
    let paths = [data.join("security/database"), inside, links.path().join("folder/database"), links.path().join("file.txt")];
    for (at, path) in paths.iter().enumerate() {
        let report = responses(at + 1, path.to_str().unwrap());
        assert!(!report.contains("000"), "{}: {report}", path.display());
    }
    assert!(responses(9, "security/database").ends_with("117"), "a path in the data directory");
}
