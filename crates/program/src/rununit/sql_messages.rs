//! DSNTIAR and DSNTIAC: the message lines for an SQLCA, in an area of the program.
//!
//! Rules: Db2 for z/OS Application Programming and SQL Guide, "Displaying SQLCA fields by calling DSNTIAR". DSNTIAC has the EXEC interface
//! block and the communication area in front of the same arguments. The return code is in RETURN-CODE.
//!
//! `unsafe` here reads and writes the arguments of a call: see the parent module. `codegen/tests/sql.rs` calls DSNTIAR.

use super::services::{Areas, lacks};
use super::*;
use crate::requests::CallRequest;
use sql::codes::{Communication, dsntiar};

/// Arguments: SQLCA, message area, length of a line.
const ARGUMENTS: usize = 3;
/// Places in the SQLCA.
const AREA_LENGTH: usize = 136;
const CODE: std::ops::Range<usize> = 12..16;
const TOKENS_LENGTH: std::ops::Range<usize> = 16..18;
const TOKENS: std::ops::Range<usize> = 18..88;
const PROCEDURE: std::ops::Range<usize> = 88..96;
const DETAILS: usize = 96;
const WARNINGS: std::ops::Range<usize> = 120..131;
const STATE: std::ops::Range<usize> = 131..136;
/// Between two tokens.
const TOKEN_END: u8 = 0xFF;

/// The number of the first argument.
fn first_argument(name: &str) -> Option<usize> {
    match name {
        "DSNTIAR" => Some(0),
        "DSNTIAC" => Some(2),
        _ => None,
    }
}

impl RunUnit {
    /// A CALL of DSNTIAR or DSNTIAC; `None` if it is of another program.
    pub(super) fn sql_messages(&mut self, caller: FrameId, name: &str, request: &CallRequest) -> Option<Result<(), Departure>> {
        let first = first_argument(name)?;
        let addresses: Vec<*mut u8> = match request.argument_count as usize {
            0 => Vec::new(),
            count => {
                unsafe { std::slice::from_raw_parts(request.arguments, count) }.iter().map(|&address| address as usize as *mut u8).collect()
            }
        };
        if lacks(&addresses, first..first + ARGUMENTS) {
            return Some(Err(Departure::Abend(Box::new(kernel::Abend::new("4038", 0)))));
        }
        self.header.return_code = unsafe { message_lines(caller.session(), &Areas(&addresses[first..])) };
        Some(Ok(()))
    }
}

/// Fills the message area; the result is DSNTIAR's return code.
unsafe fn message_lines(session: &le::Session, areas: &Areas) -> i32 {
    let communication = communication(session, areas.area(0, AREA_LENGTH));
    let room = usize::from(areas.halfword(1));
    let length = usize::try_from(areas.fullword(2)).unwrap_or(0);
    let (lines, error) = dsntiar(&communication, length, room);
    let text = session.code_page.encode(&lines.concat());
    let area = std::slice::from_raw_parts_mut(areas.address(1).add(2), room);
    area.fill(session.code_page.space);
    let used = text.len().min(room);
    area[..used].copy_from_slice(&text[..used]);
    error.map_or(0, |error| error as i32)
}

fn communication(session: &le::Session, area: &[u8]) -> Communication {
    let page = session.code_page;
    let fullword = |at: usize| i32::from_be_bytes([area[at], area[at + 1], area[at + 2], area[at + 3]]);
    let used = usize::from(u16::from_be_bytes([area[TOKENS_LENGTH.start], area[TOKENS_LENGTH.start + 1]])).min(TOKENS.len());
    let tokens = &area[TOKENS.start..TOKENS.start + used];
    let mut warnings = [b' '; 11];
    let shown = page.decode(&area[WARNINGS]);
    shown.bytes().zip(&mut warnings).for_each(|(from, to)| *to = from);
    Communication {
        code: fullword(CODE.start),
        state: page.decode(&area[STATE]),
        procedure: page.decode(&area[PROCEDURE]).trim_end().to_string(),
        tokens: match used {
            0 => Vec::new(),
            _ => tokens.split(|byte| *byte == TOKEN_END).map(|token| page.decode(token)).collect(),
        },
        errd: std::array::from_fn(|index| fullword(DETAILS + 4 * index)),
        warnings,
    }
}
