//! Callable services of the Programming Reference that are not there, and why: the compiler warns of their CALL, the run time refuses it.

use super::math;

const LOCALE: &str = "there are no locales of C";
const COUNTRY: &str = "the settings of countries and national languages are not there";

const SERVICES: [(&str, &str); 23] = [
    ("CEE3CIB", "there is no condition information block"),
    ("CEE3CTY", COUNTRY),
    ("CEE3INF", "the environment's flags are not there"),
    ("CEE3LNG", COUNTRY),
    ("CEE3MCS", COUNTRY),
    ("CEE3MC2", COUNTRY),
    ("CEE3MDS", COUNTRY),
    ("CEE3MTS", COUNTRY),
    ("CEE3RPH", "there are no storage and options reports"),
    ("CEEENV", "the environment variables of C are not there"),
    ("CEEFMDA", COUNTRY),
    ("CEEFMDT", COUNTRY),
    ("CEEFMON", LOCALE),
    ("CEEFMTM", COUNTRY),
    ("CEEFTDS", LOCALE),
    ("CEEGTJS", "there are no JCL symbols"),
    ("CEELCNV", LOCALE),
    ("CEEQDTC", LOCALE),
    ("CEEQRYL", LOCALE),
    ("CEERCDM", "there is no condition information block"),
    ("CEESCOL", LOCALE),
    ("CEESETL", LOCALE),
    ("CEETDLI", "there is no IMS"),
];

/// Why a CALL of this name, in upper case, is refused; `None`: it is not, or the name is no service's.
pub fn why(name: &str) -> Option<&'static str> {
    if matches!(math::find(name), Some(math::Found::Extended)) {
        return Some("it takes floating-point numbers of 128 bits, which COBOL does not have");
    }
    SERVICES.iter().find(|(service, _)| *service == name).map(|(_, why)| *why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_not_refused() {
        for name in ["CEEHDLR", "CEE3DLY", "CEESDSQT", "CEEDATE", "CEENOSUC", "SALES"] {
            assert_eq!(why(name), None, "{name}");
        }
        assert!(SERVICES.iter().all(|(name, _)| super::super::find(name).is_none()));
        for name in ["CEESQSQT", "CEESRLOG"] {
            assert!(why(name).is_some_and(|why| why.contains("128 bits")), "{name}");
        }
    }
}
