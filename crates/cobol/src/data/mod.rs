//! Data division: from parsed entries to items with places, sizes and initial bytes.
//!
//! `entry` is the parser's output, `tree` builds the items, `layout` places them, `value` encodes, `image` fills the initial storage,
//! `resolve` binds OCCURS DEPENDING, keys, RENAMES.

pub mod entry;
pub mod image;
pub mod layout;
pub mod picture;
pub mod resolve;
pub mod tree;
pub mod value;
