//! INITIALIZE, ALLOCATE, FREE.

use super::field::At;
use super::*;
use cobol::program::{AddressTarget, Allocate, InitializeStep, Reference};
use program::requests::service;

impl Emitter<'_, '_> {
    pub fn initialize(&mut self, steps: &[InitializeStep]) {
        for step in steps {
            match step {
                InitializeStep::Move { target, value } => self.move_operand(value, target),
                InitializeStep::Image { target, runs } => {
                    let field = self.field(target);
                    for (offset, bytes) in runs {
                        let at = At { offset: field.at.offset + *offset as i32, ..field.at };
                        self.store_constant(at, bytes);
                    }
                }
                InitializeStep::Loop { table, body, .. } => {
                    let count = self.occurrences(*table);
                    self.counted_loop(count, |emitter, number| {
                        emitter.loop_variables.push(number);
                        emitter.initialize(body);
                        emitter.loop_variables.pop();
                    });
                }
            }
        }
    }

    pub fn allocate(&mut self, statement: &Allocate) {
        let bytes = match (&statement.characters, statement.item) {
            (Some(expression), _) => self.integer(expression),
            (None, Some(item)) => self.i64(self.program.item(item).length_max as i64),
            (None, None) => self.i64(0),
        };
        let words = self.temporary_address(8);
        self.store(bytes, words, 0);
        let address = self.service(service::ALLOCATE, words, 1);
        if let Some(item) = statement.item {
            self.store_address(&AddressTarget::Base(item), address);
        }
        if let Some(target) = &statement.returning {
            self.store_address(target, address);
        }
        if statement.initialized && statement.item.is_none() {
            let (got, next) = (self.b.create_block(), self.b.create_block());
            self.branch(address, got, next);
            self.begin(got);
            let (zero, length) = (self.i32(0), self.b.ins().ireduce(I32, bytes));
            self.slot(Slot::Fill, &[address, zero, length]);
            self.goto(next);
            self.begin(next);
        }
        self.initialize(&statement.initialize);
    }

    pub fn free(&mut self, targets: &[AddressTarget]) {
        for target in targets {
            let address = match target {
                AddressTarget::Base(item) => {
                    let field = self.field(&Reference::plain(*item, Default::default()));
                    let address = self.field_address(&field);
                    self.known_address(address, *item)
                }
                AddressTarget::Item(reference) => {
                    let field = self.field(reference);
                    self.load_binary(field.at, 4, false)
                }
            };
            let words = self.temporary_address(8);
            self.store(address, words, 0);
            self.service(service::FREE, words, 1);
            let null = self.null();
            self.store_address(target, null);
        }
    }
}
