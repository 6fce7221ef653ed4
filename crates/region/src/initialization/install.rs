//! Installation: definitions of the CSD become resources of the domains that own their types.

use crate::extensions::NOT_AUTHORIZED;
use crate::name::Name4;
use crate::{Region, Task};
use csd::Definition;
use csd::installed::{InstallFault, Installer};
use std::sync::atomic::Ordering;

impl Region {
    /// Installs lists or groups of the CSD at start; failures are reported and the rest is installed.
    pub fn install_groups(&'static self, names: &[String]) -> usize {
        self.install_parts(names, None).unwrap_or_else(|unavailable| {
            let values = [("resource", "GROUP"), ("name", "*"), ("reason", &*unavailable.to_string())];
            self.messages.send("DFHAM4833", &values);
            1
        })
    }

    /// Installs lists or groups of the CSD; returns the number of failures, each of which is reported.
    pub fn install_parts(&'static self, names: &[String], by: Option<(&Task, &Installer)>) -> Result<usize, csd::Unavailable> {
        let csd = self.csd.snapshot()?;
        let (definitions, faults) = csd::installed::in_install_order(&csd, names, |name| self.registry.install_rank(name));
        let mut failures = faults.len();
        for InstallFault { group, reason } in &faults {
            self.messages.send("DFHAM4833", &[("resource", "GROUP"), ("name", group), ("reason", reason)]);
        }
        for definition in definitions {
            let installed = match by {
                Some((task, _)) if !self.extensions.may_install(task, definition) => Err(NOT_AUTHORIZED.to_string()),
                _ => self.install_with(definition, by.map(|(_, installer)| installer.clone())),
            };
            if let Err(reason) = installed {
                failures += 1;
                self.report_install(definition, &reason);
            }
        }
        Ok(failures)
    }

    /// The message of a definition that cannot be installed.
    pub fn report_install(&self, definition: &Definition, reason: &str) {
        let values = [("resource", definition.resource.name), ("name", definition.name.as_str()), ("reason", reason)];
        self.messages.send("DFHAM4833", &values);
    }

    /// Installs one definition in the domain that owns its type; types no domain works with yet are kept for inquiry.
    pub fn install(&'static self, definition: &Definition) -> Result<(), String> {
        self.install_with(definition, None)
    }

    /// As `install`, for a user at run time.
    pub fn install_by(&'static self, definition: &Definition, installer: Installer) -> Result<(), String> {
        self.install_with(definition, Some(installer))
    }

    fn install_with(&'static self, definition: &Definition, installer: Option<Installer>) -> Result<(), String> {
        let resource = self.registry.resource(definition.resource.name);
        // Definitions of the lists of a start are kept even if no domain works with their type; a user at run time is told.
        if resource.is_none() && installer.is_some() {
            return Err(format!("no domain of this region works with {} resources", definition.resource.name));
        }
        if !self.is_local(Name4::new(definition.get("REMOTESYSTEM"))) {
            self.any_remote.store(true, Ordering::Relaxed);
        }
        if let Some(install) = resource.and_then(|resource| resource.install) {
            install(self, definition)?;
        }
        self.installed.write().put_by(definition.clone(), installer);
        Ok(())
    }
}
