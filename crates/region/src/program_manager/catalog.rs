//! PGAICTLG: programs that were installed automatically are kept over a warm or emergency start (table `pg.autoinstalled`: name; the attributes of
//! the definition, `NAME=value` each, separated by blanks).
//!
//! ALL keeps them from their installation, MODIFY from the first SET PROGRAM that changes them, NONE not at all. A cold or initial start forgets
//! them. Rule: CICS system definition, "PGAICTLG system initialization parameter".

use super::program::Program;
use crate::name::Name8;
use crate::{Region, StartType};
use csd::{Definition, ProgramDefinition};
use std::sync::Arc;
use vsam::{Change, Direction, StoreError, Table, ThreadWaiter};

fn table(region: &Region) -> Result<Table, StoreError> {
    region.store.table("pg.autoinstalled")
}

fn publish(region: &Region, name: Name8, value: Option<Vec<u8>>) {
    let kept = table(region).and_then(|table| {
        let change = Change { table, key: name.as_bytes().to_vec(), value };
        region.store.publish(vec![change], &ThreadWaiter::new())
    });
    if let Err(error) = kept {
        tracing::warn!(target: "region::pg", %error, program = name.as_str(), "the catalogue does not have an autoinstalled program");
    }
}

fn text(definition: &ProgramDefinition) -> Vec<u8> {
    let attributes: Vec<String> = definition.attributes().iter().map(|(name, value)| format!("{name}={value}")).collect();
    attributes.join(" ").into_bytes()
}

/// A program has been installed automatically.
pub(super) fn installed(region: &Region, definition: &ProgramDefinition) {
    if region.sit.is("PGAICTLG", "ALL") {
        publish(region, definition.name, Some(text(definition)));
    }
}

/// SET PROGRAM has changed a program.
pub fn modified(region: &Region, program: &Program) {
    if program.autoinstalled && !region.sit.is("PGAICTLG", "NONE") {
        let definition = program.definition();
        publish(region, definition.name, Some(text(&definition)));
    }
}

/// A program has been discarded.
pub fn discarded(region: &Region, program: &Program) {
    if program.autoinstalled {
        publish(region, program.name, None);
    }
}

/// `Life::recover`.
pub(super) fn recover(region: &'static Region, start_type: StartType) -> Result<(), StoreError> {
    let table = table(region)?;
    let mut kept: Vec<(Vec<u8>, String)> = Vec::new();
    region.store.scan(&table, Some(&[0]), Direction::Forward, &mut |key, value| {
        kept.push((key.to_vec(), String::from_utf8_lossy(value).into_owned()));
        true
    })?;
    let is_kept = matches!(start_type, StartType::Warm | StartType::Emergency) && !region.sit.is("PGAICTLG", "NONE");
    for (key, attributes) in kept {
        let name = Name8::from_bytes(&key);
        if is_kept {
            let definition = Definition::new("PROGRAM", name.as_str().trim_end(), "").with_pairs(&attributes);
            let programs = region.programs();
            let program = Arc::new(Program::new(ProgramDefinition::from(&definition), true, &programs.generation));
            programs.programs.write().entry(name).or_insert(program);
        } else {
            publish(region, name, None);
        }
    }
    Ok(())
}
