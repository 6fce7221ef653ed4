//! Constants stored or compared: the compiler applies the statement to the constant at compile time, with the functions of the run time.
//!
//! `unsafe` here gives the run time's functions areas of the compiler's own, as long as their attributes say. `codegen/tests/oracle.rs`
//! compiles statements with such constants.

use super::field::{At, Field, Length};
use super::*;
use cobol::program::{Figurative, Literal, LiteralValue, Number as Constant};
use cranelift_codegen::ir::ConstantData;
use cranelift_codegen::ir::types::{I8, I8X16, I16};
use le::{Attributes, Sign, Usage};

/// Longest area that is copied or filled without a call.
pub const INLINE_BYTES_MAX: u32 = 160;

/// The run time's number of a figurative constant that is one character.
pub fn figurative_number(figurative: &Figurative) -> Option<le::movement::Figurative> {
    use le::movement::Figurative as F;
    Some(match figurative {
        Figurative::Zero => F::Zero,
        Figurative::Space => F::Space,
        Figurative::HighValue => F::HighValue,
        Figurative::LowValue => F::LowValue,
        Figurative::Quote => F::Quote,
        Figurative::Null => F::Null,
        Figurative::All { .. } => return None,
    })
}

impl Emitter<'_, '_> {
    /// Bytes and description of a literal as a sending item.
    pub fn literal_bytes(&self, literal: &Literal) -> (Vec<u8>, Attributes) {
        let flag = Attributes::LITERAL;
        match &literal.value {
            LiteralValue::Alphanumeric(bytes) => (bytes.to_vec(), Attributes::alphanumeric(bytes.len() as u32).with_flags(flag)),
            LiteralValue::National(bytes) => (bytes.to_vec(), Attributes::national(bytes.len() as u32).with_flags(flag)),
            LiteralValue::Utf8(bytes) => (bytes.to_vec(), Attributes::new(Usage::Utf8, bytes.len() as u32).with_flags(flag)),
            LiteralValue::Dbcs(bytes) => (bytes.to_vec(), Attributes::new(Usage::Dbcs, bytes.len() as u32).with_flags(flag)),
            LiteralValue::Numeric(number) => self.number_bytes(number),
            LiteralValue::Float(value) => {
                let attributes = Attributes::float8();
                let mut bytes = vec![0; 8];
                // A doubleword holds every double; the area is 8 bytes long.
                let stored = unsafe {
                    let session = &self.layout().session;
                    le::numeric::store_float(*value, bytes.as_mut_ptr(), &attributes, le::Rounding::Truncation, false, session)
                };
                let _ = stored;
                (bytes, attributes)
            }
            LiteralValue::Figurative(_) | LiteralValue::Null => (vec![0; 4], Attributes::new(Usage::Pointer, 4)),
        }
    }

    /// A numeric literal as a zoned item of its digits.
    fn number_bytes(&self, number: &Constant) -> (Vec<u8>, Attributes) {
        let digits = number.digits.max(1);
        let sign = if number.signed || number.value < 0 { Sign::Trailing } else { Sign::Unsigned };
        let attributes = Attributes::zoned(digits, number.scale, sign).with_flags(Attributes::LITERAL);
        let mut bytes = vec![0; attributes.length as usize];
        let value = le::Decimal::new(number.value, number.scale as i32);
        // The area is as long as its description.
        unsafe {
            let session = &self.layout().session;
            le::numeric::store(&value, bytes.as_mut_ptr(), &attributes, le::Rounding::Truncation, false, session);
        }
        (bytes, attributes)
    }

    /// A number as a constant item.
    pub fn number_constant(&mut self, number: &Constant) -> Field {
        let (bytes, attributes) = self.number_bytes(number);
        self.constant_field(&bytes, attributes)
    }

    pub fn literal_field(&mut self, literal: &Literal) -> Field {
        let (bytes, attributes) = self.literal_bytes(literal);
        self.constant_field(&bytes, attributes)
    }

    /// The result of a MOVE of this literal to an item with this description.
    pub fn moved_literal(&self, literal: &Literal, target: &Attributes) -> Option<Vec<u8>> {
        let (bytes, attributes) = self.literal_bytes(literal);
        let mut area = vec![0u8; target.length as usize];
        let session = &self.layout().session;
        // Both areas are as long as their descriptions.
        let moved = unsafe { le::movement::move_field(bytes.as_ptr(), &attributes, area.as_mut_ptr(), target, session) };
        moved.ok().map(|()| area)
    }

    /// The same for a figurative constant.
    pub fn moved_figurative(&self, figurative: &Figurative, target: &Attributes) -> Option<Vec<u8>> {
        let mut area = vec![0u8; target.length as usize];
        let session = &self.layout().session;
        match (figurative, figurative_number(figurative)) {
            (_, Some(number)) => unsafe { le::movement::move_figurative(number, area.as_mut_ptr(), target, session) },
            (Figurative::All { bytes, encoding }, _) => {
                let bytes = self.all_bytes(bytes, *encoding, target.usage);
                unsafe { le::movement::move_all(&bytes, area.as_mut_ptr(), target, session) }.ok()?;
            }
            _ => return None,
        }
        Some(area)
    }

    /// Store constant bytes.
    pub fn store_constant(&mut self, at: At, bytes: &[u8]) {
        let length = bytes.len() as u32;
        let uniform = bytes.windows(2).all(|pair| pair[0] == pair[1]);
        if length > INLINE_BYTES_MAX {
            let to = self.address(at);
            let count = self.i32(length as i64);
            if uniform {
                let byte = self.i32(bytes[0] as i64);
                self.slot(Slot::Fill, &[to, byte, count]);
            } else {
                let from = self.constant_bytes(bytes);
                self.slot(Slot::Copy, &[to, from, count]);
            }
            return;
        }
        let mut done = 0usize;
        while done < bytes.len() {
            let rest = &bytes[done..];
            let size = match rest.len() {
                16.. => 16,
                8.. => 8,
                4.. => 4,
                2.. => 2,
                _ => 1,
            };
            let value = self.constant_value(&rest[..size]);
            self.b.ins().store(NOTRAP, value, at.base, at.offset + done as i32);
            done += size;
        }
    }

    /// 1, 2, 4, 8 or 16 bytes as a value in memory order.
    fn constant_value(&mut self, bytes: &[u8]) -> Value {
        match bytes.len() {
            16 => {
                let handle = self.b.func.dfg.constants.insert(ConstantData::from(bytes));
                self.b.ins().vconst(I8X16, handle)
            }
            length => {
                let mut all = [0; 8];
                all[..length].copy_from_slice(bytes);
                let value = i64::from_le_bytes(all);
                let ty = match length {
                    8 => I64,
                    4 => I32,
                    2 => I16,
                    _ => I8,
                };
                self.b.ins().iconst(ty, value)
            }
        }
    }

    /// Copy, padding with `pad` or cutting; all bytes are read before the first is written.
    pub fn copy_inline(&mut self, to: At, length: u32, from: At, from_length: u32, pad: u8) {
        let moved = length.min(from_length);
        let mut parts = Vec::new();
        let mut done = 0;
        while done < moved {
            let rest = moved - done;
            // A last piece that overlaps the one before is cheaper than several small ones.
            let (size, ty, at) = match rest {
                16.. => (16, I8X16, done),
                _ if moved >= 16 => (rest, I8X16, moved - 16),
                8.. => (8, I64, done),
                _ if moved >= 8 => (rest, I64, moved - 8),
                4.. => (4, I32, done),
                2.. => (2, I16, done),
                _ => (1, I8, done),
            };
            parts.push((self.b.ins().load(ty, NOTRAP, from.base, from.offset + at as i32), at));
            done += size;
        }
        for (value, at) in parts {
            self.b.ins().store(NOTRAP, value, to.base, to.offset + at as i32);
        }
        if length > moved {
            let at = At { offset: to.offset + moved as i32, ..to };
            self.store_constant(at, &vec![pad; (length - moved) as usize]);
        }
    }

    /// The padding character of alphanumeric items.
    pub fn space(&self) -> u8 {
        self.layout().session.code_page.space
    }

    /// The unconverted bytes of a field whose length may vary: address and length.
    pub fn bytes_of(&mut self, field: &Field) -> (Value, Value) {
        let address = self.field_address(field);
        let length = self.length_value(field.length);
        (address, length)
    }

    /// Exact bytes of a field known at compile time.
    pub fn fixed_length(field: &Field) -> Option<u32> {
        match field.length {
            Length::Fixed(length) => Some(length),
            Length::Varying(..) => None,
        }
    }
}
