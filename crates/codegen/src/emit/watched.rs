//! TEST: the program tells what it reaches while it is watched.
//!
//! Before each statement, around each performed range and at its entries, a program compiled with TEST looks at a word of its run unit, and
//! calls the run time if that word is not zero: a load and a branch while nobody watches. The address of the word is loaded once in each
//! function.

use super::*;
use cobol::program::{Program, Span, Statement, StatementKind};
use program::requests::service;

/// The word that the program looks at; `None`: it was not compiled with TEST.
pub(super) fn watch_word(program: &Program, b: &mut FunctionBuilder, context: Value) -> Option<Value> {
    program.options.test.then(|| {
        let unit = b.ins().load(I64, FIXED, context, offset_of!(TaskContext, unit) as i32);
        b.ins().load(I64, FIXED, unit, offset_of!(UnitHeader, watch) as i32)
    })
}

/// Whether a statement tells that it is reached. `within`: the place of the statement of the source that this one is a part of.
pub fn is_told(statement: &Statement, within: Option<Span>) -> bool {
    let Span { file, line, column, .. } = statement.span;
    let is_part = within.is_some_and(|whole| (whole.file, whole.line, whole.column) == (file, line, column));
    line != 0 && !is_part && !matches!(statement.kind, StatementKind::SentenceEnd(_))
}

impl Emitter<'_, '_> {
    /// The statement comes next.
    pub fn tell_statement(&mut self, statement: &Statement) {
        if !self.in_part && is_told(statement, self.whole) {
            self.tell(service::STATEMENT, statement.number);
        }
    }

    /// The present statement performs a range.
    pub fn tell_performing(&mut self) {
        self.tell(service::PERFORMING, self.current.0);
    }

    /// The statement of this number has performed a range.
    pub fn tell_performed(&mut self, number: u32) {
        self.tell(service::PERFORMED, number);
    }

    /// The program has been entered.
    pub fn tell_entered(&mut self) {
        self.tell(service::ENTERED, 0);
    }

    fn tell(&mut self, milestone: u32, statement: u32) {
        let Some(watch) = self.watch else { return };
        // Another thread changes the word at any time.
        let word = self.b.ins().load(I32, NOTRAP, watch, 0);
        let (watched, next) = (self.cold_block(), self.b.create_block());
        self.branch(word, watched, next);
        self.begin(watched);
        let mark = self.temporaries_used();
        let words = self.temporary_address(8);
        let number = self.i64(i64::from(self.statement_base + statement));
        self.store(number, words, 0);
        self.service(milestone, words, 1);
        self.free_temporaries(mark);
        self.goto(next);
        self.begin(next);
    }
}
