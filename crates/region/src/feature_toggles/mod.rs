//! Feature toggles: values by name in files of properties, which switch or configure single features (Specifying feature toggles).
//!
//! The files are `featuretoggle.properties` in the directory of USSCONFIG, for all regions, and in its subdirectory with the name of the
//! region's APPLID. A line is `name=value`; `#` begins a comment. A toggle that no feature knows is kept, and shown by INQUIRE FEATUREKEY
//! as any other; what has no valid value is as if it were not given.
//!
//! Invariant: the toggles of a region do not change while it runs.

use crate::channel::Lookup;
use crate::inquiry::{is_browse, step};
use crate::{Arguments, Domain, Handler, Outcome, Region, Task, raise};
use exec::resp2::feature_toggles as resp2;
use exec::{CommandId, command, condition, option};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Both files have this name.
const FILE: &str = "featuretoggle.properties";
/// Containers are found by hash; the default is true.
const CONTAINER_HASH: &str = "com.ibm.cics.container.hash";
/// Longest name and value of a toggle (INQUIRE FEATUREKEY).
const LENGTH_MAX: usize = 255;

crate::region_part!(FeatureToggles);
crate::task_part!(TaskState);

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "feature toggles", commands: &[handlers], slots: &[&IN_REGION, &IN_TASK], ..Domain::NONE };

/// A toggle that a file gives.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Toggle {
    name: String,
    value: String,
    file: PathBuf,
}

/// The toggles of a region.
#[derive(Default)]
pub struct FeatureToggles {
    toggles: OnceLock<BTreeMap<String, Toggle>>,
    container_lookup: OnceLock<Lookup>,
}

/// The part of a task: the browse in progress.
#[derive(Default)]
pub struct TaskState {
    browse: Option<VecDeque<Toggle>>,
}

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[(command::INQUIRE_FEATUREKEY, inquire)]
}

impl FeatureToggles {
    /// Reads the files, once, and lists what they give (DFHPA1956).
    pub(crate) fn configure(&self, region: &Region) {
        let directory = region.sit.get("USSCONFIG");
        if directory.is_empty() {
            return;
        }
        let directory = Path::new(directory);
        let own = directory.join(region.applid.as_str().trim_end());
        let mut toggles = BTreeMap::new();
        for file in [directory.join(FILE), own.join(FILE)] {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            toggles.extend(parsed(&text).map(|(name, value)| (name.clone(), Toggle { name, value, file: file.clone() })));
        }
        for Toggle { name, value, file } in toggles.values() {
            let file = file.display().to_string();
            region.messages.send("DFHPA1956", &[("name", name.as_str()), ("value", value), ("file", &file)]);
        }
        let is_list = toggles.get(CONTAINER_HASH).is_some_and(|toggle| toggle.value.eq_ignore_ascii_case("false"));
        let first = self.toggles.set(toggles).is_ok();
        assert!(first, "toggles are read once");
        if is_list {
            let _ = self.container_lookup.set(Lookup::List);
        }
    }

    /// Whether a toggle is given as `true`.
    pub fn is_on(&self, name: &str) -> bool {
        self.find(name).is_some_and(|toggle| toggle.value.eq_ignore_ascii_case("true"))
    }

    pub fn container_lookup(&self) -> Lookup {
        self.container_lookup.get().copied().unwrap_or_default()
    }

    fn all(&self) -> impl Iterator<Item = &Toggle> {
        self.toggles.get().into_iter().flat_map(BTreeMap::values)
    }

    fn find(&self, name: &str) -> Option<&Toggle> {
        self.toggles.get()?.get(name)
    }
}

/// Names and values of the lines; the last of a name counts.
fn parsed(text: &str) -> impl Iterator<Item = (String, String)> + '_ {
    text.lines().filter_map(|line| {
        let (name, value) = line.split_once('=')?;
        let (name, value) = (name.trim(), value.trim());
        let is_valid = !name.is_empty() && !name.starts_with(['#', '!']) && name.len() <= LENGTH_MAX && value.len() <= LENGTH_MAX;
        is_valid.then(|| (name.to_string(), value.to_string()))
    })
}

/// INQUIRE FEATUREKEY, of one toggle or as a browse.
fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let toggles = FeatureToggles::of(task.region);
    let found = if is_browse(arguments) {
        let slot = &mut TaskState::of_mut(&mut task.parts).browse;
        let Some(toggle) = step(arguments, slot, || toggles.all().cloned().collect())? else { return Ok(()) };
        arguments.set_text(option::FEATUREKEY, &toggle.name)?;
        toggle
    } else {
        let name = arguments.text(option::FEATUREKEY)?.unwrap_or_default();
        let Some(toggle) = toggles.find(name.trim_end()) else { return raise(condition::NOTFND, resp2::UNKNOWN) };
        toggle.clone()
    };
    arguments.set_text(option::VALUE, &found.value)?;
    arguments.set_text(option::FILEPATH, &found.file.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_names_and_values() {
        let text = "# comment\n a.b = true \nno value\n=x\n!c=d\na.b=false\n";
        let found: Vec<_> = parsed(text).collect();
        let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
        assert_eq!(found, [pair("a.b", "true"), pair("a.b", "false")]);
        let long = format!("{}=1\n{}=1\n", "n".repeat(LENGTH_MAX), "n".repeat(LENGTH_MAX + 1));
        assert_eq!(parsed(&long).count(), 1);
    }
}
