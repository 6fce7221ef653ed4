//! Storage at addresses outside the program: every statement that touches it ends in a protection exception (0C4, ASRA), whether compiled
//! code or a run-time routine accesses the address, and the process continues.
//!
//! The statements run in a separate process, which is restarted behind a statement that ended it, so that each such statement is reported.

mod common;

use common::{ASCII, EBCDIC, compile_with, plain, settings};
use program::rununit::Ended;
use std::process::Command;

/// Low storage behind what programs may read (`null_addresses.rs`), storage nobody has, the end of 31-bit storage, and what only a program without a valid pointer forms: the top bit, the
/// ends of 32 bits, and an uninitialized EBCDIC field.
const ADDRESSES: [u32; 9] = [0x808, 0x1000, 0x1234_5678, 0x7FFF_F000, 0x8000_0000, 0xF0F0_F0F0, 0xFF00_0000, 0xFFFF_F000, 0xFFFF_FFF0];

/// The environment variable with the number of the statement that a process begins with.
const FIRST: &str = "WILD_STATEMENT_FIRST";
/// The environment variable that names the other set of statements.
const LENGTH_SET: &str = "WILD_LENGTHS";
/// Begins the line that ends a statement; what was wrong follows.
const END: &str = "ended: ";

const WORKING: &str = "
01  N-ADDRESS PIC 9(9) COMP-5.
01  P REDEFINES N-ADDRESS USAGE POINTER.
01  WX PIC X(10) VALUE 'ABCDEFGHIJ'.
01  WBIG PIC X(5000) VALUE SPACES.
01  WP PIC S9(7)V99 COMP-3 VALUE 5.
01  WZ PIC S9(7) VALUE 5.
01  WB PIC S9(9) COMP VALUE 1.
01  WC PIC S9(9) COMP VALUE 1.
01  WE PIC ZZ,ZZ9.99-.
01  WN PIC N(10) NATIONAL.
01  WU PIC U(10).
01  WF COMP-2 VALUE 1.
01  WW PIC S9(18) COMP-3 VALUE 1.
01  WPTR POINTER.
01  WFC PIC X(12).
01  WTAB.
    05  WTE PIC X(8) OCCURS 10 INDEXED BY WIX.
01  WPP PROCEDURE-POINTER.
01  WTWO PIC S9(9) COMP VALUE 2.
01  WH PIC S9(4) COMP VALUE 1.
01  WVS.
    05  FILLER PIC S9(4) COMP VALUE 8.
    05  FILLER PIC X(255) VALUE 'YYYYMMDD'.
";

const LINKAGE: &str = "
01  LX PIC X(10).
01  LBIG PIC X(5000).
01  LP PIC S9(7)V99 COMP-3.
01  LZ PIC S9(7).
01  LB PIC S9(9) COMP.
01  LD PIC S9(18) COMP.
01  LH PIC S9(4) COMP-5.
01  LF COMP-2.
01  LS COMP-1.
01  LW PIC S9(18) COMP-3.
01  LE PIC ZZ,ZZ9.99-.
01  LN PIC N(10) NATIONAL.
01  LU PIC U(10).
01  LPTR POINTER.
01  LT.
    05  LTE PIC X(8) OCCURS 100 ASCENDING KEY LTE INDEXED BY IX.
01  LO.
    05  LON PIC S9(4) COMP.
    05  LOE PIC X OCCURS 1 TO 1000 DEPENDING ON LON.
01  LG.
    05  LGA PIC X(300).
    05  LGN PIC S9(5) COMP-3 OCCURS 20.
    05  LGE PIC ZZ9.99.
";

/// Statements that touch the storage at the address, each with one way through the run time or compiled code.
const STATEMENTS: &[&str] = &[
    "MOVE LX TO WX",
    "MOVE WX TO LX",
    "MOVE LBIG TO WBIG",
    "MOVE WBIG TO LBIG",
    "MOVE WX TO LBIG",
    "MOVE LX TO WBIG",
    "MOVE SPACES TO LX",
    "MOVE LOW-VALUES TO LBIG",
    "MOVE ALL 'ABC' TO LBIG",
    "MOVE LX(3:WB) TO WX",
    "MOVE WX TO LX(WB:5)",
    "MOVE LTE(WB) TO WX",
    "MOVE LP TO WP",
    "MOVE WP TO LP",
    "MOVE LZ TO WE",
    "MOVE LP TO WX",
    "MOVE WZ TO LE",
    "MOVE LE TO WP",
    "MOVE LE TO WE",
    "MOVE LN TO WN",
    "MOVE WX TO LN",
    "MOVE LX TO WN",
    "MOVE LU TO WN",
    "MOVE WX TO LU",
    "MOVE LU TO WU",
    "MOVE LF TO WP",
    "MOVE WP TO LF",
    "MOVE WP TO LS",
    "MOVE LW TO WZ",
    "MOVE WZ TO LW",
    "MOVE LO TO WBIG",
    "MOVE LX TO LBIG",
    "ADD LP TO WP",
    "ADD 1 TO LP",
    "ADD WP TO LP ROUNDED",
    "ADD 1 TO LZ",
    "ADD 1 TO LB",
    "ADD WZ TO LH",
    "SUBTRACT LW FROM WW",
    "MULTIPLY WP BY LW",
    "DIVIDE LW INTO WW",
    "DIVIDE WZ BY 3 GIVING LZ REMAINDER WB",
    "DIVIDE WZ BY 3 GIVING WB REMAINDER LP",
    "COMPUTE WF = LF * 2 + LS",
    "COMPUTE LF = WF ** 2.5",
    "COMPUTE LW = WW * WP / 7",
    "COMPUTE WP = LD / 7 ON SIZE ERROR DISPLAY 'SIZE'",
    "IF LX = WX DISPLAY 'EQUAL'",
    "IF LBIG = WBIG DISPLAY 'EQUAL'",
    "IF LBIG = SPACES DISPLAY 'EQUAL'",
    "IF LBIG > WX DISPLAY 'GREATER'",
    "IF LX = ALL 'AB' DISPLAY 'EQUAL'",
    "IF LP > WP DISPLAY 'GREATER'",
    "IF LZ = 5 DISPLAY 'EQUAL'",
    "IF LW < WZ DISPLAY 'LESS'",
    "IF LN = WN DISPLAY 'EQUAL'",
    "IF LU = WU DISPLAY 'EQUAL'",
    "IF LF = WP DISPLAY 'EQUAL'",
    "IF LX NUMERIC DISPLAY 'NUMERIC'",
    "IF LP NUMERIC DISPLAY 'NUMERIC'",
    "IF LBIG ALPHABETIC DISPLAY 'LETTERS'",
    "IF LP POSITIVE DISPLAY 'POSITIVE'",
    "IF LZ IS NEGATIVE DISPLAY 'NEGATIVE'",
    "IF LPTR = NULL DISPLAY 'NULL'",
    "SET WPTR TO LPTR",
    "SET LPTR TO NULL",
    "SET LPTR UP BY 4",
    "SET IX TO LB",
    "EVALUATE LX WHEN 'A' DISPLAY 'A' WHEN OTHER DISPLAY 'B'",
    "PERFORM LB TIMES DISPLAY 'TIMES' END-PERFORM",
    "GO TO OUT-A OUT-B DEPENDING ON LH",
    "STRING LX DELIMITED BY SIZE INTO WBIG",
    "STRING WX DELIMITED BY LX INTO WBIG",
    "STRING WX DELIMITED BY SIZE INTO LBIG",
    "STRING WX DELIMITED SIZE INTO WBIG POINTER LB",
    "UNSTRING LX DELIMITED BY 'C' INTO WX",
    "UNSTRING WX DELIMITED BY LX INTO WBIG",
    "UNSTRING WX DELIMITED BY 'C' INTO LBIG",
    "UNSTRING WX DELIMITED BY 'C' INTO LZ",
    "UNSTRING WX DELIMITED 'C' INTO WBIG DELIMITER LX",
    "UNSTRING WX DELIMITED 'C' INTO WBIG COUNT LB",
    "UNSTRING WX DELIMITED 'C' INTO WBIG TALLYING LB",
    "INSPECT LX TALLYING WB FOR ALL 'A'",
    "INSPECT LBIG REPLACING ALL 'A' BY 'B'",
    "INSPECT LBIG CONVERTING 'ABC' TO 'XYZ'",
    "INSPECT WX TALLYING LB FOR ALL 'A'",
    "INSPECT WX TALLYING WB FOR ALL LX",
    "INSPECT WX TALLYING WB FOR ALL 'A' AFTER LX",
    "INSPECT WX REPLACING ALL 'A' BY LX(1:1)",
    "INSPECT WX CONVERTING LX TO 'ABCDEFGHIJ'",
    "INITIALIZE LX",
    "INITIALIZE LG",
    "INITIALIZE LT",
    "INITIALIZE LN",
    "SEARCH LTE WHEN LTE(IX) = 'X' DISPLAY 'FOUND'",
    "SEARCH ALL LTE WHEN LTE(IX) = WX(1:8) DISPLAY 'FOUND'",
    "SORT LTE ON ASCENDING KEY LTE",
    "DISPLAY LX",
    "DISPLAY LP LBIG",
    "DISPLAY LN LU LF",
    "DISPLAY LX UPON ENVIRONMENT-NAME",
    "ACCEPT LX FROM DATE",
    "ACCEPT LZ FROM TIME",
    "ACCEPT LX",
    "CALL LX",
    "CALL LX USING WX ON EXCEPTION DISPLAY 'NONE'",
    "CALL 'NOWHERE' USING BY CONTENT LBIG",
    "CANCEL LX",
    "SET WPP TO ENTRY LX",
    "CALL 'CEEDAYS' USING LX WX LB WFC",
    "CALL 'CEEDAYS' USING WVS WVS LB WFC",
    "CALL 'CEEDATE' USING WB WVS LX WFC",
    "CALL 'CEEDATE' USING WB WVS WBIG LX",
    "CALL 'CEELOCT' USING LB LF LX WFC",
    "CALL 'CEESSSQT' USING LS LS WFC",
    "CALL 'CEESDSQT' USING LF WF WFC",
    "CALL 'CEEGTST' USING LB WB WPTR WFC",
    "CALL 'CEEFRST' USING LB WFC",
    "CALL 'CEEMSG' USING LX WTWO WFC",
    "CALL 'CEEMGET' USING LX WBIG WB WFC",
    "CALL 'CEEMOUT' USING LX WTWO WFC",
    "CALL 'CEENCOD' USING LH LH LH LH LH LX LX WFC WFC",
    "CALL 'CEEDCOD' USING LX WH WH WH WH WH WX WX WFC",
    "CALL 'CEERAN0' USING LB WF WFC",
    "CALL 'CEECBLDY' USING LX WVS WB WFC",
    "CALL 'CEEISEC' USING LB LB LB LB LB LB LF WFC",
    "CALL 'CEE3CTY' USING WTWO LX WFC",
    "CALL 'CEEQCEN' USING LB WFC",
    "MOVE FUNCTION UPPER-CASE(LX) TO WX",
    "MOVE FUNCTION LOWER-CASE(LBIG) TO WBIG",
    "MOVE FUNCTION REVERSE(LX) TO WX",
    "MOVE FUNCTION TRIM(LX) TO WX",
    "MOVE FUNCTION NATIONAL-OF(LX) TO WN",
    "MOVE FUNCTION DISPLAY-OF(LN) TO WX",
    "MOVE FUNCTION HEX-OF(LX) TO WBIG",
    "MOVE FUNCTION BIT-OF(LX) TO WBIG",
    "MOVE FUNCTION CONCAT(WX LX) TO WBIG",
    "COMPUTE WP = FUNCTION NUMVAL(LX)",
    "COMPUTE WP = FUNCTION NUMVAL-C(LX)",
    "COMPUTE WP = FUNCTION NUMVAL-F(LX)",
    "COMPUTE WB = FUNCTION TEST-NUMVAL(LX)",
    "COMPUTE WB = FUNCTION ORD(LX(1:1))",
    "COMPUTE WB = FUNCTION ORD-MAX(LX WX)",
    "MOVE FUNCTION MAX(LX WX) TO WX",
    "COMPUTE WP = FUNCTION MAX(LP WP)",
    "COMPUTE WP = FUNCTION SUM(LP WP)",
    "COMPUTE WP = FUNCTION MEAN(LP WP)",
    "COMPUTE WP = FUNCTION MEDIAN(LP WP)",
    "COMPUTE WP = FUNCTION VARIANCE(LP WP)",
    "COMPUTE WP = FUNCTION RANGE(LP WP)",
    "COMPUTE WP = FUNCTION PRESENT-VALUE(LP WP)",
    "COMPUTE WP = FUNCTION ANNUITY(LP WB)",
    "COMPUTE WF = FUNCTION SIN(LF)",
    "COMPUTE WF = FUNCTION SQRT(LP)",
    "COMPUTE WF = FUNCTION LOG(LF)",
    "COMPUTE WB = FUNCTION MOD(LB 3)",
    "COMPUTE WP = FUNCTION REM(LP 3)",
    "COMPUTE WB = FUNCTION INTEGER(LP)",
    "COMPUTE WP = FUNCTION ABS(LP)",
    "COMPUTE WB = FUNCTION FACTORIAL(LB)",
    "COMPUTE WF = FUNCTION RANDOM(LB)",
    "MOVE FUNCTION CHAR(LB) TO WX",
    "COMPUTE WB = FUNCTION DATE-OF-INTEGER(LB)",
    "COMPUTE WB = FUNCTION INTEGER-OF-DATE(LB)",
    "COMPUTE WB = FUNCTION DAY-TO-YYYYDDD(LB)",
    "COMPUTE WB = FUNCTION TEST-FORMATTED-DATETIME(LX WX)",
    "COMPUTE WB = FUNCTION UPOS(LU 2)",
    "COMPUTE WB = FUNCTION ULENGTH(LX)",
    "COMPUTE WB = FUNCTION LENGTH(LO)",
    "COMPUTE WB = FUNCTION BYTE-LENGTH(LO)",
    "XML GENERATE WBIG FROM LG",
    "XML GENERATE LBIG FROM WTAB",
    "XML PARSE LX PROCESSING PROCEDURE HANDLE-EVENT",
    "JSON GENERATE WBIG FROM LG",
    "JSON GENERATE LBIG FROM WTAB",
    "JSON PARSE LBIG INTO WTAB",
    "FREE LPTR",
];

/// The program with one statement, which begins a line that is told too. Its parameter is the address.
fn source(statement: &str) -> (String, u32) {
    let lines = |text: &str| text.trim_matches('\n').lines().map(|line| format!("       {line}\n")).collect::<String>();
    let names: Vec<&str> = LINKAGE.lines().filter_map(|line| line.strip_prefix("01  ")?.split([' ', '.']).next()).collect();
    let set = names.iter().map(|name| format!("           SET ADDRESS OF {name} TO P.\n")).collect::<String>();
    let before = format!(
        "       CBL NOSSRANGE\n       IDENTIFICATION DIVISION.\n       PROGRAM-ID. T.\n       DATA DIVISION.\n       WORKING-STORAGE \
         SECTION.\n{}       LINKAGE SECTION.\n       01  PARM.\n           05  FILLER PIC S9(4) COMP.\n           05  PARM-ADDRESS PIC \
         9(10).\n{}       PROCEDURE DIVISION USING PARM.\n           MOVE PARM-ADDRESS TO N-ADDRESS.\n{set}",
        lines(WORKING),
        lines(LINKAGE),
    );
    let line = before.lines().count() as u32 + 1;
    let after = format!(
        "           {}.\n           DISPLAY 'REACHED'.\n           GOBACK.\n       OUT-A.\n           DISPLAY 'OUT A'.\n       \
         OUT-B.\n           DISPLAY 'OUT B'.\n           GOBACK.\n       HANDLE-EVENT.\n           DISPLAY 'EVENT'.\n",
        wrapped(statement),
    );
    (before + &after, line)
}

/// The statement on lines that fit the reference format.
fn wrapped(statement: &str) -> String {
    let phrases = [" USING ", " ON SIZE ERROR", " INTO ", " ON EXCEPTION", " DISPLAY ", " FROM ", " PROCESSING ", " WHEN "];
    phrases.iter().fold(statement.to_string(), |text, phrase| text.replace(phrase, &format!("\n               {}", phrase.trim_start())))
}

/// What is wrong with how the statement ends, with any of the addresses and in any kind of code.
fn failure_of(statement: &str) -> Option<String> {
    for (settings, ccsid) in [(settings(true), EBCDIC), (settings(false), ASCII), (plain(), EBCDIC)] {
        let (source, line) = source(statement);
        let module = match std::panic::catch_unwind(|| compile_with(&source, ccsid, &settings)) {
            Ok(module) => module,
            Err(_) => return Some("does not compile".to_string()),
        };
        for address in ADDRESSES {
            println!("at {address:08X}, {:?}", settings.effort);
            let mut host = program::batch::BatchHost::new(std::io::sink());
            host.input = Box::new(&b"A LINE\n"[..]);
            let (ended, _) = host.run(&module, Some(&format!("{address:010}")));
            let Ended::Abended(failure) = ended else { return Some(format!("{address:08X}: no abend")) };
            let place = failure.place.as_ref().map_or(0, |place| place.line);
            if (failure.interruption, &failure.abend.code) != (Some(4), b"ASRA") || !(line..=line + 3).contains(&place) {
                return Some(format!("{address:08X}, {:?}, line {line}: {}", settings.effort, failure.text()));
            }
        }
    }
    None
}

/// Lengths, positions and subscripts that no item has: what an OCCURS DEPENDING ON object, a reference modifier or a subscript may hold when
/// nothing checks it.
const LENGTHS: [i32; 8] = [0, -1, 1001, 30_000, 99_999_999, i32::MAX, i32::MIN, -30_000];

const LENGTH_WORKING: &str = "
01  N PIC S9(9) COMP-5.
01  WX PIC X(10) VALUE 'ABCDEFGHIJ'.
01  WN PIC N(10) NATIONAL.
01  WU PIC U(10).
01  WB PIC S9(9) COMP VALUE 1.
01  WBIG PIC X(5000) VALUE SPACES.
01  WO.
    05  WON PIC S9(9) COMP-5 VALUE 5.
    05  WOE PIC X(3) OCCURS 1 TO 1000 DEPENDING ON WON
          ASCENDING KEY WOE INDEXED BY WIX.
01  WT.
    05  WTE PIC X(40) OCCURS 10.
    05  WTP PIC S9(5) COMP-3 OCCURS 10.
01  WFC PIC X(12).
";

/// Statements with an item whose length, place or number of occurrences is one of [`LENGTHS`]. They overrun storage or end in an abend.
const LENGTH_STATEMENTS: &[&str] = &[
    "MOVE WO TO WBIG",
    "MOVE WBIG TO WO",
    "MOVE SPACES TO WO",
    "INITIALIZE WO",
    "MOVE FUNCTION UPPER-CASE(WO) TO WBIG",
    "MOVE FUNCTION REVERSE(WO) TO WBIG",
    "MOVE FUNCTION HEX-OF(WO) TO WBIG",
    "MOVE FUNCTION TRIM(WO) TO WBIG",
    "MOVE FUNCTION MAX(WOE(ALL)) TO WX",
    "COMPUTE WB = FUNCTION ORD-MAX(WOE(ALL))",
    "STRING WO DELIMITED BY SIZE INTO WBIG",
    "STRING WX DELIMITED BY WO INTO WBIG",
    "UNSTRING WO DELIMITED BY 'C' INTO WX",
    "INSPECT WO TALLYING WB FOR ALL 'A'",
    "INSPECT WO CONVERTING 'A' TO 'B'",
    "IF WO = WBIG DISPLAY 'EQUAL'",
    "DISPLAY WO",
    "ACCEPT WO FROM DATE",
    "CALL 'NOWHERE' USING BY CONTENT WO",
    "CALL 'CEEMSG' USING WO WB WFC",
    "SORT WOE ON ASCENDING KEY WOE",
    "SEARCH ALL WOE WHEN WOE(WIX) = 'X' DISPLAY 'FOUND'",
    "SEARCH WOE WHEN WOE(WIX) = 'X' DISPLAY 'FOUND'",
    "JSON GENERATE WBIG FROM WO",
    "XML GENERATE WBIG FROM WO",
    "JSON PARSE WBIG INTO WO",
    "MOVE WX(1:N) TO WBIG",
    "MOVE WX(N:5) TO WBIG",
    "MOVE WX(N:N) TO WBIG",
    "MOVE WBIG TO WX(1:N)",
    "MOVE SPACES TO WX(N:100)",
    "MOVE ALL 'AB' TO WX(N:)",
    "MOVE FUNCTION LOWER-CASE(WX(1:N)) TO WBIG",
    "MOVE FUNCTION UPPER-CASE(WX)(N:N) TO WBIG",
    "MOVE WN(N:2) TO WN",
    "MOVE WU(N:2) TO WU",
    "MOVE 'A' TO WU(2:N)",
    "INSPECT WX(1:N) REPLACING ALL 'A' BY 'B'",
    "STRING WX(1:N) DELIMITED BY SIZE INTO WBIG",
    "UNSTRING WX(1:N) DELIMITED BY 'C' INTO WBIG",
    "DISPLAY WX(1:N)",
    "MOVE WTE(N) TO WX",
    "MOVE WX TO WTE(N)",
    "ADD 1 TO WTP(N)",
    "ADD WTP(N) TO WTP(1)",
    "SET WIX TO N",
    "CALL 'NOWHERE' USING BY CONTENT WX(1:N)",
    "PERFORM N TIMES MOVE 'A' TO WX STOP RUN END-PERFORM",
    "GO TO OUT-A OUT-B DEPENDING ON N",
];

fn length_source(statement: &str) -> String {
    let lines = |text: &str| text.trim_matches('\n').lines().map(|line| format!("       {line}\n")).collect::<String>();
    format!(
        "       CBL NOSSRANGE\n       IDENTIFICATION DIVISION.\n       PROGRAM-ID. T.\n       DATA DIVISION.\n       WORKING-STORAGE \
         SECTION.\n{}       LINKAGE SECTION.\n       01  PARM.\n           05  FILLER PIC S9(4) COMP.\n           05  PARM-LENGTH PIC \
         S9(10) SIGN LEADING SEPARATE.\n       PROCEDURE DIVISION USING PARM.\n           MOVE PARM-LENGTH TO N.\n           MOVE N TO \
         WON.\n           {}.\n           GOBACK.\n       OUT-A.\n           DISPLAY 'OUT A'.\n       OUT-B.\n           GOBACK.\n",
        lines(LENGTH_WORKING),
        wrapped(statement),
    )
}

/// None but that it does not compile: whatever else the statement does is its own affair, as long as the process goes on.
fn lost_by_length(statement: &str) -> Option<String> {
    for settings in [settings(true), settings(false), plain()] {
        let source = length_source(statement);
        let module = match std::panic::catch_unwind(|| compile_with(&source, EBCDIC, &settings)) {
            Ok(module) => module,
            Err(_) => return Some("does not compile".to_string()),
        };
        for length in LENGTHS {
            println!("at {length}, {:?}", settings.effort);
            program::batch::BatchHost::new(std::io::sink()).run(&module, Some(&format!("{length:+011}")));
        }
    }
    None
}

/// In a process of its own: statements from a number on.
#[test]
#[ignore = "run by the tests below, in a process of its own"]
fn statements() {
    let Some(first) = std::env::var(FIRST).ok().and_then(|number| number.parse().ok()) else { return };
    let (all, check): (&[&str], fn(&str) -> Option<String>) = match std::env::var(LENGTH_SET) {
        Ok(_) => (LENGTH_STATEMENTS, lost_by_length),
        Err(_) => (STATEMENTS, failure_of),
    };
    for statement in &all[first..] {
        let failure = check(statement);
        println!("{END}{}", failure.unwrap_or_default());
    }
}

#[test]
fn every_statement_at_every_wild_address_is_a_protection_exception() {
    run_all(STATEMENTS, false);
}

#[test]
fn no_length_ends_the_process() {
    run_all(LENGTH_STATEMENTS, true);
}

fn run_all(statements: &[&str], lengths: bool) {
    let binary = std::env::current_exe().expect("this test");
    let mut failed = Vec::new();
    let mut next = 0;
    while next < statements.len() {
        let mut command = Command::new(&binary);
        command.args(["statements", "--exact", "--ignored", "--nocapture"]).env(FIRST, next.to_string());
        if lengths {
            command.env(LENGTH_SET, "1");
        }
        let child = command.output().expect("it runs");
        let text = String::from_utf8_lossy(&child.stdout);
        for why in text.lines().filter_map(|line| line.strip_prefix(END)) {
            if !why.is_empty() {
                failed.push(format!("{}: {why}", statements[next]));
            }
            next += 1;
        }
        if next < statements.len() {
            let last = text.lines().rfind(|line| line.starts_with("at ")).unwrap_or("");
            failed.push(format!("{}: {last}: the process ended: {}", statements[next], child.status));
            next += 1;
        }
    }
    assert!(failed.is_empty(), "{} of {} statements:\n{}", failed.len(), statements.len(), failed.join("\n"));
}
