//! START requests: how a request becomes a task.

use crate::clock::Abstime;
use crate::control_blocks::origin::Ancestry;
use crate::facility::StartForTerminal;
use crate::interval_control::IntervalControl;
use crate::name::{Name4, Name8};
use crate::{AttachRequest, Region, StartCode, StartData};
use std::sync::Arc;

/// A START: the transaction, its place, time and data.
#[derive(Clone, Debug)]
pub struct StartRequest {
    pub request_id: Name8,
    pub transid: Name4,
    pub terminal: Option<Name4>,
    pub user_id: Name8,
    /// The tasks before, which a START without TERMID hands on.
    pub ancestry: Option<Arc<Ancestry>>,
    pub data: StartData,
    /// Local time at which it is due; `None`: at once.
    pub due: Option<Abstime>,
}

impl StartRequest {
    pub fn start_code(&self) -> StartCode {
        if self.data.channel.is_some() {
            StartCode::StartWithChannel
        } else if self.data.has_data() {
            StartCode::StartWithData
        } else {
            StartCode::Start
        }
    }

    /// Starts the task, or queues it for its terminal. A request that cannot be carried out any more is discarded with a message.
    pub fn expire(self, region: &'static Region) {
        let (request_id, transid, persistent) = (self.request_id, self.transid, self.data.persistent);
        if let Err(reason) = self.start(region) {
            let values = [("reqid", request_id.as_str()), ("transid", transid.as_str()), ("reason", reason.as_str())];
            region.messages.send("DFHIC0360", &values);
            if persistent {
                super::persistent::remove(region, vec![request_id]);
            }
        }
    }

    fn start(self, region: &'static Region) -> Result<(), String> {
        let start_code = self.start_code();
        if let Some(name) = self.terminal {
            let terminal = region.terminals.find(name).ok_or_else(|| format!("terminal {name} is not there"))?;
            let transid = self.transid;
            terminal.start(StartForTerminal { transid, data: Some(self.data), user_id: self.user_id, queue: None });
            IntervalControl::of(region).started_at(name, transid);
            return Ok(());
        }
        let mut attach = AttachRequest::new(self.transid, start_code);
        attach.user_id = self.user_id;
        attach.ancestry = self.ancestry;
        attach.channel = self.data.channel.clone();
        attach.start_data.push_back(self.data);
        region.attach(attach).map(|_| ()).map_err(|failure| failure.message.text)
    }
}
