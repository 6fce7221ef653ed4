//! Symbolic maps: golden copybooks in the form of DFHMSD, and a reader of the copybook that checks `MapLayout` against it.

use std::collections::HashMap;

use bms::attribute::Extended;
use bms::symbolic::cobol_copybook;
use bms::symbolic_c::c_header;
use bms::{MapLayout, MapSet};

fn assemble(source: &str) -> MapSet {
    let assembly = bms::assemble("t.bms", source.as_bytes(), &codepage::CCSID_037);
    assert!(!assembly.has_errors(), "{:?}", assembly.diagnostics);
    assembly.mapsets[0].clone()
}

const FIELDS: &str = "* a constant is not in the symbolic map
        DFHMDF POS=(1,1),INITIAL='constant'
ACCT    DFHMDF POS=(2,1),LENGTH=11,PICIN='99999999999'
LIMIT   DFHMDF POS=(3,1),LENGTH=15,PICOUT='+ZZZ,ZZZ,ZZZ.99'
LINE    DFHMDF POS=(4,1),LENGTH=79,OCCURS=2
MO      DFHMDF POS=(10,1),LENGTH=2,GRPNAME=DATE
DA      DFHMDF POS=(10,3),LENGTH=2,GRPNAME=DATE
";

fn source(mode: &str, attributes: &str) -> String {
    let map = format!("{:<71}X\n               LINE=1{attributes}\n", "M       DFHMDI SIZE=(24,80),");
    format!("S       DFHMSD TYPE=DSECT,LANG=COBOL,MODE={mode},TIOAPFX=YES\n{map}{FIELDS}        DFHMSD TYPE=FINAL\n")
}

#[test]
fn input_and_output() {
    let expected = "       01  MI.
           02  FILLER PIC X(12).
           02  ACCTL    COMP  PIC  S9(4).
           02  ACCTF    PICTURE X.
           02  FILLER REDEFINES ACCTF.
             03 ACCTA    PICTURE X.
           02  FILLER   PICTURE X(2).
           02  ACCTI  PIC 99999999999.
           02  LIMITL    COMP  PIC  S9(4).
           02  LIMITF    PICTURE X.
           02  FILLER REDEFINES LIMITF.
             03 LIMITA    PICTURE X.
           02  FILLER   PICTURE X(2).
           02  LIMITI  PIC X(15).
           02  LINED OCCURS 2 TIMES.
             03  LINEL    COMP  PIC  S9(4).
             03  LINEF    PICTURE X.
             03  FILLER   PICTURE X(2).
             03  LINEI  PIC X(79).
           02  DATE.
             03  MOL    COMP  PIC  S9(4).
             03  MOF    PICTURE X.
             03  FILLER REDEFINES MOF.
               04 MOA    PICTURE X.
             03  FILLER   PICTURE X(2).
             03  MOI  PIC X(2).
             03  DAI  PIC X(2).
       01  MO REDEFINES MI.
           02  FILLER PIC X(12).
           02  FILLER PICTURE X(3).
           02  ACCTC    PICTURE X.
           02  ACCTH    PICTURE X.
           02  ACCTO  PIC X(11).
           02  FILLER PICTURE X(3).
           02  LIMITC    PICTURE X.
           02  LIMITH    PICTURE X.
           02  LIMITO PIC +ZZZ,ZZZ,ZZZ.99.
           02  DFHMS1 OCCURS 2 TIMES.
             03  FILLER PICTURE X(2).
             03  LINEA    PICTURE X.
             03  LINEC    PICTURE X.
             03  LINEH    PICTURE X.
             03  LINEO  PIC X(79).
           02  DATE.
             03  FILLER PICTURE X(3).
             03  MOC    PICTURE X.
             03  MOH    PICTURE X.
             03  MOO  PIC X(2).
             03  DAO  PIC X(2).
";
    assert_eq!(cobol_copybook(&assemble(&source("INOUT", ",DSATTS=(HILIGHT,COLOR)"))), expected);
}

#[test]
fn one_way_maps() {
    let output = cobol_copybook(&assemble(&source("OUT", "")));
    assert!(
        output.starts_with(
            "       01  MO.\n           02  FILLER PIC X(12).\n           02  FILLER PICTURE X(2).\n           02  ACCTA    PICTURE X.\n"
        ),
        "{output}"
    );
    assert!(!output.contains("COMP"));
    let input = cobol_copybook(&assemble(&source("IN", "")));
    assert!(input.starts_with("       01  MI.\n") && !input.contains("01  MO"), "{input}");
}

#[test]
fn storage_of_several_maps() {
    let two = |operand: &str| {
        let source = format!(
            "S       DFHMSD TYPE=DSECT,LANG=COBOL,MODE=INOUT{operand}\n\
             A       DFHMDI SIZE=(1,80)\nX       DFHMDF POS=1,LENGTH=1\n\
             B       DFHMDI SIZE=(1,80)\nY       DFHMDF POS=1,LENGTH=1\nM       DFHMSD TYPE=FINAL\n"
        );
        let copybook = cobol_copybook(&assemble(&source));
        copybook.lines().filter(|line| line.starts_with("       01")).map(|line| line.trim().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(two(",STORAGE=AUTO"), ["01  AI.", "01  AO REDEFINES AI.", "01  BI.", "01  BO REDEFINES BI."]);
    assert_eq!(two(""), ["01  AI.", "01  AO REDEFINES AI.", "01  BI REDEFINES AI.", "01  BO REDEFINES BI."]);
    assert_eq!(two(",BASE=AREA"), ["01  AI REDEFINES AREA.", "01  AO REDEFINES AI.", "01  BI REDEFINES AREA.", "01  BO REDEFINES BI."]);
}

/// Offsets and lengths of the names of one 01 structure, from the text alone.
fn offsets(copybook: &str, structure: &str) -> (HashMap<String, (usize, usize)>, usize) {
    let mut names: HashMap<String, (usize, usize)> = HashMap::new();
    let mut inside = false;
    let mut offset = 0;
    // Level of the OCCURS group being read, its start and count.
    let mut repeated: Option<(usize, usize)> = None;
    let mut redefining = false;
    for line in copybook.lines() {
        let words: Vec<&str> = line.trim_end_matches('.').split_whitespace().collect();
        let (level, name) = (words[0], words[1]);
        if level == "01" {
            inside = name == structure;
            continue;
        }
        if !inside {
            continue;
        }
        if level == "02"
            && let Some((start, count)) = repeated.take()
        {
            offset = start + (offset - start) * count;
        }
        if let Some(place) = words.iter().position(|&word| word == "OCCURS") {
            repeated = Some((offset, words[place + 1].parse().unwrap()));
            continue;
        }
        redefining = if words.contains(&"REDEFINES") { true } else { redefining && !words.contains(&"PIC") && !words.contains(&"PICTURE") };
        let Some(place) = words.iter().position(|&word| word == "PIC" || word == "PICTURE") else { continue };
        let length = if words.contains(&"COMP") { 2 } else { picture(words[place + 1]) };
        // The only item under a REDEFINES is A, over F.
        if name.ends_with('A')
            && level > "02"
            && words.len() == 4
            && names.contains_key(&format!("{}F", &name[..name.len() - 1]))
            && copybook.contains(&format!("REDEFINES {}F", &name[..name.len() - 1]))
            && !structure.ends_with('O')
        {
            names.insert(name.to_string(), (offset - 1, 1));
            continue;
        }
        names.insert(name.to_string(), (offset, length));
        offset += length;
    }
    if let Some((start, count)) = repeated {
        offset = start + (offset - start) * count;
    }
    (names, offset)
}

fn picture(text: &str) -> usize {
    match text.strip_prefix("X(") {
        Some(count) => count.trim_end_matches(')').parse().unwrap(),
        None => text.len(),
    }
}

#[test]
fn layout_is_that_of_the_copybook() {
    for attributes in ["", ",DSATTS=(HILIGHT,COLOR)", ",EXTATT=YES", ",DSATTS=(COLOR,HILIGHT,OUTLINE,PS,SOSI,TRANSP)"] {
        let set = assemble(&source("INOUT", attributes));
        let copybook = cobol_copybook(&set);
        let map = &set.maps[0];
        let layout = MapLayout::of(map);
        let (input, input_length) = offsets(&copybook, "MI");
        let (output, output_length) = offsets(&copybook, "MO");
        assert_eq!((input_length, output_length), (layout.length, layout.length), "{attributes}");
        for name in ["ACCT", "LIMIT", "LINE", "MO"] {
            let entry = layout.find(map, name, 0).unwrap();
            assert_eq!(input[&format!("{name}L")], (entry.length_offset.unwrap(), 2));
            assert_eq!(input[&format!("{name}F")], (entry.flag_offset, 1));
            assert_eq!(input[&format!("{name}I")].0, entry.data_offset);
            assert_eq!(output[&format!("{name}O")].0, entry.data_offset);
            for kind in Extended::ALL {
                let item = output.get(&format!("{name}{}", kind.suffix())).map(|&(offset, _)| offset);
                assert_eq!(item, entry.extended_offset(kind), "{name} {kind:?}");
            }
        }
        assert_eq!(
            layout.find(map, "LINE", 1).unwrap().flag_offset - layout.find(map, "LINE", 0).unwrap().flag_offset,
            82 + map.symbolic_attributes.len()
        );
        assert_eq!(layout.find(map, "LINE", 1).unwrap().position, 3 * 80 + 80);
    }
}

const C_INPUT_AND_OUTPUT: &str = "/* Symbolic maps of mapset S */
#pragma pack(1)
union {
  struct {
    char dfhfill1[12];
    short int acctl;
    char acctf;
    char dfhfill2[2];
    char accti[11];
    short int limitl;
    char limitf;
    char dfhfill3[2];
    char limiti[15];
    struct {
      short int linel;
      char linef;
      char dfhfill4[2];
      char linei[79];
    } lined[2];
    struct {
      short int mol;
      char mof;
      char dfhfill5[2];
      char moi[2];
      char dai[2];
    } date;
  } mi;
  struct {
    char dfhfill1[12];
    char dfhfill2[2];
    char accta;
    char acctc;
    char accth;
    char accto[11];
    char dfhfill3[2];
    char limita;
    char limitc;
    char limith;
    char limito[15];
    struct {
      char dfhfill4[2];
      char linea;
      char linec;
      char lineh;
      char lineo[79];
    } dfhms1[2];
    struct {
      char dfhfill5[2];
      char moa;
      char moc;
      char moh;
      char moo[2];
      char dao[2];
    } date;
  } mo;
} m;
#pragma pack()
";

/// Mapsets for C have no PICIN and PICOUT.
fn c_source(mode: &str, set: &str, attributes: &str) -> String {
    let operands = match set.strip_prefix(',') {
        Some(set) => format!("{:<71}X\n               {set}", format!("S       DFHMSD TYPE=DSECT,LANG=C,MODE={mode},")),
        None => format!("S       DFHMSD TYPE=DSECT,LANG=C,MODE={mode}"),
    };
    let text = source(mode, attributes);
    let text = operands + &text[text.find('\n').expect("a first line")..];
    text.replace(",PICIN='99999999999'", "").replace(",PICOUT='+ZZZ,ZZZ,ZZZ.99'", "")
}

#[test]
fn c_header_of_input_and_output() {
    // TIOAPFX=YES is the default with STORAGE=AUTO.
    let header = c_header(&assemble(&c_source("INOUT", ",STORAGE=AUTO", ",DSATTS=(HILIGHT,COLOR)")));
    assert_eq!(header, C_INPUT_AND_OUTPUT);
    let header = c_header(&assemble(&c_source("INOUT", ",STORAGE=AUTO,TIOAPFX=NO", "")));
    assert!(header.contains("struct {\n    short int acctl;\n"), "{header}");
    let output = c_header(&assemble(&c_source("OUT", ",STORAGE=AUTO", "")));
    assert!(output.contains("  } mo;\n} m;\n") && !output.contains("mi;"), "{output}");
    let input = c_header(&assemble(&c_source("IN", ",STORAGE=AUTO", "")));
    assert!(input.contains("  } mi;\n} m;\n") && !input.contains("mo;"), "{input}");
}

#[test]
fn c_names_fold_and_brackets_are_trigraphs() {
    let header = c_header(&assemble(&c_source("INOUT", ",STORAGE=AUTO,FOLD=UPPER,TRIGRAPH=YES", "")));
    assert!(header.contains("    char ACCTI??(11??);\n") && header.contains("  ??> MO;\n??> M;\n??=pragma pack()\n"), "{header}");
    assert!(header.starts_with("/* Symbolic maps of mapset S */\n??=pragma pack(1)\nunion ??<\n"), "{header}");
    let wrong = bms::assemble("t.bms", c_source("IN", ",DSECT=ADSL", "").as_bytes(), &codepage::CCSID_037);
    assert!(wrong.diagnostics.iter().any(|diagnostic| diagnostic.operand == "DSECT" && diagnostic.message.contains("3270 bridge")));
    let wrong = bms::assemble("t.bms", c_source("IN", ",STORAGE=AUTO,BASE=AREA", "").as_bytes(), &codepage::CCSID_037);
    assert!(wrong.diagnostics.iter().any(|diagnostic| diagnostic.operand == "BASE"), "{:?}", wrong.diagnostics);
}

#[test]
fn maps_without_storage_are_based() {
    let header = c_header(&assemble(&c_source("IN", "", "")));
    assert!(header.contains("void *bmsmapbr;\nunion m_ {\n") && header.contains("};\n#define m (*(union m_ **)&bmsmapbr)\n"), "{header}");
    let header = c_header(&assemble(&c_source("IN", ",BASE=AREA", "")));
    assert!(header.contains("void *area;\n") && header.contains("#define m (*(union m_ **)&area)\n"), "{header}");
}

/// The compiler of the machine says where each member lies.
#[test]
fn layout_is_that_of_the_c_header() {
    for attributes in ["", ",DSATTS=(HILIGHT,COLOR)", ",DSATTS=(COLOR,HILIGHT,OUTLINE,PS,SOSI,TRANSP)"] {
        let set = assemble(&c_source("INOUT", ",STORAGE=AUTO", attributes));
        let map = &set.maps[0];
        let layout = MapLayout::of(map);
        let mut text = c_header(&set) + "#define AT(member) __builtin_offsetof(__typeof__(m), member)\n";
        let mut hold = |member: String, offset: usize| text += &format!("_Static_assert(AT({member}) == {offset}, \"{member}\");\n");
        for (name, prefix) in [("ACCT", ""), ("LIMIT", ""), ("LINE", "lined[1]."), ("MO", "date.")] {
            let (entry, lower) = (layout.find(map, name, u16::from(name == "LINE")).unwrap(), name.to_lowercase());
            let output = prefix.replace("lined", "dfhms1");
            hold(format!("mi.{prefix}{lower}l"), entry.length_offset.unwrap());
            hold(format!("mi.{prefix}{lower}f"), entry.flag_offset);
            hold(format!("mo.{output}{lower}a"), entry.flag_offset);
            hold(format!("mi.{prefix}{lower}i"), entry.data_offset);
            hold(format!("mo.{output}{lower}o"), entry.data_offset);
            for kind in map.symbolic_attributes.iter() {
                hold(format!("mo.{output}{lower}{}", kind.suffix().to_ascii_lowercase()), entry.extended_offset(kind).unwrap());
            }
        }
        text += &format!("_Static_assert(sizeof m.mi == {0} && sizeof m.mo == {0}, \"length\");\n", layout.length);
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s.c");
        std::fs::write(&path, text).unwrap();
        let output = std::process::Command::new("cc").arg("-fsyntax-only").arg(&path).output().expect("cc runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// "Block data": the map is an image of the screen, an attribute or flag in front of each field and fillers between them.
#[test]
fn block_data_is_an_image_of_the_screen() {
    let fields = "        DFHMDF POS=(1,1),LENGTH=8,INITIAL='constant'
ACCTNO  DFHMDF POS=(3,13),LENGTH=7
SURNAME DFHMDF POS=(4,13),LENGTH=15
FNAME   DFHMDF POS=(4,30),LENGTH=10
CHG     DFHMDF POS=(5,13),LENGTH=8,PICOUT='$,$$0.00'
LINE    DFHMDF POS=(7,1),LENGTH=9,OCCURS=2
MO      DFHMDF POS=(10,1),LENGTH=2,GRPNAME=DATE
DA      DFHMDF POS=(10,6),LENGTH=2,GRPNAME=DATE
";
    let head = "QCKSET  DFHMSD TYPE=MAP,LANG=COBOL,MODE=INOUT,TIOAPFX=YES\nQCKMAP  DFHMDI SIZE=(24,80),LINE=1,DATA=BLOCK,EXTATT=YES\n";
    let set = assemble(&format!("{head}{fields}        DFHMSD TYPE=FINAL\n"));
    let expected = "       01  QCKMAPI.
           02  FILLER PIC X(12).
           02  FILLER PICTURE X(172).
           02  ACCTNOF    PICTURE X.
           02  ACCTNOI  PIC X(7).
           02  FILLER PICTURE X(72).
           02  SURNAMEF    PICTURE X.
           02  SURNAMEI  PIC X(15).
           02  FILLER PICTURE X(1).
           02  FNAMEF    PICTURE X.
           02  FNAMEI  PIC X(10).
           02  FILLER PICTURE X(52).
           02  CHGF    PICTURE X.
           02  CHGI  PIC X(8).
           02  FILLER PICTURE X(139).
           02  LINED OCCURS 2 TIMES.
             03  LINEF    PICTURE X.
             03  LINEI  PIC X(9).
           02  FILLER PICTURE X(220).
           02  DATE.
             03  MOF    PICTURE X.
             03  MOI  PIC X(2).
             03  FILLER PICTURE X(3).
             03  DAI  PIC X(2).
";
    let copybook = cobol_copybook(&set);
    assert!(copybook.starts_with(expected), "{copybook}");
    let output = &copybook[expected.len()..];
    assert!(output.starts_with("       01  QCKMAPO REDEFINES QCKMAPI.\n           02  FILLER PIC X(12).\n"), "{output}");
    assert!(output.contains("02  ACCTNOA    PICTURE X.\n           02  ACCTNOO  PIC X(7).\n"), "{output}");
    assert!(output.contains("02  CHGO PIC $,$$0.00.\n"), "{output}");
    let map = set.map("QCKMAP").unwrap();
    let layout = MapLayout::of(map);
    let of = |name: &str, occurrence| layout.find(map, name, occurrence).unwrap();
    assert_eq!((of("ACCTNO", 0).flag_offset, of("ACCTNO", 0).data_offset, of("ACCTNO", 0).length_offset), (184, 185, None));
    assert_eq!((of("LINE", 0).flag_offset, of("LINE", 1).flag_offset), (12 + 480, 12 + 490));
    assert_eq!(layout.length, 12 + 720 + 1 + 7);
    assert!(map.symbolic_attributes.is_empty(), "DSATTS is ignored");
    let header = c_header(&set);
    assert!(header.contains("char dfhfill2[172];\n    char acctnof;\n    char acctnoi[7];"), "{header}");
}

#[test]
fn the_fields_of_block_data_are_in_order() {
    let source = "S       DFHMSD TYPE=MAP,LANG=COBOL,DATA=BLOCK\nM       DFHMDI SIZE=(24,80)\nB       DFHMDF POS=(2,1),LENGTH=2\n\
                  A       DFHMDF POS=(1,1),LENGTH=2\n        DFHMSD TYPE=FINAL\n";
    let assembly = bms::assemble("t.bms", source.as_bytes(), &codepage::CCSID_037);
    assert!(assembly.diagnostics.iter().any(|found| found.line == 4 && found.message.contains("DATA=BLOCK")), "{:?}", assembly.diagnostics);
}
