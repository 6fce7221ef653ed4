//! `regent bench sql`: SQL statements of a COBOL program in a region, beside the same statements of other programs (`sql_peers`). All are on
//! one private cluster, one after the other, one session each.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Instant;

use region::name::{Name4, Name8};
use region::{AttachRequest, Region, StartCode};
use serde_json::{Value, json};

use super::{Arguments, marks, sql_peers};
use crate::console::Console;
use crate::output::OutputFormat;
use crate::up;

/// The application.
pub const DIRECTORY: &str = "bench/sql";
/// The best of this many runs counts, because disturbances only make a run longer. The programs take turns.
const RUNS: usize = 5;

/// A case of SQBLOOP: its name, what it is, rounds of a run, SQL calls of a round.
const CASES: [(&str, &str, u32, u32); 4] = [
    ("SELECT", "SELECT of a row by its key", 4000, 1),
    ("FETCH", "OPEN, 20 FETCHes, CLOSE", 1000, 22),
    ("UPDATE", "UPDATE of a row, SYNCPOINT", 500, 2),
    ("UNIT", "200 SELECTs, SYNCPOINT", 20, 201),
];

/// The time of a round, and the processors' time of the program that asks.
pub struct Times {
    pub ns: f64,
    pub cpu_ns: f64,
}

impl Times {
    /// Those of `work`, which answers the time of each of its rounds.
    pub fn of(rounds: f64, work: impl FnOnce() -> Result<f64, String>) -> Result<Times, String> {
        let begun = own_cpu_ns();
        let ns = work()?;
        Ok(Times { ns, cpu_ns: (own_cpu_ns() - begun) as f64 / rounds })
    }

    /// Puts them into the row of a case, if they are the best so far; whether they are.
    pub fn keep(&self, row: &mut Value, prefix: &str) -> bool {
        let name = format!("{prefix}ns");
        let better = row[&name].as_f64().is_none_or(|best| self.ns < best);
        if better {
            row[&name] = json!(self.ns);
            row[format!("{prefix}cpu_ns")] = json!(self.cpu_ns);
        }
        better
    }
}

/// The processors' time of this process and of those that it has waited for.
fn own_cpu_ns() -> u64 {
    let (user, system) = kernel::clock::process_cpu();
    (user + system).as_nanos() as u64 + kernel::clock::children_cpu_ns()
}

pub fn run(arguments: &Arguments, scratch: &Path) -> Result<Value, String> {
    let sit = ["INTTR=OFF", "ICVR=0"].map(str::to_string).into_iter().chain(arguments.sit.iter().cloned()).collect();
    let workers = arguments.workers.first().copied().unwrap_or(0);
    let up_arguments = up::Arguments::of(DIRECTORY.into(), scratch.to_path_buf(), sit, workers);
    let parts = up::prepare(&up_arguments, &Console::new(OutputFormat::Json))?;
    let config = parts.database.as_ref().and_then(|database| database.config()).ok_or("no PostgreSQL is installed")?;
    let region = up::start_region(parts)?;
    region.programs().install_native(Name8::new("KBMARK"), marks::mark);
    let peers = sql_peers::build(scratch, &config)?;
    let mut rows = vec![bare_messages().map_err(|error| error.to_string())?];
    for (case, what, count, calls) in CASES {
        let mut row = json!({ "name": case, "what": what, "calls": calls });
        for _ in 0..RUNS {
            measure(region, case, count, &mut row)?;
            peers.measure(case, count, &mut row)?;
        }
        rows.push(row);
    }
    region.store.abandon();
    Ok(Value::Array(rows))
}

/// What no program that asks a server on this machine can do without: a message to a thread that sleeps, and its answer.
fn bare_messages() -> std::io::Result<Value> {
    const ROUNDS: u32 = 4000;
    let mut row = json!({ "name": "MESSAGES", "what": "two messages between two threads, no SQL", "calls": 1 });
    for _ in 0..RUNS {
        let (mut asking, mut answering) = UnixStream::pair()?;
        let answers = std::thread::spawn(move || {
            let mut message = [0; 64];
            while answering.read_exact(&mut message).and_then(|()| answering.write_all(&message)).is_ok() {}
        });
        let (begun, cpu) = (Instant::now(), kernel::clock::thread_cpu_ns());
        let mut message = [0; 64];
        for _ in 0..ROUNDS {
            asking.write_all(&message)?;
            asking.read_exact(&mut message)?;
        }
        let ns = begun.elapsed().as_nanos() as f64 / f64::from(ROUNDS);
        Times { ns, cpu_ns: (kernel::clock::thread_cpu_ns() - cpu) as f64 / f64::from(ROUNDS) }.keep(&mut row, "");
        drop(asking);
        answers.join().expect("it ends with its socket");
    }
    Ok(row)
}

/// The rounds of a case in the region.
fn measure(region: &'static Region, case: &str, count: u32, row: &mut Value) -> Result<(), String> {
    let mut commarea = region.code_page.encode(&format!("{case:<8}"));
    commarea.extend(count.to_be_bytes());
    let database = super::database_cpu();
    let times = Times::of(f64::from(count), || {
        let mut request = AttachRequest::new(Name4::new("SQLP"), StartCode::Start);
        request.commarea = commarea;
        region.attach(request).map_err(|failure| failure.message.line())?;
        let marks = marks::take(2)?;
        Ok((marks[1].at - marks[0].at).as_nanos() as f64 / f64::from(count))
    })?;
    if times.keep(row, "") {
        row["database_cpu_ns"] = json!(super::database_cpu().saturating_sub(database) as f64 / f64::from(count));
    }
    Ok(())
}
