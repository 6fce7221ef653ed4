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
