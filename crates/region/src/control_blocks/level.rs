//! A logical level of a task: the state that belongs to one LINK and not to the whole task.

use super::application::Context;
use crate::change_mode::Home;
use crate::channel::Channel;
use crate::control_blocks::handle::HandleTables;
use crate::name::{Name8, Name16};
use crate::storage_access::Area;
use kernel::storage::Line;
use program::rununit::FrameId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The state of one LINK.
pub struct Level {
    pub name: Name8,
    /// The program that LINKed or XCTLed to this one; blank for the first.
    pub invoked_by: Name8,
    /// The program control returns to; blank at the highest level.
    pub returns_to: Name8,
    pub commarea: Area,
    /// The channel the program was given.
    pub channel: Option<Arc<Channel>>,
    /// Channels made at this level.
    pub channels: Vec<Arc<Channel>>,
    pub handles: HandleTables,
    pub home: Home,
    pub execkey: csd::Key,
    /// Where SET options place data for the program: DATALOCATION.
    pub data_line: Line,
    /// The application context in which the program runs.
    pub context: Option<Arc<Context>>,
    /// Data for the first RECEIVE of a program LINKed with INPUTMSG.
    pub input_message: Option<Vec<u8>>,
    /// The program whose command made the level, and the line of that command; `None` at the highest level.
    pub linked_from: Option<(FrameId, u32)>,
    /// Storage the region gave this program (SET options), freed when the level ends.
    pub storage: Vec<usize>,
    /// The same of GET CONTAINER SET: by address of the channel and container, because the next GET of a container gives the storage of the
    /// last one up.
    pub container_copies: FxHashMap<(usize, Name16), usize>,
}
