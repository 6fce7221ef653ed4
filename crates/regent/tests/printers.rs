//! 3270 printers: pr3287 prints what transactions send to it, as LU type 3 (3270 data) and as LU type 1 (SCS data).

mod support;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use support::terminal::Terminal;
use support::{Region, root};

const LONG: Duration = Duration::from_secs(30);

/// A printer that writes what it prints to a file.
struct Printer(Child);

impl Printer {
    fn connect(region: &mut Region, lu: &str, file: &Path) -> Printer {
        let host = format!("{lu}@127.0.0.1:{}", region.port);
        let command = format!("cat >> {}", file.display());
        let child = Command::new("pr3287")
            .args(["-charset", "cp037", "-command", &command, &host])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("pr3287 is installed");
        assert!(region.wait_for(|line| line.contains(lu), LONG), "{lu} connects\n{}", region.output.join("\n"));
        Printer(child)
    }
}

impl Drop for Printer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until the file has a text.
fn printed(file: &Path, last: &str) -> Vec<String> {
    let deadline = Instant::now() + LONG;
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if text.contains(last) {
            return text.lines().map(|line| line.trim_end().replace('\u{c}', "")).collect();
        }
        assert!(Instant::now() < deadline, "{last} is not printed:\n{text}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn start() -> (Region, tempfile::TempDir) {
    let data = tempfile::tempdir().expect("a scratch directory");
    (Region::start(&root().join("crates/regent/tests/applications/printers"), data.path(), &[]), data)
}

/// SEND TEXT with L80, L64, L40 and HONEOM, and SEND, on one kind of printer.
fn prints_in_each_form(lu: &str, terminal_name: &str) {
    let (mut region, data) = start();
    let file = data.path().join("printed");
    let printer = Printer::connect(&mut region, lu, &file);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction(&format!("PRST {terminal_name}"));
    let lines = printed(&file, "RAW LINE TWO");
    let whole = " A LINE OF FIFTY CHARACTERS THAT IS BROKEN AT 40 ..";
    let expected = [whole, whole, &whole[..40], &whole[40..], whole, "RAW LINE ONE", "RAW LINE TWO"];
    let found: Vec<&str> = lines.iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
    assert_eq!(found, expected.map(str::trim_end));
    drop((terminal, printer));
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_started_transaction_prints_on_a_printer_of_lu_type_3() {
    prints_in_each_form("LU3PRT", "LU3P");
}

#[test]
fn a_started_transaction_prints_on_a_printer_of_lu_type_1() {
    prints_in_each_form("LU1PRT", "LU1P");
}

#[test]
fn a_printer_without_a_definition_is_autoinstalled() {
    let (mut region, data) = start();
    let file = data.path().join("printed");
    let printer = Printer::connect(&mut region, "ANYPRT1", &file);
    assert!(region.output.iter().any(|line| line.contains("Autoinstall for terminal PRT1") && line.contains("DFHLU3")));
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("PRST PRT1");
    printed(&file, "RAW LINE TWO");
    drop((terminal, printer));
    assert_eq!(region.stop(), 0);
}
