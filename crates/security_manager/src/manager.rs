//! The security of a region that SEC=YES has started, and the users of its tasks.
//!
//! Invariant: with SEC=NO there is no manager, no authority is installed, and a command pays nothing for security. Once there, a manager stays
//! until the region ends.

use crate::esm::Esm;
use crate::scope::Scope;
use crate::settings::Settings;
use crate::user::{User, UserKey};
use crate::users::Users;
use region::name::{Name4, Name8};
use region::{AttachRequest, Region, StartCode, Task};
use security::{Identity, Refusal};
use std::sync::{Arc, OnceLock};

/// The transaction of the programs of PLTPI.
const START_PROGRAMS: &str = "CPLT";

/// What SEC=YES starts.
pub struct Manager {
    pub esm: Esm,
    pub settings: Settings,
    pub scope: Scope,
    pub users: Users,
    /// The user of terminals where nobody has signed on: he never expires.
    pub _default_user: Arc<User>,
}

impl Manager {
    /// A user who neither signs on nor sits at a terminal of his own.
    ///
    /// # Errors
    ///
    /// The refusal of the security database.
    pub fn user_named(&self, id: Name8) -> Result<Arc<User>, Refusal> {
        self.users.find(&self.esm, UserKey { id, group: Name8::BLANK, entry: Name8::BLANK })
    }

    /// With RACFSYNC=NO changes of a user are noticed when he has been unused for USRDELAY.
    pub fn is_outdated(&self, user: &User) -> bool {
        user.unused_for() >= self.settings.delay
    }

    /// Looks whether the authority of users has changed, if RACFSYNC says so.
    pub fn synchronize(&self, region: &Region) {
        if !self.settings.synchronized {
            return;
        }
        for user in self.users.notice_changes(&self.esm) {
            region.messages.send("DFHXS1210", &[("userid", user.as_str())]);
        }
    }
}

/// This domain's part of the region.
#[derive(Default)]
pub struct SecurityManager {
    active: OnceLock<Manager>,
}

impl SecurityManager {
    /// `None` with SEC=NO.
    #[inline]
    pub fn active(region: &Region) -> Option<&Manager> {
        SecurityManager::of(region).active.get()
    }

    pub fn activate(region: &Region, manager: Manager) {
        let is_first = SecurityManager::of(region).active.set(manager).is_ok();
        assert!(is_first, "a region starts its security once");
    }
}

/// The user of a task, and what is checked of its commands besides what its transaction says.
struct TaskUser {
    /// In use while the task is there.
    _user: Arc<User>,
    identity: Arc<Identity>,
    /// As PLTPISEC says, for the programs of PLTPI.
    commands: bool,
    resources: bool,
}

/// This domain's part of a task.
#[derive(Default)]
pub struct TaskState(Option<TaskUser>);

/// What a task is checked for.
pub struct Checked<'a> {
    pub identity: &'a Identity,
    pub commands: bool,
    pub resources: bool,
}

impl TaskState {
    /// `None`: a task of the region itself, of which nothing is checked.
    #[inline]
    pub fn checked<'a>(task: &'a Task, settings: &Settings) -> Option<Checked<'a>> {
        let user = TaskState::of(&task.parts).0.as_ref()?;
        Some(Checked {
            identity: &user.identity,
            commands: user.commands || settings.always_commands || task.definition.command_security,
            resources: user.resources || settings.always_resources || task.definition.resource_security,
        })
    }

    /// Who the user of the task is; `None` for a task of the region itself, or with SEC=NO.
    pub fn identity(task: &Task) -> Option<&Identity> {
        TaskState::of(&task.parts).0.as_ref().map(|user| &*user.identity)
    }
}

/// Gives the task its user. Its attach has looked him up.
pub fn task_attached(task: &mut Task, request: &mut AttachRequest) {
    let Some(manager) = SecurityManager::active(task.region) else { return };
    let is_start_program = task.start_code == StartCode::System && task.transid == Name4::new(START_PROGRAMS);
    let user = match request.token.take().and_then(|token| User::of(&token)) {
        Some(user) => Some(user),
        None if is_start_program => manager.user_named(task.user_id).ok(),
        None => None,
    };
    let programs = manager.settings.start_programs;
    let state = user.map(|user| TaskUser {
        identity: user.identity(),
        _user: user,
        commands: is_start_program && programs.commands,
        resources: is_start_program && programs.resources,
    });
    *TaskState::of_mut(&mut task.parts) = TaskState(state);
}
