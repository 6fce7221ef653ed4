//! `regent bench passing`: what it costs to pass data to another program by LINK, in a communication area, in a container of a channel, and in
//! a temporary storage queue in main storage; and what of that is left beside the work of an application.
//!
//! A COBOL program (`bench/passing/PSLOOP.cbl`) passes the data in a loop between two readings of the clock, and the program that it links to
//! looks at the first and the last byte of it. The best of the rounds counts.

use std::path::Path;

use region::name::Name4;
use region::{AttachRequest, Region, StartCode};
use serde_json::{Value, json};

use super::harness::Brought;
use super::{Arguments, marks};

const BROUGHT: Brought = Brought {
    programs: &[
        ("PSLOOP", include_str!("../../../../bench/passing/PSLOOP.cbl")),
        ("PSCOMM", include_str!("../../../../bench/passing/PSCOMM.cbl")),
        ("PSCHAN", include_str!("../../../../bench/passing/PSCHAN.cbl")),
        ("PSQUE", include_str!("../../../../bench/passing/PSQUE.cbl")),
    ],
    definitions: (include_str!("../../../../bench/passing/passing.csd"), "passing.csd"),
};

/// Bytes that are passed; a communication area holds no more than 32,763.
const SIZES: [u32; 7] = [100, 4_000, 16_000, 32_000, 64_000, 256_000, 1_000_000];
const COMMAREA_BYTES_MAX: u32 = 32_763;
const WAYS: [&str; 3] = ["COMMAREA", "CHANNEL", "TSQUEUE"];
/// Bytes passed by the application that also works, and turns of its loop: about a million instructions.
const OF_APPLICATION: (u32, u32) = (4_000, 100_000);
/// Bytes that a measurement passes in all, and the fewest times.
const BYTES: u32 = 64_000_000;
const TIMES_LEAST: u32 = 100;
const TIMES_MOST: u32 = 20_000;

pub fn run(arguments: &Arguments, scratch: &Path) -> Result<Value, String> {
    let workers = arguments.workers.first().copied().unwrap_or(1);
    let store = crate::idcams::open_store(&scratch.join("data"))?;
    let region = BROUGHT.start(arguments, scratch, workers, store)?;
    let rounds = arguments.rounds.max(1);
    let mut rows = Vec::new();
    for size in SIZES {
        let mut row = json!({ "bytes": size });
        for way in WAYS.into_iter().filter(|way| *way != "COMMAREA" || size <= COMMAREA_BYTES_MAX) {
            let times = (BYTES / size).clamp(TIMES_LEAST, TIMES_MOST);
            row[way.to_ascii_lowercase()] = json!(best(region, rounds, way, times, size, 0)?);
        }
        rows.push(row);
    }
    let (size, work) = OF_APPLICATION;
    let mut row = json!({ "bytes": size, "application": true });
    for way in WAYS {
        row[way.to_ascii_lowercase()] = json!(best(region, rounds, way, TIMES_LEAST, size, work)?);
    }
    rows.push(row);
    // The data is scratch: no orderly shutdown, only no more writing.
    region.store.abandon();
    Ok(Value::Array(rows))
}

/// Nanoseconds of passing the data once.
fn best(region: &'static Region, rounds: u32, way: &str, times: u32, size: u32, work: u32) -> Result<f64, String> {
    let mut best = f64::MAX;
    for _ in 0..rounds {
        let mut request = AttachRequest::new(Name4::new("PSLP"), StartCode::Start);
        request.commarea = region.code_page.encode(&format!("{way:<8}"));
        for number in [times, size, work] {
            request.commarea.extend(number.to_be_bytes());
        }
        region.attach(request).map_err(|failure| failure.message.line())?;
        let marks = marks::take(2)?;
        best = best.min(marks[0].to(&marks[1]) / f64::from(times));
    }
    Ok(best)
}
