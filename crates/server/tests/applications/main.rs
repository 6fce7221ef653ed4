//! Applications: bundles with entry points, their private programs and libraries, application contexts, INVOKE APPLICATION.

mod availability;
#[path = "../cobol_support/mod.rs"]
mod cobol_support;
mod contexts;
mod documents;
mod invoke;
mod private;
mod scopes;
#[path = "../scratch/mod.rs"]
mod scratch;
mod support;
