//! Unsigned 384-bit integers on the stack, for products and dividends that do not fit 128 bits (31 digits times 31 digits scaled by 31 more
//! is below 10^115). Only the slow paths of `decimal` use them.

use std::cmp::Ordering;

const LIMBS: usize = 6;

/// Little-endian 64-bit limbs. Operations wrap silently at 384 bits; callers stay below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wide([u64; LIMBS]);

impl Wide {
    pub const ZERO: Wide = Wide([0; LIMBS]);

    pub const fn from_u128(value: u128) -> Wide {
        Wide([value as u64, (value >> 64) as u64, 0, 0, 0, 0])
    }

    /// The value when it fits.
    pub fn to_u128(self) -> Option<u128> {
        let fits = self.0[2..].iter().all(|&limb| limb == 0);
        fits.then(|| u128::from(self.0[0]) | u128::from(self.0[1]) << 64)
    }

    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|&limb| limb == 0)
    }

    fn limbs_used(&self) -> usize {
        LIMBS - self.0.iter().rev().take_while(|&&limb| limb == 0).count()
    }

    pub fn compare(&self, other: &Wide) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }

    pub fn add(&self, other: &Wide) -> Wide {
        let mut out = Wide::ZERO;
        let mut carry = false;
        for index in 0..LIMBS {
            let (sum, first) = self.0[index].overflowing_add(other.0[index]);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            out.0[index] = sum;
            carry = first | second;
        }
        out
    }

    /// self - other, where other <= self.
    pub fn subtract(&self, other: &Wide) -> Wide {
        let mut out = Wide::ZERO;
        let mut borrow = false;
        for index in 0..LIMBS {
            let (rest, first) = self.0[index].overflowing_sub(other.0[index]);
            let (rest, second) = rest.overflowing_sub(u64::from(borrow));
            out.0[index] = rest;
            borrow = first | second;
        }
        out
    }

    pub fn multiply(&self, other: &Wide) -> Wide {
        let mut out = Wide::ZERO;
        for left in 0..self.limbs_used() {
            let mut carry = 0u128;
            for right in 0..LIMBS - left {
                let at = left + right;
                let sum = u128::from(self.0[left]) * u128::from(other.0[right]) + u128::from(out.0[at]) + carry;
                out.0[at] = sum as u64;
                carry = sum >> 64;
            }
        }
        out
    }

    /// self * 10^exponent, exponent at most 76.
    pub fn scale_up(&self, exponent: u32) -> Wide {
        let mut out = *self;
        let mut left = exponent;
        while left > 0 {
            let step = left.min(38);
            out = out.multiply(&Wide::from_u128(10u128.pow(step)));
            left -= step;
        }
        out
    }

    pub fn shift_left(&self, bits: u32) -> Wide {
        let (limbs, bits) = ((bits / 64) as usize, bits % 64);
        let mut out = Wide::ZERO;
        for index in limbs..LIMBS {
            out.0[index] = self.0[index - limbs] << bits;
            if bits > 0 && index > limbs {
                out.0[index] |= self.0[index - limbs - 1] >> (64 - bits);
            }
        }
        out
    }

    /// Quotient and remainder; the divisor is not zero. Knuth's algorithm D on 32-bit digits.
    pub fn divide(&self, divisor: &Wide) -> (Wide, Wide) {
        if self.compare(divisor) == Ordering::Less {
            return (Wide::ZERO, *self);
        }
        if divisor.limbs_used() == 1 {
            return self.divide_limb(divisor.0[0]);
        }
        self.divide_long(divisor)
    }

    fn divide_limb(&self, divisor: u64) -> (Wide, Wide) {
        let mut out = Wide::ZERO;
        let mut rest = 0u128;
        for index in (0..self.limbs_used()).rev() {
            let part = rest << 64 | u128::from(self.0[index]);
            out.0[index] = (part / u128::from(divisor)) as u64;
            rest = part % u128::from(divisor);
        }
        (out, Wide::from_u128(rest))
    }

    fn halves(&self) -> [u32; LIMBS * 2 + 1] {
        let mut out = [0u32; LIMBS * 2 + 1];
        for (index, limb) in self.0.iter().enumerate() {
            out[index * 2] = *limb as u32;
            out[index * 2 + 1] = (*limb >> 32) as u32;
        }
        out
    }

    fn from_halves(halves: &[u32]) -> Wide {
        let mut out = Wide::ZERO;
        for (index, &half) in halves.iter().enumerate().take(LIMBS * 2) {
            out.0[index / 2] |= u64::from(half) << (index % 2 * 32);
        }
        out
    }

    fn divide_long(&self, divisor: &Wide) -> (Wide, Wide) {
        let top = divisor.halves();
        let length = top.iter().rposition(|&half| half != 0).map_or(0, |at| at + 1);
        let shift = top[length - 1].leading_zeros();
        let below = divisor.shift_left(shift).halves();
        // The dividend may need one digit more than 384 bits after normalization; callers stay well below that.
        let mut above = self.shift_left(shift).halves();
        let mut quotient = [0u32; LIMBS * 2 + 1];
        for at in (0..=LIMBS * 2 - length).rev() {
            let lead = u64::from(above[at + length]) << 32 | u64::from(above[at + length - 1]);
            let mut guess = lead / u64::from(below[length - 1]);
            let mut rest = lead % u64::from(below[length - 1]);
            while guess >> 32 != 0 || guess * u64::from(below[length - 2]) > (rest << 32 | u64::from(above[at + length - 2])) {
                guess -= 1;
                rest += u64::from(below[length - 1]);
                if rest >> 32 != 0 {
                    break;
                }
            }
            let mut borrow = 0i64;
            let mut carry = 0u64;
            for index in 0..length {
                let product = guess * u64::from(below[index]) + carry;
                carry = product >> 32;
                let part = i64::from(above[at + index]) - borrow - (product & 0xFFFF_FFFF) as i64;
                above[at + index] = part as u32;
                borrow = i64::from(part < 0);
            }
            let part = i64::from(above[at + length]) - borrow - carry as i64;
            above[at + length] = part as u32;
            if part < 0 {
                guess -= 1;
                let mut carry = 0u64;
                for index in 0..length {
                    let sum = u64::from(above[at + index]) + u64::from(below[index]) + carry;
                    above[at + index] = sum as u32;
                    carry = sum >> 32;
                }
                above[at + length] = above[at + length].wrapping_add(carry as u32);
            }
            quotient[at] = guess as u32;
        }
        let mut remainder = [0u32; LIMBS * 2 + 1];
        for index in 0..LIMBS * 2 {
            let high = u64::from(above[index + 1]) << 32;
            remainder[index] = ((high | u64::from(above[index])) >> shift) as u32;
        }
        (Wide::from_halves(&quotient), Wide::from_halves(&remainder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::Random;

    fn sample(random: &mut Random) -> u128 {
        let mut next = || random.number() >> 11;
        let wide = u128::from(next()) << 80 | u128::from(next()) << 40 | u128::from(next());
        wide >> (next() % 127)
    }

    #[test]
    fn division_undoes_multiplication() {
        let mut random = Random::new(42);
        for _ in 0..20_000 {
            let (a, b, c) = (sample(&mut random), sample(&mut random).max(1), sample(&mut random).max(1));
            let divisor = Wide::from_u128(b).multiply(&Wide::from_u128(c));
            let rest = Wide::from_u128(a).divide(&divisor).1;
            let dividend = Wide::from_u128(a).multiply(&divisor).add(&rest);
            let (quotient, remainder) = dividend.divide(&divisor);
            assert_eq!((quotient, remainder), (Wide::from_u128(a), rest), "{a} {b} {c}");
            assert_eq!(dividend.subtract(&rest), Wide::from_u128(a).multiply(&divisor));
        }
    }

    #[test]
    fn scales_by_powers_of_ten() {
        let wide = Wide::from_u128(7).scale_up(76);
        let (quotient, remainder) = wide.divide(&Wide::from_u128(1).scale_up(60));
        assert_eq!(quotient.to_u128(), Some(7 * 10u128.pow(16)));
        assert!(remainder.is_zero());
        assert_eq!(wide.to_u128(), None);
    }
}
