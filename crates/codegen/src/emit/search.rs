//! SEARCH, SEARCH ALL, SORT of a table.

use super::field::Field;
use super::number::Number;
use super::*;
use cobol::program::{
    CompareKind, ItemId, Operand, Reference, Relation, RelationOperator, Search, SearchAll, SearchKey, SortTable, Subscript,
};
use cranelift_codegen::ir::condcodes::IntCC;
use le::table::SortKey;

/// Digits of an occurrence number within a table, and of the number behind its last: tables have less than 2 ** 27 occurrences.
const OCCURRENCE_DIGITS: u32 = 9;

/// The location of a table's keys, and the wanted value.
struct Probes {
    /// The key of the first occurrence.
    field: Field,
    /// The position of the key of an occurrence before the first, 32 bits.
    origin: Value,
    stride: u32,
    count: u32,
    wanted: Wanted,
}

/// The value SEARCH ALL looks for.
#[derive(Clone, Copy)]
enum Wanted {
    Number(Number),
    /// Unconverted digits: key and value have the same description.
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
        self.step_item(&Reference::plain(statement.index, Default::default()), 1, OCCURRENCE_DIGITS);
        if let Some(varying) = &statement.varying {
            self.step_item(varying, 1, OCCURRENCE_DIGITS + 1);
        }
        self.goto(head);
        self.begin(ended);
        self.statements(&statement.at_end);
        self.goto(next);
        self.begin(next);
    }

    /// Add a constant to an index or integer item; the sum has at most so many digits.
    fn step_item(&mut self, reference: &Reference, by: i64, digits: u32) {
        let place = self.place(reference);
        let value = self.load_place_integer(&place);
        let value = self.b.ins().iadd_imm_s(value, by);
        self.store_place(Number::Short { value, scale: 0, digits }, &place, 0);
    }

    fn set_item(&mut self, item: ItemId, value: Value) {
        let place = self.place(&Reference::plain(item, Default::default()));
        let value = self.b.ins().sextend(I64, value);
        self.store_place(Number::Short { value, scale: 0, digits: OCCURRENCE_DIGITS }, &place, 0);
    }

    pub fn search_all(&mut self, statement: &'a SearchAll) {
        if let Some(probes) = self.probes(statement) {
            return self.search_one_key(statement, &probes);
        }
        let (low, high) = (self.b.declare_var(I32), self.b.declare_var(I32));
        let one = self.i32(1);
        self.b.def_var(low, one);
        let count = self.occurrences(statement.table);
        self.b.def_var(high, count);
        let (head, found, ended, next) = (self.b.create_block(), self.b.create_block(), self.b.create_block(), self.b.create_block());
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
            let (is_equal, is_less) = self.probe_relation(key);
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

    /// The way to search by one numeric key, if only the index changes.
    fn probes(&mut self, statement: &SearchAll) -> Option<Probes> {
        let [key] = statement.keys.as_slice() else { return None };
        let program = self.program;
        let plain = match &key.value {
            Operand::Reference(reference) => reference.is_plain() && reference.item != statement.index,
            Operand::Literal(_) | Operand::Figurative(..) => true,
            _ => false,
        };
        if !(plain && key.kind == CompareKind::Numeric && key.key.modification.is_none()) {
            return None;
        }
        let item = program.item(key.key.item);
        let moves = |subscript: &Subscript| matches!(subscript, Subscript::Index { index, plus: 0 } if *index == statement.index);
        let others_fixed = key
            .key
            .subscripts
            .iter()
            .all(|subscript| moves(subscript) || matches!(subscript, Subscript::Literal(_) | Subscript::Index { .. }));
        let mut moving = (0..key.key.subscripts.len()).filter(|at| moves(&key.key.subscripts[*at]));
        let (at, None) = (moving.next()?, moving.next()) else { return None };
        let occurs = program.item(*item.dimensions.get(at)?).occurs.as_ref()?;
        if !(others_fixed && item.offset.is_fixed() && occurs.stride.is_fixed() && occurs.depending.is_none()) {
            return None;
        }
        let wanted = self.wanted(key);
        let mut first = key.key.clone();
        first.subscripts[at] = Subscript::Literal(1);
        let field = self.field(&first);
        let start = self.b.ins().ireduce(I32, field.at.base);
        let origin = self.b.ins().iadd_imm_s(start, field.at.offset as i64 - occurs.stride.fixed as i64);
        Some(Probes { field, origin, stride: occurs.stride.fixed, count: occurs.max, wanted })
    }

    /// Address of the key of an occurrence.
    fn key_address(&mut self, probes: &Probes, occurrence: Value) -> Value {
        let bytes = self.b.ins().imul_imm_s(occurrence, probes.stride as i64);
        let address = self.b.ins().iadd(probes.origin, bytes);
        self.b.ins().uextend(I64, address)
    }

    /// Binary search by one number. The next half is computed without a branch, because no processor could predict it, and both possible
    /// probes are known before the comparison. The index is set once, where the search ends.
    fn search_one_key(&mut self, statement: &'a SearchAll, probes: &Probes) {
        let [low, high, middle] = [1, probes.count, probes.count.div_ceil(2)].map(|value| {
            let variable = self.b.declare_var(I32);
            let value = self.i32(value as i64);
            self.b.def_var(variable, value);
            variable
        });
        let address = self.b.declare_var(I64);
        let first = self.b.use_var(middle);
        let first = self.key_address(probes, first);
        self.b.def_var(address, first);
        let [probe, differs, found, ended, found_set, ended_set, next] = [(); 7].map(|_| self.b.create_block());
        self.goto(probe);
        self.begin(probe);
        let [from, to, here] = [low, high, middle].map(|variable| self.b.use_var(variable));
        let at = super::field::At { base: self.b.use_var(address), offset: 0 };
        let (is_equal, is_less) = self.probe(probes, at);
        self.branch(is_equal, found, differs);
        self.begin(differs);
        let above = self.b.ins().iadd_imm_s(here, 1);
        let below = self.b.ins().iadd_imm_s(here, -1);
        let halves = [(above, to), (from, below)].map(|(from, to)| {
            let sum = self.b.ins().iadd(from, to);
            let middle = self.b.ins().ushr_imm_u(sum, 1);
            (from, to, middle, self.key_address(probes, middle))
        });
        // A smaller key in an ascending table means the upper half.
        let (less, greater) = if statement.keys[0].ascending { (halves[0], halves[1]) } else { (halves[1], halves[0]) };
        let chosen = [(less.0, greater.0), (less.1, greater.1), (less.2, greater.2), (less.3, greater.3)]
            .map(|(less, greater)| self.b.ins().select(is_less, less, greater));
        for (variable, value) in [low, high, middle, address].into_iter().zip(chosen) {
            self.b.def_var(variable, value);
        }
        let empty = self.b.ins().icmp(IntCC::SignedGreaterThan, chosen[0], chosen[1]);
        self.branch(empty, ended, probe);
        for (block, then) in [(found, found_set), (ended, ended_set)] {
            self.begin(block);
            self.set_item(statement.index, here);
            self.goto(then);
        }
        self.search_all_ends(statement, found_set, ended_set, next);
    }

    /// The value the key is compared with, loaded once.
    fn wanted(&mut self, key: &SearchKey) -> Wanted {
        let number = match &key.value {
            Operand::Reference(reference) => match (self.plain_digits(&key.key), self.plain_digits(reference)) {
                (Some(own), Some(other)) if own == other => match self.digit_bytes(reference) {
                    Some(digits) => return Wanted::Digits(digits),
                    None => self.operand_number(&key.value),
                },
                _ => self.operand_number(&key.value),
            },
            value => self.operand_number(value),
        };
        Wanted::Number(number)
    }

    /// Length and scale of an unsigned zoned item of at most eight digits.
    fn plain_digits(&self, reference: &Reference) -> Option<(u32, i8)> {
        let attributes = self.layout().descriptor(reference.item);
        let plain = super::decimal::is_inline_zoned(&attributes)
            && !attributes.is_signed()
            && attributes.length <= 8
            && reference.modification.is_none();
        plain.then_some((attributes.length, attributes.scale))
    }

    /// The digits of such an item, checked, in the order in which they compare.
    fn digit_bytes(&mut self, reference: &Reference) -> Option<Value> {
        if let Some(index) = self.resident_of(reference) {
            let value = self.resident_value(index);
            let digits = self.eight_bytes(value);
            return Some(self.b.ins().bswap(digits));
        }
        let field = self.field(reference);
        self.zoned_digits(field.at, &field.attributes)
    }

    /// Whether the key at an address is equal to the wanted value, and whether it is less.
    fn probe(&mut self, probes: &Probes, at: super::field::At) -> (Value, Value) {
        let field = Field { at, extent: None, ..probes.field };
        match probes.wanted {
            Wanted::Digits(wanted) => {
                let found = self.zoned_digits(at, &field.attributes).expect("the key has plain digits");
                let equal = self.b.ins().icmp(IntCC::Equal, found, wanted);
                (equal, self.b.ins().icmp(IntCC::UnsignedLessThan, found, wanted))
            }
            Wanted::Number(wanted) => {
                let found = self.load_number(&field);
                let equal = self.compare_numbers(found, wanted, RelationOperator::Equal);
                (equal, self.compare_numbers(found, wanted, RelationOperator::Less))
            }
        }
    }

    /// The same by the conditions as written.
    fn probe_relation(&mut self, key: &SearchKey) -> (Value, Value) {
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
        // The scratch area has room for the longest table, whatever the object of DEPENDING ON is.
        let (none, longest) = (self.i32(0), self.i32(most as i64));
        let count = self.b.ins().smin(count, longest);
        let count = self.b.ins().smax(count, none);
        let room = self.layout_mut().take_working(length * most);
        let scratch = self.b.ins().iadd_imm_s(self.working, room as i64);
        let (element, key_count) = (self.i32(length as i64), self.i32(statement.keys.len() as i64));
        let session = self.session_with(statement.collation);
        self.slot(Slot::SortTable, &[session, base, element, count, keys, key_count, scratch]);
    }
}
