//! Transaction manager: TRANSACTION and TRANCLASS resources, attach, the task from its first instruction to its end.
//!
//! Invariants: a task has a number unique among the running ones; it is known to inquiry from attach to end; its storage, locks and unit of
//! work are released before its terminal is free for the next task; it ends on QR.

mod association;
mod attach;
mod attach_exit;
mod commands;
mod records;
mod restart;
mod supplied;
mod termination;
mod transaction;

pub use commands::handlers;
pub use supplied::{absent, is_supplied};
pub use transaction::TransactionManager;

use crate::control_blocks::target::Target;
use crate::domain::ResourceType;
use crate::dump_sections::{BRIEF, Section};
use crate::name::Name4;
use crate::{Domain, Region};
use csd::{Definition, TranclassDefinition, TransactionDefinition};

crate::region_part!(TransactionManager);

impl Region {
    #[inline]
    pub fn transactions(&self) -> &TransactionManager {
        TransactionManager::of(self)
    }
}

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "transaction manager",
    slots: &[&IN_REGION],
    commands: &[handlers],
    resources: &[
        ResourceType { name: "TRANCLASS", install: Some(install_class), ..ResourceType::NONE },
        ResourceType { name: "TRANSACTION", install: Some(install), system: Some(system_of), ..ResourceType::NONE },
    ],
    statistics: Some(|region| region.transactions().statistics()),
    records: &[&records::TRANSACTIONS, &records::CLASSES, &records::TASKS],
    dump: Some(dumped),
    ..Domain::NONE
};

/// XM: the tasks of transactions.
fn dumped(region: &'static Region) -> Vec<Section> {
    let mut lines = vec!["TASK    TRAN USER     TERM START PROGRAM".to_string()];
    lines.extend(region.transactions().tasks().iter().map(|task| {
        let terminal = task.facility.terminal().map_or(Name4::BLANK, |terminal| terminal.name());
        let start = task.start_code.text();
        format!("{:07} {:<4} {:<8} {terminal:<4} {start:<5} {}", task.number, task.transid, task.user_id, task.program.get())
    }));
    vec![Section::lines("XM", BRIEF, "Tasks of transactions", lines)]
}

fn system_of(region: &Region, target: &Target) -> Option<Name4> {
    region.transactions().find(target.name(&region.code_page)).map(|transaction| transaction.definition().remote_system)
}

fn install(region: &'static Region, definition: &Definition) -> Result<(), String> {
    region.transactions().install(TransactionDefinition::from(definition));
    Ok(())
}

fn install_class(region: &'static Region, definition: &Definition) -> Result<(), String> {
    region.transactions().install_class(&region.dispatcher, TranclassDefinition::from(definition));
    Ok(())
}
