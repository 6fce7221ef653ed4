//! Conditions: relations with abbreviations, class, sign, condition-names, switches, AND, OR, NOT.

use super::cursor::Parsed;
use super::operand::Noun;
use super::{EXPRESSION_DEPTH_MAX, Parser, words};
use crate::check::compare::{self, Side};
use crate::check::precision;
use crate::lexer::{Token, TokenKind};
use crate::names::{Named, QualifiedName, Special};
use crate::program::*;

/// Subject and operator that an abbreviated relation may leave out.
#[derive(Clone, Default)]
struct Abbreviation {
    subject: Option<Operand>,
    operator: Option<RelationOperator>,
}

impl Parser<'_> {
    /// A condition.
    pub fn condition(&mut self) -> Parsed<Condition> {
        let mut abbreviation = Abbreviation::default();
        self.disjunction(&mut abbreviation)
    }

    fn disjunction(&mut self, abbreviation: &mut Abbreviation) -> Parsed<Condition> {
        self.expression_depth += 1;
        let result = if self.expression_depth > EXPRESSION_DEPTH_MAX {
            self.fail_at(self.span(), format!("conditions are nested more than {EXPRESSION_DEPTH_MAX} deep"))
        } else {
            self.disjunction_of(abbreviation)
        };
        self.expression_depth -= 1;
        result
    }

    fn disjunction_of(&mut self, abbreviation: &mut Abbreviation) -> Parsed<Condition> {
        let mut terms = vec![self.conjunction(abbreviation)?];
        while self.accept("OR") {
            terms.push(self.conjunction(abbreviation)?);
        }
        Ok(if terms.len() == 1 { terms.remove(0) } else { Condition::Or(terms) })
    }

    fn conjunction(&mut self, abbreviation: &mut Abbreviation) -> Parsed<Condition> {
        let mut terms = vec![self.negation(abbreviation)?];
        while self.accept("AND") {
            terms.push(self.negation(abbreviation)?);
        }
        Ok(if terms.len() == 1 { terms.remove(0) } else { Condition::And(terms) })
    }

    fn negation(&mut self, abbreviation: &mut Abbreviation) -> Parsed<Condition> {
        // NOT before a relational operator belongs to it: `A = B AND NOT > C`.
        if self.is_word("NOT") && !(abbreviation.subject.is_some() && self.relation_at(1)) {
            self.advance();
            return Ok(negated(self.negation_operand(abbreviation)?));
        }
        self.simple(abbreviation)
    }

    fn negation_operand(&mut self, abbreviation: &mut Abbreviation) -> Parsed<Condition> {
        if self.is_word("NOT") {
            return self.fail("a condition after NOT");
        }
        self.simple(abbreviation)
    }

    /// `[IS] [NOT] operator` is next.
    fn operator_begins(&self) -> bool {
        let is = usize::from(self.is_word("IS"));
        self.relation_at(is + usize::from(self.peek_word(is) == "NOT"))
    }

    /// A relational operator begins `ahead` tokens further on.
    fn relation_at(&self, ahead: usize) -> bool {
        is_relational(self.peek(ahead))
    }

    fn simple(&mut self, abbreviation: &mut Abbreviation) -> Parsed<Condition> {
        if self.is(&TokenKind::LeftParenthesis) && self.parenthesis_is_condition() {
            self.advance();
            let inner = self.disjunction(abbreviation)?;
            self.expect_kind(&TokenKind::RightParenthesis)?;
            return Ok(inner);
        }
        if abbreviation.subject.is_some() && self.operator_begins() {
            let (operator, span) = self.relation_operator()?;
            return self.abbreviated_object(abbreviation, operator, span);
        }
        if let Some(condition) = self.named_condition()? {
            return Ok(condition);
        }
        let span = self.span();
        let operand = self.general_operand()?;
        if self.at_relation_or_test() {
            return self.after_subject(operand, span, abbreviation);
        }
        match (&abbreviation.subject, abbreviation.operator) {
            (Some(subject), Some(operator)) => {
                let subject = subject.clone();
                self.relation(subject, operator, operand, span)
            }
            _ => self.fail("a relational operator or a test"),
        }
    }

    /// The next word can only continue a condition begun by an operand.
    fn at_relation_or_test(&self) -> bool {
        let ahead = if self.is_word("IS") || self.is_word("ARE") { 1 } else { 0 };
        let ahead = if self.peek_word(ahead) == "NOT" { ahead + 1 } else { ahead };
        if self.relation_at(ahead) {
            return true;
        }
        let word = self.peek_word(ahead);
        is_test_word(word) || (ahead > 0 && self.peek_word(0) != "NOT" && !word.is_empty()) || self.is_class_name(word)
    }

    fn is_class_name(&self, word: &str) -> bool {
        matches!(self.unit.names.special.get(word), Some(Special::Class(_)))
    }

    fn after_subject(&mut self, subject: Operand, span: Span, abbreviation: &mut Abbreviation) -> Parsed<Condition> {
        let ahead = usize::from(self.is_word("IS") || self.is_word("ARE"));
        let negated_ahead = ahead + usize::from(self.peek_word(ahead) == "NOT");
        if self.relation_at(negated_ahead) {
            let (operator, _) = self.relation_operator()?;
            abbreviation.subject = Some(self.typed(subject, 0));
            return self.abbreviated_object(abbreviation, operator, span);
        }
        for _ in 0..ahead {
            self.advance();
        }
        let negated = self.accept("NOT");
        self.test(subject, negated, span)
    }

    /// The object of a relation whose subject is known. A parenthesis may hold several objects: `A = (B OR C)`.
    fn abbreviated_object(&mut self, abbreviation: &mut Abbreviation, operator: RelationOperator, span: Span) -> Parsed<Condition> {
        abbreviation.operator = Some(operator);
        let Some(subject) = abbreviation.subject.clone() else { return self.fail("a subject") };
        if self.is(&TokenKind::LeftParenthesis) && self.parenthesis_has_connective() {
            self.advance();
            let inner = self.disjunction(abbreviation)?;
            self.expect_kind(&TokenKind::RightParenthesis)?;
            return Ok(inner);
        }
        let object = self.general_operand()?;
        self.relation(subject, operator, object, span)
    }

    fn relation_operator(&mut self) -> Parsed<(RelationOperator, Span)> {
        let span = self.span();
        let _ = self.accept("IS") || self.accept("ARE");
        let negated = self.accept("NOT");
        let operator = match &self.token().kind {
            TokenKind::Equal => RelationOperator::Equal,
            TokenKind::NotEqual => RelationOperator::NotEqual,
            TokenKind::Less => RelationOperator::Less,
            TokenKind::LessEqual => RelationOperator::LessOrEqual,
            TokenKind::Greater => RelationOperator::Greater,
            TokenKind::GreaterEqual => RelationOperator::GreaterOrEqual,
            TokenKind::Word(word) => match &**word {
                "EQUAL" | "EQUALS" => RelationOperator::Equal,
                "UNEQUAL" => RelationOperator::NotEqual,
                "GREATER" | "EXCEEDS" => RelationOperator::Greater,
                "LESS" => RelationOperator::Less,
                _ => return self.fail("a relational operator"),
            },
            _ => return self.fail("a relational operator"),
        };
        self.advance();
        let operator = match operator {
            RelationOperator::Equal | RelationOperator::NotEqual => {
                self.accept("TO");
                operator
            }
            RelationOperator::Greater | RelationOperator::Less => {
                self.accept("THAN");
                if self.is_word("OR") && self.peek_word(1) == "EQUAL" {
                    self.advance();
                    self.advance();
                    self.accept("TO");
                    if operator == RelationOperator::Less { RelationOperator::LessOrEqual } else { RelationOperator::GreaterOrEqual }
                } else {
                    self.accept("TO");
                    operator
                }
            }
            other => other,
        };
        // `> =` and `< =` written apart, `NOT =`.
        let operator = if self.is(&TokenKind::Equal) && matches!(operator, RelationOperator::Greater | RelationOperator::Less) {
            self.advance();
            if operator == RelationOperator::Less { RelationOperator::LessOrEqual } else { RelationOperator::GreaterOrEqual }
        } else {
            operator
        };
        Ok((if negated { operator.negated() } else { operator }, span))
    }

    /// Condition-name or switch-status condition, if one is next.
    fn named_condition(&mut self) -> Parsed<Option<Condition>> {
        let word = self.word();
        if word.is_empty() || words::is_reserved(word) {
            return Ok(None);
        }
        if let Some(Special::SwitchCondition(switch, on)) = self.unit.names.special.get(word) {
            let (switch, on) = (*switch, *on);
            if !self.unit.names.data.contains_key(word) {
                self.advance();
                return Ok(Some(Condition::Switch { switch, on }));
            }
        }
        if !self.could_be_condition(word) {
            return Ok(None);
        }
        let start = self.at;
        let name = self.qualified_name()?;
        if !matches!(self.peek_condition(&name), Some(Named::Condition(_))) {
            self.at = start;
            return Ok(None);
        }
        self.at = start;
        match self.noun()? {
            Noun::Condition(condition, reference) => self.expanded(condition, reference).map(Some),
            _ => self.fail("a condition-name"),
        }
    }

    fn could_be_condition(&self, word: &str) -> bool {
        let any = |candidates: Option<&crate::names::Candidates>| {
            candidates.is_some_and(|candidates| candidates.iter().any(|named| matches!(named, Named::Condition(_))))
        };
        self.unit.names.scopes().any(|scope| any(scope.get(word)))
    }

    fn peek_condition(&self, name: &QualifiedName) -> Option<Named> {
        self.unit.names.find(&self.unit.program, &name.name, &name.qualifiers).ok()
    }

    /// A condition-name as relations of its item with its values.
    pub fn expanded(&mut self, condition: ConditionNameId, reference: Reference) -> Parsed<Condition> {
        let values = self.unit.program.condition_names[condition.0 as usize].values.clone();
        let span = reference.span;
        let subject = Operand::Reference(reference);
        let mut terms = Vec::with_capacity(values.len());
        for range in values {
            let low = value_operand(&range.low);
            let term = match range.high {
                None => self.relation(subject.clone(), RelationOperator::Equal, low, span)?,
                Some(high) => Condition::And(vec![
                    self.relation(subject.clone(), RelationOperator::GreaterOrEqual, low, span)?,
                    self.relation(subject.clone(), RelationOperator::LessOrEqual, value_operand(&high), span)?,
                ]),
            };
            terms.push(term);
        }
        Ok(match terms.len() {
            0 => Condition::Constant(false),
            1 => terms.remove(0),
            _ => Condition::Or(terms),
        })
    }

    /// Class or sign test after `IS [NOT]`.
    fn test(&mut self, subject: Operand, negated: bool, span: Span) -> Parsed<Condition> {
        let word = self.word();
        let sign = match word {
            "POSITIVE" => Some(SignTest::Positive),
            "NEGATIVE" => Some(SignTest::Negative),
            "ZERO" | "ZEROS" | "ZEROES" => Some(SignTest::Zero),
            _ => None,
        };
        if let Some(sign) = sign {
            self.advance();
            if sign == SignTest::Zero && self.numeric_type(&subject).is_none() {
                // `X IS ZERO` for an alphanumeric item is a relation with the figurative constant.
                let operator = if negated { RelationOperator::NotEqual } else { RelationOperator::Equal };
                return self.relation(subject, operator, Operand::Figurative(Figurative::Zero, span), span);
            }
            let mut expression = self.numeric(subject)?;
            precision::assign(&mut expression, 0, &self.options);
            return Ok(Condition::Sign { expression: Box::new(expression), sign, negated });
        }
        let class = match word {
            "NUMERIC" => ClassTest::Numeric,
            "ALPHABETIC" => ClassTest::Alphabetic,
            "ALPHABETIC-LOWER" => ClassTest::AlphabeticLower,
            "ALPHABETIC-UPPER" => ClassTest::AlphabeticUpper,
            "DBCS" => ClassTest::Dbcs,
            "KANJI" => ClassTest::Kanji,
            other => match self.unit.names.special.get(other) {
                Some(Special::Class(index)) => ClassTest::User(*index),
                // `IS` before an object: `A IS SPACES` is an equality.
                _ if self.at_operand() => {
                    let object = self.general_operand()?;
                    let operator = if negated { RelationOperator::NotEqual } else { RelationOperator::Equal };
                    self.report.error(span, "the relational operator is missing; EQUAL is assumed");
                    return self.relation(subject, operator, object, span);
                }
                _ => return self.fail("a class, POSITIVE, NEGATIVE, ZERO or a relational operator"),
            },
        };
        self.advance();
        self.check_class(&subject, class, span);
        Ok(Condition::Class(Box::new(ClassCondition { operand: subject, class, negated, span })))
    }

    fn check_class(&mut self, subject: &Operand, class: ClassTest, span: Span) {
        let wrong = match subject {
            Operand::Reference(reference) => {
                let item = self.item(reference.item);
                let whole = reference.modification.is_none();
                match class {
                    ClassTest::Numeric => {
                        whole
                            && matches!(item.category, Category::Alphabetic | Category::InternalFloat | Category::Pointer | Category::Index)
                    }
                    ClassTest::Dbcs | ClassTest::Kanji => item.category != Category::Dbcs,
                    ClassTest::Alphabetic | ClassTest::AlphabeticLower | ClassTest::AlphabeticUpper => whole && item.is_numeric(),
                    _ => whole && item.category == Category::Numeric && item.usage != Usage::Display,
                }
            }
            Operand::Function(_) => false,
            _ => true,
        };
        if wrong {
            self.report.severe(span, "this class test cannot be made on this operand");
        }
    }

    /// Whether the parenthesis at hand encloses a condition rather than an arithmetic expression.
    fn parenthesis_is_condition(&self) -> bool {
        let Some(close) = self.matching_parenthesis(self.at) else { return true };
        let inside = &self.tokens[self.at + 1..close];
        let has_condition = inside.iter().any(|token| {
            is_relational(token)
                || token
                    .word()
                    .is_some_and(|word| matches!(word, "AND" | "OR" | "NOT" | "IS") || is_test_only(word) || self.is_class_name(word))
        });
        if has_condition {
            return true;
        }
        // A lone name in parentheses: a condition-name, or a subject or object.
        let first = inside.iter().find(|token| token.kind != TokenKind::LeftParenthesis);
        match first.and_then(|token| token.word()) {
            Some(word) => self.could_be_condition(word) || matches!(self.unit.names.special.get(word), Some(Special::SwitchCondition(..))),
            None => false,
        }
    }

    fn parenthesis_has_connective(&self) -> bool {
        let Some(close) = self.matching_parenthesis(self.at) else { return false };
        self.tokens[self.at + 1..close].iter().any(|token| matches!(token.word(), Some("AND" | "OR" | "NOT")))
    }

    /// A relation of two operands, checked.
    pub fn relation(&mut self, left: Operand, operator: RelationOperator, right: Operand, span: Span) -> Parsed<Condition> {
        let (left, right) = self.typed_pair(left, right);
        self.typed_relation(left, operator, right, span)
    }

    /// The same for operands whose expressions already have their types.
    pub fn typed_relation(&mut self, left: Operand, operator: RelationOperator, right: Operand, span: Span) -> Parsed<Condition> {
        let (left_side, right_side) = (self.side(&left), self.side(&right));
        let kind = match compare::kind(left_side, right_side) {
            Ok(kind) => kind,
            Err(message) => return self.fail_at(span, message),
        };
        if kind == CompareKind::National && (left_side == Side::Dbcs || right_side == Side::Dbcs) {
            self.needs_double_bytes(span);
        }
        if kind == CompareKind::Pointer && !matches!(operator, RelationOperator::Equal | RelationOperator::NotEqual) {
            return self.fail_at(span, "pointers can be compared for equality only");
        }
        Ok(Condition::Relation(Box::new(Relation { left, operator, right, kind, span })))
    }

    /// Types of both sides: the decimals of each count for the other, and both are floating point when one is (Programming Guide,
    /// "Arithmetic expressions in nonarithmetic statements").
    fn typed_pair(&self, left: Operand, right: Operand) -> (Operand, Operand) {
        let decimals = |operand: &Operand| match operand {
            Operand::Expression(expression) => precision::decimals_max(expression),
            other => match self.numeric_type(other) {
                Some(NumericType::Fixed { scale, .. }) => i16::from(scale).max(0),
                _ => 0,
            },
        };
        let most = decimals(&left).max(decimals(&right));
        let is_float = |operand: &Operand| match operand {
            Operand::Expression(expression) => precision::is_float(expression, most),
            other => self.numeric_type(other) == Some(NumericType::Float),
        };
        let float = is_float(&left) || is_float(&right);
        (self.typed_among(left, most, float), self.typed_among(right, most, float))
    }

    fn side(&self, operand: &Operand) -> Side {
        match operand {
            Operand::Reference(reference) => self.reference_side(reference),
            Operand::Literal(literal) => match &literal.value {
                LiteralValue::Numeric(number) => Side::Numeric { integer: number.scale <= 0 },
                LiteralValue::Float(_) => Side::Float,
                LiteralValue::National(_) => Side::National,
                LiteralValue::Utf8(_) => Side::Utf8,
                LiteralValue::Dbcs(_) => Side::Dbcs,
                LiteralValue::Null => Side::Null,
                _ => Side::Text,
            },
            Operand::Figurative(Figurative::Zero, _) => Side::Zero,
            Operand::Figurative(Figurative::Null, _) => Side::Null,
            Operand::Figurative(Figurative::All { encoding: LiteralEncoding::Utf8, .. }, _) => Side::Utf8,
            Operand::Figurative(..) => Side::Figurative,
            Operand::Function(call) => match call.result {
                FunctionResult::Fixed { .. } => Side::Numeric { integer: false },
                FunctionResult::Float => Side::Float,
                FunctionResult::National { .. } => Side::National,
                FunctionResult::Utf8 { .. } => Side::Utf8,
                FunctionResult::Alphanumeric { .. } => Side::Text,
            },
            Operand::AddressOf(_) => Side::Pointer,
            Operand::LengthOf(_) => Side::Numeric { integer: false },
            Operand::Expression(expression) => {
                if expression.numeric == NumericType::Float {
                    Side::Float
                } else {
                    Side::Numeric { integer: false }
                }
            }
        }
    }

    fn reference_side(&self, reference: &Reference) -> Side {
        let item = self.item(reference.item);
        if reference.modification.is_some() {
            return match item.usage {
                Usage::National => Side::National,
                Usage::Utf8 => Side::Utf8,
                _ => Side::Text,
            };
        }
        match item.category {
            Category::Group => Side::Group,
            Category::Numeric => Side::Numeric { integer: item.scale <= 0 },
            Category::InternalFloat | Category::ExternalFloat => Side::Float,
            Category::National | Category::NationalEdited => Side::National,
            Category::Utf8 => Side::Utf8,
            Category::Dbcs => Side::Dbcs,
            Category::Index if self.is_index_name(reference.item) => Side::IndexName,
            Category::Index => Side::IndexItem,
            Category::Pointer | Category::ObjectReference => Side::Pointer,
            Category::ProcedurePointer | Category::FunctionPointer => Side::ProcedurePointer,
            _ => Side::Text,
        }
    }
}

/// The literal of a VALUE as an operand.
pub fn value_operand(literal: &Literal) -> Operand {
    match &literal.value {
        LiteralValue::Figurative(figurative) => Operand::Figurative(figurative.clone(), literal.span),
        LiteralValue::Null => Operand::Figurative(Figurative::Null, literal.span),
        _ => Operand::Literal(literal.clone()),
    }
}

/// The opposite of a condition, without a NOT if that is simple.
pub fn negated(condition: Condition) -> Condition {
    match condition {
        Condition::Relation(mut relation) => {
            relation.operator = relation.operator.negated();
            Condition::Relation(relation)
        }
        Condition::Not(inner) => *inner,
        Condition::Constant(value) => Condition::Constant(!value),
        Condition::Switch { switch, on } => Condition::Switch { switch, on: !on },
        Condition::Sign { expression, sign, negated } => Condition::Sign { expression, sign, negated: !negated },
        Condition::Class(mut class) => {
            class.negated = !class.negated;
            Condition::Class(class)
        }
        other => Condition::Not(Box::new(other)),
    }
}

fn is_test_word(word: &str) -> bool {
    is_test_only(word) || matches!(word, "ZERO" | "ZEROS" | "ZEROES")
}

/// Begins a relational operator, IS and NOT apart.
fn is_relational(token: &Token) -> bool {
    use TokenKind::*;
    match &token.kind {
        Equal | Less | Greater | LessEqual | GreaterEqual | NotEqual => true,
        Word(word) => matches!(&**word, "EQUAL" | "EQUALS" | "GREATER" | "LESS" | "EXCEEDS" | "UNEQUAL"),
        _ => false,
    }
}

fn is_test_only(word: &str) -> bool {
    matches!(word, "NUMERIC" | "ALPHABETIC" | "ALPHABETIC-LOWER" | "ALPHABETIC-UPPER" | "DBCS" | "KANJI" | "POSITIVE" | "NEGATIVE")
}
