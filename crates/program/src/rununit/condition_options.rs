//! Run-time options of condition handling: TRAP, DEPTHCONDLMT, ERRCOUNT, TERMTHDACT and USRHDLR.

/// Run-time options of condition handling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConditionOptions {
    /// TRAP: abends and program interruptions are conditions.
    pub trap: bool,
    /// DEPTHCONDLMT: conditions that may be handled at the same time; 0: no limit.
    pub depth_max: u32,
    /// ERRCOUNT: conditions of severity 2 and more; 0: no limit.
    pub errors_max: u32,
    /// TERMTHDACT: the information written about a condition that ends the program.
    pub termination: TerminationAction,
}

/// Run-time option USRHDLR: load modules that are condition handlers of every program.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct UserHandlers {
    /// At stack frame 0: called when no other handler has handled the condition; a condition that it percolates or promotes is offered to
    /// no other.
    pub last: Option<String>,
    /// Asked before any other handler.
    pub first: Option<String>,
}

/// Run-time option TERMTHDACT.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TerminationAction {
    /// Nothing.
    Quiet,
    /// The message.
    Message,
    /// Message and traceback.
    Trace,
    /// Message, traceback, and the storage of the programs.
    Dump,
}

impl Default for ConditionOptions {
    fn default() -> ConditionOptions {
        ConditionOptions { trap: true, depth_max: 10, errors_max: 0, termination: TerminationAction::Trace }
    }
}
