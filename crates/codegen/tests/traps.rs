//! Program checks and run-time errors: the interruption code, and the reported line.

mod common;

use common::{ASCII, EBCDIC, Outcome, compile_with, program, run_module, settings};

fn run_all(data: &str, procedure: &str, check: impl Fn(&Outcome, &str)) {
    let source = program(data, procedure);
    for ccsid in [ASCII, EBCDIC] {
        for inline in [true, false] {
            let outcome = run_module(&compile_with(&source, ccsid, &settings(inline)), &[]);
            check(&outcome, &format!("CCSID {ccsid}, inline {inline}"));
        }
    }
}

/// The program stops with this interruption at this line of the procedure division (1 is the line after its header).
fn interrupted(data: &str, procedure: &str, code: u8, line: u32) {
    let first = 5 + data.lines().count() as u32;
    run_all(data, procedure, |outcome, how| {
        let failure = outcome.failure.as_ref().unwrap_or_else(|| panic!("{how}: no abend; {}", outcome.output));
        assert_eq!(failure.interruption, Some(code), "{how}: {}", failure.text());
        let place = failure.place.as_ref().unwrap_or_else(|| panic!("{how}: no place"));
        assert_eq!((place.program.as_str(), place.line), ("T", first + line), "{how}: {}", failure.text());
    });
}

#[test]
fn invalid_packed_digits_are_a_data_exception() {
    let data = "01  G.\n    05  P PIC S9(5) COMP-3.\n01  R PIC S9(7) COMP-3 VALUE 1.";
    interrupted(data, "    MOVE SPACES TO G.\n    ADD P TO R.\n    GOBACK.", 7, 2);
    interrupted(data, "    MOVE SPACES TO G.\n    ADD 1 TO P.\n    GOBACK.", 7, 2);
    interrupted(data, "    MOVE LOW-VALUES TO G.\n    COMPUTE R = P * 2.\n    GOBACK.", 7, 2);
    interrupted(data, "    MOVE SPACES TO G.\n    IF P > 5\n    DISPLAY 'X'.\n    GOBACK.", 7, 2);
}

#[test]
fn invalid_zoned_digits_are_a_data_exception() {
    let data = "01  G.\n    05  Z PIC S9(5).\n01  R PIC S9(7) COMP-3 VALUE 1.";
    interrupted(data, "    MOVE LOW-VALUES TO G.\n    ADD Z TO R.\n    GOBACK.", 7, 2);
    interrupted(data, "    MOVE ALL '*' TO G.\n    COMPUTE R = Z + 1.\n    GOBACK.", 7, 2);
}

#[test]
fn dividing_by_zero_is_a_decimal_divide_exception() {
    let data = "01  A PIC S9(5) COMP-3 VALUE 7.\n01  B PIC S9(5) COMP-3 VALUE 0.\n01  C PIC S9(5)V99 COMP-3.";
    interrupted(data, "    DIVIDE A BY B GIVING C.\n    GOBACK.", 11, 1);
    interrupted(data, "    CONTINUE.\n    COMPUTE C = A * 1000 / B + 1.\n    GOBACK.", 11, 2);
}

#[test]
fn a_wild_address_is_a_protection_exception() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  N PIC S9(8) COMP VALUE 16.
       01  P REDEFINES N USAGE POINTER.
       LINKAGE SECTION.
       01  L PIC X(4).
       PROCEDURE DIVISION.
           SET ADDRESS OF L TO P.
           MOVE 'ABCD' TO L.
           GOBACK.
";
    for inline in [true, false] {
        let outcome = run_module(&compile_with(source, EBCDIC, &settings(inline)), &[]);
        let failure = outcome.failure.expect("abends");
        assert_eq!(failure.interruption, Some(4), "{}", failure.text());
        assert_eq!(failure.place.map(|place| place.line), Some(11));
        assert_eq!(&failure.abend.code, b"ASRA");
    }
}

#[test]
fn on_size_error_takes_the_place_of_the_interruption() {
    let data = "01  A PIC S9(5) COMP-3 VALUE 7.\n01  B PIC S9(5) COMP-3 VALUE 0.\n01  C PIC S9(5)V99 COMP-3 VALUE 3.";
    let procedure = "    DIVIDE A BY B GIVING C ON SIZE ERROR DISPLAY 'SE'.\n    DISPLAY 'ON'.\n    GOBACK.";
    run_all(data, procedure, |outcome, how| {
        assert!(outcome.failure.is_none(), "{how}");
        assert!(outcome.output.starts_with("SE\n"), "{how}: {}", outcome.output);
    });
}

#[test]
fn a_program_that_is_not_there_abends() {
    run_all("01  A PIC X.", "    CALL 'NOWHERE'.\n    GOBACK.", |outcome, how| {
        let failure = outcome.failure.as_ref().unwrap_or_else(|| panic!("{how}"));
        assert_eq!(&failure.abend.code, b"4038", "{how}");
    });
}

#[test]
fn ssrange_checks_subscripts_and_reference_modification() {
    let check = |procedure: &str, exception: le::Exception| {
        let data = "01  T.\n    05  E PIC X(2) OCCURS 5.\n01  I PIC S9(4) COMP VALUE 6.\n01  W PIC X(4).";
        let source = format!("       CBL SSRANGE\n{}", program(data, procedure));
        let outcome = run_module(&compile_with(&source, EBCDIC, &settings(true)), &[]);
        let failure = outcome.failure.unwrap_or_else(|| panic!("no error: {procedure}"));
        assert_eq!(failure.exception, Some(exception), "{}", failure.text());
    };
    check("    MOVE 'A' TO E(I).\n    GOBACK.", le::Exception::Subscript);
    check("    MOVE 'A' TO E(I - 6).\n    GOBACK.", le::Exception::Subscript);
    check("    MOVE W(2:I) TO T.\n    GOBACK.", le::Exception::ReferenceModification);
    check("    MOVE W(I:1) TO T.\n    GOBACK.", le::Exception::ReferenceModification);
}

#[test]
fn the_storage_of_a_program_ends_with_its_run_unit() {
    let source = program("01  N PIC 9(4) VALUE 0.", "    ADD 1 TO N.\n    DISPLAY N.\n    GOBACK.");
    let module = compile_with(&source, EBCDIC, &settings(true));
    for _ in 0..3 {
        assert_eq!(run_module(&module, &[]).output, "0001\n");
    }
}

/// STOP literal speaks to the operator, who lets the program go on or cancels the job: system completion code 222.
#[test]
fn the_operator_may_cancel_at_stop_literal() {
    let source = common::program("01 A PIC X.", "    STOP 'PLEASE GO ON'.\n    STOP 'KILL ME'.\n    DISPLAY 'NOT HALTED'.\n    STOP RUN.");
    let module = common::compile(&source, common::EBCDIC);
    let ran = |cancelled_at: Option<&str>| {
        let mut output = Vec::new();
        let mut host = program::batch::BatchHost::new(&mut output);
        host.cancelled_at = cancelled_at.map(str::to_string);
        let (ended, _) = host.run(&module, None);
        drop(host);
        let failure = match ended {
            program::rununit::Ended::Abended(failure) => Some(failure.text()),
            _ => None,
        };
        (String::from_utf8(output).expect("text"), failure)
    };
    assert_eq!(ran(None), ("PLEASE GO ON\nKILL ME\nNOT HALTED\n".to_string(), None));
    let (output, failure) = ran(Some("KILL ME"));
    assert!(output.starts_with("PLEASE GO ON\nKILL ME\n") && !output.contains("NOT HALTED"), "{output}");
    assert!(failure.as_deref().is_some_and(|text| text.contains("S222")), "{failure:?}");
}
