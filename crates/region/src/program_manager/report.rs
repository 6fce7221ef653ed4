//! The sections of the statistics report about programs and libraries: "Program Totals" of DFH0STAT, which has programs by their kind, by their
//! addressing mode and by the storage they are in, the loader, and "LIBRARYs".
//!
//! Code of load modules is mapped from its file, outside the DSAs, and the regions that run a load module share its pages: what z/VSE has of
//! that in its shared virtual area is in the row ESVA. What LOAD has placed in storage is counted where it is.

use super::library::search_position;
use super::program::Program;
use crate::Region;
use crate::figures::{Report, count, nanoseconds};
use crate::statistics::report::number;
use csd::{Language, ProgramType};
use kernel::storage::{Dsa, Line};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The kinds of the report, in its order.
const KINDS: [&str; 10] =
    ["COBOL", "C", "Assembler", "PL/I", "Language Environment", "Region", "Maps", "Partitionsets", "Remote", "Not deduced"];

fn kind(region: &Region, program: &Program) -> &'static str {
    let definition = program.definition();
    match (definition.program_type, definition.language) {
        (ProgramType::Mapset, _) => "Maps",
        (ProgramType::Partitionset, _) => "Partitionsets",
        _ if !program.is_local(region) => "Remote",
        _ if program.is_native() => "Region",
        _ if program.is_c() => "C",
        _ if program.is_cobol() => "COBOL",
        (_, Language::Assembler) => "Assembler",
        (_, Language::Pli) => "PL/I",
        (_, Language::Le370) => "Language Environment",
        (_, Language::Cobol) => "COBOL",
        (_, Language::C) => "C",
        (_, Language::NotDefined) => "Not deduced",
    }
}

/// Where the present copy of a program is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Dsa(Dsa),
    /// Pages of its file, which all regions share.
    Shared,
    /// Memory of the region: the physical maps of a mapset.
    Region,
}

/// The present copy of a program: where it is, and its bytes.
fn located(region: &Region, program: &Program) -> Option<(Place, usize)> {
    if let Some((address, length)) = program.image() {
        return region.storage.dsa_at(address).map(|dsa| (Place::Dsa(dsa), length));
    }
    if program.is_loaded() {
        return Some((Place::Shared, program.length()));
    }
    (program.length() > 0).then_some((Place::Region, program.length()))
}

impl Place {
    fn is_24_bit(self) -> bool {
        matches!(self, Place::Dsa(dsa) if dsa.line() == Line::Below16M)
    }
}

/// Programs and their bytes.
#[derive(Clone, Copy, Default)]
struct Sum {
    programs: u64,
    bytes: usize,
}

impl Sum {
    fn add(&mut self, bytes: usize) {
        self.programs += 1;
        self.bytes += bytes;
    }
}

#[derive(Clone, Copy, Default)]
struct Totals {
    defined: u64,
    all: Sum,
    /// By addressing mode.
    of_24_bit: Sum,
    of_31_bit: Sum,
    /// Tasks that use them now.
    users: u64,
}

impl Totals {
    fn add(&mut self, region: &Region, program: &Program) {
        self.defined += 1;
        self.users += u64::from(program.in_use.load(Ordering::Relaxed));
        if let Some((place, bytes)) = located(region, program) {
            self.all.add(bytes);
            let of_mode = if place.is_24_bit() { &mut self.of_24_bit } else { &mut self.of_31_bit };
            of_mode.add(bytes);
        }
    }
}

fn kilobytes(bytes: usize) -> String {
    format!("{}K", number(bytes.div_ceil(1024) as u64))
}

pub(super) fn write(region: &'static Region, report: &mut Report) {
    let programs: Vec<Arc<Program>> = region.programs().names().into_iter().filter_map(|name| region.programs().find(name)).collect();
    report.heading("Program Totals");
    kinds(region, &programs, &mut report.text);
    places(region, &programs, &mut report.text);
    report.heading("Loader");
    loader(region, &mut report.text);
    report.heading("LIBRARYs");
    libraries(region, &mut report.text);
}

fn kinds(region: &Region, programs: &[Arc<Program>], text: &mut String) {
    let mut row = |name: &str, cells: [String; 8]| {
        let [defined, in_use, size, count_24, size_24, count_31, size_31, users] = cells;
        *text +=
            &format!("{name:<24}{defined:>10}{in_use:>10}{size:>10}{count_24:>10}{size_24:>10}{count_31:>10}{size_31:>10}{users:>10}\n");
    };
    row("", ["Defined", "In use", "Size", "24-bit", "Size", "31-bit", "Size", "Tasks"].map(String::from));
    let figures = |of: Totals| {
        let [all, of_24, of_31] = [of.all, of.of_24_bit, of.of_31_bit].map(|sum| (number(sum.programs), kilobytes(sum.bytes)));
        [number(of.defined), all.0, all.1, of_24.0, of_24.1, of_31.0, of_31.1, number(of.users)]
    };
    let mut all = Totals::default();
    for name in KINDS {
        let mut totals = Totals::default();
        for program in programs.iter().filter(|program| kind(region, program) == name) {
            totals.add(region, program);
            all.add(region, program);
        }
        row(name, figures(totals));
    }
    row("Total", figures(all));
    *text += "\n";
}

fn places(region: &Region, programs: &[Arc<Program>], text: &mut String) {
    let mut row = |name: &str, of: Sum| *text += &format!("{name:<24}{:>10}{:>10}\n", number(of.programs), kilobytes(of.bytes));
    let copies: Vec<(u64, Option<(Place, usize)>)> =
        programs.iter().map(|program| (program.use_count.load(Ordering::Relaxed), located(region, program))).collect();
    let sum = |of: &dyn Fn(u64, Place) -> bool| {
        let mut sum = Sum::default();
        let found = copies.iter().filter_map(|(uses, copy)| copy.filter(|(place, _)| of(*uses, *place)));
        found.for_each(|(_, bytes)| sum.add(bytes));
        sum
    };
    for dsa in [Dsa::Cdsa, Dsa::Sdsa, Dsa::Rdsa, Dsa::Ecdsa, Dsa::Esdsa, Dsa::Erdsa] {
        row(&format!("{} Programs", dsa.name()), sum(&|_, place| place == Place::Dsa(dsa)));
    }
    // No program file is mapped below 16 MB.
    row("SVA Programs", Sum::default());
    row("ESVA Programs", sum(&|_, place| place == Place::Shared));
    row("Region memory", sum(&|_, place| place == Place::Region));
    row("Unused Programs", sum(&|uses, _| uses == 0));
    row("Not Located Programs", Sum { programs: copies.iter().filter(|(_, copy)| copy.is_none()).count() as u64, bytes: 0 });
    *text += "\n";
}

/// hh:mm:ss and so many digits of the second.
fn clock(time: Duration, digits: usize) -> String {
    let seconds = time.as_secs();
    let micros = format!("{:06}", time.subsec_micros());
    format!("{:02}:{:02}:{:02}.{}", seconds / 3600, seconds / 60 % 60, seconds % 60, &micros[..digits])
}

/// The lines of the loader domain in reports of DFHSTUP, and how often programs were used.
fn loader(region: &Region, text: &mut String) {
    let programs = region.programs();
    let (loads, on_ro) = (count(&programs.loads), count(&programs.loads_on_ro));
    let (time, time_on_ro) = (nanoseconds(&programs.load_nanoseconds), nanoseconds(&programs.load_nanoseconds_on_ro));
    let average = |time: Duration, loads: u64| {
        let average = time.checked_div(u32::try_from(loads).unwrap_or(u32::MAX)).unwrap_or_default();
        clock(average, 6).split_off("hh:".len())
    };
    for (title, value) in [
        ("LIBRARY load requests", number(loads)),
        ("LIBRARY load requests on the RO TCB", number(on_ro)),
        ("Total loading time", clock(time, 4)),
        ("Total loading time on the RO TCB", clock(time_on_ro, 4)),
        ("Average loading time", average(time, loads)),
        ("Average loading time on the RO TCB", average(time_on_ro, on_ro)),
        ("LIBRARY search order updates", number(count(&programs.library_changes))),
        ("Program uses", number(programs.uses())),
    ] {
        *text += &format!("  {title:.<48}: {value:>24}\n");
    }
    *text += "\n";
}

fn libraries(region: &Region, text: &mut String) {
    let libraries = region.programs().libraries();
    *text += "  Name      Search  Ranking  Critical  Status         Loads  Data sets\n";
    for library in &libraries {
        let (critical, status) = (if library.is_critical { "Yes" } else { "No" }, if library.is_enabled { "Enabled" } else { "Disabled" });
        let names: Vec<&str> = library.data_sets.iter().map(|data_set| data_set.name.as_str()).collect();
        let (position, loads) = (search_position(&libraries, &library.name), number(count(&library.loads)));
        *text += &format!(
            "  {:<8}{position:>8}{:>9}  {critical:<8}  {status:<8}{loads:>12}  {}\n",
            library.name,
            library.ranking,
            names.join(", ")
        );
    }
    *text += "\n";
}
