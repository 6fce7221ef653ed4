//! The SQL descriptor area: host variables described at run time, and the columns of a result for the program.
//!
//! | offset | field | bytes |
//! | --- | --- | --- |
//! | 0 | SQLDAID | `SQLDA`; the seventh character is 2 if each column has two SQLVARs |
//! | 8 | SQLDABC | fullword: bytes of the area |
//! | 12 | SQLN, SQLD | halfwords: SQLVARs there are, columns described |
//! | 16 | SQLVAR | 44 each: SQLTYPE, SQLLEN (halfwords), SQLDATA, SQLIND (addresses), SQLNAME (halfword and 30 characters) |
//!
//! The second SQLVAR of a LOB has its length in the first fullword.

use crate::compiled::Operands;
use crate::convert::{BIT_DATA, HostVariable, Page};
use crate::errors::{Done, SqlError, Stop, code};
use crate::host::Delivery;
use crate::link::Column;
use crate::sqlca::Area;
use crate::storage::{self, Memory};
use crate::types::{self, Family};
use program::requests::SqlVariable;
use sql::{Variable, VariableType};

const HEADER_BYTES: usize = 16;
const VARIABLE_BYTES: usize = 44;
const LENGTH_AT: u64 = 8;
const COUNT_AT: u64 = 12;
const DESCRIBED_AT: u64 = 14;
const NAME_BYTES_MAX: usize = 30;
/// Most SQLVARs that Db2 accepts.
const COUNT_MAX: i16 = 750;
const IDENTIFIER: &str = "SQLDA   ";
const IDENTIFIER_DOUBLED: &str = "SQLDA 2 ";
/// Index in SQLDAID of the mark of a doubled area.
const DOUBLED_AT: u64 = 6;

/// Numbers of types in SQLTYPE, of columns that cannot be null; those that can have the next.
mod sqltype {
    pub const DATE: i16 = 384;
    pub const TIME: i16 = 388;
    pub const TIMESTAMP: i16 = 392;
    pub const NUL_TERMINATED_GRAPHIC: i16 = 400;
    pub const BLOB: i16 = 404;
    pub const CLOB: i16 = 408;
    pub const DBCLOB: i16 = 412;
    pub const VARCHAR: i16 = 448;
    pub const CHAR: i16 = 452;
    pub const LONG_VARCHAR: i16 = 456;
    pub const NUL_TERMINATED: i16 = 460;
    pub const VARGRAPHIC: i16 = 464;
    pub const GRAPHIC: i16 = 468;
    pub const LONG_VARGRAPHIC: i16 = 472;
    pub const FLOAT: i16 = 480;
    pub const DECIMAL: i16 = 484;
    pub const BIGINT: i16 = 492;
    pub const INTEGER: i16 = 496;
    pub const SMALLINT: i16 = 500;
    pub const NUMERIC: i16 = 504;
    pub const ROWID: i16 = 904;
    pub const VARBINARY: i16 = 908;
    pub const BINARY: i16 = 912;
    pub const BLOB_LOCATOR: i16 = 960;
    pub const CLOB_LOCATOR: i16 = 964;
    pub const DBCLOB_LOCATOR: i16 = 968;
    pub const XML: i16 = 988;
}

/// Reasons of -804.
const REASON_TYPE: &str = "07";
pub const REASON_COUNT: &str = "01";

/// The host variables of a descriptor.
#[derive(Default)]
pub struct Descriptor {
    hosts: Vec<HostVariable>,
    places: Vec<SqlVariable>,
    order: Vec<u16>,
}

impl Descriptor {
    pub fn operands(&self) -> Operands<'_> {
        Operands { hosts: &self.hosts, places: &self.places, order: &self.order }
    }
}

/// One SQLVAR.
#[derive(Clone, Copy)]
struct Entry {
    kind: i16,
    length: u16,
    data: u32,
    indicator: u32,
    /// Of the second SQLVAR.
    long_length: u32,
}

/// The variables that the descriptor at this address describes.
pub fn read(address: u64, page: &'static Page, reversed: bool) -> Done<Descriptor> {
    let mut entries = Vec::new();
    let valid = storage::access(|memory| read_entries(memory, address, page, reversed, &mut entries))?;
    if !valid {
        return Err(Stop::sql(code::SQLDA_INVALID, &[REASON_COUNT]));
    }
    let mut descriptor = Descriptor::default();
    for (index, entry) in entries.iter().enumerate() {
        let variable = variable_of(entry, reversed).ok_or_else(|| Stop::sql(code::SQLDA_INVALID, &[REASON_TYPE]))?;
        descriptor.hosts.push(HostVariable { variable, page });
        let indicator = if entry.kind % 2 == 1 { u64::from(entry.indicator) } else { 0 };
        descriptor.places.push(SqlVariable { address: u64::from(entry.data), indicator });
        descriptor.order.push(index as u16);
    }
    Ok(descriptor)
}

fn read_entries(memory: &Memory, address: u64, page: &Page, reversed: bool, entries: &mut Vec<Entry>) -> bool {
    let (there, described) = (memory.halfword(address + COUNT_AT), memory.halfword(address + DESCRIBED_AT));
    let doubled = memory.array::<1>(address + DOUBLED_AT)[0] == page.code_page.ascii(b'2');
    let needed = i32::from(described) * if doubled { 2 } else { 1 };
    if !(0..=COUNT_MAX).contains(&described) || i32::from(there) < needed {
        return false;
    }
    for index in 0..u64::from(described as u16) {
        let at = |index: u64| address + HEADER_BYTES as u64 + index * VARIABLE_BYTES as u64;
        let place = at(index);
        entries.push(Entry {
            kind: memory.halfword(place),
            length: memory.halfword(place + 2) as u16,
            data: pointer(memory, place + 4, reversed),
            indicator: pointer(memory, place + 8, reversed),
            long_length: if doubled { memory.fullword(at(index + u64::from(described as u16))) as u32 } else { 0 },
        });
    }
    true
}

/// A C program has pointers in the order of the machine, in structures too.
fn pointer(memory: &Memory, address: u64, reversed: bool) -> u32 {
    let word = memory.fullword(address) as u32;
    if reversed { word.swap_bytes() } else { word }
}

fn variable_of(entry: &Entry, reversed: bool) -> Option<Variable> {
    let (precision, scale) = ((entry.length >> 8) as u8, entry.length as u8 as i8);
    let is_lob = matches!(entry.kind & !1, sqltype::BLOB | sqltype::CLOB | sqltype::DBCLOB | sqltype::XML);
    let length = if is_lob { entry.long_length.max(u32::from(entry.length)) } else { u32::from(entry.length) };
    let (kind, precision, scale) = match entry.kind & !1 {
        sqltype::DATE | sqltype::TIME | sqltype::TIMESTAMP | sqltype::CHAR => (VariableType::Char, 0, 0),
        sqltype::VARCHAR | sqltype::LONG_VARCHAR => (VariableType::VarChar, 0, 0),
        sqltype::NUL_TERMINATED => (VariableType::NulTerminated, 0, 0),
        sqltype::VARGRAPHIC | sqltype::LONG_VARGRAPHIC => (VariableType::VarGraphic, 0, 0),
        sqltype::NUL_TERMINATED_GRAPHIC => (VariableType::NulTerminatedGraphic, 0, 0),
        sqltype::GRAPHIC => (VariableType::Graphic, 0, 0),
        sqltype::FLOAT => (float(entry.length, reversed), 0, 0),
        sqltype::DECIMAL => (VariableType::Packed, precision, scale),
        sqltype::NUMERIC => (VariableType::SignSeparate { leading: true }, precision, scale),
        sqltype::BIGINT => (VariableType::BigInt, 0, 0),
        sqltype::INTEGER => (VariableType::Integer, 0, 0),
        sqltype::SMALLINT => (VariableType::SmallInt, 0, 0),
        sqltype::ROWID => (VariableType::RowId, 0, 0),
        sqltype::VARBINARY => (VariableType::VarBinary, 0, 0),
        sqltype::BINARY => (VariableType::Binary, 0, 0),
        sqltype::BLOB => (VariableType::Blob, 0, 0),
        sqltype::CLOB | sqltype::XML => (VariableType::Clob, 0, 0),
        sqltype::DBCLOB => (VariableType::DbClob, 0, 0),
        sqltype::BLOB_LOCATOR => (VariableType::BlobLocator, 0, 0),
        sqltype::CLOB_LOCATOR => (VariableType::ClobLocator, 0, 0),
        sqltype::DBCLOB_LOCATOR => (VariableType::DbClobLocator, 0, 0),
        _ => return None,
    };
    let indicator = entry.kind % 2 == 1;
    Some(Variable { indicator, reversed, indicator_reversed: reversed, ..Variable::single(kind, length, precision, scale) })
}

/// C programs have floating-point numbers in the form of the machine.
fn float(length: u16, reversed: bool) -> VariableType {
    match (length, reversed) {
        (4, false) => VariableType::Real,
        (4, true) => VariableType::IeeeReal,
        (_, false) => VariableType::Double,
        (_, true) => VariableType::IeeeDouble,
    }
}

/// Lengths of columns whose type has none.
const TEXT_LENGTH: u16 = 4000;
const BYTES_LENGTH: u16 = 4000;
const NAME_LENGTH: u16 = 128;
const LOB_LENGTH: u32 = 1 << 20;
/// Precision and scale of a decimal whose type has none.
const DECIMAL: (u8, i8) = (31, 6);
/// SQLDATA of characters describes their code page.
const NO_CODE_PAGE: u32 = 0;

/// SQLTYPE, SQLLEN and the length of a LOB.
fn described(column: &Column) -> (i16, u16, u32) {
    let declared = types::length_of(column.kind.modifier).and_then(|length| u16::try_from(length).ok());
    match types::family(column.kind.oid) {
        Family::Integer { bytes: 2 } | Family::Boolean => (sqltype::SMALLINT, 2, 0),
        Family::Integer { bytes: 4 } => (sqltype::INTEGER, 4, 0),
        Family::Integer { .. } => (sqltype::BIGINT, 8, 0),
        Family::Numeric => {
            let (precision, scale) = types::precision_of(column.kind.modifier).unwrap_or(DECIMAL);
            (sqltype::DECIMAL, u16::from(precision) << 8 | u16::from(scale as u8), 0)
        }
        Family::Float { bytes } => (sqltype::FLOAT, u16::from(bytes), 0),
        Family::Text { fixed: true } => (sqltype::CHAR, declared.unwrap_or(TEXT_LENGTH), 0),
        Family::Text { .. } if column.kind.oid == postgres::oid::NAME => (sqltype::VARCHAR, NAME_LENGTH, 0),
        Family::Text { .. } if column.kind.oid == postgres::oid::XML => (sqltype::XML, 0, LOB_LENGTH),
        Family::Text { .. } if column.kind.oid == postgres::oid::TEXT && column.table != 0 => (sqltype::CLOB, 0, LOB_LENGTH),
        Family::Text { .. } | Family::Other => (sqltype::VARCHAR, declared.unwrap_or(TEXT_LENGTH), 0),
        Family::Date => (sqltype::DATE, 10, 0),
        Family::Time => (sqltype::TIME, 8, 0),
        Family::Timestamp => (sqltype::TIMESTAMP, 26, 0),
        Family::Bytes => (sqltype::VARBINARY, BYTES_LENGTH, 0),
    }
}

/// Describes columns, and whether each can be null, in the area at this address; +236 and the like if it has too few SQLVARs.
pub fn write(
    (delivery, area): (&mut Delivery, &mut Area),
    address: u64,
    columns: &[(Column, bool)],
    (page, reversed): (&Page, bool),
) -> Done<()> {
    let there = storage::access(|memory| memory.halfword(address + COUNT_AT))?;
    let doubled = columns.iter().any(|(column, _)| described(column).2 > 0);
    let needed = columns.len() * if doubled { 2 } else { 1 };
    let fits = usize::try_from(there).is_ok_and(|there| there >= needed);
    let length = HEADER_BYTES + VARIABLE_BYTES * usize::try_from(there).unwrap_or(0);
    let identifier = if doubled { IDENTIFIER_DOUBLED } else { IDENTIFIER };
    delivery.put_with(address, |out| page.put_text(identifier.as_bytes(), out));
    delivery.put(address + LENGTH_AT, &(length as u32).to_be_bytes());
    delivery.put(address + DESCRIBED_AT, &(columns.len() as u16).to_be_bytes());
    if !fits {
        let code = if doubled { code::SQLDA_TOO_SMALL_FOR_LOBS } else { code::SQLDA_TOO_SMALL };
        let (there, needed, count) = (there.to_string(), needed.to_string(), columns.len().to_string());
        area.set(SqlError::new(code, &[&there, &needed, &count]));
        return Ok(());
    }
    for (index, (column, is_nullable)) in columns.iter().enumerate() {
        let place = address + (HEADER_BYTES + index * VARIABLE_BYTES) as u64;
        let (kind, length, lob) = described(column);
        delivery.put_with(place, |out| put_entry(column, (kind + i16::from(*is_nullable), length), (page, reversed), out));
        if doubled {
            let second = place + (columns.len() * VARIABLE_BYTES) as u64;
            let mut entry = [0; VARIABLE_BYTES];
            entry[..4].copy_from_slice(&lob.to_be_bytes());
            delivery.put(second, &entry);
        }
    }
    Ok(())
}

fn put_entry(column: &Column, (kind, length): (i16, u16), (page, reversed): (&Page, bool), out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(&kind.to_be_bytes());
    out.extend_from_slice(&length.to_be_bytes());
    let code_page = match kind & !1 {
        sqltype::CHAR | sqltype::VARCHAR | sqltype::CLOB => u32::from(page.code_page.ccsid),
        sqltype::VARBINARY => u32::from(BIT_DATA),
        _ => NO_CODE_PAGE,
    };
    let code_page = if reversed { code_page.swap_bytes() } else { code_page };
    out.extend_from_slice(&code_page.to_be_bytes());
    out.extend_from_slice(&[0; 6]);
    page.put_text(column.name.to_uppercase().as_bytes(), out);
    let begin = start + VARIABLE_BYTES - NAME_BYTES_MAX;
    let name = (out.len() - begin).min(NAME_BYTES_MAX);
    out[begin - 2..begin].copy_from_slice(&(name as u16).to_be_bytes());
    out.resize(start + VARIABLE_BYTES, page.space());
}
