//! `regent compile --list`: the parts of the listing that need the generated code, and options from the command line and CBL statements.

use std::process::Command;

const SOURCE: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. OUTER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  A PIC 9(4) VALUE 1.
       PROCEDURE DIVISION.
           ADD 1 TO A.
           DISPLAY A.
           CALL 'INNER'.
           GOBACK.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. INNER.
       PROCEDURE DIVISION.
           DISPLAY 'INNER'.
           GOBACK.
       END PROGRAM INNER.
       END PROGRAM OUTER.
";

fn compile(card: &str, options: &str) -> (String, Option<i32>) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("outer.cbl");
    std::fs::write(&path, format!("{card}{SOURCE}")).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_regent"));
    command.arg("compile").arg("--list").arg("--options").arg(options).arg("-o").arg(directory.path()).arg(&path);
    let output = command.output().expect("regent runs");
    (String::from_utf8(output.stdout).expect("text"), output.status.code())
}

/// Line, offset and verb of the entries of a program's OFFSET part.
fn offsets(listing: &str, program: &str) -> Vec<(u32, u32, String)> {
    let heading = format!("\nOffsets of {program}\n");
    let part = &listing[listing.find(&heading).unwrap_or_else(|| panic!("{listing}")) + heading.len()..];
    let rows = part.lines().skip(2).take_while(|line| !line.is_empty()).flat_map(str::split_whitespace).collect::<Vec<_>>();
    let entry = |row: &[&str]| (row[0].parse().expect("a line"), u32::from_str_radix(row[1], 16).expect("an offset"), row[2].to_string());
    rows.chunks(3).map(entry).collect()
}

#[test]
fn offset_shows_where_the_code_of_each_statement_begins() {
    let (listing, code) = compile("", "OFFSET,LINECOUNT(0)");
    assert_eq!(code, Some(0), "{listing}");
    for (program, expected) in
        [("OUTER", vec![(7, "ADD"), (8, "DISPLAY"), (9, "CALL"), (10, "GOBACK")]), ("INNER", vec![(14, "DISPLAY"), (15, "GOBACK")])]
    {
        let found = offsets(&listing, program);
        for (line, verb) in expected {
            assert!(found.iter().any(|(known, _, word)| *known == line && word == verb), "{program} {line} {verb}: {found:?}");
        }
        assert!(found.windows(2).all(|pair| pair[0].1 <= pair[1].1), "in the order of the code: {found:?}");
    }
    assert!(!listing.contains("Generated code"));
}

#[test]
fn list_shows_the_generated_code_and_the_card_wins() {
    let (listing, code) = compile("       CBL LIST\n", "OFFSET,LINECOUNT(0)");
    assert_eq!(code, Some(0), "{listing}");
    for program in ["OUTER", "INNER"] {
        let part = listing.split(&format!("\nGenerated code of {program}\n")).nth(1).unwrap_or_else(|| panic!("{listing}"));
        assert!(part.lines().nth(1).is_some_and(|line| line.starts_with("function ")), "{part}");
    }
    assert!(!listing.contains("Offsets of"));
}

#[test]
fn nocompile_checks_only() {
    let (listing, code) = compile("", "NOCOMPILE,OFFSET,LINECOUNT(0)");
    assert_eq!(code, Some(0));
    assert!(listing.contains("  NOCOMPILE\n") && !listing.contains("Offsets of"), "{listing}");
}

/// MDECK: the source after library processing, beside the load modules; with NOCOMPILE that is all.
#[test]
fn mdeck_writes_the_source_after_library_processing() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name);
    std::fs::write(path("ITEM.cpy"), "       01  XX PIC X(3) VALUE 'ONE'.\n").expect("written");
    let source = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. DECKED.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n           \
                  COPY ITEM REPLACING XX BY SHOWN.\n       PROCEDURE DIVISION.\n           DISPLAY SHOWN.\n           GOBACK.\n";
    std::fs::write(path("decked.cbl"), source).expect("written");
    let regent = |arguments: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_regent")).args(arguments).current_dir(directory.path()).output().expect("regent runs");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).trim_end().to_string() + &String::from_utf8_lossy(&output.stderr))
    };
    assert_eq!(regent(&["compile", "decked.cbl", "-o", "load", "--options", "MDECK(NOCOMPILE)"]).0, Some(0));
    assert!(path("load/decked.dek").exists() && !path("load/DECKED.rlm").exists());
    assert_eq!(regent(&["compile", "decked.cbl", "-o", "load", "--options", "MDECK"]).0, Some(0));
    assert!(path("load/DECKED.rlm").exists());
    let deck = std::fs::read_to_string(path("load/decked.dek")).expect("the deck");
    assert!(deck.contains("      *    COPY ITEM REPLACING XX BY SHOWN.\n       01 SHOWN PIC X(3) VALUE 'ONE'.\n"), "{deck}");
    // It needs no copy member any more.
    std::fs::remove_file(path("ITEM.cpy")).expect("removed");
    std::fs::copy(path("load/decked.dek"), path("again.cbl")).expect("copied");
    assert_eq!(regent(&["run", "again.cbl"]), (Some(0), "ONE".to_string()));
    let told = "ONEregent: MDECK is carried out by `regent compile`; no source is written\n";
    assert_eq!(regent(&["run", "again.cbl", "--options", "MDECK"]), (Some(0), told.to_string()));
}
