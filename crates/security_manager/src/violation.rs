//! What is told about an access that is refused: DFHXS1111 in the queue of security messages (CSCS), with the codes of the security database.

use crate::esm::Codes;
use crate::manager::Manager;
use region::Region;
use region::facility::Facility;
use region::name::{Name4, Name8};
use security::{Decision, Level};

/// An access that was refused.
pub struct Violation<'a> {
    pub user_id: Name8,
    pub transid: Name4,
    pub facility: &'a Facility,
    pub class: Name8,
    pub resource: &'a str,
    pub intent: Level,
}

impl Violation<'_> {
    /// Tells the operator.
    #[cold]
    pub fn tell(&self, region: &Region, manager: &Manager, decision: &Decision) {
        let codes = Codes::of(decision, self.intent);
        let place = place(manager, self.facility);
        let hexadecimal = |number: u32| format!("{number:08X}");
        let [saf, esm] = [codes.saf, codes.esm].map(hexadecimal);
        let values = [
            ("transid", self.transid.as_str()),
            ("userid", self.user_id.as_str()),
            ("place", place.as_str()),
            ("resource", self.resource),
            ("class", self.class.as_str()),
            ("saf", saf.as_str()),
            ("esm", esm.as_str()),
            ("intent", self.intent.name()),
        ];
        region.messages.send("DFHXS1111", &values);
    }
}

/// Where the user has signed on: "If the userid causing the violation is not signed on or this is a non terminal task, the entry port does not
/// appear in this message". Preset users that share what is kept of them have no terminal of their own (SNPRESET=SHARED).
fn place(manager: &Manager, facility: &Facility) -> String {
    match facility.terminal() {
        Some(terminal) if terminal.is_preset() && manager.settings.shared_preset => String::new(),
        Some(terminal) if terminal.is_signed_on() => format!("at netname {} ", terminal.netname()),
        _ => String::new(),
    }
}
