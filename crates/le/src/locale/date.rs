//! Dates and times by a format of strftime.

use super::Times;

/// The structure of C: months from 0, years since 1900, weekdays from Sunday, days of the year from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BrokenDownTime {
    pub second: i32,
    pub minute: i32,
    pub hour: i32,
    pub day: i32,
    pub month: i32,
    pub year: i32,
    pub weekday: i32,
    pub day_of_year: i32,
}

const YEAR_BASE: i32 = 1900;

impl BrokenDownTime {
    /// All parts are in their range; a second may be a leap second.
    pub fn is_valid(&self) -> bool {
        (0..=61).contains(&self.second)
            && (0..=59).contains(&self.minute)
            && (0..=23).contains(&self.hour)
            && (1..=31).contains(&self.day)
            && (0..=11).contains(&self.month)
            && (0..=6).contains(&self.weekday)
            && (0..=365).contains(&self.day_of_year)
    }

    fn hour_of_half(&self) -> i32 {
        (self.hour + 11) % 12 + 1
    }

    /// ISO 8601 week and its year.
    fn iso_week(&self) -> (i32, i32) {
        let year = self.year + YEAR_BASE;
        let from_monday = (self.weekday + 6) % 7;
        let days_of = |year: i32| if crate::calendar::is_leap(year) { 366 } else { 365 };
        let week = (self.day_of_year - from_monday + 10) / 7;
        let weeks_of = |year: i32, last_day_from_monday: i32| {
            if last_day_from_monday == 3 || (last_day_from_monday == 4 && days_of(year) == 366) { 53 } else { 52 }
        };
        let last = (from_monday + days_of(year) - 1 - self.day_of_year).rem_euclid(7);
        if week < 1 {
            let last_before = (from_monday - self.day_of_year - 1).rem_euclid(7);
            (year - 1, weeks_of(year - 1, last_before))
        } else if week > weeks_of(year, last) {
            (year + 1, 1)
        } else {
            (year, week)
        }
    }
}

/// What a conversion stands for; a valid time is given.
pub fn format(time: &BrokenDownTime, format: &str, times: &Times) -> String {
    let mut out = String::new();
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        if character != '%' {
            out.push(character);
            continue;
        }
        let mut conversion = characters.next();
        // Alternative eras and digits are those of the locale itself here.
        if matches!(conversion, Some('E' | 'O')) {
            conversion = characters.next();
        }
        match conversion {
            Some(conversion) => out.push_str(&converted(time, conversion, times)),
            None => out.push('%'),
        }
    }
    out
}

fn converted(time: &BrokenDownTime, conversion: char, times: &Times) -> String {
    let year = time.year + YEAR_BASE;
    match conversion {
        'a' => times.abbreviated_days[time.weekday as usize].to_string(),
        'A' => times.days[time.weekday as usize].to_string(),
        'b' | 'h' => times.abbreviated_months[time.month as usize].to_string(),
        'B' => times.months[time.month as usize].to_string(),
        'c' => format(time, times.date_and_time, times),
        'C' => format!("{:02}", year.div_euclid(100)),
        'd' => format!("{:02}", time.day),
        'D' => format(time, "%m/%d/%y", times),
        'e' => format!("{:2}", time.day),
        'F' => format(time, super::ISO_DATE, times),
        'g' => format!("{:02}", time.iso_week().0.rem_euclid(100)),
        'G' => time.iso_week().0.to_string(),
        'H' => format!("{:02}", time.hour),
        'I' => format!("{:02}", time.hour_of_half()),
        'j' => format!("{:03}", time.day_of_year + 1),
        'm' => format!("{:02}", time.month + 1),
        'M' => format!("{:02}", time.minute),
        'n' => "\n".to_string(),
        'p' => times.halves[usize::from(time.hour >= 12)].to_string(),
        'r' => format(time, if times.time_of_half.is_empty() { times.time } else { times.time_of_half }, times),
        'R' => format(time, "%H:%M", times),
        'S' => format!("{:02}", time.second),
        't' => "\t".to_string(),
        'T' => format(time, "%H:%M:%S", times),
        'u' => ((time.weekday + 6) % 7 + 1).to_string(),
        'U' => format!("{:02}", (time.day_of_year + 7 - time.weekday) / 7),
        'V' => format!("{:02}", time.iso_week().1),
        'w' => time.weekday.to_string(),
        'W' => format!("{:02}", (time.day_of_year + 7 - (time.weekday + 6) % 7) / 7),
        'x' => format(time, times.date, times),
        'X' => format(time, times.time, times),
        'y' => format!("{:02}", year.rem_euclid(100)),
        'Y' => year.to_string(),
        // The structure has no time zone.
        'z' | 'Z' => String::new(),
        '%' => "%".to_string(),
        other => format!("%{other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::Date;
    use crate::locale::{C, find};

    fn time_of(date: Date) -> BrokenDownTime {
        BrokenDownTime {
            second: 1,
            minute: 2,
            hour: 15,
            day: date.day as i32,
            month: date.month as i32 - 1,
            year: date.year - YEAR_BASE,
            weekday: date.weekday() as i32 % 7,
            day_of_year: date.day_of_year() as i32 - 1,
        }
    }

    #[test]
    fn conversions() {
        let time = time_of(Date::new(1994, 11, 9).unwrap());
        let shown = |text: &str| format(&time, text, &C.times);
        assert_eq!(shown("%A %d %B %Y, %I:%M %p"), "Wednesday 09 November 1994, 03:02 PM");
        assert_eq!(shown("%c|%x|%X"), "Wed Nov  9 15:02:01 1994|11/09/94|15:02:01");
        assert_eq!(shown("%j %U %W %u %w %C %y %e%%"), "313 45 45 3 3 19 94  9%");
        assert_eq!(shown("%Ex %Od %q"), "11/09/94 09 %q");
        assert_eq!(format(&time, "%A %x", &find("De_DE").unwrap().times), "Mittwoch 09.11.1994");
    }

    /// Weeks as the calendar of the run time computes them.
    #[test]
    fn iso_weeks() {
        for day in 0..8000 {
            let date = Date::from_civil_day(day + 7000);
            let (year, week) = date.iso_week();
            assert_eq!(time_of(date).iso_week(), (year, week as i32), "{date:?}");
        }
    }
}
