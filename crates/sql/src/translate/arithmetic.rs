//! Arithmetic on numbers, dates and durations, and concatenation.

use super::types::{as_decimal, quotient_scale};
use super::{Emitter, Place};
use crate::ast::{DataType, DurationUnit, Expression, ExpressionKind, Operator};
use crate::problem::Problem;

/// The left operand so far.
struct Operand {
    text: String,
    /// `text` ends with an operator and its operand, without parentheses around: operators of this kind may follow.
    open: Option<Kind>,
    data_type: Option<DataType>,
    /// A string constant or parameter: the other operand tells what it is.
    untyped: bool,
    /// A number constant.
    number: bool,
}

/// Operators that the server applies from left to right as Db2 does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Arithmetic,
    Text,
}

impl Operand {
    /// The operand as a part of something else.
    fn closed(&self) -> String {
        if self.open.is_some() { format!("({})", self.text) } else { self.text.clone() }
    }

    /// `self operator right`. The text grows at its end, so that a long chain takes linear time.
    fn extend(mut self, kind: Kind, operator: &str, right: &Operand) -> Operand {
        if self.open.is_some_and(|open| open != kind) {
            self.text = self.closed();
        }
        self.text.push_str(&format!(" {operator} {}", right.text));
        self.open = Some(kind);
        self
    }
}

impl Emitter<'_> {
    /// Operators of one precedence, from left to right.
    pub fn chain(&mut self, first: &Expression, rest: &[(Operator, Expression)]) -> Result<String, Problem> {
        let (operator, second) = &rest[0];
        if let ExpressionKind::Duration { value, unit } = &first.kind {
            if *operator != Operator::Add {
                let text = "a labelled duration cannot be the left operand of a subtraction";
                return Err(Problem::new(-182, "42816", first.offset, &[], text));
            }
            let mut left = self.operand(second)?;
            left = self.add_duration(left, Operator::Add, value, *unit)?;
            return self.chain_from(left, &rest[1..]);
        }
        if matches!(first.kind, ExpressionKind::Marker(_)) && matches!(second.kind, ExpressionKind::Marker(_)) {
            let text = "both operands of an operator are parameter markers";
            return Err(Problem::new(-417, "42609", first.offset, &[], text));
        }
        let left = self.operand(first)?;
        self.chain_from(left, rest)
    }

    fn chain_from(&mut self, mut left: Operand, rest: &[(Operator, Expression)]) -> Result<String, Problem> {
        for (operator, operand) in rest {
            if let ExpressionKind::Duration { value, unit } = &operand.kind {
                left = self.add_duration(left, *operator, value, *unit)?;
                continue;
            }
            let data_type = self.chain_type(left.data_type.clone(), *operator, operand);
            let mut right = self.operand(operand)?;
            if *operator != Operator::Concatenate {
                as_numbers(&mut left, &mut right);
            }
            left = match operator {
                Operator::Concatenate => concatenation(left, &right),
                Operator::Multiply => left.extend(Kind::Arithmetic, "*", &right),
                Operator::Divide => self.quotient(left, &right),
                Operator::Add => sum(left, &right),
                Operator::Subtract => difference(left, &right),
            };
            left.data_type = data_type;
            (left.untyped, left.number) = (false, false);
        }
        Ok(left.closed())
    }

    fn operand(&mut self, expression: &Expression) -> Result<Operand, Problem> {
        let data_type = self.type_of(expression);
        let untyped = self.is_untyped(expression) && data_type.as_ref().is_none_or(DataType::is_character);
        let text = self.value(expression, &Place::Alone)?;
        let number = matches!(expression.kind, ExpressionKind::Literal(_)) && !untyped;
        Ok(Operand { text, open: None, data_type, untyped, number })
    }

    /// `left + value units`.
    fn add_duration(&mut self, left: Operand, operator: Operator, value: &Expression, unit: DurationUnit) -> Result<Operand, Problem> {
        let amount = self.value(value, &Place::Alone)?;
        let amount = if operator == Operator::Subtract { format!("(- {amount})") } else { amount };
        let function = match unit {
            DurationUnit::Years => "add_years",
            DurationUnit::Months => "add_months",
            DurationUnit::Days => "add_days",
            DurationUnit::Hours => "add_hours",
            DurationUnit::Minutes => "add_minutes",
            DurationUnit::Seconds => "add_seconds",
            DurationUnit::Microseconds => "add_microseconds",
        };
        let text = format!("db2.{function}({}, {amount})", left.text);
        Ok(Operand { text, open: None, data_type: left.data_type, untyped: false, number: false })
    }

    /// Integers and floating-point numbers divide as on the server; decimals are truncated at Db2's scale, and
    /// decimal floating-point numbers have 34 digits.
    fn quotient(&self, left: Operand, right: &Operand) -> Operand {
        let (Some(left_type), Some(right_type)) = (&left.data_type, &right.data_type) else {
            return called("divide", &left, right, "");
        };
        if left_type.is_integer() && right_type.is_integer() {
            return left.extend(Kind::Arithmetic, "/", right);
        }
        let approximate = [left_type, right_type].iter().any(|side| matches!(side, DataType::Real | DataType::Double));
        if [left_type, right_type].iter().any(|side| matches!(side, DataType::DecFloat { .. })) && !approximate {
            return called("divide_decfloat", &left, right, "");
        }
        match (decimal_of(left_type, &left), decimal_of(right_type, right)) {
            (Some(dividend), Some(divisor)) => {
                let scale = quotient_scale(dividend, divisor, self.options.decimal_precision);
                called("divide_decimal", &left, right, &format!(", {scale}"))
            }
            _ => called("divide", &left, right, ""),
        }
    }
}

/// A string that is no constant is a number beside a number.
fn as_numbers(left: &mut Operand, right: &mut Operand) {
    let number = |operand: &Operand| operand.data_type.as_ref().is_some_and(DataType::is_number);
    let string = |operand: &Operand| operand.data_type.as_ref().is_some_and(DataType::is_character) && !operand.text.starts_with('\'');
    let string = match (number(left), number(right)) {
        (true, false) if string(right) => right,
        (false, true) if string(left) => left,
        _ => return,
    };
    string.text = format!("db2.decfloat({})", string.text);
    string.data_type = Some(DataType::DecFloat { digits: 34 });
    (string.open, string.untyped) = (None, false);
}

/// A function of the support schema on both operands.
fn called(function: &str, left: &Operand, right: &Operand, more: &str) -> Operand {
    let text = format!("db2.{function}({}, {}{more})", left.text, right.text);
    Operand { text, open: None, data_type: None, untyped: false, number: false }
}

/// Precision and scale of an exact operand; an integer constant has as many digits as it is written with.
fn decimal_of(data_type: &DataType, operand: &Operand) -> Option<(i32, i32)> {
    if operand.number && data_type.is_integer() {
        return Some((operand.text.len() as i32, 0));
    }
    as_decimal(data_type)
}

/// `||` keeps trailing blanks of varying strings only; `db2.concat` keeps them for all.
fn concatenation(left: Operand, right: &Operand) -> Operand {
    let varying = |side: &Operand| matches!(side.data_type, Some(DataType::VarChar { bits: false, .. } | DataType::Clob { .. }));
    if varying(&left) && varying(right) { left.extend(Kind::Text, "||", right) } else { called("concat", &left, right, "") }
}

fn is_datetime(operand: &Operand) -> bool {
    operand.data_type.as_ref().is_some_and(DataType::is_datetime)
}

fn sum(left: Operand, right: &Operand) -> Operand {
    match (is_datetime(&left), is_datetime(right)) {
        (true, _) => called("add_duration", &left, right, ""),
        (_, true) => called("add_duration", right, &left, ""),
        _ => left.extend(Kind::Arithmetic, "+", right),
    }
}

fn difference(left: Operand, right: &Operand) -> Operand {
    let known = |operand: &Operand| operand.data_type.as_ref().is_some_and(|data_type| !data_type.is_character());
    if is_datetime(&left) && known(right) && !is_datetime(right) {
        return called("subtract_duration", &left, right, "");
    }
    let (earlier, later) = (right.data_type.as_ref(), left.data_type.as_ref());
    let between = match (later, earlier) {
        (Some(kind), Some(other)) if kind.is_datetime() && (kind == other || other.is_character()) => Some(kind),
        (Some(other), Some(kind)) if kind.is_datetime() && other.is_character() => Some(kind),
        _ => None,
    };
    let function = match between {
        Some(DataType::Date) => "date",
        Some(DataType::Time) => "time",
        Some(_) => "timestamp",
        None if (known(&left) && !is_datetime(&left)) || (known(right) && !is_datetime(right)) => {
            return left.extend(Kind::Arithmetic, "-", right);
        }
        None => {
            let text = format!("db2.subtract({}, {})", untyped(&left), untyped(right));
            return Operand { text, open: None, data_type: None, untyped: false, number: false };
        }
    };
    let (from, to) = (converted(&left, function), converted(right, function));
    let text = format!("db2.{function}_duration({from}, {to})");
    Operand { text, open: None, data_type: None, untyped: false, number: false }
}

/// A string beside a date, time or timestamp is one.
fn converted(operand: &Operand, function: &str) -> String {
    if is_datetime(operand) { operand.text.clone() } else { format!("db2.{function}({})", operand.text) }
}

/// A parameter without a type takes that of the other operand.
fn untyped(operand: &Operand) -> &str {
    match operand.text.split_once("::") {
        Some((parameter, _)) if operand.untyped && parameter.starts_with('$') => parameter,
        _ => &operand.text,
    }
}
