//! The description of the items that a statement generates from or parses into, and its form in a program's constants.
//!
//! Invariants: nodes are in preorder, the root first; a node's descendants are the nodes up to its `end`; offsets count from the
//! root's first byte with all tables of the tree at their first occurrence; table numbers index [`Tree::tables`].
//!
//! `unsafe` here takes sixteen bytes for the attributes of an item, and back. They are the bytes of attributes, because a tree is read only
//! from what [`Tree::to_bytes`] wrote. The test below does both.

use crate::Attributes;

/// Bits of [`Node::flags`].
pub mod node_flags {
    /// Left out, with everything below it.
    pub const SUPPRESSED: u32 = 0x01;
    /// The name was given by a NAME phrase: it matches by its exact spelling.
    pub const NAMED: u32 = 0x02;
    /// XML: an attribute of the element around it.
    pub const ATTRIBUTE: u32 = 0x04;
    /// XML: character content of the element around it.
    pub const CONTENT: u32 = 0x08;
    /// JSON PARSE: the value null is ignored without a status.
    pub const IGNORE_NULL: u32 = 0x10;
    /// The item is numeric for EVERY NUMERIC and for JSON numbers.
    pub const NUMERIC: u32 = 0x20;
}

/// Figurative constants of a WHEN phrase: bits of [`Node::suppress_when`] and [`Node::null_when`].
pub mod suppress {
    pub const ZERO: u32 = 1;
    pub const SPACE: u32 = 2;
    pub const LOW_VALUE: u32 = 4;
    pub const HIGH_VALUE: u32 = 8;
}

/// A number of bytes: fixed, plus the occurrences of tables times their strides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    pub fixed: u32,
    pub terms: Vec<(u32, Extent)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Empty: no level of its own (FILLER group, NAME IS OMITTED).
    pub name: String,
    pub end: u32,
    pub attributes: Attributes,
    pub offset: Extent,
    pub length: Extent,
    pub table: Option<u32>,
    pub stride: Extent,
    pub flags: u32,
    pub suppress_when: u32,
    pub null_when: u32,
    /// The item's bytes for true and for false (CONVERTING ... BOOLEAN).
    pub truth: Option<(Vec<u8>, Vec<u8>)>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    pub nodes: Vec<Node>,
    /// Smallest and largest number of occurrences.
    pub tables: Vec<(u32, u32)>,
}

impl Node {
    pub fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
}

impl Tree {
    pub fn is_group(&self, at: usize) -> bool {
        self.nodes[at].end as usize > at + 1
    }

    /// Direct subordinates of a node.
    pub fn children(&self, at: usize) -> Vec<usize> {
        let mut children = Vec::new();
        let mut next = at + 1;
        while next < self.nodes[at].end as usize {
            children.push(next);
            next = self.nodes[next].end as usize;
        }
        children
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        word(&mut out, self.tables.len() as u32);
        for (min, max) in &self.tables {
            word(&mut out, *min);
            word(&mut out, *max);
        }
        word(&mut out, self.nodes.len() as u32);
        for node in &self.nodes {
            for value in [node.end, node.flags, node.suppress_when, node.null_when, node.table.map_or(0, |table| table + 1)] {
                word(&mut out, value);
            }
            bytes(&mut out, node.name.as_bytes());
            // The layout of attributes is fixed; see their module.
            let raw: [u8; 16] = unsafe { std::mem::transmute(node.attributes) };
            out.extend_from_slice(&raw);
            for extent in [&node.offset, &node.length, &node.stride] {
                put_extent(&mut out, extent);
            }
            word(&mut out, node.truth.is_some() as u32);
            if let Some((yes, no)) = &node.truth {
                bytes(&mut out, yes);
                bytes(&mut out, no);
            }
        }
        out
    }

    /// Reads what [`Tree::to_bytes`] wrote.
    ///
    /// # Safety
    /// The bytes must come from [`Tree::to_bytes`]: the usages in them are taken as they are.
    pub unsafe fn from_bytes(bytes: &[u8]) -> Option<Tree> {
        let mut reader = Reader { bytes };
        let tables = (0..reader.word()?).map(|_| Some((reader.word()?, reader.word()?))).collect::<Option<_>>()?;
        let nodes = (0..reader.word()?).map(|_| reader.node()).collect::<Option<_>>()?;
        Some(Tree { nodes, tables })
    }
}

fn word(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}

fn bytes(out: &mut Vec<u8>, value: &[u8]) {
    word(out, value.len() as u32);
    out.extend_from_slice(value);
}

fn put_extent(out: &mut Vec<u8>, extent: &Extent) {
    word(out, extent.fixed);
    word(out, extent.terms.len() as u32);
    for (table, stride) in &extent.terms {
        word(out, *table);
        put_extent(out, stride);
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(taken)
    }

    fn word(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn text(&mut self) -> Option<Vec<u8>> {
        let length = self.word()?;
        Some(self.take(length as usize)?.to_vec())
    }

    fn extent(&mut self) -> Option<Extent> {
        let fixed = self.word()?;
        let terms = (0..self.word()?).map(|_| Some((self.word()?, self.extent()?))).collect::<Option<_>>()?;
        Some(Extent { fixed, terms })
    }

    unsafe fn node(&mut self) -> Option<Node> {
        let (end, flags, suppress_when, null_when) = (self.word()?, self.word()?, self.word()?, self.word()?);
        let table = self.word()?.checked_sub(1);
        let name = String::from_utf8(self.text()?).ok()?;
        let raw: [u8; 16] = self.take(16)?.try_into().ok()?;
        let attributes = std::mem::transmute::<[u8; 16], Attributes>(raw);
        let (offset, length, stride) = (self.extent()?, self.extent()?, self.extent()?);
        let truth = match self.word()? {
            0 => None,
            _ => Some((self.text()?, self.text()?)),
        };
        Some(Node { name, end, attributes, offset, length, table, stride, flags, suppress_when, null_when, truth })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_survives_its_bytes() {
        let inner = Extent { fixed: 3, terms: vec![(1, Extent { fixed: 2, terms: Vec::new() })] };
        let node = Node {
            name: "Größe".to_string(),
            end: 1,
            attributes: Attributes::packed(7, 2, true),
            offset: inner.clone(),
            length: Extent { fixed: 4, terms: Vec::new() },
            table: Some(0),
            stride: inner,
            flags: node_flags::NAMED | node_flags::NUMERIC,
            suppress_when: suppress::ZERO,
            null_when: suppress::SPACE,
            truth: Some((b"Y".to_vec(), b"N".to_vec())),
        };
        let tree = Tree { nodes: vec![node.clone(), Node { truth: None, table: None, ..node }], tables: vec![(0, 5), (1, 9)] };
        let bytes = tree.to_bytes();
        assert_eq!(unsafe { Tree::from_bytes(&bytes) }, Some(tree));
        assert_eq!(unsafe { Tree::from_bytes(&bytes[..bytes.len() - 1]) }, None);
    }
}
