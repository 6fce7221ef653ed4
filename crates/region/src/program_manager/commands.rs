//! LINK, XCTL, RETURN, LOAD, RELEASE and ABEND.

use super::TaskState;
use super::invoke::invoke;
use super::run::{LinkRequest, RunsAs, run_level};
use crate::channel::Channel;
use crate::facility::NextTransaction;
use crate::name::{Name4, Name8};
use crate::program_manager::Leaving;
use crate::storage_access::{self, Area};
use crate::{Abend, Arguments, Handler, Outcome, Raised, Task, raise};
use exec::resp2::program_control as resp2;
use exec::{CommandId, command, condition, eib, option};
use kernel::storage::{Getmain, Line};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Longest communication area.
const COMMAREA_BYTES_MAX: i64 = 32_763;
/// Longest message that INPUTMSG passes.
const INPUT_MESSAGE_BYTES_MAX: i64 = 32_767;
/// Longest program whose length LOAD can return in LENGTH.
const LOADED_BYTES_MAX: usize = 32_767;
/// The first address of 31-bit storage.
const LINE_16M: usize = 16 << 20;
/// The first address beyond 31-bit storage.
const LINE_2G: usize = 2 << 30;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::LINK, link),
        (command::INVOKE_APPLICATION, invoke),
        (command::XCTL, xctl),
        (command::RETURN, return_),
        (command::LOAD, load),
        (command::RELEASE, release),
        (command::ABEND, abend),
    ]
}

/// The communication area of a command, checked.
pub(super) fn commarea(arguments: &Arguments) -> Result<Area, Raised> {
    let Some(area) = arguments.area(option::COMMAREA) else { return Ok(Area::new(0, 0)) };
    let length = arguments.integer(option::LENGTH).unwrap_or(area.length as i64);
    if !(0..=COMMAREA_BYTES_MAX).contains(&length) {
        return raise(condition::LENGERR, resp2::COMMAREA_LENGTH);
    }
    if area.address == 0 && length > 0 {
        return raise(condition::LENGERR, resp2::COMMAREA_ADDRESS);
    }
    if length == 0 { Ok(Area::new(0, 0)) } else { Ok(Area::new(area.address, length as usize)) }
}

fn input_message(task: &Task, arguments: &Arguments) -> Result<Option<Vec<u8>>, Raised> {
    let Some(area) = arguments.area(option::INPUTMSG) else { return Ok(None) };
    if task.facility.terminal().is_none() {
        return raise(condition::INVREQ, resp2::INPUTMSG_WITHOUT_TERMINAL);
    }
    let length = arguments.integer(option::INPUTMSGLEN).unwrap_or(area.length as i64);
    if !(0..=INPUT_MESSAGE_BYTES_MAX).contains(&length) {
        return raise(condition::LENGERR, resp2::INPUTMSG_LENGTH);
    }
    arguments.bytes_of_length(option::INPUTMSG, length as usize)
}

/// The channel a command passes on.
pub(super) fn channel(task: &mut Task, arguments: &Arguments) -> Result<Option<Arc<Channel>>, Raised> {
    match arguments.name(option::CHANNEL)? {
        Some(name) => Ok(Some(task.channel_to_pass(name)?)),
        None => Ok(None),
    }
}

fn link(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::PROGRAM)?.unwrap_or_default();
    let commarea = commarea(arguments)?;
    if let Some(length) = arguments.integer(option::DATALENGTH)
        && !(0..=commarea.length as i64).contains(&length)
    {
        return raise(condition::LENGERR, resp2::DATALENGTH);
    }
    let input_message = input_message(task, arguments)?;
    let program = task.ready_program(name)?;
    let channel = channel(task, arguments)?;
    let resource = task.eib.name_bytes(eib::EIBRSRCE);
    task.performance.program_links += 1;
    if channel.is_some() {
        task.performance.program_channel_links += 1;
    }
    linked(task, LinkRequest { program, commarea, channel, input_message, runs_as: RunsAs::Application }, &resource)
}

/// Runs the program that a command links to; `resource` is the EIBRSRCE of the command.
pub(super) fn linked(task: &mut Task, request: LinkRequest, resource: &[u8]) -> Outcome {
    match run_with_addressable_commarea(task, request)? {
        // SEND PAGE RELEASE below ends this level too.
        Ok(()) if TaskState::of(&task.parts).is_ending => {
            TaskState::of_mut(&mut task.parts).leaving = Some(Leaving::Return);
            Err(Raised::Leave)
        }
        Ok(()) => {
            // The programs below have used the EIB: the latest command is again this one.
            task.eib.set(eib::EIBRSRCE, resource);
            match TaskState::of_mut(&mut task.parts).return_value.take() {
                Some(value) if value != 0 => raise(condition::NORMAL, value),
                _ => Ok(()),
            }
        }
        Err(abend) => Err(Raised::Abend(abend)),
    }
}

/// Programs address 31-bit storage. A communication area beyond it, such as one typed in CECI, is lent to the program as a copy there.
fn run_with_addressable_commarea(task: &mut Task, mut request: LinkRequest) -> Result<Result<(), Box<Abend>>, Raised> {
    let given = request.commarea;
    if given.address + given.length <= LINE_2G {
        return Ok(run_level(task, request));
    }
    let lent = task.getmain(Getmain { length: given.length, line: Line::Below2G, key: task.data_key(), initial: None }, false)?;
    storage_access::copy(given.address, lent, given.length)?;
    request.commarea = Area::new(lent, given.length);
    let ended = run_level(task, request);
    storage_access::copy(lent, given.address, given.length)?;
    task.freemain(lent);
    Ok(ended)
}

fn xctl(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::PROGRAM)?.unwrap_or_default();
    let from = commarea(arguments)?;
    let message = input_message(task, arguments)?;
    let program = task.ready_program(name)?;
    let channel = channel(task, arguments)?;
    let commarea = retained_commarea(task, from, program.data_line)?;
    task.performance.program_xctls += 1;
    if message.is_some() {
        task.conversation.initial_input = message;
    }
    TaskState::of_mut(&mut task.parts).leaving = Some(Leaving::Transfer { program, commarea, channel });
    Err(Raised::Leave)
}

/// The communication area for the program that takes over. The caller's own area, passed on in full or in part, is not copied, because it
/// belongs to a level that stays. Any other area is in storage that ends with the program, and is copied; and so is one above 16 MB for a
/// program that takes data below it only, as an AMODE(24) program of z/OS does (`line`: DATALOCATION of the program).
fn retained_commarea(task: &mut Task, from: Area, line: Line) -> Result<Area, Raised> {
    if from.length == 0 {
        return Ok(from);
    }
    let own = task.level().map_or(Area::new(0, 0), |level| level.commarea);
    let is_addressable = line != Line::Below16M || from.address + from.length <= LINE_16M;
    if from.address == own.address && from.length <= own.length && is_addressable {
        return Ok(from);
    }
    let request = Getmain { length: from.length, line, key: task.data_key(), initial: None };
    let address = task.getmain(request, false)?;
    storage_access::copy(from.address, address, from.length)?;
    task.level_mut().storage.push(address);
    Ok(Area::new(address, from.length))
}

fn return_(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let transid: Option<Name4> = arguments.name(option::TRANSID)?;
    let passes = [option::COMMAREA, option::CHANNEL, option::IMMEDIATE].into_iter().any(|option| arguments.has(option));
    if transid.is_none() && !passes && !arguments.has(option::INPUTMSG) {
        TaskState::of_mut(&mut task.parts).leaving = Some(Leaving::Return);
        return Err(Raised::Leave);
    }
    let highest = task.levels.len() == 1;
    if passes && !highest {
        return raise(condition::INVREQ, resp2::RETURN_NOT_HIGHEST);
    }
    if transid.is_some() && task.facility.terminal().is_none() {
        return raise(condition::INVREQ, resp2::RETURN_TRANSID_WITHOUT_TERMINAL);
    }
    if arguments.has(option::INPUTMSG) && task.facility.terminal().is_none() {
        return raise(condition::INVREQ, resp2::INPUTMSG_WITHOUT_TERMINAL);
    }
    let from = commarea(arguments)?;
    let message = input_message(task, arguments)?;
    let channel = channel(task, arguments)?;
    if transid.is_none() && passes && task.facility.terminal().is_none() {
        return raise(condition::INVREQ, resp2::RETURN_NOT_HIGHEST);
    }
    if message.is_some() && !highest {
        // The caller's next RECEIVE finds the data.
        task.conversation.initial_input = message;
    } else {
        task.next_transaction = Some(NextTransaction {
            transid: transid.unwrap_or_default(),
            commarea: from.read()?,
            channel: channel.map(|channel| task.copied_channel(&channel)).transpose()?,
            immediate: arguments.has(option::IMMEDIATE),
            input_message: message,
        });
    }
    TaskState::of_mut(&mut task.parts).leaving = Some(Leaving::Return);
    Err(Raised::Leave)
}

impl Task {
    /// The program at the highest level returns, and so do all below it: for the caller to answer with `Raised::Leave`.
    pub fn end_from_here(&mut self) {
        TaskState::of_mut(&mut self.parts).is_ending = true;
        TaskState::of_mut(&mut self.parts).leaving = Some(Leaving::Return);
    }
}

fn load(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::PROGRAM)?.unwrap_or_default();
    let region = task.region;
    let context = task.context();
    let application = context.as_ref().and_then(|context| context.application.as_ref());
    task.install_undefined(application, name)?;
    let program = region.programs().local_for(region, application, name)?;
    // Exit programs and a load suspend the task: another one may release the data meanwhile.
    program.begin_load();
    let is_new = program.image().is_none();
    let loaded = task.on_resource_owner(&program, || region.programs().load_image(region, &program));
    let (address, length) = loaded.inspect_err(|_| _ = program.end_load())?;
    if is_new {
        task.copy_loaded(&program);
    }
    if arguments.has(option::LENGTH) && length > LOADED_BYTES_MAX {
        task.release_program(&program);
        return raise(condition::LENGERR, resp2::PROGRAM_LENGTH);
    }
    program.use_count.fetch_add(1, Ordering::Relaxed);
    if arguments.has(option::HOLD) {
        program.held.fetch_add(1, Ordering::AcqRel);
    } else {
        let loaded = &mut TaskState::of_mut(&mut task.parts).loaded;
        match loaded.iter_mut().find(|(other, _)| Arc::ptr_eq(other, &program)) {
            Some((_, times)) => *times += 1,
            None => loaded.push((program.clone(), 1)),
        }
    }
    task.performance.program_loads += 1;
    arguments.set_integer(option::SET, address as i64);
    arguments.set_integer(option::ENTRY, address as i64);
    arguments.set_integer(option::LENGTH, length as i64);
    arguments.set_integer(option::FLENGTH, length as i64);
    Ok(())
}

fn release(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::PROGRAM)?.unwrap_or_default();
    let region = task.region;
    let context = task.context();
    let application = context.as_ref().and_then(|context| context.application.as_ref());
    let program = region.programs().local_for(region, application, name)?;
    let loaded = &mut TaskState::of_mut(&mut task.parts).loaded;
    if let Some(at) = loaded.iter().position(|(other, _)| Arc::ptr_eq(other, &program)) {
        loaded[at].1 -= 1;
        if loaded[at].1 == 0 {
            loaded.remove(at);
        }
        task.release_program(&program);
        return Ok(());
    }
    // Held copies belong to no task: any may release one.
    let held = program.held.fetch_update(Ordering::AcqRel, Ordering::Acquire, |held| held.checked_sub(1));
    if held.is_ok() {
        task.release_program(&program);
        return Ok(());
    }
    let running = task.program_name() == name;
    raise(
        condition::INVREQ,
        if running {
            resp2::RELEASE_RUNNING
        } else if program.is_loaded() {
            resp2::RELEASE_NOT_OWN
        } else {
            resp2::RELEASE_NOT_LOADED
        },
    )
}

fn abend(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let code = arguments.name::<4>(option::ABCODE)?;
    let mut abend = Abend::new(code.as_ref().map_or("????", |name| name.as_str()));
    // Without a code there is no dump.
    abend.no_dump = arguments.has(option::NODUMP) || code.is_none();
    abend.cancel_exits = arguments.has(option::CANCEL);
    abend.line = arguments.line;
    abend.program = task.program_name();
    abend.reason = Some("EXEC CICS ABEND".to_string());
    Err(Raised::Abend(Box::new(abend)))
}
