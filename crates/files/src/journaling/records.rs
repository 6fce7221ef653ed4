//! Statistics records of journals.

use super::{JournalType, Journaling};
use region::Region;
use region::figures::{Record, RecordType, ResourceType};
use region::name::Name8;
use region::statistics::{Shown, shown};

pub(super) static JOURNALS: RecordType = RecordType {
    of: ResourceType::JournalName,
    one: |reading, name| record(reading.region, Name8::new(name)),
    names: |region| Journaling::of(region).names().iter().map(ToString::to_string).collect(),
    ..RecordType::NONE
};

fn record(region: &Region, name: Name8) -> Option<Record> {
    const FIELDS: Shown = &[("LGRWRITES", "writes"), ("LGRBYTES", "bytes"), ("LGRBUFLSH", "flushes")];
    let journal = Journaling::of(region).find(name)?;
    let kind: u8 = match journal.kind {
        JournalType::Mvs => 1,
        JournalType::Smf => 2,
        JournalType::Dummy => 3,
    };
    let record = shown(Record::new("DFHLGRDS", name.to_string()), &journal.statistics(), FIELDS);
    Some(record.text("LGRJNLNAME", name.to_string()).number("LGRJTYPE", kind).text("LGRSTREAM", journal.stream_name.clone()))
}
