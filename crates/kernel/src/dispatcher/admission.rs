//! The bounds that an attach passes: the transaction class, then MXT.
//!
//! Invariants: a user task counts in its class once it has passed the bound of the class, and towards MXT once it has passed MXT,
//! until it ends; a task that waits for MXT already counts in its class. No task passes a bound whose queue is not empty. Queues are
//! served by priority, then first in, first out. An active count exceeds its limit only after the limit was lowered (asserted when a task
//! passes).

use super::request::{AttachError, ClassDefinition};
use crate::clock::{ticks, ticks_to_duration, ticks_to_wall};
use crate::inquire::{ClassStatistics, MaxTasksStatistics, Peaks, RunState};
use crate::lock_order::{Ordered, rank};
use crate::name::Name8;
use crate::task::ControlBlock;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

/// The next step for a task that is being attached.
pub(super) enum Admission {
    Ready,
    Queued,
}

struct Queued<T> {
    task: T,
    since: u64,
}

/// A limit, the tasks that passed, and those that wait.
struct Bound<T> {
    limit: u32,
    active: u32,
    /// By urgency: inverted priority in the top byte, then order of arrival.
    queue: BTreeMap<u64, Queued<T>>,
    figures: Figures,
}

#[derive(Default)]
struct Figures {
    active_peak: u32,
    queued_peak: u32,
    queued_total: u64,
    queue_ticks: u64,
    attaches: u64,
    at_once: u64,
    at_limit: u64,
    limit_reached_at: u64,
    purged_at_once: u64,
    purged_queued: u64,
    at_threshold: u64,
}

impl<T: AsRef<ControlBlock>> Bound<T> {
    fn new(limit: u32) -> Bound<T> {
        Bound { limit, active: 0, queue: BTreeMap::new(), figures: Figures::default() }
    }

    fn has_room(&self) -> bool {
        self.active < self.limit && self.queue.is_empty()
    }

    fn pass(&mut self) {
        assert!(self.active < self.limit, "nobody passes a bound that is at its limit");
        self.active += 1;
        self.figures.active_peak = self.figures.active_peak.max(self.active);
        if self.active == self.limit {
            self.figures.at_limit += 1;
            self.figures.limit_reached_at = ticks();
        }
    }

    /// A task that had passed has gone.
    fn leave(&mut self) {
        assert!(self.active > 0, "who leaves had passed");
        self.active -= 1;
    }

    fn wait(&mut self, task: T, sequence: u64) {
        let key = ((255 - task.as_ref().priority()) as u64) << 56 | sequence;
        let other = task.as_ref().queue_key.swap(key, Ordering::SeqCst);
        assert_eq!(other, 0, "a task waits at one bound");
        let other = self.queue.insert(key, Queued { task, since: ticks() });
        debug_assert!(other.is_none(), "each place in a queue is its own");
        self.figures.queued_total += 1;
        self.figures.queued_peak = self.figures.queued_peak.max(self.queue.len() as u32);
    }

    /// The next waiting task, if it may pass now; it has passed.
    fn admit(&mut self) -> Option<(T, u64)> {
        if self.active >= self.limit {
            return None;
        }
        let (_, queued) = self.queue.pop_first()?;
        self.pass();
        Some(self.left_queue(queued))
    }

    fn remove(&mut self, key: u64) -> Option<(T, u64)> {
        let queued = self.queue.remove(&key)?;
        Some(self.left_queue(queued))
    }

    fn left_queue(&mut self, queued: Queued<T>) -> (T, u64) {
        queued.task.as_ref().queue_key.store(0, Ordering::SeqCst);
        let waited = ticks().saturating_sub(queued.since);
        self.figures.queue_ticks += waited;
        (queued.task, waited)
    }

    fn waiting_ticks(&self) -> u64 {
        let now = ticks();
        self.queue.values().map(|queued| now.saturating_sub(queued.since)).sum()
    }

    /// The most active and the most queued.
    fn read_peaks(&mut self, peaks: Peaks) -> (u32, u32) {
        let queued = self.queue.len() as u32;
        (peaks.take(&mut self.figures.active_peak, self.active), peaks.take(&mut self.figures.queued_peak, queued))
    }
}

struct Class<T> {
    bound: Bound<T>,
    purge_threshold: Option<u32>,
}

struct State<T> {
    max_tasks: Bound<T>,
    limit_set_at: u64,
    attaches_system: u64,
    classes: FxHashMap<Name8, Class<T>>,
    sequence: u64,
}

pub(super) struct Admissions<T>(Ordered<State<T>, { rank::DISPATCHER }>);

impl<T: AsRef<ControlBlock> + Clone> State<T> {
    /// The task has passed its class; true if it passes MXT too.
    fn pass_max_tasks(&mut self, task: &T) -> bool {
        if self.max_tasks.has_room() {
            self.max_tasks.pass();
            return true;
        }
        task.as_ref().set_state(RunState::QueuedForMaxTasks);
        self.sequence += 1;
        self.max_tasks.wait(task.clone(), self.sequence);
        false
    }

    /// Lets tasks pass both bounds as far as the limits allow.
    fn admit(&mut self, class: Name8, ready: &mut Vec<T>) {
        while let Some((task, waited)) = self.classes.get_mut(&class).and_then(|class| class.bound.admit()) {
            task.as_ref().account().class_delay.set(waited);
            if self.pass_max_tasks(&task) {
                ready.push(task);
            }
        }
        while let Some((task, waited)) = self.max_tasks.admit() {
            task.as_ref().account().max_tasks_delay.set(waited);
            ready.push(task);
        }
    }
}

impl<T: AsRef<ControlBlock> + Clone> Admissions<T> {
    pub fn new(max_tasks: u32) -> Admissions<T> {
        Admissions(Ordered::new(State {
            max_tasks: Bound::new(max_tasks.max(1)),
            limit_set_at: ticks(),
            attaches_system: 0,
            classes: FxHashMap::default(),
            sequence: 0,
        }))
    }

    /// A task arrives.
    pub fn enter(&self, task: &T) -> Result<Admission, AttachError> {
        let block = task.as_ref();
        let mut guard = self.0.lock();
        let state = &mut *guard;
        block.account().active_tasks.set(state.max_tasks.active.into());
        block.account().max_tasks.set(state.max_tasks.limit.into());
        if block.is_system() {
            state.attaches_system += 1;
            return Ok(Admission::Ready);
        }
        if !block.class().is_blank() {
            let class = state.classes.get_mut(&block.class()).ok_or(AttachError::UnknownClass)?;
            class.bound.figures.attaches += 1;
            if !class.bound.has_room() {
                if class.purge_threshold.is_some_and(|threshold| class.bound.queue.len() as u32 + 1 >= threshold) {
                    class.bound.figures.purged_at_once += 1;
                    return Err(AttachError::ClassQueueFull);
                }
                block.set_state(RunState::QueuedForClass);
                state.sequence += 1;
                class.bound.wait(task.clone(), state.sequence);
                if class.purge_threshold == Some(class.bound.queue.len() as u32 + 1) {
                    class.bound.figures.at_threshold += 1;
                }
                state.max_tasks.figures.attaches += 1;
                return Ok(Admission::Queued);
            }
            class.bound.figures.at_once += 1;
            class.bound.pass();
        }
        state.max_tasks.figures.attaches += 1;
        Ok(if state.pass_max_tasks(task) { Admission::Ready } else { Admission::Queued })
    }

    /// A task that had passed both bounds has ended; returns the tasks that may start now.
    pub fn leave(&self, task: &ControlBlock) -> Vec<T> {
        let mut ready = Vec::new();
        if task.is_system() {
            return ready;
        }
        let mut guard = self.0.lock();
        let state = &mut *guard;
        state.max_tasks.leave();
        if let Some(class) = state.classes.get_mut(&task.class()) {
            class.bound.leave();
        }
        if !state.max_tasks.queue.is_empty() || !task.class().is_blank() {
            state.admit(task.class(), &mut ready);
        }
        ready
    }

    /// Removes a purged task from the queue it waits in; None if it waits in none. The returned tasks may start now.
    pub fn remove(&self, task: &ControlBlock) -> Option<Vec<T>> {
        let mut guard = self.0.lock();
        let state = &mut *guard;
        let key = task.queue_key.load(Ordering::SeqCst);
        if key == 0 {
            return None;
        }
        let mut ready = Vec::new();
        if task.state() == RunState::QueuedForClass {
            let bound = &mut state.classes.get_mut(&task.class())?.bound;
            let (task, waited) = bound.remove(key)?;
            bound.figures.purged_queued += 1;
            task.as_ref().account().class_delay.set(waited);
        } else {
            let (task, waited) = state.max_tasks.remove(key)?;
            let class = task.as_ref().class();
            state.max_tasks.figures.purged_queued += 1;
            task.as_ref().account().max_tasks_delay.set(waited);
            if let Some(class) = state.classes.get_mut(&class) {
                class.bound.leave();
            }
            state.admit(class, &mut ready);
        }
        Some(ready)
    }

    /// Changes MXT; returns tasks that may start now.
    pub fn set_max_tasks(&self, limit: u32) -> Vec<T> {
        let mut state = self.0.lock();
        state.max_tasks.limit = limit.max(1);
        state.limit_set_at = ticks();
        let mut ready = Vec::new();
        state.admit(Name8::BLANK, &mut ready);
        ready
    }

    /// Defines a class or changes its limits; returns tasks that may start now.
    pub fn define_class(&self, definition: ClassDefinition) -> Vec<T> {
        let mut state = self.0.lock();
        let class = state.classes.entry(definition.name).or_insert_with(|| Class { bound: Bound::new(0), purge_threshold: None });
        class.bound.limit = definition.active_max;
        class.purge_threshold = definition.purge_threshold.filter(|&threshold| threshold > 0);
        let mut ready = Vec::new();
        state.admit(definition.name, &mut ready);
        ready
    }

    pub fn discard_class(&self, name: Name8) -> bool {
        let mut state = self.0.lock();
        let idle = state.classes.get(&name).is_some_and(|class| class.bound.active == 0 && class.bound.queue.is_empty());
        idle && state.classes.remove(&name).is_some()
    }

    pub fn queued_tasks(&self) -> Vec<T> {
        let state = self.0.lock();
        let classes = state.classes.values().flat_map(|class| class.bound.queue.values());
        classes.chain(state.max_tasks.queue.values()).map(|queued| queued.task.clone()).collect()
    }

    /// User tasks that have passed MXT, and MXT.
    pub fn active_and_max_tasks(&self) -> (u32, u32) {
        let max_tasks = &self.0.lock().max_tasks;
        (max_tasks.active, max_tasks.limit)
    }

    /// Active tasks of a class, and its limit; `None` if it is not defined.
    pub fn active_and_limit_of_class(&self, name: Name8) -> Option<(u32, u32)> {
        self.0.lock().classes.get(&name).map(|class| (class.bound.active, class.bound.limit))
    }

    /// No further task passes MXT at present.
    pub fn is_at_max_tasks(&self) -> bool {
        !self.0.lock().max_tasks.has_room()
    }

    pub fn max_tasks_statistics(&self, peaks: Peaks) -> MaxTasksStatistics {
        let mut state = self.0.lock();
        let (active_peak, queued_peak) = state.max_tasks.read_peaks(peaks);
        let Bound { limit, active, queue, figures } = &state.max_tasks;
        MaxTasksStatistics {
            limit: *limit,
            active_current: *active,
            active_peak,
            queued_current: queue.len() as u32,
            queued_peak,
            queued_total: figures.queued_total,
            queue_time_total: ticks_to_duration(figures.queue_ticks),
            queue_time_current: ticks_to_duration(state.max_tasks.waiting_ticks()),
            at_limit: figures.at_limit,
            limit_reached_at: (figures.limit_reached_at != 0).then(|| ticks_to_wall(figures.limit_reached_at)),
            limit_set_at: Some(ticks_to_wall(state.limit_set_at)),
            attaches_user: figures.attaches,
            attaches_system: state.attaches_system,
        }
    }

    pub fn class_statistics(&self, peaks: Peaks) -> Vec<ClassStatistics> {
        let mut state = self.0.lock();
        let mut classes: Vec<_> = state
            .classes
            .iter_mut()
            .map(|(name, Class { bound, purge_threshold })| {
                let (active_peak, queued_peak) = bound.read_peaks(peaks);
                ClassStatistics {
                    name: *name,
                    active_max: bound.limit,
                    purge_threshold: *purge_threshold,
                    active_current: bound.active,
                    active_peak,
                    queued_current: bound.queue.len() as u32,
                    queued_peak,
                    queued_total: bound.figures.queued_total,
                    queue_time_total: ticks_to_duration(bound.figures.queue_ticks),
                    queue_time_current: ticks_to_duration(bound.waiting_ticks()),
                    attaches: bound.figures.attaches,
                    accepted_at_once: bound.figures.at_once,
                    purged_at_once: bound.figures.purged_at_once,
                    purged_queued: bound.figures.purged_queued,
                    at_limit: bound.figures.at_limit,
                    at_purge_threshold: bound.figures.at_threshold,
                }
            })
            .collect();
        classes.sort_by_key(|class| class.name);
        classes
    }
}
