//! Outbound data applied to the screen: commands, WCC, orders, structured fields.

use super::{Cell, Keyboard, Screen};
use crate::constants::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StreamError {
    #[error("empty record")]
    Empty,
    #[error("unknown command {0:#04X}")]
    Command(u8),
    #[error("order cut at offset {0}")]
    OrderCut(usize),
    #[error("an order ({0:#04X}) as the character to repeat")]
    Repeated(u8),
    #[error("address {address} past the end of the screen, at offset {offset}")]
    Address { offset: usize, address: u16 },
    #[error("structured field with a bad length at offset {0}")]
    StructuredLength(usize),
}

/// Attributes that SA sets for the characters that follow.
#[derive(Debug, Clone, Copy, Default)]
struct Current {
    color: u8,
    highlight: u8,
    background: u8,
    charset: u8,
}

impl Screen {
    /// Applies one outbound record. The answer, if the command asks for one (reads, Query), is returned.
    pub fn apply(&mut self, record: &[u8]) -> Result<Option<Vec<u8>>, StreamError> {
        let (&command, rest) = record.split_first().ok_or(StreamError::Empty)?;
        match command {
            CMD_W | SNA_CMD_W => self.write(rest, false).map(|()| None),
            CMD_EW | SNA_CMD_EW => {
                self.erase(false);
                self.write(rest, true).map(|()| None)
            }
            CMD_EWA | SNA_CMD_EWA => {
                self.erase(true);
                self.write(rest, true).map(|()| None)
            }
            CMD_EAU | SNA_CMD_EAU => {
                self.erase_all_unprotected();
                Ok(None)
            }
            CMD_RB | SNA_CMD_RB => Ok(Some(self.read_buffer())),
            CMD_RM | SNA_CMD_RM => Ok(Some(self.read_modified(false))),
            CMD_RMA | SNA_CMD_RMA => Ok(Some(self.read_modified(true))),
            CMD_WSF | SNA_CMD_WSF => self.structured_fields(rest),
            CMD_NOP => Ok(None),
            other => Err(StreamError::Command(other)),
        }
    }

    pub(super) fn erase(&mut self, alternate: bool) {
        self.alternate = alternate;
        let positions = self.size().positions();
        self.cells.clear();
        self.cells.resize(positions, Cell::default());
        self.cursor = 0;
    }

    fn erase_all_unprotected(&mut self) {
        let mut protected = self.attribute_address(0).is_some_and(|found| crate::attribute::is_protected(self.cells[found as usize].code));
        for cell in &mut self.cells {
            if cell.is_field {
                protected = crate::attribute::is_protected(cell.code);
                if !protected {
                    cell.code = crate::address::graphic(cell.code & !FA_MODIFY);
                }
            } else if !protected {
                *cell = Cell::default();
            }
        }
        self.aid = AID_NO;
        self.keyboard = Keyboard::Unlocked;
        self.cursor = self.next_unprotected(self.positions() as u16 - 1).unwrap_or(0);
    }

    fn write(&mut self, data: &[u8], erased: bool) -> Result<(), StreamError> {
        self.write_count += 1;
        let Some((&wcc, orders)) = data.split_first() else { return Ok(()) };
        if wcc & WCC_RESET_BIT != 0 && self.extended {
            self.reply_mode = SF_SRM_FIELD;
            self.reply_attributes.clear();
        }
        if wcc & WCC_RESET_MDT_BIT != 0 {
            for cell in self.cells.iter_mut().filter(|cell| cell.is_field) {
                cell.code = crate::address::graphic(cell.code & !FA_MODIFY);
            }
        }
        let start = if erased { 0 } else { self.cursor };
        let result = Writer {
            screen: self,
            data: orders,
            index: 0,
            address: start,
            current: Current::default(),
            after_order: true,
            tab_at_zero: false,
        }
        .run();
        if wcc & WCC_SOUND_ALARM_BIT != 0 {
            self.alarm_count += 1;
        }
        if wcc & WCC_KEYBOARD_RESTORE_BIT != 0 {
            self.keyboard = Keyboard::Unlocked;
            self.aid = AID_NO;
            self.insert = false;
        }
        result
    }

    fn structured_fields(&mut self, mut data: &[u8]) -> Result<Option<Vec<u8>>, StreamError> {
        let total = data.len();
        let mut answer = None;
        while !data.is_empty() {
            let error = StreamError::StructuredLength(total - data.len());
            if data.len() < 3 {
                return Err(error);
            }
            let length = match u16::from_be_bytes([data[0], data[1]]) as usize {
                0 => data.len(),
                length => length,
            };
            if length < 3 || length > data.len() {
                return Err(error);
            }
            let (field, rest) = data.split_at(length);
            data = rest;
            answer = self.structured_field(field[2], &field[3..])?.or(answer);
        }
        Ok(answer)
    }

    fn structured_field(&mut self, id: u8, data: &[u8]) -> Result<Option<Vec<u8>>, StreamError> {
        match (id, data) {
            (SF_READ_PART, [_, SF_RP_QUERY | SF_RP_QLIST, ..]) => return Ok(Some(self.query_reply())),
            (SF_READ_PART, [_, SF_RP_RB, ..]) => return Ok(Some(self.read_buffer())),
            (SF_READ_PART, [_, SF_RP_RM, ..]) => return Ok(Some(self.read_modified(false))),
            (SF_READ_PART, [_, SF_RP_RMA, ..]) => return Ok(Some(self.read_modified(true))),
            (SF_ERASE_RESET, [kind, ..]) => self.erase(*kind == SF_ER_ALT),
            (SF_SET_REPLY_MODE, [_, mode, attributes @ ..]) => {
                self.reply_mode = *mode;
                self.reply_attributes = attributes.to_vec();
            }
            (SF_OUTBOUND_DS, [_, stream @ ..]) if !matches!(stream.first(), Some(&(CMD_WSF | SNA_CMD_WSF))) => {
                return self.apply(stream);
            }
            _ => {}
        }
        Ok(None)
    }
}

struct Writer<'a> {
    screen: &'a mut Screen,
    data: &'a [u8],
    index: usize,
    address: u16,
    current: Current,
    /// The last item was a command or order, not data (program tab).
    after_order: bool,
    /// The last program tab ended at 0 because there was no further field.
    tab_at_zero: bool,
}

impl Writer<'_> {
    fn run(mut self) -> Result<(), StreamError> {
        while let Some(&byte) = self.data.get(self.index) {
            self.index += 1;
            let was_tab = byte == ORDER_PT;
            let order = self.order(byte)?;
            self.after_order = order;
            if !was_tab {
                self.tab_at_zero = false;
            }
        }
        Ok(())
    }

    fn take(&mut self, count: usize) -> Result<&[u8], StreamError> {
        let taken = self.data.get(self.index..self.index + count).ok_or(StreamError::OrderCut(self.index))?;
        self.index += count;
        Ok(taken)
    }

    fn take_address(&mut self) -> Result<u16, StreamError> {
        let offset = self.index;
        let bytes = self.take(2)?;
        let bytes = [bytes[0], bytes[1]];
        let address = self.screen.addressing.decode(bytes);
        if (address as usize) < self.screen.positions() { Ok(address) } else { Err(StreamError::Address { offset, address }) }
    }

    /// True when the byte was an order.
    fn order(&mut self, byte: u8) -> Result<bool, StreamError> {
        match byte {
            ORDER_SBA => self.address = self.take_address()?,
            ORDER_SF => {
                let attribute = self.take(1)?[0];
                self.put_field(attribute, Cell::default());
            }
            ORDER_SFE => self.start_field_extended()?,
            ORDER_MF => self.modify_field()?,
            ORDER_SA => {
                let pair = self.take(2)?;
                let (kind, value) = (pair[0], pair[1]);
                self.set_attribute(kind, value);
            }
            ORDER_IC => self.screen.cursor = self.address,
            ORDER_PT => self.program_tab(),
            ORDER_RA => self.repeat()?,
            ORDER_EUA => self.erase_unprotected()?,
            ORDER_GE => {
                let code = self.take(1)?[0];
                self.put(code, true);
                return Ok(false);
            }
            // Format controls are shown as characters of their own on a display; NL, EM, FF, CR and nulls as null or blank.
            character => {
                self.put(character, false);
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn advance(&mut self) {
        self.address = self.screen.following(self.address);
    }

    fn put(&mut self, code: u8, graphic: bool) {
        let current = self.current;
        self.screen.cells[self.address as usize] = Cell {
            code,
            graphic,
            color: current.color,
            highlight: current.highlight,
            background: current.background,
            charset: current.charset,
            ..Cell::default()
        };
        self.advance();
    }

    fn put_field(&mut self, attribute: u8, extended: Cell) {
        self.screen.cells[self.address as usize] = Cell { code: crate::address::graphic(attribute), is_field: true, ..extended };
        self.advance();
    }

    fn start_field_extended(&mut self) -> Result<(), StreamError> {
        let count = self.take(1)?[0] as usize;
        let pairs = self.take(2 * count)?;
        let mut cell = Cell::default();
        let mut attribute = 0;
        for pair in pairs.chunks_exact(2) {
            if pair[0] == XA_3270 { attribute = pair[1] } else { set_extended(&mut cell, pair[0], pair[1]) }
        }
        self.put_field(attribute, cell);
        Ok(())
    }

    fn modify_field(&mut self) -> Result<(), StreamError> {
        let count = self.take(1)?[0] as usize;
        let pairs = self.take(2 * count)?.to_vec();
        let cell = &mut self.screen.cells[self.address as usize];
        if cell.is_field {
            for pair in pairs.chunks_exact(2) {
                if pair[0] == XA_3270 { cell.code = crate::address::graphic(pair[1]) } else { set_extended(cell, pair[0], pair[1]) }
            }
            self.advance();
        }
        Ok(())
    }

    fn set_attribute(&mut self, kind: u8, value: u8) {
        match kind {
            XA_ALL => self.current = Current::default(),
            XA_FOREGROUND => self.current.color = value,
            XA_HIGHLIGHTING => self.current.highlight = value,
            XA_BACKGROUND => self.current.background = value,
            XA_CHARSET => self.current.charset = value,
            _ => {}
        }
    }

    /// To the first position of the next unprotected field; nulls the rest of the current field when it follows data.
    fn program_tab(&mut self) {
        let cell = self.screen.cells[self.address as usize];
        if cell.is_field && !crate::attribute::is_protected(cell.code) {
            self.advance();
            self.tab_at_zero = false;
            return;
        }
        let target = self.screen.next_unprotected(self.address).filter(|&target| target > self.address).unwrap_or(0);
        if !self.after_order || self.tab_at_zero {
            let mut address = self.address;
            while address != target && !self.screen.cells[address as usize].is_field {
                self.screen.cells[address as usize] = Cell::default();
                address = self.screen.following(address);
            }
        }
        self.address = target;
        self.tab_at_zero = target == 0;
    }

    fn repeat(&mut self) -> Result<(), StreamError> {
        let stop = self.take_address()?;
        let mut code = self.take(1)?[0];
        let graphic = code == ORDER_GE;
        if graphic {
            code = self.take(1)?[0];
        } else if is_order(code) {
            // When the screen is read, it could not be distinguished from an order.
            return Err(StreamError::Repeated(code));
        }
        loop {
            self.put(code, graphic);
            if self.address == stop {
                return Ok(());
            }
        }
    }

    fn erase_unprotected(&mut self) -> Result<(), StreamError> {
        let stop = self.take_address()?;
        let mut protected = self
            .screen
            .attribute_address(self.address)
            .is_some_and(|found| crate::attribute::is_protected(self.screen.cells[found as usize].code));
        loop {
            let cell = &mut self.screen.cells[self.address as usize];
            if cell.is_field {
                protected = crate::attribute::is_protected(cell.code);
            } else if !protected {
                *cell = Cell::default();
            }
            self.advance();
            if self.address == stop {
                return Ok(());
            }
        }
    }
}

fn is_order(byte: u8) -> bool {
    matches!(byte, ORDER_SBA | ORDER_SF | ORDER_SFE | ORDER_MF | ORDER_SA | ORDER_IC | ORDER_PT | ORDER_RA | ORDER_EUA)
}

fn set_extended(cell: &mut Cell, kind: u8, value: u8) {
    match kind {
        XA_ALL => {
            *cell = Cell { code: cell.code, is_field: cell.is_field, ..Cell::default() };
        }
        XA_FOREGROUND => cell.color = value,
        XA_HIGHLIGHTING => cell.highlight = value,
        XA_BACKGROUND => cell.background = value,
        XA_CHARSET => cell.charset = value,
        XA_VALIDATION => cell.validation = value,
        XA_OUTLINING => cell.outline = value,
        _ => {}
    }
}
