//! `regent torture --with-database`: transfers between a file and a table, while the region, the database or the connection between them is
//! struck at each step of a commit. No transfer that was told done may be missing, and none may be on one side only.
//!
//! The parent has the database and a proxy in front of it, which sees every message and strikes at a chosen commit: before the database has
//! it, before the region has the answer, or behind the answer. Each round is a process of its own (`round`): it starts the region on the data
//! of the round before, waits until no unit of work is in doubt, reports the file's side, and works until it is struck.

mod proxy;
mod round;
mod rounds;

pub use proxy::Proxy;
pub use round::{RoundArguments, round};
pub use rounds::command;

/// Accounts on either side; the application's script makes as many.
const ACCOUNTS: u64 = 64;
/// Files of the application, which is written to the scratch directory.
const APPLICATION: [(&str, &str); 4] = [
    ("XFER.cbl", include_str!("application/XFER.cbl")),
    ("tables.sql", include_str!("application/tables.sql")),
    ("files.idcams", include_str!("application/files.idcams")),
    ("xfer.csd", include_str!("application/xfer.csd")),
];
