//! What commands are counted as, and what of it the rules in force want to know.
//!
//! Invariant: a plan says nothing of a command that no rule counts, so that the gauge passes such a command with one test.

use crate::policy::task_rule::Item;
use exec::{CommandId, command};

/// What the rules in force want to know of a command.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CommandPlan {
    /// Any of the following.
    pub is_watched: bool,
    /// What it is counted as, if a rule limits that; and what with UPDATE.
    pub counted: Option<Item>,
    pub counted_with_update: Option<Item>,
    /// It adds to an amount other than what the task holds.
    pub is_adding: bool,
}

/// Commands that are counted when they are given, whatever comes of them; READ is something else with UPDATE.
const COUNTED: &[(CommandId, Item)] = &[
    (command::RUN_TRANSID, Item::RunTransid),
    (command::DELETE, Item::Delete),
    (command::READ, Item::Read),
    (command::READNEXT, Item::ReadNext),
    (command::READPREV, Item::ReadPrev),
    (command::REWRITE, Item::Rewrite),
    (command::STARTBR, Item::StartBrowse),
    (command::WRITE, Item::Write),
    (command::GET_COUNTER, Item::GetCounter),
    (command::GET_DCOUNTER, Item::GetDcounter),
    (command::LINK, Item::Link),
    (command::INVOKE_APPLICATION, Item::Link),
    (command::START, Item::Start),
    (command::START_CHANNEL, Item::Start),
    (command::SYNCPOINT, Item::Syncpoint),
    (command::SYNCPOINT_ROLLBACK, Item::Syncpoint),
    (command::READQ_TD, Item::ReadTd),
    (command::WRITEQ_TD, Item::WriteTd),
    (command::READQ_TS, Item::ReadTs),
];

/// Commands that add to what is compared besides the storage that the task holds.
const ADDING: [CommandId; 3] = [command::GETMAIN, command::GETMAIN64, command::WRITEQ_TS];

/// The plan of each command, by its number: for the items that a rule limits, and for those that add to an amount if one is limited.
pub fn plans(is_limited: impl Fn(Item) -> bool, limits_amounts: bool) -> Vec<CommandPlan> {
    let mut plans = vec![CommandPlan::default(); exec::commands().len()];
    for (command, item) in COUNTED {
        let with_update = if *command == command::READ { Item::ReadUpdate } else { *item };
        let plan = &mut plans[usize::from(command.0)];
        plan.counted = Some(*item).filter(|item| is_limited(*item));
        plan.counted_with_update = Some(with_update).filter(|item| is_limited(*item));
        plan.is_watched = plan.counted.is_some() || plan.counted_with_update.is_some();
    }
    for command in ADDING.iter().filter(|_| limits_amounts) {
        let plan = &mut plans[usize::from(command.0)];
        plan.is_adding = true;
        plan.is_watched = true;
    }
    plans
}
