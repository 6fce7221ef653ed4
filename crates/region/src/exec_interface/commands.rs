//! HANDLE CONDITION, HANDLE AID, HANDLE ABEND, IGNORE CONDITION, PUSH HANDLE, POP HANDLE.

use crate::Task;
use crate::control_blocks::arguments::{Arguments, label_of};
use crate::control_blocks::dispatch::Handler;
use crate::control_blocks::handle::{AbendExit, Action, PUSHED_BYTES};
use crate::control_blocks::raised::{Outcome, raise};
use exec::resp2;
use exec::{CommandId, OptionId, command, condition, option};
use std::sync::OnceLock;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::ASSIGN, super::assign::assign),
        (command::ADDRESS, super::address::address),
        (command::ADDRESS_SET, super::address::address_set),
        (command::HANDLE_CONDITION, handle_condition),
        (command::IGNORE_CONDITION, ignore_condition),
        (command::HANDLE_AID, handle_aid),
        (command::HANDLE_ABEND, handle_abend),
        (command::PUSH_HANDLE, push_handle),
        (command::POP_HANDLE, pop_handle),
    ]
}

fn handle_condition(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let Some(frame) = task.frame else { return Ok(()) };
    for argument in arguments.all() {
        let Some(condition) = exec::condition_by_name(argument.option.name()) else { continue };
        // A condition named without a label reverts to its default action.
        let label = label_of(argument);
        let action = (label != 0).then_some(Action::Label(label));
        task.level_mut().handles.set_condition(frame, condition, action);
    }
    Ok(())
}

fn ignore_condition(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let Some(frame) = task.frame else { return Ok(()) };
    for argument in arguments.all() {
        if let Some(condition) = exec::condition_by_name(argument.option.name()) {
            task.level_mut().handles.set_condition(frame, condition, Some(Action::Ignore));
        }
    }
    Ok(())
}

/// Attention identifiers by the option of HANDLE AID; 0 is ANYKEY.
fn aid_of(option: OptionId) -> Option<u8> {
    static AIDS: OnceLock<Vec<(OptionId, u8)>> = OnceLock::new();
    let aids = AIDS.get_or_init(|| {
        let mut aids = vec![(option::ANYKEY, 0)];
        for (name, aid) in [("CLRPARTN", "DFHCLRP"), ("LIGHTPEN", "DFHPEN"), ("OPERID", "DFHOPID"), ("TRIGGER", "DFHTRIG")] {
            let value = exec::aid::all().iter().find(|row| row.name == aid).map(|row| row.value);
            aids.extend(exec::option_by_name(name).zip(value));
        }
        for row in exec::aid::all() {
            aids.extend(row.name.strip_prefix("DFH").and_then(exec::option_by_name).map(|id| (id, row.value)));
        }
        aids
    });
    aids.iter().find(|(known, _)| *known == option).map(|(_, aid)| *aid)
}

fn handle_aid(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let Some(frame) = task.frame else { return Ok(()) };
    for argument in arguments.all() {
        if let Some(aid) = aid_of(argument.option) {
            task.level_mut().handles.set_aid(frame, aid, label_of(argument));
        }
    }
    Ok(())
}

fn handle_abend(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let Some(frame) = task.frame else { return Ok(()) };
    if let Some(program) = arguments.name(option::PROGRAM)? {
        // PGMIDERR is for this command, not for the abend: a program that cannot be an exit does not become one.
        let context = task.context();
        let application = context.as_ref().and_then(|context| context.application.as_ref());
        task.region.programs().local_for(task.region, application, program)?;
        task.level_mut().handles.set_abend(frame, AbendExit::Program(program));
        return Ok(());
    }
    let handles = &mut task.level_mut().handles;
    if let Some(label) = arguments.label(option::LABEL) {
        handles.set_abend(frame, AbendExit::Label(label));
    } else if arguments.has(option::RESET) {
        handles.reset_abend(frame);
    } else {
        // HANDLE ABEND alone is HANDLE ABEND CANCEL.
        handles.cancel_abend(frame);
    }
    Ok(())
}

fn push_handle(task: &mut Task, _arguments: &mut Arguments) -> Outcome {
    if let Some(frame) = task.frame {
        let charge = task.reserve(PUSHED_BYTES)?;
        task.level_mut().handles.push(frame, charge);
    }
    Ok(())
}

fn pop_handle(task: &mut Task, _arguments: &mut Arguments) -> Outcome {
    let Some(frame) = task.frame else { return Ok(()) };
    if task.level_mut().handles.pop(frame) { Ok(()) } else { raise(condition::INVREQ, resp2::NONE) }
}
