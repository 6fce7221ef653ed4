//! `regent torture --with-database`: transfers between a file, a table and a table at another location, while the region, the server or the
//! connection between them is struck at each step of a commit. No transfer that was told done may be missing, and none may be on one side
//! only.
//!
//! The parent has the databases and a proxy in front of them, which sees every message and strikes at a chosen step of a commit (the commit of
//! a database, or the preparation or the end of a location's part): before the server has it, before the region has the answer, or behind the
//! answer. Each round is a process of its own (`round`): it starts the region on the data
//! of the round before, waits until no unit of work is in doubt, reports the file's side, and works until it is struck.

mod proxy;
mod round;
mod rounds;

pub use proxy::Proxy;
pub use round::{RoundArguments, round};
pub use rounds::command;

/// Accounts on either side; the application's script makes as many.
const ACCOUNTS: u64 = 64;
/// The other location. Of each so many transfers all but the first have an entry there.
const BRANCH: &str = "BRANCH";
const WITHOUT_BRANCH: u64 = 3;
/// Files of the application, which is written to the scratch directory.
const APPLICATION: [(&str, &str); 5] = [
    ("XFER.cbl", include_str!("application/XFER.cbl")),
    ("tables.sql", include_str!("application/tables.sql")),
    ("branch.sql", include_str!("application/branch.sql")),
    ("files.idcams", include_str!("application/files.idcams")),
    ("xfer.csd", include_str!("application/xfer.csd")),
];
