//! `regent bench instruments`: what the instruments of a region cost, each on the workload of `bench bank`, beside the same without any.
//!
//! One region works for all of them. Slices of time without instruments and with one take turns, so what changes on the machine meanwhile
//! falls on both; the ratio is the median of those of the slices with the ones around them.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use kernel::trace::{self, Component, Selection, writer};
use serde_json::{Value, json};
use tn3270::{Client, ClientConfig};

use super::bank::{self, Counts, Load};
use super::{Arguments, policy};

/// What is switched on.
#[derive(Clone, Copy, Default, PartialEq)]
struct Instrument {
    name: &'static str,
    /// The rules of `bench/policy`.
    rules: bool,
    /// Levels of internal trace, by bit.
    levels: u32,
    auxiliary: bool,
}

const OFF: Instrument = Instrument { name: "trace off", rules: false, levels: 0, auxiliary: false };
const INSTRUMENTS: [Instrument; 4] = [
    Instrument { name: "19 policy rules, not exceeded", rules: true, ..OFF },
    Instrument { name: "internal trace, level 1", levels: 0b01, ..OFF },
    Instrument { name: "internal trace, levels 1 and 2", levels: 0b11, ..OFF },
    Instrument { name: "auxiliary trace, level 1", levels: 0b01, auxiliary: true, ..OFF },
];

/// A slice: long enough that what is left of the one before does not count.
const SLICE: Duration = Duration::from_millis(250);
/// Not measured, after each change of instruments.
const SETTLING: Duration = Duration::from_millis(50);
/// Longest time for an answer to the operator.
const OPERATOR_WAIT: Duration = Duration::from_secs(10);

/// One slice.
struct Slice {
    answers: u64,
    cpu_us: f64,
    p99_us: f64,
    errors: u64,
}

/// One row without instruments and one for each, whose slices take the time asked for.
pub fn run(arguments: &Arguments, scratch: &Path) -> Result<Value, String> {
    let (region, address) = bank::start(&Arguments { sit: [arguments.sit.clone(), switches()].concat(), ..arguments.clone() }, scratch)?;
    policy::install(region, scratch)?;
    let mut switch = Switch { address, now: Instrument { rules: true, ..OFF } };
    switch.to(OFF)?;
    let mut load = Load::warm(region.code_page.page(), address, bank::busy_terminals(arguments))?;
    let pairs = (Duration::from_secs(arguments.seconds.max(1)).as_millis() / SLICE.as_millis() / 2).max(1);
    let (mut without, mut rows) = (vec![slice(&mut load)?], Vec::new());
    for instrument in INSTRUMENTS {
        let (mut with, mut ratios) = (Vec::new(), Vec::new());
        for _ in 0..pairs {
            switch.to(instrument)?;
            with.push(slice(&mut load)?);
            switch.to(OFF)?;
            without.push(slice(&mut load)?);
            let around = without[without.len() - 2..].iter().map(|slice| slice.cpu_us).sum::<f64>() / 2.0;
            ratios.extend(with.last().map(|slice| slice.cpu_us / around));
        }
        rows.push(row(instrument.name, &with, median(ratios)));
    }
    rows.insert(0, row(OFF.name, &without, 1.0));
    load.finish()?;
    region.store.abandon();
    Ok(Value::Array(rows))
}

/// Trace is on from the start, with nothing to write.
fn switches() -> Vec<String> {
    ["INTTR=ON", "STNTR=OFF", "AUXTR=OFF", "AUXTRSW=ALL"].map(str::to_string).to_vec()
}

fn slice(load: &mut Load) -> Result<Slice, String> {
    load.drive_until(Instant::now() + SETTLING)?;
    load.counts = Counts::default();
    let cpu = kernel::clock::process_cpu();
    load.drive_until(Instant::now() + SLICE)?;
    let used = kernel::clock::process_cpu();
    let counts = &mut load.counts;
    if let Some(error) = counts.first_error.take() {
        return Err(error);
    }
    counts.times.sort_unstable();
    let last = counts.times.get(counts.times.len() * 99 / 100).copied().unwrap_or(0);
    Ok(Slice {
        answers: counts.answered,
        cpu_us: (used.0 + used.1 - cpu.0 - cpu.1).as_nanos() as f64 / counts.answered.max(1) as f64 / 1e3,
        p99_us: f64::from(last) / 1e3,
        errors: counts.errors + counts.closed,
    })
}

fn row(name: &str, slices: &[Slice], ratio: f64) -> Value {
    let of = |figure: fn(&Slice) -> f64| median(slices.iter().map(figure).collect());
    json!({
        "instrument": name,
        "per_second": of(|slice| slice.answers as f64) / SLICE.as_secs_f64(),
        "cpu_us": of(|slice| slice.cpu_us),
        "p99_us": of(|slice| slice.p99_us),
        "ratio": ratio,
        "errors": slices.iter().map(|slice| slice.errors).sum::<u64>(),
    })
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// What is on now; the bundle is changed by an operator.
struct Switch {
    address: SocketAddr,
    now: Instrument,
}

impl Switch {
    fn to(&mut self, instrument: Instrument) -> Result<(), String> {
        if instrument.rules != self.now.rules {
            self.operate(&format!("CEMT SET BUNDLE({}) {}", policy::BUNDLE, if instrument.rules { "ENABLED" } else { "DISABLED" }))?;
        }
        if instrument.levels != self.now.levels {
            Component::ALL.iter().for_each(|component| trace::set_levels(Selection::Standard, *component, instrument.levels));
        }
        if instrument.auxiliary && !self.now.auxiliary {
            writer::start_auxiliary().map_err(|error| error.to_string())?;
        } else if self.now.auxiliary && !instrument.auxiliary {
            writer::stop_auxiliary();
        }
        self.now = instrument;
        Ok(())
    }

    fn operate(&self, command: &str) -> Result<(), String> {
        let operate = || {
            let mut terminal = Client::connect(self.address, ClientConfig::default(), OPERATOR_WAIT)?;
            terminal.wait_greeting()?;
            terminal.run(command)?;
            terminal.wait_text("NORMAL")
        };
        operate().map_err(|error| format!("{command}: {error}"))
    }
}
