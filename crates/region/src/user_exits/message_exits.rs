//! XMEOUT: the exit point before a message goes to the console or a transient data queue.
//!
//! Messages come from any thread, and an exit program needs a task: while one is enabled and started, a task of the region takes the messages in
//! their order, calls the exit program for each, and puts out those that it does not suppress. Messages to terminals do not pass it, nor those
//! of the exit program itself, nor those of a region that starts or ends.

use super::table::Exits;
use crate::messages::{Destination, Message};
use crate::name::Name4;
use crate::{AttachRequest, ExitArgument, Raised, Region, StartCode, Task};
use exec::exit_point;
use std::collections::VecDeque;

/// The transaction of the task, and what tells its program what it is for.
const TRANSACTION: &str = "CSSY";
pub const MESSAGES: u8 = 0;
/// Messages that wait for the task; more are put out at once.
const WAITING_MAX: usize = 10_000;

/// The messages that wait for the task.
#[derive(Default)]
pub struct Waiting {
    messages: VecDeque<Message>,
    /// A task has been asked for, or runs.
    is_served: bool,
    /// The number of the task while it runs.
    task: u32,
}

/// Messages pass the exit point from now on; a second call has no effect.
pub fn install(region: &'static Region) {
    region.messages.pass_by(Box::new(move |message| takes(region, message)));
}

/// True: the task puts the message out.
fn takes(region: &'static Region, message: &Message) -> bool {
    let passes = region.extensions.exits.is_active(exit_point::XMEOUT) && !region.transactions().is_quiescing();
    if !passes || message.destination == Destination::Terminal {
        return false;
    }
    let mut waiting = Exits::of(region).messages.lock();
    let is_own = kernel::current().is_some_and(|task| waiting.task != 0 && task.number() == waiting.task);
    if is_own || waiting.messages.len() >= WAITING_MAX {
        return false;
    }
    waiting.messages.push_back(message.clone());
    let is_first = !std::mem::replace(&mut waiting.is_served, true);
    drop(waiting);
    if is_first {
        // The sender may hold locks that an attach needs.
        region.dispatcher.spawn_blocking(move || serve(region));
    }
    true
}

fn serve(region: &'static Region) {
    let mut request = AttachRequest::new(Name4::new(TRANSACTION), StartCode::System);
    request.commarea = vec![MESSAGES];
    if region.attach(request).is_err() {
        let mut waiting = Exits::of(region).messages.lock();
        waiting.is_served = false;
        let left = std::mem::take(&mut waiting.messages);
        drop(waiting);
        left.iter().for_each(|message| region.messages.put_out(message));
    }
}

/// What the task does: until no message waits.
pub fn run(task: &mut Task) -> Result<(), Raised> {
    let region = task.region;
    loop {
        let message = {
            let mut waiting = Exits::of(region).messages.lock();
            let message = waiting.messages.pop_front();
            waiting.task = if message.is_some() { task.number } else { 0 };
            waiting.is_served = message.is_some();
            message
        };
        let Some(message) = message else { return Ok(()) };
        if !is_suppressed(task, &message) {
            region.messages.put_out(&message);
        }
    }
}

fn is_suppressed(task: &mut Task, message: &Message) -> bool {
    let point = exit_point::XMEOUT;
    if !task.has_exit(point) {
        return false;
    }
    // DFHppnnnn: the domain and the number.
    let (domain, number) = (message.id.get(3..5).unwrap_or_default(), message.id.get(5..).unwrap_or_default());
    let number: u32 = number.parse().unwrap_or(0);
    let page = &task.region.code_page;
    let mut text = vec![
        page.space();
        point.spec().parameters.iter().find(|known| known.name == "UEPMTXT").and_then(|known| known.length).unwrap_or(0)
    ];
    page.fill(&message.text, &mut text);
    let mut identity = task.exit_identity().into_iter();
    let mut value = |name: &str| match name {
        "UEPMNUM" => ExitArgument::bytes(&number.to_be_bytes()),
        "UEPMDOM" => ExitArgument::bytes(&page.encode(domain)),
        "UEPMTXT" => ExitArgument::Bytes(text.clone()),
        _ => identity.next().unwrap_or(ExitArgument::Absent),
    };
    let mut arguments: Vec<ExitArgument> = point.spec().parameters.iter().map(|parameter| value(parameter.name)).collect();
    task.call_exit(point, &mut arguments).is_ok_and(|code| code.is("UERCBYP"))
}
