//! The displays of a task at another terminal: a CEDF task there shows them and returns the answers.
//!
//! The tested task starts CEDF at the terminal and hands it one display at a time. Invariants: a display is answered once; whichever of the
//! two tasks ends first, the other one learns it and does not wait for it.

use super::super::panel::{self, Answer, Panel};
use super::super::{cebr, ceci};
use super::carrier::Lost;
use super::control::Subject;
use kernel::{Name16, Resumed, Wait, Waker};
use parking_lot::Mutex;
use region::facility::StartForTerminal;
use region::name::{Name4, Name8};
use region::{Raised, Region, Task};
use std::sync::Arc;
use std::time::Duration;

/// The transaction that shows the displays.
const TRANSACTION: &str = "CEDF";
/// How often a waiting task checks that the terminal is there, and EDF on: CEDF may not have started there yet.
const CHECK_EVERY: Duration = Duration::from_secs(1);

/// What the terminal is to do.
#[derive(Clone)]
pub enum Request {
    Show(Box<Panel>),
    /// CEBR.
    Browse,
    /// CECI.
    Interpret,
}

pub struct Relay {
    /// The terminal with the displays.
    screen: Name4,
    /// What is tested.
    subject: Subject,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    request: Option<Request>,
    answer: Option<Answer>,
    /// The tested task, while it waits for the answer.
    tested: Option<Waker>,
    /// The CEDF task, while it waits for a request.
    server: Option<Waker>,
    /// The CEDF task has ended.
    broken: bool,
    /// The tested task needs the terminal no more: its last words.
    farewell: Option<String>,
}

impl Relay {
    /// A relay to a terminal, and the start of its CEDF task there.
    ///
    /// # Errors
    ///
    /// `Lost::Terminal` if there is no such terminal.
    pub fn open(region: &'static Region, screen: Name4, subject: Subject) -> Result<Arc<Relay>, Lost> {
        let terminal = region.terminals.find(screen).ok_or(Lost::Terminal)?;
        let relay = Arc::new(Relay { screen, subject, state: Mutex::default() });
        super::Control::of(region).await_relay(screen, relay.clone());
        terminal.start(StartForTerminal { transid: Name4::new(TRANSACTION), data: None, user_id: Name8::BLANK, queue: None });
        Ok(relay)
    }

    pub fn screen(&self) -> Name4 {
        self.screen
    }

    /// The tested task needs the terminal no more.
    pub fn is_closed(&self) -> bool {
        self.state.lock().farewell.is_some()
    }

    /// The tested task: has a request carried out and waits for the answer.
    pub fn ask(&self, task: &Task, request: Request) -> Result<Answer, Lost> {
        let server = {
            let mut state = self.state.lock();
            (state.request, state.answer) = (Some(request), None);
            state.server.take()
        };
        server.iter().for_each(|server| {
            server.resume();
        });
        let wait = Wait::new("EDF").named(Name16::new("DBUGUSER")).timeout(CHECK_EVERY);
        loop {
            {
                let mut state = self.state.lock();
                if let Some(answer) = state.answer.take() {
                    return Ok(answer);
                }
                if state.broken {
                    return Err(Lost::Terminal);
                }
                state.tested = Some(task.kernel.waker());
            }
            let resumed = task.kernel.suspend(&wait);
            self.state.lock().tested = None;
            match resumed {
                Resumed::Posted(_) => {}
                Resumed::TimedOut if self.is_wanted(task.region) => {}
                Resumed::TimedOut => return Err(Lost::Terminal),
                Resumed::Purged(_) => return Err(Lost::Purged),
            }
        }
    }

    /// There is a terminal, and EDF has not been switched off.
    fn is_wanted(&self, region: &Region) -> bool {
        region.terminals.find(self.screen).is_some() && super::Control::of(region).is_on(self.subject)
    }

    /// The tested task: the terminal is free again, after these words.
    pub fn close(&self, farewell: String) {
        let server = {
            let mut state = self.state.lock();
            state.farewell = Some(farewell);
            state.server.take()
        };
        if let Some(server) = server {
            server.resume();
        }
    }

    /// The CEDF task: waits for a request; `Err` has the last words.
    fn next(&self, task: &Task) -> Result<Result<Request, String>, Raised> {
        loop {
            {
                let mut state = self.state.lock();
                if let Some(farewell) = state.farewell.take() {
                    return Ok(Err(farewell));
                }
                if let Some(request) = state.request.take() {
                    return Ok(Ok(request));
                }
                state.server = Some(task.kernel.waker());
            }
            task.suspend(&Wait::new("EDF").named(Name16::new("DBUGUSER")))?;
        }
    }

    fn answer(&self, answer: Answer) {
        self.end_wait(|state| state.answer = Some(answer));
    }

    fn end_wait(&self, change: impl FnOnce(&mut State)) {
        let tested = {
            let mut state = self.state.lock();
            change(&mut state);
            state.tested.take()
        };
        if let Some(tested) = tested {
            tested.resume();
        }
    }
}

/// Breaks the relay however the CEDF task ends.
struct Serving<'a>(&'a Relay);

impl Drop for Serving<'_> {
    fn drop(&mut self) {
        self.0.end_wait(|state| state.broken = true);
    }
}

/// The CEDF task at the terminal.
pub fn serve(task: &mut Task, relay: &Relay) -> Result<(), Raised> {
    let _serving = Serving(relay);
    loop {
        match relay.next(task)? {
            Err(farewell) => return panel::last_word(task, &farewell),
            // EDF was switched off while the tested task waited for the terminal.
            Ok(_) if !relay.is_wanted(task.region) => return Ok(()),
            Ok(Request::Show(panel)) => {
                panel.show(task)?;
                let answer = panel.read(task)?;
                relay.answer(answer);
            }
            Ok(Request::Browse) => {
                cebr::browse(task)?;
                relay.answer(Answer::default());
            }
            Ok(Request::Interpret) => {
                ceci::interpret(task)?;
                relay.answer(Answer::default());
            }
        }
    }
}
