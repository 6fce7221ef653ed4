//! Limits of the language and of the compiler: each works at n, and is named in a message at n + 1.

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
fn working_storage_has_at_most_134_217_727_bytes() {
    // The second record starts on a doubleword.
    let of = |bytes: u32| messages(&source(&format!("01 A PIC X(100000000). 01 B PIC X({bytes})."), "", "STOP RUN"));
    assert_eq!(of(34_217_727), Vec::<String>::new());
    let told = "S WORKING-STORAGE is too long: 134217728 bytes with B; the most is 134217727";
    assert_eq!(of(34_217_728), [told]);
}

#[test]
fn literals_have_a_most_length() {
    let limits = [
        ("'", "A", 160, "an alphanumeric literal has at most 160 bytes; this one has 161"),
        ("Z'", "A", 159, "a null-terminated literal has at most 159 bytes; this one has 160"),
        ("N'", "A", 80, "a national literal has at most 80 characters; this one has 81"),
        ("U'", "A", 160, "a UTF-8 literal has at most 160 bytes; this one has 161"),
        // The limit counts bytes, not characters.
        ("U'", "\u{e9}", 80, "a UTF-8 literal has at most 160 bytes; this one has 162"),
        ("U'", "\u{20ac}", 53, "a UTF-8 literal has at most 160 bytes; this one has 162"),
        ("G'", "\u{3042}", 28, "a DBCS literal has at most 28 characters; this one has 29"),
        ("X'", "C1", 160, "a hexadecimal literal has at most 320 hexadecimal digits; this one has 322"),
        ("NX'", "0041", 80, "a hexadecimal literal has at most 320 hexadecimal digits; this one has 324"),
        ("UX'", "41", 160, "a hexadecimal literal has at most 320 hexadecimal digits; this one has 322"),
    ];
    for (open, unit, most, told) in limits {
        // Only a code page with double-byte characters has DBCS literals.
        let card = if open == "G'" { "       CBL CODEPAGE(939)\n" } else { "" };
        let of = |count: usize| {
            messages(&format!("{card}{}", source("01 A PIC X(200).", "", &format!("DISPLAY {open}{}'", unit.repeat(count)))))
        };
        assert_eq!(of(most), Vec::<String>::new(), "{open}");
        assert_eq!(of(most + 1), [format!("S {told}")], "{open}");
    }
    // A doubled quotation mark is one character.
    let doubled = format!("DISPLAY '{}'", "''".repeat(160));
    assert_eq!(messages(&source("01 A PIC X.", "", &doubled)), Vec::<String>::new());
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
    assert_eq!(of("       01 G.\n       02 A PIC X DYNAMIC LENGTH.\n"), Vec::<String>::new());
    let table = "       01 G.\n       02 A OCCURS 2 PIC X DYNAMIC LENGTH.\n";
    assert!(of(table).iter().any(|text| text.contains("not in a table")), "{:?}", of(table));
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

#[test]
fn picture_strings_have_at_most_50_characters() {
    let of = |nines: usize| messages(&source(&format!("01 A PIC {}.", "X".repeat(nines)), "", "STOP RUN"));
    assert_eq!(of(50), Vec::<String>::new());
    assert!(of(51).iter().any(|text| text.contains("it has 51 characters; the most is 50")), "{:?}", of(51));
    // Repetition factors count as written; an edited item has 249 character positions.
    let edited = |count: u32| messages(&source(&format!("01 A PIC X(1)B({count})."), "", "STOP RUN"));
    assert_eq!(edited(248), Vec::<String>::new());
    assert!(edited(249).iter().any(|text| text.contains("an edited picture has 250 characters; the most is 249")));
}

#[test]
fn words_have_at_most_30_characters() {
    let of = |length: usize| messages(&source(&format!("01 {} PIC X.", "W".repeat(length)), "", "STOP RUN"));
    assert_eq!(of(30), Vec::<String>::new());
    assert!(of(31).iter().any(|text| text.contains("has more than 30 characters")), "{:?}", of(31));
}

#[test]
fn many_items_and_many_paragraphs() {
    let data = lines(10_000, |n| format!("01 ITEM-{n} PIC X(8).\n"));
    let performs = lines(5_000, |n| format!("    PERFORM P-{n}.\n"));
    let paragraphs = lines(5_000, |n| format!("P-{n}.\n    MOVE ITEM-{n} TO ITEM-{}.\n", n + 1));
    let paragraphs = performs + "    GOBACK.\n" + &paragraphs;
    assert_eq!(messages(&source(&data, "", &paragraphs)), Vec::<String>::new());
}

#[test]
fn calls_have_as_many_arguments_as_wanted() {
    let data = lines(1_000, |n| format!("01 A-{n} PIC X.\n"));
    let call = format!("    CALL 'X' USING {}", lines(1_000, |n| format!("A-{n}\n")));
    assert_eq!(messages(&source(&data, "", &call)), Vec::<String>::new());
}

#[test]
fn statements_nest_400_deep() {
    // The inner statement is the last level.
    let of = |depth: usize| {
        let text = lines(depth - 1, |_| "IF A = 1\n".to_string()) + "CONTINUE\n" + &lines(depth - 1, |_| "END-IF\n".to_string());
        messages(&source("01 A PIC 9.", "", &text))
    };
    assert_eq!(of(400), Vec::<String>::new());
    assert!(of(401).iter().any(|text| text.contains("statements are nested more than 400 deep")), "{:?}", of(401));
}

#[test]
fn programs_nest_20_deep() {
    let of = |depth: usize| {
        let open = lines(depth, |n| format!("IDENTIFICATION DIVISION.\nPROGRAM-ID. P{n}.\nPROCEDURE DIVISION.\n    GOBACK.\n"));
        let close: String = (0..depth).rev().map(|n| format!("END PROGRAM P{n}.\n")).collect();
        messages(&(open + &close))
    };
    assert_eq!(of(20), Vec::<String>::new());
    assert!(of(21).iter().any(|text| text.contains("programs are nested more than 20 deep")), "{:?}", of(21));
}
