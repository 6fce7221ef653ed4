//! Transaction dumps: a text file for each abend, with what helps to find the cause.

use crate::exec_interface::Abend;
use crate::exec_interface::gate::command_name;
use crate::region::Region;
use crate::transaction_manager::Task;
use std::fmt::Write as _;
use vsam::disk::names::{Letters, file_name};
use vsam::disk::private;

/// Most bytes of one area shown.
const AREA_BYTES_MAX: usize = 4096;

/// Writes the dump of a task into `dumps` of the data directory; a failure to write is only logged.
pub fn write(region: &Region, task: &Task, abend: &Abend, id: &str) {
    let directory = region.data_directory.join("dumps");
    let name = format!("{}-{}", id.replace('/', "-"), abend.code_text());
    let text = text(region, task, abend, id);
    let file = file_name(&name, Letters::Kept, ".txt");
    let written =
        file.and_then(|file| private::create_directory(&directory).and_then(|()| private::write(&directory.join(file), text.as_bytes())));
    if let Err(error) = written {
        tracing::warn!(target: "region::dump", %error, "the dump could not be written");
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
    text
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
