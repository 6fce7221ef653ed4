//! `regent security`: commands in, listings out, the return code as the exit code; files that only their owner can read.

mod support;

use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use support::regent;

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
