//! The debugger with the client of an editor that others have written: `dap-mode` of Emacs (Debian packages emacs-nox and elpa-dap-mode).
//! `editors/session.el` is what the editor does.

mod support;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use support::terminal::Terminal;
use support::{Region, root};

#[test]
fn emacs_debugs_a_program() {
    let application = root().join("crates/regent/tests/applications/debugging");
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = Region::start(&application, data.path(), &[]);
    let source = application.join("cobol/ORDERS.cbl");
    let text = std::fs::read_to_string(&source).expect("the source");
    let line_of = |part: &str| text.lines().position(|line| line.contains(part)).expect("it is there") + 1;
    let (first, perform, call) = (line_of("MOVE 0 TO WS-TOTAL"), line_of("PERFORM FILL-LINE"), line_of("CALL 'PRICING'"));
    let mut editor = Command::new("emacs")
        .args(["--batch", "-l"])
        .arg(root().join("crates/regent/tests/editors/session.el"))
        .arg(env!("CARGO_BIN_EXE_regent"))
        .args([&application, data.path(), &source])
        .arg(first.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("Emacs is installed");
    let mut errors = editor.stderr.take().expect("piped");
    let errors = std::thread::spawn(move || std::io::read_to_string(&mut errors).unwrap_or_default());
    let mut lines = BufReader::new(editor.stdout.take().expect("piped")).lines().map_while(Result::ok);
    let mut said = Vec::new();
    for line in lines.by_ref().take_while(|line| line != "ready") {
        said.push(line);
    }
    let port = region.port;
    let screen = std::thread::spawn(move || {
        let mut terminal = Terminal::connect(port);
        terminal.transaction("ORDR");
        terminal.text().join("\n")
    });
    said.extend(lines);
    let expected = [
        format!("MAIN-PARA OF ORDERS ORDERS.cbl:{first}"),
        format!("MAIN-PARA OF ORDERS ORDERS.cbl:{perform}"),
        "FILL-LINE OF ORDERS FILLCODE.cpy:1".to_string(),
        "WS-I = 1".to_string(),
        format!("MAIN-PARA OF ORDERS ORDERS.cbl:{call}"),
        "WORKING-STORAGE: WS-ORDER".to_string(),
        "end".to_string(),
    ];
    assert_eq!(said, expected, "{}", errors.join().unwrap_or_default());
    assert!(editor.wait().expect("it ends").success());
    assert!(screen.join().expect("a screen").contains("TOTAL      3.50"));
    assert_eq!(region.stop(), 0);
}
