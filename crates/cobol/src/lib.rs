//! COBOL front end: from source text to the typed program that the code generator compiles.
//!
//! Contents: source format, COPY and REPLACE, the lexer, the parser, data layout, name resolution, type checks, the integrated CICS
//! translator and the diagnostics. Machine code and the run time are elsewhere.
#![forbid(unsafe_code)]

mod analysis;
mod check;
mod compile;
mod data;
mod debugging;
pub mod diagnostics;
pub mod exec_translate;
pub mod lexer;
pub mod listing;
mod names;
mod option_table;
pub mod options;
mod parse;
pub mod program;
mod report;
mod report_writer;
mod severity;
pub mod source;
mod source_map;
pub mod span;
#[cfg(test)]
mod tests;
mod words;

pub use analysis::each_reference;
pub use compile::{Compilation, compile_source};
pub use exec_translate::not_available;
pub use options::Options;
