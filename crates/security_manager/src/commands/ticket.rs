//! REQUEST PASSTICKET: a password for one sign-on of the task's user to an application.

use crate::esm::Codes;
use crate::manager::{SecurityManager, TaskState};
use crate::violation::Violation;
use exec::resp2::passtickets as resp2;
use exec::{condition, option};
use region::name::Name8;
use region::{Arguments, Outcome, Task, raise};
use security::Level;

/// The class of the keys of PassTickets, whose profiles also say who may ask for one (XPTKT).
const CLASS: &str = "PTKTDATA";
const AUTHORITY: &str = "IRRPTAUTH";
/// The return codes of R_ticketserv when no ticket can be made: the request has failed.
const FAILED: Codes = Codes { saf: 8, esm: 8, reason: 0 };

pub fn request(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let Some(manager) = SecurityManager::active(task.region) else { return raise(condition::INVREQ, resp2::NOT_INITIALIZED) };
    let name = arguments.text(option::ESMAPPNAME)?.unwrap_or_default();
    let Ok(application) = security::Name8::new(&name) else { return raise(condition::INVREQ, resp2::APPLICATION) };
    if task.user_id == task.region.default_user {
        return raise(condition::INVREQ, resp2::DEFAULT_USER);
    }
    if let Some(identity) = TaskState::identity(task).filter(|_| manager.settings.tickets) {
        let (class, intent) = (Name8::new(CLASS), Level::Update);
        let resource = format!("{AUTHORITY}.{application}.{}", task.user_id);
        let decision = manager.esm.access(identity, class, &resource, intent);
        if !decision.allows(intent) {
            let (user_id, transid, facility) = (task.user_id, task.transid, &task.facility);
            Violation { user_id, transid, facility, class, resource: &resource, intent }.tell(task.region, manager, &decision);
            super::give_codes(arguments, Codes::of(&decision, intent));
            return raise(condition::NOTAUTH, resp2::NOT_AUTHORIZED);
        }
    }
    let Some(ticket) = manager.esm.ticket(task.user_id, application) else {
        super::give_codes(arguments, FAILED);
        return raise(condition::INVREQ, resp2::NOT_CLASSIFIED);
    };
    super::give_codes(arguments, Codes::NONE);
    arguments.set_text(option::PASSTICKET, &ticket)
}
