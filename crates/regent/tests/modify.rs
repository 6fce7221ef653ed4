//! Consoles: `regent modify` from a shell, and standard input of `regent up --console`.

mod support;

use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;
use support::{Region, regent, root};

const OUTPUT_LIMIT: Duration = Duration::from_secs(30);

fn start(runtime: &Path, data: &Path) -> Region {
    let application = root().join("crates/regent/tests/applications/console");
    Region::start_in(&[("XDG_RUNTIME_DIR", runtime)], &application, data, &[])
}

fn modify(runtime: &Path, request: &[&str]) -> Output {
    regent().env("XDG_RUNTIME_DIR", runtime).arg("modify").args(request).output().expect("regent starts")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn modify_enters_a_command_of_cemt_at_a_console_of_the_region_it_names() {
    let (runtime, data) = (tempfile::tempdir().expect("a scratch directory"), tempfile::tempdir().expect("a scratch directory"));
    let region = start(runtime.path(), data.path());
    let shown = modify(runtime.path(), &["CONREG,CEMT", "INQUIRE", "SYSTEM"]);
    assert!(
        shown.status.success() && text(&shown).contains("Jobname(CONREG  )") && text(&shown).contains("RESPONSE: NORMAL"),
        "{}",
        text(&shown)
    );
    // SET takes effect, and each command is complete: the next one is not an answer to it.
    let shown = text(&modify(runtime.path(), &["conreg,CEMT SET SYSTEM MAXTASKS(77)"]));
    assert!(shown.contains("RESPONSE: NORMAL"), "{shown}");
    let shown = text(&modify(runtime.path(), &["CONREG, CEMT I SYS"]));
    assert!(shown.contains("Maxtasks( 0077 )"), "{shown}");
    // More lines than a screen has.
    let shown = text(&modify(runtime.path(), &["CONREG,CEMT INQUIRE TRANSACTION"]));
    assert!(shown.lines().filter(|line| line.contains("Tra(")).count() > 30, "{shown}");
    let missing = modify(runtime.path(), &["CONREG,NONE"]);
    assert!(text(&missing).contains("DFHAC2001"), "{}", text(&missing));
    // Regions and forms that there are not.
    let other = modify(runtime.path(), &["OTHER,CEMT I SYS"]);
    assert!(!other.status.success() && text(&other).contains("no region OTHER"), "{}", text(&other));
    let form = modify(runtime.path(), &["CEMT I SYS"]);
    assert!(!form.status.success() && text(&form).contains("expected REGION,TRANSACTION"), "{}", text(&form));
    assert_eq!(region.stop(), 0);
    assert!(!modify(runtime.path(), &["CONREG,CEMT I SYS"]).status.success(), "the socket has gone with the region");
}

#[test]
fn programs_converse_with_a_console() {
    let (runtime, data) = (tempfile::tempdir().expect("a scratch directory"), tempfile::tempdir().expect("a scratch directory"));
    let region = start(runtime.path(), data.path());
    let lines = |request: &str| text(&modify(runtime.path(), &[request])).lines().map(str::to_string).collect::<Vec<_>>();
    // TERMCODE of a console is X'08'; it has no extended attributes. INQUIRE TERMINAL names the console.
    assert_eq!(lines("CONREG,CONS hello"), [" INPUT CONS HELLO", " TERMCODE 0008 CONSOLE DEFINED", " TYPE YOUR NAME"]);
    assert_eq!(lines("CONREG,ADA"), [" GOOD DAY ADA"]);
    assert_eq!(lines("CONREG,CONT"), [" THE CONVERSATION GOES ON"]);
    assert_eq!(lines("CONREG,anything"), [" IT HAS ANYTHING"]);
    assert_eq!(region.stop(), 0);
}

#[test]
fn standard_input_of_up_is_a_console() {
    let (runtime, data) = (tempfile::tempdir().expect("a scratch directory"), tempfile::tempdir().expect("a scratch directory"));
    let mut command = regent();
    command.env("XDG_RUNTIME_DIR", runtime.path()).arg("up").arg(root().join("crates/regent/tests/applications/console"));
    command.args(["--port-3270", "0", "--console", "--data"]).arg(data.path());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("regent starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"CEMT INQUIRE SYSTEM\nF OTHER,CEMT I SYS\nF CONREG,CEMT PERFORM SHUTDOWN\n").expect("it reads");
    let (sender, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    let output = ended.recv_timeout(OUTPUT_LIMIT).expect("the region ends by the command").expect("its output");
    let shown = text(&output);
    assert!(output.status.success() && shown.contains("Jobname(CONREG  )") && shown.contains("this is region CONREG"), "{shown}");
    drop(input);
}

#[test]
fn nobody_else_reaches_the_socket() {
    use std::os::unix::fs::PermissionsExt;
    let (runtime, data) = (tempfile::tempdir().expect("a scratch directory"), tempfile::tempdir().expect("a scratch directory"));
    let region = start(runtime.path(), data.path());
    let mode = |path: &Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&runtime.path().join("regent")), 0o700);
    // A second region of the same name is not found by it, and does not take its place.
    let second_data = tempfile::tempdir().expect("a scratch directory");
    let second = start(runtime.path(), second_data.path());
    assert_eq!(second.stop(), 0);
    assert!(modify(runtime.path(), &["CONREG,CEMT I SYS"]).status.success());
    // What a region that was killed has left does not stand in the way.
    region.kill();
    let region = start(runtime.path(), data.path());
    assert!(modify(runtime.path(), &["CONREG,CEMT I SYS"]).status.success());
    assert_eq!(region.stop(), 0);
}
