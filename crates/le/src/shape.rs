//! The number of digits an intermediate result carries: Enterprise COBOL Programming Guide, appendix "Intermediate results and arithmetic
//! precision". The compiler computes the shape of every node of an expression with these functions and passes it to the operation; the
//! shape does not depend on data.

use crate::session::Arith;

/// Integer and decimal places of an operand or intermediate result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(C)]
pub struct Shape {
    /// Integer places carried (i). May be 0 for PIC PP9.
    pub integers: i16,
    /// Decimal places carried (d). Negative for PIC 9PP.
    pub decimals: i16,
}

impl Shape {
    /// Integer places of the last operation of a statement with ON SIZE ERROR: none is cut, because the size error is decided by the
    /// result itself (Language Reference, SIZE ERROR phrases: it applies to final results, not to intermediate ones).
    pub const ALL_INTEGERS: i16 = i16::MAX;

    pub const fn new(integers: i16, decimals: i16) -> Shape {
        Shape { integers, decimals }
    }

    /// Shape of an operand with this many digits at this scale.
    pub const fn of(digits: u8, scale: i8) -> Shape {
        let integers = digits as i16 - scale as i16;
        Shape { integers: if integers < 0 { 0 } else { integers }, decimals: scale as i16 }
    }

    /// Left + right or left - right.
    pub const fn add(self, right: Shape) -> Shape {
        Shape { integers: max(self.integers, right.integers) + 1, decimals: max(self.decimals, right.decimals) }
    }

    /// Left * right.
    pub const fn multiply(self, right: Shape) -> Shape {
        Shape { integers: self.integers + right.integers, decimals: self.decimals + right.decimals }
    }

    /// Left / right; `decimals_max` is dmax: the most decimal places any operand of the expression or its final result
    /// field has (one more with ROUNDED).
    pub const fn divide(self, right: Shape, decimals_max: i16) -> Shape {
        Shape { integers: self.integers + max(right.decimals, 0), decimals: max(self.decimals - right.decimals, decimals_max) }
    }

    /// Left ** exponent for an integer literal exponent greater than zero.
    pub const fn power(self, exponent: i16) -> Shape {
        Shape { integers: self.integers.saturating_mul(exponent), decimals: self.decimals.saturating_mul(exponent) }
    }

    /// The digits really carried when the mathematical shape has more than 30 (ARITH(COMPAT)) or 31 (EXTEND).
    pub const fn carried(self, decimals_max: i16, arith: Arith) -> Shape {
        let limit = match arith {
            Arith::Compat => 30,
            Arith::Extend => 31,
        };
        let (i, d) = (self.integers, self.decimals);
        if i + d <= limit {
            self
        } else if d <= decimals_max {
            Shape { integers: limit - d, decimals: d }
        } else if i + decimals_max <= limit {
            Shape { integers: i, decimals: limit - i }
        } else {
            Shape { integers: limit - decimals_max, decimals: decimals_max }
        }
    }

    /// All digits carried.
    pub const fn digits(self) -> u32 {
        let digits = self.integers + self.decimals;
        if digits < 1 { 1 } else { digits as u32 }
    }
}

const fn max(left: i16, right: i16) -> i16 {
    if left > right { left } else { right }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_of_places_carried() {
        // d <= dmax: 30-d integer and d decimal places.
        assert_eq!(Shape::new(28, 4).carried(4, Arith::Compat), Shape::new(26, 4));
        // d > dmax, i + dmax <= 30: i integer and 30-i decimal places.
        assert_eq!(Shape::new(20, 14).carried(6, Arith::Compat), Shape::new(20, 10));
        // d > dmax, i + dmax > 30: 30-dmax integer and dmax decimal places.
        assert_eq!(Shape::new(28, 14).carried(6, Arith::Compat), Shape::new(24, 6));
        assert_eq!(Shape::new(28, 14).carried(6, Arith::Extend), Shape::new(25, 6));
        assert_eq!(Shape::new(15, 15).carried(2, Arith::Compat), Shape::new(15, 15));
    }

    #[test]
    fn operations() {
        let (a, b) = (Shape::of(9, 2), Shape::of(5, 3));
        assert_eq!(a.add(b), Shape::new(8, 3));
        assert_eq!(a.multiply(b), Shape::new(9, 5));
        assert_eq!(a.divide(b, 4), Shape::new(10, 4));
        assert_eq!(b.divide(Shape::of(3, 0), 2), Shape::new(2, 3));
    }
}
