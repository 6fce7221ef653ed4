//! A short run of the crash rounds that `regent torture` runs for hours.

use std::process::Command;

fn torture(arguments: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_regent")).arg("torture").args(arguments).output().expect("the harness runs");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

#[test]
fn no_unit_of_work_is_lost_or_half_after_a_crash() {
    // A seed of its own each time: what fails is shown with its seed.
    let (output, code) = torture(&["--rounds", "250"]);
    let last = output.lines().last().unwrap_or_default();
    assert_eq!(code, Some(0), "{output}");
    assert!(last.starts_with("rounds 250, units ") && last.ends_with(", lost 0, half 0"), "{output}");
    let units: u64 = last.split(", ").nth(1).and_then(|part| part.strip_prefix("units ")).and_then(|n| n.parse().ok()).unwrap();
    assert!(units > 1_000, "only {units} units of work: the rounds tested little");
    // What is never emptied has some 3,000 facts by now, and each round costs more than the one before.
    let facts = output.lines().rev().find_map(|line| line.strip_prefix("facts compared after a start: ")?.strip_suffix(" at most"));
    let facts: u64 = facts.and_then(|number| number.parse().ok()).unwrap();
    assert!((100..2_000).contains(&facts), "{facts} facts");
}

#[test]
fn no_transfer_between_file_and_table_is_lost_or_half_done() {
    let (output, code) = torture(&["--with-database", "--rounds", "12"]);
    let last = output.lines().last().unwrap_or_default();
    assert_eq!(code, Some(0), "{output}");
    assert!(last.starts_with("rounds 12, transfers ") && last.ends_with(", lost 0, half 0"), "{output}");
    let transfers: u64 = last.split(", ").nth(1).and_then(|part| part.strip_prefix("transfers ")).and_then(|n| n.parse().ok()).unwrap();
    assert!(transfers > 50, "only {transfers} transfers: the rounds tested little");
}
