//! The monitoring control table (MCT): the source of DFHMCT TYPE=INITIAL and FINAL, and what it says of the groups of performance records.
//!
//! Rules: "MCT: monitoring control table" (Reference). RMI=NO leaves group DFHRMI out of performance records; the default is YES, also without a
//! table. User event monitoring points and records of other types are not there, and what would define them is an error.

use crate::macro_table::{self, Faults};
use crate::name::Name8;
use bms::diagnostic::Diagnostic;
use bms::operand::Operand;
use bms::source::Statement;

/// The default control section, and what a suffix is added to.
const PREFIX: &str = "DFHMCT";
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
    let table = ControlTable { name: Name8::new(member), rmi: true };
    macro_table::read(Reader { table, begun: false }, file, source, diagnostics).map(|reader| reader.table)
}

struct Reader {
    table: ControlTable,
    begun: bool,
}

impl macro_table::Reader for Reader {
    const MACRO: &'static str = PREFIX;
    const KIND: &'static str = "a monitoring control table";

    fn statement(&mut self, statement: &Statement, operands: &[Operand], faults: &mut Faults) -> bool {
        let mut kind = None;
        for operand in operands {
            let (line, column) = (operand.line, operand.column);
            match (operand.key.as_str(), operand.value.word()) {
                ("TYPE", Some(word)) => kind = Some((word.to_string(), line, column)),
                ("SUFFIX", Some(suffix)) => self.table.name = Name8::new(&format!("{PREFIX}{suffix}")),
                ("RMI", Some("YES")) => self.table.rmi = true,
                ("RMI", Some("NO")) => self.table.rmi = false,
                ("RMI", _) => faults.error(line, column, "RMI= takes YES or NO".into()),
                (key, _) => faults.error(line, column, format!("{key}= is not supported: a table has TYPE=INITIAL with SUFFIX and RMI")),
            }
        }
        match kind {
            Some((kind, ..)) if kind == "INITIAL" && !self.begun => self.begun = true,
            Some((kind, ..)) if kind == "FINAL" && self.begun => return true,
            Some((kind, line, column)) => {
                faults.error(line, column, format!("TYPE={kind} is not supported here: TYPE=INITIAL and then TYPE=FINAL are"))
            }
            None => faults.error(statement.line, 1, "DFHMCT needs TYPE=INITIAL or TYPE=FINAL".into()),
        }
        false
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
