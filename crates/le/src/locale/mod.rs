//! Locales of the locale callable services: conventions of numbers, money, dates and collation.
//!
//! Rules: Programming Reference, "Locale callable services"; POSIX, locale definitions, strfmon and strftime. The table here is small:
//! C and POSIX, and some languages of the Latin alphabet; others are refused.

mod collation;
mod date;
mod money;

pub use collation::{Collation, compare, weights};
pub use date::{BrokenDownTime, format as format_date};
pub use money::format as format_money;

/// What is not available in a locale, as C has it (CHAR_MAX of unsigned characters).
pub const NOT_AVAILABLE: u8 = 255;

/// LC_NUMERIC and LC_MONETARY.
#[derive(PartialEq, Eq, Debug)]
pub struct Numbers {
    pub decimal_point: &'static str,
    pub thousands_separator: &'static str,
    /// Sizes of groups of digits, the last one repeated.
    pub grouping: &'static [u8],
}

#[derive(PartialEq, Eq, Debug)]
pub struct Money {
    pub international_symbol: &'static str,
    pub symbol: &'static str,
    pub numbers: Numbers,
    pub positive_sign: &'static str,
    pub negative_sign: &'static str,
    pub international_digits: u8,
    pub digits: u8,
    pub positive: Position,
    pub negative: Position,
}

/// Where the symbol and the sign of an amount stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub symbol_precedes: u8,
    pub separated: u8,
    pub sign: u8,
}

/// LC_TIME. Formats are those of strftime.
#[derive(PartialEq, Eq, Debug)]
pub struct Times {
    pub abbreviated_months: [&'static str; 12],
    pub months: [&'static str; 12],
    /// From Sunday.
    pub abbreviated_days: [&'static str; 7],
    pub days: [&'static str; 7],
    pub date_and_time: &'static str,
    pub date: &'static str,
    pub time: &'static str,
    pub halves: [&'static str; 2],
    pub time_of_half: &'static str,
}

#[derive(PartialEq, Eq, Debug)]
pub struct Locale {
    /// Language and territory, or C, POSIX, S370, SAA.
    pub name: &'static str,
    /// The two letters of its object name, EDC$ and so on.
    short: &'static str,
    pub numbers: Numbers,
    pub money: Money,
    pub times: Times,
    pub collation: Collation,
}

/// ISO 8601 date of any locale.
pub const ISO_DATE: &str = "%Y-%m-%d";

const NOWHERE: Position = Position { symbol_precedes: NOT_AVAILABLE, separated: NOT_AVAILABLE, sign: NOT_AVAILABLE };
const BEFORE: Position = Position { symbol_precedes: 1, separated: 0, sign: 1 };
const BEHIND: Position = Position { symbol_precedes: 0, separated: 1, sign: 1 };

const C_MONEY: Money = Money {
    international_symbol: "",
    symbol: "",
    numbers: Numbers { decimal_point: "", thousands_separator: "", grouping: &[] },
    positive_sign: "",
    negative_sign: "",
    international_digits: NOT_AVAILABLE,
    digits: NOT_AVAILABLE,
    positive: NOWHERE,
    negative: NOWHERE,
};

const fn money(symbols: [&'static str; 2], separators: [&'static str; 2], position: Position) -> Money {
    let [international_symbol, symbol] = symbols;
    let [decimal_point, thousands_separator] = separators;
    Money {
        international_symbol,
        symbol,
        numbers: Numbers { decimal_point, thousands_separator, grouping: &[3, 3] },
        positive_sign: "",
        negative_sign: "-",
        international_digits: 2,
        digits: 2,
        positive: position,
        negative: position,
    }
}

const fn numbers(decimal_point: &'static str, thousands_separator: &'static str, grouping: &'static [u8]) -> Numbers {
    Numbers { decimal_point, thousands_separator, grouping }
}

const ENGLISH: Times = Times {
    abbreviated_months: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
    months: ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"],
    abbreviated_days: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
    days: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
    date_and_time: "%a %b %e %H:%M:%S %Y",
    date: "%m/%d/%y",
    time: "%H:%M:%S",
    halves: ["AM", "PM"],
    time_of_half: "%I:%M:%S %p",
};

const GERMAN: Times = Times {
    abbreviated_months: ["Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"],
    months: ["Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"],
    abbreviated_days: ["So", "Mo", "Di", "Mi", "Do", "Fr", "Sa"],
    days: ["Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"],
    date_and_time: "%a %d %b %Y %H:%M:%S",
    date: "%d.%m.%Y",
    time: "%H:%M:%S",
    halves: ["", ""],
    time_of_half: "",
};

const FRENCH: Times = Times {
    abbreviated_months: ["janv", "févr", "mars", "avr", "mai", "juin", "juil", "août", "sept", "oct", "nov", "déc"],
    months: ["janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"],
    abbreviated_days: ["dim", "lun", "mar", "mer", "jeu", "ven", "sam"],
    days: ["dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"],
    date_and_time: "%a %d %b %Y %H:%M:%S",
    date: "%d/%m/%Y",
    time: "%H:%M:%S",
    halves: ["", ""],
    time_of_half: "",
};

const fn english(date: &'static str, date_and_time: &'static str) -> Times {
    Times { date, date_and_time, ..ENGLISH }
}

const fn plain(name: &'static str, collation: Collation) -> Locale {
    Locale { name, short: "", numbers: numbers(".", "", &[]), money: C_MONEY, times: ENGLISH, collation }
}

/// The locale an enclave begins with.
pub static C: Locale = plain("C", Collation::CodePage);

static LOCALES: [Locale; 7] = [
    plain("POSIX", Collation::Ascii),
    plain("S370", Collation::CodePage),
    plain("SAA", Collation::CodePage),
    Locale {
        name: "En_US",
        short: "EU",
        numbers: numbers(".", ",", &[3, 3]),
        money: money(["USD ", "$"], [".", ","], BEFORE),
        times: english("%m/%d/%Y", "%a %b %e %H:%M:%S %Y"),
        collation: Collation::Letters,
    },
    Locale {
        name: "En_GB",
        short: "EK",
        numbers: numbers(".", ",", &[3, 3]),
        money: money(["GBP ", "£"], [".", ","], BEFORE),
        times: english("%d/%m/%y", "%a %e %b %H:%M:%S %Y"),
        collation: Collation::Letters,
    },
    Locale {
        name: "De_DE",
        short: "DD",
        numbers: numbers(",", ".", &[3, 3]),
        money: money(["EUR ", "€"], [",", "."], BEHIND),
        times: GERMAN,
        collation: Collation::Letters,
    },
    Locale {
        name: "Fr_FR",
        short: "FF",
        numbers: numbers(",", " ", &[3, 3]),
        money: money(["EUR ", "€"], [",", " "], BEHIND),
        times: FRENCH,
        collation: Collation::Letters,
    },
];

/// A locale by its name in either case: `En_US`, with a code set (`En_US.IBM-1047`) or as an object name (`EUEY`).
pub fn find(name: &str) -> Option<&'static Locale> {
    let bare = name.split(['.', '@']).next().unwrap_or(name);
    if bare.eq_ignore_ascii_case(C.name) {
        return Some(&C);
    }
    let is_short = |locale: &Locale| {
        name.len() == 4 && !locale.short.is_empty() && name.get(..2).is_some_and(|short| short.eq_ignore_ascii_case(locale.short))
    };
    LOCALES.iter().find(|locale| bare.eq_ignore_ascii_case(locale.name) || is_short(locale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_locales() {
        for (name, found) in [("c", "C"), ("En_US.IBM-1047", "En_US"), ("FFEY", "Fr_FR"), ("de_de@EURO", "De_DE"), ("posix", "POSIX")] {
            assert_eq!(find(name).map(|locale| locale.name), Some(found), "{name}");
        }
        for name in ["Sv_SE.IBM-1047", "", "XXEY", "En"] {
            assert_eq!(find(name), None, "{name}");
        }
    }

    #[test]
    fn every_time_format_is_one() {
        for locale in LOCALES.iter().chain([&C]) {
            let time = BrokenDownTime { second: 1, minute: 2, hour: 15, day: 9, month: 10, year: 94, weekday: 3, day_of_year: 312 };
            for format in [locale.times.date_and_time, locale.times.date, locale.times.time] {
                assert!(!format_date(&time, format, &locale.times).contains('%'), "{}", locale.name);
            }
        }
    }
}
