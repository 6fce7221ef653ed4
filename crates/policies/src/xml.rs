//! The XML documents of a bundle: read whole, with bounds, and without anything a document could use against the region.
//!
//! A document type declaration is refused, so there are no entities to expand and no files to fetch. Invariant: a document has at most
//! [`BYTES_MAX`] bytes and [`NODES_MAX`] nodes.

use roxmltree::{Document, Node, ParsingOptions};
use std::io::Read;
use std::path::Path;

/// Longest document: manifests and policies have a few kilobytes.
pub const BYTES_MAX: u64 = 1 << 20;
/// Most elements, texts and comments of a document.
const NODES_MAX: u32 = 20_000;

/// The text of a file.
///
/// # Errors
///
/// It cannot be read, is not a file, is longer than [`BYTES_MAX`], or is not UTF-8.
pub fn read(path: &Path) -> Result<String, String> {
    let fault = |error: std::io::Error| format!("{}: {error}", path.display());
    let file = std::fs::File::open(path).map_err(fault)?;
    if !file.metadata().map_err(fault)?.is_file() {
        return Err(format!("{}: it is not a file", path.display()));
    }
    let mut bytes = Vec::new();
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(fault)?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(format!("{}: it is longer than {BYTES_MAX} bytes", path.display()));
    }
    String::from_utf8(bytes).map_err(|_| format!("{}: it is not UTF-8", path.display()))
}

/// The document of a text.
///
/// # Errors
///
/// It is not well formed, has a document type declaration, or more than [`NODES_MAX`] nodes.
pub fn parse(text: &str) -> Result<Document<'_>, String> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: NODES_MAX, ..ParsingOptions::default() };
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    Document::parse_with_options(text, options).map_err(|error| error.to_string())
}

/// The child elements of an element.
pub fn elements<'a, 'input>(node: Node<'a, 'input>) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(Node::is_element)
}

/// The first child element of this name, whatever its namespace.
pub fn child<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Option<Node<'a, 'input>> {
    elements(node).find(|element| element.tag_name().name() == name)
}

/// The text of the first child element of this name; empty without one.
pub fn text<'a>(node: Node<'a, '_>, name: &str) -> &'a str {
    child(node, name).and_then(|element| element.text()).unwrap_or_default().trim()
}

/// The value of an attribute; empty without one.
pub fn attribute<'a>(node: Node<'a, '_>, name: &str) -> &'a str {
    node.attribute(name).unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn entities_and_external_documents_are_refused() {
        let laughs = r#"<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><l>&b;</l>"#;
        assert!(parse(laughs).unwrap_err().contains("DTD"));
        let file = r#"<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><l>&a;</l>"#;
        assert!(parse(file).is_err());
        assert!(parse("<a>&unknown;</a>").is_err());
    }

    #[test]
    fn nodes_are_bounded_and_depth_costs_no_stack() {
        let of = |count: u32| format!("<m>{}</m>", "<x/>".repeat(count as usize));
        // The document itself and its root element are nodes too.
        assert!(parse(&of(NODES_MAX - 2)).is_ok());
        assert!(parse(&of(NODES_MAX - 1)).is_err());
        let depth = NODES_MAX as usize - 2;
        let deep = format!("{}{}", "<x>".repeat(depth), "</x>".repeat(depth));
        assert!(parse(&deep).is_ok());
    }

    #[test]
    fn files_are_bounded() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.policy");
        std::fs::write(&path, vec![b' '; BYTES_MAX as usize]).unwrap();
        assert_eq!(read(&path).unwrap().len() as u64, BYTES_MAX);
        std::fs::write(&path, vec![b' '; BYTES_MAX as usize + 1]).unwrap();
        assert!(read(&path).unwrap_err().contains("longer than"));
        std::fs::write(&path, [0xC3, 0x28]).unwrap();
        assert!(read(&path).unwrap_err().contains("UTF-8"));
        assert!(read(directory.path()).unwrap_err().contains("not a file"));
    }

    proptest! {
        #[test]
        fn any_text_is_a_document_or_a_fault(text in "[<>/a-c\"=&;! \\[\\]-]{0,60}") {
            let _ = parse(&text);
        }
    }
}
