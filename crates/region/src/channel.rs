//! Channels and containers: named sets of named data passed between programs and tasks.
//!
//! Invariants: names are those of the program, in ASCII, with their case preserved; a container is BIT or CHAR for its life, and CHAR data
//! carries its code page; a channel lives while a link level, a pending START or the next task of a conversation holds it.

use crate::name::Name16;
use le::CodePage;
use parking_lot::Mutex;
use std::collections::BTreeMap;
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

#[derive(Debug)]
pub struct Channel {
    name: Name16,
    containers: Mutex<BTreeMap<Name16, Container>>,
    /// Its memory without the containers, in the account of the region.
    _charge: Charge,
}

impl Channel {
    pub fn new(name: Name16) -> Self {
        Self { name, containers: Mutex::new(BTreeMap::new()), _charge: Charge::default() }
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
        Self { containers: Mutex::new(std::mem::take(&mut *self.containers.lock())), ..Self::new(name) }
    }

    pub fn put(&self, name: Name16, container: Container) {
        self.containers.lock().insert(name, container);
    }

    /// Calls `work` with the container, if there is one.
    pub fn with<R>(&self, name: Name16, work: impl FnOnce(&mut Container) -> R) -> Option<R> {
        self.containers.lock().get_mut(&name).map(work)
    }

    pub fn take(&self, name: Name16) -> Option<Container> {
        self.containers.lock().remove(&name)
    }

    pub fn contains(&self, name: Name16) -> bool {
        self.containers.lock().contains_key(&name)
    }

    pub fn container_names(&self) -> Vec<Name16> {
        self.containers.lock().keys().copied().collect()
    }

    pub fn len(&self) -> usize {
        self.containers.lock().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A separate copy for another task (START CHANNEL, RETURN CHANNEL), if the account has room for it.
    pub fn copy(&self, account: &'static Account) -> Result<Self, StoreError> {
        let copied = |(name, container): (&Name16, &Container)| {
            let charge = account.reserve(CONTAINER_OVERHEAD_BYTES + container.data.len())?;
            let Container { data, code_page, read_only, .. } = container;
            Ok((*name, Container { data: data.clone(), code_page: *code_page, read_only: *read_only, charge }))
        };
        let containers = self.containers.lock().iter().map(copied).collect::<Result<_, StoreError>>()?;
        Ok(Self { containers: Mutex::new(containers), ..Self::new(self.name) })
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
        let channel = Channel::new(Name16::new("C"));
        channel.put(Name16::new("A"), Container { data: vec![1], ..Container::default() });
        let copy = channel.copy(&ACCOUNT).unwrap();
        channel.with(Name16::new("A"), |container| container.data.push(2));
        assert_eq!(copy.with(Name16::new("A"), |container| container.data.len()), Some(1));
        assert!(channel.take(Name16::new("A")).is_some() && channel.is_empty());
    }

    /// The copy needs as much memory as the original, and gives it back.
    #[test]
    fn a_copy_is_counted() {
        static ACCOUNT: Account = Account::new();
        let channel = Channel::new(Name16::new("C"));
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
