//! The selection parameters of the trace utility ("The trace selection parameters for DFHTU720").
//!
//! Invariant: an entry is selected if it meets every parameter that is given; of one parameter it has to meet one value.

use crate::numbered::Numbered;
use std::ops::RangeInclusive;

/// How much of an entry is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    Abbreviated,
    Short,
    #[default]
    Full,
}

/// A range of points of a component, by number; without numbers all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Points {
    pub component: String,
    pub numbers: RangeInclusive<u16>,
}

/// What is selected. Empty lists select everything.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    pub tasks: Vec<RangeInclusive<u32>>,
    pub terminals: Vec<String>,
    pub transactions: Vec<String>,
    pub kernel_numbers: Vec<u32>,
    pub points: Vec<Points>,
    pub entries: Vec<RangeInclusive<u64>>,
    /// Seconds of the day.
    pub times: Vec<RangeInclusive<u32>>,
    pub exceptions_only: bool,
}

impl Selection {
    /// `offset_seconds` is that of the region's local time from UTC.
    pub fn selects(&self, numbered: &Numbered, offset_seconds: i64) -> bool {
        let entry = &numbered.entry;
        let second = ((entry.unix_ns / 1_000_000_000) as i64 + offset_seconds).rem_euclid(86_400) as u32;
        let meets = |is_free: bool, meets: bool| is_free || meets;
        meets(self.tasks.is_empty(), entry.task != 0 && self.tasks.iter().any(|tasks| tasks.contains(&entry.task)))
            && meets(self.terminals.is_empty(), self.terminals.contains(&entry.terminal))
            && meets(self.transactions.is_empty(), self.transactions.contains(&entry.transaction))
            && meets(self.kernel_numbers.is_empty(), self.kernel_numbers.contains(&entry.kernel_number))
            && meets(self.points.is_empty(), self.points.iter().any(|points| points.has(&entry.component, entry.number)))
            && meets(self.entries.is_empty(), self.entries.iter().any(|entries| entries.contains(&numbered.number)))
            && meets(self.times.is_empty(), self.times.iter().any(|times| times.contains(&second)))
            && meets(!self.exceptions_only, entry.is_exception())
    }
}

impl Points {
    fn has(&self, component: &str, number: u16) -> bool {
        self.component == component && self.numbers.contains(&number)
    }

    /// `DS`, `DS1`, `DS0001`, `DS1-3`, `DS1-DS3`: numbers are hexadecimal, as they are printed.
    pub fn parse(text: &str) -> Result<Points, String> {
        let wrong = || format!("TYPETR: {text:?} is not a component with numbers, as in DS1-3 or EI1");
        let upper = text.trim().to_ascii_uppercase();
        let (component, rest) = upper.split_at_checked(2).ok_or_else(wrong)?;
        if !component.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(wrong());
        }
        let component = component.to_string();
        if rest.is_empty() {
            return Ok(Points { component, numbers: 0..=u16::MAX });
        }
        let (low, high) = rest.split_once('-').unwrap_or((rest, rest));
        let number = |text: &str| u16::from_str_radix(text.strip_prefix(component.as_str()).unwrap_or(text), 16).map_err(|_| wrong());
        let (low, high) = (number(low)?, number(high)?);
        if low > high {
            return Err(wrong());
        }
        Ok(Points { component, numbers: low..=high })
    }
}

/// `5` or `5-9`.
pub fn range<T: std::str::FromStr + PartialOrd + Copy>(parameter: &str, text: &str) -> Result<RangeInclusive<T>, String> {
    let wrong = || format!("{parameter}: {text:?} is not a number or a range of numbers, as in 5 or 5-9");
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<T>().map_err(|_| wrong());
    let (low, high) = (number(low)?, number(high)?);
    if low <= high { Ok(low..=high) } else { Err(wrong()) }
}

/// `hhmmss-hhmmss`, as seconds of the day.
pub fn times(text: &str) -> Result<RangeInclusive<u32>, String> {
    let wrong = || format!("TIMERG: {text:?} is not a range of times, as in 101500-102959");
    let seconds = |text: &str| {
        let number: u32 = text.trim().parse().ok().filter(|_| text.trim().len() == 6)?;
        let (hours, minutes, seconds) = (number / 10_000, number / 100 % 100, number % 100);
        (hours < 24 && minutes < 60 && seconds < 60).then_some(hours * 3600 + minutes * 60 + seconds)
    };
    let (low, high) = text.split_once('-').ok_or_else(wrong)?;
    let (low, high) = (seconds(low).ok_or_else(wrong)?, seconds(high).ok_or_else(wrong)?);
    if low <= high { Ok(low..=high) } else { Err(wrong()) }
}

/// `TASKID=(1,2),TYPETR=(DS1-3,EI1),ABBREV`: the parameters of PARM= or of the DFHAXPRM data set.
pub fn parse(text: &str, form: &mut Form, interval_ns: &mut u64, selection: &mut Selection) -> Result<(), String> {
    for item in items(text) {
        let (name, value) = item.split_once('=').unwrap_or((item, ""));
        let values =
            || value.trim().trim_start_matches('(').trim_end_matches(')').split(',').map(str::trim).filter(|value| !value.is_empty());
        let texts = || values().map(str::to_ascii_uppercase);
        match name.trim().to_ascii_uppercase().as_str() {
            "ABBREV" => *form = Form::Abbreviated,
            "SHORT" => *form = Form::Short,
            "FULL" => *form = Form::Full,
            "ALL" => (),
            "EXCEPTION" => selection.exceptions_only = true,
            "TASKID" => selection.tasks.extend(values().map(|value| range("TASKID", value)).collect::<Result<Vec<_>, _>>()?),
            "TERMID" => selection.terminals.extend(texts()),
            "TRANID" => selection.transactions.extend(texts()),
            "KE_NUM" => {
                let number = |value| u32::from_str_radix(value, 16).map_err(|_| format!("KE_NUM: {value:?} is not a hexadecimal number"));
                selection.kernel_numbers.extend(values().map(number).collect::<Result<Vec<_>, _>>()?);
            }
            "TYPETR" => selection.points.extend(values().map(Points::parse).collect::<Result<Vec<_>, _>>()?),
            "ENTRY_NUM" => selection.entries.extend(values().map(|value| range("ENTRY_NUM", value)).collect::<Result<Vec<_>, _>>()?),
            "TIMERG" => selection.times.extend(values().map(times).collect::<Result<Vec<_>, _>>()?),
            "INTERVAL" => *interval_ns = interval(value)?,
            other => return Err(format!("{other:?} is not a selection parameter of the trace utility")),
        }
    }
    Ok(())
}

/// Seconds, from 0 to 99.9999999999, as nanoseconds.
pub fn interval(text: &str) -> Result<u64, String> {
    let seconds = text.trim().parse::<f64>().ok().filter(|seconds| (0.0..100.0).contains(seconds));
    let seconds = seconds.ok_or_else(|| format!("INTERVAL: {text:?} is not a number of seconds from 0 to 99.9999999999"))?;
    Ok((seconds * 1e9) as u64)
}

/// The parameters of a text, which commas and blanks outside parentheses separate.
fn items(text: &str) -> Vec<&str> {
    let (mut items, mut begin, mut depth) = (Vec::new(), 0, 0);
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' | ' ' | '\n' if depth == 0 => {
                items.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => (),
        }
    }
    items.push(&text[begin..]);
    items.retain(|item| !item.trim().is_empty());
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_a_component_with_hexadecimal_numbers() {
        for (text, component, numbers) in [
            ("EI", "EI", 0..=0xFFFF),
            ("EI1", "EI", 1..=1),
            ("ds1-3", "DS", 1..=3),
            ("DS0001-DS001F", "DS", 1..=0x1F),
            ("SM0C01", "SM", 0xC01..=0xC01),
        ] {
            assert_eq!(Points::parse(text), Ok(Points { component: component.to_string(), numbers }), "{text}");
        }
        for wrong in ["", "D", "DS3-1", "DSX", "DS1-EI3", "=1"] {
            assert!(Points::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_parameters_of_dfhtu_are_read() {
        let (mut form, mut interval_ns, mut selection) = (Form::Full, 0, Selection::default());
        let text = "ABBREV,TASKID=(12,20-29),TERMID=l001,TRANID=(BAIN,BADE),TYPETR=(DS1-3,EI1),\n ENTRY_NUM=(1-100),TIMERG=(101500-102959),INTERVAL=0.5";
        parse(text, &mut form, &mut interval_ns, &mut selection).unwrap();
        assert_eq!((form, interval_ns), (Form::Abbreviated, 500_000_000));
        assert_eq!((selection.tasks.clone(), selection.terminals.clone()), (vec![12..=12, 20..=29], vec!["L001".to_string()]));
        assert_eq!((selection.entries.clone(), selection.times.clone()), (vec![1..=100], vec![36_900..=37_799]));
        assert_eq!((selection.points.len(), selection.transactions.len(), selection.exceptions_only), (2, 2, false));
        for wrong in ["TASKID=X", "TIMERG=(1-2)", "TIMERG=(240000-240001)", "PRINT=1", "INTERVAL=100", "ENTRY_NUM=(9-1)"] {
            assert!(parse(wrong, &mut form, &mut interval_ns, &mut selection).is_err(), "{wrong}");
        }
    }
}
