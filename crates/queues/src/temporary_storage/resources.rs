//! INQUIRE and DISCARD TSMODEL, INQUIRE TSPOOL.

use crate::temporary_storage::TemporaryStorage;
use csd::Prefix;
use exec::resp2::ts_queues as resp2;
use exec::{condition, cvda, option};
use region::inquiry::{BrowseStep, either};
use region::name::Name8;
use region::{Arguments, Outcome, Task, raise};

pub(super) fn inquire_model(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let storage = &TemporaryStorage::of(task.region);
    let step = task.browse_step(arguments, option::TSMODEL, || storage.model_names(), |name: Name8| storage.model_named(name).is_some())?;
    let BrowseStep::One(name) = step else { return Ok(()) };
    let Some(model) = storage.model_named(name) else { return raise(condition::NOTFND, resp2::NO_MODEL) };
    let numbers = [
        (option::EXPIRYINT, i64::from(model.expiry_minutes.div_ceil(60))),
        (option::EXPIRYINTMIN, i64::from(model.expiry_minutes)),
        (option::LOCATION, either(model.main, cvda::MAIN, cvda::AUXILIARY)),
        (option::RECOVSTATUS, either(model.recoverable, cvda::RECOVERABLE, cvda::NOTRECOVABLE)),
        (option::SECURITYST, either(model.security, cvda::SECURITY, cvda::NOSECURITY)),
    ];
    arguments.set_integers(numbers);
    match &model.prefix {
        Prefix::Text(text) => arguments.set_text(option::PREFIX, text)?,
        Prefix::Hexadecimal(bytes) => {
            let mut prefix = [task.region.code_page.space(); 16];
            prefix.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
            arguments.set_bytes(option::PREFIX, &prefix)?;
        }
    }
    arguments.set_text(option::REMOTEPREFIX, "")?;
    arguments.set_name(option::POOLNAME, &model.pool)?;
    arguments.set_name(option::REMOTESYSTEM, &model.remote_system)?;
    region::inquiry::give_signature(task.region, arguments, "TSMODEL", name.as_str(), cvda::GRPLIST)
}

pub(super) fn discard_model(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::TSMODEL)?.unwrap_or_default();
    if !TemporaryStorage::of(task.region).discard_model(name) {
        return raise(condition::NOTFND, resp2::NO_MODEL);
    }
    task.region.installed.write().remove("TSMODEL", name.as_str());
    Ok(())
}

/// A pool is there as soon as a model names it. It is connected with the first request for it.
pub(super) fn inquire_pool(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let storage = &TemporaryStorage::of(task.region);
    let names = storage.pool_names();
    let step = task.browse_step(arguments, option::TSPOOL, || names.clone(), |name: Name8| names.contains(&name))?;
    let BrowseStep::One(name) = step else { return Ok(()) };
    if !names.contains(&name) {
        return raise(condition::NOTFND, resp2::NO_POOL);
    }
    let connected = storage.pools.is_connected(name);
    arguments.set_integer(option::CONNSTATUS, either(connected, cvda::CONNECTED, cvda::UNCONNECTED));
    Ok(())
}
