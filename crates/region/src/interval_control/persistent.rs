//! STARTs in the store, which a restart recovers.
//!
//! A START with PROTECT is written in the unit of work that issues it, and removed in the first unit of work of the task it starts; so
//! after a failure before that task's first syncpoint the task is started again. Other STARTs that are not due at an orderly shutdown are
//! kept for the next start. STARTs with a channel are never kept.
//!
//! Layout of a record of table `ic.starts` under the request identifier, big endian: version 1, flags 1 (see `flag`), transaction 4, user
//! 8, due 8 (milliseconds, local), then the optional fields given by the flags, in order: terminal 4, return transaction 4, return terminal
//! 4, queue 8, and the data to the end.

use super::start::StartRequest;
use crate::clock::Abstime;
use crate::interval_control::IntervalControl;
use crate::interval_control::TaskState;
use crate::name::{Name, Name4, Name8};
use crate::{Decision, Raised, Region, StartData, StartType, Task};
use vsam::{Change, Direction, StoreError, Table, ThreadWaiter};

const VERSION: u8 = 1;

mod flag {
    pub const DUE: u8 = 0x01;
    pub const TERMINAL: u8 = 0x02;
    pub const RETURN_TRANSID: u8 = 0x04;
    pub const RETURN_TERMINAL: u8 = 0x08;
    pub const QUEUE: u8 = 0x10;
    pub const DATA: u8 = 0x20;
    pub const HEADER: u8 = 0x40;
    pub const PROTECTED: u8 = 0x80;
}

fn table(region: &Region) -> Result<Table, StoreError> {
    region.store.table("ic.starts")
}

fn encode(request: &StartRequest) -> Vec<u8> {
    let data = &request.data;
    let flags = [
        (flag::DUE, request.due.is_some()),
        (flag::TERMINAL, request.terminal.is_some()),
        (flag::RETURN_TRANSID, data.return_transid.is_some()),
        (flag::RETURN_TERMINAL, data.return_terminal.is_some()),
        (flag::QUEUE, data.queue.is_some()),
        (flag::DATA, data.data.is_some()),
        (flag::HEADER, data.function_management_header),
        (flag::PROTECTED, data.persistent),
    ];
    let flags = flags.into_iter().filter(|(_, given)| *given).fold(0, |flags, (flag, _)| flags | flag);
    let mut bytes = vec![VERSION, flags];
    bytes.extend(request.transid.as_bytes());
    bytes.extend(request.user_id.as_bytes());
    bytes.extend(request.due.map_or(0, |due| due.0).to_be_bytes());
    for name in [request.terminal, data.return_transid, data.return_terminal].into_iter().flatten() {
        bytes.extend(name.as_bytes());
    }
    if let Some(queue) = data.queue {
        bytes.extend(queue.as_bytes());
    }
    bytes.extend(data.data.iter().flatten());
    bytes
}

/// Takes names off the front of a record.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn name<const N: usize>(&mut self) -> Option<Name<N>> {
        let (name, rest) = self.0.split_at_checked(N)?;
        self.0 = rest;
        Some(Name::from_bytes(name))
    }

    fn name_if<const N: usize>(&mut self, given: bool) -> Option<Option<Name<N>>> {
        if given { self.name().map(Some) } else { Some(None) }
    }
}

fn decode(request_id: Name8, bytes: &[u8]) -> Option<StartRequest> {
    let (&[version, flags], rest) = bytes.split_first_chunk::<2>()?;
    if version != VERSION {
        return None;
    }
    let has = |flag: u8| flags & flag != 0;
    let mut reader = Reader(rest);
    let (transid, user_id): (Name4, Name8) = (reader.name()?, reader.name()?);
    let (due, rest) = reader.0.split_first_chunk::<8>()?;
    reader.0 = rest;
    let terminal = reader.name_if(has(flag::TERMINAL))?;
    let data = StartData {
        request_id,
        return_transid: reader.name_if(has(flag::RETURN_TRANSID))?,
        return_terminal: reader.name_if(has(flag::RETURN_TERMINAL))?,
        queue: reader.name_if(has(flag::QUEUE))?,
        data: has(flag::DATA).then(|| reader.0.to_vec()),
        channel: None,
        function_management_header: has(flag::HEADER),
        persistent: has(flag::PROTECTED),
        element: None,
    };
    let due = has(flag::DUE).then(|| Abstime(i64::from_be_bytes(*due)));
    Some(StartRequest { request_id, transid, terminal, user_id, ancestry: None, data, due })
}

/// Before the unit of work ends: its protected STARTs are stored, and those that started this task are removed.
pub(super) fn unit_of_work_ending(task: &mut Task, decision: Decision) -> Result<(), Raised> {
    let nothing = TaskState::of(&task.parts).started_by.is_empty() && TaskState::of(&task.parts).protected.is_empty();
    if decision == Decision::Backout || nothing {
        return Ok(());
    }
    let region = task.region;
    let failed = |error: StoreError| {
        let abend = crate::Abend::new("ASPB").because(format!("STARTs could not be recorded: {error}"));
        Raised::Abend(Box::new(abend))
    };
    let table = table(region).map_err(failed)?;
    for request in &mut TaskState::of_mut(&mut task.parts).protected {
        request.data.persistent = request.data.channel.is_none();
    }
    let unit = task.recovery.unit(&region.store);
    for id in &TaskState::of(&task.parts).started_by {
        unit.delete(&table, id.as_bytes()).map_err(failed)?;
    }
    for request in TaskState::of(&task.parts).protected.iter().filter(|request| request.data.persistent) {
        unit.put(&table, request.request_id.as_bytes(), &encode(request)).map_err(failed)?;
    }
    Ok(())
}

/// Afterwards: the task's own START is complete, whether its work was committed or backed out.
pub(super) fn unit_of_work_over(task: &mut Task, decision: Decision) {
    let started_by = std::mem::take(&mut TaskState::of_mut(&mut task.parts).started_by);
    if decision == Decision::Backout && !started_by.is_empty() && !task.restarting {
        remove(task.region, started_by);
    }
}

/// The task was started by these requests, or has retrieved their data.
pub(super) fn started_by(task: &mut Task, data: &StartData) {
    if data.persistent {
        TaskState::of_mut(&mut task.parts).started_by.push(data.request_id);
        task.touch_unit_of_work();
    }
}

/// Removes a cancelled request from the store, durably when this returns; otherwise a failure would restore it.
pub(super) fn remove_cancelled(task: &Task, id: Name8) -> Result<(), Raised> {
    let (region, waiter) = (task.region, task.waiter());
    let removed = table(region).and_then(|table| {
        let unit = region.store.begin();
        unit.delete(&table, id.as_bytes())?;
        unit.commit(&*waiter)
    });
    removed.map_err(|error| {
        let abend = crate::Abend::new("ASPB").because(format!("the START is still in the store: {error}"));
        Raised::Abend(Box::new(abend))
    })
}

/// Forgets requests that cannot be carried out.
pub(super) fn remove(region: &'static Region, ids: Vec<Name8>) {
    // Called from timers and tasks alike, so the work runs on a separate thread, which may wait.
    region.dispatcher.spawn_blocking(move || {
        let removed = table(region).and_then(|table| {
            let waiter = ThreadWaiter::new();
            let unit = region.store.begin();
            // The deletion is logged; otherwise a failure would restore cancelled requests.
            ids.iter().try_for_each(|id| unit.delete(&table, id.as_bytes()))?;
            unit.commit(&waiter)
        });
        if let Err(error) = removed {
            tracing::warn!(target: "region::ic", %error, "a START could not be removed from the store");
        }
    });
}

/// A unit of work without a task has committed: its STARTs take effect.
pub fn unit_of_work_resolved(region: &'static Region) -> Result<(), StoreError> {
    let table = table(region)?;
    let mut requests = Vec::new();
    region.store.scan(&table, Some(&[0]), Direction::Forward, &mut |key, value| {
        let id = Name8::from_bytes(key);
        if !IntervalControl::of(region).is_pending(id) && region.store.lock_owner(&table, key).is_none() {
            requests.extend(decode(id, value));
        }
        true
    })?;
    // STARTs whose tasks already run are in no table of pending requests: only those not yet due can be recognized.
    let now = crate::clock::now_local();
    for request in requests.into_iter().filter(|request| request.due.is_some_and(|due| due.0 > now.0)) {
        IntervalControl::of(region).schedule(region, request);
    }
    Ok(())
}

/// Keeps requests that are not due for the next start of the region.
pub(super) fn keep(region: &Region, requests: &[StartRequest]) -> Result<(), StoreError> {
    let table = table(region)?;
    let kept = requests.iter().filter(|request| request.data.channel.is_none() && !request.data.persistent);
    let change =
        |request: &StartRequest| Change { table: table.clone(), key: request.request_id.as_bytes().to_vec(), value: Some(encode(request)) };
    let changes: Vec<Change> = kept.map(change).collect();
    if changes.is_empty() { Ok(()) } else { region.store.publish(changes, &ThreadWaiter::new()) }
}

/// Restores the requests the region had to start, when transactions are installed and tasks may run.
pub fn restart(region: &'static Region) -> Result<(), StoreError> {
    let table = table(region)?;
    if StartType::of(region).is_cold() || region.sit.is_alone("ICP", "COLD") {
        return region.store.clear_table(&table);
    }
    let mut requests = Vec::new();
    let mut done = Vec::new();
    region.store.scan(&table, Some(&[0]), Direction::Forward, &mut |key, value| {
        let request = decode(Name8::from_bytes(key), value);
        if request.as_ref().is_none_or(|request| !request.data.persistent) {
            done.push(Change { table: table.clone(), key: key.to_vec(), value: None });
        }
        requests.extend(request);
        true
    })?;
    if !done.is_empty() {
        region.store.publish(done, &ThreadWaiter::new())?;
    }
    for request in requests {
        IntervalControl::of(region).schedule(region, request);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_record_round_trips() {
        let data = StartData {
            request_id: Name8::new("REQ1"),
            data: Some(vec![1, 2, 3]),
            return_terminal: Some(Name4::new("T001")),
            queue: Some(Name8::new("Q")),
            persistent: true,
            ..StartData::default()
        };
        for (due, terminal) in [(Some(Abstime(12_345)), None), (None, Some(Name4::new("T002")))] {
            let request = StartRequest {
                request_id: data.request_id,
                transid: Name4::new("TRAN"),
                terminal,
                user_id: Name8::new("USER"),
                ancestry: None,
                data: data.clone(),
                due,
            };
            let bytes = encode(&request);
            let back = decode(data.request_id, &bytes).unwrap();
            assert_eq!(format!("{back:?}"), format!("{request:?}"));
            assert!(decode(data.request_id, &bytes[..10]).is_none());
        }
    }
}
