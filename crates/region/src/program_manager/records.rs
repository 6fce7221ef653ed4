//! Statistics records of programs, and of the loader.

use crate::Region;
use crate::figures::{Record, RecordType, ResourceType, count, nanoseconds};
use crate::name::Name8;
use std::sync::atomic::Ordering;

pub(super) static PROGRAMS: RecordType = RecordType {
    of: ResourceType::Program,
    one: |reading, name| program(reading.region, Name8::new(name)),
    names: |region| region.programs().names().iter().map(ToString::to_string).collect(),
    ..RecordType::NONE
};

pub(super) static LOADER: RecordType =
    RecordType { of: ResourceType::Loader, one: |reading, _| Some(loader(reading.region)), ..RecordType::NONE };

/// Times of the loader are in units of so many microseconds.
const LOADER_UNIT_MICROSECONDS: u64 = 16;

fn loader(region: &Region) -> Record {
    let programs = &region.programs();
    Record::new("DFHLDGDS", "")
        .number("LDGLLR", count(&programs.loads))
        .number("LDGLLT", nanoseconds(&programs.load_nanoseconds).as_micros() as u64 / LOADER_UNIT_MICROSECONDS)
        .number("LDGPUSES", programs.uses())
        .number("LDGLBSOU", count(&programs.library_changes))
}

fn program(region: &Region, name: Name8) -> Option<Record> {
    let program = region.programs().find(name)?;
    Some(
        Record::new("DFHLDRDS", name.to_string())
            .text("LDRPNAME", name.to_string())
            .number("LDRTU", program.use_count.load(Ordering::Relaxed))
            .number("LDRFC", program.fetches.load(Ordering::Relaxed))
            .number("LDRTN", program.new_copies.load(Ordering::Relaxed))
            .number("LDRPSIZE", program.length() as u64)
            .text("LDRLBNM", program.library()),
    )
}
