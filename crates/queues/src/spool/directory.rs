//! The directories of the spool.

use region::Region;
use region::name::Name8;
use std::io;
use std::path::{Path, PathBuf};
use vsam::disk::private;

/// The node of this machine.
pub const LOCAL: &str = "LOCAL";
/// The user identifier of `USERID('*')`.
const ANY: &str = "*";
/// Where reports are that are being written.
const OPEN: &str = "open";
pub const RECORDS: &str = "records";
pub const REPORT: &str = "report";

pub fn root(region: &Region) -> PathBuf {
    region.data_directory.join("spool")
}

/// The directory of reports that are being written, which is made if it is not there.
///
/// # Errors
///
/// It cannot be made.
pub fn open(region: &Region) -> io::Result<PathBuf> {
    let directory = root(region).join(OPEN);
    private::create_directory(&directory)?;
    Ok(directory)
}

/// Where a report belongs. A node of `*`, the name of this region's system and `LOCAL` are this machine.
pub fn destination(region: &Region, node: Name8, user: Name8, class: u8) -> PathBuf {
    let node = match node.as_str() {
        ANY => LOCAL,
        node if node == region.sysid.as_str() || node == region.applid.as_str() => LOCAL,
        node => node,
    };
    let user = match user.as_str() {
        ANY => region.default_user.as_str(),
        user => user,
    };
    root(region).join(node).join(user).join(char::from(class).to_string())
}

/// The report of this machine that is read next for a user: the oldest, of a class or of any.
pub fn next(region: &Region, user: Name8, class: Option<u8>) -> Option<PathBuf> {
    let user = root(region).join(LOCAL).join(user.as_str());
    let directories: Vec<PathBuf> = match class {
        Some(class) => vec![user.join(char::from(class).to_string())],
        None => entries(&user),
    };
    let reports = directories.iter().flat_map(|directory| entries(directory)).filter(|path| is_report(path));
    reports.min_by_key(|path| path.file_name().map(std::ffi::OsStr::to_os_string))
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn is_report(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == RECORDS) && path.symlink_metadata().is_ok_and(|metadata| metadata.is_file())
}
