//! Task-related user exits: the programs that take the requests of applications to resource managers, and speak for those in units of work.
//!
//! * `constants`  what the parameters of a call may be; `invoke` the call of an exit program: its parameter list, its TCB, what it leaves;
//! * `recovery`   the resource manager in units of work: prepare, commit, back out; `origin` what is stored of a prepared unit of work;
//! * `edf`        the displays of requests in EDF, which an exit may format;
//! * `exchange`   DFHRMXCH, the way of an exit program to a resource manager that is another process;
//! * `resync`     RESYNC and its task CRSY; `life` the calls at the start and end of tasks, and at the end of the region.
//!
//! Rules: CICS Customization Guide, "Task-related user exit programs". A task and an exit that it has called have an association ([`Tie`]) with
//! the schedule flag word, the local work area and the qualifier. Invariants: it lasts to the end of the task, and keeps the exit as long, also
//! after DISABLE PROGRAM; the flags for the syncpoint manager hold for one unit of work.

mod constants;
mod edf;
mod exchange;
mod invoke;
mod life;
mod origin;
mod recovery;
pub mod resync;

pub use edf::display_of;
pub use exchange::{Connection, exchange};
pub use invoke::connection;
pub use life::{TaskStarts, end_region, end_task, terminate};
pub use origin::qualifier;
pub use recovery::TaskRelatedManager;

use super::TaskState;
use super::table::{Exit, Exits};
use crate::control_blocks::exit_structure::ExitRecord;
use crate::extensions::ResourceRequest;
use crate::name::Name8;
use crate::storage_access::Area;
use crate::{Abend, ExitArgument, Raised, Task};
use constants::{flag, function};
use exec::exit_structure;
use invoke::{Call, invoke};
use std::sync::Arc;
use std::time::Instant;

/// What a task and a task-related user exit that it has called know of each other.
pub struct Tie {
    pub exit: Arc<Exit>,
    /// The schedule flag word.
    flags: u32,
    /// UEPSYNCA, in the unit of work of this identifier.
    synchronization: u8,
    unit: u64,
    /// The unit of work has changed something; setting UEPREADO again does not help.
    has_changed: bool,
    qualifier: [u8; 8],
    /// Address of the local work area; 0: there is none.
    work_area: usize,
}

impl TaskState {
    fn tie(&mut self, exit: &Arc<Exit>) -> Option<&mut Tie> {
        self.ties.iter_mut().find(|tie| Arc::ptr_eq(&tie.exit, exit))
    }
}

/// RETURN-CODE of a request whose exit is not available, with RTNABND=YES: "a negative value in register 15".
const NOT_AVAILABLE: i32 = -1;

/// DFHRMCAL.
pub fn request(task: &mut Task, arguments: &[u32]) -> Result<i32, Raised> {
    let structure = exit_structure("DFHRMCAL");
    let Some((operands, parameters)) = arguments.split_first() else {
        return Err(not_available("DFHRMCAL was called without its operands".to_string()));
    };
    let bytes = Area::new(*operands as usize, structure.length()).read()?;
    let operands = ExitRecord::of_bytes("DFHRMCAL", &task.region.code_page, bytes);
    let (name, returns) = (Name8::new(&operands.get("RMCAL_TO")), operands.is("RMCAL_RTNABND", "RMCAL_RTNABND_YES"));
    let found = Exits::of(task.region).named(name).filter(|exit| exit.is_started());
    let available = found.filter(|exit| {
        let tie = TaskState::of_mut(&mut task.parts).tie(exit);
        tie.is_none_or(|tie| tie.flags & flag::application() != 0)
    });
    let Some(exit) = available else {
        return if returns { Ok(NOT_AVAILABLE) } else { Err(not_available(format!("the task-related user exit {name} is not available"))) };
    };
    let list: Vec<ExitArgument> = parameters.iter().map(|address| ExitArgument::Address(*address as usize)).collect();
    let region = task.region;
    let is_shown = !operands.is("RMCAL_SUPPEDF", "RMCAL_SUPPEDF_YES");
    if is_shown {
        let request = ResourceRequest { exit: name, parameters, response: None };
        region.extensions.tell(|observer| observer.before_request(task, &request));
    }
    let begun = Instant::now();
    let ended = invoke(task, &exit, &mut Call::new(function::application(), list));
    count(task, begun);
    let called = ended?;
    if is_shown {
        let request = ResourceRequest { exit: name, parameters, response: Some(called.response) };
        region.extensions.tell(|observer| observer.after_request(task, &request));
    }
    TaskRelatedManager::enlist_if_scheduled(task, &exit)?;
    Ok(called.response)
}

fn not_available(why: String) -> Raised {
    Raised::Abend(Box::new(Abend::new("AEY9").because(why)))
}

/// The time in the exit, for monitoring: RMIOTHER, RMITOTAL and RMITIME.
fn count(task: &mut Task, begun: Instant) {
    let time = begun.elapsed();
    task.performance.rmi_other.add(time);
    task.performance.rmi_total.add(time);
    task.performance.resource_manager_time.add(time);
}
