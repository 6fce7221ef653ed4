//! Random numbers that follow from a seed.

/// A small generator (xorshift64*). The same seed gives the same numbers everywhere.
///
/// Invariant: the state is never 0, which would stay 0.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next number, from the whole range.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        debug_assert!(self.0 != 0);
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number from 0 to `bound` - 1.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "no number is below 0");
        let number = self.number();
        // The upper bits are the better ones.
        if bound >> 31 == 0 { (number >> 33) % bound } else { number % bound }
    }

    /// A position in a list of `length`; 0 for an empty one.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length.max(1) as u64) as usize
    }

    /// True one time in `odds`.
    pub fn one_in(&mut self, odds: u64) -> bool {
        self.below(odds) == 0
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.index(list.len())]
    }

    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.number() as u8).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides_the_numbers() {
        let numbers = |seed| {
            let mut random = Random::new(seed);
            (0..100).map(|_| random.number()).collect::<Vec<_>>()
        };
        assert_eq!(numbers(1), numbers(1));
        assert_ne!(numbers(1), numbers(2));
        assert_ne!(numbers(0)[0], 0);
    }

    #[test]
    fn bounds_hold_and_every_number_below_them_comes() {
        let mut random = Random::new(17);
        let mut seen = [false; 7];
        for _ in 0..1000 {
            seen[random.below(7) as usize] = true;
            assert!(random.below(u64::MAX) < u64::MAX && random.below(1) == 0 && random.index(0) == 0);
        }
        assert_eq!(seen, [true; 7]);
    }
}
