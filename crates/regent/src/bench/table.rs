//! Prints results: a table, or one JSON event a row.

use serde_json::{Value, json};

use crate::console::Console;

/// One row a measurement, one pair of columns a worker count.
pub fn kernel(workers: &[usize], runs: &[Value], console: &Console) {
    if console.is_json() {
        for (workers, run) in workers.iter().zip(runs) {
            for row in run.as_array().into_iter().flatten() {
                let mut row = row.clone();
                row["workers"] = json!(workers);
                console.event("kernel", row);
            }
        }
        return;
    }
    let mut heading = format!("{:<52}{:>9}", "ns", "target");
    workers.iter().for_each(|count| heading.push_str(&format!("{:>14} {:>6}", format!("{count} workers"), "ratio")));
    heading.push_str("  limited by");
    console.line(&heading);
    for (at, row) in runs[0].as_array().into_iter().flatten().enumerate() {
        let target = row["target"].as_f64();
        let mut line = format!("{:<52}{:>9}", row["name"].as_str().unwrap_or_default(), target.map_or(String::new(), |t| format!("{t:.0}")));
        let mut notes = Vec::new();
        for run in runs {
            let row = &run[at];
            let ns = row["ns"].as_f64().unwrap_or(f64::NAN);
            let ratio = target.map_or(String::new(), |target| format!("{:.2}", ns / target));
            line.push_str(&format!("{ns:>14.0} {ratio:>6}"));
            if let Some(commits) = row["commits_per_sync"].as_f64() {
                notes.push(format!("{commits:.1}"));
            }
        }
        line.push_str(&format!("  {}", row["limit"].as_str().unwrap_or_default()));
        if !notes.is_empty() {
            line.push_str(&format!("; commits a sync: {}", notes.join(", ")));
        }
        console.line(&line);
    }
}

pub fn bank(rows: &Value, console: &Console) {
    let rows = rows.as_array().cloned().unwrap_or_default();
    if console.is_json() {
        rows.into_iter().for_each(|row| console.event("bank", row));
        return;
    }
    console.line(&format!(
        "{:>9} {:>15} {:>10} {:>10} {:>9} {:>9} {:>9} {:>14} {:>7}",
        "terminals", "transactions/s", "CPU us", "of driver", "p50 us", "p99 us", "p99.9 us", "commits/sync", "errors"
    ));
    for row in &rows {
        let number = |name: &str| row[name].as_f64().unwrap_or(f64::NAN);
        console.line(&format!(
            "{:>9} {:>15.0} {:>10.1} {:>10.1} {:>9.0} {:>9.0} {:>9.0} {:>14.1} {:>7}",
            row["terminals"], number("per_second"), number("cpu_us"), number("driver_us"), number("p50_us"), number("p99_us"),
            number("p999_us"), number("commits_per_sync"), row["errors"]
        ));
        if let Some(error) = row["first_error"].as_str() {
            console.warning(&format!("          first error: {error}"));
        }
    }
}
