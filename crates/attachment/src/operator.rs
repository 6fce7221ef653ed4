//! DSNC: the commands of the attachment for operators.
//!
//! ```text
//! DSNC STRT (ssid)                    connects
//! DSNC STOP (QUIESCE | FORCE)         disconnects
//! DSNC DISC plan                      ends threads that no task uses
//! DSNC DISP (PLAN | TRAN | STAT) ...  threads by plan, by transaction, statistics
//! DSNC MODI DEST old new              another queue for messages
//! DSNC MODI TRAN transid number       another THREADLIMIT for the entry of a transaction
//! DSNC -command                       refused: the database has no commands of Db2
//! ```
//!
//! A word may be written out, or in part: DISP, DISPL, DISPLAY. STRT and STOP are whole words.

use crate::connection;
use crate::db2conn::{Busy, connect, disconnect};
use crate::records::groups;
use crate::session::Group;
use crate::state::{State, Status, matches};
use crate::{Attachment, statement};
use exec::{command, option};
use kernel::name::{Name4, Name8};
use region::exec_interface::call::Call;
use region::{Raised, Task};

/// What DSNC DISPLAY can show.
const DISPLAYS: &str = "DSNC DISPLAY PLAN, TRANSACTION or STATISTICS is expected";
/// Longest command.
const INPUT_BYTES_MAX: usize = 255;

/// The program of transaction DSNC.
pub fn dsnc(task: &mut Task) -> Result<(), Raised> {
    let input = receive(task)?;
    let words: Vec<String> = input.split_whitespace().skip(1).map(str::to_ascii_uppercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let lines = answer(task, &words)?;
    show(task, &lines)
}

fn answer(task: &mut Task, words: &[&str]) -> Result<Vec<String>, Raised> {
    Ok(match words {
        [first, ..] if first.starts_with('-') => vec![no_command(words)],
        ["STRT", rest @ ..] => start(task, rest)?,
        ["STOP", rest @ ..] => stop(task, rest)?,
        [word, rest @ ..] if is(word, "DISP", "DISPLAY") => display(task, rest),
        [word, plan] if is(word, "DISC", "DISCONNECT") => discard_threads(task, plan),
        [word, what, old, new] if is(word, "MODI", "MODIFY") && is(what, "DEST", "DESTINATION") => modify_destination(task, old, new),
        [word, what, transid, number] if is(word, "MODI", "MODIFY") && is_transaction(what) => modify_transaction(task, transid, number),
        _ => vec!["DSNC STRT, STOP, DISPLAY, DISCONNECT or MODIFY is expected".to_string()],
    })
}

/// Whether a word is the keyword, or as much of it as must be written.
fn is(word: &str, least: &str, keyword: &str) -> bool {
    word.starts_with(least) && keyword.starts_with(word)
}

fn is_transaction(word: &str) -> bool {
    is(word, "TRAN", "TRANSACTION")
}

/// What stands for a command of Db2.
fn no_command(words: &[&str]) -> String {
    let first = words[0].trim_start_matches('-');
    let shows_threads =
        is(first, "DIS", "DISPLAY") && words.get(1).is_some_and(|what| what.starts_with("THREAD") || what.starts_with("THD"));
    let advice = if shows_threads { "DSNC DISP PLAN shows the threads of this region" } else { "Use psql to administer it" };
    format!("DSNC {}: commands of Db2 are not available, because the database is not Db2. {advice}", words[0])
}

fn start(task: &mut Task, rest: &[&str]) -> Result<Vec<String>, Raised> {
    let region = task.region;
    {
        let mut state = Attachment::of(region).state.lock();
        let is_idle = state.status == Status::NotConnected;
        if let (Some(connection), [id]) = (&mut state.connection, rest)
            && is_idle
        {
            (connection.subsystem, connection.sharing_group) = (Name4::new(id), Name4::BLANK);
        }
    }
    if connection::name(region).is_none() {
        return Ok(vec![connection::tell(region, "DFHDB2031", &[])]);
    }
    let ended = connect(task);
    let (status, reason) = {
        let state = Attachment::of(region).state.lock();
        (state.status, state.reason.clone())
    };
    let subsystem = connection::subsystem(region);
    Ok(vec![match (ended, status) {
        (Err(Raised::Abend(abend)), _) => return Err(Raised::Abend(abend)),
        (_, Status::Connected) => format!("The CICS-Db2 attachment is connected to {subsystem}"),
        (_, Status::Connecting) => format!("The CICS-Db2 attachment waits for {subsystem}: {reason}"),
        (_, Status::Disconnecting) => format!("The CICS-Db2 attachment is being disconnected from {subsystem}"),
        (_, Status::NotConnected) => format!("The CICS-Db2 attachment cannot connect to {subsystem}: {reason}"),
    }])
}

fn stop(task: &mut Task, rest: &[&str]) -> Result<Vec<String>, Raised> {
    let busy = match rest {
        [] => Busy::Wait,
        [word] if is(word, "QUIES", "QUIESCE") => Busy::Wait,
        ["FORCE"] => Busy::Force,
        _ => return Ok(vec!["DSNC STOP QUIESCE or FORCE is expected".to_string()]),
    };
    match disconnect(task, busy) {
        Err(Raised::Abend(abend)) => Err(Raised::Abend(abend)),
        Ok(()) => Ok(vec!["The CICS-Db2 attachment is disconnected".to_string()]),
        Err(_) => Ok(vec!["The CICS-Db2 attachment cannot be disconnected by this task".to_string()]),
    }
}

fn display(task: &Task, rest: &[&str]) -> Vec<String> {
    let state = Attachment::of(task.region).state.lock();
    let Some((what, rest)) = rest.split_first() else { return vec![DISPLAYS.to_string()] };
    let name = rest.first().filter(|name| **name != "*");
    match name {
        _ if is(what, "STAT", "STATISTICS") => statistics(&state),
        Some(name) if *what == "PLAN" => users(&state, |user| user.identity.plan == Name8::new(name)),
        Some(name) if is_transaction(what) => users(&state, |user| matches(Name4::new(name), user.identity.transid)),
        None if *what == "PLAN" || is_transaction(what) => users(&state, |_| true),
        _ => vec![DISPLAYS.to_string()],
    }
}

fn users(state: &State, wanted: impl Fn(&crate::state::User) -> bool) -> Vec<String> {
    let mut lines = vec![format!("{:8} {:3} {:4} {:7} {:8} {:8} {:16}", "NAME", "A/W", "TRAN", "TASK", "PLAN", "AUTHID", "UOW")];
    for (task, user) in state.users.iter().filter(|(_, user)| wanted(user)) {
        let (name, how) = (user.group.name(), if user.waits { "W" } else { "A" });
        let of = user.identity;
        lines.push(format!("{name:8} {how:3} {:4} {task:07} {:8} {:8} {:016X}", of.transid, of.plan, of.authorization_id, user.unit));
    }
    if lines.len() == 1 {
        lines.push("No thread is in use".to_string());
    }
    lines
}

fn statistics(state: &State) -> Vec<String> {
    let heads = ["CALLS", "AUTHS", "W/P", "HIGH", "ABORTS", "1-PH", "2-PH"];
    let mut lines = vec![format!("{:10}{}", "DB2ENTRY", heads.iter().map(|head| format!("{head:>9}")).collect::<String>())];
    for (name, threads) in groups(state) {
        let of = &threads.counters;
        let values = [of.calls, of.signons, of.waits_or_overflows, threads.in_use.peak.into(), of.aborts, of.single_phase, of.commits];
        lines.push(format!("{name:10}{}", values.iter().map(|value| format!("{value:>9}")).collect::<String>()));
    }
    lines
}

fn discard_threads(task: &Task, plan: &str) -> Vec<String> {
    let closed = Attachment::of(task.region).state.lock().take_parked_of(Name8::new(plan));
    let count = closed.len();
    connection::close(closed);
    vec![format!("{count} threads of plan {plan} were terminated")]
}

fn modify_destination(task: &Task, old: &str, new: &str) -> Vec<String> {
    let mut state = Attachment::of(task.region).state.lock();
    let queues = state.connection.as_mut().map(|connection| &mut connection.message_queues);
    let found = queues.and_then(|queues| queues.iter_mut().find(|queue| **queue == Name4::new(old)));
    vec![match found {
        Some(queue) => {
            *queue = Name4::new(new);
            format!("Messages go to {new} instead of {old}")
        }
        None => format!("{old} is not a queue for messages"),
    }]
}

fn modify_transaction(task: &Task, transid: &str, number: &str) -> Vec<String> {
    let mut state = Attachment::of(task.region).state.lock();
    let group = state.entry_of(Name4::new(transid)).map_or(Group::Pool, Group::Entry);
    let resource = if group == Group::Pool { "DB2CONN" } else { "DB2ENTRY" };
    let limit = number.parse().ok().and_then(|number| csd::attributes::accepted(resource, "THREADLIMIT", number));
    let Some(limit) = limit else { return vec![format!("{number} is not a THREADLIMIT")] };
    state.set_limit(group, limit as u32);
    vec![format!("THREADLIMIT of {} is {limit}", group.name())]
}

fn receive(task: &mut Task) -> Result<String, Raised> {
    let mut call = Call::new(command::RECEIVE);
    call.bytes(option::INTO, &[0; INPUT_BYTES_MAX]).integer(option::LENGTH, INPUT_BYTES_MAX as i64).flag(option::ASIS);
    call.execute(task)?;
    let length = call.result(option::LENGTH).unwrap_or(0).clamp(0, INPUT_BYTES_MAX as i64) as usize;
    Ok(task.region.code_page.text(&call.result_bytes(option::INTO)[..length]))
}

/// The character that a code page has as the new line of SEND TEXT: X'15' is NEXT LINE in EBCDIC pages, whose LINE FEED is X'25'.
fn new_line(task: &Task) -> &'static str {
    if task.region.code_page.page().byte_of('\n') == Some(b'\n') { "\n" } else { "\u{85}" }
}

fn show(task: &mut Task, lines: &[String]) -> Result<(), Raised> {
    debug_assert!(statement::TaskState::of(&task.parts).held.is_none());
    if task.facility.terminal().is_none() {
        lines.iter().for_each(|line| tracing::info!(target: "region::db2", "{line}"));
        return Ok(());
    }
    let text = lines.join(new_line(task));
    let mut call = Call::new(command::SEND_TEXT);
    call.text(task, option::FROM, &text).integer(option::LENGTH, text.chars().count() as i64).flag(option::ERASE).flag(option::FREEKB);
    call.execute(task).map(drop)
}
