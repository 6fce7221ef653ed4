//! Users, groups and connects, as ADDUSER, ADDGROUP and CONNECT describe them (z/OS Security Server RACF Command Language Reference).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::level::Level;
use crate::moment::Moment;
use crate::name::{GroupName8, Name8, UserId8};
use crate::secret::HashedSecret;

/// The longest installation data (DATA).
pub(crate) const DATA_LENGTH_MAX: usize = 255;
/// The longest name of a user (NAME).
pub(crate) const USER_NAME_LENGTH_MAX: usize = 20;
/// Operator classes have the numbers from 1 to this (CICS OPCLASS).
pub(crate) const OPERATOR_CLASS_MAX: u8 = 24;

/// What a user may do in a group (CONNECT AUTHORITY).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum GroupAuthority {
    Use,
    Create,
    Connect,
    Join,
}

impl GroupAuthority {
    pub(crate) const ALL: [GroupAuthority; 4] =
        [GroupAuthority::Use, GroupAuthority::Create, GroupAuthority::Connect, GroupAuthority::Join];

    pub(crate) fn name(self) -> &'static str {
        match self {
            GroupAuthority::Use => "USE",
            GroupAuthority::Create => "CREATE",
            GroupAuthority::Connect => "CONNECT",
            GroupAuthority::Join => "JOIN",
        }
    }
}

/// Whether a user or a connect is revoked now, and the days from which that changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revocation {
    #[serde(default)]
    pub revoked: bool,
    /// The day from which access is revoked (REVOKE(date)).
    #[serde(default)]
    pub revoke_from: Option<Moment>,
    /// The day from which access is given again (RESUME(date)).
    #[serde(default)]
    pub resume_from: Option<Moment>,
}

impl Revocation {
    /// Whether access is revoked at a moment. Of two dates that have passed the later decides.
    pub fn is_revoked(&self, now: Moment) -> bool {
        let passed = |date: Option<Moment>| date.filter(|date| *date <= now);
        match (passed(self.revoke_from), passed(self.resume_from)) {
            (None, None) => self.revoked,
            (revoke, resume) => revoke > resume,
        }
    }
}

/// The attributes of a user.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attributes {
    #[serde(default)]
    pub special: bool,
    #[serde(default)]
    pub operations: bool,
    #[serde(default)]
    pub auditor: bool,
    #[serde(default)]
    pub read_only_auditor: bool,
    /// Only access lists give access: neither the universal access, ID(*) nor the global access table does.
    #[serde(default)]
    pub restricted: bool,
    /// All accesses are audited.
    #[serde(default)]
    pub user_audit: bool,
    /// Cannot sign on: the user has neither password nor phrase and is for started tasks.
    #[serde(default)]
    pub protected: bool,
}

/// That a user belongs to a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connect {
    pub authority: GroupAuthority,
    pub owner: Name8,
    pub created: Moment,
    pub uacc: Level,
    #[serde(flatten)]
    pub revocation: Revocation,
}

/// Operator data: the CICS segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CicsSegment {
    /// One to three characters.
    #[serde(default)]
    pub operator_identification: String,
    /// Bit n - 1 is operator class n.
    #[serde(default)]
    pub operator_classes: u32,
    #[serde(default)]
    pub operator_priority: u8,
    /// Minutes without work after which the user is signed off; 0 for never.
    #[serde(default)]
    pub timeout_minutes: u16,
    /// Whether the user is signed off by force when an alternate system takes over (XRFSOFF(FORCE)).
    #[serde(default)]
    pub signed_off_by_force: bool,
    #[serde(default)]
    pub resource_keys: Vec<u8>,
    #[serde(default)]
    pub transaction_keys: Vec<u8>,
}

impl Default for CicsSegment {
    /// A user without a CICS segment has operator class 1.
    fn default() -> Self {
        CicsSegment {
            operator_identification: String::new(),
            operator_classes: 1,
            operator_priority: 0,
            timeout_minutes: 0,
            signed_off_by_force: false,
            resource_keys: Vec::new(),
            transaction_keys: Vec::new(),
        }
    }
}

/// The languages of a user: the LANGUAGE segment, codes of three letters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LanguageSegment {
    #[serde(default)]
    pub primary: Option<String>,
    #[serde(default)]
    pub secondary: Option<String>,
}

/// When a user may sign on (WHEN of ADDUSER and ALTUSER).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Logon {
    /// Bit n is day n of the week, from Sunday.
    pub days: u8,
    /// Minutes of the day, of which the first is allowed and the last is not; none for any time. The first may be later than the last: overnight.
    #[serde(default)]
    pub minutes: Option<(u16, u16)>,
}

/// Every day of the week.
pub(crate) const ANY_DAY: u8 = 0x7F;

impl Logon {
    /// Whether a sign-on is allowed at a moment. A night belongs to the day that it begins on.
    pub fn is_allowed(&self, now: Moment) -> bool {
        let (day, minute) = now.day_and_minute();
        let is_day = |day: u32| self.days >> day & 1 == 1;
        match self.minutes {
            None => is_day(day),
            Some((from, to)) if from < to => is_day(day) && (from..to).contains(&minute),
            Some((from, to)) => is_day(day) && minute >= from || is_day((day + 6) % 7) && minute < to,
        }
    }
}

/// A password or phrase of a user and those before it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredSecret {
    #[serde(default)]
    pub current: Option<HashedSecret>,
    /// Earlier ones, the last first.
    #[serde(default)]
    pub history: Vec<HashedSecret>,
    /// When it was last changed; none if it must be changed at the next sign-on.
    #[serde(default)]
    pub changed: Option<Moment>,
}

/// A user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    pub id: UserId8,
    #[serde(default)]
    pub name: String,
    pub owner: Name8,
    pub default_group: GroupName8,
    pub created: Moment,
    #[serde(flatten)]
    pub attributes: Attributes,
    #[serde(flatten)]
    pub revocation: Revocation,
    #[serde(default)]
    pub password: StoredSecret,
    #[serde(default)]
    pub phrase: StoredSecret,
    /// Days after which password and phrase expire; 0 for never; the installation's if none.
    #[serde(default)]
    pub interval_days: Option<u16>,
    #[serde(default)]
    pub data: String,
    #[serde(default)]
    pub cics: Option<CicsSegment>,
    #[serde(default)]
    pub language: Option<LanguageSegment>,
    /// None: at any time.
    #[serde(default)]
    pub logon: Option<Logon>,
    /// What the operator identification card of the user says.
    #[serde(default)]
    pub card: Option<HashedSecret>,
    pub connects: BTreeMap<GroupName8, Connect>,
    /// The last sign-on.
    #[serde(default)]
    pub used: Option<Moment>,
    /// Wrong passwords and phrases since the last right one.
    #[serde(default)]
    pub failures: u32,
}

/// A group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    pub name: GroupName8,
    pub owner: Name8,
    /// None for the group at the top.
    #[serde(default)]
    pub superior: Option<GroupName8>,
    pub created: Moment,
    #[serde(default)]
    pub data: String,
    #[serde(default)]
    pub universal: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_night_belongs_to_the_day_it_begins_on() {
        // 1 January 2026 is a Thursday.
        let at = |day: i64, hour: i64| Moment(1_767_225_600 + day * 86_400 + hour * 3600);
        let weekdays = Logon { days: 0b011_1110, minutes: Some((8 * 60, 17 * 60)) };
        assert_eq!([7, 8, 16, 17].map(|hour| weekdays.is_allowed(at(0, hour))), [false, true, true, false]);
        assert_eq!([1, 2, 3, 4].map(|day| weekdays.is_allowed(at(day, 12))), [true, false, false, true]);
        let nights = Logon { days: 1 << 5, minutes: Some((22 * 60, 6 * 60)) };
        assert_eq!(
            [(0, 23), (1, 5), (1, 22), (2, 5), (2, 6), (2, 22)].map(|(day, hour)| nights.is_allowed(at(day, hour))),
            [false, false, true, true, false, false]
        );
        let always = Logon { days: ANY_DAY, minutes: None };
        assert!((0..7).all(|day| always.is_allowed(at(day, 3))));
    }

    #[test]
    fn of_a_revoke_and_a_resume_date_the_later_decides() {
        let revocation = |revoked, revoke: Option<i64>, resume: Option<i64>| Revocation {
            revoked,
            revoke_from: revoke.map(Moment),
            resume_from: resume.map(Moment),
        };
        let at = |revocation: Revocation, now| revocation.is_revoked(Moment(now));
        assert!(!at(revocation(false, Some(100), None), 99));
        assert!(at(revocation(false, Some(100), None), 100));
        assert!(at(revocation(true, None, Some(100)), 99));
        assert!(!at(revocation(true, None, Some(100)), 100));
        // A leave: revoked from 100, again active from 200.
        let leave = revocation(false, Some(100), Some(200));
        assert_eq!([99, 100, 199, 200].map(|now| at(leave, now)), [false, true, true, false]);
        // Active from 100 to 200.
        let guest = revocation(true, Some(200), Some(100));
        assert_eq!([99, 100, 199, 200].map(|now| at(guest, now)), [true, false, false, true]);
    }
}
