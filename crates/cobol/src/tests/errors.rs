//! Wrong sources and the messages they get.

use super::*;

fn check(working: &str, statements: &str, expected: &[&str]) {
    let found = messages(&source(working, "", statements));
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (message, expected) in found.iter().zip(expected) {
        assert!(message.contains(expected), "{message:?} lacks {expected:?}");
    }
}

#[test]
fn each_error_is_reported_once_and_parsing_continues() {
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

/// "VALUE clause": the literal of a numeric item is numeric. SPACE, HIGH-VALUE, LOW-VALUE and QUOTE are nonnumeric literals ("Figurative
/// constants").
#[test]
fn the_only_figurative_constant_of_a_numeric_item_is_zero() {
    check(
        "01 A PIC 9(3) VALUE SPACES.\n01 B PIC S9(3) VALUE LOW-VALUES.\n01 C PIC 9(3) COMP-3 VALUE HIGH-VALUES.\n01 D PIC 9 VALUE QUOTE.\n01 E PIC 9(3) VALUE ZEROS.\n01 F PIC X(3) VALUE SPACES.\n01 G PIC ZZ9 VALUE SPACES.",
        "CONTINUE",
        &["VALUE of A: only ZERO", "VALUE of B: only ZERO", "VALUE of C: only ZERO", "VALUE of D: only ZERO"],
    );
}

#[test]
fn a_misspelt_name_is_answered_with_the_nearest() {
    check(
        "01 CUSTOMER-NAME PIC X(9).\n01 B PIC 9.\n01 WS-RESP PIC S9(8) COMP.",
        "MOVE SPACES TO CUSTOMER-NMAE. MOVE 1 TO C. MOVE 1 TO TOTALLY-OTHER. IF WS-RESP = DFHRESP(NOTFOUNT) CONTINUE END-IF. IF WS-RESP = DFHRESP(NTFND) CONTINUE END-IF. IF WS-RESP = DFHVALUE(DISABLD) CONTINUE END-IF",
        &[
            "CUSTOMER-NMAE is not defined; did you mean CUSTOMER-NAME?",
            "C is not defined",
            "TOTALLY-OTHER is not defined",
            "NOTFOUNT is not a CICS condition",
            "NTFND is not a CICS condition; did you mean NOTFND?",
            "DISABLD is not a CICS value (CVDA); did you mean DISABLED?",
        ],
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
    let found =
        messages(&source("01 A PIC X.", "", "CONTINUE. REPORT SECTION. RD R. 01 D TYPE DETAIL. 02 LINE 1 PIC X SOURCE A. STOP RUN"));
    assert!(found.iter().any(|message| message.contains("RD is not valid here")), "{found:#?}");
    // The source ends in the middle of the next section's header.
    let text = "       ID DIVISION. PROGRAM-ID. P. DATA DIVISION.\n       REPORT SECTION. RD R. 01 D TYPE DETAIL. WORKING-STORAGE";
    assert!(!messages(text).is_empty());
}

#[test]
fn a_report_section_outside_any_division_ends_with_the_source() {
    for text in [
        "REPORT SECTION.",
        "REPORT SECTION",
        "PROGRAM-ID. A. REPORT SECTION. RD R.",
        "DATA DIVISION. REPORT SECTION. RD R. 01 D TYPE DETAIL.",
    ] {
        assert!(!messages(text).is_empty(), "{text}");
    }
}

/// A program with one file F: its SELECT clauses, its statements; the messages.
fn about_file(clauses: &str, description: &str, statements: &str) -> Vec<String> {
    messages(&format!(
        "IDENTIFICATION DIVISION.\nPROGRAM-ID. T.\nENVIRONMENT DIVISION.\nINPUT-OUTPUT SECTION.\nFILE-CONTROL.\n\
         SELECT F ASSIGN TO X {clauses} FILE STATUS S.\nDATA DIVISION.\nFILE SECTION.\nFD F {description}.\n01 FR. 05 K PIC X(3). 05 R PIC 9(3).\n\
         WORKING-STORAGE SECTION.\n01 S PIC XX.\n01 N PIC 9(3).\nPROCEDURE DIVISION.\nMAIN.\n{statements}\n    GOBACK.\n"
    ))
}

/// Language Reference: the formats of the file statements for each organization and access mode.
#[test]
fn file_statements_fit_their_file() {
    let sequential = "";
    let indexed = "ORGANIZATION INDEXED ACCESS DYNAMIC RECORD KEY K";
    let in_sequence = "ORGANIZATION INDEXED RECORD KEY K";
    let relative = "ORGANIZATION RELATIVE ACCESS RANDOM RELATIVE KEY N";
    let by_position = "ORGANIZATION RELATIVE RELATIVE KEY N";
    let cases: &[(&str, &str, &str)] = &[
        (sequential, "START F", "S START: F is a sequential file; it has no keys"),
        (sequential, "DELETE F", "S DELETE: F is a sequential file"),
        (sequential, "READ F INVALID KEY CONTINUE END-READ", "E READ with INVALID KEY: F is a sequential file"),
        (sequential, "REWRITE FR INVALID KEY CONTINUE END-REWRITE", "E REWRITE with INVALID KEY: F is a sequential file"),
        (sequential, "WRITE FR AFTER 1 AT EOP CONTINUE END-WRITE", "E WRITE with AT END-OF-PAGE: F has no LINAGE clause"),
        (sequential, "RELEASE FR", "S FR is not a record of a sort file"),
        (indexed, "OPEN EXTEND F", "S OPEN EXTEND: F is not of ACCESS SEQUENTIAL"),
        (indexed, "OPEN INPUT F REVERSED", "E OPEN with REVERSED: F is not a sequential file"),
        (indexed, "READ F NEXT INVALID KEY CONTINUE END-READ", "E READ NEXT with INVALID KEY: F is read sequentially"),
        (indexed, "WRITE FR AFTER ADVANCING 1 LINE", "E WRITE with ADVANCING: F is not a sequential file"),
        (in_sequence, "DELETE F INVALID KEY CONTINUE END-DELETE", "E DELETE with INVALID KEY: F is of ACCESS SEQUENTIAL"),
        (relative, "READ F NEXT", "S READ NEXT: F is of ACCESS RANDOM"),
        (relative, "READ F AT END CONTINUE END-READ", "E READ with AT END: F is of ACCESS RANDOM"),
        (relative, "START F", "S START: F is of ACCESS RANDOM"),
        (
            by_position,
            "REWRITE FR INVALID KEY CONTINUE END-REWRITE",
            "E REWRITE with INVALID KEY: F is a relative file of ACCESS SEQUENTIAL",
        ),
    ];
    for (clauses, statement, expected) in cases {
        let found = about_file(clauses, "", statement);
        assert!(matches!(found.as_slice(), [only] if only.starts_with(expected)), "{statement}: {found:?}");
    }
    let fits: &[(&str, &str)] = &[
        (
            sequential,
            "OPEN INPUT F REVERSED. READ F NEXT AT END CONTINUE END-READ. WRITE FR AFTER PAGE. WRITE FR INVALID KEY CONTINUE END-WRITE",
        ),
        (
            indexed,
            "READ F INVALID KEY CONTINUE END-READ. READ F NEXT AT END CONTINUE END-READ. START F KEY > K INVALID KEY CONTINUE END-START",
        ),
        (in_sequence, "OPEN EXTEND F. DELETE F. REWRITE FR INVALID KEY CONTINUE END-REWRITE. WRITE FR INVALID KEY CONTINUE END-WRITE"),
        (relative, "READ F INVALID KEY CONTINUE END-READ. DELETE F INVALID KEY CONTINUE END-DELETE"),
    ];
    for (clauses, statements) in fits {
        assert_eq!(about_file(clauses, "", statements), Vec::<String>::new(), "{statements}");
    }
    let linage = about_file(sequential, "LINAGE 5 FOOTING 4", "WRITE FR AT EOP CONTINUE END-WRITE");
    assert_eq!(linage, Vec::<String>::new());
}

#[test]
fn items_named_by_a_file_have_the_right_description() {
    let first = |clauses: &str, description: &str| about_file(clauses, description, "CONTINUE").join("\n");
    assert!(first("ORGANIZATION RELATIVE RELATIVE KEY S", "").contains("RELATIVE KEY S of F must be an integer item"));
    assert!(first("ORGANIZATION RELATIVE RELATIVE KEY R", "").contains("RELATIVE KEY R of F cannot be in the file's record"));
    assert!(first("", "LINAGE 3 FOOTING 5").contains("FOOTING 5 is not within the 3 lines of the page body"));
    let status = messages(
        "IDENTIFICATION DIVISION.\nPROGRAM-ID. T.\nENVIRONMENT DIVISION.\nINPUT-OUTPUT SECTION.\nFILE-CONTROL.\n\
         SELECT F ASSIGN TO X FILE STATUS S.\nDATA DIVISION.\nFILE SECTION.\nFD F.\n01 FR PIC X.\nWORKING-STORAGE SECTION.\n01 S PIC X(3).\n\
         PROCEDURE DIVISION.\nMAIN.\n    GOBACK.\n",
    );
    assert_eq!(status, ["S FILE STATUS S of F must be an item of two bytes"]);
}

#[test]
fn clauses_and_phrases_that_cannot_be() {
    check("01 T.\n 05 E PIC X OCCURS 1 TO 5.", "CONTINUE", &["OCCURS 1 TO 5 needs DEPENDING ON"]);
    check("01 A PIC X(4).\n01 B REDEFINES A.\n 05 C PIC X VALUE 'x'.", "CONTINUE", &["E C redefines an item or stands in one that does"]);
    check("01 A PIC X(4).\n01 B REDEFINES A.\n 05 C PIC X.\n  88 D VALUE 'x'.\n01 E PIC X VALUE 'x'.", "CONTINUE", &[]);
    check("01 A- PIC X.", "CONTINUE", &["E the word A- ends with a hyphen"]);
    check("01 A PIC X(4) JUST.", "STRING 'a' DELIMITED SIZE INTO A", &["A cannot be the receiver of STRING"]);
    check("01 A PIC X(4).\n01 N PIC 9.", "UNSTRING A INTO A COUNT N", &["need the DELIMITED BY phrase"]);
    check("01 N PIC 9.", "IF N ALPHABETIC CONTINUE END-IF", &["this class test cannot be made"]);
    check("01 N PIC 9.", "PERFORM VARYING N FROM 1 BY 0 UNTIL N > 3 CONTINUE END-PERFORM", &["the literal of BY must not be zero"]);
    let national = "01 A PIC X(4).\n01 N PIC N(4).";
    check(national, "STRING A DELIMITED BY SPACE INTO N", &["STRING: when one operand is of usage NATIONAL all must be"]);
    check(national, "UNSTRING N DELIMITED BY ',' INTO N", &["UNSTRING: when one operand is of usage NATIONAL all must be"]);
    check(national, "UNSTRING N DELIMITED BY SPACE OR N',' INTO N. STRING N N'x' DELIMITED BY SIZE INTO N", &[]);
    let twice = "01 A PIC X(99).\n01 G.\n 05 P PIC X.\n 05 P PIC X.\n 05 H.\n  10 Q PIC X.\n 05 I.\n  10 Q PIC X.";
    check(twice, "XML GENERATE A FROM G", &["P is not unique in its group"]);
}

/// Language Reference, "Function definitions": the types of arguments.
#[test]
fn arguments_of_functions_have_their_class() {
    let items = "01 A PIC X(4).\n01 N PIC 9(4).\n01 D PIC 9(4)V99.\n01 F COMP-2.\n01 E PIC ZZ9.";
    let wrong = [
        ("FUNCTION SQRT(A)", "S FUNCTION SQRT: argument 1 must be numeric"),
        ("FUNCTION SUM(N D A)", "S FUNCTION SUM: argument 3 must be numeric"),
        ("FUNCTION MOD(N 2.5)", "S FUNCTION MOD: argument 2 must be an integer"),
        ("FUNCTION MOD(D 2)", "S FUNCTION MOD: argument 1 must be an integer"),
        ("FUNCTION FACTORIAL(F)", "S FUNCTION FACTORIAL: argument 1 must be an integer"),
        ("FUNCTION INTEGER-OF-DATE(A)", "S FUNCTION INTEGER-OF-DATE: argument 1 must be an integer"),
        ("FUNCTION NUMVAL(N)", "S FUNCTION NUMVAL: argument 1 must be of a class other than numeric"),
        ("FUNCTION ORD(7)", "S FUNCTION ORD: argument 1 must be of a class other than numeric"),
    ];
    for (function, expected) in wrong {
        check(items, &format!("COMPUTE N = {function}"), &[expected]);
    }
    check(items, "DISPLAY FUNCTION UPPER-CASE(N)", &["S FUNCTION UPPER-CASE: argument 1 must be of a class other than numeric"]);
    let fits = "COMPUTE D = FUNCTION SQRT(F) + FUNCTION SUM(N D F). COMPUTE N = FUNCTION MOD(D * 100 7) + FUNCTION REM(D 2.5). \
        COMPUTE N = FUNCTION NUMVAL(E) + FUNCTION NUMVAL(N(2:2)) + FUNCTION ORD(A(1:1)). DISPLAY FUNCTION TRIM(A LEADING). \
        COMPUTE N = FUNCTION INTEGER-OF-DATE(N). DISPLAY FUNCTION MAX(A E) FUNCTION HEX-OF(N)";
    check(items, fits, &[]);
}

#[test]
fn phrases_that_are_no_statements() {
    let items = "01 N PIC 9.\n01 T.\n 05 E PIC 9 OCCURS 3 INDEXED I.";
    check(items, "NEXT SENTENCE. ADD 1 TO N", &["S NEXT SENTENCE is a phrase of IF and SEARCH"]);
    // Neither is it a statement of another one's phrase, though that may be in a branch of IF itself.
    for statement in [
        "PERFORM 2 TIMES NEXT SENTENCE END-PERFORM",
        "EVALUATE N WHEN 1 NEXT SENTENCE END-EVALUATE",
        "ADD 1 TO N ON SIZE ERROR NEXT SENTENCE END-ADD",
        "SEARCH E AT END NEXT SENTENCE WHEN E(I) = 2 CONTINUE END-SEARCH",
        "IF N = 1 EVALUATE N WHEN 1 NEXT SENTENCE END-EVALUATE END-IF",
    ] {
        check(items, statement, &["S NEXT SENTENCE is a phrase of IF and SEARCH"]);
    }
    check(items, "PERFORM 2 TIMES IF N = 1 ADD 1 TO N NEXT SENTENCE END-IF END-PERFORM", &[]);
    check(items, "IF N = 1 NEXT SENTENCE ELSE ADD 1 TO N. SEARCH E WHEN E(I) = 2 NEXT SENTENCE. ADD 1 TO N", &[]);
}

#[test]
fn start_searches_upwards() {
    let indexed = "ORGANIZATION INDEXED ACCESS DYNAMIC RECORD KEY K";
    for relation in ["<", "LESS THAN", "NOT >", "NOT GREATER THAN", "<=", "NOT =", "NOT >="] {
        let found = about_file(indexed, "", &format!("START F KEY IS {relation} K"));
        assert!(matches!(found.as_slice(), [only] if only.starts_with("S the relation of START must be EQUAL")), "{relation}: {found:?}");
    }
    for relation in ["=", "EQUAL TO", ">", "GREATER THAN", "NOT <", "NOT LESS THAN", ">=", "GREATER THAN OR EQUAL TO"] {
        assert_eq!(about_file(indexed, "", &format!("START F KEY IS {relation} K")), Vec::<String>::new(), "{relation}");
    }
}

/// A program with files F and G: what USE says in two sections, and the statement of the first paragraph behind the declaratives.
fn declaratives(first: &str, second: &str, statement: &str) -> Vec<String> {
    messages(&format!(
        "IDENTIFICATION DIVISION.\nPROGRAM-ID. T.\nENVIRONMENT DIVISION.\nINPUT-OUTPUT SECTION.\nFILE-CONTROL.\n\
         SELECT F ASSIGN TO X.\nSELECT G ASSIGN TO Y.\nDATA DIVISION.\nFILE SECTION.\nFD F.\n01 FR PIC X.\nFD G.\n01 GR PIC X.\n\
         PROCEDURE DIVISION.\nDECLARATIVES.\nD1 SECTION.\n    USE AFTER ERROR PROCEDURE ON {first}.\nD1-P.\n    GO TO MAIN-P.\n\
         D2 SECTION.\n    USE AFTER ERROR PROCEDURE ON {second}.\nD2-P.\n    GO TO D1-P.\nEND DECLARATIVES.\n\
         MAIN-S SECTION.\nMAIN-P.\n    {statement}.\n    GOBACK.\n"
    ))
}

/// Programming Guide, "Coding ERROR declaratives": which statements may name which procedures.
#[test]
fn declaratives_serve_once_and_are_performed_only() {
    assert_eq!(declaratives("F", "G", "PERFORM D1-P"), Vec::<String>::new());
    assert_eq!(declaratives("INPUT", "F", "CONTINUE"), Vec::<String>::new());
    let gone_to = "S GO TO D2-P: it is a procedure of the declaratives; only PERFORM may name it here";
    assert_eq!(declaratives("F", "G", "GO TO D2-P"), [gone_to]);
    let twice = "S USE: section D1 of the declaratives serves this already";
    assert_eq!(declaratives("F", "G F", "CONTINUE"), [twice]);
    assert_eq!(declaratives("OUTPUT", "OUTPUT", "CONTINUE"), [twice]);
}

#[test]
fn sort_files_are_sorted_only() {
    let about_sort_file = |statement: &str| {
        messages(&format!(
            "IDENTIFICATION DIVISION.\nPROGRAM-ID. T.\nENVIRONMENT DIVISION.\nINPUT-OUTPUT SECTION.\nFILE-CONTROL.\n\
             SELECT F ASSIGN TO X.\nSELECT G ASSIGN TO Y.\nSELECT S ASSIGN TO Z.\nDATA DIVISION.\nFILE SECTION.\nFD F.\n01 FR PIC X(8).\n\
             FD G.\n01 GR PIC X(8).\nSD S.\n01 SR PIC X(8).\nPROCEDURE DIVISION.\nMAIN.\n    {statement}.\n    GOBACK.\n"
        ))
    };
    let sorted_only = |verb: &str| format!("S {verb}: S is a sort file (SD); only SORT, MERGE, RELEASE and RETURN may name it");
    for (statement, verb) in [
        ("OPEN I-O S", "OPEN"),
        ("CLOSE S", "CLOSE"),
        ("READ S INVALID KEY CONTINUE", "READ"),
        ("WRITE SR AT EOP CONTINUE", "WRITE"),
        ("REWRITE SR", "REWRITE"),
        ("SORT S ASCENDING KEY SR USING S GIVING G", "USING"),
        ("SORT S ASCENDING KEY SR USING F GIVING S", "GIVING"),
    ] {
        assert_eq!(about_sort_file(statement), [sorted_only(verb)], "{statement}");
    }
    assert_eq!(about_sort_file("RETURN F AT END CONTINUE"), ["S RETURN: F is not a sort file (SD)"]);
    assert_eq!(about_sort_file("RETURN S"), ["E RETURN needs the phrase AT END"]);
    assert_eq!(about_sort_file("MERGE S ASCENDING KEY SR USING F GIVING G"), ["S MERGE needs two files or more behind USING"]);
    assert_eq!(about_sort_file("MERGE S ASCENDING KEY SR USING F G GIVING G. RETURN S AT END CONTINUE"), Vec::<String>::new());
}

#[test]
fn operands_of_set_search_inspect_and_alter() {
    let items = "01 N PIC 9(4).\n01 R PIC 9V9.\n01 A PIC X(4).\n01 IX INDEX.\n01 T.\n 05 E PIC 9 OCCURS 3 INDEXED I.";
    check(items, "SET N TO 5", &["S SET N: an integer item can be set to the value of an index only"]);
    check(items, "SET I UP BY R", &["S UP BY and DOWN BY need an integer"]);
    check(items, "SET N TO I. SET I TO N. SET I TO 2. SET IX TO I. SET I UP BY N. SET I DOWN BY 1", &[]);
    check(
        items,
        "SEARCH N AT END ADD 1 TO R WHEN A = 'X' ADD 1 TO ZZ END-SEARCH",
        &["S SEARCH N: it must have OCCURS", "ZZ is not defined"],
    );
    check(items, "SEARCH E(I) WHEN E(I) = 1 CONTINUE END-SEARCH", &["S SEARCH E: the table is named without subscripts"]);
    check(items, "INSPECT A REPLACING CHARACTERS BY 'AB'", &["S CHARACTERS BY takes one character, not 2"]);
    check(items, "INSPECT A REPLACING CHARACTERS BY '*' AFTER 'B'. INSPECT A REPLACING CHARACTERS BY SPACE", &[]);
    check(items, "UNSTRING A DELIMITED BY 5 INTO A", &["S DELIMITED BY takes text, not a number"]);
    check(
        "01 N PIC 9.",
        "ALTER P TO PROCEED TO Q. P. ADD 1 TO N. GO TO Q. Q. CONTINUE",
        &["S ALTER changes P, so nothing but one GO TO may stand in it"],
    );
    check("01 N PIC 9.", "ALTER P TO PROCEED TO Q. P. GO TO R. R. CONTINUE. Q. CONTINUE", &[]);
}

#[test]
fn clauses_for_items_that_cannot_have_them() {
    check("01 A PIC X BLANK WHEN ZERO.", "CONTINUE", &["S A: BLANK WHEN ZERO needs a numeric or numeric-edited item"]);
    check("01 A PIC X SIGN LEADING.", "CONTINUE", &["E A: SIGN is for numeric items of usage DISPLAY or NATIONAL"]);
    check("01 A PIC S9 COMP SIGN LEADING.", "CONTINUE", &["E A: SIGN is for numeric items of usage DISPLAY or NATIONAL"]);
    check("01 G SIGN LEADING SEPARATE.\n 05 A PIC S9.\n 05 B PIC S9 COMP.\n 05 C PIC X.\n01 D PIC ZZ9 BLANK ZERO.", "CONTINUE", &[]);
    check("01 A OBJECT REFERENCE.", "CONTINUE", &["S object-oriented COBOL (USAGE OBJECT REFERENCE) is not supported"]);
    check("01 A PIC X.\n 88 B VALUE 'Z' THRU 'A'.", "CONTINUE", &["E B: of two values with THRU the first must be less"]);
    check("01 A PIC S9.\n 88 B VALUE -5 THRU -1 3 THRU 7.\n 88 C VALUE 7 THRU 3.", "CONTINUE", &["E C: of two values with THRU"]);
    check("01 A PIC 9.\n 88 B VALUE 1 FALSE 2 3.", "CONTINUE", &["'3' is not valid here"]);
}

/// Language Reference, "Declaratives": with them the entire PROCEDURE DIVISION is divided into sections.
#[test]
fn a_paragraph_behind_the_declaratives_is_warned_of() {
    let with = |header: &str| {
        messages(&format!(
            "IDENTIFICATION DIVISION.\nPROGRAM-ID. T.\nENVIRONMENT DIVISION.\nINPUT-OUTPUT SECTION.\nFILE-CONTROL.\nSELECT F ASSIGN TO X.\n\
             DATA DIVISION.\nFILE SECTION.\nFD F.\n01 FR PIC X(3).\nPROCEDURE DIVISION.\nDECLARATIVES.\nD SECTION.\n\
             \x20USE AFTER ERROR PROCEDURE ON F.\nDP.\n CONTINUE.\nEND DECLARATIVES.\n{header}M.\n OPEN INPUT F. GOBACK.\nM2.\n CONTINUE.\n"
        ))
    };
    assert_eq!(with("MS SECTION.\n"), Vec::<String>::new());
    assert_eq!(with(""), ["W M belongs to no section; with declaratives the whole PROCEDURE DIVISION is divided into sections"]);
}

/// A length that no record description has is a mistake in one or the other. (Language Reference, "RECORD clause", format 1.)
#[test]
fn record_contains_matches_the_record_lengths() {
    let with = |clause: &str| about_file("", clause, "OPEN INPUT F");
    assert_eq!(with("RECORD CONTAINS 6 CHARACTERS"), Vec::<String>::new());
    assert_eq!(with("RECORD CONTAINS 0 CHARACTERS"), Vec::<String>::new());
    assert_eq!(with("RECORD CONTAINS 20"), ["W RECORD says 20 bytes for each record of F, but its longest record description has 6"]);
    assert_eq!(with("RECORD CONTAINS 4"), ["W the longest record of F has 6 bytes, more than RECORD says (4)"]);
    assert_eq!(with("RECORD VARYING FROM 1 TO 20"), Vec::<String>::new());
    assert_eq!(with("RECORD CONTAINS 1 TO 20"), Vec::<String>::new());
}

/// Language Reference: these three functions have one or two arguments. Three compiled, and abended when they ran.
#[test]
fn windowing_functions_have_at_most_two_arguments() {
    for function in ["YEAR-TO-YYYY", "DATE-TO-YYYYMMDD", "DAY-TO-YYYYDDD"] {
        let with = |arguments: &str| format!("COMPUTE N = FUNCTION {function}({arguments})");
        let told = format!("S FUNCTION {function} has 3 arguments, not the number it needs (1 to 2)");
        check("01 N PIC 9(8).", &with("45 50 1990"), &[&told]);
        check("01 N PIC 9(8).", &with("45 50"), &[]);
        check("01 N PIC 9(8).", &with("45"), &[]);
    }
}
