//! Trace: entries of the components and of programs, in the internal trace table, the auxiliary trace data sets and a stream.
//!
//! A trace point that is off costs one load and one branch. Invariants: an exception is always written to the table; an entry is built once, in
//! the table, from where the other destinations take it; no thread that runs tasks writes to a file.
//!
//! * [`component`] and [`points`] are the tables of what can be traced, `settings` says what is; `entry` is the form of an entry;
//! * `table` is the internal trace table;
//! * [`auxiliary`] are the data sets DFHAUXT and DFHBUXT, [`stream`] is followed by other processes, `writer` is the thread that writes both.

pub mod auxiliary;
pub mod component;
mod entry;
pub mod file;
pub mod points;
mod settings;
pub mod stream;
mod table;
pub mod writer;

pub use component::Component;
pub use entry::{Entry, FLAG_EXCEPTION, FLAG_SPECIAL, FLAG_USER, Field, VALUE_BYTES_MAX, Value, newest, pieces};
pub use points::{Kind, Point};
pub use settings::{Flags, Levels, Selection, change_flags, flags, is_on, is_user_on, levels, set_levels, use_special};

use crate::clock;
use crate::lock_order::{Ordered, rank};
use crate::traced_task::Identity;
pub use crate::traced_task::Tracing;
use crate::traps::traced_identity;
use entry::Head;
use parking_lot::RwLock;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use table::Table;

/// TRTABSZ, its default: 12 MB.
const TABLE_BYTES_DEFAULT: usize = 12 << 20;
/// What waits for the writer at most; a burst beyond it is lost, and told of.
const PENDING_BYTES_MAX: usize = 32 << 20;

static TABLE: RwLock<Option<Arc<Table>>> = RwLock::new(None);
/// Grows when the table is replaced.
static GENERATION: AtomicU64 = AtomicU64::new(1);
/// Entries that were handed over when their block was used anew.
static PENDING: Ordered<Vec<u8>, { rank::TRACE }> = Ordered::new(Vec::new());
/// Bytes that were not handed over, since the writer last told of them.
static LOST: AtomicU64 = AtomicU64::new(0);

fn table() -> Arc<Table> {
    if let Some(table) = TABLE.read().as_ref() {
        return table.clone();
    }
    TABLE.write().get_or_insert_with(|| Arc::new(Table::new(TABLE_BYTES_DEFAULT))).clone()
}

/// Gives the table another size, in whole blocks of 4 KB; the entries in it are dropped (SET TRACEDEST TABLESIZE).
pub fn set_table_bytes(bytes: usize) {
    let mut table = TABLE.write();
    if table.as_ref().is_none_or(|table| table.bytes() != bytes) {
        *table = Some(Arc::new(Table::new(bytes)));
        GENERATION.fetch_add(1, Ordering::Relaxed);
    }
}

pub fn table_bytes() -> usize {
    table().bytes()
}

/// Writes a trace entry if its component and level are traced.
#[inline(always)]
pub fn point(point: &'static Point, values: &[Value<'_>]) {
    if is_on(point.component, point.level) {
        write(point, values);
    }
}

/// As [`point`], with values that cost something to get.
#[inline(always)]
pub fn point_with<'a, const N: usize>(point: &'static Point, values: impl FnOnce() -> [Value<'a>; N]) {
    if is_on(point.component, point.level) {
        write(point, &values());
    }
}

/// Writes an entry of a point that is on, unless the tracing of the task excludes it.
#[cold]
#[inline(never)]
pub fn write(point: &'static Point, values: &[Value<'_>]) {
    let identity = traced_identity();
    if settings::is_written(point.component, point.level, identity.tracing) {
        let flags = if identity.tracing == Tracing::Special { FLAG_SPECIAL } else { 0 };
        put(point.component, point.number, flags, &identity, values);
    }
}

/// Writes an exception entry, whatever is traced.
#[cold]
#[inline(never)]
pub fn exception(point: &'static Point, values: &[Value<'_>]) {
    debug_assert_eq!(point.kind, Kind::Exception);
    put(point.component, point.number, FLAG_EXCEPTION, &traced_identity(), values);
}

/// Writes an entry of a program (ENTER TRACENUM): `is_exception` whatever is traced, otherwise as the tracing of the task says.
pub fn user_entry(number: u16, is_exception: bool, values: &[Value<'_>]) {
    let identity = traced_identity();
    if is_exception || identity.tracing != Tracing::Suppressed {
        let flags = if is_exception { FLAG_USER | FLAG_EXCEPTION } else { FLAG_USER };
        put(Component::Ap, number, flags, &identity, values);
    }
}

fn put(component: Component, number: u16, flags: u8, identity: &Identity, values: &[Value<'_>]) {
    let (values, bytes) = entry::fitting(values, table::BLOCK_BYTES);
    let head = Head { component: component.code(), number, flags, unix_ns: clock::unix_ns(), identity };
    let replaced = table::append(GENERATION.load(Ordering::Relaxed), table, &head, values, bytes, settings::exports());
    if let Some(replaced) = replaced {
        hand_over(&replaced);
    }
}

/// Entries whose block is used anew before the writer has taken them.
#[cold]
fn hand_over(entries: &[u8]) {
    let mut pending = PENDING.lock();
    if pending.len() + entries.len() > PENDING_BYTES_MAX {
        LOST.fetch_add(entries.len() as u64, Ordering::Relaxed);
    } else {
        pending.extend_from_slice(entries);
    }
}

/// What has been written since the last call, in the order of the times.
fn exported() -> Vec<u8> {
    let mut entries = std::mem::take(&mut *PENDING.lock());
    table().export(&mut entries);
    table::in_order(&entries)
}

/// The entries of the internal trace table, oldest first, one behind another; [`Entry::all`] reads them.
pub fn snapshot() -> Vec<u8> {
    table().snapshot()
}

/// The entries of one task in the internal trace table, as [`snapshot`] has those of all.
pub fn snapshot_of(task: u32) -> Vec<u8> {
    table().snapshot_of(task)
}

#[cfg(test)]
mod tests;
