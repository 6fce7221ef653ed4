//! Files and directories that only their owner may read, because they hold the data of applications.
//!
//! Invariant: a file created here has mode 0600 and a directory 0700, whatever the umask of the process; a symbolic link in place of a file
//! is not followed.

use std::fs::{DirBuilder, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

const FILE_MODE: u32 = 0o600;
const DIRECTORY_MODE: u32 = 0o700;
/// Rights of the group and of all others.
const RIGHTS_OF_OTHERS: u32 = 0o077;
/// How deep directories nest in a data directory.
const DEPTH_MAX: usize = 8;

/// Creates a directory and its parents, if missing.
pub fn create_directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(DIRECTORY_MODE).create(path)
}

/// Options to open a file of a data directory by, which the caller completes.
pub fn open_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(FILE_MODE).custom_flags(libc::O_NOFOLLOW);
    options
}

/// Opens a file with the options of `open_options`; the error says so if the file is a symbolic link.
pub fn open(options: &OpenOptions, path: &Path) -> io::Result<std::fs::File> {
    options.open(path).map_err(|error| match error.raw_os_error() {
        Some(libc::ELOOP) => io::Error::new(io::ErrorKind::InvalidInput, "it is a symbolic link, which is not followed"),
        _ => error,
    })
}

/// Writes a file as a whole, replacing any file of its name.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use std::io::Write;
    let mut file = open(open_options().write(true).create(true).truncate(true), path)?;
    file.set_permissions(Permissions::from_mode(FILE_MODE))?;
    file.write_all(bytes)
}

/// Removes the rights of others from a directory and everything in it, which earlier releases granted. Symbolic links and files of other
/// owners stay as they are.
pub fn tighten(directory: &Path) {
    tighten_to_depth(directory, DEPTH_MAX);
}

fn tighten_to_depth(path: &Path, depth: usize) {
    let Ok(metadata) = std::fs::symlink_metadata(path) else { return };
    let is_plain = metadata.is_file() || metadata.is_dir();
    let mode = metadata.permissions().mode();
    if is_plain
        && mode & RIGHTS_OF_OTHERS != 0
        && let Err(error) = std::fs::set_permissions(path, Permissions::from_mode(mode & !RIGHTS_OF_OTHERS & 0o7777))
    {
        tracing::warn!("{}: others may read it: {error}", path.display());
    }
    if metadata.is_dir() && depth > 0 {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            tighten_to_depth(&entry.path(), depth - 1);
        }
    }
}
