//! The summary of a transaction dump, for who looks for the cause: the statement, the values of data, the last commands, the call chain.
//!
//! It is made by the thread of the dumps from copies, because formatting takes longer than copying.

use super::snapshot::ProgramSnapshot;
use super::{cause, values};
use crate::code_page::RegionCodePage;
use crate::control_blocks::raised::command_name;
use crate::dump_sections::{BRIEF, SUMMARY, Section};
use crate::{Abend, Task};
use exec::eib;
use kernel::trace::{Entry, Field, points};
use program::module::{Area, Symbol};
use std::fmt::Write as _;

/// Most data items of one area shown, and occurrences of one table.
const ITEMS_MAX: usize = 5000;
const OCCURRENCES_MAX: u32 = 8;
/// Last commands shown.
const COMMANDS_MAX: usize = 20;
/// The highest level of items within items.
const LEVEL_MAX: u8 = 49;

/// What the summary is made from.
pub struct Source {
    abend: Abend,
    levels: Vec<String>,
    eib: Vec<u8>,
    /// Innermost first.
    programs: Vec<ProgramSnapshot>,
}

impl Source {
    pub fn of(task: &Task, abend: &Abend, programs: Vec<ProgramSnapshot>) -> Source {
        let level = |(number, level): (usize, &crate::Level)| {
            let by = if level.invoked_by.is_blank() { String::new() } else { format!(", invoked by {}", level.invoked_by) };
            let key = if level.execkey == csd::Key::Cics { "CICS" } else { "user" };
            format!("Level {} {}{by}, {key} key, COMMAREA of {} bytes", number + 1, level.name, level.commarea.length)
        };
        let levels = task.levels.iter().enumerate().map(level).collect();
        Source { abend: abend.clone(), levels, eib: task.eib.bytes().to_vec(), programs }
    }

    /// The cause in one line.
    pub fn message(&self) -> String {
        cause::line(&self.abend)
    }

    /// The summary, and a section for each program.
    pub fn sections(&self, page: &RegionCodePage, trace: &[Entry], has_programs: bool) -> Vec<Section> {
        let mut sections = vec![
            Section::lines(SUMMARY, BRIEF, "Abend", self.abend_lines()),
            Section::lines(SUMMARY, BRIEF, "Call chain", self.call_chain()),
            Section::lines(SUMMARY, BRIEF, "Last commands", last_commands(trace)),
            Section::lines(SUMMARY, BRIEF, "EIB fields", self.eib_fields(page)),
        ];
        for (number, program) in self.programs.iter().enumerate() {
            // Data of the program that failed is part of the summary, that of its callers a part of the programs.
            if number == 0 || has_programs {
                sections.extend(items(program, if number == 0 { SUMMARY } else { "PG" }, page));
            }
        }
        if has_programs {
            sections.extend(self.programs.iter().flat_map(areas));
        }
        sections
    }

    fn abend_lines(&self) -> Vec<String> {
        let abend = &self.abend;
        let mut lines = vec![format!("Abend {} in program {} line {}", abend.code_text(), abend.program, abend.line)];
        lines.extend(abend.source.as_ref().map(|source| format!("Source {source}")));
        lines.push(format!("Cause {}", cause::line(abend)));
        lines.extend(abend.offset.map(|offset| format!("Offset {offset:08X}")));
        if let Some(interrupt) = &abend.interrupt {
            lines.push(format!("PSW: interruption {} at data address {:X}", interrupt.completion_code(), interrupt.address));
            for (number, four) in interrupt.registers.chunks(4).enumerate() {
                let values: Vec<String> = four.iter().map(|value| format!("{value:016X}")).collect();
                lines.push(format!("Registers {:2}: {}", number * 4, values.join(" ")));
            }
        }
        let command = command_name(abend.command);
        if !command.is_empty() {
            lines.push(format!("Command EXEC CICS {command}"));
        }
        lines.extend(abend.reason.as_ref().map(|reason| format!("Reason {reason}")));
        lines
    }

    fn call_chain(&self) -> Vec<String> {
        let program = |program: &ProgramSnapshot| {
            let line = if program.line == 0 { String::new() } else { format!(" line {}", program.line) };
            let source = if program.module.source.is_empty() { String::new() } else { format!(" of {}", program.module.source) };
            format!("{}{line}{source}", program.name())
        };
        self.programs.iter().map(program).chain(self.levels.iter().cloned()).collect()
    }

    fn eib_fields(&self, page: &RegionCodePage) -> Vec<String> {
        let shown = |field: &exec::EibField| {
            let bytes = self.eib.get(field.offset..field.offset + field.length)?;
            let hexadecimal: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
            let value = match field.picture {
                picture if picture.ends_with("COMP-3") => hexadecimal.trim_end_matches('C').to_string(),
                picture if picture.ends_with("COMP") => signed(bytes).to_string(),
                "X(4)" | "X(8)" => format!("'{}'", page.text(bytes).replace(|c: char| c.is_control(), ".").trim_end()),
                _ => format!("X'{hexadecimal}'"),
            };
            Some(format!("{:<8} {value}", field.name))
        };
        eib::fields().iter().filter_map(shown).collect()
    }
}

fn signed(bytes: &[u8]) -> i64 {
    let start = if bytes.first().is_some_and(|byte| byte & 0x80 != 0) { -1_i64 } else { 0 };
    bytes.iter().fold(start, |value, byte| value << 8 | i64::from(*byte))
}

/// The last commands by the trace of the EXEC interface, the latest last. Without trace there are none.
fn last_commands(trace: &[Entry]) -> Vec<String> {
    let mut open: Vec<(&str, u64)> = Vec::new();
    let mut all = Vec::new();
    for entry in trace.iter().filter(|entry| entry.component == points::EI_ENTRY.component.code()) {
        match &entry.fields[..] {
            [Field::Text(command), _, _, Field::Number(line)] if entry.number == points::EI_ENTRY.number => open.push((command, *line)),
            [Field::Text(command), Field::Text(response), _] if entry.number == points::EI_EXIT.number => {
                // Of a command whose entry has been overwritten, the line is not known.
                let at = open.iter().rposition(|(entered, _)| entered == command);
                let line = at.map_or(0, |at| open.drain(at..).next().map_or(0, |(_, line)| line));
                let response = match exec::condition_by_name(response) {
                    Some(condition) => format!("RESP {} {response}", condition.0),
                    // A command that an abend ended has no response.
                    None => response.to_string(),
                };
                all.push(format!("{command:<24} line {line:<6} {response}"));
            }
            _ => (),
        }
    }
    all.split_off(all.len().saturating_sub(COMMANDS_MAX))
}

/// The data items of a program, a section for each of its areas.
fn items(snapshot: &ProgramSnapshot, component: &str, page: &RegionCodePage) -> Vec<Section> {
    let mut sections = Vec::new();
    for area in &snapshot.areas {
        let Some(title) = title_of(snapshot, area.kind, &area.name) else { continue };
        let lines = match &area.bytes {
            Some(bytes) => snapshot.symbols(area).take(ITEMS_MAX).map(|symbol| item(symbol, bytes, page)).collect(),
            None => vec!["not addressable".to_string()],
        };
        sections.push(Section::lines(component, BRIEF, title, lines));
    }
    sections
}

/// The bytes of a program's areas.
fn areas(snapshot: &ProgramSnapshot) -> Vec<Section> {
    let section = |area: &super::snapshot::AreaCopy| {
        let title = title_of(snapshot, area.kind, &area.name)?;
        Some(Section::area("PG", title, area.address, area.bytes.clone()?))
    };
    snapshot.areas.iter().filter_map(section).collect()
}

fn title_of(snapshot: &ProgramSnapshot, kind: Area, name: &str) -> Option<String> {
    let program = snapshot.name();
    match kind {
        Area::WorkingStorage => Some(format!("WORKING-STORAGE of {program}")),
        Area::LocalStorage => Some(format!("LOCAL-STORAGE of {program}")),
        // Every program has the EXEC interface block, which is shown by itself.
        Area::Linkage if name == "DFHEIBLK" => None,
        Area::Linkage => Some(format!("LINKAGE {name} of {program}")),
        Area::External => Some(format!("EXTERNAL {name} of {program}")),
    }
}

/// One data item: level, name, picture and the values of its occurrences.
fn item(symbol: &Symbol, bytes: &[u8], page: &RegionCodePage) -> String {
    let mut values = String::new();
    let count = if symbol.stride == 0 { 1 } else { symbol.occurs.min(OCCURRENCES_MAX) };
    for occurrence in 0..count {
        let start = symbol.offset as usize + occurrence as usize * symbol.stride as usize;
        let Some(bytes) = bytes.get(start..start + symbol.length as usize).filter(|_| !values::is_group(symbol)) else { break };
        let value = values::value(symbol, bytes, page);
        let _ = write!(values, " {}{}", value.text, if value.valid { "" } else { " (not valid)" });
    }
    if count < symbol.occurs && !values.is_empty() {
        values.push_str(" ...");
    }
    let occurs = if symbol.occurs > 1 { format!(" OCCURS {}", symbol.occurs) } else { String::new() };
    // Items of level 77 are on the first level, as those of level 1.
    let indent = if symbol.level > LEVEL_MAX { 0 } else { usize::from(symbol.level / 5) * 2 };
    let name = format!("{:indent$}{:02} {}", "", symbol.level, symbol.name);
    let description = values::description(symbol);
    format!("{name:<40} {description:<16}{occurs}{values}").trim_end().to_string()
}
