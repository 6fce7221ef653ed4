//! Limits of the language and of the compiler: what works at n fails by name at n + 1.

use super::{messages, source};

fn nested_levels(deepest: u32) -> String {
    let mut data = String::new();
    for level in 1..deepest {
        data.push_str(&format!("       {level:02} L{level}.\n"));
    }
    data.push_str(&format!("       {deepest:02} L{deepest} PIC X.\n"));
    source(&data, "", "STOP RUN")
}

#[test]
fn level_numbers_go_to_49() {
    assert_eq!(messages(&nested_levels(49)), Vec::<String>::new());
    let messages = messages(&nested_levels(50));
    assert!(messages.iter().any(|text| text.contains("50 is not a level number; expected 01 to 49, 66, 77 or 88")), "{messages:?}");
}

#[test]
fn items_have_at_most_134_217_727_bytes() {
    let of = |bytes: u32| messages(&source(&format!("01 A PIC X({bytes})."), "", "STOP RUN"));
    assert_eq!(of(134_217_727), Vec::<String>::new());
    assert!(of(134_217_728).iter().any(|text| text.contains("134217727")), "{:?}", of(134_217_728));
    // Sixteen megabytes of WORKING-STORAGE with values are common.
    let data = "       01 A.\n       02 B OCCURS 16384 PIC X(1024) VALUE SPACES.\n";
    assert_eq!(messages(&source(data, "", "STOP RUN")), Vec::<String>::new());
}

#[test]
fn tables_have_at_most_seven_dimensions() {
    let of = |dimensions: u32| {
        let mut data = String::from("       01 A.\n");
        for level in 1..=dimensions {
            let picture = if level == dimensions { " PIC X" } else { "" };
            data.push_str(&format!("       {:02} T{level} OCCURS 2{picture}.\n", level + 1));
        }
        messages(&source(&data, "", "STOP RUN"))
    };
    assert_eq!(of(7), Vec::<String>::new());
    assert!(of(8).iter().any(|text| text.contains("seven dimensions")));
}

#[test]
fn dynamic_length_items_are_checked() {
    let of = |data: &str| messages(&source(data, "", "STOP RUN"));
    assert_eq!(of("       01 A PIC X DYNAMIC LENGTH LIMIT IS 16000000.\n"), Vec::<String>::new());
    assert!(of("       01 A PIC X DYNAMIC LENGTH LIMIT IS 16000001.\n").iter().any(|text| text.contains("it must be 1 to 16000000")));
    assert!(of("       01 A PIC X(2) DYNAMIC LENGTH.\n").iter().any(|text| text.contains("without a repetition")));
    assert!(of("       01 G.\n       02 A PIC X DYNAMIC LENGTH.\n").iter().any(|text| text.contains("level 01 or 77")));
}
