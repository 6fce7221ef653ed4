//! The map of a component's control intervals, from low key to place and from place to low key.
//!
//! Table `vsam.<n>.ci`. Keys beginning with 0 or 1 are low keys (0 alone: the first CI, below every key; 1 and the key: the others) and
//! hold the place, control area (CA) and control interval (CI) number, 4 bytes each, little endian. Keys beginning with 2 are places
//! (2, CA, CI, 4 bytes each, big endian) and hold the low key, or 2 and the CI number of the owner for the further CIs of a spanned record.
//!
//! Invariants: each low key has one place, and each place in use has one entry; both change in one published change; a map written before
//! places were kept (format 1) gets them when it is first opened.

use std::collections::BTreeMap;
use std::ops::Bound;

use parking_lot::RwLock;
use smallvec::SmallVec;

use crate::error::StoreError;
use crate::store::{Change, Direction, Store, Table};

/// CIs of a map kept in memory; a larger map is looked up in its table.
const DIRECTORY_MAX: usize = 262_144;
/// The low key of a file's first CI: below every key, as every other low key is prefixed by 1.
pub(crate) const FIRST_LOW_KEY: &[u8] = &[0];
const LOW: u8 = 1;
const PLACE: u8 = 2;

/// The position of a CI: the number of its control area, and its number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    pub ca: u32,
    pub ci: u32,
}

impl Place {
    fn encode(self) -> Vec<u8> {
        let mut bytes = self.ca.to_le_bytes().to_vec();
        bytes.extend_from_slice(&self.ci.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8]) -> Place {
        let number = |at: usize| bytes.get(at..at + 4).map_or(0, |four| u32::from_le_bytes(four.try_into().expect("four")));
        Place { ca: number(0), ci: number(4) }
    }

    fn key(self) -> Vec<u8> {
        let mut key = vec![PLACE];
        key.extend_from_slice(&self.ca.to_be_bytes());
        key.extend_from_slice(&self.ci.to_be_bytes());
        key
    }

    fn of_key(key: &[u8]) -> Option<Place> {
        let number = |at: usize| key.get(at..at + 4).map(|four| u32::from_be_bytes(four.try_into().expect("four")));
        (key.first() == Some(&PLACE)).then_some(Place { ca: number(1)?, ci: number(5)? })
    }
}

pub(crate) fn low_key(key: &[u8]) -> Vec<u8> {
    let mut low = Vec::with_capacity(key.len() + 1);
    low.push(LOW);
    low.extend_from_slice(key);
    low
}

/// The record key at which a low key begins; `None` for the first CI.
pub(crate) fn record_key(low: &[u8]) -> Option<&[u8]> {
    (low.len() > 1).then(|| &low[1..])
}

/// The contents of a CI in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// The records from this low key up to the next.
    From(Vec<u8>),
    /// A further segment of the spanned record that begins in this CI of the same CA.
    SegmentOf(u32),
}

impl Content {
    fn encode(&self) -> Vec<u8> {
        match self {
            Content::From(low) => low.clone(),
            Content::SegmentOf(owner) => {
                let mut bytes = vec![PLACE];
                bytes.extend_from_slice(&owner.to_be_bytes());
                bytes
            }
        }
    }

    fn decode(bytes: &[u8]) -> Content {
        match (bytes.first(), bytes.get(1..5)) {
            (Some(&PLACE), Some(four)) if bytes.len() == 5 => Content::SegmentOf(u32::from_be_bytes(four.try_into().expect("four"))),
            _ => Content::From(bytes.to_vec()),
        }
    }
}

/// A low key of the directory: in place for usual lengths, and compared by words, because every read compares some.
#[derive(PartialEq, Eq)]
struct LowKey(SmallVec<[u8; 24]>);

impl LowKey {
    /// As `low_key`.
    fn of(key: &[u8]) -> LowKey {
        let mut low = SmallVec::new();
        low.push(LOW);
        low.extend_from_slice(key);
        LowKey(low)
    }

    /// The sixteen bytes after the first, which is the same in all low keys but that of the first CI: enough for a usual key.
    #[inline]
    fn word(&self) -> Option<u128> {
        self.0.get(1..17).map(|bytes| u128::from_be_bytes(bytes.try_into().expect("sixteen")))
    }

    /// The first half of that, for shorter keys.
    #[inline]
    fn half(&self) -> Option<u64> {
        self.0.get(1..9).map(|bytes| u64::from_be_bytes(bytes.try_into().expect("eight")))
    }
}

impl From<&[u8]> for LowKey {
    fn from(low: &[u8]) -> LowKey {
        LowKey(SmallVec::from_slice(low))
    }
}

impl Ord for LowKey {
    #[inline]
    fn cmp(&self, other: &LowKey) -> std::cmp::Ordering {
        if let (Some(one), Some(two)) = (self.word(), other.word()) {
            return one.cmp(&two).then_with(|| self.0.cmp(&other.0));
        }
        match (self.half(), other.half()) {
            (Some(one), Some(two)) if one != two => one.cmp(&two),
            _ => self.0.cmp(&other.0),
        }
    }
}

impl PartialOrd for LowKey {
    fn partial_cmp(&self, other: &LowKey) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

enum Directory {
    Unknown,
    Loaded(BTreeMap<LowKey, Place>),
    TooLarge,
}

/// Changes of the map that belong together.
#[derive(Default)]
pub(crate) struct MapChanges {
    /// Low keys with their new places.
    pub moved: Vec<(Vec<u8>, Place)>,
    /// Places taken by further segments, with their owner.
    pub segments: Vec<(Place, u32)>,
    /// Places no longer used.
    pub freed: Vec<Place>,
}

pub(crate) struct CiMap {
    pub table: Table,
    directory: RwLock<Directory>,
}

impl CiMap {
    pub(crate) fn new(table: Table) -> CiMap {
        CiMap { table, directory: RwLock::new(Directory::Unknown) }
    }

    pub(crate) fn forget(&self) {
        *self.directory.write() = Directory::Unknown;
    }

    /// Adds the entries by place to a map of format 1.
    pub(crate) fn upgrade(&self, store: &Store) -> Result<(), StoreError> {
        let mut last = None;
        store.scan(&self.table, None, Direction::Backward, &mut |key, _| {
            last = Some(key.to_vec());
            false
        })?;
        if last.is_none_or(|last| last.first() == Some(&PLACE)) {
            return Ok(());
        }
        let mut changes = Vec::new();
        store.scan(&self.table, None, Direction::Forward, &mut |low, place| {
            let key = Place::decode(place).key();
            changes.push(Change { table: self.table.clone(), key, value: Some(low.to_vec()) });
            true
        })?;
        for some in changes.chunks(1000) {
            store.publish_now(some.to_vec())?;
        }
        Ok(())
    }

    /// Runs `look` over the directory, loading it first; `None` if the map is too large for one.
    fn with_directory<R>(&self, store: &Store, look: impl FnOnce(&BTreeMap<LowKey, Place>) -> R) -> Result<Option<R>, StoreError> {
        {
            let directory = self.directory.read();
            match &*directory {
                Directory::Loaded(map) => return Ok(Some(look(map))),
                Directory::TooLarge => return Ok(None),
                Directory::Unknown => {}
            }
        }
        let mut slot = self.directory.write();
        if matches!(*slot, Directory::Unknown) {
            let mut map = BTreeMap::new();
            store.scan(&self.table, None, Direction::Forward, &mut |low, place| {
                let more = low[0] != PLACE && map.len() <= DIRECTORY_MAX;
                if more {
                    map.insert(LowKey::from(low), Place::decode(place));
                }
                more
            })?;
            *slot = if map.len() > DIRECTORY_MAX { Directory::TooLarge } else { Directory::Loaded(map) };
        }
        Ok(match &*slot {
            Directory::Loaded(map) => Some(look(map)),
            _ => None,
        })
    }

    /// The CI of a record key: its low key, and place.
    pub(crate) fn find(&self, store: &Store, key: &[u8]) -> Result<Option<(Vec<u8>, Place)>, StoreError> {
        let wanted = LowKey::of(key);
        let look = |map: &BTreeMap<LowKey, Place>| map.range(..=&wanted).next_back().map(|(low, place)| (low.0.to_vec(), *place));
        if let Some(found) = self.with_directory(store, look)? {
            return Ok(found);
        }
        let mut found = None;
        store.scan(&self.table, Some(&wanted.0), Direction::Backward, &mut |low, place| {
            found = Some((low.to_vec(), Place::decode(place)));
            false
        })?;
        Ok(found)
    }

    /// The place of a record key's CI, as needed by a read.
    pub(crate) fn place_of(&self, store: &Store, key: &[u8]) -> Result<Option<Place>, StoreError> {
        let wanted = LowKey::of(key);
        let look = |map: &BTreeMap<LowKey, Place>| map.range(..=&wanted).next_back().map(|(_, place)| *place);
        match self.with_directory(store, look)? {
            Some(found) => Ok(found),
            None => Ok(self.find(store, key)?.map(|(_, place)| place)),
        }
    }

    /// The low key after this one.
    pub(crate) fn following(&self, store: &Store, low: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        let look = |map: &BTreeMap<LowKey, Place>| {
            map.range((Bound::Excluded(&LowKey::from(low)), Bound::Unbounded)).next().map(|(low, _)| low.0.to_vec())
        };
        if let Some(found) = self.with_directory(store, look)? {
            return Ok(found);
        }
        let mut found = None;
        store.scan(&self.table, Some(low), Direction::Forward, &mut |key, _| {
            if key == low {
                return true;
            }
            found = (key[0] != PLACE).then(|| key.to_vec());
            false
        })?;
        Ok(found)
    }

    /// The contents of the CI at a place, if it is in use.
    pub(crate) fn content(&self, store: &Store, place: Place) -> Result<Option<Content>, StoreError> {
        Ok(store.get(&self.table, &place.key())?.map(|bytes| Content::decode(&bytes)))
    }

    /// The next CI in a direction from a place (not itself) that has a low key.
    pub(crate) fn neighbour(
        &self,
        store: &Store,
        place: Option<Place>,
        direction: Direction,
    ) -> Result<Option<(Place, Vec<u8>)>, StoreError> {
        let from = match (place, direction) {
            (Some(place), _) => Some(place.key()),
            (None, Direction::Forward) => Some(vec![PLACE]),
            (None, Direction::Backward) => None,
        };
        let mut found = None;
        store.scan(&self.table, from.as_deref(), direction, &mut |key, value| {
            let Some(at) = Place::of_key(key) else { return direction == Direction::Forward };
            if Some(at) == place {
                return true;
            }
            match Content::decode(value) {
                Content::From(low) => {
                    found = Some((at, low));
                    false
                }
                Content::SegmentOf(_) => true,
            }
        })?;
        Ok(found)
    }

    /// The CIs in use of a control area, by number.
    pub(crate) fn area(&self, store: &Store, ca: u32) -> Result<Vec<(u32, Content)>, StoreError> {
        let mut cis = Vec::new();
        store.scan(&self.table, Some(&Place { ca, ci: 0 }.key()), Direction::Forward, &mut |key, value| match Place::of_key(key) {
            Some(place) if place.ca == ca => {
                cis.push((place.ci, Content::decode(value)));
                true
            }
            _ => false,
        })?;
        Ok(cis)
    }

    /// The highest place in use.
    pub(crate) fn highest(&self, store: &Store) -> Result<Option<Place>, StoreError> {
        let mut highest = None;
        store.scan(&self.table, None, Direction::Backward, &mut |key, _| {
            highest = Place::of_key(key);
            false
        })?;
        Ok(highest)
    }

    /// Makes changes of the map, at once.
    pub(crate) fn change(&self, store: &Store, changes: MapChanges) -> Result<(), StoreError> {
        let change = |key: Vec<u8>, value: Option<Vec<u8>>| Change { table: self.table.clone(), key, value };
        // Freed places come first: a place may be freed and taken again in the same change.
        let mut all: Vec<Change> = changes.freed.iter().map(|place| change(place.key(), None)).collect();
        for (low, place) in &changes.moved {
            all.push(change(low.clone(), Some(place.encode())));
            all.push(change(place.key(), Some(Content::From(low.clone()).encode())));
        }
        for (place, owner) in &changes.segments {
            all.push(change(place.key(), Some(Content::SegmentOf(*owner).encode())));
        }
        let mut directory = self.directory.write();
        store.publish_now(all)?;
        if let Directory::Loaded(map) = &mut *directory {
            for (low, place) in changes.moved {
                map.insert(LowKey::from(&low[..]), place);
            }
            if map.len() > DIRECTORY_MAX {
                *directory = Directory::TooLarge;
            }
        }
        Ok(())
    }

    /// The records of the table of a map by low key and then by place, for a load in order.
    pub(crate) fn loaded_record(low: &[u8], place: Place) -> ((Vec<u8>, Vec<u8>), (Vec<u8>, Vec<u8>)) {
        ((low.to_vec(), place.encode()), (place.key(), low.to_vec()))
    }

    pub(crate) fn loaded_segment(place: Place, owner: u32) -> (Vec<u8>, Vec<u8>) {
        (place.key(), Content::SegmentOf(owner).encode())
    }
}
