//! Guarded calls: recovery points, abends and traps.
//!
//! A guarded call runs program code under a recovery point. An abend, a deliberate exit or a trap leaves it from any depth by
//! loading the stack pointer of the recovery point: nothing is unwound and no destructor runs.
//!
//! Invariants that make the `unsafe` here sound:
//! * frames between a recovery point and the code that leaves through it own nothing: they are program code and the outermost
//!   `extern "C"` shims of helpers, which have dropped everything before they raise. Rust code that calls program code in
//!   turn (LINK) makes a guarded call of its own, and so is never skipped;
//! * traps are diverted only when no [`crate::sync::Mutex`] guard is alive and (1) the instruction lies in a registered code range; or (2)
//!   the innermost guarded call is in the program domain, and the fault is on an address a program can form
//!   ([`crate::addresses::PROGRAM_ADDRESS_END`], or in a DSA above) or is an illegal instruction: this is a light helper given a wild
//!   pointer, or one that stops on bad data; or (3) the innermost guarded call is [`on_program_data`], and the fault is on such an address:
//!   this is a gate that works on operands of the program. Helper and gate may leak memory they had allocated, never a lock. Any other
//!   fault is the region's own: dump and abort;
//! * nothing of the process but program storage lies at an address that a program can form: the rest of that range is reserved and
//!   inaccessible from the first signal handler on, so a wild address faults and never reaches the run time's own memory;
//! * a program that runs out of stack is abended. Region code that runs out of stack on behalf of a program gets the reserve of the stack,
//!   and the attention bit STACK is set. A guarded call or a gate is refused when little stack is left ([`RunTime::check_stack`]), so
//!   nested calls end in an abend and every gate begins with enough room;
//! * code that owns resources or takes locks on behalf of a program first enters [`RunTime`];
//! * the recovery chain lives in the task (or thread) that runs the code, so it moves with the task between threads.
//!
//! The tests cover it with machine code and gates that use wild addresses (`tests/guard/run_time.rs`), run out of stack
//! (`tests/guard/stack.rs`) and run away (`tests/guard/runaway.rs`); `codegen/tests/wild_addresses.rs` does with compiled statements. Miri
//! and the sanitizers support neither the assembly nor the signals.

use super::execution::{Domain, ExecState, attention};
use super::recovery::{
    Left, STATUS_ABEND, STATUS_EXIT, STATUS_RETURNED, STATUS_TRAP, TRAP_FORCE_PURGE, TRAP_KILL, TRAP_PURGE, TRAP_RUNAWAY, TRAP_STACK,
    kernel_guarded_enter, kernel_guarded_leave, stop_kind,
};
use super::thread::state;
use crate::stack::RESERVE_BYTES;
use crate::wait::Purge;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

pub use super::abend::{Abend, AbendKind, Departure, Interrupt, RAN_AWAY_AGAIN, Trap};
pub use super::access::{AccessFault, copy_in, copy_out, probe};
pub use super::code::{CodePlace, CodeRange, find_code, register_code};
pub use super::recovery::GuardedFunction;
pub use super::thread::prepare_thread;

/// Calls `function` under a recovery point.
///
/// # Safety
/// `function` must accept the arguments. Every frame that a raise or trap may skip (of `function` and of the functions it calls, up to the
/// raiser) must need no destructor.
pub unsafe fn guarded_call(function: GuardedFunction, arguments: [usize; 4]) -> Result<u64, Departure> {
    unsafe { guarded_call_in(Domain::Program, function, arguments) }
}

/// Whether an address is one that programs can form, and have storage at.
pub fn is_program_storage(address: usize) -> bool {
    address < crate::addresses::PROGRAM_ADDRESS_END
}

/// Runs work of a gate on data of the program: a fault on an address given by the program is a trap of the program, as if the program had
/// accessed the address itself, and the work is abandoned. Memory allocated by the work then leaks, so a gate that can detect a bad address
/// beforehand does so; a held lock of [`crate::sync`] makes the fault the region's own.
pub fn on_program_data<R>(work: impl FnOnce() -> R) -> Result<R, Departure> {
    struct Call<F, R> {
        work: Option<F>,
        result: Option<std::thread::Result<R>>,
    }
    unsafe extern "C" fn run<R, F: FnOnce() -> R>(call: usize, _: usize, _: usize, _: usize) -> u64 {
        let call = unsafe { &mut *(call as *mut Call<F, R>) };
        let work = call.work.take().expect("work is done once");
        // No panic may pass the assembly.
        call.result = Some(catch_unwind(AssertUnwindSafe(work)));
        0
    }
    fn function_of<R, F: FnOnce() -> R>(_: &Call<F, R>) -> GuardedFunction {
        run::<R, F>
    }
    let mut call = Call { work: Some(work), result: None };
    let function = function_of(&call);
    unsafe { guarded_call_in(Domain::ProgramData, function, [&raw mut call as usize, 0, 0, 0]) }?;
    match call.result.expect("the call has returned") {
        Ok(result) => Ok(result),
        Err(panic) => resume_unwind(panic),
    }
}

unsafe fn guarded_call_in(domain: Domain, function: GuardedFunction, arguments: [usize; 4]) -> Result<u64, Departure> {
    let state = state();
    if room_of(state) < STACK_NEEDED_BYTES {
        return Err(stack_exhausted(state));
    }
    let domain = state.domain.replace(domain);
    let locks = state.locks.get();
    let [a, b, c, d] = arguments;
    let left = unsafe { kernel_guarded_enter(function, a, b, c, d, state.recover_sp.get()) };
    state.domain.set(domain);
    if left.status == STATUS_RETURNED {
        return Ok(left.value);
    }
    state.locks.set(locks);
    Err(departure(state, left))
}

/// A guarded call is refused, as a stack overflow, when less than this is left: nested calls (LINK upon LINK) end in an abend of
/// the program, not in a fault of the run time between them.
const STACK_NEEDED_BYTES: usize = 16 * 1024;

/// A gate is refused when less than this is left above the stack's reserve, which covers what a gate needs beyond it.
const GATE_NEEDED_BYTES: usize = 24 * 1024;

/// Bytes of stack above the reserve, whether or not the reserve has been opened.
#[inline]
fn room_of(state: &ExecState) -> usize {
    let reserve = if state.reserve_opened.get() { RESERVE_BYTES } else { 0 };
    stack_remaining_of(state).saturating_sub(reserve)
}

#[cold]
fn stack_exhausted(state: &ExecState) -> Departure {
    state.attention.fetch_and(!attention::STACK, Ordering::Relaxed);
    let trap = Trap { interrupt: Interrupt::Protection, in_run_time: true, address: state.stack_limit.get(), ..Trap::NONE };
    Departure::Abend(Box::new(Abend { kind: AbendKind::StackOverflow, trap: Some(trap), ..Abend::new("ASRA", 0) }))
}

#[cold]
fn departure(state: &ExecState, left: Left) -> Departure {
    match left.status {
        STATUS_EXIT => Departure::Exit(left.value),
        STATUS_ABEND => Departure::Abend(state.abend.take().expect("an abend is set before its departure")),
        _ => {
            debug_assert_eq!(left.status, STATUS_TRAP);
            let trap = unsafe { *state.trap.get() };
            trapped(state, left.value, Some(trap))
        }
    }
}

/// The abend of a kind of trap; a stop is delivered with it.
#[cold]
fn trapped(state: &ExecState, trap_kind: u64, trap: Option<Trap>) -> Departure {
    if trap_kind >= TRAP_PURGE {
        state.purge_delivered();
    }
    let mut value = 0;
    if trap_kind == TRAP_RUNAWAY {
        value = if state.runaway_delivered() { 0 } else { RAN_AWAY_AGAIN };
    }
    let (code, kind) = match trap_kind {
        TRAP_STACK => ("ASRA", AbendKind::StackOverflow),
        TRAP_RUNAWAY => ("AICA", AbendKind::Runaway),
        TRAP_PURGE => ("AEXZ", AbendKind::Purged(Purge::Purge)),
        TRAP_FORCE_PURGE => ("AEXZ", AbendKind::Purged(Purge::ForcePurge)),
        TRAP_KILL => ("AEXZ", AbendKind::Purged(Purge::Kill)),
        _ => ("ASRA", AbendKind::Trap),
    };
    Departure::Abend(Box::new(Abend { kind, trap, ..Abend::new(code, value) }))
}

/// For a gate whose work has given up because one of [`attention::STOPS`] is pending: the abend of that stop. `None`: no stop is pending.
#[cold]
pub fn pending_stop() -> Option<Departure> {
    let state = state();
    stop_kind(state.attention.load(Ordering::Relaxed)).map(|kind| trapped(state, kind, None))
}

/// True if there is a recovery point to raise to.
pub fn is_guarded() -> bool {
    state().recovery_point() != 0
}

/// Leaves the innermost guarded call with an abend. Aborts the process if there is none.
///
/// # Safety
/// No frame between here and the guarded call may own anything: callers are the outermost `extern "C"` shims.
pub unsafe fn raise(abend: Box<Abend>) -> ! {
    let state = state();
    state.abend.set(Some(abend));
    unsafe { leave(state, 0, STATUS_ABEND) }
}

/// Leaves the innermost guarded call with a value.
///
/// # Safety
/// As [`raise`].
pub unsafe fn raise_exit(value: u64) -> ! {
    unsafe { leave(state(), value, STATUS_EXIT) }
}

unsafe fn leave(state: &ExecState, value: u64, status: u64) -> ! {
    let recover_sp = state.recovery_point();
    if recover_sp == 0 {
        eprintln!("kernel: raise without a recovery point");
        std::process::abort();
    }
    debug_assert_eq!(state.locks.get(), 0, "raise while a lock is held");
    unsafe { kernel_guarded_leave(recover_sp, value, status) }
}

/// While alive, faults belong to the run time, even inside a guarded call. Taken by every gate that owns resources or takes locks (the EXEC
/// gate, CALL resolution). Light helpers that own nothing do not take it: their faults on program addresses belong to the program. Must be
/// dropped before a raise.
pub struct RunTime {
    before: Domain,
    /// The state of the task or thread that entered; it is the same at the end, so it is looked up once.
    state: *const ExecState,
}

impl RunTime {
    #[inline]
    pub fn enter() -> RunTime {
        let state = state();
        RunTime { before: state.domain.replace(Domain::RunTime), state }
    }

    /// At the entry of a gate: an abend if the stack may be too small for it.
    #[inline]
    pub fn check_stack(&self) -> Result<(), Departure> {
        let state = self.state();
        if room_of(state) < GATE_NEEDED_BYTES { Err(stack_exhausted(state)) } else { Ok(()) }
    }

    /// The task (or thread) keeps its state as long as it runs, and this value cannot leave it: it is not `Send`.
    #[inline]
    fn state(&self) -> &ExecState {
        debug_assert_eq!(self.state, std::ptr::from_ref(state()));
        unsafe { &*self.state }
    }
}

impl Drop for RunTime {
    #[inline]
    fn drop(&mut self) {
        self.state().domain.set(self.before);
    }
}

/// Address of the attention word in force: the task's, or this thread's outside any task. See [`attention`].
pub fn attention_word() -> *const AtomicU32 {
    &state().attention
}

/// Bytes left on the stack of the running task; `usize::MAX` where unknown (outside tasks).
pub fn stack_remaining() -> usize {
    stack_remaining_of(state())
}

#[inline]
fn stack_remaining_of(state: &ExecState) -> usize {
    let limit = state.stack_limit.get();
    let here = 0u8;
    if limit == 0 { usize::MAX } else { (&raw const here as usize).saturating_sub(limit) }
}

/// Called for every fault of the region itself, after registers are written to standard error and before the process aborts. The hook must
/// not assume that any lock is free.
pub fn set_dump_hook(hook: fn(&Trap)) {
    super::signals::set_dump_hook(hook);
}
