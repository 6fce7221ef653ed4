//! Language elements end to end: compile, load, run. Expected values follow from the Language Reference; the report was also produced by
//! GnuCOBOL 3.1.2 (which prints the report footing on a page of its own).

mod common;

use common::{ASCII, EBCDIC, both, compile, run};
use program::batch::{BatchHost, DataDefinition, FileFormat};

fn messages(source: &str) -> Vec<String> {
    let options = cobol::Options::default();
    let compiled = cobol::compile_source("TEST.cbl", source.as_bytes(), &options, &cobol::source::NoCopies);
    compiled.diagnostics.iter().map(|message| message.text.clone()).collect()
}

const FUNCTIONS: &str = "       IDENTIFICATION DIVISION.
       FUNCTION-ID. FACT.
       DATA DIVISION.
       LINKAGE SECTION.
       01 N PIC 9(4).
       01 R PIC 9(9) COMP.
       PROCEDURE DIVISION USING N RETURNING R.
           IF N < 2
             MOVE 1 TO R
           ELSE
             COMPUTE R = N * FUNCTION FACT(N - 1)
           END-IF
           GOBACK.
       END FUNCTION FACT.
       IDENTIFICATION DIVISION.
       FUNCTION-ID. GREET.
       DATA DIVISION.
       LINKAGE SECTION.
       01 W PIC X(5).
       01 G PIC X(12).
       PROCEDURE DIVISION USING W RETURNING G.
           MOVE SPACES TO G
           STRING 'Hello ' W DELIMITED BY SIZE INTO G
           EXIT FUNCTION.
       END FUNCTION GREET.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. MAIN.
       ENVIRONMENT DIVISION.
       CONFIGURATION SECTION.
       REPOSITORY.
           FUNCTION FACT
           FUNCTION GREET
           FUNCTION ALL INTRINSIC.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 X PIC 9(9).
       01 U PIC 9(4) VALUE 3.
       PROCEDURE DIVISION.
           COMPUTE X = FACT(5) + FACT(U) + FACT(FACT(3))
           DISPLAY X
           DISPLAY GREET('World') '|' UPPER-CASE(GREET('abc')) '|'
             FUNCTION GREET('xyz')(7:2)
           IF FACT(4) = 24 AND FUNCTION LENGTH(GREET('a')) = 12
             DISPLAY 'OK'
           END-IF
           STOP RUN.
       END PROGRAM MAIN.
";

#[test]
fn user_defined_functions_recurse_and_convert_their_arguments() {
    // 120 + 6 + 720.
    assert_eq!(both(FUNCTIONS), "000000846\nHello World |HELLO ABC   |xy\nOK\n");
}

#[test]
fn unbounded_tables_have_the_occurrences_of_their_counter() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 P POINTER.
       01 CNT PIC 9(4) VALUE 3.
       LINKAGE SECTION.
       01 TAB.
         05 HEAD PIC X(2).
         05 ENT OCCURS 1 TO UNBOUNDED DEPENDING ON CNT PIC 9(4).
       PROCEDURE DIVISION.
           ALLOCATE 40 CHARACTERS RETURNING P
           SET ADDRESS OF TAB TO P
           MOVE 'HD' TO HEAD
           MOVE 7 TO ENT(1) MOVE 8 TO ENT(2) MOVE 9 TO ENT(3)
           DISPLAY FUNCTION LENGTH(TAB) ' ' TAB
           MOVE 2 TO CNT
           DISPLAY LENGTH OF TAB ' ' TAB
           FREE P
           IF P = NULL DISPLAY 'FREED' END-IF
           STOP RUN.
";
    assert_eq!(both(source), "000000014 HD000700080009\n000000010 HD00070008\nFREED\n");
    let wrong = source.replace("       LINKAGE SECTION.\n", "");
    assert!(messages(&wrong).iter().any(|text| text.contains("OCCURS UNBOUNDED needs DEPENDING ON and stands in the LINKAGE SECTION")));
}

#[test]
fn dynamic_length_items_take_the_length_of_the_moved_data() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 D PIC X DYNAMIC LENGTH LIMIT IS 8 VALUE 'abc'.
       01 E PIC X DYNAMIC LENGTH.
       01 X PIC X(5) VALUE '12345'.
       PROCEDURE DIVISION.
           DISPLAY D '|' FUNCTION LENGTH(D) '|' LENGTH OF E
           MOVE X TO D
           DISPLAY D '|' FUNCTION LENGTH(D)
           MOVE 'a longer text' TO D E
           DISPLAY D '|' E '|'
           MOVE D(2:3) TO D
           DISPLAY D '|'
           MOVE FUNCTION TRIM(D) TO D
           DISPLAY D '|' FUNCTION LENGTH(D)
           SET LENGTH OF D TO 2
           DISPLAY D '|'
           STOP RUN.
";
    let expected = "abc|000000003|000000000\n12345|000000005\na longer|a longer text|\n lo|\nlo|000000002\nlo|\n";
    assert_eq!(both(source), expected);
}

#[test]
fn sort_uses_the_collating_sequence_of_the_statement() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       ENVIRONMENT DIVISION.
       CONFIGURATION SECTION.
       SPECIAL-NAMES.
           ALPHABET ZA IS 'ZYXWVUTSRQPONMLKJIHGFEDCBA'.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT S ASSIGN TO S.
       DATA DIVISION.
       FILE SECTION.
       SD S.
       01 R PIC X.
       WORKING-STORAGE SECTION.
       01 T VALUE 'BCA'.
         05 E OCCURS 3 ASCENDING KEY IS E PIC X.
       PROCEDURE DIVISION.
       M.
           SORT S ON ASCENDING KEY R
             COLLATING SEQUENCE IS ZA
             INPUT PROCEDURE IS I OUTPUT PROCEDURE IS O
           SORT E DISPLAY ' ' T
           SORT E ASCENDING KEY E COLLATING SEQUENCE ZA DISPLAY T
           STOP RUN.
       I.
           RELEASE R FROM 'B' RELEASE R FROM 'C' RELEASE R FROM 'A'.
       O.
           PERFORM 3 TIMES
             RETURN S AT END CONTINUE END-RETURN
             DISPLAY R WITH NO ADVANCING
           END-PERFORM.
";
    assert_eq!(both(source), "CBA ABC\nCBA\n");
}

#[test]
fn independent_segments_reset_their_altered_paragraphs() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       PROCEDURE DIVISION.
       A SECTION 10.
       A1.
           PERFORM B 2 TIMES
           PERFORM C 2 TIMES
           STOP RUN.
       B SECTION 60.
       B1. GO TO B2.
       B2. DISPLAY 'B FIRST' ALTER B1 TO PROCEED TO B3 GO TO B4.
       B3. DISPLAY 'B ALTERED'.
       B4. EXIT.
       C SECTION 40.
       C1. GO TO C2.
       C2. DISPLAY 'C FIRST' ALTER C1 TO PROCEED TO C3 GO TO C4.
       C3. DISPLAY 'C ALTERED'.
       C4. EXIT.
";
    // B is independent, C (40) is not.
    assert_eq!(both(source), "B FIRST\nB FIRST\nC FIRST\nC ALTERED\n");
}

#[test]
fn global_use_procedures_serve_contained_programs() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. OUTER.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT F ASSIGN TO NOWHERE FILE STATUS IS ST.
       DATA DIVISION.
       FILE SECTION.
       FD F GLOBAL.
       01 R PIC X(10).
       WORKING-STORAGE SECTION.
       01 ST PIC XX.
       PROCEDURE DIVISION.
       DECLARATIVES.
       BAD SECTION.
           USE GLOBAL AFTER ERROR PROCEDURE ON INPUT.
       BAD-P.
           DISPLAY 'USE ' ST.
       END DECLARATIVES.
       MAIN SECTION.
       M.
           CALL 'INNER'
           DISPLAY 'BACK'
           STOP RUN.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. INNER.
       PROCEDURE DIVISION.
       M.
           OPEN INPUT F
           DISPLAY 'AFTER'.
       END PROGRAM INNER.
       END PROGRAM OUTER.
";
    assert_eq!(both(source), "USE 35\nAFTER\nBACK\n");
}

const REPORT: &str = include_str!("cobol/report.cob");

#[test]
fn a_report_has_headings_footings_sums_and_pages() {
    for ccsid in [EBCDIC, ASCII] {
        let module = compile(REPORT, ccsid);
        let path = std::env::temp_dir().join(format!("regent-report-{ccsid}-{}", std::process::id()));
        let mut output = Vec::new();
        {
            let mut host = BatchHost::new(&mut output);
            host.files.names.insert("REPORT".to_string(), DataDefinition::File { path: path.clone(), format: FileFormat::Unspecified });
            let (ended, _) = host.run(&module, None);
            assert!(!matches!(ended, program::rununit::Ended::Abended(_)));
        }
        let text = std::fs::read_to_string(&path).expect("the report was written");
        let _ = std::fs::remove_file(&path);
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        let expected: Vec<&str> = include_str!("cobol/report.out").lines().map(str::trim_end).collect();
        assert_eq!(lines, expected, "CCSID {ccsid}");
        assert_eq!(String::from_utf8_lossy(&output), "0002 1\n");
    }
}

#[test]
fn debugging_sections_see_how_control_reaches_a_procedure() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       ENVIRONMENT DIVISION.
       CONFIGURATION SECTION.
       SOURCE-COMPUTER. IBM-370 WITH DEBUGGING MODE.
       PROCEDURE DIVISION.
       DECLARATIVES.
       WATCH SECTION.
           USE FOR DEBUGGING ON ALL PROCEDURES.
       SHOW.
           DISPLAY DEBUG-LINE ' ' DEBUG-NAME(1:6)
             DEBUG-CONTENTS(1:13).
       END DECLARATIVES.
       MAIN SECTION.
       FIRST-P.
           PERFORM LOOP-P 2 TIMES
           GO TO LAST-P.
       LOOP-P.
      D    DISPLAY 'DEBUGGING LINE'
           CONTINUE.
       LAST-P.
           STOP RUN.
";
    let expected = "       MAIN  START PROGRAM
000014 FIRST-FALL THROUGH 
000016 LOOP-PPERFORM LOOP 
DEBUGGING LINE
000016 LOOP-PPERFORM LOOP 
DEBUGGING LINE
000017 LAST-P             
";
    assert_eq!(debugged(source, true), expected);
    // With the run-time option NODEBUG lines are executed, sections are not.
    assert_eq!(both(source), "DEBUGGING LINE\nDEBUGGING LINE\n");
    // Without the mode neither the section nor the line is there.
    assert_eq!(both(&source.replace(" WITH DEBUGGING MODE", "")), "");
}

#[test]
fn the_define_option_sets_compilation_variables() {
    let source = "       CBL DEFINE(LEVEL=3,TESTED)
       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       PROCEDURE DIVISION.
      >>DEFINE LEVEL AS PARAMETER
      >>IF TESTED IS DEFINED
           DISPLAY 'TESTED'
      >>END-IF
      >>EVALUATE LEVEL
      >>WHEN 1 THRU 2
           DISPLAY 'LOW'
      >>WHEN 3
           DISPLAY 'THREE'
      >>WHEN OTHER
           DISPLAY 'OTHER'
      >>END-EVALUATE
           STOP RUN.
";
    assert_eq!(both(source), "TESTED\nTHREE\n");
}

#[test]
fn unsupported_elements_are_refused_by_name() {
    let class = "       IDENTIFICATION DIVISION.\n       CLASS-ID. C INHERITS BASE.\n       END CLASS C.\n";
    assert_eq!(messages(class).first().map(String::as_str), Some("object-oriented COBOL (CLASS-ID) is not supported"));
    let communication = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. T.\n       DATA DIVISION.
       COMMUNICATION SECTION.\n       CD X FOR INPUT.\n       PROCEDURE DIVISION.\n           STOP RUN.\n";
    assert!(messages(communication).iter().any(|text| text == "the COMMUNICATION SECTION is not supported"));
}

/// Runs a program with the run-time option DEBUG on or off.
fn debugged(source: &str, on: bool) -> String {
    let mut output = Vec::new();
    {
        let mut host = BatchHost::new(&mut output);
        host.debugging = on;
        host.run(&compile(source, EBCDIC), None);
    }
    String::from_utf8(output).expect("DISPLAY writes UTF-8")
}

/// One debugging section for everything the standard monitors; what it shows is ANSI X3.23-1985, module DEB.
const MONITORED: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       ENVIRONMENT DIVISION.
       CONFIGURATION SECTION.
       SOURCE-COMPUTER. X WITH DEBUGGING MODE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 A PIC 9 VALUE 0.
       01 B PIC 9 VALUE 0.
       01 G.
         05 T OCCURS 3 PIC X(2).
       01 I PIC 9 VALUE 2.
       PROCEDURE DIVISION.
       DECLARATIVES.
       DEBUGS SECTION.
           USE FOR DEBUGGING ON A ALL REFERENCES OF B T OF G STEPS.
       SHOW.
           DISPLAY DEBUG-NAME(1:8) DEBUG-SUB-1 ' ' DEBUG-CONTENTS(1:13).
       END DECLARATIVES.
       MAIN SECTION.
       BEGIN-MAIN.
           MOVE 1 TO A
           ADD A TO I
           ADD B TO I
           IF B = 0 MOVE 'XY' TO T(I) END-IF
           SUBTRACT 9 FROM A ON SIZE ERROR DISPLAY 'SIZE' END-SUBTRACT
           PERFORM STEPS VARYING A FROM 1 BY 1 UNTIL A > 2
           STOP RUN.
       STEPS.
           DISPLAY 'STEP'.
";

#[test]
fn debugging_sections_run_for_items_and_procedures_while_the_option_is_on() {
    let lines = |text: &str| text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>();
    let expected = [
        "A 1",
        "B 0",
        "B 0",
        "T OF G +0003 XY",
        "A 8",
        "A 1",
        "A 1",
        "STEPS PERFORM LOOP",
        "STEP",
        "A 2",
        "A 2",
        "STEPS PERFORM LOOP",
        "STEP",
        "A 3",
        "A 3",
    ];
    assert_eq!(lines(&debugged(MONITORED, true)), expected);
    assert_eq!(lines(&debugged(MONITORED, false)), ["STEP", "STEP"]);
    // Without DEBUGGING MODE the declarative is a comment.
    assert_eq!(lines(&debugged(&MONITORED.replace("WITH DEBUGGING MODE", ""), true)), ["STEP", "STEP"]);
}

/// Language Reference, GROUP-USAGE clause: a national group is processed as an elementary item of category national, by INITIALIZE
/// and the CORRESPONDING phrase as a group.
#[test]
fn a_national_group_is_a_national_item() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 G GROUP-USAGE NATIONAL.
         05 A PIC N(2) VALUE N'xy'.
         05 B PIC 99 VALUE 7.
         05 C.
            10 D PIC S9 SIGN LEADING SEPARATE VALUE -5.
       01 S PIC S9(2) SIGN TRAILING SEPARATE USAGE NATIONAL VALUE -34.
       01 X PIC X(8).
       01 N PIC 99.
       01 H GROUP-USAGE NATIONAL.
         05 A PIC N(3).
       PROCEDURE DIVISION.
           DISPLAY G S
           DISPLAY FUNCTION LENGTH(G) ' ' LENGTH OF G
           DISPLAY G(3:2) '|' C
           MOVE FUNCTION DISPLAY-OF(G) TO X DISPLAY X
           IF G = 'xy07-5' DISPLAY 'EQUAL' END-IF
           MOVE 'ab12+3' TO G DISPLAY A OF G B D
           INSPECT G REPLACING ALL N'1' BY N'9' DISPLAY B
           MOVE CORRESPONDING G TO H DISPLAY H '|'
           STRING N'q' N'r' DELIMITED BY SIZE INTO G DISPLAY G
           INITIALIZE G DISPLAY G
           MOVE SPACES TO G
           MOVE 0 TO N INSPECT G TALLYING N FOR ALL SPACE DISPLAY N
           GOBACK.
";
    let expected = "xy07-534-\n000000006 000000012\n07|-5\nxy07-5\nEQUAL\nab12+3\n92\nab |\nqr92+3\n  00+0\n06\n";
    let shown: String = both(source).lines().map(|line| format!("{}\n", line.trim_end())).collect();
    assert_eq!(shown, expected);
}

#[test]
fn members_of_a_national_group_are_national() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 G GROUP-USAGE NATIONAL.
         05 A PIC X(2) USAGE DISPLAY.
         05 B PIC S99.
       PROCEDURE DIVISION.
           GOBACK.
";
    let found = messages(source);
    let expected =
        ["A stands in a national group and must be of usage NATIONAL", "B is signed and of usage NATIONAL, so it needs SIGN IS SEPARATE"];
    assert_eq!(found, expected);
}

#[test]
fn a_currency_sign_has_a_picture_symbol() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       ENVIRONMENT DIVISION.
       CONFIGURATION SECTION.
       SPECIAL-NAMES.
           CURRENCY SIGN IS 'EUR' WITH PICTURE SYMBOL 'F'.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 A PIC FF,FF9.99.
       PROCEDURE DIVISION.
           MOVE 1234.5 TO A
           DISPLAY A
           GOBACK.
";
    assert_eq!(both(source), "EUR1,234.50\n");
}

/// Language Reference, "Compile-time arithmetic expressions" and boolean literals.
#[test]
fn conditional_compilation_calculates() {
    let source = "       CBL DEFINE(X=5)
       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       PROCEDURE DIVISION.
      >>DEFINE Z AS X * 2 - 7 / 2
      >>IF Z = 7
           DISPLAY 'SEVEN'
      >>END-IF
      >>DEFINE K AS B'1'
      >>IF K AND NOT (Z + 1 < 8)
           DISPLAY 'K'
      >>END-IF
      >>IF K = B'0'
           DISPLAY 'NOT K'
      >>END-IF
           GOBACK.
";
    assert_eq!(both(source), "SEVEN\nK\n");
    let wrong = source.replace("7 / 2", "7 / 0");
    assert!(messages(&wrong).iter().any(|message| message.contains("7 / 0 has no value")), "{:?}", messages(&wrong));
}

/// Enterprise COBOL says IGYDS1082-E at the header and goes on as if the period were there.
#[test]
fn an_entry_without_its_period_ends_at_a_header() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 A PIC X(3) VALUE 'ABC'
       LINKAGE SECTION.
       01 B PIC X
       PROCEDURE DIVISION.
           DISPLAY A
           GOBACK.
";
    assert_eq!(messages(source), ["a period is missing before this; assumed"; 2]);
}

/// What a statement's own work by the run time finds is told with the statement's line, as program interruptions are.
#[test]
fn errors_in_functions_and_display_have_a_line() {
    let program = |statement: &str| {
        format!(
            "       CBL SSRANGE
       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 A PIC S9(4) VALUE -1.
       01 B PIC 9(3) COMP-3.
       01 C REDEFINES B PIC X(2).
       01 X PIC X(3).
       PROCEDURE DIVISION.
           MOVE SPACES TO C
           {statement}
           GOBACK.
"
        )
    };
    let cases = [
        ("COMPUTE A = FUNCTION SQRT(A)", "U4038 in T at line 12, "),
        ("MOVE FUNCTION CHAR(300) TO X", "U4038 in T at line 12, "),
        ("DISPLAY B", "S0C7 in T at line 12, "),
        ("MOVE X(A:1) TO X", "U4038 in T at line 12, "),
    ];
    for (statement, expected) in cases {
        for ccsid in [EBCDIC, ASCII] {
            let failure = run(&program(statement), ccsid).failure.unwrap_or_else(|| panic!("{statement} does not fail"));
            let text = failure.batch_text();
            assert!(text.starts_with(expected) && !text.contains("offset 0:"), "{statement}: {text}");
        }
    }
    let text = run(&program("CALL 'T'"), EBCDIC).failure.expect("a program that is not RECURSIVE").batch_text();
    assert!(text.starts_with("U4038 in T at line 12, ") && text.contains("recursive CALL of a program that is not RECURSIVE"), "{text}");
}

/// The run time pads and repeats; a module with the results would be as long as the data.
#[test]
fn moves_of_literals_to_long_items_do_not_lengthen_the_load_module() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 X PIC X(1000000).
       01 N PIC N(500000).
       PROCEDURE DIVISION.
           MOVE ALL 'abc' TO X
           DISPLAY X(1:4) X(999997:4)
           MOVE ALL N'de' TO N
           DISPLAY N(1:3) N(499999:2)
           MOVE 'xy' TO X
           DISPLAY X(1:4) X(999999:2) '|'
           MOVE ALL 'abc' TO N
           DISPLAY N(1:4) N(500000:1)
           STOP RUN.
";
    assert_eq!(both(source), "abcaabca\ndedde\nxy    |\nabcab\n");
    let compiled = cobol::compile_source("T.cbl", source.as_bytes(), &cobol::Options::default(), &cobol::source::NoCopies);
    let image = codegen::compile(&compiled.programs, &codegen::Settings::default()).unwrap();
    let length = image.to_bytes().len();
    assert!(length < 100_000, "{length} bytes");
}
