//! The section of the statistics report about programs: "Program Totals" of DFH0STAT, programs by their kind and by the storage they are in.
//!
//! Code of load modules is mapped from its file, outside the DSAs; what LOAD has placed in storage is counted where it is.

use super::program::Program;
use crate::Region;
use crate::figures::Report;
use crate::statistics::report::number;
use csd::{Language, ProgramType};
use kernel::storage::Dsa;
use std::sync::atomic::Ordering;

/// The kinds of the report, in its order.
const KINDS: [&str; 10] =
    ["COBOL", "C", "Assembler", "PL/I", "Language Environment", "Region", "Mapset", "Partition set", "Remote", "Not yet located"];

fn kind(region: &Region, program: &Program) -> &'static str {
    let definition = program.definition();
    match (definition.program_type, definition.language) {
        (ProgramType::Mapset, _) => "Mapset",
        (ProgramType::Partitionset, _) => "Partition set",
        _ if !program.is_local(region) => "Remote",
        _ if program.is_native() => "Region",
        _ if program.is_c() => "C",
        _ if program.is_cobol() => "COBOL",
        (_, Language::Assembler) => "Assembler",
        (_, Language::Pli) => "PL/I",
        (_, Language::Le370) => "Language Environment",
        (_, Language::Cobol) => "COBOL",
        (_, Language::C) => "C",
        (_, Language::NotDefined) => "Not yet located",
    }
}

#[derive(Clone, Copy, Default)]
struct Totals {
    defined: u64,
    loaded: u64,
    in_use: u64,
    bytes: u64,
}

impl Totals {
    fn add(&mut self, program: &Program) {
        self.defined += 1;
        self.loaded += u64::from(program.is_loaded() && !program.is_native());
        self.in_use += u64::from(program.in_use.load(Ordering::Relaxed) > 0);
        self.bytes += program.length() as u64;
    }
}

pub(super) fn write(region: &'static Region, report: &mut Report) {
    let programs: Vec<_> = region.programs().names().into_iter().filter_map(|name| region.programs().find(name)).collect();
    report.heading("Program Totals");
    report.text += &format!("{:<24}{:>10}{:>10}{:>10}{:>14}\n", "", "Defined", "Loaded", "In use", "Bytes");
    let mut row = |name: &str, totals: Totals| {
        let [defined, loaded, in_use, bytes] = [totals.defined, totals.loaded, totals.in_use, totals.bytes].map(number);
        report.text += &format!("{name:<24}{defined:>10}{loaded:>10}{in_use:>10}{bytes:>14}\n");
    };
    let mut all = Totals::default();
    for name in KINDS {
        let mut totals = Totals::default();
        for program in programs.iter().filter(|program| kind(region, program) == name) {
            totals.add(program);
            all.add(program);
        }
        row(name, totals);
    }
    row("Total", all);
    report.text += &format!("\n{:<24}{:>10}{:>14}\n", "Data placed by LOAD", "Programs", "Bytes");
    for dsa in Dsa::ALL {
        let images = programs.iter().filter_map(|program| program.image());
        let here: Vec<usize> =
            images.filter(|(address, _)| region.storage.dsa_at(*address) == Some(dsa)).map(|(_, length)| length).collect();
        let bytes: usize = here.iter().sum();
        report.text += &format!("{:<24}{:>10}{:>14}\n", dsa.name(), number(here.len() as u64), number(bytes as u64));
    }
    report.text += "\n";
}
