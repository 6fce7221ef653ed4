//! A statement of a load module, decoded once for all its users, and the request that executes it.

use crate::convert::{HostVariable, Page};
use program::module::SqlText;
use program::requests::SqlVariable;
use sql::{Number, Statement, Text, VariableIndex, VariableType};
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Identifies a text for the server, in this process.
pub type StatementId = u32;

static NEXT_ID: AtomicU32 = AtomicU32::new(1);

pub fn new_id() -> StatementId {
    NEXT_ID.fetch_add(1, Ordering::Relaxed)
}

/// A decoded statement.
#[derive(Debug)]
pub struct Compiled {
    pub id: StatementId,
    pub statement: Statement,
    /// In the order of `statement.variables`.
    pub hosts: Vec<HostVariable>,
    /// The code page of the program.
    pub page: &'static Page,
    /// One of its host variables is a descriptor.
    pub has_descriptor: bool,
}

impl Compiled {
    pub fn new(statement: Statement, ccsid: u16) -> Compiled {
        let hosts: Vec<HostVariable> = statement
            .variables
            .iter()
            .map(|variable| HostVariable { variable: variable.clone(), page: page_of(variable.ccsid, ccsid) })
            .collect();
        let has_descriptor = hosts.iter().any(|host| host.variable.kind == VariableType::Descriptor);
        Compiled { id: new_id(), statement, hosts, page: Page::of(ccsid), has_descriptor }
    }

    /// As the program has it.
    pub fn source(&self) -> &str {
        &self.statement.source
    }

    /// The decoded form of a statement in a load module. `None`: it was written by another version.
    pub fn of(text: &SqlText, ccsid: u16) -> Option<Arc<Compiled>> {
        let decoded = text.decoded(|bytes| {
            let compiled: Option<Arc<Compiled>> = Statement::decode(bytes).map(|statement| Arc::new(Compiled::new(statement, ccsid)));
            Arc::new(compiled) as Arc<dyn Any + Send + Sync>
        });
        decoded.downcast_ref::<Option<Arc<Compiled>>>()?.clone()
    }
}

/// The page of a variable's characters. A double-byte page is that of GRAPHIC variables, whose single-byte page is the program's.
fn page_of(own: u16, program: u16) -> &'static Page {
    match codepage::by_ccsid(own) {
        Some(page) if own != 0 && page.encoding != codepage::Encoding::Double => Page::of(own),
        _ => Page::of(program),
    }
}

/// One execution of a statement.
pub struct Call<'a> {
    pub compiled: &'a Arc<Compiled>,
    /// Where its variables are, in the same order.
    pub places: &'a [SqlVariable],
    /// Tells the cursors and prepared statements of one program from those of others.
    pub package: usize,
}

impl<'a> Call<'a> {
    pub fn statement(&self) -> &'a Statement {
        &self.compiled.statement
    }

    pub fn inputs(&self) -> Operands<'a> {
        Operands { hosts: &self.compiled.hosts, places: self.places, order: &self.compiled.statement.inputs }
    }

    pub fn outputs(&self) -> Operands<'a> {
        Operands { hosts: &self.compiled.hosts, places: self.places, order: &self.compiled.statement.outputs }
    }
}

/// Some host variables, in an order.
#[derive(Clone, Copy)]
pub struct Operands<'a> {
    pub hosts: &'a [HostVariable],
    pub places: &'a [SqlVariable],
    pub order: &'a [VariableIndex],
}

impl<'a> Operands<'a> {
    pub fn len(&self) -> usize {
        self.order.len()
    }

    pub fn get(&self, index: usize) -> (&'a HostVariable, SqlVariable) {
        let at = usize::from(self.order[index]);
        (&self.hosts[at], self.places[at])
    }
}

/// The variable that a number or text is in.
pub trait InVariable {
    fn variable(&self) -> Option<VariableIndex>;
}

impl InVariable for Number {
    fn variable(&self) -> Option<VariableIndex> {
        match self {
            Number::Variable(index) => Some(*index),
            Number::Literal(_) => None,
        }
    }
}

impl InVariable for Text {
    fn variable(&self) -> Option<VariableIndex> {
        match self {
            Text::Variable(index) => Some(*index),
            Text::Literal(_) => None,
        }
    }
}
