//! SNSCOPE: how often a user may be signed on, in the region or among regions.
//!
//! Regions that share a security database know its users by the same names, so the scope among regions is a lock file for each user in the folder
//! of the database. A region that ends, however it ends, gives up its locks. Invariant: a user who is signed on in a scope beyond the region holds
//! the lock of his name until he is signed off or his terminal is gone.

use region::Region;
use region::name::Name8;
use std::fs::{DirBuilder, File, OpenOptions};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::PathBuf;

/// Only the owner of the database looks into its folder.
const DIRECTORY_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;

/// The user is signed on elsewhere in the scope, or that cannot be told.
#[derive(Debug)]
pub struct Taken;

/// The right to be signed on, until it is dropped.
pub struct Claim(#[expect(dead_code, reason = "the lock is released when the file is closed")] File);

/// What SNSCOPE says.
#[derive(Debug)]
pub enum Scope {
    /// NONE.
    Unlimited,
    /// CICS.
    Region,
    /// MVSIMAGE and SYSPLEX: the folder of the locks that regions of the same scope share.
    Regions(PathBuf),
}

impl Scope {
    pub fn of(region: &Region) -> Scope {
        match region.sit.get("SNSCOPE") {
            "CICS" => Scope::Region,
            scope @ ("MVSIMAGE" | "SYSPLEX") => {
                Scope::Regions(region.data_directory.join("security").join("signed-on").join(scope.to_ascii_lowercase()))
            }
            _ => Scope::Unlimited,
        }
    }

    /// Whether a user may be signed on at one terminal of the region only.
    pub fn is_limited(&self) -> bool {
        !matches!(self, Scope::Unlimited)
    }

    /// Claims a user who signs on; nothing in the scope of the region alone.
    pub fn claim(&self, user: Name8) -> Result<Option<Claim>, Taken> {
        let Scope::Regions(directory) = self else { return Ok(None) };
        let created = DirBuilder::new().recursive(true).mode(DIRECTORY_MODE).create(directory);
        let file = created.and_then(|()| OpenOptions::new().write(true).create(true).mode(FILE_MODE).open(directory.join(user.as_str())));
        match file {
            Ok(file) if file.try_lock().is_ok() => Ok(Some(Claim(file))),
            _ => Err(Taken),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_claimed_once_until_he_is_given_up() {
        let directory = tempfile::tempdir().unwrap();
        let scope = |name: &str| Scope::Regions(directory.path().join(name));
        let (one, another) = (scope("mvsimage"), scope("mvsimage"));
        let teller = Name8::new("TELLER");
        let claim = one.claim(teller).unwrap();
        assert!(another.claim(teller).is_err());
        assert!(another.claim(Name8::new("OTHER")).is_ok() && scope("sysplex").claim(teller).is_ok());
        drop(claim);
        assert!(another.claim(teller).is_ok());
        assert!(Scope::Region.claim(teller).unwrap().is_none() && Scope::Region.is_limited() && !Scope::Unlimited.is_limited());
    }
}
