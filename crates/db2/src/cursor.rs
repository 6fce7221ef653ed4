//! The cursors of a thread. A cursor is known by its program and name; its portal at the server has a name of its own.
//!
//! Four kinds of cursor:
//!
//! * forward: a portal of the protocol, whose rows are fetched ahead in blocks;
//! * forward and updatable: the same one row at a time, so that the portal stands where the program does and WHERE CURRENT OF finds the row;
//! * declared (WITH HOLD or SCROLL): an SQL cursor, because only DECLARE has those options;
//! * declared and updatable: its rows carry their row identifier (`ctid`) as a hidden last column, by which the row is updated. The server has
//!   no cursor that is held or scrollable and FOR UPDATE at once.

use crate::errors::{Done, Stop, code};
use crate::link::Described;
use crate::rows::Rows;
use sql::Scroll;
use std::sync::Arc;

/// Rows of the first block, and of the largest.
pub const BLOCK_FIRST: u32 = 32;
const BLOCK_MAX: u32 = 128;
/// A block of the next size is expected to be no longer than this.
const BLOCK_BYTES_MAX: usize = 64 << 10;

/// Bytes of a row identifier.
pub const ROW_ID_BYTES: usize = 6;
pub type RowId = [u8; ROW_ID_BYTES];

pub struct Cursor {
    pub package: usize,
    pub name: String,
    /// Of the portal, or the SQL cursor.
    pub portal: String,
    pub open: Option<Open>,
    /// The block; kept from one OPEN to the next for its memory.
    pub rows: Rows,
}

/// An open cursor.
pub struct Open {
    pub described: Arc<Described>,
    pub kind: Kind,
    pub hold: bool,
    pub updatable: bool,
    /// The server has no more rows behind the block.
    pub exhausted: bool,
    /// Rows to ask for next.
    pub block: u32,
    /// The program stands on a row (or a rowset).
    pub on_row: bool,
    /// Identifiers of the rows the program stands on, if they have any.
    pub row_ids: Vec<RowId>,
    /// Scrollable: rows from the first that the program stands on to the place of the server.
    pub trailing: i64,
    /// Rows of the last rowset that was asked for.
    pub rowset: i64,
    /// Its query is of a prepared statement.
    pub prepared: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Portal,
    /// `scroll`: rows are not fetched ahead.
    Declared {
        scroll: bool,
    },
}

impl Open {
    /// Columns that the program sees.
    pub fn columns(&self) -> usize {
        self.described.columns.len() - usize::from(self.has_row_ids())
    }

    pub fn has_row_ids(&self) -> bool {
        self.updatable && self.kind != Kind::Portal
    }

    /// The block after this one may be larger.
    pub fn grow(&mut self, rows: &Rows) {
        let bytes = rows.bytes() / rows.len().max(1);
        let fitting = BLOCK_BYTES_MAX / bytes.max(1);
        self.block = if self.updatable { 1 } else { (self.block * 2).min(BLOCK_MAX).min(fitting as u32).max(1) };
    }
}

/// How an OPEN wants its cursor.
pub fn kind_of(cursor: &sql::Cursor) -> Kind {
    let scroll = cursor.scroll != Scroll::No;
    let by_row = cursor.rowset && cursor.updatable;
    if scroll || cursor.with_hold || by_row { Kind::Declared { scroll: scroll || by_row } } else { Kind::Portal }
}

#[derive(Default)]
pub struct Cursors {
    all: Vec<Cursor>,
}

impl Cursors {
    pub fn find(&mut self, package: usize, name: &str) -> Option<&mut Cursor> {
        self.all.iter_mut().find(|cursor| cursor.package == package && cursor.name == name)
    }

    /// The cursor, which is made if it is new.
    pub fn obtain(&mut self, package: usize, name: &str) -> &mut Cursor {
        let index = match self.all.iter().position(|cursor| cursor.package == package && cursor.name == name) {
            Some(index) => index,
            None => {
                let portal = format!("c{}", self.all.len());
                self.all.push(Cursor { package, name: name.to_string(), portal, open: None, rows: Rows::default() });
                self.all.len() - 1
            }
        };
        &mut self.all[index]
    }

    /// The portal of a cursor, open or not.
    pub fn portal(&mut self, package: usize, name: &str) -> String {
        self.obtain(package, name).portal.clone()
    }

    /// Number of a cursor in this thread.
    pub fn number(&self, package: usize, name: &str) -> u32 {
        let index = self.all.iter().position(|cursor| cursor.package == package && cursor.name == name);
        index.map_or(u32::MAX, |index| index as u32)
    }

    /// An open cursor.
    pub fn open(&mut self, package: usize, name: &str) -> Done<(&mut Open, &mut Rows, &str)> {
        let cursor = self.find(package, name).ok_or_else(|| Stop::sql(code::CURSOR_NOT_OPEN, &[name]))?;
        match &mut cursor.open {
            Some(open) => Ok((open, &mut cursor.rows, &cursor.portal)),
            None => Err(Stop::sql(code::CURSOR_NOT_OPEN, &[name])),
        }
    }

    /// The cursors that are open.
    pub fn all_open(&mut self) -> impl Iterator<Item = &mut Cursor> {
        self.all.iter_mut().filter(|cursor| cursor.open.is_some())
    }

    /// COMMIT closes all but the held ones; a rollback closes all. Their portals end with the transaction; `committed` ones that are held
    /// stand on no row until the next FETCH.
    pub fn unit_ended(&mut self, committed: bool) {
        for cursor in self.all_open() {
            if !(committed && cursor.open.as_ref().is_some_and(|open| open.hold)) {
                cursor.open = None;
                cursor.rows.clear();
            }
        }
    }

    /// The open cursor whose query is a prepared statement.
    pub fn using(&mut self, package: usize, prepared: &str) -> Option<String> {
        let is_its = |open: &Open| open.prepared.as_deref() == Some(prepared);
        let mut own = self.all_open().filter(|cursor| cursor.package == package);
        own.find(|cursor| cursor.open.as_ref().is_some_and(is_its)).map(|cursor| cursor.name.clone())
    }

    /// Closes all cursors; returns the portals of those that were open.
    pub fn close_all(&mut self) -> Vec<String> {
        let close = |cursor: &mut Cursor| {
            cursor.open = None;
            cursor.rows.clear();
            cursor.portal.clone()
        };
        self.all_open().map(close).collect()
    }

    /// Portals of the cursors that a COMMIT would have to keep although all their rows have come.
    pub fn complete_held(&mut self) -> impl Iterator<Item = &str> {
        self.all_open().filter_map(|cursor| {
            let open = cursor.open.as_ref()?;
            let is_complete = open.hold && open.exhausted && open.kind == (Kind::Declared { scroll: false });
            is_complete.then_some(cursor.portal.as_str())
        })
    }
}

/// The first word at nesting depth 0, outside quotes, that begins at a word boundary: its offset.
fn find_word(text: &str, word: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut quote) = (0i32, None);
    for at in from..bytes.len() {
        match (quote, bytes[at]) {
            (Some(mark), byte) => quote = (byte != mark).then_some(mark),
            (None, mark @ (b'\'' | b'"')) => quote = Some(mark),
            (None, b'(') => depth += 1,
            (None, b')') => depth -= 1,
            (None, _) if depth == 0 && is_word(bytes, at, word) => return Some(at),
            _ => {}
        }
    }
    None
}

fn is_word(bytes: &[u8], at: usize, word: &str) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let end = at + word.len();
    bytes.get(at..end).is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes()))
        && !at.checked_sub(1).is_some_and(|before| is_part(&bytes[before]))
        && !bytes.get(end).is_some_and(is_part)
}

/// The query with the row identifier as its last column and without its locking clause. `None`: it has no FROM.
pub fn with_row_id(query: &str) -> Option<String> {
    let from = find_word(query, "FROM", 0)?;
    let mut end = query.len();
    let mut at = from;
    while let Some(found) = find_word(query, "FOR", at) {
        if query[found..]
            .split_whitespace()
            .nth(1)
            .is_some_and(|next| ["UPDATE", "NO", "SHARE", "KEY"].iter().any(|word| next.eq_ignore_ascii_case(word)))
        {
            end = found;
            break;
        }
        at = found + 3;
    }
    Some(format!("{}, ctid {}", query[..from].trim_end(), query[from..end].trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_row_identifier_is_the_last_column() {
        let query = "SELECT a, 'x FROM y', (SELECT 1 FROM z) FROM t WHERE b = $1 FOR UPDATE OF t";
        assert_eq!(with_row_id(query).unwrap(), "SELECT a, 'x FROM y', (SELECT 1 FROM z), ctid FROM t WHERE b = $1");
        assert_eq!(
            with_row_id("select extract(day from d) from t order by 1").unwrap(),
            "select extract(day from d), ctid from t order by 1"
        );
        assert_eq!(with_row_id("VALUES (1)"), None);
    }
}
