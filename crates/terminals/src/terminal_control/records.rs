//! Statistics records of terminals.

use super::display::display_of;
use region::Region;
use region::figures::{Record, RecordType, ResourceType, count};
use region::name::Name4;

pub(super) static TERMINALS: RecordType = RecordType {
    of: ResourceType::Terminal,
    one: |reading, name| record(reading.region, Name4::new(name)),
    names: |region| region.terminals.all().iter().map(|terminal| terminal.name().to_string()).collect(),
    ..RecordType::NONE
};

pub(super) fn record(region: &Region, name: Name4) -> Option<Record> {
    let terminal = region.terminals.find(name)?;
    let record = Record::new("DFHA06DS", name.to_string())
        .text("A06TETI", name.to_string())
        .number("A06TETT", terminal.attributes().term_code[0])
        .text("A06LUNAM", terminal.netname().to_string())
        .text("A06SYSID", region.sysid.to_string());
    let Some(display) = display_of(&*terminal) else { return Some(record) };
    let counters = &display.counters;
    let logon = display.identity.autoinstalled.then_some(display.logged_on_at);
    Some(
        record
            .number("A06TENI", count(&counters.input_messages))
            .number("A06TENO", count(&counters.output_messages))
            .number("A06TEOT", count(&counters.transactions))
            .number("A06TEOE", count(&counters.transaction_errors))
            .number("A06PRTY", display.identity.priority)
            .time_local("A06ONTM", logon)
            .time_gmt("A06GONTM", logon),
    )
}
