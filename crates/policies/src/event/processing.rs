//! Event processing of a region: its status, its queues and its counters.
//!
//! Source: CICS TS 5.5, "SET EVENTPROCESS". Invariant: the queues of a region that is stopped are empty, but for events that were added at the
//! same moment.

use super::figures::Figures;
use super::queue::Queues;
use std::sync::atomic::{AtomicU8, Ordering};

/// EPSTATUS.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Status {
    Started,
    /// Nothing is captured; what has been captured is emitted.
    Draining,
    Stopped,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Status::Started => "Started",
            Status::Draining => "Draining",
            Status::Stopped => "Stopped",
        }
    }
}

/// Event processing of a region; it is started when the region starts.
#[derive(Default)]
pub struct Processing {
    status: AtomicU8,
    pub queues: Queues,
    pub figures: Figures,
}

impl Processing {
    pub fn status(&self) -> Status {
        match self.status.load(Ordering::Relaxed) {
            status if status == Status::Started as u8 => Status::Started,
            // The last event has left.
            status if status == Status::Draining as u8 && self.queues.len() > 0 => Status::Draining,
            _ => Status::Stopped,
        }
    }

    pub fn set_status(&self, status: Status) {
        self.status.store(status as u8, Ordering::Relaxed);
        if status == Status::Stopped {
            self.queues.clear();
        }
    }
}
