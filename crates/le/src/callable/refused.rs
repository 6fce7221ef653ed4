//! Callable services of the Programming Reference that are not supported, and why: the compiler warns about their CALL, the run time
//! refuses it.

use super::math;

const SERVICES: [(&str, &str); 4] = [
    ("CEE3RPH", "there are no storage and options reports"),
    ("CEEMICT", "what it is for has no counterpart here"),
    ("CEETDLI", "there is no IMS"),
    ("CEEUSGD", "nothing collects usage data of products"),
];

/// Why a CALL of this name, in upper case, is refused; `None` if it is not refused or the name is not that of a service.
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
    fn supported_services_are_not_refused() {
        for name in ["CEEHDLR", "CEE3DLY", "CEESDSQT", "CEEDATE", "CEE3CTY", "CEEENV", "CEE3CIB", "CEESETL", "CEENOSUC", "SALES"] {
            assert_eq!(why(name), None, "{name}");
        }
        assert!(SERVICES.iter().all(|(name, _)| super::super::find(name).is_none()));
        for name in ["CEESQSQT", "CEESRLOG"] {
            assert!(why(name).is_some_and(|why| why.contains("128 bits")), "{name}");
        }
    }
}
