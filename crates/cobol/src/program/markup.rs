//! JSON and XML statements.

use super::{ItemId, Operand, Range, Reference, Statements};

/// JSON GENERATE, JSON PARSE and XML GENERATE: a text, and the tree of items it is generated from or parsed into.
#[derive(Clone, Debug)]
pub struct Markup {
    pub kind: MarkupKind,
    /// The text: receiver of GENERATE, sender of PARSE.
    pub text: Reference,
    /// The item whose tree it is.
    pub root: Reference,
    /// The tree in preorder; the root first.
    pub nodes: Vec<MarkupNode>,
    /// COUNT IN.
    pub count: Option<Reference>,
    /// CCSID of the text if ENCODING gives one.
    pub encoding: Option<Operand>,
    /// ENCODING FROM CODEPAGE: that of the compiler option.
    pub encoding_of_program: bool,
    pub declaration: bool,
    pub namespace: Option<Operand>,
    pub prefix: Option<Operand>,
    /// WITH DETAIL.
    pub detail: bool,
    /// XML-CODE or JSON-CODE.
    pub code: ItemId,
    /// JSON-STATUS.
    pub status: Option<ItemId>,
    pub on_exception: Option<Statements>,
    pub not_on_exception: Option<Statements>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MarkupKind {
    JsonGenerate,
    JsonParse,
    XmlGenerate,
}

/// An item of the tree; see `le::markup::Node`.
#[derive(Clone, Debug)]
pub struct MarkupNode {
    pub item: ItemId,
    /// One past the last node below it.
    pub end: u32,
    /// Empty: no level of its own.
    pub name: Box<str>,
    /// `le::markup::node_flags`.
    pub flags: u32,
    /// `le::markup::suppress`.
    pub suppress_when: u32,
    pub null_when: u32,
    /// Bytes for true and false.
    pub truth: Option<(Box<[u8]>, Box<[u8]>)>,
}

/// XML PARSE.
#[derive(Clone, Debug)]
pub struct XmlParse {
    pub document: Reference,
    pub encoding: Option<Operand>,
    pub returning_national: bool,
    /// XMLPARSE(COMPAT).
    pub compatible: bool,
    pub procedure: Range,
    pub registers: XmlRegisters,
    pub on_exception: Option<Statements>,
    pub not_on_exception: Option<Statements>,
}

/// The special registers that describe an event. Alphanumeric and national texts: text, namespace, prefix.
#[derive(Clone, Debug)]
pub struct XmlRegisters {
    pub code: ItemId,
    pub event: ItemId,
    pub information: ItemId,
    pub texts: [ItemId; 6],
}
