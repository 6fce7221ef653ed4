//! Who runs the server, and where its data and its socket are.
//!
//! Invariants: the data is in a directory of its owner's alone; the socket is in a directory of the same owner. A process that is root
//! neither opens a file of the directory through a link, nor takes a link that the owner made for the directory of the data.

use super::error::{ClusterError, io};
use crate::users;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Longest path of a Unix socket, less a slash and the name of the socket.
const SOCKET_DIRECTORY_MAX: usize = 107 - "/.s.PGSQL.5432".len();
/// Where the socket is if the path of the data is too long. Its name does not depend on the environment, so the server is found again.
const SOCKET_ROOT: &str = "/tmp";
/// Users that may own the data when this process is root, by preference.
const UNPRIVILEGED: [&str; 2] = ["postgres", "nobody"];
/// Others may pass a directory without reading it.
const PASS: u32 = 0o001;

/// The user that a root process lets run the server.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    name: String,
    uid: u32,
    gid: u32,
}

impl Owner {
    /// `None`: this process runs the server as itself.
    pub fn find() -> Result<Option<Owner>, ClusterError> {
        if !rustix::process::geteuid().is_root() {
            return Ok(None);
        }
        let users = users::all().map_err(io("/etc/passwd"))?;
        match UNPRIVILEGED.iter().find_map(|name| users.iter().find(|user| user.name == *name && user.uid != 0)) {
            Some(user) => Ok(Some(Owner { name: user.name.clone(), uid: user.uid, gid: user.gid })),
            None => Err(ClusterError::Failed {
                what: "the start of the database".to_string(),
                output: format!("a database does not run as root, and there is no user {}", UNPRIVILEGED.join(" or ")),
            }),
        }
    }
}

/// The program runs as the owner, without root's groups.
pub(super) fn as_owner<'a>(command: &'a mut Command, owner: Option<&Owner>) -> &'a mut Command {
    match owner {
        Some(owner) => command.uid(owner.uid).gid(owner.gid),
        None => command,
    }
}

/// Makes the directory, gives it to its owner, and returns its whole path.
pub(super) fn make_directory(directory: &Path, owner: Option<&Owner>) -> Result<PathBuf, ClusterError> {
    let named = || directory.display().to_string();
    fs::create_dir_all(directory).map_err(io(named()))?;
    let whole = fs::canonicalize(directory).map_err(io(named()))?;
    if let Some(owner) = owner {
        let homes: Vec<PathBuf> = users::all().map_err(io("/etc/passwd"))?.into_iter().map(|user| user.home).collect();
        let metadata = fs::metadata(&whole).map_err(io(named()))?;
        if metadata.uid() != owner.uid {
            chown(&whole, Some(owner.uid), Some(owner.gid)).map_err(io(named()))?;
        }
        let_pass(&whole, owner, &homes)?;
    }
    fs::set_permissions(&whole, fs::Permissions::from_mode(0o700)).map_err(io(named()))?;
    Ok(whole)
}

/// The owner must reach the directory. Directories above it that let nobody pass are opened for passing, but not for reading. The home of
/// a user is not for us to open.
fn let_pass(directory: &Path, owner: &Owner, homes: &[PathBuf]) -> Result<(), ClusterError> {
    for above in directory.ancestors().skip(1) {
        let named = || above.display().to_string();
        let metadata = fs::metadata(above).map_err(io(named()))?;
        let mode = metadata.permissions().mode();
        if mode & PASS != 0 || metadata.uid() == owner.uid {
            continue;
        }
        if homes.iter().any(|home| home == above) {
            let (directory, closed) = (directory.to_path_buf(), above.to_path_buf());
            return Err(ClusterError::Unreachable { directory, closed, user: owner.name.clone() });
        }
        fs::set_permissions(above, fs::Permissions::from_mode(mode | PASS)).map_err(io(named()))?;
    }
    Ok(())
}

/// A link that the owner made would lead root elsewhere; one of root's own may lead to another disk.
pub(super) fn no_link_of_owner(path: &Path, owner: Option<&Owner>) -> Result<(), ClusterError> {
    let Some(owner) = owner else { return Ok(()) };
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() && metadata.uid() == owner.uid => {
            let output = format!("it is a link that {} has made", owner.name);
            Err(ClusterError::Failed { what: path.display().to_string(), output })
        }
        _ => Ok(()),
    }
}

/// How a file of the directory is opened: not through a link.
pub(super) fn no_link() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    options
}

/// Opens a file of the directory for appending.
pub(super) fn append(path: &Path, owner: Option<&Owner>) -> Result<fs::File, ClusterError> {
    open(no_link().create(true), path, owner)
}

fn open(options: &mut fs::OpenOptions, path: &Path, owner: Option<&Owner>) -> Result<fs::File, ClusterError> {
    let file = options.append(true).mode(0o600).open(path).map_err(io(path.display().to_string()))?;
    if let Some(owner) = owner {
        std::os::unix::fs::fchown(&file, Some(owner.uid), Some(owner.gid)).map_err(io(path.display().to_string()))?;
    }
    Ok(file)
}

/// Replaces a file of the owner's as a whole. It is on the disk before anything else happens.
pub(super) fn replace(path: &Path, text: &str, owner: Option<&Owner>) -> Result<(), ClusterError> {
    let unfinished = path.with_extension("unfinished");
    let _ = fs::remove_file(&unfinished);
    let mut file = open(no_link().create_new(true), &unfinished, owner)?;
    let written = std::io::Write::write_all(&mut file, text.as_bytes()).and_then(|()| file.sync_all());
    let renamed = written.and_then(|()| fs::rename(&unfinished, path));
    let parent = path.parent().unwrap_or(path);
    renamed.and_then(|()| fs::File::open(parent)?.sync_all()).map_err(io(path.display().to_string()))
}

/// The socket is in the directory, or, where its path would be too long, in one below `/tmp` whose name is made of it.
pub(super) fn socket_directory(directory: &Path, owner: Option<&Owner>) -> Result<PathBuf, ClusterError> {
    if directory.as_os_str().len() <= SOCKET_DIRECTORY_MAX {
        return Ok(directory.to_path_buf());
    }
    let path = short_directory(directory);
    let named = || path.display().to_string();
    match fs::DirBuilder::new().mode(0o700).create(&path) {
        Ok(()) => {
            if let Some(owner) = owner {
                std::os::unix::fs::lchown(&path, Some(owner.uid), Some(owner.gid)).map_err(io(named()))?;
            }
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(ClusterError::Io { what: named(), error }),
    }
    // Another user's directory of this name could give us another server.
    let uid = owner.map_or_else(|| rustix::process::geteuid().as_raw(), |owner| owner.uid);
    match fs::symlink_metadata(&path).map_err(io(named()))? {
        metadata if metadata.is_dir() && metadata.uid() == uid => Ok(path),
        _ => Err(ClusterError::Failed { what: named(), output: "it belongs to another user".to_string() }),
    }
}

/// By the FNV-1a hash of the path.
fn short_directory(directory: &Path) -> PathBuf {
    const BASIS: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01B3;
    let bytes = directory.as_os_str().as_encoded_bytes();
    let hash = bytes.iter().fold(BASIS, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME));
    Path::new(SOCKET_ROOT).join(format!("regent-database-{hash:016x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_has_its_socket_elsewhere() {
        let fits = PathBuf::from(format!("/{}", "d".repeat(SOCKET_DIRECTORY_MAX - 1)));
        assert_eq!(socket_directory(&fits, None).unwrap(), fits);
        assert_eq!(fits.join(".s.PGSQL.5432").as_os_str().len(), 107);
        let too_long = PathBuf::from(format!("/{}", "d".repeat(SOCKET_DIRECTORY_MAX)));
        let elsewhere = socket_directory(&too_long, None).unwrap();
        assert!(elsewhere.starts_with(SOCKET_ROOT), "{elsewhere:?}");
        assert_eq!(socket_directory(&too_long, None).unwrap(), elsewhere);
        fs::remove_dir(elsewhere).unwrap();
    }

    #[test]
    fn homes_are_not_opened_and_other_directories_only_for_passing() {
        let owner = Owner { name: "nobody".to_string(), uid: u32::MAX - 1, gid: u32::MAX - 1 };
        let directory = tempfile::tempdir().unwrap();
        let inner = directory.path().join("work/database");
        fs::create_dir_all(&inner).unwrap();
        let work = inner.parent().unwrap();
        fs::set_permissions(work, fs::Permissions::from_mode(0o700)).unwrap();
        let error = let_pass(&inner, &owner, &[work.to_path_buf()]).unwrap_err();
        assert!(error.to_string().contains("chmod o+x"), "{error}");
        assert_eq!(fs::metadata(work).unwrap().permissions().mode() & 0o777, 0o700);
        let_pass(&inner, &owner, &[]).unwrap();
        assert_eq!(fs::metadata(work).unwrap().permissions().mode() & 0o777, 0o701);
    }
}
