//! Every command group, command by command: the normal path and each condition its documentation gives, as a program sees them.
//!
//! A transaction of `applications/commands` issues the commands, compares RESP, RESP2, the EXEC interface block and the data with the
//! documented values, and says how many checks it made and which of them failed.

mod support;

use support::terminal::Terminal;
use support::{Region, root};

/// Transaction and the number of its checks: one that ends early has made fewer.
const GROUPS: [(&str, u32); 6] = [
    ("CMFC", 102),
    ("CMBR", 74),
    ("CMTS", 38),
    ("CMPC", 51),
    ("CMCO", 32),
    ("CMHC", 22),
];

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
