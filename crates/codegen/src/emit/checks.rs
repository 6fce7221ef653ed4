//! The checks that NUMCHECK, SSRANGE(MSG), SSRANGE(ZLEN) and PARMCHECK compile into a program.
//! (Enterprise COBOL for z/OS 6.4 Programming Guide, options NUMCHECK, SSRANGE and PARMCHECK.)
//!
//! Invariants: a check only reads, and changes nothing of the program; its finding goes to the run unit, which writes the message and,
//! under ABD, ends the program.

use super::field::{At, Field, Length};
use super::number::{constant_integer, power_of_ten};
use super::*;
use cobol::options::{NumCheck, Trunc};
use cobol::program::{BaseKind, Call, CallMode, CallTarget, Category, Item, ItemId, Modification, Operand, Reference};
use cranelift_codegen::ir::condcodes::IntCC;
use le::{Attributes, Usage};
use program::requests::{check, service};

/// `le`'s class test NUMERIC, as [`Slot::IsClass`] takes it.
pub(super) const CLASS_NUMERIC: i64 = 0;

impl Emitter<'_, '_> {
    /// A numeric item as a sending operand.
    pub fn check_sender(&mut self, reference: &Reference, field: &Field) {
        let Some(options) = self.program.options.numcheck.filter(|_| reference.modification.is_none()) else { return };
        let attributes = field.attributes;
        match attributes.usage {
            Usage::Zoned if options.zoned && attributes.digits > 0 => self.check_digits(reference.item, field, &options),
            Usage::Packed if options.packed => self.check_digits(reference.item, field, &options),
            Usage::Binary if options.binary && attributes.digits > 0 && attributes.digits <= 18 => {
                let exempt = options.not_with_trunc_bin && self.program.options.trunc == Trunc::Bin;
                if !exempt {
                    self.check_size(reference.item, field, &options);
                }
            }
            _ => {}
        }
    }

    /// The operand of a MOVE. ZON(LAX) skips zoned items moved only to zoned items; an alphanumeric sender is treated as an integer if a
    /// receiver is numeric.
    pub fn check_moved(&mut self, from: &Operand, to: &[Reference]) {
        let (Some(options), Operand::Reference(reference)) = (self.program.options.numcheck, from) else { return };
        let program = self.program;
        let numeric = |target: &Reference| program.item(target.item).category == Category::Numeric && target.modification.is_none();
        let zoned = |item: &Item| item.category == Category::Numeric && item.usage == cobol::program::Usage::Display;
        let sender = program.item(reference.item);
        // A group takes the bytes as they are.
        if to.iter().all(|target| program.item(target.item).is_group()) {
            return;
        }
        let field = self.field(reference);
        if sender.category == Category::Alphanumeric && options.zoned && to.iter().any(numeric) {
            if let Length::Fixed(length @ 1..=31) = field.length {
                let digits = Attributes::zoned(length as u8, 0, le::Sign::Unsigned);
                self.check_digits(reference.item, &Field { attributes: digits, ..field }, &options);
            }
            return;
        }
        let lax = options.lax && zoned(sender) && to.iter().all(|target| zoned(program.item(target.item)) && target.modification.is_none());
        if !lax {
            self.check_sender(reference, &field);
        }
    }

    /// An operand whose digits are used unchanged: in DISPLAY and STRING.
    pub fn check_operand(&mut self, operand: &Operand) {
        if let (Operand::Reference(reference), true) = (operand, self.program.options.numcheck.is_some())
            && self.resident_of(reference).is_none()
        {
            let field = self.field(reference);
            self.check_sender(reference, &field);
        }
    }

    /// A zoned item compared with characters: not under ZON(NOALPHNUM).
    pub fn check_compared(&mut self, operand: &Operand) {
        let exempt = self.program.options.numcheck.is_none_or(|options| options.not_with_alphanumeric);
        if let (Operand::Reference(reference), false) = (operand, exempt) {
            let field = self.field(reference);
            self.check_sender(reference, &field);
        }
    }

    fn check_digits(&mut self, item: ItemId, field: &Field, options: &NumCheck) {
        let (session, class) = (self.session, self.i32(CLASS_NUMERIC));
        let (area, described) = (self.field_address(field), self.attributes_address(field));
        let numeric = self.slot_value(Slot::IsClass, &[session, class, area, described]);
        let invalid = self.b.ins().icmp_imm_u(IntCC::Equal, numeric, 0);
        self.report_value(invalid, check::NUMERIC, item, field, options.abend);
    }

    fn check_size(&mut self, item: ItemId, field: &Field, options: &NumCheck) {
        let value = self.load_short(field);
        let limit = power_of_ten(u32::from(field.attributes.digits));
        let (large, small) = (
            self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, value, limit),
            self.b.ins().icmp_imm_s(IntCC::SignedLessThanOrEqual, value, -limit),
        );
        let invalid = self.b.ins().bor(large, small);
        self.report_value(invalid, check::SIZE, item, field, options.abend);
    }

    fn report_value(&mut self, invalid: Value, kind: u32, item: ItemId, field: &Field, abend: bool) {
        let (address, length) = self.bytes_of(field);
        let length = self.b.ins().uextend(I64, length);
        self.report_if(invalid, kind, item, [address, length], abend);
    }

    /// Notifies the run unit if the condition is true. Two words depend on the kind of check.
    fn report_if(&mut self, condition: Value, kind: u32, item: ItemId, details: [Value; 2], abend: bool) {
        let (bad, good) = (self.cold_block(), self.b.create_block());
        self.branch(condition, bad, good);
        self.begin(bad);
        self.flush_residents();
        let name = self.program.item(item).name.to_string();
        self.report(kind, &name, details, abend);
        self.goto(good);
        self.begin(good);
    }

    /// What a power slot has found is this kind.
    pub fn report_power(&mut self, found: Value, kind: u32) {
        let (bad, good) = (self.cold_block(), self.b.create_block());
        let is_kind = self.b.ins().icmp_imm_u(IntCC::Equal, found, i64::from(kind));
        self.branch(is_kind, bad, good);
        self.begin(bad);
        self.flush_residents();
        let details = [self.i64(i64::from(self.statement_base + self.current.0)), self.i64(0)];
        self.report(kind, "", details, false);
        self.goto(good);
        self.begin(good);
    }

    /// Words of [`service::CHECK`]: kind and ABD, line, number of the verb on the line, name, details.
    fn report(&mut self, kind: u32, name: &str, details: [Value; 2], abend: bool) {
        let words = self.temporary_address(8 * check::WORDS);
        let (number, line) = self.current;
        let verb = self.layout().verb_on_line(number);
        let name_address = self.constant_bytes(name.as_bytes());
        let constants = [u64::from(kind) | if abend { check::ABEND } else { 0 }, u64::from(line), u64::from(verb)];
        for (at, constant) in constants.into_iter().enumerate() {
            let value = self.i64(constant as i64);
            self.store(value, words, 8 * at);
        }
        let length = self.i64(name.len() as i64);
        for (at, value) in [name_address, length, details[0], details[1]].into_iter().enumerate() {
            self.store(value, words, 8 * (constants.len() + at));
        }
        self.service(service::CHECK, words, check::WORDS);
    }

    /// SSRANGE: a subscript or an OCCURS DEPENDING ON object outside its range. Under MSG the program continues.
    pub fn range_error(&mut self, code: u32, item: ItemId) {
        match self.program.options.ssrange {
            Some(options) if options.message => {
                let kind = if code == le::Exception::OccursDependingOn as u32 { check::GROUP } else { check::TABLE };
                let name = self.program.item(item).name.to_string();
                let nothing = self.i64(0);
                self.flush_residents();
                self.report(kind, &name, [nothing, nothing], false);
            }
            _ => self.fail(code),
        }
    }

    /// SSRANGE with ZLEN or MSG: start and length of a reference modification, in characters of the item.
    pub fn check_modification_parts(&mut self, item: ItemId, modification: &Modification, whole: Value) {
        let Some(options) = self.program.options.ssrange else { return };
        let least = i64::from(!options.zero_length);
        let whole = self.b.ins().uextend(I64, whole);
        let start = self.integer(&modification.start);
        let before = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, start, 1);
        let behind = self.b.ins().icmp(IntCC::SignedGreaterThan, start, whole);
        // A length of zero is allowed immediately behind the last character.
        let outside = self.b.ins().bor(before, behind);
        self.modification_error(outside, check::START, item, [start, start], options.message);
        let Some(length) = &modification.length else { return };
        if constant_integer(length).is_none_or(|length| length < least) {
            let length = self.integer(length);
            let short = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, length, least);
            self.modification_error(short, check::LENGTH, item, [length, length], options.message);
        }
        let length = self.integer(length);
        let last = self.b.ins().iadd(start, length);
        let last = self.b.ins().iadd_imm_s(last, -1);
        let beyond = self.b.ins().icmp(IntCC::SignedGreaterThan, last, whole);
        self.modification_error(beyond, check::END, item, [start, length], options.message);
    }

    fn modification_error(&mut self, condition: Value, kind: u32, item: ItemId, details: [Value; 2], message: bool) {
        if message {
            return self.report_if(condition, kind, item, details, false);
        }
        let (bad, good) = (self.cold_block(), self.b.create_block());
        self.branch(condition, bad, good);
        self.begin(bad);
        self.fail(le::Exception::ReferenceModification as u32);
        self.goto(good);
        self.begin(good);
    }

    /// PARMCHECK, before a CALL: the bytes behind WORKING-STORAGE are X'AA'.
    pub fn set_guard(&mut self) {
        let (Some(options), Some(guard)) = (self.program.options.parmcheck, self.layout().guard) else { return };
        let address = self.guard_address(guard);
        let (byte, length) = (self.i32(GUARD_BYTE as i64), self.i32(i64::from(options.bytes)));
        self.slot(Slot::Fill, &[address, byte, length]);
    }

    /// PARMCHECK, after a CALL: checks that they are unchanged.
    pub fn check_guard(&mut self, call: &Call) {
        let (Some(options), Some(guard)) = (self.program.options.parmcheck, self.layout().guard) else { return };
        let address = self.guard_address(guard);
        let expected = self.constant_bytes(&vec![GUARD_BYTE; usize::from(options.bytes)]);
        let (length, pad) = (self.i32(i64::from(options.bytes)), self.i32(GUARD_BYTE as i64));
        let order = self.slot_value(Slot::CompareBytes, &[address, length, expected, length, pad]);
        let changed = self.b.ins().icmp_imm_s(IntCC::NotEqual, order, 0);
        let (bad, good) = (self.cold_block(), self.b.create_block());
        self.branch(changed, bad, good);
        self.begin(bad);
        let called = match &call.target {
            CallTarget::Literal(name) => name.to_string(),
            CallTarget::Name(reference) | CallTarget::Pointer(reference) => self.program.item(reference.item).name.to_string(),
            CallTarget::Nested { .. } => "a contained program".to_string(),
        };
        let address = self.constant_bytes(called.as_bytes());
        let length = self.i64(called.len() as i64);
        let name = self.last_parameter(call).map_or(String::new(), |item| self.program.item(item).name.to_string());
        self.report(check::STORAGE, &name, [address, length], options.abend);
        self.goto(good);
        self.begin(good);
    }

    fn guard_address(&mut self, guard: u32) -> Value {
        self.address(At { base: self.working, offset: guard as i32 })
    }

    /// The parameter nearest to the end of WORKING-STORAGE, through which its end is passed.
    fn last_parameter(&self, call: &Call) -> Option<ItemId> {
        let program = self.program;
        let passed = call.arguments.iter().filter_map(|argument| match (argument.mode, &argument.value) {
            (CallMode::Reference, Operand::Reference(reference)) => Some(reference.item),
            _ => None,
        });
        let working = passed.filter(|item| program.base(program.item(*item).base).kind == BaseKind::Working);
        working.max_by_key(|item| program.item(*item).offset.fixed)
    }
}

/// The value of the bytes behind WORKING-STORAGE during a CALL.
const GUARD_BYTE: u8 = 0xAA;
