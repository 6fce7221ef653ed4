//! Random units of work over files, temporary storage, transient data and STARTs.

use crate::Random;
use crate::commands::{Reply, encode, issue, on_file, on_queue};
use crate::doubt;
use crate::model::{BASE, MARKERS, marker_key};
use crate::protocol::{Change, Event};
use crate::report::{AREA_BYTES, condensed, data_of};
use crate::setup::{COUNTER, ENTRY, JOURNAL, POOL_TABLE, SECOND_BASE, TD_LOGICAL, TD_PHYSICAL, TS_QUEUES};
use exec::{command, condition, option};
use region::{Abend, Raised, Task};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const BASE_KEYS: u64 = 40;
const GROUPS: u64 = 6;
const UNIQUES: u64 = 70;
const SLOTS: u64 = 30;
const SLOT_BYTES: usize = 40;
const CHANGES_MAX: u64 = 7;
const DOUBT_ODDS: u64 = 40;
/// The range of unit numbers of a round; numbers are also used by work outside units and by units that do not end.
const ROUND_UNITS: u64 = 100_000;

/// The state shared by the tasks of a round.
pub struct Shared {
    next_unit: AtomicU64,
    /// Units of work that ended, one way or the other.
    pub ended: AtomicU64,
    /// One a round is left in doubt.
    doubted: AtomicBool,
}

impl Shared {
    /// The unit numbers of a round are above those of all earlier rounds.
    pub fn new(round: u64) -> Shared {
        Shared { next_unit: AtomicU64::new(1 + round * ROUND_UNITS), ended: AtomicU64::new(0), doubted: AtomicBool::new(false) }
    }

    pub fn new_unit(&self) -> u64 {
        self.next_unit.fetch_add(1, Ordering::Relaxed)
    }
}

/// A unit of work in the making.
pub struct Unit<'a> {
    pub number: u64,
    random: &'a mut Random,
    changes: Vec<Change>,
    steps: u64,
    /// Its marker is written.
    marked: bool,
}

/// The conditions of a WRITE on a failed disk; with any other condition a marker must not fail.
const DISK_CONDITIONS: [exec::Condition; 3] = [condition::IOERR, condition::NOSPACE, condition::NOTOPEN];

impl<'a> Unit<'a> {
    /// Begins a unit of work with its marker.
    pub fn begin(task: &mut Task, shared: &Shared, random: &'a mut Random) -> Result<Unit<'a>, Raised> {
        let number = shared.new_unit();
        let mut unit = Unit { number, random, changes: Vec::new(), steps: 0, marked: false };
        let key = marker_key(&number.to_string());
        let reply = on_file(task, command::WRITE, MARKERS, |task, call| {
            call.bytes(option::FROM, &encode(task, &format!("{key:16}"))).bytes(option::RIDFLD, &encode(task, &key));
        })?;
        unit.note(&reply, Change::Put { container: MARKERS.into(), key: number.to_string(), value: "x".into() });
        unit.marked = reply.is_normal();
        if !unit.marked && !DISK_CONDITIONS.iter().any(|condition| reply.is(*condition)) {
            Event::Wrong(format!("the marker of unit of work {number} was not written: condition {}", reply.condition)).send();
        }
        Ok(unit)
    }

    fn note(&mut self, reply: &Reply, change: Change) {
        if reply.is_normal() {
            self.changes.push(change);
        }
    }

    pub fn add(&mut self, change: Change) {
        self.changes.push(change);
    }

    /// A token no other datum has.
    fn token(&mut self) -> String {
        self.steps += 1;
        format!("U{}S{}", self.number, self.steps)
    }

    fn data(&mut self) -> String {
        // Long records in some units of work, so that the log advances through its segments quickly.
        let long = if self.number.is_multiple_of(5) { 9 } else { 1 };
        let length = match self.random.below(12) {
            choice if choice < long => self.random.below(3_800),
            _ => self.random.below(60),
        };
        let token = self.token();
        data_of(&token, length as usize)
    }

    /// Reports what is about to be committed, commits, and reports that it is done.
    pub fn commit(self, task: &mut Task, shared: &Shared) -> Result<(), Raised> {
        if !self.marked {
            // Nobody could tell whether it is there.
            issue(task, command::SYNCPOINT_ROLLBACK, |_, _| {})?;
            shared.ended.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
        let doubt = self.random.one_in(DOUBT_ODDS) && !shared.doubted.swap(true, Ordering::Relaxed);
        if doubt {
            doubt::enlist(task, self.number)?;
            // Its syncpoint abends the task.
            shared.ended.fetch_add(1, Ordering::Relaxed);
        }
        Event::Begin { unit: self.number, marked: true, changes: self.changes }.send();
        let reply = issue(task, command::SYNCPOINT, |_, _| {})?;
        if reply.is_normal() {
            Event::Done { unit: self.number }.send();
        }
        shared.ended.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// A task: some units of work one after the other.
pub fn work(task: &mut Task, shared: &Shared, random: &mut Random, physical: bool) -> Result<(), Raised> {
    for _ in 0..1 + random.below(4) {
        if physical && random.one_in(3) {
            write_physical(task, shared)?;
        }
        if physical && random.one_in(2) {
            write_journal(task, shared)?;
        }
        if physical && random.one_in(3) {
            // As the carrier does every second, which most rounds do not reach. On a failed disk later operations fail too.
            let _ = task.region.data_sets.carry_forward_logs();
        }
        let mut unit = Unit::begin(task, shared, random)?;
        for _ in 0..1 + unit.random.below(CHANGES_MAX) {
            one_change(task, &mut unit)?;
        }
        match unit.random.below(16) {
            0 => {
                issue(task, command::SYNCPOINT_ROLLBACK, |_, _| {})?;
                shared.ended.fetch_add(1, Ordering::Relaxed);
            }
            1 => {
                shared.ended.fetch_add(1, Ordering::Relaxed);
                return Err(Raised::Abend(Box::new(Abend::new("TORT"))));
            }
            _ => unit.commit(task, shared)?,
        }
    }
    Ok(())
}

fn one_change(task: &mut Task, unit: &mut Unit<'_>) -> Result<(), Raised> {
    match unit.random.below(19) {
        0..=2 => base_write(task, unit),
        3..=4 => base_rewrite(task, unit),
        5 => base_delete(task, unit),
        6 => delete_by_unique_key(task, unit),
        7 => entry_write(task, unit),
        8 => slot_write(task, unit),
        9 => slot_change(task, unit),
        10..=11 => ts_write(task, unit),
        12 => ts_change(task, unit),
        13 => td_write(task, unit),
        14 => td_read(task, unit),
        15 => start(task, unit),
        16..=17 => pool_change(task, unit),
        _ => take_number(task),
    }
}

fn base_key(random: &mut Random) -> String {
    format!("B{:07}", random.below(BASE_KEYS))
}

/// Group, unique key and data of a record of the base.
fn base_rest(unit: &mut Unit<'_>) -> String {
    let (group, unique) = (unit.random.below(GROUPS), unit.random.below(UNIQUES));
    format!("G{group:03}.U{unique:05}.{}", unit.data())
}

fn base_value(rest: &str) -> String {
    let (front, data) = rest.split_at(12);
    format!("{front}{}", condensed(data))
}

/// One of the two files over the base.
fn base_file(random: &mut Random) -> &'static str {
    if random.one_in(2) { BASE } else { SECOND_BASE }
}

fn base_write(task: &mut Task, unit: &mut Unit<'_>) -> Result<(), Raised> {
    let (key, rest) = (base_key(unit.random), base_rest(unit));
    let reply = on_file(task, command::WRITE, base_file(unit.random), |task, call| {
        call.bytes(option::FROM, &encode(task, &format!("{key}{rest}"))).bytes(option::RIDFLD, &encode(task, &key));
    })?;
    unit.note(&reply, Change::Put { container: BASE.into(), key, value: base_value(&rest) });
    Ok(())
}

fn read_for_update(task: &mut Task, file: &str, id: &[u8], kind: Option<exec::OptionId>) -> Result<Reply, Raised> {
    on_file(task, command::READ, file, |_, call| {
        call.bytes(option::RIDFLD, id).flag(option::UPDATE).bytes(option::INTO, &[0; 4096]).integer(option::LENGTH, 4096);
        if let Some(kind) = kind {
            call.flag(kind);
        }
    })
}

fn base_rewrite(task: &mut Task, unit: &mut Unit<'_>) -> Result<(), Raised> {
    let (key, rest) = (base_key(unit.random), base_rest(unit));
    let (id, file) = (encode(task, &key), base_file(unit.random));
    if !read_for_update(task, file, &id, None)?.is_normal() {
        return Ok(());
    }
    let reply = on_file(task, command::REWRITE, file, |task, call| {
        call.bytes(option::FROM, &encode(task, &format!("{key}{rest}")));
    })?;
    if !reply.is_normal() {
        on_file(task, command::UNLOCK, file, |_, _| {})?;
    }
    unit.note(&reply, Change::Put { container: BASE.into(), key, value: base_value(&rest) });
    Ok(())
}

fn base_delete(task: &mut Task, unit: &mut Unit<'_>) -> Result<(), Raised> {
    let key = base_key(unit.random);
    let reply = on_file(task, command::DELETE, base_file(unit.random), |task, call| {
        call.bytes(option::RIDFLD, &encode(task, &key));
    })?;
    unit.note(&reply, Change::Delete { container: BASE.into(), key });
    Ok(())
}

fn delete_by_unique_key(task: &mut Task, unit: &mut Unit<'_>) -> Result<(), Raised> {
    let alternate = format!("U{:05}", unit.random.below(UNIQUES));
    let id = encode(task, &alternate);
    let found = read_for_update(task, "UNIQUE", &id, None)?;
    if !found.is_normal() {
        return Ok(());
    }
    let key: String = found.text(task, option::INTO).chars().take(8).collect();
    let reply = on_file(task, command::DELETE, "UNIQUE", |_, _| {})?;
    unit.note(&reply, Change::Delete { container: BASE.into(), key });
    Ok(())
}

fn entry_write(task: &mut Task, unit: &mut Unit<'_>) -> Result<(), Raised> {
    let data = unit.data();
    let ridfld = task.level_storage(&[0; 4])?;
    let reply = on_file(task, command::WRITE, ENTRY, |task, call| {
        call.bytes(option::FROM, &encode(task, &data)).area(option::RIDFLD, ridfld, 4).flag(option::RBA);
    })?;
    let rba = region::storage_access::Area::new(ridfld, 4).read()?.iter().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
    unit.note(&reply, Change::Put { container: ENTRY.into(), key: rba.to_string(), value: condensed(&data) });
    Ok(())
}

fn slot(unit: &mut Unit<'_>) -> (u32, String) {
    let number = 1 + unit.random.below(SLOTS) as u32;
    let token = unit.token();
    (number, data_of(&token, SLOT_BYTES))
}

fn slot_write(task: &mut Task, unit: &mut Unit<'_>) -> Result<(), Raised> {
    let (number, data) = slot(unit);
    let reply = on_file(task, command::WRITE, "SLOT", |task, call| {
        call.bytes(option::FROM, &encode(task, &data)).bytes(option::RIDFLD, &number.to_be_bytes()).flag(option::RRN);
    })?;
    unit.note(&reply, Change::Put { container: "SLOT".into(), key: number.to_string(), value: condensed(&data) });
    Ok(())
}

fn slot_change(task: &mut Task, unit: &mut Unit<'_>) -> Result<(), Raised> {
    let (number, data) = slot(unit);
    if !read_for_update(task, "SLOT", &number.to_be_bytes(), Some(option::RRN))?.is_normal() {
        return Ok(());
    }
    let (container, key) = ("SLOT".to_string(), number.to_string());
    if unit.random.one_in(3) {
        let reply = on_file(task, command::DELETE, "SLOT", |_, _| {})?;
        unit.note(&reply, Change::Delete { container, key });
        return Ok(());
    }
    let reply = on_file(task, command::REWRITE, "SLOT", |task, call| {
        call.bytes(option::FROM, &encode(task, &data));
    })?;
    unit.note(&reply, Change::Put { container, key, value: condensed(&data) });
    Ok(())
}

fn ts_queue(random: &mut Random) -> &'static str {
    TS_QUEUES[random.below(TS_QUEUES.len() as u64) as usize]
}

fn ts_write(task: &mut Task, unit: &mut Unit<'_>) -> Result<(), Raised> {
    let queue = ts_queue(unit.random);
    let mut data = unit.data();
    if unit.random.one_in(20) {
        let token = unit.token();
        data = data_of(&token, AREA_BYTES);
    }
    let reply = on_queue(task, command::WRITEQ_TS, queue, |task, call| {
        call.bytes(option::FROM, &encode(task, &data));
    })?;
    unit.note(&reply, Change::Push { container: queue.into(), value: condensed(&data) });
    Ok(())
}

fn ts_change(task: &mut Task, unit: &mut Unit<'_>) -> Result<(), Raised> {
    let queue = ts_queue(unit.random);
    if unit.random.one_in(4) {
        let reply = on_queue(task, command::DELETEQ_TS, queue, |_, _| {})?;
        unit.note(&reply, Change::Clear { container: queue.into() });
        return Ok(());
    }
    let (item, data) = (1 + unit.random.below(6), unit.data());
    let reply = on_queue(task, command::WRITEQ_TS, queue, |task, call| {
        call.bytes(option::FROM, &encode(task, &data)).integer(option::ITEM, item as i64).flag(option::REWRITE);
    })?;
    unit.note(&reply, Change::Replace { container: queue.into(), index: item as usize - 1, value: condensed(&data) });
    Ok(())
}

fn td_queue(random: &mut Random) -> &'static str {
    TD_LOGICAL[random.below(TD_LOGICAL.len() as u64) as usize]
}

fn td_write(task: &mut Task, unit: &mut Unit<'_>) -> Result<(), Raised> {
    let (queue, data) = (td_queue(unit.random), unit.data());
    let reply = on_queue(task, command::WRITEQ_TD, queue, |task, call| {
        call.bytes(option::FROM, &encode(task, &data));
    })?;
    unit.note(&reply, Change::Push { container: queue.into(), value: condensed(&data) });
    Ok(())
}

fn td_read(task: &mut Task, unit: &mut Unit<'_>) -> Result<(), Raised> {
    let queue = td_queue(unit.random);
    for _ in 0..1 + unit.random.below(3) {
        let reply = on_queue(task, command::READQ_TD, queue, |_, call| {
            call.bytes(option::INTO, &[0; AREA_BYTES]).integer(option::LENGTH, AREA_BYTES as i64);
        })?;
        let value = condensed(&reply.text(task, option::INTO));
        unit.note(&reply, Change::Pop { container: queue.into(), value });
    }
    Ok(())
}

/// Writes a record of the table of a pool, or deletes it if it is there.
fn pool_change(task: &mut Task, unit: &mut Unit<'_>) -> Result<(), Raised> {
    let (container, key, data) = (POOL_TABLE.to_string(), base_key(unit.random), unit.data());
    let reply = on_file(task, command::WRITE, POOL_TABLE, |task, call| {
        call.bytes(option::FROM, &encode(task, &format!("{key}{data}"))).bytes(option::RIDFLD, &encode(task, &key));
    })?;
    unit.note(&reply, Change::Put { container: container.clone(), key: key.clone(), value: condensed(&data) });
    if reply.is(condition::DUPREC) {
        let reply = on_file(task, command::DELETE, POOL_TABLE, |task, call| {
            call.bytes(option::RIDFLD, &encode(task, &key));
        })?;
        unit.note(&reply, Change::Delete { container, key });
    }
    Ok(())
}

/// A number of the counter, which no backout returns.
fn take_number(task: &mut Task) -> Result<(), Raised> {
    let reply = issue(task, command::GET_COUNTER, |task, call| {
        call.text(task, option::COUNTER, COUNTER).integer(option::VALUE, 0);
    })?;
    if reply.is_normal() {
        Event::Given { number: reply.call.result(option::VALUE).unwrap_or(0) as u64 }.send();
    }
    Ok(())
}

/// "S" and seven digits of base 36: no two STARTs of a run have the same.
fn request_id(number: u64) -> String {
    let digit = |place: u32| char::from_digit((number / 36u64.pow(place) % 36) as u32, 36).expect("a digit").to_ascii_uppercase();
    std::iter::once('S').chain((0..7).rev().map(digit)).collect()
}

fn start(task: &mut Task, unit: &mut Unit<'_>) -> Result<(), Raised> {
    let id = request_id(unit.number * 10 + unit.steps % 10);
    let data = data_of(&id, 10 + unit.random.below(80) as usize);
    let reply = issue(task, command::START, |task, call| {
        call.text(task, option::TRANSID, "TORW").text(task, option::REQID, &id).flag(option::PROTECT);
        call.flag(option::AFTER).integer(option::HOURS, 90).bytes(option::FROM, &encode(task, &data));
    })?;
    unit.steps += 1;
    unit.note(&reply, Change::Put { container: "START".into(), key: id, value: condensed(&data) });
    Ok(())
}

/// A record of the journal, durable when the command has ended; a backout does not remove it.
fn write_journal(task: &mut Task, shared: &Shared) -> Result<(), Raised> {
    let number = shared.new_unit();
    let data = data_of(&format!("J{number}"), 30);
    let changes = vec![Change::Push { container: JOURNAL.into(), value: condensed(&data) }];
    Event::Begin { unit: number, marked: false, changes }.send();
    let reply = issue(task, command::WRITE_JOURNALNAME, |task, call| {
        call.text(task, option::JOURNALNAME, &format!("{JOURNAL:<8}")).bytes(option::FROM, &encode(task, &data));
        call.integer(option::FLENGTH, data.len() as i64).text(task, option::JTYPEID, "TO").flag(option::WAIT);
    })?;
    if reply.is_normal() {
        Event::Done { unit: number }.send();
    }
    Ok(())
}

/// A change outside units of work, one task's alone: it is durable when the command has ended.
fn write_physical(task: &mut Task, shared: &Shared) -> Result<(), Raised> {
    let number = shared.new_unit();
    let data = data_of(&format!("P{number}"), 30);
    let changes = vec![Change::Push { container: TD_PHYSICAL.into(), value: condensed(&data) }];
    Event::Begin { unit: number, marked: false, changes }.send();
    let reply = on_queue(task, command::WRITEQ_TD, TD_PHYSICAL, |task, call| {
        call.bytes(option::FROM, &encode(task, &data));
    })?;
    if reply.is_normal() {
        Event::Done { unit: number }.send();
    }
    Ok(())
}
