//! Entries of the signal handlers: the state of the processor that the handler needs, before any compiled code runs.
//!
//! Invariants: nothing is written to the alternate stack before all storage keys are open; the registers that carry the handler's arguments
//! keep them.
//!
//! `unsafe` here declares these entries. `tests/guard/traps.rs` covers them with programs that set flags; with keys, `tests/keys.rs`.

// With keys, opens all of them before the first use of the stack. Then clears the alignment check, the only flag of the interrupted
// program that the system leaves as it is. The three handler arguments stay where they are.
#[cfg(target_arch = "x86_64")]
core::arch::global_asm!(
    r#"
    .globl kernel_signal_trampoline
kernel_signal_trampoline:
    mov r8, rdx
    xor eax, eax
    xor ecx, ecx
    xor edx, edx
    wrpkru
    mov rdx, r8
    .globl kernel_signal_trampoline_without_keys
kernel_signal_trampoline_without_keys:
    pushfq
    and dword ptr [rsp], 0xfffbffff
    popfq
    jmp {handle}
"#,
    handle = sym super::handle,
);

#[cfg(target_arch = "x86_64")]
unsafe extern "C" {
    fn kernel_signal_trampoline();
    fn kernel_signal_trampoline_without_keys();
}

/// What the system calls for a signal.
#[cfg(target_arch = "x86_64")]
pub(super) fn trampoline_address(has_keys: bool) -> usize {
    if has_keys { kernel_signal_trampoline as *const () as usize } else { kernel_signal_trampoline_without_keys as *const () as usize }
}

/// What the system calls for a signal.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn trampoline_address(_: bool) -> usize {
    super::handle as extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) as usize
}
