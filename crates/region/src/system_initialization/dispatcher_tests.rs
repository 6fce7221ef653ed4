//! The parameters of the dispatcher: defaults, computed defaults, and their least and greatest values.

use super::SystemInitialization;
use std::time::Duration;

fn is_accepted(parameter: &str) -> bool {
    SystemInitialization::new().apply(parameter).is_ok()
}

/// MAXOPENTCBS and MAXXPTCBS follow from MXT unless they are given: 2 x MXT + 32, and MXT. MAXSSLTCBS is 32.
#[test]
fn limits_of_tcbs_are_computed_from_mxt() {
    for (mxt, open, xplink) in [(10, 52, 10), (250, 532, 250), (2000, 4032, 2000)] {
        let mut sit = SystemInitialization::new();
        sit.apply(&format!("MXT={mxt}")).unwrap();
        assert_eq!((sit.max_open_tcbs(), sit.max_xp_tcbs(), sit.number("MAXSSLTCBS")), (open, xplink, 32), "MXT={mxt}");
    }
    let mut sit = SystemInitialization::new();
    for parameter in ["MXT=100", "MAXOPENTCBS=40", "MAXXPTCBS=7", "MAXSSLTCBS=9"] {
        sit.apply(parameter).unwrap();
    }
    assert_eq!((sit.max_open_tcbs(), sit.max_xp_tcbs(), sit.number("MAXSSLTCBS")), (40, 7, 9));
}

/// The least MAXOPENTCBS was 1 until CICS TS 5.4, and the default of MAXSSLTCBS 8.
#[test]
fn limits_of_tcbs_have_their_ranges() {
    for (name, least, most) in [("MAXOPENTCBS", 32, 4032), ("MAXXPTCBS", 1, 2000), ("MAXSSLTCBS", 1, 1024)] {
        for (value, expected) in [(least - 1, false), (least, true), (most, true), (most + 1, false)] {
            assert_eq!(is_accepted(&format!("{name}={value}")), expected, "{name}={value}");
        }
    }
}

/// Milliseconds. The default of ICVTSD was 500 until CICS TS 5.1.
#[test]
fn icv_is_1000_and_icvtsd_0_to_5000() {
    let sit = SystemInitialization::new();
    assert_eq!((sit.interval(), sit.terminal_scan_delay()), (Duration::from_millis(1000), Duration::ZERO));
    for (parameter, expected) in [
        ("ICV=99", false),
        ("ICV=100", true),
        ("ICV=250", true),
        ("ICV=3600000", true),
        ("ICV=3600001", false),
        ("ICVTSD=0", true),
        ("ICVTSD=5000", true),
        ("ICVTSD=5001", false),
    ] {
        assert_eq!(is_accepted(parameter), expected, "{parameter}");
    }
}

#[test]
fn subtsks_is_0_or_1() {
    assert!(SystemInitialization::new().is("SUBTSKS", "0"));
    for (value, expected) in [("0", true), ("1", true), ("2", false)] {
        assert_eq!(is_accepted(&format!("SUBTSKS={value}")), expected, "SUBTSKS={value}");
    }
}
