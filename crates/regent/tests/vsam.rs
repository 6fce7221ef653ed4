//! `regent vsam`: show, check, repair, export and recover, as run from a shell.

use std::path::Path;
use std::process::{Command, Output};

const STATEMENTS: &str = "
  DEFINE CLUSTER (NAME(SHOP.CUST) INDEXED KEYS(4 0) RECORDSIZE(20 20) TRACKS(1 1) LOG(ALL) LOGSTREAMID(SHOP.LOG))
  DEFINE ALTERNATEINDEX (NAME(SHOP.AIX) RELATE(SHOP.CUST) KEYS(2 4) NONUNIQUEKEY UPGRADE TRACKS(1 1))
  DEFINE PATH (NAME(SHOP.PATH) PATHENTRY(SHOP.AIX))
  REPRO INFILE(IN) OUTDATASET(SHOP.CUST)
";
const COPYBOOK: &str = "       01  CUSTOMER.
           05  CUST-ID    PIC 9(4).
           05  CUST-TOWN  PIC X(2).
           05  CUST-NAME  PIC X(14).
";

fn regent(data: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_regent"));
    command.args(arguments).arg("--data").arg(data).output().expect("regent runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn expect(data: &Path, arguments: &[&str], code: i32) -> String {
    let output = regent(data, arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{}", text(&output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn data_sets_are_shown_exported_checked_and_repaired() {
    let scratch = tempfile::tempdir().unwrap();
    let data = scratch.path().join("data");
    let path = |name: &str| scratch.path().join(name).display().to_string();
    let lines: String = (1..=30).map(|n| format!("{n:04}{:02}NAME {n:<9}\n", n % 3)).collect();
    std::fs::write(path("in.txt"), lines).unwrap();
    std::fs::write(path("define.txt"), STATEMENTS).unwrap();
    std::fs::write(path("cust.cpy"), COPYBOOK).unwrap();
    expect(&data, &["idcams", &path("define.txt"), "--dd", &format!("IN={}:text", path("in.txt"))], 0);

    let shown = expect(&data, &["vsam", "show"], 0);
    assert!(shown.contains("SHOP.CUST") && shown.contains("KSDS") && shown.contains("30 records") && shown.contains("SHOP.AIX"), "{shown}");
    assert!(expect(&data, &["vsam", "show", "shop.cust"], 0).contains("REC-TOTAL-------------30"));
    let checked = expect(&data, &["vsam", "check"], 0);
    assert!(checked.contains("good: 30 records, 30 index entries"), "{checked}");

    let csv = expect(&data, &["vsam", "export", "SHOP.CUST", "--copybook", &path("cust.cpy")], 0);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[7]), (31, "CUST-ID,CUST-TOWN,CUST-NAME", "7,01,NAME 7"));
    // A path gives the records by its key.
    let json = expect(&data, &["vsam", "export", "SHOP.PATH", "--copybook", &path("cust.cpy"), "--as", "json"], 0);
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(first, serde_json::json!({ "CUST-ID": 3, "CUST-TOWN": "00", "CUST-NAME": "NAME 3" }));

    // One bit of a record flipped on disk: EBCDIC 0012.
    let pages = data.join("pages/data.mdb");
    let mut bytes = std::fs::read(&pages).unwrap();
    let key = [0xF0, 0xF0, 0xF1, 0xF2, 0xF0, 0xF0, 0xD5];
    let mut places: Vec<usize> = bytes.windows(key.len()).enumerate().filter(|(_, window)| *window == key).map(|(at, _)| at).collect();
    places.iter_mut().for_each(|at| bytes[*at + 6] ^= 1);
    std::fs::write(&pages, bytes).unwrap();
    let damaged = expect(&data, &["vsam", "check", "SHOP.CUST"], 8);
    assert!(damaged.contains("DAMAGED") && damaged.contains("F0F0F1F2"), "{damaged}");
    assert_ne!(regent(&data, &["vsam", "export", "SHOP.CUST"]).status.code(), Some(0), "damaged data is never given out");
    expect(&data, &["vsam", "repair", "SHOP.CUST"], 8);
    assert!(expect(&data, &["vsam", "repair", "SHOP.CUST", "--drop-damaged"], 4).contains("record F0F0F1F2 was damaged"));
    assert!(expect(&data, &["vsam", "check"], 0).contains("good: 29 records, 29 index entries"));
}

#[test]
fn what_cannot_be_done_is_said() {
    let scratch = tempfile::tempdir().unwrap();
    let missing = scratch.path().join("none");
    let output = regent(&missing, &["vsam", "show"]);
    assert!(!output.status.success() && text(&output).contains("no data directory"), "{}", text(&output));
    std::fs::create_dir(&missing).unwrap();
    let output = regent(&missing, &["vsam", "recover", "NO.SUCH", "--log", "NO.LOG"]);
    assert!(!output.status.success() && text(&output).contains("not found"), "{}", text(&output));
}
