//! Commands for channels and containers, and the channels a program can see. The data is in [`crate::channel`].

mod commands;
mod scope;

pub use commands::handlers;

use crate::Domain;
use crate::channel::Channel;
use crate::name::Name16;
use vsam::store::Charge;

crate::task_part!(TaskState);

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "channels and containers", commands: &[handlers], slots: &[&IN_TASK], ..Domain::NONE };

/// A STARTBROWSE CONTAINER in progress.
#[derive(Debug)]
pub struct Browse {
    names: Vec<Name16>,
    next: usize,
    /// Its memory in the account of the region.
    _charge: Charge,
}

/// The domain's part of a task.
#[derive(Default)]
pub struct TaskState {
    transaction_channel: Option<std::sync::Arc<Channel>>,
    browses: Vec<(i64, Browse)>,
    next_token: i64,
}
