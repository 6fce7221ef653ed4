//! Loops of cold code are separate functions: every exit from such a loop must take effect in the program around it.

mod common;

use codegen::{Effort, Settings};
use common::{EBCDIC, compile_with, output, program, run_module, settings};

const DATA: &str = "01 I PIC S9(4) COMP.\n01 J PIC S9(4) COMP.\n01 N PIC S9(4) COMP VALUE 50.\n01 TOTAL PIC S9(7) COMP-3.\n01 COUNTED PIC 9(5).\n\
                    01 TEXT-ITEM PIC X(3) VALUE 'abc'.\n01 BAD REDEFINES TEXT-ITEM PIC S9(5) COMP-3.\n\
                    01 SHOWN PIC -(6)9.";

#[test]
fn loops_in_straight_code_go_on_behind_it() {
    let shown = output(
        DATA,
        "MOVE 0 TO TOTAL COUNTED.\nPERFORM VARYING I FROM 1 BY 1 UNTIL I > N\nADD I TO TOTAL\nIF I = 40 EXIT PERFORM END-IF\n\
         IF I > 3 EXIT PERFORM CYCLE END-IF\nADD 1 TO COUNTED\nEND-PERFORM.\nMOVE TOTAL TO SHOWN. DISPLAY SHOWN ' ' COUNTED.\nMOVE I TO SHOWN. DISPLAY SHOWN.\n\
         PERFORM UNTIL TOTAL < 0\nSUBTRACT 100 FROM TOTAL\nPERFORM VARYING J FROM 1 BY 1 UNTIL J > 3\nADD 1 TO COUNTED\nEND-PERFORM\n\
         END-PERFORM.\nMOVE TOTAL TO SHOWN. DISPLAY SHOWN ' ' COUNTED.\nPERFORM STEP-PARA N TIMES.\nDISPLAY COUNTED.\nSTOP RUN.\n\
         STEP-PARA.\nADD 2 TO COUNTED.",
    );
    // 1 + ... + 40 = 820; nine subtractions of 100 make it negative, with three counts each.
    assert_eq!(shown.lines().collect::<Vec<_>>(), ["    820 00003", "     40", "    -80 00030", "00130"]);
}

#[test]
fn the_program_ends_from_within_a_loop() {
    let text = "MOVE 0 TO COUNTED.\nPERFORM VARYING I FROM 1 BY 1 UNTIL I > N\nADD 1 TO COUNTED\nIF I = 7 DISPLAY COUNTED MOVE 12 TO RETURN-CODE ? \
                END-IF\nEND-PERFORM.\nDISPLAY 'NOT HERE'.\nSTOP RUN.";
    for ending in ["GOBACK", "STOP RUN"] {
        for inline in [true, false] {
            let source = program(DATA, &text.replace('?', ending));
            let outcome = run_module(&compile_with(&source, EBCDIC, &settings(inline)), &[]);
            assert!(outcome.failure.is_none());
            assert_eq!((outcome.output.trim(), outcome.return_code), ("00007", 12), "{ending}, inline {inline}");
        }
    }
}

#[test]
fn a_loop_over_items_that_are_no_numbers_stops_where_it_is_due() {
    // BAD holds characters: the loop runs on storage and its first addition is the interruption.
    let source = program(
        DATA,
        "MOVE 0 TO COUNTED.\nDISPLAY 'BEFORE'.\nPERFORM VARYING I FROM 1 BY 1 UNTIL I > N\nADD 1 TO COUNTED\nADD 1 TO BAD\nEND-PERFORM.",
    );
    for inline in [true, false] {
        let outcome = run_module(&compile_with(&source, EBCDIC, &settings(inline)), &[]);
        let failure = outcome.failure.expect("a data exception").text();
        // What follows is the message of the condition nobody handles.
        assert!(outcome.output.starts_with("BEFORE\nCEE3207S "), "{}", outcome.output);
        assert!(failure.contains("line 18") && failure.contains("0C7"), "inline {inline}: {failure}");
    }
}

/// Bytes of machine code.
fn code_length(procedure: &str, effort: Effort) -> usize {
    let source = program("01 I PIC S9(4) COMP.\n01 N PIC S9(4) COMP VALUE 50.\n01 A PIC S9(7) COMP-3.\n01 B PIC S9(7) COMP-3.", procedure);
    let compiled = cobol::compile_source("T", source.as_bytes(), &cobol::Options::default(), &cobol::source::NoCopies);
    assert!(compiled.is_usable(), "{:#?}", compiled.diagnostics);
    let settings = Settings { effort, ..Settings::default() };
    codegen::compile(&compiled.programs, &settings).unwrap_or_else(|error| panic!("{error}")).code.len()
}

#[test]
fn loops_are_hot_and_the_rest_is_cold() {
    let additions = "ADD B TO A\n".repeat(40);
    let turning =
        |until: &str, more: &str| format!("PERFORM VARYING I FROM 1 BY 1 UNTIL I > {until}\n{additions}{more}END-PERFORM.\nSTOP RUN.");
    // Straight code, a loop of a screen's lines, and one that waits in each turn.
    for procedure in [format!("{additions}.\nSTOP RUN."), turning("24", ""), turning("N", "ACCEPT A\n")] {
        assert_eq!(code_length(&procedure, Effort::Loops), code_length(&procedure, Effort::None), "{procedure}");
        assert!(code_length(&procedure, Effort::Full) > 3 * code_length(&procedure, Effort::None), "{procedure}");
    }
    let performed = format!("PERFORM TURN UNTIL I > N.\nSTOP RUN.\nTURN.\nADD 1 TO I.\n{additions}.");
    let backwards = format!("TURN.\nADD 1 TO I.\n{additions}IF I < N GO TO TURN END-IF.\nSTOP RUN.");
    for procedure in [turning("25", ""), turning("N", ""), performed, backwards] {
        assert!(code_length(&procedure, Effort::Loops) > 3 * code_length(&procedure, Effort::None) / 2, "{procedure}");
    }
}
