//! The second table of `regent bench channels`: what it costs to convert the data of a container between code pages, for each 1,024 characters.
//!
//! The conversion is the one that PUT CONTAINER and GET CONTAINER make. Between two pages of which one is Unicode it has one stage; between two
//! forms of Unicode as well, because both are read as characters.

use std::time::Instant;

use region::code_page::RegionCodePage;
use serde_json::{Value, json};

/// Pairs of code pages: EBCDIC, PC, UTF-8 and UTF-16.
const PAIRS: [(u16, u16); 8] = [(37, 437), (437, 37), (37, 1208), (1208, 37), (37, 1200), (1200, 37), (1208, 1200), (1200, 1208)];
const CHARACTERS: usize = 1024;
/// Conversions of a measurement.
const TIMES: usize = 2_000;

/// One row for each pair.
pub fn run(rounds: u32) -> Value {
    // Letters, digits and blanks, with some letters that are two bytes of UTF-8.
    let text: String = "The quick brown fox, 1234567890 \u{e9}\u{fc}".chars().cycle().take(CHARACTERS).collect();
    let rows = PAIRS.iter().map(|(from, to)| {
        let [source, target] = [from, to].map(|ccsid| RegionCodePage::by_ccsid(*ccsid).expect("a page of the table"));
        let data = source.encode(&text);
        let all = (0..rounds.max(1)).map(|_| {
            let begun = Instant::now();
            let bytes: usize = (0..TIMES).map(|_| le::code_page::converted(std::hint::black_box(&data), source, target).len()).sum();
            assert!(bytes >= TIMES * CHARACTERS, "no character is lost");
            begun.elapsed().as_nanos() as f64 / TIMES as f64
        });
        json!({ "from": from, "to": to, "ns": all.fold(f64::INFINITY, f64::min) })
    });
    rows.collect()
}
