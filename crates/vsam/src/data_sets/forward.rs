//! Forward recovery and replication of the data sets: what is logged at the end of a unit of work or file, the carrier that moves the logs
//! to their files, and recovery from them. The logs and their rules are in `forward`.

use std::path::{Path, PathBuf};

use super::DataSets;
use crate::disk::names::{Letters, file_name};
use crate::error::{FileError, StoreError};
use crate::file::File;
use crate::forward::{Image, ImageKind, REPLICATION, TABLE_PREFIX, append, cut_torn_end, end_of, frame_of, now, read_images};
use crate::store::{Change, Direction, UnitOfWork};

const DIRECTORY: &str = "forward";
/// Images carried in one go.
const CARRY_MAX: usize = 10_000;

impl DataSets {
    /// Before a unit of work is committed: its replication logs get its COMMIT record.
    pub fn log_commit(&self, unit: &UnitOfWork) -> Result<(), StoreError> {
        for table in self.replicating().take(unit.id()) {
            let image = end_of(self.store(), unit.id(), ImageKind::Commit);
            unit.put(&table, &image.sequence.to_be_bytes(), &image.encode())?;
        }
        Ok(())
    }

    /// Backs out a unit of work, then writes the changes it would have made and its BACKOUT record to its replication logs. They come after
    /// the outcome, so that a prepared unit never has both BACKOUT and, after a failure in between, COMMIT. An error means that they were
    /// not written.
    pub fn back_out(&self, unit: &UnitOfWork) -> Result<(), StoreError> {
        let _ = self.replicating().take(unit.id());
        let mut changes = Vec::new();
        for (table, records) in unit.pending(|name| name.starts_with(TABLE_PREFIX)) {
            let images = records.iter().filter_map(|record| Image::decode(record));
            // Prepared, it has a COMMIT record that then never was.
            let replicated = images.filter(|image| image.purpose & REPLICATION != 0 && image.kind != ImageKind::Commit);
            let before = changes.len();
            changes.extend(replicated.map(|image| Image { purpose: REPLICATION, ..image }.change(&table)));
            if changes.len() > before {
                changes.push(end_of(self.store(), unit.id(), ImageKind::Backout).change(&table));
            }
        }
        unit.backout();
        if changes.is_empty() { Ok(()) } else { self.store().publish_now(changes) }
    }

    /// Writes the association of a file with its data set to its logs, when it is opened and at keypoints, or a record that it was closed.
    pub fn log_file(&self, file: &File, name: &str, kind: ImageKind) -> Result<(), StoreError> {
        let Some(logs) = &file.0.forward else { return Ok(()) };
        let record = |purpose| Image {
            kind,
            purpose,
            sequence: self.store().next_arrival(),
            at: now(),
            unit: 0,
            data_set: file.attributes().base.clone(),
            key: Vec::new(),
            record: Some(name.as_bytes().to_vec()),
        };
        self.store().publish_now(logs.logs.iter().map(|(table, purpose)| record(*purpose).change(table)).collect())
    }

    /// Moves committed log records to the files of the forward recovery logs. Returns the number of images.
    pub fn carry_forward_logs(&self) -> Result<u64, FileError> {
        let mut whole = self.carrying();
        let store = self.store();
        let mut total = 0;
        for name in store.table_names() {
            let (Some(log), Some(table)) = (name.strip_prefix(TABLE_PREFIX), store.existing_table(&name)) else { continue };
            let directory = self.forward_directory(log);
            loop {
                let (mut frames, mut changes) = (Vec::new(), Vec::new());
                store.scan(&table, None, Direction::Forward, &mut |key, payload| {
                    frame_of(payload, &mut frames);
                    changes.push(Change { table: table.clone(), key: key.to_vec(), value: None });
                    changes.len() < CARRY_MAX
                })?;
                if changes.is_empty() {
                    break;
                }
                // Changes that a failure could still undo must not be in the files.
                store.keypoint()?;
                if !whole.contains(&directory) {
                    cut_torn_end(&directory)?;
                }
                // Until the write has succeeded, the end of the file is unknown.
                whole.remove(&directory);
                append(&directory, &frames)?;
                whole.insert(directory.clone());
                total += changes.len() as u64;
                store.publish_now(changes)?;
            }
        }
        Ok(total)
    }

    /// Names of the forward recovery logs.
    pub fn forward_logs(&self) -> Vec<String> {
        self.store().table_names().iter().filter_map(|name| name.strip_prefix(TABLE_PREFIX).map(str::to_string)).collect()
    }

    /// Where the files of a log are.
    pub fn forward_directory(&self, log: &str) -> PathBuf {
        // A name that no file can have was never given to a log.
        let name = file_name(log, Letters::Kept, "").unwrap_or_else(|_| "%".to_string());
        self.store().directory().join(DIRECTORY).join(name)
    }

    /// Applies the images of a data set in the files of a log, up to a moment, and rebuilds its alternate indexes. Returns the number
    /// applied. The data set holds a backup taken after the log was begun.
    pub fn recover_forward(&self, data_set: &str, directory: &Path, until: Option<u64>) -> Result<u64, FileError> {
        self.must_be_free(data_set)?;
        let sphere = self.sphere(data_set)?;
        let images = read_images(directory, data_set, until)?;
        let applied = images.len() as u64;
        let mut changes = Vec::new();
        for (_, image) in images {
            changes.push(Change { table: sphere.data.clone(), key: image.key, value: image.record });
            if changes.len() >= CARRY_MAX {
                self.store().publish_now(std::mem::take(&mut changes))?;
                self.store().keypoint()?;
            }
        }
        self.store().publish_now(changes)?;
        self.store().keypoint()?;
        let indexes: Vec<String> = sphere.indexes.iter().map(|index| index.name.clone()).collect();
        drop(sphere);
        for index in indexes {
            self.build_index(&index)?;
        }
        self.rebuild_intervals(data_set)?;
        Ok(applied)
    }
}
