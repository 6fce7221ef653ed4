//! UTF-8 data items (Language Reference and Programming Guide, "UTF-8 data items"). Expected bytes follow from the encoding itself: é is
//! C3A9, € is E282AC, 😀 is F09F9880.

mod common;

use common::output;

#[test]
fn items_of_characters_and_of_bytes_cut_between_characters_and_pad_with_spaces() {
    let data = "01 C PIC U(4).\n01 CX REDEFINES C PIC X(16).\n01 B PIC U BYTE-LENGTH 5.\n01 BX REDEFINES B PIC X(5).";
    let shown = output(
        data,
        "MOVE U'a\\u00e9\\u20acbc' TO C\nDISPLAY FUNCTION HEX-OF(CX)\nMOVE C TO B\nDISPLAY FUNCTION HEX-OF(BX)\n\
         MOVE UX'F09F988041' TO B\nDISPLAY FUNCTION HEX-OF(BX)\nMOVE N'xy' TO B\nDISPLAY FUNCTION HEX-OF(BX)\n\
         MOVE 'abcdef' TO C\nDISPLAY FUNCTION HEX-OF(CX)\nMOVE SPACES TO C\nDISPLAY FUNCTION HEX-OF(CX)\nSTOP RUN.",
    );
    let spaces = |count: usize| "20".repeat(count);
    let expected = [
        // a é € b: the fifth character does not fit.
        format!("61C3A9E282AC62{}", spaces(9)),
        // a é, and two bytes are too few for €.
        format!("61C3A9{}", spaces(2)),
        "F09F988041".to_string(),
        format!("7879{}", spaces(3)),
        format!("61626364{}", spaces(12)),
        spaces(16),
    ];
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn comparisons_convert_to_utf_8_and_go_by_code_points() {
    let data = "01 A PIC U(3) VALUE U'ab'.\n01 X PIC X(2) VALUE 'ab'.\n01 N PIC N(2) VALUE N'ab'.\n01 E PIC U(3) VALUE U'\\u00e9'.";
    let shown = output(
        data,
        "IF A = X AND A = N AND A = 'ab' DISPLAY 'EQUAL' END-IF\nIF E > A AND A < E DISPLAY 'GREATER' END-IF\n\
         IF E = U'\\u00e9' AND E NOT = SPACES\n  DISPLAY 'LITERAL' END-IF\nEVALUATE A\nWHEN U'x' DISPLAY 'X'\nWHEN U'ab' DISPLAY 'AB'\nEND-EVALUATE\n\
         STOP RUN.",
    );
    assert_eq!(shown, "EQUAL\nGREATER\nLITERAL\nAB\n");
}

#[test]
fn functions_and_reference_modification_count_characters() {
    let data = "01 U PIC U(10) VALUE U'\\u00e9cran \\U0001F600'.\n01 D PIC X(10).\n01 N PIC N(8).\n01 P PIC 99 VALUE 3.";
    let shown = output(
        data,
        "DISPLAY FUNCTION LENGTH(U) ' ' LENGTH OF U ' '\n  FUNCTION ULENGTH(U) ' ' FUNCTION UVALID(U)\n\
         DISPLAY FUNCTION UPOS(U 2) ' ' FUNCTION UWIDTH(U 7) ' '\n  FUNCTION USUPPLEMENTARY(U)\n\
         DISPLAY U(3:2) '|' U(P:3) '|' U(2:1) '|'\nIF U(2:4) = 'cran' DISPLAY 'SUBSTRING' END-IF\n\
         MOVE FUNCTION DISPLAY-OF(U(2:4)) TO D\nDISPLAY D\nMOVE U(2:3) TO N\nDISPLAY N\n\
         IF FUNCTION USUBSTR(U 2 P + 1) = U'cran'\n  DISPLAY 'USUBSTR' END-IF\n\
         IF FUNCTION NATIONAL-OF(U(1:2)) = NX'00E90063'\n  DISPLAY 'NATIONAL' END-IF\n\
         IF FUNCTION UPPER-CASE(U(2:2)) = U'CR'\n  DISPLAY 'UPPER' END-IF\nSTOP RUN.",
    );
    let lines: Vec<&str> = shown.lines().map(str::trim_end).collect();
    assert_eq!(lines[0].split_whitespace().map(|number| number.parse::<u32>().expect("a number")).collect::<Vec<_>>(), [10, 40, 10, 0]);
    // é takes bytes 1 and 2; the seventh character takes four bytes from byte 8 on (é=2, "cran "=5).
    assert_eq!(lines[1].split_whitespace().map(|number| number.parse::<u32>().expect("a number")).collect::<Vec<_>>(), [3, 4, 8]);
    assert_eq!(lines[2..], ["ra|ran|c|", "SUBSTRING", "cran", "cra", "USUBSTR", "NATIONAL", "UPPER"]);
}

/// Figurative constants as initial values: as many characters as the item has, then spaces.
#[test]
fn figurative_constants_are_values() {
    let data = "01 Z PIC U(2) VALUE ZERO.\n01 ZX REDEFINES Z PIC X(8).\n01 H PIC U BYTE-LENGTH 6 VALUE HIGH-VALUES.\n01 HX REDEFINES H PIC X(6).\n\
                01 A PIC U(3) VALUE ALL 'ab'.\n01 AX REDEFINES A PIC X(12).\n01 L PIC U(1) VALUE LOW-VALUE.\n01 LX REDEFINES L PIC X(4).";
    let shown = output(
        data,
        "DISPLAY FUNCTION HEX-OF(ZX)\nDISPLAY FUNCTION HEX-OF(HX)\nDISPLAY FUNCTION HEX-OF(AX)\nDISPLAY FUNCTION HEX-OF(LX)\nSTOP RUN.",
    );
    let spaces = |count: usize| "20".repeat(count);
    let expected = [format!("3030{}", spaces(6)), "F48FBFBFDFBF".to_string(), format!("616261{}", spaces(9)), format!("00{}", spaces(3))];
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
}

/// Programming Guide, "Using UTF-8-character figurative constants": the last bytes of HIGH-VALUE, and ALL with a literal of UTF-8.
#[test]
fn figurative_constants_are_moved_set_initialized_and_compared() {
    let data = "01 C PIC U(3).\n01 CX REDEFINES C PIC X(12).\n01 B PIC U BYTE-LENGTH 7.\n01 BX REDEFINES B PIC X(7).\n                01 L PIC U BYTE-LENGTH 5.\n   88 LAST-ONE VALUE HIGH-VALUES.\n   88 ALL-E VALUE ALL U'\\u00e9'.\n01 LX REDEFINES L PIC X(5).\n\
                01 T PIC U BYTE-LENGTH 6.\n01 TX REDEFINES T PIC X(6).\n01 N PIC N(3).\n01 NX REDEFINES N PIC X(6).\n\
                01 V PIC U(2) VALUE ALL U'\\u20ac'.\n01 VX REDEFINES V PIC X(8).";
    let shown = output(
        data,
        "MOVE HIGH-VALUES TO C B L T\nDISPLAY FUNCTION HEX-OF(CX)\nDISPLAY FUNCTION HEX-OF(BX)\nDISPLAY FUNCTION HEX-OF(LX)\n\
         DISPLAY FUNCTION HEX-OF(TX)\nIF C = HIGH-VALUES AND B = HIGH-VALUES\n   AND L = HIGH-VALUE AND LAST-ONE\n  DISPLAY 'HIGH' END-IF\n\
         MOVE ALL U'\\u00e9x' TO C B\nDISPLAY FUNCTION HEX-OF(CX)\nDISPLAY FUNCTION HEX-OF(BX)\n\
         IF C = ALL U'\\u00e9x' AND B = ALL U'\\u00e9x'\n   AND B < HIGH-VALUES\n   AND B NOT = ALL U'\\u00e9'\n  DISPLAY 'ALL' END-IF\n\
         MOVE ZEROS TO C\nDISPLAY FUNCTION HEX-OF(CX)\nIF C = ZEROS AND C = U'000' AND C NOT = SPACES\n  DISPLAY 'ZEROS' END-IF\n\
         MOVE ALL 'ab' TO C\nDISPLAY FUNCTION HEX-OF(CX)\nIF C = ALL 'ab' AND C = ALL N'ab' DISPLAY 'CONVERTED' END-IF\n\
         SET LAST-ONE TO TRUE\nDISPLAY FUNCTION HEX-OF(LX)\nSET ALL-E TO TRUE\nDISPLAY FUNCTION HEX-OF(LX)\n\
         IF ALL-E AND NOT LAST-ONE DISPLAY 'SET' END-IF\n\
         INITIALIZE T REPLACING UTF-8 DATA BY ALL U'\\u20ac'\nDISPLAY FUNCTION HEX-OF(TX)\n\
         INITIALIZE T REPLACING UTF-8 DATA BY HIGH-VALUES\nDISPLAY FUNCTION HEX-OF(TX)\n\
         MOVE ALL U'\\u00e9' TO N\nDISPLAY FUNCTION HEX-OF(NX)\nIF N = ALL U'\\u00e9' DISPLAY 'NATIONAL' END-IF\n\
         DISPLAY FUNCTION HEX-OF(VX)\nMOVE SPACES TO C\nMOVE ALL U'\\u00e9' TO C(2:1)\nDISPLAY FUNCTION HEX-OF(CX)\n\
         MOVE LOW-VALUES TO L\nIF L = LOW-VALUES AND L < SPACES DISPLAY 'LOW' END-IF\nMOVE QUOTE TO L\nDISPLAY L\nSTOP RUN.",
    );
    let high = "F48FBFBF";
    let expected = [
        high.repeat(3),
        format!("{high}EFBFBF"),
        format!("{high}7F"),
        format!("{high}DFBF"),
        "HIGH".to_string(),
        // é x é, and the rest of twelve bytes.
        format!("C3A978C3A9{}", "20".repeat(7)),
        // é x é x, and one byte is too few for another é.
        "C3A978C3A97820".to_string(),
        "ALL".to_string(),
        format!("303030{}", "20".repeat(9)),
        "ZEROS".to_string(),
        format!("616261{}", "20".repeat(9)),
        "CONVERTED".to_string(),
        format!("{high}7F"),
        "C3A9C3A920".to_string(),
        "SET".to_string(),
        "E282ACE282AC".to_string(),
        format!("{high}DFBF"),
        "00E900E900E9".to_string(),
        "NATIONAL".to_string(),
        "E282ACE282AC2020".to_string(),
        format!("20C3A9{}", "20".repeat(9)),
        "LOW".to_string(),
        "\"\"\"\"\"".to_string(),
    ];
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
}

/// Language Reference, GROUP-USAGE clause; Programming Guide, "UTF-8 groups": processed as an item of PICTURE U BYTE-LENGTH m, padded with
/// spaces of UTF-8 and cut between characters; INITIALIZE sees the members.
#[test]
fn a_utf_8_group_is_a_utf_8_item() {
    let data = "01 G GROUP-USAGE UTF-8.\n   05 A PIC U BYTE-LENGTH 3 VALUE U'abc'.\n   05 B PIC U BYTE-LENGTH 4.\n01 GX REDEFINES G PIC X(7).\n\
                01 N PIC N(7).\n01 S PIC U BYTE-LENGTH 4.\n01 SX REDEFINES S PIC X(4).\n01 L PIC U BYTE-LENGTH 9.\n01 LX REDEFINES L PIC X(9).";
    let statements = [
        "MOVE 'xy' TO B",
        "DISPLAY FUNCTION HEX-OF(GX)",
        // Converted, padded, compared as UTF-8.
        "MOVE 'q' TO G",
        "DISPLAY FUNCTION HEX-OF(GX)",
        "IF G = U'q' DISPLAY 'EQUAL'",
        "MOVE U'\\u00e9\\u00e9\\u00e9' TO G",
        "DISPLAY FUNCTION HEX-OF(GX)",
        // Three bytes of the second and third character do not fit: cut between characters.
        "MOVE U'a\\u20ac' TO G",
        "MOVE G TO S",
        "DISPLAY FUNCTION HEX-OF(SX)",
        "MOVE U'ab\\u20ac' TO G",
        "MOVE G TO S",
        "DISPLAY FUNCTION HEX-OF(SX)",
        "MOVE G TO L",
        "DISPLAY FUNCTION HEX-OF(LX)",
        "MOVE G TO N",
        "DISPLAY FUNCTION HEX-OF(N)",
        "INITIALIZE G",
        "DISPLAY FUNCTION HEX-OF(GX)",
        "STOP RUN.",
    ];
    let shown = output(data, &statements.join("\n"));
    let expected = [
        "61626378792020".to_string(),
        format!("71{}", "20".repeat(6)),
        "EQUAL".to_string(),
        "C3A9C3A9C3A920".to_string(),
        "61E282AC".to_string(),
        "61622020".to_string(),
        format!("6162E282AC{}", "20".repeat(4)),
        format!("0061006220AC{}", "0020".repeat(4)),
        "20".repeat(7),
    ];
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
}

fn messages(data: &str, procedure: &str) -> String {
    let source = common::program(data, procedure);
    let compiled = cobol::compile_source("TEST.cbl", source.as_bytes(), &cobol::Options::default(), &cobol::source::NoCopies);
    compiled.diagnostics.iter().map(|message| format!("{}\n", message.text)).collect()
}

#[test]
fn unsupported_uses_of_utf_8_items_are_refused() {
    let data = "01 U PIC U(4).\n01 X PIC X(4).\n01 P PIC 9(4).\n01 D PIC X DYNAMIC LENGTH LIMIT 5.\n01 V PIC U DYNAMIC LENGTH LIMIT 9.";
    let refused = |statement: &str, text: &str| {
        let messages = messages(data, &format!("{statement}\nSTOP RUN."));
        assert!(messages.contains(text), "{statement}: {messages}");
    };
    refused("MOVE U TO X", "a UTF-8 item cannot be moved to this item");
    refused("MOVE P TO U", "a number cannot be moved to a UTF-8 item");
    refused("STRING U X DELIMITED BY SIZE INTO U", "STRING: when one operand is of class UTF-8 all must be");
    refused("STRING U DELIMITED BY ',' INTO U", "STRING: when one operand is of class UTF-8 all must be");
    refused("STRING U'a' DELIMITED BY SIZE INTO U(2:1)", "STRING: the UTF-8 receiver U cannot be reference-modified");
    refused("UNSTRING U DELIMITED BY SPACE INTO X", "UNSTRING: when one operand is of class UTF-8 all must be");
    refused("INSPECT U TALLYING P FOR CHARACTERS", "U is of usage UTF-8, which INSPECT does not support");
    refused("ACCEPT U", "U is of usage UTF-8, which ACCEPT does not support");
    refused("XML GENERATE X FROM U", "U is of usage UTF-8, which XML GENERATE does not support");
    refused("JSON GENERATE V FROM X", "V: a JSON text of UTF-8 must be an item of fixed length");
    refused("XML GENERATE U FROM X", "a JSON or XML text must be an alphanumeric or national item");
    refused("XML PARSE U PROCESSING PROCEDURE P1", "a JSON or XML text must be an alphanumeric or national item");
    refused("IF U = P CONTINUE END-IF", "a UTF-8 operand can be compared with");
    refused("MOVE ALL U'a' TO X", "a UTF-8 value cannot be moved to this item");
    assert!(messages("01 U PIC X USAGE UTF-8.", "STOP RUN.").contains("PICTURE U and USAGE UTF-8 go together only"));
    assert!(messages("01 U PIC U(2) BYTE-LENGTH 4.", "STOP RUN.").contains("BYTE-LENGTH needs PICTURE U without a repetition"));
    assert!(messages("01 U PIC U(2) VALUE UX'C3'.", "STOP RUN.").contains("must hold valid UTF-8"));
    let group = |member: &str| messages(&format!("01 G GROUP-USAGE UTF-8.\n   05 M {member}."), "STOP RUN.");
    assert!(group("PIC U(2)").contains("M stands in a UTF-8 group and must have BYTE-LENGTH or DYNAMIC LENGTH"));
    assert!(group("PIC N(2) USAGE NATIONAL").contains("M stands in a UTF-8 group and must be of usage UTF-8"));
}

#[test]
fn dynamic_length_items_in_groups_keep_lengths_of_their_own() {
    let data = "01 G.\n   05 A PIC X(2) VALUE 'AA'.\n   05 D PIC X DYNAMIC LENGTH LIMIT 6 VALUE 'one'.\n   05 E PIC X DYNAMIC LENGTH LIMIT 4.\n   \
                05 Z PIC X(2) VALUE 'ZZ'.\n01 X PIC X(40).";
    let shown = output(
        data,
        "DISPLAY D '|' E '|' FUNCTION LENGTH(D)\nMOVE 'longer text' TO D\nMOVE 'x' TO E\nDISPLAY A D '|' E '|' Z FUNCTION LENGTH(E)\nSTOP RUN.",
    );
    assert_eq!(shown.lines().map(|line| line.replace('0', "")).collect::<Vec<_>>(), ["one||3", "AAlonger|x|ZZ1"]);
    assert!(messages(data, "MOVE G TO X\nSTOP RUN.").contains("G has a dynamic-length item and cannot be moved as a group"));
}

/// A MOVE to a part puts as many characters there as the part has; what follows moves.
#[test]
fn parts_of_items_receive_characters() {
    let data = "01 C PIC U(5) VALUE U'abcde'.\n01 CX REDEFINES C PIC X(20).\n01 B PIC U BYTE-LENGTH 6 VALUE U'abcdef'.\n01 BX REDEFINES B PIC X(6).\n\
                01 P PIC 9 VALUE 2.\n01 D PIC U DYNAMIC LENGTH LIMIT 20.";
    let shown = output(
        data,
        "MOVE U'\\u00e9' TO C(2:1)\nDISPLAY C '|' FUNCTION HEX-OF(CX(1:8))\nMOVE U'\\u20acxy' TO C(P:2)\nDISPLAY C '|'\nMOVE 'Z' TO C(4:)\nDISPLAY C '|'\n\
         MOVE ZERO TO C(1:P)\nDISPLAY C '|'\nMOVE U'\\u00e9' TO B(P:1)\nDISPLAY B '|' FUNCTION HEX-OF(BX)\nMOVE 'q' TO B(2:1)\nDISPLAY B '|'\n\
         MOVE U'a\\u00e9c' TO D\nMOVE 'B' TO D(2:1)\nDISPLAY D '|'\nSTOP RUN.",
    );
    let lines: Vec<&str> = shown.lines().collect();
    // The code pages have no €: DISPLAY shows the substitute character. A byte-length item of six bytes loses its last character to the two bytes of é; a shorter one leaves a space.
    let expected = ["aécde|61C3A96364652020", "a\u{1a}xde|", "a\u{1a}xZ |", "00xZ |", "aécde|61C3A9636465", "aqcde |", "aBc |"];
    assert_eq!(lines, expected);
}

#[test]
fn dynamic_length_utf_8_items_take_the_bytes_they_receive() {
    let data = "01 D PIC U DYNAMIC LENGTH LIMIT 7.\n01 C PIC U(4).\n01 X PIC X(3) VALUE 'abc'.\n01 N PIC N(3) VALUE NX'00E90062006D'.";
    let shown = output(
        data,
        "DISPLAY '[' D ']'\nMOVE U'a\\u00e9\\u20ac' TO D\nDISPLAY '[' D ']' FUNCTION BYTE-LENGTH(D) ' ' FUNCTION ULENGTH(D)\n\
         MOVE X TO D\nDISPLAY '[' D ']'\nMOVE N TO D\nDISPLAY '[' D ']'\nMOVE SPACE TO D\nDISPLAY '[' D ']'\n\
         MOVE U'\\u20ac\\u20ac\\u20ac' TO D\nDISPLAY '[' D ']'\nMOVE D TO C\nDISPLAY '[' C ']'\nIF D = U'\\u20ac\\u20ac' DISPLAY 'EQUAL' END-IF\nSTOP RUN.",
    );
    let lines: Vec<String> = shown.lines().map(|line| line.replace("00000000", "")).collect();
    assert_eq!(lines, ["[]", "[aé\u{1a}]6 3", "[abc]", "[ébm]", "[ ]", "[\u{1a}\u{1a}]", "[\u{1a}\u{1a}  ]", "EQUAL"]);
}

#[test]
fn string_and_unstring_count_characters() {
    let data = "01 A PIC U(6) VALUE U'\\u00e9t\\u00e9,x'.\n01 C PIC U(8) VALUE U'........'.\n01 B PIC U BYTE-LENGTH 4 VALUE U'....'.\n01 P PIC 99 VALUE 2.\n\
                01 F PIC U(3).\n01 G PIC U(3).\n01 M PIC U(1).\n01 N PIC 9.\n01 T PIC 9 VALUE 0.";
    let shown = output(
        data,
        "STRING A DELIMITED BY U',' U'\\u20ac' DELIMITED BY SIZE INTO C\n    POINTER P\nDISPLAY C '|' P\n\
         STRING A DELIMITED BY SPACE INTO B\n    ON OVERFLOW DISPLAY 'OVERFLOW' END-STRING\nDISPLAY B '|'\n\
         MOVE 1 TO P\nUNSTRING A DELIMITED BY U',' OR SPACE INTO F DELIMITER IN M\n    COUNT IN N G POINTER P TALLYING IN T\n\
         DISPLAY F M N G P T\nMOVE 2 TO P\nUNSTRING A INTO F POINTER P\n    ON OVERFLOW DISPLAY 'MORE' END-UNSTRING\nDISPLAY F P\nSTOP RUN.",
    );
    // "été" and "€" from the second position on leave three of eight periods; four bytes hold é and t and é not, which takes two periods.
    let expected = [".été\u{1a}...|06", "OVERFLOW", "ét.|", "été,3x  072", "MORE", "té,05"];
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn tables_and_json_take_utf_8() {
    let data = "01 G.\n   05 T OCCURS 4 PIC U(2).\n01 R.\n   05 NAME PIC U(5) VALUE U'\\u00e9t\\u00e9'.\n   05 N PIC 9(2) VALUE 7.\n01 J PIC X(60).\n01 L PIC 9(4).";
    let shown = output(
        data,
        "MOVE U'\\u20ac' TO T(1)\nMOVE U'b' TO T(2)\nMOVE U'\\u00e9' TO T(3)\nMOVE U'a' TO T(4)\nSORT T ASCENDING KEY T\nDISPLAY T(1) T(2) T(3) T(4)\n\
         JSON GENERATE J FROM R COUNT L\nDISPLAY FUNCTION DISPLAY-OF(\n    FUNCTION NATIONAL-OF(J(1:L) 1208))\nMOVE SPACES TO NAME\nJSON PARSE J(1:L) INTO R\n\
         IF NAME = U'\\u00e9t\\u00e9' DISPLAY 'BACK' END-IF\nSTOP RUN.",
    );
    assert_eq!(shown.lines().collect::<Vec<_>>(), ["a b é \u{1a} ", "{\"R\":{\"NAME\":\"été\",\"N\":7}}", "BACK"]);
}

/// The text is written in whole characters; what does not fit is an exception, and what lies behind it stays as it was.
#[test]
fn json_texts_may_be_of_utf_8() {
    let data = "01 R.\n   05 A PIC U(3) VALUE U'\\u00e9t\\u00e9'.\n01 J PIC U(14) VALUE ALL '.'.\n01 B PIC U BYTE-LENGTH 12 VALUE ALL '.'.\n\
                01 C PIC U(13) VALUE ALL '.'.\n01 L PIC 9(4).";
    let shown = output(
        data,
        "JSON GENERATE J FROM A COUNT L NAME A IS OMITTED\nDISPLAY J '|' L\nJSON GENERATE J FROM R COUNT L\n    ON EXCEPTION DISPLAY 'TOO LONG ' JSON-CODE ' ' L END-JSON\nDISPLAY J '|'\n\
         JSON GENERATE B FROM A COUNT L NAME A IS 'abc'\n    ON EXCEPTION DISPLAY 'TOO LONG ' L END-JSON\nDISPLAY B '|'\nJSON GENERATE C FROM R NAME R IS OMITTED\nDISPLAY C '|'\n\
         MOVE SPACES TO A\nJSON PARSE C INTO R NAME R IS OMITTED\nIF A = U'\\u00e9t\\u00e9' DISPLAY 'BACK' END-IF\n\
         JSON GENERATE C FROM R ENCODING 1140\n    ON EXCEPTION DISPLAY 'ENCODING ' JSON-CODE END-JSON\nSTOP RUN.",
    );
    let lines: Vec<&str> = shown.lines().collect();
    // "été" in quotation marks: five characters of seven bytes, of which seven others are left.
    assert_eq!(lines[0], "\"été\".......  |0007");
    // {"R":{"A":"été"}} has 17 characters; 14 of them are 16 bytes: each é counts twice.
    assert_eq!(lines[1].replace("00000000", ""), "TOO LONG 1 0016");
    assert_eq!(lines[2], "{\"R\":{\"A\":\"été|");
    // {"abc":"été"} has 15 bytes: the second é does not fit whole in twelve.
    assert_eq!(lines[3..5], ["TOO LONG 0011", "{\"abc\":\"ét.|"]);
    // Eleven characters in thirteen bytes.
    assert_eq!(lines[5], "{\"A\":\"été\"}  |");
    assert_eq!(lines[6..], ["BACK", "ENCODING 000000109"]);
}

/// Keys of UTF-8 are in the order of code points, which is that of their bytes.
#[test]
fn files_are_sorted_by_keys_of_utf_8() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT W ASSIGN TO SORTWK.
       DATA DIVISION.
       FILE SECTION.
       SD  W.
       01  R.
           05  K PIC U(3).
           05  B PIC U BYTE-LENGTH 4.
           05  N PIC 9.
       WORKING-STORAGE SECTION.
       01  ENDED PIC X VALUE 'N'.
       PROCEDURE DIVISION.
           SORT W ASCENDING KEY K DESCENDING KEY B
               INPUT PROCEDURE GIVE OUTPUT PROCEDURE SHOW.
           GOBACK.
       GIVE.
           MOVE U'\\u20ac' TO K MOVE U'a' TO B MOVE 1 TO N RELEASE R.
           MOVE U'b' TO K MOVE U'\\u00e9' TO B MOVE 2 TO N RELEASE R.
           MOVE U'\\U0001F600' TO K MOVE SPACE TO B MOVE 3 TO N RELEASE R.
           MOVE U'b' TO K MOVE U'z' TO B MOVE 4 TO N RELEASE R.
           MOVE U'Z' TO K MOVE U'z' TO B MOVE 5 TO N RELEASE R.
           MOVE U'\\u00e9a' TO K MOVE U'z' TO B MOVE 6 TO N RELEASE R.
       SHOW.
           PERFORM UNTIL ENDED = 'Y'
               RETURN W AT END MOVE 'Y' TO ENDED
               NOT AT END DISPLAY N END-RETURN
           END-PERFORM.
";
    for ccsid in [common::EBCDIC, common::ASCII] {
        let outcome = common::run(source, ccsid);
        // Z (5A), b (62) with é before z because descending, éa (C3), € (E2), the emoji (F0).
        assert_eq!(outcome.output.split_whitespace().collect::<String>(), "524613", "CCSID {ccsid}");
    }
}
