//! ENQ and DEQ.

use super::inquire;
use super::{Lifetime, RESOURCE_BYTES_MAX, Resource};
use crate::enqueue::EnqueueManager;
use crate::{Abend, Arguments, Handler, Outcome, Raised, Task, raise};
use exec::resp2::task_control as resp2;
use exec::{CommandId, command, condition, cvda, option};

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::ENQ, enq),
        (command::DEQ, deq),
        (command::INQUIRE_ENQMODEL, inquire::inquire),
        (command::SET_ENQMODEL, inquire::set),
        (command::DISCARD_ENQMODEL, inquire::discard),
    ]
}

fn resource(arguments: &Arguments) -> Result<Resource, Raised> {
    let Some(area) = arguments.area(option::RESOURCE) else { return raise(condition::INVREQ, resp2::NONE) };
    match arguments.integer(option::LENGTH) {
        None => Ok(Resource::Address(area.address)),
        Some(length) if (1..=RESOURCE_BYTES_MAX).contains(&length) => {
            let bytes = arguments.bytes_of_length(option::RESOURCE, length as usize)?;
            Ok(Resource::Value(bytes.unwrap_or_default()))
        }
        Some(_) => raise(condition::LENGERR, resp2::RESOURCE_LENGTH),
    }
}

fn lifetime(arguments: &Arguments) -> Result<Lifetime, Raised> {
    match arguments.integer(option::MAXLIFETIME) {
        Some(cvda::TASK) => Ok(Lifetime::Task),
        Some(cvda::UOW) => Ok(Lifetime::UnitOfWork),
        Some(_) => raise(condition::INVREQ, resp2::MAXLIFETIME),
        None if arguments.has(option::TASK) => Ok(Lifetime::Task),
        None => Ok(Lifetime::UnitOfWork),
    }
}

fn enq(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let resource = resource(arguments)?;
    let lifetime = lifetime(arguments)?;
    if let Resource::Value(bytes) = &resource
        && !EnqueueManager::of(task.region).models.lock().accept(bytes)
    {
        let abend = Abend::new("ANQE").because("ENQ: the ENQMODEL that matches the resource is not enabled");
        return Err(Raised::Abend(Box::new(abend)));
    }
    // A program that handles ENQBUSY gets it at once instead of waiting.
    let handled = task.handles(arguments, condition::ENQBUSY);
    if task.enqueue(resource, lifetime, arguments.has(option::NOSUSPEND) || handled)? {
        Ok(())
    } else {
        raise(condition::ENQBUSY, resp2::NONE)
    }
}

fn deq(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let resource = resource(arguments)?;
    lifetime(arguments)?;
    task.dequeue(&resource);
    Ok(())
}
