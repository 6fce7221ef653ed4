//! INSPECT in all its forms. The older EXAMINE is not supported.

use super::Parser;
use super::cursor::Parsed;
use crate::program::*;

impl Parser<'_> {
    pub fn inspect_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let target = self.operand()?;
        let mut inspect = Inspect { target, tallying: Vec::new(), replacing: Vec::new(), converting: None };
        let mut any = false;
        if self.accept("TALLYING") {
            self.tallying(&mut inspect.tallying)?;
            any = true;
        }
        if self.accept("REPLACING") {
            self.replacing(&mut inspect.replacing)?;
            any = true;
        } else if self.accept("CONVERTING") {
            let from = self.operand()?;
            self.expect("TO")?;
            let to = self.operand()?;
            self.check_converting(&from, &to);
            let region = self.inspect_region()?;
            inspect.converting = Some(Box::new(InspectConvert { from, to, region }));
            any = true;
        }
        if !any {
            return self.fail("TALLYING, REPLACING or CONVERTING");
        }
        self.check_inspected(&inspect);
        Ok(StatementKind::Inspect(Box::new(inspect)))
    }

    fn check_inspected(&mut self, inspect: &Inspect) {
        match &inspect.target {
            Operand::Reference(reference) => {
                let item = self.item(reference.item);
                if item.usage == Usage::Utf8 {
                    let message = format!("{} is of usage UTF-8, which INSPECT does not support", item.name);
                    self.report.severe(reference.span, message);
                } else if !matches!(item.usage, Usage::Display | Usage::National | Usage::Display1 | Usage::Group) {
                    let message = format!("INSPECT {}: its usage must be DISPLAY or NATIONAL", item.name);
                    self.report.severe(reference.span, message);
                }
            }
            other if inspect.replacing.is_empty() && inspect.converting.is_none() => {
                let _ = other;
            }
            other => self.report.severe(other.span(), "INSPECT REPLACING and CONVERTING need a data item"),
        }
    }

    fn check_converting(&mut self, from: &Operand, to: &Operand) {
        if let (Operand::Literal(left), Operand::Literal(right)) = (from, to)
            && let (LiteralValue::Alphanumeric(left_bytes), LiteralValue::Alphanumeric(right_bytes)) = (&left.value, &right.value)
            && left_bytes.len() != right_bytes.len()
        {
            self.report.severe(right.span, "CONVERTING needs two operands of the same length");
        }
    }

    fn tallying(&mut self, tallies: &mut Vec<InspectTally>) -> Parsed<()> {
        while self.at_identifier() {
            let counter = self.reference()?;
            self.check_integer_item(&counter, "TALLYING");
            self.expect("FOR")?;
            self.tally_phrases(&counter, tallies)?;
        }
        if tallies.is_empty() { self.fail("a counter") } else { Ok(()) }
    }

    fn tally_phrases(&mut self, counter: &Reference, tallies: &mut Vec<InspectTally>) -> Parsed<()> {
        loop {
            if self.accept("CHARACTERS") {
                let region = self.inspect_region()?;
                tallies.push(InspectTally { counter: counter.clone(), mode: InspectMode::Characters, value: None, region });
                continue;
            }
            let mode = match self.accept_any(&["ALL", "LEADING"]) {
                Some("ALL") => InspectMode::All,
                Some(_) => InspectMode::Leading,
                None => return Ok(()),
            };
            loop {
                let value = self.operand()?;
                let region = self.inspect_region()?;
                tallies.push(InspectTally { counter: counter.clone(), mode, value: Some(value), region });
                // A further operand belongs to this ALL, unless it is the next counter.
                if !self.at_operand() || self.is_word("ALL") || self.counter_follows() {
                    break;
                }
            }
        }
    }

    /// `identifier FOR`: the next counter.
    fn counter_follows(&self) -> bool {
        let mut ahead = 1;
        let mut depth = 0_i32;
        while ahead < 60 {
            match &self.peek(ahead).kind {
                crate::lexer::TokenKind::LeftParenthesis => depth += 1,
                crate::lexer::TokenKind::RightParenthesis => depth -= 1,
                crate::lexer::TokenKind::Word(word) if depth == 0 => match &**word {
                    "FOR" => return true,
                    "OF" | "IN" => ahead += 1,
                    _ => return false,
                },
                _ if depth == 0 => return false,
                _ => {}
            }
            ahead += 1;
        }
        false
    }

    fn replacing(&mut self, replacements: &mut Vec<InspectReplace>) -> Parsed<()> {
        loop {
            if self.accept("CHARACTERS") {
                self.expect("BY")?;
                let by = self.operand()?;
                self.check_length_of_one(&by);
                let region = self.inspect_region()?;
                replacements.push(InspectReplace { mode: InspectMode::Characters, value: None, by, region });
                continue;
            }
            let mode = match self.accept_any(&["ALL", "LEADING", "FIRST"]) {
                Some("ALL") => InspectMode::All,
                Some("LEADING") => InspectMode::Leading,
                Some(_) => InspectMode::First,
                None if replacements.is_empty() => return self.fail("CHARACTERS, ALL, LEADING or FIRST"),
                None => return Ok(()),
            };
            loop {
                let value = self.operand()?;
                self.expect("BY")?;
                let by = self.operand()?;
                self.check_replacement(&value, &by);
                let region = self.inspect_region()?;
                replacements.push(InspectReplace { mode, value: Some(value), by, region });
                if !self.at_operand() || self.is_word("ALL") {
                    break;
                }
            }
        }
    }

    /// The length in bytes of an operand, if the compiler knows it.
    fn known_length(&self, operand: &Operand) -> Option<u32> {
        match operand {
            Operand::Literal(Literal { value: LiteralValue::Alphanumeric(bytes), .. }) => Some(bytes.len() as u32),
            Operand::Reference(reference) if reference.modification.is_none() => {
                let item = self.item(reference.item);
                item.length.is_fixed().then_some(item.length.fixed)
            }
            _ => None,
        }
    }

    fn check_length_of_one(&mut self, by: &Operand) {
        let is_text = !self.is_national(by) && !self.is_utf8(by);
        if let Some(length) = self.known_length(by).filter(|length| is_text && *length != 1) {
            self.report.severe(by.span(), format!("CHARACTERS BY takes one character, not {length}"));
        }
    }

    fn check_replacement(&mut self, value: &Operand, by: &Operand) {
        if let (Some(left), Some(right)) = (self.known_length(value), self.known_length(by))
            && left != right
        {
            self.report.severe(by.span(), format!("the replacement has {right} characters, not the {left} of what it replaces"));
        }
    }

    /// `[BEFORE [INITIAL] operand] [AFTER [INITIAL] operand]` in either order.
    fn inspect_region(&mut self) -> Parsed<InspectRegion> {
        let mut region = InspectRegion::default();
        while let Some(word) = self.accept_any(&["BEFORE", "AFTER"]) {
            self.accept("INITIAL");
            let operand = self.operand()?;
            if word == "BEFORE" {
                region.before = Some(operand);
            } else {
                region.after = Some(operand);
            }
        }
        Ok(region)
    }
}
