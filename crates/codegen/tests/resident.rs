//! Loops that keep items in registers compute the same results as loops on storage, and leave the same bytes. `output` runs every program
//! with and without inline code, which decides whether items are kept.

mod common;

use common::{compile_with, output, plain, program, run_module, settings};
use program::batch::BatchHost;
use program::module::Module;
use program::rununit::{Ended, Invocation, RunUnit};
use std::sync::Arc;

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

/// The bytes of items of WORKING-STORAGE where an abend left them.
fn bytes_after_abend(module: &Arc<Module>, names: &[&str]) -> Vec<Vec<u8>> {
    let mut host = BatchHost::new(std::io::sink());
    let mut unit = RunUnit::new();
    let ended = unit.start(&mut host, module, 0, 0, Invocation::default());
    assert!(matches!(ended, Ended::Abended(_)), "the program abends");
    let (address, _) = unit.current().expect("a program was active").working_storage();
    let bytes = names.iter().map(|name| {
        let symbol = module.symbols.iter().find(|symbol| symbol.name == *name).expect("a data item");
        let start = (address + symbol.offset) as usize as *const u8;
        unsafe { std::slice::from_raw_parts(start, symbol.length as usize) }.to_vec()
    });
    let bytes = bytes.collect();
    unit.finish(&mut host);
    bytes
}

/// A dump, or a program that HANDLE ABEND names, sees what the statements before the abend stored.
#[test]
fn storage_is_current_when_a_routine_ends_the_task() {
    let data = "01 LONG-TABLE.
   05 L PIC S9(18) COMP-3 OCCURS 3.
01 ZERO-LONG PIC S9(18) COMP-3 VALUE 0.
01 I PIC S9(4) COMP.
01 S PIC S9(5) COMP-3 VALUE 0.
01 Z PIC 9(3) VALUE 0.
01 F COMP-2 VALUE 0.
01 X PIC S9(5) COMP-3 VALUE 0.";
    // A long packed item with spaces in it, a division by zero, a power and a function without a result.
    let failing = [
        "ADD L(I) TO X",
        "IF I = 3 COMPUTE X = L(1) / ZERO-LONG END-IF",
        "IF I = 3 COMPUTE X = ZERO-LONG ** -2 END-IF",
        "IF I = 3 COMPUTE X = FUNCTION LOG(ZERO-LONG) END-IF",
        "IF I = 3 COMPUTE F = 1.0E70 * (1.0E70 + I) END-IF",
    ];
    for statement in failing {
        let procedure = format!(
            "    MOVE 1 TO L(1) L(2).
    MOVE SPACES TO LONG-TABLE(21:).
    PERFORM VARYING I FROM 1 BY 1 UNTIL I > 5
        ADD 100 TO S
        ADD 7 TO Z
        ADD 1 TO F
        {statement}
    END-PERFORM.
    STOP RUN."
        );
        let module = compile_with(&program(data, &procedure), common::EBCDIC, &settings(true));
        let found = bytes_after_abend(&module, &["I", "S", "Z", "F"]);
        let expected: [&[u8]; 4] = [&[0, 3], &[0x00, 0x30, 0x0C], &[0xF0, 0xF2, 0xF1], &[0x41, 0x30, 0, 0, 0, 0, 0, 0]];
        assert_eq!(found, expected, "{statement}");
    }
}

#[test]
fn floating_point_in_registers() {
    let data = "01 I PIC S9(4) COMP.
01 LONG-SUM COMP-2 VALUE 0.
01 SHORT-SUM COMP-1 VALUE 0.
01 TENTH COMP-1 VALUE 0.1.
01 RATIO COMP-2 VALUE 1.5.
01 GROWS COMP-2 VALUE 1.
01 SHRINKS COMP-1 VALUE 1.
01 ERRORS PIC 9(4) VALUE 0.
01 COPIED COMP-1.
01 P PIC S9(5)V99 COMP-3 VALUE 0.25.
01 FIXED PIC S9(5)V99 COMP-3.
01 SHOWN PIC -(9)9.9(9).";
    let procedure = "    PERFORM VARYING I FROM 1 BY 1 UNTIL I > 2000
        COMPUTE RATIO = 0.75 + RATIO / 2 + P
        ADD RATIO TO LONG-SUM
        ADD TENTH TO SHORT-SUM
        MULTIPLY 2.5 BY GROWS
            ON SIZE ERROR ADD 1 TO ERRORS
        END-MULTIPLY
        DIVIDE 7 INTO SHRINKS
        MOVE RATIO TO COPIED
        IF LONG-SUM > 1500 MOVE 0 TO LONG-SUM END-IF
        MOVE SHORT-SUM TO FIXED
    END-PERFORM.
    COMPUTE SHOWN ROUNDED = LONG-SUM. DISPLAY SHOWN.
    COMPUTE SHOWN ROUNDED = SHORT-SUM. DISPLAY SHOWN.
    COMPUTE SHOWN ROUNDED = COPIED. DISPLAY SHOWN.
    IF SHRINKS = 0 DISPLAY 'ZERO' ELSE DISPLAY 'TINY' END-IF.
    IF ERRORS > 1800 AND GROWS > 1.0E30 DISPLAY 'LARGE' END-IF.
    DISPLAY FIXED.
    STOP RUN.";
    for ccsid in [common::EBCDIC, common::ASCII] {
        let shown = [settings(true), plain()].map(|settings| {
            let outcome = run_module(&compile_with(&program(data, procedure), ccsid, &settings), &[]);
            assert!(outcome.failure.is_none(), "{:?}", outcome.failure);
            outcome.output
        });
        assert_eq!(shown[0], shown[1], "CCSID {ccsid}");
        assert!(shown[0].contains("ZERO") && shown[0].contains("2.000000000"), "{}", shown[0]);
        // 16 ** 63 is about 7E75: 2.5 ** 190; a double goes to 2.5 ** 774.
        assert_eq!(shown[0].contains("LARGE"), ccsid == common::EBCDIC, "{}", shown[0]);
    }
}

/// Hexadecimal digits that a double would round, or that are not normalized, stay as they are when nothing is stored.
#[test]
fn floating_point_bytes_that_are_not_stored_keep_their_form() {
    let data = "01 G.
   05 F COMP-2.
   05 H COMP-1.
01 X REDEFINES G PIC X(12).
01 I PIC S9(4) COMP.";
    let procedure = "    MOVE X'41FFFFFFFFFFFFFF42010000' TO X.
    PERFORM VARYING I FROM 1 BY 1 UNTIL I > 3
        IF I > 5 ADD 1 TO F ADD 1 TO H END-IF
    END-PERFORM.
    IF X = X'41FFFFFFFFFFFFFF42010000' DISPLAY 'KEPT' END-IF.
    STOP RUN.";
    let module = compile_with(&program(data, procedure), common::EBCDIC, &settings(true));
    assert_eq!(run_module(&module, &[]).output, "KEPT\n");
}

/// Every occurrence is found, and nothing between them, by keys of every usage in either order.
#[test]
fn binary_search() {
    for (usage, digits) in [("", 8), ("", 9), ("COMP", 4), ("COMP-3", 7), ("COMP-3", 17)] {
        for order in ["ASCENDING", "DESCENDING"] {
            for count in [1, 2, 7, 100] {
                let data = format!(
                    "01 I PIC S9(4) COMP.
01 WANTED PIC 9({digits}) {usage}.
01 FOUND PIC 9(4) VALUE 0.
01 WRONG PIC 9(4) VALUE 0.
01 ABSENT PIC 9(4) VALUE 0.
01 T.
   05 E OCCURS {count} {order} KEY IS K INDEXED BY X.
      10 K PIC 9({digits}) {usage}.
      10 N PIC 9(4)."
                );
                let key = if order == "ASCENDING" { "2 * I".to_string() } else { format!("2 * ({count} - I) + 2") };
                let procedure = format!(
                    "    PERFORM VARYING I FROM 1 BY 1 UNTIL I > {count}
        COMPUTE K(I) = {key}
        COMPUTE N(I) = {key}
    END-PERFORM.
    PERFORM VARYING I FROM 1 BY 1 UNTIL I > 2 * {count} + 1
        MOVE I TO WANTED
        SEARCH ALL E
            AT END ADD 1 TO ABSENT
            WHEN K(X) = WANTED
                IF N(X) = I ADD 1 TO FOUND
                ELSE ADD 1 TO WRONG END-IF
        END-SEARCH
    END-PERFORM.
    DISPLAY FOUND ' ' ABSENT ' ' WRONG.
    STOP RUN."
                );
                let expected = format!("{:04} {:04} 0000\n", count, count + 1);
                assert_eq!(output(&data, &procedure), expected, "{usage} {digits} {order} {count}");
            }
        }
    }
}

/// Intermediate results of more than 18 digits, of values that need few of them and of values that need all, in a paragraph that is
/// a function of its own performed in loops.
#[test]
fn long_intermediate_results() {
    let data = "01 SMALL PIC S9(11)V99 COMP-3 VALUE 10000.00.
01 LARGE PIC S9(11)V99 COMP-3 VALUE 88765432109.87.
01 RATE PIC S9(3)V9(4) COMP-3 VALUE 4.25.
01 DAYS PIC S9(4) COMP VALUE 30.
01 INTEREST PIC S9(11)V99 COMP-3.
01 PRODUCT PIC S9(15)V9(3) COMP-3.
01 C PIC 9(4) VALUE 0.
01 SHOWN PIC -(15)9.99.";
    let counting = "    ADD 1 TO C.\n".repeat(10);
    let procedure = format!(
        "    PERFORM YEAR 3 TIMES.
    PERFORM YEAR 2 TIMES.
    MOVE SMALL TO SHOWN DISPLAY SHOWN.
    MOVE LARGE TO SHOWN DISPLAY SHOWN.
    MOVE INTEREST TO SHOWN DISPLAY SHOWN C.
    STOP RUN.
YEAR.
    COMPUTE INTEREST ROUNDED = LARGE * RATE * DAYS / 36500.
    ADD INTEREST TO LARGE.
    COMPUTE INTEREST ROUNDED = SMALL * RATE * DAYS / 36500.
    ADD INTEREST TO SMALL.
    COMPUTE PRODUCT = LARGE * SMALL * RATE
        ON SIZE ERROR ADD 1 TO C.
{counting}"
    );
    let shown = output(data, &procedure);
    let lines: Vec<&str> = shown.lines().map(str::trim).collect();
    assert_eq!(lines, ["10175.88", "90326656409.35", "35.420055"]);
}
