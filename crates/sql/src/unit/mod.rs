//! The statements of one compilation unit: what they declare, and their translation one by one.

mod compile;

use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::options::UnitOptions;
use crate::parse::Parsed;
use crate::reference::{Expansion, HostReference};
use crate::statement::Statement;
use crate::translate::TableColumns;
use compile::Compiler;
pub(crate) use compile::other_change;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

/// The statements of one program.
#[derive(Clone, Debug)]
pub struct Unit {
    options: UnitOptions,
    /// DECLARE CURSOR by name.
    cursors: HashMap<String, Parsed>,
    /// Cursors that a positioned statement names.
    positioned: HashSet<String>,
    /// Declarations of cursors that have been declared before.
    repeated: Vec<Parsed>,
    /// Cursors of ALLOCATE CURSOR.
    allocated: HashSet<String>,
    /// Columns of DECLARE TABLE, by qualified and by simple name.
    tables: HashMap<String, TableColumns>,
}

/// A compiled statement. `statement` is `None` if it is for the compiler alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compiled {
    pub statement: Option<Statement>,
    pub warnings: Vec<Diagnostic>,
}

impl Unit {
    pub fn new(options: UnitOptions) -> Unit {
        Unit {
            options,
            cursors: HashMap::new(),
            positioned: HashSet::new(),
            repeated: Vec::new(),
            allocated: HashSet::new(),
            tables: HashMap::new(),
        }
    }

    /// Learns what `parsed` declares. Every statement of the program is surveyed, in order, before the first is compiled.
    pub fn survey(&mut self, parsed: &Parsed) {
        match &parsed.statement {
            ast::Statement::DeclareCursor(cursor) => match self.cursors.entry(cursor.name.last().to_string()) {
                Entry::Vacant(place) => {
                    place.insert(parsed.clone());
                }
                Entry::Occupied(_) => self.repeated.push(parsed.clone()),
            },
            ast::Statement::AllocateCursor { cursor, .. } => {
                self.allocated.insert(cursor.last().to_string());
            }
            ast::Statement::Update(update) => self.positioned.extend(update.filter.cursor.iter().map(|name| name.last().to_string())),
            ast::Statement::Delete(delete) => self.positioned.extend(delete.filter.cursor.iter().map(|name| name.last().to_string())),
            ast::Statement::DeclareTable { table, columns } => {
                let columns: TableColumns =
                    columns.iter().map(|column| (column.name.last().to_string(), Some(column.data_type.clone()))).collect();
                self.tables.insert(table.last().to_string(), columns.clone());
                self.tables.insert(table.parts.join("."), columns);
            }
            _ => {}
        }
    }

    /// The host variables that the statement uses. Those of OPEN are its own, and then those of the cursor's declaration at offset 0.
    pub fn references(&self, parsed: &Parsed) -> Vec<HostReference> {
        let mut references = parsed.references.clone();
        if let Some(declaration) = self.opened(parsed) {
            references.extend(declaration.references.iter().map(|reference| HostReference {
                offset: 0,
                indicator_offset: 0,
                ..reference.clone()
            }));
        }
        references
    }

    /// The declaration of the cursor that the statement opens.
    fn opened(&self, parsed: &Parsed) -> Option<&Parsed> {
        match &parsed.statement {
            ast::Statement::Open { cursor, .. } => self.cursors.get(cursor.last()),
            _ => None,
        }
    }

    /// Translates one statement; `expansions` has the variables of each of its references, in their order.
    pub fn compile(&self, parsed: &Parsed, expansions: &[Expansion]) -> Result<Compiled, Vec<Diagnostic>> {
        assert_eq!(expansions.len(), self.references(parsed).len(), "an expansion for each reference");
        let mut compiler = Compiler::new(self, parsed, expansions);
        match compiler.statement() {
            Ok(statement) => {
                let mut warnings = parsed.warnings.clone();
                warnings.extend(compiler.warnings());
                Ok(Compiled { statement, warnings })
            }
            Err(problem) => Err(vec![problem.diagnostic()]),
        }
    }
}
