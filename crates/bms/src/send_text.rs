//! SEND TEXT: text in lines as wide as the screen, broken at blanks. Rules: new line characters (X'15') begin a line; a word
//! longer than a line is broken; the text begins on the line JUSTIFY names (a number, FIRST, LAST) or on the first; each
//! line is written as one protected field whose attribute takes the first column, so a line holds one character less than
//! the screen is wide.

use crate::constants::*;
use crate::model::Control;
use crate::outbound::Outbound;
use crate::send_map::{CursorOption, Erase, ScreenUse, SendOptions, begin, place_cursor};

/// Longest text of a SEND TEXT (halfword length).
pub const TEXT_LENGTH_MAX: usize = 32_767;
/// SA orders inside the text set attributes and take no room.
const SET_ATTRIBUTE_LENGTH: usize = 3;
/// Attribute of a text line: auto-skip, normal.
const TEXT_ATTRIBUTE: u8 = 0xF0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextJustify {
    #[default]
    None,
    First,
    Last,
    /// From 1.
    Line(u16),
}

#[derive(Debug, Clone, Copy, Default)]
pub struct TextOptions<'a> {
    pub justify: TextJustify,
    /// Text of the header and trailer blocks, as lines to go above and below.
    pub header: Option<&'a [u8]>,
    pub trailer: Option<&'a [u8]>,
}

/// Breaks text into lines of at most `width` characters.
pub fn lines(text: &[u8], width: usize) -> Vec<Vec<u8>> {
    let width = width.max(1);
    let mut lines = Vec::new();
    for paragraph in text[..text.len().min(TEXT_LENGTH_MAX)].split(|&byte| byte == FCORDER_NL) {
        let mut line: Vec<u8> = Vec::new();
        let mut used = 0;
        for word in words(paragraph) {
            let length = printed_length(&word);
            let blank = word.first() == Some(&0x40);
            if used + length > width && used > 0 {
                lines.push(std::mem::take(&mut line));
                used = 0;
                if blank {
                    continue;
                }
            }
            let mut rest = word;
            while used == 0 && printed_length(&rest) > width {
                let cut = cut_at(&rest, width);
                lines.push(rest[..cut].to_vec());
                rest.drain(..cut);
            }
            used += printed_length(&rest);
            line.extend(rest);
        }
        lines.push(line);
    }
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

fn printed_length(text: &[u8]) -> usize {
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

/// Text in pages: each page is the lines that fit one screen with its header and trailer.
pub fn pages(text: &[u8], options: &TextOptions, screen: ScreenUse) -> Vec<Vec<Vec<u8>>> {
    let size = screen.size();
    let width = size.columns as usize - 1;
    let translated = |text: &[u8]| match screen.translation {
        Some(translation) => {
            text.iter().map(|&byte| if byte == b'\n' { FCORDER_NL } else { translation.to_terminal[byte as usize] }).collect()
        }
        None => text.to_vec(),
    };
    let header = options.header.map(|text| lines(&translated(text), width)).unwrap_or_default();
    let trailer = options.trailer.map(|text| lines(&translated(text), width)).unwrap_or_default();
    let body = lines(&translated(text), width);
    let skip = match options.justify {
        TextJustify::Line(line) => line.saturating_sub(1).min(size.rows - 1) as usize,
        TextJustify::Last => (size.rows as usize).saturating_sub(body.len() + trailer.len() + header.len()),
        _ => 0,
    };
    let room = (size.rows as usize).saturating_sub(header.len() + trailer.len()).max(1);
    let mut placed = vec![Vec::new(); skip.min(room.saturating_sub(1))];
    placed.extend(body);
    let mut pages: Vec<Vec<Vec<u8>>> = placed.chunks(room).map(|chunk| [&header[..], chunk, &trailer[..]].concat()).collect();
    if pages.is_empty() {
        pages.push([&header[..], &trailer[..]].concat());
    }
    pages
}

/// Writes lines from the top of the screen.
pub fn write_lines(out: &mut Outbound, lines: &[Vec<u8>], columns: u16, first_line: u16) {
    for (index, line) in lines.iter().enumerate() {
        if line.is_empty() {
            continue;
        }
        let address = (first_line as usize + index) * columns as usize;
        if address >= out.positions() as usize {
            return;
        }
        out.set_address(address as u16);
        out.start_field(TEXT_ATTRIBUTE);
        if line.contains(&ORDER_SA) {
            out.raw(line);
        } else {
            out.data_compressed(line);
        }
    }
}

/// SEND TEXT without ACCUM or PAGING: what does not fit the screen is left out.
pub fn send_text(text: &[u8], text_options: &TextOptions, options: &SendOptions, screen: ScreenUse) -> Vec<u8> {
    let page = pages(text, text_options, screen).swap_remove(0);
    let mut out = begin(options, options.control.unwrap_or_default(), screen);
    write_lines(&mut out, &page, screen.size().columns, 0);
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
    use crate::text::CodePage;
    use crate::{Capabilities, Model, Screen};
    use proptest::prelude::*;

    fn encode(text: &str) -> Vec<u8> {
        CodePage::cp037()
            .encode(text)
            .iter()
            .map(|&byte| if byte == CodePage::cp037().from_char('|').unwrap() { FCORDER_NL } else { byte })
            .collect()
    }

    fn broken(text: &str, width: usize) -> Vec<String> {
        lines(&encode(text), width).iter().map(|line| CodePage::cp037().decode(line)).collect()
    }

    #[test]
    fn lines_break_at_blanks() {
        assert_eq!(broken("one two three", 7), ["one two", "three"]);
        assert_eq!(broken("one two three", 8), ["one two ", "three"]);
        assert_eq!(broken("a|b||c", 10), ["a", "b", "", "c"]);
        assert_eq!(broken("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(broken("", 4), Vec::<String>::new());
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
        let usage = ScreenUse { capabilities: &capabilities, alternate: false, translation: None };
        let mut screen = Screen::new(&capabilities, CodePage::cp037());
        let options = SendOptions {
            erase: Erase::Screen,
            control: Some(Control { free_keyboard: true, ..Control::default() }),
            ..SendOptions::default()
        };
        let justify = |justify| TextOptions { justify, ..TextOptions::default() };
        screen.apply(&send_text(&encode("hello|world"), &TextOptions::default(), &options, usage)).unwrap();
        assert_eq!((screen.row(1).as_str(), screen.row(2).as_str()), (" hello", " world"));
        screen.apply(&send_text(&encode("end"), &justify(TextJustify::Last), &options, usage)).unwrap();
        assert_eq!(screen.row(24), " end");
        screen.apply(&send_text(&encode("ten"), &justify(TextJustify::Line(10)), &options, usage)).unwrap();
        assert_eq!(screen.row(10), " ten");
        let framed = TextOptions { header: Some(&encode("head")), trailer: Some(&encode("tail")), ..TextOptions::default() };
        let body = encode(&"line|".repeat(30));
        let made = pages(&body, &framed, usage);
        assert_eq!(made.iter().map(Vec::len).collect::<Vec<_>>(), [24, 10]);
        screen.apply(&send_text(&body, &framed, &options, usage)).unwrap();
        assert_eq!((screen.row(1).as_str(), screen.row(23).as_str(), screen.row(24).as_str()), (" head", " line", " tail"));
        assert!(screen.is_unlocked());
    }

    proptest! {
        #[test]
        fn any_text_fits(text in proptest::collection::vec(any::<u8>(), 0..400), width in 1usize..90) {
            let made = lines(&text, width);
            prop_assert!(made.iter().all(|line| printed_length(line) <= width));
        }
    }
}
