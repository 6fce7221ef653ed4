//! Dates and times as text: the formats of FORMATTIME and the date strings of the internet.

use crate::clock::{Abstime, DAYS_1900_TO_1970, days_from_civil};

/// DATFORM: the order of the parts of DATE and FULLDATE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DateForm {
    Mmddyy,
    Ddmmyy,
    Yymmdd,
}

impl DateForm {
    pub fn from_sit(value: &str) -> Self {
        match value {
            "DDMMYY" => DateForm::Ddmmyy,
            "YYMMDD" => DateForm::Yymmdd,
            _ => DateForm::Mmddyy,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            DateForm::Mmddyy => "MMDDYY",
            DateForm::Ddmmyy => "DDMMYY",
            DateForm::Yymmdd => "YYMMDD",
        }
    }

    /// The picture of DATE or FULLDATE.
    pub fn picture(self, full: bool) -> &'static str {
        match (self, full) {
            (DateForm::Mmddyy, false) => "MM DD YY",
            (DateForm::Ddmmyy, false) => "DD MM YY",
            (DateForm::Yymmdd, false) => "YY MM DD",
            (DateForm::Mmddyy, true) => "MM DD YYYY",
            (DateForm::Ddmmyy, true) => "DD MM YYYY",
            (DateForm::Yymmdd, true) => "YYYY MM DD",
        }
    }
}

/// A date by a picture of MM, DD, DDD, YY, YYYY; blanks in the picture become the separator, or are removed if there is none.
pub fn date_by_picture(time: Abstime, picture: &str, separator: Option<char>) -> String {
    let date = time.date();
    let parts: Vec<String> = picture
        .split(' ')
        .map(|part| match part {
            "YYYY" => format!("{:04}", date.year),
            "YY" => format!("{:02}", date.year.rem_euclid(100)),
            "MM" => format!("{:02}", date.month),
            "DDD" => format!("{:03}", date.day_of_year),
            _ => format!("{:02}", date.day),
        })
        .collect();
    parts.join(&separator.map(String::from).unwrap_or_default())
}

pub fn time_of(time: Abstime, separator: Option<char>) -> String {
    let (hours, minutes, seconds) = time.time();
    let separator = separator.map(String::from).unwrap_or_default();
    format!("{hours:02}{separator}{minutes:02}{separator}{seconds:02}")
}

const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// RFC 1123, of a time already in GMT.
pub fn rfc1123(gmt: Abstime) -> String {
    let date = gmt.date();
    let (day, month) = (DAYS[gmt.day_of_week() as usize], MONTHS[date.month as usize - 1]);
    format!("{day}, {:02} {month} {:04} {} GMT", date.day, date.year, time_of(gmt, Some(':')))
}

/// RFC 3339 with milliseconds; `offset_seconds` is local minus GMT, `None` writes Z.
pub fn rfc3339(time: Abstime, offset_seconds: Option<i64>) -> String {
    let date = date_by_picture(time, "YYYY MM DD", Some('-'));
    let milliseconds = time.0.rem_euclid(1000);
    let zone = match offset_seconds {
        None => "Z".to_string(),
        Some(offset) => {
            let sign = if offset < 0 { '-' } else { '+' };
            format!("{sign}{:02}:{:02}", offset.abs() / 3600, offset.abs() / 60 % 60)
        }
    };
    format!("{date}T{}.{milliseconds:03}{zone}", time_of(time, Some(':')))
}

/// Reads a date string of RFC 1123, RFC 850, asctime or RFC 3339 form; the result is GMT.
pub fn parse_date_string(text: &str) -> Option<Abstime> {
    let text = text.trim();
    if text.len() >= 19 && text.as_bytes().get(10).is_some_and(|byte| matches!(byte, b'T' | b't' | b' ')) && text.as_bytes()[4] == b'-' {
        return parse_rfc3339(text);
    }
    let cleaned = text.replace([',', '-'], " ");
    let words: Vec<&str> = cleaned.split_whitespace().collect();
    let month_of = |word: &str| MONTHS.iter().position(|month| word.eq_ignore_ascii_case(month)).map(|at| at as u32 + 1);
    let (day, month, year, time) = match words[..] {
        // Sun, 06 Nov 1994 08:49:37 GMT and Sunday, 06-Nov-94 08:49:37 GMT
        [_, day, month, year, time, ..] if month_of(month).is_some() => (day, month, year, time),
        // Sun Nov  6 08:49:37 1994
        [_, month, day, time, year] if month_of(month).is_some() => (day, month, year, time),
        _ => return None,
    };
    let mut year: i64 = year.parse().ok()?;
    if year < 100 {
        year += if year < 50 { 2000 } else { 1900 };
    }
    from_parts(year, month_of(month)?, day.parse().ok()?, time, 0)
}

fn parse_rfc3339(text: &str) -> Option<Abstime> {
    let (year, month, day) = (text.get(0..4)?.parse().ok()?, text.get(5..7)?.parse().ok()?, text.get(8..10)?.parse().ok()?);
    let rest = text.get(19..)?;
    let digits =
        rest.strip_prefix('.').map_or("", |fraction| &fraction[..fraction.find(|c: char| !c.is_ascii_digit()).unwrap_or(fraction.len())]);
    let milliseconds: i64 = format!("{digits:0<3}").get(0..3)?.parse().ok()?;
    let zone = rest.trim_start_matches('.').trim_start_matches(|c: char| c.is_ascii_digit());
    let local = from_parts(year, month, day, text.get(11..19)?, milliseconds)?;
    let offset_minutes: i64 = match zone.chars().next() {
        None | Some('Z' | 'z') => 0,
        Some(sign @ ('+' | '-')) => {
            let (hours, minutes): (i64, i64) = (zone.get(1..3)?.parse().ok()?, zone.get(4..6)?.parse().ok()?);
            (hours * 60 + minutes) * if sign == '-' { -1 } else { 1 }
        }
        _ => return None,
    };
    Some(Abstime(local.0 - offset_minutes * 60_000))
}

fn from_parts(year: i64, month: u32, day: u32, time: &str, milliseconds: i64) -> Option<Abstime> {
    let parts: Vec<i64> = time.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [hours, minutes, seconds] = parts[..] else { return None };
    let plausible = (1..=12).contains(&month) && (1..=31).contains(&day) && hours < 24 && minutes < 60 && seconds < 61 && year >= 1900;
    let days = days_from_civil(year, month, day) + DAYS_1900_TO_1970;
    let result = Abstime(days * 86_400_000 + (hours * 3600 + minutes * 60 + seconds) * 1000 + milliseconds);
    (plausible && result.date().day == day).then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Abstime {
        from_parts(1994, 11, 6, "08:49:37", 5).unwrap()
    }

    #[test]
    fn pictures_and_separators() {
        assert_eq!(date_by_picture(sample(), "YY DDD", Some('.')), "94.310");
        assert_eq!(date_by_picture(sample(), "YYYY MM DD", None), "19941106");
        assert_eq!(date_by_picture(sample(), DateForm::Ddmmyy.picture(true), Some('/')), "06/11/1994");
        assert_eq!(time_of(sample(), None), "084937");
    }

    #[test]
    fn the_date_strings_of_the_http_standard_are_one_moment() {
        // The three examples of RFC 7231.
        let expected = from_parts(1994, 11, 6, "08:49:37", 0);
        for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            assert_eq!(parse_date_string(text), expected, "{text}");
        }
        assert_eq!(rfc1123(sample()), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(rfc3339(sample(), None), "1994-11-06T08:49:37.005Z");
        assert_eq!(parse_date_string("1994-11-06T10:49:37.005+02:00"), Some(sample()));
        assert_eq!(parse_date_string("1994-02-30T00:00:00Z"), None);
        assert_eq!(parse_date_string("yesterday"), None);
    }
}
