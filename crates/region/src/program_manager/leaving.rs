//! How a program leaves its level by a command.

use super::ready::ReadyProgram;
use crate::channel::Channel;
use crate::storage_access::Area;
use std::sync::Arc;

/// Why a program of a level ends by a command.
pub enum Leaving {
    Return,
    /// XCTL: this program takes the level over.
    Transfer {
        program: ReadyProgram,
        commarea: Area,
        channel: Option<Arc<Channel>>,
    },
    /// The program abended: this exit takes the level over.
    Exit {
        program: ReadyProgram,
        commarea: Area,
        channel: Option<Arc<Channel>>,
    },
}
