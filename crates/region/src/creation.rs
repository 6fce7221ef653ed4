//! CREATE commands: a definition from the attributes in the command, installed at once.
//!
//! Invariant: an attribute that is not valid installs nothing.

use crate::{Arguments, Outcome, Raised, Task, raise};
use csd::Definition;
use csd::attributes::{Match, resource_type};
use csd::statement;
use exec::resp2::creation as resp2;
use exec::{OptionId, condition, option};

/// Longest text of attributes.
const ATTRIBUTES_BYTES_MAX: i64 = 32_767;
/// The group that INQUIRE shows for a resource that a program created.
const CREATED: &str = "";

/// CREATE, of a resource of this type named by this option. A syncpoint is part of it.
pub fn create(task: &mut Task, arguments: &Arguments, resource: &'static str, name_option: OptionId) -> Outcome {
    let name = arguments.text(name_option)?.unwrap_or_default();
    let text = attributes_text(arguments)?;
    let definition = definition(task, resource, &name, &text)?;
    let region = task.region;
    region.install(&definition).map_err(|reason| {
        let values = [("resource", resource), ("name", name.as_str()), ("reason", reason.as_str())];
        region.messages.send("DFHAM4833", &values);
        Raised::new(condition::INVREQ, resp2::NOT_INSTALLED)
    })?;
    task.syncpoint()
}

fn attributes_text(arguments: &Arguments) -> Result<String, Raised> {
    let Some(area) = arguments.area(option::ATTRIBUTES) else { return Ok(String::new()) };
    let length = match arguments.integer(option::ATTRLEN) {
        None => area.length as i64,
        Some(length) => length,
    };
    if !(0..=ATTRIBUTES_BYTES_MAX).contains(&length) {
        return raise(condition::LENGERR, resp2::ATTRLEN);
    }
    let bytes = arguments.bytes_of_length(option::ATTRIBUTES, length as usize)?.unwrap_or_default();
    Ok(arguments.code_page().text(&bytes))
}

fn definition(task: &Task, resource: &'static str, name: &str, text: &str) -> Result<Definition, Raised> {
    let refuse = |reason: String| {
        let values = [("resource", resource), ("name", name), ("reason", reason.as_str())];
        task.region.messages.send("DFHAM4833", &values);
        Raised::new(condition::INVREQ, resp2::ATTRIBUTES)
    };
    let of = resource_type(resource).expect("the type is in the table");
    let name = of.check_name(name).map_err(refuse)?;
    let (statements, errors) = statement::parse(&format!("DEFINE {text}"));
    if let Some(error) = errors.first() {
        return Err(refuse(error.message.clone()));
    }
    let mut definition = Definition::new(resource, &name, CREATED);
    for operand in statements.iter().flat_map(|statement| &statement.operands) {
        match of.attribute(&operand.keyword) {
            Match::Attribute(attribute) => {
                let value = attribute.check(operand.value.as_deref().unwrap_or_default()).map_err(refuse)?;
                definition.attributes.insert(attribute.name, value);
            }
            Match::Ignored => {}
            Match::Unknown | Match::Ambiguous(_) => return Err(refuse(format!("{} is not an attribute of {resource}", operand.keyword))),
        }
    }
    Ok(definition)
}
