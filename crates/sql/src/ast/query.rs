//! Queries: fullselects, subselects, and the tables they read.

use super::{Expression, Name, Statement};
use crate::statement::{Isolation, Number};

/// WITH ..., a fullselect, ORDER BY, and the clauses of a select-statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    pub offset: usize,
    pub with: Vec<CommonTable>,
    pub body: Body,
    pub order: Vec<SortKey>,
    pub offset_rows: Option<Box<Expression>>,
    pub fetch: Option<Box<Expression>>,
    /// FETCH FIRST ROW ONLY and FETCH FIRST n ROWS ONLY are present; a body in parentheses is a body of its own.
    pub clauses: SelectClauses,
}

/// What stands behind the fullselect of a select-statement.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SelectClauses {
    pub for_update: bool,
    pub update_columns: Vec<Name>,
    pub read_only: bool,
    pub isolation: Option<Isolation>,
    /// USE AND KEEP EXCLUSIVE, UPDATE or SHARE LOCKS.
    pub keep_locks: Option<KeepLocks>,
    pub skip_locked: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeepLocks {
    Exclusive,
    Update,
    Share,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommonTable {
    pub name: Name,
    pub columns: Vec<Name>,
    pub query: Query,
}

/// A fullselect without its ORDER BY.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Body {
    Select(Box<Select>),
    /// VALUES rows.
    Values(Vec<Expression>),
    /// A fullselect in parentheses.
    Nested(Box<Query>),
    /// Set operators from left to right; INTERSECT binds its operands in a list of its own.
    Set {
        first: Box<Body>,
        rest: Vec<(SetOperator, Body)>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetOperator {
    pub kind: SetKind,
    pub all: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetKind {
    Union,
    Except,
    Intersect,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Select {
    pub offset: usize,
    pub distinct: bool,
    pub items: Vec<SelectItem>,
    /// INTO: targets of SELECT INTO.
    pub into: Vec<Target>,
    pub from: Vec<Table>,
    pub condition: Option<Expression>,
    pub group: Vec<Grouping>,
    pub having: Option<Expression>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SelectItem {
    /// `*`
    All,
    /// `t.*`
    AllOf(Name),
    Value {
        value: Expression,
        name: Option<Name>,
    },
}

/// Index of a host reference that receives a value.
pub type Target = usize;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Grouping {
    Value(Expression),
    /// ROLLUP, CUBE or GROUPING SETS.
    Sets {
        keyword: &'static str,
        sets: Vec<Grouping>,
    },
    /// (a, b); () is the grand total.
    List(Vec<Expression>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortKey {
    pub value: Expression,
    pub descending: bool,
    pub nulls_first: Option<bool>,
}

/// A table reference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    pub offset: usize,
    pub kind: TableKind,
    pub alias: Option<Name>,
    pub columns: Vec<Name>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableKind {
    Named(Name),
    /// (fullselect), or TABLE(fullselect), which may refer to tables left of it.
    Derived {
        query: Box<Query>,
        lateral: bool,
    },
    /// TABLE(function(...)).
    Function {
        name: Name,
        arguments: Vec<Expression>,
    },
    Join(Box<Join>),
    /// FINAL TABLE (INSERT ...) and so on.
    Changed {
        which: ChangedRows,
        statement: Box<Statement>,
        include: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangedRows {
    Final,
    Old,
    New,
}

/// Joins from left to right; a join in parentheses is a table of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Join {
    pub first: Table,
    pub rest: Vec<(JoinKind, Table, Option<Expression>)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JoinKind {
    Inner,
    Left,
    Right,
    Full,
    Cross,
}

/// A count in the grammar: a literal, or the index of a host reference. [`Number::Variable`] counts references here.
pub type Count = Number;
