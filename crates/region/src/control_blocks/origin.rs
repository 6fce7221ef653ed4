//! Association data: where the work of a task came from (INQUIRE ASSOCIATION).
//!
//! A task that terminal input, a trigger or the region attached is a point of origin, and has no ancestry. A START without TERMID hands the
//! origin on to its task. START with TERMID and START ATTACH begin a new one, and so does a START that a restart of the region recovered.
//! Invariant: an ancestry names the task that issued the START, and the first task of the chain.

use super::application::HandedOn;
use super::attach::StartCode;
use super::task::TaskShared;
use super::transaction_flags::TransactionFlags;
use crate::facility::{Facility, PartnerKind};
use crate::name::{Name4, Name8};
use exec::cvda;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::SystemTime;

/// What association data says of one task.
#[derive(Clone, Debug)]
pub struct Origin {
    pub number: u32,
    pub transid: Name4,
    pub user_id: Name8,
    /// FACILTYPE: a CVDA.
    pub facility_type: i64,
    /// The terminal or queue; blank for none.
    pub facility_name: Name4,
    pub netname: Name8,
    /// Of a TN3270 client.
    pub client: Option<SocketAddr>,
    pub attached_at: Option<SystemTime>,
    /// What exit programs of XAPADMGR, or SET ASSOCIATION, have added.
    pub user_correlation: Option<Arc<UserCorrelation>>,
    /// TRANFLAG, and OTRANFLG of the tasks that this one is the origin of.
    pub flags: TransactionFlags,
}

/// User correlation data, which goes with the origin to the tasks of its transaction group (USERCORRDATA).
pub type UserCorrelation = [u8; 64];

/// The tasks before a task that START began.
#[derive(Clone, Debug)]
pub struct Ancestry {
    pub origin: Origin,
    /// The task that issued the START.
    pub previous: Origin,
    /// STARTs from the origin to this task.
    pub starts: u32,
    /// The application contexts that the task issuing the START had.
    pub contexts: Option<HandedOn>,
}

impl Origin {
    pub fn of(task: &TaskShared) -> Origin {
        let terminal = task.facility.terminal();
        Origin {
            number: task.number,
            transid: task.transid,
            user_id: task.user_id,
            facility_type: facility_type(&task.facility, task.start_code),
            facility_name: task.facility.name(),
            netname: terminal.map_or(Name8::BLANK, |terminal| terminal.netname()),
            client: terminal.and_then(|terminal| terminal.attributes().tn_address),
            attached_at: task.kernel.lock().as_ref().map(|kernel| kernel.info().attached_at),
            user_correlation: task.user_correlation.lock().clone(),
            flags: TransactionFlags::of(task),
        }
    }
}

impl Ancestry {
    /// What a START of this task without TERMID hands on.
    pub fn from(starter: &TaskShared) -> Ancestry {
        let previous = Origin::of(starter);
        let contexts = starter.contexts.handed_on();
        match &starter.ancestry {
            Some(ancestry) => Ancestry { origin: ancestry.origin.clone(), previous, starts: ancestry.starts + 1, contexts },
            None => Ancestry { origin: previous.clone(), previous, starts: 1, contexts },
        }
    }
}

/// FACILTYPE: what began the task.
fn facility_type(facility: &Facility, start_code: StartCode) -> i64 {
    match (facility, start_code) {
        (Facility::Queue(_), _) | (_, StartCode::TransientData) => cvda::TRANDATA,
        (Facility::Terminal(_), code) if code.is_start() => cvda::STARTTERM,
        (Facility::Terminal(_), _) => cvda::TERMINAL,
        (Facility::Partner(PartnerKind::WebClient, _), _) => cvda::WEB,
        (Facility::Partner(PartnerKind::Parent, _), _) => cvda::ASRUNTRAN,
        (Facility::Partner(PartnerKind::Session, _), _) => cvda::MRO,
        (Facility::None, code) if code.is_start() => cvda::START,
        (Facility::None | Facility::Partner(PartnerKind::Region, _), _) => cvda::NONE,
    }
}
