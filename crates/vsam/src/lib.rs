//! Data: the region's store (LMDB pages behind the region's own system log, units of work, record locks), and on
//! it VSAM: catalog, KSDS, ESDS, RRDS, alternate indexes, paths, and the IDCAMS utility.
//!
//! What may not live here: anything that knows of tasks, EXEC commands, RESP values of a program or terminals. This
//! crate never suspends a task; it asks the caller's `Waiter`.
//!
//! Rooms: `store` (engine, log, overlay, locks, units of work), `catalog` and `define` (entries of the VSAM catalog), `sphere`
//! (an open base cluster with its upgrade set), `ci` (control intervals and splits), `data_sets`, `file` and `browse` (record level
//! requests), `load` (bulk loading), `idcams` (control statements and listings), `fault` (crash points for tests).

pub mod browse;
pub mod catalog;
pub mod ci;
mod codec;
mod data_sets;
pub mod define;
pub mod error;
pub mod fault;
pub mod file;
pub mod idcams;
pub mod load;
mod sphere;
pub mod store;
pub mod wait;

pub use browse::Browse;
pub use catalog::{Catalog, Organisation};
pub use error::{FileError, StoreError};
pub use file::{DataSets, File, Found, OpenOptions, RecordId, Search, Token};
pub use store::{Change, Direction, Store, StoreConfig, Table, UnitId, UnitOfWork};
pub use wait::{LockWait, ThreadWaiter, WaitEnd, WaitKind, WaitReason, Waiter};
