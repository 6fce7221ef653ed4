//! The files and maps that programs name by literals and that nothing defines or makes: most are misspelt.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bms::object;
use cobol::exec_translate::{NamedResource, Naming};
use csd::file::{Csd, Definition};
use program::batch::MODULE_EXTENSION;

use super::problems::Problems;
use crate::compile::Summary;

/// Reports them. `library` has the load modules of the application.
pub fn report(summary: &Summary, csd: &Csd, groups: &[String], library: &Path, problems: &mut Problems) {
    let definitions: Vec<&Definition> = groups.iter().flat_map(|group| csd.group(group)).collect();
    let files: BTreeSet<&str> = of_type(&definitions, "FILE").map(|file| file.name.as_str()).collect();
    let mapsets = MapSets::new(library);
    // A source in error may be the one that makes the mapset; a library of a LIBRARY definition may have it.
    let are_known = summary.failed_maps == 0 && of_type(&definitions, "LIBRARY").next().is_none();
    for (resource, places) in by_resource(&summary.named) {
        let fault = match resource {
            NamedResource::File(name) => (!files.contains(name.as_str())).then(|| {
                let near = near(name, files.iter().copied()).map_or(String::new(), |near| format!("; {near} is defined"));
                format!("FILE({name}) is not defined: {places} it{near}")
            }),
            NamedResource::Map { mapset, map } if are_known => mapsets.fault(mapset, map.as_deref(), &places),
            NamedResource::Map { .. } => None,
        };
        fault.into_iter().for_each(|text| problems.add(text));
    }
}

fn of_type<'a>(definitions: &'a [&'a Definition], resource: &'static str) -> impl Iterator<Item = &'a Definition> {
    definitions.iter().copied().filter(move |definition| definition.resource.name == resource)
}

/// What is named, and the text that says by which commands. Names with DFH are those of the system.
fn by_resource(named: &[Naming]) -> Vec<(&NamedResource, String)> {
    let mut by_resource: BTreeMap<&NamedResource, Vec<&Naming>> = BTreeMap::new();
    for naming in named {
        by_resource.entry(&naming.resource).or_default().push(naming);
    }
    let own = by_resource.into_iter().filter(|(resource, _)| match resource {
        NamedResource::File(name) | NamedResource::Map { mapset: name, .. } => !name.starts_with("DFH"),
    });
    own.map(|(resource, namings)| (resource, places(&namings))).collect()
}

/// `A.cbl:10 (READ) and 2 more commands name`
fn places(namings: &[&Naming]) -> String {
    let first = namings[0];
    let text = format!("{}:{} ({})", first.file, first.line, first.command);
    match namings.len() - 1 {
        0 => format!("{text} names"),
        1 => format!("{text} and 1 more command name"),
        more => format!("{text} and {more} more commands name"),
    }
}

/// The name that was probably meant: one that differs in case only, or a little.
fn near<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    known.clone().find(|other| other.eq_ignore_ascii_case(name)).or_else(|| exec::nearest(name, known))
}

/// The mapsets of a library.
struct MapSets<'a> {
    library: &'a Path,
    members: BTreeSet<String>,
}

impl MapSets<'_> {
    fn new(library: &Path) -> MapSets<'_> {
        let paths = std::fs::read_dir(library).into_iter().flatten().flatten().map(|entry| entry.path());
        let modules = paths.filter(|path| path.extension().is_some_and(|extension| extension == MODULE_EXTENSION));
        MapSets { library, members: modules.filter_map(|path| Some(path.file_stem()?.to_str()?.to_string())).collect() }
    }

    /// The maps of a mapset; `None` for a member that is a program.
    fn maps(&self, member: &str) -> Option<Vec<String>> {
        let bytes = std::fs::read(self.library.join(format!("{member}.{MODULE_EXTENSION}"))).ok()?;
        let set = object::decode(&bytes).ok()?;
        Some(set.maps.into_iter().map(|map| map.name).collect())
    }

    fn fault(&self, mapset: &str, map: Option<&str>, places: &str) -> Option<String> {
        // A mapset for screens of one size has a suffix of one character.
        let has_suffix = |member: &&String| member.len() == mapset.len() + 1 && member.starts_with(mapset);
        let member = self.members.get(mapset).or_else(|| self.members.iter().find(has_suffix));
        let Some(maps) = member.and_then(|member| self.maps(member)) else {
            let known: Vec<&str> = self.members.iter().map(String::as_str).filter(|member| self.maps(member).is_some()).collect();
            let near = near(mapset, known.iter().copied()).map_or(String::new(), |near| format!("; {near} is there"));
            return Some(format!("mapset {mapset} is made by no map source of the application: {places} it{near}"));
        };
        let map = map.filter(|map| !maps.iter().any(|known| known.eq_ignore_ascii_case(map)))?;
        let near = near(map, maps.iter().map(String::as_str)).map_or(String::new(), |near| format!("; {near} is there"));
        Some(format!("mapset {mapset} has no map {map}: {places} it{near}"))
    }
}
