//! The questions of the region to the security database (the external security manager of CICS).
//!
//! Invariants: every question goes through here. Access is decided from an index that the database replaces as a whole, so a check waits for no
//! change of the database.

use crate::user::{Credentials, UserKey};
use region::clock::utc_offset_seconds;
use region::name::Name8;
use security::{Database, Decision, Identity, Level, Moment, Reason, Refusal, Secret, SecretStatus, SignOn, Touched};
use std::path::Path;

/// Return codes of SAF and of the security database, as messages show them, and the reason code of the database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Codes {
    pub saf: u32,
    pub esm: u32,
    pub reason: u32,
}

impl Codes {
    pub const NONE: Codes = Codes { saf: 0, esm: 0, reason: 0 };

    pub fn of(decision: &Decision, asked: Level) -> Codes {
        let code = u32::from(decision.return_code(asked));
        Codes { saf: code, esm: code, reason: 0 }
    }

    pub fn of_refusal(refusal: &Refusal) -> Codes {
        Codes { saf: refusal.saf_return_code(), esm: refusal.return_code(), reason: refusal.reason_code() }
    }
}

pub struct Esm {
    database: Database,
    /// The application that users sign on to: the APPLID of the region.
    application: security::Name8,
}

fn name_of(name: Name8) -> Result<security::Name8, Refusal> {
    security::Name8::new(name.as_str()).map_err(|_| Refusal::from(Reason::UserUnknown))
}

fn group_of(group: Name8) -> Result<Option<security::Name8>, Refusal> {
    match group.is_blank() {
        true => Ok(None),
        false => security::Name8::new(group.as_str()).map(Some).map_err(|_| Refusal::from(Reason::NotInGroup)),
    }
}

impl Esm {
    /// The database of the region's data directory.
    ///
    /// # Errors
    ///
    /// Why it cannot be used.
    pub fn open(directory: &Path, applid: Name8) -> Result<Esm, String> {
        let database = Database::open(directory).map_err(|error| error.to_string())?;
        let application = security::Name8::new(applid.as_str()).map_err(|error| format!("APPLID {applid}: {error}"))?;
        database.in_zone(utc_offset_seconds);
        Ok(Esm { database, application })
    }

    /// Signs a user on. May take a tenth of a second.
    ///
    /// # Errors
    ///
    /// Why the user cannot sign on.
    pub fn sign_on(&self, key: UserKey, credentials: &Credentials) -> Result<(Identity, SecretStatus), Refusal> {
        let sign_on = SignOn {
            user: name_of(key.id)?,
            secret: &credentials.secret,
            new: credentials.new.as_ref(),
            card: credentials.card.as_ref(),
            group: group_of(key.group)?,
            application: self.application,
            terminal: security::Name8::new(key.entry.as_str()).ok(),
        };
        self.database.sign_on(&sign_on, Moment::now())
    }

    /// A user for whom somebody else vouches.
    ///
    /// # Errors
    ///
    /// He is not there, or may not work.
    pub fn identify(&self, key: UserKey) -> Result<Identity, Refusal> {
        let identity = self.database.identify(name_of(key.id)?, group_of(key.group)?, Moment::now())?;
        Ok(Identity { terminal: security::Name8::new(key.entry.as_str()).ok(), ..identity })
    }

    /// Verifies a password or phrase. May take a tenth of a second.
    ///
    /// # Errors
    ///
    /// What is wrong with it, or with the user.
    pub fn verify(&self, user: Name8, group: Name8, secret: &Secret) -> Result<SecretStatus, Refusal> {
        let (user, group) = (name_of(user)?, group_of(group)?);
        let now = Moment::now();
        let status = self.database.verify(user, secret, self.application, now)?;
        if group.is_some() {
            self.database.identify(user, group, now)?;
        }
        Ok(status)
    }

    /// Changes a password or phrase; what is known of the new one. May take a tenth of a second.
    ///
    /// # Errors
    ///
    /// What is wrong with the old or the new one, or with the user.
    pub fn change(&self, user: Name8, old: &Secret, new: &Secret) -> Result<SecretStatus, Refusal> {
        self.database.change_secret(name_of(user)?, old, new, Moment::now())
    }

    /// What a user may do with a resource. A decision that is to be recorded is recorded.
    #[inline]
    pub fn access(&self, identity: &Identity, class: Name8, resource: &str, asked: Level) -> Decision {
        let decision = self.database.access(identity, class.as_str(), resource);
        if decision.is_audited(asked) {
            self.record(identity, class, resource, asked, &decision);
        }
        decision
    }

    /// As `access`, for a question that nobody acts on: it is not recorded.
    pub fn look(&self, identity: &Identity, class: &str, resource: &str) -> Decision {
        self.database.access(identity, class, resource)
    }

    /// A record that cannot be written keeps nobody from work.
    #[cold]
    fn record(&self, identity: &Identity, class: Name8, resource: &str, asked: Level, decision: &Decision) {
        let _ = self.database.audit_access(identity, class.as_str(), resource, asked, decision);
    }

    pub fn is_class(&self, class: &str) -> bool {
        self.database.is_active(class)
    }

    /// A PassTicket for an application; `None`: the application has no key.
    pub fn ticket(&self, user: Name8, application: security::Name8) -> Option<String> {
        self.database.generate_passticket(name_of(user).ok()?, application, Moment::now())
    }

    /// The number of the last change. Takes in what others have changed: about a microsecond if that is nothing.
    pub fn generation(&self) -> u64 {
        self.database.generation()
    }

    pub fn changes_since(&self, generation: u64) -> Touched {
        self.database.changes_since(generation)
    }

    /// Takes in what others have changed.
    ///
    /// # Errors
    ///
    /// The database cannot be read.
    pub fn refresh(&self) -> Result<(), String> {
        self.database.refresh().map(|_| ()).map_err(|error| error.to_string())
    }
}
