//! Typed definitions: what the region works with, made from a CSD definition when it is installed.
//!
//! Each type keeps what the region acts on; attributes that are accepted without effect stay in the text definition.

use super::csd::Definition;
use crate::file_control::AutomaticJournal;
use crate::name::{Name4, Name8};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Concurrency {
    Quasirent,
    Threadsafe,
    Required,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Api {
    Cicsapi,
    Openapi,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    User,
    Cics,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgramType {
    Program,
    Mapset,
    Partitionset,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    NotDefined,
    Assembler,
    C,
    Cobol,
    Le370,
    Pli,
}

/// PROGRAM, MAPSET and PARTITIONSET.
#[derive(Clone, Debug)]
pub struct ProgramDefinition {
    pub name: Name8,
    pub program_type: ProgramType,
    pub language: Language,
    pub concurrency: Concurrency,
    pub api: Api,
    pub execkey: Key,
    /// DATALOCATION(ANY): addresses above 16 MB may be passed to it.
    pub data_anywhere: bool,
    pub enabled: bool,
    pub cedf: bool,
    pub resident: bool,
    pub reload: bool,
    pub dpl_subset: bool,
    pub dynamic: bool,
    pub jvm: bool,
    pub remote_system: Name4,
    pub remote_name: Name8,
    pub transid: Name4,
}

impl ProgramDefinition {
    pub fn from(definition: &Definition) -> Self {
        let program_type = match definition.resource.name {
            "MAPSET" => ProgramType::Mapset,
            "PARTITIONSET" => ProgramType::Partitionset,
            _ => ProgramType::Program,
        };
        let language = match definition.get("LANGUAGE") {
            "ASSEMBLER" => Language::Assembler,
            "C" => Language::C,
            "COBOL" => Language::Cobol,
            "LE370" => Language::Le370,
            "PLI" => Language::Pli,
            _ => Language::NotDefined,
        };
        let openapi = definition.is("API", "OPENAPI");
        let concurrency = match definition.get("CONCURRENCY") {
            // OPENAPI with THREADSAFE is kept for compatibility and means REQUIRED.
            "THREADSAFE" if openapi => Concurrency::Required,
            "THREADSAFE" => Concurrency::Threadsafe,
            "REQUIRED" => Concurrency::Required,
            _ => Concurrency::Quasirent,
        };
        Self {
            name: definition.name.as_str().into(),
            program_type,
            language,
            concurrency,
            api: if openapi { Api::Openapi } else { Api::Cicsapi },
            execkey: key(definition.get("EXECKEY")),
            data_anywhere: definition.is("DATALOCATION", "ANY"),
            enabled: !definition.is("STATUS", "DISABLED"),
            cedf: !definition.is("CEDF", "NO"),
            resident: definition.is("RESIDENT", "YES"),
            reload: definition.is("RELOAD", "YES"),
            dpl_subset: definition.is("EXECUTIONSET", "DPLSUBSET"),
            dynamic: definition.is("DYNAMIC", "YES"),
            jvm: definition.is("JVM", "YES"),
            remote_system: definition.get("REMOTESYSTEM").into(),
            remote_name: definition.get("REMOTENAME").into(),
            transid: definition.get("TRANSID").into(),
        }
    }
}

fn key(value: &str) -> Key {
    if value == "CICS" { Key::Cics } else { Key::User }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runaway {
    System,
    None,
    Milliseconds(u32),
}

#[derive(Clone, Debug)]
pub struct TransactionDefinition {
    pub name: Name4,
    pub program: Name8,
    pub profile: Name8,
    pub tranclass: Name8,
    pub twa_bytes: u32,
    pub priority: u8,
    pub enabled: bool,
    pub task_data_anywhere: bool,
    pub task_data_key: Key,
    pub storage_clear: bool,
    pub isolate: bool,
    pub runaway: Runaway,
    /// SHUTDOWN(ENABLED): may be attached while the region shuts down.
    pub shutdown_enabled: bool,
    pub dump: bool,
    pub trace: bool,
    pub system_purge: bool,
    pub terminal_purge: bool,
    /// DTIMOUT in seconds; 0 is none.
    pub deadlock_timeout_seconds: u32,
    /// WAIT(YES): a unit of work in doubt is shunted.
    pub indoubt_wait: bool,
    /// ACTION(COMMIT): what is done when it does not wait (any longer).
    pub indoubt_commit: bool,
    /// WAITTIME in minutes; 0 waits for ever.
    pub indoubt_wait_minutes: u32,
    pub restart: bool,
    pub dynamic: bool,
    pub remote_system: Name4,
    pub remote_name: Name8,
    pub task_request: String,
    pub alias: Name4,
    pub command_security: bool,
    pub resource_security: bool,
}

impl TransactionDefinition {
    pub fn from(definition: &Definition) -> Self {
        let runaway = match definition.get("RUNAWAY") {
            "SYSTEM" | "" => Runaway::System,
            "0" => Runaway::None,
            number => number.parse().map_or(Runaway::System, Runaway::Milliseconds),
        };
        // WAITTIME is dd,hh,mm.
        let wait_time = definition.get("WAITTIME").split(',').map(|part| part.trim().parse().unwrap_or(0));
        let indoubt_wait_minutes = wait_time.zip([24 * 60, 60, 1]).map(|(part, minutes): (u32, u32)| part * minutes).sum();
        // DTIMOUT is mmss.
        let dtimout = definition.number("DTIMOUT").unwrap_or(0);
        Self {
            name: definition.name.as_str().into(),
            program: definition.get("PROGRAM").into(),
            profile: definition.get("PROFILE").into(),
            tranclass: definition.get("TRANCLASS").into(),
            twa_bytes: definition.number("TWASIZE").unwrap_or(0),
            priority: definition.number("PRIORITY").unwrap_or(1).min(255) as u8,
            enabled: !definition.is("STATUS", "DISABLED"),
            task_data_anywhere: definition.is("TASKDATALOC", "ANY"),
            task_data_key: key(definition.get("TASKDATAKEY")),
            storage_clear: definition.is("STORAGECLEAR", "YES"),
            isolate: !definition.is("ISOLATE", "NO"),
            runaway,
            shutdown_enabled: definition.is("SHUTDOWN", "ENABLED"),
            dump: !definition.is("DUMP", "NO"),
            trace: !definition.is("TRACE", "NO"),
            system_purge: definition.is("SPURGE", "YES"),
            terminal_purge: definition.is("TPURGE", "YES"),
            deadlock_timeout_seconds: dtimout / 100 * 60 + dtimout % 100,
            indoubt_wait: !definition.is("WAIT", "NO"),
            indoubt_commit: definition.is("ACTION", "COMMIT"),
            indoubt_wait_minutes,
            restart: definition.is("RESTART", "YES"),
            dynamic: definition.is("DYNAMIC", "YES"),
            remote_system: definition.get("REMOTESYSTEM").into(),
            remote_name: definition.get("REMOTENAME").into(),
            task_request: definition.get("TASKREQ").to_string(),
            alias: definition.get("ALIAS").into(),
            command_security: definition.is("CMDSEC", "YES"),
            resource_security: definition.is("RESSEC", "YES"),
        }
    }
}

#[derive(Clone, Debug)]
pub struct TranclassDefinition {
    pub name: Name8,
    pub active_max: u32,
    /// PURGETHRESH: an attach that would queue beyond this many is refused; 0 is no limit.
    pub purge_threshold: u32,
}

impl TranclassDefinition {
    pub fn from(definition: &Definition) -> Self {
        Self {
            name: definition.name.as_str().into(),
            active_max: definition.number("MAXACTIVE").unwrap_or(0),
            purge_threshold: definition.number("PURGETHRESH").unwrap_or(0),
        }
    }
}

#[derive(Clone, Debug)]
pub struct ProfileDefinition {
    pub name: Name8,
    pub alternate_screen: bool,
    pub uppercase: bool,
    /// RTIMOUT in seconds; 0 is none.
    pub read_timeout_seconds: u32,
    pub message_integrity: bool,
    pub one_write: bool,
}

impl ProfileDefinition {
    pub fn from(definition: &Definition) -> Self {
        let rtimout = definition.number("RTIMOUT").unwrap_or(0);
        Self {
            name: definition.name.as_str().into(),
            alternate_screen: definition.is("SCRNSIZE", "ALTERNATE"),
            uppercase: definition.is("UCTRAN", "YES"),
            read_timeout_seconds: rtimout / 100 * 60 + rtimout % 100,
            message_integrity: definition.is("MSGINTEG", "YES"),
            one_write: definition.is("ONEWTE", "YES"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileRecovery {
    None,
    BackoutOnly,
    All,
}

#[derive(Clone, Debug)]
pub struct FileDefinition {
    pub name: Name8,
    pub dataset: String,
    pub enabled: bool,
    pub disabled: bool,
    pub open_at_startup: bool,
    pub read: bool,
    pub update: bool,
    pub add: bool,
    pub delete: bool,
    pub browse: bool,
    pub recovery: FileRecovery,
    pub strings: u32,
    pub fixed: bool,
    pub record_bytes: u32,
    pub key_bytes: u32,
    pub lsrpool: u32,
    pub rls: bool,
    pub read_integrity: Name8,
    /// TABLE: NO, CICS, USER or CF.
    pub table: Name8,
    pub table_name: Name8,
    pub pool: Name8,
    pub records_max: u64,
    /// UPDATEMODEL(CONTENTION) of a coupling facility table, and LOAD(YES).
    pub contention: bool,
    pub load: bool,
    /// Number of the journal that is the forward recovery log; 0: none.
    pub forward_log: u32,
    /// DSNSHARING(ALLREQS): shares the control blocks of its data set also when it changes nothing.
    pub shares_all: bool,
    /// BACKUPTYPE(DYNAMIC): may be backed up while it is open, where the catalog says nothing of it.
    pub dynamic_backup: bool,
    pub data_buffers: u32,
    pub index_buffers: u32,
    pub disposition_old: bool,
    pub automatic_journal: AutomaticJournal,
    /// SET FILE EMPTY: a REUSE data set is emptied when the file is next opened.
    pub empty_at_open: bool,
    pub remote_system: Name4,
    pub remote_name: Name8,
}

impl FileDefinition {
    pub fn from(definition: &Definition) -> Self {
        let yes = |attribute: &str| definition.is(attribute, "YES");
        Self {
            name: definition.name.as_str().into(),
            dataset: definition.get("DSNAME").to_string(),
            enabled: definition.is("STATUS", "ENABLED"),
            disabled: definition.is("STATUS", "DISABLED"),
            open_at_startup: definition.is("OPENTIME", "STARTUP"),
            read: yes("READ"),
            update: yes("UPDATE"),
            add: yes("ADD"),
            delete: yes("DELETE"),
            browse: yes("BROWSE"),
            recovery: match definition.get("RECOVERY") {
                "ALL" => FileRecovery::All,
                "BACKOUTONLY" => FileRecovery::BackoutOnly,
                _ => FileRecovery::None,
            },
            strings: definition.number("STRINGS").unwrap_or(1),
            fixed: definition.is("RECORDFORMAT", "F"),
            record_bytes: definition.number("RECORDSIZE").unwrap_or(0),
            key_bytes: definition.number("KEYLENGTH").unwrap_or(0),
            lsrpool: definition.number("LSRPOOLNUM").unwrap_or(0),
            rls: yes("RLSACCESS"),
            read_integrity: definition.get("READINTEG").into(),
            table: definition.get("TABLE").into(),
            table_name: definition.get("TABLENAME").into(),
            pool: definition.get("CFDTPOOL").into(),
            records_max: definition.get("MAXNUMRECS").parse().unwrap_or(0),
            contention: definition.is("UPDATEMODEL", "CONTENTION"),
            load: yes("LOAD"),
            forward_log: definition.number("FWDRECOVLOG").unwrap_or(0),
            shares_all: !definition.is("DSNSHARING", "MODIFYREQS"),
            dynamic_backup: definition.is("BACKUPTYPE", "DYNAMIC"),
            data_buffers: definition.number("DATABUFFERS").unwrap_or(2),
            index_buffers: definition.number("INDEXBUFFERS").unwrap_or(1),
            disposition_old: definition.is("DISPOSITION", "OLD"),
            automatic_journal: AutomaticJournal::from(definition),
            empty_at_open: false,
            remote_system: definition.get("REMOTESYSTEM").into(),
            remote_name: definition.get("REMOTENAME").into(),
        }
    }
}

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
    pub input: bool,
    pub record_bytes: u32,
    pub fixed: bool,
    pub append: bool,
    pub open_at_startup: bool,
    pub remote_system: Name4,
    /// WAIT and WAITACTION(QUEUE): what a unit of work in doubt does to the queue.
    pub indoubt_wait: bool,
    pub indoubt_queue: bool,
    pub data_buffers: u32,
    pub block_bytes: u32,
    pub blocked: bool,
    pub skip_errors: bool,
    pub print_control: String,
    pub rewind: String,
    pub read_back: bool,
    pub old: bool,
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
            input: matches!(definition.get("TYPEFILE"), "INPUT" | "RDBACK"),
            record_bytes: definition.number("RECORDSIZE").unwrap_or(0),
            fixed: definition.is("RECORDFORMAT", "FIXED"),
            append: definition.is("DISPOSITION", "MOD"),
            open_at_startup: !definition.is("OPENTIME", "DEFERRED"),
            remote_system: definition.get("REMOTESYSTEM").into(),
            indoubt_wait: !definition.is("WAIT", "NO"),
            indoubt_queue: definition.is("WAITACTION", "QUEUE"),
            data_buffers: definition.number("DATABUFFERS").unwrap_or(1),
            block_bytes: definition.number("BLOCKSIZE").unwrap_or(0),
            blocked: definition.is("BLOCKFORMAT", "BLOCKED"),
            skip_errors: definition.is("ERROROPTION", "SKIP"),
            print_control: definition.get("PRINTCONTROL").to_string(),
            rewind: definition.get("REWIND").to_string(),
            read_back: definition.is("TYPEFILE", "RDBACK"),
            old: definition.is("DISPOSITION", "OLD"),
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

#[derive(Clone, Debug)]
pub struct LibraryDefinition {
    pub name: Name8,
    pub ranking: u32,
    pub enabled: bool,
    pub datasets: Vec<String>,
}

impl LibraryDefinition {
    pub fn from(definition: &Definition) -> Self {
        let dataset = |number: usize| definition.get(&format!("DSNAME{number:02}")).to_string();
        Self {
            name: definition.name.as_str().into(),
            ranking: definition.number("RANKING").unwrap_or(50),
            enabled: !definition.is("STATUS", "DISABLED"),
            datasets: (1..=16).map(dataset).filter(|name| !name.is_empty()).collect(),
        }
    }
}

/// TYPETERM: what a kind of terminal can do.
#[derive(Clone, Debug)]
pub struct TypetermDefinition {
    pub name: Name8,
    pub device: String,
    pub default_screen: (u16, u16),
    pub alternate_screen: (u16, u16),
    pub extended_data_stream: bool,
    pub color: bool,
    pub highlight: bool,
    pub uppercase: bool,
    pub uppercase_transid_only: bool,
    pub ati: bool,
    pub tti: bool,
    pub logon_message: bool,
    pub alarm: bool,
    pub user_area_bytes: u16,
    pub query: bool,
    pub error_last_line: bool,
    pub autopage: bool,
    pub definition: Definition,
}

impl TypetermDefinition {
    pub fn from(definition: &Definition) -> Self {
        let yes = |attribute: &str| definition.is(attribute, "YES");
        Self {
            name: definition.name.as_str().into(),
            device: definition.get("DEVICE").to_string(),
            default_screen: rows_columns(definition.get("DEFSCREEN")).unwrap_or((24, 80)),
            alternate_screen: rows_columns(definition.get("ALTSCREEN")).unwrap_or((24, 80)),
            extended_data_stream: yes("EXTENDEDDS"),
            color: yes("COLOR"),
            highlight: yes("HILIGHT"),
            uppercase: yes("UCTRAN"),
            uppercase_transid_only: definition.is("UCTRAN", "TRANID"),
            ati: yes("ATI"),
            tti: yes("TTI"),
            logon_message: yes("LOGONMSG"),
            alarm: yes("AUDIBLEALARM"),
            user_area_bytes: definition.number("USERAREALEN").unwrap_or(0) as u16,
            query: !definition.is("QUERY", "NO"),
            error_last_line: yes("ERRLASTLINE"),
            autopage: yes("AUTOPAGE"),
            definition: definition.clone(),
        }
    }
}

fn rows_columns(value: &str) -> Option<(u16, u16)> {
    let (rows, columns) = value.split_once(',')?;
    let (rows, columns) = (rows.trim().parse().ok()?, columns.trim().parse().ok()?);
    (rows > 0 && columns > 0).then_some((rows, columns))
}

/// TERMINAL: a terminal, or a model from which one is autoinstalled.
#[derive(Clone, Debug)]
pub struct TerminalDefinition {
    pub name: Name4,
    pub typeterm: Name8,
    pub netname: Name8,
    pub autoinstall_name: Name8,
    pub model_only: bool,
    pub in_service: bool,
    pub priority: u8,
    pub transaction: Name4,
    pub user_id: Name8,
    pub definition: Definition,
}

impl TerminalDefinition {
    pub fn from(definition: &Definition) -> Self {
        Self {
            name: definition.name.as_str().into(),
            typeterm: definition.get("TYPETERM").into(),
            netname: definition.get("NETNAME").into(),
            autoinstall_name: definition.get("AUTINSTNAME").into(),
            model_only: definition.is("AUTINSTMODEL", "ONLY"),
            in_service: !definition.is("INSERVICE", "NO"),
            priority: definition.number("TERMPRIORITY").unwrap_or(0).min(255) as u8,
            transaction: definition.get("TRANSACTION").into(),
            user_id: definition.get("USERID").into(),
            definition: definition.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openapi_with_threadsafe_is_required() {
        let definition = Definition::new("PROGRAM", "P", "G").with("API", "OPENAPI").with("CONCURRENCY", "THREADSAFE");
        assert_eq!(ProgramDefinition::from(&definition).concurrency, Concurrency::Required);
    }

    #[test]
    fn dtimout_is_minutes_and_seconds() {
        let definition = Definition::new("TRANSACTION", "T", "G").with("PROGRAM", "P").with("DTIMOUT", "130");
        assert_eq!(TransactionDefinition::from(&definition).deadlock_timeout_seconds, 90);
    }

    #[test]
    fn screens_are_rows_and_columns() {
        assert_eq!(rows_columns("27,132"), Some((27, 132)));
        assert_eq!(rows_columns("0,0"), None);
    }
}
