//! SEND TEXT: text in lines as wide as the screen, and pages of such lines.
//!
//! Rules (CICS, "Text lines" and "Text pages"): each line is written as one protected field whose attribute takes the first column, so a
//! line holds one character less than the screen is wide; text is copied character for character, blanks included, but a word that does not
//! fit goes to the next line as a whole, and a single blank at a line break between two words is dropped; new line characters (X'15') begin
//! a line; a word longer than a line is broken.

use crate::constants::*;
use crate::model::Control;
use crate::outbound::Outbound;
use crate::send_map::{CursorOption, Erase, ScreenUse, SendOptions, begin, place_cursor};
use crate::text::Translation;

/// Longest text of a SEND TEXT (halfword length).
pub const TEXT_LENGTH_MAX: usize = 32_767;
/// SA orders inside the text set attributes and take no room.
const SET_ATTRIBUTE_LENGTH: usize = 3;
/// Attribute of a text line: auto-skip, normal.
const TEXT_ATTRIBUTE: u8 = 0xF0;
const BLANK: u8 = 0x40;

/// Breaks text into lines: the first of at most `first` characters, the others of `width`. Text that ends with a new line character
/// ends with an empty line.
pub fn broken(text: &[u8], first: usize, width: usize) -> Vec<Vec<u8>> {
    let width = width.max(1);
    let mut breaker = Breaker { lines: Vec::new(), line: Vec::new(), used: 0, room: first, width };
    for (index, paragraph) in text[..text.len().min(TEXT_LENGTH_MAX)].split(|&byte| byte == FCORDER_NL).enumerate() {
        if index > 0 {
            breaker.next_line();
        }
        for word in words(paragraph) {
            breaker.add(word);
        }
    }
    breaker.lines.push(breaker.line);
    breaker.lines
}

struct Breaker {
    lines: Vec<Vec<u8>>,
    line: Vec<u8>,
    used: usize,
    /// Characters the present line takes.
    room: usize,
    width: usize,
}

impl Breaker {
    fn next_line(&mut self) {
        self.lines.push(std::mem::take(&mut self.line));
        self.used = 0;
        self.room = self.width;
    }

    fn add(&mut self, mut word: Vec<u8>) {
        let blank = word.first() == Some(&BLANK);
        if !blank && self.used + printed_length(&word) > self.room && (self.used > 0 || self.room < self.width) {
            self.next_line();
        }
        if blank && word.len() == 1 && self.used == self.room {
            // Dropped between two words; the next word opens a line.
            return;
        }
        while self.used + printed_length(&word) > self.room {
            let cut = cut_at(&word, self.room - self.used);
            self.line.extend(word.drain(..cut));
            self.next_line();
        }
        self.used += printed_length(&word);
        self.line.extend(word);
    }
}

/// Breaks text into lines of at most `width` characters.
pub fn lines(text: &[u8], width: usize) -> Vec<Vec<u8>> {
    let mut lines = broken(text, width, width);
    if lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    lines
}

/// Runs of blanks and runs of other characters, SA orders kept whole.
fn words(text: &[u8]) -> Vec<Vec<u8>> {
    let mut words: Vec<Vec<u8>> = Vec::new();
    let mut index = 0;
    let mut in_blanks = None;
    while index < text.len() {
        let length = item_length(&text[index..]);
        let blank = text[index] == 0x40;
        if in_blanks != Some(blank) {
            words.push(Vec::new());
            in_blanks = Some(blank);
        }
        words.last_mut().expect("just pushed").extend_from_slice(&text[index..index + length]);
        index += length;
    }
    words
}

fn item_length(text: &[u8]) -> usize {
    if text[0] == ORDER_SA { SET_ATTRIBUTE_LENGTH.min(text.len()) } else { 1 }
}

pub(crate) fn printed_length(text: &[u8]) -> usize {
    let (mut index, mut count) = (0, 0);
    while index < text.len() {
        count += (text[index] != ORDER_SA) as usize;
        index += item_length(&text[index..]);
    }
    count
}

/// Offset after `width` printed characters.
fn cut_at(text: &[u8], width: usize) -> usize {
    let (mut index, mut count) = (0, 0);
    while index < text.len() && count < width {
        count += (text[index] != ORDER_SA) as usize;
        index += item_length(&text[index..]);
    }
    index
}

/// Text as the terminal has it.
pub fn to_terminal(text: &[u8], translation: Option<&Translation>) -> Vec<u8> {
    match translation {
        Some(translation) => {
            text.iter().map(|&byte| if byte == b'\n' { FCORDER_NL } else { translation.to_terminal[byte as usize] }).collect()
        }
        None => text.to_vec(),
    }
}

/// Writes one line of text, as a separate field unless it takes the whole width.
pub fn write_line(out: &mut Outbound, line: &[u8], address: u16, screen: ScreenUse) {
    if line.is_empty() || address >= out.positions() {
        return;
    }
    out.set_address(address);
    if !screen.full_lines {
        out.start_field(TEXT_ATTRIBUTE);
    }
    if line.contains(&ORDER_SA) {
        out.raw(line);
    } else {
        out.data_compressed(line);
    }
}

/// SEND TEXT outside a logical message: its screens, each replacing the one before.
pub fn send_text(text: &[u8], options: &SendOptions, screen: ScreenUse) -> Vec<Vec<u8>> {
    let size = screen.page();
    let made = lines(&to_terminal(text, screen.translation), usize::from(size.columns - screen.line_prefix()));
    let mut screens: Vec<&[Vec<u8>]> = made.chunks(size.rows as usize).collect();
    if screens.is_empty() {
        screens.push(&[]);
    }
    screens.into_iter().map(|lines| one_screen(lines, options, screen)).collect()
}

fn one_screen(lines: &[Vec<u8>], options: &SendOptions, screen: ScreenUse) -> Vec<u8> {
    let mut out = begin(options, options.control.unwrap_or_default(), screen);
    for (row, line) in lines.iter().enumerate() {
        write_line(&mut out, line, row as u16 * screen.size().columns, screen);
    }
    let cursor = match options.cursor {
        CursorOption::At(address) => Some(address),
        _ if options.erase == Erase::Screen => Some(0),
        _ => None,
    };
    place_cursor(&mut out, cursor);
    out.finish()
}

/// SEND TEXT NOEDIT and SEND FROM with a ready data stream: command and WCC in front of the program's orders.
pub fn send_no_edit(stream: &[u8], options: &SendOptions, screen: ScreenUse) -> Vec<u8> {
    let mut out = begin(options, options.control.unwrap_or(Control { free_keyboard: true, ..Control::default() }), screen);
    out.raw(stream);
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Capabilities, Model, Screen};
    use proptest::prelude::*;

    fn encode(text: &str) -> Vec<u8> {
        codepage::CCSID_037
            .encode(text)
            .iter()
            .map(|&byte| if byte == codepage::CCSID_037.byte_of('|').unwrap() { FCORDER_NL } else { byte })
            .collect()
    }

    fn split(text: &str, width: usize) -> Vec<String> {
        lines(&encode(text), width).iter().map(|line| codepage::CCSID_037.decode(line)).collect()
    }

    #[test]
    fn lines_break_at_blanks() {
        assert_eq!(split("one two three", 7), ["one two", "three"]);
        assert_eq!(split("one two three", 8), ["one two ", "three"]);
        assert_eq!(split("a|b||c", 10), ["a", "b", "", "c"]);
        assert_eq!(split("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(split("", 4), Vec::<String>::new());
        // Only a single blank is dropped at the end of a line.
        assert_eq!(split("one two  three", 7), ["one two", "  three"]);
        assert_eq!(split("  one", 10), ["  one"]);
        // A word too long for a line still begins a new line.
        assert_eq!(split("ab cdefghij", 5), ["ab ", "cdefg", "hij"]);
    }

    #[test]
    fn the_first_line_may_be_shorter() {
        let made = broken(&encode("one two three"), 5, 9);
        assert_eq!(made.iter().map(|line| codepage::CCSID_037.decode(line)).collect::<Vec<_>>(), ["one ", "two three"]);
        assert_eq!(broken(&encode("three"), 2, 9), [vec![], encode("three")]);
        assert_eq!(broken(&encode("a|"), 9, 9), [encode("a"), vec![]]);
    }

    #[test]
    fn set_attribute_takes_no_room() {
        let mut text = vec![ORDER_SA, 0x42, 0xF2];
        text.extend(encode("abcd"));
        assert_eq!(lines(&text, 4).len(), 1);
        assert_eq!(lines(&text, 3).len(), 2);
    }

    #[test]
    fn screens() {
        let capabilities = Capabilities::of_model(Model::Two, true);
        let usage = ScreenUse { capabilities: &capabilities, alternate: false, translation: None, full_lines: false };
        let mut screen = Screen::new(&capabilities, &codepage::CCSID_037);
        let options = SendOptions {
            erase: Erase::Screen,
            control: Some(Control { free_keyboard: true, ..Control::default() }),
            ..SendOptions::default()
        };
        for stream in send_text(&encode("hello|world"), &options, usage) {
            screen.apply(&stream).unwrap();
        }
        assert_eq!((screen.row(1).as_str(), screen.row(2).as_str()), (" hello", " world"));
        assert!(screen.is_unlocked());
        assert_eq!(send_text(&encode(&"line|".repeat(24)), &options, usage).len(), 1);
        assert_eq!(send_text(&encode(&"line|".repeat(25)), &options, usage).len(), 2);
    }

    proptest! {
        #[test]
        fn any_text_fits(text in proptest::collection::vec(any::<u8>(), 0..400), width in 1usize..90, first in 0usize..90) {
            let first = first.min(width);
            let made = broken(&text, first, width);
            let room = |row: usize| if row == 0 { first } else { width };
            prop_assert!(made.iter().enumerate().all(|(row, line)| printed_length(line) <= room(row)));
        }
    }
}
