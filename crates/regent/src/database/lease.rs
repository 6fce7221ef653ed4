//! Who uses a private cluster: each user holds a shared lock of one file, and the last one ends the server.
//!
//! Invariant: while a server is being ended, its directory is locked exclusively, so that nobody adopts it.

use std::fs::File;
use std::path::Path;

/// The file in the cluster's directory.
const NAME: &str = "users";

pub struct Lease(File);

impl Lease {
    /// Waits while another process ends the server.
    pub fn take(directory: &Path) -> Result<Lease, String> {
        let path = directory.join(NAME);
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        vsam::disk::private::create_directory(directory).map_err(failed)?;
        let file = File::options().create(true).append(true).open(&path).map_err(failed)?;
        file.lock_shared().map_err(failed)?;
        Ok(Lease(file))
    }

    /// True if nobody else has a lease. It is then exclusive until it is dropped.
    pub fn is_last(&self) -> bool {
        self.0.unlock().is_ok() && self.0.try_lock().is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_user_is_told() {
        let directory = tempfile::tempdir().unwrap();
        let first = Lease::take(directory.path()).unwrap();
        let second = Lease::take(directory.path()).unwrap();
        assert!(!first.is_last());
        drop(first);
        assert!(second.is_last());
    }
}
