//! XML GENERATE.
//!
//! `unsafe` here reads the items of the tree and writes the receiving item: see the parent module.

use super::pieces::{PIECE, pieces};
use super::xml_text::{escape, is_character, is_name_character, is_name_start};
use super::{Data, Node, Output, Placed, node_flags, place};
use crate::code_page::{CodePage, Encoding};
use crate::exception::Result;
use std::fmt::Write;

/// Values of XML-CODE after XML GENERATE (Programming Guide, "XML GENERATE exceptions").
mod code {
    pub const NAMESPACE: i32 = 416;
    pub const CONTENT: i32 = 417;
    pub const SUBSTITUTED: i32 = 418;
    pub const PREFIX: i32 = 419;
    pub const TOO_SMALL: i32 = 400;
}

/// What the document has besides the data.
#[derive(Clone, Debug, Default)]
pub struct Decoration {
    pub declaration: bool,
    pub namespace: Option<String>,
    pub prefix: Option<String>,
}

struct Writer<'a, 'd> {
    data: &'a Data<'d>,
    prefix: String,
    text: Output,
    code: i32,
}

/// Writes the document into the receiver; returns what was placed and XML-CODE.
///
/// # Safety
/// The tree must describe the storage at `data.root`; `area` must be writable for `length` bytes.
pub unsafe fn xml_generate(data: &Data<'_>, decoration: &Decoration, page: &CodePage, area: *mut u8, length: u32) -> Result<(Placed, i32)> {
    let nothing = Placed { count: 0, complete: true, substituted: false };
    let namespace = decoration.namespace.as_deref().unwrap_or("");
    let prefix = decoration.prefix.as_deref().unwrap_or("");
    if !namespace.chars().all(is_character) {
        return Ok((nothing, code::NAMESPACE));
    }
    if !prefix.is_empty() && !is_xml_name(prefix) {
        return Ok((nothing, code::PREFIX));
    }
    let mut writer = Writer {
        data,
        prefix: if prefix.is_empty() { String::new() } else { format!("{prefix}:") },
        text: Output::for_receiver(length),
        code: 0,
    };
    if decoration.declaration {
        let name = match page.encoding {
            Encoding::Utf8 => "UTF-8".to_string(),
            Encoding::Utf16 => "UTF-16".to_string(),
            Encoding::Ascii if page.ccsid == 819 => "ISO-8859-1".to_string(),
            _ => format!("IBM-{:03}", page.ccsid),
        };
        let _ = write!(writer.text, "<?xml version=\"1.0\" encoding=\"{name}\"?>");
    }
    let mut root_attributes = String::new();
    if !namespace.is_empty() {
        let colon = if prefix.is_empty() { "" } else { ":" };
        let _ = write!(root_attributes, " xmlns{colon}{prefix}=\"");
        escape(namespace, &mut root_attributes);
        root_attributes.push('"');
    }
    writer.element(0, 0, &root_attributes)?;
    let placed = place(&writer.text, page, data.session, area, length)?;
    let code = match (placed.complete, placed.substituted, writer.code) {
        (false, _, _) => code::TOO_SMALL,
        (_, _, code) if code != 0 => code,
        (_, true, _) => code::SUBSTITUTED,
        _ => 0,
    };
    Ok((placed, code))
}

impl Writer<'_, '_> {
    /// One node in one occurrence of what is around it, with all its own occurrences; whether anything was written.
    unsafe fn element(&mut self, at: usize, shift: usize, extra: &str) -> Result<bool> {
        let data = self.data;
        let node = &data.tree.nodes[at];
        if node.has(node_flags::SUPPRESSED) {
            return Ok(false);
        }
        let mut written = false;
        for occurrence in data.shifts(node) {
            data.session.check_stop()?;
            if self.text.is_full() {
                return Ok(true);
            }
            let shift = shift + occurrence;
            if node.name.is_empty() {
                for child in data.tree.children(at) {
                    if !data.tree.nodes[child].has(node_flags::ATTRIBUTE) {
                        written |= self.element(child, shift, "")?;
                    }
                }
            } else if data.tree.is_group(at) {
                written |= self.group(at, shift, extra)?;
            } else {
                written |= self.elementary(node, shift, extra)?;
            }
        }
        Ok(written)
    }

    unsafe fn group(&mut self, at: usize, shift: usize, extra: &str) -> Result<bool> {
        let before = self.text.len();
        let name = tag(&self.data.tree.nodes[at].name);
        let _ = write!(self.text, "<{}{name}{extra}", self.prefix);
        let mut written = self.attributes(at, shift)?;
        self.text.push('>');
        for child in self.data.tree.children(at) {
            if !self.data.tree.nodes[child].has(node_flags::ATTRIBUTE) {
                written |= self.element(child, shift, "")?;
            }
        }
        // An element all of whose items are suppressed is not there; the document element always is.
        if written || at == 0 {
            let _ = write!(self.text, "</{}{name}>", self.prefix);
            return Ok(true);
        }
        self.text.truncate(before);
        Ok(false)
    }

    unsafe fn attributes(&mut self, at: usize, shift: usize) -> Result<bool> {
        let data = self.data;
        let mut written = false;
        for child in data.tree.children(at) {
            let node = &data.tree.nodes[child];
            if node.has(node_flags::SUPPRESSED) {
                continue;
            }
            if node.name.is_empty() && data.tree.is_group(child) {
                written |= self.attributes(child, shift)?;
                continue;
            }
            let area = data.address(node, shift);
            if !node.has(node_flags::ATTRIBUTE) || data.is_any(node, area, node.suppress_when) {
                continue;
            }
            let (name, value) = self.content(node, shift)?;
            let _ = write!(self.text, " {name}=\"");
            self.escaped(&value)?;
            self.text.push('"');
            written = true;
        }
        Ok(written)
    }

    unsafe fn elementary(&mut self, node: &Node, shift: usize, extra: &str) -> Result<bool> {
        let area = self.data.address(node, shift);
        if self.data.is_any(node, area, node.suppress_when) {
            return Ok(false);
        }
        let (name, value) = self.content(node, shift)?;
        if node.has(node_flags::CONTENT) {
            self.escaped(&value)?;
            return Ok(true);
        }
        let _ = write!(self.text, "<{}{name}{extra}>", self.prefix);
        self.escaped(&value)?;
        let _ = write!(self.text, "</{}{name}>", self.prefix);
        Ok(true)
    }

    fn escaped(&mut self, value: &str) -> Result<()> {
        for piece in pieces(value) {
            self.data.session.check_stop()?;
            if self.text.is_full() {
                break;
            }
            escape(piece, &mut self.text);
        }
        Ok(())
    }

    /// Name and value; characters that XML forbids make the value hexadecimal and its name begin with `hex.`.
    unsafe fn content(&mut self, node: &Node, shift: usize) -> Result<(String, String)> {
        let area = self.data.address(node, shift);
        let value = self.data.text(node, area)?;
        let name = tag(&node.name);
        if value.chars().all(is_character) {
            return Ok((name, value));
        }
        self.code = code::CONTENT;
        let bytes = std::slice::from_raw_parts(area, self.data.attributes(node).length as usize);
        let mut hexadecimal = String::with_capacity(2 * bytes.len());
        for piece in bytes.chunks(PIECE) {
            self.data.session.check_stop()?;
            for byte in piece {
                let _ = write!(hexadecimal, "{byte:02X}");
            }
        }
        Ok((format!("hex.{name}"), hexadecimal))
    }
}

/// An element or attribute name: one that begins with a digit, a hyphen or `xml` gets an underscore in front.
fn tag(name: &str) -> String {
    let starts_xml = name.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("xml"));
    let fits = name.chars().next().is_some_and(is_name_start);
    if starts_xml || !fits { format!("_{name}") } else { name.to_string() }
}

/// The text is a name of XML without a colon.
pub fn is_xml_name(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(is_name_start) && characters.all(is_name_character)
}
