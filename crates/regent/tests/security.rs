//! `regent security`: commands in, listings out, the return code as the exit code; files that only their owner can read.

#[path = "security/commands.rs"]
mod commands;
mod support;
#[path = "security/users.rs"]
mod users;
#[path = "security/support.rs"]
mod world;

use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use support::regent;
use support::small_disk::SmallDisk;

fn security(data: &Path, arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut command = regent();
    command.arg("security").args(arguments).arg("--data").arg(data);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("regent runs");
    child.stdin.take().expect("standard input").write_all(input.as_bytes()).expect("written");
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("an exit code"), text(stdout), text(stderr))
}

#[test]
fn commands_come_from_the_command_line_a_file_and_standard_input() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let (code, listing, errors) = security(&data, &["LISTGRP"], "");
    assert_eq!(code, 0, "{errors}");
    assert!(listing.starts_with("INFORMATION FOR GROUP SYS1\n") && listing.contains("REGADMIN"), "{listing}");
    let password = errors.split("has the password ").nth(1).and_then(|rest| rest.split(' ').next()).expect("the password is shown");
    assert_eq!(password.len(), 8);
    // Shown once; it works, and is not in the file.
    let change = format!("PASSWORD USER(REGADMIN) PASSWORD({password} NEWPASS1)\n");
    assert_eq!(security(&data, &["-"], &change), (0, String::new(), String::new()));
    let (code, listing, _) = security(&data, &["-"], &change);
    assert_eq!((code, &listing[..]), (8, "LINE 1:\nRGTS103E PASSWORD OF USER REGADMIN IS NOT CHANGED: THE PASSWORD IS WRONG\n"));
    let file = std::fs::read_to_string(data.join("security/database")).unwrap();
    assert!(!file.contains(password) && !file.contains("NEWPASS1"));
    let audit = std::fs::read_to_string(data.join("security/audit.log")).unwrap();
    assert!(audit.contains("PASSWORD(...)") && !audit.contains(password) && !audit.contains("NEWPASS1"), "{audit}");
    let commands = directory.path().join("commands");
    std::fs::write(&commands, "ADDUSER ALICE -\n  NAME('ALICE LIDDELL')\nLU ALICE\nADDUSER ALICE\n").unwrap();
    let (code, listing, _) = security(&data, &[commands.to_str().unwrap()], "");
    assert!(code == 8 && listing.contains("NAME=ALICE LIDDELL"), "{listing}");
    assert!(listing.ends_with("LINE 4:\nRGTS101E ALICE IS ALREADY DEFINED\n"), "{listing}");
    assert_eq!(security(&data, &["DELUSER ALICE"], "").0, 0);
    assert_eq!(security(&data, &["LU ALICE"], "").0, 8);
    assert_eq!(security(&data, &["LISTUSERS"], "").0, 12);
}

#[test]
fn an_unload_is_taken_in() {
    let directory = tempfile::tempdir().unwrap();
    let (data, unload) = (directory.path().join("data"), directory.path().join("unload"));
    std::fs::write(&unload, "0100 PAYGRP   SYS1     2001-02-03 IBMUSER  NONE\n").unwrap();
    let (code, listing, _) = security(&data, &["--unload", unload.to_str().unwrap(), "LISTGRP PAYGRP"], "");
    assert_eq!(code, 0, "{listing}");
    assert!(listing.starts_with("RGTS134I 1 GROUPS, 0 USERS AND 0 PROFILES WERE TAKEN IN\nINFORMATION FOR GROUP PAYGRP\n"), "{listing}");
    assert!(listing.contains("OWNER=IBMUSER   CREATED=01.034"), "{listing}");
}

#[test]
fn a_damaged_database_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(security(directory.path(), &["ADDUSER ALICE"], "").0, 0);
    let file = directory.path().join("security/database");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let (code, _, errors) = security(directory.path(), &["LISTUSER *"], "");
    assert_eq!(code, 16);
    assert!(errors.contains("security/database") && errors.contains("damaged at byte") && errors.contains("Restore"), "{errors}");
}

/// A disk without room refuses the change, says so, and leaves the database as it was.
#[test]
fn a_full_disk_loses_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let Some(_disk) = SmallDisk::mount(directory.path(), "1m") else { return };
    assert_eq!(security(directory.path(), &["ADDUSER ALICE"], "").0, 0);
    let filler = directory.path().join("filler");
    let full = std::fs::write(&filler, vec![0; 2 << 20]);
    assert!(full.is_err(), "the disk is full");
    let members: String = (0..1000).map(|number| format!("T{number:03} ")).collect();
    let (code, listing, _) = security(directory.path(), &["-"], &format!("RDEFINE GCICSTRN MANY ADDMEM({members})\nLU ALICE\n"));
    assert!(code == 8 && listing.contains("RGTS199E") && listing.contains("No space left on device"), "{listing}");
    assert!(listing.contains("USER=ALICE"), "{listing}");
    std::fs::remove_file(filler).unwrap();
    let (code, listing, _) = security(directory.path(), &["RLIST GCICSTRN MANY"], "");
    assert_eq!((code, &listing[..]), (8, "RGTS102E MANY IS NOT DEFINED IN CLASS GCICSTRN\n"));
    assert_eq!(security(directory.path(), &["-"], &format!("RDEFINE GCICSTRN MANY ADDMEM({members})\n")).0, 0);
}

/// However early it is killed, what it has done is there, in order and complete.
#[test]
fn a_kill_loses_no_command_that_has_ended() {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(security(directory.path(), &["ADDGROUP MANY"], "").0, 0);
    let mut expected = 0;
    for round in 0..5 {
        let mut command = regent();
        command.args(["security", "-", "--data"]).arg(directory.path()).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("regent runs");
        let commands: String = (0..3000).map(|number| format!("ADDUSER R{round}X{number}\n")).collect();
        let mut input = child.stdin.take().expect("standard input");
        // All is read before the first command is carried out.
        input.write_all(commands.as_bytes()).expect("written");
        drop(input);
        let file = directory.path().join("security/database");
        let length = std::fs::metadata(&file).unwrap().len();
        testing::eventually("commands are carried out", || std::fs::metadata(&file).unwrap().len() > length + 15_000 * (round + 1));
        child.kill().expect("killed");
        child.wait().expect("it ends");
        let (code, listing, errors) = security(directory.path(), &[&format!("SEARCH CLASS(USER) MASK(R{round}X)")], "");
        assert_eq!(code, 0, "{errors}");
        let mut numbers: Vec<u64> = listing.lines().map(|line| line[3..].parse().expect("a number")).collect();
        numbers.sort_unstable();
        assert!(numbers.len() > 10 && numbers.iter().copied().eq(0..numbers.len() as u64), "{numbers:?}");
        expected += numbers.len();
    }
    assert_eq!(
        security(directory.path(), &["SEARCH CLASS(USER) MASK(R)"], "").1.lines().filter(|line| line.contains('X')).count(),
        expected
    );
}
