//! Messages that programs route to other terminals and operators, as their users see them at s3270.

mod support;

use std::time::Duration;
use support::terminal::Terminal;
use support::{Region, root};

/// More than the purge delay of the application (PRGDLAY=0001), and what is left of a minute.
const PURGED_WITHIN: Duration = Duration::from_secs(150);

fn start(data: &tempfile::TempDir) -> Region {
    Region::start(&root().join("crates/regent/tests/applications/routing"), data.path(), &[])
}

/// A terminal and its name.
fn terminal(region: &Region, model: &str) -> (Terminal, String) {
    let mut terminal = Terminal::connect_as(region.port, model, &[]);
    terminal.expect("TERMID=");
    let screen = terminal.text().join(" ");
    let name = screen.split("TERMID=").nth(1).expect("a terminal name").chars().take(4).collect();
    (terminal, name)
}

fn command(terminal: &mut Terminal, text: &str) {
    terminal.clear();
    terminal.type_text(text);
    terminal.enter();
}

#[test]
fn route_has_the_documented_conditions_and_flags() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = start(&data);
    let (mut sender, _) = terminal(&region, "3279-2-E");
    let (other, name) = terminal(&region, "3279-2-E");
    sender.transaction(&format!("RCHK {name}"));
    sender.expect("RCHK: 0029 CHECKS, 0000 FAULTS");
    drop((sender, other));
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_message_comes_to_the_terminal_it_is_routed_to() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = start(&data);
    let (mut sender, _) = terminal(&region, "3279-2-E");
    let (mut other, name) = terminal(&region, "3279-2-E");
    sender.transaction(&format!("RTXT {name}"));
    sender.expect("ROUTED 0000");
    other.expect("MESSAGE OF THE RTXT");
    // The pages are displayed: the next messages wait, and the operator lists them by their titles.
    sender.transaction(&format!("RTXT {name}"));
    sender.transaction(&format!("RTXT {name}"));
    sender.expect("ROUTED 0000");
    command(&mut other, "P/Q");
    other.expect("DFHTP4102 00002");
    other.expect("MONDAY NOTES");
    command(&mut other, "T/B");
    other.expect("MESSAGE OF THE RTXT");
    command(&mut other, "T/A");
    other.expect("DFHTP4122");
    command(&mut other, "P/Q");
    other.expect("DFHTP4102 00000");
    // Any other input ends the display; nothing waits any more.
    command(&mut other, "CEMT I SYS");
    other.expect("RESPONSE: NORMAL");
    drop((sender, other));
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_message_waits_for_its_time_and_for_its_terminal() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = start(&data);
    let (mut sender, _) = terminal(&region, "3279-2-E");
    let (mut other, name) = terminal(&region, "3279-2-E");
    sender.transaction(&format!("RDLY {name}"));
    sender.expect("ROUTED 0000");
    assert!(!other.text().iter().any(|line| line.contains("MESSAGE OF THE RDLY")));
    // A task has the terminal when the message is due.
    command(&mut other, "CEMT I TASK");
    other.expect("RESPONSE: NORMAL");
    std::thread::sleep(Duration::from_secs(4));
    assert!(!other.text().iter().any(|line| line.contains("MESSAGE OF THE RDLY")));
    other.pf(3);
    other.expect("MESSAGE OF THE RDLY");
    drop((sender, other));
    assert_eq!(region.stop(), 0);
}

/// A message whose REQID a TSMODEL with RECOVERY(YES) is for waits over a shutdown and over a failure; one that was backed out does not, and one
/// that has been displayed does not come again.
#[test]
fn a_recoverable_message_waits_over_a_restart() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = start(&data);
    let (mut sender, _) = terminal(&region, "3279-2-E");
    for transaction in ["RREC", "RBAK", "RTXT"] {
        sender.transaction(&format!("{transaction} BR01"));
        sender.expect("ROUTED 0000");
    }
    drop(sender);
    assert_eq!(region.stop(), 0);
    // The next end is a failure.
    start(&data).kill();
    let region = start(&data);
    let mut branch = Terminal::connect_at(&format!("BRANCH1@127.0.0.1:{}", region.port), "3279-2-E", &[]);
    branch.expect("MESSAGE OF THE RREC");
    command(&mut branch, "P/Q");
    branch.expect("DFHTP4102 00000");
    command(&mut branch, "T/B");
    branch.expect("DFHTP4122");
    drop(branch);
    assert_eq!(region.stop(), 0);
    let region = start(&data);
    let mut branch = Terminal::connect_at(&format!("BRANCH1@127.0.0.1:{}", region.port), "3279-2-E", &[]);
    branch.expect("TERMID=");
    command(&mut branch, "P/Q");
    branch.expect("DFHTP4102 00000");
    drop(branch);
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_message_waits_for_its_operator() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = start(&data);
    let (mut sender, _) = terminal(&region, "3279-2-E");
    let (mut other, name) = terminal(&region, "3279-2-E");
    sender.transaction(&format!("ROPR {name} ANN"));
    sender.expect("ROUTED 0000");
    command(&mut other, "P/1");
    other.expect("DFHTP4104");
    command(&mut other, "CESN USERID=BOB,PS=X");
    other.expect("DFHCE3549");
    command(&mut other, "P/1");
    other.expect("DFHTP4104");
    command(&mut other, "CESN USERID=ANNA,PS=X");
    other.expect("MESSAGE OF THE ROPR");
    drop((sender, other));
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_message_for_all_terminals_comes_to_each_with_the_attributes_it_has() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = start(&data);
    let (mut sender, _) = terminal(&region, "3279-2-E");
    let (mut large, _) = terminal(&region, "3279-4-E");
    let (mut plain, _) = terminal(&region, "3278-2");
    sender.transaction("RMAP");
    for (terminal, per_page) in [(&mut plain, 20), (&mut large, 39)] {
        terminal.expect("ITEM0001");
        assert_eq!(terminal.row(1), " STOCK LIST         0001");
        assert_eq!(terminal.row(2 + per_page), format!("   ITEM{per_page:04}"));
        assert_eq!(terminal.row(4 + per_page), format!(" {per_page:04} OF"));
        terminal.pf(8);
        terminal.expect(&format!("ITEM{:04}", per_page + 1));
        assert_eq!(terminal.row(1), " STOCK LIST         0002");
    }
    assert_eq!(plain.attribute(1, 1).1, [], "a display of one colour without extended attributes");
    assert!(large.attribute(1, 1).1.contains(&(0x42, 0xF2)), "the colour of the map");
    // The sender is a terminal of the region too.
    sender.expect("ITEM0001");
    command(&mut sender, "T/A");
    sender.expect("DFHTP4122");
    sender.transaction("RSET");
    // 20 of 40 items on a page of 24 lines, 39 on one of 43: an overflow of each size. SET returns the pages of both.
    sender.transaction("CEBR RTEQUEUE");
    sender.expect("TYPES 0002 OVERFLOWS 02");
    sender.expect("TYPES 0002 OVERFLOWS 00 PAGES 01");
    sender.pf(3);
    drop((sender, large, plain));
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_message_that_cannot_be_delivered_is_purged_and_its_sender_told() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = start(&data);
    let (mut sender, _) = terminal(&region, "3279-2-E");
    let (mut other, name) = terminal(&region, "3279-2-E");
    // A conversation keeps the terminal busy until its session ends.
    other.transaction("CEMT I TASK");
    other.expect("RESPONSE: NORMAL");
    sender.transaction(&format!("RERR {name}"));
    sender.expect("ROUTED 0000");
    drop(other);
    sender.expect_within("DFHTP4161", PURGED_WITHIN);
    sender.expect(&format!("{name}. Message title was MONDAY NOTES."));
    drop(sender);
    assert_eq!(region.stop(), 0);
}
