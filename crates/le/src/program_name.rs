//! How the written name of a program becomes its external name.
//!
//! Rules: Enterprise COBOL for z/OS Programming Guide, "PGMNAME"; names of dynamic calls are those of PGMNAME(COMPAT), whatever the option
//! says, because load modules are found by them.

/// Characters of the name of a load module.
pub const LENGTH_MAX: usize = 8;

/// PGMNAME(COMPAT), and the target of a dynamic call: upper case, eight characters, no hyphen, no digit in front.
pub fn compatible(written: &str) -> String {
    long_upper(written).chars().take(LENGTH_MAX).collect()
}

/// PGMNAME(LONGUPPER): as COMPAT, but whole.
pub fn long_upper(written: &str) -> String {
    let translated = written.chars().enumerate().map(|(at, character)| match character {
        _ if at > 0 && character == '-' => '0',
        _ if at > 0 || character.is_alphabetic() || "@#$_".contains(character) => character.to_ascii_uppercase(),
        '1'..='9' => char::from(b'A' + (character as u8 - b'1')),
        _ => 'J',
    });
    translated.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_load_modules() {
        for (written, name) in [
            ("Account", "ACCOUNT"),
            ("ACCOUNT-INQUIRY", "ACCOUNT0"),
            ("A-B-C", "A0B0C"),
            ("1STPROG", "ASTPROG"),
            ("9LIVES", "ILIVES"),
            ("0ZERO", "JZERO"),
            ("#DATA", "#DATA"),
            ("_under", "_UNDER"),
            ("EIGHTLTR", "EIGHTLTR"),
            ("NINELETTR", "NINELETT"),
        ] {
            assert_eq!(compatible(written), name);
        }
        assert_eq!(long_upper("account-Inquiry"), "ACCOUNT0INQUIRY");
        assert_eq!(long_upper("1account"), "AACCOUNT");
    }
}
