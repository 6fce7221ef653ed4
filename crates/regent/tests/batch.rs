//! Batch programs on VSAM data sets: `regent run` with DD names, data sets made by IDCAMS or by the program's own description.
//! File status values: Enterprise COBOL for z/OS Language Reference, "File status key".

mod support;

use std::path::{Path, PathBuf};

use support::{regent, root};

fn program(name: &str) -> PathBuf {
    root().join("crates/regent/tests/applications/batch").join(name)
}

/// Runs a program; its lines without trailing spaces.
fn run(name: &str, data: &Path, arguments: &[&str]) -> Vec<String> {
    let output = regent().arg("run").arg(program(name)).arg("--data").arg(data).args(arguments).output().expect("regent runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{name}: {text}{}", String::from_utf8_lossy(&output.stderr));
    text.lines().map(|line| line.trim_end().to_string()).collect()
}

fn idcams(data: &Path, statements: &str) {
    let file = data.with_extension("ams");
    std::fs::write(&file, statements).expect("written");
    let output = regent().arg("idcams").arg(&file).arg("--data").arg(data).output().expect("regent runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

const INDEXED: &[&str] = &[
    "READ CLOSED   47",
    "CLOSE CLOSED  42",
    "OPEN OUTPUT   00",
    "OPEN AGAIN    41",
    "WRITE         00",
    "WRITE         00",
    // Another SMITH.
    "WRITE         02",
    "WRITE         22",
    "READ OUTPUT   47",
    "OPEN I-O      00",
    "NEXT          00 0010JONES YORK",
    "NEXT          00 0020SMITH HULL",
    "NEXT          00 0030SMITH LEEDS",
    "AT END",
    "NEXT          10",
    "KEY           00 0020SMITH HULL",
    "NEXT AFTER KEY00 0030SMITH LEEDS",
    "INVALID KEY",
    "KEY ABSENT    23",
    // Records with the same alternate key come in the order they were written.
    "NAME          02 0030SMITH LEEDS",
    "NAME          00 0020SMITH HULL",
    "AT END",
    "NAME          10",
    "START >       00",
    "START >       00 0020SMITH HULL",
    "START > LAST  23",
    // Without a position the next record cannot be read.
    "START > LAST  46",
    "REWRITE       00",
    "REWRITE       23",
    "DELETE        00",
    "DELETE        23",
    "EXTEND        21",
    "EXTEND        00",
    "OPEN LOCKED   38",
];

#[test]
fn indexed_file_from_its_description() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().join("data");
    for ccsid in ["37", "819"] {
        let lines = run("INDEXED.cbl", &data, &["--dd", "CUST=newdataset:TEST.CUSTOMER", "--ccsid", ccsid]);
        assert_eq!(lines, INDEXED, "CCSID {ccsid}");
    }
}

const DEFINE: &str = "
  DEFINE CLUSTER (NAME(TEST.CUSTOMER) INDEXED KEYS(4 0) RECORDSIZE(20 20) TRACKS(1 1))
  DEFINE ALTERNATEINDEX (NAME(TEST.CUSTOMER.NAMES) RELATE(TEST.CUSTOMER) KEYS(6 4) RECORDSIZE(20 200) -
         NONUNIQUEKEY UPGRADE TRACKS(1 1))
  DEFINE PATH (NAME(TEST.CUSTOMER.PATH) PATHENTRY(TEST.CUSTOMER.NAMES))
  DEFINE CLUSTER (NAME(TEST.SHORT) INDEXED KEYS(4 0) RECORDSIZE(19 19) TRACKS(1 1))
";

#[test]
fn indexed_file_made_by_idcams() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().join("data");
    idcams(&data, DEFINE);
    // The alternate key is read through the path of DD CUST1.
    let lines = run("INDEXED.cbl", &data, &["--dd", "CUST=dataset:TEST.CUSTOMER", "--dd", "CUST1=dataset:TEST.CUSTOMER.PATH"]);
    assert_eq!(lines, INDEXED);
    // It has records now and is not REUSE: OPEN OUTPUT is refused, and nothing is lost.
    let lines = run("INDEXED.cbl", &data, &["--dd", "CUST=dataset:TEST.CUSTOMER"]);
    assert_eq!(lines[2], "OPEN OUTPUT   37");
    let read: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("NEXT          00 ")).collect();
    assert_eq!(read, ["0010JONES LUTON", "0030SMITH LEEDS", "0040LAST"]);
    // Another record length, and a data set that is not there.
    assert_eq!(run("INDEXED.cbl", &data, &["--dd", "CUST=dataset:TEST.SHORT"])[2], "OPEN OUTPUT   39");
    assert_eq!(run("INDEXED.cbl", &data, &["--dd", "CUST=dataset:TEST.NONE"])[2], "OPEN OUTPUT   35");
}

#[test]
fn relative_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let lines = run("RELATIVE.cbl", &directory.path().join("data"), &["--dd", "SLOTDD=newdataset:TEST.SLOTS"]);
    let expected = [
        "WRITE 00", "WRITE 00", "WRITE 22", "WRITE 24", "EXTEND 00 06", "NEXT 00 02 TWO", "NEXT 00 05 FIVE", "NEXT 00 06 ADDED",
        "NEXT 10 06 ADDED", "REWRITE 00", "DELETE 00", "READ 23", "START 00 05 CHANGED", "START 23",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn sequential_file_on_an_entry_sequenced_data_set() {
    let directory = tempfile::tempdir().expect("a directory");
    let lines = run("ENTRYSEQ.cbl", &directory.path().join("data"), &["--dd", "EVENTS=newdataset:TEST.EVENTS"]);
    let expected =
        ["REWRITE 00", "REWRITE 43", "READ 00 FIRST", "READ 00 CHANGED", "READ 00 THIRD", "READ 10 THIRD", "READ 46"];
    assert_eq!(lines, expected);
}

/// A sequential data set has no cluster: it is kept beside the store, and a later step reads it by its name.
#[test]
fn sequential_data_set_passed_between_steps() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().join("data");
    let lines = run("PASSON.cbl", &data, &["--parm", "WRITE", "--dd", "PASSED=newdataset:TEST.DAILY"]);
    assert_eq!(lines, ["OPEN 00", "WRITTEN 3"]);
    let lines = run("PASSON.cbl", &data, &["--parm", "READ", "--dd", "PASSED=dataset:TEST.DAILY"]);
    assert_eq!(lines, ["OPEN 00", "R 00001", "R 00002 TWICE AS LONG", "R 00003"]);
    let lines = run("PASSON.cbl", &data, &["--parm", "READ", "--dd", "PASSED=dataset:TEST.NOTHING"]);
    assert_eq!(lines, ["OPEN 35"]);
    // Variable records: a descriptor word of 4 bytes before each.
    let bytes = std::fs::read(directory.path().join("sequential/TEST.DAILY")).expect("the data set");
    assert_eq!(bytes.len(), 3 * 4 + 5 + 20 + 5);
    assert_eq!(&bytes[..4], &[0, 9, 0, 0]);
}

/// Storage, parameter, random numbers, messages and condition tokens (z/OS Language Environment Programming Reference).
#[test]
fn language_environment_services() {
    let directory = tempfile::tempdir().expect("a directory");
    let lines = run("SERVICES.cbl", &directory.path().join("data"), &["--parm", "A PARM"]);
    let expected = [
        "FC 0000 0000", "FC 0000 0000", "KEPTKEPT", "FC 0000 0000", "FREED",
        // An address that was not obtained (CEE0PA), and a size that is not positive (CEE0P8).
        "FC 0003 0810", "FC 0003 0808", "A PARM",
        // From seed 1 the generator's multiplier itself; 950706376 / (2**31 - 1) = 0.442707155...
        "950706376", "044270716", "TO MSGFILE.", "0003 2507 000100030001CEE", "000000003",
    ];
    assert_eq!(lines, expected);
}

/// Math services: operands, feedback code, result; the values are those of tables, in hexadecimal floating point and IEEE items.
#[test]
fn math_services() {
    let directory = tempfile::tempdir().expect("a directory");
    let expected = [
        "SQT 0012000000 0000", "XPD 0008000000 0000", "LOG 0000693147 0000", "MOD 00002", "CDV 0003 0004-",
        // Logarithm of zero (CEE1US) and arccosine of 2 (CEE1V0).
        "LOG 2012", "ACS 2016",
    ];
    for ccsid in ["37", "819"] {
        let lines = run("MATHSVC.cbl", &directory.path().join("data"), &["--ccsid", ccsid]);
        assert_eq!(lines, expected, "code page {ccsid}");
    }
    let output = regent().arg("run").arg(program("MATHSVC.cbl")).args(["--parm", "EXTENDED"]).output().expect("regent runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("CALL of callable service CEESQSQT"), "{text}");
}

/// A generation data group: +1 is made by the step and cataloged at its end, 0 is the newest, -1 the one before; beyond LIMIT the oldest goes.
#[test]
fn generations_roll_in_and_off() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().join("data");
    idcams(&data, "  DEFINE GDG (NAME(TEST.DAILY) LIMIT(2) NOEMPTY SCRATCH)\n");
    let path = |number: u32| directory.path().join(format!("sequential/TEST.DAILY.G{number:04}V00"));
    let read = |dd: &str| run("PASSON.cbl", &data, &["--parm", "READ", "--dd", dd]);
    assert_eq!(read("PASSED=TEST.DAILY(0)"), ["OPEN 35"], "there is none yet");
    for number in 1..=3 {
        assert_eq!(run("PASSON.cbl", &data, &["--parm", "WRITE", "--dd", "PASSED=TEST.DAILY(+1)"]), ["OPEN 00", "WRITTEN 3"]);
        // The later ones are told from the first by their length.
        if number > 1 {
            let mut bytes = std::fs::read(path(number)).expect("the generation");
            bytes.truncate(9);
            std::fs::write(path(number), bytes).expect("written");
        }
        assert_eq!(read("PASSED=TEST.DAILY(0)").len(), if number == 1 { 4 } else { 2 });
        if number == 2 {
            assert_eq!(read("PASSED=TEST.DAILY(-1)").len(), 4);
        }
    }
    assert_eq!((path(1).exists(), path(2).exists(), path(3).exists()), (false, true, true));
    assert_eq!(read("PASSED=dataset:TEST.DAILY(-1)").len(), 2);
    assert_eq!(read("PASSED=TEST.DAILY(-2)"), ["OPEN 35"], "it has rolled off");
    assert_eq!(read("PASSED=dataset:TEST.DAILY.G0003V00").len(), 2);
    assert_eq!(read("PASSED=TEST.NOGROUP(0)"), ["OPEN 35"]);
}

/// CBLOPTS(ON): program arguments, a slash, run-time options. CEEOPTS has options too, which those of PARM go before.
#[test]
fn run_time_options_in_parm_and_ceeopts() {
    let directory = tempfile::tempdir().expect("a directory");
    let source = directory.path().join("OPTS.cbl");
    let lines = [
        "IDENTIFICATION DIVISION.", "PROGRAM-ID. OPTS.", "ENVIRONMENT DIVISION.", "CONFIGURATION SECTION.", "SPECIAL-NAMES.",
        "    UPSI-0 ON STATUS IS FIRST-ON UPSI-7 ON STATUS IS LAST-ON.", "DATA DIVISION.", "LINKAGE SECTION.", "01  PARM.",
        "    05  PARM-LENGTH PIC S9(4) COMP.", "    05  PARM-TEXT PIC X(20).", "PROCEDURE DIVISION USING PARM.",
        "    IF PARM-LENGTH > 0 DISPLAY 'PARM ' PARM-TEXT(1:PARM-LENGTH).", "    IF FIRST-ON DISPLAY 'FIRST'.", "    IF LAST-ON DISPLAY 'LAST'.",
        "    GOBACK.",
    ];
    std::fs::write(&source, lines.map(|line| format!("       {line}\n")).concat()).expect("written");
    std::fs::write(directory.path().join("ceeopts"), "STACK(128K,128K),\nUPSI(00000001)\n").expect("written");
    let ceeopts = format!("CEEOPTS={}", directory.path().join("ceeopts").display());
    let run = |parm: &str, more: &[&str]| {
        let output = regent().arg("run").arg(&source).args(["--parm", parm]).args(more).output().expect("regent runs");
        (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(run("A/B/UPSI(10000000),TRAP(ON)", &[]).0, "PARM A/B\nFIRST\n");
    assert_eq!(run("ABC", &["--dd", &ceeopts]).0, "PARM ABC\nLAST\n");
    assert_eq!(run("/UPSI(10000000)", &["--dd", &ceeopts]).0, "FIRST\n");
    let (shown, told) = run("X/BANANA", &["--upsi", "00000001"]);
    assert_eq!(shown, "PARM X\nLAST\n");
    assert!(told.contains("BANANA is not a run-time option"), "{told}");
}
