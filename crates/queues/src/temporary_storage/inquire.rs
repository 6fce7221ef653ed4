//! INQUIRE and SET TSQUEUE and TSQNAME (the same commands under two names), and the view for the region's own transactions.

use super::commands::{delete_queue, delete_shared};
use super::header::{Header, seconds_now};
use super::recoverable;
use super::shared::SharedName;
use super::{QueueName, TemporaryStorage};
use crate::temporary_storage::TaskState;
use exec::resp2::ts_queues as resp2;
use exec::{OptionId, command, condition, cvda, option};
use region::inquiry::{either, step};
use region::name::{Name4, Name8};
use region::recovery_manager::queue_failure;
use region::{Arguments, Outcome, Raised, Region, Task, raise, storage_access};
use std::collections::VecDeque;
use vsam::{Direction, StoreError};

/// A queue as inquiry shows it.
#[derive(Clone, Debug)]
pub struct QueueView {
    pub name: QueueName,
    pub main: bool,
    pub recoverable: bool,
    pub items: u16,
    pub bytes: u64,
    pub shortest: u32,
    pub longest: u32,
    pub transid: Name4,
    pub model: Name8,
    pub expiry_minutes: u32,
    pub seconds_since_use: u64,
}

pub(super) fn view(name: &QueueName, header: &Header, main: bool) -> QueueView {
    QueueView {
        name: *name,
        main,
        recoverable: header.recoverable,
        items: header.items,
        bytes: header.bytes,
        shortest: header.shortest,
        longest: header.longest,
        transid: header.transid,
        model: header.model,
        expiry_minutes: header.expiry_minutes,
        seconds_since_use: seconds_now().saturating_sub(header.used_at),
    }
}

impl TemporaryStorage {
    /// All queues, by name; for recoverable ones the committed state.
    pub fn views(&self, region: &Region) -> Result<Vec<QueueView>, StoreError> {
        let mut views: Vec<QueueView> = self.queues.read().values().map(|queue| view(&queue.name, &queue.header(), queue.main)).collect();
        region.store.scan(&self.tables().headers, Some(&[0]), Direction::Forward, &mut |key, value| {
            if let (Ok(name), Some(header)) = (<QueueName>::try_from(key), Header::decode(value))
                && header.recoverable
            {
                views.push(view(&name, &header, false));
            }
            true
        })?;
        views.sort_by_key(|view| view.name);
        Ok(views)
    }

    pub fn view(&self, region: &Region, name: &QueueName) -> Result<Option<QueueView>, StoreError> {
        if let Some(queue) = self.find(name) {
            return Ok(Some(view(name, &queue.header(), queue.main)));
        }
        let stored = region.store.get(&self.tables().headers, name)?;
        let header = stored.as_deref().and_then(Header::decode).filter(|header| header.recoverable);
        Ok(header.map(|header| view(name, &header, false)))
    }
}

/// The option that holds the name in this form of the command.
fn name_option(arguments: &Arguments) -> OptionId {
    if arguments.has(option::TSQNAME) { option::TSQNAME } else { option::TSQUEUE }
}

fn named(task: &Task, arguments: &Arguments, option: OptionId) -> Result<QueueName, Raised> {
    let mut name = [task.region.code_page.space(); 16];
    if let Some(area) = arguments.area(option).map(|area| area.truncated(16)) {
        storage_access::read(area.address, &mut name[..area.length])?;
    }
    Ok(name)
}

/// The place of the queue by POOLNAME and SYSID: this region, or a pool. A SYSID refers to a pool by a TST TYPE=SHARED entry, and there is
/// no TST.
fn pool_of(task: &Task, arguments: &Arguments) -> Result<Option<Name8>, Raised> {
    let region = task.region;
    if let Some(system) = arguments.name::<4>(option::SYSID)?
        && !region.is_local(system)
    {
        return raise(condition::INVREQ, resp2::SYSID);
    }
    let Some(pool) = arguments.name::<8>(option::POOLNAME)? else { return Ok(None) };
    if !TemporaryStorage::of(region).pool_names().contains(&pool) {
        return raise(condition::POOLERR, resp2::NONE);
    }
    TemporaryStorage::of(region).pools.connect(pool);
    Ok(Some(pool))
}

/// A browse of the queues of this region or of a pool: the names there were at START that are still to come. Names are bytes of any kind.
#[derive(Default)]
pub struct QueueBrowse {
    pool: Option<Name8>,
    left: Option<VecDeque<QueueName>>,
}

/// A step of a browse; POOLNAME of START selects the pool. `None`: there is nothing to show.
fn browsed(task: &mut Task, arguments: &mut Arguments, option: OptionId) -> Result<Option<(Option<Name8>, QueueName)>, Raised> {
    let region = task.region;
    let at = usize::from(arguments.command == command::INQUIRE_TSQNAME);
    let start = arguments.has(option::START);
    let pool = if start { pool_of(task, arguments)? } else { TaskState::of(&task.parts).browses[at].pool };
    let names = if start { names_from(task, arguments, pool)? } else { VecDeque::new() };
    loop {
        let browse = &mut TaskState::of_mut(&mut task.parts).browses[at];
        let Some(name) = step(arguments, &mut browse.left, || names.clone())? else {
            browse.pool = pool;
            return Ok(None);
        };
        // A queue that has gone since START is passed over.
        if find(region, pool, name)?.is_some() {
            arguments.set_bytes(option, &name)?;
            return Ok(Some((pool, name)));
        }
    }
}

/// The names of all queues in their order, from that of AT on.
fn names_from(task: &Task, arguments: &Arguments, pool: Option<Name8>) -> Result<VecDeque<QueueName>, Raised> {
    let region = task.region;
    let storage = &TemporaryStorage::of(region);
    let views = match pool {
        Some(pool) => storage.pools.views(region, pool),
        None => storage.views(region),
    };
    let from = if arguments.has(option::AT) { named(task, arguments, option::AT)? } else { [0; 16] };
    let mut names: Vec<QueueName> = views.map_err(queue_failure)?.iter().map(|view| view.name).filter(|name| *name >= from).collect();
    names.sort_unstable();
    Ok(names.into())
}

/// The queue that a command is for, in a pool or not.
fn find(region: &Region, pool: Option<Name8>, name: QueueName) -> Result<Option<QueueView>, Raised> {
    let storage = &TemporaryStorage::of(region);
    let view = match pool {
        Some(pool) => storage.pools.view(region, SharedName { pool, name }),
        None => storage.view(region, &name),
    };
    view.map_err(queue_failure)
}

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let option = name_option(arguments);
    let browsing = [option::START, option::NEXT, option::END].into_iter().any(|option| arguments.has(option));
    let (pool, name) = if browsing {
        let Some(found) = browsed(task, arguments, option)? else { return Ok(()) };
        found
    } else {
        (pool_of(task, arguments)?, named(task, arguments, option)?)
    };
    let Some(view) = find(task.region, pool, name)? else { return raise(condition::QIDERR, resp2::NOT_FOUND) };
    let numbers = [
        (option::EXPIRYINT, i64::from(view.expiry_minutes.div_ceil(60))),
        (option::EXPIRYINTMIN, i64::from(view.expiry_minutes)),
        (option::FLENGTH, view.bytes as i64),
        (option::LASTUSEDINT, view.seconds_since_use as i64),
        (option::LOCATION, either(view.main, cvda::MAIN, cvda::AUXILIARY)),
        (option::MAXITEMLEN, i64::from(view.longest)),
        (option::MINITEMLEN, i64::from(view.shortest)),
        (option::NUMITEMS, i64::from(view.items)),
        (option::RECOVSTATUS, either(view.recoverable, cvda::RECOVERABLE, cvda::NOTRECOVABLE)),
    ];
    arguments.set_integers(numbers);
    arguments.set_name(option::TRANSID, &view.transid)?;
    arguments.set_name(option::TSMODEL, &view.model)
}

pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let option = name_option(arguments);
    let name = named(task, arguments, option)?;
    let pool = pool_of(task, arguments)?;
    // TSQUEUE has eight bytes: behind them the name is blank.
    let given = if option == option::TSQUEUE { &name[..8] } else { &name[..] };
    if given.iter().all(|byte| *byte == 0) {
        return raise(condition::QIDERR, resp2::NAME);
    }
    let Some(view) = find(task.region, pool, name)? else { return raise(condition::NOTFND, resp2::NOT_FOUND) };
    match arguments.chosen(option::ACTION, &[(option::DELETE, cvda::DELETE)]) {
        Some(cvda::DELETE) => {}
        _ => return raise(condition::INVREQ, resp2::ACTION),
    }
    // With LASTUSEDINT only a queue not used for so long is deleted.
    match arguments.integer(option::LASTUSEDINT) {
        Some(..0) => return raise(condition::INVREQ, resp2::INTERVAL),
        Some(interval) if (view.seconds_since_use as i64) < interval => return raise(condition::INVREQ, resp2::IN_USE),
        _ => {}
    }
    match pool {
        Some(pool) => delete_shared(task, SharedName { pool, name }),
        // An operator's change does not belong to the task's unit of work.
        None if view.recoverable => match recoverable::delete_apart(task, &name) {
            Ok(true) => Ok(()),
            Ok(false) => raise(condition::NOTFND, resp2::NOT_FOUND),
            Err(StoreError::Busy(_)) => raise(condition::INVREQ, resp2::IN_USE),
            Err(error) => Err(queue_failure(error)),
        },
        None => delete_queue(task, &name),
    }
}
