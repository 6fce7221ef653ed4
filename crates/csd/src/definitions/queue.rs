//! Typed TDQUEUE, TSMODEL and ENQMODEL definitions.

use super::Definition;
use kernel::name::{Name4, Name8};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TdQueueType {
    Intrapartition,
    Extrapartition,
    Indirect,
    Remote,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TdRecovery {
    None,
    Physical,
    Logical,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtiFacility {
    Terminal,
    File,
    System,
}

#[derive(Clone, Debug)]
pub struct TdQueueDefinition {
    pub name: Name4,
    pub queue_type: TdQueueType,
    pub indirect: Name4,
    pub trigger_level: u32,
    pub transid: Name4,
    pub facility: AtiFacility,
    pub facility_id: Name4,
    pub user_id: Name8,
    pub recovery: TdRecovery,
    pub ddname: Name8,
    pub dataset: String,
    pub type_file: TypeFile,
    pub record_bytes: u32,
    pub fixed: bool,
    pub disposition: TdDisposition,
    pub open_at_startup: bool,
    pub remote_system: Name4,
    /// WAIT and WAITACTION(QUEUE): the effect of an in-doubt unit of work on the queue.
    pub indoubt_wait: bool,
    pub indoubt_queue: bool,
    pub data_buffers: u32,
    pub block_bytes: u32,
    pub blocked: bool,
    pub skip_errors: bool,
    pub print_control: PrintControl,
    pub rewind: Rewind,
}

/// The value of TYPEFILE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeFile {
    Input,
    Output,
    ReadBack,
}

/// The value of DISPOSITION.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TdDisposition {
    Share,
    Old,
    Mod,
}

/// The value of PRINTCONTROL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrintControl {
    None,
    Asa,
    Machine,
}

/// The value of REWIND.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rewind {
    None,
    Leave,
    Reread,
}

impl TdQueueDefinition {
    pub fn from(definition: &Definition) -> Self {
        Self {
            name: definition.name.as_str().into(),
            queue_type: match definition.get("TYPE") {
                "EXTRA" => TdQueueType::Extrapartition,
                "INTRA" => TdQueueType::Intrapartition,
                "INDIRECT" => TdQueueType::Indirect,
                _ => TdQueueType::Remote,
            },
            indirect: definition.get("INDIRECTNAME").into(),
            trigger_level: definition.number("TRIGGERLEVEL").unwrap_or(1),
            transid: definition.get("TRANSID").into(),
            facility: match definition.get("ATIFACILITY") {
                "FILE" => AtiFacility::File,
                "SYSTEM" => AtiFacility::System,
                _ => AtiFacility::Terminal,
            },
            facility_id: definition.get("FACILITYID").into(),
            user_id: definition.get("USERID").into(),
            recovery: match definition.get("RECOVSTATUS") {
                "PHYSICAL" => TdRecovery::Physical,
                "LOGICAL" => TdRecovery::Logical,
                _ => TdRecovery::None,
            },
            ddname: definition.get("DDNAME").into(),
            dataset: definition.get("DSNAME").to_string(),
            type_file: match definition.get("TYPEFILE") {
                "INPUT" => TypeFile::Input,
                "RDBACK" => TypeFile::ReadBack,
                _ => TypeFile::Output,
            },
            record_bytes: definition.number("RECORDSIZE").unwrap_or(0),
            fixed: definition.is("RECORDFORMAT", "FIXED"),
            disposition: match definition.get("DISPOSITION") {
                "OLD" => TdDisposition::Old,
                "MOD" => TdDisposition::Mod,
                _ => TdDisposition::Share,
            },
            open_at_startup: !definition.is("OPENTIME", "DEFERRED"),
            remote_system: definition.get("REMOTESYSTEM").into(),
            indoubt_wait: !definition.is("WAIT", "NO"),
            indoubt_queue: definition.is("WAITACTION", "QUEUE"),
            data_buffers: definition.number("DATABUFFERS").unwrap_or(1),
            block_bytes: definition.number("BLOCKSIZE").unwrap_or(0),
            blocked: definition.is("BLOCKFORMAT", "BLOCKED"),
            skip_errors: definition.is("ERROROPTION", "SKIP"),
            print_control: match definition.get("PRINTCONTROL") {
                "A" => PrintControl::Asa,
                "M" => PrintControl::Machine,
                _ => PrintControl::None,
            },
            rewind: match definition.get("REWIND") {
                "LEAVE" => Rewind::Leave,
                "REREAD" => Rewind::Reread,
                _ => Rewind::None,
            },
        }
    }
}

#[derive(Clone, Debug)]
pub struct TsModelDefinition {
    pub name: Name8,
    /// PREFIX in the region's code page, or XPREFIX.
    pub prefix: Prefix,
    pub main: bool,
    pub recoverable: bool,
    /// Access to queues with the prefix is checked.
    pub security: bool,
    pub expiry_minutes: u32,
    pub pool: Name8,
    pub remote_system: Name4,
}

/// The begin of a queue's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prefix {
    Text(String),
    /// Bytes as they are in storage.
    Hexadecimal(Vec<u8>),
}

impl Prefix {
    fn of(definition: &Definition) -> Prefix {
        let digits = definition.get("XPREFIX");
        let byte = |at: usize| digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
        match digits.is_empty() {
            true => Prefix::Text(definition.get("PREFIX").to_string()),
            false => Prefix::Hexadecimal((0..digits.len()).step_by(2).map_while(byte).collect()),
        }
    }
}

/// EXPIRYINTMIN counts in steps of ten minutes, and overrides the hours of EXPIRYINT.
fn expiry_minutes(definition: &Definition) -> u32 {
    const STEP_MINUTES: u32 = 10;
    match definition.number("EXPIRYINTMIN") {
        Some(minutes) if minutes > 0 => minutes.next_multiple_of(STEP_MINUTES),
        _ => definition.number("EXPIRYINT").unwrap_or(0) * 60,
    }
}

impl TsModelDefinition {
    pub fn from(definition: &Definition) -> Self {
        Self {
            name: definition.name.as_str().into(),
            prefix: Prefix::of(definition),
            main: definition.is("LOCATION", "MAIN"),
            recoverable: definition.is("RECOVERY", "YES"),
            security: definition.is("SECURITY", "YES"),
            expiry_minutes: expiry_minutes(definition),
            pool: definition.get("POOLNAME").into(),
            remote_system: definition.get("REMOTESYSTEM").into(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct EnqModelDefinition {
    pub name: Name8,
    pub enq_name: String,
    pub scope: Name4,
    pub enabled: bool,
}

impl EnqModelDefinition {
    pub fn from(definition: &Definition) -> Self {
        Self {
            name: definition.name.as_str().into(),
            enq_name: definition.get("ENQNAME").to_string(),
            scope: definition.get("ENQSCOPE").into(),
            enabled: !definition.is("STATUS", "DISABLED"),
        }
    }
}
