//! Powers that have no result. Language Reference, "Exponentiation size error conditions": with ON SIZE ERROR its statement is executed.
//! Without it, zero to the power zero is 1, a negative base is replaced by its absolute value, each with a message, and zero to a negative
//! power ends the program (IGZ0048W, IGZ0049W, IGZ0050S of the Language Environment runtime messages).

mod common;

use common::{EBCDIC, Outcome, program};

const ITEMS: &str = "01  B PIC S9(3).\n01  E PIC S9(3).\n01  H PIC S9V9.\n01  F COMP-2.\n01  R PIC 9(5)V9(3) VALUE 7.";
const PLACE: &str = "in an exponentiation expression in program T at displacement X'";

fn run(options: &str, procedure: &str) -> Outcome {
    let text = program(ITEMS, &format!("    MOVE 0 TO B E F H.\n{procedure}\n    DISPLAY R.\n    GOBACK."));
    common::run(&format!("       CBL {options}\n{text}"), EBCDIC)
}

fn lines(outcome: &Outcome) -> Vec<&str> {
    outcome.output.lines().map(str::trim_end).collect()
}

#[test]
fn without_size_error_undefined_powers_have_a_substitute_result() {
    for arith in ["ARITH(COMPAT)", "ARITH(EXTEND)"] {
        // 6 ** 2.3 = 61.6237..., rounded as floating point is.
        for base in ["B", "F"] {
            let outcome = run(arith, &format!("    MOVE -6 TO {base}.\n    COMPUTE R = {base} ** 2.3."));
            let found = lines(&outcome);
            let message = format!("IGZ0048W A negative base was raised to a fractional power {PLACE}");
            assert!(
                found[0].starts_with(&message) && found[0].ends_with("'. The absolute value of the base was used."),
                "{arith} {found:?}"
            );
            assert_eq!(found[1..], ["00061624"], "{arith}");
        }
        for power in ["B ** E", "F ** E", "B ** 0", "0 ** E", "B ** H", "F ** F"] {
            let outcome = run(arith, &format!("    COMPUTE R = {power}."));
            let found = lines(&outcome);
            let message = format!("IGZ0049W A zero base was raised to a zero power {PLACE}");
            assert!(found[0].starts_with(&message) && found[0].ends_with("'. The result was set to one."), "{arith} {power} {found:?}");
            assert_eq!(found[1..], ["00001000"], "{arith} {power}");
            assert!(outcome.failure.is_none());
        }
    }
}

#[test]
fn zero_to_a_negative_power_ends_the_program() {
    for power in ["B ** E", "F ** E", "B ** (0 - H)", "F ** -2"] {
        let outcome = run("ARITH(COMPAT)", &format!("    MOVE -1 TO E.\n    MOVE 0.5 TO H.\n    COMPUTE R = {power}."));
        let message = format!("IGZ0050S A zero base was raised to a negative power {PLACE}");
        let text = outcome.output.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.starts_with(&message), "{power}: {text}");
        assert_eq!(outcome.failure.expect("an abend").completion_code(), "U4038", "{power}");
    }
}

#[test]
fn with_size_error_its_statement_is_executed() {
    let cases = [
        ("-6", "0", "B ** 2.3"),
        ("-6", "0", "F ** 2.3"),
        ("0", "0", "B ** E"),
        ("0", "0", "F ** E"),
        ("0", "-1", "B ** E"),
        ("0", "-1", "F ** E"),
    ];
    for (base, exponent, power) in cases {
        let statements = format!(
            "    MOVE {base} TO B F.\n    MOVE {exponent} TO E.\n    COMPUTE R = {power}\n      ON SIZE ERROR DISPLAY 'SIZE ERROR'\n    END-COMPUTE."
        );
        let outcome = run("ARITH(COMPAT)", &statements);
        assert_eq!(lines(&outcome), ["SIZE ERROR", "00007000"], "{power} {:?}", outcome.failure);
    }
    let fits = run("ARITH(COMPAT)", "    MOVE -3 TO B.\n    COMPUTE R = B ** 4 + 4 ** 0.5\n      ON SIZE ERROR DISPLAY 'SIZE ERROR'.");
    assert_eq!(lines(&fits), ["00083000"]);
}
