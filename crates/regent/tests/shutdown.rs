//! The end of a region: by signals while its output is not read, and with tasks that do not end by themselves.

mod support;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use support::Region;
use support::terminal::Terminal;

/// What a region may take to end that has nothing to wait for, on a busy machine.
const END_LIMIT: Duration = Duration::from_secs(30);

fn application() -> PathBuf {
    support::root().join("crates/regent/tests/applications/shutdown")
}

fn signal(id: u32) {
    let _ = std::process::Command::new("kill").arg("-TERM").arg(id.to_string()).status();
}

fn exit_code(child: &mut Child, limit: Duration) -> Option<i32> {
    let until = Instant::now() + limit;
    while Instant::now() < until {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// A region whose output goes into a pipe, up to the line `ready`; and both ends of the pipe.
fn started_into_pipe(data: &Path) -> (Child, std::io::PipeReader, std::io::PipeWriter) {
    let (mut reader, writer) = std::io::pipe().unwrap();
    let child = support::regent()
        .arg("up")
        .arg(application())
        .arg("--data")
        .arg(data)
        .args(["--port-3270", "0"])
        .stdin(Stdio::null())
        .stdout(writer.try_clone().unwrap())
        .stderr(writer.try_clone().unwrap())
        .spawn()
        .unwrap();
    let mut seen = String::new();
    let mut buffer = [0; 4096];
    while !seen.contains("\nready\n") {
        let count = std::io::Read::read(&mut reader, &mut buffer).unwrap();
        assert!(count > 0, "{seen}");
        seen.push_str(&String::from_utf8_lossy(&buffer[..count]));
    }
    (child, reader, writer)
}

#[test]
fn sigterm_ends_a_region_whose_output_pipe_is_closed() {
    let data = tempfile::tempdir().unwrap();
    let (mut child, reader, writer) = started_into_pipe(data.path());
    drop((reader, writer));
    signal(child.id());
    assert_eq!(exit_code(&mut child, END_LIMIT), Some(0));
}

#[test]
fn sigterm_ends_a_region_whose_output_pipe_is_full() {
    let data = tempfile::tempdir().unwrap();
    let (mut child, reader, mut writer) = started_into_pipe(data.path());
    // This writer waits for ever when the pipe is full, as the region's would.
    std::thread::spawn(move || while writer.write_all(&[b'x'; 512]).is_ok() {});
    std::thread::sleep(Duration::from_millis(500));
    signal(child.id());
    let code = exit_code(&mut child, END_LIMIT);
    drop(reader);
    assert_eq!(code, Some(0));
}

#[test]
fn the_shutdown_assist_transaction_purges_tasks_that_wait_for_hours() {
    let data = tempfile::tempdir().unwrap();
    let mut region = Region::start(&application(), data.path(), &[]);
    let mut waiting = Terminal::connect(region.port);
    waiting.start_and_leave("STAY");
    let mut operator = Terminal::connect(region.port);
    operator.transaction("CEMT I TASK");
    operator.expect("STAY");
    region.terminate();
    assert_eq!(region.wait_for_end(), Some(0));
    let told =
        |text: &str| region.output.iter().position(|line| line.contains(text)).unwrap_or_else(|| panic!("{text}: {:#?}", region.output));
    let steps = [told("DFHTM1715"), told("The shutdown is NORMAL"), told("tasks are purged"), told("DFHKE1799")];
    assert!(steps.is_sorted(), "{steps:?}");
    let waited_for = &region.output[told("DFHTM1781")];
    assert!(waited_for.contains("STAY") && waited_for.contains("CEMT"), "{waited_for}");
    assert!(region.output.iter().any(|line| line.contains("DFHAC2236") && line.contains("STAY")), "{:#?}", region.output);
    // The purge was enough.
    assert!(!region.output.iter().any(|line| line.contains("sessions of all terminals are ended")));
}

#[test]
fn a_task_that_a_purge_does_not_reach_ends_with_the_last_step() {
    let data = tempfile::tempdir().unwrap();
    let mut region = Region::start(&application(), data.path(), &[]);
    let mut waiting = Terminal::connect(region.port);
    // SPURGE(NO)
    waiting.start_and_leave("KEEP");
    let mut operator = Terminal::connect(region.port);
    operator.transaction("CEMT I TASK");
    operator.expect("KEEP");
    operator.pf(3);
    region.terminate();
    assert_eq!(region.wait_for_end(), Some(0));
    let told =
        |text: &str| region.output.iter().position(|line| line.contains(text)).unwrap_or_else(|| panic!("{text}: {:#?}", region.output));
    let steps = [told("tasks are purged"), told("sessions of all terminals are ended"), told("becomes immediate"), told("DFHKE1799")];
    assert!(steps.is_sorted(), "{steps:?}");
}

#[test]
fn without_an_assist_transaction_a_second_signal_ends_the_tasks() {
    let data = tempfile::tempdir().unwrap();
    let mut region = Region::start(&application(), data.path(), &["--sit", "SDTRAN=NO"]);
    let mut waiting = Terminal::connect(region.port);
    waiting.start_and_leave("STAY");
    let mut operator = Terminal::connect(region.port);
    operator.transaction("CEMT I TASK");
    operator.expect("STAY");
    operator.pf(3);
    region.terminate();
    assert!(region.wait_for(|line| line.contains("DFHTM1781") && line.contains("STAY"), END_LIMIT));
    // Longer than the assist program would wait.
    assert!(!region.wait_for(|line| line.contains("DFHKE1799"), Duration::from_secs(4)));
    let second = Instant::now();
    region.terminate();
    assert_eq!(region.wait_for_end(), Some(0));
    assert!(second.elapsed() < Duration::from_secs(15), "{:?}", second.elapsed());
    // The store was closed in order.
    let again = Region::start(&application(), data.path(), &["--sit", "SDTRAN=NO"]);
    assert!(again.output.iter().any(|line| line.contains("DFHSI1502") && line.to_uppercase().contains("WARM")), "{:#?}", again.output);
    assert_eq!(again.stop(), 0);
}

#[test]
fn two_signals_end_a_region_whose_initialization_does_not() {
    let data = tempfile::tempdir().unwrap();
    let mut region = Region::begin(&application(), data.path(), &["--sit", "PLTPI=ST"]);
    assert!(region.wait_for(|line| line.contains("DFHSI1501"), Duration::from_secs(300)), "{:#?}", region.output);
    region.terminate();
    std::thread::sleep(Duration::from_millis(500));
    region.terminate();
    assert_eq!(region.wait_for_end(), Some(0), "{:#?}", region.output);
}

#[test]
fn perform_shutdown_names_the_assist_transaction() {
    let data = tempfile::tempdir().unwrap();
    let mut region = Region::start(&application(), data.path(), &[]);
    let mut waiting = Terminal::connect(region.port);
    waiting.start_and_leave("STAY");
    let mut operator = Terminal::connect(region.port);
    // TRANSIDERR, and the region goes on.
    operator.transaction("CEMT PERFORM SHUTDOWN SDTRAN(NONE)");
    operator.expect("NOT FOUND");
    operator.pf(3);
    // A slip is no shutdown.
    operator.transaction("CEMT P SH");
    operator.expect("NOT VALID");
    operator.pf(3);
    operator.transaction("CEMT I TASK");
    operator.expect("STAY");
    operator.pf(3);
    operator.start_and_leave("CEMT P SHUT NOSDTRAN");
    assert!(region.wait_for(|line| line.contains("DFHTM1781"), END_LIMIT), "{:#?}", region.output);
    assert!(!region.wait_for(|line| line.contains("DFHCESD"), Duration::from_secs(3)), "{:#?}", region.output);
    // A shutdown that hangs is resumed by an immediate one. Two signals at once would be one.
    region.terminate();
    std::thread::sleep(Duration::from_millis(500));
    region.terminate();
    assert_eq!(region.wait_for_end(), Some(0));
}
