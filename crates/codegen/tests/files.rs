//! Batch files: sequential records, sorting, text lines in both code pages, file status.

mod common;

use common::{ASCII, EBCDIC, compile_with, settings};
use program::batch::{BatchHost, DataDefinition, FileFormat};
use program::rununit::Ended;
use std::path::Path;

fn run(source: &str, ccsid: u16, names: &[(&str, &Path)]) -> String {
    run_sorting(source, ccsid, names, program::rununit::SORT_BYTES_MAX)
}

fn run_sorting(source: &str, ccsid: u16, names: &[(&str, &Path)], sort_bytes: usize) -> String {
    let module = compile_with(source, ccsid, &settings(true));
    let mut output = Vec::new();
    let mut host = BatchHost::new(&mut output);
    host.sort_bytes = sort_bytes;
    for (name, path) in names {
        host.files.names.insert(name.to_string(), DataDefinition::File { path: path.to_path_buf(), format: FileFormat::Unspecified });
    }
    let (ended, _) = host.run(&module, None);
    drop(host);
    if let Ended::Abended(failure) = ended {
        panic!("{}", failure.text());
    }
    String::from_utf8(output).expect("text").lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn records_are_written_read_and_sorted() {
    let directory = tempfile::tempdir().expect("a directory");
    let (records, nothing) = (directory.path().join("records"), directory.path().join("nothing"));
    for ccsid in [ASCII, EBCDIC] {
        let output = run(include_str!("cobol/files.cob"), ccsid, &[("OUTDD", &records), ("NOWHERE", &nothing)]);
        let expected = "OPEN 00\n0003REC 1\n0006REC 2\n0002REC 3\n0005REC 4\n0001REC 5\nEOF 10\nS 0001REC 5\nS 0002REC 3\n\
                        S 0003REC 1\nS 0005REC 4\nS 0006REC 2\nMISSING 35\n";
        assert_eq!(output, expected, "CCSID {ccsid}");
        assert_eq!(std::fs::metadata(&records).expect("written").len(), 50);
    }
}

#[test]
fn text_files_are_text_in_every_code_page() {
    let directory = tempfile::tempdir().expect("a directory");
    let (input, copy) = (directory.path().join("input"), directory.path().join("copy"));
    std::fs::write(&input, "first\nsecond line\n").expect("written");
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT F ASSIGN TO INDD ORGANIZATION IS LINE SEQUENTIAL.
           SELECT G ASSIGN TO CPDD ORGANIZATION IS LINE SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD  F.
       01  FR PIC X(8).
       FD  G.
       01  GR PIC X(12).
       WORKING-STORAGE SECTION.
       01  E PIC X VALUE 'N'.
       PROCEDURE DIVISION.
           OPEN INPUT F OUTPUT G.
           PERFORM UNTIL E = 'Y'
             READ F AT END MOVE 'Y' TO E
               NOT AT END DISPLAY '[' FR ']' WRITE GR FROM FR
             END-READ
           END-PERFORM.
           CLOSE F G.
           STOP RUN.
";
    for ccsid in [ASCII, EBCDIC] {
        assert_eq!(run(source, ccsid, &[("INDD", &input), ("CPDD", &copy)]), "[first   ]\n[second l]\n");
        assert_eq!(std::fs::read_to_string(&copy).expect("written"), "first\nsecond l\n");
    }
}

/// More records than fit the memory: runs are written, merged, and records with equal keys keep their order.
#[test]
fn a_sort_larger_than_its_memory_merges_runs() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT W ASSIGN TO SORTWK.
       DATA DIVISION.
       FILE SECTION.
       SD  W.
       01  R.
           05  K PIC 9(3).
           05  N PIC 9(5).
       WORKING-STORAGE SECTION.
       01  I PIC 9(5).
       01  LAST-K PIC 9(3) VALUE 999.
       01  LAST-N PIC 9(5) VALUE 0.
       01  SEEN PIC 9(5) VALUE 0.
       01  WRONG PIC 9(5) VALUE 0.
       01  E PIC X VALUE 'N'.
       PROCEDURE DIVISION.
           SORT W DESCENDING KEY K
               INPUT PROCEDURE GIVE OUTPUT PROCEDURE TAKE.
           DISPLAY SEEN ' ' WRONG.
           GOBACK.
       GIVE.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 20000
               COMPUTE K = FUNCTION MOD(I * 37, 500)
               MOVE I TO N
               RELEASE R
           END-PERFORM.
       TAKE.
           PERFORM UNTIL E = 'Y'
               RETURN W AT END MOVE 'Y' TO E
                   NOT AT END
                       ADD 1 TO SEEN
                       IF K > LAST-K OR (K = LAST-K AND N < LAST-N)
                           ADD 1 TO WRONG
                       END-IF
                       MOVE K TO LAST-K
                       MOVE N TO LAST-N
               END-RETURN
           END-PERFORM.
";
    for sort_bytes in [1, 5_000, 60_000, program::rununit::SORT_BYTES_MAX] {
        // One record a run would need a file for each: the smallest memory is tried with fewer records.
        let source = if sort_bytes == 1 { source.replace("20000", "200") } else { source.to_string() };
        let count = if sort_bytes == 1 { 200 } else { 20_000 };
        assert_eq!(run_sorting(&source, EBCDIC, &[], sort_bytes), format!("{count:05} 00000\n"), "{sort_bytes} bytes");
    }
}

/// Programming Guide, ADV: with NOADV the program has provided for the control character, the first byte of the record.
#[test]
fn the_control_character_takes_the_first_byte_under_noadv() {
    let directory = tempfile::tempdir().expect("a directory");
    let print = directory.path().join("print");
    let source = "       CBL NOADV
       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT F ASSIGN TO PRDD.
       DATA DIVISION.
       FILE SECTION.
       FD  F.
       01  FR PIC X(6).
       PROCEDURE DIVISION.
           OPEN OUTPUT F
           MOVE 'xLINE1' TO FR
           WRITE FR AFTER ADVANCING PAGE
           MOVE 'xLINE2' TO FR
           WRITE FR AFTER ADVANCING 2 LINES
           CLOSE F
           STOP RUN.
";
    for (source, expected) in [(source.to_string(), "1LINE10LINE2"), (source.replace("NOADV", "ADV"), "1xLINE10xLINE2")] {
        run(&source, ASCII, &[("PRDD", &print)]);
        assert_eq!(std::fs::read_to_string(&print).expect("written"), expected);
    }
}

/// File status 10 for the first READ of an optional file that is not there, 46 for the next (Language Reference, "Status key").
#[test]
fn an_optional_file_that_is_absent_ends_once() {
    let directory = tempfile::tempdir().expect("a directory");
    let nothing = directory.path().join("nothing");
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT OPTIONAL F ASSIGN TO INDD FILE STATUS S.
       DATA DIVISION.
       FILE SECTION.
       FD  F.
       01  FR PIC X(8).
       WORKING-STORAGE SECTION.
       01  S PIC XX.
       PROCEDURE DIVISION.
           PERFORM 2 TIMES
             OPEN INPUT F DISPLAY S
             READ F AT END DISPLAY S END-READ
             READ F AT END DISPLAY 'AGAIN' END-READ DISPLAY S
             CLOSE F
           END-PERFORM
           GOBACK.
";
    assert_eq!(run(source, EBCDIC, &[("INDD", &nothing)]), "05\n10\n46\n05\n10\n46\n");
}
