//! Program manager: PROGRAM, MAPSET and LIBRARY resources, loading, LINK, XCTL, RETURN, LOAD, RELEASE and the levels of a task.
//!
//! * `program`  the table of installed programs and their code;
//! * `library`  a library of load modules; `libraries` those of the region;
//! * `ready`    the programs a task has found, kept for their next use;
//! * `run`      how a level runs, and how abends are handled;
//! * `autoinstall`, `error_program`  the user-replaceable programs for programs without a definition, and for abends; `catalog` what is kept of
//!   programs that were installed automatically;
//! * `exits`    the global user exits of program control;
//! * `host`     the requests of compiled programs to the region (the `program` crate's `Host`);
//! * `commands` LINK, XCTL, RETURN, LOAD, RELEASE, ABEND; `invoke` INVOKE APPLICATION;
//! * `private`  programs and libraries of applications;
//! * `report`   its section of the statistics report;
//! * `leaving`  how a program leaves its level; `run_time_output` the output of Language Environment.
//!
//! Invariants: a program runs at exactly one level of a task at a time, and its code is the copy that was current when the level began
//! (NEWCOPY and PHASEIN never change code under a running program); a use count is decremented when the level ends, however it ends.

mod autoinstall;
pub mod catalog;
mod commands;
mod error_program;
mod exits;
mod host;
mod invoke;
mod leaving;
mod libraries;
mod library;
pub(crate) mod loader_exits;
mod private;
mod program;
mod ready;
mod records;
mod report;
mod run;
mod run_time_output;

pub use commands::handlers;
pub use leaving::Leaving;
pub use library::{Library, STATIC_LIBRARY, search_position};
pub use program::{Code, NewCopy, NewCopyFault, Program, ProgramFault, ProgramManager};
pub use ready::{ReadyProgram, Spare};
pub use run::{LinkRequest, RunsAs, run_level};

use crate::control_blocks::target::Target;
use crate::domain::ResourceType;
use crate::dump_sections::{BRIEF, Section};
use crate::name::Name4;
use crate::slots::TransactionSlot;
use crate::{AttachRequest, Domain, Life, Region, Task};
use csd::{Definition, LibraryDefinition, ProgramDefinition};
use std::sync::Arc;
use std::sync::atomic::Ordering;

crate::region_part!(ProgramManager);
crate::task_part!(TaskState);

impl Region {
    #[inline]
    pub fn programs(&self) -> &ProgramManager {
        ProgramManager::of(self)
    }
}

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "program manager",
    slots: &[&IN_REGION, &IN_TASK, &IN_TRANSACTION],
    commands: &[handlers],
    resources: &[
        ResourceType { name: "LIBRARY", install: Some(install_library), ..ResourceType::NONE },
        ResourceType { name: "PROGRAM", install: Some(install), system: Some(system_of), ..ResourceType::NONE },
        ResourceType { name: "MAPSET", install: Some(install), ..ResourceType::NONE },
        ResourceType { name: "PARTITIONSET", install: Some(install), ..ResourceType::NONE },
    ],
    task_attached: Some(task_attached),
    task_ended: Some(task_ended),
    run_first_program: Some(run::run_first),
    statistics: Some(|region| region.programs().statistics()),
    records: &[&records::PROGRAMS, &records::LOADER, &records::LIBRARIES],
    report: Some(report::write),
    dump: Some(dumped),
    life: Life { recover: Some(catalog::recover), ..Life::NONE },
    ..Domain::NONE
};

/// LD: the load modules in storage. PG: the programs.
fn dumped(region: &'static Region) -> Vec<Section> {
    let programs = region.programs();
    let all: Vec<_> = programs.names().into_iter().filter_map(|name| programs.find(name)).collect();
    let mut modules = vec!["PROGRAM     LENGTH LIBRARY".to_string()];
    let loaded = all.iter().filter(|program| program.is_loaded() && !program.is_native());
    modules.extend(loaded.map(|program| format!("{:<8} {:9} {}", program.name, program.length(), program.library())));
    let mut used = vec!["PROGRAM       USES IN USE FETCHED STATUS".to_string()];
    used.extend(all.iter().map(|program| {
        let count = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
        let status = if program.is_loaded() { "loaded" } else { "not loaded" };
        let in_use = program.in_use.load(Ordering::Relaxed);
        format!("{:<8} {:9} {in_use:6} {:7} {status}", program.name, count(&program.use_count), count(&program.fetches))
    }));
    vec![Section::lines("LD", BRIEF, "Load modules", modules), Section::lines("PG", BRIEF, "Programs", used)]
}

/// The domain's part of a task.
#[derive(Default)]
pub struct TaskState {
    /// The programs it has LOADed without HOLD, and how often.
    loaded: Vec<(Arc<Program>, u32)>,
    /// The program at the highest level is to return, and all below it.
    is_ending: bool,
    leaving: Option<Leaving>,
    /// The return value of the main function of a C program that has just ended.
    return_value: Option<i32>,
    /// The return code of the program that has ended last.
    return_code: i32,
    /// Abends that running condition handlers handle, outermost first.
    handling: Vec<Option<Box<crate::Abend>>>,
    /// Run units and programs for the next use.
    spare: Spare,
    /// The generation of programs when the task was attached.
    generation: u64,
    /// Local time minus UTC, and the dispatch of the task in which it was read; 0: never.
    utc_offset: (u64, i32),
    /// Memory that running statements take: long JSON and XML texts.
    statements: vsam::store::Charge,
}

/// The domain's part of a transaction.
#[derive(Default)]
struct Kept(parking_lot::Mutex<Vec<(u64, Spare)>>);

/// Tasks of which a transaction keeps something.
const SPARE_TASKS_MAX: usize = 32;

static IN_TRANSACTION: TransactionSlot<Kept> = TransactionSlot::in_transaction();

impl Kept {
    /// The programs kept for a new task. Those kept since before a replacement are dropped, and with them the old copy.
    fn take(&self, generation: u64) -> Spare {
        let mut kept = self.0.lock();
        while let Some((of, spare)) = kept.pop() {
            if of == generation {
                return spare;
            }
        }
        Spare::default()
    }

    /// Keeps the programs of an ended task, which used programs of this generation.
    fn keep(&self, mut spare: Spare, generation: u64) {
        spare.trim();
        let mut kept = self.0.lock();
        if kept.len() < SPARE_TASKS_MAX {
            kept.push((generation, spare));
        }
    }
}

/// The task gets the programs of ended tasks of its transaction: it runs the same programs and needs the same frames.
fn task_attached(task: &mut Task, _request: &mut AttachRequest) {
    let generation = task.region.programs().generation();
    let spare = IN_TRANSACTION.of(&task.transaction.parts).take(generation);
    let programs = TaskState::of_mut(&mut task.parts);
    (programs.spare, programs.generation) = (spare, generation);
}

/// Releases what the task still holds, and leaves its programs to the next task.
fn task_ended(task: &mut Task) {
    let loaded = std::mem::take(&mut TaskState::of_mut(&mut task.parts).loaded);
    let calls_exits = !loaded.is_empty() && task.has_exit(exec::exit_point::XLDELETE);
    for (program, times) in loaded {
        (0..times).for_each(|_| task.release_program(&program));
    }
    // What exit programs did in a unit of work is committed: the task has none any more.
    if calls_exits && task.syncpoint().is_err() {
        task.rollback();
    }
    let programs = TaskState::of_mut(&mut task.parts);
    let (spare, generation) = (std::mem::take(&mut programs.spare), programs.generation);
    IN_TRANSACTION.of(&task.transaction.parts).keep(spare, generation);
}

fn system_of(region: &Region, target: &Target) -> Option<Name4> {
    region.programs().find(target.name(&region.code_page)).map(|program| program.definition().remote_system)
}

fn install(region: &'static Region, definition: &Definition) -> Result<(), String> {
    region.programs().install(ProgramDefinition::from(definition));
    Ok(())
}

fn install_library(region: &'static Region, definition: &Definition) -> Result<(), String> {
    region.programs().install_library(region, &LibraryDefinition::from(definition))
}
