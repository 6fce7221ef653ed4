//! Program list tables (PLT): programs that run during the start (PLTPI) and the shutdown (PLTSD) of the region.
//!
//! Contents: the tables, read from the source of the DFHPLT macro ([`table`]), and the programs of a stage being run ([`run`]). The order
//! of the stages is in `initialization` and `shutdown`.
//!
//! Rules: CICS TS 5.5, Reference, "PLT: program list table"; System programming, "Writing initialization and shutdown programs".

mod run;
mod table;

pub use run::{GROUP, Phase, link_program, run, run_in};
pub use table::{ProgramList, parse};

use crate::Domain;
use crate::name::Name8;
use std::sync::OnceLock;

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "program lists", slots: &[&IN_REGION], programs: &[("DFHSIPLT", link_program)], ..Domain::NONE };

/// The tables there are, by name.
#[derive(Default)]
pub struct ProgramLists {
    tables: OnceLock<Vec<ProgramList>>,
}

crate::region_part!(ProgramLists);

impl ProgramLists {
    /// Gives the region its tables, once.
    pub fn configure(&self, tables: Vec<ProgramList>) {
        let first = self.tables.set(tables).is_ok();
        debug_assert!(first, "a region is given its program list tables once");
    }

    pub fn find(&self, name: Name8) -> Option<&ProgramList> {
        self.tables.get()?.iter().find(|table| table.name == name)
    }
}

/// The table named by a PLTPI or PLTSD parameter or a PLT option: a suffix of one or two characters, or a full name. None for NO and
/// blanks.
pub fn table_name(value: &str) -> Option<Name8> {
    match value.trim() {
        "" | "NO" => None,
        suffix if suffix.len() <= 2 => Some(Name8::new(&format!("DFHPLT{suffix}"))),
        name => Some(Name8::new(name)),
    }
}
