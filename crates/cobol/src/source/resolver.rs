//! The sources of copy members: directories and memory. `regent` adds its own resolver for maps.

use super::{CopyMember, CopyResolver};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};

/// Extensions tried, in this order, when the member's name has none: those of copybooks, in all directories, then those of programs, so
/// that a copybook is not mistaken for the program of the same name that lies next to its users.
const COPY_EXTENSIONS: &[&str] = &["CPY", "COPY", "DCL", "INC", "CPB", "TXT", ""];
const PROGRAM_EXTENSIONS: &[&str] = &["CBL", "COB"];

/// Members in directories, in the order given. Names are found without regard to case, with or without an extension; `OF library`
/// prefers a directory of that name.
#[derive(Debug, Default, Clone)]
pub struct Directories {
    directories: Vec<Directory>,
}

#[derive(Debug, Clone)]
struct Directory {
    path: PathBuf,
    /// Upper-case file name to path.
    members: FxHashMap<String, PathBuf>,
}

impl Directories {
    /// Lists the directories once. One that cannot be read has no members.
    pub fn new<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Directories {
        let directories = paths.into_iter().map(|path| Directory::list(path.as_ref())).collect();
        Directories { directories }
    }

    /// The file of a member.
    pub fn find(&self, name: &str, library: Option<&str>) -> Option<&Path> {
        let name = name.to_uppercase();
        // A library may be written as a path: its last part is the name.
        let library = library.map(|library| library.rsplit(['/', '\\']).next().unwrap_or(library).to_uppercase());
        let preferred = |directory: &&Directory| {
            let own = directory.path.file_name().map(|own| own.to_string_lossy().to_uppercase());
            library.is_some() && own == library
        };
        let all = [COPY_EXTENSIONS, PROGRAM_EXTENSIONS];
        let own = all
            .iter()
            .find_map(|extensions| self.directories.iter().filter(preferred).find_map(|directory| directory.find(&name, extensions)));
        own.or_else(|| all.iter().find_map(|extensions| self.directories.iter().find_map(|directory| directory.find(&name, extensions))))
    }
}

impl Directory {
    fn list(path: &Path) -> Directory {
        let mut members = FxHashMap::default();
        // The directory of a bare file name.
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let mut entries: Vec<PathBuf> = std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        entries.sort();
        for entry in entries.into_iter().filter(|entry| entry.is_file()) {
            if let Some(name) = entry.file_name() {
                members.entry(name.to_string_lossy().to_uppercase()).or_insert(entry);
            }
        }
        Directory { path: path.to_path_buf(), members }
    }

    fn find(&self, name: &str, extensions: &[&str]) -> Option<&Path> {
        let key = |extension: &&str| if extension.is_empty() { name.to_string() } else { format!("{name}.{extension}") };
        extensions.iter().find_map(|extension| self.members.get(&key(extension))).map(PathBuf::as_path)
    }
}

impl CopyResolver for Directories {
    fn resolve(&self, name: &str, library: Option<&str>) -> Option<CopyMember> {
        // A quoted name may hold a path: its last part is the member.
        let member = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let path = self.find(member, library)?;
        let bytes = std::fs::read(path).ok()?;
        Some(CopyMember { name: path.display().to_string(), bytes })
    }

    fn names(&self) -> Vec<String> {
        let all = self.directories.iter().flat_map(|directory| directory.members.keys());
        let member = |file: &String| match file.rsplit_once('.') {
            Some((name, extension)) => COPY_EXTENSIONS.contains(&extension).then(|| name.to_string()),
            None => Some(file.clone()),
        };
        all.filter_map(member).collect()
    }

    fn searched(&self) -> Vec<String> {
        let shown = |directory: &Directory| {
            let path = directory.path.display();
            if directory.path.is_dir() { path.to_string() } else { format!("{path} (no such directory)") }
        };
        self.directories.iter().map(shown).collect()
    }
}

/// Members in memory, by upper-case name.
#[derive(Debug, Default, Clone)]
pub struct Members {
    members: FxHashMap<String, Vec<u8>>,
}

impl Members {
    pub fn new() -> Members {
        Members::default()
    }

    pub fn insert(&mut self, name: &str, text: impl Into<Vec<u8>>) {
        self.members.insert(name.to_uppercase(), text.into());
    }
}

impl CopyResolver for Members {
    fn resolve(&self, name: &str, _library: Option<&str>) -> Option<CopyMember> {
        let bytes = self.members.get(&name.to_uppercase())?.clone();
        Some(CopyMember { name: name.to_uppercase(), bytes })
    }

    fn names(&self) -> Vec<String> {
        self.members.keys().cloned().collect()
    }
}

/// Tries one resolver after the other: directories, then maps.
pub struct FirstOf<'a>(pub Vec<&'a dyn CopyResolver>);

impl CopyResolver for FirstOf<'_> {
    fn resolve(&self, name: &str, library: Option<&str>) -> Option<CopyMember> {
        self.0.iter().find_map(|resolver| resolver.resolve(name, library))
    }

    fn names(&self) -> Vec<String> {
        self.0.iter().flat_map(|resolver| resolver.names()).collect()
    }

    fn why_missing(&self, name: &str) -> Option<String> {
        self.0.iter().find_map(|resolver| resolver.why_missing(name))
    }

    fn searched(&self) -> Vec<String> {
        self.0.iter().flat_map(|resolver| resolver.searched()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_without_regard_to_case_and_extension() {
        let root = tempfile::tempdir().unwrap();
        let (one, two) = (root.path().join("one"), root.path().join("MACLIB"));
        std::fs::create_dir_all(&one).unwrap();
        std::fs::create_dir_all(&two).unwrap();
        std::fs::write(one.join("Alpha.cpy"), "1").unwrap();
        std::fs::write(two.join("ALPHA.CBL"), "2").unwrap();
        std::fs::write(two.join("beta"), "3").unwrap();
        let all = Directories::new([&one, &two]);
        let text = |name: &str, library| all.resolve(name, library).map(|member| member.bytes);
        assert_eq!(text("ALPHA", None), Some(b"1".to_vec()));
        assert_eq!(text("alpha", Some("maclib")), Some(b"2".to_vec()));
        assert_eq!(text("Beta", Some("nowhere")), Some(b"3".to_vec()));
        assert_eq!(text("copy/beta", None), Some(b"3".to_vec()));
        assert_eq!(text("gamma", None), None);
        std::fs::write(one.join("delta.cbl"), "program").unwrap();
        std::fs::write(two.join("DELTA.cpy"), "copybook").unwrap();
        assert_eq!(Directories::new([&one, &two]).resolve("DELTA", None).map(|member| member.bytes), Some(b"copybook".to_vec()));
        let mut maps = Members::new();
        maps.insert("MAP1", "4");
        let both = FirstOf(vec![&all, &maps]);
        assert_eq!(both.resolve("map1", None).map(|member| member.bytes), Some(b"4".to_vec()));
        assert_eq!(both.resolve("alpha", None).map(|member| member.bytes), Some(b"1".to_vec()));
        assert!(Directories::new(["/no/such/directory"]).resolve("A", None).is_none());
    }
}
