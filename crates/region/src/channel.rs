//! Channels and containers: named sets of named data passed between programs and tasks.
//!
//! Containers are found by the hash of their names. With the feature toggle `com.ibm.cics.container.hash=false` a channel is a list in the
//! order of creation, which is searched, as it was before CICS TS 5.5.
//!
//! Invariants: names are those of the program, in ASCII, with their case preserved; a container is BIT or CHAR for its life, and CHAR data
//! carries its code page; a channel lives while a link level, a pending START or the next task of a conversation holds it; the bytes of a
//! channel are those of its containers.

use crate::name::Name16;
use le::CodePage;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use vsam::store::{Account, Charge, StoreError};

/// Most bytes one container may hold.
pub const CONTAINER_BYTES_MAX: usize = 1 << 30;
/// Memory of a container besides its data.
pub const CONTAINER_OVERHEAD_BYTES: usize = 160;
/// Memory of a channel without its containers.
pub const CHANNEL_BYTES: usize = 128;
/// The channel every program of the task sees.
pub const TRANSACTION_CHANNEL: Name16 = Name16::new("DFHTRANSACTION");

#[derive(Debug, Default)]
pub struct Container {
    pub data: Vec<u8>,
    /// The code page of CHAR data; `None`: BIT.
    pub code_page: Option<&'static CodePage>,
    /// CICSREADONLY containers cannot be changed by programs.
    pub read_only: bool,
    /// Its memory in the account of the region.
    pub charge: Charge,
}

/// How a channel finds its containers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lookup {
    #[default]
    Hash,
    List,
}

#[derive(Debug)]
enum Containers {
    Hash(FxHashMap<Name16, Container>),
    List(Vec<(Name16, Container)>),
}

impl Containers {
    fn new(lookup: Lookup) -> Self {
        match lookup {
            Lookup::Hash => Containers::Hash(FxHashMap::default()),
            Lookup::List => Containers::List(Vec::new()),
        }
    }

    fn lookup(&self) -> Lookup {
        match self {
            Containers::Hash(_) => Lookup::Hash,
            Containers::List(_) => Lookup::List,
        }
    }

    fn get_mut(&mut self, name: Name16) -> Option<&mut Container> {
        match self {
            Containers::Hash(by_name) => by_name.get_mut(&name),
            Containers::List(list) => list.iter_mut().find(|(own, _)| *own == name).map(|(_, container)| container),
        }
    }

    fn insert(&mut self, name: Name16, container: Container) {
        match (self.get_mut(name), container) {
            (Some(existing), container) => *existing = container,
            (None, container) => match self {
                Containers::Hash(by_name) => drop(by_name.insert(name, container)),
                Containers::List(list) => list.push((name, container)),
            },
        }
    }

    fn remove(&mut self, name: Name16) -> Option<Container> {
        match self {
            Containers::Hash(by_name) => by_name.remove(&name),
            Containers::List(list) => list.iter().position(|(own, _)| *own == name).map(|at| list.remove(at).1),
        }
    }

    fn iter(&self) -> Box<dyn Iterator<Item = (&Name16, &Container)> + '_> {
        match self {
            Containers::Hash(by_name) => Box::new(by_name.iter()),
            Containers::List(list) => Box::new(list.iter().map(|(name, container)| (name, container))),
        }
    }

    /// Bytes of the data.
    fn data_bytes(&self) -> usize {
        self.iter().map(|(_, container)| container.data.len()).sum()
    }

    fn len(&self) -> usize {
        match self {
            Containers::Hash(by_name) => by_name.len(),
            Containers::List(list) => list.len(),
        }
    }
}

#[derive(Debug)]
pub struct Channel {
    name: Name16,
    containers: Mutex<Containers>,
    /// Its memory without the containers, in the account of the region.
    _charge: Charge,
}

impl Channel {
    pub fn new(name: Name16, lookup: Lookup) -> Self {
        Self { name, containers: Mutex::new(Containers::new(lookup)), _charge: Charge::default() }
    }

    /// The same, counted with `CHANNEL_BYTES`.
    pub fn counted(self, charge: Charge) -> Self {
        Self { _charge: charge, ..self }
    }

    pub fn name(&self) -> Name16 {
        self.name
    }

    /// The same containers in a channel of another name; this one is empty then.
    pub fn renamed(&self, name: Name16) -> Self {
        let mut own = self.containers.lock();
        let lookup = own.lookup();
        let containers = std::mem::replace(&mut *own, Containers::new(lookup));
        Self { containers: Mutex::new(containers), ..Self::new(name, lookup) }
    }

    pub fn put(&self, name: Name16, container: Container) {
        self.containers.lock().insert(name, container);
    }

    /// Calls `work` with the container, if there is one.
    pub fn with<R>(&self, name: Name16, work: impl FnOnce(&mut Container) -> R) -> Option<R> {
        self.containers.lock().get_mut(name).map(work)
    }

    pub fn take(&self, name: Name16) -> Option<Container> {
        self.containers.lock().remove(name)
    }

    pub fn contains(&self, name: Name16) -> bool {
        self.containers.lock().get_mut(name).is_some()
    }

    pub fn container_names(&self) -> Vec<Name16> {
        self.containers.lock().iter().map(|(name, _)| *name).collect()
    }

    pub fn len(&self) -> usize {
        self.containers.lock().len()
    }

    /// Bytes of data in its containers.
    pub fn data_bytes(&self) -> usize {
        self.containers.lock().data_bytes()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A separate copy for another task (START CHANNEL, RETURN CHANNEL, RUN TRANSID), if the account has room for it.
    pub fn copy(&self, account: &'static Account) -> Result<Self, StoreError> {
        let own = self.containers.lock();
        let mut copied = Containers::new(own.lookup());
        for (name, container) in own.iter() {
            let charge = account.reserve(CONTAINER_OVERHEAD_BYTES + container.data.len())?;
            let Container { data, code_page, read_only, .. } = container;
            copied.insert(*name, Container { data: data.clone(), code_page: *code_page, read_only: *read_only, charge });
        }
        Ok(Self { containers: Mutex::new(copied), ..Self::new(self.name, own.lookup()) })
    }
}

/// Whether the name is valid for a channel or container.
pub fn is_valid_name(name: &Name16) -> bool {
    let text = name.as_str();
    let allowed = |c: char| c.is_ascii_alphanumeric() || "$@#/%&?!:|\"=~,;<>.-_".contains(c);
    !text.is_empty() && text.chars().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked() {
        assert!(is_valid_name(&Name16::new("Account-1_a.b")));
        assert!(!is_valid_name(&Name16::BLANK));
        assert!(!is_valid_name(&Name16::new("A B")));
        assert!(!is_valid_name(&Name16::new(" A")));
    }

    #[test]
    fn a_copy_does_not_follow_the_original() {
        static ACCOUNT: Account = Account::new();
        let channel = Channel::new(Name16::new("C"), Lookup::Hash);
        channel.put(Name16::new("A"), Container { data: vec![1], ..Container::default() });
        let copy = channel.copy(&ACCOUNT).unwrap();
        channel.with(Name16::new("A"), |container| container.data.push(2));
        assert_eq!(copy.with(Name16::new("A"), |container| container.data.len()), Some(1));
        assert!(channel.take(Name16::new("A")).is_some() && channel.is_empty());
    }

    #[test]
    fn a_list_keeps_the_order_of_creation_and_finds_what_a_hash_finds() {
        for lookup in [Lookup::Hash, Lookup::List] {
            let channel = Channel::new(Name16::new("C"), lookup);
            for name in ["B", "A", "C", "A"] {
                channel.put(Name16::new(name), Container { data: name.into(), ..Container::default() });
            }
            assert_eq!(channel.len(), 3);
            assert!(channel.take(Name16::new("C")).is_some() && !channel.contains(Name16::new("C")));
            let mut names = channel.container_names();
            if lookup == Lookup::Hash {
                names.sort_unstable_by(|a, b| b.cmp(a));
            }
            assert_eq!(names, [Name16::new("B"), Name16::new("A")], "{lookup:?}");
            assert_eq!(channel.with(Name16::new("A"), |container| container.data.clone()), Some(b"A".to_vec()));
        }
    }

    /// The copy needs as much memory as the original, and gives it back.
    #[test]
    fn a_copy_is_counted() {
        static ACCOUNT: Account = Account::new();
        let channel = Channel::new(Name16::new("C"), Lookup::Hash);
        channel.put(Name16::new("A"), Container { data: vec![1; 100], ..Container::default() });
        // 346 without its quarter is 260.
        assert_eq!(CONTAINER_OVERHEAD_BYTES, 160);
        ACCOUNT.set_limit(345);
        assert!(channel.copy(&ACCOUNT).is_err());
        ACCOUNT.set_limit(346);
        let copy = channel.copy(&ACCOUNT).unwrap();
        assert!(copy.copy(&ACCOUNT).is_err());
        drop(copy);
        assert_eq!(ACCOUNT.used(), 0);
    }
}
