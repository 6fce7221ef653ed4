//! Queues and counters in the store: temporary storage, transient data, and named counters; the files of the spool.
//!
//! `queue_buffers` models the buffers and strings of DFHTEMP and DFHINTRA, for statistics. The store is in crate `vsam`.
#![deny(unsafe_code)]

pub mod named_counters;
pub mod queue_buffers;
mod record;
pub mod spool;
pub mod temporary_storage;
pub mod transient_data;
