//! START requests.
use super::StartData;
use crate::name::{Name4, Name8};

/// A START: what to start, where, when, and with what.
#[derive(Clone, Debug)]
pub struct StartRequest {
    pub request_id: Name8,
    pub transid: Name4,
    pub terminal: Option<Name4>,
    pub user_id: Name8,
    pub data: StartData,
    /// Local ABSTIME at which it is due.
    pub due: crate::time_of_day::Abstime,
}
