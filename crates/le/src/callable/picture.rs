//! Picture strings of the date and time services: reading and writing dates and times in ASCII.
//!
//! Terms: YYYY YY Y, MM ZM, RRRR RRRZ (Roman month), MMM and longer (month name; ending in Z without padding), DD ZD DDD, HH ZH,
//! MI, SS, 9 99 999 (fraction of a second), AP ap A.P. a.p., W (weekday letter), WWW and longer (weekday name). Other
//! characters stand for themselves. The case of a name's first two letters is that of its output.

use super::Feedback;
use super::country::Country;
use super::services::LENGTH_MAX;
use crate::calendar::Date;

type Result<T> = std::result::Result<T, Feedback>;

/// A date and the milliseconds into its day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    pub date: Date,
    pub milliseconds: u32,
}

/// The picture of a country, for a blank picture string.
pub fn default(country: &'static Country, times: bool) -> &'static [u8] {
    if times { country.date_and_time.as_bytes() } else { country.date.as_bytes() }
}

const MONTHS: [&str; 12] =
    ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const ROMANS: [&str; 12] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];

/// How a name is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Name {
    width: usize,
    upper_first: bool,
    upper_rest: bool,
    /// Ends in Z: no padding.
    varying: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Term {
    Year(usize),
    Month {
        suppress: bool,
    },
    MonthName(Name),
    Roman {
        varying: bool,
    },
    Day {
        suppress: bool,
    },
    DayOfYear,
    Hour {
        suppress: bool,
    },
    Minute,
    Second,
    Fraction(usize),
    /// AM or PM: upper case, with points.
    Half {
        upper: bool,
        points: bool,
    },
    Weekday(Name),
    Literal(u8),
}

/// The term at the start of a picture and its length there.
fn term(picture: &[u8]) -> (Term, usize) {
    let first = picture[0];
    let letter = first.to_ascii_uppercase();
    let run = picture.iter().take_while(|byte| byte.to_ascii_uppercase() == letter).count();
    let next = picture.get(1).map(u8::to_ascii_uppercase);
    let name = |extra: usize| {
        let varying = picture.get(run).is_some_and(|byte| byte.eq_ignore_ascii_case(&b'Z'));
        let second = picture.get(1).copied().unwrap_or(first);
        let name = Name { width: run, upper_first: first.is_ascii_uppercase(), upper_rest: second.is_ascii_uppercase(), varying };
        (name, run + extra * usize::from(varying))
    };
    match letter {
        b'Y' => (Term::Year(run.min(4)), run.min(4)),
        b'Z' if next == Some(b'M') => (Term::Month { suppress: true }, 2),
        b'Z' if next == Some(b'D') => (Term::Day { suppress: true }, 2),
        b'Z' if next == Some(b'H') => (Term::Hour { suppress: true }, 2),
        b'M' if next == Some(b'I') => (Term::Minute, 2),
        b'M' if run == 2 => (Term::Month { suppress: false }, 2),
        b'M' if run > 2 => {
            let (name, length) = name(1);
            (Term::MonthName(name), length)
        }
        b'R' if run >= 3 => {
            let varying = run == 3 && picture.get(3).is_some_and(|byte| byte.eq_ignore_ascii_case(&b'Z'));
            (Term::Roman { varying }, 4.min(picture.len()))
        }
        b'D' if run >= 3 => (Term::DayOfYear, 3),
        b'D' if run == 2 => (Term::Day { suppress: false }, 2),
        b'H' if run >= 2 => (Term::Hour { suppress: false }, 2),
        b'S' if run >= 2 => (Term::Second, 2),
        b'9' => (Term::Fraction(run.min(3)), run.min(3)),
        b'A' if next == Some(b'P') => (Term::Half { upper: first == b'A', points: false }, 2),
        b'A' if picture.len() >= 4 && picture[..4].eq_ignore_ascii_case(b"A.P.") => (Term::Half { upper: first == b'A', points: true }, 4),
        b'W' => {
            let (name, length) = name(usize::from(run >= 3));
            (Term::Weekday(name), length)
        }
        _ => (Term::Literal(first), 1),
    }
}

fn has_half(picture: &[u8]) -> bool {
    let mut rest = picture;
    while !rest.is_empty() {
        let (term, length) = term(rest);
        if matches!(term, Term::Half { .. }) {
            return true;
        }
        rest = &rest[length..];
    }
    false
}

/// Text being written, in a bounded area.
struct Writer<'a> {
    out: &'a mut [u8; LENGTH_MAX],
    length: usize,
}

impl Writer<'_> {
    fn put(&mut self, byte: u8) {
        if self.length < LENGTH_MAX {
            self.out[self.length] = byte;
        }
        self.length = (self.length + 1).min(LENGTH_MAX);
    }

    fn number(&mut self, value: u32, width: usize, suppress: bool) {
        for place in (0..width as u32).rev() {
            if suppress && place > 0 && value < 10u32.pow(place) {
                continue;
            }
            self.put(b'0' + (value / 10u32.pow(place) % 10) as u8);
        }
    }

    fn name(&mut self, text: &str, name: Name) -> Result<()> {
        // One letter and three letters abbreviate; longer fields must hold the whole name.
        let text = &text.as_bytes()[..if name.width <= 3 { name.width.min(text.len()) } else { text.len() }];
        if text.len() > name.width {
            for _ in 0..name.width {
                self.put(b' ');
            }
            return Err(Feedback::NAME_WIDTH);
        }
        for (index, &byte) in text.iter().enumerate() {
            let upper = if index == 0 { name.upper_first } else { name.upper_rest };
            self.put(if upper { byte.to_ascii_uppercase() } else { byte.to_ascii_lowercase() });
        }
        if !name.varying {
            for _ in text.len()..name.width {
                self.put(b' ');
            }
        }
        Ok(())
    }
}

/// Writes a moment; returns the length.
pub fn write(moment: &Moment, picture: &[u8], out: &mut [u8; LENGTH_MAX]) -> Result<usize> {
    let mut writer = Writer { out, length: 0 };
    let Moment { date, milliseconds } = *moment;
    let seconds = milliseconds / 1000;
    let half = has_half(picture);
    let mut rest = picture;
    while !rest.is_empty() {
        let (term, length) = term(rest);
        rest = &rest[length..];
        match term {
            Term::Year(width) => writer.number(date.year as u32, width, false),
            Term::Month { suppress } => writer.number(date.month, 2, suppress),
            Term::MonthName(name) => writer.name(MONTHS[date.month as usize - 1], name)?,
            Term::Roman { varying } => {
                let name = Name { width: 4, upper_first: true, upper_rest: true, varying };
                writer.name(ROMANS[date.month as usize - 1], name)?;
            }
            Term::Day { suppress } => writer.number(date.day, 2, suppress),
            Term::DayOfYear => writer.number(date.day_of_year(), 3, false),
            Term::Hour { suppress } => {
                let hour = seconds / 3600;
                writer.number(if half { (hour + 11) % 12 + 1 } else { hour }, 2, suppress);
            }
            Term::Minute => writer.number(seconds / 60 % 60, 2, false),
            Term::Second => writer.number(seconds % 60, 2, false),
            Term::Fraction(width) => writer.number(milliseconds % 1000 / 10u32.pow(3 - width as u32), width, false),
            Term::Half { upper, points } => {
                let text: &[u8] = match (seconds >= 43_200, points) {
                    (false, false) => b"AM",
                    (true, false) => b"PM",
                    (false, true) => b"A.M.",
                    (true, true) => b"P.M.",
                };
                for &byte in text {
                    writer.put(if upper { byte } else { byte.to_ascii_lowercase() });
                }
            }
            Term::Weekday(name) => writer.name(WEEKDAYS[date.weekday() as usize - 1], name)?,
            Term::Literal(byte) => writer.put(byte),
        }
    }
    Ok(writer.length)
}

/// The fields read so far.
#[derive(Default)]
struct Fields {
    year: Option<i32>,
    month: Option<u32>,
    day: Option<u32>,
    ordinal: Option<u32>,
    hour: u32,
    minute: u32,
    second: u32,
    milliseconds: u32,
    afternoon: Option<bool>,
}

impl Fields {
    fn date_complete(&self) -> bool {
        self.year.is_some() && (self.ordinal.is_some() || (self.month.is_some() && self.day.is_some()))
    }

    fn date(&self) -> Result<Date> {
        let year = self.year.ok_or(Feedback::INSUFFICIENT)?;
        let date = match (self.ordinal, self.month, self.day) {
            (Some(ordinal), _, _) => Date::from_ordinal(year, ordinal),
            (None, Some(month), Some(day)) => Date::new(year, month, day),
            _ => return Err(Feedback::INSUFFICIENT),
        };
        let date = date.ok_or(Feedback::DATE)?;
        if date.lilian() < 1 || date.year > 9999 { Err(Feedback::DATE_RANGE) } else { Ok(date) }
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    nonnumeric: Feedback,
}

impl Reader<'_> {
    fn done(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Digits of a field; fewer than its width only before a delimiter or the end.
    fn number(&mut self, width: usize, delimited: bool) -> Result<u32> {
        let mut value = 0;
        let mut count = 0;
        while count < width
            && let Some(digit @ b'0'..=b'9') = self.text.get(self.at)
        {
            value = value * 10 + u32::from(digit - b'0');
            self.at += 1;
            count += 1;
        }
        if count == 0 && self.done() {
            return Err(Feedback::INSUFFICIENT);
        }
        if count == 0 || (count < width && !delimited) { Err(self.nonnumeric) } else { Ok(value) }
    }

    /// Letters, at most `width`.
    fn word(&mut self, width: usize) -> &[u8] {
        let rest = &self.text[self.at.min(self.text.len())..];
        let count = rest.iter().take(width).take_while(|byte| byte.is_ascii_alphabetic()).count();
        self.at += count;
        &rest[..count]
    }

    fn skip_spaces(&mut self, limit: usize) {
        for _ in 0..limit {
            if self.text.get(self.at) == Some(&b' ') {
                self.at += 1;
            }
        }
    }
}

/// Index of the name that begins with these letters (at least three, or the full name).
fn lookup(names: &[&str], word: &[u8]) -> Option<u32> {
    let matches = |name: &&str| -> bool {
        word.len() >= 3.min(name.len()) && word.len() <= name.len() && name.as_bytes()[..word.len()].eq_ignore_ascii_case(word)
    };
    names.iter().position(matches).map(|index| index as u32 + 1)
}

/// Reads a date (and a time, if `times`) according to the picture; text after a complete date is ignored for dates, and a missing time is
/// zero. `expand` returns the year for two digits.
pub fn read(text: &[u8], picture: &[u8], times: bool, expand: impl Fn(i32) -> i32) -> Result<Moment> {
    let nonnumeric = if times { Feedback::SECONDS_NONNUMERIC } else { Feedback::DAYS_NONNUMERIC };
    let leading = picture.iter().take_while(|&&byte| byte == b' ').count();
    let blanks = text.iter().take_while(|&&byte| byte == b' ').count();
    let mut reader = Reader { text, at: if leading > 0 { leading } else { blanks }, nonnumeric };
    let mut fields = Fields::default();
    let mut rest = &picture[leading..];
    while !rest.is_empty() {
        let (term, length) = term(rest);
        rest = &rest[length..];
        if reader.done() || (fields.date_complete() && !times) {
            break;
        }
        let delimited = rest.first().is_none_or(|byte| !byte.is_ascii_alphanumeric());
        read_term(term, delimited, &mut reader, &mut fields, &expand)?;
    }
    let date = fields.date()?;
    if !times {
        return Ok(Moment { date, milliseconds: 0 });
    }
    Ok(Moment { date, milliseconds: time_of(&fields)? })
}

fn read_term(term: Term, delimited: bool, reader: &mut Reader<'_>, fields: &mut Fields, expand: &impl Fn(i32) -> i32) -> Result<()> {
    match term {
        Term::Year(4) => fields.year = Some(reader.number(4, delimited)? as i32),
        Term::Year(2) => fields.year = Some(expand(reader.number(2, delimited)? as i32)),
        Term::Year(_) => return Err(Feedback::PICTURE),
        Term::Month { .. } => {
            let month = reader.number(2, delimited)?;
            if !(1..=12).contains(&month) {
                return Err(Feedback::MONTH);
            }
            fields.month = Some(month);
        }
        Term::MonthName(name) => {
            let width = if name.width == 3 { 3 } else { name.width + usize::from(name.varying) };
            fields.month = Some(lookup(&MONTHS, reader.word(width)).ok_or(Feedback::MONTH)?);
            reader.skip_spaces(if delimited && !name.varying { 0 } else { name.width });
        }
        Term::Roman { varying } => {
            let word = reader.word(4);
            let padding = 4 - word.len();
            let month = ROMANS.iter().position(|roman| roman.as_bytes().eq_ignore_ascii_case(word));
            fields.month = Some(month.ok_or(Feedback::MONTH)? as u32 + 1);
            reader.skip_spaces(if varying { 0 } else { padding });
        }
        Term::Day { .. } => fields.day = Some(reader.number(2, delimited)?),
        Term::DayOfYear => fields.ordinal = Some(reader.number(3, delimited)?),
        Term::Hour { .. } => {
            fields.hour = reader.number(2, delimited)?;
            if fields.hour > 23 {
                return Err(Feedback::HOURS);
            }
        }
        Term::Minute => {
            fields.minute = reader.number(2, delimited)?;
            if fields.minute > 59 {
                return Err(Feedback::MINUTES);
            }
        }
        Term::Second => {
            fields.second = reader.number(2, delimited)?;
            if fields.second > 59 {
                return Err(Feedback::SECONDS);
            }
        }
        Term::Fraction(width) => {
            let before = reader.at;
            let value = reader.number(width, delimited)?;
            fields.milliseconds = value * 10u32.pow(3 - (reader.at - before) as u32);
        }
        Term::Half { points, .. } => {
            let text = &reader.text[reader.at..];
            fields.afternoon = match text.first().map(u8::to_ascii_uppercase) {
                Some(b'A') => Some(false),
                Some(b'P') => Some(true),
                _ => return Err(reader.nonnumeric),
            };
            reader.at += if points { 4 } else { 2 };
        }
        Term::Weekday(name) => {
            let width = if name.width <= 3 { name.width } else { 20 };
            reader.word(width);
        }
        // More spaces than the picture has are passed over, as between a date and its time.
        Term::Literal(b' ') => reader.skip_spaces(LENGTH_MAX),
        Term::Literal(byte) => {
            if reader.text.get(reader.at) != Some(&byte) {
                return Err(reader.nonnumeric);
            }
            reader.at += 1;
        }
    }
    Ok(())
}

fn time_of(fields: &Fields) -> Result<u32> {
    let hour = match fields.afternoon {
        None => fields.hour,
        Some(_) if !(1..=12).contains(&fields.hour) => return Err(Feedback::HOURS),
        Some(afternoon) => fields.hour % 12 + if afternoon { 12 } else { 0 },
    };
    Ok(((hour * 60 + fields.minute) * 60 + fields.second) * 1000 + fields.milliseconds)
}
