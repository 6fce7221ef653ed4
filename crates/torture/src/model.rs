//! The data that must exist after a restart: plain maps and lists, and the units of work that may have changed them.
//!
//! Rules: a unit of work that was reported done exists completely; one that had begun its syncpoint exists completely or not at all, as its
//! marker record shows; nothing else exists. Units are applied in the order in which they began their syncpoints (see `protocol`).

use crate::protocol::{Change, Event};
use std::collections::{BTreeMap, BTreeSet};

/// Container of the marker records.
pub const MARKERS: &str = "UNITS";
/// Length of their keys, the numbers of the units of work.
pub const MARKER_DIGITS: usize = 12;

/// The key of the marker of a unit of work.
pub fn marker_key(number: &str) -> String {
    format!("{number:0>MARKER_DIGITS$}")
}

/// The base file and the two views of it by alternate index.
pub const BASE: &str = "BASE";
pub const BY_GROUP: &str = "GROUP";
pub const BY_UNIQUE: &str = "UNIQUE";
/// The copy of the base built from its replication log.
pub const REPLICA: &str = "REPLICA";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    pub keyed: BTreeMap<String, BTreeMap<String, String>>,
    pub lists: BTreeMap<String, Vec<String>>,
    /// Identifiers of the units of work in doubt.
    pub in_doubt: BTreeSet<u64>,
    /// The number the counter gives next.
    pub next_number: u64,
}

impl State {
    pub fn add(&mut self, event: &Event) {
        match event {
            Event::Key { container, key, value } => {
                self.keyed.entry(container.clone()).or_default().insert(key.clone(), value.clone());
            }
            Event::InDoubt { id } => drop(self.in_doubt.insert(*id)),
            Event::Next { number } => self.next_number = *number,
            Event::Item { container, value } => self.lists.entry(container.clone()).or_default().push(value.clone()),
            _ => {}
        }
    }

    /// Keys and items.
    pub fn facts(&self) -> usize {
        self.keyed.values().map(BTreeMap::len).sum::<usize>() + self.lists.values().map(Vec::len).sum::<usize>()
    }

    fn apply(&mut self, change: &Change) -> Result<(), String> {
        match change {
            Change::Put { container, key, value } => {
                self.keyed.entry(container.clone()).or_default().insert(key.clone(), value.clone());
            }
            Change::Delete { container, key } => {
                self.keyed.entry(container.clone()).or_default().remove(key);
            }
            Change::Push { container, value } => self.lists.entry(container.clone()).or_default().push(value.clone()),
            Change::Pop { container, value } => {
                let list = self.lists.entry(container.clone()).or_default();
                if list.first() != Some(value) {
                    return Err(format!("{container} gave {value}, its first is {:?}", list.first()));
                }
                list.remove(0);
            }
            Change::Replace { container, index, value } => {
                let list = self.lists.entry(container.clone()).or_default();
                *list.get_mut(*index).ok_or_else(|| format!("{container} has no item {index}"))? = value.clone();
            }
            Change::Clear { container } => {
                self.lists.remove(container);
                self.keyed.remove(container);
            }
        }
        Ok(())
    }

    /// The views by alternate index follow from the base.
    fn derive_views(&mut self) {
        let base = self.keyed.get(BASE).cloned().unwrap_or_default();
        for (view, part) in [(BY_GROUP, 0), (BY_UNIQUE, 1)] {
            let alternate = |value: &str| value.split('.').nth(part).unwrap_or("").to_string();
            let entries = base.iter().map(|(key, value)| (format!("{}/{key}", alternate(value)), value.clone())).collect();
            self.keyed.insert(view.into(), entries);
        }
        self.keyed.insert(REPLICA.into(), base);
    }

    fn tidy(&mut self) {
        self.keyed.retain(|_, map| !map.is_empty());
        self.lists.retain(|_, list| !list.is_empty());
    }
}

struct Unit {
    number: u64,
    marked: bool,
    done: bool,
    changes: Vec<Change>,
    /// Its identifier while in doubt, and that it was backed out then.
    id: Option<u64>,
    backed_out: bool,
}

/// The model of the data over all rounds.
#[derive(Default)]
pub struct Model {
    state: State,
    units: Vec<Unit>,
    /// Units of work that will be in doubt.
    doubts: BTreeMap<u64, u64>,
    /// Numbers the counter has assigned since the last comparison.
    given: BTreeSet<u64>,
    given_twice: Vec<u64>,
}

/// The result of a comparison.
#[derive(Default, Debug)]
pub struct Findings {
    /// Units of work of the round that are there.
    pub units: u64,
    pub lost: Vec<String>,
    pub half: Vec<String>,
}

impl Model {
    pub fn event(&mut self, event: Event) {
        match event {
            Event::Begin { unit, marked, changes } => {
                let id = self.doubts.remove(&unit);
                self.units.push(Unit { number: unit, marked, done: false, changes, id, backed_out: false });
            }
            Event::Doubt { unit, id } => drop(self.doubts.insert(unit, id)),
            Event::Decided { id, commit } => {
                if let Some(unit) = self.units.iter_mut().find(|known| known.id == Some(id)) {
                    (unit.done, unit.backed_out) = (commit, !commit);
                }
            }
            Event::Given { number } if number < self.state.next_number || !self.given.insert(number) => self.given_twice.push(number),
            Event::Done { unit } => {
                if let Some(unit) = self.units.iter_mut().rfind(|known| known.number == unit) {
                    unit.done = true;
                }
            }
            _ => {}
        }
    }

    /// The counter gives no number twice.
    fn compare_numbers(&mut self, found: &State, findings: &mut Findings) {
        for number in self.given_twice.drain(..) {
            findings.half.push(format!("the counter gave {number} twice"));
        }
        if let Some(last) = std::mem::take(&mut self.given).last()
            && *last >= found.next_number
        {
            findings.lost.push(format!("the counter has given {last} and will give {}", found.next_number));
        }
    }

    /// Compares the reported data with the expected data, and continues from the reported data.
    pub fn compare(&mut self, found: &State) -> Findings {
        let mut findings = Findings::default();
        let no_markers = BTreeMap::new();
        let markers = found.keyed.get(MARKERS).unwrap_or(&no_markers);
        let items: BTreeSet<&String> = found.lists.values().flatten().collect();
        let mut expected = std::mem::take(&mut self.state);
        self.compare_numbers(found, &mut findings);
        for unit in std::mem::take(&mut self.units) {
            if unit.id.is_some_and(|id| found.in_doubt.contains(&id)) {
                // It was never visible: its marker has no explanation.
                self.units.push(unit);
                continue;
            }
            let present = if unit.marked {
                markers.contains_key(&unit.number.to_string())
            } else {
                // A change outside units of work: its value is its own marker.
                unit.done || unit.changes.iter().all(|change| found_alone(change, &expected, found, &items))
            };
            if !present {
                if unit.done {
                    findings.lost.push(format!("unit of work {}: {:?}", unit.number, unit.changes));
                }
                continue;
            }
            findings.units += 1;
            if unit.backed_out {
                findings.half.push(format!("unit of work {} was in doubt and backed out, and is there", unit.number));
            }
            for change in &unit.changes {
                if let Err(why) = expected.apply(change) {
                    findings.half.push(format!("unit of work {}: {why}", unit.number));
                }
            }
        }
        expected.derive_views();
        expected.tidy();
        let mut found = found.clone();
        found.tidy();
        differences(&expected, &found, &mut findings.half);
        self.state = found;
        findings
    }
}

/// Whether a change outside units of work is visible in the reported data. `before` is the data when the change began.
fn found_alone(change: &Change, before: &State, found: &State, items: &BTreeSet<&String>) -> bool {
    match change {
        Change::Push { value, .. } => items.contains(value),
        Change::Delete { container, key } => found.keyed.get(container).is_none_or(|map| !map.contains_key(key)),
        // Data written after it may exist; data from before it may not.
        Change::Clear { container } => {
            let kept = |item: &String| found.lists.get(container).is_some_and(|list| list.contains(item));
            let stays = |key: &String, value: &String| found.keyed.get(container).and_then(|map| map.get(key)) == Some(value);
            !before.lists.get(container).is_some_and(|list| list.iter().any(kept))
                && !before.keyed.get(container).is_some_and(|map| map.iter().any(|(key, value)| stays(key, value)))
        }
        _ => false,
    }
}

fn differences(expected: &State, found: &State, into: &mut Vec<String>) {
    let (no_map, no_list) = (BTreeMap::new(), Vec::new());
    let names: BTreeSet<&String> = expected.keyed.keys().chain(found.keyed.keys()).collect();
    for name in names {
        let (left, right) = (expected.keyed.get(name).unwrap_or(&no_map), found.keyed.get(name).unwrap_or(&no_map));
        let keys: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
        for key in keys.into_iter().filter(|key| left.get(*key) != right.get(*key)) {
            into.push(format!("{name} {key}: expected {:?}, found {:?}", left.get(key), right.get(key)));
        }
    }
    let names: BTreeSet<&String> = expected.lists.keys().chain(found.lists.keys()).collect();
    for name in names {
        let (left, right) = (expected.lists.get(name).unwrap_or(&no_list), found.lists.get(name).unwrap_or(&no_list));
        if left != right {
            into.push(format!("{name}: expected {left:?}, found {right:?}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(container: &str, key: &str, value: &str) -> Change {
        Change::Put { container: container.into(), key: key.into(), value: value.into() }
    }

    fn key(container: &str, key: &str, value: &str) -> Event {
        Event::Key { container: container.into(), key: key.into(), value: value.into() }
    }

    fn unit(model: &mut Model, number: u64, done: bool) {
        let changes = vec![put(MARKERS, &number.to_string(), "x"), put("R", "1", &format!("by{number}"))];
        model.event(Event::Begin { unit: number, marked: true, changes });
        if done {
            model.event(Event::Done { unit: number });
        }
    }

    fn state(events: &[Event]) -> State {
        let mut state = State::default();
        events.iter().for_each(|event| state.add(event));
        state
    }

    #[test]
    fn a_container_emptied_without_an_answer_has_nothing_of_before() {
        let begun = || {
            let mut model = Model::default();
            model.compare(&state(&[key("E", "0", "old"), key("E", "40", "older")]));
            model.event(Event::Begin { unit: 1, marked: false, changes: vec![Change::Clear { container: "E".into() }] });
            unit(&mut model, 2, true);
            model.event(Event::Begin { unit: 3, marked: true, changes: vec![put(MARKERS, "3", "x"), put("E", "0", "new")] });
            model.event(Event::Done { unit: 3 });
            model
        };
        let rest = [key(MARKERS, "2", "x"), key("R", "1", "by2"), key(MARKERS, "3", "x"), key("E", "0", "new")];
        assert!(begun().compare(&state(&rest)).half.is_empty(), "emptied, and written to since");
        let kept = [&rest[..], &[key("E", "40", "older")]].concat();
        assert!(begun().compare(&state(&kept)).half.is_empty(), "not emptied, and written to");
        let partly = [&rest[..3], &[key("E", "40", "older")]].concat();
        assert!(!begun().compare(&state(&partly)).half.is_empty(), "the record written is lost");
    }

    #[test]
    fn a_lost_a_half_and_an_uncommitted_unit_are_each_found() {
        let mut model = Model::default();
        unit(&mut model, 1, true);
        unit(&mut model, 2, false);
        let one = [key(MARKERS, "1", "x"), key("R", "1", "by1")];
        let findings = model.compare(&state(&one));
        assert_eq!((findings.units, findings.lost.len(), findings.half.len()), (1, 0, 0));

        unit(&mut model, 3, true);
        let findings = model.compare(&state(&one));
        assert_eq!((findings.units, findings.lost.len(), findings.half.len()), (0, 1, 0));

        unit(&mut model, 4, true);
        let half = [key(MARKERS, "1", "x"), key(MARKERS, "4", "x"), key("R", "1", "by1")];
        let findings = model.compare(&state(&half));
        assert_eq!((findings.units, findings.lost.len(), findings.half.len()), (1, 0, 1));

        // A record that no unit of work explains.
        let mut kept = half.to_vec();
        kept.push(key("R", "9", "ghost"));
        assert_eq!(model.compare(&state(&kept)).half.len(), 1);
    }

    #[test]
    fn views_must_follow_the_base() {
        let mut model = Model::default();
        let changes = vec![put(MARKERS, "1", "x"), put(BASE, "A", "g1.u1.rest")];
        model.event(Event::Begin { unit: 1, marked: true, changes });
        let replica = key(REPLICA, "A", "g1.u1.rest");
        let base = [key(MARKERS, "1", "x"), key(BASE, "A", "g1.u1.rest"), key(BY_GROUP, "g1/A", "g1.u1.rest"), replica];
        assert_eq!(model.compare(&state(&base)).half.len(), 1, "the unique index has no entry");
    }

    #[test]
    fn a_unit_in_doubt_is_nowhere_until_it_is_decided() {
        let doubtful = |model: &mut Model| {
            model.event(Event::Doubt { unit: 1, id: 50 });
            unit(model, 1, false);
            assert!(model.compare(&state(&[Event::InDoubt { id: 50 }])).half.is_empty());
        };
        let there = state(&[key(MARKERS, "1", "x"), key("R", "1", "by1")]);
        for (commit, found, wrong) in [(true, &there, 0), (true, &State::default(), 1), (false, &State::default(), 0), (false, &there, 1)] {
            let mut model = Model::default();
            doubtful(&mut model);
            model.event(Event::Decided { id: 50, commit });
            let findings = model.compare(found);
            assert_eq!(findings.lost.len() + findings.half.len(), wrong, "commit {commit}");
        }
        let mut model = Model::default();
        doubtful(&mut model);
        let mut seen = there;
        seen.add(&Event::InDoubt { id: 50 });
        assert!(!model.compare(&seen).half.is_empty(), "seen while in doubt");
    }

    #[test]
    fn a_number_is_given_once() {
        let mut model = Model::default();
        (1..=2).for_each(|number| model.event(Event::Given { number }));
        let findings = model.compare(&state(&[Event::Next { number: 4 }]));
        assert!(findings.lost.is_empty() && findings.half.is_empty());
        model.event(Event::Given { number: 3 });
        let findings = model.compare(&state(&[Event::Next { number: 4 }]));
        assert_eq!((findings.lost.len(), findings.half.len()), (0, 1));
        model.event(Event::Given { number: 5 });
        assert_eq!(model.compare(&state(&[Event::Next { number: 5 }])).lost.len(), 1);
    }
}
