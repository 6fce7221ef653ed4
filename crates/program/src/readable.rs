//! Values of data items as people read them, in dumps and debuggers: numbers with their points, characters in quotes, and hexadecimal
//! digits for what is neither.

use le::Decimal;

/// How much of a value is shown.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub characters: usize,
    /// In hexadecimal.
    pub bytes: usize,
}

/// A number with its point and without leading zeros.
pub fn number(value: &Decimal) -> String {
    let sign = if value.coefficient < 0 { "-" } else { "" };
    let magnitude = value.coefficient.unsigned_abs();
    match usize::try_from(value.scale) {
        Ok(0) => format!("{sign}{magnitude}"),
        Ok(places) => {
            let digits = format!("{magnitude:0>width$}", width = places + 1);
            let (whole, fraction) = digits.split_at(digits.len() - places);
            format!("{sign}{whole}.{fraction}")
        }
        Err(_) if magnitude == 0 => "0".to_string(),
        Err(_) => format!("{sign}{magnitude}{}", "0".repeat(value.scale.unsigned_abs() as usize)),
    }
}

impl Limits {
    /// In quotes without trailing blanks; in hexadecimal when not every byte is a character.
    pub fn quoted(self, text: &str, bytes: &[u8]) -> String {
        if text.chars().any(|character| character.is_control() || character == char::REPLACEMENT_CHARACTER) {
            return self.hexadecimal(bytes);
        }
        let text = text.trim_end_matches(' ').replace('\'', "''");
        match text.char_indices().nth(self.characters) {
            Some((end, _)) => format!("'{}'...", &text[..end]),
            None => format!("'{text}'"),
        }
    }

    pub fn hexadecimal(self, bytes: &[u8]) -> String {
        let digits: String = bytes.iter().take(self.bytes).map(|byte| format!("{byte:02X}")).collect();
        format!("X'{digits}'{}", if bytes.len() > self.bytes { "..." } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_point() {
        let text = |coefficient, scale| number(&Decimal::new(coefficient, scale));
        assert_eq!(
            [text(-1205, 2), text(5, 3), text(12, 0), text(12, -2), text(0, -2), text(0, 2)],
            ["-12.05", "0.005", "12", "1200", "0", "0.00"]
        );
    }

    #[test]
    fn a_value_is_cut_at_its_limit() {
        let limits = Limits { characters: 3, bytes: 2 };
        assert_eq!((limits.quoted("ABC  ", b"ABC  "), limits.quoted("ABCD", b"ABCD")), ("'ABC'".to_string(), "'ABC'...".to_string()));
        assert_eq!((limits.quoted("A'", b"A'"), limits.quoted("A\u{0}", &[0x41, 0])), ("'A'''".to_string(), "X'4100'".to_string()));
        assert_eq!((limits.hexadecimal(&[1, 2]), limits.hexadecimal(&[1, 2, 3])), ("X'0102'".to_string(), "X'0102'...".to_string()));
    }
}
