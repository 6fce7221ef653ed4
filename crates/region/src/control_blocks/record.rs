//! A statistics record: the fields of a structure of the catalogue with their values, and the record as programs see it.

use super::region::Region;
use crate::clock::utc_offset_seconds;
use crate::code_page::RegionCodePage;
use exec::{StatisticsFormat, StatisticsReset, StatisticsStructure, cvda, statistics_structure};
use std::collections::HashMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// STIVERS: the version of all records.
const VERSION: u64 = 1;
/// Seconds from the epoch of the store clock, 1900, to that of the system.
const STORE_CLOCK_EPOCH_SECONDS: u64 = 2_208_988_800;
/// Bit 51 of the store clock is a microsecond.
const STORE_CLOCK_MICROSECOND_BITS: u32 = 12;

#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    /// The region has none: zero, or blanks.
    None,
    Number(u64),
    Text(String),
}

/// One record with the parts repeated at its end.
#[derive(Clone, Debug)]
pub struct Record {
    pub structure: &'static StatisticsStructure,
    /// Of the resource; empty for a global record.
    pub name: String,
    values: Vec<Value>,
    parts: Vec<Record>,
}

/// Values at the last reset, by structure, resource and number of the part (0: the record itself).
pub type Baseline = HashMap<(&'static str, String, usize), Vec<u64>>;

impl Record {
    /// An empty record of a structure of the catalogue.
    pub fn new(structure: &str, name: impl Into<String>) -> Record {
        let structure = statistics_structure(structure).unwrap_or_else(|| panic!("no structure {structure}"));
        Record { structure, name: name.into(), values: vec![Value::None; structure.fields.len()], parts: Vec::new() }
    }

    /// The resource signature, as INQUIRE shows it, in fields that begin with `prefix`.
    pub fn signed(self, region: &Region, prefix: &str, resource: &'static str, name: &str) -> Record {
        let group = region.installed.read().get(resource, name).map(|definition| definition.group.clone()).unwrap_or_default();
        let user = region.default_user.to_string();
        let field = |suffix: &str| format!("{prefix}_{suffix}");
        self.text(&field("DEFINE_SOURCE"), group)
            .time_local(&field("CHANGE_TIME"), Some(region.started_at()))
            .text(&field("CHANGE_USERID"), user.clone())
            .number(&field("CHANGE_AGENT"), cvda::CSDBATCH as u64)
            .number(&field("INSTALL_AGENT"), cvda::GRPLIST as u64)
            .time_local(&field("INSTALL_TIME"), Some(region.started_at()))
            .text(&field("INSTALL_USERID"), user)
    }

    fn with(mut self, field: &str, value: Value) -> Record {
        let at = self.structure.field(field).unwrap_or_else(|| panic!("no field {field} in {}", self.structure.name));
        self.values[at] = value;
        self
    }

    pub fn number(self, field: &str, value: impl Into<u64>) -> Record {
        self.with(field, Value::Number(value.into()))
    }

    pub fn numbers<'a>(self, fields: impl IntoIterator<Item = (&'a str, u64)>) -> Record {
        fields.into_iter().fold(self, |record, (field, value)| record.number(field, value))
    }

    pub fn text(self, field: &str, value: impl Into<String>) -> Record {
        self.with(field, Value::Text(value.into()))
    }

    pub fn interval(self, field: &str, value: Duration) -> Record {
        self.number(field, store_clock_interval(value))
    }

    /// A time as it is at Greenwich.
    pub fn time_gmt(self, field: &str, time: Option<SystemTime>) -> Record {
        self.number(field, time.map_or(0, |time| store_clock(time, 0)))
    }

    pub fn time_local(self, field: &str, time: Option<SystemTime>) -> Record {
        let seconds = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() as i64;
        self.number(field, time.map_or(0, |time| store_clock(time, utc_offset_seconds(seconds(time)))))
    }

    pub fn part(mut self, part: Record) -> Record {
        self.parts.push(part);
        self
    }

    /// The value a field has, as a number.
    pub fn get(&self, field: &str) -> Option<u64> {
        match self.values.get(self.structure.field(field)?)? {
            Value::Number(value) => Some(*value),
            _ => None,
        }
    }

    fn key(&self, part: usize) -> (&'static str, String, usize) {
        (self.structure.name, self.name.clone(), part)
    }

    fn raw(&self) -> Vec<u64> {
        self.values.iter().map(|value| if let Value::Number(value) = value { *value } else { 0 }).collect()
    }

    /// Makes the present values those of a reset.
    pub fn reset(&self, baseline: &mut Baseline) {
        baseline.insert(self.key(0), self.raw());
        for (at, part) in self.parts.iter().enumerate() {
            baseline.insert((part.structure.name, self.name.clone(), at + 1), part.raw());
        }
    }

    /// The resource no longer exists: a new one of this name counts from zero.
    pub fn forget(&self, baseline: &mut Baseline) {
        (0..=self.parts.len()).for_each(|part| {
            let structure = part.checked_sub(1).map_or(self.structure.name, |at| self.parts[at].structure.name);
            baseline.remove(&(structure, self.name.clone(), part));
        });
    }

    /// What was counted since the last reset.
    pub fn since_reset(mut self, baseline: &Baseline) -> Record {
        if let Some(before) = baseline.get(&self.key(0)) {
            subtract(&mut self, before);
        }
        let name = self.name.clone();
        for (at, part) in self.parts.iter_mut().enumerate() {
            if let Some(before) = baseline.get(&(part.structure.name, name.clone(), at + 1)) {
                subtract(part, before);
            }
        }
        self
    }

    /// Bytes of the record with its parts.
    pub fn length(&self) -> usize {
        self.structure.length() + self.parts.iter().map(Record::length).sum::<usize>()
    }

    /// The record as a program sees it.
    pub fn bytes(&self, code_page: &RegionCodePage) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.length());
        self.append(&mut bytes, code_page);
        if let Some(identifier) = self.structure.identifier {
            let length = bytes.len() as u64;
            for (at, value) in [length, identifier.into(), VERSION].into_iter().enumerate() {
                let field = &self.structure.fields[at];
                put_number(&mut bytes[field.offset..field.offset + field.format.length()], value);
            }
        }
        bytes
    }

    fn append(&self, bytes: &mut Vec<u8>, code_page: &RegionCodePage) {
        for (field, value) in self.structure.fields.iter().zip(&self.values) {
            let start = bytes.len();
            bytes.resize(start + field.format.length(), 0);
            let place = &mut bytes[start..];
            match (field.format, value) {
                (StatisticsFormat::Text(_), Value::Text(text)) => code_page.fill(text, place),
                (StatisticsFormat::Text(_), _) => code_page.fill("", place),
                (_, Value::Number(value)) => put_number(place, *value),
                _ => {}
            }
        }
        self.parts.iter().for_each(|part| part.append(bytes, code_page));
    }

    /// The fields that have a value, for a line of the statistics file. Clocks are in microseconds there.
    pub fn json(&self) -> serde_json::Value {
        let mut fields = serde_json::Map::new();
        for (field, value) in self.structure.fields.iter().zip(&self.values) {
            let clock = matches!(field.format, StatisticsFormat::Time | StatisticsFormat::Interval);
            match value {
                Value::Number(value) if clock => fields.insert(field.name.into(), (value >> STORE_CLOCK_MICROSECOND_BITS).into()),
                Value::Number(value) => fields.insert(field.name.into(), (*value).into()),
                Value::Text(text) => fields.insert(field.name.into(), text.trim_end().into()),
                Value::None => None,
            };
        }
        for part in &self.parts {
            let list = fields.entry(part.structure.name).or_insert_with(|| serde_json::Value::Array(Vec::new()));
            if let serde_json::Value::Array(list) = list {
                list.push(part.json());
            }
        }
        fields.into()
    }
}

/// A counter that is smaller than at the reset belongs to a resource created since. Clocks are exempt: the time used by tasks is read while
/// they run, and may be read slightly low.
fn subtract(record: &mut Record, before: &[u64]) {
    let counted = record.structure.fields.iter().filter(|field| field.reset == StatisticsReset::ToZero).count();
    let mut changes = Vec::with_capacity(counted);
    for ((field, value), before) in record.structure.fields.iter().zip(&mut record.values).zip(before) {
        if let Value::Number(now) = value
            && field.reset == StatisticsReset::ToZero
        {
            if *now < *before && field.format != StatisticsFormat::Interval {
                return;
            }
            changes.push((now, *before));
        }
    }
    changes.into_iter().for_each(|(now, before)| *now = now.saturating_sub(before));
}

/// A value that does not fit is replaced by the largest number that does.
fn put_number(place: &mut [u8], value: u64) {
    let width = place.len();
    let largest = if width >= 8 { u64::MAX } else { (1 << (8 * width)) - 1 };
    place.copy_from_slice(&value.min(largest).to_be_bytes()[8 - width..]);
}

/// A point in time as the store clock has it.
pub fn store_clock(time: SystemTime, offset_seconds: i64) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = (since.as_secs() + STORE_CLOCK_EPOCH_SECONDS).saturating_add_signed(offset_seconds);
    (seconds * 1_000_000 + u64::from(since.subsec_micros())) << STORE_CLOCK_MICROSECOND_BITS
}

/// A length of time in the units of the store clock.
pub fn store_clock_interval(value: Duration) -> u64 {
    (value.as_micros() as u64) << STORE_CLOCK_MICROSECOND_BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reset_clears_counters_and_keeps_configuration() {
        let record = |reads: u64| Record::new("DFHA17DS", "F").number("A17DSRD", reads).number("A17STRNO", 5u32).text("A17FNAM", "F");
        let mut baseline = Baseline::new();
        record(7).reset(&mut baseline);
        let now = record(9).since_reset(&baseline);
        assert_eq!((now.get("A17DSRD"), now.get("A17STRNO")), (Some(2), Some(5)));
        // A reinstalled resource counts from zero.
        assert_eq!(record(3).since_reset(&baseline).get("A17DSRD"), Some(3));
    }

    #[test]
    fn a_record_begins_with_its_length_and_identifier() {
        let page = RegionCodePage::by_ccsid(1140).map(RegionCodePage::new).unwrap();
        let record = Record::new("DFHA17DS", "FIXED").text("A17FNAM", "FIXED").number("A17DSRD", 258u32);
        let bytes = record.bytes(&page);
        assert_eq!(bytes.len(), record.length());
        assert_eq!(usize::from(u16::from_be_bytes([bytes[0], bytes[1]])), bytes.len());
        assert_eq!((bytes[2], bytes[3], bytes[4]), (0, 67, 1));
        assert_eq!(bytes[8..16], [0xC6, 0xC9, 0xE7, 0xC5, 0xC4, 0x40, 0x40, 0x40]);
        // After the flags and the data set name.
        assert_eq!(bytes[64..68], [0, 0, 1, 2]);
        assert_eq!(record.json()["A17DSRD"], 258);
    }

    #[test]
    fn numbers_too_large_are_the_largest() {
        let mut place = [0; 2];
        put_number(&mut place, 70_000);
        assert_eq!(place, [0xFF, 0xFF]);
        // The store clock of 1970-01-01, as the Principles of Operation have it.
        assert_eq!(store_clock(UNIX_EPOCH, 0), 0x7D91_048B_CA00_0000);
    }
}
