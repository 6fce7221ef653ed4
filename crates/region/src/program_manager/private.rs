//! Programs and libraries of applications: each belongs to one version of an application, and its tasks find it before the public ones.
//!
//! A program that is an application entry point is public while its version is the highest one with open entry points; those of lower versions
//! are reached by INVOKE APPLICATION. Source: CICS TS 5.5, "Private resources for application versions", "Multi-versioning for applications
//! deployed on platforms". Invariants: a private program is in the table of exactly one version; a name is public once.

use super::library::{self, Library, Member};
use super::program::{Program, ProgramManager};
use crate::Region;
use crate::control_blocks::application::{Application, Context, Version};
use crate::name::Name8;
use csd::{LibraryDefinition, ProgramDefinition};
use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What one version of an application has.
#[derive(Default)]
struct Owned {
    programs: FxHashMap<Name8, Arc<Program>>,
    /// Members of its libraries that its programs CALL without a definition.
    called: FxHashMap<Name8, Arc<Program>>,
    /// In the order of search.
    libraries: Vec<Library>,
    /// The programs that are open entry points, by operation.
    operations: BTreeMap<String, Name8>,
}

/// The applications of a region.
#[derive(Default)]
pub(super) struct Applications {
    /// There is one.
    any: AtomicBool,
    all: RwLock<BTreeMap<Arc<Application>, Owned>>,
    /// Private programs that all tasks find: entry points of the highest version.
    public: RwLock<FxHashMap<Name8, Arc<Program>>>,
}

/// Why INVOKE APPLICATION finds no program; in the order in which it looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoEntryPoint {
    Application,
    Version,
    Operation,
}

/// The version that INVOKE APPLICATION asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    Highest,
    /// This major and minor version.
    Exactly(u32, u32),
    /// This major version, with this minor version or the highest one above it.
    AtLeast(u32, u32),
}

impl Wanted {
    fn accepts(self, [major, minor, _]: Version) -> bool {
        match self {
            Wanted::Highest => true,
            Wanted::Exactly(of, exactly) => (major, minor) == (of, exactly),
            Wanted::AtLeast(of, least) => major == of && minor >= least,
        }
    }
}

impl Applications {
    #[inline]
    fn is_empty(&self) -> bool {
        !self.any.load(Ordering::Relaxed)
    }

    /// A program that belongs to the application itself.
    #[inline]
    pub(super) fn find(&self, application: Option<&Arc<Application>>, name: Name8) -> Option<Arc<Program>> {
        let application = application.filter(|_| !self.is_empty())?;
        self.all.read().get(application)?.programs.get(&name).cloned()
    }

    pub(super) fn find_called(&self, application: &Arc<Application>, name: Name8) -> Option<Arc<Program>> {
        self.all.read().get(application)?.called.get(&name).cloned()
    }

    pub(super) fn add_called(&self, application: &Arc<Application>, program: Arc<Program>) -> Arc<Program> {
        let mut all = self.all.write();
        all.entry(application.clone()).or_default().called.entry(program.name).or_insert(program).clone()
    }

    /// An entry point that all tasks find.
    #[inline]
    pub(super) fn find_public(&self, name: Name8) -> Option<Arc<Program>> {
        if self.is_empty() { None } else { self.public.read().get(&name).cloned() }
    }

    /// A member of the application's own libraries.
    pub(super) fn member(&self, application: Option<&Arc<Application>>, name: Name8, extension: &str) -> Option<Member> {
        let application = application.filter(|_| !self.is_empty())?;
        library::find(&self.all.read().get(application)?.libraries, name.as_str(), extension)
    }

    /// Counts a load from a library of the application; false if it has no such library.
    pub(super) fn count_load(&self, application: Option<&Arc<Application>>, library: &str) -> bool {
        let all = self.all.read();
        let libraries = application.and_then(|application| all.get(application)).map_or(&[][..], |owned| &owned.libraries);
        let Some(library) = libraries.iter().find(|own| own.name == library) else { return false };
        library.loads.fetch_add(1, Ordering::Relaxed);
        true
    }

    pub(super) fn add(&self, application: &Arc<Application>, program: Arc<Program>) -> Arc<Program> {
        let mut all = self.all.write();
        self.any.store(true, Ordering::Relaxed);
        all.entry(application.clone()).or_default().programs.entry(program.name).or_insert(program).clone()
    }

    /// The programs that all tasks find: of each application, those of the highest version that has open entry points.
    fn publish(&self, all: &BTreeMap<Arc<Application>, Owned>) {
        let mut public = FxHashMap::default();
        let mut done: Option<(&str, &str)> = None;
        // Versions of one application are neighbours, the highest one last.
        for (application, owned) in all.iter().rev() {
            let of = (application.platform.as_str(), application.name.as_str());
            if owned.operations.is_empty() || done == Some(of) {
                continue;
            }
            done = Some(of);
            let entries = owned.operations.values().filter_map(|name| owned.programs.get(name));
            public.extend(entries.map(|program| (program.name, program.clone())));
        }
        *self.public.write() = public;
    }
}

impl ProgramManager {
    /// Installs a program for one version of an application.
    ///
    /// # Errors
    ///
    /// The version has a program of this name.
    pub fn install_private(&self, application: &Arc<Application>, definition: ProgramDefinition) -> Result<(), String> {
        let name = definition.name;
        if self.applications.find(Some(application), name).is_some() {
            return Err(format!("PROGRAM {name} is already installed in the application"));
        }
        let program = Program::new(definition, false, &self.generation).owned_by(application.clone());
        self.applications.add(application, Arc::new(program));
        self.generation.fetch_add(1, Ordering::Release);
        Ok(())
    }

    /// Installs a library for one version of an application. One with a data set that does not exist is installed disabled, with a message.
    ///
    /// # Errors
    ///
    /// The version has a library of this name.
    pub fn install_private_library(
        &self,
        region: &Region,
        application: &Arc<Application>,
        definition: &LibraryDefinition,
    ) -> Result<(), String> {
        let library = Library::of_definition(definition, &self.libraries.read());
        let mut all = self.applications.all.write();
        self.applications.any.store(true, Ordering::Relaxed);
        let owned = all.entry(application.clone()).or_default();
        if owned.libraries.iter().any(|other| other.name == library.name) {
            return Err(format!("LIBRARY {} is already installed in the application", library.name));
        }
        if let Some(missing) = library.missing().filter(|_| definition.enabled) {
            region.messages.send("DFHLD0505", &[("library", &library.name), ("dsname", missing)]);
        }
        owned.libraries.push(library);
        library::sort(&mut owned.libraries);
        self.library_changes.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Enables or disables a program of an application; false if it is not there.
    pub fn enable_private(&self, application: &Arc<Application>, name: Name8, is_enabled: bool) -> bool {
        let found = self.applications.find(Some(application), name);
        found.inspect(|program| program.change(|definition| definition.enabled = is_enabled)).is_some()
    }

    /// Enables or disables a library of an application; false if it is not there, or has a data set that does not exist.
    pub fn enable_private_library(&self, application: &Arc<Application>, name: &str, is_enabled: bool) -> bool {
        let mut all = self.applications.all.write();
        let libraries = all.get_mut(application).map(|owned| &mut owned.libraries);
        let Some(library) = libraries.and_then(|libraries| libraries.iter_mut().find(|library| library.name == name)) else { return false };
        library.is_enabled = is_enabled && library.missing().is_none();
        self.library_changes.fetch_add(1, Ordering::Relaxed);
        library.is_enabled == is_enabled
    }

    /// Discards a program of an application; false if a task uses it.
    pub fn discard_private(&self, application: &Arc<Application>, name: Name8) -> bool {
        let mut all = self.applications.all.write();
        let Some(owned) = all.get_mut(application) else { return true };
        if owned.programs.get(&name).is_some_and(|program| program.in_use.load(Ordering::Acquire) > 0) {
            return false;
        }
        owned.programs.remove(&name);
        self.generation.fetch_add(1, Ordering::Release);
        true
    }

    pub fn discard_private_library(&self, application: &Arc<Application>, name: &str) {
        if let Some(owned) = self.applications.all.write().get_mut(application) {
            owned.libraries.retain(|library| library.name != name);
        }
    }

    /// The last bundle of an application is discarded: what its tasks have installed automatically goes too.
    pub fn discard_application(&self, application: &Arc<Application>) {
        self.applications.all.write().remove(application);
        self.generation.fetch_add(1, Ordering::Release);
    }

    /// Opens a program as an application entry point: of the application's own programs, or of the public ones.
    ///
    /// # Errors
    ///
    /// There is no such program, it is an entry point already, or another application has made the name public.
    pub fn open_entry_point(&self, region: &Region, name: Name8, context: &Arc<Context>) -> Result<(), String> {
        let program = self.find_for(context.application.as_ref(), name);
        let program = match program {
            Some(program) => program,
            None => self.local_for(region, context.application.as_ref(), name).map_err(|fault| fault.text().to_string())?,
        };
        if program.entry_point().is_some() {
            return Err("it is an application entry point already".to_string());
        }
        if let Some(application) = &context.application {
            let is_public = self.programs.read().contains_key(&name) && program.owner().is_some();
            let other = self.applications.find_public(name).and_then(|other| other.owner().cloned());
            let is_other = other.is_some_and(|other| (&other.platform, &other.name) != (&application.platform, &application.name));
            if is_public || is_other {
                return Err("a public program has its name".to_string());
            }
        }
        program.declare(Some(context.clone()));
        if let Some(application) = &context.application {
            let mut all = self.applications.all.write();
            self.applications.any.store(true, Ordering::Relaxed);
            all.entry(application.clone()).or_default().operations.insert(context.operation.clone(), name);
            self.applications.publish(&all);
        }
        self.generation.fetch_add(1, Ordering::Release);
        Ok(())
    }

    /// The program is no longer an entry point.
    pub fn close_entry_point(&self, name: Name8, context: &Context) {
        let Some(program) = self.find_for(context.application.as_ref(), name) else { return };
        program.declare(None);
        if let Some(application) = &context.application {
            let mut all = self.applications.all.write();
            if let Some(owned) = all.get_mut(application) {
                owned.operations.remove(&context.operation);
            }
            self.applications.publish(&all);
        }
        self.generation.fetch_add(1, Ordering::Release);
    }

    /// The program that INVOKE APPLICATION runs, and the application whose task then runs it. Of several micro versions it is the latest.
    ///
    /// # Errors
    ///
    /// What there is not.
    pub fn entry_point(
        &self,
        platform: &str,
        name: &str,
        operation: &str,
        wanted: Wanted,
    ) -> Result<(Arc<Application>, Name8), NoEntryPoint> {
        let all = self.applications.all.read();
        let is_named = |application: &Application| application.platform == platform && application.name == name;
        let mut open = all.iter().rev().filter(|(application, owned)| is_named(application) && !owned.operations.is_empty()).peekable();
        if open.peek().is_none() {
            return Err(NoEntryPoint::Application);
        }
        let Some((application, owned)) = open.find(|(application, _)| wanted.accepts(application.version)) else {
            return Err(NoEntryPoint::Version);
        };
        owned.operations.get(operation).map(|program| (application.clone(), *program)).ok_or(NoEntryPoint::Operation)
    }

    /// The names of the programs and libraries that are private to an application.
    pub fn private_names(&self, application: &Arc<Application>) -> (Vec<Name8>, Vec<Library>) {
        let all = self.applications.all.read();
        let Some(owned) = all.get(application) else { return (Vec::new(), Vec::new()) };
        let mut names: Vec<Name8> = owned.programs.keys().copied().collect();
        names.sort_unstable();
        (names, owned.libraries.clone())
    }

    /// The names of entry points that are public.
    pub fn public_entry_points(&self) -> Vec<Name8> {
        if self.applications.is_empty() { Vec::new() } else { self.applications.public.read().keys().copied().collect() }
    }
}
