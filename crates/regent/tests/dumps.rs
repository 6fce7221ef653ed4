//! Dumps of a region that an operator works with: through CEMT of a real terminal, over restarts, with a full disk, and when the process is killed.

mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::application::Application;
use support::small_disk::SmallDisk;
use support::terminal::Terminal;
use support::{Region, regent, root};

/// DUBA ends with a data exception, DUAB with the abend code of its name, DUBI holds 100 MB and takes a system dump.
const PROGRAMS: [(&str, &str, &str); 3] = [
    (
        "DUBA",
        "       01  WS-NAME PIC X(8) VALUE 'MARY ANN'.\n       01  WS-TEXT PIC X(3) VALUE 'ABC'.\n       01  WS-RATE REDEFINES WS-TEXT PIC S9(3)V99 COMP-3.\n",
        "           ADD 1 TO WS-RATE.\n",
    ),
    ("DUAB", "", "           EXEC CICS ABEND ABCODE('DUAB') END-EXEC.\n"),
    (
        "DUBI",
        "       01  WS-P POINTER.\n       01  WS-BYTE PIC X VALUE 'X'.\n",
        "           PERFORM 10 TIMES\n             EXEC CICS GETMAIN SET(WS-P) FLENGTH(10485760)\n               INITIMG(WS-BYTE) END-EXEC\n           END-PERFORM.\n           EXEC CICS PERFORM DUMP DUMPCODE('HUNDRED') END-EXEC.\n",
    ),
];

fn application(configuration: &str) -> Application {
    let application = Application::new();
    let mut definitions = String::new();
    for (name, storage, procedure) in PROGRAMS {
        let source = format!(
            "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. {name}P.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n{storage}       PROCEDURE DIVISION.\n{procedure}           EXEC CICS RETURN END-EXEC.\n"
        );
        application.write(&format!("{name}P.cbl"), &source);
        definitions += &format!("DEFINE PROGRAM({name}P) GROUP(DUMPS)\nDEFINE TRANSACTION({name}) GROUP(DUMPS) PROGRAM({name}P)\n");
    }
    application.write("dumps.csd", &definitions);
    application.write("regent.toml", configuration);
    application
}

fn dumps(application: &Application) -> PathBuf {
    application.data().join("data/dumps")
}

/// What `regent dump` prints, and its exit code.
fn shown(file: &Path, keywords: &[&str]) -> (String, Option<i32>) {
    let output = regent().arg("dump").arg(file).args(keywords).output().expect("regent runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (text, output.status.code())
}

fn cemt(terminal: &mut Terminal, command: &str, answer: &str) {
    terminal.pf(3);
    terminal.clear();
    terminal.transaction(&format!("CEMT {command}"));
    terminal.expect(answer);
}

fn abend(terminal: &mut Terminal, transid: &str) {
    terminal.clear();
    terminal.transaction(transid);
    terminal.expect("DFHAC2206");
}

fn system_dumps(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "dump")).collect()
}

/// Entries that CEMT adds last over a warm start, those of requests do not; DUMPDS=AUTO uses the other data set; a cold start forgets.
#[test]
fn an_operator_controls_dumps_over_restarts() {
    let application = application("");
    let directory = dumps(&application);
    let mut region = Region::start(application.path(), application.data(), &[]);
    let mut terminal = Terminal::connect(region.port);
    cemt(&mut terminal, "SET SYDUMPCODE(SR0001) ADD NOSYSDUMP", "NORMAL");
    cemt(&mut terminal, "SET TRDUMPCODE(ASRA) ADD MAXIMUM(2)", "Max( 002 )");
    abend(&mut terminal, "DUAB");
    cemt(&mut terminal, "INQUIRE TRDUMPCODE", "Trd(DUAB)");
    for _ in 0..3 {
        abend(&mut terminal, "DUBA");
    }
    cemt(&mut terminal, "I TRD(ASRA)", "Cur(0003)");
    cemt(&mut terminal, "I DUMPDS", "Currentdds(A)");
    cemt(&mut terminal, "PERFORM DUMP", "DUMPID(");
    assert!(terminal.text().join("\n").contains("/0004)"), "{}", terminal.text().join("\n"));
    drop(terminal);
    region.terminate();
    assert_eq!(region.wait_for_end(), Some(0));
    let told = region.output.join("\n");
    assert_eq!(told.matches("DFHDU0205").count(), 3, "{told}");

    let (index, code) = shown(&directory.join("DFHDMPA"), &["INDEX"]);
    assert_eq!((index.lines().count(), code), (3, Some(0)), "{index}");
    let (text, code) = shown(&directory.join("DFHDMPA"), &["CODE=ASRA"]);
    assert_eq!(code, Some(0));
    assert_eq!(text.matches("===== TRANSACTION DUMP =====").count(), 2, "{text}");
    for wanted in ["WS-NAME", "'MARY ANN'", "X'C1C2C3' (not valid)", "DUBAP.cbl:9 0C7 data exception", "*MARY ANN"] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
    let (none, code) = shown(&directory.join("DFHDMPA"), &["CODE=NONE"]);
    assert!(code != Some(0) && none.contains("no such dump is in it"), "{none}");
    // The dumps of all files of the region.
    let of_region = |keywords: &[&str]| {
        let mut command = regent();
        command.arg("dump").arg(application.path()).arg("--data").arg(application.data()).args(keywords);
        String::from_utf8_lossy(&command.output().expect("regent runs").stdout).into_owned()
    };
    let index = of_region(&[]);
    assert!(index.lines().count() == 4 && index.contains("DUAB") && index.contains("MT0001"), "{index}");
    let text = of_region(&["CODE=DUAB", "AP=1"]);
    assert!(text.matches("===== TRANSACTION DUMP =====").count() == 1 && !text.contains("MT0001"), "{text}");
    let [file] = system_dumps(&directory).try_into().expect("one system dump");
    let (text, code) = shown(&file, &["KE=1", "SM=1"]);
    assert!(code == Some(0) && text.contains("MT0001") && text.contains("CEMT PERFORM DUMP") && text.contains("EUDSA"), "{text}");
    for entry in std::fs::read_dir(&directory).unwrap().flatten() {
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{}", entry.path().display());
    }
    assert_eq!(std::fs::metadata(&directory).unwrap().permissions().mode() & 0o777, 0o700);

    let region = Region::start(application.path(), application.data(), &[]);
    let mut terminal = Terminal::connect(region.port);
    cemt(&mut terminal, "I TRD(ASRA)", "Max( 002 ) Cur(0000)");
    cemt(&mut terminal, "I TRD(DUAB)", "NOT FOUND");
    cemt(&mut terminal, "I SYD(SR0001)", "Syd(SR0001  )");
    cemt(&mut terminal, "I DUMPDS", "Currentdds(B)");
    abend(&mut terminal, "DUAB");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    // What the other had is still there.
    assert_eq!(shown(&directory.join("DFHDMPA"), &["INDEX"]).0.lines().count(), 3);
    assert_eq!(shown(&directory.join("DFHDMPB"), &["INDEX"]).0.lines().count(), 1);

    let region = Region::start(application.path(), application.data(), &["--cold"]);
    let mut terminal = Terminal::connect(region.port);
    cemt(&mut terminal, "I TRD(ASRA)", "NOT FOUND");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// The process is killed while it writes a dump of 100 MB. The region starts again, and what there is of the dump is readable.
#[test]
fn a_kill_leaves_readable_dumps() {
    let application = application("");
    let directory = dumps(&application);
    let region = Region::start(application.path(), application.data(), &[]);
    let mut terminal = Terminal::connect(region.port);
    abend(&mut terminal, "DUAB");
    terminal.clear();
    terminal.start_and_leave("DUBI");
    let begun = || system_dumps(&directory).iter().any(|path| std::fs::metadata(path).is_ok_and(|data| data.len() > 1 << 20));
    testing::eventually("a dump is being written", begun);
    region.kill();
    let [file] = system_dumps(&directory).try_into().expect("one system dump");
    let length = std::fs::metadata(&file).unwrap().len();
    let (text, code) = shown(&file, &["KE=1"]);
    if length < 100 << 20 {
        assert!(code == Some(8) && text.contains("incomplete"), "{code:?} {text}");
    }
    assert!(text.contains("HUNDRED"), "{text}");
    let region = Region::start(application.path(), application.data(), &[]);
    let mut terminal = Terminal::connect(region.port);
    abend(&mut terminal, "DUAB");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    for data_set in ["DFHDMPA", "DFHDMPB"] {
        let (index, code) = shown(&directory.join(data_set), &["INDEX"]);
        assert!(code == Some(0) && index.contains("DUAB"), "{data_set}: {index}");
    }
}

/// SHUTDOWN of a dump code ends the region once the dump is taken.
#[test]
fn a_dump_code_may_end_the_region() {
    let application = application("");
    let mut region = Region::start(application.path(), application.data(), &[]);
    let mut terminal = Terminal::connect(region.port);
    cemt(&mut terminal, "SET SYDUMPCODE(STOPIT) ADD SHUTDOWN", "NORMAL");
    terminal.pf(3);
    terminal.start_and_leave("CEMT PERFORM DUMP DUMPCODE(STOPIT)");
    assert!(region.wait_for_end().is_some());
    let told = region.output.join("\n");
    assert!(told.contains("DFHDU0309") && told.contains("DFHTM1700") && told.contains("IMMEDIATE"), "{told}");
    assert_eq!(system_dumps(&dumps(&application)).len(), 1);
}

/// The disk of the dumps has 24 MB: the region goes on, tells it, and leaves no incomplete dump.
#[test]
fn a_full_disk_costs_dumps_only() {
    let application = application("[dumps]\ndata_set_megabytes = 1000\n");
    let directory = dumps(&application);
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::set_permissions(&directory, std::fs::Permissions::from_mode(0o700)).unwrap();
    let Some(_disk) = SmallDisk::mount(&directory, "24m") else { return };
    let mut region = Region::start(application.path(), application.data(), &[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.clear();
    terminal.transaction("DUBI");
    terminal.expect("AEIR");
    // A dump of what the region has without the 100 MB may fit.
    cemt(&mut terminal, "PERFORM DUMP DUMPCODE(SMALL)", "PERFORM DUMP");
    system_dumps(&directory).iter().for_each(|file| std::fs::remove_file(file).unwrap());
    // The dump of DUBI, with its 100 MB, has closed the data set.
    cemt(&mut terminal, "SET DUMPDS OPEN", "NORMAL");
    abend(&mut terminal, "DUAB");
    drop(terminal);
    region.wait_for(|line| line.contains("DFHDU0202") && line.contains("not complete"), Duration::from_secs(10));
    region.terminate();
    assert_eq!(region.wait_for_end(), Some(0));
    let told = region.output.join("\n");
    assert!(told.contains("DFHDU0202") && told.contains("not complete: No space left on device"), "{told}");
    assert!(system_dumps(&directory).iter().all(|path| !path.to_string_lossy().contains("HUNDRED")));
    let (index, code) = shown(&directory.join("DFHDMPA"), &["INDEX"]);
    assert!(code == Some(0) && index.contains("DUAB"), "{index}");
}

/// PERFORM SHUTDOWN DUMP: the entry of dump code SHUTDOWN says whether a dump is taken, which has the region before its files are closed.
#[test]
fn a_shutdown_with_dump_takes_the_dump_of_code_shutdown() {
    for (suppressed, command) in
        [(false, "CEMT PERFORM SHUTDOWN DUMP"), (false, "CEMT PERFORM SHUTDOWN IMMEDIATE DUMP"), (true, "CEMT P SHUT DUMP")]
    {
        let application = application("");
        let mut region = Region::start(application.path(), application.data(), &[]);
        let mut terminal = Terminal::connect(region.port);
        if suppressed {
            cemt(&mut terminal, "SET SYDUMPCODE(SHUTDOWN) ADD NOSYSDUMP", "NORMAL");
            terminal.pf(3);
        }
        terminal.clear();
        terminal.start_and_leave(command);
        assert!(region.wait_for_end().is_some(), "{command}");
        let told = region.output.join("\n");
        let files = system_dumps(&dumps(&application));
        if suppressed {
            assert!(files.is_empty() && told.contains("DFHDU0205"), "{told}");
            continue;
        }
        let [file] = files.try_into().unwrap_or_else(|files| panic!("{command}: {files:?}\n{told}"));
        let (text, code) = shown(&file, &["KE=1"]);
        assert_eq!(code, Some(0), "{text}");
        for wanted in ["DUMPCODE:   SHUTDOWN", "Shutdown was requested by transaction CEMT", "TITLE:      Shutdown of the region"] {
            assert!(text.contains(wanted), "{command}: {wanted}\n{text}");
        }
    }
}

/// DUMPDS, DUMPSW, TRDUMAX, SYDUMAX and DUMP.
#[test]
fn system_initialization_parameters_decide_about_dumps() {
    let application = application("");
    let directory = dumps(&application);
    let sit = ["DUMPDS=B", "DUMPSW=NEXT", "TRDUMAX=1", "SYDUMAX=1", "DUMP=NO"];
    let arguments: Vec<&str> = sit.iter().flat_map(|parameter| ["--sit", parameter]).collect();
    let mut region = Region::start(application.path(), application.data(), &arguments);
    let mut terminal = Terminal::connect(region.port);
    cemt(&mut terminal, "I DUMPDS", "Currentdds(B)");
    assert!(terminal.text().join("\n").contains("Switchnext"), "{:#?}", terminal.text());
    abend(&mut terminal, "DUAB");
    abend(&mut terminal, "DUAB");
    cemt(&mut terminal, "I TRD(DUAB)", "Max( 001 ) Cur(0002)");
    let perform = |terminal: &mut Terminal, region: &mut Region, told: &str| {
        cemt(terminal, "PERFORM DUMP DUMPCODE(ONCE)", "PERFORM DUMP");
        assert!(region.wait_for(|line| line.contains(told), Duration::from_secs(20)), "{told}: {:#?}", region.output);
    };
    perform(&mut terminal, &mut region, "DFHDU0206");
    // One request was counted: the entry is used up, once dumps are allowed.
    cemt(&mut terminal, "SET SYDUMPCODE(ONCE) RESET", "NORMAL");
    cemt(&mut terminal, "SET SYSTEM SYSDUMP", "NORMAL");
    perform(&mut terminal, &mut region, "DFHDU0202");
    perform(&mut terminal, &mut region, "DFHDU0205");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    assert_eq!(shown(&directory.join("DFHDMPB"), &["INDEX"]).0.lines().count(), 1);
    assert!(!directory.join("DFHDMPA").exists());
    assert_eq!(system_dumps(&directory).len(), 1);
}

/// DUMP=TABLEONLY: only an entry that somebody has added lets a dump be taken.
#[test]
fn with_tableonly_a_temporary_entry_takes_no_dump() {
    let application = application("");
    let mut region = Region::start(application.path(), application.data(), &["--sit", "DUMP=TABLEONLY"]);
    let mut terminal = Terminal::connect(region.port);
    cemt(&mut terminal, "PERFORM DUMP DUMPCODE(NOTADDED)", "PERFORM DUMP");
    assert!(region.wait_for(|line| line.contains("DFHDU0206"), Duration::from_secs(20)));
    cemt(&mut terminal, "SET SYDUMPCODE(ADDED) ADD", "NORMAL");
    cemt(&mut terminal, "PERFORM DUMP DUMPCODE(ADDED)", "DUMPID(");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    let files = system_dumps(&dumps(&application));
    assert!(files.len() == 1 && files[0].to_string_lossy().ends_with("-ADDED.dump"), "{files:?}");
}

/// A line with `#` for what changes from run to run, or with the code that the compiler makes: times, addresses, registers, offsets.
fn stable(line: &str) -> String {
    const CHANGING: [&str; 4] = ["ADRS/", "offset ", "EIBTIME  ", "EIBDATE  "];
    let is_digit = |c: char| c.is_ascii_hexdigit() || c == ':' || c == '-' || c == '.';
    let hidden = |line: String, before: &str| match line.split_once(before) {
        Some((head, tail)) => format!("{head}{before}#{}", tail.trim_start_matches(|c: char| c.is_ascii_hexdigit())),
        None => line,
    };
    let line = CHANGING.iter().fold(line.to_string(), |line, before| hidden(line, before));
    let hide = |word: &str| if word.len() >= 8 && word.chars().all(is_digit) { "#".repeat(word.len()) } else { word.to_string() };
    line.split(' ').map(hide).collect::<Vec<_>>().join(" ").trim_end().to_string()
}

/// The dump of a data exception is the one that `docs/dumps.md` shows.
#[test]
fn the_dump_of_a_data_exception_is_the_one_of_the_documentation() {
    let application = application("");
    let region = Region::start(application.path(), application.data(), &[]);
    let mut terminal = Terminal::connect(region.port);
    abend(&mut terminal, "DUBA");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    let (text, code) = shown(&dumps(&application).join("DFHDMPA"), &["DEF=0"]);
    assert_eq!(code, Some(0), "{text}");
    let text = text.replace(&application.path().display().to_string(), "/application");
    let text: Vec<String> = text.trim_end().lines().map(stable).collect();
    let document = std::fs::read_to_string(root().join("docs/dumps.md")).expect("the document");
    let (_, shown) = document.split_once("```dump data_exception\n").expect("the example");
    let shown: Vec<&str> = shown.split_once("```").expect("its end").0.lines().collect();
    assert!(text == shown, "the dump is\n{}", text.join("\n"));
}
