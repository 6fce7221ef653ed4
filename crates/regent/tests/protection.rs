//! Storage protection as programs and operators see it. Where the processor has keys (as in the machine that tests/keys boots), user-key
//! programs can write user-key storage only. Without keys the same transactions show the fallback, and the region reports which case it is.

mod support;

use support::terminal::Terminal;
use support::{Region, root};

/// What the system says of its processor.
fn machine_has_keys() -> bool {
    let processors = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    processors.lines().any(|line| line.starts_with("flags") && line.split_whitespace().any(|flag| flag == "ospke"))
}

fn start(arguments: &[&str]) -> (Region, tempfile::TempDir) {
    let data = tempfile::tempdir().expect("a scratch directory");
    let directory = root().join("crates/regent/tests/applications/protection");
    (Region::start(&directory, data.path(), arguments), data)
}

fn said(region: &Region, message: &str) -> bool {
    region.output.iter().any(|line| line.contains(message))
}

/// How a transaction ends.
#[derive(Clone, Copy)]
enum End {
    /// By this abend, and a message that names this DSA before it if it is not empty.
    Abend(&'static str, &'static str),
    Normal,
}

/// Transaction, its end where the processor has keys, and where it has none.
const CASES: [(&str, End, End); 14] = [
    ("KU01", End::Abend("ASRA", "ECDSA"), End::Normal),
    ("KC01", End::Normal, End::Normal),
    ("KU02", End::Abend("ASRA", "ECDSA"), End::Normal),
    ("KC02", End::Normal, End::Normal),
    ("KU03", End::Abend("AEYD", ""), End::Normal),
    ("KC03", End::Normal, End::Normal),
    ("KU04", End::Abend("ASRA", "ERDSA"), End::Abend("ASRA", "ERDSA")),
    ("KC04", End::Abend("ASRA", "ERDSA"), End::Abend("ASRA", "ERDSA")),
    ("KU06", End::Abend("ASRA", "ECDSA"), End::Normal),
    ("KC06", End::Normal, End::Normal),
    ("KU07", End::Normal, End::Normal),
    ("KC07", End::Normal, End::Normal),
    // Whether or not storage protection is active.
    ("KU08", End::Abend("AEZD", ""), End::Abend("AEZD", "")),
    ("KC08", End::Normal, End::Normal),
];

/// The same of programs written in C: their static and stack are of their key, their code is nobody's to write.
const C_CASES: [(&str, End, End); 16] = [
    ("LU01", End::Abend("ASRA", "ECDSA"), End::Normal),
    ("LC01", End::Normal, End::Normal),
    ("LU02", End::Abend("ASRA", "ECDSA"), End::Normal),
    ("LC02", End::Normal, End::Normal),
    ("LU03", End::Abend("AEYD", ""), End::Normal),
    ("LC03", End::Normal, End::Normal),
    // The program LINKed to has user key: it may store in static and stack of a user-key program only.
    ("LU04", End::Normal, End::Normal),
    ("LC04", End::Abend("ASRA", "ECDSA"), End::Normal),
    ("LU05", End::Normal, End::Normal),
    ("LC05", End::Abend("ASRA", "ECDSA"), End::Normal),
    ("LU06", End::Abend("ASRA", ""), End::Abend("ASRA", "ECDSA")),
    ("LC06", End::Abend("ASRA", "ECDSA"), End::Abend("ASRA", "ECDSA")),
    ("LU07", End::Normal, End::Normal),
    ("LC07", End::Normal, End::Normal),
    ("LU08", End::Normal, End::Normal),
    ("LC08", End::Normal, End::Normal),
];

#[test]
fn programs_write_what_their_key_allows() {
    run_cases(&CASES);
}

#[test]
fn c_programs_write_what_their_key_allows() {
    run_cases(&C_CASES);
}

#[test]
fn xplink_programs_run_on_the_tcb_of_their_key() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    for (transaction, mode) in [("LU08", if machine_has_keys() { "X9" } else { "X8" }), ("LC08", "X8")] {
        terminal.transaction(transaction);
        terminal.expect(&format!("CAME TO ITS END ON {mode}"));
    }
    drop((terminal, region));
}

/// Table 4-2: OPENAPI programs run on L9 in user key with storage protection, otherwise on L8, and come back to it.
#[test]
fn openapi_programs_run_on_the_tcb_of_their_key() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    for (transaction, mode) in [("KUOP", if machine_has_keys() { "L9" } else { "L8" }), ("KCOP", "L8")] {
        terminal.transaction(transaction);
        terminal.expect(&format!("CAME TO ITS END ON {mode}"));
    }
    drop((terminal, region));
}

fn run_cases(cases: &[(&str, End, End)]) {
    let (mut region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    for &(transaction, with_keys, without_keys) in cases {
        let end = if machine_has_keys() { with_keys } else { without_keys };
        let overwritten = region.output.len();
        terminal.transaction(transaction);
        match end {
            End::Normal => terminal.expect("CAME TO ITS END"),
            End::Abend(code, dsa) => {
                terminal.expect("DFHAC2206");
                let screen = terminal.text().join(" ");
                assert!(screen.contains(code) && screen.contains(transaction), "{transaction} is to abend {code}:\n{screen}");
                let last = |line: &str| line.contains("DFHAC2206");
                assert!(region.wait_for(last, std::time::Duration::from_secs(30)));
                let told = region.output[overwritten..].join("\n");
                assert_eq!(told.contains("DFHSR0622"), !dsa.is_empty(), "{transaction}: {told}");
                assert!(dsa.is_empty() || told.contains(&format!("overwrite the {dsa} ")), "{transaction}: {told}");
                // The message of a program check in CICS key is DFHAP0001, and that in user key is DFHSR0001.
                let is_program_check = told.contains("DFHSR0001") || told.contains("DFHAP0001");
                assert_eq!(is_program_check && told.contains("0C4/ASRA"), code == "ASRA", "{transaction}: {told}");
            }
        }
    }
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_handled_protection_exception_tells_key_and_storage() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    // CVDAs: USEREXECKEY 382, CICS 660, BASESPACE 664.
    for transaction in ["KU05", "KU09"] {
        terminal.transaction(transaction);
        terminal.expect(if machine_has_keys() { "HANDLED 0382 0660 0664 TWICE" } else { "CAME TO ITS END" });
    }
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// FREEMAIN of CICS-key storage by a program with user key: INVREQ, RESP2 2.
#[test]
fn a_user_key_program_does_not_free_cics_key_storage() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    for (transaction, shown) in
        [("KU27", if machine_has_keys() { "FREED 0016 0002" } else { "FREED 0000 0000" }), ("KC27", "FREED 0000 0000")]
    {
        terminal.transaction(transaction);
        terminal.expect(shown);
    }
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// With TRANISO: 11 and 14 hold storage, isolated and not; the others reach for it. What the screen shows, where there are keys.
const HELD_BY_AN_ISOLATED_TASK: [(&str, &str); 6] = [
    ("KU12", "ASRA"),
    ("KU13", "ASRA"),
    ("KU15", "AEYD"),
    // CVDAs: USEREXECKEY 382, USER 642, SUBSPACE 663; then the CWA, which is CICS-key storage.
    ("KU17", "HANDLED 0382 0642 0663 TWICE"),
    ("KU16", "CAME TO ITS END"),
    ("KC12", "CAME TO ITS END"),
];
const HELD_BY_A_COMMON_TASK: [(&str, &str); 3] = [("KU12", "ASRA"), ("KU15", "AEYD"), ("KU13", "CAME TO ITS END")];

#[test]
fn isolated_tasks_do_not_reach_each_other() {
    let (mut region, _data) = start(&["--sit", "TRANISO=YES"]);
    let keys = machine_has_keys();
    assert_eq!(said(&region, "DFHSM0125"), keys);
    assert_eq!(said(&region, "DFHSI1519"), !keys, "the region says when isolation has no effect");
    let mut holder = Terminal::connect(region.port);
    let mut terminal = Terminal::connect(region.port);
    for (hold, cases) in [("KU11", &HELD_BY_AN_ISOLATED_TASK[..]), ("KU14", &HELD_BY_A_COMMON_TASK)] {
        holder.transaction(hold);
        holder.expect("HOLDING");
        for (transaction, shown) in cases {
            terminal.transaction(transaction);
            terminal.expect(if keys { shown } else { "CAME TO ITS END" });
        }
        holder.enter();
        // Only the last one was to reach it.
        holder.expect("HELD REACHED");
    }
    if keys {
        assert!(
            region.wait_for(|line| line.contains("DFHSR0622") && line.contains("access the EUDSA"), std::time::Duration::from_secs(30))
        );
    }
    // The other transactions behave as without isolation.
    for transaction in ["KU07", "KC07"] {
        terminal.transaction(transaction);
        terminal.expect("CAME TO ITS END");
    }
    drop((terminal, holder));
    assert_eq!(region.stop(), 0);
}

/// A transaction that waits for an event control block, and those that post it, each with what its screen shows where there are keys.
const WAITS: [(&str, &[(&str, &str)]); 3] = [
    // In its own storage, in a unique subspace: only the base space reaches it.
    ("KU21", &[("KU22", "ASRA"), ("KU23", "ASRA"), ("KC22", "CAME TO ITS END")]),
    // In its own storage, in the common subspace.
    ("KU24", &[("KU22", "ASRA"), ("KU23", "CAME TO ITS END")]),
    // In shared storage.
    ("KU26", &[("KU22", "CAME TO ITS END")]),
];

/// A wait for a block that another task posts works in the common subspace, from the base space and in shared storage; not between unique
/// subspaces, where the task that would post it abends and the wait goes on.
#[test]
fn a_block_is_posted_by_the_tasks_that_reach_it() {
    let (region, _data) = start(&["--sit", "TRANISO=YES"]);
    let keys = machine_has_keys();
    let mut waiter = Terminal::connect(region.port);
    let mut terminal = Terminal::connect(region.port);
    for (wait, posts) in WAITS {
        waiter.transaction(wait);
        waiter.expect("WAITING");
        for (transaction, shown) in posts {
            let shown = if keys { shown } else { "CAME TO ITS END" };
            terminal.transaction(transaction);
            terminal.expect(shown);
            if shown == "CAME TO ITS END" {
                break;
            }
            assert!(waiter.text().join(" ").contains("WAITING"), "{transaction} has not posted the block of {wait}");
        }
        waiter.expect("POSTED");
    }
    drop((terminal, waiter));
    assert_eq!(region.stop(), 0);
}

#[test]
fn the_region_tells_which_protection_is_in_force() {
    let keys = machine_has_keys();
    // Isolation needs protection.
    let neither = ["--sit", "STGPROT=NO", "--sit", "TRANISO=YES"];
    for (arguments, protection) in
        [(&[][..], keys), (&["--sit", "STGPROT=NO"], false), (&["--sit", "TRANISO=YES"], keys), (&neither, false)]
    {
        let (region, _data) = start(arguments);
        assert_eq!(said(&region, "DFHSM0115"), protection, "{arguments:?}");
        assert_eq!(said(&region, "DFHSM0113"), !protection, "{arguments:?}");
        assert_eq!(said(&region, "DFHSI1518"), !keys && !arguments.contains(&"STGPROT=NO"), "{arguments:?}");
        let mut terminal = Terminal::connect(region.port);
        terminal.transaction("CEMT INQUIRE SYSTEM");
        terminal.expect("Storeprotect(");
        let screen = terminal.text().join(" ").replace(' ', "");
        let isolation = protection && arguments.contains(&"TRANISO=YES");
        assert_eq!(said(&region, "DFHSI1519"), arguments.contains(&"TRANISO=YES") && !isolation, "{arguments:?}");
        assert_eq!((said(&region, "DFHSM0125"), said(&region, "DFHSM0126")), (isolation, !isolation), "{arguments:?}");
        let shown = |name: &str, on| format!("{name}({})", if on { "Active" } else { "Inactive" });
        for expected in [shown("Storeprotect", protection), shown("Tranisolate", isolation)] {
            assert!(screen.contains(&expected), "{arguments:?}: {expected}\n{screen}");
        }
        drop(terminal);
        assert_eq!(region.stop(), 0);
    }
}
