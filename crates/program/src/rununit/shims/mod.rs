//! The functions behind the slots: `extern "C"` shims from compiled code into the run time.
//!
//! Invariants: a shim catches every panic, and owns nothing when it stops the program. A light shim touches only its operands, the session,
//! the stack and the unit header. It stops the program by its own trap, after storing the reason in the unit header, so it needs no memory
//! and can run in the program's key. A gated shim first marks its thread as running region code (`kernel::guard::RunTime`), so a fault
//! inside is the region's own, except on operands of the program where the operation works on them in place
//! (`kernel::guard::on_program_data`). A gated shim is refused, by an abend, when the stack may be too small for it.
//!
//! `codegen/tests/wild_addresses.rs` tests that no operand at any address ends the process.
//!
//! `unsafe` here and in the shims rests on the slot table: compiled code calls a slot with the arguments that `slots.in` declares, which
//! the code generator takes from the same file.

mod gated;
mod light;

pub(crate) use gated::guarded_entry;

use crate::abi::{Context, SLOT_COUNT, Slot, SlotTable};
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A panic inside a shim, as an exception number.
pub const PANIC: u32 = 255;

/// Run a light operation; on failure the program stops here with a program interruption or a run-time error.
#[inline(always)]
unsafe fn light<T>(context: *mut Context, work: impl FnOnce() -> le::Result<T>) -> T {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => value,
        Ok(Err(exception)) => stop(context, exception as u32),
        Err(payload) => {
            drop(payload);
            stop(context, PANIC)
        }
    }
}

/// Records the reason and traps: the fault handler takes control from the program's call into the run time.
#[cold]
#[inline(never)]
unsafe fn stop(context: *mut Context, exception: u32) -> ! {
    (*(*context).unit).exception = exception;
    #[cfg(target_arch = "x86_64")]
    std::arch::asm!("ud2", options(noreturn));
    #[cfg(target_arch = "aarch64")]
    std::arch::asm!("udf #0", options(noreturn));
}

/// Fills a slot table: every slot must be given a function.
struct Filler {
    functions: [*const c_void; SLOT_COUNT],
}

impl Filler {
    const fn new() -> Filler {
        Filler { functions: [std::ptr::null(); SLOT_COUNT] }
    }
    const fn set(mut self, slot: Slot, function: *const c_void) -> Filler {
        self.functions[slot as usize] = function;
        self
    }
}

impl SlotTable {
    /// The run time's own functions for programs in CICS key; requests to the outside go to the run unit's [`super::Host`].
    pub fn standard() -> &'static SlotTable {
        static TABLE: SlotTable = table::<{ key::CICS }>();
        &TABLE
    }

    /// The same for programs in user key: gated functions switch to CICS key and back.
    pub fn user_key() -> &'static SlotTable {
        static TABLE: SlotTable = table::<{ key::USER }>();
        &TABLE
    }

    /// The same for programs in user key whose run unit has a subspace.
    pub fn isolated() -> &'static SlotTable {
        static TABLE: SlotTable = table::<{ key::ISOLATED }>();
        &TABLE
    }
}

const fn table<const KEY: u8>() -> SlotTable {
    SlotTable { functions: gated::fill::<KEY>(light::fill::<KEY>(Filler::new())).functions }
}

/// In which key a program runs, as a parameter of the functions it calls.
pub(crate) mod key {
    /// CICS key, or a machine without keys: no key switch.
    pub const CICS: u8 = 0;
    pub const USER: u8 = 1;
    /// User key in the run unit's subspace.
    pub const ISOLATED: u8 = 2;
}

/// From the program's key to CICS key.
#[inline(always)]
pub(crate) unsafe fn enter_cics_key<const KEY: u8>(context: *mut Context) {
    match KEY {
        key::CICS => (),
        key::USER => kernel::keys::enter_cics_key(),
        _ => subspace(context).enter_cics_key(),
    }
}

/// From CICS key to the program's.
#[inline(always)]
pub(crate) unsafe fn enter_program_key<const KEY: u8>(context: *mut Context) {
    match KEY {
        key::CICS => (),
        key::USER => kernel::keys::enter_user_key(),
        _ => subspace(context).enter_user_key(),
    }
}

/// The subspace of a run unit with the isolated slot table, which it has only together.
#[inline(always)]
unsafe fn subspace<'a>(context: *mut Context) -> &'a kernel::Subspace {
    (*(*context).run_unit.cast::<super::RunUnit>()).subspace.as_ref().unwrap_unchecked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slot_has_a_function() {
        for table in [SlotTable::standard(), SlotTable::user_key(), SlotTable::isolated()] {
            for (function, signature) in table.functions.iter().zip(&crate::abi::SIGNATURES) {
                assert!(!function.is_null(), "slot {} has no function", signature.name);
            }
        }
    }

    #[test]
    fn gated_slots_alone_differ_by_key() {
        use crate::abi::{SIGNATURES, SlotKey};
        let tables = SlotTable::standard().functions.iter().zip(&SlotTable::user_key().functions);
        for ((one, other), signature) in tables.zip(&SIGNATURES) {
            // Fail stops the program from its own key; FloatPower calls the C library, which sets errno.
            let same = (signature.key == SlotKey::Program || signature.name == "Fail") && signature.name != "FloatPower";
            assert_eq!(one == other, same, "slot {}", signature.name);
        }
    }
}
