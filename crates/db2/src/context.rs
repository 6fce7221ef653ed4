//! What surrounds a statement: how to wait for the server, whose statement it is, and the bind options of its plan.

use crate::bind::BindOptions;
use crate::errors::code;
use crate::location::Locations;
use kernel::name::Name8;
use postgres::Wait;
use std::sync::Arc;

/// Of one call.
pub struct Context<'a> {
    pub wait: &'a mut dyn Wait,
    pub rules: Rules,
    pub plan: Name8,
    /// Primary authorization identifier: USER, and the first value of CURRENT SQLID.
    pub authorization_id: Name8,
    /// A deadlock or time-out rolls back the unit of work, with -911; otherwise only the statement, with -913.
    pub rolls_back_deadlock: bool,
    pub bind: &'a Arc<BindOptions>,
    /// The databases beside the local one.
    pub locations: &'a dyn Locations,
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
