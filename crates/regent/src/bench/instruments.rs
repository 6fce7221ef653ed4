//! `regent bench instruments`: what the instruments of a region cost, each on the workload of `bench bank`, beside the same without any.
//!
//! A row of [`INSTRUMENTS`] is one setting. Every round runs each of them once, in a process of its own, so what changes on the machine meanwhile
//! falls on all of them; the run with the least processor time of each counts.

use serde_json::{Value, json};

use super::{Arguments, run_apart};

/// A setting of the region.
struct Instrument {
    name: &'static str,
    /// System initialization parameters besides those of `bench bank`, which has no trace.
    sit: &'static [&'static str],
    /// With the rules of `bench/policy`.
    rules: bool,
}

/// The first is the one that the others are compared with.
const INSTRUMENTS: [Instrument; 5] = [
    Instrument { name: "trace off", sit: &["INTTR=OFF"], rules: false },
    Instrument { name: "19 policy rules, not exceeded", sit: &["INTTR=OFF"], rules: true },
    Instrument { name: "internal trace, level 1", sit: &["INTTR=ON", "STNTR=1"], rules: false },
    Instrument { name: "internal trace, levels 1 and 2", sit: &["INTTR=ON", "STNTR=(1,2)"], rules: false },
    Instrument { name: "auxiliary trace, level 1", sit: &["INTTR=ON", "STNTR=1", "AUXTR=ON", "AUXTRSW=ALL"], rules: false },
];

/// Most rounds.
const ROUNDS_MAX: u32 = 3;
/// Terminals that keep the processors busy.
const BUSY: usize = 100;

/// One row for each instrument: the best of its runs, and its processor time compared with the first.
pub fn run(arguments: &Arguments, workers: usize) -> Result<Vec<Value>, String> {
    let mut best: Vec<Option<Value>> = vec![None; INSTRUMENTS.len()];
    for _ in 0..arguments.rounds.clamp(1, ROUNDS_MAX) {
        for (instrument, best) in INSTRUMENTS.iter().zip(&mut best) {
            let mut sit: Vec<String> = instrument.sit.iter().map(|parameter| parameter.to_string()).collect();
            sit.extend(arguments.sit.iter().cloned());
            let terminals = vec![arguments.terminals.iter().copied().min_by_key(|count| count.abs_diff(BUSY)).unwrap_or(BUSY)];
            let rows = run_apart(&Arguments { sit, terminals, rules: instrument.rules, ..arguments.clone() }, "bank", workers)?;
            let row = rows.get(0).cloned().ok_or("bench bank has no row")?;
            let is_better = best.as_ref().is_none_or(|best| row["cpu_us"].as_f64() < best["cpu_us"].as_f64());
            if is_better {
                *best = Some(row);
            }
        }
    }
    let rows: Vec<Value> = best.into_iter().flatten().collect();
    let base = rows.first().and_then(|row| row["cpu_us"].as_f64()).unwrap_or(f64::NAN);
    let row = |(instrument, row): (&Instrument, Value)| {
        let ratio = row["cpu_us"].as_f64().unwrap_or(f64::NAN) / base;
        json!({
            "instrument": instrument.name,
            "per_second": row["per_second"],
            "cpu_us": row["cpu_us"],
            "p99_us": row["p99_us"],
            "ratio": ratio,
            "errors": row["errors"],
        })
    };
    Ok(INSTRUMENTS.iter().zip(rows).map(row).collect())
}
