//! Control statements of Db2's batch programs: those of the utilities (DSNUTILB), and the commands of the DSN command processor (IKJEFT01).
//!
//! Invariants: a parser reads every byte of its input at most once, and refuses what it does not know by naming it.

mod command;
mod load;
mod token;

pub use command::{Bind, BindVerb, DsnCommand, Run, SqlProgram, dsn_commands, sql_program};
pub use load::{Condition, ConditionValue, Encoding, Field, FieldKind, Format, IntoTable, Load, Place, load};

use crate::diagnostic::Diagnostic;
use token::Tokens;

/// One statement of a utility's SYSIN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Utility {
    Load(Box<Load>),
    /// REORG, RUNSTATS, COPY and so on: the server does this by itself.
    NoEffect(String),
}

/// Utilities that need nothing here.
const WITHOUT_EFFECT: &[&str] = &[
    "BACKUP",
    "CATMAINT",
    "CHECK",
    "COPY",
    "COPYTOCOPY",
    "DIAGNOSE",
    "LISTDEF",
    "MERGECOPY",
    "MODIFY",
    "OPTIONS",
    "QUIESCE",
    "REBUILD",
    "RECOVER",
    "REORG",
    "REPAIR",
    "REPORT",
    "RESTORE",
    "RUNSTATS",
    "STOSPACE",
    "TEMPLATE",
];

/// The statements of the SYSIN of DSNUTILB, in order.
pub fn utilities(text: &str) -> Result<Vec<Utility>, Diagnostic> {
    let mut tokens = Tokens::new(text)?;
    let mut found = Vec::new();
    while !tokens.at_end() {
        if tokens.at_word("LOAD") {
            found.push(Utility::Load(Box::new(load(&mut tokens)?)));
            continue;
        }
        let Some(verb) = WITHOUT_EFFECT.iter().find(|verb| tokens.at_word(verb)) else {
            return Err(tokens.unexpected("LOAD REORG RUNSTATS COPY CHECK REPAIR"));
        };
        found.push(Utility::NoEffect(verb.to_string()));
        tokens.next();
        skip_statement(&mut tokens);
    }
    Ok(found)
}

/// Takes everything up to the verb of the next statement, which begins a line.
fn skip_statement(tokens: &mut Tokens) {
    let is_verb = |tokens: &Tokens| tokens.at_word("LOAD") || WITHOUT_EFFECT.iter().any(|verb| tokens.at_word(verb));
    while !(tokens.at_end() || tokens.begins_line() && is_verb(tokens)) {
        tokens.next();
    }
}
