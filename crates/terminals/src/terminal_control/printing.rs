//! The output of printers of LU type 1: SCS data (SNA character string) in place of the 3270 data stream.
//!
//! A record without positions and fields goes as the program has written it, without its command, its write control character and the EM
//! at its end: text with NL, FF and the other control codes. One with positions and fields, as BMS makes it, goes as the lines of its page,
//! each with NL at its end.

use bms::constants::*;
use bms::model::PrintLine;
use bms::send_map::control_of;
use bms::{Capabilities, Screen};

/// Orders that only data for a buffer has.
const BUFFER_ORDERS: [u8; 6] = [ORDER_SBA, ORDER_SF, ORDER_SFE, ORDER_RA, ORDER_EUA, ORDER_IC];
/// End of medium: the end of the text in a 3270 buffer.
const END_OF_MEDIUM: u8 = FCORDER_EM;
const BLANK: u8 = 0x40;
/// Command and write control character.
const PREFIX_LENGTH: usize = 2;

/// The data of a record; `None`: there is nothing to print.
pub(super) fn scs(record: &[u8], capabilities: &Capabilities) -> Option<Vec<u8>> {
    let is_write = matches!(*record.first()?, CMD_W | SNA_CMD_W | CMD_EW | SNA_CMD_EW | CMD_EWA | SNA_CMD_EWA);
    let data = record.get(PREFIX_LENGTH..).filter(|data| is_write && !data.is_empty())?;
    if !data.iter().any(|byte| BUFFER_ORDERS.contains(byte)) {
        return Some(data.strip_suffix(&[END_OF_MEDIUM]).unwrap_or(data).to_vec());
    }
    // The code page has no influence: the bytes of the buffer are not translated.
    let mut screen = Screen::new(capabilities, &codepage::CCSID_037);
    screen.apply(record).ok()?;
    let columns = match control_of(record[1]).print_line {
        PrintLine::Columns40 => 40,
        PrintLine::Columns64 => 64,
        PrintLine::Columns80 | PrintLine::NewLineOrEndOfMedium => usize::from(screen.size().columns),
    };
    let mut out = Vec::new();
    let mut waiting = 0;
    for row in screen.cells().chunks(columns) {
        let line: Vec<u8> = row.iter().map(|cell| if cell.is_field || cell.code == 0 { BLANK } else { cell.code }).collect();
        let length = line.iter().rposition(|&byte| byte != BLANK).map_or(0, |last| last + 1);
        if length == 0 {
            waiting += 1;
            continue;
        }
        // Empty lines behind the last text are not printed.
        out.extend(std::iter::repeat_n(SCS_NL, std::mem::take(&mut waiting)));
        out.extend_from_slice(&line[..length]);
        out.push(SCS_NL);
    }
    (!out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bms::Model;

    #[test]
    fn buffers_become_lines_and_text_stays() {
        let printer = Capabilities::of_model(Model::Printer, false);
        let text = [SNA_CMD_EW, 0xC8, 0xC1, SCS_NL, 0xC2, END_OF_MEDIUM];
        assert_eq!(scs(&text, &printer), Some(vec![0xC1, SCS_NL, 0xC2]));
        // Row 3, column 2, behind an attribute.
        let formatted = [SNA_CMD_EW, 0xC8, ORDER_SBA, 0xC2, 0x60, ORDER_SF, 0x60, 0xC1, 0xC2];
        assert_eq!(scs(&formatted, &printer), Some(vec![SCS_NL, SCS_NL, BLANK, 0xC1, 0xC2, SCS_NL]));
        let short = [&[SNA_CMD_EW, 0xD8, ORDER_SBA, 0x40, 0x40, ORDER_SF, 0x60][..], &[0xC1; 40]].concat();
        assert_eq!(scs(&short, &printer), Some([&[BLANK][..], &[0xC1; 39], &[SCS_NL, 0xC1, SCS_NL]].concat()));
        assert_eq!(scs(&[SNA_CMD_RB], &printer), None);
    }
}
