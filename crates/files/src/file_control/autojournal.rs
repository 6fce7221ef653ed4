//! Automatic journaling: the records that requests write to the user journal of their file (JOURNAL, JNLREAD, JNLUPDATE, JNLADD,
//! JNLSYNC...).
//!
//! The data of a record is the file log and journal block (FLJB) of the customization guide, in big-endian binary:
//! * general: record type u8 · flags u8 (X'80' automatic journal) · file name 8 · reserved 2;
//! * reads, updates and additions: data length u32 · RBA in the base of an ESDS u32, else 0 · key length u16 · reserved 2 · flags u8
//!   (X'40' mass insert, X'08' fixed length) · reserved 3 · key · record;
//! * deletions: RBA u32 · base key length u16 · path key length u16 · flags u8 · reserved 3 · base key · path key.
//!
//! The key is that of the file: the alternate key of a path, or four bytes of RBA or record number. Invariants: a failed request writes
//! nothing, except that JNLADD(BEFORE) is written before the record; with JNLSYNCREAD or JNLSYNCWRITE the request ends when the journal
//! record is durable; journals are independent of units of work.

use crate::file_control::TaskState;
use crate::journaling::Journaling;
use crate::journaling::Record;
use csd::AutomaticJournal;
use exec::condition;
use exec::resp2::file_control as resp2;
use region::clock::now_local;
use region::name::Name8;
use region::{Outcome, Raised, Task};
use vsam::Organization;

/// The event of a request that is journaled: done or about to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    ReadOnly,
    ReadUpdate,
    WriteUpdate,
    WriteAdd { mass_insert: bool },
    WriteAddComplete { mass_insert: bool },
    WriteDelete,
}

/// Types of file control's journal records.
mod record_type {
    pub const READ_ONLY: u8 = 0x80;
    pub const READ_UPDATE: u8 = 0x81;
    pub const WRITE_UPDATE: u8 = 0x82;
    pub const WRITE_ADD: u8 = 0x83;
    pub const WRITE_ADD_COMPLETE: u8 = 0x84;
    pub const WRITE_DELETE: u8 = 0x86;
}

const AUTOMATIC_JOURNAL: u8 = 0x80;
const MASS_INSERT: u8 = 0x40;
const FIXED_LENGTH: u8 = 0x08;

impl Event {
    fn record_type(self) -> u8 {
        match self {
            Event::ReadOnly => record_type::READ_ONLY,
            Event::ReadUpdate => record_type::READ_UPDATE,
            Event::WriteUpdate => record_type::WRITE_UPDATE,
            Event::WriteAdd { .. } => record_type::WRITE_ADD,
            Event::WriteAddComplete { .. } => record_type::WRITE_ADD_COMPLETE,
            Event::WriteDelete => record_type::WRITE_DELETE,
        }
    }

    fn is_mass_insert(self) -> bool {
        matches!(self, Event::WriteAdd { mass_insert: true } | Event::WriteAddComplete { mass_insert: true })
    }

    /// Whether it is journaled, and waited for.
    fn wanted_by(self, journal: &AutomaticJournal) -> Option<bool> {
        let (wanted, sync) = match self {
            Event::ReadOnly => (journal.read_only, journal.sync_read),
            Event::ReadUpdate => (journal.read_update, journal.sync_read),
            Event::WriteUpdate | Event::WriteDelete => (journal.update, journal.sync_write),
            Event::WriteAdd { .. } => (journal.add_before, journal.sync_write),
            Event::WriteAddComplete { .. } => (journal.add_after, journal.sync_write),
        };
        (journal.journal > 0 && wanted).then_some(sync)
    }
}

/// Keys of a record as the block has them, and its RBA in an ESDS.
struct Keys<'a> {
    key: &'a [u8],
    /// For a path: the key of the base, if known.
    base: &'a [u8],
    rba: u32,
}

fn block(event: Event, file: &[u8; 8], keys: &Keys<'_>, record: &[u8], fixed: bool) -> Vec<u8> {
    let mut block = vec![event.record_type(), AUTOMATIC_JOURNAL];
    block.extend_from_slice(file);
    block.extend_from_slice(&[0; 2]);
    let flags = if event.is_mass_insert() { MASS_INSERT } else { 0 } | if fixed { FIXED_LENGTH } else { 0 };
    if event == Event::WriteDelete {
        let (base, path) = if keys.base.is_empty() { (keys.key, &[][..]) } else { (keys.base, keys.key) };
        block.extend_from_slice(&keys.rba.to_be_bytes());
        block.extend_from_slice(&(base.len() as u16).to_be_bytes());
        block.extend_from_slice(&(path.len() as u16).to_be_bytes());
        block.extend_from_slice(&[flags, 0, 0, 0]);
        block.extend_from_slice(base);
        block.extend_from_slice(path);
        return block;
    }
    block.extend_from_slice(&(record.len() as u32).to_be_bytes());
    block.extend_from_slice(&keys.rba.to_be_bytes());
    block.extend_from_slice(&(keys.key.len() as u16).to_be_bytes());
    block.extend_from_slice(&[0, 0, flags, 0, 0, 0]);
    block.extend_from_slice(keys.key);
    block.extend_from_slice(record);
    block
}

/// Journals an event of the request in progress, whose record is in the task's state. `key` identifies the record in the access method: for
/// an ESDS the RBA in eight bytes; `base` the base key of a record deleted through a path.
#[inline]
pub(super) fn journal(task: &mut Task, at: usize, event: Event, key: &[u8], base: &[u8]) -> Outcome {
    match event.wanted_by(&TaskState::of(&task.parts).uses[at].definition.automatic_journal) {
        None => Ok(()),
        Some(sync) => write(task, at, event, (key, base), sync),
    }
}

#[cold]
fn write(task: &mut Task, at: usize, event: Event, (key, base): (&[u8], &[u8]), sync: bool) -> Outcome {
    let region = task.region;
    let used = &TaskState::of(&task.parts).uses[at];
    let attributes = used.file.attributes();
    let entry_sequenced = attributes.organization == Organization::Esds && !attributes.path;
    let rba = if entry_sequenced { key.last_chunk::<4>().map_or(0, |bytes| u32::from_be_bytes(*bytes)) } else { 0 };
    let rba_bytes = rba.to_be_bytes();
    let key = if entry_sequenced { &rba_bytes[..] } else { key };
    let name = region.code_page.encode_name(&used.resource.name);
    let data = block(event, &name, &Keys { key, base, rba }, &TaskState::of(&task.parts).record, used.definition.fixed);
    let journal_name = Name8::new(&format!("DFHJ{:02}", used.definition.automatic_journal.journal));
    let failed = |reason: &str| {
        region.messages.send("DFHLG0772", &[("journal", journal_name.as_str()), ("reason", reason)]);
        Raised::new(condition::IOERR, resp2::INPUT_OUTPUT_ERROR)
    };
    let journal = Journaling::connect(task, journal_name).map_err(|error| failed(&error.to_string()))?;
    let text = region.code_page.text(&data);
    let record = Record {
        time: now_local().0,
        applid: region.applid.as_str().trim_end(),
        journal: journal_name.as_str().trim_end(),
        transid: task.transid.as_str().trim_end(),
        task: task.number,
        user: task.user_id.as_str().trim_end(),
        type_id: "FC",
        prefix: &[],
        data: &data,
        text: &text,
    };
    let (number, full) = journal.write(&record).map_err(|_| failed("it is disabled or has failed"))?;
    if sync || full { journal.force(task, number).map_err(|_| failed("it could not be written")) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_the_documented_layout() {
        let keys = Keys { key: &[1, 2], base: &[], rba: 0 };
        let added = block(Event::WriteAddComplete { mass_insert: true }, b"FILENAME", &keys, &[7, 8, 9], true);
        let mut expected = vec![0x84, 0x80];
        expected.extend_from_slice(b"FILENAME");
        expected.extend_from_slice(&[0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 2, 0, 0, 0x48, 0, 0, 0, 1, 2, 7, 8, 9]);
        assert_eq!(added, expected);
        let keys = Keys { key: &[1, 2], base: &[3, 4, 5], rba: 0 };
        let deleted = block(Event::WriteDelete, b"FILENAME", &keys, &[7, 8, 9], false);
        let mut expected = vec![0x86, 0x80];
        expected.extend_from_slice(b"FILENAME");
        expected.extend_from_slice(&[0, 0, 0, 0, 0, 0, 0, 3, 0, 2, 0, 0, 0, 0, 3, 4, 5, 1, 2]);
        assert_eq!(deleted, expected);
    }
}
