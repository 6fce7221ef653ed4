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

    let parquet = path("cust.parquet");
    expect(&data, &["vsam", "export", "SHOP.CUST", "--copybook", &path("cust.cpy"), "--as", "parquet", "-o", &parquet], 0);
    let bytes = std::fs::read(&parquet).unwrap();
    let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    // A whole number is eight bytes, a text four of length and its characters.
    assert!(has(&30i64.to_le_bytes()) && has(b"\x07\0\0\0NAME 30") && has(b"CUST-TOWN"));

    // One bit of two records flipped on disk: EBCDIC 0012 and 0013.
    let pages = data.join("pages/data.mdb");
    let mut bytes = std::fs::read(&pages).unwrap();
    let keys = [[0xF0, 0xF0, 0xF1, 0xF2, 0xF0, 0xF0, 0xD5], [0xF0, 0xF0, 0xF1, 0xF3, 0xF0, 0xF1, 0xD5]];
    let is_key = |window: &[u8]| keys.iter().any(|key| window == key);
    let mut places: Vec<usize> = bytes.windows(7).enumerate().filter(|(_, window)| is_key(window)).map(|(at, _)| at).collect();
    places.iter_mut().for_each(|at| bytes[*at + 6] ^= 1);
    std::fs::write(&pages, bytes).unwrap();
    let damaged = expect(&data, &["vsam", "check", "SHOP.CUST"], 8);
    assert!(damaged.contains("DAMAGED") && damaged.contains("F0F0F1F2") && damaged.contains("F0F0F1F3"), "{damaged}");
    assert!(damaged.contains("28 records"), "{damaged}");
    let shown = expect(&data, &["vsam", "show"], 8);
    assert!(shown.contains("? records of up to 20"), "{shown}");
    assert_ne!(regent(&data, &["vsam", "export", "SHOP.CUST"]).status.code(), Some(0), "damaged data is never given out");
    expect(&data, &["vsam", "repair", "SHOP.CUST"], 8);
    assert!(expect(&data, &["vsam", "repair", "SHOP.CUST", "--drop-damaged"], 4).contains("record F0F0F1F2 was damaged"));
    assert!(expect(&data, &["vsam", "check"], 0).contains("good: 28 records, 28 index entries"));
}

#[test]
fn impossible_requests_are_reported() {
    let scratch = tempfile::tempdir().unwrap();
    let missing = scratch.path().join("none");
    let output = regent(&missing, &["vsam", "show"]);
    assert!(!output.status.success() && text(&output).contains("no data directory"), "{}", text(&output));
    std::fs::create_dir(&missing).unwrap();
    let output = regent(&missing, &["vsam", "recover", "NO.SUCH", "--log", "NO.LOG"]);
    assert!(!output.status.success() && text(&output).contains("not found"), "{}", text(&output));
}

/// EBCDIC bytes of digits, capital letters and blanks.
fn ebcdic(text: &str) -> Vec<u8> {
    le::code_page::CCSID_037.encode(text)
}

/// Changes records as a region does, with their after-images in the log of the data set: town of 0005, 0007 gone, 0099 new.
fn change_with_log(data: &Path) {
    use vsam::{LockWait, OpenContext, OpenOptions, RecordId, Search};
    let store = vsam::Store::open(data, vsam::StoreConfig::default()).unwrap();
    let sets = vsam::DataSets::new(store.clone()).unwrap();
    let context = OpenContext { forward_log: Some("SHOP.LOG".into()), ..OpenContext::default() };
    let file = sets.open_in("SHOP.CUST", OpenOptions { recoverable: Some(true), reset: false }, context).unwrap();
    let waiter = vsam::ThreadWaiter::new();
    let wait = LockWait::never(&waiter);
    let unit = store.begin();
    let (_, token) = file.read_update(&unit, RecordId::Key(&ebcdic("0005")), Search::EQUAL, wait, &mut Vec::new()).unwrap();
    file.rewrite(&unit, token, &ebcdic(&format!("{:<20}", "000577CHANGED")), wait).unwrap();
    file.delete_record(&unit, RecordId::Key(&ebcdic("0007")), wait).unwrap();
    file.write(&unit, None, &ebcdic(&format!("{:<20}", "009977ADDED")), false, wait).unwrap();
    unit.commit(&waiter).unwrap();
    drop((file, unit));
    sets.save_statistics().unwrap();
    store.close().unwrap();
}

#[test]
fn a_data_set_is_recovered_from_backup_and_log() {
    let scratch = tempfile::tempdir().unwrap();
    let data = scratch.path().join("data");
    let path = |name: &str| scratch.path().join(name).display().to_string();
    let lines: String = (1..=30).map(|n| format!("{n:04}{:02}NAME {n:<9}\n", n % 3)).collect();
    std::fs::write(path("in.txt"), lines).unwrap();
    std::fs::write(path("define.txt"), STATEMENTS).unwrap();
    let unload = "  REPRO INDATASET(SHOP.CUST) OUTFILE(OUT)\n  EXPORT SHOP.CUST OUTFILE(PORT) TEMPORARY\n";
    std::fs::write(path("backup.txt"), unload).unwrap();
    std::fs::write(path("cust.cpy"), COPYBOOK).unwrap();
    expect(&data, &["idcams", &path("define.txt"), "--dd", &format!("IN={}:text", path("in.txt"))], 0);
    let backup = format!("{}:fixed:20", path("backup.bin"));
    let portable = path("portable.bin");
    expect(&data, &["idcams", &path("backup.txt"), "--dd", &format!("OUT={backup}"), "--dd", &format!("PORT={portable}")], 0);
    let before = expect(&data, &["vsam", "export", "SHOP.CUST", "--copybook", &path("cust.cpy")], 0);
    change_with_log(&data);
    let changed = expect(&data, &["vsam", "export", "SHOP.CUST", "--copybook", &path("cust.cpy")], 0);
    assert_eq!(changed.lines().count(), 31, "30 records, one deleted, one added");
    assert!(changed.contains("5,77,CHANGED") && changed.contains("99,77,ADDED") && !changed.contains("NAME 7\r"), "{changed}");

    // Up to a moment before the changes: the backup. With all of them: as it was.
    let early = ["vsam", "recover", "SHOP.CUST", "--backup", &backup, "--log", "SHOP.LOG", "--until", "1"];
    let said = expect(&data, &early, 0);
    assert!(said.contains("SHOP.CUST: 0 changes applied"), "{said}");
    assert_eq!(expect(&data, &["vsam", "export", "SHOP.CUST", "--copybook", &path("cust.cpy")], 0), before);
    let said = expect(&data, &["vsam", "recover", "shop.cust", "--backup", &backup, "--log", "SHOP.LOG"], 0);
    assert!(said.contains("SHOP.CUST: 3 changes applied"), "{said}");
    assert_eq!(expect(&data, &["vsam", "export", "SHOP.CUST", "--copybook", &path("cust.cpy")], 0), changed);
    let by_town = expect(&data, &["vsam", "export", "SHOP.PATH", "--copybook", &path("cust.cpy")], 0);
    assert!(by_town.contains("5,77,CHANGED") && by_town.contains("99,77,ADDED"), "the index is built anew\n{by_town}");
    let checked = expect(&data, &["vsam", "check"], 0);
    assert!(checked.contains("good: 30 records, 30 index entries"), "{checked}");
    // From what EXPORT wrote, in place: the index and its path stay.
    expect(&data, &["vsam", "recover", "SHOP.CUST", "--backup", &portable, "--portable", "--log", "SHOP.LOG"], 0);
    assert_eq!(expect(&data, &["vsam", "export", "SHOP.PATH", "--copybook", &path("cust.cpy")], 0), by_town);
    // The log can be read.
    let log = expect(&data, &["vsam", "log", "SHOP.LOG", "--data-set", "shop.cust"], 0);
    assert!(log.lines().count() == 3 && log.contains("REDO      F ") && log.contains("009977ADDED"), "{log}");
    let log = expect(&data, &["--format", "json", "vsam", "log", "SHOP.LOG"], 0);
    let last: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!((&last["kind"], &last["forward_recovery"], &last["replication"]), (&"REDO".into(), &true.into(), &false.into()), "{log}");
    assert_eq!(last["key"], "F0F0F9F9");
    // A log kept elsewhere is given by its directory.
    let elsewhere = data.join("forward").join("SHOP.LOG").display().to_string();
    expect(&data, &["vsam", "recover", "SHOP.CUST", "--backup", &backup, "--log", &elsewhere], 0);
}

#[test]
fn pages_that_are_cut_short_or_gone_are_named() {
    let scratch = tempfile::tempdir().unwrap();
    let data = scratch.path().join("data");
    let path = |name: &str| scratch.path().join(name).display().to_string();
    std::fs::write(path("in.txt"), (1..=2000).map(|n| format!("{n:04}{:02}NAME {n:<9}\n", n % 3)).collect::<String>()).unwrap();
    std::fs::write(path("define.txt"), STATEMENTS).unwrap();
    expect(&data, &["idcams", &path("define.txt"), "--dd", &format!("IN={}:text", path("in.txt"))], 0);
    let pages = data.join("pages/data.mdb");
    std::fs::write(path("list.txt"), "  REPRO INDATASET(SHOP.CUST) OUTFILE(OUT)\n").unwrap();
    let out = format!("OUT={}", path("out"));
    for (length, why) in [(8192, "pages/data.mdb is damaged"), (0, "pages/data.mdb has no data")] {
        let file = std::fs::OpenOptions::new().write(true).open(&pages).unwrap();
        file.set_len(length).unwrap();
        for arguments in [&["vsam", "show"][..], &["vsam", "check"], &["idcams", &path("list.txt"), "--dd", &out]] {
            let output = regent(&data, arguments);
            assert_eq!(output.status.code(), Some(16), "{arguments:?}: {}", text(&output));
            assert!(text(&output).contains(why), "{arguments:?}: {}", text(&output));
        }
    }
}
