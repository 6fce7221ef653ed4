//! The data directory of a region that lives as long as its test binary: nothing drops it at the end, so it has a fixed place, and the next
//! run of the binary begins by removing it.

use std::path::PathBuf;

/// An empty directory of this test binary.
pub fn directory() -> PathBuf {
    let binary = std::env::current_exe().expect("the test binary has a name");
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(binary.file_name().expect("a file"));
    if directory.exists() {
        std::fs::remove_dir_all(&directory).expect("what the run before left can be removed");
    }
    std::fs::create_dir_all(&directory).expect("a directory");
    directory
}
