//! CREATE commands: a definition from the attributes in the command, installed at once.
//!
//! Rules: "The ATTRIBUTES option" and "RESP2 values for EXEC CICS CREATE and EXEC CICS CSD commands" (System Programming Reference).
//! Invariants: an attribute that is not valid installs nothing; a successful CREATE commits the unit of work, and an installation that fails
//! backs it out; while a pool of terminals is being defined, nothing else is created.

mod faults;
mod pool;

pub use faults::raised as attribute_fault;

use crate::inquiry::switch;
use crate::name::Name4;
use crate::{Arguments, Domain, Handler, Outcome, Raised, Task, raise};
use csd::attributes::resource_type;
use csd::installed::Installer;
use csd::{Definition, attribute_text};
use exec::resp2::creation as resp2;
use exec::{CommandId, OptionId, command, condition, cvda, option};

/// The group of a definition that is in no CSD.
const CREATED: &str = "";
/// The queue that the attributes are logged in.
const LOG: Name4 = Name4::new("CSDL");

crate::task_part!(pool::TaskState);

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "creation of resources", commands: &[handlers], slots: &[&IN_TASK], ..Domain::NONE };

/// CREATE of types whose domains have no more to do for it than to install the definition.
const TYPES: [(CommandId, &str, OptionId); 14] = [
    (command::CREATE_DUMPCODE, "DUMPCODE", option::DUMPCODE),
    (command::CREATE_ENQMODEL, "ENQMODEL", option::ENQMODEL),
    (command::CREATE_FILE, "FILE", option::FILE),
    (command::CREATE_JOURNALMODEL, "JOURNALMODEL", option::JOURNALMODEL),
    (command::CREATE_LSRPOOL, "LSRPOOL", option::LSRPOOL),
    (command::CREATE_MAPSET, "MAPSET", option::MAPSET),
    (command::CREATE_PARTITIONSET, "PARTITIONSET", option::PARTITIONSET),
    (command::CREATE_PROFILE, "PROFILE", option::PROFILE),
    (command::CREATE_PROGRAM, "PROGRAM", option::PROGRAM),
    (command::CREATE_TDQUEUE, "TDQUEUE", option::TDQUEUE),
    (command::CREATE_TRANCLASS, "TRANCLASS", option::TRANCLASS),
    (command::CREATE_TRANSACTION, "TRANSACTION", option::TRANSACTION),
    (command::CREATE_TSMODEL, "TSMODEL", option::TSMODEL),
    (command::CREATE_TYPETERM, "TYPETERM", option::TYPETERM),
];

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::CREATE_DUMPCODE, create_of_type),
        (command::CREATE_ENQMODEL, create_of_type),
        (command::CREATE_FILE, create_of_type),
        (command::CREATE_JOURNALMODEL, create_of_type),
        (command::CREATE_LSRPOOL, create_of_type),
        (command::CREATE_MAPSET, create_of_type),
        (command::CREATE_PARTITIONSET, create_of_type),
        (command::CREATE_PROFILE, create_of_type),
        (command::CREATE_PROGRAM, create_of_type),
        (command::CREATE_TDQUEUE, create_of_type),
        (command::CREATE_TERMINAL, pool::create_terminal),
        (command::CREATE_TRANCLASS, create_of_type),
        (command::CREATE_TRANSACTION, create_of_type),
        (command::CREATE_TSMODEL, create_of_type),
        (command::CREATE_TYPETERM, create_of_type),
    ]
}

fn create_of_type(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let (_, resource, name_option) =
        TYPES.iter().find(|(command, ..)| *command == arguments.command).expect("the handlers are of the table");
    create(task, arguments, resource, *name_option)
}

/// CREATE, of a resource of this type named by this option. A syncpoint is part of it.
pub fn create(task: &mut Task, arguments: &Arguments, resource: &'static str, name_option: OptionId) -> Outcome {
    if pool::TaskState::of(&task.parts).is_open() {
        return raise(condition::ILLOGIC, resp2::POOL_IS_OPEN);
    }
    let definition = definition(task, arguments, resource, name_option)?;
    if !task.region.extensions.may_install(task, &definition) {
        return raise(condition::NOTAUTH, exec::resp2::authorization::SURROGATE);
    }
    log(task, arguments, &definition)?;
    install(task, &[definition])
}

/// Installs definitions and ends the unit of work: backed out if one of them cannot be installed.
fn install(task: &mut Task, definitions: &[Definition]) -> Outcome {
    let installer = Installer::of_program(task.program_name().as_str().trim_end(), task.user_id.as_str());
    for definition in definitions {
        if let Err(reason) = task.region.install_by(definition, installer.clone()) {
            task.region.report_install(definition, &reason);
            task.rollback();
            return raise(condition::INVREQ, resp2::NOT_INSTALLED);
        }
    }
    task.syncpoint()
}

/// The definition that a command makes.
fn definition(task: &Task, arguments: &Arguments, resource: &'static str, name_option: OptionId) -> Result<Definition, Raised> {
    let name = arguments.text(name_option)?.unwrap_or_default();
    let text = attributes_text(arguments, resp2::ATTRLEN)?;
    let of = resource_type(resource).expect("the type is in the table");
    let name = of.check_name(&name).map_err(|reason| {
        faults::report_name(task.region, resource, &name, &reason);
        Raised::new(condition::INVREQ, resp2::NAME)
    })?;
    let mut definition = Definition::new(resource, &name, CREATED);
    match attribute_text::complete(&mut definition, &text, false) {
        Ok(()) => Ok(definition),
        Err(fault) => Err(faults::raised(task.region, resource, &name, &fault)),
    }
}

/// The text of ATTRIBUTES, as long as ATTRLEN says. A negative length, or one beyond the longest string, raises LENGERR.
pub fn attributes_text(arguments: &Arguments, fault: i32) -> Result<String, Raised> {
    /// Longest text of attributes.
    const BYTES_MAX: i64 = 32_767;
    let Some(area) = arguments.area(option::ATTRIBUTES) else { return Ok(String::new()) };
    let length = arguments.integer(option::ATTRLEN).unwrap_or(area.length as i64);
    if !(0..=BYTES_MAX).contains(&length) {
        return raise(condition::LENGERR, fault);
    }
    let bytes = arguments.bytes_of_length(option::ATTRIBUTES, length as usize)?.unwrap_or_default();
    Ok(arguments.code_page().text(&bytes))
}

/// LOGMESSAGE: writes the attributes to CSDL unless the program asks not to.
fn log(task: &Task, arguments: &Arguments, definition: &Definition) -> Outcome {
    let is_logged = switch(arguments, option::LOGMESSAGE, (option::LOG, cvda::LOG), (option::NOLOG, cvda::NOLOG), resp2::LOGMESSAGE)?;
    if is_logged != Some(false) {
        let now = crate::clock::now_local();
        let (resource, name, attributes) = (definition.resource.name, &definition.name, attribute_text::text(definition));
        let (transid, user, program) = (task.transid.as_str(), task.user_id.as_str(), task.program_name());
        let line = format!("{} {} {user} {transid} {program} CREATE {resource}({name}) {attributes}", now.date_text(), now.time_text());
        task.region.registry.write_text(task.region, LOG, &line);
    }
    Ok(())
}
