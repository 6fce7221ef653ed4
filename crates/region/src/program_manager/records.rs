//! Statistics records of programs, of the loader and of libraries.

use super::library::search_position;
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
        .number("LDGLLRRO", count(&programs.loads_on_ro))
        .number("LDGLLTRO", nanoseconds(&programs.load_nanoseconds_on_ro).as_micros() as u64 / LOADER_UNIT_MICROSECONDS)
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
            .number("LDRFT", nanoseconds(&program.fetch_nanoseconds).as_micros() as u64 / LOADER_UNIT_MICROSECONDS)
            .number("LDRTN", program.new_copies.load(Ordering::Relaxed))
            .number("LDRPSIZE", program.length() as u64)
            .text("LDRLBNM", program.library())
            .text("LDRLBDNM", program.library_data_set()),
    )
}

pub(super) static LIBRARIES: RecordType = RecordType {
    of: ResourceType::Library,
    one: |reading, name| library(reading.region, name),
    names: |region| region.programs().libraries().into_iter().map(|library| library.name).collect(),
    ..RecordType::NONE
};

/// LDB_LIBRARY_CRITICAL and LDB_LIBRARY_ENABLE_STATUS.
fn flag(is_set: bool) -> u8 {
    if is_set { 1 } else { 2 }
}

fn library(region: &Region, name: &str) -> Option<Record> {
    let libraries = region.programs().libraries();
    let library = libraries.iter().find(|library| library.name == name)?;
    let record = Record::new("DFHLDBDS", name)
        .text("LDB_LIBRARY_NAME", name)
        .number("LDB_LIBRARY_SEARCH_POS", search_position(&libraries, name))
        .number("LDB_LIBRARY_RANKING", library.ranking)
        .number("LDB_LIBRARY_CRITICAL", flag(library.is_critical))
        .number("LDB_LIBRARY_ENABLE_STATUS", flag(library.is_enabled))
        .number("LDB_LIBRARY_PROG_LOADS", count(&library.loads))
        .number("LDB_LIBRARY_NUMDSNAMES", library.data_sets.len() as u64)
        .signed(region, "LDB_LIBRARY", "LIBRARY", name);
    let data_sets = library.data_sets.iter().zip(1u32..);
    Some(data_sets.fold(record, |record, (data_set, number)| {
        record.part(Record::new("LDBDSNAM", "").number("LDB_DSNAME_NUMBER", number).text("LDB_DSNAME", data_set.name.clone()))
    }))
}
