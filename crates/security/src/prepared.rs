//! The profiles of a class in the form in which access is looked up: by name, and generic ones by the text before their first generic
//! character. Members of grouping profiles stand beside the profiles of their class; where several protect one resource, they are merged
//! (z/OS Security Server RACF Security Administrator's Guide, Resolving conflicts among grouping profiles).

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::class::Class;
use crate::generic;
use crate::level::Level;
use crate::name::Name8;
use crate::profile::{Accessor, AuditRule, ConditionalAccess, Profile};
use crate::settings::Settings;

/// Where a decision comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileName {
    /// The class, or the grouping class, of the profile.
    pub class: Name8,
    pub name: String,
    pub is_generic: bool,
}

/// A profile, or several that were merged.
#[derive(Debug, Clone)]
pub(crate) struct Prepared {
    pub name: Arc<ProfileName>,
    pub uacc: Level,
    pub everyone: Option<Level>,
    /// Sorted by name.
    access: Vec<(Name8, Level)>,
    pub conditional: Vec<ConditionalAccess>,
    pub audit: AuditRule,
    pub global_audit: AuditRule,
    pub warning: bool,
}

impl Prepared {
    fn of(profile: &Profile) -> Prepared {
        let name = ProfileName { class: profile.class, name: profile.name.clone(), is_generic: profile.generic };
        let ids = profile.access.iter().filter_map(|(accessor, level)| match accessor {
            Accessor::Id(name) => Some((*name, *level)),
            Accessor::Everyone => None,
        });
        Prepared {
            name: Arc::new(name),
            uacc: profile.uacc,
            everyone: profile.access.get(&Accessor::Everyone).copied(),
            access: ids.collect(),
            conditional: profile.conditional_access.clone(),
            audit: profile.audit,
            global_audit: profile.global_audit,
            warning: profile.warning,
        }
    }

    /// Takes in another profile for the same resource: the most restrictive universal access, the least restrictive entry of each access
    /// list, every record that one of them asks for. The name is that of the later.
    fn merge(&mut self, other: Prepared) {
        self.uacc = self.uacc.min(other.uacc);
        self.everyone = self.everyone.max(other.everyone);
        for (name, level) in other.access {
            match self.access.binary_search_by_key(&name, |(name, _)| *name) {
                Ok(at) => self.access[at].1 = self.access[at].1.max(level),
                Err(at) => self.access.insert(at, (name, level)),
            }
        }
        self.conditional.extend(other.conditional);
        self.audit = union(self.audit, other.audit);
        self.global_audit = union(self.global_audit, other.global_audit);
        self.warning |= other.warning;
        self.name = other.name;
    }

    /// The entry of a user or group.
    pub fn entry(&self, name: Name8) -> Option<Level> {
        self.access.binary_search_by_key(&name, |(name, _)| *name).ok().map(|at| self.access[at].1)
    }
}

fn union(first: AuditRule, second: AuditRule) -> AuditRule {
    let lower = |first: Option<Level>, second: Option<Level>| match (first, second) {
        (Some(first), Some(second)) => Some(first.min(second)),
        (first, second) => first.or(second),
    };
    AuditRule {
        successes_from: lower(first.successes_from, second.successes_from),
        failures_from: lower(first.failures_from, second.failures_from),
    }
}

/// An entry of the global access checking table.
#[derive(Debug, Clone)]
pub(crate) struct GlobalEntry {
    pub pattern: String,
    pub level: Level,
}

/// A class in which access can be decided.
pub(crate) struct ClassIndex {
    pub class: Class,
    discrete: FxHashMap<Box<str>, Prepared>,
    /// Generic profiles by their literal prefix, each list from the most specific to the least.
    generic: FxHashMap<Box<str>, Vec<(Box<str>, Prepared)>>,
    /// The lengths of the prefixes, descending.
    prefix_lengths: Vec<usize>,
    pub global: Vec<GlobalEntry>,
}

impl ClassIndex {
    /// `groups` and `own` are the profiles in effect of the grouping class and of the class, `global` the members of its profile in class
    /// GLOBAL.
    pub fn new<'a>(
        class: &Class,
        settings: &Settings,
        groups: impl Iterator<Item = &'a Arc<Profile>>,
        own: impl Iterator<Item = &'a Arc<Profile>>,
        global: &[String],
    ) -> ClassIndex {
        let mut all: FxHashMap<Box<str>, Prepared> = FxHashMap::default();
        let mut add = |name: &str, prepared: Prepared| match all.get_mut(name) {
            Some(there) => there.merge(prepared),
            None => drop(all.insert(name.into(), prepared)),
        };
        for profile in groups {
            profile.members.iter().for_each(|member| add(member, Prepared::of(profile)));
        }
        own.for_each(|profile| add(&profile.name, Prepared::of(profile)));
        let uses_generic = settings.generic.contains(&class.name);
        let (patterns, discrete) = all.into_iter().partition(|(name, _)| uses_generic && generic::is_generic(name));
        let patterns: FxHashMap<Box<str>, Prepared> = patterns;
        let mut by_prefix: FxHashMap<Box<str>, Vec<(Box<str>, Prepared)>> = FxHashMap::default();
        for (pattern, prepared) in patterns {
            by_prefix.entry(generic::literal_prefix(&pattern).into()).or_default().push((pattern, prepared));
        }
        by_prefix.values_mut().for_each(|list| list.sort_by_cached_key(|(pattern, _)| generic::specificity(pattern)));
        let mut prefix_lengths: Vec<usize> = by_prefix.keys().map(|prefix| prefix.len()).collect();
        prefix_lengths.sort_unstable_by(|first, second| second.cmp(first));
        prefix_lengths.dedup();
        ClassIndex { class: class.clone(), discrete, generic: by_prefix, prefix_lengths, global: global_entries(settings, class, global) }
    }

    /// The profile that protects a resource: the discrete one, or the most specific of the generic ones.
    pub fn find(&self, resource: &str) -> Option<&Prepared> {
        if let Some(found) = self.discrete.get(resource) {
            return Some(found);
        }
        let candidates = self.prefix_lengths.iter().filter_map(|length| self.generic.get(resource.get(..*length)?));
        // `ABC.**` has the prefix ABC, and is less specific than what has the prefix `ABC.`, whose list comes before.
        candidates.flatten().find(|(pattern, _)| generic::matches(pattern, resource)).map(|(_, prepared)| prepared)
    }
}

fn global_entries(settings: &Settings, class: &Class, members: &[String]) -> Vec<GlobalEntry> {
    if !settings.global.contains(&class.name) {
        return Vec::new();
    }
    let entry = |member: &String| {
        let (pattern, level) = member.rsplit_once('/')?;
        Some(GlobalEntry { pattern: pattern.to_string(), level: Level::of_name(level)? })
    };
    members.iter().filter_map(entry).collect()
}

/// All classes, as they were at one moment.
#[derive(Default)]
pub(crate) struct Index {
    pub classes: FxHashMap<Name8, Arc<ClassIndex>>,
    pub settings: Arc<Settings>,
}
