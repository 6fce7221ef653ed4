//! The work of a terminal without a task: input, RETURN IMMEDIATE, START and the good morning message become tasks.
//!
//! Invariant: every piece of work taken from the state ends in exactly one way: a task that will call `task_ended`, a call of `not_started`
//! by the transaction manager, or a refusal here that frees the terminal again.

use super::control_program;
use super::display::{Attention, DisplayTerminal, Owner, Uppercase};
use super::good_night::TRANSACTION as GOOD_NIGHT;
use super::identify::transaction_for;
use super::input::Input;
use super::pages;
use super::state::State;
use super::{records, released};
use crate::terminal_control::TerminalControl;
use bms::constants::{AID_CLEAR, AID_NO, AID_STRF, SNA_CMD_RB};
use region::facility::{Facility, NextTransaction, Partner, StartForTerminal, Terminal};
use region::messages::Message;
use region::name::Name4;
use region::statistics::recording;
use region::{AttachRequest, StartCode};
use std::sync::atomic::Ordering;
use std::time::{Instant, SystemTime};

/// One thing that starts a task.
pub(super) enum Work {
    GoodMorning,
    /// The user has been idle for too long.
    GoodNight,
    /// RETURN TRANSID IMMEDIATE.
    Immediate(NextTransaction),
    Start(StartForTerminal),
    Input {
        record: Vec<u8>,
        next: Option<NextTransaction>,
    },
}

/// The result of page retrieval for an input.
enum Paging {
    /// Not for page retrieval: the next transaction is unchanged.
    None(Option<NextTransaction>),
    /// Handled by page retrieval; whether a task was started.
    Taken(bool),
    /// The pages stay and this is the input of a transaction.
    Chained(Vec<u8>),
}

impl DisplayTerminal {
    /// A record has come.
    pub(super) fn received(&self, record: &[u8]) {
        self.counters.input_messages.fetch_add(1, Ordering::Relaxed);
        let waiter = {
            let mut state = self.state.lock();
            state.user.active_at = Instant::now();
            if let Some(waiter) = state.buffer_waiter.take() {
                state.buffer = Some(record.to_vec());
                drop(state);
                waiter.resume();
                return;
            }
            if std::mem::take(&mut state.prints) {
                drop(state);
                return self.print_screen(record);
            }
            if !state.closed && self.is_print_key(record) {
                (state.prints, state.keyboard_locked) = (true, true);
                drop(state);
                // A session that has ended has nothing to print.
                let _ = self.request(&[SNA_CMD_RB]);
                return;
            }
            let record = state.without_partition(record);
            if !state.keep_input(&record) {
                return;
            }
            if state.owner == Owner::None { None } else { Some(state.waiter.take()) }
        };
        match waiter {
            None => self.proceed(),
            Some(Some(waiter)) => {
                waiter.resume();
            }
            // The task reads it at its next RECEIVE.
            Some(None) => {}
        }
    }

    /// Shows the good morning message, by its transaction.
    pub fn greet(&self) {
        self.state.lock().good_morning_due = true;
        self.proceed();
    }

    /// Starts waiting work, if the terminal is free.
    pub(super) fn proceed(&self) {
        loop {
            let Some(work) = self.state.lock().next_work() else { return };
            match self.begin(work) {
                Ok(true) => return,
                Ok(false) => {}
                Err(message) => self.show_text(&message.line(), true),
            }
            self.state.lock().owner = Owner::None;
        }
    }

    /// The terminal has no task any more.
    pub(super) fn release(&self) {
        let closed = {
            let mut state = self.state.lock();
            debug_assert!(state.owner != Owner::None, "a free terminal is not released");
            state.owner = Owner::None;
            state.waiter = None;
            state.user.active_at = Instant::now();
            state.closed
        };
        if closed {
            self.delete();
        } else if self.peer().is_some() && super::TerminalControl::of(self.region).access.is_closed() {
            self.disconnect();
        } else {
            self.proceed();
        }
    }

    /// The session has ended: a task learns it from its next request to the terminal.
    pub(super) fn disconnected(&self) {
        self.responded(false);
        let (idle, waiter) = {
            let mut state = self.state.lock();
            state.closed = true;
            state.input.clear();
            // Those of a defined terminal wait for its next session.
            if !self.is_defined() {
                state.starts.clear();
            }
            (state.owner == Owner::None, state.waiter.take())
        };
        if let Some(waiter) = waiter {
            waiter.resume();
        }
        if idle {
            self.delete();
        }
    }

    fn delete(&self) {
        let (name, netname) = (self.name(), self.netname());
        let (mut next, mut to_free) = (None, None);
        if self.is_defined() {
            match released::after_session(self.region, name, self.take_lasting()) {
                Ok(released) => next = Some(released),
                Err(lasting) => to_free = Some(lasting.user_area),
            }
        } else {
            to_free = Some(self.user_area());
        }
        let mut removed = None;
        recording::unsolicited_at_end(self.region, |_| {
            let last = records::record(self.region, name);
            removed = self.region.terminals.swap(name, next);
            let now = self.identity.autoinstalled.then(SystemTime::now);
            removed.as_ref().and(last).map(|last| last.time_local("A06OFFTM", now).time_gmt("A06GOFTM", now))
        });
        if removed.is_none() {
            return;
        }
        if self.is_defined()
            && let Some(follower) = self.region.terminals.find(name)
        {
            // What came since the others were handed over.
            self.take_lasting().starts.into_iter().for_each(|start| follower.start(start));
        }
        TerminalControl::of(self.region).waiting.terminal_deleted(name);
        to_free.into_iter().for_each(|area| released::free(self.region, area));
        self.region.messages.send("DFHZC3462", &[("termid", name.as_str()), ("netname", netname.as_str())]);
        if self.identity.autoinstalled {
            control_program::deleted(self.region, name);
        }
    }

    /// Attaches the task. `Ok(false)`: there was nothing to start.
    fn begin(&self, work: Work) -> Result<bool, Message> {
        debug_assert!(matches!(self.state.lock().owner, Owner::Attaching { .. }), "a terminal has an owner before its task is attached");
        match work {
            Work::GoodMorning => self.attach(AttachRequest::new(self.region.sit.good_morning_transaction(), StartCode::TerminalData)),
            Work::GoodNight => self.attach(AttachRequest::new(Name4::new(GOOD_NIGHT), StartCode::TerminalData)),
            Work::Immediate(next) => {
                let mut request = AttachRequest::new(next.transid, StartCode::TerminalData);
                request.input = next.input_message;
                request.commarea = next.commarea;
                request.channel = next.channel;
                self.attach(request)
            }
            Work::Start(start) => self.attach(start_request(start)),
            Work::Input { record, next } => self.begin_input(record, next),
        }
    }

    fn attach(&self, mut request: AttachRequest) -> Result<bool, Message> {
        request.facility = self.me().map_or(Facility::None, Facility::Terminal);
        match self.region.attach(request) {
            Ok(_) => Ok(true),
            Err(failure) => Err(failure.message),
        }
    }

    fn begin_input(&self, mut record: Vec<u8>, next: Option<NextTransaction>) -> Result<bool, Message> {
        let aid = record[0];
        if aid == AID_STRF || aid == AID_NO {
            // An answer to a task that has ended meanwhile.
            return Ok(false);
        }
        let service = self.service();
        if !service.tti || !service.in_service {
            self.unlock();
            return Ok(false);
        }
        let (record_next, chained) = match self.paging_input(&record, next)? {
            Paging::Taken(started) => return Ok(started),
            Paging::Chained(input) => (None, Some(input)),
            Paging::None(next) => (next, None),
        };
        if let Some(input) = chained {
            record = [&record[..3.min(record.len())], &input[..]].concat();
        }
        if service.uppercase == Uppercase::Yes {
            bms::inbound::upper_case(&mut record, self.page());
        }
        let mut next = record_next.unwrap_or_default();
        if next.transid.is_blank() {
            next.transid = transaction_for(self, aid, record.get(3..).unwrap_or_default(), service.uppercase);
        }
        if next.transid.is_blank() && aid == AID_CLEAR {
            self.unlock();
            return Ok(false);
        }
        if service.uppercase != Uppercase::Yes && self.folds(next.transid) {
            bms::inbound::upper_case(&mut record, self.page());
        }
        let input = Input::parse(record, self.input_addressing());
        let mut request = AttachRequest::new(next.transid, StartCode::TerminalData);
        let data = self.take_attention(input);
        request.input = Some(next.input_message.unwrap_or(data));
        request.commarea = next.commarea;
        request.channel = next.channel;
        self.attach(request)
    }

    /// The key and the cursor are the terminal's; the data are for the task.
    fn take_attention(&self, input: Input) -> Vec<u8> {
        self.state.lock().attention = Attention { aid: input.aid, cursor: input.cursor };
        input.data
    }

    /// Paging commands are for CSPG, whatever transaction is next; other data end the display of pages.
    fn paging_input(&self, record: &[u8], next: Option<NextTransaction>) -> Result<Paging, Message> {
        let (aid, data) = (record[0], record.get(3..).unwrap_or_default());
        let displaying = self.paging.lock().is_displaying();
        let command = pages::command_of(self, aid, data);
        if !displaying && (command.is_none() || next.is_some()) {
            return Ok(Paging::None(next));
        }
        if let Some(pages::Command::Chain { input }) = &command
            && displaying
        {
            return Ok(Paging::Chained(bms::text::encode(self.page(), input)));
        }
        if aid == AID_CLEAR {
            self.keep_next(next);
            self.unlock();
            return Ok(Paging::Taken(false));
        }
        if command.is_none() && pages::other_input(self) == pages::Other::Passes {
            self.offer_messages();
            return Ok(Paging::None(next));
        }
        self.keep_next(next);
        let mut request = AttachRequest::new(Name4::new(pages::TRANSACTION), StartCode::TerminalData);
        let input = Input::parse(record.to_vec(), self.input_addressing());
        request.input = Some(self.take_attention(input));
        self.attach(request).map(Paging::Taken)
    }

    /// The conversation continues after page retrieval.
    fn keep_next(&self, next: Option<NextTransaction>) {
        let mut state = self.state.lock();
        state.next = next;
        state.owner = Owner::Attaching { conversational: false };
    }

    /// UCTRAN of the transaction's profile.
    fn folds(&self, transid: Name4) -> bool {
        let Some(transaction) = self.region.transactions().find(transid) else { return false };
        TerminalControl::of(self.region).profile(transaction.definition().profile).uppercase
    }
}

fn start_request(start: StartForTerminal) -> AttachRequest {
    let code = match (&start.queue, &start.data) {
        (Some(_), _) => StartCode::TransientData,
        (None, Some(data)) if data.channel.is_some() => StartCode::StartWithChannel,
        (None, Some(data)) if data.has_data() => StartCode::StartWithData,
        _ => StartCode::Start,
    };
    let mut request = AttachRequest::new(start.transid, code);
    // The task runs for the user signed on at the terminal.
    request.queue = start.queue;
    if let Some(data) = start.data {
        request.channel = data.channel.clone();
        request.start_data.push_back(data);
    }
    request
}

impl State {
    /// The terminal's next work, if it is free: a transaction that does not wait for input, one started for it, the good morning message,
    /// then input.
    fn next_work(&mut self) -> Option<Work> {
        if self.owner != Owner::None || self.closed {
            return None;
        }
        let work = if self.next.as_ref().is_some_and(|next| next.immediate) {
            Work::Immediate(self.next.take()?)
        } else if std::mem::take(&mut self.good_night_due) {
            self.good_night = true;
            Work::GoodNight
        } else if std::mem::take(&mut self.good_morning_due) {
            self.greeting = true;
            Work::GoodMorning
        } else if self.service.ati && !self.starts.is_empty() {
            Work::Start(self.starts.pop_front()?)
        } else {
            let record = self.input.pop_front()?;
            Work::Input { record, next: self.next.take() }
        };
        self.attention = Attention::default();
        self.owner = Owner::Attaching { conversational: !matches!(work, Work::Start(_)) };
        Some(work)
    }
}
