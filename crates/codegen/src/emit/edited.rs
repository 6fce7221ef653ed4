//! MOVE of numbers to numeric-edited items without a loop over the picture.
//!
//! For a given sign and number of leading zeros, every character of the result is either fixed or one of the digits. The compiler derives
//! them from the run time's editing and builds a table of rows (which digit goes where, and the fixed characters); compiled code picks the
//! row, shuffles the digits and adds the fixed characters.
//!
//! Invariants: a table is used only if it gives the same result as the run time's editing for every value tried; unusual contents of the
//! sending item are left to the run time.
//!
//! `unsafe` here lets the run time edit into an area of the compiler's own, as long as the item. `codegen/tests/oracle.rs` edits numbers by
//! such tables.

use super::field::Field;
use super::number::{Number, SHORT_DIGITS, power_of_ten, short_digits};
use super::*;
use cranelift_codegen::ir::Endianness;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I8X16, I16, I64X2};
use le::{Attributes, Decimal, Usage};

/// Characters of an item that two vectors hold.
const LENGTH_MAX: u32 = 32;
/// Digits of one vector.
const DIGITS_MAX: u32 = 16;
const VECTOR: usize = 16;
/// A shuffle index that gives zero.
const NONE: u8 = 0x80;

/// For plus and minus, for each number of leading zeros: digit numbers, then fixed characters, for each vector of the result.
struct Table {
    rows: Vec<u8>,
    row_length: usize,
}

/// Where a character comes from.
#[derive(Clone, Copy, PartialEq)]
enum Character {
    Fixed(u8),
    Digit(u8),
}

/// First position of each vector of a result; the last ones end at its end and may overlap those before.
fn starts(length: usize) -> [usize; 2] {
    match length {
        17.. => [0, length - VECTOR],
        _ => [0, 0],
    }
}

/// Position in the result of byte `at` of vector `vector`: a short result is stored as two pieces that may overlap.
fn position(length: usize, vector: usize, at: usize) -> Option<usize> {
    let piece = match length {
        16.. => return Some(starts(length)[vector] + at),
        8.. => 8,
        4.. => 4,
        2.. => 2,
        _ => 1,
    };
    match at {
        _ if vector > 0 || at >= 2 * piece => None,
        _ if at < piece => Some(at),
        _ => Some(length - piece + (at - piece)),
    }
}

/// Digits of a trial: `zeros` leading zeros, then the result of `digit` for each place.
fn trial(digits: usize, zeros: usize, digit: impl Fn(usize) -> u8) -> Vec<u8> {
    (0..digits).map(|place| if place < zeros { 0 } else { digit(place) }).collect()
}

/// The kind of each character for values with that many leading zeros.
fn characters(
    edit: &dyn Fn(&[u8], bool) -> Vec<u8>,
    digits: usize,
    zeros: usize,
    minus: bool,
    page: &le::CodePage,
) -> Option<Vec<Character>> {
    // Two trials identify the place of a digit: the first gives its quarter, the second its number in the quarter.
    let first = edit(&trial(digits, zeros, |place| 1 + place as u8 / 4), minus);
    let second = edit(&trial(digits, zeros, |place| 5 + place as u8 % 4), minus);
    let value = |byte: u8| byte.wrapping_sub(page.zone & 0xF0);
    let found = first.iter().zip(&second).map(|(a, b)| match (value(*a), value(*b)) {
        _ if a == b => Some(Character::Fixed(*a)),
        (quarter @ 1..=4, number @ 5..=8) => Some(Character::Digit(4 * (quarter - 1) + number - 5)),
        _ => None,
    });
    let found: Vec<Character> = found.collect::<Option<_>>()?;
    let shown = |digits: &[u8]| -> Vec<u8> {
        let of = |character: &Character| match character {
            Character::Fixed(byte) => *byte,
            Character::Digit(place) => page.zone & 0xF0 | digits[*place as usize],
        };
        found.iter().map(of).collect()
    };
    let trials: [&dyn Fn(usize) -> u8; 4] =
        [&|_| 9, &|place| if place == zeros { 1 } else { 0 }, &|place| (place * 7 + 3) as u8 % 9 + 1, &|place| {
            if place == zeros { 5 } else { (place * 3) as u8 % 10 }
        }];
    trials
        .iter()
        .all(|digit| {
            let digits = trial(digits, zeros, digit);
            shown(&digits) == edit(&digits, minus)
        })
        .then_some(found)
}

impl Emitter<'_, '_> {
    fn edit_table(&self, attributes: &Attributes) -> Option<Table> {
        let (length, digits) = (attributes.length as usize, attributes.digits as usize);
        let session = &self.layout().session;
        let edit = |digits: &[u8], minus: bool| -> Vec<u8> {
            let magnitude = digits.iter().fold(0i128, |value, digit| value * 10 + *digit as i128);
            let value = Decimal::new(if minus { -magnitude } else { magnitude }, attributes.scale as i32);
            let mut area = vec![0u8; length];
            // The area is as long as the item.
            unsafe { le::edit::edit(&value, area.as_mut_ptr(), attributes, session) };
            area
        };
        let vectors = if length > VECTOR { 2 } else { 1 };
        let row_length = vectors * 2 * VECTOR;
        let mut rows = Vec::new();
        for minus in [false, true] {
            for zeros in 0..=digits {
                let row = if zeros == digits {
                    edit(&vec![0; digits], false).into_iter().map(Character::Fixed).collect()
                } else {
                    characters(&edit, digits, zeros, minus, session.code_page)?
                };
                for vector in 0..vectors {
                    let of = |at: usize| position(length, vector, at).map(|position| row[position]);
                    rows.extend((0..VECTOR).map(|at| match of(at) {
                        Some(Character::Digit(place)) => (VECTOR - digits) as u8 + place,
                        _ => NONE,
                    }));
                    rows.extend((0..VECTOR).map(|at| match of(at) {
                        Some(Character::Fixed(byte)) => byte,
                        _ => 0,
                    }));
                }
            }
        }
        Some(Table { rows, row_length })
    }

    /// The address of an item's table, made once.
    fn edit_table_address(&mut self, attributes: &Attributes) -> Option<(Value, usize)> {
        let key = (self.index as u32, attributes.edit, attributes.length, attributes.flags);
        let known = match self.edit_tables.get(&key) {
            Some(known) => *known,
            None => {
                let table = self.edit_table(attributes);
                let known = table.map(|table| (self.constants.add(&table.rows, 16), table.row_length));
                self.edit_tables.insert(key, known);
                known
            }
        };
        known.map(|(offset, row_length)| (self.constant_address(offset), row_length))
    }

    /// MOVE of a fixed-point item to an edited one.
    pub fn move_edited(&mut self, from: &Field, to: &Field) -> bool {
        let attributes = to.attributes;
        let suits = attributes.usage == Usage::NumericEdited
            && to.is_fixed()
            && from.is_fixed()
            && self.is_inline()
            && attributes.length == to.length.most()
            && (1..=LENGTH_MAX).contains(&attributes.length)
            && (1..=DIGITS_MAX).contains(&(attributes.digits as u32));
        if !suits || !from.attributes.is_fixed() {
            return false;
        }
        let Some(digits) = short_digits(&from.attributes) else { return false };
        let (scale, target_scale) = (from.attributes.scale as i32, attributes.scale as i32);
        if digits + (target_scale - scale).max(0) as u32 > SHORT_DIGITS || scale > target_scale + 18 {
            return false;
        }
        let zoned = from.attributes.usage == Usage::Zoned;
        if zoned && !super::decimal::is_inline_zoned(&from.attributes) {
            return false;
        }
        let Some((table, row_length)) = self.edit_table_address(&attributes) else { return false };
        let done = self.b.create_block();
        let value = if zoned {
            // The run time accepts more signs than the instructions do.
            let (magnitude, bad, minus) = self.zoned_parts(from.at, &from.attributes);
            let (unusual, usual) = (self.cold_block(), self.b.create_block());
            self.branch(bad, unusual, usual);
            self.begin(unusual);
            self.call_move(from, to);
            self.goto(done);
            self.begin(usual);
            match minus {
                Some(minus) => self.with_sign(magnitude, minus),
                None => magnitude,
            }
        } else {
            match self.load_number(from) {
                Number::Short { value, .. } => value,
                _ => return false,
            }
        };
        let number = self.magnitude(value, digits, scale, target_scale, 0);
        let mut magnitude = number.value;
        if number.digits > attributes.digits as u32 {
            let limit = power_of_ten(attributes.digits as u32);
            let bound = self.i64(limit);
            let over = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, magnitude, bound);
            magnitude = self.cut(magnitude, over, limit);
        }
        let bound = number.digits.min(attributes.digits as u32);
        self.shuffle_digits(magnitude, number.minus, bound, table, row_length, to);
        self.goto(done);
        self.begin(done);
        true
    }

    fn shuffle_digits(&mut self, magnitude: Value, minus: Value, bound: u32, table: Value, row_length: usize, to: &Field) {
        let digits = to.attributes.digits as i64;
        let (high, low) = if bound > 8 {
            let (high, low) = self.halves(magnitude);
            (Some(self.eight_bytes(high)), self.eight_bytes(low))
        } else {
            (None, self.eight_bytes(magnitude))
        };
        // Leading zeros of all sixteen digits, in bits.
        let in_low = self.b.ins().ctz(low);
        let in_low = self.b.ins().iadd_imm_s(in_low, 64);
        let bits = match high {
            None => in_low,
            Some(high) => {
                let in_high = self.b.ins().ctz(high);
                let none = self.b.ins().icmp_imm_u(IntCC::Equal, high, 0);
                self.b.ins().select(none, in_low, in_high)
            }
        };
        let zeros = self.b.ins().ushr_imm_u(bits, 3);
        let row = self.b.ins().imul_imm_s(zeros, row_length as i64);
        let negative = self.mask(minus, ((digits + 1) * row_length as i64) as u64);
        let row = self.b.ins().iadd(row, negative);
        let row = self.b.ins().iadd(table, row);
        // The table begins with the row of no leading zero of its own digits.
        let first = -((VECTOR as i64 - digits) * row_length as i64) as i32;
        let zone = self.layout().session.code_page.zone & 0xF0;
        let zones = i64::from_le_bytes([zone; 8]);
        let low = self.b.ins().bor_imm_u(low, zones);
        let high = match high {
            Some(high) => self.b.ins().bor_imm_u(high, zones),
            None => self.i64(zones),
        };
        let vector = self.b.ins().scalar_to_vector(I64X2, high);
        let vector = self.b.ins().insertlane(vector, low, 1);
        let little = MemFlagsData::new().with_endianness(Endianness::Little);
        let vector = self.b.ins().bitcast(I8X16, little, vector);
        let length = to.attributes.length as usize;
        for part in 0..row_length / (2 * VECTOR) {
            let offset = first + (2 * VECTOR * part) as i32;
            let places = self.b.ins().load(I8X16, NOTRAP, row, offset);
            let fixed = self.b.ins().load(I8X16, NOTRAP, row, offset + VECTOR as i32);
            let shuffled = self.b.ins().swizzle(vector, places);
            let result = self.b.ins().bor(shuffled, fixed);
            if length >= VECTOR {
                let start = starts(length)[part] as i32;
                self.b.ins().store(NOTRAP, result, to.at.base, to.at.offset + start);
            } else {
                self.store_pieces(result, to, length);
            }
        }
    }

    /// Store a result of fewer than sixteen characters.
    fn store_pieces(&mut self, result: Value, to: &Field, length: usize) {
        let little = MemFlagsData::new().with_endianness(Endianness::Little);
        let words = self.b.ins().bitcast(I64X2, little, result);
        let first = self.b.ins().extractlane(words, 0);
        let (piece, second) = match length {
            8.. => (8, self.b.ins().extractlane(words, 1)),
            4.. => (4, self.b.ins().ushr_imm_u(first, 32)),
            2.. => (2, self.b.ins().ushr_imm_u(first, 16)),
            _ => (1, self.b.ins().ushr_imm_u(first, 8)),
        };
        let ty = match piece {
            8 => I64,
            4 => I32,
            2 => I16,
            _ => I8,
        };
        for (value, at) in [(first, 0), (second, length - piece)] {
            let value = if piece == 8 { value } else { self.b.ins().ireduce(ty, value) };
            self.b.ins().store(NOTRAP, value, to.at.base, to.at.offset + at as i32);
        }
    }
}
