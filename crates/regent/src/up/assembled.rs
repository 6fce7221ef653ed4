//! Tables whose sources are statements of assembler macros: program list tables and monitoring control tables.

use bms::diagnostic::Diagnostic;
use std::path::PathBuf;

use super::problems::Problems;
use crate::console::Console;

/// Reads the tables of a kind. One with errors is left out, with its messages.
pub fn read<T>(
    paths: &[PathBuf],
    kind: &str,
    parse: fn(&str, &str, &[u8], &mut Vec<Diagnostic>) -> Option<T>,
    console: &Console,
    problems: &mut Problems,
) -> Vec<T> {
    let mut tables = Vec::new();
    for path in paths {
        let member = path.file_stem().unwrap_or_default().to_string_lossy().to_uppercase();
        let mut diagnostics = Vec::new();
        let source = match std::fs::read(path) {
            Ok(source) => source,
            Err(error) => {
                problems.add(format!("{}: {error}", path.display()));
                continue;
            }
        };
        let table = parse(&member, &path.display().to_string(), &source, &mut diagnostics);
        if table.is_none() {
            problems.add(format!("{}: the {kind} has errors: see its messages above", path.display()));
        }
        tables.extend(table);
        diagnostics.iter().for_each(|diagnostic| console.warning(&diagnostic.to_string()));
    }
    tables
}
