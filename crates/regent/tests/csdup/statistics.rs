//! `regent stup`: the statistics that a region has written, as DFHSTUP prints them. Expected results come from the records themselves and
//! from docs/statistics.md.

use super::support::application::Application;
use super::support::terminal::Terminal;
use super::support::{Region, regent};
use serde_json::Value;
use std::path::Path;

fn stup(data: &Path, control: &str) -> (String, Option<i32>) {
    let sysin = data.join("sysin");
    std::fs::write(&sysin, control).expect("written");
    let output = regent().arg("stup").arg(&sysin).arg("--data").arg(data).output().expect("regent runs");
    (String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr), output.status.code())
}

/// The value behind a field's name in the part of the report that begins with this text.
fn value(report: &str, from: &str, field: &str) -> String {
    let part = &report[report.find(from).unwrap_or_else(|| panic!("{from}: {report}"))..];
    let line = part.lines().find(|line| line.contains(&format!("({field})"))).unwrap_or_else(|| panic!("{field}: {part}"));
    line.rsplit(' ').next().expect("a value").to_string()
}

#[test]
fn recorded_statistics_are_printed_selected_and_summed() {
    let application = Application::new();
    application
        .write("T.cbl", "       ID DIVISION.\n       PROGRAM-ID. T.\n       PROCEDURE DIVISION.\n           EXEC CICS RETURN END-EXEC.\n");
    application.write("app.csd", "DEFINE PROGRAM(T) GROUP(APP)\nDEFINE TRANSACTION(TRN1) GROUP(APP) PROGRAM(T)\n");
    application.write("regent.toml", "[sit]\nAPPLID = \"STUPTEST\"\n");
    // Two runs of the region, each with its statistics of the end.
    for _ in 0..2 {
        let region = Region::start(application.path(), application.data(), &[]);
        let mut terminal = Terminal::connect(region.port);
        for _ in 0..3 {
            terminal.act("Clear");
            terminal.transaction("TRN1");
        }
        drop(terminal);
        assert_eq!(region.stop(), 0);
    }
    let records = std::fs::read_to_string(application.data().join("data/statistics/DFHSTATS")).expect("the statistics");
    let attaches: Vec<u64> = records
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .filter(|record| record["record"] == "DFHXMRDS" && record["name"] == "TRN1")
        .map(|record| record["fields"]["XMRAC"].as_u64().expect("a number"))
        .collect();
    assert_eq!(attaches, [3, 3]);
    let (report, code) = stup(application.data(), "SELECT TYPE=TRANSACTION\nSUMMARY\n");
    assert_eq!(code, Some(0), "{report}");
    assert!(
        report.contains("Applid STUPTEST") && report.contains("Transactions - DFHXMRDS") && !report.contains("Programs - DFHLDRDS"),
        "{report}"
    );
    assert_eq!(value(&report, "\n  TRN1\n", "XMRAC"), "3");
    let summary = &report[report.find("Summary Statistics Report").expect("a summary")..];
    assert_eq!(value(summary, "\n  TRN1\n", "XMRAC"), "6");
    let (all, _) = stup(application.data(), "");
    let places: Vec<usize> = ["Transaction Manager - ", "Dispatcher - ", "Transactions - ", "Programs - "]
        .iter()
        .map(|title| all.find(title).unwrap())
        .collect();
    assert!(places.is_sorted(), "the order of types: {places:?}");
    assert!(all.split('\x0c').all(|page| page.lines().count() <= 60) && all.lines().all(|line| line.chars().count() <= 133), "{all}");
    let (none, code) = stup(application.data(), "SELECT APPLID=OTHER\n");
    assert!(code == Some(0) && none.contains("No statistics were selected."), "{none}");
    let (refused, code) = stup(application.data(), "EXTRACT=DFH0STXR\n");
    assert!(code != Some(0) && refused.contains("line 1: EXTRACT=DFH0STXR: it is not a control parameter"), "{refused}");
    assert!(stup(application.data(), "UPPERCASE=YES\n").0.contains("TRANSACTION MANAGER - DFHXMGDS"));
}
