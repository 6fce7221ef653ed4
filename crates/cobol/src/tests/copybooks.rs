//! The copy members that the compiler supplies, name by name, against what IBM documents. The lists are written out here and share nothing
//! with the tables that the members are made from.
//!
//! Sources: CICS TS, "Attention identifier constants, DFHAID", "BMS constants" and "EXEC interface block fields" (Application Programming
//! Reference); values of attention identifiers and attributes from the 3270 Data Stream Programmer's Reference (GA23-0059); Language
//! Environment Programming Reference and Run-Time Messages; Db2 for z/OS, "SQL communication area" and "SQL descriptor area".

use super::*;
use crate::source::supplied_member;

/// The entries of a member: level, name and clauses, without comments.
fn entries(member: &str) -> Vec<(u8, String, String)> {
    let text = supplied_member(member).unwrap_or_else(|| panic!("{member} is supplied"));
    let lines = text.lines().filter(|line| line.as_bytes().get(6) != Some(&b'*'));
    let entry = |line: &str| {
        assert!(line.len() <= 72 && line.ends_with('.'), "{member}: {line}");
        let mut words = line.trim_end_matches('.').split_whitespace();
        let (level, name) = (words.next().expect("a level"), words.next().expect("a name"));
        (level.parse().expect("a number"), name.to_string(), words.collect::<Vec<_>>().join(" "))
    };
    lines.map(entry).collect()
}

/// The names of one-byte constants and their values, in order.
fn constants(member: &str) -> Vec<(String, u8)> {
    let value = |clauses: &str| {
        let digits = clauses.strip_prefix("PIC X VALUE X'").and_then(|rest| rest.strip_suffix('\''));
        u8::from_str_radix(digits.unwrap_or_else(|| panic!("{member}: {clauses}")), 16).expect("a byte")
    };
    let bytes = entries(member).into_iter().filter(|(level, name, _)| *level == 2 && name != "DFHBMFLG");
    bytes.map(|(_, name, clauses)| (name, value(&clauses))).collect()
}

/// `NAME XX NAME XX ...` as pairs, sorted.
fn documented(text: &str) -> Vec<(String, u8)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut pairs: Vec<(String, u8)> =
        words.chunks(2).map(|pair| (pair[0].to_string(), u8::from_str_radix(pair[1], 16).expect("a byte"))).collect();
    pairs.sort();
    pairs
}

fn sorted(mut pairs: Vec<(String, u8)>) -> Vec<(String, u8)> {
    pairs.sort();
    pairs
}

#[test]
fn dfhaid_has_the_documented_names_and_values() {
    let expected = documented(
        "DFHNULL 00 DFHENTER 7D DFHCLEAR 6D DFHCLRP 6A DFHPEN 7E DFHOPID E6 DFHMSRE E7 DFHSTRF 88 DFHTRIG 7F \
         DFHPA1 6C DFHPA2 6E DFHPA3 6B \
         DFHPF1 F1 DFHPF2 F2 DFHPF3 F3 DFHPF4 F4 DFHPF5 F5 DFHPF6 F6 DFHPF7 F7 DFHPF8 F8 DFHPF9 F9 DFHPF10 7A DFHPF11 7B DFHPF12 7C \
         DFHPF13 C1 DFHPF14 C2 DFHPF15 C3 DFHPF16 C4 DFHPF17 C5 DFHPF18 C6 DFHPF19 C7 DFHPF20 C8 DFHPF21 C9 DFHPF22 4A DFHPF23 4B \
         DFHPF24 4C",
    );
    assert_eq!(expected.len(), 36);
    assert_eq!(sorted(constants("DFHAID")), expected);
    assert_eq!(entries("DFHAID")[0], (1, "DFHAID".to_string(), String::new()));
}

#[test]
fn dfhbmsca_has_the_documented_names_and_values() {
    let expected = documented(
        // Printer controls and attributes of fields.
        "DFHBMPEM 19 DFHBMPNL 15 DFHBMPFF 0C DFHBMPCR 0D DFHBMASK F0 DFHBMUNP 40 DFHBMUNN 50 DFHBMPRO 60 DFHBMBRY C8 DFHBMDAR 4C \
         DFHBMFSE C1 DFHBMPRF 61 DFHBMASF F1 DFHBMASB F8 DFHBMPSO 0E DFHBMPSI 0F DFHBMEOF 80 DFHBMCUR 02 DFHBMEC 82 DFHBMDET FF \
         DFHUNNOD 4D DFHUNIMD C9 DFHUNNUM D1 DFHUNNUB D8 DFHUNINT D9 DFHUNNON 5D DFHPROTI E8 DFHPROTN 6C \
         DFHSA 28 DFHERROR 3F DFHCOLOR 42 DFHPS 43 DFHHLT 41 DFH3270 C0 DFHVAL C1 DFHOUTLN C2 DFHBKTRN 46 DFHALL 00 DFHDFT FF \
         DFHDFCOL 00 DFHBLUE F1 DFHRED F2 DFHPINK F3 DFHGREEN F4 DFHTURQ F5 DFHYELLO F6 DFHNEUTR F7 \
         DFHBASE 00 DFHDFHI 00 DFHBLINK F1 DFHREVRS F2 DFHUNDLN F4 \
         DFHMFIL 04 DFHMENT 02 DFHMFE 06 DFHMT 01 DFHMFT 05 DFHMET 03 DFHMFET 07 \
         DFHDFFR 00 DFHUNDER 01 DFHRIGHT 02 DFHOVER 04 DFHLEFT 08 DFHBOX 0F DFHSOSI 01 DFHTRANS F0 DFHOPAQ FF",
    );
    assert_eq!(sorted(constants("DFHBMSCA")), expected);
    // COBOL only: the flag byte and its condition names.
    let flags: Vec<_> = entries("DFHBMSCA").into_iter().filter(|(level, name, _)| *level == 88 || name == "DFHBMFLG").collect();
    let flags: Vec<(u8, &str, &str)> = flags.iter().map(|(level, name, clauses)| (*level, &**name, &**clauses)).collect();
    assert_eq!(flags, [(2, "DFHBMFLG", "PIC X"), (88, "DFHERASE", "VALUES X'80', X'82'"), (88, "DFHCURSR", "VALUES X'02', X'82'")]);
}

fn clauses_of(member: &str) -> Vec<String> {
    entries(member).into_iter().map(|(level, name, clauses)| format!("{level:02} {name} {clauses}").trim_end().to_string()).collect()
}

/// The pictures are those of "EXEC interface block fields"; the block has 85 bytes.
#[test]
fn dfheiblk_has_the_documented_fields_and_pictures() {
    let expected = [
        "01 DFHEIBLK",
        "02 EIBTIME PIC S9(7) COMP-3",
        "02 EIBDATE PIC S9(7) COMP-3",
        "02 EIBTRNID PIC X(4)",
        "02 EIBTASKN PIC S9(7) COMP-3",
        "02 EIBTRMID PIC X(4)",
        "02 DFHEIGDI PIC S9(4) COMP",
        "02 EIBCPOSN PIC S9(4) COMP",
        "02 EIBCALEN PIC S9(4) COMP",
        "02 EIBAID PIC X",
        "02 EIBFN PIC X(2)",
        "02 EIBRCODE PIC X(6)",
        "02 EIBDS PIC X(8)",
        "02 EIBREQID PIC X(8)",
        "02 EIBRSRCE PIC X(8)",
        "02 EIBSYNC PIC X",
        "02 EIBFREE PIC X",
        "02 EIBRECV PIC X",
        "02 EIBFIL01 PIC X",
        "02 EIBATT PIC X",
        "02 EIBEOC PIC X",
        "02 EIBFMH PIC X",
        "02 EIBCOMPL PIC X",
        "02 EIBSIG PIC X",
        "02 EIBCONF PIC X",
        "02 EIBERR PIC X",
        "02 EIBERRCD PIC X(4)",
        "02 EIBSYNRB PIC X",
        "02 EIBNODAT PIC X",
        "02 EIBRESP PIC S9(8) COMP",
        "02 EIBRESP2 PIC S9(8) COMP",
        "02 EIBRLDBK PIC X",
    ];
    assert_eq!(clauses_of("DFHEIBLK"), expected);
}

/// Severities: I is 0, W 1, E 2, S 3. A value is severity, message number, case and severity again, and the facility CEE in EBCDIC.
#[test]
fn ceeigzct_has_the_condition_tokens_of_the_date_services() {
    let documented = [
        ("CEE000", "0000000000000000"),
        ("CEE2E9", "000309C959C3C5C5"), // CEE2505S: number of seconds outside the supported range
        ("CEE2EB", "000309CB59C3C5C5"), // CEE2507S: insufficient data
        ("CEE2EC", "000309CC59C3C5C5"), // CEE2508S: the date was not valid
        ("CEE2ED", "000309CD59C3C5C5"), // CEE2509S: Japanese or Republic of China era not recognized
        ("CEE2EE", "000309CE59C3C5C5"), // CEE2510S: hours not recognized
        ("CEE2EF", "000309CF59C3C5C5"), // CEE2511S: day of CEEISEC
        ("CEE2EG", "000309D059C3C5C5"), // CEE2512S: Lilian date outside the range
        ("CEE2EH", "000309D159C3C5C5"), // CEE2513S: input date outside the range
        ("CEE2EI", "000309D259C3C5C5"), // CEE2514S: year of CEEISEC
        ("CEE2EJ", "000309D359C3C5C5"), // CEE2515S: milliseconds
        ("CEE2EK", "000309D459C3C5C5"), // CEE2516S: minutes
        ("CEE2EL", "000309D559C3C5C5"), // CEE2517S: month
        ("CEE2EM", "000309D659C3C5C5"), // CEE2518S: picture string
        ("CEE2EN", "000309D759C3C5C5"), // CEE2519S: seconds
        ("CEE2EO", "000309D859C3C5C5"), // CEE2520S: nonnumeric data, CEEDAYS
        ("CEE2EP", "000309D959C3C5C5"), // CEE2521S: the year within the era was zero
        ("CEE2EQ", "000309DA59C3C5C5"), // CEE2522S: an era without its year
        ("CEE2ET", "000309DD59C3C5C5"), // CEE2525S: nonnumeric data, CEESECS
        ("CEE2EU", "000209DE51C3C5C5"), // CEE2526E: the date string was truncated
        ("CEE2EV", "000209DF51C3C5C5"), // CEE2527E: the timestamp string was truncated
        ("CEE2F3", "000309E359C3C5C5"), // CEE2531S: the local time was not available
        ("CEE2F5", "000309E559C3C5C5"), // CEE2533S: century window
        ("CEE2F6", "000109E649C3C5C5"), // CEE2534W: field too narrow for the name of a month or weekday
    ];
    let supplied = clauses_of("CEEIGZCT");
    for (name, value) in documented {
        assert!(supplied.contains(&format!("88 {name} VALUE X'{value}'")), "{name}: {supplied:#?}");
    }
}

/// `LC_` macros of locale.h for CEESETL and CEEQRYL; tm of time.h for CEEFTDS.
#[test]
fn members_of_the_locale_services_have_the_documented_names() {
    let categories = ["ALL -1", "COLLATE 0", "CTYPE 1", "NUMERIC 2", "MONETARY 3", "TIME 4", "MESSAGES 6"];
    let expected: Vec<String> = categories
        .iter()
        .filter_map(|category| category.split_once(' '))
        .map(|(name, value)| format!("01 LC-{name} PIC S9(9) BINARY VALUE {value}"))
        .collect();
    assert_eq!(clauses_of("CEEIGZLC"), expected);
    let fields = ["SEC", "MIN", "HOUR", "DAY", "MON", "YEAR", "WDAY", "YDAY", "ISDST"];
    let expected = ["01 TD-STRUCT".to_string()].into_iter().chain(fields.iter().map(|name| format!("05 TM-{name} PIC S9(9) BINARY")));
    assert_eq!(clauses_of("CEEIGZTD"), expected.collect::<Vec<_>>());
}

#[test]
fn ceeigzci_has_the_documented_fields() {
    let expected = [
        "01 CEECIB",
        "05 CIB-EYE PIC X(4)",
        "05 CIB-BACK POINTER",
        "05 CIB-FWRD POINTER",
        "05 CIB-SIZE PIC S9(4) BINARY",
        "05 CIB-VERSION PIC S9(4) BINARY",
        "05 CIB-PLAT-ID PIC S9(9) BINARY",
        "05 FILLER PIC X(4)",
        "05 CIB-COND PIC X(12)",
        "05 CIB-MACHINE POINTER",
        "05 CIB-OLD-COND PIC X(12)",
        "05 CIB-FLG-1 PIC X",
        "05 CIB-FLG-2 PIC X",
        "05 CIB-FLG-3 PIC X",
        "05 CIB-FLG-4 PIC X",
        "05 FILLER PIC X(120)",
        "05 CIB-FLG-5 PIC X",
        "05 CIB-FLG-6 PIC X",
        "05 CIB-FLG-7 PIC X",
        "05 CIB-FLG-8 PIC X",
        "05 CIB-ABCD PIC X(4)",
        "05 CIB-ABRC PIC S9(9) BINARY",
        "05 CIB-ABNAME PIC X(8)",
        "05 CIB-PL POINTER",
        "05 CIB-SV2 POINTER",
        "05 CIB-SV1 POINTER",
        "05 CIB-INT POINTER",
        "05 CIB-MID PIC S9(9) BINARY",
        "05 CIB-HDL-SF POINTER",
        "05 CIB-HDL-EPT POINTER",
        "05 CIB-HDL-RST POINTER",
        "05 FILLER PIC X(16)",
        "05 CIB-Q-DATA PIC S9(9) BINARY",
        "05 FILLER PIC X(16)",
        "05 CIB-DUMP-NAME POINTER",
    ];
    assert_eq!(clauses_of("CEEIGZCI"), expected);
}

#[test]
fn sqlca_and_sqlda_have_the_documented_fields() {
    let expected = [
        "01 SQLCA",
        "05 SQLCAID PIC X(8)",
        "05 SQLCABC PIC S9(9) COMP-5",
        "05 SQLCODE PIC S9(9) COMP-5",
        "05 SQLERRM",
        "49 SQLERRML PIC S9(4) COMP-5",
        "49 SQLERRMC PIC X(70)",
        "05 SQLERRP PIC X(8)",
        "05 SQLERRD PIC S9(9) COMP-5 OCCURS 6 TIMES",
        "05 SQLWARN",
        "10 SQLWARN0 PIC X",
        "10 SQLWARN1 PIC X",
        "10 SQLWARN2 PIC X",
        "10 SQLWARN3 PIC X",
        "10 SQLWARN4 PIC X",
        "10 SQLWARN5 PIC X",
        "10 SQLWARN6 PIC X",
        "10 SQLWARN7 PIC X",
        "05 SQLEXT",
        "10 SQLWARN8 PIC X",
        "10 SQLWARN9 PIC X",
        "10 SQLWARNA PIC X",
        "10 SQLSTATE PIC X(5)",
    ];
    assert_eq!(clauses_of("SQLCA"), expected);
    let expected = [
        "01 SQLDA",
        "02 SQLDAID PIC X(8) VALUE 'SQLDA'",
        "02 SQLDABC PIC S9(9) COMP-5 VALUE 33016",
        "02 SQLN PIC S9(4) COMP-5 VALUE 750",
        "02 SQLD PIC S9(4) COMP-5 VALUE 0",
        "02 SQLVAR OCCURS 1 TO 750 TIMES DEPENDING ON SQLN",
        "03 SQLTYPE PIC S9(4) COMP-5",
        "03 SQLLEN PIC S9(4) COMP-5",
        "03 SQLDATA POINTER",
        "03 SQLIND POINTER",
        "03 SQLNAME",
        "49 SQLNAMEL PIC S9(4) COMP-5",
        "49 SQLNAMEC PIC X(30)",
    ];
    assert_eq!(clauses_of("SQLDA"), expected);
}

/// Every member compiles where a program copies it, and has the documented length.
#[test]
fn supplied_members_compile_to_their_documented_lengths() {
    let working = "COPY DFHAID.\nCOPY DFHBMSCA.\nCOPY SQLCA.\nCOPY SQLDA.\nCOPY CEEIGZLC.\nCOPY CEEIGZTD.\nCOPY CEEIGZCI.\n\
                   01 FC.\n 02 TOKEN PIC X(8).\nCOPY CEEIGZCT.\n 02 INFO PIC X(4).";
    let program = program(working, "IF CEE000 OF FC DISPLAY 'OK' END-IF.");
    for (name, length) in [("DFHAID", 36), ("SQLCA", 136), ("SQLDA", 33_016), ("TD-STRUCT", 36), ("CEECIB", 268), ("FC", 12)] {
        assert_eq!(find(&program, name).length_max, length, "{name}");
    }
}
