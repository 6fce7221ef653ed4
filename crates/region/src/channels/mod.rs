//! Commands for channels and containers, and the channels a program can see. The data is in [`crate::channel`].

mod commands;
mod scope;

pub use commands::handlers;

use crate::channel::{Channel, TRANSACTION_CHANNEL};
use crate::name::Name16;
use crate::{AttachRequest, Domain, Task};
use vsam::store::Charge;

crate::task_part!(TaskState);

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "channels and containers",
    commands: &[handlers],
    slots: &[&IN_TASK],
    task_attached: Some(take_transaction_channel),
    ..Domain::NONE
};

/// A copy of DFHTRANSACTION that was passed to a task is the transaction channel of that task.
fn take_transaction_channel(task: &mut Task, request: &mut AttachRequest) {
    let Some(passed) = &request.channel else { return };
    task.note_containers(passed.data_bytes() as i64);
    if passed.name() == TRANSACTION_CHANNEL {
        TaskState::of_mut(&mut task.parts).transaction_channel = Some(passed.clone());
    }
}

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
    /// Bytes in the containers of its channels.
    container_bytes: i64,
}
