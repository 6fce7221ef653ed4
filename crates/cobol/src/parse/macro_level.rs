//! Macro-level programs: the macros that CICS/VS had before the EXEC commands, and the commands that took their place.
//!
//! CICS itself has run no macro-level program since CICS/ESA Version 3; interpreters of other vendors do. A program that still has one is told, for
//! each macro, which command does its work.

/// Macros, and the commands that do their work ("CICS Application Migration Aid", macro-level to command-level conversion).
const MACROS: [(&str, &str); 15] = [
    ("DFHBIF", "BIF DEEDIT"),
    ("DFHBMS", "SEND MAP, SEND TEXT, RECEIVE MAP"),
    ("DFHDC", "DUMP TRANSACTION"),
    ("DFHDI", "ISSUE SEND, ISSUE END"),
    ("DFHFC", "READ, WRITE, REWRITE, DELETE, STARTBR, READNEXT, ENDBR, UNLOCK"),
    ("DFHIC", "START, RETRIEVE, DELAY, POST, CANCEL, ASKTIME"),
    ("DFHJC", "WRITE JOURNALNAME"),
    ("DFHKC", "ENQ, DEQ, WAIT EVENT, SUSPEND, CHANGE TASK"),
    ("DFHPC", "LINK, XCTL, RETURN, LOAD, RELEASE, ABEND, HANDLE ABEND"),
    ("DFHSC", "GETMAIN, FREEMAIN"),
    ("DFHSP", "SYNCPOINT"),
    ("DFHTC", "SEND, RECEIVE, CONVERSE"),
    ("DFHTD", "WRITEQ TD, READQ TD, DELETEQ TD"),
    ("DFHTR", "ENTER TRACENUM"),
    ("DFHTS", "WRITEQ TS, READQ TS, DELETEQ TS"),
];

/// What to tell about a word where a statement should be; `None` if it is no macro.
pub fn explained(word: &str) -> Option<String> {
    let (name, commands) = MACROS.iter().find(|(name, _)| *name == word)?;
    Some(format!("{name} is a macro of macro-level CICS, which is not supported; its work is done by EXEC CICS {commands}"))
}
