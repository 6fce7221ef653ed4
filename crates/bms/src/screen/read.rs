//! The data a terminal sends: read modified, read buffer and Query Reply.

use super::{Cell, Screen};
use crate::constants::*;

impl Screen {
    /// AID, cursor and modified fields; `all` sends them for CLEAR and PA keys too.
    pub fn read_modified(&self, all: bool) -> Vec<u8> {
        let mut out = vec![self.aid];
        if is_short_read(self.aid) && !all {
            return out;
        }
        out.extend(self.addressing.encode(self.cursor));
        if !self.is_formatted() {
            self.append_data(&mut out, 0, self.positions());
            return out;
        }
        for field in self.fields().iter().filter(|field| field.is_modified()) {
            out.push(ORDER_SBA);
            out.extend(self.addressing.encode(field.start));
            self.append_data(&mut out, field.start, field.length as usize);
        }
        out
    }

    /// Characters without nulls; character attributes in character reply mode.
    fn append_data(&self, out: &mut Vec<u8>, start: u16, length: usize) {
        let mut shown = Cell::default();
        for offset in 0..length {
            let cell = self.cells[(start as usize + offset) % self.positions()];
            if cell.code == 0 {
                continue;
            }
            self.append_character_attributes(out, &cell, &mut shown);
            if cell.graphic {
                out.push(ORDER_GE);
            }
            out.push(cell.code);
        }
        self.append_character_attributes(out, &Cell::default(), &mut shown);
    }

    fn append_character_attributes(&self, out: &mut Vec<u8>, cell: &Cell, shown: &mut Cell) {
        if self.reply_mode != SF_SRM_CHAR {
            return;
        }
        let pairs = [
            (XA_FOREGROUND, cell.color, &mut shown.color),
            (XA_HIGHLIGHTING, cell.highlight, &mut shown.highlight),
            (XA_BACKGROUND, cell.background, &mut shown.background),
            (XA_CHARSET, cell.charset, &mut shown.charset),
        ];
        for (kind, value, last) in pairs {
            if value != *last && self.reply_attributes.contains(&kind) {
                out.extend([ORDER_SA, kind, value]);
                *last = value;
            }
        }
    }

    pub fn read_buffer(&self) -> Vec<u8> {
        let mut out = vec![self.aid];
        out.extend(self.addressing.encode(self.cursor));
        let mut shown = Cell::default();
        for cell in &self.cells {
            if !cell.is_field {
                self.append_character_attributes(&mut out, cell, &mut shown);
                if cell.graphic {
                    out.push(ORDER_GE);
                }
                out.push(cell.code);
                continue;
            }
            let extended: Vec<(u8, u8)> = [
                (XA_FOREGROUND, cell.color),
                (XA_HIGHLIGHTING, cell.highlight),
                (XA_BACKGROUND, cell.background),
                (XA_CHARSET, cell.charset),
                (XA_VALIDATION, cell.validation),
                (XA_OUTLINING, cell.outline),
            ]
            .into_iter()
            .filter(|&(_, value)| value != 0)
            .collect();
            if self.reply_mode == SF_SRM_FIELD {
                out.extend([ORDER_SF, cell.code]);
            } else {
                out.extend([ORDER_SFE, extended.len() as u8 + 1, XA_3270, cell.code]);
                out.extend(extended.iter().flat_map(|&(kind, value)| [kind, value]));
            }
        }
        out
    }

    /// Query Reply of a colour display with two sizes.
    pub fn query_reply(&self) -> Vec<u8> {
        let alternate = self.alternate_size;
        let (rows, columns) = (alternate.rows.to_be_bytes(), alternate.columns.to_be_bytes());
        let (default_rows, default_columns) = (self.default_size.rows.to_be_bytes(), self.default_size.columns.to_be_bytes());
        let codes = [QR_SUMMARY, QR_USABLE_AREA, QR_COLOR, QR_HIGHLIGHTING, QR_REPLY_MODES, QR_IMP_PART];
        let mut out = vec![AID_STRF];
        let mut reply = |code: u8, data: &[u8]| {
            out.extend((data.len() as u16 + 4).to_be_bytes());
            out.extend([SFID_QREPLY, code]);
            out.extend_from_slice(data);
        };
        reply(QR_SUMMARY, &codes);
        let mut area = vec![0x01, 0x00];
        area.extend([columns[0], columns[1], rows[0], rows[1]]);
        // Units: inches; distances between points and cell size of a 3279.
        area.extend([0x01, 0x00, 0x0A, 0x02, 0xE5, 0x00, 0x02, 0x00, 0x6F, 0x09, 0x0C]);
        area.extend((alternate.positions() as u16).to_be_bytes());
        reply(QR_USABLE_AREA, &area);
        let mut colors = vec![0x00, 0x08, 0x00, 0xF4];
        colors.extend((0xF1..=0xF7u8).flat_map(|color| [color, color]));
        reply(QR_COLOR, &colors);
        reply(QR_HIGHLIGHTING, &[0x05, 0x00, 0xF0, 0xF1, 0xF1, 0xF2, 0xF2, 0xF4, 0xF4, 0xF8, 0xF8]);
        reply(QR_REPLY_MODES, &[SF_SRM_FIELD, SF_SRM_XFIELD, SF_SRM_CHAR]);
        let mut partition = vec![0x00, 0x00, 0x0B, 0x01, 0x00];
        partition.extend([default_columns, default_rows, columns, rows].concat());
        reply(QR_IMP_PART, &partition);
        out
    }
}
