//! The display of each resource in CEMT: which options of INQUIRE, in which order, under which short names, and which may be overtyped.
//!
//! A row of the display is one or more lines of columns. All values come from the INQUIRE command of the resource and all changes go to its
//! SET command, so CEMT can do nothing that a program could not.

use super::association::ASSOCIATION;
use super::bundles::{BUNDLE, BUNDLEPART, EPADAPTER, EPADAPTERSET, EPADAPTINSET, EVENTBINDING, EVENTPROCESS, POLICY, POLICYRULE};
use super::command::Verb;
use super::database::{DB2CONN, DB2ENTRY, DB2TRAN};
use super::documents::DOCTEMPLATE;
use super::dumps::{DUMPDS, SYDUMPCODE, TRDUMPCODE};
use super::others;
use super::programs::{EXITPROGRAM, LIBRARY};
use super::system::{DISPATCHER, DSAS, SYSTEM, WLMHEALTH};
use super::tracing::{AUXTRACE, GTFTRACE, INTTRACE};
use exec::{CommandId, CommandSpec, OptionId, command, option};

/// How a column looks.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// `Tra(CEMT)`: identifies the row, or shows a value that cannot be changed.
    Name(usize),
    /// `Len(0000004096)`: a number that cannot be changed.
    Digits(usize),
    /// `Pri( 001 )`
    Number(usize),
    /// `Tcl( DFHTCL00 )`
    Text(usize),
    /// Bytes as hexadecimal digits.
    Hex(usize),
    /// `Ena`: the first letters of a CVDA.
    Cvda,
    /// A CVDA that SET changes: the keywords it accepts.
    Choice(&'static [&'static str]),
    /// Always blank; input in it is an action.
    Action(&'static [&'static str]),
    /// `Definetime(28/11/26 15:04:05)`: an absolute time.
    Time,
}

#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub label: &'static str,
    pub option: OptionId,
    pub shape: Shape,
}

/// The source of the names for a generic request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Naming {
    /// A browse of the INQUIRE command.
    Browse,
    /// The same, of names that are bytes: shown and typed as hexadecimal digits.
    Binary,
    /// They have no names: a browse returns everything.
    Each,
    /// The tasks there are, by number.
    Tasks,
    /// There is one.
    Single,
}

#[derive(Debug)]
pub struct Resource {
    pub keyword: &'static str,
    /// Other spellings; capitals are the letters that must be typed.
    pub synonyms: &'static [&'static str],
    /// Letters of the keyword that must be typed.
    pub letters_min: usize,
    pub inquire: CommandId,
    pub set: CommandId,
    pub name_option: OptionId,
    pub name_length: usize,
    pub naming: Naming,
    pub lines: &'static [&'static [Column]],
}

impl Resource {
    pub fn columns(&self) -> impl Iterator<Item = &'static Column> {
        self.lines.iter().flat_map(|line| line.iter())
    }

    /// The command that removes a definition.
    pub fn discard(&self) -> Option<&'static CommandSpec> {
        let resource = self.inquire.spec().words.get(1)?;
        exec::command_by_name(&format!("DISCARD {resource}")).filter(|spec| spec.implemented)
    }

    /// Whether CEMT can do this with it.
    pub fn takes(&self, verb: Verb) -> bool {
        match verb {
            Verb::Inquire => true,
            Verb::Set => self.set != self.inquire && self.set.spec().implemented,
            Verb::Discard => self.discard().is_some(),
            Verb::Perform => false,
        }
    }

    /// Whether a word is enough of its keyword or of another spelling.
    fn is_meant_by(&self, word: &str) -> bool {
        let by_synonym = |spelling: &&str| {
            let letters_min = spelling.chars().filter(char::is_ascii_uppercase).count();
            word.len() >= letters_min && spelling.to_ascii_uppercase().starts_with(word)
        };
        word.len() >= self.letters_min && self.keyword.starts_with(word) || self.synonyms.iter().any(by_synonym)
    }

    /// Whether a word is the beginning of its keyword or of another spelling, perhaps of other resources too.
    pub fn begins_with(&self, word: &str) -> bool {
        self.keyword.starts_with(word) || self.synonyms.iter().any(|spelling| spelling.to_ascii_uppercase().starts_with(word))
    }

    pub fn is_called(&self, name: &str) -> bool {
        self.keyword == name || self.synonyms.iter().any(|spelling| spelling.eq_ignore_ascii_case(name))
    }
}

impl Column {
    /// True for a name that cannot be typed over.
    pub fn is_name(&self) -> bool {
        matches!(self.shape, Shape::Name(_))
    }
}

pub(super) const fn column(label: &'static str, option: OptionId, shape: Shape) -> Column {
    Column { label, option, shape }
}

pub(super) const ENABLE: Shape = Shape::Choice(&["ENABLED", "DISABLED"]);

const TRANSACTION: &[&[Column]] = &[
    &[
        column("Tra", option::TRANSACTION, Shape::Name(4)),
        column("Pri", option::PRIORITY, Shape::Number(3)),
        column("Pro", option::PROGRAM, Shape::Name(8)),
        column("Tcl", option::TRANCLASS, Shape::Text(8)),
        column("", option::STATUS, ENABLE),
        column("", option::TRACING, Shape::Cvda),
    ],
    &[
        column("Prf", option::PROFILE, Shape::Name(8)),
        column("", option::TASKDATAKEY, Shape::Cvda),
        column("", option::TASKDATALOC, Shape::Cvda),
        column("", option::ISOLATEST, Shape::Cvda),
        column("", option::PURGEABILITY, Shape::Choice(&["PURGEABLE", "NOTPURGEABLE"])),
        column("", option::DUMPING, Shape::Choice(&["TRANDUMP", "NOTRANDUMP"])),
        column("", option::INDOUBT, Shape::Cvda),
        column("", option::INDOUBTWAIT, Shape::Cvda),
    ],
];

const PROGRAM: &[&[Column]] = &[
    &[
        column("Prog", option::PROGRAM, Shape::Name(8)),
        column("Leng", option::LENGTH, Shape::Digits(10)),
        column("", option::LANGUAGE, Shape::Cvda),
        column("", option::PROGTYPE, Shape::Cvda),
        column("", option::STATUS, ENABLE),
        column("", option::SHARESTATUS, Shape::Cvda),
        column("", option::COPY, Shape::Action(&["NEWCOPY", "PHASEIN"])),
        column("", option::CEDFSTATUS, Shape::Choice(&["CEDF", "NOCEDF"])),
    ],
    &[
        column("Resc", option::RESCOUNT, Shape::Digits(4)),
        column("Use", option::USECOUNT, Shape::Digits(10)),
        column("", option::DATALOCATION, Shape::Cvda),
        column("", option::EXECKEY, Shape::Cvda),
        column("", option::EXECUTIONSET, Shape::Choice(&["DPLSUBSET", "FULLAPI"])),
        column("", option::CONCURRENCY, Shape::Cvda),
        column("", option::RUNTIME, Shape::Cvda),
        column("", option::APIST, Shape::Cvda),
    ],
];

const FILE: &[&[Column]] = &[
    &[
        column("Fil", option::FILE, Shape::Name(8)),
        column("", option::ACCESSMETHOD, Shape::Cvda),
        column("", option::OPENSTATUS, Shape::Choice(&["OPEN", "CLOSED"])),
        column("", option::ENABLESTATUS, ENABLE),
        column("", option::READ, Shape::Choice(&["READABLE", "NOTREADABLE"])),
        column("", option::UPDATE, Shape::Choice(&["UPDATABLE", "NOTUPDATABLE"])),
        column("", option::ADD, Shape::Choice(&["ADDABLE", "NOTADDABLE"])),
        column("", option::BROWSE, Shape::Choice(&["BROWSABLE", "NOTBROWSABLE"])),
        column("", option::DELETE, Shape::Choice(&["DELETABLE", "NOTDELETABLE"])),
        column("", option::DISPOSITION, Shape::Choice(&["OLD", "SHARE"])),
    ],
    &[column("Dsn", option::DSNAME, Shape::Text(44))],
];

const ENQMODEL: &[&[Column]] = &[
    &[
        column("Enqm", option::ENQMODEL, Shape::Name(8)),
        column("Enqs", option::ENQSCOPE, Shape::Name(4)),
        column("", option::STATUS, ENABLE),
    ],
    &[column("Enqn", option::ENQNAME, Shape::Name(60))],
];

const DSNAME: &[&[Column]] = &[
    &[column("Dsn", option::DSNAME, Shape::Name(44)), column("", option::ACCESSMETHOD, Shape::Cvda)],
    &[
        column("Fil", option::FILECOUNT, Shape::Digits(4)),
        column("", option::VALIDITY, Shape::Cvda),
        column("", option::OBJECT, Shape::Cvda),
        column("", option::RECOVSTATUS, Shape::Cvda),
        column("", option::BACKUPTYPE, Shape::Cvda),
        column("", option::AVAILABILITY, Shape::Choice(&["AVAILABLE", "UNAVAILABLE"])),
        column("", option::QUIESCESTATE, Shape::Choice(&["QUIESCED", "IMMQUIESCED", "UNQUIESCED"])),
        column("", option::LOSTLOCKS, Shape::Cvda),
        column("", option::RETLOCKS, Shape::Cvda),
        column("", option::ACTION, Shape::Action(&["REMOVE", "RECOVERED", "RESETLOCKS", "RETRY"])),
        column("", option::UOWACTION, Shape::Action(&["BACKOUT", "COMMIT", "FORCE"])),
    ],
    &[column("Bas", option::BASEDSNAME, Shape::Name(44))],
    &[column("Frl", option::FWDRECOVLOG, Shape::Digits(2)), column("Fwd", option::FWDRECOVLSN, Shape::Name(26))],
];

const UOW: &[&[Column]] = &[
    &[
        column("Uow", option::UOW, Shape::Hex(8)),
        column("", option::UOWSTATE, Shape::Choice(&["COMMIT", "BACKOUT", "FORCE"])),
        column("", option::WAITSTATE, Shape::Cvda),
        column("Tra", option::TRANSID, Shape::Name(4)),
        column("Tas", option::TASKID, Shape::Digits(7)),
    ],
    &[
        column("Age", option::AGE, Shape::Digits(8)),
        column("Ter", option::TERMID, Shape::Name(4)),
        column("Netn", option::NETNAME, Shape::Name(8)),
        column("Use", option::USERID, Shape::Name(8)),
        column("", option::WAITCAUSE, Shape::Cvda),
        column("Lin", option::LINK, Shape::Name(8)),
    ],
];

const UOWENQ: &[&[Column]] = &[
    &[
        column("Uow", option::UOW, Shape::Hex(8)),
        column("Tra", option::TRANSID, Shape::Name(4)),
        column("Tas", option::TASKID, Shape::Digits(7)),
        column("", option::STATE, Shape::Cvda),
        column("", option::TYPE, Shape::Cvda),
        column("", option::RELATION, Shape::Cvda),
    ],
    &[
        column("Res", option::RESOURCE, Shape::Name(44)),
        column("Rle", option::RESLEN, Shape::Digits(3)),
        column("Enq", option::ENQFAILS, Shape::Digits(8)),
    ],
    &[
        column("Qua", option::QUALIFIER, Shape::Name(17)),
        column("Qle", option::QUALLEN, Shape::Digits(3)),
        column("Dur", option::DURATION, Shape::Digits(8)),
    ],
];

const UOWLINK: &[&[Column]] = &[&[
    column("Uowl", option::UOWLINK, Shape::Hex(4)),
    column("Uow", option::UOW, Shape::Hex(8)),
    column("Lin", option::LINK, Shape::Name(8)),
    column("", option::TYPE, Shape::Cvda),
    column("", option::ROLE, Shape::Cvda),
    column("", option::RESYNCSTATUS, Shape::Cvda),
    column("", option::ACTION, Shape::Action(&["DELETE"])),
]];

const UOWDSNFAIL: &[&[Column]] = &[
    &[column("Dsn", option::DSNAME, Shape::Name(44)), column("", option::CAUSE, Shape::Cvda), column("", option::REASON, Shape::Cvda)],
    &[
        column("Uow", option::UOW, Shape::Hex(8)),
        column("", option::RLSACCESS, Shape::Cvda),
        column("Sys", option::SYSID, Shape::Name(4)),
        column("Netn", option::NETNAME, Shape::Name(8)),
    ],
];

const JOURNALNAME: &[&[Column]] = &[&[
    column("Jou", option::JOURNALNAME, Shape::Name(8)),
    column("", option::TYPE, Shape::Cvda),
    column("", option::STATUS, ENABLE),
    column("", option::ACTION, Shape::Action(&["FLUSH", "RESET"])),
    column("Str", option::STREAMNAME, Shape::Name(26)),
]];

const STREAMNAME: &[&[Column]] = &[&[
    column("Str", option::STREAMNAME, Shape::Name(26)),
    column("Use", option::USECOUNT, Shape::Digits(8)),
    column("", option::STATUS, Shape::Cvda),
    column("", option::SYSTEMLOG, Shape::Cvda),
]];

const JOURNALMODEL: &[&[Column]] = &[&[
    column("Journalm", option::JOURNALMODEL, Shape::Name(8)),
    column("Jou", option::JOURNALNAME, Shape::Name(8)),
    column("", option::TYPE, Shape::Cvda),
    column("Str", option::STREAMNAME, Shape::Name(26)),
]];

const TASK: &[&[Column]] = &[
    &[
        column("Tas", option::TASK, Shape::Name(7)),
        column("Tra", option::TRANSACTION, Shape::Name(4)),
        column("Fac", option::FACILITY, Shape::Name(4)),
        column("", option::RUNSTATUS, Shape::Cvda),
        column("", option::FACILITYTYPE, Shape::Cvda),
        column("", option::PURGETYPE, Shape::Action(&["PURGE", "FORCEPURGE", "KILL"])),
        column("Pri", option::PRIORITY, Shape::Number(3)),
    ],
    &[
        column("Sta", option::STARTCODE, Shape::Name(2)),
        column("Use", option::USERID, Shape::Name(8)),
        column("Uow", option::UOW, Shape::Hex(8)),
        column("Hty", option::SUSPENDTYPE, Shape::Name(8)),
    ],
    &[column("Hva", option::SUSPENDVALUE, Shape::Name(16)), column("Hti", option::SUSPENDTIME, Shape::Digits(6))],
];

const TERMINAL: &[&[Column]] = &[
    &[
        column("Ter", option::TERMINAL, Shape::Name(4)),
        column("Tra", option::TRANSACTION, Shape::Name(4)),
        column("Pri", option::TERMPRIORITY, Shape::Digits(3)),
        column("", option::PAGESTATUS, Shape::Choice(&["PAGEABLE", "AUTOPAGEABLE"])),
        column("", option::SERVSTATUS, Shape::Choice(&["INSERVICE", "OUTSERVICE"])),
        column("", option::ATISTATUS, Shape::Choice(&["ATI", "NOATI"])),
        column("", option::TTISTATUS, Shape::Choice(&["TTI", "NOTTI"])),
        column("", option::PURGETYPE, Shape::Action(&["PURGE", "FORCEPURGE", "KILL", "CANCEL"])),
    ],
    &[
        column("Net", option::NETNAME, Shape::Name(8)),
        column("", option::ACQSTATUS, Shape::Choice(&["ACQUIRED", "RELEASED"])),
        column("", option::UCTRANST, Shape::Choice(&["UCTRAN", "NOUCTRAN", "TRANIDONLY"])),
        column("", option::SIGNONSTATUS, Shape::Cvda),
        column("Use", option::USERID, Shape::Name(8)),
    ],
];

const NETNAME: &[&[Column]] = &[
    &[
        column("Net", option::NETNAME, Shape::Name(8)),
        column("Ter", option::TERMINAL, Shape::Name(4)),
        column("Tra", option::TRANSACTION, Shape::Name(4)),
        column("Pri", option::TERMPRIORITY, Shape::Digits(3)),
        column("", option::PAGESTATUS, Shape::Cvda),
        column("", option::SERVSTATUS, Shape::Cvda),
        column("", option::ATISTATUS, Shape::Cvda),
        column("", option::TTISTATUS, Shape::Cvda),
    ],
    &[
        column("", option::ACQSTATUS, Shape::Cvda),
        column("", option::UCTRANST, Shape::Cvda),
        column("", option::SIGNONSTATUS, Shape::Cvda),
        column("Use", option::USERID, Shape::Name(8)),
    ],
];

const TDQUEUE: &[&[Column]] = &[
    &[
        column("Tdq", option::TDQUEUE, Shape::Name(4)),
        column("", option::TYPE, Shape::Cvda),
        column("", option::ENABLESTATUS, ENABLE),
        column("", option::OPENSTATUS, Shape::Choice(&["OPEN", "CLOSED"])),
        column("Num", option::NUMITEMS, Shape::Digits(10)),
        column("Trg", option::TRIGGERLEVEL, Shape::Number(5)),
        column("", option::RECOVSTATUS, Shape::Cvda),
    ],
    &[
        column("Atr", option::ATITRANID, Shape::Text(4)),
        column("Ate", option::ATITERMID, Shape::Text(4)),
        column("", option::ATIFACILITY, Shape::Cvda),
        column("Nam", option::INDIRECTNAME, Shape::Name(4)),
        column("", option::INDOUBT, Shape::Cvda),
        column("", option::INDOUBTWAIT, Shape::Cvda),
    ],
    &[
        column("", option::DISPOSITION, Shape::Cvda),
        column("", option::IOTYPE, Shape::Cvda),
        column("Dat", option::DATABUFFERS, Shape::Digits(3)),
        column("Ddn", option::DDNAME, Shape::Name(8)),
    ],
    &[column("Dsn", option::DSNAME, Shape::Name(44))],
];

const TSQUEUE: &[&[Column]] = &[
    &[
        column("Tsq", option::TSQUEUE, Shape::Name(16)),
        column("Num", option::NUMITEMS, Shape::Digits(5)),
        column("Len", option::FLENGTH, Shape::Digits(10)),
        column("", option::LOCATION, Shape::Cvda),
        column("", option::RECOVSTATUS, Shape::Cvda),
        column("", option::ACTION, Shape::Action(&["DELETE"])),
    ],
    &[
        column("Max", option::MAXITEMLEN, Shape::Digits(5)),
        column("Min", option::MINITEMLEN, Shape::Digits(5)),
        column("Las", option::LASTUSEDINT, Shape::Digits(8)),
        column("Tra", option::TRANSID, Shape::Name(4)),
        column("Exp", option::EXPIRYINTMIN, Shape::Digits(8)),
        column("Tsm", option::TSMODEL, Shape::Name(8)),
    ],
];

const TRANCLASS: &[&[Column]] = &[&[
    column("Tcl", option::TRANCLASS, Shape::Name(8)),
    column("Max", option::MAXACTIVE, Shape::Number(3)),
    column("Act", option::ACTIVE, Shape::Digits(3)),
    column("Pur", option::PURGETHRESH, Shape::Number(7)),
    column("Que", option::QUEUED, Shape::Digits(7)),
]];

const STATISTICS: &[&[Column]] = &[
    &[column("Recording", option::RECORDING, Shape::Choice(&["ON", "OFF"])), column("Interval", option::INTERVAL, Shape::Number(6))],
    &[column("Endofday", option::ENDOFDAY, Shape::Number(6)), column("Nexttime", option::NEXTTIME, Shape::Digits(6))],
];

macro_rules! resource {
    ($keyword:literal, $synonyms:expr, $letters:literal, $inquire:ident, $set:ident, $option:ident, $length:literal, $naming:ident, $lines:ident) => {
        Resource {
            keyword: $keyword,
            synonyms: $synonyms,
            letters_min: $letters,
            inquire: command::$inquire,
            set: command::$set,
            name_option: option::$option,
            name_length: $length,
            naming: Naming::$naming,
            lines: $lines,
        }
    };
}

/// In the order of the menu.
pub const RESOURCES: &[Resource] = &[
    resource!("ASSOCIATION", &[], 3, INQUIRE_ASSOCIATION, INQUIRE_ASSOCIATION, ASSOCIATION, 7, Tasks, ASSOCIATION),
    resource!("AUXTRACE", &[], 3, INQUIRE_TRACEDEST, SET_TRACEDEST, TIME, 0, Single, AUXTRACE),
    resource!("BUNDLE", &[], 2, INQUIRE_BUNDLE, SET_BUNDLE, BUNDLE, 8, Browse, BUNDLE),
    resource!("BUNDLEPART", &[], 7, INQUIRE_BUNDLEPART, INQUIRE_BUNDLEPART, BUNDLEPART, 44, Each, BUNDLEPART),
    resource!("DB2CONN", &[], 4, INQUIRE_DB2CONN, SET_DB2CONN, DB2CONN, 0, Single, DB2CONN),
    resource!("DB2ENTRY", &[], 4, INQUIRE_DB2ENTRY, SET_DB2ENTRY, DB2ENTRY, 8, Browse, DB2ENTRY),
    resource!("DB2TRAN", &[], 4, INQUIRE_DB2TRAN, SET_DB2TRAN, DB2TRAN, 8, Browse, DB2TRAN),
    resource!("DISPATCHER", &[], 2, INQUIRE_DISPATCHER, SET_DISPATCHER, TIME, 0, Single, DISPATCHER),
    resource!("DOCTEMPLATE", &[], 2, INQUIRE_DOCTEMPLATE, SET_DOCTEMPLATE, DOCTEMPLATE, 8, Browse, DOCTEMPLATE),
    resource!("DSAS", &[], 3, INQUIRE_SYSTEM, SET_SYSTEM, TIME, 0, Single, DSAS),
    resource!("DSNAME", &[], 2, INQUIRE_DSNAME, SET_DSNAME, DSNAME, 44, Browse, DSNAME),
    resource!("DUMPDS", &[], 2, INQUIRE_DUMPDS, SET_DUMPDS, TIME, 0, Single, DUMPDS),
    resource!("ENQMODEL", &[], 4, INQUIRE_ENQMODEL, SET_ENQMODEL, ENQMODEL, 8, Browse, ENQMODEL),
    resource!("EPADAPTER", &[], 3, INQUIRE_EPADAPTER, SET_EPADAPTER, EPADAPTER, 32, Browse, EPADAPTER),
    resource!("EPADAPTERSET", &[], 10, INQUIRE_EPADAPTERSET, SET_EPADAPTERSET, EPADAPTERSET, 32, Browse, EPADAPTERSET),
    resource!("EPADAPTINSET", &[], 8, INQUIRE_EPADAPTINSET, INQUIRE_EPADAPTINSET, EPADAPTERSET, 32, Each, EPADAPTINSET),
    resource!("EVENTBINDING", &[], 6, INQUIRE_EVENTBINDING, SET_EVENTBINDING, EVENTBINDING, 32, Browse, EVENTBINDING),
    resource!("EVENTPROCESS", &[], 6, INQUIRE_EVENTPROCESS, SET_EVENTPROCESS, TIME, 0, Single, EVENTPROCESS),
    resource!("EXITPROGRAM", &[], 3, INQUIRE_EXITPROGRAM, INQUIRE_EXITPROGRAM, EXITPROGRAM, 8, Browse, EXITPROGRAM),
    resource!("FILE", &["DATASET"], 2, INQUIRE_FILE, SET_FILE, FILE, 8, Browse, FILE),
    resource!("GTFTRACE", &[], 3, INQUIRE_TRACEDEST, SET_TRACEDEST, TIME, 0, Single, GTFTRACE),
    resource!("INTTRACE", &[], 3, INQUIRE_TRACEDEST, SET_TRACEDEST, TIME, 0, Single, INTTRACE),
    resource!("JMODEL", &["JOURNALModel"], 2, INQUIRE_JOURNALMODEL, INQUIRE_JOURNALMODEL, JOURNALMODEL, 8, Browse, JOURNALMODEL),
    resource!("JOURNALNAME", &[], 1, INQUIRE_JOURNALNAME, SET_JOURNALNAME, JOURNALNAME, 8, Browse, JOURNALNAME),
    resource!("LIBRARY", &[], 3, INQUIRE_LIBRARY, SET_LIBRARY, LIBRARY, 8, Browse, LIBRARY),
    resource!("NETNAME", &[], 2, INQUIRE_NETNAME, INQUIRE_NETNAME, NETNAME, 8, Browse, NETNAME),
    resource!("POLICY", &[], 2, INQUIRE_POLICY, INQUIRE_POLICY, POLICY, 64, Browse, POLICY),
    resource!("POLICYRULE", &[], 7, INQUIRE_POLICYRULE, INQUIRE_POLICYRULE, POLICYRULE, 64, Each, POLICYRULE),
    resource!("PROGRAM", &["PGM"], 1, INQUIRE_PROGRAM, SET_PROGRAM, PROGRAM, 8, Browse, PROGRAM),
    resource!("STATISTICS", &[], 2, INQUIRE_STATISTICS, SET_STATISTICS, TIME, 0, Single, STATISTICS),
    resource!("STREAMNAME", &[], 3, INQUIRE_STREAMNAME, INQUIRE_STREAMNAME, STREAMNAME, 26, Each, STREAMNAME),
    resource!("SYDUMPCODE", &["SYSDUMPCODE"], 3, INQUIRE_SYSDUMPCODE, SET_SYSDUMPCODE, SYSDUMPCODE, 8, Browse, SYDUMPCODE),
    resource!("SYSTEM", &[], 2, INQUIRE_SYSTEM, SET_SYSTEM, TIME, 0, Single, SYSTEM),
    resource!("TASK", &[], 2, INQUIRE_TASK, SET_TASK, TASK, 7, Tasks, TASK),
    resource!("TCLASS", &["TRANClass"], 2, INQUIRE_TRANCLASS, SET_TRANCLASS, TRANCLASS, 8, Browse, TRANCLASS),
    resource!("TDQUEUE", &["Queue"], 2, INQUIRE_TDQUEUE, SET_TDQUEUE, TDQUEUE, 4, Browse, TDQUEUE),
    resource!("TERMINAL", &[], 2, INQUIRE_TERMINAL, SET_TERMINAL, TERMINAL, 4, Browse, TERMINAL),
    resource!("TRANSACTION", &[], 3, INQUIRE_TRANSACTION, SET_TRANSACTION, TRANSACTION, 4, Browse, TRANSACTION),
    resource!("TRDUMPCODE", &["TRANDumpcode"], 3, INQUIRE_TRANDUMPCODE, SET_TRANDUMPCODE, TRANDUMPCODE, 4, Browse, TRDUMPCODE),
    resource!("TSQUEUE", &["TSQName"], 2, INQUIRE_TSQUEUE, SET_TSQUEUE, TSQUEUE, 16, Browse, TSQUEUE),
    resource!("UOW", &[], 3, INQUIRE_UOW, SET_UOW, UOW, 8, Binary, UOW),
    resource!("UOWDSNFAIL", &[], 4, INQUIRE_UOWDSNFAIL, INQUIRE_UOWDSNFAIL, DSNAME, 44, Each, UOWDSNFAIL),
    resource!("UOWENQ", &["ENQ"], 4, INQUIRE_UOWENQ, INQUIRE_UOWENQ, UOW, 8, Each, UOWENQ),
    resource!("UOWLINK", &[], 4, INQUIRE_UOWLINK, SET_UOWLINK, UOWLINK, 4, Binary, UOWLINK),
    resource!("WLMHEALTH", &[], 2, INQUIRE_WLMHEALTH, SET_WLMHEALTH, TIME, 0, Single, WLMHEALTH),
];

/// All resources: those with a table here, then those of the other INQUIRE commands.
pub fn all() -> impl Iterator<Item = &'static Resource> {
    RESOURCES.iter().chain(others::all())
}

/// The resource a word names: in full, by a synonym, or by enough of its first letters.
pub fn by_word(word: &str) -> Option<&'static Resource> {
    all().find(|resource| resource.is_called(word)).or_else(|| all().find(|resource| resource.is_meant_by(word)))
}

/// The command is INQUIRE or SET of the resource that the word names.
pub fn is_command_of(word: &str, command: CommandId) -> bool {
    by_word(word).is_some_and(|resource| resource.inquire == command || resource.set == command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cemt::keywords::{chosen, short};

    #[test]
    fn words_name_resources() {
        for (word, keyword) in [
            ("TRA", "TRANSACTION"),
            ("TRAN", "TRANSACTION"),
            ("TRANC", "TCLASS"),
            ("TCL", "TCLASS"),
            ("TCLA", "TCLASS"),
            ("TRANCLASS", "TCLASS"),
            ("JM", "JMODEL"),
            ("JO", "JOURNALNAME"),
            ("NE", "NETNAME"),
            ("Q", "TDQUEUE"),
            ("TA", "TASK"),
            ("TE", "TERMINAL"),
            ("BU", "BUNDLE"),
            ("BUNDLEP", "BUNDLEPART"),
            ("EPA", "EPADAPTER"),
            ("EPADAPTERS", "EPADAPTERSET"),
            ("P", "PROGRAM"),
            ("PROG", "PROGRAM"),
            ("FI", "FILE"),
            ("DS", "DSNAME"),
            ("DSA", "DSAS"),
            ("SY", "SYSTEM"),
            ("TD", "TDQUEUE"),
            ("TS", "TSQUEUE"),
            ("DIS", "DISPATCHER"),
            ("ST", "STATISTICS"),
            ("STR", "STREAMNAME"),
        ] {
            assert_eq!(by_word(word).map(|resource| resource.keyword), Some(keyword), "{word}");
        }
        assert!(by_word("T").is_none() && by_word("XYZ").is_none());
    }

    /// The capitals of the menu are enough, and name the resource they are part of.
    #[test]
    fn the_letters_shown_name_their_resource() {
        for resource in all() {
            let letters = &resource.keyword[..resource.letters_min];
            assert_eq!(by_word(letters).map(|named| named.keyword), Some(resource.keyword), "{letters}");
            for spelling in resource.synonyms {
                let letters: String = spelling.chars().filter(char::is_ascii_uppercase).collect();
                assert_eq!(by_word(&letters).map(|named| named.keyword), Some(resource.keyword), "{letters}");
            }
            assert!(resource.inquire.spec().implemented, "{}", resource.keyword);
        }
    }

    /// The lines of a row are those of a screen of 80 columns; the first begins in column 3, the others in column 6.
    #[test]
    fn every_line_fits_the_screen() {
        let width = |column: &Column| match column.shape {
            Shape::Name(width) | Shape::Digits(width) => column.label.len() + 2 + width,
            Shape::Number(width) | Shape::Text(width) => column.label.len() + 4 + width,
            Shape::Hex(bytes) => column.label.len() + 2 + 2 * bytes,
            Shape::Cvda | Shape::Choice(_) | Shape::Action(_) => 3,
            Shape::Time => column.label.len() + 2 + 17,
        };
        for resource in all().filter(|resource| resource.naming != Naming::Single) {
            for (number, line) in resource.lines.iter().enumerate() {
                let end = if number == 0 { 2 } else { 5 } + line.iter().map(|column| 1 + width(column)).sum::<usize>() - 1;
                assert!(end <= 79, "{}, line {}: {end} columns", resource.keyword, number + 1);
            }
        }
    }

    #[test]
    fn choices_are_typed_short() {
        assert_eq!(chosen("d", &["ENABLED", "DISABLED"]), Some("DISABLED"));
        assert_eq!(chosen("Nre", &["READABLE", "NOTREADABLE"]), Some("NOTREADABLE"));
        assert_eq!(chosen("new", &["NEWCOPY", "PHASEIN"]), Some("NEWCOPY"));
        assert_eq!(chosen("x", &["NEWCOPY"]), None);
        assert_eq!((short("ENABLED").as_str(), short("USERDATAKEY").as_str(), short("QUASIRENT").as_str()), ("Ena", "Uda", "Qua"));
    }

    #[test]
    fn every_column_is_an_option_of_its_commands() {
        for resource in RESOURCES {
            let (inquire, set) = (resource.inquire.spec(), resource.set.spec());
            for column in resource.lines.iter().flat_map(|line| line.iter()) {
                let action = matches!(column.shape, Shape::Action(_));
                assert!(action || inquire.option(column.option).is_some(), "INQUIRE {} {}", resource.keyword, column.option.name());
                let keywords: &[&str] = match column.shape {
                    Shape::Choice(keywords) | Shape::Action(keywords) => keywords,
                    Shape::Number(_) | Shape::Text(_) => {
                        assert!(set.option(column.option).is_some(), "SET {} {}", resource.keyword, column.option.name());
                        &[]
                    }
                    _ => &[],
                };
                for keyword in keywords {
                    assert!(set.option_by_name(keyword).is_some(), "SET {} {keyword}", resource.keyword);
                }
            }
        }
    }
}
