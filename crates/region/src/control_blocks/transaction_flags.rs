//! TRANFLAG and OTRANFLG: what kind of task a monitoring record is of, and its origin ("Performance data in group DFHTASK", field 164).

use super::attach::StartCode;
use super::task::TaskShared;
use crate::facility::{Facility, PartnerKind};
use csd::Key;

/// Eight bytes: facility, kind of transaction, workload request, definition, type of the origin, status, tracking tag, recovery. The region
/// has no workload manager and tags nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TransactionFlags([u8; 8]);

/// Byte 0: the facility.
const FACILITY: usize = 0;
const NO_FACILITY: u8 = 0x80;
const TERMINAL: u8 = 0x40;
const DESTINATION: u8 = 0x10;
/// Byte 1: the kind of transaction.
const KIND: usize = 1;
const SYSTEM: u8 = 0x80;
const WEB_ALIAS: u8 = 0x08;
/// Byte 3: the definition.
const DEFINITION: usize = 3;
const TASKDATALOC_BELOW: u8 = 0x80;
const TASKDATAKEY_CICS: u8 = 0x40;
const ISOLATE_NO: u8 = 0x20;
const DYNAMIC_YES: u8 = 0x10;
/// Byte 4: the type of the origin.
const ORIGIN: usize = 4;
/// Byte 5: the status.
const STATUS: usize = 5;
const POINT_OF_ORIGIN: u8 = 0x80;
const ABENDED: u8 = 0x01;
/// Byte 7: recovery.
const RECOVERY: usize = 7;
const INDOUBT_WAIT_NO: u8 = 0x80;
const INDOUBT_ACTION_COMMIT: u8 = 0x40;

/// The types of origin that there are here.
const ORIGIN_NONE: u8 = 0x01;
const ORIGIN_TERMINAL: u8 = 0x02;
const ORIGIN_TRANSIENT_DATA: u8 = 0x03;
const ORIGIN_START: u8 = 0x04;
const ORIGIN_TERMINAL_START: u8 = 0x05;
const ORIGIN_WEB: u8 = 0x0A;
const ORIGIN_SESSION: u8 = 0x0F;
const ORIGIN_ASYNCHRONOUS: u8 = 0x16;

fn origin_type(facility: &Facility, start_code: StartCode) -> u8 {
    match (facility, start_code) {
        (_, StartCode::TransientData) | (Facility::Queue(_), _) => ORIGIN_TRANSIENT_DATA,
        (Facility::Terminal(_), code) if code.is_start() => ORIGIN_TERMINAL_START,
        (Facility::Terminal(_), _) => ORIGIN_TERMINAL,
        (Facility::Partner(PartnerKind::WebClient, _), _) => ORIGIN_WEB,
        (Facility::Partner(PartnerKind::Session, _), _) => ORIGIN_SESSION,
        (Facility::Partner(PartnerKind::Parent, _), _) => ORIGIN_ASYNCHRONOUS,
        (Facility::None, code) if code.is_start() => ORIGIN_START,
        (Facility::None | Facility::Partner(PartnerKind::Region, _), _) => ORIGIN_NONE,
    }
}

impl TransactionFlags {
    pub fn of(task: &TaskShared) -> TransactionFlags {
        let mut bytes = [0; 8];
        bytes[FACILITY] = match &task.facility {
            Facility::Terminal(_) => TERMINAL,
            Facility::Queue(_) => DESTINATION,
            Facility::Partner(..) | Facility::None => NO_FACILITY,
        };
        if task.is_system() {
            bytes[KIND] |= SYSTEM;
        }
        if matches!(&task.facility, Facility::Partner(PartnerKind::WebClient, _)) {
            bytes[KIND] |= WEB_ALIAS;
        }
        let definition = &task.definition;
        let facts = [
            (DEFINITION, TASKDATALOC_BELOW, !definition.task_data_anywhere),
            (DEFINITION, TASKDATAKEY_CICS, definition.task_data_key == Key::Cics),
            (DEFINITION, ISOLATE_NO, !definition.isolate),
            (DEFINITION, DYNAMIC_YES, definition.dynamic),
            (STATUS, POINT_OF_ORIGIN, task.ancestry.is_none()),
            (RECOVERY, INDOUBT_WAIT_NO, !definition.indoubt_wait),
            (RECOVERY, INDOUBT_ACTION_COMMIT, definition.indoubt_commit),
        ];
        for (byte, bit, _) in facts.into_iter().filter(|(_, _, is_set)| *is_set) {
            bytes[byte] |= bit;
        }
        bytes[ORIGIN] = origin_type(&task.facility, task.start_code);
        TransactionFlags(bytes)
    }

    /// The same of a task that has abended.
    pub fn abended(mut self) -> TransactionFlags {
        self.0[STATUS] |= ABENDED;
        self
    }

    pub fn bytes(self) -> [u8; 8] {
        self.0
    }
}
