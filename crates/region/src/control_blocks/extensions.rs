//! The optional parts of the gate besides a domain's handler: observers of commands (CEDF, trace, user exits, policies), an authority that
//! allows commands (security), the way to other systems (function shipping), and a debugger, which programs compiled with TEST tell
//! what they reach.
//!
//! Nothing is installed when a region starts, and then a command pays one load for all of them. Invariant: an installed extension stays
//! until the region ends; observers are called in the order of their installation before a command, and in reverse order after it.

use super::attach::AttachRequest;
use super::raised::{Abend, Outcome};
use super::region::Region;
use super::target::Target;
use crate::name::{Name, Name4, Name8};
use crate::{Arguments, Task};
use csd::{Definition, TransactionDefinition};
use exec::block::Block;
use exec::{CommandId, CommandSpec};
use parking_lot::Mutex;
use program::requests::{SqlOutcome, SqlRequest};
use program::rununit::{FrameId, Milestone, WatchWord};
use std::any::Any;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};

/// An observer's decision about a command that is about to be executed.
#[derive(Debug)]
pub enum Verdict {
    /// It is executed.
    Execute,
    /// The command is not executed: this is its outcome. Later observers are not called.
    Answer(Outcome),
}

/// A request of a program to a resource manager (DFHRMCAL).
pub struct ResourceRequest<'a> {
    /// The entry name of the task-related user exit.
    pub exit: Name8,
    /// The addresses of its parameters.
    pub parameters: &'a [u32],
    /// The response of the resource manager, when there is one.
    pub response: Option<i32>,
}

/// Sees every command of every task, and the beginnings and ends around them. An observer may suspend the task.
pub trait Observer: Send + Sync {
    fn before(&self, task: &mut Task, block: &mut Block) -> Verdict;

    /// Called after the command, however it was answered; the outcome may be replaced.
    fn after(&self, task: &mut Task, block: &mut Block, outcome: &mut Outcome);

    /// The task has its storage and facility; its first program has not begun.
    fn task_begins(&self, _task: &mut Task) {}

    /// The task ends, well or with an abend. Its last syncpoint or backout comes next.
    fn task_ends(&self, _task: &mut Task, _abend: Option<&Abend>) {}

    /// The program of the present level is about to run, in the TCB mode of its caller.
    fn program_begins(&self, _task: &mut Task) {}

    /// The program of the present level has ended. The level is still there.
    fn program_ends(&self, _task: &mut Task, _abend: Option<&Abend>) {}

    /// A program abends. Its exits (HANDLE ABEND) have not been looked at.
    fn abends(&self, _task: &mut Task, _abend: &mut Abend) {}

    /// A task-related user exit is about to get the request of a program to its resource manager.
    fn before_request(&self, _task: &mut Task, _request: &ResourceRequest) {}

    /// It has processed the request.
    fn after_request(&self, _task: &mut Task, _request: &ResourceRequest) {}

    /// A statement is about to go to the SQL database.
    fn before_sql(&self, _task: &mut Task, _request: &SqlRequest) {}

    /// The SQL database has executed a statement.
    fn after_sql(&self, _task: &mut Task, _request: &SqlRequest, _outcome: &SqlOutcome) {}
}

/// A user as the authority keeps it. The region hands it on with the work of the user, and looks at nothing in it.
pub type UserToken = Arc<dyn Any + Send + Sync>;

/// Why a definition is not installed that its user may not install.
pub const NOT_AUTHORIZED: &str = "you are not authorized to install it";

/// The user may not do what is asked for. The authority has told the operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAuthorized;

/// Decides who may do what. Without an authority everybody may do everything (SEC=NO).
pub trait Authority: Send + Sync {
    /// Whether the task may issue the command for the resource.
    fn allows(&self, task: &Task, command: &CommandSpec, target: Option<&Target>, arguments: &Arguments) -> Outcome;

    /// Whether a browse of the task by an INQUIRE command comes to a resource.
    fn shows(&self, _task: &Task, _command: CommandId, _name: &Name<16>) -> bool {
        true
    }

    /// Whether the user may run the transaction that is to be attached; the user, for the task. Not called for tasks of the region itself.
    fn attaches(
        &self,
        _region: &'static Region,
        _request: &AttachRequest,
        _user_id: Name8,
        _definition: &TransactionDefinition,
    ) -> Result<Option<UserToken>, NotAuthorized> {
        Ok(None)
    }

    /// Whether the task may go on as one of another transaction (XXMATT).
    fn may_run(&self, _task: &Task, _definition: &TransactionDefinition) -> bool {
        true
    }

    /// Whether the task may start work for a user: USERID of START.
    fn may_start_for(&self, _task: &Task, _user_id: Name8) -> Outcome {
        Ok(())
    }

    /// Whether the task may read a resource that its command names by another name than that of its definition.
    fn may_read(&self, _task: &Task, _resource: &'static str, _name: &str) -> bool {
        true
    }

    /// Whether the user of the task may install a definition, and if it names a user, whether he is that user's surrogate.
    fn may_install(&self, _task: &Task, _definition: &Definition) -> bool {
        true
    }

    /// The user of a terminal whose definition has a USERID; the terminal by name and netname.
    fn preset(&self, _region: &'static Region, _terminal: (Name4, Name8), _user_id: Name8) -> Result<Option<UserToken>, NotAuthorized> {
        Ok(None)
    }
}

/// Carries commands to other systems.
pub trait FunctionShipping: Send + Sync {
    /// `None`: the system is not known.
    fn ship(&self, task: &mut Task, system: Name4, target: Option<&Target>, arguments: &mut Arguments) -> Option<Outcome>;
}

/// Watches programs compiled with TEST.
pub trait Debugger: Send + Sync {
    /// A program compiled with TEST begins: the word that decides whether the task's programs tell what they reach.
    fn watch(&self, task: &mut Task) -> Option<WatchWord>;

    /// A watched program has reached a milestone; it waits until this returns. An error ends it.
    fn reached(&self, task: &mut Task, frame: FrameId, milestone: Milestone) -> Outcome;

    /// A program has abended at this statement of its module, if that is known: the storage of the program `innermost`, and of those that
    /// called it, is still there, and no exit has got control.
    fn abended(&self, task: &mut Task, innermost: FrameId, statement: Option<u32>, abend: &Abend);
}

/// The extensions of a region's gate.
#[derive(Default)]
pub struct Extensions {
    /// What is installed: `OBSERVED` and `AUTHORIZED`.
    installed: AtomicU8,
    /// In the order of their installation, behind one another from the first place on.
    observers: [OnceLock<Arc<dyn Observer>>; OBSERVERS_MAX],
    observing: Mutex<()>,
    authority: OnceLock<Box<dyn Authority>>,
    shipping: OnceLock<Box<dyn FunctionShipping>>,
    /// The global user exit points.
    pub exits: super::exits::ExitPoints,
    debugger: OnceLock<Box<dyn Debugger>>,
}

/// Most observers of a region. Each part of a region that needs one installs it once.
const OBSERVERS_MAX: usize = 16;
/// There are observers.
const OBSERVED: u8 = 1;
/// There is an authority.
const AUTHORIZED: u8 = 2;

impl Extensions {
    pub fn observe(&self, observer: Arc<dyn Observer>) {
        let _alone = self.observing.lock();
        let place = self.observers.iter().find(|place| place.get().is_none());
        let is_installed = place.is_some_and(|place| place.set(observer).is_ok());
        assert!(is_installed, "a region has at most {OBSERVERS_MAX} observers");
        self.installed.fetch_or(OBSERVED, Ordering::Release);
    }

    /// Installs the authority; false if there already is one.
    pub fn authorize_by(&self, authority: Box<dyn Authority>) -> bool {
        let is_first = self.authority.set(authority).is_ok();
        self.installed.fetch_or(AUTHORIZED, Ordering::Release);
        is_first
    }

    /// Installs the way to other systems; false if there already is one.
    pub fn ship_by(&self, shipping: Box<dyn FunctionShipping>) -> bool {
        self.shipping.set(shipping).is_ok()
    }

    /// Installs the debugger; false if there already is one.
    pub fn debug_by(&self, debugger: Box<dyn Debugger>) -> bool {
        self.debugger.set(debugger).is_ok()
    }

    /// Neither observers nor an authority.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.installed.load(Ordering::Relaxed) == 0
    }

    #[inline]
    pub fn is_observed(&self) -> bool {
        self.installed.load(Ordering::Relaxed) & OBSERVED != 0
    }

    #[inline]
    pub fn authority(&self) -> Option<&dyn Authority> {
        match self.installed.load(Ordering::Acquire) & AUTHORIZED {
            0 => None,
            _ => self.authority.get().map(Box::as_ref),
        }
    }

    /// Whether the task may read the resource of the definition.
    pub fn may_read(&self, task: &Task, resource: &'static str, name: &str) -> bool {
        self.authority().is_none_or(|authority| authority.may_read(task, resource, name))
    }

    /// Whether the user of the task may install the definition.
    pub fn may_install(&self, task: &Task, definition: &Definition) -> bool {
        self.authority().is_none_or(|authority| authority.may_install(task, definition))
    }

    pub(crate) fn shipping(&self) -> Option<&dyn FunctionShipping> {
        self.shipping.get().map(Box::as_ref)
    }

    pub(crate) fn debugger(&self) -> Option<&dyn Debugger> {
        self.debugger.get().map(Box::as_ref)
    }

    /// Calls the observers; an answer replaces the command.
    #[cold]
    pub(crate) fn before(&self, task: &mut Task, block: &mut Block) -> Option<Outcome> {
        self.observers().find_map(|observer| match observer.before(task, block) {
            Verdict::Execute => None,
            Verdict::Answer(outcome) => Some(outcome),
        })
    }

    #[cold]
    pub(crate) fn after(&self, task: &mut Task, block: &mut Block, outcome: &mut Outcome) {
        for observer in self.observers.iter().rev().filter_map(OnceLock::get) {
            observer.after(task, block, outcome);
        }
    }

    /// Calls the observers in the order of their installation, if there are any.
    #[inline]
    pub(crate) fn tell(&self, told: impl FnMut(&dyn Observer)) {
        if self.is_observed() {
            self.tell_all(told);
        }
    }

    #[cold]
    fn tell_all(&self, mut told: impl FnMut(&dyn Observer)) {
        self.observers().for_each(|observer| told(observer.as_ref()));
    }

    /// No lock is held while one is called, because it may suspend the task.
    fn observers(&self) -> impl Iterator<Item = &Arc<dyn Observer>> {
        self.observers.iter().map_while(OnceLock::get)
    }
}
