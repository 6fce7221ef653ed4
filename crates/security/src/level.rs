//! Levels of access, in ascending order: each includes those before it.

use serde::{Deserialize, Serialize};

/// A level of access to a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    None,
    Execute,
    Read,
    Update,
    Control,
    Alter,
}

impl Level {
    /// All levels, ascending.
    pub const ALL: [Level; 6] = [Level::None, Level::Execute, Level::Read, Level::Update, Level::Control, Level::Alter];

    /// The level as commands write it.
    pub fn name(self) -> &'static str {
        match self {
            Level::None => "NONE",
            Level::Execute => "EXECUTE",
            Level::Read => "READ",
            Level::Update => "UPDATE",
            Level::Control => "CONTROL",
            Level::Alter => "ALTER",
        }
    }

    /// The level of a word.
    pub fn of_name(word: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name().eq_ignore_ascii_case(word))
    }
}
