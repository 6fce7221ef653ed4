//! Loops that keep numeric items in registers.
//!
//! Such a loop is generated twice. Before the loop each kept item is checked once: if its bytes are exactly those that storing its number
//! would write (valid digits, preferred sign, within its picture), the loop runs on numbers, and the bytes are written when it ends.
//! Otherwise the loop runs on storage like any other, so that data exceptions occur where they should. The bytes are also written before an
//! interruption in compiled code, and before a call of a run-time routine that may end the task or read storage (`super::may_end`), so
//! dumps and programs that handle the abend find them current. Only a storage access that the processor refuses leaves them as they were
//! before the loop.
//!
//! Invariants: while an item is resident, only this file reads or writes its bytes; code that takes the address of its field for reading
//! gets current bytes (`Emitter::field` ensures it), and no code writes through such an address (`crate::resident` ensures it).

use super::binary::Magnitude;
use super::field::{At, Field};
use super::float::is_internal_float;
use super::number::{Number, SHORT_DIGITS, power_of_ten, short_digits};
use super::wide::Wide;
use super::*;
use crate::resident::{Plan, plan};
use cobol::program::{ItemId, Perform, Reference};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_frontend::Variable;
use le::{Attributes, Rounding, Trunc, Usage};
use program::requests::store_flags;

/// An item in a register.
#[derive(Clone, Copy)]
pub struct Resident {
    plan: Plan,
    value: Variable,
    /// Not zero if the value is valid: absent for those that always are.
    valid: Option<Variable>,
    at: At,
    attributes: Attributes,
    /// The magnitude is below 10^digits.
    digits: u32,
}

/// Interruptions in a loop that keeps items: one place writes them all, then each traps with its own code as its own statement.
pub struct Stops {
    block: Block,
    sites: Vec<(u8, SourceLoc)>,
}

impl Resident {
    /// Its bytes.
    fn field(&self) -> Field {
        let length = super::field::Length::Fixed(self.attributes.length);
        Field { at: self.at, length, attributes: self.attributes, extent: None }
    }
}

/// The place from which a number is loaded or to which it is stored.
#[derive(Clone, Copy)]
pub enum Place {
    Register(usize),
    Storage(Field),
}

impl<'a> Emitter<'_, 'a> {
    /// The items a loop can keep, if it is the outermost loop that can.
    pub fn loop_plan(&mut self, statement: &'a Perform) -> Vec<Plan> {
        // A check reads the bytes of its item, and so does whoever tests the program with TEST.
        let reads_storage = self.program.options.numcheck.is_some() || self.program.options.test;
        if reads_storage || self.keeps_in_storage || !self.residents.is_empty() || !self.is_inline() {
            return Vec::new();
        }
        let layout = &self.layouts[self.index];
        plan(self.program, self.flow, &layout.descriptors, statement)
    }

    /// Loads the items of a plan; branches to `otherwise` if the bytes of one are not those that a store would write.
    pub fn enter_residents(&mut self, plans: &[Plan], otherwise: Block) {
        let mut entered = Vec::new();
        let mut unusual: Option<Value> = None;
        for plan in plans {
            let field = self.item_field(plan.item);
            let attributes = field.attributes;
            let (value, bad) = self.load_checked(&field);
            let digits = self.resident_digits(&attributes);
            let value_variable = self.b.declare_var(if is_internal_float(&attributes) { F64 } else { I64 });
            self.b.def_var(value_variable, value);
            let mut resident = Resident { plan: *plan, value: value_variable, valid: None, at: field.at, attributes, digits };
            if let Some(bad) = bad {
                if plan.defined && plan.written {
                    let valid = self.b.declare_var(I64);
                    let good = self.b.ins().icmp_imm_u(IntCC::Equal, bad, 0);
                    let good = self.b.ins().uextend(I64, good);
                    self.b.def_var(valid, good);
                    resident.valid = Some(valid);
                } else {
                    unusual = Some(match unusual {
                        None => bad,
                        Some(others) => self.b.ins().bor(others, bad),
                    });
                }
            }
            entered.push(resident);
        }
        if let Some(unusual) = unusual {
            let usual = self.b.create_block();
            self.branch(unusual, otherwise, usual);
            self.begin(usual);
        }
        self.residents = entered;
    }

    /// The number of digits of a resident, as left by a store.
    fn resident_digits(&self, attributes: &Attributes) -> u32 {
        match attributes.usage {
            Usage::Packed | Usage::Zoned => attributes.digits as u32,
            Usage::Binary if self.layout().session.trunc == Trunc::Std && attributes.digits > 0 => attributes.digits as u32,
            _ => short_digits(attributes).unwrap_or(19),
        }
    }

    /// The number of a field, without interruption, and a value that is not zero if its bytes are not those of its number.
    fn load_checked(&mut self, field: &Field) -> (Value, Option<Value>) {
        let attributes = field.attributes;
        match attributes.usage {
            Usage::Packed => {
                let (value, bad) = self.packed_checked(field.at, &attributes);
                (value, Some(bad))
            }
            Usage::Zoned => {
                let (value, bad) = self.zoned_checked(field.at, &attributes);
                (value, Some(bad))
            }
            Usage::Index => (self.load_binary(field.at, 4, false), None),
            Usage::Float4 | Usage::Float8 => {
                let word = self.load_big(field.at, attributes.length);
                let value = self.double_of(word, attributes.length);
                let (_, again, large) = self.float_word(value, attributes.length);
                let other = self.b.ins().bxor(word, again);
                let large = self.b.ins().uextend(I64, large);
                (value, Some(self.b.ins().bor(other, large)))
            }
            _ => {
                let value = self.load_binary(field.at, attributes.length, attributes.is_signed());
                let digits = self.resident_digits(&attributes);
                if short_digits(&attributes) == Some(digits) || digits > SHORT_DIGITS {
                    return (value, None);
                }
                let outside = self.outside(value, digits);
                (value, Some(self.b.ins().uextend(I64, outside)))
            }
        }
    }

    /// Whether the magnitude is 10^digits or more.
    pub fn outside(&mut self, value: Value, digits: u32) -> Value {
        let limit = power_of_ten(digits);
        let lifted = self.b.ins().iadd_imm_s(value, limit - 1);
        let bound = self.i64(2 * limit - 1);
        self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, lifted, bound)
    }

    /// A resident's place, or the field's.
    pub fn place(&mut self, reference: &Reference) -> Place {
        match self.resident_of(reference) {
            Some(index) => Place::Register(index),
            None => Place::Storage(self.field(reference)),
        }
    }

    pub fn resident_of(&self, reference: &Reference) -> Option<usize> {
        if self.residents.is_empty() || !reference.is_plain() {
            return None;
        }
        self.residents.iter().position(|resident| resident.plan.item == reference.item)
    }

    /// The coefficient of a resident.
    pub fn resident_value(&mut self, index: usize) -> Value {
        self.b.use_var(self.residents[index].value)
    }

    pub fn load_place(&mut self, place: &Place) -> Number {
        match place {
            Place::Register(index) => {
                let resident = self.residents[*index];
                let value = self.b.use_var(resident.value);
                if is_internal_float(&resident.attributes) {
                    return Number::Float(value);
                }
                Number::Short { value, scale: resident.attributes.scale as i32, digits: resident.digits }
            }
            Place::Storage(field) => self.load_number(field),
        }
    }

    /// Integer value, decimals dropped.
    pub fn load_place_integer(&mut self, place: &Place) -> Value {
        match place {
            Place::Register(_) => {
                let number = self.load_place(place);
                self.integer_of(number)
            }
            Place::Storage(field) => self.load_integer(field),
        }
    }

    pub fn store_place(&mut self, number: Number, place: &Place, flags: u32) -> Value {
        match place {
            Place::Register(index) => self.store_resident(number, *index, flags),
            Place::Storage(field) => self.store_number(number, field, flags),
        }
    }

    fn store_resident(&mut self, number: Number, index: usize, flags: u32) -> Value {
        let resident = self.residents[index];
        let scale = resident.attributes.scale as i32;
        if is_internal_float(&resident.attributes) {
            if let Some(value) = self.inline_double(number) {
                return self.keep_double(value, index, flags);
            }
        } else if let Number::Short { value, scale: from, digits } = number
            && (from >= scale || digits + (scale - from) as u32 <= SHORT_DIGITS)
            && from <= scale + 18
            && flags & 0xFF <= Rounding::NearestAwayFromZero as u32
        {
            let (value, digits) = self.rescaled(value, digits, from, scale, flags & 0xFF);
            return self.keep(value, digits, index, flags);
        } else if let Number::Wide { value, scale: from, digits } = number {
            let wide = self.lifted_to(Wide { value, scale: from, digits }, scale);
            return self.with_narrow(wide, |emitter, number| emitter.store_resident(number, index, flags));
        }
        // By way of storage, with the run time's routine.
        self.flush_resident(index);
        let field = resident.field();
        let error = self.store_number(number, &field, flags);
        self.reload_resident(index);
        error
    }

    /// The coefficient at another scale, and its digits.
    fn rescaled(&mut self, value: Value, digits: u32, from: i32, to: i32, rounding: u32) -> (Value, u32) {
        if from <= to {
            let lift = (to - from) as u32;
            return (self.lift(value, lift), digits + lift);
        }
        let power = power_of_ten((from - to) as u32);
        let (mut value, mut digits) = (value, digits);
        if rounding == Rounding::NearestAwayFromZero as u32 {
            let minus = self.b.ins().sshr_imm_u(value, 63);
            let half = self.i64(power / 2);
            let flipped = self.b.ins().bxor(half, minus);
            let half = self.b.ins().isub(flipped, minus);
            value = self.b.ins().iadd(value, half);
            digits += 1;
        }
        let value = self.b.ins().sdiv_imm_s(value, power);
        (value, digits.saturating_sub((from - to) as u32).max(1))
    }

    /// Assigns a value at the item's scale to the item, like a store; returns the size error.
    fn keep(&mut self, value: Value, digits: u32, index: usize, flags: u32) -> Value {
        let resident = self.residents[index];
        let attributes = resident.attributes;
        let value = if attributes.is_signed() { value } else { self.b.ins().iabs(value) };
        let by_bytes = match attributes.usage {
            Usage::Packed | Usage::Zoned => false,
            Usage::Binary => self.layout().session.trunc != Trunc::Std,
            _ => true,
        };
        if by_bytes {
            return self.keep_bytes(value, digits, index, flags);
        }
        if digits <= attributes.digits as u32 {
            self.define(index, value);
            return self.i32(0);
        }
        let over = self.outside(value, attributes.digits as u32);
        self.keep_unless(over, value, index, flags)
    }

    /// Adds a constant to an item in a register; only the end of the range that it moves towards is checked. `None` if that is not
    /// sufficient.
    pub fn add_constant(&mut self, index: usize, constant: i64, flags: u32) -> Option<Value> {
        let attributes = self.residents[index].attributes;
        let by_digits = match attributes.usage {
            Usage::Packed | Usage::Zoned => true,
            Usage::Binary => self.layout().session.trunc == Trunc::Std,
            _ => false,
        };
        let limit = power_of_ten(attributes.digits.min(18) as u32);
        if !by_digits || attributes.digits > 18 || constant == 0 || constant.unsigned_abs() >= limit as u64 {
            return None;
        }
        if constant < 0 && !attributes.is_signed() {
            return None;
        }
        let old = self.resident_value(index);
        let value = self.b.ins().iadd_imm_s(old, constant);
        let (code, end) = if constant > 0 { (IntCC::SignedGreaterThanOrEqual, limit) } else { (IntCC::SignedLessThanOrEqual, -limit) };
        let over = self.b.ins().icmp_imm_s(code, value, end);
        Some(self.keep_unless(over, value, index, flags))
    }

    /// Assigns a value to the item unless it exceeds its digits.
    fn keep_unless(&mut self, over: Value, value: Value, index: usize, flags: u32) -> Value {
        let resident = self.residents[index];
        let attributes = resident.attributes;
        if flags & store_flags::KEEP != 0 {
            let old = self.b.use_var(resident.value);
            let stored = self.b.ins().select(over, old, value);
            let known = resident.valid.map(|valid| (valid, self.b.use_var(valid)));
            self.define(index, stored);
            if let Some((valid, before)) = known {
                let one = self.i64(1);
                let after = self.b.ins().select(over, before, one);
                self.b.def_var(valid, after);
            }
            return self.b.ins().uextend(I32, over);
        }
        // Without a SIZE ERROR phrase the size error is not used.
        let (long, next) = (self.cold_block(), self.b.create_block());
        let stored = self.b.append_block_param(next, I64);
        self.b.ins().brif(over, long, &[], next, &[value.into()]);
        self.begin(long);
        let cut = self.b.ins().srem_imm_s(value, power_of_ten(attributes.digits as u32));
        self.b.ins().jump(next, &[cut.into()]);
        self.begin(next);
        self.define(index, stored);
        self.i32(0)
    }

    /// A double as the item stores it; one that is too large is left to the run time.
    fn keep_double(&mut self, value: Value, index: usize, flags: u32) -> Value {
        let resident = self.residents[index];
        let length = resident.attributes.length;
        let (over, good, next) = (self.cold_block(), self.b.create_block(), self.b.create_block());
        let error = self.b.append_block_param(next, I32);
        let none = self.i32(0);
        if let Some((usual, large)) = self.hexadecimal_range(value, length) {
            // Nearly every value is stored exactly; values that are too small become zero.
            let (unusual, tiny) = (self.cold_block(), self.cold_block());
            self.branch(usual, good, unusual);
            self.begin(unusual);
            self.branch(large, over, tiny);
            self.begin(tiny);
            let zero = self.f64(0.0);
            self.define(index, zero);
            self.b.ins().jump(next, &[none.into()]);
            self.begin(good);
            self.define(index, value);
        } else {
            let (kept, _, large) = self.float_word(value, length);
            self.branch(large, over, good);
            self.begin(good);
            let kept = self.as_double(kept);
            self.define(index, kept);
        }
        self.b.ins().jump(next, &[none.into()]);
        self.begin(over);
        let failed = self.store_float_in_memory(value, &resident.field(), flags);
        self.b.ins().jump(next, &[failed.into()]);
        self.begin(next);
        error
    }

    /// Binary items limited by their bytes.
    fn keep_bytes(&mut self, value: Value, digits: u32, index: usize, flags: u32) -> Value {
        let resident = self.residents[index];
        let length = if resident.attributes.usage == Usage::Index { 4 } else { resident.attributes.length };
        if length == 8 || digits <= if length == 4 { 9 } else { 4 } {
            self.define(index, value);
            return self.i32(0);
        }
        let shift = 64 - 8 * length as i64;
        let low = self.b.ins().ishl_imm_u(value, shift);
        let signed = resident.attributes.is_signed();
        let low = if signed { self.b.ins().sshr_imm_u(low, shift) } else { self.b.ins().ushr_imm_u(low, shift) };
        let error = self.b.ins().icmp(IntCC::NotEqual, low, value);
        let stored = if flags & store_flags::KEEP != 0 {
            let old = self.b.use_var(resident.value);
            self.b.ins().select(error, old, low)
        } else {
            low
        };
        self.define(index, stored);
        self.b.ins().uextend(I32, error)
    }

    fn define(&mut self, index: usize, value: Value) {
        let resident = self.residents[index];
        self.b.def_var(resident.value, value);
        if let Some(valid) = resident.valid {
            let one = self.i64(1);
            self.b.def_var(valid, one);
        }
    }

    /// Write an item's bytes.
    pub fn flush_resident(&mut self, index: usize) {
        let resident = self.residents[index];
        if !resident.plan.written {
            return;
        }
        let Some(valid) = resident.valid else {
            return self.write_resident(&resident);
        };
        let valid = self.b.use_var(valid);
        let (store, next) = (self.b.create_block(), self.b.create_block());
        self.branch(valid, store, next);
        self.begin(store);
        self.write_resident(&resident);
        self.goto(next);
        self.begin(next);
    }

    fn write_resident(&mut self, resident: &Resident) {
        let value = self.b.use_var(resident.value);
        let attributes = resident.attributes;
        match attributes.usage {
            Usage::Packed | Usage::Zoned => {
                let minus = self.b.ins().sshr_imm_u(value, 63);
                let magnitude = Magnitude { value: self.b.ins().iabs(value), minus, digits: resident.digits };
                match attributes.usage {
                    Usage::Packed => self.store_packed(magnitude, resident.at, &attributes),
                    _ => self.store_zoned(magnitude, resident.at, &attributes),
                }
            }
            Usage::Index => self.store_binary(value, resident.at, 4),
            Usage::Float4 | Usage::Float8 => {
                let (_, word, _) = self.float_word(value, attributes.length);
                self.store_big(word, resident.at, attributes.length);
            }
            _ => self.store_binary(value, resident.at, attributes.length),
        }
    }

    fn reload_resident(&mut self, index: usize) {
        let resident = self.residents[index];
        let field = resident.field();
        let (value, bad) = self.load_checked(&field);
        self.b.def_var(resident.value, value);
        if let (Some(valid), Some(bad)) = (resident.valid, bad) {
            let good = self.b.ins().icmp_imm_u(IntCC::Equal, bad, 0);
            let good = self.b.ins().uextend(I64, good);
            self.b.def_var(valid, good);
        }
    }

    /// Makes storage current: at the end of the loop, where control leaves, or where other code reads it.
    pub fn flush_residents(&mut self) {
        for index in 0..self.residents.len() {
            self.flush_resident(index);
        }
    }

    /// Reloads values that other code may have stored.
    pub fn reload_residents(&mut self) {
        for index in 0..self.residents.len() {
            self.reload_resident(index);
        }
    }

    pub fn has_written_residents(&self) -> bool {
        self.residents.iter().any(|resident| resident.plan.written)
    }

    pub fn leave_residents(&mut self) {
        self.flush_residents();
        self.finish_stops();
        self.residents.clear();
    }

    /// End the block with an interruption, the items' bytes written.
    pub fn stop(&mut self, code: u8) {
        if self.stops.is_none() {
            let block = self.cold_block();
            self.b.append_block_param(block, I32);
            self.stops = Some(Stops { block, sites: Vec::new() });
        }
        let site = (code, self.location);
        let Some(stops) = &mut self.stops else { return };
        let number = stops.sites.iter().position(|known| *known == site).unwrap_or(stops.sites.len());
        if number == stops.sites.len() {
            stops.sites.push(site);
        }
        let block = stops.block;
        let number = self.i32(number as i64);
        self.b.ins().jump(block, &[number.into()]);
    }

    /// Write the shared part of the loop's interruptions.
    fn finish_stops(&mut self) {
        let Some(stops) = self.stops.take() else { return };
        let after = self.b.create_block();
        self.goto(after);
        self.begin(stops.block);
        let number = self.b.block_params(stops.block)[0];
        self.flush_residents();
        let blocks: Vec<Block> = stops.sites.iter().map(|_| self.cold_block()).collect();
        self.table(number, &blocks, blocks[0]);
        for (block, (code, location)) in blocks.iter().zip(&stops.sites) {
            self.begin(*block);
            self.b.set_srcloc(*location);
            self.b.ins().trap(TrapCode::unwrap_user(*code));
        }
        self.b.set_srcloc(self.location);
        self.begin(after);
    }

    /// Resident item by number, for index-names and objects of DEPENDING ON.
    pub fn resident_item(&mut self, item: ItemId) -> Option<Value> {
        let index = self.residents.iter().position(|resident| resident.plan.item == item)?;
        Some(self.load_place_integer(&Place::Register(index)))
    }

    fn packed_checked(&mut self, at: At, attributes: &Attributes) -> (Value, Value) {
        let word = self.load_big(at, attributes.length);
        let nibbles = self.b.ins().ushr_imm_u(word, 4);
        let mut bad = self.bad_nibbles(nibbles);
        if attributes.digits.is_multiple_of(2) {
            let pad = self.b.ins().ushr_imm_u(nibbles, 4 * attributes.digits as i64);
            bad = self.b.ins().bor(bad, pad);
        }
        let magnitude = self.nibbles_to_binary(nibbles, attributes.digits as u32);
        let sign = self.b.ins().band_imm_u(word, 15);
        if !attributes.is_signed() {
            let other = self.b.ins().bxor_imm_u(sign, 15);
            return (magnitude, self.b.ins().bor(bad, other));
        }
        // C, or D of a value that is not zero.
        let minus = self.b.ins().icmp_imm_u(IntCC::Equal, sign, 13);
        let nonzero = self.b.ins().icmp_imm_u(IntCC::NotEqual, nibbles, 0);
        let negative = self.b.ins().band(minus, nonzero);
        let negative = self.b.ins().uextend(I64, negative);
        let expected = self.b.ins().bor_imm_u(negative, 12);
        let other = self.b.ins().bxor(sign, expected);
        let bad = self.b.ins().bor(bad, other);
        let mask = self.b.ins().ineg(negative);
        let flipped = self.b.ins().bxor(magnitude, mask);
        (self.b.ins().isub(flipped, mask), bad)
    }

    fn zoned_checked(&mut self, at: At, attributes: &Attributes) -> (Value, Value) {
        let page = self.layout().session.code_page;
        let (zone, plus, minus) = (page.zone, page.zone_plus, page.zone_minus);
        let length = attributes.length;
        let low_count = length.min(8);
        let low_at = At { offset: at.offset + (length - low_count) as i32, ..at };
        let word = self.load_tail(low_at, low_count);
        let (mut bad, digits) = self.check_bytes(word);
        let mut magnitude = self.bytes_to_binary(digits, low_count);
        // Zones of all but the last byte, which is on top.
        let zones_of = |count: u32, last: bool| {
            let mut zones = [0u8; 8];
            for (at, byte) in zones.iter_mut().enumerate() {
                if at as u32 >= 8 - count && (last || at < 7) {
                    *byte = zone & 0xF0;
                }
            }
            u64::from_le_bytes(zones)
        };
        let inner = self.i64(zones_of(low_count, false) as i64);
        let shown = self.mask(word, 0x00F0_F0F0_F0F0_F0F0);
        let other = self.b.ins().bxor(shown, inner);
        bad = self.b.ins().bor(bad, other);
        if length > 8 {
            let high_word = self.load_tail(at, length - 8);
            let (high_bad, high_digits) = self.check_bytes(high_word);
            let shown = self.mask(high_word, 0xF0F0_F0F0_F0F0_F0F0);
            let zones = self.i64(zones_of(length - 8, true) as i64);
            let other = self.b.ins().bxor(shown, zones);
            let high_bad = self.b.ins().bor(high_bad, other);
            bad = self.b.ins().bor(bad, high_bad);
            let high = self.bytes_to_binary(high_digits, length - 8);
            let high = self.b.ins().imul_imm_s(high, power_of_ten(8));
            magnitude = self.b.ins().iadd(high, magnitude);
        }
        let last = self.b.ins().ushr_imm_u(word, 60);
        if !attributes.is_signed() {
            let other = self.b.ins().bxor_imm_u(last, (zone >> 4) as i64);
            return (magnitude, self.b.ins().bor(bad, other));
        }
        let is_minus = self.b.ins().icmp_imm_u(IntCC::Equal, last, (minus >> 4) as i64);
        let nonzero = self.b.ins().icmp_imm_u(IntCC::NotEqual, magnitude, 0);
        let negative = self.b.ins().band(is_minus, nonzero);
        let negative = self.b.ins().uextend(I64, negative);
        let mask = self.b.ins().ineg(negative);
        let flip = self.mask(mask, ((plus ^ minus) >> 4) as u64);
        let expected = self.b.ins().bxor_imm_u(flip, (plus >> 4) as i64);
        let other = self.b.ins().bxor(last, expected);
        let bad = self.b.ins().bor(bad, other);
        let flipped = self.b.ins().bxor(magnitude, mask);
        (self.b.ins().isub(flipped, mask), bad)
    }
}
