//! The data directory of a region that lives as long as its test binary. Nothing drops it at the end, so it has a fixed place, and the next
//! run of the binary first removes it.

use std::path::PathBuf;

/// Names the purpose of a process that a test starts from its own binary.
pub const PURPOSE: &str = "REGION_PURPOSE";

/// An empty directory of this test binary; a process that one of its tests starts says what it is started for, and has its own.
pub fn directory() -> PathBuf {
    let binary = std::env::current_exe().expect("the test binary has a name");
    let name = binary.file_name().and_then(|name| name.to_str()).expect("a file");
    // cargo appends a number to the name, another for every build
    let name = name.rsplit_once('-').map_or(name, |(name, _)| name);
    let purpose = std::env::var(PURPOSE).unwrap_or_default();
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("region-{name}{purpose}"));
    if directory.exists() {
        std::fs::remove_dir_all(&directory).expect("what the run before left can be removed");
    }
    std::fs::create_dir_all(&directory).expect("a directory");
    directory
}
