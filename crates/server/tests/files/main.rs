//! Files, temporary storage and transient data of a region, driven through the EXEC gate by native programs.
//!
//! Expected conditions and RESP2 values are those of the command reference. One region serves all tests of this binary, because the
//! storage areas have fixed addresses; tests of restart run regions in processes of their own.

mod addresses;
mod autojournal;
mod browse;
#[path = "../bundle_support/mod.rs"]
mod bundle_support;
mod control;
mod crash;
mod dsname;
mod journals;
mod locks;
#[path = "../managers/mod.rs"]
mod managers;
mod memory;
mod monitoring;
mod named_counters;
mod names;
mod open_tcbs;
mod pools;
mod purge;
mod queue_support;
mod read;
mod report;
mod requests;
mod restart;
#[path = "../scratch/mod.rs"]
mod scratch;
mod set_options;
mod shared_queues;
mod side_by_side;
mod state;
mod statistics;
mod subtask;
mod support;
mod tables;
mod temporary_storage;
mod transient_data;
mod transient_data_requests;
mod units;
mod update;
