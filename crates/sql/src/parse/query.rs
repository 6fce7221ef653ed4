//! Queries: WITH, fullselects, subselects and the clauses of a select-statement.

use super::Parser;
use crate::ast::{
    Body, CommonTable, Expression, ExpressionKind, Grouping, KeepLocks, Name, Query, Select, SelectClauses, SelectItem, SetKind,
    SetOperator,
};
use crate::lexer::{Literal, TokenKind};
use crate::problem::Problem;
use crate::reference::Role;
use crate::statement::Isolation;

impl Parser<'_> {
    /// A fullselect in parentheses.
    pub fn subquery(&mut self) -> Result<Query, Problem> {
        let into_allowed = std::mem::replace(&mut self.into_allowed, false);
        let query = self.nested(|parser| {
            parser.expect_symbol("(")?;
            let query = parser.query()?;
            parser.expect_symbol(")")?;
            Ok(query)
        })?;
        self.into_allowed = into_allowed;
        Ok(query)
    }

    /// A select-statement: WITH, fullselect, ORDER BY, FETCH FIRST and the clauses behind.
    pub fn query(&mut self) -> Result<Query, Problem> {
        let offset = self.offset();
        let with = if self.at_word("WITH") { self.common_tables()? } else { Vec::new() };
        let body = self.nested(Self::body)?;
        self.query_tail(Query { offset, with, body, order: Vec::new(), offset_rows: None, fetch: None, clauses: SelectClauses::default() })
    }

    /// `first` was in parentheses; set operators and clauses may follow.
    pub(super) fn continued_query(&mut self, first: Query) -> Result<Query, Problem> {
        let goes_on = ["UNION", "EXCEPT", "INTERSECT", "ORDER", "FETCH", "LIMIT", "OFFSET"].iter().any(|word| self.at_word(word));
        if !goes_on {
            return Ok(first);
        }
        let offset = first.offset;
        let body = self.set_operators(Body::Nested(Box::new(first)))?;
        let clauses = SelectClauses::default();
        self.query_tail(Query { offset, with: Vec::new(), body, order: Vec::new(), offset_rows: None, fetch: None, clauses })
    }

    fn query_tail(&mut self, mut query: Query) -> Result<Query, Problem> {
        if self.at_words(&["ORDER", "BY"]) {
            query.order = self.order_by()?;
        }
        while self.row_limits(&mut query)? || self.select_clause(&mut query.clauses)? {}
        Ok(query)
    }

    fn common_tables(&mut self) -> Result<Vec<CommonTable>, Problem> {
        self.expect("WITH")?;
        self.list(|parser| {
            let name = parser.simple_name()?;
            let columns = parser.column_list()?;
            parser.expect("AS")?;
            let query = parser.subquery()?;
            Ok(CommonTable { name, columns, query })
        })
    }

    /// (a, b, c), if a parenthesis is next.
    pub fn column_list(&mut self) -> Result<Vec<Name>, Problem> {
        if self.at_symbol("(") { self.parenthesized(Self::simple_name) } else { Ok(Vec::new()) }
    }

    /// OFFSET n ROWS, FETCH FIRST n ROWS ONLY, LIMIT n [OFFSET m], LIMIT m, n.
    fn row_limits(&mut self, query: &mut Query) -> Result<bool, Problem> {
        let offset = self.offset();
        if self.take("OFFSET") {
            query.offset_rows = Some(Box::new(self.additive()?));
            self.take_one(&["ROWS", "ROW"]);
        } else if self.at_word("FETCH") && (self.ahead(1).is_word("FIRST") || self.ahead(1).is_word("NEXT")) {
            query.fetch = Some(Box::new(self.fetch_first()?));
        } else if self.take("LIMIT") {
            let first = self.additive()?;
            if self.take_symbol(",") {
                query.offset_rows = Some(Box::new(first));
                query.fetch = Some(Box::new(self.additive()?));
            } else {
                query.fetch = Some(Box::new(first));
            }
        } else {
            return Ok(false);
        }
        debug_assert!(self.offset() > offset || self.at_end());
        Ok(true)
    }

    /// FETCH FIRST [n] ROWS ONLY: n, or 1.
    pub(super) fn fetch_first(&mut self) -> Result<Expression, Problem> {
        let offset = self.offset();
        self.next();
        self.next();
        let one = Expression { offset, kind: ExpressionKind::Literal(Literal::Integer("1".to_string())) };
        let rows = if self.at_word("ROW") || self.at_word("ROWS") { one } else { self.additive()? };
        if self.take_one(&["ROWS", "ROW"]).is_none() {
            return Err(self.unexpected("ROW ROWS"));
        }
        self.expect("ONLY")?;
        Ok(rows)
    }

    fn select_clause(&mut self, clauses: &mut SelectClauses) -> Result<bool, Problem> {
        if self.at_word("FOR") {
            return self.for_clause(clauses);
        }
        if self.take("OPTIMIZE") {
            self.expect("FOR")?;
            self.unsigned()?;
            if self.take_one(&["ROWS", "ROW"]).is_none() {
                return Err(self.unexpected("ROW ROWS"));
            }
            return Ok(true);
        }
        if self.at_word("WITH") && self.isolation_ahead().is_some() {
            clauses.isolation = Some(self.isolation()?);
            clauses.keep_locks = self.keep_locks()?;
            return Ok(true);
        }
        if self.take_words(&["SKIP", "LOCKED", "DATA"]) {
            clauses.skip_locked = true;
            return Ok(true);
        }
        self.query_number()
    }

    /// QUERYNO n.
    pub(super) fn query_number(&mut self) -> Result<bool, Problem> {
        if !self.take("QUERYNO") {
            return Ok(false);
        }
        self.unsigned()?;
        Ok(true)
    }

    /// FOR UPDATE [OF columns], FOR READ ONLY, FOR FETCH ONLY. FOR n ROWS and FOR ROW n belong to other statements.
    fn for_clause(&mut self, clauses: &mut SelectClauses) -> Result<bool, Problem> {
        if self.take_words(&["FOR", "UPDATE"]) {
            clauses.for_update = true;
            if self.take("OF") {
                clauses.update_columns = self.list(Self::name)?;
            }
            return Ok(true);
        }
        let read_only = self.take_words(&["FOR", "READ", "ONLY"]) || self.take_words(&["FOR", "FETCH", "ONLY"]);
        clauses.read_only |= read_only;
        Ok(read_only)
    }

    fn isolation_ahead(&self) -> Option<Isolation> {
        Some(match self.ahead(1).word()? {
            "UR" => Isolation::Ur,
            "CS" => Isolation::Cs,
            "RS" => Isolation::Rs,
            "RR" => Isolation::Rr,
            _ => return None,
        })
    }

    /// WITH UR, CS, RS or RR.
    pub(super) fn isolation(&mut self) -> Result<Isolation, Problem> {
        let Some(isolation) = self.isolation_ahead() else {
            self.expect("WITH")?;
            return Err(self.unexpected("UR CS RS RR"));
        };
        self.expect("WITH")?;
        self.next();
        Ok(isolation)
    }

    /// WITH isolation, if WITH is next.
    pub(super) fn optional_isolation(&mut self) -> Result<Option<Isolation>, Problem> {
        if self.at_word("WITH") { Ok(Some(self.isolation()?)) } else { Ok(None) }
    }

    fn keep_locks(&mut self) -> Result<Option<KeepLocks>, Problem> {
        if !self.take_words(&["USE", "AND", "KEEP"]) {
            return Ok(None);
        }
        let locks = match self.take_one(&["EXCLUSIVE", "UPDATE", "SHARE"]) {
            Some("EXCLUSIVE") => KeepLocks::Exclusive,
            Some("UPDATE") => KeepLocks::Update,
            Some(_) => KeepLocks::Share,
            None => return Err(self.unexpected("EXCLUSIVE UPDATE SHARE")),
        };
        self.expect("LOCKS")?;
        Ok(Some(locks))
    }

    /// A fullselect without ORDER BY.
    fn body(&mut self) -> Result<Body, Problem> {
        let first = self.body_operand()?;
        self.set_operators(first)
    }

    /// UNION and EXCEPT from left to right; INTERSECT binds more tightly.
    fn set_operators(&mut self, first: Body) -> Result<Body, Problem> {
        let mut first = self.intersections(first)?;
        let mut rest = Vec::new();
        while let Some(kind) = self.set_kind(&[("UNION", SetKind::Union), ("EXCEPT", SetKind::Except)]) {
            let operator = self.set_quantifier(kind);
            let operand = self.body_operand()?;
            rest.push((operator, self.intersections(operand)?));
        }
        if !rest.is_empty() {
            first = Body::Set { first: Box::new(first), rest };
        }
        Ok(first)
    }

    fn intersections(&mut self, first: Body) -> Result<Body, Problem> {
        let mut rest = Vec::new();
        while let Some(kind) = self.set_kind(&[("INTERSECT", SetKind::Intersect)]) {
            let operator = self.set_quantifier(kind);
            rest.push((operator, self.body_operand()?));
        }
        Ok(if rest.is_empty() { first } else { Body::Set { first: Box::new(first), rest } })
    }

    fn set_kind(&mut self, kinds: &[(&'static str, SetKind)]) -> Option<SetKind> {
        let (word, kind) = kinds.iter().find(|(word, _)| self.at_word(word))?;
        self.take(word);
        Some(*kind)
    }

    fn set_quantifier(&mut self, kind: SetKind) -> SetOperator {
        let all = self.take("ALL");
        if !all {
            self.take("DISTINCT");
        }
        SetOperator { kind, all }
    }

    fn body_operand(&mut self) -> Result<Body, Problem> {
        if self.at_symbol("(") {
            return Ok(Body::Nested(Box::new(self.subquery()?)));
        }
        if self.take("VALUES") {
            return Ok(Body::Values(self.list(Self::value)?));
        }
        Ok(Body::Select(Box::new(self.subselect()?)))
    }

    fn subselect(&mut self) -> Result<Select, Problem> {
        let offset = self.offset();
        self.expect("SELECT")?;
        let distinct = self.take("DISTINCT");
        if !distinct {
            self.take("ALL");
        }
        let items = self.list(Self::select_item)?;
        let into = if self.into_allowed && self.take("INTO") { self.targets()? } else { Vec::new() };
        let from = if self.take("FROM") { self.list(Self::table_reference)? } else { Vec::new() };
        if from.is_empty() {
            return Err(self.unexpected("FROM"));
        }
        let condition = if self.take("WHERE") { Some(self.condition()?) } else { None };
        let group = if self.take_words(&["GROUP", "BY"]) { self.list(Self::grouping)? } else { Vec::new() };
        let having = if self.take("HAVING") { Some(self.condition()?) } else { None };
        Ok(Select { offset, distinct, items, into, from, condition, group, having })
    }

    /// Host variables that receive values.
    pub(super) fn targets(&mut self) -> Result<Vec<usize>, Problem> {
        self.list(|parser| parser.host_or_structure(Role::Out))
    }

    fn select_item(&mut self) -> Result<SelectItem, Problem> {
        if self.take_symbol("*") {
            return Ok(SelectItem::All);
        }
        if self.at_all_of() {
            let name = self.name()?;
            self.expect_symbol(".")?;
            self.expect_symbol("*")?;
            return Ok(SelectItem::AllOf(name));
        }
        let value = self.nested(Self::additive)?;
        let value = if value.kind.is_condition() { return Err(self.unexpected("<EXPRESSION>")) } else { value };
        let named = self.take("AS");
        let name = if named || self.at_alias() { Some(self.simple_name()?) } else { None };
        Ok(SelectItem::Value { value, name })
    }

    /// `t.*`, `s.t.*`
    fn at_all_of(&self) -> bool {
        let mut ahead = 0;
        while matches!(self.ahead(ahead).kind, TokenKind::Word(_) | TokenKind::Delimited(_)) && self.ahead(ahead + 1).is_symbol(".") {
            if self.ahead(ahead + 2).is_symbol("*") {
                return true;
            }
            ahead += 2;
            if ahead > 6 {
                return false;
            }
        }
        false
    }

    fn grouping(&mut self) -> Result<Grouping, Problem> {
        let keyword = match self.token().word() {
            Some("ROLLUP") if self.ahead(1).is_symbol("(") => "ROLLUP",
            Some("CUBE") if self.ahead(1).is_symbol("(") => "CUBE",
            Some("GROUPING") if self.ahead(1).is_word("SETS") => "GROUPING SETS",
            _ => return self.grouping_value(),
        };
        self.next();
        self.take("SETS");
        let sets = self.nested(|parser| parser.parenthesized(Self::grouping))?;
        Ok(Grouping::Sets { keyword, sets })
    }

    fn grouping_value(&mut self) -> Result<Grouping, Problem> {
        if self.at_symbol("(") && self.ahead(1).is_symbol(")") {
            self.next();
            self.next();
            return Ok(Grouping::List(Vec::new()));
        }
        let value = self.value()?;
        Ok(match value.kind {
            ExpressionKind::Row(list) => Grouping::List(list),
            _ => Grouping::Value(value),
        })
    }
}
