//! The capture specifications in force.
//!
//! A command that no specification is about costs one load of its byte, and a region without specifications not even that: it has no
//! observer. Invariant: the bytes of the commands are those of the arrangement; a region installs the observer once.

use super::capture::Observer;
use super::point::When;
use super::{EventBinding, Specification};
use exec::CommandId;
use parking_lot::RwLock;
use region::Region;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// A capture specification of an installed binding.
#[derive(Clone)]
pub struct Active {
    pub binding: Arc<EventBinding>,
    pub specification: Arc<Specification>,
}

/// The specifications by command and moment; those of program starts have no command.
type Arrangement = BTreeMap<(Option<CommandId>, u8), Vec<Active>>;

const BEFORE: u8 = 1;
const AFTER: u8 = 2;
const START: u8 = 4;

fn bit(when: When) -> u8 {
    match when {
        When::Before => BEFORE,
        When::After => AFTER,
        When::Start => START,
    }
}

/// The specifications of a region.
pub struct Captures {
    /// By the number of a command: the moments that a specification is about.
    watched: Vec<AtomicU8>,
    watches_starts: AtomicBool,
    arrangement: RwLock<Arc<Arrangement>>,
    is_observing: AtomicBool,
}

impl Default for Captures {
    fn default() -> Self {
        Captures {
            watched: exec::commands().iter().map(|_| AtomicU8::new(0)).collect(),
            watches_starts: AtomicBool::new(false),
            arrangement: RwLock::default(),
            is_observing: AtomicBool::new(false),
        }
    }
}

impl Captures {
    /// Puts the specifications of all installed bindings in force; those of disabled bindings are counted when they would have captured.
    pub fn replace(&self, region: &Region, bindings: impl Iterator<Item = Arc<EventBinding>>) {
        let mut arrangement = Arrangement::new();
        for binding in bindings {
            for specification in &binding.specifications {
                let active = Active { binding: binding.clone(), specification: specification.clone() };
                let when = bit(specification.when);
                if specification.point.is_program_start() {
                    arrangement.entry((None, START)).or_default().push(active);
                    continue;
                }
                for command in &specification.point.commands {
                    arrangement.entry((Some(*command), when)).or_default().push(active.clone());
                }
            }
        }
        let is_any = !arrangement.is_empty();
        let mut place = self.arrangement.write();
        for (number, watched) in self.watched.iter().enumerate() {
            let of = |when| arrangement.contains_key(&(Some(CommandId(number as u16)), when));
            let moments = [BEFORE, AFTER].into_iter().filter(|when| of(*when)).fold(0, |moments, when| moments | when);
            watched.store(moments, Ordering::Relaxed);
        }
        self.watches_starts.store(arrangement.contains_key(&(None, START)), Ordering::Relaxed);
        *place = Arc::new(arrangement);
        drop(place);
        if is_any && !self.is_observing.swap(true, Ordering::AcqRel) {
            region.extensions.observe(Arc::new(Observer));
        }
    }

    /// Whether a specification is about this command, or about program starts, at this moment.
    #[inline]
    pub fn watches(&self, command: Option<CommandId>, when: When) -> bool {
        match command {
            Some(command) => {
                self.watched.get(usize::from(command.0)).is_some_and(|watched| watched.load(Ordering::Relaxed) & bit(when) != 0)
            }
            None => self.watches_starts.load(Ordering::Relaxed),
        }
    }

    pub fn active(&self, command: Option<CommandId>, when: When) -> Vec<Active> {
        self.arrangement.read().get(&(command, bit(when))).cloned().unwrap_or_default()
    }
}
