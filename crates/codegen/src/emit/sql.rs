//! EXEC SQL: builds the request on the stack, calls the slot, and goes where WHENEVER says.

use super::*;
use ::program::requests::{SqlOutcome, SqlRequest, SqlVariable};
use cobol::program::{ExecSql, Reference, Statement};
use cranelift_codegen::ir::condcodes::IntCC;

const VARIABLE_LENGTH: usize = std::mem::size_of::<SqlVariable>();

impl Emitter<'_, '_> {
    pub fn exec_sql(&mut self, sql: &ExecSql, statement: &Statement) {
        let count = sql.variables.len();
        let variables = self.temporary_address((VARIABLE_LENGTH * count.max(1)) as u32);
        for (number, variable) in sql.variables.iter().enumerate() {
            let at = number * VARIABLE_LENGTH;
            let address = self.host_address(Some(&variable.data));
            self.store(address, variables, at + offset_of!(SqlVariable, address));
            let indicator = self.host_address(variable.indicator.as_ref());
            self.store(indicator, variables, at + offset_of!(SqlVariable, indicator));
        }
        let request = self.temporary_address(std::mem::size_of::<SqlRequest>() as u32);
        for (value, offset) in [
            (sql.statement, offset_of!(SqlRequest, statement)),
            (count as u32, offset_of!(SqlRequest, variable_count)),
            (statement.span.line, offset_of!(SqlRequest, line)),
            (statement.number, offset_of!(SqlRequest, number)),
        ] {
            let value = self.i32(i64::from(value));
            self.store(value, request, offset);
        }
        self.store(variables, request, offset_of!(SqlRequest, variables));
        for (area, offset) in [
            (&sql.result.sqlca, offset_of!(SqlRequest, sqlca)),
            (&sql.result.sqlcode, offset_of!(SqlRequest, sqlcode)),
            (&sql.result.sqlstate, offset_of!(SqlRequest, sqlstate)),
        ] {
            let address = self.host_address(area.as_ref());
            self.store(address, request, offset);
        }
        let frame = self.frame;
        let outcome = self.slot_value(Slot::Sql, &[frame, request]);
        for (target, wanted) in [
            (sql.whenever.not_found, SqlOutcome::NotFound),
            (sql.whenever.error, SqlOutcome::Error),
            (sql.whenever.warning, SqlOutcome::Warning),
        ] {
            let Some(target) = target else { continue };
            let is_wanted = self.b.ins().icmp_imm_u(IntCC::Equal, outcome, wanted as i64);
            let (go, next) = (self.b.create_block(), self.b.create_block());
            self.branch(is_wanted, go, next);
            self.begin(go);
            self.go_to(target);
            self.begin(next);
        }
    }

    /// The address of a host variable; 0: there is none.
    fn host_address(&mut self, reference: Option<&Reference>) -> Value {
        match reference {
            Some(reference) => {
                let field = self.field(reference);
                self.address(field.at)
            }
            None => self.i64(0),
        }
    }
}
