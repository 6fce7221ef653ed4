//! Prints results as a table, or as one JSON event per row.

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
        let mut line =
            format!("{:<52}{:>9}", row["name"].as_str().unwrap_or_default(), target.map_or(String::new(), |t| format!("{t:.0}")));
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

/// One row a figure, with its target and whether it is met.
pub fn dispatcher(rows: &Value, console: &Console) {
    let rows = rows.as_array().cloned().unwrap_or_default();
    if console.is_json() {
        rows.into_iter().for_each(|row| console.event("dispatcher", row));
        return;
    }
    console.line(&format!("{:<52}{:>10} {:<4}{:>16}", "", "figure", "", "target"));
    for row in rows {
        let figure = row["figure"].as_f64().unwrap_or(f64::NAN);
        let target = match (row["least"].as_f64(), row["most"].as_f64()) {
            (Some(least), _) => format!("at least {least:.0}: {}", if figure >= least { "met" } else { "missed" }),
            (_, Some(most)) => format!("at most {most:.0}: {}", if figure <= most { "met" } else { "missed" }),
            _ => String::new(),
        };
        let (name, unit) = (row["name"].as_str().unwrap_or_default(), row["unit"].as_str().unwrap_or_default());
        console.line(&format!("{name:<52}{figure:>10.1} {unit:<4}{target:>16}"));
    }
}

/// One row a number of containers.
pub fn channels(rows: &Value, console: &Console) {
    let rows = rows.as_array().cloned().unwrap_or_default();
    if console.is_json() {
        rows.into_iter().for_each(|row| console.event("channels", row));
        return;
    }
    console.line(&format!(
        "{:<12}{:>12}{:>12}{:>12}{:>12}{:>8}{:>8}",
        "containers", "hash PUT ns", "list PUT ns", "hash GET ns", "list GET ns", "PUT", "GET"
    ));
    for row in &rows {
        let number = |name: &str| row[name].as_f64().unwrap_or(f64::NAN);
        let [hash_put, list_put, hash_get, list_get] = ["hash_put_ns", "list_put_ns", "hash_get_ns", "list_get_ns"].map(number);
        console.line(&format!(
            "{:<12}{hash_put:>12.0}{list_put:>12.0}{hash_get:>12.0}{list_get:>12.0}{:>8.1}{:>8.1}",
            row["containers"].as_u64().unwrap_or_default(),
            list_put / hash_put,
            list_get / hash_get
        ));
    }
    console
        .line("PUT and GET: times that a list costs of a hash. Limited by memory: the name is hashed, and one line of the cache is read.");
}

/// One row an engine; ratios are to LMDB's numbers.
pub fn vsam(rows: &Value, console: &Console) {
    let rows = rows.as_array().cloned().unwrap_or_default();
    if console.is_json() {
        rows.into_iter().for_each(|row| console.event("vsam", row));
        return;
    }
    let number = |row: &Value, name: &str| row[name].as_f64();
    let shown = |row: &Value, name: &str| number(row, name).map_or(String::new(), |value| format!("{value:.0}"));
    let lmdb = rows.iter().find(|row| row["name"] == "LMDB").cloned().unwrap_or_default();
    let ratio = |row: &Value, name: &str| match (number(row, name), number(&lmdb, name)) {
        (Some(own), Some(other)) if other > 0.0 => format!("{:.2}", own / other),
        _ => String::new(),
    };
    console.line(&format!(
        "{:<24}{:>9}{:>7}{:>11}{:>7}{:>12}{:>12}{:>12}",
        "", "READ ns", "ratio", "browse ns", "ratio", "commits/s 1", "from 64", "load/s"
    ));
    for row in &rows {
        let name = row["name"].as_str().unwrap_or_default();
        if let Some(seconds) = number(row, "seconds") {
            let bytes = number(row, "log_bytes").unwrap_or(0.0) / f64::from(1 << 20);
            console.line(&format!("{name}: {seconds:.1} s for {bytes:.0} MB of log, {} units of work", row["units"]));
            continue;
        }
        if let (Some(log), Some(alone)) = (number(row, "log_us"), number(row, "alone_us")) {
            console.line(&format!("{name}: {log:.0} us; fdatasync alone: {alone:.0} us"));
            continue;
        }
        console.line(&format!(
            "{name:<24}{:>9}{:>7}{:>11}{:>7}{:>12}{:>12}{:>12}",
            shown(row, "read_ns"),
            ratio(row, "read_ns"),
            shown(row, "browse_ns"),
            ratio(row, "browse_ns"),
            shown(row, "commits_1"),
            shown(row, "commits_64"),
            shown(row, "load")
        ));
    }
}

/// One row a transaction.
pub fn asynchronous(rows: &Value, console: &Console) {
    let rows = rows.as_array().cloned().unwrap_or_default();
    if console.is_json() {
        rows.into_iter().for_each(|row| console.event("asynchronous", row));
        return;
    }
    console.line(&format!(
        "{:<12}{:>8}{:>14}{:>10}{:>12}{:>16}{:>14}",
        "transaction", "tasks", "response us", "CPU us", "QR CPU us", "QR dispatch us", "change modes"
    ));
    for row in &rows {
        let number = |name: &str| row[name].as_f64().unwrap_or(f64::NAN);
        console.line(&format!(
            "{:<12}{:>8}{:>14.1}{:>10.1}{:>12.1}{:>16.1}{:>14.1}",
            row["transaction"].as_str().unwrap_or_default(),
            row["tasks"],
            number("response_us"),
            number("cpu_us"),
            number("qr_cpu_us"),
            number("qr_dispatch_us"),
            number("change_modes")
        ));
    }
    console.line(
        "A child by START is two changes of mode for a program on an open TCB. Limited by the attach of a task: its stack and storage.",
    );
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
            row["terminals"],
            number("per_second"),
            number("cpu_us"),
            number("driver_us"),
            number("p50_us"),
            number("p99_us"),
            number("p999_us"),
            number("commits_per_sync"),
            row["errors"]
        ));
        if let Some(error) = row["first_error"].as_str() {
            console.warning(&format!("          first error: {error}"));
        }
    }
}

/// One figure a line.
pub fn sessions(row: &Value, console: &Console) {
    if console.is_json() {
        return console.event("sessions", row.clone());
    }
    let number = |name: &str| row[name].as_f64().unwrap_or(f64::NAN);
    console.line(&format!("{:<44} {:>10}", "terminals connected and idle", row["idle"]));
    console.line(&format!("{:<44} {:>10.1} KB", "memory of an idle terminal", number("session_bytes") / 1024.0));
    console.line(&format!("{:<44} {:>10.1} s", "time to connect them", number("connect_seconds")));
    console.line(&format!("{:<44} {:>10.1} %", "processor time of the idle terminals", 100.0 * number("idle_cpu")));
    console.line(&format!("{:<44} {:>10}", "further terminals at work", row["active"]));
    console.line(&format!("{:<44} {:>10.0}", "transactions a second", number("per_second")));
    console.line(&format!(
        "{:<44} {:>10.1} ms, {:.1} ms",
        "median and 99th percentile of their answers",
        number("p50_us") / 1e3,
        number("p99_us") / 1e3
    ));
    console.line(&format!("{:<44} {:>10}", "wrong answers", row["errors"]));
    let (asked, there) = (number("asked"), number("idle") + number("active"));
    if there < asked {
        console.warning(&format!(
            "{asked} terminals were asked for; the limit of {} open files (ulimit -Hn) has room for {there}",
            row["limit"]
        ));
    }
}

/// One row an instrument, with its processor time compared with the first.
pub fn instruments(rows: &Value, console: &Console) {
    let rows = rows.as_array().map_or(&[][..], Vec::as_slice);
    if console.is_json() {
        rows.iter().for_each(|row| console.event("instruments", row.clone()));
        return;
    }
    console.line(&format!("{:<32} {:>15} {:>10} {:>8} {:>9} {:>7}", "instrument", "transactions/s", "CPU us", "ratio", "p99 us", "errors"));
    for row in rows {
        let number = |name: &str| row[name].as_f64().unwrap_or(f64::NAN);
        console.line(&format!(
            "{:<32} {:>15.0} {:>10.1} {:>8.3} {:>9.0} {:>7}",
            row["instrument"].as_str().unwrap_or_default(),
            number("per_second"),
            number("cpu_us"),
            number("ratio"),
            number("p99_us"),
            row["errors"]
        ));
    }
}

/// One row a number of bytes, one column a way of passing them.
pub fn passing(rows: &Value, console: &Console) {
    let rows = rows.as_array().cloned().unwrap_or_default();
    if console.is_json() {
        rows.into_iter().for_each(|row| console.event("passing", row));
        return;
    }
    console.line(&format!(
        "{:<28} {:>12} {:>12} {:>12} {:>20} {:>20}",
        "bytes, ns", "COMMAREA", "container", "TS queue", "container/COMMAREA", "queue/container"
    ));
    for row in &rows {
        let number = |name: &str| row[name].as_f64();
        let shown = |name: &str| number(name).map_or("-".to_string(), |ns| format!("{ns:.0}"));
        let ratio = |of: &str, to: &str| number(of).zip(number(to)).map_or("-".to_string(), |(of, to)| format!("{:.2}", of / to));
        let title = match row["application"] == true {
            true => format!("{}, with an application", row["bytes"]),
            false => row["bytes"].to_string(),
        };
        console.line(&format!(
            "{title:<28} {:>12} {:>12} {:>12} {:>20} {:>20}",
            shown("commarea"),
            shown("channel"),
            shown("tsqueue"),
            ratio("channel", "commarea"),
            ratio("tsqueue", "channel")
        ));
    }
}

/// One row a pair of code pages.
pub fn conversions(rows: &Value, console: &Console) {
    let rows = rows.as_array().cloned().unwrap_or_default();
    if console.is_json() {
        rows.into_iter().for_each(|row| console.event("conversions", row));
        return;
    }
    console.line("");
    console.line(&format!("{:<8} {:<8} {:>24}", "from", "to", "ns for 1,024 characters"));
    for row in &rows {
        console.line(&format!("{:<8} {:<8} {:>24.0}", row["from"], row["to"], row["ns"].as_f64().unwrap_or(f64::NAN)));
    }
}

/// One row a setting of storage protection, compared with the first.
pub fn isolation(rows: &[Value], console: &Console) {
    if console.is_json() {
        rows.iter().for_each(|row| console.event("isolation", row.clone()));
        return;
    }
    if rows.iter().all(|row| row["protection"] == false) {
        console.line("This machine has no protection keys: no row has protection or isolation in force.");
    }
    console.line(&format!(
        "{:<42} {:>8} {:>15} {:>8} {:>7} {:>9} {:>7} {:>7}",
        "setting", "in force", "transactions/s", "CPU us", "ratio", "frames", "ratio", "errors"
    ));
    for row in rows {
        let number = |name: &str| row[name].as_f64().unwrap_or(f64::NAN);
        let in_force = match (row["protection"] == true, row["isolation"] == true) {
            (_, true) => "both",
            (true, false) => "keys",
            (false, false) => "-",
        };
        console.line(&format!(
            "{:<42} {in_force:>8} {:>15.0} {:>8.1} {:>7.2} {:>9.0} {:>7.2} {:>7}",
            row["setting"].as_str().unwrap_or_default(),
            number("per_second"),
            number("cpu_us"),
            number("cpu_ratio"),
            number("frames"),
            number("frames_ratio"),
            row["errors"]
        ));
    }
}

/// One row a program; then the geometric mean of what GnuCOBOL takes to what Regent takes.
pub fn cobol(rows: &Value, console: &Console) {
    let rows = rows.as_array().cloned().unwrap_or_default();
    let ratio = |row: &Value, name: &str| Some(row[name].as_f64()? / row["ns"].as_f64()?);
    let ratios: Vec<f64> = rows.iter().filter_map(|row| ratio(row, "peer_ns")).collect();
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp();
    if console.is_json() {
        rows.into_iter().for_each(|row| console.event("cobol", row));
        console.event("cobol_mean", json!({ "programs": ratios.len(), "geometric_mean": mean }));
        return;
    }
    console.line(&format!(
        "{:<10}{:<36}{:>10}{:>12}{:>8}{:>10}{:>8}",
        "program", "one iteration", "Regent ns", "GnuCOBOL ns", "ratio", "Rust ns", "ratio"
    ));
    for row in &rows {
        let number = |value: Option<f64>, places: usize| value.map_or("-".to_string(), |value| format!("{value:.places$}"));
        console.line(&format!(
            "{:<10}{:<36}{:>10}{:>12}{:>8}{:>10}{:>8}",
            row["name"].as_str().unwrap_or_default(),
            row["what"].as_str().unwrap_or_default(),
            number(row["ns"].as_f64(), 2),
            number(row["peer_ns"].as_f64(), 2),
            number(ratio(row, "peer_ns"), 1),
            number(row["hand_ns"].as_f64(), 2),
            number(ratio(row, "hand_ns"), 2)
        ));
    }
    if ratios.is_empty() {
        console.line("GnuCOBOL (cobc) is not installed: no comparison");
    } else {
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        console.line(&format!("geometric mean {mean:.2}, least {least:.2}, {} programs; all outputs equal", ratios.len()));
    }
}

/// One row a program: milliseconds of each phase, and physical lines a second of one processor.
pub fn compile(rows: &Value, console: &Console) {
    let rows = rows.as_array().cloned().unwrap_or_default();
    if console.is_json() {
        rows.into_iter().for_each(|row| console.event("compile", row));
        return;
    }
    console.line(&format!(
        "{:<12}{:>9}{:>11}{:>9}{:>9}{:>11}{:>14}{:>9}{:>9}{:>11}{:>10}{:>11}",
        "", "lines", "statements", "text ms", "parse", "translate", "machine code", "join", "write", "all ms", "code KiB", "lines/s"
    ));
    for row in &rows {
        let ms = |name: &str| row[name].as_f64().unwrap_or(f64::NAN) / 1e6;
        console.line(&format!(
            "{:<12}{:>9}{:>11}{:>9.1}{:>9.1}{:>11.1}{:>14.1}{:>9.1}{:>9.1}{:>11.1}{:>10.0}{:>11.0}",
            row["name"].as_str().unwrap_or_default(),
            row["lines"].as_u64().unwrap_or(0),
            row["statements"].as_u64().unwrap_or(0),
            ms("text_ns"),
            ms("parse_ns"),
            ms("translate_ns"),
            ms("machine_code_ns"),
            ms("join_ns"),
            ms("write_ns"),
            ms("ns"),
            row["code_bytes"].as_f64().unwrap_or(f64::NAN) / 1024.0,
            row["lines_per_second"].as_f64().unwrap_or(f64::NAN)
        ));
        if let Some(refused) = row["refused"].as_u64().filter(|refused| *refused > 0) {
            console.line(&format!("{refused} sources that do not compile are left out"));
        }
    }
}

/// One row a statement: Regent's time of a round beside its peers', and the processors' time of a call.
pub fn sql(rows: &Value, console: &Console) {
    let rows = rows.as_array().cloned().unwrap_or_default();
    if console.is_json() {
        rows.into_iter().for_each(|row| console.event("sql", row));
        return;
    }
    const PEERS: [(&str, &str); 5] = [
        ("ECPG", "ecpg_"),
        ("tokio-postgres", "tokio_postgres_"),
        ("the same, pipelined", "pipelined_"),
        ("pgbench", "pgbench_"),
        ("GnuCOBOL with GixSQL", "gixsql_"),
    ];
    console.line(&format!("{:<40}{:>12}{:>10}{:>16}{:>16}", "one round", "us", "Regent/", "CPU us", "database CPU us"));
    for row in &rows {
        let us = |name: &str| row[name].as_f64().map(|ns| ns / 1e3);
        let shown = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.1}"));
        let what = row["what"].as_str().unwrap_or_default();
        let (region, database) = (shown(us("cpu_ns")), shown(us("database_cpu_ns")));
        console.line(&format!("{what:<40}{:>12}{:>10}{region:>16}{database:>16}", shown(us("ns")), ""));
        for (peer, name) in PEERS {
            if let (Some(own), Some(time)) = (us("ns"), us(&format!("{name}ns"))) {
                let cpu = shown(us(&format!("{name}cpu_ns")));
                console.line(&format!("{:<40}{time:>12.1}{:>10.2}{cpu:>16}", format!("    {peer}"), own / time));
            }
        }
    }
    console.line("limited by the switches between the processes of region and database, and for UPDATE by the sync of the database's log");
}

/// One row a rate and variant.
pub fn rtw(runs: &[(&str, Value)], console: &Console) {
    let rows = |run: &Value| run.as_array().cloned().unwrap_or_default();
    if console.is_json() {
        for (name, run) in runs {
            for mut row in rows(run) {
                row["variant"] = json!(name);
                console.event("rtw", row);
            }
        }
        return;
    }
    console.line(&format!(
        "{:<11}{:>8}{:>10}{:>10}{:>10}{:>10}{:>12}{:>13}{:>9}{:>13}{:>12}{:>10}{:>8}",
        "",
        "rate",
        "tran/s",
        "mean ms",
        "p50 ms",
        "p99 ms",
        "region us",
        "database us",
        "SQL",
        "change modes",
        "QR wait us",
        "QR us",
        "errors"
    ));
    for (name, run) in runs {
        for row in rows(run) {
            let number = |name: &str| row[name].as_f64().unwrap_or(f64::NAN);
            console.line(&format!(
                "{name:<11}{:>8.0}{:>10.1}{:>10.1}{:>10.1}{:>10.1}{:>12.0}{:>13.0}{:>9.0}{:>13.0}{:>12.0}{:>10.0}{:>8}",
                number("rate"),
                number("per_second"),
                number("mean_ms"),
                number("p50_ms"),
                number("p99_ms"),
                number("region_us"),
                number("database_us"),
                number("sql_calls"),
                number("change_modes"),
                number("qr_wait_us"),
                number("qr_cpu_us"),
                row["errors"]
            ));
            if let Some(error) = row["first_error"].as_str() {
                console.warning(&format!("           first error: {error}"));
            }
        }
    }
}
