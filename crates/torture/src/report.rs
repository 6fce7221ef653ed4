//! The data of a restarted region, reported fact by fact, and read by the commands an application would use.

use crate::commands::{encode, issue, on_file, on_queue, text};
use crate::model::{BASE, BY_GROUP, BY_UNIQUE, MARKER_DIGITS, MARKERS, REPLICA};
use crate::protocol::Event;
use crate::replica;
use crate::setup::{COUNTER, ENTRY, JOURNAL, POOL_TABLE, TD_LOGICAL, TD_PHYSICAL, TS_QUEUES};
use exec::{OptionId, command, condition, option};
use region::{Raised, Task};
use std::path::PathBuf;
use vsam::Direction;

/// Longest record, item or piece of data the work writes, with some spare room.
pub const AREA_BYTES: usize = 32_763;

/// Data of a given length that begins with a token, from which every byte follows.
pub fn data_of(token: &str, length: usize) -> String {
    let front = format!("{token}:{length}:");
    front.chars().chain(token.chars().cycle()).take(length.max(front.len())).collect()
}

/// The short form of such data in the protocol; altered data is shown in full.
pub fn condensed(data: &str) -> String {
    let mut parts = data.splitn(3, ':');
    if let (Some(token), Some(Ok(length)), Some(_)) = (parts.next(), parts.next().map(str::parse::<usize>), parts.next())
        && !token.is_empty()
        && data_of(token, length) == data
    {
        return format!("{token}:{length}");
    }
    let start: String = data.chars().take(60).map(|c| if c.is_ascii_graphic() && c != ';' { c } else { '_' }).collect();
    format!("DAMAGED({},{start})", data.len())
}

/// Tells everything, and `Told`.
pub fn report(task: &mut Task) -> Result<Vec<Event>, Raised> {
    let mut events = Vec::new();
    for (container, key_bytes) in [(MARKERS, MARKER_DIGITS), (BASE, 8), (BY_GROUP, 4), (BY_UNIQUE, 6), (POOL_TABLE, 8)] {
        keyed_file(task, container, key_bytes, &mut events)?;
    }
    numbered_file(task, ENTRY, option::RBA, 0, &mut events)?;
    numbered_file(task, "SLOT", option::RRN, 1, &mut events)?;
    for queue in TS_QUEUES {
        temporary_storage(task, queue, &mut events)?;
    }
    for queue in TD_LOGICAL {
        transient_data(task, queue, &mut events)?;
    }
    // Reading a physically recoverable queue would empty it for good.
    stored_records(task, TD_PHYSICAL, &mut events);
    starts(task, &mut events);
    journal(task, &mut events);
    copy(task, &mut events);
    counter(task, &mut events)?;
    Ok(events)
}

fn keyed_file(task: &mut Task, file: &str, key_bytes: usize, events: &mut Vec<Event>) -> Result<(), Raised> {
    let ridfld = task.level_storage(&vec![0; key_bytes])?;
    let started = on_file(task, command::STARTBR, file, |_, call| {
        call.area(option::RIDFLD, ridfld, key_bytes).integer(option::KEYLENGTH, 0).flag(option::GENERIC);
    })?;
    if started.is(condition::NOTFND) {
        return Ok(());
    }
    let mut reply = started;
    while reply.is_normal() {
        reply = on_file(task, command::READNEXT, file, |_, call| {
            call.area(option::RIDFLD, ridfld, key_bytes).bytes(option::INTO, &[0; 4096]).integer(option::LENGTH, 4096);
        })?;
        if !reply.is_normal() && !reply.is(condition::DUPKEY) {
            break;
        }
        let length = reply.call.result(option::LENGTH).unwrap_or(0) as usize;
        let record = text(task, &reply.call.result_bytes(option::INTO)[..length]);
        let shown = text(task, &region::storage_access::Area::new(ridfld, key_bytes).read()?);
        events.push(base_event(file, &record, &shown));
        reply.condition = 0;
    }
    end_browse(task, file, reply.condition, events)
}

fn end_browse(task: &mut Task, file: &str, ended_by: u16, events: &mut Vec<Event>) -> Result<(), Raised> {
    if ended_by != condition::ENDFILE.0 {
        events.push(Event::Wrong(format!("the browse of {file} ended by condition {ended_by}")));
    }
    on_file(task, command::ENDBR, file, |_, _| {}).map(|_| ())
}

fn base_event(file: &str, record: &str, shown: &str) -> Event {
    let container = file.to_string();
    if file == MARKERS {
        let key = record[..record.len().min(MARKER_DIGITS)].trim_start_matches('0').to_string();
        return Event::Key { container, key, value: "x".into() };
    }
    let (key, rest) = record.split_at(record.len().min(8));
    if file == POOL_TABLE {
        return Event::Key { container, key: key.to_string(), value: condensed(rest) };
    }
    // Group, unique key and data, with the data condensed.
    let (front, data) = rest.split_at(rest.len().min(12));
    let value = format!("{front}{}", condensed(data));
    let key = match file {
        BASE | REPLICA => key.to_string(),
        BY_GROUP => format!("{}/{key}", rest.get(..4).unwrap_or("")),
        _ => format!("{}/{key}", rest.get(5..11).unwrap_or("")),
    };
    if !key.starts_with(shown) {
        return Event::Wrong(format!("{file}: RIDFLD {shown} for record {key}"));
    }
    Event::Key { container, key, value }
}

fn numbered_file(task: &mut Task, file: &str, kind: OptionId, first: u32, events: &mut Vec<Event>) -> Result<(), Raised> {
    let ridfld = task.level_storage(&first.to_be_bytes())?;
    let started = on_file(task, command::STARTBR, file, |_, call| {
        call.area(option::RIDFLD, ridfld, 4).flag(kind).flag(option::GTEQ);
    })?;
    if started.is(condition::NOTFND) {
        return Ok(());
    }
    let mut reply = started;
    while reply.is_normal() {
        reply = on_file(task, command::READNEXT, file, |_, call| {
            call.area(option::RIDFLD, ridfld, 4).flag(kind).bytes(option::INTO, &[0; 4096]).integer(option::LENGTH, 4096);
        })?;
        if reply.is_normal() {
            let length = reply.call.result(option::LENGTH).unwrap_or(0) as usize;
            let record = text(task, &reply.call.result_bytes(option::INTO)[..length]);
            let bytes = region::storage_access::Area::new(ridfld, 4).read()?;
            let number = bytes.iter().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
            events.push(Event::Key { container: file.into(), key: number.to_string(), value: condensed(&record) });
        }
    }
    end_browse(task, file, reply.condition, events)
}

fn temporary_storage(task: &mut Task, queue: &str, events: &mut Vec<Event>) -> Result<(), Raised> {
    for item in 1.. {
        let reply = on_queue(task, command::READQ_TS, queue, |_, call| {
            call.bytes(option::INTO, &[0; AREA_BYTES]).integer(option::LENGTH, AREA_BYTES as i64).integer(option::ITEM, item);
        })?;
        if !reply.is_normal() {
            if !reply.is(condition::ITEMERR) && !reply.is(condition::QIDERR) {
                events.push(Event::Wrong(format!("item {item} of {queue}: condition {}", reply.condition)));
            }
            break;
        }
        events.push(Event::Item { container: queue.into(), value: condensed(&reply.text(task, option::INTO)) });
    }
    Ok(())
}

/// Reads a logically recoverable queue to its end and backs out the reads.
fn transient_data(task: &mut Task, queue: &str, events: &mut Vec<Event>) -> Result<(), Raised> {
    let before = events.len();
    let locked = loop {
        let reply = on_queue(task, command::READQ_TD, queue, |_, call| {
            call.bytes(option::INTO, &[0; AREA_BYTES]).integer(option::LENGTH, AREA_BYTES as i64);
        })?;
        if !reply.is_normal() {
            let locked = reply.is(condition::LOCKED);
            if !reply.is(condition::QZERO) && !locked {
                events.push(Event::Wrong(format!("READQ TD {queue}: condition {}", reply.condition)));
            }
            break locked;
        }
        events.push(Event::Item { container: queue.into(), value: condensed(&reply.text(task, option::INTO)) });
    };
    issue(task, command::SYNCPOINT_ROLLBACK, |_, _| {})?;
    if locked {
        // A unit of work in doubt has an end of the queue.
        events.truncate(before);
        stored_records(task, queue, events);
    }
    Ok(())
}

fn stored_records(task: &Task, queue: &str, events: &mut Vec<Event>) {
    let store = &task.region.store;
    let Some(table) = store.existing_table("td.records") else { return };
    let mut name = queue.as_bytes().to_vec();
    let scanned = store.scan(&table, Some(&name.clone()), Direction::Forward, &mut |key, value| {
        let own = key.starts_with(&name);
        if own {
            events.push(Event::Item { container: queue.into(), value: condensed(&text(task, value)) });
        }
        own
    });
    name.clear();
    if let Err(error) = scanned {
        events.push(Event::Wrong(format!("{queue}: {error}")));
    }
}

/// STARTs that are kept, and pending.
fn starts(task: &Task, events: &mut Vec<Event>) {
    let region = task.region;
    let Some(table) = region.store.existing_table("ic.starts") else { return };
    let scanned = region.store.scan(&table, Some(&[0]), Direction::Forward, &mut |key, value| {
        let id = region::name::Name8::from_bytes(key);
        if !region::interval_control::IntervalControl::of(region).is_pending(id) {
            events.push(Event::Wrong(format!("START {id} is kept and not pending")));
        }
        // The data is the last part of the record and begins with its request identifier.
        let bytes = encode(task, id.as_str());
        let at = value.windows(bytes.len()).position(|window| window == bytes).unwrap_or(0);
        events.push(Event::Key { container: "START".into(), key: id.to_string(), value: condensed(&text(task, &value[at..])) });
        true
    });
    if let Err(error) = scanned {
        events.push(Event::Wrong(format!("STARTs: {error}")));
    }
}

/// The copy that the replication log makes of the base.
fn copy(task: &Task, events: &mut Vec<Event>) {
    match replica::records(task) {
        Ok(records) => events.extend(records.iter().map(|record| base_event(REPLICA, record, ""))),
        Err(why) => events.push(Event::Wrong(why)),
    }
}

/// The next number of the counter, which is created by the first report.
fn counter(task: &mut Task, events: &mut Vec<Event>) -> Result<(), Raised> {
    for command in [command::QUERY_COUNTER, command::DEFINE_COUNTER, command::QUERY_COUNTER] {
        let reply = issue(task, command, |task, call| {
            call.text(task, option::COUNTER, COUNTER);
            if command == command::QUERY_COUNTER {
                call.integer(option::VALUE, 0);
            }
        })?;
        if let Some(number) = reply.call.result(option::VALUE).filter(|_| reply.is_normal()) {
            events.push(Event::Next { number: number as u64 });
            break;
        }
    }
    Ok(())
}

/// The location of this region's journal; opening it has cut an unfinished write.
pub fn journal_path(task: &Task) -> Result<PathBuf, String> {
    let region = task.region;
    let journal =
        files::journaling::Journaling::of(region).obtain(region, region::name::Name8::new(JOURNAL)).map_err(|error| error.to_string())?;
    Ok(region.data_directory.join("journals").join(format!("{}.journal", journal.stream_name.to_lowercase())))
}

fn journal(task: &Task, events: &mut Vec<Event>) {
    let text = journal_path(task).and_then(|path| std::fs::read_to_string(path).map_err(|error| error.to_string()));
    match text {
        Ok(text) => events.extend(text.lines().map(|line| {
            let data = line.split_once(r#""text":""#).and_then(|(_, rest)| rest.split_once('"')).map_or(line, |(data, _)| data);
            Event::Item { container: JOURNAL.into(), value: condensed(data) }
        })),
        Err(why) => events.push(Event::Wrong(format!("the journal: {why}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_known_again_and_damage_shows() {
        for length in [1, 20, 4000] {
            let data = data_of("U17", length);
            assert_eq!(condensed(&data), format!("U17:{length}"));
        }
        let damaged = data_of("U17", 40).replacen('1', "2", 3);
        assert!(condensed(&damaged).starts_with("DAMAGED"));
    }
}
