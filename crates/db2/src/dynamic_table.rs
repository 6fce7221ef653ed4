//! Dynamic statements: their translations, kept for the process by text, and the names that the programs of a thread gave them.

use crate::bind::BindOptions;
use crate::command::Command;
use crate::compiled::{StatementId, new_id};
use crate::errors::SqlError;
use crate::link::{Form, Key};
use rustc_hash::FxHashMap;
use sql::{Dynamic, DynamicOptions, Scroll};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// A translated statement.
#[derive(Debug)]
pub struct DynamicStatement {
    pub id: StatementId,
    pub dynamic: Dynamic,
}

impl DynamicStatement {
    pub fn command(&self) -> Command<'_> {
        let dynamic = &self.dynamic;
        Command {
            key: Key { id: self.id, form: Form::Plain },
            text: &dynamic.text,
            check: &dynamic.check,
            isolation: dynamic.isolation,
            changes: dynamic.changes,
            searched: dynamic.searched,
            is_unobserved: false,
        }
    }
}

/// A statement that a program has prepared.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub statement: Arc<DynamicStatement>,
    /// ATTRIBUTES of PREPARE, in upper case.
    pub attributes: String,
}

impl Prepared {
    /// The cursor as DECLARE, the statement and its attributes describe it together.
    pub fn cursor_options(&self, declared: &sql::Cursor) -> sql::Cursor {
        let has = |word: &str| self.attributes.split_whitespace().any(|own| own == word);
        let dynamic = &self.statement.dynamic;
        let scroll = if has("SCROLL") && declared.scroll == Scroll::No { Scroll::Asensitive } else { declared.scroll };
        sql::Cursor {
            scroll,
            with_hold: declared.with_hold || has("HOLD"),
            rowset: declared.rowset || has("ROWSET"),
            isolation: declared.isolation.or(dynamic.isolation),
            updatable: !dynamic.read_only && (declared.updatable || dynamic.updatable || has("UPDATE")),
            ..declared.clone()
        }
    }
}

/// Translations kept; the least recently used go first.
const KEPT_MAX: usize = 2000;

#[derive(Default)]
struct Kept {
    by_text: FxHashMap<(String, Options), (Arc<DynamicStatement>, u64)>,
    clock: u64,
}

/// What the translation depends on besides the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Options {
    ccsid: u16,
    ebcdic_order: bool,
    decimal_precision: u8,
}

static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);

/// The translation of a text.
pub fn translated(text: &str, ccsid: u16, bind: &BindOptions) -> Result<Arc<DynamicStatement>, SqlError> {
    let key = Options { ccsid, ebcdic_order: bind.ebcdic_order, decimal_precision: bind.decimal_precision };
    let lock = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let full_key = (text.to_string(), key);
    {
        let mut kept = lock();
        kept.clock += 1;
        let clock = kept.clock;
        if let Some((found, used)) = kept.by_text.get_mut(&full_key) {
            *used = clock;
            return Ok(Arc::clone(found));
        }
    }
    let options =
        DynamicOptions { ccsid, ebcdic_order: bind.ebcdic_order, decimal_precision: bind.decimal_precision, ..DynamicOptions::default() };
    let statement = Arc::new(DynamicStatement { id: new_id(), dynamic: sql::translate(text, &options)? });
    let mut kept = lock();
    if kept.by_text.len() >= KEPT_MAX {
        let mut used: Vec<u64> = kept.by_text.values().map(|entry| entry.1).collect();
        let middle = used.len() / 2;
        let limit = *used.select_nth_unstable(middle).1;
        kept.by_text.retain(|_, entry| entry.1 > limit);
    }
    let clock = kept.clock;
    kept.by_text.insert(full_key, (Arc::clone(&statement), clock));
    Ok(statement)
}

/// The statements that the programs of a thread have prepared.
#[derive(Default)]
pub struct PreparedTable {
    all: FxHashMap<usize, Vec<(String, Prepared)>>,
}

impl PreparedTable {
    pub fn find(&self, package: usize, name: &str) -> Option<Prepared> {
        let statements = self.all.get(&package)?;
        statements.iter().find(|entry| entry.0 == name).map(|entry| entry.1.clone())
    }

    pub fn insert(&mut self, package: usize, name: &str, statement: Prepared) {
        self.remove(package, name);
        self.all.entry(package).or_default().push((name.to_string(), statement));
    }

    pub fn remove(&mut self, package: usize, name: &str) {
        if let Some(statements) = self.all.get_mut(&package) {
            statements.retain(|entry| entry.0 != name);
        }
    }

    /// The unit of work has ended: only statements of cursors that are open still stay.
    pub fn unit_ended(&mut self, mut stays: impl FnMut(usize, &str) -> bool) {
        for (package, statements) in &mut self.all {
            statements.retain(|entry| stays(*package, &entry.0));
        }
    }
}
