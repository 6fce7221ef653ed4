//! Mapsets: loaded from the libraries at first use, and kept until NEWCOPY.
//!
//! A mapset is searched for under its name with the suffix of the screen in use (ALTSUFFIX of the TYPETERM for the alternate screen, `M`
//! for 24 by 80), then without a suffix.

use bms::object::LoadedMapSet;
use parking_lot::RwLock;
use region::name::Name8;
use region::{Abend, Raised, Region, Task};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Longest name of a mapset without its suffix.
const NAME_LENGTH_MAX: usize = 7;

/// Name and suffix.
type Key = (Name8, Option<char>);

/// This domain's part of the region.
#[derive(Default)]
pub struct BasicMapping {
    mapsets: RwLock<FxHashMap<Key, Arc<LoadedMapSet>>>,
}

impl BasicMapping {
    /// Drops the loaded copies: the next use loads the library's. False if no library has the mapset.
    pub fn new_copy(&self, region: &Region, name: Name8) -> bool {
        self.mapsets.write().retain(|(known, _), _| *known != name);
        region.programs().find_member(name, program::batch::MODULE_EXTENSION).is_some()
    }

    /// A mapset, loaded if need be.
    pub fn find(&self, region: &Region, name: Name8, suffix: Option<char>) -> Result<Arc<LoadedMapSet>, String> {
        if let Some(found) = self.mapsets.read().get(&(name, suffix)) {
            return Ok(found.clone());
        }
        let loaded = Arc::new(load(region, name, suffix)?);
        self.mapsets.write().insert((name, suffix), loaded.clone());
        Ok(loaded)
    }
}

fn load(region: &Region, name: Name8, suffix: Option<char>) -> Result<LoadedMapSet, String> {
    let member = |name: Name8| region.programs().find_member(name, program::batch::MODULE_EXTENSION);
    let suffixed = suffix.filter(|_| name.as_str().len() <= NAME_LENGTH_MAX).map(|suffix| Name8::new(&format!("{name}{suffix}")));
    let (library, path) = suffixed.and_then(member).or_else(|| member(name)).ok_or_else(|| {
        let near = region.programs().nearest_member(name, program::batch::MODULE_EXTENSION);
        format!("it is in no library{}", exec::did_you_mean(near))
    })?;
    let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mapset = LoadedMapSet::decode(&bytes).map_err(|error| error.to_string())?;
    if let Some(resource) = region.programs().find(name).filter(|program| !program.is_loaded()) {
        resource.mapset_loaded(library, bytes.len());
    }
    Ok(mapset)
}

/// The mapset a command names. One that is disabled or cannot be loaded abends the task ABM0.
pub fn for_task(task: &Task, name: Name8, suffix: Option<char>) -> Result<Arc<LoadedMapSet>, Raised> {
    let region = task.region;
    let resource = region.programs().find(name);
    let disabled = resource.as_ref().is_some_and(|resource| !resource.definition().enabled);
    let found = if disabled { Err("it is disabled".to_string()) } else { BasicMapping::of(region).find(region, name, suffix) };
    if let (Ok(_), Some(resource)) = (&found, resource) {
        resource.use_count.fetch_add(1, Ordering::Relaxed);
    }
    found.map_err(|reason| {
        region.messages.send("DFHBM0100", &[("mapset", name.as_str()), ("reason", &reason)]);
        Raised::Abend(Box::new(Abend::new("ABM0").because(format!("mapset {name}: {reason}"))))
    })
}
