//! The committed changes of a table that are not yet in the pages.
//!
//! Invariants: `active` is newer than `frozen`, `frozen` newer than any snapshot without it; `frozen` is dropped only after
//! the batch holding it is committed and the engine's generation has moved on, so a reader that finds nothing here and then
//! takes a snapshot sees the batch. Values are stored records (sealed); `None` is a deletion.

use std::collections::BTreeMap;
use std::collections::btree_map::Range;
use std::iter::{Peekable, Rev};
use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::{RwLock, RwLockReadGuard};

use super::Direction;

pub(crate) type Map = BTreeMap<Box<[u8]>, Option<Box<[u8]>>>;
/// The keys of a publication with the entries that the active layer had for them.
pub(crate) type Replaced = Vec<(Box<[u8]>, Option<Option<Box<[u8]>>>)>;
/// Approximate memory of an entry besides its key and value.
pub(crate) const ENTRY_OVERHEAD_BYTES: usize = 80;

pub(crate) fn entry_bytes(key: &[u8], value: Option<&[u8]>) -> usize {
    key.len() + value.map_or(0, <[u8]>::len) + ENTRY_OVERHEAD_BYTES
}

#[derive(Default)]
pub(crate) struct Layers {
    pub active: Map,
    pub frozen: Arc<Map>,
}

#[derive(Default)]
pub(crate) struct Overlay {
    layers: RwLock<Layers>,
    occupied: AtomicBool,
    /// Counts every published change; a browse's read-ahead is valid only while it is unchanged.
    changes: AtomicU64,
}

impl Overlay {
    /// The layers, or `None` if they are empty.
    #[inline]
    pub(crate) fn read(&self) -> Option<RwLockReadGuard<'_, Layers>> {
        self.occupied.load(Ordering::Acquire).then(|| self.layers.read())
    }

    pub(crate) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// Adds changes (under the publication lock). Returns whether `active` was empty before, and the bytes added. `replaced` gets what is
    /// needed to take them back.
    pub(crate) fn publish(&self, entries: Map, mut replaced: Option<&mut Replaced>) -> (bool, usize) {
        let mut layers = self.layers.write();
        let was_empty = layers.active.is_empty();
        let mut bytes = 0;
        for (key, value) in entries {
            bytes += entry_bytes(&key, value.as_deref());
            match &mut replaced {
                Some(replaced) => replaced.push((key.clone(), layers.active.insert(key, value))),
                None => drop(layers.active.insert(key, value)),
            }
        }
        self.occupied.store(true, Ordering::Release);
        self.changes.fetch_add(1, Ordering::AcqRel);
        (was_empty, bytes)
    }

    /// Moves `active` to `frozen` (under the publication lock; `frozen` is empty).
    pub(crate) fn freeze(&self) -> Arc<Map> {
        let mut layers = self.layers.write();
        assert!(layers.frozen.is_empty(), "the batch before is still being applied");
        layers.frozen = Arc::new(std::mem::take(&mut layers.active));
        layers.frozen.clone()
    }

    /// Undoes a publication (under the publication lock). The layer that had it has never reached the pages, and will not.
    pub(crate) fn take_back(&self, replaced: Replaced, is_frozen: bool) {
        let mut layers = self.layers.write();
        let layers = &mut *layers;
        let layer = if is_frozen { Arc::make_mut(&mut layers.frozen) } else { &mut layers.active };
        for (key, before) in replaced {
            match before {
                Some(before) => layer.insert(key, before),
                None => layer.remove(&key),
            };
        }
        self.changes.fetch_add(1, Ordering::AcqRel);
    }

    /// Drops `frozen`, which is in the pages now.
    pub(crate) fn thaw(&self) {
        let mut layers = self.layers.write();
        layers.frozen = Arc::default();
        if layers.active.is_empty() {
            self.occupied.store(false, Ordering::Release);
        }
    }

    pub(crate) fn note_change(&self) {
        self.changes.fetch_add(1, Ordering::AcqRel);
    }
}

impl Layers {
    /// The newest entry of a key: `None` if no layer has it, `Some(None)` if deleted.
    #[inline]
    pub(crate) fn get(&self, key: &[u8]) -> Option<Option<&[u8]>> {
        let entry = self.active.get(key).or_else(|| self.frozen.get(key))?;
        Some(entry.as_deref())
    }
}

enum Source<'a> {
    Forward(Peekable<Range<'a, Box<[u8]>, Option<Box<[u8]>>>>),
    Backward(Peekable<Rev<Range<'a, Box<[u8]>, Option<Box<[u8]>>>>>),
}

type Entry<'a> = (&'a Box<[u8]>, &'a Option<Box<[u8]>>);

impl<'a> Source<'a> {
    fn new(map: &'a Map, from: Option<(&[u8], bool)>, direction: Direction) -> Source<'a> {
        let bound = match from {
            None => Bound::Unbounded,
            Some((key, true)) => Bound::Included(key),
            Some((key, false)) => Bound::Excluded(key),
        };
        match direction {
            Direction::Forward => Source::Forward(map.range::<[u8], _>((bound, Bound::Unbounded)).peekable()),
            Direction::Backward => Source::Backward(map.range::<[u8], _>((Bound::Unbounded, bound)).rev().peekable()),
        }
    }

    fn peek(&mut self) -> Option<&'a [u8]> {
        match self {
            Source::Forward(entries) => entries.peek().map(|entry| &entry.0[..]),
            Source::Backward(entries) => entries.peek().map(|entry| &entry.0[..]),
        }
    }

    fn next(&mut self) -> Option<Entry<'a>> {
        match self {
            Source::Forward(entries) => entries.next(),
            Source::Backward(entries) => entries.next(),
        }
    }
}

/// Merges several maps, the first being the newest, in one direction.
pub(crate) struct Merge<'a> {
    sources: smallvec::SmallVec<[Source<'a>; 3]>,
    direction: Direction,
}

impl<'a> Merge<'a> {
    pub(crate) fn new(maps: impl Iterator<Item = &'a Map>, from: Option<(&[u8], bool)>, direction: Direction) -> Merge<'a> {
        let sources = maps.filter(|map| !map.is_empty()).map(|map| Source::new(map, from, direction)).collect();
        Merge { sources, direction }
    }

    /// True if `left` comes before `right` in this direction.
    pub(crate) fn before(&self, left: &[u8], right: &[u8]) -> bool {
        match self.direction {
            Direction::Forward => left < right,
            Direction::Backward => left > right,
        }
    }

    pub(crate) fn peek(&mut self) -> Option<&'a [u8]> {
        let mut best: Option<&'a [u8]> = None;
        for index in 0..self.sources.len() {
            if let Some(key) = self.sources[index].peek()
                && best.is_none_or(|best| self.before(key, best))
            {
                best = Some(key);
            }
        }
        best
    }

    /// The next key with its newest entry.
    pub(crate) fn next(&mut self) -> Option<(&'a [u8], Option<&'a [u8]>)> {
        let key = self.peek()?;
        let mut newest = None;
        for source in &mut self.sources {
            if source.peek() == Some(key) {
                let entry = source.next().expect("peeked");
                newest.get_or_insert(entry);
            }
        }
        newest.map(|(key, value)| (&key[..], value.as_deref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(entries: &[(&str, Option<&str>)]) -> Map {
        entries.iter().map(|(k, v)| (k.as_bytes().into(), v.map(|v| v.as_bytes().into()))).collect()
    }

    #[test]
    fn merge_returns_the_newest_entry_of_each_key_in_order() {
        let newest = map(&[("b", None), ("d", Some("4"))]);
        let middle = map(&[("a", Some("1")), ("b", Some("old"))]);
        let oldest = map(&[("b", Some("older")), ("c", Some("3")), ("d", Some("old"))]);
        for direction in [Direction::Forward, Direction::Backward] {
            let mut merge = Merge::new([&newest, &middle, &oldest].into_iter(), None, direction);
            let mut seen = Vec::new();
            while let Some((key, value)) = merge.next() {
                seen.push(format!("{}{}", key[0] as char, value.map_or("-", |v| std::str::from_utf8(v).unwrap())));
            }
            if direction == Direction::Backward {
                seen.reverse();
            }
            assert_eq!(seen, ["a1", "b-", "c3", "d4"]);
        }
    }
}
