//! The enhanced PassTicket algorithm (z/OS Security Server RACF Macros and Interfaces, The enhanced PassTicket algorithm). Step names are those
//! of the document. A ticket is an encryption of its time, so the time can be read from it.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha512;

use super::{PASSTICKET_LENGTH, in_ebcdic};
use crate::moment::Moment;
use crate::name::Name8;
use crate::profile::TicketAlphabet;

/// The characters of tickets: the first 36 of type UPPER, all of type MIXED.
const CHARACTERS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
const UPPER: u64 = 36;
const MIXED: u64 = 64;
/// Bits of half a ticket.
const HALF_BITS: u32 = 24;
const HALF: u64 = (1 << HALF_BITS) - 1;
/// Of a half that a round of type UPPER masks, the bits that remain.
const UPPER_HALF: u64 = HALF >> 7;
const ROUNDS: u8 = 6;

/// Makes and reads the tickets of one user for one application.
pub(super) struct Generator {
    mac: Hmac<Sha512>,
    names: [u8; 16],
    alphabet: TicketAlphabet,
    /// Steps 1 and 2: what the time is masked with.
    mask: u64,
}

impl Generator {
    pub(super) fn new(key: &[u8], user: Name8, application: Name8, alphabet: TicketAlphabet) -> Generator {
        let mac = Hmac::<Sha512>::new_from_slice(key).expect("HMAC takes keys of any length");
        let mut names = [0; 16];
        names[..8].copy_from_slice(&in_ebcdic(user));
        names[8..].copy_from_slice(&in_ebcdic(application));
        let code = mac.clone().chain_update(names).finalize().into_bytes();
        let mask = code[..6].iter().fold(0, |mask, byte| mask << 8 | u64::from(*byte));
        Generator { mac, names, alphabet, mask }
    }

    /// The ticket of a moment.
    pub(super) fn ticket(&self, moment: Moment) -> String {
        // Steps 3 and 4: the seconds since 1970 in 48 bits.
        let input = (moment.0 as u64 & (HALF << HALF_BITS | HALF)) ^ self.mask;
        let (mut left, mut right) = (input >> HALF_BITS, input & HALF);
        for round in 1..=ROUNDS {
            let mixed = (left ^ self.round_code(right, round)) & self.kept(round);
            (left, right) = (right, mixed);
        }
        let mut rest = left << HALF_BITS | right;
        let mut characters = [0; PASSTICKET_LENGTH];
        for character in characters.iter_mut().rev() {
            *character = CHARACTERS[(rest % self.base()) as usize];
            rest /= self.base();
        }
        String::from_utf8(characters.to_vec()).expect("ASCII")
    }

    /// The moment of a ticket: its rounds in reverse. None if the text has other characters; any moment if it is not a ticket.
    pub(super) fn time_of(&self, ticket: &str) -> Option<Moment> {
        let mut rest: u64 = 0;
        for byte in ticket.bytes() {
            let value = CHARACTERS[..self.base() as usize].iter().position(|character| *character == byte)? as u64;
            rest = rest * self.base() + value;
        }
        let (mut left, mut right) = (rest >> HALF_BITS, rest & HALF);
        for round in (1..=ROUNDS).rev() {
            // What a round of type UPPER cut off was zero in the rounds before, and in the first the upper bits of the mask, as those of the
            // time are zero.
            let kept = self.kept(round);
            let before = (right ^ self.round_code(left, round)) & kept;
            let cut = if round == 1 { self.mask >> HALF_BITS & (HALF & !kept) } else { 0 };
            (left, right) = (before | cut, left);
        }
        let time = (left << HALF_BITS | right) ^ self.mask;
        let moment = Moment(i64::try_from(time).ok()?);
        // A text that the rounds do not lead back to is no ticket.
        (self.ticket(moment) == ticket).then_some(moment)
    }

    /// Steps B and C: the code of one half, in a round.
    fn round_code(&self, half: u64, round: u8) -> u64 {
        let bytes = half.to_be_bytes();
        let code = self.mac.clone().chain_update(&bytes[5..]).chain_update([round]).chain_update(self.names).finalize().into_bytes();
        u64::from(code[0]) << 16 | u64::from(code[1]) << 8 | u64::from(code[2])
    }

    /// Step F: the bits that a round keeps. Rounds 1, 3 and 5 of type UPPER cut off seven, so that the ticket has eight characters of 36.
    fn kept(&self, round: u8) -> u64 {
        if self.alphabet == TicketAlphabet::Upper && round % 2 == 1 { UPPER_HALF } else { HALF }
    }

    fn base(&self) -> u64 {
        match self.alphabet {
            TicketAlphabet::Upper => UPPER,
            TicketAlphabet::Mixed => MIXED,
        }
    }
}
