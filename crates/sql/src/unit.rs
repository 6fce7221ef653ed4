//! The statements of one compilation unit: what they declare, and their translation one by one.

use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::options::UnitOptions;
use crate::parse::Parsed;
use crate::problem::Problem;
use crate::reference::{Expansion, HostReference};
use crate::statement::Statement;
use std::collections::{HashMap, HashSet};

/// The statements of one program.
#[derive(Clone, Debug)]
pub struct Unit {
    options: UnitOptions,
    /// DECLARE CURSOR by name.
    cursors: HashMap<String, Parsed>,
    /// Cursors that a positioned statement names.
    positioned: HashSet<String>,
}

/// A compiled statement. `statement` is `None` if it is for the compiler alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compiled {
    pub statement: Option<Statement>,
    pub warnings: Vec<Diagnostic>,
}

impl Unit {
    pub fn new(options: UnitOptions) -> Unit {
        Unit { options, cursors: HashMap::new(), positioned: HashSet::new() }
    }

    /// Learns what `parsed` declares. Every statement of the program is surveyed, in order, before the first is compiled.
    pub fn survey(&mut self, parsed: &Parsed) {
        match &parsed.statement {
            ast::Statement::DeclareCursor(cursor) => {
                self.cursors.insert(cursor.name.last().to_string(), parsed.clone());
            }
            ast::Statement::Update(update) => self.positioned.extend(update.filter.cursor.iter().map(|name| name.last().to_string())),
            ast::Statement::Delete(delete) => self.positioned.extend(delete.filter.cursor.iter().map(|name| name.last().to_string())),
            _ => {}
        }
    }

    /// The host variables that the statement uses. Those of OPEN are those of the cursor's declaration, at offset 0, behind its own.
    pub fn references(&self, parsed: &Parsed) -> Vec<HostReference> {
        let mut references = parsed.references.clone();
        if let ast::Statement::Open { cursor, .. } = &parsed.statement
            && let Some(declaration) = self.cursors.get(cursor.last())
        {
            references.extend(declaration.references.iter().map(|reference| HostReference { offset: 0, ..reference.clone() }));
        }
        references
    }

    /// Translates one statement; `expansions` has the variables of each of its references.
    pub fn compile(&self, parsed: &Parsed, expansions: &[Expansion]) -> Result<Compiled, Vec<Diagnostic>> {
        assert_eq!(expansions.len(), self.references(parsed).len(), "an expansion for each reference");
        if parsed.is_declarative() {
            return Ok(Compiled { statement: None, warnings: parsed.warnings.clone() });
        }
        let _ = &self.options;
        Err(vec![Problem::unsupported(0, "this statement").diagnostic()])
    }
}
