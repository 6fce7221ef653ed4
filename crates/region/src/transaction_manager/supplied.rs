//! The transactions supplied with the system: those of `csd/tables/supplied.csd`, as long as their definition names the same program.
//!
//! Some have a program that this region does not have. Their definitions exist so that the operator is told what is missing.

use crate::Registry;
use csd::{SUPPLIED_GROUPS, TransactionDefinition};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

const INSTEAD: &str = include_str!("../../tables/instead.tsv");

/// The names of the system's own programs. Most programs are the application's, and told apart without a search.
const SYSTEM_PREFIX: &str = "DFH";

/// An application's own program may have the identifier of a supplied transaction, which then is not supplied.
pub fn is_supplied(definition: &TransactionDefinition) -> bool {
    statement_of(definition).is_some()
}

/// The purpose of a supplied transaction, if no domain has its program; `None` for every other transaction.
pub fn absent(registry: &Registry, definition: &TransactionDefinition) -> Option<&'static str> {
    let program = definition.program.as_str();
    if !program.starts_with(SYSTEM_PREFIX) || registry.has_program(program) {
        return None;
    }
    value(statement_of(definition)?, "DESCRIPTION")
}

/// What does the work of an absent transaction, as the end of a message: empty if nothing does.
pub fn instead_of(transid: &str) -> String {
    let mut rows = INSTEAD.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'));
    rows.find(|(of, _)| *of == transid).map_or_else(String::new, |(_, instead)| format!(" {instead}"))
}

/// The DEFINE statement of a supplied transaction. Policies ask for it when a task begins, so the text is read once.
fn statement_of(definition: &TransactionDefinition) -> Option<&'static str> {
    static STATEMENTS: LazyLock<FxHashMap<&str, &str>> = LazyLock::new(|| {
        let named = |statement: &'static str| Some((statement.strip_prefix("DEFINE TRANSACTION(")?.split_once(')')?.0, statement));
        SUPPLIED_GROUPS.lines().filter_map(named).collect()
    });
    let statement = STATEMENTS.get(definition.name.as_str())?;
    (value(statement, "PROGRAM") == Some(definition.program.as_str())).then_some(statement)
}

fn value(statement: &'static str, keyword: &str) -> Option<&'static str> {
    let (_, rest) = statement.split_once(&format!(" {keyword}("))?;
    rest.split_once(')').map(|(value, _)| value)
}
