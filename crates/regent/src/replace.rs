//! Replaces a file as a whole: after a failure at any point either the old or the new file is present, and a process that has the old one
//! open or mapped keeps it.
//!
//! The file grants no right that its directory does not grant, so what is written into a private directory is private.

use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Rights of reading and writing.
const READ_AND_WRITE: u32 = 0o666;

/// Writes the bytes beside the file and renames them over it. Two threads that replace the same file at once each write one of their own.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let scratch = path.with_file_name(format!(".{name}.{:?}.new", std::thread::current().id()));
    let written = || {
        let directory = scratch.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mode = directory.metadata()?.permissions().mode() & READ_AND_WRITE;
        let mut file = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(mode).open(&scratch)?;
        file.write_all(bytes)?;
        std::fs::rename(&scratch, path)
    };
    written().map_err(|error| format!("{}: {error}", path.display()))
}
