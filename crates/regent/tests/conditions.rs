//! Conditions of Language Environment under CICS: user-written handlers together with HANDLE ABEND, abends of linked programs, and the
//! messages for unhandled conditions.

mod support;

use support::terminal::Terminal;
use support::{Region, root};

fn start(application: &str) -> (Region, tempfile::TempDir) {
    let data = tempfile::tempdir().expect("a scratch directory");
    let directory = root().join("crates/regent/tests/applications").join(application);
    (Region::start(&directory, data.path(), &[]), data)
}

/// What the screen shows: message number of the condition, responses to ASKTIME and PUSH HANDLE on behalf of the handler, and where
/// the program went on.
#[test]
fn handlers_run_unless_handle_abend_is_active() {
    let (region, _data) = start("conditions");
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CN01");
    // INVREQ: PUSH HANDLE may not be used in a handler.
    terminal.expect("3207 0000 0016      RESUMED");
    terminal.transaction("CN02");
    terminal.expect("HANDLE ABEND");
    assert!(!terminal.text().join(" ").contains("3207"), "the handler is ignored");
    // The abend of the program linked to is the condition CEE3250C of its caller.
    terminal.transaction("CN03");
    terminal.expect("3250 0000 0016      RESUMED");
    // A signalled condition is resumed in place; the root of 144.
    terminal.transaction("CN05");
    terminal.expect("0100 0000 0016      0012");
    // A handler that fails is called for its own failure, which is recursion, until DEPTHCONDLMT(10) is reached; the region goes on.
    terminal.transaction("CN06");
    terminal.expect("DFHAC2206");
    assert!(terminal.text().join(" ").contains("4091"), "{:?}", terminal.text());
    terminal.transaction("CN01");
    terminal.expect("RESUMED");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// HANDLE ABEND of a called program ends with that program.
#[test]
fn handle_abend_ends_with_its_program() {
    let (region, _data) = start("conditions");
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CN07");
    terminal.expect("DFHAC2206");
    assert!(terminal.text().join(" ").contains("ASRA"));
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// ASRA stays ASRA; the message goes to CESE behind terminal, transaction and time.
#[test]
fn unhandled_conditions_are_reported_in_cese() {
    let (region, data) = start("conditions");
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CN04");
    terminal.expect("DFHAC2206");
    assert!(terminal.text().join(" ").contains("ASRA"));
    drop(terminal);
    assert_eq!(region.stop(), 0);
    let log = std::fs::read_to_string(find(data.path(), "ceemsg.log")).expect("the queue's file");
    let message = log.lines().find(|line| line.contains("CEE3207S The system detected a data exception")).expect("the message");
    let (terminal, transaction, stamp) = (&message[1..5], &message[5..9], &message[10..24]);
    assert!(message.starts_with(' ') && !terminal.trim().is_empty() && transaction == "CN04", "{message}");
    assert!(stamp.bytes().all(|byte| byte.is_ascii_digit()) && &message[24..33] == " CEE3207S", "{message}");
    assert!(log.contains("From compile unit CNFAIL at entry point CNFAIL at statement"), "{log}");
}

/// USRHDLR of `regent.toml`: the one that is asked first resumes behind the CALL, unless HANDLE ABEND is active; the one at stack frame 0 sees
/// what nobody handles, and then that termination is imminent (CEE066).
#[test]
fn handlers_of_the_region() {
    let (region, data) = start("userhandlers");
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("UH01");
    terminal.expect("RESUME 3207         DE");
    terminal.transaction("UH02");
    terminal.expect("HANDLE ABEND");
    assert!(!terminal.text().join(" ").contains("3207"), "the handlers are ignored");
    terminal.transaction("UH03");
    terminal.expect("DFHAC2206");
    assert!(terminal.text().join(" ").contains("ASRA"));
    terminal.transaction("UH01");
    terminal.expect("RESUME 3207         DE");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    let log = std::fs::read_to_string(find(data.path(), "ceemsg.log")).expect("the queue's file");
    assert!(log.contains("UHLAST 3207") && log.contains("UHLAST 0198") && log.contains("CEE3207S"), "{log}");
}

fn find(directory: &std::path::Path, name: &str) -> std::path::PathBuf {
    let mut waiting = vec![directory.to_path_buf()];
    while let Some(directory) = waiting.pop() {
        for entry in std::fs::read_dir(&directory).expect("readable").flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.file_name().is_some_and(|file| file == name) {
                return path;
            }
        }
    }
    panic!("no file {name} below {}", directory.display());
}
