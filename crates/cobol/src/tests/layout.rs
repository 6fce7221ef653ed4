//! Data items: offsets, lengths and usages.

use super::*;

#[test]
fn usages_have_their_documented_lengths() {
    let p = program(
        "01 R.\n 05 A PIC S9(4) COMP.\n 05 B PIC S9(5) COMP.\n 05 C PIC S9(10) COMP.\n 05 D PIC S9(7)V99 COMP-3.\n 05 E COMP-1.\n\
         05 F COMP-2.\n 05 G POINTER.\n 05 H INDEX.\n 05 I PIC N(3) NATIONAL.\n 05 J PIC S9(3) SIGN LEADING SEPARATE.\n\
         05 K PROCEDURE-POINTER.\n 05 L PIC 9(4) COMP-5.\n 05 M FUNCTION-POINTER.\n 05 N PIC ZZ,ZZ9.99-.\n 05 O PIC S9(8) COMP-3.",
        "",
    );
    let expected = [
        ("A", 0, 2),
        ("B", 2, 4),
        ("C", 6, 8),
        ("D", 14, 5),
        ("E", 19, 4),
        ("F", 23, 8),
        ("G", 31, 4),
        ("H", 35, 4),
        ("I", 39, 6),
        ("J", 45, 4),
        ("K", 49, 8),
        ("L", 57, 2),
        ("M", 59, 4),
        ("N", 63, 10),
        ("O", 73, 5),
    ];
    for (name, offset, length) in expected {
        assert_eq!(place(&p, name), (offset, length), "{name}");
    }
    assert_eq!(place(&p, "R"), (0, 78));
}

#[test]
fn records_start_on_doublewords_and_redefinitions_share() {
    let p = program(
        "01 A PIC X(3).\n01 B PIC X(5).\n01 C REDEFINES B PIC X(4).\n01 D.\n 05 E PIC X(4).\n 05 F REDEFINES E PIC S9(8) COMP.\n 05 G PIC X.",
        "",
    );
    assert_eq!(place(&p, "A"), (0, 3));
    assert_eq!(place(&p, "B"), (8, 5));
    assert_eq!(place(&p, "C"), (8, 4));
    assert_eq!(place(&p, "D"), (16, 5));
    assert_eq!(place(&p, "F"), (16, 4));
    assert_eq!(place(&p, "G"), (20, 1));
}

#[test]
fn synchronized_items_get_slack_bytes() {
    // Language Reference, SYNCHRONIZED clause: slack within records and between occurrences.
    let p = program(
        "01 R.\n 05 A PIC X(5).\n 05 B.\n  10 C PIC XX.\n  10 D PIC S9(6) COMP SYNC.\n\
         01 T.\n 05 U OCCURS 10.\n  10 V PIC X.\n  10 W PIC S9(4) COMP SYNC.\n  10 X PIC X(2).",
        "",
    );
    assert_eq!(place(&p, "C"), (5, 2));
    assert_eq!(place(&p, "D"), (8, 4));
    let start = place(&p, "T").0;
    assert_eq!(place(&p, "V").0 - start, 0);
    assert_eq!(place(&p, "W").0 - start, 2);
    assert_eq!(find(&p, "U").occurs.as_ref().map(|occurs| occurs.stride.fixed), Some(6));
    assert_eq!(place(&p, "T").1, 60);
}

#[test]
fn tables_have_strides_and_dimensions() {
    let p = program("01 T.\n 05 A OCCURS 3 INDEXED BY I.\n  10 B PIC X(2).\n  10 C OCCURS 4 PIC 9(3) COMP-3.\n 05 D PIC X.", "");
    assert_eq!(place(&p, "T"), (0, 3 * (2 + 4 * 2) + 1));
    assert_eq!(place(&p, "D").0, 30);
    let c = find(&p, "C");
    assert_eq!(c.dimensions.len(), 2);
    assert_eq!(c.occurs.as_ref().map(|occurs| occurs.stride.fixed), Some(2));
    let index = find(&p, "I");
    assert_eq!((index.category, index.length_max), (Category::Index, 4));
    assert_eq!(p.base(index.base).kind, BaseKind::Indexes);
}

#[test]
fn items_after_occurs_depending_are_variably_located() {
    let p = program(
        "01 N PIC 9(2).\n01 T.\n 05 A PIC X(4).\n 05 B OCCURS 1 TO 5 DEPENDING ON N PIC X(3).\n 05 C PIC X(2).\n 05 D.\n  10 E PIC X.",
        "",
    );
    let (n, t, c, e) = (find(&p, "N"), find(&p, "T"), find(&p, "C"), find(&p, "E"));
    assert_eq!(t.length_max, 4 + 15 + 3);
    assert_eq!(t.length.fixed, 7);
    assert_eq!(t.length.terms.len(), 1);
    assert_eq!(t.length.terms[0].stride, Size::fixed(3));
    assert_eq!(c.offset.fixed - t.offset.fixed, 4);
    assert_eq!(c.offset.terms.len(), 1);
    assert_eq!(e.offset.fixed - t.offset.fixed, 6);
    let b = find(&p, "B").occurs.as_ref().expect("occurs");
    assert_eq!((b.min, b.max), (1, 5));
    assert_eq!(b.depending.map(|id| &*p.item(id).name), Some("N"));
    assert!(n.referenced);
}

#[test]
fn values_are_encoded_in_the_code_page() {
    let p = program(
        "01 A PIC X(5) VALUE 'AB1'.\n01 B PIC S9(3) VALUE -12.\n01 C PIC S9(3)V9 COMP-3 VALUE 1.5.\n01 D PIC S9(4) COMP VALUE -2.\n\
         01 E PIC X(3) VALUE X'0102'.\n01 F PIC 9(4) COMP-3 VALUE 7.\n01 G PIC X(4) VALUE ALL 'XY'.\n01 H PIC X(2) VALUE HIGH-VALUES.\n\
         01 I PIC S9(3) SIGN TRAILING SEPARATE VALUE 5.\n01 J COMP-2 VALUE 1.0E0.\n01 K PIC N(2) VALUE N'A'.\n01 L PIC X(3) VALUE Z'A'.\n\
         01 M PIC 9(3) VALUE ZERO.\n01 O PIC X(2).",
        "",
    );
    assert_eq!(image(&p, "A"), [0xC1, 0xC2, 0xF1, 0x40, 0x40]);
    assert_eq!(image(&p, "B"), [0xF0, 0xF1, 0xD2]);
    assert_eq!(image(&p, "C"), [0x00, 0x01, 0x5C]);
    assert_eq!(image(&p, "D"), [0xFF, 0xFE]);
    assert_eq!(image(&p, "E"), [0x01, 0x02, 0x40]);
    assert_eq!(image(&p, "F"), [0x00, 0x00, 0x7F]);
    assert_eq!(image(&p, "G"), [0xE7, 0xE8, 0xE7, 0xE8]);
    assert_eq!(image(&p, "H"), [0xFF, 0xFF]);
    assert_eq!(image(&p, "I"), [0xF0, 0xF0, 0xF5, 0x4E]);
    assert_eq!(image(&p, "J"), [0x41, 0x10, 0, 0, 0, 0, 0, 0]);
    assert_eq!(image(&p, "K"), [0x00, 0x41, 0x00, 0x20]);
    assert_eq!(image(&p, "L"), [0xC1, 0x00, 0x40]);
    assert_eq!(image(&p, "M"), [0xF0, 0xF0, 0xF0]);
    assert_eq!(image(&p, "O"), [0, 0]);
}

#[test]
fn group_and_table_values_fill_every_occurrence() {
    let p = program(
        "01 G VALUE SPACES.\n 05 A PIC X(2).\n 05 B PIC X.\n01 T.\n 05 C OCCURS 3.\n  10 D PIC X VALUE 'Q'.\n  10 E PIC 9 COMP-3 VALUE 1.",
        "",
    );
    assert_eq!(image(&p, "G"), [0x40; 3]);
    assert_eq!(image(&p, "T"), [0xD8, 0x1F, 0xD8, 0x1F, 0xD8, 0x1F]);
}

#[test]
fn ascii_code_page_changes_text_and_signs() {
    let options = Options { codepage: 819, format: crate::options::SourceFormat::Free, ..Options::default() };
    let text = source("01 A PIC X(3) VALUE 'AB'.\n01 B PIC S9(2) VALUE -12.", "", "");
    let compilation = compile_source("T", text.as_bytes(), &options, &NoCopies);
    let p = &compilation.programs[0];
    assert_eq!(image(p, "A"), b"AB ");
    assert_eq!(image(p, "B"), b"1r");
}

#[test]
fn renames_cover_ranges() {
    let p = program("01 R.\n 05 A PIC X(2).\n 05 B PIC 9(3).\n 05 C PIC X(4).\n66 D RENAMES A THRU B.\n66 E RENAMES B.", "");
    assert_eq!(place(&p, "D"), (0, 5));
    assert_eq!((place(&p, "E"), find(&p, "E").category), ((2, 3), Category::Numeric));
    assert_eq!(p.children(ItemId(0)).count(), 3);
}

#[test]
fn usage_and_sign_of_a_group_apply_to_its_members() {
    let p = program("01 G COMP-3.\n 05 A PIC S9(3).\n 05 B PIC S9(4).\n01 H SIGN LEADING SEPARATE.\n 05 C PIC S9(2).", "");
    assert_eq!((find(&p, "A").usage, find(&p, "B").length_max), (Usage::Packed, 3));
    assert_eq!((find(&p, "C").sign, find(&p, "C").length_max), (Sign::LeadingSeparate, 3));
}

#[test]
fn linkage_records_have_bases_of_their_own() {
    let compilation = compile(&source("01 W PIC X.", "01 L1 PIC X(8).\n01 L2 REDEFINES L1 PIC 9(8).\n77 L3 PIC 9.", ""));
    let p = &compilation.programs[0];
    let (l1, l2, l3) = (find(p, "L1"), find(p, "L2"), find(p, "L3"));
    assert_eq!(l1.base, l2.base);
    assert_ne!(l1.base, l3.base);
    assert_eq!(p.base(l1.base).kind, BaseKind::Linkage);
    assert_eq!(p.base(l1.base).length, 8);
}

#[test]
fn file_records_share_their_area() {
    let text = "IDENTIFICATION DIVISION.\nPROGRAM-ID. T.\nENVIRONMENT DIVISION.\nINPUT-OUTPUT SECTION.\nFILE-CONTROL.\n\
        SELECT CUST ASSIGN TO DA-CUSTFILE ORGANIZATION INDEXED ACCESS DYNAMIC RECORD KEY CUST-KEY\n\
        ALTERNATE RECORD KEY CUST-NAME WITH DUPLICATES FILE STATUS FS.\n\
        DATA DIVISION.\nFILE SECTION.\nFD CUST.\n01 CUST-REC.\n 05 CUST-KEY PIC X(6).\n 05 CUST-NAME PIC X(20).\n01 CUST-SHORT PIC X(10).\n\
        WORKING-STORAGE SECTION.\n01 FS PIC XX.\nPROCEDURE DIVISION.\nM.\n OPEN I-O CUST. READ CUST KEY IS CUST-NAME INVALID KEY CONTINUE END-READ. GOBACK.\n";
    let compilation = compile(text);
    assert!(compilation.is_usable(), "{}", compilation.diagnostics.render(&compilation.sources));
    let p = &compilation.programs[0];
    let file = &p.files[0];
    assert_eq!((&*file.assign, file.record_min, file.record_max), ("CUSTFILE", 10, 26));
    assert_eq!(file.recording, Recording::Variable);
    assert_eq!(file.records.len(), 2);
    assert_eq!(file.record_key.map(|key| p.item(key).offset.fixed), Some(0));
    assert!(file.alternate_keys[0].duplicates);
    assert_eq!(p.base(file.base).length, 26);
}
