//! The children of a parent, and how the end of a child reaches it.

use super::flow_control::FlowControl;
use crate::Task;
use crate::channel::Channel;
use crate::facility::Partner;
use crate::messages::Message;
use crate::name::{Name4, Name8};
use exec::cvda;
use kernel::Waker;
use parking_lot::Mutex;
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use vsam::store::Charge;

/// Bytes of a child token.
pub const TOKEN_BYTES: usize = 16;

pub type Token = [u8; TOKEN_BYTES];

/// The abend code of a task that is purged before it runs: its class is full, or an operator cancelled it (Abend codes, AKCC).
const NOT_STARTED: [u8; 4] = *b"AKCC";
/// That of a task in which the region's own code fails (message DFHAC2206).
const FAILED: [u8; 4] = *b"ASRB";

/// How a child ended.
#[derive(Clone, Debug)]
pub struct Completion {
    /// `None`: it did not abend.
    pub abend: Option<[u8; 4]>,
}

impl Completion {
    /// COMPSTATUS
    pub fn status(&self) -> i64 {
        if self.abend.is_some() { cvda::ABEND } else { cvda::NORMAL }
    }
}

/// A child as its parent knows it.
struct Member {
    token: Token,
    /// `None`: it has not ended.
    completion: Option<Completion>,
    /// The reply channel, until it is fetched.
    channel: Option<Arc<Channel>>,
    /// A FETCH has returned its completion.
    is_fetched: bool,
    is_channel_fetched: bool,
    /// This, in the memory of the process.
    _charge: Option<Charge>,
}

/// Which children a FETCH asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Child(Token),
    Any,
}

/// What a FETCH finds.
pub enum Found {
    Completed {
        token: Token,
        completion: Completion,
        channel: Option<Arc<Channel>>,
    },
    NotCompleted,
    /// No child has the token, or it was freed.
    NoSuchChild,
    ChannelFetched,
    /// FETCH ANY of a task that has no children.
    NoChildren,
    AllFetched,
}

#[derive(Default)]
struct State {
    /// Those that have ended stand in the order of their ends, those that run in the order of RUN.
    members: Vec<Member>,
    /// The parent waits for one of these.
    waiting: Option<(Wanted, Waker)>,
}

/// The children of one task.
#[derive(Default)]
pub struct Family(Mutex<State>);

impl Family {
    pub fn add(&self, token: Token, channel: Option<Arc<Channel>>, charge: Option<Charge>) {
        let member = Member { token, completion: None, channel, is_fetched: false, is_channel_fetched: false, _charge: charge };
        self.0.lock().members.push(member);
    }

    /// The children for a dump of their parent: token, state, whether it has been fetched.
    pub fn summary(&self) -> Vec<String> {
        let hexadecimal = |token: &Token| token.iter().map(|byte| format!("{byte:02X}")).collect::<String>();
        let line = |member: &Member| {
            let state = match &member.completion {
                None => "active".to_string(),
                Some(Completion { abend: None }) => "ended normally".to_string(),
                Some(Completion { abend: Some(code) }) => format!("abended {}", String::from_utf8_lossy(code)),
            };
            let fetched = if member.is_fetched { "fetched" } else { "not fetched" };
            let channel = member.channel.as_ref().map_or(String::new(), |channel| format!(", channel {}", channel.name()));
            format!("{} {state}, {fetched}{channel}", hexadecimal(&member.token))
        };
        self.0.lock().members.iter().map(line).collect()
    }

    /// The child has ended; the last to end is last among those that have.
    fn complete(&self, token: Token, completion: Completion) {
        let mut state = self.0.lock();
        let Some(at) = state.members.iter().position(|member| member.token == token) else { return };
        let mut member = state.members.remove(at);
        debug_assert!(member.completion.is_none(), "a child ends once");
        member.completion = Some(completion);
        let after_ended = state.members.iter().take_while(|member| member.completion.is_some()).count();
        state.members.insert(after_ended, member);
        let is_awaited = matches!(&state.waiting, Some((wanted, _)) if [Wanted::Any, Wanted::Child(token)].contains(wanted));
        if is_awaited && let Some((_, waker)) = state.waiting.take() {
            drop(state);
            waker.resume();
        }
    }

    /// Fetches the completion, and the channel if `with_channel`. With a waker, a child that has not ended resumes it at its end.
    pub fn fetch(&self, wanted: Wanted, with_channel: bool, waker: Option<Waker>) -> Found {
        let mut state = self.0.lock();
        state.waiting = None;
        let found = match wanted {
            Wanted::Child(token) => state.members.iter().position(|member| member.token == token),
            Wanted::Any => state.members.iter().position(|member| !member.is_fetched),
        };
        let Some(at) = found else {
            return match wanted {
                Wanted::Child(_) => Found::NoSuchChild,
                Wanted::Any if state.members.is_empty() => Found::NoChildren,
                Wanted::Any => Found::AllFetched,
            };
        };
        let member = &mut state.members[at];
        if with_channel && member.is_channel_fetched {
            return Found::ChannelFetched;
        }
        let Some(completion) = member.completion.clone() else {
            state.waiting = waker.map(|waker| (wanted, waker));
            return Found::NotCompleted;
        };
        member.is_fetched = true;
        member.is_channel_fetched |= with_channel;
        let channel = if with_channel { member.channel.take() } else { None };
        Found::Completed { token: member.token, completion, channel }
    }

    /// The parent waits no more.
    pub fn stop_waiting(&self) {
        self.0.lock().waiting = None;
    }

    /// False if no child has the token.
    pub fn free(&self, token: Token) -> bool {
        let mut state = self.0.lock();
        let before = state.members.len();
        state.members.retain(|member| member.token != token);
        state.members.len() != before
    }

    pub fn free_all(&self) {
        self.0.lock().members.clear();
    }
}

/// The facility of a child: who waits for it.
pub struct Child {
    pub family: Arc<Family>,
    pub token: Token,
    pub user_id: Name8,
    flow: Arc<FlowControl>,
    is_queued: AtomicBool,
    is_running: AtomicBool,
    /// The task that waits to be attached, in the memory of the process.
    _charge: Charge,
}

impl Child {
    /// A child that is about to be attached.
    pub fn new(family: Arc<Family>, token: Token, user_id: Name8, flow: Arc<FlowControl>, charge: Charge) -> Child {
        flow.child_queued();
        Child { family, token, user_id, flow, is_queued: AtomicBool::new(true), is_running: AtomicBool::new(false), _charge: charge }
    }

    fn unqueue(&self) {
        if self.is_queued.swap(false, Ordering::Relaxed) {
            self.flow.child_unqueued();
        }
    }

    fn start(&self) {
        self.unqueue();
        self.is_running.store(true, Ordering::Relaxed);
        self.flow.child_started();
    }

    fn stop(&self) {
        if self.is_running.swap(false, Ordering::Relaxed) {
            self.flow.child_stopped();
        }
    }

    fn end(&self, abend: Option<[u8; 4]>) {
        self.family.complete(self.token, Completion { abend });
        self.flow.child_ended();
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.unqueue();
    }
}

impl Partner for Child {
    fn name(&self) -> Name4 {
        Name4::BLANK
    }

    fn user_id(&self) -> Name8 {
        self.user_id
    }

    fn task_started(&self, _: &Task) {
        self.start();
    }

    fn task_ended(&self, task: &mut Task, failure: Option<&Message>) {
        self.stop();
        self.end(failure.map(|_| task.abend_information.code));
    }

    /// The child goes on, as another task.
    fn task_restarts(&self) {
        self.stop();
    }

    fn not_started(&self, _: &Message) {
        self.unqueue();
        self.end(Some(NOT_STARTED));
    }

    fn task_failed(&self, _: &Message) {
        self.unqueue();
        self.stop();
        self.end(Some(FAILED));
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(number: u8) -> Token {
        [number; TOKEN_BYTES]
    }

    fn done(found: Found) -> u8 {
        match found {
            Found::Completed { token, .. } => token[0],
            Found::NotCompleted => 100,
            Found::NoSuchChild => 101,
            Found::ChannelFetched => 102,
            Found::NoChildren => 103,
            Found::AllFetched => 104,
        }
    }

    #[test]
    fn any_gives_children_in_the_order_of_their_ends_and_each_once() {
        let family = Family::default();
        assert_eq!(done(family.fetch(Wanted::Any, false, None)), 103);
        (1..=3).for_each(|number| family.add(token(number), None, None));
        assert_eq!(done(family.fetch(Wanted::Any, false, None)), 100);
        for number in [3, 1, 2] {
            family.complete(token(number), Completion { abend: None });
        }
        assert_eq!([0; 4].map(|_| done(family.fetch(Wanted::Any, false, None))), [3, 1, 2, 104]);
    }

    #[test]
    fn a_child_is_asked_again_but_its_channel_is_fetched_once() {
        let family = Family::default();
        family.add(token(1), None, None);
        family.complete(token(1), Completion { abend: Some(*b"ASRA") });
        let asked = [false, true, false, true].map(|channel| done(family.fetch(Wanted::Child(token(1)), channel, None)));
        assert_eq!(asked, [1, 1, 1, 102]);
        assert!(family.free(token(1)) && !family.free(token(1)));
        assert_eq!(done(family.fetch(Wanted::Child(token(1)), false, None)), 101);
    }

    #[test]
    fn the_end_of_a_freed_child_leaves_nothing() {
        let family = Family::default();
        family.add(token(1), None, None);
        family.free_all();
        family.complete(token(1), Completion { abend: None });
        assert_eq!(done(family.fetch(Wanted::Any, false, None)), 103);
    }
}
