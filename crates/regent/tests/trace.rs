//! Trace as an operator has it: auxiliary trace data sets of a running region, their switch, the stream, and what `regent trace` prints of them.

mod support;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

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
    let end = line.rfind(" =").unwrap_or(line.len());
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
    assert!(said.starts_with("DFHTR0116 ") && text.lines().count() > 50, "{said}");
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
    let mut status = None;
    while status.is_none() && Instant::now() < deadline {
        status = follower.try_wait().unwrap();
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(status.and_then(|status| status.code()), Some(0), "the stream of a region that ends is closed");
}
