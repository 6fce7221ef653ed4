//! Waiting for what other threads or processes do.

use std::time::{Duration, Instant};

/// Long enough for a machine that is busy with other tests.
const LIMIT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Waits until the condition holds. Fails with `what` if it does not within a minute.
#[track_caller]
pub fn eventually(what: &str, condition: impl FnMut() -> bool) {
    eventually_within(LIMIT, what, condition);
}

/// As `eventually`, with a limit of the caller's.
#[track_caller]
pub fn eventually_within(limit: Duration, what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + limit;
    while !condition() {
        assert!(Instant::now() < deadline, "not within {limit:?}: {what}");
        std::thread::sleep(POLL_INTERVAL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_waits_until_the_condition_holds() {
        let mut count = 0;
        eventually("the third look", || {
            count += 1;
            count == 3
        });
        assert_eq!(count, 3);
    }

    #[test]
    #[should_panic(expected = "what never comes")]
    fn it_fails_after_its_limit() {
        eventually_within(Duration::from_millis(5), "what never comes", || false);
    }
}
