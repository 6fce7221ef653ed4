//! Programs written in C and C++: from source with EXEC CICS and EXEC SQL to a load module, by the machine's C compiler.
//!
//! Contents: the translator of EXEC CICS in C (`translate` finds the commands, `generate` writes their translation), the SQL coprocessor
//! (`embedded`), the headers and the run time that programs are compiled with, the call of the compiler and its messages in our form
//! (`compile`), and the conversion of the linked object to a load module (`object`). The commands themselves are checked by `cobol`'s translator against the catalogue of `exec`,
//! the same table for both languages. This crate runs no programs.
//!
//! Programs are compiled for the x32 form of x86-64: pointers and long have four bytes, as in 31-bit mode, and everything a program can
//! address lies below 2 GB. Numbers in structures and unions have the most significant byte first.
#![forbid(unsafe_code)]

mod compile;
mod embedded;
mod generate;
mod generate_cpp;
mod kit;
mod language;
mod lines;
mod linkage;
mod messages;
mod object;
mod scan;
mod supplied;
mod supplied_cpp;
mod translate;

pub use compile::{Compilation, Compiler, Settings};
pub use embedded::{Analysis, Finding};
pub use language::Language;
