//! Whole programs, compiled and run in both code pages, with inline code on and off. Expected output: GnuCOBOL 3.1.2 with `-std=ibm` where
//! it agrees with Enterprise COBOL, checked by hand.

mod common;

use common::{ASCII, EBCDIC, compile_with, run_module, settings};

fn check(name: &str, source: &str, expected: &str, others: &[&str]) {
    for ccsid in [ASCII, EBCDIC] {
        for inline in [true, false] {
            let others: Vec<_> = others.iter().map(|text| compile_with(text, ccsid, &settings(inline))).collect();
            let module = compile_with(source, ccsid, &settings(inline));
            let outcome = run_module(&module, &others);
            if let Some(failure) = &outcome.failure {
                panic!("{name}, CCSID {ccsid}, inline {inline}: {}\n{}", failure.text(), outcome.output);
            }
            let trimmed = |text: &str| text.lines().map(|line| line.trim_end().to_string()).collect::<Vec<_>>();
            for (number, (actual, wanted)) in trimmed(&outcome.output).iter().zip(trimmed(expected)).enumerate() {
                assert_eq!(actual, &wanted, "{name}, CCSID {ccsid}, inline {inline}, line {}", number + 1);
            }
            assert_eq!(outcome.output.lines().count(), expected.lines().count(), "{name}: lines of output");
        }
    }
}

macro_rules! programs {
    ($($name:ident $(with $other:literal)?),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                let source = include_str!(concat!("cobol/", stringify!($name), ".cob"));
                let expected = include_str!(concat!("cobol/", stringify!($name), ".out"));
                check(stringify!($name), source, expected, &[$(include_str!(concat!("cobol/", $other, ".cob")))?]);
            }
        )*
    };
}

programs! {
    arithmetic, control, data, strings, calls, pointers, functions,
    b01pack, b02disp, b03edit, b04srch, b05str, b06perf, b07call with "b07sub", b07cald with "b07sub", b08move, b09bin, b10int,
    b11txn,
}
