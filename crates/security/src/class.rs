//! The class descriptor table: resource classes, from `tables/classes.tsv`, and those that the installation defines by RDEFINE CDT.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::level::Level;
use crate::name::Name8;

/// The longest name of a profile in any class (z/OS Security Server RACF Command Language Reference, RDEFINE).
pub const PROFILE_NAME_LENGTH_MAX: usize = 246;

/// What the class descriptor table says of a class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Class {
    pub name: Name8,
    /// The class of the members of its profiles, if it is a grouping class.
    pub member: Option<Name8>,
    /// Its grouping class, if it has one.
    pub group: Option<Name8>,
    /// The longest name of a profile.
    pub name_length_max: usize,
    /// RACF return code when no profile protects a resource: 4 or 8.
    pub default_return_code: u8,
    /// The universal access of a profile that is defined without one.
    pub default_uacc: Level,
    /// Whether users with the OPERATIONS attribute have access by it.
    pub operations: bool,
    /// Whether names of profiles keep their case.
    pub keeps_case: bool,
    /// Whether generic profiles may be defined.
    pub generic: bool,
    /// The number of a class that the installation defines; SETROPTS treats classes of one number alike.
    #[serde(default)]
    pub position: Option<u32>,
}

static SUPPLIED: LazyLock<FxHashMap<Name8, Class>> = LazyLock::new(|| {
    let rows = include_str!("../tables/classes.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.map(row).map(|class| (class.name, class)).collect()
});

/// The class of a row of the table, which tests have read.
fn row(line: &str) -> Class {
    let columns: Vec<&str> = line.split('\t').collect();
    let [name, partner, length, return_code, uacc, operations, _what] = columns[..] else { panic!("classes.tsv: {line}") };
    let partner_of = |role: &str| partner.strip_prefix(role).map(Name8::constant);
    Class {
        name: Name8::constant(name),
        member: partner_of("groups "),
        group: partner_of("grouped by "),
        name_length_max: length.parse().expect("a length"),
        default_return_code: return_code.parse().expect("a return code"),
        default_uacc: Level::of_name(uacc).expect("a level"),
        operations: operations == "yes",
        keeps_case: name == "EJBROLE" || name == "GEJBROLE",
        generic: name != "CDT" && name != "GLOBAL",
        position: None,
    }
}

/// The classes that are supplied.
pub(crate) fn supplied() -> impl Iterator<Item = &'static Class> {
    SUPPLIED.values()
}

/// A supplied class by its name.
pub(crate) fn of_name(name: Name8) -> Option<&'static Class> {
    SUPPLIED.get(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grouping_and_member_classes_name_each_other() {
        assert!(supplied().count() > 40);
        for class in supplied() {
            assert!((1..=PROFILE_NAME_LENGTH_MAX).contains(&class.name_length_max), "{class:?}");
            assert!([4, 8].contains(&class.default_return_code), "{class:?}");
            if let Some(member) = class.member {
                assert_eq!(of_name(member).and_then(|member| member.group), Some(class.name), "{class:?}");
            }
            if let Some(group) = class.group {
                assert_eq!(of_name(group).and_then(|group| group.member), Some(class.name), "{class:?}");
            }
        }
    }
}
