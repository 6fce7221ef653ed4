//! Storage keys by the processor's protection keys.
//!
//! One key of the processor is allocated: user key, for user-key storage, task stacks and signal stacks. All other memory of the process
//! keeps key 0, which is CICS key. A thread in CICS key may read and write everything; in user key it may write only pages of the user key
//! and read all.
//!
//! Invariants:
//! * a thread is in user key only between [`enter_user_key`] and the next [`enter_cics_key`] or trap, and meanwhile runs only compiled code
//!   and light helpers. It suspends, waits and takes locks only in CICS key, so every stack switch happens in CICS key;
//! * the signal trampoline and the recovery path open all keys before they touch anything else, because a signal may arrive in user key,
//!   and the system starts handlers with its own default rights;
//! * a thread that runs programs has been through [`prepare_thread`]: all keys are open to it, and the system does not write to its
//!   thread-local storage behind its back (restartable sequences are switched off, because the system would write their area under
//!   the interrupted program's rights). A thread that has not been prepared has the system's default rights, which close the user key:
//!   its first access to user-key storage is repaired by the signal handler.
//!
//! Where the processor or the system has no keys, [`is_available`] is false, no page is tagged and no thread enters user key.
//!
//! `unsafe` here is the key system calls, the switch-off of restartable sequences, and the register instructions, which touch no memory.
//!
//! `regent/tests/protection.rs` covers it in the machine of `tests/keys`, an emulated processor with keys; without keys, none of it runs.

pub(crate) mod isolation;

use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

/// Negative: no key. Set once, by [`probe`].
static USER_KEY: AtomicI32 = AtomicI32::new(-1);
/// The register in user key. Set once, by [`probe`], before `USER_KEY`.
static USER_RIGHTS: AtomicU32 = AtomicU32::new(0);

/// The register in CICS key: bits 2k (access disable) and 2k+1 (write disable) of every key k are clear.
const CICS_RIGHTS: u32 = 0;
const WRITE_DISABLE_ALL: u32 = 0xAAAA_AAAA;
/// Storage of key 0 cannot be written: the mark of user key.
const WRITE_DISABLE_CICS: u32 = 0b10;

/// Allocates the user key, once a process. An error means the machine has no protection keys, or other code of the process has
/// them all.
pub fn probe() -> io::Result<()> {
    static PROBE: OnceLock<Result<(), i32>> = OnceLock::new();
    let probed = PROBE.get_or_init(|| {
        let key = allocate().ok_or_else(|| io::Error::last_os_error().raw_os_error().unwrap_or(libc::ENOSYS))?;
        USER_RIGHTS.store(WRITE_DISABLE_ALL & !(0b11 << (2 * key)), Ordering::SeqCst);
        USER_KEY.store(key, Ordering::SeqCst);
        Ok(())
    });
    probed.map_err(io::Error::from_raw_os_error)
}

/// Allocates a free key of the processor.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) fn allocate() -> Option<i32> {
    let key = unsafe { libc::syscall(libc::SYS_pkey_alloc, 0, 0) };
    (key >= 0).then_some(key as i32)
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
pub(crate) fn allocate() -> Option<i32> {
    None
}

/// The register in user key for a program that reaches, of the storage under these keys, only that under `own`.
pub(crate) fn user_rights(keys: &[i32], own: i32) -> u32 {
    let closed = keys.iter().fold(0, |bits, key| bits | 0b01 << (2 * key));
    (USER_RIGHTS.load(Ordering::Relaxed) | closed) & !(0b11 << (2 * own))
}

/// Tags readable and writable pages of user-key storage with a key of [`allocate`].
pub(crate) fn tag(address: usize, length: usize, key: i32) {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let result = unsafe { libc::syscall(libc::SYS_pkey_mprotect, address, length, protection, key) };
    if result < 0 {
        // The process is out of mappings: the pages keep a key that may belong to another subspace, and there is no caller to report it to.
        eprintln!("kernel: storage at {address:x} cannot be isolated: {}", io::Error::last_os_error());
        std::process::abort();
    }
}

/// The processor enforces keys.
#[inline]
pub fn is_available() -> bool {
    USER_KEY.load(Ordering::Relaxed) >= 0
}

/// This thread is in user key.
#[inline]
pub fn is_user_key() -> bool {
    is_available() && is_user_rights(read_register())
}

/// These rights are those of user key, not the system's default ones nor those of CICS key.
pub(crate) fn is_user_rights(rights: u32) -> bool {
    rights & WRITE_DISABLE_CICS != 0
}

/// Opens all keys to this thread and keeps the system from writing to its thread-local storage.
pub(crate) fn prepare_thread() {
    if probe().is_ok() {
        write_register(CICS_RIGHTS);
        switch_off_restartable_sequences();
    }
}

/// Tags readable and writable pages with the user key; does nothing without keys.
pub(crate) fn tag_user(address: usize, length: usize) -> io::Result<()> {
    if probe().is_err() {
        return Ok(());
    }
    let key = USER_KEY.load(Ordering::Relaxed);
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let result = unsafe { libc::syscall(libc::SYS_pkey_mprotect, address, length, protection, key) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// From CICS key to user key: from here on only user-key storage can be written.
///
/// # Safety
/// Keys are available. The stack has the user key, and until [`enter_cics_key`] the thread writes only to it and to user-key storage.
#[inline(always)]
pub unsafe fn enter_user_key() {
    write_register(USER_RIGHTS.load(Ordering::Relaxed));
}

/// From user key to CICS key, in which everything can be written.
///
/// # Safety
/// Keys are available.
#[inline(always)]
pub unsafe fn enter_cics_key() {
    write_register(CICS_RIGHTS);
}

/// With restartable sequences the system writes the processor number to thread-local storage whenever the thread is preempted, under the
/// rights of the interrupted program; in user key the thread would be killed. The C library works without them.
#[cfg(target_arch = "x86_64")]
fn switch_off_restartable_sequences() {
    /// Lengths of the area the C library registers, for all versions until now.
    const AREA_BYTES: [usize; 3] = [32, 64, 128];
    const UNREGISTER: i32 = 1;
    const SIGNATURE: u32 = 0x5305_3053;
    unsafe {
        let offset = libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_offset".as_ptr()).cast::<isize>();
        let size = libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_size".as_ptr()).cast::<u32>();
        if offset.is_null() || size.is_null() || *size == 0 {
            return;
        }
        let thread: usize;
        core::arch::asm!("mov {}, fs:0", out(reg) thread, options(nostack, readonly, preserves_flags));
        let area = thread.wrapping_add_signed(*offset);
        for length in AREA_BYTES {
            if libc::syscall(libc::SYS_rseq, area, length, UNREGISTER, SIGNATURE) == 0 {
                return;
            }
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn switch_off_restartable_sequences() {}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn read_register() -> u32 {
    let rights: u32;
    unsafe { core::arch::asm!("rdpkru", out("eax") rights, out("edx") _, in("ecx") 0, options(nomem, nostack, preserves_flags)) };
    rights
}

// Not `nomem`: accesses must not be moved across the switch.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn write_register(rights: u32) {
    unsafe { core::arch::asm!("wrpkru", in("eax") rights, in("ecx") 0, in("edx") 0, options(nostack, preserves_flags)) };
}

#[cfg(not(target_arch = "x86_64"))]
fn read_register() -> u32 {
    CICS_RIGHTS
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn write_register(_rights: u32) {}
