//! ENQMODEL: which EXEC CICS ENQ commands are accepted, by the name of the resource.
//!
//! Invariants: a change of a model (SET, a new definition, DISCARD) waits until no enqueue matches its name, and meanwhile enqueues that
//! match it are refused; of the enabled models that match a resource, the most specific decides, and no model can be enabled while a more
//! generic one that covers it is enabled ("SET ENQMODEL", "CREATE ENQMODEL", "DISCARD ENQMODEL").

use crate::code_page::RegionCodePage;
use crate::name::{Name4, Name8};
use csd::EnqModelDefinition;

/// The STATUS of INQUIRE ENQMODEL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Enabled,
    Disabled,
    Waiting(Becoming),
}

/// The state that a waiting model gets as soon as no enqueue matches it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Becoming {
    Enabled,
    Disabled,
    Discarded,
}

#[derive(Clone, Debug)]
pub struct Model {
    pub definition: EnqModelDefinition,
    pub status: Status,
    /// ENQNAME in the region's code page, without the asterisk of a generic one.
    name: Vec<u8>,
    generic: bool,
}

/// Why a model was not enabled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    NotInstalled,
    /// This model covers it and is enabled.
    Nested(Name8),
    Waiting,
}

impl Model {
    /// It waits, then gets the state of its definition.
    fn new(definition: EnqModelDefinition, code_page: &RegionCodePage) -> Model {
        let (name, generic) = match definition.enq_name.strip_suffix('*') {
            Some(prefix) => (prefix, true),
            None => (definition.enq_name.as_str(), false),
        };
        let name = code_page.encode(name);
        let becoming = if definition.enabled { Becoming::Enabled } else { Becoming::Disabled };
        Model { status: Status::Waiting(becoming), name, generic, definition }
    }

    pub(super) fn matches(&self, resource: &[u8]) -> bool {
        if self.generic { resource.starts_with(&self.name) } else { resource == self.name }
    }

    /// Everything the other matches, this one does.
    fn covers(&self, other: &Model) -> bool {
        if self.generic { other.name.starts_with(&self.name) } else { !other.generic && other.name == self.name }
    }

    /// Takes the state it waits for, unless a held enqueue matches it; false: it must be discarded.
    fn settle(&mut self, held: impl Fn(&Model) -> bool) -> bool {
        let Status::Waiting(becoming) = self.status else { return true };
        if held(self) {
            return true;
        }
        match becoming {
            Becoming::Enabled => self.status = Status::Enabled,
            Becoming::Disabled => self.status = Status::Disabled,
            Becoming::Discarded => return false,
        }
        true
    }
}

/// The models installed, in the order of their names.
#[derive(Default)]
pub struct Models(Vec<Model>);

impl Models {
    pub fn names(&self) -> Vec<Name8> {
        self.0.iter().map(|model| model.definition.name).collect()
    }

    pub fn find(&self, name: Name8) -> Option<&Model> {
        self.0.iter().find(|model| model.definition.name == name)
    }

    fn covered_by(&self, model: &Model) -> Option<Name8> {
        let other = |known: &&Model| known.definition.name != model.definition.name;
        self.0.iter().filter(other).find(|known| known.status == Status::Enabled && known.covers(model)).map(|known| known.definition.name)
    }

    /// Adds a definition, in place of one of the same name. It waits until no enqueue matches it.
    pub fn install(&mut self, definition: EnqModelDefinition, code_page: &RegionCodePage) -> Result<(), Refused> {
        let model = Model::new(definition, code_page);
        if model.definition.enabled
            && let Some(by) = self.covered_by(&model)
        {
            return Err(Refused::Nested(by));
        }
        self.0.retain(|known| known.definition.name != model.definition.name);
        self.0.push(model);
        self.0.sort_by_key(|model| model.definition.name);
        Ok(())
    }

    /// SET ENQMODEL. Disabling waits until no enqueue matches.
    pub fn set(&mut self, name: Name8, enabled: bool) -> Result<(), Refused> {
        let model = self.find(name).ok_or(Refused::NotInstalled)?;
        let status = match (model.status, enabled) {
            (Status::Waiting(_), _) => return Err(Refused::Waiting),
            (Status::Disabled, true) => match self.covered_by(model) {
                Some(by) => return Err(Refused::Nested(by)),
                None => Status::Enabled,
            },
            (Status::Enabled, false) => Status::Waiting(Becoming::Disabled),
            (unchanged, _) => unchanged,
        };
        self.change(name, status)
    }

    fn change(&mut self, name: Name8, status: Status) -> Result<(), Refused> {
        let model = self.0.iter_mut().find(|model| model.definition.name == name).ok_or(Refused::NotInstalled)?;
        model.status = status;
        Ok(())
    }

    pub fn discard(&mut self, name: Name8) -> Result<(), Refused> {
        self.change(name, Status::Waiting(Becoming::Discarded))
    }

    /// Whether an ENQ of this resource is accepted: no model matches it, or the most specific one that does is enabled.
    pub fn accept(&self, resource: &[u8]) -> bool {
        self.most_specific(resource).is_none_or(|model| model.status == Status::Enabled)
    }

    /// ENQSCOPE of the model an enqueue was accepted by: models do not change while enqueues are held that they match.
    pub fn scope_of(&self, resource: &[u8]) -> Name4 {
        self.most_specific(resource).map_or(Name4::BLANK, |model| model.definition.scope)
    }

    fn most_specific(&self, resource: &[u8]) -> Option<&Model> {
        let matching = self.0.iter().filter(|model| model.matches(resource));
        matching.max_by_key(|model| (!model.generic, model.name.len()))
    }

    /// Updates waiting models when enqueues have ended: `held` returns whether an enqueue matches the model.
    pub(super) fn settle(&mut self, held: impl Fn(&Model) -> bool) {
        self.0.retain_mut(|model| model.settle(&held));
    }

    pub(super) fn any_waiting(&self) -> bool {
        self.0.iter().any(|model| matches!(model.status, Status::Waiting(_)))
    }
}
