//! Items of the LINKAGE SECTION without storage: as on z/OS, a program reads binary zeros in the first 2048 bytes and stores nothing there;
//! behind them is nothing.

mod common;

use common::{EBCDIC, both, outcomes};
use program::rununit::Failure;

const PROGRAM: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 COPIED PIC X(2048) VALUE ALL 'X'.
       01 N PIC S9(9) COMP-5 VALUE 7.
       01 P POINTER.
       01 PN REDEFINES P PIC S9(9) COMP-5.
       LINKAGE SECTION.
       01 AREA-1.
         05 FIRST-WORD PIC S9(9) COMP-5.
         05 SECOND-WORD PIC S9(9) COMP-5.
         05 FILLER PIC X(2040).
       01 OTHER-AREA PIC X(8).
       PROCEDURE DIVISION.
           IF ADDRESS OF AREA-1 = NULL DISPLAY 'NULL AT FIRST' END-IF
           MOVE AREA-1 TO COPIED
           IF COPIED = LOW-VALUES DISPLAY 'ZEROS' END-IF
           ADD FIRST-WORD TO N
           DISPLAY N
           SET P TO ADDRESS OF SECOND-WORD
           DISPLAY PN
           SET ADDRESS OF OTHER-AREA TO P
           IF OTHER-AREA = LOW-VALUES DISPLAY 'ZEROS AT 4' END-IF
           SET ADDRESS OF OTHER-AREA TO ADDRESS OF COPIED
           IF ADDRESS OF OTHER-AREA = ADDRESS OF COPIED DISPLAY 'MOVED' END-IF
           SET ADDRESS OF OTHER-AREA TO NULL
           SET P TO ADDRESS OF OTHER-AREA
           IF P = NULL DISPLAY 'NULL AGAIN' END-IF
           CALL 'INNER' USING OTHER-AREA
           CALL 'INNER' USING OMITTED
           STOP RUN.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. INNER.
       DATA DIVISION.
       LINKAGE SECTION.
       01 PASSED PIC X(8).
       PROCEDURE DIVISION USING PASSED.
           IF ADDRESS OF PASSED = NULL DISPLAY 'NULL PASSED' END-IF
           IF PASSED = LOW-VALUES DISPLAY 'ZEROS PASSED' END-IF
           GOBACK.
       END PROGRAM INNER.
       END PROGRAM T.
";

#[test]
fn addresses_below_2048_are_zeros_to_read_and_stay_what_they_are() {
    let expected = "NULL AT FIRST\nZEROS\n0000000007\n0000000004\nZEROS AT 4\nMOVED\nNULL AGAIN\nNULL PASSED\nZEROS PASSED\nNULL PASSED\nZEROS PASSED\n";
    let seen = both(PROGRAM).replace("+", "");
    assert_eq!(seen, expected);
}

const LINKAGE: &str = "
01  W PIC X VALUE 'A'.
01  N-ADDRESS PIC 9(9) COMP-5 VALUE 2047.
01  P REDEFINES N-ADDRESS USAGE POINTER.
LINKAGE SECTION.
01  AREA-1.
    05  FIRST-BYTE PIC X.
    05  FILLER PIC X(2047).
    05  BEHIND PIC X.
01  TWO PIC XX.
";

/// The interruption code and the address that could not be accessed.
fn failures(procedure: &str) -> Vec<(Option<u8>, Option<usize>)> {
    let failure = |failure: Box<Failure>| (failure.interruption, failure.abend.trap.map(|trap| trap.address));
    let outcomes = outcomes("", LINKAGE, procedure, EBCDIC);
    outcomes.into_iter().map(|(_, outcome)| outcome.failure.map_or((None, None), failure)).collect()
}

#[test]
fn stores_there_and_reads_behind_are_protection_exceptions() {
    let cases = [
        ("MOVE W TO FIRST-BYTE", 0),
        ("MOVE BEHIND TO W", 2048),
        ("SET ADDRESS OF TWO TO P MOVE TWO(2:1) TO W", 2048),
        ("SET ADDRESS OF TWO TO P MOVE W TO TWO(1:1)", 2047),
    ];
    for (procedure, address) in cases {
        let seen = failures(procedure);
        assert!(!seen.is_empty() && seen.iter().all(|seen| *seen == (Some(4), Some(address))), "{procedure}: {seen:?}");
    }
}
