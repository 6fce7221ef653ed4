//! ADD, SUBTRACT, MULTIPLY, DIVIDE, COMPUTE.

use super::Parser;
use super::cursor::Parsed;
use crate::check::precision;
use crate::lexer::TokenKind;
use crate::program::*;

const ROUNDED_MODES: [(&str, Rounding); 8] = [
    ("AWAY-FROM-ZERO", Rounding::AwayFromZero),
    ("NEAREST-AWAY-FROM-ZERO", Rounding::NearestAwayFromZero),
    ("NEAREST-EVEN", Rounding::NearestEven),
    ("NEAREST-TOWARD-ZERO", Rounding::NearestTowardZero),
    ("PROHIBITED", Rounding::Prohibited),
    ("TOWARD-GREATER", Rounding::TowardGreater),
    ("TOWARD-LESSER", Rounding::TowardLesser),
    ("TRUNCATION", Rounding::Truncation),
];

impl Parser<'_> {
    pub fn add_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        if self.accept("CORRESPONDING") || self.accept("CORR") {
            let kind = self.corresponding_arithmetic(Combine::Add, "TO")?;
            self.end_scope("END-ADD");
            return Ok(kind);
        }
        let mut value = self.sum("ADD")?;
        let kind = if self.accept("GIVING") {
            let targets = self.targets(true)?;
            self.operation(Combine::Store, value, targets)?
        } else {
            self.expect("TO")?;
            // `ADD a TO b GIVING c` adds b as well; it may be a literal.
            let start = self.at;
            if self.to_giving() {
                while !self.is_word("GIVING") {
                    let operand = self.operand()?;
                    let right = self.numeric(operand)?;
                    value = binary(Operator::Add, value, right);
                }
                self.advance();
                let targets = self.targets(true)?;
                self.operation(Combine::Store, value, targets)?
            } else {
                self.at = start;
                let targets = self.targets(false)?;
                self.operation(Combine::Add, value, targets)?
            }
        };
        self.finish_arithmetic(kind, "END-ADD")
    }

    /// GIVING comes after the operands at hand.
    fn to_giving(&self) -> bool {
        let mut ahead = 0;
        loop {
            match &self.peek(ahead).kind {
                TokenKind::Word(word) if &**word == "GIVING" => return true,
                TokenKind::Word(word)
                    if super::words::is_reserved(word) && !matches!(&**word, "OF" | "IN" | "LENGTH" | "FUNCTION" | "ZERO" | "ALL") =>
                {
                    return false;
                }
                TokenKind::Period | TokenKind::EndOfSource | TokenKind::Exec(_) => return false,
                _ => ahead += 1,
            }
        }
    }

    pub fn subtract_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        if self.accept("CORRESPONDING") || self.accept("CORR") {
            let kind = self.corresponding_arithmetic(Combine::Subtract, "FROM")?;
            self.end_scope("END-SUBTRACT");
            return Ok(kind);
        }
        let value = self.sum("SUBTRACT")?;
        self.expect("FROM")?;
        let kind = if self.to_giving() {
            let operand = self.operand()?;
            let minuend = self.numeric(operand)?;
            self.expect("GIVING")?;
            let targets = self.targets(true)?;
            self.operation(Combine::Store, binary(Operator::Subtract, minuend, value), targets)?
        } else {
            let targets = self.targets(false)?;
            self.operation(Combine::Subtract, value, targets)?
        };
        self.finish_arithmetic(kind, "END-SUBTRACT")
    }

    pub fn multiply_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let operand = self.operand()?;
        let value = self.numeric(operand)?;
        self.expect("BY")?;
        let kind = if self.to_giving() {
            let operand = self.operand()?;
            let right = self.numeric(operand)?;
            self.expect("GIVING")?;
            let targets = self.targets(true)?;
            self.operation(Combine::Store, binary(Operator::Multiply, value, right), targets)?
        } else {
            let targets = self.targets(false)?;
            self.operation(Combine::Multiply, value, targets)?
        };
        self.finish_arithmetic(kind, "END-MULTIPLY")
    }

    pub fn divide_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let operand = self.operand()?;
        let first = self.numeric(operand)?;
        let (dividend, divisor) = if self.accept("INTO") {
            if !self.to_giving() {
                let targets = self.targets(false)?;
                let kind = self.operation(Combine::Divide, first, targets)?;
                return self.finish_arithmetic(kind, "END-DIVIDE");
            }
            let operand = self.operand()?;
            (self.numeric(operand)?, first)
        } else if self.accept("BY") {
            let operand = self.operand()?;
            (first, self.numeric(operand)?)
        } else {
            return self.fail("INTO or BY");
        };
        self.expect("GIVING")?;
        let targets = self.targets(true)?;
        if self.accept("REMAINDER") {
            return self.remainder(dividend, divisor, targets);
        }
        let kind = self.operation(Combine::Store, binary(Operator::Divide, dividend, divisor), targets)?;
        self.finish_arithmetic(kind, "END-DIVIDE")
    }

    fn remainder(&mut self, mut dividend: Expression, mut divisor: Expression, mut targets: Vec<Target>) -> Parsed<StatementKind> {
        let span = self.span();
        let remainder = self.target(true)?;
        if targets.len() != 1 {
            return self.fail_at(span, "REMAINDER needs exactly one GIVING item");
        }
        let mut quotient = targets.remove(0);
        precision::assign(&mut dividend, 0, &self.options);
        precision::assign(&mut divisor, 0, &self.options);
        let item = self.item(quotient.reference.item);
        quotient.numeric = NumericType::Fixed { digits: item.digits.max(1), scale: item.scale, truncated: false };
        let mut remainder = remainder;
        let decimals = precision::decimals_max(&dividend).max(precision::decimals_max(&divisor) + i16::from(item.scale.max(0)));
        let scale = decimals.clamp(0, 30) as i8;
        remainder.numeric = NumericType::Fixed { digits: 31, scale, truncated: false };
        // "The REMAINDER phrase cannot be specified if the receiver or any of the operands is a floating-point item."
        let receivers = [&quotient.reference, &remainder.reference].map(|receiver| self.is_float_item(receiver));
        if dividend.numeric == NumericType::Float || divisor.numeric == NumericType::Float || receivers.contains(&true) {
            return self.fail_at(span, "REMAINDER cannot be used with floating-point operands and receivers");
        }
        let (on_size_error, not_on_size_error) = self.size_error();
        self.end_scope("END-DIVIDE");
        let divide = DivideRemainder { dividend, divisor, quotient, remainder, on_size_error, not_on_size_error };
        Ok(StatementKind::DivideRemainder(Box::new(divide)))
    }

    pub fn compute_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let targets = self.targets(true)?;
        if !(self.accept_kind(&TokenKind::Equal) || self.accept("EQUAL")) {
            return self.fail("'='");
        }
        self.accept("TO");
        let value = self.raw_expression()?;
        let kind = self.operation(Combine::Store, value, targets)?;
        self.finish_arithmetic(kind, "END-COMPUTE")
    }

    fn finish_arithmetic(&mut self, operation: Operation, end: &str) -> Parsed<StatementKind> {
        let (on_size_error, not_on_size_error) = self.size_error();
        self.end_scope(end);
        Ok(StatementKind::Arithmetic(Box::new(Arithmetic { operations: vec![operation], on_size_error, not_on_size_error })))
    }

    /// One or more operands, added up.
    fn sum(&mut self, verb: &str) -> Parsed<Expression> {
        let mut sum: Option<Expression> = None;
        while self.at_operand() {
            let operand = self.operand()?;
            let value = self.numeric(operand)?;
            sum = Some(match sum {
                None => value,
                Some(left) => binary(Operator::Add, left, value),
            });
        }
        match sum {
            Some(sum) => Ok(sum),
            None => self.fail(&format!("an operand of {verb}")),
        }
    }

    /// Receivers with ROUNDED. `edited`: numeric-edited items are allowed too.
    fn targets(&mut self, edited: bool) -> Parsed<Vec<Target>> {
        let mut targets = vec![self.target(edited)?];
        while self.at_identifier() {
            targets.push(self.target(edited)?);
        }
        Ok(targets)
    }

    fn target(&mut self, edited: bool) -> Parsed<Target> {
        let reference = self.reference()?;
        let item = self.item(reference.item);
        let numeric = item.is_numeric() || (edited && item.category == Category::NumericEdited);
        if !numeric || reference.modification.is_some() {
            let kind = super::expression::category_name(item.category);
            let message =
                format!("{} is {kind}; the result needs a numeric item{}", item.name, if edited { " or a numeric-edited one" } else { "" });
            return self.fail_at(reference.span, message);
        }
        let rounding = self.rounding()?;
        Ok(Target { reference, rounding, numeric: NumericType::Float })
    }

    /// ROUNDED, perhaps with its mode (COBOL 2014, "ROUNDED phrase").
    fn rounding(&mut self) -> Parsed<Rounding> {
        if !self.accept("ROUNDED") {
            return Ok(Rounding::Truncation);
        }
        if !self.accept("MODE") {
            return Ok(Rounding::NearestAwayFromZero);
        }
        self.accept("IS");
        match ROUNDED_MODES.iter().find(|(word, _)| self.is_word(word)) {
            Some((_, rounding)) => {
                self.advance();
                Ok(*rounding)
            }
            None => self.fail("a mode such as NEAREST-EVEN or TRUNCATION"),
        }
    }

    /// Types the value for these targets.
    fn operation(&mut self, combine: Combine, mut value: Expression, mut targets: Vec<Target>) -> Parsed<Operation> {
        let decimals = targets.iter().map(|target| self.target_decimals(target)).max().unwrap_or(0);
        let stores = combine == Combine::Store;
        // If the value is combined with each receiver, only the operation with a floating-point receiver is floating point, not the value.
        let float = stores && targets.iter().any(|target| self.is_float_item(&target.reference));
        precision::assign_among(&mut value, if stores { decimals } else { 0 }, float, &self.options);
        for target in &mut targets {
            let item = self.item(target.reference.item);
            let own = match precision::operand_type(item, &self.options) {
                Some(own) => own,
                None => NumericType::Fixed { digits: item.digits.max(1), scale: item.scale, truncated: false },
            };
            let dmax = decimals.max(precision::decimals_max(&value));
            target.numeric = precision::combined(own, value.numeric, combine, dmax, &self.options);
            if !matches!(target.rounding, Rounding::Truncation | Rounding::NearestAwayFromZero) {
                precision::keep_rest(combine, &mut value, &mut target.numeric);
            }
        }
        Ok(Operation { combine, value, targets })
    }

    fn is_float_item(&self, reference: &Reference) -> bool {
        precision::item_type(self.item(reference.item)) == Some(NumericType::Float)
    }

    fn target_decimals(&self, target: &Target) -> i16 {
        let scale = i16::from(self.item(target.reference.item).scale).max(0);
        scale + i16::from(target.rounding != Rounding::Truncation)
    }

    fn corresponding_arithmetic(&mut self, combine: Combine, word: &str) -> Parsed<StatementKind> {
        let span = self.span();
        let from = self.reference()?;
        self.expect(word)?;
        let to = self.reference()?;
        let rounding = self.rounding()?;
        let pairs = self.corresponding_pairs(&from, &to, true)?;
        if pairs.is_empty() {
            self.report.warning(span, "no items correspond");
        }
        let mut operations = Vec::with_capacity(pairs.len());
        for (from, to) in pairs {
            let value = self.numeric(Operand::Reference(from))?;
            let target = Target { reference: to, rounding, numeric: NumericType::Float };
            operations.push(self.operation(combine, value, vec![target])?);
        }
        let (on_size_error, not_on_size_error) = self.size_error();
        Ok(StatementKind::Arithmetic(Box::new(Arithmetic { operations, on_size_error, not_on_size_error })))
    }
}

/// An operator node; its type is given later.
fn binary(operator: Operator, left: Expression, right: Expression) -> Expression {
    let span = left.span;
    let kind = ExpressionKind::Binary { operator, left: Box::new(left), right: Box::new(right) };
    Expression { kind, numeric: NumericType::Float, span }
}
