//! The types of the catalogue and its generated tables.
//!
//! The tables come from `tables/*.tsv` by `build.rs`, which checks that they are consistent; nothing here is written twice.

use crate::block::{CommandId, OptionId};

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// A response of a command: the number in EIBRESP and RESP. 0 is NORMAL.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Condition(pub u16);

/// The action of CICS for a condition that the program neither handles nor ignores and for which it gave no RESP or NOHANDLE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefaultAction {
    /// The task abends with the condition's abend code.
    Abend,
    /// The condition is disregarded.
    Ignore,
    /// Control returns to the program.
    Return,
    /// The task waits until the condition is gone (NOSTG, ENQBUSY, QBUSY, SYSBUSY, NOJBUFSP ...).
    Suspend,
}

/// One condition.
#[derive(Debug)]
pub struct ConditionSpec {
    pub condition: Condition,
    pub name: &'static str,
    pub abend_code: Option<&'static str>,
    pub default_action: DefaultAction,
}

/// Application or system programming interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    Api,
    Spi,
}

/// Whether a command runs on an open TCB or needs QR. `Conditional`: it depends on the resource (file type, local or remote queue).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threadsafe {
    Yes,
    No,
    Conditional,
}

/// Whether an option is written with an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentRule {
    None,
    Optional,
    Required,
}

/// The kind of an option's argument, in the words of the command reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentKind {
    /// The option has no argument.
    Flag,
    /// A data item or a constant.
    DataValue,
    /// A data item.
    DataArea,
    /// A pointer item or ADDRESS OF that the command sets.
    PointerReference,
    /// A pointer item or ADDRESS OF whose value is used.
    PointerValue,
    /// A name as a literal or a data item, of `length` characters.
    Name,
    FileName,
    SystemName,
    /// A paragraph or section of the program.
    Label,
    /// A CICS-value data area: a fullword with a number of [`crate::cvda`].
    Cvda,
    /// A time 0HHMMSS+: packed decimal or a numeric constant.
    Hhmmss,
}

impl ArgumentKind {
    /// The word of the command reference for it; empty without an argument.
    pub fn word(self) -> &'static str {
        match self {
            ArgumentKind::Flag => "",
            ArgumentKind::DataValue => "data-value",
            ArgumentKind::DataArea => "data-area",
            ArgumentKind::PointerReference => "ptr-ref",
            ArgumentKind::PointerValue => "ptr-value",
            ArgumentKind::Name => "name",
            ArgumentKind::FileName => "filename",
            ArgumentKind::SystemName => "systemname",
            ArgumentKind::Label => "label",
            ArgumentKind::Cvda => "cvda",
            ArgumentKind::Hhmmss => "hhmmss",
        }
    }
}

/// Which way the argument goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Flag,
    In,
    Out,
    InOut,
}

impl Direction {
    pub fn is_input(self) -> bool {
        matches!(self, Direction::In | Direction::InOut)
    }

    pub fn is_output(self) -> bool {
        matches!(self, Direction::Out | Direction::InOut)
    }
}

/// Whether an argument is passed as a number, and its documented form: the translator checks a data area against it and converts a constant
/// to it, and it determines the range of the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numeric {
    /// An area of bytes.
    Not,
    /// PIC S9(4) COMP.
    Halfword,
    /// PIC S9(8) COMP.
    Fullword,
    /// PIC S9(18) COMP.
    Doubleword,
    /// PIC S9(15) COMP-3: milliseconds since 1900.
    Abstime,
    /// PIC S9(7) COMP-3: 0HHMMSS+.
    Hhmmss,
    /// PIC S9(7) COMP-3: a task number.
    TaskNumber,
    /// A 31-bit address.
    Pointer,
    Pointer64,
}

impl Numeric {
    /// Whether the argument is passed in `Argument::value`.
    pub fn is_number(self) -> bool {
        self != Numeric::Not
    }

    /// Bytes of the documented form; 0 for an area.
    pub fn width_bytes(self) -> u32 {
        match self {
            Numeric::Not => 0,
            Numeric::Halfword => 2,
            Numeric::Fullword | Numeric::Hhmmss | Numeric::TaskNumber | Numeric::Pointer => 4,
            Numeric::Doubleword | Numeric::Abstime | Numeric::Pointer64 => 8,
        }
    }
}

/// One option of one command.
#[derive(Debug)]
pub struct OptionSpec {
    pub id: OptionId,
    pub name: &'static str,
    pub argument: ArgumentRule,
    pub kind: ArgumentKind,
    pub direction: Direction,
    pub numeric: Numeric,
    /// Bytes CICS reads or writes of a name or fixed-length area; 0 when the length is variable or does not apply.
    pub length: u16,
    /// Its meaning in a few words; empty if the tables have none.
    pub meaning: &'static str,
}

/// Options whose values CICS made, and programs pass back as they are.
const TOKENS: [&str; 7] = ["ACTIVITYID", "CHILD", "DOCTOKEN", "SESSTOKEN", "TOKEN", "UOW", "UOWLINK"];

impl OptionSpec {
    /// The value may have any bytes, binary zeros too: a token, or a single byte as INITIMG. A name ends at a binary zero in C.
    pub fn is_binary(&self) -> bool {
        self.length == 1 || TOKENS.contains(&self.name)
    }
}

/// The condition of a rule on its options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleKind {
    /// Each option must be present.
    Required,
    /// One of them, and not more, must be present.
    ExactlyOne,
    /// No more than one may be present.
    AtMostOne,
    /// The first has a meaning only with one of the others.
    Needs,
    /// The first must not be without one of the others.
    Requires,
}

/// A rule about which options go together.
#[derive(Debug)]
pub struct Rule {
    pub kind: RuleKind,
    pub options: &'static [OptionId],
}

/// One command.
#[derive(Debug)]
pub struct CommandSpec {
    pub id: CommandId,
    /// The command's name as written: `SEND MAP`.
    pub name: &'static str,
    /// The words of the name. The first is the verb; the others may be anywhere among the options.
    pub words: &'static [&'static str],
    pub family: Family,
    /// The function code in EIBFN after the command; 0 for the few that have none.
    pub eibfn: u16,
    pub threadsafe: Threadsafe,
    /// Whether the EXEC interface executes it.
    pub implemented: bool,
    /// Sorted by option.
    pub options: &'static [OptionSpec],
    /// The options in the order of the command reference.
    pub as_written: &'static [OptionId],
    pub rules: &'static [Rule],
    /// Conditions the command may raise, beyond NORMAL and ERROR.
    pub conditions: &'static [Condition],
    /// The resource the command is about.
    pub resource: Option<ResourceOption>,
    /// The description of the command; every implemented command has one.
    pub description: Option<Description>,
}

/// The description of a command.
#[derive(Debug)]
pub struct Description {
    /// The group of commands it belongs to, one of [`crate::command_groups`].
    pub group: &'static str,
    /// One sentence.
    pub text: &'static str,
    /// Differences from CICS; empty if none are known.
    pub notes: &'static str,
}

/// Which fields of the EIB get the name of a command's resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InEib {
    Nothing,
    /// EIBRSRCE.
    Resource,
    /// EIBRSRCE and EIBDS: file control.
    ResourceAndDataSet,
}

/// The resource a command names, for authorization, routing and EIBRSRCE.
#[derive(Debug)]
pub struct ResourceOption {
    /// Options that name it, with the length of a name; the first one given counts.
    pub options: &'static [(OptionId, u16)],
    /// Its type, as definitions call it.
    pub resource: &'static str,
    pub in_eib: InEib,
    /// RESP2 of SYSIDERR if the system in SYSID or in the definition cannot be reached; `None`: the command stays in its region.
    pub sysiderr_resp2: Option<i32>,
}

/// A named byte: an attention identifier or a BMS attribute value, in EBCDIC.
#[derive(Debug)]
pub struct NamedByte {
    /// The name in the copybook (DFHENTER).
    pub name: &'static str,
    pub value: u8,
    /// For an attention identifier: a key that transmits no fields.
    pub short_read: bool,
    pub meaning: &'static str,
}

/// A field of the EXEC interface block.
#[derive(Debug)]
pub struct EibField {
    pub name: &'static str,
    /// The name in the COBOL copybook DFHEIBLK.
    pub cobol_name: &'static str,
    pub offset: usize,
    pub length: usize,
    pub picture: &'static str,
    pub meaning: &'static str,
}

/// The meaning of a RESP2 value: a row of `tables/resp2.tsv`. Its source, the last cell there, is the public document that gives the value,
/// or `unverified` if none was found.
#[derive(Debug)]
pub struct Resp2Meaning {
    pub commands: &'static [CommandId],
    pub condition: Condition,
    pub resp2: i32,
    pub meaning: &'static str,
}
