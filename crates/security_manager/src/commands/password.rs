//! VERIFY PASSWORD, VERIFY PHRASE, CHANGE PASSWORD and CHANGE PHRASE.
//!
//! They run on an open TCB, as every verification of a password does. A wrong password counts for the revocation of its user.

use super::secret::{password, phrase};
use crate::esm::Codes;
use crate::manager::{Manager, SecurityManager};
use exec::resp2::passwords as resp2;
use exec::{Condition, condition, option};
use kernel::Wait;
use region::clock::{Abstime, local_from_system};
use region::name::Name8;
use region::{Arguments, Outcome, Raised, Task, raise};
use security::{Moment, Reason, Refusal, Secret, SecretStatus};
use std::time::{Duration, UNIX_EPOCH};

/// What is returned of a password that does not expire (DAYSLEFT, EXPIRYTIME).
const NEVER: i64 = -1;

/// The user of the command.
fn user_of(arguments: &Arguments) -> Result<Name8, Raised> {
    let user: Name8 = arguments.name(option::USERID)?.unwrap_or_default();
    match user.as_str().contains(' ') {
        true => raise(condition::INVREQ, resp2::USER_INVALID),
        false if user.is_blank() => raise(condition::USERIDERR, resp2::USER_UNKNOWN),
        false => Ok(user),
    }
}

fn manager_of(task: &Task) -> Result<&'static Manager, Raised> {
    SecurityManager::active(task.region).ok_or(Raised::new(condition::INVREQ, resp2::NOT_INITIALIZED))
}

/// The present password or phrase.
fn present(arguments: &Arguments) -> Result<Secret, Raised> {
    let given = match arguments.has(option::PASSWORD) {
        true => password(arguments, option::PASSWORD)?,
        false => phrase(arguments, (option::PHRASE, option::PHRASELEN), resp2::PHRASE_LENGTH)?,
    };
    Ok(given.unwrap_or_else(|| Secret::new("")))
}

pub fn verify(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let manager = manager_of(task)?;
    let user = user_of(arguments)?;
    let group: Name8 = arguments.name(option::GROUPID)?.unwrap_or_default();
    let secret = present(arguments)?;
    match task.on_open_tcb(&Wait::new("XSPASSWD"), || manager.esm.verify(user, group, &secret))? {
        Ok(status) => {
            if status.failures > 0 {
                tell(task, "DFHXS1206", user, status.failures);
            }
            super::give_codes(arguments, Codes::NONE);
            give(arguments, &status);
            Ok(())
        }
        Err(refusal) => Err(refused(task, arguments, user, &refusal)),
    }
}

pub fn change(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let manager = manager_of(task)?;
    let user = user_of(arguments)?;
    let old = present(arguments)?;
    let new = match arguments.has(option::NEWPASSWORD) {
        true => password(arguments, option::NEWPASSWORD)?,
        false => phrase(arguments, (option::NEWPHRASE, option::NEWPHRASELEN), resp2::PHRASE_LENGTH)?,
    };
    let Some(new) = new.filter(|new| new.is_phrase() == old.is_phrase()) else { return raise(condition::NOTAUTH, resp2::NEW_INVALID) };
    match task.on_open_tcb(&Wait::new("XSPASSWD"), || manager.esm.change(user, &old, &new))? {
        Ok(status) => {
            if status.failures > 0 {
                tell(task, "DFHXS1206", user, status.failures);
            }
            super::give_codes(arguments, Codes::NONE);
            give(arguments, &status);
            Ok(())
        }
        Err(refusal) => Err(refused(task, arguments, user, &refusal)),
    }
}

/// What the database keeps of the password.
pub fn give(arguments: &mut Arguments, status: &SecretStatus) {
    let days = status.days_left(Moment::now()).map_or(NEVER, i64::from);
    arguments.set_integers([
        (option::CHANGETIME, abstime(status.changed).map_or(0, |time| time.0)),
        (option::DAYSLEFT, days.min(i64::from(i16::MAX))),
        (option::EXPIRYTIME, abstime(status.expires).map_or(NEVER, |time| time.0)),
        (option::INVALIDCOUNT, i64::from(status.failures.min(i16::MAX as u32))),
        (option::LASTUSETIME, abstime(status.used).map_or(0, |time| time.0)),
    ]);
}

fn abstime(moment: Option<Moment>) -> Option<Abstime> {
    let seconds = u64::try_from(moment?.0).ok()?;
    Some(local_from_system(UNIX_EPOCH + Duration::from_secs(seconds)))
}

/// The condition of a refusal, and the message about it.
fn refused(task: &Task, arguments: &mut Arguments, user: Name8, refusal: &Refusal) -> Raised {
    super::give_codes(arguments, Codes::of_refusal(refusal));
    let (condition, resp2, message): (Condition, i32, Option<&'static str>) = match refusal.reason {
        Reason::UserUnknown => (condition::USERIDERR, resp2::USER_UNKNOWN, None),
        Reason::SecretWrong => (condition::NOTAUTH, resp2::WRONG, Some("DFHXS1201")),
        Reason::SecretExpired => (condition::NOTAUTH, resp2::EXPIRED, Some("DFHXS1202")),
        Reason::NewSecretInvalid => (condition::NOTAUTH, resp2::NEW_INVALID, None),
        Reason::NotInGroup => (condition::NOTAUTH, resp2::NOT_IN_GROUP, None),
        Reason::UserRevoked => (condition::NOTAUTH, resp2::REVOKED, Some("DFHXS1203")),
        Reason::GroupRevoked => (condition::NOTAUTH, resp2::GROUP_REVOKED, None),
        // A verification asks for no card, terminal or time.
        Reason::TerminalNotAuthorized | Reason::ApplicationNotAuthorized | Reason::NotNow | Reason::CardNeeded | Reason::CardWrong => {
            (condition::NOTAUTH, resp2::APPLICATION_NOT_AUTHORIZED, None)
        }
        Reason::NotAvailable => (condition::INVREQ, resp2::NO_ANSWER, None),
    };
    if let Some(id) = message {
        tell(task, id, user, 0);
    }
    Raised::new(condition, resp2)
}

/// The message about a password that was verified.
pub fn tell(task: &Task, id: &'static str, user: Name8, count: u32) {
    let place = match task.facility.terminal() {
        Some(terminal) => format!("at terminal {}", terminal.name()),
        None => "without a terminal".to_string(),
    };
    let count = count.to_string();
    let values = [
        ("transid", task.transid.as_str()),
        ("userid", user.as_str()),
        ("user", task.user_id.as_str()),
        ("place", place.as_str()),
        ("count", count.as_str()),
    ];
    task.region.messages.send(id, &values);
}
