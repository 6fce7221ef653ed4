//! The translation of a statement: a block that builds its request on the stack, calls the run time, and goes where WHENEVER says.

use super::host::Host;
use crate::generate::GENERATED;
use crate::scan::Place;
use program::requests::SqlOutcome;
use std::fmt::Write as _;

/// A label of WHENEVER.
#[derive(Clone, Debug)]
pub struct Jump {
    pub label: String,
    pub place: Place,
    /// As `#line` has it.
    pub file: String,
}

/// Where a statement leaves its SQLCODE.
pub enum Outcome {
    /// The program's SQLCA.
    Area,
    /// SQLCODE and SQLSTATE, or one of them.
    Own { code: bool, state: bool },
}

pub struct Request<'a> {
    pub number: usize,
    pub hosts: &'a [Host],
    pub result: Outcome,
    pub whenever: &'a [Option<Jump>; 3],
    pub line: u32,
}

impl Request<'_> {
    /// Ends on a line of its own.
    pub fn text(&self) -> String {
        let (line, count) = (self.line, self.hosts.len());
        let mut text = format!("\n#line {line} \"{GENERATED}\"\n{{ ");
        self.hosts.iter().for_each(|host| text.push_str(&host.check));
        let (area, code, state) = match self.result {
            Outcome::Area => ("(unsigned long)&sqlca".to_string(), "0", "0"),
            Outcome::Own { .. } => ("0".to_string(), "(unsigned long)regent_w.code", "(unsigned long)regent_w.state"),
        };
        if matches!(self.result, Outcome::Own { .. }) {
            text.push_str("struct regent_sql_result regent_w; ");
        }
        let _ = write!(text, "struct regent_sql_variable regent_v[{}] = {{ ", count.max(1));
        for host in self.hosts {
            let _ = write!(text, "{{ {}, {} }}, ", host.address, host.indicator);
        }
        if count == 0 {
            text.push_str("{ 0, 0 } ");
        }
        let _ = write!(
            text,
            "}}; struct regent_sql_request regent_q = {{ {number}, {count}, (unsigned long)regent_v, {area}, {code}, {state}, {line}, {number} }}; \
             unsigned regent_o = regent_sql(&regent_q); (void)regent_o; ",
            number = self.number
        );
        if let Outcome::Own { code, state } = self.result {
            if code {
                text.push_str("SQLCODE = (int)regent_reversed(*(unsigned *)regent_w.code, 4); ");
            }
            if state {
                text.push_str("regent_state(SQLSTATE, sizeof SQLSTATE, regent_w.state); ");
            }
        }
        self.jumps(&mut text);
        text.push('}');
        text
    }

    /// The label stands at its place in the WHENEVER, so that the compiler says there if it is not defined.
    fn jumps(&self, text: &mut String) {
        for (jump, outcome) in self.whenever.iter().zip([SqlOutcome::NotFound, SqlOutcome::Error, SqlOutcome::Warning]) {
            let Some(Jump { label, place, file }) = jump else { continue };
            let indent = " ".repeat(usize::from(place.column.saturating_sub(1)));
            let _ = write!(
                text,
                "if (regent_o == {}) goto\n#line {} \"{file}\"\n{indent}{label}\n#line {} \"{GENERATED}\"\n; ",
                outcome as u32, place.line, self.line
            );
        }
    }
}
