//! A short run of the workload of the asynchronous API, which `regent bench asynchronous` measures for longer.

use std::process::Command;

/// NUMBERS H11: from a REQUIRED program ten STARTs are twenty changes of mode more than ten RUN TRANSIDs, and the child has none. Each parent has
/// its first program, RECEIVE, SEND and its end (1 + 2 + 2 + 1).
#[test]
fn ten_children_by_start_are_twenty_changes_of_mode_more_than_by_run_transid() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_regent"));
    let output = command.args(["bench", "asynchronous", "--seconds", "1"]).current_dir(root).output().expect("the benchmark runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let row = |transaction: &str| -> Vec<f64> {
        let row = text.lines().find(|line| line.starts_with(transaction)).unwrap_or_else(|| panic!("{text}"));
        row.split_whitespace().skip(1).map(|figure| figure.parse().unwrap_or_else(|_| panic!("{text}"))).collect()
    };
    let change_modes = ["ASGS", "ASGX", "ACHL"].map(|transaction| row(transaction)[5]);
    assert_eq!(change_modes, [26.0, 6.0, 0.0], "{text}");
    let [parents_start, parents_run, children] = ["ASGS", "ASGX", "ACHL"].map(|transaction| row(transaction)[0]);
    assert!(parents_start >= 1.0 && parents_start == parents_run, "{text}");
    assert_eq!(children, 10.0 * (parents_start + parents_run), "{text}");
    // Every task has used the processor.
    assert!(["ASGS", "ASGX", "ACHL"].iter().all(|transaction| row(transaction)[2] > 0.0), "{text}");
}
