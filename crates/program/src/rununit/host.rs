//! The requests of a run unit to its host: the region, or a batch job.
//!
//! `unsafe` here reads the names and areas of a request while its statement runs: see the parent module.

use crate::abi::Frame;
use crate::module::Module;
use crate::requests::{FileRequest, SqlOutcome, SqlRequest};
use exec::block::Block;
use kernel::{Abend, Departure};
use std::sync::Arc;

/// An active program, as a host may remember it (HANDLE ABEND LABEL). Valid while the program is active.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct FrameId(std::ptr::NonNull<Frame>);

// The frame belongs to the task; the identifier is only compared, or returned to the run unit of that task.
unsafe impl Send for FrameId {}

/// The address in a linkage base as the program knows it.
fn known(address: u32) -> u32 {
    kernel::as_program_knows(address as usize) as u32
}

impl FrameId {
    /// # Safety
    ///
    /// The frame is null (`None`) or that of a program which is active as long as the identifier is used.
    pub(crate) unsafe fn new(frame: *mut Frame) -> Option<FrameId> {
        std::ptr::NonNull::new(frame).map(FrameId)
    }

    /// The settings of the program's compilation, which the run time works by.
    pub fn session(&self) -> &le::Session {
        // A session is as old as the activation of its frame.
        unsafe { &*(*self.0.as_ptr()).session }
    }

    pub(crate) fn as_ptr(self) -> *mut Frame {
        self.0.as_ptr()
    }

    pub(super) fn activation(&self) -> &super::Activation {
        // A frame's activation lives as long as the frame.
        unsafe { super::Activation::of(self.0.as_ptr()) }
    }

    /// The module the program is in.
    pub fn module(&self) -> &Arc<Module> {
        &self.activation().module
    }

    /// Index of the program in its module.
    pub fn program(&self) -> usize {
        self.activation().program
    }

    pub fn program_info(&self) -> &crate::module::ProgramInfo {
        self.activation().info()
    }

    pub fn name(&self) -> &str {
        &self.activation().info().name
    }

    pub fn eib(&self) -> u32 {
        unsafe { (*self.0.as_ptr()).eib }
    }

    /// Address and length of WORKING-STORAGE, for dumps and CEDF.
    pub fn working_storage(&self) -> (u32, u32) {
        (unsafe { (*self.0.as_ptr()).working_storage } as u32, self.activation().info().working_storage.length)
    }

    /// The variables of a program written in C.
    pub fn c_storage(&self) -> Option<super::CStorage> {
        let activation = self.activation();
        activation.copy.as_ref().map(|copy| copy.variables(activation.command_at.get()))
    }

    pub fn local_storage(&self) -> (u32, u32) {
        (unsafe { (*self.0.as_ptr()).local_storage } as u32, self.activation().info().local_storage.length)
    }

    /// Address of a linkage record by its index in `ProgramInfo::linkage`; 0: not set.
    pub fn linkage(&self, index: usize) -> u32 {
        let offset = self.activation().info().linkage[index].frame_offset as usize;
        known(unsafe { *self.0.as_ptr().cast::<u8>().add(offset).cast::<u32>() })
    }

    /// The address in a word of the frame: the location of a linkage or EXTERNAL record; 0: not set.
    pub fn word(&self, frame_offset: u32) -> u32 {
        assert!(frame_offset + 4 <= self.activation().info().frame_length, "the word lies in the frame");
        known(unsafe { *self.0.as_ptr().cast::<u8>().add(frame_offset as usize).cast::<u32>() })
    }

    /// Whether the program is running or is a caller of the running program: it has not returned.
    pub fn is_active(&self) -> bool {
        unsafe { (*self.0.as_ptr()).flags & crate::abi::frame_flags::ACTIVE != 0 }
    }

    /// The program that contains this one, if it is nested.
    pub fn outer(&self) -> Option<FrameId> {
        // The frame of a containing program lives as long as the run unit.
        unsafe { FrameId::new((*self.0.as_ptr()).outer) }
    }

    /// The number of the statement that the program executes, if it was compiled with TEST and is watched; else that of its last CALL. 0: it
    /// has not told any.
    pub fn statement(&self) -> u32 {
        unsafe { (*self.0.as_ptr()).statement }
    }

    /// The place where the program has called another: its CALL statement.
    pub fn call_place(&self) -> Option<super::Place> {
        self.place_of(unsafe { (*self.0.as_ptr()).statement })
    }

    /// Where the code of a statement begins.
    pub fn place_of(&self, statement: u32) -> Option<super::Place> {
        let module = self.module();
        let entry = module.lines.iter().find(|entry| entry.statement == statement && statement != 0)?;
        let info = &self.activation().info();
        let offset = entry.offset.saturating_sub(info.code_offset);
        Some(super::Place { program: info.name.clone(), offset, line: entry.line, statement })
    }

    /// The program that called this one.
    pub fn caller(&self) -> Option<FrameId> {
        // The caller of an active program is active.
        unsafe { FrameId::new((*self.0.as_ptr()).caller) }
    }
}

/// The result of an EXEC command.
pub enum ExecOutcome {
    Continue,
    /// Go to this label of the program (HANDLE CONDITION, HANDLE AID).
    GoTo(u32),
    /// The run unit ends with this value (RETURN, XCTL): [`super::Ended::Left`].
    Leave(u64),
    Abend(Box<Abend>),
}

/// Result of a file operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum FileOutcome {
    Successful = 0,
    AtEnd = 1,
    InvalidKey = 2,
    Error = 3,
    EndOfPage = 4,
}

/// Maps a copy of a C program in storage of this manager; without one, in memory of the process.
pub type MapProgram<'a> =
    &'a mut dyn FnMut(Option<&kernel::storage::Storage>) -> Result<kernel::storage::ProgramStorage, kernel::storage::StorageError>;

/// The operator's answer to STOP literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperatorReply {
    GoOn,
    Cancel,
}

/// A place in the execution of a program compiled with TEST.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Milestone {
    /// The program has been entered.
    Entered,
    /// The statement of this number in the module comes next.
    Statement(u32),
    /// This statement performs a range of paragraphs.
    Performing(u32),
    /// That range has been performed.
    Performed(u32),
}

/// The word of a task that is not zero while its programs compiled with TEST are to tell what they reach.
pub type WatchWord = Arc<std::sync::atomic::AtomicU32>;

/// A service of the resource manager interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResourceManagerService {
    /// DFHRMCAL: an application's request to a resource manager, for its task-related user exit.
    Request,
    /// DFHRMXCH: the exchange of a task-related user exit with a resource manager that is another process.
    Exchange,
}

/// System completion code of a program that there is not enough storage for, without its S.
pub const NO_STORAGE: &str = "80A";

/// System completion code of a job that the operator cancels.
pub const CANCELLED: &str = "S222";

pub trait Host {
    /// One EXEC CICS command of the program `frame`. Every Rust value the host used is dropped when it returns.
    fn exec(&mut self, frame: FrameId, block: &mut Block) -> ExecOutcome;

    /// A program called by name (upper case, no trailing spaces); `None` if there is none.
    fn load(&mut self, name: &str) -> Result<Option<Arc<Module>>, Departure>;

    /// The abend of a CALL without ON EXCEPTION whose program does not exist.
    fn not_found(&mut self, name: &str) -> Departure {
        let _ = name;
        Departure::Abend(Box::new(Abend::new("4038", 0)))
    }

    /// Program storage below 2 GB in the key of the program, at least 16-byte aligned; contents are undefined.
    fn getmain(&mut self, length: u32) -> Result<u32, Departure>;
    /// The same without a wait or an abend: `None` if there is not enough storage.
    fn getmain_now(&mut self, length: u32) -> Option<u32>;
    fn freemain(&mut self, address: u32, length: u32);

    /// Counts memory of the process that a statement takes besides program storage, until it is released or the task ends.
    fn reserve(&mut self, bytes: usize) -> Result<(), Departure> {
        let _ = bytes;
        Ok(())
    }
    fn release(&mut self, bytes: usize) {
        let _ = bytes;
    }

    /// Storage for a copy of a C program of this length: `map` takes it from the storage manager, if the host has one.
    fn map_program(&mut self, length: u32, map: MapProgram<'_>) -> Result<kernel::storage::ProgramStorage, Departure> {
        map(None).map_err(|_| {
            let text = format!("there are no {length} bytes below 2 GB for a program written in C");
            self.display(crate::requests::display_flags::CONSOLE, &text, true);
            Departure::Abend(Box::new(Abend::new(NO_STORAGE, 0)))
        })
    }

    /// An argument of the main function of a C program, by its number; `None` behind the last. Argument 0 is the transaction identifier
    /// under CICS, and the program's name in batch.
    fn c_argument(&mut self, number: usize) -> Option<String> {
        let _ = number;
        None
    }

    /// DISPLAY: one line as text; `advance` false: WITH NO ADVANCING. `target` is one of `requests::display_flags`.
    fn display(&mut self, target: u32, text: &str, advance: bool);

    /// DISPLAY of a program with the option OUTDD: to this DD name, where there are DD names.
    fn display_to(&mut self, dd: &str, text: &str, advance: bool) {
        let _ = dd;
        self.display(crate::requests::display_flags::SYSOUT, text, advance);
    }

    /// A message of Language Environment, to the destination MSGFILE.
    fn message(&mut self, text: &str) {
        self.display(crate::requests::display_flags::SYSOUT, text, true);
    }

    /// A line of a traceback or dump of Language Environment, to CEEDUMP; false if there is no CEEDUMP.
    fn dump(&mut self, text: &str) -> bool {
        let _ = text;
        false
    }

    /// Second line of a dump: whose it is.
    fn dump_heading(&mut self) -> Option<String> {
        None
    }

    /// The word that decides whether programs compiled with TEST tell what they reach; `None`: they do not.
    fn watch(&mut self) -> Option<WatchWord> {
        None
    }

    /// A watched program has reached a milestone. The program goes on when this returns; an error ends it.
    fn reached(&mut self, frame: FrameId, milestone: Milestone) -> Result<(), Departure> {
        let _ = (frame, milestone);
        Ok(())
    }

    /// Whether condition handling gets control for an abend or program interruption; false if the host handles it itself.
    fn abend_is_condition(&mut self, abend: &Abend) -> bool {
        let _ = abend;
        true
    }

    /// Condition handlers are about to run; the host keeps its information about the abend until [`Host::condition_ends`].
    fn condition_begins(&mut self) {}

    /// Condition handlers have run; the abend continues unless it was `handled`.
    fn condition_ends(&mut self, handled: bool) {
        let _ = handled;
    }

    /// A line for ACCEPT, `None` at the end of input. `source` is one of `requests::accept_source`.
    fn accept(&mut self, source: u32) -> Option<String>;

    /// The parameter the main program was started with (CEE3PRM); blank under CICS.
    fn parameter(&mut self) -> String {
        String::new()
    }

    /// STOP literal: shown to the operator, who resumes or cancels the program.
    fn operator(&mut self, text: &str) -> OperatorReply {
        self.display(crate::requests::display_flags::CONSOLE, text, true);
        OperatorReply::GoOn
    }

    /// CEE3DLY, CEEDLYM: the program waits.
    fn delay(&mut self, time: std::time::Duration) -> Result<(), Departure> {
        std::thread::sleep(time);
        Ok(())
    }

    /// Seconds since 1970 UTC and nanoseconds.
    fn now(&mut self) -> (i64, u32);
    fn utc_offset_seconds(&mut self) -> i32;

    /// An environment variable's value (DISPLAY ... UPON ENVIRONMENT-NAME, ACCEPT FROM ENVIRONMENT-VALUE).
    fn environment(&mut self, name: &str) -> Option<String> {
        let _ = name;
        None
    }

    /// CEEGTJS: the value of a JCL symbol that the job exports.
    fn exported_symbol(&mut self, name: &str) -> Option<String> {
        let _ = name;
        None
    }

    /// CEE3INF: the run unit was called by another of the same task (EXEC CICS LINK).
    fn is_nested(&self) -> bool {
        false
    }

    /// One EXEC SQL statement of the program `frame`: `frame.program_info().sql[request.statement]`. It sets the SQLCA and the host
    /// variables. Addresses of the request are the program's: they are accessed by `kernel::guard` only.
    fn sql(&mut self, frame: FrameId, request: &SqlRequest) -> Result<SqlOutcome, Departure> {
        let _ = (frame, request);
        self.display(crate::requests::display_flags::CONSOLE, "EXEC SQL: no database is named for this program", true);
        Err(Departure::Abend(Box::new(Abend::new("4038", u64::from(crate::requests::failure::UNSUPPORTED)))))
    }

    /// A CALL of DFHRMCAL or DFHRMXCH by the program `frame`. The arguments are addresses of the program's. The result is RETURN-CODE.
    fn resource_manager(&mut self, frame: FrameId, service: ResourceManagerService, arguments: &[u32]) -> Result<i32, Departure> {
        let _ = (frame, service, arguments);
        self.display(crate::requests::display_flags::CONSOLE, "a batch program has no task-related user exits", true);
        Err(Departure::Abend(Box::new(Abend::new("4038", u64::from(crate::requests::failure::UNSUPPORTED)))))
    }

    /// One operation on a file of a program. The run unit stores the status and chooses the branch.
    fn file(&mut self, owner: FrameId, file: &crate::module::FileInfo, request: &mut FileRequest) -> Result<FileOutcome, Departure> {
        let _ = (owner, file);
        request.status = *b"30";
        Ok(FileOutcome::Error)
    }
}
