//! The translation of statements to PostgreSQL's SQL.
//!
//! Invariants: what is emitted is the text of one statement; a value that is not a name or a constant is in parentheses, so that no precedence
//! of the server's matters; parameter `$n` is the n-th of [`Emitter::inputs`].

mod arithmetic;
mod call;
mod cast;
mod change;
mod condition;
mod expression;
mod merge;
mod order;
mod query;
mod scope;
mod table;
mod types;

use crate::ast::{DataType, Name};
use crate::diagnostic::Diagnostic;
use crate::guard::Names;
use crate::options::UnitOptions;
use crate::problem::Problem;
use crate::reference::{Expansion, HostReference};
use crate::statement::{Variable, VariableIndex, VariableType};
use scope::Scopes;
pub use scope::TableColumns;
use std::collections::HashMap;

/// The host variables of a statement.
pub struct Hosts<'a> {
    references: &'a [HostReference],
    expansions: &'a [Expansion],
    /// Index of the first variable of each reference.
    first: Vec<VariableIndex>,
}

impl<'a> Hosts<'a> {
    /// `base`: variables that stand before those of the first reference.
    pub fn new(references: &'a [HostReference], expansions: &'a [Expansion], base: usize) -> Hosts<'a> {
        assert_eq!(references.len(), expansions.len(), "an expansion for each reference");
        let mut next = base;
        let first = expansions
            .iter()
            .map(|expansion| {
                let first = next;
                next += expansion.len();
                VariableIndex::try_from(first).expect("the parser bounds references")
            })
            .collect();
        Hosts { references, expansions, first }
    }

    pub fn none() -> Hosts<'static> {
        Hosts { references: &[], expansions: &[], first: Vec::new() }
    }

    /// The variables of a reference with their indexes.
    pub fn variables(&self, reference: usize) -> impl Iterator<Item = (VariableIndex, &'a Variable)> + use<'a> {
        (self.first[reference]..).zip(&self.expansions[reference])
    }

    /// The variable of a reference that is not a structure.
    pub fn variable(&self, reference: usize) -> Result<(VariableIndex, &'a Variable), Problem> {
        let Some(expansion) = self.expansions.get(reference) else {
            return Err(Problem::new(-312, "42618", 0, &[], "a host variable cannot stand in dynamic SQL"));
        };
        match &expansion[..] {
            [variable] => Ok((self.first[reference], variable)),
            _ => {
                let host = &self.references[reference];
                let name = host.name.join(".");
                let text = format!("{name} is a structure, which cannot stand here");
                Err(Problem::new(-312, "42618", host.offset, &[&name], text))
            }
        }
    }
}

/// Where a value stands: what decides the type of a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// Nothing beside it tells its type: the host variable does.
    Alone,
    /// Compared with a value of this type, if it is known.
    Compared(Option<DataType>),
    /// Assigned to a column of this type, if it is known.
    Assigned(Option<DataType>),
}

pub struct Emitter<'a> {
    options: &'a UnitOptions,
    hosts: Hosts<'a>,
    /// DECLARE TABLE of the unit, by name in upper case.
    tables: &'a HashMap<String, TableColumns>,
    inputs: Vec<VariableIndex>,
    scopes: Scopes,
    /// Common table expressions that change data: they stand before all others.
    changes: Vec<String>,
    /// Parameters that stand alone, by the name of the host variable: one value, one type, one parameter, so that the server sees that an
    /// expression of GROUP BY is the one of the select list.
    alone: HashMap<String, VariableIndex>,
    /// Each parameter gets a number of its own, even if the host variable has one.
    fresh_parameters: bool,
    next_name: usize,
    /// Types of the columns that the items of the next select list are assigned to.
    item_types: Option<Vec<Option<DataType>>>,
    /// Names that stand for these texts where no table is in scope: what a body of a routine calls its own.
    pub locals: Vec<(String, String)>,
    pub warnings: Vec<Diagnostic>,
    /// What the server must check ahead of the statement.
    pub names: Names,
}

impl<'a> Emitter<'a> {
    pub fn new(options: &'a UnitOptions, hosts: Hosts<'a>, tables: &'a HashMap<String, TableColumns>) -> Emitter<'a> {
        Emitter {
            options,
            hosts,
            tables,
            inputs: Vec::new(),
            scopes: Scopes::default(),
            changes: Vec::new(),
            alone: HashMap::new(),
            fresh_parameters: false,
            next_name: 0,
            item_types: None,
            locals: Vec::new(),
            warnings: Vec::new(),
            names: Names::default(),
        }
    }

    /// The variables of `$1`, `$2` and so on.
    pub fn inputs(&self) -> &[VariableIndex] {
        &self.inputs
    }

    /// The statement changes data although it is a query.
    pub fn changes_data(&self) -> bool {
        !self.changes.is_empty()
    }

    /// The parameter of a host variable.
    fn parameter(&mut self, variable: VariableIndex) -> String {
        let known = self.inputs.iter().position(|input| *input == variable).filter(|_| !self.fresh_parameters);
        let number = known.unwrap_or_else(|| {
            self.inputs.push(variable);
            self.inputs.len() - 1
        });
        format!("${}", number + 1)
    }

    /// A name for a table that has none.
    fn invented_name(&mut self) -> String {
        self.next_name += 1;
        format!("db2_q{}", self.next_name)
    }

    /// A table that is read.
    fn read_table(&mut self, name: &Name) -> Result<String, Problem> {
        self.warn_of_location(name);
        self.names.read(name)
    }

    /// A table that the operation changes.
    pub fn changed_table(&mut self, name: &Name, operation: &str) -> Result<String, Problem> {
        self.warn_of_location(name);
        self.names.changed(name, operation)
    }

    /// A function that is not built in, or a procedure.
    pub fn routine(&mut self, name: &Name) -> Result<String, Problem> {
        self.warn_of_location(name);
        self.names.function(name)
    }

    /// The name of an object; a location in front of it is dropped.
    fn object(&mut self, name: &Name) -> String {
        self.warn_of_location(name);
        crate::names::object(name)
    }

    fn warn_of_location(&mut self, name: &Name) {
        if name.parts.len() == 3 {
            let text = format!("the location {} is ignored: the statement runs on the current server", name.parts[0]);
            self.warnings.push(Diagnostic::warning(name.offset, text));
        }
    }

    /// A host variable at `place`.
    fn host(&mut self, reference: usize, place: &Place) -> Result<String, Problem> {
        let (index, variable) = self.hosts.variable(reference)?;
        Ok(self.variable(index, variable, place))
    }

    fn variable(&mut self, index: VariableIndex, variable: &Variable, place: &Place) -> String {
        let mut index = index;
        if *place == Place::Alone && !variable.indicator && !self.fresh_parameters {
            index = *self.alone.entry(variable.name.clone()).or_insert(index);
        }
        let parameter = self.parameter(index);
        match place {
            Place::Alone => format!("{parameter}::{}", server_type(variable)),
            // The server pads only CHAR in comparisons, Db2 every character string.
            Place::Compared(Some(DataType::VarChar { bits: false, .. })) if variable.kind == VariableType::Char => {
                format!("rtrim({parameter}::text)")
            }
            // The server would round the value to the type of the column.
            Place::Compared(data_type) if has_fraction(variable) && data_type.as_ref().is_none_or(DataType::is_integer) => {
                format!("{parameter}::{}", server_type(variable))
            }
            Place::Compared(_) | Place::Assigned(_) => parameter,
        }
    }
}

/// Whether the variable can have a value that is no integer.
fn has_fraction(variable: &Variable) -> bool {
    matches!(variable.kind, VariableType::Real | VariableType::IeeeReal | VariableType::Double | VariableType::IeeeDouble)
        || variable.scale > 0
}

/// The type of the server for a host variable that stands alone. A value for CHAR loses its trailing blanks on its way to the server, one for
/// VARCHAR keeps them.
fn server_type(variable: &Variable) -> &'static str {
    use VariableType::*;
    let bits = variable.ccsid == u16::MAX;
    match variable.kind {
        SmallInt if variable.scale == 0 => "int2",
        Integer if variable.scale == 0 => "int4",
        BigInt if variable.scale == 0 => "int8",
        SmallInt | Integer | BigInt | Packed | Zoned { .. } | SignSeparate { .. } => "numeric",
        Real | IeeeReal => "float4",
        Double | IeeeDouble => "float8",
        Char | VarChar | NulTerminated if bits => "bytea",
        Char | Graphic | VarChar | NulTerminated | VarGraphic | NulTerminatedGraphic => "varchar",
        Binary | VarBinary | Blob | BlobLocator | RowId => "bytea",
        Clob | DbClob | ClobLocator | DbClobLocator => "text",
        ResultSetLocator => "int4",
        Descriptor => "text",
    }
}
