//! Generic profile names: which resources they match, and which of two is more specific (z/OS Security Server RACF Command Language Reference,
//! Profile names for general resources; RACF Security Administrator's Guide, Rules for generic profile names).

/// Whether a name has characters that make it a pattern.
pub(crate) fn is_generic(name: &str) -> bool {
    name.contains(['*', '%'])
}

/// Whether a pattern obeys the rules: an asterisk is the last character of a qualifier or all of it, a double asterisk all of a qualifier and
/// in the name only once.
pub(crate) fn is_well_formed(pattern: &str) -> bool {
    let is_qualifier = |qualifier: &str| match qualifier.find('*') {
        None => true,
        Some(at) => at + 1 == qualifier.len() || qualifier == "**",
    };
    pattern.split('.').filter(|qualifier| *qualifier == "**").count() <= 1 && pattern.split('.').all(is_qualifier)
}

/// Whether a pattern matches the name of a resource.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    pattern == "*" || matches_from(pattern.as_bytes(), name.as_bytes(), true)
}

/// `at_qualifier`: whether both stand at the beginning of a qualifier. Each call but one for a double asterisk, which is there once, takes a
/// character off the pattern, so the work is bounded by the product of the lengths.
fn matches_from(pattern: &[u8], name: &[u8], at_qualifier: bool) -> bool {
    let (mut pattern, mut name, mut at_qualifier) = (pattern, name, at_qualifier);
    loop {
        match (pattern.first(), name.first()) {
            (None, rest) => return rest.is_none(),
            (Some(b'*'), _) if at_qualifier && pattern.starts_with(b"**") => return matches_any_qualifiers(&pattern[2..], name),
            // At the end: one or more qualifiers, or whatever continues the last one.
            (Some(b'*'), _) if pattern.len() == 1 => return !(at_qualifier && name.is_empty()),
            (Some(b'*'), _) => {
                let end = name.iter().position(|byte| *byte == b'.').unwrap_or(name.len());
                if at_qualifier && end == 0 {
                    return false;
                }
                (pattern, name, at_qualifier) = (&pattern[1..], &name[end..], false);
            }
            // Zero qualifiers at the end.
            (Some(b'.'), None) => return pattern == b".**",
            (Some(b'%'), Some(byte)) => (pattern, name, at_qualifier) = (&pattern[1..], &name[1..], *byte == b'.'),
            (Some(byte), Some(other)) if byte == other => (pattern, name, at_qualifier) = (&pattern[1..], &name[1..], *byte == b'.'),
            _ => return false,
        }
    }
}

/// What is behind a double asterisk against a name of which any qualifiers may be left out.
fn matches_any_qualifiers(rest: &[u8], name: &[u8]) -> bool {
    let Some(rest) = rest.strip_prefix(b".") else { return true };
    let starts = name.iter().enumerate().filter(|(_, byte)| **byte == b'.').map(|(at, _)| at + 1);
    std::iter::once(0).chain(starts).any(|start| matches_from(rest, &name[start..], true))
}

/// A key that sorts patterns which match the same name from the most specific to the least: compared from the left, a character is more
/// specific than a percent sign, that than an asterisk, that than a double asterisk, and all than the end.
pub(crate) fn specificity(pattern: &str) -> Vec<u8> {
    const PERCENT: u8 = 0xF0;
    const ASTERISK: u8 = 0xF1;
    const DOUBLE_ASTERISK: u8 = 0xF2;
    const END: u8 = 0xF3;
    let mut key = Vec::with_capacity(pattern.len() + 1);
    let mut rest = pattern.as_bytes();
    while let [first, behind @ ..] = rest {
        rest = behind;
        key.push(match first {
            b'%' => PERCENT,
            b'*' if behind.first() == Some(&b'*') => {
                rest = &behind[1..];
                DOUBLE_ASTERISK
            }
            b'*' => ASTERISK,
            other => *other,
        });
    }
    key.push(END);
    key
}

/// The characters before the first generic one: every resource that the pattern matches begins with them, but for the point before a double
/// asterisk.
pub(crate) fn literal_prefix(pattern: &str) -> &str {
    let prefix = &pattern[..pattern.find(['*', '%', '&']).unwrap_or(pattern.len())];
    if pattern[prefix.len()..].starts_with("**") { prefix.strip_suffix('.').unwrap_or(prefix) } else { prefix }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules of the document, with its examples where it has some.
    #[test]
    fn patterns_match_what_the_rules_say() {
        for (pattern, matching, others) in [
            ("AB.CD.%", &["AB.CD.E", "AB.CD.F"][..], &["AB.CD.EF", "AB.CD"][..]),
            ("ABC.DEF*", &["ABC.DEF", "ABC.DEFG", "ABC.DEF.X", "ABC.DEFG.X.Y"], &["ABC.DE", "ABC.X.DEF"]),
            ("ABC.DEF.*", &["ABC.DEF.X", "ABC.DEF.X.Y"], &["ABC.DEF", "ABC.DEFX"]),
            ("ABC.*.DEF", &["ABC.X.DEF"], &["ABC.DEF", "ABC.X.Y.DEF", "ABC..DEF"]),
            ("ABC.DE*.FGH", &["ABC.DE.FGH", "ABC.DEX.FGH"], &["ABC.DEX.Y.FGH", "ABC.D.FGH"]),
            ("**", &["A", "A.B", ""], &[]),
            ("*", &["A", "A.B"], &[]),
            ("**.ABC", &["ABC", "X.ABC", "X.Y.ABC"], &["XABC", "ABC.X"]),
            ("*.ABC", &["X.ABC"], &["ABC", "X.Y.ABC"]),
            ("ABC.**.DEF", &["ABC.DEF", "ABC.X.DEF", "ABC.X.Y.DEF"], &["ABCDEF", "ABC.XDEF"]),
            ("ABC.**", &["ABC", "ABC.X", "ABC.X.Y"], &["ABCX", "AB"]),
            ("CE*", &["CEMT", "CE"], &["CSMT"]),
            ("%%%%", &["CEMT"], &["CEM", "CEMTS"]),
        ] {
            assert!(is_well_formed(pattern), "{pattern}");
            for name in matching {
                assert!(matches(pattern, name), "{pattern} {name}");
                assert!(name.starts_with(literal_prefix(pattern)), "{pattern} {name}");
            }
            for name in others {
                assert!(!matches(pattern, name), "{pattern} {name}");
            }
        }
    }

    #[test]
    fn asterisks_stand_at_the_end_of_qualifiers() {
        for pattern in ["A*B", "**.A.**", "A**", "A.B**.C", "A***", "*A"] {
            assert!(!is_well_formed(pattern), "{pattern}");
        }
    }

    #[test]
    fn the_more_specific_pattern_comes_first() {
        let mut patterns = ["**", "C*", "CE%T", "CEM*", "CEM%", "C%MT", "CE.**", "CE.*", "*"];
        patterns.sort_by_key(|pattern| specificity(pattern));
        assert_eq!(patterns, ["CE.*", "CE.**", "CEM%", "CEM*", "CE%T", "C%MT", "C*", "*", "**"]);
    }
}
