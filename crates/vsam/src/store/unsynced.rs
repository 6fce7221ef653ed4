//! Published changes whose log records are not yet on disk, and what they replaced: when the log fails, they are taken back.
//!
//! A unit of work is visible from the moment its record has its place in the log, before the sync. If the log fails, its commit fails, so
//! nobody may see it any longer. Invariants: changed under the publication lock only; entries ascend by LSN; what is durable is never taken
//! back; after `take_back` nothing is published any more.

use std::collections::VecDeque;

use super::core::Table;
use super::overlay::Replaced;
use super::record::Lsn;

/// The changes of one unit of work in the overlay of one table.
pub(crate) struct Published {
    /// The end of its record in the log.
    lsn: Lsn,
    table: Table,
    replaced: Replaced,
}

#[derive(Default)]
pub(crate) struct Unsynced {
    published: VecDeque<Published>,
    /// What was published up to here is in the frozen layer, if it is not in the pages.
    frozen_to: Lsn,
}

impl Unsynced {
    pub(crate) fn add(&mut self, lsn: Lsn, table: Table, replaced: Replaced) {
        debug_assert!(self.published.back().is_none_or(|last| last.lsn <= lsn), "units of work are published in the order of the log");
        self.published.push_back(Published { lsn, table, replaced });
    }

    /// The active layers of all tables have become the frozen ones.
    pub(crate) fn freeze(&mut self, cut: Lsn) {
        self.frozen_to = cut;
    }

    /// Forgets what is on disk; the caller drops it after the lock.
    pub(crate) fn synced(&mut self, durable: Lsn) -> Vec<Published> {
        let count = self.published.iter().take_while(|published| published.lsn <= durable).count();
        self.published.drain(..count).collect()
    }

    /// Makes every change invisible that is not on disk, the newest first.
    pub(crate) fn take_back(&mut self, durable: Lsn) {
        while let Some(published) = self.published.pop_back_if(|published| published.lsn > durable) {
            published.table.overlay().take_back(published.replaced, published.lsn <= self.frozen_to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::TableId;
    use crate::store::overlay::Map;

    fn publish(unsynced: &mut Unsynced, table: &Table, lsn: Lsn, entries: &[(&str, Option<&str>)]) {
        let entries: Map = entries.iter().map(|(key, value)| (key.as_bytes().into(), value.map(|value| value.as_bytes().into()))).collect();
        let mut replaced = Vec::new();
        table.overlay().publish(entries, Some(&mut replaced));
        unsynced.add(lsn, table.clone(), replaced);
    }

    fn seen(table: &Table, key: &str) -> Option<Option<String>> {
        let layers = table.overlay().read()?;
        layers.get(key.as_bytes()).map(|entry| entry.map(|value| String::from_utf8_lossy(value).into_owned()))
    }

    #[test]
    fn what_is_not_durable_is_taken_back_from_both_layers() {
        let (mut unsynced, table) = (Unsynced::default(), Table::new(TableId(1), "t", None));
        publish(&mut unsynced, &table, 10, &[("a", Some("1")), ("b", Some("1"))]);
        publish(&mut unsynced, &table, 20, &[("a", Some("2")), ("c", Some("2"))]);
        publish(&mut unsynced, &table, 30, &[("a", Some("3")), ("b", None)]);
        table.overlay().freeze();
        unsynced.freeze(30);
        publish(&mut unsynced, &table, 40, &[("a", Some("4")), ("d", Some("4"))]);
        assert_eq!(unsynced.synced(15).len(), 1);
        unsynced.take_back(20);
        let text = |text: &str| Some(Some(text.to_string()));
        assert_eq!([seen(&table, "a"), seen(&table, "b")], [text("2"), text("1")]);
        assert_eq!([seen(&table, "c"), seen(&table, "d")], [text("2"), None]);
    }
}
