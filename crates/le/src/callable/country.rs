//! Countries of the run-time option COUNTRY and the national language support services, and the national languages.
//!
//! Rules: Programming Reference, "IBM-supplied country code defaults" and "National language support callable services". The services
//! report a country without a row here as not valid.

use crate::code_page::CodePage;

/// The conventions of a country: separators, currency, and the pictures of dates and times.
#[derive(PartialEq, Eq, Debug)]
pub struct Country {
    pub code: &'static str,
    pub decimal_separator: &'static str,
    pub thousands_separator: &'static str,
    pub currency: &'static str,
    pub international_currency: &'static str,
    pub time: &'static str,
    pub date: &'static str,
    pub date_and_time: &'static str,
}

/// X'9F': the general currency sign, in newer code pages the euro.
const EURO: &str = "¤";
/// Length of a currency symbol in the services.
pub const CURRENCY_LENGTH: usize = 4;

/// The result of the services for an invalid country.
pub static INVALID: Country = Country {
    code: "",
    decimal_separator: ".",
    thousands_separator: ",",
    currency: EURO,
    international_currency: "",
    time: "HH:MI:SS",
    date: "YYYY-MM-DD",
    date_and_time: "YYYY-MM-DD HH:MI:SS",
};

/// The country of COUNTRY's default.
pub const DEFAULT_CODE: [u8; 2] = *b"US";

const fn row(
    [code, decimal_separator, thousands_separator]: [&'static str; 3],
    [currency, international_currency]: [&'static str; 2],
    [time, date, date_and_time]: [&'static str; 3],
) -> Country {
    Country { code, decimal_separator, thousands_separator, currency, international_currency, time, date, date_and_time }
}

static COUNTRIES: [Country; 10] = [
    row(["AD", ",", "."], [EURO, "EUR"], ["HH:MI:SS", "YYYY-MM-DD", "YYYY-MM-DD HH:MI:SS"]),
    row(["AF", ",", "."], [EURO, "AFN"], ["HH:MI:SS", "YYYY-MM-DD", "YYYY-MM-DD HH:MI:SS"]),
    row(["AG", ",", "."], [EURO, "XCD"], ["HH:MI:SS", "YYYY-MM-DD", "YYYY-MM-DD HH:MI:SS"]),
    row(["AL", ",", "."], ["Lek", "ALL"], ["HH:MI:SS", "YYYY-MM-DD", "YYYY-MM-DD HH:MI:SS"]),
    row(["AM", "`", ":"], ["AMD", "dr:"], ["HH:MI:SS'", "MM/DD/YY", "Mmmmmmmmmz DD, YYYY HH:MI:SS"]),
    row(["AO", ",", "."], [EURO, "AOA"], ["HH:MI:SS", "YYYY-MM-DD", "YYYY-MM-DD HH:MI:SS"]),
    row(["AR", ",", "."], ["A", "ARS"], ["HH.MI.SS", "DD/MM/YY", "DD/MM/YY HH.MI.SS"]),
    row(["DE", ",", "."], [EURO, "EUR"], ["HH:MI:SS", "DD.MM.YYYY", "DD.MM.YYYY HH:MI:SS"]),
    row(["DZ", ",", "."], ["", "DZD"], ["HH:MI:SS", "YYYY/MM/DD", "YYYY/MM/DD HH:MI:SS"]),
    row(["US", ".", ","], ["$", "USD"], ["HH:MI:SS AP", "MM/DD/YY", "MM/DD/YY HH:MI:SS AP"]),
];

/// A country by its code in upper case.
pub fn find(code: [u8; 2]) -> Option<&'static Country> {
    COUNTRIES.iter().find(|country| country.code.as_bytes() == code)
}

/// A country's code as written by a program, in upper case; `None`: blanks or zeros, which mean the default country.
pub fn code_of(bytes: [u8; 2], page: &CodePage) -> Option<[u8; 2]> {
    let code = bytes.map(|byte| page.to_ascii(byte).to_ascii_uppercase());
    let is_blank = code.iter().all(|byte| matches!(byte, b' ' | 0));
    (!is_blank).then_some(code)
}

/// Text of the table in a code page; the currency sign is the euro if the page has one.
pub fn encode(text: &str, page: &CodePage) -> Vec<u8> {
    let byte = |character: char| match character {
        '¤' => page.byte_of('€').or_else(|| page.byte_of('¤')),
        other => page.byte_of(other),
    };
    text.chars().map(|character| byte(character).unwrap_or(page.space)).collect()
}

/// National languages with messages: mixed-case and upper-case English.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    #[default]
    Mixed,
    Upper,
}

/// Codes of IBM's national languages. A language without messages uses mixed-case English.
const LANGUAGES: [&str; 54] = [
    "AFR", "ARA", "BEL", "BGR", "CAT", "CHS", "CHT", "CSY", "DAN", "DES", "DEU", "ELL", "ENA", "ENG", "ENP", "ENU", "ESP", "FIN", "FRA",
    "FRB", "FRC", "FRS", "GAE", "HEB", "HRV", "HUN", "ISL", "ITA", "ITS", "JPN", "KOR", "MKD", "NLB", "NLD", "NON", "NOR", "PLK", "PTB",
    "PTG", "RMS", "ROM", "RUS", "SHC", "SHL", "SKY", "SLO", "SQI", "SRB", "SRL", "SVE", "THA", "TRK", "UKR", "URD",
];

impl Language {
    /// A language by its code in upper case; `None`: no such language.
    pub fn find(code: &str) -> Option<Language> {
        match code {
            "UEN" => Some(Language::Upper),
            other => LANGUAGES.contains(&other).then_some(Language::Mixed),
        }
    }

    pub fn code(self) -> &'static str {
        match self {
            Language::Mixed => "ENU",
            Language::Upper => "UEN",
        }
    }

    /// A message in this language.
    pub fn message(self, text: String) -> String {
        match self {
            Language::Mixed => text,
            Language::Upper => text.to_uppercase(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code_page::{CCSID_037, CCSID_819};

    #[test]
    fn documented_rows() {
        let argentina = find(*b"AR").unwrap();
        assert_eq!((argentina.time, argentina.date_and_time), ("HH.MI.SS", "DD/MM/YY HH.MI.SS"));
        assert_eq!(find(*b"XX"), None);
        assert_eq!(encode(EURO, &CCSID_037), [0x9F]);
        assert_eq!(encode("$", &CCSID_819), *b"$");
        assert_eq!(code_of([0x84, 0x85], &CCSID_037), Some(*b"DE"));
        assert_eq!(code_of([0x40, 0x40], &CCSID_037), None);
        assert_eq!((Language::find("UEN"), Language::find("XXX")), (Some(Language::Upper), None));
    }
}
