//! Libraries: DFHRPL and LIBRARY resources, concatenations of directories of load modules, and the order in which they are searched.
//!
//! Invariants: DFHRPL is always there and enabled, with ranking 10; libraries are searched in the order of their ranking, those of one ranking in
//! the order of their installation ("Search order of LIBRARY concatenations"); a disabled library is not searched.

use csd::LibraryDefinition;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// The library that every region has.
pub const STATIC_LIBRARY: &str = "DFHRPL";
const STATIC_RANKING: u32 = 10;

/// A data set of a library.
#[derive(Clone, Debug)]
pub struct DataSet {
    pub name: String,
    /// `None`: it does not exist.
    directory: Option<PathBuf>,
}

#[derive(Clone, Debug)]
pub struct Library {
    pub name: String,
    pub ranking: u32,
    pub is_critical: bool,
    pub is_enabled: bool,
    pub data_sets: Vec<DataSet>,
    /// Programs loaded from it. Clones share the count.
    pub loads: Arc<AtomicU64>,
}

/// Where a member is.
pub struct Member {
    pub library: String,
    pub data_set: String,
    pub path: PathBuf,
}

impl Library {
    /// DFHRPL.
    pub fn dfhrpl(directories: Vec<PathBuf>) -> Library {
        let data_set = |directory: PathBuf| DataSet { name: directory.display().to_string(), directory: Some(directory) };
        let data_sets = directories.into_iter().map(data_set).collect();
        Library {
            name: STATIC_LIBRARY.to_string(),
            ranking: STATIC_RANKING,
            is_critical: true,
            is_enabled: true,
            data_sets,
            loads: Arc::default(),
        }
    }

    /// The library of a definition. A data set is a directory of its name, or one of its name within the libraries there are.
    pub fn of_definition(definition: &LibraryDefinition, there: &[Library]) -> Library {
        let beside: Vec<&PathBuf> = there.iter().flat_map(Library::directories).collect();
        let data_set = |name: &String| DataSet { name: name.clone(), directory: directory_of(name, &beside) };
        let mut library = Library {
            name: definition.name.to_string(),
            ranking: definition.ranking,
            is_critical: definition.critical,
            is_enabled: false,
            data_sets: definition.datasets.iter().map(data_set).collect(),
            loads: Arc::default(),
        };
        library.is_enabled = definition.enabled && library.missing().is_none();
        library
    }

    /// The name of a data set that does not exist.
    pub fn missing(&self) -> Option<&str> {
        self.data_sets.iter().find(|data_set| data_set.directory.is_none()).map(|data_set| data_set.name.as_str())
    }

    fn directories(&self) -> impl Iterator<Item = &PathBuf> {
        self.data_sets.iter().filter_map(|data_set| data_set.directory.as_ref())
    }
}

/// The position of a library in the order of search; 0: it is disabled.
pub fn search_position(libraries: &[Library], name: &str) -> u32 {
    let enabled = libraries.iter().filter(|library| library.is_enabled);
    enabled.zip(1..).find(|(library, _)| library.name == name).map_or(0, |(_, position)| position)
}

/// Puts libraries into the order in which they are searched.
pub fn sort(libraries: &mut [Library]) {
    libraries.sort_by_key(|library| library.ranking);
}

/// Finds the file of a member; names of members are upper case. A name that a program made up must not lead out of the library.
pub fn find(libraries: &[Library], name: &str, extension: &str) -> Option<Member> {
    if name.contains(std::path::is_separator) {
        return None;
    }
    for library in libraries.iter().filter(|library| library.is_enabled) {
        for data_set in &library.data_sets {
            let path = data_set.directory.as_ref().map(|directory| directory.join(format!("{name}.{extension}")));
            if let Some(path) = path.filter(|path| path.is_file()) {
                return Some(Member { library: library.name.clone(), data_set: data_set.name.clone(), path });
            }
        }
    }
    None
}

/// Files that are looked at for a name.
const NEAREST_FILES_MAX: usize = 4096;

/// The member with the name most like this one, for a message about a member that is not there.
pub fn nearest(libraries: &[Library], name: &str, extension: &str) -> Option<String> {
    let directories = libraries.iter().filter(|library| library.is_enabled).flat_map(Library::directories);
    let files = directories.flat_map(|directory| std::fs::read_dir(directory).into_iter().flatten().flatten()).map(|entry| entry.path());
    // A message is not worth the reading of a huge directory.
    let files = files.take(NEAREST_FILES_MAX);
    let members = files.filter(|path| path.extension().is_some_and(|own| own == extension));
    let names: Vec<String> = members.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
    exec::nearest(name, names.iter().map(String::as_str)).map(str::to_string)
}

/// A data set name of a LIBRARY as a directory: used unchanged if it is one.
fn directory_of(dataset: &str, beside: &[&PathBuf]) -> Option<PathBuf> {
    let direct = Path::new(dataset);
    if direct.is_dir() {
        return Some(direct.to_path_buf());
    }
    beside.iter().map(|directory| directory.join(dataset)).find(|path| path.is_dir())
}
