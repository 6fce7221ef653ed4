//! A generated CICS program of any length, similar to those of banks: records, comments, and paragraphs of MOVE, IF, EVALUATE, arithmetic,
//! STRING, commands and an occasional loop over a table, performed from a driver.
//!
//! Invariant: the text depends only on the number of lines, so figures of two builds can be compared.

use std::fmt::Write;

/// Lines of a paragraph on average, its share of its record included.
const PARAGRAPH_LINES: usize = 22;
/// Paragraphs that work on one record.
const RECORD_PARAGRAPHS: usize = 10;
/// Paragraphs performed from one paragraph of the driver.
const DRIVER_PARAGRAPHS: usize = 50;

const HEAD: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. GENERATE.
      *****************************************************************
      * Written by regent bench compile.
      *****************************************************************
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-COMMON.
           05  WS-RESP                 PIC S9(8) COMP.
           05  WS-RESP2                PIC S9(8) COMP.
           05  WS-SUB                  PIC S9(4) COMP.
           05  WS-SWITCH               PIC X(01).
               88  WS-FOUND            VALUE 'Y'.
               88  WS-NOT-FOUND        VALUE 'N'.
           05  WS-MESSAGE              PIC X(78).
";

const RECORD: &str = "       01  REC-@R.
           05  R@R-KEY.
               10  R@R-BRANCH          PIC X(04).
               10  R@R-ACCOUNT         PIC 9(11).
           05  R@R-NAME                PIC X(25).
           05  R@R-STREET              PIC X(30).
           05  R@R-CITY                PIC X(20) VALUE SPACES.
           05  R@R-STATUS              PIC X(01).
               88  R@R-ACTIVE          VALUE 'A'.
               88  R@R-CLOSED          VALUE 'C' 'D'.
           05  R@R-BALANCE             PIC S9(10)V99 COMP-3.
           05  R@R-LIMIT               PIC S9(10)V99 COMP-3.
           05  R@R-RATE                PIC S9(3)V9(4) COMP-3.
           05  R@R-COUNT               PIC S9(8) COMP.
           05  R@R-DAYS                PIC 9(05).
           05  R@R-SHOWN               PIC ZZZ,ZZZ,ZZ9.99-.
           05  R@R-MONTHS OCCURS 12 TIMES.
               10  R@R-MONTH           PIC S9(9)V99 COMP-3.
           05  FILLER                  PIC X(20).
";

const MOVES: &str = "      *----------------------------------------------------------------
      * @P: take over what the caller has filled in
      *----------------------------------------------------------------
       P@P-TAKE-OVER.
           MOVE R@R-NAME             TO R@R-STREET.
           MOVE SPACES               TO WS-MESSAGE.
           MOVE 'BR01'               TO R@R-BRANCH.
           MOVE R@R-COUNT            TO R@R-DAYS.
           IF R@R-STATUS = 'A' OR R@R-BRANCH = SPACES
               MOVE R@R-CITY         TO WS-MESSAGE
               SET WS-FOUND          TO TRUE
           ELSE
               MOVE ZERO             TO R@R-COUNT
           END-IF.
           IF R@R-ACTIVE
              AND R@R-BALANCE > R@R-LIMIT
               MOVE 'Limit exceeded' TO WS-MESSAGE
               MOVE R@R-BALANCE      TO R@R-SHOWN
           END-IF.
";

const ARITHMETIC: &str = "      *----------------------------------------------------------------
      * @P: interest and limit of the account
      *----------------------------------------------------------------
       P@P-COMPUTE.
           ADD 1                     TO R@R-COUNT.
           ADD R@R-LIMIT             TO R@R-BALANCE.
           SUBTRACT 5                FROM R@R-DAYS.
           COMPUTE R@R-BALANCE ROUNDED =
               R@R-BALANCE + R@R-LIMIT * R@R-RATE / 100
               ON SIZE ERROR
                   MOVE 'Too large'  TO WS-MESSAGE
           END-COMPUTE.
           IF R@R-BALANCE < ZERO
               MULTIPLY -1           BY R@R-BALANCE
               MOVE 'D'              TO R@R-STATUS
           END-IF.
           IF R@R-DAYS NUMERIC
               MOVE R@R-DAYS         TO R@R-COUNT
           END-IF.
";

const CHOICE: &str = "      *----------------------------------------------------------------
      * @P: what is to be done next
      *----------------------------------------------------------------
       P@P-CHOOSE.
           EVALUATE TRUE
               WHEN R@R-ACTIVE
                   MOVE 'Account is active' TO WS-MESSAGE
               WHEN R@R-CLOSED
                   MOVE 'Account is closed' TO WS-MESSAGE
                   SET WS-NOT-FOUND  TO TRUE
               WHEN R@R-COUNT > 100
                   MOVE 100          TO R@R-COUNT
               WHEN OTHER
                   INITIALIZE R@R-KEY
                   MOVE LOW-VALUES   TO R@R-STATUS
           END-EVALUATE.
           MOVE R@R-LIMIT            TO R@R-BALANCE
                                        R@R-MONTH (1).
           MOVE R@R-NAME (1:10)      TO R@R-CITY.
";

const COMMAND: &str = "      *----------------------------------------------------------------
      * @P: read the record of the account
      *----------------------------------------------------------------
       P@P-READ-FILE.
           EXEC CICS READ
                FILE      ('ACCOUNTS')
                INTO      (REC-@R)
                RIDFLD    (R@R-KEY)
                LENGTH    (LENGTH OF REC-@R)
                RESP      (WS-RESP)
                RESP2     (WS-RESP2)
           END-EXEC.
           EVALUATE WS-RESP
               WHEN DFHRESP(NORMAL)
                   SET WS-FOUND      TO TRUE
               WHEN DFHRESP(NOTFND)
                   SET WS-NOT-FOUND  TO TRUE
                   MOVE 'Not found'  TO WS-MESSAGE
               WHEN OTHER
                   MOVE WS-RESP      TO R@R-COUNT
                   PERFORM P@Q
           END-EVALUATE.
";

const TEXT: &str = "      *----------------------------------------------------------------
      * @P: the message line
      *----------------------------------------------------------------
       P@P-BUILD-MESSAGE.
           MOVE SPACES               TO WS-MESSAGE.
           STRING 'Account '         DELIMITED BY SIZE
                  R@R-ACCOUNT        DELIMITED BY SIZE
                  ' of '             DELIMITED BY SIZE
                  R@R-NAME           DELIMITED BY '  '
                  INTO WS-MESSAGE
           END-STRING.
           IF WS-MESSAGE NOT = SPACES AND WS-FOUND
               MOVE R@R-BALANCE      TO R@R-SHOWN
               PERFORM P@Q
           END-IF.
";

const LOOP: &str = "      *----------------------------------------------------------------
      * @P: the sum of the months
      *----------------------------------------------------------------
       P@P-SUM-MONTHS.
           MOVE ZERO                 TO R@R-BALANCE.
           PERFORM VARYING WS-SUB FROM 1 BY 1 UNTIL WS-SUB > 12
               ADD R@R-MONTH (WS-SUB) TO R@R-BALANCE
               IF R@R-MONTH (WS-SUB) < ZERO
                   ADD 1             TO R@R-COUNT
               END-IF
           END-PERFORM.
           MOVE R@R-BALANCE          TO R@R-SHOWN.
           MOVE R@R-SHOWN            TO WS-MESSAGE.
";

/// Text and name of a kind of paragraph, in the order in which they come.
const KINDS: [(&str, &str); 8] = [
    (MOVES, "TAKE-OVER"),
    (COMMAND, "READ-FILE"),
    (CHOICE, "CHOOSE"),
    (ARITHMETIC, "COMPUTE"),
    (MOVES, "TAKE-OVER"),
    (TEXT, "BUILD-MESSAGE"),
    (CHOICE, "CHOOSE"),
    (LOOP, "SUM-MONTHS"),
];

fn name(paragraph: usize) -> String {
    format!("{paragraph:05}-{}", KINDS[paragraph % KINDS.len()].1)
}

/// A program of about so many lines.
pub fn program(lines: usize) -> String {
    let paragraphs = (lines / PARAGRAPH_LINES).max(1);
    let mut text = HEAD.to_string();
    for record in 0..paragraphs.div_ceil(RECORD_PARAGRAPHS) {
        text.push_str(&RECORD.replace("@R", &format!("{record:04}")));
    }
    text.push_str("       PROCEDURE DIVISION.\n");
    let starts: Vec<usize> = (0..paragraphs).step_by(DRIVER_PARAGRAPHS).collect();
    text.push_str("       A-MAIN.\n");
    for driver in 0..starts.len() {
        let _ = writeln!(text, "           PERFORM B{driver:05}-DRIVE.");
    }
    text.push_str("           EXEC CICS RETURN END-EXEC.\n           GOBACK.\n");
    for (driver, start) in starts.iter().enumerate() {
        let _ = writeln!(text, "       B{driver:05}-DRIVE.");
        for paragraph in *start..(start + DRIVER_PARAGRAPHS).min(paragraphs) {
            let _ = writeln!(text, "           PERFORM P{}.", name(paragraph));
        }
    }
    for paragraph in 0..paragraphs {
        let record = format!("{:04}", paragraph / RECORD_PARAGRAPHS);
        // The paragraph performed from another one stands before it: nothing recurses.
        let other = if paragraph == 0 { "00000-TAKE-OVER".to_string() } else { name((paragraph - 1) / KINDS.len() * KINDS.len()) };
        let kind = KINDS[paragraph % KINDS.len()].0;
        text.push_str(&kind.replace("@P", &format!("{paragraph:05}")).replace("@Q", &other).replace("@R", &record));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_the_lines_and_compiles() {
        for lines in [1, 5_000] {
            let text = program(lines);
            let count = text.lines().count();
            assert!(lines == 1 || (lines * 9 / 10..lines * 11 / 10).contains(&count), "{count} lines");
            let compilation = cobol::compile_source("G", text.as_bytes(), &cobol::Options::default(), &cobol::source::NoCopies);
            assert!(compilation.is_usable(), "{}", compilation.diagnostics.render(&compilation.sources));
        }
    }
}
