//! The sections of a system dump: what the region knows of its tasks, storage, resources and parameters at one moment, by component.
//!
//! Summaries come from the figures that every domain keeps, and contents from the installed definitions, so a domain need not know of dumps.

use super::codes::{DumpTables, TableKind};
use crate::dump_sections::{BRIEF, Content, FULL, Section};
use crate::{Region, storage_access};
use kernel::storage::Dsa;
use vsam::store::Charge;

/// The component of the resources that a domain counts, and of a definition, by their type.
const COMPONENTS: [(&str, &str); 15] = [
    ("FILE", "FC"),
    ("LSRPOOL", "FC"),
    ("TRANSACTION", "XM"),
    ("TRANCLASS", "XM"),
    ("PROFILE", "XM"),
    ("PROGRAM", "PG"),
    ("MAPSET", "PG"),
    ("LIBRARY", "LD"),
    ("TDQUEUE", "TD"),
    ("TSMODEL", "TS"),
    ("TEMPORARY STORAGE", "TS"),
    ("INTERVAL CONTROL", "IC"),
    ("JOURNALNAME", "LG"),
    ("JOURNALMODEL", "LG"),
    ("ENQMODEL", "NQ"),
];

/// Terminals, sessions and connections.
const TERMINAL_COMPONENT: &str = "TCP";

fn component_of(resource: &str) -> &'static str {
    COMPONENTS.iter().find(|(name, _)| *name == resource).map_or(TERMINAL_COMPONENT, |(_, component)| *component)
}

/// Everything but the storage.
pub fn sections(region: &'static Region) -> Vec<Section> {
    let mut sections = vec![tasks(region), dispatcher(region)];
    sections.extend(storage_figures(region));
    sections.extend(region.registry.domains().iter().filter_map(|domain| domain.dump).flat_map(|sections| sections(region)));
    sections.extend(resources(region));
    sections.extend(definitions(region));
    sections.push(parameters(region));
    sections.push(messages(region));
    sections.push(dump_tables(region));
    sections
}

/// KE: the tasks and what they wait for.
fn tasks(region: &Region) -> Section {
    let mut lines = vec!["TASK    TRAN CLASS    PRI STATE               MODE SUSPENDED FOR      RESOURCE".to_string()];
    for task in region.dispatcher.tasks() {
        let state = format!("{:?}", task.state);
        let (wait, name) = (task.resource_type, task.resource_name);
        lines.push(
            format!(
                "{:07} {:<4} {:<8} {:3} {state:<19} {:<4} {wait:<18} {name}",
                task.number,
                task.transaction,
                task.class,
                task.priority,
                task.mode.name()
            )
            .trim_end()
            .to_string(),
        );
    }
    Section::lines("KE", BRIEF, "Tasks", lines)
}

fn dispatcher(region: &Region) -> Section {
    let figures = region.dispatcher.statistics();
    let mut lines = vec![
        format!(
            "Tasks {} (peak {}), user tasks active {}, MXT {}",
            figures.tasks_current, figures.tasks_peak, figures.max_tasks.active_current, figures.max_tasks.limit
        ),
        format!(
            "Workers {}, ICV {} ms, ICVR {} ms, PRTYAGE {} ms",
            figures.workers,
            figures.icv.as_millis(),
            figures.runaway.as_millis(),
            figures.priority_aging.as_millis()
        ),
        "MODE TCBS IN USE QUEUED  DISPATCH TIME US       CPU TIME US".to_string(),
    ];
    for (mode, of) in kernel::Mode::ALL.iter().zip(&figures.modes).filter(|(_, of)| of.attaches > 0) {
        let (dispatch, cpu) = (of.dispatch.as_micros(), of.cpu.as_micros());
        lines.push(format!(
            "{:<4} {:4} {:6} {:6} {dispatch:17} {cpu:17}",
            mode.name(),
            of.attached_current,
            of.in_use_current,
            of.queue_current
        ));
    }
    Section::lines("DS", BRIEF, "Dispatcher", lines)
}

/// SM: the dynamic storage areas, their subpools, and the runs of pages in use.
fn storage_figures(region: &Region) -> Vec<Section> {
    let figures = region.storage.statistics();
    let mut areas = vec!["DSA          SIZE         USED         FREE  EXTENTS   GETMAINS  FREEMAINS    NOSTG VIOLATIONS".to_string()];
    for of in &figures.dsas {
        areas.push(format!(
            "{:<6} {:10} {:12} {:12} {:8} {:10} {:10} {:8} {:10}",
            of.dsa.name(),
            of.size,
            of.used,
            of.free,
            of.extents,
            of.getmains,
            of.freemains,
            of.no_storage,
            of.violations
        ));
    }
    for line in &figures.lines {
        let short = if line.short_on_storage { ", short on storage" } else { "" };
        areas.push(format!("{:?}: limit {}, allocated {} (peak {}){short}", line.line, line.limit, line.allocated, line.allocated_peak));
    }
    let mut subpools = vec!["SUBPOOL  DSA      ELEMENTS        BYTES   PEAK BYTES   GETMAINS  FREEMAINS".to_string()];
    for of in &figures.subpools {
        let counted = &of.figures;
        subpools.push(format!(
            "{:<8} {:<6} {:10} {:12} {:12} {:10} {:10}",
            of.name,
            of.dsa.name(),
            counted.elements,
            counted.bytes,
            counted.peak_bytes,
            counted.getmains,
            counted.freemains
        ));
    }
    let mut runs = vec!["DSA     ADDRESS          LENGTH".to_string()];
    for dsa in Dsa::ALL {
        runs.extend(region.storage.runs(dsa).into_iter().map(|(address, length)| format!("{:<6} {address:08X} {length:15}", dsa.name())));
    }
    let protection = if figures.protection { "Storage protection is in force" } else { "Storage protection is not in force" };
    areas.push(protection.to_string());
    vec![
        Section::lines("SM", BRIEF, "Dynamic storage areas", areas),
        Section::lines("SM", BRIEF, "Subpools", subpools),
        Section::lines("SM", FULL, "Pages in use", runs),
    ]
}

/// What the domains count, one section for each type of resource.
fn resources(region: &'static Region) -> Vec<Section> {
    let domains = region.registry.domains().iter().filter_map(|domain| domain.statistics);
    let mut sections: Vec<Section> = Vec::new();
    let mut last = "";
    let mut lines = Vec::new();
    let mut end = |resource: &str, lines: &mut Vec<String>| {
        if !lines.is_empty() {
            sections.push(Section::lines(component_of(resource), BRIEF, format!("{resource}: counts"), std::mem::take(lines)));
        }
    };
    for of in domains.flat_map(|statistics| statistics(region)) {
        if of.resource != last {
            end(last, &mut lines);
            last = of.resource;
        }
        let counters: Vec<String> =
            of.counters.iter().filter(|(_, value)| *value != 0).map(|(name, value)| format!("{name} {value}")).collect();
        if !counters.is_empty() {
            lines.push(format!("{:<16} {}", of.name, counters.join(", ")));
        }
    }
    end(last, &mut lines);
    sections
}

/// The installed definitions, by type.
fn definitions(region: &Region) -> Vec<Section> {
    let installed = region.installed.read();
    let types = csd::attributes::resource_types();
    let of_type =
        |name: &'static str| -> Vec<String> { installed.of_type(name).flat_map(|definition| lines_of(&definition.statement())).collect() };
    let sections = types.iter().map(|of| (of.name, of_type(of.name))).filter(|(_, lines)| !lines.is_empty());
    sections.map(|(name, lines)| Section::lines(component_of(name), FULL, format!("{name}: definitions"), lines)).collect()
}

fn lines_of(text: &str) -> Vec<String> {
    text.lines().map(str::to_string).collect()
}

/// PA: the system initialization parameters.
fn parameters(region: &Region) -> Section {
    let lines = region.sit.values().map(|(name, value)| format!("{name}={value}")).collect();
    Section::lines("PA", BRIEF, "System initialization parameters", lines)
}

fn messages(region: &Region) -> Section {
    let lines = region.messages.kept().iter().map(crate::messages::Message::line).collect();
    Section::lines("ME", BRIEF, "Last messages", lines)
}

/// DU: the dump tables.
fn dump_tables(region: &Region) -> Section {
    let tables = DumpTables::of(region);
    let mut lines = vec!["TABLE       CODE     MAXIMUM CURRENT OPTIONS".to_string()];
    for (name, kind) in [("transaction", TableKind::Transaction), ("system", TableKind::System)] {
        for entry in tables.entries(kind) {
            lines.push(format!("{name:<11} {:<8} {:7} {:7} {}", entry.code, entry.actions.maximum, entry.current, entry.options()));
        }
    }
    Section::lines("DU", BRIEF, "Dump tables", lines)
}

/// A table of DUMP TRANSACTION: the definitions of a type, or the system initialization parameters.
pub fn table(region: &Region, resource: &'static str) -> Section {
    if resource == SYSTEM_INITIALIZATION {
        return parameters(region);
    }
    let installed = region.installed.read();
    let lines = installed.of_type(resource).flat_map(|definition| lines_of(&definition.statement())).collect();
    Section::lines(component_of(resource), FULL, format!("{resource}: definitions"), lines)
}

/// The name of the parameters among the tables.
const SYSTEM_INITIALIZATION: &str = "SIT";

/// TR: the internal trace.
pub fn trace(entries: Vec<u8>) -> Section {
    Section { component: "TR".to_string(), level: BRIEF, title: "Internal trace".to_string(), content: Content::Trace(entries) }
}

/// Most bytes of storage in a dump.
const STORAGE_BYTES_MAX: usize = 1 << 30;

/// Most bytes of storage that are copied, or left out, together.
const PIECE_BYTES_MAX: usize = 8 << 20;

fn pieces((address, length): (usize, usize)) -> impl Iterator<Item = (usize, usize)> {
    (0..length).step_by(PIECE_BYTES_MAX).map(move |at| (address + at, PIECE_BYTES_MAX.min(length - at)))
}

/// There is no memory for the copy.
#[derive(Debug)]
pub struct NoMemory;

/// A copy of the storage.
pub struct StorageCopy {
    pub sections: Vec<Section>,
    /// What it takes of the memory of the process, until it is written.
    pub charges: Vec<Charge>,
}

/// Copies the storage in use, DSA by DSA; what does not fit into [`STORAGE_BYTES_MAX`], or for which the account of the region has no room,
/// is left out, with a line that says so: a dump must not take the memory that keeps the region alive.
pub fn storage(region: &'static Region) -> Result<StorageCopy, NoMemory> {
    let (mut sections, mut charges) = (Vec::new(), Vec::new());
    let (mut room, mut left_out) = (STORAGE_BYTES_MAX, 0);
    for dsa in Dsa::ALL {
        for (address, length) in region.storage.runs(dsa).into_iter().flat_map(pieces) {
            if length > room {
                left_out += length;
                continue;
            }
            let Ok(charge) = region.store.account().reserve(length) else {
                left_out += length;
                continue;
            };
            let mut bytes = Vec::new();
            bytes.try_reserve_exact(length).map_err(|_| NoMemory)?;
            bytes.resize(length, 0);
            // Pages that nobody may read, such as those given back meanwhile, are left out.
            if storage_access::read(address, &mut bytes).is_ok() {
                room -= length;
                charges.push(charge);
                sections.push(Section::area("SM", format!("Storage of the {}", dsa.name()), address, bytes));
            }
        }
    }
    if left_out > 0 {
        let line = format!("{left_out} bytes are not in the dump, which has room for {STORAGE_BYTES_MAX}, and for what MEMLIMIT leaves");
        sections.push(Section::lines("SM", BRIEF, "Storage left out", vec![line]));
    }
    Ok(StorageCopy { sections, charges })
}
