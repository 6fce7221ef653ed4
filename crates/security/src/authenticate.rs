//! Sign-on: whether a user is who the caller says, and what the identity is. As RACROUTE REQUEST=VERIFY (z/OS Security Server RACROUTE Macro
//! Reference) and R_Password, IRRSPW00 (z/OS Security Server RACF Callable Services).
//!
//! Invariants: a secret is compared once, by the same work, whether the user is there or not and whatever is wrong. What is decided is decided
//! under the lock of the database, so failures that come at once are all counted, and no PassTicket is taken twice.

use std::sync::Arc;

use crate::audit::{AuditRecord, Event};
use crate::change::Change;
use crate::database::{Database, Update};
use crate::identity::Identity;
use crate::journal::Error;
use crate::level::Level;
use crate::moment::{DAY_SECONDS, Moment};
use crate::name::{GroupName8, Name8, UserId8};
use crate::passticket::{self, PASSTICKET_LENGTH};
use crate::refusal::{Reason, Refusal};
use crate::rules;
use crate::secret::{HashedSecret, Secret};
use crate::settings::Settings;
use crate::state::State;
use crate::ticket_key::ticket_key;
use crate::user::{StoredSecret, User};

/// What a user signs on with.
#[derive(Debug, Clone, Copy)]
pub struct SignOn<'a> {
    pub user: UserId8,
    /// A password, a phrase (more than eight characters), or a PassTicket.
    pub secret: &'a Secret,
    /// The password or phrase that takes the place of the other.
    pub new: Option<&'a Secret>,
    /// The group to sign on to; the default group if none.
    pub group: Option<GroupName8>,
    /// The application, which class APPL may protect and for which PassTickets are made.
    pub application: Name8,
    /// The terminal, which class TERMINAL may protect.
    pub terminal: Option<Name8>,
    /// What an operator identification card says, for users who need one.
    pub card: Option<&'a Secret>,
}

/// What is known of the password or phrase of a user (VERIFY PASSWORD).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecretStatus {
    /// When it was changed; none if it must be.
    pub changed: Option<Moment>,
    /// When it expires; none if never.
    pub expires: Option<Moment>,
    /// The last sign-on.
    pub used: Option<Moment>,
    /// Wrong passwords before this one.
    pub failures: u32,
}

impl SecretStatus {
    /// Days until it expires; none if never.
    pub fn days_left(&self, now: Moment) -> Option<u32> {
        self.expires.map(|expires| u32::try_from(expires.day() - now.day()).unwrap_or(0))
    }
}

/// How much of a sign-on is done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    SignOn,
    /// The password alone is verified, or changed.
    Verify,
}

/// What comparing the secret, without the lock, has told.
struct Comparison {
    /// What it was compared with.
    user: Option<Arc<User>>,
    is_right: bool,
    /// A PassTicket, and until when it may not be used again, unless it may.
    ticket: Option<(String, Option<Moment>)>,
    new: Option<Result<HashedSecret, Reason>>,
    /// Whether the operator identification card is the user's; none if none was given.
    card: Option<bool>,
}

/// A refusal, or that the database could not be used.
enum Failure {
    Refused(Reason),
    Unusable,
}

impl From<Error> for Failure {
    fn from(_: Error) -> Self {
        Failure::Unusable
    }
}

impl Database {
    /// Signs a user on. A wrong secret counts against the user; one too many revokes the user.
    pub fn authenticate(&self, sign_on: &SignOn, now: Moment) -> Result<Identity, Refusal> {
        self.sign_on(sign_on, now).map(|(identity, _)| identity)
    }

    /// As `authenticate`, with what is known of the password or phrase that is then in force.
    pub fn sign_on(&self, sign_on: &SignOn, now: Moment) -> Result<(Identity, SecretStatus), Refusal> {
        let result = self.checked(sign_on, Purpose::SignOn, now);
        self.record(sign_on, now, result.as_ref().map(|(identity, _)| identity));
        result
    }

    /// Verifies a password, phrase or PassTicket without signing on: group, terminal and application are not looked at.
    pub fn verify(&self, user: UserId8, secret: &Secret, application: Name8, now: Moment) -> Result<SecretStatus, Refusal> {
        let sign_on = SignOn { user, secret, new: None, group: None, application, terminal: None, card: None };
        let result = self.checked(&sign_on, Purpose::Verify, now);
        self.record(&sign_on, now, result.as_ref().map(|(identity, _)| identity));
        result.map(|(_, status)| status)
    }

    /// Changes a password or phrase, which the old one authorizes; what is known of the new one.
    pub fn change_secret(&self, user: UserId8, old: &Secret, new: &Secret, now: Moment) -> Result<SecretStatus, Refusal> {
        let sign_on = SignOn { user, secret: old, new: Some(new), group: None, application: user, terminal: None, card: None };
        let result = self.checked(&sign_on, Purpose::Verify, now);
        self.record(&sign_on, now, result.as_ref().map(|(identity, _)| identity));
        result.map(|(_, status)| status)
    }

    /// The identity of a user whom somebody else vouches for: no secret is asked for (PASSCHK=NO). Revoked users have none.
    pub fn identify(&self, user: UserId8, group: Option<GroupName8>, now: Moment) -> Result<Identity, Refusal> {
        self.with_state(|state| {
            let user = state.users.get(&user).ok_or(Reason::UserUnknown)?;
            if user.revocation.is_revoked(now) {
                return Err(Reason::UserRevoked);
            }
            identity_of(state, user, group, None, now)
        })
        .map_err(Refusal::from)
    }

    fn checked(&self, sign_on: &SignOn, purpose: Purpose, now: Moment) -> Result<(Identity, SecretStatus), Refusal> {
        let refused = |reason| Refusal { reason };
        self.refresh().map_err(|_| refused(Reason::NotAvailable))?;
        loop {
            let comparison = self.compare(sign_on, now).map_err(|_| refused(Reason::NotAvailable))?;
            let decided = self.update(|state| self.decide(state, sign_on, purpose, &comparison, now));
            match decided {
                // The secret was changed while it was compared.
                Ok(None) => continue,
                Ok(Some(result)) => return result.map_err(refused),
                Err(Failure::Refused(reason)) => return Err(refused(reason)),
                Err(Failure::Unusable) => return Err(refused(Reason::NotAvailable)),
            }
        }
    }

    /// Compares the secret, which takes long.
    fn compare(&self, sign_on: &SignOn, now: Moment) -> std::io::Result<Comparison> {
        let (user, settings) = self.with_state(|state| (state.users.get(&sign_on.user).cloned(), state.settings.clone()));
        let nothing = HashedSecret::of_nothing();
        let secret = as_stored(&settings, sign_on.secret);
        let stored = user.as_deref().map(|user| stored_secret(user, sign_on.secret));
        let hash = stored.and_then(|stored| stored.current.as_ref()).unwrap_or(&nothing);
        let mut is_right = self.verified.is_known(sign_on.user, hash, &secret) || self.hashing.with(|| hash.is(&secret));
        if is_right {
            self.verified.remember(sign_on.user, hash, &secret);
        }
        let mut ticket = None;
        let may_be_ticket = !is_right && sign_on.secret.length() == PASSTICKET_LENGTH;
        if let Some(user) = user.as_deref().filter(|user| may_be_ticket && !user.attributes.protected) {
            ticket = self.ticket(user, sign_on, now);
            is_right = ticket.is_some();
        }
        let new = match (sign_on.new, user.as_deref()) {
            // A password takes the place of a password, a phrase of a phrase.
            (Some(new), Some(_)) if is_right && new.is_phrase() != sign_on.secret.is_phrase() => Some(Err(Reason::NewSecretInvalid)),
            (Some(new), Some(user)) if is_right => Some(self.hashing.with(|| new_secret(&settings, user, new, now))?),
            _ => None,
        };
        let has_card = is_right && user.as_deref().is_some_and(|user| user.card.is_some());
        let card = sign_on.card.filter(|_| has_card).zip(user.as_deref().and_then(|user| user.card.as_ref()));
        let card = card.map(|(given, card)| self.hashing.with(|| card.is(given)));
        Ok(Comparison { user, is_right, ticket, new, card })
    }

    /// The secret if it is a PassTicket, in its letters, and until when it may not be used again.
    fn ticket(&self, user: &User, sign_on: &SignOn, now: Moment) -> Option<(String, Option<Moment>)> {
        let group = sign_on.group.unwrap_or(user.default_group);
        let key = self.with_state(|state| ticket_key(state, user.id, group, sign_on.application))?;
        let timeout = key.timeout_seconds;
        let text = if key.is_mixed() { Secret::new(sign_on.secret.text()) } else { sign_on.secret.upper() };
        let is_ticket = passticket::is_valid(&key.key(), user.id, sign_on.application, text.text(), now, timeout);
        is_ticket.then(|| (text.text().to_string(), (!key.replay).then(|| Moment(now.0 + 2 * i64::from(timeout)))))
    }

    /// Decides, under the lock. None if the user's secret is no longer the one that was compared.
    fn decide(
        &self,
        state: &State,
        sign_on: &SignOn,
        purpose: Purpose,
        comparison: &Comparison,
        now: Moment,
    ) -> Result<Update<Option<Result<(Identity, SecretStatus), Reason>>>, Failure> {
        let Some(user) = state.users.get(&sign_on.user) else { return Err(Failure::Refused(Reason::UserUnknown)) };
        let secrets = |user: &User| (stored_secret(user, sign_on.secret).clone(), user.card.clone());
        let is_same = comparison.user.as_ref().is_some_and(|compared| secrets(compared) == secrets(user));
        if !is_same {
            return Ok(Update::nothing(None));
        }
        let is_idle = |used: Moment| now.0 - used.0 > i64::from(state.settings.inactive_days) * DAY_SECONDS;
        let is_inactive = state.settings.inactive_days > 0 && is_idle(user.used.unwrap_or(user.created));
        if user.revocation.is_revoked(now) || is_inactive {
            return Err(Failure::Refused(Reason::UserRevoked));
        }
        let is_replayed = comparison.ticket.as_ref().filter(|(_, until)| until.is_some()).is_some_and(|(text, _)| {
            let used = state.tickets.get(&(user.id, sign_on.application, text.clone()));
            used.is_some_and(|until| *until >= now)
        });
        if !comparison.is_right || is_replayed {
            return Ok(failed(state, user, Reason::SecretWrong));
        }
        match comparison.card {
            Some(false) => return Ok(failed(state, user, Reason::CardWrong)),
            None if purpose == Purpose::SignOn && user.card.is_some() => return Err(Failure::Refused(Reason::CardNeeded)),
            _ => {}
        }
        let mut status = status_of(&state.settings, user, sign_on.secret);
        let is_expired = comparison.ticket.is_none() && status.expires.map_or(status.changed.is_none(), |expires| expires <= now);
        if is_expired && comparison.new.is_none() {
            return Err(Failure::Refused(Reason::SecretExpired));
        }
        let identity = match purpose {
            Purpose::SignOn => self.signed_on(state, user, sign_on, now),
            Purpose::Verify => identity_of(state, user, None, None, now).or_else(|_| identity_without_group(state, user)),
        };
        let identity = identity.map_err(Failure::Refused)?;
        let mut changes = Vec::new();
        // Sign-ons within a second leave the user as the first did.
        if (user.used, user.failures) != (Some(now), 0) {
            changes.push(Change::SignOn { user: user.id, used: Some(now), failures: 0 });
        }
        if let Some(new) = &comparison.new {
            // A PassTicket is for one sign-on, not for good.
            if comparison.ticket.is_some() {
                return Err(Failure::Refused(Reason::NewSecretInvalid));
            }
            let hash = new.clone().map_err(Failure::Refused)?;
            let mut changed = (**user).clone();
            let secret = sign_on.new.expect("it was hashed");
            set_secret(&state.settings, &mut changed, secret, hash, Some(now));
            status = status_of(&state.settings, &changed, secret);
            changes.insert(0, Change::User(Box::new(changed)));
        }
        if let Some((ticket, Some(until))) = &comparison.ticket {
            changes.push(Change::Ticket { user: user.id, application: sign_on.application, ticket: ticket.clone(), until: *until });
        }
        Ok(Update { changes, touched: Vec::new(), result: Some(Ok((identity, status))) })
    }

    /// The rest of a sign-on: group, terminal and application.
    fn signed_on(&self, state: &State, user: &User, sign_on: &SignOn, now: Moment) -> Result<Identity, Reason> {
        let identity = identity_of(state, user, sign_on.group, sign_on.terminal, now)?;
        if user.logon.as_ref().is_some_and(|logon| !logon.is_allowed(self.local(now))) {
            return Err(Reason::NotNow);
        }
        let index = self.index_of(state);
        if let Some(terminal) = sign_on.terminal {
            let class = Name8::constant("TERMINAL");
            let decision = index.access(&identity, class, terminal.as_str());
            let is_allowed = match decision.profile {
                Some(_) => decision.allows(Level::Read),
                None => state.settings.undefined_terminals || !state.settings.active.contains(&class),
            };
            if !is_allowed {
                return Err(Reason::TerminalNotAuthorized);
            }
        }
        let decision = index.access(&identity, Name8::constant("APPL"), sign_on.application.as_str());
        if decision.profile.is_some() && !decision.allows(Level::Read) {
            return Err(Reason::ApplicationNotAuthorized);
        }
        Ok(identity)
    }

    /// Records what is refused, and what users do who are watched. A file that cannot be written does not keep anybody out.
    fn record(&self, sign_on: &SignOn, now: Moment, result: Result<&Identity, &Refusal>) {
        let detail = result.err().map(|refusal| refusal.to_string());
        let is_watched = |identity: &Identity| {
            identity.attributes.user_audit || identity.attributes.special && self.with_state(|state| state.settings.special_audit)
        };
        if result.is_ok_and(|identity| !is_watched(identity)) {
            return;
        }
        let _ = self.audit(&AuditRecord {
            group: sign_on.group,
            application: Some(sign_on.application.as_str()),
            terminal: sign_on.terminal,
            detail: detail.as_deref(),
            ..AuditRecord::new(now, Event::SignOn, sign_on.user, if result.is_ok() { "success" } else { "failure" })
        });
    }
}

/// A wrong secret: one more failure, which may be one too many. Protected users cannot be revoked so.
fn failed<T>(state: &State, user: &User, reason: Reason) -> Update<Option<Result<T, Reason>>> {
    if user.attributes.protected {
        return Update::nothing(Some(Err(reason)));
    }
    let failures = user.failures.saturating_add(1);
    let limit = u32::from(state.settings.password.revoke_after);
    if limit == 0 || failures < limit {
        let change = Change::SignOn { user: user.id, used: user.used, failures };
        return Update { changes: vec![change], touched: Vec::new(), result: Some(Err(reason)) };
    }
    let mut revoked = user.clone();
    revoked.failures = failures;
    revoked.revocation = crate::user::Revocation { revoked: true, ..Default::default() };
    let change = Change::User(Box::new(revoked));
    Update { changes: vec![change], touched: vec![user.id], result: Some(Err(Reason::UserRevoked)) }
}

/// Passwords are folded to upper case unless MIXEDCASE is in effect; phrases are not.
pub(crate) fn as_stored(settings: &Settings, secret: &Secret) -> Secret {
    if secret.is_phrase() || settings.password.mixed_case { Secret::new(secret.text()) } else { secret.upper() }
}

fn stored_secret<'a>(user: &'a User, secret: &Secret) -> &'a StoredSecret {
    if secret.is_phrase() { &user.phrase } else { &user.password }
}

fn status_of(settings: &Settings, user: &User, secret: &Secret) -> SecretStatus {
    let changed = stored_secret(user, secret).changed;
    let interval = i64::from(user.interval_days.unwrap_or(settings.password.interval_days));
    let expires = changed.filter(|_| interval > 0).map(|changed| Moment(changed.midnight().0 + interval * DAY_SECONDS));
    SecretStatus { changed, expires, used: user.used, failures: user.failures }
}

/// Hashes a new secret, if it may be set.
fn new_secret(settings: &Settings, user: &User, new: &Secret, now: Moment) -> std::io::Result<Result<HashedSecret, Reason>> {
    let new = as_stored(settings, new);
    let stored = stored_secret(user, &new);
    let options = &settings.password;
    let is_permitted = if new.is_phrase() { rules::permits_phrase(user.id, &new) } else { rules::permits_password(options, &new) };
    let is_early = stored.changed.is_some_and(|changed| now.day() - changed.day() < i64::from(options.minimum_change_days));
    let earlier = stored.current.iter().chain(stored.history.iter().take(usize::from(options.history)));
    if !is_permitted || is_early || HashedSecret::is_one_of(&new, earlier) {
        return Ok(Err(Reason::NewSecretInvalid));
    }
    HashedSecret::of(&new, stored.current.as_ref()).map(Ok)
}

/// Puts a new secret in place. `changed` is none if it must be changed at the next sign-on.
pub(crate) fn set_secret(settings: &Settings, user: &mut User, new: &Secret, hash: HashedSecret, changed: Option<Moment>) {
    let stored = if new.is_phrase() { &mut user.phrase } else { &mut user.password };
    if let Some(before) = stored.current.replace(hash) {
        stored.history.insert(0, before);
    }
    stored.history.truncate(usize::from(settings.password.history));
    stored.changed = changed;
}

fn identity_of(state: &State, user: &User, group: Option<GroupName8>, terminal: Option<Name8>, now: Moment) -> Result<Identity, Reason> {
    let group = group.unwrap_or(user.default_group);
    let connect = user.connects.get(&group).ok_or(Reason::NotInGroup)?;
    if connect.revocation.is_revoked(now) {
        return Err(Reason::GroupRevoked);
    }
    let active = user.connects.iter().filter(|(_, connect)| !connect.revocation.is_revoked(now));
    let groups = active.map(|(group, _)| *group).collect();
    Ok(Identity { group, groups, terminal, ..identity_without_group(state, user)? })
}

/// The identity of a user whose default group is revoked, for a verification that does not look at groups.
fn identity_without_group(state: &State, user: &User) -> Result<Identity, Reason> {
    let mut language = user.language.clone().unwrap_or_default();
    language.primary.get_or_insert_with(|| state.settings.language_primary.clone());
    language.secondary.get_or_insert_with(|| state.settings.language_secondary.clone());
    Ok(Identity {
        user: user.id,
        group: user.default_group,
        groups: Vec::new(),
        attributes: user.attributes,
        name: user.name.clone(),
        operator: user.cics.clone().unwrap_or_default(),
        language,
        terminal: None,
        trusted: false,
    })
}
