//! The manifest of a bundle, `META-INF/cics.xml`: its identity and version, what it defines, and what it needs.
//!
//! Source: CICS TS 5.5, "Manifest contents for a CICS bundle", "The bundle manifest schema". Invariants: a manifest has at most
//! [`PARTS_MAX`] parts; the path of a part names a file of the bundle's own directory.

use crate::xml;
use roxmltree::Node;
use std::path::{Component, Path};

/// Where a bundle has its manifest.
pub const PATH: &str = "META-INF/cics.xml";
const NAMESPACE: &str = "http://www.ibm.com/xmlns/prod/cics/bundle";
/// Most parts of a bundle.
const PARTS_MAX: usize = 1_000;
/// Longest name, type and file name of a part (INQUIRE BUNDLEPART).
const NAME_LENGTH_MAX: usize = 255;
/// Longest identifier of a bundle.
const ID_LENGTH_MAX: usize = 64;

/// What the manifest says of a part: the PARTCLASS of INQUIRE BUNDLEPART.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// The bundle has the resource.
    Definition,
    /// The bundle needs the resource.
    Import,
    /// The bundle offers the resource.
    Export,
    /// Users enter the application here.
    EntryPoint,
    /// A policy is limited to an operation of the application.
    PolicyScope,
}

/// A part as the manifest has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub class: Class,
    pub name: String,
    /// The URI of its type.
    pub kind: String,
    /// The file that describes it, in the directory of the bundle; empty for what is not a definition.
    pub path: String,
    /// Of an entry point or a policy scope: the operation of the application.
    pub operation: String,
    /// An import without which the bundle can be enabled.
    pub is_optional: bool,
}

impl Entry {
    /// `POLICY`: the last part of the URI, in capitals; empty for a type that CICS has not.
    pub fn resource(&self) -> String {
        let of_cics = self.kind.strip_prefix(NAMESPACE).and_then(|rest| rest.strip_prefix('/'));
        of_cics.unwrap_or_default().to_ascii_uppercase()
    }
}

/// A manifest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Manifest {
    /// The identifier; empty in a manifest of an early release.
    pub id: String,
    /// Major, minor and micro version; `None` for one that is not given.
    pub version: [Option<u32>; 3],
    pub entries: Vec<Entry>,
}

/// The manifest of the bundle in a directory.
///
/// # Errors
///
/// It cannot be read, is not XML, or is not a manifest.
pub fn read(directory: &Path) -> Result<Manifest, String> {
    let path = directory.join(PATH);
    parse(&xml::read(&path)?).map_err(|fault| format!("{}: {fault}", path.display()))
}

/// The manifest of a text.
///
/// # Errors
///
/// It is not XML, or not a manifest.
pub fn parse(text: &str) -> Result<Manifest, String> {
    let document = xml::parse(text)?;
    let root = document.root_element();
    if root.tag_name().name() != "manifest" || root.tag_name().namespace() != Some(NAMESPACE) {
        return Err(format!("the root element is not manifest of {NAMESPACE}"));
    }
    let mut manifest = Manifest { id: checked(xml::attribute(root, "id"), "id", ID_LENGTH_MAX)?, ..Manifest::default() };
    for (version, name) in manifest.version.iter_mut().zip(["bundleMajorVer", "bundleMinorVer", "bundleMicroVer"]) {
        *version = match xml::attribute(root, name) {
            "" => None,
            text => Some(text.parse().map_err(|_| format!("{name} {text} is not a number"))?),
        };
    }
    for element in xml::elements(root) {
        if let Some(entry) = entry(element)? {
            if manifest.entries.len() == PARTS_MAX {
                return Err(format!("it has more than {PARTS_MAX} parts"));
            }
            manifest.entries.push(entry);
        }
    }
    Ok(manifest)
}

/// `None` for an element that describes the bundle as a whole.
fn entry(element: Node) -> Result<Option<Entry>, String> {
    let class = match element.tag_name().name() {
        "meta_directives" => return Ok(None),
        "define" => Class::Definition,
        "import" => Class::Import,
        "export" => Class::Export,
        "entrypoint" => Class::EntryPoint,
        "policyscope" => Class::PolicyScope,
        other => return Err(format!("{other} is not an element of a manifest")),
    };
    let name = checked(xml::attribute(element, "name"), "name", NAME_LENGTH_MAX)?;
    let kind = checked(xml::attribute(element, "type"), "type", NAME_LENGTH_MAX)?;
    let path = checked(xml::attribute(element, "path"), "path", NAME_LENGTH_MAX)?;
    if name.is_empty() {
        return Err(format!("a {} element has no name", element.tag_name().name()));
    }
    if class == Class::Definition {
        if kind.is_empty() || path.is_empty() {
            return Err(format!("the definition of {name} has no type, or no path"));
        }
        if !Path::new(&path).components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(format!("the path {path} of {name} leads out of the bundle"));
        }
    }
    let operation = checked(xml::attribute(element, "operation"), "operation", region::application::NAME_LENGTH_MAX)?;
    if matches!(class, Class::EntryPoint | Class::PolicyScope) && !region::application::is_name(&operation) {
        return Err(format!("{operation:?} is not the name of an operation ({} {name})", element.tag_name().name()));
    }
    let is_optional = xml::attribute(element, "optional").eq_ignore_ascii_case("true");
    Ok(Some(Entry { class, name, kind, path, operation, is_optional }))
}

fn checked(value: &str, attribute: &str, length_max: usize) -> Result<String, String> {
    if value.chars().count() > length_max {
        return Err(format!("the value of {attribute} is longer than {length_max} characters"));
    }
    Ok(value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(parts: &str) -> String {
        format!(r#"<manifest xmlns="{NAMESPACE}" id="B" bundleMajorVer="1" bundleMinorVer="2" bundleMicroVer="3">{parts}</manifest>"#)
    }

    fn define(name: &str, path: &str) -> String {
        format!(r#"<define name="{name}" type="{NAMESPACE}/POLICY" path="{path}"/>"#)
    }

    #[test]
    fn identity_version_and_parts_are_read() {
        let import = format!(r#"<import name="PAYROLL" type="{NAMESPACE}/PROGRAM" optional="true"/>"#);
        let text = manifest(&format!("<meta_directives><timestamp>x</timestamp></meta_directives>{}{import}", define("P1", "a/P1.policy")));
        let found = parse(&text).unwrap();
        assert_eq!((found.id.as_str(), found.version), ("B", [Some(1), Some(2), Some(3)]));
        assert_eq!(found.entries.len(), 2);
        assert_eq!((found.entries[0].class, found.entries[0].resource().as_str()), (Class::Definition, "POLICY"));
        assert!(found.entries[1].is_optional && found.entries[1].class == Class::Import);
    }

    #[test]
    fn entry_points_and_policy_scopes_name_an_operation() {
        let of = |element: &str, operation: &str| {
            manifest(&format!(r#"<{element} name="N" type="{NAMESPACE}/PROGRAM" operation="{operation}"/>"#))
        };
        let entry = parse(&of("entrypoint", "Browse.1")).unwrap().entries.remove(0);
        assert_eq!((entry.class, entry.operation.as_str(), entry.path.as_str()), (Class::EntryPoint, "Browse.1", ""));
        assert_eq!(parse(&of("policyscope", "x")).unwrap().entries[0].class, Class::PolicyScope);
        for wrong in ["", "a b", &"o".repeat(65)] {
            assert!(parse(&of("entrypoint", wrong)).is_err() && parse(&of("policyscope", wrong)).is_err(), "{wrong}");
        }
        assert!(parse(&of("entrypoint", &"o".repeat(64))).is_ok());
    }

    #[test]
    fn what_is_not_a_manifest_is_refused() {
        for (text, fault) in [
            ("<manifest/>", "root element"),
            ("<a xmlns='http://www.ibm.com/xmlns/prod/cics/bundle'/>", "root element"),
            ("", "root"),
            ("<manifest", "root"),
        ] {
            let told = parse(text).unwrap_err();
            assert!(told.contains(fault), "{text}: {told}");
        }
        assert!(parse(&manifest("<include name='X'/>")).unwrap_err().contains("include is not an element"));
        assert!(parse(&manifest("<define type='T' path='p'/>")).unwrap_err().contains("no name"));
        assert!(parse(&manifest("<define name='N' path='p'/>")).unwrap_err().contains("no type"));
        assert!(parse(&manifest("").replace("\"1\"", "\"one\"")).unwrap_err().contains("not a number"));
    }

    #[test]
    fn paths_stay_in_the_bundle() {
        for path in ["../P.policy", "/etc/passwd", "a/../../P.policy", "./P.policy"] {
            assert!(parse(&manifest(&define("P", path))).is_err(), "{path}");
        }
    }

    #[test]
    fn names_and_parts_are_bounded() {
        let of = |length: usize| manifest(&define(&"n".repeat(length), "p"));
        assert!(parse(&of(NAME_LENGTH_MAX)).is_ok());
        assert!(parse(&of(NAME_LENGTH_MAX + 1)).is_err());
        let of = |count: usize| manifest(&define("n", "p").repeat(count));
        assert!(parse(&of(PARTS_MAX)).is_ok());
        assert!(parse(&of(PARTS_MAX + 1)).unwrap_err().contains("more than"));
    }
}
