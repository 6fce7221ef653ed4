//! The modules of each crate and their dependencies, checked against docs/modules.md; cycles are not allowed.
//!
//! A module here is a file or a folder directly below `src`. It uses another module when a path in it begins with the crate's root
//! (`crate::`, or the `super::` steps that lead there) and the name of that module, or a name that the root re-exports from there. Test
//! code does not count.

use crate::arrows::{Arrows, downward};
use crate::source::{compare, crates, files, root, text};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const PAGE: &str = "docs/modules.md";

/// Names of the modules of a crate.
fn modules(source: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(source).expect("src");
    let names =
        entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir() || path.extension().is_some_and(|e| e == "rs"));
    let names = names.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned());
    names.filter(|name| !["lib", "main"].contains(&name.as_str())).collect()
}

/// The text without line comments and without its tests.
fn code(text: &str) -> String {
    let text = match text.split_once("#[cfg(test)]\nmod tests") {
        Some((code, _)) => code,
        None => text,
    };
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The first names of the paths that begin with `prefix`; of `crate::{a::b, c}` both.
fn first_names(code: &str, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at].chars().next_back().is_some_and(|c| is_name(c) || c == '$' || c == ':') {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            None => names.push(rest.chars().take_while(|c| is_name(*c)).collect()),
            Some(group) => names.extend(in_group(group)),
        }
    }
    names
}

/// The `super::` that lead from a file to the root of its crate.
fn to_root(inside: &Path) -> String {
    let is_folder = inside.file_name().is_some_and(|name| name == "mod.rs");
    "super::".repeat(inside.components().count() - usize::from(is_folder))
}

/// The first names of the parts of a group, up to its closing brace.
fn in_group(group: &str) -> Vec<String> {
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in group.chars() {
        match c {
            '}' if depth == 0 => break,
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => parts.push(String::new()),
            _ if depth == 0 => parts.last_mut().expect("a part").push(c),
            _ => {}
        }
    }
    parts.iter().map(|part| part.trim().chars().take_while(|c| is_name(*c)).collect::<String>()).filter(|name| !name.is_empty()).collect()
}

/// What the root re-exports, by name: the module it is from.
fn re_exports(source: &Path, modules: &BTreeSet<String>) -> BTreeMap<String, String> {
    let root = ["lib.rs", "main.rs"].map(|name| source.join(name)).into_iter().find(|path| path.is_file()).expect("a root");
    let code = code(&text(&root));
    let mut found = BTreeMap::new();
    for statement in code.split("pub use ").skip(1) {
        let statement = statement.split(';').next().unwrap_or("");
        let module: String = statement.chars().take_while(|c| is_name(*c)).collect();
        if !modules.contains(&module) {
            continue;
        }
        // The last name of each path, or what it is called by.
        for name in statement.split(|c: char| !is_name(c)).filter(|name| !name.is_empty() && *name != "as") {
            if !modules.contains(name) {
                found.insert(name.to_string(), module.clone());
            }
        }
    }
    found
}

fn arrows_of(name: &str) -> Arrows {
    let source = root().join("crates").join(name).join("src");
    let modules = modules(&source);
    let re_exports = re_exports(&source, &modules);
    let mut arrows: Arrows = modules.iter().map(|module| (module.clone(), BTreeSet::new())).collect();
    for path in files(&source, "rs") {
        let inside = path.strip_prefix(&source).expect("below src");
        let first = inside.components().next().expect("a name").as_os_str().to_string_lossy();
        let module = first.strip_suffix(".rs").unwrap_or(&first).to_string();
        if ["lib", "main"].contains(&module.as_str()) {
            continue;
        }
        let code = code(&text(&path));
        for used in first_names(&code, "crate::").into_iter().chain(first_names(&code, &to_root(inside))) {
            let used = if modules.contains(&used) { Some(&used) } else { re_exports.get(&used) };
            if let Some(used) = used.filter(|used| **used != module) {
                arrows.get_mut(&module).expect("a module").insert(used.clone());
            }
        }
    }
    arrows
}

#[test]
fn modules_use_only_modules_below_them() {
    let mut page = String::from(
        "# Modules\n\nThe modules of each crate, and the modules of the crate that they use. A module uses only modules below it in its table. A test\ngenerates this page from the source and fails if there is a cycle.\n",
    );
    let mut cycles = Vec::new();
    for name in crates() {
        let arrows = arrows_of(&name);
        if arrows.len() < 2 {
            continue;
        }
        match downward(&arrows) {
            Err(cycle) => cycles.push(format!("{name}: {}", cycle.join(", "))),
            Ok(order) => {
                page += &format!("\n## {name}\n\n| module | uses |\n| --- | --- |\n");
                for module in order {
                    let uses: Vec<&str> = arrows[&module].iter().map(String::as_str).collect();
                    page += &format!("| `{module}` | {} |\n", if uses.is_empty() { "-".to_string() } else { uses.join(", ") });
                }
            }
        }
    }
    assert!(cycles.is_empty(), "modules that use each other in a circle:\n{}", cycles.join("\n"));
    compare(PAGE, &page);
}

/// Modules through which every command and every task goes: they reach domains by the registry only.
const WITHOUT_DOMAINS: [&str; 4] = ["recovery_manager", "statistics", "exec_interface", "transaction_manager"];

#[test]
fn the_core_of_a_region_imports_no_domain() {
    let source = root().join("crates/region/src");
    let is_domain = |module: &&String| {
        let paths = [source.join(module).join("mod.rs"), source.join(format!("{module}.rs"))];
        paths.iter().any(|path| path.is_file() && text(path).contains("pub static DOMAIN"))
    };
    let arrows = arrows_of("region");
    for module in WITHOUT_DOMAINS {
        let domains: Vec<&String> = arrows[module].iter().filter(is_domain).collect();
        assert!(domains.is_empty(), "{module} imports {domains:?}");
    }
}

#[test]
fn paths_are_read_as_the_compiler_reads_them() {
    let code = "use crate::{a::b, c::{d, e}, f};\nfn g() { crate::h::i(); $crate::j; mycrate::k }";
    assert_eq!(first_names(code, "crate::"), ["a", "c", "f", "h"]);
    let code = "use super::super::{a, b::c};\nuse super::d;\nsuper::super::e();";
    assert_eq!(first_names(code, &to_root(Path::new("one/two.rs"))), ["a", "b", "e"]);
    assert_eq!(to_root(Path::new("one/mod.rs")), "super::");
}
