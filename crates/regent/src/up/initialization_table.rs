//! The system initialization table of an application: the source of macro DFHSIT, in assembler ("DFHSIT: system initialization table").
//!
//! Invariant: the name of a table is DFHSIT and its suffix; an application has one source for a name.

use std::path::{Path, PathBuf};

use super::jcl;
use super::jobs::read_text;

const MACRO: &str = "DFHSIT";
/// Operands of the macro that are no parameters.
const SUFFIX: &str = "SUFFIX=";
const TYPE: &str = "TYPE=";
/// The columns of a statement, and that of the mark that continues it.
const STATEMENT_COLUMNS: usize = 71;

/// Whether a line begins a statement of the macro.
pub fn is_statement(line: &str) -> bool {
    !line.starts_with('*') && line.split_whitespace().take(2).any(|word| word.eq_ignore_ascii_case(MACRO))
}

/// A table: its suffix, and its parameters `NAME=VALUE` with their lines.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub suffix: String,
    pub parameters: Vec<(u32, String)>,
}

/// Reads a source. Operands end at a blank; a comma at the end or a character in column 72 continues them in the next line.
pub fn read(text: &str) -> Table {
    let mut table = Table::default();
    let mut is_open = false;
    for (number, line) in (1_u32..).zip(text.lines()) {
        if line.starts_with('*') || !is_open && !is_statement(line) {
            continue;
        }
        let field: String = line.chars().take(STATEMENT_COLUMNS).collect();
        let operands = if is_open { field.as_str() } else { behind_macro(&field) };
        let operands = operands.split_whitespace().next().unwrap_or_default();
        for item in jcl::split_operands(operands).into_iter().filter(|item| item.contains('=')) {
            let folded = item.to_ascii_uppercase();
            match folded.strip_prefix(SUFFIX) {
                Some(suffix) => table.suffix = suffix.to_string(),
                None if folded.starts_with(TYPE) => {}
                None => table.parameters.push((number, item)),
            }
        }
        is_open = operands.ends_with(',') || line.chars().nth(STATEMENT_COLUMNS).is_some_and(|mark| mark != ' ');
    }
    table
}

fn behind_macro(line: &str) -> &str {
    let at = line.to_ascii_uppercase().find(MACRO).map_or(line.len(), |at| at + MACRO.len());
    line.get(at..).unwrap_or_default()
}

/// The table that a start uses: that of the suffix, or the one without a suffix if there is a source of it. NO is no table.
pub fn chosen(sources: &[PathBuf], suffix: Option<&str>) -> Result<Option<(PathBuf, Table)>, String> {
    let wanted = suffix.unwrap_or_default().to_ascii_uppercase();
    if wanted == "NO" {
        return Ok(None);
    }
    let tables = sources.iter().map(|path| (path.clone(), read(&read_text(path))));
    let mut fitting = tables.filter(|(_, table)| table.suffix == wanted);
    match (fitting.next(), fitting.next()) {
        (Some((one, _)), Some((other, _))) => {
            Err(format!("{} and {} are both the source of {MACRO}{wanted}: remove one", one.display(), other.display()))
        }
        (None, _) if !wanted.is_empty() => {
            Err(format!("SIT={wanted}: there is no source of {MACRO}{wanted}: a statement {MACRO} with {SUFFIX}{wanted} in a file .asm"))
        }
        (found, _) => Ok(found),
    }
}

/// `SIT.asm:3: `, before a message about a parameter.
pub fn place(path: &Path, line: u32) -> String {
    format!("{}:{line}: ", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_read_over_the_lines_of_the_statement() {
        let mut text = format!("{:<71}X\n", "*        DFHSIT TYPE=NONE");
        text += &format!("{:<71}X\n", "SITBA    DFHSIT TYPE=CSECT,SUFFIX=BA,MXT=50,");
        text += &format!("{:<71}X\n", "               GRPLIST=(A,B),              LISTS");
        text += "               GMTEXT='WELCOME'\n         END DFHSITBA\n";
        let parameters = [(2, "MXT=50"), (3, "GRPLIST=(A,B)"), (4, "GMTEXT='WELCOME'")];
        let expected = Table { suffix: "BA".to_string(), parameters: parameters.map(|(line, text)| (line, text.to_string())).to_vec() };
        assert_eq!(read(&text), expected);
        assert_eq!(read("NOTHING\n"), Table::default());
    }

    #[test]
    fn the_suffix_chooses_a_table() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = directory.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let plain = write("a.asm", "         DFHSIT TYPE=CSECT,MXT=10\n         END\n");
        let other = write("b.asm", "         DFHSIT TYPE=CSECT,SUFFIX=A1,MXT=20\n         END\n");
        let sources = [plain.clone(), other.clone()];
        let path = |suffix: Option<&str>| chosen(&sources, suffix).unwrap().map(|(path, _)| path);
        assert_eq!((path(None), path(Some("A1")), path(Some("NO"))), (Some(plain.clone()), Some(other), None));
        assert!(chosen(&sources, Some("ZZ")).unwrap_err().contains("there is no source of DFHSITZZ"));
        assert!(chosen(&[plain.clone(), plain], None).unwrap_err().contains("remove one"));
        assert_eq!(chosen(&[], None).unwrap(), None);
    }
}
