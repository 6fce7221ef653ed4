//! Programs that attack their process: wild addresses, endless recursion, exits that never end. Each ends in the abend of its own task; the
//! region continues and shuts down normally.

mod support;

use std::process::Output;
use std::time::Duration;
use support::terminal::Terminal;
use support::{Region, regent, root};

fn start() -> (Region, tempfile::TempDir) {
    let data = tempfile::tempdir().expect("a scratch directory");
    let directory = root().join("crates/regent/tests/applications/traps");
    (Region::start(&directory, data.path(), &[]), data)
}

fn abends(terminal: &mut Terminal, transaction: &str, code: &str) {
    terminal.transaction(transaction);
    terminal.expect("DFHAC2206");
    let screen = terminal.text().join(" ");
    assert!(screen.contains(code) && screen.contains(transaction), "{transaction} is to abend {code}:\n{screen}");
}

/// WILDALL runs WILDCMD's commands and statements with each of seven addresses and shows those that do not end as they must.
#[test]
fn commands_and_statements_with_wild_addresses_abend_their_task() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("WC01");
    terminal.expect("WILDALL:");
    let lines: Vec<String> = terminal.text().into_iter().skip(1).filter(|line| !line.trim().is_empty()).collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn endless_recursion_exhausts_the_stack_of_its_task_only() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    for transaction in ["RC01", "RC02", "RC03", "RC05", "RC01"] {
        abends(&mut terminal, transaction, "ASRA");
    }
    // Its exits go on with the recursion, so its runaway interval ends it if nothing else does.
    abends(&mut terminal, "RC04", "RC04");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// The runaway interval (RUNAWAY of the transaction) goes on over abends that an exit handles, and a task that runs away again in its exit
/// is ended with its exits passed over.
#[test]
fn exits_that_reset_themselves_do_not_hold_the_processor() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    for transaction in ["RS01", "RS02"] {
        abends(&mut terminal, transaction, "AICA");
    }
    // An exit that ends in an orderly way has a runaway interval of its own.
    terminal.transaction("RS03");
    terminal.expect("EXIT SAW AICA");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_region_shuts_down_over_a_task_that_never_lets_go() {
    let (mut region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    terminal.clear();
    terminal.type_text("RS02");
    terminal.act("Enter()");
    std::thread::sleep(Duration::from_millis(300));
    region.terminate();
    assert_eq!(region.wait_for_end(), Some(0), "{}", region.output.join("\n"));
}

fn run(program: &str) -> Output {
    let file = root().join("crates/regent/tests/applications/traps").join(program).with_extension("cbl");
    regent().arg("run").arg(file).output().expect("regent runs")
}

#[test]
fn endless_recursion_in_batch_is_an_abend() {
    for program in ["RECLOCAL", "RECPLAIN", "RECPERF"] {
        let output = run(program);
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        assert!(output.status.code().is_some_and(|code| code != 0), "{program}: {}: {text}", output.status);
        assert!(text.contains("0C4"), "{program}: {text}");
    }
}
