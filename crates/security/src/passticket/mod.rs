//! PassTickets: passwords that an application computes from a key it shares with the database, each valid once and for some minutes.

mod enhanced;
mod legacy;

use crate::moment::Moment;
use crate::name::Name8;
use crate::profile::TicketAlphabet;

/// Characters of a PassTicket.
pub const PASSTICKET_LENGTH: usize = 8;
/// Bytes of the key of the original algorithm.
pub(crate) const LEGACY_KEY_BYTES: usize = 8;

/// The key of an application.
pub(crate) enum TicketKey<'a> {
    /// The original algorithm, by DES.
    Legacy([u8; LEGACY_KEY_BYTES]),
    /// The enhanced algorithm, by HMAC-SHA-512.
    Enhanced(&'a [u8], TicketAlphabet),
}

/// The PassTicket of a user for an application at a moment.
pub(crate) fn generate(key: &TicketKey, user: Name8, application: Name8, moment: Moment) -> String {
    match key {
        TicketKey::Legacy(key) => legacy::Generator::new(key, user, application).ticket(moment),
        TicketKey::Enhanced(key, alphabet) => enhanced::Generator::new(key, user, application, *alphabet).ticket(moment),
    }
}

/// Whether a text is a PassTicket of the user for the application whose time is within the timeout of now.
pub(crate) fn is_valid(key: &TicketKey, user: Name8, application: Name8, ticket: &str, now: Moment, timeout_seconds: u32) -> bool {
    let times = now.0 - i64::from(timeout_seconds)..=now.0 + i64::from(timeout_seconds);
    if ticket.len() != PASSTICKET_LENGTH {
        return false;
    }
    match key {
        TicketKey::Legacy(key) => {
            let generator = legacy::Generator::new(key, user, application);
            // No time can be read from the ticket, because its translation to characters loses some of it.
            times.into_iter().fold(false, |found, time| found | (generator.ticket(Moment(time)) == ticket))
        }
        TicketKey::Enhanced(key, alphabet) => {
            let time = enhanced::Generator::new(key, user, application, *alphabet).time_of(ticket);
            time.is_some_and(|time| times.contains(&time.0))
        }
    }
}

/// A name in EBCDIC, padded with blanks.
fn in_ebcdic(name: Name8) -> [u8; 8] {
    let page = codepage::by_ccsid(EBCDIC).expect("code page 1047");
    name.padded().map(|byte| page.ascii(byte))
}

/// The code page of the algorithms.
const EBCDIC: u16 = 1047;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_valid_for_its_user_application_and_time() {
        let key = [0x98, 0x76, 0x54, 0x32, 0x10, 0xAB, 0xCD, 0xEF];
        let hmac_key: Vec<u8> = (0..64).collect();
        let keys = [
            TicketKey::Legacy(key),
            TicketKey::Enhanced(&hmac_key, TicketAlphabet::Upper),
            TicketKey::Enhanced(&hmac_key, TicketAlphabet::Mixed),
        ];
        let (user, application) = (Name8::constant("TOM"), Name8::constant("CICSPROD"));
        for key in &keys {
            for time in [1_700_000_000, 1_700_000_001, 1_795_000_123, 4_102_444_800] {
                let ticket = generate(key, user, application, Moment(time));
                let at = |user, application, time| is_valid(key, user, application, &ticket, Moment(time), 600);
                assert!(at(user, application, time) && at(user, application, time + 600) && at(user, application, time - 600), "{ticket}");
                assert!(!at(user, application, time + 601) && !at(user, application, time - 601), "{ticket}");
                assert!(!at(Name8::constant("TIM"), application, time) && !at(user, Name8::constant("CICSTEST"), time));
                assert!(!is_valid(key, user, application, "", Moment(time), 600));
                assert!(!is_valid(key, user, application, "ÄÄÄÄ", Moment(time), 600));
            }
        }
    }
}
