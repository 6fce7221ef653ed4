//! An application written by a test, and the directory in which `regent` works on it.

use std::path::Path;

pub struct Application {
    sources: tempfile::TempDir,
    data: tempfile::TempDir,
}

impl Application {
    pub fn new() -> Application {
        let directory = || tempfile::tempdir().expect("a scratch directory");
        Application { sources: directory(), data: directory() }
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a file has a parent")).expect("made");
        std::fs::write(path, text).expect("written");
    }

    pub fn path(&self) -> &Path {
        self.sources.path()
    }

    pub fn data(&self) -> &Path {
        self.data.path()
    }
}
