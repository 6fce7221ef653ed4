//! A small file system, for what happens when a disk is full.

use std::path::{Path, PathBuf};

/// A file system in memory; it is unmounted with the value.
pub struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts one of this size (`24m`); `None` without the right to do so.
    pub fn mount(directory: &Path, size: &str) -> Option<SmallDisk> {
        let options = format!("size={size},mode=700");
        let status = std::process::Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(directory).status();
        status.is_ok_and(|status| status.success()).then(|| SmallDisk(directory.to_path_buf()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("-l").arg(&self.0).status();
    }
}
