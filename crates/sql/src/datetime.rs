//! Strings that denote dates, times and timestamps: the formats of Db2 and their ISO form, which PostgreSQL reads.

use crate::ast::DataType;

/// The digits and separators of a format: `y`, `m`, `d` and so on stand for a digit each.
const DATES: &[&str] = &["yyyy-mm-dd", "mm/dd/yyyy", "dd.mm.yyyy"];
const TIMES: &[&str] = &["hh.mi.ss", "hh:mi:ss", "hh.mi", "hh:mi"];

/// The ISO form of a string beside a value of type `data_type`.
pub fn iso(text: &str, data_type: &DataType) -> Option<String> {
    let text = text.trim();
    match data_type {
        DataType::Date => date(text).or_else(|| timestamp(text).map(|iso| iso[..10].to_string())),
        DataType::Time => time(text),
        DataType::Timestamp { .. } => timestamp(text).or_else(|| date(text)),
        _ => None,
    }
}

/// The ISO form of a string that can hardly be anything but a timestamp, a date or a time of Db2.
pub fn iso_if_certain(text: &str) -> Option<String> {
    const TIMESTAMP_LENGTH_MIN: usize = 19;
    if text.len() >= TIMESTAMP_LENGTH_MIN {
        return timestamp(text);
    }
    let european = fields(text, "dd.mm.yyyy").and_then(|_| date(text));
    european.or_else(|| fields(text, "hh.mi.ss").and_then(|_| time(text)))
}

fn date(text: &str) -> Option<String> {
    DATES.iter().find_map(|format| {
        let fields = fields(text, format)?;
        Some(format!("{}-{}-{}", fields.get('y')?, fields.get('m')?, fields.get('d')?))
    })
}

fn time(text: &str) -> Option<String> {
    let usa = text.strip_suffix("AM").map(|rest| (rest, false)).or_else(|| text.strip_suffix("PM").map(|rest| (rest, true)));
    if let Some((rest, afternoon)) = usa {
        let rest = rest.trim_end();
        let fields = fields(rest, "hh:mi").or_else(|| fields(rest, "hh"))?;
        let hour: u32 = fields.get('h')?.parse().ok()?;
        let hour = hour % 12 + if afternoon { 12 } else { 0 };
        return Some(format!("{hour:02}:{}:00", fields.get('i').unwrap_or("00")));
    }
    TIMES.iter().find_map(|format| {
        let fields = fields(text, format)?;
        Some(format!("{}:{}:{}", fields.get('h')?, fields.get('i')?, fields.get('s').unwrap_or("00")))
    })
}

/// `yyyy-mm-dd-hh.mm.ss[.ffffff]` and `yyyy-mm-dd hh:mm:ss[.ffffff]`.
fn timestamp(text: &str) -> Option<String> {
    const DATE_LENGTH: usize = 10;
    const SECONDS_LENGTH: usize = 19;
    let day = date(text.get(..DATE_LENGTH)?)?;
    let separator = text[DATE_LENGTH..].chars().next()?;
    if !matches!(separator, '-' | ' ' | 'T') {
        return None;
    }
    let clock = time(text.get(DATE_LENGTH + 1..SECONDS_LENGTH)?)?;
    let fraction = &text[SECONDS_LENGTH..];
    let digits = fraction.strip_prefix('.').unwrap_or("");
    let valid = fraction.is_empty() || (digits.len() <= 12 && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()));
    valid.then(|| format!("{day} {clock}{fraction}"))
}

struct Fields<'a> {
    text: &'a str,
    format: &'static str,
}

impl<'a> Fields<'a> {
    /// The digits that stand for `letter`; the second letter of `mi` is `i`.
    fn get(&self, letter: char) -> Option<&'a str> {
        let (start, end) = match letter {
            'i' => {
                let start = self.format.find("mi")?;
                (start, start + 2)
            }
            _ => {
                let start = self.format.find(letter)?;
                let length = self.format[start..].chars().take_while(|c| *c == letter).count();
                (start, start + length)
            }
        };
        Some(&self.text[start..end])
    }
}

/// `text` has the digits and separators of `format`.
fn fields<'a>(text: &'a str, format: &'static str) -> Option<Fields<'a>> {
    let matches = text.len() == format.len()
        && text
            .bytes()
            .zip(format.bytes())
            .all(|(own, wanted)| if wanted.is_ascii_lowercase() { own.is_ascii_digit() } else { own == wanted });
    matches.then_some(Fields { text, format })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_of_a_date_has_an_iso_form() {
        for text in ["2024-02-29", "02/29/2024", "29.02.2024"] {
            assert_eq!(iso(text, &DataType::Date).as_deref(), Some("2024-02-29"), "{text}");
        }
        assert_eq!(iso("2024-2-9", &DataType::Date), None);
    }

    #[test]
    fn every_format_of_a_time_has_an_iso_form() {
        for (text, expected) in [
            ("13.05.07", "13:05:07"),
            ("13:05:07", "13:05:07"),
            ("13.05", "13:05:00"),
            ("01:05 PM", "13:05:00"),
            ("12:05 AM", "00:05:00"),
            ("12 PM", "12:00:00"),
        ] {
            assert_eq!(iso(text, &DataType::Time).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn timestamps_are_recognized_without_a_type() {
        assert_eq!(iso_if_certain("2024-02-29-13.05.07.123456").as_deref(), Some("2024-02-29 13:05:07.123456"));
        assert_eq!(iso_if_certain("2024-02-29-13.05.07").as_deref(), Some("2024-02-29 13:05:07"));
        assert_eq!(iso_if_certain("2024-02-29 and so forth"), None);
        assert_eq!(iso_if_certain("29.02.2024").as_deref(), Some("2024-02-29"));
        assert_eq!(iso_if_certain("ABC"), None);
        assert_eq!(iso_if_certain("ÄÖÜÄÖÜÄÖÜÄÖÜÄÖÜÄÖÜ"), None);
    }
}
