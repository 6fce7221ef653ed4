//! A model of a 3270 display: the effect of outbound data, the input of its operator, and the data it sends. It is used by the client of
//! `tn3270`, by `regent drive`, and by tests as an independent check of BMS output.
//!
//! Invariants: `cells.len()` is the number of positions of the size in use; `cursor` and every buffer address are below it; a write that a
//! real terminal would reject (bad address, truncated order) is applied up to the error and returns an error.

mod keyboard;
mod read;
mod write;

pub use keyboard::KeyError;
pub use write::StreamError;

use crate::address::Addressing;
use crate::attribute::{is_hidden, is_modified, is_protected};
use crate::capabilities::{Capabilities, ScreenSize};
use crate::constants::*;
use crate::text::{self, CodePage};

/// One position of the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cell {
    /// Character, or the attribute byte where `is_field`.
    pub code: u8,
    pub is_field: bool,
    /// Character of the alternate set (GE).
    pub graphic: bool,
    pub color: u8,
    pub highlight: u8,
    pub background: u8,
    pub charset: u8,
    /// Field attributes only.
    pub validation: u8,
    pub outline: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keyboard {
    Unlocked,
    /// An AID was sent and the host has not restored the keyboard (X SYSTEM).
    Waiting,
}

/// A field as it is on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScreenField {
    /// Of the attribute byte.
    pub address: u16,
    /// Of the first character.
    pub start: u16,
    pub length: u16,
    pub attribute: u8,
    pub color: u8,
    pub highlight: u8,
}

impl ScreenField {
    pub fn is_protected(&self) -> bool {
        is_protected(self.attribute)
    }

    pub fn is_modified(&self) -> bool {
        is_modified(self.attribute)
    }
}

#[derive(Clone)]
pub struct Screen {
    cells: Vec<Cell>,
    default_size: ScreenSize,
    alternate_size: ScreenSize,
    alternate: bool,
    extended: bool,
    addressing: Addressing,
    cursor: u16,
    keyboard: Keyboard,
    insert: bool,
    /// AID_NO until a key was pressed.
    aid: u8,
    reply_mode: u8,
    reply_attributes: Vec<u8>,
    /// Times the alarm was sounded.
    pub alarm_count: u64,
    /// Writes applied.
    pub write_count: u64,
    page: &'static CodePage,
}

impl Screen {
    pub fn new(capabilities: &Capabilities, page: &'static CodePage) -> Screen {
        Screen {
            cells: vec![Cell::default(); capabilities.default_size.positions()],
            default_size: capabilities.default_size,
            alternate_size: capabilities.alternate_size,
            alternate: false,
            extended: capabilities.extended_data_stream,
            addressing: Addressing::for_positions(capabilities.alternate_size.positions().max(capabilities.default_size.positions())),
            cursor: 0,
            keyboard: Keyboard::Unlocked,
            insert: false,
            aid: AID_NO,
            reply_mode: SF_SRM_FIELD,
            reply_attributes: Vec::new(),
            alarm_count: 0,
            write_count: 0,
            page,
        }
    }

    pub fn size(&self) -> ScreenSize {
        if self.alternate { self.alternate_size } else { self.default_size }
    }

    pub fn is_alternate(&self) -> bool {
        self.alternate
    }

    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    pub fn cursor(&self) -> u16 {
        self.cursor
    }

    /// Row and column of the cursor, from 1.
    pub fn cursor_place(&self) -> (u16, u16) {
        let columns = self.size().columns;
        (self.cursor / columns + 1, self.cursor % columns + 1)
    }

    pub fn keyboard(&self) -> Keyboard {
        self.keyboard
    }

    pub fn is_unlocked(&self) -> bool {
        self.keyboard == Keyboard::Unlocked
    }

    /// Locks or unlocks without the host (TN3270E SSCP-LU, reset key).
    pub fn set_keyboard(&mut self, keyboard: Keyboard) {
        self.keyboard = keyboard;
    }

    fn positions(&self) -> usize {
        self.cells.len()
    }

    fn following(&self, address: u16) -> u16 {
        ((address as usize + 1) % self.positions()) as u16
    }

    /// Address of row and column, both from 1.
    pub fn address(&self, row: u16, column: u16) -> Option<u16> {
        let size = self.size();
        ((1..=size.rows).contains(&row) && (1..=size.columns).contains(&column)).then(|| (row - 1) * size.columns + column - 1)
    }

    pub fn is_formatted(&self) -> bool {
        self.cells.iter().any(|cell| cell.is_field)
    }

    /// Address of the attribute byte that governs this position; None on an unformatted screen.
    pub fn attribute_address(&self, address: u16) -> Option<u16> {
        let address = address as usize % self.positions();
        let before = self.cells[..=address].iter().rposition(|cell| cell.is_field);
        before.or_else(|| self.cells.iter().rposition(|cell| cell.is_field)).map(|found| found as u16)
    }

    /// The field this position belongs to.
    pub fn field_at(&self, address: u16) -> Option<ScreenField> {
        self.attribute_address(address).map(|found| self.field_from(found))
    }

    fn field_from(&self, address: u16) -> ScreenField {
        let cell = self.cells[address as usize];
        let positions = self.positions();
        let length = (1..positions).take_while(|&offset| !self.cells[(address as usize + offset) % positions].is_field).count();
        ScreenField {
            address,
            start: self.following(address),
            length: length as u16,
            attribute: cell.code,
            color: cell.color,
            highlight: cell.highlight,
        }
    }

    /// All fields in order of address.
    pub fn fields(&self) -> Vec<ScreenField> {
        (0..self.positions()).filter(|&address| self.cells[address].is_field).map(|address| self.field_from(address as u16)).collect()
    }

    /// Input fields in order of address.
    pub fn input_fields(&self) -> Vec<ScreenField> {
        self.fields().into_iter().filter(|field| !field.is_protected()).collect()
    }

    /// Characters as an operator sees them: attributes, nulls and hidden fields are blanks.
    fn text_at(&self, address: u16, length: usize) -> String {
        let mut out = String::with_capacity(length);
        let positions = self.positions();
        let mut hidden = self.attribute_address(address).is_some_and(|found| is_hidden(self.cells[found as usize].code));
        for offset in 0..length.min(positions) {
            let cell = self.cells[(address as usize + offset) % positions];
            if cell.is_field {
                hidden = is_hidden(cell.code);
                out.push(' ');
            } else {
                out.push(if hidden { ' ' } else { text::shown(self.page, cell.code) });
            }
        }
        out
    }

    /// Text from row and column (from 1).
    pub fn text(&self, row: u16, column: u16, length: usize) -> String {
        self.address(row, column).map_or_else(String::new, |address| self.text_at(address, length))
    }

    /// A row (from 1), trailing blanks removed.
    pub fn row(&self, row: u16) -> String {
        self.text(row, 1, self.size().columns as usize).trim_end().to_string()
    }

    pub fn rows(&self) -> Vec<String> {
        (1..=self.size().rows).map(|row| self.row(row)).collect()
    }

    /// Row and column (from 1) of the first place where the text is seen on one row.
    pub fn find(&self, text: &str) -> Option<(u16, u16)> {
        self.rows()
            .iter()
            .enumerate()
            .find_map(|(row, line)| line.find(text).map(|offset| (row as u16 + 1, line[..offset].chars().count() as u16 + 1)))
    }

    pub fn contains(&self, text: &str) -> bool {
        self.find(text).is_some()
    }
}

#[cfg(test)]
mod tests;
