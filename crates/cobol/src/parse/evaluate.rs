//! EVALUATE, normalized to a cascade of conditions.

use super::Parser;
use super::condition::negated;
use super::cursor::Parsed;
use crate::lexer::TokenKind;
use crate::names::Named;
use crate::program::*;

/// A selection subject.
#[derive(Clone)]
enum Subject {
    /// TRUE or FALSE: the objects are conditions.
    Truth(bool),
    Value(Operand),
    Condition(Condition),
    /// Was wrong; its objects are skipped.
    Unknown,
}

impl Parser<'_> {
    pub fn evaluate_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let mut subjects = vec![self.subject_or_skip()];
        while self.accept("ALSO") {
            subjects.push(self.subject_or_skip());
        }
        let mut branches: Vec<Branch> = Vec::new();
        let mut other = Vec::new();
        let mut pending: Vec<Condition> = Vec::new();
        let mut had_other = false;
        if !self.is_word("WHEN") {
            self.report.expected(self.span(), &super::cursor::quoted(self.token()), "WHEN");
            while !self.is_word("WHEN") && !self.is_word("END-EVALUATE") && !self.at_period() && !self.at_end() {
                self.advance();
            }
        }
        while self.is_word("WHEN") {
            let span = self.span();
            self.advance();
            if self.accept("OTHER") {
                had_other = true;
                other = self.statements();
                break;
            }
            let condition = self.when_objects(&subjects);
            pending.push(condition);
            if self.is_word("WHEN") && self.peek_word(1) != "OTHER" {
                continue;
            }
            let statements = self.statements();
            let condition = if pending.len() == 1 { pending.remove(0) } else { Condition::Or(std::mem::take(&mut pending)) };
            pending.clear();
            // WHEN a WHEN OTHER: the statements of OTHER are those of the conditions before it too.
            if !(statements.is_empty() && self.is_word("WHEN")) {
                branches.push(Branch { condition, statements, span });
            }
        }
        if had_other && self.is_word("WHEN") {
            let span = self.span();
            self.report.severe(span, "WHEN OTHER must be the last WHEN");
            while self.accept("WHEN") {
                self.when_objects(&subjects);
                self.statements();
            }
        }
        self.end_scope("END-EVALUATE");
        Ok(StatementKind::Evaluate(Box::new(Evaluate { branches, other })))
    }

    fn subject_or_skip(&mut self) -> Subject {
        match self.subject() {
            Ok(subject) => subject,
            Err(_) => {
                while !matches!(self.word(), "ALSO" | "WHEN" | "END-EVALUATE") && !self.at_period() && !self.at_end() {
                    self.advance();
                }
                Subject::Unknown
            }
        }
    }

    fn subject(&mut self) -> Parsed<Subject> {
        if self.accept("TRUE") {
            return Ok(Subject::Truth(true));
        }
        if self.accept("FALSE") {
            return Ok(Subject::Truth(false));
        }
        if self.selection_is_condition() {
            return self.condition().map(Subject::Condition);
        }
        let operand = self.general_operand()?;
        Ok(Subject::Value(self.typed(operand, 0)))
    }

    /// Whether the text before ALSO, WHEN or a statement is a condition rather than a value.
    fn selection_is_condition(&self) -> bool {
        let mut ahead = 0;
        if let Ok(Named::Condition(_)) = self.unit.names.find(&self.unit.program, self.word(), &[]) {
            return true;
        }
        loop {
            let token = self.peek(ahead);
            match &token.kind {
                TokenKind::Equal
                | TokenKind::NotEqual
                | TokenKind::Less
                | TokenKind::LessEqual
                | TokenKind::Greater
                | TokenKind::GreaterEqual => return true,
                TokenKind::Period | TokenKind::EndOfSource | TokenKind::Exec(_) => return false,
                TokenKind::Word(word) => match &**word {
                    "EQUAL" | "GREATER" | "LESS" | "NUMERIC" | "ALPHABETIC" | "POSITIVE" | "NEGATIVE" | "ALPHABETIC-LOWER"
                    | "ALPHABETIC-UPPER" => {
                        return true;
                    }
                    "ALSO" | "WHEN" | "THRU" | "THROUGH" => return false,
                    word if super::words::is_verb(word) => return false,
                    _ => ahead += 1,
                },
                _ => ahead += 1,
            }
        }
    }

    /// The objects of one WHEN against the subjects.
    fn when_objects(&mut self, subjects: &[Subject]) -> Condition {
        let mut terms = Vec::with_capacity(subjects.len());
        let span = self.span();
        for (index, subject) in subjects.iter().enumerate() {
            if index > 0 && !self.accept("ALSO") {
                self.report.severe(self.span(), format!("this WHEN needs {} objects joined by ALSO", subjects.len()));
                break;
            }
            match self.when_object(subject) {
                Ok(condition) => terms.push(condition),
                Err(_) => {
                    while !matches!(self.word(), "ALSO" | "WHEN" | "END-EVALUATE")
                        && !super::words::is_verb(self.word())
                        && !self.at_period()
                        && !self.at_end()
                        && !matches!(self.token().kind, TokenKind::Exec(_))
                    {
                        self.advance();
                    }
                    terms.push(Condition::Constant(false));
                }
            }
        }
        while self.accept("ALSO") {
            self.report.severe(span, "this WHEN has more objects than EVALUATE has subjects");
            let _ = self.when_object(&Subject::Unknown);
        }
        terms.retain(|term| !matches!(term, Condition::Constant(true)));
        match terms.len() {
            0 => Condition::Constant(true),
            1 => terms.remove(0),
            _ => Condition::And(terms),
        }
    }

    fn when_object(&mut self, subject: &Subject) -> Parsed<Condition> {
        if self.accept("ANY") {
            return Ok(Condition::Constant(true));
        }
        match subject {
            Subject::Truth(truth) => {
                if self.is_word("TRUE") || self.is_word("FALSE") {
                    let object = self.is_word("TRUE");
                    self.advance();
                    return Ok(Condition::Constant(object == *truth));
                }
                let condition = self.condition()?;
                Ok(if *truth { condition } else { negated(condition) })
            }
            Subject::Condition(condition) => {
                if self.accept("TRUE") {
                    return Ok(condition.clone());
                }
                if self.accept("FALSE") {
                    return Ok(negated(condition.clone()));
                }
                let object = self.condition()?;
                let both = Condition::And(vec![condition.clone(), object.clone()]);
                let neither = Condition::And(vec![negated(condition.clone()), negated(object)]);
                Ok(Condition::Or(vec![both, neither]))
            }
            Subject::Value(value) => self.value_object(value),
            Subject::Unknown => {
                self.general_operand()?;
                if self.accept("THRU") || self.accept("THROUGH") {
                    self.general_operand()?;
                }
                Ok(Condition::Constant(false))
            }
        }
    }

    fn value_object(&mut self, subject: &Operand) -> Parsed<Condition> {
        let span = self.span();
        let not = self.accept("NOT");
        if self.is_word("TRUE") || self.is_word("FALSE") {
            return self.fail("a value; the subject of EVALUATE is no condition");
        }
        // A condition where the subject is a value: EVALUATE TRUE was probably meant.
        if self.at_identifier() && matches!(self.unit.names.find(&self.unit.program, self.word(), &[]), Ok(Named::Condition(_))) {
            return self.fail_at(span, format!("{} is a condition-name; the subject of EVALUATE is a value", self.word()));
        }
        // Without a relational operator an expression is evaluated "without regard to the attributes of its comparand" (Programming
        // Guide, "Arithmetic expressions in nonarithmetic statements").
        let low = self.general_operand()?;
        let low = self.typed(low, 0);
        let condition = if self.accept("THRU") || self.accept("THROUGH") {
            let high = self.general_operand()?;
            let high = self.typed(high, 0);
            Condition::And(vec![
                self.typed_relation(subject.clone(), RelationOperator::GreaterOrEqual, low, span)?,
                self.typed_relation(subject.clone(), RelationOperator::LessOrEqual, high, span)?,
            ])
        } else {
            self.typed_relation(subject.clone(), RelationOperator::Equal, low, span)?
        };
        Ok(if not { negated(condition) } else { condition })
    }
}
