//! A copy of the base built only from its replication log, as a replicator of the data set would build it.
//!
//! Rules: the log has either all records of a unit of work and its end, or none; applying the changes of committed units of work in the
//! order of the sequence numbers makes the copy equal to the base; each before-image equals the record in the copy.

use crate::commands::text;
use region::Task;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use vsam::forward::{Image, ImageKind, REPLICATION, read_log};

pub const LOG: &str = "TORTURE.LOG";
/// The length at which the log's files are removed and the copy is kept instead.
const LOG_BYTES_MAX: u64 = 1 << 20;

/// The copy: records by key.
type Records = BTreeMap<String, String>;

/// The copy when the log's files were last removed, and the units of work in it that may still be in them.
#[derive(Default)]
struct Kept {
    units: BTreeSet<u64>,
    records: Records,
}

fn path(task: &Task) -> PathBuf {
    task.region.data_directory.join("replica")
}

impl Kept {
    /// A line of units of work, then a line each record; keys have eight characters.
    fn read(path: &Path) -> Kept {
        let Ok(text) = std::fs::read_to_string(path) else { return Kept::default() };
        let (units, records) = text.split_once('\n').unwrap_or_default();
        let units = units.split(' ').filter_map(|unit| unit.parse().ok()).collect();
        Kept { units, records: records.lines().map(|line| (line[..8].to_string(), line.to_string())).collect() }
    }

    fn write(&self, path: &Path) -> std::io::Result<()> {
        let units: Vec<String> = self.units.iter().map(u64::to_string).collect();
        let records: Vec<&str> = self.records.values().map(String::as_str).collect();
        let new = path.with_extension("new");
        std::fs::write(&new, format!("{}\n{}\n", units.join(" "), records.join("\n")))?;
        std::fs::rename(new, path)
    }
}

/// The records of the copy; the error describes what is missing or superfluous in the log.
pub fn records(task: &Task) -> Result<Vec<String>, String> {
    let data_sets = &task.region.data_sets;
    data_sets.carry_forward_logs().map_err(|error| error.to_string())?;
    let mut kept = Kept::read(&path(task));
    let directory = data_sets.forward_directory(LOG);
    if directory.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        let images = read_log(&directory).map_err(|error| error.to_string())?;
        let images: Vec<Image> = images.into_values().filter(|image| image.purpose & REPLICATION != 0 && image.unit != 0).collect();
        apply(task, &images, &mut kept)?;
        shorten(task, &directory, &images, &mut kept)?;
    }
    Ok(kept.records.into_values().collect())
}

fn apply(task: &Task, images: &[Image], kept: &mut Kept) -> Result<(), String> {
    let ended = |kind| images.iter().filter(move |image| image.kind == kind).map(|image| image.unit).collect::<BTreeSet<u64>>();
    let (committed, backed_out) = (ended(ImageKind::Commit), ended(ImageKind::Backout));
    let is_end = |image: &Image| matches!(image.kind, ImageKind::Commit | ImageKind::Backout);
    let changed: BTreeSet<u64> = images.iter().filter(|image| !is_end(image)).map(|image| image.unit).collect();
    if let Some(unit) =
        committed.symmetric_difference(&backed_out).copied().collect::<BTreeSet<u64>>().symmetric_difference(&changed).next()
    {
        return Err(format!("the replication log has changes of unit of work {unit} without one end, or an end without changes"));
    }
    for image in images.iter().filter(|image| committed.contains(&image.unit) && !kept.units.contains(&image.unit)) {
        let (key, record) = (text(task, &image.key), image.record.as_deref().map(|record| text(task, record)));
        match image.kind {
            ImageKind::Before | ImageKind::Absent if kept.records.get(&key) != record.as_ref() => {
                return Err(format!("the replication log has before {key}: {record:?}, the copy {:?}", kept.records.get(&key)));
            }
            ImageKind::After => drop(kept.records.insert(key, record.unwrap_or_default())),
            ImageKind::Deleted => drop(kept.records.remove(&key)),
            _ => {}
        }
    }
    Ok(())
}

/// Keeps the copy instead of the files of a log that has grown long.
fn shorten(task: &Task, directory: &Path, images: &[Image], kept: &mut Kept) -> Result<(), String> {
    let io = |error: std::io::Error| error.to_string();
    let files = directory.read_dir().and_then(|entries| entries.collect::<Result<Vec<_>, _>>()).map_err(io)?;
    let bytes: u64 = files.iter().filter_map(|file| file.metadata().ok()).map(|metadata| metadata.len()).sum();
    if bytes < LOG_BYTES_MAX {
        return Ok(());
    }
    kept.units = images.iter().map(|image| image.unit).collect();
    kept.write(&path(task)).map_err(io)?;
    files.iter().try_for_each(|file| std::fs::remove_file(file.path())).map_err(io)
}
