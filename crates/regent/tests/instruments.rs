//! What instruments cost: `regent bench instruments` on the bank.

mod support;

use support::{regent, root};

/// CICS pays 44% to 46% of its processor time for internal trace (TRC-06, H25): here it is less, and every answer of the bank is right.
#[test]
fn internal_trace_costs_less_than_in_cics() {
    let mut command = regent();
    command.args(["--format", "json", "bench", "instruments", "--seconds", "2", "--terminals", "20"]);
    let output = command.current_dir(root()).output().expect("the benchmark runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let rows: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let row = |name: &str| rows.iter().find(|row| row["instrument"] == name).unwrap_or_else(|| panic!("no row {name}\n{text}"));
    for name in [
        "trace off",
        "19 policy rules, not exceeded",
        "internal trace, level 1",
        "internal trace, levels 1 and 2",
        "auxiliary trace, level 1",
    ] {
        assert!(row(name)["per_second"].as_f64().is_some_and(|rate| rate > 0.0) && row(name)["errors"] == 0, "{text}");
    }
    let ratio = row("internal trace, level 1")["ratio"].as_f64().expect("a ratio");
    assert!(ratio < 1.44, "{text}");
}
