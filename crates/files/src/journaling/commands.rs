//! WRITE JOURNALNAME, WRITE JOURNALNUM, WAIT JOURNALNAME and WAIT JOURNALNUM; JOURNAL and WAIT JOURNAL of earlier releases.

use super::stream::Record;
use super::{Journal, RECORD_BYTES_MAX, SYSTEM_LOG, inquire};
use crate::journaling::Journaling;
use exec::resp2::journaling as resp2;
use exec::{CommandId, command, condition, option};
use region::clock::now_local;
use region::name::Name8;
use region::{Arguments, Handler, Outcome, Raised, Task, raise};
use std::sync::Arc;
use vsam::disk::names::is_plain_name;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::WRITE_JOURNALNAME, write),
        (command::WRITE_JOURNALNUM, write),
        (command::JOURNAL, write),
        (command::WAIT_JOURNALNAME, wait),
        (command::WAIT_JOURNAL, wait),
        (command::WAIT_JOURNALNUM, wait),
        (command::INQUIRE_JOURNALNAME, inquire::inquire),
        (command::SET_JOURNALNAME, inquire::set),
        (command::DISCARD_JOURNALNAME, inquire::discard),
        (command::INQUIRE_JOURNALMODEL, inquire::inquire_model),
        (command::DISCARD_JOURNALMODEL, inquire::discard_model),
        (command::INQUIRE_STREAMNAME, inquire::inquire_stream),
    ]
}

/// JOURNALNAME, or DFHJnn of JOURNALNUM or JFILEID (01 to 99). Programs cannot use the system log as a journal.
fn name_of(arguments: &Arguments) -> Result<Name8, Raised> {
    let name = match arguments.integer(option::JOURNALNUM).or(arguments.integer(option::JFILEID)) {
        Some(number @ 1..=99) => Name8::new(&format!("DFHJ{number:02}")),
        Some(_) => return raise(condition::JIDERR, resp2::NO_JOURNAL),
        None => arguments.name(option::JOURNALNAME)?.unwrap_or_default(),
    };
    match name.as_str().trim_end() {
        "" => raise(condition::JIDERR, resp2::NO_JOURNAL),
        SYSTEM_LOG => raise(condition::JIDERR, resp2::SYSTEM_LOG),
        // "The valid characters for a journal name are the upper-case letters A through Z, the numeric characters 0 through 9, and the
        // special symbols $ @ and #" (WRITE JOURNALNAME).
        other if !is_plain_name(other) => raise(condition::JIDERR, resp2::NO_JOURNAL),
        _ => Ok(name),
    }
}

fn write(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let name = name_of(arguments)?;
    task.set_resource(&name);
    let Some(area) = arguments.area(option::FROM) else { return raise(condition::LENGERR, resp2::RECORD_LENGTH) };
    let length = arguments.integer(option::FLENGTH).or(arguments.integer(option::LENGTH)).unwrap_or(area.length as i64);
    let prefix_area = arguments.area(option::PREFIX);
    let prefix_length = prefix_area.map_or(0, |area| arguments.integer(option::PFXLENG).unwrap_or(area.length as i64));
    if length <= 0 || prefix_length < 0 || length + prefix_length > RECORD_BYTES_MAX as i64 {
        return raise(condition::LENGERR, resp2::RECORD_LENGTH);
    }
    let data = arguments.bytes_of_length(option::FROM, length as usize)?.unwrap_or_default();
    let prefix = arguments.bytes_of_length(option::PREFIX, prefix_length as usize)?.unwrap_or_default();
    let type_id = region.code_page.text(&arguments.bytes_of_length(option::JTYPEID, 2)?.unwrap_or_default());
    let journal = Journaling::connect(task, name).map_err(|error| {
        region.messages.send("DFHLG0772", &[("journal", name.as_str()), ("reason", &error.to_string())]);
        Raised::new(condition::IOERR, resp2::JOURNAL_FAILED)
    })?;
    let text = region.code_page.text(&data);
    let record = Record {
        time: now_local().0,
        applid: region.applid.as_str().trim_end(),
        journal: name.as_str().trim_end(),
        transid: task.transid.as_str().trim_end(),
        task: task.number,
        user: task.user_id.as_str().trim_end(),
        type_id: type_id.trim_end(),
        prefix: &prefix,
        data: &data,
        text: &text,
    };
    let (number, full) = journal.write(&record)?;
    arguments.set_integer(option::REQID, i64::from(number as u32 & 0x7FFF_FFFF));
    // NOSUSPEND is accepted: a full buffer is forced, not waited for to become free.
    if arguments.has(option::WAIT) || full { journal.force(task, number) } else { Ok(()) }
}

/// The low bits of a record number, returned in REQID.
const REQUEST_BITS: u64 = 0x7FFF_FFFF;

/// WAIT: without REQID for everything written so far.
fn wait(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name = name_of(arguments)?;
    task.set_resource(&name);
    let Some(journal): Option<Arc<Journal>> = Journaling::of(task.region).find(name) else {
        return raise(condition::JIDERR, resp2::NO_JOURNAL);
    };
    let written = journal.written();
    let number = match arguments.integer(option::REQID) {
        // A request number names the last record with these low bits.
        Some(id) if id > 0 => {
            let low = written & !REQUEST_BITS | id as u64;
            if low > written { return raise(condition::INVREQ, resp2::REQID) } else { low }
        }
        _ => written,
    };
    journal.force(task, number)
}
