//! One copy of a program's code, run by fifty tasks at once, each with its own storage.

mod support;

use support::terminal::Terminal;
use support::{Region, root};

fn fifty_tasks(arguments: &[&str]) {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = Region::start(&root().join("crates/regent/tests/applications/reentry"), data.path(), arguments);
    let mut terminal = Terminal::connect(region.port);
    for transaction in ["REEQ", "REER"] {
        terminal.transaction(&format!("STRT {transaction}"));
        terminal.expect(&format!("{transaction}: 0050 TASKS, 00000000 FAULTS"));
    }
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn tasks_share_code_and_no_storage_in_ebcdic() {
    fifty_tasks(&[]);
}

#[test]
fn tasks_share_code_and_no_storage_in_ascii() {
    fifty_tasks(&["--sit", "LOCALCCSID=819"]);
}
