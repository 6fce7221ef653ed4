//! Generic names: filter keys of LISTCAT and DELETE MASK, and the simpler generic names of DELETE.
//!
//! Rules: `*` alone stands for one qualifier, within a qualifier for any characters of it; `**` for any number of qualifiers; `%` for one
//! character.

/// Whether a qualifier matches one of a pattern.
fn qualifier_matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => qualifier_matches(rest, name) || !name.is_empty() && qualifier_matches(pattern, &name[1..]),
        ([b'%', rest @ ..], [_, tail @ ..]) => qualifier_matches(rest, tail),
        ([first, rest @ ..], [head, tail @ ..]) => first == head && qualifier_matches(rest, tail),
        _ => false,
    }
}

/// Whether a name fits a pattern.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    fn parts(pattern: &[&str], name: &[&str]) -> bool {
        match (pattern, name) {
            ([], []) => true,
            (["**", rest @ ..], _) => parts(rest, name) || !name.is_empty() && parts(pattern, &name[1..]),
            ([first, rest @ ..], [head, tail @ ..]) => qualifier_matches(first.as_bytes(), head.as_bytes()) && parts(rest, tail),
            _ => false,
        }
    }
    parts(&pattern.split('.').collect::<Vec<_>>(), &name.split('.').collect::<Vec<_>>())
}

/// Whether a pattern needs MASK: it contains more than asterisks that are whole qualifiers.
pub(super) fn is_filter_key(pattern: &str) -> bool {
    pattern.split('.').any(|qualifier| super::is_generic(qualifier) && qualifier != "*")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_by_qualifier() {
        assert!(matches("A.*.C", "A.B.C") && !matches("A.*.C", "A.B.B.C") && !matches("A.*", "A"));
        assert!(matches("A.**", "A.B.C") && matches("A.**", "A") && matches("A.B*.C", "A.BX.C"));
        assert!(matches("A.*B*.C", "A.XBX.C") && matches("A.*X", "A.BX") && !matches("A.*X", "A.XB"));
        assert!(matches("A.B%", "A.BX") && !matches("A.B%", "A.B") && !matches("A.B%", "A.BXX"));
        assert!(is_filter_key("A.**") && is_filter_key("A.B*") && is_filter_key("A.%") && !is_filter_key("A.*.B"));
    }
}
