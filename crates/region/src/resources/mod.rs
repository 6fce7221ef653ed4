//! Resource definitions: the CSD, the DFHCSDUP utility that maintains it, and the typed definitions a region installs from it.
//!
//! * `attributes` the table of resource types and attributes (`tables/csd_attributes.tsv`) and the validation of values;
//! * `statement`  the control statements as text;
//! * `csd`        groups and lists of definitions, kept as a file of DFHCSDUP statements;
//! * `csdup`      the utility: executes statements against a CSD and writes the listing;
//! * `definitions` the typed definitions, made from the text ones when they are installed;
//! * `installed`  the resources installed in a region.
//!
//! Nothing here knows tasks or programs at run time.

pub mod attributes;
pub mod csd;
pub mod csdup;
pub mod definitions;
pub mod installed;
pub mod statement;

pub use csd::{Csd, Definition, Origin};
pub use definitions::*;
pub use installed::Installed;

/// The groups CICS itself supplies, as DFHCSDUP input.
pub const SUPPLIED_GROUPS: &str = include_str!("../../tables/supplied.csd");
