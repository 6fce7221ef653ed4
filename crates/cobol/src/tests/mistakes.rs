//! Messages for the most frequent mistakes: one message for each mistake, at its place, with the word that was probably meant.

use super::*;
use crate::source::Directories;

/// The messages as they are shown, one a line, without source lines.
fn shown(compilation: &Compilation) -> Vec<String> {
    let text = compilation.diagnostics.render(&compilation.sources);
    text.lines().filter(|line| line.contains("RGT") || line.contains("not shown")).map(str::to_string).collect()
}

fn statements(working: &str, text: &str) -> Vec<String> {
    shown(&compile(&source(working, "", text)))
}

/// Compiles fixed-format text whose lines begin in column 8.
fn fixed(lines: &[&str]) -> Vec<String> {
    let head = [
        "IDENTIFICATION DIVISION.",
        "PROGRAM-ID. T.",
        "DATA DIVISION.",
        "WORKING-STORAGE SECTION.",
        "01  REC PIC X(80).",
        "01  KEY1 PIC X(6).",
    ];
    let lines = head.iter().chain(&["PROCEDURE DIVISION."]).chain(lines).map(|line| format!("       {line}\n"));
    let options = Options { format: crate::options::SourceFormat::Fixed, ..Options::default() };
    shown(&compile_source("TEST.cbl", lines.collect::<String>().as_bytes(), &options, &NoCopies))
}

/// Puts the first character of `cut` into column 73.
fn until_column_72(kept: &str, cut: &str) -> String {
    format!("{kept:>65}{cut}")
}

#[test]
fn a_missing_copy_member_gives_one_message_with_the_directories_searched() {
    let root = tempfile::tempdir().unwrap();
    let (there, gone) = (root.path().join("copy"), root.path().join("maps"));
    std::fs::create_dir(&there).unwrap();
    let text = source(
        "COPY ACCTREC.\n01 G.\nCOPY ACCTKEY.\n01 A PIC X.",
        "",
        "MOVE ACCT-NAME TO A MOVE ACCT-KEY OF ACCT TO A PERFORM CHECK-KEY MOVE 1 TO ACCT-TOTAL\nCOPY ACCTREC.\n ADD 1 TO A.",
    );
    let options = Options { format: crate::options::SourceFormat::Free, ..Options::default() };
    let compilation = compile_source("TEST.cbl", text.as_bytes(), &options, &Directories::new([&there, &gone]));
    let found = shown(&compilation);
    let searched = format!("; searched {}, {} (no such directory)", there.display(), gone.display());
    assert_eq!(found.len(), 4, "{found:#?}");
    assert_eq!(found[0], format!("TEST.cbl:5:6: RGTLI0008-S the copy member ACCTREC was not found{searched}"));
    assert_eq!(found[1], format!("TEST.cbl:7:6: RGTLI0008-S the copy member ACCTKEY was not found{searched}"));
    assert!(found[2].contains("A is alphanumeric"), "what does not follow from it is still reported: {found:#?}");
    assert_eq!(found[3], "5 more messages are not shown: they may follow from the copy members that were not found");
    assert_eq!(compilation.diagnostics.return_code(), 12);
}

#[test]
fn a_misspelt_copy_member_or_map_is_answered_with_the_nearest() {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("acctrecs.cpy"), "").unwrap();
    std::fs::write(root.path().join("MENUSET.cpy"), "01 MENUI PIC X.\n01 MENUO PIC X.\n01 MENVI PIC X.\n").unwrap();
    let text = source("COPY MENUSET.", "", "EXEC CICS SEND MAP('MENV') MAPSET('MENUSET') END-EXEC");
    let options = Options { format: crate::options::SourceFormat::Free, ..Options::default() };
    let told = |text: &str| shown(&compile_source("TEST.cbl", text.as_bytes(), &options, &Directories::new([root.path()])));
    assert!(told(&text)[0].contains("(MENVO); did you mean MENU?"), "{:#?}", told(&text));
    let text = source("COPY ACCTREC.\nCOPY DFHADI.\nCOPY NOTHING.", "", "GOBACK.");
    let found = told(&text);
    assert!(found[0].contains("ACCTREC was not found") && found[0].ends_with("; did you mean ACCTRECS?"), "{found:#?}");
    assert!(found[1].ends_with("; did you mean DFHAID?"), "{found:#?}");
    assert!(!found[2].contains("did you mean"), "{found:#?}");
}

#[test]
fn a_misspelt_option_gives_one_message() {
    let working = "01 REC PIC X(80).\n01 K PIC X(6).";
    let found = statements(working, "EXEC CICS READ FILE('A') INTO(REC) RIDFDL(K) END-EXEC");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].ends_with("RIDFDL is not an option of READ; it is ignored; expected RIDFLD"), "{found:#?}");
}

#[test]
fn a_misspelt_word_of_a_command_names_the_command_meant() {
    let ends = |text: &str, end: &str| {
        let found = statements("01 S PIC S9(8) COMP.\n01 REC PIC X(80).", text);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(found[0].ends_with(end), "{found:#?}");
        assert!(found[0].len() < 160, "the message is short: {found:#?}");
    };
    ends("EXEC CICS INQUIRE FIEL('X') OPENSTATUS(S) END-EXEC", "INQUIRE FIEL is not a CICS command; expected INQUIRE FILE");
    ends("EXEC CICS INQUIRE PROGRMA('X') STATUS(S) END-EXEC", "INQUIRE PROGRMA is not a CICS command; expected INQUIRE PROGRAM");
    ends("EXEC CICS SET TRASACTION('X') ENABLED END-EXEC", "SET TRASACTION is not a CICS command; expected SET TRANSACTION");
    ends("EXEC CICS INQUIRE FILE('X') OPNSTATUS(S) END-EXEC", "it is ignored; expected OPENSTATUS");
    ends("EXEC CICS INQUIRE FILE('X') OPENSTAT(S) END-EXEC", "it is ignored; expected OPENSTATUS");
    ends("EXEC CICS SEND MPA('X') FROM(REC) END-EXEC", "SEND MPA is not a CICS command; expected SEND MAP");
    let found = statements("", "EXEC CICS INQUIRE ZZZQQQ('X') END-EXEC");
    assert!(found[0].len() < 200 && found[0].contains("INQUIRE ZZZQQQ is not a CICS command"), "{found:#?}");
}

/// INQUIRE SYSTEM has more than a hundred options: the message does not list them.
#[test]
fn an_unknown_option_of_inquire_is_one_short_message_with_the_nearest_name() {
    let working = "01 S PIC S9(8) COMP.";
    let cases = [
        ("EXEC CICS INQUIRE SYSTEM FOOBAR(S) END-EXEC", "FOOBAR is not an option of INQUIRE SYSTEM; it is ignored"),
        ("EXEC CICS INQUIRE SYSTEM MAXTASK(S) END-EXEC", "MAXTASK is not an option of INQUIRE SYSTEM; it is ignored; expected MAXTASKS"),
        (
            "EXEC CICS INQUIRE TRANSACTION('X') STATSU(S) END-EXEC",
            "STATSU is not an option of INQUIRE TRANSACTION; it is ignored; expected STATUS",
        ),
        ("EXEC CICS SET SYSTEM MAXTSKS(S) END-EXEC", "MAXTSKS is not an option of SET SYSTEM; it is ignored; expected MAXTASKS"),
    ];
    for (command, end) in cases {
        let found = statements(working, command);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(found[0].ends_with(end) && found[0].len() < 120, "{found:#?}");
    }
}

#[test]
fn text_cut_at_column_72_is_named() {
    let cut = |lines: &[&str], rest: &str| {
        let found = fixed(lines);
        let note = format!("(text of a line ends in column 72: `{rest}` from column 73 on is not read)");
        assert!(found.iter().any(|message| message.contains(&note)), "{note}: {found:#?}");
    };
    let option = until_column_72("EXEC CICS READ FILE('ACCT') INTO(REC) RIDF", "LD(KEY1)");
    cut(&[&option, "    END-EXEC.", "    GOBACK."], "LD(KEY1)");
    let value = until_column_72("EXEC CICS READ RIDFLD(KEY1) INTO(REC) FILE('ACC", "TFILE')");
    cut(&[&value, "    END-EXEC.", "    GOBACK."], "TFILE')");
    let name = until_column_72("MOVE SPACES TO RE", "C");
    cut(&[&name, "    GOBACK."], "C");
    // A line that ends before column 72, or has only a number in columns 73 to 80 behind a blank, says nothing of it.
    let clean = fixed(&[&until_column_72("MOVE SPACES TO NOWHERE ", "00010000"), "    GOBACK."]);
    assert!(clean.len() == 1 && !clean[0].contains("column 72"), "{clean:#?}");
}

#[test]
fn a_map_without_its_symbolic_map_is_named_as_it_was_written() {
    let compilation = compile(&source(
        "01 A PIC X.",
        "",
        "EXEC CICS SEND MAP('NOMAP') MAPSET('NOSET') END-EXEC\nEXEC CICS RECEIVE MAP('INMAP') END-EXEC",
    ));
    let found = shown(&compilation);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].starts_with("TEST.cbl:10:20: "), "the caret stands at the map's name: {found:#?}");
    assert!(
        found[0].ends_with("map NOMAP has no symbolic map in this program (NOMAPO); expected COPY of its mapset, FROM or MAPONLY"),
        "{found:#?}"
    );
    assert!(
        found[1].ends_with("map INMAP has no symbolic map in this program (INMAPI); expected COPY of its mapset, INTO or SET"),
        "{found:#?}"
    );
}

#[test]
fn a_missing_subscript_names_the_occurs() {
    let found = statements(
        "01 T.\n 05 ROW OCCURS 10.\n  10 SEL1L PIC 9.\n  10 COL OCCURS 3 PIC 9.\n01 N PIC 9.",
        "MOVE SEL1L TO N MOVE COL(1) TO N",
    );
    assert!(found[0].ends_with("SEL1L needs 1 subscript: ROW OCCURS 10"), "{found:#?}");
    assert!(found[1].ends_with("COL needs 2 subscripts, not 1: ROW OCCURS 10, COL OCCURS 3"), "{found:#?}");
}

/// A macro of macro-level CICS is named with the commands that took its place; a word that only begins like one is not.
#[test]
fn macros_are_named_with_their_commands() {
    let told = fixed(&["MAIN.", "    DFHPC TYPE=LINK,PROGRAM=PROGA.", "    DFHFC TYPE=GET,DATASET=FILEA,RDIDADR=KEY1", "    GOBACK."]);
    assert_eq!(told.len(), 2, "{told:#?}");
    assert!(
        told[0].contains(":9:12:") && told[0].contains("DFHPC is a macro of macro-level CICS") && told[0].contains("EXEC CICS LINK, XCTL")
    );
    assert!(told[1].contains("DFHFC is a macro") && told[1].contains("READ, WRITE, REWRITE"), "{told:#?}");
    let told = fixed(&["MAIN.", "    DFHPCX TYPE=LINK.", "    GOBACK."]);
    assert!(told.len() == 1 && told[0].contains("DFHPCX is not valid here"), "{told:#?}");
}
