//! The report of DFHSTUP: for each collection its records in the order of their types, then a summary.
//!
//! Invariant: a page has a heading and at most as many lines as asked for; the summary adds what a reset sets to zero, takes the largest of
//! peaks, and the last of everything else. Requested statistics are not in it.

use std::collections::BTreeMap;

use exec::{StatisticsField, StatisticsFormat, StatisticsReset, StatisticsStructure, statistics_structure};
use serde_json::{Map, Value};

use super::control::{Control, PAGE_SIZE};

/// The records by DSECT: the type that SELECT TYPE names, and the heading. Their order is that of the report.
const TYPES: [(&str, &str, &str); 35] = [
    ("DFHSTGDS", "STATS", "Statistics Domain"),
    ("DFHXMGDS", "TRANSACTIONMANAGER", "Transaction Manager"),
    ("DFHXMCDS", "TRANCLASS", "Transaction Classes"),
    ("DFHDSGDS", "DISPATCHER", "Dispatcher"),
    ("DFHRMGDS", "RECOVERY", "Recovery Manager"),
    ("DFHNQGDS", "ENQUEUE", "Enqueue Manager"),
    ("DFHMNGDS", "MONITOR", "Monitoring"),
    ("DFHSMSDS", "STORAGE", "Storage Manager DSAs"),
    ("DFHSMTDS", "TASKSUBPOOL", "Storage Manager Task Subpools"),
    ("DFHSMDDS", "SUBPOOL", "Storage Manager Domain Subpools"),
    ("DFHLDGDS", "LOADER", "Loader"),
    ("DFHLDBDS", "LIBRARY", "LIBRARY Resources"),
    ("DFHTSGDS", "TSQUEUE", "Temporary Storage"),
    ("DFHTQGDS", "TRANSIENTDATA", "Transient Data"),
    ("DFHSDGDS", "SYSTEMDUMP", "System Dumps, Total"),
    ("DFHSDRDS", "SYSDUMPCODE", "System Dumps"),
    ("DFHTDGDS", "TRANSACTIONDUMP", "Transaction Dumps, Total"),
    ("DFHTDRDS", "TRANDUMPCODE", "Transaction Dumps"),
    ("DFHXMRDS", "TRANSACTION", "Transactions"),
    ("DFHLDRDS", "PROGRAM", "Programs"),
    ("DFHA17DS", "FILE", "Files"),
    ("DFHA08DS", "LSRPOOL", "LSR Pools"),
    ("DFHTQRDS", "TDQUEUE", "Transient Data Queues"),
    ("DFHLGRDS", "JOURNALNAME", "Journals"),
    ("DFHD2GDS", "DB2CONN", "Db2 Connection"),
    ("DFHD2RDS", "DB2ENTRY", "Db2 Entries"),
    ("DFHASGDS", "ASYNCSERVICE", "Asynchronous Services"),
    ("DFHRLRDS", "BUNDLE", "BUNDLE Resources"),
    ("DFHDHDDS", "DOCTEMPLATE", "DOCTEMPLATE Resources"),
    ("DFHEPRDS", "EPADAPTER", "Event Adapters"),
    ("DFHECCDS", "CAPTURESPEC", "CAPTURESPEC Resources"),
    ("DFHECGDS", "EVENTBINDING", "Event Bindings"),
    ("DFHEPGDS", "EVENTPROCESS", "Event Processing"),
    ("DFHMPRDS", "POLICY", "POLICY Resources"),
    ("DFHA06DS", "TERMINAL", "Terminals"),
];

/// All of them, with their places.
pub fn types() -> impl Iterator<Item = (usize, (&'static str, &'static str, &'static str))> {
    TYPES.into_iter().enumerate()
}

/// The words of collection types.
const REASONS: [(&str, &str); 5] =
    [("INT", "Interval"), ("EOD", "End of Day"), ("USS", "Unsolicited"), ("REQ", "Requested"), ("RRT", "Requested Reset")];
const REQUESTED: &str = "REQ";

/// An average that no record has: a time by the number of what took it. The time is in microseconds, or in units of so many.
struct Average {
    structure: &'static str,
    label: &'static str,
    time: &'static str,
    unit_microseconds: u64,
    count: &'static str,
}

const fn average(structure: &'static str, label: &'static str, time: &'static str, unit_microseconds: u64, count: &'static str) -> Average {
    Average { structure, label, time, unit_microseconds, count }
}

/// The unit of the times of the loader.
const LOADER_UNIT: u64 = 16;
const AVERAGES: [Average; 9] = [
    average("DFHXMGDS", "Average time queued for MXT", "XMGTQTME", 1, "XMGTDT"),
    average("DSGTCBP", "Average time waited at the limit", "DSGTOTWL", 1, "DSGTOTNW"),
    average("DFHXMCDS", "Average queue time", "XMCTQTME", 1, "XMCTQ"),
    average("DFHLDGDS", "Average loading time", "LDGLLT", LOADER_UNIT, "LDGLLR"),
    average("DFHLDGDS", "Average loading time on the RO TCB", "LDGLLTRO", LOADER_UNIT, "LDGLLRRO"),
    average("DFHLDRDS", "Average fetch time", "LDRFT", LOADER_UNIT, "LDRFC"),
    average("NQGBODY", "Average enqueue wait time", "NQGTNQWT", 1, "NQGTNQSW"),
    average("NQGBODY", "Average enqueue retention time", "NQGTNQRT", 1, "NQGTNQSR"),
    average("DFHRMGDS", "Average time shunted", "RMGTSHTI", 1, "RMGTSHIN"),
];

/// Characters of a line, and of the text before a value.
const WIDTH: usize = 132;
const LABEL_WIDTH: usize = 84;
const MICROSECONDS: u64 = 1_000_000;

/// A statistics record.
#[derive(Debug, Clone)]
pub struct Entry {
    pub applid: String,
    pub reason: String,
    pub at: String,
    pub since: String,
    pub record: String,
    pub name: String,
    pub fields: Map<String, Value>,
}

impl Entry {
    /// `None` for a line that is no record.
    pub fn parse(line: &str) -> Option<Entry> {
        let Ok(Value::Object(object)) = serde_json::from_str::<Value>(line) else { return None };
        let text = |key: &str| object.get(key).and_then(Value::as_str).map(str::to_string);
        Some(Entry {
            applid: text("applid")?,
            reason: text("reason")?,
            at: text("at")?,
            since: text("since")?,
            record: text("record")?,
            name: text("name")?,
            fields: object.get("fields")?.as_object()?.clone(),
        })
    }

    fn place(&self) -> Option<(usize, (&'static str, &'static str, &'static str))> {
        types().find(|(_, (record, ..))| *record == self.record)
    }

    /// The type that SELECT TYPE names.
    pub fn of_type(&self) -> &'static str {
        self.place().map_or("", |(_, (_, name, _))| name)
    }
}

/// The lines of the report, in pages.
struct Pages {
    text: String,
    size: usize,
    lines: usize,
    page: usize,
    heading: String,
}

impl Pages {
    fn line(&mut self, text: &str) {
        if self.lines == 0 || self.lines >= self.size {
            self.new_page();
        }
        self.text.push_str(text.trim_end());
        self.text.push('\n');
        self.lines += 1;
    }

    fn new_page(&mut self) {
        if self.page > 0 {
            self.text.push('\x0c');
        }
        self.page += 1;
        let page = format!("Page {}", self.page);
        let heading: String = self.heading.chars().take(WIDTH - page.len() - 1).collect();
        let width = WIDTH - page.len();
        self.text.push_str(&format!("{heading:<width$}{page}\n\n"));
        self.lines = 2;
    }

    /// The next line begins a page with this heading.
    fn begin(&mut self, heading: String) {
        self.heading = heading;
        self.lines = 0;
    }
}

/// The report of records that `control` has selected.
pub fn text(entries: &[Entry], control: &Control) -> String {
    let mut pages = Pages { text: String::new(), size: control.page_size.unwrap_or(PAGE_SIZE), lines: 0, page: 0, heading: String::new() };
    // A collection: an applid, a reason and a time.
    let mut collections: BTreeMap<(&str, &str, &str), Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        collections.entry((&entry.applid, &entry.at, &entry.reason)).or_default().push(entry);
    }
    for ((applid, at, reason), of) in &collections {
        let word = REASONS.iter().find(|(known, _)| known == reason).map_or(*reason, |(_, word)| word);
        let since = of.iter().map(|entry| entry.since.as_str()).max().unwrap_or_default();
        pages.begin(format!("{word} Statistics Report   Collected {at}   Last Reset {since}   Applid {applid}"));
        records(&mut pages, of.iter().copied());
    }
    if control.summary {
        for (applid, of) in summaries(entries) {
            pages.begin(format!("Summary Statistics Report   Applid {applid}"));
            records(&mut pages, of.iter());
        }
    }
    if pages.text.is_empty() {
        pages.begin("Statistics Report".to_string());
        pages.line("No statistics were selected.");
    }
    if control.upper_case { pages.text.to_uppercase() } else { pages.text }
}

fn records<'a>(pages: &mut Pages, of: impl Iterator<Item = &'a Entry>) {
    let mut sorted: Vec<(usize, &Entry)> = of.filter_map(|entry| Some((entry.place()?.0, entry))).collect();
    sorted.sort_by(|(place, entry), (other, another)| (place, &entry.name).cmp(&(other, &another.name)));
    let mut last = None;
    for (place, entry) in sorted {
        let Some(structure) = statistics_structure(&entry.record) else { continue };
        if last != Some(place) {
            let title = entry.place().map_or("", |(_, (_, _, title))| title);
            pages.line("");
            pages.line(&format!("{title} - {}", entry.record));
            pages.line(&"_".repeat(title.len() + 3 + entry.record.len()));
            last = Some(place);
        }
        if !entry.name.is_empty() {
            pages.line("");
            pages.line(&format!("  {}", entry.name));
        }
        fields(pages, structure, &entry.fields, 4);
    }
}

/// Lengths and identifiers of records are nobody's business on paper.
fn is_internal(field: &StatisticsField) -> bool {
    matches!(field.format, StatisticsFormat::Reserved(_))
        || ["length of the record", "record identifier", "record version"].contains(&field.meaning)
}

fn fields(pages: &mut Pages, structure: &StatisticsStructure, values: &Map<String, Value>, indentation: usize) {
    for field in structure.fields.iter().filter(|field| !is_internal(field)) {
        let Some(value) = values.get(field.name) else { continue };
        let width = LABEL_WIDTH - indentation;
        let label: String = format!("{} ({})", capitalized(field.meaning), field.name).chars().take(width - 1).collect();
        pages.line(&format!("{:indentation$}{label:.<width$}: {:>20}", "", shown(field, value)));
    }
    for of in AVERAGES.iter().filter(|of| of.structure == structure.name) {
        let number = |field: &str| values.get(field).and_then(Value::as_u64).unwrap_or(0);
        let average = (number(of.time) * of.unit_microseconds).checked_div(number(of.count)).unwrap_or(0);
        let width = LABEL_WIDTH - indentation;
        pages.line(&format!("{:indentation$}{:.<width$}: {:>20}", "", of.label, interval(average)));
    }
    for (name, value) in values {
        if let (Some(part), Value::Array(parts)) = (statistics_structure(name), value) {
            for of in parts.iter().filter_map(Value::as_object) {
                pages.line("");
                fields(pages, part, of, indentation + 2);
            }
        }
    }
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or(String::new(), |first| first.to_uppercase().chain(characters).collect())
}

fn shown(field: &StatisticsField, value: &Value) -> String {
    match (field.format, value) {
        (StatisticsFormat::Interval, Value::Number(number)) => interval(number.as_u64().unwrap_or(0)),
        (StatisticsFormat::Time, Value::Number(number)) => time(number.as_u64().unwrap_or(0)),
        (_, Value::String(text)) => text.clone(),
        (_, other) => other.to_string(),
    }
}

/// Days, hours, minutes, seconds, microseconds.
fn interval(microseconds: u64) -> String {
    let seconds = microseconds / MICROSECONDS;
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    format!("{days:03}-{hours:02}:{minutes:02}:{:02}.{:06}", seconds % 60, microseconds % MICROSECONDS)
}

/// A store clock in microseconds: the value says itself whether it is local.
fn time(microseconds: u64) -> String {
    if microseconds == 0 {
        return "--:--:--".to_string();
    }
    let moment = region::clock::Abstime((microseconds / 1_000) as i64);
    format!("{} {}", moment.date_text(), moment.time_text())
}

/// One record for each resource of an applid.
fn summaries(entries: &[Entry]) -> BTreeMap<String, Vec<Entry>> {
    let mut by_resource: BTreeMap<(&str, &str, &str), Entry> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.reason != REQUESTED) {
        let Some(structure) = statistics_structure(&entry.record) else { continue };
        match by_resource.get_mut(&(entry.applid.as_str(), entry.record.as_str(), entry.name.as_str())) {
            None => drop(by_resource.insert((&entry.applid, &entry.record, &entry.name), entry.clone())),
            Some(sum) => add(structure, &mut sum.fields, &entry.fields),
        }
    }
    let mut summaries: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    for entry in by_resource.into_values() {
        summaries.entry(entry.applid.clone()).or_default().push(entry);
    }
    summaries
}

fn add(structure: &StatisticsStructure, sum: &mut Map<String, Value>, more: &Map<String, Value>) {
    for field in &structure.fields {
        let Some(new) = more.get(field.name) else { continue };
        let number = |value: Option<&Value>| value.and_then(Value::as_u64).unwrap_or(0);
        let (before, after) = (number(sum.get(field.name)), number(Some(new)));
        let value = match field.reset {
            StatisticsReset::ToZero => Value::from(before.saturating_add(after)),
            StatisticsReset::ToCurrent | StatisticsReset::ToNone if new.is_u64() => Value::from(before.max(after)),
            _ => new.clone(),
        };
        sum.insert(field.name.to_string(), value);
    }
    for (name, value) in more {
        let (Some(part), Value::Array(parts)) = (statistics_structure(name), value) else { continue };
        match sum.get_mut(name) {
            Some(Value::Array(kept)) if kept.len() == parts.len() => {
                for (sum, more) in kept.iter_mut().zip(parts) {
                    if let (Value::Object(sum), Value::Object(more)) = (sum, more) {
                        add(part, sum, more);
                    }
                }
            }
            _ => drop(sum.insert(name.clone(), value.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_record_of_the_table_has_a_type() {
        for (_, (record, ..)) in types() {
            assert!(statistics_structure(record).is_some(), "{record}");
        }
        let names: std::collections::BTreeSet<_> = types().map(|(_, (_, name, _))| name).collect();
        assert_eq!(names.len(), types().count());
    }

    #[test]
    fn clocks_are_shown_as_time_and_as_duration() {
        assert_eq!(interval(93_784_000_005), "001-02:03:04.000005");
        // 2026-01-02 03:04:05
        // 1767323045 seconds after 1970, which began 2208988800 seconds after 1900.
        assert_eq!(time((1_767_323_045 + 2_208_988_800) * MICROSECONDS), "2026-01-02 03:04:05");
        assert_eq!(time(0), "--:--:--");
    }

    #[test]
    fn every_average_has_its_fields() {
        for of in AVERAGES {
            let structure = statistics_structure(of.structure).unwrap();
            assert!(structure.field(of.time).is_some() && structure.field(of.count).is_some(), "{} {}", of.structure, of.label);
        }
    }

    /// 5 loads that took 1000 units of 16 microseconds: 3200 microseconds each; nothing was loaded on RO.
    #[test]
    fn averages_are_computed() {
        let line = serde_json::json!({
            "applid": "A", "reason": "INT", "at": "2026-01-01 03:00:00", "since": "2026-01-01 00:00:00", "record": "DFHLDGDS", "name": "",
            "fields": { "LDGLLR": 5, "LDGLLT": 1_000, "LDGLLRRO": 0, "LDGLLTRO": 0 },
        });
        let report = text(&[Entry::parse(&line.to_string()).unwrap()], &Control::default());
        let value =
            |label: &str| report.lines().find(|line| line.contains(label)).and_then(|line| line.rsplit(' ').next()).unwrap().to_string();
        assert_eq!(value("Average loading time."), "000-00:00:00.003200");
        assert_eq!(value("Average loading time on the RO TCB"), "000-00:00:00.000000");
    }

    fn entry(reason: &str, at: &str, attaches: u64, peak: u64) -> Entry {
        let line = serde_json::json!({
            "applid": "A", "reason": reason, "at": at, "since": "2026-01-01 00:00:00", "record": "DFHXMGDS", "name": "",
            "fields": { "XMGNUM": attaches, "XMGPAT": peak, "XMGMXT": 50 },
        });
        Entry::parse(&line.to_string()).unwrap()
    }

    #[test]
    fn the_summary_adds_counts_and_takes_the_largest_peak() {
        let entries = [
            entry("INT", "2026-01-01 03:00:00", 5, 9),
            entry("EOD", "2026-01-02 00:00:00", 7, 4),
            entry("REQ", "2026-01-02 01:00:00", 100, 100),
        ];
        let control = Control::parse("SUMMARY\n", &[]).unwrap();
        let report = text(&entries, &control);
        let summary = report.split("Summary Statistics Report").nth(1).expect("a summary");
        let value =
            |field: &str| summary.lines().find(|line| line.contains(field)).and_then(|line| line.rsplit(' ').next()).unwrap().to_string();
        assert_eq!([value("(XMGNUM)"), value("(XMGPAT)"), value("(XMGMXT)")], ["12", "9", "50"]);
        assert!(
            report.contains("Interval Statistics Report   Collected 2026-01-01 03:00:00") && report.contains("Requested Statistics Report")
        );
    }

    #[test]
    fn pages_have_at_most_the_lines_asked_for() {
        let entries: Vec<Entry> = (0..10).map(|day| entry("INT", &format!("2026-01-{day:02} 03:00:00"), 1, 1)).collect();
        let control = Control::parse("PAGESIZE=20\n", &[]).unwrap();
        let report = text(&entries, &control);
        assert!(report.split('\x0c').count() >= 10);
        assert!(report.split('\x0c').all(|page| page.lines().count() <= 20 && page.lines().all(|line| line.chars().count() <= WIDTH)));
        assert!(text(&[], &control).contains("No statistics were selected."));
    }
}
