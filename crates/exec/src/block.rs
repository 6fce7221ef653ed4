//! The argument block: how compiled code passes one EXEC CICS command to the EXEC interface.
//!
//! Compiled code builds a [`Block`] followed by its [`Argument`]s on the stack and calls the EXEC slot. Every numeric argument is passed as
//! a 64-bit integer in `value`, in both directions: compiled code converts from and to the program's own usage (halfword, packed, zoned
//! ...), so no command implementation knows about usages. Areas are passed as address and length. A command that returns a value marks the
//! argument with [`Argument::SET`]; compiled code stores only the arguments so marked.
//!
//! Invariants: `arguments` points to `argument_count` arguments that live until the gate returns; option
//! identifiers are those of the catalogue (`crate::option`); an option appears at most once.

/// Index of a command form in the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(transparent)]
pub struct CommandId(pub u16);

/// Index of an option name in the catalogue; the same name has the same identifier in every command.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(transparent)]
pub struct OptionId(pub u16);

/// How an argument is represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Representation {
    /// The option was given without an argument.
    Flag = 0,
    /// `value` holds an integer (numeric data value or area, CVDA, pointer as a 31-bit address).
    Integer = 1,
    /// `address` and `length` give an area of bytes in the region's code page or binary data.
    Area = 2,
    /// `value` is the number of a label of the program (HANDLE CONDITION, HANDLE AID, HANDLE ABEND); 0: no label.
    Label = 3,
}

/// One argument of an EXEC CICS command.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Argument {
    pub option: OptionId,
    pub representation: Representation,
    pub flags: u8,
    /// Bytes of the area. For a name, the length of the literal or data item: the gate pads or trims.
    pub length: u32,
    pub address: u64,
    pub value: i64,
}

impl Argument {
    /// Set by the command when it returned something in `value`; compiled code then stores it.
    pub const SET: u8 = 0x01;
    /// The length in `length` was written by the program as LENGTH OF or derived from the item (not a LENGTH option).
    pub const WRITABLE: u8 = 0x02;
}

/// One EXEC CICS command as issued.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Block {
    pub command: CommandId,
    pub argument_count: u16,
    pub flags: u16,
    pub reserved: u16,
    /// Source line of the command in the program's listing, for abends, CEDF and trace.
    pub line: u32,
    /// Number of the statement within the program.
    pub statement: u32,
    pub arguments: *mut Argument,
}

impl Block {
    /// RESP or NOHANDLE was given: conditions do not raise.
    pub const NOHANDLE: u16 = 0x0001;
}

const _: () = assert!(std::mem::size_of::<Argument>() == 24);
const _: () = assert!(std::mem::size_of::<Block>() == 24);
