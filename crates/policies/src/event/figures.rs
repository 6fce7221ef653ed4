//! The counters of event processing.
//!
//! Source: CICS TS 5.5, "EVENTPROCESS: Global statistics" (DFHEPGDS), "EVENTBINDING: Global statistics" (DFHECGDS); the
//! identifiers of the records, and the names of the fields of DFHECGDS, are unverified. Invariant: a peak is at least the present value.

use super::adapter::DESTINATIONS;
use crate::Policies;
use kernel::Peaks;
use region::Region;
use region::figures::{Reading, Record, RecordType, ResourceType, count};
use std::sync::atomic::{AtomicU64, Ordering};

pub static BINDINGS: RecordType =
    RecordType { of: ResourceType::EventBindings, one: |reading, _| Some(of_bindings(reading.region)), ..RecordType::NONE };
pub static PROCESS: RecordType =
    RecordType { of: ResourceType::EventProcess, one: |reading, _| Some(of_process(reading)), ..RecordType::NONE };

fn of_bindings(region: &Region) -> Record {
    let figures = &Policies::of(region).processing.figures;
    Record::new("DFHECGDS", "").numbers([
        ("ECG_EB_EVENT_FILTER_OPS", count(&figures.filters)),
        ("ECG_EB_EVENTS_DISABLED", count(&figures.disabled)),
        ("ECG_EB_EVENTS_CAPTURED", count(&figures.captured)),
        ("ECG_FILTER_OPS_FAILED", count(&figures.filters_failed)),
        ("ECG_CAPTURE_OPS_FAILED", count(&figures.captures_failed)),
    ])
}

fn of_process(reading: &Reading) -> Record {
    let processing = &Policies::of(reading.region).processing;
    let (figures, waiting) = (&processing.figures, processing.queues.len() as u64);
    let [to_ts, to_td, to_transactions, to_programs] = figures.to_adapters.each_ref().map(count);
    let record = Record::new("DFHEPGDS", "").numbers([
        ("EPG_PUT_EVENTS", count(&figures.put)),
        ("EPG_COMMIT_FORWARD_EVENTS", count(&figures.commits_forward)),
        ("EPG_COMMIT_BACKWARD_EVENTS", count(&figures.commits_backward)),
        ("EPG_CURRENT_EVC_QUEUE", waiting),
        ("EPG_PEAK_EVC_QUEUE", count(&figures.queue_peak)),
        ("EPG_CURRENT_TRANS_QUEUE", count(&figures.transactional_now)),
        ("EPG_PEAK_TRANS_QUEUE", count(&figures.transactional_peak)),
        ("EPG_ASYNC_NORMAL_EVENTS", count(&figures.normal)),
        ("EPG_ASYNC_PRIORITY_EVENTS", count(&figures.high)),
        ("EPG_TRANS_EVENTS", count(&figures.transactional)),
        ("EPG_TRANS_EVENTS_DISCARDED", count(&figures.transactional_discarded)),
        ("EPG_SYNC_EVENTS", count(&figures.synchronous)),
        ("EPG_SYNC_EVENTS_FAILED", count(&figures.synchronous_failed)),
        ("EPG_DISPATCHERS_ATTACHED", count(&figures.dispatchers)),
        ("EPG_CURRENT_DISPATCHERS", u64::from(processing.queues.is_dispatching())),
        ("EPG_PEAK_DISPATCHERS", count(&figures.dispatchers).min(1)),
        ("EPG_TRANS_ADAPTER_EVENTS", to_transactions),
        ("EPG_TDQ_ADAPTER_EVENTS", to_td),
        ("EPG_TSQ_ADAPTER_EVENTS", to_ts),
        ("EPG_CUSTOM_ADAPTER_EVENTS", to_programs),
        ("EPG_DISPATCH_FAILURE_OTHER", count(&figures.lost_dispatch)),
        ("EPG_ADAPTER_FAILURE_OTHER", count(&figures.lost_adapter)),
        ("EPG_ADAPTER_UNAVAILABLE", count(&figures.lost_unavailable)),
    ]);
    if reading.peaks == Peaks::Begin {
        figures.queue_peak.store(waiting, Ordering::Relaxed);
        figures.transactional_peak.store(count(&figures.transactional_now), Ordering::Relaxed);
    }
    record
}

/// What event processing has counted since the region started.
#[derive(Default)]
pub struct Figures {
    /// Capture: predicates looked at, events of bindings that are disabled, events captured, and what failed.
    pub filters: AtomicU64,
    pub disabled: AtomicU64,
    pub captured: AtomicU64,
    pub filters_failed: AtomicU64,
    pub captures_failed: AtomicU64,
    /// Emission.
    pub put: AtomicU64,
    pub commits_forward: AtomicU64,
    pub commits_backward: AtomicU64,
    pub queue_peak: AtomicU64,
    pub transactional_now: AtomicU64,
    pub transactional_peak: AtomicU64,
    pub normal: AtomicU64,
    pub high: AtomicU64,
    pub transactional: AtomicU64,
    pub transactional_discarded: AtomicU64,
    pub synchronous: AtomicU64,
    pub synchronous_failed: AtomicU64,
    pub dispatchers: AtomicU64,
    /// By kind of destination.
    pub to_adapters: [AtomicU64; DESTINATIONS],
    pub lost_dispatch: AtomicU64,
    pub lost_adapter: AtomicU64,
    pub lost_unavailable: AtomicU64,
}

impl Figures {
    /// An event waits for the dispatcher: so many do now.
    pub fn added(&self, is_high: bool, length: u64) {
        let counter = if is_high { &self.high } else { &self.normal };
        counter.fetch_add(1, Ordering::Relaxed);
        self.put.fetch_add(1, Ordering::Relaxed);
        self.queue_peak.fetch_max(length, Ordering::Relaxed);
    }

    /// An event waits for the end of its unit of work.
    pub fn held(&self) {
        self.transactional.fetch_add(1, Ordering::Relaxed);
        let now = self.transactional_now.fetch_add(1, Ordering::Relaxed) + 1;
        self.transactional_peak.fetch_max(now, Ordering::Relaxed);
    }

    /// So many wait no longer.
    pub fn released(&self, count: u64) {
        self.transactional_now.fetch_sub(count, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_stay_when_events_go() {
        let figures = Figures::default();
        figures.held();
        figures.held();
        figures.released(2);
        figures.added(true, 3);
        figures.added(false, 1);
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        assert_eq!((count(&figures.transactional_now), count(&figures.transactional_peak)), (0, 2));
        assert_eq!((count(&figures.queue_peak), count(&figures.put), count(&figures.high)), (3, 2, 1));
    }
}
