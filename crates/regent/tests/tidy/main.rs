//! The shape of the source: its format, crate and module arrows against their tables, lengths and heads of files, what heads say of unsafe
//! code, what is public, protocol numbers, and each command with handler, test and page. Lengths of functions are clippy's to check
//! (`clippy.toml`).

mod arrows;
mod commands;
mod crates;
mod files;
mod format;
mod modules;
mod source;
mod unsafe_code;
mod visibility;
