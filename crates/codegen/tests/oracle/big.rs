//! Whole numbers of any length by schoolbook methods: slow, and independent of both compilers.

use std::cmp::Ordering;

/// Decimal digits, the lowest first, without zeros at the top; zero has none and is positive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Big {
    negative: bool,
    digits: Vec<u8>,
}

impl Big {
    pub fn of(value: i128) -> Big {
        let digits = value.unsigned_abs().to_string().bytes().rev().map(|digit| digit - b'0').collect();
        Big { negative: value < 0, digits }.trimmed()
    }

    fn trimmed(mut self) -> Big {
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        self.negative &= !self.digits.is_empty();
        self
    }

    pub fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    pub fn is_odd(&self) -> bool {
        self.digits.first().is_some_and(|digit| digit % 2 == 1)
    }

    pub fn is_negative(&self) -> bool {
        self.negative
    }

    pub fn negated(mut self) -> Big {
        self.negative = !self.negative && !self.is_zero();
        self
    }

    pub fn absolute(mut self) -> Big {
        self.negative = false;
        self
    }

    /// The value if 128 bits hold it.
    pub fn value(&self) -> Option<i128> {
        let mut value = 0i128;
        for digit in self.digits.iter().rev() {
            value = value.checked_mul(10)?.checked_add(i128::from(*digit))?;
        }
        Some(if self.negative { -value } else { value })
    }

    pub fn compare_magnitude(&self, other: &Big) -> Ordering {
        self.digits.len().cmp(&other.digits.len()).then_with(|| self.digits.iter().rev().cmp(other.digits.iter().rev()))
    }

    /// Times ten to a power.
    pub fn lifted(&self, places: u32) -> Big {
        let digits = std::iter::repeat_n(0, places as usize).chain(self.digits.iter().copied()).collect();
        Big { negative: self.negative, digits }.trimmed()
    }

    /// Without this many low-order digits.
    pub fn dropped(&self, places: u32) -> Big {
        Big { negative: self.negative, digits: self.digits.iter().skip(places as usize).copied().collect() }.trimmed()
    }

    /// Only this many low-order digits.
    pub fn low(&self, places: u32) -> Big {
        Big { negative: self.negative, digits: self.digits.iter().take(places as usize).copied().collect() }.trimmed()
    }

    pub fn plus(&self, other: &Big) -> Big {
        if self.negative == other.negative {
            return Big { negative: self.negative, digits: added(&self.digits, &other.digits) }.trimmed();
        }
        match self.compare_magnitude(other) {
            Ordering::Less => Big { negative: other.negative, digits: subtracted(&other.digits, &self.digits) }.trimmed(),
            _ => Big { negative: self.negative, digits: subtracted(&self.digits, &other.digits) }.trimmed(),
        }
    }

    pub fn times(&self, other: &Big) -> Big {
        let mut digits = vec![0u8; self.digits.len() + other.digits.len() + 1];
        for (at, a) in self.digits.iter().enumerate() {
            let mut carry = 0;
            for (more, b) in other.digits.iter().chain([0].iter()).enumerate() {
                let sum = digits[at + more] + a * b + carry;
                (digits[at + more], carry) = (sum % 10, sum / 10);
            }
        }
        Big { negative: self.negative != other.negative, digits }.trimmed()
    }

    /// Quotient cut to a whole number, and what remains (with the dividend's sign). The divisor is not zero.
    pub fn divided(&self, divisor: &Big) -> (Big, Big) {
        let (mut quotient, mut rest) = (vec![0u8; self.digits.len()], Big::of(0));
        let positive = divisor.clone().absolute();
        for at in (0..self.digits.len()).rev() {
            rest = rest.lifted(1).plus(&Big::of(i128::from(self.digits[at])));
            while rest.compare_magnitude(&positive) != Ordering::Less {
                rest = rest.plus(&positive.clone().negated());
                quotient[at] += 1;
            }
        }
        let quotient = Big { negative: self.negative != divisor.negative, digits: quotient }.trimmed();
        (quotient, if self.negative { rest.negated() } else { rest })
    }
}

fn added(a: &[u8], b: &[u8]) -> Vec<u8> {
    let digit = |digits: &[u8], at: usize| digits.get(at).copied().unwrap_or(0);
    let mut carry = 0;
    let sum = (0..=a.len().max(b.len())).map(|at| {
        let sum = digit(a, at) + digit(b, at) + carry;
        carry = sum / 10;
        sum % 10
    });
    sum.collect()
}

/// `a` is not less than `b`.
fn subtracted(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut borrow = 0;
    let difference = a.iter().enumerate().map(|(at, digit)| {
        let taken = b.get(at).copied().unwrap_or(0) + borrow;
        borrow = u8::from(*digit < taken);
        digit + 10 * borrow - taken
    });
    difference.collect()
}
