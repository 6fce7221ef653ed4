//! Arithmetic expressions by precedence: unary sign, `**`, `*` and `/`, `+` and `-`; operators of equal precedence from left to right.

use super::cursor::Parsed;
use super::operand::{as_operand, number_expression};
use super::{EXPRESSION_DEPTH_MAX, EXPRESSION_OPERATORS_MAX, Parser};
use crate::check::precision;
use crate::lexer::TokenKind;
use crate::program::*;

impl Parser<'_> {
    /// An arithmetic expression with its types, for places without a result field.
    pub fn arithmetic_expression(&mut self) -> Parsed<Expression> {
        let mut expression = self.raw_expression()?;
        precision::assign(&mut expression, 0, &self.options);
        Ok(expression)
    }

    /// A subscript. With `in_list` a sign that touches its number begins the next subscript.
    pub fn subscript_expression(&mut self, in_list: bool) -> Parsed<Expression> {
        let saved = std::mem::replace(&mut self.in_list, in_list);
        let expression = self.arithmetic_expression();
        self.in_list = saved;
        expression
    }

    /// An arithmetic expression whose operator nodes do not yet have types.
    pub fn raw_expression(&mut self) -> Parsed<Expression> {
        let operand = self.general_operand()?;
        self.numeric(operand)
    }

    /// An operand of any category, or an arithmetic expression when operators follow or parentheses are around it.
    /// Operator nodes have no types yet.
    pub fn general_operand(&mut self) -> Parsed<Operand> {
        self.expression_depth += 1;
        self.operand_depth += 1;
        if self.operand_depth == 1 {
            self.operators = 0;
        }
        let result = if self.expression_depth > EXPRESSION_DEPTH_MAX {
            self.fail_at(self.span(), format!("expressions are nested more than {EXPRESSION_DEPTH_MAX} deep"))
        } else {
            self.climb_from_operand()
        };
        self.operand_depth -= 1;
        self.expression_depth -= 1;
        result
    }

    fn climb_from_operand(&mut self) -> Parsed<Operand> {
        let first = self.unary()?;
        if self.operator().is_none() {
            return Ok(first);
        }
        let left = self.numeric(first)?;
        self.climb(left, 0).map(as_operand)
    }

    /// Operators of at least this precedence, applied to `left`.
    fn climb(&mut self, mut left: Expression, least: u8) -> Parsed<Expression> {
        while let Some((operator, precedence)) = self.operator() {
            if precedence < least {
                break;
            }
            self.operators += 1;
            if self.operators > EXPRESSION_OPERATORS_MAX {
                return self.fail_at(self.span(), format!("an expression has at most {EXPRESSION_OPERATORS_MAX} operators"));
            }
            self.advance();
            let operand = self.unary()?;
            let mut right = self.numeric(operand)?;
            while self.operator().is_some_and(|next| next.1 > precedence) {
                right = self.climb(right, precedence + 1)?;
            }
            let span = left.span;
            left = Expression {
                kind: ExpressionKind::Binary { operator, left: Box::new(left), right: Box::new(right) },
                numeric: NumericType::Float,
                span,
            };
        }
        Ok(left)
    }

    fn operator(&self) -> Option<(Operator, u8)> {
        let found = match self.token().kind {
            TokenKind::Plus => (Operator::Add, 0),
            TokenKind::Minus => (Operator::Subtract, 0),
            TokenKind::Asterisk => (Operator::Multiply, 1),
            TokenKind::Slash => (Operator::Divide, 1),
            TokenKind::Power => (Operator::Power, 2),
            _ => return None,
        };
        let begins_next = self.in_list && found.1 == 0 && self.token().spaced && !self.peek(1).spaced;
        (!begins_next).then_some(found)
    }

    fn unary(&mut self) -> Parsed<Operand> {
        let span = self.span();
        let negative = match self.token().kind {
            TokenKind::Minus => true,
            TokenKind::Plus => false,
            TokenKind::LeftParenthesis => return self.parenthesized(),
            _ => return self.operand(),
        };
        if let Some(literal) = self.literal() {
            return Ok(Operand::Literal(literal));
        }
        self.advance();
        self.expression_depth += 1;
        if self.expression_depth > EXPRESSION_DEPTH_MAX {
            self.expression_depth -= 1;
            return self.fail_at(span, format!("expressions are nested more than {EXPRESSION_DEPTH_MAX} deep"));
        }
        let inner = self.unary();
        self.expression_depth -= 1;
        let inner = inner?;
        let inner = self.numeric(inner)?;
        if !negative {
            return Ok(as_operand(inner));
        }
        if let ExpressionKind::Number(mut number) = inner.kind {
            number.value = -number.value;
            number.signed = true;
            let literal = Literal { value: LiteralValue::Numeric(number), span };
            return Ok(Operand::Literal(literal));
        }
        let numeric = inner.numeric;
        Ok(Operand::Expression(Box::new(Expression { kind: ExpressionKind::Negate(Box::new(inner)), numeric, span })))
    }

    fn parenthesized(&mut self) -> Parsed<Operand> {
        self.advance();
        let in_list = std::mem::replace(&mut self.in_list, false);
        let inner = self.general_operand();
        self.in_list = in_list;
        let inner = inner?;
        self.expect_kind(&TokenKind::RightParenthesis)?;
        Ok(inner)
    }

    /// An operand as an arithmetic expression; reports one that is not numeric.
    pub fn numeric(&mut self, operand: Operand) -> Parsed<Expression> {
        let span = operand.span();
        match operand {
            Operand::Expression(expression) => Ok(*expression),
            Operand::Reference(reference) => {
                let item = self.item(reference.item);
                match precision::operand_type(item, &self.options) {
                    Some(numeric) if reference.modification.is_none() => {
                        Ok(Expression { kind: ExpressionKind::Reference(reference), numeric, span })
                    }
                    _ => {
                        let kind = if reference.modification.is_some() {
                            "reference-modified, so alphanumeric"
                        } else {
                            category_name(item.category)
                        };
                        let message = format!("{} is {kind}; a numeric operand is needed", item.name);
                        self.fail_at(span, message)
                    }
                }
            }
            Operand::Literal(literal) => match literal.value {
                LiteralValue::Numeric(number) => Ok(Expression {
                    kind: ExpressionKind::Number(number),
                    numeric: NumericType::Fixed { digits: number.digits.max(1), scale: number.scale, truncated: false },
                    span,
                }),
                LiteralValue::Float(value) => Ok(Expression { kind: ExpressionKind::Float(value), numeric: NumericType::Float, span }),
                _ => self.fail_at(span, "a numeric literal is needed here"),
            },
            Operand::Figurative(Figurative::Zero, _) => Ok(number_expression(0, 1, span)),
            Operand::Figurative(..) => self.fail_at(span, "a numeric operand is needed; of the figurative constants only ZERO is numeric"),
            Operand::Function(call) => match call.result {
                FunctionResult::Fixed { digits, scale } => {
                    let numeric = NumericType::Fixed { digits, scale, truncated: false };
                    Ok(Expression { kind: ExpressionKind::Function(call), numeric, span })
                }
                FunctionResult::Float => Ok(Expression { kind: ExpressionKind::Function(call), numeric: NumericType::Float, span }),
                _ => self.fail_at(span, format!("FUNCTION {} is not numeric", call.function.name())),
            },
            Operand::LengthOf(reference) => Ok(Expression {
                kind: ExpressionKind::LengthOf(reference),
                numeric: NumericType::Fixed { digits: 9, scale: 0, truncated: false },
                span,
            }),
            Operand::AddressOf(reference) => Ok(Expression {
                kind: ExpressionKind::AddressOf(reference),
                numeric: NumericType::Fixed { digits: 10, scale: 0, truncated: false },
                span,
            }),
        }
    }

    /// Gives the operator nodes of an operand their types.
    pub fn typed(&self, operand: Operand, target_decimals: i16) -> Operand {
        self.typed_among(operand, target_decimals, false)
    }

    /// The same for a comparand of an operand that is floating point (`float`) or not.
    pub fn typed_among(&self, operand: Operand, target_decimals: i16, float: bool) -> Operand {
        match operand {
            Operand::Expression(mut expression) => {
                precision::assign_among(&mut expression, target_decimals, float, &self.options);
                Operand::Expression(expression)
            }
            other => other,
        }
    }
}

/// A category as messages call it.
pub fn category_name(category: Category) -> &'static str {
    match category {
        Category::Group => "a group",
        Category::Alphabetic => "alphabetic",
        Category::Alphanumeric => "alphanumeric",
        Category::AlphanumericEdited => "alphanumeric-edited",
        Category::Numeric => "numeric",
        Category::NumericEdited => "numeric-edited",
        Category::InternalFloat | Category::ExternalFloat => "floating-point",
        Category::National => "national",
        Category::NationalEdited => "national-edited",
        Category::Utf8 => "UTF-8",
        Category::Dbcs => "DBCS",
        Category::Index => "an index",
        Category::Pointer => "a pointer",
        Category::ProcedurePointer => "a procedure-pointer",
        Category::FunctionPointer => "a function-pointer",
        Category::ObjectReference => "an object reference",
    }
}
