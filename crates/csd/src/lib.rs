//! The system definition file (CSD): resource types and their attributes, the DFHCSDUP utility that maintains it, and the typed definitions
//! that a region installs from it.
//!
//! * `attributes` the table of resource types and attributes (`tables/attributes.tsv`) and the validation of values;
//! * `statement`  the control statements as text;
//! * `file`       groups and lists of definitions, kept as a file of DFHCSDUP statements;
//! * `csdup`      the utility: executes statements against a CSD and writes the listing;
//! * `definitions` the typed definitions, made from the text ones when they are installed;
//! * `range`      the numbers that a table accepts;
//! * `installed`  the resources installed in a region.
//!
//! Nothing here knows tasks or programs at run time.

pub mod attributes;
pub mod csdup;
pub mod definitions;
pub mod file;
pub mod installed;
pub mod range;
pub mod statement;

pub use definitions::*;
pub use file::{Csd, Definition, Origin};
pub use installed::Installed;

/// The groups CICS itself supplies, as DFHCSDUP input.
pub const SUPPLIED_GROUPS: &str = include_str!("../tables/supplied.csd");
