//! How a program is bound to a database.

use crate::convert::DateTimeOptions;
use sql::Isolation;
use std::time::Duration;

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
