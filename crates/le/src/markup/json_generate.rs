//! JSON GENERATE.
//!
//! `unsafe` here reads the items of the tree and writes the receiving item: see the parent module.

use super::pieces::pieces;
use super::{Data, Node, Output, Placed, node_flags, place, place_characters};
use crate::code_page::CodePage;
use crate::exception::Result;
use crate::{Attributes, Usage};
use std::fmt::Write;

/// Writes the JSON text of the tree into the receiver.
///
/// # Safety
/// The tree must describe the storage at `data.root`; `area` must be writable for the length of its description.
pub unsafe fn json_generate(data: &Data<'_>, page: &CodePage, area: *mut u8, attributes: &Attributes) -> Result<Placed> {
    let mut text = Output::for_receiver(attributes.length);
    let root = &data.tree.nodes[0];
    if root.name.is_empty() {
        // NAME OF ... IS OMITTED: the value alone.
        if !value(data, 0, data.root, &mut text)? {
            text.push_str("{}");
        }
    } else {
        text.push('{');
        member(data, 0, 0, &mut text, &mut true)?;
        text.push('}');
    }
    Ok(match attributes.usage {
        Usage::Utf8 => place_characters(&text, area, attributes),
        _ => place(&text, page, data.session, area, attributes.length)?,
    })
}

/// `"name":value` of a node and the comma before it; nothing when it is suppressed. Nodes without a name hand their members up.
unsafe fn member(data: &Data<'_>, at: usize, shift: usize, text: &mut Output, first: &mut bool) -> Result<()> {
    let node = &data.tree.nodes[at];
    if node.has(node_flags::SUPPRESSED) || text.is_full() {
        return Ok(());
    }
    if node.name.is_empty() && at != 0 {
        for occurrence in data.shifts(node) {
            for child in data.tree.children(at) {
                member(data, child, shift + occurrence, text, first)?;
            }
        }
        return Ok(());
    }
    let before = text.len();
    if !*first {
        text.push(',');
    }
    text.push('"');
    escape(&node.name, text);
    text.push_str("\":");
    let written = match node.table {
        None => value_at(data, at, shift, text)?,
        Some(_) => array(data, at, shift, text)?,
    };
    if written {
        *first = false;
    } else {
        text.truncate(before);
    }
    Ok(())
}

/// The occurrences of a table. A table without occurrences is an empty array; one whose occurrences are all suppressed is not there.
unsafe fn array(data: &Data<'_>, at: usize, shift: usize, text: &mut Output) -> Result<bool> {
    let occurrences = data.shifts(&data.tree.nodes[at]);
    let mut written = occurrences.len() == 0;
    text.push('[');
    let mut first = true;
    for occurrence in occurrences {
        if text.is_full() {
            break;
        }
        let before = text.len();
        if !first {
            text.push(',');
        }
        if value_at(data, at, shift + occurrence, text)? {
            (first, written) = (false, true);
        } else {
            text.truncate(before);
        }
    }
    text.push(']');
    Ok(written)
}

unsafe fn value_at(data: &Data<'_>, at: usize, shift: usize, text: &mut Output) -> Result<bool> {
    if data.tree.is_group(at) {
        return object(data, at, shift, text);
    }
    value(data, at, data.address(&data.tree.nodes[at], shift), text)
}

unsafe fn object(data: &Data<'_>, at: usize, shift: usize, text: &mut Output) -> Result<bool> {
    data.session.check_stop()?;
    text.push('{');
    let mut first = true;
    for child in data.tree.children(at) {
        member(data, child, shift, text, &mut first)?;
    }
    text.push('}');
    Ok(!first)
}

/// The value of a node at an address; `false` when it is suppressed.
unsafe fn value(data: &Data<'_>, at: usize, area: *const u8, text: &mut Output) -> Result<bool> {
    data.session.check_stop()?;
    let node = &data.tree.nodes[at];
    if data.tree.is_group(at) {
        return object(data, at, 0, text);
    }
    if data.is_any(node, area, node.suppress_when) {
        return Ok(false);
    }
    if data.is_any(node, area, node.null_when) {
        text.push_str("null");
    } else if let Some((yes, _)) = &node.truth {
        text.push_str(if is_bytes(data, node, area, yes) { "true" } else { "false" });
    } else if node.has(node_flags::NUMERIC) {
        text.push_str(&data.text(node, area)?);
    } else {
        let characters = data.text(node, area)?;
        text.push('"');
        for piece in pieces(&characters) {
            data.session.check_stop()?;
            if text.is_full() {
                break;
            }
            escape(piece, text);
        }
        text.push('"');
    }
    Ok(true)
}

unsafe fn is_bytes(data: &Data<'_>, node: &Node, area: *const u8, wanted: &[u8]) -> bool {
    let length = data.attributes(node).length as usize;
    std::slice::from_raw_parts(area, length) == wanted
}

/// Characters of a JSON string: quotation mark, reverse solidus and control characters are escaped.
fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{08}' => out.push_str("\\b"),
            '\u{09}' => out.push_str("\\t"),
            '\u{0A}' => out.push_str("\\n"),
            '\u{0C}' => out.push_str("\\f"),
            '\u{0D}' => out.push_str("\\r"),
            control if u32::from(control) < 0x20 => {
                let _ = write!(out, "\\u{:04X}", u32::from(control));
            }
            other => out.push(other),
        }
    }
}
