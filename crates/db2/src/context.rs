//! What surrounds a statement: how to wait for the server, whose statement it is, and the bind options of its plan.

use crate::convert::DateTimeOptions;
use crate::errors::code;
use kernel::name::Name8;
use postgres::Wait;
use sql::Isolation;
use std::time::Duration;

/// Of one call.
pub struct Context<'a> {
    pub wait: &'a mut dyn Wait,
    pub rules: Rules,
    pub plan: Name8,
    /// Primary authorization identifier: USER, and the first value of CURRENT SQLID.
    pub authorization_id: Name8,
    /// A deadlock or time-out rolls back the unit of work, with -911; otherwise only the statement, with -913.
    pub rolls_back_deadlock: bool,
    pub bind: &'a BindOptions,
}

/// The environment that executes statements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// COMMIT and ROLLBACK are refused with -925 and -926: units of work are ended by SYNCPOINT.
    Cics,
    Batch,
}

impl Rules {
    /// SQLCODE of a statement whose session is lost.
    pub fn lost(self) -> i32 {
        match self {
            Rules::Cics => code::NOT_CONNECTED,
            Rules::Batch => code::CONNECTION_LOST,
        }
    }
}

/// Options of BIND that matter at run time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BindOptions {
    /// CURRENT PACKAGESET.
    pub package_set: String,
    /// Location name of the server: CURRENT SERVER.
    pub location: String,
    /// Schema of unqualified names (QUALIFIER); empty: the session's.
    pub qualifier: String,
    pub isolation: Isolation,
    pub dates: DateTimeOptions,
    /// Prepared statements live beyond COMMIT (KEEPDYNAMIC).
    pub keep_dynamic: bool,
    /// Dynamic statements compare characters in the sequence of the EBCDIC page.
    pub ebcdic_order: bool,
    /// DEC(15) or DEC(31), for dynamic statements.
    pub decimal_precision: u8,
    /// How long a statement waits for a lock.
    pub lock_timeout: Duration,
}

impl BindOptions {
    pub const DEFAULT: BindOptions = BindOptions {
        package_set: String::new(),
        location: String::new(),
        qualifier: String::new(),
        isolation: Isolation::Cs,
        dates: DateTimeOptions::ISO,
        keep_dynamic: false,
        ebcdic_order: true,
        decimal_precision: 15,
        lock_timeout: Duration::from_secs(30),
    };

    pub fn location(&self) -> &str {
        if self.location.is_empty() { LOCATION } else { &self.location }
    }
}

impl Default for BindOptions {
    fn default() -> BindOptions {
        BindOptions::DEFAULT
    }
}

/// Location name of a server that nobody named.
const LOCATION: &str = "REGENTDB";
