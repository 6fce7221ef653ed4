//! What a thread keeps from one statement to the next.

use crate::bind::BindOptions;
use crate::compiled::{Call, InVariable, Operands, StatementId};
use crate::conditions::Diagnostics;
use crate::context::Context;
use crate::convert::Number;
use crate::cursor::Cursors;
use crate::dynamic_table::PreparedTable;
use crate::errors::{Done, SqlError, Stop, code};
use crate::host::{Delivery, Gathered, parameters};
use crate::link::{Described, Link};
use crate::locators::Locators;
use crate::rows::Rows;
use crate::sqlca::{Area, TRUNCATED};
use crate::sqlda::{self, Descriptor};
use crate::types::Oid;
use crate::{convert, sqlca};
use kernel::name::Name8;
use postgres::Columns;
use sql::{Isolation, VariableType};
use std::sync::Arc;

/// What is known of a CALL whose procedure was called before.
pub struct Known {
    pub statement: StatementId,
    pub name: String,
    pub id: StatementId,
    /// Modes of the parameters: i, o, b (in and out), v; empty: all are in.
    pub modes: String,
}

/// A savepoint of the program.
pub struct Savepoint {
    pub name: String,
    /// UNIQUE: no other may have its name.
    pub unique: bool,
}

pub struct State {
    pub link: Link,
    pub cursors: Cursors,
    pub prepared: PreparedTable,
    pub locators: Locators,
    pub diagnostics: Diagnostics,
    /// Whom the session was told of: plan, authorization identifier and bind options.
    pub told: Option<(Name8, Name8, Arc<BindOptions>)>,
    /// Name of the application that the server was told; empty: none.
    pub application: Arc<str>,
    /// Registers that the program has set.
    pub own_registers: Vec<String>,
    pub area: Area,
    pub gathered: Gathered,
    pub delivery: Delivery,
    pub parameters: Vec<u8>,
    pub scratch: Vec<u8>,
    pub rows: Rows,
    /// Procedures that were called.
    pub procedures: Vec<Known>,
    /// Savepoints of the program in this unit of work.
    pub savepoints: Vec<Savepoint>,
}

impl State {
    pub fn new(link: Link) -> State {
        State {
            link,
            cursors: Cursors::default(),
            prepared: PreparedTable::default(),
            locators: Locators::default(),
            diagnostics: Diagnostics::default(),
            told: None,
            application: Arc::default(),
            own_registers: Vec::new(),
            area: Area::default(),
            gathered: Gathered::default(),
            delivery: Delivery::default(),
            parameters: Vec::new(),
            scratch: Vec::new(),
            rows: Rows::default(),
            procedures: Vec::new(),
            savepoints: Vec::new(),
        }
    }

    /// Takes the values of the inputs; `row` is the element of arrays.
    pub fn gather(&mut self, operands: Operands, row: u32) -> Done<()> {
        self.gathered.clear();
        self.gathered.take(operands, row)
    }

    /// Encodes the values taken last as parameters.
    pub fn encode(&mut self, operands: Operands, types: &[Oid]) -> Done<()> {
        self.parameters.clear();
        parameters(operands, &self.gathered, 0, types, &self.locators, &mut self.scratch, &mut self.parameters)
    }

    /// The text in a host variable or literal.
    pub fn text(&mut self, call: &Call, text: &sql::Text) -> Done<String> {
        match text {
            sql::Text::Literal(text) => Ok(text.clone()),
            sql::Text::Variable(index) => {
                self.take_one(call, *index)?;
                Ok(call.compiled.hosts[usize::from(*index)].page.text(self.gathered.bytes(0)))
            }
        }
    }

    /// The number in a host variable or literal.
    pub fn number(&mut self, call: &Call, number: &sql::Number) -> Done<i64> {
        if let sql::Number::Literal(value) = number {
            return Ok(*value);
        }
        let Some(index) = number.variable() else { return Ok(0) };
        self.take_one(call, index)?;
        let host = &call.compiled.hosts[usize::from(index)];
        let value = convert::load_number(host, self.gathered.bytes(0)).and_then(Number::to_integer);
        value.map_err(|_| Stop::sql(code::VALUE_TOO_LARGE, &["1"]))
    }

    /// The variables of a descriptor, which one of these operands is. `None`: none is.
    pub fn descriptor(call: &Call, operands: Operands) -> Done<Option<Descriptor>> {
        if !call.compiled.has_descriptor {
            return Ok(None);
        }
        let found = (0..operands.len()).map(|index| operands.get(index)).find(|(host, _)| host.variable.kind == VariableType::Descriptor);
        found.map(|(host, place)| sqlda::read(place.address, call.compiled.page, host.variable.reversed)).transpose()
    }

    /// The bytes of a variable, in `gathered`.
    pub fn take_one(&mut self, call: &Call, index: u16) -> Done<()> {
        self.gather(Operands { order: &[index], ..call.inputs() }, 0)
    }

    /// Whether a unit that begins with this statement is to be repeatable.
    pub fn is_repeatable(statement: Option<Isolation>, context: &Context) -> bool {
        statement.unwrap_or(context.bind.isolation) == Isolation::Rr
    }

    /// Reports how a delivery went.
    pub fn report_delivery(&mut self) {
        if self.delivery.truncated {
            self.area.warn(TRUNCATED);
        }
        if let Some(position) = self.delivery.out_of_range {
            self.area.set(SqlError::new(code::VALUE_OUT_OF_RANGE_WARNING, &[&position.to_string()]));
        }
    }
}

/// SQLWARN3: the result has more columns than there are host variables.
const COLUMNS_LEFT: usize = 3;

/// Adds the columns of a row to the delivery: to element `element` of the operands.
pub fn deliver_row(
    row: Columns,
    described: &Described,
    columns: usize,
    operands: Operands,
    element: u32,
    (delivery, locators, area): (&mut Delivery, &mut Locators, &mut sqlca::Area),
    context: &Context,
) -> Done<()> {
    for ((index, column), value) in described.columns[..columns].iter().enumerate().zip(row).take(operands.len()) {
        let value = (column.kind, value);
        delivery.column(operands.get(index), element, value, index as u32 + 1, context.bind.dates, locators)?;
    }
    if operands.len() < columns {
        area.warn(COLUMNS_LEFT);
    }
    Ok(())
}
