//! Language Environment in batch programs: services, conditions, run-time options, messages and tracebacks.

mod support;

use support::batch::{copy_directory, program, run};
use support::regent;

/// Storage, parameter, random numbers, messages and condition tokens (z/OS Language Environment Programming Reference).
#[test]
fn language_environment_services() {
    let directory = tempfile::tempdir().expect("a directory");
    let lines = run("SERVICES.cbl", &directory.path().join("data"), &["--parm", "A PARM"]);
    let expected = [
        "FC 0000 0000",
        "FC 0000 0000",
        "KEPTKEPT",
        "FC 0000 0000",
        "FREED",
        // An address that was not obtained (CEE0PA), and a size that is not positive (CEE0P8).
        "FC 0003 0810",
        "FC 0003 0808",
        "A PARM",
        // From seed 1 the generator's multiplier itself; 950706376 / (2**31 - 1) = 0.442707155...
        "950706376",
        "044270716",
        "TO MSGFILE.",
        "0003 2507 000100030001CEE",
        "000000003",
    ];
    assert_eq!(lines, expected);
}

/// Further heaps, the parameter in full length, user fields, enablement of conditions, delays. A discarded heap's storage and the heap itself
/// are not known any more (CEE0PA, CEE0P3); the initial heap stays (CEE0PC).
#[test]
fn services_of_the_enclave() {
    let directory = tempfile::tempdir().expect("a directory");
    let lines = run("ENCLAVE.cbl", &directory.path().join("data"), &["--parm", "A PARM"]);
    let expected = [
        "FC 0000 0000",
        "ZERO",
        "FC 0000 0000",
        "FC 0003 0810",
        "FC 0003 0803",
        "FC 0003 0812",
        "A PAR***** 000000006",
        "FC 0001 3715",
        "000004711",
        "FC 0003 3901",
        "NOF,NOD,NOU,NOS",
        "NOF,D,NOU,NOS",
        "NOF,NOD,NOU,NOS",
        "FC 0004 3299",
        "FC 0004 3296",
        "FC 0001 3930",
        "FC 0000 0000",
    ];
    assert_eq!(lines, expected);
}

/// Country and national language: what is asked for a country, SET, QUERY, PUSH and POP, and the feedback codes of what is not valid (CEE3BQ to
/// CEE3CF). The rows are those of "IBM-supplied country code defaults"; 05/16/88 is Lilian day 148138.
#[test]
fn national_language_services() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().join("data");
    let good = "FC 0000 0000";
    let of = |codes: [&'static str; 6], texts: [&'static str; 7]| {
        let [money, decimal, thousands, date, time, both] = codes;
        let [currencies, point, comma, d, t, dt, shown] = texts;
        vec![money, currencies, point, decimal, comma, thousands, d, date, t, time, dt, both, shown]
    };
    let us = of([good; 6], ["$   USD", "DECIMAL .", "THOUSANDS ,", "MM/DD/YY", "HH:MI:SS AP", "MM/DD/YY HH:MI:SS AP", "05/16/88"]);
    let argentina = of([good; 6], ["A   ARS", "DECIMAL ,", "THOUSANDS .", "DD/MM/YY", "HH.MI.SS", "DD/MM/YY HH.MI.SS", "16/05/88"]);
    let invalid = of(
        ["FC 0002 3463", "FC 0002 3461", "FC 0002 3465", "FC 0002 3467", "FC 0002 3469", "FC 0002 3471"],
        ["\u{a4}", "DECIMAL .", "THOUSANDS ,", "YYYY-MM-DD", "HH:MI:SS", "YYYY-MM-DD HH:MI:SS", "1988-05-16"],
    );
    let message = "The first parameter passed to CEEMRCR was not 0 or 1.";
    let (mixed, upper) = (format!("CEE0254S {message}"), format!("CEE0254S {}", message.to_uppercase()));
    let end = [
        "FC 0003 3457",
        "AL",
        "US",
        "FC 0002 3455",
        "MM/DD/YY",
        &mixed,
        &upper,
        "ENU",
        good,
        "FC 0002 3450",
        "FC 0003 3451",
        "FC 0003 3452",
    ];
    let expected = [&["US"][..], &us, &[good], &argentina, &["FC 0003 3456"], &invalid, &end].concat();
    assert_eq!(run("NATIONAL.cbl", &data, &[]), expected);
    // Run-time options.
    let lines = run("NATIONAL.cbl", &data, &["--parm", "/COUNTRY(DE),NATLANG(UEN)"]);
    assert_eq!((lines[0].as_str(), lines[11].as_str(), lines[13].as_str()), ("DE", "DD.MM.YYYY HH:MI:SS", "16.05.1988"));
    assert_eq!(lines[lines.len() - 7], upper, "{lines:?}");
}

/// CEE3INF (bits 5 and 30: batch, z/OS; member 5: COBOL), CEEENV with CEE51P, CEE51R and CEE51S, CEEGTJS with CEE3L9 and CEE3LA.
#[test]
fn where_a_program_runs() {
    let arguments = ["--parm", "/ENVAR(\"FIRST=ONE\")", "--symbol", "HLQ=BANK.PROD"];
    let mut command = regent();
    let output = command.arg("run").arg(program("WHERE.cbl")).args(arguments).env("OF-HOST", "HOSTED").output().expect("regent runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let expected = [
        "067108866 000000000 067108864",
        "FC 0000 0000",
        "ONE",
        "FC 0000 5180",
        "NEWER!",
        "NO VALUE 000000000",
        "HOSTED",
        "HOSTED",
        "NO VALUE 000000000",
        "FC 0003 5177",
        "FC 0003 5179",
        "BANK.PROD           000000009",
        "FC 0000 0000",
        "FC 0000 3753",
        "FC 0003 3754",
    ];
    assert_eq!(lines, expected);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// CEE3CIB with CEE35S and CEE35U, CEERCDM with CEE35S and CEE3LA. Event flags: 2 signaled, 4 promoted, 8 termination imminent, 64 program
/// check; action flags: 4 the handler of the owning frame, 32 resumable.
#[test]
fn condition_information_block() {
    let directory = tempfile::tempdir().expect("a directory");
    let block = ["CIB 0268 0004 000000003", "CONDITION", "OLDEST"];
    let rest = ["THE SAME", "FC 0001 3262", "FC 0003 3754", "FC 0000 0000", "BANK.DUMP"];
    let expected = [
        &["FC 0001 3260", "FC 0003 3260", "SIGNAL"][..],
        &block,
        &["Q-DATA 000004711", "CURSOR 000", "EVENT 002", "ACTION 036"],
        &rest,
        &block,
        &["PROMOTED", "Q-DATA 000000000", "CURSOR 000", "EVENT 010", "ACTION 036"],
        &rest,
        &["DATA EXCEPTION"],
        &block,
        &["Q-DATA 000000000", "CURSOR 000", "EVENT 064", "ACTION 000"],
        &rest,
        &["CURSOR 002", "EVENT 064", "ACTION 032", "END OF CONDBLK"],
    ];
    assert_eq!(run("CONDBLK.cbl", &directory.path().join("data"), &[]), expected.concat());
}

/// The locale C, of the United States, and of Germany but for collation; CEE2KD and CEE2KE, CEE3T1, CEE3TF, CEE3VM.
#[test]
fn locale_services() {
    let directory = tempfile::tempdir().expect("a directory");
    let expected = [
        "C",
        "FC 0003 2702",
        "FC 0003 2701",
        "FC 0003 2701",
        "MONEY 12345.62 000000008",
        "Monday 09 May 1994, 05/09/94",
        "COMPARED LESS",
        "TRANSFORMED LESS",
        ".",
        "May                 May",
        "En_US.IBM-037",
        "MONEY $12,345.62 000000010",
        "Monday 09 May 1994, 05/09/1994",
        "COMPARED LESS",
        "TRANSFORMED LESS",
        ".,USD",
        "May                 May",
        "En_US.IBM-037,En_US.IBM-037,De_DE,De_DE,De_DE,En_US.IBM-037",
        "MONEY 12.345,62 \u{a4} 000000011",
        "Montag 09 Mai 1994, 09.05.1994",
        "COMPARED LESS",
        "TRANSFORMED LESS",
        ",.EUR",
        "Mai                 Mai",
        "FC 0003 4001",
        "FC 0003 4086",
        "FC 0003 4015",
    ];
    let lines = run("LOCALES.cbl", &directory.path().join("data"), &[]);
    assert_eq!(lines, expected);
    // In Latin 1 small letters are behind capitals.
    let lines = run("LOCALES.cbl", &directory.path().join("data"), &["--ccsid", "819"]);
    assert_eq!(lines[6..8], ["COMPARED GREATER", "TRANSFORMED GREATER"]);
    assert_eq!(lines[13..15], ["COMPARED LESS", "TRANSFORMED LESS"]);
}

/// Math services: operands, feedback code, result; the values are those of tables, in hexadecimal floating point and IEEE items.
#[test]
fn math_services() {
    let directory = tempfile::tempdir().expect("a directory");
    let expected = [
        "SQT 0012000000 0000",
        "XPD 0008000000 0000",
        "LOG 0000693147 0000",
        "MOD 00002",
        "CDV 0003 0004-",
        // Logarithm of zero (CEE1US) and arccosine of 2 (CEE1V0).
        "LOG 2012",
        "ACS 2016",
    ];
    for ccsid in ["37", "819"] {
        let lines = run("MATHSVC.cbl", &directory.path().join("data"), &["--ccsid", ccsid]);
        assert_eq!(lines, expected, "code page {ccsid}");
    }
    let output = regent().arg("run").arg(program("MATHSVC.cbl")).args(["--parm", "EXTENDED"]).output().expect("regent runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains("CALL of callable service CEESQSQT: it takes floating-point numbers of 128 bits, which COBOL does not have"),
        "{text}"
    );
    let warnings = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(warnings.contains("CALL 'CEESQSQT': this callable service of Language Environment is refused"), "{warnings}");
}

/// Runs a case of CONDS; what it displays and its exit code.
fn conditions(case: &str, options: &str) -> (Vec<String>, i32) {
    let parm = format!("{case}/{options}");
    let output = regent().arg("run").arg(program("CONDS.cbl")).args(["--parm", &parm]).output().expect("regent runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text.lines().map(|line| line.trim_end().to_string()).collect(), output.status.code().expect("it ends"))
}

/// The four arguments of a handler, the moves of the resume cursor, and percolation to the caller's handler.
#[test]
fn condition_handlers_resume_in_a_caller() {
    let fails = "HANDLER CEE3207 0003 000000077 FAILS   000000020";
    let middle = "HANDLER CEE3207 0003 000000088 FAILS   000000020";
    assert_eq!(conditions("MOVE0", ""), (list(&["FC 0000 0000", fails, "BEHIND FAILS", "END OF CONDS"]), 0));
    let twice = ["FC 0000 0000", fails, "BEHIND FAILS", fails, "BEHIND FAILS", "END OF CONDS"];
    assert_eq!(conditions("TWICE", ""), (list(&twice), 0));
    // Type 1: behind the CALL of the program that registered the handler.
    assert_eq!(conditions("MOVE1", ""), (list(&[middle, "BEHIND MIDDLE", "END OF CONDS"]), 0));
    assert_eq!(conditions("SKIP", ""), (list(&[middle, fails, "BEHIND MIDDLE", "END OF CONDS"]), 0));
    // CEE3501S, a condition of the CALL statement itself.
    let missing = ["HANDLER CEE3501 0003 000000077 CONDS   000000020", "BEHIND NOWHERE", "END OF CONDS"];
    assert_eq!(conditions("CALLEE", ""), (list(&missing), 0));
    assert_eq!(conditions("STOP", ""), (list(&["FC 0000 0000", fails]), 0));
}

/// CEESGL: handled in place, promoted (CEEITOK has the first token), and not handled, which its feedback code says (CEE069).
#[test]
fn signalled_conditions() {
    let handled = ["HANDLER XYZ0100 0003 000000077 CONDS   000000020", "Q-DATA 000004711", "FC 0000 0000", "FC 0000 0201", "END OF CONDS"];
    assert_eq!(conditions("SIGNAL", ""), (list(&handled), 0));
    let promoted = [
        "HANDLER XYZ0100 0003 000000077 CONDS   000000020",
        "HANDLER XYZ0101 0003 000000077 CONDS   000000020",
        "WAS 0100",
        "FC 0000 0000",
        "FC 0000 0201",
        "END OF CONDS",
    ];
    assert_eq!(conditions("PROMOTE", ""), (list(&promoted), 0));
    // Without a feedback code a warning is told and passed over, an error ends the program.
    let ended = ["XYZ0100W was signaled and not handled.", "A WARNING GOES ON", "XYZ0100E was signaled and not handled."];
    assert_eq!(conditions("NOFC", ""), (list(&ended), 255));
}

/// A program that nobody's handler helps: the message, the second pass with CEE066, and what the run-time options make of it.
#[test]
fn unhandled_conditions() {
    let message = "CEE3207S The system detected a data exception (System Completion Code=0C7).";
    let (lines, code) = conditions("ALONE", "");
    assert_eq!((lines[0].as_str(), code), (message, 255));
    assert!(lines[1].starts_with("         From compile unit FAILS at entry point FAILS at statement 1"), "{lines:?}");
    assert!(
        lines[1].contains(" at compile unit offset +") && lines[2].starts_with("         ") && lines[2].contains("at address "),
        "{lines:?}"
    );
    assert!(lines.iter().all(|line| line.len() <= 120), "{lines:?}");
    let (lines, code) = conditions("PERC", "");
    let twice = ["HANDLER CEE3207 0003 000000077 FAILS   000000020", "HANDLER CEE0198 0003 000000077 FAILS   000000020", message];
    assert_eq!((&lines[1..4], code), (&list(&twice)[..], 255));
    // The handler registered last is asked first.
    let tokens: Vec<String> = conditions("TWO", "").0[1..5].iter().map(|line| line[21..30].to_string()).collect();
    assert_eq!(tokens, ["000000078", "000000077", "000000078", "000000077"]);
    // A statement that failed cannot be gone behind.
    let (lines, code) = conditions("INPLACE", "");
    assert!(lines[2].starts_with("A condition handler asked to resume") && lines[3] == message && code == 255, "{lines:?}");
    assert_eq!(conditions("ALONE", "TERMTHDACT(QUIET)"), (Vec::new(), 255));
    assert_eq!(conditions("MOVE0", "TRAP(OFF)"), (list(&["FC 0000 0000"]), 255));
    assert_eq!(conditions("ALONE", "TERMTHDACT(QUIET),ABTERMENC(RETCODE)"), (Vec::new(), 254));
}

/// DEPTHCONDLMT and ERRCOUNT at the limit and beyond it: abend 4091.
#[test]
fn limits_of_condition_handling() {
    let fails = "HANDLER CEE3207 0003 000000077 FAILS   000000020";
    let nested = "HANDLER CEE3207 0003 000000077 ONCOND  000000020";
    let (lines, code) = conditions("NEST", "DEPTHCONDLMT(3)");
    assert_eq!((lines, code), (list(&["FC 0000 0000", fails, nested, nested, "BEHIND FAILS", "END OF CONDS"]), 0));
    let (lines, code) = conditions("NEST", "DEPTHCONDLMT(2)");
    assert_eq!((lines, code), (list(&["FC 0000 0000", fails, nested]), 255));
    assert_eq!(conditions("TWICE", "ERRCOUNT(2)").1, 0);
    let (lines, code) = conditions("TWICE", "ERRCOUNT(1)");
    assert_eq!((lines, code), (list(&["FC 0000 0000", fails, "BEHIND FAILS"]), 255));
}

/// Result code 10 for a program interruption in a program that registers handlers: on behind the statement, wherever it stands, with and
/// without CEEMRCR (type 0).
#[test]
fn resume_behind_the_failed_statement() {
    let directory = tempfile::tempdir().expect("a directory");
    let expected = [
        "FAILED 3211",
        "BEHIND DIVIDE 00007",
        "FAILED 3207",
        "BEHIND ADD",
        "FAILED 3207",
        "BEHIND ADD",
        "FAILED 3207",
        "BEHIND ADD IN LOOP 0002",
        "FAILED 3207",
        "FAILED 3207",
        "FAILED 3207",
        "N 00009",
        "FAILED 3204",
        "FAILED 3207",
        "END",
    ];
    for how in ["STAY", "MOVE"] {
        assert_eq!(run("RESUMES.cbl", &directory.path().join("data"), &["--parm", how]), expected, "{how}");
    }
}

/// USRHDLR(lmname,lmname2): the second before any other handler, the first at stack frame 0 behind all of them, where the resume cursor cannot
/// move (CEE083).
#[test]
fn user_handlers_of_the_run_time_option() {
    let lines = |parm: &str| {
        let output = regent()
            .arg("run")
            .arg(program("USERHDLR.cbl"))
            .arg("-I")
            .arg(copy_directory())
            .args(["--parm", parm])
            .output()
            .expect("regent runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (
            text.lines().take_while(|line| !line.starts_with(' ')).map(|line| line.trim_end().to_string()).collect::<Vec<_>>(),
            output.status.code(),
        )
    };
    let message = "CEE3207S The system detected a data exception (System Completion Code=0C7).";
    let all = ["FIRST 3207", "OWN 3207 000000077", "LAST 3207 0259", "FIRST 0198", "OWN 0198 000000077", "LAST 0198 0259", message];
    assert_eq!(lines("ALL/USRHDLR(LASTH,FIRSTH)"), (list(&all), Some(255)));
    assert_eq!(lines("FIRST/USRHDLR(LASTH,FIRSTH)"), (list(&["FIRST 3207", "BEHIND FAILS"]), Some(0)));
    assert_eq!(lines("ALONE/USRHDLR(LASTH)"), (list(&["LAST 3207 0259", "LAST 0198 0259", message]), Some(255)));
    assert_eq!(lines("FIRST/NOUSRHDLR"), (list(&["OWN 3207 000000077", "OWN 0198 000000077", message]), Some(255)));
    let missing = "CEE3501S The module NOWHERE was not found.";
    assert_eq!(lines("ALONE/USRHDLR(NOWHERE)"), (list(&[missing, missing, message]), Some(255)));
}

/// The completion code of a job that a program interruption or an error of the run time ends.
#[test]
fn completion_codes_of_batch_programs() {
    let error = |case: &str| {
        let output = regent().arg("run").arg(program("CONDS.cbl")).args(["--parm", case]).output().expect("regent runs");
        (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code())
    };
    let (text, code) = error("ALONE");
    assert!(text.starts_with("S0C7 in FAILS at line 1") && code == Some(255), "{text}");
    let (text, code) = error("NOFC");
    assert!(text.starts_with("U4038") && code == Some(255), "{text}");
}

/// CEE3SRP and CEEMRCE: the program goes on at its SERVICE LABEL, its PERFORM still active; then CEE3DMP.
#[test]
fn resume_at_a_service_label() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().join("data");
    let path = directory.path().join("dump");
    let failed = ["UNKNOWN 0002 0255", "HANDLER 0000 0000"];
    let expected = |dump: &'static str| {
        let [unknown, handled] = failed;
        vec!["FC 0003 0260", "TRY 01", unknown, handled, "TRY 02", unknown, handled, "TRY 03", "DONE", "BEHIND PERFORM", dump]
    };
    // CEE30V: without DD name CEEDUMP there is no file for a dump.
    assert_eq!(run("CONDLBL.cbl", &data, &[]), expected("FC 0003 3103"));
    let dd = format!("CEEDUMP={}", path.display());
    assert_eq!(run("CONDLBL.cbl", &data, &["--dd", &dd]), expected("FC 0000 0000"));
    let dump = std::fs::read_to_string(&path).expect("CEEDUMP");
    assert!(dump.starts_with("CEE3DMP V2 R2.0: BY THE PROGRAM ") && !dump.contains("WORKING-STORAGE"), "{dump}");
    let called = dump.lines().find(|line| line.starts_with("CEE3DMP called by program unit CONDLBL at statement ")).expect("the caller");
    assert!(called.contains(&format!("statement {} (offset +", line_of("CONDLBL.cbl", "CALL 'CEE3DMP'"))), "{called}");
    assert!(dump.ends_with("CEE3846I CEEDUMP Processing completed.\n"), "{dump}");
}

/// Feedback codes of the services, and messages of condition tokens.
#[test]
fn condition_and_message_services() {
    let codes = [
        "FC 0001 0252",
        "FC 0000 0000",
        "FC 0001 0256",
        "FC 0003 0257",
        "FC 0001 0253",
        "FC 0000 0000",
        "FC 0003 0260",
        "FC 0001 0254",
        "FC 0001 3260",
        "FC 0003 0464",
        "FC 0003 2530",
        "PLATFORM 000000003",
        "END OF CONDS",
    ];
    assert_eq!(conditions("CODES", ""), (list(&codes), 0));
    let text = "CEE0254W The first parameter passed to CEEMRCR was not 0 or 1.";
    let messages = [text.to_string(), format!("<{text:80}>0000"), "FC 0001 0458".into(), "FC 0003 0451".into(), "END OF CONDS".into()];
    assert_eq!(conditions("MESSAGES", ""), (messages.to_vec(), 0));
}

/// The number of the first line of a program that has this text.
fn line_of(name: &str, text: &str) -> usize {
    let source = std::fs::read_to_string(program(name)).expect("the source");
    source.lines().position(|line| line.contains(text)).expect("the line") + 1
}

fn list(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| line.to_string()).collect()
}

/// The traceback of TERMTHDACT(TRACE), the default, in the file of DD name CEEDUMP; TERMTHDACT(MSG) has none.
#[test]
fn traceback_in_ceedump() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("dump");
    let dd = format!("CEEDUMP={}", path.display());
    let dump = |parm: &str| {
        regent().arg("run").arg(program("CONDS.cbl")).args(["--parm", parm, "--dd", &dd]).output().expect("regent runs");
        std::fs::read_to_string(&path).expect("CEEDUMP")
    };
    let text = dump("ALONE");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].contains("Condition processing resulted in the unhandled condition."), "{text}");
    assert_eq!(&lines[1..4], ["CEE3845I CEEDUMP Processing started.", "Information for enclave CONDS", "Traceback:"], "{text}");
    let row = |at: usize| lines[at].split_whitespace().collect::<Vec<_>>();
    let (failed, called) = (row(5), row(6));
    let statement = |text: &str| line_of("CONDS.cbl", text).to_string();
    assert_eq!(
        (failed[1], failed[3], &failed[4..]),
        ("FAILS", statement("ADD 1 TO PACKED").as_str(), &["CONDS", "FAILS", "Exception"][..]),
        "{text}"
    );
    assert_eq!(
        (called[1], called[3], &called[4..]),
        ("CONDS", statement("WHEN 'ALONE' CALL").as_str(), &["CONDS", "CONDS", "Call"][..]),
        "{text}"
    );
    assert!([failed[2], called[2]].iter().all(|offset| offset.len() == 9 && offset.starts_with('+') && *offset != "+00000000"), "{text}");
    assert!(dump("ALONE/TERMTHDACT(DUMP)").contains("WORKING-STORAGE at"));
    assert_eq!(dump("ALONE/TERMTHDACT(MSG)"), "");
}

/// CEE3DMP shows the first 64 KB of an area, 32 bytes a line, and how much follows.
#[test]
fn a_dump_shows_the_beginning_of_a_large_area() {
    let directory = tempfile::tempdir().expect("a directory");
    let (source, path) = (directory.path().join("LARGE.cbl"), directory.path().join("dump"));
    let lines = [
        "IDENTIFICATION DIVISION.",
        "PROGRAM-ID. LARGE.",
        "DATA DIVISION.",
        "WORKING-STORAGE SECTION.",
        "01  AREA-OF-DATA PIC X(1000000).",
        "01  TITLE-OF-DUMP PIC X(80).",
        "01  OPTIONS-OF-DUMP PIC X(255).",
        "01  FC PIC X(12).",
        "PROCEDURE DIVISION.",
        "    CALL 'CEE3DMP' USING TITLE-OF-DUMP OPTIONS-OF-DUMP FC.",
        "    GOBACK.",
    ];
    std::fs::write(&source, lines.map(|line| format!("       {line}\n")).concat()).expect("written");
    let dd = format!("CEEDUMP={}", path.display());
    regent().arg("run").arg(&source).args(["--dd", &dd]).output().expect("regent runs");
    let dump = std::fs::read_to_string(&path).expect("CEEDUMP");
    let mut lines = dump.lines().skip_while(|line| !line.contains("WORKING-STORAGE at "));
    let heading = lines.next().expect("the area");
    let bytes: usize = heading.split_whitespace().rev().nth(1).and_then(|count| count.parse().ok()).expect("its length");
    assert!(bytes >= 1_000_000, "{heading}");
    let shown: Vec<&str> = lines.by_ref().take(2_048).collect();
    assert!(shown[0].starts_with("    +000000  ") && shown[2_047].starts_with("    +00FFE0  "), "{} and {}", shown[0], shown[2_047]);
    assert_eq!(lines.next(), Some(format!("    {} more bytes are not shown.", bytes - 65_536).as_str()));
}

/// CBLOPTS(ON): program arguments, a slash, run-time options. CEEOPTS has options too, which those of PARM go before.
#[test]
fn run_time_options_in_parm_and_ceeopts() {
    let directory = tempfile::tempdir().expect("a directory");
    let source = directory.path().join("OPTS.cbl");
    let lines = [
        "IDENTIFICATION DIVISION.",
        "PROGRAM-ID. OPTS.",
        "ENVIRONMENT DIVISION.",
        "CONFIGURATION SECTION.",
        "SPECIAL-NAMES.",
        "    UPSI-0 ON STATUS IS FIRST-ON UPSI-7 ON STATUS IS LAST-ON.",
        "DATA DIVISION.",
        "LINKAGE SECTION.",
        "01  PARM.",
        "    05  PARM-LENGTH PIC S9(4) COMP.",
        "    05  PARM-TEXT PIC X(20).",
        "PROCEDURE DIVISION USING PARM.",
        "    IF PARM-LENGTH > 0 DISPLAY 'PARM ' PARM-TEXT(1:PARM-LENGTH).",
        "    IF FIRST-ON DISPLAY 'FIRST'.",
        "    IF LAST-ON DISPLAY 'LAST'.",
        "    GOBACK.",
    ];
    std::fs::write(&source, lines.map(|line| format!("       {line}\n")).concat()).expect("written");
    std::fs::write(directory.path().join("ceeopts"), "STACK(128K,128K),\nUPSI(00000001)\n").expect("written");
    let ceeopts = format!("CEEOPTS={}", directory.path().join("ceeopts").display());
    let run = |parm: &str, more: &[&str]| {
        let output = regent().arg("run").arg(&source).args(["--parm", parm]).args(more).output().expect("regent runs");
        (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(run("A/B/UPSI(10000000),TRAP(ON)", &[]).0, "PARM A/B\nFIRST\n");
    assert_eq!(run("ABC", &["--dd", &ceeopts]).0, "PARM ABC\nLAST\n");
    assert_eq!(run("/UPSI(10000000)", &["--dd", &ceeopts]).0, "FIRST\n");
    let (shown, told) = run("X/BANANA", &["--upsi", "00000001"]);
    assert_eq!(shown, "PARM X\nLAST\n");
    assert!(told.contains("BANANA is not a run-time option"), "{told}");
}

#[test]
fn an_abend_before_the_first_statement_names_the_call() {
    let output = regent().arg("run").arg(program("RECCALL.cbl")).output().expect("regent runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("RECCALL at line 9"), "{text}");
}
