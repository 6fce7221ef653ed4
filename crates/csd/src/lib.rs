//! The system definition file (CSD): resource types and their attributes, the DFHCSDUP utility that maintains it, and the typed definitions
//! that a region installs from it.
//!
//! * `attributes` the table of resource types and attributes (`tables/attributes.tsv`) and the validation of values;
//! * `statement`  the control statements as text;
//! * `file`       groups and lists of definitions, kept as a file of DFHCSDUP statements;
//! * `remarks`    what the file keeps besides statements: locks, and what comes from sources;
//! * `rules`      rules over several attributes of a definition;
//! * `attribute_text` the attributes of CREATE and CSD commands;
//! * `edit`       what users do to groups, lists and definitions, and why it is refused;
//! * `shared`     the CSD of a region, on a file that other processes change too;
//! * `csdup`      the utility: executes statements against a CSD and writes the listing;
//! * `definitions` the typed definitions, made from the text ones when they are installed;
//! * `range`      the numbers that a table accepts;
//! * `installed`  the resources installed in a region; `record` a file that says which.
//!
//! Nothing here knows tasks or programs at run time.

pub mod attribute_text;
pub mod attributes;
pub mod csdup;
pub mod definitions;
pub mod edit;
pub mod file;
pub mod installed;
pub mod range;
pub mod record;
mod remarks;
pub mod rules;
pub mod shared;
pub mod statement;

pub use definitions::*;
pub use edit::{Editor, Refused};
pub use file::{Csd, Definition, Origin, Owner, Part};
pub use installed::Installed;
pub use shared::{SharedCsd, Unavailable};

/// The groups CICS itself supplies, as DFHCSDUP input.
pub const SUPPLIED_GROUPS: &str = include_str!("../tables/supplied.csd");

/// The release of CICS whose resource definitions these are.
pub const RELEASE: &str = "0720";
