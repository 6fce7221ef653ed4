//! XMEOUT: the exit point before a message goes to the console or a transient data queue.
//!
//! Exit programs may suppress a message, or send it elsewhere: to other transient data queues, on or off the console ("Message domain exit
//! XMEOUT"). Messages to terminals do not pass it, nor those of the exit program itself, nor those of a region that starts or ends.

use crate::messages::{Destination, Message};
use crate::name::Name4;
use crate::{ExitArgument, Region, Task};
use exec::{ExitPoint, exit_point};

/// The point.
const POINT: ExitPoint = exit_point::XMEOUT;
/// The route code of the region's messages on the console: operator information.
const ROUTE_CODE: u8 = 2;
/// Most queues of a message.
const QUEUES_MAX: usize = 25;
const QUEUE_NAME_BYTES: usize = 4;

/// Messages pass the exit point from now on; a second call has no effect.
pub fn install(region: &'static Region) {
    region.messages.pass_by(Box::new(move |message| takes(region, message)));
}

/// True: the message is put out by the task that calls the exit programs, or has been.
fn takes(region: &'static Region, message: &Message) -> bool {
    if !region.extensions.exits.is_active(POINT) || message.destination == Destination::Terminal {
        return false;
    }
    let mut message = message.clone();
    region.at_exit_point(POINT, move |task| {
        if task.is_none_or(|task| is_wanted(task, &mut message)) {
            region.messages.put_out(&message);
        }
    });
    true
}

/// Calls the exit programs, which may change where the message goes.
fn is_wanted(task: &mut Task, message: &mut Message) -> bool {
    if !task.has_exit(POINT) {
        return true;
    }
    let mut arguments = arguments(task, message);
    let Ok(code) = task.call_exit(POINT, &mut arguments) else { return true };
    take_route(task, message, &arguments);
    !code.is("UERCBYP")
}

fn arguments(task: &Task, message: &Message) -> Vec<ExitArgument> {
    // DFHppnnnn: the domain and the number.
    let (domain, number) = (message.id.get(3..5).unwrap_or_default(), message.id.get(5..).unwrap_or_default());
    let number: u32 = number.parse().unwrap_or(0);
    let page = &task.region.code_page;
    let blank = |name: &str| vec![page.space(); length_of(name)];
    let is_on_console = message.destination == Destination::Console;
    let halfword = |count: usize| ExitArgument::bytes(&(count as u16).to_be_bytes());
    task.exit_arguments(POINT, |name| {
        Some(match name {
            "UEPMNUM" => ExitArgument::bytes(&number.to_be_bytes()),
            "UEPMDOM" => ExitArgument::bytes(&page.encode(domain)),
            "UEPMTXT" => {
                let mut text = blank(name);
                page.fill(&message.text, &mut text);
                ExitArgument::Bytes(text)
            }
            "UEPMROU" => {
                let mut codes = vec![0; length_of(name)];
                codes[0] = if is_on_console { ROUTE_CODE } else { 0 };
                ExitArgument::Bytes(codes)
            }
            "UEPMNRC" => halfword(usize::from(is_on_console)),
            "UEPMTDQ" => {
                let mut names = blank(name);
                for (queue, place) in message.queues.iter().zip(names.chunks_exact_mut(QUEUE_NAME_BYTES)) {
                    place.copy_from_slice(&page.encode_name(queue));
                }
                ExitArgument::Bytes(names)
            }
            "UEPMNTD" => halfword(message.queues.len().min(QUEUES_MAX)),
            _ => return None,
        })
    })
}

fn length_of(name: &str) -> usize {
    let parameter = POINT.spec().parameters.iter().find(|known| known.name == name);
    parameter.and_then(|known| known.length).unwrap_or(0)
}

/// Where the exit programs send the message. One that was not for the console stays in the structured log, as it was.
fn take_route(task: &Task, message: &mut Message, arguments: &[ExitArgument]) {
    let left = |name: &str| POINT.spec().parameter(name).map_or(&[][..], |at| arguments[at].get());
    let number = |name: &str| left(name).try_into().map_or(0, u16::from_be_bytes);
    let queues = usize::from(number("UEPMNTD")).min(QUEUES_MAX);
    let names = left("UEPMTDQ").chunks_exact(QUEUE_NAME_BYTES).take(queues);
    message.queues = names.map(|name| Name4::new(task.region.code_page.text(name).trim_end())).collect();
    if message.destination == Destination::Console {
        message.is_on_console = number("UEPMNRC") > 0;
    }
}
