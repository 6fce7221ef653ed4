//! The health of the region, 0 to 100: how much work it should be given (INQUIRE and SET WLMHEALTH).
//!
//! It begins at zero with the end of the initialization and goes up by steps (warm-up), goes down by steps when SET WLMHEALTH CLOSED asks for it
//! (cool-down), and is zero from the begin of a shutdown on. CICS reports it to the workload manager of z/OS; here whoever distributes work
//! among regions asks for it. Rules: CICS TS 5.5, "WLMHEALTH", "SET WLMHEALTH", "CICS warm-up and cool-down". Invariants: the health is 0 to
//! 100; one step at most is planned.

use super::Monitoring;
use crate::clock::local_from_system;
use crate::figures::Report;
use crate::inquiry::checked;
use crate::{Arguments, Handler, Outcome, Raised, Region, Task, raise};
use exec::resp2::health as resp2;
use exec::{CommandId, OptionId, command, condition, cvda, option};
use kernel::TimerId;
use parking_lot::Mutex;
use std::ops::RangeInclusive;
use std::time::{Duration, SystemTime};

const PARAMETER: &str = "WLMHEALTH";
const HEALTH_MAX: u32 = 100;
const ADJUSTMENT: RangeInclusive<u32> = 1..=100;
const INTERVAL_SECONDS: RangeInclusive<u32> = 0..=600;

pub(super) fn handlers() -> &'static [(CommandId, Handler)] {
    &[(command::INQUIRE_WLMHEALTH, inquire), (command::SET_WLMHEALTH, set)]
}

/// OPENSTATUS.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Status {
    #[default]
    Closed,
    Opening,
    Open,
    Closing,
}

impl Status {
    fn cvda(self) -> i64 {
        match self {
            Status::Closed => cvda::CLOSED,
            Status::Opening => cvda::OPENING,
            Status::Open => cvda::OPEN,
            Status::Closing => cvda::CLOSING,
        }
    }

    pub fn text(self) -> &'static str {
        match self {
            Status::Closed => "CLOSED",
            Status::Opening => "OPENING",
            Status::Open => "OPEN",
            Status::Closing => "CLOSING",
        }
    }
}

/// The health, and how it changes.
#[derive(Default)]
pub(super) struct Health(Mutex<State>);

/// What is known of the health at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    pub status: Status,
    pub health: u32,
    pub interval_seconds: u32,
    pub adjustment: u32,
    /// When the health was last changed or confirmed.
    pub reported_at: Option<SystemTime>,
    next: Option<TimerId>,
    /// The number of the last plan: a step that is no longer planned, but whose timer has just ended, is not taken.
    plan: u64,
}

impl State {
    /// One step towards the end of the present status.
    fn step(&mut self) {
        self.health = match self.status {
            Status::Opening => (self.health + self.adjustment).min(HEALTH_MAX),
            Status::Closing => self.health.saturating_sub(self.adjustment),
            Status::Open | Status::Closed => self.health,
        };
        self.status = match (self.status, self.health) {
            (Status::Opening, HEALTH_MAX) => Status::Open,
            (Status::Closing, 0) => Status::Closed,
            (status, _) => status,
        };
        assert!(self.health <= HEALTH_MAX);
        self.reported_at = Some(SystemTime::now());
    }

    fn is_changing(&self) -> bool {
        matches!(self.status, Status::Opening | Status::Closing)
    }
}

fn is_off(region: &Region) -> bool {
    region.sit.part(PARAMETER, 0) == "OFF"
}

impl Monitoring {
    /// The health of the region.
    pub fn health(&self) -> State {
        *self.health.0.lock()
    }
}

/// The region is initialized: the first step is an interval away. With an interval of zero an operator or a program begins.
pub(super) fn running(region: &'static Region) {
    let number = |at: usize| region.sit.part(PARAMETER, at).parse().unwrap_or(0);
    let mut state = Monitoring::of(region).health.0.lock();
    state.adjustment = number(1);
    if is_off(region) {
        return;
    }
    state.interval_seconds = number(0);
    state.reported_at = Some(SystemTime::now());
    if state.interval_seconds > 0 {
        state.status = Status::Opening;
        plan(region, &mut state);
    }
}

/// "For a normal CICS shutdown, the z/OS WLM health value is set to 0 during the shutdown process" (WLMHEALTH).
pub(super) fn quiesce(region: &'static Region) {
    close_now(region, &mut Monitoring::of(region).health.0.lock());
}

fn close_now(region: &Region, state: &mut State) {
    cancel(region, state);
    (state.status, state.health, state.reported_at) = (Status::Closed, 0, Some(SystemTime::now()));
}

fn cancel(region: &Region, state: &mut State) {
    state.plan += 1;
    if let Some(next) = state.next.take() {
        region.dispatcher.cancel(next);
    }
}

/// Plans the next step.
fn plan(region: &'static Region, state: &mut State) {
    assert!(state.next.is_none(), "one step is pending");
    let interval = Duration::from_secs(state.interval_seconds.into());
    state.plan += 1;
    let plan = state.plan;
    state.next = Some(region.dispatcher.after(interval, move || take_step(region, plan)));
}

fn take_step(region: &'static Region, plan_number: u64) {
    let mut state = Monitoring::of(region).health.0.lock();
    if state.plan != plan_number {
        return;
    }
    state.next = None;
    state.step();
    if state.is_changing() {
        plan(region, &mut state);
    }
}

/// The section of the statistics report.
pub(super) fn report(region: &'static Region, report: &mut Report) {
    report.heading("Region Health");
    let state = Monitoring::of(region).health();
    let reported = state.reported_at.map(local_from_system).map(|local| format!("{} {}", local.date_text(), local.time_text()));
    for (title, value) in [
        ("Health open status", state.status.text().to_string()),
        ("Health (percent)", state.health.to_string()),
        ("Health adjustment (percent)", state.adjustment.to_string()),
        ("Health interval (seconds)", state.interval_seconds.to_string()),
        ("Last change of the health", reported.unwrap_or_default()),
    ] {
        report.text += &format!("  {title:.<48}: {value:>24}\n");
    }
    report.text.push('\n');
}

fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let state = Monitoring::of(task.region).health();
    arguments.set_integers([
        (option::ADJUSTMENT, state.adjustment.into()),
        (option::HEALTH, state.health.into()),
        (option::HEALTHABSTIM, state.reported_at.map_or(0, |time| local_from_system(time).0)),
        (option::INTERVAL, state.interval_seconds.into()),
        (option::OPENSTATUS, state.status.cvda()),
    ]);
    Ok(())
}

fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    if is_off(region) {
        return raise(condition::INVREQ, resp2::OFF);
    }
    let number = |option: OptionId, range: RangeInclusive<u32>, fault: i32| match arguments.integer(option) {
        None => Ok::<_, Raised>(None),
        Some(number) => match u32::try_from(number).ok().filter(|number| range.contains(number)) {
            None => raise(condition::INVREQ, fault),
            number => Ok(number),
        },
    };
    let adjustment = number(option::ADJUSTMENT, ADJUSTMENT, resp2::ADJUSTMENT)?;
    let interval = number(option::INTERVAL, INTERVAL_SECONDS, resp2::INTERVAL)?;
    let states = [(option::OPEN, cvda::OPEN), (option::CLOSED, cvda::CLOSED), (option::IMMCLOSE, cvda::IMMCLOSE)];
    let status = checked(arguments, option::OPENSTATUS, &states, resp2::OPENSTATUS)?;
    let mut state = Monitoring::of(region).health.0.lock();
    let next_interval = interval.unwrap_or(state.interval_seconds);
    match (status, state.status) {
        (Some(cvda::OPEN), Status::Opening) => return raise(condition::INVREQ, resp2::OPENING),
        (Some(cvda::CLOSED), Status::Closing) => return raise(condition::INVREQ, resp2::CLOSING),
        (Some(cvda::OPEN), _) if next_interval == 0 => return raise(condition::INVREQ, resp2::NO_INTERVAL),
        _ => {}
    }
    state.adjustment = adjustment.unwrap_or(state.adjustment);
    state.interval_seconds = next_interval;
    match status {
        Some(cvda::OPEN) => move_to(region, &mut state, Status::Opening),
        Some(cvda::CLOSED) if next_interval == 0 => close_now(region, &mut state),
        Some(cvda::CLOSED) => move_to(region, &mut state, Status::Closing),
        Some(_) => close_now(region, &mut state),
        None if interval.is_some() && state.is_changing() => {
            cancel(region, &mut state);
            // Without an interval nothing changes by itself.
            if next_interval > 0 {
                plan(region, &mut state);
            }
        }
        None => {}
    }
    Ok(())
}

/// The first step is taken at once.
fn move_to(region: &'static Region, state: &mut State, status: Status) {
    cancel(region, state);
    state.status = status;
    state.step();
    if state.is_changing() {
        plan(region, state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_end_at_zero_and_at_a_hundred() {
        let mut state = State { status: Status::Opening, adjustment: 40, ..State::default() };
        let mut seen = Vec::new();
        for _ in 0..4 {
            state.step();
            seen.push((state.health, state.status));
        }
        assert_eq!(seen, [(40, Status::Opening), (80, Status::Opening), (100, Status::Open), (100, Status::Open)]);
        state.status = Status::Closing;
        let mut seen = Vec::new();
        for _ in 0..4 {
            state.step();
            seen.push((state.health, state.status));
        }
        assert_eq!(seen, [(60, Status::Closing), (20, Status::Closing), (0, Status::Closed), (0, Status::Closed)]);
    }
}
