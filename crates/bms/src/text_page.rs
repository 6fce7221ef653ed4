//! Pages of text: SEND TEXT with ACCUM or PAGING.
//!
//! Rules (CICS, "Text pages"): a page begins with the header; JUSTIFY gives the line on which the text of a command begins, on a new page
//! if the current one does not allow it; without JUSTIFY the text follows the existing text, separated by one attribute; a full page ends
//! with the trailer of the command, and the text continues below the header of the next page; the trailer of the last page is that of SEND
//! PAGE.

use crate::model::Control;
use crate::outbound::Outbound;
use crate::page::Page;
use crate::send_map::{CursorOption, ScreenUse, SendOptions};
use crate::send_text::{broken, lines, to_terminal, write_line};

/// Digits a page number may have.
const PAGE_NUMBER_DIGITS_MAX: usize = 5;

/// Where the text of a command begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextJustify {
    #[default]
    None,
    First,
    Last,
    /// From 1.
    Line(u16),
}

/// Text above or below the page; up to five of the character `place` in a row mark the position of the page number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Block {
    pub text: Vec<u8>,
    /// `None`: pages are not numbered.
    pub place: Option<u8>,
    /// The blank of the text's code page.
    pub blank: u8,
}

impl Block {
    /// The digits of the code pages in use go with the blank: X'F0' on with X'40', X'30' on with X'20'.
    fn numbered(&self, page: usize) -> Vec<u8> {
        let mut out = self.text.clone();
        let Some(place) = self.place else { return out };
        let Some(start) = out.iter().position(|&byte| byte == place) else { return out };
        let width = out[start..].iter().take_while(|&&byte| byte == place).count().min(PAGE_NUMBER_DIGITS_MAX);
        let zero = if self.blank == b' ' { b'0' } else { 0xF0 };
        let digits = format!("{page:width$}");
        let last = &digits.as_bytes()[digits.len() - width..];
        for (to, digit) in out[start..start + width].iter_mut().zip(last) {
            *to = if *digit == b' ' { self.blank } else { zero + (digit - b'0') };
        }
        out
    }
}

#[derive(Debug, Clone, Default)]
pub struct TextOptions {
    pub justify: TextJustify,
    pub header: Option<Block>,
    pub trailer: Option<Block>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    #[error("the header does not fit a page")]
    Header,
    #[error("the trailer does not fit a page")]
    Trailer,
    #[error("JUSTIFY names line {0}, which the page does not have")]
    Justify(u16),
}

#[derive(Debug, Clone, Default)]
pub struct TextPages {
    current: Page,
    /// First free position: line from 0, and the column of the next attribute.
    line: u16,
    column: u16,
    has_text: bool,
    completed: usize,
}

/// One command at work.
struct Command<'a> {
    header: Option<&'a Block>,
    trailer: Option<&'a Block>,
    options: &'a SendOptions,
    screen: ScreenUse<'a>,
}

impl TextPages {
    /// Adds the text of a command; the pages that are complete by it.
    pub fn add(
        &mut self,
        text: &[u8],
        text_options: &TextOptions,
        options: &SendOptions,
        screen: ScreenUse,
        accumulate: bool,
    ) -> Result<Vec<Page>, TextError> {
        let (header, trailer) = (text_options.header.as_ref(), text_options.trailer.as_ref());
        let command = Command { header, trailer, options, screen };
        let size = screen.page();
        let width = usize::from(size.columns - screen.line_prefix());
        let header_lines = self.block_lines(header, screen).len() as u16;
        let trailer_lines = self.block_lines(trailer, screen).len() as u16;
        if header_lines >= size.rows {
            return Err(TextError::Header);
        }
        if header_lines + trailer_lines >= size.rows {
            return Err(TextError::Trailer);
        }
        let end = size.rows - trailer_lines;
        if let TextJustify::Line(line) = text_options.justify
            && !(1..=end).contains(&line)
        {
            return Err(TextError::Justify(line));
        }
        let mut completed = Vec::new();
        if !accumulate {
            completed.extend(self.finish(None, screen));
        }
        self.begin_page(&command);
        let text = to_terminal(text, screen.translation);
        let next_free = if self.has_text { self.line + 1 } else { header_lines };
        let wanted = match text_options.justify {
            TextJustify::None => None,
            TextJustify::First => Some(header_lines),
            TextJustify::Line(line) => Some((line - 1).max(header_lines)),
            TextJustify::Last => Some(end.saturating_sub(lines(&text, width).len() as u16).max(header_lines)),
        };
        if let Some(line) = wanted {
            if line < next_free {
                completed.extend(self.turn(&command));
            }
            (self.line, self.column) = (line, 0);
        }
        let first = usize::from(size.columns.saturating_sub(self.column + screen.line_prefix()));
        let made = broken(&text, first, width);
        let last = made.len() - 1;
        for (index, line) in made.iter().enumerate() {
            if index > 0 {
                (self.line, self.column) = (self.line + 1, 0);
            }
            if self.line >= end && !(line.is_empty() && index == last) {
                completed.extend(self.turn(&command));
            }
            self.write(line, screen);
        }
        self.has_text = true;
        self.note(&command);
        Ok(completed)
    }

    /// SEND CONTROL with ACCUM or PAGING.
    pub fn add_control(&mut self, options: &SendOptions, cursor: Option<u16>, alternate: bool) {
        self.current.cursor = cursor.or(self.current.cursor);
        self.current.note(options, None, alternate);
    }

    /// The last page, with SEND PAGE's trailer.
    pub fn finish(&mut self, trailer: Option<&Block>, screen: ScreenUse) -> Option<Page> {
        if !self.current.used {
            return None;
        }
        self.write_trailer(trailer, screen);
        self.completed += 1;
        (self.line, self.column, self.has_text) = (0, 0, false);
        Some(std::mem::take(&mut self.current))
    }

    pub fn is_empty(&self) -> bool {
        !self.current.used
    }

    fn note(&mut self, command: &Command) {
        // Text is mapped by a map with CTRL=(FREEKB,FRSET).
        let control = Control { free_keyboard: true, reset_mdt: true, ..Control::default() };
        self.current.note(command.options, Some(control), command.screen.alternate);
        if let CursorOption::At(address) = command.options.cursor {
            self.current.cursor = Some(address);
        }
    }

    fn block_lines(&self, block: Option<&Block>, screen: ScreenUse) -> Vec<Vec<u8>> {
        let width = usize::from(screen.size().columns - screen.line_prefix());
        let text = block.map(|block| to_terminal(&block.numbered(self.completed + 1), screen.translation));
        text.map(|text| lines(&text, width)).unwrap_or_default()
    }

    fn begin_page(&mut self, command: &Command) {
        if self.current.used {
            return;
        }
        for line in self.block_lines(command.header, command.screen) {
            self.write(&line, command.screen);
            (self.line, self.column) = (self.line + 1, 0);
        }
        self.note(command);
    }

    /// Completes the page and begins the next.
    fn turn(&mut self, command: &Command) -> Option<Page> {
        self.note(command);
        let page = self.finish(command.trailer, command.screen);
        self.begin_page(command);
        page
    }

    fn write(&mut self, line: &[u8], screen: ScreenUse) {
        let size = screen.size();
        let mut out = Outbound::body(size, screen.capabilities.addressing_for(size));
        write_line(&mut out, line, self.line * size.columns + self.column, screen);
        self.current.orders.extend(out.finish());
        if !line.is_empty() {
            self.column = (self.column + screen.line_prefix() + crate::send_text::printed_length(line) as u16).min(size.columns);
        }
    }

    fn write_trailer(&mut self, trailer: Option<&Block>, screen: ScreenUse) {
        let made = self.block_lines(trailer, screen);
        let (line, column) = (self.line, self.column);
        self.line = screen.page().rows.saturating_sub(made.len() as u16);
        for text in made {
            self.column = 0;
            self.write(&text, screen);
            self.line += 1;
        }
        (self.line, self.column) = (line, column);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::send_map::Erase;
    use crate::{Capabilities, Model, Screen};

    fn encode(text: &str) -> Vec<u8> {
        codepage::CCSID_037.encode(text).iter().map(|&byte| if byte == 0x4F { 0x15 } else { byte }).collect()
    }

    fn block(text: &str, place: Option<char>) -> Option<Block> {
        let place = place.and_then(|place| codepage::CCSID_037.byte_of(place));
        Some(Block { text: encode(text), place, blank: 0x40 })
    }

    const ERASE: SendOptions = SendOptions { erase: Erase::Screen, control: None, cursor: CursorOption::Absent, form_feed: false };

    fn rows(page: &Page) -> Vec<(usize, String)> {
        let capabilities = Capabilities::of_model(Model::Two, true);
        let mut screen = Screen::new(&capabilities, &codepage::CCSID_037);
        let usage = ScreenUse { capabilities: &capabilities, alternate: false, translation: None, full_lines: false };
        screen.apply(&page.stream(usage, false)).unwrap();
        assert!(screen.is_unlocked());
        (1..=24).map(|row| (row, screen.row(row as u16).trim_end().to_string())).filter(|(_, text)| !text.is_empty()).collect()
    }

    fn usage(capabilities: &Capabilities) -> ScreenUse<'_> {
        ScreenUse { capabilities, alternate: false, translation: None, full_lines: false }
    }

    #[test]
    fn headers_trailers_and_numbers() {
        let capabilities = Capabilities::of_model(Model::Two, true);
        let screen = usage(&capabilities);
        let mut pages = TextPages::default();
        let options = TextOptions { justify: TextJustify::None, header: block("HEAD @@", Some('@')), trailer: block("TAIL", None) };
        let full = pages.add(&encode(&"line|".repeat(30)), &options, &ERASE, screen, true).unwrap();
        assert_eq!(full.len(), 1);
        let first = rows(&full[0]);
        assert_eq!(first.len(), 24);
        assert_eq!((first[0].1.as_str(), first[22].1.as_str(), first[23].1.as_str()), (" HEAD  1", " line", " TAIL"));
        let last = pages.finish(block("LAST @", Some('@')).as_ref(), screen).unwrap();
        let last = rows(&last);
        assert_eq!((last[0].1.as_str(), last[8].1.as_str(), last.last().unwrap()), (" HEAD  2", " line", &(24, " LAST 2".to_string())));
        assert!(pages.finish(None, screen).is_none());
    }

    #[test]
    fn text_follows_after_one_attribute() {
        let capabilities = Capabilities::of_model(Model::Two, true);
        let screen = usage(&capabilities);
        let mut pages = TextPages::default();
        let plain = TextOptions::default();
        pages.add(&encode("one"), &plain, &ERASE, screen, true).unwrap();
        pages.add(&encode("two|"), &plain, &ERASE, screen, true).unwrap();
        pages.add(&encode("three"), &plain, &ERASE, screen, true).unwrap();
        let page = pages.finish(None, screen).unwrap();
        assert_eq!(rows(&page), [(1, " one two".to_string()), (2, " three".to_string())]);
    }

    #[test]
    fn justification() {
        let capabilities = Capabilities::of_model(Model::Two, true);
        let screen = usage(&capabilities);
        let justified = |justify| TextOptions { justify, ..TextOptions::default() };
        let mut pages = TextPages::default();
        assert!(pages.add(&encode("ten"), &justified(TextJustify::Line(10)), &ERASE, screen, true).unwrap().is_empty());
        assert!(pages.add(&encode("end"), &justified(TextJustify::Last), &ERASE, screen, true).unwrap().is_empty());
        // Line 5 has been passed: a new page.
        let first = pages.add(&encode("five"), &justified(TextJustify::Line(5)), &ERASE, screen, true).unwrap();
        assert_eq!(rows(&first[0]), [(10, " ten".to_string()), (24, " end".to_string())]);
        let second = pages.add(&encode("top"), &justified(TextJustify::First), &ERASE, screen, true).unwrap();
        assert_eq!(rows(&second[0]), [(5, " five".to_string())]);
        for line in [0, 25] {
            let refused = pages.add(&encode("x"), &justified(TextJustify::Line(line)), &ERASE, screen, true);
            assert_eq!(refused, Err(TextError::Justify(line)));
        }
        assert!(pages.add(&encode("x"), &justified(TextJustify::Line(24)), &ERASE, screen, true).is_ok());
        let long = TextOptions { trailer: block(&"t|".repeat(24), None), ..TextOptions::default() };
        assert_eq!(pages.add(&encode("x"), &long, &ERASE, screen, true), Err(TextError::Trailer));
        let long = TextOptions { header: block(&"t|".repeat(24), None), ..TextOptions::default() };
        assert_eq!(pages.add(&encode("x"), &long, &ERASE, screen, true), Err(TextError::Header));
    }

    #[test]
    fn page_numbers_replace_their_character() {
        let numbered = |text: &[u8], place, page, blank| Block { text: text.to_vec(), place: Some(place), blank }.numbered(page);
        assert_eq!(numbered(b"PAGE @@@ OF", b'@', 12, b' '), b"PAGE  12 OF");
        assert_eq!(numbered(b"PAGE @", b'@', 12, b' '), b"PAGE 2");
        assert_eq!(numbered(b"PAGE @@@@@@", b'@', 12, b' '), b"PAGE    12@");
        assert_eq!(numbered(&[0x7C, 0x7C], 0x7C, 3, 0x40), [0x40, 0xF3]);
    }
}
