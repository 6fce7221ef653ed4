//! XMNOUT: exit programs see the performance class record of a task before it is written.
//!
//! The record has its fields one after the other; the dictionary says what and where they are, as that of CICS does
//! (group, type, number, length, and Regent's offset and nickname). A clock has eight bytes of the store clock's units, one that is reserved, and
//! the number of its periods in three ("Clocks and time stamps").

use super::Record;
use super::fields::{Field, Value};
use crate::code_page::RegionCodePage;
use crate::control_blocks::exit_structure::ExitRecord;
use crate::control_blocks::packed::pack;
use crate::control_blocks::record::{store_clock, store_clock_interval};
use crate::{ExitArgument, Task};
use exec::exit_point;

/// The group that RMI=NO of the monitoring control table leaves out.
const RMI_GROUP: &str = "DFHRMI";
/// UEPMRTYP: performance class.
const PERFORMANCE: u16 = 3;
/// The largest number of periods.
const PERIODS_MAX: u64 = (1 << 24) - 1;

/// The value as the record has it.
fn bytes(field: &Field, page: &RegionCodePage) -> Vec<u8> {
    let length = field.spec.length_bytes;
    let mut bytes = match &field.value {
        Value::Count(count) => u32::try_from(*count).unwrap_or(u32::MAX).to_be_bytes().to_vec(),
        Value::Flags(flags) => flags.to_vec(),
        Value::Text(text) => {
            let mut bytes = vec![page.space(); length];
            page.fill(text, &mut bytes);
            bytes
        }
        Value::Packed(number) => {
            let mut bytes = vec![0; length];
            pack(&mut bytes, (*number).into());
            bytes
        }
        Value::Clock(clock) => {
            let time = store_clock_interval(clock.time).to_be_bytes();
            let periods = (clock.count.min(PERIODS_MAX) as u32).to_be_bytes();
            [&time[..], &periods].concat()
        }
        Value::Time(time) => time.map_or(0, |time| store_clock(time, 0)).to_be_bytes().to_vec(),
    };
    // A count of eight bytes.
    if bytes.len() < length {
        bytes.splice(0..0, std::iter::repeat_n(0, length - bytes.len()));
    }
    debug_assert_eq!(bytes.len(), length, "{:?}", field.spec);
    bytes
}

/// Calls the exit programs. What they did in a unit of work is committed: the task has none any more.
pub(super) fn is_wanted(task: &mut Task, record: &Record) -> bool {
    let page = &task.region.code_page;
    let has_rmi = task.region.monitoring().has_rmi();
    let mut fields = record.fields();
    fields.retain(|field| has_rmi || field.spec.group != RMI_GROUP);
    let (mut dictionary, mut connectors, mut data) = (Vec::new(), Vec::new(), Vec::new());
    for (at, field) in fields.iter().enumerate() {
        let entry = ExitRecord::new("DFHMCTDR", page)
            .text("MCTDR_OWNER", field.spec.group)
            .text("MCTDR_TYPE", &field.spec.kind.to_string())
            .text("MCTDR_ID", &format!("{:03}", field.spec.number))
            .number("MCTDR_LENGTH", field.spec.length_bytes as u64)
            .number("MCTDR_CONNECTOR", at as u64 + 1)
            .number("MCTDR_OFFSET", data.len() as u64)
            .text("MCTDR_NAME", field.spec.nickname);
        dictionary.extend(entry.into_bytes());
        connectors.extend((at as u16 + 1).to_be_bytes());
        data.extend(bytes(field, page));
    }
    let count = ExitArgument::bytes(&(fields.len() as u32).to_be_bytes());
    let length = ExitArgument::bytes(&(data.len() as u32).to_be_bytes());
    let mut arguments = task.exit_identity();
    arguments.extend([
        ExitArgument::Bytes(dictionary),
        count.clone(),
        ExitArgument::Bytes(connectors),
        count,
        ExitArgument::bytes(&PERFORMANCE.to_be_bytes()),
        ExitArgument::Bytes(data),
        length,
    ]);
    let code = task.call_exit(exit_point::XMNOUT, &mut arguments);
    if task.syncpoint().is_err() {
        task.rollback();
    }
    code.is_ok_and(|code| !code.is("UERCBYP"))
}

#[cfg(test)]
mod tests {
    use super::super::fields::specs;
    use super::*;
    use kernel::Clock;
    use std::time::Duration;

    /// A second is 1,000,000 at bit 51 of the store clock; the periods are in the last three bytes.
    #[test]
    fn a_clock_has_its_time_and_the_number_of_its_periods() {
        let page = RegionCodePage::new(RegionCodePage::by_ccsid(1140).unwrap());
        let spec = specs().iter().find(|spec| spec.nickname == "FCIOWTT").unwrap();
        let clock = |count: u64| bytes(&Field { spec, value: Value::Clock(Clock { time: Duration::from_secs(1), count }) }, &page);
        assert_eq!(clock(3), [0, 0, 0, 0, 0xF4, 0x24, 0, 0, 0, 0, 0, 3]);
        assert_eq!(clock(PERIODS_MAX)[8..], [0, 0xFF, 0xFF, 0xFF]);
        assert_eq!(clock(PERIODS_MAX + 1)[8..], [0, 0xFF, 0xFF, 0xFF]);
    }

    #[test]
    fn every_field_has_its_length_when_there_is_nothing_to_say() {
        let page = RegionCodePage::new(RegionCodePage::by_ccsid(1140).unwrap());
        for spec in specs() {
            assert_eq!(bytes(&Field { spec, value: Value::none(spec.kind) }, &page).len(), spec.length_bytes, "{spec:?}");
        }
    }
}
