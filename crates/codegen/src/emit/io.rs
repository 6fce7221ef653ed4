//! DISPLAY, ACCEPT, STOP literal.

use super::*;
use cobol::program::{Accept, AcceptSource, Display, DisplayTarget, Operand as Item};
use program::requests::{Operand, accept_source, display_flags, service};

impl Emitter<'_, '_> {
    pub fn display(&mut self, statement: &Display) {
        let count = statement.values.len();
        let size = std::mem::size_of::<Operand>();
        let list = self.temporary_address((size * count.max(1)) as u32);
        for (number, value) in statement.values.iter().enumerate() {
            self.check_operand(value);
            let field = self.source_field(value);
            let (address, attributes) = (self.field_address(&field), self.attributes_address(&field));
            self.store(address, list, size * number + offset_of!(Operand, address));
            self.store(attributes, list, size * number + offset_of!(Operand, attributes));
        }
        let target = match statement.upon {
            DisplayTarget::SystemOutput => display_flags::SYSOUT,
            DisplayTarget::Console => display_flags::CONSOLE,
            DisplayTarget::Punch => display_flags::PUNCH,
            DisplayTarget::EnvironmentName => display_flags::ENVIRONMENT_NAME,
            DisplayTarget::EnvironmentValue => display_flags::ENVIRONMENT_VALUE,
        };
        let flags = target | if statement.no_advancing { display_flags::NO_ADVANCING } else { 0 };
        let (count, flags) = (self.i32(count as i64), self.i32(flags as i64));
        let frame = self.frame;
        self.slot(Slot::Display, &[frame, list, count, flags]);
    }

    pub fn accept(&mut self, statement: &Accept) {
        let source = match statement.from {
            AcceptSource::Date { four_digit_year } => four_digit_year as u32,
            AcceptSource::Day { four_digit_year } => 2 + four_digit_year as u32,
            AcceptSource::DayOfWeek => 4,
            AcceptSource::Time => 5,
            AcceptSource::Device { console: false } => accept_source::SYSIN,
            AcceptSource::Device { console: true } => accept_source::CONSOLE,
            AcceptSource::CommandLine => accept_source::COMMAND_LINE,
            AcceptSource::EnvironmentValue => accept_source::ENVIRONMENT_VALUE,
        };
        let field = self.field(&statement.into);
        let (area, attributes) = (self.field_address(&field), self.attributes_address(&field));
        let source = self.i32(source as i64);
        let frame = self.frame;
        self.slot(Slot::Accept, &[frame, attributes, area, source]);
    }

    pub fn stop_literal(&mut self, operand: &Item) {
        let field = self.source_field(operand);
        let (address, length) = self.bytes_of(&field);
        let length = self.b.ins().uextend(I64, length);
        let words = self.temporary_address(16);
        self.store(address, words, 0);
        self.store(length, words, 8);
        self.service(service::STOP_LITERAL, words, 2);
    }
}
