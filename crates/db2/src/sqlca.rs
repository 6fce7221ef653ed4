//! The SQL communication area: 136 bytes in the storage of the program, and its SQLCODE and SQLSTATE variables.
//!
//! | offset | field | bytes |
//! | --- | --- | --- |
//! | 0 | SQLCAID | `SQLCA` and three blanks |
//! | 8 | SQLCABC | fullword, 136 |
//! | 12 | SQLCODE | fullword |
//! | 16 | SQLERRML, SQLERRMC | halfword, then 70 bytes: tokens with X'FF' between them |
//! | 88 | SQLERRP | 8: the module that found the condition |
//! | 96 | SQLERRD | six fullwords; the third is the number of rows |
//! | 120 | SQLWARN0 to SQLWARNA | 11 |
//! | 131 | SQLSTATE | 5 |

use crate::convert::Page;
use crate::errors::{SqlError, code};
use crate::storage;
use kernel::Departure;
use program::requests::{SqlOutcome, SqlRequest};
use sql::Scroll;

const SQLCA_BYTES: usize = 136;
const CODE_AT: usize = 12;
const MESSAGE_AT: usize = 16;
const MESSAGE_BYTES_MAX: usize = 70;
const MODULE_AT: usize = 88;
const DETAILS_AT: usize = 96;
const WARNINGS_AT: usize = 120;
const STATE_AT: usize = 131;
const TOKEN_END: u8 = 0xFF;
const WARNINGS: usize = 11;
/// Index in SQLERRD of the number of rows, and of the relative cost, whose bytes a negative SQLCODE sets.
const ROWS: usize = 2;
const IDENTIFIER: &str = "SQLCA   ";
/// SQLERRP of a statement without an error.
const MODULE: &str = "DSN     ";
/// SQLERRP of a statement about connections: the product of the server, and its version, release and modification.
const PRODUCT: &str = "DSN12015";
const NO_PRODUCT: &str = "        ";

/// SQLWARN1: a string was truncated; SQLWARN4: an UPDATE or DELETE without WHERE.
pub const TRUNCATED: usize = 1;
pub const OF_ALL_ROWS: usize = 4;
/// What OPEN says of its cursor.
const SCROLLABLE: usize = 1;
const SENSITIVITY: usize = 4;
const CAPABILITY: usize = 5;

/// What a statement reports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Area {
    pub code: i32,
    pub state: [u8; 5],
    /// Rows changed or fetched: SQLERRD(3).
    pub rows: i64,
    pub warnings: [u8; WARNINGS],
    pub tokens: Vec<String>,
    /// SQLERRP.
    module: &'static str,
    /// SQLERRD(5) and (6) are zero here; SQLERRD(1) and (2) hold what a PREPARE or OPEN says.
    pub details: [i32; 6],
}

impl Default for Area {
    fn default() -> Area {
        Area { code: 0, state: *b"00000", rows: 0, warnings: [b' '; WARNINGS], tokens: Vec::new(), module: MODULE, details: [0; 6] }
    }
}

impl Area {
    /// Ready for the next statement; keeps its memory.
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.module = MODULE;
        (self.code, self.state, self.rows, self.details) = (0, *b"00000", 0, [0; 6]);
        self.warnings = [b' '; WARNINGS];
    }

    /// Sets the condition of an error or warning.
    pub fn set(&mut self, error: SqlError) {
        self.module = if error.code == 0 { MODULE } else { error.procedure() };
        self.code = error.code;
        self.state = error.state;
        self.tokens = error.tokens;
    }

    /// A statement about connections tells the product that the program is connected to.
    pub fn tell_product(&mut self, is_connected: bool) {
        self.module = if is_connected { PRODUCT } else { NO_PRODUCT };
    }

    pub fn warn(&mut self, index: usize) {
        self.warnings[0] = b'W';
        self.warnings[index] = b'W';
    }

    /// SQLWARN1, 4 and 5 after OPEN: whether the cursor is scrollable, how it sees changes, and what it allows: reading, or all changes.
    pub fn cursor_kind(&mut self, scroll: Scroll, updatable: bool) {
        self.warnings[SCROLLABLE] = if scroll == Scroll::No { b'N' } else { b'S' };
        match scroll {
            Scroll::No => return,
            Scroll::Sensitive => self.warnings[SENSITIVITY] = b'S',
            Scroll::Insensitive | Scroll::Asensitive => self.warnings[SENSITIVITY] = b'I',
        }
        self.warnings[CAPABILITY] = if updatable { b'4' } else { b'1' };
    }

    pub fn outcome(&self) -> SqlOutcome {
        match self.code {
            code::NOT_FOUND => SqlOutcome::NotFound,
            ..0 => SqlOutcome::Error,
            1.. => SqlOutcome::Warning,
            0 if self.warnings[0] == b'W' => SqlOutcome::Warning,
            0 => SqlOutcome::Successful,
        }
    }

    /// The area's bytes; characters are in the page of the program.
    pub fn bytes(&self, page: &Page) -> [u8; SQLCA_BYTES] {
        let code_page = page.code_page;
        let mut area = [code_page.space; SQLCA_BYTES];
        let mut put = |at: usize, text: &[u8]| text.iter().zip(&mut area[at..]).for_each(|(from, to)| *to = code_page.ascii(*from));
        put(0, IDENTIFIER.as_bytes());
        put(MODULE_AT, self.module.as_bytes());
        put(STATE_AT, &self.state);
        put(WARNINGS_AT, &self.warnings);
        area[IDENTIFIER.len()..CODE_AT].copy_from_slice(&(SQLCA_BYTES as u32).to_be_bytes());
        area[CODE_AT..MESSAGE_AT].copy_from_slice(&self.code.to_be_bytes());
        let mut details = self.details;
        if self.code >= 0 {
            details[ROWS] = i32::try_from(self.rows).unwrap_or(i32::MAX);
        }
        for (index, detail) in details.iter().enumerate() {
            area[DETAILS_AT + 4 * index..][..4].copy_from_slice(&detail.to_be_bytes());
        }
        let mut message = Vec::new();
        for (index, token) in self.tokens.iter().enumerate() {
            if index > 0 {
                message.push(TOKEN_END);
            }
            page.put_text(token.as_bytes(), &mut message);
        }
        message.truncate(MESSAGE_BYTES_MAX);
        area[MESSAGE_AT..MESSAGE_AT + 2].copy_from_slice(&(message.len() as u16).to_be_bytes());
        area[MESSAGE_AT + 2..][..message.len()].copy_from_slice(&message);
        area
    }

    /// Stores the area where the program has it. `copy` stores the values of its variables in the same access.
    pub fn deliver(&self, request: &SqlRequest, page: &Page, copy: impl FnOnce(&storage::Memory)) -> Result<SqlOutcome, Departure> {
        let area = self.bytes(page);
        storage::access(|memory| {
            copy(memory);
            if request.sqlca != 0 {
                memory.write(request.sqlca, &area);
            }
            if request.sqlcode != 0 {
                memory.write(request.sqlcode, &self.code.to_be_bytes());
            }
            if request.sqlstate != 0 {
                memory.write(request.sqlstate, &area[STATE_AT..]);
            }
        })?;
        Ok(self.outcome())
    }
}

/// Stores an error that was found before any thread was involved: the database is not available, the program has no plan.
pub fn store(frame: program::rununit::FrameId, request: &SqlRequest, error: &SqlError) -> Result<SqlOutcome, Departure> {
    let page = Page::of(frame.program_info().options.ccsid);
    let mut area = Area::default();
    area.set(error.clone());
    area.deliver(request, page, |_| {})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_where_the_program_has_them() {
        let mut area = Area::default();
        area.set(SqlError::new(code::NULL_WITHOUT_INDICATOR, &["1"]));
        area.warn(TRUNCATED);
        let bytes = area.bytes(Page::of(37));
        assert_eq!(bytes[..16], [0xE2, 0xD8, 0xD3, 0xC3, 0xC1, 0x40, 0x40, 0x40, 0, 0, 0, 136, 0xFF, 0xFF, 0xFE, 0xCF]);
        assert_eq!(bytes[16..19], [0, 1, 0xF1]);
        assert_eq!(bytes[120..122], [0xE6, 0xE6]);
        assert_eq!(bytes[131..], [0xF2, 0xF2, 0xF0, 0xF0, 0xF2]);
    }
}
