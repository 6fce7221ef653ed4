//! `regent resources schema`: the JSON Schema of files of resources, from the table of attributes, so that editors complete and check them.

use csd::attributes::{Attribute, Kind, ResourceType, resource_types};
use serde_json::{Map, Value, json};

use super::read::{GROUP, GROUPS, LIST};

/// The name that the heads of files refer to.
pub const FILE_NAME: &str = "regent-resources.schema.json";
/// The draft that the language servers of editors know.
const DRAFT: &str = "http://json-schema.org/draft-07/schema#";
/// Names of groups and lists.
const NAME_PATTERN: &str = "^(?!DFH)[A-Z0-9$@#]{1,8}$";

pub fn schema() -> Value {
    let name = |what: &str| json!({ "type": "string", "pattern": NAME_PATTERN, "description": what });
    let mut properties = Map::new();
    let mut definitions = Map::new();
    properties.insert(GROUP.to_string(), name("The group of the CSD that this file defines."));
    properties.insert(LIST.to_string(), name("The list of the CSD that this file defines."));
    properties.insert(
        GROUPS.to_string(),
        json!({
            "type": "array", "items": name("A group of the list."), "minItems": 1, "uniqueItems": true,
            "description": "The groups of the list, in the order in which they are installed.",
        }),
    );
    for resource in resource_types() {
        properties.insert(resource.name.to_string(), names(resource));
        definitions.insert(resource.name.to_string(), attributes(resource));
    }
    json!({
        "$schema": DRAFT,
        "title": "Resource definitions of a group or list of the CSD",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "oneOf": [{ "required": [GROUP], "not": { "required": [GROUPS] } }, { "required": [LIST, GROUPS] }],
        "definitions": definitions,
    })
}

/// The definitions of a type by their names.
fn names(resource: &ResourceType) -> Value {
    json!({
        "type": ["object", "null"],
        "description": format!("{} definitions by name, of 1 to {} characters.", resource.name, resource.name_length_max),
        "propertyNames": { "pattern": name_pattern(resource) },
        "additionalProperties": { "$ref": format!("#/definitions/{}", resource.name) },
    })
}

fn name_pattern(resource: &ResourceType) -> String {
    // Only the hyphen has a meaning between brackets.
    let others = resource.other_name_characters().replace('-', "\\-");
    let letters = if resource.has_mixed_case_names() { "A-Za-z" } else { "A-Z" };
    format!("^[{letters}0-9{others}]{{1,{}}}$", resource.name_length_max)
}

fn attributes(resource: &ResourceType) -> Value {
    let properties: Map<String, Value> =
        resource.attributes.iter().map(|attribute| (attribute.name.to_string(), value(resource, attribute))).collect();
    // A definition of a resource of another region lacks attributes of the local one, so that none is required here.
    json!({ "type": ["object", "null"], "properties": properties, "additionalProperties": false })
}

fn value(resource: &ResourceType, attribute: &Attribute) -> Value {
    let mut schema = match &attribute.kind {
        Kind::Text(length) => json!({ "type": "string", "maxLength": length }),
        Kind::Mixed(length) => json!({ "type": "string", "maxLength": length }),
        Kind::DataSet(length) => {
            json!({ "type": "string", "pattern": format!("^([^/]{{0,{length}}}|(?=.*/).{{1,{}}})$", csd::attributes::PATH_LENGTH_MAX) })
        }
        Kind::Choice { words, ranges } => {
            let mut choices: Vec<Value> = Vec::new();
            if !words.is_empty() {
                choices.push(json!({ "enum": words }));
            }
            choices.extend(ranges.iter().map(|range| json!({ "type": "integer", "minimum": range.low, "maximum": range.high })));
            choices.push(json!({ "const": "" }));
            json!({ "anyOf": choices })
        }
    };
    let text = format!("{} {}: {}", resource.name, attribute.name, description(attribute));
    schema["description"] = Value::from(text);
    if !attribute.default.is_empty() {
        schema["default"] = match attribute.default.parse::<u64>() {
            Ok(number) if super::write::has_numbers(attribute) => Value::from(number),
            _ => Value::from(attribute.default),
        };
    }
    schema
}

/// The values and the default in words.
fn description(attribute: &Attribute) -> String {
    let values = match &attribute.kind {
        Kind::Text(length) => format!("up to {length} characters, folded to upper case"),
        Kind::Mixed(length) => format!("up to {length} characters, kept as written"),
        Kind::DataSet(length) => format!("a name of up to {length} characters, or the path of a directory"),
        Kind::Choice { words, ranges } => {
            let ranges = ranges.iter().map(|range| format!("{} to {}", range.low, range.high));
            words.iter().map(|word| (*word).to_string()).chain(ranges).collect::<Vec<_>>().join(", ")
        }
    };
    match (attribute.required, attribute.default) {
        (true, _) => format!("{values}; must be given."),
        (false, "") => format!("{values}."),
        (false, default) => format!("{values}; {default} by default."),
    }
}
