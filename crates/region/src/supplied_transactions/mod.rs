//! The supplied transactions (CEMT, CESN, CECI, CSGM ...): programs of the region itself, written in Rust.
//!
//! Each is a [`NativeProgram`] under the name its definition in `tables/supplied.csd` has; it uses the terminal and the other domains
//! through their gates, as an application would through commands.
//!
//! * `panel`    screens of all of them;
//! * `greeting` CSGM; `signon` CESN, CESL and CESF; `cemt` CEMT, CEOT and CEST; `ceci` CECI and CECS; `cebr` CEBR;
//! * `page_retrieval` CSPG; `statistics` STAT.

mod cebr;
mod ceci;
pub mod cemt;
mod greeting;
mod page_retrieval;
pub mod panel;
mod signon;
mod statistics;

use crate::domain::Domain;
use crate::program_manager::NativeProgram;
use crate::resources::{SUPPLIED_GROUPS, TransactionDefinition};

/// What a supplied transaction is for, when its program is not part of the region; `None` for every other transaction.
pub fn absent(definition: &TransactionDefinition) -> Option<&'static str> {
    let program = definition.program.as_str();
    if !program.starts_with("DFH") || PROGRAMS.iter().any(|(name, _)| *name == program) {
        return None;
    }
    let statement = format!("DEFINE TRANSACTION({}) ", definition.name);
    let line = SUPPLIED_GROUPS.lines().find(|line| line.starts_with(&statement))?;
    let value = |keyword: &str| line.split_once(&format!(" {keyword}(")).and_then(|(_, rest)| rest.split_once(')')).map(|(value, _)| value);
    if value("PROGRAM") == Some(program) { value("DESCRIPTION") } else { None }
}

/// What this domain is made of.
pub static DOMAIN: Domain = Domain { name: "supplied transactions", programs: PROGRAMS, ..Domain::NONE };

/// Programs by name.
static PROGRAMS: &[(&str, NativeProgram)] = &[
    ("DFH0STAT", statistics::print),
    ("DFHCESD", crate::shutdown::assist::program),
    ("DFHECIP", ceci::interpret),
    ("DFHECSP", ceci::check),
    ("DFHEDFBR", cebr::browse),
    ("DFHEMTP", cemt::master_terminal),
    ("DFHEOTP", cemt::terminal_status),
    ("DFHESTP", cemt::supervisory_terminal),
    ("DFHGMM", greeting::good_morning),
    ("DFHSIPLT", crate::program_list::link_program),
    ("DFHSNF", signon::sign_off),
    ("DFHSNLE", signon::sign_on),
    ("DFHSNP", signon::sign_on),
    ("DFHTPR", page_retrieval::retrieve),
];

/// Whether it is one of these programs.
pub fn is_supplied(program: &str) -> bool {
    PROGRAMS.iter().any(|(name, _)| *name == program)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::Definition;

    /// docs/operators.md lists each supplied transaction, those that are not there in its second table.
    #[test]
    fn the_page_for_operators_lists_every_supplied_transaction() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operators.md");
        let page = std::fs::read_to_string(page).unwrap();
        let tables: Vec<&str> = page.split("| transaction |").collect();
        assert_eq!(tables.len(), 3, "two tables of transactions");
        let lists = |table: &str, transid: &str| {
            let names = table.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
            names.flat_map(|names| names.split(", ")).any(|name| name == transid)
        };
        let mut count = 0;
        for line in SUPPLIED_GROUPS.lines().filter(|line| line.starts_with("DEFINE TRANSACTION(")) {
            let value = |keyword: &str| line.split(&format!(" {keyword}(")).nth(1).and_then(|rest| rest.split(')').next()).unwrap();
            let (transid, program) = (value("TRANSACTION"), value("PROGRAM"));
            let definition = Definition::new("TRANSACTION", transid, "TEST").with("PROGRAM", program);
            let is_absent = absent(&TransactionDefinition::from(&definition)).is_some();
            assert_eq!((lists(tables[1], transid), lists(tables[2], transid)), (!is_absent, is_absent), "{transid}");
            count += 1;
        }
        assert!(count > 20, "{count}");
    }
}
