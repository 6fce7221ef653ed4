//! The global user exit points of a region: which have an exit program, and the way to call them.
//!
//! A domain asks [`Task::has_exit`] at each of its points: one load. If there is an exit program, it makes the parameters of the point and calls
//! [`Task::call_exit`]. Who runs exit programs is not known here: the domain of user exits installs itself.
//!
//! Invariant: a point is active only while an exit program is enabled there and started.

use super::extensions::ResourceRequest;
use super::raised::Raised;
use super::region::Region;
use super::task::Task;
use exec::ExitPoint;
use program::rununit::ResourceManagerService;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Words of a set of exit points, whose numbers have a byte.
const WORDS: usize = (u8::MAX as usize + 1) / u64::BITS as usize;

/// A parameter of an exit point: where its address leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExitArgument {
    /// The address is zero.
    Absent,
    /// An address of program storage.
    Address(usize),
    /// An address that the exit program may put another in place of: after the call it is that.
    Returned(usize),
    /// A copy of these bytes. After the call it has what the exit programs left there.
    Bytes(Vec<u8>),
}

impl ExitArgument {
    pub fn bytes(bytes: &[u8]) -> Self {
        Self::Bytes(bytes.to_vec())
    }

    /// The bytes of a copy.
    pub fn get(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            _ => &[],
        }
    }
}

/// The return code of the exit programs of a point; it is one of the point's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExitCode(pub u16);

impl ExitCode {
    /// UERCNORM.
    pub const NORMAL: ExitCode = ExitCode(0);

    /// Whether it is the return code of this name.
    pub fn is(self, name: &str) -> bool {
        exec::exit_return_codes().iter().any(|code| code.name == name && code.value == self.0)
    }
}

/// Runs the exit programs of a point.
pub trait CallExits: Send + Sync {
    /// The parameters are those of the point, in the order of its row.
    ///
    /// # Errors
    ///
    /// An abend that passes over all exits of the task, such as a purge. Other abends of an exit program end only the exit program.
    fn call(&self, task: &mut Task, point: ExitPoint, arguments: &mut [ExitArgument]) -> Result<ExitCode, Raised>;

    /// A CALL of DFHRMCAL or DFHRMXCH, with the addresses of its arguments. The result is RETURN-CODE: for DFHRMCAL the response code of the
    /// resource manager.
    ///
    /// # Errors
    ///
    /// AEY9 if the task-related user exit is not available, and its own abend.
    fn resource_manager(&self, task: &mut Task, service: ResourceManagerService, arguments: &[u32]) -> Result<i32, Raised>;

    /// What EDF displays of a request, as its task-related user exit says if it has FORMATEDF.
    fn display_of(&self, task: &mut Task, request: &ResourceRequest) -> RequestDisplay;

    /// Does something in the task of the region that calls exit programs, after what has been given before. Without such a task, and for what
    /// that task itself brings about, it is done at once, with `None`.
    fn in_system_task(&self, region: &'static Region, work: ExitWork);
}

/// Something with an exit point that happens outside of tasks: what calls the exit programs, if there is a task, and goes on in either case.
pub type ExitWork = Box<dyn FnOnce(Option<&mut Task>) + Send>;

/// What EDF displays of a request to a resource manager.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RequestDisplay {
    /// The parameters as they are.
    Parameters,
    Nothing,
    Lines(Vec<String>),
}

/// The exit points of a region.
#[derive(Default)]
pub struct ExitPoints {
    active: [AtomicU64; WORDS],
    caller: OnceLock<Box<dyn CallExits>>,
}

impl ExitPoints {
    #[inline]
    pub fn is_active(&self, point: ExitPoint) -> bool {
        let (word, bit) = place(point);
        self.active[word].load(Ordering::Relaxed) & bit != 0
    }

    pub fn set_active(&self, point: ExitPoint, active: bool) {
        debug_assert!(!active || self.caller.get().is_some(), "someone calls the exit programs");
        let (word, bit) = place(point);
        if active {
            self.active[word].fetch_or(bit, Ordering::Release);
        } else {
            self.active[word].fetch_and(!bit, Ordering::Release);
        }
    }

    /// Who runs exit programs; `None`: none has been enabled yet.
    pub fn caller(&self) -> Option<&dyn CallExits> {
        self.caller.get().map(Box::as_ref)
    }

    /// Installs who runs exit programs; a second call has no effect.
    pub fn call_by(&self, caller: impl FnOnce() -> Box<dyn CallExits>) {
        self.caller.get_or_init(caller);
    }
}

fn place(point: ExitPoint) -> (usize, u64) {
    let number = usize::from(point.0);
    (number / u64::BITS as usize, 1 << (number % u64::BITS as usize))
}

impl Region {
    /// Does something that happens outside of tasks and has an exit point: in a task, if an exit program is enabled there and started.
    pub fn at_exit_point(&'static self, point: ExitPoint, work: impl FnOnce(Option<&mut Task>) + Send + 'static) {
        let exits = &self.extensions.exits;
        match exits.caller() {
            Some(caller) if exits.is_active(point) => caller.in_system_task(self, Box::new(work)),
            _ => work(None),
        }
    }
}

impl Task {
    /// An exit program is enabled at the point and started.
    #[inline]
    pub fn has_exit(&self, point: ExitPoint) -> bool {
        self.region.extensions.exits.is_active(point)
    }

    /// Calls the exit programs of a point; see [`CallExits::call`].
    #[cold]
    pub fn call_exit(&mut self, point: ExitPoint, arguments: &mut [ExitArgument]) -> Result<ExitCode, Raised> {
        debug_assert_eq!(arguments.len(), point.spec().parameters.len(), "{} has its parameters", point.spec().name);
        match self.region.extensions.exits.caller.get() {
            Some(caller) => caller.call(self, point, arguments),
            None => Ok(ExitCode::NORMAL),
        }
    }

    /// The arguments of a point: those that `value` has for their names, and for others those of `exit_identity`.
    pub fn exit_arguments(&self, point: ExitPoint, mut value: impl FnMut(&str) -> Option<ExitArgument>) -> Vec<ExitArgument> {
        let mut identity = self.exit_identity().into_iter();
        let parameters = point.spec().parameters.iter();
        parameters.map(|parameter| value(parameter.name).unwrap_or_else(|| identity.next().unwrap_or(ExitArgument::Absent))).collect()
    }

    /// The arguments that most points of the domains have first: UEPTRANID, UEPUSER, UEPTERM and UEPPROG.
    pub fn exit_identity(&self) -> Vec<ExitArgument> {
        let code_page = &self.region.code_page;
        let terminal = match self.facility.terminal() {
            Some(terminal) => ExitArgument::bytes(&code_page.encode_name(&terminal.name())),
            None => ExitArgument::Absent,
        };
        vec![
            ExitArgument::bytes(&code_page.encode_name(&self.transid)),
            ExitArgument::bytes(&code_page.encode_name(&self.user_id)),
            terminal,
            ExitArgument::bytes(&code_page.encode_name(&self.program_name())),
        ]
    }
}
