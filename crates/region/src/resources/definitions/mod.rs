//! Typed definitions: what the region works with, made from a CSD definition when it is installed.
//!
//! Each type keeps what the region acts on; attributes that are accepted without effect stay in the text definition.

mod file;
mod program;
mod queue;
mod terminal;
mod transaction;

use super::csd::Definition;

pub use file::*;
pub use program::*;
pub use queue::*;
pub use terminal::*;
pub use transaction::*;
