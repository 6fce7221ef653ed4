//! The work directory of an application, which holds everything generated from it.

use std::path::{Path, PathBuf};

/// Its name below the application's own directory.
const NAME: &str = ".regent";

/// The work directory of the application in `directory`: `data` if `--data` names one.
pub fn of(directory: &Path, data: Option<&Path>) -> PathBuf {
    data.map_or_else(|| directory.join(NAME), Path::to_path_buf)
}
