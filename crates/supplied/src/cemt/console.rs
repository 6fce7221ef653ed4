//! CEMT without a terminal: takes a command, returns the answer as text.
//!
//! The command runs in a system task of its own, because INQUIRE and SET are commands of tasks. The request is kept here under a number,
//! which is the data of the task's START.

use super::{engine, view};
use parking_lot::Mutex;
use region::name::Name4;
use region::{AttachRequest, Raised, Region, StartCode, StartData, Task};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

/// Time an operator's command may take.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(60);

struct Request {
    text: String,
    answer: Sender<Answer>,
}

/// The answer to a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    pub text: String,
    /// Resources the command failed for.
    pub errors: usize,
}

static REQUESTS: Mutex<BTreeMap<u64, Request>> = Mutex::new(BTreeMap::new());
static NEXT: AtomicU64 = AtomicU64::new(1);

/// Executes one CEMT command, such as `I TASK` or `SET FILE(ACCT) CLOSED`. Not to be called from a task.
pub fn command(region: &'static Region, text: &str) -> Answer {
    let (sender, receiver) = mpsc::channel();
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    REQUESTS.lock().insert(number, Request { text: text.to_string(), answer: sender });
    let mut attach = AttachRequest::new(Name4::new("CEMT"), StartCode::System);
    attach.start_data.push_back(StartData { data: Some(number.to_be_bytes().to_vec()), ..StartData::default() });
    let failed = |text: String| Answer { text, errors: 1 };
    let answer = match region.attach(attach) {
        Err(failure) => failed(failure.message.line()),
        Ok(_) => receiver.recv_timeout(ANSWER_TIME_MAX).unwrap_or_else(|_| failed("The command did not end".to_string())),
    };
    REQUESTS.lock().remove(&number);
    answer
}

/// The task's side.
pub(super) fn run(task: &mut Task) -> Result<(), Raised> {
    let data = region::interval_control::retrieve(task).and_then(|start| start.data);
    let number = data.and_then(|data| data.try_into().ok()).map(u64::from_be_bytes);
    let request = number.and_then(|number| REQUESTS.lock().remove(&number));
    let Some(request) = request else { return Ok(()) };
    let reply = engine::execute(task, &request.text)?;
    let mut text: String = view::lines(&reply).iter().map(|line| view::text(line) + "\n").collect();
    let region = task.region;
    if let Some(response) = view::response(&reply) {
        text.push_str(&format!("RESPONSE: {response}  {}  SYSID={} APPLID={}\n", moment(), region.sysid, region.applid));
    }
    let _ = request.answer.send(Answer { text, errors: reply.errors() });
    Ok(())
}

/// Time and date as the operator's transactions show them.
pub(super) fn moment() -> String {
    let now = region::clock::now_local();
    let (hours, minutes, seconds) = now.time();
    let date = now.date();
    format!("TIME:  {hours:02}.{minutes:02}.{seconds:02}  DATE: {:02}/{:02}/{:02}", date.month, date.day, date.year % 100)
}
