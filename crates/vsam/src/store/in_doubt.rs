//! Units of work that are prepared and whose outcome is unknown: their state in the log and the pages.
//!
//! Invariants: a unit of work is listed here from its `Prepared` record in the log to its outcome in the log. When the log is cut behind
//! its `Prepared`, its payloads are in the pages (meta `indoubt:` and its number), written in the batch that moves the cut; the first batch
//! after its outcome removes them. Everything but `view` and `has_changed` is called under the publication lock.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use super::engine::{BatchWriter, Engine};
use super::record::read_payload;
use super::{StoreError, TableId, UnitId};

const META_PREFIX: &str = "indoubt:";

struct Entry {
    payloads: Vec<Vec<u8>>,
    /// The pages have it.
    saved: bool,
    resolved: bool,
}

#[derive(Default)]
pub(crate) struct InDoubtUnits(Mutex<BTreeMap<UnitId, Entry>>);

/// The in-doubt information that a page batch has to write.
#[derive(Default)]
pub(crate) struct Cut {
    save: Vec<(UnitId, Vec<u8>)>,
    /// With whether the pages have it.
    remove: Vec<(UnitId, bool)>,
}

fn meta_key(unit: UnitId) -> String {
    format!("{META_PREFIX}{unit}")
}

/// Payloads one after the other, each after its length.
fn encode(payloads: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(payloads.iter().map(|payload| payload.len() + 4).sum());
    for payload in payloads {
        bytes.extend_from_slice(&(payload.len() as u32).to_le_bytes());
        bytes.extend_from_slice(payload);
    }
    let crc = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&crc.to_le_bytes());
    bytes
}

fn decode(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (bytes, crc) = bytes.split_last_chunk::<4>()?;
    if crc32fast::hash(bytes) != u32::from_le_bytes(*crc) {
        return None;
    }
    let mut payloads = Vec::new();
    let mut rest = bytes;
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let (payload, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        payloads.push(payload.to_vec());
        rest = after;
    }
    Some(payloads)
}

impl InDoubtUnits {
    /// Those of the pages.
    pub(crate) fn load(engine: &dyn Engine) -> Result<InDoubtUnits, StoreError> {
        let mut units = BTreeMap::new();
        for (key, value) in engine.meta_entries(META_PREFIX)? {
            let damaged = || StoreError::Invalid(format!("the in-doubt unit of work {key} in the pages is damaged"));
            let payloads = decode(&value).ok_or_else(damaged)?;
            let unit = read_payload(payloads.last().ok_or_else(damaged)?)?.unit;
            units.insert(unit, Entry { payloads, saved: true, resolved: false });
        }
        Ok(InDoubtUnits(Mutex::new(units)))
    }

    pub(crate) fn add(&self, unit: UnitId, payloads: Vec<Vec<u8>>) {
        self.0.lock().insert(unit, Entry { payloads, saved: false, resolved: false });
    }

    pub(crate) fn resolved(&self, unit: UnitId) {
        if let Some(entry) = self.0.lock().get_mut(&unit) {
            entry.resolved = true;
        }
    }

    /// The payloads of a unit of work whose outcome is read from the log at restart.
    pub(crate) fn take_payloads(&self, unit: UnitId) -> Option<Vec<Vec<u8>>> {
        let mut units = self.0.lock();
        let entry = units.get_mut(&unit)?;
        entry.resolved = true;
        Some(std::mem::take(&mut entry.payloads))
    }

    /// The in-doubt information for a batch that contains everything logged up to now.
    pub(crate) fn at_cut(&self) -> Cut {
        let units = self.0.lock();
        let mut cut = Cut::default();
        for (unit, entry) in units.iter() {
            if entry.resolved {
                cut.remove.push((*unit, entry.saved));
            } else if !entry.saved {
                cut.save.push((*unit, encode(&entry.payloads)));
            }
        }
        cut
    }

    /// The batch is durable.
    pub(crate) fn written(&self, cut: &Cut) {
        let mut units = self.0.lock();
        for (unit, _) in &cut.save {
            if let Some(entry) = units.get_mut(unit) {
                entry.saved = true;
            }
        }
        for (unit, _) in &cut.remove {
            units.remove(unit);
        }
    }

    /// Whether a unit of work without an outcome has changed a table.
    pub(crate) fn has_changed(&self, table: TableId) -> Result<bool, StoreError> {
        for payload in self.0.lock().values().filter(|entry| !entry.resolved).flat_map(|entry| &entry.payloads) {
            if read_payload(payload)?.changes.iter().any(|(changed, _, _)| *changed == table) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Payloads of those without an outcome.
    pub(crate) fn view(&self) -> Vec<Vec<Vec<u8>>> {
        self.0.lock().values().filter(|entry| !entry.resolved).map(|entry| entry.payloads.clone()).collect()
    }
}

impl Cut {
    pub(crate) fn write(&self, writer: &mut dyn BatchWriter) -> Result<(), StoreError> {
        for (unit, bytes) in &self.save {
            writer.put_meta(&meta_key(*unit), bytes)?;
        }
        for (unit, _) in self.remove.iter().filter(|(_, saved)| *saved) {
            writer.delete_meta(&meta_key(*unit))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_come_back_whole_or_not_at_all() {
        let payloads = vec![vec![1, 2, 3], vec![], vec![9; 100]];
        let bytes = encode(&payloads);
        assert_eq!(decode(&bytes), Some(payloads));
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(decode(&flipped), None, "bit {bit}");
        }
    }
}
