//! Resource managers that do as a test says.
#![allow(dead_code)]

use region::name::Name8;
use region::resource_manager::{Caller, Outcome};
use region::{ResourceManager, Vote};
use std::sync::{Arc, Mutex};

type Prepare = Box<dyn Fn(&mut Caller) -> Vote + Send + Sync>;

/// A resource manager that remembers what it was told.
pub struct Manager {
    name: &'static str,
    last_agent: bool,
    prepare: Prepare,
    before_commit: fn(),
    pub answer: Mutex<Outcome>,
    told: Mutex<Vec<(&'static str, u64)>>,
}

impl Manager {
    pub fn new(name: &'static str, last_agent: bool, vote: Vote, answer: Outcome) -> Arc<Manager> {
        Arc::new(Manager::with(name, last_agent, Box::new(move |_| vote), answer))
    }

    fn with(name: &'static str, last_agent: bool, prepare: Prepare, answer: Outcome) -> Manager {
        Manager { name, last_agent, prepare, before_commit: || {}, answer: Mutex::new(answer), told: Mutex::default() }
    }

    /// A last agent that is lost: its units of work are shunted.
    pub fn lost(name: &'static str) -> Arc<Manager> {
        Manager::new(name, true, Vote::No, Outcome::Unknown)
    }

    /// A last agent that does something when it is told to commit, and is lost.
    pub fn lost_after(name: &'static str, before_commit: fn()) -> Arc<Manager> {
        Arc::new(Manager { before_commit, ..Manager::with(name, true, Box::new(|_| Vote::No), Outcome::Unknown) })
    }

    /// One that commits, if `prepare` votes so.
    pub fn voting(name: &'static str, prepare: impl Fn(&mut Caller) -> Vote + Send + Sync + 'static) -> Arc<Manager> {
        Arc::new(Manager::with(name, false, Box::new(prepare), Outcome::Committed))
    }

    fn note(&self, what: &'static str, unit: u64) {
        self.told.lock().unwrap().push((what, unit));
    }

    pub fn told(&self) -> Vec<&'static str> {
        self.told.lock().unwrap().iter().map(|(what, _)| *what).collect()
    }
}

impl ResourceManager for Manager {
    fn name(&self) -> Name8 {
        Name8::new(self.name)
    }

    fn is_last_agent(&self) -> bool {
        self.last_agent
    }

    fn prepare(&self, caller: &mut Caller, unit: u64) -> Vote {
        self.note("prepare", unit);
        (self.prepare)(caller)
    }

    fn commit(&self, _caller: &mut Caller, unit: u64) -> Outcome {
        self.note("commit", unit);
        (self.before_commit)();
        *self.answer.lock().unwrap()
    }

    fn backout(&self, _caller: &mut Caller, unit: u64) -> Outcome {
        self.note("backout", unit);
        Outcome::BackedOut
    }

    fn outcome(&self, _caller: &mut Caller, _unit: u64) -> Outcome {
        *self.answer.lock().unwrap()
    }

    fn prepared(&self, _caller: &mut Caller) -> Vec<u64> {
        Vec::new()
    }
}
