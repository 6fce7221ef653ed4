//! INQUIRE, SET and DISCARD of TRANSACTION and TRANCLASS.

use super::application;
use super::screen_and_timeout;
use crate::figures::ResourceType;
use crate::inquiry::{self, BrowseStep, checked, either};
use crate::interval_control::IntervalControl;
use crate::name::{Name4, Name8};
use crate::statistics::recording;
use crate::transaction_manager::is_supplied;
use crate::{Arguments, Outcome, Raised, Task, raise};
use csd::{Key, Runaway, TransactionDefinition};
use exec::resp2::transactions as resp2;
use exec::{condition, cvda, option};
use kernel::trace::Tracing;

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let transactions = &task.region.transactions();
    let step =
        task.browse_step(arguments, option::TRANSACTION, || transactions.names(), |name: Name4| transactions.find(name).is_some())?;
    let BrowseStep::One(name) = step else { return Ok(()) };
    let Some(transaction) = transactions.find(name) else { return raise(condition::TRANSIDERR, resp2::NO_TRANSACTION) };
    let definition = transaction.definition();
    describe(task, &definition, arguments)?;
    let entry_point = transaction.entry_point();
    let available = match (transaction.is_withheld(), &entry_point) {
        (true, _) => cvda::UNAVAILABLE,
        (false, Some(_)) => cvda::AVAILABLE,
        (false, None) => cvda::NONE,
    };
    arguments.set_integer(option::AVAILSTATUS, available);
    application::give_entry_point(arguments, entry_point.as_deref(), None)?;
    crate::inquiry::give_signature(task.region, arguments, "TRANSACTION", name.as_str(), cvda::GRPLIST)
}

fn describe(task: &Task, definition: &TransactionDefinition, arguments: &mut Arguments) -> Outcome {
    let region_runaway = task.region.dispatcher.runaway().as_millis() as i64;
    let (runaway, runaway_type) = match definition.runaway {
        Runaway::System => (region_runaway, cvda::SYSTEM),
        Runaway::None => (0, cvda::USER),
        Runaway::Milliseconds(value) => (i64::from(value), cvda::USER),
    };
    let local = definition.remote_system.is_blank();
    let (screen_size, read_timeout) = screen_and_timeout(task.region, definition.profile);
    let numbers = [
        (option::BREXIT, cvda::NOTAPPLIC),
        (option::CMDSEC, either(definition.command_security, cvda::CMDSECYES, cvda::CMDSECNO)),
        (option::DTIMEOUT, i64::from(definition.deadlock_timeout_seconds)),
        (option::DUMPING, either(definition.dump, cvda::TRANDUMP, cvda::NOTRANDUMP)),
        (option::INDOUBT, either(definition.indoubt_commit, cvda::COMMIT, cvda::BACKOUT)),
        (option::INDOUBTMINS, i64::from(definition.indoubt_wait_minutes)),
        (option::INDOUBTWAIT, either(definition.indoubt_wait, cvda::WAIT, cvda::NOWAIT)),
        (option::ISOLATEST, either(definition.isolate, cvda::ISOLATE, cvda::NOISOLATE)),
        (option::OTSTIMEOUT, 0),
        (option::PRIORITY, i64::from(definition.priority)),
        (option::PURGEABILITY, either(definition.system_purge, cvda::PURGEABLE, cvda::NOTPURGEABLE)),
        (option::RESSEC, either(definition.resource_security, cvda::RESSECYES, cvda::RESSECNO)),
        (option::ROUTING, either(definition.dynamic, cvda::DYNAMIC, cvda::STATIC)),
        (option::ROUTESTATUS, cvda::NOTROUTABLE),
        (option::RTIMEOUT, read_timeout),
        (option::RUNAWAY, runaway),
        (option::RUNAWAYTYPE, runaway_type),
        (option::SCRNSIZE, screen_size),
        (option::SHUTDOWN, either(definition.shutdown_enabled, cvda::SHUTENABLED, cvda::SHUTDISABLED)),
        (option::STATUS, either(definition.enabled, cvda::ENABLED, cvda::DISABLED)),
        (option::STORAGECLEAR, either(definition.storage_clear, cvda::CLEAR, cvda::NOCLEAR)),
        (option::TASKDATAKEY, either(definition.task_data_key == Key::Cics, cvda::CICSDATAKEY, cvda::USERDATAKEY)),
        (option::TASKDATALOC, either(definition.task_data_anywhere, cvda::ANY, cvda::BELOW)),
        (option::TRACING, tracing_cvda(definition.tracing)),
        (option::TWASIZE, i64::from(definition.twa_bytes)),
    ];
    arguments.set_integers(numbers);
    arguments.set_name(option::PROFILE, &definition.profile)?;
    arguments.set_name(option::PROGRAM, &definition.program)?;
    arguments.set_name(option::TRANCLASS, &definition.tranclass)?;
    arguments.set_name(option::TCLASS, &definition.tranclass)?;
    arguments.set_name(option::REMOTESYSTEM, &definition.remote_system)?;
    arguments.set_name(option::REMOTENAME, if local { &Name8::BLANK } else { &definition.remote_name })?;
    arguments.set_blank(&[option::FACILITYLIKE, option::TRPROF])?;
    Ok(())
}

fn tracing_cvda(tracing: Tracing) -> i64 {
    match tracing {
        Tracing::Standard => cvda::STANTRACE,
        Tracing::Special => cvda::SPECTRACE,
        Tracing::Suppressed => cvda::SPRSTRACE,
    }
}

fn tracing_of(value: i64) -> Tracing {
    match value {
        cvda::SPECTRACE => Tracing::Special,
        cvda::SPRSTRACE => Tracing::Suppressed,
        _ => Tracing::Standard,
    }
}

/// What SET TRANSACTION asks for, checked.
struct Changes {
    status: Option<i64>,
    priority: Option<u64>,
    class: Option<Name8>,
    purge: Option<i64>,
    dump: Option<i64>,
    shutdown: Option<i64>,
    tracing: Option<Tracing>,
    runaway: Option<Runaway>,
}

fn changes(task: &Task, arguments: &Arguments, definition: &TransactionDefinition) -> Result<Changes, Raised> {
    let purge = [(option::PURGEABLE, cvda::PURGEABLE), (option::NOTPURGEABLE, cvda::NOTPURGEABLE)];
    let purge = checked(arguments, option::PURGEABILITY, &purge, resp2::PURGEABILITY)?;
    let status = [(option::ENABLED, cvda::ENABLED), (option::DISABLED, cvda::DISABLED)];
    let status = checked(arguments, option::STATUS, &status, resp2::STATUS)?;
    if status == Some(cvda::DISABLED) && is_supplied(definition) {
        return raise(condition::INVREQ, resp2::SUPPLIED);
    }
    let priority = inquiry::attribute(arguments, option::PRIORITY, ("TRANSACTION", "PRIORITY"), resp2::PRIORITY)?;
    let tracing = [(option::SPECTRACE, cvda::SPECTRACE), (option::SPRSTRACE, cvda::SPRSTRACE), (option::STANTRACE, cvda::STANTRACE)];
    let tracing = checked(arguments, option::TRACING, &tracing, resp2::TRACING)?.map(tracing_of);
    let dump = [(option::TRANDUMP, cvda::TRANDUMP), (option::NOTRANDUMP, cvda::NOTRANDUMP)];
    let dump = checked(arguments, option::DUMPING, &dump, resp2::DUMPING)?;
    let runaway = runaway(arguments)?;
    let shutdown = [(option::SHUTENABLED, cvda::SHUTENABLED), (option::SHUTDISABLED, cvda::SHUTDISABLED)];
    let shutdown = checked(arguments, option::SHUTDOWN, &shutdown, resp2::SHUTDOWN)?;
    let class: Option<Name8> = arguments.name(option::TRANCLASS)?.or(arguments.name(option::TCLASS)?);
    if class.is_some_and(|class| !class.is_blank() && class.as_str() != "DFHTCL00" && task.region.transactions().class(class).is_none()) {
        return raise(condition::INVREQ, resp2::TRANCLASS);
    }
    Ok(Changes { status, priority, class, purge, dump, shutdown, tracing, runaway })
}

/// RUNAWAYTYPE and RUNAWAY: USER goes with a limit, SYSTEM is the region's.
fn runaway(arguments: &Arguments) -> Result<Option<Runaway>, Raised> {
    let kind = [(option::SYSTEM, cvda::SYSTEM), (option::USER, cvda::USER)];
    let kind = checked(arguments, option::RUNAWAYTYPE, &kind, resp2::RUNAWAYTYPE)?;
    let limit = inquiry::attribute(arguments, option::RUNAWAY, ("TRANSACTION", "RUNAWAY"), resp2::RUNAWAY)?.map(Runaway::of_milliseconds);
    match (kind, limit) {
        (Some(cvda::SYSTEM), _) => Ok(Some(Runaway::System)),
        (Some(_), None) => raise(condition::INVREQ, resp2::RUNAWAYTYPE),
        (_, limit) => Ok(limit),
    }
}

pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name4 = arguments.name(option::TRANSACTION)?.unwrap_or_default();
    let Some(transaction) = task.region.transactions().find(name) else { return raise(condition::TRANSIDERR, resp2::NO_TRANSACTION) };
    let Changes { status, priority, class, purge, dump, shutdown, tracing, runaway } = changes(task, arguments, &transaction.definition())?;
    if tracing == Some(Tracing::Special) {
        kernel::trace::use_special();
    }
    transaction.change(|definition| {
        definition.tracing = tracing.unwrap_or(definition.tracing);
        definition.enabled = status.map_or(definition.enabled, |value| value == cvda::ENABLED);
        definition.priority = priority.map_or(definition.priority, |value| value as u8);
        definition.tranclass = class.unwrap_or(definition.tranclass);
        definition.system_purge = purge.map_or(definition.system_purge, |value| value == cvda::PURGEABLE);
        definition.dump = dump.map_or(definition.dump, |value| value == cvda::TRANDUMP);
        definition.shutdown_enabled = shutdown.map_or(definition.shutdown_enabled, |value| value == cvda::SHUTENABLED);
        definition.runaway = runaway.unwrap_or(definition.runaway);
    });
    Ok(())
}

/// DISCARD TRANSACTION: tasks that have begun run on.
pub(super) fn discard(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name4 = arguments.name(option::TRANSACTION)?.unwrap_or_default();
    let region = task.region;
    let Some(transaction) = region.transactions().find(name) else { return raise(condition::TRANSIDERR, resp2::NO_TRANSACTION) };
    if is_supplied(&transaction.definition()) {
        return raise(condition::INVREQ, resp2::DISCARD_SUPPLIED);
    }
    if IntervalControl::of(region).is_scheduled(name) {
        return raise(condition::INVREQ, resp2::DISCARD_SCHEDULED);
    }
    if region.terminals.all().iter().any(|terminal| terminal.is_awaited_by(name)) {
        return raise(condition::INVREQ, resp2::DISCARD_AWAITED);
    }
    let discarded =
        recording::replaced(region, ResourceType::Transaction, name.as_str(), || region.transactions().discard(name).then_some(()));
    // An alias is no name of a definition.
    if discarded.is_none() {
        return raise(condition::TRANSIDERR, resp2::NO_TRANSACTION);
    }
    region.installed.write().remove("TRANSACTION", name.as_str());
    Ok(())
}

pub(super) fn inquire_class(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let transactions = &task.region.transactions();
    let step =
        task.browse_step(arguments, option::TRANCLASS, || transactions.class_names(), |name: Name8| transactions.class(name).is_some())?;
    let BrowseStep::One(name) = step else { return Ok(()) };
    let Some(class) = transactions.class(name) else { return raise(condition::TCIDERR, resp2::NO_CLASS) };
    let statistics = task.region.dispatcher.statistics();
    let figures = statistics.classes.iter().find(|figures| figures.name == name);
    arguments.set_integer(option::ACTIVE, figures.map_or(0, |figures| i64::from(figures.active_current)));
    arguments.set_integer(option::QUEUED, figures.map_or(0, |figures| i64::from(figures.queued_current)));
    arguments.set_integer(option::MAXACTIVE, i64::from(class.active_max));
    arguments.set_integer(option::PURGETHRESH, i64::from(class.purge_threshold));
    arguments.set_integer(option::PURGEACTION, cvda::NOTAPPLIC);
    crate::inquiry::give_signature(task.region, arguments, "TRANCLASS", name.as_str(), cvda::GRPLIST)
}

pub(super) fn set_class(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::TRANCLASS)?.unwrap_or_default();
    let region = task.region;
    let Some(mut class) = region.transactions().class(name) else { return raise(condition::TCIDERR, resp2::NO_CLASS) };
    let active_max = inquiry::attribute(arguments, option::MAXACTIVE, ("TRANCLASS", "MAXACTIVE"), resp2::MAXACTIVE)?;
    let purge_threshold = inquiry::attribute(arguments, option::PURGETHRESH, ("TRANCLASS", "PURGETHRESH"), resp2::PURGETHRESH)?;
    class.active_max = active_max.map_or(class.active_max, |limit| limit as u32);
    class.purge_threshold = purge_threshold.map_or(class.purge_threshold, |limit| limit as u32);
    region.transactions().install_class(&region.dispatcher, class);
    Ok(())
}

/// The class that TCLASS names: a name, or one of the numbers that classes had before they had names. Number 1 is DFHTCL01.
fn numbered_class(name: Name8) -> Name8 {
    match name.as_str().trim().parse::<u8>() {
        Ok(number @ 1..=NUMBERED_CLASSES_MAX) => Name8::new(&format!("DFHTCL{number:02}")),
        _ => name,
    }
}

/// Classes that had numbers ("Transaction class resources").
const NUMBERED_CLASSES_MAX: u8 = 10;

/// INQUIRE TCLASS, for programs that were written before INQUIRE TRANCLASS.
pub(super) fn inquire_numbered_class(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name = numbered_class(arguments.name(option::TCLASS)?.unwrap_or_default());
    let Some(class) = task.region.transactions().class(name) else { return raise(condition::TCIDERR, resp2::NO_CLASS) };
    let statistics = task.region.dispatcher.statistics();
    let figures = statistics.classes.iter().find(|figures| figures.name == name);
    arguments.set_integer(option::CURRENT, figures.map_or(0, |figures| i64::from(figures.active_current)));
    arguments.set_integer(option::MAXIMUM, i64::from(class.active_max));
    Ok(())
}

/// SET TCLASS MAXIMUM: MAXACTIVE of the class.
pub(super) fn set_numbered_class(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name = numbered_class(arguments.name(option::TCLASS)?.unwrap_or_default());
    let region = task.region;
    let Some(mut class) = region.transactions().class(name) else { return raise(condition::TCIDERR, resp2::NO_CLASS) };
    let maximum = inquiry::attribute(arguments, option::MAXIMUM, ("TRANCLASS", "MAXACTIVE"), resp2::MAXIMUM)?;
    class.active_max = maximum.map_or(class.active_max, |limit| limit as u32);
    region.transactions().install_class(&region.dispatcher, class);
    Ok(())
}

/// DISCARD TRANCLASS: no transaction may belong to it, and no task.
pub(super) fn discard_class(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::TRANCLASS)?.unwrap_or_default();
    let region = task.region;
    let transactions = region.transactions();
    if transactions.class(name).is_none() {
        return raise(condition::TCIDERR, resp2::NO_CLASS);
    }
    if transactions.is_class_of_any(name) {
        return raise(condition::INVREQ, resp2::CLASS_HAS_MEMBERS);
    }
    let discard = || transactions.discard_class(&region.dispatcher, name).then_some(());
    if recording::replaced(region, ResourceType::Tranclass, name.as_str(), discard).is_none() {
        return raise(condition::INVREQ, resp2::CLASS_IN_USE);
    }
    region.installed.write().remove("TRANCLASS", name.as_str());
    Ok(())
}
