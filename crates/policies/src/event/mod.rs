//! Events of policies and of event bindings: the data that is captured, and the adapters that emit it.
//!
//! * `adapter`   EPADAPTER and EPADAPTERSET, as bundles define them;
//! * `captured`  an event in CICS flattened event format, and in containers;
//! * `emit`      the way of an event to its adapter, and the program of the adapters; `queue` the dispatcher;
//! * `processing`  the status of event processing, `figures` its counters;
//! * `unit`      events in a unit of work; `synchronous` those that the capturing task emits;
//! * `commands`  INQUIRE and SET of both, INQUIRE EPADAPTINSET.
//!
//! Source: CICS TS 5.5, "Event processing adapters", "Policy actions". A policy event is emitted asynchronously, and is not part of a unit of
//! work: the task of the rule goes on, and another one emits the event. Invariant: at most [`emit::PENDING_MAX`] events are on their way.

pub mod adapter;
pub mod captured;
pub mod commands;
pub mod emit;
pub mod figures;
pub mod processing;
pub mod queue;
mod synchronous;
pub mod unit;
