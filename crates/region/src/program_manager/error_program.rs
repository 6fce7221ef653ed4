//! The program error program, DFHPEP: a program of the user's that is called when a task abends, and may disable the transaction.
//!
//! It gets DFHPCOM as its communication area ("Writing a program error program"). The region has no such program of its own: without one in a
//! library nothing is called. Its changes are backed out with those of the task.

use crate::control_blocks::exit_structure::ExitRecord;
use crate::name::Name8;
use crate::{Abend, Task};
use kernel::storage::Dsa;

const NAME: &str = "DFHPEP";
const STRUCTURE: &str = "DFHPCOM";

impl Task {
    /// Calls the program error program, if there is one. The task has abended and has not been backed out.
    pub(crate) fn call_error_program(&mut self, abend: &Abend) {
        let (name, region) = (Name8::new(NAME), self.region);
        let programs = region.programs();
        if programs.find(name).is_none() && programs.find_member(name, program::batch::MODULE_EXTENSION).is_none() {
            return;
        }
        let area = self.error_area(abend);
        let (code, program, terminal) = (abend.code_text(), abend.program, self.terminal_name());
        let transid = self.transid;
        let values = [("transid", transid.as_str()), ("abcode", &code), ("program", program.as_str()), ("termid", terminal.as_str())];
        match self.link_replaceable(name, area) {
            Err(_) => {
                region.messages.send("DFHAC2263", &values);
            }
            Ok(left) => {
                if ExitRecord::of_bytes(STRUCTURE, &region.code_page, left).is("PEP_COM_RETURN_CODE", "PEP_COM_RETURN_DISABLE") {
                    self.transaction.change(|definition| definition.enabled = false);
                    region.messages.send("DFHAC2264", &values);
                }
            }
        }
    }

    fn error_area(&self, abend: &Abend) -> Vec<u8> {
        let structure = exec::exit_structure(STRUCTURE);
        let original = String::from_utf8_lossy(&self.abend_information.original_code).into_owned();
        let key = if self.abend_information.in_user_key { "PEP_COM_USER_KEY" } else { "PEP_COM_CICS_KEY" };
        let hit = abend.protected(self.region).map_or("", |(_, dsa): (_, Dsa)| dsa.name());
        ExitRecord::new(STRUCTURE, &self.region.code_page)
            .text("PEP_COM_CURRENT_ABEND_CODE", &abend.code_text())
            .text("PEP_COM_ORIGINAL_ABEND_CODE", &original)
            .text("PEP_COM_ABPROGRAM", abend.program.as_str())
            .text("PEP_COM_TRANSACTION", self.transid.as_str())
            .bytes_of("PEP_COM_USERS_EIB", self.eib.bytes())
            .text("PEP_COM_KEY", structure.value(key))
            .text("PEP_COM_STORAGE_HIT", hit)
            .number("PEP_COM_INTERRUPT", abend.interrupt.as_ref().map_or(0, |interrupt| interrupt.code.into()))
            .number("PEP_COM_OFFSET", abend.offset.unwrap_or(u32::MAX).into())
            .text("PEP_COM_RETURN_CODE", structure.value("PEP_COM_RETURN_OK"))
            .into_bytes()
    }
}
