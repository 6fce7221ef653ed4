//! Programs in national code pages. Expected bytes come from iconv, and from the charts where iconv differs (871).

mod common;

use common::{compile_with, plain, program, run_module, settings};

/// What a program displays in a code page, with inline code everywhere and nowhere.
fn lines(data: &str, procedure: &str, ccsid: u16) -> Vec<String> {
    let source = program(data, procedure);
    let [first, second] = [settings(true), plain()].map(|settings| {
        let outcome = run_module(&compile_with(&source, ccsid, &settings), &[]);
        assert!(
            outcome.failure.is_none(),
            "CCSID {ccsid}: {}\n{source}",
            outcome.failure.map(|failure| failure.text()).unwrap_or_default()
        );
        outcome.output
    });
    assert_eq!(first, second, "CCSID {ccsid}");
    first.lines().map(|line| line.trim_end().to_string()).collect()
}

/// The messages of a compilation with options.
fn messages(options: &str, data: &str, procedure: &str) -> String {
    common::messages(options, &program(data, procedure))
}

/// Code page, text in capitals and small letters of the country, and its bytes.
const COUNTRIES: [(u16, &str, &str, &str, &str); 12] = [
    (273, "ÄÖÜ", "äöü", "4AE05A", "C06AD0"),
    (277, "ÆØÅ", "æøå", "7B7C5B", "C06AD0"),
    (278, "ÄÖÅ", "äöå", "7B7C5B", "C06AD0"),
    (280, "ÀÈÌ", "àèì", "647478", "C0D0A1"),
    (297, "ÀÉÇ", "àéç", "647168", "7CC0E0"),
    (500, "ÄÖÜ", "äöü", "63ECFC", "43CCDC"),
    (871, "ÐÞÆ", "ðþæ", "7C4A5A", "79C0D0"),
    (1026, "ŞĞÇ", "şğç", "7C5A4A", "6AD0C0"),
    (1025, "АБЦ", "абц", "B9BABB", "777880"),
    (1141, "ÄÖÜ", "äöü", "4AE05A", "C06AD0"),
    (1142, "ÆØÅ", "æøå", "7B7C5B", "C06AD0"),
    (1147, "ÀÉÇ", "àéç", "647168", "7CC0E0"),
];

#[test]
fn literals_items_and_functions_are_in_the_code_page() {
    for (ccsid, upper, lower, upper_bytes, lower_bytes) in COUNTRIES {
        let data = format!(
            "01 U PIC X(3) VALUE '{upper}'.\n01 L PIC X(3).\n01 N PIC N(3).\n01 W PIC X(3).\n01 Q PIC X(2) VALUE '\"$'.\n\
             01 R PIC X(4) VALUE 'A1 b'."
        );
        let procedure = format!(
            "MOVE '{lower}' TO L\nDISPLAY FUNCTION HEX-OF(U) ' ' FUNCTION HEX-OF(L)\nDISPLAY FUNCTION UPPER-CASE(L) ' '\n\
             FUNCTION LOWER-CASE(U)\nMOVE L TO N\nIF N = N'{lower}' DISPLAY 'NATIONAL' END-IF\nMOVE FUNCTION DISPLAY-OF(N) TO W\n\
             IF W = L AND N = L DISPLAY 'BACK' END-IF\nMOVE FUNCTION NATIONAL-OF(U) TO N\n\
             MOVE FUNCTION DISPLAY-OF(N) TO W\nIF W = U DISPLAY 'FUNCTIONS' END-IF\n\
             IF R IS ALPHABETIC DISPLAY 'WRONG' END-IF\nIF R(4:) IS ALPHABETIC-LOWER AND R(1:1) IS ALPHABETIC-UPPER\n\
               AND R(2:1) IS NUMERIC DISPLAY 'CLASS' END-IF\nDISPLAY U ' ' L ' ' Q\nSTOP RUN."
        );
        let expected = [
            format!("{upper_bytes} {lower_bytes}"),
            format!("{upper} {lower}"),
            "NATIONAL".to_string(),
            "BACK".to_string(),
            "FUNCTIONS".to_string(),
            "CLASS".to_string(),
            format!("{upper} {lower} \"$"),
        ];
        assert_eq!(lines(&data, &procedure, ccsid), expected, "CCSID {ccsid}");
    }
}

/// The dollar and pound signs are where the page has them, also when a picture puts or takes them.
#[test]
fn currency_signs_come_from_the_page() {
    let data = "01 E PIC $$9.99.\n01 V PIC 9(3)V99.";
    let procedure = "MOVE 1.5 TO E\nDISPLAY FUNCTION HEX-OF(E)\nMOVE E TO V\nDISPLAY E ' ' V\nSTOP RUN.";
    for (ccsid, dollar) in [(37, "5B"), (273, "5B"), (277, "67"), (278, "67"), (285, "4A"), (297, "5B"), (1026, "AD"), (1146, "4A")] {
        let expected = [format!("40{dollar}F14BF5F0"), " $1.50 00150".to_string()];
        assert_eq!(lines(data, procedure, ccsid), expected, "CCSID {ccsid}");
    }
}

#[test]
fn national_currency_symbols_work_in_pictures() {
    let source = |sign: &str| {
        format!(
            "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. T.\n       ENVIRONMENT DIVISION.\n       CONFIGURATION SECTION.\n       \
             SPECIAL-NAMES.\n           CURRENCY SIGN IS '{sign}'.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n       \
             01 E PIC {sign}{sign}9.99.\n       01 V PIC 9(3)V99.\n       PROCEDURE DIVISION.\n           \
             MOVE 1.5 TO E\n           DISPLAY FUNCTION HEX-OF(E)\n           MOVE E TO V\n           DISPLAY E ' ' V\n           STOP RUN.\n"
        )
    };
    for (ccsid, sign, byte) in [(285, "£", "5B"), (37, "£", "B1"), (1140, "€", "9F"), (1142, "€", "5A"), (1146, "€", "9F")] {
        let outcome = run_module(&compile_with(&source(sign), ccsid, &settings(true)), &[]);
        let shown: Vec<&str> = outcome.output.lines().map(str::trim_end).collect();
        assert_eq!(shown, [format!("40{byte}F14BF5F0"), format!(" {sign}1.50 00150")], "CCSID {ccsid}");
    }
}

/// The euro sign of the pages with one, by the chart of each.
#[test]
fn the_euro_sign_is_where_the_page_has_it() {
    let pages = [
        (1140, "9F"),
        (1141, "9F"),
        (1142, "5A"),
        (1143, "5A"),
        (1144, "9F"),
        (1145, "9F"),
        (1146, "9F"),
        (1147, "9F"),
        (1148, "9F"),
        (1149, "9F"),
    ];
    for (ccsid, byte) in pages {
        let shown =
            lines("01 E PIC X VALUE '€'.\n01 N PIC N.", "MOVE E TO N\nDISPLAY FUNCTION HEX-OF(E) FUNCTION HEX-OF(N)\nSTOP RUN.", ccsid);
        assert_eq!(shown, [format!("{byte}20AC")], "CCSID {ccsid}");
    }
    let warned = messages("CODEPAGE(37)", "01 E PIC X.", "MOVE '€' TO E\nSTOP RUN.");
    assert!(warned.contains("code page 37 has no '€': the substitute character stands for it"), "{warned}");
}

#[test]
fn functions_convert_by_the_ccsid_they_are_given() {
    let data = "01 N PIC N(4) VALUE N'Ä[€日'.\n01 X PIC X(12).";
    let procedure = "DISPLAY FUNCTION HEX-OF(FUNCTION DISPLAY-OF(N 273))\nDISPLAY FUNCTION HEX-OF(FUNCTION DISPLAY-OF(N 1047))\n\
                     DISPLAY FUNCTION HEX-OF(FUNCTION DISPLAY-OF(N 1140))\nDISPLAY FUNCTION HEX-OF(FUNCTION DISPLAY-OF(N 1399))\n\
                     MOVE X'4A63' TO X\nIF FUNCTION NATIONAL-OF(X(1:2) 273) = N'Ä['\n  DISPLAY 'NATIONAL' END-IF\n\
                     MOVE X'0E45620F81' TO X\nIF FUNCTION NATIONAL-OF(X(1:5) 939) = N'日a'\n  DISPLAY 'MIXED' END-IF\nSTOP RUN.";
    // A character that a page does not have is its substitute; 1399 has Ä and 日 as double-byte characters.
    let expected = ["4A633F3F", "63AD3F3F", "63BA9F3F", "0ED65A0FADE10E45620F", "NATIONAL", "MIXED"];
    assert_eq!(lines(data, procedure, 37), expected);
}

#[test]
fn double_byte_literals_and_items_of_a_mixed_page() {
    let data = "01 M PIC X(8) VALUE 'a日本b'.\n01 G PIC G(3) DISPLAY-1 VALUE G'日本'.\n01 GX REDEFINES G PIC X(6).\n01 N PIC N(4).\n\
                01 D PIC N(2) USAGE DISPLAY-1.\n01 DX REDEFINES D PIC X(4).\n01 W PIC X(8).";
    let procedure = "DISPLAY FUNCTION HEX-OF(M)\nDISPLAY FUNCTION HEX-OF(GX)\nMOVE M TO N\nIF N = N'a日本b' DISPLAY 'NATIONAL' END-IF\n\
                     MOVE FUNCTION DISPLAY-OF(N) TO W\nIF W = M DISPLAY 'BACK' END-IF\nMOVE G TO N\nIF N = N'日本\u{3000} ' DISPLAY 'DBCS' END-IF\n\
                     IF G = N'日本' DISPLAY 'COMPARED' ELSE DISPLAY 'BLANK' END-IF\nMOVE G'語' TO D\nDISPLAY FUNCTION HEX-OF(DX)\n\
                     IF D IS DBCS AND D IS KANJI DISPLAY 'CLASS' END-IF\nDISPLAY M G\nMOVE FUNCTION UPPER-CASE(M) TO W\nDISPLAY W\nSTOP RUN.";
    for (ccsid, a, b) in [(939, "81", "82"), (1399, "81", "82"), (930, "62", "63"), (1390, "62", "63")] {
        let expected = [
            format!("{a}0E456245660F{b}"),
            "456245664040".to_string(),
            "NATIONAL".to_string(),
            "BACK".to_string(),
            "DBCS".to_string(),
            "BLANK".to_string(),
            "48E74040".to_string(),
            "CLASS".to_string(),
            "a日本b日本\u{3000}".trim_end_matches(' ').to_string(),
            "A日本B".to_string(),
        ];
        let shown = lines(data, procedure, ccsid);
        assert_eq!(
            shown.iter().map(|line| line.trim_end()).collect::<Vec<_>>(),
            expected.iter().map(|line| line.trim_end()).collect::<Vec<_>>(),
            "{ccsid}"
        );
    }
}

/// N literals and PICTURE N are DBCS under NSYMBOL(DBCS).
#[test]
fn nsymbol_dbcs_makes_n_double_byte() {
    let data = "01 D PIC N(2) VALUE N'日本'.\n01 DX REDEFINES D PIC X(4).";
    let mut options = cobol::Options::default();
    assert!(options.apply("CODEPAGE(939) NSYMBOL(DBCS)").is_empty());
    let source = program(data, "DISPLAY FUNCTION HEX-OF(DX)\nSTOP RUN.");
    let compiled = cobol::compile_source("TEST.cbl", source.as_bytes(), &options, &cobol::source::NoCopies);
    assert!(compiled.is_usable(), "{}", compiled.diagnostics.render(&compiled.sources));
    let image = codegen::compile(&compiled.programs, &settings(true)).unwrap();
    let module = program::module::Module::from_bytes(&image.to_bytes()).unwrap();
    assert_eq!(run_module(&module, &[]).output.trim_end(), "45624566");
}

#[test]
fn unsupported_uses_of_a_code_page_are_refused() {
    let literal = messages("CODEPAGE(37)", "01 G PIC G(2) DISPLAY-1.", "MOVE G'日本' TO G\nSTOP RUN.");
    assert!(
        literal.contains("a DBCS literal needs a code page with double-byte characters, such as CODEPAGE(939); 37 has none"),
        "{literal}"
    );
    let moved = messages("CODEPAGE(37)", "01 G PIC G(2) DISPLAY-1.\n01 N PIC N(2).", "MOVE G TO N\nSTOP RUN.");
    assert!(moved.contains("code page 37 has no double-byte characters to convert DBCS data with"), "{moved}");
    let narrow = messages("CODEPAGE(939)", "01 G PIC G(2) DISPLAY-1.", "MOVE G'日a' TO G\nSTOP RUN.");
    assert!(narrow.contains("'a' is not a double-byte character of code page 939"), "{narrow}");
    let mut options = cobol::Options::default();
    assert_eq!(options.apply("CODEPAGE(38) CODEPAGE(300)"), ["CODEPAGE(38)", "CODEPAGE(300)"]);
    assert!(options.apply("CODEPAGE(1026) CP(939)").is_empty());
}

#[test]
fn json_and_xml_are_composed_and_read_in_the_code_page() {
    let data = "01 A.\n  05 ORT PIC X(6) VALUE 'KÖLN'.\n  05 NR PIC 9(2) VALUE 7.\n01 T PIC X(60).\n01 C PIC 9(4).\n01 B.\n  05 ORT PIC X(6).\n  05 NR PIC 9(2).";
    let procedure = "JSON GENERATE T FROM A COUNT IN C\nMOVE SPACES TO B\nDISPLAY FUNCTION DISPLAY-OF(FUNCTION NATIONAL-OF(T(1:C) 1208))\n\
                     XML GENERATE T FROM A COUNT IN C WITH ENCODING 273\nDISPLAY T(1:C)\nDISPLAY FUNCTION HEX-OF(T(9:4))\nSTOP RUN.";
    let shown = lines(data, procedure, 273);
    assert_eq!(shown[0], "{\"A\":{\"ORT\":\"KÖLN\",\"NR\":7}}");
    assert_eq!(shown[1], "<A><ORT>KÖLN</ORT><NR>7</NR></A>");
    assert_eq!(shown[2], "D2E0D3D5");
}
