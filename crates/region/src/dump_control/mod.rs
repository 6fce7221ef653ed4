//! Control of dumps by programs and operators: DUMP TRANSACTION and PERFORM DUMP, the dump tables, the dump data sets.
//!
//! * `transaction`  DUMP TRANSACTION; `perform` PERFORM DUMP;
//! * `codes`        INQUIRE and SET TRANDUMPCODE and SYSDUMPCODE.
//!
//! What a dump contains and how it is written is in `dump`, which every domain may use.

mod codes;
mod perform;
mod transaction;

use crate::dump::codes::DumpTables;
use crate::dump::{self, Dumping};
use crate::shutdown::{self, assist::Assist};
use crate::{Domain, Handler, Life, Region, StartType};
use exec::{CommandId, command};
use vsam::{StoreError, ThreadWaiter};

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "dump",
    commands: &[handlers],
    slots: dump::SLOTS,
    life: Life { recover: Some(recover), stop: Some(|region, _| Dumping::of(region).finish()), ..Life::NONE },
    ..Domain::NONE
};

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::DUMP_TRANSACTION, transaction::dump),
        (command::PERFORM_DUMP, perform::dump),
        (command::INQUIRE_TRANDUMPCODE, codes::inquire_transaction),
        (command::SET_TRANDUMPCODE, codes::set_transaction),
        (command::INQUIRE_SYSDUMPCODE, codes::inquire_system),
        (command::SET_SYSDUMPCODE, codes::set_system),
    ]
}

fn recover(region: &'static Region, start: StartType) -> Result<(), StoreError> {
    DumpTables::of(region).configure(region, terminate);
    dump::codes::recover(region, start, &ThreadWaiter::new())
}

/// SHUTDOWN of a dump code: the region ends at once. The tasks of the region are not waited for, the one that dumped is among them.
fn terminate(region: &'static Region) {
    let request = shutdown::Request { immediate: true, programs: None, assist: Assist::None, user_id: region.default_user };
    std::thread::spawn(move || region.shutdown_as(request));
}
