//! How a command ends other than normally.
//!
//! Invariant: a `Raised` owns everything it needs and nothing of the task; it is returned through Rust frames as an ordinary error, so
//! every destructor has run before the gate lets control leave for a label, an abend or the end of the program.

use crate::Region;
use crate::storage_access::Fault;
use exec::Condition;
use kernel::storage::{Dsa, Key};

/// The return type of every command handler.
pub type Outcome = Result<(), Raised>;

#[derive(Debug)]
pub enum Raised {
    /// A condition, with its RESP2, and the return and reason code of the access method, for EIBRCODE. For LENGERR the length given by the
    /// program and the actual one; equal if there is no information.
    Condition { condition: Condition, resp2: i32, access: [u8; 2], lengths: [u32; 2] },
    /// The task abends.
    Abend(Box<Abend>),
    /// The program ends here; the task's level has the reason (RETURN, XCTL).
    Leave,
    /// Control goes to a label of the program instead of the next statement.
    Goto(u32),
}

impl Raised {
    pub const fn new(condition: Condition, resp2: i32) -> Self {
        Self::Condition { condition, resp2, access: [0; 2], lengths: [0; 2] }
    }

    pub fn abend(code: &str) -> Self {
        Self::Abend(Box::new(Abend::new(code)))
    }
}

/// `Err` of a condition, for the tail of a handler: `return raise(condition::INVREQ, resp2::REQUEST_NOT_ALLOWED)`.
pub fn raise<T>(condition: Condition, resp2: i32) -> Result<T, Raised> {
    Err(Raised::new(condition, resp2))
}

/// `Err` of LENGERR, with the length given by the program and the actual one.
pub fn raise_length<T>(resp2: i32, given: i64, actual: i64) -> Result<T, Raised> {
    let shown = |length: i64| u32::try_from(length).unwrap_or(0);
    Err(Raised::Condition { condition: exec::condition::LENGERR, resp2, access: [0; 2], lengths: [shown(given), shown(actual)] })
}

/// `Err` of an abend.
pub fn abend<T>(code: &str) -> Result<T, Raised> {
    Err(Raised::abend(code))
}

impl From<Fault> for Raised {
    /// A parameter's storage cannot be accessed: a program check, as if the program had accessed it itself.
    fn from(fault: Fault) -> Self {
        let mut abend = Abend::new("ASRA").because(format!("0C4 protection exception: the command has address {:X}", fault.address));
        abend.interrupt = Some(Box::new(Interrupt::protection(fault.address)));
        abend.storage = Some(fault.address);
        Self::Abend(Box::new(abend))
    }
}

/// A program interruption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interrupt {
    /// Interruption code: 1 operation, 4 protection, 7 data, 9 fixed divide, 0xB decimal divide ...
    pub code: u16,
    pub address: usize,
    pub registers: [u64; 16],
}

impl Interrupt {
    /// Interruption code of a protection exception: 0C4.
    pub const PROTECTION: u8 = 4;

    pub fn protection(address: usize) -> Self {
        Self { code: u16::from(Self::PROTECTION), address, registers: [0; 16] }
    }

    /// `0C4` and so on.
    pub fn completion_code(&self) -> String {
        format!("0C{:X}", self.code & 0xF)
    }
}

/// An abend being passed to an exit or to the end of the task.
#[derive(Clone, Debug)]
pub struct Abend {
    /// Four characters.
    pub code: [u8; 4],
    /// ABEND CANCEL, or purge: exits at all levels are passed over.
    pub cancel_exits: bool,
    /// No transaction dump is taken (NODUMP, or an abend code without a dump).
    pub no_dump: bool,
    /// Filled by the level at which it happened.
    pub program: crate::name::Name8,
    /// Offset of the failing instruction in the program's code; `None` when the abend was not at an instruction.
    pub offset: Option<u32>,
    /// Source line of the statement, 0 if not known.
    pub line: u32,
    pub interrupt: Option<Box<Interrupt>>,
    /// Address of the storage that could not be accessed (ASRA by 0C4, AEYD).
    pub storage: Option<usize>,
    /// The command being executed, if one was.
    pub command: Option<exec::CommandId>,
    /// A message for the log that explains the code.
    pub reason: Option<String>,
    /// The statement executed and what was wrong with it, for the operator.
    pub cause: Option<String>,
    /// Path of the program's source.
    pub source: Option<Box<str>>,
    /// The program check has been reported, and its system dump taken.
    pub is_reported: bool,
    /// The exit programs of XPCTA have seen it: an abend passes through all levels of the task.
    pub(crate) seen_by_exits: bool,
}

impl Abend {
    pub fn new(code: &str) -> Self {
        let name = crate::name::Name4::new(code);
        Self {
            code: *name.as_bytes(),
            cancel_exits: false,
            no_dump: false,
            program: crate::name::Name8::BLANK,
            offset: None,
            line: 0,
            interrupt: None,
            storage: None,
            command: None,
            reason: None,
            cause: None,
            source: None,
            is_reported: false,
            seen_by_exits: false,
        }
    }

    pub fn code_text(&self) -> String {
        String::from_utf8_lossy(&self.code).trim_end().to_string()
    }

    /// The DSA whose storage the program tried to write or access without permission. CICS-key and read-only storage is readable for all,
    /// so only a write can fail there; in the others only transaction isolation makes an access fail.
    pub fn protected(&self, region: &Region) -> Option<(&'static str, Dsa)> {
        let protection = self.interrupt.as_ref().is_some_and(|interrupt| interrupt.code == u16::from(Interrupt::PROTECTION));
        let dsa = region.storage.dsa_at(self.storage.filter(|_| protection)?)?;
        match dsa.key() {
            Key::Cics => Some(("overwrite", dsa)),
            Key::User => (region.transaction_isolation && dsa.is_isolated()).then_some(("access", dsa)),
        }
    }

    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }
}

/// The name of a command, for messages and dumps.
pub fn command_name(command: Option<exec::CommandId>) -> &'static str {
    command.and_then(exec::CommandId::checked).map_or("", |spec| spec.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_abend_of_a_command_with_a_wild_address_tells_the_address() {
        let Raised::Abend(abend) = Raised::from(Fault { address: 0x7FFF_FFF0, protection_key: false }) else { panic!("an abend") };
        assert_eq!((abend.code_text().as_str(), abend.storage), ("ASRA", Some(0x7FFF_FFF0)));
        assert!(abend.reason.is_some_and(|reason| reason.contains("address 7FFFFFF0")));
    }
}
