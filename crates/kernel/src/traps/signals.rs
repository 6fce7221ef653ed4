//! Signal handlers: faults and stops of program code become abends at the recovery point; all other faults end the region.
//!
//! Invariants: the handler runs on the thread's alternate stack, allocates nothing, takes no lock, and touches only the execution state of
//! its own thread, the code registry (lock-free) and atomics. It always returns; diverting a trap means changing the stack pointer and
//! program counter of the interrupted context. Signals that are not ours go to the handlers that were installed before.
//!
//! Alternate stacks carry the user key, because systems before Linux 6.12 write the signal frame under the interrupted program's
//! keys; the trampoline opens all keys before it uses the stack, because a handler starts with the default rights. No stop signal
//! interrupts a handler: such a system could not write its frame before the trampoline has opened the keys.
//!
//! `tests/guard/traps.rs` covers it on tasks and plain threads; with keys, `regent/tests/protection.rs` in the machine of `tests/keys`. No tool
//! can check a signal handler.
//!
//! `unsafe` here reads and writes the context that the system gives a handler, and the execution state of the interrupted thread.

use super::abend::{Interrupt, Trap};
use super::access_routines as access;
use super::code::find_code;
use super::execution::{Domain, ExecState, attention, state_pointer};
use super::{mapped_files, recovery};
use crate::{addresses, keys, stack};
use std::mem::MaybeUninit;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use trampoline::trampoline_address;
use unwind::Frame;

mod trampoline;
mod unwind;

const ALTERNATE_STACK_BYTES: usize = 64 * 1024;
/// Exit code of a region that cannot go on, for a reason that is not an error of its own.
const REFUSED: i32 = 16;
const FAULT_SIGNALS: [i32; 6] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGTRAP, libc::SIGSYS];
/// `si_code` of a fault by protection key.
const SEGV_PKUERR: i32 = 4;

static INSTALL: Once = Once::new();
static PREVIOUS: [PreviousAction; FAULT_SIGNALS.len()] = [const { PreviousAction::new() }; FAULT_SIGNALS.len()];
static DUMP_HOOK: AtomicUsize = AtomicUsize::new(0);
static DUMPING: AtomicBool = AtomicBool::new(false);

/// The previously installed action: handler address and flags.
struct PreviousAction {
    handler: AtomicUsize,
    flags: AtomicUsize,
}

impl PreviousAction {
    const fn new() -> PreviousAction {
        PreviousAction { handler: AtomicUsize::new(libc::SIG_DFL), flags: AtomicUsize::new(0) }
    }
}

/// The real-time signal that stops a running program. HotSpot uses none of the real-time signals.
pub(crate) fn stop_signal() -> i32 {
    libc::SIGRTMIN() + 3
}

/// The value of a stop signal: the dispatch it is meant for and the attention bits.
pub(crate) fn stop_value(dispatch: u64, bits: u32) -> usize {
    (dispatch << 8) as usize | bits as usize
}

pub(crate) fn set_dump_hook(hook: fn(&Trap)) {
    DUMP_HOOK.store(hook as usize, Ordering::SeqCst);
}

/// Installs the handlers of the process and an alternate stack for this thread; returns the stack's address.
pub(crate) fn install_alternate_stack() -> usize {
    INSTALL.call_once(install_handlers);
    unsafe {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let stack = libc::mmap(std::ptr::null_mut(), ALTERNATE_STACK_BYTES, protection, flags, -1, 0);
        assert!(stack != libc::MAP_FAILED, "no memory for a signal stack");
        keys::tag_user(stack as usize, ALTERNATE_STACK_BYTES).expect("a signal stack takes the user key");
        let stack_t = libc::stack_t { ss_sp: stack, ss_flags: 0, ss_size: ALTERNATE_STACK_BYTES };
        let result = libc::sigaltstack(&stack_t, std::ptr::null_mut());
        assert_eq!(result, 0, "a signal stack can be set");
        stack as usize
    }
}

/// Blocks signals of this thread that other handlers of the process may use: their frames would be written to a task's stack, to which they
/// have no access with their initial rights. Other threads take these signals.
pub(crate) fn leave_signals_to_others() {
    unsafe {
        let mut blocked: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut blocked);
        for signal in FAULT_SIGNALS.into_iter().chain([stop_signal(), libc::SIGABRT]) {
            libc::sigdelset(&mut blocked, signal);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, &blocked, std::ptr::null_mut());
    }
}

/// Undoes [`install_alternate_stack`] at the end of a thread.
pub(crate) fn free_alternate_stack(stack: usize) {
    if stack == 0 {
        return;
    }
    unsafe {
        let off = libc::stack_t { ss_sp: std::ptr::null_mut(), ss_flags: libc::SS_DISABLE, ss_size: 0 };
        libc::sigaltstack(&off, std::ptr::null_mut());
        libc::munmap(stack as *mut libc::c_void, ALTERNATE_STACK_BYTES);
    }
}

fn install_handlers() {
    // Before the first handler: a machine with keys needs the trampoline.
    let _ = keys::probe();
    unwind::record_images();
    addresses::reserve_wild_addresses();
    for (index, signal) in FAULT_SIGNALS.into_iter().enumerate() {
        let previous = install(signal);
        PREVIOUS[index].handler.store(previous.sa_sigaction, Ordering::SeqCst);
        PREVIOUS[index].flags.store(previous.sa_flags as usize, Ordering::SeqCst);
    }
    install(stop_signal());
}

fn install(signal: i32) -> libc::sigaction {
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = trampoline_address(keys::is_available());
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER | libc::SA_RESTART;
        libc::sigaddset(&mut action.sa_mask, stop_signal());
        let mut previous = MaybeUninit::<libc::sigaction>::zeroed();
        let result = libc::sigaction(signal, &action, previous.as_mut_ptr());
        assert_eq!(result, 0, "signal {signal} can be handled");
        previous.assume_init()
    }
}

extern "C" fn handle(signal: i32, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    let (info, context) = unsafe { (&mut *info, Context(&mut *(context as *mut libc::ucontext_t))) };
    let state = unsafe { state_pointer().as_ref() };
    if signal == stop_signal() {
        if let Some(state) = state {
            handle_stop(state, info, context);
        }
    } else {
        handle_fault(signal, info, context, state);
    }
}

/// A stop of the running program: at once if it is in program code, otherwise recorded for the gate.
fn handle_stop(state: &ExecState, info: &libc::siginfo_t, context: Context<'_>) {
    let value = unsafe { info.si_value().sival_ptr as usize };
    if state.dispatch_number().is_none_or(|dispatch| value >> 8 != dispatch as usize & (usize::MAX >> 8)) {
        return;
    }
    let bits = value as u32 & 0xFF;
    state.attention.fetch_or(bits, Ordering::Relaxed);
    if state.recovery_point() == 0 || find_code(context.pc()).is_none() {
        return;
    }
    state.attention.fetch_and(!bits, Ordering::Relaxed);
    let kind = if bits == attention::PURGE { recovery::TRAP_PURGE } else { recovery::stop_kind(bits).unwrap_or(recovery::TRAP_RUNAWAY) };
    divert(state, context, Interrupt::Stopped, kind, info, false);
}

fn handle_fault(signal: i32, info: &libc::siginfo_t, mut context: Context<'_>, state: Option<&ExecState>) {
    let pc = context.instruction(signal);
    let is_access = signal == libc::SIGSEGV || signal == libc::SIGBUS;
    if info.si_code == SEGV_PKUERR && is_access && open_keys_of_stranger(&mut context) {
        return;
    }
    if is_access && access::is_access_code(pc) {
        let key = if info.si_code == SEGV_PKUERR { access::FAULT_KEY } else { 0 };
        return context.resume_at(access::kernel_access_fault as *const () as usize, fault_address(info), access::FAULT | key);
    }
    let Some(state) = state else {
        return region_fault(signal, info, context);
    };
    let interrupt = match signal {
        libc::SIGILL | libc::SIGTRAP | libc::SIGSYS => Interrupt::Illegal,
        libc::SIGFPE => Interrupt::Arithmetic,
        _ => Interrupt::Protection,
    };
    let guarded = state.recovery_point() != 0;
    let in_program = find_code(pc).is_some();
    let unlocked = state.locks.get() == 0;
    let on_behalf = unlocked && state.domain.get() == Domain::Program;
    let on_data = unlocked && state.domain.get() == Domain::ProgramData;
    let overflow = is_access && is_stack_guard(state, fault_address(info));
    // A light helper that finds bad data, or that the program is to be stopped, stops by its own illegal instruction.
    let is_programs = is_access && is_program_address(info) || signal == libc::SIGILL;
    // A wild branch, perhaps with a wild stack: no code of the process is there.
    let strayed = on_behalf && !unwind::is_image_code(pc);
    if guarded && overflow && (in_program || on_behalf) {
        divert(state, context, interrupt, recovery::TRAP_STACK, info, !in_program);
    } else if guarded && in_program {
        context.set_pc(pc);
        divert(state, context, interrupt, recovery::TRAP_CHECK, info, false);
    } else if guarded
        && on_behalf
        && signal == libc::SIGILL
        && let Some(kind) = recovery::stop_kind(state.attention.load(Ordering::Relaxed))
    {
        state.attention.fetch_and(!attention::STOPS, Ordering::Relaxed);
        divert(state, context, Interrupt::Stopped, kind, info, true);
    } else if guarded && (strayed || on_behalf && is_programs || on_data && is_access && is_program_address(info)) {
        divert(state, context, interrupt, recovery::TRAP_CHECK, info, true);
    } else if signal == libc::SIGTRAP && context.stop_single_step() {
        // The program has set the trap flag and left its code by that instruction.
    } else if overflow && open_reserve(state, fault_address(info)) {
        state.attention.fetch_or(attention::STACK, Ordering::Relaxed);
    } else {
        region_fault(signal, info, context);
    }
}

/// A thread that never called [`crate::keys::prepare_thread`] has accessed user-key storage with the system's default rights: it gets those
/// of CICS key and repeats the access.
fn open_keys_of_stranger(context: &mut Context<'_>) -> bool {
    let Some(rights) = context.key_rights() else { return false };
    let rights = unsafe { &mut *rights };
    if *rights == 0 || keys::is_user_rights(*rights) {
        return false;
    }
    *rights = 0;
    true
}

fn fault_address(info: &libc::siginfo_t) -> usize {
    unsafe { info.si_addr() as usize }
}

fn is_stack_guard(state: &ExecState, address: usize) -> bool {
    let limit = state.stack_limit.get();
    limit != 0 && address < limit && address >= limit - state.stack_guard_bytes.get()
}

/// Opens the reserve of the stack if the fault is in it and it is not yet open.
fn open_reserve(state: &ExecState, address: usize) -> bool {
    let limit = state.stack_limit.get();
    if state.reserve_opened.get() || !state.has_task_stack.get() || address >= limit || address < limit - stack::RESERVE_BYTES {
        return false;
    }
    if !stack::open_reserve(limit) {
        return false;
    }
    state.reserve_opened.set(true);
    state.stack_limit.set(limit - stack::RESERVE_BYTES);
    state.stack_guard_bytes.set(stack::RED_BYTES);
    true
}

/// An address a program can have formed: 32 bits and a length, in the 64-bit DSAs, or refused by a key.
fn is_program_address(info: &libc::siginfo_t) -> bool {
    let address = fault_address(info);
    address < addresses::PROGRAM_ADDRESS_END || addresses::is_above_address(address) || info.si_code == SEGV_PKUERR
}

/// The recovery point outside that of a gate: the program that called the gate is between them.
fn enclosing(recover_sp: usize) -> usize {
    let outer = unsafe { *((recover_sp + recovery::ENCLOSING_OFFSET) as *const usize) };
    outer.max(recover_sp)
}

/// Continues the interrupted context at the recovery point.
fn divert(state: &ExecState, mut context: Context<'_>, interrupt: Interrupt, kind: u64, info: &libc::siginfo_t, in_run_time: bool) {
    let recover_sp = state.recovery_point();
    let (pc, registers) = if in_run_time {
        let from = context.sp().max(state.stack_limit.get());
        let to = if state.domain.get() == Domain::ProgramData { enclosing(recover_sp) } else { recover_sp };
        let caller = unwind::caller_in_program(context.frame(), from..to);
        caller.map_or((0, context.registers()), |caller| (caller.pc, context.registers_at(&caller)))
    } else {
        (context.pc(), context.registers())
    };
    let place = find_code(pc);
    let stopped = interrupt == Interrupt::Stopped;
    let trap = Trap {
        interrupt,
        pc,
        code_id: place.map_or(0, |place| place.id),
        offset: place.map_or(0, |place| place.offset),
        in_run_time,
        address: if stopped { 0 } else { addresses::as_program_knows(fault_address(info)) },
        protection_key: !stopped && info.si_code == SEGV_PKUERR,
        registers,
        flags: context.flags(),
    };
    unsafe { *state.trap.get() = trap };
    let recover = if keys::is_available() { recovery::kernel_guarded_recover_keys } else { recovery::kernel_guarded_recover };
    context.set_sp(recover_sp);
    context.reset_flags();
    context.reset_segments();
    context.resume_at(recover as *const () as usize, kind as usize, recovery::STATUS_TRAP as usize);
}

/// A fault that is not a program's. A missing page of a mapped file is reported as that. Otherwise earlier handlers get it; if there are none, dump and let the default action end the process.
fn region_fault(signal: i32, info: &libc::siginfo_t, context: Context<'_>) {
    let index = FAULT_SIGNALS.into_iter().position(|candidate| candidate == signal).unwrap_or(0);
    let handler = PREVIOUS[index].handler.load(Ordering::SeqCst);
    if signal == libc::SIGBUS
        && let Some(text) = mapped_files::text_of(fault_address(info))
    {
        unsafe {
            libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len());
            libc::_exit(REFUSED);
        }
    }
    dump(signal, info, &context);
    unsafe {
        if handler == libc::SIG_DFL || handler == libc::SIG_IGN {
            libc::signal(signal, libc::SIG_DFL);
            // The others come again when the instruction is repeated; these come behind it.
            if matches!(signal, libc::SIGTRAP | libc::SIGSYS) {
                libc::raise(signal);
            }
        } else if PREVIOUS[index].flags.load(Ordering::SeqCst) & libc::SA_SIGINFO as usize != 0 {
            let function: extern "C" fn(i32, *const libc::siginfo_t, *mut libc::ucontext_t) = std::mem::transmute(handler);
            function(signal, info, context.0);
        } else {
            let function: extern "C" fn(i32) = std::mem::transmute(handler);
            function(signal);
        }
    }
}

/// Registers, the hook and a backtrace on standard error. A second fault or five seconds end it.
fn dump(signal: i32, info: &libc::siginfo_t, context: &Context<'_>) {
    if DUMPING.swap(true, Ordering::SeqCst) {
        unsafe { libc::_exit(134) };
    }
    unsafe { libc::alarm(5) };
    let mut line = LineBuffer::new();
    line.text("kernel: fault in the region: signal ").number(signal as u64, 10);
    line.text(" code ").number(info.si_code as u32 as u64, 10);
    line.text(" address ").number(fault_address(info) as u64, 16).text(" pc ").number(context.pc() as u64, 16).flush();
    for (index, value) in context.registers().into_iter().enumerate() {
        line.text(Context::REGISTER_NAMES[index]).text("=").number(value, 16).text(" ");
    }
    line.flush();
    let hook = DUMP_HOOK.load(Ordering::SeqCst);
    if hook != 0 {
        let trap = Trap {
            interrupt: Interrupt::Protection,
            pc: context.pc(),
            in_run_time: true,
            address: fault_address(info),
            registers: context.registers(),
            ..Trap::NONE
        };
        let hook: fn(&Trap) = unsafe { std::mem::transmute(hook) };
        hook(&trap);
    }
    eprintln!("{}", std::backtrace::Backtrace::force_capture());
}

/// Text for `write` without allocation.
struct LineBuffer {
    bytes: [u8; 1024],
    length: usize,
}

impl LineBuffer {
    fn new() -> LineBuffer {
        LineBuffer { bytes: [0; 1024], length: 0 }
    }

    fn text(&mut self, text: &str) -> &mut LineBuffer {
        let room = text.len().min(self.bytes.len() - self.length);
        self.bytes[self.length..self.length + room].copy_from_slice(&text.as_bytes()[..room]);
        self.length += room;
        self
    }

    fn number(&mut self, mut value: u64, radix: u64) -> &mut LineBuffer {
        let mut digits = [0u8; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b"0123456789abcdef"[(value % radix) as usize];
            value /= radix;
            if value == 0 {
                break;
            }
        }
        let text = std::str::from_utf8(&digits[at..]).unwrap_or("?");
        self.text(text)
    }

    fn flush(&mut self) {
        self.text("\n");
        unsafe { libc::write(2, self.bytes.as_ptr() as *const libc::c_void, self.length) };
        self.length = 0;
    }
}

/// Bits of RFLAGS.
#[cfg(target_arch = "x86_64")]
const TRAP_FLAG: usize = 1 << 8;
#[cfg(target_arch = "x86_64")]
const DIRECTION_FLAG: usize = 1 << 10;
#[cfg(target_arch = "x86_64")]
const NESTED_TASK_FLAG: usize = 1 << 14;
#[cfg(target_arch = "x86_64")]
const ALIGNMENT_FLAG: usize = 1 << 18;

/// The interrupted registers.
struct Context<'a>(&'a mut libc::ucontext_t);

#[cfg(target_arch = "x86_64")]
impl Context<'_> {
    const REGISTER_NAMES: [&'static str; 16] =
        ["rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"];

    fn word(&self, register: i32) -> usize {
        self.0.uc_mcontext.gregs[register as usize] as usize
    }

    fn set_word(&mut self, register: i32, value: usize) {
        self.0.uc_mcontext.gregs[register as usize] = value as i64;
    }

    fn pc(&self) -> usize {
        self.word(libc::REG_RIP)
    }

    fn sp(&self) -> usize {
        self.word(libc::REG_RSP)
    }

    fn set_pc(&mut self, pc: usize) {
        self.set_word(libc::REG_RIP, pc);
    }

    /// The instruction that raised the signal. INT3, INT1 and SYSCALL are interrupted behind themselves.
    fn instruction(&self, signal: i32) -> usize {
        let length = match signal {
            libc::SIGTRAP if find_code(self.pc().wrapping_sub(1)).is_some() => 1,
            libc::SIGSYS => 2,
            _ => 0,
        };
        self.pc().wrapping_sub(length)
    }

    fn flags(&self) -> u64 {
        self.word(libc::REG_EFL) as u64
    }

    /// Clears the flags that a program may have set and that the run time needs clear: direction, alignment check, trap, nested task.
    fn reset_flags(&mut self) {
        self.set_word(libc::REG_EFL, self.word(libc::REG_EFL) & !(DIRECTION_FLAG | ALIGNMENT_FLAG | TRAP_FLAG | NESTED_TASK_FLAG));
    }

    /// Back to 64-bit code: SYSENTER and far jumps of a wild branch lead to 32-bit code, where no handler's address exists.
    fn reset_segments(&mut self) {
        // arch/x86/include/asm/segment.h; the word holds CS, GS, FS and SS.
        const CODE: usize = 0x33;
        const DATA: usize = 0x2B;
        let others = self.word(libc::REG_CSGSFS) & 0x0000_FFFF_FFFF_0000;
        self.set_word(libc::REG_CSGSFS, others | CODE | DATA << 48);
    }

    /// Clears the trap flag; false if it was not set.
    fn stop_single_step(&mut self) -> bool {
        let flags = self.word(libc::REG_EFL);
        self.set_word(libc::REG_EFL, flags & !TRAP_FLAG);
        flags & TRAP_FLAG != 0
    }

    fn set_sp(&mut self, sp: usize) {
        self.set_word(libc::REG_RSP, sp);
    }

    /// Continues at `pc` with two result registers.
    fn resume_at(&mut self, pc: usize, first: usize, second: usize) {
        self.set_word(libc::REG_RIP, pc);
        self.set_word(libc::REG_RAX, first);
        self.set_word(libc::REG_RDX, second);
    }

    /// Where the frame keeps the interrupted thread's rights to the storage keys; the system restores them when the handler returns.
    fn key_rights(&self) -> Option<*mut u32> {
        // The layout of the frame's extended state: arch/x86/include/uapi/asm/sigcontext.h, and the processor's manual.
        const MAGIC: u32 = 0x4650_5853;
        const SOFTWARE_BYTES: usize = 464;
        const HEADER: usize = 512;
        const PKRU_COMPONENT: u32 = 9;
        let state = self.0.uc_mcontext.fpregs as *mut u8;
        if state.is_null() {
            return None;
        }
        let offset = core::arch::x86_64::__cpuid_count(0xD, PKRU_COMPONENT).ebx as usize;
        unsafe {
            let software = state.add(SOFTWARE_BYTES).cast::<u32>();
            let present = state.add(HEADER).cast::<u64>().read_unaligned();
            if *software != MAGIC || offset + 4 > *software.add(4) as usize || present & 1 << PKRU_COMPONENT == 0 {
                return None;
            }
            Some(state.add(offset).cast())
        }
    }

    fn registers(&self) -> [u64; 16] {
        use libc::*;
        [
            REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13,
            REG_R14, REG_R15,
        ]
        .map(|register| self.word(register) as u64)
    }

    fn frame(&self) -> Frame {
        use libc::*;
        // By their numbers in call frame information (System V ABI, AMD64 supplement, figure 3.36).
        let numbered = [
            REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13,
            REG_R14, REG_R15,
        ];
        let mut registers = [0; unwind::REGISTER_COUNT];
        for (slot, register) in registers.iter_mut().zip(numbered) {
            *slot = self.word(register);
        }
        Frame { pc: self.pc(), registers }
    }

    /// The interrupted registers, with the callee-saved ones as in an outer frame.
    fn registers_at(&self, outer: &Frame) -> [u64; 16] {
        // rbx, rbp, rsp, r12 to r15: place in a trap and number in call frame information.
        const PRESERVED: [(usize, usize); 7] = [(1, 3), (6, 6), (7, 7), (12, 12), (13, 13), (14, 14), (15, 15)];
        let mut registers = self.registers();
        for (place, number) in PRESERVED {
            registers[place] = outer.registers[number] as u64;
        }
        registers
    }
}

#[cfg(target_arch = "aarch64")]
impl Context<'_> {
    const REGISTER_NAMES: [&'static str; 16] =
        ["x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15"];

    fn pc(&self) -> usize {
        self.0.uc_mcontext.pc as usize
    }

    fn sp(&self) -> usize {
        self.0.uc_mcontext.sp as usize
    }

    fn set_pc(&mut self, pc: usize) {
        self.0.uc_mcontext.pc = pc as u64;
    }

    fn instruction(&self, _: i32) -> usize {
        self.pc()
    }

    fn flags(&self) -> u64 {
        self.0.uc_mcontext.pstate
    }

    fn reset_flags(&mut self) {}

    fn reset_segments(&mut self) {}

    fn stop_single_step(&mut self) -> bool {
        false
    }

    fn set_sp(&mut self, sp: usize) {
        self.0.uc_mcontext.sp = sp as u64;
    }

    fn resume_at(&mut self, pc: usize, first: usize, second: usize) {
        self.0.uc_mcontext.pc = pc as u64;
        self.0.uc_mcontext.regs[0] = first as u64;
        self.0.uc_mcontext.regs[1] = second as u64;
    }

    fn key_rights(&self) -> Option<*mut u32> {
        None
    }

    fn registers(&self) -> [u64; 16] {
        std::array::from_fn(|index| self.0.uc_mcontext.regs[index])
    }

    fn frame(&self) -> Frame {
        // By their numbers in call frame information (DWARF for the Arm 64-bit Architecture): x0 to x30, sp.
        let mut registers = [0; unwind::REGISTER_COUNT];
        for (slot, register) in registers.iter_mut().zip(self.0.uc_mcontext.regs.iter().chain([&self.0.uc_mcontext.sp])) {
            *slot = *register as usize;
        }
        Frame { pc: self.pc(), registers }
    }

    /// The interrupted registers, with the callee-saved ones as in an outer frame; none of x0 to x15 is callee-saved.
    fn registers_at(&self, _: &Frame) -> [u64; 16] {
        self.registers()
    }
}
