//! Guarded calls: recovery points, abends and traps.
use std::sync::atomic::AtomicU32;

/// How control left a guarded call other than by returning.
#[derive(Clone, Debug)]
pub enum Departure {
    /// [`raise_exit`] with this value: a deliberate exit (EXEC CICS RETURN, GOBACK from depth ...), not an error.
    Exit(u64),
    Abend(Box<Abend>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AbendKind {
    /// By [`raise`].
    Raised,
    /// A program check; `trap` is filled, `code` is ASRA.
    Trap,
    /// AICA
    Runaway,
    /// The task's stack is exhausted; `trap` is filled.
    StackOverflow,
    /// By purge, force-purge or kill while the program looped.
    Purged(crate::wait::Purge),
}

#[derive(Clone, Debug)]
pub struct Abend {
    pub code: [u8; 4],
    pub kind: AbendKind,
    /// The raiser's value.
    pub value: u64,
    pub trap: Option<Trap>,
}
impl Abend {
    pub fn new(_code: &str, _value: u64) -> Abend { unimplemented!() }
}

/// Kind of program check, before the program's trap table refines it (ud2 may mean 0C7, 0C9, 0CB ...).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interrupt {
    /// SIGSEGV, SIGBUS
    Protection,
    /// SIGILL: ud2; the program's trap table tells which.
    Illegal,
    /// SIGFPE
    Arithmetic,
}

#[derive(Clone, Copy, Debug)]
pub struct Trap {
    pub interrupt: Interrupt,
    /// Address of the program's instruction: the faulting one, or the return address of its call into the run time.
    pub pc: usize,
    /// Identifier and offset in the registered code range.
    pub code_id: u64,
    pub offset: usize,
    /// The fault was in run-time code on behalf of the program.
    pub in_run_time: bool,
    /// The data address that faulted.
    pub address: usize,
    pub protection_key: bool,
    /// rax rbx rcx rdx rsi rdi rbp rsp r8-r15
    pub registers: [u64; 16],
}

/// A function of the program: four words in, one out.
pub type GuardedFunction = unsafe extern "C" fn(usize, usize, usize, usize) -> u64;

/// Calls `function` under a recovery point.
/// # Safety
/// Every frame a raise or trap may skip (those of `function` and what it calls, up to the raiser) must need no destructor to run.
pub unsafe fn guarded_call(_function: GuardedFunction, _arguments: [usize; 4]) -> Result<u64, Departure> { unimplemented!() }

/// Leaves the innermost guarded call with an abend.
/// # Safety
/// No frame between here and the guarded call may own anything: callers are the outermost `extern "C"` shims.
pub unsafe fn raise(_abend: Box<Abend>) -> ! { unimplemented!() }
/// Leaves the innermost guarded call with a value.
/// # Safety
/// As [`raise`].
pub unsafe fn raise_exit(_value: u64) -> ! { unimplemented!() }

/// While alive, faults are the run time's own even inside a guarded call: taken by every gate that owns resources or locks (the EXEC
/// gate, CALL resolution). Light helpers that own nothing do not take it: their faults on program addresses are the program's.
pub struct RunTime { _private: () }
impl RunTime {
    pub fn enter() -> RunTime { unimplemented!() }
}

/// A program address could not be read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AccessFault {
    pub address: usize,
    pub protection_key: bool,
}
/// Copies from program storage; a bad address is an error, not a signal.
/// # Safety
/// The area must not be a Rust object.
pub unsafe fn copy_in(_from: usize, _to: &mut [u8]) -> Result<(), AccessFault> { unimplemented!() }
/// Copies to program storage.
/// # Safety
/// The area must not be a Rust object.
pub unsafe fn copy_out(_from: &[u8], _to: usize) -> Result<(), AccessFault> { unimplemented!() }
/// Tests that the area can be read (and written).
pub fn probe(_address: usize, _length: usize, _write: bool) -> Result<(), AccessFault> { unimplemented!() }

/// Installs the signal handlers (once a process) and the alternate stack and recovery state of this thread. Workers do it themselves; threads
/// that are not workers (batch runs, tests) call it before their first guarded call.
pub fn prepare_thread() { unimplemented!() }

/// A range of program code registered for traps; unregistered on drop.
pub struct CodeRange { pub start: usize, pub length: usize, pub id: u64 }
/// Registers executable memory as program code.
/// # Safety
/// Code in the range obeys the rules of [`guarded_call`].
pub unsafe fn register_code(_start: usize, _length: usize, _id: u64) -> CodeRange { unimplemented!() }
/// The deferred attention word of this thread outside any task.
pub fn thread_attention() -> *const AtomicU32 { unimplemented!() }
