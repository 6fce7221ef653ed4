//! SEARCH and SEARCH ALL.

use super::Parser;
use super::cursor::Parsed;
use crate::program::*;

impl Parser<'_> {
    pub fn search_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let all = self.accept("ALL");
        let optional = std::mem::replace(&mut self.subscripts_optional, true);
        let table = self.reference();
        self.subscripts_optional = optional;
        let table = table?;
        if !table.subscripts.is_empty() || table.modification.is_some() {
            self.report.severe(table.span, format!("SEARCH {}: the table is named without subscripts", self.item(table.item).name));
        }
        let item = self.item(table.item);
        let indexes = match &item.occurs {
            Some(occurs) if !occurs.indexes.is_empty() => occurs.indexes.clone(),
            _ => {
                let message = format!("SEARCH {}: it must have OCCURS with INDEXED BY", item.name);
                self.report.severe(table.span, message);
                return self.search_nothing();
            }
        };
        if all { self.search_all(table, indexes[0]) } else { self.search_serial(table, &indexes) }
    }

    /// Parses the rest of a SEARCH whose table cannot be searched, for the messages about it.
    fn search_nothing(&mut self) -> Parsed<StatementKind> {
        if self.accept("VARYING") {
            self.reference()?;
        }
        self.at_end_phrase();
        while self.accept("WHEN") {
            self.condition_or_skip();
            self.statements();
        }
        self.end_scope("END-SEARCH");
        Ok(StatementKind::Continue)
    }

    fn search_serial(&mut self, table: Reference, indexes: &[ItemId]) -> Parsed<StatementKind> {
        let mut index = indexes[0];
        let mut varying = None;
        if self.accept("VARYING") {
            let reference = self.reference()?;
            if indexes.contains(&reference.item) {
                index = reference.item;
            } else {
                let item = self.item(reference.item);
                if item.category != Category::Index && !(item.category == Category::Numeric && item.scale <= 0) {
                    let message = format!("VARYING {}: it must be an index or an integer item", item.name);
                    self.report.severe(reference.span, message);
                }
                varying = Some(reference);
            }
        }
        let at_end = self.at_end_phrase();
        let mut branches = Vec::new();
        while self.is_word("WHEN") {
            let span = self.span();
            self.advance();
            let condition = self.condition_or_skip();
            let statements = self.branch_statements();
            branches.push(Branch { condition, statements, span });
        }
        if branches.is_empty() {
            return self.fail("WHEN");
        }
        self.end_scope("END-SEARCH");
        Ok(StatementKind::Search(Box::new(Search { index, varying, table: table.item, at_end, branches })))
    }

    fn at_end_phrase(&mut self) -> Statements {
        if self.accept_pair("AT", "END") || self.accept("END") { self.statements() } else { Vec::new() }
    }

    fn search_all(&mut self, table: Reference, index: ItemId) -> Parsed<StatementKind> {
        let at_end = self.at_end_phrase();
        let span = self.span();
        self.expect("WHEN")?;
        let condition = self.condition();
        let keys = match condition {
            Ok(condition) => self.search_keys(condition, table.item, span),
            Err(failed) => {
                self.skip_statement();
                Err(failed)
            }
        };
        let when = self.branch_statements();
        self.end_scope("END-SEARCH");
        let keys = keys?;
        Ok(StatementKind::SearchAll(Box::new(SearchAll { index, table: table.item, keys, at_end, when })))
    }

    /// The WHEN of SEARCH ALL: equalities of keys with values, joined by AND, as the table's KEY clause orders them.
    fn search_keys(&mut self, condition: Condition, table: ItemId, span: Span) -> Parsed<Vec<SearchKey>> {
        let mut relations = Vec::new();
        flatten(condition, &mut relations);
        let keys = self.item(table).occurs.as_ref().map(|occurs| occurs.keys.clone()).unwrap_or_default();
        if keys.is_empty() {
            let message = format!("SEARCH ALL {}: the table has no KEY", self.item(table).name);
            return self.fail_at(span, message);
        }
        let mut found: Vec<Option<SearchKey>> = keys.iter().map(|_| None).collect();
        for relation in relations {
            let Some(relation) = relation else {
                return self.fail_at(span, "the WHEN of SEARCH ALL consists of equalities joined by AND");
            };
            if relation.operator != RelationOperator::Equal {
                return self.fail_at(relation.span, "the WHEN of SEARCH ALL tests for equality only");
            }
            let key_of = |operand: &Operand| match operand {
                Operand::Reference(reference) => keys.iter().position(|key| key.item == reference.item),
                _ => None,
            };
            let (position, key, value) = match (key_of(&relation.left), key_of(&relation.right)) {
                (Some(position), _) => (position, relation.left, relation.right),
                (None, Some(position)) => (position, relation.right, relation.left),
                (None, None) => return self.fail_at(relation.span, "neither operand is a key of the table"),
            };
            let Operand::Reference(key) = key else { continue };
            found[position] = Some(SearchKey { key, value, kind: relation.kind, ascending: keys[position].ascending });
        }
        let used = found.iter().filter(|key| key.is_some()).count();
        if found.iter().take(used).any(Option::is_none) {
            self.report.severe(span, "SEARCH ALL tests a key without all the keys before it");
        }
        Ok(found.into_iter().flatten().collect())
    }
}

/// The relations of a conjunction; `None` for anything else.
fn flatten(condition: Condition, relations: &mut Vec<Option<Relation>>) {
    match condition {
        Condition::And(terms) => {
            for term in terms {
                flatten(term, relations);
            }
        }
        Condition::Relation(relation) => relations.push(Some(*relation)),
        _ => relations.push(None),
    }
}
