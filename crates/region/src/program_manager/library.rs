//! Libraries: directories of load modules, and the order in which they are searched.

use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Library {
    pub name: String,
    pub ranking: u32,
    pub directories: Vec<PathBuf>,
}

/// Finds the file of a member; names of members are upper case. A name that a program made up must not lead out of the library.
pub fn find(libraries: &[Library], name: &str, extension: &str) -> Option<(String, PathBuf)> {
    if name.contains(std::path::is_separator) {
        return None;
    }
    for library in libraries {
        for directory in &library.directories {
            let path = directory.join(format!("{name}.{extension}"));
            if path.is_file() {
                return Some((library.name.clone(), path));
            }
        }
    }
    None
}

/// The member with the name most like this one, for a message about a member that is not there.
pub fn nearest(libraries: &[Library], name: &str, extension: &str) -> Option<String> {
    let directories = libraries.iter().flat_map(|library| &library.directories);
    let files = directories.flat_map(|directory| std::fs::read_dir(directory).into_iter().flatten().flatten()).map(|entry| entry.path());
    let members = files.filter(|path| path.extension().is_some_and(|own| own == extension));
    let names: Vec<String> = members.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
    exec::nearest(name, names.iter().map(String::as_str)).map(str::to_string)
}

/// DFHRPL: ranking 10, as in CICS.
pub fn dfhrpl(directories: Vec<PathBuf>) -> Library {
    Library { name: "DFHRPL".to_string(), ranking: 10, directories }
}

/// A data set name of a LIBRARY as a directory: used unchanged if it is one.
pub fn directory_of(dataset: &str, beside: &[PathBuf]) -> Option<PathBuf> {
    let direct = Path::new(dataset);
    if direct.is_dir() {
        return Some(direct.to_path_buf());
    }
    beside.iter().map(|directory| directory.join(dataset)).find(|path| path.is_dir())
}
