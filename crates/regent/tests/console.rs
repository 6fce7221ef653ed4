//! `regent console`: a terminal in lines of text.

mod support;

use std::io::Write;
use std::process::{Output, Stdio};
use support::{Region, regent, root};

fn console(data: &std::path::Path, arguments: &[&str], input: &str) -> Output {
    let mut command = regent();
    command.arg("console").arg("--data").arg(data).args(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("regent starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn an_operator_inquires_and_sets_without_a_terminal() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = Region::start(&root().join("samples/filework"), data.path(), &[]);
    let shown = console(data.path(), &["--", "CEMT", "INQUIRE", "SYSTEM"], "");
    assert!(shown.status.success() && text(&shown).contains("FILEWORK") && text(&shown).contains("RESPONSE: NORMAL"), "{}", text(&shown));
    // Lines of input: a transaction, keys, the next transaction.
    let shown = console(data.path(), &[], "CEMT SET SYSTEM MAXTASKS(77)\n/PF3\n/CLEAR\nCEMT INQUIRE SYSTEM\n");
    let text_of_lines = text(&shown);
    assert!(shown.status.success() && text_of_lines.contains("SESSION ENDED"), "{text_of_lines}");
    assert!(text_of_lines.rsplit("SESSION ENDED").next().is_some_and(|last| last.contains("077")), "{text_of_lines}");
    // A line takes the place of what is in the field; an empty line enters the field as it is.
    let shown = text(&console(data.path(), &[], "CEMT INQUIRE SYSTEM\nI DSAS\n\n"));
    assert!(shown.matches("Edsalimit").count() >= 3 && !shown.contains("NOT VALID") && !shown.contains("I DSASUIRE"), "{shown}");
    // The greeting and the first key cross: the answer to each line is still its own.
    for _ in 0..20 {
        let shown = console(data.path(), &[], "CEMT INQUIRE SYSTEM\n");
        assert!(shown.status.success() && text(&shown).contains("RESPONSE: NORMAL"), "{}", text(&shown));
    }
    let wrong = console(data.path(), &[], "/PF99\n");
    assert!(!wrong.status.success() && text(&wrong).contains("PF99"), "{}", text(&wrong));
    assert_eq!(region.stop(), 0);
    let gone = console(data.path(), &["--", "CEMT"], "");
    assert!(!gone.status.success() && text(&gone).contains("no region serves this application"), "{}", text(&gone));
}
