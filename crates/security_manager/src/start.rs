//! The start of security (SEC=YES), and what is done from time to time: users who are idle are signed off, and those that nothing uses are
//! forgotten.
//!
//! Invariant: a region with SEC=YES whose users cannot be established does not start.

use crate::authority::Answers;
use crate::categories::Category;
use crate::esm::{Codes, Esm};
use crate::manager::{Manager, SecurityManager};
use crate::scope::Scope;
use crate::settings::{Parameter, Settings};
use crate::signing;
use crate::surrogates::{self, Purpose};
use crate::user::{User, UserKey};
use crate::users::Users;
use region::Region;
use region::name::Name8;
use security::{Level, Reason, Refusal};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often the region looks for users who are idle or unused.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Opens the security database and installs the authority.
///
/// # Errors
///
/// Why the region cannot start.
pub fn secure(region: &'static Region) -> Result<(), String> {
    if !region.sit.is("SEC", "YES") {
        region.messages.send("DFHXS1102", &[]);
        return Ok(());
    }
    region.messages.send("DFHXS1100", &[]);
    let esm = Esm::open(&region.data_directory, region.applid)?;
    let settings = Settings::of(region, region_user());
    let users = Users::default();
    users.begin(&esm);
    let default_user = established(region, &esm, &users, region.default_user)?;
    region.messages.send("DFHXS1103", &[("userid", region.default_user.as_str())]);
    let start_user = Name8::new(region.sit.get("PLTPIUSR"));
    if !start_user.is_blank() {
        established(region, &esm, &users, start_user)?;
    }
    if let Some(own) = own_user(region, &esm, &users)? {
        check_own_user(region, &esm, &settings, &own)?;
    }
    for class in settings.classes() {
        let id = if esm.is_class(class.as_str()) { "DFHXS1105" } else { "DFHXS1106" };
        region.messages.send(id, &[("class", class.as_str())]);
    }
    SecurityManager::activate(region, Manager { esm, settings, scope: Scope::of(region), users, _default_user: default_user });
    let is_first = region.extensions.authorize_by(Box::new(Answers));
    assert!(is_first, "the security manager is the only authority");
    region.messages.send("DFHXS1101", &[]);
    Ok(())
}

/// A user without whom the region cannot start.
fn established(region: &Region, esm: &Esm, users: &Users, id: Name8) -> Result<Arc<User>, String> {
    let key = UserKey { id, group: Name8::BLANK, entry: Name8::BLANK };
    users.find(esm, key).map_err(|refusal| not_established(region, id, &refusal))
}

/// The user of the region's process, if the database has him: then he is checked, as the region userid of CICS is. A region whose user it does
/// not have may do what a region must, because its user is the owner of the database.
fn own_user(region: &Region, esm: &Esm, users: &Users) -> Result<Option<Arc<User>>, String> {
    let key = UserKey { id: region_user(), group: Name8::BLANK, entry: Name8::BLANK };
    match users.find(esm, key) {
        Ok(user) => Ok(Some(user)),
        Err(refusal) if refusal.reason == Reason::UserUnknown => Ok(None),
        Err(refusal) => Err(not_established(region, key.id, &refusal)),
    }
}

/// The region's user attaches the transactions of category 1, and is a surrogate of the users whom system initialization parameters name.
fn check_own_user(region: &Region, esm: &Esm, settings: &Settings, own: &User) -> Result<(), String> {
    let identity = own.identity();
    if let Some(class) = settings.class(Parameter::Xtran) {
        for transid in Category::Internal.transactions() {
            let decision = esm.access(&identity, class, &settings.protected_name(transid), Level::Read);
            if !decision.allows(Level::Read) {
                let codes = Codes::of(&decision, Level::Read);
                let [saf, esm] = [codes.saf, codes.esm].map(|code| format!("{code:08X}"));
                let values = [("transid", transid), ("saf", saf.as_str()), ("esm", esm.as_str())];
                return Err(region.messages.send("DFHXS1113", &values).line());
            }
        }
    }
    let start_user = Name8::new(region.sit.get("PLTPIUSR"));
    let has_start_programs = !region.sit.is("PLTPI", "NO");
    for (user, is_used) in [(region.default_user, true), (start_user, has_start_programs)] {
        if !settings.surrogates || !is_used || user.is_blank() || user == own.key.id {
            continue;
        }
        let class = Name8::new(surrogates::CLASS);
        if !esm.access(&identity, class, &Purpose::Install.profile(user), Level::Read).allows(Level::Read) {
            let values = [("userid", user.as_str()), ("region_user", own.key.id.as_str())];
            return Err(region.messages.send("DFHUS0050", &values).line());
        }
    }
    Ok(())
}

fn not_established(region: &Region, id: Name8, refusal: &Refusal) -> String {
    let codes = Codes::of_refusal(refusal);
    let (reason, [saf, esm]) = (refusal.to_string(), [codes.saf, codes.esm].map(|code| format!("{code:08X}")));
    let values = [("userid", id.as_str()), ("reason", reason.as_str()), ("saf", saf.as_str()), ("esm", esm.as_str())];
    region.messages.send("DFHXS1104", &values).line()
}

/// The user whose process the region is.
fn region_user() -> Name8 {
    let name = region::user::name().unwrap_or_default().to_ascii_uppercase();
    let letters: String = name.chars().filter(|letter| letter.is_ascii_alphanumeric() || "$#@".contains(*letter)).take(8).collect();
    Name8::new(&letters)
}

/// User tasks run.
pub fn running(region: &'static Region) {
    if signing::is_active(region) {
        look_later(region);
    }
}

fn look_later(region: &'static Region) {
    region.dispatcher.after(LOOK_EVERY, move || {
        look(region);
        look_later(region);
    });
}

/// One look at all users.
fn look(region: &Region) {
    let Some(manager) = SecurityManager::active(region) else { return };
    signing::look_for_idle(region, Instant::now());
    for user in manager.users.expire(manager.settings.delay) {
        let identity = user.identity();
        let place = if user.key.entry.is_blank() { String::new() } else { format!("at netname {} ", user.key.entry) };
        let values = [("userid", user.key.id.as_str()), ("group", identity.group.as_str()), ("place", place.as_str())];
        region.messages.send("DFHUS0200", &values);
    }
}
