//! SQL("..."): options of the SQL coprocessor. (Db2 for z/OS Application Programming and SQL Guide, "SQL processing options".)
//!
//! Options that choose between forms of one behaviour here, such as ATTACH or VERSION, are accepted and have no effect.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SqlOptions {
    /// DEC(31) instead of DEC(15).
    pub long_decimals: bool,
    /// QUOTESQL: strings of SQL are between quotation marks.
    pub quotes: bool,
    /// COMMA or PERIOD: the decimal point of SQL. `None`: that of the program.
    pub comma: Option<bool>,
    /// STDSQL(YES): SQLCODE and SQLSTATE are items of the program.
    pub standard: bool,
}

/// Options without effect, with or without a value.
const ACCEPTED: &[&str] = &[
    "APOST",
    "APCOMPARE",
    "ATTACH",
    "CCSID",
    "CONNECT",
    "CT",
    "DATE",
    "FLAG",
    "FLOAT",
    "GRAPHIC",
    "HOST",
    "LEVEL",
    "L",
    "LINECOUNT",
    "LC",
    "MARGINS",
    "MAR",
    "NEWFUN",
    "NOFOR",
    "NOGRAPHIC",
    "NOOPTIONS",
    "NOPADNTSTR",
    "NOSOURCE",
    "NOSQLCCSID",
    "NOXREF",
    "ON",
    "ONEPASS",
    "OPTIONS",
    "OPTN",
    "PADNTSTR",
    "QUOTE",
    "SOURCE",
    "SQL",
    "SQLCCSID",
    "SQLFLAG",
    "SQLLEVEL",
    "STDSQL",
    "TIME",
    "TWOPASS",
    "TW",
    "VERSION",
    "VER",
    "XREF",
];

impl SqlOptions {
    /// The options in a list, or the first word that is none.
    pub fn parse(text: &str) -> Result<SqlOptions, String> {
        let mut options = SqlOptions::default();
        for word in super::split_options(text) {
            let (name, value) = match word.split_once('(') {
                Some((name, rest)) => (name, Some(rest.trim_end_matches(')').trim())),
                None => (word.as_str(), None),
            };
            match (name, value) {
                ("DEC", Some("15")) | ("DEC15", None) => options.long_decimals = false,
                ("DEC", Some("31")) | ("DEC31", None) => options.long_decimals = true,
                ("APOSTSQL", None) => options.quotes = false,
                ("QUOTESQL", None) => options.quotes = true,
                ("PERIOD", None) => options.comma = Some(false),
                ("COMMA", None) => options.comma = Some(true),
                ("STDSQL", Some("YES" | "86")) => options.standard = true,
                ("STDSQL", Some("NO")) => options.standard = false,
                (name, _) if ACCEPTED.contains(&name) => {}
                // D15.2 and the like: the precision, and the least scale of a quotient.
                (name, None) if name.starts_with("D15.") => options.long_decimals = false,
                (name, None) if name.starts_with("D31.") => options.long_decimals = true,
                _ => return Err(word),
            }
        }
        Ok(options)
    }

    /// The first word of a complete option `SQL(...)` that is not understood.
    pub fn unknown_in(word: &str) -> Option<String> {
        let value = word.strip_prefix("SQL(")?;
        SqlOptions::parse(value.strip_suffix(')').unwrap_or(value).trim().trim_matches(['\'', '"'])).err()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_the_unknown_one_is_named() {
        let options = SqlOptions::parse("DEC(31) QUOTESQL,STDSQL(YES) ATTACH(RRSAF) DATE(ISO) COMMA").unwrap();
        assert_eq!(options, SqlOptions { long_decimals: true, quotes: true, comma: Some(true), standard: true });
        assert_eq!(SqlOptions::parse(""), Ok(SqlOptions::default()));
        assert_eq!(SqlOptions::parse("DEC(20)"), Err("DEC(20)".to_string()));
        assert_eq!(SqlOptions::unknown_in("SQL('APOSTSQL NONSENSE')").as_deref(), Some("NONSENSE"));
        assert_eq!(SqlOptions::unknown_in("SQL"), None);
    }
}
