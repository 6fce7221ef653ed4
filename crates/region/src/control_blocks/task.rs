//! The task control area: everything the region knows of one running task.
//!
//! The state that a domain keeps for a task is in its slot (`parts`), and only that domain accesses it. Other tasks see only
//! [`TaskShared`].

use super::application::{Context, TaskContexts};
use super::gauge::Gauge;
use super::level::Level;
use super::origin::{Ancestry, UserCorrelation};
use super::transaction::Transaction;
use super::unit_of_work::UnitOfWorkState;
use crate::facility::{Facility, NextTransaction};
use crate::name::{Name4, Name8};
use crate::slots::{Block, OfTask};
use crate::storage_access::{self, Area};
use crate::{Abend, AttachRequest, Eib, Interrupt, Outcome, Performance, Raised, Region, StartCode};
use csd::TransactionDefinition;
use exec::CommandId;
use kernel::storage::{Getmain, Key, Line, TaskElements, TaskStorage};
use kernel::{Resumed, TaskRef, Wait};
use parking_lot::Mutex;
use program::rununit::FrameId;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A name one task tells and others read.
pub struct PublishedName(AtomicU64);

impl PublishedName {
    pub fn new(name: Name8) -> Self {
        Self(AtomicU64::new(u64::from_ne_bytes(*name.as_bytes())))
    }

    pub fn get(&self) -> Name8 {
        Name8::from_bytes(&self.0.load(Ordering::Relaxed).to_ne_bytes())
    }

    pub fn set(&self, name: Name8) {
        self.0.store(u64::from_ne_bytes(*name.as_bytes()), Ordering::Relaxed);
    }
}

/// The part of a task that other tasks may see.
pub struct TaskShared {
    pub number: u32,
    pub transid: Name4,
    pub kernel: Mutex<Option<TaskRef>>,
    pub facility: Facility,
    pub user_id: Name8,
    pub start_code: StartCode,
    pub definition: Arc<TransactionDefinition>,
    /// The program running at the deepest level.
    pub program: PublishedName,
    /// The plan of its Db2 thread; blank while it has none.
    pub db2_plan: PublishedName,
    /// Transient data queue that triggered the task.
    pub queue: Option<Name4>,
    /// The tasks before it; `None` at a point of origin.
    pub ancestry: Option<Arc<Ancestry>>,
    /// The applications that it works for.
    pub contexts: TaskContexts,
    /// What exit programs of XAPADMGR, or SET ASSOCIATION, have added to the data of its origin.
    pub user_correlation: Mutex<Option<Arc<UserCorrelation>>>,
    /// The abend that a task which is purged now is to have, because of a policy.
    pub requested_abend: Mutex<Option<Box<Abend>>>,
    /// System rules of policies that changes in the task were compared with, and those that acted.
    pub system_rules: [AtomicU32; 2],
    /// The unit of work it is in.
    pub unit_of_work: Arc<crate::UnitIdentity>,
    /// The elements of its storage.
    pub elements: TaskElements,
}

impl TaskShared {
    /// A task of the region itself.
    pub fn is_system(&self) -> bool {
        self.start_code == StartCode::System
    }
}

/// Information about the last abend for ASSIGN and the dump.
#[derive(Clone, Debug, Default)]
pub struct AbendInformation {
    pub code: [u8; 4],
    /// The first abend, when an exit abended again.
    pub original_code: [u8; 4],
    pub program: Name8,
    pub offset: Option<u32>,
    pub line: u32,
    pub dump: bool,
    pub interrupt: Option<Box<Interrupt>>,
    /// The program that abended ran in user key.
    pub in_user_key: bool,
    /// The address that could not be accessed, if that was the reason.
    pub storage: Option<usize>,
}

/// The public part of the task's conversation with its principal facility.
#[derive(Default)]
pub struct Conversation {
    /// The data that started the task, without AID and cursor address, until a RECEIVE takes it.
    pub initial_input: Option<Vec<u8>>,
    /// Anything was sent: the keyboard is then the program's business.
    pub has_sent: bool,
    /// The task has read input from the facility besides the one that started it.
    pub has_read: bool,
}

pub struct Task {
    pub region: &'static Region,
    pub kernel: TaskRef,
    pub number: u32,
    pub transid: Name4,
    pub transaction: Arc<Transaction>,
    /// The definition as it was at attach.
    pub definition: Arc<TransactionDefinition>,
    pub shared: Arc<TaskShared>,
    pub user_id: Name8,
    pub start_code: StartCode,
    pub facility: Facility,
    pub queue: Option<Name4>,
    /// The request to attach again, for a RESTART(YES) transaction.
    pub(crate) restart: Option<Box<AttachRequest>>,
    /// Times the task has been restarted.
    pub restarts: u16,

    pub storage: TaskStorage,
    pub eib: Eib,
    pub twa: Area,
    pub levels: Vec<Level>,
    pub(crate) pending_abend: Option<Box<Abend>>,
    pub abend_information: AbendInformation,
    /// The data that RETURN TRANSID leaves at the terminal.
    pub next_transaction: Option<NextTransaction>,
    /// An input command received this attention key: HANDLE AID is checked after the command.
    pub aid_received: Option<u8>,
    /// Where the command being executed is.
    pub frame: Option<FrameId>,
    pub line: u32,
    pub command: Option<CommandId>,

    pub conversation: Conversation,
    /// The task has abended and is attached again: the data that started it is kept.
    pub restarting: bool,
    pub performance: Performance,
    /// What watches its use of resources; `None` for most tasks.
    pub gauge: Option<&'static Gauge>,
    pub recovery: UnitOfWorkState,
    /// Depths of levels whose program runs on behalf of a user-written condition handler.
    pub handler_levels: Vec<usize>,
    /// The parts of the domains in the task; only their owners access them.
    pub parts: Block<OfTask>,
}

impl Task {
    /// The program of the present level runs on behalf of a user-written condition handler.
    #[inline]
    pub fn is_handling_condition(&self) -> bool {
        self.handler_levels.last() == Some(&self.levels.len())
    }

    /// The level of the running program; `None` before the first and after the last.
    #[inline]
    pub fn level(&self) -> Option<&Level> {
        self.levels.last()
    }

    /// The level of the running program; commands are executed only while there is one.
    #[inline]
    pub fn level_mut(&mut self) -> &mut Level {
        self.levels.last_mut().expect("a command runs at a level")
    }

    pub fn program_name(&self) -> Name8 {
        self.level().map_or(Name8::BLANK, |level| level.name)
    }

    /// The current application context.
    #[inline]
    pub fn context(&self) -> Option<Arc<Context>> {
        match self.level() {
            Some(level) => level.context.clone(),
            None => self.shared.contexts.current(),
        }
    }

    pub fn terminal_name(&self) -> Name4 {
        self.facility.terminal().map_or(Name4::BLANK, |terminal| terminal.name())
    }

    /// Suspends the task; a purge becomes the corresponding abend.
    pub fn suspend(&self, wait: &Wait) -> Result<Resumed, Raised> {
        match self.kernel.suspend(wait) {
            Resumed::Purged(_) => Err(Raised::Abend(Box::new(Self::purge_abend()))),
            resumed => Ok(resumed),
        }
    }

    /// As `suspend`, no longer than DTIMOUT allows.
    pub fn suspend_until_deadlock_timeout(&self, wait: Wait) -> Result<(), Raised> {
        match self.suspend(&Wait { timeout: self.definition.deadlock_timeout(), ..wait })? {
            Resumed::TimedOut => Err(Raised::Abend(Box::new(Self::deadlock_timeout_abend()))),
            _ => Ok(()),
        }
    }

    pub(super) fn deadlock_timeout_abend() -> Abend {
        Abend::new("AKCS").because("DTIMOUT: the task was suspended too long")
    }

    /// Why the task is abended AICA.
    pub fn runaway_reason(&self) -> String {
        format!("the task ran {} ms (RUNAWAY) without giving up control", self.kernel.runaway().as_millis())
    }

    /// The abend of a purged task: AEXY by purge, and the task's exits are passed over.
    pub fn purge_abend() -> Abend {
        let mut abend = Abend::new("AEXY").because("the task was purged");
        abend.cancel_exits = true;
        abend
    }

    /// Gives up control to other tasks; a task that was purged abends here (SUSPEND, DELAY without time).
    pub(crate) fn give_way(&mut self) -> Outcome {
        match self.kernel.relinquish_purgeable() {
            Some(_) => Err(Raised::Abend(Box::new(Task::purge_abend()))),
            None => Ok(()),
        }
    }

    /// The key of task storage: the transaction's TASKDATAKEY.
    pub fn data_key(&self) -> Key {
        match self.definition.task_data_key {
            csd::Key::Cics => Key::Cics,
            csd::Key::User => Key::User,
        }
    }

    /// The program of the present level runs in user key: it can write user-key storage only.
    pub fn runs_in_user_key(&self) -> bool {
        self.region.storage_protection && self.level().is_some_and(|level| level.execkey == csd::Key::User)
    }

    /// Where task data lies: TASKDATALOC.
    pub fn data_line(&self) -> Line {
        if self.definition.task_data_anywhere { Line::Below2G } else { Line::Below16M }
    }

    /// Where the data of a SET option lies: DATALOCATION of the running program.
    pub fn set_line(&self) -> Line {
        self.level().map_or(Line::Below2G, |level| level.data_line)
    }

    /// Data placed in storage for a SET option; it lives until the program's level ends.
    pub fn level_storage(&mut self, data: &[u8]) -> Result<usize, Raised> {
        let address = self.set_storage(data)?;
        self.level_mut().storage.push(address);
        Ok(address)
    }

    /// Data placed in storage for a SET option, for the caller to give up.
    pub(crate) fn set_storage(&mut self, data: &[u8]) -> Result<usize, Raised> {
        let request = Getmain { length: data.len().max(1), line: self.set_line(), key: self.data_key(), initial: None };
        let address = self.getmain(request, false)?;
        storage_access::write(address, data)?;
        Ok(address)
    }

    /// Sets EIBRSRCE: the resource the command named.
    pub fn set_resource<const N: usize>(&mut self, name: &crate::name::Name<N>) {
        let padded: Name8 = crate::name::resized(name);
        self.eib.set_name(exec::eib::EIBRSRCE, &padded, &self.region.code_page);
    }

    /// Tells inquiry which program runs.
    pub(crate) fn publish_program(&self) {
        self.shared.program.set(self.program_name());
    }
}
