//! Language Environment dumps: for a condition that ends the program (TERMTHDACT), and on request (CEE3DMP).
//!
//! Rules: Debugging Guide, "Understanding the Language Environment dump" and "Locating Language Environment traceback"; Programming
//! Reference, CEE3DMP. Registers, control blocks and addresses of the IBM Z architecture have no counterpart here.
//!
//! `unsafe` here reads storage of programs by guarded copies, which report a bad address: see the parent module.

use super::*;
use le::calendar::LocalTime;
use le::callable::Feedback;

/// CEE30U, CEE30V: words that are not options of CEE3DMP; no destination for the dump.
const OPTIONS: Feedback = Feedback { severity: 2, message: 3102 };
const NO_FILE: Feedback = Feedback { severity: 3, message: 3103 };
/// Options of CEE3DMP, without the NO of some. Files, blocks, registers and other threads have no output here.
const WORDS: [&str; 24] = [
    "THREAD",
    "THR",
    "TRACEBACK",
    "TRACE",
    "FILES",
    "FILE",
    "VARIABLES",
    "VAR",
    "BLOCKS",
    "BLOCK",
    "STORAGE",
    "STOR",
    "STACKFRAME",
    "SF",
    "PAGESIZE",
    "PAGE",
    "FNAME",
    "CONDITION",
    "COND",
    "ENTRY",
    "ENCLAVE",
    "ENC",
    "REGSTOR",
    "REGST",
];
/// Title of the dump of a condition that ends the program.
const CONDITION_TITLE: &str = "Condition processing resulted in the unhandled condition.";
const TITLE_LENGTH: usize = 80;
/// The version that CEEGPID gives.
const PRODUCT: &str = "CEE3DMP V2 R2.0";
const STARTED: &str = "CEE3845I CEEDUMP Processing started.";
const COMPLETED: &str = "CEE3846I CEEDUMP Processing completed.";
/// Bytes in a line of storage.
const LINE: usize = 32;
/// Most bytes of one area shown, as in the snapshots of a transaction dump.
const AREA_BYTES_MAX: u32 = 64 * 1024;

impl RunUnit {
    /// CEE3DMP: title, the active programs, and with STORAGE or VARIABLES (the default) their storage.
    pub(super) fn dump_on_request(&mut self, title: &str, options: &str) -> Feedback {
        let (mut traceback, mut storage, mut unknown) = (true, true, false);
        for word in options.split([' ', ',', '\0']).filter(|word| !word.is_empty()) {
            let name = word.split('(').next().unwrap_or(word).to_ascii_uppercase();
            match name.as_str() {
                "NOTRACEBACK" | "NOTRACE" => traceback = false,
                "NOVARIABLES" | "NOVAR" => storage = false,
                "STORAGE" | "STOR" | "VARIABLES" | "VAR" => storage = true,
                _ => {
                    let bare = name.strip_prefix("NO").unwrap_or(&name);
                    unknown |= !WORDS.contains(&bare) && !name.ends_with(')');
                }
            }
        }
        if !self.dump_begins(title) {
            return NO_FILE;
        }
        if let Some(place) = self.current().and_then(|caller| caller.call_place()) {
            let Place { program, line, offset, .. } = place;
            self.host().dump(&format!("CEE3DMP called by program unit {program} at statement {line} (offset +{offset:08X})."));
        }
        if traceback {
            self.traceback(None, storage);
        }
        self.host().dump(COMPLETED);
        if unknown { OPTIONS } else { Feedback::SUCCESS }
    }

    /// The dump of TERMTHDACT(TRACE), for TERMTHDACT(DUMP) with storage.
    pub(super) fn dump_of_condition(&mut self, failure: &Failure, with_storage: bool) {
        if self.dump_begins(CONDITION_TITLE) {
            self.traceback(Some(failure), with_storage);
            self.host().dump(COMPLETED);
        }
    }

    /// Heading and start of a dump; false if there is no destination for it.
    fn dump_begins(&mut self, title: &str) -> bool {
        let (seconds, nanoseconds) = self.host().now();
        let time = LocalTime::of(seconds, nanoseconds, self.host().utc_offset_seconds());
        let (hour, half) = (time.hour % 12, if time.hour < 12 { "AM" } else { "PM" });
        let hour = if hour == 0 { 12 } else { hour };
        let stamp = format!(
            "{:02}/{:02}/{:02} {hour}:{:02}:{:02} {half}",
            time.date.month,
            time.date.day,
            time.date.year % 100,
            time.minute,
            time.second
        );
        if !self.host().dump(&format!("{PRODUCT}: {title:TITLE_LENGTH$} {stamp}  Page: 1")) {
            return false;
        }
        if let Some(heading) = self.host().dump_heading() {
            self.host().dump(&heading);
        }
        self.host().dump(STARTED)
    }

    /// The active programs, innermost first: where each has failed or called the next one; for a dump with their storage.
    fn traceback(&mut self, failure: Option<&Failure>, with_storage: bool) {
        let mut active = Vec::new();
        let mut frame = self.current();
        while let Some(program) = frame {
            active.push(program);
            frame = program.caller();
        }
        if let Some(main) = active.last() {
            self.host().dump(&format!("Information for enclave {}", main.name()));
        }
        self.host().dump("Traceback:");
        self.host().dump("  DSA   Entry       E  Offset  Statement   Load Mod  Program Unit  Status");
        for (number, program) in active.iter().enumerate() {
            let failed = failure.and_then(|failure| failure.place.clone()).filter(|place| number == 0 && place.program == program.name());
            let status = if failed.is_some() { "Exception" } else { "Call" };
            let place = failed.or_else(|| program.call_place());
            let (offset, statement) =
                place.map_or((String::new(), String::new()), |place| (format!("+{:08X}", place.offset), place.line.to_string()));
            let (name, module) = (program.name(), &program.module().programs[0].name);
            self.host().dump(&format!("  {:<5} {name:<11} {offset:<10} {statement:<11} {module:<9} {name:<13} {status}", number + 1));
        }
        if with_storage {
            for program in active {
                self.host().dump(&format!("Storage for {}:", program.name()));
                for (name, (address, length)) in
                    [("WORKING-STORAGE", program.working_storage()), ("LOCAL-STORAGE", program.local_storage())]
                {
                    self.dump_storage(name, address, length);
                }
            }
        }
    }

    fn dump_storage(&mut self, name: &str, address: u32, length: u32) {
        if length == 0 {
            return;
        }
        self.host().dump(&format!("  {name} at {address:08X}, {length} bytes"));
        let shown = length.min(AREA_BYTES_MAX);
        for start in (0..shown).step_by(LINE) {
            let mut bytes = [0u8; LINE];
            let count = (shown - start).min(LINE as u32) as usize;
            if unsafe { kernel::guard::copy_in((address + start) as usize, &mut bytes[..count]) }.is_err() {
                return;
            }
            let digits: String = bytes[..count].iter().map(|byte| format!("{byte:02X}")).collect();
            self.host().dump(&format!("    +{start:06X}  {digits}"));
        }
        if shown < length {
            self.host().dump(&format!("    {} more bytes are not shown.", length - shown));
        }
    }
}
