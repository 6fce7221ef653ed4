//! Files of resources: one for each group and each list of the CSD.
//!
//! Every fault of a file is found in one pass. Invariant: a file without a fault has definitions that DFHCSDUP would accept, each once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use csd::attributes::{Match, ResourceType, resource_types};
use csd::edit::is_name;
use csd::file::is_supplied;
use csd::{Definition, Part, rules};

use super::yaml::{self, Fault, Node, Place, Scalar};

/// The key of the name of a group, of a list, and of the groups of a list.
pub const GROUP: &str = "group";
pub const LIST: &str = "list";
pub const GROUPS: &str = "groups";
/// Files of an extension that is read.
pub const EXTENSION: &str = "yaml";
/// The other extension of YAML, which would be overlooked.
const OTHER_EXTENSION: &str = "yml";
/// Larger files are no definitions.
const BYTES_MAX: u64 = 16 << 20;

/// A definition with its places in the file.
#[derive(Debug, Clone)]
pub struct Written {
    pub definition: Definition,
    pub place: Place,
    pub attributes: BTreeMap<&'static str, Place>,
}

#[derive(Debug)]
pub enum Contents {
    Group(Vec<Written>),
    List(Vec<String>),
}

/// A file of resources.
#[derive(Debug)]
pub struct File {
    pub path: PathBuf,
    pub name: String,
    pub contents: Contents,
}

impl File {
    pub fn part(&self) -> Part {
        match self.contents {
            Contents::Group(_) => Part::Group,
            Contents::List(_) => Part::List,
        }
    }

    pub fn definitions(&self) -> &[Written] {
        match &self.contents {
            Contents::Group(definitions) => definitions,
            Contents::List(_) => &[],
        }
    }
}

/// `PAY.yaml:3:5: what is wrong`
pub fn located(path: &Path, fault: &Fault) -> String {
    format!("{}:{}:{}: {}", path.display(), fault.place.line, fault.place.column, fault.text)
}

/// The files of a directory in the order of their names, or all faults.
pub fn directory(directory: &Path) -> Result<Vec<File>, Vec<String>> {
    let unreadable = |error: std::io::Error| vec![format!("{}: {error}; name the directory that `export` wrote", directory.display())];
    let entries = std::fs::read_dir(directory).map_err(unreadable)?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let has_extension = |path: &Path, meant: &str| path.is_file() && path.extension().is_some_and(|extension| extension == meant);
    paths.sort();
    let other = paths.iter().filter(|path| has_extension(path, OTHER_EXTENSION));
    let mut faults: Vec<String> = other.map(|path| format!("{}: the extension is .{EXTENSION}; rename it", path.display())).collect();
    paths.retain(|path| has_extension(path, EXTENSION));
    let mut files: Vec<File> = Vec::new();
    for path in paths {
        match file(&path) {
            Ok(file) => match files.iter().find(|other| other.name == file.name) {
                Some(other) => {
                    let (one, two) = (other.path.display(), path.display());
                    faults.push(format!("{two}: {} is in {one} already; a group or list has one file", file.name));
                }
                None => files.push(file),
            },
            Err(found) => faults.extend(found),
        }
    }
    if faults.is_empty() { Ok(files) } else { Err(faults) }
}

/// One file, or all its faults.
pub fn file(path: &Path) -> Result<File, Vec<String>> {
    let whole = |reason: String| vec![format!("{}: {reason}", path.display())];
    let metadata = std::fs::metadata(path).map_err(|error| whole(error.to_string()))?;
    if metadata.len() > BYTES_MAX {
        return Err(whole(format!("{} bytes are too many for a group; split it", metadata.len())));
    }
    let bytes = std::fs::read(path).map_err(|error| whole(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| whole("it is not in UTF-8; save it in this encoding".to_string()))?;
    text_of(path, &text).map_err(|faults| faults.iter().map(|fault| located(path, fault)).collect())
}

/// The same for the text of a file.
pub fn text_of(path: &Path, text: &str) -> Result<File, Vec<Fault>> {
    let start = Place { line: 1, column: 1 };
    let node = yaml::compose(text).map_err(|fault| vec![fault])?;
    let nameless = || vec![Fault::new(start, format!("the file has no name: begin it with `{GROUP}: NAME` or `{LIST}: NAME`"))];
    let Some(Node::Mapping(_, entries)) = node else { return Err(nameless()) };
    let mut reader = Reader { faults: Vec::new() };
    let value = |key: &str| entries.iter().find(|(known, _)| known.text == key);
    let (name, contents) = match (value(GROUP), value(LIST)) {
        (Some(_), Some((list, _))) => return Err(vec![Fault::new(list.place, "a file is of a group or of a list: split it")]),
        (Some((_, name)), None) => {
            let name = reader.name(name);
            let types = entries.iter().filter(|(key, _)| key.text != GROUP);
            let definitions = reader.types(&name, types);
            (name, Contents::Group(definitions))
        }
        (None, Some((_, name))) => {
            let name = reader.name(name);
            (name, Contents::List(reader.list(&entries)))
        }
        (None, None) => return Err(nameless()),
    };
    let file = File { path: path.to_path_buf(), name, contents };
    if reader.faults.is_empty() { Ok(file) } else { Err(reader.faults) }
}

struct Reader {
    faults: Vec<Fault>,
}

impl Reader {
    fn fault(&mut self, place: Place, text: impl Into<String>) {
        self.faults.push(Fault::new(place, text));
    }

    /// The name of a group or list.
    fn name(&mut self, node: &Node) -> String {
        let place = node.place();
        let Node::Scalar(Scalar { text, .. }) = node else {
            self.fault(place, "a name of 1 to 8 characters is expected");
            return String::new();
        };
        if !is_name(text) {
            self.fault(place, format!("{text} is not a name of a group or list: 1 to 8 of A-Z, 0-9, $, @ and # are"));
        } else if is_supplied(text) {
            self.fault(place, format!("{text} is supplied with the system and cannot be changed: copy it to a group of your own"));
        }
        text.clone()
    }

    fn list(&mut self, entries: &[(Scalar, Node)]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (key, value) in entries.iter().filter(|(key, _)| key.text != LIST) {
            match value {
                _ if key.text != GROUPS => self.fault(key.place, format!("{} is no key of a list: {LIST} and {GROUPS} are", key.text)),
                Node::Sequence(_, items) => {
                    for item in items {
                        match item {
                            Node::Scalar(group) if is_name(&group.text) && !names.contains(&group.text) => names.push(group.text.clone()),
                            Node::Scalar(group) if names.contains(&group.text) => {
                                self.fault(group.place, format!("{} is in the list already; keep one of them", group.text));
                            }
                            other => self.fault(other.place(), "the name of a group is expected: 1 to 8 of A-Z, 0-9, $, @ and #"),
                        }
                    }
                }
                other => self.fault(other.place(), "a sequence of names of groups is expected, each behind a hyphen"),
            }
        }
        if names.is_empty() && self.faults.is_empty() {
            let place = entries.first().map_or(Place { line: 1, column: 1 }, |(key, _)| key.place);
            self.fault(place, format!("a list needs a group: name it under {GROUPS}, or remove the file"));
        }
        names
    }

    fn types<'a>(&mut self, group: &str, entries: impl Iterator<Item = &'a (Scalar, Node)>) -> Vec<Written> {
        let mut all = Vec::new();
        for (key, value) in entries {
            let Some(resource) = resource_types().iter().find(|known| known.name == key.text) else {
                let near = exec::meant(&key.text.to_ascii_uppercase(), resource_types().iter().map(|known| known.name));
                self.fault(key.place, format!("{} is no type of resource{near}", key.text));
                continue;
            };
            match value {
                Node::Mapping(_, names) => self.names(group, resource, names, &mut all),
                empty if empty.is_empty() => {}
                other => self.fault(other.place(), format!("names of {} definitions are expected, each with a colon", resource.name)),
            }
        }
        all
    }

    fn names(&mut self, group: &str, resource: &'static ResourceType, names: &[(Scalar, Node)], all: &mut Vec<Written>) {
        for (key, value) in names {
            let name = match resource.check_name(&key.text) {
                Ok(name) => name,
                Err(reason) => {
                    self.fault(key.place, format!("{reason}; correct the name"));
                    continue;
                }
            };
            let is_same = |written: &Written| written.definition.resource.name == resource.name && written.definition.name == name;
            if let Some(first) = all.iter().find(|written| is_same(written)) {
                let text = format!("{} {name} is there twice: it is in line {} already", resource.name, first.place.line);
                self.fault(key.place, text);
                continue;
            }
            let mut written =
                Written { definition: Definition::new(resource.name, &name, group), place: key.place, attributes: BTreeMap::new() };
            match value {
                Node::Mapping(_, attributes) => attributes.iter().for_each(|(key, value)| self.attribute(&mut written, key, value)),
                empty if empty.is_empty() => {}
                other => self.fault(other.place(), format!("attributes of {} {name} are expected: ATTRIBUTE: value", resource.name)),
            }
            self.rules(&written);
            all.push(written);
        }
    }

    fn attribute(&mut self, written: &mut Written, key: &Scalar, value: &Node) {
        let Definition { resource, name, .. } = &written.definition;
        let what = format!("{} {name}", resource.name);
        let known = resource.attributes.iter().find(|attribute| attribute.name == key.text);
        let Some(attribute) = known else {
            let text = format!("{what}: {} is not an attribute of {}{}", key.text, resource.name, meant(resource, &key.text));
            return self.fault(key.place, text);
        };
        let Node::Scalar(Scalar { text, place }) = value else {
            return self.fault(value.place(), format!("{what}: {} has one value, not a sequence or mapping", attribute.name));
        };
        match attribute.check(text) {
            Ok(value) => {
                written.definition.attributes.insert(attribute.name, value);
                written.attributes.insert(attribute.name, key.place);
            }
            Err(reason) => self.fault(*place, format!("{what}: {}: {reason}", attribute.name)),
        }
    }

    fn rules(&mut self, written: &Written) {
        let Definition { resource, name, .. } = &written.definition;
        match rules::check(&written.definition) {
            Ok(()) => {}
            Err(rules::Fault::Missing(attribute)) => {
                self.fault(written.place, format!("{} {name}: {attribute} is missing; add it", resource.name));
            }
            Err(rules::Fault::Conflict(reason)) => self.fault(written.place, format!("{} {name}: {reason}", resource.name)),
        }
    }
}

/// The attribute that was probably meant.
fn meant(resource: &'static ResourceType, word: &str) -> String {
    match resource.attribute(&word.to_ascii_uppercase()) {
        Match::Attribute(attribute) => format!("; write {}", attribute.name),
        Match::Ambiguous(names) => format!("; write one of {}", names.join(", ")),
        Match::Ignored => "; it has no effect in this release: remove it".to_string(),
        Match::Unknown => exec::meant(&word.to_ascii_uppercase(), resource.attributes.iter().map(|attribute| attribute.name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        let faults = text_of(Path::new("PAY.yaml"), text).map(|_| ()).unwrap_err();
        faults.iter().map(|fault| located(Path::new("PAY.yaml"), fault)).collect()
    }

    #[test]
    fn a_group_has_types_names_and_attributes() {
        let text = "group: PAY\nPROGRAM:\n  PAYPGM:\nTRANSACTION:\n  Pay1: {PROGRAM: PAYPGM, PRIORITY: 9}\n  '0001': {PROGRAM: P}\n";
        let file = text_of(Path::new("PAY.yaml"), text).unwrap();
        let statements: Vec<String> = file.definitions().iter().map(|written| written.definition.statement()).collect();
        assert_eq!(statements[0], "DEFINE PROGRAM(PAYPGM) GROUP(PAY)");
        assert_eq!(statements[1], "DEFINE TRANSACTION(Pay1) GROUP(PAY)\n       PROGRAM(PAYPGM)\n       PRIORITY(9)");
        assert!(statements[2].starts_with("DEFINE TRANSACTION(0001)"));
        assert_eq!(file.definitions()[1].attributes["PRIORITY"], Place { line: 5, column: 27 });
    }

    #[test]
    fn a_fault_names_file_line_attribute_and_remedy() {
        let text = "group: PAY\nTRANSACTION:\n  PAY1:\n    PROGRAM: P1\n    PRIORITY: 256\n    PRIORTY: 1\n    DESC: a\n  TOOLONG: {PROGRAM: P}\n  PAY2:\n\
                    PROGRM:\n  P1:\nPROGRAM:\n  P1: {API: OPENAPI}\n";
        let found = faults(text);
        let expected = [
            "PAY.yaml:5:15: TRANSACTION PAY1: PRIORITY: 256 is not a value of PRIORITY: 0 to 255 is expected",
            "PAY.yaml:6:5: TRANSACTION PAY1: PRIORTY is not an attribute of TRANSACTION",
            "PAY.yaml:7:5: TRANSACTION PAY1: DESC is not an attribute of TRANSACTION; write DESCRIPTION",
            "PAY.yaml:8:3: TRANSACTION name TOOLONG is longer than 4 characters",
            "PAY.yaml:9:3: TRANSACTION PAY2: PROGRAM is missing; add it",
            "PAY.yaml:10:1: PROGRM is no type of resource",
            "PAY.yaml:13:3: PROGRAM P1: API(OPENAPI) NEEDS CONCURRENCY(REQUIRED)",
        ];
        assert_eq!(found.len(), expected.len(), "{found:#?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.starts_with(expected), "{found}\n{expected}");
        }
        assert!(found[1].contains("PRIORITY") && found[5].contains("PROGRAM"), "{found:#?}");
    }

    #[test]
    fn a_list_has_groups_each_once() {
        let file = text_of(Path::new("L.yaml"), "list: PAYLIST\ngroups:\n- PAY\n- HR\n").unwrap();
        assert!(matches!(&file.contents, Contents::List(groups) if groups == &["PAY", "HR"]) && file.name == "PAYLIST");
        assert!(faults("list: L\ngroups: [A, A]\n")[0].contains("already"));
        assert!(faults("list: L\n")[0].contains("needs a group"));
        assert!(faults("group: G\nlist: L\n")[0].contains("split"));
        assert!(faults("PROGRAM: {}\n")[0].contains("begin it with"));
        assert!(faults("group: DFHLIST\n")[0].contains("supplied"));
        assert!(faults("group: pay\n")[0].contains("A-Z"));
    }
}
