//! The control intervals of a KSDS, modelled: which record lies in which control interval and area, and when they split.
//!
//! Records lie in the store by key, so control intervals are not needed to find them; they are kept because split counts,
//! free space and RBAs tell an administrator how VSAM would fare. The model, deterministic in the order of insertions:
//! * A control interval (CI) holds the keys from its low key up to the next CI's. The table `vsam.<n>.ci` maps low keys to control
//!   area (CA) and CI numbers. Used bytes are not stored: they are summed from the records when a CI is first touched.
//! * A CI of size s takes s-4 bytes of records and descriptors: 3 bytes of RDF a record, or 6 in all for fixed length records.
//! * A record that does not fit splits the CI: the upper half by bytes moves to a new CI. If the record comes last in a mass
//!   insertion, or is the last of the file, only it goes to the new CI. The first record of the file makes the first CI.
//! * A new CI is taken in the same CA; if that is full, the upper half of its CIs moves to a new CA at the end (CA split). At the
//!   end of the file by mass insertion a new CI or CA is simply begun: no split.
//! * Loading fills CIs and CAs up to their FREESPACE. Deletions free bytes, never CIs; a backout takes no split back.
//!
//! Invariant: the map changes without log (it is a model of past insertions); losing the last 100 ms of it in a crash moves
//! boundaries, never records.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use crate::catalog::Attributes;
use crate::codec::{Decoder, Encoder};
use crate::error::StoreError;
use crate::store::{BulkLoad, Change, Direction, Store, Table};

/// CIs whose used bytes are remembered; beyond it all are forgotten and summed again when needed.
const USED_CACHE_MAX: usize = 65_536;
/// The low key of a file's first CI: below every key, as every other low key is prefixed by 1.
const FIRST_LOW_KEY: &[u8] = &[0];

/// Persistent counters of a component, as LISTCAT shows them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ComponentStatistics {
    pub records_inserted: u64,
    pub records_deleted: u64,
    pub records_updated: u64,
    pub records_retrieved: u64,
    pub ci_splits: u64,
    pub ca_splits: u64,
    /// Control areas in use.
    pub ca_count: u64,
    /// Control intervals in use.
    pub ci_count: u64,
    pub excps: u64,
    /// Seconds since 1970 of the last close after a change.
    pub changed_at: u64,
}

impl ComponentStatistics {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        out.u8(1);
        for value in self.values() {
            out.u64(value);
        }
        out.bytes
    }

    fn values(&self) -> [u64; 10] {
        [
            self.records_inserted,
            self.records_deleted,
            self.records_updated,
            self.records_retrieved,
            self.ci_splits,
            self.ca_splits,
            self.ca_count,
            self.ci_count,
            self.excps,
            self.changed_at,
        ]
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<ComponentStatistics> {
        let mut input = Decoder { bytes };
        if input.u8()? != 1 {
            return None;
        }
        Some(ComponentStatistics {
            records_inserted: input.u64()?,
            records_deleted: input.u64()?,
            records_updated: input.u64()?,
            records_retrieved: input.u64()?,
            ci_splits: input.u64()?,
            ca_splits: input.u64()?,
            ca_count: input.u64()?,
            ci_count: input.u64()?,
            excps: input.u64()?,
            changed_at: input.u64()?,
        })
    }
}

/// Sizes the model works with.
#[derive(Clone, Copy, Debug)]
struct Shape {
    capacity: u64,
    fixed: bool,
    cis_per_ca: u64,
    /// Bytes of a CI and CIs of a CA that a load fills.
    load_capacity: u64,
    load_cis_per_ca: u64,
}

impl Shape {
    fn new(attributes: &Attributes) -> Shape {
        let capacity = attributes.ci_size as u64 - 4;
        let cis_per_ca = attributes.cis_per_ca() as u64;
        let free = attributes.ci_size as u64 * attributes.freespace_ci as u64 / 100;
        let free_cis = cis_per_ca * attributes.freespace_ca as u64 / 100;
        Shape {
            capacity,
            fixed: attributes.record_average == attributes.record_max,
            cis_per_ca,
            load_capacity: capacity.saturating_sub(free).max(1),
            load_cis_per_ca: (cis_per_ca - free_cis.min(cis_per_ca - 1)).max(1),
        }
    }

    fn needed(&self, used: Used) -> u64 {
        used.bytes + if self.fixed { 3 * used.records.min(2) } else { 3 * used.records }
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
}

#[derive(Clone, Copy, Debug)]
struct Place {
    ca: u32,
    ci: u32,
}

fn place_bytes(place: Place) -> Vec<u8> {
    let mut bytes = place.ca.to_le_bytes().to_vec();
    bytes.extend_from_slice(&place.ci.to_le_bytes());
    bytes
}

fn place_of(bytes: &[u8]) -> Place {
    let number = |at: usize| bytes.get(at..at + 4).map_or(0, |four| u32::from_le_bytes(four.try_into().expect("four")));
    Place { ca: number(0), ci: number(4) }
}

fn low_key(key: &[u8]) -> Vec<u8> {
    let mut low = Vec::with_capacity(key.len() + 1);
    low.push(1);
    low.extend_from_slice(key);
    low
}

/// What an insertion did to the counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Splits {
    pub ci: u64,
    pub ca: u64,
    pub new_cis: u64,
    pub new_cas: u64,
}

/// The model of one KSDS.
pub(crate) struct CiModel {
    shape: Shape,
    data: Table,
    map: Table,
    /// Used bytes of CIs by low key, for those touched.
    used: Mutex<BTreeMap<Vec<u8>, Used>>,
    /// Highest CA number, once looked up.
    highest_ca: Mutex<Option<u32>>,
}

impl CiModel {
    pub(crate) fn new(attributes: &Attributes, data: Table, map: Table) -> CiModel {
        CiModel { shape: Shape::new(attributes), data, map, used: Mutex::new(BTreeMap::new()), highest_ca: Mutex::new(None) }
    }

    pub(crate) fn table(&self) -> &Table {
        &self.map
    }

    pub(crate) fn forget(&self) {
        self.used.lock().clear();
        *self.highest_ca.lock() = None;
    }

    /// The CI of a key: its low key in the map, and place.
    fn find(&self, store: &Store, key: &[u8]) -> Result<Option<(Vec<u8>, Place)>, StoreError> {
        let mut found = None;
        store.scan(&self.map, Some(&low_key(key)), Direction::Backward, &mut |low, place| {
            found = Some((low.to_vec(), place_of(place)));
            false
        })?;
        Ok(found)
    }

    fn following(&self, store: &Store, low: &[u8]) -> Result<Option<(Vec<u8>, Place)>, StoreError> {
        let mut found = None;
        store.scan(&self.map, Some(low), Direction::Forward, &mut |key, place| {
            if key == low {
                return true;
            }
            found = Some((key.to_vec(), place_of(place)));
            false
        })?;
        Ok(found)
    }

    /// Keys and lengths of the records of a CI.
    fn records(&self, store: &Store, low: &[u8], next: Option<&[u8]>) -> Result<Vec<(Vec<u8>, usize)>, StoreError> {
        let from = (low.len() > 1).then(|| &low[1..]);
        let mut records = Vec::new();
        // A CI cannot hold more records than bytes; the bound keeps a map lost in a crash from costing a scan of the file.
        let bound = self.shape.capacity as usize;
        store.scan(&self.data, from, Direction::Forward, &mut |key, data| {
            if next.is_some_and(|next| key >= &next[1..]) || records.len() >= bound {
                return false;
            }
            records.push((key.to_vec(), data.len()));
            true
        })?;
        Ok(records)
    }

    /// Notes the insertion of a record (before it is in the table).
    pub(crate) fn insert(&self, store: &Store, key: &[u8], length: usize, mass_insert: bool) -> Result<Splits, StoreError> {
        let mut used = self.used.lock();
        if used.len() > USED_CACHE_MAX {
            used.clear();
        }
        let Some((low, place)) = self.find(store, key)? else {
            let change = self.map_change(FIRST_LOW_KEY.to_vec(), Place { ca: 0, ci: 0 });
            store.publish_now(vec![change])?;
            used.insert(FIRST_LOW_KEY.to_vec(), Used::default().and(length));
            return Ok(Splits { new_cis: 1, new_cas: 1, ..Splits::default() });
        };
        if let Some(count) = used.get_mut(&low) {
            let after = count.and(length);
            if self.shape.needed(after) <= self.shape.capacity {
                *count = after;
                return Ok(Splits::default());
            }
        }
        let next = self.following(store, &low)?;
        let records = self.records(store, &low, next.as_ref().map(|(low, _)| &low[..]))?;
        let count = records.iter().fold(Used::default(), |count, (_, length)| count.and(*length));
        if self.shape.needed(count.and(length)) <= self.shape.capacity || records.is_empty() {
            used.insert(low, count.and(length));
            return Ok(Splits::default());
        }
        let last = records.last().is_none_or(|(last, _)| key > &last[..]);
        let end_of_file = last && next.is_none();
        let (new_low, kept, moved) = divide(&records, key, length, last && (mass_insert || end_of_file));
        let splits = self.new_ci(store, place, new_low.clone(), end_of_file && mass_insert)?;
        used.insert(low, kept);
        used.insert(new_low, moved);
        Ok(splits)
    }

    /// Notes that a record became `difference` bytes longer or shorter, or went (`records` -1).
    pub(crate) fn adjust(&self, store: &Store, key: &[u8], difference: i64, records: i64) -> Result<(), StoreError> {
        let mut used = self.used.lock();
        if used.is_empty() {
            return Ok(());
        }
        if let Some((low, _)) = self.find(store, key)?
            && let Some(count) = used.get_mut(&low)
        {
            count.bytes = count.bytes.saturating_add_signed(difference);
            count.records = count.records.saturating_add_signed(records);
        }
        Ok(())
    }

    fn map_change(&self, low: Vec<u8>, place: Place) -> Change {
        Change { table: self.map.clone(), key: low, value: Some(place_bytes(place)) }
    }

    /// Takes a new CI with this low key in the CA of `place`, splitting the CA if it is full.
    fn new_ci(&self, store: &Store, place: Place, new_low: Vec<u8>, append: bool) -> Result<Splits, StoreError> {
        let area = self.area(store, &new_low, place.ca)?;
        let mut splits = Splits { ci: !append as u64, new_cis: 1, ..Splits::default() };
        if (area.len() as u64) < self.shape.cis_per_ca {
            let ci = area.iter().map(|(_, place)| place.ci + 1).max().unwrap_or(0);
            store.publish_now(vec![self.map_change(new_low, Place { ca: place.ca, ci })])?;
            return Ok(splits);
        }
        let new_ca = self.next_ca(store)?;
        splits.new_cas = 1;
        if append {
            store.publish_now(vec![self.map_change(new_low, Place { ca: new_ca, ci: 0 })])?;
            return Ok(splits);
        }
        splits.ca = 1;
        let mut lows: Vec<Vec<u8>> = area.into_iter().map(|(low, _)| low).collect();
        let at = lows.partition_point(|low| *low < new_low);
        lows.insert(at, new_low);
        let half = lows.len() / 2;
        let mut changes = Vec::new();
        for (index, low) in lows.into_iter().enumerate() {
            let place =
                if index < half { Place { ca: place.ca, ci: index as u32 } } else { Place { ca: new_ca, ci: (index - half) as u32 } };
            changes.push(self.map_change(low, place));
        }
        store.publish_now(changes)?;
        Ok(splits)
    }

    /// The CIs of a CA around a key, in key order (the CIs of a CA are neighbours).
    fn area(&self, store: &Store, around: &[u8], ca: u32) -> Result<Vec<(Vec<u8>, Place)>, StoreError> {
        let mut cis = Vec::new();
        for direction in [Direction::Backward, Direction::Forward] {
            store.scan(&self.map, Some(around), direction, &mut |low, bytes| {
                let place = place_of(bytes);
                if place.ca != ca {
                    return false;
                }
                if direction == Direction::Backward || low != around {
                    cis.push((low.to_vec(), place));
                }
                true
            })?;
        }
        cis.sort();
        Ok(cis)
    }

    fn next_ca(&self, store: &Store) -> Result<u32, StoreError> {
        let mut cached = self.highest_ca.lock();
        if let Some(highest) = *cached {
            *cached = Some(highest + 1);
            return Ok(highest + 1);
        }
        let mut highest = 0;
        store.scan(&self.map, None, Direction::Forward, &mut |_, bytes| {
            highest = highest.max(place_of(bytes).ca);
            true
        })?;
        *cached = Some(highest + 1);
        Ok(highest + 1)
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        (self.ca, self.ci) == (other.ca, other.ci)
    }
}

impl Eq for Place {}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Place) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Place) -> std::cmp::Ordering {
        (self.ca, self.ci).cmp(&(other.ca, other.ci))
    }
}

/// Divides a full CI and the new record: low key of the new CI, and what each has then.
fn divide(records: &[(Vec<u8>, usize)], key: &[u8], length: usize, at_insertion: bool) -> (Vec<u8>, Used, Used) {
    let mut all: Vec<(&[u8], usize)> = records.iter().map(|(key, length)| (&key[..], *length)).collect();
    let at = all.partition_point(|(other, _)| *other < key);
    all.insert(at, (key, length));
    let split = if at_insertion {
        all.len() - 1
    } else {
        let half = all.iter().map(|(_, length)| length).sum::<usize>() / 2;
        let mut sum = 0;
        let index = all.iter().position(|(_, length)| {
            sum += length;
            sum > half
        });
        index.unwrap_or(all.len() - 1).clamp(1, all.len() - 1)
    };
    let sum = |part: &[(&[u8], usize)]| part.iter().fold(Used::default(), |used, (_, length)| used.and(*length));
    (low_key(all[split].0), sum(&all[..split]), sum(&all[split..]))
}

/// Builds the map of a file while it is loaded in key order.
pub(crate) struct CiLoad {
    shape: Shape,
    map: BulkLoad,
    place: Option<Place>,
    used: Used,
    pub statistics: ComponentStatistics,
}

impl CiLoad {
    pub(crate) fn new(model: &CiModel, store: &Store) -> Result<CiLoad, StoreError> {
        store.clear_table(&model.map)?;
        model.forget();
        let map = store.bulk_load(&model.map)?;
        let statistics = ComponentStatistics::default();
        Ok(CiLoad { shape: model.shape, map, place: None, used: Used::default(), statistics })
    }

    pub(crate) fn add(&mut self, key: &[u8], length: usize) -> Result<(), StoreError> {
        let after = self.used.and(length);
        if self.place.is_some() && self.shape.needed(after) <= self.shape.load_capacity {
            self.used = after;
            return Ok(());
        }
        let place = match self.place {
            None => Place { ca: 0, ci: 0 },
            Some(last) if (last.ci as u64 + 1) < self.shape.load_cis_per_ca => Place { ca: last.ca, ci: last.ci + 1 },
            Some(last) => Place { ca: last.ca + 1, ci: 0 },
        };
        let low = if self.place.is_none() { FIRST_LOW_KEY.to_vec() } else { low_key(key) };
        self.map.put(&low, &place_bytes(place))?;
        self.place = Some(place);
        self.used = Used::default().and(length);
        self.statistics.ci_count += 1;
        self.statistics.ca_count = place.ca as u64 + 1;
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<ComponentStatistics, StoreError> {
        self.map.finish()?;
        Ok(self.statistics)
    }
}
