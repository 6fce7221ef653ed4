//! Storage keys by the processor's protection keys.
//!
//! One key is allocated: user key, for user-key storage, task stacks and signal stacks. Everything else of the process
//! keeps key 0, which is CICS key. A thread in CICS key may write everything; in user key it may write only pages of the
//! user key and read all. Invariants: a thread is in user key only between [`enter_user_key`] and the next
//! [`enter_cics_key`], [`restore`] or trap; the signal trampoline and the recovery path reopen all keys before they touch
//! anything else, because a signal may arrive in user key. Where the processor or the kernel has no keys, [`activate`] says
//! so and every function here does nothing.
//!
//! `unsafe` here is the key system calls and the two register instructions, which touch no memory.

use std::io;
use std::sync::atomic::{AtomicI32, Ordering};

/// -1: not active.
static USER_KEY: AtomicI32 = AtomicI32::new(-1);

/// What a thread could access before a switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SavedKey(u32);

/// Allocates the user key, once a process. An error means the machine has no protection keys.
pub fn activate() -> io::Result<()> {
    if is_active() {
        return Ok(());
    }
    let key = allocate()?;
    if USER_KEY.compare_exchange(-1, key, Ordering::SeqCst, Ordering::SeqCst).is_err() {
        unsafe { libc::syscall(libc::SYS_pkey_free, key) };
        return Ok(());
    }
    crate::signals::keys_activated()
}

#[cfg(target_arch = "x86_64")]
fn allocate() -> io::Result<i32> {
    let key = unsafe { libc::syscall(libc::SYS_pkey_alloc, 0, 0) };
    if key < 0 { Err(io::Error::last_os_error()) } else { Ok(key as i32) }
}

#[cfg(not(target_arch = "x86_64"))]
fn allocate() -> io::Result<i32> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

/// Keys are enforced.
#[inline]
pub fn is_active() -> bool {
    USER_KEY.load(Ordering::Relaxed) >= 0
}

/// Gives readable and writable pages the user key; does nothing without keys.
pub(crate) fn tag_user(address: usize, length: usize) -> io::Result<()> {
    let key = USER_KEY.load(Ordering::Relaxed);
    if key < 0 {
        return Ok(());
    }
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let result = unsafe { libc::syscall(libc::SYS_pkey_mprotect, address, length, protection, key) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Before a user-key program runs: nothing but user-key storage can be written.
#[inline]
pub fn enter_user_key() -> SavedKey {
    let key = USER_KEY.load(Ordering::Relaxed);
    if key < 0 {
        return SavedKey(0);
    }
    // Bits 2k (access disable) and 2k+1 (write disable) of each key k.
    const WRITE_DISABLE_ALL: u32 = 0xAAAA_AAAA;
    switch(WRITE_DISABLE_ALL & !(0b11 << (2 * key)))
}

/// At the entry of a gate: everything can be written.
#[inline]
pub fn enter_cics_key() -> SavedKey {
    if is_active() { switch(0) } else { SavedKey(0) }
}

/// At the exit of a gate: as before the entry.
#[inline]
pub fn restore(saved: SavedKey) {
    if is_active() {
        write_register(saved.0);
    }
}

#[inline]
fn switch(rights: u32) -> SavedKey {
    let saved = SavedKey(read_register());
    if saved.0 != rights {
        write_register(rights);
    }
    saved
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn read_register() -> u32 {
    let rights: u32;
    unsafe { core::arch::asm!("rdpkru", out("eax") rights, out("edx") _, in("ecx") 0, options(nomem, nostack)) };
    rights
}

// Not `nomem`: accesses must not be moved across the switch.
#[cfg(target_arch = "x86_64")]
#[inline]
fn write_register(rights: u32) {
    unsafe { core::arch::asm!("wrpkru", in("eax") rights, in("ecx") 0, in("edx") 0, options(nostack)) };
}

#[cfg(not(target_arch = "x86_64"))]
fn read_register() -> u32 {
    0
}

#[cfg(not(target_arch = "x86_64"))]
fn write_register(_rights: u32) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_keys_nothing_happens() {
        if is_active() {
            return;
        }
        let saved = enter_user_key();
        let inner = enter_cics_key();
        restore(inner);
        restore(saved);
        assert_eq!(saved, SavedKey(0));
    }
}
