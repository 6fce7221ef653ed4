//! Search of a long pattern in time linear in the lengths, whatever the bytes are, for STRING, UNSTRING and INSPECT.
//!
//! The algorithm is the two-way algorithm of Crochemore and Perrin ("Two-way string-matching", Journal of the ACM 38, 1991). It needs no
//! memory besides the operands, so a search may run while heap memory is inaccessible.

/// Characters of one or two bytes, compared by value.
#[derive(Clone, Copy)]
struct Characters<'a> {
    bytes: &'a [u8],
    width: usize,
}

impl Characters<'_> {
    fn count(self) -> usize {
        self.bytes.len() / self.width
    }

    #[inline(always)]
    fn at(self, index: usize) -> u16 {
        if self.width == 1 { u16::from(self.bytes[index]) } else { u16::from_ne_bytes([self.bytes[2 * index], self.bytes[2 * index + 1]]) }
    }
}

/// Start and period of the greatest suffix by the order of the characters, or by the reverse order.
fn maximal_suffix(pattern: Characters<'_>, reverse: bool) -> (usize, usize) {
    let (mut left, mut right, mut offset, mut period) = (0, 1, 0, 1);
    while right + offset < pattern.count() {
        let (a, b) = (pattern.at(right + offset), pattern.at(left + offset));
        if a == b {
            if offset + 1 == period {
                right += offset + 1;
                offset = 0;
            } else {
                offset += 1;
            }
        } else if (a < b) != reverse {
            right += offset + 1;
            offset = 0;
            period = right - left;
        } else {
            left = right;
            right += 1;
            offset = 0;
            period = 1;
        }
    }
    (left, period)
}

/// Position in bytes of the first occurrence that begins at a character of `width` bytes; `None` also for an empty pattern.
pub(crate) fn two_way(bytes: &[u8], pattern: &[u8], width: usize) -> Option<usize> {
    if width == 1 { matching::<1>(bytes, pattern) } else { matching::<2>(bytes, pattern) }
}

fn matching<const WIDTH: usize>(bytes: &[u8], pattern: &[u8]) -> Option<usize> {
    let (text, pattern) = (Characters { bytes, width: WIDTH }, Characters { bytes: pattern, width: WIDTH });
    let length = pattern.count();
    if length == 0 {
        return None;
    }
    let (forward, reverse) = (maximal_suffix(pattern, false), maximal_suffix(pattern, true));
    let (critical, period) = if forward.0 > reverse.0 { forward } else { reverse };
    let is_periodic = (0..critical).all(|at| pattern.at(at) == pattern.at(at + period));
    // A pattern whose left part is no repetition may move by more than half of its length.
    let period = if is_periodic { period } else { critical.max(length - critical) + 1 };
    let last = text.count().checked_sub(length)?;
    // Leading characters known to match; only a repeated pattern has any.
    let mut known = 0;
    let mut from = 0;
    while from <= last {
        if let Some(differing) = (critical.max(known)..length).find(|&at| pattern.at(at) != text.at(from + at)) {
            from += differing - critical + 1;
            known = 0;
        } else if (known..critical).rev().any(|at| pattern.at(at) != text.at(from + at)) {
            from += period;
            known = if is_periodic { length - period } else { 0 };
        } else {
            return Some(from * WIDTH);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every text of up to 9 letters of an alphabet of two, and every pattern of up to 5.
    #[test]
    fn finds_what_a_comparison_at_every_position_finds() {
        let words = |longest: u32| {
            (0..=longest).flat_map(|length| {
                (0..1u32 << length).map(move |bits| (0..length).map(|at| b'A' + (bits >> at & 1) as u8).collect::<Vec<u8>>())
            })
        };
        for text in words(9) {
            for pattern in words(5).filter(|pattern| !pattern.is_empty()) {
                let expected = text.windows(pattern.len()).position(|window| window == pattern);
                assert_eq!(two_way(&text, &pattern, 1), expected, "{pattern:?} in {text:?}");
                if text.len() % 2 == 0 && pattern.len() % 2 == 0 {
                    let expected = (0..text.len()).step_by(2).find(|&at| text[at..].starts_with(&pattern));
                    assert_eq!(two_way(&text, &pattern, 2), expected, "{pattern:?} in {text:?}");
                }
            }
        }
    }
}
