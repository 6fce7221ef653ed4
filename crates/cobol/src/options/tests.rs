//! Reading options, and naming them in the listing.

use super::*;

#[test]
fn process_statement_sets_options_and_reports_unknown_words() {
    let mut options = Options::default();
    let unknown = options.apply("APOST,ARITH(EXTEND) TRUNC(BIN) CICS('SP,EDF') NOSUCH RENT");
    assert_eq!(unknown, vec!["NOSUCH".to_string()]);
    assert_eq!(options.arith, Arith::Extend);
    assert_eq!(options.trunc, Trunc::Bin);
    assert_eq!(options.quote, QuoteCharacter::Apostrophe);
    assert_eq!(options.cics, Some(true));
}

/// "Defining translator options": EDF is the default, and is an option of CICS too.
#[test]
fn edf_is_an_option_of_the_translator() {
    let edf = |text: &str| {
        let mut options = Options::default();
        assert!(options.apply(text).is_empty(), "{text}");
        options.edf
    };
    assert!(edf("") && edf("CICS('SP,EDF')") && edf("NOEDF,EDF") && edf("NOCICS"));
    assert!(!edf("NOEDF") && !edf("CICS('NOEDF')") && !edf("CICS('SP NOEDF')") && !edf("CICS('EDF,NOEDF')") && !edf("XOPTS(SP NOEDF)"));
}

#[test]
fn the_listing_names_every_option_in_effect() {
    let mut options = Options::default();
    assert!(options.apply("TEST(SOURCE) OPT(2) AR(E) DEFINE(DEBUGGED,LEVEL=3)").is_empty());
    let words = options.in_effect();
    for wanted in [("ARITH(EXTEND)", true), ("TEST(SOURCE)", true), ("OPTIMIZE(2)", true), ("TRUNC(STD)", true), ("RENT", false)] {
        assert!(words.iter().any(|(text, reason)| (text.as_str(), reason.is_empty()) == wanted), "{wanted:?}");
    }
    assert_eq!(options.optimize, 2);
    assert!(options.apply("NOOPT").is_empty() && options.optimize == 0);
    assert_eq!(options.apply("OPT(3)"), ["OPT(3)"]);
    assert_eq!(options.defines[1], ("LEVEL".to_string(), "3".to_string()));
    assert_eq!(options.apply("ARITH(LONG) NOTRUNC OPTIMISE"), ["ARITH(LONG)", "NOTRUNC", "OPTIMISE"]);
}

/// ZONEDATA maps to INVDATA as the Programming Guide's table under "ZONEDATA" says. The options conflict with no other one ("Conflicting
/// compiler options"), and of two at the same level the last one counts.
#[test]
fn invdata_and_zonedata_are_one_option() {
    let named = |text: &str| {
        let mut options = Options::default();
        assert!(options.apply(text).is_empty(), "{text}");
        let words = options.in_effect();
        let is_meant = |text: &String| text.contains("INVDATA") || text.starts_with("ZONEDATA");
        let found: Vec<String> = words.into_iter().map(|(text, _)| text).filter(is_meant).collect();
        found.join(" ")
    };
    assert_eq!(named(""), "NOINVDATA ZONEDATA(PFD)");
    assert_eq!(named("INVDATA"), "INVDATA(NOFORCENUMCMP,CLEANSIGN) ZONEDATA(NOPFD)");
    assert_eq!(named("INVD(FNC)"), "INVDATA(FORCENUMCMP,CLEANSIGN) ZONEDATA(MIG)");
    assert_eq!(named("INVDATA(NOCLEANSIGN)"), "INVDATA(NOFORCENUMCMP,NOCLEANSIGN)");
    assert_eq!(named("INVDATA(FORCENUMCMP,NOCS)"), "INVDATA(FORCENUMCMP,NOCLEANSIGN)");
    assert_eq!(named("INVDATA(FNC NOFNC,NOCS,CS)"), "INVDATA(NOFORCENUMCMP,CLEANSIGN) ZONEDATA(NOPFD)");
    assert_eq!(named("ZD(MIG)"), "INVDATA(FORCENUMCMP,CLEANSIGN) ZONEDATA(MIG)");
    assert_eq!(named("ZONEDATA(NOPFD)"), "INVDATA(NOFORCENUMCMP,CLEANSIGN) ZONEDATA(NOPFD)");
    assert_eq!(named("ZONEDATA(MIG),ZONEDATA(PFD)"), "NOINVDATA ZONEDATA(PFD)");
    assert_eq!(named("ZONEDATA(MIG),NOINVD"), "NOINVDATA ZONEDATA(PFD)");
    assert_eq!(named("NOINVDATA,NUMPROC(PFD),ZONEDATA(MIG)"), "INVDATA(FORCENUMCMP,CLEANSIGN) ZONEDATA(MIG)");
    let mut options = Options::default();
    let wrong = ["INVDATA(CLEAN)", "ZONEDATA(LAX)", "NOZONEDATA", "ZONEDATA"];
    assert_eq!(options.apply(&wrong.join(" ")), wrong);
}
