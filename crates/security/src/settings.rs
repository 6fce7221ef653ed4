//! The options of the installation that SETROPTS sets (z/OS Security Server RACF Command Language Reference, SETROPTS).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::class;
use crate::name::Name8;

/// Rules of passwords by RULE1 to RULE8.
pub(crate) const RULES_MAX: usize = 8;
/// Earlier passwords that are kept (HISTORY).
pub(crate) const HISTORY_MAX: u8 = 32;
/// Days of INTERVAL and MINCHANGE.
pub(crate) const INTERVAL_DAYS_MAX: u16 = 254;
/// Wrong passwords of REVOKE.
pub(crate) const REVOKE_MAX: u8 = 254;

/// What a character of a password must be, by the words of RULEn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Content {
    Alpha,
    Alphanum,
    Consonant,
    MixedAll,
    MixedConsonant,
    MixedNum,
    MixedVowel,
    National,
    NoVowel,
    Numeric,
    Special,
    Vowel,
}

/// One of RULE1 to RULE8: the lengths it is for, and what stands at each position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PasswordRule {
    pub length_min: u8,
    pub length_max: u8,
    /// By position, from 0; none for any character.
    pub contents: Vec<Option<Content>>,
}

/// SETROPTS PASSWORD.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PasswordOptions {
    /// Days after which passwords expire, for users without an interval of their own.
    pub interval_days: u16,
    /// Days before which a user may not change a password again.
    pub minimum_change_days: u16,
    /// Earlier passwords that may not be used again.
    pub history: u8,
    /// Wrong passwords in succession after which a user is revoked; 0 for never.
    pub revoke_after: u8,
    pub mixed_case: bool,
    pub special_characters: bool,
    pub rules: [Option<PasswordRule>; RULES_MAX],
}

impl Default for PasswordOptions {
    /// As RACF initializes its database: INTERVAL(30), and no other rule, except that users are revoked after three wrong passwords.
    fn default() -> Self {
        PasswordOptions {
            interval_days: 30,
            minimum_change_days: 0,
            history: 0,
            revoke_after: 3,
            mixed_case: false,
            special_characters: false,
            rules: Default::default(),
        }
    }
}

/// The options of the installation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    pub password: PasswordOptions,
    /// Classes in which access is checked (CLASSACT).
    pub active: BTreeSet<Name8>,
    /// Classes with generic profiles (GENERIC).
    pub generic: BTreeSet<Name8>,
    /// Classes whose profiles take effect when they are refreshed (RACLIST).
    pub listed: BTreeSet<Name8>,
    /// Classes with global access checking (GLOBAL).
    pub global: BTreeSet<Name8>,
    /// Classes in which changes of profiles are recorded (AUDIT).
    pub audit: BTreeSet<Name8>,
    /// Whether the access lists are searched for all groups of a user, not only for the current one (GRPLIST).
    pub group_list: bool,
    /// Days without sign-on after which a user is revoked (INACTIVE); 0 for never.
    pub inactive_days: u16,
    /// Sign-ons of users with SPECIAL, and all commands, are recorded (SAUDIT).
    pub special_audit: bool,
    /// Terminals without a profile may be used (TERMINAL(READ)).
    pub undefined_terminals: bool,
    /// Default languages.
    pub language_primary: String,
    pub language_secondary: String,
}

impl Default for Settings {
    /// All supplied classes are active and take generic profiles, so that a profile protects from the moment it is defined.
    fn default() -> Self {
        let all: BTreeSet<Name8> = class::supplied().map(|class| class.name).collect();
        let generic = class::supplied().filter(|class| class.generic).map(|class| class.name).collect();
        Settings {
            password: PasswordOptions::default(),
            active: all,
            generic,
            listed: BTreeSet::new(),
            global: BTreeSet::new(),
            audit: BTreeSet::new(),
            group_list: true,
            inactive_days: 0,
            special_audit: true,
            undefined_terminals: true,
            language_primary: "ENU".to_string(),
            language_secondary: "ENU".to_string(),
        }
    }
}
