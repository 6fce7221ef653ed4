//! The run unit: the programs active at one LINK level, their storage, and CALL between them.
//!
//! Invariants:
//! * one [`RunUnit`] is used by one task at a time; it owns its [`Context`] and [`UnitHeader`], whose addresses compiled
//!   code keeps, so it stays in its box;
//! * compiled code may run in user key: the memory it writes (header and frames) is [`kernel::UserMemory`]; it cannot write the rest of the
//!   unit;
//! * a program has one primary activation per run unit, and with it one WORKING-STORAGE; further activations exist
//!   only for RECURSIVE programs and share that storage;
//! * frames and storage live until [`RunUnit::finish`], except what a RELEASE activation takes for itself;
//! * a frame marked ACTIVE is on the chain `header.current -> caller -> ...`.
//!
//! The functions behind the slots (`shims`) are here because they and the run unit depend on each other: compiled code reaches the unit
//! through them, and the unit enters programs through one of them.
//!
//! `unsafe` in this module and those below it rests on three facts. The frame that compiled code passes to a shim is the one it was entered
//! with, which this unit has made. A frame's session and the program it activates live until [`RunUnit::finish`]. An area of the program
//! (operand, parameter, item) may have any address and length; it is touched in place only under `on_program_data` or in a light shim,
//! where a fault is the program's, and no Rust reference to it is kept beyond the call. The tests cover these modules with wild addresses
//! (`codegen/tests/wild_addresses.rs`), fifty tasks in one program (`regent/tests/reentry.rs`) and conditions (`codegen/tests/resume.rs`,
//! `regent/tests/conditions.rs`); Miri cannot, because the callers are compiled code.

mod activation;
mod c;
mod call;
mod checks;
mod condition_block;
mod condition_options;
mod condition_services;
mod conditions;
mod dump;
mod enclave_services;
mod ended;
mod environment;
mod file_errors;
mod guarded;
mod host;
mod locale_services;
mod markup;
mod national_services;
mod operations;
mod resource_manager;
mod services;
mod shims;
mod sort;
mod sql_messages;
mod watched;

pub use sort::SORT_BYTES_MAX;

pub use crate::abi::CLink;
pub use activation::Activation;
pub use c::CStorage;
pub use condition_options::{ConditionOptions, TerminationAction, UserHandlers};
pub use enclave_services::{EnclaveOptions, RunTimeOptions};
pub use ended::{Ended, Failure, Place, exception_of, place_of};
pub use host::{
    CANCELLED, ExecOutcome, FileOutcome, FrameId, Host, MapProgram, Milestone, NO_STORAGE, OperatorReply, ResourceManagerService, WatchWord,
};
pub use kernel::Departure;

use crate::abi::{Context, Frame, SlotTable, UnitHeader, completion};
use crate::module::Module;
use conditions::{Conditions, Leaving};
use rustc_hash::FxHashMap;
use shims::{enter_cics_key, enter_program_key, key};
use std::sync::Arc;

/// The input of a run unit's first program.
#[derive(Clone, Copy, Default)]
pub struct Invocation<'a> {
    /// Address of the EXEC interface block; 0 in batch.
    pub eib: u32,
    pub commarea: u32,
    pub commarea_length: u32,
    /// Addresses of the arguments in USING order; in a CICS program the first two are DFHEIBLK and DFHCOMMAREA.
    pub arguments: &'a [u32],
}

#[expect(clippy::vec_box, reason = "compiled code keeps the addresses of activations, so only pointers to them move")]
pub struct RunUnit {
    context: Context,
    header: Header,
    key: ProgramKey,
    /// With [`ProgramKey::Isolated`], and only then.
    pub(crate) subspace: Option<kernel::Subspace>,
    /// Valid while [`RunUnit::start`] or [`RunUnit::resume`] runs.
    host: Option<*mut dyn Host>,
    /// Primary activations, in order of first use.
    activations: Vec<Box<Activation>>,
    /// Further activations of recursive programs, innermost last.
    recursive: Vec<Box<Activation>>,
    /// Frames of ended activations, for use again.
    spare: Vec<Box<Activation>>,
    /// Modules by the name they were called by.
    names: FxHashMap<String, Arc<Module>>,
    external: FxHashMap<String, (u32, u32)>,
    /// Procedure pointers handed out: the pointer is an index here plus [`call::POINTER_BASE`].
    pointers: Vec<(Arc<Module>, usize, u32)>,
    /// How often C programs have fetched the program of a pointer and not released it.
    fetched: FxHashMap<u32, u32>,
    sorts: Vec<(sort::SortId, sort::SortWork)>,
    sort_bytes_max: usize,
    /// XML PARSE statements being executed.
    parses: FxHashMap<(FrameId, u32), markup::Parse>,
    /// ALLOCATEd storage: address to length.
    allocated: FxHashMap<u32, u32>,
    /// Temporaries that programs obtain when they use them: frame and number to an address in `allocated`.
    scratch_areas: FxHashMap<(FrameId, u32), u32>,
    /// State of FUNCTION RANDOM.
    random: Box<u64>,
    /// Set by CEESCEN and CEE3CTY.
    settings: le::callable::Settings,
    switches: u8,
    /// Run-time option DEBUG: debugging sections are performed.
    debugging: bool,
    environment_name: String,
    /// The rest of a line of standard input that C programs have begun to read.
    c_input: Vec<u8>,
    invocation: Invocation<'static>,
    initial_arguments: Vec<u32>,
    /// Line and statement of the last EXEC command, for abends that carry no program counter.
    last_line: (u32, u32),
    /// Details of the current abend, for the messages.
    detail: Option<String>,
    conditions: Conditions,
    enclave: enclave_services::LazyEnclave,
    /// Keeps the word that the header leads to.
    watch: Option<WatchWord>,
}

// Between runs no outside pointer leads into the unit, and its own pointers lead only to data it owns and to constants of modules it keeps:
// it may move to another thread. While it runs, it belongs to the code of one task.
unsafe impl Send for RunUnit {}

/// In which key the programs of a unit run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ProgramKey {
    Cics,
    User,
    /// User key, in the unit's subspace.
    Isolated,
}

/// The unit's header, in memory that compiled code may write.
struct Header(kernel::UserMemory);

impl Header {
    fn new() -> Header {
        let mut header = Header(kernel::UserMemory::zeroed(std::mem::size_of::<UnitHeader>()));
        *header = UnitHeader { current: std::ptr::null_mut(), generation: 1, return_code: 0, exception: 0, watch: watched::nobody() };
        header
    }

    fn address(&self) -> *mut UnitHeader {
        self.0.as_ptr().cast()
    }
}

// The memory is as long as a header, aligned, and belongs to this unit.
impl std::ops::Deref for Header {
    type Target = UnitHeader;

    fn deref(&self) -> &UnitHeader {
        unsafe { &*self.address() }
    }
}

impl std::ops::DerefMut for Header {
    fn deref_mut(&mut self) -> &mut UnitHeader {
        unsafe { &mut *self.address() }
    }
}

impl RunUnit {
    pub fn new() -> Box<RunUnit> {
        let slots = SlotTable::standard();
        let null = std::ptr::null_mut();
        let mut unit = Box::new(RunUnit {
            context: Context { slots, unit: std::ptr::null_mut(), poll: 0, run_unit: null },
            header: Header::new(),
            key: ProgramKey::Cics,
            subspace: None,
            host: None,
            activations: Vec::new(),
            recursive: Vec::new(),
            spare: Vec::new(),
            names: FxHashMap::default(),
            external: FxHashMap::default(),
            pointers: Vec::new(),
            fetched: FxHashMap::default(),
            sorts: Vec::new(),
            sort_bytes_max: sort::SORT_BYTES_MAX,
            parses: FxHashMap::default(),
            allocated: FxHashMap::default(),
            scratch_areas: FxHashMap::default(),
            random: Box::new(0),
            settings: le::callable::Settings::default(),
            switches: 0,
            debugging: false,
            environment_name: String::new(),
            c_input: Vec::new(),
            invocation: Invocation::default(),
            initial_arguments: Vec::new(),
            last_line: (0, 0),
            detail: None,
            conditions: Conditions::default(),
            enclave: enclave_services::LazyEnclave::default(),
            watch: None,
        });
        let address: *mut RunUnit = &mut *unit;
        // The context is in the box: its address is stable.
        unsafe {
            (*address).context.unit = (*address).header.address();
            (*address).context.run_unit = address.cast();
        }
        unit
    }

    /// The key in which programs run from the next start on. If this thread cannot enter user key ([`kernel::can_enter_user_key`]), they
    /// run in CICS key.
    pub fn set_key(&mut self, user_key: bool, subspace: Option<kernel::Subspace>) {
        if !user_key && self.key == ProgramKey::Cics {
            return;
        }
        let user_key = user_key && kernel::can_enter_user_key();
        self.subspace = subspace.filter(|_| user_key);
        (self.key, self.context.slots) = match (user_key, &self.subspace) {
            (false, _) => (ProgramKey::Cics, SlotTable::standard()),
            (true, None) => (ProgramKey::User, SlotTable::user_key()),
            (true, Some(_)) => (ProgramKey::Isolated, SlotTable::isolated()),
        };
    }

    pub fn set_switches(&mut self, switches: u8) {
        self.switches = switches;
    }

    /// Run-time option DEBUG or NODEBUG.
    pub fn set_debugging(&mut self, on: bool) {
        self.debugging = on;
    }

    pub fn return_code(&self) -> i32 {
        self.header.return_code
    }

    /// The innermost active program.
    pub fn current(&self) -> Option<FrameId> {
        // The frames on the chain are those of active programs.
        unsafe { FrameId::new(self.header.current) }
    }

    /// Run a program of a module from one of its entries (label 0: its beginning) until it ends, leaves or abends.
    pub fn start(&mut self, host: &mut dyn Host, module: &Arc<Module>, program: usize, label: u32, invocation: Invocation) -> Ended {
        self.initial_arguments.clear();
        self.initial_arguments.extend_from_slice(invocation.arguments);
        self.invocation = Invocation { arguments: &[], ..invocation };
        self.with_host(host, |unit| {
            if module.programs[program].attributes & crate::module::attributes::C_SUBPROGRAM != 0 {
                let refused = unit.refuse_c(&module.programs[program].name, "a C program without a main function is reached by CALL only");
                return unit.departed(refused);
            }
            let entered = unit.activate(module, program, std::ptr::null_mut());
            let frame = match entered {
                Ok(frame) => frame,
                Err(departure) => return unit.departed(departure),
            };
            let arguments = std::mem::take(&mut unit.initial_arguments);
            unsafe { call::pass_arguments(frame, &arguments) };
            unit.initial_arguments = arguments;
            unit.header.current = frame;
            unit.enter(frame, label)
        })
    }

    /// Enters the frame again at one of its labels after an abend (HANDLE ABEND LABEL): programs it had called are ended.
    pub fn resume(&mut self, host: &mut dyn Host, frame: FrameId, label: u32) -> Ended {
        self.with_host(host, |unit| {
            let frame = frame.as_ptr();
            unit.unwind_to(frame);
            unit.enter(frame, label)
        })
    }

    /// Ends the run unit: every program's storage is released; the unit can be started again.
    pub fn finish(&mut self, host: &mut dyn Host) {
        self.with_host(host, |unit| unit.release_all());
        self.header.current = std::ptr::null_mut();
        self.header.generation += 1;
        self.header.return_code = 0;
        self.header.exception = 0;
        self.stop_watching();
        // Few programs CALL by name; clearing an empty table costs more than checking it.
        if !self.names.is_empty() {
            self.names.clear();
        }
        self.pointers.clear();
        if !self.fetched.is_empty() {
            self.fetched.clear();
        }
        // The next start of the unit, perhaps by another task, must find nothing of this run.
        *self.random = 0;
        self.settings = le::callable::Settings::default();
        self.switches = 0;
        self.debugging = false;
        self.environment_name.clear();
        self.c_input.clear();
        self.set_key(false, None);
        self.last_line = (0, 0);
        self.detail = None;
        self.conditions.clear();
        if self.enclave.is_changed() {
            self.enclave = enclave_services::LazyEnclave::default();
        }
    }

    fn with_host<T>(&mut self, host: &mut dyn Host, work: impl FnOnce(&mut RunUnit) -> T) -> T {
        // The pointer is used only until this call returns, while `host` is borrowed.
        let host: *mut (dyn Host + 'static) = unsafe { std::mem::transmute(host as *mut dyn Host) };
        let outer = self.host.replace(host);
        let result = work(self);
        self.host = outer;
        result
    }

    pub(crate) fn host(&mut self) -> &mut dyn Host {
        let host = self.host.expect("a run unit calls its host only while it runs");
        unsafe { &mut *host }
    }

    fn enter(&mut self, frame: *mut Frame, label: u32) -> Ended {
        match self.run_guarded(frame, label) {
            Ok(ended) => {
                unsafe { (*frame).flags &= !crate::abi::frame_flags::ACTIVE };
                if ended == completion::STOPPED { Ended::Stopped } else { Ended::Returned }
            }
            Err(departure) => self.departed(departure),
        }
    }

    fn departed(&mut self, departure: Departure) -> Ended {
        self.conditions.terminating = false;
        let explained = self.conditions.failure.take();
        match departure {
            Departure::Exit(_) if self.conditions.leaving.take() == Some(Leaving::Stop) => Ended::Stopped,
            Departure::Exit(value) => Ended::Left(value),
            Departure::Abend(abend) => Ended::Abended(explained.unwrap_or_else(|| Box::new(self.explain(*abend)))),
        }
    }

    /// The abend with its details.
    fn explain(&mut self, abend: kernel::Abend) -> Failure {
        let detail = self.detail.take();
        Failure { detail, ..Failure::explain(abend, &self.header, self.last_line) }
    }
}

unsafe extern "C" fn enter_program<const KEY: u8>(entry: usize, context: usize, frame: usize, label: usize) -> u64 {
    let entry: crate::abi::Entry = std::mem::transmute(entry);
    let context = context as *mut Context;
    enter_program_key::<KEY>(context);
    let ended = entry(context, frame as *mut Frame, label as u32) as u64;
    enter_cics_key::<KEY>(context);
    ended
}
