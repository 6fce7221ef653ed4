//! Source text: from the bytes of a program and its copybooks to text words, each with its place.
//!
//! Contents: decoding, the reference formats (fixed and free), continuation, compiler-directing statements, conditional compilation, COPY
//! with REPLACING, REPLACE and the members supplied by the compiler. [`crate::lexer`] turns text words into tokens of the language.
//!
//! The files and lines that have been read are kept in a [`SourceMap`], for messages and the listing.

mod budget;
mod conditional;
mod copy;
mod deck;
mod detect;
mod format;
mod preprocess;
mod replace;
mod resolver;
mod supplied;
mod supplied_services;
mod text;
mod words;

pub use deck::deck;
pub(crate) use preprocess::preprocess;
pub use resolver::{Directories, FirstOf, Members};
pub use supplied::{supplied_member, supplied_names};
pub(crate) use words::{TextWord, WordKind};

pub use crate::source_map::{FileKind, SourceFile, SourceMap};

/// Text of a copy member.
#[derive(Clone, Debug)]
pub struct CopyMember {
    /// As it is shown in messages and the listing.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Finds copy members: in directories, generated from maps, in memory.
pub trait CopyResolver {
    /// The member `name` (as written, without quotes) of the library (`OF`, `IN`) or of the usual search order.
    fn resolve(&self, name: &str, library: Option<&str>) -> Option<CopyMember>;

    /// The upper-case names of the members there are, for a message about another name.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    /// Why there is no member of this upper-case name, if it is known.
    fn why_missing(&self, _name: &str) -> Option<String> {
        None
    }

    /// Where it looks, as a message says it.
    fn searched(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Finds no member; those supplied by the compiler are still available.
pub struct NoCopies;

impl CopyResolver for NoCopies {
    fn resolve(&self, _name: &str, _library: Option<&str>) -> Option<CopyMember> {
        None
    }
}
