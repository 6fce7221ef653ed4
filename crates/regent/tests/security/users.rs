//! Users of a region by its system initialization parameters: preset users, how long users are kept, how often one is signed on, time limits, the
//! user of the region itself.

use std::time::Duration;

use super::support::terminal::Terminal;
use super::world::{self, Secured, administer, prepared, started};

const SOON: Duration = Duration::from_secs(30);
/// TIMEOUT(1), and the looks of the region.
const IDLE: Duration = Duration::from_secs(100);

/// SNPRESET=SHARED: "the entry port does not appear in this message" for a preset user, because terminals share what is kept of him.
#[test]
fn a_shared_preset_user_violates_without_a_terminal() {
    let secured = Secured::start(&["SNPRESET=SHARED"]);
    let mut terminal = secured.connect_as("LUPRE1");
    terminal.transaction("TWHO");
    terminal.expect("USER PRESET");
    terminal.transaction("XWHO");
    terminal.expect("DFHAC2033");
    let message = secured.wait_for(&["DFHXS1111", "PRESET", "XWHO"], SOON);
    assert!(message.contains("Security violation by user PRESET for resource XWHO in class TCICSTRN"), "{message}");
    // One who has signed on has a terminal.
    let mut other = secured.connect();
    secured.sign_on(&mut other, "TELLER");
    other.transaction("XWHO");
    other.expect("DFHAC2033");
    let message = secured.wait_for(&["DFHXS1111", "TELLER", "XWHO"], SOON);
    assert!(message.contains("by user TELLER at netname "), "{message}");
}

/// SNPRESET=UNIQUE: the user of a preset terminal has it as his port of entry, and the conditional access of its profiles.
#[test]
fn a_unique_preset_user_is_at_his_terminal() {
    let secured = Secured::start(&["SNPRESET=UNIQUE"]);
    secured.administer("PERMIT ** CLASS(TCICSTRN) ID(PRESET) ACCESS(READ) WHEN(TERMINAL(LUPRE1))");
    let mut terminal = secured.connect_as("LUPRE1");
    terminal.transaction("XWHO");
    terminal.expect("USER PRESET");
    secured.administer("PERMIT ** CLASS(TCICSTRN) ID(PRESET) DELETE WHEN(TERMINAL(LUPRE1))");
    terminal.transaction("XWHO");
    terminal.expect("DFHAC2033");
    let message = secured.wait_for(&["DFHXS1111", "PRESET", "XWHO"], SOON);
    assert!(message.contains("by user PRESET at netname LUPRE1 for resource"), "{message}");
}

/// USRDELAY: a user whom nothing uses is forgotten after so many minutes. With RACFSYNC=NO that is when a change of his is noticed.
#[test]
fn users_are_kept_for_usrdelay() {
    let secured = Secured::start(&["USRDELAY=0", "RACFSYNC=NO"]);
    let mut terminal = secured.connect();
    secured.sign_on(&mut terminal, "TELLER");
    terminal.transaction("TWHO");
    terminal.expect("USER TELLER");
    std::thread::sleep(Duration::from_secs(6));
    assert!(secured.logged(&["DFHUS0200", "TELLER"]).is_empty(), "he is in use");
    terminal.transaction("CESF");
    terminal.expect("DFHCE3590");
    secured.wait_for(&["DFHUS0200", "TELLER", "has been timed out"], SOON);
    let kept = Secured::start(&["USRDELAY=30", "RACFSYNC=NO"]);
    let mut terminal = kept.connect();
    kept.sign_on(&mut terminal, "TELLER");
    kept.administer("ALTUSER TELLER REVOKE");
    terminal.transaction("TWHO");
    terminal.expect("USER TELLER");
    assert!(kept.logged(&["DFHUS0200", "TELLER"]).is_empty());
}

/// SNSCOPE among regions that share a security database: a user is signed on to one of them at a time.
#[test]
fn a_user_is_signed_on_once_in_the_scope() {
    for (scope, expected) in [("MVSIMAGE", "DFHCE3546"), ("SYSPLEX", "DFHCE3546"), ("CICS", "DFHCE3549"), ("NONE", "DFHCE3549")] {
        let parameter = format!("SNSCOPE={scope}");
        let one = Secured::start(&[&parameter]);
        // The folder of the database is that of the other region.
        let other = prepared();
        std::fs::remove_dir_all(other.data().join("data/security")).expect("removed");
        std::os::unix::fs::symlink(one.data().join("data/security"), other.data().join("data/security")).expect("linked");
        let mut region = started(&other, &[&parameter]).expect("it starts");
        let mut first = one.connect();
        one.sign_on(&mut first, "TELLER");
        // At another terminal of the same region.
        let mut same = one.connect();
        same.transaction("CESN USERID=TELLER,PS=SECRET1");
        same.expect(if scope == "NONE" { "DFHCE3549" } else { "DFHCE3546" });
        let mut second = Terminal::connect(region.port);
        second.transaction("CESN USERID=TELLER,PS=SECRET1");
        second.expect(expected);
        if expected == "DFHCE3546" {
            assert!(!one.logged(&["DFHSN1118", "TELLER"]).is_empty());
            first.transaction("CESF");
            first.expect("DFHCE3590");
            second.transaction("CESN USERID=TELLER,PS=SECRET1");
            second.expect("DFHCE3549");
            // A region that ends gives up what its users hold.
            region.terminate();
            assert_eq!(region.wait_for_end(), Some(0));
            one.sign_on(&mut first, "TELLER");
        }
    }
}

/// TIMEOUT of the CICS segment with GNTRAN=NO: the user is signed off, and nothing of his conversation is left for who comes next. SIGNOFF(NO) of
/// TYPETERM leaves him alone, SIGNOFF(LOGOFF) ends the session.
#[test]
fn an_idle_user_is_signed_off() {
    let secured = Secured::start(&[]);
    let [mut terminal, mut stays, mut leaves] = ["", "LUSTAY", "LULEAV"].map(|unit| match unit {
        "" => secured.connect(),
        unit => secured.connect_as(unit),
    });
    for terminal in [&mut terminal, &mut stays, &mut leaves] {
        secured.sign_on(terminal, "SLEEPER");
        terminal.transaction("TALK");
        terminal.expect("SCREEN 0001");
    }
    secured.wait_for(&["DFHSN1250", "SLEEPER", "after 1 minutes"], IDLE);
    // Greeted again (LOGONMSG(YES)).
    terminal.expect("Type a transaction identifier");
    terminal.enter();
    assert!(!terminal.text().iter().any(|line| line.contains("SCREEN 0002")), "{:?}", terminal.text());
    terminal.transaction("SWHO");
    terminal.expect("USER CICSUSER");
    secured.wait_for(&["DFHSN1250", "LEAV", "SLEEPER"], SOON);
    assert!(!leaves.is_connected());
    stays.enter();
    stays.expect("SCREEN 0002");
}

/// GNTRAN: CESF signs off, and a program of the installation asks for the password and goes on with what it interrupted.
#[test]
fn a_good_night_transaction_decides() {
    let secured = Secured::start(&["GNTRAN=NITE"]);
    let [mut right, mut wrong] = [(); 2].map(|()| secured.connect());
    for terminal in [&mut right, &mut wrong] {
        secured.sign_on(terminal, "SLEEPER");
        terminal.transaction("TALK");
        terminal.expect("SCREEN 0001");
    }
    // In a conversation, by a time limit, of TALK.
    right.expect_within("ARE YOU THERE? YT TALK", IDLE);
    right.type_text(world::PASSWORD);
    right.enter();
    right.expect("SCREEN 0001 OF SLEEPER");
    right.enter();
    right.expect("SCREEN 0002 OF SLEEPER");
    wrong.expect_within("ARE YOU THERE?", IDLE);
    wrong.type_text("GUESS");
    wrong.enter();
    wrong.expect("YOU ARE SIGNED OFF");
    wrong.transaction("SWHO");
    wrong.expect("USER CICSUSER");
    let discards = Secured::start(&["GNTRAN=(CESF,DISCARD)"]);
    let mut terminal = discards.connect();
    discards.sign_on(&mut terminal, "SLEEPER");
    terminal.transaction("TALK");
    terminal.expect("SCREEN 0001");
    discards.wait_for(&["DFHSN1250", "SLEEPER"], IDLE);
    terminal.transaction("TALK");
    terminal.expect("DFHAC2033");
}

/// The user of the region's process, if the database has him, is checked as the region userid of CICS is.
#[test]
fn the_user_of_the_region_is_checked_if_the_database_has_him() {
    let own = std::process::Command::new("id").arg("-un").output().expect("id");
    let own = String::from_utf8(own.stdout).expect("a name").trim().to_uppercase();
    let application = prepared();
    administer(application.data(), &format!("ADDUSER {own}"));
    let refused = |expected: &str| {
        let output = started(&application, &["PLTPI=NO"]).err().expect("it does not start").join("\n");
        assert!(output.contains(expected), "{output}");
    };
    refused("DFHXS1113");
    administer(application.data(), &format!("PERMIT CICSCAT1 CLASS(GCICSTRN) ID({own}) ACCESS(READ)"));
    refused("DFHUS0050");
    let surrogate =
        format!("RDEFINE SURROGAT CICSUSER.DFHINSTL UACC(NONE)\nPERMIT CICSUSER.DFHINSTL CLASS(SURROGAT) ID({own}) ACCESS(READ)");
    administer(application.data(), &surrogate);
    let region = started(&application, &[]).expect("it starts");
    assert_eq!(region.stop(), 0);
    administer(application.data(), &format!("ALTUSER {own} REVOKE"));
    refused("DFHXS1104");
}
