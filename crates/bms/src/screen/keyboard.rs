//! The actions of the operator: typing, moving, erasing, pressing an attention key.

use super::{Cell, Keyboard, Screen};
use crate::attribute::{is_numeric, is_protected, is_skip};
use crate::constants::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("the keyboard is locked")]
    Locked,
    #[error("the position is protected")]
    Protected,
    #[error("the field takes digits only")]
    Numeric,
    #[error("the terminal's code page does not have this character")]
    Character,
    #[error("no room to insert")]
    Full,
    #[error("there is no such field")]
    NoField,
}

impl Screen {
    /// First position of the next unprotected field after this position (that has at least one position), wrapping.
    pub fn next_unprotected(&self, from: u16) -> Option<u16> {
        let positions = self.positions();
        (0..positions).map(|offset| (from as usize + offset) % positions).find_map(|address| {
            let next = (address + 1) % positions;
            let cell = self.cells[address];
            (cell.is_field && !is_protected(cell.code) && !self.cells[next].is_field).then_some(next as u16)
        })
    }

    pub fn set_cursor(&mut self, address: u16) {
        self.cursor = (address as usize % self.positions()) as u16;
    }

    /// Types text at the cursor, skipping from field to field as the terminal does.
    pub fn type_text(&mut self, text: &str) -> Result<(), KeyError> {
        for character in text.chars() {
            let code = self.page.byte_of(character).ok_or(KeyError::Character)?;
            self.type_code(code)?;
        }
        Ok(())
    }

    fn type_code(&mut self, code: u8) -> Result<(), KeyError> {
        if self.keyboard != Keyboard::Unlocked {
            return Err(KeyError::Locked);
        }
        let address = self.cursor;
        let field = self.attribute_address(address);
        if let Some(attribute_address) = field {
            let attribute = self.cells[attribute_address as usize].code;
            if self.cells[address as usize].is_field || is_protected(attribute) {
                return Err(KeyError::Protected);
            }
            let digit = (0xF0..=0xF9).contains(&code) || code == 0x60 || code == 0x4B;
            if is_numeric(attribute) && !digit {
                return Err(KeyError::Numeric);
            }
        }
        if self.insert {
            self.make_room(address)?;
        }
        self.cells[address as usize] = Cell { code, ..Cell::default() };
        if let Some(attribute_address) = field {
            self.set_modified(attribute_address);
        }
        self.cursor = self.following(address);
        self.skip();
        Ok(())
    }

    /// After the last position of a field: over its end into the next one, or by auto-skip to the next unprotected.
    fn skip(&mut self) {
        let cell = self.cells[self.cursor as usize];
        if !cell.is_field {
            return;
        }
        if is_skip(cell.code) {
            self.cursor = self.next_unprotected(self.cursor).unwrap_or(self.cursor);
        } else {
            self.cursor = self.following(self.cursor);
        }
    }

    fn make_room(&mut self, address: u16) -> Result<(), KeyError> {
        let mut end = address;
        loop {
            let cell = self.cells[end as usize];
            if cell.is_field {
                return Err(KeyError::Full);
            }
            if cell.code == 0 {
                break;
            }
            end = self.following(end);
            if end == address {
                return Err(KeyError::Full);
            }
        }
        let positions = self.positions();
        while end != address {
            let before = (end as usize + positions - 1) % positions;
            self.cells[end as usize] = self.cells[before];
            end = before as u16;
        }
        Ok(())
    }

    fn set_modified(&mut self, attribute_address: u16) {
        let cell = &mut self.cells[attribute_address as usize];
        cell.code = crate::address::graphic(cell.code | FA_MODIFY);
    }

    pub fn set_insert(&mut self, insert: bool) {
        self.insert = insert;
    }

    pub fn tab(&mut self) {
        self.cursor = self.next_unprotected(self.cursor).unwrap_or(0);
    }

    pub fn back_tab(&mut self) {
        let positions = self.positions();
        let inputs = (1..positions).map(|offset| ((self.cursor as usize + positions - offset) % positions) as u16);
        let target = inputs.into_iter().find(|&address| {
            let before = self.cells[(address as usize + positions - 1) % positions];
            before.is_field && !is_protected(before.code) && !self.cells[address as usize].is_field
        });
        self.cursor = target.unwrap_or(0);
    }

    pub fn home(&mut self) {
        self.cursor = self.next_unprotected(self.positions() as u16 - 1).unwrap_or(0);
    }

    fn input_field_at_cursor(&self) -> Result<Option<super::ScreenField>, KeyError> {
        if self.keyboard != Keyboard::Unlocked {
            return Err(KeyError::Locked);
        }
        match self.field_at(self.cursor) {
            Some(field) if field.is_protected() || field.address == self.cursor => Err(KeyError::Protected),
            field => Ok(field),
        }
    }

    /// Nulls from the cursor to the end of the field.
    pub fn erase_to_end_of_field(&mut self) -> Result<(), KeyError> {
        let field = self.input_field_at_cursor()?;
        let mut address = self.cursor;
        loop {
            if self.cells[address as usize].is_field || (field.is_none() && address < self.cursor) {
                break;
            }
            self.cells[address as usize] = Cell::default();
            address = self.following(address);
            if address == self.cursor {
                break;
            }
        }
        if let Some(field) = field {
            self.set_modified(field.address);
        }
        Ok(())
    }

    /// Deletes the character at the cursor; the rest of the field moves left.
    pub fn delete(&mut self) -> Result<(), KeyError> {
        let field = self.input_field_at_cursor()?;
        let mut address = self.cursor;
        loop {
            let next = self.following(address);
            if self.cells[next as usize].is_field || next == 0 || next == self.cursor {
                self.cells[address as usize] = Cell::default();
                break;
            }
            self.cells[address as usize] = self.cells[next as usize];
            address = next;
        }
        if let Some(field) = field {
            self.set_modified(field.address);
        }
        Ok(())
    }

    /// Nulls in all input fields, their modified tags off, cursor home.
    pub fn erase_input(&mut self) -> Result<(), KeyError> {
        if self.keyboard != Keyboard::Unlocked {
            return Err(KeyError::Locked);
        }
        if !self.is_formatted() {
            self.cells.fill(Cell::default());
        }
        for field in self.input_fields() {
            let positions = self.positions();
            for offset in 0..field.length as usize {
                self.cells[(field.start as usize + offset) % positions] = Cell::default();
            }
            let cell = &mut self.cells[field.address as usize];
            cell.code = crate::address::graphic(cell.code & !FA_MODIFY);
        }
        self.home();
        Ok(())
    }

    /// Erases the field that begins at this address and types into it.
    pub fn fill_field(&mut self, start: u16, text: &str) -> Result<(), KeyError> {
        self.set_cursor(start);
        self.erase_to_end_of_field()?;
        self.type_text(text)
    }

    /// Fills the `number`-th input field (from 1).
    pub fn fill_input(&mut self, number: usize, text: &str) -> Result<(), KeyError> {
        let fields = self.input_fields();
        let field = number.checked_sub(1).and_then(|index| fields.get(index)).ok_or(KeyError::NoField)?;
        self.fill_field(field.start, text)
    }

    /// Presses an attention key: the record to send. CLEAR also clears the screen. The keyboard waits for the host.
    pub fn press(&mut self, aid: u8) -> Result<Vec<u8>, KeyError> {
        if self.keyboard != Keyboard::Unlocked {
            return Err(KeyError::Locked);
        }
        self.aid = aid;
        self.keyboard = Keyboard::Waiting;
        self.insert = false;
        if aid == AID_CLEAR {
            self.erase(false);
        }
        Ok(self.read_modified(false))
    }

    /// The RESET key: unlocks after an operator error or a lost answer.
    pub fn reset(&mut self) {
        self.keyboard = Keyboard::Unlocked;
        self.insert = false;
    }
}
