//! System calls of program code are refused: the system turns them into SIGSYS, and the trap handler into an abend.
//!
//! Only a wild branch comes to such an instruction, to its two bytes inside another one. Programs written in C can branch so, compiled
//! COBOL cannot. Threads therefore refuse these calls only from the first C program of the process on, because each system call of such a
//! thread takes some 10 ns longer.
//!
//! Invariants: code may call the system from every address that no program can form, where the run time and its libraries lie; a thread
//! asks the system once. A system before Linux 5.11 has no such service. There, a program's system call is executed.
//!
//! `unsafe` here is the system call that asks for this; it accesses no memory. `regent/tests/c_programs.rs` covers it with a program that
//! branches to the instruction.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

static REFUSED: AtomicBool = AtomicBool::new(false);

thread_local! {
    static IS_SET: Cell<bool> = const { Cell::new(false) };
}

/// Refuses system calls of program code on this thread, and on each worker before it resumes its next task.
pub fn refuse_system_calls() {
    if !REFUSED.load(Ordering::Relaxed) {
        REFUSED.store(true, Ordering::Relaxed);
    }
    refuse_on_this_thread();
}

/// Before a worker resumes a task.
#[inline]
pub(super) fn refuse_if_wanted() {
    if REFUSED.load(Ordering::Relaxed) {
        refuse_on_this_thread();
    }
}

/// Never inlined, so that no compiler keeps the address of a thread-local across a suspend.
#[inline(never)]
fn refuse_on_this_thread() {
    IS_SET.with(|is_set| {
        if !is_set.replace(true) {
            ask_system();
        }
    });
}

#[cfg(target_arch = "x86_64")]
fn ask_system() {
    // include/uapi/linux/prctl.h
    const PR_SET_SYSCALL_USER_DISPATCH: i32 = 59;
    const PR_SYS_DISPATCH_ON: usize = 1;
    let start = crate::addresses::PROGRAM_ADDRESS_END;
    // Without a selector, a call from any other address is refused.
    unsafe { libc::prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, start, usize::MAX - start, 0usize) };
}

#[cfg(not(target_arch = "x86_64"))]
fn ask_system() {}
