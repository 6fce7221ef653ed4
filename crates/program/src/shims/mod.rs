//! The functions behind the slots: `extern "C"` shims from compiled code into the run time.
//!
//! Invariants: a shim catches every panic; when it stops the program it owns nothing any more. A light shim touches only
//! its operands, the session and the stack, and stops by a trap of its own after leaving the reason in the unit
//! header, so that it needs no memory. A gated shim marks its thread as running region code first
//! (`kernel::guard::RunTime`), so a fault inside is the region's own.

mod gated;
mod light;

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

/// Record why and trap: the fault handler takes control from the program's call into the run time.
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
    /// The run time's own functions; what concerns the world outside goes to the run unit's [`crate::rununit::Host`].
    pub fn standard() -> &'static SlotTable {
        static TABLE: std::sync::OnceLock<SlotTable> = std::sync::OnceLock::new();
        TABLE.get_or_init(|| {
            let filler = gated::fill(light::fill(Filler::new()));
            for (index, function) in filler.functions.iter().enumerate() {
                assert!(!function.is_null(), "slot {} has no function", crate::abi::SIGNATURES[index].name);
            }
            SlotTable { functions: filler.functions }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slot_has_a_function() {
        assert_eq!(SlotTable::standard().functions.len(), SLOT_COUNT);
    }
}
