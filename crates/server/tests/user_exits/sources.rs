//! Programs of the tests that are files: `programs/NAME.cbl`, with the copy members they share.

use super::{again, define, setup};
use cobol::source::Directories;
use std::path::PathBuf;

fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/user_exits/programs")
}

/// Compiles a program into the library and defines it.
pub fn install(name: &str) {
    install_as(name, name);
}

/// The same with another PROGRAM-ID than that of the file.
pub fn install_as(file: &str, name: &str) {
    let path = directory().join(format!("{file}.cbl"));
    let source = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let source = source.replacen(&format!("PROGRAM-ID. {file}."), &format!("PROGRAM-ID. {name}."), 1);
    let options = cobol::Options { codepage: 37, ..cobol::Options::default() };
    let path = path.display().to_string();
    let compilation = cobol::compile_source(&path, source.as_bytes(), &options, &Directories::new([directory()]));
    assert!(compilation.is_usable(), "{}", compilation.diagnostics.render(&compilation.sources));
    let mut image = codegen::compile(&compilation.programs, &codegen::Settings::default()).unwrap_or_else(|error| panic!("{error}"));
    image.source = path;
    std::fs::write(setup().library().join(format!("{name}.rlm")), image.to_bytes()).unwrap();
    define(name);
}

/// Installs programs, the last one as the program of a transaction, which is run: what it reports.
pub fn run(transid: &str, programs: &[&str]) -> String {
    programs.iter().for_each(|name| install(name));
    setup().define_transaction(transid, programs.last().expect("a program"));
    again(transid)
}
