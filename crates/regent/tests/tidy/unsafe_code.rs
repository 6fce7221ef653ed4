//! Unsafe code: the head of its file says what it does and which tests cover it, or where to read that. The rule:
//!
//! * the head has the word `unsafe`;
//! * it names the tests: those "below" in the file, or a file with tests in backticks (a module of tests says what "these tests" do);
//! * or it sends the reader to "the parent module" or to the lib.rs of the crate, and the head of that file keeps the rule.
//!
//! What the tests are (under Miri or not, with assertions or not) and whether the words are true is for a reader to judge.

use crate::source::{crates, files, head, in_backticks, leads_to, root, shown, text};
use std::path::{Path, PathBuf};

/// Whether the file has unsafe code: a block, a function, an implementation or a declaration.
fn has_unsafe_code(text: &str) -> bool {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or(""));
    let begins = |rest: &str| ["{", "fn ", "impl ", "impl<", "extern ", "trait "].iter().any(|word| rest.starts_with(word));
    code.flat_map(|line| line.split("unsafe").skip(1)).any(|rest| rest.starts_with('(') || rest.strip_prefix(' ').is_some_and(begins))
}

/// The file of the module above.
fn parent(path: &Path) -> PathBuf {
    let folder = path.parent().expect("a folder");
    let above = if path.ends_with("mod.rs") { folder.parent().expect("a folder") } else { folder };
    let candidates = [above.join("mod.rs"), above.with_extension("rs"), above.join("lib.rs"), above.join("main.rs")];
    candidates.into_iter().find(|candidate| candidate.is_file() && candidate != path).expect("a module has a parent")
}

fn has_tests(path: &Path) -> bool {
    text(path).contains("#[test]")
}

/// What is missing in the head of a file with unsafe code.
fn missing(path: &Path) -> Option<&'static str> {
    let head = head(&text(path));
    if !head.contains("`unsafe`") && !head.to_lowercase().contains("unsafe code") {
        return Some("what its unsafe code does and rests on");
    }
    let named: Vec<PathBuf> = in_backticks(&head).iter().filter_map(|name| leads_to(path, name)).collect();
    let is_root = |named: &Path| named.ends_with("src/lib.rs");
    let own = ["test below", "tests below"].iter().any(|words| head.contains(words)) && has_tests(path);
    let is_module_of_tests = head.contains("these tests") && has_tests(path);
    if own || is_module_of_tests || named.iter().any(|named| !is_root(named) && has_tests(named)) {
        return None;
    }
    let above = head.contains("the parent module").then(|| parent(path));
    let told = named.into_iter().filter(|named| is_root(named) && named != path).chain(above);
    if told.into_iter().any(|other| missing(&other).is_none()) { None } else { Some("which tests cover its unsafe code") }
}

#[test]
fn every_file_with_unsafe_code_says_what_it_rests_on_and_what_tests_it() {
    let sources = crates().into_iter().flat_map(|name| files(&root().join("crates").join(name).join("src"), "rs"));
    let with_unsafe: Vec<PathBuf> = sources.filter(|path| has_unsafe_code(&text(path))).collect();
    assert!(!with_unsafe.is_empty(), "the run time calls compiled code");
    let faults: Vec<String> = with_unsafe.iter().filter_map(|path| missing(path).map(|what| format!("{}: {what}", shown(path)))).collect();
    assert!(faults.is_empty(), "heads that do not say:\n{}", faults.join("\n"));
}

#[test]
fn unsafe_code_is_found_where_it_stands() {
    assert!(
        has_unsafe_code("let x = unsafe { y() };")
            && has_unsafe_code("pub unsafe fn f() {}")
            && has_unsafe_code("unsafe impl Send for X {}")
    );
    assert!(!has_unsafe_code("// unsafe { }\n#![allow(unsafe_code)]\nlet text = \"unsafe\";"));
}
