//! The sample `ledger`: a task-related user exit in C and its resource manager, which is another process. Units of work commit and back out in
//! both, the region and the resource manager are killed while the latter is in doubt, and RESYNC tells it the outcome.
//!
//! Between the region and the resource manager the test has a door, which can keep a request back. The kept request decides when the region is
//! killed: at a COMMIT the region has decided, at the reply to PREPARE it has not.

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;
use support::terminal::Terminal;
use support::{Region, root};

/// The resource manager.
struct Ledger {
    process: Child,
}

/// A test that fails leaves no process behind.
impl Drop for Ledger {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Ledger {
    fn compile(scratch: &Path) -> PathBuf {
        let program = scratch.join("ledgerd");
        let compiled = Command::new("cc").arg("-o").arg(&program).arg(root().join("samples/ledgerd/ledgerd.c")).arg("-lpthread").status();
        assert!(compiled.expect("cc runs").success());
        program
    }

    fn start(program: &Path, sockets: &Path) -> Ledger {
        let mut process =
            Command::new(program).arg(sockets).arg("behind").stdout(Stdio::piped()).spawn().expect("the resource manager starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "ledgerd: ready\n");
        Ledger { process }
    }

    /// As `kill -9` does.
    fn kill(self) {
        drop(self);
    }
}

/// What is kept back.
#[derive(Clone, Copy, PartialEq)]
enum Keeps {
    Nothing,
    Commits,
    RepliesToPrepare,
}

/// The door: the socket that the region knows.
struct Door {
    keeps: Arc<Mutex<Keeps>>,
    kept: mpsc::Receiver<()>,
}

impl Door {
    fn open(sockets: &Path) -> Door {
        let keeps = Arc::new(Mutex::new(Keeps::Nothing));
        let (told, kept) = mpsc::channel();
        let listener = UnixListener::bind(sockets.join("ledger")).unwrap();
        let (shared, behind) = (keeps.clone(), sockets.join("behind"));
        std::thread::spawn(move || {
            for region in listener.incoming().flatten() {
                let (keeps, told, behind) = (shared.clone(), told.clone(), behind.clone());
                std::thread::spawn(move || pass(region, &behind, &keeps, &told));
            }
        });
        Door { keeps, kept }
    }

    fn keep(&self, what: Keeps) {
        *self.keeps.lock().unwrap() = what;
    }

    fn wait(&self) {
        self.kept.recv_timeout(Duration::from_secs(30)).expect("the region asks for what is kept back");
    }
}

fn message(stream: &mut UnixStream) -> Option<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).ok()?;
    let mut bytes = vec![0; u32::from_be_bytes(length) as usize];
    stream.read_exact(&mut bytes).ok()?;
    Some([&length[..], &bytes].concat())
}

/// The words of requests in code page 037.
const COMMIT: [u8; 6] = [0xC3, 0xD6, 0xD4, 0xD4, 0xC9, 0xE3];
const PREPARE: [u8; 7] = [0xD7, 0xD9, 0xC5, 0xD7, 0xC1, 0xD9, 0xC5];

fn pass(mut region: UnixStream, behind: &Path, keeps: &Mutex<Keeps>, told: &mpsc::Sender<()>) {
    let Ok(mut ledger) = UnixStream::connect(behind) else { return };
    let keep = |what: Keeps| *keeps.lock().unwrap() == what && told.send(()).is_ok();
    while let Some(request) = message(&mut region) {
        if request[4..].starts_with(&COMMIT) && keep(Keeps::Commits) {
            break;
        }
        let Some(reply) = ledger.write_all(&request).ok().and_then(|()| message(&mut ledger)) else { return };
        if request[4..].starts_with(&PREPARE) && keep(Keeps::RepliesToPrepare) {
            break;
        }
        if region.write_all(&reply).is_err() {
            return;
        }
    }
    // The region waits for a reply until it is killed.
    let _ = region.read(&mut [0]);
}

fn answer(terminal: &mut Terminal, transaction: &str, expected: &str) {
    terminal.clear();
    terminal.transaction(transaction);
    terminal.expect(expected);
}

#[test]
fn the_ledger_agrees_with_the_region_after_commits_backouts_and_failures() {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let data = scratch.path().join("data");
    let sockets = data.join("data").join("resource-managers");
    let program = Ledger::compile(scratch.path());
    let sample = root().join("samples/ledger");
    let region = Region::start(&sample, &data, &[]);
    let ledger = Ledger::start(&program, &sockets);
    let door = Door::open(&sockets);

    let mut terminal = Terminal::connect(region.port);
    answer(&mut terminal, "LEDI", "IN DOUBT 0000");
    answer(&mut terminal, "LEDG ACCT0001 0100", "BALANCE     100 ITEM    1");
    answer(&mut terminal, "LEDG ACCT0001 0050 BACK", "BACKED OUT");
    // The ledger alone: one phase.
    answer(&mut terminal, "LEDG ACCT0001 0020 ONLY", "BALANCE     120 ITEM    0");
    answer(&mut terminal, "LEDG ACCT0001 0005", "BALANCE     125 ITEM    2");

    edf_displays_a_request(&mut terminal);

    // The region has decided to commit, and both are killed before the ledger is told.
    door.keep(Keeps::Commits);
    terminal.clear();
    terminal.start_and_leave("LEDG ACCT0001 1000");
    door.wait();
    region.kill();
    ledger.kill();
    door.keep(Keeps::Nothing);
    let ledger = Ledger::start(&program, &sockets);
    let region = Region::start(&sample, &data, &[]);
    let mut terminal = Terminal::connect(region.port);
    answer(&mut terminal, "LEDI", "IN DOUBT 0001");
    resynchronized(&mut terminal);
    answer(&mut terminal, "LEDG ACCT0001 0000", "BALANCE    1125 ITEM    5");

    // The ledger is prepared, and the region is killed before it knows that.
    door.keep(Keeps::RepliesToPrepare);
    terminal.clear();
    terminal.start_and_leave("LEDG ACCT0001 2000");
    door.wait();
    region.kill();
    door.keep(Keeps::Nothing);
    let region = Region::start(&sample, &data, &[]);
    let mut terminal = Terminal::connect(region.port);
    answer(&mut terminal, "LEDI", "IN DOUBT 0001");
    resynchronized(&mut terminal);
    answer(&mut terminal, "LEDG ACCT0001 0000", "BALANCE    1125 ITEM    6");

    // A resource manager that is not there: the request fails, and the region's part is not begun.
    ledger.kill();
    answer(&mut terminal, "LEDG ACCT0001 0001", "THE LEDGER DOES NOT ANSWER");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// FORMATEDF: the exit program formats its requests. The changes are those of nothing.
fn edf_displays_a_request(terminal: &mut Terminal) {
    terminal.clear();
    terminal.transaction("CEDF");
    terminal.expect("EDF MODE ON");
    terminal.clear();
    terminal.transaction("LEDG ACCT0001 0000");
    let displayed = |terminal: &mut Terminal, words: &[&str]| {
        for _ in 0..10 {
            let text = terminal.text().join("\n");
            if words.iter().all(|word| text.contains(word)) {
                return;
            }
            terminal.enter();
        }
        panic!("{words:?} is not displayed: {}", terminal.text().join("\n"));
    };
    displayed(terminal, &["ABOUT TO EXECUTE COMMAND", "CALL TO RESOURCE MANAGER LEDGER", "ADD 0 TO ACCOUNT ACCT0001"]);
    displayed(terminal, &["COMMAND EXECUTION COMPLETE", "CALL TO RESOURCE MANAGER LEDGER", "RESPONSE: 0"]);
    // End the session; the task goes on.
    terminal.pf(3);
    terminal.expect("BALANCE     125 ITEM    3");
}

/// The tasks of RESYNC run by themselves: in the end the ledger is in doubt about nothing.
fn resynchronized(terminal: &mut Terminal) {
    for _ in 0..50 {
        terminal.clear();
        terminal.transaction("LEDI");
        if terminal.text().iter().any(|line| line.contains("IN DOUBT 0000")) {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("the ledger stays in doubt");
}
