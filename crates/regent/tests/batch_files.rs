//! Files of batch programs: `regent run` with DD names, and data sets created by IDCAMS or from the program's own description. File status
//! values: Enterprise COBOL for z/OS Language Reference, "File status key".

mod support;

use support::batch::{idcams, run};
use support::regent;

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
fn an_open_that_is_not_possible_says_why() {
    let directory = tempfile::tempdir().expect("a directory");
    let plain = directory.path().join("plain.bin");
    std::fs::write(&plain, "").expect("written");
    let output = regent()
        .args(["run", support::batch::program("INDEXED.cbl").to_str().expect("a path"), "--dd", &format!("CUST={}", plain.display())])
        .arg("--data")
        .arg(directory.path().join("data"))
        .output()
        .expect("regent runs");
    let (lines, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(lines.contains("OPEN OUTPUT   37"), "{lines}{said}");
    let reason = format!("CUST OPEN failed, file status 37: {} is a plain file, and the program's file is not sequential", plain.display());
    assert!(said.contains(&reason), "{said}");
}

/// Codes of the RPL feedback area and of the ACB (Macro Instructions for Data Sets, "VSAM macro return and reason codes").
#[test]
fn the_second_file_status_has_the_vsam_codes() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().join("data");
    idcams(
        &data,
        "  DEFINE CLUSTER (NAME(TEST.CUSTOMER) INDEXED KEYS(4 0) RECORDSIZE(20 20) TRACKS(1 1))
  DEFINE ALTERNATEINDEX (NAME(TEST.CUSTOMER.NAMES) RELATE(TEST.CUSTOMER) KEYS(6 4) RECORDSIZE(20 20) -
         UNIQUEKEY UPGRADE TRACKS(1 1))
  DEFINE PATH (NAME(TEST.CUSTOMER.PATH) PATHENTRY(TEST.CUSTOMER.NAMES))\n",
    );
    let names = ["--dd", "CUST=dataset:TEST.CUSTOMER", "--dd", "CUST1=dataset:TEST.CUSTOMER.PATH", "--dd", "GONE=dataset:TEST.GONE"];
    let expected = [
        "OPEN NOWHERE  35 08/0/148",
        "OPEN OUTPUT   00 00/0/000",
        "WRITE         00 00/0/000",
        "WRITE         00 00/0/000",
        "WRITE         22 08/0/008",
        // The unique alternate key of another record: in the upgrade set.
        "WRITE         22 08/4/008",
        "READ          00 00/0/000",
        "READ          23 08/0/016",
        "READ ALTERNATE23 08/2/016",
        "START         23 08/0/016",
        "START         00 00/0/000",
        "NEXT          00 00/0/000",
        "NEXT          10 08/0/004",
        "NEXT          46 00/0/000",
        "DELETE        23 08/0/016",
        "OPEN AGAIN    37 08/0/232",
    ];
    assert_eq!(run("VSAMSTAT.cbl", &data, &names), expected);
}

/// An alternate index is UNIQUEKEY or NONUNIQUEKEY by its definition ("Defining Alternate Indexes"); OPEN does not compare the program's
/// DUPLICATES phrase with it.
#[test]
fn the_duplicates_phrase_is_not_compared_with_the_alternate_index() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().join("data");
    let define = |name: &str, unique: &str| {
        format!(
            "  DEFINE CLUSTER (NAME({name}) INDEXED KEYS(4 0) RECORDSIZE(20 20) TRACKS(1 1))
  DEFINE ALTERNATEINDEX (NAME({name}.NAMES) RELATE({name}) KEYS(6 4) RECORDSIZE(20 200) -
         {unique} UPGRADE TRACKS(1 1))
  DEFINE PATH (NAME({name}.PATH) PATHENTRY({name}.NAMES))\n"
        )
    };
    idcams(&data, &(define("TEST.MANY", "NONUNIQUEKEY") + &define("TEST.ONE", "UNIQUEKEY")));
    // The program without the phrase, on an index that allows duplicates.
    let names = ["--dd", "CUST=dataset:TEST.MANY", "--dd", "CUST1=dataset:TEST.MANY.PATH", "--dd", "GONE=dataset:TEST.GONE"];
    let lines = run("VSAMSTAT.cbl", &data, &names);
    assert_eq!(lines[1], "OPEN OUTPUT   00 00/0/000");
    assert_eq!(&lines[5][..16], "WRITE         02", "a duplicate of an alternate key that the index allows");
    // The program with the phrase, on an index that does not.
    let lines = run("INDEXED.cbl", &data, &["--dd", "CUST=dataset:TEST.ONE", "--dd", "CUST1=dataset:TEST.ONE.PATH"]);
    assert_eq!((lines[2].as_str(), lines[6].as_str()), ("OPEN OUTPUT   00", "WRITE         22"));
}

#[test]
fn relative_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let lines = run("RELATIVE.cbl", &directory.path().join("data"), &["--dd", "SLOTDD=newdataset:TEST.SLOTS"]);
    let expected = [
        "WRITE 00",
        "WRITE 00",
        "WRITE 22",
        "WRITE 24",
        "EXTEND 00 06",
        "NEXT 00 02 TWO",
        "NEXT 00 05 FIVE",
        "NEXT 00 06 ADDED",
        "NEXT 10 06 ADDED",
        "REWRITE 00",
        "DELETE 00",
        "READ 23",
        "START 00 05 CHANGED",
        "START 23",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn sequential_file_on_an_entry_sequenced_data_set() {
    let directory = tempfile::tempdir().expect("a directory");
    let lines = run("ENTRYSEQ.cbl", &directory.path().join("data"), &["--dd", "EVENTS=newdataset:TEST.EVENTS"]);
    let expected = ["REWRITE 00", "REWRITE 43", "READ 00 FIRST", "READ 00 CHANGED", "READ 00 THIRD", "READ 10 THIRD", "READ 46"];
    assert_eq!(lines, expected);
}

/// A data set that has never had a record is not available; OPEN OUTPUT makes it so, and it stays so without records.
#[test]
fn data_sets_that_have_never_had_a_record_are_not_available() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().join("data");
    let define = "  DEFINE CLUSTER (NAME(TEST.KEYED) INDEXED KEYS(4 0) RECORDSIZE(10 10) TRACKS(1))
  DEFINE CLUSTER (NAME(TEST.MAYBE) INDEXED KEYS(4 0) RECORDSIZE(10 10) TRACKS(1))
  DEFINE CLUSTER (NAME(TEST.EVENTS) NONINDEXED RECORDSIZE(10 10) TRACKS(1))
  DEFINE CLUSTER (NAME(TEST.SLOTS) NUMBERED RECORDSIZE(10 10) TRACKS(1))\n";
    idcams(&data, define);
    let dds = ["KEYED=dataset:TEST.KEYED", "MAYBE=dataset:TEST.MAYBE", "EVENTS=dataset:TEST.EVENTS", "SLOTS=dataset:TEST.SLOTS"];
    let arguments: Vec<&str> = dds.iter().flat_map(|dd| ["--dd", dd]).collect();
    let lines = run("NEVERLOA.cbl", &data, &arguments);
    let expected = [
        "KEYED INPUT   35 00008 00160",
        "KEYED I-O     35 00008 00160",
        "EVENTS EXTEND 35 00008 00160",
        "SLOTS INPUT   35 00008 00160",
        "MAYBE INPUT   05",
        "MAYBE READ    10",
        "MAYBE I-O     05",
        "MAYBE INPUT   00",
        "KEYED OUTPUT  00",
        "KEYED INPUT   00",
        "KEYED READ    10",
        "SLOTS OUTPUT  00",
        "SLOTS I-O     00",
    ];
    assert_eq!(lines, expected);
    // What OPEN OUTPUT has made available stays so in the next step.
    let lines = run("NEVERLOA.cbl", &data, &arguments);
    assert_eq!(lines[0], "KEYED INPUT   00 00000 00000");
    assert_eq!(lines[2], "EVENTS EXTEND 35 00008 00160");
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

/// DELETE of a non-VSAM data set removes the flat file the region keeps for it, and no other.
#[test]
fn a_deleted_data_set_takes_its_flat_file_along() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().join("data");
    let kept = |name: &str| directory.path().join("sequential").join(name);
    std::fs::create_dir_all(directory.path().join("sequential")).expect("made");
    let names = ["TEST.A", "TEST.B", "TEST.C"];
    names.iter().for_each(|name| std::fs::write(kept(name), "data").expect("written"));
    // Files of the same name at other places are not the region's.
    std::fs::write(directory.path().join("TEST.A"), "data").expect("written");
    std::fs::create_dir_all(&data).expect("made");
    std::fs::write(data.join("TEST.A"), "data").expect("written");
    for name in names {
        idcams(&data, &format!("  DEFINE NONVSAM (NAME({name}) DEVT(3390) VOL(V1))\n"));
    }
    idcams(&data, "  DELETE TEST.A NONVSAM\n  DELETE TEST.B NOSCRATCH\n");
    assert_eq!(names.map(|name| kept(name).is_file()), [false, true, true]);
    assert!(directory.path().join("TEST.A").is_file() && data.join("TEST.A").is_file());
    // A new name takes it along.
    idcams(&data, "  ALTER TEST.C NEWNAME(TEST.D)\n");
    assert!(kept("TEST.D").is_file() && !kept("TEST.C").exists());
}

/// A data class given on the command line compresses the data sets of it.
#[test]
fn a_data_class_with_compaction_compresses() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("define.ams");
    std::fs::write(&file, "  DEFINE CLUSTER (NAME(TEST.C) KEYS(8 0) RECSZ(90 90) MB(9 1) DATACLASS(SMALLER))\n  LISTCAT ENT(TEST.C) ALL\n")
        .expect("written");
    let listing = |data: &str, options: &[&str]| {
        let output =
            regent().arg("idcams").arg(&file).arg("--data").arg(directory.path().join(data)).args(options).output().expect("regent runs");
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(listing("a", &["--data-class", "smaller=compaction"]).contains("COMP-FORMT"));
    assert!(!listing("b", &[]).contains("COMP-FORMT"));
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
    // What a step that was killed has left is no generation before it is rolled in.
    std::fs::copy(path(2), path(4)).expect("copied");
    idcams(&data, "  ALTER TEST.DAILY.G0004V00 ROLLIN\n");
    assert_eq!((path(2).exists(), path(3).exists(), path(4).exists()), (false, true, true));
    idcams(
        &data,
        "  DEFINE CLUSTER (NAME(TEST.COPY) NONINDEXED RECORDSIZE(9 9) TRACKS(1 1))\n  REPRO INDATASET(TEST.DAILY(0)) OUTDATASET(TEST.COPY)\n",
    );
}

/// Format V with block descriptor words: written, read, updated in place and extended, as without them.
#[test]
fn variable_records_in_blocks() {
    let directory = tempfile::tempdir().expect("a directory");
    let source = directory.path().join("BLOCKED.cbl");
    let lines = [
        "IDENTIFICATION DIVISION.",
        "PROGRAM-ID. BLOCKED.",
        "ENVIRONMENT DIVISION.",
        "INPUT-OUTPUT SECTION.",
        "FILE-CONTROL.",
        "    SELECT F ASSIGN TO F FILE STATUS ST.",
        "DATA DIVISION.",
        "FILE SECTION.",
        "FD  F RECORD VARYING FROM 1 TO 20000 DEPENDING ON L",
        "    RECORDING MODE V.",
        "01  R PIC X(20000).",
        "WORKING-STORAGE SECTION.",
        "01  ST PIC XX.",
        "01  L PIC 9(5).",
        "PROCEDURE DIVISION.",
        "    OPEN OUTPUT F",
        "    PERFORM VARYING L FROM 1 BY 6666 UNTIL L > 20000",
        "      MOVE ALL 'X' TO R",
        "      WRITE R",
        "    END-PERFORM",
        "    CLOSE F",
        "    OPEN I-O F",
        "    READ F",
        "    READ F",
        "    MOVE ALL 'Y' TO R",
        "    REWRITE R",
        "    CLOSE F",
        "    OPEN EXTEND F",
        "    MOVE 5 TO L",
        "    WRITE R",
        "    CLOSE F",
        "    OPEN INPUT F",
        "    PERFORM UNTIL ST NOT = '00'",
        "      READ F",
        "      DISPLAY ST ' ' L ' ' R(1:1)",
        "    END-PERFORM",
        "    GOBACK.",
    ];
    std::fs::write(&source, lines.map(|line| format!("       {line}\n")).concat()).expect("written");
    let run = |format: &str| {
        let file = directory.path().join(format);
        let output =
            regent().arg("run").arg(&source).args(["--dd", &format!("F={}:{format}", file.display())]).output().expect("regent runs");
        (String::from_utf8_lossy(&output.stdout).into_owned(), std::fs::read(file).expect("the file"))
    };
    let (shown, plain) = run("variable");
    assert_eq!(shown, "00 00001 X\n00 06667 Y\n00 13333 X\n00 19999 X\n00 00005 Y\n10 00005 Y\n");
    let (shown_of_blocks, blocked) = run("blocked");
    assert_eq!(shown_of_blocks, shown);
    // Records of 1, 6667 and 13333 bytes with their words fill a block of 20017 bytes, 19999 another, and the last is added in one of its own.
    let blocks = [20_017, 20_007, 13];
    let mut at = 0;
    let mut records = Vec::new();
    for length in blocks {
        assert_eq!(blocked[at..at + 4], [(length >> 8) as u8, length as u8, 0, 0], "at {at}");
        records.extend_from_slice(&blocked[at + 4..at + length]);
        at += length;
    }
    assert_eq!((at, records == plain), (blocked.len(), true));
}

/// The line on standard error, and the output.
fn abend(directory: &std::path::Path, files: &[&str]) -> (String, String) {
    let output = regent().current_dir(directory).arg("run").args(files).output().expect("regent runs");
    assert_eq!(output.status.code(), Some(255));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// A caller and the program it calls, each in a file of its own; the abend of a missing one names program, source and line.
#[test]
fn programs_of_several_sources_call_each_other() {
    let directory = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).expect("written");
    write(
        "A.cbl",
        "       IDENTIFICATION DIVISION.
       PROGRAM-ID. A.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 N PIC 9(4) VALUE 20.
       PROCEDURE DIVISION.
           CALL 'B' USING N
           DISPLAY 'A GOT ' N
           CALL 'NOSUCH'
           GOBACK.
",
    );
    write(
        "B.cbl",
        "       IDENTIFICATION DIVISION.
       PROGRAM-ID. B.
       DATA DIVISION.
       LINKAGE SECTION.
       01 N PIC 9(4).
       PROCEDURE DIVISION USING N.
           ADD 1 TO N
           GOBACK.
",
    );
    let (output, error) = abend(directory.path(), &["A.cbl", "B.cbl"]);
    assert_eq!(output, "A GOT 0021\nCEE3501S The module NOSUCH was not found.\n");
    assert!(error.starts_with("U4038 in A at line 9, offset "), "{error}");
    assert!(error.ends_with(": CALL of NOSUCH: there is no program of that name (A.cbl:9)\n"), "{error}");
    // Without B the first CALL fails.
    let (_, error) = abend(directory.path(), &["A.cbl"]);
    assert!(error.ends_with(": CALL of B: there is no program of that name (A.cbl:7)\n"), "{error}");
    // A load module is a file as well as a source.
    let output = regent().current_dir(directory.path()).args(["compile", "B.cbl", "-o", "modules"]).output().expect("regent runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (output, _) = abend(directory.path(), &["A.cbl", "modules/B.rlm"]);
    assert!(output.starts_with("A GOT 0021\n"), "{output}");
    // A source that does not compile: nothing runs.
    write("C.cbl", "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. C.\n       PROCEDURE DIVISION.\n           DISPLAY NOWHERE.\n");
    let output = regent().current_dir(directory.path()).args(["run", "A.cbl", "C.cbl"]).output().expect("regent runs");
    assert_eq!((output.stdout.len(), output.status.code()), (0, Some(12)));
}
