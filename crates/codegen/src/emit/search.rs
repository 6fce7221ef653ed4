//! SEARCH, SEARCH ALL, SORT of a table.

use super::number::Number;
use super::*;
use cobol::program::{
    CompareKind, ItemId, Operand, Reference, Relation, RelationOperator, Search, SearchAll, SearchKey, SortTable,
};
use cranelift_codegen::ir::condcodes::IntCC;
use le::table::SortKey;

/// The value SEARCH ALL looks for.
#[derive(Clone, Copy)]
enum Wanted {
    Number(Number),
    /// Digits as they are: key and value are described alike.
    Digits(Value),
}

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
        let place = self.place(reference);
        let value = self.load_place_integer(&place);
        let value = self.b.ins().iadd_imm_s(value, by);
        self.store_place(Number::Short { value, scale: 0, digits: 10 }, &place, 0);
    }

    fn set_item(&mut self, item: ItemId, value: Value) {
        let place = self.place(&Reference::plain(item, Default::default()));
        let value = self.b.ins().sextend(I64, value);
        self.store_place(Number::Short { value, scale: 0, digits: 10 }, &place, 0);
    }

    pub fn search_all(&mut self, statement: &'a SearchAll) {
        let wanted = self.wanted_number(statement);
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
        if let [key] = statement.keys.as_slice() {
            // One key: which half follows is computed, as no processor could guess it.
            let (is_equal, is_less) = self.probe(key, wanted);
            let differs = self.b.create_block();
            self.branch(is_equal, found, differs);
            self.begin(differs);
            let above = self.b.ins().iadd_imm_s(middle, 1);
            let below = self.b.ins().iadd_imm_s(middle, -1);
            let (upper, lower) = if key.ascending { ((above, to), (from, below)) } else { ((from, below), (above, to)) };
            let next_low = self.b.ins().select(is_less, upper.0, lower.0);
            let next_high = self.b.ins().select(is_less, upper.1, lower.1);
            self.b.def_var(low, next_low);
            self.b.def_var(high, next_high);
            self.goto(head);
            return self.search_all_ends(statement, found, ended, next);
        }
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
        self.search_all_ends(statement, found, ended, next);
    }

    /// What a single key is compared with, loaded once when nothing can change it.
    fn wanted_number(&mut self, statement: &SearchAll) -> Option<Wanted> {
        let [key] = statement.keys.as_slice() else { return None };
        let table = self.program.item(statement.table);
        let fixed = table.occurs.as_ref().is_some_and(|occurs| occurs.depending.is_none());
        let plain = match &key.value {
            Operand::Reference(reference) => reference.is_plain() && reference.item != statement.index,
            Operand::Literal(_) | Operand::Figurative(..) => true,
            _ => false,
        };
        if !(fixed && plain && key.kind == CompareKind::Numeric) {
            return None;
        }
        if let Operand::Reference(reference) = &key.value
            && let (Some(own), Some(other)) = (self.plain_digits(&key.key), self.plain_digits(reference))
            && own == other
        {
            return self.digit_bytes(reference).map(Wanted::Digits);
        }
        Some(Wanted::Number(self.operand_number(&key.value)))
    }

    /// Length and scale of an unsigned zoned item of at most eight digits.
    fn plain_digits(&self, reference: &Reference) -> Option<(u32, i8)> {
        let attributes = self.layout().descriptor(reference.item);
        let plain = super::decimal::is_inline_zoned(&attributes)
            && !attributes.is_signed()
            && attributes.length <= 8
            && reference.modification.is_none()
            && self.resident_of(reference).is_none();
        plain.then_some((attributes.length, attributes.scale))
    }

    /// The digits of such an item, checked, in the order in which they compare.
    fn digit_bytes(&mut self, reference: &Reference) -> Option<Value> {
        let field = self.field(reference);
        self.zoned_digits(field.at, &field.attributes)
    }

    /// Whether a single key is equal to the wanted value, and whether it is less.
    fn probe(&mut self, key: &SearchKey, wanted: Option<Wanted>) -> (Value, Value) {
        if let Some(Wanted::Digits(wanted)) = wanted
            && let Some(found) = self.digit_bytes(&key.key)
        {
            let equal = self.b.ins().icmp(IntCC::Equal, found, wanted);
            return (equal, self.b.ins().icmp(IntCC::UnsignedLessThan, found, wanted));
        }
        if let Some(Wanted::Number(wanted)) = wanted {
            let place = self.place(&key.key);
            let found = self.load_place(&place);
            let equal = self.compare_numbers(found, wanted, RelationOperator::Equal);
            return (equal, self.compare_numbers(found, wanted, RelationOperator::Less));
        }
        let mut relation = Relation {
            left: Operand::Reference(key.key.clone()),
            operator: RelationOperator::Equal,
            right: key.value.clone(),
            kind: key.kind,
            span: key.key.span,
        };
        let equal = self.relation(&relation);
        relation.operator = RelationOperator::Less;
        (equal, self.relation(&relation))
    }

    fn search_all_ends(&mut self, statement: &'a SearchAll, found: Block, ended: Block, next: Block) {
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

    /// The session, with another collating sequence than the program's when the statement has one.
    fn session_with(&mut self, collation: Option<u32>) -> Value {
        if collation == self.program.special_names.collation {
            return self.session;
        }
        let size = std::mem::size_of::<le::Session>();
        let copy = self.temporary_address(size as u32);
        for offset in (0..size).step_by(8) {
            let word = self.b.ins().load(I64, NOTRAP, self.session, offset as i32);
            self.store(word, copy, offset);
        }
        let table = self.collating(collation);
        self.store(table, copy, offset_of!(le::Session, collating));
        copy
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
        let session = self.session_with(statement.collation);
        self.slot(Slot::SortTable, &[session, base, element, count, keys, key_count, scratch]);
    }
}
