//! Programs without a definition: what PGAICTLG keeps of them over a warm start.

mod support;

use support::Region;
use support::application::Application;
use support::terminal::Terminal;

fn application() -> Application {
    let application = Application::new();
    let mut definitions = String::new();
    for number in ["1", "2"] {
        let source = format!(
            "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. AUTOPGM{number}.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n       01  WS-TEXT PIC X(8) VALUE 'IT RAN {number}'.\n       PROCEDURE DIVISION.\n           EXEC CICS SEND FROM(WS-TEXT) ERASE END-EXEC.\n           EXEC CICS RETURN END-EXEC.\n"
        );
        application.write(&format!("AUTOPGM{number}.cbl"), &source);
        definitions += &format!("DEFINE TRANSACTION(AUT{number}) GROUP(AUTO) PROGRAM(AUTOPGM{number})\n");
    }
    application.write("auto.csd", &definitions);
    application.write("regent.toml", "");
    application
}

fn region(application: &Application, keeps: &str, more: &[&str]) -> Region {
    let catalog = format!("PGAICTLG={keeps}");
    let arguments = [&["--sit", "PGAIPGM=ACTIVE", "--sit", &catalog], more].concat();
    Region::start(application.path(), application.data(), &arguments)
}

fn answer(terminal: &mut Terminal, transaction: &str, expected: &str) {
    terminal.pf(3);
    terminal.clear();
    terminal.transaction(transaction);
    terminal.expect(expected);
}

/// The first program is only used, the second is changed by SET PROGRAM too. `kept`: what the answer to an inquiry about each shows after a
/// warm start.
fn over_a_warm_start(keeps: &str, kept: [&str; 2]) {
    let application = application();
    let first = region(&application, keeps, &[]);
    let mut terminal = Terminal::connect(first.port);
    answer(&mut terminal, "CEMT INQUIRE PROGRAM(AUTOPGM1)", "NOT FOUND");
    answer(&mut terminal, "AUT1", "IT RAN 1");
    answer(&mut terminal, "AUT2", "IT RAN 2");
    answer(&mut terminal, "CEMT SET PROGRAM(AUTOPGM2) DISABLED", "NORMAL");
    drop(terminal);
    assert_eq!(first.stop(), 0);
    let second = region(&application, keeps, &[]);
    let mut terminal = Terminal::connect(second.port);
    answer(&mut terminal, "CEMT INQUIRE PROGRAM(AUTOPGM1)", kept[0]);
    answer(&mut terminal, "CEMT INQUIRE PROGRAM(AUTOPGM2)", kept[1]);
    drop(terminal);
    assert_eq!(second.stop(), 0);
    let cold = region(&application, keeps, &["--cold"]);
    let mut terminal = Terminal::connect(cold.port);
    answer(&mut terminal, "CEMT INQUIRE PROGRAM(AUTOPGM2)", "NOT FOUND");
    drop(terminal);
    assert_eq!(cold.stop(), 0);
}

#[test]
fn pgaictlg_keeps_all_changed_or_no_programs() {
    over_a_warm_start("ALL", ["Prog(AUTOPGM1)", "Dis"]);
    over_a_warm_start("MODIFY", ["NOT FOUND", "Dis"]);
    over_a_warm_start("NONE", ["NOT FOUND", "NOT FOUND"]);
}
