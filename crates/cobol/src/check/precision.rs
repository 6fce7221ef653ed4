//! Types of arithmetic expressions: Enterprise COBOL Programming Guide, appendix "Intermediate results and arithmetic
//! precision", over [`le::Shape`].
//!
//! Invariants: after [`assign`] every node of the expression has its type; an expression with a floating-point operand, receiver or
//! other comparand is floating point throughout.

use crate::options::{Arith, Options};
use crate::program::*;
use le::Shape;

/// Type of a data item used as an arithmetic operand; `None` when it is not numeric.
pub fn item_type(item: &Item) -> Option<NumericType> {
    match item.category {
        Category::Numeric => Some(NumericType::Fixed { digits: item_digits(item), scale: item.scale, truncated: false }),
        Category::InternalFloat | Category::ExternalFloat => Some(NumericType::Float),
        Category::Index => Some(NumericType::Fixed { digits: 9, scale: 0, truncated: false }),
        _ => None,
    }
}

/// Digits an operand may have: a COMP-5 item, or COMP under TRUNC(BIN), has those of its field.
fn item_digits(item: &Item) -> u8 {
    match (item.usage, item.length_max) {
        (Usage::NativeBinary, 2) => 5,
        (Usage::NativeBinary, 4) => 10,
        (Usage::NativeBinary, _) => 19,
        _ => item.digits,
    }
}

/// Digits of an operand under these options.
pub fn operand_type(item: &Item, options: &Options) -> Option<NumericType> {
    let numeric = item_type(item)?;
    if item.usage == Usage::Binary && options.trunc == crate::options::Trunc::Bin {
        let digits = match item.length_max {
            2 => 5,
            4 => 10,
            _ => 19,
        };
        return Some(NumericType::Fixed { digits, scale: item.scale, truncated: false });
    }
    Some(numeric)
}

/// The type of a node of this shape, and whether digits may be lost.
fn fixed(shape: Shape, decimals_max: i16, arith: Arith) -> (NumericType, Shape) {
    let carried = shape.carried(decimals_max, le_arith(arith));
    let digits = carried.digits().clamp(1, 31) as u8;
    let scale = carried.decimals.clamp(-99, 99) as i8;
    (NumericType::Fixed { digits, scale, truncated: carried != shape }, carried)
}

fn le_arith(arith: Arith) -> le::Arith {
    match arith {
        Arith::Compat => le::Arith::Compat,
        Arith::Extend => le::Arith::Extend,
    }
}

/// Shape of a type.
pub fn shape_of(numeric: NumericType) -> Shape {
    match numeric {
        NumericType::Fixed { digits, scale, .. } => Shape::of(digits, scale),
        NumericType::Float => Shape::of(18, 0),
    }
}

/// Most decimals of the operands of an expression, divisors and exponents apart.
pub fn decimals_max(expression: &Expression) -> i16 {
    match &expression.kind {
        ExpressionKind::Negate(inner) => decimals_max(inner),
        ExpressionKind::Binary { operator, left, right } => {
            let left = decimals_max(left);
            match operator {
                Operator::Divide | Operator::Power => left,
                _ => left.max(decimals_max(right)),
            }
        }
        _ => match expression.numeric {
            NumericType::Fixed { scale, .. } => i16::from(scale).max(0),
            NumericType::Float => 0,
        },
    }
}

/// Whether any part makes the whole expression floating point: a floating-point operand or function, an exponent with decimal places, or
/// an exponent that divides or raises to a power where the expression carries decimals ("Floating-point data and intermediate results").
pub fn is_float(expression: &Expression, decimals_max: i16) -> bool {
    match &expression.kind {
        ExpressionKind::Negate(inner) => is_float(inner, decimals_max),
        ExpressionKind::Binary { operator, left, right } => {
            let fraction = *operator == Operator::Power && is_fractional(right, decimals_max);
            fraction || is_float(left, decimals_max) || is_float(right, decimals_max)
        }
        _ => expression.numeric == NumericType::Float,
    }
}

fn is_fractional(exponent: &Expression, decimals_max: i16) -> bool {
    match &exponent.kind {
        ExpressionKind::Negate(inner) => is_fractional(inner, decimals_max),
        ExpressionKind::Binary { operator, left, right } => {
            let divides = matches!(operator, Operator::Divide | Operator::Power);
            (divides && decimals_max > 0) || is_fractional(left, decimals_max) || is_fractional(right, decimals_max)
        }
        _ => !matches!(exponent.numeric, NumericType::Fixed { scale, .. } if scale <= 0),
    }
}

/// Gives every node its type. `target_decimals`: decimals of the result fields, one more with ROUNDED.
pub fn assign(expression: &mut Expression, target_decimals: i16, options: &Options) {
    assign_among(expression, target_decimals, false, options);
}

/// The same for an expression whose receiver or other comparand is floating point (`float`), which makes it floating point, too.
pub fn assign_among(expression: &mut Expression, target_decimals: i16, float: bool, options: &Options) {
    let decimals = decimals_max(expression).max(target_decimals);
    assign_arguments(expression, decimals, options);
    if float || is_float(expression, decimals) {
        make_float(expression);
    } else {
        assign_fixed(expression, decimals, options.arith);
    }
}

/// Arithmetic in the arguments of functions has at least the statement's decimals (the manual's inner-dmax).
fn assign_arguments(expression: &mut Expression, decimals: i16, options: &Options) {
    match &mut expression.kind {
        ExpressionKind::Negate(inner) => assign_arguments(inner, decimals, options),
        ExpressionKind::Binary { left, right, .. } => {
            assign_arguments(left, decimals, options);
            assign_arguments(right, decimals, options);
        }
        ExpressionKind::Function(call) => {
            for argument in &mut call.arguments {
                if let Operand::Expression(argument) = argument {
                    assign(argument, decimals, options);
                }
            }
        }
        _ => {}
    }
}

fn make_float(expression: &mut Expression) {
    match &mut expression.kind {
        ExpressionKind::Negate(inner) => make_float(inner),
        ExpressionKind::Binary { left, right, .. } => {
            make_float(left);
            make_float(right);
        }
        // Operands keep their own types; the run time converts them.
        _ => return,
    }
    expression.numeric = NumericType::Float;
}

fn assign_fixed(expression: &mut Expression, decimals_max: i16, arith: Arith) -> Shape {
    match &mut expression.kind {
        ExpressionKind::Negate(inner) => {
            let shape = assign_fixed(inner, decimals_max, arith);
            expression.numeric = inner.numeric;
            shape
        }
        ExpressionKind::Binary { operator, left, right } => {
            let left_shape = assign_fixed(left, decimals_max, arith);
            let right_shape = assign_fixed(right, decimals_max, arith);
            let exact = match operator {
                Operator::Add | Operator::Subtract => left_shape.add(right_shape),
                Operator::Multiply => left_shape.multiply(right_shape),
                Operator::Divide => left_shape.divide(right_shape, decimals_max),
                Operator::Power => power_shape(left_shape, right, decimals_max, arith),
            };
            let (numeric, shape) = fixed(exact, decimals_max, arith);
            expression.numeric = numeric;
            shape
        }
        _ => shape_of(expression.numeric),
    }
}

fn power_shape(base: Shape, exponent: &Expression, decimals_max: i16, arith: Arith) -> Shape {
    if let ExpressionKind::Number(Number { value, scale: 0, .. }) = exponent.kind
        && (1..=30).contains(&value)
    {
        return base.power(value as i16);
    }
    let limit = if arith == Arith::Extend { 31 } else { 30 };
    Shape::new(limit - decimals_max.clamp(0, limit - 1), decimals_max.clamp(0, limit - 1))
}

/// Modes of rounding other than IBM's depend on whether anything follows the digit behind the target's places: the division is one whose
/// digits may be lost.
pub fn keep_rest(combine: Combine, value: &mut Expression, target: &mut NumericType) {
    let quotient = match &value.kind {
        ExpressionKind::Binary { operator: Operator::Divide, .. } if combine == Combine::Store => &mut value.numeric,
        _ if combine == Combine::Divide => target,
        _ => return,
    };
    if let NumericType::Fixed { truncated, .. } = quotient {
        *truncated = true;
    }
}

/// Type of target (op) value for the statements that combine.
pub fn combined(target: NumericType, value: NumericType, combine: Combine, decimals: i16, options: &Options) -> NumericType {
    if target == NumericType::Float || value == NumericType::Float {
        return NumericType::Float;
    }
    let (left, right) = (shape_of(target), shape_of(value));
    let exact = match combine {
        Combine::Store => return value,
        Combine::Add | Combine::Subtract => left.add(right),
        Combine::Multiply => left.multiply(right),
        Combine::Divide => left.divide(right, decimals),
    };
    fixed(exact, decimals, options.arith).0
}
