//! Tests of the map assembler: defaults, values, messages, and malformed sources.

use super::*;
use crate::attribute::Extended;
use crate::object;
use proptest::prelude::*;

fn run(source: &str) -> Assembly {
    assemble("t.bms", source.as_bytes(), &codepage::CCSID_037)
}

/// Joins operand lines with continuation marks in column 72.
fn card(lines: &[&str]) -> String {
    let mut out = String::new();
    for (index, line) in lines.iter().enumerate() {
        let text = if index == 0 { line.to_string() } else { format!("               {line}") };
        if index + 1 < lines.len() {
            out += &format!("{text:<71}X\n");
        } else {
            out += &format!("{text}\n");
        }
    }
    out
}

fn mapset(fields: &str) -> String {
    [
        card(&["SET1    DFHMSD TYPE=&&SYSPARM,MODE=INOUT,LANG=COBOL,TIOAPFX=YES,", "CTRL=(FREEKB,ALARM),STORAGE=AUTO,COLOR=GREEN"]),
        card(&["MAP1    DFHMDI SIZE=(24,80),LINE=1,COLUMN=1"]),
        fields.to_string(),
        card(&["        DFHMSD TYPE=FINAL"]),
        card(&["        END"]),
    ]
    .concat()
}

fn only_field(field: &str) -> Field {
    let assembly = run(&mapset(field));
    assert!(!assembly.has_errors(), "{:?}", assembly.diagnostics);
    assembly.mapsets[0].maps[0].fields[0].clone()
}

#[test]
fn defaults_and_inheritance() {
    let assembly = run(&mapset(&card(&["NAME    DFHMDF POS=(3,10),LENGTH=20,ATTRB=(UNPROT,IC,FSET),", "HILIGHT=UNDERLINE"])));
    assert!(assembly.diagnostics.is_empty(), "{:?}", assembly.diagnostics);
    let set = &assembly.mapsets[0];
    assert_eq!((set.name.as_str(), set.mode, set.language, set.storage.clone()), ("SET1", Mode::InOut, Language::Cobol, Storage::Auto));
    let map = set.map("map1   ").unwrap();
    assert!(map.tioa_prefix);
    assert_eq!(map.control, Some(Control { free_keyboard: true, alarm: true, ..Control::default() }));
    let field = &map.fields[0];
    assert_eq!((field.position, field.length, field.attribute), (2 * 80 + 9, 20, 0xC1));
    assert!(field.initial_cursor);
    assert_eq!(field.extended.get(Extended::Color), Some(0xF4));
    assert_eq!(field.extended.get(Extended::Highlight), Some(0xF4));
}

/// DFHMDI and DFHMSD of the application programming reference, and an operand of the assembler's language without a value.
#[test]
fn operands_that_are_left_out() {
    let source = [
        card(&["SET2    DFHMSD TYPE=MAP,MODE=OUT,LANG=COBOL,STORAGE=AUTO,SUFFIX=,TERM="]),
        card(&["FOOT    DFHMDI SIZE=(2,79),TRAILER=YES,COLOR="]),
        card(&["        DFHMDF POS=(1,1),LENGTH=3,HILIGHT=,INITIAL='END'"]),
        card(&["        DFHMSD TYPE=FINAL"]),
        card(&["        END"]),
    ]
    .concat();
    let assembly = run(&source);
    assert!(assembly.diagnostics.is_empty(), "{:?}", assembly.diagnostics);
    let map = &assembly.mapsets[0].maps[0];
    assert_eq!((map.line, map.column), (Place::Next, Place::At(1)));
    assert!(map.tioa_prefix, "TIOAPFX=YES with STORAGE=AUTO");
}

#[test]
fn attribute_defaults() {
    assert_eq!(only_field("        DFHMDF POS=1,LENGTH=2\n").attribute, 0xF0);
    assert_eq!(only_field("        DFHMDF POS=1,LENGTH=2,ATTRB=BRT\n").attribute, 0xC8);
    assert_eq!(only_field("        DFHMDF POS=1,LENGTH=2,ATTRB=(PROT,DRK)\n").attribute, 0x6C);
    assert_eq!(only_field("        DFHMDF POS=1,LENGTH=2,ATTRB=(UNPROT,NUM)\n").attribute, 0x50);
    assert_eq!(only_field("        DFHMDF POS=1,LENGTH=2,ATTRB=(ASKIP,BRT,FSET)\n").attribute, 0xF9);
    assert_eq!(only_field("        DFHMDF POS=1,LENGTH=2,ATTRB=(PROT,ASKIP)\n").attribute, 0xF0);
    assert_eq!(only_field("        DFHMDF POS=1,ATTRB=ASKIP\n").length, 0);
}

#[test]
fn justify_defaults() {
    let numeric = only_field("A       DFHMDF POS=1,LENGTH=2,ATTRB=(UNPROT,NUM)\n").justify;
    assert!(numeric.right && numeric.zero_fill);
    let right = only_field("A       DFHMDF POS=1,LENGTH=2,JUSTIFY=RIGHT\n").justify;
    assert!(right.right && right.zero_fill);
    let blank = only_field("A       DFHMDF POS=1,LENGTH=2,JUSTIFY=(RIGHT,BLANK)\n").justify;
    assert!(blank.right && !blank.zero_fill);
    assert_eq!(only_field("A       DFHMDF POS=1,LENGTH=2\n").justify, FieldJustify::default());
}

#[test]
fn initial_values() {
    assert_eq!(only_field("        DFHMDF POS=1,LENGTH=6,INITIAL='It''s &&'\n").initial, Some(codepage::CCSID_037.encode("It's &")));
    assert_eq!(only_field("        DFHMDF POS=1,XINIT=C1C2\n").initial, Some(vec![0xC1, 0xC2]));
    assert_eq!(only_field("        DFHMDF POS=1,INITIAL='abc'\n").length, 3);
    let assembly = run(&mapset("        DFHMDF POS=1,LENGTH=2,INITIAL='abc'\n"));
    assert_eq!(assembly.return_code(), 4);
    assert_eq!(assembly.mapsets[0].maps[0].fields[0].initial.as_ref().unwrap().len(), 2);
}

#[test]
fn messages_point_at_the_operand() {
    let source = mapset(
        &[
            card(&["A       DFHMDF POS=(25,1),", "LENGTH=300,", "COLOR=MAUVE"]),
            card(&["B       DFHMDF LENGTH=1,POS=(1,1),NONSENSE=1"]),
            card(&["B       DFHMDF LENGTH=1,POS=(1,1),ATTRB=(PROT,UNPROT)"]),
            card(&["        DFHXYZ A=1"]),
        ]
        .concat(),
    );
    let assembly = run(&source);
    let places: Vec<(u32, u32, &str)> = assembly.diagnostics.iter().map(|d| (d.line, d.column, d.operand.as_str())).collect();
    assert_eq!(
        places,
        [(4, 16, "POS"), (5, 16, "LENGTH"), (6, 16, "COLOR"), (7, 35, "NONSENSE"), (8, 35, "ATTRB"), (8, 1, ""), (9, 1, "")]
    );
    assert_eq!(assembly.return_code(), 8);
    let shown = assembly.diagnostics[0].to_string();
    assert!(shown.starts_with("t.bms:4:16: error: POS: expected (line,column)"), "{shown}");
}

#[test]
fn names_and_order_of_macros() {
    assert_eq!(run("        DFHMDF POS=1,LENGTH=1\n").return_code(), 8);
    assert_eq!(run("M       DFHMDI SIZE=(1,80)\n").return_code(), 8);
    assert_eq!(run("TOOLONGNAME DFHMSD TYPE=MAP\n        DFHMSD TYPE=FINAL\n").return_code(), 8);
    assert_eq!(run("").return_code(), 8);
    let no_final = run("SET     DFHMSD TYPE=MAP\nM       DFHMDI SIZE=(1,80)\n");
    assert_eq!((no_final.return_code(), no_final.mapsets.len()), (4, 1));
}

#[test]
fn bounds() {
    assert_eq!(run(&mapset("A       DFHMDF POS=1,LENGTH=256\n")).return_code(), 0);
    assert_eq!(run(&mapset("A       DFHMDF POS=1,LENGTH=257\n")).return_code(), 8);
    assert_eq!(run(&mapset("A       DFHMDF POS=1919,LENGTH=1\n")).return_code(), 4);
    assert_eq!(run(&mapset("A       DFHMDF POS=1920,LENGTH=1\n")).return_code(), 8);
    assert_eq!(run(&mapset("        DFHMDF POS=1,LENGTH=0\n")).return_code(), 0);
    assert_eq!(run(&mapset("A       DFHMDF POS=1,LENGTH=0\n")).return_code(), 8);
    assert_eq!(run(&mapset("A       DFHMDF POS=0,LENGTH=79,OCCURS=24\n")).return_code(), 0);
    assert_eq!(run(&mapset("A       DFHMDF POS=0,LENGTH=79,OCCURS=25\n")).return_code(), 8);
}

#[test]
fn a_limit_is_reported_once_and_ends_the_assembly() {
    let source = |maps: usize, fields: usize| {
        let maps: String = (1..maps).map(|number| format!("M{number:<7}DFHMDI SIZE=(1,80)\n")).collect();
        let fields = "        DFHMDF POS=1,LENGTH=0\n".repeat(fields);
        format!("SET1    DFHMSD TYPE=MAP\n{maps}LAST    DFHMDI SIZE=(1,80)\n{fields}        DFHMSD TYPE=FINAL\n        END\n")
    };
    let told = |maps: usize, fields: usize| {
        let diagnostics = run(&source(maps, fields)).diagnostics;
        diagnostics
            .iter()
            .filter(|told| told.severity > Severity::Warning)
            .map(|told| (told.line, told.message.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(told(9_999, 16_384), []);
    let maps = "a mapset has 9999 maps at most: divide it into several mapsets";
    assert_eq!(told(20_000, 0), [(10_001, maps.to_string())]);
    let fields = "a map has 16384 fields at most: divide it into several maps";
    assert_eq!(told(1, 20_000), [(16_387, fields.to_string())]);
}

#[test]
fn picture_lengths() {
    assert_eq!(super::field::picture_length("+ZZZ,ZZZ,ZZZ.99"), Some(15));
    assert_eq!(super::field::picture_length("9(11)"), Some(11));
    assert_eq!(super::field::picture_length("S9(7)V99"), Some(9));
    assert_eq!(super::field::picture_length("ZZZZZ9 blank when zero"), Some(6));
    assert_eq!(super::field::picture_length("9(999)"), None);
    assert_eq!(super::field::picture_length(""), None);
}

#[test]
fn object_round_trip() {
    let source = mapset(
        &[
            card(&["A       DFHMDF POS=1,LENGTH=10,PICIN='9(10)',PICOUT='Z(9)9',", "COLOR=RED,VALIDN=(MUSTFILL,TRIGGER)"]),
            card(&["R       DFHMDF POS=(2,1),LENGTH=5,OCCURS=3,PS=X'C1',", "OUTLINE=BOX,CASE=MIXED"]),
            card(&["MO      DFHMDF POS=(10,1),LENGTH=2,GRPNAME=DATE"]),
            card(&["SEP     DFHMDF POS=(10,3),LENGTH=1,GRPNAME=DATE,INITIAL='-'"]),
        ]
        .concat(),
    );
    let assembly = run(&source);
    assert!(!assembly.has_errors(), "{:?}", assembly.diagnostics);
    let set = &assembly.mapsets[0];
    let bytes = object::encode(set);
    assert_eq!(object::decode(&bytes).as_ref(), Ok(set));
    for index in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[index] ^= 0x10;
        assert!(object::decode(&damaged).is_err(), "byte {index}");
        assert!(object::decode(&bytes[..index]).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_bytes_are_survived(source in proptest::collection::vec(any::<u8>(), 0..600)) {
        assemble("t.bms", &source, &codepage::CCSID_037);
    }

    #[test]
    fn mutated_sources_are_survived(index in 0usize..700, byte in any::<u8>(), length in 0usize..700) {
        let field = card(&["A       DFHMDF POS=(1,2),LENGTH=10,ATTRB=(UNPROT,IC),", "INITIAL='x''y',PICOUT='Z(3)9',OCCURS=2"]);
        let mut source = mapset(&field).into_bytes();
        let place = index % source.len();
        source[place] = byte;
        let end = source.len().min(length.max(1));
        for text in [&source[..], &source[..end]] {
            let assembly = assemble("t.bms", text, &codepage::CCSID_037);
            for set in &assembly.mapsets {
                if !assembly.has_errors() {
                    prop_assert_eq!(&object::decode(&object::encode(set)).unwrap(), set);
                }
                crate::symbolic::cobol_copybook(set);
                for map in &set.maps {
                    crate::layout::MapLayout::of(map);
                }
            }
        }
    }
}

#[test]
fn fields_that_lie_over_each_other_are_warned_of() {
    let fields = |second: &str| {
        let fields = ["ONE     DFHMDF POS=(3,10),LENGTH=5", second, "        DFHMDF POS=(9,1),LENGTH=1"].map(|field| card(&[field]));
        let assembly = run(&mapset(&fields.concat()));
        assert!(!assembly.has_errors(), "{:?}", assembly.diagnostics);
        assembly.diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    // The attribute byte of ONE is in column 10 and its data in columns 11 to 15.
    assert!(fields("TWO     DFHMDF POS=(3,16),LENGTH=5").is_empty());
    let told = fields("TWO     DFHMDF POS=(3,15),LENGTH=5");
    assert_eq!(told, ["t.bms:5:1: warning: POS: this field begins at (3,15), within ONE on line 4"]);
    let told = fields("        DFHMDF POS=(3,5),LENGTH=6");
    assert_eq!(told, ["t.bms:4:1: warning: POS: this field begins at (3,10), within the field on line 5"]);
}

#[test]
fn members_of_a_group_do_not_overlap() {
    let group = [
        "MO      DFHMDF POS=(3,1),LENGTH=2,GRPNAME=DATE",
        "SEP     DFHMDF POS=(3,3),LENGTH=1,GRPNAME=DATE,INITIAL='-'",
        "DY      DFHMDF POS=(3,4),LENGTH=2,GRPNAME=DATE",
        "NEXT    DFHMDF POS=(3,7),LENGTH=2",
    ];
    let assembly = run(&mapset(&group.map(|field| card(&[field])).concat()));
    assert!(assembly.diagnostics.is_empty(), "{:?}", assembly.diagnostics);
}

const PARTITIONS: &str = "\
HALVES  DFHPSD SUFFIX=M,ALTSCRN=(24,80),CHARSZE=(12,6)
P1      DFHPDI VIEWPOS=(1,1),VIEWSZE=(12,80),BUFSZE=(20,80)
P2      DFHPDI VIEWPOS=(13,1),VIEWSZE=(11,80),MAPSFX=L
        DFHPDI VIEWPOS=(24,1),VIEWSZE=(1,80),ATTRB=ERROR
        DFHPSD TYPE=FINAL
        END
";

#[test]
fn partition_sets_are_assembled() {
    let assembly = assemble("p.bms", PARTITIONS.as_bytes(), &codepage::CCSID_037);
    assert!(assembly.diagnostics.is_empty(), "{:?}", assembly.diagnostics);
    let set = &assembly.partition_sets[0];
    assert_eq!((set.name.as_str(), set.suffix, set.partitions.len()), ("HALVES", Some('M'), 3));
    let first = &set.partitions[0];
    assert_eq!((first.view_position, first.view_size.rows, first.buffer_size.rows), ((0, 0), 12, 20));
    assert_eq!((set.partitions[1].view_position, set.partitions[1].map_suffix), ((12, 0), Some('L')));
    assert_eq!((set.find("P2"), set.for_errors(), set.partitions[2].name.as_str()), (Some(1), Some(2), ""));
    assert_eq!(set.partitions[2].character_size, Some((12, 6)));
}

#[test]
fn faults_of_partition_sets_are_named() {
    for (from, to, expected) in [
        ("VIEWPOS=(13,1)", "VIEWPOS=(12,1)", "overlaps that of partition P1"),
        ("VIEWSZE=(11,80)", "VIEWSZE=(13,80)", "ALTSCRN has 24 and 80"),
        ("P2      ", "P1      ", "already a partition of this name"),
        ("BUFSZE=(20,80)", "BUFSZE=(20,79)", "the buffer has the columns"),
        ("BUFSZE=(20,80)", "BUFSZE=(11,80)", "not fewer lines"),
        ("VIEWSZE=(11,80)", "ATTRB=ERROR", "VIEWSZE is missing"),
        ("HALVES ", "TOOLONG", "not a valid partition set name"),
        ("P1      ", "P1X     ", "not a valid partition name"),
        ("MAPSFX=L", "MAPSFX=LL", "expected one character"),
        ("MAPSFX=L", "MAPSET=L", "DFHPDI has no such operand"),
        ("        DFHPSD TYPE=FINAL\n", "", "no DFHPSD TYPE=FINAL"),
        ("        DFHPDI VIEWPOS=(24,1)", "P1      DFHPDI VIEWPOS=(24,2)", "already a partition"),
    ] {
        let source = PARTITIONS.replacen(from, to, 1);
        assert_ne!(source, PARTITIONS, "{from}");
        let assembly = assemble("p.bms", source.as_bytes(), &codepage::CCSID_037);
        let messages: Vec<String> = assembly.diagnostics.iter().map(ToString::to_string).collect();
        assert!(messages.iter().any(|message| message.contains(expected)), "{to}: {messages:?}");
        assert!(assembly.has_errors());
    }
    let nine = (1..=9).map(|n| format!("P{n}      DFHPDI VIEWPOS=({n},1),VIEWSZE=(1,80)\n")).collect::<String>();
    let of = |count: usize| {
        let partitions: String = nine.lines().take(count).map(|line| format!("{line}\n")).collect();
        assemble("p.bms", format!("S       DFHPSD\n{partitions}        DFHPSD TYPE=FINAL\n").as_bytes(), &codepage::CCSID_037)
    };
    assert!(!of(8).has_errors() && of(9).has_errors() && of(0).has_errors());
}

#[test]
fn a_map_names_its_partition() {
    let source = "\
S       DFHMSD TYPE=MAP,PARTN=P1
A       DFHMDI SIZE=(1,80)
B       DFHMDI SIZE=(1,80),PARTN=(P2,ACTIVATE)
        DFHMSD TYPE=FINAL
";
    let assembly = assemble("p.bms", source.as_bytes(), &codepage::CCSID_037);
    assert!(assembly.diagnostics.is_empty(), "{:?}", assembly.diagnostics);
    let set = crate::object::decode(&crate::object::encode(&assembly.mapsets[0])).expect("what was encoded");
    let of = |at: usize| (set.maps[at].partition.as_str(), set.maps[at].activates_partition);
    assert_eq!((of(0), of(1)), (("P1", false), ("P2", true)));
    assert!(assemble("p.bms", source.replace("PARTN=P1", "PARTN=P12").as_bytes(), &codepage::CCSID_037).has_errors());
}
