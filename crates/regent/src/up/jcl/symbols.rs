//! The symbols of a job: the value of a name at each statement, and substitution.
//!
//! Rules (MVS JCL Reference, "Using system symbols and JCL symbols" and "Using symbols in nested procedures"): a value on the EXEC
//! statement that calls a procedure overrides the default of its PROC statement; a procedure sees the symbols of its callers; SET changes
//! the value for all later statements. Values of `regent.toml` override SET and PROC, because they describe locations on this machine.

use std::collections::BTreeMap;

use le::calendar::LocalTime;

/// The values in force at one statement of a job.
#[derive(Clone, Default)]
pub struct Symbols {
    /// Those of `regent.toml`.
    given: BTreeMap<String, String>,
    /// The job's own, then those of each procedure that is being expanded, the innermost last.
    levels: Vec<Level>,
    system: BTreeMap<String, String>,
}

#[derive(Clone, Default)]
struct Level {
    /// Given on the EXEC statement that called the procedure.
    called: BTreeMap<String, String>,
    /// SET statements, or the defaults of the PROC statement.
    own: BTreeMap<String, String>,
}

impl Symbols {
    pub fn new(given: &BTreeMap<String, String>) -> Symbols {
        let given = given.iter().map(|(name, value)| (name.to_uppercase(), value.clone())).collect();
        Symbols { given, levels: vec![Level::default()], system: system_symbols() }
    }

    /// A new job: what the one before it has set is gone.
    pub fn begin_job(&mut self, name: &str) {
        self.levels = vec![Level::default()];
        self.system.insert("JOBNAME".to_string(), name.to_string());
    }

    pub fn enter_procedure(&mut self, called: BTreeMap<String, String>, defaults: BTreeMap<String, String>) {
        self.levels.push(Level { called, own: defaults });
    }

    pub fn leave_procedure(&mut self) {
        debug_assert!(self.levels.len() > 1, "the job's own level stays");
        self.levels.pop();
    }

    /// A SET statement. One that names a parameter of the procedure it stands in changes it there only.
    pub fn set(&mut self, name: &str, value: String) {
        let name = name.to_uppercase();
        let level = self.levels.iter().rposition(|level| level.called.contains_key(&name) || level.own.contains_key(&name)).unwrap_or(0);
        self.levels[level].called.remove(&name);
        self.levels[level].own.insert(name, value);
    }

    fn value(&self, name: &str) -> Option<&str> {
        for level in self.levels.iter().rev() {
            if let Some(value) = level.called.get(name) {
                return Some(value);
            }
            if let Some(value) = level.own.get(name) {
                return Some(self.given.get(name).unwrap_or(value));
            }
        }
        self.given.get(name).map(String::as_str)
    }

    /// The text with its symbols replaced. Names without a value stay as they are and are added to `missing` as they are written.
    pub fn substitute(&self, text: &str, missing: &mut Vec<String>) -> String {
        replace(text, |written, name| {
            let of_system = || self.system.get(name).filter(|_| written == Written::Ampersand).map(String::as_str);
            let value = self.value(name).or_else(of_system);
            if value.is_none() && written != Written::WithinWord {
                let symbol = written.symbol(name);
                if !missing.contains(&symbol) {
                    missing.push(symbol);
                }
            }
            value.map(str::to_string)
        })
    }
}

/// How a symbol is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Ampersand,
    Angled,
    At,
    /// `A@NAME@`: the commercial at is a letter of names too, so this is a symbol only if it has a value.
    WithinWord,
}

impl Written {
    /// The symbol as it stands in a text.
    fn symbol(self, name: &str) -> String {
        match self {
            Written::Ampersand => format!("&{name}"),
            Written::Angled => format!("<{name}>"),
            Written::At | Written::WithinWord => format!("@{name}@"),
        }
    }
}

/// Replaces symbols by the values of one table: `&NAME.` `&NAME` `<NAME>` `@NAME@`. Unknown symbols stay as they are.
pub fn substitute(text: &str, symbols: &BTreeMap<String, String>) -> String {
    replace(text, |_, name| symbols.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone()))
}

/// Names that stand between `<` and `>` or between `@` and `@` in a text that is no comment, as they are written: placeholders that were
/// given no value.
pub fn placeholders(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('*')) {
        replace(line, |written, name| {
            let symbol = written.symbol(name);
            if matches!(written, Written::Angled | Written::At) && !names.contains(&symbol) {
                names.push(symbol);
            }
            None
        });
    }
    names
}

/// A name of a symbol has at most eight characters in JCL; placeholders between `<` and `>` may be longer.
const NAME_LENGTH_MAX: usize = 32;

fn replace(text: &str, mut value_of: impl FnMut(Written, &str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '@']) {
        out.push_str(&rest[..at]);
        let opening = rest.as_bytes()[at];
        let after = &rest[at + 1..];
        // && is an ampersand, as in the name of a temporary data set.
        if opening == b'&' && after.starts_with('&') {
            out.push_str("&&");
            rest = &after[1..];
            continue;
        }
        let length = after.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'#' | b'$' | b'_')).count();
        let following = after.as_bytes().get(length).copied();
        let closed = match opening {
            b'<' => following == Some(b'>'),
            b'@' => following == Some(b'@'),
            _ => true,
        };
        let is_name = closed && (1..=NAME_LENGTH_MAX).contains(&length) && !after.as_bytes()[0].is_ascii_digit();
        let written = match opening {
            b'<' => Written::Angled,
            b'@' if out.ends_with(is_letter) || after[length..].chars().nth(1).is_some_and(is_letter) => Written::WithinWord,
            b'@' => Written::At,
            _ => Written::Ampersand,
        };
        match is_name.then(|| value_of(written, &after[..length].to_uppercase())).flatten() {
            Some(value) => {
                out.push_str(&value);
                // A period ends the name of an & symbol and is not part of the text.
                let skip = usize::from(opening != b'&' || following == Some(b'.'));
                rest = &after[length + skip..];
            }
            None => {
                out.push(opening as char);
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// A character of a name.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '#' | '$' | '@' | '_')
}

/// Static system symbols. The values do not depend on the machine, so that data set names made of them are the same on every one. A monoplex
/// has the name LOCAL, and the default of SYSCLONE is the last two characters of SYSNAME (MVS Initialization and Tuning Reference, IEASYMxx).
const NAMES_OF_THE_SYSTEM: [(&str, &str); 3] = [("SYSPLEX", "LOCAL"), ("SYSNAME", "REGENT"), ("SYSCLONE", "NT")];

/// System symbols that have a value on this machine (MVS Initialization and Tuning Reference, "Dynamic system symbols"), and the user who
/// submits the job. Those of a z/OS installation, as &SYSR1, have none.
fn system_symbols() -> BTreeMap<String, String> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs() as i64;
    // The environment depends on how the region is started, and with it the names of data sets would.
    let user = region::user::name().or_else(|| std::env::var("USER").ok()).unwrap_or_default();
    let mut symbols = symbols_of_time(now, region::clock::utc_offset_seconds(now) as i32);
    symbols.insert("SYSUID".to_string(), user_id(&user));
    symbols.extend(NAMES_OF_THE_SYSTEM.map(|(symbol, value)| (symbol.to_string(), value.to_string())));
    symbols
}

/// A user ID of at most eight letters and digits; `REGENT` when the operating system's name gives none.
fn user_id(name: &str) -> String {
    let id: String = name.chars().filter(char::is_ascii_alphanumeric).take(8).collect::<String>().to_uppercase();
    if id.starts_with(|first: char| first.is_ascii_alphabetic()) { id } else { "REGENT".to_string() }
}

fn symbols_of_time(unix_seconds: i64, utc_offset_seconds: i32) -> BTreeMap<String, String> {
    const WEEKDAYS: [&str; 7] = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];
    let mut symbols = BTreeMap::new();
    for (prefix, offset) in [("", 0), ("L", utc_offset_seconds)] {
        let time = LocalTime::of(unix_seconds, 0, offset);
        let (year, month, day) = (time.date.year, time.date.month, time.date.day);
        let (hour, minute, second) = (time.hour, time.minute, time.second);
        let weekday = time.date.weekday() as usize - 1;
        let values = [
            ("YYMMDD", format!("{:02}{month:02}{day:02}", year % 100)),
            ("HHMMSS", format!("{hour:02}{minute:02}{second:02}")),
            ("YR4", format!("{year:04}")),
            ("YR2", format!("{:02}", year % 100)),
            ("MON", format!("{month:02}")),
            ("DAY", format!("{day:02}")),
            ("JDAY", format!("{:03}", time.date.day_of_year())),
            ("WDAY", WEEKDAYS[weekday].to_string()),
            ("HR", format!("{hour:02}")),
            ("MIN", format!("{minute:02}")),
            ("SEC", format!("{second:02}")),
        ];
        symbols.extend(values.into_iter().map(|(name, value)| (format!("{prefix}{name}"), value)));
    }
    symbols
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect()
    }

    #[test]
    fn symbols_in_all_their_forms() {
        let s = table(&[("HLQ", "A.B"), ("X", "")]);
        assert_eq!(substitute("&HLQ..C <HLQ>.D @HLQ@.E &X.F &UNKNOWN a<b user@host", &s), "A.B.C A.B.D A.B.E F &UNKNOWN a<b user@host");
        assert_eq!(substitute("&&HLQ &&&HLQ", &s), "&&HLQ &&A.B", "a temporary data set is not a symbol");
    }

    #[test]
    fn call_values_override_defaults_until_the_procedure_ends() {
        let mut symbols = Symbols::new(&table(&[("HLQ", "HERE")]));
        let text = |symbols: &Symbols| symbols.substitute("&A &B &HLQ", &mut Vec::new());
        symbols.set("A", "1".into());
        symbols.set("HLQ", "THERE".into());
        assert_eq!(text(&symbols), "1 &B HERE", "regent.toml goes before SET");
        symbols.enter_procedure(table(&[("A", "2")]), table(&[("A", "3"), ("B", "4"), ("HLQ", "DEFAULT")]));
        assert_eq!(text(&symbols), "2 4 HERE");
        symbols.enter_procedure(table(&[("HLQ", "CALL")]), table(&[]));
        assert_eq!(text(&symbols), "2 4 CALL", "a nested procedure sees its caller's values");
        symbols.leave_procedure();
        symbols.set("B", "5".into());
        assert_eq!(text(&symbols), "2 5 HERE");
        symbols.leave_procedure();
        assert_eq!(text(&symbols), "1 &B HERE");
        symbols.set("A", "6".into());
        assert_eq!(text(&symbols), "6 &B HERE", "a later SET changes the value");
    }

    #[test]
    fn undefined_symbols_are_reported_once() {
        let mut missing = Vec::new();
        assert_eq!(Symbols::new(&table(&[])).substitute("&HLQ..A &HLQ..B <USRHLQ>", &mut missing), "&HLQ..A &HLQ..B <USRHLQ>");
        assert_eq!(missing, ["&HLQ", "<USRHLQ>"]);
        missing.clear();
        let text = "NAME(@BANK_PREFIX@.A) '@X@' JOE@HOME@WORK A@B@ @1@";
        assert_eq!(Symbols::new(&table(&[])).substitute(text, &mut missing), text);
        assert_eq!(missing, ["@BANK_PREFIX@", "@X@"], "a commercial at within a name opens no symbol");
    }

    #[test]
    fn placeholders_of_definitions() {
        assert_eq!(
            placeholders("*DEFINE <NOT>\nDEFINE FILE(A) DSNAME(<HLQ>.A)\n DESCRIPTION(A<B AND R&D) <HLQ> <X> @Y@.B A@B"),
            ["<HLQ>", "<X>", "@Y@"]
        );
    }

    /// Those of docs/up.md.
    #[test]
    fn names_of_the_system_have_values_and_those_of_an_installation_have_none() {
        let mut missing = Vec::new();
        let symbols = Symbols::new(&BTreeMap::new());
        assert_eq!(symbols.substitute("&SYSNAME..D&SYSCLONE..&SYSPLEX", &mut missing), "REGENT.DNT.LOCAL");
        assert!(missing.is_empty(), "{missing:?}");
        assert_eq!(symbols.substitute("&SYSR1", &mut missing), "&SYSR1");
        assert_eq!(missing, ["&SYSR1"]);
    }

    #[test]
    fn dates_and_times_as_system_symbols() {
        // 2026-11-23 23:30:05 UTC is a Monday; one hour to the east it is Tuesday.
        let symbols = symbols_of_time(1_795_476_605, 3600);
        for (name, value) in [
            ("YYMMDD", "261123"),
            ("HHMMSS", "233005"),
            ("JDAY", "327"),
            ("WDAY", "MON"),
            ("LYYMMDD", "261124"),
            ("LHHMMSS", "003005"),
            ("LYR4", "2026"),
            ("LMON", "11"),
            ("LWDAY", "TUE"),
            ("LHR", "00"),
        ] {
            assert_eq!(symbols[name], value, "{name}");
        }
        assert_eq!(user_id("web-admin_01"), "WEBADMIN");
        assert_eq!(user_id("007"), "REGENT");
    }
}
