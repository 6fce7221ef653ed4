//! The page of a resource type: the attributes of its DEFINE command, from the table that DFHCSDUP reads.

use csd::attributes::{Attribute, Kind, ResourceType, resource_type, resource_types};

use super::page::Page;

/// The page of a type by its whole name.
pub fn page(word: &str) -> Option<Page> {
    resource_types().iter().find(|candidate| candidate.name == word).map(of_type)
}

/// The page for the words after DEFINE: a type, which may be abbreviated as in a DEFINE command, and names of its attributes.
pub fn of_define(words: &[String]) -> Option<Page> {
    let (first, attributes) = words.split_first()?;
    let of = resource_type(first)?;
    let is_attribute = |word: &String| word == "GROUP" || of.attributes.iter().any(|attribute| attribute.name == word);
    attributes.iter().all(is_attribute).then(|| of_type(of))
}

fn of_type(of: &ResourceType) -> Page {
    let mut page = Page::new(format!("DEFINE {}", of.name));
    page.text("Definitions are read by `regent up` from the files of an application, and by `regent csdup`.");
    page.code(vec![format!("DEFINE {}(name) GROUP(group) attribute(value) ...", of.name)]);
    page.text(format!("A name has 1 to {} characters. The attributes can be given in any order.", of.name_length_max));
    let row = |attribute: &Attribute| {
        let default = if attribute.required { "must be given" } else { attribute.default };
        vec![attribute.name.to_string(), default.to_string(), values(&attribute.kind)]
    };
    page.table(&["Attribute", "Default", "Values"], of.attributes.iter().map(row).collect());
    page
}

fn values(kind: &Kind) -> String {
    match kind {
        Kind::Text(length) => format!("1 to {length} characters"),
        Kind::Mixed(length) => format!("1 to {length} characters, kept as written"),
        Kind::DataSet(length) => format!("1 to {length} characters, or the path of a directory, kept as written"),
        Kind::Choice { words, ranges } => {
            let ranges = ranges.iter().map(|range| format!("{} to {}", range.low, range.high));
            words.iter().map(|word| (*word).to_string()).chain(ranges).collect::<Vec<_>>().join(", ")
        }
    }
}

/// Adds the types to the page of DEFINE.
pub fn list(page: &mut Page) {
    page.heading("Definitions of resources");
    page.text("`regent help DEFINE FILE` shows the attributes of a file. The other types are:");
    let names = resource_types().iter().map(|of| of.name);
    page.text(names.filter(|name| *name != "FILE").collect::<Vec<_>>().join(", "));
}
