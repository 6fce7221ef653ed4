//! INQUIRE, SET and DISCARD PROGRAM.

use super::{TaskState, application};
use crate::control_blocks::application::{Application, Context, is_name};
use crate::control_blocks::changes::Change;
use crate::control_blocks::options::NULL_POINTER;
use crate::figures::ResourceType;
use crate::inquiry::{checked, either, is_browse, step_over};
use crate::name::Name8;
use crate::program_manager::loader_exits::LoadedCopy;
use crate::program_manager::{NewCopyFault, Program, ProgramManager, catalog};
use crate::statistics::recording;
use crate::{Arguments, Outcome, Raised, Task, raise};
use csd::{Api, Concurrency, Key, Language, ProgramDefinition, ProgramType};
use exec::resp2::programs as resp2;
use exec::{condition, cvda, option};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let programs = task.region.programs();
    let application = application::of_command(task, arguments)?;
    let program = if is_browse(arguments) {
        let from: Option<Name8> = arguments.name(option::AT)?;
        let code_page = arguments.code_page();
        let rows = || rows(programs, application.as_ref(), from, |name| code_page.encode_name(name));
        let exists = |program: &Arc<Program>| programs.find_for(program.owner(), program.name).is_some();
        let reached = step_over(arguments, &mut TaskState::of_mut(&mut task.parts).programs, rows, exists)?;
        let Some(program) = reached else { return Ok(()) };
        arguments.set_name(option::PROGRAM, &program.name)?;
        program
    } else {
        let name = arguments.name(option::PROGRAM)?.unwrap_or_default();
        let Some(program) = programs.find_for(application.as_ref(), name) else { return raise(condition::PGMIDERR, resp2::NO_PROGRAM) };
        program
    };
    let name = program.name;
    describe(&program, arguments)?;
    let resource = resource_name(program.definition().program_type);
    let agent = either(program.autoinstalled, cvda::AUTOINSTALL, cvda::GRPLIST);
    crate::inquiry::give_signature(task.region, arguments, resource, name.as_str(), agent)
}

/// What a task of an application finds by name: its own programs, and the public ones. In the order of the characters of the program, from a name
/// on.
fn rows<K: Ord>(
    programs: &ProgramManager,
    application: Option<&Arc<Application>>,
    from: Option<Name8>,
    key: impl Fn(&Name8) -> K,
) -> VecDeque<Arc<Program>> {
    let mut names = programs.names();
    names.extend(programs.public_entry_points());
    names.extend(application.map(|application| programs.private_names(application).0).unwrap_or_default());
    names.retain(|name| from.is_none_or(|from| key(name) >= key(&from)));
    names.sort_by_key(&key);
    names.dedup();
    names.into_iter().filter_map(|name| programs.find_for(application, name)).collect()
}

/// The type of the resource that defines it.
fn resource_name(program_type: ProgramType) -> &'static str {
    match program_type {
        ProgramType::Program => "PROGRAM",
        ProgramType::Mapset => "MAPSET",
        ProgramType::Partitionset => "PARTITIONSET",
    }
}

fn describe(program: &Program, arguments: &mut Arguments) -> Outcome {
    give_definition(&program.definition(), arguments)?;
    give_copy(program, arguments)?;
    application::give_entry_point(arguments, program.entry_point().as_deref(), program.owner())?;
    arguments.set_text(option::LIBRARYDSN, &program.library_data_set())?;
    arguments.set_blank(&[option::JVMCLASS, option::JVMPROFILE, option::JVMSERVER])
}

fn give_definition(definition: &ProgramDefinition, arguments: &mut Arguments) -> Outcome {
    let language = match definition.language {
        Language::Assembler => cvda::ASSEMBLER,
        Language::C => cvda::C,
        Language::Cobol => cvda::COBOL,
        Language::Le370 => cvda::LE370,
        Language::Pli => cvda::PLI,
        Language::NotDefined => cvda::NOTDEFINED,
    };
    let program_type = match definition.program_type {
        ProgramType::Program => cvda::PROGRAM,
        ProgramType::Mapset => cvda::MAPSET,
        ProgramType::Partitionset => cvda::PARTITIONSET,
    };
    let concurrency = match definition.concurrency {
        Concurrency::Quasirent => cvda::QUASIRENT,
        Concurrency::Threadsafe => cvda::THREADSAFE,
        Concurrency::Required => cvda::REQUIRED,
    };
    arguments.set_integers([
        (option::APIST, either(definition.api == Api::Openapi, cvda::OPENAPI, cvda::CICSAPI)),
        (option::CEDFSTATUS, either(definition.cedf, cvda::CEDF, cvda::NOCEDF)),
        (option::CONCURRENCY, concurrency),
        (option::DATALOCATION, either(definition.data_anywhere, cvda::ANY, cvda::BELOW)),
        (option::DYNAMSTATUS, either(definition.dynamic, cvda::DYNAMIC, cvda::NOTDYNAMIC)),
        (option::EXECKEY, either(definition.execkey == Key::Cics, cvda::CICSEXECKEY, cvda::USEREXECKEY)),
        (option::EXECUTIONSET, either(definition.dpl_subset, cvda::DPLSUBSET, cvda::FULLAPI)),
        (option::LANGUAGE, language),
        (option::PROGTYPE, program_type),
        (option::RESIDENCY, either(definition.resident, cvda::RESIDENT, cvda::NONRESIDENT)),
        (option::STATUS, either(definition.enabled, cvda::ENABLED, cvda::DISABLED)),
    ]);
    arguments.set_name(option::REMOTENAME, &definition.remote_name)?;
    arguments.set_name(option::REMOTESYSTEM, &definition.remote_system)?;
    arguments.set_name(option::TRANSID, &definition.transid)
}

/// What is known of the program itself, when there is a copy of it, and of its use.
fn give_copy(program: &Program, arguments: &mut Arguments) -> Outcome {
    let uses_environment = program.is_cobol() || program.is_c();
    let deduced = if uses_environment {
        cvda::LE370
    } else if program.is_native() {
        cvda::ASSEMBLER
    } else {
        cvda::NOTDEFINED
    };
    let run_time = match (program.definition().program_type, uses_environment) {
        (ProgramType::Program, true) if program.has(program::module::attributes::XPLINK) => cvda::XPLINK,
        (ProgramType::Program, true) => cvda::LE370,
        (ProgramType::Program, false) if !program.is_native() => cvda::UNKNOWN,
        _ => cvda::NOTAPPLIC,
    };
    let (address, length) = program.image().map_or((NULL_POINTER, program.length()), |(address, length)| (address as i64, length));
    arguments.set_integers([
        (option::COBOLTYPE, either(program.is_cobol(), cvda::COBOLII, cvda::NOTAPPLIC)),
        (option::COPY, either(program.is_loaded(), cvda::NOTREQUIRED, cvda::REQUIRED)),
        (option::ENTRYPOINT, address),
        (option::LOADPOINT, address),
        (option::HOLDSTATUS, either(program.held.load(Ordering::Relaxed) > 0, cvda::HOLD, cvda::NOHOLD)),
        (option::LANGDEDUCED, deduced),
        (option::LENGTH, length as i64),
        (option::LPASTATUS, cvda::NOTLPA),
        (option::REPLICATION, cvda::NOREPLICATOR),
        (option::RESCOUNT, i64::from(program.in_use.load(Ordering::Relaxed))),
        (option::RUNTIME, run_time),
        (option::SHARESTATUS, cvda::PRIVATE),
        (option::USECOUNT, program.use_count.load(Ordering::Relaxed) as i64),
    ]);
    arguments.set_text(option::LIBRARY, &program.library())
}

/// What SET PROGRAM asks for, checked. RESP2 values are those of the command's reference.
struct Changes {
    status: Option<i64>,
    cedf: Option<i64>,
    execution_set: Option<i64>,
    copy: Option<i64>,
}

fn changes(arguments: &Arguments, program: &Program) -> Result<Changes, Raised> {
    let status =
        checked(arguments, option::STATUS, &[(option::ENABLED, cvda::ENABLED), (option::DISABLED, cvda::DISABLED)], resp2::STATUS)?;
    let share =
        checked(arguments, option::SHARESTATUS, &[(option::SHARED, cvda::SHARED), (option::PRIVATE, cvda::PRIVATE)], resp2::SHARESTATUS)?;
    let copy = checked(arguments, option::COPY, &[(option::NEWCOPY, cvda::NEWCOPY), (option::PHASEIN, cvda::PHASEIN)], resp2::COPY)?;
    let cedf = checked(arguments, option::CEDFSTATUS, &[(option::CEDF, cvda::CEDF), (option::NOCEDF, cvda::NOCEDF)], resp2::CEDFSTATUS)?;
    let sets = [(option::DPLSUBSET, cvda::DPLSUBSET), (option::FULLAPI, cvda::FULLAPI)];
    let execution_set = checked(arguments, option::EXECUTIONSET, &sets, resp2::EXECUTIONSET)?;
    let runtime = checked(arguments, option::RUNTIME, &[(option::JVM, cvda::JVM), (option::NOJVM, cvda::NOJVM)], resp2::RUNTIME)?;
    let definition = program.definition();
    if is_own(program.name) && (status == Some(cvda::DISABLED) || execution_set == Some(cvda::DPLSUBSET)) {
        return raise(condition::INVREQ, resp2::OWN_PROGRAM);
    }
    let of_program = cedf.is_some() || execution_set.is_some();
    if !definition.remote_system.is_blank() && (of_program || copy.is_some() || share.is_some()) {
        return raise(condition::INVREQ, resp2::REMOTE);
    }
    match definition.program_type {
        ProgramType::Mapset if of_program => return raise(condition::INVREQ, resp2::MAPSET),
        ProgramType::Partitionset if of_program => return raise(condition::INVREQ, resp2::PARTITION_SET),
        _ => {}
    }
    if runtime == Some(cvda::JVM) {
        // There is no Java virtual machine.
        return raise(condition::INVREQ, resp2::JVM);
    }
    Ok(Changes { status, cedf, execution_set, copy })
}

/// The region cannot do without its own programs.
fn is_own(name: Name8) -> bool {
    name.as_str().starts_with("DFH")
}

pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::PROGRAM)?.unwrap_or_default();
    let region = task.region;
    let Some(program) = region.programs().find(name) else { return raise(condition::PGMIDERR, resp2::NO_PROGRAM_TO_SET) };
    if program.owner().is_some() {
        return raise(condition::INVREQ, resp2::OF_APPLICATION);
    }
    let Changes { status, cedf, execution_set, copy } = changes(arguments, &program)?;
    declare(arguments, &program)?;
    let word = |enabled: bool| if enabled { "ENABLED" } else { "DISABLED" };
    let was_enabled = program.definition().enabled;
    program.change(|definition| {
        definition.enabled = status.map_or(definition.enabled, |value| value == cvda::ENABLED);
        definition.cedf = cedf.map_or(definition.cedf, |value| value == cvda::CEDF);
        definition.dpl_subset = execution_set.map_or(definition.dpl_subset, |value| value == cvda::DPLSUBSET);
    });
    catalog::modified(region, &program);
    let is_enabled = program.definition().enabled;
    if is_enabled != was_enabled {
        let (from, to) = (word(was_enabled), word(is_enabled));
        region.changes.tell(region, Change::ProgramEnable { program: name.as_str(), from, to });
    }
    let Some(copy) = copy else { return Ok(()) };
    // Mapsets are not load modules: their domain keeps their copies.
    if let Some(fetched) = region.registry.new_copy(region, program.definition().program_type, name) {
        return if fetched { Ok(()) } else { raise(condition::PGMIDERR, resp2::NEW_COPY_NOT_LOADED) };
    }
    let old = LoadedCopy::of(&program);
    match region.programs().new_copy(region, &program, copy == cvda::PHASEIN) {
        Ok(_) => {
            task.copy_given_up(old);
            task.copy_loaded(&program);
            Ok(())
        }
        Err(NewCopyFault::InUse) => raise(condition::INVREQ, resp2::NEW_COPY_IN_USE),
        Err(NewCopyFault::Held) => raise(condition::INVREQ, resp2::NEW_COPY_HELD),
        Err(NewCopyFault::NotInLibrary) => raise(condition::PGMIDERR, resp2::NEW_COPY_NOT_LOADED),
    }
}

/// OPERATION makes the program an application entry point without an application; blank, no longer one ("Using the SET PROGRAM OPERATION command
/// to experiment with application context").
fn declare(arguments: &Arguments, program: &Program) -> Outcome {
    let Some(operation) = arguments.text(option::OPERATION)? else { return Ok(()) };
    let is_of_bundle = program.entry_point().is_some_and(|context| !context.is_experiment);
    if is_own(program.name) || is_of_bundle || !(operation.is_empty() || is_name(&operation)) {
        return raise(condition::INVREQ, resp2::OPERATION);
    }
    program.declare((!operation.is_empty()).then(|| Arc::new(Context { application: None, operation, is_experiment: true })));
    Ok(())
}

/// DISCARD PROGRAM of a program, mapset or partition set that no task uses.
pub(super) fn discard(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::PROGRAM)?.unwrap_or_default();
    let region = task.region;
    let Some(program) = region.programs().find(name) else { return raise(condition::PGMIDERR, resp2::NO_PROGRAM_TO_SET) };
    if is_own(name) {
        return raise(condition::INVREQ, resp2::OWN_PROGRAM);
    }
    if program.owner().is_some() {
        return raise(condition::INVREQ, resp2::OF_APPLICATION);
    }
    if program.in_use.load(Ordering::Acquire) > 0 {
        return raise(condition::INVREQ, resp2::IN_USE);
    }
    let old = LoadedCopy::of(&program);
    recording::replaced(region, ResourceType::Program, name.as_str(), || region.programs().discard(name));
    task.copy_given_up(old);
    catalog::discarded(region, &program);
    region.installed.write().remove(resource_name(program.definition().program_type), name.as_str());
    Ok(())
}
