//! SET in all its forms.

use super::number::Number;
use super::*;
use cobol::program::{AddressTarget, EntryValue, Operand, Reference};
use le::{Attributes, Usage};
use program::requests::service;

impl Emitter<'_, '_> {
    pub fn set_index(&mut self, targets: &[Reference], value: &Operand) {
        let number = self.operand_number(value);
        for target in targets {
            let place = self.place(target);
            self.store_place(number, &place, 0);
        }
    }

    pub fn set_index_by(&mut self, targets: &[Reference], by: &Operand, down: bool) {
        let number = self.operand_number(by);
        let step = self.integer_of(number);
        for target in targets {
            let place = self.place(target);
            let old = self.load_place_integer(&place);
            let value = if down { self.b.ins().isub(old, step) } else { self.b.ins().iadd(old, step) };
            self.store_place(Number::Short { value, scale: 0, digits: 10 }, &place, 0);
        }
    }

    /// An address as a value: NULL, ADDRESS OF, a pointer's.
    fn address_value(&mut self, value: &Operand) -> Value {
        match value {
            Operand::Figurative(..) => self.null(),
            Operand::AddressOf(reference) => self.address_of(reference),
            Operand::Reference(reference) => {
                let field = self.field(reference);
                self.load_binary(field.at, 4, false)
            }
            other => {
                let number = self.operand_number(other);
                self.integer_of(number)
            }
        }
    }

    pub fn set_address(&mut self, targets: &[AddressTarget], value: &Operand) {
        let address = self.address_value(value);
        for target in targets {
            self.store_address(target, address);
        }
    }

    /// Store a 31-bit address in a linkage base or a pointer item.
    pub fn store_address(&mut self, target: &AddressTarget, address: Value) {
        match target {
            AddressTarget::Base(item) => match self.base_slot(*item) {
                Some(slot) => {
                    let address = self.b.ins().ireduce(I32, address);
                    let address = self.base_of(address);
                    self.b.ins().store(NOTRAP, address, self.frame, slot as i32);
                }
                None => self.refuse("SET ADDRESS OF an item that is not in the program's own LINKAGE SECTION"),
            },
            AddressTarget::Item(reference) => {
                let field = self.field(reference);
                match field.attributes.usage {
                    Usage::Pointer | Usage::FunctionPointer => {
                        self.store_binary(address, field.at, 4);
                        if field.length.most() == 8 {
                            let zero = self.null();
                            let at = super::field::At { offset: field.at.offset + 4, ..field.at };
                            self.store_binary(zero, at, 4);
                        }
                    }
                    _ => self.store_integer(address, &field),
                }
            }
        }
    }

    pub fn set_pointer_by(&mut self, targets: &[Reference], by: &Operand, down: bool) {
        let number = self.operand_number(by);
        let step = self.integer_of(number);
        for target in targets {
            let field = self.field(target);
            let old = self.load_binary(field.at, 4, false);
            let value = if down { self.b.ins().isub(old, step) } else { self.b.ins().iadd(old, step) };
            self.store_binary(value, field.at, 4);
        }
    }

    pub fn set_entry(&mut self, targets: &[Reference], value: &EntryValue) {
        let token = match value {
            EntryValue::Null => self.null(),
            EntryValue::Pointer(reference) => {
                let field = self.field(reference);
                self.load_binary(field.at, 4, false)
            }
            EntryValue::Literal(name) => {
                let page = self.layout().session.code_page;
                let bytes = page.encode(name);
                let field = self.constant_field(&bytes, Attributes::alphanumeric(bytes.len() as u32));
                self.entry_token(&field)
            }
            EntryValue::Name(reference) => {
                let field = self.field(reference);
                self.entry_token(&field)
            }
        };
        for target in targets {
            self.store_address(&AddressTarget::Item(target.clone()), token);
        }
    }

    fn entry_token(&mut self, name: &super::field::Field) -> Value {
        let (address, length) = self.bytes_of(name);
        let frame = self.frame;
        let token = self.slot_value(Slot::EntryAddress, &[frame, address, length]);
        self.b.ins().uextend(I64, token)
    }

    pub fn set_switch(&mut self, switch: u8, on: bool) {
        let words = self.temporary_address(16);
        let (number, state) = (self.i64(switch as i64), self.i64(on as i64));
        self.store(number, words, 0);
        self.store(state, words, 8);
        self.service(service::SWITCH_SET, words, 2);
    }
}
