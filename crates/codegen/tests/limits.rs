//! What happens at a limit and one beyond it.

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
