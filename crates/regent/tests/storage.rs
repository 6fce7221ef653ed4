//! Which storage a region uses for its own work: none that 24-bit programs need, in the dynamic storage areas below 2 GB only what a subpool
//! names, and no dynamic storage area for trace tables and control blocks.

mod support;

use std::path::Path;
use support::application::Application;
use support::terminal::Terminal;
use support::{Region, root};

fn start(data: &Path, arguments: &[&str]) -> Region {
    Region::start(&root().join("crates/regent/tests/applications/storage"), data, arguments)
}

/// The report that transaction STAT writes.
fn report(terminal: &mut Terminal, data: &Path) -> String {
    terminal.transaction("STAT");
    terminal.expect("data/reports/DFH0STAT-");
    let directory = data.join("data/reports");
    let file = std::fs::read_dir(directory).expect("reports").flatten().next().expect("a report");
    std::fs::read_to_string(file.path()).expect("the report")
}

/// A row of the table of a line's DSAs, in kilobytes.
fn row(report: &str, heading: &str, title: &str) -> Vec<u64> {
    let section = report.split(heading).nth(1).unwrap_or_else(|| panic!("{heading} in {report}"));
    let line = section.lines().find(|line| line.trim_start().starts_with(title)).unwrap_or_else(|| panic!("{title} in {section}"));
    let figures = line.trim_start().trim_start_matches(title).split_whitespace();
    figures.map(|figure| figure.trim_end_matches('K').replace(',', "").parse().unwrap()).collect()
}

/// "The following CICS infrastructure items now use 31-bit storage": syncpoint and backout, transient data, journals,
/// CEDF, the command tables of CECI, the communication area of XCTL; and auxiliary trace. Here they use none of the areas below 16 MB, nor do the programs' run time and
/// the console need any: after all of it the areas have never had an extent.
#[test]
fn the_region_needs_no_24_bit_storage() {
    let data = tempfile::tempdir().unwrap();
    let region = start(data.path(), &["--sit", "AUXTR=ON"]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("SMRL");
    terminal.expect("RELIEVED");
    // CEDF, and the command tables of CECI.
    terminal.transaction("CEDF");
    terminal.expect("THIS TERMINAL: EDF MODE ON");
    terminal.transaction("SMRL");
    terminal.expect("PROGRAM INITIATION");
    for _ in 0..3 {
        terminal.enter();
        terminal.expect("EXEC CICS");
    }
    terminal.pf(4);
    terminal.expect("TASK TERMINATION");
    terminal.pf(3);
    terminal.expect("RELIEVED");
    terminal.transaction("CEDF ,OFF");
    terminal.expect("EDF MODE OFF");
    terminal.transaction("CECI ASSIGN APPLID");
    terminal.expect("ABOUT TO EXECUTE");
    terminal.enter();
    terminal.expect("COMMAND EXECUTION COMPLETE");
    terminal.pf(3);
    let report = report(&mut terminal, data.path());
    assert_eq!(row(&report, "Storage below 16MB", "Peak DSA Size"), [0, 0, 0, 0], "{report}");
    assert_eq!(row(&report, "Storage below 16MB", "Getmain Requests"), [0, 0, 0, 0], "{report}");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// "Console queue processing, storage allocation control blocks, loader control blocks" are above the bar: all storage of the ECDSA is that of
/// subpools which have other contents, and of tasks.
#[test]
fn control_blocks_are_above_the_bar() {
    let data = tempfile::tempdir().unwrap();
    let region = start(data.path(), &[]);
    let mut terminal = Terminal::connect(region.port);
    for _ in 0..3 {
        terminal.transaction("SMRL");
        terminal.expect("RELIEVED");
    }
    let report = report(&mut terminal, data.path());
    let subpools = report.split("Storage - Domain Subpools").nth(1).unwrap().split("Storage - Task Subpools").next().unwrap();
    let in_ecdsa: Vec<(&str, u64)> = subpools
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|cells| cells.get(1) == Some(&"ECDSA"))
        .map(|cells| (cells[0], cells[cells.len() - 2].trim_end_matches('K').replace(',', "").parse().unwrap()))
        .collect();
    assert!(in_ecdsa.iter().all(|(name, _)| ["SMSHRC31", "TSBUFFRS", "APICE31"].contains(name)) && in_ecdsa.len() >= 2, "{subpools}");
    let of_subpools: u64 = in_ecdsa.iter().map(|(_, kilobytes)| kilobytes).sum();
    let of_tasks = report.split("Storage - Task Subpools").nth(1).unwrap();
    let line = of_tasks.lines().find(|line| line.trim_start().starts_with("ECDSA")).unwrap();
    let cells: Vec<&str> = line.split_whitespace().collect();
    let of_tasks: u64 = cells[cells.len() - 2].trim_end_matches('K').replace(',', "").parse().unwrap();
    let used = row(&report, "Storage above 16MB", "Current DSA Used")[0];
    assert_eq!(used, of_subpools + of_tasks, "{report}");
    // The queue in main storage is above the bar too.
    assert!(subpools.lines().any(|line| line.split_whitespace().take(2).eq(["TSMAIN", "GCDSA"])), "{subpools}");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// The internal trace table is outside the dynamic storage areas: it may be larger than all those below 2 GB together.
#[test]
fn the_internal_trace_table_is_in_no_dynamic_storage_area() {
    let data = tempfile::tempdir().unwrap();
    let region = start(data.path(), &["--sit", "EDSALIM=64M", "--sit", "TRTABSZ=131072"]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CEMT INQUIRE INTTRACE");
    terminal.expect("131072");
    let report = report(&mut terminal, data.path());
    let kilobytes: u64 = ["Storage below 16MB", "Storage above 16MB", "Storage above 2GB"]
        .iter()
        .map(|heading| row(&report, heading, "Current DSA Size").iter().sum::<u64>())
        .sum();
    assert!(kilobytes < 64 << 10, "{kilobytes}K of dynamic storage areas beside 128 MB of trace");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// A program addresses 31-bit storage; what is typed in CECI lies elsewhere. LINK lends the program a copy, and CECI shows what it has become.
#[test]
fn a_program_that_ceci_links_to_can_address_its_communication_area() {
    let application = Application::new();
    let lines = [
        "IDENTIFICATION DIVISION.",
        "PROGRAM-ID. SECOND.",
        "DATA DIVISION.",
        "LINKAGE SECTION.",
        "01  DFHCOMMAREA.",
        "    05 EACH-ONE PIC X OCCURS 1 TO 9999 DEPENDING ON EIBCALEN.",
        "PROCEDURE DIVISION.",
        "    MOVE 'Z' TO EACH-ONE(2)",
        "    EXEC CICS RETURN END-EXEC.",
    ];
    application.write("SECOND.cbl", &lines.map(|line| format!("       {line}\n")).concat());
    application.write("app.csd", "DEFINE PROGRAM(SECOND) GROUP(APP)\n");
    let region = Region::start(application.path(), application.data(), &[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CECI LINK PROGRAM(SECOND) COMMAREA('ABCD')");
    terminal.expect("ABOUT TO EXECUTE");
    terminal.enter();
    terminal.expect("COmmarea( 'AZCD' )");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}
