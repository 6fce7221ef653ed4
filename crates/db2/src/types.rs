//! The server's types that have a conversion of their own, by object identifier (`pg_type.dat`), and their families.

use postgres::oid;

/// Object identifier of a type.
pub type Oid = u32;

/// "char", a single byte.
const CHAR: Oid = 18;

/// What a type of the server is to Db2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    Integer {
        bytes: u8,
    },
    Numeric,
    Float {
        bytes: u8,
    },
    /// `fixed`: character(n), whose trailing blanks mean nothing.
    Text {
        fixed: bool,
    },
    Date,
    Time,
    Timestamp,
    Bytes,
    Boolean,
    /// Its text is what the server sends in binary format too, or it has no counterpart.
    Other,
}

pub const fn family(oid: Oid) -> Family {
    match oid {
        oid::INT2 => Family::Integer { bytes: 2 },
        oid::INT4 | oid::OID => Family::Integer { bytes: 4 },
        oid::INT8 => Family::Integer { bytes: 8 },
        oid::NUMERIC => Family::Numeric,
        oid::FLOAT4 => Family::Float { bytes: 4 },
        oid::FLOAT8 => Family::Float { bytes: 8 },
        oid::BPCHAR => Family::Text { fixed: true },
        oid::TEXT | oid::VARCHAR | oid::NAME | CHAR | oid::XML => Family::Text { fixed: false },
        oid::DATE => Family::Date,
        oid::TIME => Family::Time,
        oid::TIMESTAMP | oid::TIMESTAMPTZ => Family::Timestamp,
        oid::BYTEA => Family::Bytes,
        oid::BOOL => Family::Boolean,
        _ => Family::Other,
    }
}

/// Bytes that a type modifier counts besides its length or precision.
const MODIFIER_HEADER: i32 = 4;

/// Declared length of a `character` or `character varying` by its type modifier.
pub fn length_of(modifier: i32) -> Option<u32> {
    u32::try_from(modifier - MODIFIER_HEADER).ok()
}

/// Precision and scale of a `numeric` by its type modifier.
pub fn precision_of(modifier: i32) -> Option<(u8, i8)> {
    let value = modifier.checked_sub(MODIFIER_HEADER).filter(|value| *value >= 0)?;
    // Eleven bits of scale, signed.
    let scale = (value & 0x7FF) << 21 >> 21;
    Some(((value >> 16) as u8, scale as i8))
}
