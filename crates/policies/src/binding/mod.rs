//! Event bindings: business events, where they are captured, and what is captured.
//!
//! * `parse`, `shape`  the `.evbind` part of a bundle, and its elements;
//! * `point`       the capture points: the rows of `tables/capture_points.tsv`;
//! * `predicate`   comparisons of context, options and data;
//! * `value`, `format`  the data of an application, and the items of an event;
//! * `capture`     what looks at commands and programs, and captures events; `source` the data of a command;
//! * `force`       the capture specifications in force; `records` their statistics;
//! * `commands`    INQUIRE and SET EVENTBINDING and EVENTPROCESS; `inquire` capture specifications; `signal` SIGNAL EVENT.
//!
//! Source: CICS TS 5.5, "Event processing", "Application events", "CICS flattened event (CFE) data formats". Invariants: an event binding
//! never changes, its status and its counters do; a region without an enabled event binding has no observer of commands.

pub mod capture;
pub mod commands;
pub mod force;
mod format;
mod inquire;
pub mod parse;
pub mod point;
pub mod predicate;
pub mod records;
mod shape;
mod signal;
mod source;
mod value;

use crate::event::adapter::Adapter;
use crate::policy::Receiver;
use format::Layout;
use point::{Place, Point, When};
use predicate::{Comparison, Response};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use value::Kind;

/// Longest name of an event binding, an event and a capture specification.
pub const NAME_LENGTH_MAX: usize = 32;
/// Longest formatted item and longest field; a channel holds more, an event does not.
pub const LENGTH_MAX: usize = 32_000;
/// The schema that is understood: version and release.
pub const SCHEMA: (u16, u16) = (4, 0);

/// An event binding.
#[derive(Debug)]
pub struct EventBinding {
    pub name: String,
    pub bundle: String,
    pub user_tag: String,
    /// Version and release of its schema.
    pub schema: (u16, u16),
    pub receiver: Receiver,
    /// The adapter that is in the binding, with its name.
    pub adapter: Option<Arc<Adapter>>,
    pub specifications: Vec<Arc<Specification>>,
    pub is_enabled: AtomicBool,
}

/// A capture specification.
#[derive(Debug)]
pub struct Specification {
    pub name: String,
    /// The business event.
    pub event: String,
    pub point: &'static Point,
    pub when: When,
    pub context: Context,
    /// By option; the primary predicate among them.
    pub options: Vec<(&'static str, Comparison)>,
    pub data: Vec<DataPredicate>,
    pub items: Vec<Item>,
    pub captured: AtomicU64,
    pub failed: AtomicU64,
}

/// Predicates of the context of a command.
#[derive(Debug)]
pub struct Context {
    pub transaction: Comparison,
    pub program: Comparison,
    pub user: Comparison,
    pub response: Response,
    pub aid: Response,
    pub cursor: Response,
}

/// Where a field of an application is.
#[derive(Clone, Debug)]
pub struct Field {
    pub place: Place,
    /// Of a channel.
    pub container: String,
    pub offset: usize,
    /// Zero: up to the end of the data.
    pub length: usize,
    pub kind: Kind,
    pub precision: usize,
    /// Names of the language structure it was taken from.
    pub imported: Imported,
}

#[derive(Clone, Debug, Default)]
pub struct Imported {
    pub file: String,
    pub structure: String,
    pub variable: String,
}

/// A predicate of application data.
#[derive(Debug)]
pub struct DataPredicate {
    pub field: Field,
    pub comparison: Comparison,
}

/// A source of the data of an event.
#[derive(Clone, Debug)]
pub enum Source {
    Data(Field),
    /// The value of an option of the command.
    Option(&'static str),
    Context(ContextItem),
}

/// What of the context can be captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ContextItem {
    Transaction,
    Program,
    User,
    Response,
    Aid,
    Cursor,
}

/// An item of an event: its name, where its data is, and how it is formatted.
#[derive(Clone, Debug)]
pub struct Item {
    pub name: String,
    pub source: Source,
    pub layout: Layout,
}
