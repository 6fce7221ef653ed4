//! Parameter blocks that compiled code builds on its stack for the slots with many operands. Their layout is part of the ABI.

use crate::abi::Frame;

/// One operand: its description and address.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Operand {
    pub address: *mut u8,
    pub attributes: *const le::Attributes,
}

/// Operand of [`crate::abi::Slot::Call`].
#[repr(C)]
pub struct CallRequest {
    /// The site's cache in the caller's frame; null if the site has none.
    pub cache: *mut crate::abi::CallCache,
    /// The name in the program's code page (DYNAMIC), in ASCII (literal), or the address of the 8-byte pointer (POINTER).
    pub name: *const u8,
    /// Addresses passed, u32 each.
    pub arguments: *const u32,
    pub name_length: u32,
    pub argument_count: u32,
    /// [`call_flags`].
    pub flags: u32,
    /// NESTED: index of the program in the caller's module.
    pub program: u32,
    /// Set: how a call ended that has no frame to enter ([`call_outcome`]).
    pub outcome: u32,
    /// Set: entry label to pass (ENTRY points).
    pub entry_label: u32,
    /// Set: address of the callee's code.
    pub entry: usize,
}

/// How [`CallRequest`] is meant.
pub mod call_flags {
    /// ON EXCEPTION or ON OVERFLOW is present: a missing program is reported and does not abend.
    pub const ON_EXCEPTION: u32 = 0x01;
    /// CALL identifier: the name is data in the program's code page.
    pub const DYNAMIC: u32 = 0x02;
    /// The name given is a procedure or function pointer.
    pub const POINTER: u32 = 0x04;
    /// A program contained in this module, by index.
    pub const NESTED: u32 = 0x08;
    /// From C to C as any function of C is called: `arguments` leads to the caller's registers, and is passed as entry label.
    pub const NATIVE: u32 = 0x10;
}

pub mod call_outcome {
    /// The call was made and is complete (a callable service).
    pub const COMPLETE: u32 = 0;
    /// ON EXCEPTION is to be taken.
    pub const EXCEPTION: u32 = 1;
    /// The run unit ends.
    pub const STOPPED: u32 = 2;
    /// The call is complete, and has a return code (DSNTIAR, a request to a resource manager).
    pub const RETURNED: u32 = 3;
}

/// Operand of [`crate::abi::Slot::Unstring`].
#[repr(C)]
pub struct UnstringRequest {
    pub source: *const u8,
    pub source_attributes: *const le::Attributes,
    pub delimiters: *const le::unstring::Delimiter,
    pub targets: *const le::unstring::UnstringTarget,
    pub pointer: *mut i64,
    pub tallying: *mut i64,
    pub delimiter_count: u32,
    pub target_count: u32,
}

/// Low byte: rounding (`le::Rounding`); then flags.
pub mod store_flags {
    pub const ROUNDING: u32 = 0xFF;
    /// ON SIZE ERROR is present: on a size error the target stays unchanged.
    pub const KEEP: u32 = 0x100;
    /// Shift of `le::numeric::Operation` in the operand of [`crate::abi::Slot::Apply`].
    pub const OPERATION_SHIFT: u32 = 16;
}

/// Sources of ACCEPT.
pub mod accept_source {
    pub const DATE: u32 = 0;
    pub const DATE_YYYYMMDD: u32 = 1;
    pub const DAY: u32 = 2;
    pub const DAY_YYYYDDD: u32 = 3;
    pub const DAY_OF_WEEK: u32 = 4;
    pub const TIME: u32 = 5;
    pub const SYSIN: u32 = 16;
    pub const CONSOLE: u32 = 17;
    pub const COMMAND_LINE: u32 = 18;
    pub const ENVIRONMENT_VALUE: u32 = 19;
}

/// Length of [`crate::abi::Slot::CheckReference`] for a reference modification without a length.
pub const REST_OF_ITEM: i64 = i64::MIN;

/// Flags of DISPLAY.
pub mod display_flags {
    pub const NO_ADVANCING: u32 = 0x100;
    /// OUTDD: the first operand is the DD name.
    pub const DD_NAME: u32 = 0x200;
    /// Low byte: the target.
    pub const SYSOUT: u32 = 0;
    pub const CONSOLE: u32 = 1;
    pub const PUNCH: u32 = 2;
    pub const ENVIRONMENT_NAME: u32 = 3;
    pub const ENVIRONMENT_VALUE: u32 = 4;
    /// Standard error of a C program.
    pub const ERROR: u32 = 5;
    /// Standard output of a C program.
    pub const OUTPUT: u32 = 6;
}

/// Numbers of [`crate::abi::Slot::Service`].
pub mod service {
    /// STOP literal: words = address, length.
    pub const STOP_LITERAL: u32 = 1;
    /// ALLOCATE: words = bytes -> address, 0 if there is none.
    pub const ALLOCATE: u32 = 2;
    /// FREE: words = address.
    pub const FREE: u32 = 3;
    /// UPSI switches, and [`DEBUG_SWITCH`]: words = number -> 0 or 1.
    pub const SWITCH_TEST: u32 = 4;
    /// The object-time switch for debugging sections (run-time option DEBUG).
    pub const DEBUG_SWITCH: u64 = 8;
    /// words = number, 0 or 1.
    pub const SWITCH_SET: u32 = 5;
    /// A statement that cannot be run: words = address and length of its text.
    pub const UNSUPPORTED: u32 = 6;
    /// Address of scratch storage that lives as long as the run unit: words = number of the area in its program, bytes.
    pub const SCRATCH: u32 = 7;
    /// Bytes of the first characters of UTF-8: words = address, length, characters -> bytes.
    pub const UTF8_OFFSET: u32 = 8;
    /// A check of NUMCHECK, SSRANGE or PARMCHECK has failed: words as in [`super::check`].
    pub const CHECK: u32 = 9;
    /// Replace characters of UTF-8: words = address, length, first character (1 is the first), how many, address and length of the new ones.
    pub const UTF8_REPLACE: u32 = 10;
    /// MOVE to a dynamic-length item of UTF-8: words = sender, its description, receiver, its most bytes -> bytes it has then.
    pub const UTF8_MOVE: u32 = 11;
    /// SERVICE LABEL: words = label number of the statement.
    pub const RESUME_LABEL: u32 = 12;
    /// TEST, while the program is watched: it is about to execute a statement: words = number of the statement in the module.
    pub const STATEMENT: u32 = 13;
    /// It is about to perform a range of paragraphs: words = number of the statement that performs it.
    pub const PERFORMING: u32 = 14;
    /// The range has been performed.
    pub const PERFORMED: u32 = 15;
    /// SORT and MERGE: words = file number, then see `rununit::sort`.
    pub const SORT_OPEN: u32 = 16;
    pub const SORT_RELEASE: u32 = 17;
    pub const SORT_PERFORM: u32 = 18;
    pub const SORT_RETURN: u32 = 19;
    pub const SORT_CLOSE: u32 = 20;
    /// TEST, while the program is watched: it has been entered at its beginning or at an ENTRY statement.
    pub const ENTERED: u32 = 21;
    /// words = address of a [`super::MarkupRequest`] -> JSON-CODE or XML-CODE.
    pub const MARKUP: u32 = 32;
    /// XML PARSE: words = parse number, document, length, [`super::xml_flags`], CCSID of the document (0: that of the item).
    pub const XML_OPEN: u32 = 33;
    /// The next event: words = parse number, address of an [`super::XmlRegisters`] -> [`super::xml_step`].
    pub const XML_NEXT: u32 = 34;
    /// The run time of C programs. A line of output: words = [`super::display_flags`], address, length.
    pub const C_WRITE: u32 = 48;
    /// An argument of main: words = address, room, number -> its whole length, -1 if there is none of this number.
    pub const C_ARGUMENT: u32 = 49;
    /// -> nanoseconds since 1970 UTC.
    pub const C_CLOCK: u32 = 50;
    /// -> seconds that local time is ahead of UTC.
    pub const C_UTC_OFFSET: u32 = 51;
    /// A number as ASCII text: words = bits of a double, f e or g in ASCII, precision, address, room -> length.
    pub const C_FORMAT: u32 = 52;
    /// words = address and length of ASCII text -> bits of a double.
    pub const C_PARSE: u32 = 53;
    /// words = number of the function, bits of its arguments -> bits of its value.
    pub const C_MATH: u32 = 54;
    /// The return value of main: words = value.
    pub const C_RETURN_CODE: u32 = 55;
    /// The program gives up (abort, assert): words = address and length of a message.
    pub const C_ABORT: u32 = 56;
    /// The arguments of a CALL: words = address of an array for their addresses, and its length; the result is the number of arguments.
    pub const C_ARGUMENTS: u32 = 57;
    /// RETURN-CODE as set by the program called last.
    pub const C_CALLED_RETURN_CODE: u32 = 58;
    /// fetch: words = address and length of a program's name -> its procedure pointer, 0 if there is none.
    pub const C_FETCH: u32 = 59;
    /// release: words = a procedure pointer that C_FETCH has given.
    pub const C_RELEASE: u32 = 60;
    /// A file statement failed, and the program does not handle it: words = address of its [`FileRequest`].
    pub const FILE_ERROR: u32 = 61;
    /// Standard input of a C program: words = address, room -> bytes of a line or its rest, with its end; -1 at the end.
    pub const C_READ: u32 = 62;
}

/// Words of [`service::CHECK`]: kind of check and [`check::ABEND`]; line; which verb of the line; address and length of the item's name
/// in ASCII; and two more: address and length of the item's value (NUMERIC, SIZE), the value found (START, LENGTH), start and length
/// (END), address and length of the called program's name in ASCII (STORAGE).
pub mod check {
    pub const WORDS: u32 = 7;
    /// With the kind: the program ends.
    pub const ABEND: u64 = 0x100;
    /// NUMCHECK(ZON), NUMCHECK(PAC).
    pub const NUMERIC: u32 = 1;
    /// NUMCHECK(BIN).
    pub const SIZE: u32 = 2;
    /// SSRANGE: a table, a group of varying length, and the parts of a reference modification.
    pub const TABLE: u32 = 3;
    pub const GROUP: u32 = 4;
    pub const START: u32 = 5;
    pub const LENGTH: u32 = 6;
    pub const END: u32 = 7;
    /// PARMCHECK.
    pub const STORAGE: u32 = 8;
    /// Not an option's, results of [`crate::abi::Slot::Power`] and `FloatPower` too: a negative base with a fractional exponent, and zero
    /// to the power zero. The first detail is the number of the statement.
    pub const NEGATIVE_BASE: u32 = 9;
    pub const ZERO_POWER: u32 = 10;
}

/// The operation of a [`MarkupRequest`].
pub mod markup_operation {
    pub const JSON_GENERATE: u32 = 0;
    pub const JSON_PARSE: u32 = 1;
    pub const XML_GENERATE: u32 = 2;
    /// Flags above the operation: XML-DECLARATION, WITH DETAIL, ENCODING FROM CODEPAGE.
    pub const DECLARATION: u32 = 0x100;
    pub const DETAIL: u32 = 0x200;
    pub const PROGRAM_ENCODING: u32 = 0x400;
}

/// Operand of [`service::MARKUP`].
#[repr(C)]
pub struct MarkupRequest {
    /// Bytes of a `le::markup::Tree`.
    pub tree: *const u8,
    pub root: *mut u8,
    /// By the tree's table numbers.
    pub tables: *const le::markup::Depending,
    /// The JSON or XML text.
    pub text: Operand,
    /// NAMESPACE and NAMESPACE-PREFIX; null addresses when absent.
    pub namespace: Operand,
    pub prefix: Operand,
    pub tree_length: u32,
    pub table_count: u32,
    /// [`markup_operation`].
    pub operation: u32,
    /// CCSID of the text; 0: the default.
    pub encoding: u32,
    /// Set: character positions generated.
    pub count: u32,
    /// Set: JSON-STATUS.
    pub status: u32,
}

pub mod xml_flags {
    /// The document is a national item.
    pub const NATIONAL: u32 = 1;
    /// RETURNING NATIONAL.
    pub const RETURNING_NATIONAL: u32 = 2;
    /// XMLPARSE(COMPAT).
    pub const COMPATIBLE: u32 = 4;
}

pub mod xml_step {
    pub const ENDED: u32 = 0;
    /// The registers are set; the processing procedure is to be performed.
    pub const EVENT: u32 = 1;
    /// The statement ends with its exception condition.
    pub const EXCEPTION: u32 = 2;
}

/// A text register of varying length: where its address and its length are stored.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct VaryingRegister {
    /// The 31-bit address compiled code uses, 4 bytes of the machine.
    pub address: *mut u32,
    /// Characters, a big-endian word.
    pub length: *mut u8,
}

/// Operand of [`service::XML_NEXT`]. Texts: text, namespace, prefix, each alphanumeric and then national.
#[repr(C)]
pub struct XmlRegisters {
    pub code: *mut u8,
    pub event: *mut u8,
    pub information: *mut u8,
    pub texts: [VaryingRegister; 6],
}

/// Run-time errors of [`crate::abi::Slot::Fail`] beyond `le::Exception`.
pub mod failure {
    /// GO TO without a target (ALTER not executed).
    pub const GO_TO_UNSET: u32 = 64;
    /// The program called itself or an active caller without RECURSIVE (IGZ0064S).
    pub const RECURSION: u32 = 65;
    /// Control fell off a module that cannot be continued.
    pub const FLOW: u32 = 66;
    /// A statement that the compiler accepts but cannot run.
    pub const UNSUPPORTED: u32 = 67;
    /// A C program called abort.
    pub const ABORT: u32 = 68;
    /// NUMCHECK(ABD): the contents of a sending item do not match its picture (IGZ0280S).
    pub const NUMERIC_CHECK: u32 = 69;
    /// PARMCHECK(ABD): a called program has changed storage behind WORKING-STORAGE.
    pub const STORAGE_CHECK: u32 = 70;
    /// A file statement failed, and the program does not handle it (IGZ0020S, IGZ0035S).
    pub const FILE_ERROR: u32 = 71;
    /// CALL of a missing program (CEE3501S).
    pub const PROGRAM_NOT_FOUND: u32 = 72;
}

/// Operations of [`FileRequest`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum FileOperation {
    Open = 0,
    Close = 1,
    Read = 2,
    Write = 3,
    Rewrite = 4,
    Delete = 5,
    Start = 6,
}

/// Flags of CLOSE.
pub mod close_options {
    pub const LOCK: u32 = 1;
    /// REEL or UNIT.
    pub const REEL: u32 = 2;
    pub const NO_REWIND: u32 = 4;
}

/// Operand of [`crate::abi::Slot::File`].
#[repr(C)]
pub struct FileRequest {
    pub operation: FileOperation,
    /// Index in `ProgramInfo::files`.
    pub file: u32,
    /// OPEN: mode 0 input, 1 output, 2 I-O, 3 extend. CLOSE: [`close_options`]. READ: 0 next, 1 previous, 2 by key. START: relation.
    pub mode: u32,
    /// Index of the key (0 prime) for READ and START.
    pub key: u32,
    pub record: *mut u8,
    /// In: bytes to write, or room to read; out: bytes read.
    pub record_length: u32,
    /// START: bytes of the key given.
    pub key_length: u32,
    /// Relative record number in and out.
    pub relative: u64,
    /// WRITE ADVANCING: one of [`advancing`]'s; lines in `lines`, or one of its values.
    pub advancing: u32,
    pub lines: i32,
    /// Out: file status.
    pub status: [u8; 2],
    /// Out: the VSAM codes: return code, component and reason code, a binary halfword each; zero if VSAM was not called.
    pub feedback: [u8; 6],
    /// Out: the mode (as for OPEN) the file is open in or was to be opened in, [`NOT_OPEN`] otherwise.
    pub open_mode: u32,
    /// Out: LINAGE-COUNTER, when the file has LINAGE.
    pub linage_counter: u32,
    /// OPEN and WRITE: the present values of LINAGE and its phrases; all zero without it.
    pub linage: LinageValues,
    /// The frame that owns the file (nested programs use outer files).
    pub owner: *mut Frame,
}

/// [`FileRequest::open_mode`] of a file that is not open.
pub const NOT_OPEN: u32 = 4;

impl Default for FileRequest {
    fn default() -> FileRequest {
        FileRequest {
            operation: FileOperation::Open,
            file: 0,
            mode: 0,
            key: 0,
            record: std::ptr::null_mut(),
            record_length: 0,
            key_length: 0,
            relative: 0,
            advancing: advancing::NONE,
            lines: 0,
            status: *b"00",
            feedback: [0; 6],
            open_mode: NOT_OPEN,
            linage_counter: 0,
            linage: LinageValues::default(),
            owner: std::ptr::null_mut(),
        }
    }
}

/// LINAGE, FOOTING, TOP and BOTTOM.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct LinageValues {
    pub lines: u32,
    /// 0: no FOOTING.
    pub footing: u32,
    pub top: u32,
    pub bottom: u32,
}

/// [`FileRequest::advancing`] and the values of [`FileRequest::lines`] that are not lines.
pub mod advancing {
    pub const NONE: u32 = 0;
    pub const BEFORE: u32 = 1;
    pub const AFTER: u32 = 2;
    pub const PAGE: i32 = -1;
    /// Channel n is `-1 - n`.
    pub const CHANNEL_1: i32 = -2;
}

/// Where a host variable of an SQL statement is. Its form is in the compiled statement, in the same order.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SqlVariable {
    pub address: u64,
    /// Of the indicator; 0: none.
    pub indicator: u64,
}

/// Operand of [`crate::abi::Slot::Sql`].
#[repr(C)]
pub struct SqlRequest {
    /// Index in [`crate::module::ProgramInfo::sql`].
    pub statement: u32,
    pub variable_count: u32,
    pub variables: *const SqlVariable,
    /// Address of the program's SQLCA; 0: it has none.
    pub sqlca: u64,
    /// Address of a fullword SQLCODE of its own, and of five characters SQLSTATE; 0: none.
    pub sqlcode: u64,
    pub sqlstate: u64,
    pub line: u32,
    /// Number of the statement in the module.
    pub number: u32,
}

/// How an SQL statement ended, for WHENEVER.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum SqlOutcome {
    Successful = 0,
    /// SQLCODE is positive but not +100, or SQLWARN0 is W.
    Warning = 1,
    /// SQLCODE is +100.
    NotFound = 2,
    /// SQLCODE is negative.
    Error = 3,
}
