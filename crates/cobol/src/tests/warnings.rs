//! The warnings requested by RULES, INITCHECK, DIAGTRUNC and WORD: each where its rule is broken, and only there.

use super::*;

/// The messages under these options, without the option's name before the colon: line from the first data entry on, and text.
fn warned(options: &str, working: &str, statements: &str) -> Vec<String> {
    let mut given = Options { format: crate::options::SourceFormat::Free, ..Options::default() };
    assert!(given.apply(options).is_empty(), "{options}");
    let compilation = compile_source("TEST.cbl", source(working, "", statements).as_bytes(), &given, &NoCopies);
    let text = |message: &crate::diagnostics::Diagnostic| {
        let words = message.text.split_once(": ").map_or(message.text.as_str(), |(_, words)| words);
        format!("{} {}", message.severity.letter(), words)
    };
    compilation.diagnostics.sorted(&compilation.sources).into_iter().map(text).collect()
}

#[test]
fn a_period_that_ends_a_conditional_statement() {
    let working = "01 A PIC 9. 01 B PIC 9.";
    let rule = "RULES(NOENDPERIOD)";
    for (broken, verbs) in [
        ("IF A = 1 MOVE 2 TO A.", vec!["IF"]),
        ("IF A = 1 IF B = 1 MOVE 2 TO A END-IF MOVE 1 TO B.", vec!["IF"]),
        ("IF A = 1 IF B = 1 MOVE 2 TO A.", vec!["IF", "IF"]),
        ("EVALUATE A WHEN 1 MOVE 2 TO A.", vec!["EVALUATE"]),
        ("ADD 1 TO A ON SIZE ERROR MOVE 0 TO A.", vec!["ADD"]),
        // END-ADD belongs to the inner ADD.
        ("ADD 1 TO A ON SIZE ERROR ADD 1 TO B END-ADD.", vec!["ADD"]),
    ] {
        let expected: Vec<String> =
            verbs.iter().map(|verb| format!("W the scope of this {verb} is ended by a period, not by END-{verb}")).collect();
        assert_eq!(warned(rule, working, broken), expected, "{broken}");
        assert!(warned("RULES(ENDPERIOD)", working, broken).is_empty());
    }
    for kept in [
        "IF A = 1 MOVE 2 TO A END-IF.",
        "ADD 1 TO A. SUBTRACT 1 FROM B.",
        "PERFORM 3 TIMES ADD 1 TO A MOVE A TO B END-PERFORM.",
        "ADD 1 TO A ON SIZE ERROR ADD 1 TO B MOVE 0 TO A END-ADD.",
        "IF A = 1 ADD 1 TO A ON SIZE ERROR CONTINUE END-IF.",
    ] {
        assert!(warned(rule, working, kept).is_empty(), "{kept}");
    }
}

#[test]
fn packed_items_with_an_even_number_of_digits() {
    let working = "01 E PIC S9(4) COMP-3. 01 O PIC S9(5) COMP-3. 01 DFHX PIC 9(2) COMP-3. 01 Z PIC 9(4).";
    assert_eq!(warned("RULES(NOEVENPACK)", working, "CONTINUE."), ["W E has 4 digits, an even number"]);
    assert!(warned("RULES", working, "CONTINUE.").is_empty());
}

#[test]
fn slack_bytes_of_synchronized_items() {
    let working = "01 G. 05 X PIC X. 05 N PIC S9(8) COMP SYNC. 05 M PIC S9(8) COMP SYNC.
01 T. 05 E OCCURS 3 TIMES. 10 F PIC S9(4) COMP SYNC. 10 C PIC X.";
    let found = warned("RULES(NOSLACKBYTES)", working, "CONTINUE.");
    assert_eq!(found, ["W 3 slack bytes are added before N", "W 1 slack bytes are added after each occurrence of E"]);
}

#[test]
fn occurs_depending_on_without_its_minimum() {
    let working = "01 N PIC 99. 01 T. 05 E PIC X OCCURS 5 TIMES DEPENDING ON N. 05 F PIC X OCCURS 5 TIMES.
01 U. 05 G PIC X OCCURS 1 TO 5 TIMES DEPENDING ON N.";
    let found = warned("RULES(NOOMITODOMIN)", working, "CONTINUE.");
    assert_eq!(found.iter().filter(|text| text.contains("without the minimum")).count(), 1, "{found:?}");
}

#[test]
fn items_that_nothing_refers_to() {
    let working = "01 USED PIC X. 01 GROUP-USED. 05 PART PIC X. 01 UNUSED PIC X. 77 OTHER-ONE PIC X. 01 SWITCH PIC X. 88 IS-ON VALUE 'Y'.";
    let statements = "MOVE 'A' TO USED PART. IF IS-ON CONTINUE END-IF.";
    let expected = ["W nothing refers to UNUSED nor to anything in it", "W nothing refers to OTHER-ONE nor to anything in it"];
    assert_eq!(warned("RULES(NOUNREFALL)", working, statements), expected);
    assert_eq!(warned("RULES(NOUNRS)", working, statements), expected);
    assert!(warned("RULES(UNREF)", working, statements).is_empty());
    // NOUNREFSOURCE leaves copy members alone.
    let mut members = crate::source::Members::new();
    members.insert("M", "01 COPIED PIC X.\n");
    let text = source("COPY M.", "", "CONTINUE.");
    for (option, count) in [("RULES(NOUNREFALL)", 1), ("RULES(NOUNREFSOURCE)", 0)] {
        let mut given = Options { format: crate::options::SourceFormat::Free, ..Options::default() };
        assert!(given.apply(option).is_empty());
        let compilation = compile_source("TEST.cbl", text.as_bytes(), &given, &members);
        assert_eq!(compilation.diagnostics.len(), count, "{option}");
    }
}

#[test]
fn level_01_redefinitions_of_another_length() {
    let working = "01 A PIC X(4). 01 B REDEFINES A PIC X(3). 01 C REDEFINES A PIC 9(4).";
    assert_eq!(warned("RULES(NOLAXREDEF)", working, "CONTINUE."), ["W B has 3 bytes and redefines A, which has 4"]);
    assert!(warned("RULES(LAXREDEF)", working, "CONTINUE.").is_empty());
}

#[test]
fn costly_statements_and_options() {
    let working =
        "01 Z PIC 9(4). 01 P PIC S9(5) COMP-3. 01 T. 05 E PIC X OCCURS 9. 01 I PIC S9(4) COMP. 01 LONG-TEXT PIC X(300). 01 S PIC X.";
    let rule = "RULES(NOLAXPERF)";
    assert_eq!(warned(rule, working, "ADD Z TO P."), ["W Z is USAGE DISPLAY and takes part in arithmetic"]);
    assert_eq!(warned(rule, working, "MOVE 'A' TO E(Z)."), ["W the subscript Z is not binary"]);
    assert_eq!(warned(rule, working, "MOVE S TO LONG-TEXT."), ["W the MOVE pads LONG-TEXT with 299 spaces"]);
    assert!(warned(rule, working, "ADD 1 TO P. MOVE 'A' TO E(I) E(3). MOVE LONG-TEXT TO S.").is_empty());
    assert_eq!(warned("RULES(NOLAXPERF),SSRANGE", working, "CONTINUE."), ["W the option SSRANGE makes slower code"]);
}

#[test]
fn moves_that_may_lose_digits() {
    let working = "01 A PIC 9(4). 01 B PIC 9(3)V9. 01 C PIC 9(4)V99. 01 X PIC X(2).";
    let statements = "MOVE A TO B. MOVE A TO C. MOVE 12345 TO A. MOVE 123 TO B. MOVE A TO X.";
    let expected =
        ["W B has 3 integer positions and is sent 4: digits may be lost", "W A has 4 integer positions and is sent 5: digits may be lost"];
    let found: Vec<String> = warned("DIAGTRUNC", working, statements).into_iter().collect();
    let diagnosed: Vec<&String> = found.iter().filter(|text| text.contains("digits may be lost")).collect();
    assert_eq!(diagnosed.len(), 2, "{found:?}");
    assert!(diagnosed.iter().zip(expected).all(|(found, wanted)| wanted.ends_with(found.trim_start_matches("W "))), "{found:?}");
    assert!(warned("NODTR", working, statements).iter().all(|text| !text.contains("digits may be lost")));
}

#[test]
fn items_used_before_they_have_a_value() {
    let working = "01 Y PIC 9(4). 01 Z PIC 9(4). 01 V PIC 9(4) VALUE 1. 01 G. 05 P PIC X. 05 Q PIC X.
01 T. 05 E PIC X OCCURS 3. 01 R PIC X(4). 01 RR REDEFINES R PIC X(4).";
    let used = |name: &str| format!("W {name} is used here before it has been given a value");
    // The example of the Programming Guide.
    let guide = "IF Y > 5 MOVE 2 TO Z END-IF. DISPLAY Z.";
    assert_eq!(warned("INITCHECK", working, guide), [used("Y")]);
    assert_eq!(warned("IC(LAX)", working, guide), [used("Y")]);
    assert_eq!(warned("INITCHECK(STRICT)", working, guide), [used("Y"), used("Z")]);
    assert!(warned("NOINITCHECK", working, guide).is_empty());
    for (statements, names) in [
        ("DISPLAY V.", vec![]),
        ("MOVE 'A' TO P. DISPLAY G Q.", vec!["Q"]),
        ("MOVE SPACES TO G. DISPLAY Q.", vec![]),
        // One element gives all of them a value; a redefinition is the same storage.
        ("MOVE 'A' TO E(1). DISPLAY E(2).", vec![]),
        ("MOVE 'ABCD' TO RR. DISPLAY R.", vec![]),
        // By reference nothing is known, by content the value is used.
        ("CALL 'X' USING Y. DISPLAY Y.", vec![]),
        ("CALL 'X' USING BY CONTENT Y.", vec!["Y"]),
        ("ADD 1 TO Y.", vec!["Y"]),
        ("PERFORM 2 TIMES ADD V TO Z MOVE 1 TO Y END-PERFORM.", vec!["Z"]),
    ] {
        let expected: Vec<String> = names.iter().map(|name| used(name)).collect();
        assert_eq!(warned("INITCHECK(STRICT)", working, statements), expected, "{statements}");
    }
}

#[test]
fn values_follow_perform_and_go_to() {
    let working = "01 Y PIC 9(4). 01 Z PIC 9(4). 01 V PIC 9(4) VALUE 1.";
    let used = |name: &str| format!("W {name} is used here before it has been given a value");
    let through = "PERFORM GIVE. DISPLAY Y. GOBACK.\nGIVE.\n    MOVE 1 TO Y.\nLAST-ONE.\n    CONTINUE.";
    assert!(warned("IC(STRICT)", working, through).is_empty());
    let around = "GO TO SHOW.\nGIVE.\n    MOVE 1 TO Y.\nSHOW.\n    DISPLAY Y.";
    assert_eq!(warned("IC(LAX)", working, around), [used("Y")]);
    let backwards = "IF V = 1 GO TO GIVE END-IF.\nSHOW.\n    DISPLAY Y.\n    GOBACK.\nGIVE.\n    MOVE 1 TO Y.\n    GO TO SHOW.";
    assert!(warned("IC(LAX)", working, backwards).is_empty());
    assert_eq!(warned("IC(STRICT)", working, backwards), [used("Y")]);
    let evaluated = "EVALUATE V WHEN 1 MOVE 1 TO Y WHEN OTHER MOVE 2 TO Y MOVE 1 TO Z END-EVALUATE. DISPLAY Y Z.";
    assert_eq!(warned("IC(STRICT)", working, evaluated), [used("Z")]);
    assert!(warned("IC(LAX)", working, evaluated).is_empty());
}

#[test]
fn words_that_cics_programs_must_not_have() {
    let found = warned("WORD(CICS)", "01 S PIC X.", "CONTINUE.");
    assert!(found.is_empty(), "{found:?}");
    let text = "IDENTIFICATION DIVISION.\nPROGRAM-ID. T.\nENVIRONMENT DIVISION.\nINPUT-OUTPUT SECTION.\nFILE-CONTROL.\n    SELECT F ASSIGN TO F.\n\
                DATA DIVISION.\nFILE SECTION.\nFD F.\n01 R PIC X.\nPROCEDURE DIVISION.\n    OPEN INPUT F.\n    GOBACK.\n";
    let severe = |option: &str| {
        let mut given = Options { format: crate::options::SourceFormat::Free, ..Options::default() };
        assert!(given.apply(option).is_empty());
        let compilation = compile_source("TEST.cbl", text.as_bytes(), &given, &NoCopies);
        compilation.diagnostics.iter().filter(|message| message.code == "PS0086").count()
    };
    // INPUT-OUTPUT, FILE-CONTROL, FILE, FD, OPEN.
    assert_eq!((severe("WORD(CICS)"), severe("NOWORD")), (5, 0));
    assert_eq!(Options::default().apply("WORD(MINE)"), ["WORD(MINE)"]);
}
