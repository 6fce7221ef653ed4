//! Data: the region's store (LMDB pages behind the region's own system log, units of work, record locks), and on
//! it VSAM: catalog, KSDS, ESDS, RRDS, alternate indexes, paths, and the IDCAMS utility.
//!
//! This crate knows nothing of tasks, EXEC commands, RESP values or terminals. It never suspends a task itself, but asks the caller's
//! `Waiter`.
//!
//! Modules, from the bottom: `wait`, `codec`, `moment` (calendar), `fault` (crash points for tests), `disk` (the files below, and a
//! simulated disk); `holds` (what units of work hold besides locks: control intervals, shared records, records for update; the users of an
//! open data set); `store` (engine, log, overlay, locks, units of work); `error` and `feedback` (the error codes that programs see);
//! `catalog` (entries, their format, sizes and retention); `buffers` (LSR and NSR buffers), `component` (counters), `ci` (control intervals
//! and splits), `forward` (forward recovery and replication logs); `sphere` (an open base cluster with its alternate indexes and
//! addresses); `file` (record level requests); `data_sets` (cataloged and open data sets: DEFINE and DELETE, generations, bulk loading,
//! checks, backup, forward recovery); `data_tables`; `idcams` (control statements and listings). A module uses only modules named before
//! it.

pub mod buffers;
pub mod catalog;
mod ci;
mod codec;
pub mod component;
mod data_sets;
pub mod data_tables;
pub mod disk;
pub mod error;
pub mod fault;
pub mod feedback;
pub mod file;
pub mod forward;
mod holds;
pub mod idcams;
mod moment;
mod sphere;
pub mod store;
pub mod wait;

pub use catalog::{Catalog, Organization};
pub use data_sets::{DataSets, backup, check, define, generations, load};
pub use error::{FileError, StoreError};
pub use file::{Browse, File, Found, OpenContext, OpenOptions, RecordId, Search, Token, browse, shape};
pub use holds::control::Resources;
pub use holds::openers::Opener;
pub use store::{Change, Direction, LogFlushes, Store, StoreConfig, Table, UnitId, UnitOfWork};
pub use wait::{Flusher, LockWait, ThreadWaiter, WaitEnd, WaitKind, WaitReason, Waiter};
