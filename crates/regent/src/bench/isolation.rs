//! `regent bench isolation`: what storage protection and transaction isolation cost, on the workload of `bench bank`, beside the same without.
//!
//! Every round runs each setting once, in a process of its own, so what changes on the machine meanwhile falls on all of them; the run with
//! the least processor time of each counts. Real storage is the most that the process had, in frames of 4 KB. A machine without protection
//! keys runs all of them without protection: the rows then show what the requests alone cost, and the noise.

use serde_json::{Value, json};

use super::{Arguments, bank, run_apart};

/// The settings of the region; the first is the one that the others are compared with.
const SETTINGS: [(&str, &[&str]); 3] = [
    ("no storage protection", &["STGPROT=NO"]),
    ("storage protection", &["STGPROT=YES"]),
    ("transaction isolation, unique subspaces", &["STGPROT=YES", "TRANISO=YES"]),
];

/// Most rounds.
const ROUNDS_MAX: u32 = 3;

/// One row for each setting: the best of its runs, compared with the first.
pub fn run(arguments: &Arguments, workers: usize) -> Result<Vec<Value>, String> {
    let mut best: Vec<Option<Value>> = vec![None; SETTINGS.len()];
    for _ in 0..arguments.rounds.clamp(1, ROUNDS_MAX) {
        for ((_, parameters), best) in SETTINGS.iter().zip(&mut best) {
            let mut sit: Vec<String> = parameters.iter().map(|parameter| parameter.to_string()).collect();
            sit.extend(arguments.sit.iter().cloned());
            let terminals = vec![bank::busy_terminals(arguments)];
            let rows = run_apart(&Arguments { sit, terminals, ..arguments.clone() }, "bank", workers)?;
            let row = rows.get(0).cloned().ok_or("bench bank has no row")?;
            if best.as_ref().is_none_or(|best| row["cpu_us"].as_f64() < best["cpu_us"].as_f64()) {
                *best = Some(row);
            }
        }
    }
    let rows: Vec<Value> = best.into_iter().flatten().collect();
    let compared = |row: &Value, field: &str| {
        let first = rows.first().and_then(|first| first[field].as_f64()).unwrap_or(f64::NAN);
        row[field].as_f64().unwrap_or(f64::NAN) / first
    };
    let row = |((name, _), row): (&(&str, &[&str]), &Value)| {
        json!({
            "setting": name,
            "protection": row["protection"],
            "isolation": row["isolation"],
            "per_second": row["per_second"],
            "cpu_us": row["cpu_us"],
            "cpu_ratio": compared(row, "cpu_us"),
            "frames": row["frames"],
            "frames_ratio": compared(row, "frames"),
            "errors": row["errors"],
        })
    };
    Ok(SETTINGS.iter().zip(&rows).map(row).collect())
}
