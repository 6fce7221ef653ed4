//! INQUIRE PROGRAM and SET PROGRAM.

use super::browse::{BrowseStep, chosen};
use crate::exec_interface::{Arguments, Outcome, raise};
use crate::name::Name8;
use crate::program_manager::{NewCopyFault, Program};
use crate::resources::{Api, Concurrency, Key, Language, ProgramType};
use crate::transaction_manager::Task;
use exec::{condition, cvda, option};
use std::sync::atomic::Ordering;

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let programs = &task.region.programs;
    let step = task.browse_step(arguments, option::PROGRAM, || programs.names(), |name: Name8| programs.find(name).is_some())?;
    let BrowseStep::One(name) = step else { return Ok(()) };
    let Some(program) = programs.find(name) else { return raise(condition::PGMIDERR, 7) };
    describe(&program, arguments)
}

fn describe(program: &Program, arguments: &mut Arguments) -> Outcome {
    let definition = program.definition();
    let loaded = program.is_loaded();
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
    let deduced = if program.is_cobol() {
        cvda::LE370
    } else if program.is_native() {
        cvda::ASSEMBLER
    } else {
        cvda::NOTDEFINED
    };
    let (address, length) = program.image().map_or((0xFF00_0000, program.length()), |(address, length)| (address as i64, length));
    let numbers = [
        (option::APIST, if definition.api == Api::Openapi { cvda::OPENAPI } else { cvda::CICSAPI }),
        (option::CEDFSTATUS, if definition.cedf { cvda::CEDF } else { cvda::NOCEDF }),
        (option::COBOLTYPE, if program.is_cobol() { cvda::COBOLII } else { cvda::NOTAPPLIC }),
        (option::COPY, if loaded { cvda::NOTREQUIRED } else { cvda::REQUIRED }),
        (
            option::CONCURRENCY,
            match definition.concurrency {
                Concurrency::Quasirent => cvda::QUASIRENT,
                Concurrency::Threadsafe => cvda::THREADSAFE,
                Concurrency::Required => cvda::REQUIRED,
            },
        ),
        (option::DATALOCATION, if definition.data_anywhere { cvda::ANY } else { cvda::BELOW }),
        (option::DYNAMSTATUS, if definition.dynamic { cvda::DYNAMIC } else { cvda::NOTDYNAMIC }),
        (option::ENTRYPOINT, address),
        (option::LOADPOINT, address),
        (option::EXECKEY, if definition.execkey == Key::Cics { cvda::CICSEXECKEY } else { cvda::USEREXECKEY }),
        (option::EXECUTIONSET, if definition.dpl_subset { cvda::DPLSUBSET } else { cvda::FULLAPI }),
        (option::HOLDSTATUS, if program.held.load(Ordering::Relaxed) > 0 { cvda::HOLD } else { cvda::NOHOLD }),
        (option::INSTALLAGENT, if program.autoinstalled { cvda::AUTOINSTALL } else { cvda::GRPLIST }),
        (option::LANGDEDUCED, deduced),
        (option::LANGUAGE, language),
        (option::LENGTH, length as i64),
        (option::LPASTATUS, cvda::NOTLPA),
        (option::PROGTYPE, program_type),
        (option::RESCOUNT, i64::from(program.in_use.load(Ordering::Relaxed))),
        (option::RESIDENCY, if definition.resident { cvda::RESIDENT } else { cvda::NONRESIDENT }),
        (option::SHARESTATUS, cvda::PRIVATE),
        (option::STATUS, if definition.enabled { cvda::ENABLED } else { cvda::DISABLED }),
        (option::RUNTIME, if program.is_cobol() { cvda::LE370 } else { cvda::NOTAPPLIC }),
        (option::USECOUNT, program.use_count.load(Ordering::Relaxed) as i64),
    ];
    for (option, value) in numbers {
        arguments.set_integer(option, value);
    }
    arguments.set_text(option::LIBRARY, &program.library())?;
    arguments.set_name(option::REMOTENAME, &definition.remote_name)?;
    arguments.set_name(option::REMOTESYSTEM, &definition.remote_system)?;
    arguments.set_name(option::TRANSID, &definition.transid)?;
    for option in [option::JVMCLASS, option::JVMPROFILE, option::JVMSERVER, option::LIBRARYDSN] {
        arguments.set_text(option, "")?;
    }
    Ok(())
}

pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::PROGRAM)?.unwrap_or_default();
    let region = task.region;
    let Some(program) = region.programs.find(name) else { return raise(condition::PGMIDERR, 7) };
    let status = chosen(arguments, option::STATUS, &[(option::ENABLED, cvda::ENABLED), (option::DISABLED, cvda::DISABLED)]);
    match status {
        None | Some(cvda::ENABLED) => {}
        // The region cannot do without its own programs.
        Some(cvda::DISABLED) if name.as_str().starts_with("DFH") => return raise(condition::INVREQ, 1),
        Some(cvda::DISABLED) => {}
        Some(_) => return raise(condition::INVREQ, 2),
    }
    let cedf = chosen(arguments, option::CEDFSTATUS, &[(option::CEDF, cvda::CEDF), (option::NOCEDF, cvda::NOCEDF)]);
    let execution_set =
        chosen(arguments, option::EXECUTIONSET, &[(option::DPLSUBSET, cvda::DPLSUBSET), (option::FULLAPI, cvda::FULLAPI)]);
    program.change(|definition| {
        definition.enabled = status.map_or(definition.enabled, |value| value == cvda::ENABLED);
        definition.cedf = cedf.map_or(definition.cedf, |value| value == cvda::CEDF);
        definition.dpl_subset = execution_set.map_or(definition.dpl_subset, |value| value == cvda::DPLSUBSET);
    });
    match chosen(arguments, option::COPY, &[(option::NEWCOPY, cvda::NEWCOPY), (option::PHASEIN, cvda::PHASEIN)]) {
        None => Ok(()),
        // Mapsets are not load modules: the mapping domain keeps their copies.
        Some(cvda::NEWCOPY | cvda::PHASEIN) if program.definition().program_type == ProgramType::Mapset => {
            if region.maps.new_copy(region, name) { Ok(()) } else { raise(condition::PGMIDERR, 8) }
        }
        Some(copy @ (cvda::NEWCOPY | cvda::PHASEIN)) => match region.programs.new_copy(region, &program, copy == cvda::PHASEIN) {
            Ok(()) => Ok(()),
            Err(NewCopyFault::InUse) => raise(condition::INVREQ, 3),
            Err(NewCopyFault::Held) => raise(condition::INVREQ, 5),
            Err(NewCopyFault::NotInLibrary) => raise(condition::PGMIDERR, 8),
        },
        Some(_) => raise(condition::INVREQ, 4),
    }
}
