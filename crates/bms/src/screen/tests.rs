//! Tests of the screen model against the rules of GA23-0059.

use super::*;
use crate::capabilities::Model;
use crate::outbound::{Outbound, Wcc};
use proptest::prelude::*;

fn screen(model: Model) -> Screen {
    Screen::new(&Capabilities::of_model(model, true), &codepage::CCSID_037)
}

fn build(command: u8) -> Outbound {
    Outbound::write(command, Wcc::RESTORE_KEYBOARD, ScreenSize::MODEL2, Addressing::Bits12)
}

/// Row 1: protected "ID", input of 4 at column 5, auto-skip stopper; row 2: numeric input of 2.
fn form() -> Screen {
    let mut screen = screen(Model::Two);
    let mut out = build(SNA_CMD_EW);
    out.start_field(0xF0);
    out.data(&codepage::CCSID_037.encode("ID:"));
    out.start_field(0x40);
    out.insert_cursor();
    out.set_address(9);
    out.start_field(0xF0);
    out.set_address(80);
    out.start_field_extended(0x50, &[(XA_FOREGROUND, 0xF2)]);
    out.set_address(83);
    out.start_field(0xF0);
    assert_eq!(screen.apply(&out.finish()), Ok(None));
    screen
}

#[test]
fn formatted_screen() {
    let mut screen = form();
    assert_eq!(screen.cursor_place(), (1, 6));
    assert_eq!(screen.row(1), " ID:");
    assert_eq!(screen.find("ID:"), Some((1, 2)));
    assert_eq!(screen.input_fields().iter().map(|field| (field.start, field.length)).collect::<Vec<_>>(), [(5, 4), (81, 2)]);
    assert_eq!(screen.field_at(82).unwrap().color, 0xF2);
    screen.type_text("abcd").unwrap();
    assert_eq!(screen.cursor(), 81, "auto-skip to the next input field");
    assert_eq!(screen.type_text("x"), Err(KeyError::Numeric));
    screen.type_text("7").unwrap();
    let record = screen.press(AID_ENTER).unwrap();
    assert_eq!(record, [0x7D, 0xC1, 0xD2, 0x11, 0x40, 0xC5, 0x81, 0x82, 0x83, 0x84, 0x11, 0xC1, 0xD1, 0xF7]);
    assert_eq!(screen.press(AID_ENTER), Err(KeyError::Locked));
    assert_eq!(screen.type_text("1"), Err(KeyError::Locked));
    screen.apply(&build(SNA_CMD_W).finish()).unwrap();
    assert!(screen.is_unlocked());
    assert_eq!(screen.press(AID_PA1).unwrap(), [AID_PA1]);
}

#[test]
fn operator_keys() {
    let mut screen = form();
    screen.set_cursor(1);
    assert_eq!(screen.type_text("x"), Err(KeyError::Protected));
    screen.tab();
    assert_eq!(screen.cursor(), 5);
    screen.tab();
    assert_eq!(screen.cursor(), 81);
    screen.tab();
    assert_eq!(screen.cursor(), 5);
    screen.back_tab();
    assert_eq!(screen.cursor(), 81);
    screen.home();
    screen.type_text("abc").unwrap();
    screen.set_cursor(5);
    screen.set_insert(true);
    screen.type_text("X").unwrap();
    assert_eq!(screen.type_text("Y"), Err(KeyError::Full));
    screen.set_insert(false);
    assert_eq!(screen.text(1, 6, 4), "Xabc");
    screen.set_cursor(6);
    screen.delete().unwrap();
    assert_eq!(screen.text(1, 6, 4), "Xbc ");
    screen.erase_to_end_of_field().unwrap();
    assert_eq!(screen.text(1, 6, 4), "X   ");
    screen.erase_input().unwrap();
    assert_eq!((screen.text(1, 6, 4).as_str(), screen.input_fields()[0].is_modified()), ("    ", false));
    screen.fill_input(2, "12").unwrap();
    assert_eq!(screen.fill_input(3, "1"), Err(KeyError::NoField));
    assert_eq!(screen.press(AID_CLEAR).unwrap(), [AID_CLEAR]);
    assert!(!screen.is_formatted());
}

#[test]
fn unformatted_input() {
    let mut screen = screen(Model::Two);
    screen.type_text("CESN").unwrap();
    assert_eq!(screen.press(AID_ENTER).unwrap(), [0x7D, 0x40, 0xC4, 0xC3, 0xC5, 0xE2, 0xD5]);
}

#[test]
fn modify_field_repeat_and_erase_unprotected() {
    let mut screen = form();
    screen.fill_input(1, "ab").unwrap();
    let mut out = build(SNA_CMD_W);
    out.set_address(4);
    out.modify_field(&[(XA_3270, 0xC8), (XA_HIGHLIGHTING, 0xF2)]);
    out.set_address(160);
    out.repeat_to(170, 0x60);
    screen.apply(&out.finish()).unwrap();
    let field = screen.field_at(5).unwrap();
    assert_eq!((field.attribute, field.highlight), (0xC8, 0xF2));
    assert_eq!(screen.row(3), "-".repeat(10));
    let mut out = build(SNA_CMD_W);
    out.set_address(0);
    out.erase_unprotected_to(0);
    screen.apply(&out.finish()).unwrap();
    assert_eq!(screen.text(1, 6, 4), "    ");
    assert_eq!(screen.text(1, 2, 3), "ID:");
    screen.fill_input(1, "ab").unwrap();
    screen.apply(&[SNA_CMD_EAU]).unwrap();
    assert_eq!((screen.cursor(), screen.input_fields()[0].is_modified()), (5, false));
}

#[test]
fn program_tab_moves_and_clears() {
    let mut screen = form();
    screen.fill_input(1, "abcd").unwrap();
    let mut out = build(SNA_CMD_W);
    out.set_address(5);
    out.data(&[0xC1]);
    out.program_tab();
    out.data(&[0xF1]);
    screen.apply(&out.finish()).unwrap();
    assert_eq!(screen.text(1, 6, 4), "A   ");
    assert_eq!(screen.text(2, 2, 2), "1 ");
}

#[test]
fn sizes_reads_and_query() {
    let mut screen = screen(Model::Five);
    screen.apply(&[SNA_CMD_EWA, 0xC3]).unwrap();
    assert_eq!(screen.size(), ScreenSize::new(27, 132));
    let buffer = screen.apply(&[SNA_CMD_RB]).unwrap().unwrap();
    assert_eq!(buffer.len(), 3 + 3564);
    let reply = screen.apply(&crate::outbound::query()).unwrap().unwrap();
    let crate::inbound::Body::Structured(fields) = crate::Inbound::parse(&reply, 1920, Addressing::Bits12).unwrap().body else { panic!() };
    let mut capabilities = Capabilities::of_model(Model::Two, false);
    assert!(crate::query::apply_query_reply(&mut capabilities, &fields));
    assert_eq!(capabilities.alternate_size, ScreenSize::new(27, 132));
    screen.apply(&[SNA_CMD_EW, 0xC3]).unwrap();
    assert_eq!(screen.size(), ScreenSize::MODEL2);
    assert_eq!(screen.apply(&[SNA_CMD_W, 0xC3, 0x11, 0x5E, 0x40]), Err(StreamError::Address { offset: 1, address: 1920 }));
    assert_eq!(screen.apply(&[SNA_CMD_W, 0xC3, 0x1D]), Err(StreamError::OrderCut(1)));
}

proptest! {
    #[test]
    fn any_stream_is_survived(
        records in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..80), 0..12),
        orders in any::<bool>(),
    ) {
        let mut screen = form();
        for mut record in records {
            if orders && record.len() > 2 {
                record[0] = [SNA_CMD_W, SNA_CMD_EW, SNA_CMD_EWA, SNA_CMD_WSF][record[0] as usize % 4];
                let middle = record.len() / 2;
                record[middle] = [ORDER_RA, ORDER_PT, ORDER_EUA, ORDER_MF, ORDER_SFE, ORDER_SA][record[middle] as usize % 6];
            }
            let _ = screen.apply(&record);
            prop_assert_eq!(screen.cells().len(), screen.size().positions());
            prop_assert!((screen.cursor() as usize) < screen.cells().len());
            screen.tab();
            let _ = screen.type_text("A1");
            screen.back_tab();
            let _ = screen.press(AID_ENTER);
            screen.reset();
        }
    }
}
