//! The options of CSD commands that name groups, lists and definitions.

use crate::{Arguments, Raised, Task, raise};
use csd::attributes::{ResourceType, resource_type};
use csd::{Editor, Owner, edit};
use exec::resp2::csd as resp2;
use exec::{OptionId, condition, cvda, option};

/// The types of RESTYPE: the keyword, its CVDA, and the name of the type. Types of other releases have no definitions here.
const TYPES: [(OptionId, i64, &str); 36] = [
    (option::ATOMSERVICE, cvda::ATOMSERVICE, "ATOMSERVICE"),
    (option::BUNDLE, cvda::BUNDLE, "BUNDLE"),
    (option::CONNECTION, cvda::CONNECTION, "CONNECTION"),
    (option::CORBASERVER, cvda::CORBASERVER, "CORBASERVER"),
    (option::DB2CONN, cvda::DB2CONN, "DB2CONN"),
    (option::DB2ENTRY, cvda::DB2ENTRY, "DB2ENTRY"),
    (option::DB2TRAN, cvda::DB2TRAN, "DB2TRAN"),
    (option::DJAR, cvda::DJAR, "DJAR"),
    (option::DOCTEMPLATE, cvda::DOCTEMPLATE, "DOCTEMPLATE"),
    (option::DUMPCODE, cvda::DUMPCODE, "DUMPCODE"),
    (option::ENQMODEL, cvda::ENQMODEL, "ENQMODEL"),
    (option::FILE, cvda::FILE, "FILE"),
    (option::IPCONN, cvda::IPCONN, "IPCONN"),
    (option::JOURNALMODEL, cvda::JOURNALMODEL, "JOURNALMODEL"),
    (option::JVMSERVER, cvda::JVMSERVER, "JVMSERVER"),
    (option::LIBRARY, cvda::LIBRARY, "LIBRARY"),
    (option::LSRPOOL, cvda::LSRPOOL, "LSRPOOL"),
    (option::MAPSET, cvda::MAPSET, "MAPSET"),
    (option::MQCONN, cvda::MQCONN, "MQCONN"),
    (option::PARTITIONSET, cvda::PARTITIONSET, "PARTITIONSET"),
    (option::PARTNER, cvda::PARTNER, "PARTNER"),
    (option::PIPELINE, cvda::PIPELINE, "PIPELINE"),
    (option::PROCESSTYPE, cvda::PROCESSTYPE, "PROCESSTYPE"),
    (option::PROFILE, cvda::PROFILE, "PROFILE"),
    (option::PROGRAM, cvda::PROGRAM, "PROGRAM"),
    (option::REQUESTMODEL, cvda::REQUESTMODEL, "REQUESTMODEL"),
    (option::SESSIONS, cvda::SESSIONS, "SESSIONS"),
    (option::TCPIPSERVICE, cvda::TCPIPSERVICE, "TCPIPSERVICE"),
    (option::TDQUEUE, cvda::TDQUEUE, "TDQUEUE"),
    (option::TERMINAL, cvda::TERMINAL, "TERMINAL"),
    (option::TRANCLASS, cvda::TRANCLASS, "TRANCLASS"),
    (option::TRANSACTION, cvda::TRANSACTION, "TRANSACTION"),
    (option::TSMODEL, cvda::TSMODEL, "TSMODEL"),
    (option::TYPETERM, cvda::TYPETERM, "TYPETERM"),
    (option::URIMAP, cvda::URIMAP, "URIMAP"),
    (option::WEBSERVICE, cvda::WEBSERVICE, "WEBSERVICE"),
];

/// The CVDA of a type.
pub(super) fn type_value(resource: &ResourceType) -> i64 {
    TYPES.iter().find(|(_, _, name)| *name == resource.name).map_or(cvda::NOTAPPLIC, |(_, value, _)| *value)
}

/// The type that RESTYPE or its keyword names.
pub(super) fn type_of(arguments: &Arguments) -> Result<Option<&'static ResourceType>, Raised> {
    let keywords: Vec<(OptionId, i64)> = TYPES.iter().map(|(option, value, _)| (*option, *value)).collect();
    let Some(chosen) = arguments.chosen(option::RESTYPE, &keywords) else { return Ok(None) };
    let found =
        TYPES.iter().find(|(_, value, _)| *value == chosen).and_then(|(_, _, name)| resource_type(name).filter(|of| of.name == *name));
    found.map_or(raise(condition::INVREQ, resp2::RESTYPE), |of| Ok(Some(of)))
}

/// The name of a group or list in an option; INVREQ with this RESP2 if it has an invalid character.
pub(super) fn name(arguments: &Arguments, option: OptionId, fault: i32) -> Result<Option<String>, Raised> {
    match arguments.text(option)? {
        Some(name) if !edit::is_name(name.trim_end()) => raise(condition::INVREQ, fault),
        name => Ok(name),
    }
}

pub(super) fn group(arguments: &Arguments) -> Result<String, Raised> {
    Ok(name(arguments, option::GROUP, resp2::GROUP)?.unwrap_or_default())
}

pub(super) fn list(arguments: &Arguments) -> Result<String, Raised> {
    Ok(name(arguments, option::LIST, resp2::LIST)?.unwrap_or_default())
}

/// The name of a definition of this type in an option.
pub(super) fn definition_name(arguments: &Arguments, option: OptionId, of: &ResourceType, fault: i32) -> Result<Option<String>, Raised> {
    let Some(name) = arguments.text(option)? else { return Ok(None) };
    of.check_name(&name).map(Some).or(raise(condition::INVREQ, fault))
}

/// The type and name of the definition that a command is about: RESTYPE and RESID.
pub(super) fn definition(arguments: &Arguments) -> Result<Option<(&'static ResourceType, String)>, Raised> {
    let Some(of) = type_of(arguments)? else { return Ok(None) };
    let name = definition_name(arguments, option::RESID, of, resp2::RESID)?;
    Ok(Some((of, name.unwrap_or_default())))
}

/// The user as the owner of locks: known by region and user identifier.
pub(super) fn owner(task: &Task) -> Owner {
    let text = |name: &crate::name::Name8| name.as_str().trim_end().to_string();
    Owner { applid: text(&task.region.applid), user: text(&task.user_id) }
}

pub(super) fn editor(task: &Task) -> Editor {
    Editor::User(owner(task))
}
