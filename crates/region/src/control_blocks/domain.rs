//! The description of a domain, and the registry of all domains of a region.
//!
//! A domain is described by one `static` [`Domain`]: its commands, its parts of region and task, the resources it installs, its part of a
//! unit of work, its statistics, and what it does at start and end. The registry is a list of descriptions made by the code that starts a
//! region. The region goes through the list in order and knows nothing else of a domain; nor do the dispatch table of commands, the
//! recovery manager, the transaction manager and statistics.
//!
//! Invariants: a region's registry never changes; the order of the list is the order of installation, of the calls around the end of a
//! unit of work, and of the start and the end of the region; a command and a resource type belong to one domain.

use super::target::Target;
use crate::channel::Channel;
use crate::control_blocks::dispatch::{self, Entry};
use crate::dump_sections::Section;
use crate::figures::Report;
use crate::figures::{RecordType, ResourceStatistics};
use crate::name::{Name4, Name8};
use crate::slots::AnySlot;
use crate::storage_access::Area;
use crate::{Abend, Assigned, AttachRequest, Decision, Handler, Raised, Region, StartType, Task};
use csd::{Definition, ProgramType};
use exec::{CommandId, OptionId};
use kernel::Departure;
use program::requests::{SqlOutcome, SqlRequest};
use program::rununit::FrameId;
use std::sync::Arc;
use vsam::{StoreError, UnitOfWork};

/// A program of the region itself.
pub type NativeProgram = fn(&mut Task) -> Result<(), Raised>;

/// Commands with the functions that execute them.
pub type Commands = &'static [(CommandId, Handler)];

/// A resource type that a domain installs.
#[derive(Clone, Copy)]
pub struct ResourceType {
    pub name: &'static str,
    /// `None`: the definition is only kept for lookup.
    pub install: Option<fn(&'static Region, &Definition) -> Result<(), String>>,
    /// The system named in the definition of a resource (REMOTESYSTEM). `None`: the resource has no definition, or resources of this type
    /// are always local.
    pub system: Option<fn(&Region, &Target) -> Option<Name4>>,
    /// Whether the authority is asked about a resource. `None`: about all of this type.
    pub is_protected: Option<fn(&Region, &Target) -> bool>,
}

impl ResourceType {
    /// A type without a domain that works with it, as the base of other descriptions.
    pub const NONE: ResourceType = ResourceType { name: "", install: None, system: None, is_protected: None };
}

/// A domain's part in the end of a unit of work. `before` runs while the unit is open (for last changes); `after` when the store has
/// committed or backed out (drop positions, notify others).
#[derive(Clone, Copy)]
pub struct Participant {
    pub before: fn(&mut Task, Decision) -> Result<(), Raised>,
    pub after: fn(&mut Task, Decision),
    /// Backs out the changes a unit of work made in the store, in the domain that can report changes that cannot be backed out.
    pub back_out: Option<fn(&Region, &UnitOfWork)>,
    /// A unit of work whose task had already ended has been resolved: the domain checks the store for new data.
    pub resolved: Option<fn(&'static Region, Decision) -> Result<(), StoreError>>,
}

impl Participant {
    pub const NONE: Participant = Participant { before: |_, _| Ok(()), after: |_, _| (), back_out: None, resolved: None };
}

/// A domain's part in the life of a region, in the order of the fields.
#[derive(Clone, Copy)]
pub struct Life {
    /// Who may do what is decided from here on: nothing of the region has run. The text of an error says why the region cannot start.
    pub secure: Option<fn(&'static Region) -> Result<(), String>>,
    /// Brings the domain's data to the state for the start type, before anything is installed or runs.
    pub recover: Option<fn(&'static Region, StartType) -> Result<(), StoreError>>,
    /// Resources are installed; no user task has run.
    pub installed: Option<fn(&'static Region) -> Result<(), StoreError>>,
    /// Control has been given: user tasks run.
    pub running: Option<fn(&'static Region)>,
    /// No new work; `message` is for the users.
    pub quiesce: Option<fn(&'static Region, message: &crate::messages::Message)>,
    /// User tasks have ended, unless the shutdown is immediate. Tasks of the region can still be attached.
    pub ending: Option<fn(&'static Region, immediate: bool)>,
    /// The tasks have ended.
    pub stop: Option<fn(&'static Region, immediate: bool)>,
}

impl Life {
    pub const NONE: Life = Life { secure: None, recover: None, installed: None, running: None, quiesce: None, ending: None, stop: None };
}

/// See [`Domain::run_first_program`].
pub type RunFirstProgram = fn(&mut Task, Name8, Area, Option<Arc<Channel>>) -> Result<(), Abend>;

/// See [`Domain::sql`].
pub type ExecuteSql = fn(&mut Task, FrameId, &SqlRequest) -> Result<SqlOutcome, SqlFailure>;

/// Why control does not return to the program after an SQL statement.
pub enum SqlFailure {
    /// As of a command.
    Raised(Raised),
    /// A fault in the program's data, with the place in the program.
    Departure(Departure),
}

impl From<Raised> for SqlFailure {
    fn from(raised: Raised) -> Self {
        SqlFailure::Raised(raised)
    }
}

/// A domain.
#[derive(Clone, Copy)]
pub struct Domain {
    pub name: &'static str,
    pub commands: &'static [fn() -> Commands],
    /// Its parts of a region and of a task.
    pub slots: &'static [&'static dyn AnySlot],
    pub resources: &'static [ResourceType],
    pub unit_of_work: Option<Participant>,
    pub life: Life,
    /// A task is about to begin, for the given request.
    pub task_attached: Option<fn(&mut Task, &mut AttachRequest)>,
    /// A task has its storage and is about to run its first program.
    pub task_begins: Option<fn(&mut Task)>,
    /// Whether this domain allows the task to be restarted after a deadlock. Called before the task's last backout.
    pub may_restart: Option<fn(&Task) -> bool>,
    /// Runs the first program of a task, with its COMMAREA and channel. One domain does.
    pub run_first_program: Option<RunFirstProgram>,
    /// Executes an EXEC SQL statement. One domain does.
    pub sql: Option<ExecuteSql>,
    /// A task has ended and its unit of work too; its storage is still there.
    pub task_ended: Option<fn(&mut Task)>,
    /// Programs of the region itself, by name.
    pub programs: &'static [(&'static str, NativeProgram)],
    /// Loads a new copy of a resource that is defined as a program but is not a load module (a mapset); false if it is not in a library,
    /// `None` for types of other domains.
    pub new_copy: Option<fn(&'static Region, ProgramType, Name8) -> Option<bool>>,
    /// The value that ASSIGN returns for an option of this domain; `None` for other domains' options.
    pub assign: Option<fn(&Task, OptionId) -> Option<Assigned>>,
    /// Its resources' figures, for the report.
    pub statistics: Option<fn(&'static Region) -> Vec<ResourceStatistics>>,
    /// Its statistics records.
    pub records: &'static [&'static RecordType],
    /// Its sections of the statistics report.
    pub report: Option<fn(&'static Region, &mut Report)>,
    /// Its sections of a system dump, besides its figures and its definitions. Called on QR, so it must not wait.
    pub dump: Option<fn(&'static Region) -> Vec<Section>>,
    /// Its sections of a transaction dump.
    pub task_dump: Option<fn(&Task) -> Vec<Section>>,
    /// Takes text that region and programs write to a queue (DISPLAY, messages).
    pub text_sink: Option<fn(&'static Region, queue: Name4, text: &str)>,
}

impl Domain {
    /// An empty domain, as the base of other descriptions.
    pub const NONE: Domain = Domain {
        name: "",
        commands: &[],
        slots: &[],
        resources: &[],
        unit_of_work: None,
        life: Life::NONE,
        task_attached: None,
        task_begins: None,
        may_restart: None,
        run_first_program: None,
        sql: None,
        task_ended: None,
        programs: &[],
        new_copy: None,
        assign: None,
        statistics: None,
        records: &[],
        report: None,
        dump: None,
        task_dump: None,
        text_sink: None,
    };
}

/// The domains of a region, with their descriptions combined for frequent lookups.
pub struct Registry {
    domains: &'static [&'static Domain],
    commands: Vec<Entry>,
    participants: Vec<Participant>,
    tasks_attached: Vec<fn(&mut Task, &mut AttachRequest)>,
    tasks_begin: Vec<fn(&mut Task)>,
    tasks_ended: Vec<fn(&mut Task)>,
    run_first_program: Option<RunFirstProgram>,
    sql: Option<ExecuteSql>,
    /// Types whose resources may be in other systems.
    systems: Vec<(&'static str, fn(&Region, &Target) -> Option<Name4>)>,
}

impl Registry {
    /// Gives every domain its slots; two regions of one process must have the same domains.
    pub fn new(domains: &'static [&'static Domain]) -> Registry {
        for slot in domains.iter().flat_map(|domain| domain.slots) {
            slot.register();
        }
        let types: Vec<&str> = domains.iter().flat_map(|domain| domain.resources).map(|resource| resource.name).collect();
        for (index, name) in types.iter().enumerate() {
            assert!(!types[..index].contains(name), "{name} is installed by two domains");
        }
        Registry {
            domains,
            commands: dispatch::table(domains.iter().flat_map(|domain| domain.commands).map(|commands| commands())),
            participants: domains.iter().filter_map(|domain| domain.unit_of_work).collect(),
            tasks_attached: domains.iter().filter_map(|domain| domain.task_attached).collect(),
            tasks_begin: domains.iter().filter_map(|domain| domain.task_begins).collect(),
            tasks_ended: domains.iter().filter_map(|domain| domain.task_ended).collect(),
            run_first_program: domains.iter().find_map(|domain| domain.run_first_program),
            sql: domains.iter().find_map(|domain| domain.sql),
            systems: {
                let types = domains.iter().flat_map(|domain| domain.resources);
                types.filter_map(|resource| Some((resource.name, resource.system?))).collect()
            },
        }
    }

    pub fn domains(&self) -> &'static [&'static Domain] {
        self.domains
    }

    /// The row of a command; `None` for a number that is not a command.
    #[inline]
    pub fn command(&self, command: CommandId) -> Option<&Entry> {
        self.commands.get(usize::from(command.0))
    }

    /// The domains with a part in units of work, in the order they are called.
    #[inline]
    pub fn participants(&self) -> &[Participant] {
        &self.participants
    }

    pub fn tasks_attached(&self) -> &[fn(&mut Task, &mut AttachRequest)] {
        &self.tasks_attached
    }

    pub fn tasks_begin(&self) -> &[fn(&mut Task)] {
        &self.tasks_begin
    }

    /// # Panics
    ///
    /// If no domain runs programs.
    pub fn run_first_program(&self) -> RunFirstProgram {
        self.run_first_program.expect("a domain runs programs")
    }

    pub fn sql(&self) -> Option<ExecuteSql> {
        self.sql
    }

    pub fn tasks_ended(&self) -> &[fn(&mut Task)] {
        &self.tasks_ended
    }

    /// One step in the life of every domain that has it.
    pub fn each<T: 'static>(&self, of: fn(&Life) -> Option<T>) -> impl Iterator<Item = T> {
        self.domains.iter().filter_map(move |domain| of(&domain.life))
    }

    pub fn may_restart(&self, task: &Task) -> bool {
        self.domains.iter().filter_map(|domain| domain.may_restart).all(|may| may(task))
    }

    /// The value of an ASSIGN option from its domain.
    pub fn assign(&self, task: &Task, option: OptionId) -> Option<Assigned> {
        self.domains.iter().filter_map(|domain| domain.assign).find_map(|assign| assign(task, option))
    }

    /// Whether it is one of the region's own programs.
    pub fn has_program(&self, name: &str) -> bool {
        self.domains.iter().flat_map(|domain| domain.programs).any(|(program, _)| *program == name)
    }

    /// A new copy of a resource that is not a load module; `None` if no domain keeps copies of this type.
    pub fn new_copy(&self, region: &'static Region, of: ProgramType, name: Name8) -> Option<bool> {
        self.domains.iter().filter_map(|domain| domain.new_copy).find_map(|new_copy| new_copy(region, of, name))
    }

    /// Backs out the changes of a unit of work in the store.
    pub fn back_out(&self, region: &Region, unit: &UnitOfWork) {
        match self.participants.iter().find_map(|participant| participant.back_out) {
            Some(back_out) => back_out(region, unit),
            None => unit.backout(),
        }
    }

    /// How a resource type is installed; `None` if no domain knows it.
    pub fn resource(&self, name: &str) -> Option<&'static ResourceType> {
        self.domains.iter().flat_map(|domain| domain.resources).find(|resource| resource.name == name)
    }

    /// The system in which a resource is, by its definition.
    pub fn system_of(&self, region: &Region, target: &Target) -> Option<Name4> {
        let (_, system) = self.systems.iter().find(|(name, _)| *name == target.resource)?;
        system(region, target)
    }

    /// Whether the authority is asked about the resource.
    pub fn is_protected(&self, region: &Region, target: &Target) -> bool {
        let is_protected = self.resource(target.resource).and_then(|resource| resource.is_protected);
        is_protected.is_none_or(|is_protected| is_protected(region, target))
    }

    /// The place of a type in the order of installation; types of no domain come last.
    pub fn install_rank(&self, name: &str) -> usize {
        let mut types = self.domains.iter().flat_map(|domain| domain.resources);
        types.position(|resource| resource.name == name).unwrap_or(usize::MAX)
    }

    /// Writes a line of text to a queue on behalf of the region or a program. Without a domain of queues it is dropped.
    pub fn write_text(&self, region: &'static Region, queue: Name4, text: &str) {
        for write in self.domains.iter().filter_map(|domain| domain.text_sink) {
            write(region, queue, text);
        }
    }
}
