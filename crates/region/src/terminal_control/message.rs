//! How a message of the region looks on a screen that belongs to no program: on the last lines, intensified, over what is there
//! (TYPETERM ERRLASTLINE(YES) and ERRINTENSIFY(YES)), or from the cursor on without a field of its own (ERRLASTLINE(NO)).
//!
//! Invariant: afterwards the keyboard is free and the top of the screen can be typed on, so another transaction can be entered without
//! pressing CLEAR.

use bms::constants::SNA_CMD_W;
use bms::outbound::{Outbound, Wcc};
use bms::{Capabilities, ScreenSize};

/// Auto-skip, intensified.
const ATTRIBUTE_MESSAGE: u8 = 0xF8;
/// Unprotected, normal.
const ATTRIBUTE_OPEN: u8 = 0x40;

/// Where the message goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    LastLine,
    Cursor,
}

/// The data stream of a message, whose text is in the terminal's code page. `home` puts the cursor at the top left, where the next transaction is typed.
pub fn stream(text: &[u8], capabilities: &Capabilities, size: ScreenSize, place: Place, alarm: bool, home: bool) -> Vec<u8> {
    let wcc = if alarm { Wcc::RESTORE_KEYBOARD.with(Wcc::SOUND_ALARM) } else { Wcc::RESTORE_KEYBOARD };
    let mut out = Outbound::write(SNA_CMD_W, wcc, size, capabilities.addressing_for(size));
    let positions = size.positions();
    // One position for the attribute before the text, one for the one behind it.
    let bytes = &text[..text.len().min(positions - 2)];
    if place == Place::Cursor {
        out.data(bytes);
        return out.finish();
    }
    let columns = usize::from(size.columns);
    let lines = (bytes.len() + 2).div_ceil(columns);
    let start = positions - lines * columns;
    out.set_address(start as u16);
    out.start_field(ATTRIBUTE_MESSAGE);
    out.data(bytes);
    let last = (positions - 1) as u16;
    if start + 1 + bytes.len() < usize::from(last) {
        out.repeat_to(last, 0);
    }
    out.set_address(last);
    out.start_field(ATTRIBUTE_OPEN);
    if home {
        out.set_address(0);
        out.insert_cursor();
    }
    out.finish()
}

/// A write that only frees the keyboard.
pub fn unlock(capabilities: &Capabilities, size: ScreenSize) -> Vec<u8> {
    Outbound::write(SNA_CMD_W, Wcc::RESTORE_KEYBOARD, size, capabilities.addressing_for(size)).finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bms::{Model, Screen};

    #[test]
    fn a_message_takes_the_lines_it_needs_at_the_bottom() {
        let capabilities = Capabilities::of_model(Model::Two, true);
        let mut screen = Screen::new(&capabilities, &codepage::CCSID_037);
        screen
            .apply(&stream(&codepage::CCSID_037.encode("SHORT"), &capabilities, ScreenSize::MODEL2, Place::LastLine, true, true))
            .unwrap();
        assert_eq!((screen.row(24).trim(), screen.row(23).trim()), ("SHORT", ""));
        assert_eq!((screen.cursor(), screen.alarm_count, screen.is_unlocked()), (0, 1, true));
        for length in [78, 79, 158, 400] {
            let text = "X".repeat(length);
            screen
                .apply(&stream(&codepage::CCSID_037.encode(&text), &capabilities, ScreenSize::MODEL2, Place::LastLine, false, false))
                .unwrap();
            let lines = (length + 2).div_ceil(80);
            assert!(screen.row(24 - lines as u16 + 1).starts_with(" X"), "{length}");
            assert_eq!(screen.rows().join("").matches('X').count(), length);
        }
        // The top can be typed on.
        screen.type_text("ABCD").unwrap();
        assert!(screen.row(1).starts_with("ABCD"));
    }
}
