//! When an expression is floating point: Programming Guide, "Floating-point data and intermediate results" and "Arithmetic expressions in
//! nonarithmetic statements". Expected values are Rust's own arithmetic in f64 and f32.

mod common;

use common::{ASCII, EBCDIC, outcomes};
use testing::Random;

const DATA: &str = "01  A PIC S9(5)V99 COMP-3 VALUE 123.45.\n01  B PIC S9(4) COMP VALUE 7.\n01  Z PIC 9(3)V9 VALUE 12.3.\n01  N PIC 9(9).
01  M PIC 9(7)V99.\n01  W PIC 9(18).\n01  F COMP-2.\n01  FX REDEFINES F PIC X(8).\n01  G COMP-2 VALUE 2.5E0.\n01  H COMP-2.
01  S COMP-1.\n01  SX REDEFINES S PIC X(4).\n01  S1 COMP-1 VALUE 0.1E0.\n01  S2 COMP-1 VALUE 0.2E0.\n01  S3 COMP-1 VALUE 0.3E0.";

/// The double of a long hexadecimal number, whose fraction of 56 bits has no more than a double's bits here.
fn of_hexadecimal(word: u64) -> f64 {
    let magnitude = (word & 0x00FF_FFFF_FFFF_FFFF) as f64 * 16f64.powi((word >> 56 & 0x7F) as i32 - 64 - 14);
    if word >> 63 == 1 { -magnitude } else { magnitude }
}

/// Each line of displayed hexadecimal digits is the double: in IEEE form in both code pages, and in hexadecimal form.
fn doubles(data: &str, procedure: &str, expected: &[(String, f64)]) {
    for (options, ccsid) in [("FLOAT(NATIVE)", EBCDIC), ("", ASCII), ("", EBCDIC), ("FLOAT(NATIVE),ARITH(EXTEND)", EBCDIC)] {
        for (how, outcome) in outcomes(options, data, procedure, ccsid) {
            assert!(outcome.failure.is_none(), "{how}: {}", outcome.failure.map(|failure| failure.text()).unwrap_or_default());
            let found: Vec<&str> = outcome.output.lines().map(str::trim).collect();
            assert_eq!(found.len(), expected.len(), "{how}");
            for (line, (statement, expected)) in found.iter().zip(expected) {
                let word = u64::from_str_radix(line, 16).unwrap_or_else(|_| panic!("{how}: {line}"));
                let hexadecimal = options.is_empty() && ccsid == EBCDIC;
                let value = if hexadecimal { of_hexadecimal(word) } else { f64::from_bits(word) };
                assert_eq!(value, *expected, "{how}: {statement}");
            }
        }
    }
}

/// What a program with these items displays.
#[track_caller]
fn displays(options: &str, procedure: &str, expected: &[&str]) {
    common::displays(options, DATA, procedure, expected);
}

#[test]
fn a_floating_point_receiver_makes_the_expression_floating_point() {
    let (a, b, z) = (123.45f64, 7f64, 12.3f64);
    let cases: [(&str, f64); 19] = [
        ("COMPUTE F = 1 / 3", 1.0 / 3.0),
        ("COMPUTE F = A / B", a / b),
        ("COMPUTE F = A / B * B - Z", a / b * b - z),
        ("COMPUTE F ROUNDED = 2 / 3", 2.0 / 3.0),
        ("COMPUTE F = - (B / 3) + A", -(b / 3.0) + a),
        ("COMPUTE F = 1 / 3 ON SIZE ERROR DISPLAY 'NO' END-COMPUTE", 1.0 / 3.0),
        ("DIVIDE 10 BY 3 GIVING F", 10.0 / 3.0),
        ("DIVIDE 3 INTO 10 GIVING F", 10.0 / 3.0),
        ("DIVIDE B INTO A GIVING F ROUNDED", a / b),
        ("MULTIPLY A BY Z GIVING F", a * z),
        ("ADD A B Z GIVING F", a + b + z),
        ("ADD A TO Z GIVING F", a + z),
        ("SUBTRACT A FROM Z GIVING F", z - a),
        ("SUBTRACT A B FROM Z GIVING F", z - (a + b)),
        ("COMPUTE F = B ** 0.5", b.powf(0.5)),
        ("COMPUTE F = G * A / 3", 2.5 * a / 3.0),
        ("MOVE 10 TO F DIVIDE 3 INTO F", 10.0 / 3.0),
        ("MOVE 1 TO F ADD A B TO F", 1.0 + 130.45),
        ("COMPUTE F N M = B / 3", b / 3.0),
    ];
    let procedure: String = cases.iter().map(|(statement, _)| format!("    {statement}\n    DISPLAY FUNCTION HEX-OF(FX).\n")).collect();
    let expected: Vec<(String, f64)> = cases.iter().map(|(statement, value)| (statement.to_string(), *value)).collect();
    doubles(DATA, &(procedure + "    GOBACK."), &expected);
}

/// An expression, and its value in doubles.
fn expression(random: &mut Random, depth: u32) -> (String, f64) {
    if depth == 0 || random.below(4) == 0 {
        let leaves = [("A", 123.45), ("B", 7.0), ("Z", 12.3), ("G", 2.5), ("3", 3.0), ("0.7", 0.7), ("1.25", 1.25), ("9999", 9999.0)];
        let (text, value) = leaves[random.below(leaves.len() as u64) as usize];
        return (text.to_string(), value);
    }
    let (left, a) = expression(random, depth - 1);
    let (right, b) = expression(random, depth - 1);
    match random.below(4) {
        0 => (format!("({left} + {right})"), a + b),
        1 => (format!("({left} - {right})"), a - b),
        2 => (format!("({left} * {right})"), a * b),
        _ if b == 0.0 => (format!("({left} + {right})"), a + b),
        _ => (format!("({left} / {right})"), a / b),
    }
}

#[test]
fn generated_expressions_are_computed_in_doubles() {
    let mut random = Random::new(20_261_123);
    for _ in 0..4 {
        let cases: Vec<(String, f64)> = (0..40).map(|_| expression(&mut random, 4)).collect();
        let procedure: String =
            cases.iter().map(|(text, _)| format!("    COMPUTE F = {text}\n    DISPLAY FUNCTION HEX-OF(FX).\n")).collect();
        doubles(DATA, &(procedure + "    GOBACK."), &cases);
    }
}

/// One floating-point receiver makes the statement floating point for all, and a fixed-point one receives the value rounded; without it the
/// quotient is cut.
#[test]
fn receivers_of_different_kinds_share_one_expression() {
    let procedure = "    COMPUTE M = 2 / 3.
    DISPLAY M.
    COMPUTE M F = 2 / 3.
    DISPLAY M.
    DIVIDE 2 BY 3 GIVING F M.
    DISPLAY M.
    COMPUTE N = 5 / 3.
    DISPLAY N.
    COMPUTE S N = 5 / 3.
    DISPLAY N.
    MOVE 123456789012345678 TO W.
    MOVE 0 TO F.
    ADD 1 TO F W.
    DISPLAY W.
    GOBACK.";
    displays("", procedure, &["000000066", "000000067", "000000067", "000000001", "000000002", "123456789012345679"]);
}

#[test]
fn exponents_with_decimals_make_an_expression_floating_point() {
    // The square of a prime just below 10^9 has more digits than a double.
    let procedure = "    COMPUTE W = 999999937 ** 2.
    DISPLAY W.
    COMPUTE W = 999999937 ** (B - 5).
    DISPLAY W.
    COMPUTE W = 999999937 ** (B / 3).
    DISPLAY W.
    COMPUTE N = 10 ** (B / 2).
    DISPLAY N.
    COMPUTE M = 10 ** (B / 2).
    DISPLAY M.
    COMPUTE N = 10 ** 3.5.
    DISPLAY N.
    GOBACK.";
    let square = "999999874000003969";
    displays("", procedure, &[square, square, square, "000001000", "000316228", "000003162"]);
}

#[test]
fn a_floating_point_comparand_makes_both_sides_floating_point() {
    let procedure = "    COMPUTE F = 1 / 3.
    IF F = 1 / 3 DISPLAY 'EQUAL' END-IF.
    IF 1 / 3 = F DISPLAY 'EQUAL' END-IF.
    IF 0.3333 < 1 / 3 AND 1 / 3 = 0.3333 DISPLAY 'NO' END-IF.
    IF 1 / 3 = 0.33 DISPLAY 'CUT' END-IF.
    COMPUTE H = A / B.
    IF A / B = H AND NOT (A / B < H OR > H) DISPLAY 'EQUAL' END-IF.
    IF H = 0 OR A / B DISPLAY 'ABBREVIATED' END-IF.
    IF G * 3 / 7 = 7.5 / 7 DISPLAY 'BOTH' END-IF.
    EVALUATE TRUE WHEN 8 / 3 = F * 8 DISPLAY 'TRUE' WHEN OTHER DISPLAY 'NO' END-EVALUATE.
    EVALUATE B / 3 WHEN G DISPLAY 'NO' WHEN 2 DISPLAY 'ITS OWN' END-EVALUATE.
    GOBACK.";
    displays("", procedure, &["EQUAL", "EQUAL", "CUT", "EQUAL", "ABBREVIATED", "BOTH", "TRUE", "ITS OWN"]);
    displays("ARITH(EXTEND)", procedure, &["EQUAL", "EQUAL", "CUT", "EQUAL", "ABBREVIATED", "BOTH", "TRUE", "ITS OWN"]);
}

/// Single precision, where all receivers and operands are COMP-1 and nothing is multiplied; long precision otherwise.
#[test]
fn comp_1_expressions_are_computed_in_single_precision() {
    let (a, b, c) = (0.1f32, 0.2f32, 0.3f32);
    let long = |value: f32| f64::from(value);
    let cases: [(&str, f32); 7] = [
        ("COMPUTE S = S1 + S2 - S3", a + b - c),
        ("COMPUTE S = S1 / S3 + S2", a / c + b),
        ("ADD S1 S2 S3 GIVING S", a + b + c),
        ("COMPUTE S = S1 * S2 - S3", (long(a) * long(b) - long(c)) as f32),
        ("COMPUTE S = S1 + S2 - S3 + 0", (long(a) + long(b) - long(c)) as f32),
        ("COMPUTE S F = S1 + S2 - S3", (long(a) + long(b) - long(c)) as f32),
        ("COMPUTE S = 1 / 3", (1f64 / 3f64) as f32),
    ];
    let mut procedure: String = cases.iter().map(|(statement, _)| format!("    {statement}\n    DISPLAY FUNCTION HEX-OF(SX).\n")).collect();
    procedure +=
        "    IF S1 + S2 = S3 DISPLAY 'SINGLE' END-IF.\n    IF S1 + S2 + 0 = S3 DISPLAY 'NO' ELSE DISPLAY 'LONG' END-IF.\n    GOBACK.";
    let mut expected: Vec<String> = cases.iter().map(|(_, value)| format!("{:08X}", value.to_bits())).collect();
    expected.extend(["SINGLE".to_string(), "LONG".to_string()]);
    assert!(a + b == c && long(a) + long(b) != long(c), "the test's numbers tell single from long precision");
    for (options, ccsid) in [("FLOAT(NATIVE)", EBCDIC), ("", ASCII)] {
        for (how, outcome) in outcomes(options, DATA, &procedure, ccsid) {
            assert_eq!(outcome.output.lines().map(str::trim_end).collect::<Vec<_>>(), expected, "{how}");
        }
    }
}

#[test]
fn size_errors_of_floating_point_receivers() {
    let procedure = "    MOVE 5 TO F. MOVE 0 TO N.
    COMPUTE F = 1 / N ON SIZE ERROR DISPLAY 'DIVIDED BY ZERO' END-COMPUTE.
    IF F = 5 DISPLAY 'KEPT' END-IF.
    COMPUTE F = 1 / 4 ON SIZE ERROR DISPLAY 'NO' NOT ON SIZE ERROR DISPLAY 'FINE' END-COMPUTE.
    IF F = 0.25 DISPLAY 'STORED' END-IF.
    MOVE 1.0E60 TO G. MOVE 5 TO S.
    COMPUTE S = G * G ON SIZE ERROR DISPLAY 'TOO LARGE' END-COMPUTE.
    IF S = 5 DISPLAY 'KEPT' END-IF.
    COMPUTE N S = G * 2 ON SIZE ERROR DISPLAY 'FIXED TOO SMALL' END-COMPUTE.
    DISPLAY N.
    GOBACK.";
    displays("", procedure, &["DIVIDED BY ZERO", "KEPT", "FINE", "STORED", "TOO LARGE", "KEPT", "FIXED TOO SMALL", "000000000"]);
}

#[test]
fn remainder_takes_no_floating_point_item() {
    for statement in ["DIVIDE 7 BY 3 GIVING F REMAINDER N", "DIVIDE 7 BY 3 GIVING N REMAINDER S", "DIVIDE G BY 3 GIVING N REMAINDER W"] {
        let source = common::program(DATA, &format!("    {statement}.\n    GOBACK."));
        let options = cobol::Options { format: cobol::options::SourceFormat::Free, ..cobol::Options::default() };
        let compiled = cobol::compile_source("TEST.cbl", source.as_bytes(), &options, &cobol::source::NoCopies);
        assert!(!compiled.is_usable(), "{statement}");
        let messages = compiled.diagnostics.render(&compiled.sources).to_string();
        assert!(messages.contains("REMAINDER cannot be used with floating-point"), "{messages}");
    }
}
