//! Expected results of exact arithmetic, computed here independently of both compilers.

use super::big::Big;
use super::item::{Shape, Usage};

/// How a result is cut to the receiver's places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Truncation,
    NearestAway,
    NearestEven,
    NearestTowardZero,
    Away,
    Greater,
    Lesser,
    Prohibited,
}

impl Mode {
    pub const ALL: [(&str, Mode); 10] = [
        ("", Mode::Truncation),
        (" ROUNDED", Mode::NearestAway),
        (" ROUNDED MODE IS NEAREST-AWAY-FROM-ZERO", Mode::NearestAway),
        (" ROUNDED MODE IS NEAREST-EVEN", Mode::NearestEven),
        (" ROUNDED MODE IS NEAREST-TOWARD-ZERO", Mode::NearestTowardZero),
        (" ROUNDED MODE IS AWAY-FROM-ZERO", Mode::Away),
        (" ROUNDED MODE IS TOWARD-GREATER", Mode::Greater),
        (" ROUNDED MODE IS TOWARD-LESSER", Mode::Lesser),
        (" ROUNDED MODE IS TRUNCATION", Mode::Truncation),
        (" ROUNDED MODE IS PROHIBITED", Mode::Prohibited),
    ];

    /// The coefficient of a fraction in whole numbers. `None`: a rest that may not be dropped.
    pub fn rounded(self, dividend: &Big, divisor: &Big) -> Option<Big> {
        let (quotient, rest) = dividend.divided(divisor);
        let away = Big::of(if dividend.is_negative() != divisor.is_negative() { -1 } else { 1 });
        let half = rest.plus(&rest).compare_magnitude(divisor);
        let steps = !rest.is_zero()
            && match self {
                Mode::Truncation => false,
                Mode::Prohibited => return None,
                Mode::NearestAway => half.is_ge(),
                Mode::NearestEven => half.is_gt() || half.is_eq() && quotient.is_odd(),
                Mode::NearestTowardZero => half.is_gt(),
                Mode::Away => true,
                Mode::Greater => !away.is_negative(),
                Mode::Lesser => away.is_negative(),
            };
        Some(if steps { quotient.plus(&away) } else { quotient })
    }

    /// The modes of IBM's compiler.
    pub fn is_usual(self) -> bool {
        matches!(self, Mode::Truncation | Mode::NearestAway)
    }
}

/// The digits of an operand: coefficient and decimal places.
#[derive(Clone, Copy, Debug)]
pub struct Exact(pub i128, pub u32);

impl Exact {
    /// The difference's sign.
    pub fn compare(self, other: Exact) -> std::cmp::Ordering {
        let scale = self.1.max(other.1);
        let lifted = |value: Exact| Big::of(value.0).lifted(scale - value.1);
        let difference = lifted(self).plus(&lifted(other).negated());
        difference.value().map_or(if difference.is_negative() { -1 } else { 1 }, i128::signum).cmp(&0)
    }
}

/// What a store leaves: the item's bytes in hexadecimal, as in an ASCII region, and whether digits were lost.
/// `None`: an overflow of more bits than are computed here.
pub fn stored(value: &Big, shape: &Shape, old: i128, keeps: bool) -> Option<(String, bool)> {
    let limit = Big::of(1).lifted(shape.digits);
    let native = shape.usage == Usage::Native;
    let over = if native { value.value().is_none_or(|value| !fits_bytes(value, shape)) } else { value.compare_magnitude(&limit).is_ge() };
    if over && keeps {
        return Some((bytes(old, shape), true));
    }
    let value = if native { value.clone() } else { value.low(shape.digits) };
    let value = if shape.signed { value } else { value.absolute() };
    // A COMP-5 item keeps the low-order bits.
    Some((bytes(value.value()?, shape), over))
}

fn fits_bytes(value: i128, shape: &Shape) -> bool {
    let bits = 8 * shape.bytes();
    let value = if shape.signed { value } else { value.abs() };
    if shape.signed { (-(1i128 << (bits - 1))..1i128 << (bits - 1)).contains(&value) } else { value < 1i128 << bits }
}

pub fn bytes(value: i128, shape: &Shape) -> String {
    let digits = value.unsigned_abs().to_string();
    let width = shape.digits as usize;
    let minus = value < 0;
    match shape.usage {
        Usage::Packed => {
            let width = 2 * shape.bytes() as usize - 1;
            let sign = if !shape.signed {
                'F'
            } else if minus {
                'D'
            } else {
                'C'
            };
            format!("{digits:0>width$}{sign}")
        }
        Usage::Binary | Usage::Native => {
            let length = shape.bytes() as usize;
            value.to_be_bytes()[16 - length..].iter().map(|byte| format!("{byte:02X}")).collect()
        }
        _ => {
            let digits = format!("{digits:0>width$}");
            let overpunched = match shape.usage {
                Usage::Display if shape.signed => width - 1,
                Usage::Leading => 0,
                _ => usize::MAX,
            };
            let zoned: String = digits
                .chars()
                .enumerate()
                .map(|(at, digit)| format!("{}{digit}", if minus && at == overpunched { 7 } else { 3 }))
                .collect();
            let sign = if minus { "2D" } else { "2B" };
            match shape.usage {
                Usage::SeparateLeading => format!("{sign}{zoned}"),
                Usage::SeparateTrailing => format!("{zoned}{sign}"),
                _ => zoned,
            }
        }
    }
}
