//! SET VTAM: sessions end with their tasks or at once, and no terminal can connect until the region is open to terminals again.

use super::scratch;
use super::terminal_support::{connect, define, port, the_region};
use exec::{Condition, OptionId, command, condition, cvda, option};
use region::exec_interface::call::Call;
use region::name::Name4;
use region::{AttachRequest, Raised, StartCode};
use std::sync::{Mutex, mpsc};
use std::time::Duration;
use testing::eventually;
use tn3270::{Client, ClientConfig};

const LONG: Duration = Duration::from_secs(20);

/// In a process of its own: the other tests have sessions.
#[test]
fn set_vtam_closes_the_region_to_terminals_and_opens_it() {
    let test = ["--exact", "--ignored", "access::sessions_end_with_their_tasks_or_at_once_and_none_begins"];
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    let output = child.args(test).env(scratch::PURPOSE, "-access").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[derive(Clone, Copy, Debug)]
enum Access {
    Open,
    Closed,
    Immediate,
    Forced,
}

/// SET VTAM by a task without a terminal; answers RESP and RESP2.
fn access(access: Access) -> (Condition, i32) {
    issue(move || {
        let mut call = Call::new(command::SET_VTAM);
        call.flag(match access {
            Access::Open => option::OPEN,
            Access::Closed => option::CLOSED,
            Access::Immediate => option::IMMCLOSE,
            Access::Forced => option::FORCECLOSE,
        });
        call
    })
}

/// As [`access`], with numbers; DEREGISTERED has none.
fn set(options: &'static [(OptionId, Option<i64>)]) -> (Condition, i32) {
    issue(move || {
        let mut call = Call::new(command::SET_VTAM);
        for (option, value) in options {
            match value {
                Some(value) => call.integer(*option, *value),
                None => call.flag(*option),
            };
        }
        call
    })
}

fn issue(call: impl Fn() -> Call + Send + Sync + 'static) -> (Condition, i32) {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define("TASV", move |task| {
        let response = call().execute(task)?;
        sender.lock().unwrap().send((response.condition, response.resp2)).unwrap();
        Ok(())
    });
    the_region().attach(AttachRequest::new(Name4::new("TASV"), StartCode::Start)).map_err(|_| "not attached").unwrap();
    receiver.recv_timeout(LONG).unwrap()
}

fn status() -> Option<i64> {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define("TAIV", move |task| {
        let mut call = Call::new(command::INQUIRE_VTAM);
        call.integer(option::OPENSTATUS, 0).execute(task)?;
        sender.lock().unwrap().send(call.result(option::OPENSTATUS)).unwrap();
        Ok(())
    });
    the_region().attach(AttachRequest::new(Name4::new("TAIV"), StartCode::Start)).map_err(|_| "not attached").unwrap();
    receiver.recv_timeout(LONG).unwrap()
}

/// A terminal whose task waits for input; the receiver learns how the wait ends.
fn conversing() -> (Client, mpsc::Receiver<String>) {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define("TACV", move |task| {
        let tell = |how: &str| sender.lock().unwrap().send(how.to_string()).unwrap();
        let mut input = Call::new(command::RECEIVE);
        input.bytes(option::INTO, &[0; 40]).integer(option::LENGTH, 40);
        input.execute(task)?;
        tell("waits");
        let ended = input.execute(task);
        match &ended {
            Ok(response) => tell(response.condition.name()),
            Err(Raised::Abend(abend)) => tell(&abend.code_text()),
            Err(_) => tell("left"),
        }
        ended.map(drop)
    });
    let mut terminal = idle();
    terminal.type_text("TACV").unwrap();
    terminal.press("ENTER").unwrap();
    assert_eq!(receiver.recv_timeout(LONG).unwrap(), "waits");
    terminal.wait("the keyboard", |client| client.screen().is_unlocked()).unwrap();
    (terminal, receiver)
}

fn idle() -> Client {
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal
}

fn is_ended(terminal: &mut Client) -> bool {
    terminal.wait("the end of the session", Client::is_closed).is_err() && terminal.is_closed()
}

fn is_refused() -> bool {
    Client::connect(("127.0.0.1", port()), ClientConfig::default(), LONG).is_err()
}

#[test]
#[ignore = "run by the test of SET VTAM"]
fn sessions_end_with_their_tasks_or_at_once_and_none_begins() {
    const DONE: (Condition, i32) = (condition::NORMAL, 0);
    assert_eq!(status(), Some(cvda::OPEN));
    let mut free = idle();
    let (mut busy, told) = conversing();
    assert_eq!(access(Access::Closed), DONE);
    assert!(is_ended(&mut free), "it has no task");
    assert!(is_refused());
    assert_eq!(status(), Some(cvda::CLOSING), "a task is allowed to complete");
    busy.press("ENTER").unwrap();
    assert_eq!(told.recv_timeout(LONG).unwrap(), "EOC");
    assert!(is_ended(&mut busy));
    eventually("the last session has ended", || status() == Some(cvda::CLOSED));
    for closes in [Access::Immediate, Access::Forced] {
        assert_eq!(access(Access::Open), DONE);
        assert_eq!(status(), Some(cvda::OPEN));
        let (mut busy, told) = conversing();
        assert_eq!(access(closes), DONE, "{closes:?}");
        let how = told.recv_timeout(LONG).unwrap();
        assert!(how == "TERMERR" || how == "ATNI", "{how}");
        assert!(is_ended(&mut busy) && is_refused());
        eventually("the last session has ended", || status() == Some(cvda::CLOSED));
    }
    assert_eq!(set(&[(option::OPENSTATUS, Some(cvda::OPEN))]), DONE);
    idle();
    sessions_do_not_persist();
}

/// Zero is what the interval is; the region asks for no other.
fn sessions_do_not_persist() {
    const INVREQ: Condition = condition::INVREQ;
    assert_eq!(set(&[(option::OPENSTATUS, Some(cvda::ENABLED))]), (INVREQ, 2));
    assert_eq!(set(&[(option::PSDINTERVAL, Some(0))]), (condition::NORMAL, 0));
    assert_eq!(set(&[(option::PSDINTERVAL, Some(130))]), (INVREQ, 8));
    assert_eq!(set(&[(option::PSDINTERVAL, Some(160))]), (INVREQ, 4));
    assert_eq!(set(&[(option::PSDINTHRS, Some(23))]), (INVREQ, 8));
    assert_eq!(set(&[(option::PSDINTHRS, Some(24))]), (INVREQ, 5));
    assert_eq!(set(&[(option::PSDINTMINS, Some(1439))]), (INVREQ, 8));
    assert_eq!(set(&[(option::PSDINTMINS, Some(60)), (option::PSDINTHRS, Some(0))]), (INVREQ, 6));
    assert_eq!(set(&[(option::PSDINTSECS, Some(86_399))]), (INVREQ, 8));
    assert_eq!(set(&[(option::PSDINTSECS, Some(60)), (option::PSDINTMINS, Some(0))]), (INVREQ, 7));
    assert_eq!(set(&[(option::DEREGISTERED, None)]), (INVREQ, 12));
}
