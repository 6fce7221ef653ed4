//! Conversion between the bytes of host variables and the server's binary format, without text in between where neither side is text.
//!
//! Nothing here knows storage or connection: input is a slice with the bytes of the variable, output is appended to a buffer.

mod datetime;
mod decode;
mod encode;
mod number;
mod page;

pub use datetime::{DateFormat, DateTimeOptions, TimeFormat};
pub use decode::decode;
pub use encode::{encode, encode_null};
pub use number::{Number, load as load_number};
pub use page::Page;

use crate::types::Oid;
use sql::{Variable, VariableType};

/// Why a value cannot be converted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A packed or zoned variable has other bytes than digits and a sign.
    InvalidDecimal,
    /// The number does not fit the receiver.
    Overflow,
    /// The characters are not a date, time or timestamp.
    InvalidDateTimeText,
    /// A date, time or timestamp with a part out of range.
    DateTimeRange,
    /// The characters are not a number.
    InvalidNumberText,
    /// These types cannot be assigned to each other.
    Incompatible,
    /// The variable is too short for a date, time or timestamp.
    TooShort,
}

/// A host variable as conversions need it: its description and the code page of its characters.
#[derive(Clone, Debug)]
pub struct HostVariable {
    pub variable: Variable,
    pub page: &'static Page,
}

/// Bytes of the length field in front of the data.
pub const HALFWORD: usize = 2;
pub const FULLWORD: usize = 4;
/// Most bytes of a ROWID's data.
pub const ROWID_BYTES: usize = 40;

impl HostVariable {
    /// Most bytes the variable has in storage, with its length field.
    pub fn bytes_max(&self) -> usize {
        let length = self.variable.length as usize;
        match self.variable.kind {
            VariableType::SmallInt => 2,
            VariableType::Integer | VariableType::Real | VariableType::IeeeReal => 4,
            VariableType::BigInt | VariableType::Double | VariableType::IeeeDouble => 8,
            VariableType::Packed => usize::from(self.variable.precision) / 2 + 1,
            VariableType::Zoned { .. } => usize::from(self.variable.precision),
            VariableType::SignSeparate { .. } => usize::from(self.variable.precision) + 1,
            VariableType::Char | VariableType::NulTerminated | VariableType::Binary => length,
            VariableType::Graphic | VariableType::NulTerminatedGraphic => 2 * length,
            VariableType::VarChar | VariableType::VarBinary => HALFWORD + length,
            VariableType::VarGraphic => HALFWORD + 2 * length,
            VariableType::Clob | VariableType::Blob => FULLWORD + length,
            VariableType::DbClob => FULLWORD + 2 * length,
            VariableType::ClobLocator | VariableType::BlobLocator | VariableType::DbClobLocator | VariableType::ResultSetLocator => 4,
            VariableType::RowId => HALFWORD + ROWID_BYTES,
            VariableType::Descriptor => 0,
        }
    }

    /// Bytes of the length field, and of one of its units.
    pub fn length_field(&self) -> Option<(usize, usize)> {
        match self.variable.kind {
            VariableType::VarChar | VariableType::VarBinary | VariableType::RowId => Some((HALFWORD, 1)),
            VariableType::VarGraphic => Some((HALFWORD, 2)),
            VariableType::Clob | VariableType::Blob => Some((FULLWORD, 1)),
            VariableType::DbClob => Some((FULLWORD, 2)),
            _ => None,
        }
    }

    /// A number whose least significant byte comes first. Length fields are parts of structures, which have the other order.
    pub fn is_reversed(&self) -> bool {
        use VariableType::*;
        let turns = matches!(
            self.variable.kind,
            SmallInt | Integer | BigInt | IeeeReal | IeeeDouble | ClobLocator | BlobLocator | DbClobLocator | ResultSetLocator
        );
        self.variable.reversed && turns
    }

    /// Double-byte characters outside structures: each is a number in the order of the machine.
    fn has_reversed_characters(&self) -> bool {
        self.variable.reversed && matches!(self.variable.kind, VariableType::Graphic | VariableType::NulTerminatedGraphic)
    }

    /// Turns the bytes of the variable between the order that the machine has and the other one.
    pub fn turn(&self, bytes: &mut [u8]) {
        if self.is_reversed() {
            bytes.reverse();
        } else if self.has_reversed_characters() {
            bytes.chunks_exact_mut(2).for_each(|character| character.swap(0, 1));
        }
    }

    /// Whether X'00' or X'0000' ends the value.
    pub fn is_terminated(&self) -> bool {
        matches!(self.variable.kind, VariableType::NulTerminated | VariableType::NulTerminatedGraphic)
    }

    pub fn is_number(&self) -> bool {
        matches!(
            self.variable.kind,
            VariableType::SmallInt
                | VariableType::Integer
                | VariableType::BigInt
                | VariableType::Packed
                | VariableType::Zoned { .. }
                | VariableType::SignSeparate { .. }
                | VariableType::Real
                | VariableType::Double
                | VariableType::IeeeReal
                | VariableType::IeeeDouble
        )
    }
}

/// CCSID of FOR BIT DATA.
pub const BIT_DATA: u16 = 65535;

/// A column of a result as the server describes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColumnType {
    pub oid: Oid,
    pub modifier: i32,
}
