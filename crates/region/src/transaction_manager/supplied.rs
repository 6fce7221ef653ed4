//! Supplied transactions whose program this region does not have. Their definitions exist so that the operator is told what is missing.

use crate::Registry;
use crate::resources::{SUPPLIED_GROUPS, TransactionDefinition};

/// The purpose of a supplied transaction, if no domain has its program; `None` for every other transaction.
pub fn absent(registry: &Registry, definition: &TransactionDefinition) -> Option<&'static str> {
    let program = definition.program.as_str();
    if !program.starts_with("DFH") || registry.has_program(program) {
        return None;
    }
    let statement = format!("DEFINE TRANSACTION({}) ", definition.name);
    let line = SUPPLIED_GROUPS.lines().find(|line| line.starts_with(&statement))?;
    let value = |keyword: &str| line.split_once(&format!(" {keyword}(")).and_then(|(_, rest)| rest.split_once(')')).map(|(value, _)| value);
    if value("PROGRAM") == Some(program) { value("DESCRIPTION") } else { None }
}
