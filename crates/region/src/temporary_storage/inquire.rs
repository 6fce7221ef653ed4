//! INQUIRE and SET TSQUEUE and TSQNAME (the same commands under two names), and the view for the region's own transactions.

use super::commands::delete_queue;
use super::header::{Header, seconds_now};
use super::{QueueName, TemporaryStorage};
use crate::recovery_manager::queue_failure;
use crate::exec_interface::{Arguments, Outcome, Raised, raise};
use crate::name::{Name4, Name8, Name16};
use crate::region::Region;
use crate::storage_access;
use crate::system_programming::{BrowseStep, chosen};
use crate::transaction_manager::Task;
use exec::{OptionId, condition, cvda, option};
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

fn view(name: &QueueName, header: &Header, main: bool) -> QueueView {
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
    /// All queues, by name; of recoverable ones what is committed.
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

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let storage = &region.temporary_storage;
    let option = name_option(arguments);
    let browsing = [option::START, option::NEXT, option::END].into_iter().any(|option| arguments.has(option));
    let name = if browsing {
        // Names travel through the browse as text: a name that is not text is passed over.
        let views = storage.views(region).map_err(queue_failure)?;
        let text = |view: &QueueView| region.code_page.name::<16>(&view.name);
        let step = task.browse_step(
            arguments,
            option,
            || views.iter().map(text).collect(),
            |name: Name16| views.iter().any(|view| text(view) == name),
        )?;
        let BrowseStep::One(name) = step else { return Ok(()) };
        region.code_page.encode_name(&name)
    } else {
        named(task, arguments, option)?
    };
    let Some(view) = storage.view(region, &name).map_err(queue_failure)? else { return raise(condition::QIDERR, 1) };
    let numbers = [
        (option::EXPIRYINT, i64::from(view.expiry_minutes.div_ceil(60))),
        (option::EXPIRYINTMIN, i64::from(view.expiry_minutes)),
        (option::FLENGTH, view.bytes as i64),
        (option::LASTUSEDINT, view.seconds_since_use as i64),
        (option::LOCATION, if view.main { cvda::MAIN } else { cvda::AUXILIARY }),
        (option::MAXITEMLEN, i64::from(view.longest)),
        (option::MINITEMLEN, i64::from(view.shortest)),
        (option::NUMITEMS, i64::from(view.items)),
        (option::RECOVSTATUS, if view.recoverable { cvda::RECOVERABLE } else { cvda::NOTRECOVABLE }),
    ];
    for (option, value) in numbers {
        arguments.set_integer(option, value);
    }
    arguments.set_name(option::TRANSID, &view.transid)?;
    arguments.set_name(option::TSMODEL, &view.model)
}

pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let option = name_option(arguments);
    let name = named(task, arguments, option)?;
    let region = task.region;
    let view = region.temporary_storage.view(region, &name).map_err(queue_failure)?;
    let Some(view) = view else { return raise(condition::QIDERR, 1) };
    match chosen(arguments, option::ACTION, &[(option::DELETE, cvda::DELETE)]) {
        Some(cvda::DELETE) => {}
        _ => return raise(condition::INVREQ, 1),
    }
    // With LASTUSEDINT only a queue not used for so long is deleted.
    if arguments.integer(option::LASTUSEDINT).is_some_and(|interval| (view.seconds_since_use as i64) < interval) {
        return raise(condition::INVREQ, 5);
    }
    delete_queue(task, &name)
}

pub(super) fn inquire_model(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let storage = &task.region.temporary_storage;
    let step = task.browse_step(arguments, option::TSMODEL, || storage.model_names(), |name: Name8| storage.model_named(name).is_some())?;
    let BrowseStep::One(name) = step else { return Ok(()) };
    let Some(model) = storage.model_named(name) else { return raise(condition::NOTFND, 1) };
    let numbers = [
        (option::EXPIRYINT, i64::from(model.expiry_minutes.div_ceil(60))),
        (option::EXPIRYINTMIN, i64::from(model.expiry_minutes)),
        (option::LOCATION, if model.main { cvda::MAIN } else { cvda::AUXILIARY }),
        (option::RECOVSTATUS, if model.recoverable { cvda::RECOVERABLE } else { cvda::NOTRECOVABLE }),
        (option::SECURITYST, cvda::NOSECURITY),
    ];
    for (option, value) in numbers {
        arguments.set_integer(option, value);
    }
    arguments.set_text(option::PREFIX, &String::from_utf8_lossy(&model.prefix))?;
    arguments.set_text(option::REMOTEPREFIX, "")?;
    arguments.set_name(option::POOLNAME, &model.pool)?;
    arguments.set_name(option::REMOTESYSTEM, &model.remote_system)?;
    crate::system_programming::give_signature(task.region, arguments, "TSMODEL", name.as_str(), cvda::GRPLIST)
}

pub(super) fn discard_model(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::TSMODEL)?.unwrap_or_default();
    if !task.region.temporary_storage.discard_model(name) {
        return raise(condition::NOTFND, 1);
    }
    task.region.installed.write().remove("TSMODEL", name.as_str());
    Ok(())
}
