//! SEARCH, SEARCH ALL, SORT of a table.

use super::number::Number;
use super::*;
use cobol::program::{ItemId, Reference, Relation, RelationOperator, Search, SearchAll, SortTable};
use cranelift_codegen::ir::condcodes::IntCC;
use le::table::SortKey;

impl<'a> Emitter<'_, 'a> {
    pub fn search(&mut self, statement: &'a Search) {
        let (head, ended, next) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.goto(head);
        self.begin(head);
        let index = self.item_integer(statement.index);
        let count = self.occurrences(statement.table);
        let count = self.b.ins().uextend(I64, count);
        let beyond = self.b.ins().icmp(IntCC::SignedGreaterThan, index, count);
        let run = self.b.create_block();
        self.branch(beyond, ended, run);
        self.begin(run);
        for branch in &statement.branches {
            let (taken, other) = (self.b.create_block(), self.b.create_block());
            self.condition(&branch.condition, taken, other);
            self.begin(taken);
            self.statements(&branch.statements);
            self.goto(next);
            self.begin(other);
        }
        self.step_item(&Reference::plain(statement.index, Default::default()), 1);
        if let Some(varying) = &statement.varying {
            self.step_item(varying, 1);
        }
        self.goto(head);
        self.begin(ended);
        self.statements(&statement.at_end);
        self.goto(next);
        self.begin(next);
    }

    /// Add a constant to an index or integer item.
    pub fn step_item(&mut self, reference: &Reference, by: i64) {
        let field = self.field(reference);
        let value = self.load_integer(&field);
        let value = self.b.ins().iadd_imm_s(value, by);
        self.store_number(Number::Short { value, scale: 0, digits: 10 }, &field, 0);
    }

    fn set_item(&mut self, item: ItemId, value: Value) {
        let field = self.item_field(item);
        let value = self.b.ins().sextend(I64, value);
        self.store_number(Number::Short { value, scale: 0, digits: 10 }, &field, 0);
    }

    pub fn search_all(&mut self, statement: &'a SearchAll) {
        let (low, high) = (self.b.declare_var(I32), self.b.declare_var(I32));
        let one = self.i32(1);
        self.b.def_var(low, one);
        let count = self.occurrences(statement.table);
        self.b.def_var(high, count);
        let (head, found, ended, next) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.goto(head);
        self.begin(head);
        let (from, to) = (self.b.use_var(low), self.b.use_var(high));
        let empty = self.b.ins().icmp(IntCC::SignedGreaterThan, from, to);
        let probe = self.b.create_block();
        self.branch(empty, ended, probe);
        self.begin(probe);
        let sum = self.b.ins().iadd(from, to);
        let middle = self.b.ins().ushr_imm_u(sum, 1);
        self.set_item(statement.index, middle);
        let (upper, lower) = (self.b.create_block(), self.b.create_block());
        for key in &statement.keys {
            let (equal, differs) = (self.b.create_block(), self.b.create_block());
            let mut relation = Relation {
                left: cobol::program::Operand::Reference(key.key.clone()),
                operator: RelationOperator::Equal,
                right: key.value.clone(),
                kind: key.kind,
                span: key.key.span,
            };
            let is_equal = self.relation(&relation);
            self.branch(is_equal, equal, differs);
            self.begin(differs);
            relation.operator = RelationOperator::Less;
            let is_less = self.relation(&relation);
            // A smaller key in an ascending table means the upper half.
            let (less, greater) = if key.ascending { (upper, lower) } else { (lower, upper) };
            self.branch(is_less, less, greater);
            self.begin(equal);
        }
        self.goto(found);
        self.begin(upper);
        let above = self.b.ins().iadd_imm_s(middle, 1);
        self.b.def_var(low, above);
        self.goto(head);
        self.begin(lower);
        let below = self.b.ins().iadd_imm_s(middle, -1);
        self.b.def_var(high, below);
        self.goto(head);
        self.begin(found);
        self.statements(&statement.when);
        self.goto(next);
        self.begin(ended);
        self.statements(&statement.at_end);
        self.goto(next);
        self.begin(next);
    }

    /// Keys for the run time's comparison, on the stack.
    pub fn sort_keys(&mut self, keys: &[cobol::program::SortKey], origin: u32) -> Value {
        let size = std::mem::size_of::<SortKey>();
        let list = self.temporary_address((size * keys.len().max(1)) as u32);
        for (number, key) in keys.iter().enumerate() {
            let attributes = self.layout().descriptor(key.item);
            let offset = self.program.item(key.item).offset.fixed.wrapping_sub(origin);
            let at = size * number;
            let (offset, descending) = (self.i32(offset as i64), self.i32(!key.ascending as i64));
            let attributes = self.constant_attributes(&attributes);
            self.store(offset, list, at + offset_of!(SortKey, offset));
            self.store(descending, list, at + offset_of!(SortKey, descending));
            self.store(attributes, list, at + offset_of!(SortKey, attributes));
        }
        list
    }

    pub fn sort_table(&mut self, statement: &SortTable) {
        let program = self.program;
        let item = program.item(statement.table.item);
        let field = self.field(&statement.table);
        let base = self.field_address(&field);
        let keys = self.sort_keys(&statement.keys, item.offset.fixed);
        let count = self.occurrences(statement.table.item);
        let length = item.occurs.as_ref().map_or(item.length_max, |occurs| occurs.stride.fixed);
        let most = item.occurs.as_ref().map_or(1, |occurs| occurs.max);
        let room = self.layout_mut().take_working(length * most);
        let scratch = self.b.ins().iadd_imm_s(self.working, room as i64);
        let (element, key_count) = (self.i32(length as i64), self.i32(statement.keys.len() as i64));
        let session = self.session;
        self.slot(Slot::SortTable, &[session, base, element, count, keys, key_count, scratch]);
    }
}
