//! What exact arithmetic gives: results computed here, with nothing of the compilers'.

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

    /// The coefficient of a fraction, a/b, in whole numbers. `None`: a rest that may not be dropped.
    fn whole(self, a: i128, b: i128) -> Option<i128> {
        let (quotient, rest) = (a / b, (a % b).unsigned_abs());
        let away = if (a < 0) != (b < 0) { -1 } else { 1 };
        let half = rest.cmp(&(b.unsigned_abs() - rest));
        let steps = rest != 0
            && match self {
                Mode::Truncation => false,
                Mode::Prohibited => return None,
                Mode::NearestAway => half.is_ge(),
                Mode::NearestEven => half.is_gt() || half.is_eq() && quotient % 2 != 0,
                Mode::NearestTowardZero => half.is_gt(),
                Mode::Away => true,
                Mode::Greater => away > 0,
                Mode::Lesser => away < 0,
            };
        Some(if steps { quotient + away } else { quotient })
    }
}

/// A value: coefficient and decimal places; `None` when it has more digits than fit.
#[derive(Clone, Copy, Debug)]
pub struct Exact(pub Option<(i128, u32)>);

fn power(exponent: u32) -> Option<i128> {
    10i128.checked_pow(exponent)
}

impl Exact {
    pub fn of(coefficient: i128, scale: u32) -> Exact {
        Exact(Some((coefficient, scale)))
    }

    fn aligned(self, other: Exact) -> Option<(i128, i128, u32)> {
        let ((a, a_scale), (b, b_scale)) = (self.0?, other.0?);
        let scale = a_scale.max(b_scale);
        Some((a.checked_mul(power(scale - a_scale)?)?, b.checked_mul(power(scale - b_scale)?)?, scale))
    }

    pub fn plus(self, other: Exact) -> Exact {
        Exact(self.aligned(other).and_then(|(a, b, scale)| Some((a.checked_add(b)?, scale))))
    }

    pub fn minus(self, other: Exact) -> Exact {
        Exact(self.aligned(other).and_then(|(a, b, scale)| Some((a.checked_sub(b)?, scale))))
    }

    pub fn times(self, other: Exact) -> Exact {
        let product = self.0.zip(other.0).and_then(|((a, a_scale), (b, b_scale))| Some((a.checked_mul(b)?, a_scale + b_scale)));
        // ARITH(COMPAT) keeps 30 digits.
        Exact(product.filter(|(value, _)| value.unsigned_abs() < 10u128.pow(30)))
    }

    /// The quotient at the places of `shape`, as a coefficient. `Some(None)`: division by zero, or a rest that may not be dropped.
    pub fn quotient(self, divisor: Exact, shape: &Shape, mode: Mode) -> Option<Option<i128>> {
        let ((a, a_scale), (b, b_scale)) = (self.0?, divisor.0?);
        if b == 0 {
            return Some(None);
        }
        let lift = shape.scale as i32 + b_scale as i32 - a_scale as i32;
        let (a, b) = if lift >= 0 {
            (a.checked_mul(power(lift as u32)?)?, b)
        } else {
            (a, b.checked_mul(power(-lift as u32)?)?)
        };
        Some(mode.whole(a, b))
    }

    /// The coefficient at the places of `shape`. `Some(None)`: a rest that may not be dropped.
    pub fn at(self, shape: &Shape, mode: Mode) -> Option<Option<i128>> {
        let (value, scale) = self.0?;
        if scale <= shape.scale {
            return value.checked_mul(power(shape.scale - scale)?).map(Some);
        }
        Some(mode.whole(value, power(scale - shape.scale)?))
    }
}

/// What a store leaves: the item's bytes in hexadecimal, as in an ASCII region, and whether digits were lost.
/// `None`: an overflow whose result IBM does not define.
pub fn stored(value: i128, shape: &Shape, old: i128, keeps: bool) -> Option<(String, bool)> {
    let limit = power(shape.digits)?;
    let native = shape.usage == Usage::Native;
    let over = if native { !fits_bytes(value, shape) } else { value.abs() >= limit };
    if over && keeps {
        return Some((bytes(old, shape), true));
    }
    if over && native {
        return None;
    }
    let value = if native { value } else { value % limit };
    Some((bytes(if shape.signed { value } else { value.abs() }, shape), over))
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
            let sign = if !shape.signed { 'F' } else if minus { 'D' } else { 'C' };
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
