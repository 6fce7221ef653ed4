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
    printed_times(file, last, 1)
}

/// Waits until the file has a text so many times.
fn printed_times(file: &Path, last: &str, times: usize) -> Vec<String> {
    let deadline = Instant::now() + LONG;
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if text.matches(last).count() >= times {
            return text.lines().map(|line| line.trim_end().replace('\u{c}', "")).collect();
        }
        assert!(Instant::now() < deadline, "{last} is not printed:\n{text}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn start() -> (Region, tempfile::TempDir) {
    start_with(&[])
}

fn start_with(arguments: &[&str]) -> (Region, tempfile::TempDir) {
    let data = tempfile::tempdir().expect("a scratch directory");
    (Region::start(&root().join("crates/regent/tests/applications/printers"), data.path(), arguments), data)
}

/// The lines with text.
fn written(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).filter(|line| !line.is_empty()).collect()
}

fn display(region: &Region) -> Terminal {
    Terminal::connect_at(&format!("DISPLAY1@127.0.0.1:{}", region.port), "3279-2-E", &[])
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

/// The screen of PRHC: two lines with empty ones between them, without what is hidden.
fn check_hard_copy(lines: &[String]) {
    assert_eq!(written(lines), [" HARD COPY OF THIS SCREEN         END", " LAST LINE"]);
    let first = lines.iter().position(|line| line.contains("HARD COPY")).expect("it is there");
    assert_eq!(lines[first + 23], " LAST LINE", "{lines:?}");
}

#[test]
fn issue_print_prints_the_screen_on_the_printer_of_the_terminal() {
    let (mut region, data) = start();
    let (first, second) = (data.path().join("first"), data.path().join("second"));
    let mut terminal = display(&region);
    terminal.transaction("PRHC");
    // TERMERR: neither printer is connected.
    assert!(region.wait_for(|line| line.contains("DFHZC2497") && line.contains("DSP1"), LONG), "{}", region.output.join("\n"));
    // ALTPRINTER, of LU type 1, as long as PRINTER is not there.
    let alternate = Printer::connect(&mut region, "LU1PRT", &second);
    terminal.transaction("PRHC");
    check_hard_copy(&printed(&second, "LAST LINE"));
    let printer = Printer::connect(&mut region, "LU3PRT", &first);
    terminal.transaction("PRHC");
    check_hard_copy(&printed(&first, "LAST LINE"));
    drop((terminal, alternate, printer));
    assert_eq!(region.stop(), 0);
}

#[test]
fn the_print_key_prints_what_is_on_the_screen() {
    let (mut region, data) = start_with(&["--sit", "PRINT=PA2"]);
    let file = data.path().join("printed");
    let printer = Printer::connect(&mut region, "LU3PRT", &file);
    let mut terminal = display(&region);
    terminal.transaction("CESN");
    terminal.expect("Signon to CICS");
    terminal.act("PA(2)");
    let lines = printed(&file, "F3=Exit");
    assert!(lines.iter().any(|line| line.contains("Signon to CICS")), "{lines:?}");
    // The task goes on, the keyboard is free and what was typed is there.
    terminal.act("PF(3)");
    terminal.expect("DFHCE3543");
    drop((terminal, printer));
    assert_eq!(region.stop(), 0);
}

/// A task started for a printer waits until it connects.
#[test]
fn a_task_for_a_printer_waits_until_it_connects() {
    let (mut region, data) = start();
    let file = data.path().join("printed");
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("PRST LU1P");
    assert!(
        region.wait_for(|line| line.contains("START +000000000") || line.contains("START 000000000"), LONG),
        "{}",
        region.output.join("\n")
    );
    let printer = Printer::connect(&mut region, "LU1PRT", &file);
    printed(&file, "RAW LINE TWO");
    drop((terminal, printer));
    assert_eq!(region.stop(), 0);
}

/// PAGESIZE is the width of a page, and a map is printed as it is on a screen. With PRINTERCOMP(YES) lines of text take the whole width.
#[test]
fn wide_text_and_a_map_are_printed() {
    let (mut region, data) = start();
    let file = data.path().join("printed");
    let printer = Printer::connect(&mut region, "LU1WIDE", &file);
    let mut terminal = Terminal::connect(region.port);
    let text = format!("{}{}", "123456789.".repeat(6), "ABCDEFGHI.".repeat(6));
    let mut before = 0;
    for (round, (transaction, line)) in [("PRWI", format!(" {text}")), ("PRWC", text)].into_iter().enumerate() {
        terminal.transaction(&format!("PRST LU1W{transaction}"));
        let all = printed_times(&file, "END OF IT", round + 1);
        let lines = &all[std::mem::replace(&mut before, all.len())..];
        assert_eq!(written(lines)[0], line);
        let form = lines.iter().position(|line| line.contains("A PRINTED FORM")).expect("the map");
        let expected = [
            "                              A PRINTED FORM",
            "",
            " NAME:      LOVELACE",
            " AMOUNT:      1,815",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "                                                                      END OF IT",
        ];
        assert_eq!(lines[form..form + 12], expected);
    }
    drop((terminal, printer));
    assert_eq!(region.stop(), 0);
}
