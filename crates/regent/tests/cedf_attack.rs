//! CEDF under attack: keys and text at random in all its displays, and operators, terminals and tasks that go at each of them. The region
//! lives, no task is left over, and the data of the bank stay what they are.

mod support;

use support::terminal::{Cell, Terminal};
use support::{Region, root};
use testing::Random;

const SEED: u64 = 20;
/// Displays that are answered.
const DISPLAYS_MIN: usize = 400;
/// The attribute of a protected field, and the last column in which a field is typed into.
const PROTECTED: u8 = 0x20;
const COLUMN_MAX: usize = 79;
/// Where the teller signs on: row and column.
const TELLER: (usize, usize) = (10, 42);
const PIN: (usize, usize) = (12, 42);

/// What is typed: words that mean something on one display or another, and what means nothing.
const WORDS: [&str; 24] = [
    "",
    "NOOP",
    "YES",
    "NO",
    "....",
    "X'00'",
    "-1",
    "99999999999999999999",
    "ERROR",
    "NORMAL",
    "NOTFND",
    "7FFFFFFF",
    "00000000",
    "FFFFFFFFFFFFFFFF",
    "0000555555555555",
    "(X'FF')",
    "('A')",
    "READ",
    "EXEC CICS",
    ")))(((",
    "????",
    "WS-X(3)",
    "'",
    "COMMAREA(0)",
];

/// Positions behind the attributes of open fields.
fn open_fields(terminal: &mut Terminal) -> Vec<(usize, usize)> {
    let mut fields = Vec::new();
    for (row, cells) in terminal.buffer().iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            if matches!(cell, Cell::Attribute { basic, .. } if basic & PROTECTED == 0) && column + 2 <= COLUMN_MAX {
                fields.push((row + 1, column + 2));
            }
        }
    }
    fields
}

fn type_at_random(terminal: &mut Terminal, random: &mut Random) {
    let fields = open_fields(terminal);
    for _ in 0..random.below(4) {
        let Some((row, column)) = fields.get(random.index(fields.len())).copied() else { return };
        terminal.move_to(row, column);
        if random.one_in(3) {
            let _ = terminal.try_act("EraseEOF");
        }
        // A field without a position, and the end of one, lock the keyboard.
        let _ = terminal.try_act(&format!("String(\"{}\")", random.pick(&WORDS)));
        let _ = terminal.try_act("Reset");
    }
}

fn press_at_random(terminal: &mut Terminal, random: &mut Random) {
    match random.below(20) {
        0..=8 => terminal.enter(),
        9..=17 => terminal.pf(1 + random.below(24) as u32),
        18 => terminal.pa(1 + random.below(3) as u32),
        _ => terminal.clear(),
    }
}

/// Tasks that are no part of the region itself.
fn tasks_of(operator: &mut Terminal, transactions: &[&str]) -> Vec<String> {
    operator.transaction("CEMT INQUIRE TASK");
    let is_meant = |line: &String| transactions.iter().any(|name| line.contains(&format!("Tra({name})")));
    operator.text().into_iter().filter(is_meant).collect()
}

#[test]
fn keys_and_text_at_random_harm_nothing() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = Region::start(&root().join("samples/bank"), data.path(), &[]);
    let mut random = Random::new(SEED);
    let mut displays = 0;
    while displays < DISPLAYS_MIN {
        let mut terminal = Terminal::connect(region.port);
        terminal.transaction("CEDF");
        terminal.expect("EDF MODE ON");
        terminal.transaction("BANK");
        loop {
            let screen = terminal.text();
            // On the last lines: the task has ended, and what was typed began no other.
            let is_unknown = screen.iter().any(|line| line.contains("DFHAC2001"));
            if screen[0].contains("TRANSACTION: ") {
                displays += 1;
                type_at_random(&mut terminal, &mut random);
                press_at_random(&mut terminal, &mut random);
            } else if !is_unknown && screen.iter().any(|line| line.contains("SIGN-ON")) && open_fields(&mut terminal).contains(&TELLER) {
                // The next display may come meanwhile: then it is answered.
                let typed = [(TELLER, "ADAMS"), (PIN, "4711")].into_iter().all(|((row, column), text)| {
                    terminal.move_to(row, column);
                    terminal.try_act("EraseEOF").is_ok() && terminal.try_act(&format!("String(\"{text}\")")).is_ok()
                });
                let _ = terminal.try_act("Reset");
                if typed {
                    terminal.enter();
                }
            } else {
                // The session has ended, or the bank shows another screen or one without open fields: the next one begins.
                break;
            }
        }
    }
    // The bank works, and nothing is left.
    let mut operator = Terminal::connect(region.port);
    testing::eventually("no task is left", || tasks_of(&mut operator, &["BANK", "CEDF"]).is_empty());
    operator.transaction("BANK");
    operator.fill(TELLER.0, TELLER.1, "ADAMS");
    operator.fill(PIN.0, PIN.1, "4711");
    operator.enter();
    operator.expect("MAIN MENU");
    drop(operator);
    assert_eq!(region.stop(), 0);
}

/// A display, the transaction that shows it, and the keys that lead to it from program initiation.
const WAYS: [(&str, &str, &[&str]); 13] = [
    ("PROGRAM INITIATION", "EDFA", &[]),
    ("ABOUT TO EXECUTE", "EDFA", &["Enter"]),
    ("EXECUTION COMPLETE", "EDFA", &["Enter", "Enter"]),
    ("EXEC INTERFACE BLOCK", "EDFA", &["Enter", "PF(11)"]),
    ("WORKING STORAGE", "EDFA", &["Enter", "PF(5)"]),
    ("DISPLAY ON CONDITION", "EDFA", &["Enter", "PF(9)"]),
    ("DISPLAY:-01", "EDFA", &["Enter", "Enter", "PF(10)"]),
    ("ENTER ABEND CODE", "EDFA", &["Enter", "PF(12)"]),
    ("CEBR", "EDFA", &["Enter", "PF(5)", "PF(2)"]),
    ("ENTER ONE OF THE FOLLOWING", "EDFA", &["Enter", "PF(5)", "PF(5)"]),
    ("TASK TERMINATION", "EDFA", &["PF(4)"]),
    ("AN ABEND HAS OCCURRED", "EDFC", &["PF(4)"]),
    ("REGISTERS AT ABEND", "EDFC", &["PF(4)", "PF(11)"]),
];

/// A purge ends the task at each display, and so does the end of the terminal.
#[test]
fn a_task_ends_at_each_display() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = Region::start(&root().join("crates/regent/tests/applications/cedf"), data.path(), &[]);
    let mut operator = Terminal::connect(region.port);
    for (display, transaction, keys) in WAYS {
        for end in ["PURGE", "FORCEPURGE", "KILL", ""] {
            let mut terminal = Terminal::connect(region.port);
            terminal.transaction("CEDF");
            terminal.expect("EDF MODE ON");
            terminal.transaction(transaction);
            terminal.expect("PROGRAM INITIATION");
            let number = terminal.row(1).split("TASK: ").nth(1).expect("a heading")[..5].to_string();
            for key in keys {
                terminal.act(key);
                terminal.unlocked();
            }
            terminal.expect(display);
            if end.is_empty() {
                drop(terminal);
            } else {
                operator.transaction(&format!("CEMT SET TASK({number}) {end}"));
                // A task that has ended already, or abended, shows what it would have shown without CEDF.
                terminal.expect_one_of(&["DFHAC2206", "READ: WRITTEN BY EDFA"], std::time::Duration::from_secs(30));
            }
            testing::eventually(&format!("{display}: the task has ended"), || tasks_of(&mut operator, &[transaction]).is_empty());
        }
    }
    drop(operator);
    assert_eq!(region.stop(), 0);
}
