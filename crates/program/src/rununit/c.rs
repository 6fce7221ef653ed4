//! Programs written in C: the copy of code, static and stack that a run unit uses, and their run-time services.
//!
//! A C program has one copy for each run unit that currently runs it, so it is as re-entrant as the RENT option makes it on the host. The
//! run-time code in each program calls the slot table as compiled COBOL does, on the task's own stack.
//!
//! Invariants: a copy belongs to one activation until it is released; its static is initialized anew for each activation; while the program
//! runs, the link at its offset in the static points to the context and frame of that run.
//!
//! `unsafe` here reads and writes the copy of a program, which this unit has obtained from its host, and the arguments of its services:
//! see the parent module.

use super::*;
use crate::module::CProgram;
use crate::requests::{accept_source, service};
use kernel::storage::{Key, ProgramLayout, ProgramStorage, StorageError};

/// Where a program written in C has its variables: addresses and lengths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CStorage {
    /// From the function that issued the last command to that which was entered first.
    pub automatic: (usize, usize),
    pub statics: (usize, usize),
}

/// A copy in use by an activation.
pub(super) struct ProgramCopy {
    storage: Option<ProgramStorage>,
    module: Arc<Module>,
}

impl ProgramCopy {
    /// A copy of the module's C program in the key of the run unit, as at the start of the program.
    pub fn take(unit: &mut RunUnit, module: &Arc<Module>, c: &CProgram) -> Result<ProgramCopy, Departure> {
        let key = if unit.key == ProgramKey::Cics { Key::Cics } else { Key::User };
        let storage = match module.take_copy(key) {
            Some(storage) => storage,
            None => {
                let (file, offset, code_bytes) = module.code_in_file();
                let layout = ProgramLayout { stack_bytes: c.stack_length as usize, code_bytes, static_bytes: c.statics.length as usize };
                let length = u32::try_from(layout.stack_bytes + layout.code_bytes + layout.static_bytes).unwrap_or(u32::MAX);
                let id = module.code_id();
                let offset = offset as u64;
                let storage = unit.host().map_program(length, &mut |manager| match manager {
                    Some(manager) => manager.map_program(key, layout, file, offset, id),
                    None => ProgramStorage::of_process(layout, file, offset, id).map_err(|_| StorageError::Length),
                })?;
                module.register_copy(&storage);
                storage
            }
        };
        let copy = ProgramCopy { storage: Some(storage), module: module.clone() };
        unsafe { copy.initialize(module, c) };
        Ok(copy)
    }

    fn storage(&self) -> &ProgramStorage {
        self.storage.as_ref().expect("a copy has its storage until it is dropped")
    }

    /// The part of the stack in use from an address on it; nothing if it is elsewhere. Then the static.
    pub fn variables(&self, stack_from: usize) -> CStorage {
        let (storage, c) = (self.storage(), self.module.c.as_ref().expect("the module of a copy has a C program"));
        let end = storage.stack_end();
        let start = end - c.stack_length as usize;
        let automatic = if (start..end).contains(&stack_from) { (stack_from, end - stack_from) } else { (end, 0) };
        CStorage { automatic, statics: (storage.static_address(), c.statics.length as usize) }
    }

    /// The initial static from the compiler, with addresses adjusted for this copy.
    unsafe fn initialize(&self, module: &Module, c: &CProgram) {
        let storage = self.storage();
        super::activation::fill(module, &c.statics, storage.static_address() as u64);
        for offset in &c.relocations {
            let word = (storage.static_address() + *offset as usize) as *mut u32;
            word.write_unaligned(word.read_unaligned().wrapping_add(storage.code_address() as u32));
        }
    }

    /// Ready the copy for a run; answers the program's entry.
    pub unsafe fn enter(&self, c: &CProgram, context: *mut Context, frame: *mut Frame) -> crate::abi::Entry {
        kernel::refuse_system_calls();
        let storage = self.storage();
        let link = (storage.static_address() + c.link as usize) as *mut CLink;
        link.write_unaligned(CLink::new(context as u64, frame as u64, storage.stack_end() as u64));
        std::mem::transmute::<usize, crate::abi::Entry>(storage.code_address() + c.entry as usize)
    }
}

impl Drop for ProgramCopy {
    fn drop(&mut self) {
        if let Some(storage) = self.storage.take() {
            self.module.keep_copy(storage);
        }
    }
}

/// Numbers of [`service::C_MATH`], in the order the run time of C programs has them.
const FUNCTIONS: [fn(f64, f64) -> f64; 21] = [
    |x, _| x.sin(),
    |x, _| x.cos(),
    |x, _| x.tan(),
    |x, _| x.asin(),
    |x, _| x.acos(),
    |x, _| x.atan(),
    f64::atan2,
    |x, _| x.sinh(),
    |x, _| x.cosh(),
    |x, _| x.tanh(),
    |x, _| x.exp(),
    |x, _| x.ln(),
    |x, _| x.log10(),
    f64::powf,
    |x, _| x.sqrt(),
    |x, _| x.ceil(),
    |x, _| x.floor(),
    |x, y| x % y,
    |x, _| x.round(),
    |x, _| x.trunc(),
    f64::hypot,
];

impl RunUnit {
    /// A function is called by CALL, main is started by the host; the opposite is refused with a message.
    #[cold]
    pub(super) fn refuse_c(&mut self, name: &str, why: &str) -> Departure {
        self.host().display(crate::requests::display_flags::CONSOLE, &format!("{name}: {why}"), true);
        self.header.exception = crate::requests::failure::UNSUPPORTED;
        Departure::Abend(Box::new(kernel::Abend::new("4038", u64::from(crate::requests::failure::UNSUPPORTED))))
    }

    /// A service of the run time of C programs. Words that are addresses lead to storage of the program.
    pub(super) fn c_service(&mut self, frame: FrameId, number: u32, words: &[u64]) -> Result<i64, Departure> {
        let word = |at: usize| words.get(at).copied().unwrap_or(0);
        let area = |at: usize| unsafe { std::slice::from_raw_parts_mut(word(at) as *mut u8, word(at + 1) as usize) };
        let code_page = frame.session().code_page;
        match number {
            service::C_WRITE => {
                let line = code_page.decode(area(1));
                self.host().display(word(0) as u32, &line, true);
                Ok(0)
            }
            service::C_ARGUMENT => {
                let Some(text) = self.host().c_argument(word(2) as usize) else { return Ok(-1) };
                let text = code_page.encode(&text);
                fill(area(0), &text);
                Ok(text.len() as i64)
            }
            service::C_READ => {
                if self.c_input.is_empty() {
                    let Some(line) = self.host().accept(accept_source::SYSIN) else { return Ok(-1) };
                    self.c_input = code_page.encode(&format!("{line}\n"));
                }
                let length = fill(area(0), &self.c_input);
                self.c_input.drain(..length);
                Ok(length as i64)
            }
            service::C_CLOCK => {
                let (seconds, nanoseconds) = self.host().now();
                Ok(seconds * 1_000_000_000 + i64::from(nanoseconds))
            }
            service::C_UTC_OFFSET => Ok(i64::from(self.host().utc_offset_seconds())),
            service::C_FORMAT => {
                let text = format_double(f64::from_bits(word(0)), word(1) as u8, word(2) as usize);
                Ok(fill(area(3), text.as_bytes()) as i64)
            }
            service::C_PARSE => {
                let text = String::from_utf8_lossy(area(0)).into_owned();
                Ok(text.parse::<f64>().unwrap_or(0.0).to_bits() as i64)
            }
            service::C_MATH => {
                let function = FUNCTIONS.get(word(0) as usize).copied().unwrap_or(|_, _| f64::NAN);
                Ok(function(f64::from_bits(word(1)), f64::from_bits(word(2))).to_bits() as i64)
            }
            service::C_RETURN_CODE => {
                self.header.return_code = word(0) as i32;
                Ok(0)
            }
            service::C_ARGUMENTS => {
                let room = unsafe { std::slice::from_raw_parts_mut(word(0) as *mut u32, word(1) as usize) };
                let raw = frame.as_ptr();
                let count = unsafe { (*raw).argument_count.min((*raw).argument_capacity) } as usize;
                let arguments = unsafe { std::slice::from_raw_parts(std::ptr::addr_of!((*raw).arguments).cast::<u32>(), count) };
                let count = count.min(room.len());
                room[..count].copy_from_slice(&arguments[..count]);
                Ok(count as i64)
            }
            service::C_CALLED_RETURN_CODE => Ok(i64::from(self.header.return_code)),
            service::C_FETCH => {
                let name = code_page.decode(area(0));
                self.fetch(frame, &name).map(i64::from)
            }
            service::C_RELEASE => {
                self.release_fetched(word(0) as u32);
                Ok(0)
            }
            _ => {
                let line = code_page.decode(area(0));
                self.host().display(crate::requests::display_flags::ERROR, &line, true);
                Err(Departure::Abend(Box::new(kernel::Abend::new("4038", u64::from(crate::requests::failure::ABORT)))))
            }
        }
    }
}

/// Copies what there is room for; answers how much that is.
fn fill(room: &mut [u8], bytes: &[u8]) -> usize {
    let length = bytes.len().min(room.len());
    room[..length].copy_from_slice(&bytes[..length]);
    length
}

/// `%f`, `%e` or `%g` (with all its digits) of a number, in ASCII.
fn format_double(value: f64, style: u8, precision: usize) -> String {
    /// More digits than any double has.
    const PRECISION_MAX: usize = 350;
    let precision = precision.min(PRECISION_MAX);
    if value.is_nan() {
        return "nan".to_string();
    }
    if value.is_infinite() {
        return if value < 0.0 { "-inf".to_string() } else { "inf".to_string() };
    }
    match style {
        b'f' => format!("{value:.precision$}"),
        b'e' => exponent_form(value, precision),
        _ => {
            // The shorter of the two forms, by the rule of the standard for %g.
            let digits = precision.max(1);
            let scientific = exponent_form(value, digits - 1);
            let exponent: i32 = scientific.rsplit('e').next().and_then(|text| text.parse().ok()).unwrap_or(0);
            if (-4..digits as i32).contains(&exponent) {
                trimmed(&format!("{value:.*}", (digits as i32 - 1 - exponent) as usize))
            } else {
                let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "+00"));
                format!("{}e{exponent}", trimmed(mantissa))
            }
        }
    }
}

/// `d.ddde+xx`, the exponent with at least two digits.
fn exponent_form(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    format!("{mantissa}e{sign}{digits:0>2}")
}

fn trimmed(text: &str) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted_by_the_rules_of_the_standard() {
        // Expected values are the output of printf of the C library.
        let cases: [(f64, u8, usize, &str); 12] = [
            (1.5, b'f', 2, "1.50"),
            (-0.0, b'f', 1, "-0.0"),
            (1234.5678, b'e', 3, "1.235e+03"),
            (0.00001, b'e', 0, "1e-05"),
            (1e100, b'e', 2, "1.00e+100"),
            (100000.0, b'g', 6, "100000"),
            (1000000.0, b'g', 6, "1e+06"),
            (0.0001, b'g', 6, "0.0001"),
            (0.00001, b'g', 6, "1e-05"),
            (3.0, b'g', 6, "3"),
            (f64::INFINITY, b'f', 2, "inf"),
            (2.5, b'f', 0, "2"),
        ];
        for (value, style, precision, expected) in cases {
            assert_eq!(format_double(value, style, precision), expected, "{value} {}", style as char);
        }
    }
}
