//! Compiler options carried out by the front end: their effect on a compilation and on the listing.

use super::*;
use crate::listing::{CodePlace, GeneratedCode, Listing};

/// A fixed-format program with a CBL statement of these options.
fn with_options(options: &str, working: &str, statements: &str) -> Compilation {
    let indent = |text: &str| text.lines().map(|line| format!("       {line}\n")).collect::<String>();
    let card = if options.is_empty() { String::new() } else { format!("       CBL {options}\n") };
    let source = format!(
        "{card}       IDENTIFICATION DIVISION.\n       PROGRAM-ID. T.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n{}       \
         PROCEDURE DIVISION.\n{}",
        indent(working),
        indent(statements)
    );
    compile_source("T.cbl", source.as_bytes(), &Options::default(), &NoCopies)
}

fn listing(compilation: &Compilation, code: &[GeneratedCode]) -> String {
    let listing = Listing {
        title: "Regent COBOL",
        options: &compilation.options,
        sources: &compilation.sources,
        diagnostics: &compilation.diagnostics,
        tokens: &compilation.tokens,
        programs: &compilation.programs,
        code,
    };
    listing.render()
}

const WORKING: &str = "01  A PIC 9(4).\n01  B PIC X(20).\n01  C PIC 9(4).";
const STATEMENTS: &str = "    MOVE 1 TO A.\n    MOVE NOWHERE TO B.\n    GOBACK.";

fn shown(options: &str) -> String {
    listing(&with_options(&format!("LINECOUNT(0),{options}"), WORKING, STATEMENTS), &[])
}

#[test]
fn flag_chooses_messages_and_where_they_stand() {
    let embedded = "==000011==> RGT";
    for (option, at_end, at_line) in [
        ("FLAG(I,I)", true, true),
        ("FLAG(W)", true, false),
        ("FLAG(S,S)", true, true),
        ("FLAG(U)", false, false),
        ("FLAG(I,U)", true, false),
        ("NOFLAG", false, false),
    ] {
        let text = shown(option);
        assert_eq!(text.contains("T.cbl:11:"), at_end, "{option}\n{text}");
        assert_eq!(text.contains(embedded), at_line, "{option}\n{text}");
    }
    assert!(!shown("FLAG(I,I),NOSOURCE").contains(embedded), "there is no source to embed messages in");
    // Messages about options are shown whatever FLAG says.
    assert!(shown("NOFLAG,BOGUS").contains("OP0001"));
}

#[test]
fn the_parts_of_the_listing_are_those_asked_for() {
    let parts = |options: &str| {
        let text = shown(options);
        ["\nSource\n", "\nData map of T\n", "\nCross reference of T\n", "\nVerbs of T\n"].map(|heading| text.contains(heading))
    };
    assert_eq!(parts("SOURCE"), [true, false, true, false], "the defaults");
    assert_eq!(parts("NOS,NOX"), [false, false, false, false]);
    assert_eq!(parts("MAP,XREF,VBREF"), [true, true, true, true]);
    assert_eq!(parts("MAP,NOMAP,VBREF,NOVBREF"), [true, false, true, false], "the last one counts");
}

#[test]
fn the_data_map_is_hexadecimal_or_decimal() {
    let offset_of_c = |options: &str| {
        let text = shown(options);
        let line = text.lines().find(|line| line.trim_start().starts_with("01 C ")).unwrap_or_else(|| panic!("{text}")).to_string();
        line.split_whitespace().rev().nth(3).unwrap_or("").to_string()
    };
    // A takes 4 bytes, B 20, and level-01 items begin at multiples of 8: 8 + 24.
    assert_eq!(offset_of_c("MAP"), "000020");
    assert_eq!(offset_of_c("MAP(HEX)"), "000020");
    assert_eq!(offset_of_c("MAP(DEC)"), "32");
}

#[test]
fn short_cross_reference_omits_unreferenced_names() {
    let names = |options: &str| {
        let text = shown(options);
        let from = text.find("Cross reference of T").unwrap_or_else(|| panic!("{text}"));
        ["\n  A  ", "\n  C  "].map(|name| text[from..].contains(name))
    };
    assert_eq!(names("XREF(FULL)"), [true, true]);
    assert_eq!(names("XREF(SHORT)"), [true, false]);
}

#[test]
fn verbs_are_counted_with_their_lines() {
    let text = shown("VBREF");
    let line = text.lines().find(|line| line.contains("  MOVE  ")).unwrap_or_else(|| panic!("{text}"));
    assert_eq!(line.split_whitespace().collect::<Vec<_>>(), ["1", "MOVE", "10"], "the statement with an error is none");
}

#[test]
fn offsets_name_line_place_and_verb() {
    let compilation = with_options("LINECOUNT(0),OFFSET", WORKING, "    MOVE 1 TO A.\n    DISPLAY A.\n    GOBACK.");
    let places = [(0x1B, 1), (0x2C, 2), (0x30, 1), (0x150, 3)];
    let places = places.map(|(offset, statement)| CodePlace { offset, statement }).to_vec();
    let text = listing(&compilation, &[GeneratedCode { places, text: "function 1".into() }]);
    let from = text.find("Offsets of T").unwrap_or_else(|| panic!("{text}"));
    let words: Vec<&str> = text[from..].lines().skip(3).take(2).flat_map(str::split_whitespace).collect();
    assert_eq!(words, ["10", "00001B", "MOVE", "11", "00002C", "DISPLAY", "10", "000030", "MOVE", "12", "000150", "GOBACK"]);
    assert!(!text.contains("Generated code"));
    // LIST and OFFSET exclude each other.
    let compilation = with_options("LINECOUNT(0),OFFSET,LIST", WORKING, "    GOBACK.");
    let text = listing(&compilation, &[GeneratedCode { places: Vec::new(), text: "function 1\n".into() }]);
    assert!(text.contains("Generated code of T\n") && text.contains("function 1") && !text.contains("Offsets of T"), "{text}");
    assert!(text.contains("  NOOFFSET\n") && text.contains("  LIST\n"));
}

#[test]
fn pages_spacing_and_listing_control() {
    let many = "    ADD 1 TO A.\n".repeat(100);
    let text = listing(&with_options("LINECOUNT(20)", WORKING, &many), &[]);
    assert!(text.split('\u{C}').all(|page| page.lines().count() <= 20), "{text}");
    assert!(text.contains("page 12"));
    let text = listing(&with_options("LINECOUNT(0),SPACE(3)", WORKING, STATEMENTS), &[]);
    assert!(text.contains("01  A PIC 9(4).\n\n\n     7"), "{text}");
    let text = listing(
        &with_options("", WORKING, "    MOVE 1 TO A.\n    EJECT\n    MOVE 2 TO A.\n    TITLE 'THE SECOND PART'\n    SKIP1\n    GOBACK."),
        &[],
    );
    assert!(!text.contains("EJECT") && !text.contains("SKIP1"), "{text}");
    assert!(text.contains("\u{C}THE SECOND PART  page"), "{text}");
}

#[test]
fn numbers_in_the_source_name_its_lines() {
    let source =
        "000100 IDENTIFICATION DIVISION.\n000200 PROGRAM-ID. T.\n000150 PROCEDURE DIVISION.\n000300     MOVE X TO Y.\n           GOBACK.\n";
    let messages = |options: &str| {
        let mut given = Options::default();
        assert!(given.apply(options).is_empty());
        let compilation = compile_source("T.cbl", source.as_bytes(), &given, &NoCopies);
        (compilation.diagnostics.render(&compilation.sources), listing(&compilation, &[]))
    };
    let (text, _) = messages("NONUMBER");
    assert!(text.contains("T.cbl:4:"), "{text}");
    let (text, listed) = messages("NUMBER,LINECOUNT(0)");
    assert!(text.contains("T.cbl:300:"), "{text}");
    // A number that does not ascend is one more than that of the line before.
    assert!(listed.contains("\n   201  000150 PROCEDURE"), "{listed}");
}

#[test]
fn sequence_numbers_that_do_not_ascend_are_reported_once() {
    let compile = |options: &str, numbers: [&str; 4]| {
        let [one, two, three, four] = numbers;
        let source = format!("{one} IDENTIFICATION DIVISION.\n{two} PROGRAM-ID. T.\n{three} PROCEDURE DIVISION.\n{four}     GOBACK.\n");
        let mut given = Options::default();
        assert!(given.apply(options).is_empty());
        let compilation = compile_source("T.cbl", source.as_bytes(), &given, &NoCopies);
        compilation.diagnostics.iter().map(|message| format!("{} {}", message.identifier(), message.text)).collect::<Vec<_>>()
    };
    assert!(compile("SEQUENCE", ["000100", "000200", "      ", "000300"]).is_empty());
    // In EBCDIC letters come before digits.
    assert!(compile("SEQUENCE", ["A00100", "B00100", "000100", "000200"]).is_empty());
    let found = compile("SEQUENCE", ["000100", "000050", "000050", "000300"]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("RGTLI0095-W 2 sequence errors"), "{found:?}");
    assert!(compile("NOSEQUENCE", ["000100", "000050", "000050", "000300"]).is_empty());
}

#[test]
fn language_is_english_in_either_case() {
    assert!(shown("LANGUAGE(ENGLISH)").contains("NOWHERE is not defined"));
    assert!(shown("LANG(UE)").contains("NOWHERE IS NOT DEFINED"));
    assert!(shown("LANGUAGE(JAPANESE)").contains("LANGUAGE(JAPANESE) is not a compiler option"));
}

#[test]
fn suppress_is_honoured_or_not() {
    let mut members = crate::source::Members::new();
    members.insert("M", "       01  HIDDEN-ITEM PIC X.\n");
    let source = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. T.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n       \
                  COPY M SUPPRESS.\n       PROCEDURE DIVISION.\n           GOBACK.\n";
    let text = |options: &str| {
        let mut given = Options::default();
        assert!(given.apply(options).is_empty());
        listing(&compile_source("T.cbl", source.as_bytes(), &given, &members), &[])
    };
    assert!(!text("SUPPRESS").contains("HIDDEN-ITEM PIC X"));
    assert!(text("NOSUPPRESS").contains("HIDDEN-ITEM PIC X"));
}

#[test]
fn compile_option_limits_code_generation_by_severity() {
    // A MOVE of SPACE to a numeric item is a message of severity E, of what RULES finds one of severity W.
    let usable = |options: &str, statements: &str| {
        let compilation = with_options(options, "01  A PIC 9(4).\n01  P PIC 9(4) COMP-3.", statements);
        compilation.is_usable()
    };
    let clean = "    MOVE 1 TO A.\n    GOBACK.";
    assert!(usable("NOCOMPILE(W)", clean) && usable("NOCOMPILE(E)", clean) && usable("COMPILE", clean));
    assert!(!usable("NOCOMPILE", clean) && !usable("NOC", clean));
    assert!(usable("RULES(NOEVENPACK)", clean) && usable("RULES(NOEVENPACK),NOC(E)", clean));
    assert!(!usable("RULES(NOEVENPACK),NOC(W)", clean));
    assert!(!usable("NOCOMPILE(S)", "    MOVE NOWHERE TO A.\n    GOBACK."));
}

#[test]
fn qualify_extend_takes_a_complete_set_of_qualifiers() {
    let working = "01  A.\n    02  B.\n        03  C PIC X.\n        03  A PIC X.\n    02  C PIC XX.";
    let length_moved_to = |options: &str, name: &str| {
        let compilation = with_options(options, working, &format!("    MOVE SPACE TO {name}.\n    GOBACK."));
        if compilation.diagnostics.reaches(crate::diagnostics::Severity::Severe) {
            return None;
        }
        let program = &compilation.programs[0];
        match &program.procedures[0].statements[0].kind {
            StatementKind::Move(moved) => Some(program.item(moved.to[0].item).length_max),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(length_moved_to("QUALIFY(COMPAT)", "C OF A"), None);
    assert_eq!(length_moved_to("QUALIFY(EXTEND)", "C OF A"), Some(2));
    assert_eq!(length_moved_to("QUA(E)", "A"), Some(4));
    assert_eq!(length_moved_to("QUALIFY(COMPAT)", "C OF B"), Some(1));
    assert_eq!(length_moved_to("QUALIFY(EXTEND)", "C OF B OF A"), Some(1));
}

#[test]
fn initial_makes_every_program_an_initial_one() {
    let initial = |options: &str| with_options(options, WORKING, "    GOBACK.").programs[0].initial;
    assert!(initial("INITIAL") && !initial("NOINITIAL") && !initial(""));
}

#[test]
fn options_without_effect_are_named_with_the_reason() {
    let text = shown("RENT,ARCH(14),THREAD,DATA(24),HGPR(NOPRESERVE)");
    for wanted in
        ["  RENT  (no effect: code is always re-entrant", "  ARCH(14)  (no effect: ", "  THREAD  (no effect: ", "  DATA(24)  (no effect: "]
    {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
    for wanted in ["  NUMCHECK(", "  SSRANGE(ZLEN,ABD)\n", "  INITCHECK(STRICT)\n", "  PGMNAME(COMPAT)\n"] {
        assert!(shown("NC,SSR(ZLEN),IC(STRICT)").contains(wanted), "{wanted}");
    }
}

/// Forms of the Programming Guide's table of options with their abbreviations, and the name the listing has for each.
#[test]
fn options_are_known_by_their_abbreviations() {
    for (given, named) in [
        ("AR(C)", "ARITH(COMPAT)"),
        ("CP(1140)", "CODEPAGE(1140)"),
        ("CURR($)", "CURRENCY($)"),
        ("NS(NAT)", "NSYMBOL(NATIONAL)"),
        ("NONUM", "NONUMBER"),
        ("QUA(E)", "QUALIFY(EXTEND)"),
        ("NOSEQ", "NOSEQUENCE"),
        ("NOSQLC", "NOSQLCCSID"),
        ("NOSUPP", "NOSUPPRESS"),
        ("WD(CICS)", "WORD(CICS)"),
        ("XP(X)", "XMLPARSE(XMLSS)"),
        ("CC(SKIPS)", "CONDCOMP(SKIPSRC)"),
        ("CC(NOSKIPS)", "CONDCOMP(NOSKIPSRC)"),
        ("LC(60)", "LINECOUNT(60)"),
        ("OFF", "OFFSET"),
        ("TERM", "TERMINAL"),
        ("X(SHORT)", "XREF(SHORT)"),
        ("NOC(E)", "NOCOMPILE(E)"),
        ("NOD", "NODECK"),
        ("OBJ", "OBJECT"),
        ("PGMN(CO)", "PGMNAME(COMPAT)"),
        ("PGMN(LU)", "PGMNAME(LONGUPPER)"),
        ("PGMNAME(UPPER)", "PGMNAME(LONGUPPER)"),
        ("PGMN(U)", "PGMNAME(LONGUPPER)"),
        ("PGMN(LM)", "PGMNAME(LONGMIXED)"),
        ("PGMNAME(MIXED)", "PGMNAME(LONGMIXED)"),
        ("PGMN(M)", "PGMNAME(LONGMIXED)"),
        ("DS(S)", "DISPSIGN(SEP)"),
        ("EXP", "EXPORTALL"),
        ("FSRT", "FASTSRT"),
        ("NOINL", "NOINLINE"),
        ("OUT(REPORT1)", "OUTDD(REPORT1)"),
        ("VLR(C)", "VLR(COMPAT)"),
        ("ZD(MIG)", "ZONEDATA(MIG)"),
        ("BUF(4K)", "BUFSIZE(4K)"),
        ("DYN", "DYNAM"),
        ("SO", "STGOPT"),
        ("DTR", "DIAGTRUNC"),
        ("DU", "DUMP"),
        ("F(I,W)", "FLAG(I,W)"),
        ("FLAGSTD(M,O)", "FLAGSTD(M,O)"),
        ("IC(LAX)", "INITCHECK(LAX)"),
        ("CPLC(SYSLIB,DSN(A.B))", "COPYLOC(SYSLIB,DSN(A.B))"),
        ("EX(INX(MOD1))", "EXIT(INX(MOD1))"),
        ("MD(NOC)", "MDECK(NOCOMPILE)"),
        ("MD", "MDECK(COMPILE)"),
        ("VS(C)", "VSAMOPENFS(COMPAT)"),
        ("INVD", "INVDATA(NOFORCENUMCMP,CLEANSIGN)"),
        ("DEF(A=1)", "DEFINE(A=1)"),
        ("SERV('V1')", "SERVICE(V1)"),
    ] {
        let mut options = Options::default();
        assert_eq!(options.apply(given), Vec::<String>::new(), "{given}");
        assert!(options.in_effect().iter().any(|(name, _)| name == named), "{given}: {:?}", options.in_effect());
    }
    for wrong in ["PGMNAME", "NOPGMNAME", "PGMNAME(SHORT)", "OUTDD", "OUTDD(TOOLONGDD)", "OUTDD(1DD)", "NOOUTDD", "CONDCOMP(SKIP)", "NOCC"]
    {
        assert_eq!(Options::default().apply(wrong), [wrong], "{wrong}");
    }
}

#[test]
fn mdeck_is_no_option_of_the_source() {
    let compilation = with_options("MDECK", WORKING, "    GOBACK.");
    assert!(
        compilation.diagnostics.iter().any(|message| message.text.starts_with("MDECK cannot be specified in a CBL or PROCESS statement"))
    );
    assert_eq!(compilation.options.deck, None);
}

#[test]
fn pgmname_determines_external_program_names() {
    let names = |options: &str, program_id: &str| {
        let source = format!(
            "       CBL {options}\n       IDENTIFICATION DIVISION.\n       PROGRAM-ID. {program_id}.\n       PROCEDURE DIVISION.\n           \
             CALL 'My-Callee-Program'.\n           ENTRY 'My-Entry-Point'.\n           GOBACK.\n"
        );
        let compilation = compile_source("T.cbl", source.as_bytes(), &Options::default(), &NoCopies);
        let program = &compilation.programs[0];
        let mut called = String::new();
        crate::program::each_statement(&program.procedures[0].statements, &mut |statement| {
            if let StatementKind::Call(call) = &statement.kind {
                called = format!("{:?}", call.target);
            }
        });
        (program.name.to_string(), called, program.entries[0].name.to_string())
    };
    let wanted = |name: &str, called: &str, entry: &str| (name.to_string(), format!("Literal(\"{called}\")"), entry.to_string());
    for (options, program_id, expected) in [
        ("PGMNAME(COMPAT)", "Account-Inquiry", wanted("ACCOUNT0", "MY0CALLE", "MY0ENTRY")),
        ("PGMNAME(LONGUPPER)", "'Account-Inquiry'", wanted("ACCOUNT0INQUIRY", "MY0CALLEE0PROGRAM", "MY0ENTRY0POINT")),
        ("PGMNAME(LONGMIXED)", "'Account-Inquiry'", wanted("Account-Inquiry", "My-Callee-Program", "My-Entry-Point")),
        // Dynamic calls are not its business.
        ("PGMNAME(LONGMIXED),DYNAM", "'Account-Inquiry'", wanted("Account-Inquiry", "MY0CALLE", "My-Entry-Point")),
    ] {
        assert_eq!(names(options, program_id), expected, "{options}");
    }
    let compilation = with_options("PGMNAME(LONGMIXED)", WORKING, "    GOBACK.");
    assert!(compilation.diagnostics.iter().any(|message| message.text.contains("wants the name of a program as a literal")));
}

#[test]
fn uncompiled_lines_are_listed_as_comments_or_omitted() {
    let statements = "    >>DEFINE V AS 12\n    >>EVALUATE V\n    >>WHEN 10\n    MOVE 10 TO A.\n* OF TEN\n    >>WHEN 12\n    MOVE 12 TO A.\n    \
                      >>WHEN OTHER\n    MOVE 0 TO A.\n    >>END-EVALUATE\n    GOBACK.";
    let text = |options: &str| listing(&with_options(&format!("LINECOUNT(0){options}"), WORKING, statements), &[]);
    let shown = text("");
    for line in ["      *    MOVE 10 TO A.", "           MOVE 12 TO A.", "      *    MOVE 0 TO A.", "           >>WHEN OTHER"] {
        assert!(shown.lines().any(|shown| shown.ends_with(line)), "{line}\n{shown}");
    }
    let shown = text(",CONDCOMP(SKIPSRC)");
    assert!(!shown.contains("MOVE 10") && !shown.contains("OF TEN") && !shown.contains("MOVE 0 "), "{shown}");
    assert!(shown.contains("MOVE 12 TO A") && shown.contains(">>WHEN OTHER") && shown.contains(">>END-EVALUATE"), "{shown}");
}
