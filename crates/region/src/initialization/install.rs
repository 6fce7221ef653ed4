//! Installation: definitions of the CSD become resources of the domains that own their types.

use crate::Region;
use crate::name::Name4;
use csd::Definition;
use std::sync::atomic::Ordering;

impl Region {
    /// Installs lists or groups of the CSD; failures are reported and the rest is installed.
    pub fn install_groups(&'static self, names: &[String]) -> usize {
        let csd = self.csd.lock();
        let (definitions, faults) = csd::installed::in_install_order(&csd, names, |name| self.registry.install_rank(name));
        let definitions: Vec<Definition> = definitions.into_iter().cloned().collect();
        drop(csd);
        let mut failures = faults.len();
        for fault in faults {
            let values = [("resource", "GROUP"), ("name", fault.group.as_str()), ("reason", fault.reason.as_str())];
            self.messages.send("DFHAM4833", &values);
        }
        for definition in definitions {
            if let Err(reason) = self.install(&definition) {
                failures += 1;
                let values = [("resource", definition.resource.name), ("name", definition.name.as_str()), ("reason", reason.as_str())];
                self.messages.send("DFHAM4833", &values);
            }
        }
        failures
    }

    /// Installs one definition in the domain that owns its type; types no domain works with yet are kept for inquiry.
    pub fn install(&'static self, definition: &Definition) -> Result<(), String> {
        if !self.is_local(Name4::new(definition.get("REMOTESYSTEM"))) {
            self.any_remote.store(true, Ordering::Relaxed);
        }
        if let Some(install) = self.registry.resource(definition.resource.name).and_then(|resource| resource.install) {
            install(self, definition)?;
        }
        self.installed.write().put(definition.clone());
        Ok(())
    }
}
