//! What is public: a function or constant that only its own file names is not.

use crate::source::{files, root, shown, text};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The identifiers of a text.
fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect()
}

/// The name of the function, method or constant that a line makes public. The others of a module inside the file are left out: the rest of
/// the file must see them.
fn public_name(line: &str) -> Option<&str> {
    let (_, declared) = line.trim_start().split_once("pub").filter(|(before, _)| before.is_empty())?;
    let declared = ["(crate)", "(super)"].iter().find_map(|scope| declared.strip_prefix(scope)).unwrap_or(declared);
    let is_qualifier = |word| ["const", "unsafe", "async", "extern", "\"C\""].contains(&word);
    let name_of = |keyword: &str| {
        let (before, name) = declared.split_once(keyword)?;
        before.split_whitespace().all(is_qualifier).then_some(name)
    };
    let name = match name_of(" fn ") {
        Some(name) if line.starts_with("pub") || line.contains("self") => name,
        None if line.starts_with("pub") => name_of(" const ").or_else(|| name_of(" static "))?,
        _ => return None,
    };
    Some(name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or(name))
}

#[test]
fn what_only_its_own_file_names_is_private() {
    let paths = [files(&root().join("crates"), "rs"), files(&root().join("crates"), "in")].concat();
    let texts: Vec<String> = paths.iter().map(|path| text(path)).collect();
    let mut named_in: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, text) in texts.iter().enumerate() {
        words(text).into_iter().for_each(|word| named_in.entry(word).or_default().push(index));
    }
    let in_source = |path: &Path| path.components().any(|part| part.as_os_str() == "src");
    // What a macro of this file uses is public for its users.
    let is_checked = |(path, text): &(&PathBuf, &String)| in_source(path) && !text.contains("#[macro_export]");
    let mut alone = Vec::new();
    for (path, text) in paths.iter().zip(&texts).filter(is_checked) {
        for name in text.lines().filter_map(public_name).filter(|name| named_in.get(name).is_some_and(|files| files.len() == 1)) {
            alone.push(format!("{}: {name}", shown(path)));
        }
    }
    assert!(alone.is_empty(), "public, but named in no other file:\n{}", alone.join("\n"));
}
