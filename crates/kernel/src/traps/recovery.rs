//! Recovery points: the assembly that sets one and returns to it.
//!
//! A recovery point is a frame on the stack: the registers that functions preserve, the enclosing recovery point, and the address of the
//! word that heads the chain. Invariants: the word leads to the innermost recovery point of its stack or is 0; leaving through a recovery
//! point loads its stack pointer, so it is used at most once, and the recovery points inside it are dropped with it.
//!
//! `unsafe` here declares that assembly. `tests/guard/run_time.rs` covers it; no tool understands the assembly.

use super::execution::attention;

/// A function of the program: up to four words in, one out. Other C signatures of integers and pointers may be cast to it;
/// of a 32-bit result only the lower half of the word is meaningful.
pub type GuardedFunction = unsafe extern "C" fn(usize, usize, usize, usize) -> u64;

/// Status values with which the assembly reports how control returned.
pub(super) const STATUS_RETURNED: u64 = 0;
pub(super) const STATUS_EXIT: u64 = 1;
pub(super) const STATUS_ABEND: u64 = 2;
/// A trap or stop: `ExecState::trap` is filled, the low bits of the value give the kind.
pub(super) const STATUS_TRAP: u64 = 3;

pub(super) const TRAP_CHECK: u64 = 0;
pub(super) const TRAP_STACK: u64 = 1;
pub(super) const TRAP_RUNAWAY: u64 = 2;
pub(super) const TRAP_PURGE: u64 = 3;
pub(super) const TRAP_FORCE_PURGE: u64 = 4;
pub(super) const TRAP_KILL: u64 = 5;

/// The kind of trap for the strongest of the pending [`attention::STOPS`].
pub(super) fn stop_kind(bits: u32) -> Option<u64> {
    let strongest = [(attention::KILL, TRAP_KILL), (attention::FORCE_PURGE, TRAP_FORCE_PURGE), (attention::RUNAWAY, TRAP_RUNAWAY)];
    strongest.into_iter().find(|(bit, _)| bits & bit != 0).map(|(_, kind)| kind)
}

#[repr(C)]
pub(super) struct Left {
    pub value: u64,
    pub status: u64,
}

unsafe extern "C" {
    pub(super) fn kernel_guarded_enter(function: GuardedFunction, a: usize, b: usize, c: usize, d: usize, recover: *mut usize) -> Left;
    pub(super) fn kernel_guarded_leave(recover_sp: usize, value: u64, status: u64) -> !;
    pub(super) fn kernel_guarded_recover();
    pub(super) fn kernel_guarded_recover_keys();
}

/// The offset of the enclosing recovery point.
#[cfg(target_arch = "x86_64")]
pub(super) const ENCLOSING_OFFSET: usize = 8;
#[cfg(target_arch = "aarch64")]
pub(super) const ENCLOSING_OFFSET: usize = 160;

// On x86-64 these are six registers. `kernel_guarded_recover` expects the stack pointer at that frame, rax the value and rdx the status;
// the `_keys` entry first reopens all storage keys, because the interrupted program may have run in user key. Both reset the
// floating-point units, which the program may have changed; its flags are cleared by the signal handler. The call frame information lets
// a walk from a fault in a gate continue past the gate's recovery point to the program.
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
    .globl kernel_guarded_recover
kernel_guarded_recover:
    fninit
    push 0x1f80
    ldmxcsr [rsp]
    add rsp, 8
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
