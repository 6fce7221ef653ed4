//! The monitoring control table (MCT): the source of DFHMCT TYPE=INITIAL and FINAL, and what it says of the groups of performance records.
//!
//! Rules: "MCT: monitoring control table" (Reference). RMI=NO leaves group DFHRMI out of performance records; the default is YES, also without a
//! table. User event monitoring points and records of other types are not there, and what would define them is an error.

use crate::name::Name8;
use bms::diagnostic::{Diagnostic, Severity};
use bms::operand::operands;
use bms::source::{Statement, statements};

/// The default control section, and what a suffix is added to.
const PREFIX: &str = "DFHMCT";
/// Assembler statements without effect on a table.
const WITHOUT_EFFECT: [&str; 8] = ["TITLE", "PRINT", "EJECT", "SPACE", "PUNCH", "AMODE", "RMODE", "CSECT"];

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlTable {
    pub name: Name8,
    /// Group DFHRMI is in performance records.
    pub rmi: bool,
}

impl ControlTable {
    /// The table without a source: MCT=NO.
    pub fn standard() -> Self {
        Self { name: Name8::new(PREFIX), rmi: true }
    }
}

/// The name of the table of parameter MCT: a suffix of one or two characters, or YES. `None` for NO.
pub fn table_name(value: &str) -> Option<Name8> {
    match value.trim() {
        "" | "NO" => None,
        "YES" => Some(Name8::new(PREFIX)),
        suffix => Some(Name8::new(&format!("{PREFIX}{suffix}"))),
    }
}

/// Reads a table. Its name is that of the member, unless TYPE=INITIAL gives a suffix. `None` if there is an error.
pub fn parse(member: &str, file: &str, source: &[u8], diagnostics: &mut Vec<Diagnostic>) -> Option<ControlTable> {
    let before = diagnostics.len();
    let statements = statements(file, source, diagnostics);
    let table = ControlTable { name: Name8::new(member), rmi: true };
    let mut reader = Reader { file, table, begun: false, ended: false, diagnostics };
    statements.iter().for_each(|statement| reader.statement(statement));
    if !reader.ended {
        let line = statements.last().map_or(1, |statement| statement.line);
        reader.error(line, 1, "DFHMCT TYPE=FINAL is missing at the end of the table".into());
    }
    let table = reader.table;
    let errors = diagnostics[before..].iter().any(|diagnostic| diagnostic.severity >= Severity::Error);
    (!errors).then_some(table)
}

struct Reader<'a> {
    file: &'a str,
    table: ControlTable,
    begun: bool,
    ended: bool,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn error(&mut self, line: u32, column: u32, message: String) {
        let (file, operand) = (self.file.to_string(), String::new());
        self.diagnostics.push(Diagnostic { severity: Severity::Error, file, line, column, operand, message });
    }

    fn statement(&mut self, statement: &Statement) {
        let operation = statement.operation.as_str();
        if self.ended || operation == "END" || WITHOUT_EFFECT.contains(&operation) {
            return;
        }
        if operation != "DFHMCT" {
            let message = format!("{operation} is not a statement of a monitoring control table: DFHMCT is");
            return self.error(statement.line, 1, message);
        }
        let operands = operands(self.file, statement, self.diagnostics);
        let mut kind = None;
        for operand in &operands {
            let (line, column) = (operand.line, operand.column);
            match (operand.key.as_str(), operand.value.word()) {
                ("TYPE", Some(word)) => kind = Some((word.to_string(), line, column)),
                ("SUFFIX", Some(suffix)) => self.table.name = Name8::new(&format!("{PREFIX}{suffix}")),
                ("RMI", Some("YES")) => self.table.rmi = true,
                ("RMI", Some("NO")) => self.table.rmi = false,
                ("RMI", _) => self.error(line, column, "RMI= takes YES or NO".into()),
                (key, _) => self.error(line, column, format!("{key}= is not supported: a table has TYPE=INITIAL with SUFFIX and RMI")),
            }
        }
        match kind {
            Some((kind, ..)) if kind == "INITIAL" && !self.begun => self.begun = true,
            Some((kind, ..)) if kind == "FINAL" && self.begun => self.ended = true,
            Some((kind, line, column)) => {
                self.error(line, column, format!("TYPE={kind} is not supported here: TYPE=INITIAL and then TYPE=FINAL are"))
            }
            None => self.error(statement.line, 1, "DFHMCT needs TYPE=INITIAL or TYPE=FINAL".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &str) -> (Option<ControlTable>, Vec<String>) {
        let mut diagnostics = Vec::new();
        let table = parse("MONITOR", "t.asm", source.as_bytes(), &mut diagnostics);
        (table, diagnostics.iter().map(|diagnostic| format!("{} {}", diagnostic.line, diagnostic.message)).collect())
    }

    #[test]
    fn rmi_is_yes_unless_the_table_says_no() {
        let (table, _) = read("         DFHMCT TYPE=INITIAL,SUFFIX=A1,RMI=NO\n         DFHMCT TYPE=FINAL\n         END\n");
        assert_eq!(table, Some(ControlTable { name: Name8::new("DFHMCTA1"), rmi: false }));
        let (table, _) = read("         DFHMCT TYPE=INITIAL\n         DFHMCT TYPE=FINAL\n");
        assert_eq!(table, Some(ControlTable { name: Name8::new("MONITOR"), rmi: true }));
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        let source = "         DFHMCT TYPE=INITIAL,RMI=MAYBE,FILE=8\n         DFHMCT TYPE=EMP,ID=1\n";
        let (table, messages) = read(source);
        assert!(table.is_none());
        assert_eq!(messages[0], "1 RMI= takes YES or NO");
        assert!(messages[1].starts_with("1 FILE= is not supported") && messages[2].starts_with("2 ID= is not supported"), "{messages:?}");
        assert!(
            messages[3].starts_with("2 TYPE=EMP is not supported here") && messages[4].contains("TYPE=FINAL is missing"),
            "{messages:?}"
        );
    }

    #[test]
    fn mct_names_a_table() {
        assert_eq!(table_name("NO"), None);
        assert_eq!(table_name("YES"), Some(Name8::new("DFHMCT")));
        assert_eq!(table_name("A1"), Some(Name8::new("DFHMCTA1")));
    }
}
