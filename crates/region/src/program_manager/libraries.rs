//! The libraries of a region, as the program manager keeps them: installed, changed, discarded, searched.

use super::library::{self, Library, Member, STATIC_LIBRARY};
use super::program::ProgramManager;
use crate::Region;
use crate::control_blocks::application::Application;
use crate::name::Name8;
use csd::LibraryDefinition;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl ProgramManager {
    /// Installs or replaces a LIBRARY. One with a data set that does not exist is installed disabled, with a message.
    ///
    /// # Errors
    ///
    /// The definition is one of DFHRPL.
    pub fn install_library(&self, region: &Region, definition: &LibraryDefinition) -> Result<(), String> {
        if definition.name.as_str() == STATIC_LIBRARY {
            return Err(format!("{STATIC_LIBRARY} is not a LIBRARY resource"));
        }
        let mut libraries = self.libraries.write();
        let library = Library::of_definition(definition, &libraries);
        if let Some(missing) = library.missing().filter(|_| definition.enabled) {
            let id = if library.is_critical { "DFHLD0512" } else { "DFHLD0505" };
            region.messages.send(id, &[("library", &library.name), ("dsname", missing)]);
        }
        libraries.retain(|other| other.name != library.name);
        libraries.push(library);
        library::sort(&mut libraries);
        self.library_changes.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// All libraries in the order in which they are searched, disabled ones in their place.
    pub fn libraries(&self) -> Vec<Library> {
        self.libraries.read().clone()
    }

    /// Changes a library, if there is one of this name.
    pub fn change_library(&self, name: Name8, change: impl FnOnce(&mut Library)) {
        let mut libraries = self.libraries.write();
        if let Some(library) = libraries.iter_mut().find(|library| library.name == name.as_str()) {
            change(library);
            library::sort(&mut libraries);
            self.library_changes.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub fn discard_library(&self, name: Name8) -> Option<Library> {
        let mut libraries = self.libraries.write();
        let at = libraries.iter().position(|library| library.name == name.as_str())?;
        self.library_changes.fetch_add(1, Ordering::Relaxed);
        Some(libraries.remove(at))
    }

    /// A member of the libraries: of those of the application, and then of the public ones.
    pub(super) fn member(&self, application: Option<&Arc<Application>>, name: Name8, extension: &str) -> Option<Member> {
        let own = self.applications.member(application, name, extension);
        own.or_else(|| library::find(&self.libraries.read(), name.as_str(), extension))
    }

    /// The library and the file of a member.
    pub fn find_member(&self, name: Name8, extension: &str) -> Option<(String, PathBuf)> {
        self.member(None, name, extension).map(|member| (member.library, member.path))
    }

    /// The member whose name is most like one that no library has.
    pub fn nearest_member(&self, name: Name8, extension: &str) -> Option<String> {
        library::nearest(&self.libraries.read(), name.as_str(), extension)
    }
}
