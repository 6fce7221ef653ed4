//! Control of dumps by programs and operators: DUMP TRANSACTION and PERFORM DUMP, the dump tables, the dump data sets.
//!
//! * `transaction`  DUMP TRANSACTION; `perform` PERFORM DUMP;
//! * `codes`        INQUIRE and SET TRANDUMPCODE and SYSDUMPCODE; `data_sets` INQUIRE and SET DUMPDS;
//! * `definition`   DUMPCODE definitions;
//! * `records`      the statistics of dumps.
//!
//! What a dump contains and how it is written is in `dump`, which every domain may use.

mod codes;
mod data_sets;
mod definition;
mod perform;
mod records;
mod transaction;

use crate::domain::ResourceType;
use crate::dump::codes::DumpTables;
use crate::dump::data_sets::DataSets;
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
    resources: &[ResourceType { name: "DUMPCODE", install: Some(definition::install), ..ResourceType::NONE }],
    records: &[&records::SYSTEM_DUMPS, &records::SYSTEM_DUMP_CODES, &records::TRANSACTION_DUMPS, &records::TRANSACTION_DUMP_CODES],
    report: Some(records::report),
    life: Life { recover: Some(recover), stop: Some(|region, _| Dumping::of(region).finish()), ..Life::NONE },
    ..Domain::NONE
};

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::DUMP_TRANSACTION, transaction::dump),
        (command::DUMP, transaction::dump),
        (command::PERFORM_DUMP, perform::dump),
        (command::INQUIRE_DUMPDS, data_sets::inquire),
        (command::SET_DUMPDS, data_sets::set),
        (command::INQUIRE_TRANDUMPCODE, codes::inquire_transaction),
        (command::SET_TRANDUMPCODE, codes::set_transaction),
        (command::INQUIRE_SYSDUMPCODE, codes::inquire_system),
        (command::SET_SYSDUMPCODE, codes::set_system),
    ]
}

fn recover(region: &'static Region, start: StartType) -> Result<(), StoreError> {
    DumpTables::of(region).configure(region, terminate);
    DataSets::of(region).begin(region, start, &ThreadWaiter::new())?;
    dump::codes::recover(region, start, &ThreadWaiter::new())
}

/// SHUTDOWN of a dump code: the region ends at once. The tasks of the region are not waited for, the one that dumped is among them.
fn terminate(region: &'static Region) {
    let request = shutdown::Request { immediate: true, programs: None, assist: Assist::None, user_id: region.default_user };
    std::thread::spawn(move || region.shutdown_as(request));
}
