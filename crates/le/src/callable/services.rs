//! Lilian dates and seconds.
//!
//! Lilian seconds count from 00:00:00 14 October 1582; the valid range is 86,400 to 265,621,679,999.999.

use super::picture::{self, Moment};
use super::{Feedback, Settings, put};
use crate::calendar::{self, Date, LILIAN_MAX, LocalTime};
use crate::session::Session;

type Result<T> = std::result::Result<T, Feedback>;

const DAY_SECONDS: f64 = 86_400.0;
const SECONDS_MIN: f64 = 86_400.0;
const SECONDS_MAX: f64 = 265_621_679_999.999;

/// The longest string the services read or write.
pub const LENGTH_MAX: usize = 255;

/// Bytes of the code page as ASCII, without spaces at the end.
fn ascii<'a>(bytes: &[u8], out: &'a mut [u8; LENGTH_MAX], session: &Session) -> &'a [u8] {
    let length = bytes.len().min(LENGTH_MAX);
    for (to, &from) in out.iter_mut().zip(bytes) {
        *to = session.code_page.to_ascii(from);
    }
    out[..length].trim_ascii_end()
}

fn current_year(session: &Session) -> i32 {
    let (seconds, nanoseconds) = calendar::now();
    LocalTime::of(seconds, nanoseconds, session.utc_offset_seconds).date.year
}

fn read(text: &[u8], picture: &[u8], times: bool, settings: &Settings, session: &Session) -> Result<Moment> {
    let (mut text_ascii, mut picture_ascii) = ([0u8; LENGTH_MAX], [0u8; LENGTH_MAX]);
    let text = ascii(text, &mut text_ascii, session);
    let given = ascii(picture, &mut picture_ascii, session);
    let given = if given.is_empty() { picture::default(settings.country(), times) } else { given };
    picture::read(text, given, times, |year| settings.century.year(year, current_year(session)))
}

/// CEEDAYS: Lilian day of a date.
pub fn days(text: &[u8], picture: &[u8], settings: &Settings, session: &Session) -> Result<i32> {
    read(text, picture, false, settings, session).map(|moment| moment.date.lilian() as i32)
}

/// CEECBLDY: COBOL integer date of a date.
pub fn integer_date(text: &[u8], picture: &[u8], settings: &Settings, session: &Session) -> Result<i32> {
    let date = read(text, picture, false, settings, session)?.date;
    if date.integer_date() < 1 { Err(Feedback::DATE_RANGE) } else { Ok(date.integer_date() as i32) }
}

/// CEESECS: Lilian seconds of a timestamp.
pub fn seconds(text: &[u8], picture: &[u8], settings: &Settings, session: &Session) -> Result<f64> {
    let moment = read(text, picture, true, settings, session)?;
    Ok(moment.date.lilian() as f64 * DAY_SECONDS + moment.milliseconds as f64 / 1000.0)
}

fn write(
    moment: &Moment,
    picture: &[u8],
    times: bool,
    out: &mut [u8],
    truncated: Feedback,
    settings: &Settings,
    session: &Session,
) -> Result<()> {
    let mut picture_ascii = [0u8; LENGTH_MAX];
    let given = ascii(picture, &mut picture_ascii, session);
    let given = if given.is_empty() { picture::default(settings.country(), times) } else { given };
    let mut text = [b' '; LENGTH_MAX];
    let length = picture::write(moment, given, &mut text);
    put(out, &text[..length.unwrap_or(0)], session.code_page);
    if length? > out.len() { Err(truncated) } else { Ok(()) }
}

fn blank(out: &mut [u8], session: &Session) {
    out.fill(session.code_page.space);
}

/// CEEDATE: a Lilian date as characters.
pub fn date(lilian: i32, picture: &[u8], out: &mut [u8], settings: &Settings, session: &Session) -> Result<()> {
    if !(1..=LILIAN_MAX).contains(&i64::from(lilian)) {
        blank(out, session);
        return Err(Feedback::LILIAN_RANGE);
    }
    let moment = Moment { date: Date::from_lilian(i64::from(lilian)), milliseconds: 0 };
    write(&moment, picture, false, out, Feedback::DATE_TRUNCATED, settings, session)
}

/// CEEDATM: Lilian seconds as characters.
pub fn timestamp(seconds: f64, picture: &[u8], out: &mut [u8], settings: &Settings, session: &Session) -> Result<()> {
    let Ok(moment) = moment_of(seconds) else {
        blank(out, session);
        return Err(Feedback::SECONDS_RANGE);
    };
    write(&moment, picture, true, out, Feedback::TIMESTAMP_TRUNCATED, settings, session)
}

fn moment_of(seconds: f64) -> Result<Moment> {
    if !(SECONDS_MIN..=SECONDS_MAX + 0.0005).contains(&seconds) {
        return Err(Feedback::SECONDS_RANGE);
    }
    let milliseconds = (seconds * 1000.0 + 0.5).floor() as i64;
    Ok(Moment { date: Date::from_lilian(milliseconds / 86_400_000), milliseconds: (milliseconds % 86_400_000) as u32 })
}

/// CEEDYWK: 1 Sunday to 7 Saturday.
pub fn day_of_week(lilian: i32) -> Result<i32> {
    if !(1..=LILIAN_MAX).contains(&i64::from(lilian)) {
        return Err(Feedback::LILIAN_RANGE);
    }
    Ok(Date::from_lilian(i64::from(lilian)).weekday() as i32 % 7 + 1)
}

/// CEEISEC: Lilian seconds of year, month, day, hours, minutes, seconds, milliseconds.
pub fn seconds_of_integers(parts: &[i32; 7]) -> Result<f64> {
    let [year, month, day, hours, minutes, seconds, milliseconds] = *parts;
    let within = |value: i32, low: i32, high: i32, feedback: Feedback| {
        if (low..=high).contains(&value) { Ok(value as u32) } else { Err(feedback) }
    };
    within(year, 1582, 9999, Feedback::YEAR)?;
    let month = within(month, 1, 12, Feedback::MONTH)?;
    let day = within(day, 1, 31, Feedback::DAY)?;
    let hours = within(hours, 0, 23, Feedback::HOURS)?;
    let minutes = within(minutes, 0, 59, Feedback::MINUTES)?;
    let seconds = within(seconds, 0, 59, Feedback::SECONDS)?;
    let milliseconds = within(milliseconds, 0, 999, Feedback::MILLISECONDS)?;
    let date = Date::new(year, month, day).ok_or(Feedback::DAY)?;
    if date.lilian() < 1 {
        return Err(Feedback::DATE_RANGE);
    }
    let time = hours * 3600 + minutes * 60 + seconds;
    Ok(date.lilian() as f64 * DAY_SECONDS + f64::from(time) + f64::from(milliseconds) / 1000.0)
}

/// CEESECI: the reverse.
pub fn integers_of_seconds(seconds: f64) -> Result<[i32; 7]> {
    let Moment { date, milliseconds } = moment_of(seconds)?;
    let second = milliseconds / 1000;
    Ok([
        date.year,
        date.month as i32,
        date.day as i32,
        (second / 3600) as i32,
        (second / 60 % 60) as i32,
        (second % 60) as i32,
        (milliseconds % 1000) as i32,
    ])
}

/// The result of CEELOCT and CEEGMT.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    pub lilian: i32,
    pub seconds: f64,
    /// YYYYMMDDHHMISS999 in ASCII.
    pub gregorian: [u8; 17],
}

/// The current time at an offset from UTC.
pub fn now(utc_offset_seconds: i32) -> Now {
    let (seconds, nanoseconds) = calendar::now();
    let time = LocalTime::of(seconds, nanoseconds, utc_offset_seconds);
    let second = time.hour * 3600 + time.minute * 60 + time.second;
    let moment = Moment { date: time.date, milliseconds: second * 1000 + nanoseconds / 1_000_000 };
    let mut text = [b'0'; LENGTH_MAX];
    let _ = picture::write(&moment, b"YYYYMMDDHHMISS999", &mut text);
    let mut gregorian = [0u8; 17];
    gregorian.copy_from_slice(&text[..17]);
    let lilian = time.date.lilian();
    Now { lilian: lilian as i32, seconds: lilian as f64 * DAY_SECONDS + f64::from(moment.milliseconds) / 1000.0, gregorian }
}
