//! Secrets that users enter, and the form in which the database keeps them.
//!
//! Invariants: a secret is erased from memory when it is dropped, is never printed, and is compared in constant time. What is stored is the
//! Argon2id hash; a comparison with a hash always does the whole work.

use std::fmt;

use argon2::{Algorithm, Argon2, Params, Version};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

/// The longest password; what is longer is a phrase.
pub const PASSWORD_LENGTH_MAX: usize = 8;
/// The longest phrase.
pub const PHRASE_LENGTH_MAX: usize = 100;
/// The shortest phrase. RACF requires 14 characters unless an exit allows 9; CICS takes phrases from 9.
pub const PHRASE_LENGTH_MIN: usize = 9;

/// The longest text of an operator identification card.
pub const CARD_LENGTH_MAX: usize = 65;

const HASH_BYTES: usize = 32;
const SALT_BYTES: usize = 16;
/// The cost of Argon2id that the OWASP Password Storage Cheat Sheet recommends: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// The most that a stored hash may cost, so that a database cannot make a sign-on endless.
const MEMORY_KIB_MAX: u32 = 256 * 1024;
const PASSES_MAX: u32 = 16;

/// A password, phrase or PassTicket as it was entered.
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// The secret without blanks behind it, which fields of screens and of programs are padded with.
    pub fn new(text: &str) -> Secret {
        Secret(Zeroizing::new(text.trim_end_matches([' ', '\0']).to_string()))
    }

    /// Whether it is too long for a password.
    pub fn is_phrase(&self) -> bool {
        self.length() > PASSWORD_LENGTH_MAX
    }

    /// Characters.
    pub fn length(&self) -> usize {
        self.0.chars().count()
    }

    /// The text, to show it once to whom it is for.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Folded to upper case, as passwords are unless MIXEDCASE is in effect.
    pub(crate) fn upper(&self) -> Secret {
        Secret(Zeroizing::new(self.0.to_uppercase()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("Secret")
    }
}

/// Bytes, written as hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Digits<const LENGTH: usize>([u8; LENGTH]);

/// A hash of a secret with what it was made by.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HashedSecret {
    salt: Digits<SALT_BYTES>,
    hash: Digits<HASH_BYTES>,
    memory_kib: u32,
    passes: u32,
    lanes: u32,
}

impl fmt::Debug for HashedSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("HashedSecret")
    }
}

impl HashedSecret {
    /// Hashes a secret. The salt of an earlier secret of the user is used again, so that one computation compares with the whole history.
    pub(crate) fn of(secret: &Secret, earlier: Option<&HashedSecret>) -> std::io::Result<HashedSecret> {
        let salt = match earlier {
            Some(earlier) if earlier.has_current_cost() => earlier.salt,
            _ => Digits(random()?),
        };
        let mut made = HashedSecret { salt, hash: Digits([0; HASH_BYTES]), memory_kib: MEMORY_KIB, passes: PASSES, lanes: LANES };
        made.hash = Digits(*made.computed(secret));
        Ok(made)
    }

    /// A hash that no secret has, to do the same work for a user who is not there.
    pub(crate) fn of_nothing() -> HashedSecret {
        HashedSecret { salt: Digits([0; SALT_BYTES]), hash: Digits([0; HASH_BYTES]), memory_kib: MEMORY_KIB, passes: PASSES, lanes: LANES }
    }

    /// Whether the secret is this one.
    pub(crate) fn is(&self, secret: &Secret) -> bool {
        self.computed(secret).ct_eq(&self.hash.0).into()
    }

    /// Whether the secret is one of several.
    pub(crate) fn is_one_of<'a>(secret: &Secret, hashes: impl Iterator<Item = &'a HashedSecret>) -> bool {
        let mut computed: Vec<(&HashedSecret, Zeroizing<[u8; HASH_BYTES]>)> = Vec::new();
        let mut found = false;
        for stored in hashes {
            let at = computed.iter().position(|(other, _)| other.is_made_like(stored)).unwrap_or_else(|| {
                computed.push((stored, stored.computed(secret)));
                computed.len() - 1
            });
            found |= bool::from(computed[at].1.ct_eq(&stored.hash.0));
        }
        found
    }

    fn is_made_like(&self, other: &HashedSecret) -> bool {
        (self.salt, self.memory_kib, self.passes, self.lanes) == (other.salt, other.memory_kib, other.passes, other.lanes)
    }

    fn has_current_cost(&self) -> bool {
        (self.memory_kib, self.passes, self.lanes) == (MEMORY_KIB, PASSES, LANES)
    }

    fn computed(&self, secret: &Secret) -> Zeroizing<[u8; HASH_BYTES]> {
        let memory_kib = self.memory_kib.clamp(Params::MIN_M_COST, MEMORY_KIB_MAX);
        let cost = Params::new(memory_kib, self.passes.clamp(1, PASSES_MAX), LANES, Some(HASH_BYTES));
        let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, cost.expect("a cost in its bounds"));
        let mut hash = Zeroizing::new([0; HASH_BYTES]);
        argon.hash_password_into(secret.text().as_bytes(), &self.salt.0, hash.as_mut_slice()).expect("lengths in their bounds");
        hash
    }
}

/// Random bytes of the operating system.
pub(crate) fn random<const LENGTH: usize>() -> std::io::Result<[u8; LENGTH]> {
    use std::io::Read;
    let mut bytes = [0; LENGTH];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Letters and digits that cannot be taken for each other.
const LEGIBLE: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/// Characters of a random password: 40 bits.
const RANDOM_PASSWORD_LENGTH: usize = 8;

/// A random password.
pub(crate) fn random_password() -> std::io::Result<Secret> {
    let mut bytes: [u8; RANDOM_PASSWORD_LENGTH] = random()?;
    let text: Zeroizing<String> =
        Zeroizing::new(bytes.iter().map(|byte| char::from(LEGIBLE[usize::from(*byte) % LEGIBLE.len()])).collect());
    bytes.zeroize();
    Ok(Secret::new(&text))
}

pub(crate) fn to_hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

pub(crate) fn of_hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

impl<const LENGTH: usize> Serialize for Digits<LENGTH> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&to_hexadecimal(&self.0))
    }
}

impl<'a, const LENGTH: usize> Deserialize<'a> for Digits<LENGTH> {
    fn deserialize<D: serde::Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = of_hexadecimal(&text).and_then(|bytes| bytes.try_into().ok());
        bytes.map(Digits).ok_or_else(|| serde::de::Error::custom("hexadecimal digits expected"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_tells_its_secret_from_others() {
        let stored = HashedSecret::of(&Secret::new("SECRET"), None).unwrap();
        assert!(stored.is(&Secret::new("SECRET  ")));
        assert!(!stored.is(&Secret::new("SECRET1")) && !stored.is(&Secret::new("")));
        assert!(!HashedSecret::of_nothing().is(&Secret::new("")));
        let second = HashedSecret::of(&Secret::new("SECOND"), Some(&stored)).unwrap();
        let history = [stored, second];
        assert!(HashedSecret::is_one_of(&Secret::new("SECRET"), history.iter()));
        assert!(HashedSecret::is_one_of(&Secret::new("SECOND"), history.iter()));
        assert!(!HashedSecret::is_one_of(&Secret::new("THIRD"), history.iter()));
        let kept = serde_json::to_string(&history[0]).unwrap();
        assert_eq!(serde_json::from_str::<HashedSecret>(&kept).unwrap(), history[0]);
        assert!(!format!("{:?}{:?}", history[0], Secret::new("SECRET")).contains("SECRET"));
    }

    #[test]
    fn passwords_have_up_to_eight_characters() {
        assert!(!Secret::new("12345678").is_phrase());
        assert!(Secret::new("123456789").is_phrase());
        assert_eq!(random_password().unwrap().length(), RANDOM_PASSWORD_LENGTH);
    }
}
