//! How program code is left without a return: exits, abends, and the state of the program at a trap.

use crate::name::Name;
use crate::wait::Purge;

/// How control left a guarded call other than by returning.
#[derive(Clone, Debug)]
pub enum Departure {
    /// [`super::guard::raise_exit`] with this value: a deliberate exit (RETURN, XCTL, GOBACK from depth), not an error.
    Exit(u64),
    Abend(Box<Abend>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AbendKind {
    /// By [`super::guard::raise`].
    Raised,
    /// A program check; `trap` is filled, the code is ASRA.
    Trap,
    /// The task ran too long without giving up control; the code is AICA. The value is [`RAN_AWAY_AGAIN`] if it did so a second time
    /// without giving up control in between: the handler of such abends is part of the loop.
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
        Abend { code: *Name::<4>::new(code).as_bytes(), kind: AbendKind::Raised, value, trap: None }
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
    /// SIGILL: `ud2`, which the program's trap table explains; SIGTRAP and SIGSYS, for which it has no entry.
    Illegal,
    /// SIGFPE: 0C9.
    Arithmetic,
    /// Not a program check: the place where a runaway or purged program was stopped.
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
    /// x86-64: rax rbx rcx rdx rsi rdi rbp rsp r8 to r15; aarch64: x0 to x15. For a trap in the run time, callee-saved registers have the
    /// program's values at its call.
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
