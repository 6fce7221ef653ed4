//! Typed definitions: the form the region works with, made from a CSD definition at installation.
//!
//! Each type keeps the attributes the region acts on; attributes accepted without effect stay in the text definition.

mod database;
mod file;
mod program;
mod queue;
mod terminal;
mod transaction;

use crate::file::Definition;

pub use database::*;
pub use file::*;
pub use program::*;
pub use queue::*;
pub use terminal::*;
pub use transaction::*;
