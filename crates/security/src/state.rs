//! The content of the database in memory: what all changes of the file add up to.
//!
//! Invariant: applying the changes of `snapshot` to an empty state gives this state again.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::change::{Change, Transaction};
use crate::class::{self, Class};
use crate::moment::Moment;
use crate::name::{GroupName8, Name8, UserId8};
use crate::profile::Profile;
use crate::settings::Settings;
use crate::user::{Group, User};

/// The profiles of a class, by name.
pub(crate) type Profiles = BTreeMap<String, Arc<Profile>>;

/// Transactions whose touched users are remembered.
const TOUCHED_MAX: usize = 4096;

/// A PassTicket that has been used.
type UsedTicket = (UserId8, Name8, String);

#[derive(Default)]
pub(crate) struct State {
    pub generation: u64,
    pub users: BTreeMap<UserId8, Arc<User>>,
    pub groups: BTreeMap<GroupName8, Arc<Group>>,
    profiles: BTreeMap<Name8, Arc<Profiles>>,
    /// Of classes in RACLIST: the profiles in effect.
    listed: BTreeMap<Name8, Arc<Profiles>>,
    pub settings: Arc<Settings>,
    pub tickets: BTreeMap<UsedTicket, Moment>,
    pub keys: BTreeMap<String, String>,
    touched: VecDeque<(u64, Vec<UserId8>)>,
    /// What was touched up to this generation is not known.
    touched_after: u64,
    /// Classes whose profiles in effect may have changed.
    changed_classes: Mutex<BTreeSet<Name8>>,
}

/// Whose authority changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Touched {
    /// These users'.
    Users(Vec<UserId8>),
    /// Perhaps everybody's: too much has changed since to tell.
    Anyone,
}

impl State {
    /// A state that begins with a snapshot, so that what was touched before is not known.
    pub fn of_snapshot(generation: u64) -> State {
        State { touched_after: generation, ..State::default() }
    }

    pub fn class(&self, name: Name8) -> Option<&Class> {
        let defined = || self.profiles.get(&Name8::constant("CDT"))?.get(name.as_str())?.class_data.as_ref();
        class::of_name(name).or_else(defined)
    }

    /// All classes: supplied and defined.
    pub fn classes(&self) -> impl Iterator<Item = &Class> {
        let defined = self.profiles.get(&Name8::constant("CDT")).into_iter().flat_map(|profiles| profiles.values());
        let supplied = class::supplied().map(|class| -> &Class { class });
        supplied.chain(defined.filter_map(|profile| profile.class_data.as_ref()))
    }

    pub fn profiles(&self, class: Name8) -> impl Iterator<Item = &Arc<Profile>> {
        self.profiles.get(&class).into_iter().flat_map(|profiles| profiles.values())
    }

    pub fn profile(&self, class: Name8, name: &str) -> Option<&Arc<Profile>> {
        self.profiles.get(&class)?.get(name)
    }

    pub fn all_profiles(&self) -> impl Iterator<Item = &Arc<Profile>> {
        self.profiles.values().flat_map(|profiles| profiles.values())
    }

    /// The profiles of a class that are in effect: those of the last refresh if the class, or its member class, is in RACLIST.
    pub fn in_effect(&self, class: Name8) -> impl Iterator<Item = &Arc<Profile>> {
        let decides = self.class(class).and_then(|class| class.member).unwrap_or(class);
        let all = if self.settings.listed.contains(&decides) { &self.listed } else { &self.profiles };
        all.get(&class).into_iter().flat_map(|profiles| profiles.values())
    }

    pub fn apply(&mut self, transaction: &Transaction) {
        assert!(transaction.generation >= self.generation, "generations ascend");
        self.generation = transaction.generation;
        transaction.changes.iter().for_each(|change| self.apply_change(change));
        if !transaction.touched.is_empty() {
            self.touched.push_back((transaction.generation, transaction.touched.clone()));
            if self.touched.len() > TOUCHED_MAX {
                self.touched_after = self.touched.pop_front().map_or(self.touched_after, |(generation, _)| generation);
            }
        }
    }

    fn apply_change(&mut self, change: &Change) {
        match change {
            Change::User(user) => drop(self.users.insert(user.id, Arc::new((**user).clone()))),
            Change::NoUser(id) => drop(self.users.remove(id)),
            Change::Group(group) => drop(self.groups.insert(group.name, Arc::new(group.clone()))),
            Change::NoGroup(name) => drop(self.groups.remove(name)),
            Change::Profile(profile) => {
                self.class_changed(profile.class);
                let profiles = Arc::make_mut(self.profiles.entry(profile.class).or_default());
                profiles.insert(profile.name.clone(), Arc::new((**profile).clone()));
            }
            Change::NoProfile { class, name } => {
                self.class_changed(*class);
                if let Some(profiles) = self.profiles.get_mut(class) {
                    Arc::make_mut(profiles).remove(name);
                }
            }
            Change::Settings(settings) => {
                self.settings = Arc::new((**settings).clone());
                self.all_classes_changed();
            }
            Change::Refresh(class) => self.for_class_and_group(*class, |state, class| match state.profiles.get(&class).cloned() {
                Some(profiles) => drop(state.listed.insert(class, profiles)),
                None => drop(state.listed.remove(&class)),
            }),
            Change::NothingListed(class) => self.for_class_and_group(*class, |state, class| drop(state.listed.remove(&class))),
            Change::Listed(profile) => {
                let profiles = Arc::make_mut(self.listed.entry(profile.class).or_default());
                profiles.insert(profile.name.clone(), Arc::new((**profile).clone()));
                self.class_changed(profile.class);
            }
            Change::SignOn { user, used, failures } => {
                if let Some(user) = self.users.get_mut(user) {
                    let user = Arc::make_mut(user);
                    (user.used, user.failures) = (*used, *failures);
                }
            }
            Change::Ticket { user, application, ticket, until } => {
                self.tickets.insert((*user, *application, ticket.clone()), *until);
            }
            Change::Key { label, key } => drop(self.keys.insert(label.clone(), key.clone())),
            Change::NoKey(label) => drop(self.keys.remove(label)),
        }
    }

    /// Profiles of a grouping class count in its member class; a profile of class CDT is a class.
    fn class_changed(&self, name: Name8) {
        let member = self.class(name).and_then(|class| class.member);
        self.changed_classes.lock().extend(std::iter::once(name).chain(member));
        if name == Name8::constant("CDT") || name == Name8::constant("GLOBAL") {
            self.all_classes_changed();
        }
    }

    /// The profiles in effect in any class may have changed.
    pub fn all_classes_changed(&self) {
        self.changed_classes.lock().extend(self.classes().map(|class| class.name));
    }

    /// The classes whose profiles in effect may have changed since they were last asked for.
    pub fn take_changed_classes(&self) -> BTreeSet<Name8> {
        std::mem::take(&mut self.changed_classes.lock())
    }

    fn for_class_and_group(&mut self, class: Name8, act: impl Fn(&mut State, Name8)) {
        let group = self.class(class).and_then(|class| class.group);
        for class in std::iter::once(class).chain(group) {
            act(self, class);
            self.class_changed(class);
        }
    }

    /// Forgets PassTickets that have expired.
    pub fn forget_tickets(&mut self, now: Moment) {
        self.tickets.retain(|_, until| *until >= now);
    }

    /// Whose authority changed since a generation.
    pub fn touched_since(&self, generation: u64) -> Touched {
        if generation < self.touched_after {
            return Touched::Anyone;
        }
        let since = self.touched.iter().filter(|(of, _)| *of > generation);
        let users: BTreeSet<UserId8> = since.flat_map(|(_, users)| users.iter().copied()).collect();
        Touched::Users(users.into_iter().collect())
    }

    /// The changes that lead from nothing to this state.
    pub fn snapshot(&self) -> impl Iterator<Item = Change> {
        let mut changes = vec![Change::Settings(Box::new((*self.settings).clone()))];
        changes.extend(self.users.values().map(|user| Change::User(Box::new((**user).clone()))));
        changes.extend(self.groups.values().map(|group| Change::Group((**group).clone())));
        changes.extend(self.all_profiles().map(|profile| Change::Profile(Box::new((**profile).clone()))));
        for class in &self.settings.listed {
            let group = self.class(*class).and_then(|class| class.group);
            let both = || std::iter::once(*class).chain(group);
            if both().all(|class| self.listed.get(&class) == self.profiles.get(&class)) {
                changes.push(Change::Refresh(*class));
                continue;
            }
            changes.push(Change::NothingListed(*class));
            let listed = both().filter_map(|class| self.listed.get(&class)).flat_map(|profiles| profiles.values());
            changes.extend(listed.map(|profile| Change::Listed(Box::new((**profile).clone()))));
        }
        changes.extend(self.tickets.iter().map(|((user, application, ticket), until)| Change::Ticket {
            user: *user,
            application: *application,
            ticket: ticket.clone(),
            until: *until,
        }));
        changes.extend(self.keys.iter().map(|(label, key)| Change::Key { label: label.clone(), key: key.clone() }));
        changes.into_iter()
    }
}
