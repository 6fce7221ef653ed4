//! Statements.

use super::{Count, DataType, Expression, Name, Query, Target};
use crate::statement::{Isolation, Orientation, Scroll};

/// One SQL statement. Host variables are indexes of the statement's references.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    Select(Box<Query>),
    /// SELECT INTO: the targets are in the query.
    SelectInto(Box<Query>),
    /// SET :a, :b = ..., VALUES ... INTO.
    Assign {
        targets: Vec<Target>,
        values: Vec<Expression>,
    },
    Insert(Box<Insert>),
    Update(Box<Update>),
    Delete(Box<Delete>),
    Merge(Box<Merge>),
    Truncate {
        table: Name,
        restart_identity: bool,
    },
    LockTable {
        table: Name,
        exclusive: bool,
    },
    Call {
        procedure: Callee,
        arguments: Vec<Expression>,
        descriptor: Option<Target>,
    },
    DeclareCursor(Box<DeclareCursor>),
    DeclareTable {
        table: Name,
        columns: Vec<TableColumn>,
    },
    /// DECLARE STATEMENT, DECLARE VARIABLE, BEGIN and END DECLARE SECTION, INCLUDE: for the compiler alone.
    Declaration(Declaration),
    Whenever(Whenever),
    Open {
        cursor: Name,
        using: Vec<Expression>,
        descriptor: Option<Target>,
    },
    Fetch(Box<Fetch>),
    Close {
        cursor: Name,
    },
    Prepare {
        name: Name,
        from: Source,
        into: Option<Target>,
        attributes: Option<Source>,
    },
    Execute {
        name: Name,
        using: Vec<Expression>,
        into: Vec<Target>,
        descriptor: Option<Target>,
        rows: Option<Count>,
    },
    ExecuteImmediate {
        from: Source,
    },
    Describe {
        what: Described,
        into: Target,
    },
    AllocateCursor {
        cursor: Name,
        locator: Target,
    },
    AssociateLocators {
        procedure: Callee,
        locators: Vec<Target>,
    },
    FreeLocator {
        locators: Vec<Target>,
    },
    HoldLocator {
        locators: Vec<Target>,
    },
    Commit,
    /// ROLLBACK, or ROLLBACK TO SAVEPOINT with or without a name.
    Rollback {
        savepoint: Option<Option<Name>>,
    },
    Savepoint {
        name: Name,
        unique: bool,
    },
    ReleaseSavepoint {
        name: Name,
    },
    Connect {
        server: Option<Source>,
        user: Option<Source>,
        password: Option<Source>,
        reset: bool,
    },
    SetConnection {
        server: Source,
    },
    ReleaseConnection {
        server: Source,
    },
    SetRegister {
        register: String,
        value: Source,
    },
    GetDiagnostics {
        items: Vec<Diagnosed>,
        stacked: bool,
    },
    NoEffect {
        reason: String,
    },
    /// CREATE, ALTER, DROP, DECLARE GLOBAL TEMPORARY TABLE and so on: what follows is for the translator of definitions.
    Definition {
        verb: String,
    },
}

/// A string constant, or a host variable that holds a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    Literal(String),
    Host(Target),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Callee {
    Name(Name),
    Host(Target),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Insert {
    pub offset: usize,
    pub table: Name,
    pub columns: Vec<Name>,
    /// INCLUDE columns of a data change table reference.
    pub include: Vec<(Name, DataType)>,
    pub overriding: Option<&'static str>,
    pub rows: InsertRows,
    pub isolation: Option<Isolation>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InsertRows {
    Values(Vec<Vec<Expression>>),
    /// VALUES (...) FOR n ROWS [ATOMIC | NOT ATOMIC CONTINUE ON SQLEXCEPTION].
    Arrays {
        values: Vec<Expression>,
        rows: Count,
        atomic: bool,
    },
    Query(Box<Query>),
    /// DEFAULT VALUES.
    Defaults,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assignment {
    pub columns: Vec<Name>,
    pub values: Vec<Expression>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Update {
    pub offset: usize,
    pub table: Name,
    pub alias: Option<Name>,
    pub include: Vec<(Name, DataType)>,
    pub assignments: Vec<Assignment>,
    pub filter: Filter,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delete {
    pub offset: usize,
    pub table: Name,
    pub alias: Option<Name>,
    pub include: Vec<(Name, DataType)>,
    /// SET of INCLUDE columns.
    pub assignments: Vec<Assignment>,
    pub filter: Filter,
}

/// The rows that UPDATE or DELETE changes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    pub condition: Option<Expression>,
    /// WHERE CURRENT OF, FOR ROW n OF ROWSET.
    pub cursor: Option<Name>,
    pub row: Option<Count>,
    pub fetch: Option<Expression>,
    pub order: Vec<super::SortKey>,
    pub isolation: Option<Isolation>,
    pub skip_locked: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merge {
    pub offset: usize,
    pub table: Name,
    pub alias: Option<Name>,
    pub source: MergeSource,
    pub source_alias: Option<Name>,
    pub source_columns: Vec<Name>,
    pub condition: Expression,
    pub branches: Vec<MergeBranch>,
    pub else_ignore: bool,
    pub atomic: bool,
    pub rows: Option<Count>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MergeSource {
    Values(Vec<Expression>),
    Query(Box<Query>),
    Named(Name),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MergeBranch {
    pub matched: bool,
    pub condition: Option<Expression>,
    pub action: MergeAction,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MergeAction {
    Update(Vec<Assignment>),
    Delete,
    Insert { columns: Vec<Name>, values: Vec<Expression> },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclareCursor {
    pub name: Name,
    pub scroll: Scroll,
    pub with_hold: bool,
    pub with_return: bool,
    pub rowset: bool,
    pub of: CursorSource,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CursorSource {
    Query(Box<Query>),
    Prepared(Name),
}

/// A column of DECLARE TABLE or of a definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableColumn {
    pub name: Name,
    pub data_type: DataType,
    pub not_null: bool,
    pub with_default: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Declaration {
    Statements(Vec<Name>),
    Variables,
    Section { begin: bool },
    Include(String),
}

/// WHENEVER condition CONTINUE or GO TO label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Whenever {
    pub condition: WheneverCondition,
    /// `None`: CONTINUE.
    pub go_to: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WheneverCondition {
    NotFound,
    SqlError,
    SqlWarning,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fetch {
    pub cursor: Name,
    pub orientation: Orientation,
    pub rows: Option<Count>,
    pub into: Vec<Target>,
    pub descriptor: Option<Target>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Described {
    Output(Name),
    Input(Name),
    Table(Source),
    Cursor(Source),
    Procedure(Source),
}

/// One item of GET DIAGNOSTICS.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnosed {
    pub target: Target,
    pub name: String,
    pub condition: Option<Count>,
}
