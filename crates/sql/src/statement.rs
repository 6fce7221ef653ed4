//! A compiled SQL statement: what it does, its PostgreSQL text, and the host variables it reads and sets.
//!
//! Invariants: `inputs`, `outputs` and every index in `action` are indexes of `variables`; parameter `$n` of `text` is `inputs[n - 1]`; one
//! occurrence of a host variable in the statement is one entry of `variables`, even if it occurs twice. The request of the program has the
//! addresses of the variables in the same order.

use serde::{Deserialize, Serialize};

/// The form of a host variable's bytes in the storage of the program. Binary numbers have the most significant byte
/// first, unless the variable is `reversed`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum VariableType {
    /// Binary, 2 bytes, with `scale` decimal places if PICTURE has them.
    SmallInt,
    /// Binary, 4 bytes.
    Integer,
    /// Binary, 8 bytes.
    BigInt,
    /// Packed decimal: `precision` digits.
    Packed,
    /// Zoned decimal without a separate sign.
    Zoned {
        signed: bool,
    },
    /// DISPLAY SIGN LEADING SEPARATE (Db2's "NUMERIC"), or TRAILING SEPARATE.
    SignSeparate {
        leading: bool,
    },
    /// COMP-1: 4 bytes, hexadecimal floating point.
    Real,
    /// COMP-2: 8 bytes, hexadecimal floating point.
    Double,
    /// The same in IEEE format (FLOAT(IEEE) of C programs and COBOL).
    IeeeReal,
    IeeeDouble,
    /// `length` characters of the program's code page, padded with blanks.
    Char,
    /// A halfword with the length, then at most `length` characters.
    VarChar,
    /// C only: characters ended by X'00', at most `length` with it.
    NulTerminated,
    /// UTF-16 or DBCS characters: `length` characters of two bytes.
    Graphic,
    VarGraphic,
    /// C only: the same ended by X'0000', at most `length` with it.
    NulTerminatedGraphic,
    /// Bytes without conversion.
    Binary,
    VarBinary,
    /// A fullword with the length, then at most `length` bytes.
    Clob,
    Blob,
    DbClob,
    /// Fullword handle of a LOB in the current unit of work.
    ClobLocator,
    BlobLocator,
    DbClobLocator,
    /// A halfword with the length, then 40 bytes.
    RowId,
    /// Fullword handle of a result set of a procedure.
    ResultSetLocator,
    /// An SQLDA (`:SQLDA` or `USING DESCRIPTOR`): described at run time by its own contents.
    Descriptor,
}

/// A host variable as the compiler described it. Structures and indicator arrays are expanded to their elements.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Variable {
    /// As the program writes it, qualified if it is; for messages.
    pub name: String,
    pub kind: VariableType,
    /// Characters, bytes or digits as `kind` says; without the length field.
    pub length: u32,
    /// Digits of a decimal; decimal places of any number.
    pub precision: u8,
    pub scale: i8,
    /// 0: that of the program. 65535: FOR BIT DATA.
    pub ccsid: u16,
    /// The variable has an indicator (2 bytes binary).
    pub indicator: bool,
    /// Bytes from one element to the next of a host variable array (OCCURS); 0: no array. The indicator array's elements are
    /// `indicator_stride` apart.
    pub stride: u32,
    pub indicator_stride: u32,
    /// Elements of a host variable array.
    pub occurs: u32,
    /// The least significant byte of the number comes first: a variable of C outside structures. In a descriptor, the variables it leads to.
    #[serde(default)]
    pub reversed: bool,
    /// The same of the indicator.
    #[serde(default)]
    pub indicator_reversed: bool,
}

impl Variable {
    /// A single variable without a name and without an indicator, in the code page of the program.
    pub fn single(kind: VariableType, length: u32, precision: u8, scale: i8) -> Variable {
        Variable {
            name: String::new(),
            kind,
            length,
            precision,
            scale,
            ccsid: 0,
            indicator: false,
            stride: 0,
            indicator_stride: 0,
            occurs: 0,
            reversed: false,
            indicator_reversed: false,
        }
    }
}

/// Index into [`Statement::variables`].
pub type VariableIndex = u16;

/// A value that is a literal or in a host variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Number {
    Literal(i64),
    Variable(VariableIndex),
}

/// FETCH of a rowset without FOR n ROWS: as many as the one before.
pub const ROWS_AS_BEFORE: i64 = i64::MIN;

/// Where a text or name comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Text {
    Literal(String),
    Variable(VariableIndex),
}

/// Rows from here: FETCH orientation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Orientation {
    Next,
    Prior,
    First,
    Last,
    Current,
    Before,
    After,
    Absolute(Number),
    Relative(Number),
    /// ROWSET STARTING AT ABSOLUTE, RELATIVE.
    RowsetStartingAt(Box<Orientation>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Scroll {
    No,
    Insensitive,
    Sensitive,
    Asensitive,
}

/// Isolation named by WITH, or by the bind option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Isolation {
    Ur,
    Cs,
    Rs,
    Rr,
}

/// What a cursor is a cursor of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CursorOf {
    /// [`Statement::text`] of the OPEN is its query, with the host variables of the DECLARE CURSOR.
    Query,
    /// The statement prepared under this name; OPEN's `inputs` are those of USING.
    Prepared(String),
}

/// DECLARE CURSOR, as OPEN needs it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cursor {
    pub name: String,
    pub of: CursorOf,
    pub with_hold: bool,
    pub scroll: Scroll,
    pub rowset: bool,
    /// FOR UPDATE, or the program has a positioned UPDATE or DELETE of it: rows are not fetched ahead.
    pub updatable: bool,
    pub with_return: bool,
    pub isolation: Option<Isolation>,
}

/// One item of GET DIAGNOSTICS: `variables[receiver] = name`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DiagnosticItem {
    pub receiver: VariableIndex,
    pub name: String,
    /// Of a condition; `None`: of the statement.
    pub condition: Option<Number>,
}

/// What a statement does when it is executed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Executes `text`; SQLERRD(3) is the count of its rows. `searched`: an UPDATE or DELETE (or INSERT from a fullselect) that finds no row
    /// gives +100. `rows`: a multiple-row INSERT or MERGE from host variable arrays: executed once for each row, ATOMIC or not.
    Execute {
        changes: bool,
        searched: bool,
        rows: Option<Number>,
        atomic: bool,
    },
    /// Executes `text`, which returns at most one row, to `outputs`: SELECT INTO, VALUES INTO, SET :v = expression, SELECT FROM FINAL TABLE.
    /// `changes`: it changes data.
    SelectInto {
        changes: bool,
    },
    /// UPDATE or DELETE WHERE CURRENT OF a cursor: `text` has `WHERE CURRENT OF` the cursor's quoted name. `row`: FOR ROW n OF ROWSET.
    Positioned {
        cursor: String,
        row: Option<Number>,
    },
    Open {
        cursor: Cursor,
    },
    /// To `outputs`, or the [`VariableType::Descriptor`] in `descriptor`. `rows`: FOR n ROWS, to host variable arrays.
    Fetch {
        cursor: String,
        orientation: Orientation,
        rows: Option<Number>,
        descriptor: Option<VariableIndex>,
    },
    Close {
        cursor: String,
    },
    /// PREPARE name [INTO descriptor] FROM text.
    Prepare {
        name: String,
        from: Text,
        into: Option<VariableIndex>,
        attributes: Option<Text>,
    },
    /// EXECUTE name USING `inputs`, or a descriptor; INTO `outputs` is for SELECT INTO of a prepared statement.
    ExecutePrepared {
        name: String,
        descriptor: Option<VariableIndex>,
        rows: Option<Number>,
    },
    ExecuteImmediate {
        from: Text,
    },
    /// DESCRIBE [INPUT | OUTPUT] name INTO descriptor.
    Describe {
        name: String,
        input: bool,
        into: VariableIndex,
    },
    /// DESCRIBE TABLE :name INTO descriptor.
    DescribeTable {
        table: Text,
        into: VariableIndex,
    },
    /// DESCRIBE CURSOR, DESCRIBE PROCEDURE.
    DescribeCursor {
        cursor: Text,
        into: VariableIndex,
    },
    Commit,
    Rollback,
    Savepoint {
        name: String,
        unique: bool,
    },
    RollbackTo {
        name: Option<String>,
    },
    Release {
        name: String,
    },
    Connect {
        server: Option<Text>,
        user: Option<Text>,
        password: Option<Text>,
    },
    ConnectReset,
    SetConnection {
        server: Text,
    },
    /// A location, or `CURRENT`, `ALL`, `ALL PRIVATE`.
    ReleaseConnection {
        server: Text,
    },
    /// SET CURRENT register = value: one the run time keeps (SQLID, PACKAGESET, DEGREE, SCHEMA, ISOLATION ...).
    SetRegister {
        register: String,
        value: Text,
    },
    /// SET :v = a register that the run time keeps is a [`Action::SelectInto`]; the text refers to it by `db2.register('NAME')`.
    GetDiagnostics {
        items: Vec<DiagnosticItem>,
        stacked: bool,
    },
    /// CALL procedure: `text` is `CALL name($1 ...)`; the outputs are those parameters that the procedure sets, in order.
    Call {
        procedure: Text,
    },
    AssociateLocators {
        procedure: Text,
        locators: Vec<VariableIndex>,
    },
    AllocateCursor {
        cursor: String,
        locator: VariableIndex,
    },
    FreeLocator {
        locators: Vec<VariableIndex>,
    },
    HoldLocator {
        locators: Vec<VariableIndex>,
    },
    /// CREATE, ALTER, DROP, GRANT and so on: these statements of the server in order. `notes`: clauses without effect, for the listing.
    Ddl {
        texts: Vec<String>,
        notes: Vec<String>,
    },
    /// An SQL statement that has no effect on this server, for example EXPLAIN's bookkeeping or GRANT on a plan; why, for the listing.
    NoEffect {
        reason: String,
    },
}

impl Action {
    /// Changes that nobody has looked at may be sent with this statement.
    pub fn takes_changes_along(&self) -> bool {
        matches!(self, Action::Execute { rows: None, .. } | Action::SelectInto { .. })
    }
}

/// A statement of a program, ready for the run time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Statement {
    pub action: Action,
    /// As the program has it, blanks compressed.
    pub source: String,
    /// For PostgreSQL; empty where the action has none.
    pub text: String,
    /// Executed ahead of `text` when the server prepares that: refuses names that are the server's own. Empty: nothing to check.
    pub check: String,
    pub variables: Vec<Variable>,
    pub inputs: Vec<VariableIndex>,
    pub outputs: Vec<VariableIndex>,
    pub isolation: Option<Isolation>,
    /// SKIP LOCKED DATA, or FOR READ ONLY where that matters.
    pub read_only: bool,
    /// A change whose result the program does not look at before the next statement, which is in the text behind it.
    #[serde(default)]
    pub is_unobserved: bool,
}

impl Statement {
    /// The bytes for the load module.
    pub fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a statement has no maps and no numbers that JSON lacks")
    }

    /// `None`: not bytes of [`Statement::encode`] of this version.
    pub fn decode(bytes: &[u8]) -> Option<Statement> {
        serde_json::from_slice(bytes).ok()
    }
}
