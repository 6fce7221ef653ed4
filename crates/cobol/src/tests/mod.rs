//! Tests of the front end from text to typed program. Expected offsets, lengths and images are worked out by hand from the
//! Language Reference.

mod any_text;
mod bounds;
mod cics;
mod copybooks;
mod errors;
mod layout;
mod mistakes;
mod mutation;
mod nested;
mod options;
mod sql;
mod sql_variables;
mod statements;
mod warnings;

use crate::program::*;
use crate::source::NoCopies;
use crate::{Compilation, Options, compile_source};

/// Compiles free-format text.
pub fn compile(text: &str) -> Compilation {
    let options = Options { format: crate::options::SourceFormat::Free, ..Options::default() };
    compile_source("TEST.cbl", text.as_bytes(), &options, &NoCopies)
}

/// Compiles a program made of data entries and statements; panics with the messages when it is not clean.
pub fn program(working: &str, statements: &str) -> Program {
    let mut compilation = compile(&source(working, "", statements));
    let text = compilation.diagnostics.render(&compilation.sources);
    assert!(compilation.diagnostics.return_code() <= 4, "{text}");
    compilation.programs.remove(0)
}

pub fn source(working: &str, linkage: &str, statements: &str) -> String {
    format!(
        "IDENTIFICATION DIVISION.\nPROGRAM-ID. T.\nDATA DIVISION.\nWORKING-STORAGE SECTION.\n{working}\nLINKAGE SECTION.\n{linkage}\n\
         PROCEDURE DIVISION.\nMAIN.\n{statements}\n    GOBACK.\n"
    )
}

/// The messages of a compilation, one line each: severity and text.
pub fn messages(text: &str) -> Vec<String> {
    let compilation = compile(text);
    compilation.diagnostics.iter().map(|message| format!("{} {}", message.severity.letter(), message.text)).collect()
}

pub fn find<'a>(program: &'a Program, name: &str) -> &'a Item {
    program.items.iter().find(|item| &*item.name == name).unwrap_or_else(|| panic!("no item {name}"))
}

/// Offset and length of an item.
pub fn place(program: &Program, name: &str) -> (u32, u32) {
    let item = find(program, name);
    (item.offset.fixed, item.length_max)
}

/// Initial bytes of an item.
pub fn image<'a>(program: &'a Program, name: &str) -> &'a [u8] {
    let item = find(program, name);
    let start = item.offset.fixed as usize;
    &program.base(item.base).image[start..start + item.length_max as usize]
}

/// The statements of the only paragraph, without the final GOBACK.
pub fn body(program: &Program) -> &[Statement] {
    let statements = &program.procedures[0].statements;
    &statements[..statements.len() - 1]
}
