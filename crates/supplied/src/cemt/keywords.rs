//! The values in the columns of CEMT: the CVDAs, their short forms, and what an operator may type over one.

use exec::cvda;

/// CVDAs that operators' displays show. Several names share a number; these are the ones meant here.
const DISPLAYED: &[&str] = &[
    "STANTRACE",
    "SPECTRACE",
    "SPRSTRACE",
    "USERDATAKEY",
    "CICSDATAKEY",
    "ANY",
    "BELOW",
    "ISOLATE",
    "NOISOLATE",
    "PURGEABLE",
    "NOTPURGEABLE",
    "TRANDUMP",
    "NOTRANDUMP",
    "BACKOUT",
    "COMMIT",
    "WAIT",
    "NOWAIT",
    "ENABLED",
    "DISABLED",
    "ASSEMBLER",
    "C",
    "COBOL",
    "LE370",
    "PLI",
    "NOTDEFINED",
    "PROGRAM",
    "MAPSET",
    "PARTITIONSET",
    "PRIVATE",
    "SHARED",
    "CEDF",
    "NOCEDF",
    "USEREXECKEY",
    "CICSEXECKEY",
    "FULLAPI",
    "DPLSUBSET",
    "QUASIRENT",
    "THREADSAFE",
    "REQUIRED",
    "CICSAPI",
    "OPENAPI",
    "VSAM",
    "BDAM",
    "REMOTE",
    "OPEN",
    "CLOSED",
    "OPENING",
    "CLOSING",
    "UNENABLED",
    "UNENABLING",
    "DISABLING",
    "READABLE",
    "NOTREADABLE",
    "UPDATABLE",
    "NOTUPDBLE",
    "ADDABLE",
    "NOTADDABLE",
    "BROWSABLE",
    "NOTBRWBLE",
    "DELETABLE",
    "NOTDELBLE",
    "CLOSEREQ",
    "OLD",
    "SHARE",
    "RUNNING",
    "DISPATCHABLE",
    "SUSPENDED",
    "TERM",
    "TASK",
    "DEST",
    "PAGEABLE",
    "AUTOPAGE",
    "INSERVICE",
    "OUTSERVICE",
    "ATI",
    "NOATI",
    "TTI",
    "NOTTI",
    "ACQUIRED",
    "RELEASED",
    "UCTRAN",
    "NOUCTRAN",
    "TRANIDONLY",
    "SIGNEDON",
    "SIGNEDOFF",
    "EXTRA",
    "INDIRECT",
    "INTRA",
    "LOGICAL",
    "PHYSICAL",
    "NOTRECOVABLE",
    "RECOVERABLE",
    "TERMINAL",
    "NOTERMINAL",
    "SYSTEM",
    "AUXILIARY",
    "MAIN",
    "ACTIVE",
    "INACTIVE",
    "CMDPROT",
    "NOCMDPROT",
    "FORCE",
    "NOFORCE",
    "INITCOMPLETE",
    "CONTROLSHUT",
    "SHUTDOWN",
    "CANCELLED",
    "AUTOACTIVE",
    "AUTOINACTIVE",
    "CTLGALL",
    "CTLGMODIFY",
    "CTLGNONE",
    "REENTPROT",
    "NOREENTPROT",
    "NOTSOS",
    "SOS",
    "COLDSTART",
    "WARMSTART",
    "EMERGENCY",
    "NOTAPPLIC",
    "IMMEDIATE",
    "NOEMPTYREQ",
    "MIXED",
    "MODEL",
    "UOW",
    "TDQUEUE",
    "TSQUEUE",
    "READONLY",
    "UNKNOWN",
    "FINALQUIESCE",
    "FIRSTQUIESCE",
    "STARTUP",
];

/// The name of a CVDA as operators know it.
pub fn displayed_cvda(value: i64) -> Option<&'static str> {
    let known = DISPLAYED.iter().find(|name| cvda::value_of(name) == Some(value));
    known.copied().or_else(|| cvda::name_of(value))
}

/// Short forms that are not the first three letters.
const SHORT: [(&str, &str); 30] = [
    ("NOTUPDBLE", "Nup"),
    ("NOTBRWBLE", "Nbr"),
    ("NOTDELBLE", "Nde"),
    ("USERDATAKEY", "Uda"),
    ("CICSDATAKEY", "Cda"),
    ("USEREXECKEY", "Uex"),
    ("CICSEXECKEY", "Cex"),
    ("NOTREADABLE", "Nre"),
    ("NOTUPDATABLE", "Nup"),
    ("NOTADDABLE", "Nad"),
    ("NOTBROWSABLE", "Nbr"),
    ("NOTDELETABLE", "Nde"),
    ("NOTPURGEABLE", "Npu"),
    ("NOTRANDUMP", "Ntr"),
    ("NOCEDF", "Nce"),
    ("NOISOLATE", "Nis"),
    ("NOATI", "Nat"),
    ("NOTTI", "Ntt"),
    ("NOUCTRAN", "Nuc"),
    ("AUTOPAGE", "Aut"),
    ("AUTOPAGEABLE", "Aut"),
    ("NOTRECOVABLE", "Nrc"),
    ("SIGNEDON", "Son"),
    ("SIGNEDOFF", "Sof"),
    ("NOTDEFINED", "Not"),
    ("NOTAPPLIC", "   "),
    // "CEMT INQUIRE SYDUMPCODE": settings that begin with NO are shown as blanks.
    ("NOSYSDUMP", "   "),
    ("NOSHUTDOWN", "   "),
    ("NODAEOPT", "   "),
    ("SPRSTRACE", "Spr"),
];

/// The three characters shown for a CVDA in a column.
pub fn short(cvda: &str) -> String {
    if let Some((_, short)) = SHORT.iter().find(|(name, _)| *name == cvda) {
        return (*short).to_string();
    }
    let text: String = cvda.chars().take(3).enumerate().map(|(at, c)| if at == 0 { c } else { c.to_ascii_lowercase() }).collect();
    format!("{text:3}")
}

/// The keyword for text typed over a choice: in full, by its short form, or by its first letters.
pub fn chosen(typed: &str, accepted: &'static [&'static str]) -> Option<&'static str> {
    let typed = typed.trim().to_ascii_uppercase();
    if typed.is_empty() {
        return None;
    }
    let by_short = accepted.iter().find(|keyword| short(keyword).to_ascii_uppercase().trim() == typed);
    let exact = accepted.iter().find(|keyword| **keyword == typed);
    let by_letters = || accepted.iter().find(|keyword| keyword.starts_with(&typed));
    let by_file_word = || accepted.iter().find(|keyword| of_file(&typed) == Some(**keyword));
    exact.or(by_short).or_else(by_letters).or_else(by_file_word).copied()
}

/// CEMT's own words for what may be done with a file, and the CVDAs they stand for ("CEMT SET FILE").
const FILE_WORDS: [(&str, &str); 10] = [
    ("READ", "READABLE"),
    ("NOREAD", "NOTREADABLE"),
    ("UPDATE", "UPDATABLE"),
    ("NOUPDATE", "NOTUPDATABLE"),
    ("ADD", "ADDABLE"),
    ("NOADD", "NOTADDABLE"),
    ("BROWSE", "BROWSABLE"),
    ("NOBROWSE", "NOTBROWSABLE"),
    ("DELETE", "DELETABLE"),
    ("NODELETE", "NOTDELETABLE"),
];

/// The CVDA that a word of SET FILE or INQUIRE FILE stands for: three letters of it are enough.
pub fn of_file(word: &str) -> Option<&'static str> {
    let fits = |known: &str| word.len() >= 3 && known.starts_with(word);
    FILE_WORDS.iter().find(|(known, _)| fits(known)).map(|(_, cvda)| *cvda)
}
