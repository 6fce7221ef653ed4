//! STRING, UNSTRING, INSPECT: builds the parameter lists for the run time.

use super::field::Field;
use super::moves::Source;
use super::number::Number;
use super::*;
use cobol::program::{Inspect, InspectConvert, InspectMode, InspectRegion, Operand, Reference, StringInto, Unstring, UnstringInto};
use le::Usage;
use le::inspect::InspectPhrase;
use le::string::StringSource;
use le::unstring::{Delimiter, UnstringTarget};
use program::requests::UnstringRequest;

/// The encoding of an item's characters: the program's code page, UTF-16 or UTF-8.
fn characters_of(attributes: &le::Attributes) -> Usage {
    match attributes.usage {
        Usage::Utf8 => Usage::Utf8,
        _ if attributes.is_national() => Usage::National,
        _ => Usage::Alphanumeric,
    }
}

impl<'a> Emitter<'_, 'a> {
    /// Characters of an operand: address and length. A figurative constant is one character.
    fn text(&mut self, operand: &Operand, usage: Usage) -> (Value, Value) {
        let field = match self.source(operand) {
            Source::Figurative(figurative) => {
                let bytes = self.figurative_bytes(&figurative, usage);
                self.constant_field(&bytes, le::Attributes::alphanumeric(bytes.len() as u32))
            }
            other => self.as_field(other),
        };
        let (address, length) = self.bytes_of(&field);
        let attributes = field.attributes;
        if attributes.usage == Usage::Utf8 && attributes.edit > 0 && field.is_fixed() {
            // The characters, without the unused bytes behind them.
            let characters = self.i64(i64::from(attributes.edit));
            let bytes = self.utf8_offset(address, length, characters);
            return (address, self.b.ins().ireduce(I32, bytes));
        }
        (address, length)
    }

    fn optional_text(&mut self, operand: &Option<Operand>, usage: Usage) -> (Value, Value) {
        match operand {
            Some(operand) => self.text(operand, usage),
            None => (self.null(), self.i32(0)),
        }
    }

    /// A counter in memory: the item's value, or `start`.
    fn counter(&mut self, item: &Option<Reference>, start: i64) -> (Value, Option<Field>) {
        let address = self.temporary_address(8);
        let (value, field) = match item {
            Some(reference) => {
                let field = self.field(reference);
                (self.load_integer(&field), Some(field))
            }
            None => (self.i64(start), None),
        };
        self.store(value, address, 0);
        (address, field)
    }

    fn store_counter(&mut self, address: Value, field: Option<Field>) {
        if let Some(field) = field {
            let value = self.b.ins().load(I64, NOTRAP, address, 0);
            self.store_number(Number::Short { value, scale: 0, digits: 18 }, &field, 0);
        }
    }

    pub fn string_statement(&mut self, statement: &'a StringInto) {
        let target = self.field(&statement.into);
        let usage = characters_of(&target.attributes);
        let size = std::mem::size_of::<StringSource>();
        let list = self.temporary_address((size * statement.pieces.len().max(1)) as u32);
        for (number, piece) in statement.pieces.iter().enumerate() {
            let at = size * number;
            self.check_operand(&piece.from);
            let (address, length) = self.text(&piece.from, usage);
            let (delimiter, delimiter_length) = self.optional_text(&piece.delimiter, usage);
            self.store(address, list, at + offset_of!(StringSource, address));
            self.store(delimiter, list, at + offset_of!(StringSource, delimiter));
            self.store(length, list, at + offset_of!(StringSource, length));
            self.store(delimiter_length, list, at + offset_of!(StringSource, delimiter_length));
        }
        let (pointer, pointer_field) = self.counter(&statement.pointer, 1);
        let count = self.i32(statement.pieces.len() as i64);
        let session = self.session;
        let (area, described) = (self.field_address(&target), self.attributes_address(&target));
        let overflow = self.slot_value(Slot::String, &[session, list, count, area, described, pointer]);
        self.store_counter(pointer, pointer_field);
        self.overflow_branches(overflow, &statement.on_overflow, &statement.not_on_overflow);
    }

    fn overflow_branches(
        &mut self,
        overflow: Value,
        on: &'a Option<cobol::program::Statements>,
        not_on: &'a Option<cobol::program::Statements>,
    ) {
        if on.is_some() || not_on.is_some() {
            self.two_branches(overflow, on.as_deref(), not_on.as_deref());
        }
    }

    pub fn unstring_statement(&mut self, statement: &'a Unstring) {
        let source = self.source_field(&statement.from);
        let usage = characters_of(&source.attributes);
        let size = std::mem::size_of::<Delimiter>();
        let delimiters = self.temporary_address((size * statement.delimiters.len().max(1)) as u32);
        for (number, delimiter) in statement.delimiters.iter().enumerate() {
            let (address, length) = self.text(&delimiter.value, usage);
            let all = self.i32(delimiter.all as i64);
            self.store(address, delimiters, size * number + offset_of!(Delimiter, address));
            self.store(length, delimiters, size * number + offset_of!(Delimiter, length));
            self.store(all, delimiters, size * number + offset_of!(Delimiter, all));
        }
        let targets = self.unstring_targets(&statement.into);
        let (pointer, pointer_field) = self.counter(&statement.pointer, 1);
        let (tallying, tallying_field) = self.counter(&statement.tallying, 0);
        let request = self.temporary_address(std::mem::size_of::<UnstringRequest>() as u32);
        let (area, described) = (self.field_address(&source), self.attributes_address(&source));
        for (value, offset) in [
            (area, offset_of!(UnstringRequest, source)),
            (described, offset_of!(UnstringRequest, source_attributes)),
            (delimiters, offset_of!(UnstringRequest, delimiters)),
            (targets, offset_of!(UnstringRequest, targets)),
            (pointer, offset_of!(UnstringRequest, pointer)),
            (tallying, offset_of!(UnstringRequest, tallying)),
        ] {
            self.store(value, request, offset);
        }
        let (delimiter_count, target_count) = (self.i32(statement.delimiters.len() as i64), self.i32(statement.into.len() as i64));
        self.store(delimiter_count, request, offset_of!(UnstringRequest, delimiter_count));
        self.store(target_count, request, offset_of!(UnstringRequest, target_count));
        let session = self.session;
        let overflow = self.slot_value(Slot::Unstring, &[session, request]);
        self.store_counter(pointer, pointer_field);
        self.store_counter(tallying, tallying_field);
        self.overflow_branches(overflow, &statement.on_overflow, &statement.not_on_overflow);
    }

    fn unstring_targets(&mut self, into: &[UnstringInto]) -> Value {
        let size = std::mem::size_of::<UnstringTarget>();
        let list = self.temporary_address((size * into.len().max(1)) as u32);
        for (number, target) in into.iter().enumerate() {
            let parts = [
                (Some(&target.into), offset_of!(UnstringTarget, address), offset_of!(UnstringTarget, attributes)),
                (
                    target.delimiter.as_ref(),
                    offset_of!(UnstringTarget, delimiter_address),
                    offset_of!(UnstringTarget, delimiter_attributes),
                ),
                (target.count.as_ref(), offset_of!(UnstringTarget, count_address), offset_of!(UnstringTarget, count_attributes)),
            ];
            for (reference, address_offset, attributes_offset) in parts {
                let (address, attributes) = match reference {
                    Some(reference) => {
                        let field = self.field(reference);
                        (self.field_address(&field), self.attributes_address(&field))
                    }
                    None => (self.null(), self.null()),
                };
                self.store(address, list, size * number + address_offset);
                self.store(attributes, list, size * number + attributes_offset);
            }
        }
        list
    }

    pub fn inspect_statement(&mut self, statement: &Inspect) {
        let target = self.source_field(&statement.target);
        if !statement.tallying.is_empty() {
            self.inspect_tallying(statement, &target);
        }
        if !statement.replacing.is_empty() {
            self.inspect_replacing(statement, &target);
        }
        if let Some(convert) = &statement.converting {
            self.inspect_converting(convert, &target);
        }
    }

    fn mode(mode: InspectMode) -> i64 {
        match mode {
            InspectMode::Characters => 0,
            InspectMode::All => 1,
            InspectMode::Leading => 2,
            InspectMode::First => 3,
        }
    }

    fn inspect_tallying(&mut self, statement: &Inspect, target: &Field) {
        let usage = characters_of(&target.attributes);
        let count = statement.tallying.len();
        let size = std::mem::size_of::<InspectPhrase>();
        let list = self.temporary_address((size * count) as u32);
        let counters = self.temporary_address(8 * count as u32);
        // Each phrase has its own counter; its count is added to the item afterwards.
        for (number, phrase) in statement.tallying.iter().enumerate() {
            let value = self.optional_text(&phrase.value, usage);
            let none = (self.null(), self.i32(0));
            self.phrase(list, size * number, (Self::mode(phrase.mode), number), value, none, &phrase.region, usage);
            let zero = self.i64(0);
            self.store(zero, counters, 8 * number);
        }
        let session = self.session;
        let (area, described) = (self.field_address(target), self.attributes_address(target));
        let count_value = self.i32(count as i64);
        self.slot(Slot::InspectTally, &[session, area, described, list, count_value, counters, count_value]);
        for (number, phrase) in statement.tallying.iter().enumerate() {
            let counted = self.b.ins().load(I64, NOTRAP, counters, 8 * number as i32);
            let field = self.field(&phrase.counter);
            let old = self.load_integer(&field);
            let value = self.b.ins().iadd(old, counted);
            self.store_number(Number::Short { value, scale: 0, digits: 18 }, &field, 0);
        }
    }

    fn inspect_replacing(&mut self, statement: &Inspect, target: &Field) {
        let usage = characters_of(&target.attributes);
        let count = statement.replacing.len();
        let size = std::mem::size_of::<InspectPhrase>();
        let list = self.temporary_address((size * count) as u32);
        for (number, phrase) in statement.replacing.iter().enumerate() {
            let value = self.optional_text(&phrase.value, usage);
            let by = self.text(&phrase.by, usage);
            self.phrase(list, size * number, (Self::mode(phrase.mode), 0), value, by, &phrase.region, usage);
        }
        let session = self.session;
        let (area, described) = (self.field_address(target), self.attributes_address(target));
        let count = self.i32(count as i64);
        self.slot(Slot::InspectReplace, &[session, area, described, list, count]);
    }

    fn inspect_converting(&mut self, convert: &InspectConvert, target: &Field) {
        let usage = characters_of(&target.attributes);
        let list = self.temporary_address(std::mem::size_of::<InspectPhrase>() as u32);
        let from = self.text(&convert.from, usage);
        let to = self.text(&convert.to, usage);
        self.phrase(list, 0, (1, 0), from, to, &convert.region, usage);
        let session = self.session;
        let (area, described) = (self.field_address(target), self.attributes_address(target));
        self.slot(Slot::InspectConvert, &[session, area, described, list]);
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of one phrase of INSPECT")]
    fn phrase(
        &mut self,
        list: Value,
        at: usize,
        (mode, counter): (i64, usize),
        value: (Value, Value),
        by: (Value, Value),
        region: &InspectRegion,
        usage: Usage,
    ) {
        let (before, before_length) = self.optional_text(&region.before, usage);
        let (after, after_length) = self.optional_text(&region.after, usage);
        let (mode, counter) = (self.i32(mode), self.i32(counter as i64));
        for (what, offset) in [
            (mode, offset_of!(InspectPhrase, kind)),
            (counter, offset_of!(InspectPhrase, counter)),
            (value.0, offset_of!(InspectPhrase, comparand)),
            (by.0, offset_of!(InspectPhrase, replacement)),
            (before, offset_of!(InspectPhrase, before)),
            (after, offset_of!(InspectPhrase, after)),
            (value.1, offset_of!(InspectPhrase, comparand_length)),
            (by.1, offset_of!(InspectPhrase, replacement_length)),
            (before_length, offset_of!(InspectPhrase, before_length)),
            (after_length, offset_of!(InspectPhrase, after_length)),
        ] {
            self.store(what, list, at + offset);
        }
    }
}
