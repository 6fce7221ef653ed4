//! `regent up --watch`: checks the sources every second, compiles changed ones and gives the region the new copies.
//!
//! A check compares the length and time of each file, for at most `FILES_MAX` files. A file that is still being written is left until two
//! checks agree. Programs take the new copy as with CEMT SET PROGRAM PHASEIN: running tasks continue with the old one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use csd::ProgramType;
use region::name::Name8;
use region::{Region, Stage};
use terminals::basic_mapping::BasicMapping;

use super::configuration::Configuration;
use super::problems::Problems;
use crate::console::Console;

const LOOK_EVERY: Duration = Duration::from_secs(1);
const FILES_MAX: usize = 50_000;
const DEPTH_MAX: usize = 32;
/// Of programs and mapsets in a region.
const NAME_LENGTH_MAX: usize = 8;

/// Length and time of change of each file.
type Snapshot = BTreeMap<PathBuf, (u64, SystemTime)>;

/// Watches in a thread of its own until the region is shut down.
pub fn begin(region: &'static Region, directory: &Path, data: Option<&Path>, console: Console) {
    let (directory, data) = (directory.to_path_buf(), data.map(Path::to_path_buf));
    let name = "watch".to_string();
    let started = std::thread::Builder::new().name(name).spawn(move || watch(region, &directory, data.as_deref(), &console));
    if let Err(error) = started {
        console.warning(&format!("--watch: {error}"));
    }
}

fn watch(region: &'static Region, directory: &Path, data: Option<&Path>, console: &Console) {
    let mut seen = look(directory);
    let mut before = seen.clone();
    console.line("watching  the sources; what changes is compiled");
    while region.stage() == Stage::Running {
        std::thread::sleep(LOOK_EVERY);
        let now = look(directory);
        if now.len() >= FILES_MAX {
            return console.warning(&format!("--watch ends: {} has more than {FILES_MAX} files", directory.display()));
        }
        let is_settled = now == before;
        before = now;
        if is_settled && before != seen {
            seen = before.clone();
            rebuild(region, directory, data, console);
        }
    }
}

fn rebuild(region: &'static Region, directory: &Path, data: Option<&Path>, console: &Console) {
    let mut problems = Problems::default();
    match super::rebuild(directory, data, &[], console, &mut problems) {
        Ok(summary) => {
            problems.list().iter().for_each(|problem| console.warning(&format!("  {problem}")));
            summary.made.iter().for_each(|member| renew(region, member, console));
        }
        // A regent.toml that is being edited, say: the next change is looked at again.
        Err(text) => console.warning(&text),
    }
}

/// Loads the library's copy of a program or mapset into the region.
fn renew(region: &'static Region, member: &str, console: &Console) {
    if member.len() > NAME_LENGTH_MAX {
        return;
    }
    let name = Name8::new(member);
    // A mapset is read again at its next use.
    BasicMapping::of(region).new_copy(region, name);
    let defined = region.programs().find(name).filter(|program| program.definition().program_type == ProgramType::Program);
    let Some(program) = defined.or_else(|| region.programs().find_called(name)) else {
        return console.line(&format!("new copy  {member}"));
    };
    match region.programs().new_copy(region, &program, true) {
        Ok(copy) => console.line(&format!("new copy  {member}: {} is in use", copy.text().to_lowercase())),
        Err(fault) => console.warning(&format!("new copy  {member}: refused, {fault}")),
    }
}

/// The files of the application's directory, and of those its configuration adds.
fn look(directory: &Path) -> Snapshot {
    let configuration = Configuration::read(directory).unwrap_or_default();
    let mut snapshot = Snapshot::new();
    let further = configuration.source.include.iter().chain(&configuration.source.copy).map(|path| directory.join(path));
    for root in std::iter::once(directory.to_path_buf()).chain(further) {
        walk(&root, 0, &mut snapshot);
    }
    snapshot
}

fn walk(directory: &Path, depth: usize, snapshot: &mut Snapshot) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        let Ok(metadata) = entry.metadata() else { continue };
        if is_hidden || snapshot.len() >= FILES_MAX {
            continue;
        }
        if metadata.is_dir() && depth < DEPTH_MAX {
            walk(&entry.path(), depth + 1, snapshot);
        } else if metadata.is_file() {
            snapshot.insert(entry.path(), (metadata.len(), metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::configuration::FILE_NAME;
    use super::*;

    #[test]
    fn a_scan_finds_sources_and_their_changes() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = directory.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("cobol/A.cbl", "1");
        write(".regent/library/A.rlm", "1");
        let first = look(directory.path());
        assert_eq!(first.len(), 1);
        write(".regent/library/A.rlm", "12");
        assert_eq!(look(directory.path()), first, "what is made is not watched");
        write("cobol/A.cbl", "12");
        assert_ne!(look(directory.path()), first);
        write(FILE_NAME, "[sourc");
        assert_eq!(look(directory.path()).len(), 2, "a wrong configuration is only looked at");
    }
}
