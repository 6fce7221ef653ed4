//! The mathematical callable services against independent values.
//!
//! `unsafe` here passes areas to services: these tests own them and make them as long as the service asks.

use super::*;
use std::f64::consts::E;

/// Calls a service with operands as bytes; the feedback code's message number and the result.
fn call(name: &str, operands: &[Vec<u8>], session: &Session) -> (Outcome, Vec<u8>) {
    let Some(Found::Service(service)) = find(name) else { panic!("{name} is there") };
    let mut operands = operands.to_vec();
    let (mut token, mut result) = ([0xFFu8; 12], [0u8; 16]);
    let mut addresses: Vec<*mut u8> = operands.iter_mut().map(|operand| operand.as_mut_ptr()).collect();
    addresses.push(token.as_mut_ptr());
    addresses.push(result.as_mut_ptr());
    let (outcome, _) = unsafe { service.call(&addresses, session) };
    (outcome, result.to_vec())
}

fn double(value: f64, format: FloatFormat) -> Vec<u8> {
    let mut area = vec![0u8; 8];
    assert!(unsafe { float::store(area.as_mut_ptr(), 8, value, format) });
    area
}

fn of_double(name: &str, operands: &[f64]) -> std::result::Result<f64, u16> {
    let session = Session::ebcdic();
    let operands: Vec<Vec<u8>> = operands.iter().map(|value| double(*value, session.float_format)).collect();
    let (outcome, result) = call(name, &operands, &session);
    match outcome {
        Outcome::Done(Feedback::SUCCESS) => Ok(unsafe { float::load(result.as_ptr(), 8, session.float_format) }),
        Outcome::Done(feedback) => Err(feedback.message),
        other => panic!("{name}: {other:?}"),
    }
}

/// Values of the identities each function has, not of the same library.
#[test]
fn long_floating_point() {
    let near = |name: &str, operands: &[f64], want: f64| {
        let value = of_double(name, operands).unwrap();
        assert!((value - want).abs() <= 1e-14 * want.abs().max(1.0), "{name}{operands:?} = {value}, not {want}");
    };
    for (name, operand, want) in [
        ("CEESDABS", -2.5, 2.5),
        ("CEESDACS", 0.5, PI / 3.0),
        ("CEESDASN", 1.0, PI / 2.0),
        ("CEESDATH", 0.6, LN_2),
        ("CEESDATN", 1.0, PI / 4.0),
        ("CEESDCOS", PI / 3.0, 0.5),
        ("CEESDCSH", LN_2, 1.25),
        ("CEESDCTN", PI / 4.0, 1.0),
        // Abramowitz and Stegun, tables 7.1 and 6.1.
        ("CEESDERF", 0.5, 0.520_499_877_813_046_5),
        ("CEESDERC", 0.5, 0.479_500_122_186_953_5),
        ("CEESDEXP", 1.0, E),
        ("CEESDGMA", 5.0, 24.0),
        ("CEESDLGM", 5.0, 3.178_053_830_347_946),
        ("CEESDINT", -2.7, -2.0),
        ("CEESDLG1", 1000.0, 3.0),
        ("CEESDLG2", 1024.0, 10.0),
        ("CEESDLOG", E, 1.0),
        ("CEESDNWN", -2.5, -3.0),
        ("CEESDSIN", PI / 6.0, 0.5),
        ("CEESDSNH", LN_2, 0.75),
        ("CEESDSQT", 144.0, 12.0),
        ("CEESDTAN", PI / 4.0, 1.0),
        ("CEESDTNH", LN_2, 0.6),
    ] {
        near(name, &[operand], want);
    }
    near("CEESDAT2", &[1.0, -1.0], 3.0 * PI / 4.0);
    near("CEESDDIM", &[5.5, 2.0], 3.5);
    near("CEESDDIM", &[2.0, 5.5], 0.0);
    near("CEESDMOD", &[-7.5, 2.0], -1.5);
    near("CEESDSGN", &[-7.5, 2.0], 7.5);
    near("CEESDXPD", &[2.0, 0.5], 2f64.sqrt());
}

/// At the limit and beyond it: the symbolic codes of the Programming Reference.
#[test]
fn conditions() {
    for (name, good, bad, symbol) in [
        ("CEESDACS", 1.0, 1.000001, "CEE1V0"),
        ("CEESDATH", 0.999999, 1.0, "CEE1V1"),
        ("CEESDCSH", 175.36, 175.37, "CEE1V0"),
        ("CEESDCTN", 0.1, 0.0, "CEE1UI"),
        ("CEESDEXP", 174.673, 174.674, "CEE1UR"),
        ("CEESDGMA", 57.57, 57.58, "CEE1UL"),
        ("CEESDLGM", 1e-70, 0.0, "CEE1UL"),
        ("CEESDLG1", 1e-70, 0.0, "CEE1US"),
        ("CEESDLG2", 1e-70, -1.0, "CEE1US"),
        ("CEESDLOG", 1e-70, 0.0, "CEE1US"),
        ("CEESDSIN", 1_125_899_906_842_624.0 * 3.13, 1_125_899_906_842_624.0 * 3.15, "CEE1V1"),
        ("CEESDSQT", 0.0, -1e-70, "CEE1UQ"),
    ] {
        assert!(of_double(name, &[good]).is_ok(), "{name} {good}");
        let message = of_double(name, &[bad]).unwrap_err();
        assert_eq!(Feedback { severity: 2, message }.symbol(), symbol.as_bytes(), "{name} {bad}");
    }
    assert_eq!(of_double("CEESDAT2", &[0.0, 0.0]), Err(2014));
    assert_eq!(of_double("CEESDXPD", &[0.0, 0.0]), Err(2006));
    assert_eq!(of_double("CEESDEXP", &[-181.0]), Err(UNDERFLOW.message));
    let zero = double(0.0, FloatFormat::Hexadecimal);
    let (outcome, _) = call("CEESDMOD", &[zero.clone(), zero], &Session::ebcdic());
    assert_eq!(outcome, Outcome::Interruption(Exception::FloatDivide));
}

#[test]
fn integers_and_short_numbers() {
    let session = Session::ebcdic();
    let word = |value: i32| value.to_be_bytes().to_vec();
    let integers = |name: &str, operands: &[i32]| {
        let operands: Vec<Vec<u8>> = operands.iter().map(|value| word(*value)).collect();
        let (outcome, result) = call(name, &operands, &session);
        (outcome, i32::from_be_bytes(result[..4].try_into().unwrap()))
    };
    let done = Outcome::Done(Feedback::SUCCESS);
    assert_eq!(integers("CEESIABS", &[-5]), (done, 5));
    assert_eq!(integers("CEESIDIM", &[3, 8]), (done, 0));
    assert_eq!(integers("CEESIMOD", &[-7, 3]), (done, -1));
    assert_eq!(integers("CEESISGN", &[7, -1]), (done, -7));
    assert_eq!(integers("CEESIXPI", &[3, 4]), (done, 81));
    assert_eq!(integers("CEESIXPI", &[3, -4]), (done, 0));
    assert_eq!(integers("CEESIXPI", &[0, 0]).0, Outcome::Done(Feedback { severity: 2, message: 2003 }));
    assert_eq!(integers("CEESIMOD", &[7, 0]).0, Outcome::Interruption(Exception::FixedDivide));
    assert_eq!(integers("CEESISET", &[0, 31]), (done, i32::MIN));
    assert_eq!(integers("CEESICLR", &[7, 1]), (done, 5));
    assert_eq!(integers("CEESITST", &[4, 2]), (done, 1));
    assert_eq!(integers("CEESITST", &[4, 32]).0, Outcome::Done(Feedback { severity: 2, message: 2028 }));
    assert_eq!(integers("CEESISHF", &[-1, -28]), (done, 15));
    assert_eq!(integers("CEESISHF", &[3, 4]), (done, 48));
    assert_eq!(integers("CEESISHF", &[3, 33]).0, Outcome::Done(Feedback { severity: 2, message: 2028 }));
    // 1234.5 in short hexadecimal form, rounded away from zero at the half.
    let (_, result) = call("CEESSNIN", &[vec![0x43, 0x4D, 0x28, 0x00]], &session);
    assert_eq!(result[..4], word(1235));
    let (_, result) = call("CEESSXPI", &[vec![0x41, 0x20, 0, 0], word(10)], &session);
    assert_eq!(result[..4], [0x43, 0x40, 0x00, 0x00], "2**10 is X'400'");
}

#[test]
fn complex_numbers() {
    let session = Session::ebcdic();
    let pair = |a: f64, b: f64| [double(a, session.float_format), double(b, session.float_format)].concat();
    let run = |name: &str, operands: &[Vec<u8>]| {
        let (outcome, result) = call(name, operands, &session);
        assert_eq!(outcome, Outcome::Done(Feedback::SUCCESS), "{name}");
        let part = |at: usize| unsafe { float::load(result[at..].as_ptr(), 8, session.float_format) };
        (part(0), part(8))
    };
    let near = |name: &str, got: (f64, f64), want: (f64, f64)| {
        assert!((got.0 - want.0).abs() < 1e-14 && (got.1 - want.1).abs() < 1e-14, "{name}: {got:?}, not {want:?}");
    };
    let z = pair(3.0, -4.0);
    near("ABS", run("CEESEABS", std::slice::from_ref(&z)), (5.0, 0.0));
    near("IMG", run("CEESEIMG", std::slice::from_ref(&z)), (-4.0, 0.0));
    near("CJG", run("CEESECJG", std::slice::from_ref(&z)), (3.0, 4.0));
    near("SQT", run("CEESESQT", std::slice::from_ref(&z)), (2.0, -1.0));
    near("MLT", run("CEESEMLT", &[z.clone(), pair(0.0, 1.0)]), (4.0, 3.0));
    near("DVD", run("CEESEDVD", &[pair(4.0, 3.0), pair(0.0, 1.0)]), (3.0, -4.0));
    near("XPI", run("CEESEXPI", &[pair(1.0, 1.0), 4i32.to_be_bytes().to_vec()]), (-4.0, 0.0));
    near("EXP", run("CEESEEXP", &[pair(0.0, PI)]), (-1.0, 0.0));
    near("LOG", run("CEESELOG", &[pair(-1.0, 0.0)]), (0.0, PI));
    near("SIN", run("CEESESIN", &[pair(0.0, LN_2)]), (0.0, 0.75));
    near("COS", run("CEESECOS", &[pair(0.0, LN_2)]), (1.25, 0.0));
    near("SNH", run("CEESESNH", &[pair(0.0, PI / 6.0)]), (0.0, 0.5));
    near("CSH", run("CEESECSH", &[pair(0.0, PI / 3.0)]), (0.5, 0.0));
    near("TNH", run("CEESETNH", &[pair(0.0, PI / 4.0)]), (0.0, 1.0));
    near("TAN", run("CEESETAN", &[pair(0.0, LN_2)]), (0.0, 0.6));
    near("ATN", run("CEESEATN", &[pair(0.0, 0.6)]), (0.0, LN_2));
    near("ATH", run("CEESEATH", &[pair(0.0, 1.0)]), (0.0, PI / 4.0));
    near("XPE", run("CEESEXPE", &[pair(0.0, 1.0), pair(2.0, 0.0)]), (-1.0, 0.0));
    let (outcome, _) = call("CEESEATN", &[pair(0.0, 1.0)], &session);
    assert_eq!(outcome, Outcome::Done(Feedback { severity: 2, message: 2022 }));
}

#[test]
fn the_table_has_a_function_for_every_type_it_lists() {
    for function in &FUNCTIONS {
        for letter in function.types.chars() {
            let has = match letter {
                'I' => function.integer.is_some(),
                'S' | 'D' => function.real.is_some(),
                'T' | 'E' => function.complex.is_some(),
                _ => true,
            };
            assert!(has, "CEES{letter}{}", function.name);
        }
    }
    assert!(matches!(find("CEESQSIN"), Some(Found::Extended)));
    assert!(find("CEESTACS").is_none() && find("CEESDXPS").is_none() && find("CEESGL").is_none());
}
