//! The route list in the storage of the program (copybook DFHURLDS, "Route list format").
//!
//! Entries of sixteen bytes: terminal, logical device code, operator, status flag, six blanks. X'FFFE' begins a chain entry with the address of
//! the next entries, X'FFFF' ends the list. Invariant: a list ends after `STEPS_MAX` entries, whatever its chains say.

use super::DESTINATIONS_MAX;
use kernel::storage::{Key, key_at};
use region::name::{Name3, Name4, resized};
use region::storage_access;
use region::{Abend, Raised, Task};

const ENTRY_LENGTH: usize = 16;
const END: [u8; 2] = [0xFF, 0xFF];
const CHAIN: [u8; 2] = [0xFF, 0xFE];
/// Offsets of the items of an entry, and of the address in a chain entry.
const DEVICE_CODE: usize = 4;
const OPERATOR: usize = 6;
const STATUS: usize = 9;
const NEXT: usize = 4;
/// Entries and chain entries of a list.
const STEPS_MAX: usize = 2 * DESTINATIONS_MAX;

/// Bits of the status flag (DFHURLDS).
mod status {
    pub const SKIPPED: u8 = 0x80;
    pub const INVALID_TERMINAL: u8 = 0x40;
    pub const NOT_SUPPORTED: u8 = 0x20;
    pub const OPERATOR_NOT_SIGNED_ON: u8 = 0x10;
    pub const OPERATOR_AT_UNSUPPORTED_TERMINAL: u8 = 0x08;
    pub const INVALID_DEVICE_CODE: u8 = 0x04;
}

/// An entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub terminal: Option<Name4>,
    pub operator: Option<Name3>,
    pub has_device_code: bool,
}

/// What the program is told about an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    flag: u8,
    /// The terminal at which the operator is signed on, which is put into the entry.
    terminal: Option<Name4>,
}

impl Fault {
    const fn skipped(because: u8) -> Self {
        Self { flag: status::SKIPPED | because, terminal: None }
    }

    pub fn no_terminal() -> Self {
        Self::skipped(status::INVALID_TERMINAL)
    }

    pub fn not_supported() -> Self {
        Self::skipped(status::NOT_SUPPORTED)
    }

    pub fn operator_not_signed_on() -> Self {
        Self::skipped(status::OPERATOR_NOT_SIGNED_ON)
    }

    /// The entry names a terminal too: the message waits there for the operator.
    pub fn operator_not_at_terminal() -> Self {
        Self { flag: status::OPERATOR_NOT_SIGNED_ON, terminal: None }
    }

    pub fn operator_elsewhere(terminal: Name4) -> Self {
        Self { terminal: Some(terminal), ..Self::skipped(status::OPERATOR_AT_UNSUPPORTED_TERMINAL) }
    }

    pub fn device_code() -> Self {
        Self::skipped(status::INVALID_DEVICE_CODE)
    }

    /// Neither a terminal nor an operator.
    pub fn format() -> Self {
        Self::skipped(0)
    }
}

/// Goes through the list at an address; sets the flag of each entry that something is wrong with, and clears that of the others.
///
/// # Errors
///
/// Abend ASRA if the list cannot be read or written, AEYD if a chain leads to storage the program cannot write, ABMC if it is too long.
pub fn read(
    task: &mut Task,
    address: usize,
    mut each: impl FnMut(&mut Task, &Entry) -> Result<Option<Fault>, Raised>,
) -> Result<(), Raised> {
    let mut address = address;
    for _ in 0..STEPS_MAX {
        let mut start = [0; 2];
        storage_access::read(address, &mut start)?;
        match start {
            END => return Ok(()),
            CHAIN => {
                let mut next = [0; 4];
                storage_access::read(address + NEXT, &mut next)?;
                address = (u32::from_be_bytes(next) & 0x7FFF_FFFF) as usize;
                check_key(task, address)?;
                continue;
            }
            _ => {}
        }
        let mut bytes = [0; ENTRY_LENGTH];
        storage_access::read(address, &mut bytes)?;
        let fault = each(task, &entry(task, &bytes))?;
        if let Some(terminal) = fault.and_then(|fault| fault.terminal) {
            storage_access::write(address, &task.region.code_page.encode_name(&terminal))?;
        }
        storage_access::write(address + STATUS, &[fault.map_or(0, |fault| fault.flag)])?;
        address += ENTRY_LENGTH;
    }
    let reason = format!("a route list of more than {STEPS_MAX} entries");
    Err(Raised::Abend(Box::new(Abend::new("ABMC").because(reason))))
}

/// The gate has tested the beginning of the list; a chain may lead anywhere.
fn check_key(task: &Task, address: usize) -> Result<(), Raised> {
    if task.region.command_protection && task.runs_in_user_key() && key_at(address) == Some(Key::Cics) {
        let mut abend = Abend::new("AEYD").because(format!("the program cannot write the entries of its route list at {address:X}"));
        abend.storage = Some(address);
        return Err(Raised::Abend(Box::new(abend)));
    }
    Ok(())
}

fn entry(task: &Task, bytes: &[u8; ENTRY_LENGTH]) -> Entry {
    let page = &task.region.code_page;
    let text = |range: std::ops::Range<usize>| {
        let text = page.text(&bytes[range]);
        let trimmed = text.trim_end_matches([' ', '\0']);
        (!trimmed.is_empty()).then(|| trimmed.to_string())
    };
    Entry {
        terminal: text(0..DEVICE_CODE).map(|name| Name4::new(&name)),
        has_device_code: text(DEVICE_CODE..OPERATOR).is_some(),
        operator: text(OPERATOR..STATUS).map(|name| resized(&Name4::new(&name))),
    }
}
