//! Access to program addresses on behalf of a command: a bad address is an error value, not a trap.
//!
//! Invariants: the three routines below are the only instructions of the process whose faults the signal handler repairs by
//! resuming at `kernel_access_fault`; they call nothing, own nothing and use no stack, so resuming there is a plain return
//! with the fault address in the first result register and a non-zero flag in the second.
//!
//! Shown by the tests below and by `regent/tests/traps.rs`, which gives commands addresses that nobody has. Miri cannot run assembly.

/// A program address could not be read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AccessFault {
    pub address: usize,
    /// Refused by a storage key.
    pub protection_key: bool,
}

#[repr(C)]
struct Accessed {
    address: usize,
    fault: usize,
}

/// Flags in `Accessed::fault`, set by the signal handler.
pub(crate) const FAULT: usize = 1;
pub(crate) const FAULT_KEY: usize = 2;

unsafe extern "C" {
    fn kernel_access_copy(to: *mut u8, from: *const u8, length: usize) -> Accessed;
    fn kernel_access_read(address: usize) -> Accessed;
    fn kernel_access_write(address: usize) -> Accessed;
    fn kernel_access_begin();
    fn kernel_access_end();
    pub(crate) fn kernel_access_fault();
}

#[cfg(target_arch = "x86_64")]
core::arch::global_asm!(
    r#"
    .p2align 4
    .globl kernel_access_begin
kernel_access_begin:
    .globl kernel_access_copy
kernel_access_copy:
    mov rcx, rdx
    rep movsb
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
pub(crate) fn is_access_code(pc: usize) -> bool {
    pc >= kernel_access_begin as *const () as usize && pc < kernel_access_end as *const () as usize
}

fn result(accessed: Accessed) -> Result<(), AccessFault> {
    if accessed.fault == 0 {
        return Ok(());
    }
    Err(AccessFault { address: accessed.address, protection_key: accessed.fault & FAULT_KEY != 0 })
}

/// Copies from program storage.
///
/// # Safety
/// `from` must not lead to memory Rust code holds references to; areas of program storage never do.
pub unsafe fn copy_in(from: usize, to: &mut [u8]) -> Result<(), AccessFault> {
    crate::current::prepare_thread_once();
    result(unsafe { kernel_access_copy(to.as_mut_ptr(), from as *const u8, to.len()) })
}

/// Copies to program storage.
///
/// # Safety
/// As [`copy_in`].
pub unsafe fn copy_out(from: &[u8], to: usize) -> Result<(), AccessFault> {
    crate::current::prepare_thread_once();
    result(unsafe { kernel_access_copy(to as *mut u8, from.as_ptr(), from.len()) })
}

/// Tests that every byte of the area can be read, or written, by touching each of its pages. A length of zero is accessible.
pub fn probe(address: usize, length: usize, write: bool) -> Result<(), AccessFault> {
    const PAGE_BYTES: usize = 4096;
    if length == 0 {
        return Ok(());
    }
    let last = address.checked_add(length - 1).ok_or(AccessFault { address: usize::MAX, protection_key: false })?;
    crate::current::prepare_thread_once();
    let mut at = address;
    loop {
        // A write test rewrites the byte it found, atomically, so it changes nothing.
        result(unsafe { if write { kernel_access_write(at) } else { kernel_access_read(at) } })?;
        match (at | (PAGE_BYTES - 1)).checked_add(1) {
            Some(next) if next <= last => at = next,
            _ => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_addresses_are_errors() {
        let mut buffer = [0u8; 8];
        let fault = unsafe { copy_in(0x10, &mut buffer) }.unwrap_err();
        assert_eq!(fault, AccessFault { address: 0x10, protection_key: false });
        assert_eq!(unsafe { copy_out(&buffer, 0x20) }.unwrap_err().address, 0x20);
        assert!(probe(0x30, 1, false).is_err());
        assert!(probe(usize::MAX, 2, false).is_err());
    }

    #[test]
    fn good_addresses_are_copied() {
        let source = Box::leak(Box::new([7u8; 16])).as_mut_ptr() as usize;
        let mut buffer = [0u8; 16];
        unsafe { copy_in(source, &mut buffer) }.unwrap();
        assert_eq!(buffer, [7; 16]);
        unsafe { copy_out(&[9; 4], source + 12) }.unwrap();
        unsafe { copy_in(source, &mut buffer) }.unwrap();
        assert_eq!(buffer[11..], [7, 9, 9, 9, 9]);
        assert!(probe(source, 16, true).is_ok());
        assert!(probe(0, 0, true).is_ok());
    }

    #[test]
    fn a_read_only_page_cannot_be_written() {
        static CONSTANT: [u8; 4096] = [1; 4096];
        let address = CONSTANT.as_ptr() as usize;
        assert!(probe(address, 4096, false).is_ok());
        assert_eq!(probe(address, 1, true).unwrap_err().address, address);
    }
}
