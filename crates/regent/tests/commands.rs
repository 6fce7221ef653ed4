//! Every command group, command by command: the normal path and each condition its documentation gives, as a program sees them.
//!
//! A transaction of `applications/commands` issues the commands, compares RESP, RESP2, the EXEC interface block and the data with the
//! documented values, and says how many checks it made and which of them failed.

mod support;

use support::terminal::Terminal;
use support::{Region, root};

/// Transaction and the number of its checks: one that ends early has made fewer.
const GROUPS: [(&str, u32); 8] =
    [("CMFC", 102), ("CMBR", 74), ("CMTS", 38), ("CMPC", 51), ("CMCO", 32), ("CMHC", 22), ("CMIC", 52), ("CMSY", 48)];

#[test]
fn each_command_answers_as_documented() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = Region::start(&root().join("crates/regent/tests/applications/commands"), data.path(), &[]);
    let mut terminal = Terminal::connect(region.port);
    let mut faults = Vec::new();
    for (transaction, checks) in GROUPS {
        terminal.transaction(transaction);
        let expected = format!("{transaction}: {checks:04} CHECKS, 0000 FAULTS");
        let screen = terminal.text();
        if !screen.iter().any(|line| line.contains(&expected)) {
            faults.push(format!("{expected} expected\n{}", screen.join("\n").trim_end()));
        }
    }
    assert!(faults.is_empty(), "{}\n{}", faults.join("\n\n"), region.output.join("\n"));
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn terminal_commands_answer_as_documented() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = Region::start(&root().join("crates/regent/tests/applications/commands"), data.path(), &[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CMTM HELLO");
    terminal.expect("TYPE A WORD:");
    // The cursor is at the first position and the screen has no fields: all twelve characters are read.
    terminal.type_text("WORDLONG");
    terminal.enter();
    terminal.expect("COMMAND CHECK");
    terminal.fill(3, 11, "REGENT");
    terminal.fill(4, 11, "42");
    terminal.pf(5);
    terminal.expect("AGAIN");
    assert_eq!(terminal.cursor(), (4, 11), "CURSOR with a length of -1 puts it into that field");
    terminal.clear();
    terminal.expect("COMMAND CHECK");
    terminal.fill(3, 11, "PF");
    terminal.pf(3);
    terminal.expect("CMTM: 0017 CHECKS, 0000 FAULTS");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}
