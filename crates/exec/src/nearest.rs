//! Suggests the known word that was probably meant by an unknown one, for messages of compilers and utilities.

/// Longer words are not looked at.
const LENGTH_MAX: usize = 64;

/// What to add to a message about an unknown word: the known one that was probably meant.
pub fn meant<'a>(word: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    did_you_mean(nearest(word, known))
}

/// The same of a word that has been found.
pub fn did_you_mean(near: Option<impl std::fmt::Display>) -> String {
    near.map_or(String::new(), |near| format!("; did you mean {near}?"))
}

/// The candidate most similar to `word`, if it is similar enough for a typing error, or if `word` is its unique prefix of at least four
/// letters.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    if word.len() > LENGTH_MAX {
        return None;
    }
    let limit = if word.len() > 5 { 2 } else { 1 };
    let (least, near) = candidates.clone().map(|candidate| (distance(word.as_bytes(), candidate.as_bytes()), candidate)).min()?;
    if least <= limit {
        return Some(near);
    }
    let mut beginning = candidates.filter(|candidate| word.len() >= 4 && candidate.starts_with(word));
    let first = beginning.next()?;
    beginning.all(|other| other == first).then_some(first)
}

/// Insertions, deletions and changes between two words, and exchanges of neighbours counted as one.
fn distance(a: &[u8], b: &[u8]) -> usize {
    if a.len().abs_diff(b.len()) > 2 {
        return usize::MAX;
    }
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (row, left) in a.iter().enumerate() {
        let mut next = vec![row + 1; b.len() + 1];
        for (column, right) in b.iter().enumerate() {
            next[column + 1] = (last[column] + usize::from(left != right)).min(last[column + 1] + 1).min(next[column] + 1);
            if row > 0 && column > 0 && a[row - 1] == *right && *left == b[column - 1] {
                next[column + 1] = next[column + 1].min(before[column - 1] + 1);
            }
        }
        before = std::mem::replace(&mut last, next);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(word: &str) -> Option<&'static str> {
        nearest(word, ["FILE", "RIDFLD", "OPENSTATUS", "OPENTIME", "KEYLENGTH", "UPDATE"].into_iter())
    }

    #[test]
    fn slips_of_the_pen_and_beginnings_have_a_nearest_word() {
        assert_eq!(near("RIDFDL"), Some("RIDFLD"), "two letters exchanged");
        assert_eq!(near("FILEE"), Some("FILE"), "one letter too many");
        assert_eq!(near("KEYLENTH"), Some("KEYLENGTH"), "one letter missing");
        assert_eq!(near("OPENSTAT"), Some("OPENSTATUS"), "the beginning of one word");
    }

    #[test]
    fn dissimilar_words_have_no_suggestion() {
        assert_eq!(near("OPEN"), None, "the beginning of two words");
        assert_eq!(near("FL"), None);
        assert_eq!(near("COMMAREA"), None);
        assert_eq!(near(""), None);
        assert_eq!(near(&"X".repeat(100)), None);
    }
}
