//! Sequential data sets that batch programs create: flat files in `sequential` of the work directory, one for each data set, by name.

use std::path::{Path, PathBuf};

use vsam::disk::names::{Letters, file_name};

/// Where a sequential data set that a batch program made is kept.
pub fn sequential_path(data_directory: &Path, data_set: &str) -> PathBuf {
    // A name that cannot be a file name has no file.
    let file = file_name(data_set, Letters::Kept, "").unwrap_or_else(|_| "%".to_string());
    data_directory.join("sequential").join(file)
}

/// The flat file that is kept for a data set, if there is one. Files at other places are the application's own.
fn kept_file(data_directory: &Path, data_set: &str) -> std::io::Result<Option<PathBuf>> {
    if Path::new(data_set).file_name() != Some(data_set.as_ref()) {
        return Ok(None);
    }
    let path = sequential_path(data_directory, data_set);
    match std::fs::symlink_metadata(&path) {
        Ok(metadata) => Ok(metadata.is_file().then_some(path)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes the flat file that is kept for a data set; false if there is none.
pub fn scratch_sequential(data_directory: &Path, data_set: &str) -> std::io::Result<bool> {
    match kept_file(data_directory, data_set)? {
        Some(path) => std::fs::remove_file(path).map(|()| true),
        None => Ok(false),
    }
}

/// Renames the flat file that is kept for a data set; false if there is none. One that has the new name is an error.
pub fn rename_sequential(data_directory: &Path, data_set: &str, new_name: &str) -> std::io::Result<bool> {
    let Some(path) = kept_file(data_directory, data_set)? else { return Ok(false) };
    if kept_file(data_directory, new_name)?.is_some() {
        return Err(std::io::ErrorKind::AlreadyExists.into());
    }
    std::fs::rename(path, sequential_path(data_directory, new_name)).map(|()| true)
}
