//! MOVE to UTF-8 items other than a whole item of fixed length: to a part of one, and to an item of dynamic length.

use super::field::{Field, Length};
use super::moves::Source;
use super::*;
use cobol::program::{BaseKind, Reference, varying_length};
use le::{Attributes, Usage};
use program::requests::service;

/// The most bytes of a character.
const CHARACTER_BYTES_MAX: u32 = 4;

impl Emitter<'_, '_> {
    /// `false`: the receiver is a whole item of fixed length.
    pub fn move_to_utf8(&mut self, source: &Source, target: &Reference) -> bool {
        if target.modification.is_some() {
            self.move_to_characters(source, target);
            return true;
        }
        let program = self.program;
        let item = program.item(target.item);
        if item.length.is_fixed() || program.base(item.base).kind == BaseKind::Linkage {
            return false;
        }
        match varying_length(program, target.item) {
            Some(register) => self.move_to_dynamic(source, target, register),
            None => return false,
        }
        true
    }

    /// The new characters are built in a separate area and replace the old ones.
    fn move_to_characters(&mut self, source: &Source, target: &Reference) {
        let Some(modification) = target.modification.clone() else { return };
        let whole = Reference { modification: None, ..target.clone() };
        let field = self.field(&whole);
        let start = self.integer(&modification.start);
        let count = match &modification.length {
            Some(length) => self.integer(length),
            None => self.characters_from(&field, start),
        };
        let most = field.length.most().saturating_mul(if field.attributes.edit > 0 { 1 } else { CHARACTER_BYTES_MAX });
        let bytes = self.b.ins().imul_imm_s(count, i64::from(CHARACTER_BYTES_MAX));
        let (zero, limit) = (self.i64(0), self.i64(i64::from(most)));
        let bytes = self.b.ins().smax(bytes, zero);
        let bytes = self.b.ins().smin(bytes, limit);
        let bytes = self.b.ins().ireduce(I32, bytes);
        let base = self.scratch(most);
        let at = field::At { base, offset: 0 };
        let new = Field { at, length: Length::Varying(bytes, most), attributes: Attributes::new(Usage::Utf8, most), extent: None };
        self.move_to_field(source, &new);
        let words = self.temporary_address(48);
        let (area, length) = self.bytes_of(&field);
        let length = self.b.ins().uextend(I64, length);
        let bytes = self.b.ins().uextend(I64, bytes);
        for (number, word) in [area, length, start, count, base, bytes].into_iter().enumerate() {
            self.store(word, words, 8 * number);
        }
        self.service(service::UTF8_REPLACE, words, 6);
    }

    /// Characters from a position to the end: of an item whose bytes are counted, as many as there is room for.
    fn characters_from(&mut self, field: &Field, start: Value) -> Value {
        let all = match field.attributes.edit {
            0 => {
                let length = self.length_value(field.length);
                self.b.ins().uextend(I64, length)
            }
            characters => self.i64(i64::from(characters)),
        };
        let after = self.b.ins().isub(all, start);
        self.b.ins().iadd_imm_s(after, 1)
    }

    /// The item takes the bytes of the moved data, up to its limit; a figurative constant is one character.
    fn move_to_dynamic(&mut self, source: &Source, target: &Reference, register: cobol::program::ItemId) {
        let field = self.field(target);
        let most = self.program.item(target.item).length_max;
        let sender = match source {
            Source::Figurative(figurative) => {
                let bytes = self.figurative_bytes(figurative, Usage::Utf8);
                self.constant_field(&bytes, Attributes::new(Usage::Utf8, bytes.len() as u32))
            }
            Source::Literal(literal) => self.literal_field(literal),
            Source::Field(field) => *field,
            Source::Number(..) => return self.refuse("a MOVE of a number to an item of UTF-8"),
        };
        let words = self.temporary_address(32);
        let (from, described) = (self.field_address(&sender), self.attributes_address(&sender));
        let (to, most) = (self.field_address(&field), self.i64(i64::from(most)));
        for (number, word) in [from, described, to, most].into_iter().enumerate() {
            self.store(word, words, 8 * number);
        }
        let length = self.service(service::UTF8_MOVE, words, 4);
        let register = self.item_field(register);
        self.store_integer(length, &register);
    }
}
