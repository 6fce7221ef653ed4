//! Gated slots: the requests to the run unit and its host. Each shim exists once for every key of programs ([`super::key`]); a call by a
//! program in user key costs two key switches.
//!
//! `unsafe` here takes the context and the frame that compiled code was entered with: see the parent module.

use super::{Filler, enter_cics_key, enter_program_key, stop};
use crate::abi::{Context, Frame, Slot};
use crate::requests::{CallRequest, FileRequest, Operand, SqlRequest};
use crate::rununit::{Departure, FrameId, RunUnit, exception_of};
use exec::block::Block;
use kernel::guard::{RunTime, on_program_data};
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice::from_raw_parts;

type C = *mut Context;
type F = FrameId;

/// Runs a gated operation as region code, and in CICS key. Everything it owned has been dropped before control leaves by an abend, which
/// leaves in CICS key. It must access addresses of the program only through `kernel::guard`.
#[inline(always)]
unsafe fn gated<const KEY: u8, T>(context: C, work: impl FnOnce(&mut RunUnit) -> Result<T, Departure>) -> T {
    enter_cics_key::<KEY>(context);
    let run_time = RunTime::enter();
    let result = catch_unwind(AssertUnwindSafe(|| {
        run_time.check_stack()?;
        work(&mut *(*context).run_unit.cast::<RunUnit>())
    }));
    drop(run_time);
    match result {
        Ok(Ok(value)) => {
            enter_program_key::<KEY>(context);
            value
        }
        Ok(Err(departure)) => {
            if let Some(exception) = failed_statement(&departure) {
                drop(departure);
                enter_program_key::<KEY>(context);
                // The trap gives the place: behind the call in the program's code.
                stop(context, exception);
            }
            leave(departure)
        }
        Err(payload) => {
            drop(payload);
            stop(context, super::PANIC)
        }
    }
}

/// The same for an operation that works on the program's operands in place: an inaccessible operand is a program check of the calling
/// statement.
#[inline(always)]
unsafe fn gated_on_data<const KEY: u8, T>(context: C, work: impl FnOnce(&mut RunUnit) -> Result<T, Departure>) -> T {
    gated::<KEY, T>(context, |unit| on_program_data(|| work(unit))?)
}

/// The error of the statement itself (invalid decimal data, a function's argument ...) for which the program ends.
#[cold]
fn failed_statement(departure: &Departure) -> Option<u32> {
    match departure {
        Departure::Abend(abend) if abend.trap.is_none() && matches!(&abend.code, b"ASRA" | b"4038") => {
            exception_of(abend.value as u32).ok().map(|exception| exception as u32)
        }
        _ => None,
    }
}

#[cold]
unsafe fn leave(departure: Departure) -> ! {
    match departure {
        Departure::Exit(value) => kernel::raise_exit(value),
        Departure::Abend(abend) => kernel::raise(abend),
    }
}

unsafe fn slice<'a, T>(address: *const T, count: u32) -> &'a [T] {
    if count == 0 { &[] } else { from_raw_parts(address, count as usize) }
}

/// Enters a program under its own recovery point ([`RunUnit::run_guarded`]), in place of its entry.
pub unsafe extern "C" fn guarded_entry<const KEY: u8>(context: C, frame: *mut Frame, label: u32) -> u32 {
    gated::<KEY, _>(context, |unit| unit.run_guarded(frame, label))
}

unsafe extern "C" fn exec_command<const KEY: u8>(c: C, frame: F, block: *mut Block) -> u32 {
    gated::<KEY, _>(c, |unit| unit.exec_command(frame, block))
}

unsafe extern "C" fn call<const KEY: u8>(c: C, frame: F, request: &mut CallRequest) -> *mut Frame {
    gated_on_data::<KEY, _>(c, |unit| unit.call(frame, request))
}

unsafe extern "C" fn call_return<const KEY: u8>(c: C, frame: F, callee: *mut Frame) {
    gated_on_data::<KEY, _>(c, |unit| unit.call_return(frame.as_ptr(), callee))
}

unsafe extern "C" fn cancel<const KEY: u8>(c: C, frame: F, name: *const u8, length: u32) {
    gated_on_data::<KEY, _>(c, |unit| unit.cancel(frame, slice(name, length)))
}

unsafe extern "C" fn entry_address<const KEY: u8>(c: C, frame: F, name: *const u8, length: u32) -> u32 {
    gated_on_data::<KEY, _>(c, |unit| unit.entry_address(frame, slice(name, length)))
}

unsafe extern "C" fn display<const KEY: u8>(c: C, frame: F, operands: *const Operand, count: u32, flags: u32) {
    gated_on_data::<KEY, _>(c, |unit| unit.display(frame, slice(operands, count), flags))
}

unsafe extern "C" fn accept<const KEY: u8>(c: C, frame: F, attributes: &le::Attributes, area: *mut u8, source: u32) {
    gated_on_data::<KEY, _>(c, |unit| unit.accept(frame, attributes, area, source))
}

unsafe extern "C" fn file<const KEY: u8>(c: C, frame: F, request: &mut FileRequest) -> u32 {
    gated_on_data::<KEY, _>(c, |unit| unit.file(frame, request))
}

unsafe extern "C" fn sql<const KEY: u8>(c: C, frame: F, request: &SqlRequest) -> u32 {
    gated::<KEY, _>(c, |unit| unit.sql(frame, request))
}

unsafe extern "C" fn function<const KEY: u8>(
    c: C,
    frame: F,
    number: u32,
    arguments: *const le::functions::Value,
    count: u32,
    buffer: *mut u8,
    length: u32,
    result: *mut le::functions::Value,
) {
    *result = gated_on_data::<KEY, _>(c, |unit| {
        let buffer = if length == 0 { &mut [] } else { std::slice::from_raw_parts_mut(buffer, length as usize) };
        unit.function(frame, number as u16, slice(arguments, count), buffer)
    });
}

unsafe extern "C" fn fail(c: C, _: F, code: u32) {
    stop(c, code)
}

unsafe extern "C" fn service<const KEY: u8>(c: C, frame: F, number: u32, words: *const u64, count: u32) -> i64 {
    if crate::rununit::watched::is_milestone(number) {
        // A debugger may work here for long: its faults are not those of the program.
        return gated::<KEY, _>(c, |unit| unit.milestone(frame, number, slice(words, count)));
    }
    gated_on_data::<KEY, _>(c, |unit| unit.service(frame, number, slice(words, count)))
}

pub const fn fill<const KEY: u8>(filler: Filler) -> Filler {
    filler
        .set(Slot::Exec, exec_command::<KEY> as *const c_void)
        .set(Slot::Call, call::<KEY> as *const c_void)
        .set(Slot::CallReturn, call_return::<KEY> as *const c_void)
        .set(Slot::Cancel, cancel::<KEY> as *const c_void)
        .set(Slot::EntryAddress, entry_address::<KEY> as *const c_void)
        .set(Slot::Display, display::<KEY> as *const c_void)
        .set(Slot::Accept, accept::<KEY> as *const c_void)
        .set(Slot::File, file::<KEY> as *const c_void)
        .set(Slot::Sql, sql::<KEY> as *const c_void)
        .set(Slot::Function, function::<KEY> as *const c_void)
        .set(Slot::Fail, fail as *const c_void)
        .set(Slot::Service, service::<KEY> as *const c_void)
}
