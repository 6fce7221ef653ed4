//! DISPLAY, ACCEPT, STOP literal.

use super::*;
use cobol::program::{Accept, AcceptSource, Display, DisplayTarget, Operand as Item};
use program::requests::{Operand, accept_source, display_flags, service};

impl Emitter<'_, '_> {
    pub fn display(&mut self, statement: &Display) {
        let dd = self.display_dd(statement);
        let first = usize::from(dd.is_some());
        let count = first + statement.values.len();
        let size = std::mem::size_of::<Operand>();
        let list = self.temporary_address((size * count.max(1)) as u32);
        let fields = statement.values.iter().map(Some);
        for (number, value) in dd.iter().map(|_| None).chain(fields).enumerate() {
            let field = match (value, dd) {
                (Some(value), _) => {
                    self.check_operand(value);
                    self.source_field(value)
                }
                (None, Some(name)) => name,
                (None, None) => continue,
            };
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
        let mut flags = target | if statement.no_advancing { display_flags::NO_ADVANCING } else { 0 };
        flags |= if dd.is_some() { display_flags::DD_NAME } else { 0 };
        let (count, flags) = (self.i32(count as i64), self.i32(flags as i64));
        let frame = self.frame;
        self.slot(Slot::Display, &[frame, list, count, flags]);
    }

    /// OUTDD: the DD name as a first operand, unless it is the default one.
    fn display_dd(&mut self, statement: &Display) -> Option<super::field::Field> {
        let name = &self.program.options.display_dd;
        if statement.upon != DisplayTarget::SystemOutput || name == cobol::options::DISPLAY_DD {
            return None;
        }
        let bytes = self.layout().session.code_page.encode(name);
        Some(self.constant_field(&bytes, le::Attributes::alphanumeric(bytes.len() as u32)))
    }

    pub fn accept(&mut self, statement: &Accept) {
        let source = match statement.from {
            AcceptSource::Date { four_digit_year: false } => accept_source::DATE,
            AcceptSource::Date { four_digit_year: true } => accept_source::DATE_YYYYMMDD,
            AcceptSource::Day { four_digit_year: false } => accept_source::DAY,
            AcceptSource::Day { four_digit_year: true } => accept_source::DAY_YYYYDDD,
            AcceptSource::DayOfWeek => accept_source::DAY_OF_WEEK,
            AcceptSource::Time => accept_source::TIME,
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
