//! `regent resources export`: the text of a file of resources.
//!
//! Invariants: the same definitions give the same text; read again, the text gives the same definitions; comments that stand above a key of
//! an earlier file stand above this key again.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use csd::attributes::{Attribute, Kind, resource_types};
use csd::{Csd, Definition};

use super::read::{GROUP, GROUPS, LIST};
use super::schema;
use super::yaml::{Node, compose, scalar};

/// Comment lines of an earlier file by what they stand above: the keys to it, joined by `/`.
#[derive(Debug, Default)]
pub struct Comments(BTreeMap<String, Vec<String>>);

impl Comments {
    /// Those of a text; none of one that is not YAML.
    pub fn of(text: &str) -> Comments {
        let mut comments = Comments::default();
        if let Ok(Some(node)) = compose(text) {
            let lines: Vec<&str> = text.lines().collect();
            comments.collect(&node, "", &lines);
        }
        comments
    }

    fn collect(&mut self, node: &Node, path: &str, lines: &[&str]) {
        let Node::Mapping(_, entries) = node else { return };
        for (key, value) in entries {
            let path = format!("{path}/{}", key.text);
            let line = key.place.line.saturating_sub(1).min(lines.len());
            // Behind another key of its line nothing stands above a key.
            let is_first = lines.get(line).is_some_and(|text| text.chars().take(key.place.column - 1).all(|c| c == ' '));
            let above = lines[..line].iter().rev().filter(|_| is_first);
            let comments = above.take_while(|line| line.trim_start().starts_with('#') || line.trim().is_empty());
            let mut comments: Vec<String> = comments.map(|line| line.trim().to_string()).filter(|line| !line.is_empty()).collect();
            comments.reverse();
            self.0.insert(path.clone(), comments);
            self.collect(value, &path, lines);
        }
    }

    fn write(&self, text: &mut String, path: &str, indentation: usize) {
        for line in self.0.get(path).into_iter().flatten() {
            let _ = writeln!(text, "{:indentation$}{line}", "");
        }
    }
}

/// The head of a file that has none yet.
fn head(what: &str, name: &str) -> String {
    format!("# yaml-language-server: $schema={}\n# Resource definitions: {what} {name} of the CSD.\n", schema::FILE_NAME)
}

/// The file of a group.
pub fn group(csd: &Csd, name: &str, comments: &Comments) -> String {
    let mut text = begin("group", GROUP, name, comments);
    for resource in resource_types() {
        let mut definitions = csd.group(name).filter(|definition| definition.resource.name == resource.name).peekable();
        if definitions.peek().is_none() {
            continue;
        }
        let _ = writeln!(text);
        comments.write(&mut text, &format!("/{}", resource.name), 0);
        let _ = writeln!(text, "{}:", resource.name);
        definitions.for_each(|definition| write_definition(&mut text, definition, comments));
    }
    text
}

/// The file of a list.
pub fn list(csd: &Csd, name: &str, comments: &Comments) -> String {
    let mut text = begin("list", LIST, name, comments);
    comments.write(&mut text, &format!("/{GROUPS}"), 0);
    let _ = writeln!(text, "{GROUPS}:");
    for group in csd.list(name).unwrap_or_default() {
        let _ = writeln!(text, "- {}", scalar(group, false));
    }
    text
}

fn begin(what: &str, key: &str, name: &str, comments: &Comments) -> String {
    let mut text = String::new();
    let path = format!("/{key}");
    match comments.0.get(&path) {
        Some(_) => comments.write(&mut text, &path, 0),
        None => text.push_str(&head(what, name)),
    }
    let _ = writeln!(text, "{key}: {}", scalar(name, false));
    text
}

fn write_definition(text: &mut String, definition: &Definition, comments: &Comments) {
    let path = format!("/{}/{}", definition.resource.name, definition.name);
    comments.write(text, &path, 2);
    let given: Vec<&Attribute> =
        definition.resource.attributes.iter().filter(|attribute| definition.attributes.contains_key(attribute.name)).collect();
    let name = scalar(&definition.name, false);
    if given.is_empty() {
        let _ = writeln!(text, "  {name}: {{}}");
        return;
    }
    let _ = writeln!(text, "  {name}:");
    for attribute in given {
        comments.write(text, &format!("{path}/{}", attribute.name), 4);
        let value = scalar(definition.get(attribute.name), has_numbers(attribute));
        let _ = writeln!(text, "    {}: {value}", attribute.name);
    }
}

/// Whether a value of the attribute may be a number.
pub fn has_numbers(attribute: &Attribute) -> bool {
    matches!(&attribute.kind, Kind::Choice { ranges, .. } if !ranges.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::read::{Contents, text_of};
    use super::*;
    use csd::attributes::Kind;
    use std::path::Path;

    /// Every type with every attribute: the first and last value of its table, and text that other readers of YAML could misread.
    fn everything() -> Csd {
        let mut csd = Csd::default();
        for resource in resource_types() {
            for (name, last) in [("A1", false), ("B2", true)] {
                let mut definition = Definition::new(resource.name, name, "ALL");
                for attribute in &resource.attributes {
                    let value = match &attribute.kind {
                        Kind::Choice { words, ranges } if last || words.is_empty() => {
                            ranges.last().map_or_else(|| words.last().unwrap_or(&"").to_string(), |range| range.high.to_string())
                        }
                        Kind::Choice { words, .. } => words[0].to_string(),
                        Kind::Text(length) | Kind::Mixed(length) | Kind::DataSet(length) => {
                            let text = if last { "0010: NO's #1" } else { "NO" };
                            text.chars().take(*length).collect()
                        }
                    };
                    definition.attributes.insert(attribute.name, attribute.check(&value).unwrap());
                }
                csd.put(definition);
            }
        }
        csd
    }

    #[test]
    fn every_attribute_of_every_type_is_read_back_as_it_was_written() {
        let csd = everything();
        let text = group(&csd, "ALL", &Comments::default());
        // The rules between attributes are for definitions of users; they are not what is tested here.
        let node = compose(&text).unwrap().unwrap();
        let Node::Mapping(_, entries) = node else { panic!() };
        let mut count = 0;
        for (kind, names) in entries.iter().filter(|(key, _)| key.text != GROUP) {
            let Node::Mapping(_, names) = names else { panic!("{}", kind.text) };
            for (name, attributes) in names {
                let Node::Mapping(_, attributes) = attributes else { panic!("{}", name.text) };
                let resource = resource_types().iter().find(|known| known.name == kind.text).unwrap();
                let definition = csd.definition("ALL", resource.name, &name.text).unwrap();
                assert_eq!(attributes.len(), resource.attributes.len());
                for (key, value) in attributes {
                    assert!(
                        matches!(value, Node::Scalar(scalar) if scalar.text == definition.get(&key.text)),
                        "{} {}",
                        kind.text,
                        key.text
                    );
                    count += 1;
                }
            }
        }
        assert_eq!(count, 2 * resource_types().iter().map(|resource| resource.attributes.len()).sum::<usize>());
    }

    #[test]
    fn comments_above_keys_stay_with_them() {
        let earlier = "# Owner: payroll\ngroup: PAY\n\n# All online programs\nPROGRAM:\n  # The menu\n  MENU: {EXECKEY: CICS}\n  # Gone\n  OLD:\n    EXECKEY: USER\n\
                       \nTRANSACTION:\n  MEN1:\n    # See change 4711\n    PRIORITY: 9\n    PROGRAM: MENU\n";
        let mut csd = Csd::default();
        csd.put(Definition::new("PROGRAM", "MENU", "PAY").with("EXECKEY", "CICS"));
        csd.put(Definition::new("PROGRAM", "NEW", "PAY"));
        csd.put(Definition::new("TRANSACTION", "MEN1", "PAY").with("PROGRAM", "MENU").with("PRIORITY", "10"));
        let text = group(&csd, "PAY", &Comments::of(earlier));
        let expected = "# Owner: payroll\ngroup: PAY\n\n# All online programs\nPROGRAM:\n  # The menu\n  MENU:\n    EXECKEY: CICS\n  NEW: {}\n\n\
                        TRANSACTION:\n  MEN1:\n    PROGRAM: MENU\n    # See change 4711\n    PRIORITY: 10\n";
        assert_eq!(text, expected);
        assert_eq!(group(&csd, "PAY", &Comments::of(&text)), text, "the same again");
        let file = text_of(Path::new("PAY.yaml"), &text).unwrap();
        assert!(matches!(&file.contents, Contents::Group(definitions) if definitions.len() == 3));
    }
}
