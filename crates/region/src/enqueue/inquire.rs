//! INQUIRE, SET and DISCARD ENQMODEL.

use super::model::{Refused, Status};
use crate::enqueue::EnqueueManager;
use crate::inquiry::{BrowseStep, give_signature};
use crate::name::Name8;
use crate::{Arguments, Outcome, Raised, Task, raise};
use exec::resp2::enqmodels as resp2;
use exec::{condition, cvda, option};

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let enqueues = &EnqueueManager::of(region);
    let step = task.browse_step(
        arguments,
        option::ENQMODEL,
        || enqueues.models.lock().names(),
        |name: Name8| enqueues.models.lock().find(name).is_some(),
    )?;
    let BrowseStep::One(name) = step else { return Ok(()) };
    let Some(model) = enqueues.models.lock().find(name).cloned() else { return raise(condition::NOTFND, resp2::NO_MODEL) };
    let status = match model.status {
        Status::Enabled => cvda::ENABLED,
        Status::Disabled => cvda::DISABLED,
        Status::Waiting(_) => cvda::WAITING,
    };
    arguments.set_integer(option::STATUS, status);
    arguments.set_text(option::ENQNAME, &model.definition.enq_name)?;
    arguments.set_name(option::ENQSCOPE, &model.definition.scope)?;
    give_signature(region, arguments, "ENQMODEL", name.as_str(), cvda::GRPLIST)
}

pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::ENQMODEL)?.unwrap_or_default();
    let keywords = [(option::ENABLED, cvda::ENABLED), (option::DISABLED, cvda::DISABLED)];
    let enabled = match arguments.chosen(option::STATUS, &keywords) {
        Some(cvda::ENABLED) => true,
        Some(cvda::DISABLED) => false,
        Some(_) => return raise(condition::INVREQ, resp2::STATUS_CVDA),
        None => {
            return if EnqueueManager::of(task.region).models.lock().find(name).is_some() {
                Ok(())
            } else {
                raise(condition::NOTFND, resp2::NO_MODEL)
            };
        }
    };
    let refused = EnqueueManager::of(task.region).change_models(|models| models.set(name, enabled));
    refused.map_err(|refused| {
        if let Refused::Nested(by) = refused {
            task.region.messages.send("DFHNQ0107", &[("model", name.as_str()), ("other", by.as_str())]);
        }
        raised(refused)
    })
}

pub(super) fn discard(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let name: Name8 = arguments.name(option::ENQMODEL)?.unwrap_or_default();
    EnqueueManager::of(region).change_models(|models| models.discard(name)).map_err(raised)?;
    region.installed.write().remove("ENQMODEL", name.as_str());
    Ok(())
}

fn raised(refused: Refused) -> Raised {
    match refused {
        Refused::NotInstalled => Raised::new(condition::NOTFND, resp2::NO_MODEL),
        Refused::Nested(_) => Raised::new(condition::INVREQ, resp2::MORE_GENERIC_ENABLED),
        Refused::Waiting => Raised::new(condition::INVREQ, resp2::WAITING),
    }
}
