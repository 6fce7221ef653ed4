//! The file of the database: rights, damage, crashes in the middle of a write, many processes, and what is written when it has grown.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use security::{Database, Error, Moment, Name8};

fn run(database: &Database, command: &str) {
    let report = database.execute(command, Moment::now());
    assert_eq!(report.return_code, 0, "{command}: {:?}", report.lines);
}

fn file(directory: &Path) -> PathBuf {
    directory.join("security/database")
}

/// All that commands list.
fn listing(database: &Database) -> String {
    let commands = ["LISTUSER *", "LISTGRP *", "RLIST TCICSTRN * ALL", "RLIST PTKTDATA * SSIGNON", "SETROPTS LIST"];
    commands.map(|command| database.execute(command, Moment(0)).lines.join("\n")).join("\n")
}

fn filled(directory: &Path) -> Database {
    let database = Database::open(directory).unwrap();
    for command in [
        "ADDGROUP TELLERS",
        "ADDUSER (TOM TIM) DFLTGRP(TELLERS) NAME('A TELLER')",
        "RDEFINE TCICSTRN (PAY1 CE*) UACC(READ)",
        "PERMIT PAY1 CLASS(TCICSTRN) ID(TOM) ACCESS(UPDATE)",
        "RDEFINE PTKTDATA CICSA SSIGNON(KEYMASKED(0123456789ABCDEF))",
        "SETROPTS PASSWORD(HISTORY(5) RULE2(LENGTH(8) NUMERIC(1:4) ALPHA(5:8)))",
    ] {
        run(&database, command);
    }
    database
}

#[test]
fn only_the_owner_may_read_the_files() {
    let directory = tempfile::tempdir().unwrap();
    filled(directory.path());
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&directory.path().join("security")), 0o700);
    let entries: Vec<PathBuf> = std::fs::read_dir(directory.path().join("security")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(entries.len() >= 3, "{entries:?}");
    for path in entries {
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

/// A crash leaves any part of the last line, and everything before it.
#[test]
fn a_line_that_was_cut_off_is_as_if_it_had_not_been_written() {
    let directory = tempfile::tempdir().unwrap();
    let database = filled(directory.path());
    let before = listing(&database);
    let whole = std::fs::read(file(directory.path())).unwrap();
    run(&database, "ADDUSER ANN");
    let after = listing(&database);
    let longer = std::fs::read(file(directory.path())).unwrap();
    assert_ne!(before, after);
    drop(database);
    let lengths = (whole.len()..longer.len()).step_by(7).chain([longer.len() - 1]);
    for length in lengths {
        std::fs::write(file(directory.path()), &longer[..length]).unwrap();
        let database = Database::open(directory.path()).unwrap();
        assert_eq!(listing(&database), before, "cut at {length}");
        run(&database, "ADDUSER ANN");
        assert_eq!(listing(&Database::open(directory.path()).unwrap()), after, "cut at {length}");
    }
    // Blocks that were not written are zero.
    let mut holes = longer.clone();
    holes[whole.len() + 20..whole.len() + 60].fill(0);
    std::fs::write(file(directory.path()), &holes).unwrap();
    assert_eq!(listing(&Database::open(directory.path()).unwrap()), before);
}

#[test]
fn damage_is_told_with_its_place() {
    let directory = tempfile::tempdir().unwrap();
    filled(directory.path());
    let whole = std::fs::read(file(directory.path())).unwrap();
    for at in (0..whole.len()).step_by(97) {
        let mut damaged = whole.clone();
        damaged[at] ^= 4;
        std::fs::write(file(directory.path()), &damaged).unwrap();
        let error = Database::open(directory.path()).err().unwrap_or_else(|| panic!("byte {at} was changed"));
        assert!(matches!(error, Error::Damaged { .. } | Error::NotADatabase { .. }), "{error}");
        assert!(error.to_string().contains("security/database"), "{error}");
    }
}

/// Two databases of one directory behave as two processes do, but for the lock of the file, which is by open file.
#[test]
fn changes_from_many_sides_are_all_kept() {
    let directory = tempfile::tempdir().unwrap();
    let databases: Vec<Database> = (0..4).map(|_| Database::open(directory.path()).unwrap()).collect();
    std::thread::scope(|scope| {
        for (at, database) in databases.iter().enumerate() {
            scope.spawn(move || (0..25).for_each(|number| run(database, &format!("ADDUSER U{at}X{number}"))));
        }
    });
    let last = Database::open(directory.path()).unwrap();
    let users = last.execute("SEARCH CLASS(USER)", Moment::now()).lines;
    assert_eq!(users.len(), 100);
    for database in &databases {
        assert_eq!(database.generation(), last.generation());
        assert!(database.identify(Name8::new("U3X24").unwrap(), None, Moment::now()).is_ok());
    }
}

/// A file that has grown to many times its content is written anew, and other processes go on with it.
#[test]
fn a_file_that_has_grown_is_written_anew() {
    let directory = tempfile::tempdir().unwrap();
    let database = filled(directory.path());
    let other = Database::open(directory.path()).unwrap();
    run(&database, "SETROPTS RACLIST(TCICSTRN)");
    database.execute("RALTER TCICSTRN PAY1 UACC(NONE)", Moment::now());
    let members: Vec<String> = (0..2000).map(|number| format!("T{number:04}")).collect();
    database.execute(&format!("RDEFINE GCICSTRN MANY ADDMEM({})", members.join(" ")), Moment::now());
    let path = file(directory.path());
    let mut largest = 0;
    for number in 0..4000 {
        let length = std::fs::metadata(&path).unwrap().len();
        if length < largest {
            break;
        }
        largest = length;
        database.execute(&format!("RALTER GCICSTRN MANY LEVEL({})", number % 100), Moment::now());
    }
    assert!(std::fs::metadata(&path).unwrap().len() < largest / 4);
    let expected = listing(&database);
    other.generation();
    assert_eq!(listing(&other), expected);
    let last = Database::open(directory.path()).unwrap();
    assert_eq!(listing(&last), expected);
    // What is in effect in a class in RACLIST is still what it was before the last change.
    let tim = last.identify(Name8::new("TIM").unwrap(), None, Moment::now()).unwrap();
    assert_eq!(last.access(&tim, "TCICSTRN", "PAY1").level, Some(security::Level::Read));
    run(&other, "ADDUSER ANN");
    last.generation();
    assert!(last.identify(Name8::new("ANN").unwrap(), None, Moment::now()).is_ok());
}

#[test]
fn the_file_is_not_followed_if_it_is_a_symbolic_link() {
    let directory = tempfile::tempdir().unwrap();
    filled(directory.path());
    let elsewhere = directory.path().join("elsewhere");
    std::fs::rename(file(directory.path()), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, file(directory.path())).unwrap();
    assert!(matches!(Database::open(directory.path()), Err(Error::Io { .. })));
}

#[test]
fn the_audit_file_is_moved_on_when_it_is_full() {
    use security::{AuditRecord, Event, FILE_BYTES_MAX, FILES_MAX};
    let directory = tempfile::tempdir().unwrap();
    let database = Database::open(directory.path()).unwrap();
    let folder = directory.path().join("security");
    let resource = "R".repeat(600);
    let user = Name8::new("TOM").unwrap();
    let append = || {
        let record = AuditRecord {
            class: Some("TCICSTRN"),
            resource: Some(&resource),
            ..AuditRecord::new(Moment(1), Event::Access, user, "failure")
        };
        database.audit(&record).unwrap();
    };
    append();
    let line = std::fs::read_to_string(folder.join("audit.log")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(
        (record["user"].as_str(), record["event"].as_str(), record["result"].as_str()),
        (Some("TOM"), Some("access"), Some("failure"))
    );
    assert_eq!(record["resource"].as_str().map(str::len), Some(512), "cut off");
    // Full but for less than a line: the next goes into a file of its own.
    for round in 1..=FILES_MAX + 1 {
        let mut file = std::fs::OpenOptions::new().append(true).open(folder.join("audit.log")).unwrap();
        let length = file.metadata().unwrap().len();
        file.write_all(&vec![b'x'; (FILE_BYTES_MAX - length) as usize]).unwrap();
        append();
        assert_eq!(std::fs::metadata(folder.join("audit.log")).unwrap().len(), line.len() as u64);
        let files =
            std::fs::read_dir(&folder).unwrap().filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().contains("audit"));
        assert_eq!(files.count(), (round + 1).min(FILES_MAX));
        assert!(std::fs::metadata(folder.join("audit.log.1")).unwrap().len() <= FILE_BYTES_MAX);
    }
}

/// A file of format 1, written by another program after docs/formats.md.
#[test]
fn a_file_of_an_earlier_release_is_read() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("security")).unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/format1/database");
    std::fs::copy(golden, file(directory.path())).unwrap();
    let database = Database::open(directory.path()).unwrap();
    assert_eq!(database.generation(), 7);
    assert_eq!(database.changes_since(5), security::Touched::Users(vec![Name8::new("TIM").unwrap()]));
    assert_eq!(database.changes_since(4), security::Touched::Anyone);
    let listed = listing(&database);
    for line in [
        "USER=TOM       NAME=TOM JONES ",
        " LAST-ACCESS=26.001/12:01:00",
        " ATTRIBUTES=REVOKED",
        "PASS-INTERVAL= 60",
        "SETR RACLIST CLASSES = TCICSTRN",
    ] {
        assert!(listed.contains(line), "{line}:\n{listed}");
    }
    let tom = database.identify(Name8::new("TOM").unwrap(), None, Moment::now()).unwrap();
    assert_eq!((tom.operator.operator_classes, tom.operator.timeout_minutes, tom.attributes.special), (5, 30, true));
    let level = |resource: &str| database.access(&tom, "TCICSTRN", resource).level;
    assert_eq!([level("PAY1"), level("CEMT")], [None, Some(security::Level::Read)], "what is in RACLIST");
    run(&database, "SETROPTS RACLIST(TCICSTRN) REFRESH");
    assert_eq!([level("PAY1"), level("CEMT")], [Some(security::Level::Update), None]);
}
