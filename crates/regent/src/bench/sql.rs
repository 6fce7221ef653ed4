//! `regent bench sql`: SQL statements of a COBOL program in a region, beside the same statements in C through ECPG, and of pgbench. All are on
//! one private cluster, one after the other, one session each.

use std::path::Path;
use std::process::Command;

use postgres::Config;
use region::name::{Name4, Name8};
use region::{AttachRequest, Region, StartCode};
use serde_json::{Value, json};

use super::{Arguments, marks};
use crate::console::Console;
use crate::output::OutputFormat;
use crate::up;

/// The application.
const DIRECTORY: &str = "bench/sql";
/// The best of this many runs counts, because disturbances only make a run longer.
const RUNS: usize = 5;

/// A case of SQBLOOP: its name, what it is, rounds of a run, SQL calls of a round.
const CASES: [(&str, &str, u32, u32); 3] = [
    ("SELECT", "SELECT of a row by its key", 4000, 1),
    ("FETCH", "OPEN, 20 FETCHes, CLOSE", 1000, 22),
    ("UPDATE", "UPDATE of a row, SYNCPOINT", 500, 2),
];

pub fn run(arguments: &Arguments, scratch: &Path) -> Result<Value, String> {
    let sit = ["INTTR=OFF", "ICVR=0"].map(str::to_string).into_iter().chain(arguments.sit.iter().cloned()).collect();
    let workers = arguments.workers.first().copied().unwrap_or(0);
    let up_arguments = up::Arguments::of(DIRECTORY.into(), scratch.to_path_buf(), sit, workers);
    let parts = up::prepare(&up_arguments, &Console::new(OutputFormat::Json))?;
    let config = parts.database.as_ref().ok_or("no PostgreSQL is installed")?.config.clone();
    let region = up::start_region(parts)?;
    region.programs().install_native(Name8::new("KBMARK"), marks::mark);
    let ecpg = build_ecpg(scratch);
    let mut rows = Vec::new();
    for (case, what, count, calls) in CASES {
        let mut row = measure(region, case, count)?;
        row["what"] = json!(what);
        row["calls"] = json!(calls);
        if let Ok(program) = &ecpg {
            let ns = (0..RUNS).map(|_| run_ecpg(program, &config, case, count)).collect::<Result<Vec<f64>, String>>()?;
            row["ecpg_ns"] = json!(ns.into_iter().fold(f64::MAX, f64::min));
        }
        row["pgbench_ns"] = run_pgbench(&config, case).map_or(Value::Null, |ns| json!(ns));
        rows.push(row);
    }
    if let Err(why) = ecpg {
        eprintln!("no comparison with ECPG: {why}");
    }
    region.store.abandon();
    Ok(Value::Array(rows))
}

/// Wall time of a round, and the processors' time of region and database.
fn measure(region: &'static Region, case: &str, count: u32) -> Result<Value, String> {
    let (mut best, mut region_ns, mut database_ns) = (f64::MAX, 0.0, 0.0);
    for _ in 0..RUNS {
        let mut commarea = region.code_page.encode(&format!("{case:<8}"));
        commarea.extend(count.to_be_bytes());
        let (cpu, database) = (kernel::clock::process_cpu(), super::database_cpu());
        let mut request = AttachRequest::new(Name4::new("SQLP"), StartCode::Start);
        request.commarea = commarea;
        region.attach(request).map_err(|failure| failure.message.line())?;
        let marks = marks::take(2)?;
        let used = kernel::clock::process_cpu();
        let ns = (marks[1].at - marks[0].at).as_nanos() as f64 / f64::from(count);
        if ns < best {
            best = ns;
            region_ns = (used.0 + used.1 - cpu.0 - cpu.1).as_nanos() as f64 / f64::from(count);
            database_ns = super::database_cpu().saturating_sub(database) as f64 / f64::from(count);
        }
    }
    Ok(json!({ "name": case, "ns": best, "region_cpu_ns": region_ns, "database_cpu_ns": database_ns }))
}

/// The peer program, compiled by `ecpg` and the C compiler.
fn build_ecpg(scratch: &Path) -> Result<std::path::PathBuf, String> {
    let source = scratch.join("peer.pgc");
    std::fs::write(&source, include_str!("../../../../bench/sql/peer/peer.pgc")).map_err(|error| error.to_string())?;
    let (text, program) = (scratch.join("peer.c"), scratch.join("peer"));
    let done = |command: &mut Command| match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Err(format!("{}: {error} (package libecpg-dev)", command.get_program().to_string_lossy())),
    };
    done(Command::new("ecpg").arg("-o").arg(&text).arg(&source))?;
    done(Command::new("cc").args(["-O2", "-I/usr/include/postgresql"]).arg(&text).arg("-o").arg(&program).arg("-lecpg"))?;
    Ok(program)
}

fn client(program: &Path, config: &Config) -> Command {
    let mut command = Command::new(program);
    command.env("PGHOST", &config.host).env("PGPORT", config.port.to_string()).env("PGUSER", &config.user);
    command.env("PGDATABASE", &config.database);
    command
}

fn run_ecpg(program: &Path, config: &Config, case: &str, count: u32) -> Result<f64, String> {
    let output = client(program, config).args([config.database.as_str(), case, &count.to_string()]).output();
    let output = output.map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.trim().parse().map_err(|_| format!("ECPG {case}: {text}{}", String::from_utf8_lossy(&output.stderr)))
}

/// The mean latency that pgbench reports, prepared statements, one client; its rows of FETCH come in one answer.
fn run_pgbench(config: &Config, case: &str) -> Option<f64> {
    let program = Path::new("pgbench");
    let script = format!("{DIRECTORY}/peer/{case}.pgbench");
    let output = client(program, config).args(["-n", "-M", "prepared", "-c", "1", "-T", "2", "-f", &script]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix("latency average = "))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|ms| ms * 1e6)
}
