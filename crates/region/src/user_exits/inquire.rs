//! INQUIRE EXITPROGRAM.
//!
//! An exit is named by EXITPROGRAM and ENTRYNAME as in the ENABLE PROGRAM that defined it. A browse has the order in which exits were enabled,
//! of all or of an exit point.

use super::TaskState;
use super::table::{Exit, Exits, Key, Switch};
use super::task_related::connection;
use crate::control_blocks::options::NULL_POINTER;
use crate::inquiry::{either, is_browse, step};
use crate::name::Name8;
use crate::{Arguments, Handler, Outcome, Raised, Task, raise};
use csd::{Api, Concurrency};
use exec::resp2::exits as resp2;
use exec::{CommandId, ExitPoint, command, condition, cvda, exit_point_by_name, option};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The length of QUALIFIER, of which a resource manager has eight characters.
const QUALIFIER_BYTES: usize = 17;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[(command::INQUIRE_EXITPROGRAM, inquire)]
}

fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let point = point(arguments)?;
    let exits = Exits::of(task.region);
    let exit = if is_browse(arguments) {
        let rows = || exits.all().iter().filter(|exit| point.is_none_or(|point| exit.is_at(point))).map(|exit| exit.key).collect();
        let browse = &mut TaskState::of_mut(&mut task.parts).browse;
        let exit = loop {
            let Some(key) = step(arguments, browse, rows)? else { return Ok(()) };
            // One that has been disabled since is passed over.
            if let Some(exit) = exits.find(key) {
                break exit;
            }
        };
        arguments.set_name(option::EXITPROGRAM, &exit.key.program)?;
        arguments.set_name(option::ENTRYNAME, &exit.key.entry)?;
        exit
    } else {
        let program: Name8 = arguments.name(option::EXITPROGRAM)?.unwrap_or_default();
        let entry: Option<Name8> = arguments.name(option::ENTRYNAME)?;
        let entry = entry.filter(|entry| !entry.is_blank()).unwrap_or(program);
        let found = exits.find(Key { program, entry }).filter(|exit| point.is_none_or(|point| exit.is_at(point)));
        let Some(exit) = found else { return raise(condition::PGMIDERR, resp2::NOT_ENABLED) };
        exit
    };
    describe(task, &exit, arguments)
}

/// The exit point in EXIT; it begins a browse, or limits the inquiry.
fn point(arguments: &Arguments) -> Result<Option<ExitPoint>, Raised> {
    let name: Option<Name8> = arguments.name(option::EXIT)?;
    let Some(name) = name.filter(|name| !name.is_blank()) else { return Ok(None) };
    match exit_point_by_name(name.as_str()) {
        Some(spec) => Ok(Some(spec.point)),
        None => raise(condition::INVREQ, resp2::EXIT_POINT),
    }
}

fn describe(task: &mut Task, exit: &Arc<Exit>, arguments: &mut Arguments) -> Outcome {
    let program = task.region.programs().find(exit.key.program);
    let definition = program.as_ref().map(|program| program.definition());
    let of_definition = definition.map_or((Concurrency::Quasirent, Api::Cicsapi), |definition| (definition.concurrency, definition.api));
    let (concurrency, api) = exit.concurrency.map_or(of_definition, |given| (given.concurrency, given.api));
    let concurrency = match concurrency {
        Concurrency::Quasirent => cvda::QUASIRENT,
        Concurrency::Threadsafe => cvda::THREADSAFE,
        Concurrency::Required => cvda::REQUIRED,
    };
    let (users, owner, length) = match &exit.area {
        Some(area) if exit.owns_area() => (Exits::of(task.region).users_of(area) as i64, area.owner, area.length),
        Some(area) => (0, area.owner, area.length),
        None => (0, Name8::BLANK, 0),
    };
    // The exit itself knows; it is asked only if the command wants it.
    let asks = [option::CONNECTST, option::QUALIFIER].into_iter().any(|option| arguments.has(option));
    let answer = if asks { connection(task, exit) } else { None };
    let connected = match &answer {
        None => cvda::NOTAPPLIC,
        Some((true, _)) => cvda::CONNECTED,
        Some((false, _)) => cvda::NOTCONNECTED,
    };
    let on = |switch| exit.is_on(switch);
    arguments.set_integers([
        (option::APIST, either(api == Api::Openapi, cvda::OPENAPI, cvda::CICSAPI)),
        (option::CONCURRENTST, concurrency),
        (option::CONNECTST, connected),
        (option::ENTRY, exit.entry.map_or(NULL_POINTER, |address| address as i64)),
        (option::FORMATEDFST, either(on(Switch::FormatEdf), cvda::FORMATEDF, cvda::NOFORMATEDF)),
        (option::GALENGTH, length as i64),
        (option::GAUSECOUNT, users),
        (option::INDOUBTST, either(on(Switch::InDoubtWait), cvda::WAIT, cvda::NOWAIT)),
        (option::NUMEXITS, exit.points().len() as i64),
        (option::PURGEABLEST, either(on(Switch::Purgeable), cvda::PURGEABLE, cvda::NOTPURGEABLE)),
        (option::SHUTDOWNST, either(on(Switch::Shutdown), cvda::SHUTDOWN, cvda::NOSHUTDOWN)),
        (option::SPIST, either(on(Switch::ProgrammingInterface), cvda::SPI, cvda::NOSPI)),
        (option::STARTSTATUS, either(exit.is_started(), cvda::STARTED, cvda::STOPPED)),
        (option::TALENGTH, exit.local_length as i64),
        (option::TASKSTARTST, either(on(Switch::TaskStart), cvda::TASKSTART, cvda::NOTASKSTART)),
        (option::USECOUNT, exit.uses.load(Ordering::Relaxed) as i64),
    ]);
    arguments.set_name(option::GAENTRYNAME, &owner)?;
    match answer {
        Some((_, mut qualifier)) => {
            qualifier.resize(QUALIFIER_BYTES, task.region.code_page.space());
            arguments.set_bytes(option::QUALIFIER, &qualifier)
        }
        None => arguments.set_blank(&[option::QUALIFIER]),
    }
}
