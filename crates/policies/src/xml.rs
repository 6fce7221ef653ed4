//! The XML documents of a bundle: read whole, with bounds, and without anything a document could use against the region.
//!
//! A document type declaration is refused, so there are no entities to expand and no files to fetch. The reader's time grows with the
//! square of the attributes of an element and of the namespaces of a document, so these are bounded before it begins. Invariant: a document
//! has at most [`BYTES_MAX`] bytes, [`NODES_MAX`] nodes and [`NAMESPACES_MAX`] declarations of namespaces, an element at most
//! [`ATTRIBUTES_MAX`] attributes.

use roxmltree::{Document, Node, ParsingOptions};
use std::io::Read;
use std::path::Path;

/// Longest document: manifests and policies have a few kilobytes.
pub const BYTES_MAX: u64 = 1 << 20;
/// Most elements, texts and comments of a document.
const NODES_MAX: u32 = 20_000;
/// Most declarations of namespaces in a document; one written by CICS Explorer has one or two.
const NAMESPACES_MAX: usize = 100;
/// Most attributes of an element, declarations of namespaces included.
const ATTRIBUTES_MAX: usize = 100;

/// The text of a file.
///
/// # Errors
///
/// It cannot be read, is not a file, is longer than [`BYTES_MAX`], or is not UTF-8.
pub fn read(path: &Path) -> Result<String, String> {
    let fault = |error: std::io::Error| format!("{}: {error}", path.display());
    // Before the open: that of a named pipe would wait for a writer.
    if !std::fs::metadata(path).map_err(fault)?.is_file() {
        return Err(format!("{}: it is not a file", path.display()));
    }
    let file = std::fs::File::open(path).map_err(fault)?;
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
/// It is not well formed, has a document type declaration, or more nodes, attributes or namespaces than it may have.
pub fn parse(text: &str) -> Result<Document<'_>, String> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: NODES_MAX, ..ParsingOptions::default() };
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    // The types of a manifest are addresses with the same word in them.
    let declarations = text.match_indices("xmlns").filter(|(at, _)| text[..*at].ends_with(|before: char| before.is_ascii_whitespace()));
    if declarations.count() > NAMESPACES_MAX {
        return Err(format!("it has more than {NAMESPACES_MAX} declarations of namespaces"));
    }
    if attributes_most(text) > ATTRIBUTES_MAX {
        return Err(format!("an element has more than {ATTRIBUTES_MAX} attributes"));
    }
    Document::parse_with_options(text, options).map_err(|error| match error {
        roxmltree::Error::NodesLimitReached => format!("it has more than {NODES_MAX} elements, texts and comments"),
        error => error.to_string(),
    })
}

/// Markup in which `=` and quotes mean nothing, with its end.
const OPAQUE: [(&str, &str); 3] = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];

/// The most attributes that an element of the text has: the signs `=` outside of quotes between `<` and `>`. Of a text that is not well
/// formed, it is some number.
fn attributes_most(text: &str) -> usize {
    let mut most = 0;
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        if let Some((open, close)) = OPAQUE.into_iter().find(|(open, _)| rest.starts_with(open)) {
            let Some(end) = rest[open.len()..].find(close) else { break };
            rest = &rest[open.len() + end + close.len()..];
            continue;
        }
        let (mut count, mut quote, mut end) = (0, None, rest.len());
        for (at, byte) in rest.bytes().enumerate() {
            match (byte, quote) {
                (b'"' | b'\'', None) => quote = Some(byte),
                (_, Some(open)) if byte == open => quote = None,
                (_, Some(_)) => {}
                (b'=', None) => count += 1,
                (b'>', None) => {
                    end = at + 1;
                    break;
                }
                _ => {}
            }
        }
        most = most.max(count);
        rest = &rest[end..];
    }
    most
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

    #[test]
    fn attributes_and_namespaces_are_bounded() {
        let attributes = |count: usize| format!("<m {}/>", (0..count).map(|at| format!("a{at}='='")).collect::<Vec<_>>().join(" "));
        assert!(parse(&attributes(ATTRIBUTES_MAX)).is_ok());
        assert!(parse(&attributes(ATTRIBUTES_MAX + 1)).unwrap_err().contains("100 attributes"));
        let nested = |count: usize| {
            let opened: String = (0..count).map(|at| format!("<a xmlns:b{at}=\"x\">")).collect();
            format!("{opened}{}", "</a>".repeat(count))
        };
        assert!(parse(&nested(NAMESPACES_MAX)).is_ok());
        assert!(parse(&nested(NAMESPACES_MAX + 1)).unwrap_err().contains("100 declarations of namespaces"));
        // None of these is an attribute.
        let signs = "=".repeat(ATTRIBUTES_MAX + 1);
        assert!(parse(&format!("<?p {signs}?><m><!-- don't {signs} --><![CDATA['{signs}]]>{signs}<n a=\"{signs}>\"/></m>")).is_ok());
    }

    /// A reader that takes the square of its input's length would work for minutes on these.
    #[test]
    fn the_longest_documents_are_read_in_no_time() {
        let room = BYTES_MAX as usize;
        let attributes: String = (0..room / 12).map(|at| format!(" a{at}='x'")).collect();
        let nested: String = (0..room / 25).map(|at| format!("<a xmlns:b{at}='x'>")).collect();
        let spread: String = (0..room / 1200).map(|_| format!("<e{}/>", &attributes[..1000])).collect();
        for text in [format!("<m{attributes}/>"), nested, format!("<m>{spread}</m>"), "<a b='".repeat(room / 6), "<".repeat(room)] {
            let begun = std::time::Instant::now();
            let _ = parse(&text);
            assert!(begun.elapsed() < std::time::Duration::from_secs(5), "{} took {:?}", &text[..40], begun.elapsed());
        }
    }

    #[test]
    fn a_pipe_is_refused_without_waiting_for_a_writer() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.policy");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(read(&path).unwrap_err().contains("not a file"));
    }

    proptest! {
        #[test]
        fn any_text_is_a_document_or_a_fault(text in "[<>/a-c\"=&;! \\[\\]-]{0,60}") {
            let _ = parse(&text);
        }
    }
}
