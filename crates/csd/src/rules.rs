//! Rules over several attributes of one definition, for every way to make one.

use crate::file::Definition;

/// Why a definition is not complete or contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It lacks this attribute.
    Missing(&'static str),
    /// Two of its attributes exclude each other, or a value has a wrong form.
    Conflict(String),
}

/// Checks a definition that is to be installed or put into a CSD.
pub fn check(definition: &Definition) -> Result<(), Fault> {
    let given = |name: &str| definition.attributes.get(name).is_some_and(|value| !value.is_empty());
    // An indirect or remote form of a resource needs no attributes of the local form.
    let remote = given("REMOTESYSTEM") || given("REMOTENAME") || definition.is("DYNAMIC", "YES");
    for attribute in &definition.resource.attributes {
        if attribute.required && !given(attribute.name) && !remote {
            return Err(Fault::Missing(attribute.name));
        }
    }
    match definition.resource.name {
        "PROGRAM" if definition.is("API", "OPENAPI") && definition.is("CONCURRENCY", "QUASIRENT") => {
            Err(Fault::Conflict("API(OPENAPI) NEEDS CONCURRENCY(REQUIRED)".to_string()))
        }
        "TDQUEUE" if definition.is("TYPE", "INDIRECT") && !given("INDIRECTNAME") => Err(Fault::Missing("INDIRECTNAME")),
        "TSMODEL" => check_model(definition),
        _ => Ok(()),
    }
}

/// A TSMODEL has one prefix, and is of a pool or of another region.
fn check_model(definition: &Definition) -> Result<(), Fault> {
    let given = |name: &str| !definition.get(name).is_empty();
    for (one, other) in [("PREFIX", "XPREFIX"), ("REMOTEPREFIX", "XREMOTEPFX"), ("POOLNAME", "REMOTESYSTEM")] {
        if given(one) && given(other) {
            return Err(Fault::Conflict(format!("{one} AND {other} EXCLUDE EACH OTHER")));
        }
    }
    if !given("PREFIX") && !given("XPREFIX") {
        return Err(Fault::Conflict("NEEDS PREFIX OR XPREFIX".to_string()));
    }
    for name in ["XPREFIX", "XREMOTEPFX"] {
        let digits = definition.get(name);
        if !digits.len().is_multiple_of(2) || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(Fault::Conflict(format!("{name} NEEDS PAIRS OF HEXADECIMAL DIGITS")));
        }
    }
    Ok(())
}
