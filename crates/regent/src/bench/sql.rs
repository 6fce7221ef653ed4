//! `regent bench sql`: SQL statements of a COBOL program in a region, beside the same statements of other programs (`sql_peers`). All are on
//! one private cluster, one after the other, one session each.

use std::path::Path;

use region::name::{Name4, Name8};
use region::{AttachRequest, Region, StartCode};
use serde_json::{Value, json};

use super::{Arguments, marks, sql_peers};
use crate::console::Console;
use crate::output::OutputFormat;
use crate::up;

/// The application.
pub const DIRECTORY: &str = "bench/sql";
/// The best of this many runs counts, because disturbances only make a run longer.
pub const RUNS: usize = 5;

/// A case of SQBLOOP: its name, what it is, rounds of a run, SQL calls of a round.
const CASES: [(&str, &str, u32, u32); 4] = [
    ("SELECT", "SELECT of a row by its key", 4000, 1),
    ("FETCH", "OPEN, 20 FETCHes, CLOSE", 1000, 22),
    ("UPDATE", "UPDATE of a row, SYNCPOINT", 500, 2),
    ("UNIT", "200 SELECTs, SYNCPOINT", 20, 201),
];

pub fn run(arguments: &Arguments, scratch: &Path) -> Result<Value, String> {
    let sit = ["INTTR=OFF", "ICVR=0"].map(str::to_string).into_iter().chain(arguments.sit.iter().cloned()).collect();
    let workers = arguments.workers.first().copied().unwrap_or(0);
    let up_arguments = up::Arguments::of(DIRECTORY.into(), scratch.to_path_buf(), sit, workers);
    let parts = up::prepare(&up_arguments, &Console::new(OutputFormat::Json))?;
    let config = parts.database.as_ref().and_then(|database| database.config()).ok_or("no PostgreSQL is installed")?;
    let region = up::start_region(parts)?;
    region.programs().install_native(Name8::new("KBMARK"), marks::mark);
    let peers = sql_peers::build(scratch, &config)?;
    let mut rows = Vec::new();
    for (case, what, count, calls) in CASES {
        let mut row = measure(region, case, count)?;
        row["what"] = json!(what);
        row["calls"] = json!(calls);
        peers.measure(case, count, &mut row)?;
        rows.push(row);
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
