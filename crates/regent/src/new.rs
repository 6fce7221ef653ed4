//! `regent new NAME`: creates a small working application as a starting point: a map, a program, a transaction and a file.

use std::path::PathBuf;

use clap::Args;

use crate::console::Console;

#[derive(Args)]
pub struct Arguments {
    /// The directory to create; its last name is used in the names of the application's data sets.
    name: PathBuf,
}

/// The files of the application, by their paths in its directory.
const FILES: [(&str, &str); 5] = [
    ("bms/NOTESET.bms", include_str!("new/application/NOTES.bms")),
    ("cobol/NOTEPGM.cbl", include_str!("new/application/NOTEPGM.cbl")),
    ("copy/NOTEREC.cpy", include_str!("new/application/NOTEREC.cpy")),
    ("jcl/DEFNOTES.jcl", include_str!("new/application/DEFNOTES.jcl")),
    ("csd/notes.csd", include_str!("new/application/notes.csd")),
];

/// A qualifier of a data set's name, and an APPLID, have one to eight characters.
const QUALIFIER_LENGTH_MAX: usize = 8;

pub fn command(arguments: Arguments, console: &Console) -> Result<u8, String> {
    let directory = &arguments.name;
    let name = directory.file_name().map(|name| name.to_string_lossy().to_string()).unwrap_or_default();
    let qualifier: String = name.chars().filter(char::is_ascii_alphanumeric).take(QUALIFIER_LENGTH_MAX).collect::<String>().to_uppercase();
    if !qualifier.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return Err(format!("{name}: the name of an application begins with a letter"));
    }
    let failed = |error: std::io::Error| format!("{}: {error}", directory.display());
    if directory.exists() && std::fs::read_dir(directory).map_err(failed)?.next().is_some() {
        return Err(format!("{} is not empty: regent new makes a directory of its own", directory.display()));
    }
    let configuration = format!(
        "[symbols]                      # values of symbols in jobs and definitions\nHLQ = \"{qualifier}\"\n\n[sit]\nAPPLID = \"{qualifier}\"\n"
    );
    for (path, text) in FILES.into_iter().chain([("regent.toml", configuration.as_str())]) {
        let path = directory.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(failed)?;
        }
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    console.line(&format!("made      {}", directory.display()));
    console.line(&format!("serve it  regent up {} --watch", directory.display()));
    console.line("try it    c3270 localhost:3270, CLEAR, type NOTE, ENTER");
    Ok(0)
}
