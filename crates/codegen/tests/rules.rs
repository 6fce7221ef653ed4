//! Language rules that programs in production have depended on. Expected values follow from the Language Reference.

mod common;

use common::{EBCDIC, both, output, run};

/// "Scope of names". MIDDLE's B is not GLOBAL, so INNER sees that of OUTER.
#[test]
fn a_global_name_of_an_inner_program_hides_the_outer_one() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. OUTER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 A PIC X(5) GLOBAL VALUE 'OUTER'.
       01 B PIC X(5) GLOBAL VALUE 'BBBBB'.
       01 G GLOBAL.
          05 X PIC X(5) VALUE 'OUT-X'.
       PROCEDURE DIVISION.
           CALL 'MIDDLE'
           DISPLAY A ' ' B
           GOBACK.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. MIDDLE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 A PIC X(6) GLOBAL VALUE 'MIDDLE'.
          88 A-IS VALUE 'MIDDLE'.
       01 B PIC X(6) VALUE 'HIDDEN'.
       01 H GLOBAL.
          05 X PIC X(5) VALUE 'MID-X'.
       PROCEDURE DIVISION.
           CALL 'INNER'
           DISPLAY A ' ' B
           GOBACK.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. INNER.
       PROCEDURE DIVISION.
           DISPLAY A ' ' B ' ' X ' ' X OF G
           IF A-IS DISPLAY 'YES' END-IF
           MOVE 'new' TO A
           MOVE 'NEW' TO B
           GOBACK.
       END PROGRAM INNER.
       END PROGRAM MIDDLE.
       END PROGRAM OUTER.
";
    assert_eq!(both(source), "MIDDLE BBBBB MID-X OUT-X\nYES\nnew    HIDDEN\nOUTER NEW  \n");
}

/// An unbounded group has no maximum length: a MOVE to it fills as much as the object says before it. ("Variable-length tables")
#[test]
fn an_unbounded_group_is_filled_with_its_length_at_the_time() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 AREA-X.
          05 FILLER PIC S9(4) COMP VALUE 3.
          05 FILLER PIC X(10) VALUE 'ABCDEFGHIJ'.
       01 NEW-X.
          05 FILLER PIC S9(4) COMP VALUE 4.
          05 FILLER PIC X(10) VALUE 'xyzzzzzzzz'.
       01 BEHIND PIC X(4) VALUE 'KEEP'.
       LINKAGE SECTION.
       01 U.
          05 N PIC S9(4) COMP.
          05 T PIC X OCCURS 1 TO UNBOUNDED DEPENDING ON N.
       PROCEDURE DIVISION.
           SET ADDRESS OF U TO ADDRESS OF AREA-X
           MOVE NEW-X TO U
           DISPLAY AREA-X(3:) BEHIND
           DISPLAY N ' ' T(N)
           INITIALIZE U REPLACING ALPHANUMERIC DATA BY '-'
           DISPLAY AREA-X(3:) BEHIND
           GOBACK.
";
    assert_eq!(both(source), "xyzDEFGHIJKEEP\n0004 D\n----EFGHIJKEEP\n");
}

/// A reference-modified item is alphanumeric, whatever the item is. ("INITIALIZE statement", "Reference modification")
#[test]
fn initialize_of_a_part_reaches_that_part_only() {
    let data = "01 G.\n05 A PIC X(4) VALUE 'ABCD'.\n05 N PIC 9(4) VALUE 1234.\n01 D PIC 9(4) VALUE 5678.\n01 E PIC X(4) VALUE 'WXYZ'.\n\
                01 P PIC 9 VALUE 2.\n01 T.\n05 O PIC X(3) VALUE 'abc' OCCURS 2.";
    let procedure = "    INITIALIZE G(3:3) D(2:2) E(P:1)\n    DISPLAY '[' G '][' D '][' E ']'\n\
                     \x20   INITIALIZE E(3:2) REPLACING ALPHANUMERIC DATA BY '99'\n    DISPLAY '[' E ']'\n\
                     \x20   INITIALIZE E(2:1) REPLACING NUMERIC DATA BY 7\n    DISPLAY '[' E ']'\n\
                     \x20   INITIALIZE O(P)(P:)\n    DISPLAY '[' T ']'\n    GOBACK.";
    assert_eq!(output(data, procedure), "[AB   234][5  8][W YZ]\n[W 99]\n[W 99]\n[abca  ]\n");
}

/// What is behind END DECLARATIVES belongs to no section of the declaratives.
#[test]
fn a_paragraph_may_stand_right_behind_the_declaratives() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT F ASSIGN TO NOWHERE.
       DATA DIVISION.
       FILE SECTION.
       FD F.
       01 R PIC X(10).
       PROCEDURE DIVISION.
       DECLARATIVES.
       D SECTION.
           USE AFTER ERROR PROCEDURE ON F.
       DP.
           DISPLAY 'ERROR'.
       END DECLARATIVES.
       MAIN-P.
           DISPLAY 'MAIN'
           OPEN INPUT F
           PERFORM SECOND-P
           DISPLAY 'END'
           GOBACK.
       SECOND-P.
           DISPLAY 'SECOND'.
";
    assert_eq!(both(source), "MAIN\nERROR\nSECOND\nEND\n");
}

/// DECIMAL-POINT IS COMMA: the fraction of a format and of a value begin with a comma. ("Date and time formats")
#[test]
fn fractions_of_seconds_with_a_comma() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       ENVIRONMENT DIVISION.
       CONFIGURATION SECTION.
       SPECIAL-NAMES. DECIMAL-POINT IS COMMA.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 S PIC 9(5)V99 VALUE 3661,25.
       01 N PIC 99.
       PROCEDURE DIVISION.
           DISPLAY FUNCTION FORMATTED-TIME('hhmmss,ss' S)
           DISPLAY FUNCTION FORMATTED-DATETIME('YYYY-MM-DDThh:mm:ss,s'
               FUNCTION INTEGER-OF-DATE(20240229) S)
           COMPUTE S =
             FUNCTION SECONDS-FROM-FORMATTED-TIME('hhmmss,ss'
               '000001,50')
           DISPLAY S
           COMPUTE N = FUNCTION TEST-FORMATTED-DATETIME('hhmmss,ss'
               '010101,25')
           DISPLAY N
           COMPUTE N = FUNCTION TEST-FORMATTED-DATETIME('hhmmss,ss'
               '010101.25')
           DISPLAY N
           GOBACK.
";
    assert_eq!(both(source), "010101,25\n2024-02-29T01:01:01,2\n0000150\n00\n07\n");
}

fn abend(source: &str, others: &[&str]) -> (String, String) {
    let others: Vec<_> = others.iter().map(|text| common::compile(text, EBCDIC)).collect();
    let outcome = common::run_module(&common::compile(source, EBCDIC), &others);
    (outcome.output, outcome.failure.expect("it abends").batch_text())
}

/// IGZ0035S and IGZ0020S: neither FILE STATUS nor an ERROR declarative.
#[test]
fn unhandled_file_errors_are_reported_by_name() {
    let program = |statements: &str| {
        format!(
            "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT F ASSIGN TO NOWHERE.
       DATA DIVISION.
       FILE SECTION.
       FD F.
       01 R PIC X(10).
       PROCEDURE DIVISION.
           DISPLAY 'BEGINS'
           {statements}
           DISPLAY 'NEVER'
           GOBACK.
"
        )
    };
    let (output, text) = abend(&program("OPEN INPUT F"), &[]);
    assert!(output.starts_with("BEGINS\nIGZ0035S There was an unsuccessful OPEN or CLOSE of file F in program T at relative"), "{output}");
    assert!(output.ends_with("The status code was 35.\n"), "{output}");
    let told = "OPEN of file F (DD NOWHERE): file status 35, the file is not there; the program has neither FILE STATUS nor a USE \
                procedure for it";
    assert!(text.starts_with("U4038 in T at line 13, offset ") && text.ends_with(told), "{text}");
    let (output, text) = abend(&program("READ F"), &[]);
    assert!(output.starts_with("BEGINS\nIGZ0020S A logic error occurred. Neither FILE STATUS nor an ERROR declarative were"), "{output}");
    assert!(text.contains(": READ of file F (DD NOWHERE): file status 47, the file is not open for INPUT or I-O;"), "{text}");
}

/// CEE3501S: the statement that calls, and what it calls.
#[test]
fn a_call_of_a_missing_program_is_named() {
    let caller = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. CALLER.
       PROCEDURE DIVISION.
           CALL 'CALLED'
           GOBACK.
";
    let called = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. CALLED.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 W PIC X(8) VALUE 'NOSUCH'.
       PROCEDURE DIVISION.
           DISPLAY 'HERE'
           CALL W
           GOBACK.
";
    let (output, text) = abend(caller, &[called]);
    assert_eq!(output, "HERE\nCEE3501S The module NOSUCH was not found.\n");
    assert!(text.starts_with("U4038 in CALLED at line 8, offset "), "{text}");
    assert!(text.ends_with(": CALL of NOSUCH: there is no program of that name"), "{text}");
}

/// "TRIM": an argument of spaces only gives a result of zero length. Such a result is a sending operand, an argument and a comparand.
#[test]
fn a_result_of_zero_length_is_taken_wherever_a_function_may_stand() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 A PIC X(50) VALUE SPACES.
       01 N PIC N(5) USAGE NATIONAL VALUE SPACES.
       01 B PIC X(5) VALUE 'OLD'.
       01 E PIC X(5) JUSTIFIED VALUE 'OLD'.
       01 OUT PIC X(10) VALUE ALL '.'.
       01 P PIC 99 VALUE 1.
       01 L PIC 9(4) BINARY.
       01 C PIC 9 VALUE 0.
       PROCEDURE DIVISION.
           MOVE FUNCTION LENGTH(FUNCTION TRIM(A)) TO L
           DISPLAY L
           COMPUTE L = FUNCTION LENGTH(FUNCTION TRIM(N)) + 1
           DISPLAY L
           IF FUNCTION LENGTH(FUNCTION TRIM(A)) = 0
               DISPLAY 'ZERO'
           END-IF
           DISPLAY '<' FUNCTION TRIM(A) '>'
           MOVE FUNCTION TRIM(A) TO B E
           DISPLAY '<' B '><' E '>'
           STRING 'X' FUNCTION TRIM(A) 'Y' DELIMITED BY SIZE
               INTO OUT WITH POINTER P
           DISPLAY OUT P
           STRING FUNCTION TRIM(A) DELIMITED BY SPACE
               'Z' DELIMITED BY SIZE
               INTO OUT WITH POINTER P
           DISPLAY OUT P
           IF FUNCTION TRIM(A) = SPACES DISPLAY 'SPACES' END-IF
           IF FUNCTION TRIM(A) = 'A' DISPLAY 'WRONG' END-IF
           IF FUNCTION TRIM(A) = A DISPLAY 'EQUAL' END-IF
           EVALUATE FUNCTION TRIM(A)
               WHEN 'X' DISPLAY 'X'
               WHEN SPACES DISPLAY 'NOTHING'
           END-EVALUATE
           DISPLAY '<' FUNCTION UPPER-CASE(FUNCTION TRIM(A)) '>'
           DISPLAY '<' FUNCTION REVERSE(FUNCTION TRIM(A)) '>'
           DISPLAY '<' FUNCTION TRIM(FUNCTION TRIM(A)) '>'
           DISPLAY '<' FUNCTION CONCAT(FUNCTION TRIM(A) 'Q') '>'
           DISPLAY FUNCTION TEST-NUMVAL(FUNCTION TRIM(A))
           INSPECT FUNCTION TRIM(A) TALLYING C FOR ALL 'A'
           DISPLAY C
           INSPECT FUNCTION TRIM(A) TALLYING C FOR CHARACTERS
           DISPLAY C
           UNSTRING FUNCTION TRIM(A) DELIMITED BY ',' INTO B
           DISPLAY '<' FUNCTION TRIM(N) '>'
           INITIALIZE B
           MOVE FUNCTION TRIM(B) TO B
           DISPLAY '<' B '>'
           GOBACK.
";
    let expected = "0000\n0001\nZERO\n<>\n<     ><     >\nXY........03\nXYZ.......04\nSPACES\nEQUAL\nNOTHING\n<>\n<>\n<>\n<Q>\n000000001\n0\n0\n<>\n<     >\n";
    assert_eq!(both(source), expected);
}

/// "CEE3ABD": the abend is that of the program that calls it, at the CALL.
#[test]
fn an_abend_that_is_called_names_the_line_of_the_call() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 ABCODE PIC S9(9) BINARY VALUE 999.
       01 TIMING PIC S9(9) BINARY VALUE 0.
       PROCEDURE DIVISION.
           PERFORM STOP-IT
           GOBACK.
       STOP-IT.
           CALL 'CEE3ABD' USING ABCODE, TIMING.
";
    let failure = run(source, EBCDIC).failure.expect("an abend");
    assert!(failure.batch_text().starts_with("U0999 in T at line 11, "), "{}", failure.batch_text());
    assert!(failure.batch_text().ends_with(": the program ended itself by CALL 'CEE3ABD', abend code 999, reason code 0"));
}
