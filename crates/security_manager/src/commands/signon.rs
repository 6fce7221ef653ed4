//! SIGNON and SIGNOFF.

use super::secret::{card, password, phrase};
use super::{language, password as results};
use crate::esm::Codes;
use crate::manager::SecurityManager;
use crate::signing::{self, Credentials, Failure};
use exec::resp2::{signoff, signon as resp2};
use exec::{Condition, condition, option};
use region::facility::Terminal;
use region::name::Name8;
use region::{Arguments, Outcome, Raised, Task, raise};
use security::{Reason, Refusal};
use std::sync::Arc;

pub fn sign_on(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let Some(terminal) = task.facility.terminal().cloned() else { return raise(condition::INVREQ, resp2::NO_TERMINAL) };
    if SecurityManager::active(task.region).is_none() {
        return raise(condition::INVREQ, resp2::NOT_INITIALIZED);
    }
    if terminal.is_preset() {
        return raise(condition::INVREQ, resp2::PRESET);
    }
    if terminal.is_signed_on() {
        return raise(condition::INVREQ, resp2::ALREADY_SIGNED_ON);
    }
    let user: Name8 = arguments.name(option::USERID)?.unwrap_or_default();
    if user.is_blank() {
        return raise(condition::USERIDERR, resp2::USER_BLANK);
    }
    language::check(arguments)?;
    let group: Name8 = arguments.name(option::GROUPID)?.unwrap_or_default();
    let secret = match password(arguments, option::PASSWORD)? {
        Some(secret) => Some(secret),
        None => phrase(arguments, (option::PHRASE, option::PHRASELEN), resp2::PHRASE_LENGTH)?,
    };
    let new = match password(arguments, option::NEWPASSWORD)? {
        Some(secret) => Some(secret),
        None => phrase(arguments, (option::NEWPHRASE, option::NEWPHRASELEN), resp2::PHRASE_LENGTH)?,
    };
    let Some(secret) = secret else {
        signing::rejected(task, &terminal, user, group)?;
        return raise(condition::NOTAUTH, resp2::PASSWORD_NEEDED);
    };
    let credentials = Credentials { user, group, secret, new, card: card(arguments)? };
    if !credentials.is_consistent() {
        signing::rejected(task, &terminal, user, group)?;
        return raise(condition::NOTAUTH, resp2::NEW_PASSWORD_INVALID);
    }
    match signing::sign_on(task, &terminal, &credentials)? {
        Ok(status) => {
            if status.failures > 0 {
                results::tell(task, "DFHXS1206", user, status.failures);
            }
            super::give_codes(arguments, Codes::NONE);
            results::give(arguments, &status);
            language::give(arguments)
        }
        Err(failure) => {
            if let Failure::Refused(Refusal { reason: Reason::SecretWrong }) = failure {
                results::tell(task, "DFHXS1201", user, 0);
            }
            Err(raised(arguments, &failure))
        }
    }
}

/// The condition of a sign-on that is refused.
fn raised(arguments: &mut Arguments, failure: &Failure) -> Raised {
    let refusal = match failure {
        Failure::Elsewhere => return Raised::new(condition::INVREQ, resp2::SIGNED_ON_ELSEWHERE),
        Failure::Refused(refusal) => refusal,
    };
    super::give_codes(arguments, Codes::of_refusal(refusal));
    let (condition, resp2): (Condition, i32) = match refusal.reason {
        Reason::UserUnknown => (condition::USERIDERR, resp2::USER_UNKNOWN),
        Reason::SecretWrong => (condition::NOTAUTH, resp2::PASSWORD_WRONG),
        Reason::SecretExpired => (condition::NOTAUTH, resp2::NEW_PASSWORD_NEEDED),
        Reason::NewSecretInvalid => (condition::NOTAUTH, resp2::NEW_PASSWORD_INVALID),
        Reason::NotInGroup => (condition::NOTAUTH, resp2::NOT_IN_GROUP),
        Reason::UserRevoked => (condition::NOTAUTH, resp2::REVOKED),
        Reason::GroupRevoked => (condition::NOTAUTH, resp2::GROUP_REVOKED),
        Reason::CardNeeded => (condition::NOTAUTH, resp2::CARD_NEEDED),
        Reason::CardWrong => (condition::NOTAUTH, resp2::CARD_WRONG),
        Reason::TerminalNotAuthorized | Reason::NotNow => (condition::NOTAUTH, resp2::TERMINAL_NOT_AUTHORIZED),
        Reason::ApplicationNotAuthorized => (condition::NOTAUTH, resp2::APPLICATION_NOT_AUTHORIZED),
        Reason::NotAvailable => (condition::INVREQ, resp2::NO_ANSWER),
    };
    Raised::new(condition, resp2)
}

pub fn sign_off(task: &mut Task, _: &mut Arguments) -> Outcome {
    let Some(terminal): Option<Arc<dyn Terminal>> = task.facility.terminal().cloned() else {
        return raise(condition::INVREQ, signoff::NO_TERMINAL);
    };
    if SecurityManager::active(task.region).is_none() {
        return raise(condition::INVREQ, resp2::NOT_INITIALIZED);
    }
    if terminal.is_preset() {
        return raise(condition::INVREQ, signoff::PRESET);
    }
    if !terminal.is_signed_on() {
        return raise(condition::INVREQ, signoff::NOT_SIGNED_ON);
    }
    signing::sign_off(task, &terminal)
}
