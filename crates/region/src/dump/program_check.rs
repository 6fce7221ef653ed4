//! A program check: the messages about it, and the system dump that precedes the abend ASRA.

use super::codes::valid_code;
use super::system::{self, Request};
use crate::{Abend, Task};

/// Reports a program check, once, and takes the system dump that the dump table has for it. The abend has not reached an exit yet.
#[cold]
pub fn report(task: &mut Task, abend: &mut Abend) {
    let Some(interrupt) = abend.interrupt.as_ref().filter(|_| !abend.is_reported) else { return };
    let (completion, address) = (interrupt.completion_code(), interrupt.address);
    abend.is_reported = true;
    let region = task.region;
    if let Some((access, dsa)) = abend.protected(region) {
        region.messages.send("DFHSR0622", &[("access", access), ("dsa", dsa.name())]);
    }
    let code = system::program_check_code(task);
    let offset = abend.offset.map_or("--------".to_string(), |offset| format!("{offset:08X}"));
    let (abend_code, program) = (abend.code_text(), abend.program);
    let values = [("interrupt", completion.as_str()), ("abcode", abend_code.as_str()), ("offset", &offset), ("program", program.as_str())];
    let id = if code.as_str() == "SR0001" { "DFHSR0001" } else { "DFHAP0001" };
    let message = region.messages.send(id, &values).line();
    debug_assert!(valid_code(code.as_str()).is_some(), "the code of a program check is one");
    let symptoms = format!("AB/S{completion:0>4} AB/U{abend_code} RIDS/{program} MS/{id} ADRS/{offset}");
    let title = format!("Program check {completion} in {program} at address {address:08X}");
    let request = Request { title, caller: "SRP".to_string(), symptoms, message, sections: Vec::new() };
    system::request(task, code, request);
}
