//! Sequential data sets that batch programs create: flat files in `sequential` of the work directory, one for each data set, by name.

use std::path::{Path, PathBuf};

use vsam::disk::names::{Letters, file_name};

use crate::work_directory::WorkDirectory;

/// Where a sequential data set that a batch program made is kept.
pub fn sequential_path(work: &WorkDirectory, data_set: &str) -> PathBuf {
    // A name that cannot be a file name has no file.
    let file = file_name(data_set, Letters::Kept, "").unwrap_or_else(|_| "%".to_string());
    work.sequential().join(file)
}

/// The flat file that is kept for a data set, if there is one. Files at other places are the application's own.
fn kept_file(work: &WorkDirectory, data_set: &str) -> std::io::Result<Option<PathBuf>> {
    if Path::new(data_set).file_name() != Some(data_set.as_ref()) {
        return Ok(None);
    }
    let path = sequential_path(work, data_set);
    match std::fs::symlink_metadata(&path) {
        Ok(metadata) => Ok(metadata.is_file().then_some(path)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes the flat file that is kept for a data set; false if there is none.
pub fn scratch_sequential(work: &WorkDirectory, data_set: &str) -> std::io::Result<bool> {
    match kept_file(work, data_set)? {
        Some(path) => std::fs::remove_file(path).map(|()| true),
        None => Ok(false),
    }
}

/// Renames the flat file that is kept for a data set; false if there is none. One that has the new name is an error.
pub fn rename_sequential(work: &WorkDirectory, data_set: &str, new_name: &str) -> std::io::Result<bool> {
    let Some(path) = kept_file(work, data_set)? else { return Ok(false) };
    if kept_file(work, new_name)?.is_some() {
        return Err(std::io::ErrorKind::AlreadyExists.into());
    }
    std::fs::rename(path, sequential_path(work, new_name)).map(|()| true)
}
