//! EXEC CICS statements.

use super::{AddressTarget, LabelNumber, Operand, Reference};

/// One EXEC CICS command, checked against the catalogue.
#[derive(Clone, Debug)]
pub struct ExecCics {
    pub command: ::exec::block::CommandId,
    /// `Block::NOHANDLE` and friends: RESP or NOHANDLE was given.
    pub flags: u16,
    pub arguments: Vec<ExecArgument>,
    /// The command as written, blanks compressed, for CEDF and the listing.
    pub text: Box<str>,
}

#[derive(Clone, Debug)]
pub struct ExecArgument {
    pub option: ::exec::block::OptionId,
    pub value: ExecValue,
}

/// How an argument is passed in the block and how its result is stored.
#[derive(Clone, Debug)]
pub enum ExecValue {
    /// Option without argument: `Representation::Flag`.
    Flag,
    /// `Representation::Integer`: convert the numeric operand to `value`. Never stored back.
    Integer(Operand),
    /// `Integer`, stored back (converted to the item's usage) when the gate set it; the item's value is not read.
    IntegerOut(Reference),
    /// `Integer`, read and stored back (LENGTH of READ INTO).
    IntegerInOut(Reference),
    /// `Representation::Area`: address and current length of an item, or of the literal's bytes. Also for names.
    Area(Operand),
    /// `Area` that the command writes into: address and (maximum) length.
    AreaOut(Reference),
    /// `Integer` in: an address (pointer item, ADDRESS OF).
    Pointer(Operand),
    /// `Integer` out: an address returned, stored when set.
    PointerOut(AddressTarget),
    /// `Representation::Label`.
    Label(LabelNumber),
}
