//! Data types.

use super::Name;

/// A data type of Db2. Lengths are in characters, or bytes for binary strings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DataType {
    SmallInt,
    Integer,
    BigInt,
    Decimal {
        precision: u8,
        scale: u8,
    },
    DecFloat {
        digits: u8,
    },
    Real,
    Double,
    Char {
        length: u32,
        bits: bool,
    },
    VarChar {
        length: u32,
        bits: bool,
    },
    Clob {
        length: u64,
    },
    Graphic {
        length: u32,
    },
    VarGraphic {
        length: u32,
    },
    DbClob {
        length: u64,
    },
    Binary {
        length: u32,
    },
    VarBinary {
        length: u32,
    },
    Blob {
        length: u64,
    },
    Date,
    Time,
    Timestamp {
        precision: u8,
        zone: bool,
    },
    RowId,
    Xml,
    /// A distinct type.
    Distinct(Name),
}

impl DataType {
    pub fn is_character(&self) -> bool {
        use DataType::*;
        match self {
            Char { bits, .. } | VarChar { bits, .. } => !bits,
            Clob { .. } | Graphic { .. } | VarGraphic { .. } | DbClob { .. } => true,
            _ => false,
        }
    }

    pub fn is_number(&self) -> bool {
        use DataType::*;
        matches!(self, SmallInt | Integer | BigInt | Decimal { .. } | DecFloat { .. } | Real | Double)
    }

    pub fn is_integer(&self) -> bool {
        matches!(self, DataType::SmallInt | DataType::Integer | DataType::BigInt)
    }

    pub fn is_datetime(&self) -> bool {
        matches!(self, DataType::Date | DataType::Time | DataType::Timestamp { .. })
    }
}
