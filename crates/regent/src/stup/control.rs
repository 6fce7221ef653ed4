//! The control parameters of DFHSTUP ("Control parameters of the DFHSTUP program", Utilities Reference).
//!
//! Invariant: a parameter is accepted in full only; what is not known is an error that names it.

/// What is selected, and how it is printed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Control {
    pub upper_case: bool,
    applids: Choice,
    types: Choice,
    /// INT, EOD, USS, REQ, RRT; empty for all.
    reasons: Vec<String>,
    /// From and to, as HHMMSS; the date as YYYY-MM-DD.
    time: Bounds,
    date: Bounds,
    pub page_size: Option<usize>,
    pub summary: bool,
}

/// SELECT or IGNORE.
#[derive(Debug, Default, PartialEq, Eq)]
enum Choice {
    #[default]
    All,
    Only(Vec<String>),
    Without(Vec<String>),
}

impl Choice {
    fn takes(&self, name: &str) -> bool {
        let is_named = |names: &Vec<String>| names.iter().any(|known| known == name);
        match self {
            Choice::All => true,
            Choice::Only(names) => is_named(names),
            Choice::Without(names) => !is_named(names),
        }
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Bounds {
    start: Option<String>,
    stop: Option<String>,
}

impl Bounds {
    fn takes(&self, moment: &str) -> bool {
        self.start.as_deref().is_none_or(|start| moment >= start) && self.stop.as_deref().is_none_or(|stop| moment <= stop)
    }
}

/// Lines of a page without PAGESIZE.
pub const PAGE_SIZE: usize = 60;
/// Lines that PAGESIZE accepts.
const PAGE_SIZES: std::ops::RangeInclusive<usize> = 20..=9_999;
const REASONS: [&str; 5] = ["INT", "EOD", "USS", "REQ", "RRT"];

impl Control {
    /// Reads the statements; lines that begin with an asterisk are comments.
    pub fn parse(text: &str, known_types: &[&str]) -> Result<Control, String> {
        let mut control = Control::default();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('*') && !line.trim().is_empty()) {
            let words = line.trim().to_ascii_uppercase();
            control.statement(&words, known_types).map_err(|reason| format!("line {}: {words}: {reason}", number + 1))?;
        }
        Ok(control)
    }

    fn statement(&mut self, words: &str, known_types: &[&str]) -> Result<(), String> {
        let value = |prefix: &str| words.strip_prefix(prefix).map(str::trim);
        if words == "UPPERCASE=YES" {
            self.upper_case = true;
        } else if words == "SUMMARY" {
            self.summary = true;
        } else if let Some(names) = value("SELECT APPLID=") {
            only_once(&mut self.applids, Choice::Only(list(names)))?;
        } else if let Some(names) = value("IGNORE APPLID=") {
            only_once(&mut self.applids, Choice::Without(list(names)))?;
        } else if let Some(names) = value("SELECT TYPE=") {
            only_once(&mut self.types, Choice::Only(types(names, known_types)?))?;
        } else if let Some(names) = value("IGNORE TYPE=") {
            only_once(&mut self.types, Choice::Without(types(names, known_types)?))?;
        } else if let Some(names) = value("COLLECTION TYPE=") {
            self.reasons = list(names).into_iter().filter(|name| name != "ALL").collect();
            if let Some(unknown) = self.reasons.iter().find(|name| !REASONS.contains(&name.as_str())) {
                return Err(format!("{unknown} is not a collection type: {} or ALL is expected", REASONS.join(", ")));
            }
        } else if let Some(bounds) = value("TIME ") {
            self.time = bounds_of(bounds, &|text| (text.len() == 6 && is_digits(text)).then(|| text.to_string()), "HHMMSS")?;
        } else if let Some(bounds) = value("DATE ") {
            self.date = bounds_of(bounds, &date, "MM/DD/YYYY")?;
        } else if let Some(lines) = value("PAGESIZE=") {
            let lines = lines.parse().ok().filter(|lines| PAGE_SIZES.contains(lines));
            self.page_size = Some(lines.ok_or_else(|| format!("{} to {} is expected", PAGE_SIZES.start(), PAGE_SIZES.end()))?);
        } else {
            return Err("it is not a control parameter of this utility".to_string());
        }
        Ok(())
    }

    pub fn takes(&self, applid: &str, of_type: &str, reason: &str, at: &str) -> bool {
        let (day, time) = at.split_once(' ').unwrap_or((at, ""));
        self.applids.takes(applid)
            && self.types.takes(of_type)
            && (self.reasons.is_empty() || self.reasons.iter().any(|known| known == reason))
            && self.date.takes(day)
            && self.time.takes(&time.replace(':', ""))
    }
}

fn only_once(kept: &mut Choice, new: Choice) -> Result<(), String> {
    if *kept != Choice::All {
        return Err("SELECT and IGNORE of this kind are given already".to_string());
    }
    *kept = new;
    Ok(())
}

/// `A`, `(A,B)`.
fn list(text: &str) -> Vec<String> {
    let inner = text.trim_start_matches('(').trim_end_matches(')');
    inner.split(',').map(|name| name.trim().to_string()).filter(|name| !name.is_empty()).collect()
}

fn types(text: &str, known: &[&str]) -> Result<Vec<String>, String> {
    let names = list(text);
    match names.iter().find(|name| !known.contains(&name.as_str())) {
        Some(unknown) => Err(format!("{unknown} is not a resource type: {} are", known.join(", "))),
        None => Ok(names),
    }
}

fn bounds_of(text: &str, read: &dyn Fn(&str) -> Option<String>, form: &str) -> Result<Bounds, String> {
    let mut bounds = Bounds::default();
    for part in text.split(',') {
        let (place, value) = match part.trim().split_once('=') {
            Some(("START", value)) => (&mut bounds.start, value),
            Some(("STOP", value)) => (&mut bounds.stop, value),
            _ => return Err("START= and STOP= are expected".to_string()),
        };
        *place = Some(read(value.trim()).ok_or_else(|| format!("{value} is not of the form {form}"))?);
    }
    Ok(bounds)
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// MM/DD/YYYY as YYYY-MM-DD.
fn date(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split('/').collect();
    let [month, day, year] = parts[..] else { return None };
    (month.len() == 2 && day.len() == 2 && year.len() == 4 && parts.iter().all(|part| is_digits(part)))
        .then(|| format!("{year}-{month}-{day}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPES: [&str; 2] = ["FILE", "PROGRAM"];

    #[test]
    fn records_are_selected() {
        let text = "* comment\nSELECT APPLID=(A,B)\nIGNORE TYPE=PROGRAM\nCOLLECTION TYPE=(INT,EOD)\nDATE START=01/02/2026\nTIME START=080000,STOP=120000\n";
        let control = Control::parse(text, &TYPES).unwrap();
        let takes = |applid, of_type, reason, at| control.takes(applid, of_type, reason, at);
        assert!(takes("A", "FILE", "INT", "2026-01-02 08:00:00"));
        assert!(!takes("C", "FILE", "INT", "2026-01-02 08:00:00"));
        assert!(!takes("A", "PROGRAM", "INT", "2026-01-02 08:00:00"));
        assert!(!takes("A", "FILE", "USS", "2026-01-02 08:00:00"));
        assert!(!takes("A", "FILE", "INT", "2026-01-01 08:00:00"));
        assert!(!takes("A", "FILE", "INT", "2026-01-02 12:00:01"));
        assert!(Control::default().takes("A", "FILE", "REQ", "2026-01-02 08:00:00"));
    }

    #[test]
    fn what_is_not_known_is_named() {
        for (text, expected) in [
            ("SELECT TYPE=TABLES\n", "line 1: SELECT TYPE=TABLES: TABLES is not a resource type"),
            ("\nCOLLECTION TYPE=ABC\n", "line 2: COLLECTION TYPE=ABC: ABC is not a collection type"),
            ("PAGESIZE=3\n", "20 to 9999"),
            ("TIME START=8\n", "HHMMSS"),
            ("EXTRACT=PGM\n", "not a control parameter"),
            ("SELECT APPLID=A\nIGNORE APPLID=B\n", "given already"),
        ] {
            let error = Control::parse(text, &TYPES).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
