//! INQUIRE and SET EVENTBINDING, INQUIRE and SET EVENTPROCESS.

use super::{EventBinding, SCHEMA};
use crate::browse::browse;
use crate::event::processing::Status;
use crate::policy::Receiver;
use crate::{Policies, signature};
use exec::resp2::event_bindings as resp2;
use exec::{CommandId, command, condition, cvda, option};
use region::inquiry::{checked, either, switch};
use region::{Arguments, Handler, Outcome, Region, Task, raise};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::SystemTime;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::INQUIRE_CAPDATAPRED, super::inquire::data_predicates),
        (command::INQUIRE_CAPINFOSRCE, super::inquire::sources),
        (command::INQUIRE_CAPOPTPRED, super::inquire::option_predicates),
        (command::INQUIRE_CAPTURESPEC, super::inquire::specification),
        (command::INQUIRE_EVENTBINDING, inquire),
        (command::INQUIRE_EVENTPROCESS, inquire_process),
        (command::SET_EVENTBINDING, set),
        (command::SET_EVENTPROCESS, set_process),
        (command::SIGNAL_EVENT, super::signal::signal),
    ]
}

/// The installed event bindings.
pub fn installed(region: &Region) -> Vec<Arc<EventBinding>> {
    let bundles = Policies::of(region).bundles.lock();
    bundles.values().flat_map(|bundle| &bundle.parts).filter_map(|part| part.content.binding()).cloned().collect()
}

pub fn find(region: &Region, name: &str) -> Option<Arc<EventBinding>> {
    installed(region).into_iter().find(|binding| binding.name == name)
}

fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let names = || installed(region).iter().map(|binding| binding.name.clone()).collect();
    let Some(name) = browse(task, arguments, option::EVENTBINDING, names)? else { return Ok(()) };
    let Some(binding) = find(region, &name) else { return raise(condition::NOTFND, resp2::NOT_FOUND) };
    let (kind, adapter, set) = match &binding.receiver {
        Receiver::Adapter(adapter) => (cvda::EPADAPTER, adapter.as_str(), ""),
        Receiver::Set(set) => (cvda::EPADAPTERSET, "", set.as_str()),
    };
    let is_enabled = binding.is_enabled.load(Ordering::Relaxed);
    arguments.set_integers([(option::ENABLESTATUS, either(is_enabled, cvda::ENABLED, cvda::DISABLED)), (option::EPADAPTERRES, kind)]);
    arguments.set_text(option::EPADAPTER, adapter)?;
    arguments.set_text(option::EPADAPTERSET, set)?;
    arguments.set_text(option::USERTAG, &binding.user_tag)?;
    let found = Policies::of(region).bundles.lock().get(&binding.bundle).map(|bundle| (bundle.is_created, bundle.installed_at));
    let (is_created, at) = found.unwrap_or((false, SystemTime::UNIX_EPOCH));
    signature::give(region, arguments, "BUNDLE", &binding.bundle, either(is_created, cvda::CREATESPI, cvda::GRPLIST), at)?;
    arguments.set_text(option::DEFINESOURCE, &binding.bundle)
}

fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name = arguments.text(option::EVENTBINDING)?.unwrap_or_default();
    let enabled = (option::ENABLED, cvda::ENABLED);
    let enables = switch(arguments, option::ENABLESTATUS, enabled, (option::DISABLED, cvda::DISABLED), resp2::ENABLESTATUS)?;
    let Some(binding) = find(task.region, &name) else { return raise(condition::NOTFND, resp2::NOT_FOUND) };
    if let Some(enables) = enables {
        binding.is_enabled.store(enables, Ordering::Relaxed);
    }
    Ok(())
}

fn inquire_process(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let status = match Policies::of(task.region).processing.status() {
        Status::Started => cvda::STARTED,
        Status::Draining => cvda::DRAINING,
        Status::Stopped => cvda::STOPPED,
    };
    arguments.set_integer(option::EPSTATUS, status);
    let (version, release) = SCHEMA;
    arguments.set_text(option::SCHEMALEVEL, &format!("{version:02}{release:02}"))
}

fn set_process(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let words = [(option::STARTED, cvda::STARTED), (option::DRAIN, cvda::DRAINING), (option::STOPPED, cvda::STOPPED)];
    let status = match checked(arguments, option::EPSTATUS, &words, resp2::EPSTATUS)? {
        Some(cvda::STARTED) => Status::Started,
        Some(cvda::DRAINING) => Status::Draining,
        Some(_) => Status::Stopped,
        None => return Ok(()),
    };
    Policies::of(task.region).processing.set_status(status);
    Ok(())
}
