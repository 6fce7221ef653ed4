//! Loops that keep items in registers compute what loops on storage compute, and leave the same bytes. `output` runs every
//! program with and without inline code, which decides whether anything is kept.

mod common;

use common::{compile_with, output, program, run_module, settings};

#[test]
fn accumulators_of_every_usage() {
    let data = "01 I PIC S9(4) COMP.
01 P PIC S9(3) COMP-3 VALUE 990.
01 U PIC 9(3) COMP-3 VALUE 5.
01 Z PIC S9(3) VALUE -3.
01 B PIC S9(3) COMP VALUE 995.
01 N PIC S9(4) COMP-5 VALUE 32760.
01 H PIC 9(2)V9(2) VALUE 99.50.
01 E PIC S9(2) VALUE 0.
01 SHOWN PIC -(6)9.99.";
    let procedure = "    PERFORM VARYING I FROM 1 BY 1 UNTIL I > 20
        ADD 1 TO P
        SUBTRACT 2 FROM U
        ADD 1 TO Z
        ADD 1 TO B
        ADD 1 TO N ON SIZE ERROR ADD 1 TO E END-ADD END-ADD
        COMPUTE H ROUNDED = H + 0.125
    END-PERFORM.
    MOVE P TO SHOWN DISPLAY SHOWN.
    MOVE U TO SHOWN DISPLAY SHOWN.
    MOVE Z TO SHOWN DISPLAY SHOWN.
    MOVE B TO SHOWN DISPLAY SHOWN.
    MOVE N TO SHOWN DISPLAY SHOWN.
    MOVE H TO SHOWN DISPLAY SHOWN.
    MOVE E TO SHOWN DISPLAY SHOWN.
    MOVE I TO SHOWN DISPLAY SHOWN.
    STOP RUN.";
    let shown: Vec<String> = output(data, procedure).lines().map(|line| line.trim().to_string()).collect();
    // P, B and H lose a digit on the left, U stores the magnitude of -1, N is full after seven turns.
    assert_eq!(shown, ["10.00", "1.00", "17.00", "15.00", "32767.00", "2.10", "13.00", "21.00"]);
}

#[test]
fn goes_paragraphs_and_conditions() {
    let data = "01 I PIC S9(4) COMP.
01 J PIC S9(4) COMP-3 VALUE 0.
01 ODD PIC 9(4) VALUE 0.
01 EVEN PIC 9(4) COMP-3 VALUE 0.
01 Q PIC S9(4) COMP.
01 R PIC 9(4).
01 T.
   05 C PIC 9(2) OCCURS 5 TIMES VALUE 0.
01 TEXT-J PIC X(4).";
    let procedure = "    PERFORM ONE THRU ONE-EXIT VARYING I FROM 1 BY 1 UNTIL I > 10
        AFTER J FROM 1 BY 2 UNTIL J > 5.
    PERFORM UNTIL EXIT-NOW
        ADD 1 TO Q
        IF Q = 7 EXIT PERFORM END-IF
        IF Q < 3 EXIT PERFORM CYCLE END-IF
        ADD Q TO EVEN
        MOVE Q TO TEXT-J(1:2)
    END-PERFORM.
    DISPLAY I ' ' J ' ' ODD ' ' EVEN ' ' Q ' ' R ' ' T ' ' TEXT-J.
    STOP RUN.
ONE.
    DIVIDE I BY 2 GIVING Q REMAINDER R.
    IF R = 0 GO TO ONE-EVEN.
    ADD J TO ODD.
    ADD 1 TO C(J).
    GO TO ONE-EXIT.
ONE-EVEN.
    ADD 1 TO EVEN.
ONE-EXIT.
    EXIT."
        .replace("UNTIL EXIT-NOW", "20 TIMES");
    let shown = output(data, &procedure);
    // Five odd numbers of I, J 1, 3 and 5 each: 45; five even ones three times: 15; Q goes on from 5: 6, then leaves at 7.
    assert!(shown.contains(" 0045 0021 "), "{shown}");
    assert!(shown.contains(" 0500050005 "), "{shown}");
}

#[test]
fn bytes_that_are_not_stored_keep_their_form() {
    // A plus sign of F, and digits that are only read.
    let data = "01 G.
   05 P PIC S9(3) COMP-3.
01 X REDEFINES G PIC X(2).
01 G2.
   05 Q PIC S9(3) COMP-3 VALUE 7.
01 S PIC S9(5) COMP-3 VALUE 0.
01 I PIC S9(4) COMP.";
    let procedure = "    MOVE X'123F' TO X.
    PERFORM VARYING I FROM 1 BY 1 UNTIL I > 3
        ADD P TO S
        ADD Q TO S
    END-PERFORM.
    IF X = X'123F' DISPLAY 'KEPT' END-IF.
    IF S = 390 DISPLAY 'SUM' END-IF.
    STOP RUN.";
    assert_eq!(output(data, procedure), "KEPT\nSUM\n");
}

#[test]
fn a_loop_that_stores_first_needs_no_valid_start() {
    let data = "01 G.
   05 P PIC S9(5) COMP-3.
   05 Z PIC 9(3).
01 S PIC S9(5) COMP-3 VALUE 0.
01 I PIC S9(4) COMP.";
    let procedure = "    MOVE LOW-VALUES TO G.
    PERFORM VARYING I FROM 1 BY 1 UNTIL I > 4
        COMPUTE P = I * 2
        MOVE I TO Z
        ADD P TO S
    END-PERFORM.
    IF P = 8 AND Z = 4 AND S = 20 DISPLAY 'RIGHT' END-IF.
    MOVE LOW-VALUES TO G.
    PERFORM VARYING I FROM 1 BY 1 UNTIL I > 0
        COMPUTE P = I * 2
        ADD P TO S
    END-PERFORM.
    IF G = LOW-VALUES DISPLAY 'UNTOUCHED' END-IF.
    STOP RUN.";
    assert_eq!(output(data, procedure), "RIGHT\nUNTOUCHED\n");
}

#[test]
fn invalid_digits_interrupt_where_they_are_used() {
    let data = "01 G.
   05 P PIC S9(5) COMP-3.
01 S PIC S9(5) COMP-3 VALUE 0.
01 I PIC S9(4) COMP.";
    let procedure = "    MOVE SPACES TO G.
    PERFORM VARYING I FROM 1 BY 1 UNTIL I > 4
        DISPLAY 'TURN'
        IF I > 2 ADD P TO S END-IF
    END-PERFORM.
    STOP RUN.";
    let plain = procedure.replace("        DISPLAY 'TURN'\n", "");
    for (procedure, turns) in [(procedure, 3), (plain.as_str(), 0)] {
        let module = compile_with(&program(data, procedure), common::EBCDIC, &settings(true));
        let outcome = run_module(&module, &[]);
        assert_eq!(outcome.output.matches("TURN").count(), turns);
        assert_eq!(outcome.failure.and_then(|failure| failure.interruption), Some(7), "{procedure}");
    }
}

#[test]
fn shared_bytes_are_not_kept() {
    let data = "01 A PIC 9(4) VALUE 0.
01 R REDEFINES A.
   05 HIGH PIC 9(2).
   05 LOW PIC 9(2).
01 S PIC 9(6) COMP-3 VALUE 0.
01 I PIC S9(4) COMP.";
    let procedure = "    PERFORM VARYING I FROM 1 BY 1 UNTIL I > 150
        ADD 1 TO A
        ADD LOW TO S
        MOVE 7 TO HIGH
    END-PERFORM.
    DISPLAY A ' ' S.
    STOP RUN.";
    // LOW runs through 1 to 99, 0 and then 1 to 50: the carry into HIGH is overwritten.
    assert_eq!(output(data, procedure), "0750 006225\n");
}
