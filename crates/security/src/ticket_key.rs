//! The keys of PassTickets: which profile of class PTKTDATA has the key of an application (z/OS Security Server RACF Security Administrator's
//! Guide, Defining profiles in the PTKTDATA class).

use zeroize::Zeroizing;

use crate::database::Database;
use crate::moment::Moment;
use crate::name::{GroupName8, Name8, UserId8};
use crate::passticket::{self, LEGACY_KEY_BYTES, TicketKey};
use crate::profile::{SignonSegment, TicketAlphabet};
use crate::secret::of_hexadecimal;
use crate::state::State;

/// A key with the rules of its profile.
pub(crate) struct ApplicationKey {
    key: Zeroizing<Vec<u8>>,
    /// None for the original algorithm.
    alphabet: Option<TicketAlphabet>,
    pub replay: bool,
    pub timeout_seconds: u32,
}

impl ApplicationKey {
    pub fn key(&self) -> TicketKey<'_> {
        match self.alphabet {
            Some(alphabet) => TicketKey::Enhanced(&self.key, alphabet),
            None => TicketKey::Legacy(self.key[..].try_into().unwrap_or([0; LEGACY_KEY_BYTES])),
        }
    }

    /// Whether letters of a ticket have a case.
    pub fn is_mixed(&self) -> bool {
        self.alphabet == Some(TicketAlphabet::Mixed)
    }
}

/// The key for a user and application: of the profile for the group and user, for the user, for the group, for all.
pub(crate) fn ticket_key(state: &State, user: UserId8, group: GroupName8, application: Name8) -> Option<ApplicationKey> {
    let class = Name8::constant("PTKTDATA");
    let names = [
        format!("{application}.{group}.{user}"),
        format!("{application}.{user}"),
        format!("{application}.{group}"),
        application.to_string(),
    ];
    let profile = names.iter().find_map(|name| state.profile(class, name)).filter(|_| state.settings.active.contains(&class))?;
    let signon = profile.signon.as_ref()?;
    let (text, alphabet) = key_of(state, signon)?;
    let key = Zeroizing::new(of_hexadecimal(&text)?);
    Some(ApplicationKey { key, alphabet, replay: signon.replay, timeout_seconds: signon.timeout_seconds })
}

/// The enhanced algorithm is used if its key is there.
fn key_of(state: &State, signon: &SignonSegment) -> Option<(Zeroizing<String>, Option<TicketAlphabet>)> {
    let enhanced = signon.key_label.as_ref().and_then(|label| state.keys.get(label));
    match (enhanced, &signon.key) {
        (Some(key), _) => Some((Zeroizing::new(key.clone()), Some(signon.alphabet))),
        (None, Some(key)) if key.len() == 2 * LEGACY_KEY_BYTES => Some((Zeroizing::new(key.clone()), None)),
        _ => None,
    }
}

impl Database {
    /// A PassTicket of a user for an application; none if no profile of class PTKTDATA has a key for it. Whether the caller may ask for it is
    /// the caller's to check (class PTKTDATA, resource IRRPTAUTH.application.user, level UPDATE).
    pub fn generate_passticket(&self, user: UserId8, application: Name8, now: Moment) -> Option<String> {
        let key = self.with_state(|state| {
            let group = state.users.get(&user)?.default_group;
            ticket_key(state, user, group, application)
        })?;
        Some(passticket::generate(&key.key(), user, application, now))
    }
}
