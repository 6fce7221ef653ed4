//! INQUIRE UOW, UOWENQ and UOWLINK, SET UOW and SET UOWLINK. A browse covers what existed at START.

use super::TaskState;
use crate::control_blocks::unit_of_work::age_seconds;
use crate::enqueue::EnqueueManager;
use crate::inquiry::{checked, either, is_browse, step};
use crate::name::{Name4, Name8};
use crate::recovery_manager::{EndedBy, Owner, network_name, pending_commits};
use crate::resource_manager::Caller;
use crate::user_exits;
use crate::{Arguments, Outcome, Raised, Region, Task, raise};
use exec::resp2::units_of_work as resp2;
use exec::{condition, cvda, option};
use std::collections::VecDeque;
use std::time::Duration;

/// The remaining entries of browses of units of work.
#[derive(Default)]
pub struct Browses {
    units: Option<VecDeque<u64>>,
    enqueues: Option<VecDeque<Enqueue>>,
    links: Option<VecDeque<Link>>,
}

/// One unit of work as INQUIRE UOW shows it.
struct UnitView {
    owner: Owner,
    shunted: bool,
    waiting: bool,
}

fn view_of(region: &Region, id: u64) -> Option<UnitView> {
    if let Some(owner) = region.recovery().owners().into_iter().find(|owner| owner.id == id) {
        return Some(UnitView { owner, shunted: true, waiting: false });
    }
    let shared = region.transactions().tasks().into_iter().find(|task| task.unit_of_work.id() == id)?;
    let state = shared.kernel.lock().as_ref().map(|kernel| kernel.state());
    let owner = Owner {
        id,
        task: shared.number,
        transid: shared.transid,
        terminal: shared.facility.terminal().map(|terminal| terminal.name()).unwrap_or_default(),
        user_id: shared.user_id,
        coordinator: Name8::default(),
        forced_commit: shared.definition.indoubt_commit,
        decide_at: None,
        prepared: Vec::new(),
    };
    Some(UnitView { owner, shunted: false, waiting: state == Some(kernel::RunState::Suspended) })
}

fn unit_ids(region: &Region) -> VecDeque<u64> {
    let mut ids: Vec<u64> = region.recovery().owners().iter().map(|owner| owner.id).collect();
    ids.extend(region.transactions().tasks().iter().map(|task| task.unit_of_work.id()));
    ids.sort_unstable();
    ids.into()
}

fn given_id(arguments: &Arguments) -> Result<Option<u64>, Raised> {
    let Some(bytes) = arguments.bytes_of_length(option::UOW, 8)? else { return Ok(None) };
    Ok(Some(bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte))))
}

pub(super) fn inquire_uow(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let view = if is_browse(arguments) {
        // A unit of work may end between START and NEXT: the next one is shown.
        loop {
            let Some(id) = step(arguments, &mut TaskState::of_mut(&mut task.parts).units.units, || unit_ids(region))? else {
                return Ok(());
            };
            if let Some(view) = view_of(region, id) {
                arguments.set_bytes(option::UOW, &id.to_be_bytes())?;
                break view;
            }
        }
    } else {
        let id = given_id(arguments)?.unwrap_or(0);
        match view_of(region, id) {
            Some(view) => view,
            None => return raise(condition::UOWNOTFOUND, resp2::NO_UNIT),
        }
    };
    let owner = &view.owner;
    let waiting = either(view.waiting, cvda::WAITING, cvda::ACTIVE);
    let values = [
        (option::AGE, age_seconds(owner.id) as i64),
        (option::TASKID, i64::from(owner.task)),
        (option::UOWSTATE, either(view.shunted, cvda::INDOUBT, cvda::INFLIGHT)),
        (option::WAITSTATE, if view.shunted { cvda::SHUNTED } else { waiting }),
        // A last agent is reached through the resource manager interface.
        (option::WAITCAUSE, either(view.shunted, cvda::RMI, cvda::NOTAPPLIC)),
    ];
    arguments.set_integers(values);
    arguments.set_bytes(option::NETUOWID, &network_name(region, owner.id))?;
    arguments.set_name(option::LINK, &owner.coordinator)?;
    arguments.set_text(option::NETNAME, "")?;
    arguments.set_text(option::OTSTID, "")?;
    arguments.set_text(option::SYSID, "")?;
    arguments.set_name(option::TERMID, &owner.terminal)?;
    arguments.set_name(option::TRANSID, &owner.transid)?;
    arguments.set_name(option::USERID, &owner.user_id)
}

pub(super) fn set_uow(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let id = given_id(arguments)?.unwrap_or(0);
    let Some(view) = view_of(region, id) else { return raise(condition::UOWNOTFOUND, resp2::NO_UNIT) };
    let keywords = [(option::COMMIT, cvda::COMMIT), (option::BACKOUT, cvda::BACKOUT), (option::FORCE, cvda::FORCE)];
    let commit = match arguments.chosen(option::UOWSTATE, &keywords) {
        Some(cvda::COMMIT) => true,
        Some(cvda::BACKOUT) => false,
        Some(cvda::FORCE) => view.owner.forced_commit,
        _ => return raise(condition::INVREQ, resp2::UOWSTATE),
    };
    if !view.shunted {
        return raise(condition::INVREQ, resp2::NOT_IN_DOUBT);
    }
    match region.recovery().resolve(&mut Caller::Task(task), id, commit, EndedBy::Operator) {
        Ok(true) => Ok(()),
        Ok(false) => raise(condition::UOWNOTFOUND, resp2::NO_UNIT),
        Err(error) => {
            tracing::error!(target: "region::rm", %error, "SET UOW");
            raise(condition::INVREQ, resp2::NOT_IN_DOUBT)
        }
    }
}

/// A lock or enqueue, and its owner or waiter.
struct Enqueue {
    id: u64,
    transid: Name4,
    task: u32,
    is_owner: bool,
    retained: bool,
    kind: i64,
    /// ENQSCOPE; blank: of this region.
    scope: Name4,
    resource: Vec<u8>,
    qualifier: Vec<u8>,
    /// How long it has been owned, waited for or retained.
    duration: Duration,
}

/// The kind of a table of the store, the resource it belongs to, and the part of a key that names the resource.
fn locked_resource(region: &Region, table: &str, key: &[u8]) -> (i64, Vec<u8>, Vec<u8>) {
    match table {
        "td.locks" => (cvda::TDQUEUE, region.code_page.encode(&String::from_utf8_lossy(&key[..key.len().min(4)])), Vec::new()),
        "ts.headers" => (cvda::TSQUEUE, key.to_vec(), Vec::new()),
        _ => {
            let name = region.data_sets.name_of_table(table).unwrap_or_else(|| table.to_string());
            (cvda::DATASET, region.code_page.encode(&name), key.to_vec())
        }
    }
}

/// The selection in START of a browse of enqueues.
struct Wanted {
    unit: Option<u64>,
    resource: Option<Vec<u8>>,
    scope: Option<Name4>,
}

impl Wanted {
    fn has(&self, row: &Enqueue) -> bool {
        self.unit.is_none_or(|unit| unit == row.id)
            && self.resource.as_ref().is_none_or(|resource| *resource == row.resource)
            && self.scope.is_none_or(|scope| scope == row.scope)
    }
}

fn enqueues(region: &Region, wanted: &Wanted) -> VecDeque<Enqueue> {
    let tasks = region.transactions().tasks();
    let tables = region.store.table_names();
    let by_number: Vec<(vsam::store::TableId, String)> =
        tables.into_iter().filter_map(|name| region.store.existing_table(&name).map(|table| (table.id(), name))).collect();
    let holder = |unit: vsam::UnitId| {
        let task = tasks.iter().find(|task| task.unit_of_work.store_unit() == Some(unit));
        task.map(|task| (task.unit_of_work.id(), task.transid, task.number))
            .or_else(|| region.recovery().owner_of(unit).map(|owner| (owner.id, owner.transid, owner.task)))
    };
    let mut rows = VecDeque::new();
    for lock in region.store.locks() {
        let name = by_number.iter().find(|(id, _)| *id == lock.table).map_or("", |(_, name)| name);
        let (kind, resource, qualifier) = locked_resource(region, name, &lock.key);
        let waiters = lock.waiters.iter().map(|(unit, duration)| (*unit, *duration, false));
        for (unit, duration, is_owner) in [(lock.owner, lock.held_for, true)].into_iter().chain(waiters) {
            if let Some((id, transid, task)) = holder(unit) {
                let (resource, qualifier, retained) = (resource.clone(), qualifier.clone(), lock.retained && is_owner);
                let scope = Name4::BLANK;
                rows.push_back(Enqueue { id, transid, task, is_owner, retained, kind, scope, resource, qualifier, duration });
            }
        }
    }
    for enqueue in EnqueueManager::of(region).inquire() {
        let (kind, resource) = match &enqueue.resource {
            crate::enqueue::Resource::Value(bytes) => (cvda::EXECENQ, bytes.clone()),
            crate::enqueue::Resource::Address(address) => (cvda::EXECENQADDR, (*address as u32).to_be_bytes().to_vec()),
        };
        let waiting = enqueue.waiting.iter().map(|(task, duration)| (*task, *duration, false));
        for (number, duration, is_owner) in [(enqueue.owner, enqueue.held_for, true)].into_iter().chain(waiting) {
            if let Some(task) = tasks.iter().find(|task| task.number == number) {
                let (id, transid, resource, scope) = (task.unit_of_work.id(), task.transid, resource.clone(), enqueue.scope);
                let (retained, qualifier) = (false, Vec::new());
                rows.push_back(Enqueue { id, transid, task: number, is_owner, retained, kind, scope, resource, qualifier, duration });
            }
        }
    }
    rows.retain(|row| wanted.has(row));
    rows
}

pub(super) fn inquire_uowenq(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let start = arguments.has(option::START);
    let unit = if start { given_id(arguments)? } else { None };
    let resource = match arguments.integer(option::RESLEN) {
        Some(length) if start => arguments.bytes_of_length(option::RESOURCE, length.max(0) as usize)?,
        None if start => arguments.bytes(option::RESOURCE)?,
        _ => None,
    };
    if let Some(unit) = unit
        && view_of(region, unit).is_none()
    {
        return raise(condition::UOWNOTFOUND, resp2::NO_UNIT);
    }
    let wanted = Wanted { unit, resource, scope: if start { arguments.name(option::ENQSCOPE)? } else { None } };
    let row = step(arguments, &mut TaskState::of_mut(&mut task.parts).units.enqueues, || enqueues(region, &wanted))?;
    let Some(row) = row else { return Ok(()) };
    let values = [
        (option::TASKID, i64::from(row.task)),
        (option::DURATION, row.duration.as_secs() as i64),
        (option::ENQFAILS, 0),
        (option::RELATION, either(row.is_owner, cvda::OWNER, cvda::WAITER)),
        (option::STATE, either(row.retained, cvda::RETAINED, cvda::ACTIVE)),
        (option::TYPE, row.kind),
        (option::RESLEN, row.resource.len() as i64),
        (option::QUALLEN, row.qualifier.len() as i64),
    ];
    arguments.set_integers(values);
    arguments.set_bytes(option::UOW, &row.id.to_be_bytes())?;
    arguments.set_bytes(option::NETUOWID, &network_name(region, row.id))?;
    arguments.set_bytes(option::RESOURCE, &row.resource)?;
    arguments.set_bytes(option::QUALIFIER, &row.qualifier)?;
    arguments.set_name(option::TRANSID, &row.transid)
}

/// A resource manager's part in a unit of work that has not ended everywhere.
#[derive(Clone)]
struct Link {
    id: u64,
    manager: Name8,
    /// The manager decides.
    coordinator: bool,
}

impl Link {
    /// The token of the link, the same as long as it exists: a hash (FNV-1a) of what it links.
    fn token(&self) -> u32 {
        const OFFSET_BASIS: u32 = 0x811C_9DC5;
        const PRIME: u32 = 0x0100_0193;
        let bytes = self.id.to_be_bytes().into_iter().chain(self.manager.as_str().bytes()).chain([u8::from(self.coordinator)]);
        bytes.fold(OFFSET_BASIS, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(PRIME))
    }
}

fn links(region: &Region) -> VecDeque<Link> {
    let mut links = VecDeque::new();
    let mut add = |id, manager, coordinator| links.push_back(Link { id, manager, coordinator });
    for owner in region.recovery().owners() {
        add(owner.id, owner.coordinator, true);
        owner.prepared.iter().for_each(|manager| add(owner.id, *manager, false));
    }
    // Commands that need an unreadable store report the error.
    for (id, managers) in pending_commits(region).unwrap_or_default() {
        managers.iter().for_each(|manager| add(id, *manager, false));
    }
    links
}

/// The link that UOWLINK names.
fn named_link(region: &Region, arguments: &Arguments) -> Result<Link, Raised> {
    let bytes = arguments.bytes_of_length(option::UOWLINK, 4)?.unwrap_or_default();
    let link = links(region).into_iter().find(|link| link.token().to_be_bytes()[..] == bytes[..]);
    link.ok_or(Raised::new(condition::UOWLNOTFOUND, resp2::NO_LINK))
}

/// SET UOWLINK deletes a link to a system that has been started cold. The links of this region are those of resource managers, whose units of
/// work RESYNC ends.
pub(super) fn set_uowlink(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let action = checked(arguments, option::ACTION, &[(option::DELETE, cvda::DELETE)], resp2::LINK_ACTION)?;
    named_link(task.region, arguments)?;
    if action.is_some() { raise(condition::INVREQ, resp2::LINK_NOT_DELETED) } else { Ok(()) }
}

pub(super) fn inquire_uowlink(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let link = if is_browse(arguments) {
        step(arguments, &mut TaskState::of_mut(&mut task.parts).units.links, || links(region))?
    } else {
        Some(named_link(region, arguments)?)
    };
    let Some(link) = link else { return Ok(()) };
    let reached = region.recovery().managers.find(link.manager).is_some();
    let values = [
        (option::PROTOCOL, cvda::NOTAPPLIC),
        (option::ROLE, either(link.coordinator, cvda::COORDINATOR, cvda::SUBORDINATE)),
        (option::TYPE, cvda::RMI),
        (option::RESYNCSTATUS, either(reached, cvda::OK, cvda::UNAVAILABLE)),
        (option::PORT, 0),
    ];
    arguments.set_integers(values);
    arguments.set_bytes(option::UOWLINK, &link.token().to_be_bytes())?;
    arguments.set_bytes(option::UOW, &link.id.to_be_bytes())?;
    arguments.set_bytes(option::NETUOWID, &network_name(region, link.id))?;
    arguments.set_name(option::LINK, &link.manager)?;
    let qualifier = user_exits::qualifier(region, link.id, link.manager).filter(|bytes| bytes.iter().any(|byte| *byte != 0));
    arguments.set_blank(&[option::RMIQFY])?;
    arguments.set_bytes(option::RMIQFY, &qualifier.unwrap_or_default())?;
    arguments.set_blank(&[option::HOST, option::BRANCHQUAL, option::SYSID, option::URID, option::XID])?;
    Ok(())
}
