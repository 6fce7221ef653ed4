//! Compiles BMS sources to mapset load modules and to the symbolic maps that COBOL programs COPY and C programs include.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cobol::diagnostics::Located;
use cobol::source::{CopyMember, CopyResolver};

use super::library::Library;

/// The result of an assembly: names written, the symbolic maps by file name, messages as shown.
#[derive(Default)]
pub struct MapsResult {
    pub mapsets: Vec<String>,
    /// The members that COPY has named.
    pub copied: Vec<PathBuf>,
    pub symbolic: Vec<(String, String)>,
    pub messages: Vec<String>,
    pub located: Vec<Located>,
    pub return_code: u8,
}

/// The mapsets of sources that did not compile, by upper-case name: no member is found here, but the reason is known.
#[derive(Default)]
pub struct FailedMaps(BTreeMap<String, PathBuf>);

impl FailedMaps {
    /// A symbolic map has the name of its mapset, the label of DFHMSD, which often is that of the file too.
    pub fn of(sources: &[PathBuf]) -> FailedMaps {
        let mut failed = BTreeMap::new();
        for path in sources {
            let text = std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).to_uppercase()).unwrap_or_default();
            let label = |line: &str| match line.split_whitespace().collect::<Vec<_>>()[..] {
                [label, "DFHMSD", ..] if !line.starts_with(['*', ' ']) => Some(label.to_string()),
                _ => None,
            };
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().to_uppercase());
            failed.extend(text.lines().filter_map(label).chain(stem).map(|name| (name, path.clone())));
        }
        FailedMaps(failed)
    }
}

impl CopyResolver for FailedMaps {
    fn resolve(&self, _name: &str, _library: Option<&str>) -> Option<CopyMember> {
        None
    }

    fn why_missing(&self, name: &str) -> Option<String> {
        self.0.get(name).map(|path| format!("it is the symbolic map of {}, which did not compile", path.display()))
    }
}

/// Extensions of members of assembler source that COPY may name.
const COPY_EXTENSIONS: [&str; 8] = ["", "bms", "mac", "asm", "cpy", "copy", "inc", "txt"];

/// The member of a name in a directory, whatever the case of its letters.
fn member(directory: &Path, name: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(directory).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let is_member = |path: &PathBuf| {
        let (stem, extension) = (path.file_stem().unwrap_or_default(), path.extension().unwrap_or_default());
        stem.to_string_lossy().eq_ignore_ascii_case(name)
            && COPY_EXTENSIONS.iter().any(|known| extension.to_string_lossy().eq_ignore_ascii_case(known))
    };
    entries.filter(|path| is_member(path) && path.is_file()).min()
}

/// Assembles one source and writes its mapsets and partition sets to the library. COPY finds members beside the source and in the directories.
pub fn assemble<'a>(
    path: &'a Path,
    ccsid: u16,
    library: &Library,
    directories: impl Iterator<Item = &'a Path>,
) -> Result<MapsResult, String> {
    let directories: Vec<&Path> = path.parent().into_iter().chain(directories).collect();
    let copied = RefCell::new(Vec::new());
    let copy = |name: &str| {
        let found = directories.iter().find_map(|directory| member(directory, name)).filter(|found| found != path)?;
        let text = std::fs::read(&found).ok()?;
        let shown = found.display().to_string();
        copied.borrow_mut().push(found);
        Some((shown, text))
    };
    let source = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let page = bms::text::terminal_page(crate::code_page::page(ccsid)?);
    let file = path.display().to_string();
    let assembly = bms::assemble_with(&file, &source, page, &copy);
    let text = String::from_utf8_lossy(&source);
    let lines: Vec<&str> = text.lines().collect();
    let mut result = MapsResult {
        messages: assembly.diagnostics.iter().map(|diagnostic| shown(diagnostic, &file, &lines)).collect(),
        located: assembly.diagnostics.iter().map(located).collect(),
        return_code: assembly.return_code(),
        copied: copied.take(),
        ..MapsResult::default()
    };
    if assembly.has_errors() {
        return Ok(result);
    }
    for set in &assembly.mapsets {
        let name = set.name.to_uppercase();
        result.symbolic.push(match set.language {
            bms::model::Language::C => (format!("{name}.h"), bms::symbolic_c::c_header(set)),
            _ => (format!("{name}.cpy"), bms::symbolic::cobol_copybook(set)),
        });
        library.write(&name, &bms::object::encode(set))?;
        result.mapsets.push(name);
    }
    for set in &assembly.partition_sets {
        let name = format!("{}{}", set.name.to_uppercase(), set.suffix.map(String::from).unwrap_or_default());
        library.write(&name, &bms::partition::encode(set))?;
        result.mapsets.push(name);
    }
    Ok(result)
}

fn located(diagnostic: &bms::Diagnostic) -> Located {
    let severity = match diagnostic.severity {
        bms::Severity::Warning => "warning",
        bms::Severity::Error => "error",
        bms::Severity::Severe => "severe",
    };
    let operand = if diagnostic.operand.is_empty() { String::new() } else { format!("{}: ", diagnostic.operand) };
    Located {
        file: diagnostic.file.clone(),
        line: diagnostic.line,
        column: diagnostic.column,
        severity: severity.to_string(),
        code: String::new(),
        text: format!("{operand}{}", diagnostic.message),
    }
}

/// A message with its source line and a mark below the place, as the COBOL compiler shows its own.
fn shown(diagnostic: &bms::Diagnostic, file: &str, lines: &[&str]) -> String {
    let is_of_source = diagnostic.file == file;
    let Some(line) = lines.get(diagnostic.line.saturating_sub(1) as usize).filter(|_| is_of_source) else {
        return diagnostic.to_string();
    };
    let before = diagnostic.column.saturating_sub(1) as usize;
    let rest: String = line.chars().skip(before).collect();
    let width = rest.find([' ', ',']).unwrap_or(rest.len()).max(1);
    format!("{diagnostic}\n{:>6} | {}\n       | {}{}", diagnostic.line, line.trim_end(), " ".repeat(before), "^".repeat(width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_show_the_line_and_the_place() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("B.bms");
        std::fs::write(
            &path,
            "B       DFHMSD TYPE=MAP,LANG=COBOL\nM       DFHMDI SIZE=(24,80)\n        DFHMDX FOO\n        DFHMSD TYPE=FINAL\n        END\n",
        )
        .unwrap();
        let result = assemble(&path, 37, &Library::create(&directory.path().join("load")).unwrap(), std::iter::empty()).unwrap();
        let message = result.messages.iter().find(|message| message.contains("DFHMDX")).unwrap();
        let shown: Vec<&str> = message.lines().skip(1).collect();
        assert_eq!(shown[0], "     3 |         DFHMDX FOO");
        assert!(shown[1].trim_end().ends_with('^'), "{message}");
    }
}
