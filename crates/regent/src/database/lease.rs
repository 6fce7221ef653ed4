//! Who uses a private cluster: each user holds a shared lock of one file, and the last one ends the server.
//!
//! Invariant: while a server is being ended, its directory is locked exclusively, so that nobody adopts it.

use std::fs::{File, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use super::GiveUp;

/// The file in the cluster's directory.
const NAME: &str = "users";
const PAUSE: Duration = Duration::from_millis(20);

pub struct Lease(File);

impl Lease {
    /// Waits while another process ends the server.
    pub fn take(directory: &Path, give_up: &GiveUp) -> Result<Lease, String> {
        let path = directory.join(NAME);
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        vsam::disk::private::create_directory(directory).map_err(failed)?;
        // Where root runs Regent the directory is another user's, whose link is not followed.
        let no_link = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();
        let file = File::options().create(true).append(true).custom_flags(no_link).open(&path).map_err(failed)?;
        loop {
            match file.try_lock_shared() {
                Ok(()) => return Ok(Lease(file)),
                Err(TryLockError::WouldBlock) if give_up.is_set() => return Err("the database is no longer wanted".to_string()),
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
    }

    /// True if nobody else has a lease. It is then exclusive, and otherwise none, until it is dropped or shared.
    pub fn is_last(&self) -> bool {
        self.0.unlock().is_ok() && self.0.try_lock().is_ok()
    }

    /// One of several users again.
    pub fn share(&self) {
        let _ = self.0.lock_shared();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_user_is_told() {
        let directory = tempfile::tempdir().unwrap();
        let first = Lease::take(directory.path(), &GiveUp::default()).unwrap();
        let second = Lease::take(directory.path(), &GiveUp::default()).unwrap();
        assert!(!first.is_last());
        first.share();
        assert!(!second.is_last());
        drop(first);
        assert!(second.is_last());
    }
}
