//! Helpers shared by the dispatcher tests.
#![allow(dead_code)]

use kernel::{Config, Dispatcher, Stop, Wait};
use std::time::Duration;

pub const LONG: Duration = Duration::from_secs(60);
pub const USER: Wait = Wait::new("USERWAIT");

pub fn start(workers: usize) -> Dispatcher {
    Dispatcher::start(Config { workers, max_tasks: 20_000, stack_bytes: 64 * 1024, ..Config::default() }).unwrap()
}

pub fn stop(dispatcher: Dispatcher) {
    assert!(dispatcher.stop(Stop::Quiesce(LONG)), "{dispatcher:?}");
}
