//! Data: the region's store (LMDB pages behind the region's own system log, units of work, record locks), and on
//! it VSAM: catalog, KSDS, ESDS, RRDS, alternate indexes, paths, and the IDCAMS utility.
//!
//! What may not live here: anything that knows of tasks, EXEC commands, RESP values of a program or terminals. This
//! crate never suspends a task; it asks the caller's `Waiter`.
//!
//! Rooms: `store` (engine, log, overlay, locks, units of work), `catalog` and `define` (entries of the VSAM catalog), `sphere`
//! (an open base cluster with its upgrade set), `index`, `ci` and `index_intervals` (control intervals and splits), `address` (RBAs), `share`, `component`
//! (counters), `generations`, `buffers` (LSR and NSR buffers), `control` (who has which control interval), `shares` (shared record locks), `data_sets`, `data_tables`,
//! `file`, `holds`, `update` and `browse` (record level requests), `feedback` (what programs are told of errors), `check`, `forward` (forward
//! recovery and replication logs), `backup` (backup while open), `load` (bulk loading), `idcams` (control statements and listings), `disk` (the files below, and a
//! simulated disk), `fault` (crash points for tests).

mod access;
mod address;
pub mod backup;
pub mod browse;
pub mod buffers;
pub mod catalog;
pub mod check;
mod ci;
mod codec;
pub mod component;
mod control;
mod data_sets;
pub mod data_tables;
pub mod define;
pub mod disk;
mod entry_format;
pub mod error;
pub mod fault;
pub mod feedback;
pub mod file;
pub mod forward;
pub mod generations;
mod holds;
pub mod idcams;
mod index;
mod index_intervals;
pub mod load;
mod retention;
pub mod shape;
mod share;
mod shares;
mod sphere;
pub mod store;
mod update;
pub mod wait;

pub use browse::Browse;
pub use catalog::{Catalog, Organisation};
pub use control::Resources;
pub use data_sets::OpenContext;
pub use error::{FileError, StoreError};
pub use file::{DataSets, File, Found, OpenOptions, RecordId, Search, Token};
pub use share::Opener;
pub use store::{Change, Direction, LogFlushes, Store, StoreConfig, Table, UnitId, UnitOfWork};
pub use wait::{Flusher, LockWait, ThreadWaiter, WaitEnd, WaitKind, WaitReason, Waiter};
