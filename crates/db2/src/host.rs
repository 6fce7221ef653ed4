//! Host variables in bulk: the values of a statement's inputs are copied out of storage before it is sent, and its results are copied to
//! storage when all of them are converted. Conversions never touch storage, and storage is never touched while a statement waits.

use crate::compiled::Operands;
use crate::convert::{ColumnType, DateTimeOptions, Fault, HostVariable, decode, encode, encode_null};
use crate::errors::{Done, SqlError, Stop, code};
use crate::locators::Locators;
use crate::storage::{self, Memory};
use crate::types::Oid;
use program::requests::SqlVariable;
use sql::VariableType;

/// A value taken from storage.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    start: usize,
    length: usize,
    /// Negative: null.
    indicator: i16,
    /// The length field holds an impossible length, or no X'00' ends the string.
    invalid: bool,
}

/// Values taken from storage.
#[derive(Default, Debug)]
pub struct Gathered {
    bytes: Vec<u8>,
    values: Vec<Value>,
}

impl Gathered {
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.values.clear();
    }

    pub fn bytes(&self, index: usize) -> &[u8] {
        let value = self.values[index];
        &self.bytes[value.start..value.start + value.length]
    }

    /// Takes element `row` of each operand.
    pub fn take(&mut self, operands: Operands, row: u32) -> Done<()> {
        self.values.reserve(operands.len());
        Ok(storage::access(|memory| {
            for index in 0..operands.len() {
                let (host, place) = operands.get(index);
                self.take_one(memory, host, element(host, place, row));
            }
        })?)
    }

    fn take_one(&mut self, memory: &Memory, host: &HostVariable, place: SqlVariable) {
        let indicator = match place.indicator {
            0 => 0,
            address if host.variable.indicator_reversed => memory.halfword(address).swap_bytes(),
            address => memory.halfword(address),
        };
        let mut value = Value { start: self.bytes.len(), length: 0, indicator, invalid: false };
        if indicator >= 0 {
            let mut address = place.address;
            let mut length = host.bytes_max();
            if let Some((field, unit)) = host.length_field() {
                let given = if field == 2 { i64::from(memory.halfword(address)) } else { i64::from(memory.fullword(address)) };
                let most = (host.bytes_max() - field) as i64;
                value.invalid = given < 0 || given * unit as i64 > most;
                length = if value.invalid { 0 } else { given as usize * unit };
                address += field as u64;
            }
            memory.read(address, length, &mut self.bytes);
            value.length = length;
            host.turn(&mut self.bytes[value.start..]);
            if host.is_terminated() {
                let width = if host.variable.kind == VariableType::NulTerminated { 1 } else { 2 };
                let end = self.bytes[value.start..].chunks(width).position(|character| character.iter().all(|byte| *byte == 0));
                value.invalid = end.is_none();
                value.length = end.map_or(length, |end| end * width);
                self.bytes.truncate(value.start + value.length);
            }
        }
        self.values.push(value);
    }
}

/// The place of element `row` of an array; of the variable itself if it is none.
fn element(host: &HostVariable, place: SqlVariable, row: u32) -> SqlVariable {
    let variable = &host.variable;
    if row == 0 || variable.stride == 0 {
        return place;
    }
    let stride = if variable.indicator_stride == 0 { 2 } else { variable.indicator_stride };
    SqlVariable {
        address: place.address + u64::from(row) * u64::from(variable.stride),
        indicator: if place.indicator == 0 { 0 } else { place.indicator + u64::from(row) * u64::from(stride) },
    }
}

/// Appends the parameters of a statement, in the types that the server expects.
pub fn parameters(
    operands: Operands,
    gathered: &Gathered,
    first: usize,
    types: &[Oid],
    locators: &Locators,
    scratch: &mut Vec<u8>,
    out: &mut Vec<u8>,
) -> Done<()> {
    if types.len() != operands.len() {
        return Err(Stop::sql(code::HOST_VARIABLE_COUNT, &[]));
    }
    for (index, oid) in types.iter().enumerate() {
        let (host, value) = (operands.get(index).0, gathered.values[first + index]);
        if value.indicator < 0 {
            encode_null(out);
            continue;
        }
        if value.invalid {
            let code = if host.is_terminated() { code::NOT_TERMINATED } else { code::INVALID_LENGTH };
            return Err(Stop::sql(code, &[&(index + 1).to_string()]));
        }
        let data = gathered.bytes(first + index);
        if is_locator(host.variable.kind) {
            let content = locators.content(data).ok_or_else(|| Stop::sql(code::LOCATOR_INVALID, &[]))?;
            out.extend_from_slice(&(content.len() as u32).to_be_bytes());
            out.extend_from_slice(content);
            continue;
        }
        encode(*oid, host, data, scratch, out).map_err(|fault| input_error(fault, index, host, data))?;
    }
    Ok(())
}

fn is_locator(kind: VariableType) -> bool {
    matches!(kind, VariableType::ClobLocator | VariableType::BlobLocator | VariableType::DbClobLocator)
}

/// SQLSTATE of a number that its target cannot hold.
const NUMBER_OUT_OF_RANGE: &str = "22003";

/// The condition of an input that cannot be converted.
fn input_error(fault: Fault, index: usize, host: &HostVariable, data: &[u8]) -> Stop {
    let position = (index + 1).to_string();
    let text = || host.page.text(data);
    Stop::Sql(match fault {
        Fault::InvalidDecimal => SqlError::new(code::INVALID_DECIMAL, &[&position]),
        Fault::Overflow => SqlError::with_state(code::VALUE_TOO_LARGE, NUMBER_OUT_OF_RANGE, &[&position]),
        Fault::TooShort => SqlError::new(code::VALUE_TOO_LARGE, &[&position]),
        Fault::InvalidDateTimeText => SqlError::new(code::INVALID_DATE_TIME_TEXT, &[&text()]),
        Fault::DateTimeRange => SqlError::new(code::DATE_TIME_FORMAT, &[]),
        Fault::InvalidNumberText => SqlError::new(code::INVALID_NUMBER_TEXT, &[&text()]),
        Fault::Incompatible => SqlError::new(code::INCOMPATIBLE, &[&position]),
    })
}

/// The bytes of a number, which are here with the most significant one first, in the order of the variable.
fn in_order<const N: usize>(host: &HostVariable, mut bytes: [u8; N]) -> [u8; N] {
    if host.is_reversed() {
        bytes.reverse();
    }
    bytes
}

/// A value for storage.
#[derive(Clone, Copy, Debug)]
struct Piece {
    address: u64,
    start: usize,
    length: usize,
}

/// Values for storage, until all of a statement's are there.
#[derive(Default, Debug)]
pub struct Delivery {
    bytes: Vec<u8>,
    pieces: Vec<Piece>,
    scratch: Vec<u8>,
    /// A string was cut.
    pub truncated: bool,
    /// A number did not fit, and the indicator says so: position and types.
    pub out_of_range: Option<u32>,
}

/// Indicator of a null value, and of one that could not be converted.
const NULL_INDICATOR: i16 = -1;
const UNCONVERTED_INDICATOR: i16 = -2;

impl Delivery {
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.pieces.clear();
        (self.truncated, self.out_of_range) = (false, None);
    }

    /// Adds bytes for an address.
    pub fn put(&mut self, address: u64, bytes: &[u8]) {
        self.put_with(address, |out| out.extend_from_slice(bytes));
    }

    pub fn put_with(&mut self, address: u64, put: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len();
        put(&mut self.bytes);
        self.pieces.push(Piece { address, start, length: self.bytes.len() - start });
    }

    /// Adds a column's value for element `row` of a variable. `position` is the column's, from 1.
    pub fn column(
        &mut self,
        (host, place): (&HostVariable, SqlVariable),
        row: u32,
        (column, value): (ColumnType, Option<&[u8]>),
        position: u32,
        options: DateTimeOptions,
        locators: &mut Locators,
    ) -> Done<()> {
        let place = element(host, place, row);
        let Some(value) = value else {
            if place.indicator == 0 {
                return Err(Stop::sql(code::NULL_WITHOUT_INDICATOR, &[&position.to_string()]));
            }
            self.indicator(host, place, NULL_INDICATOR);
            return Ok(());
        };
        let start = self.bytes.len();
        if is_locator(host.variable.kind) {
            let handle = locators.add(value).to_be_bytes();
            self.put_with(place.address, |out| out.extend(in_order(host, handle)));
            self.indicator(host, place, 0);
            return Ok(());
        }
        match decode(column, host, value, options, &mut self.scratch, &mut self.bytes) {
            Ok(stored) => {
                host.turn(&mut self.bytes[start..]);
                self.pieces.push(Piece { address: place.address, start, length: self.bytes.len() - start });
                self.truncated |= stored.truncated;
                self.indicator(host, place, stored.indicator);
            }
            Err(Fault::Overflow | Fault::InvalidNumberText) if place.indicator != 0 => {
                self.bytes.truncate(start);
                self.out_of_range.get_or_insert(position);
                self.indicator(host, place, UNCONVERTED_INDICATOR);
            }
            Err(fault) => return Err(output_error(fault, position)),
        }
        Ok(())
    }

    fn indicator(&mut self, host: &HostVariable, place: SqlVariable, value: i16) {
        if place.indicator != 0 {
            let value = if host.variable.indicator_reversed { value.swap_bytes() } else { value };
            self.put(place.indicator, &value.to_be_bytes());
        }
    }

    /// Copies everything to storage.
    pub fn copy(&self, memory: &Memory) {
        for piece in &self.pieces {
            memory.write(piece.address, &self.bytes[piece.start..piece.start + piece.length]);
        }
    }
}

/// The condition of a result that cannot be converted.
fn output_error(fault: Fault, position: u32) -> Stop {
    let position = position.to_string();
    match fault {
        Fault::Overflow => Stop::sql(code::VALUE_OUT_OF_RANGE, &[&position]),
        Fault::InvalidNumberText => Stop::sql(code::INVALID_NUMBER_TEXT, &[&position]),
        Fault::TooShort | Fault::InvalidDateTimeText | Fault::DateTimeRange => Stop::sql(code::DATE_TIME_FORMAT, &[]),
        Fault::InvalidDecimal | Fault::Incompatible => Stop::sql(code::INCOMPATIBLE_RECEIVER, &[&position]),
    }
}
