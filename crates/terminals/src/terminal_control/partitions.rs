//! Partitions at a terminal: the set its screen is divided by, and the partition that the last input came from.
//!
//! Invariant: a terminal with partitions is written to through the structured field Outbound 3270DS only, and what it sends is kept as a terminal
//! without partitions sends it.

use super::DisplayTerminal;
use super::state::State;
use bms::address::Addressing;
use bms::constants::SNA_CMD_WSF;
use bms::partition::{self, PartitionSet};
use bms::{Capabilities, ScreenSize};
use std::sync::Arc;

/// The partitions of a terminal.
#[derive(Default)]
pub(super) struct Partitions {
    set: Option<Arc<PartitionSet>>,
    /// Of the last input.
    input: Option<u8>,
}

impl State {
    /// The record as a terminal without partitions sends it.
    pub(super) fn without_partition(&mut self, record: &[u8]) -> Vec<u8> {
        if self.partitions.set.is_some()
            && let Some((id, inner)) = partition::inbound(record)
        {
            self.partitions.input = Some(id);
            return inner;
        }
        record.to_vec()
    }
}

impl DisplayTerminal {
    /// The partitions at the terminal; `None` in the base state.
    pub fn partitions(&self) -> Option<Arc<PartitionSet>> {
        self.state.lock().partitions.set.clone()
    }

    /// Others have been sent, or the base state.
    pub(crate) fn note_partitions(&self, set: Option<Arc<PartitionSet>>) {
        self.state.lock().partitions = Partitions { set, input: None };
    }

    /// The partition that the last input came from.
    pub fn input_partition(&self) -> Option<u8> {
        self.state.lock().partitions.input
    }

    /// The capabilities of a partition as if it were a terminal.
    pub fn capabilities_of(&self, size: ScreenSize) -> Capabilities {
        let addressing = Addressing::for_positions(size.positions());
        Capabilities { default_size: size, alternate_size: size, addressing, page_rows: [None; 2], ..self.capabilities.clone() }
    }

    /// The size of the partition that the last input came from, or of the screen.
    pub fn input_size(&self) -> ScreenSize {
        let of_partition = || {
            let state = self.state.lock();
            let (set, id) = (state.partitions.set.as_ref()?, state.partitions.input?);
            set.get(id).map(|partition| partition.buffer_size)
        };
        of_partition().unwrap_or_else(|| self.size())
    }

    /// The addresses of an input.
    pub fn input_addressing(&self) -> Addressing {
        match self.partitions() {
            Some(_) => Addressing::for_positions(self.input_size().positions()),
            None => self.capabilities.addressing_for(self.size()),
        }
    }

    /// A record for the partition of error messages, or else the one that the operator works in; unchanged in the base state.
    pub(super) fn for_partition(&self, record: Vec<u8>, is_error: bool) -> Vec<u8> {
        let Some(set) = self.partitions() else { return record };
        let for_errors = if is_error { set.for_errors() } else { None };
        let id = for_errors.or(self.input_partition()).unwrap_or(0);
        [&[SNA_CMD_WSF][..], &partition::write_to(id, &record)].concat()
    }
}
