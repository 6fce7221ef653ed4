//! The control intervals of a KSDS or variable length RRDS, modelled: which record lies in which control interval (CI) and control
//! area (CA), at which RBA, and when they split.
//!
//! Records lie in the store by key, so control intervals are not needed to find them. They are modelled because an administrator sees split
//! counts, free space, RBAs and buffering, and an addressed request uses RBAs. The model depends only on the order of the insertions:
//! * A CI holds the keys from its low key up to the next CI's, in key order from its beginning; a record's RBA is that of its CI and the
//!   lengths of the records before it. Used bytes are not stored: they are summed from the records when a CI is first touched.
//! * A CI of size s takes s-4 bytes of records and descriptors: 3 bytes of RDF a record, or 6 in all for fixed length records.
//! * A record that does not fit splits the CI: the upper half by bytes moves to a new CI. If the record comes last in a mass
//!   insertion, or is the last of the file, only it goes to the new CI. The first record of the file makes the first CI.
//! * A new CI is the first free one of the same CA; if there is none, the upper half of the CA's CIs moves to a new CA at the end (CA
//!   split), then the CI is taken. Mass insertion at the end of the file begins a new CI or CA without a split.
//! * A spanned record has CIs of its own, s-10 bytes in each, all of one CA.
//! * A record of a compressed data set counts with its compressed length.
//! * Loading fills CIs and CAs up to their FREESPACE. Deletions free bytes, but no CIs except those of further segments; a backout does not
//!   undo a split.
//!
//! Invariant: the map changes without log records, because it only models past insertions; losing its last second in a crash moves
//! boundaries, never records.

mod load;
mod map;
mod splitting;

pub(crate) use load::CiLoad;
pub(crate) use map::Place;
pub(crate) use splitting::SplitWait;

use std::collections::BTreeMap;

use parking_lot::Mutex;

use self::map::{CiMap, Content, FIRST_LOW_KEY, MapChanges, low_key, record_key};
use self::splitting::Splitting;
use crate::catalog::{Attributes, Organization};
use crate::error::{FileError, StoreError};
use crate::store::{Direction, Store, Table, UnitOfWork};

/// Number of CIs whose used bytes are cached; beyond it all are dropped, and summed again when needed.
const USED_CACHE_MAX: usize = 65_536;
/// Control information of a CI: CIDF, and with one RDF, and with the two RDFs of a segment.
const CIDF_BYTES: u64 = 4;
const RDF_BYTES: u64 = 3;
const SEGMENT_OVERHEAD_BYTES: u64 = CIDF_BYTES + 2 * RDF_BYTES;

/// Sizes the model works with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub ci_size: u64,
    pub capacity: u64,
    fixed: bool,
    pub cis_per_ca: u64,
    /// Bytes of a CI and CIs of a CA that a load fills.
    load_capacity: u64,
    load_cis_per_ca: u64,
    /// Bytes kept with each record besides its data: the number of a variable-length RRDS.
    extra: usize,
    /// A CI of a linear data set is all data.
    linear: bool,
}

impl Shape {
    pub(crate) fn new(attributes: &Attributes, organization: Organization) -> Shape {
        let ci_size = attributes.ci_size as u64;
        let capacity = ci_size - CIDF_BYTES;
        let cis_per_ca = attributes.cis_per_ca() as u64;
        let free = ci_size * attributes.freespace_ci as u64 / 100;
        let free_cis = cis_per_ca * attributes.freespace_ca as u64 / 100;
        let numbered = organization == Organization::Vrrds;
        Shape {
            ci_size,
            capacity,
            // Compressed records have lengths of their own.
            fixed: attributes.record_average == attributes.record_max && !numbered && !attributes.compressed,
            cis_per_ca,
            load_capacity: capacity.saturating_sub(free).max(1),
            load_cis_per_ca: (cis_per_ca - free_cis.min(cis_per_ca - 1)).max(1),
            extra: if numbered { 4 } else { 0 },
            linear: organization == Organization::Linear,
        }
    }

    /// Bytes of a CI that a load fills.
    pub(crate) fn load_capacity(&self) -> u64 {
        self.load_capacity
    }

    fn needed(&self, used: Used) -> u64 {
        used.bytes + if self.fixed { RDF_BYTES * used.records.min(2) } else { RDF_BYTES * used.records }
    }

    /// The number of CIs a record needs: one, or one for each segment.
    pub(crate) fn cis_of(&self, length: usize) -> u64 {
        let bytes = (length + self.extra) as u64;
        if self.linear || bytes + RDF_BYTES <= self.capacity { 1 } else { bytes.div_ceil(self.ci_size - SEGMENT_OVERHEAD_BYTES) }
    }

    pub(crate) fn rba(&self, place: Place) -> u64 {
        (place.ca as u64 * self.cis_per_ca + place.ci as u64) * self.ci_size
    }

    fn place(&self, rba: u64) -> Place {
        let ci = rba / self.ci_size;
        Place { ca: (ci / self.cis_per_ca) as u32, ci: (ci % self.cis_per_ca) as u32 }
    }
}

/// Record bytes and number of records of a CI.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    bytes: u64,
    records: u64,
}

impl Used {
    fn and(self, length: usize) -> Used {
        Used { bytes: self.bytes + length as u64, records: self.records + 1 }
    }

    fn of(records: &[(Vec<u8>, usize)]) -> Used {
        records.iter().fold(Used::default(), |used, (_, length)| used.and(*length))
    }
}

/// The effect of an insertion on the counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Splits {
    pub ci: u64,
    pub ca: u64,
    pub new_cis: u64,
    pub new_cas: u64,
}

/// Keys and lengths of the records of a CI, and its place.
struct Interval {
    low: Vec<u8>,
    place: Place,
    /// Low key of the CI after it.
    next: Option<Vec<u8>>,
    records: Vec<(Vec<u8>, usize)>,
}

/// The model of one component.
pub(crate) struct CiModel {
    pub shape: Shape,
    data: Table,
    map: CiMap,
    /// Used bytes of CIs by low key, for those touched.
    used: Mutex<BTreeMap<Vec<u8>, Used>>,
    splitting: Splitting,
}

impl CiModel {
    pub(crate) fn open(
        attributes: &Attributes,
        organization: Organization,
        store: &Store,
        data: Table,
        map: Table,
    ) -> Result<CiModel, StoreError> {
        let shape = Shape::new(attributes, organization);
        let map = CiMap::new(map);
        map.upgrade(store)?;
        Ok(CiModel { shape, data, map, used: Mutex::new(BTreeMap::new()), splitting: Splitting::default() })
    }

    pub(crate) fn table(&self) -> &Table {
        &self.map.table
    }

    pub(crate) fn forget(&self) {
        self.used.lock().clear();
        self.map.forget();
    }

    /// The place of a key's CI.
    pub(crate) fn place_of(&self, store: &Store, key: &[u8]) -> Result<Option<Place>, StoreError> {
        self.map.place_of(store, key)
    }

    fn interval(&self, unit: &UnitOfWork, low: Vec<u8>, place: Place) -> Result<Interval, StoreError> {
        let next = self.map.following(unit.store(), &low)?;
        let mut records = Vec::new();
        // A CI cannot hold more records than bytes; the bound keeps a map lost in a crash from costing a scan of the file.
        let bound = self.shape.capacity as usize;
        let extra = self.shape.extra;
        let from = record_key(&low).map(|from| (from, true));
        unit.scan_locked(&self.data, from, Direction::Forward, &mut |key, data| {
            if next.as_ref().is_some_and(|next| key >= &next[1..]) || records.len() >= bound {
                return false;
            }
            records.push((key.to_vec(), self.data.length_in_interval(data) + extra));
            true
        })?;
        Ok(Interval { low, place, next, records })
    }

    /// Notes the insertion of a record (before it is in the table), once no other request splits a CI. Of uncommitted records only those of
    /// the unit of work count.
    pub(crate) fn insert(
        &self,
        unit: &UnitOfWork,
        key: &[u8],
        length: usize,
        mass_insert: bool,
        by: SplitWait<'_>,
    ) -> Result<Splits, FileError> {
        let store = unit.store();
        let segments = self.shape.cis_of(length);
        let length = length + self.shape.extra;
        let mut used = self.splitting.lock(&self.used, by)?;
        if used.len() > USED_CACHE_MAX {
            used.clear();
        }
        let Some((low, place)) = self.map.find(store, key)? else {
            let place = Place { ca: 0, ci: 0 };
            let mut changes = MapChanges { moved: vec![(FIRST_LOW_KEY.to_vec(), place)], ..MapChanges::default() };
            changes.segments.extend((1..segments).map(|ci| (Place { ca: 0, ci: ci as u32 }, 0)));
            self.map.change(store, changes)?;
            used.insert(FIRST_LOW_KEY.to_vec(), Used::default().and(length));
            return Ok(Splits { new_cis: segments, new_cas: 1, ..Splits::default() });
        };
        if let Some(count) = used.get_mut(&low) {
            let after = count.and(length);
            if segments == 1 && self.shape.needed(after) <= self.shape.capacity {
                *count = after;
                return Ok(Splits::default());
            }
        }
        let _splits = self.splitting.begin();
        let interval = self.interval(unit, low, place)?;
        let count = Used::of(&interval.records);
        if segments == 1 && (self.shape.needed(count.and(length)) <= self.shape.capacity || interval.records.is_empty()) {
            used.insert(interval.low, count.and(length));
            return Ok(Splits::default());
        }
        used.remove(&interval.low);
        let spanned = interval.records.iter().any(|(_, length)| *length as u64 + RDF_BYTES > self.shape.capacity);
        if segments > 1 || spanned {
            return Ok(self.insert_alone(store, &interval, key, segments)?);
        }
        let last = interval.records.last().is_none_or(|(last, _)| key > &last[..]);
        let end_of_file = last && interval.next.is_none();
        let mut all = interval.records;
        let at = all.partition_point(|(other, _)| &other[..] < key);
        all.insert(at, (key.to_vec(), length));
        let split = if last && (mass_insert || end_of_file) { all.len() - 1 } else { half_of(&all) };
        let new_low = low_key(&all[split].0);
        let splits = self.new_cis(store, interval.place, &new_low, 1, end_of_file && mass_insert)?;
        used.insert(interval.low, Used::of(&all[..split]));
        used.insert(new_low, Used::of(&all[split..]));
        Ok(splits)
    }

    /// Gives separate CIs to a spanned record, or to a record that falls between one and its successor.
    fn insert_alone(&self, store: &Store, interval: &Interval, key: &[u8], segments: u64) -> Result<Splits, StoreError> {
        let mut total = Splits::default();
        let mut place = interval.place;
        let at = interval.records.partition_point(|(other, _)| &other[..] < key);
        let mut add = |splits: Splits| {
            total.ci += splits.ci;
            total.ca += splits.ca;
            total.new_cis += splits.new_cis;
            total.new_cas += splits.new_cas;
        };
        if let Some((above, _)) = interval.records.get(at) {
            let new_low = low_key(above);
            add(self.new_cis(store, place, &new_low, 1, false)?);
            place = self.map.place_of(store, key)?.unwrap_or(place);
        }
        let end_of_file = at == interval.records.len() && interval.next.is_none();
        if at == 0 && interval.records.is_empty() {
            // The CI is empty: it takes the first segment, new ones the others.
            add(self.more_segments(store, place, &interval.low, segments - 1)?);
        } else if at == 0 {
            add(self.more_segments(store, place, &interval.low, segments - 1)?);
        } else {
            add(self.new_cis(store, place, &low_key(key), segments, end_of_file)?);
        }
        Ok(total)
    }

    fn more_segments(&self, store: &Store, place: Place, low: &[u8], count: u64) -> Result<Splits, StoreError> {
        if count == 0 {
            return Ok(Splits::default());
        }
        let (ca, free, mut splits) = self.room(store, place.ca, low, count)?;
        let owner = self.map.find(store, record_key(low).unwrap_or_default())?.map_or(place, |(_, place)| place);
        let segments = free.into_iter().map(|ci| (Place { ca, ci }, owner.ci)).collect();
        self.map.change(store, MapChanges { segments, ..MapChanges::default() })?;
        splits.new_cis += count;
        Ok(splits)
    }

    /// Notes that a record became longer or shorter, which may split its CI.
    pub(crate) fn resize(
        &self,
        unit: &UnitOfWork,
        key: &[u8],
        (before, after): (usize, usize),
        by: SplitWait<'_>,
    ) -> Result<Splits, FileError> {
        let store = unit.store();
        let (segments_before, segments) = (self.shape.cis_of(before), self.shape.cis_of(after));
        let mut used = self.splitting.lock(&self.used, by)?;
        let Some((low, place)) = self.map.find(store, key)? else { return Ok(Splits::default()) };
        if segments_before == 1
            && segments == 1
            && let Some(count) = used.get_mut(&low)
        {
            count.bytes = count.bytes.saturating_add_signed(after as i64 - before as i64);
            if self.shape.needed(*count) <= self.shape.capacity {
                return Ok(Splits::default());
            }
        }
        used.remove(&low);
        let _splits = self.splitting.begin();
        let mut interval = self.interval(unit, low, place)?;
        if let Some(own) = interval.records.iter_mut().find(|(other, _)| other == key) {
            own.1 = after + self.shape.extra;
        }
        if segments_before > 1 {
            self.free_segments(store, place)?;
        }
        let count = Used::of(&interval.records);
        if segments > 1 {
            interval.records.retain(|(other, _)| other != key);
            return Ok(self.insert_alone(store, &interval, key, segments)?);
        }
        if self.shape.needed(count) <= self.shape.capacity || interval.records.len() < 2 {
            return Ok(Splits::default());
        }
        let new_low = low_key(&interval.records[half_of(&interval.records)].0);
        Ok(self.new_cis(store, interval.place, &new_low, 1, false)?)
    }

    /// Notes that a record went.
    pub(crate) fn remove(&self, store: &Store, key: &[u8], length: usize) -> Result<(), StoreError> {
        let mut used = self.used.lock();
        if self.shape.cis_of(length) > 1 {
            if let Some((low, place)) = self.map.find(store, key)? {
                used.remove(&low);
                self.free_segments(store, place)?;
            }
            return Ok(());
        }
        if used.is_empty() {
            return Ok(());
        }
        if let Some((low, _)) = self.map.find(store, key)?
            && let Some(count) = used.get_mut(&low)
        {
            count.bytes = count.bytes.saturating_sub((length + self.shape.extra) as u64);
            count.records = count.records.saturating_sub(1);
        }
        Ok(())
    }

    fn free_segments(&self, store: &Store, owner: Place) -> Result<(), StoreError> {
        let area = self.map.area(store, owner.ca)?;
        let freed = area.iter().filter(|(_, content)| *content == Content::SegmentOf(owner.ci));
        let freed = freed.map(|(ci, _)| Place { ca: owner.ca, ci: *ci }).collect();
        self.map.change(store, MapChanges { freed, ..MapChanges::default() })
    }

    /// Takes `count` new CIs, the first with this low key, in the CA of `place`, splitting the CA if it has no room.
    fn new_cis(&self, store: &Store, place: Place, new_low: &[u8], count: u64, append: bool) -> Result<Splits, StoreError> {
        let mut splits = Splits { ci: !append as u64, ..Splits::default() };
        let area = self.map.area(store, place.ca)?;
        let (ca, free) = if append && self.shape.cis_per_ca - (area.len() as u64) < count {
            splits.new_cas = 1;
            (self.next_ca(store)?, (0..count as u32).collect())
        } else {
            let (ca, free, made) = self.room(store, place.ca, new_low, count)?;
            (splits.ca, splits.new_cas) = (made.ca, made.new_cas);
            (ca, free)
        };
        let mut free = free.into_iter();
        let first = free.next().unwrap_or(0);
        let segments = free.map(|ci| (Place { ca, ci }, first)).collect();
        let moved = vec![(new_low.to_vec(), Place { ca, ci: first })];
        self.map.change(store, MapChanges { moved, segments, freed: Vec::new() })?;
        splits.new_cis = count;
        Ok(splits)
    }

    /// Numbers of `count` free CIs for a low key, in its CA or in one half of it after a split.
    fn room(&self, store: &Store, ca: u32, low: &[u8], count: u64) -> Result<(u32, Vec<u32>, Splits), StoreError> {
        let mut splits = Splits::default();
        let mut ca = ca;
        loop {
            let area = self.map.area(store, ca)?;
            if self.shape.cis_per_ca - area.len() as u64 >= count || area.len() <= 1 {
                let taken: Vec<u32> = area.iter().map(|(ci, _)| *ci).collect();
                let free = (0u32..).filter(|ci| !taken.contains(ci)).take(count as usize).collect();
                return Ok((ca, free, splits));
            }
            let (new_ca, boundary) = self.split_area(store, ca, &area)?;
            splits.ca += 1;
            splits.new_cas += 1;
            if boundary.as_deref().is_some_and(|boundary| low >= boundary) {
                ca = new_ca;
            }
            if boundary.is_none() {
                // One spanned record fills the area, so new CIs begin the next one.
                return Ok((new_ca, (0..count as u32).collect(), splits));
            }
        }
    }

    /// Moves the upper half of the CIs of a CA to a new one at the end. Answers it and the first low key moved.
    fn split_area(&self, store: &Store, ca: u32, area: &[(u32, Content)]) -> Result<(u32, Option<Vec<u8>>), StoreError> {
        let new_ca = self.next_ca(store)?;
        let mut owners: Vec<(&Vec<u8>, u32)> = Vec::new();
        for (ci, content) in area {
            if let Content::From(low) = content {
                owners.push((low, *ci));
            }
        }
        owners.sort();
        let half = owners.len().div_ceil(2);
        if half == owners.len() {
            return Ok((new_ca, None));
        }
        let mut changes = MapChanges::default();
        let mut next = 0;
        for (low, ci) in &owners[half..] {
            changes.freed.push(Place { ca, ci: *ci });
            changes.moved.push(((*low).clone(), Place { ca: new_ca, ci: next }));
            let owner = next;
            next += 1;
            for (segment, _) in area.iter().filter(|(_, content)| *content == Content::SegmentOf(*ci)) {
                changes.freed.push(Place { ca, ci: *segment });
                changes.segments.push((Place { ca: new_ca, ci: next }, owner));
                next += 1;
            }
        }
        let boundary = owners[half].0.clone();
        self.map.change(store, changes)?;
        Ok((new_ca, Some(boundary)))
    }

    fn next_ca(&self, store: &Store) -> Result<u32, StoreError> {
        Ok(self.map.highest(store)?.map_or(0, |place| place.ca + 1))
    }

    /// Bytes up to the end of the last control area in use.
    pub(crate) fn high_used_rba(&self, store: &Store) -> Result<u64, StoreError> {
        Ok(self.map.highest(store)?.map_or(0, |place| self.shape.rba(Place { ca: place.ca + 1, ci: 0 })))
    }

    /// Bounds of a CI as record keys: first key (`None`: from the beginning) and the key it ends before.
    fn bounds(&self, store: &Store, low: &[u8]) -> Result<(Option<Vec<u8>>, Option<Vec<u8>>), StoreError> {
        let next = self.map.following(store, low)?;
        Ok((record_key(low).map(<[u8]>::to_vec), next.map(|next| next[1..].to_vec())))
    }

    /// The beginning of a key's CI, its RBA, and the key it ends before.
    pub(crate) fn ci_of_key(&self, store: &Store, key: &[u8]) -> Result<Option<CiBounds>, StoreError> {
        let Some((low, place)) = self.map.find(store, key)? else { return Ok(None) };
        let (from, to) = self.bounds(store, &low)?;
        Ok(Some(CiBounds { place, rba: self.shape.rba(place), from, to }))
    }

    /// The CI at an RBA, if records begin in it.
    pub(crate) fn ci_at(&self, store: &Store, rba: u64) -> Result<Option<CiBounds>, StoreError> {
        let place = self.shape.place(rba);
        let Some(Content::From(low)) = self.map.content(store, place)? else { return Ok(None) };
        let (from, to) = self.bounds(store, &low)?;
        Ok(Some(CiBounds { place, rba: self.shape.rba(place), from, to }))
    }

    /// The CI after or before a place, in order of RBAs.
    pub(crate) fn neighbour(&self, store: &Store, place: Option<Place>, direction: Direction) -> Result<Option<CiBounds>, StoreError> {
        let Some((place, low)) = self.map.neighbour(store, place, direction)? else { return Ok(None) };
        let (from, to) = self.bounds(store, &low)?;
        Ok(Some(CiBounds { place, rba: self.shape.rba(place), from, to }))
    }
}

/// A CI by its contents: the records from `from` (`None`: the lowest) up to, but not including, `to`.
#[derive(Clone, Debug)]
pub(crate) struct CiBounds {
    pub place: Place,
    pub rba: u64,
    pub from: Option<Vec<u8>>,
    pub to: Option<Vec<u8>>,
}

/// The position at which to divide records so that the lower part has about half of the bytes; both parts get at least one.
pub(crate) fn half_of(records: &[(Vec<u8>, usize)]) -> usize {
    let half = records.iter().map(|(_, length)| length).sum::<usize>() / 2;
    let mut sum = 0;
    let index = records.iter().position(|(_, length)| {
        sum += length;
        sum > half
    });
    index.unwrap_or(records.len() - 1).clamp(1, records.len() - 1)
}
