//! Resource definitions in bundles: an element `cicsdefinitionTYPE` whose attributes are those of the CSD in small letters.
//!
//! CICS Explorer writes them, with the attributes of CICSPlex SM. What only CICSPlex SM has is passed over; N_A is no value.

use crate::xml;
use csd::Definition;
use csd::attributes::{Match, resource_type};
use roxmltree::Node;

/// How the element of a definition begins.
const ELEMENT: &str = "cicsdefinition";
/// Attributes about the definition as an object of CICSPlex SM.
const OF_THE_OBJECT: [&str; 12] = [
    "name",
    "version",
    "userdata1",
    "userdata2",
    "userdata3",
    "createtime",
    "changetime",
    "changeusrid",
    "changeagent",
    "changeagrel",
    "defver",
    "schemalocation",
];
/// Attributes that the CSD calls something else: type, name in bundles, name in the CSD.
const RENAMED: [(&str, &str, &str); 8] = [
    ("TRANSACTION", "TCLASS", "TRANCLASS"),
    ("TRANSACTION", "LOCALQ", ""),
    ("TRANSACTION", "DESCRIPTION", "DESCRIPTION"),
    ("FILE", "LSRPOOLID", "LSRPOOLNUM"),
    ("PROGRAM", "ENTRYPOINT", ""),
    ("PROGRAM", "OPERATION", ""),
    ("PROGRAM", "JVMCLASSPATH", ""),
    ("PROGRAM", "LENGTH", ""),
];
/// An attribute that does not apply.
const NOT_APPLICABLE: &str = "N_A";

/// The definition of a part.
///
/// # Errors
///
/// The text is not a definition of this type and name, or has an attribute or value that the type does not have.
pub fn parse(text: &str, resource: &str, name: &str, bundle: &str) -> Result<Definition, String> {
    let document = xml::parse(text)?;
    let root = document.root_element();
    let expected = format!("{ELEMENT}{}", resource.to_ascii_lowercase());
    if root.tag_name().name() != expected {
        return Err(format!("the root element is {}, not {expected}", root.tag_name().name()));
    }
    let of = resource_type(resource).filter(|of| of.name == resource).ok_or_else(|| format!("{resource} is not a resource type"))?;
    let given = of.check_name(xml::attribute(root, "name"))?;
    if given != of.folded(name) {
        return Err(format!("it defines {given}, not {name}"));
    }
    let mut definition = Definition::new(of.name, &given, bundle);
    for attribute in root.attributes().filter(|attribute| !OF_THE_OBJECT.contains(&attribute.name().to_ascii_lowercase().as_str())) {
        let keyword = attribute.name().to_ascii_uppercase();
        let renamed = RENAMED.iter().find(|(known, old, _)| *known == of.name && *old == keyword);
        let keyword = renamed.map_or(keyword.as_str(), |(_, _, now)| now);
        let value = attribute.value().trim();
        if keyword.is_empty() || value == NOT_APPLICABLE {
            continue;
        }
        match of.attribute(keyword) {
            Match::Attribute(known) => definition.attributes.insert(known.name, known.check(value)?),
            Match::Ignored => None,
            Match::Unknown | Match::Ambiguous(_) => return Err(format!("{keyword} is not an attribute of {resource}")),
        };
    }
    require(&definition, root)?;
    Ok(definition)
}

fn require(definition: &Definition, root: Node) -> Result<(), String> {
    let missing = definition.resource.attributes.iter().find(|attribute| attribute.required && definition.get(attribute.name).is_empty());
    match missing {
        Some(attribute) => Err(format!("{} has no {}", root.tag_name().name(), attribute.name)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMESPACE: &str = "http://www.ibm.com/xmlns/prod/CICS/smw2int";

    fn transaction(attributes: &str) -> Result<Definition, String> {
        let text = format!(r#"<cicsdefinitiontransaction xmlns="{NAMESPACE}" {attributes}/>"#);
        parse(&text, "TRANSACTION", "TRND", "BUND")
    }

    #[test]
    fn attributes_are_those_of_the_csd() {
        let read = transaction(r#"description="Demo" localq="N_A" name="TRND" program="PROGDEF1" tclass="CLASSA" version="1""#).unwrap();
        assert_eq!((read.resource.name, read.name.as_str(), read.group.as_str()), ("TRANSACTION", "TRND", "BUND"));
        assert_eq!((read.get("PROGRAM"), read.get("TRANCLASS"), read.get("DESCRIPTION")), ("PROGDEF1", "CLASSA", "Demo"));
    }

    #[test]
    fn other_names_types_and_attributes_are_refused() {
        assert!(transaction(r#"name="OTHR" program="P""#).unwrap_err().contains("defines OTHR, not TRND"));
        assert!(transaction(r#"name="TOOLONG" program="P""#).unwrap_err().contains("longer than 4"));
        assert!(transaction(r#"name="TRND" program="P" colour="RED""#).unwrap_err().contains("COLOUR is not an attribute"));
        assert!(transaction(r#"name="TRND" program="P" status="MAYBE""#).unwrap_err().contains("MAYBE"));
        assert!(parse("<cicsdefinitionfile name='F'/>", "PROGRAM", "F", "B").unwrap_err().contains("cicsdefinitionfile"));
    }
}
