//! Storage on a display, in dump format: address, offset in working storage, four words, characters.
//!
//! Any address may be asked for; storage that the region cannot read is shown as such. Only storage of the task itself can be changed
//! ("Overtyping to make changes": the storage of your own task). Hexadecimal digits take precedence over characters of the same line.

use super::display::{Line, Target};
use super::values;
use region::Task;
use region::storage_access::Area;

const BYTES_OF_LINE: usize = 16;
const WORD_BYTES: usize = 4;
const ADDRESS_COLUMN: u16 = 2;
const OFFSET_COLUMN: u16 = 13;
const WORDS_COLUMN: u16 = 22;
const CHARACTERS_COLUMN: u16 = 61;
const ADDRESS_DIGITS: u16 = 8;
/// Addresses of programs have 31 bits.
const ADDRESS_MAX: usize = 0x7FFF_FFFF;

/// The part of storage on display.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The area that offsets are counted in: the program's working storage; length 0 if there is none.
    pub area: Area,
    pub address: usize,
}

impl View {
    pub fn of(area: Area) -> View {
        View { area, address: area.address }
    }

    pub fn scroll(&mut self, lines: isize) {
        let moved = self.address.saturating_add_signed(lines * BYTES_OF_LINE as isize);
        self.address = moved.min(ADDRESS_MAX - (BYTES_OF_LINE - 1));
    }

    /// Goes to an address typed as hexadecimal digits.
    ///
    /// # Errors
    ///
    /// The message for the operator if it is none.
    pub fn go_to(&mut self, typed: &str) -> Result<(), &'static str> {
        let address = usize::from_str_radix(typed.trim(), 16).ok().filter(|address| *address <= ADDRESS_MAX);
        self.address = address.ok_or("THE ADDRESS IS NOT VALID")?;
        Ok(())
    }

    pub fn status(&self) -> Line {
        let title = if self.area.length == 0 { "" } else { "WORKING STORAGE" };
        let address = format!("{:08X}", self.address);
        Line::text(ADDRESS_COLUMN, "ADDRESS:").and_field(11, address, Target::Address, ADDRESS_DIGITS).and_text(40, title)
    }

    pub fn lines(&self, task: &Task, count: usize) -> Vec<Line> {
        if self.area.length == 0 && self.address == 0 {
            return vec![Line::text(ADDRESS_COLUMN, "WORKING STORAGE IS NOT AVAILABLE")];
        }
        let starts = (0..count).map(|line| self.address + line * BYTES_OF_LINE).take_while(|start| *start <= ADDRESS_MAX);
        starts.map(|start| self.line(task, start)).collect()
    }

    fn line(&self, task: &Task, start: usize) -> Line {
        let line = Line::text(ADDRESS_COLUMN, format!("{start:08X}"));
        let offset = start.checked_sub(self.area.address).filter(|offset| *offset < self.area.length);
        let line = match offset {
            Some(offset) => line.and_text(OFFSET_COLUMN, format!("{offset:06X}")),
            None => line,
        };
        let own = own_part(task, start);
        let Ok(bytes) = Area::new(start, own.unwrap_or(BYTES_OF_LINE)).read() else {
            return line.and_text(WORDS_COLUMN, "NOT ADDRESSABLE");
        };
        let words: Vec<String> = bytes.chunks(WORD_BYTES).map(values::hexadecimal).collect();
        let (words, characters) = (words.join(" "), values::characters(&task.region.code_page, &bytes));
        if own.is_none() {
            return line.and_text(WORDS_COLUMN, words).and_text(CHARACTERS_COLUMN, characters);
        }
        let field = |hexadecimal| Target::Storage { address: start, length: bytes.len(), hexadecimal };
        let (digits, places) = (words.len() as u16, bytes.len() as u16);
        line.and_field(WORDS_COLUMN, words, field(true), digits).and_field(CHARACTERS_COLUMN, characters, field(false), places)
    }
}

/// Bytes of a line that are storage of the task; `None` if its first byte is not.
fn own_part(task: &Task, start: usize) -> Option<usize> {
    let (element, length) = task.storage.find(start)?;
    Some((element + length - start).min(BYTES_OF_LINE))
}

/// Changes storage by what was typed over a line.
///
/// # Errors
///
/// The message for the operator if the digits are not valid or the storage cannot be changed.
pub fn change(task: &Task, area: Area, shown: &str, typed: &str, hexadecimal: bool) -> Result<(), &'static str> {
    const REFUSED: &str = "THE STORAGE CANNOT BE CHANGED";
    if own_part(task, area.address).is_none_or(|length| length < area.length) {
        return Err(REFUSED);
    }
    let bytes = area.read().map_err(|_| REFUSED)?;
    let changed = if hexadecimal {
        let digits: String = typed.chars().filter(|c| *c != ' ').collect();
        values::from_hexadecimal(&digits).filter(|typed| typed.len() == bytes.len()).ok_or("THE DIGITS ARE NOT HEXADECIMAL")?
    } else {
        values::overtyped(&task.region.code_page, &bytes, shown, typed)
    };
    area.write(&changed).map_err(|_| REFUSED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scrolling_stays_in_31_bits() {
        let mut view = View::of(Area::new(0x10, 32));
        view.scroll(-5);
        assert_eq!(view.address, 0);
        view.scroll(isize::MAX / 32);
        assert_eq!(view.address, ADDRESS_MAX - 15);
        assert!(view.go_to("80000000").is_err() && view.go_to("XYZ").is_err() && view.go_to("").is_err());
        assert_eq!(view.go_to("7fffffff"), Ok(()));
        assert_eq!(view.address, ADDRESS_MAX);
    }
}
