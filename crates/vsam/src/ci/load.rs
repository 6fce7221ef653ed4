//! Builds the map of control intervals while a file is loaded in key order.

use super::map::{CiMap, FIRST_LOW_KEY, low_key};
use super::{CiModel, Place, Shape, Used};
use crate::component::ComponentStatistics;
use crate::error::StoreError;
use crate::store::{BulkLoad, Store};

/// A map being built. The entries by place come after those by low key, so they are kept until the end: 20 bytes and a key for each CI.
pub(crate) struct CiLoad {
    shape: Shape,
    map: BulkLoad,
    by_place: Vec<(Vec<u8>, Vec<u8>)>,
    place: Option<Place>,
    used: Used,
    pub statistics: ComponentStatistics,
}

impl CiLoad {
    pub(crate) fn new(model: &CiModel, store: &Store) -> Result<CiLoad, StoreError> {
        store.clear_table(model.table())?;
        model.forget();
        let map = store.bulk_load(model.table())?;
        let statistics = ComponentStatistics::default();
        Ok(CiLoad { shape: model.shape, map, by_place: Vec::new(), place: None, used: Used::default(), statistics })
    }

    /// The next CI in the CA, if as many as needed are left in it, or the first of the next CA.
    fn next_place(&self, needed: u64) -> Place {
        match self.place {
            None => Place { ca: 0, ci: 0 },
            Some(last) if (last.ci as u64 + needed) < self.shape.load_cis_per_ca.max(needed) => Place { ca: last.ca, ci: last.ci + 1 },
            Some(last) => Place { ca: last.ca + 1, ci: 0 },
        }
    }

    pub(crate) fn add(&mut self, key: &[u8], length: usize) -> Result<(), StoreError> {
        let segments = self.shape.cis_of(length);
        let length = length + self.shape.extra;
        let after = self.used.and(length);
        let full = self.used.bytes > self.shape.capacity;
        if self.place.is_some() && segments == 1 && !full && self.shape.needed(after) <= self.shape.load_capacity {
            self.used = after;
            return Ok(());
        }
        let place = self.next_place(segments);
        let low = if self.place.is_none() { FIRST_LOW_KEY.to_vec() } else { low_key(key) };
        let (by_low, by_place) = CiMap::loaded_record(&low, place);
        self.map.put(&by_low.0, &by_low.1)?;
        self.by_place.push(by_place);
        for further in 1..segments as u32 {
            let segment = Place { ca: place.ca, ci: place.ci + further };
            self.by_place.push(CiMap::loaded_segment(segment, place.ci));
        }
        self.place = Some(Place { ca: place.ca, ci: place.ci + segments as u32 - 1 });
        self.used = Used::default().and(length);
        self.statistics.ci_count += segments;
        self.statistics.ca_count = place.ca as u64 + 1;
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<ComponentStatistics, StoreError> {
        for (key, value) in &self.by_place {
            self.map.put(key, value)?;
        }
        self.map.finish()?;
        Ok(self.statistics)
    }
}
