//! From an empty directory to a change of a running program: `new`, `up --watch`, `compile --app`, `logs`, `clean`, completions, manual pages.

mod support;

use std::path::Path;
use std::process::Output;
use std::time::Duration;

use support::terminal::Terminal;
use support::{Region, regent};

const LIMIT: Duration = Duration::from_secs(120);

fn run(arguments: &[&str]) -> Output {
    regent().args(arguments).output().expect("regent runs")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The application that `regent new` makes, in a directory of its own.
fn new_application() -> (tempfile::TempDir, std::path::PathBuf) {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let directory = scratch.path().join("diary");
    let output = run(&["new", directory.to_str().expect("a path")]);
    assert!(output.status.success(), "{}", text(&output));
    (scratch, directory)
}

fn change(directory: &Path, file: &str, from: &str, to: &str) {
    let path = directory.join(file);
    let source = std::fs::read_to_string(&path).expect("readable");
    assert!(source.contains(from), "{from} is in {file}");
    std::fs::write(&path, source.replace(from, to)).expect("written");
}

#[test]
fn a_new_application_shows_and_saves_its_records() {
    let (_scratch, directory) = new_application();
    let work = directory.join(".regent");
    let region = Region::start(&directory, &work, &[]);
    assert_eq!(region.output.last().map(String::as_str), Some("ready"), "{}", region.output.join("\n"));
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("NOTE");
    terminal.expect("TYPE A NUMBER");
    terminal.fill(4, 21, "0001");
    terminal.enter();
    terminal.expect("WELCOME TO REGENT");
    terminal.fill(4, 21, "0007");
    terminal.enter();
    terminal.expect("NO SUCH NOTE");
    terminal.fill(6, 21, "BUY MILK");
    terminal.pf(5);
    terminal.expect("SAVED");
    terminal.fill(4, 21, "0002");
    terminal.enter();
    terminal.expect("CHANGE ME");
    terminal.fill(4, 21, "0007");
    terminal.enter();
    terminal.expect("BUY MILK");
    terminal.pf(3);
    drop(terminal);
    assert_eq!(region.stop(), 0);

    let again = run(&["new", directory.to_str().expect("a path")]);
    assert_eq!(again.status.code(), Some(16));
    assert!(text(&again).contains("is not empty"), "{}", text(&again));

    // What the region wrote, and what is left after cleaning.
    let path = directory.to_str().expect("a path");
    let logs = run(&["logs", path, "-n", "2"]);
    let lines = String::from_utf8_lossy(&logs.stdout).into_owned();
    assert_eq!(lines.lines().count(), 2, "{lines}");
    assert!(lines.ends_with("stopped\n"), "{lines}");
    let all = text(&run(&["logs", path]));
    assert!(all.contains("DFHSI1517") && all.contains("ready"), "{all}");
    let cleaned = run(&["clean", path]);
    assert!(cleaned.status.success(), "{}", text(&cleaned));
    assert!(!work.join("library").exists() && work.join("data").is_dir());
    let region = Region::start(&directory, &work, &[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("NOTE");
    terminal.fill(4, 21, "0007");
    terminal.enter();
    terminal.expect("BUY MILK");
    drop(terminal);
    let refused = run(&["clean", path, "--everything"]);
    assert!(!refused.status.success() && text(&refused).contains("in use"), "{}", text(&refused));
    assert_eq!(region.stop(), 0);
    assert!(run(&["clean", path, "--everything"]).status.success());
    assert!(!work.exists());
}

#[test]
fn a_change_is_compiled_and_taken_while_the_region_runs() {
    let (_scratch, directory) = new_application();
    let work = directory.join(".regent");
    let mut region = Region::start(&directory, &work, &["--watch"]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("NOTE");
    terminal.expect("TYPE A NUMBER");
    terminal.pf(3);
    change(&directory, "cobol/NOTEPGM.cbl", "TYPE A NUMBER", "WHICH NUMBER?");
    assert!(region.wait_for(|line| line.contains("NOTEPGM: a newly found copy"), LIMIT), "{}", region.output.join("\n"));
    terminal.transaction("NOTE");
    terminal.expect("WHICH NUMBER?");
    terminal.pf(3);
    // A map, and the program that copies it.
    change(&directory, "bms/NOTESET.bms", "INITIAL='NOTES'", "INITIAL='DIARY'");
    assert!(region.wait_for(|line| line.contains("new copy  NOTESET"), LIMIT), "{}", region.output.join("\n"));
    terminal.transaction("NOTE");
    terminal.expect("DIARY");
    terminal.pf(3);
    // What does not compile is told, and the old copy goes on.
    change(&directory, "cobol/NOTEPGM.cbl", "PERFORM ANSWER", "PERFORM ANSWERS");
    assert!(region.wait_for(|line| line.contains("NOTEPGM.cbl did not compile"), LIMIT), "{}", region.output.join("\n"));
    terminal.transaction("NOTE");
    terminal.expect("WHICH NUMBER?");
    terminal.pf(3);
    change(&directory, "cobol/NOTEPGM.cbl", "PERFORM ANSWERS", "PERFORM ANSWER");
    assert!(region.wait_for(|line| line.contains("NOTEPGM: "), LIMIT), "{}", region.output.join("\n"));
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn compile_for_an_application_and_newcopy() {
    let (_scratch, directory) = new_application();
    let work = directory.join(".regent");
    let mut region = Region::start(&directory, &work, &[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("NOTE");
    terminal.expect("TYPE A NUMBER");
    terminal.pf(3);
    terminal.transaction("CEMT SET PROGRAM(NOTEPGM) NEWCOPY");
    assert!(region.wait_for(|line| line.contains("The same copy as before of program NOTEPGM"), LIMIT), "{}", region.output.join("\n"));
    change(&directory, "cobol/NOTEPGM.cbl", "TYPE A NUMBER", "WHICH NUMBER?");
    let source = directory.join("cobol/NOTEPGM.cbl");
    let output = run(&["compile", "--app", directory.to_str().expect("a path"), source.to_str().expect("a path")]);
    assert!(output.status.success(), "{}", text(&output));
    terminal.pf(3);
    terminal.transaction("CEMT SET PROGRAM(NOTEPGM) NEWCOPY");
    assert!(region.wait_for(|line| line.contains("A newly found copy of program NOTEPGM"), LIMIT), "{}", region.output.join("\n"));
    terminal.pf(3);
    terminal.transaction("NOTE");
    terminal.expect("WHICH NUMBER?");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    let other = run(&["compile", "--app", directory.to_str().expect("a path"), directory.join("regent.toml").to_str().expect("a path")]);
    assert!(!other.status.success() && text(&other).contains("not a program or map source"), "{}", text(&other));
}

#[test]
fn diagnostics_in_json_have_fields() {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let source = scratch.path().join("BAD.cbl");
    let program = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. BAD.\n       PROCEDURE DIVISION.\n           MOVE NOTHING TO NOWHERE.\n           GOBACK.\n";
    std::fs::write(&source, program).expect("written");
    let map = scratch.path().join("BADMAP.bms");
    std::fs::write(
        &map,
        "BADMAP  DFHMSD TYPE=MAP\nM       DFHMDI SIZE=(24,80)\n        DFHMDX FOO\n        DFHMSD TYPE=FINAL\n        END\n",
    )
    .expect("written");
    let output =
        regent().arg("compile").arg(&source).arg(&map).arg("-o").arg(scratch.path().join("load")).args(["--format", "json"]).output();
    let output = String::from_utf8(output.expect("regent runs").stdout).expect("UTF-8");
    let events: Vec<serde_json::Value> = output.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect();
    let of = |path: &Path| {
        let event = events.iter().find(|event| event["event"] == "compiled" && event["path"] == *path.to_str().unwrap()).expect("an event");
        event["diagnostics"].as_array().expect("a list").clone()
    };
    let first = &of(&source)[0];
    assert_eq!(first["file"], *source.to_str().unwrap());
    assert_eq!((first["line"].as_u64(), first["column"].as_u64()), (Some(4), Some(17)), "{first}");
    assert_eq!(first["severity"], "severe");
    let code = first["code"].as_str().expect("a text");
    assert!(code.starts_with("RGT") && code.ends_with("-S"), "{code}");
    assert!(first["text"].as_str().is_some_and(|text| text.contains("NOTHING")), "{first}");
    let of_map = of(&map);
    assert!(
        of_map.iter().any(|diagnostic| diagnostic["line"] == 3 && diagnostic["severity"] == "severe" || diagnostic["severity"] == "error")
    );
}

#[test]
fn shells_and_man_know_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let output = run(&["completions", shell]);
        let script = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && script.contains("regent") && script.contains("port-3270"), "{shell}: {script}");
    }
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let output = run(&["man", scratch.path().to_str().expect("a path")]);
    assert!(output.status.success(), "{}", text(&output));
    let page = std::fs::read_to_string(scratch.path().join("regent-up.1")).expect("a page for each command");
    assert!(page.contains(".TH") && page.contains("strict"), "{page}");
    assert!(scratch.path().join("regent.1").is_file());
}
