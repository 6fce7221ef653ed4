//! Programs written in C: with COBOL both ways, their traps, their TCBs, their run time.

mod support;

use std::time::Duration;
use support::terminal::Terminal;
use support::{Region, regent, root};

const LONG: Duration = Duration::from_secs(30);

fn start(arguments: &[&str]) -> (Region, tempfile::TempDir) {
    let data = tempfile::tempdir().expect("a scratch directory");
    (Region::start(&root().join("crates/regent/tests/applications/c"), data.path(), arguments), data)
}

#[test]
fn cobol_and_c_link_to_each_other() {
    let (mut region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    // COBOL to C, which adds 1 and doubles, and on to COBOL, which adds 1 to the fullword; the value of main is RESP2.
    terminal.transaction("CC01");
    terminal.expect("259   -69999      2199023255552 CCCCBACK 0042 C:CCCCBACK");
    assert!(region.wait_for(|line| line.contains("CSECOND of CC01, use 1, number 258"), LONG), "{}", region.output.join("\n"));
    // A second time: static is as at the start.
    terminal.transaction("CC01");
    assert!(region.wait_for(|line| line.contains("CSECOND of CC01, use 1, number 258"), LONG));
    terminal.transaction("CC02 XCTL");
    terminal.expect("COBBACK GOT XCTL TRANSFER");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn conditions_come_back_and_abends_do_not() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CC02");
    terminal.expect("CC02 AID 1 QIDERR 1 0 LINK 1 PTR 4 LONG 4");
    terminal.transaction("CC02 ABND");
    terminal.expect("DFHAC2206");
    assert!(terminal.text().join(" ").contains("CMIN"));
}

/// What the program does, and how its task ends.
const TRAPS: [(&str, &str); 6] = [("P", "ASRA"), ("D", "ASRA"), ("R", "ASRA"), ("S", "ASRA"), ("L", "AICA"), ("A", "4038")];

#[test]
fn traps_of_c_programs_are_abends_of_their_tasks() {
    let (mut region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    let mut witness = Terminal::connect(region.port);
    for (trap, code) in TRAPS {
        terminal.transaction(&format!("CC03 N{trap}"));
        terminal.expect("DFHAC2206");
        let screen = terminal.text().join(" ");
        assert!(screen.contains(code), "{trap} is to abend {code}:\n{screen}");
        // HANDLE ABEND PROGRAM in C: the exit sees program and code.
        terminal.transaction(&format!("CC03 E{trap}"));
        terminal.expect(&format!("EXIT OF CTRAP    {code}"));
        witness.transaction("CC02");
        witness.expect("CC02 AID 1");
    }
    terminal.transaction("CC03 N");
    terminal.expect("CTRAP CAME TO ITS END");
    // The line of the source: *(volatile int *)0x7FFFF000 = 1 and the call of strcpy.
    let source = std::fs::read_to_string(root().join("crates/regent/tests/applications/c/CTRAP.c")).expect("the source");
    for statement in ["0x7FFFF000", "strcpy((char *)16"] {
        let line = source.lines().position(|text| text.contains(statement)).expect("the statement") + 1;
        let dumped = |text: &str| text.contains("transaction dump") && text.contains(&format!("line={line} ")) && text.contains("CTRAP");
        let found = region.output.iter().any(|text| dumped(text)) || region.wait_for(dumped, LONG);
        assert!(found, "no dump names line {line}\n{}", region.output.join("\n"));
    }
    drop((terminal, witness));
    assert_eq!(region.stop(), 0);
}

#[test]
fn each_use_has_static_of_its_own() {
    let (region, _data) = start(&[]);
    let mut terminals: Vec<Terminal> = (0..4).map(|_| Terminal::connect(region.port)).collect();
    for _ in 0..2 {
        terminals.iter_mut().for_each(|terminal| terminal.transaction("CC04"));
        terminals.iter_mut().for_each(|terminal| terminal.expect("COUNTER 7 8 TWO"));
    }
}

#[test]
fn xplink_programs_run_on_tcbs_of_the_xp_pool() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CC06");
    terminal.expect("TCB 1 1 POOL 1 OF 1 RUNTIME 1 1");
}

#[test]
fn maps_are_sent_and_received_by_their_c_headers() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CC07");
    terminal.expect("C AND BMS");
    assert_eq!((terminal.at(3, 2, 9), terminal.at(5, 23, 11)), ("YOUR NAME".to_string(), "SECOND LINE".to_string()));
    assert_eq!((terminal.at(9, 2, 4), terminal.at(9, 6, 2)), ("1999".to_string(), "12".to_string()));
    // Attribute DFHBMFSE (unprotected, modified), colour DFHYELLO, highlighting DFHUNDLN; the cursor by a length of -1.
    let (basic, extended) = terminal.attribute(3, 1);
    assert_eq!(basic & 0x3F, 0xC1 & 0x3F, "{basic:02x}");
    assert!(extended.contains(&(0x42, 0xF6)) && extended.contains(&(0x41, 0xF4)), "{extended:x?}");
    assert_eq!(terminal.cursor(), (3, 2));
    terminal.fill(3, 2, "MARY ANN  ");
    // The group is one field of the screen, so it is typed over.
    terminal.move_to(9, 2);
    terminal.type_text("2026");
    terminal.pf(5);
    terminal.expect("BASED ON BMSMAPBR");
    assert_eq!((terminal.at(5, 2, 20), terminal.at(5, 44, 20)), (format!("{:20}", "10 MARY ANN"), format!("{:20}", "5 2026-12 6")));
    terminal.clear();
    terminal.transaction("CC07");
    terminal.expect("C AND BMS");
}

#[test]
fn the_library_works_in_both_code_pages() {
    for ccsid in ["037", "1047", "819"] {
        let (mut region, _data) = start(&["--sit", &format!("LOCALCCSID={ccsid}")]);
        let mut terminal = Terminal::connect(region.port);
        terminal.transaction("CC05");
        terminal.expect("CLIB 25 CHECKS 0 FAILURES");
        assert!(region.wait_for(|line| line.contains("TO CESE"), LONG));
    }
}

#[test]
fn errors_of_c_sources_are_shown_with_their_places() {
    let directory = tempfile::tempdir().expect("a directory");
    let source = "int main(void)\n{\n    EXEC CICS LINK PROGRAM(\"P\")\n              COMAREA(missing);\n    return also;\n}\n";
    let compile = |name: &str, text: &str| {
        std::fs::write(directory.path().join(name), text).expect("written");
        let output = regent().args(["compile", name, "-o", "load"]).current_dir(directory.path()).output().expect("regent runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout))
    };
    let (code, text) = compile("BAD.c", source);
    assert_eq!(code, Some(12), "{text}");
    assert!(text.contains("BAD.c:4:15: RGTXL0007-E COMAREA is not an option of LINK; it is ignored; expected COMMAREA"), "{text}");
    assert!(text.contains("BAD.c:5:12: RGTCC0002-S 'also' undeclared"), "{text}");
    assert!(!directory.path().join("load/BAD.rlm").exists());
    std::fs::write(directory.path().join("other.h"), "int x = ;\n").expect("written");
    let (code, text) = compile("HEADER.c", "#include \"other.h\"\nint main(void) { return x; }\n");
    assert_eq!(code, Some(12), "{text}");
    assert!(text.contains("./other.h:1:9: RGTCC0002-S") && text.contains("\n     1 | int x = ;\n"), "{text}");
    // An error of a command's argument stands where the argument does.
    let (_, text) = compile("PLACE.c", "int main(void)\n{\n    EXEC CICS WRITEQ TS QUEUE(\"Q\")\n        FROM(nothing) LENGTH(4);\n    return 0;\n}\n");
    assert!(text.contains("PLACE.c:4:14: RGTCC0002-S 'nothing' undeclared"), "{text}");
}
