//! Guarded calls: recovery points, abends and traps.
//!
//! A guarded call runs program code under a recovery point. An abend, a deliberate exit or a trap leaves it from any depth by
//! loading the stack pointer of the recovery point: nothing is unwound and no destructor runs.
//!
//! Invariants that make the `unsafe` here sound:
//! * frames between a recovery point and the code that leaves through it own nothing: they are program code and the outermost
//!   `extern "C"` shims of helpers, which have dropped everything before they raise. Rust code that calls program code in
//!   turn (LINK) makes a guarded call of its own, and so is never skipped;
//! * traps are diverted only when no [`crate::sync::Mutex`] guard is alive and (1) the instruction lies in a registered code
//!   range; or (2) the innermost guarded call is in the program domain, and the fault is on an address a program can form
//!   ([`crate::storage::PROGRAM_ADDRESS_END`], or in a DSA above) or is an illegal instruction: that is a light helper given a
//!   wild pointer, or one that stops on bad data; or (3) it is that of [`on_program_data`], and the fault is on such an address:
//!   a gate that works on operands of the program. Helper and gate may lose memory they had allocated, never a lock. Any other
//!   fault is the region's own: dump and abort;
//! * nothing of the process but program storage lies at an address that a program can form: the rest of that range is reserved and
//!   inaccessible from the first signal handler on, so a wild address faults and never meets the run time's own memory;
//! * a program that runs out of stack is abended; region code that does so on its behalf gets the stack's reserve, and the
//!   attention bit STACK; a guarded call or a gate is refused when little stack is left ([`check_stack`]), so nested calls end in
//!   an abend and no gate begins without room;
//! * whatever owns resources or takes locks on behalf of a program first enters [`RunTime`];
//! * the recovery chain lives in the task (or thread) that runs the code, so it moves with the task between threads.
//!
//! Shown by `tests/guard.rs`, with machine code and gates at wild addresses, out of stack and running away, and by `codegen/tests/wild_addresses.rs`
//! with compiled statements. No tool proves it: Miri and the sanitizers know neither the assembly nor the signals.

use crate::current::{Domain, ExecState, state};
use crate::wait::Purge;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::AtomicU32;

pub use crate::access::{AccessFault, copy_in, copy_out, probe};
pub use crate::code::{CodePlace, CodeRange, find_code, register_code};

/// How control left a guarded call other than by returning.
#[derive(Clone, Debug)]
pub enum Departure {
    /// [`raise_exit`] with this value: a deliberate exit (RETURN, XCTL, GOBACK from depth), not an error.
    Exit(u64),
    Abend(Box<Abend>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AbendKind {
    /// By [`raise`].
    Raised,
    /// A program check; `trap` is filled, the code is ASRA.
    Trap,
    /// The task ran too long without giving up control; the code is AICA. The value is [`RAN_AWAY_AGAIN`] if it did so a second time
    /// without giving up control in between: whoever handles such abends is part of the loop.
    Runaway,
    /// The task's stack is exhausted; `trap` is filled, the code is ASRA.
    StackOverflow,
    /// Purged while its program ran; the code is AEXZ.
    Purged(Purge),
}

/// See [`AbendKind::Runaway`].
pub const RAN_AWAY_AGAIN: u64 = 1;

#[derive(Clone, Debug)]
pub struct Abend {
    pub code: [u8; 4],
    pub kind: AbendKind,
    /// The raiser's value.
    pub value: u64,
    pub trap: Option<Trap>,
}

impl Abend {
    /// An abend raised by a helper; `code` is cut or padded to four characters.
    pub fn new(code: &str, value: u64) -> Abend {
        Abend { code: *crate::name::Name::<4>::new(code).as_bytes(), kind: AbendKind::Raised, value, trap: None }
    }

    pub fn code_text(&self) -> &str {
        std::str::from_utf8(&self.code).unwrap_or("????")
    }
}

/// Kind of program check, before the program's trap table refines it (an illegal instruction may mean 0C1, 0C7, 0C9 ...).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interrupt {
    /// SIGSEGV, SIGBUS: 0C4.
    Protection,
    /// SIGILL: `ud2`, which the program's trap table explains.
    Illegal,
    /// SIGFPE: 0C9.
    Arithmetic,
    /// No program check: the place where a runaway or purged program was stopped.
    Stopped,
}

/// State of the program at a trap.
#[derive(Clone, Copy, Debug)]
pub struct Trap {
    pub interrupt: Interrupt,
    /// The program's instruction: the faulting one, or the return address of its call into the run time. 0 if not known.
    pub pc: usize,
    /// Identifier of the registered code range, and the offset in it.
    pub code_id: u64,
    pub offset: usize,
    /// The faulting instruction was in the run time, on behalf of the program.
    pub in_run_time: bool,
    /// The data address that faulted.
    pub address: usize,
    /// The access was refused by a storage key.
    pub protection_key: bool,
    /// x86-64: rax rbx rcx rdx rsi rdi rbp rsp r8 to r15; aarch64: x0 to x15. In the run time, those that functions preserve are the
    /// program's at its call.
    pub registers: [u64; 16],
    pub flags: u64,
}

impl Trap {
    pub(crate) const NONE: Trap = Trap {
        interrupt: Interrupt::Stopped,
        pc: 0,
        code_id: 0,
        offset: 0,
        in_run_time: false,
        address: 0,
        protection_key: false,
        registers: [0; 16],
        flags: 0,
    };
}

/// A function of the program: up to four words in, one out. Other C signatures of integers and pointers may be cast to it;
/// of a 32-bit result only the lower half of the word is meaningful.
pub type GuardedFunction = unsafe extern "C" fn(usize, usize, usize, usize) -> u64;

/// How the assembly says control came back.
pub(crate) const STATUS_RETURNED: u64 = 0;
pub(crate) const STATUS_EXIT: u64 = 1;
pub(crate) const STATUS_ABEND: u64 = 2;
/// A trap or stop: `ExecState::trap` is filled, the low bits of the value give the kind.
pub(crate) const STATUS_TRAP: u64 = 3;

pub(crate) const TRAP_CHECK: u64 = 0;
pub(crate) const TRAP_STACK: u64 = 1;
pub(crate) const TRAP_RUNAWAY: u64 = 2;
pub(crate) const TRAP_PURGE: u64 = 3;
pub(crate) const TRAP_FORCE_PURGE: u64 = 4;
pub(crate) const TRAP_KILL: u64 = 5;

#[repr(C)]
struct Left {
    value: u64,
    status: u64,
}

unsafe extern "C" {
    fn kernel_guarded_enter(function: GuardedFunction, a: usize, b: usize, c: usize, d: usize, recover: *mut usize) -> Left;
    fn kernel_guarded_leave(recover_sp: usize, value: u64, status: u64) -> !;
    pub(crate) fn kernel_guarded_recover();
    pub(crate) fn kernel_guarded_recover_keys();
}

/// Where a recovery point has the enclosing one.
#[cfg(target_arch = "x86_64")]
pub(crate) const ENCLOSING_OFFSET: usize = 8;
#[cfg(target_arch = "aarch64")]
pub(crate) const ENCLOSING_OFFSET: usize = 160;

// A recovery point is: the six callee-saved registers, the enclosing recovery point, and the address of the word that heads the
// chain. `kernel_guarded_recover` expects the stack pointer at that frame, rax the value and rdx the status; the `_keys` entry
// first reopens all storage keys, because the interrupted program may have run in user key. The call frame information lets a walk
// from a fault in a gate pass the gate's recovery point on its way to the program.
#[cfg(target_arch = "x86_64")]
core::arch::global_asm!(
    r#"
    .p2align 4
    .globl kernel_guarded_enter
kernel_guarded_enter:
    .cfi_startproc
    push rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    push rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbx, 0
    push r12
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r12, 0
    push r13
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r13, 0
    push r14
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r14, 0
    push r15
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r15, 0
    push qword ptr [r9]
    .cfi_adjust_cfa_offset 8
    push r9
    .cfi_adjust_cfa_offset 8
    mov [r9], rsp
    sub rsp, 8
    .cfi_adjust_cfa_offset 8
    mov rax, rdi
    mov rdi, rsi
    mov rsi, rdx
    mov rdx, rcx
    mov rcx, r8
    call rax
    add rsp, 8
    .cfi_adjust_cfa_offset -8
    xor edx, edx
77:
    pop r9
    pop qword ptr [r9]
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbx
    pop rbp
    ret
    .cfi_endproc
    .globl kernel_guarded_leave
kernel_guarded_leave:
    mov rsp, rdi
    mov rax, rsi
    .globl kernel_guarded_recover
kernel_guarded_recover:
    cld
    jmp 77b
    .globl kernel_guarded_recover_keys
kernel_guarded_recover_keys:
    mov r8, rax
    mov r10, rdx
    xor eax, eax
    xor ecx, ecx
    xor edx, edx
    wrpkru
    mov rax, r8
    mov rdx, r10
    cld
    jmp 77b
"#
);

#[cfg(target_arch = "aarch64")]
core::arch::global_asm!(
    r#"
    .p2align 4
    .globl kernel_guarded_enter
kernel_guarded_enter:
    .cfi_startproc
    stp x29, x30, [sp, #-176]!
    .cfi_def_cfa_offset 176
    .cfi_offset x29, -176
    .cfi_offset x30, -168
    .cfi_offset x19, -160
    .cfi_offset x20, -152
    .cfi_offset x21, -144
    .cfi_offset x22, -136
    .cfi_offset x23, -128
    .cfi_offset x24, -120
    .cfi_offset x25, -112
    .cfi_offset x26, -104
    .cfi_offset x27, -96
    .cfi_offset x28, -88
    stp x19, x20, [sp, #16]
    stp x21, x22, [sp, #32]
    stp x23, x24, [sp, #48]
    stp x25, x26, [sp, #64]
    stp x27, x28, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    ldr x9, [x5]
    stp x9, x5, [sp, #160]
    mov x9, sp
    str x9, [x5]
    mov x9, x0
    mov x0, x1
    mov x1, x2
    mov x2, x3
    mov x3, x4
    blr x9
    mov x1, #0
77:
    ldp x9, x5, [sp, #160]
    str x9, [x5]
    ldp d14, d15, [sp, #144]
    ldp d12, d13, [sp, #128]
    ldp d10, d11, [sp, #112]
    ldp d8, d9, [sp, #96]
    ldp x27, x28, [sp, #80]
    ldp x25, x26, [sp, #64]
    ldp x23, x24, [sp, #48]
    ldp x21, x22, [sp, #32]
    ldp x19, x20, [sp, #16]
    ldp x29, x30, [sp], #176
    ret
    .cfi_endproc
    .globl kernel_guarded_leave
kernel_guarded_leave:
    mov sp, x0
    mov x0, x1
    mov x1, x2
    .globl kernel_guarded_recover
    .globl kernel_guarded_recover_keys
kernel_guarded_recover:
kernel_guarded_recover_keys:
    b 77b
"#
);

/// Calls `function` under a recovery point.
///
/// # Safety
/// `function` must accept the arguments. Every frame a raise or trap may skip (those of `function` and of what it calls, up
/// to the raiser) must need no destructor to run.
pub unsafe fn guarded_call(function: GuardedFunction, arguments: [usize; 4]) -> Result<u64, Departure> {
    unsafe { guarded_call_in(Domain::Program, function, arguments) }
}

/// Runs work of a gate on data of the program: a fault on an address that the program gave is the program's trap, as if it had come to
/// the address itself, and the work is left where it is. Memory that it had allocated is lost then, so a gate that can tell a bad
/// address beforehand does; a lock of [`crate::sync`] makes the fault the region's own.
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

/// A gate is refused when less than this is left above the stack's reserve, which is there for what a gate needs beyond.
const GATE_NEEDED_BYTES: usize = 24 * 1024;

/// At the entry of a gate: an abend if the stack may not do for it.
#[inline]
pub fn check_stack() -> Result<(), Departure> {
    let state = state();
    if room_of(state) < GATE_NEEDED_BYTES { Err(stack_exhausted(state)) } else { Ok(()) }
}

/// Bytes of stack above the reserve, whether or not the reserve has been opened.
#[inline]
fn room_of(state: &ExecState) -> usize {
    let reserve = if state.reserve_opened.get() { crate::stack::RESERVE_BYTES } else { 0 };
    stack_remaining_of(state).saturating_sub(reserve)
}

#[cold]
fn stack_exhausted(state: &ExecState) -> Departure {
    state.attention.fetch_and(!crate::task::attention::STACK, std::sync::atomic::Ordering::Relaxed);
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
            if left.value >= TRAP_PURGE {
                crate::current::with_current(|task| task.purge_delivered());
            }
            let mut value = 0;
            if left.value == TRAP_RUNAWAY {
                let first = crate::current::with_current(|task| task.runaway_delivered()).unwrap_or(true);
                value = if first { 0 } else { RAN_AWAY_AGAIN };
            }
            let (code, kind) = match left.value {
                TRAP_STACK => ("ASRA", AbendKind::StackOverflow),
                TRAP_RUNAWAY => ("AICA", AbendKind::Runaway),
                TRAP_PURGE => ("AEXZ", AbendKind::Purged(Purge::Purge)),
                TRAP_FORCE_PURGE => ("AEXZ", AbendKind::Purged(Purge::ForcePurge)),
                TRAP_KILL => ("AEXZ", AbendKind::Purged(Purge::Kill)),
                _ => ("ASRA", AbendKind::Trap),
            };
            Departure::Abend(Box::new(Abend { kind, trap: Some(trap), ..Abend::new(code, value) }))
        }
    }
}

/// True if there is a recovery point to raise to.
pub fn is_guarded() -> bool {
    unsafe { *state().recover_sp.get() != 0 }
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
    let recover_sp = unsafe { *state.recover_sp.get() };
    if recover_sp == 0 {
        eprintln!("kernel: raise without a recovery point");
        std::process::abort();
    }
    debug_assert_eq!(state.locks.get(), 0, "raise while a lock is held");
    unsafe { kernel_guarded_leave(recover_sp, value, status) }
}

/// While alive, faults are the run time's own even inside a guarded call. Taken by every gate that owns resources or takes
/// locks (the EXEC gate, CALL resolution). Light helpers that own nothing do not take it: their faults on program addresses
/// are the program's. Must be dropped before a raise.
pub struct RunTime {
    before: Domain,
    _not_send: std::marker::PhantomData<*const ()>,
}

impl RunTime {
    #[inline]
    pub fn enter() -> RunTime {
        RunTime { before: state().domain.replace(Domain::RunTime), _not_send: std::marker::PhantomData }
    }
}

impl Drop for RunTime {
    fn drop(&mut self) {
        state().domain.set(self.before);
    }
}

/// Installs the signal handlers (once a process) and the alternate stack and execution state of this thread. Workers do it
/// themselves; other threads (batch runs, tests) may call it early, and [`guarded_call`] does it when it finds nothing done.
pub fn prepare_thread() {
    crate::current::prepare_thread();
}

/// Address of the attention word in force: the task's, or this thread's outside any task. See [`crate::task::attention`].
pub fn attention_word() -> *const AtomicU32 {
    &state().attention
}

/// Bytes left on the stack of the running task; `usize::MAX` where it is not known (outside tasks).
pub fn stack_remaining() -> usize {
    stack_remaining_of(state())
}

#[inline]
fn stack_remaining_of(state: &ExecState) -> usize {
    let limit = state.stack_limit.get();
    let here = 0u8;
    if limit == 0 { usize::MAX } else { (&raw const here as usize).saturating_sub(limit) }
}

/// Called with every fault that is the region's own, after registers are written to standard error and before the process
/// aborts. The hook must not assume that any lock is free.
pub fn set_dump_hook(hook: fn(&Trap)) {
    crate::signals::set_dump_hook(hook);
}
