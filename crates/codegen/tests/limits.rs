//! Behaviour at a limit and one beyond it.

mod common;

use common::output;

/// Language Reference, SIZE ERROR phrases: the size error applies to final results. The last operation of a statement with one receiver
/// gives the final result, however many digits it has.
#[test]
fn a_result_of_more_digits_than_any_item_is_a_size_error() {
    let data = "01 A PIC 9(18) COMP-3 VALUE 500000000000000000.\n01 B PIC V9(18) COMP-3 VALUE .000000000000000001.\n\
                01 R PIC S9(9) COMP VALUE 1.\n01 Q PIC S9(9) COMP VALUE 2.\n01 T PIC 9(18) VALUE 10000000000.";
    let told = |statement: &str| {
        let verb = statement.split(' ').next().unwrap_or_default();
        format!("    {statement}\n        ON SIZE ERROR DISPLAY 'E ' R\n        NOT ON SIZE ERROR DISPLAY 'O ' R\n    END-{verb}\n")
    };
    // 5 * 10^35, of which the intermediate result would keep no digit but zeros.
    let statements = [
        "DIVIDE A BY B GIVING R",
        "DIVIDE A BY B GIVING R ROUNDED",
        "COMPUTE R = A / B",
        "DIVIDE A BY B GIVING R REMAINDER Q",
        "COMPUTE R = A * A",
        "MULTIPLY A BY A GIVING R",
        "COMPUTE R = T ** 4",
        "COMPUTE R = (A / B) * 0",
    ];
    let code: String = statements.into_iter().map(told).collect();
    let errors = "E 000000001\n".repeat(7);
    assert_eq!(output(data, &format!("{code}    STOP RUN.\n")), format!("{errors}O 000000000\n"));
}

/// Where all code is hot, decimal operations of a program of more than 4,000 statements are inline in its loops only
/// (`codegen::emit`): it computes the same.
#[test]
fn programs_of_more_than_4000_statements_compute_right() {
    const PARAGRAPHS: usize = 50;
    for times in [700, 900] {
        let data = "01 P PIC S9(9)V99 COMP-3 VALUE 0.\n01 Z PIC S9(7) VALUE 1.\n01 B PIC S9(9) COMP VALUE 0.\n01 I PIC S9(4) COMP.\n01 SHOWN PIC -(11)9.99.";
        let each = times / PARAGRAPHS;
        let mut code = String::from("    PERFORM ALL-OF-IT VARYING I FROM 1 BY 1 UNTIL I > 3.\n");
        code.push_str(
            "MOVE P TO SHOWN. DISPLAY SHOWN.\nMOVE Z TO SHOWN. DISPLAY SHOWN.\nMOVE B TO SHOWN. DISPLAY SHOWN. STOP RUN.\nALL-OF-IT.\n",
        );
        let (mut packed, mut zoned, mut binary) = (0i64, 1i64, 0i64);
        for paragraph in 0..PARAGRAPHS {
            code.push_str(&format!("PERFORM P-{paragraph}.\n"));
        }
        for paragraph in 0..PARAGRAPHS {
            code.push_str(&format!("P-{paragraph}.\n"));
            for _ in 0..each {
                code.push_str("ADD 1.25 TO P.\nCOMPUTE Z = Z + B - 2.\nIF Z < 0 SUBTRACT Z FROM 7 GIVING Z.\nADD I TO B.\n");
            }
        }
        for i in 1..=3 {
            for _ in 0..PARAGRAPHS * each {
                packed += 125;
                zoned = (zoned + binary - 2) % 10_000_000;
                if zoned < 0 {
                    zoned = 7 - zoned;
                }
                binary += i;
            }
        }
        let shown = |hundredths: i64| format!("{:>15}\n", format!("{}.{:02}", hundredths / 100, hundredths % 100));
        let expected = shown(packed) + &shown(zoned * 100) + &shown(binary * 100);
        assert_eq!(output(data, &code), expected, "{times} times five statements");
    }
}

/// The values of one term of a condition are not needed for the next; those of an expression are, up to what a stack can hold.
#[test]
fn very_long_statements_run_or_are_refused_by_name() {
    let data = "01 A PIC 9(4) VALUE 2.\n01 B PIC 9(4) VALUE 3.\n01 R PIC 9(9) COMP.";
    let terms = "\n        OR A ** B = 9".repeat(2_000);
    assert_eq!(output(data, &format!("    IF A = 1{terms}\n        OR A ** B = 8 DISPLAY 'EIGHT'.\n    STOP RUN.\n")), "EIGHT\n");
    let sum = |operators: usize| format!("    COMPUTE R = A{}.\n    DISPLAY R.\n    STOP RUN.\n", "\n        + A".repeat(operators));
    assert_eq!(output(data, &sum(5_000)), "000010002\n");
    let source = common::program(data, &sum(5_001));
    let options = cobol::Options { codepage: common::EBCDIC, ..cobol::Options::default() };
    let compilation = cobol::compile_source("T.cbl", source.as_bytes(), &options, &cobol::source::NoCopies);
    let messages = compilation.diagnostics.render(&compilation.sources);
    assert!(messages.contains("an expression has at most 5000 operators"), "{messages}");
}
