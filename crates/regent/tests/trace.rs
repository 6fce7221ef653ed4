//! Trace as an operator has it: auxiliary trace data sets of a running region, their switch, the stream, and what `regent trace` prints of them.

mod support;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use support::application::Application;
use support::small_disk::SmallDisk;
use support::terminal::Terminal;
use support::{Region, regent, root};

const LIMIT: Duration = Duration::from_secs(60);

fn application() -> PathBuf {
    root().join("crates/regent/tests/applications/trace")
}

fn start(data: &Path, sit: &[&str]) -> Region {
    let arguments: Vec<&str> = sit.iter().flat_map(|parameter| ["--sit", parameter]).collect();
    Region::start(&application(), data, &arguments)
}

/// What `regent trace` prints, and what it says beside that.
fn printed(path: &Path, arguments: &[&str]) -> (String, String) {
    let output = regent().arg("trace").arg(path).args(arguments).output().expect("regent runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

fn lines(path: &Path, arguments: &[&str]) -> Vec<String> {
    printed(path, arguments).0.lines().map(str::to_string).collect()
}

fn run(terminal: &mut Terminal, transaction: &str, end: &str) {
    terminal.transaction(transaction);
    terminal.expect(end);
}

/// The part of an abbreviated line behind the task: TCB, point, module, kind, function and values.
fn behind_task(line: &str) -> String {
    // The mark of a long interval, and the sequence number.
    let end = line.len() - "*=000001=".len();
    line[6..end].split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn auxiliary_trace_has_the_commands_of_a_task_in_all_forms() {
    let data = tempfile::tempdir().unwrap();
    let region = start(data.path(), &["AUXTR=ON", "INTTR=OFF"]);
    let mut terminal = Terminal::connect(region.port);
    run(&mut terminal, "TRCR", "TRACED");
    run(&mut terminal, "TRCX", "TRCX");
    run(&mut terminal, "TRCS", "TRACED");
    drop(terminal);
    assert_eq!(region.stop(), 0);

    let commands = lines(data.path(), &["--transaction", "TRCR", "--type", "EI1-2,AP"]);
    let seen: Vec<String> = commands.iter().map(|line| behind_task(line)).collect();
    let expected = [
        "QR AP 0590 APXM ENTRY TRANSACTION_INITIALIZATION TRACER,TD,CICSUSER",
        "QR EI 0001 EIP ENTRY ENTER TRACENUM ,TRACER,10",
        "QR AP 000B USER EVENT TRACER,TRACER,10,X'C1D540C9E3C5D440D6C640E3C8C540D8'...",
        "QR EI 0002 EIP EXIT ENTER TRACENUM/NORMAL 0",
        "QR EI 0001 EIP ENTRY ENTER TRACENUM ,TRACER,12",
        "QR AP 000C USER *EXCU ,TRACER,12,X'0000000000000000'",
        "QR EI 0002 EIP EXIT ENTER TRACENUM/NORMAL 0",
        "QR EI 0001 EIP ENTRY WRITEQ TS TRACEQ,TRACER,13",
        "QR EI 0002 EIP EXIT WRITEQ TS/NORMAL 0",
        "QR EI 0001 EIP ENTRY READQ TS NOQUEUE,TRACER,15",
        "QR EI 0002 EIP EXIT READQ TS/QIDERR 0",
        "QR EI 0001 EIP ENTRY DELAY ,TRACER,17",
        "QR EI 0002 EIP EXIT DELAY/NORMAL 0",
        "QR EI 0001 EIP ENTRY LINK TRACEE,TRACER,18",
        "QR EI 0001 EIP ENTRY ASKTIME ,TRACEE,9",
        "QR EI 0002 EIP EXIT ASKTIME/NORMAL 0",
        "QR EI 0001 EIP ENTRY RETURN ,TRACEE,10",
        "QR EI 0002 EIP EXIT RETURN/NORMAL 0",
        "QR EI 0002 EIP EXIT LINK/NORMAL 0",
    ];
    assert_eq!(seen[..expected.len()], expected, "{commands:#?}");

    let waits = lines(data.path(), &["--transaction", "TRCR", "--type", "DS4-5"]);
    let of_delay = waits.iter().position(|line| behind_task(line).starts_with("QR DS 0004 DSSR ENTRY SUSPEND ICWAIT"));
    assert!(behind_task(&waits[of_delay.expect("the wait of DELAY") + 1]).contains("DSSR EXIT SUSPEND/TIMED_OUT"), "{waits:#?}");

    // The transaction with TRACE(NO) has exceptions only.
    let suppressed: Vec<String> = lines(data.path(), &["--transaction", "TRCS"]).iter().map(|line| behind_task(line)).collect();
    assert_eq!(suppressed, ["QR AP 000C USER *EXCU ,TRACER,12,X'0000000000000000'"]);

    let exceptions = lines(data.path(), &["--exception", "--transaction", "TRCX"]);
    assert_eq!(exceptions.len(), 1, "{exceptions:#?}");
    assert!(behind_task(&exceptions[0]).starts_with("QR AP 0781 SRP *EXC* TRCX TRACEX,4,"), "{exceptions:#?}");

    let task = &commands[0][..5];
    let full = printed(data.path(), &["--parm", &format!("FULL,TASKID=({task}),TYPETR=(AP000B)")]).0;
    let full: Vec<&str> = full.lines().collect();
    assert_eq!(
        full[0].trim_end(),
        "AP 000B USER EVENT - APPLICATION-PROGRAM-ENTRY RESOURCE(TRACER) PROGRAM(TRACER) LINE(10) DATA(X'C1D540C9E3C5D440D6C640E3C8C540D8'...)"
    );
    assert!(full[1].contains(&format!("TASK-{task} KE_NUM-")) && full[1].contains("TCB-QR TERM-"), "{full:#?}");
    assert!(full[1].contains("TRANSACTION-TRCR TIME-") && full[1].contains("INTERVAL-00."), "{full:#?}");
    assert!(
        full[2].contains("1-0000  C1D540C9 E3C5D440 D6C640E3 C8C540D8") && full[2].ends_with("*AN ITEM OF THE QUEUE            *"),
        "{full:#?}"
    );

    let short = lines(data.path(), &["--form", "short", "--task", task, "--type", "EI1"]);
    assert!(short[0].contains("EI 0001 EIP   ENTRY FUNCTION(ENTER TRACENUM) RESOURCE() PROGRAM(TRACER) LINE(10)"), "{short:#?}");
    assert!(short[1].trim_start().starts_with("TIME-"), "{short:#?}");

    let waits = printed(data.path(), &["--waits", task]).0;
    let delay = waits.lines().find(|line| line.contains("DELAY") && line.contains("ICWAIT")).expect("the wait of DELAY");
    let seconds: f64 = delay.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!((0.2..5.0).contains(&seconds), "{waits}");
}

/// Issues a command by CECI.
fn issue(terminal: &mut Terminal, command: &str) {
    terminal.transaction(&format!("CECI {command}"));
    terminal.enter();
    terminal.expect("EIBRESP=");
    terminal.pf(3);
}

/// Each domain has entries at its gate, and the kernel around the code of a task.
#[test]
fn the_gates_of_the_domains_are_traced() {
    let data = tempfile::tempdir().unwrap();
    let region = start(data.path(), &["AUXTR=ON"]);
    let mut terminal = Terminal::connect(region.port);
    run(&mut terminal, "TRCR", "TRACED");
    let commands = [
        ("INQUIRE TRANSACTION(TRCR)", "XM 0401 XMXE", "INQUIRE TRANSACTION"),
        ("INQUIRE TRACEFLAG", "TR 0201 TRSR", "INQUIRE TRACEFLAG"),
        ("INQUIRE LIBRARY(DFHRPL)", "LD 0101 LDLB", "INQUIRE LIBRARY"),
        ("INQUIRE BUNDLE(NONE)", "RL 0200 RLVP", "INQUIRE BUNDLE"),
        ("INQUIRE EPADAPTER(NONE)", "EP 0400 EPEV", "INQUIRE EPADAPTER"),
        ("INQUIRE DB2CONN", "RA 3130 D2TM", "INQUIRE DB2CONN"),
        ("INQUIRE FILE(NONE)", "FC 04E0 FCFR", "INQUIRE FILE"),
        ("INQUIRE TDQUEUE(CSMT)", "TD F600 TDA", "INQUIRE TDQUEUE"),
        ("INQUIRE DUMPDS", "DU 0101 DUDM", "INQUIRE DUMPDS"),
        ("WRITE OPERATOR TEXT('HELLO')", "ME 0101 MEWT", "WRITE OPERATOR"),
        ("INQUIRE EXITPROGRAM(NONE)", "UE D400 UEM", "INQUIRE EXITPROGRAM"),
    ];
    commands.iter().for_each(|(command, _, _)| issue(&mut terminal, command));
    drop(terminal);
    assert_eq!(region.stop(), 0);
    let seen: Vec<String> = lines(data.path(), &[]).iter().map(|line| behind_task(line)).collect();
    for (_, point, function) in commands {
        let entry = format!("{point} ENTRY {function}");
        assert!(seen.iter().any(|line| line.contains(&entry)), "no {entry}");
    }
    let kernel: Vec<String> = lines(data.path(), &["--transaction", "TRCR", "--type", "KE"]).iter().map(|line| behind_task(line)).collect();
    assert_eq!(kernel, ["QR KE 0401 KETA ENTRY START_TASK", "QR KE 0402 KETA EXIT START_TASK/OK"]);
}

/// A record that another task has locked: the lock manager's entries are around the wait.
#[test]
fn a_wait_for_a_record_lock_has_entries_of_the_lock_manager() {
    const READ: &str = "CECI READ FILE(ACCOUNT) RIDFLD('1000000001') UPDATE";
    let data = tempfile::tempdir().unwrap();
    let region =
        Region::start(&root().join("samples/bank"), data.path(), &["--sit", "AUXTR=ON", "--sit", "STNTR=OFF", "--sit", "STNTRLM=1"]);
    let mut owner = Terminal::connect(region.port);
    owner.transaction(READ);
    owner.enter();
    owner.expect("RESPONSE: NORMAL");
    let mut other = Terminal::connect(region.port);
    other.transaction(READ);
    other.act("Set(AidWait,False)");
    other.act("Enter");
    let waiting = || lines(data.path(), &["--type", "LM3"]).iter().any(|line| line.contains("LM 0003 LMLM  ENTRY LOCK"));
    testing::eventually("the second task waits", waiting);
    owner.pf(3);
    other.unlocked();
    other.expect("RESPONSE: NORMAL");
    drop((owner, other));
    assert_eq!(region.stop(), 0);
    let seen: Vec<String> = lines(data.path(), &["--type", "LM"]).iter().map(|line| behind_task(line)).collect();
    assert!(seen.iter().any(|line| line.contains("LM 0004 LMLM EXIT LOCK/OK")), "{seen:#?}");
}

#[test]
fn entries_are_selected_by_number_and_time() {
    let data = tempfile::tempdir().unwrap();
    let region = start(data.path(), &["AUXTR=ON"]);
    let mut terminal = Terminal::connect(region.port);
    run(&mut terminal, "TRCR", "TRACED");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    let all = lines(data.path(), &[]);
    assert!(all.len() > 50 && all[0].ends_with("=000001="), "{}", all[0]);
    assert_eq!(lines(data.path(), &["--entry", "5-7,9"]), [&all[4], &all[5], &all[6], &all[8]].map(String::clone));
    assert_eq!(lines(data.path(), &["--time", "000000-235959"]).len(), all.len());
    let (text, said) = printed(data.path(), &["--terminal", "NONE"]);
    assert_eq!((text.as_str(), said.trim_end()), ("", format!("none of {} trace entries is selected", all.len()).as_str()));
}

/// A region that dies loses what it did not yet hand to the system, a fiftieth of a second, and nothing before.
#[test]
fn the_data_set_of_a_killed_region_is_readable() {
    let data = tempfile::tempdir().unwrap();
    let region = start(data.path(), &["AUXTR=ON"]);
    let mut terminal = Terminal::connect(region.port);
    run(&mut terminal, "TRCR", "TRACED");
    std::thread::sleep(Duration::from_millis(500));
    region.kill();
    let returned = |path: &Path| lines(path, &["--transaction", "TRCR"]).iter().any(|line| line.contains("ENTRY RETURN"));
    assert!(returned(data.path()));

    // As an interrupted write leaves it.
    let data_set = data.path().join("data/trace/DFHAUXT");
    let length = std::fs::metadata(&data_set).unwrap().len();
    std::fs::OpenOptions::new().write(true).open(&data_set).unwrap().set_len(length - 5).unwrap();
    let (text, said) = printed(&data_set, &[]);
    assert!(said.starts_with("DFHTR0116 ") && text.lines().count() >= 5, "{said}");
}

#[test]
fn a_running_region_is_followed() {
    let data = tempfile::tempdir().unwrap();
    let region = start(data.path(), &["GTFTR=ON"]);
    let mut follower = regent()
        .arg("trace")
        .arg(data.path())
        .args(["--follow", "--transaction", "TRCR", "--type", "EI1"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("regent runs");
    let mut output = BufReader::new(follower.stdout.take().expect("piped")).lines();
    std::thread::sleep(Duration::from_millis(500));
    let mut terminal = Terminal::connect(region.port);
    run(&mut terminal, "TRCR", "TRACED");
    let first = output.next().expect("an entry").expect("text");
    assert!(first.contains("EI 0001 EIP   ENTRY ENTER TRACENUM"), "{first}");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    let rest: Vec<String> = output.map_while(Result::ok).collect();
    assert!(rest.iter().any(|line| line.contains("ENTRY RETURN")), "{rest:#?}");
    let deadline = Instant::now() + LIMIT;
    while follower.try_wait().unwrap().is_none() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = follower.kill();
    assert_eq!(follower.wait().unwrap().code(), Some(0), "the stream of a region that ends is closed");
}

/// A data set of 64 KB is full after a few hundred commands.
fn fill(terminal: &mut Terminal, region: &mut Region, message: &str) {
    let deadline = Instant::now() + LIMIT;
    loop {
        run(terminal, "TRCL", "LOOPED");
        if region.wait_for(|line| line.contains(message), Duration::from_millis(200)) {
            return;
        }
        assert!(Instant::now() < deadline, "{message} never came:\n{}", region.output.join("\n"));
    }
}

fn application_with(configuration: &str) -> Application {
    let copy = Application::new();
    for entry in std::fs::read_dir(application()).expect("the application").flatten() {
        std::fs::copy(entry.path(), copy.path().join(entry.file_name())).expect("copied");
    }
    copy.write("regent.toml", configuration);
    copy
}

const SMALL: &str = "[trace]\ndata_set_kilobytes = 64\n";
const SMALLEST_BYTES: u64 = 64 << 10;

fn data_set_bytes(application: &Application, name: &str) -> u64 {
    std::fs::metadata(application.data().join("data/trace").join(name)).map_or(0, |data| data.len())
}

#[test]
fn auxiliary_trace_stops_when_the_data_set_is_full_without_a_switch() {
    let application = application_with(SMALL);
    let mut region = Region::start(application.path(), application.data(), &["--sit", "AUXTR=ON"]);
    let mut terminal = Terminal::connect(region.port);
    fill(&mut terminal, &mut region, "DFHTR0111");
    terminal.transaction("CEMT I AUX");
    terminal.expect("Auxstop");
    terminal.expect("Curauxds(A)");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    let bytes = data_set_bytes(&application, "DFHAUXT");
    assert!(bytes > SMALLEST_BYTES / 4 && bytes <= SMALLEST_BYTES, "{bytes}");
    assert_eq!(data_set_bytes(&application, "DFHBUXT"), 0);
}

#[test]
fn auxiliary_trace_switches_once_with_next() {
    let application = application_with(SMALL);
    let mut region = Region::start(application.path(), application.data(), &["--sit", "AUXTR=ON", "--sit", "AUXTRSW=NEXT"]);
    let mut terminal = Terminal::connect(region.port);
    fill(&mut terminal, &mut region, "DFHTR0112");
    fill(&mut terminal, &mut region, "DFHTR0111");
    terminal.transaction("CEMT I AUX");
    terminal.expect("Curauxds(B)");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    for name in ["DFHAUXT", "DFHBUXT"] {
        let bytes = data_set_bytes(&application, name);
        assert!(bytes > SMALLEST_BYTES / 4 && bytes <= SMALLEST_BYTES, "{name} {bytes}");
    }
    // Both together are one trace.
    let all = lines(application.data(), &[]);
    assert_eq!(
        all.len(),
        lines(&application.data().join("data/trace/DFHAUXT"), &[]).len() + lines(&application.data().join("data/trace/DFHBUXT"), &[]).len()
    );
}

#[test]
fn auxiliary_trace_switches_each_time_with_all() {
    let application = application_with(SMALL);
    let mut region = Region::start(application.path(), application.data(), &["--sit", "AUXTR=ON", "--sit", "AUXTRSW=ALL"]);
    let mut terminal = Terminal::connect(region.port);
    fill(&mut terminal, &mut region, "DFHAUXT is closed, DFHBUXT is used");
    fill(&mut terminal, &mut region, "DFHBUXT is closed, DFHAUXT is used");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// The disk of the data sets has 256 KB: the trace stops with a message, the region goes on, and what was written is readable.
#[test]
fn auxiliary_trace_stops_when_the_disk_is_full() {
    let application = application_with("");
    let directory = application.data().join("data/trace");
    std::fs::create_dir_all(&directory).unwrap();
    let Some(_disk) = SmallDisk::mount(&directory, "256k") else { return };
    let mut region = Region::start(application.path(), application.data(), &["--sit", "AUXTR=ON"]);
    let mut terminal = Terminal::connect(region.port);
    fill(&mut terminal, &mut region, "DFHTR0110");
    let told = region.output.iter().find(|line| line.contains("DFHTR0110")).unwrap();
    assert!(told.contains("DFHAUXT") && told.contains("No space left on device"), "{told}");
    terminal.transaction("CEMT I AUX");
    terminal.expect("Auxstop");
    terminal.pf(3);
    terminal.expect("SESSION ENDED");
    run(&mut terminal, "TRCR", "TRACED");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    // The data set ends with a whole entry: nothing is said of a chunk that is cut off.
    let (text, said) = printed(&directory.join("DFHAUXT"), &[]);
    assert!(text.lines().count() > 100 && said.is_empty(), "{said}");
}

/// Components whose points are not at the gates of commands.
#[test]
fn sessions_and_sign_on_are_traced() {
    let data = tempfile::tempdir().unwrap();
    let region = start(data.path(), &["AUXTR=ON", "STNTR=OFF", "STNTRSO=(1,3)", "STNTRXS=1"]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CESN USERID=TELLER");
    terminal.expect("DFHCE3549");
    terminal.clear();
    terminal.transaction("CESF");
    terminal.expect("DFHCE3590");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    let seen: Vec<String> = lines(data.path(), &["--type", "SO,XS"]).iter().map(|line| behind_task(line)).collect();
    for wanted in [
        "SO 0201 SOCK EVENT ACCEPT",
        "SO 0301 SOCK EVENT RECEIVE",
        "SO 0202 SOCK EVENT CLOSE",
        "XS 0201 XSAD EVENT SIGNON TELLER",
        "XS 0202 XSAD EVENT SIGNOFF TELLER",
    ] {
        assert!(seen.iter().any(|line| line.contains(wanted)), "{wanted}: {seen:#?}");
    }
}

/// A directory in the place of the data set: it can be opened neither at the start nor by the command.
#[test]
fn a_data_set_that_cannot_be_opened_is_told_of() {
    let application = application_with(SMALL);
    std::fs::create_dir_all(application.data().join("data/trace/DFHAUXT")).unwrap();
    let mut region = Region::start(application.path(), application.data(), &["--sit", "AUXTR=ON"]);
    assert!(region.output.iter().any(|line| line.contains("DFHTR0110")), "{:#?}", region.output);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CEMT S AUX STA");
    terminal.expect("IOERR");
    assert!(region.wait_for(|line| line.contains("DFHTR0110"), LIMIT));
    terminal.pf(3);
    terminal.expect("SESSION ENDED");
    run(&mut terminal, "TRCR", "TRACED");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// The panels of "CETR - trace control", and what they set.
#[test]
fn cetr_controls_the_trace() {
    let data = tempfile::tempdir().unwrap();
    let region = start(data.path(), &[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CETR");
    terminal.expect("CICS Trace Control Facility");
    let shown: Vec<String> = terminal.text().iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for line in [
        "Internal Trace Status ===> STARTED STArted, STOpped",
        "Internal Trace Table Size ===> 12288 16K - 1048576K",
        "Auxiliary Trace Status ===> STOPPED STArted, STOpped, Paused",
        "Auxiliary Trace Data Set ===> A A, B",
        "Auxiliary Switch Status ===> NO NO, NExt, All",
        "GTF Trace Status ===> STOPPED STArted, STOpped",
        "Main System Trace Flag ===> ON ON, OFf",
        "Main User Trace Flag ===> ON ON, OFf",
        "When finished, press ENTER.",
        "PF1=Help 3=Quit 4=Components 5=Ter/Trn 9=Error List",
    ] {
        assert!(shown.iter().any(|row| row == line), "{line}\n{shown:#?}");
    }
    terminal.fill(7, 36, "STO");
    terminal.fill(8, 36, "16");
    terminal.fill(10, 36, "STA");
    terminal.fill(11, 36, "B");
    terminal.fill(12, 36, "ALL");
    terminal.fill(17, 36, "OFF");
    terminal.enter();
    for (row, value) in [(7, "STOPPED"), (8, "16"), (10, "STARTED"), (11, "B"), (12, "ALL"), (16, "ON"), (17, "OFF")] {
        expect_at(&mut terminal, row, 36, value);
    }
    // What is wrong is told, and the list of errors has it all.
    terminal.fill(7, 36, "X");
    terminal.fill(8, 36, "15");
    terminal.enter();
    terminal.expect("INVREQ 2: TABLESIZE IS NOT FROM 16 TO 1,048,576");
    terminal.pf(9);
    terminal.expect("INTERNAL TRACE STATUS: 'X' IS NOT STARTED, STOPPED");
    terminal.pf(3);
    terminal.expect("CICS Trace Control Facility");

    set_component_levels(&mut terminal);

    terminal.pf(5);
    terminal.expect("Transaction and Terminal Trace");
    terminal.fill(7, 36, "TRCL");
    terminal.fill(8, 36, "SP");
    terminal.enter();
    expect_at(&mut terminal, 8, 36, "SPECIAL");
    terminal.fill(7, 36, "NONE");
    terminal.enter();
    terminal.expect("NOT FOUND");
    terminal.pf(3);
    terminal.pf(3);
    terminal.expect("CETR: SESSION ENDED");

    // The table is stopped, so the data set B has the entries: those of special tracing have levels 1 and 2.
    run(&mut terminal, "TRCL", "LOOPED");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    let data_set = data.path().join("data/trace/DFHBUXT");
    let special = lines(&data_set, &["--transaction", "TRCL", "--type", "EI3"]);
    assert!(special.iter().any(|line| line.contains("EXEC  ENTRY ASKTIME")), "{special:#?}");
    assert!(lines(&data_set, &["--transaction", "CETR", "--type", "EI3"]).is_empty());
}

/// The second panel of CETR: the levels of a component.
fn set_component_levels(terminal: &mut Terminal) {
    terminal.pf(4);
    terminal.expect("Component Trace Options");
    terminal.expect("PAGE 1 OF ");
    expect_at(terminal, 7, 2, "AP  Application domain");
    terminal.fill(7, 38, "1,3");
    terminal.fill(7, 56, "OFF");
    terminal.enter();
    expect_at(terminal, 7, 38, "1,3");
    expect_at(terminal, 7, 56, "OFF");
    terminal.fill(7, 38, "4");
    terminal.enter();
    terminal.expect("AP: '4' IS NOT LEVELS 1 TO 3, ALL OR OFF");
    terminal.pf(8);
    terminal.expect("PAGE 2 OF ");
    terminal.pf(7);
    terminal.expect("PAGE 1 OF ");
    terminal.pf(3);
}

/// Waits until the screen has the text in this place, alone in its field.
fn expect_at(terminal: &mut Terminal, row: usize, column: usize, text: &str) {
    let deadline = Instant::now() + LIMIT;
    while terminal.at(row, column, text.len() + 1).trim_end() != text {
        assert!(Instant::now() < deadline, "{text} at {row}, {column}\n{}", terminal.text().join("\n"));
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// INTTR and TRTABSZ: whether there is internal trace from the start, and the size of its table.
#[test]
fn internal_trace_starts_as_its_parameters_say() {
    for (sit, shown) in [
        (["INTTR=OFF", "TRTABSZ=64"].as_slice(), ["Intstop", "Tablesize( 0000064 )"]),
        (["INTTR=ON", "TRTABSZ=2048"].as_slice(), ["Intstart", "Tablesize( 0002048 )"]),
        ([].as_slice(), ["Intstart", "Tablesize( 0012288 )"]),
    ] {
        let data = tempfile::tempdir().unwrap();
        let region = start(data.path(), sit);
        let mut terminal = Terminal::connect(region.port);
        terminal.transaction("CEMT INQUIRE INTTRACE");
        terminal.expect("RESPONSE: NORMAL");
        let screen = terminal.text().join("\n");
        assert!(shown.iter().all(|text| screen.contains(text)), "{sit:?}: {screen}");
        drop(terminal);
        assert_eq!(region.stop(), 0);
    }
}
