//! Programs that register condition handlers can be resumed behind any failed statement.

mod common;

use common::{ASCII, EBCDIC, compile_with, plain, run_module, settings};

/// A program that fails in these statements, and its handler, which asks to resume.
fn program(data: &str, procedure: &str) -> String {
    let indent = |text: &str| text.lines().map(|line| format!("       {line}\n")).collect::<String>();
    format!(
        "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  HANDLER PROCEDURE-POINTER.
       01  TOKEN PIC S9(9) COMP.
       01  FC PIC X(12).
       01  G VALUE SPACES.
           05 P PIC S9(5) COMP-3.
       01  N PIC S9(5) COMP-3 VALUE 0.
       01  I PIC S9(4) COMP.
{}       PROCEDURE DIVISION.
       MAIN.
           SET HANDLER TO ENTRY 'H'
           CALL 'CEEHDLR' USING HANDLER TOKEN FC.
{}       END PROGRAM T.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. H.
       DATA DIVISION.
       LINKAGE SECTION.
       01  A PIC X(12).
       01  B PIC X(4).
       01  R PIC S9(9) COMP.
       PROCEDURE DIVISION USING A B R.
           MOVE 10 TO R
           GOBACK.
       END PROGRAM H.
",
        indent(data),
        indent(procedure)
    )
}

fn displays(data: &str, procedure: &str, expected: &str) {
    let source = program(data, procedure);
    for ccsid in [EBCDIC, ASCII] {
        for settings in [settings(true), settings(false), plain()] {
            let outcome = run_module(&compile_with(&source, ccsid, &settings), &[]);
            let failure = outcome.failure.map(|failure| failure.text());
            assert_eq!((outcome.output.as_str(), failure), (expected, None), "CCSID {ccsid}, {:?}", settings.effort);
        }
    }
}

#[test]
fn in_loops_performed_and_inline() {
    let procedure = "    PERFORM VARYING I FROM 1 BY 1 UNTIL I > 40
        ADD P TO N
        ADD 1 TO N
        IF I = 20 PERFORM INNER 3 TIMES ELSE CONTINUE END-IF
    END-PERFORM
    PERFORM INNER THRU INNER-EXIT 2 TIMES
    DISPLAY N
    GOBACK.
INNER.
    COMPUTE N = N + P
    PERFORM DEEP
    ADD 10 TO N.
INNER-EXIT.
    ADD P TO N
    EXIT.
DEEP.
    IF P > 1 ADD 5000 TO N END-IF
    ADD 1 TO N.";
    // 40 turns of 1, INNER five times 1 and 10.
    displays("", procedure, "00095\n");
}

#[test]
fn in_branches_of_statements() {
    let data = "01  T VALUE '123'.\n    05 E PIC 9 OCCURS 3 INDEXED BY X.";
    let procedure = "    SET X TO 1
    SEARCH E AT END DISPLAY 'NONE'
        WHEN E (X) = 2 ADD P TO N DISPLAY 'FOUND ' E (X)
    END-SEARCH
    COMPUTE N = 99999 + 1
        ON SIZE ERROR ADD P TO N ADD 7 TO N
    END-COMPUTE
    EVALUATE TRUE
        WHEN N = 7 ADD P TO N DISPLAY 'SEVEN'
        WHEN OTHER DISPLAY 'OTHER'
    END-EVALUATE
    DISPLAY 'P ' FUNCTION ABS (P)
    DISPLAY 'END'
    GOBACK.";
    displays(data, procedure, "FOUND 2\nSEVEN\nEND\n");
}

/// A condition that fails each time it is looked at: on behind the loop.
#[test]
fn behind_a_loop_whose_condition_fails() {
    let procedure = "    PERFORM VARYING I FROM 1 BY 1 UNTIL P > I
        ADD 1 TO N
    END-PERFORM
    DISPLAY N
    PERFORM UNTIL P = N
        ADD 1 TO N
    END-PERFORM
    DISPLAY N
    PERFORM WITH TEST AFTER UNTIL P = N
        ADD 1 TO N
    END-PERFORM
    DISPLAY N
    PERFORM WITH TEST AFTER VARYING I FROM 1 BY 1 UNTIL P = I
        ADD 1 TO N
    END-PERFORM
    DISPLAY N
    GOBACK.";
    displays("", procedure, "00000\n00000\n00001\n00002\n");
}

/// So many statements that the program is several functions.
#[test]
fn in_a_program_of_several_functions() {
    let mut procedure = String::from("    PERFORM LAST-ONE 2 TIMES.\n");
    for number in 0..30 {
        procedure.push_str(&format!("P-{number}.\n"));
        procedure.push_str(&"    ADD 1 TO N\n".repeat(40));
        procedure.push_str("    ADD P TO N\n    CONTINUE.\n");
    }
    procedure.push_str("SHOWN.\n    DISPLAY N\n    GOBACK.\nLAST-ONE.\n    ADD P TO N\n    ADD 1 TO N.");
    displays("", &procedure, "01202\n");
}
