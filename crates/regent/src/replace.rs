//! Replaces a file as a whole: after a failure at any point either the old or the new file is present, and a process that has the old one
//! open or mapped keeps it.

use std::path::Path;

/// Writes the bytes beside the file and renames them over it. Two threads that replace the same file at once each write one of their own.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let scratch = path.with_file_name(format!(".{name}.{:?}.new", std::thread::current().id()));
    std::fs::write(&scratch, bytes).and_then(|()| std::fs::rename(&scratch, path)).map_err(|error| format!("{}: {error}", path.display()))
}
