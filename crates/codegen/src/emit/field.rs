//! References to data: address, length, description.

use super::*;
use crate::layout::AreaPlace;
use cobol::program::{BaseKind, ItemId, Modification, Reference, Size, Subscript};
use cranelift_codegen::ir::condcodes::IntCC;
use le::{Attributes, Usage};
use program::abi::{NULL_BASE, NULL_BYTES};

/// An address: a 64-bit base and a constant offset.
#[derive(Clone, Copy, Debug)]
pub struct At {
    pub base: Value,
    pub offset: i32,
}

#[derive(Clone, Copy, Debug)]
pub enum Length {
    Fixed(u32),
    /// Bytes now (32 bits) and at most.
    Varying(Value, u32),
}

impl Length {
    pub fn most(self) -> u32 {
        match self {
            Length::Fixed(length) | Length::Varying(_, length) => length,
        }
    }
}

/// An operand in storage.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub at: At,
    pub length: Length,
    pub attributes: Attributes,
    /// Storage named only by this program's own items: (area, offset, length), to determine whether two fields overlap.
    pub extent: Option<(u32, u32, u32)>,
}

impl Field {
    pub fn is_fixed(&self) -> bool {
        matches!(self.length, Length::Fixed(_))
    }

    /// The two fields surely have no byte in common.
    pub fn is_apart(&self, other: &Field) -> bool {
        match (self.extent, other.extent) {
            (Some((area, from, length)), Some((other_area, other_from, other_length))) => {
                area != other_area || from + length <= other_from || other_from + other_length <= from
            }
            _ => false,
        }
    }
}

/// Extents of the own areas; a constant is apart from everything.
const CONSTANT_EXTENT: (u32, u32, u32) = (u32::MAX, 0, 0);
const WORKING_EXTENT: u32 = 0;
const LOCAL_EXTENT: u32 = 1;

impl Emitter<'_, '_> {
    pub fn address(&mut self, at: At) -> Value {
        if at.offset == 0 { at.base } else { self.b.ins().iadd_imm_s(at.base, at.offset as i64) }
    }

    /// The value of a linkage base for an address that the program knows, 32 bits: see `kernel::PREFIX`.
    pub fn base_of(&mut self, address: Value) -> Value {
        let is_low = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, address, i64::from(NULL_BYTES));
        let moved = self.b.ins().iadd_imm_s(address, i64::from(NULL_BASE));
        self.b.ins().select(is_low, moved, address)
    }

    /// The address of an item as the program knows it, 64 bits.
    pub fn known_address(&mut self, address: Value, item: ItemId) -> Value {
        let kind = &self.program.base(self.program.item(item).base).kind;
        if !matches!(kind, BaseKind::Linkage | BaseKind::Outer { .. }) {
            return address;
        }
        let known = self.b.ins().iadd_imm_s(address, -i64::from(NULL_BASE));
        let is_low = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, known, i64::from(NULL_BYTES));
        self.b.ins().select(is_low, known, address)
    }

    /// A 32-bit address, zero-extended.
    fn confined(&mut self, address: Value) -> Value {
        self.b.ins().uextend(I64, address)
    }

    /// Where an area lies.
    pub fn area(&mut self, base: u32) -> At {
        let place = self.layout().places[base as usize];
        let frame = self.frame;
        self.area_of(place, frame, self.index)
    }

    fn area_of(&mut self, place: AreaPlace, frame: Value, index: usize) -> At {
        let own = index == self.index;
        match place {
            AreaPlace::Working(offset) if own => At { base: self.working, offset: offset as i32 },
            AreaPlace::Local(offset) if own => At { base: self.local, offset: offset as i32 },
            AreaPlace::Working(offset) => {
                let base = self.b.ins().load(I64, FIXED, frame, offset_of!(Frame, working_storage) as i32);
                At { base, offset: offset as i32 }
            }
            AreaPlace::Local(offset) => {
                let base = self.b.ins().load(I64, FIXED, frame, offset_of!(Frame, local_storage) as i32);
                At { base, offset: offset as i32 }
            }
            AreaPlace::Frame(offset) => {
                let address = self.b.ins().load(I32, NOTRAP, frame, offset as i32);
                At { base: self.confined(address), offset: 0 }
            }
            AreaPlace::Outer { levels, base } => {
                let mut frame = frame;
                let mut index = index;
                for _ in 0..levels {
                    frame = self.b.ins().load(I64, FIXED, frame, offset_of!(Frame, outer) as i32);
                    index = self.layouts[index].parent.unwrap_or(0) as usize;
                }
                let place = self.layouts[index].places[base as usize];
                self.area_of(place, frame, index)
            }
        }
    }

    /// Frame offset of the linkage base of an item, if the program itself has it.
    pub fn base_slot(&self, item: ItemId) -> Option<u32> {
        match self.layout().places[self.program.item(item).base.0 as usize] {
            AreaPlace::Frame(offset) => Some(offset),
            _ => None,
        }
    }

    fn extent(&self, base: u32, offset: u32, length: u32) -> Option<(u32, u32, u32)> {
        match self.layout().places[base as usize] {
            AreaPlace::Working(start) => Some((WORKING_EXTENT, start + offset, length)),
            AreaPlace::Local(start) => Some((LOCAL_EXTENT, start + offset, length)),
            _ => None,
        }
    }

    /// A whole item without subscripts.
    pub fn item_field(&mut self, item: ItemId) -> Field {
        self.field(&Reference::plain(item, Default::default()))
    }

    pub fn field(&mut self, reference: &Reference) -> Field {
        // Code that reads the bytes of a resident item finds them current.
        if let Some(index) = self.resident_of(reference) {
            self.flush_resident(index);
        }
        let program = self.program;
        let item = program.item(reference.item);
        let mut attributes = self.layout().descriptor(reference.item);
        let mut length = if item.length.is_fixed() || reference.maximum_length {
            Length::Fixed(if item.length.is_fixed() { item.length.fixed } else { item.length_max })
        } else {
            let now = self.size(&item.length);
            Length::Varying(now, item.length_max)
        };
        let mut offset = item.offset.fixed;
        // The run-time part of the address, 32 bits.
        let mut moving: Option<Value> = None;
        if !item.offset.is_fixed() {
            let terms = Size { fixed: 0, terms: item.offset.terms.clone() };
            moving = Some(self.size(&terms));
        }
        for (dimension, subscript) in item.dimensions.iter().zip(&reference.subscripts) {
            self.subscript(*dimension, subscript, &mut offset, &mut moving);
        }
        let base = item.base.0;
        let in_one_piece = moving.is_none();
        let in_characters = item.usage == cobol::program::Usage::Utf8;
        if let Some(modification) = reference.modification.as_ref().filter(|_| !in_characters) {
            length = self.modify(modification, reference.item, &mut attributes, length, &mut offset, &mut moving);
        }
        let area = self.area(base);
        let at = match moving {
            None => At { base: area.base, offset: area.offset.wrapping_add(offset as i32) },
            Some(moving) => {
                let start = self.b.ins().ireduce(I32, area.base);
                let start = self.b.ins().iadd(start, moving);
                let start = self.b.ins().iadd_imm_s(start, area.offset as i64 + offset as i64);
                At { base: self.confined(start), offset: 0 }
            }
        };
        if let Some(modification) = reference.modification.as_ref().filter(|_| in_characters) {
            return self.modify_characters(modification, at, length, attributes);
        }
        if let Length::Fixed(length) = length {
            attributes.length = length;
        }
        let extent = match (in_one_piece, length) {
            (true, Length::Fixed(length)) if moving.is_none() => self.extent(base, offset, length),
            _ => None,
        };
        Field { at, length, attributes, extent }
    }

    /// Reference modification of a UTF-8 item: start and length count characters, whose bytes are found at run time.
    fn modify_characters(&mut self, modification: &Modification, at: At, length: Length, attributes: Attributes) -> Field {
        let (area, whole) = (self.address(at), self.length_value(length));
        let start = self.integer(&modification.start);
        let before = self.b.ins().iadd_imm_s(start, -1);
        let from = self.utf8_offset(area, whole, before);
        let last = match &modification.length {
            Some(expression) => {
                let characters = self.integer(expression);
                self.b.ins().iadd(before, characters)
            }
            None => self.i64(i64::from(attributes.characters_max())),
        };
        let to = self.utf8_offset(area, whole, last);
        let bytes = self.b.ins().isub(to, from);
        let bytes = self.b.ins().ireduce(I32, bytes);
        let base = self.b.ins().iadd(area, from);
        let at = At { base, offset: 0 };
        let attributes = Attributes::new(Usage::Utf8, length.most());
        Field { at, length: Length::Varying(self.not_negative(bytes), length.most()), attributes, extent: None }
    }

    /// Bytes of the first so many characters of an area of UTF-8: 64 bits.
    pub fn utf8_offset(&mut self, area: Value, length: Value, characters: Value) -> Value {
        let words = self.temporary_address(24);
        self.store(area, words, 0);
        let length = self.b.ins().uextend(I64, length);
        self.store(length, words, 8);
        self.store(characters, words, 16);
        self.service(program::requests::service::UTF8_OFFSET, words, 3)
    }

    /// Bytes now, 32 bits.
    pub fn size(&mut self, size: &Size) -> Value {
        let mut total = self.i32(size.fixed as i64);
        for term in &size.terms {
            let count = self.occurrences(term.table);
            let bytes = if term.stride.is_fixed() {
                self.b.ins().imul_imm_s(count, term.stride.fixed as i64)
            } else {
                let stride = self.size(&term.stride);
                self.b.ins().imul(count, stride)
            };
            total = self.b.ins().iadd(total, bytes);
        }
        total
    }

    /// Current number of occurrences of a table, 32 bits.
    pub fn occurrences(&mut self, table: ItemId) -> Value {
        let program = self.program;
        let Some(occurs) = &program.item(table).occurs else {
            return self.i32(1);
        };
        match occurs.depending {
            None => self.i32(occurs.max as i64),
            Some(depending) => {
                let value = self.item_integer(depending);
                let value = self.b.ins().ireduce(I32, value);
                if self.program.options.ssrange.is_some() {
                    self.check_range(value, occurs.min as i64, occurs.max as i64, le::Exception::OccursDependingOn as u32, table);
                }
                value
            }
        }
    }

    /// Value of an unsubscripted integer item, 64 bits.
    pub fn item_integer(&mut self, item: ItemId) -> Value {
        if let Some(value) = self.resident_item(item) {
            return value;
        }
        let field = self.item_field(item);
        self.load_integer(&field)
    }

    fn check_range(&mut self, value: Value, low: i64, high: i64, code: u32, item: ItemId) {
        let from_low = self.b.ins().iadd_imm_s(value, -low);
        let limit = self.i32(high - low);
        let outside = self.b.ins().icmp(IntCC::UnsignedGreaterThan, from_low, limit);
        let (bad, good) = (self.cold_block(), self.b.create_block());
        self.branch(outside, bad, good);
        self.begin(bad);
        self.range_error(code, item);
        self.goto(good);
        self.begin(good);
    }

    /// Adds the contribution of one subscript to the address.
    fn subscript(&mut self, dimension: ItemId, subscript: &Subscript, offset: &mut u32, moving: &mut Option<Value>) {
        let program = self.program;
        let occurs = program.item(dimension).occurs.as_ref().expect("a dimension has OCCURS");
        let number = match subscript {
            Subscript::Literal(number) if occurs.stride.is_fixed() => {
                *offset = offset.wrapping_add(number.wrapping_sub(1).wrapping_mul(occurs.stride.fixed));
                return;
            }
            Subscript::Literal(number) => self.i32(*number as i64),
            Subscript::Index { index, plus } => {
                let value = self.item_integer(*index);
                let value = self.b.ins().ireduce(I32, value);
                self.plus(value, *plus, offset, occurs.stride.is_fixed().then_some(occurs.stride.fixed))
            }
            Subscript::Item { reference, plus } => {
                let place = self.place(reference);
                if let super::resident::Place::Storage(field) = &place {
                    self.check_sender(reference, field);
                }
                let value = self.load_place_integer(&place);
                let value = self.b.ins().ireduce(I32, value);
                self.plus(value, *plus, offset, occurs.stride.is_fixed().then_some(occurs.stride.fixed))
            }
            Subscript::Expression(expression) => {
                let value = self.integer(expression);
                self.b.ins().ireduce(I32, value)
            }
            Subscript::Loop(depth) => self.loop_variables[*depth as usize],
            Subscript::All => self.i32(1),
        };
        if self.program.options.ssrange.is_some() && !matches!(subscript, Subscript::Loop(_)) {
            let plus = match subscript {
                Subscript::Index { plus, .. } | Subscript::Item { plus, .. } if occurs.stride.is_fixed() => *plus as i64,
                _ => 0,
            };
            self.check_range(number, 1 - plus, occurs.max as i64 - plus, le::Exception::Subscript as u32, dimension);
        }
        let bytes = if occurs.stride.is_fixed() {
            // (n - 1) * stride, the constant part in the offset.
            *offset = offset.wrapping_sub(occurs.stride.fixed);
            self.b.ins().imul_imm_s(number, occurs.stride.fixed as i64)
        } else {
            let stride = self.size(&occurs.stride);
            let before = self.b.ins().iadd_imm_s(number, -1);
            self.b.ins().imul(before, stride)
        };
        *moving = Some(match *moving {
            None => bytes,
            Some(sum) => self.b.ins().iadd(sum, bytes),
        });
    }

    /// The constant part of a subscript goes into the offset if the stride is fixed.
    fn plus(&mut self, value: Value, plus: i32, offset: &mut u32, stride: Option<u32>) -> Value {
        match (plus, stride) {
            (0, _) => value,
            (plus, Some(stride)) => {
                *offset = offset.wrapping_add((plus as u32).wrapping_mul(stride));
                value
            }
            (plus, None) => self.b.ins().iadd_imm_s(value, plus as i64),
        }
    }

    /// Reference modification: moves the start and sets the new length.
    fn modify(
        &mut self,
        modification: &Modification,
        item: ItemId,
        attributes: &mut Attributes,
        length: Length,
        offset: &mut u32,
        moving: &mut Option<Value>,
    ) -> Length {
        let width = if attributes.is_national() || attributes.usage == Usage::Dbcs { 2u32 } else { 1 };
        attributes.usage = if width == 2 && attributes.usage != Usage::Dbcs {
            Usage::National
        } else if attributes.usage == Usage::Dbcs {
            Usage::Dbcs
        } else {
            Usage::Alphanumeric
        };
        attributes.flags = 0;
        attributes.digits = 0;
        attributes.scale = 0;
        attributes.sign = le::Sign::Unsigned;
        let start = super::number::constant_integer(&modification.start);
        let size = modification.length.as_ref().map(super::number::constant_integer);
        if self.program.options.ssrange.is_some() {
            self.check_modification(modification, item, length, width);
        }
        let start_value = match start {
            Some(start) => {
                *offset = offset.wrapping_add((start as u32).wrapping_sub(1).wrapping_mul(width));
                None
            }
            None => {
                let value = self.integer(&modification.start);
                let value = self.b.ins().ireduce(I32, value);
                let bytes = if width == 1 { value } else { self.b.ins().imul_imm_s(value, width as i64) };
                *offset = offset.wrapping_sub(width);
                *moving = Some(match *moving {
                    None => bytes,
                    Some(sum) => self.b.ins().iadd(sum, bytes),
                });
                Some(bytes)
            }
        };
        match (size, &modification.length) {
            (Some(Some(size)), _) => Length::Fixed((size as u32).wrapping_mul(width)),
            (_, Some(expression)) => {
                let value = self.integer(expression);
                let value = self.b.ins().ireduce(I32, value);
                let value = if width == 1 { value } else { self.b.ins().imul_imm_s(value, width as i64) };
                Length::Varying(self.not_negative(value), length.most())
            }
            (_, None) => self.rest(length, start, start_value, width),
        }
    }

    /// Length from the start to the end of the item.
    fn rest(&mut self, length: Length, start: Option<i64>, start_value: Option<Value>, width: u32) -> Length {
        match (length, start, start_value) {
            (Length::Fixed(length), Some(start), _) => Length::Fixed((length as i64 - (start - 1) * width as i64).max(0) as u32),
            (length, start, start_value) => {
                let most = length.most();
                let whole = match length {
                    Length::Fixed(length) => self.i32(length as i64),
                    Length::Varying(value, _) => value,
                };
                let before = match start_value {
                    Some(start) => self.b.ins().iadd_imm_s(start, -(width as i64)),
                    None => self.i32((start.unwrap_or(1) - 1) * width as i64),
                };
                let rest = self.b.ins().isub(whole, before);
                Length::Varying(self.not_negative(rest), most)
            }
        }
    }

    fn not_negative(&mut self, value: Value) -> Value {
        let zero = self.i32(0);
        self.b.ins().smax(value, zero)
    }

    fn check_modification(&mut self, modification: &Modification, item: ItemId, length: Length, width: u32) {
        if self.program.options.ssrange.is_some_and(|options| options.message || options.zero_length) {
            let whole = self.length_value(length);
            let whole = if width == 1 { whole } else { self.b.ins().ushr_imm_u(whole, 1) };
            return self.check_modification_parts(item, modification, whole);
        }
        let start = self.integer(&modification.start);
        let size = match &modification.length {
            Some(length) => self.integer(length),
            None => self.i64(program::requests::REST_OF_ITEM),
        };
        let whole = self.length_value(length);
        let whole = if width == 1 { whole } else { self.b.ins().ushr_imm_u(whole, 1) };
        self.slot(Slot::CheckReference, &[start, size, whole]);
    }

    /// Length now, 32 bits.
    pub fn length_value(&mut self, length: Length) -> Value {
        match length {
            Length::Fixed(length) => self.i32(length as i64),
            Length::Varying(value, _) => value,
        }
    }

    /// The address of a field for the run time, which treats the null pointer as a missing operand, while Rust allows it nowhere. An item
    /// without storage is therefore at address 1 instead, which is equally inaccessible.
    pub fn field_address(&mut self, field: &Field) -> Value {
        let address = self.address(field.at);
        if field.extent.is_some() || field.at.offset != 0 {
            return address;
        }
        let is_null = self.b.ins().icmp_imm_s(IntCC::Equal, address, 0);
        let one = self.b.ins().uextend(I64, is_null);
        self.b.ins().bor(address, one)
    }

    /// Address of the field's description; one whose length varies is built on the stack.
    pub fn attributes_address(&mut self, field: &Field) -> Value {
        match field.length {
            Length::Fixed(length) => {
                let mut attributes = field.attributes;
                attributes.length = length;
                self.constant_attributes(&attributes)
            }
            Length::Varying(length, _) => {
                let address = self.temporary_address(16);
                let bytes = crate::constants::attributes_bytes(&field.attributes);
                let low = i64::from_le_bytes(bytes[..8].try_into().expect("8 bytes"));
                let high = i64::from_le_bytes(bytes[8..].try_into().expect("8 bytes"));
                let (low, high) = (self.i64(low), self.i64(high));
                self.store(low, address, 0);
                self.store(high, address, 8);
                self.store(length, address, offset_of!(Attributes, length));
                address
            }
        }
    }

    pub fn constant_attributes(&mut self, attributes: &Attributes) -> Value {
        let offset = self.constants.attributes(attributes);
        self.constant_address(offset)
    }

    /// Constant bytes as a field.
    pub fn constant_field(&mut self, bytes: &[u8], attributes: Attributes) -> Field {
        let base = self.constant_bytes(bytes);
        Field {
            at: At { base, offset: 0 },
            length: Length::Fixed(bytes.len() as u32),
            attributes: attributes.with_length(bytes.len() as u32),
            extent: Some(CONSTANT_EXTENT),
        }
    }

    /// A field in a temporary on the stack.
    pub fn temporary_field(&mut self, attributes: Attributes) -> Field {
        let base = self.temporary_address(attributes.length);
        let at = At { base, offset: 0 };
        Field { at, length: Length::Fixed(attributes.length), attributes, extent: Some(CONSTANT_EXTENT) }
    }
}
