//! Statistics records of terminals.

use super::display::display_of;
use super::released::released_of;
use region::Region;
use region::figures::{Record, RecordType, Report, ResourceType, count};
use region::name::Name4;
use std::fmt::Write as _;

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
            .number("A06PRTY", terminal.attributes().priority)
            .time_local("A06ONTM", logon)
            .time_gmt("A06GONTM", logon),
    )
}

/// The section of the statistics report: a line for each terminal.
pub(super) fn report(region: &'static Region, report: &mut Report) {
    report.heading("Terminals");
    let text = &mut report.text;
    let heads = "Term  LU Name   Type      Acquired Service Priority      Input     Output      Tasks     Errors     AIDs  User";
    let _ = writeln!(text, "{heads}");
    for terminal in region.terminals.all() {
        let display = display_of(&*terminal);
        let service = display.map(|display| display.service()).or(released_of(&*terminal).and_then(|released| released.service()));
        let counted = display.map_or([0; 4], |display| {
            let counters = &display.counters;
            [&counters.input_messages, &counters.output_messages, &counters.transactions, &counters.transaction_errors].map(count)
        });
        let device = match (display, released_of(&*terminal)) {
            (Some(display), _) if display.is_console() => "CONSOLE",
            (Some(display), _) if display.capabilities.printer => "PRINTER",
            (None, Some(released)) => &released.typeterm.device,
            _ => "DISPLAY",
        };
        let [input, output, tasks, errors] = counted;
        let _ = writeln!(
            text,
            "{:4}  {:8}  {device:8}  {:8} {:7} {:>8} {input:>10} {output:>10} {tasks:>10} {errors:>10} {:>8}  {}",
            terminal.name().as_str(),
            terminal.netname().as_str(),
            if terminal.has_session() { "Yes" } else { "No" },
            if service.is_some_and(|service| service.in_service) { "In" } else { "Out" },
            terminal.attributes().priority,
            terminal.starts_queued().len(),
            terminal.user_id().as_str(),
        );
    }
    text.push('\n');
}
