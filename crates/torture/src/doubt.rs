//! In-doubt units of work: their last agent never answers, so they outlive failures until a later round decides.
//!
//! The decision on a unit of work depends only on its identifier: if a failure undoes its backout and it is in doubt again, the decision is
//! the same.

use crate::Random;
use crate::protocol::Event;
use region::name::Name8;
use region::recovery_manager::EndedBy;
use region::resource_manager::{Caller, Outcome};
use region::{Raised, ResourceManager, Task, Vote};
use std::sync::Arc;

/// A resource manager with one phase whose answer is always lost.
struct LostAgent;

impl ResourceManager for LostAgent {
    fn name(&self) -> Name8 {
        Name8::new("LOST")
    }

    fn is_last_agent(&self) -> bool {
        true
    }

    fn prepare(&self, _caller: &mut Caller, _unit: u64) -> Vote {
        Vote::No
    }

    fn commit(&self, _caller: &mut Caller, _unit: u64) -> Outcome {
        Outcome::Unknown
    }

    fn backout(&self, _caller: &mut Caller, _unit: u64) -> Outcome {
        Outcome::BackedOut
    }

    fn outcome(&self, _caller: &mut Caller, _unit: u64) -> Outcome {
        Outcome::Unknown
    }

    fn prepared(&self, _caller: &mut Caller) -> Vec<u64> {
        Vec::new()
    }
}

/// Makes the agent decide the task's unit of work, which is then in doubt.
pub fn enlist(task: &mut Task, number: u64) -> Result<(), Raised> {
    Event::Doubt { unit: number, id: task.recovery.identity.id() }.send();
    let agent: Arc<dyn ResourceManager> = Arc::new(LostAgent);
    task.enlist(&agent)
}

/// Decides some of those left by earlier rounds; returns the others.
pub fn decide(task: &mut Task, random: &mut Random) -> Result<Vec<Event>, String> {
    let region = task.region;
    for owner in region.recovery().owners() {
        let (id, commit) = (owner.id, owner.id.is_multiple_of(2));
        if random.one_in(2)
            && region.recovery().resolve(&mut Caller::Task(task), id, commit, EndedBy::Operator).map_err(|error| error.to_string())?
        {
            Event::Decided { id, commit }.send();
        }
    }
    Ok(region.recovery().owners().iter().map(|owner| Event::InDoubt { id: owner.id }).collect())
}
