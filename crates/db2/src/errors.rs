//! The SQLCODEs that this crate gives of its own accord, by name. Their SQLSTATEs and texts, and those of the server's errors, are in crate
//! `sql`.

pub use sql::SqlError;

use sql::ErrorContext;

/// SQLCODEs by what they say.
pub mod code {
    pub const NOT_FOUND: i32 = 100;
    pub const SQLDA_TOO_SMALL: i32 = 236;
    pub const VALUE_OUT_OF_RANGE_WARNING: i32 = 304;
    pub const SQLDA_TOO_SMALL_FOR_LOBS: i32 = 238;
    pub const INVALID_DATE_TIME_TEXT: i32 = -180;
    pub const DATE_TIME_FORMAT: i32 = -181;
    pub const NOT_TERMINATED: i32 = -300;
    pub const INCOMPATIBLE: i32 = -301;
    pub const VALUE_TOO_LARGE: i32 = -302;
    pub const INCOMPATIBLE_RECEIVER: i32 = -303;
    pub const VALUE_OUT_OF_RANGE: i32 = -304;
    pub const NULL_WITHOUT_INDICATOR: i32 = -305;
    pub const INVALID_DECIMAL: i32 = -310;
    pub const INVALID_LENGTH: i32 = -311;
    pub const HOST_VARIABLE_COUNT: i32 = -313;
    pub const INVALID_NUMBER_TEXT: i32 = -420;
    pub const CURSOR_NOT_OPEN: i32 = -501;
    pub const CURSOR_OPEN: i32 = -502;
    pub const CURSOR_UNKNOWN: i32 = -504;
    pub const POSITIONED_NOT_OPEN: i32 = -507;
    pub const CURSOR_NOT_UPDATABLE: i32 = -510;
    pub const CURSOR_NOT_ON_ROW: i32 = -508;
    pub const CURSOR_NOT_PREPARED: i32 = -514;
    pub const DESCRIBE_NOT_PREPARED: i32 = -516;
    pub const CURSOR_NOT_SELECT: i32 = -517;
    pub const EXECUTE_NOT_PREPARED: i32 = -518;
    pub const PREPARE_OF_OPEN_CURSOR: i32 = -519;
    pub const NOT_PERMITTED: i32 = -551;
    pub const SAVEPOINT_EXISTS: i32 = -881;
    pub const SAVEPOINT_UNKNOWN: i32 = -880;
    pub const MULTIPLE_ROWS: i32 = -811;
    pub const SQLDA_INVALID: i32 = -804;
    pub const STATEMENT_UNKNOWN: i32 = -805;
    pub const CONNECTION_EXISTS: i32 = -842;
    pub const NO_SUCH_CONNECTION: i32 = -843;
    pub const UNCONNECTED: i32 = -900;
    pub const NOT_AVAILABLE: i32 = -904;
    pub const LOST_IN_UNIT: i32 = -918;
    pub const DATABASE_UNKNOWN: i32 = -30061;
    pub const SECURITY: i32 = -30082;
    pub const DEADLOCK_ROLLED_BACK: i32 = -911;
    pub const DEADLOCK: i32 = -913;
    pub const COMMIT_REFUSED: i32 = -925;
    pub const ROLLBACK_REFUSED: i32 = -926;
    pub const LOCATION_UNKNOWN: i32 = -950;
    pub const SELECT_IN_IMMEDIATE: i32 = -84;
    pub const LOCATOR_INVALID: i32 = -423;
    pub const NOT_CONNECTED: i32 = -924;
    pub const CONNECTION_LOST: i32 = -30081;
    pub const ROWS_FAILED: i32 = -253;
    pub const ALL_ROWS_FAILED: i32 = -254;
    pub const FETCH_ORIENTATION: i32 = -225;
    pub const ROWS_OUT_OF_RANGE: i32 = -246;
    pub const UNSUPPORTED: i32 = -142;
}

/// Why a statement ends before its result.
#[derive(Debug)]
pub enum Stop {
    /// With this SQLCODE.
    Sql(SqlError),
    /// The program is abended, for a bad address or because it is to be stopped.
    Departure(kernel::Departure),
    /// The session is lost: the reason.
    Lost(String),
    /// Successfully, with a cursor that stands on no row.
    Moved,
    /// With the end of the unit of work.
    End { commits: bool },
}

impl Stop {
    pub fn sql(code: i32, tokens: &[&str]) -> Stop {
        Stop::Sql(SqlError::new(code, tokens))
    }
}

impl From<kernel::Departure> for Stop {
    fn from(departure: kernel::Departure) -> Stop {
        Stop::Departure(departure)
    }
}

impl From<SqlError> for Stop {
    fn from(error: SqlError) -> Stop {
        Stop::Sql(error)
    }
}

/// Result of a part of a statement.
pub type Done<T> = Result<T, Stop>;

/// Text at the beginning of the server's message when a prepared statement does not fit its tables any more.
const STALE_PLAN: &str = "cached plan must not change result type";

/// The statement is to be prepared anew.
pub fn is_stale_plan(error: &SqlError) -> bool {
    error.cause.contains(STALE_PLAN)
}

/// A deadlock or time-out.
pub fn is_contention(error: &SqlError) -> bool {
    matches!(error.code, code::DEADLOCK | code::DEADLOCK_ROLLED_BACK)
}

/// The condition of an error that the server sent.
pub fn of_server(error: postgres::ServerError, context: ErrorContext) -> SqlError {
    let postgres::ServerError { severity, code, message, detail, hint, position, table, column, constraint, .. } = error;
    let error = sql::ServerError { severity, code, message, detail, hint, position, table, column, constraint };
    sql::from_server(&error, context)
}
