//! The counters of a FILE over all the times it was open.

use super::FileResource;
use kernel::Peaks;
use region::figures::ResourceStatistics;
use std::sync::atomic::{AtomicU64, Ordering};
use vsam::file::FileStatistics;

impl FileResource {
    pub fn statistics(&self) -> ResourceStatistics {
        self.read_statistics(Peaks::Keep)
    }

    /// As `statistics`; with `Peaks::Begin` a statistics interval begins.
    pub fn read_statistics(&self, peaks: Peaks) -> ResourceStatistics {
        let definition = self.definition();
        let total = self.counted();
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        ResourceStatistics {
            resource: "FILE",
            name: self.name.to_string(),
            counters: vec![
                ("get_requests", total.reads),
                ("get_update_requests", total.reads_for_update),
                ("browse_requests", total.browses),
                ("browse_update_requests", total.browse_updates),
                ("add_requests", total.adds),
                ("update_requests", total.updates),
                ("delete_requests", total.deletes),
                ("ci_splits", total.ci_splits),
                ("ca_splits", total.ca_splits),
                ("exclusive_control_waits", total.exclusive_waits),
                ("record_lock_waits", self.record_waits.load(Ordering::Relaxed)),
                ("data_excps", total.data_excps),
                ("index_excps", total.index_excps),
                ("opens", count(&self.opens)),
                ("strings", u64::from(definition.strings)),
                ("strings_active", u64::from(self.strings.active())),
                ("strings_active_peak", u64::from(self.strings.active_peak(peaks))),
                ("lsrpool", u64::from(definition.lsrpool)),
                ("table_records", count(&self.table_records)),
                ("table_records_peak", peaks.read(&self.table.records_peak, || self.table_records.load(Ordering::SeqCst))),
                ("table_reads", count(&self.table.reads)),
                ("table_source_reads", count(&self.table.source_reads)),
                ("table_adds_by_load", count(&self.table.loaded)),
                ("table_adds", count(&self.table.adds)),
                ("table_adds_full", count(&self.table.adds_full)),
                ("table_rewrites", count(&self.table.rewrites)),
                ("table_deletes", count(&self.table.deletes)),
                ("string_waits", self.strings.waits.load(Ordering::Relaxed)),
                ("string_waits_peak", self.strings.waits_peak(peaks)),
            ],
        }
    }
}

pub(super) fn add(total: &mut FileStatistics, more: &FileStatistics) {
    total.reads += more.reads;
    total.reads_for_update += more.reads_for_update;
    total.browses += more.browses;
    total.browse_updates += more.browse_updates;
    total.adds += more.adds;
    total.updates += more.updates;
    total.deletes += more.deletes;
    total.ci_splits += more.ci_splits;
    total.ca_splits += more.ca_splits;
    total.exclusive_waits += more.exclusive_waits;
    total.data_excps += more.data_excps;
    total.index_excps += more.index_excps;
}
