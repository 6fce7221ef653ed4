//! RUN TRANSID, FETCH CHILD, FETCH ANY and FREE CHILD.

use super::family::{Child, Completion, Family, Found, TOKEN_BYTES, Token, Wanted};
use super::{AsynchronousServices, TaskState};
use crate::channel::{Channel, TRANSACTION_CHANNEL};
use crate::control_blocks::origin::Ancestry;
use crate::facility::{Facility, Partner, PartnerKind};
use crate::name::{Name4, Name16};
use crate::{Arguments, AttachFailure, AttachReason, AttachRequest, Handler, Outcome, Raised, StartCode, Task, raise};
use exec::resp2::asynchronous_services as resp2;
use exec::{CommandId, command, condition, option};
use kernel::{Resumed, Wait};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The longest TIMEOUT, in milliseconds (FETCH ANY).
const TIMEOUT_MS_MAX: i64 = 40_800_000;

/// What a child takes of the memory of the process until it ends: the task, which may wait to be attached.
const CHILD_BYTES: usize = 2048;
/// What it takes until its parent frees it or ends: its response.
const RESPONSE_BYTES: usize = 256;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::RUN_TRANSID, run_transid),
        (command::FETCH_CHILD, fetch_child),
        (command::FETCH_ANY, fetch_any),
        (command::FREE_CHILD, free_child),
    ]
}

fn run_transid(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    task.performance.asynchronous_total += 1;
    task.performance.asynchronous_runs += 1;
    let services = AsynchronousServices::of(region);
    services.runs.fetch_add(1, Ordering::Relaxed);
    let transid: Name4 = arguments.name(option::TRANSID)?.unwrap_or_default();
    if region.transactions().find(transid).is_none() {
        return raise(condition::TRANSIDERR, resp2::TRANSID);
    }
    let channel = match arguments.name::<16>(option::CHANNEL)? {
        Some(name) => Some(passed(task, name)?),
        None => None,
    };
    services.flow.regulate(task)?;
    let family = TaskState::of_mut(&mut task.parts).family.get_or_insert_default().clone();
    let token = new_token(services, task.number);
    let charge = task.reserve(CHILD_BYTES)?;
    family.add(token, channel.clone(), Some(task.reserve(RESPONSE_BYTES)?));
    let child: Arc<dyn Partner> = Arc::new(Child::new(family.clone(), token, task.user_id, services.flow.clone(), charge));
    let mut attach = AttachRequest::new(transid, StartCode::RunTransid);
    attach.facility = Facility::Partner(PartnerKind::Parent, child.clone());
    attach.user_id = task.user_id;
    attach.channel = channel;
    attach.ancestry = Some(Arc::new(Ancestry::from(&task.shared)));
    if let Err(failure) = region.attach(attach) {
        refused(&family, token, &*child, &failure)?;
    }
    arguments.set_bytes(option::CHILD, &token)
}

/// A copy of the channel for the child; one that does not exist is created, empty.
fn passed(task: &mut Task, name: Name16) -> Result<Arc<Channel>, Raised> {
    let channel = task.channel_to_pass(name)?;
    task.copied_channel(&channel)
}

/// The token of a child: nobody else's in this run of the region.
fn new_token(services: &AsynchronousServices, parent: u32) -> Token {
    let number = services.numbers.fetch_add(1, Ordering::Relaxed) + 1;
    let mut token = [0; TOKEN_BYTES];
    token[..4].copy_from_slice(&parent.to_be_bytes());
    token[8..].copy_from_slice(&number.to_be_bytes());
    token
}

/// No task was attached. A class that takes no more tasks is a matter of the child: its parent fetches the abend.
fn refused(family: &Family, token: Token, child: &dyn Partner, failure: &AttachFailure) -> Outcome {
    let (condition, resp2) = match failure.reason {
        AttachReason::ClassFull => {
            child.not_started(&failure.message);
            return Ok(());
        }
        AttachReason::Unknown => (condition::TRANSIDERR, resp2::TRANSID),
        AttachReason::Disabled => (condition::DISABLED, resp2::DISABLED),
        AttachReason::ShuttingDown => (condition::INVREQ, resp2::SHUTDOWN),
        AttachReason::Remote | AttachReason::Internal => (condition::INVREQ, resp2::NOT_LOCAL),
        AttachReason::NotAuthorized => (condition::NOTAUTH, resp2::NOT_AUTHORIZED),
    };
    family.free(token);
    raise(condition, resp2)
}

/// The token in CHILD; an area of another length has none.
fn token(arguments: &Arguments) -> Result<Token, Raised> {
    let bytes = arguments.bytes(option::CHILD)?.unwrap_or_default();
    bytes.try_into().map_err(|_| Raised::new(condition::INVREQ, resp2::TOKEN))
}

fn fetch_child(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let token = token(arguments)?;
    fetch(task, arguments, Wanted::Child(token))
}

fn fetch_any(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    fetch(task, arguments, Wanted::Any)
}

fn fetch(task: &mut Task, arguments: &mut Arguments, wanted: Wanted) -> Outcome {
    task.performance.asynchronous_total += 1;
    task.performance.asynchronous_fetches += 1;
    AsynchronousServices::of(task.region).fetches.fetch_add(1, Ordering::Relaxed);
    let timeout = timeout(arguments)?;
    let Some(family) = TaskState::of(&task.parts).family.clone() else {
        return match wanted {
            Wanted::Child(_) => raise(condition::INVREQ, resp2::TOKEN),
            Wanted::Any => raise(condition::INVREQ, resp2::NO_CHILD),
        };
    };
    let with_channel = arguments.has(option::CHANNEL);
    let nosuspend = arguments.has(option::NOSUSPEND);
    let deadline = timeout.map(|timeout| Instant::now() + timeout);
    loop {
        let waker = (!nosuspend).then(|| task.kernel.waker());
        let found = family.fetch(wanted, with_channel, waker);
        if !matches!(found, Found::NotCompleted) && !nosuspend {
            task.kernel.abandon_wait();
        }
        match found {
            Found::Completed { token, completion, channel } => return deliver(task, arguments, token, &completion, channel),
            Found::NoSuchChild => return raise(condition::INVREQ, resp2::TOKEN),
            Found::ChannelFetched => return raise(condition::INVREQ, resp2::CHANNEL_FETCHED),
            Found::NoChildren => return raise(condition::INVREQ, resp2::NO_CHILD),
            Found::AllFetched => return raise(condition::NOTFND, resp2::ALL_FETCHED),
            Found::NotCompleted if nosuspend => return raise(condition::NOTFINISHED, resp2::NOT_COMPLETE),
            Found::NotCompleted => wait(task, &family, wanted, deadline)?,
        }
    }
}

/// TIMEOUT in milliseconds; zero is none.
fn timeout(arguments: &Arguments) -> Result<Option<Duration>, Raised> {
    match arguments.integer(option::TIMEOUT) {
        None | Some(0) => Ok(None),
        Some(milliseconds @ 1..=TIMEOUT_MS_MAX) => Ok(Some(Duration::from_millis(milliseconds as u64))),
        Some(_) => raise(condition::INVREQ, resp2::TIMEOUT),
    }
}

/// Waits for a child. With TIMEOUT the task is not subject to DTIMOUT.
fn wait(task: &mut Task, family: &Family, wanted: Wanted, deadline: Option<Instant>) -> Outcome {
    let since = Instant::now();
    let wait = match wanted {
        Wanted::Child(_) => Wait::new("AS_CHILD"),
        Wanted::Any => Wait::new("AS_ANY"),
    };
    let resumed = match deadline {
        Some(deadline) => task.suspend(&wait.timeout(deadline.saturating_duration_since(since))),
        None => task.suspend_until_deadlock_timeout(wait).map(|()| Resumed::Posted(0)),
    };
    family.stop_waiting();
    task.performance.asynchronous_fetch_wait.add(since.elapsed());
    match resumed? {
        Resumed::TimedOut => raise(condition::NOTFINISHED, resp2::TIMED_OUT),
        _ => Ok(()),
    }
}

fn deliver(task: &mut Task, arguments: &mut Arguments, token: Token, completion: &Completion, channel: Option<Arc<Channel>>) -> Outcome {
    if arguments.has(option::ANY) {
        arguments.set_bytes(option::ANY, &token)?;
    }
    arguments.set_integer(option::COMPSTATUS, completion.status());
    let code = completion.abend.map(|code| String::from_utf8_lossy(&code).into_owned());
    arguments.set_text(option::ABCODE, code.as_deref().unwrap_or_default())?;
    let name = channel.map_or(Name16::BLANK, |channel| adopted(task, &channel));
    arguments.set_name(option::CHANNEL, &name)
}

/// The channel of the child, under a name of its own, is one of the present link level.
fn adopted(task: &mut Task, channel: &Channel) -> Name16 {
    let state = TaskState::of_mut(&mut task.parts);
    state.channels_fetched += 1;
    let name = Name16::new(&format!("DFHAS{:011}", state.channels_fetched));
    debug_assert_ne!(name, TRANSACTION_CHANNEL);
    let channel = channel.renamed(name);
    task.note_containers(channel.data_bytes() as i64);
    task.level_mut().channels.push(Arc::new(channel));
    name
}

fn free_child(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.asynchronous_total += 1;
    task.performance.asynchronous_frees += 1;
    AsynchronousServices::of(task.region).frees.fetch_add(1, Ordering::Relaxed);
    let token = token(arguments)?;
    let is_freed = TaskState::of(&task.parts).family.as_ref().is_some_and(|family| family.free(token));
    if is_freed { Ok(()) } else { raise(condition::INVREQ, resp2::TOKEN) }
}
