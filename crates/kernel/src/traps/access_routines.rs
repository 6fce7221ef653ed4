//! The assembly that touches program addresses on behalf of a command.
//!
//! Invariants: the three routines below are the only instructions of the process whose faults the signal handler repairs by resuming at
//! `kernel_access_fault`; they call nothing, own nothing and use no stack, so resuming there is a plain return with the fault address in
//! the first result register and a non-zero flag in the second. They touch no byte outside the area. Short areas, which are the most
//! frequent, are copied in words: starting a string instruction costs more than copying such an area.
//!
//! `unsafe` here declares these routines. The tests of `access.rs` cover it; Miri cannot run assembly.

#[repr(C)]
pub(super) struct Accessed {
    pub address: usize,
    pub fault: usize,
}

/// Flags in `Accessed::fault`, set by the signal handler.
pub(super) const FAULT: usize = 1;
pub(super) const FAULT_KEY: usize = 2;

unsafe extern "C" {
    pub(super) fn kernel_access_copy(to: *mut u8, from: *const u8, length: usize) -> Accessed;
    pub(super) fn kernel_access_read(address: usize) -> Accessed;
    pub(super) fn kernel_access_write(address: usize) -> Accessed;
    fn kernel_access_begin();
    fn kernel_access_end();
    pub(super) fn kernel_access_fault();
}

#[cfg(target_arch = "x86_64")]
core::arch::global_asm!(
    r#"
    .p2align 4
    .globl kernel_access_begin
kernel_access_begin:
    .globl kernel_access_copy
kernel_access_copy:
    cmp rdx, 16
    jb 3f
    cmp rdx, 512
    ja 2f
    lea rcx, [rdx - 16]
    xor eax, eax
1:  movups xmm0, [rsi + rax]
    movups [rdi + rax], xmm0
    add rax, 16
    cmp rax, rcx
    jb 1b
    movups xmm0, [rsi + rcx]
    movups [rdi + rcx], xmm0
    xor eax, eax
    xor edx, edx
    ret
2:  mov rcx, rdx
    rep movsb
    xor eax, eax
    xor edx, edx
    ret
3:  cmp rdx, 8
    jb 4f
    mov rax, [rsi]
    mov [rdi], rax
    mov rax, [rsi + rdx - 8]
    mov [rdi + rdx - 8], rax
    xor eax, eax
    xor edx, edx
    ret
4:  cmp rdx, 4
    jb 2b
    mov eax, [rsi]
    mov [rdi], eax
    mov eax, [rsi + rdx - 4]
    mov [rdi + rdx - 4], eax
    xor eax, eax
    xor edx, edx
    ret
    .globl kernel_access_read
kernel_access_read:
    mov al, [rdi]
    xor eax, eax
    xor edx, edx
    ret
    .globl kernel_access_write
kernel_access_write:
    lock or byte ptr [rdi], 0
    xor eax, eax
    xor edx, edx
    ret
    .globl kernel_access_end
kernel_access_end:
    .globl kernel_access_fault
kernel_access_fault:
    ret
"#
);

#[cfg(target_arch = "aarch64")]
core::arch::global_asm!(
    r#"
    .p2align 4
    .globl kernel_access_begin
kernel_access_begin:
    .globl kernel_access_copy
kernel_access_copy:
    cbz x2, 2f
1:  ldrb w9, [x1], #1
    strb w9, [x0], #1
    subs x2, x2, #1
    b.ne 1b
2:  mov x0, #0
    mov x1, #0
    ret
    .globl kernel_access_read
kernel_access_read:
    ldrb w9, [x0]
    mov x0, #0
    mov x1, #0
    ret
    .globl kernel_access_write
kernel_access_write:
1:  ldxrb w9, [x0]
    stxrb w10, w9, [x0]
    cbnz w10, 1b
    mov x0, #0
    mov x1, #0
    ret
    .globl kernel_access_end
kernel_access_end:
    .globl kernel_access_fault
kernel_access_fault:
    ret
"#
);

/// True if the instruction is one of the routines above.
pub(super) fn is_access_code(pc: usize) -> bool {
    pc >= kernel_access_begin as *const () as usize && pc < kernel_access_end as *const () as usize
}
