//! A request to the transaction manager: the task to attach, and the data it begins with.

use super::extensions::UserToken;
use super::facility::Facility;
use super::origin::Ancestry;
use crate::channel::Channel;
use crate::messages::Message;
use crate::name::{Name4, Name8};
use std::any::Any;
use std::collections::VecDeque;
use std::sync::Arc;

/// How a task was started (ASSIGN STARTCODE).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartCode {
    /// Terminal input.
    TerminalData,
    /// START without data.
    Start,
    /// START with data.
    StartWithData,
    /// START CHANNEL.
    StartWithChannel,
    /// RUN TRANSID.
    RunTransid,
    /// Transient data trigger level.
    TransientData,
    /// Attached by the region itself.
    System,
}

impl StartCode {
    /// By START, without a terminal or for one.
    pub const fn is_start(self) -> bool {
        matches!(self, StartCode::Start | StartCode::StartWithData | StartCode::StartWithChannel)
    }

    /// The two characters of INQUIRE TASK: TO for a task that a terminal operator started ("INQUIRE TASK", STARTCODE).
    pub const fn inquired(self) -> &'static str {
        match self {
            StartCode::TerminalData => "TO",
            other => other.text(),
        }
    }

    /// The two characters a program sees.
    pub const fn text(self) -> &'static str {
        match self {
            StartCode::TerminalData => "TD",
            StartCode::Start => "S",
            StartCode::StartWithData => "SD",
            StartCode::StartWithChannel => "S",
            StartCode::TransientData => "QD",
            StartCode::RunTransid | StartCode::System => "U",
        }
    }
}

/// A task to be attached.
#[derive(Clone)]
pub struct AttachRequest {
    pub transid: Name4,
    pub start_code: StartCode,
    pub facility: Facility,
    pub user_id: Name8,
    /// The user as the authority keeps it; the attach looks it up.
    pub token: Option<UserToken>,
    /// The data for a first RECEIVE.
    pub input: Option<Vec<u8>>,
    /// From the RETURN of the task before.
    pub commarea: Vec<u8>,
    pub channel: Option<Arc<Channel>>,
    pub start_data: VecDeque<StartData>,
    pub queue: Option<Name4>,
    /// From the START; `None` at a point of origin.
    pub ancestry: Option<Arc<Ancestry>>,
    /// Times this piece of work has been restarted.
    pub restarts: u16,
}

impl AttachRequest {
    pub fn new(transid: Name4, start_code: StartCode) -> Self {
        Self {
            transid,
            start_code,
            facility: Facility::None,
            user_id: Name8::BLANK,
            token: None,
            input: None,
            commarea: Vec::new(),
            channel: None,
            start_data: VecDeque::new(),
            queue: None,
            ancestry: None,
            restarts: 0,
        }
    }
}

/// Why no task was attached, with the message about it.
#[derive(Debug, Clone)]
pub struct AttachFailure {
    pub reason: AttachReason,
    pub message: Message,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttachReason {
    Unknown,
    Disabled,
    ShuttingDown,
    ClassFull,
    /// It is defined in another system, and there is no connection to it.
    Remote,
    /// A transaction that only the region itself attaches.
    Internal,
    /// Its user may not run the transaction.
    NotAuthorized,
}

/// The data of a START for RETRIEVE.
#[derive(Clone, Debug, Default)]
pub struct StartData {
    pub request_id: Name8,
    pub data: Option<Vec<u8>>,
    pub return_transid: Option<Name4>,
    pub return_terminal: Option<Name4>,
    pub queue: Option<Name8>,
    pub channel: Option<Arc<Channel>>,
    pub function_management_header: bool,
    /// The store has the request until a task it started has committed.
    pub persistent: bool,
    /// The ECDSA storage of the request and its data: released when it is dropped.
    pub element: Option<Arc<dyn Any + Send + Sync>>,
}

impl StartData {
    /// Whether RETRIEVE finds anything (start code SD rather than S).
    pub fn has_data(&self) -> bool {
        self.data.is_some() || self.return_transid.is_some() || self.return_terminal.is_some() || self.queue.is_some()
    }
}
