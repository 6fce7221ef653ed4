//! Whether a user has access to a resource (z/OS Security Server RACF Security Administrator's Guide, Authorization checking for RACF-protected
//! resources).

use std::sync::Arc;

use crate::generic;
use crate::identity::Identity;
use crate::level::Level;
use crate::name::Name8;
use crate::prepared::{ClassIndex, Index, Prepared, ProfileName};
use crate::profile::{Accessor, AuditRule};

/// What an identity may do with a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The highest level that is allowed; none if no profile protects the resource (return code 4 of RACROUTE REQUEST=AUTH, or what the
    /// class descriptor table says).
    pub level: Option<Level>,
    /// The profile that decided; none too if the global access checking table did.
    pub profile: Option<Arc<ProfileName>>,
    /// The profile is in warning mode: what is not allowed is done all the same, and recorded.
    pub warning: bool,
    /// The return code for a resource without profile, by the class descriptor table: 4 or 8.
    pub default_return_code: u8,
    audit: AuditRule,
    global_audit: AuditRule,
    user_audit: bool,
}

impl Decision {
    /// No profile, or a class that is not active or not known.
    fn without_profile(identity: &Identity, default_return_code: u8) -> Decision {
        Decision {
            level: None,
            profile: None,
            warning: false,
            default_return_code,
            audit: AuditRule::NONE,
            global_audit: AuditRule::NONE,
            user_audit: identity.attributes.user_audit,
        }
    }

    /// Whether an access at a level is allowed by a profile, or would be but for nothing more than warning mode.
    pub fn allows(&self, asked: Level) -> bool {
        self.level.is_some_and(|level| level >= asked) || self.warning
    }

    /// The return code of RACROUTE REQUEST=AUTH: 0 allowed, 4 no decision, 8 not allowed.
    pub fn return_code(&self, asked: Level) -> u8 {
        match self.level {
            None => self.default_return_code,
            Some(_) if self.allows(asked) => 0,
            Some(_) => 8,
        }
    }

    /// Whether the attempt is recorded: by the profile's AUDIT and GLOBALAUDIT, for a user with UAUDIT, or because of warning mode.
    pub fn is_audited(&self, asked: Level) -> bool {
        let is_granted = self.level.is_some_and(|level| level >= asked);
        let is_warned = self.warning && !is_granted;
        self.user_audit || is_warned || self.audit.records(asked, is_granted) || self.global_audit.records(asked, is_granted)
    }
}

impl Index {
    /// What an identity may do with a resource of a class.
    pub fn access(&self, identity: &Identity, class: Name8, resource: &str) -> Decision {
        /// Return code of a request that names a class that is not active.
        const NOT_ACTIVE: u8 = 4;
        let index = self.classes.get(&class).filter(|_| self.settings.active.contains(&class));
        let Some(index) = index else { return Decision::without_profile(identity, NOT_ACTIVE) };
        let global = if identity.attributes.restricted { None } else { global_access(index, identity, resource) };
        if identity.trusted || global == Some(Level::Alter) {
            return Decision { level: Some(Level::Alter), ..Decision::without_profile(identity, 0) };
        }
        let Some(prepared) = index.find(resource) else {
            return Decision { level: global, ..Decision::without_profile(identity, index.class.default_return_code) };
        };
        let level = level_of(prepared, identity, self.settings.group_list);
        let operations = index.class.operations && identity.attributes.operations && !has_own_entry(prepared, identity);
        Decision {
            level: Some(level.max(global.unwrap_or(Level::None)).max(if operations { Level::Alter } else { Level::None })),
            profile: Some(prepared.name.clone()),
            warning: prepared.warning,
            default_return_code: index.class.default_return_code,
            audit: prepared.audit,
            global_audit: prepared.global_audit,
            user_audit: identity.attributes.user_audit,
        }
    }
}

/// OPERATIONS does not help a user whom the access list names.
fn has_own_entry(prepared: &Prepared, identity: &Identity) -> bool {
    prepared.entry(identity.user).is_some() || prepared.entry(identity.group).is_some()
}

/// The entry of the user decides; else the highest of the groups; else what all have. A conditional access list can only add to it.
fn level_of(prepared: &Prepared, identity: &Identity, group_list: bool) -> Level {
    let of_groups = || {
        let groups = if group_list { &identity.groups[..] } else { std::slice::from_ref(&identity.group) };
        groups.iter().filter_map(|group| prepared.entry(*group)).max()
    };
    let of_all = || match identity.attributes.restricted {
        true => Level::None,
        false => prepared.everyone.unwrap_or(Level::None).max(prepared.uacc),
    };
    let standard = prepared.entry(identity.user).or_else(of_groups).unwrap_or_else(of_all);
    let Some(terminal) = identity.terminal else { return standard };
    let is_for = |id: Accessor| match id {
        Accessor::Everyone => !identity.attributes.restricted,
        Accessor::Id(name) => name == identity.user || identity.groups.contains(&name),
    };
    let conditional = prepared.conditional.iter().filter(|entry| entry.terminal == terminal && is_for(entry.id));
    conditional.map(|entry| entry.level).fold(standard, Level::max)
}

/// What the global access checking table gives. &RACUID and &RACGPID stand for the user and the current group.
fn global_access(index: &ClassIndex, identity: &Identity, resource: &str) -> Option<Level> {
    let matches = |pattern: &str| {
        if !pattern.contains('&') {
            return generic::matches(pattern, resource);
        }
        let pattern = pattern.replace("&RACUID", identity.user.as_str()).replace("&RACGPID", identity.group.as_str());
        generic::matches(&pattern, resource)
    };
    index.global.iter().filter(|entry| matches(&entry.pattern)).map(|entry| entry.level).max()
}
