//! JSON GENERATE, JSON PARSE, XML GENERATE and XML PARSE: conversion of a tree of data items to text and back (Language Reference, the
//! statements of those names; Programming Guide, "Producing JSON output", "Processing XML input" and their reference parts).
//!
//! The compiler describes the items of the statement in a [`Tree`]; these functions walk it over the program's storage.
//!
//! Invariants: text is composed and read as Unicode and converted once, on input or output; the readers bound their nesting; areas are
//! touched only within the lengths the tree gives. Unlike the light operations of this crate, these allocate; memory for long texts is
//! counted by the [`Caller`]. All give up with
//! [`Exception::Stopped`](crate::Exception::Stopped) when the program is to be stopped; items and registers may then have a part of the result.
//!
//! `unsafe` here and in the modules below reads and writes the items of the tree, their lengths and the numbers of their occurrences: see
//! `lib.rs`. `codegen/tests/markup.rs` runs the statements.

mod json_generate;
mod json_parse;
mod json_text;
mod pieces;
mod tree;
mod value;
mod xml_event;
mod xml_generate;
mod xml_parse;
mod xml_text;

pub use json_generate::json_generate;
pub use json_parse::{Outcome as JsonOutcome, json_parse, status as json_status};
pub use pieces::{decoded_counted as decoded, encode};
pub use tree::{Extent, Node, Tree, node_flags, suppress};
pub use xml_generate::{Decoration, is_xml_name, xml_generate};
pub use xml_parse::{Event, EventKind, Parser as XmlParser, exception as xml_exception};

use crate::code_page::CodePage;
use crate::exception::Result;
use crate::{Attributes, Session};
use std::ops::{Deref, DerefMut};

/// A table of the tree at run time: the item of its OCCURS DEPENDING ON, or null when the number of occurrences is fixed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Depending {
    pub address: *const u8,
    pub attributes: *const Attributes,
}

/// What a statement asks of the run unit. An error ends the statement as [`Exception::Stopped`](crate::Exception::Stopped) does.
pub trait Caller {
    /// Counts memory of the process that the statement takes. The run unit releases it when the statement has ended.
    fn reserve(&mut self, bytes: usize) -> Result<()>;

    /// WITH DETAIL.
    fn wants_details(&self) -> bool {
        false
    }

    fn detail(&mut self, text: &str) -> Result<()> {
        let _ = text;
        Ok(())
    }
}

/// What a statement works on.
pub struct Data<'a> {
    pub tree: &'a Tree,
    /// First byte of the tree's root.
    pub root: *mut u8,
    /// By the tree's table numbers.
    pub tables: &'a [Depending],
    pub session: &'a Session,
}

/// How a generated text went into its receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// Character positions written: UTF-16 units of a national receiver, bytes of another.
    pub count: u32,
    /// All of it fitted.
    pub complete: bool,
    /// Characters the code page does not have became the substitute.
    pub substituted: bool,
}

/// Text on its way into a receiver, which reads and writes it as a string.
pub(crate) struct Output {
    text: String,
    most: usize,
}

impl Output {
    pub fn for_receiver(length: u32) -> Output {
        // A character that the code page does not have takes four bytes here and one there.
        Output { text: String::new(), most: 4 * length as usize }
    }

    /// No more needs to be written: it does not fit into the receiver, whatever comes.
    pub fn is_full(&self) -> bool {
        self.text.len() > self.most
    }
}

impl Deref for Output {
    type Target = String;

    fn deref(&self) -> &String {
        &self.text
    }
}

impl DerefMut for Output {
    fn deref_mut(&mut self) -> &mut String {
        &mut self.text
    }
}

/// Converts a text and writes as much of it as fits; the rest of the receiver keeps what it held.
///
/// # Safety
/// `area` must be writable for `length` bytes.
pub(crate) unsafe fn place(text: &str, page: &CodePage, session: &Session, area: *mut u8, length: u32) -> Result<Placed> {
    let unit = if page.encoding == crate::code_page::Encoding::Utf16 { 2 } else { 1 };
    let room = length as usize / unit * unit;
    let (mut moved, mut placed) = (0, Placed { count: 0, complete: true, substituted: false });
    for piece in pieces::pieces_for(text, page) {
        session.check_stop()?;
        placed.substituted |= page.try_encode(piece).is_err();
        let bytes = page.encode(piece);
        let fitting = bytes.len().min(room - moved);
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), area.add(moved), fitting);
        moved += fitting;
        placed.complete &= fitting == bytes.len();
    }
    placed.count = (moved / unit) as u32;
    Ok(placed)
}

/// Writes as many characters as an item of UTF-8 holds, none of them in part.
///
/// # Safety
/// `area` must be writable for the length of its description.
pub(crate) unsafe fn place_characters(text: &str, area: *mut u8, attributes: &Attributes) -> Placed {
    let most = if attributes.edit > 0 { attributes.edit } else { u32::MAX };
    let moved = crate::code_page::utf8_prefix(text.as_bytes(), most, attributes.length as usize);
    std::ptr::copy_nonoverlapping(text.as_ptr(), area, moved);
    Placed { count: moved as u32, complete: moved == text.len(), substituted: false }
}

impl Data<'_> {
    /// Bytes of the longest elementary item.
    ///
    /// # Safety
    /// The tables must be those of the tree.
    pub unsafe fn longest_item(&self) -> usize {
        let elementary = (0..self.tree.nodes.len()).filter(|at| !self.tree.is_group(*at));
        elementary.map(|at| unsafe { self.size(&self.tree.nodes[at].length) }).max().unwrap_or(0)
    }

    /// Current number of occurrences of a table, within its bounds.
    unsafe fn occurrences(&self, table: u32) -> u32 {
        let (min, max) = self.tree.tables[table as usize];
        let depending = self.tables[table as usize];
        if depending.address.is_null() {
            return max;
        }
        let value = crate::numeric::load_integer(depending.address, &*depending.attributes, self.session).unwrap_or(0);
        value.clamp(i64::from(min), i64::from(max)) as u32
    }

    unsafe fn size(&self, extent: &Extent) -> usize {
        let mut total = extent.fixed as usize;
        for (table, stride) in &extent.terms {
            total += self.occurrences(*table) as usize * self.size(stride);
        }
        total
    }

    /// Address of a node in the occurrence of its parent that `bases` describes: offsets of enclosing occurrences summed.
    unsafe fn address(&self, node: &Node, shift: usize) -> *mut u8 {
        self.root.add(self.size(&node.offset) + shift)
    }

    /// Description of an elementary node as it is now.
    unsafe fn attributes(&self, node: &Node) -> Attributes {
        node.attributes.with_length(self.size(&node.length) as u32)
    }

    /// Offsets of the occurrences of a node, one zero for an item that is no table.
    unsafe fn shifts(&self, node: &Node) -> impl ExactSizeIterator<Item = usize> + use<> {
        let (count, stride) = match node.table {
            None => (1, 0),
            Some(table) => (self.occurrences(table) as usize, self.size(&node.stride)),
        };
        (0..count).map(move |at| at * stride)
    }
}
