//! Where the bundles and libraries of an application's definitions are on this machine.
//!
//! BUNDLEDIR and the DSNAMEs of a LIBRARY name places of the system that the definitions were written for. A relative path is one from the
//! application's directory. A bundle directory that is not on this machine is looked for among the bundles of the application, by its name.

use std::path::{Path, PathBuf};

use csd::file::{Csd, Definition};

use super::problems::Problems;
use crate::console::Console;

/// What an application has of bundles.
pub struct Bundles<'a> {
    pub directory: &'a Path,
    /// The directories of bundles in the application.
    pub found: &'a [PathBuf],
}

impl Bundles<'_> {
    /// Gives the definitions the directories of this machine, and tells of bundles that no definition installs.
    pub fn resolve(&self, csd: &mut Csd, groups: &[String], console: &Console, problems: &mut Problems) {
        let mut used: Vec<PathBuf> = Vec::new();
        for mut definition in definitions(csd, groups, "BUNDLE") {
            let named = PathBuf::from(definition.get("BUNDLEDIR").trim());
            let Some(place) = self.place(&named, problems, &definition.name) else { continue };
            if !self.is_the_same(&place, &named) {
                console.line(&format!("bundle    {}: {} is not here, {} is used", definition.name, named.display(), place.display()));
            }
            definition.attributes.insert("BUNDLEDIR", absolute(&place).display().to_string());
            used.push(place);
            csd.put(definition);
        }
        for mut definition in definitions(csd, groups, "LIBRARY") {
            let relative = |value: &String| value.contains('/') && Path::new(value).is_relative() && self.directory.join(value).is_dir();
            let data_sets = definition.attributes.iter_mut().filter(|(name, _)| name.starts_with("DSNAME")).map(|(_, value)| value);
            for value in data_sets.filter(|value| relative(value)) {
                *value = absolute(&self.directory.join(&*value)).display().to_string();
            }
            csd.put(definition);
        }
        for mut definition in definitions(csd, groups, "DOCTEMPLATE") {
            let file = definition.get("HFSFILE").to_string();
            let path = self.directory.join(&file);
            if !file.is_empty() && Path::new(&file).is_relative() && path.is_file() {
                definition.attributes.insert("HFSFILE", absolute(&path).display().to_string());
                csd.put(definition);
            }
        }
        for idle in self.found.iter().filter(|bundle| !used.iter().any(|used| is_one_directory(used, bundle))) {
            let path = idle.strip_prefix(self.directory).unwrap_or(idle).display();
            console.line(&format!(
                "  not used  {path}: a bundle that no definition names: DEFINE BUNDLE(name) GROUP(group) BUNDLEDIR({path}) installs it"
            ));
        }
    }

    /// The directory of a bundle on this machine; `None` if there is none, which its installation reports.
    fn place(&self, named: &Path, problems: &mut Problems, bundle: &str) -> Option<PathBuf> {
        let within = self.directory.join(named);
        if within.is_dir() {
            return Some(within);
        }
        let name = named.file_name()?;
        let mut alike = self.found.iter().filter(|directory| directory.file_name() == Some(name));
        match (alike.next(), alike.next()) {
            (Some(only), None) => Some(only.clone()),
            (Some(one), Some(other)) => {
                problems.add(format!(
                    "BUNDLE({bundle}): {} is not on this machine, and both {} and {} have its name: give BUNDLEDIR the path of one of them",
                    named.display(),
                    one.display(),
                    other.display()
                ));
                None
            }
            (None, _) => None,
        }
    }

    /// True if the place is the one that a definition names.
    fn is_the_same(&self, place: &Path, named: &Path) -> bool {
        place == self.directory.join(named)
    }
}

fn is_one_directory(one: &Path, other: &Path) -> bool {
    absolute(one) == absolute(other)
}

/// A path that does not depend on the working directory.
fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// The definitions of a type in the groups of the application.
fn definitions(csd: &Csd, groups: &[String], resource: &str) -> Vec<Definition> {
    let all = groups.iter().flat_map(|group| csd.group(group));
    all.filter(|definition| definition.resource.name == resource).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::OutputFormat;

    fn bundle(directory: &str) -> Csd {
        let mut csd = Csd::default();
        csd.put(Definition::new("BUNDLE", "LIMITS", "APP").with("BUNDLEDIR", directory));
        csd
    }

    #[test]
    fn a_bundle_is_found_by_its_path_within_the_application_or_by_its_name() {
        let scratch = tempfile::tempdir().unwrap();
        let directory = &scratch.path().canonicalize().unwrap();
        for path in ["bundles/limits", "a/twice", "b/twice"] {
            std::fs::create_dir_all(directory.join(path)).unwrap();
        }
        let found: Vec<PathBuf> = ["a/twice", "b/twice", "bundles/limits"].iter().map(|path| directory.join(path)).collect();
        let bundles = Bundles { directory, found: &found };
        let resolved = |named: &str| {
            let (mut csd, mut problems) = (bundle(named), Problems::default());
            bundles.resolve(&mut csd, &["APP".to_string()], &Console::new(OutputFormat::Text), &mut problems);
            let place = csd.group("APP").next().unwrap().get("BUNDLEDIR").to_string();
            (place, problems.list().to_vec())
        };
        let limits = directory.join("bundles/limits").display().to_string();
        assert_eq!(resolved("bundles/limits").0, limits);
        assert_eq!(resolved("/u/team/bundles/limits/").0, limits, "the path of another machine");
        assert_eq!(resolved("/u/team/nowhere"), ("/u/team/nowhere".to_string(), Vec::new()), "its installation reports it");
        let (place, problems) = resolved("/u/team/twice/");
        assert!(place == "/u/team/twice/" && problems.len() == 1 && problems[0].contains("have its name"), "{problems:?}");
    }
}
