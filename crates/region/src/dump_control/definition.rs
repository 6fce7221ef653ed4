//! DUMPCODE definitions: entries of the transaction dump table and of the system dump table.
//!
//! Rules: "DUMPCODE attributes" (Resource Definition Reference). Invariants: an installed definition replaces the entry of its code, and is in
//! the catalogue; what it asks for beyond this region is refused.

use crate::Region;
use crate::dump::codes::{self, Actions, DumpTables, Refused, TableKind};
use csd::Definition;
use vsam::ThreadWaiter;

/// Longest transaction dump code.
const TRANSACTION_CODE_MAX: usize = 4;

pub(super) fn install(region: &'static Region, definition: &Definition) -> Result<(), String> {
    let name = definition.name.as_str();
    let kind = if definition.is("TYPE", "SYSTEM") { TableKind::System } else { TableKind::Transaction };
    if kind == TableKind::Transaction && name.len() > TRANSACTION_CODE_MAX {
        return Err(format!("a transaction dump code has at most {TRANSACTION_CODE_MAX} characters"));
    }
    for list in ["DSPLIST", "JOBLIST"] {
        if !definition.get(list).is_empty() {
            return Err(format!("{list}: there are no data spaces and no other address spaces to dump"));
        }
    }
    let code = codes::valid_code(name).ok_or_else(|| format!("{name} is not a dump code"))?;
    let actions = actions(definition, kind)?;
    let tables = DumpTables::of(region);
    match tables.change(kind, code, |entry| (entry.actions, entry.is_temporary) = (actions, false)) {
        Ok(_) => {}
        Err(_) => tables.add(kind, code, actions).map_err(|refused| match refused {
            Refused::Full => "the dump table is full".to_string(),
            Refused::Exists | Refused::Unknown => "the dump table is being changed".to_string(),
        })?,
    }
    codes::catalogue(region, kind, code, Some(&actions), &ThreadWaiter::new()).map_err(|error| error.to_string())
}

/// What a definition asks for. Without DUMPACTION it is the dump of its type.
fn actions(definition: &Definition, kind: TableKind) -> Result<Actions, String> {
    let (transaction_dump, system_dump) = match (definition.get("DUMPACTION"), kind) {
        ("TRANDUMP" | "BOTH", TableKind::System) => return Err("a system dump code has no transaction dump".to_string()),
        ("TRANDUMP", _) | ("", TableKind::Transaction) => (true, false),
        ("SYSDUMP", _) | ("", TableKind::System) => (false, true),
        ("BOTH", _) => (true, true),
        _ => (false, false),
    };
    let maximum = definition.get("MAXIMUM").parse().map_err(|_| "MAXIMUM is not a number".to_string())?;
    Ok(Actions {
        maximum,
        shutdown: definition.is("SHUTOPTION", "SHUTDOWN"),
        related: definition.is("DUMPSCOPE", "RELATED"),
        system_dump,
        transaction_dump,
        dae: kind == TableKind::System && definition.is("DAEOPTION", "DAE"),
    })
}
