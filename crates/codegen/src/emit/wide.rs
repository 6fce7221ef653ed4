//! Intermediate results of 19 to 38 digits: 128-bit coefficients in register pairs.
//!
//! Sums, products and comparisons are exact in 128 bits. Divisions and stores check whether the value fits 64 bits, which it nearly always
//! does, because pictures are usually wider than the data; otherwise the run time does them, out of line.
//!
//! Invariants: the magnitude of a wide value is below 10^digits and digits is at most [`WIDE_DIGITS`]; results equal those of
//! `le::decimal`.

use super::number::{Number, SHORT_DIGITS, power_of_ten};
use super::*;
use cobol::program::{NumericType, Operator};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I128;

/// Digits that surely fit 128 bits with a sign.
const WIDE_DIGITS: u32 = 38;

/// A coefficient of 128 bits.
#[derive(Clone, Copy)]
pub struct Wide {
    pub value: Value,
    pub scale: i32,
    pub digits: u32,
}

impl Wide {
    fn number(self) -> Number {
        let Wide { value, scale, digits } = self;
        Number::Wide { value, scale, digits }
    }
}

impl Emitter<'_, '_> {
    /// A fixed-point value in 128 bits, unless it is in memory.
    fn as_wide(&mut self, number: Number) -> Option<Wide> {
        match number {
            Number::Short { value, scale, digits } => Some(Wide { value: self.b.ins().sextend(I128, value), scale, digits }),
            Number::Wide { value, scale, digits } => Some(Wide { value, scale, digits }),
            Number::Long(_) | Number::Float(_) => None,
        }
    }

    /// Product of two 64-bit values.
    fn product(&mut self, a: Value, b: Value) -> Value {
        let low = self.b.ins().imul(a, b);
        let high = self.b.ins().smulhi(a, b);
        self.b.ins().iconcat(low, high)
    }

    /// A value with `count` more decimal places; `None` when it would not fit.
    fn lifted(&mut self, number: Number, count: u32) -> Option<Wide> {
        match number {
            Number::Short { value, scale, digits } => {
                let (digits, scale) = (digits + count, scale + count as i32);
                if digits <= SHORT_DIGITS {
                    let value = self.lift(value, count);
                    return self.as_wide(Number::Short { value, scale, digits });
                }
                if count > SHORT_DIGITS || digits > WIDE_DIGITS {
                    return None;
                }
                let power = self.i64(power_of_ten(count));
                Some(Wide { value: self.product(value, power), scale, digits })
            }
            Number::Wide { value, scale, digits } => {
                if count > SHORT_DIGITS || digits + count > WIDE_DIGITS {
                    return None;
                }
                if count == 0 {
                    return Some(Wide { value, scale, digits });
                }
                let power = self.i64(power_of_ten(count));
                let power = self.b.ins().sextend(I128, power);
                let value = self.b.ins().imul(value, power);
                Some(Wide { value, scale: scale + count as i32, digits: digits + count })
            }
            Number::Long(_) | Number::Float(_) => None,
        }
    }

    /// Both values at the scale of the finer one.
    fn aligned(&mut self, a: Number, b: Number) -> Option<(Wide, Wide)> {
        let (a_scale, b_scale) = (a.scale()?, b.scale()?);
        let scale = a_scale.max(b_scale);
        Some((self.lifted(a, (scale - a_scale) as u32)?, self.lifted(b, (scale - b_scale) as u32)?))
    }

    /// A sum, difference or product that IBM's rules cut only if an item holds more digits than its picture.
    pub fn wide_operation(&mut self, operator: Operator, a: Number, b: Number, numeric: NumericType) -> Option<Number> {
        let (value, scale, digits) = match operator {
            Operator::Multiply => self.wide_product(a, b)?,
            Operator::Add | Operator::Subtract => self.wide_sum(operator, a, b)?,
            _ => return None,
        };
        let carried = carried(numeric, scale)?;
        if digits <= carried {
            return Some(Number::Wide { value, scale, digits });
        }
        let (low, fits) = self.narrow(value);
        let inside = self.is_inside(low, fits, carried);
        let long = self.cold_block();
        let compute = |emitter: &mut Self| emitter.operation_in_memory(operator, a, b, numeric);
        Some(self.unless(Some(inside), long, low, scale, carried, compute))
    }

    fn wide_sum(&mut self, operator: Operator, a: Number, b: Number) -> Option<(Value, i32, u32)> {
        let (a, b) = self.aligned(a, b)?;
        let digits = a.digits.max(b.digits) + 1;
        if digits > WIDE_DIGITS {
            return None;
        }
        let value = match operator {
            Operator::Add => self.b.ins().iadd(a.value, b.value),
            _ => self.b.ins().isub(a.value, b.value),
        };
        Some((value, a.scale, digits))
    }

    fn wide_product(&mut self, a: Number, b: Number) -> Option<(Value, i32, u32)> {
        let (scale, digits) = (a.scale()? + b.scale()?, a.digits()? + b.digits()?);
        if digits > WIDE_DIGITS {
            return None;
        }
        let value = match (a, b) {
            (Number::Short { value: a, .. }, Number::Short { value: b, .. }) => self.product(a, b),
            _ => {
                let (a, b) = (self.as_wide(a)?, self.as_wide(b)?);
                self.b.ins().imul(a.value, b.value)
            }
        };
        Some((value, scale, digits))
    }

    /// Whether 64 bits are the value and its magnitude is below 10^digits.
    fn is_inside(&mut self, low: Value, fits: Value, digits: u32) -> Value {
        if digits > SHORT_DIGITS {
            return fits;
        }
        let outside = self.outside(low, digits);
        let inside = self.b.ins().bxor_imm_u(outside, 1);
        self.b.ins().band(fits, inside)
    }

    /// A value of 64 bits, or in the block `long` (where control also goes if it is not valid) the result of the run time: the address of a
    /// decimal.
    fn unless(
        &mut self,
        good: Option<Value>,
        long: Block,
        low: Value,
        scale: i32,
        digits: u32,
        compute: impl FnOnce(&mut Self) -> Value,
    ) -> Number {
        let short = digits <= SHORT_DIGITS;
        let next = self.b.create_block();
        let result = self.b.append_block_param(next, if short { I64 } else { I128 });
        let value = if short { low } else { self.b.ins().sextend(I128, low) };
        match good {
            Some(good) => self.b.ins().brif(good, next, &[value.into()], long, &[]),
            None => self.b.ins().jump(next, &[value.into()]),
        };
        self.begin(long);
        let address = compute(self);
        let mut value = self.b.ins().load(I64, NOTRAP, address, 0);
        if !short {
            let high = self.b.ins().load(I64, NOTRAP, address, 8);
            value = self.b.ins().iconcat(value, high);
        }
        self.b.ins().jump(next, &[value.into()]);
        self.begin(next);
        if short { Number::Short { value: result, scale, digits } } else { Number::Wide { value: result, scale, digits } }
    }

    pub fn wide_negative(&mut self, value: Value) -> Value {
        let zero = self.i64(0);
        let zero = self.b.ins().sextend(I128, zero);
        self.b.ins().isub(zero, value)
    }

    /// Comparison of values of which at least one is wide; `None`: one is in memory or too long.
    pub fn compare_wide(&mut self, a: Number, b: Number, code: IntCC) -> Option<Value> {
        let (a, b) = self.aligned(a, b)?;
        Some(self.b.ins().icmp(code, a.value, b.value))
    }

    /// The low 64 bits, and whether the magnitude is below 2^62, so that they are the value and may be rounded.
    fn narrow(&mut self, wide: Value) -> (Value, Value) {
        let (low, high) = self.b.ins().isplit(wide);
        let sign = self.b.ins().sshr_imm_u(low, 63);
        let next = self.b.ins().sshr_imm_u(low, 62);
        let differs = self.b.ins().bxor(high, sign);
        let large = self.b.ins().bxor(next, sign);
        let bad = self.b.ins().bor(differs, large);
        (low, self.b.ins().icmp_imm_s(IntCC::Equal, bad, 0))
    }

    /// Processes a wide value: as a short one if it fits, else as a value in memory. The action returns 32 bits.
    pub fn with_narrow(&mut self, wide: Wide, mut action: impl FnMut(&mut Self, Number) -> Value) -> Value {
        let (low, fits) = self.narrow(wide.value);
        let (short, long, next) = (self.b.create_block(), self.cold_block(), self.b.create_block());
        let result = self.b.append_block_param(next, I32);
        self.branch(fits, short, long);
        self.begin(short);
        let digits = wide.digits.min(SHORT_DIGITS + 1);
        let answer = action(self, Number::Short { value: low, scale: wide.scale, digits });
        self.b.ins().jump(next, &[answer.into()]);
        self.begin(long);
        let address = self.long_of(wide.number());
        let answer = action(self, Number::Long(address));
        self.b.ins().jump(next, &[answer.into()]);
        self.begin(next);
        result
    }

    /// The value with at least `scale` decimal places where that is possible.
    pub fn lifted_to(&mut self, wide: Wide, scale: i32) -> Wide {
        let count = u32::try_from(scale - wide.scale).unwrap_or(0);
        self.lifted(wide.number(), count).unwrap_or(wide)
    }

    /// A quotient whose lifted dividend fits 128 bits and whose divisor fits 64.
    pub fn wide_quotient(&mut self, a: Number, b: Number, numeric: NumericType, failed: Option<Block>) -> Option<Number> {
        let Number::Short { value: divisor, scale: divisor_scale, .. } = b else {
            return None;
        };
        let NumericType::Fixed { scale, truncated: false, .. } = numeric else {
            return None;
        };
        let count = u32::try_from(scale as i32 - a.scale()? + divisor_scale).ok()?;
        let dividend = self.lifted(a, count)?;
        let carried = carried(numeric, scale as i32)?;
        if !self.is_nonzero_constant(divisor) {
            self.check_divisor(divisor, failed);
        }
        let (low, fits) = self.narrow(dividend.value);
        let (short, long) = (self.b.create_block(), self.cold_block());
        self.branch(fits, short, long);
        self.begin(short);
        let quotient = self.b.ins().sdiv(low, divisor);
        let digits = dividend.digits.min(carried);
        // Quotients of 64 bits have at most 19 digits.
        let inside = if dividend.digits <= carried || carried > SHORT_DIGITS {
            None
        } else {
            let outside = self.outside(quotient, carried);
            Some(self.b.ins().bxor_imm_u(outside, 1))
        };
        Some(self.unless(inside, long, quotient, scale as i32, digits, |emitter| emitter.quotient_in_memory(a, b, numeric, None)))
    }
}

/// Digits that an intermediate result of this type carries at a scale; `None` when decimal places are cut.
fn carried(numeric: NumericType, scale: i32) -> Option<u32> {
    match numeric {
        NumericType::Fixed { digits, scale: places, .. } if scale <= places as i32 => {
            let integers = (digits as i32 - places as i32).max(0);
            Some((integers + scale).clamp(1, WIDE_DIGITS as i32) as u32)
        }
        _ => None,
    }
}
