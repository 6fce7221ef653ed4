//! A part of a bundle, and what it created.

use super::definition;
use crate::Policies;
use crate::binding::{self, EventBinding};
use crate::event::adapter::{self, Adapter, AdapterSet};
use crate::manifest::{Class, Entry};
use crate::policy::parse;
use crate::policy::{Identity, NAME_LENGTH_MAX, Policy};
use crate::xml;
use csd::Definition;
use region::Region;
use region::application::{Application, Context};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Resources that a bundle may define ("Artifacts that can be deployed in bundles") and this region works with.
const RESOURCES: [&str; 4] = ["FILE", "LIBRARY", "PROGRAM", "TRANSACTION"];

/// Those that are private to the application of their bundle ("Private resources for application versions").
const PRIVATE: [&str; 2] = ["LIBRARY", "PROGRAM"];

/// The status of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Enabled,
    Disabled,
    /// It could not be created.
    Unusable,
}

/// What a part created.
pub enum Content {
    /// Nothing: it is not a definition, or could not be created.
    Nothing,
    Resource(Definition),
    Policy(Arc<Policy>),
    Adapter(Arc<Adapter>),
    EventBinding(Arc<EventBinding>),
    AdapterSet(Arc<AdapterSet>),
    /// PROGRAM or TRANSACTION, and what the tasks that enter there get.
    EntryPoint {
        resource: &'static str,
        context: Arc<Context>,
    },
    PolicyScope,
}

impl Content {
    pub fn binding(&self) -> Option<&Arc<EventBinding>> {
        if let Content::EventBinding(binding) = self { Some(binding) } else { None }
    }

    /// The event adapter that it is, or that is in its event binding.
    pub fn adapter(&self) -> Option<&Arc<Adapter>> {
        match self {
            Content::Adapter(adapter) => Some(adapter),
            Content::EventBinding(binding) => binding.adapter.as_ref(),
            _ => None,
        }
    }
}

pub struct Part {
    pub entry: Entry,
    pub status: Status,
    pub content: Content,
}

/// What a part is read for.
pub struct Place<'a> {
    pub region: &'static Region,
    pub bundle: &'a str,
    pub bundle_id: &'a str,
    pub directory: &'a Path,
    pub application: Option<&'a Arc<Application>>,
}

impl Part {
    /// Whether the part is enabled with the bundle; the others are there for other bundles and for applications.
    pub fn is_target(&self) -> bool {
        matches!(self.entry.class, Class::Definition | Class::EntryPoint | Class::PolicyScope)
    }

    /// Enables or disables the part, and its adapter.
    pub fn set_status(&mut self, status: Status) {
        self.status = status;
        let is_enabled = status == Status::Enabled;
        match &self.content {
            Content::Adapter(adapter) => adapter.is_enabled.store(is_enabled, Ordering::Relaxed),
            Content::AdapterSet(set) => set.is_enabled.store(is_enabled, Ordering::Relaxed),
            Content::EventBinding(binding) => {
                binding.is_enabled.store(is_enabled, Ordering::Relaxed);
                if let Some(adapter) = &binding.adapter {
                    adapter.is_enabled.store(is_enabled, Ordering::Relaxed);
                }
            }
            Content::Nothing | Content::Resource(_) | Content::Policy(_) | Content::EntryPoint { .. } | Content::PolicyScope => {}
        }
    }

    /// A part as the bundle is installed: what it defines is read, but not yet there.
    ///
    /// # Errors
    ///
    /// Why it cannot be created.
    pub fn read(entry: &Entry, place: &Place) -> Result<Content, String> {
        match entry.class {
            Class::Export => Ok(Content::Nothing),
            Class::Import => import(entry, place.region),
            Class::EntryPoint => entry_point(entry, place),
            Class::PolicyScope if entry.resource() == "POLICY" => Ok(Content::PolicyScope),
            Class::PolicyScope => Err(format!("a policy scope is for a POLICY, not for {}", entry.kind)),
            Class::Definition => defined(entry, place),
        }
    }
}

/// A program or a transaction by which an application is entered. One operation has one entry point in an application.
fn entry_point(entry: &Entry, place: &Place) -> Result<Content, String> {
    let resource = match entry.resource().as_str() {
        "PROGRAM" => "PROGRAM",
        "TRANSACTION" => "TRANSACTION",
        _ => return Err(format!("resource type {} is not available as an application entry point", entry.kind)),
    };
    let bundles = Policies::of(place.region).bundles.lock();
    let of_application = bundles.values().filter(|bundle| place.application.is_some() && bundle.application.as_ref() == place.application);
    let mut others = of_application.flat_map(|bundle| &bundle.parts).filter(|part| matches!(part.content, Content::EntryPoint { .. }));
    if others.any(|other| other.entry.operation == entry.operation) {
        return Err(format!("operation {} has an entry point already", entry.operation));
    }
    let context = Arc::new(Context::of(place.application.cloned(), &entry.operation));
    Ok(Content::EntryPoint { resource, context })
}

/// Whether the resources of this type are private to an application.
pub fn is_private(resource: &str) -> bool {
    PRIVATE.contains(&resource)
}

/// A required resource must be there, and an optional one may.
fn import(entry: &Entry, region: &Region) -> Result<Content, String> {
    let resource = entry.resource();
    let Some(of) = csd::attributes::resource_type(&resource).filter(|of| of.name == resource) else {
        return if entry.is_optional { Ok(Content::Nothing) } else { Err(format!("resource type {} is not known", entry.kind)) };
    };
    let is_there = region.installed.read().get(of.name, &of.folded(&entry.name)).is_some();
    if is_there || entry.is_optional { Ok(Content::Nothing) } else { Err(format!("required {resource} {} is not installed", entry.name)) }
}

fn defined(entry: &Entry, place: &Place) -> Result<Content, String> {
    let resource = entry.resource();
    let text = || inside(place.directory, &entry.path).and_then(|path| xml::read(&path));
    match resource.as_str() {
        "POLICY" => policy(entry, place, &text()?),
        "EPADAPTER" => {
            if Policies::of(place.region).adapters.lock().contains_key(&entry.name) {
                return Err(format!("EPADAPTER {} is already installed", entry.name));
            }
            Ok(Content::Adapter(Arc::new(adapter::parse(&text()?, &entry.name, place.bundle)?)))
        }
        "EVENTBINDING" => event_binding(entry, place, &text()?),
        "EPADAPTERSET" => {
            if Policies::of(place.region).adapter_sets.lock().contains_key(&entry.name) {
                return Err(format!("EPADAPTERSET {} is already installed", entry.name));
            }
            Ok(Content::AdapterSet(Arc::new(adapter::parse_set(&text()?, &entry.name, place.bundle)?)))
        }
        _ => {
            let Some(known) = RESOURCES.iter().find(|known| **known == resource) else {
                let what = if resource.is_empty() { &entry.kind } else { &resource };
                return Err(format!("resource type {what} is not available in bundles"));
            };
            let definition = definition::parse(&text()?, known, &entry.name, place.bundle)?;
            let is_public = place.application.is_none() || !is_private(known);
            if is_public && place.region.installed.read().get(known, &definition.name).is_some() {
                return Err(format!("{known} {} is already installed", definition.name));
            }
            Ok(Content::Resource(definition))
        }
    }
}

/// An event binding, and the adapter in it: neither has the name of another one.
fn event_binding(entry: &Entry, place: &Place, text: &str) -> Result<Content, String> {
    if binding::commands::find(place.region, &entry.name).is_some() {
        return Err(format!("EVENTBINDING {} is already installed", entry.name));
    }
    let binding = binding::parse::parse(text, &entry.name, place.bundle)?;
    if binding.adapter.is_some() && Policies::of(place.region).adapters.lock().contains_key(&entry.name) {
        return Err(format!("EPADAPTER {} is already installed", entry.name));
    }
    Ok(Content::EventBinding(Arc::new(binding)))
}

fn policy(entry: &Entry, place: &Place, text: &str) -> Result<Content, String> {
    if entry.name.chars().count() > NAME_LENGTH_MAX {
        return Err(format!("the name of a policy has 1 to {NAME_LENGTH_MAX} characters"));
    }
    let identity = Identity {
        policy: entry.name.clone(),
        user_tag: String::new(),
        bundle: place.bundle.to_string(),
        bundle_id: place.bundle_id.to_string(),
        directory: place.directory.display().to_string(),
    };
    Ok(Content::Policy(Arc::new(parse::parse(text, identity)?)))
}

/// The file of a part; a link that leads out of the bundle is not followed.
fn inside(directory: &Path, path: &str) -> Result<PathBuf, String> {
    let fault = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let root = directory.canonicalize().map_err(|error| fault(directory, error))?;
    let file = root.join(path);
    let file = file.canonicalize().map_err(|error| fault(&file, error))?;
    if file.starts_with(&root) { Ok(file) } else { Err(format!("{path} leads out of the bundle")) }
}
