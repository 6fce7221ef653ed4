//! A host for batch programs: `regent run`, tests and benchmarks. Storage is an arena below 2 GB, DISPLAY goes to a writer, load modules
//! come from memory or a library directory, EXEC CICS commands are refused.
//!
//! `unsafe` here and in the modules below reads and writes areas of requests while their statement runs; the host owns the storage they lie
//! in. The local time is read into a local variable. `codegen/tests/files.rs` runs file statements, and `codegen/tests/wild_addresses.rs`
//! gives this host areas at any address.

use crate::module::{FileInfo, Module};
use crate::requests::{FileRequest, SqlOutcome, SqlRequest, accept_source, display_flags, failure};
use crate::rununit::{
    ConditionOptions, EnclaveOptions, Ended, ExecOutcome, FileOutcome, FrameId, Host, Invocation, NO_STORAGE, OperatorReply, RunUnit,
    SORT_BYTES_MAX, UserHandlers,
};
use exec::block::Block;
use kernel::{Abend, Departure};
use rustc_hash::FxHashMap;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;

mod arena;
mod dd;
mod display;
mod files;
mod keyed;
mod printer;
mod sequential;

use arena::Arena;
pub use dd::{DataDefinition, FileFormat, RECORD_LENGTH_MAX, relative_generation};
pub use files::{Files, Mode, status};
pub use keyed::{AccessStatus, FileStatus, Met, RecordFile, RecordFiles, RecordKey, Relation};

/// Executes the EXEC SQL statements of batch programs.
pub trait SqlService {
    fn execute(&mut self, frame: FrameId, request: &SqlRequest) -> Result<SqlOutcome, Departure>;
}

pub struct BatchHost<'a> {
    arena: Arena,
    modules: FxHashMap<String, Arc<Module>>,
    /// The directories searched for load modules `NAME.rlm`.
    pub libraries: Vec<PathBuf>,
    pub output: Box<dyn Write + 'a>,
    /// Standard error of C programs; `None`: the same as their standard output.
    pub errors: Option<Box<dyn Write + 'a>>,
    pub input: Box<dyn BufRead + 'a>,
    /// The text that ACCEPT FROM COMMAND-LINE returns.
    pub command_line: String,
    pub files: Files,
    /// The initial UPSI switches of a program, switch 0 in the highest bit.
    pub switches: u8,
    /// Run-time option DEBUG: debugging sections are performed.
    pub debugging: bool,
    /// Text of a STOP literal at which the operator cancels the job.
    pub cancelled_at: Option<String>,
    /// TRAP, DEPTHCONDLMT, ERRCOUNT, TERMTHDACT.
    pub conditions: ConditionOptions,
    /// USRHDLR.
    pub user_handlers: UserHandlers,
    /// COUNTRY, NATLANG, ENVAR.
    pub enclave: EnclaveOptions,
    /// JCL symbols that the job exports, in upper case.
    pub symbols: FxHashMap<String, String>,
    /// `None`: programs with EXEC SQL end.
    pub sql: Option<Box<dyn SqlService + 'a>>,
    /// Where DD name CEEDUMP leads.
    pub dump: Option<Box<dyn Write + 'a>>,
    parameter: String,
    /// Name of the main program.
    main: String,
    /// The destinations of DISPLAY other than standard output.
    displays: display::Displays,
    /// Of the main program.
    code_page: &'static le::CodePage,
    /// Bytes a SORT keeps in memory; the rest goes to temporary files.
    pub sort_bytes: usize,
    pub utc_offset_seconds: i32,
}

/// Extension of load module files.
pub const MODULE_EXTENSION: &str = "rlm";
/// The file beside the load modules that says why a program has none.
pub const MESSAGES_EXTENSION: &str = "messages";

impl<'a> BatchHost<'a> {
    pub fn new(output: impl Write + 'a) -> BatchHost<'a> {
        BatchHost {
            arena: Arena::default(),
            modules: FxHashMap::default(),
            libraries: Vec::new(),
            output: Box::new(output),
            errors: None,
            input: Box::new(std::io::empty()),
            command_line: String::new(),
            files: Files::default(),
            switches: 0,
            debugging: false,
            cancelled_at: None,
            conditions: ConditionOptions::default(),
            user_handlers: UserHandlers::default(),
            enclave: EnclaveOptions::default(),
            symbols: FxHashMap::default(),
            sql: None,
            dump: None,
            parameter: String::new(),
            main: String::new(),
            displays: display::Displays::default(),
            code_page: &le::code_page::CCSID_037,
            sort_bytes: SORT_BYTES_MAX,
            utc_offset_seconds: local_offset_seconds(),
        }
    }

    /// Make every outermost program of a module callable.
    pub fn add(&mut self, module: &Arc<Module>) {
        for entry in module.programs.iter().filter(|program| program.parent.is_none()).flat_map(|program| &program.entries) {
            self.modules.insert(entry.name.clone(), module.clone());
        }
    }

    /// Run the first program of the module as a main program.
    pub fn run(&mut self, module: &Arc<Module>, parameter: Option<&str>) -> (Ended, i32) {
        let mut unit = self.prepare(module);
        let mut arguments = Vec::new();
        if let Some(text) = parameter {
            self.parameter = text.to_string();
            arguments.push(self.parameter_area(text));
        }
        let ended = unit.start(self, module, 0, 0, Invocation { arguments: &arguments, ..Invocation::default() });
        let return_code = unit.return_code();
        self.finish(unit);
        (ended, return_code)
    }

    /// A run unit whose main program is the first of the module.
    fn prepare(&mut self, module: &Arc<Module>) -> Box<RunUnit> {
        kernel::guard::prepare_thread();
        self.add(module);
        self.code_page = le::code_page::by_ccsid(module.programs[0].options.ccsid).unwrap_or(&le::code_page::CCSID_037);
        self.main = module.programs[0].name.clone();
        let mut unit = RunUnit::new();
        unit.set_switches(self.switches);
        unit.set_debugging(self.debugging);
        unit.set_condition_options(self.conditions);
        unit.set_user_handlers(self.user_handlers.clone());
        unit.set_enclave_options(&self.enclave);
        unit.set_sort_bytes(self.sort_bytes);
        unit
    }

    fn finish(&mut self, mut unit: Box<RunUnit>) {
        unit.finish(self);
        self.files.close_all();
        self.displays.close();
        let _ = self.output.flush();
        self.errors.iter_mut().for_each(|errors| drop(errors.flush()));
    }

    /// PARM: a halfword length and the text, as the system passes it to a main program.
    fn parameter_area(&mut self, text: &str) -> u32 {
        let text = self.code_page.encode(text);
        let mut bytes = (text.len() as u16).to_be_bytes().to_vec();
        bytes.extend(text);
        self.area(&bytes)
    }

    /// Storage below 2 GB with these bytes; 0 if there is none.
    fn area(&mut self, bytes: &[u8]) -> u32 {
        let Some(address) = self.arena.take(bytes.len() as u32) else { return 0 };
        unsafe { std::slice::from_raw_parts_mut(address as usize as *mut u8, bytes.len()) }.copy_from_slice(bytes);
        address
    }
}

/// A program that a utility calls at several points. Its storage keeps its values from call to call.
pub struct Called<'a> {
    host: BatchHost<'a>,
    module: Arc<Module>,
    /// `None` once the program has ended for good.
    unit: Option<Box<RunUnit>>,
}

impl<'a> Called<'a> {
    pub fn new(mut host: BatchHost<'a>, module: &Arc<Module>) -> Called<'a> {
        let unit = host.prepare(module);
        Called { host, module: module.clone(), unit: Some(unit) }
    }

    /// The code page of the program's data.
    pub fn code_page(&self) -> &'static le::CodePage {
        self.host.code_page
    }

    /// A parameter that stays at its address until the program ends for good; 0 if there is no storage.
    pub fn lasting(&mut self, bytes: &[u8]) -> u32 {
        self.host.area(bytes)
    }

    /// Calls the first program of the module. Each parameter is the address of one that lasts, bytes for this call only, or none, whose
    /// address is null.
    pub fn call(&mut self, parameters: &[Parameter]) -> Ended {
        let Some(unit) = &mut self.unit else { return Ended::Stopped };
        let mut passed = Vec::new();
        let mut given = Vec::new();
        for parameter in parameters {
            let address = match parameter {
                Parameter::None => 0,
                Parameter::Lasting(address) => *address,
                Parameter::Bytes(bytes) => {
                    let address = self.host.area(bytes);
                    given.push((address, bytes.len() as u32));
                    address
                }
            };
            passed.push(address);
        }
        let ended = unit.start(&mut self.host, &self.module, 0, 0, Invocation { arguments: &passed, ..Invocation::default() });
        for (address, length) in given {
            self.host.arena.give(address, length);
        }
        if !matches!(ended, Ended::Returned) {
            self.end();
        }
        ended
    }

    /// Ends the program: its files are closed.
    pub fn end(&mut self) {
        if let Some(unit) = self.unit.take() {
            self.host.finish(unit);
        }
    }
}

impl Drop for Called<'_> {
    fn drop(&mut self) {
        self.end();
    }
}

/// What a utility passes to a program that it calls.
#[derive(Debug, Clone)]
pub enum Parameter {
    None,
    Lasting(u32),
    Bytes(Vec<u8>),
}

impl BatchHost<'_> {
    /// To standard output.
    fn write(&mut self, text: &str, advance: bool) {
        write(&mut *self.output, text, advance);
    }

    /// To a DD name; false if it is not allocated.
    fn write_dd(&mut self, dd: &str, text: &str, advance: bool) -> bool {
        match self.displays.write(dd, text, advance, &mut self.files, self.code_page) {
            Ok(is_allocated) => is_allocated,
            Err(error) => {
                self.write(&format!("DD {dd}: {error}; its lines go to standard output"), true);
                false
            }
        }
    }
}

/// A broken pipe must not turn into an abend of the program.
fn write(output: &mut dyn Write, text: &str, advance: bool) {
    let _ = output.write_all(text.as_bytes());
    if advance {
        let _ = output.write_all(b"\n");
    }
}

impl Host for BatchHost<'_> {
    fn exec(&mut self, _: FrameId, _: &mut Block) -> ExecOutcome {
        // Without a region the command cannot be carried out.
        ExecOutcome::Abend(Box::new(Abend::new("AEY9", 0)))
    }

    fn load(&mut self, name: &str) -> Result<Option<Arc<Module>>, Departure> {
        if let Some(module) = self.modules.get(name) {
            return Ok(Some(module.clone()));
        }
        // A name that the program made up must not lead out of the library.
        let libraries = if name.contains(std::path::is_separator) { &[] } else { &self.libraries[..] };
        for library in libraries {
            let path = library.join(format!("{name}.{MODULE_EXTENSION}"));
            if let Ok(module) = Module::load(&path) {
                self.modules.insert(name.to_string(), module.clone());
                return Ok(Some(module));
            }
        }
        Ok(None)
    }

    fn getmain(&mut self, length: u32) -> Result<u32, Departure> {
        self.getmain_now(length).ok_or_else(|| Departure::Abend(Box::new(Abend::new(NO_STORAGE, 0))))
    }

    fn getmain_now(&mut self, length: u32) -> Option<u32> {
        self.arena.take(length)
    }

    fn freemain(&mut self, address: u32, length: u32) {
        self.arena.give(address, length);
    }

    fn display(&mut self, target: u32, text: &str, advance: bool) {
        match target {
            display_flags::SYSOUT => self.display_to(display::SYSTEM_OUTPUT, text, advance),
            display_flags::PUNCH => self.display_to(display::SYSTEM_PUNCH, text, advance),
            display_flags::OUTPUT => self.display_to(display::SYSTEM_PRINT, text, advance),
            display_flags::ERROR if self.write_dd(display::SYSTEM_OUTPUT, text, advance) => {}
            display_flags::ERROR => match &mut self.errors {
                Some(errors) => write(&mut **errors, text, advance),
                None => self.write(text, advance),
            },
            _ => self.write(text, advance),
        }
    }

    /// An unallocated DD name is standard output, as if SYSOUT=* were allocated.
    fn display_to(&mut self, dd: &str, text: &str, advance: bool) {
        if !self.write_dd(dd, text, advance) {
            self.write(text, advance);
        }
    }

    /// "Command-line arguments" of the z/OS XL C/C++ Language Reference: only white space separates them.
    fn c_argument(&mut self, number: usize) -> Option<String> {
        match number.checked_sub(1) {
            None => Some(self.main.clone()),
            Some(number) => self.parameter.split_whitespace().nth(number).map(str::to_string),
        }
    }

    fn operator(&mut self, text: &str) -> OperatorReply {
        self.display(display_flags::CONSOLE, text, true);
        if self.cancelled_at.as_deref() == Some(text) { OperatorReply::Cancel } else { OperatorReply::GoOn }
    }

    fn dump(&mut self, text: &str) -> bool {
        self.dump.as_mut().is_some_and(|dump| writeln!(dump, "{text}").is_ok())
    }

    fn accept(&mut self, source: u32) -> Option<String> {
        if source == accept_source::COMMAND_LINE {
            return Some(self.command_line.clone());
        }
        let mut line = String::new();
        match self.input.read_line(&mut line) {
            Ok(length) if length > 0 => Some(line.trim_end_matches(['\n', '\r']).to_string()),
            _ => None,
        }
    }

    fn parameter(&mut self) -> String {
        self.parameter.clone()
    }

    fn now(&mut self) -> (i64, u32) {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        (since.as_secs() as i64, since.subsec_nanos())
    }

    fn utc_offset_seconds(&mut self) -> i32 {
        self.utc_offset_seconds
    }

    fn environment(&mut self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn exported_symbol(&mut self, name: &str) -> Option<String> {
        self.symbols.get(name).cloned()
    }

    fn sql(&mut self, frame: FrameId, request: &SqlRequest) -> Result<SqlOutcome, Departure> {
        match &mut self.sql {
            Some(sql) => sql.execute(frame, request),
            None => {
                let text = "EXEC SQL: no database is named; use --database URL, or --app DIRECTORY of an application that has one";
                self.display(display_flags::CONSOLE, text, true);
                Err(Departure::Abend(Box::new(Abend::new("4038", u64::from(failure::UNSUPPORTED)))))
            }
        }
    }

    fn file(&mut self, owner: FrameId, file: &FileInfo, request: &mut FileRequest) -> Result<FileOutcome, Departure> {
        Ok(self.files.operate(owner, file, request))
    }
}

/// Local time minus UTC, now.
fn local_offset_seconds() -> i32 {
    let mut parts: libc::tm = unsafe { std::mem::zeroed() };
    let now = unsafe { libc::time(std::ptr::null_mut()) };
    // localtime_r only reads the time and writes the structure.
    if unsafe { libc::localtime_r(&now, &mut parts) }.is_null() { 0 } else { parts.tm_gmtoff as i32 }
}
