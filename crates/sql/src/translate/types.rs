//! The type of an expression, as far as it is known without the server.

use super::Emitter;
use super::scope::Resolved;
use crate::ast::{Call, DataType, Expression, ExpressionKind, Operator};
use crate::functions;
use crate::lexer::Literal;
use crate::statement::{Variable, VariableType};

/// A string that the support schema computes: the server's type is bpchar, whose trailing blanks do not count in comparisons.
const STRING: DataType = DataType::Char { length: 0, bits: false };

/// Digits of the largest decimal number.
const DECIMAL_PRECISION_MAX: u8 = 31;

impl Emitter<'_> {
    pub fn type_of(&self, expression: &Expression) -> Option<DataType> {
        match &expression.kind {
            ExpressionKind::Literal(literal) => Some(literal_type(literal)),
            ExpressionKind::Host(reference) => variable_type(self.hosts.variable(*reference).ok()?.1),
            ExpressionKind::Column(name) => match self.scopes.resolve(name) {
                Resolved::Column(data_type) => data_type,
                Resolved::Value(value) => self.type_of(value),
                Resolved::Unknown => None,
            },
            ExpressionKind::Negative(value) => self.type_of(value),
            ExpressionKind::Chain { first, rest } => {
                let mut left = self.type_of(first);
                for (operator, operand) in rest {
                    left = self.chain_type(left, *operator, operand);
                }
                left
            }
            ExpressionKind::Cast { to: DataType::Distinct(_), .. } => None,
            ExpressionKind::Cast { to: DataType::VarChar { bits: false, .. } | DataType::VarGraphic { .. }, .. } => Some(STRING),
            ExpressionKind::Cast { to, .. } => Some(to.clone()),
            ExpressionKind::Case(case) => {
                let results = case.branches.iter().map(|(_, result)| result).chain(&case.otherwise);
                self.common_type(results)
            }
            ExpressionKind::Call(call) => self.call_type(call),
            ExpressionKind::Register { name, precision } => Some(match name.as_str() {
                "CURRENT DATE" => DataType::Date,
                "CURRENT TIME" => DataType::Time,
                "CURRENT TIMESTAMP" => DataType::Timestamp { precision: precision.unwrap_or(6), zone: false },
                "CURRENT TIMEZONE" | "SESSION TIMEZONE" => DataType::Decimal { precision: 6, scale: 0 },
                _ => DataType::VarChar { length: 255, bits: false },
            }),
            ExpressionKind::Sequence { .. } => Some(DataType::BigInt),
            _ => None,
        }
    }

    /// The value is or may be a character string: what is computed with numbers or dates is not.
    pub fn may_be_character(&self, expression: &Expression) -> bool {
        match (self.type_of(expression), &expression.kind) {
            (Some(data_type), _) => data_type.is_character(),
            (None, ExpressionKind::Negative(_)) => false,
            (None, ExpressionKind::Chain { rest, .. }) => rest.iter().all(|(operator, _)| *operator == Operator::Concatenate),
            (None, _) => true,
        }
    }

    /// The type of all of `values` that have one; `None` if they differ in kind.
    pub fn common_type<'e>(&self, values: impl Iterator<Item = &'e Expression>) -> Option<DataType> {
        let mut common: Option<DataType> = None;
        for value in values {
            if matches!(value.kind, ExpressionKind::Null) {
                continue;
            }
            let own = self.type_of(value)?;
            common = match common {
                None => Some(own),
                Some(other) if other.is_character() && own.is_character() => Some(common_string(&other, &own)),
                Some(other) if other.is_number() && own.is_number() => numeric_sum(&other, &own),
                Some(other) if other == own => Some(own),
                Some(_) => return None,
            };
        }
        common
    }

    /// The type of `left operator operand`.
    pub fn chain_type(&self, left: Option<DataType>, operator: Operator, operand: &Expression) -> Option<DataType> {
        if matches!(operand.kind, ExpressionKind::Duration { .. }) {
            return left.filter(DataType::is_datetime);
        }
        if operator == Operator::Concatenate {
            return Some(match (left, self.type_of(operand)) {
                (Some(left), Some(right)) => common_string(&left, &right),
                _ => STRING,
            });
        }
        let (left, right) = (left?, self.type_of(operand)?);
        match operator {
            Operator::Subtract if left.is_datetime() && (right == left || right.is_character()) => Some(duration_type(&left)),
            Operator::Add | Operator::Subtract if left.is_datetime() => Some(left),
            Operator::Add if right.is_datetime() => Some(right),
            Operator::Add | Operator::Subtract => numeric_sum(&left, &right),
            Operator::Multiply => numeric_product(&left, &right, self.options.decimal_precision),
            Operator::Divide => numeric_quotient(&left, &right, self.options.decimal_precision),
            Operator::Concatenate => unreachable!("above"),
        }
    }

    fn call_type(&self, call: &Call) -> Option<DataType> {
        let function = functions::find(call.name.last(), call.arguments.len() + usize::from(call.keyword.is_some())).ok()??;
        let first = call.arguments.first();
        Some(match function.result {
            "first" => self.type_of(first?)?,
            "common" => self.common_type(call.arguments.iter())?,
            "sum" | "average" if self.type_of(first?).is_none() => DataType::DecFloat { digits: 34 },
            "sum" => match self.type_of(first?)? {
                DataType::SmallInt => DataType::Integer,
                DataType::Decimal { scale, .. } => DataType::Decimal { precision: DECIMAL_PRECISION_MAX, scale },
                DataType::Real => DataType::Double,
                other => other,
            },
            "average" => match self.type_of(first?)? {
                DataType::SmallInt => DataType::Integer,
                integer if integer.is_integer() => integer,
                DataType::Real | DataType::Double => DataType::Double,
                _ => DataType::DecFloat { digits: 34 },
            },
            "decimal" => decimal_call(call)?,
            "decimal(31,0)" => DataType::Decimal { precision: DECIMAL_PRECISION_MAX, scale: 0 },
            name => simple_type(name)?,
        })
    }
}

/// Strings of one kind keep it: the server's `||` does for those of varying length.
fn common_string(left: &DataType, right: &DataType) -> DataType {
    let varying = |side: &DataType| matches!(side, DataType::VarChar { bits: false, .. });
    if varying(left) && varying(right) { DataType::VarChar { length: 0, bits: false } } else { STRING }
}

/// DECIMAL(x, precision, scale) with literals.
fn decimal_call(call: &Call) -> Option<DataType> {
    if !matches!(call.name.last(), "DECIMAL" | "DEC") {
        return None;
    }
    let literal = |index: usize| match &call.arguments.get(index)?.kind {
        ExpressionKind::Literal(Literal::Integer(digits)) => digits.parse::<u8>().ok(),
        _ => None,
    };
    let precision = literal(1)?;
    let scale = if call.arguments.len() > 2 { literal(2)? } else { 0 };
    Some(DataType::Decimal { precision, scale })
}

fn simple_type(name: &str) -> Option<DataType> {
    Some(match name {
        "smallint" => DataType::SmallInt,
        "integer" => DataType::Integer,
        "bigint" => DataType::BigInt,
        "double" => DataType::Double,
        "real" => DataType::Real,
        "decfloat" => DataType::DecFloat { digits: 34 },
        "char" | "varchar" | "graphic" | "vargraphic" => STRING,
        "clob" | "dbclob" => DataType::Clob { length: 0 },
        "binary" => DataType::VarBinary { length: 0 },
        "blob" => DataType::Blob { length: 0 },
        "date" => DataType::Date,
        "time" => DataType::Time,
        "timestamp" => DataType::Timestamp { precision: 6, zone: false },
        _ => return None,
    })
}

fn literal_type(literal: &Literal) -> DataType {
    match literal {
        Literal::Integer(digits) => match digits.parse::<i64>() {
            Ok(value) if i32::try_from(value).is_ok() => DataType::Integer,
            Ok(_) => DataType::BigInt,
            Err(_) => DataType::Decimal { precision: digits.len().min(usize::from(DECIMAL_PRECISION_MAX)) as u8, scale: 0 },
        },
        Literal::Decimal(text) => {
            let scale = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
            let precision = text.len() - 1;
            DataType::Decimal { precision: precision.min(31) as u8, scale: scale.min(31) as u8 }
        }
        Literal::Float(_) => DataType::Double,
        Literal::String(text) | Literal::Graphic(text) => DataType::VarChar { length: text.chars().count() as u32, bits: false },
        Literal::Hexadecimal(bytes) => DataType::VarChar { length: bytes.len() as u32, bits: false },
        Literal::Binary(bytes) => DataType::VarBinary { length: bytes.len() as u32 },
    }
}

/// The type of a host variable; `None` for what has no type of its own.
fn variable_type(variable: &Variable) -> Option<DataType> {
    use VariableType::*;
    let bits = variable.ccsid == u16::MAX;
    let scale = variable.scale.max(0) as u8;
    Some(match variable.kind {
        SmallInt if scale == 0 => DataType::SmallInt,
        Integer if scale == 0 => DataType::Integer,
        BigInt if scale == 0 => DataType::BigInt,
        SmallInt | Integer | BigInt | Packed | Zoned { .. } | SignSeparate { .. } => {
            DataType::Decimal { precision: variable.precision.clamp(1, DECIMAL_PRECISION_MAX), scale }
        }
        Real | IeeeReal => DataType::Real,
        Double | IeeeDouble => DataType::Double,
        Char => DataType::Char { length: variable.length, bits },
        VarChar | NulTerminated => DataType::VarChar { length: variable.length, bits },
        Graphic => DataType::Graphic { length: variable.length },
        VarGraphic | NulTerminatedGraphic => DataType::VarGraphic { length: variable.length },
        Binary => DataType::Binary { length: variable.length },
        VarBinary => DataType::VarBinary { length: variable.length },
        Clob | ClobLocator => DataType::Clob { length: 0 },
        DbClob | DbClobLocator => DataType::DbClob { length: 0 },
        Blob | BlobLocator => DataType::Blob { length: 0 },
        RowId => DataType::RowId,
        ResultSetLocator | Descriptor => return None,
    })
}

/// The duration between two values of a type.
fn duration_type(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Date => DataType::Decimal { precision: 8, scale: 0 },
        DataType::Time => DataType::Decimal { precision: 6, scale: 0 },
        _ => DataType::Decimal { precision: 20, scale: 6 },
    }
}

/// An exact number as a decimal: precision and scale.
pub fn as_decimal(data_type: &DataType) -> Option<(i32, i32)> {
    Some(match data_type {
        DataType::SmallInt => (5, 0),
        DataType::Integer => (11, 0),
        DataType::BigInt => (19, 0),
        DataType::Decimal { precision, scale } => (i32::from(*precision), i32::from(*scale)),
        _ => return None,
    })
}

/// The type of approximate operands, or of two integers; `None`: the rules of decimals decide.
fn not_decimal(left: &DataType, right: &DataType) -> Option<DataType> {
    if matches!(left, DataType::DecFloat { .. }) || matches!(right, DataType::DecFloat { .. }) {
        return Some(DataType::DecFloat { digits: 34 });
    }
    if matches!((left, right), (DataType::Real, DataType::Real)) {
        return Some(DataType::Real);
    }
    if [left, right].iter().any(|side| matches!(side, DataType::Real | DataType::Double)) {
        return Some(DataType::Double);
    }
    if left.is_integer() && right.is_integer() {
        let big = [left, right].contains(&&DataType::BigInt);
        return Some(if big { DataType::BigInt } else { DataType::Integer });
    }
    None
}

fn decimal(precision: i32, scale: i32) -> DataType {
    let most = i32::from(DECIMAL_PRECISION_MAX);
    DataType::Decimal { precision: precision.clamp(1, most) as u8, scale: scale.clamp(0, most) as u8 }
}

/// The type of arithmetic with two operands; `of_decimals` gives it from the precision and scale of each.
fn arithmetic_type(left: &DataType, right: &DataType, of_decimals: impl FnOnce((i32, i32), (i32, i32)) -> DataType) -> Option<DataType> {
    if !left.is_number() || !right.is_number() {
        return None;
    }
    if let Some(data_type) = not_decimal(left, right) {
        return Some(data_type);
    }
    Some(of_decimals(as_decimal(left)?, as_decimal(right)?))
}

fn numeric_sum(left: &DataType, right: &DataType) -> Option<DataType> {
    arithmetic_type(left, right, |(p1, s1), (p2, s2)| decimal((p1 - s1).max(p2 - s2) + s1.max(s2) + 1, s1.max(s2)))
}

fn numeric_product(left: &DataType, right: &DataType, arithmetic: u8) -> Option<DataType> {
    arithmetic_type(left, right, |(p1, s1), (p2, s2)| {
        let most = decimal_arithmetic(p1, p2, arithmetic);
        decimal((p1 + p2).min(most), (s1 + s2).min(most))
    })
}

fn numeric_quotient(left: &DataType, right: &DataType, arithmetic: u8) -> Option<DataType> {
    arithmetic_type(left, right, |left, right| {
        let most = decimal_arithmetic(left.0, right.0, arithmetic);
        decimal(most, quotient_scale(left, right, arithmetic))
    })
}

/// 15 or 31: 31 as soon as an operand has more than 15 digits.
fn decimal_arithmetic(left: i32, right: i32, arithmetic: u8) -> i32 {
    const SHORT: i32 = 15;
    if arithmetic == DECIMAL_PRECISION_MAX || left > SHORT || right > SHORT { i32::from(DECIMAL_PRECISION_MAX) } else { SHORT }
}

/// Decimal places of a quotient: 15 - (p - s + s'), or N - (p - s + s') where N is 30 if p' is odd and 29 if it is even.
pub fn quotient_scale(left: (i32, i32), right: (i32, i32), arithmetic: u8) -> i32 {
    let digits = match decimal_arithmetic(left.0, right.0, arithmetic) {
        15 => 15,
        _ if right.0 % 2 == 1 => 30,
        _ => 29,
    };
    (digits - (left.0 - left.1 + right.1)).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_of_a_quotient_follows_the_rules_of_dec15_and_dec31() {
        assert_eq!(quotient_scale((7, 2), (5, 0), 15), 10);
        assert_eq!(quotient_scale((9, 2), (5, 2), 15), 6);
        assert_eq!(quotient_scale((15, 2), (16, 2), 15), 14);
        assert_eq!(quotient_scale((15, 2), (15, 2), 31), 15);
        assert_eq!(quotient_scale((31, 0), (15, 2), 31), 0);
    }
}
