//! Named counters: numbers in sequence for all tasks (GET COUNTER, GET DCOUNTER and their family).
//!
//! In CICS a pool of named counters belongs to no region: its server keeps it over every start, cold starts included, and a number stays
//! assigned when the unit of work is backed out. Here the pools are local to the region's store, in table `nc.counters` under pool 8 and
//! counter name 16. Each request is a unit of work of its own, and is durable when the command ends; the lock of the counter is released
//! before the log is forced, so tasks that take numbers of one counter share the force.
//!
//! A pool exists as soon as it is named, because there is no server to start. The conditions for a structure that is being rebuilt (BUSY,
//! avoided by NOSUSPEND) never occur with a store.

mod commands;
mod counter;
mod options;

use counter::{Counter, Refusal};
use exec::condition;
use exec::resp2::named_counters as resp2;
use options::{Options, Pool};
use region::name::{Name8, Name16};
use region::{Abend, About, Domain, Life, Raised, Region, Task, raise};
use std::sync::OnceLock;
use vsam::{StoreError, Table};

pub use commands::handlers;

region::region_part!(NamedCounters);

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "named counters",
    commands: &[handlers],
    slots: &[&IN_REGION],
    life: Life { recover: Some(|region, _| start(region)), ..Life::NONE },
    ..Domain::NONE
};

/// The DD name of the options table.
const OPTIONS_TABLE: &str = "DFHNCOPT";

/// This domain's part of the region.
#[derive(Default)]
pub struct NamedCounters {
    table: OnceLock<Table>,
    options: OnceLock<Options>,
}

/// Opens the pools, at any type of start.
pub fn start(region: &Region) -> Result<(), StoreError> {
    let counters = NamedCounters::of(region);
    let _ = counters.table.set(region.store.table("nc.counters")?);
    let options = match region.dd_names.get(OPTIONS_TABLE).map(|path| Options::read(path)) {
        None => Options::default(),
        Some(Ok(options)) => options,
        Some(Err(reason)) => {
            tracing::error!(target: "region::nc", "the options table {OPTIONS_TABLE} is not used: {reason}");
            Options::default()
        }
    };
    let _ = counters.options.set(options);
    Ok(())
}

/// One counter of one pool.
#[derive(Clone, Copy)]
struct CounterName {
    pool: Name8,
    name: Name16,
}

impl CounterName {
    fn key(&self) -> [u8; 24] {
        let mut key = [0; 24];
        key[..8].copy_from_slice(self.pool.as_bytes());
        key[8..].copy_from_slice(self.name.as_bytes());
        key
    }
}

/// A to Z, 0 to 9, $ @ # and _, then blanks.
fn has_valid_characters(name: &[u8]) -> bool {
    let name = name.trim_ascii_end();
    name.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"$@#_".contains(byte))
}

/// The pool a selector stands for, by the options table.
fn pool(region: &Region, selector: Name8) -> Result<Name8, Raised> {
    if !has_valid_characters(selector.as_bytes()) {
        return raise(condition::INVREQ, resp2::POOL_NAME);
    }
    let options = NamedCounters::of(region).options.get().expect("named counters are started with the region");
    match options.pool(selector) {
        Pool::Selector => Ok(selector),
        Pool::Named(pool) => Ok(pool),
        Pool::Default => Ok(Name8::new(region.sit.get("NCPLDFT"))),
        Pool::None => raise(condition::INVREQ, resp2::POOL_ACCESS),
    }
}

/// A name begins with a letter or one of $ @ #.
fn check_name(name: Name16) -> Result<(), Raised> {
    let first = name.as_bytes()[0];
    let valid = has_valid_characters(name.as_bytes()) && first != b' ' && first != b'_' && !first.is_ascii_digit();
    if valid { Ok(()) } else { raise(condition::INVREQ, resp2::COUNTER_NAME) }
}

impl From<Refusal> for Raised {
    fn from(refusal: Refusal) -> Raised {
        let (condition, code) = match refusal {
            Refusal::AtLimit => (condition::SUPPRESSED, resp2::AT_LIMIT),
            Refusal::NotAtLimit => (condition::SUPPRESSED, resp2::NOT_AT_LIMIT),
            Refusal::OutOfRange => (condition::SUPPRESSED, resp2::OUT_OF_RANGE),
            Refusal::Value => (condition::INVREQ, resp2::VALUE),
            Refusal::Increment => (condition::INVREQ, resp2::INCREMENT),
            Refusal::Bounds => (condition::INVREQ, resp2::BOUNDS),
        };
        Raised::new(condition, code)
    }
}

/// A counter as stored in the pool. An invalid record is an error of the pool.
fn decoded(stored: Option<Vec<u8>>) -> Result<Option<Counter>, Raised> {
    let Some(bytes) = stored else { return Ok(None) };
    match Counter::decode(&bytes) {
        Some(counter) => Ok(Some(counter)),
        None => {
            tracing::error!(target: "region::nc", "the record of a named counter cannot be understood");
            raise(condition::INVREQ, resp2::POOL_ACCESS)
        }
    }
}

#[cold]
fn failure(error: StoreError) -> Raised {
    match error {
        StoreError::Purged => Raised::Abend(Box::new(Task::purge_abend())),
        StoreError::Deadlock(owner) | StoreError::LockTimeout(owner) => {
            let reason = format!("DTIMOUT: the named counter is held by unit of work {owner}");
            Raised::Abend(Box::new(Abend::new("AKCS").because(reason)))
        }
        error => {
            tracing::error!(target: "region::nc", %error, "a request to a named counter failed");
            Raised::new(condition::INVREQ, resp2::POOL_ACCESS)
        }
    }
}

fn named_counter(task: &Task, of: CounterName) -> Result<Counter, Raised> {
    let region = task.region;
    let stored = region.store.get(NamedCounters::of(region).table(), &of.key()).map_err(failure)?;
    decoded(stored)?.ok_or(Raised::new(condition::INVREQ, resp2::NOT_FOUND))
}

/// Replaces a counter by the result of `change` (`None`: there is none); durable when it returns.
fn change_named_counter<T>(
    task: &Task,
    of: CounterName,
    change: impl FnOnce(Option<Counter>) -> Result<(Option<Counter>, T), Raised>,
) -> Result<T, Raised> {
    let region = task.region;
    let (table, key) = (NamedCounters::of(region).table(), of.key());
    let waiter = task.waiter();
    waiter.about(About::new("ENQUEUE", of.name));
    let unit = region.store.begin();
    unit.lock(table, &key, task.lock_wait(&waiter, false)).map_err(failure)?;
    let (counter, answer) = change(decoded(unit.get(table, &key).map_err(failure)?)?)?;
    let changed = match counter {
        Some(counter) => unit.put(table, &key, &counter.encode()),
        None => unit.delete(table, &key),
    };
    changed.and_then(|()| unit.commit(&*waiter)).map_err(failure)?;
    Ok(answer)
}

impl NamedCounters {
    fn table(&self) -> &Table {
        self.table.get().expect("named counters are started with the region")
    }
}
