//! The structure of the source: dependencies of crates and modules against their tables, lengths and heads of files, and a handler, a test
//! and a page for each command.

mod arrows;
mod commands;
mod crates;
mod files;
mod modules;
mod source;
