//! ENABLE PROGRAM, DISABLE PROGRAM, EXTRACT EXIT and RESYNC.
//!
//! INVEXITREQ says why in the second and third byte of EIBRCODE; the bits are named below. ENABLE PROGRAM checks everything before it changes
//! anything.

use super::call::Caller;
use super::message_exits;
use super::observer::CommandExits;
use super::table::{Concurrency, Exit, Exits, Key, Switch, WorkArea};
use super::task_related::resync::resync;
use super::task_related::{TaskRelatedManager, TaskStarts};
use crate::name::Name8;
use crate::{Arguments, Handler, Outcome, Raised, Region, Task};
use exec::{CommandId, ExitPoint, OptionId, command, condition, cvda, exit_point, exit_point_by_name, option};
use kernel::storage::Line;
use std::sync::Arc;

/// Bits of the second byte of EIBRCODE, and of the third, which has the rest.
mod reason {
    /// ENABLE: the program cannot be used. DISABLE and EXTRACT EXIT: the exit is not enabled.
    pub const PROGRAM: [u8; 2] = [0x80, 0];
    /// The name in EXIT is not that of an exit point.
    pub const EXIT_POINT: [u8; 2] = [0x40, 0];
    /// ENABLE: the exit is enabled already, and the option is for the first ENABLE only. DISABLE: the exit is not enabled at the point.
    pub const ALREADY: [u8; 2] = [0x20, 0];
    /// The exit is enabled at this point already.
    pub const AT_POINT: [u8; 2] = [0x10, 0];
    /// The exit in GAENTRYNAME is not enabled.
    pub const NO_OWNER: [u8; 2] = [0x08, 0];
    /// The exit in GAENTRYNAME, or that of EXTRACT EXIT, has no work area of its own.
    pub const NO_AREA: [u8; 2] = [0x04, 0];
    /// GALENGTH, GALOCATION, TALENGTH or ENTRY has a value that is not valid.
    pub const VALUE: [u8; 2] = [0x02, 0];
}

/// Longest global or local work area: a halfword without a sign.
const AREA_BYTES_MAX: i64 = 65_535;

/// Options of the first ENABLE of an exit only.
const FIRST_ONLY: [OptionId; 11] = [
    option::INDOUBTWAIT,
    option::LINKEDITMODE,
    option::TALENGTH,
    option::ENTRY,
    option::GALENGTH,
    option::GALOCATION,
    option::GAENTRYNAME,
    option::QUASIRENT,
    option::THREADSAFE,
    option::REQUIRED,
    option::OPENAPI,
];

/// Options of task-related user exits that later commands may turn on and off.
const SWITCHES: [(OptionId, Switch); 5] = [
    (option::TASKSTART, Switch::TaskStart),
    (option::SHUTDOWN, Switch::Shutdown),
    (option::SPI, Switch::ProgrammingInterface),
    (option::FORMATEDF, Switch::FormatEdf),
    (option::PURGEABLE, Switch::Purgeable),
];

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::ENABLE_PROGRAM, enable),
        (command::DISABLE_PROGRAM, disable),
        (command::EXTRACT_EXIT, extract),
        (command::RESYNC_ENTRYNAME, resync),
    ]
}

fn invalid<T>(reason: [u8; 2]) -> Result<T, Raised> {
    Err(Raised::Condition { condition: condition::INVEXITREQ, resp2: 0, access: reason, lengths: [0; 2] })
}

/// The exit that a command is about: without ENTRYNAME it has the name of its program ("Exit names").
fn key(arguments: &Arguments) -> Result<Key, Raised> {
    let program: Name8 = arguments.name(option::PROGRAM)?.unwrap_or_default();
    Ok(Key { program, entry: arguments.name(option::ENTRYNAME)?.unwrap_or(program) })
}

/// The exit point in EXIT, if it is given.
fn point(task: &Task, arguments: &Arguments) -> Result<Option<ExitPoint>, Raised> {
    let Some(name) = arguments.name::<8>(option::EXIT)? else { return Ok(None) };
    let Some(spec) = exit_point_by_name(name.as_str()) else { return invalid(reason::EXIT_POINT) };
    if let Some(why) = spec.absent {
        let program: Name8 = arguments.name(option::PROGRAM)?.unwrap_or_default();
        let what = format!("the exit point is never called: {why}");
        task.region.messages.send("DFHAP0700", &[("program", program.as_str()), ("point", spec.name), ("what", &what)]);
        return invalid(reason::EXIT_POINT);
    }
    Ok(Some(spec.point))
}

fn enable(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let key = key(arguments)?;
    let point = point(task, arguments)?;
    let region = task.region;
    let exits = Exits::of(region);
    let exit = match exits.named(key.entry) {
        Some(exit) if exit.key != key => return invalid(reason::ALREADY),
        Some(exit) => {
            if FIRST_ONLY.into_iter().any(|option| arguments.has(option)) {
                return invalid(reason::ALREADY);
            }
            if point.is_some_and(|point| exit.is_at(point)) {
                return invalid(reason::AT_POINT);
            }
            exit
        }
        None => match exits.add(first(task, arguments, key)?) {
            Some(exit) => exit,
            // Another task has enabled it while the program was loaded.
            None => return invalid(reason::ALREADY),
        },
    };
    region.extensions.exits.call_by(|| Box::new(Caller));
    if let Some(point) = point {
        // Another task may have enabled it there meanwhile.
        if !exits.associate(region, &exit, point) {
            return invalid(reason::AT_POINT);
        }
        if CommandExits::has(point) {
            CommandExits::install(region);
        }
        if point == exit_point::XMEOUT {
            message_exits::install(region);
        }
    }
    for (option, switch) in SWITCHES.into_iter().filter(|(option, _)| arguments.has(*option)) {
        exit.turn(switch, true);
        if option == option::TASKSTART {
            TaskStarts::install(region);
        }
    }
    if arguments.has(option::START) {
        if point.is_none() && exit.points().is_empty() {
            region.recovery().know(TaskRelatedManager::of(&exit));
        }
        exits.start(region, &exit, true);
    }
    Ok(())
}

/// The exit that the first ENABLE PROGRAM defines.
fn first(task: &mut Task, arguments: &Arguments, key: Key) -> Result<Exit, Raised> {
    let Ok(program) = task.ready_program(key.program) else { return invalid(reason::PROGRAM) };
    if program.program.is_native() {
        return invalid(reason::PROGRAM);
    }
    let entry = match arguments.integer(option::ENTRY) {
        None => None,
        // The module has been loaded by LOAD, and its entry point is where it begins.
        Some(address) => match program.program.image() {
            Some((start, _)) if start as i64 == address => Some(start),
            _ => return invalid(reason::PROGRAM),
        },
    };
    let mut exit = Exit::new(key, concurrency(arguments), work_area(task.region, arguments, key.entry)?, entry);
    exit.local_length = length(arguments, option::TALENGTH)?.unwrap_or(0);
    exit.turn(Switch::InDoubtWait, arguments.has(option::INDOUBTWAIT));
    Ok(exit)
}

/// The length of a work area. A halfword above 32767 is negative.
fn length(arguments: &Arguments, option: OptionId) -> Result<Option<usize>, Raised> {
    match arguments.integer(option) {
        None => Ok(None),
        Some(length @ 1..=AREA_BYTES_MAX) => Ok(Some(length as usize)),
        Some(length @ -32_768..=-1) => Ok(Some((length + AREA_BYTES_MAX + 1) as usize)),
        Some(_) => invalid(reason::VALUE),
    }
}

fn concurrency(arguments: &Arguments) -> Option<Concurrency> {
    let api = if arguments.has(option::OPENAPI) { csd::Api::Openapi } else { csd::Api::Cicsapi };
    let given = [
        (option::REQUIRED, csd::Concurrency::Required),
        (option::THREADSAFE, csd::Concurrency::Threadsafe),
        (option::QUASIRENT, csd::Concurrency::Quasirent),
        // OPENAPI alone is THREADSAFE OPENAPI.
        (option::OPENAPI, csd::Concurrency::Threadsafe),
    ];
    let (_, concurrency) = given.into_iter().find(|(option, _)| arguments.has(*option))?;
    Some(Concurrency { concurrency, api })
}

fn work_area(region: &'static Region, arguments: &Arguments, owner: Name8) -> Result<Option<Arc<WorkArea>>, Raised> {
    if let Some(other) = arguments.name::<8>(option::GAENTRYNAME)? {
        let Some(other) = Exits::of(region).named(other) else { return invalid(reason::NO_OWNER) };
        return match &other.area {
            Some(area) if other.owns_area() => Ok(Some(area.clone())),
            _ => invalid(reason::NO_AREA),
        };
    }
    let line = match arguments.integer(option::GALOCATION) {
        None | Some(cvda::LOC24) => Line::Below16M,
        Some(cvda::LOC31) => Line::Below2G,
        Some(_) => return invalid(reason::VALUE),
    };
    let Some(length) = length(arguments, option::GALENGTH)? else { return Ok(None) };
    match WorkArea::new(&region.storage, owner, length, line) {
        Ok(area) => Ok(Some(Arc::new(area))),
        Err(_) => invalid(reason::VALUE),
    }
}

fn disable(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let key = key(arguments)?;
    let point = point(task, arguments)?;
    let region = task.region;
    let exits = Exits::of(region);
    let Some(exit) = exits.find(key) else { return invalid(reason::PROGRAM) };
    if let Some(point) = point {
        if !exit.is_at(point) {
            return invalid(reason::ALREADY);
        }
        exits.dissociate(region, &exit, point);
    }
    SWITCHES.into_iter().filter(|(option, _)| arguments.has(*option)).for_each(|(_, switch)| exit.turn(switch, false));
    if arguments.has(option::EXITALL) {
        exits.remove(region, &exit);
    } else if arguments.has(option::STOP) {
        exits.start(region, &exit, false);
    }
    Ok(())
}

fn extract(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let Some(exit) = Exits::of(task.region).find(key(arguments)?) else { return invalid(reason::PROGRAM) };
    let Some(area) = &exit.area else { return invalid(reason::NO_AREA) };
    arguments.set_integer(option::GASET, area.address as i64);
    // The high-order bit of the halfword is set for a length above 32767.
    arguments.set_integer(option::GALENGTH, i64::from(area.length as u16 as i16));
    Ok(())
}
