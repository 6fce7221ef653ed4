//! Programs written in C: calls to and from COBOL, their traps, their TCBs, their run time.

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
const TRAPS: [(&str, &str); 17] = [
    ("P", "ASRA"),
    ("D", "ASRA"),
    ("R", "ASRA"),
    ("S", "ASRA"),
    ("L", "AICA"),
    ("A", "4038"),
    ("3", "ASRA"),
    ("1", "ASRA"),
    ("T", "ASRA"),
    ("Y", "ASRA"),
    ("N", "ASRA"),
    ("H", "ASRA"),
    ("U", "ASRA"),
    ("J", "ASRA"),
    ("K", "ASRA"),
    ("O", "ASRA"),
    ("B", "ASRA"),
];

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

/// The arguments of its command and the return addresses of its functions are overwritten by another program.
#[test]
fn a_program_whose_stack_is_overwritten_while_it_waits_abends_alone() {
    let (region, _data) = start(&[]);
    let (mut victim, mut other) = (Terminal::connect(region.port), Terminal::connect(region.port));
    victim.start_and_leave("CC03 NW");
    other.transaction("CC03 NX");
    other.expect("DFHAC2206");
    victim.expect("DFHAC2206");
    assert!(victim.text().join(" ").contains("ASRA"));
    other.transaction("CC02");
    other.expect("CC02 AID 1");
    assert_eq!(region.stop(), 0);
}

/// A wild branch sets the alignment check, the direction flag, or unmasks the exceptions of floating-point numbers. Nobody else sees it.
#[test]
fn what_a_program_sets_in_the_processor_ends_with_it() {
    let (region, _data) = start(&["--sit", "MXT=10"]);
    let mut terminal = Terminal::connect(region.port);
    for set in ["C", "F", "M"] {
        terminal.transaction(&format!("CC03 N{set}"));
        terminal.expect("CTRAP CAME TO ITS END");
        terminal.transaction("CC05");
        terminal.expect("CLIB 25 CHECKS 0 FAILURES");
        terminal.transaction("CC02 XCTL");
        terminal.expect("COBBACK GOT XCTL TRANSFER");
    }
    drop(terminal);
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
fn cobol_calls_c_and_c_calls_cobol() {
    let (mut region, data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    // 70000 - 8 - 8; the second call by an identifier; static lasts from one CALL to the next.
    terminal.transaction("CC08");
    terminal.expect("FROM C CC082       69984 RC 07");
    terminal.transaction("CC08");
    terminal.expect("FROM C CC082       69984 RC 07");
    // A structure, numbers turned round both ways, and the return code of COBOL; then C by C: 7 + 7, 1001 + 5 + 5.
    terminal.transaction("CC09");
    terminal.expect("COBOL    1001 101001 -6 RC 12 C 14 1011 CC092");
    // STOP RUN ends the C program, exit the COBOL program that called.
    terminal.transaction("CC9S");
    terminal.expect("RC 12 C 14");
    terminal.transaction("CC8E");
    terminal.expect("FROM C CC8E2");
    terminal.transaction("CC8M");
    terminal.expect("4038");
    terminal.transaction("CC8L");
    terminal.expect("4038");
    for told in [
        "BEFORE STOP RUN",
        "CPLAIN: a C program with a main function is reached by EXEC CICS LINK or XCTL, not by CALL",
        "CSUB: a C program without a main function is reached by CALL only",
    ] {
        assert!(region.output.iter().any(|line| line.contains(told)) || region.wait_for(|line| line.contains(told), LONG), "{told}");
    }
    assert!(!region.output.iter().any(|line| line.contains("AFTER ")), "{}", region.output.join("\n"));
    drop(terminal);
    assert_eq!(region.stop(), 0);
    // Standard output goes to CESO, behind terminal, transaction and time.
    let log = std::fs::read_to_string(data.path().join("data/queues/ceeout.log")).expect("the queue's file");
    let line = log.lines().find(|line| line.contains("BEFORE STOP RUN")).expect("the line");
    assert!(line.starts_with(' ') && &line[5..10] == "CC9S " && &line[24..] == " BEFORE STOP RUN", "{line}");
}

/// -70000 by value and 100 by reference make -69900; rows 1, 2, 3 become 2, 12, -8 in C and in the COBOL program it calls with 10; what was
/// passed by value or content is as it was; the return code is 1 + 10 + 99 + 3 + 4 - 300.
#[test]
fn programs_are_fetched_and_released() {
    let (mut region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CC14");
    // What the caller passed, and 2 * 3000000000000; 2 + 40. COBOL adds as in CC09. Static: the second use, then new. 64 pointers in all.
    for part in [
        "CC14 WIDE 1 -41 77777 -7 200 70000 -8 = 6000000000000 42.",
        "COBOL 1001 101001 -6 RC 12.",
        "C 14 1011 CC142.",
        "USE 21 0 1.",
        "61 MORE",
    ] {
        terminal.expect("MORE");
        let screen = terminal.text().join(" ");
        let words: Vec<&str> = screen.split_whitespace().collect();
        assert!(words.join(" ").contains(part), "{part}\n{}", terminal.text().join("\n"));
    }
    terminal.clear();
    for (transaction, code) in [("C14C", "4038"), ("C14M", "4038"), ("C14L", "4038"), ("C14R", "ASRA")] {
        terminal.transaction(transaction);
        terminal.expect(code);
        terminal.clear();
    }
    // exit in a fetched program ends the task, too: no message of an abend.
    terminal.transaction("C14S");
    terminal.transaction("CC14");
    terminal.expect("61 MORE");
    for told in [
        "CBLADD: a fetched program that is not in C is called through a pointer to a type with #pragma linkage(type, COBOL)",
        "CPLAIN: a C program with a main function is reached by EXEC CICS LINK or XCTL, not by CALL",
        "a function type with #pragma linkage is called through a pointer that fetch has not given",
    ] {
        assert!(region.output.iter().any(|line| line.contains(told)) || region.wait_for(|line| line.contains(told), LONG), "{told}");
    }
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn numbers_go_by_value_by_reference_and_in_arrays() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CC13");
    terminal.expect("-70000-69900     2    12    -8     5    11  -183");
}

#[test]
fn arguments_are_written_in_every_way_of_c() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CC10");
    terminal.expect("CARGS 22 CHECKS 0 FAILURES");
}

#[test]
fn c_programs_get_the_environment_that_c_guarantees() {
    let (mut region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CC11");
    terminal.expect("CRUN 21 CHECKS 0 FAILURES");
    // The functions of atexit, the last first; output without a line end is written, too.
    for told in ["NUMBER 5", "ERROR TEXT", "AT EXIT FIRST", "AT EXIT SECOND"] {
        assert!(region.wait_for(|line| line.contains(told), LONG), "{told}");
    }
}

#[test]
fn a_program_may_have_several_sources() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CC12");
    terminal.expect("CC12 FROM TWO SOURCES 1");
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
    let (_, text) = compile(
        "ILC.c",
        "#pragma linkage(CBL, COBOL)\nint CBL();\nint main(void)\n{\n    double d = 0;\n    char *p = 0;\n    double reals[2];\n    CBL(d);\n\
         \x20   CBL(reals);\n    CBL(p, &d,\n        p);\n    CBL(&p);\n    return missing;\n}\n",
    );
    for expected in [
        "ILC.c:8: RGTCC0002-S argument 1 of CBL is a floating-point number, which other languages have in another form\n     8 |     CBL(d);",
        "ILC.c:9: RGTCC0002-S argument 1 of CBL leads to addresses or floating-point numbers in the form of the machine: use a structure",
        "ILC.c:10: RGTCC0002-S argument 2 of CBL is a floating-point number, which other languages have in another form",
        "ILC.c:12: RGTCC0002-S argument 1 of CBL is an address, which other languages have in another form",
        "ILC.c:13:12: RGTCC0002-S 'missing' undeclared",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    let (_, text) =
        compile("PARM.c", "#pragma linkage(PARM, FETCHABLE)\nvoid PARM(double *a, double b, char *c, int *d, int e, char **f)\n{\n}\n");
    for parameter in ["1 of PARM leads to addresses or", "2 of PARM is a floating-point number", "6 of PARM leads to addresses or"] {
        assert!(text.contains(&format!("PARM.c:2: RGTCC0002-S parameter {parameter}")), "{parameter}\n{text}");
    }
    assert!(["3", "4", "5"].iter().all(|parameter| !text.contains(&format!("parameter {parameter}"))), "{text}");
    let (_, text) = compile("XPL.c", "#pragma options(XPLINK)\n#pragma linkage(XPL, COBOL)\nvoid XPL(void)\n{\n}\n");
    assert!(text.contains("XPL.c:2:1: RGTXL0023-S a program with #pragma linkage cannot be compiled with XPLINK"), "{text}");
    let (_, text) = compile("INIT.c", "struct a { int n; char *p; } x = { 1, \"y\" };\nint main(void) { return x.n; }\n");
    assert!(text.contains("an address cannot be an initial value in a structure whose numbers are in the order of COBOL"), "{text}");
    // Assembler statements, from a header and pasted together, too.
    std::fs::write(directory.path().join("call.h"), "\n#define CALL __asm__ volatile\n").expect("written");
    let (code, text) = compile(
        "ASM.c",
        "#include \"call.h\"\n#define JOIN(a, b) a##b\nint main(void)\n{\n    asm(\"syscall\");\n    JOIN(__a, sm)(\"nop\");\n    return 0;\n}\n\
         int other(void) __asm(\"exit\");\n",
    );
    assert_eq!(code, Some(12), "{text}");
    for place in ["./call.h:2:14", "ASM.c:5:5", "ASM.c:6:", "ASM.c:9:17"] {
        let found = text.lines().any(|line| line.starts_with(place) && line.contains("RGTCC0002-S assembler statements are not supported"));
        assert!(found, "{place}\n{text}");
    }
    let (code, text) =
        compile("BASE.c", "__attribute__((target(\"fsgsbase\"))) int main(void)\n{\n    __builtin_ia32_wrfsbase64(0);\n    return 0;\n}\n");
    assert!(code == Some(12) && text.contains("BASE.c:3:5: RGTCC0002-S __builtin_ia32_wrfsbase64 cannot be used"), "{text}");
    // What would end a process or a thread is not there to be linked.
    for function in ["_exit", "_Exit", "quick_exit", "pthread_exit", "kill", "raise", "signal", "syscall"] {
        let (code, text) = compile("ENDS.c", &format!("int {function}();\nint main(void) {{ return {function}(9, 0) != 0; }}\n"));
        assert!(code == Some(12) && text.contains(&format!("{function} is used and defined nowhere")), "{text}");
    }
    let (code, text) = compile("ALONE.c", "int f(void) { return 0; }\n");
    assert!(code == Some(12) && text.contains("there is no function main"), "{text}");
    let (_, text) =
        compile("PLACE.c", "int main(void)\n{\n    EXEC CICS WRITEQ TS QUEUE(\"Q\")\n        FROM(nothing) LENGTH(4);\n    return 0;\n}\n");
    assert!(text.contains("PLACE.c:4:14: RGTCC0002-S 'nothing' undeclared"), "{text}");
}

#[test]
fn a_program_whose_static_never_fits_into_the_region_abends_at_once() {
    let (mut region, _data) = start(&["--sit", "EDSALIM=200M"]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CC15");
    terminal.expect("DFHAC2206");
    let says = |text: &str| text.contains("CHUGE") && text.contains("more than the limit of the region");
    let found = region.output.iter().any(|text| says(text)) || region.wait_for(says, LONG);
    assert!(found, "{}", region.output.join("\n"));
    terminal.transaction("CC02");
    terminal.expect("CC02 AID 1");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// EXTRACT EXIT of an exit that is no longer enabled is INVEXITREQ, 63; the queue that the exit program kept from being written is not there.
#[test]
fn a_c_program_is_a_global_user_exit() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CC20");
    terminal.expect("CC20 ENABLED 0 WRITTEN 0 COMMANDS 2 LENGTH 4 MISSING 44 AGAIN 63");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}
