use super::*;

fn check(working: &str, statements: &str, expected: &[&str]) {
    let found = messages(&source(working, "", statements));
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (message, expected) in found.iter().zip(expected) {
        assert!(message.contains(expected), "{message:?} lacks {expected:?}");
    }
}

#[test]
fn each_error_is_reported_once_and_the_rest_goes_on() {
    check(
        "01 A PIC X.\n01 B PIC 9.",
        "MOVE NOWHERE TO A. MOVE NOWHERE TO B. ADD 1 TO A. DISPLY B. MOVE B TO B. PERFORM NOPE. GO TO. COMPUTE B = A + 1",
        &[
            "NOWHERE is not defined",
            "A is alphanumeric",
            "DISPLY is not valid here",
            "procedure NOPE is not defined",
            "GO TO without a procedure name",
            "A is alphanumeric",
        ],
    );
}

#[test]
fn a_wrong_condition_does_not_lose_its_branches() {
    check(
        "01 A PIC X.",
        "IF NOWHERE = 1 MOVE 1 TO A ELSE MOVE 2 TO A END-IF. READ NOFILE AT END MOVE 'X' TO A NOT AT END MOVE 'Y' TO A END-READ. MOVE ZZZ TO A",
        &["NOWHERE is not defined", "NOFILE is not a file", "ZZZ is not defined"],
    );
}

#[test]
fn ambiguous_and_wrongly_qualified_names() {
    check(
        "01 R1.\n 05 X PIC 9.\n01 R2.\n 05 X PIC 9.",
        "MOVE 1 TO X. MOVE 1 TO X OF R2. MOVE 1 TO X OF R3",
        &["X is not unique", "exists, but not under these qualifiers"],
    );
}

#[test]
fn subscripts_and_bounds() {
    check(
        "01 T.\n 05 E PIC X OCCURS 5.\n01 W PIC X(4).",
        "MOVE E TO W. MOVE E (6) TO W. MOVE E (1 2) TO W. MOVE W (1) TO W. MOVE W (5:1) TO W. MOVE W (2:4) TO W",
        &["needs 1 subscript", "outside 1 to 5", "needs 1 subscripts, not 2", "takes no subscripts", "starts outside", "goes past its end"],
    );
}

#[test]
fn data_division_errors() {
    check(
        "01 A PIC 9(3\n.\n01 B.\n05 C REDEFINES NIX PIC X.\n01 D PIC X VALUE 5X.\n01 E PIC 9 VALUE 'A'.\n01 F PIC 9(19).\n01 G.",
        "",
        &["no item of that name", "", "is not valid", "19 digits", "neither a PICTURE", "needs a numeric literal"],
    );
}

#[test]
fn illegal_moves_and_comparisons() {
    check(
        "01 P POINTER.\n01 A PIC X.\n01 F COMP-1.\n01 D PIC 9V9.",
        "MOVE P TO A. MOVE F TO A. IF P > NULL CONTINUE. IF F = A CONTINUE. SET A TO TRUE",
        &[
            "a pointer cannot be moved",
            "floating-point item cannot be moved",
            "equality only",
            "floating-point operand",
            "index, integer item, pointer",
        ],
    );
}

#[test]
fn missing_divisions_are_no_panic() {
    assert!(!messages("").is_empty() || compile("").programs.is_empty());
    for text in ["IDENTIFICATION DIVISION.", "PROGRAM-ID. X.", "PROCEDURE DIVISION.", "END PROGRAM X.", "01 A PIC X.", ".", "("] {
        compile(text);
    }
}

#[test]
fn nesting_is_bounded() {
    let deep = format!("{}CONTINUE{}", "IF A = 1 ".repeat(1000), " END-IF".repeat(1000));
    let found = messages(&source("01 A PIC 9.", "", &deep));
    assert!(found.iter().any(|message| message.contains("nested more than 400 deep")), "{found:?}");
    let parentheses = format!("COMPUTE A = {}1{}", "(".repeat(5000), ")".repeat(5000));
    let found = messages(&source("01 A PIC 9.", "", &parentheses));
    assert!(found.iter().any(|message| message.contains("nested more than 120 deep")), "{found:?}");
    let ok = format!("{}CONTINUE{}", "IF A = 1 ".repeat(390), " END-IF".repeat(390));
    assert!(messages(&source("01 A PIC 9.", "", &ok)).is_empty());
    let conditions = format!("IF {}A = 1{} CONTINUE END-IF", "(".repeat(5000), ")".repeat(5000));
    assert!(!messages(&source("01 A PIC 9.", "", &conditions)).is_empty());
    let nots = format!("IF {} A = 1 CONTINUE END-IF", "NOT (".repeat(3000));
    assert!(!messages(&source("01 A PIC 9.", "", &nots)).is_empty());
}

#[test]
fn giant_items_are_refused() {
    let found = messages(&source("01 A.\n 05 B OCCURS 30000 TIMES.\n  10 C OCCURS 30000 TIMES PIC X(1000).", "", ""));
    assert!(found.iter().any(|message| message.contains("too long")), "{found:?}");
}

#[test]
fn a_report_section_out_of_place_is_a_message() {
    let found = messages(&source("01 A PIC X.", "", "CONTINUE. REPORT SECTION. RD R. 01 D TYPE DETAIL. 02 LINE 1 PIC X SOURCE A. STOP RUN"));
    assert!(found.iter().any(|message| message.contains("RD is not valid here")), "{found:#?}");
    // The source ends in the middle of the next section's header.
    let text = "       ID DIVISION. PROGRAM-ID. P. DATA DIVISION.\n       REPORT SECTION. RD R. 01 D TYPE DETAIL. WORKING-STORAGE";
    assert!(!messages(text).is_empty());
}

#[test]
fn a_report_section_outside_any_division_ends_with_the_source() {
    for text in ["REPORT SECTION.", "REPORT SECTION", "PROGRAM-ID. A. REPORT SECTION. RD R.", "DATA DIVISION. REPORT SECTION. RD R. 01 D TYPE DETAIL."] {
        assert!(!messages(text).is_empty(), "{text}");
    }
}
