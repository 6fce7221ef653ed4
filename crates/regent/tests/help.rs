//! `regent help`, and the pages of `docs/commands`, which it generates.

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use support::{regent, root};

/// Exit code and what was printed, standard error last.
fn help(words: &[&str]) -> (i32, String) {
    let output = regent().arg("help").args(words).output().expect("regent runs");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8")).concat();
    (output.status.code().expect("an exit code"), text)
}

fn page(words: &[&str]) -> String {
    let (code, text) = help(words);
    assert_eq!(code, 0, "help {words:?}\n{text}");
    text
}

fn has_line(text: &str, words: &[&str]) -> bool {
    text.lines().any(|line| line.split_whitespace().collect::<Vec<_>>().starts_with(words))
}

#[test]
fn help_of_the_command_line_is_that_of_its_commands() {
    for words in [&["up"][..], &["vsam", "show"], &[]] {
        let of_option = regent().args(words).arg("--help").output().expect("regent runs");
        assert_eq!(page(words), String::from_utf8(of_option.stdout).expect("UTF-8"), "{words:?}");
    }
}

/// Expected: "READ" in the CICS application programming reference.
#[test]
fn a_command_is_found_however_it_is_written() {
    let read = page(&["READ"]);
    for words in [&["read"][..], &["READ FILE"], &["read", "file"], &["EXEC", "CICS", "READ", "FILE('ACCOUNTS')", "END-EXEC"]] {
        assert_eq!(page(words), read, "{words:?}");
    }
    assert!(read.starts_with("READ\n"), "{read}");
    assert!(read.contains("    {INTO(data-area) | SET(ptr-ref)}\n"), "{read}");
    assert!(read.contains("    [KEYLENGTH(data-value) [GENERIC]]\n"), "{read}");
    assert!(read.contains("EIBFN: X'0602'"), "{read}");
    assert!(has_line(&read, &["NOTFND", "13", "80", "abend", "AEIM", "there", "is", "no", "such", "record"]), "{read}");
    assert!(has_line(&read, &["INVREQ", "16", "20", "abend", "AEIP"]), "{read}");
    assert!(has_line(&read, &["KEYLENGTH", "data-value,", "halfword", "in"]), "{read}");
    assert!(!read.contains('\x1b'), "no colour but on a terminal");
    assert!(page(&["exec", "cics", "inquire", "task"]).contains("EIBFN: X'5E02'"));
    assert!(page(&["SEND", "MAP('M1')", "ERASE"]).starts_with("SEND MAP\n"));
    assert!(page(&["readq"]).starts_with("READQ TS\n"), "READQ is READQ TS");
}

#[test]
fn a_verb_lists_its_commands() {
    let inquire = page(&["inquire"]);
    assert!(has_line(&inquire, &["INQUIRE", "TASK", "Returns"]), "{inquire}");
    assert!(has_line(&inquire, &["INQUIRE", "WEBSERVICE", "not", "executed"]), "{inquire}");
    let refused = page(&["web", "open"]);
    assert!(refused.contains("Not available yet. The compiler says WEB OPEN is not available") && refused.contains("AEY9"), "{refused}");
}

/// Expected: "EXEC interface block response codes" and "AEIx abend codes".
#[test]
fn a_condition_is_found_by_name_number_and_abend_code() {
    let text = page(&["NOTFND"]);
    assert!(text.starts_with("NOTFND\n") && text.contains("Condition 13") && text.contains("AEIM"), "{text}");
    assert_eq!(page(&["13"]), text);
    assert_eq!(page(&["aeim"]), text);
}

/// Expected: "TRANSACTION attributes" of the resource definition reference.
#[test]
fn a_resource_definition_is_found_by_its_type() {
    let text = page(&["TRANSACTION"]);
    assert!(text.starts_with("DEFINE TRANSACTION\n") && text.contains("1 to 4 characters"), "{text}");
    assert!(has_line(&text, &["TASKDATAKEY", "USER", "USER,", "CICS"]), "{text}");
    assert!(has_line(&text, &["TWASIZE", "0", "0", "to", "32767"]), "{text}");
    for words in [&["define", "transaction"][..], &["DEFINE", "TRANS(PAY1)", "PROGRAM(PAYROLL)"], &["define", "tran"]] {
        assert_eq!(page(words), text, "{words:?}");
    }
    let define = page(&["define"]);
    assert!(define.contains("DEFINE COUNTER") && define.contains("TRANSACTION"), "{define}");
    let (code, told) = help(&["define", "trnasaction"]);
    assert_eq!((code, told.as_str()), (16, "regent: no command define trnasaction; did you mean TRANSACTION?\n"));
}

#[test]
fn a_message_is_found_by_its_identifier() {
    let text = page(&["dfhac2206"]);
    assert!(text.starts_with("DFHAC2206\n") && text.contains("{transid}") && text.contains("terminal"), "{text}");
    let alike = page(&["DFHSM"]);
    assert!(alike.lines().filter(|line| line.trim_start().starts_with("DFHSM")).count() > 2, "{alike}");
    let (code, told) = help(&["DFHAC22O6"]);
    assert!(code == 16 && told.contains("no message DFHAC22O6; did you mean DFHAC22"), "{told}");
}

/// What an operator without CMAC looks up: "Messages and Codes".
#[test]
fn abend_codes_and_messages_of_utilities_and_compilers_are_found() {
    for (code, part) in [
        ("ASRA", "program interruption"),
        ("aica", "RUNAWAY"),
        ("APCT", "not available"),
        ("ABM0", "mapset"),
        ("IDC3314I", "OUT OF SEQUENCE"),
        ("RGTLI0010", "after COPY"),
        ("RGTLI0008-S", "[source] copy"),
        ("AKCC", "PURGETHRESH"),
    ] {
        let text = page(&[code]);
        assert!(text.starts_with(&code.to_uppercase()[..4]) && text.contains(part), "{text}");
    }
}

#[test]
fn supplied_transactions_and_exit_points_are_found() {
    assert!(page(&["cetr"]).contains("docs/operators.md"));
    let exit = page(&["XEIIN"]);
    assert!(exit.contains("before every command") && exit.contains("UEPARG") && exit.contains("UERCBYP"), "{exit}");
}

/// As CEMT shows at a terminal for the words and a question mark.
#[test]
fn commands_of_cemt_are_found() {
    let verbs = page(&["CEMT"]);
    assert!(["Discard", "Inquire", "Perform", "Set"].iter().all(|verb| has_line(&verbs, &[verb])), "{verbs}");
    assert!(has_line(&page(&["cemt", "perform"]), &["SHUTdown"]));
    let set = page(&["CEMT", "SET", "FILE"]);
    assert!(set.contains("CEMT Set FIle") && set.contains("OPEN | CLOSED") && !set.contains("OPENSTATUS"), "{set}");
    assert_eq!(help(&["CEMT", "SET", "NONSENSE"]).0, 16);
}

#[test]
fn unknown_names_are_answered_with_the_nearest() {
    let told = |words: &[&str]| {
        let (code, text) = help(words);
        assert_eq!(code, 16, "{text}");
        text
    };
    assert_eq!(told(&["raed"]), "regent: no command raed; did you mean READ?\n");
    assert_eq!(told(&["WRITEQ", "TQ"]), "regent: no command WRITEQ TQ; did you mean WRITEQ TD?\n");
    assert_eq!(told(&["compiel"]), "regent: no command compiel; did you mean compile?\n");
    assert!(told(&["inquire", "nonsense"]).contains("'regent help INQUIRE'"), "the verb is known");
    assert!(told(&["xyzzy"]).contains("docs/commands/README.md"));
}

fn pages_of(directory: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.expect("an entry").path();
        (path.file_name().expect("a name").to_string_lossy().into_owned(), std::fs::read_to_string(&path).expect("a page"))
    };
    entries.map(read).collect()
}

#[test]
fn the_pages_of_the_commands_are_up_to_date() {
    const HOW: &str = "run: cargo run -p regent -- help --pages docs/commands";
    let directory = tempfile::tempdir().expect("a directory");
    let written = directory.path().to_str().expect("a path");
    page(&["--pages", written]);
    let (expected, kept) = (pages_of(directory.path()), pages_of(&root().join("docs/commands")));
    let names = |pages: &BTreeMap<String, String>| pages.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&kept), names(&expected), "docs/commands: {HOW}");
    for (name, text) in &expected {
        assert!(kept[name] == *text, "docs/commands/{name} is out of date; {HOW}");
    }
    // Each command that the region executes has a page, and the index names it.
    let index = &expected["README.md"];
    for name in include_str!("../../exec/tables/implemented.tsv").lines().skip(1) {
        let file = format!("{}.md", name.to_lowercase().replace(' ', "-"));
        assert!(expected.contains_key(&file) && index.contains(&format!("| [{name}]({file}) |")), "{name}");
    }
}

#[test]
fn links_between_pages_lead_somewhere() {
    let pages = pages_of(&root().join("docs/commands"));
    for (name, text) in &pages {
        for target in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target) {
            assert!(pages.contains_key(target), "{name}: {target}");
        }
    }
}
