//! The execution of one EXEC SQL statement of a task: its thread, the statement, what is counted, and what a failure means.
//!
//! Invariants: the thread is out of the task's part while it works, and back before anything else of the task runs; a task whose thread was
//! lost in a unit of work cannot commit it.

use crate::Attachment;
use crate::connection::{self, DISMISSED};
use crate::locations::Reach;
use crate::session::{Group, Identity, Session};
use crate::state::{Answer, Refusal, State, Status, User};
use crate::waiting::TaskWait;
use csd::{AccountRecord, AuthorizationType, Db2ConnDefinition, ThreadAttributes, ThreadError, ThreadPriority};
use db2::SqlError;
use kernel::name::Name8;
use kernel::{Name16, OpenPriority, Resumed, Wait};
use program::requests::{SqlOutcome, SqlRequest};
use program::rununit::FrameId;
use region::domain::SqlFailure;
use region::{Abend, Raised, Task};
use std::time::Instant;

/// SQLCODEs of the attachment.
mod sqlcode {
    /// The thread could not be created for an earlier statement of this unit of work.
    pub const NOT_AVAILABLE: i32 = -906;
    /// An authorization failure, or a disabled entry.
    pub const AUTHORIZATION: i32 = -922;
    pub const NOT_CONNECTED: i32 = -923;
    pub const CONNECTION_LOST: i32 = -924;
}

/// The thread of a task.
pub struct Held {
    pub session: Box<Session>,
    /// Whose place it has.
    pub group: Group,
    terms: Terms,
    /// The unit of work has it as a resource manager.
    pub enlisted: bool,
    /// Statements since the group was told of them.
    pub calls: u64,
}

/// The attributes of a thread's definition that matter while a task has it.
#[derive(Clone, Copy)]
struct Terms {
    rolls_back_deadlock: bool,
    priority: ThreadPriority,
    account_record: AccountRecord,
}

impl Terms {
    fn of(attributes: &ThreadAttributes) -> Terms {
        let ThreadAttributes { rolls_back_deadlock, priority, account_record, .. } = *attributes;
        Terms { rolls_back_deadlock, priority, account_record }
    }

    /// PRIORITY, which the open TCB of the task has as long as the task has the thread.
    fn open_priority(self) -> OpenPriority {
        match self.priority {
            ThreadPriority::High => OpenPriority::High,
            ThreadPriority::Equal => OpenPriority::Equal,
            ThreadPriority::Low => OpenPriority::Low,
        }
    }

    /// ACCOUNTREC: whom the server's own log and statistics name as the user of the session.
    fn account(self, task: &Task) -> String {
        let (region, transaction) = (task.region.applid.as_str().trim_end(), task.transid.as_str().trim_end());
        match self.account_record {
            AccountRecord::None => String::new(),
            AccountRecord::TransactionId => format!("{region}.{transaction}"),
            AccountRecord::Task => format!("{region}.{transaction}.{:07}", task.number),
            AccountRecord::UnitOfWork => format!("{region}.{transaction}.{:07}.{:016X}", task.number, task.recovery.identity.id()),
        }
    }
}

/// This domain's part of a task.
#[derive(Default)]
pub struct TaskState {
    pub held: Option<Held>,
    /// The thread was lost, or could not be made, in this unit of work: it must be backed out.
    pub is_lost: bool,
    /// The next statement gets -906, because no thread could be made for this unit of work.
    pub is_refused: bool,
    /// Counted as a task of this group.
    pub counted: Option<Group>,
}

fn abend(code: &str, why: impl Into<String>) -> Raised {
    Raised::Abend(Box::new(Abend::new(code).because(why)))
}

/// `Domain::sql`.
pub fn execute(task: &mut Task, frame: FrameId, request: &SqlRequest) -> Result<SqlOutcome, SqlFailure> {
    let begun = Instant::now();
    task.performance.db2_requests += 1;
    let outcome = match TaskState::of_mut(&mut task.parts).held.take() {
        Some(held) => on_thread(task, held, frame, request),
        None => first_of_unit(task, frame, request),
    };
    let time = begun.elapsed();
    task.performance.rmi_db2.add(time);
    task.performance.rmi_total.add(time);
    task.performance.resource_manager_time.add(time);
    outcome
}

/// A statement without a thread: gets one.
fn first_of_unit(task: &mut Task, frame: FrameId, request: &SqlRequest) -> Result<SqlOutcome, SqlFailure> {
    if TaskState::of(&task.parts).is_refused {
        return code(frame, request, sqlcode::NOT_AVAILABLE, &[]);
    }
    if TaskState::of(&task.parts).is_lost {
        return code(frame, request, sqlcode::CONNECTION_LOST, &["LOST", "00D30001", "0000000C"]);
    }
    match acquire(task) {
        Ok(held) => on_thread(task, held, frame, request),
        Err(NoThread::Raised(raised)) => Err(raised.into()),
        Err(NoThread::Code(number, tokens)) => {
            let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
            code(frame, request, number, &tokens)
        }
    }
}

/// Why a task has no thread.
enum NoThread {
    Raised(Raised),
    Code(i32, Vec<String>),
}

impl From<Raised> for NoThread {
    fn from(raised: Raised) -> NoThread {
        NoThread::Raised(raised)
    }
}

/// Ends the statement with an SQLCODE of the attachment.
fn code(frame: FrameId, request: &SqlRequest, number: i32, tokens: &[&str]) -> Result<SqlOutcome, SqlFailure> {
    let error = SqlError::new(number, tokens);
    db2::sqlca::store(frame, request, &error).map_err(SqlFailure::Departure)
}

fn on_thread(task: &mut Task, mut held: Held, frame: FrameId, request: &SqlRequest) -> Result<SqlOutcome, SqlFailure> {
    let attachment = Attachment::of(task.region);
    held.calls += 1;
    if !held.enlisted {
        if let Err(raised) = task.enlist(attachment.agent()) {
            TaskState::of_mut(&mut task.parts).held = Some(held);
            return Err(raised.into());
        }
        held.enlisted = true;
        held.session.thread.tell_application(&held.terms.account(task));
    }
    let mut wait = TaskWait::new(task.kernel.clone(), attachment.poller());
    let identity = held.session.identity;
    let mut context = db2::Context {
        wait: &mut wait,
        rules: db2::Rules::Cics,
        plan: identity.plan,
        authorization_id: identity.authorization_id,
        rolls_back_deadlock: held.terms.rolls_back_deadlock,
        bind: &attachment.settings.get().expect("a thread was made with them").bind,
        locations: &Reach(task.region),
    };
    let outcome = held.session.thread.execute(frame, request, &mut context);
    let (waited, purged) = (wait.waited, wait.purged);
    if !waited.is_zero() {
        task.performance.resource_manager_suspend.add(waited);
    }
    let (is_broken, deadlocked) = (held.session.thread.is_broken(), held.session.thread.take_deadlock());
    if purged || is_broken {
        lose(task, held, purged);
        if purged {
            return Err(SqlFailure::Raised(Raised::Abend(Box::new(Task::purge_abend()))));
        }
        return outcome.map_err(SqlFailure::Departure);
    }
    TaskState::of_mut(&mut task.parts).held = Some(held);
    if deadlocked && outcome.is_ok() {
        // SQLCODE -911: the unit of work has been backed out when the program learns of it.
        task.rollback();
    }
    outcome.map_err(SqlFailure::Departure)
}

/// The session of a task is of no more use.
fn lose(task: &mut Task, held: Held, purged: bool) {
    let region = task.region;
    let Held { session, group, calls, .. } = held;
    if purged {
        session.thread.cancel();
    }
    drop(session);
    leave(task, group, calls, None);
    TaskState::of_mut(&mut task.parts).is_lost = true;
    if !purged {
        connection::verify(region);
    }
}

/// A task gives its thread up, or the place of one.
pub fn leave(task: &mut Task, group: Group, calls: u64, session: Option<Box<Session>>) {
    let attachment = Attachment::of(task.region);
    task.shared.db2_plan.set(Name8::BLANK);
    task.kernel.set_open_priority(OpenPriority::Equal);
    let (closed, is_last) = {
        let mut state = attachment.state.lock();
        state.users.remove(&task.number);
        state.threads(group).counters.calls += calls;
        let closed = state.release(group, session);
        (closed, state.status == Status::Disconnecting && state.users.is_empty())
    };
    connection::close(closed);
    if is_last {
        let region = task.region;
        region.dispatcher.spawn_blocking(move || connection::finish_disconnect(region));
    }
}

/// The authorization identifier that AUTHID or AUTHTYPE means for a task.
fn authorization_id(task: &Task, connection: &Db2ConnDefinition, attributes: &ThreadAttributes) -> Name8 {
    if !attributes.authorization_id.is_blank() {
        return attributes.authorization_id;
    }
    let resized = |text: &str| Name8::new(text.trim_end());
    match attributes.authorization_type {
        AuthorizationType::UserId | AuthorizationType::Group => task.user_id,
        AuthorizationType::Sign if connection.sign_id.is_blank() => task.region.applid,
        AuthorizationType::Sign => connection.sign_id,
        AuthorizationType::Terminal => resized(task.terminal_name().as_str()),
        AuthorizationType::Transaction => resized(task.transid.as_str()),
        AuthorizationType::OperatorId => resized(task.user_id.as_str().get(..3).unwrap_or_default()),
    }
}

/// PLAN, or the plan that the supplied exit chooses: the first program of the unit of work that uses SQL.
fn plan(task: &Task, attributes: &ThreadAttributes) -> Name8 {
    if attributes.plan.is_blank() { task.program_name() } else { attributes.plan }
}

/// What the task is to be signed on with, and whose thread it uses.
fn identify(task: &Task, state: &State) -> Result<(Group, Identity, Terms), Refusal> {
    let Some(connection) = state.connection.as_ref() else { return Err(Refusal::NotConnected) };
    let group = state.group_of(task.transid)?;
    let attributes = state.attributes(group).unwrap_or(&connection.pool);
    let identity =
        Identity { plan: plan(task, attributes), authorization_id: authorization_id(task, connection, attributes), transid: task.transid };
    Ok((group, identity, Terms::of(attributes)))
}

fn acquire(task: &mut Task) -> Result<Held, NoThread> {
    let region = task.region;
    let attachment = Attachment::of(region);
    let begun = Instant::now();
    loop {
        let (asked, (group, answer)) = {
            let mut state = attachment.state.lock();
            let asked = identify(task, &state);
            let answer = match asked {
                Ok((group, identity, _)) => state.acquire(group, identity, || task.kernel.waker()),
                Err(refusal) => (Group::Pool, Answer::Refused(refusal)),
            };
            let waits = matches!(answer.1, Answer::Wait(_) | Answer::WaitForTcb);
            if let (Ok((_, identity, _)), false) = (asked, matches!(answer.1, Answer::Refused(_))) {
                let unit = task.recovery.identity.id();
                state.users.insert(task.number, User { group: answer.0, identity, unit, waits });
                count_task(task, &mut state, answer.0);
            }
            (asked, answer)
        };
        let Ok((_, identity, terms)) = asked else { return Err(refused(task, answer)) };
        let session = match answer {
            Answer::Refused(_) => return Err(refused(task, answer)),
            Answer::WaitForTcb => {
                wait_for(task, Wait::new("CDB2CONN"))?;
                task.performance.db2_connection_wait.add(begun.elapsed());
                continue;
            }
            Answer::Wait(queue) => {
                let name = Name16::new(queue.name().as_str().trim_end());
                let handed_over = wait_for(task, Wait::new("CDB2RDYQ").named(name))? != DISMISSED;
                task.performance.db2_ready_queue_wait.add(begun.elapsed());
                if !handed_over {
                    continue;
                }
                let mut state = attachment.state.lock();
                if let Some(user) = state.users.get_mut(&task.number) {
                    user.waits = false;
                }
                match state.take(group, identity, true) {
                    Answer::Session(session) => session,
                    _ => {
                        let epoch = state.epoch;
                        drop(state);
                        create(task, group, identity, epoch)?
                    }
                }
            }
            Answer::Session(session) => session,
            Answer::Create(epoch) => create(task, group, identity, epoch)?,
        };
        task.shared.db2_plan.set(identity.plan);
        task.kernel.set_open_priority(terms.open_priority());
        return Ok(Held { session, group, terms, enlisted: false, calls: 0 });
    }
}

/// Counts the task once, in the group of its first thread.
fn count_task(task: &mut Task, state: &mut State, group: Group) {
    let own = TaskState::of_mut(&mut task.parts);
    if own.counted.is_none() {
        own.counted = Some(group);
        let threads = state.threads(group);
        threads.tasks.rise();
        threads.counters.tasks += 1;
    }
}

/// Waits for a thread or a connection; answers what the waker said.
fn wait_for(task: &mut Task, wait: Wait) -> Result<u32, NoThread> {
    match task.kernel.suspend(&wait.not_purgeable()) {
        Resumed::Posted(value) => Ok(value),
        Resumed::TimedOut | Resumed::Purged(_) => {
            let mut state = Attachment::of(task.region).state.lock();
            state.users.remove(&task.number);
            state.tell_quiesced();
            drop(state);
            Err(NoThread::Raised(Raised::Abend(Box::new(Task::purge_abend()))))
        }
    }
}

/// Makes a session for a place that the task has.
fn create(task: &mut Task, group: Group, identity: Identity, epoch: u32) -> Result<Box<Session>, NoThread> {
    let region = task.region;
    let attachment = Attachment::of(region);
    let Some(config) = attachment.config.lock().clone() else {
        leave(task, group, 0, None);
        return Err(refused(task, Answer::Refused(Refusal::NotConnected)));
    };
    let mut wait = TaskWait::new(task.kernel.clone(), attachment.poller());
    match db2::Thread::connect(&config, &mut wait) {
        Ok(thread) => Ok(Box::new(Session { thread, epoch, group, identity, uses: 1 })),
        Err(failure) => {
            leave(task, group, 0, None);
            if wait.purged {
                return Err(NoThread::Raised(Raised::Abend(Box::new(Task::purge_abend()))));
            }
            Err(not_created(task, &failure))
        }
    }
}

/// THREADERROR: the server refuses a session, or is not there.
fn not_created(task: &mut Task, failure: &db2::ConnectFailure) -> NoThread {
    let region = task.region;
    let reason = failure.to_string();
    connection::tell(region, "DFHDB2064", &[("transid", task.transid.as_str()), ("reason", &reason)]);
    connection::verify(region);
    let is_refused = failure.is_refused();
    let thread_error = Attachment::of(region).state.lock().connection.as_ref().map(|connection| connection.thread_error);
    if thread_error == Some(ThreadError::Abend) {
        return NoThread::Raised(abend(if is_refused { "AD2S" } else { "AD2U" }, reason));
    }
    let own = TaskState::of_mut(&mut task.parts);
    own.is_refused = true;
    own.is_lost = true;
    task.touch_unit_of_work();
    match is_refused {
        true => NoThread::Code(sqlcode::AUTHORIZATION, vec![reason]),
        false => NoThread::Code(sqlcode::NOT_CONNECTED, not_connected_tokens(task)),
    }
}

fn not_connected_tokens(task: &Task) -> Vec<String> {
    vec!["CICS-DB2".to_string(), "00F30002".to_string(), "00000800".to_string(), connection::subsystem(task.region)]
}

fn refused(task: &mut Task, answer: Answer) -> NoThread {
    let Answer::Refused(refusal) = answer else { unreachable!("only a refusal is told") };
    let raised = |code, why: &str| NoThread::Raised(abend(code, why));
    match refusal {
        Refusal::NotConnected => not_connected(task),
        Refusal::EntryFull => raised("AD2T", "all threads of the DB2ENTRY are in use, and it has THREADWAIT(NO)"),
        Refusal::PoolFull => raised("AD3T", "all threads of the pool are in use, and the DB2CONN has THREADWAIT(NO)"),
        Refusal::EntryDisabledAbend => raised("AD26", "the DB2ENTRY is disabled, with DISABLEDACT(ABEND)"),
        Refusal::EntryDisabledCode => NoThread::Code(sqlcode::AUTHORIZATION, vec!["DB2ENTRY DISABLED".to_string()]),
    }
}

/// The attachment is not connected: AEY9, or in standby what CONNECTERROR says.
fn not_connected(task: &Task) -> NoThread {
    let (status, abends) = {
        let state = Attachment::of(task.region).state.lock();
        (state.status, state.connection.as_ref().is_none_or(|connection| connection.connect_error_abends))
    };
    match status {
        Status::Connecting if !abends => NoThread::Code(sqlcode::NOT_CONNECTED, not_connected_tokens(task)),
        Status::Connecting => NoThread::Raised(abend("AEY9", "the CICS-Db2 attachment waits for its database")),
        _ => NoThread::Raised(abend("AEY9", "the CICS-Db2 attachment is not connected: no DB2CONN is installed and connected")),
    }
}
