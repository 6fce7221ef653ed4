//! Operations in which the zones of zoned digits matter: moves that copy them, and comparisons under INVDATA(NOFORCENUMCMP).
//!
//! Invariants: the bytes moved equal those of `le::movement`; no digit is examined here, so no data exception occurs.

use super::field::{At, Field};
use super::*;
use cobol::program::{Figurative, LiteralValue, Operand, Reference, Relation};
use le::{Attributes, Numproc, Usage};

/// An unsigned zoned item of a relation.
type Digits<'a> = (&'a Reference, Attributes);

impl Emitter<'_, '_> {
    /// Zoned digits to an unsigned item of the same scale, whatever they are. Zones are replaced as `le::movement` replaces them.
    pub fn move_digits(&mut self, from: &Field, to: &Field) -> bool {
        let (source, target) = (&from.attributes, &to.attributes);
        let inline = super::decimal::is_inline_zoned;
        let alike = inline(source) && inline(target) && source.scale == target.scale && !target.is_signed();
        if !alike || !to.is_fixed() {
            return false;
        }
        let (have, want) = (source.length, target.length);
        let session = &self.layout().session;
        let zone = session.code_page.zone & 0xF0;
        let is_repaired = have != want || source.is_signed() || session.numproc == Numproc::Nopfd;
        let are_kept = have == want || session.zones_kept;
        // Zones of the bytes that the source does not have, or of all.
        let zones = |present: u32| {
            let missing = if are_kept { 8 - present.min(8) } else { 8 };
            (0..missing).fold(0u64, |all, at| all | u64::from(zone) << (8 * at)) as i64
        };
        let (low_zones, high_zones) = (zones(have), zones(have.saturating_sub(8)));
        let (digits, last) = (0x0F0F_0F0F_0F0F_0F0F, 0xF0 << 56);
        let low_mask = match (are_kept, is_repaired) {
            (false, _) => digits,
            (true, true) => !last,
            (true, false) => u64::MAX,
        };
        let high_mask = if are_kept { u64::MAX } else { digits };
        let low_zones = if is_repaired { low_zones | i64::from_le_bytes([0, 0, 0, 0, 0, 0, 0, zone]) } else { low_zones };
        let end = |at: At, length: u32, count: u32| At { offset: at.offset + (length - count) as i32, ..at };
        // The last eight digits, then those before them.
        let low = self.load_tail(end(from.at, have, have.min(8)), have.min(8));
        let high = (want > 8 && have > 8).then(|| self.load_tail(from.at, have - 8));
        let low = self.with_zones(low, low_mask, low_zones);
        self.store_tail(low, end(to.at, want, want.min(8)), want.min(8));
        if want > 8 {
            let high = match high {
                Some(high) => self.with_zones(high, high_mask, high_zones),
                None => self.i64(high_zones),
            };
            self.store_tail(high, to.at, want - 8);
        }
        true
    }

    fn with_zones(&mut self, word: Value, mask: u64, zones: i64) -> Value {
        let word = if mask == u64::MAX { word } else { self.mask(word, mask) };
        if zones == 0 { word } else { self.b.ins().bor_imm_u(word, zones) }
    }

    /// Whether a numeric comparison is one of characters: under INVDATA(NOFORCENUMCMP) that of an unsigned zoned item with zero or with
    /// another one of the same places, as in earlier compilers (Programming Guide, "INVDATA"; APAR PI31403).
    pub fn zones_count(&self, relation: &Relation) -> bool {
        if self.program.options.invalid_data.is_none_or(|data| data.numeric_comparison_forced) {
            return false;
        }
        match (self.plain_zoned(&relation.left), self.plain_zoned(&relation.right)) {
            (Some((_, left)), Some((_, right))) => left.digits == right.digits && left.scale == right.scale,
            (Some(_), None) => is_zero(&relation.right),
            (None, Some(_)) => is_zero(&relation.left),
            (None, None) => false,
        }
    }

    fn plain_zoned<'o>(&self, operand: &'o Operand) -> Option<Digits<'o>> {
        let Operand::Reference(reference) = operand else { return None };
        let attributes = self.layout().descriptor(reference.item);
        let plain = attributes.usage == Usage::Zoned && !attributes.is_signed() && reference.modification.is_none();
        plain.then_some((reference, attributes))
    }

    /// Such a comparison. The native collating sequence decides: the operands are numbers all the same.
    pub fn compare_zones(&mut self, relation: &Relation) -> Value {
        let (left, right) = (self.digits_field(&relation.left), self.digits_field(&relation.right));
        let length = left.or(right).map_or(0, |field| field.length.most());
        let zeros = vec![self.layout().session.code_page.zero; length as usize];
        let mut address = |field: Option<Field>| match field {
            Some(field) => self.field_address(&field),
            None => self.constant_bytes(&zeros),
        };
        let (left, right) = (address(left), address(right));
        let length = self.i32(i64::from(length));
        let pad = self.i32(i64::from(self.space()));
        let order = self.slot_value(Slot::CompareBytes, &[left, length, right, length, pad]);
        self.b.ins().icmp_imm_s(super::condition::signed_code(relation.operator), order, 0)
    }

    fn digits_field(&mut self, operand: &Operand) -> Option<Field> {
        let (reference, _) = self.plain_zoned(operand)?;
        let field = self.field(reference);
        self.check_sender(reference, &field);
        Some(field)
    }
}

/// ZERO, or a literal that is zero.
fn is_zero(operand: &Operand) -> bool {
    match operand {
        Operand::Figurative(figurative, _) => *figurative == Figurative::Zero,
        Operand::Literal(literal) => match &literal.value {
            LiteralValue::Numeric(number) => number.value == 0,
            LiteralValue::Figurative(figurative) => *figurative == Figurative::Zero,
            _ => false,
        },
        _ => false,
    }
}
