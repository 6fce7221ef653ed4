//! The contract between compiled code and the run time: [`Context`], [`Frame`], the numbered [`Slot`]s.
//!
//! Compiled code knows two addresses, the context of the task and the frame of its own activation, and calls the run
//! time only through the slot table of the context, so a load module needs no relocation.
//!
//! Invariants:
//! * compiled code only reads [`Context`]; it writes only its own frame, the frame of a program it calls, program storage and the native
//!   stack;
//! * a light slot runs under the key of the program and uses only the stack and program storage: no heap, no lock, no mutable static, no
//!   thread-local. A gated slot switches to CICS key first and back last;
//! * the layouts here are part of the load module format: a change to a field, to the number of a slot or to its signature changes
//!   [`SLOT_TABLE_VERSION`], and a module compiled against another version is refused and recompiled.
//!
//! `unsafe` here lets threads share slot tables, which hold addresses of functions and never change. `codegen/tests/programs.rs` runs
//! compiled code by this contract.

use std::ffi::c_void;

/// Changes with every change of this file that compiled code can see.
pub const SLOT_TABLE_VERSION: u32 = 9;

/// A linkage base for address 0, and how many addresses from there on have their places behind it: see [`kernel::PREFIX`].
pub const NULL_BASE: u32 = kernel::PREFIX as u32;
pub const NULL_BYTES: u32 = kernel::PREFIX_BYTES as u32;

/// The completion that compiled code returns to the run unit.
pub mod completion {
    /// GOBACK or EXIT PROGRAM, or the end of the last paragraph.
    pub const RETURNED: u32 = 0;
    /// STOP RUN: every program of the run unit ends.
    pub const STOPPED: u32 = 1;
}

/// Numbers with which a program is entered otherwise than at its beginning (0) or at label n.
pub mod entry_label {
    /// With the point of a [`crate::module::ResumePoint`]: there, as the program was left.
    pub const RESUME: u32 = 1 << 31;
}

/// The address of a compiled program's entry. `entry_label` 0 starts the program; n resumes or enters it at label n, or behind a statement.
pub type Entry = unsafe extern "C" fn(context: *mut Context, frame: *mut Frame, entry_label: u32) -> u32;

/// The view that compiled code has of its task. Written only by the run time.
#[repr(C)]
pub struct Context {
    /// The run time's functions, indexed by [`Slot`].
    pub slots: *const SlotTable,
    /// The run unit whose programs are executing.
    pub unit: *mut UnitHeader,
    /// Set by a signal that arrived inside the run time: the gate checks it before it returns to compiled code.
    pub poll: u32,
    /// The run unit's own structure and the host's: opaque to compiled code.
    pub run_unit: *mut c_void,
}

/// The part of a run unit that compiled code reads and writes (user key).
#[repr(C)]
pub struct UnitHeader {
    /// The innermost active frame, which an abend, a dump or CEDF names.
    pub current: *mut Frame,
    /// Inline call caches filled under another generation are stale (CANCEL, NEWCOPY within the unit).
    pub generation: u64,
    /// RETURN-CODE passes between programs here.
    pub return_code: i32,
    /// Why a light slot stopped the program: an `le::Exception`, set just before its trap.
    pub exception: u32,
    /// The word that is not zero while programs compiled with TEST are to tell what they reach (`requests::service::STATEMENT`).
    pub watch: *const u32,
}

/// Bits of [`Frame::flags`].
pub mod frame_flags {
    /// The program is active: a CALL of it is recursive.
    pub const ACTIVE: u32 = 0x01;
    /// The activation must be released with [`Slot::CallReturn`] (INITIAL, RECURSIVE, LOCAL-STORAGE).
    pub const RELEASE: u32 = 0x02;
    /// The program has run in this run unit: its WORKING-STORAGE is in the last-used state.
    pub const USED: u32 = 0x04;
}

/// One activation of a program. A fixed head, then `frame_size - FRAME_HEAD_LENGTH` bytes laid out by the compiler (linkage bases, PERFORM
/// cells, call caches), zero when the frame is created, but for linkage bases, which are [`NULL_BASE`]. Frames are above 4 GB, where no 32-bit address reaches.
#[repr(C)]
pub struct Frame {
    pub unit: *mut UnitHeader,
    /// The options and the environment of the program: first operand of the light slots.
    pub session: *const le::Session,
    /// The program this is a frame of ([`crate::rununit::Activation`]); opaque to compiled code.
    pub program: *const c_void,
    pub caller: *mut Frame,
    /// The frame of the containing program, whose GLOBAL storage a nested program reaches; null for an outermost program.
    pub outer: *mut Frame,
    /// Address of WORKING-STORAGE.
    pub working_storage: u64,
    /// Address of this activation's LOCAL-STORAGE.
    pub local_storage: u64,
    /// Address of the EXEC interface block of the task; 0 in batch.
    pub eib: u32,
    pub commarea: u32,
    pub commarea_length: u32,
    /// [`frame_flags`].
    pub flags: u32,
    /// Arguments passed by the caller, in USING order; the program's prologue copies them to its linkage bases.
    pub argument_count: u32,
    /// Capacity of `arguments`: a caller with more arguments takes the slow path.
    pub argument_capacity: u32,
    /// Number in the module of the CALL statement executed last, for tracebacks; or of the current statement, if the program can be resumed
    /// behind it.
    pub statement: u32,
    pub reserved: u32,
    /// Addresses of arguments: the first bytes of the compiler's part of the frame.
    pub arguments: [u32; 0],
}

pub const FRAME_HEAD_LENGTH: u32 = std::mem::size_of::<Frame>() as u32;

/// The program that a CALL site called last (in the caller's frame).
#[repr(C)]
pub struct CallCache {
    /// Valid only while equal to the run unit's generation.
    pub generation: u64,
    pub entry: Option<Entry>,
    pub frame: *mut Frame,
    /// The name the cache was filled for, in the program's code page (CALL identifier compares).
    pub name: [u8; 8],
    /// Entry label to pass.
    pub entry_label: u32,
    pub reserved: u32,
}

/// How an argument or result of a slot travels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// 64 bits.
    Address,
    /// An integer of 32 bits.
    Word,
    /// An integer of 64 bits.
    Long,
    Double,
    /// No result.
    Nothing,
}

/// The letters of `slots.in`.
macro_rules! kind {
    (P) => {
        Kind::Address
    };
    (I) => {
        Kind::Word
    };
    (L) => {
        Kind::Long
    };
    (F) => {
        Kind::Double
    };
    (V) => {
        Kind::Nothing
    };
}

/// Under which key a slot runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SlotKey {
    Program,
    Region,
}

pub struct SlotSignature {
    pub name: &'static str,
    pub key: SlotKey,
    /// After the context, which is always the first.
    pub arguments: &'static [Kind],
    pub result: Kind,
}

macro_rules! slots {
    ($( $(#[$doc:meta])* $name:ident : $key:ident ( $($kind:ident),* ) $result:ident ),* $(,)?) => {
        /// A function of the run time, by its place in the slot table.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u32)]
        pub enum Slot { $( $(#[$doc])* $name ),* }

        pub const SLOT_COUNT: usize = [$( Slot::$name ),*].len();

        /// Signatures, in slot order: the compiler declares calls by them.
        pub static SIGNATURES: [SlotSignature; SLOT_COUNT] = [
            $( SlotSignature { name: stringify!($name), key: SlotKey::$key, arguments: &[$(kind!($kind)),*], result: kind!($result) } ),*
        ];
    };
}

include!("slots.in");

/// The data for the run time of a C program, in its static. Layout is part of the module format.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CLink {
    pub context: u64,
    pub frame: u64,
    /// Where the C stack begins.
    pub stack: u64,
    /// Written by the entry: the task's stack at the call of the program.
    pub task_stack: u64,
    /// [`CLink::KEY`] and all words above, joined by exclusive or. The link is in storage of programs: the run time of C programs trusts it only
    /// while this is so, and stops the program otherwise.
    pub check: u64,
}

impl CLink {
    /// No filling of storage with one byte or word makes a link that seems good.
    pub const KEY: u32 = 0x5245_474C;

    pub fn new(context: u64, frame: u64, stack: u64) -> CLink {
        CLink { context, frame, stack, task_stack: 0, check: u64::from(CLink::KEY) ^ context ^ frame ^ stack }
    }
}

/// The functions, indexed by [`Slot`]. A host takes [`SlotTable::standard`] and may replace gated entries.
#[repr(C)]
pub struct SlotTable {
    pub functions: [*const c_void; SLOT_COUNT],
}

// The table holds addresses of functions only.
unsafe impl Sync for SlotTable {}
unsafe impl Send for SlotTable {}

impl Slot {
    pub fn signature(self) -> &'static SlotSignature {
        &SIGNATURES[self as usize]
    }
}

const _: () = assert!(std::mem::size_of::<Frame>() == 88);
const _: () = assert!(std::mem::size_of::<CallCache>() == 40);
const _: () = assert!(std::mem::size_of::<CLink>() == 40);
