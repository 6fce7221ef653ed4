//! Conditions: each is a branch to one of two blocks.

use super::constant::figurative_number;
use super::field::Field;
use super::moves::Source;
use super::number::{Number, SHORT_DIGITS};
use super::*;
use cobol::program::{
    ClassCondition, ClassTest, CompareKind, Condition, Expression, Figurative, Operand, Relation, RelationOperator, SignTest,
};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{I8, I16};
use le::{Attributes, Numproc, Sign, Usage};
use program::requests::service;

pub fn signed_code(operator: RelationOperator) -> IntCC {
    match operator {
        RelationOperator::Equal => IntCC::Equal,
        RelationOperator::NotEqual => IntCC::NotEqual,
        RelationOperator::Less => IntCC::SignedLessThan,
        RelationOperator::LessOrEqual => IntCC::SignedLessThanOrEqual,
        RelationOperator::Greater => IntCC::SignedGreaterThan,
        RelationOperator::GreaterOrEqual => IntCC::SignedGreaterThanOrEqual,
    }
}

fn unsigned_code(operator: RelationOperator) -> IntCC {
    match signed_code(operator) {
        IntCC::SignedLessThan => IntCC::UnsignedLessThan,
        IntCC::SignedLessThanOrEqual => IntCC::UnsignedLessThanOrEqual,
        IntCC::SignedGreaterThan => IntCC::UnsignedGreaterThan,
        IntCC::SignedGreaterThanOrEqual => IntCC::UnsignedGreaterThanOrEqual,
        equality => equality,
    }
}

fn float_code(operator: RelationOperator) -> FloatCC {
    match operator {
        RelationOperator::Equal => FloatCC::Equal,
        RelationOperator::NotEqual => FloatCC::NotEqual,
        RelationOperator::Less => FloatCC::LessThan,
        RelationOperator::LessOrEqual => FloatCC::LessThanOrEqual,
        RelationOperator::Greater => FloatCC::GreaterThan,
        RelationOperator::GreaterOrEqual => FloatCC::GreaterThanOrEqual,
    }
}

/// Item compared byte by byte as it is.
fn is_bytes(attributes: &Attributes) -> bool {
    matches!(attributes.usage, Usage::Group | Usage::Alphanumeric | Usage::Alphabetic | Usage::AlphanumericEdited | Usage::NumericEdited)
        && !attributes.has(Attributes::NATIONAL_GROUP)
}

impl Emitter<'_, '_> {
    pub fn condition(&mut self, condition: &Condition, yes: Block, no: Block) {
        match condition {
            Condition::And(parts) => {
                for part in parts {
                    let next = self.b.create_block();
                    self.condition(part, next, no);
                    self.begin(next);
                }
                self.goto(yes);
            }
            Condition::Or(parts) => {
                for part in parts {
                    let next = self.b.create_block();
                    self.condition(part, yes, next);
                    self.begin(next);
                }
                self.goto(no);
            }
            Condition::Not(inner) => self.condition(inner, no, yes),
            Condition::Constant(value) => self.goto(if *value { yes } else { no }),
            simple => {
                let mark = self.temporaries_used();
                let value = self.simple_condition(simple);
                self.branch(value, yes, no);
                self.free_temporaries(mark);
            }
        }
    }

    /// A truth value: zero or not.
    fn simple_condition(&mut self, condition: &Condition) -> Value {
        match condition {
            Condition::Relation(relation) => self.relation(relation),
            Condition::Class(class) => self.class(class),
            Condition::Sign { expression, sign, negated } => self.sign(expression, *sign, *negated),
            Condition::Switch { switch, on } => {
                let words = self.temporary_address(8);
                let number = self.i64(*switch as i64);
                self.store(number, words, 0);
                let state = self.service(service::SWITCH_TEST, words, 1);
                let code = if *on { IntCC::NotEqual } else { IntCC::Equal };
                self.b.ins().icmp_imm_s(code, state, 0)
            }
            _ => self.b.ins().iconst(I8, 0),
        }
    }

    /// Call the service slot with words already stored.
    pub fn service(&mut self, number: u32, words: Value, count: u32) -> Value {
        let frame = self.frame;
        let (number, count) = (self.i32(number as i64), self.i32(count as i64));
        self.slot_value(Slot::Service, &[frame, number, words, count])
    }

    fn sign(&mut self, expression: &Expression, sign: SignTest, negated: bool) -> Value {
        let number = self.evaluate(expression, None);
        let zero = self.constant_number(0, 0);
        let operator = match (sign, negated) {
            (SignTest::Positive, false) => RelationOperator::Greater,
            (SignTest::Positive, true) => RelationOperator::LessOrEqual,
            (SignTest::Negative, false) => RelationOperator::Less,
            (SignTest::Negative, true) => RelationOperator::GreaterOrEqual,
            (SignTest::Zero, false) => RelationOperator::Equal,
            (SignTest::Zero, true) => RelationOperator::NotEqual,
        };
        self.compare_numbers(number, zero, operator)
    }

    pub fn relation(&mut self, relation: &Relation) -> Value {
        match relation.kind {
            CompareKind::Numeric if self.zones_count(relation) => self.compare_zones(relation),
            CompareKind::Numeric if self.is_compared_by_call(relation) => {
                let (left, right) = (self.number_operand(&relation.left), self.number_operand(&relation.right));
                let session = self.session;
                let (left_area, left_attributes) = (self.field_address(&left), self.attributes_address(&left));
                let (right_area, right_attributes) = (self.field_address(&right), self.attributes_address(&right));
                let order = self.slot_value(Slot::Compare, &[session, left_area, left_attributes, right_area, right_attributes]);
                self.b.ins().icmp_imm_s(signed_code(relation.operator), order, 0)
            }
            CompareKind::Numeric | CompareKind::Float | CompareKind::Index | CompareKind::Pointer => {
                self.single = self.is_single_operand(&relation.left) && self.is_single_operand(&relation.right);
                let left = self.operand_number(&relation.left);
                let right = self.operand_number(&relation.right);
                self.single = false;
                self.compare_numbers(left, right, relation.operator)
            }
            CompareKind::Alphanumeric | CompareKind::National => self.compare_operands(&relation.left, &relation.right, relation.operator),
        }
    }

    /// In cold code: items and constants of which one at least is not simply loaded.
    fn is_compared_by_call(&self, relation: &Relation) -> bool {
        use cobol::program::LiteralValue;
        let usage = |operand: &Operand| match operand {
            Operand::Reference(reference) if self.is_fixed_item(reference) => Some(Some(self.layout().descriptor(reference.item).usage)),
            Operand::Literal(literal) => matches!(literal.value, LiteralValue::Numeric(_)).then_some(None),
            Operand::Figurative(Figurative::Zero, _) => Some(None),
            _ => None,
        };
        let decimal = |usage: Option<Usage>| matches!(usage, Some(Usage::Packed | Usage::Zoned));
        match (usage(&relation.left), usage(&relation.right)) {
            (Some(left), Some(right)) => !self.hot && (decimal(left) || decimal(right)),
            _ => false,
        }
    }

    /// An operand of such a relation as a field.
    fn number_operand(&mut self, operand: &Operand) -> Field {
        match operand {
            Operand::Reference(reference) => {
                let field = self.field(reference);
                self.check_sender(reference, &field);
                field
            }
            Operand::Literal(literal) => self.literal_field(literal),
            _ => self.number_constant(&cobol::program::Number { value: 0, digits: 1, scale: 0, signed: false }),
        }
    }

    /// A numeric operand's value.
    pub fn operand_number(&mut self, operand: &Operand) -> Number {
        use cobol::program::LiteralValue;
        match operand {
            Operand::Reference(reference) => self.reference_number(reference),
            Operand::Literal(literal) => match &literal.value {
                LiteralValue::Numeric(number) => self.constant_number(number.value, number.scale as i32),
                LiteralValue::Float(value) => Number::Float(self.f64(*value)),
                _ => self.constant_number(0, 0),
            },
            Operand::Figurative(..) => self.constant_number(0, 0),
            other => match self.source(other) {
                Source::Number(number, _) => number,
                Source::Field(field) => self.load_number(&field),
                _ => self.constant_number(0, 0),
            },
        }
    }

    pub fn compare_numbers(&mut self, left: Number, right: Number, operator: RelationOperator) -> Value {
        match (left, right) {
            (Number::Float(_), _) | (_, Number::Float(_)) => {
                let (left, right) = (self.float_of(left), self.float_of(right));
                self.b.ins().fcmp(float_code(operator), left, right)
            }
            (
                Number::Short { value: a, scale: a_scale, digits: a_digits },
                Number::Short { value: b, scale: b_scale, digits: b_digits },
            ) if a_scale == b_scale
                || (a_digits as i32 + (b_scale - a_scale).max(0) <= SHORT_DIGITS as i32
                    && b_digits as i32 + (a_scale - b_scale).max(0) <= SHORT_DIGITS as i32) =>
            {
                let scale = a_scale.max(b_scale);
                let a = self.lift(a, (scale - a_scale) as u32);
                let b = self.lift(b, (scale - b_scale) as u32);
                self.b.ins().icmp(signed_code(operator), a, b)
            }
            _ => {
                if self.is_inline()
                    && let Some(result) = self.compare_wide(left, right, signed_code(operator))
                {
                    return result;
                }
                let (left, right) = (self.long_of(left), self.long_of(right));
                let order = self.slot_value(Slot::DecimalCompare, &[left, right]);
                self.b.ins().icmp_imm_s(signed_code(operator), order, 0)
            }
        }
    }

    fn compare_operands(&mut self, left: &Operand, right: &Operand, operator: RelationOperator) -> Value {
        self.check_compared(left);
        self.check_compared(right);
        let left = self.source(left);
        let right = self.source(right);
        let (left, right) = (self.sign_kept(left), self.sign_kept(right));
        self.compare_sources(left, right, operator)
    }

    /// NOZWB: a signed zoned item is compared with characters unchanged, including its sign.
    fn sign_kept(&self, source: Source) -> Source {
        match source {
            Source::Field(field) if !self.program.options.zwb && field.attributes.usage == Usage::Zoned && field.is_fixed() => {
                Source::Field(Field { attributes: Attributes::alphanumeric(field.length.most()), ..field })
            }
            other => other,
        }
    }

    fn compare_sources(&mut self, left: Source, right: Source, operator: RelationOperator) -> Value {
        match (left, right) {
            (Source::Figurative(figurative), right) if !matches!(right, Source::Figurative(_)) => {
                self.compare_sources(right, Source::Figurative(figurative), operator.swapped())
            }
            (left @ Source::Literal(_), right @ Source::Field(_)) => self.compare_sources(right, left, operator.swapped()),
            (left, Source::Figurative(figurative)) => {
                let field = self.as_field(left);
                self.compare_figurative(&field, &figurative, operator)
            }
            (left, Source::Literal(literal)) => {
                let field = self.as_field(left);
                let (bytes, attributes) = self.literal_bytes(&literal);
                if let Some(result) = self.compare_constant(&field, &bytes, &attributes, operator) {
                    return result;
                }
                let right = self.constant_field(&bytes, attributes);
                self.compare_fields(&field, &right, operator)
            }
            (left, right) => {
                let left = self.as_field(left);
                let right = self.as_field(right);
                self.compare_fields(&left, &right, operator)
            }
        }
    }

    pub fn as_field(&mut self, source: Source) -> Field {
        match source {
            Source::Field(field) => field,
            Source::Literal(literal) => self.literal_field(&literal),
            Source::Number(number, attributes) => self.number_field(number, attributes),
            Source::Figurative(figurative) => {
                let bytes = self.figurative_bytes(&figurative, le::Usage::Alphanumeric);
                self.constant_field(&bytes, Attributes::alphanumeric(bytes.len() as u32))
            }
        }
    }

    fn is_native_sequence(&self) -> bool {
        self.layout().session.collating.is_null()
    }

    fn compare_figurative(&mut self, field: &Field, figurative: &Figurative, operator: RelationOperator) -> Value {
        if let (Some(length), true) = (Self::fixed_length(field), is_bytes(&field.attributes))
            && (1..=16).contains(&length)
        {
            let one = self.figurative_bytes(figurative, le::Usage::Alphanumeric);
            let bytes: Vec<u8> = one.iter().copied().cycle().take(length as usize).collect();
            let attributes = Attributes::alphanumeric(length);
            if let Some(result) = self.compare_constant(field, &bytes, &attributes, operator) {
                return result;
            }
        }
        let session = self.session;
        let (area, described) = (self.field_address(field), self.attributes_address(field));
        let order = match (figurative, figurative_number(figurative)) {
            (_, Some(number)) => {
                let number = self.i32(number as i64);
                self.slot_value(Slot::CompareFigurative, &[session, area, described, number])
            }
            (Figurative::All { bytes, encoding }, _) => {
                let bytes = self.all_bytes(bytes, *encoding, field.attributes.usage);
                let literal = self.constant_bytes(&bytes);
                let length = self.i32(bytes.len() as i64);
                self.slot_value(Slot::CompareAll, &[session, area, described, literal, length])
            }
            _ => self.i32(0),
        };
        self.b.ins().icmp_imm_s(signed_code(operator), order, 0)
    }

    /// A short field of bytes with constant bytes, in registers.
    fn compare_constant(&mut self, field: &Field, bytes: &[u8], attributes: &Attributes, operator: RelationOperator) -> Option<Value> {
        let length = Self::fixed_length(field)?;
        let space = self.space();
        let equality = matches!(operator, RelationOperator::Equal | RelationOperator::NotEqual);
        if !is_bytes(&field.attributes) || !is_bytes(attributes) || !(equality || self.is_native_sequence()) {
            return None;
        }
        // A longer literal must end in spaces for the operands to be comparable at the item's length.
        if bytes.iter().skip(length as usize).any(|byte| *byte != space) || length > 16 {
            return None;
        }
        let mut padded = bytes.to_vec();
        padded.resize(length as usize, space);
        if !self.is_native_sequence() {
            return None;
        }
        if equality {
            return Some(self.equal_constant(field, &padded, operator == RelationOperator::Equal));
        }
        if length > 8 {
            return None;
        }
        let value = self.load_big(field.at, length);
        let constant = padded.iter().fold(0u64, |all, byte| all << 8 | *byte as u64);
        let constant = self.i64(constant as i64);
        Some(self.b.ins().icmp(unsigned_code(operator), value, constant))
    }

    fn equal_constant(&mut self, field: &Field, bytes: &[u8], equal: bool) -> Value {
        let code = if equal { IntCC::Equal } else { IntCC::NotEqual };
        if let Some(ty) = [(1, I8), (2, I16), (4, I32), (8, I64)].iter().find(|(size, _)| *size == bytes.len()).map(|(_, ty)| *ty) {
            let value = self.b.ins().load(ty, NOTRAP, field.at.base, field.at.offset);
            let mut all = [0; 8];
            all[..bytes.len()].copy_from_slice(bytes);
            let constant = self.b.ins().iconst(ty, i64::from_le_bytes(all));
            return self.b.ins().icmp(code, value, constant);
        }
        let mut differences: Option<Value> = None;
        let mut done = 0;
        for (size, ty) in [(8, I64), (8, I64), (4, I32), (2, I16), (1, I8)] {
            if bytes.len() - done < size {
                continue;
            }
            let part = self.b.ins().load(ty, NOTRAP, field.at.base, field.at.offset + done as i32);
            let mut all = [0; 8];
            all[..size].copy_from_slice(&bytes[done..done + size]);
            let constant = self.b.ins().iconst(ty, i64::from_le_bytes(all));
            let difference = self.b.ins().bxor(part, constant);
            let difference = if size < 8 { self.b.ins().uextend(I64, difference) } else { difference };
            differences = Some(match differences {
                None => difference,
                Some(others) => self.b.ins().bor(others, difference),
            });
            done += size;
        }
        let differences = differences.unwrap_or_else(|| self.i64(0));
        self.b.ins().icmp_imm_s(code, differences, 0)
    }

    fn compare_fields(&mut self, left: &Field, right: &Field, operator: RelationOperator) -> Value {
        if let Some(result) = self.compare_short(left, right, operator) {
            return result;
        }
        let order = if is_bytes(&left.attributes) && is_bytes(&right.attributes) && self.is_native_sequence() {
            let (left, left_length) = self.bytes_of(left);
            let (right, right_length) = self.bytes_of(right);
            let pad = self.i32(self.space() as i64);
            self.slot_value(Slot::CompareBytes, &[left, left_length, right, right_length, pad])
        } else {
            let session = self.session;
            let (left_area, left_attributes) = (self.field_address(left), self.attributes_address(left));
            let (right_area, right_attributes) = (self.field_address(right), self.attributes_address(right));
            self.slot_value(Slot::Compare, &[session, left_area, left_attributes, right_area, right_attributes])
        };
        self.b.ins().icmp_imm_s(signed_code(operator), order, 0)
    }

    /// Byte fields of the same length of at most 8 bytes, or 16 for a test of equality only.
    fn compare_short(&mut self, left: &Field, right: &Field, operator: RelationOperator) -> Option<Value> {
        let (a, b) = (Self::fixed_length(left)?, Self::fixed_length(right)?);
        // Digits without a sign compare like the characters they are.
        let digits = |attributes: &Attributes| attributes.usage == Usage::Zoned && !attributes.is_signed();
        let bytes = |attributes: &Attributes| is_bytes(attributes) || digits(attributes);
        let equality = matches!(operator, RelationOperator::Equal | RelationOperator::NotEqual);
        let most = if equality { 16 } else { 8 };
        if a != b || !(1..=most).contains(&a) || !bytes(&left.attributes) || !bytes(&right.attributes) || !self.is_native_sequence() {
            return None;
        }
        if !equality {
            let (left, right) = (self.load_big(left.at, a), self.load_big(right.at, a));
            return Some(self.b.ins().icmp(unsigned_code(operator), left, right));
        }
        let low = a.min(8);
        let (mut first, mut second) = (self.load_tail(left.at, low), self.load_tail(right.at, low));
        if a > 8 {
            let behind = |at: super::field::At| super::field::At { offset: at.offset + 8, ..at };
            let (left, right) = (self.load_tail(behind(left.at), a - 8), self.load_tail(behind(right.at), a - 8));
            let differences = self.b.ins().bxor(first, second);
            let others = self.b.ins().bxor(left, right);
            (first, second) = (self.b.ins().bor(differences, others), self.i64(0));
        }
        Some(self.b.ins().icmp(unsigned_code(operator), first, second))
    }

    /// Not zero if a short field of digit characters is not numeric; `None`: not inline.
    fn not_digits(&mut self, field: &Field) -> Option<Value> {
        let attributes = field.attributes;
        let length = Self::fixed_length(field)?;
        let zoned = attributes.usage == Usage::Zoned && matches!(attributes.sign, Sign::Unsigned | Sign::Trailing);
        let characters = matches!(attributes.usage, Usage::Alphanumeric | Usage::Group) && is_bytes(&attributes);
        if !(1..=16).contains(&length) || !(zoned || characters) || !self.is_inline() {
            return None;
        }
        let signed = zoned && attributes.sign == Sign::Trailing;
        let session = &self.layout().session;
        let zone = session.code_page.zone & 0xF0;
        let signs: i64 = match (session.code_page.is_ebcdic(), session.numproc) {
            (true, Numproc::Nopfd) => 1 << 0xC | 1 << 0xD | 1 << 0xF,
            (true, Numproc::Pfd) => 1 << 0xC | 1 << 0xD,
            (false, _) => 1 << 3 | 1 << 7,
        };
        let low = length.min(8);
        let low_at = super::field::At { offset: field.at.offset + (length - low) as i32, ..field.at };
        let word = self.load_tail(low_at, low);
        let mut bad = self.bad_digits(word, low, signed, zone);
        if signed {
            let sign = self.b.ins().ushr_imm_u(word, 60);
            let signs = self.i64(signs);
            let valid = self.b.ins().ushr(signs, sign);
            let valid = self.b.ins().band_imm_u(valid, 1);
            let invalid = self.b.ins().bxor_imm_u(valid, 1);
            bad = self.b.ins().bor(bad, invalid);
        }
        if length > 8 {
            let word = self.load_tail(field.at, length - 8);
            let others = self.bad_digits(word, length - 8, false, zone);
            bad = self.b.ins().bor(bad, others);
        }
        Some(bad)
    }

    /// Not zero if one of the bytes at the top of a word is not a digit; the zone of the last one counts unless it may be a sign.
    fn bad_digits(&mut self, word: Value, count: u32, signed: bool, zone: u8) -> Value {
        let (bad, _) = self.check_bytes(word);
        let present = u64::MAX << (64 - 8 * count);
        let present = if signed { present & u64::MAX >> 8 } else { present };
        let zones = self.mask(word, present & 0xF0F0_F0F0_F0F0_F0F0);
        let expected = self.i64((u64::from_ne_bytes([zone; 8]) & present) as i64);
        let others = self.b.ins().bxor(zones, expected);
        self.b.ins().bor(bad, others)
    }

    fn class(&mut self, condition: &ClassCondition) -> Value {
        let field = self.source_field(&condition.operand);
        if condition.class == ClassTest::Numeric
            && let Some(bad) = self.not_digits(&field)
        {
            let code = if condition.negated { IntCC::NotEqual } else { IntCC::Equal };
            return self.b.ins().icmp_imm_s(code, bad, 0);
        }
        let session = self.session;
        let (area, described) = (self.field_address(&field), self.attributes_address(&field));
        let result = match condition.class {
            ClassTest::User(index) => {
                let mut members = [0u8; 32];
                if let Some(class) = self.program.special_names.classes.get(index as usize) {
                    for (byte, member) in class.members.iter().enumerate().filter(|(_, member)| **member) {
                        members[byte / 8] |= (*member as u8) << (byte % 8);
                    }
                }
                let members = self.constant_bytes(&members);
                self.slot_value(Slot::IsUserClass, &[session, members, area, described])
            }
            standard => {
                let class = match standard {
                    ClassTest::Numeric => 0,
                    ClassTest::Alphabetic => 1,
                    ClassTest::AlphabeticLower => 2,
                    ClassTest::AlphabeticUpper => 3,
                    ClassTest::Dbcs => 4,
                    _ => 5,
                };
                let class = self.i32(class);
                self.slot_value(Slot::IsClass, &[session, class, area, described])
            }
        };
        let code = if condition.negated { IntCC::Equal } else { IntCC::NotEqual };
        self.b.ins().icmp_imm_s(code, result, 0)
    }
}
