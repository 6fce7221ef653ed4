//! The source of a program list table: DFHPLT TYPE=INITIAL, ENTRY and FINAL.

use crate::macro_table::{self, Faults};
use crate::name::Name8;
use bms::diagnostic::Diagnostic;
use bms::operand::Operand;
use bms::source::Statement;

/// Ends the programs of the first phase; no program has this name.
const DELIMITER: &str = "DFHDELIM";
/// A table: its programs before and after the delimiter, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramList {
    pub name: Name8,
    pub first: Vec<Name8>,
    pub second: Vec<Name8>,
}

impl ProgramList {
    /// A table without programs, as for PLT=NO.
    pub fn empty(name: Name8) -> Self {
        Self { name, first: Vec::new(), second: Vec::new() }
    }
}

/// Reads a table. Its name is that of the member, unless TYPE=INITIAL gives a suffix. `None` if there is an error.
pub fn parse(member: &str, file: &str, source: &[u8], diagnostics: &mut Vec<Diagnostic>) -> Option<ProgramList> {
    let list = ProgramList::empty(Name8::new(member));
    macro_table::read(Reader { list, delimited: false }, file, source, diagnostics).map(|reader| reader.list)
}

struct Reader {
    list: ProgramList,
    delimited: bool,
}

impl macro_table::Reader for Reader {
    const MACRO: &'static str = "DFHPLT";
    const KIND: &'static str = "a program list table";

    fn statement(&mut self, statement: &Statement, operands: &[Operand], faults: &mut Faults) -> bool {
        let find = |key: &str| operands.iter().find(|operand| operand.key == key);
        match find("TYPE").and_then(|operand| operand.value.word()) {
            Some("INITIAL") => {
                if let Some(suffix) = find("SUFFIX").and_then(|operand| operand.value.word()) {
                    self.list.name = Name8::new(&format!("DFHPLT{suffix}"));
                }
            }
            Some("ENTRY") => match find("PROGRAM") {
                Some(programs) => self.entry(programs, faults),
                None => faults.error(statement.line, 1, "TYPE=ENTRY needs PROGRAM=".into()),
            },
            Some("FINAL") => return true,
            _ => faults.error(statement.line, 1, "DFHPLT needs TYPE=INITIAL, TYPE=ENTRY or TYPE=FINAL".into()),
        }
        false
    }
}

impl Reader {
    fn entry(&mut self, programs: &Operand, faults: &mut Faults) {
        let (line, column) = (programs.line, programs.column);
        let Some(names) = programs.value.words() else {
            return faults.error(line, column, "PROGRAM= takes program names".into());
        };
        for name in names {
            if name == DELIMITER {
                if std::mem::replace(&mut self.delimited, true) {
                    faults.error(line, column, format!("{DELIMITER} may stand once in a table"));
                }
            } else if name.is_empty() || name.len() > 8 {
                faults.error(line, column, format!("{name:?} is no program name: it has one to eight characters"));
            } else {
                let phase = if self.delimited { &mut self.list.second } else { &mut self.list.first };
                phase.push(Name8::new(name));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &str) -> (Option<ProgramList>, Vec<String>) {
        let mut diagnostics = Vec::new();
        let list = parse("STARTUP", "t.plt", source.as_bytes(), &mut diagnostics);
        (list, diagnostics.iter().map(|diagnostic| format!("{} {}", diagnostic.line, diagnostic.message)).collect())
    }

    #[test]
    fn the_delimiter_divides_the_phases() {
        let source = "* programs of the bank\n         DFHPLT TYPE=INITIAL,SUFFIX=SI\n         DFHPLT TYPE=ENTRY,PROGRAM=FIRST\n\
                      \x20        DFHPLT TYPE=ENTRY,PROGRAM=DFHDELIM\n         DFHPLT TYPE=ENTRY,PROGRAM=(SECOND,THIRD)\n         DFHPLT TYPE=FINAL\n         END\n";
        let (list, messages) = read(source);
        let list = list.expect("a table");
        assert_eq!(list.name.as_str(), "DFHPLTSI");
        assert_eq!(list.first, [Name8::new("FIRST")]);
        assert_eq!(list.second, [Name8::new("SECOND"), Name8::new("THIRD")]);
        assert!(messages.is_empty(), "{messages:?}");
    }

    #[test]
    fn without_a_suffix_the_member_names_the_table() {
        let (list, _) = read("         DFHPLT TYPE=ENTRY,PROGRAM=ONE\n         DFHPLT TYPE=FINAL\n");
        assert_eq!(list.expect("a table").name.as_str(), "STARTUP");
    }

    #[test]
    fn faults_are_messages() {
        let faults = [
            ("         DFHPLT TYPE=ENTRY,PROGRAM=NINECHARS\n         DFHPLT TYPE=FINAL\n", "\"NINECHARS\" is no program name"),
            ("         DFHPLT TYPE=ENTRY\n         DFHPLT TYPE=FINAL\n", "needs PROGRAM="),
            ("         DFHPLT TYPE=ENTRY,PROGRAM=(DFHDELIM,DFHDELIM)\n         DFHPLT TYPE=FINAL\n", "may stand once"),
            ("         DFHPPT TYPE=ENTRY,PROGRAM=A\n         DFHPLT TYPE=FINAL\n", "DFHPPT is not a statement"),
            ("         DFHPLT TYPE=OTHER\n         DFHPLT TYPE=FINAL\n", "needs TYPE=INITIAL"),
            ("         DFHPLT TYPE=ENTRY,PROGRAM=A\n", "TYPE=FINAL is missing"),
        ];
        for (source, expected) in faults {
            let (list, messages) = read(source);
            assert!(list.is_none() && messages.iter().any(|message| message.contains(expected)), "{expected}: {messages:?}");
        }
    }
}
