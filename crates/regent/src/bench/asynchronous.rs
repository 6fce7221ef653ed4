//! `regent bench asynchronous`: what ten children cost their parent, by START and by RUN TRANSID (`workloads/asynchronous`).
//!
//! One terminal gives the two transactions in turn, and what is shown comes from the monitoring records, as in the study of the asynchronous
//! API (NUMBERS H11).

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use region::Region;
use region::monitoring::{Record, RecordSink};
use serde_json::{Value, json};
use tn3270::{ClientConfig, Driver, DriverEvent};

use super::Arguments;
use crate::console::Console;
use crate::output::OutputFormat;
use crate::up;

pub const DIRECTORY: &str = "workloads/asynchronous";
/// Parents, and the child of both.
const PARENTS: [&str; 2] = ["ASGS", "ASGX"];
const CHILD: &str = "ACHL";
const CHILDREN: u64 = 10;
/// Ran before what is measured.
const WARM_UP: Duration = Duration::from_secs(1);
const STALL: Duration = Duration::from_secs(30);

pub fn run(arguments: &Arguments, scratch: &Path) -> Result<Value, String> {
    let workers = arguments.workers.first().copied().unwrap_or(0);
    let mut sit = vec!["INTTR=OFF".to_string(), "MN=ON".to_string(), "MNPER=ON".to_string()];
    sit.extend(arguments.sit.iter().cloned());
    let up_arguments = up::Arguments::of(DIRECTORY.into(), scratch.to_path_buf(), sit, workers);
    let region = up::start_region(up::prepare(&up_arguments, &Console::new(OutputFormat::Json))?)?;
    let tasks: Arc<Tasks> = Arc::default();
    region.monitoring().add_sink(tasks.clone());
    let address = terminals::terminal_control::listen(region, "127.0.0.1:0").map_err(|error| error.to_string())?;
    let mut terminal = Terminal::connect(region, address)?;
    // The answer is there before the record of its task.
    for time in [WARM_UP, Duration::from_secs(arguments.seconds.max(1))] {
        tasks.forget();
        let parents = terminal.alternate(time)?;
        tasks.wait_for(parents * (1 + CHILDREN))?;
    }
    region.store.abandon();
    Ok(Value::Array([PARENTS[0], PARENTS[1], CHILD].map(|transid| tasks.row(transid)).to_vec()))
}

/// The records of the workload's tasks that ended; the greeting of the terminal is not one of them.
#[derive(Default)]
struct Tasks {
    records: Mutex<Vec<(String, kernel::TaskTimes)>>,
}

impl RecordSink for Tasks {
    fn record(&self, record: &Record) {
        let transid = record.transid.as_str();
        if PARENTS.contains(&transid) || transid == CHILD {
            self.records.lock().push((transid.to_string(), record.times));
        }
    }
}

impl Tasks {
    fn forget(&self) {
        self.records.lock().clear();
    }

    fn wait_for(&self, count: u64) -> Result<(), String> {
        let start = Instant::now();
        while (self.records.lock().len() as u64) < count {
            if start.elapsed() > STALL {
                return Err(format!("{} of {count} tasks have ended", self.records.lock().len()));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    /// Averages of a transaction.
    fn row(&self, transid: &str) -> Value {
        let records = self.records.lock();
        let own: Vec<_> = records.iter().filter(|(name, _)| name == transid).map(|(_, times)| times).collect();
        let average = |of: &dyn Fn(&kernel::TaskTimes) -> f64| own.iter().map(|times| of(times)).sum::<f64>() / own.len().max(1) as f64;
        let us = |of: &dyn Fn(&kernel::TaskTimes) -> Duration| average(&|times| of(times).as_nanos() as f64 / 1e3);
        let qr = kernel::Mode::Qr as usize;
        json!({
            "transaction": transid,
            "tasks": own.len(),
            "response_us": us(&|times| times.elapsed),
            "cpu_us": us(&|times| times.cpu),
            "qr_cpu_us": us(&|times| times.modes[qr].cpu),
            "qr_dispatch_us": us(&|times| times.modes[qr].dispatch),
            "change_modes": average(&|times| times.change_modes as f64),
        })
    }
}

struct Terminal {
    driver: Driver,
    page: &'static le::code_page::CodePage,
}

impl Terminal {
    fn connect(region: &'static Region, address: SocketAddr) -> Result<Terminal, String> {
        let mut terminal = Terminal { driver: Driver::new().map_err(|error| error.to_string())?, page: region.code_page.page() };
        terminal.driver.connect(address, ClientConfig::default()).map_err(|error| error.to_string())?;
        terminal.expect("ASYNCHRONOUS WORKLOAD")?;
        Ok(terminal)
    }

    /// Gives the transactions in turn; returns how many.
    fn alternate(&mut self, time: Duration) -> Result<u64, String> {
        let mut given = 0;
        let start = Instant::now();
        while start.elapsed() < time {
            for parent in PARENTS {
                let mut record = vec![bms::constants::AID_ENTER, 0x40, 0x40];
                record.extend(self.page.encode(&format!("{parent} {CHILDREN} 0")));
                self.driver.send(0, &record).map_err(|error| error.to_string())?;
                self.expect(&format!("{CHILDREN} CHILDREN"))?;
                given += 1;
            }
        }
        Ok(given)
    }

    fn expect(&mut self, text: &str) -> Result<(), String> {
        let (expected, start) = (self.page.encode(text), Instant::now());
        let mut answer: Option<Vec<u8>> = None;
        let mut closed = None;
        while answer.is_none() {
            let events = self.driver.poll(Duration::from_millis(100), |_, event, _| match event {
                DriverEvent::Record(record) if super::bank::unlocks(record) => answer = Some(record.to_vec()),
                DriverEvent::Closed(reason) => closed = Some(reason.to_string()),
                _ => {}
            });
            events.map_err(|error| error.to_string())?;
            if let Some(reason) = closed {
                return Err(format!("the terminal closed: {reason}"));
            }
            if start.elapsed() > STALL {
                return Err("no answer from the region".to_string());
            }
        }
        let answer = answer.unwrap_or_default();
        match answer.windows(expected.len()).any(|window| window == expected) {
            true => Ok(()),
            false => Err(self.page.decode(&answer).chars().filter(|character| !character.is_control()).collect()),
        }
    }
}
