//! A short run of the relational workload, which `regent bench rtw` measures for longer.

use std::process::Command;

const HEADING: &str = "rate tran/s mean ms p50 ms p99 ms region us database us SQL change modes QR wait us QR us errors";

/// 7 transactions of 200 SQL calls (WKLD-07). A call from a QUASIRENT program is two switches, from a REQUIRED one none; the task itself is a few.
#[test]
fn transactions_have_200_sql_calls_and_as_many_switches_as_their_programs_ask_for() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_regent"));
    let output = command.args(["bench", "rtw", "--rates", "8", "--seconds", "4"]).current_dir(root).output().expect("the benchmark runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let heading: Vec<&str> = text.lines().find(|line| line.contains("tran/s")).expect("a heading").split_whitespace().collect();
    assert_eq!(heading.join(" "), HEADING);
    let row = |variant: &str| -> Vec<f64> {
        let row = text.lines().find(|line| line.starts_with(variant)).expect("a row for each variant");
        row.split_whitespace().skip(1).map(|figure| figure.parse().unwrap_or_else(|_| panic!("{text}"))).collect()
    };
    // Rows without errors have nothing in the last column.
    let figures = |variant: &str| match row(variant)[..] {
        [_, rate, _, _, _, _, _, calls, switches, _, _] => (rate, calls, switches),
        _ => panic!("{text}"),
    };
    let ((rate, calls, switches), (required_rate, required_calls, required_switches)) = (figures("QUASIRENT"), figures("REQUIRED"));
    assert!(rate > 1.0 && required_rate > 1.0, "{text}");
    assert!((190.0..=210.0).contains(&calls) && (190.0..=210.0).contains(&required_calls), "{text}");
    assert!((0.0..=12.0).contains(&(switches - 2.0 * calls)), "{text}");
    assert!((4.0..=12.0).contains(&required_switches), "{text}");
}
