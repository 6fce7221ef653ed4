//! The display of a region's message on a screen that belongs to no program: on the last lines, over the existing contents (TYPETERM
//! ERRLASTLINE(YES); ERRINTENSIFY, ERRCOLOR and ERRHILIGHT say how it looks), or from the cursor on without a field of its own (ERRLASTLINE(NO)).
//!
//! Invariant: afterwards the keyboard is unlocked and the top of the screen accepts input, so another transaction can be entered without
//! pressing CLEAR.

use bms::attribute::Extended;
use bms::constants::*;
use bms::outbound::{Outbound, Wcc};
use bms::{Capabilities, ScreenSize};
use csd::Definition;
use exec::bmsca;

const BLANK: u8 = 0x40;

/// Where the message goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    LastLine(Look),
    Cursor,
}

/// How a message looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    intensified: bool,
    color: Option<u8>,
    highlight: Option<u8>,
}

const COLORS: [(&str, u8); 7] = [
    ("BLUE", 0xF0 | HOST_COLOR_BLUE),
    ("RED", 0xF0 | HOST_COLOR_RED),
    ("PINK", 0xF0 | HOST_COLOR_PINK),
    ("GREEN", 0xF0 | HOST_COLOR_GREEN),
    ("TURQUOISE", 0xF0 | HOST_COLOR_TURQUOISE),
    ("YELLOW", 0xF0 | HOST_COLOR_YELLOW),
    ("NEUTRAL", 0xF0 | HOST_COLOR_NEUTRAL_WHITE),
];
const HIGHLIGHTS: [(&str, u8); 3] = [("BLINK", XAH_BLINK), ("REVERSE", XAH_REVERSE), ("UNDERLINE", XAH_UNDERSCORE)];

impl Look {
    /// ERRINTENSIFY, ERRCOLOR and ERRHILIGHT of a TYPETERM.
    pub fn of(typeterm: &Definition) -> Self {
        let named = |table: &[(&str, u8)], attribute| {
            let name = typeterm.get(attribute);
            table.iter().find(|entry| entry.0 == name).map(|entry| entry.1)
        };
        let intensified = typeterm.is("ERRINTENSIFY", "YES");
        Self { intensified, color: named(&COLORS, "ERRCOLOR"), highlight: named(&HIGHLIGHTS, "ERRHILIGHT") }
    }

    /// The attributes that the terminal has.
    fn extended(self, capabilities: &Capabilities) -> Vec<(u8, u8)> {
        let values = [(Extended::Color, XA_FOREGROUND, self.color), (Extended::Highlight, XA_HIGHLIGHTING, self.highlight)];
        let supported = values.into_iter().filter(|(kind, ..)| capabilities.extended.contains(*kind));
        supported.filter_map(|(_, code, value)| Some((code, value?))).collect()
    }
}

/// The data stream of a message, whose text is in the terminal's code page, and the position where it begins on the last lines. `before`:
/// the position of the message that is still there; a longer one must leave no rest above. `home` puts the cursor at the top left, where
/// the next transaction is typed.
pub fn stream(
    text: &[u8],
    capabilities: &Capabilities,
    size: ScreenSize,
    place: Place,
    before: Option<usize>,
    alarm: bool,
    home: bool,
) -> (Vec<u8>, Option<usize>) {
    let wcc = if alarm { Wcc::RESTORE_KEYBOARD.with(Wcc::SOUND_ALARM) } else { Wcc::RESTORE_KEYBOARD };
    let mut out = Outbound::write(SNA_CMD_W, wcc, size, capabilities.addressing_for(size));
    let positions = size.positions();
    let columns = usize::from(size.columns);
    // One position for the attribute before the text, and one for the attribute behind it.
    let text = if place == Place::Cursor { text.to_vec() } else { in_whole_words(text, columns) };
    let bytes = &text[..text.len().min(positions - 2)];
    let Place::LastLine(look) = place else {
        out.data(bytes);
        return (out.finish(), None);
    };
    let lines = (bytes.len() + 2).div_ceil(columns);
    let start = positions - lines * columns;
    if let Some(before) = before.filter(|before| *before < start) {
        out.set_address(before as u16);
        out.repeat_to(start as u16, 0);
    }
    out.set_address(start as u16);
    let attribute = if look.intensified { bmsca::BMASB } else { bmsca::BMASK };
    out.start_field_extended(attribute, &look.extended(capabilities));
    out.data(bytes);
    let last = (positions - 1) as u16;
    if start + 1 + bytes.len() < usize::from(last) {
        out.repeat_to(last, 0);
    }
    out.set_address(last);
    out.start_field(bmsca::BMUNP);
    if home {
        out.set_address(0);
        out.insert_cursor();
    }
    (out.finish(), Some(start))
}

/// The text with blanks where a word would extend over the end of a line. An attribute precedes the first line. Text with double-byte
/// characters is unchanged.
pub fn in_whole_words(text: &[u8], columns: usize) -> Vec<u8> {
    if text.contains(&bmsca::BMPSO) {
        return text.to_vec();
    }
    let mut laid_out: Vec<u8> = Vec::with_capacity(text.len() + columns);
    let mut column = 1;
    for word in text.split(|&byte| byte == BLANK) {
        let length = word.len();
        if laid_out.is_empty() {
            column += length;
        } else if column + 1 + length > columns && length < columns && column < columns {
            laid_out.resize(laid_out.len() + columns - column, BLANK);
            column = length;
        } else {
            laid_out.push(BLANK);
            column += 1 + length;
        }
        laid_out.extend_from_slice(word);
        column = if column > columns { column % columns } else { column };
    }
    laid_out
}

/// A write that only frees the keyboard.
pub fn unlock(capabilities: &Capabilities, size: ScreenSize) -> Vec<u8> {
    Outbound::write(SNA_CMD_W, Wcc::RESTORE_KEYBOARD, size, capabilities.addressing_for(size)).finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bms::{Model, Screen};

    const LAST_LINE: Place = Place::LastLine(Look { intensified: true, color: None, highlight: None });

    #[test]
    fn the_typeterm_says_how_a_message_looks() {
        let typeterm = Definition::new("TYPETERM", "OWN", "TEST").with("ERRCOLOR", "RED").with("ERRHILIGHT", "BLINK");
        let written = |typeterm: &Definition, extended| {
            let capabilities = Capabilities::of_model(Model::Two, extended);
            let place = Place::LastLine(Look::of(typeterm));
            stream(&codepage::CCSID_037.encode("SHORT"), &capabilities, ScreenSize::MODEL2, place, None, false, true).0
        };
        let has = |stream: &[u8], order: &[u8]| stream.windows(order.len()).any(|window| window == order);
        let colored = [ORDER_SFE, 3, XA_3270, bmsca::BMASK, XA_FOREGROUND, 0xF0 | HOST_COLOR_RED, XA_HIGHLIGHTING, XAH_BLINK];
        assert!(has(&written(&typeterm, true), &colored));
        assert!(has(&written(&typeterm, false), &[ORDER_SF, bmsca::BMASK]));
        assert!(has(&written(&typeterm.with("ERRINTENSIFY", "YES"), false), &[ORDER_SF, bmsca::BMASB]));
    }

    #[test]
    fn a_message_takes_the_lines_it_needs_at_the_bottom() {
        let capabilities = Capabilities::of_model(Model::Two, true);
        let mut screen = Screen::new(&capabilities, &codepage::CCSID_037);
        screen
            .apply(&stream(&codepage::CCSID_037.encode("SHORT"), &capabilities, ScreenSize::MODEL2, LAST_LINE, None, true, true).0)
            .unwrap();
        assert_eq!((screen.row(24).trim(), screen.row(23).trim()), ("SHORT", ""));
        assert_eq!((screen.cursor(), screen.alarm_count, screen.is_unlocked()), (0, 1, true));
        for length in [78, 79, 158, 400] {
            let text = "X".repeat(length);
            screen
                .apply(&stream(&codepage::CCSID_037.encode(&text), &capabilities, ScreenSize::MODEL2, LAST_LINE, None, false, false).0)
                .unwrap();
            let lines = (length + 2).div_ceil(80);
            assert!(screen.row(24 - lines as u16 + 1).starts_with(" X"), "{length}");
            assert_eq!(screen.rows().join("").matches('X').count(), length);
        }
        let text =
            "DFHAC2001 2026-11-23 06:30:00 REGION01 Transaction 'ABCD' is not recognized. Check that the transaction name is correct.";
        screen
            .apply(&stream(&codepage::CCSID_037.encode(text), &capabilities, ScreenSize::MODEL2, LAST_LINE, None, false, false).0)
            .unwrap();
        assert_eq!(
            (screen.row(23).trim(), screen.row(24).trim()),
            (text.split_at(76).0.trim(), text.split_at(76).1.trim()),
            "{:?}",
            screen.rows()
        );
        // A shorter message leaves no rest of a longer one.
        let write = |screen: &mut Screen, text: &str, before| {
            let (stream, start) =
                stream(&codepage::CCSID_037.encode(text), &capabilities, ScreenSize::MODEL2, LAST_LINE, before, false, true);
            screen.apply(&stream).unwrap();
            start
        };
        let long = write(&mut screen, &"LONG ".repeat(40), None);
        assert!(screen.row(22).contains("LONG"));
        write(&mut screen, "SHORT", long);
        assert_eq!((screen.row(22).trim(), screen.row(23).trim(), screen.row(24).trim()), ("", "", "SHORT"));
        // The top can be typed on.
        screen.type_text("ABCD").unwrap();
        assert!(screen.row(1).starts_with("ABCD"));
    }
}
