//! Sign-on and sign-off at terminals: what SIGNON, SIGNOFF, CESN and CESF do, and the sign-off of a user who has been idle too long.
//!
//! Invariants: a password is never in a message or a trace entry. The task that signs a user on goes on with the user that it was attached for.
//! Nobody signs on or off at a terminal with a preset user.

use crate::exits::{self, FAILED, NORMAL, SUCCESSFUL, Signing, TIMED_OUT};
use crate::manager::{Manager, SecurityManager};
use crate::scope::Claim;
use crate::user::{SignedOn, User, UserKey};
use exec::exit_point;
use kernel::Wait;
use kernel::trace::{self, Value, points};
use region::facility::{AtTimeout, Terminal};
use region::name::Name8;
use region::{Outcome, Raised, Region, Task};
use security::{Identity, Reason, Refusal, SecretStatus};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use crate::user::Credentials;

/// Why nobody is signed on.
#[derive(Debug)]
pub enum Failure {
    Refused(Refusal),
    /// The user is signed on at another terminal in the scope of SNSCOPE.
    Elsewhere,
}

/// Whether users are checked (SEC=YES).
pub fn is_active(region: &Region) -> bool {
    SecurityManager::active(region).is_some()
}

/// Signs a user on at the terminal of the task.
///
/// # Errors
///
/// An abend of the task, or of an exit program.
///
/// # Panics
///
/// With SEC=NO.
pub fn sign_on(task: &mut Task, terminal: &Arc<dyn Terminal>, credentials: &Credentials) -> Result<Result<SecretStatus, Failure>, Raised> {
    let region = task.region;
    let manager = SecurityManager::active(region).expect("users sign on with SEC=YES");
    let Credentials { user, group, .. } = *credentials;
    let key = UserKey { id: user, group, entry: terminal.netname() };
    let outcome = authenticated(task, manager, terminal, key, credentials)?;
    match outcome {
        Ok((identity, status, claim)) => {
            let user_of_region = manager.users.add(User::new(key, identity));
            terminal.sign_on(user, Some(Arc::new(SignedOn { user: user_of_region, claim })));
            tell_signed_on(task, &**terminal, user, group)?;
            Ok(Ok(status))
        }
        Err(failure) => {
            tell_failure(region, &**terminal, user, group, &failure);
            exits::call(task, exit_point::XSNON, &**terminal, &Signing { user, group, flags: FAILED })?;
            Ok(Err(failure))
        }
    }
}

/// Signs a user on whom nobody checks: SEC=NO.
///
/// # Errors
///
/// An abend of an exit program.
pub fn sign_on_unchecked(task: &mut Task, terminal: &Arc<dyn Terminal>, user: Name8, group: Name8) -> Outcome {
    debug_assert!(!is_active(task.region), "with SEC=YES a password is needed");
    terminal.sign_on(user, None);
    tell_signed_on(task, &**terminal, user, group)
}

/// A user who is not signed on, because what was entered is not complete or not well formed.
///
/// # Errors
///
/// An abend of an exit program.
pub fn rejected(task: &mut Task, terminal: &Arc<dyn Terminal>, user: Name8, group: Name8) -> Outcome {
    exits::call(task, exit_point::XSNON, &**terminal, &Signing { user, group, flags: FAILED })
}

/// Asks the database, on an open TCB.
fn authenticated(
    task: &mut Task,
    manager: &Manager,
    terminal: &Arc<dyn Terminal>,
    key: UserKey,
    credentials: &Credentials,
) -> Result<Result<(Identity, SecretStatus, Option<Claim>), Failure>, Raised> {
    let wait = Wait::new("XSPASSWD");
    let work = || {
        let signed_on = manager.esm.sign_on(key, credentials);
        signed_on.map(|(identity, status)| (identity, status, manager.scope.claim(key.id)))
    };
    let (identity, status, claim) = match task.on_open_tcb(&wait, work)? {
        Ok(signed_on) => signed_on,
        Err(refusal) => return Ok(Err(Failure::Refused(refusal))),
    };
    let is_elsewhere = || {
        let is_other = |other: &Arc<dyn Terminal>| other.name() != terminal.name() && other.is_signed_on() && !other.is_preset();
        task.region.terminals.all().iter().any(|other| is_other(other) && other.user_id() == key.id)
    };
    Ok(match claim {
        Ok(claim) if !manager.scope.is_limited() || !is_elsewhere() => Ok((identity, status, claim)),
        _ => Err(Failure::Elsewhere),
    })
}

fn tell_signed_on(task: &mut Task, terminal: &dyn Terminal, user: Name8, group: Name8) -> Outcome {
    exits::call(task, exit_point::XSNON, terminal, &Signing { user, group, flags: SUCCESSFUL })?;
    let name = terminal.name();
    trace::point(&points::XS_SIGNON, &[Value::Text("SIGNON"), Value::Text(user.as_str()), Value::Text(name.as_str())]);
    task.region.messages.send("DFHSN1100", &[("termid", name.as_str()), ("userid", user.as_str())]);
    Ok(())
}

/// The message about a sign-on that has failed, by its reason.
fn tell_failure(region: &Region, terminal: &dyn Terminal, user: Name8, group: Name8, failure: &Failure) {
    let id = match failure {
        Failure::Elsewhere => "DFHSN1118",
        Failure::Refused(refusal) => match refusal.reason {
            Reason::SecretWrong => "DFHSN1102",
            Reason::SecretExpired => "DFHSN1103",
            Reason::NewSecretInvalid => "DFHSN1104",
            Reason::NotInGroup | Reason::GroupRevoked => "DFHSN1105",
            Reason::UserRevoked => "DFHSN1106",
            Reason::TerminalNotAuthorized | Reason::NotNow => "DFHSN1107",
            Reason::CardNeeded | Reason::CardWrong => "DFHSN1110",
            Reason::ApplicationNotAuthorized => "DFHSN1108",
            Reason::UserUnknown => "DFHSN1109",
            Reason::NotAvailable => "DFHSN1101",
        },
    };
    let reason = match failure {
        Failure::Refused(refusal) => refusal.to_string(),
        Failure::Elsewhere => String::new(),
    };
    let name = terminal.name();
    let values = [("termid", name.as_str()), ("userid", user.as_str()), ("group", group.as_str()), ("reason", reason.as_str())];
    region.messages.send(id, &values);
}

/// Signs the user of a terminal off.
///
/// # Errors
///
/// An abend of an exit program.
pub fn sign_off(task: &mut Task, terminal: &Arc<dyn Terminal>) -> Outcome {
    sign_off_with(task, terminal, NORMAL)
}

fn sign_off_with(task: &mut Task, terminal: &Arc<dyn Terminal>, flags: &'static [&'static str]) -> Outcome {
    debug_assert!(terminal.is_signed_on() && !terminal.is_preset());
    let user = terminal.user_id();
    let group = group_of(terminal);
    terminal.sign_off();
    exits::call(task, exit_point::XSNOFF, &**terminal, &Signing { user, group, flags })?;
    tell_signed_off(task.region, &**terminal, user);
    Ok(())
}

/// Signs off the user of a terminal whose time is over.
///
/// # Errors
///
/// An abend of an exit program.
pub fn sign_off_idle(task: &mut Task, terminal: &Arc<dyn Terminal>) -> Outcome {
    let minutes = timeout_of(&**terminal).map_or(0, |limit| limit.as_secs() / 60).to_string();
    let (name, user) = (terminal.name(), terminal.user_id());
    let values = [("termid", name.as_str()), ("userid", user.as_str()), ("minutes", minutes.as_str())];
    task.region.messages.send("DFHSN1250", &values);
    sign_off_with(task, terminal, TIMED_OUT)
}

fn tell_signed_off(region: &Region, terminal: &dyn Terminal, user: Name8) {
    let name = terminal.name();
    trace::point(&points::XS_SIGNOFF, &[Value::Text("SIGNOFF"), Value::Text(user.as_str()), Value::Text(name.as_str())]);
    region.messages.send("DFHSN1200", &[("termid", name.as_str()), ("userid", user.as_str())]);
}

fn group_of(terminal: &Arc<dyn Terminal>) -> Name8 {
    let user = terminal.user_token().and_then(|token| User::of(&token));
    user.map_or(Name8::BLANK, |user| user.key.group)
}

/// TIMEOUT in the CICS segment of the user signed on at a terminal; `None`: none.
fn timeout_of(terminal: &dyn Terminal) -> Option<Duration> {
    let user = terminal.user_token().and_then(|token| User::of(&token))?;
    let minutes = user.identity().operator.timeout_minutes;
    (minutes > 0).then(|| Duration::from_secs(60 * u64::from(minutes)))
}

/// Starts the transaction for terminals whose users have been idle for the TIMEOUT of their CICS segment (CEGN). A terminal whose TYPETERM has
/// SIGNOFF(NO) is left alone.
pub fn look_for_idle(region: &Region, now: Instant) {
    for terminal in region.terminals.all() {
        if !terminal.is_signed_on() || terminal.is_preset() || terminal.at_timeout() == AtTimeout::Nothing {
            continue;
        }
        let Some(limit) = timeout_of(&*terminal) else { continue };
        if terminal.idle_at(now).is_some_and(|idle| idle >= limit) {
            terminal.good_night();
        }
    }
}
