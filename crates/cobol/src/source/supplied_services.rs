//! Copy members for the callable services of Language Environment: CEEIGZCT, CEEIGZLC, CEEIGZTD and CEEIGZCI.

use std::fmt::Write as _;

use le::callable::Feedback;

/// The text of a supplied member, in fixed format.
pub fn member(name: &str) -> Option<String> {
    match name {
        "CEEIGZCT" => Some(condition_token_member()),
        "CEEIGZLC" => Some(categories_member()),
        "CEEIGZTD" => Some(time_member()),
        "CEEIGZCI" => Some(condition_information_member()),
        _ => None,
    }
}

/// Message numbers of the date and time services.
const DATE_MESSAGES: std::ops::RangeInclusive<u16> = 2505..=2535;

/// Those that are not severe. (Language Environment Run-Time Messages: CEE2526E, CEE2527E, CEE2534W, CEE2535I.)
const NOT_SEVERE: [Feedback; 4] =
    [Feedback::DATE_TRUNCATED, Feedback::TIMESTAMP_TRUNCATED, Feedback::NAME_WIDTH, Feedback { severity: 0, message: 2535 }];

/// CEEIGZCT: condition names for the first eight bytes of a feedback code.
fn condition_token_member() -> String {
    let mut text = String::from("           88  CEE000 VALUE X'0000000000000000'.\n");
    for message in DATE_MESSAGES {
        let severe = Feedback { severity: 3, message };
        let feedback = NOT_SEVERE.into_iter().find(|feedback| feedback.message == message).unwrap_or(severe);
        let value: String = feedback.token()[..8].iter().map(|byte| format!("{byte:02X}")).collect();
        let _ = writeln!(text, "           88  {} VALUE X'{value}'.", String::from_utf8_lossy(&feedback.symbol()));
    }
    text
}

/// Categories of a locale.
const CATEGORIES: [(&str, i32); 7] =
    [("ALL", -1), ("COLLATE", 0), ("CTYPE", 1), ("NUMERIC", 2), ("MONETARY", 3), ("TIME", 4), ("MESSAGES", 6)];

fn categories_member() -> String {
    let mut text = String::new();
    for (name, value) in CATEGORIES {
        let _ = writeln!(text, "       01  LC-{name:<10} PIC S9(9) BINARY VALUE {value}.");
    }
    text
}

/// CEEIGZTD: the broken-down time of C, as CEEFTDS takes it.
fn time_member() -> String {
    let mut text = String::from("       01  TD-STRUCT.\n");
    for name in ["SEC", "MIN", "HOUR", "DAY", "MON", "YEAR", "WDAY", "YDAY", "ISDST"] {
        let _ = writeln!(text, "           05  TM-{name:<7} PIC S9(9) BINARY.");
    }
    text
}

const FULLWORD: &str = "PIC S9(9) BINARY";
const BYTE: &str = "PIC X";

/// Fields of the condition information block, from its beginning.
const CONDITION_INFORMATION: [(&str, &str); 34] = [
    ("CIB-EYE", "PIC X(4)"),
    ("CIB-BACK", "POINTER"),
    ("CIB-FWRD", "POINTER"),
    ("CIB-SIZE", "PIC S9(4) BINARY"),
    ("CIB-VERSION", "PIC S9(4) BINARY"),
    ("CIB-PLAT-ID", FULLWORD),
    ("FILLER", "PIC X(4)"),
    ("CIB-COND", "PIC X(12)"),
    ("CIB-MACHINE", "POINTER"),
    ("CIB-OLD-COND", "PIC X(12)"),
    ("CIB-FLG-1", BYTE),
    ("CIB-FLG-2", BYTE),
    ("CIB-FLG-3", BYTE),
    ("CIB-FLG-4", BYTE),
    ("FILLER", "PIC X(120)"),
    ("CIB-FLG-5", BYTE),
    ("CIB-FLG-6", BYTE),
    ("CIB-FLG-7", BYTE),
    ("CIB-FLG-8", BYTE),
    ("CIB-ABCD", "PIC X(4)"),
    ("CIB-ABRC", FULLWORD),
    ("CIB-ABNAME", "PIC X(8)"),
    ("CIB-PL", "POINTER"),
    ("CIB-SV2", "POINTER"),
    ("CIB-SV1", "POINTER"),
    ("CIB-INT", "POINTER"),
    ("CIB-MID", FULLWORD),
    ("CIB-HDL-SF", "POINTER"),
    ("CIB-HDL-EPT", "POINTER"),
    ("CIB-HDL-RST", "POINTER"),
    ("FILLER", "PIC X(16)"),
    ("CIB-Q-DATA", FULLWORD),
    ("FILLER", "PIC X(16)"),
    ("CIB-DUMP-NAME", "POINTER"),
];

fn condition_information_member() -> String {
    let mut text = String::from("       01  CEECIB.\n");
    for (name, clauses) in CONDITION_INFORMATION {
        let _ = writeln!(text, "           05  {name:<13} {clauses}.");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values() {
        assert!(member("CEEIGZCT").unwrap().contains("88  CEE2EB VALUE X'000309CB59C3C5C5'."));
        assert!(member("CEEIGZLC").unwrap().contains("01  LC-COLLATE    PIC S9(9) BINARY VALUE 0."));
        assert!(member("CEEIGZTD").unwrap().ends_with("05  TM-ISDST   PIC S9(9) BINARY.\n"));
        assert_eq!(member("CEEIGZPL"), None);
    }

    /// The block is 268 bytes long.
    #[test]
    fn length_of_the_condition_information_block() {
        let length = |clauses: &str| match clauses {
            "POINTER" | FULLWORD => 4,
            "PIC S9(4) BINARY" => 2,
            BYTE => 1,
            _ => clauses["PIC X(".len()..].trim_end_matches(')').parse().unwrap(),
        };
        assert_eq!(CONDITION_INFORMATION.iter().map(|(_, clauses)| length(clauses)).sum::<i32>(), 268);
    }
}
