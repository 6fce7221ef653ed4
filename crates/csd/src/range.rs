//! Ranges of numbers as the tables of this crate write them: `LOW-HIGH/STEP`, of which `-HIGH` and `/STEP` may be left out, each a number of
//! bytes or of anything else, with K, M or G.
//!
//! Invariant: low is not above high, and the step is not zero.

/// Numbers that a parameter or an attribute accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    pub low: u64,
    pub high: u64,
    step: u64,
}

impl Range {
    /// `None` if the text is not a range.
    pub fn parse(text: &str) -> Option<Range> {
        let (bounds, step) = text.split_once('/').unwrap_or((text, "1"));
        let (low, high) = bounds.split_once('-').unwrap_or((bounds, bounds));
        let range = Range { low: scaled(low)?, high: scaled(high)?, step: scaled(step)? };
        assert!(range.low <= range.high && range.step > 0, "{text}");
        Some(range)
    }

    pub fn contains(&self, number: u64) -> bool {
        (self.low..=self.high).contains(&number)
    }

    /// The multiple of the step at or below a number.
    pub fn rounded_down(&self, number: u64) -> u64 {
        number - number % self.step
    }

    /// The multiple of the step at or above a number.
    pub fn rounded_up(&self, number: u64) -> u64 {
        number.next_multiple_of(self.step)
    }
}

/// A number with K, M or G.
pub fn scaled(text: &str) -> Option<u64> {
    let folded = text.trim().to_ascii_uppercase();
    let (digits, shift) = match folded.as_bytes().last()? {
        b'K' => (&folded[..folded.len() - 1], 10),
        b'M' => (&folded[..folded.len() - 1], 20),
        b'G' => (&folded[..folded.len() - 1], 30),
        _ => (folded.as_str(), 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_bounds_and_steps() {
        let range = Range::parse("250-2700000/250").unwrap();
        assert_eq!([249, 250, 2_700_000, 2_700_001].map(|number| range.contains(number)), [false, true, true, false]);
        assert_eq!((range.rounded_down(499), range.rounded_up(499)), (250, 500));
        assert_eq!(Range::parse("2M-16M/256K").map(|range| (range.low, range.high)), Some((2 << 20, 16 << 20)));
        assert_eq!(Range::parse("7").map(|range| (range.low, range.high)), Some((7, 7)));
        assert_eq!((Range::parse("NO"), Range::parse("A-Z"), Range::parse("")), (None, None, None));
    }
}
