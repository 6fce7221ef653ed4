//! INQUIRE and SET EPADAPTER and EPADAPTERSET, and INQUIRE EPADAPTINSET.

use super::adapter::{Adapter, AdapterSet, Destination};
use crate::browse::browse;
use crate::{Policies, TaskPolicies, signature};
use exec::resp2::event_adapters as resp2;
use exec::{CommandId, OptionId, command, condition, cvda, option};
use region::inquiry::{either, is_browse, step, switch};
use region::{Arguments, Handler, Outcome, Raised, Region, Task, raise};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::INQUIRE_EPADAPTER, inquire),
        (command::INQUIRE_EPADAPTERSET, inquire_set),
        (command::INQUIRE_EPADAPTINSET, inquire_in_set),
        (command::SET_EPADAPTER, set),
        (command::SET_EPADAPTERSET, set_set),
    ]
}

/// The programs that CICS has for queues: of temporary storage, of transient data, and none for a started transaction.
const TS_PROGRAM: &str = "DFHECEAS";
const TD_PROGRAM: &str = "DFHECEAQ";
const TRANSACTION_PROGRAM: &str = "DFHECEAC";
const DEFAULT_TRANSACTION: &str = "CEPR";

/// The signature is that of the bundle.
fn give_signature(region: &Region, arguments: &mut Arguments, bundle: &str) -> Outcome {
    let found = Policies::of(region).bundles.lock().get(bundle).map(|bundle| (bundle.is_created, bundle.installed_at));
    let (is_created, at) = found.unwrap_or((false, SystemTime::UNIX_EPOCH));
    signature::give(region, arguments, "BUNDLE", bundle, either(is_created, cvda::CREATESPI, cvda::GRPLIST), at)?;
    arguments.set_text(option::DEFINESOURCE, bundle)
}

fn status(is_enabled: &AtomicBool) -> i64 {
    either(is_enabled.load(Ordering::Relaxed), cvda::ENABLED, cvda::DISABLED)
}

fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let adapters = &Policies::of(region).adapters;
    let Some(name) = browse(task, arguments, option::EPADAPTER, || adapters.lock().keys().cloned().collect())? else { return Ok(()) };
    let found: Option<Arc<Adapter>> = adapters.lock().get(&name).cloned();
    let Some(adapter) = found else { return raise(condition::NOTFND, resp2::NOT_FOUND) };
    let (kind, program) = match &adapter.destination {
        Destination::TsQueue { .. } => (cvda::TSQUEUE, TS_PROGRAM),
        Destination::TdQueue { .. } => (cvda::TDQUEUE, TD_PROGRAM),
        Destination::Transaction { .. } => (cvda::TRANSTART, TRANSACTION_PROGRAM),
        Destination::Custom { program, .. } => (cvda::CUSTOM, program.as_str().trim_end()),
    };
    let authority = match (adapter.uses_context_user, adapter.user.is_blank()) {
        (true, _) => cvda::CONTEXT,
        (false, true) => cvda::REGION,
        (false, false) => cvda::USERID,
    };
    let format = match adapter.destination {
        Destination::Transaction { .. } => cvda::CCE,
        Destination::Custom { .. } => cvda::NOTAPPLIC,
        Destination::TsQueue { .. } | Destination::TdQueue { .. } => cvda::CFE,
    };
    arguments.set_integers([
        (option::ADAPTERTYPE, kind),
        (option::AUTHORITY, authority),
        (option::DATAFORMAT, format),
        (option::EMITMODE, either(adapter.is_synchronous, cvda::SYNCHRONOUS, cvda::ASYNCHRONOUS)),
        (option::ENABLESTATUS, status(&adapter.is_enabled)),
        (option::INVOKETYPE, either(adapter.is_synchronous, cvda::LINK, cvda::ATTACH)),
        (option::PRIORITY, either(adapter.is_high, cvda::HIGH, cvda::NORMAL)),
        (option::TRANSMODE, either(adapter.is_transactional, cvda::TRANS, cvda::NONTRANS)),
    ]);
    arguments.set_name(option::AUTHUSERID, &adapter.user)?;
    arguments.set_text(option::CONFIGDATA1, &adapter.configuration())?;
    arguments.set_text(option::PROGRAM, program)?;
    let transid = match adapter.is_synchronous {
        true => "",
        false if adapter.transid.is_blank() => DEFAULT_TRANSACTION,
        false => adapter.transid.as_str(),
    };
    arguments.set_text(option::TRANSACTION, transid)?;
    give_signature(region, arguments, &adapter.bundle)
}

fn inquire_set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let sets = &Policies::of(region).adapter_sets;
    let Some(name) = browse(task, arguments, option::EPADAPTERSET, || sets.lock().keys().cloned().collect())? else { return Ok(()) };
    let found: Option<Arc<AdapterSet>> = sets.lock().get(&name).cloned();
    let Some(set) = found else { return raise(condition::NOTFND, resp2::NOT_FOUND) };
    arguments.set_integers([(option::ENABLESTATUS, status(&set.is_enabled)), (option::EPADAPTERNUM, set.adapters.len() as i64)]);
    give_signature(region, arguments, &set.bundle)
}

/// A browse only: the adapters of the set that START names.
fn inquire_in_set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let sets = &Policies::of(task.region).adapter_sets;
    if !is_browse(arguments) {
        return raise(condition::INVREQ, resp2::ONLY_A_BROWSE);
    }
    let name = if arguments.has(option::START) { arguments.text(option::EPADAPTERSET)? } else { None };
    if name.as_ref().is_some_and(|name| !sets.lock().contains_key(name)) {
        return raise(condition::NOTFND, resp2::NOT_FOUND);
    }
    let all = || {
        let sets = sets.lock();
        let meant = sets.values().filter(|set| name.as_ref().is_none_or(|name| *name == set.name));
        meant.flat_map(|set| set.adapters.iter().map(|adapter| (set.name.clone(), adapter.clone()))).collect()
    };
    let Some((set, adapter)) = step(arguments, &mut TaskPolicies::of_mut(&mut task.parts).browses.in_sets, all)? else { return Ok(()) };
    arguments.set_text(option::EPADAPTERSET, &set)?;
    arguments.set_text(option::EPADAPTER, &adapter)
}

/// The status that a SET command asks for.
fn asked(arguments: &Arguments, name_option: OptionId) -> Result<(String, Option<bool>), Raised> {
    let name = arguments.text(name_option)?.unwrap_or_default();
    let enabled = (option::ENABLED, cvda::ENABLED);
    let enables = switch(arguments, option::ENABLESTATUS, enabled, (option::DISABLED, cvda::DISABLED), resp2::ENABLESTATUS)?;
    Ok((name, enables))
}

fn change(is_enabled: Option<&AtomicBool>, enables: Option<bool>) -> Outcome {
    let Some(is_enabled) = is_enabled else { return raise(condition::NOTFND, resp2::NOT_FOUND) };
    if let Some(enables) = enables {
        is_enabled.store(enables, Ordering::Relaxed);
    }
    Ok(())
}

fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let (name, enables) = asked(arguments, option::EPADAPTER)?;
    let adapters = Policies::of(task.region).adapters.lock();
    change(adapters.get(&name).map(|adapter| &adapter.is_enabled), enables)
}

fn set_set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let (name, enables) = asked(arguments, option::EPADAPTERSET)?;
    let sets = Policies::of(task.region).adapter_sets.lock();
    change(sets.get(&name).map(|set| &set.is_enabled), enables)
}
