//! CEDA as its users see it with s3270: panels, lists, line commands, installation, locks.
//!
//! Expected results come from "Resource management transaction CEDA commands" (Reference of CICS TS 5.5).

mod support;

use support::golden::{agrees, shows};
use support::terminal::Terminal;
use support::{Region, regent, root};

fn start() -> (Region, tempfile::TempDir) {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = Region::start(&root().join("samples/filework"), data.path(), &[]);
    (region, data)
}

fn ceda(terminal: &mut Terminal, command: &str) {
    terminal.transaction(&format!("CEDA {command}"));
}

/// A command whose result is on the last lines, and the end of the session.
fn done(terminal: &mut Terminal, command: &str, result: &str) {
    ceda(terminal, command);
    terminal.expect(result);
    terminal.pf(3);
    terminal.expect("SESSION ENDED");
}

#[test]
fn a_definition_is_made_changed_and_installed() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    ceda(&mut terminal, "DEF PROG(PAYPGM) G(PAY) L(COBOL)");
    terminal.expect("DEFINE SUCCESSFUL");
    shows(&mut terminal, "ceda_define");
    // A choice is typed short, and a description in full.
    terminal.fill(6, 22, "Pays every month");
    terminal.fill(9, 22, "y");
    terminal.enter();
    terminal.expect("ALTER SUCCESSFUL");
    assert_eq!(terminal.at(9, 5, 20), "RELoad       ==> Yes");
    // Only what differs from the defaults.
    terminal.pf(2);
    // The terminal folds to capitals (UCTRAN of its TYPETERM).
    terminal.expect("PAYS EVERY MONTH");
    assert!(!terminal.text().join("\n").contains("RESident"), "compressed");
    terminal.pf(3);
    ceda(&mut terminal, "DEFINE PROGRAM(PAYPGM) GROUP(PAY)");
    terminal.expect("S PROGRAM PAYPGM already exists in this group.");
    terminal.expect("DEFINE UNSUCCESSFUL");
    terminal.pf(3);
    // Nothing is missing any more when the group is there.
    ceda(&mut terminal, "DEFINE TRANSACTION(FCW2)");
    terminal.expect("MESSAGES: 2 SEVERE");
    shows(&mut terminal, "ceda_incomplete");
    terminal.pf(9);
    terminal.expect("S GROUP has been omitted or specified with an invalid value.");
    terminal.expect("S PROGRAM must be specified.");
    terminal.enter();
    terminal.fill(5, 22, "PAY");
    terminal.fill(7, 22, "FCWTERM");
    terminal.enter();
    terminal.expect("DEFINE SUCCESSFUL");
    terminal.pf(3);
    done(&mut terminal, "INSTALL TRAN(FCW2) G(PAY)", "INSTALL SUCCESSFUL");
    terminal.transaction("CEMT I TRAN(FCW2)");
    terminal.expect("Pro(FCWTERM )");
    terminal.pf(3);
    done(&mut terminal, "INSTALL GROUP(PAY)", "INSTALL SUCCESSFUL");
    done(&mut terminal, "INSTALL GROUP(NONE)", "S Group NONE not found.");
    ceda(&mut terminal, "VIEW PROG(PAYPGM) G(PAY)");
    terminal.expect("OBJECT CHARACTERISTICS");
    assert!(!terminal.text().join("\n").contains("==>"), "nothing can be typed over");
    terminal.pf(3);
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn lists_take_commands_beside_their_lines() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    for command in ["DEF PROG(PAYPGM) G(PAY)", "DEF TRAN(PAY1) G(PAY) PROG(PAYPGM)", "DEF TDQ(PAYQ) G(PAY) TYPE(INTRA)"] {
        done(&mut terminal, command, "DEFINE SUCCESSFUL");
    }
    ceda(&mut terminal, "EXPAND GROUP(PAY)");
    terminal.expect("RESULTS: 1 TO 3 OF 3");
    shows(&mut terminal, "ceda_expand");
    terminal.fill(4, 35, "I");
    terminal.fill(5, 35, "=");
    terminal.fill(6, 35, "C TO(DFHOPER)");
    terminal.enter();
    terminal.expect("USE PF9 FOR S MSGS");
    shows(&mut terminal, "ceda_installed");
    terminal.pf(9);
    terminal.expect("S Group DFHOPER is supplied by the system and cannot be changed.");
    terminal.enter();
    // A panel of its own, and back.
    terminal.fill(4, 35, "V");
    terminal.enter();
    terminal.expect("OBJECT CHARACTERISTICS");
    terminal.pf(12);
    terminal.expect("RESULTS: 1 TO 3 OF 3");
    terminal.fill(4, 35, "R AS(PAYNEW)");
    terminal.enter();
    terminal.expect("RENAME SUCCESSFUL");
    terminal.pf(3);
    ceda(&mut terminal, "DISPLAY G(*)");
    terminal.expect("ENTER COMMANDS");
    terminal.pf(3);
    ceda(&mut terminal, "DIS PROG(PAYPGM) G(PAY)");
    terminal.expect("DISPLAY UNSUCCESSFUL");
    terminal.pf(3);
    ceda(&mut terminal, "EX GROUP(NONE)");
    terminal.expect("Group NONE not found");
    terminal.pf(3);
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn groups_and_lists_are_copied_locked_checked_and_deleted() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    for (command, result) in [
        ("DEF TRAN(PAY1) G(PAY) PROG(PAYPGM)", "I New group PAY created."),
        ("CHECK GROUP(PAY)", "W PROGRAM PAYPGM named by TRANSACTION PAY1 in group PAY is not in the group."),
        // A definition of two purposes is local in the region that it names.
        ("DEF TRAN(PAYR) G(SHR) PROG(PAYPGM) REMOTES(AOR1)", "I New group SHR created."),
        ("CHECK GROUP(SHR)", "CHECK SUCCESSFUL"),
        ("CHECK GROUP(SHR) REMOTESYSTEM(AOR1)", "W PROGRAM PAYPGM named by TRANSACTION PAYR in group SHR is not in the group."),
        ("CHECK GROUP(SHR) REMOTESYSTEM(TOOLONG)", "S REMOTESYSTEM has been omitted or specified with an invalid value."),
        ("COPY ALL G(PAY) TO(PAY2)", "COPY SUCCESSFUL"),
        ("COPY TRAN(PAY1) G(PAY) TO(PAY2)", "S TRANSACTION PAY1 already exists in this group."),
        ("COPY TRAN(PAY1) G(PAY) TO(PAY2) REP", "COPY SUCCESSFUL"),
        ("MOVE TRAN(PAY1) G(PAY2) TO(PAY3) AS(PAY9)", "MOVE SUCCESSFUL"),
        ("ADD GROUP(PAY) LIST(PAYLIST)", "I New list PAYLIST created."),
        ("ADD GROUP(PAY3) LIST(PAYLIST) BEFORE(PAY)", "ADD SUCCESSFUL"),
        ("APPEND LIST(PAYLIST) TO(OTHER)", "APPEND SUCCESSFUL"),
        ("REMOVE GROUP(PAY) LIST(OTHER)", "REMOVE SUCCESSFUL"),
        ("LOCK GROUP(PAY)", "LOCK SUCCESSFUL"),
        ("ALTER TRAN(PAY1) G(PAY) PRIO(7)", "ALTER SUCCESSFUL"),
        ("UNLOCK GROUP(PAY)", "UNLOCK SUCCESSFUL"),
        ("RENAME TRAN(PAY1) G(PAY) AS(PAYX)", "RENAME SUCCESSFUL"),
        ("DELETE G(PAY)", "S A resource type or ALL must be specified."),
        ("DELETE GROUP(PAY) ALL", "DELETE SUCCESSFUL"),
        ("DELETE LIST(OTHER)", "DELETE SUCCESSFUL"),
        ("DEL GROUP(DFHOPER) ALL", "S Group DFHOPER is supplied by the system and cannot be changed."),
        ("FROB", "E 'FROB' is not valid and is ignored."),
    ] {
        done(&mut terminal, command, result);
    }
    // Without a command, its menu; without operands, a panel of them.
    terminal.transaction("CEDA");
    terminal.expect("ENTER ONE OF THE FOLLOWING");
    shows(&mut terminal, "ceda_menu");
    terminal.pf(3);
    ceda(&mut terminal, "LOCK");
    terminal.expect("OVERTYPE TO MODIFY");
    terminal.fill(4, 22, "PAY3");
    terminal.enter();
    terminal.expect("LOCK SUCCESSFUL");
    terminal.pf(3);
    // CEDB does not install, CEDC only looks.
    terminal.transaction("CEDB INSTALL GROUP(PAY3)");
    terminal.expect("E 'INSTALL' is not valid and is ignored.");
    terminal.pf(3);
    terminal.transaction("CEDC EXPAND LIST(PAYLIST)");
    terminal.expect("RESULTS: 1 TO 2 OF 2");
    terminal.fill(4, 35, "REM");
    terminal.enter();
    terminal.expect("USE PF9 FOR S MSGS");
    terminal.pf(3);
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_shell_executes_commands_of_operators() {
    let (region, data) = start();
    let run = |arguments: &[&str]| {
        let output = regent().args(arguments).arg("--data").arg(data.path()).output().expect("regent runs");
        (String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr), output.status.code())
    };
    let (text, code) = run(&["cemt", "INQUIRE TRANSACTION(FCW*)"]);
    assert!(code == Some(0) && text.contains("Tra(FCWK)") && text.contains("RESPONSE: NORMAL"), "{text}");
    // All pages.
    let (text, _) = run(&["cemt", "I PROG(DFH*)"]);
    assert!(text.matches("Prog(").count() > 20, "{text}");
    let (text, code) = run(&["cemt", "--format", "json", "INQUIRE TRANSACTION(FCWK)"]);
    let answer: serde_json::Value = serde_json::from_str(text.trim()).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(
        (code, answer["rows"][0]["values"]["Pro"].as_str(), answer["response"].as_str()),
        (Some(0), Some("FCWTERM"), Some("NORMAL"))
    );
    let (text, code) = run(&["cemt", "I TRA(NONE)"]);
    assert!(code == Some(8) && text.contains("NOT FOUND"), "{text}");
    let (text, code) = run(&["ceda", "DEF PROG(P1) G(SHELL)"]);
    assert!(code == Some(0) && text.contains("DEFINE SUCCESSFUL") && text.contains("RELoad"), "{text}");
    let (text, code) = run(&["ceda", "--format", "json", "EXPAND GROUP(SHELL)"]);
    assert!(code == Some(0) && text.contains("PROGRAM      SHELL"), "{text}");
    let (text, code) = run(&["ceda", "INSTALL GROUP(NONE)"]);
    assert!(code == Some(8) && text.contains("Group NONE not found."), "{text}");
    assert_eq!(region.stop(), 0);
}

#[test]
fn the_screens_in_the_guide_are_those_of_the_region() {
    assert!(agrees("docs/ceda.md") >= 4);
}
