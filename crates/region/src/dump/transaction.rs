//! Transaction dumps: a text file for each abend, with the information that helps to find its cause.

use super::snapshot::ProgramSnapshot;
use super::{TaskState, values};
use crate::control_blocks::raised::command_name;
use crate::{Abend, Region, Task};
use program::module::{Area, Symbol};
use std::fmt::Write as _;
use std::path::PathBuf;
use vsam::disk::names::{Letters, file_name};
use vsam::disk::private;

/// Most bytes of one area shown.
const AREA_BYTES_MAX: usize = 4096;
/// Most data items of one area shown, and occurrences of one table.
const ITEMS_MAX: usize = 5000;
const OCCURRENCES_MAX: u32 = 8;

/// Writes the dump of a task into `dumps` of the data directory and answers its path; a failure to write is only logged.
pub fn write(region: &Region, task: &Task, abend: &Abend, id: &str) -> Option<PathBuf> {
    let directory = region.data_directory.join("dumps");
    let name = format!("{}-{}", id.replace('/', "-"), abend.code_text());
    let text = text(region, task, abend, id);
    let written = file_name(&name, Letters::Kept, ".txt").and_then(|file| {
        let path = directory.join(file);
        private::create_directory(&directory).and_then(|()| private::write(&path, text.as_bytes()))?;
        Ok(path)
    });
    match written {
        Ok(path) => Some(std::path::absolute(&path).unwrap_or(path)),
        Err(error) => {
            tracing::warn!(target: "region::dump", %error, "the dump could not be written");
            None
        }
    }
}

fn text(region: &Region, task: &Task, abend: &Abend, id: &str) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "Transaction dump {id} of region {}", region.applid);
    let _ = writeln!(text, "Transaction {} task {} terminal {} user {}", task.transid, task.number, task.terminal_name(), task.user_id);
    let _ = writeln!(text, "Abend {} in program {} line {}", abend.code_text(), abend.program, abend.line);
    if let Some(offset) = abend.offset {
        let _ = writeln!(text, "Offset {offset:08X}");
    }
    if let Some(interrupt) = &abend.interrupt {
        let _ = writeln!(text, "Program interruption {} at data address {:X}", interrupt.completion_code(), interrupt.address);
        for (number, pair) in interrupt.registers.chunks(4).enumerate() {
            let values: Vec<String> = pair.iter().map(|value| format!("{value:016X}")).collect();
            let _ = writeln!(text, "  registers {:2}: {}", number * 4, values.join(" "));
        }
    }
    let command = command_name(abend.command);
    if !command.is_empty() {
        let _ = writeln!(text, "Command EXEC CICS {command}");
    }
    if let Some(reason) = &abend.reason {
        let _ = writeln!(text, "Reason {reason}");
    }
    let _ = writeln!(text, "\nEXEC interface block at {:08X}", task.eib.address());
    hexadecimal(&mut text, task.eib.address() as usize, task.eib.bytes(), region);
    if task.twa.length > 0
        && let Ok(bytes) = task.twa.truncated(AREA_BYTES_MAX).read()
    {
        let _ = writeln!(text, "\nTransaction work area at {:08X}", task.twa.address);
        hexadecimal(&mut text, task.twa.address, &bytes, region);
    }
    for snapshot in &TaskState::of(&task.parts).snapshots {
        program(&mut text, snapshot, region);
    }
    given_data(&mut text, task, region);
    text
}

/// The data of a program: its items with their values, then the bytes.
fn program(text: &mut String, snapshot: &ProgramSnapshot, region: &Region) {
    let name = &snapshot.module.programs[snapshot.program].name;
    for area in &snapshot.areas {
        let title = match area.kind {
            Area::WorkingStorage => "WORKING-STORAGE".to_string(),
            Area::LocalStorage => "LOCAL-STORAGE".to_string(),
            // Every program has the EXEC interface block, which is shown above.
            Area::Linkage if area.name == "DFHEIBLK" => continue,
            Area::Linkage => format!("LINKAGE {}", area.name),
            Area::External => format!("EXTERNAL {}", area.name),
        };
        let Some(bytes) = &area.bytes else {
            let _ = writeln!(text, "\n{title} of {name}: not addressable");
            continue;
        };
        let _ = writeln!(text, "\n{title} of {name}");
        for symbol in snapshot.symbols(area).take(ITEMS_MAX) {
            item(text, symbol, bytes, region);
        }
        let _ = writeln!(text, "  {} bytes at {:08X}", area.length, area.address);
        hexadecimal(text, area.address, bytes, region);
    }
}

/// One data item: level, name, picture and the values of its occurrences.
fn item(text: &mut String, symbol: &Symbol, bytes: &[u8], region: &Region) {
    let mut values = String::new();
    let count = if symbol.stride == 0 { 1 } else { symbol.occurs.min(OCCURRENCES_MAX) };
    for occurrence in 0..count {
        let start = symbol.offset as usize + occurrence as usize * symbol.stride as usize;
        let Some(bytes) = bytes.get(start..start + symbol.length as usize).filter(|_| !values::is_group(symbol)) else { break };
        let value = values::value(symbol, bytes, &region.code_page);
        let _ = write!(values, " {}{}", value.text, if value.valid { "" } else { " (not valid)" });
    }
    if count < symbol.occurs && !values.is_empty() {
        values.push_str(" ...");
    }
    let occurs = if symbol.occurs > 1 { format!(" OCCURS {}", symbol.occurs) } else { String::new() };
    let indent = usize::from(symbol.level.min(49) / 5) * 2;
    let name = format!("{:indent$}{:02} {}", "", symbol.level, symbol.name);
    let description = values::description(symbol);
    let _ = writeln!(text, "  {}", format!("{name:<40} {description:<16}{occurs}{values}").trim_end());
}

/// The input of the program at the deepest level: its communication area and channel.
fn given_data(text: &mut String, task: &Task, region: &Region) {
    let Some(level) = task.levels.last() else { return };
    if level.commarea.length > 0
        && let Ok(bytes) = level.commarea.truncated(AREA_BYTES_MAX).read()
    {
        let _ = writeln!(text, "\nCOMMAREA of {}, {} bytes at {:08X}", level.name, level.commarea.length, level.commarea.address);
        hexadecimal(text, level.commarea.address, &bytes, region);
    }
    let Some(channel) = &level.channel else { return };
    let _ = writeln!(text, "\nChannel {} of {}", channel.name(), level.name);
    for name in channel.container_names() {
        let data = channel.with(name, |container| container.data[..container.data.len().min(AREA_BYTES_MAX)].to_vec());
        let Some(data) = data else { continue };
        let _ = writeln!(text, "  container {name}, {} bytes shown", data.len());
        hexadecimal(text, 0, &data, region);
    }
}

fn hexadecimal(text: &mut String, address: usize, bytes: &[u8], region: &Region) {
    for (line, chunk) in bytes.chunks(16).enumerate() {
        let mut digits = String::with_capacity(40);
        for (index, byte) in chunk.iter().enumerate() {
            if index % 4 == 0 && index > 0 {
                digits.push(' ');
            }
            let _ = write!(digits, "{byte:02X}");
        }
        let readable: String =
            region.code_page.text(chunk).chars().map(|c| if c.is_control() || c == '\u{FFFD}' { '.' } else { c }).collect();
        let _ = writeln!(text, "  {:08X}  {digits:<36} *{readable}*", address + line * 16);
    }
}
