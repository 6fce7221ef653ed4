//! The headers of the user that a source includes. They hold commands, DFHRESP and `_Packed` like the source itself, so each is
//! translated, once, and the source includes the translation.
//!
//! `#include` names a member, as on the host: besides the name as written, any case is accepted, with or without `.h`. Directories are
//! searched in order; for `#include <name>` a header of the compiler takes precedence over one of the same name.

use super::translate_file;
use crate::embedded::Embedded;
use crate::language::Language;
use crate::messages;
use crate::{supplied, supplied_cpp};
use cobol::diagnostics::Diagnostics;
use cobol::source::{FileKind, SourceMap};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

pub struct Headers<'a> {
    pub language: Language,
    /// The directories searched for `#include` after that of the including source.
    pub directories: &'a [PathBuf],
    /// Where the translations go.
    pub work: &'a Path,
    pub sources: &'a mut SourceMap,
    /// Translations by header.
    translated: HashMap<PathBuf, PathBuf>,
}

impl<'a> Headers<'a> {
    pub fn new(language: Language, directories: &'a [PathBuf], work: &'a Path, sources: &'a mut SourceMap) -> Headers<'a> {
        Headers { language, directories, work, sources, translated: HashMap::new() }
    }

    /// The compiler has a header of this name.
    fn is_supplied(&self, name: &str) -> bool {
        match self.language {
            Language::C => supplied::is_header(name),
            Language::Cpp => supplied_cpp::is_header(name),
        }
    }

    /// The headers that were included, by whatever way.
    pub fn inputs(&self) -> Vec<PathBuf> {
        let mut inputs: Vec<PathBuf> = self.translated.keys().cloned().collect();
        inputs.sort();
        inputs
    }

    /// The replacement of an `#include` line of a source in `parent`; `None`: the line is left to the compiler unchanged.
    pub fn include(&mut self, line: &str, parent: &Path, embedded: &mut Embedded, diagnostics: &mut Diagnostics) -> Option<String> {
        let (name, system) = included_name(line)?;
        if system && self.is_supplied(name) {
            embedded.note_header(name);
            return None;
        }
        let Some(path) = self.path(line, parent) else {
            let lower = name.to_ascii_lowercase();
            let candidates = [lower.clone(), format!("{lower}.h"), format!("{lower}.hpp")];
            let supplied = candidates.into_iter().find(|name| self.is_supplied(name))?;
            embedded.note_header(&supplied);
            return Some(format!("#include <{supplied}>"));
        };
        let translation = self.translation(&path, embedded, diagnostics)?;
        Some(format!("#include \"{}\"", translation.display()))
    }

    /// The header of the user that an `#include` line names.
    pub fn path(&self, line: &str, parent: &Path) -> Option<PathBuf> {
        let (name, system) = included_name(line)?;
        if system && self.is_supplied(name) {
            return None;
        }
        std::iter::once(parent).chain(self.directories.iter().map(PathBuf::as_path)).find_map(|directory| member(directory, name))
    }

    /// A header that cannot be read is left to the compiler, which reports it at the right place.
    fn translation(&mut self, path: &Path, embedded: &mut Embedded, diagnostics: &mut Diagnostics) -> Option<PathBuf> {
        if let Some(known) = self.translated.get(path) {
            return Some(known.clone());
        }
        let source = std::fs::read(path).ok()?;
        let source = String::from_utf8_lossy(&source);
        let target = self.work.join(format!("header-{}.h", self.translated.len() + 1));
        // Before it is translated: it may include itself.
        self.translated.insert(path.to_path_buf(), target.clone());
        let shown = path.display().to_string();
        let file = messages::add_file(self.sources, &shown, &source, FileKind::Copybook)?;
        let translation = translate_file((&shown, &source, file), self.language, Some(self), embedded, diagnostics);
        std::fs::write(&target, translation.text).ok()?;
        Some(target)
    }
}

/// The name in `#include "name"` or `<name>`, and whether it is the latter.
pub fn included_name(line: &str) -> Option<(&str, bool)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
    let (close, system) = match rest.chars().next()? {
        '"' => ('"', false),
        '<' => ('>', true),
        _ => return None,
    };
    rest[1..].split_once(close).map(|(name, _)| (name, system))
}

/// The member of this name in a directory.
fn member(directory: &Path, name: &str) -> Option<PathBuf> {
    let exact = directory.join(name);
    if exact.is_file() {
        return Some(exact);
    }
    let wanted = Path::new(name).file_name()?.to_str()?;
    let directory = exact.parent()?;
    let mut found: Vec<PathBuf> = std::fs::read_dir(directory).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    found.sort();
    found.into_iter().find(|path| {
        let known = path.file_name().and_then(|known| known.to_str()).unwrap_or_default();
        let stem = Path::new(known).file_stem().and_then(|stem| stem.to_str());
        let stem = stem.filter(|_| [".h", ".hpp"].iter().any(|extension| known.to_ascii_lowercase().ends_with(extension)));
        (known.eq_ignore_ascii_case(wanted) || stem.is_some_and(|stem| stem.eq_ignore_ascii_case(wanted))) && path.is_file()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_members_of_directories_and_are_translated() {
        let (directory, work) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(
            directory.path().join("MAPSET.h"),
            "#define LOST DFHRESP(NOTFND)\n_Packed struct a { int b; };\n#include \"mapset\"\n",
        )
        .unwrap();
        let directories = [directory.path().to_path_buf()];
        let mut sources = messages::source_map("p.c", "");
        let mut headers = Headers::new(Language::C, &directories, work.path(), &mut sources);
        let mut diagnostics = Diagnostics::default();
        let mut embedded = Embedded::new(37, true, 0);
        let mut include = |line: &str| headers.include(line, Path::new("/nowhere"), &mut embedded, &mut diagnostics);
        let translated = include("#include \"mapset.h\"").expect("found whatever its case");
        assert_eq!(include(" # include <MAPSET> /* again */"), Some(translated.clone()));
        assert_eq!(include("#include <stdio.h>"), None);
        assert_eq!(include("#include \"DFHAID\""), Some("#include <dfhaid.h>".to_string()));
        assert_eq!(include("#include \"missing.h\""), None);
        assert_eq!(include("#include NAME"), None);
        let path = translated.split('"').nth(1).unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.contains("#define LOST 13\n") && text.contains("struct __attribute__((packed)) a"), "{text}");
        assert!(text.contains(&translated) && !text.contains("regent.h"), "{text}");
        assert_eq!(headers.inputs(), [directory.path().join("MAPSET.h")]);
    }
}
