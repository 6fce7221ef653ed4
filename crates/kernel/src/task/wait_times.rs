//! How long a task has waited for each type of resource, and how often: what a monitor makes its clocks of.
//!
//! Invariants: as in `account`, only the thread that runs the task writes; a type has one place, and the last place is for all types that come
//! when the others are taken, so the sum over the places is the time of all waits.

use super::account::Counter;
use crate::clock::ticks_to_duration;
use crate::inquire::Clock;
use crate::name::Name8;

/// Types that are kept apart. Few tasks wait for more than a handful.
const TYPES_MAX: usize = 12;
/// The type of the last place.
const OTHERS: Name8 = Name8::BLANK;

#[derive(Default, Debug)]
struct Place {
    /// The name of the type; 0: free.
    name: Counter,
    ticks: Counter,
    count: Counter,
}

#[derive(Default, Debug)]
pub(crate) struct WaitTimes([Place; TYPES_MAX + 1]);

impl WaitTimes {
    /// Own task: a wait for a resource of this type has ended.
    pub fn add(&self, resource_type: Name8, ticks: u64) {
        let wanted = u64::from_ne_bytes(*resource_type.as_bytes());
        let (last, places) = self.0.split_last().expect("there are places");
        let place = places.iter().find(|place| matches!(place.name.get(), name if name == wanted || name == 0));
        let place = match place {
            Some(place) => {
                place.name.set(wanted);
                place
            }
            None => last,
        };
        place.ticks.add(ticks);
        place.count.add(1);
    }

    /// The types that the task has waited for. A blank name is for all those beyond `TYPES_MAX`.
    pub fn read(&self) -> Vec<(Name8, Clock)> {
        let waited = |place: &Place| Clock { time: ticks_to_duration(place.ticks.get()), count: place.count.get() };
        let name = |place: &Place| match place.name.get() {
            0 => OTHERS,
            name => Name8::from_bytes(&name.to_ne_bytes()),
        };
        self.0.iter().filter(|place| place.count.get() > 0).map(|place| (name(place), waited(place))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_kept_by_type_and_the_types_beyond_the_last_place_together() {
        let times = WaitTimes::default();
        let name = |number: usize| Name8::new(&format!("TYPE{number}"));
        for number in 0..TYPES_MAX {
            times.add(name(number), 100);
        }
        times.add(name(0), 100);
        let read = times.read();
        assert_eq!(read.len(), TYPES_MAX);
        assert_eq!((read[0].0, read[0].1.count, read[1].1.count), (name(0), 2, 1));
        for number in TYPES_MAX..TYPES_MAX + 2 {
            times.add(name(number), 100);
        }
        let read = times.read();
        assert_eq!(read.len(), TYPES_MAX + 1);
        assert_eq!((read[TYPES_MAX].0, read[TYPES_MAX].1.count), (OTHERS, 2));
        assert_eq!(read.iter().map(|(_, waited)| waited.count).sum::<u64>(), TYPES_MAX as u64 + 3);
    }
}
