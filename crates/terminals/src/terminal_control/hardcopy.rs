//! The screen of a display on its printer: ISSUE PRINT, and the print key (PRINT of the system initialization parameters).
//!
//! Rules ("3270 print support"): the printer is the one of the TERMINAL definition, or the alternate one if that is not available: not connected,
//! out of service or with a task. What is hidden on the screen is not printed. The key is no input of a task, and starts none. Invariant: while the
//! contents of the screen are awaited for the key, the next record of the terminal is those contents.

use super::display::{DisplayTerminal, display_of};
use super::issue::BUFFER_PREFIX_LENGTH;
use bms::Screen;
use bms::attribute::is_hidden;
use bms::constants::*;
use bms::model::Control;
use bms::send_map::wcc;
use region::Region;
use region::facility::{Partner, Terminal};
use region::name::Name4;
use std::sync::Arc;

const BLANK: u8 = 0x40;

/// The printer for the screen of a display; the log says if there is none.
pub(super) fn printer_of(display: &DisplayTerminal) -> Option<Arc<dyn Terminal>> {
    let region = display.region();
    let printers = display.service().printers.into_iter();
    let found = printers.filter(|name| !name.is_blank()).find_map(|name| available(region, name));
    if found.is_none() {
        let name = display.name();
        region.messages.send("DFHZC2497", &[("termid", name.as_str())]);
    }
    found
}

/// Prints a screen from the answer to a read of its buffer. False: the session of the printer has ended.
pub(super) fn print(display: &DisplayTerminal, printer: &dyn Terminal, buffer: &[u8]) -> bool {
    let record = page(display, buffer.get(BUFFER_PREFIX_LENGTH..).unwrap_or_default());
    display_of(printer).is_some_and(|printer| printer.transmit(&record).is_ok())
}

/// A printer that is connected and in service, and has no task.
fn available(region: &Region, name: Name4) -> Option<Arc<dyn Terminal>> {
    let printer = region.terminals.find(name)?;
    let own = display_of(&*printer)?;
    let is_available = own.capabilities.printer && own.service().in_service && !own.is_closed() && printer.task_number().is_none();
    is_available.then_some(printer)
}

/// The lines of the screen, with new-line characters: the printer need not have a buffer of the screen's size.
fn page(display: &DisplayTerminal, data: &[u8]) -> Vec<u8> {
    let alternate = display.is_alternate();
    let mut screen = Screen::new(&display.capabilities, display.page());
    // A screen that does not parse is printed as far as it does.
    let _ = screen.apply(&[&[if alternate { SNA_CMD_EWA } else { SNA_CMD_EW }, wcc(Control::default()).byte()], data].concat());
    let control = Control { print: true, ..Control::default() };
    let mut record = vec![SNA_CMD_EW, wcc(control).byte()];
    record.extend(lines(&screen));
    record.push(FCORDER_EM);
    record
}

/// Empty lines behind the last text are not printed.
fn lines(screen: &Screen) -> Vec<u8> {
    let mut is_dark = screen.attribute_address(0).is_some_and(|at| is_hidden(screen.cells()[usize::from(at)].code));
    let (mut out, mut empty) = (Vec::new(), 0);
    for row in screen.cells().chunks(usize::from(screen.size().columns)) {
        let mut line = Vec::with_capacity(row.len());
        for cell in row {
            if cell.is_field {
                is_dark = is_hidden(cell.code);
            }
            line.push(if cell.is_field || is_dark || cell.graphic || cell.code < BLANK { BLANK } else { cell.code });
        }
        let length = line.iter().rposition(|byte| *byte != BLANK).map_or(0, |last| last + 1);
        if length == 0 {
            empty += 1;
            continue;
        }
        out.extend(std::iter::repeat_n(FCORDER_NL, std::mem::take(&mut empty)));
        out.extend_from_slice(&line[..length]);
        out.push(FCORDER_NL);
    }
    out
}

impl DisplayTerminal {
    /// Whether a record is the print key of the region.
    pub(super) fn is_print_key(&self, record: &[u8]) -> bool {
        let [aid] = record else { return false };
        !self.capabilities.printer && key_by_aid(*aid).is_some_and(|key| self.region.sit.get("PRINT") == key)
    }

    /// The contents of the screen have come for the print key.
    pub(super) fn print_screen(&self, buffer: &[u8]) {
        if let Some(printer) = printer_of(self) {
            print(self, &*printer, buffer);
        }
        self.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bms::{Capabilities, Model};

    #[test]
    fn lines_are_what_is_seen() {
        let mut screen = Screen::new(&Capabilities::of_model(Model::Five, true), &codepage::CCSID_037);
        let mut record = vec![SNA_CMD_EWA, 0xC3, ORDER_SF, 0x60, 0xC1, 0xC2, ORDER_SF, 0x4C, 0xC8, ORDER_SF, 0x60, 0xC3];
        // Row 3, column 131: past the width of a line of 80.
        let address = bms::address::Addressing::Bits12.encode(2 * 132 + 130);
        record.push(ORDER_SBA);
        record.extend(address);
        record.push(0xD9);
        screen.apply(&record).unwrap();
        let expected =
            [&[BLANK, 0xC1, 0xC2, BLANK, BLANK, BLANK, 0xC3, FCORDER_NL, FCORDER_NL][..], &[BLANK; 130], &[0xD9, FCORDER_NL]].concat();
        assert_eq!(lines(&screen), expected);
    }
}
